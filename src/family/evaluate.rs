//! Conditions and integers over givens → what they are.

use super::{Refusal, Value};
use crate::algebra::{Arithmetic, Comparison, Expr, Kind, expr};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// What givens and the indices of repeated parts are where something stands.
pub(super) type Known = FxHashMap<Symbol, Value>;

/// What an expression over givens is.
enum Found {
    Value(Value),
    Truth(bool),
}

/// How deep a condition over givens may nest.
const DEEPEST: usize = 1_000;

/// Whether a condition over givens holds.
pub(super) fn holds(terms: &Terms, id: Id, known: &Known) -> Result<bool, Refusal> {
    Evaluation { terms, known }.holds(id, 0)
}

/// The integer that an expression over givens is.
pub(super) fn integer(terms: &Terms, id: Id, known: &Known) -> Result<i64, Refusal> {
    Evaluation { terms, known }.integer(id, 0)
}

/// That a name is not given.
pub(super) fn not_given(name: &str, known: &Known) -> Diagnostic {
    let mut names: Vec<&str> = known.keys().map(|k| k.as_str()).collect();
    names.sort_unstable();
    let near = did_you_mean(name, names.iter().copied()).filter(|near| near.len() > 1);
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("declare it before DATA: GIVEN {name} IN {{1, 2}}"),
        None => format!("what is given here: {}", names.join(", ")),
    };
    Diagnostic::error("E0252", format!("`{name}` is not given")).hint(hint)
}

struct Evaluation<'a> {
    terms: &'a Terms,
    known: &'a Known,
}

impl Evaluation<'_> {
    fn wrong(&self, id: Id, message: &str) -> Diagnostic {
        Diagnostic::error("E0252", message).at(self.terms.span(id))
    }

    fn holds(&self, id: Id, depth: usize) -> Result<bool, Refusal> {
        match self.evaluate(id, depth)? {
            Found::Truth(truth) => Ok(truth),
            Found::Value(_) => Err(Box::new(
                self.wrong(id, "this is a value, and a condition is needed"),
            )),
        }
    }

    fn integer(&self, id: Id, depth: usize) -> Result<i64, Refusal> {
        match self.evaluate(id, depth)? {
            Found::Value(Value::Int(i)) => Ok(i),
            _ => Err(Box::new(
                self.wrong(id, "an integer over givens is needed here"),
            )),
        }
    }

    fn evaluate(&self, id: Id, depth: usize) -> Result<Found, Refusal> {
        if depth > DEEPEST {
            let message = format!("conditions over givens nest {DEEPEST} levels deep at most");
            return Err(Box::new(self.wrong(id, &message)));
        }
        let depth = depth + 1;
        if let Head::Text(word) = self.terms.head(id) {
            return Ok(Found::Value(Value::Word(word)));
        }
        let checked = |value: Option<i64>| match value {
            Some(i) => Ok(Found::Value(Value::Int(i))),
            None => Err(Box::new(self.wrong(id, "this is no integer of 64 bits"))),
        };
        match expr(self.terms, id) {
            Some(Expr::Int(i)) => Ok(Found::Value(Value::Int(i))),
            Some(Expr::True) => Ok(Found::Truth(true)),
            Some(Expr::False) => Ok(Found::Truth(false)),
            Some(Expr::Name(name)) => match self.known.get(&name) {
                Some(&value) => Ok(Found::Value(value)),
                None => Err(Box::new(
                    not_given(name.as_str(), self.known).at(self.terms.span(id)),
                )),
            },
            Some(Expr::Not(condition)) => Ok(Found::Truth(!self.holds(condition, depth)?)),
            Some(Expr::Negate(value)) => checked(self.integer(value, depth)?.checked_neg()),
            Some(Expr::Binary { op, left, right }) => match op.kind() {
                // The second is looked at only if the first does not decide.
                Kind::Logic(logic) => {
                    let first = self.holds(left, depth)?;
                    Ok(Found::Truth(match logic.decided_by() == Some(first) {
                        true => first,
                        false => logic.holds(first, self.holds(right, depth)?),
                    }))
                }
                Kind::Comparison(comparison) => {
                    let sides = [self.value(left, depth)?, self.value(right, depth)?];
                    self.compared(id, comparison, sides).map(Found::Truth)
                }
                Kind::Arithmetic(arithmetic) => {
                    let (a, b) = (self.integer(left, depth)?, self.integer(right, depth)?);
                    if b == 0 && matches!(arithmetic, Arithmetic::Div | Arithmetic::Mod) {
                        return Err(Box::new(self.wrong(id, "this divides by 0")));
                    }
                    checked(match arithmetic {
                        Arithmetic::Plus => a.checked_add(b),
                        Arithmetic::Minus => a.checked_sub(b),
                        Arithmetic::Times => a.checked_mul(b),
                        Arithmetic::Div => a.checked_div(b),
                        Arithmetic::Mod => a.checked_rem(b),
                        Arithmetic::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                    })
                }
            },
            _ => {
                let message = "this is not known before anything is run";
                Err(Box::new(self.wrong(id, message).hint(
                    "conditions and bounds of GIVEN are made of givens, integers, words in quotes, + - * / MOD ^, comparisons, AND, OR and NOT",
                )))
            }
        }
    }

    fn value(&self, id: Id, depth: usize) -> Result<Value, Refusal> {
        match self.evaluate(id, depth)? {
            Found::Value(value) => Ok(value),
            Found::Truth(_) => Err(Box::new(self.wrong(id, "a condition cannot be compared"))),
        }
    }

    fn compared(&self, id: Id, comparison: Comparison, sides: [Value; 2]) -> Result<bool, Refusal> {
        let is_order = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        match sides {
            [Value::Int(a), Value::Int(b)] => Ok(comparison.holds(a, b)),
            [Value::Word(_), Value::Word(_)] if is_order => Err(Box::new(
                self.wrong(id, "words are equal or not, and in no order"),
            )),
            [Value::Word(a), Value::Word(b)] => Ok(comparison.holds(a.as_str(), b.as_str())),
            _ => Err(Box::new(
                self.wrong(id, "an integer and a word cannot be compared"),
            )),
        }
    }
}
