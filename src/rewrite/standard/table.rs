//! The table of standard functors that look at the form of terms.

use super::rule_terms::{bound, unified};
use super::strings;
use crate::rewrite::evaluate::{Value, literal, value};
use crate::rewrite::fact_base::{ASK, PRINTLN};
use crate::syntax::rules::{CALL, CONS, LET, NIL, SET, WHERE, compare, make_set, print_term_flat};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a functor gives on normal forms; None where it stays.
pub(super) type Gives = fn(&mut Terms, &[Id]) -> Option<Id>;

/// The rows that the compiled engines know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rewrite) enum Form {
    /// Whether two terms without variables are the same.
    Equal,
    NotEqual,
    And,
    Or,
    /// False of everything but variables.
    Never,
    /// Whether a term comes before another one in the order of a set's elements.
    Before,
}

/// A standard functor.
pub(super) struct Row {
    pub(super) functor: &'static str,
    /// How many arguments it takes at least and at most.
    pub(super) arity: (usize, usize),
    /// The system that has it; that of every system, unless it has rules for the functor itself, is
    /// `general`.
    pub(super) system: &'static str,
    /// What it gives, for its page.
    says: &'static str,
    pub(super) gives: Gives,
    /// What it is to the compiled engines, if they know it.
    pub(super) form: Option<Form>,
}

pub(super) const GENERAL: &str = "general";
const STRING: &str = "String";
const SYS: &str = "sys";
const MANY: usize = usize::MAX;

const fn row(
    functor: &'static str,
    arity: (usize, usize),
    system: &'static str,
    says: &'static str,
    gives: Gives,
) -> Row {
    Row {
        functor,
        arity,
        system,
        says,
        gives,
        form: None,
    }
}

/// A row that the compiled engines know.
const fn compiled(form: Form, row: Row) -> Row {
    Row {
        form: Some(form),
        ..row
    }
}

