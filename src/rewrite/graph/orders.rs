//! FirstTop: the first redex from the top and the left, again and again.

use super::cells::{NOTHING, SET};
use super::engine::{Engine, Event, Stepped};

/// A term on the way from the root down to where the search is.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) cell: u32,
    /// The argument to go to next; the one before it may have changed.
    next: u32,
    /// Of a set, the element that the way goes through.
    pub(super) element: u32,
}

impl Entry {
    pub(super) fn new(cell: u32) -> Entry {
        Entry {
            cell,
            next: 0,
            element: NOTHING,
        }
    }
}

impl Engine<'_> {
    /// Goes on with the innermost run, which waited for `pending` if anything.
    ///
    /// A step can make a redex only of a term whose pattern sees that far down, so the search
    /// goes on that much higher and not at the root; and of a term whose rule asked about
    /// something that was not normal, or compared it, so it goes on there if that is higher.
    /// Terms above learn of the change when the search comes back to them.
    pub(super) fn first_top(&mut self, mut pending: Option<Stepped>) -> Result<Event, String> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        let mut is_new = true;
        loop {
            if pending.is_none() && self.cells.is_full() {
                self.collect()?;
            }
            let top = self.spine.len() - 1;
            let Entry { cell, next, .. } = self.spine[top];
            let mut is_normal = self.is_normal(cell);
            if is_new && (pending.is_some() || !is_normal) {
                let stepped = match pending.take() {
                    Some(stepped) => stepped,
                    None if self.cells.is_inert(cell) => Stepped::Stays,
                    None => self.step(cell),
                };
                match stepped {
                    Stepped::Waits => return Ok(Event::Waits),
                    Stepped::Stopped => return Ok(Event::Stopped),
                    Stepped::Became(new) => {
                        let above = self.above(base, top);
                        let new = self.close(above, top, new);
                        self.spine.truncate(above);
                        self.spine.push(Entry::new(new));
                        if self.ended.is_some() {
                            return Ok(Event::Stopped);
                        }
                        continue;
                    }
                    Stepped::Stays => {
                        // In a set, elements change their places.
                        let is_set = self.cells.functor(cell) == SET;
                        let looked = self.looked && !self.cells.is_inert(cell);
                        if self.program.looks_deeper && (looked || is_set) {
                            self.watch(top);
                        }
                    }
                }
                is_normal = self.is_normal(cell);
            }
            let open = match is_normal {
                true => None,
                false => self.open(cell, next),
            };
            is_new = open.is_some();
            if let Some((next, child)) = open {
                self.spine[top].next = next;
                self.spine[top].element = child;
                self.spine.push(Entry::new(child));
                continue;
            }
            if !is_normal {
                if let Some(new) = self.settled(cell) {
                    let above = self.above(base, top);
                    let new = self.close(above, top, new);
                    self.spine.truncate(above);
                    self.spine.push(Entry::new(new));
                    is_new = true;
                    continue;
                }
                self.settle(cell);
            }
            self.spine.pop();
            self.unwatch(top);
            if self.spine.len() == base {
                return Ok(Event::Finished(cell));
            }
            let parent = self.spine[top - 1];
            let new = self.replaced(parent, cell);
            if new != parent.cell {
                self.spine[top - 1] = Entry::new(new);
            }
        }
    }

    /// The first argument from the `next`-th on that is not normal, and the number after it.
    fn open(&mut self, cell: u32, next: u32) -> Option<(u32, u32)> {
        if self.cells.functor(cell) == SET {
            let tree = self.cells.argument(cell, 0);
            let element = match self.frames.last() {
                Some(frame) if frame.is_tainted => {
                    let mut open = Vec::new();
                    self.cells.open_elements(tree, &mut open);
                    open.into_iter().find(|&element| !self.is_normal(element))?
                }
                _ => self.cells.open_element(tree)?,
            };
            return Some((0, element));
        }
        let arguments = self.cells.arguments(cell);
        let count = arguments.len() as u32;
        (next..count).find_map(|i| {
            let child = self.cells.argument(cell, i as usize);
            (!self.is_normal(child)).then_some((i + 1, child))
        })
    }

    /// A term in which the argument that the way goes through is another one.
    fn replaced(&mut self, parent: Entry, new: u32) -> u32 {
        if parent.element == new {
            return parent.cell;
        }
        if self.cells.functor(parent.cell) == SET {
            return self
                .cells
                .exchange(&self.functors, parent.cell, parent.element, new);
        }
        let first = self.values.len();
        self.values
            .extend_from_slice(self.cells.arguments(parent.cell));
        self.values[first + parent.next as usize - 1] = new;
        let functor = self.cells.functor(parent.cell);
        let cell = self.cells.make(functor, &self.values[first..]);
        self.values.truncate(first);
        cell
    }

    /// Puts a term where the search went down, up to where the way has the length `above`.
    fn close(&mut self, above: usize, top: usize, new: u32) -> u32 {
        (above..top).rev().fold(new, |new, i| {
            let parent = self.spine[i];
            self.replaced(parent, new)
        })
    }

    /// Where the search goes on after a step.
    fn above(&mut self, base: usize, top: usize) -> usize {
        let mut above = top;
        for at in (top.saturating_sub(self.program.sight).max(base)..top).rev() {
            let functor = self.cells.functor(self.spine[at].cell);
            if self.functors.list[functor as usize].sight >= top - at {
                above = at;
            }
        }
        if let Some(frame) = self.frames.last_mut()
            && let Some(watch) = frame.watch
        {
            above = above.min(watch);
            frame.watch = None;
        }
        above
    }

    fn watch(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.watch = Some(frame.watch.map_or(at, |watch| watch.min(at)));
        }
    }

    fn unwatch(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut()
            && frame.watch == Some(at)
        {
            frame.watch = None;
        }
    }

    /// The term that was reached, when a run is given up.
    pub(super) fn give_up(&mut self) -> u32 {
        let within = self.frames.get(1).map(|frame| (frame.base, frame.done));
        self.frames.truncate(1);
        self.tries.clear();
        if let Some((base, done)) = within {
            self.spine.truncate(base);
            self.work.truncate(base);
            self.done.truncate(done);
        }
        match self.spine.last() {
            Some(&Entry { cell, .. }) => {
                let top = self.spine.len() - 1;
                self.close(0, top, cell)
            }
            None => self.left(),
        }
    }
}
