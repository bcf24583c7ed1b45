//! What orders accesses: joins, barriers, control points.

use super::memory::{Actor, Order};
use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// What a process knows of others: the last part of each that is over for it, by section and block.
/// Nearly always empty, since only WAIT makes entries.
pub type Seen = Vec<(u32, u32, u32)>;

/// Where each section was started: by which actor, itself in a section.
#[derive(Default)]
pub struct Sections {
    parents: Vec<Actor>,
    points: FxHashMap<Symbol, Point>,
}

/// A control point that was met.
struct Point {
    /// Who met it first.
    by: (u32, u32),
    /// What is over for whoever waited for it.
    seen: Seen,
}

impl Sections {
    /// The number of a new section, from 1; section 0 is the host's own.
    pub fn start(&mut self, by: Actor) -> u32 {
        self.parents.push(by);
        self.parents.len() as u32
    }

    /// The actor that started a section.
    fn parent(&self, section: u32) -> Option<Actor> {
        let index = section.checked_sub(1)?;
        self.parents.get(index as usize).copied()
    }

    /// Whether a control point was met.
    pub fn is_met(&self, point: Symbol) -> bool {
        self.points.contains_key(&point)
    }

    /// Meets a control point. A new part of the actor begins.
    pub fn meet(&mut self, point: Symbol, actor: &mut Actor, seen: &Seen) {
        let mut now = seen.clone();
        add(&mut now, (actor.section, actor.block, actor.phase));
        // What came before in the branches that this one stands in; their own part, the one with
        // this branch in it, goes on.
        let mut around = self.parent(actor.section);
        while let Some(a) = around.filter(|a| a.section > 0) {
            if let Some(before) = a.phase.checked_sub(1) {
                add(&mut now, (a.section, a.block, before));
            }
            around = self.parent(a.section);
        }
        let by = (actor.section, actor.block);
        match self.points.get_mut(&point) {
            // Met by others too: a WAIT follows one of them, and nobody knows which.
            Some(old) if old.by != by => old.seen.retain(|&(section, block, phase)| {
                now.iter()
                    .any(|&(s, b, p)| (s, b) == (section, block) && p >= phase)
            }),
            Some(old) => old.seen = now,
            None => {
                self.points.insert(point, Point { by, seen: now });
            }
        }
        actor.phase += 1;
    }

    /// Goes on after a control point.
    pub fn pass(&self, point: Symbol, seen: &mut Seen) {
        if let Some(point) = self.points.get(&point) {
            point.seen.iter().for_each(|&entry| add(seen, entry));
        }
    }
}

/// Adds what is over of a block, unless more of it is.
fn add(seen: &mut Seen, entry: (u32, u32, u32)) {
    let (section, block, phase) = entry;
    match seen
        .iter_mut()
        .find(|(s, b, _)| (*s, *b) == (section, block))
    {
        Some(old) => old.2 = old.2.max(phase),
        None => seen.push(entry),
    }
}

/// A process about to make an access.
pub struct Next<'a> {
    /// Every section.
    pub sections: &'a Sections,
    /// Who it is.
    pub actor: Actor,
    /// What it knows of others.
    pub seen: &'a Seen,
}

impl Next<'_> {
    fn has_seen(&self, a: Actor) -> bool {
        self.seen
            .iter()
            .any(|&(s, b, phase)| (s, b) == (a.section, a.block) && a.phase <= phase)
    }
}

impl Order for Next<'_> {
    fn concurrent(&self, earlier: Actor) -> bool {
        let mut a = earlier;
        let mut b = self.actor;
        if a.section == b.section {
            return if a.block != b.block {
                !self.has_seen(a)
            } else {
                a.thread != b.thread && a.phase == b.phase
            };
        }
        // Of different sections: they are ordered unless they stand in different branches of one.
        // Sections are numbered as they start, so the younger of two cannot be around the other.
        while a.section != b.section {
            if self.has_seen(a) {
                return false;
            }
            let younger = if a.section > b.section {
                &mut a
            } else {
                &mut b
            };
            match self.sections.parent(younger.section) {
                Some(parent) => *younger = parent,
                None => return false,
            }
        }
        a.section > 0 && a.block != b.block && !self.has_seen(a)
    }
}
