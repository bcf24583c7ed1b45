//! A step at one cell: which rules are tried there, and what a standard functor gives.

use super::cells::{FALSE, INT, NOTHING, TRUE};
use super::code::Matching;
use super::engine::{Engine, Stepped, Try};
use super::functors::Candidate;
use super::matches::Passed;
use super::search::Search;
use crate::rewrite::Order;
use crate::rewrite::evaluate::Value;

/// Standard functors take no more arguments.
const MOST_ARGUMENTS: usize = 2;

impl Engine<'_> {
    /// Tries the rules from the `next`-th candidate on.
    pub(super) fn attempt(&mut self, cell: u32, mut next: usize) -> Stepped {
        let functor = self.cells.functor(cell) as usize;
        while let Some(&candidate) = self.functors.list[functor].candidates.get(next) {
            next += 1;
            if !self.cells.may_fire(candidate, cell) {
                continue;
            }
            if candidate.is_direct {
                match self.attempt_direct(candidate, cell) {
                    Stepped::Stays => continue,
                    stepped => return stepped,
                }
            }
            if let Some(stepped) = self.attempt_asking(candidate.rule, cell, next) {
                return stepped;
            }
        }
        let stepped = match self.functors.list[functor].computes {
            true => self.computed(cell),
            false => Stepped::Stays,
        };
        let has_asked = self.spent != self.steps.begun;
        if has_asked && matches!(stepped, Stepped::Stays) && !self.steps.end() {
            return Stepped::Stopped;
        }
        stepped
    }

    /// Tries a rule that does no more than to make a result. It is not inlined, nor is what happens seldom: that
    /// would take registers from what happens at every step.
    #[inline(never)]
    pub(super) fn attempt_direct(&mut self, candidate: Candidate, cell: u32) -> Stepped {
        let rule = &self.program.rules[candidate.rule as usize];
        let (Some(direct), Matching::Tests { tests, .. }) = (&rule.direct, &rule.matching) else {
            return Stepped::Stays;
        };
        let constants = &self.program.constants;
        self.passed[0] = cell;
        let mut tests = &tests[..];
        if candidate.is_first {
            let at = cell as usize + candidate.word as usize;
            self.passed[1] = self.cells.words[at];
            tests = &tests[1..];
        }
        let passed = self.cells.pass(tests, &mut self.passed, constants);
        if passed != Passed::Yes {
            self.looked |= passed == Passed::DiffersNow;
            return Stepped::Stays;
        }
        let result = self.cells.build(direct, &self.passed, constants);
        if rule.repeats && self.cells.equal(result, cell) {
            self.looked = true;
            return Stepped::Stays;
        }
        self.fired(rule.rule, result)
    }

    /// What a standard functor gives.
    #[inline(never)]
    fn computed(&mut self, cell: u32) -> Stepped {
        self.steps.fired = None;
        let functor = &self.functors.list[self.cells.functor(cell) as usize];
        // Values are computed of literals alone.
        if functor.form.is_none()
            && functor.arity > 0
            && self.cells.functor(self.cells.argument(cell, 0)) > FALSE
        {
            return Stepped::Stays;
        }
        match self.standard(cell).or_else(|| self.early(cell)) {
            Some(value) => Stepped::Became(value),
            None => Stepped::Stays,
        }
    }

    /// Tries a rule that asks, that matches in several ways, or that does more than to make a result.
    #[inline(never)]
    fn attempt_asking(&mut self, number: u32, cell: u32, next: usize) -> Option<Stepped> {
        let asks = self.program.rules[number as usize].asks;
        if asks && let Some(stepped) = self.step_again(cell) {
            return Some(stepped);
        }
        let is_search = self.matches(number, cell)?;
        if asks && self.is_asked(number, cell) {
            if !self.steps.end() {
                return Some(Stepped::Stopped);
            }
            // With any other part it is another term, about which the rule may be asked.
            self.looked = true;
            return None;
        }
        let rule = &self.program.rules[number as usize];
        let (variables, code) = (self.variables.len(), rule.code);
        self.variables
            .resize(variables + rule.variables as usize, 0);
        let mut search = None;
        if is_search {
            let known = &self.base.rules[rule.rule as usize];
            let names = known.names.len();
            search = Some(Box::new(Search::new(&known.matcher, names, cell)));
        } else if let Matching::Tests {
            variables: found, ..
        } = &rule.matching
        {
            for &(variable, at) in found {
                self.variables[variables + variable as usize] = self.cells.found(at, &self.passed);
            }
        }
        if asks {
            self.asking.begin(number, cell, self.frames.len() - 1);
        }
        self.tries.push(Try {
            redex: cell,
            next: next as u32,
            rule: number,
            pc: if is_search { u32::MAX } else { code },
            variables,
            values: self.values.len(),
            marks: self.marks.len(),
            looked: false,
            begun: self.steps.begun,
            search,
            asks,
            judging: None,
            result: NOTHING,
            ends: false,
        });
        self.go_on()
    }

    /// What a rule did that fires, unless a limit is reached.
    #[inline]
    pub(super) fn fired(&mut self, rule: u32, result: u32) -> Stepped {
        match self.count(rule) {
            true => Stepped::Became(result),
            false => Stepped::Stopped,
        }
    }

    /// Counts a rule as fired; false where a limit is reached.
    #[inline]
    pub(super) fn count(&mut self, rule: u32) -> bool {
        if self.spent >= self.limits.steps || self.limits.is_over() {
            return false;
        }
        self.spent += 1;
        self.steps.fired = Some(rule);
        // Under BottomTop, what is computed for a condition is as much a part of the term as its
        // arguments are.
        if self.frames.len() == 1 && !self.is_within || self.order == Order::BottomTop {
            self.trace.fired(rule as usize);
        }
        true
    }

    /// Whether the tests of a rule pass, or are still to be made by a search (then true).
    #[inline]
    fn matches(&mut self, rule: u32, cell: u32) -> Option<bool> {
        let rule = &self.program.rules[rule as usize];
        let Matching::Tests { tests, .. } = &rule.matching else {
            self.looked |= rule.compares;
            return Some(true);
        };
        let constants = &self.program.constants;
        self.passed[0] = cell;
        let passed = self.cells.pass(tests, &mut self.passed, constants);
        self.looked |= passed == Passed::DiffersNow;
        (passed == Passed::Yes).then_some(false)
    }

    /// What a standard functor gives on arguments that are literals; also `if` whose first
    /// argument is True or False.
    pub(super) fn standard(&mut self, cell: u32) -> Option<u32> {
        let functor = &self.functors.list[self.cells.functor(cell) as usize];
        if functor.is_if {
            return match self.cells.functor(self.cells.argument(cell, 0)) {
                TRUE => Some(self.cells.argument(cell, 1)),
                FALSE => Some(self.cells.argument(cell, 2)),
                _ => None,
            };
        }
        let meaning = functor.meaning?;
        let mut values = [Value::Int(0); MOST_ARGUMENTS];
        let count = functor.arity;
        for (i, slot) in values.iter_mut().enumerate().take(count) {
            *slot = self.cells.value(self.cells.argument(cell, i))?;
        }
        debug_assert!(self.cells.functor(cell) != INT);
        let value = meaning(&values[..count])?;
        Some(self.cells.literal(value))
    }
}
