//! LANES taken apart: loops that are the same for all lanes, and what stands between them.

use crate::emit::plan::{self, Act, Expr, Node, Stmt, Var};
use std::collections::BTreeSet;

/// A piece of what a group of lanes does.
pub(super) enum Piece<'a> {
    /// What each lane does by itself, with its number.
    Part(usize, Vec<&'a Stmt>),
    /// What is done once for all lanes.
    Once(&'a Stmt),
    /// A loop that is the same for all lanes.
    Loop(&'a Stmt, Vec<Piece<'a>>),
    /// A condition that is the same for all lanes.
    If(&'a Expr, Vec<Piece<'a>>, Vec<Piece<'a>>, u32),
}

/// LANES that are taken apart.
pub(super) struct Split<'a> {
    /// Variables that may differ between lanes.
    pub varying: &'a BTreeSet<Var>,
    /// How many parts there are so far.
    pub parts: usize,
}

impl<'a> Split<'a> {
    fn differs(&self, e: &Expr) -> bool {
        let mut found = false;
        plan::expressions(e, &mut |e| {
            found |= matches!(e.node, Node::Var(v) if self.varying.contains(&v));
        });
        found
    }

    /// Whether a statement can be a part of what each lane does by itself: nothing in it is a loop, or
    /// changes a variable that is the same for all.
    fn is_simple(&self, stmt: &Stmt) -> bool {
        let mut own = BTreeSet::new();
        let mut simple = true;
        plan::each_statement(std::slice::from_ref(stmt), &mut |s| match &s.act {
            Act::Local { var, .. } => {
                own.insert(*var);
            }
            Act::Assign { target, .. } => {
                simple &= scalar_of(target)
                    .is_none_or(|var| self.varying.contains(&var) || own.contains(&var));
            }
            Act::Atomic { target, was, .. } => {
                let varies = |var| self.varying.contains(&var) || own.contains(&var);
                simple &= scalar_of(target).is_none();
                simple &= was.iter().all(|was| scalar_of(was).is_some_and(varies));
            }
            Act::If { .. } | Act::Comment(_) | Act::Filter(_) | Act::Undefined => {}
            _ => simple = false,
        });
        simple
    }

    /// Takes statements apart; none where that cannot be done.
    pub fn pieces(&mut self, body: &'a [Stmt]) -> Option<Vec<Piece<'a>>> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let mut comment = None;
        for stmt in body {
            match &stmt.act {
                Act::Comment(_) => {
                    comment = Some(stmt);
                    continue;
                }
                Act::Local { var, value }
                    if !self.varying.contains(var) && !self.differs(value) =>
                {
                    pieces.extend(comment.take().map(Piece::Once));
                    pieces.push(Piece::Once(stmt));
                }
                Act::Assign { target, value }
                    if scalar_of(target).is_some_and(|v| !self.varying.contains(&v)) =>
                {
                    if self.differs(value) {
                        return None;
                    }
                    pieces.extend(comment.take().map(Piece::Once));
                    pieces.push(Piece::Once(stmt));
                }
                _ if self.is_simple(stmt) => {
                    if !matches!(pieces.last(), Some(Piece::Part(..))) {
                        pieces.push(Piece::Part(self.parts, Vec::new()));
                        self.parts += 1;
                    }
                    if let Some(Piece::Part(_, part)) = pieces.last_mut() {
                        part.extend(comment.take());
                        part.push(stmt);
                    }
                }
                Act::For {
                    from,
                    to,
                    step,
                    body,
                    ..
                } => {
                    let bounds = [Some(from), Some(to), step.as_ref()];
                    if bounds.into_iter().flatten().any(|e| self.differs(e)) {
                        return None;
                    }
                    pieces.extend(comment.take().map(Piece::Once));
                    let inner = self.pieces(body)?;
                    pieces.push(Piece::Loop(stmt, inner));
                }
                Act::While { condition, body } if !self.differs(condition) => {
                    pieces.extend(comment.take().map(Piece::Once));
                    let inner = self.pieces(body)?;
                    pieces.push(Piece::Loop(stmt, inner));
                }
                Act::If { condition, yes, no } if !self.differs(condition) => {
                    pieces.extend(comment.take().map(Piece::Once));
                    let (yes, no) = (self.pieces(yes)?, self.pieces(no)?);
                    pieces.push(Piece::If(condition, yes, no, stmt.origin));
                }
                _ => return None,
            }
        }
        Some(pieces)
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

/// The variables that a statement names, and all in it.
pub(super) fn named(stmt: &Stmt) -> BTreeSet<Var> {
    let body = std::slice::from_ref(stmt);
    let mut all = BTreeSet::new();
    plan::reads(body, &mut |var| {
        all.insert(var);
    });
    plan::for_each_place(body, &mut |var, _| {
        all.insert(var);
    });
    plan::each_statement(body, &mut |s| {
        if let Act::Local { var, .. } = &s.act {
            all.insert(*var);
        }
    });
    all
}

/// Calls `f` with the number of every part and its statements.
pub(super) fn each_part<'a>(pieces: &'a [Piece<'a>], f: &mut dyn FnMut(usize, &'a [&'a Stmt])) {
    for piece in pieces {
        match piece {
            Piece::Part(number, part) => f(*number, part),
            Piece::Once(_) => {}
            Piece::Loop(_, inner) => each_part(inner, f),
            Piece::If(_, yes, no, _) => {
                each_part(yes, f);
                each_part(no, f);
            }
        }
    }
}
