//! Sets: their elements in order, in a tree balanced by weight (Adams 1993) that shares with the
//! sets it was made from, so that taking an element out or putting one in costs the logarithm of
//! their number.

use super::cells::{Cells, EMPTY, NOTHING, SET, TREE};
use super::functors::Functors;
use crate::rewrite::evaluate::Value;
use crate::syntax::rules::SET as SET_NAME;
use std::cmp::Ordering;

/// A side may be so many times as heavy as the other.
const HEAVIER: u32 = 3;
/// The inner part of a heavy side may be so many times as heavy as the outer one.
const INNER: u32 = 2;

impl Cells {
    /// The set of a tree of elements.
    pub(super) fn set(&mut self, tree: u32) -> u32 {
        self.make(SET, &[tree])
    }

    /// Number of elements in a tree.
    pub(super) fn size(&self, tree: u32) -> u32 {
        match self.functor(tree) {
            TREE => self.argument(tree, 0),
            _ => 0,
        }
    }

    fn parts(&self, tree: u32) -> (u32, u32, u32) {
        let part = |i| self.argument(tree, i);
        (part(1), part(2), part(3))
    }

    /// Adds the elements of a tree, in order.
    pub(super) fn elements(&self, tree: u32, out: &mut Vec<u32>) {
        let mut work = vec![(tree, false)];
        while let Some((tree, entered)) = work.pop() {
            if self.functor(tree) == EMPTY {
                continue;
            }
            let (element, left, right) = self.parts(tree);
            if entered {
                out.push(element);
            } else {
                work.extend([(right, false), (tree, true), (left, false)]);
            }
        }
    }

    /// The `i`-th element of a tree that has so many.
    pub(super) fn select(&self, mut tree: u32, mut i: u32) -> u32 {
        loop {
            let (element, left, right) = self.parts(tree);
            let before = self.size(left);
            match i.cmp(&before) {
                Ordering::Less => tree = left,
                Ordering::Equal => return element,
                Ordering::Greater => {
                    i -= before + 1;
                    tree = right;
                }
            }
        }
    }

    /// The first element that is not known to be normal. Trees without any are marked on the way.
    pub(super) fn open_element(&mut self, tree: u32) -> Option<u32> {
        if self.is_normal(tree) {
            return None;
        }
        let (element, left, right) = self.parts(tree);
        if let Some(open) = self.open_element(left) {
            return Some(open);
        }
        if !self.is_normal(element) {
            return Some(element);
        }
        let open = self.open_element(right);
        if open.is_none() {
            self.set_normal(tree);
        }
        open
    }

    /// All elements that are not known to be normal, in order.
    pub(super) fn open_elements(&self, tree: u32, out: &mut Vec<u32>) {
        let mut work = vec![(tree, false)];
        while let Some((tree, entered)) = work.pop() {
            if self.is_normal(tree) {
                continue;
            }
            let (element, left, right) = self.parts(tree);
            if !entered {
                work.extend([(right, false), (tree, true), (left, false)]);
            } else if !self.is_normal(element) {
                out.push(element);
            }
        }
    }

    fn node(&mut self, element: u32, left: u32, right: u32) -> u32 {
        let size = self.size(left) + self.size(right) + 1;
        self.make_tree(size, [element, left, right])
    }

    fn balanced(&mut self, element: u32, left: u32, right: u32) -> u32 {
        let (a, b) = (self.size(left), self.size(right));
        if a + b > 1 && b > HEAVIER * a {
            let (middle, inner, outer) = self.parts(right);
            if self.size(inner) < INNER * self.size(outer) {
                let left = self.node(element, left, inner);
                return self.node(middle, left, outer);
            }
            let (top, x, y) = self.parts(inner);
            let left = self.node(element, left, x);
            let right = self.node(middle, y, outer);
            return self.node(top, left, right);
        }
        if a + b > 1 && a > HEAVIER * b {
            let (middle, outer, inner) = self.parts(left);
            if self.size(inner) < INNER * self.size(outer) {
                let right = self.node(element, inner, right);
                return self.node(middle, outer, right);
            }
            let (top, x, y) = self.parts(inner);
            let left = self.node(middle, outer, x);
            let right = self.node(element, y, right);
            return self.node(top, left, right);
        }
        self.node(element, left, right)
    }

    /// The tree of elements that are in order and differ from each other.
    pub(super) fn tree(&mut self, elements: &[u32]) -> u32 {
        if elements.is_empty() {
            return NOTHING;
        }
        let middle = elements.len() / 2;
        let left = self.tree(&elements[..middle]);
        let right = self.tree(&elements[middle + 1..]);
        self.node(elements[middle], left, right)
    }

