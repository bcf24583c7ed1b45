//! Cells that an operator surely reads, so that they may be read before it.

use super::access::accesses;
use crate::algebra::{Construct, Expr, Operator, expr, operator};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};

/// The cells that an operator reads, of arrays that it does not write, whose subscripts hold this
/// variable and else only parameters and cells of the like. Only cells are given that are read
/// whatever happens, that are in range where such a one is, or that are so by the bounds of their
/// loop; of cells in each other's subscripts the outermost. Each once, in the order of the text.
pub fn cells_at(scheme: &Scheme, var: Symbol, body: Id) -> Vec<Id> {
    let terms = &scheme.terms;
    let set = accesses(scheme, body);
    let written: Vec<Symbol> = set.all.iter().filter(|a| a.write).map(|a| a.name).collect();
    let mut certain = Vec::new();
    surely_read(scheme, body, &mut certain);
    let mut found: Vec<Id> = Vec::new();
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        let fits = is_at(scheme, id, var, &written)
            && (certain.iter().any(|&c| in_range_with(scheme, id, c))
                || in_range_of_loop(scheme, id, var));
        if !fits {
            work.extend(terms.args(id).iter().rev());
        } else if !found.iter().any(|&f| terms.equal(f, id)) {
            found.push(id);
        }
    }
    found
}

/// Whether a term is a cell at a variable.
fn is_at(scheme: &Scheme, id: Id, var: Symbol, written: &[Symbol]) -> bool {
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
            _ => name == var,
        };
        if !fixed {
            return false;
        }
    }
    at
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

/// Whether a cell is in range by the bounds of the loop over its only subscript.
fn in_range_of_loop(scheme: &Scheme, cell: Id, var: Symbol) -> bool {
    let terms = &scheme.terms;
    let Some(Expr::Index {
        array,
        subscripts: &[at],
    }) = expr(terms, cell)
    else {
        return false;
    };
    let size = scheme.variable(array).and_then(|v| v.dims.first().copied());
    let (Some(size), true) = (size, terms.as_atom(at) == Some(var)) else {
        return false;
    };
    let bounds = terms
        .subterms(scheme.body)
        .find_map(|id| match operator(terms, id) {
            Some(Operator::For {
                var: v,
                from,
                to,
                step: None,
                ..
            }) if v == var => Some((from, to)),
            _ => None,
        });
    let Some((from, to)) = bounds else {
        return false;
    };
    let last = match expr(terms, to) {
        Some(Expr::Binary {
            op: Construct::Minus,
            left,
            right,
        }) => terms.equal(left, size) && terms.as_int(right) == Some(1),
        Some(Expr::Int(last)) => terms.as_int(size).is_some_and(|size| last < size),
        _ => false,
    };
    terms.as_int(from).is_some_and(|first| first >= 0) && last
}

/// Cells that are read whatever happens.
fn surely_read(scheme: &Scheme, id: Id, out: &mut Vec<Id>) {
    let terms = &scheme.terms;
    if let Some(operator) = operator(terms, id) {
        match operator {
            Operator::Then(parts) => parts.iter().for_each(|&p| surely_read(scheme, p, out)),
            Operator::If { condition, .. } => surely_read(scheme, condition, out),
            Operator::Local { value, .. } => surely_read(scheme, value, out),
            Operator::Assign { target, value } => {
                surely_read(scheme, value, out);
                surely_read(scheme, target, out);
            }
            _ => {}
        }
        return;
    }
    match expr(terms, id) {
        Some(Expr::Binary {
            op: Construct::And | Construct::Or,
            left,
            ..
        }) => surely_read(scheme, left, out),
        Some(Expr::Apply {
            function,
            arguments: &[condition, yes, no],
        }) if function.as_str() == "select" => {
            surely_read(scheme, condition, out);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            surely_read(scheme, yes, &mut first);
            surely_read(scheme, no, &mut second);
            // One of the two is read, so what is in range with both is in range.
            let both = |of: &[Id], with: &[Id]| -> Vec<Id> {
                let in_other = |&c: &Id| with.iter().any(|&w| in_range_with(scheme, c, w));
                of.iter().copied().filter(in_other).collect()
            };
            out.extend(both(&first, &second));
            out.extend(both(&second, &first));
        }
        Some(Expr::Index { subscripts, .. }) => {
            out.push(id);
            subscripts.iter().for_each(|&s| surely_read(scheme, s, out));
        }
        Some(Expr::Name(_)) | None => {}
        Some(_) => terms
            .args(id)
            .iter()
            .for_each(|&a| surely_read(scheme, a, out)),
    }
}
