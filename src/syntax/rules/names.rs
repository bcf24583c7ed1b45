//! The signs of rule syntax and the functors they build: one table.

use crate::term::{Head, Id, Terms};
use std::cmp::Ordering;

/// Functor of a list cell, `[head : tail]`.
pub const CONS: &str = "cons";
/// The empty list.
pub const NIL: &str = "NIL";
/// Functor of a set `{a, b}`: its arguments are ordered by [`compare`] and differ from each other.
pub const SET: &str = "{}";
/// Functor of a set pattern `{p, q : $rest}`; the last argument is the rest.
pub const SET_PATTERN: &str = "{:}";
/// Functor of `f..($args)`, a term with any number of arguments, taken as a list.
pub const ANY_ARITY: &str = "..";

/// Functor of `c ? a : b`.
pub const CONDITIONAL: &str = "if";
/// Functor of `x.y`: the system `x` applied to `y`, or the rule `x`.
pub const CALL: &str = "apply";
/// Functor of `a::b`, a name in its domains.
pub const SCOPED: &str = "_name";
/// Functor of `x -> y` as a term.
pub const RULE: &str = "rule";
/// Functor of a rule with conditions as a term: pattern, condition, result, further alternatives as a
/// list of [`ALTERNATIVE`]s, and what stands after `!->`.
pub const CONDITIONAL_RULE: &str = "if_rule";
/// Functor of a further alternative of a rule as a term: its condition and its result.
pub const ALTERNATIVE: &str = "elif";
/// Functor of a result with its action.
pub const ACTION: &str = "action";
/// Functor of `let ($x <- e) t`: a list of [`ASSIGNED`] and the term.
pub const LET: &str = "let";
/// Functor of `t where ($x <- e)`: the term and a list of [`ASSIGNED`].
pub const WHERE: &str = "where";
/// Functor of `$x <- e`.
pub const ASSIGNED: &str = "pair";
/// Functor around a term that no rule of a system changed, where a rule of it is for this functor.
pub const OTHERWISE: &str = "OTHERWISE";

/// The attribute that declares an operator, before the system that has it.
pub const OPERATOR: &str = "operator";

/// A prefix sign.
pub(super) struct Prefix {
    sign: &'static str,
    pub(super) functor: &'static str,
    /// How tightly it binds: tighter than `*`, looser than `^`; a dot is nearest to its term.
    pub(super) binds: u8,
}

const PREFIXES: &[Prefix] = &[
    Prefix {
        sign: "-",
        functor: "Negate",
        binds: 9,
    },
    Prefix {
        sign: "+",
        functor: "Plus",
        binds: 9,
    },
    Prefix {
        sign: "!",
        functor: "Not",
        binds: 9,
    },
    Prefix {
        sign: "~",
        functor: "bit_negate",
        binds: 9,
    },
    Prefix {
        sign: ".",
        functor: "jcall",
        binds: 11,
    },
];

/// The row of a prefix sign; the first one for what is none.
pub(super) fn prefix(sign: &str) -> &'static Prefix {
    PREFIXES
        .iter()
        .find(|p| p.sign == sign)
        .unwrap_or(&PREFIXES[0])
}

/// An infix sign.
pub(super) struct Infix {
    pub(super) sign: &'static str,
    pub(super) functor: &'static str,
    /// How tightly it binds; larger is tighter.
    pub(super) binds: u8,
    pub(super) right: bool,
}

const fn infix(sign: &'static str, functor: &'static str, binds: u8) -> Infix {
    Infix {
        sign,
        functor,
        binds,
        right: false,
    }
}

/// All infix signs. `MOD` and `in` are words that stand where a sign does. Bit operators and `=>` only
/// build terms.
pub(super) const INFIX: &[Infix] = &[
    infix("||", "Or", 1),
    infix("&&", "And", 2),
    infix("|", "bit_or", 3),
    infix("&", "bit_and", 3),
    infix("==", "Equal", 4),
    infix("!=", "NotEqual", 4),
    infix("<>", "NotEqual", 4),
    infix("<", "Less", 5),
    infix("<=", "LessOrEqual", 5),
    infix(">", "Greater", 5),
    infix(">=", "GreaterOrEqual", 5),
    infix("=>", "eq_greater", 5),
    infix("in", "_in", 5),
    infix("<<", "left_shift", 6),
    infix(">>", "right_shift", 6),
    infix("+", "Plus", 7),
    infix("-", "Minus", 7),
    infix("*", "Times", 8),
    infix("/", "Div", 8),
    infix("%", "Mod", 8),
    infix("MOD", "Mod", 8),
    Infix {
        sign: "^",
        functor: "Power",
        binds: 10,
        right: true,
    },
    infix(".", CALL, 12),
];

