//! Results that are made of what the matcher found, constants and new cells alone: one block of
//! words, without a stack.

use super::cells::{ARGUMENTS, Cells};
use super::code::Op;

/// A cell's argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// What the matcher found in a register.
    Register(u32),
    Constant(u32),
    /// The cell that begins so many words behind the first one that is made.
    Made(u32),
}

/// A cell that is made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Build {
    /// A cell of a functor on the next so many sources.
    Cell { functor: u32, count: u32 },
    /// A copy of a constant.
    Copy(u32),
}

/// How a result is made.
#[derive(Debug)]
pub(super) struct Direct {
    pub(super) builds: Vec<Build>,
    pub(super) sources: Vec<Source>,
    pub(super) result: Source,
}

impl Direct {
    /// From the code of a result; nothing where that does more.
    pub(super) fn of(code: &[Op], cells: &Cells, constants: &[u32]) -> Option<Direct> {
        let (mut builds, mut sources, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        let mut length = 0;
        for op in code {
            match *op {
                Op::Register(i) => stack.push(Source::Register(i)),
                Op::Constant(i) => stack.push(Source::Constant(i)),
                Op::Fresh(i) => {
                    builds.push(Build::Copy(i));
                    stack.push(Source::Made(length));
                    length += cells.length(cells.functor(constants[i as usize]));
                }
                Op::Make(functor) => {
                    let count = cells.shapes[functor as usize].arguments;
                    let first = stack.len().checked_sub(count as usize)?;
                    sources.extend(stack.drain(first..));
                    builds.push(Build::Cell { functor, count });
                    stack.push(Source::Made(length));
                    length += ARGUMENTS as u32 + count;
                }
                Op::Done => {
                    return Some(Direct {
                        builds,
                        sources,
                        result: stack.pop()?,
                    });
                }
                _ => return None,
            }
        }
        None
    }
}

impl Cells {
    /// Makes the result of a rule.
    #[inline]
    pub(super) fn build(&mut self, direct: &Direct, registers: &[u32], constants: &[u32]) -> u32 {
        let start = self.words.len() as u32;
        let cell = |source: Source| match source {
            Source::Register(i) => registers[i as usize],
            Source::Constant(i) => constants[i as usize],
            Source::Made(offset) => start + offset,
        };
        let mut sources = &direct.sources[..];
        for build in &direct.builds {
            match *build {
                Build::Cell { functor, count } => {
                    let (own, others) = sources.split_at(count as usize);
                    sources = others;
                    self.make_of(functor, own.iter().map(|&source| cell(source)));
                }
                Build::Copy(i) => {
                    self.copy(constants[i as usize]);
                }
            }
        }
        cell(direct.result)
    }
}
