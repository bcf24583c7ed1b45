//! The standard functors: what they give on literals.

use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
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

/// A standard functor.
struct Standard {
    functor: &'static str,
    arity: usize,
    /// What it gives, for its page.
    says: &'static str,
    meaning: Meaning,
}

const fn standard(
    functor: &'static str,
    arity: usize,
    says: &'static str,
    meaning: Meaning,
) -> Standard {
    Standard {
        functor,
        arity,
        says,
        meaning,
    }
}

/// Bytes of a string that a functor may make: rules can double a string in every step.
pub(super) const MOST_BYTES: usize = 1 << 16;

fn text(text: &str) -> Option<Value> {
    (text.len() <= MOST_BYTES).then(|| Value::Text(Symbol::new(text)))
}

/// A real without its fraction, where it is an integer of 64 bits.
fn whole(x: f64) -> Option<i64> {
    let x = x.trunc();
    (x >= i64::MIN as f64 && x < i64::MAX as f64).then_some(x as i64)
}

/// The table.
const STANDARD: &[Standard] = &[
    standard("Plus", 2, "the sum", |a| {
        arithmetic(a, i64::checked_add, |x, y| x + y)
    }),
    standard("Minus", 2, "the difference", |a| {
        arithmetic(a, i64::checked_sub, |x, y| x - y)
    }),
    standard("Times", 2, "the product", |a| {
        arithmetic(a, i64::checked_mul, |x, y| x * y)
    }),
    standard("Div", 2, "the quotient; of integers cut towards 0", |a| {
        arithmetic(a, i64::checked_div, |x, y| x / y)
    }),
    standard("Mod", 2, "the remainder, with the sign of the first", |a| {
        arithmetic(a, i64::checked_rem, |x, y| x % y)
    }),
    standard(
        "Negate",
        1,
        "the number with the other sign",
        |a| match *a {
            [Int(a)] => a.checked_neg().map(Int),
            [Real(a)] => Some(Real(-a)),
            _ => None,
        },
    ),
    standard("Equal", 2, "whether two literals are equal", |a| {
        compared(a, Ordering::is_eq)
    }),
    standard("NotEqual", 2, "whether they are not", |a| {
        compared(a, Ordering::is_ne)
    }),
    standard(
        "Less",
        2,
        "whether the first comes before; strings by their text",
        |a| compared(a, Ordering::is_lt),
    ),
    standard("LessOrEqual", 2, "whether it does not come after", |a| {
        compared(a, Ordering::is_le)
    }),
    standard("Greater", 2, "whether it comes after", |a| {
        compared(a, Ordering::is_gt)
    }),
    standard(
        "GreaterOrEqual",
        2,
        "whether it does not come before",
        |a| compared(a, Ordering::is_ge),
    ),
    standard("And", 2, "whether both are true", |a| match *a {
        [Bool(a), Bool(b)] => Some(Bool(a && b)),
        _ => None,
    }),
    standard("Or", 2, "whether one is", |a| match *a {
        [Bool(a), Bool(b)] => Some(Bool(a || b)),
        _ => None,
    }),
    standard("Not", 1, "whether it is false", |a| match *a {
        [Bool(a)] => Some(Bool(!a)),
        _ => None,
    }),
    standard("isInt", 1, "whether a literal is an integer", |a| {
        Some(Bool(matches!(*a, [Int(_)])))
    }),
    standard("isDouble", 1, "whether it is a real", |a| {
        Some(Bool(matches!(*a, [Real(_)])))
    }),
    standard("isNumber", 1, "whether it is one of the two", |a| {
        Some(Bool(matches!(*a, [Int(_) | Real(_)])))
    }),
    standard("isString", 1, "whether it is a string", |a| {
        Some(Bool(matches!(*a, [Value::Text(_)])))
    }),
    standard("isBoolean", 1, "whether it is true or false", |a| {
        Some(Bool(matches!(*a, [Bool(_)])))
    }),
    standard(
        "toInt",
        1,
        "a real cut towards 0, or the integer in a string",
        |a| match *a {
            [Int(i)] => Some(Int(i)),
            [Real(x)] => whole(x).map(Int),
            [Value::Text(s)] => s.as_str().parse().ok().map(Int),
            _ => None,
        },
    ),
    standard(
        "toDouble",
        1,
        "an integer as a real, or the real in a string",
        |a| match *a {
            [Int(i)] => Some(Real(i as f64)),
            [Real(x)] => Some(Real(x)),
            [Value::Text(s)] => s
                .as_str()
                .parse()
                .ok()
                .filter(|x: &f64| x.is_finite())
                .map(Real),
            _ => None,
        },
    ),
    standard("toString", 1, "a literal as a string", |a| match *a {
        [Int(i)] => text(&i.to_string()),
        [Real(x)] => text(&format!("{x:?}")),
        [Bool(b)] => text(if b { "true" } else { "false" }),
        [Value::Text(s)] => Some(Value::Text(s)),
        _ => None,
    }),
    standard(
        "concat",
        2,
        "two strings, the second behind the first",
        |a| match *a {
            [Value::Text(a), Value::Text(b)] => text(&format!("{a}{b}")),
            _ => None,
        },
    ),
    standard(
        "length",
        1,
        "the number of characters of a string",
        |a| match *a {
            [Value::Text(s)] => i64::try_from(s.as_str().chars().count()).ok().map(Int),
            _ => None,
        },
    ),
];

/// The standard functors as a table of their page, in Markdown.
pub fn standard_functors() -> String {
    let mut page = String::from("| functor | gives |\n|---|---|\n");
    for one in STANDARD {
        let names = ["$a", "$b"][..one.arity].join(", ");
        page.push_str(&format!("| `{}({names})` | {} |\n", one.functor, one.says));
    }
    page
}

static MEANINGS: LazyLock<FxHashMap<Symbol, (usize, Meaning)>> = LazyLock::new(|| {
    let entry = |one: &Standard| (Symbol::new(one.functor), (one.arity, one.meaning));
    STANDARD.iter().map(entry).collect()
});

/// Whether a functor is in the table, or is `if`.
pub(super) fn is_standard(functor: Symbol) -> bool {
    functor.as_str() == "if" || MEANINGS.contains_key(&functor)
}

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
