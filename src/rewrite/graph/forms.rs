//! What standard functors give on cells that are no literals.

use super::cells::{FALSE, SET, TRUE};
use super::engine::Engine;
use crate::rewrite::standard::table::Form;
use crate::term::Head;

impl Engine<'_> {
    /// What is known of a conjunction or a disjunction as soon as one of its parts is a truth
    /// value.
    pub(super) fn early(&self, cell: u32) -> Option<u32> {
        let functor = &self.functors.list[self.cells.functor(cell) as usize];
        let (neutral, strong) = match functor.form? {
            Form::And => (TRUE, FALSE),
            Form::Or => (FALSE, TRUE),
            Form::Equal | Form::NotEqual | Form::Never | Form::Before => return None,
        };
        let (a, b) = (self.cells.argument(cell, 0), self.cells.argument(cell, 1));
        let decided = |one: u32, other: u32| match self.cells.functor(one) {
            truth if truth == neutral => Some(other),
            truth if truth == strong => Some(one),
            _ => None,
        };
        decided(a, b).or_else(|| decided(b, a))
    }

    /// What a functor gives on arguments that are normal forms.
    pub(super) fn settled(&mut self, cell: u32) -> Option<u32> {
        let functor = &self.functors.list[self.cells.functor(cell) as usize];
        let form = functor.form?;
        let holds = match form {
            Form::And | Form::Or => return None,
            Form::Equal | Form::NotEqual => {
                let (a, b) = (self.cells.argument(cell, 0), self.cells.argument(cell, 1));
                let same = self.cells.equal(a, b);
                if !same && (self.has_variables(a) || self.has_variables(b)) {
                    return None;
                }
                same == (form == Form::Equal)
            }
            Form::Before => {
                let (a, b) = (self.cells.argument(cell, 0), self.cells.argument(cell, 1));
                if self.has_variables(a) || self.has_variables(b) {
                    return None;
                }
                self.cells.compare(&self.functors, a, b).is_lt()
            }
            Form::Never if self.is_variable(self.cells.argument(cell, 0)) => return None,
            Form::Never => false,
        };
        Some(self.cells.make(if holds { TRUE } else { FALSE }, &[]))
    }

    fn is_variable(&self, cell: u32) -> bool {
        let head = self.functors.list[self.cells.functor(cell) as usize].head;
        matches!(head, Head::Variable(_) | Head::Sequence(_))
    }

    /// Whether there are variables in a cell, which nothing binds.
    pub(super) fn has_variables(&self, cell: u32) -> bool {
        let mut work = vec![cell];
        while let Some(cell) = work.pop() {
            if self.is_variable(cell) {
                return true;
            }
            match self.cells.functor(cell) {
                SET => self.cells.elements(self.cells.argument(cell, 0), &mut work),
                _ => work.extend_from_slice(self.cells.arguments(cell)),
            }
        }
        false
    }
}
