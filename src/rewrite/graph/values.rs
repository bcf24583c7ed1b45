//! The values on the stack of an engine, as the instructions take them and put them there.

use super::engine::Engine;
use crate::rewrite::evaluate::order;
use crate::syntax::rules::{CONS, NIL};
use crate::term::{Head, Symbol};
use std::cmp::Ordering;

impl Engine<'_> {
    /// Takes the arguments of a functor and pushes a cell of them.
    #[inline]
    pub(super) fn make(&mut self, functor: u32) {
        let count = self.cells.shapes[functor as usize].arguments as usize;
        let first = self.values.len() - count;
        let cell = self.cells.make(functor, &self.values[first..]);
        self.values.truncate(first);
        self.values.push(cell);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> u32 {
        self.values.pop().unwrap_or(0)
    }

    /// The cell of a truth value.
    #[inline]
    pub(super) fn truth(&self, holds: bool) -> u32 {
        self.truths[usize::from(!holds)]
    }

    /// Two truth values into one: `weak` gives way, `strong` wins, else it is unknown.
    pub(super) fn join(&mut self, weak: u32, strong: u32) {
        let (b, a) = (self.pop(), self.pop());
        let (x, y) = (self.cells.functor(a), self.cells.functor(b));
        let winner = if x == strong || y == weak { a } else { b };
        self.values.push(if y == strong { b } else { winner });
    }

    /// How two literals of a kind compare.
    #[inline]
    pub(super) fn compared(&self, a: u32, b: u32) -> Option<Ordering> {
        order(&[self.cells.value(a)?, self.cells.value(b)?])
    }

    /// Takes what was pushed since the mark.
    pub(super) fn marked(&mut self) -> Vec<u32> {
        let mark = self.marks.pop().unwrap_or(0);
        self.values.split_off(mark)
    }

    /// Takes so many values, or those since the mark.
    pub(super) fn taken(&mut self, count: Option<u32>) -> Vec<u32> {
        match count {
            Some(count) => self.values.split_off(self.values.len() - count as usize),
            None => self.marked(),
        }
    }

    /// Pushes the set of a tree's elements and some others.
    pub(super) fn push_set(&mut self, tree: u32, elements: &[u32]) {
        let mut tree = tree;
        for &element in elements {
            tree = self.cells.insert(&self.functors, tree, element);
        }
        let set = self.cells.set(tree);
        self.values.push(set);
    }

    /// A cell of a functor by its name.
    pub(super) fn apply(&mut self, name: Symbol, args: &[u32]) -> u32 {
        let head = Head::Functor(name);
        if name.as_str() == crate::syntax::rules::SET {
            let mut tree = 0;
            for &element in args {
                tree = self.cells.insert(&self.functors, tree, element);
            }
            return self.cells.set(tree);
        }
        let functor = self.functors.number(&mut self.cells, head, args.len());
        self.cells.make(functor, args)
    }

    /// The name in an atom and the elements of a list, if they are that.
    pub(super) fn listed(&self, name: u32, list: u32) -> Option<(Symbol, Vec<u32>)> {
        let functor = |cell: u32| &self.functors.list[self.cells.functor(cell) as usize];
        let known = functor(name);
        let (Head::Functor(name), 0) = (known.head, self.cells.arguments(name).len()) else {
            return None;
        };
        let mut elements = Vec::new();
        let mut rest = list;
        loop {
            let known = functor(rest);
            match (known.rank, known.name, self.cells.arguments(rest)) {
                (3, NIL, []) => return Some((name, elements)),
                (3, CONS, &[first, others]) => {
                    elements.push(first);
                    rest = others;
                }
                _ => return None,
            }
        }
    }
}
