//! Cells that may be read before an operator that reads them: wherever one is read too early or too
//! often, it must be in range, and hold a value.

use super::access::{Loop, accesses};
use super::affine::Reader;
use super::context::{Context, Outer, loops_around};
use super::filled::filled;
use super::form::Linear;
use super::linear::System;
use crate::algebra::{Binary, Expr, Operator, Signature, expr, operator, signature};
use crate::check::{Role, Scheme};
use crate::term::{Id, Path, Symbol};
use rustc_hash::FxHashSet;

/// A loop, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The position of the outermost loop of those that the question is about.
    pub path: &'a Path,
    /// The variable.
    pub var: Symbol,
    /// Its first value.
    pub from: Id,
    /// Its last value.
    pub to: Id,
}

/// The cells that an operator in a loop reads, of arrays that it does not write, whose subscripts hold
/// the loop's variable and else only parameters, variables of loops around the place, and cells of the
/// like, and that [`confined`] makes
/// readable for each value of the variable before the loop. Of cells in each other's subscripts the
/// outermost. Each once, in the order of the text.
pub fn cells_at(scheme: &Scheme, place: Place<'_>, body: Id) -> Vec<Id> {
    let range = Range::over(scheme, place);
    chosen(scheme, place, body, |cell| {
        range.subscripts(scheme, cell).is_some()
    })
}

/// What stands for the subscripts of a cell so that it may be read for each value of a loop's variable
/// before the loop: nothing for one that is in range for all of them, and the size, a number, for one
/// that is to be confined to the array. Nothing at all if that does not do: not all cells of the array
/// have values by then, or a subscript reads what may not be read.
pub fn confined(scheme: &Scheme, place: Place<'_>, cell: Id) -> Option<Vec<Option<i64>>> {
    Range::over(scheme, place).subscripts(scheme, cell)
}

/// The same of cells that may be read before the operator where it runs at least once: the operator
/// reads them whatever happens, or one cell of the same sizes at the same subscripts, and all cells of
/// the array have values before the loop.
pub fn surely_read_at(scheme: &Scheme, place: Place<'_>, body: Id) -> Vec<Id> {
    let mut certain = Vec::new();
    add_surely_read(scheme, place.path, body, &mut certain);
    chosen(scheme, place, body, |cell| {
        certain.iter().any(|&read| {
            scheme.terms.equal(read, cell)
                || in_range_with(scheme, cell, read) && is_filled(scheme, place.path, cell)
        })
    })
}

/// The cells at a variable that fit.
fn chosen(scheme: &Scheme, place: Place<'_>, body: Id, fits: impl Fn(Id) -> bool) -> Vec<Id> {
    let terms = &scheme.terms;
    let set = accesses(scheme, body);
    let written: Vec<Symbol> = set.all.iter().filter(|a| a.write).map(|a| a.name).collect();
    let around = loops_around(scheme, place.path);
    let mut found: Vec<Id> = Vec::new();
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        if !(is_at(scheme, id, place.var, &around, &written) && fits(id)) {
            work.extend(terms.args(id).iter().rev());
        } else if !found.iter().any(|&f| terms.equal(f, id)) {
            found.push(id);
        }
    }
    found
}

/// Whether a term is a cell at a variable.
fn is_at(
    scheme: &Scheme,
    id: Id,
    var: Symbol,
    around: &FxHashSet<Symbol>,
    written: &[Symbol],
) -> bool {
    let terms = &scheme.terms;
    if !matches!(expr(terms, id), Some(Expr::Index { .. })) {
        return false;
    }
    let mut at = false;
    for t in terms.subterms(id) {
        let Some(name) = terms.as_atom(t) else {
            continue;
        };
        let Some(variable) = scheme.variable(name) else {
            continue;
        };
        at |= name == var;
        let fixed = match variable.role {
            Role::Parameter { .. } => true,
            Role::Data { .. } | Role::Scoped => variable.is_array() && !written.contains(&name),
            _ => name == var || around.contains(&name),
        };
        if !fixed {
            return false;
        }
    }
    at
}

/// Whether all cells of a cell's array have values before a place.
fn is_filled(scheme: &Scheme, path: &Path, cell: Id) -> bool {
    match expr(&scheme.terms, cell) {
        Some(Expr::Index { array, .. }) => filled(scheme, path, array),
        _ => false,
    }
}

/// The values of a loop's variable, as a system.
struct Range<'a> {
    context: Context,
    path: &'a Path,
}

