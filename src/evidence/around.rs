//! What random schemes have around a rule's pattern: loops, and LOCALs that it assigns.

use super::maker::Maker;
use crate::algebra::{Construct, Sort};
use crate::term::Id;

impl Maker<'_> {
    /// A pattern of an assignment to a scalar, which it reads, in a loop.
    pub(super) fn added(&mut self, pattern: Id) -> Id {
        let var = self.fresh("i");
        let bounds = self.bounds(false);
        self.loops.push(var);
        let name = ["s", "t"][self.below(2) as usize];
        let scalar = self.atom(name);
        let other = self.real();
        let known = match self.below(4) {
            0 => scalar,
            1 => self.call(Construct::Minus, &[scalar, other]),
            2 => self.call(Construct::Plus, &[other, scalar]),
            _ => self.call(Construct::Plus, &[scalar, other]),
        };
        self.bound.insert("s".into(), vec![scalar]);
        self.bound.insert("e".into(), vec![known]);
        let body = self.fill(pattern, Sort::Operator)[0];
        self.loops.pop();
        let parts = [self.terms.atom(var), bounds[0], bounds[1], body];
        self.call(Construct::ForLoop, &parts)
    }

    /// A pattern that assigns a LOCAL, in a loop after it or around it, one of iterations at once among them.
    pub(super) fn on_local(&mut self, pattern: Id) -> Id {
        let (var, name, value) = (self.fresh("i"), self.fresh("x"), self.real());
        let bounds = self.bounds(false);
        let declared = self.local(name, "REAL", value);
        self.loops.push(var);
        self.locals.push(name);
        let filled = self.fill(pattern, Sort::Operator)[0];
        let at = self.subscript();
        self.loops.pop();
        let array = self.atom("b");
        let (cell, read) = (
            self.call(Construct::Index, &[array, at]),
            self.terms.atom(name),
        );
        let left = self.call(Construct::Assign, &[cell, read]);
        let kind = [Construct::ForLoop, Construct::Parallel][self.below(2) as usize];
        let around = |maker: &mut Self, body: &[Id]| {
            let body = maker.call(Construct::Then, body);
            let var = maker.terms.atom(var);
            maker.call(kind, &[var, bounds[0], bounds[1], body])
        };
        match self.below(3) {
            0 => around(self, &[declared, filled, left]),
            _ => {
                let made = around(self, &[filled, left]);
                self.call(Construct::Then, &[declared, made])
            }
        }
    }

    /// A pattern of an expression in an assignment in a loop or two.
    pub(super) fn around(&mut self, pattern: Id) -> Id {
        let mut binders = Vec::new();
        for _ in 0..1 + self.below(2) {
            let var = self.fresh("i");
            let bounds = self.bounds(false);
            binders.push((var, bounds[0], bounds[1]));
            self.loops.push(var);
        }
        let mut value = self.fill(pattern, Sort::Expression)[0];
        // What is wider than the cells is made one of theirs.
        let wider = |t: Id| {
            self.rules
                .as_atom(t)
                .is_some_and(|f| f.as_str() == "real64")
        };
        if self.rules.subterms(pattern).any(wider) && self.below(4) > 0 {
            let real = self.atom("real");
            value = self.call(Construct::Apply, &[real, value]);
        }
        let at = self.subscript();
        let array = ["p", "p", "v"][self.below(3) as usize];
        let array = self.atom(array);
        let cell = self.call(Construct::Index, &[array, at]);
        let mut made = self.call(Construct::Assign, &[cell, value]);
        for (var, low, high) in binders.into_iter().rev() {
            self.loops.pop();
            let parts = [self.terms.atom(var), low, high, made];
            made = self.call(Construct::ForLoop, &parts);
        }
        made
    }
}
