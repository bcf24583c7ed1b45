//! How much loops do, as far as their bounds tell, in expressions that a program computes when it runs.

use super::super::host::decided;
use super::super::simplify::simplify;
use super::call::{Call, facts, functions};
use super::constants::is_computable;
use super::{Fact, Function};
use crate::algebra::{
    Binary, Construct, Expr, Extreme, Operator, Signature, Type, build, expr, names, operator,
    signature,
};
use crate::analysis;
use crate::check::{Scheme, is_over_parameters};
use crate::rewrite::{Answer, substitute};
use crate::term::{Id, Symbol, Terms};

/// Where a program asks, no more iterations than these are few: a loop that only adds takes the host about as long for
/// them as a launch and what it takes to get its result back, some 50 microseconds.
pub(super) const FEW_ASKED: i64 = 32_768;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        few_asked "a choice around says that what stands there has 32,768 iterations at most";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        iterations_inside "A: how often the first loop in A goes round, as an INTEGER64, whose bounds are parameters and numbers, one of which may be added or subtracted";
        iterations_in_all "A: about how many iterations its innermost loops have in all, a REAL64, if bounds are made of parameters, numbers and the variables of loops around by sums, differences, min and max";
        count_of_parts "P, n, length: P parts, or with n > 0 as many as length holds runs of n, if that is over parameters and nothing but an overflow could stop it";
        room_of_parts "P, n, length: the same, and none where length is below 0";
        run_of_part "P, n, length: how many of length iterations such a part has";
    ]
}

fn count_of_parts(call: &mut Call<'_>, parts: Id, run: Id, length: Id) -> Result<Id, String> {
    if call.terms.as_int(run) == Some(0) {
        return Ok(parts);
    }
    let own = call.own(length);
    let scheme = call.scheme();
    // They are counted where the loop around may be empty.
    let known =
        is_over_parameters(&scheme.terms, &scheme.variables, own) && is_computable(scheme, own);
    match known {
        true => Ok(build(call.terms, Construct::Div.symbol(), &[length, run])),
        false => Err("how many parts there are is not known before the loops".into()),
    }
}

fn room_of_parts(call: &mut Call<'_>, parts: Id, run: Id, length: Id) -> Result<Id, String> {
    let count = count_of_parts(call, parts, run, length)?;
    if count == parts {
        return Ok(parts);
    }
    let terms = &mut *call.terms;
    let (max, none) = (terms.atom(Symbol::new("max")), terms.int(0));
    Ok(build(terms, Construct::Apply.symbol(), &[max, count, none]))
}

fn run_of_part(call: &mut Call<'_>, parts: Id, run: Id, length: Id) -> Id {
    match call.terms.as_int(run) {
        Some(0) => build(call.terms, Construct::Div.symbol(), &[length, parts]),
        _ => run,
    }
}

fn iterations_inside(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let bound = |terms: &mut Terms, scheme: &Scheme, e: Id| -> Option<Id> {
        let (of, added) = match expr(terms, e)? {
            Expr::Binary {
                op: Binary::Plus | Binary::Minus,
                left,
                right,
            } => (left, Some(right).filter(|&r| terms.as_int(r).is_some())),
            _ => (e, Some(e)),
        };
        added?;
        let known = match expr(terms, of)? {
            Expr::Int(_) => return (of == e).then_some(e),
            // In 64 bits the bounds of an INTEGER, and their difference, are never out of range.
            Expr::Name(name) => {
                let var = scheme.variable(name);
                analysis::is_parameter(scheme, name) && var.is_some_and(|v| v.ty == Type::I32)
            }
            _ => false,
        };
        let int64 = terms.atom(Symbol::new("int64"));
        let wide = build(terms, Construct::Apply.symbol(), &[int64, of]);
        known.then(|| substitute(terms, e, of, wide))
    };
    let all: Vec<Id> = call.terms.subterms(body).collect();
    for id in all {
        let Some(Operator::For {
            from,
            to,
            step: None,
            ..
        }) = operator(call.terms, id)
        else {
            continue;
        };
        let (terms, scheme) = (&mut *call.terms, &call.host.scheme);
        if let Some((from, to)) = bound(terms, scheme, from).zip(bound(terms, scheme, to)) {
            let one = terms.int(1);
            let last = build(terms, Construct::Plus.symbol(), &[to, one]);
            return Ok(match terms.as_int(from) {
                Some(0) => last,
                _ => build(terms, Construct::Minus.symbol(), &[last, from]),
            });
        }
    }
    Err("there is no loop in it with bounds of parameters".into())
}

fn iterations_in_all(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    match iterations(&call.host.scheme, call.terms, body) {
        Some(Some(all)) if call.terms.as_real(all).is_none() => Ok(all),
        Some(Some(_)) => Err("their number is known".into()),
        Some(None) => Err("there is no loop in it".into()),
        None => Err("a loop in it has other bounds".into()),
    }
}