impl<'a> Range<'a> {
    fn over(scheme: &Scheme, place: Place<'a>) -> Range<'a> {
        let context = Context::at(scheme, place.path).within(Loop {
            var: place.var,
            from: place.from,
            to: place.to,
            step: None,
        });
        Range {
            context,
            path: place.path,
        }
    }

    /// See [`confined`].
    fn subscripts(&self, scheme: &Scheme, cell: Id) -> Option<Vec<Option<i64>>> {
        let terms = &scheme.terms;
        let Some(Expr::Index { array, subscripts }) = expr(terms, cell) else {
            return None;
        };
        let dims = &scheme.variable(array)?.dims;
        if subscripts.len() != dims.len() || !filled(scheme, self.path, array) {
            return None;
        }
        let confined = subscripts.iter().zip(dims).map(|(&subscript, &size)| {
            if is_inside(scheme, &self.context, subscript, size) {
                return Some(None);
            }
            let size = terms.as_int(size).filter(|&size| size > 0)?;
            self.is_computed(scheme, subscript).then_some(Some(size))
        });
        confined.collect()
    }

    /// Whether an integer expression has a value for all of the values: it is a cell that does, or
    /// a variable.
    fn is_computed(&self, scheme: &Scheme, e: Id) -> bool {
        match expr(&scheme.terms, e) {
            Some(Expr::Index { .. }) => self
                .subscripts(scheme, e)
                .is_some_and(|confined| confined.iter().all(Option::is_none)),
            Some(Expr::Name(_) | Expr::Int(_)) => true,
            _ => false,
        }
    }
}

/// Whether a subscript lies within a size wherever it is evaluated.
pub(super) fn is_inside(scheme: &Scheme, context: &Context, subscript: Id, size: Id) -> bool {
    let (mut variables, facts) = context.facts(scheme, false);
    let names = Outer(context);
    let mut reader = Reader::new(scheme, &mut variables, facts);
    let (Some(at), Some(size)) = (reader.read(subscript, &names), reader.read(size, &names)) else {
        return false;
    };
    let excluded = |low: &Linear, high: &Linear| {
        let mut outside: System = reader.facts.clone();
        outside.order_strictly(low, high);
        outside.is_impossible()
    };
    // Neither below 0 nor at the size or beyond it.
    excluded(&at, &Linear::constant(0)) && excluded(&size.plus(&at, -1), &Linear::constant(1))
}

/// Whether a cell is in range where another one is: the same cell, or one of an array of the same
/// sizes, with subscripts that are the same or numbers in range.
fn in_range_with(scheme: &Scheme, cell: Id, other: Id) -> bool {
    let terms = &scheme.terms;
    let (
        Some(Expr::Index {
            array: a,
            subscripts: p,
        }),
        Some(Expr::Index {
            array: b,
            subscripts: q,
        }),
    ) = (expr(terms, cell), expr(terms, other))
    else {
        return false;
    };
    let (Some(a), Some(b)) = (scheme.variable(a), scheme.variable(b)) else {
        return false;
    };
    if p.len() != q.len() || a.dims.len() != b.dims.len() {
        return false;
    }
    (0..p.len()).all(|k| {
        let size = terms.as_int(a.dims[k]);
        let number = terms.as_int(p[k]);
        let inside = matches!((number, size), (Some(n), Some(s)) if (0..s).contains(&n));
        inside || terms.equal(p[k], q[k]) && terms.equal(a.dims[k], b.dims[k])
    })
}

/// Cells that are read whatever happens, or might be: one is read that is in range with them, and
/// they hold values at `path`.
pub fn surely_read(scheme: &Scheme, path: &Path, id: Id) -> Vec<Id> {
    let mut cells = Vec::new();
    add_surely_read(scheme, path, id, &mut cells);
    cells
}

fn add_surely_read(scheme: &Scheme, path: &Path, id: Id, out: &mut Vec<Id>) {
    let terms = &scheme.terms;
    if let Some(operator) = operator(terms, id) {
        match operator {
            Operator::Then(parts) => {
                for &part in parts {
                    add_surely_read(scheme, path, part, out);
                }
            }
            Operator::If { condition, .. } => add_surely_read(scheme, path, condition, out),
            Operator::Local { value, .. } => add_surely_read(scheme, path, value, out),
            Operator::Assign { target, value } => {
                add_surely_read(scheme, path, value, out);
                add_surely_read(scheme, path, target, out);
            }
            _ => {}
        }
        return;
    }
    match expr(terms, id) {
        Some(Expr::Binary {
            op: Binary::And | Binary::Or,
            left,
            ..
        }) => add_surely_read(scheme, path, left, out),
        Some(Expr::Apply {
            function,
            arguments: &[condition, yes, no],
        }) if signature(function) == Some(Signature::Select) => {
            add_surely_read(scheme, path, condition, out);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            add_surely_read(scheme, path, yes, &mut first);
            add_surely_read(scheme, path, no, &mut second);
            // One of the two is read, so what is in range with both is in range.
            let both = |of: &[Id], with: &[Id]| -> Vec<Id> {
                let in_other = |&c: &Id| {
                    with.iter().any(|&w| {
                        terms.equal(c, w)
                            || in_range_with(scheme, c, w) && is_filled(scheme, path, c)
                    })
                };
                of.iter().copied().filter(in_other).collect()
            };
            out.extend(both(&first, &second));
            out.extend(both(&second, &first));
        }
        Some(Expr::Index { subscripts, .. }) => {
            out.push(id);
            for &subscript in subscripts {
                add_surely_read(scheme, path, subscript, out);
            }
        }
        Some(Expr::Name(_)) | None => {}
        Some(_) => {
            for &argument in terms.args(id) {
                add_surely_read(scheme, path, argument, out);
            }
        }
    }
}
