//! A rule at work: which match it is tried with, and what comes of it when its code has come to an end.

use super::engine::{Engine, Stepped};
use super::place::Place;

/// After so many ways to match a pattern at one place, the rule is left.
const MOST_MATCHES: usize = 100_000;
/// Where a rule waits for its next match.
pub(super) const NEXT_MATCH: u32 = u32::MAX;

/// What code comes to.
pub(super) enum Outcome {
    Result(u32),
    Fails,
    Waits,
    /// The rule has fired and done what it does besides.
    Acted(u32),
    Stopped,
}

impl Engine<'_> {
    /// Goes on with the rule at work. Nothing where it does not fire: then it is not at work any
    /// more, and the next one is to be tried.
    pub(super) fn go_on(&mut self) -> Option<Stepped> {
        loop {
            let pc = self.tries.last()?.pc;
            if pc == NEXT_MATCH && !self.next_match() {
                self.leave();
                return None;
            }
            match self.execute() {
                Outcome::Waits => {
                    let looked = self.looked;
                    if let Some(work) = self.tries.last_mut() {
                        work.looked = looked;
                    }
                    return Some(match self.limits.is_over() {
                        true => Stepped::Stopped,
                        false => Stepped::Waits,
                    });
                }
                Outcome::Stopped => return Some(Stepped::Stopped),
                Outcome::Acted(result) => {
                    if self.tries.last()?.ends {
                        self.ended = Some(self.frames.len());
                    }
                    self.leave();
                    return Some(Stepped::Became(result));
                }
                Outcome::Result(result) => {
                    let work = self.tries.last()?;
                    let (redex, rule) = (work.redex, work.rule);
                    self.leave();
                    let rule = &self.program.rules[rule as usize];
                    let (index, repeats) = (rule.rule, rule.repeats);
                    if repeats && self.cells.equal(result, redex) {
                        self.looked = true;
                        return None;
                    }
                    return Some(self.fired(index, result));
                }
                Outcome::Fails => {
                    let work = self.tries.last_mut()?;
                    if work.search.is_none() {
                        self.leave();
                        return None;
                    }
                    work.pc = NEXT_MATCH;
                    let (values, marks) = (work.values, work.marks);
                    self.values.truncate(values);
                    self.marks.truncate(marks);
                }
            }
        }
    }

    /// Goes on to the next match of the rule at work.
    fn next_match(&mut self) -> bool {
        let Some(work) = self.tries.last_mut() else {
            return false;
        };
        let Some(search) = &mut work.search else {
            return false;
        };
        let mut place = Place {
            cells: &mut self.cells,
            functors: &mut self.functors,
        };
        if search.found >= MOST_MATCHES || !search.advance(&mut place) {
            return false;
        }
        search.write(&mut place, &mut self.variables[work.variables..]);
        work.pc = self.program.rules[work.rule as usize].code;
        true
    }

    /// Leaves the rule at work.
    fn leave(&mut self) {
        if let Some(work) = self.tries.pop() {
            self.variables.truncate(work.variables);
            self.values.truncate(work.values);
            self.marks.truncate(work.marks);
            if work.asks {
                self.asking.end();
            }
        }
    }

    /// Has the rule at work fire, before it does what it does besides.
    pub(super) fn commit(&mut self) -> Result<(), Outcome> {
        let result = self.pop();
        let Some(work) = self.tries.last() else {
            return Err(Outcome::Fails);
        };
        let rule = &self.program.rules[work.rule as usize];
        if rule.repeats && self.cells.equal(result, work.redex) {
            return Err(Outcome::Result(result));
        }
        if !self.count(rule.rule) {
            return Err(Outcome::Stopped);
        }
        if let Some(work) = self.tries.last_mut() {
            work.result = result;
            // What the actions compute may ask the rule again.
            if std::mem::take(&mut work.asks) {
                self.asking.end();
            }
        }
        Ok(())
    }
}
