/**
 * Schemes of Glushkov's algebra of algorithms: the text form, and graphs.
 *
 * Words and precedences are words.json, which is made from the tables of the language; the structure follows
 * grammar/scheme.pest and its neighbours. As there, separators may be left out anywhere: where they may not, the
 * language server says so.
 */

const words = require("./words.json");

const list = (rule) => seq(rule, repeat(seq(",", rule)));

const any = (rules) => (rules.length === 1 ? rules[0] : choice(...rules));

/** A rule for each keyword: END_OF_LOOP is any of its spellings, word by word. */
const keywords = Object.fromEntries(
  Object.entries(words.keywords).map(([name, spellings]) => [
    name,
    () => any(spellings.map((s) => (s.includes(" ") ? seq(...s.split(" ")) : s))),
  ]),
);

/** A quoted text with groups of arguments; plain text is all else, with `()` and what is escaped. */
function quoted($, open, close) {
  const plain = new RustRegex(`([^${open}${close}\\\\(]|\\\\(.|\\n)|\\(\\s*\\))+`);
  const piece = alias(token.immediate(prec(2, plain)), $.plain);
  return seq(open, repeat(choice(piece, $.arguments)), close);
}

/** What a construct has in it, if anything. */
const body = ($) => optional(choice($.flow, $.sequence));
const block = ($) => seq("(", body($), ")");

/** The signs between two operands. */
const signs = ($) =>
  words.infix.flatMap(({ signs, keywords }) => [...signs, ...keywords.map((name) => $[name])]);

/** A part of a family that stands for a choice: inside it stands what `inner` says. */
function parts(name, inner) {
  return {
    [name]: ($) =>
      seq(
        choice(
          seq($.GIVEN_IF, $.given_condition, $.IF_THEN, inner($), optional(seq($.ELSE, inner($)))),
          seq($.GIVEN_FOR, "(", field("variable", $.name), $._bounds, ")", inner($)),
        ),
        $.END_OF_GIVEN,
      ),
  };
}

