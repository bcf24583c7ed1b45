//! The tests of a pattern at work.

use super::cells::Cells;
use super::code::{Spot, Test};
use super::functors::Candidate;

/// What came of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    Yes,
    No,
    /// Two terms differ that should be equal, and they may become so: they are not normal.
    DiffersNow,
}

impl Cells {
    /// Whether a rule may fire on a cell, as far as its first test tells.
    #[inline]
    pub(super) fn may_fire(&self, candidate: Candidate, cell: u32) -> bool {
        let at = cell as usize + candidate.word as usize;
        candidate.word == 0 || self.functor(self.words[at]) == candidate.functor
    }

    /// What is at a spot, by the cells that a pattern went through.
    #[inline(always)]
    pub(super) fn found(&self, at: Spot, passed: &[u32]) -> u32 {
        let cell = passed[at.cell as usize];
        match at.word {
            0 => cell,
            word => self.words[cell as usize + word as usize],
        }
    }

    /// Makes tests of a pattern; the cells that it goes through are in `passed`, the redex before that.
    #[inline(always)]
    pub(super) fn pass(&self, tests: &[Test], passed: &mut [u32], constants: &[u32]) -> Passed {
        for test in tests {
            match *test {
                Test::Cell { at, functor, to } => {
                    let cell = self.found(at, passed);
                    if self.functor(cell) != functor {
                        return Passed::No;
                    }
                    passed[to as usize] = cell;
                }
                test => match self.pass_other(test, passed, constants) {
                    Passed::Yes => {}
                    other => return other,
                },
            }
        }
        Passed::Yes
    }

    /// Makes a test that is not of a cell.
    #[inline(never)]
    fn pass_other(&self, test: Test, passed: &[u32], constants: &[u32]) -> Passed {
        match test {
            Test::Cell { .. } => Passed::No,
            Test::Literal { at, constant } => {
                let at = self.found(at, passed);
                let wanted = constants[constant as usize];
                match self.functor(at) == self.functor(wanted) && self.raw(at) == self.raw(wanted) {
                    true => Passed::Yes,
                    false => Passed::No,
                }
            }
            Test::Same { a, b } => {
                let (a, b) = (self.found(a, passed), self.found(b, passed));
                match self.equal(a, b) {
                    true => Passed::Yes,
                    false if self.is_normal(a) && self.is_normal(b) => Passed::No,
                    false => Passed::DiffersNow,
                }
            }
        }
    }
}
