//! Loops of a plan → Rust: those in order, and those whose iterations or branches run at once.

use super::expression::{is_anchored, level};
use super::printer::{Access, Printer};
use crate::algebra::Type;
use crate::emit::plan::{self, Arithmetic, Expr, Function, Node, Place, Stmt, Var};

impl Printer<'_> {
    /// `for i in 0..n`.
    pub(super) fn loop_head(
        &mut self,
        var: Var,
        from: &Expr,
        to: &Expr,
        step: Option<&Expr>,
    ) -> String {
        let name = self.name(var);
        let ty = self.ty(var);
        let step_by = |e: &Expr| match (&e.node, ty) {
            (Node::Int(k), _) => Some(*k),
            (Node::Negate(a), _) => match a.node {
                Node::Int(k) => k.checked_neg(),
                _ => None,
            },
            _ => None,
        };
        let literal = step
            .map_or(Some(1), step_by)
            .filter(|k| k.unsigned_abs() < 1 << 31);
        let outer = self.suffixes;
        self.suffixes = ty == Type::I64 && !is_anchored(from) && !is_anchored(to);
        let head = match literal {
            Some(1) => {
                let range = self.range(from, to);
                format!("for {name} in {range}")
            }
            Some(k) if k > 0 => {
                let range = self.range(from, to);
                format!("for {name} in ({range}).step_by({k})")
            }
            Some(k) if k < 0 => {
                let (low, high) = (self.expr(to, level::OR), self.expr(from, level::OR));
                match k {
                    -1 => format!("for {name} in ({low}..={high}).rev()"),
                    _ => format!("for {name} in ({low}..={high}).rev().step_by({})", -k),
                }
            }
            _ => {
                self.uses.extend(["steps_by", "error"]);
                let wide = |e: &Expr| match e.ty {
                    Type::I64 => e.clone(),
                    _ => Expr::new(Type::I64, Node::Convert(Box::new(e.clone()))),
                };
                let all: Vec<String> = [Some(from), Some(to), step]
                    .into_iter()
                    .flatten()
                    .map(|e| self.typed(&wide(e)))
                    .collect();
                let narrow = match ty {
                    Type::I64 => "",
                    // Between two bounds of 32 bits all numbers have 32 bits.
                    _ => ".map(|i| i as i32)",
                };
                format!("for {name} in steps_by({}){narrow}", all.join(", "))
            }
        };
        self.suffixes = outer;
        head
    }

    /// A range with both bounds in it; as `a..b`, which is faster to go through, where the last bound
    /// has a next number.
    fn range(&mut self, from: &Expr, to: &Expr) -> String {
        let from = self.expr(from, level::OR);
        match &to.node {
            Node::Arithmetic(Arithmetic::Subtract, end, less)
                if let Node::Int(less @ 1..) = less.node
                    && to.ty.is_integer() =>
            {
                let end = match less {
                    1 => (**end).clone(),
                    _ => {
                        let less = Box::new(Expr::int(to.ty, less - 1));
                        let node = Node::Arithmetic(Arithmetic::Subtract, end.clone(), less);
                        Expr::new(to.ty, node)
                    }
                };
                format!("{from}..{}", self.expr(&end, level::OR))
            }
            Node::Int(last) if *last < i64::from(i32::MAX) => format!("{from}..{}", last + 1),
            _ if has_next(to) => format!("{from}..{} + 1", self.expr(to, level::SUM)),
            _ => format!("{from}..={}", self.expr(to, level::OR)),
        }
    }

    /// Variables declared outside of `bodies` that these assign, arrays too, as far as no other
    /// threads reach them already.
    pub(super) fn written_outside(&self, bodies: &[&[Stmt]]) -> Vec<Var> {
        let mut inner: Vec<Var> = Vec::new();
        let mut written: Vec<Var> = Vec::new();
        for body in bodies {
            plan::each_statement(body, &mut |stmt| inner.extend(plan::declared(&stmt.act)));
            plan::for_each_place(body, &mut |var, _| {
                written.push(match self.plan.var(var).place {
                    Place::Row(array) => array,
                    _ => var,
                });
            });
        }
        written.retain(|v| !inner.contains(v) && self.access(*v) != Access::Shared);
        written.sort();
        written.dedup();
        written
    }

    /// Prints `inner` with variables shared between threads.
    fn sharing(&mut self, bodies: &[&[Stmt]], inner: impl FnOnce(&mut Self)) {
        let shared = self.written_outside(bodies);
        if !shared.is_empty() {
            self.lines.open("{");
        }
        let mut before = Vec::new();
        for &var in &shared {
            let name = self.name(var);
            let of = match (self.is_array(var), self.access(var)) {
                (true, _) => {
                    self.uses.insert("share");
                    format!("share({name})")
                }
                (false, Access::Reference) => {
                    self.uses.insert("shared");
                    format!("Shared::of(&mut *{name})")
                }
                (false, _) => {
                    self.uses.insert("shared");
                    format!("Shared::of(&mut {name})")
                }
            };
            self.lines.line(format!("let {name} = {of};"));
            before.push((var, self.set_access(var, Access::Shared)));
        }
        inner(self);
        for (var, access) in before {
            self.set_access(var, access);
        }
        if !shared.is_empty() {
            self.lines.close("}");
        }
    }

    pub(super) fn parallel(&mut self, var: Var, from: &Expr, to: &Expr, body: &[Stmt]) {
        self.uses.extend(["parallel", "parallel_loop"]);
        self.sharing(&[body], |p| {
            let outer = p.suffixes;
            p.suffixes = !is_anchored(from) && !is_anchored(to);
            // They may name what is shared.
            let (from, to) = (p.typed(from), p.typed(to));
            p.suffixes = outer;
            let name = p.name(var);
            p.lines.open(format!("parallel({from}, {to}, |{name}| {{"));
            p.block(body);
            p.lines.close("});");
        });
    }

    pub(super) fn branches(&mut self, branches: &[Vec<Stmt>]) {
        self.uses.extend(["parallel", "points"]);
        let bodies: Vec<&[Stmt]> = branches.iter().map(Vec::as_slice).collect();
        self.sharing(&bodies, |p| {
            p.lines.open("points.branches(&[");
            for branch in branches {
                p.lines.open("&|| {");
                p.block(branch);
                p.lines.close("},");
            }
            p.lines.close("]);");
        });
    }
}

/// Whether an integer is evidently not the greatest of its type.
fn has_next(e: &Expr) -> bool {
    match &e.node {
        Node::Int(k) => *k < i64::from(i32::MAX),
        Node::Arithmetic(Arithmetic::Subtract, _, less) => matches!(less.node, Node::Int(1..)),
        Node::Call(Function::Min, all) => all.iter().any(has_next),
        _ => false,
    }
}
