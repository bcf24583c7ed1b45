//! The expressions of random schemes: bounds, subscripts, cells, numbers and predicates.

use super::maker::Maker;
use crate::algebra::Construct;
use crate::term::Id;

impl Maker<'_> {
    /// First and last value of a loop, and its step.
    pub(super) fn bounds(&mut self, steps: bool) -> Vec<Id> {
        let from = self.below(2);
        let low = self.terms.int(i64::from(from));
        let high = match self.below(5) {
            0..=2 if self.wishes.far => {
                let (k, less) = (self.atom("K"), self.terms.int(6));
                let twice = self.call(Construct::Plus, &[k, k]);
                self.call(Construct::Minus, &[twice, less])
            }
            0 | 1 if !self.wishes.open => self.terms.int(3),
            0..=3 => {
                let (k, one) = (self.atom("K"), self.terms.int(1));
                self.call(Construct::Minus, &[k, one])
            }
            _ => match self.loops.last() {
                Some(&outer) => self.terms.atom(outer),
                None => self.terms.int(4),
            },
        };
        if !steps {
            return vec![low, high];
        }
        let step = [1, 2, 3, -1, -2][self.below(5) as usize];
        let number = self.terms.int(step);
        match step > 0 {
            true => vec![low, high, number],
            false => vec![high, low, number],
        }
    }

    /// A subscript from 0 to 79, often with a cell of its own for each iteration.
    pub(super) fn subscript(&mut self) -> Id {
        let first = 20 + self.below(3);
        let mut sum = self.terms.int(i64::from(first));
        let own = self.below(3) < 2;
        for (i, var) in self.loops.clone().into_iter().rev().enumerate() {
            let factor = match own {
                true => [1, 6, 7][i.min(2)],
                false => [0, 1, 2, -1][self.below(4) as usize],
            };
            if factor != 0 {
                let parts = [self.terms.int(factor), self.terms.atom(var)];
                let product = self.call(Construct::Times, &parts);
                sum = self.call(Construct::Plus, &[sum, product]);
            }
        }
        sum
    }

    /// A subscript from 0 to 11.
    pub(super) fn small(&mut self) -> Id {
        let first = i64::from(self.below(4));
        let first = self.terms.int(first);
        match self.loops.len() {
            0 => first,
            some => {
                let at = self.below(some as u32) as usize;
                let var = self.terms.atom(self.loops[at]);
                self.call(Construct::Plus, &[var, first])
            }
        }
    }

    pub(super) fn cell(&mut self) -> Id {
        let name = ["a", "b", "c", "s"][self.below(4) as usize];
        let array = self.atom(name);
        match name {
            "s" if self.below(2) == 0 => array,
            "c" => {
                let parts = [array, self.small(), self.small()];
                self.call(Construct::Index, &parts)
            }
            _ => {
                let parts = [
                    self.atom(if name == "s" { "a" } else { name }),
                    self.subscript(),
                ];
                self.call(Construct::Index, &parts)
            }
        }
    }

    /// An expression of type REAL.
    pub(super) fn real(&mut self) -> Id {
        if let Some(wanted) = self.wanted_number() {
            return wanted;
        }
        let cell = self.cell();
        match (self.below(4), self.locals.last()) {
            (0, _) => cell,
            (1, Some(&local)) => {
                let local = self.terms.atom(local);
                self.call(Construct::Plus, &[cell, local])
            }
            (2, _) => {
                let other = self.cell();
                self.call(Construct::Minus, &[cell, other])
            }
            _ => {
                let half = self.terms.real(0.5);
                let product = self.call(Construct::Times, &[half, cell]);
                let one = self.terms.int(1);
                self.call(Construct::Plus, &[product, one])
            }
        }
    }

    /// An INTEGER that nothing assigns, at times computed.
    fn constant(&mut self) -> Id {
        let parameter = self.atom("K");
        match self.below(4) {
            0 => {
                let ten = self.terms.int(10);
                self.call(Construct::Div, &[ten, parameter])
            }
            _ => parameter,
        }
    }

    pub(super) fn condition(&mut self) -> Id {
        let construct = [Construct::Less, Construct::Equal, Construct::GreaterOrEqual];
        let construct = construct[self.below(3) as usize];
        let parts = match (self.below(2), self.loops.last().copied()) {
            _ if self.wishes.constants && self.below(4) > 0 => {
                let bound = i64::from(self.below(8));
                [self.constant(), self.terms.int(bound)]
            }
            (0, Some(var)) => {
                let bound = i64::from(self.below(4));
                [self.terms.atom(var), self.terms.int(bound)]
            }
            _ => [self.cell(), self.terms.real(0.5)],
        };
        self.call(construct, &parts)
    }
}
