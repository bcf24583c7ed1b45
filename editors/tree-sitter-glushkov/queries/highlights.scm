; Every keyword stands here once; a test says which is missing.

[
  (IF)
  (IF_THEN)
  (ELSE)
  (END_IF)
  (FILTER)
  (GIVEN_IF)
  (END_OF_GIVEN)
] @keyword.conditional

[
  (WHILE)
  (FOR)
  (GIVEN_FOR)
  (FROM)
  (TO)
  (STEP)
  (LOOP)
  (END_OF_LOOP)
  (PARALLEL)
  (LANES)
] @keyword.repeat

[
  (SCHEME)
  (END_OF_SCHEME)
  (GRAPH)
  (END_OF_GRAPH)
  (DATA)
  (END_OF_DATA)
  (WHERE)
  (DICTIONARY)
  (BASIC)
  (END_OF_BASIC)
  (READS)
  (WRITES)
  (MEANS)
  (SIGN)
  (LATEX)
  (CODE)
  (ENGLISH)
  (UKRAINIAN)
  (RUSSIAN)
  (DEFAULT_INPUT)
  (WORK)
  (CHECK)
  (ASSUME)
  (GIVEN)
  (GIVEN_THAT)
  (FREELY)
] @keyword

(USE) @keyword.import

[
  (INPUT)
  (OUTPUT)
  (LOCAL)
  (ARRAY)
  (IN)
  (OF)
  (SHARED)
  (REGISTERS)
] @keyword.modifier

[
  (THEN)
  (NEXT)
  (STOP)
  (CONTROL_POINT)
  (WAIT)
  (EMPTY)
  (UNDEFINED)
  (TIMED)
  (RECORDED)
  (REPORT)
  (SAVE)
  (ATOMIC)
  (WAS)
  (RUN_KERNEL)
  (ROTATE)
  (SUM_OVER_WARP)
  (MIN_OVER_WARP)
  (MAX_OVER_WARP)
  (BARRIER)
] @keyword

[
  (AFTER)
  (NOT)
  (AND)
  (OR)
  (MOD)
] @keyword.operator

[
  (TRUE)
  (FALSE)
] @boolean

(comment) @comment
(number) @number
(text) @string

(name) @variable
(component (name) @variable.member)
(type (name) @type)
(declaration name: (name) @variable)
(option name: (name) @variable.parameter)
(apply function: (name) @function.call)
(label) @label

; Phrases act: plain text is their name, and arguments are coloured as what they are.
(phrase) @function.call
(predicate) @function.call
(definition head: (phrase) @function)
(definition head: (predicate) @function)

(
  (name) @variable.builtin
  (#any-of? @variable.builtin "block" "thread" "blocks" "threads" "pi")
)

[
  "===="
  ":="
  "+="
  "min="
  "max="
  "//"
  "+"
  "-"
  "*"
  "/"
  "^"
  "="
  "<>"
  "<"
  "<="
  ">"
  ">="
  ".."
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
  "."
] @punctuation.delimiter
