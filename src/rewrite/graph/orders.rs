//! FirstTop: the first redex from the top and the left, again and again.

use super::cells::{ARGUMENTS, FALSE, NOTHING, SET};
use super::code::{Matching, Spot, Test};
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
    #[inline(never)]
    pub(super) fn first_top(&mut self, mut pending: Option<Stepped>) -> Result<Event, String> {
        let base = self.frames.last().map_or(0, |frame| frame.base);
        let mut is_new = true;
        loop {
            let top = self.spine.len() - 1;
            self.touched.spine = self.touched.spine.min(top);
            if pending.is_none() && self.cells.is_full() {
                self.collect()?;
            }
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
                        let above = self.above(base, top, new);
                        let new = self.close(above, top, new);
                        self.spine.truncate(above + 1);
                        self.spine[above] = Entry::new(new);
                        if self.ended.is_some() {
                            return Ok(Event::Stopped);
                        }
                        continue;
                    }
                    Stepped::Stays => {
                        self.stays(cell);
                        // In a set, elements change their places.
                        if self.program.looks_deeper {
                            let is_set = self.cells.functor(cell) == SET;
                            if is_set || self.looked && !self.cells.is_inert(cell) {
                                self.watch(top);
                            }
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
                if !self.cells.is_inert(cell)
                    && let Some(new) = self.settled(cell)
                {
                    let above = self.above(base, top, new);
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
    #[inline]
    fn open(&mut self, cell: u32, next: u32) -> Option<(u32, u32)> {
        if self.cells.functor(cell) == SET {
            return self.open_element(cell).map(|element| (0, element));
        }
        let first = cell as usize + ARGUMENTS;
        let count = self.cells.arguments(cell).len() as u32;
        (next..count).find_map(|i| {
            let child = self.cells.words[first + i as usize];
            (!self.is_normal(child)).then_some((i + 1, child))
        })
    }

    /// An element of a set that is not normal.
    fn open_element(&mut self, set: u32) -> Option<u32> {
        let tree = self.cells.argument(set, 0);
        match self.frames.last() {
            Some(frame) if !frame.normal.is_empty() => {
                let mut open = Vec::new();
                self.cells.open_elements(tree, &mut open);
                open.into_iter().find(|&element| !self.is_normal(element))
            }
            _ => self.cells.open_element(tree),
        }
    }

    /// A term in which the argument that the way goes through is another one.
    #[inline]
    fn replaced(&mut self, parent: Entry, new: u32) -> u32 {
        if parent.element == new {
            return parent.cell;
        }
        if self.cells.functor(parent.cell) == SET {
            return self
                .cells
                .exchange(&self.functors, parent.cell, parent.element, new);
        }
        let word = ARGUMENTS + parent.next as usize - 1;
        self.cells.make_like(parent.cell, word, new)
    }

    /// Puts a term where the search went down, up to where the way has the length `above`.
    fn close(&mut self, above: usize, top: usize, new: u32) -> u32 {
        let mut new = new;
        let mut i = top;
        while i > above {
            i -= 1;
            new = self.replaced(self.spine[i], new);
        }
        new
    }

    /// Where the search goes on after a step that put `new` at the end of the way.
    fn above(&mut self, base: usize, top: usize, new: u32) -> usize {
        let mut above = top;
        let lowest = top.saturating_sub(self.program.sight).max(base);
        let entries = self.spine[lowest..top].iter().rev();
        for (distance, entry) in (1..).zip(entries) {
            let functor = self.cells.functor(entry.cell);
            let sight = usize::from(self.cells.shapes[functor as usize].sight);
            let at = top - distance;
            if sight >= distance && self.sees(at, top, self.cells.functor(new)) {
                above = at;
            }
        }
        match self.program.looks_deeper {
            true => self.watched(above),
            false => above,
        }
    }

    /// Likewise, if a change anywhere below some place must be seen.
    #[inline(never)]
    fn watched(&mut self, mut above: usize) -> usize {
        if let Some(frame) = self.frames.last_mut()
            && let Some(watch) = frame.watch
        {
            above = above.min(watch);
            frame.watch = None;
        }
        above
    }

    /// Whether a term on the way may be a redex since a term of another functor stands at its end.
    #[inline(never)]
    fn sees(&self, at: usize, top: usize, kind: u32) -> bool {
        // A rule that was not tried, since it was being asked about the same term, is asked about
        // another one now.
        if self.program.looks_deeper && self.frames.last().is_some_and(|frame| frame.is_tainted) {
            return true;
        }
        let functor = self.cells.functor(self.spine[at].cell);
        let functor = &self.functors.list[functor as usize];
        if functor.computes && kind <= FALSE || functor.wants.all {
            return true;
        }
        let next = self.spine[at].next;
        let is_end = at + 1 == top;
        let kind_below = match is_end {
            true => kind,
            false => self.cells.functor(self.spine[at + 1].cell),
        };
        let mut firsts = functor.wants.firsts.iter();
        let wanted = firsts.any(|first| first.argument + 1 == next && first.functor == kind_below);
        let mut rules = functor.candidates.iter();
        wanted && (is_end || rules.any(|rule| self.tests_way(rule.rule, at, top, kind)))
    }

    /// Whether a rule tests what stands at the end of the way, and finds what it wants there.
    fn tests_way(&self, number: u32, at: usize, top: usize, kind: u32) -> bool {
        let Matching::Tests { tests, .. } = &self.program.rules[number as usize].matching else {
            return true;
        };
        let mut cell = 0;
        for below in at..top {
            // The arguments of a set have no places.
            let Some(argument) = self.spine[below].next.checked_sub(1) else {
                return true;
            };
            let functor = match below + 1 == top {
                true => kind,
                false => self.cells.functor(self.spine[below + 1].cell),
            };
            let spot = Spot::argument(cell, argument);
            let leads = tests.iter().find_map(|test| match *test {
                Test::Cell {
                    at,
                    functor: wanted,
                    to,
                } if at == spot => (wanted == functor).then_some(to),
                Test::Literal { at, constant } if at == spot => {
                    let literal = self.program.constants[constant as usize];
                    (self.cells.functor(literal) == functor).then_some(0)
                }
                _ => None,
            });
            match leads {
                Some(to) => cell = to,
                None => return false,
            }
        }
        true
    }

    fn watch(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.watch = Some(frame.watch.map_or(at, |watch| watch.min(at)));
        }
    }

    #[inline]
    fn unwatch(&mut self, at: usize) {
        if self.program.looks_deeper
            && let Some(frame) = self.frames.last_mut()
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
