//! The first steps of a term within a condition, as long as they are at its root and by rules that ask nothing: no run
//! is put on the stack for them.
//!
//! The term at work is held in registers, its functor and its arguments: most of these terms are gone with the next
//! step, and no cell is made of them.

use super::cells::{ARGUMENTS, FUNCTOR, NOTHING};
use super::code::{Matching, Spot, Test};
use super::direct::Source;
use super::engine::{Engine, Stepped};
use super::functors::Candidate;
use crate::rewrite::Order;

/// How far such steps lead.
pub(super) enum Reached {
    Normal(u32),
    /// What comes next is the work of a run.
    Open(u32),
    /// The bound is reached.
    Bound,
}

/// Terms of more arguments are left to a run.
const MOST_ARGUMENTS: usize = 8;

/// A term without a cell.
struct Held {
    functor: u32,
    count: usize,
    /// The arguments, and where those of the next term are put: copied all at once, words that were just written one by
    /// one would have to be waited for.
    arguments: [[u32; MOST_ARGUMENTS]; 2],
    /// Which of both are the arguments.
    side: usize,
    /// The cell, as long as it is this term.
    cell: Option<u32>,
}

impl Held {
    fn arguments(&self) -> &[u32] {
        &self.arguments[self.side & 1][..self.count]
    }
}

/// What a step at a term without a cell does.
enum HeldStep {
    /// Another such term stands there.
    Holds,
    Became(u32),
    /// A rule fires whose result is more than a cell.
    Builds(Candidate),
    Stays,
    /// A rule that asks is to be tried first, or a value computed.
    Unknown,
    Stopped,
}

