//! Cells as a search sees them: by the names of functors, with a set's elements as arguments.

use super::cells::{Cells, INT, REAL, SET, TEXT};
use super::functors::Functors;
use crate::rewrite::evaluate::Value;
use crate::term::{Head, Symbol};

/// The cells in which a search looks.
pub(super) struct Place<'c> {
    pub(super) cells: &'c mut Cells,
    pub(super) functors: &'c mut Functors,
}

/// Whether a cell is a literal.
pub(super) fn is_literal(cells: &Cells, head: Head, cell: u32) -> bool {
    if !matches!(cells.functor(cell), INT | REAL | TEXT) {
        return false;
    }
    match (head, cells.value(cell)) {
        (Head::Int(a), Some(Value::Int(b))) => a == b,
        (Head::Real(a), Some(Value::Real(b))) => a.to_bits() == b.to_bits(),
        (Head::Text(a), Some(Value::Text(b))) => a == b,
        _ => false,
    }
}

/// The functor of a cell that has one, and the number of its arguments.
pub(super) fn head(place: &Place<'_>, cell: u32) -> Option<(Symbol, u32)> {
    let functor = place.cells.functor(cell);
    let known = &place.functors.list[functor as usize];
    match known.head {
        Head::Functor(name) if functor == SET => {
            Some((name, place.cells.size(place.cells.argument(cell, 0))))
        }
        Head::Functor(name) => Some((name, known.arity as u32)),
        _ => None,
    }
}

/// A cell whose arguments are those of another one, the elements where that is a set.
pub(super) fn open(place: &mut Place<'_>, cell: u32) -> u32 {
    if place.cells.functor(cell) != SET {
        return cell;
    }
    let mut elements = Vec::new();
    let tree = place.cells.argument(cell, 0);
    place.cells.elements(tree, &mut elements);
    sequence(place, &elements)
}

/// Makes a cell of a functor by its name.
pub(super) fn make(place: &mut Place<'_>, name: Symbol, arguments: &[u32]) -> u32 {
    let functor = place
        .functors
        .number(place.cells, Head::Functor(name), arguments.len());
    place.cells.make(functor, arguments)
}

/// A cell that holds the terms of a sequence variable.
pub(super) fn sequence(place: &mut Place<'_>, terms: &[u32]) -> u32 {
    let functor = place.functors.sequence(place.cells, terms.len());
    place.cells.make(functor, terms)
}
