//! Results that are made of what the matcher found, constants and new cells alone: one block of
//! words, copied and filled in, without a stack.

use super::cells::{ARGUMENTS, Cells, NOTHING};
use super::code::{Op, Spot};

/// A cell's argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Found(Spot),
    Constant(u32),
    /// The cell that begins so many words behind the first one that is made.
    Made(u32),
}

/// How a result is made.
#[derive(Debug)]
pub(super) struct Direct {
    /// The cells that are made, without their arguments.
    block: Vec<u32>,
    /// The arguments, each with the word of the block in which it stands.
    found: Vec<(u32, Spot)>,
    constants: Vec<(u32, u32)>,
    made: Vec<(u32, u32)>,
    /// The cells at which no rule begins, by their first words, each with the number of its arguments: they are
    /// normal where those are. What a cell is made of comes before it.
    inert: Vec<(u32, u32)>,
    pub(super) result: Source,
    /// Its functor and arguments, where it is one new cell of what was found and of constants.
    pub(super) one: Option<(u32, Vec<Source>)>,
}

impl Direct {
    /// From the code of a result; nothing where that does more.
    pub(super) fn of(code: &[Op], cells: &Cells, constants: &[u32]) -> Option<Direct> {
        let mut stack = Vec::new();
        let mut direct = Direct {
            block: Vec::new(),
            found: Vec::new(),
            constants: Vec::new(),
            made: Vec::new(),
            inert: Vec::new(),
            result: Source::Made(0),
            one: None,
        };
        for op in code {
            let start = direct.block.len() as u32;
            match *op {
                // Of a rule for any term, the variable that is its pattern is in no cell.
                Op::Found(Spot::REDEX) => return None,
                Op::Found(at) => stack.push(Source::Found(at)),
                Op::Constant(i) => stack.push(Source::Constant(i)),
                Op::Fresh(i) => {
                    let constant = constants[i as usize];
                    direct.block.extend([cells.functor(constant), NOTHING]);
                    direct.block.extend_from_slice(cells.raw(constant));
                    direct.one = None;
                    stack.push(Source::Made(start));
                }
                Op::Make(functor) => {
                    let shape = cells.shapes[functor as usize];
                    let first = stack.len().checked_sub(shape.arguments as usize)?;
                    direct.block.extend([functor, NOTHING]);
                    direct.one = (start == 0).then(|| (functor, stack[first..].to_vec()));
                    for source in stack.drain(first..) {
                        let word = direct.block.len() as u32;
                        match source {
                            Source::Found(at) => direct.found.push((word, at)),
                            Source::Constant(i) => direct.constants.push((word, i)),
                            Source::Made(offset) => direct.made.push((word, offset)),
                        }
                        direct.block.push(NOTHING);
                    }
                    if shape.inert {
                        direct.inert.push((start, shape.arguments));
                    }
                    stack.push(Source::Made(start));
                }
                Op::Done => {
                    direct.result = stack.pop()?;
                    return Some(direct);
                }
                _ => return None,
            }
        }
        None
    }
}

impl Cells {
    /// Makes the result of a rule of which a pattern went through the cells in `passed`.
    #[inline(always)]
    pub(super) fn build(&mut self, direct: &Direct, passed: &[u32], constants: &[u32]) -> u32 {
        let start = self.words.len();
        let argument = |words: &[u32], at: Spot| {
            let cell = passed[at.cell as usize];
            words[cell as usize + at.word as usize]
        };
        match direct.result {
            Source::Found(at) => argument(&self.words, at),
            Source::Constant(i) => constants[i as usize],
            Source::Made(offset) => {
                self.words.extend_from_slice(&direct.block);
                let (words, block) = self.words.split_at_mut(start);
                for &(word, at) in &direct.found {
                    block[word as usize] = argument(words, at);
                }
                for &(word, offset) in &direct.made {
                    block[word as usize] = start as u32 + offset;
                }
                for &(word, i) in &direct.constants {
                    block[word as usize] = constants[i as usize];
                }
                for &(word, count) in &direct.inert {
                    self.settle_made(start + word as usize, count as usize);
                }
                start as u32 + offset
            }
        }
    }

    /// Notes that a new cell at which no rule begins is normal, where its arguments are.
    #[inline]
    pub(super) fn settle_made(&mut self, at: usize, count: usize) {
        let first = at + ARGUMENTS;
        for i in first..first + count {
            if !self.is_normal(self.words[i]) {
                return;
            }
        }
        self.set_normal(at as u32);
    }
}
