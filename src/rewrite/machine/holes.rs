//! Cells that are made before one of their arguments is known (Friedman and Wise 1975, Minamide 1998).
//!
//! A result such as `s(add($x, $y))` ends in a call within functors that no rule is for. If the cell of `s` were made when
//! the call is done, a frame would wait for it, and frames would nest as deep as the normal form. So the cell is made
//! first, with a hole, and the call is a last call that fills it. Where that ends in a call within such functors
//! again, its cell fills the hole and has the next one: a chain of cells in which one hole is open.
//!
//! A chain has one frame, whose code is [`Op::Fill`](super::code::Op::Fill): it tells which argument of the last cell is
//! the hole. The first and the last cell are on the stack below what the call at work puts there. Nothing else leads to a
//! cell of a chain before its hole is filled, so that no rule can look at one.

use super::compile::Compiler;
use super::operands::Arguments;
use super::run::Machine;
use super::template::is_if;
use crate::term::{Head, Id, Terms};

/// The address of the code that fills holes, in every program.
pub(super) const FILL: u32 = 0;

impl Machine<'_> {
    /// Makes a cell with a hole. It takes its place in the chain of the call at work, or begins one.
    pub(super) fn open(&mut self, functor: u32, arguments: Arguments, hole: u32, base: usize) {
        let operands = self.program.operands(functor, arguments, 1);
        let variables = &self.variables[base..];
        let cell = self.heap.begin(functor);
        for operand in &operands[..hole as usize] {
            let value = operand.read(variables, &self.constants, &self.values);
            self.heap.words.push(value);
        }
        // Collections look for an address in the hole, too: it is that of the cell itself until it is filled.
        self.heap.words.push(cell);
        for operand in &operands[hole as usize..] {
            let value = operand.read(variables, &self.constants, &self.values);
            self.heap.words.push(value);
        }
        self.take(arguments);
        if let (Some((FILL, open)), Some(last)) = (self.frames.last_mut(), self.values.last_mut()) {
            self.heap.fill(*last, *open, cell);
            *last = cell;
            *open = hole;
        } else {
            self.frames.push((FILL, hole));
            self.values.extend([cell, cell]);
        }
    }

    /// Ends a chain: the value on the stack goes into its hole, and its first cell is the value instead.
    #[inline]
    pub(super) fn close(&mut self, hole: u32) {
        let (value, last) = (self.pop(), self.pop());
        self.heap.fill(last, hole, value);
    }
}

impl Compiler {
    /// Which argument of a template's functor is a hole until all others are computed: the last one that anything is at work
    /// in, if that ends in a call by rules. Nothing that comes after it is at work, so that the order of rewrites is the same.
    pub(super) fn hole(&self, terms: &Terms, id: Id) -> Option<usize> {
        if self.may_change(terms, id) || self.is_kept(terms, id) {
            return None;
        }
        let works = |&arg: &Id| terms.subterms(arg).any(|part| self.is_at_work(terms, part));
        let hole = terms.args(id).iter().rposition(works)?;
        self.ends_in_call(terms, terms.arg(id, hole))
            .then_some(hole)
    }

    /// Whether a template's value is that of a call, or has a hole for one.
    fn ends_in_call(&self, terms: &Terms, id: Id) -> bool {
        let functor = self.functor_in_use(terms.head(id), terms.arity(id));
        match is_if(terms, id) {
            true => (1..3).any(|branch| self.ends_in_call(terms, terms.arg(id, branch))),
            false => functor.is_some_and(|f| self.has_rules(f)) || self.hole(terms, id).is_some(),
        }
    }

    /// Whether a part of a template is computed rather than made.
    fn is_at_work(&self, terms: &Terms, id: Id) -> bool {
        matches!(terms.head(id), Head::Functor(_)) && self.may_change(terms, id)
    }
}