fn few_asked(call: &mut Call<'_>) -> Answer {
    decided(
        has_few_iterations(call),
        "a choice around says that it has few iterations",
        "no choice around says that it has few iterations",
    )
}

/// Whether a condition around, such as `much_work` makes, says that what is looked at has few iterations.
pub(super) fn has_few_iterations(call: &Call<'_>) -> bool {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let spine = call.spine();
    spine.windows(2).any(|way| {
        let Some(Operator::If { condition, yes, no }) = operator(terms, way[0]) else {
            return false;
        };
        let Some(Expr::Binary {
            op: Binary::Less,
            left,
            right,
        }) = expr(terms, condition)
        else {
            return false;
        };
        let few = terms.as_int(left).is_some_and(|k| k <= FEW_ASKED);
        if way[1] != no || yes == no || !few {
            return false;
        }
        let mut scratch = terms.clone();
        let Some(Some(all)) = iterations(scheme, &mut scratch, no) else {
            return false;
        };
        let all = simplify(scheme, &mut scratch, all);
        scratch.equal(all, right)
    })
}

/// The iterations of all innermost loops in an operator, as [`Work::inside`] has them.
fn iterations(scheme: &Scheme, terms: &mut Terms, id: Id) -> Option<Option<Id>> {
    let loops = Vec::new();
    Work {
        scheme,
        terms,
        loops,
    }
    .inside(id)
}

/// The work of operators. A variable of a loop is taken for whichever of its ends makes more iterations.
struct Work<'a> {
    scheme: &'a Scheme,
    terms: &'a mut Terms,
    loops: Vec<Around>,
}

/// A loop around.
struct Around {
    var: Symbol,
    /// The ends of what its variable may be.
    least: Value,
    most: Value,
    /// About how many iterations it has of which the inner loop has some.
    count: Id,
}

/// A REAL64 of the program's, if there is one, and a number.
#[derive(Clone, Copy)]
struct Value {
    of: Option<Id>,
    added: i64,
}

