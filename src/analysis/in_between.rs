//! A cell and the operators between two places where it is reached: whether it could be kept elsewhere
//! meanwhile.

use super::Answer;
use super::access::{accesses, names_in};
use super::simple::root_name;
use crate::algebra::{Expr, Operator, expr, loop_variable, operator};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

/// Whether operators reach the cell `cell` nowhere: not its array. They do not wait either, so that nobody
/// else reaches it after some of them and before others.
pub fn only_access(scheme: &Scheme, cell: Id, operators: &[Id]) -> Answer {
    let Some(name) = root_name(scheme, cell) else {
        return Answer::unknown(format!("{} is not a cell", super::text(scheme, cell)));
    };
    let terms = &scheme.terms;
    for &op in operators {
        let set = accesses(scheme, op);
        if let Some(access) = set.all.iter().find(|a| a.name == name) {
            return Answer::No(
                format!("{} is reached in between", access.text(scheme)),
                vec![(access.span(scheme), "reached here".into())],
            );
        }
        let meets = terms.subterms(op).find(|&id| lets_others_on(scheme, id));
        if let Some(id) = meets {
            return Answer::No(
                "others may reach it meanwhile".into(),
                vec![(terms.span(id), "they may go on here".into())],
            );
        }
        let moved = changed_subscript(scheme, cell, op);
        if !moved.is_yes() {
            return moved;
        }
    }
    Answer::proved(format!(
        "nothing else reaches {} in between",
        super::text(scheme, cell)
    ))
}

/// Whether operators reach of the array of a cell this cell alone, and a loop among them assigns it. They are
/// assignments, LOCALs, choices and loops, which nobody else sees before all are done.
pub fn kept_to(scheme: &Scheme, cell: Id, operators: &[Id]) -> Answer {
    let terms = &scheme.terms;
    let Some(name) = root_name(scheme, cell) else {
        return Answer::unknown(format!("{} is not a cell", super::text(scheme, cell)));
    };
    let mut assigned = false;
    for &op in operators {
        let seen = terms.subterms(op).find(|&id| is_seen(scheme, id));
        if let Some(id) = seen {
            return Answer::No(
                "others may look at it meanwhile".into(),
                vec![(terms.span(id), "they may here".into())],
            );
        }
        let set = accesses(scheme, op);
        let elsewhere = set.all.iter().find(|access| {
            access.name == name && !whole(scheme, access.id).is_some_and(|id| terms.equal(id, cell))
        });
        if let Some(access) = elsewhere {
            return Answer::No(
                format!("{} may be another cell, or the same", access.text(scheme)),
                vec![(access.span(scheme), "reached here".into())],
            );
        }
        let moved = changed_subscript(scheme, cell, op);
        if !moved.is_yes() {
            return moved;
        }
        let in_loop = loop_variable(terms, op).is_some();
        assigned |= in_loop && set.all.iter().any(|a| a.write && a.name == name);
    }
    match assigned {
        true => Answer::proved(format!(
            "{} is the only cell of its array that they reach",
            super::text(scheme, cell)
        )),
        false => Answer::no("no loop assigns the cell"),
    }
}

/// The cell of a term that is one, or a component of one.
fn whole(scheme: &Scheme, id: Id) -> Option<Id> {
    match expr(&scheme.terms, id)? {
        Expr::Index { .. } => Some(id),
        Expr::Field { vector, .. } => whole(scheme, vector),
        _ => None,
    }
}

/// Whether an operator lets others go on that waited for it, or waits for others.
fn lets_others_on(scheme: &Scheme, id: Id) -> bool {
    matches!(
        operator(&scheme.terms, id),
        Some(
            Operator::Wait(_)
                | Operator::ControlPoint(_)
                | Operator::Barrier
                | Operator::Exchange(..)
                | Operator::Call { .. }
        )
    )
}

/// Whether an operator may let others see what was done before it, or does more than compute.
fn is_seen(scheme: &Scheme, id: Id) -> bool {
    operator(&scheme.terms, id).is_some_and(|operator| {
        !matches!(
            operator,
            Operator::Then(_)
                | Operator::Assign { .. }
                | Operator::Local { .. }
                | Operator::If { .. }
                | Operator::For { .. }
                | Operator::While { .. }
                | Operator::Array { .. }
                | Operator::Empty
        )
    })
}

/// Whether an operator leaves the subscripts of a cell as they are, and their names.
fn changed_subscript(scheme: &Scheme, cell: Id, op: Id) -> Answer {
    let set = accesses(scheme, op);
    if let Some(unknown) = set.unknown {
        return Answer::unknown(format!(
            "what {} does is not known",
            super::text(scheme, unknown)
        ));
    }
    let subscripts: FxHashSet<Symbol> = names_in(scheme, cell);
    if !subscripts.is_disjoint(&set.own) {
        return Answer::no(format!(
            "a subscript of {} is declared in between",
            super::text(scheme, cell)
        ));
    }
    let root = root_name(scheme, cell);
    let changes = |name: Symbol| subscripts.contains(&name) && Some(name) != root;
    match set.all.iter().find(|a| a.write && changes(a.name)) {
        Some(write) => Answer::No(
            format!(
                "{} is written, which a subscript of {} reads",
                author_name(write.name),
                super::text(scheme, cell)
            ),
            vec![(write.span(scheme), "written here".into())],
        ),
        None => Answer::proved("its subscripts stay as they are"),
    }
}
