//! The tests of a pattern at work.

use super::cells::{ARGUMENTS, Cells};
use super::code::Test;

/// What came of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    Yes,
    No,
    /// Two terms differ that should be equal, and they may become so: they are not normal.
    DiffersNow,
}

impl Cells {
    /// Makes the tests of a pattern at a cell; what they find is in the registers.
    #[inline]
    pub(super) fn pass(
        &self,
        tests: &[Test],
        cell: u32,
        registers: &mut [u32],
        constants: &[u32],
    ) -> Passed {
        registers[0] = cell;
        for test in tests {
            match *test {
                Test::Open { count } => self.open_into(cell, 1, count, registers),
                Test::Cell {
                    register,
                    functor,
                    to,
                } => {
                    let at = registers[register as usize];
                    if self.functor(at) != functor {
                        return Passed::No;
                    }
                    let count = self.shapes[functor as usize].arguments;
                    self.open_into(at, to, count, registers);
                }
                Test::Literal { register, constant } => {
                    let at = registers[register as usize];
                    let wanted = constants[constant as usize];
                    if self.functor(at) != self.functor(wanted) || self.raw(at) != self.raw(wanted)
                    {
                        return Passed::No;
                    }
                }
                Test::Same { a, b } => {
                    let (a, b) = (registers[a as usize], registers[b as usize]);
                    if !self.equal(a, b) {
                        return match self.is_normal(a) && self.is_normal(b) {
                            true => Passed::No,
                            false => Passed::DiffersNow,
                        };
                    }
                }
            }
        }
        Passed::Yes
    }

    /// Puts arguments of a cell into registers from `to` on.
    #[inline]
    fn open_into(&self, cell: u32, to: u32, count: u32, registers: &mut [u32]) {
        let first = cell as usize + ARGUMENTS;
        // A loop, no copy of a slice: there are two or three words.
        for i in 0..count as usize {
            registers[to as usize + i] = self.words[first + i];
        }
    }
}