impl Engine<'_> {
    /// Takes the steps that any order takes first: at the root, where arguments come first only once they are normal.
    pub(super) fn steps_at_root(&mut self, term: u32) -> Reached {
        // Only a run knows what facts that change make of what it found out.
        if self.facts.change {
            return Reached::Open(term);
        }
        let looked = self.looked;
        self.is_within = true;
        let reached = self.steps_at(term);
        self.is_within = false;
        self.looked = looked;
        reached
    }

    /// It is not inlined: in what follows code there are no registers left for it.
    #[inline(never)]
    fn steps_at(&mut self, mut term: u32) -> Reached {
        let is_upward = self.order == Order::BottomTop;
        loop {
            if self.cells.is_normal(term) {
                return Reached::Normal(term);
            }
            let functor = self.cells.functor(term);
            let shape = self.cells.shapes[functor as usize];
            let arguments = self.cells.arguments(term);
            let is_held = shape.raw == 0 && arguments.len() <= MOST_ARGUMENTS;
            if self.cells.is_full() || shape.inert || !is_held {
                return Reached::Open(term);
            }
            let mut held = Held {
                functor,
                count: arguments.len(),
                arguments: [[0; MOST_ARGUMENTS]; 2],
                side: 0,
                cell: Some(term),
            };
            held.arguments[0][..held.count].copy_from_slice(arguments);
            // What is found in normal terms is normal.
            let mut are_normal = self.are_normal(&held);
            term = loop {
                if self.cells.shapes[held.functor as usize].inert {
                    break self.cell_of(&held);
                }
                if is_upward && !are_normal {
                    return Reached::Open(self.cell_of(&held));
                }
                match self.step_held(&mut held) {
                    HeldStep::Holds => are_normal = are_normal || self.are_normal(&held),
                    HeldStep::Became(cell) => break cell,
                    HeldStep::Builds(candidate) => {
                        let cell = self.cell_of(&held);
                        match self.attempt_direct(candidate, cell) {
                            Stepped::Became(new) => break new,
                            Stepped::Stopped => return Reached::Bound,
                            Stepped::Stays | Stepped::Waits => return Reached::Open(cell),
                        }
                    }
                    HeldStep::Stays => {
                        let cell = self.cell_of(&held);
                        if !are_normal {
                            return Reached::Open(cell);
                        }
                        self.cells.set_normal(cell);
                        return Reached::Normal(cell);
                    }
                    HeldStep::Unknown => return Reached::Open(self.cell_of(&held)),
                    HeldStep::Stopped => return Reached::Bound,
                }
            };
        }
    }

    fn are_normal(&self, held: &Held) -> bool {
        let mut arguments = held.arguments().iter();
        arguments.all(|&argument| self.cells.is_normal(argument))
    }

    fn cell_of(&mut self, held: &Held) -> u32 {
        match held.cell {
            Some(cell) => cell,
            None => self.cells.make(held.functor, held.arguments()),
        }
    }

    /// A step at a term by rules that ask nothing.
    fn step_held(&mut self, held: &mut Held) -> HeldStep {
        let words = &self.cells.words[..];
        let functor = &self.functors.list[held.functor as usize];
        let (first, second) = held.arguments.split_at_mut(1);
        let (arguments, next) = match held.side {
            0 => (&first[0], &mut second[0]),
            _ => (&second[0], &mut first[0]),
        };
        'candidates: for candidate in &functor.candidates {
            let mut tested = NOTHING;
            if candidate.word != 0 {
                tested = arguments[(candidate.word as usize - ARGUMENTS) % MOST_ARGUMENTS];
                if words[tested as usize] & FUNCTOR != candidate.functor {
                    continue;
                }
            }
            let rule = &self.program.rules[candidate.rule as usize];
            let (Some(direct), Matching::Tests { tests, .. }) = (&rule.direct, &rule.matching)
            else {
                return HeldStep::Unknown;
            };
            // Whether a result differs is found out by terms that have cells, as is what may become equal.
            if rule.repeats || rule.compares {
                return HeldStep::Unknown;
            }
            let passed = &mut self.passed[..];
            let mut tests = &tests[..];
            if candidate.is_first {
                passed[1] = tested;
                tests = &tests[1..];
            }
            for test in tests {
                match *test {
                    Test::Cell { at, functor, to } => {
                        let cell = found(words, arguments, passed, at);
                        if words[cell as usize] & FUNCTOR != functor {
                            continue 'candidates;
                        }
                        passed[to as usize] = cell;
                    }
                    Test::Literal { at, constant } => {
                        let cell = found(words, arguments, passed, at);
                        let wanted = self.program.constants[constant as usize];
                        if self.cells.functor(cell) != self.cells.functor(wanted)
                            || self.cells.raw(cell) != self.cells.raw(wanted)
                        {
                            continue 'candidates;
                        }
                    }
                    Test::Same { .. } => return HeldStep::Unknown,
                }
            }
            let became = match (&direct.one, direct.result) {
                (Some((_, sources)), _) if sources.len() > MOST_ARGUMENTS => {
                    return HeldStep::Builds(*candidate);
                }
                (Some((functor, sources)), _) => {
                    // No zip, which is not inlined everywhere.
                    for (i, &source) in sources.iter().enumerate() {
                        next[i % MOST_ARGUMENTS] = match source {
                            Source::Found(REDEX) => return HeldStep::Unknown,
                            Source::Found(at) => found(words, arguments, passed, at),
                            Source::Constant(i) => self.program.constants[i as usize],
                            Source::Made(_) => return HeldStep::Builds(*candidate),
                        };
                    }
                    held.functor = *functor;
                    held.count = sources.len();
                    held.side ^= 1;
                    held.cell = None;
                    None
                }
                (None, Source::Found(REDEX)) => return HeldStep::Unknown,
                (None, Source::Found(at)) => Some(found(words, arguments, passed, at)),
                (None, Source::Constant(i)) => Some(self.program.constants[i as usize]),
                (None, Source::Made(_)) => return HeldStep::Builds(*candidate),
            };
            let number = rule.rule;
            return match (self.count(number), became) {
                (false, _) => HeldStep::Stopped,
                (true, None) => HeldStep::Holds,
                (true, Some(cell)) => HeldStep::Became(cell),
            };
        }
        match functor.computes {
            true => HeldStep::Unknown,
            false => HeldStep::Stays,
        }
    }
}

/// Where a redex stands that is a variable of its rule, for which there need be no cell.
const REDEX: Spot = Spot { cell: 0, word: 0 };

/// What is at a spot of a pattern whose redex has no cell but `arguments`: one of these, or deeper.
#[inline(always)]
fn found(words: &[u32], arguments: &[u32; MOST_ARGUMENTS], passed: &[u32], at: Spot) -> u32 {
    match (at.cell, at.word) {
        (0, word) => arguments[(word as usize).wrapping_sub(ARGUMENTS) % MOST_ARGUMENTS],
        (cell, 0) => passed[cell as usize],
        (cell, word) => words[passed[cell as usize] as usize + word as usize],
    }
}
