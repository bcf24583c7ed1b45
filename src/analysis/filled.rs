//! Scalars that have values where a part of a scheme stands, and arrays all of whose cells have.

use crate::algebra::{
    Binary, COMPONENTS, Expr, Extreme, Operator, Signature, Type, expr, operator, signature,
    simple_operators,
};
use crate::check::{Role, Scheme};
use crate::term::{Id, Path, Symbol, Terms};

/// Whether a scalar, or every cell of an array, has a value before the operator at a position: it is INPUT or has
/// values, or something before it on every way writes all of its cells, and nothing takes values away.
pub fn filled(scheme: &Scheme, path: &Path, array: Symbol) -> bool {
    filled_at(scheme, path, array, &[])
}

/// The same of those cells of an array that have certain variables as subscripts: a name for each dimension that
/// has one, of a parameter or of a loop around the position.
pub fn filled_at(scheme: &Scheme, path: &Path, array: Symbol, at: &[Option<Symbol>]) -> bool {
    let Some(variable) = scheme.variable(array) else {
        return false;
    };
    if let Role::Data { input, values, .. } = &variable.role
        && (*input || !values.is_empty())
    {
        return true;
    }
    let terms = &scheme.terms;
    let Some(spine) = path.spine(terms, scheme.root) else {
        return false;
    };
    let filling = Filling {
        scheme,
        array,
        dims: &variable.dims,
        ty: variable.ty,
        at,
        by_block: false,
    };
    path.0.iter().zip(&spine).any(|(&step, &id)| {
        let before = match operator(terms, id) {
            Some(Operator::Then(parts)) => &parts[..(step as usize).min(parts.len())],
            _ => &[],
        };
        let mut before = before.iter();
        before.any(|&part| filling.fills(part, &mut Vec::new()))
    })
}

/// Whether an operator surely writes a scalar, or all cells of an array, by a loop or a launch over each of its
/// dimensions whose body assigns the cell whatever happens.
pub fn fills(scheme: &Scheme, id: Id, array: Symbol) -> bool {
    let Some(variable) = scheme.variable(array) else {
        return false;
    };
    let filling = Filling {
        scheme,
        array,
        dims: &variable.dims,
        ty: variable.ty,
        at: &[],
        by_block: false,
    };
    filling.fills(id, &mut Vec::new())
}

#[derive(Clone, Copy)]
struct Filling<'a> {
    scheme: &'a Scheme,
    array: Symbol,
    dims: &'a [Id],
    ty: Type,
    /// The subscripts that are asked for, of dimensions of which not all are.
    at: &'a [Option<Symbol>],
    /// Whether a block of threads does what is looked at, so that what its first thread does is done.
    by_block: bool,
}

