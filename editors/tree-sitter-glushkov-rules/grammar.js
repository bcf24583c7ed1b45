/**
 * Rule files: rules, strategies and TermWare's systems.
 *
 * Signs and precedences are words.json, which is made from the table of signs; the structure follows
 * grammar/rule.pest. Words such as `all` and `system` are keywords only where one can stand.
 */

const words = require("./words.json");

const combinators = "try repeat once topdown bottomup innermost not all expressions".split(" ");
const less = words.infix.find((row) => row.sign === "<").binds;

const list = (rule) => seq(rule, repeat(seq(",", rule)));
const some = (rule) => optional(list(rule));

/** Signs with a twin that is not typed. */
const twins = { "!": ["¬"], "||": ["∨"], "&&": ["∧"], "!=": ["≠"], "<=": ["≤"], ">=": ["≥"] };
const written = (sign) => (twins[sign] ? choice(sign, ...twins[sign]) : sign);

const rest = ($) => optional(seq(":", $._inner));

module.exports = grammar({
  name: "glushkov_rules",

  word: ($) => $.name,
  extras: ($) => [/\s/, $.comment],
  supertypes: ($) => [$._term],
  inline: ($) => [$._any_name, $._parameter_name],
  // `predicate (x) -> y` is a rule for terms of that name.
  conflicts: ($) => [[$.predicate, $._name]],

  rules: {
    file: ($) =>
      seq(
        repeat(choice(";", $.attribute, $.strategy, $.group, seq($._ruled, ";"))),
        optional($._ruled),
      ),
    _ruled: ($) => choice($.rule, $.predicate, $.domain, $.system),
    attribute: ($) => prec.right(seq($.attribute_name, optional(seq("(", some($._term), ")")))),

    // Rules.
    rule: ($) =>
      seq(
        optional("let"),
        repeat($.binding),
        field("pattern", $._term),
        repeat($.binding),
        $._alternatives,
      ),
    predicate: ($) => seq("predicate", $.rule),
    _alternatives: ($) =>
      seq(
        optional(seq($.condition, repeat($.binding))),
        $._arrow,
        $._outcome,
        repeat(
          seq(alias($._next_condition, $.condition), repeat($.binding), $._arrow, $._outcome),
        ),
        optional(seq("!->", $._outcome)),
      ),
    _arrow: () => choice("->", "→"),
    _outcome: ($) =>
      prec.right(
        seq(
          repeat($.binding),
          field("result", $._term),
          optional(alias($.condition, $.action)),
          repeat($.binding),
        ),
      ),
    condition: ($) => seq(choice("[", token(/\[\s*\|/)), $._term, choice("]", token(/\|\s*\]/))),
    // `|` before a bracket begins an alternative, and ends a condition.
    _next_condition: ($) => seq(token(/\|\s*\[/), optional("|"), $._term, choice("]", token(/\|\s*\]/))),
    
    binding: ($) => seq(choice("let", "where"), "(", list($.value), ")"),
    value: ($) => prec(1, seq(choice($.variable, $.sequence_variable), choice("<-", "←"), $._term)),

    // TermWare's systems.
    domain: ($) =>
      seq(
        "domain",
        "(",
        $._path,
        repeat(seq(",", repeat($.attribute), choice($.domain, $.system, $._term))),
        ")",
      ),
    system: ($) =>
      seq("system", "(", $._path, ",", $._term, ",", $.ruleset, ",", $._any_name, ")"),
    ruleset: ($) =>
      seq("ruleset", "(", optional(seq($._entry, repeat(seq(/[,;]/, $._entry)), optional(/[,;]/))), ")"),
    _entry: ($) => seq(repeat($.attribute), choice($.import, $.rule)),
    import: ($) =>
      choice(
        seq("import", "(", $._path, optional(seq(",", $._any_name)), ")"),
        seq("importTransformed", "(", $._path, ",", $.ruleset, ")"),
      ),
    _path: ($) => seq($._any_name, repeat(seq("::", $._any_name))),

    // Strategies. One reaches to the next one, to an attribute or to the end.
    strategy: ($) =>
      seq(
        "strategy",
        field("name", $.name),
        optional(seq("(", some($.parameter), ")")),
        "=",
        $.sequence,
      ),
    parameter: ($) =>
      seq($._parameter_name, optional(seq(":", $._integer, "..", $._integer)), "=", $._integer),
    _integer: ($) => seq(optional("-"), $.number),
    sequence: ($) => prec.right(seq($._choice, repeat(seq(";", $._choice)), optional(";"))),
    _choice: ($) => choice($.or_else, $._part),
    or_else: ($) => prec.left(seq($._part, repeat1(seq("<+", $._part)))),
    _part: ($) => choice($.among, $.at, $.outside, $.when, $.combined, $.call),
    among: ($) => seq("(", $.sequence, ")"),
    at: ($) => seq("at", "(", $._any_name, ",", $.sequence, ")"),
    outside: ($) => seq("outside", "(", $._any_name, ",", $.sequence, ")"),
    when: ($) => seq("when", "(", $._term, ",", $.sequence, ")"),
    combined: ($) => seq($.combinator, "(", $.sequence, ")"),
    combinator: () => choice(...combinators),
    call: ($) =>
      prec.right(
        seq(field("name", choice($.name, $.quoted_name)), optional(seq("(", some($.setting), ")"))),
      ),
    setting: ($) => seq($._parameter_name, "=", $._term),
    group: ($) => prec.right(seq("group", field("name", $.name), "=", list($._member), optional(";"))),
    _member: ($) =>
      choice(seq("with", "(", list($.setting), ")"), field("member", choice($.name, $.quoted_name))),

    // Terms.
    _term: ($) =>
      choice(
        $.number,
        $.text,
        $.quoted_name,
        $._name,
        $.scope,
        $.apply,
        $.any_arity,
        $.any_of,
        $.variable,
        $.sequence_variable,
        $.list,
        $.set,
        $.parenthesized,
        $.unary,
        $.binary,
        $.conditional,
      ),
    // Words that begin an item are names where nothing of it follows.
    _name: ($) => choice($.name, alias(choice("predicate", "group", "strategy"), $.name)),
    scope: ($) =>
      seq(choice($.name, $.quoted_name), repeat1(seq("::", choice($.name, $.quoted_name)))),
    apply: ($) => seq(field("functor", choice($._name, $.quoted_name)), "(", some($._inner), ")"),
    any_arity: ($) => seq(choice($.name, $.quoted_name), "..", "(", $._inner, ")"),
    any_of: ($) => seq($.sequence_variable, "(", $._inner, ")"),
    list: ($) => seq("[", optional(seq(list($._inner), rest($))), "]"),
    set: ($) => seq("{", optional(seq(list($._inner), rest($))), "}"),
    parenthesized: ($) => seq("(", $._inner, ")"),
    unary: ($) =>
      choice(...words.prefix.map((row) => prec(row.binds, seq(written(row.sign), $._term)))),
    binary: ($) =>
      choice(
        ...words.infix.map(({ sign, binds, right }) => {
          const operation = seq($._term, written(sign), $._term);
          return right ? prec.right(binds, operation) : prec.left(binds, operation);
        }),
        // `a <-1` is a comparison with a minus.
        prec.left(less, seq($._term, choice("<-", "←", "<+"), $._term)),
      ),
    conditional: ($) => prec.right(0, seq($._term, "?", $._inner, ":", $._term)),

    // What may stand in brackets: rules, too.
    _inner: ($) => choice($._term, $.inner_rule, $.let, $.where),
    inner_rule: ($) => seq($._term, repeat($.binding), $._alternatives),
    let: ($) => seq(choice($.binding, "let"), $._inner),
    where: ($) => seq($._term, $.binding),

    _any_name: ($) => choice($.name, $.quoted_name, $.text),
    _parameter_name: ($) => choice($.name, $.quoted_name, $.text),
    attribute_name: () => /#@[\p{Alphabetic}\p{N}_]+/,
    comment: () => token(/#([^@\n].*)?/),
    variable: () => /\$[\p{Alphabetic}\p{N}_]+/,
    sequence_variable: () => /\$[\p{Alphabetic}\p{N}_]+\.\./,
    name: () => /@?[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*/,
    quoted_name: () => /`([^`\\]|\\(.|\n))*`/,
    text: () => /"([^"\\]|\\(.|\n))*"/,
    number: () => /\d+(\.\d+)?([eE][+-]?\d+)?[LBFDfd]?/,
  },
});
