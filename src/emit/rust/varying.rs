//! What may differ between threads, or between lanes, that do the same statements.

use crate::emit::plan::{self, Act, Expr, Index, Node, Stmt, Var};
use std::collections::BTreeSet;

/// The scalars of a list of statements that may differ.
pub(super) struct Varying {
    /// These scalars.
    pub vars: BTreeSet<Var>,
    /// Whether the index of a thread differs.
    threads: bool,
}

impl Varying {
    /// What differs where these variables do and, for threads, their index does.
    pub fn of(body: &[Stmt], seeds: impl IntoIterator<Item = Var>, threads: bool) -> Varying {
        let vars = seeds.into_iter().collect();
        let mut this = Varying { vars, threads };
        // A variable that varies can make others vary, also earlier in a loop.
        loop {
            let before = this.vars.len();
            this.vary(body, false);
            if this.vars.len() == before {
                return this;
            }
        }
    }

    /// Whether an expression may differ. Cells of arrays are the same for all where the subscripts
    /// are: one that wrote such a cell at the same time would be a race.
    pub fn differs(&self, e: &Expr) -> bool {
        let mut found = false;
        plan::expressions(e, &mut |e| match e.node {
            Node::Index(Index::Thread) => found |= self.threads,
            Node::Var(var) => found |= self.vars.contains(&var),
            _ => {}
        });
        found
    }

    /// Whether the way through a statement may differ: its condition or its bounds.
    pub fn parts(&self, stmt: &Stmt) -> bool {
        match &stmt.act {
            Act::If { condition, .. } | Act::While { condition, .. } => self.differs(condition),
            Act::For { from, to, step, .. } => {
                let bounds = [Some(from), Some(to), step.as_ref()];
                bounds.into_iter().flatten().any(|e| self.differs(e))
            }
            _ => false,
        }
    }

    /// `under`: whether only some may come here.
    fn vary(&mut self, body: &[Stmt], under: bool) {
        for stmt in body {
            let parts = self.parts(stmt);
            match &stmt.act {
                Act::Local { var, value } if under || self.differs(value) => {
                    self.vars.insert(*var);
                }
                Act::Assign { target, value } | Act::AtomicAdd { target, value }
                    if under || self.differs(value) =>
                {
                    self.vars.extend(scalar_of(target));
                }
                Act::If { yes, no, .. } => {
                    self.vary(yes, under || parts);
                    self.vary(no, under || parts);
                }
                Act::While { body, .. } => self.vary(body, under || parts),
                Act::For { var, body, .. } => {
                    if parts {
                        self.vars.insert(*var);
                    }
                    self.vary(body, under || parts);
                }
                _ => {}
            }
        }
    }
}

/// The scalar that a target is, or is a component of.
pub(super) fn scalar_of(target: &Expr) -> Option<Var> {
    match &target.node {
        Node::Var(var) => Some(*var),
        Node::Component(inner, _) => scalar_of(inner),
        _ => None,
    }
}
