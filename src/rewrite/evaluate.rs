//! The standard functors: what they give on literals.

use crate::term::{Head, Id, Symbol, Terms};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A literal as the standard functors see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Int(i64),
    Real(f64),
    Bool(bool),
    Text(Symbol),
}

/// A standard functor's meaning; None where it has none, such as a division by zero.
pub(super) type Meaning = fn(&[Value]) -> Option<Value>;

use Value::{Bool, Int, Real};

fn arithmetic(
    args: &[Value],
    ints: fn(i64, i64) -> Option<i64>,
    reals: fn(f64, f64) -> f64,
) -> Option<Value> {
    let (a, b) = match *args {
        [Int(a), Int(b)] => return ints(a, b).map(Int),
        [Real(a), Real(b)] => (a, b),
        [Int(a), Real(b)] => (a as f64, b),
        [Real(a), Int(b)] => (a, b as f64),
        _ => return None,
    };
    Some(reals(a, b)).filter(|x| x.is_finite()).map(Real)
}

/// How two literals compare, if they can be.
pub(super) fn order(args: &[Value]) -> Option<Ordering> {
    match *args {
        [Int(a), Int(b)] => Some(a.cmp(&b)),
        [Real(a), Real(b)] => a.partial_cmp(&b),
        [Int(a), Real(b)] => (a as f64).partial_cmp(&b),
        [Real(a), Int(b)] => a.partial_cmp(&(b as f64)),
        [Value::Text(a), Value::Text(b)] => Some(a.as_str().cmp(b.as_str())),
        [Bool(a), Bool(b)] => Some(a.cmp(&b)),
        _ => None,
    }
}

fn compared(args: &[Value], holds: fn(Ordering) -> bool) -> Option<Value> {
    order(args).map(|o| Bool(holds(o)))
}

/// The table: functor, number of arguments, meaning.
pub(super) const STANDARD: &[(&str, usize, Meaning)] = &[
    ("Plus", 2, |a| arithmetic(a, i64::checked_add, |x, y| x + y)),
    ("Minus", 2, |a| {
        arithmetic(a, i64::checked_sub, |x, y| x - y)
    }),
    ("Times", 2, |a| {
        arithmetic(a, i64::checked_mul, |x, y| x * y)
    }),
    ("Div", 2, |a| arithmetic(a, i64::checked_div, |x, y| x / y)),
    ("Mod", 2, |a| arithmetic(a, i64::checked_rem, |x, y| x % y)),
    ("Negate", 1, |a| match *a {
        [Int(a)] => a.checked_neg().map(Int),
        [Real(a)] => Some(Real(-a)),
        _ => None,
    }),
    ("Equal", 2, |a| compared(a, Ordering::is_eq)),
    ("NotEqual", 2, |a| compared(a, Ordering::is_ne)),
    ("Less", 2, |a| compared(a, Ordering::is_lt)),
    ("LessOrEqual", 2, |a| compared(a, Ordering::is_le)),
    ("Greater", 2, |a| compared(a, Ordering::is_gt)),
    ("GreaterOrEqual", 2, |a| compared(a, Ordering::is_ge)),
    ("And", 2, |a| match *a {
        [Bool(a), Bool(b)] => Some(Bool(a && b)),
        _ => None,
    }),
    ("Or", 2, |a| match *a {
        [Bool(a), Bool(b)] => Some(Bool(a || b)),
        _ => None,
    }),
    ("Not", 1, |a| match *a {
        [Bool(a)] => Some(Bool(!a)),
        _ => None,
    }),
];

static MEANINGS: LazyLock<HashMap<Symbol, (usize, Meaning)>> = LazyLock::new(|| {
    let entry =
        |&(name, arity, meaning): &(&str, usize, Meaning)| (Symbol::new(name), (arity, meaning));
    STANDARD.iter().map(entry).collect()
});

/// The meaning of a functor, if it is a standard one.
pub(super) fn meaning(functor: Symbol, arity: usize) -> Option<Meaning> {
    MEANINGS
        .get(&functor)
        .filter(|(n, _)| *n == arity)
        .map(|(_, meaning)| *meaning)
}

/// The value of a literal.
pub(super) fn value(terms: &Terms, id: Id) -> Option<Value> {
    match terms.head(id) {
        Head::Int(i) => Some(Int(i)),
        Head::Real(x) => Some(Real(x)),
        Head::Text(s) => Some(Value::Text(s)),
        Head::Functor(f) if terms.arity(id) == 0 => match f.as_str() {
            "True" => Some(Bool(true)),
            "False" => Some(Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

/// The literal of a value.
pub(super) fn literal(terms: &mut Terms, value: Value) -> Id {
    match value {
        Int(i) => terms.int(i),
        Real(x) => terms.real(x),
        Value::Text(s) => terms.text(s),
        Bool(b) => terms.atom(Symbol::new(if b { "True" } else { "False" })),
    }
}

/// What a standard functor gives right here, on arguments that are literals already; also `if`
/// whose first argument is True or False.
pub(super) fn evaluate_here(terms: &mut Terms, id: Id) -> Option<Id> {
    let functor = terms.functor(id)?;
    let args = terms.args(id);
    if args.is_empty() {
        return None;
    }
    if let [condition, yes, no] = *args
        && functor.as_str() == "if"
    {
        return match value(terms, condition) {
            Some(Bool(true)) => Some(yes),
            Some(Bool(false)) => Some(no),
            _ => None,
        };
    }
    let meaning = meaning(functor, args.len())?;
    let mut values = [Int(0); 2];
    for (slot, &arg) in values.iter_mut().zip(args) {
        *slot = value(terms, arg)?;
    }
    let result = meaning(&values[..terms.arity(id)])?;
    Some(literal(terms, result))
}

/// Evaluates the standard functors on literals in a term, inner ones first. Does not recurse.
pub fn evaluate(terms: &mut Terms, id: Id) -> Id {
    enum Work {
        Visit(Id),
        Make(Id),
    }
    let mut work = vec![Work::Visit(id)];
    let mut done: Vec<Id> = Vec::new();
    while let Some(item) = work.pop() {
        match item {
            Work::Visit(id) if terms.arity(id) == 0 => done.push(id),
            Work::Visit(id) => {
                work.push(Work::Make(id));
                work.extend(terms.args(id).iter().rev().map(|&a| Work::Visit(a)));
            }
            Work::Make(id) => {
                let args = done.split_off(done.len() - terms.arity(id));
                let same = args == terms.args(id);
                let new = if same { id } else { terms.with_args(id, &args) };
                done.push(evaluate_here(terms, new).unwrap_or(new));
            }
        }
    }
    done.pop().unwrap_or(id)
}
