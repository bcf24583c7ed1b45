//! What the threads of a block have in common.

use crate::emit::plan::{self, Act, Expr, Index, Kernel, Node, Plan, Stmt, Var};
use std::collections::BTreeSet;

/// How the variables of a kernel with barriers are kept.
pub(super) struct Uniformity {
    /// Locals with one value for each thread, as they live across a barrier.
    pub per_thread: BTreeSet<Var>,
    /// Locals that all threads compute alike from what does not change.
    pub hoisted: BTreeSet<Var>,
    /// Whether a barrier stands under a condition that may differ between threads.
    pub divergent: bool,
    /// Variables that may differ between threads.
    varying: BTreeSet<Var>,
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
        let mut this = Uniformity {
            per_thread: BTreeSet::new(),
            hoisted: BTreeSet::new(),
            divergent: false,
            varying: BTreeSet::new(),
        };
        // A variable that varies can make others vary, also earlier in a loop.
        loop {
            let before = this.varying.len();
            this.vary(&kernel.body, false);
            if this.varying.len() == before {
                break;
            }
        }
        let constant: BTreeSet<Var> = kernel.scalars.iter().copied().collect();
        this.place(plan, &kernel.body, constant);
        this
    }

    /// Whether threads may get different values. Cells of arrays are the same for all where the
    /// subscripts are: a thread that wrote one at the same time would be a race.
    fn varies(&self, e: &Expr) -> bool {
        let mut found = false;
        plan::expressions(e, &mut |e| match e.node {
            Node::Index(Index::Thread) => found = true,
            Node::Var(var) => found |= self.varying.contains(&var),
            _ => {}
        });
        found
    }

    /// Finds what varies; `under` says whether only some threads may come here.
    fn vary(&mut self, body: &[Stmt], under: bool) {
        for stmt in body {
            match &stmt.act {
                Act::Local { var, value } if under || self.varies(value) => {
                    self.varying.insert(*var);
                }
                Act::Assign { target, value } | Act::AtomicAdd { target, value } => {
                    if (under || self.varies(value))
                        && let Some(var) = plan::root(target)
                    {
                        self.varying.insert(var);
                    }
                }
                Act::If { condition, yes, no } => {
                    let under = self.enter(under, &[condition], stmt);
                    self.vary(yes, under);
                    self.vary(no, under);
                }
                Act::While { condition, body } => {
                    let under = self.enter(under, &[condition], stmt);
                    self.vary(body, under);
                }
                Act::For {
                    var,
                    from,
                    to,
                    step,
                    body,
                } => {
                    let mut bounds = vec![from, to];
                    bounds.extend(step);
                    let under = self.enter(under, &bounds, stmt);
                    if under {
                        self.varying.insert(*var);
                    }
                    self.vary(body, under);
                }
                _ => {}
            }
        }
    }

    fn enter(&mut self, under: bool, conditions: &[&Expr], stmt: &Stmt) -> bool {
        let under = under || conditions.iter().any(|e| self.varies(e));
        self.divergent |= under && has_barrier(stmt);
        under
    }

    /// Decides where locals of a list that is run phase by phase live; `constant` are variables
    /// that have one value for the block that does not change.
    fn place(&mut self, plan: &Plan, body: &[Stmt], mut constant: BTreeSet<Var>) {
        for (i, stmt) in body.iter().enumerate() {
            match &stmt.act {
                Act::Local { var, value } => {
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
                Act::If { yes, no, .. } if has_barrier(stmt) => {
                    self.place(plan, yes, constant.clone());
                    self.place(plan, no, constant.clone());
                }
                Act::While { body, .. } if has_barrier(stmt) => {
                    self.place(plan, body, constant.clone());
                }
                Act::For { var, body, .. } if has_barrier(stmt) => {
                    let mut inner = constant.clone();
                    inner.insert(*var);
                    self.place(plan, body, inner);
                }
                _ => {}
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