/// A sign of rule files, as those see it who colour or parse them by other means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSign {
    /// What is written.
    pub sign: &'static str,
    /// How tightly it binds; larger is tighter.
    pub binds: u8,
    /// Whether it stands before its only operand.
    pub prefix: bool,
    /// Whether it associates to the right.
    pub right: bool,
}

/// The signs of rule files: those before an operand, then those between two.
pub fn rule_signs() -> Vec<RuleSign> {
    let prefixes = PREFIXES.iter().map(|p| RuleSign {
        sign: p.sign,
        binds: p.binds,
        prefix: true,
        right: false,
    });
    let infixes = INFIX.iter().map(|i| RuleSign {
        sign: i.sign,
        binds: i.binds,
        prefix: false,
        right: i.right,
    });
    prefixes.chain(infixes).collect()
}

/// How tightly an infix sign binds; the sign of a choice of strategies least.
pub(in crate::syntax) fn binds(sign: &str) -> u8 {
    let row = INFIX.iter().find(|row| row.sign == sign);
    row.map_or(0, |row| row.binds)
}

/// TermWare's names of functors that the algebra has under another name. Rules and terms are
/// read through the same table, so a user's rules on `plus` are rules on `Plus` everywhere.
const ALIASES: &[(&str, &str)] = &[
    ("plus", "Plus"),
    ("minus", "Minus"),
    ("multiply", "Times"),
    ("divide", "Div"),
    ("mod", "Mod"),
    ("eq", "Equal"),
    ("neq", "NotEqual"),
    ("less", "Less"),
    ("less_eq", "LessOrEqual"),
    ("greater", "Greater"),
    ("greater_eq", "GreaterOrEqual"),
    ("logical_and", "And"),
    ("logical_or", "Or"),
    ("logical_not", "Not"),
    ("true", "True"),
    ("false", "False"),
];

/// The functor a name stands for, with so many arguments.
pub(super) fn functor_of(name: &'static str, arity: usize) -> &'static str {
    if name == "minus" && arity == 1 {
        return "Negate";
    }
    ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, functor)| functor)
}

/// Whether a name is read as another one, so that it must be quoted to mean itself.
pub(super) fn is_alias(name: &str) -> bool {
    ALIASES.iter().any(|(alias, _)| *alias == name)
}

/// A total order of terms by their structure: literals before functors, names by their text.
/// It does not depend on when a name was first seen.
pub fn compare(terms: &Terms, a: Id, b: Id) -> Ordering {
    fn rank(head: Head) -> u8 {
        match head {
            Head::Int(_) => 0,
            Head::Real(_) => 1,
            Head::Text(_) => 2,
            Head::Functor(_) => 3,
            Head::Variable(_) => 4,
            Head::Sequence(_) => 5,
        }
    }
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        if a == b {
            continue;
        }
        let (x, y) = (terms.head(a), terms.head(b));
        let heads = match (x, y) {
            (Head::Int(x), Head::Int(y)) => x.cmp(&y),
            (Head::Real(x), Head::Real(y)) => x.total_cmp(&y),
            (Head::Text(x), Head::Text(y))
            | (Head::Functor(x), Head::Functor(y))
            | (Head::Variable(x), Head::Variable(y))
            | (Head::Sequence(x), Head::Sequence(y)) => x.as_str().cmp(y.as_str()),
            _ => rank(x).cmp(&rank(y)),
        };
        let order = heads.then(terms.arity(a).cmp(&terms.arity(b)));
        if order != Ordering::Equal {
            return order;
        }
        let pairs = terms.args(a).iter().zip(terms.args(b)).rev();
        work.extend(pairs.map(|(&a, &b)| (a, b)));
    }
    Ordering::Equal
}

/// The set of some terms: ordered, each once.
pub fn make_set(terms: &mut Terms, elements: &[Id]) -> Id {
    let mut elements = elements.to_vec();
    elements.sort_by(|&a, &b| compare(terms, a, b));
    elements.dedup_by(|a, b| terms.equal(*a, *b));
    terms.apply(SET.into(), &elements)
}