impl Work<'_> {
    /// The iterations of innermost loops in an operator: nothing where there is no loop, or `None` where bounds
    /// are others.
    fn inside(&mut self, id: Id) -> Option<Option<Id>> {
        match operator(self.terms, id)? {
            Operator::Then(parts) => {
                let parts = parts.to_vec();
                parts.into_iter().try_fold(None, |sum, part| {
                    let more = self.inside(part)?;
                    Some(self.sum(sum, more))
                })
            }
            Operator::If { yes, no, .. } => {
                // Rules put choices between two copies of a loop around others.
                match (self.inside(yes)?, self.inside(no)?) {
                    (Some(a), Some(b)) if self.terms.equal(a, b) => Some(Some(a)),
                    (yes, no) => Some(self.sum(yes, no)),
                }
            }
            Operator::Array { body, .. } => self.inside(body),
            Operator::For {
                var,
                from,
                to,
                step: None,
                body,
            } => {
                let (least, most) = (self.end(from, false)?, self.end(to, true)?);
                // Where it has none, an iteration of the loop around is one, too.
                let fewest = i64::from(!self.loops.is_empty());
                let count = self.count(least, most, fewest)?;
                let triangle = self.triangle(from, count);
                self.loops.push(Around {
                    var,
                    least,
                    most,
                    count,
                });
                let inside = self.inside(body);
                self.loops.pop();
                let all = match inside? {
                    Some(inside) => inside,
                    None => {
                        let around: Vec<Id> = self.loops.iter().map(|l| l.count).collect();
                        let product = |all, next| self.computed(Construct::Times, all, next);
                        around.into_iter().chain([count]).reduce(product)?
                    }
                };
                if let Some((outer, whole)) = triangle {
                    self.loops[outer].count = whole;
                }
                Some(Some(all))
            }
            Operator::Empty
            | Operator::Assign { .. }
            | Operator::Atomic { .. }
            | Operator::Local { .. } => Some(None),
            _ => None,
        }
    }

    /// Where a loop starts at the variable of a loop around, that one has no more iterations with some in the inner
    /// one than the inner one has at most, and half of these in the middle: its place, and how many it had.
    fn triangle(&mut self, from: Id, count: Id) -> Option<(usize, Id)> {
        let names: Vec<Symbol> = names(self.terms, from).collect();
        let outer = self.loops.iter().rposition(|l| names.contains(&l.var))?;
        let whole = self.loops[outer].count;
        let some = match (self.terms.as_real(whole), self.terms.as_real(count)) {
            (Some(a), Some(b)) => self.terms.real(a.min(b)),
            _ => self.applied("min", &[whole, count]),
        };
        let half = self.terms.real(0.5);
        let cut = self.computed(Construct::Times, half, some);
        self.loops[outer].count = cut;
        Some((outer, whole))
    }

    fn sum(&mut self, a: Option<Id>, b: Option<Id>) -> Option<Id> {
        self.both(Construct::Plus, a, b)
    }

    fn both(&mut self, op: Construct, a: Option<Id>, b: Option<Id>) -> Option<Id> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.computed(op, a, b)),
            _ => a.or(b),
        }
    }

    /// A sum or product, of numbers at once.
    fn computed(&mut self, op: Construct, a: Id, b: Id) -> Id {
        match (self.terms.as_real(a), self.terms.as_real(b), op) {
            (Some(a), Some(b), Construct::Plus) => self.terms.real(a + b),
            (Some(a), Some(b), Construct::Times) => self.terms.real(a * b),
            _ => build(self.terms, op.symbol(), &[a, b]),
        }
    }

    /// How many integers there are from one value to another, and no fewer than so many.
    fn count(&mut self, least: Value, most: Value, fewest: i64) -> Option<Id> {
        let between = self.difference(most, least)?;
        let count = Value {
            added: between.added.checked_add(1)?,
            ..between
        };
        Some(match count.of {
            None => self.terms.real(count.added.max(fewest) as f64),
            Some(_) => {
                let (count, fewest) = (self.text(count), self.terms.int(fewest));
                self.applied("max", &[count, fewest])
            }
        })
    }

    /// The least or the greatest value of an expression.
    fn end(&mut self, e: Id, greatest: bool) -> Option<Value> {
        match expr(self.terms, e)? {
            Expr::Int(added) => Some(Value { of: None, added }),
            Expr::Name(name) => {
                if let Some(outer) = self.loops.iter().rev().find(|l| l.var == name) {
                    return Some(if greatest { outer.most } else { outer.least });
                }
                analysis::is_parameter(self.scheme, name).then(|| Value {
                    of: Some(self.applied("real64", &[e])),
                    added: 0,
                })
            }
            Expr::Binary {
                op: Binary::Plus,
                left,
                right,
            } => {
                let (a, b) = (self.end(left, greatest)?, self.end(right, greatest)?);
                Some(Value {
                    of: self.both(Construct::Plus, a.of, b.of),
                    added: a.added.checked_add(b.added)?,
                })
            }
            Expr::Binary {
                op: Binary::Minus,
                left,
                right,
            } => {
                let (a, b) = (self.end(left, greatest)?, self.end(right, !greatest)?);
                self.difference(a, b)
            }
            // How many cells a nest has that became one loop.
            Expr::Binary {
                op: Binary::Times,
                left,
                right,
            } if self.is_of_parameters(e) => {
                let (a, b) = (self.end(left, greatest)?, self.end(right, greatest)?);
                if let (None, None) = (a.of, b.of) {
                    let added = a.added.checked_mul(b.added)?;
                    return Some(Value { of: None, added });
                }
                let (a, b) = (self.text(a), self.text(b));
                Some(Value {
                    of: Some(self.computed(Construct::Times, a, b)),
                    added: 0,
                })
            }
            Expr::Apply {
                function,
                arguments: &[of],
            } if signature(function) == Some(Signature::Int64) => self.end(of, greatest),
            Expr::Apply {
                function,
                arguments: &[left, right],
            } => {
                let Some(Signature::Join(extreme)) = signature(function) else {
                    return None;
                };
                let (a, b) = (self.end(left, greatest)?, self.end(right, greatest)?);
                let (function, number) = match extreme {
                    Extreme::Min => ("min", a.added.min(b.added)),
                    Extreme::Max => ("max", a.added.max(b.added)),
                };
                if a.of.is_none() && b.of.is_none() {
                    return Some(Value {
                        of: None,
                        added: number,
                    });
                }
                let (a, b) = (self.text(a), self.text(b));
                Some(Value {
                    of: Some(self.applied(function, &[a, b])),
                    added: 0,
                })
            }
            _ => None,
        }
    }

    /// Whether an expression names no variable of a loop around.
    fn is_of_parameters(&self, e: Id) -> bool {
        let mut names = names(self.terms, e);
        names.all(|name| self.loops.iter().all(|outer| outer.var != name))
    }

    fn difference(&mut self, a: Value, b: Value) -> Option<Value> {
        let of = match (a.of, b.of) {
            (a, None) => a,
            (None, Some(b)) => Some(build(self.terms, Construct::Negate.symbol(), &[b])),
            (Some(a), Some(b)) => Some(build(self.terms, Construct::Minus.symbol(), &[a, b])),
        };
        Some(Value {
            of,
            added: a.added.checked_sub(b.added)?,
        })
    }

    fn text(&mut self, value: Value) -> Id {
        let (op, number) = match value.added {
            k if k < 0 => (Construct::Minus, k.saturating_neg()),
            k => (Construct::Plus, k),
        };
        let number = self.terms.int(number);
        match value.of {
            None => self.terms.int(value.added),
            Some(of) if value.added == 0 => of,
            Some(of) => build(self.terms, op.symbol(), &[of, number]),
        }
    }

    fn applied(&mut self, function: &str, arguments: &[Id]) -> Id {
        let mut all = vec![self.terms.atom(Symbol::new(function))];
        all.extend(arguments);
        build(self.terms, Construct::Apply.symbol(), &all)
    }
}