impl Filling<'_> {
    /// `over` are the variables that take all values from 0 to below a size, with that size.
    fn fills(&self, id: Id, over: &mut Vec<(Symbol, Id)>) -> bool {
        let terms = &self.scheme.terms;
        match operator(terms, id) {
            Some(Operator::Then(parts)) => {
                parts.iter().any(|&p| self.fills(p, over)) || self.components(parts, over)
            }
            Some(Operator::Timed(body) | Operator::Recorded(body)) => self.fills(body, over),
            Some(Operator::Array { body, .. }) => self.fills(body, over),
            Some(Operator::If { condition, yes, .. })
                if self.by_block && is_first_thread(terms, condition) =>
            {
                self.fills(yes, over)
            }
            Some(Operator::If { yes, no, .. }) => self.fills(yes, over) && self.fills(no, over),
            Some(Operator::Launch {
                blocks,
                threads,
                body,
            }) => match self.thread(blocks, threads, body) {
                // Each thread has a copy of a scalar.
                _ if self.dims.is_empty() => false,
                Some((of_thread, body)) => {
                    over.is_empty() && self.fills(body, &mut vec![of_thread])
                }
                None => self
                    .block(blocks, threads, body)
                    .is_some_and(|(of_block, parts)| {
                        let of_one = Filling {
                            by_block: true,
                            ..*self
                        };
                        let over = &mut vec![of_block];
                        parts.iter().any(|&part| of_one.fills(part, over))
                    }),
            },
            Some(
                Operator::For {
                    var,
                    from,
                    to,
                    step: None,
                    body,
                }
                | Operator::Parallel {
                    var,
                    from,
                    to,
                    body,
                    ..
                },
            ) => {
                let size = self.dims.iter().find(|&&d| self.is_last(to, d));
                match (terms.as_int(from), size) {
                    (Some(0), Some(&size)) => {
                        over.push((var, size));
                        let all = self.fills(body, over);
                        over.pop();
                        all
                    }
                    _ => false,
                }
            }
            Some(Operator::Assign { target, .. }) => self.is_cell(target, over),
            _ => false,
        }
    }

    /// Whether all components of the cell are assigned one after the other.
    fn components(&self, parts: &[Id], over: &[(Symbol, Id)]) -> bool {
        let terms = &self.scheme.terms;
        let assigned = |field: &str| {
            parts.iter().any(|&p| match operator(terms, p) {
                Some(Operator::Assign { target, .. }) => match expr(terms, target) {
                    Some(Expr::Field { vector, field: f }) => {
                        f.as_str() == field && self.is_cell(vector, over)
                    }
                    _ => false,
                },
                _ => false,
            })
        };
        let count = self.ty.components();
        count > 1 && COMPONENTS[..count].iter().all(|f| assigned(f))
    }

    /// Whether a place is the cell at these variables, one for each dimension.
    fn is_cell(&self, target: Id, over: &[(Symbol, Id)]) -> bool {
        let terms = &self.scheme.terms;
        let Some(Expr::Index { array, subscripts }) = expr(terms, target) else {
            return self.dims.is_empty() && terms.as_atom(target) == Some(self.array);
        };
        let at = |(k, (&subscript, &dim)): (usize, (&Id, &Id))| {
            let name = terms.as_atom(subscript);
            let asked = self.at.get(k).is_some_and(|at| at.is_some() && *at == name);
            asked
                || over
                    .iter()
                    .any(|&(var, size)| Some(var) == name && terms.equal(size, dim))
        };
        let each_once = (1..subscripts.len()).all(|k| {
            !subscripts[..k]
                .iter()
                .any(|&s| terms.equal(s, subscripts[k]))
        });
        array == self.array
            && subscripts.len() == self.dims.len()
            && each_once
            && subscripts.iter().zip(self.dims).enumerate().all(at)
    }

    /// Whether a bound is the last subscript of a dimension: one less than its size, both made of the same but for a number.
    fn is_last(&self, bound: Id, dim: Id) -> bool {
        let terms = &self.scheme.terms;
        let dim = extent(terms, dim);
        let ((last, less), (size, more)) = (with_number(terms, bound), with_number(terms, dim));
        let same = match (last, size) {
            (Some(last), Some(size)) => terms.equal(last, size),
            (None, None) => true,
            _ => false,
        };
        same && less.checked_add(1) == Some(more)
    }

    /// `LOCAL i := block; parts` in `size` blocks that have threads, as a launch with a block for each iteration has it:
    /// the variable with its size, and the parts.
    fn block(&self, blocks: Id, threads: Id, body: Id) -> Option<((Symbol, Id), &[Id])> {
        let terms = &self.scheme.terms;
        let Some(Operator::Then([first, parts @ ..])) = operator(terms, body) else {
            return None;
        };
        let Some(Operator::Local { name, value, .. }) = operator(terms, *first) else {
            return None;
        };
        let size = self.dims.iter().find(|&&d| terms.equal(blocks, d))?;
        let own = matches!(expr(terms, value), Some(Expr::BlockIndex));
        let some = terms.as_int(threads).is_some_and(|count| count > 0);
        (own && some).then_some(((name, *size), parts))
    }

    /// `LOCAL i := block * threads + thread; IF i <= last THEN body` in `ceil_div(size, threads)`
    /// blocks, as the launch of a loop has it: the variable with its size, and the body.
    fn thread(&self, blocks: Id, threads: Id, body: Id) -> Option<((Symbol, Id), Id)> {
        let terms = &self.scheme.terms;
        let Some(Operator::Then(&[local, guarded])) = operator(terms, body) else {
            return None;
        };
        let Some(Operator::Local { name, value, .. }) = operator(terms, local) else {
            return None;
        };
        let Some(Operator::If { condition, yes, no }) = operator(terms, guarded) else {
            return None;
        };
        let Some(Expr::Binary {
            op: Binary::LessOrEqual,
            left,
            right,
        }) = expr(terms, condition)
        else {
            return None;
        };
        let size = self.dims.iter().find(|&&d| self.is_last(right, d))?;
        let number = matches!(
            expr(terms, value),
            Some(Expr::Binary { op: Binary::Plus, left, right })
                if matches!(expr(terms, right), Some(Expr::ThreadIndex))
                    && matches!(expr(terms, left), Some(Expr::Binary { op: Binary::Times, left, right })
                        if matches!(expr(terms, left), Some(Expr::BlockIndex))
                            && matches!(expr(terms, right), Some(Expr::ThreadCount)))
        );
        let enough = matches!(
            expr(terms, blocks),
            Some(Expr::Apply { function, arguments: &[n, t] })
                if signature(function) == Some(Signature::CeilDiv) && terms.equal(n, extent(terms, *size)) && terms.equal(t, threads)
        );
        let empty = matches!(operator(terms, no), Some(Operator::Empty));
        let same = terms.as_atom(left) == Some(name);
        (number && enough && empty && same).then_some(((name, *size), yes))
    }
}