/// The table.
pub(super) const ROWS: &[Row] = &[
    compiled(
        Form::Equal,
        row(
            "Equal",
            (2, 2),
            GENERAL,
            "whether two terms without variables are the same",
            |t, a| same(t, a).map(|same| truth(t, same)),
        ),
    ),
    compiled(
        Form::NotEqual,
        row(
            "NotEqual",
            (2, 2),
            GENERAL,
            "whether they are not",
            |t, a| same(t, a).map(|same| truth(t, !same)),
        ),
    ),
    compiled(
        Form::And,
        row(
            "And",
            (2, 2),
            GENERAL,
            "the other term where one is true; false where one is false",
            |t, a| joined(t, a, true),
        ),
    ),
    compiled(
        Form::Or,
        row(
            "Or",
            (2, 2),
            GENERAL,
            "the other term where one is false; true where one is true",
            |t, a| joined(t, a, false),
        ),
    ),
    compiled(
        Form::Never,
        row(
            "isInt",
            (1, 1),
            GENERAL,
            "false of what is no literal",
            never,
        ),
    ),
    compiled(
        Form::Never,
        row("isDouble", (1, 1), GENERAL, "likewise", never),
    ),
    compiled(
        Form::Never,
        row("isNumber", (1, 1), GENERAL, "likewise", never),
    ),
    compiled(
        Form::Never,
        row("isString", (1, 1), GENERAL, "likewise", never),
    ),
    compiled(
        Form::Never,
        row("isBoolean", (1, 1), GENERAL, "likewise", never),
    ),
    compiled(
        Form::Before,
        row(
            "term_less",
            (2, 2),
            GENERAL,
            "whether the first of two terms without variables comes before the second, as in a set",
            |t, a| {
                let open = has_variables(t, a[0]) || has_variables(t, a[1]);
                (!open).then(|| truth(t, compare(t, a[0], a[1]).is_lt()))
            },
        ),
    ),
    row(
        "isAtom",
        (1, 1),
        GENERAL,
        "whether a term is a name without arguments",
        |t, a| {
            let atom = t
                .as_atom(a[0])
                .is_some_and(|name| !matches!(name.as_str(), NIL | "True" | "False"));
            Some(truth(t, atom && value(t, a[0]).is_none()))
        },
    ),
    row(
        "isNil",
        (1, 1),
        GENERAL,
        "whether it is the empty list",
        |t, a| {
            let nil = is_nil(t, a[0]);
            Some(truth(t, nil))
        },
    ),
    row(
        "isList",
        (1, 1),
        GENERAL,
        "whether it is a list, by its first cell",
        |t, a| {
            let list = is_nil(t, a[0])
                || t.arity(a[0]) == 2 && t.functor(a[0]).is_some_and(|f| f.as_str() == CONS);
            Some(truth(t, list))
        },
    ),
    row(
        "isX",
        (1, 1),
        GENERAL,
        "whether it is a variable",
        |t, a| {
            let variable = matches!(t.head(a[0]), Head::Variable(_));
            Some(truth(t, variable))
        },
    ),
    row(
        "isLong",
        (1, 1),
        GENERAL,
        "false: there are no numbers of other widths, no characters and no objects",
        never,
    ),
    row("isShort", (1, 1), GENERAL, "likewise", never),
    row("isByte", (1, 1), GENERAL, "likewise", never),
    row("isChar", (1, 1), GENERAL, "likewise", never),
    row("isFloat", (1, 1), GENERAL, "likewise", never),
    row("isBigInteger", (1, 1), GENERAL, "likewise", never),
    row("isBigDecimal", (1, 1), GENERAL, "likewise", never),
    row("isJavaObject", (1, 1), GENERAL, "likewise", never),
    row(
        "term_name",
        (1, 1),
        GENERAL,
        "the functor of a term, or a literal, as a string",
        |t, a| {
            let name = match t.head(a[0]) {
                Head::Functor(name) => name.as_str().to_owned(),
                Head::Text(text) => text.as_str().to_owned(),
                _ => print_term_flat(t, a[0]),
            };
            Some(t.text(Symbol::new(&name)))
        },
    ),
    row(
        "arity",
        (1, 1),
        GENERAL,
        "the number of its arguments",
        |t, a| {
            let arity = t.arity(a[0]) as i64;
            Some(t.int(arity))
        },
    ),
    row("clone", (1, 1), GENERAL, "the term", |_, a| Some(a[0])),
    row("reduce", (1, 1), GENERAL, "the term, rewritten", |_, a| {
        Some(a[0])
    }),
    row("Plus", (1, 1), GENERAL, "the term", |_, a| Some(a[0])),
    row(
        "toBoolean",
        (1, 1),
        GENERAL,
        "a truth value, or the one in a string",
        |t, a| match value(t, a[0])? {
            Value::Bool(b) => Some(truth(t, b)),
            Value::Text(s) if s.as_str() == "true" => Some(truth(t, true)),
            Value::Text(s) if s.as_str() == "false" => Some(truth(t, false)),
            _ => None,
        },
    ),
    row("toString", (1, 1), GENERAL, "a term as a string", |t, a| {
        let text = print_term_flat(t, a[0]);
        strings::text(t, &text)
    }),
    row(
        "concat",
        (0, MANY),
        GENERAL,
        "strings, each behind the one before",
        strings::concat,
    ),
    row(
        "intersection",
        (1, MANY),
        GENERAL,
        "the elements that all sets have",
        intersection,
    ),
    row(
        "unify",
        (2, 2),
        GENERAL,
        "whether two terms have a common instance; in a condition, variables get their values",
        |t, a| unified(t, a[0], a[1]).map(|unified| truth(t, unified)),
    ),
    row(
        LET,
        (2, 2),
        GENERAL,
        "a term with values in it: `let ($x <- e) t`",
        |t, a| bound(t, a[1], a[0]),
    ),
    row(
        WHERE,
        (2, 2),
        GENERAL,
        "likewise: `t where ($x <- e)`",
        |t, a| bound(t, a[0], a[1]),
    ),
    row(
        ASK,
        (1, 1),
        GENERAL,
        "in a condition: whether a fact is matched; variables get their values",
        |_, _| None,
    ),
    // What a system gives is known to the run alone: `system/settled.rs`.
    row(
        CALL,
        (1, 2),
        GENERAL,
        "`x.y`: `y` rewritten by the system `x`, or by the rule `x` once; of one term, by its own system; it stays where that changes nothing",
        |_, _| None,
    ),
    // What is printed is kept by the run: `system/settled.rs`.
    row(
        PRINTLN,
        (0, 1),
        SYS,
        "true; its argument is printed as a line, a string without its quotes",
        |_, _| None,
    ),
    row(
        "Plus",
        (2, 2),
        STRING,
        "strings, the second behind the first",
        strings::concat,
    ),
    row(
        "convert",
        (1, MANY),
        STRING,
        "its arguments' text, in its own name",
        strings::convert,
    ),
    row(
        "matches",
        (2, 2),
        STRING,
        "whether a string is matched by a regular expression; in a condition, further variables get the groups",
        strings::matches,
    ),
    row(
        "parse",
        (1, 1),
        STRING,
        "the term in a string",
        strings::parse,
    ),
    row(
        "split",
        (2, 2),
        STRING,
        "the parts of a string between matches of a regular expression",
        strings::split,
    ),
    row(
        "subst",
        (3, 3),
        STRING,
        "a string with all matches of a regular expression replaced",
        strings::subst,
    ),
];

