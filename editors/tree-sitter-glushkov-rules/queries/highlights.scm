(comment) @comment
(attribute_name) @attribute
(number) @number
(text) @string
(quoted_name) @string.special

(name) @constant
(apply functor: (name) @function.call)
(strategy name: (name) @function)
(group name: (name) @function)
(call name: (name) @function.call)
(parameter (name) @variable.parameter)
(setting (name) @variable.parameter)

(variable) @variable
(sequence_variable) @variable

[
  "strategy"
  "group"
  "predicate"
  "domain"
  "system"
  "ruleset"
  "let"
  "where"
  "at"
  "outside"
  "when"
  "with"
  (combinator)
] @keyword

[
  "import"
  "importTransformed"
] @keyword.import

[
  "in"
  "MOD"
] @keyword.operator

[
  "->"
  "→"
  "!->"
  "<-"
  "←"
  "<+"
  "="
  "&&"
  "||"
  "=="
  "!="
  "<>"
  "<"
  "<="
  ">"
  ">="
  "+"
  "-"
  "*"
  "/"
  "%"
  "^"
  "!"
  "?"
] @operator

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  ";"
  ":"
  "::"
  ".."
] @punctuation.delimiter
