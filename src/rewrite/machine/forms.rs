//! What standard functors give on cells that are no literals.

use super::heap::{FALSE, TRUE};
use super::run::Machine;
use crate::rewrite::standard::table::Form;
use crate::term::Head;

impl Machine<'_> {
    /// The cell that a standard functor of the table of forms gives on the arguments in the first registers.
    pub(super) fn form(&mut self, functor: u32) -> Option<u32> {
        let known = &self.program.functors[functor as usize];
        let form = known.form.filter(|_| known.candidates.is_empty())?;
        match (form, &self.registers[..known.arity]) {
            (Form::Equal | Form::NotEqual, &[a, b]) => {
                let same = self.same(a, b);
                if !same && (self.has_variables(a) || self.has_variables(b)) {
                    return None;
                }
                let holds = same == (form == Form::Equal);
                Some(self.heap.make(if holds { TRUE } else { FALSE }, &[]))
            }
            (Form::And, &[a, b]) => self.joined(a, b, TRUE, FALSE),
            (Form::Or, &[a, b]) => self.joined(a, b, FALSE, TRUE),
            (Form::Never, &[a]) => {
                let free = matches!(self.head(a), Head::Variable(_) | Head::Sequence(_));
                (!free).then(|| self.heap.make(FALSE, &[]))
            }
            _ => None,
        }
    }

    /// Of two cells, the one that a truth value leaves.
    fn joined(&self, a: u32, b: u32, neutral: u32, strong: u32) -> Option<u32> {
        let decided = |one: u32, other: u32| match self.heap.functor(one) {
            truth if truth == neutral => Some(other),
            truth if truth == strong => Some(one),
            _ => None,
        };
        decided(a, b).or_else(|| decided(b, a))
    }

    fn head(&self, at: u32) -> Head {
        self.program.functors[self.heap.functor(at) as usize].head
    }

    /// Whether there are variables in a cell, which nothing binds.
    fn has_variables(&self, at: u32) -> bool {
        let mut work = vec![at];
        while let Some(at) = work.pop() {
            if matches!(self.head(at), Head::Variable(_) | Head::Sequence(_)) {
                return true;
            }
            work.extend_from_slice(self.heap.arguments(self.program, at));
        }
        false
    }
}
