//! Launches of random schemes that read vectors and numbers of the same subscript.

use super::maker::Maker;
use crate::algebra::Construct;
use crate::term::Id;

impl Maker<'_> {
    fn at(&mut self, array: Id, at: Id) -> Id {
        self.call(Construct::Index, &[array, at])
    }

    fn component(&mut self, vector: Id, field: &str) -> Id {
        let field = self.atom(field);
        self.call(Construct::Field, &[vector, field])
    }

    /// `to[thread] := to[thread] + (number * norm2(vector) - other.z)`, for the cells of two arrays at subscripts.
    fn reads(&mut self, to: &str, vectors: Id, numbers: Id, subscripts: [Id; 3]) -> Id {
        let thread = self.call(Construct::ThreadIndex, &[]);
        let vector = self.at(vectors, subscripts[0]);
        let number = self.at(numbers, subscripts[1]);
        let other = self.at(vectors, subscripts[2]);
        let other = self.component(other, "z");
        let norm = self.atom("norm2");
        let length = self.call(Construct::Apply, &[norm, vector]);
        let product = self.call(Construct::Times, &[number, length]);
        let added = self.call(Construct::Minus, &[product, other]);
        let to = self.atom(to);
        let own = self.at(to, thread);
        let sum = self.call(Construct::Plus, &[own, added]);
        self.call(Construct::Assign, &[own, sum])
    }

    /// Subscripts of three cells: the variable of a loop, or the thread.
    fn three(&mut self, var: Id) -> [Id; 3] {
        let thread = self.call(Construct::ThreadIndex, &[]);
        [(); 3].map(|()| [var, var, thread][self.below(3) as usize])
    }

    /// A launch whose threads read cells of vectors and numbers in a loop.
    pub(super) fn reading_launch(&mut self) -> Vec<Id> {
        let var = self.fresh("j");
        let j = self.terms.atom(var);
        let subscripts = self.three(j);
        let numbers = ["p", "n"][self.below(2) as usize];
        let [vectors, numbers] = ["v", numbers].map(|name| self.atom(name));
        // Where the launch writes one of them, nothing is done.
        let to = ["b", "b", "b", "p"][self.below(4) as usize];
        let body = self.reads(to, vectors, numbers, subscripts);
        let bounds = self.bounds(false);
        let body = self.call(Construct::ForLoop, &[j, bounds[0], bounds[1], body]);
        let count = i64::from(1 + self.below(4));
        vec![self.terms.int(1), self.terms.int(count), body]
    }

    /// A launch whose threads share vectors and numbers, and read them in a loop.
    pub(super) fn sharing_launch(&mut self) -> Id {
        let (first, second, var) = (self.fresh("x"), self.fresh("x"), self.fresh("j"));
        let [vectors, numbers, j] = [first, second, var].map(|name| self.terms.atom(name));
        let thread = self.call(Construct::ThreadIndex, &[]);
        let ty = ["REAL", "INTEGER"][self.below(2) as usize];
        let size = self.terms.int(4);
        let [mut shared, mut filled] = [Vec::new(), Vec::new()];
        for (name, ty) in [(vectors, "VECTOR"), (numbers, ty)] {
            let ty = self.atom(ty);
            shared.push(self.call(Construct::Shared, &[name, ty, size]));
        }
        let from = self.atom("v");
        let own = self.at(from, thread);
        let value = match self.below(4) {
            0 => {
                let name = self.fresh("w");
                filled.push(self.local(name, "VECTOR", own));
                self.terms.atom(name)
            }
            1 => {
                let parts = [
                    self.atom("vector"),
                    self.real(),
                    self.terms.int(2),
                    self.real(),
                ];
                self.call(Construct::Apply, &parts)
            }
            // A sum has no components to be assigned.
            2 => self.call(Construct::Plus, &[own, own]),
            _ => own,
        };
        let to = self.at(vectors, thread);
        filled.push(self.call(Construct::Assign, &[to, value]));
        if self.below(2) == 0 {
            let (part, value) = (self.component(to, "y"), self.real());
            filled.push(self.call(Construct::Assign, &[part, value]));
        }
        let from = self.atom(if ty == "REAL" { "p" } else { "n" });
        let (to, value) = (self.at(numbers, thread), self.at(from, thread));
        filled.push(self.call(Construct::Assign, &[to, value]));
        if self.below(2) == 0 {
            shared.reverse();
        }
        let threads = i64::from(1 + self.below(4));
        let subscripts = self.three(j);
        let read = self.reads("b", vectors, numbers, subscripts);
        let (low, high) = (self.terms.int(0), self.terms.int(threads - 1));
        let barrier = self.call(Construct::Barrier, &[]);
        let read = self.call(Construct::ForLoop, &[j, low, high, read]);
        let body = [shared, filled, vec![barrier, read]].concat();
        let body = self.call(Construct::Then, &body);
        let (one, threads) = (self.terms.int(1), self.terms.int(threads));
        self.call(Construct::Launch, &[one, threads, body])
    }
}