module.exports = grammar({
  name: "glushkov",

  word: ($) => $.name,
  reserved: { global: () => words.reserved },
  extras: ($) => [/\s/, $.comment],
  supertypes: ($) => [$._operator, $._expression],
  inline: ($) => [$._declared, $._bounds, $._size, $._separator],

  // Behind an operator of a definition a phrase is called, or another one is defined.
  conflicts: ($) => [[$.sequence], [$.definition]],

  rules: {
    // A file of operators holds definitions alone.
    file: ($) =>
      choice(repeat(choice($.use, $.scheme)), seq(repeat(";"), repeat1($._definition))),

    scheme: ($) =>
      prec.right(
        seq(
          choice($.SCHEME, $.GRAPH),
          field("title", $.text),
          "====",
          repeat(choice($.given, $.given_that)),
          optional($.data),
          body($),
          optional($.where),
          optional($.dictionary),
          choice($.END_OF_SCHEME, $.END_OF_GRAPH),
          optional($.text),
          optional(";"),
        ),
      ),
    use: ($) => prec.right(seq($.USE, $.text, optional(";"))),

    // DATA.
    data: ($) => seq($.DATA, repeat(choice(";", $._data_item)), $.END_OF_DATA),
    _data_item: ($) =>
      choice($.given, $.given_that, $.given_data, $._plain_item),
    _plain_item: ($) => choice($.default_input, $.work, $.check, $.assume, $.use, $.declaration),
    default_input: ($) => seq($.DEFAULT_INPUT, $.text, optional($.options)),
    work: ($) => seq($.WORK, $.text, ":=", $._expression),
    check: ($) => seq($.CHECK, $.options),
    assume: ($) => seq($.ASSUME, $._expression),
    options: ($) => seq("(", optional(seq(list($.option), optional(","))), ")"),
    option: ($) => seq(field("name", $.name), ":=", $._expression),
    declaration: ($) =>
      seq(
        list(field("name", $.name)),
        ":",
        $.type,
        optional($.dimensions),
        repeat(choice($.INPUT, $.OUTPUT)),
        optional(seq(":=", choice($.values, $._expression))),
      ),
    type: ($) => seq($.name, optional(seq($.OF, $.name))),
    dimensions: ($) => seq("[", list($._expression), "]"),
    values: ($) => seq("[", list($._expression), "]"),

    // Families: what is given, and the parts that stand for a choice.
    given: ($) =>
      seq(
        $.GIVEN,
        field("name", $.name),
        $.IN,
        choice(seq("{", list(choice($._value, $.range)), "}"), $.range),
        optional(seq(":=", $._value)),
        optional($.FREELY),
      ),
    range: ($) => seq($._integer, choice("..", "‥"), $._integer),
    _value: ($) => choice($.text, $._integer),
    _integer: ($) => seq(optional(any(words.minus.signs)), $.number),
    given_that: ($) => seq($.GIVEN_THAT, $.given_condition),
    given_condition: ($) =>
      seq($._given_operand, repeat(seq(choice(...signs($)), $._given_operand))),
    _given_operand: ($) =>
      choice(
        $.name,
        $.number,
        $.text,
        $.TRUE,
        $.FALSE,
        seq("(", $.given_condition, ")"),
        seq($.NOT, $._given_operand),
        seq(any(words.minus.signs), $._given_operand),
      ),
    ...parts("given_data", ($) => repeat(choice(";", $._data_item))),
    ...parts("given_definitions", ($) => seq(repeat(";"), repeat($._definition))),
    ...parts("given_entries", ($) => repeat(choice(";", $._entry))),
    ...parts("given_operators", body),

    // WHERE and DICTIONARY.
    where: ($) => seq($.WHERE, repeat(";"), repeat($._definition)),
    _definition: ($) => choice($.definition, $.basic, $.given_definitions),
    definition: ($) =>
      choice(
        seq(field("head", $.phrase), "====", body($)),
        seq(field("head", $.predicate), "====", $._expression, repeat(";")),
      ),

    // What is declared of basic operators and predicates.
    basic: ($) =>
      seq(
        choice(
          seq(
            field("head", $.phrase),
            "====",
            $.BASIC,
            optional($.formals),
            optional($.reads),
            optional($.writes),
            optional(seq($.MEANS, body($))),
          ),
          seq(
            field("head", $.predicate),
            "====",
            $.BASIC,
            optional($.formals),
            optional($.reads),
            optional(seq($.MEANS, $._expression)),
          ),
        ),
        repeat($.wording),
        repeat($.code),
        $.END_OF_BASIC,
        repeat(";"),
      ),
    formals: ($) => seq("(", optional(seq($.formal, repeat(seq(";", $.formal)), optional(";"))), ")"),
    formal: ($) => seq(list(field("name", $.name)), ":", $.type, optional($.dimensions)),
    reads: ($) => seq($.READS, list($._expression)),
    writes: ($) => seq($.WRITES, list($.target)),
    wording: ($) =>
      choice(
        seq(choice($._language, $.SIGN), choice($.phrase, $.predicate)),
        seq($.LATEX, $.text),
      ),
    code: ($) => seq($.CODE, $.target_name, $.fenced),
    target_name: ($) => seq($.name, repeat(seq("-", $.name))),
    fenced: () => token(seq("```", /([^`]|`[^`]|``[^`])*/, "```")),

    dictionary: ($) => seq($.DICTIONARY, repeat(choice(";", $._entry))),
    _entry: ($) => choice($.entry, $.given_entries),
    entry: ($) =>
      choice(
        seq($.phrase, "====", repeat1(seq($._language, $.phrase))),
        seq($.predicate, "====", repeat1(seq($._language, $.predicate))),
      ),
    _language: ($) => choice($.ENGLISH, $.UKRAINIAN, $.RUSSIAN),

    // Operators in order.
    sequence: ($) =>
      choice(
        repeat1(";"),
        seq(repeat(";"), repeat1(seq($._operator, repeat($._separator)))),
      ),
    _separator: ($) => choice(";", $.THEN),

    _operator: ($) => choice($.if, $._action),
    _action: ($) =>
      choice(
        $.call,
        $.assign,
        $.while,
        $.for,
        $.parallel,
        $.branches,
        $.lanes,
        $.array,
        $.launch,
        $.timed,
        $.recorded,
        $.local,
        $.shared,
        $.registers,
        $.exchange,
        $.report,
        $.save,
        $.atomic,
        $.control_point,
        $.wait,
        $.filter,
        $.given_operators,
        $.EMPTY,
        $.UNDEFINED,
        $.BARRIER,
      ),
    call: ($) => $.phrase,
    assign: ($) => seq($.target, choice(":=", "+="), $._expression),
    target: ($) => seq($.name, optional($.subscripts), repeat(seq(".", $.component))),
    if: ($) =>
      seq($.IF, $._expression, $.IF_THEN, body($), optional(seq($.ELSE, body($))), $.END_IF),
    while: ($) => seq($.WHILE, $._expression, $.LOOP, body($), $.END_OF_LOOP),
    for: ($) =>
      seq(
        $.FOR,
        "(",
        field("variable", $.name),
        $._bounds,
        optional(seq($.STEP, $._expression)),
        ")",
        $.LOOP,
        body($),
        $.END_OF_LOOP,
      ),
    _bounds: ($) => seq($.FROM, $._expression, $.TO, $._expression),
    parallel: ($) =>
      seq($.PARALLEL, "(", field("variable", $.name), $._bounds, ")", block($)),
    branches: ($) => seq($.PARALLEL, "(", body($), repeat(seq("//", body($))), ")"),
    lanes: ($) =>
      seq(
        $.LANES,
        "(",
        $._expression,
        ")",
        "(",
        field("variable", $.name),
        $._bounds,
        ")",
        block($),
      ),
    array: ($) => seq($.ARRAY, $._declared, $.dimensions, $.IN, block($)),
    launch: ($) => seq($.RUN_KERNEL, "(", $._expression, ",", $._expression, ")", block($)),
    timed: ($) => seq($.TIMED, block($)),
    recorded: ($) => seq($.RECORDED, block($)),
    _declared: ($) => seq(field("name", $.name), ":", $.type),
    _size: ($) => seq("[", $._expression, "]"),
    local: ($) => seq($.LOCAL, $._declared, ":=", $._expression),
    shared: ($) => seq($.SHARED, $._declared, $._size),
    registers: ($) => seq($.REGISTERS, $._declared, $._size),
    exchange: ($) =>
      seq(
        choice($.ROTATE, $.SUM_OVER_WARP, $.MIN_OVER_WARP, $.MAX_OVER_WARP),
        "(",
        list($.name),
        ")",
      ),
    report: ($) => seq($.REPORT, $.text, $.arguments),
    save: ($) => seq($.SAVE, $.text, "(", $.name, ")"),
    atomic: ($) =>
      seq(
        $.ATOMIC,
        $.target,
        choice(
          seq("+=", $._expression, optional(seq($.WAS, $.target))),
          seq(choice("min=", "max="), $._expression),
        ),
      ),
    control_point: ($) => seq($.CONTROL_POINT, $.text),
    wait: ($) => seq($.WAIT, $.text),
    filter: ($) => seq($.FILTER, $._expression),

    // The nodes of a graph.
    flow: ($) => repeat1($.node),
    node: ($) =>
      seq(
        $.label,
        ":",
        choice(
          seq($.IF, $._expression, $.IF_THEN, $._edge, $.ELSE, $._edge),
          seq($._action, $.NEXT, $._edge),
        ),
      ),
    label: ($) => choice($.name, $.number),
    _edge: ($) => choice($.STOP, $.label),

    // Expressions and predicates.
    _expression: ($) =>
      choice(
        $.name,
        $.number,
        $.TRUE,
        $.FALSE,
        $.index,
        $.apply,
        $.field,
        $.group,
        $.test,
        $.minus,
        $.not,
        $.after,
        $.binary,
      ),
    index: ($) => seq($.name, $.subscripts),
    subscripts: ($) => seq("[", list($._expression), "]"),
    apply: ($) => seq(field("function", $.name), $.arguments),
    arguments: ($) => seq("(", list($._expression), ")"),
    field: ($) => prec(words.atomic, seq($._expression, ".", $.component)),
    component: ($) => $.name,
    group: ($) => seq("(", $._expression, ")"),
    test: ($) => $.predicate,
    minus: ($) => prec(words.minus.binds, seq(any(words.minus.signs), $._expression)),
    not: ($) => prec(words.not, seq($.NOT, $._expression)),
    after: ($) => prec(words.after, seq($.AFTER, block($), $._expression)),
    binary: ($) =>
      choice(
        ...words.infix.map(({ binds, right, signs, keywords }) => {
          const sign = any([...signs, ...keywords.map((name) => $[name])]);
          const operation = seq(field("left", $._expression), sign, field("right", $._expression));
          return right ? prec.right(binds, operation) : prec.left(binds, operation);
        }),
      ),

    // Words, numbers and quoted texts.
    // In a family a name may have braces in it: x{k + 1}.
    name: () =>
      /[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*(\{ *[\p{Alphabetic}\p{N}_]+( *[+-] *[\p{Alphabetic}\p{N}_]+)* *\}[\p{Alphabetic}\p{N}_]*)*/,
    number: () => /\d+(\.\d+)?([eE][+-]?\d+)?/,
    comment: () => token(seq("#", /.*/)),
    phrase: ($) => choice(quoted($, '"', '"'), quoted($, "“", "”"), quoted($, "„", "“"), quoted($, "«", "»")),
    predicate: ($) => choice(quoted($, "'", "'"), quoted($, "‘", "’")),
    text: () =>
      token(
        choice(
          /"([^"\\]|\\(.|\n))*"/,
          /'([^'\\]|\\(.|\n))*'/,
          /[“„]([^”“\\]|\\(.|\n))*[”“]/,
          /«([^«»\\]|\\(.|\n))*»/,
          /‘([^‘’\\]|\\(.|\n))*’/,
        ),
      ),

    ...keywords,
  },
});