    /// A tree with one more element, unless it is there.
    pub(super) fn insert(&mut self, functors: &Functors, tree: u32, element: u32) -> u32 {
        if self.functor(tree) == EMPTY {
            return self.node(element, NOTHING, NOTHING);
        }
        let (middle, left, right) = self.parts(tree);
        match self.compare(functors, element, middle) {
            Ordering::Equal => tree,
            Ordering::Less => match self.insert(functors, left, element) {
                new if new == left => tree,
                new => self.balanced(middle, new, right),
            },
            Ordering::Greater => match self.insert(functors, right, element) {
                new if new == right => tree,
                new => self.balanced(middle, left, new),
            },
        }
    }

    /// A tree without its `i`-th element.
    pub(super) fn remove(&mut self, tree: u32, i: u32) -> u32 {
        let (middle, left, right) = self.parts(tree);
        let before = self.size(left);
        match i.cmp(&before) {
            Ordering::Less => {
                let left = self.remove(left, i);
                self.balanced(middle, left, right)
            }
            Ordering::Greater => {
                let right = self.remove(right, i - before - 1);
                self.balanced(middle, left, right)
            }
            Ordering::Equal if self.functor(left) == EMPTY => right,
            Ordering::Equal if self.functor(right) == EMPTY => left,
            Ordering::Equal if before > self.size(right) => {
                let last = self.select(left, before - 1);
                let left = self.remove(left, before - 1);
                self.balanced(last, left, right)
            }
            Ordering::Equal => {
                let first = self.select(right, 0);
                let right = self.remove(right, 0);
                self.balanced(first, left, right)
            }
        }
    }

    /// Number of elements for which `before` says yes; they stand at the front.
    pub(super) fn count_before(&self, mut tree: u32, before: impl Fn(&Cells, u32) -> bool) -> u32 {
        let mut count = 0;
        while self.functor(tree) == TREE {
            let (element, left, right) = self.parts(tree);
            if before(self, element) {
                count += self.size(left) + 1;
                tree = right;
            } else {
                tree = left;
            }
        }
        count
    }

    /// Where an element stands in a tree, if it is there.
    pub(super) fn find(&self, functors: &Functors, tree: u32, element: u32) -> Option<u32> {
        let i = self.count_before(tree, |cells, other| {
            cells.compare(functors, other, element).is_lt()
        });
        let there = i < self.size(tree) && self.equal(self.select(tree, i), element);
        there.then_some(i)
    }

    /// A set in which one element is another.
    pub(super) fn exchange(&mut self, functors: &Functors, set: u32, old: u32, new: u32) -> u32 {
        let tree = self.argument(set, 0);
        let tree = match self.find(functors, tree, old) {
            Some(i) => self.remove(tree, i),
            None => tree,
        };
        let tree = self.insert(functors, tree, new);
        self.set(tree)
    }

    /// The order of terms, as of [`crate::syntax::rules::compare`].
    pub(super) fn compare(&self, functors: &Functors, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            match self.compare_heads(functors, a, b) {
                Ordering::Equal => {}
                order => return order,
            }
            if self.functor(a) == SET {
                let (mut x, mut y) = (Vec::new(), Vec::new());
                self.elements(self.argument(a, 0), &mut x);
                self.elements(self.argument(b, 0), &mut y);
                work.extend(x.into_iter().zip(y).rev());
            } else {
                let pairs = self.arguments(a).iter().zip(self.arguments(b)).rev();
                work.extend(pairs.map(|(&x, &y)| (x, y)));
            }
        }
        Ordering::Equal
    }

    fn compare_heads(&self, functors: &Functors, a: u32, b: u32) -> Ordering {
        match (self.value(a), self.value(b)) {
            (Some(Value::Int(a)), Some(Value::Int(b))) => return a.cmp(&b),
            (Some(Value::Real(a)), Some(Value::Real(b))) => return a.total_cmp(&b),
            (Some(Value::Text(a)), Some(Value::Text(b))) => return a.as_str().cmp(b.as_str()),
            _ => {}
        }
        let place = |at: u32| {
            let functor = self.functor(at);
            let known = &functors.list[functor as usize];
            let (name, arity) = match functor {
                SET => (SET_NAME, self.size(self.argument(at, 0))),
                _ => (known.name, known.arity as u32),
            };
            (known.rank, name, arity)
        };
        place(a).cmp(&place(b))
    }
}