/// The standard functors that look at terms, as a table of their page, in Markdown.
pub fn standard_forms() -> String {
    let mut page = String::from("| functor | of | gives |\n|---|---|---|\n");
    for row in ROWS {
        let names = match row.arity {
            (_, MANY) => "…".to_owned(),
            (_, most) => ["$a", "$b", "$c"][..most.min(3)].join(", "),
        };
        let says = row.says;
        page.push_str(&format!(
            "| `{}({names})` | {} | {says} |\n",
            row.functor, row.system
        ));
    }
    page
}

/// Whether a standard system has a functor in the table.
pub(in crate::rewrite) fn row_of(system: &str, functor: &str) -> bool {
    let is = |row: &Row| {
        row.functor == functor && (row.system == system || system == STRING && functor == "concat")
    };
    ROWS.iter().any(is)
}

/// What a functor that no rule is for is to the compiled engines, if it is a row that they know.
pub(in crate::rewrite) fn form(functor: Symbol, arity: usize) -> Option<Form> {
    let rows = BY_FUNCTOR.get(&functor)?.iter().map(|&i| &ROWS[i]);
    let mut fitting = rows.filter(|row| (row.arity.0..=row.arity.1).contains(&arity));
    fitting.find_map(|row| row.form)
}

pub(super) static BY_FUNCTOR: LazyLock<FxHashMap<Symbol, Vec<usize>>> = LazyLock::new(|| {
    let mut map: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
    for (i, row) in ROWS.iter().enumerate() {
        map.entry(Symbol::new(row.functor)).or_default().push(i);
    }
    map
});

pub(super) fn truth(terms: &mut Terms, holds: bool) -> Id {
    literal(terms, Value::Bool(holds))
}

fn never(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    // A literal has its answer from the table of literals, a variable none.
    let free = matches!(terms.head(args[0]), Head::Variable(_) | Head::Sequence(_));
    (!free).then(|| truth(terms, false))
}

fn is_nil(terms: &Terms, id: Id) -> bool {
    terms.as_atom(id).is_some_and(|name| name.as_str() == NIL)
}

/// Whether two terms are the same; nobody knows while there are variables in them.
fn same(terms: &Terms, args: &[Id]) -> Option<bool> {
    let (a, b) = (args[0], args[1]);
    if terms.equal(a, b) {
        return Some(true);
    }
    (!has_variables(terms, a) && !has_variables(terms, b)).then_some(false)
}

fn has_variables(terms: &Terms, id: Id) -> bool {
    let variable = |id| matches!(terms.head(id), Head::Variable(_) | Head::Sequence(_));
    terms.subterms(id).any(variable)
}

/// `neutral && x` is x, `!neutral && x` is not.
fn joined(terms: &Terms, args: &[Id], neutral: bool) -> Option<Id> {
    let decided = |one: Id, other: Id| match value(terms, one) {
        Some(Value::Bool(b)) if b == neutral => Some(other),
        Some(Value::Bool(_)) => Some(one),
        _ => None,
    };
    decided(args[0], args[1]).or_else(|| decided(args[1], args[0]))
}

fn intersection(terms: &mut Terms, args: &[Id]) -> Option<Id> {
    let is_set = |&id: &Id| terms.functor(id).is_some_and(|f| f.as_str() == SET);
    let empty = |id: &Id| is_set(id) && terms.arity(*id) == 0;
    if args.iter().any(empty) {
        return Some(make_set(terms, &[]));
    }
    if !args.iter().all(is_set) {
        return None;
    }
    let (first, others) = args.split_first()?;
    let within = |element: Id, set: Id| terms.args(set).iter().any(|&e| terms.equal(e, element));
    let elements = terms.args(*first).iter().copied();
    let common: Vec<Id> = elements
        .filter(|&e| others.iter().all(|&set| within(e, set)))
        .collect();
    Some(make_set(terms, &common))
}
