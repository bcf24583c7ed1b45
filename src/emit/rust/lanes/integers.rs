//! Integers of LANES: vectors of those that change, and what is computed with these.

use super::super::expression::level;
use super::super::printer::Access;
use super::Body;
use super::expression::{grouped, is_total};
use crate::algebra::Type;
use crate::emit::plan::{self, Arithmetic, Comparison, Expr, Function, Node, Var};

impl Body<'_, '_> {
    /// Whether a variable is a vector of integers: others, which keep their values, are arrays.
    pub(super) fn is_whole(&self, var: Var) -> bool {
        self.varying.vars.contains(&var)
            && self.p.ty(var) == Type::I32
            && self.p.plan.var(var).assigned
    }

    /// Whether an integer is computed of such vectors.
    pub(super) fn has_whole(&self, e: &Expr) -> bool {
        let mut found = false;
        plan::expressions(e, &mut |e| {
            if let Node::Var(var) = e.node {
                found |= self.is_whole(var);
            }
        });
        found
    }

    /// An integer of 32 bits as a vector.
    pub(super) fn integers(&mut self, e: &Expr, least: u8) -> Option<String> {
        self.integer_parts(e).map(|parts| grouped(parts, least))
    }

    fn integer_parts(&mut self, e: &Expr) -> Option<(String, u8)> {
        let atom = |text: String| Some((text, level::POSTFIX));
        if e.ty != Type::I32 {
            return None;
        }
        self.p.uses.insert("integers");
        if !self.varying.differs(e) {
            let value = self.p.typed(e);
            return atom(format!("R::Integers::all({value})"));
        }
        match &e.node {
            Node::Var(var) if self.is_whole(*var) => return atom(self.p.name(*var)),
            Node::Var(var) => {
                self.counts |= *var == self.var;
                return atom(format!("R::Integers::load(&{})", self.p.name(*var)));
            }
            Node::Cell { array, subscripts } => {
                if let Some(cells) = self.neighbours(*array, subscripts) {
                    let shared = self.p.access(*array) == Access::Shared;
                    let load = if shared { "load_shared" } else { "load_some" };
                    return atom(format!("R::Integers::{load}(&{cells})"));
                }
            }
            Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let (name, sign) = match op {
                    Arithmetic::Add => ("add", "+"),
                    _ => ("sub", "-"),
                };
                return match self.here.clone() {
                    Some(here) => {
                        let a = self.integers(a, level::POSTFIX)?;
                        let b = self.integers(b, level::ANY)?;
                        atom(format!("{a}.{name}_where({here}, {b})"))
                    }
                    None => {
                        let a = self.integers(a, level::SUM)?;
                        let b = self.integers(b, level::SUM + 1)?;
                        Some((format!("{a} {sign} {b}"), level::SUM))
                    }
                };
            }
            Node::Select(c, a, b) if is_total(a) && is_total(b) => {
                let c = self.mask(c, level::ANY)?;
                let (a, b) = (self.integers(a, level::ANY)?, self.integers(b, level::ANY)?);
                return atom(format!("R::Integers::select({c}, {a}, {b})"));
            }
            Node::Select(c, a, b) if self.is_masked(a) && self.is_masked(b) => {
                let c = self.mask(c, level::PRODUCT)?;
                let outer = self.here.clone();
                let mut only = |c: &str, e: &Expr| {
                    let here = self.mask_name();
                    self.p.lines.line(match &outer {
                        Some(outer) => format!("let {here} = {outer} & {c};"),
                        None => format!("let {here} = {c};"),
                    });
                    self.here = Some(here.clone());
                    Some((here, self.integers(e, level::ANY)?))
                };
                let (yes, a) = only(&c, a)?;
                let (_, b) = only(&format!("!{yes}"), b)?;
                self.here = outer;
                return atom(format!("R::Integers::select({yes}, {a}, {b})"));
            }
            Node::Call(function @ (Function::Min | Function::Max), all) => {
                let name = match function {
                    Function::Min => "smaller",
                    _ => "larger",
                };
                let a = self.integers(&all[0], level::POSTFIX)?;
                let b = self.integers(&all[1], level::ANY)?;
                return atom(format!("{a}.{name}({b})"));
            }
            _ => {}
        }
        let each = self.for_each_lane(e)?;
        atom(format!("R::Integers::from_fn({each})"))
    }

    /// Whether computing an integer cannot be an error in lanes that are elsewhere: all that can be out
    /// of range are sums and differences of vectors.
    fn is_masked(&self, e: &Expr) -> bool {
        match &e.node {
            Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, a, b) => {
                self.varying.differs(e) && self.is_masked(a) && self.is_masked(b)
            }
            Node::Call(Function::Min | Function::Max, all) => all.iter().all(|e| self.is_masked(e)),
            _ => e.ty == Type::I32 && is_total(e),
        }
    }

    /// A comparison of integers of 32 bits.
    pub(super) fn integers_compare(
        &mut self,
        op: Comparison,
        a: &Expr,
        b: &Expr,
    ) -> Option<String> {
        let (name, a, b) = compared(op, a, b);
        let (a, b) = (
            self.integers(a, level::POSTFIX)?,
            self.integers(b, level::ANY)?,
        );
        Some(format!("{a}.{name}({b})"))
    }
}

/// The comparison of lanes that a comparison is, with its sides in their order there.
pub(super) fn compared<T>(op: Comparison, a: T, b: T) -> (&'static str, T, T) {
    match op {
        Comparison::Equal => ("eq", a, b),
        Comparison::NotEqual => ("ne", a, b),
        Comparison::Less => ("lt", a, b),
        Comparison::LessOrEqual => ("le", a, b),
        Comparison::Greater => ("lt", b, a),
        Comparison::GreaterOrEqual => ("le", b, a),
    }
}