/// The size of a dimension without regard to that none is below 0: of `max(e, 0)`, e. Where that is below 0, a loop over
/// it is empty, as the array is.
pub fn extent(terms: &Terms, dim: Id) -> Id {
    match expr(terms, dim) {
        Some(Expr::Apply {
            function,
            arguments: &[size, least],
        }) if signature(function) == Some(Signature::Join(Extreme::Max))
            && terms.as_int(least) == Some(0) =>
        {
            size
        }
        _ => dim,
    }
}

/// An integer expression as one and a number that is added to it: a number alone, or what one is added to or taken from.
fn with_number(terms: &Terms, e: Id) -> (Option<Id>, i64) {
    if let Some(number) = terms.as_int(e) {
        return (None, number);
    }
    let Some(Expr::Binary { op, left, right }) = expr(terms, e) else {
        return (Some(e), 0);
    };
    match (op, terms.as_int(left), terms.as_int(right)) {
        (Binary::Plus, None, Some(number)) => (Some(left), number),
        (Binary::Plus, Some(number), None) => (Some(right), number),
        (Binary::Minus, None, Some(number)) => match number.checked_neg() {
            Some(number) => (Some(left), number),
            None => (Some(e), 0),
        },
        _ => (Some(e), 0),
    }
}

/// Whether a condition holds for the first thread of each block alone.
pub(super) fn is_first_thread(terms: &Terms, condition: Id) -> bool {
    matches!(
        expr(terms, condition),
        Some(Expr::Binary { op: Binary::Equal, left, right })
            if matches!(expr(terms, left), Some(Expr::ThreadIndex)) && terms.as_int(right) == Some(0)
    )
}

/// Whether an array may be copied from the device although some of its cells have no value there:
/// where it was not copied to it before on every way, nor wholly written by a launch.
pub fn copied_in_part(scheme: &Scheme, array: Symbol) -> bool {
    let mut found = false;
    whole_after(scheme, array, scheme.body, false, &mut found);
    found
}

/// Whether all cells of an array have values on the device after an operator, given whether they had
/// before it; notes copies from the device of arrays that have not.
fn whole_after(scheme: &Scheme, array: Symbol, id: Id, whole: bool, found: &mut bool) -> bool {
    let mut visit = |id: Id, whole: bool| whole_after(scheme, array, id, whole, found);
    match operator(&scheme.terms, id) {
        Some(Operator::Then(parts)) => parts.iter().fold(whole, |whole, &p| visit(p, whole)),
        Some(Operator::Timed(body) | Operator::Recorded(body) | Operator::Array { body, .. }) => {
            visit(body, whole)
        }
        Some(Operator::If { yes, no, .. }) => visit(yes, whole) & visit(no, whole),
        Some(
            Operator::For { body, .. }
            | Operator::While { body, .. }
            | Operator::Parallel { body, .. },
        ) => {
            visit(body, whole);
            whole
        }
        // Nothing is known of the order of its branches.
        Some(Operator::Async(parts)) => {
            parts.iter().for_each(|&p| {
                visit(p, false);
            });
            whole
        }
        Some(Operator::Launch { .. }) => whole || fills(scheme, id, array),
        Some(Operator::CopyToDevice(name)) if name == array => true,
        Some(Operator::Allocate(name)) if name == array => false,
        Some(Operator::CopyFromDevice(name)) if name == array => {
            *found |= !whole;
            whole
        }
        Some(simple_operators!()) | None => whole,
    }
}
