//! What the threads of a block have in common.

use super::varying::Varying;
use crate::emit::plan::{self, Act, Expr, Index, Kernel, Node, Plan, Stmt, Var, simple_acts};
use std::collections::BTreeSet;

/// How the variables of a kernel with barriers are kept.
pub(super) struct Uniformity {
    /// Locals with one value for each thread, as they live across a barrier.
    pub per_thread: BTreeSet<Var>,
    /// Locals that all threads compute alike from what does not change.
    pub hoisted: BTreeSet<Var>,
    /// Whether a barrier stands under a condition that may differ between threads.
    pub divergent: bool,
}

/// Whether a statement is a barrier or has one in it.
pub(super) fn has_barrier(stmt: &Stmt) -> bool {
    let mut found = false;
    plan::each_statement(std::slice::from_ref(stmt), &mut |s| {
        found |= s.act == Act::Barrier
    });
    found
}

impl Uniformity {
    pub fn of(plan: &Plan, kernel: &Kernel) -> Uniformity {
        let varying = Varying {
            vars: kernel.varying.clone(),
            threads: true,
        };
        let mut this = Uniformity {
            per_thread: BTreeSet::new(),
            hoisted: BTreeSet::new(),
            divergent: false,
        };
        plan::each_statement(&kernel.body, &mut |stmt| {
            this.divergent |= varying.parts(stmt) && has_barrier(stmt);
        });
        let constant: BTreeSet<Var> = kernel.scalars.iter().copied().collect();
        this.place(plan, &kernel.body, constant);
        this
    }

    /// Decides where locals of a list that is run phase by phase live; `constant` are variables
    /// that have one value for the block that does not change.
    fn place(&mut self, plan: &Plan, body: &[Stmt], mut constant: BTreeSet<Var>) {
        for (i, stmt) in body.iter().enumerate() {
            if let Act::Local { var, value } = &stmt.act {
                if !plan.var(*var).assigned && is_constant(value, &constant) {
                    self.hoisted.insert(*var);
                    constant.insert(*var);
                    continue;
                }
                let rest = &body[i + 1..];
                let run = rest.iter().take_while(|s| !has_barrier(s)).count();
                if mentions(&rest[run..], *var) {
                    self.per_thread.insert(*var);
                }
            }
            if !has_barrier(stmt) {
                continue;
            }
            match &stmt.act {
                Act::If { yes, no, .. } => {
                    self.place(plan, yes, constant.clone());
                    self.place(plan, no, constant.clone());
                }
                Act::While { body, .. } => {
                    self.place(plan, body, constant.clone());
                }
                Act::For { var, body, .. } => {
                    let mut inner = constant.clone();
                    inner.insert(*var);
                    self.place(plan, body, inner);
                }
                // A barrier itself.
                simple_acts!() => {}
                // No barrier stands in these.
                Act::Parallel { .. }
                | Act::Lanes { .. }
                | Act::Array { .. }
                | Act::Recorded { .. }
                | Act::Timed(_)
                | Act::Async(_) => {}
            }
        }
    }
}

fn is_constant(e: &Expr, constant: &BTreeSet<Var>) -> bool {
    let mut all = true;
    plan::expressions(e, &mut |e| match &e.node {
        Node::Index(Index::Thread) | Node::Cell { .. } => all = false,
        Node::Var(var) => all &= constant.contains(var),
        _ => {}
    });
    all
}

fn mentions(body: &[Stmt], var: Var) -> bool {
    let mut found = false;
    plan::reads(body, &mut |v| found |= v == var);
    plan::for_each_place(body, &mut |v, _| found |= v == var);
    found
}
