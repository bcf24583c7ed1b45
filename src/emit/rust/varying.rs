//! What may differ between threads, or between lanes, that execute the same statements.

use crate::emit::plan::{self, Act, Expr, Index, Node, Stmt, Var, simple_acts};
use std::collections::BTreeSet;

/// The scalars of a list of statements that may differ.
pub(super) struct Varying {
    /// These scalars.
    pub vars: BTreeSet<Var>,
    /// Whether the index of a thread differs.
    pub threads: bool,
}

impl Varying {
    /// Whether an expression may differ.
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
            Act::Parallel { .. }
            | Act::Lanes { .. }
            | Act::Array { .. }
            | Act::Recorded { .. }
            | Act::Timed(_)
            | Act::Async(_)
            | simple_acts!() => false,
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
