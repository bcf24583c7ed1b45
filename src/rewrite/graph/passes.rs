//! TopDown: passes in which every term comes before its arguments, until nothing changes.
//! BottomTop: arguments come before the term.

use super::cells::{ARGUMENTS, FALSE, NOTHING, SET, TRUE};
use super::engine::{Engine, Event, Stepped};
use crate::rewrite::Order;

/// What a traversal has still to do.
#[derive(Clone, Copy)]
pub(super) enum Item {
    Visit(u32),
    /// All arguments are done and in place.
    Step(u32),
    /// All arguments are done.
    Make(u32),
    /// Elements of a set are done: each one before that is not normal, then what they became.
    MakeSet(u32, u32),
    /// The condition of an `if` is done.
    Choose(u32),
    /// What becomes of a term is done.
    Keep(u32),
}

impl Engine<'_> {
    /// Goes on with the innermost run, which waited for `pending` if anything.
    #[inline(never)]
    pub(super) fn passes(&mut self, mut pending: Option<Stepped>) -> Result<Event, String> {
        let Some(frame) = self.frames.last() else {
            return Ok(Event::Stopped);
        };
        let base = frame.base;
        let is_upward = self.order == Order::BottomTop;
        let is_noted = self.is_noted();
        loop {
            // An item pushes one result at most in place of those that it takes.
            self.touched.work = self.touched.work.min(self.work.len().saturating_sub(1));
            self.touched.done = self.touched.done.min(self.done.len().saturating_sub(1));
            if pending.is_none() && self.cells.is_full() {
                self.collect()?;
            }
            if self.work.len() == base {
                let result = self.done.pop().unwrap_or(NOTHING);
                let Some(frame) = self.frames.last_mut() else {
                    return Ok(Event::Stopped);
                };
                let is_same = is_upward || result == frame.root;
                // What was normal may have become a redex by facts that are new.
                if is_same && frame.version == self.facts.version {
                    return Ok(Event::Finished(result));
                }
                if is_upward {
                    // Terms above one that may be a redex now were taken for normal.
                    self.cells.begin_epoch();
                    frame.normal.clear();
                    frame.doubtful.clear();
                }
                frame.version = self.facts.version;
                frame.root = result;
                frame.became.clear();
                self.work.push(Item::Visit(result));
                continue;
            }
            let Some(item) = self.work.pop() else {
                return Ok(Event::Stopped);
            };
            match item {
                Item::Visit(cell) => {
                    if pending.is_none() {
                        if self.is_normal(cell) {
                            self.done.push(cell);
                            continue;
                        }
                        let known = match is_noted {
                            true => self.cells.became(cell),
                            false => self.met_here(cell),
                        };
                        if known != NOTHING {
                            self.done.push(known);
                            continue;
                        }
                        if is_upward || self.cells.is_inert(cell) {
                            self.descend(cell, is_noted);
                            continue;
                        }
                    }
                    match self.stepped(item, cell, pending.take()) {
                        Stepped::Became(new) => {
                            self.work.push(Item::Keep(cell));
                            self.work.push(Item::Visit(new));
                            if self.ended.is_some() {
                                return Ok(Event::Stopped);
                            }
                        }
                        Stepped::Stays => self.descend(cell, is_noted),
                        Stepped::Waits => return Ok(Event::Waits),
                        Stepped::Stopped => return Ok(Event::Stopped),
                    }
                }
                Item::Step(cell) => match self.stepped(item, cell, pending.take()) {
                    Stepped::Became(new) => {
                        self.work.push(Item::Visit(new));
                        if self.ended.is_some() {
                            return Ok(Event::Stopped);
                        }
                    }
                    Stepped::Stays => match self.settled(cell) {
                        Some(new) => self.work.push(Item::Visit(new)),
                        None => {
                            self.settle(cell);
                            self.done.push(cell);
                        }
                    },
                    Stepped::Waits => return Ok(Event::Waits),
                    Stepped::Stopped => return Ok(Event::Stopped),
                },
                Item::Make(cell) => {
                    let new = self.rebuilt(cell);
                    self.made(cell, new, is_upward, is_noted);
                }
                Item::MakeSet(cell, count) => {
                    let new = self.rebuilt_set(cell, count);
                    self.made(cell, new, is_upward, is_noted);
                }
                Item::Choose(cell) => self.choose_branch(cell),
                Item::Keep(cell) => self.note(cell, is_noted),
            }
        }
    }

    /// A step at a term, if it was not taken already. Where it is not over, the item is to be done
    /// again: it goes back below what a run within the step puts on the stack.
    #[inline]
    fn stepped(&mut self, item: Item, cell: u32, taken: Option<Stepped>) -> Stepped {
        self.work.push(item);
        let stepped = taken.unwrap_or_else(|| self.step(cell));
        if matches!(stepped, Stepped::Became(_) | Stepped::Stays) {
            self.work.pop();
        }
        if matches!(stepped, Stepped::Stays) {
            self.stays(cell);
        }
        stepped
    }

    /// Whether what terms became is noted in their cells.
    fn is_noted(&self) -> bool {
        self.frames.len() == 1 && !self.facts.change
    }

    /// What becomes of a term within a condition, or [`NOTHING`] if that is not known.
    fn met_here(&self, cell: u32) -> u32 {
        let frame = self.frames.last();
        let known = frame.and_then(|frame| frame.became.get(&cell).copied());
        known.unwrap_or(NOTHING)
    }

    /// What becomes of a term, if it is known.
    fn met(&self, cell: u32) -> Option<u32> {
        if self.is_normal(cell) {
            return Some(cell);
        }
        let known = match self.is_noted() {
            true => self.cells.became(cell),
            false => self.met_here(cell),
        };
        Some(known).filter(|&known| known != NOTHING)
    }

    /// Notes what became of a term.
    #[inline]
    fn note(&mut self, cell: u32, is_noted: bool) {
        let Some(&new) = self.done.last() else {
            return;
        };
        // What stays as it is needs no note: if it is not normal, the next pass visits it.
        if new == cell {
            return;
        }
        match is_noted {
            true => self.cells.set_became(cell, new),
            false => self.note_here(cell, new),
        }
    }

    fn note_here(&mut self, cell: u32, new: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.became.insert(cell, new);
        }
    }

    /// Puts the arguments of a term to be visited, of an `if` first its condition.
    fn descend(&mut self, cell: u32, is_noted: bool) {
        let functor = self.cells.functor(cell);
        let computes = !self.cells.shapes[functor as usize].inert;
        let chooses = computes && self.standard_if && self.functors.list[functor as usize].is_if;
        let is_upward = self.order == Order::BottomTop;
        // Where nothing comes after its arguments, what it became is noted with them.
        if is_upward || chooses {
            self.work.push(Item::Keep(cell));
        }
        if functor == SET {
            let mut open = Vec::new();
            let tree = self.cells.argument(cell, 0);
            self.cells.open_elements(tree, &mut open);
            self.work.push(Item::MakeSet(cell, open.len() as u32));
            self.work.extend(open.iter().rev().map(|&a| Item::Visit(a)));
            self.done.extend(open);
            return;
        }
        if chooses {
            let condition = self.cells.argument(cell, 0);
            self.work
                .extend([Item::Choose(cell), Item::Visit(condition)]);
            return;
        }
        // The first arguments that are done need no visit.
        let first = cell as usize + ARGUMENTS;
        let count = self.cells.arguments(cell).len();
        let mut next = 0;
        while next < count && self.is_normal(self.cells.words[first + next]) {
            next += 1;
        }
        if next == count {
            self.made(cell, cell, is_upward, is_noted);
            return;
        }
        self.done
            .extend_from_slice(&self.cells.words[first..first + next]);
        self.work.push(Item::Make(cell));
        for i in (next..count).rev() {
            self.work.push(Item::Visit(self.cells.words[first + i]));
        }
    }

    /// Goes on with the branch that the condition of an `if` chooses, or with both.
    fn choose_branch(&mut self, cell: u32) {
        let (first, second) = (self.cells.argument(cell, 1), self.cells.argument(cell, 2));
        let condition = self.done.last().map_or(NOTHING, |&c| self.cells.functor(c));
        let branch = match condition {
            TRUE => first,
            FALSE => second,
            _ => {
                let both = [Item::Make(cell), Item::Visit(second), Item::Visit(first)];
                self.work.extend(both);
                return;
            }
        };
        self.done.pop();
        self.work.push(Item::Visit(branch));
    }

    /// A term with the arguments that are done; the same where they are.
    fn rebuilt(&mut self, cell: u32) -> u32 {
        let arguments = self.cells.arguments(cell);
        let first = self.done.len() - arguments.len();
        // No comparison of slices: there are two or three words.
        let mut differs = 0;
        for (i, &argument) in arguments.iter().enumerate() {
            differs |= self.done[first + i] ^ argument;
        }
        let is_same = differs == 0;
        let new = match is_same {
            true => cell,
            false => {
                let functor = self.cells.functor(cell);
                self.cells.make(functor, &self.done[first..])
            }
        };
        self.done.truncate(first);
        new
    }

    fn rebuilt_set(&mut self, cell: u32, count: u32) -> u32 {
        let new = self.done.split_off(self.done.len() - count as usize);
        let old = self.done.split_off(self.done.len() - count as usize);
        let mut set = cell;
        let changed = || old.iter().zip(&new).filter(|(old, new)| old != new);
        for (&old, _) in changed() {
            let tree = self.cells.argument(set, 0);
            if let Some(i) = self.cells.find(&self.functors, tree, old) {
                let tree = self.cells.remove(tree, i);
                set = self.cells.set(tree);
            }
        }
        let mut tree = self.cells.argument(set, 0);
        for (_, &new) in changed() {
            tree = self.cells.insert(&self.functors, tree, new);
        }
        if tree != self.cells.argument(set, 0) {
            set = self.cells.set(tree);
        }
        set
    }

    /// Goes on from a term whose arguments are done.
    fn made(&mut self, cell: u32, new: u32, is_upward: bool, is_noted: bool) {
        if is_upward {
            match self.is_normal(new) {
                true => self.done.push(new),
                false => self.work.push(Item::Step(new)),
            }
            return;
        }
        let computes = !self.cells.is_inert(new)
            && self.functors.list[self.cells.functor(new) as usize].computes;
        let given = if new != cell {
            // A standard functor has its value as soon as its arguments have theirs.
            computes.then(|| self.standard(new)).flatten()
        } else if self.has_normal_parts(cell) {
            let given = computes.then(|| self.settled(cell)).flatten();
            if given.is_none() {
                self.settle(cell);
            }
            given
        } else {
            None
        };
        self.done.push(given.unwrap_or(new));
        self.note(cell, is_noted);
    }

    fn has_normal_parts(&self, cell: u32) -> bool {
        if self.cells.functor(cell) != SET {
            let mut arguments = self.cells.arguments(cell).iter();
            return arguments.all(|&a| self.is_normal(a));
        }
        let mut open = Vec::new();
        self.cells
            .open_elements(self.cells.argument(cell, 0), &mut open);
        open.into_iter().all(|element| self.is_normal(element))
    }

    /// The term that was reached, when nothing more is rewritten.
    pub(super) fn left(&mut self) -> u32 {
        while let Some(item) = self.work.pop() {
            match item {
                Item::Visit(cell) => {
                    let known = self.met(cell).unwrap_or(cell);
                    self.done.push(known);
                }
                Item::Step(cell) => self.done.push(cell),
                Item::Make(cell) => {
                    let new = self.rebuilt(cell);
                    let value = match self.order {
                        Order::TopDown if new != cell => self.standard(new),
                        _ => None,
                    };
                    self.done.push(value.unwrap_or(new));
                }
                Item::MakeSet(cell, count) => {
                    let new = self.rebuilt_set(cell, count);
                    self.done.push(new);
                }
                Item::Choose(cell) => self.choose_branch(cell),
                Item::Keep(_) => {}
            }
        }
        self.done.pop().unwrap_or(NOTHING)
    }
}
