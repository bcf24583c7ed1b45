//! Cells of words: a functor, what the cell became, and the addresses of the arguments.
//!
//! A functor's word also says whether the cell is known to be normal, so that nothing is searched
//! twice, in whatever condition it was found out. It says so by the number of an epoch: when facts
//! change, another epoch begins, in which nothing is known to be normal.

use super::ages::Ages;
use crate::rewrite::evaluate::Value;
use crate::rewrite::generations::YOUNG;
use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// Numbers of functors that every run has.
pub(super) const INT: u32 = 0;
pub(super) const REAL: u32 = 1;
pub(super) const TEXT: u32 = 2;
pub(super) const TRUE: u32 = 3;
pub(super) const FALSE: u32 = 4;
/// A set, over the tree of its elements.
pub(super) const SET: u32 = 5;
/// A node of such a tree: its size, an element, and what stands before and behind it.
pub(super) const TREE: u32 = 6;
/// The tree of no elements; also what is neither true nor false.
pub(super) const EMPTY: u32 = 7;

/// The address of the one cell of [`EMPTY`].
pub(super) const NOTHING: u32 = 0;

/// The bits of a functor's number.
pub(super) const FUNCTOR: u32 = (1 << 21) - 1;
/// The bits of the epoch in which a cell was found to have no redex in it; 0 where it was not.
const NORMAL: u32 = !FUNCTOR & !MOVED;
/// The first epoch.
const FIRST: u32 = FUNCTOR + 1;
/// Marks a cell that was moved; the other bits are its new address.
pub(super) const MOVED: u32 = 1 << 31;
/// Words before the arguments.
pub(super) const ARGUMENTS: usize = 2;

/// What follows the functor of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Words that are no addresses.
    pub(super) raw: u32,
    /// Addresses, behind them.
    pub(super) arguments: u32,
    /// Whether no rule and no standard functor begins here, so that normal arguments are enough.
    pub(super) inert: bool,
    /// How many levels below such a cell its rules look.
    pub(super) sight: u16,
}

/// The cells of a run.
pub(super) struct Cells {
    pub(super) words: Vec<u32>,
    /// The shapes of functors, by number.
    pub(super) shapes: Vec<Shape>,
    /// Which of them are old, and when they are collected.
    pub(super) ages: Ages,
    /// The epoch, in its bits.
    epoch: u32,
    texts: Vec<Symbol>,
    numbers: FxHashMap<Symbol, u32>,
}

impl Cells {
    pub(super) fn new() -> Cells {
        Cells {
            words: Vec::with_capacity(2 * YOUNG),
            shapes: Vec::new(),
            ages: Ages::new(),
            epoch: FIRST,
            texts: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    #[inline]
    pub(super) fn functor(&self, at: u32) -> u32 {
        self.words[at as usize] & FUNCTOR
    }

    /// Whether no rule and no standard functor begins at a cell.
    #[inline]
    pub(super) fn is_inert(&self, at: u32) -> bool {
        self.shapes[self.functor(at) as usize].inert
    }

    #[inline]
    pub(super) fn is_normal(&self, at: u32) -> bool {
        self.words[at as usize] & NORMAL == self.epoch
    }

    #[inline]
    pub(super) fn set_normal(&mut self, at: u32) {
        let word = &mut self.words[at as usize];
        *word = *word & FUNCTOR | self.epoch;
    }

    /// Begins an epoch: no cell is known to be normal.
    pub(super) fn begin_epoch(&mut self) {
        self.epoch += FIRST;
        if self.epoch & MOVED != 0 {
            // All numbers were given: they begin again, and no cell may have one.
            self.epoch = FIRST;
            let mut at = 0;
            while at < self.words.len() {
                self.words[at] &= FUNCTOR;
                let shape = self.shapes[self.words[at] as usize];
                at += ARGUMENTS + (shape.raw + shape.arguments) as usize;
            }
        }
        self.set_normal(NOTHING);
    }

    /// Whether there are more functors than a word tells apart.
    pub(super) fn has_too_many_functors(&self) -> bool {
        self.shapes.len() > FUNCTOR as usize
    }

    /// What the cell became in the pass at work, or [`NOTHING`].
    #[inline]
    pub(super) fn became(&self, at: u32) -> u32 {
        self.words[at as usize + 1]
    }

    #[inline]
    pub(super) fn set_became(&mut self, at: u32, new: u32) {
        self.words[at as usize + 1] = new;
        self.ages.note(at, new);
    }

    /// The addresses in a cell; not those of a set's elements.
    #[inline]
    pub(super) fn arguments(&self, at: u32) -> &[u32] {
        let shape = self.shapes[self.functor(at) as usize];
        let first = at as usize + ARGUMENTS + shape.raw as usize;
        &self.words[first..first + shape.arguments as usize]
    }

    #[inline]
    pub(super) fn argument(&self, at: u32, i: usize) -> u32 {
        self.words[at as usize + ARGUMENTS + i]
    }

    /// Makes a cell of a functor without words that are no addresses.
    #[inline]
    pub(super) fn make(&mut self, functor: u32, arguments: &[u32]) -> u32 {
        let at = self.words.len();
        self.words.push(functor);
        self.words.push(NOTHING);
        // No copy of a slice: there are two or three words, and a call costs more.
        for &argument in arguments {
            self.words.push(argument);
        }
        if self.shapes[functor as usize].inert {
            self.settle_made(at, arguments.len());
        }
        at as u32
    }

    /// Makes a cell like another one, with a new address in one of its words.
    #[inline]
    pub(super) fn make_like(&mut self, cell: u32, word: usize, new: u32) -> u32 {
        let shape = self.shapes[self.functor(cell) as usize];
        let at = self.copy(cell);
        self.words[at as usize + word] = new;
        if shape.inert {
            self.settle_made(at as usize, shape.arguments as usize);
        }
        at
    }

    /// A cell like another one that is not known to be normal.
    #[inline]
    pub(super) fn copy(&mut self, at: u32) -> u32 {
        let shape = self.shapes[self.functor(at) as usize];
        let count = ARGUMENTS + (shape.raw + shape.arguments) as usize;
        let new = self.words.len();
        self.words
            .extend_from_within(at as usize..at as usize + count);
        self.words[new] &= FUNCTOR;
        self.words[new + 1] = NOTHING;
        new as u32
    }

    /// Makes a cell that begins with a word that is no address.
    pub(super) fn make_tree(&mut self, size: u32, parts: [u32; 3]) -> u32 {
        let at = self.words.len();
        let is_normal = parts.iter().all(|&part| self.is_normal(part));
        let epoch = if is_normal { self.epoch } else { 0 };
        self.words.extend([TREE | epoch, NOTHING, size]);
        self.words.extend(parts);
        at as u32
    }

    /// Makes a literal.
    pub(super) fn literal(&mut self, value: Value) -> u32 {
        let (functor, bits, count) = match value {
            Value::Int(i) => (INT, i as u64, 2),
            Value::Real(x) => (REAL, x.to_bits(), 2),
            Value::Bool(b) => (if b { TRUE } else { FALSE }, 0, 0),
            Value::Text(text) => {
                let next = self.texts.len() as u32;
                let number = *self.numbers.entry(text).or_insert(next);
                if number == next {
                    self.texts.push(text);
                }
                (TEXT, u64::from(number), 1)
            }
        };
        let at = self.words.len() as u32;
        let inert = self.shapes[functor as usize].inert;
        self.words
            .push(if inert { functor | self.epoch } else { functor });
        self.words.push(NOTHING);
        self.words
            .extend(&[bits as u32, (bits >> 32) as u32][..count]);
        at
    }

    /// The value of a literal.
    #[inline]
    pub(super) fn value(&self, at: u32) -> Option<Value> {
        let first = at as usize + ARGUMENTS;
        let bits = || u64::from(self.words[first]) | u64::from(self.words[first + 1]) << 32;
        match self.functor(at) {
            INT => Some(Value::Int(bits() as i64)),
            REAL => Some(Value::Real(f64::from_bits(bits()))),
            TEXT => Some(Value::Text(self.texts[self.words[first] as usize])),
            TRUE => Some(Value::Bool(true)),
            FALSE => Some(Value::Bool(false)),
            _ => None,
        }
    }

    /// The words of a cell that are no addresses.
    #[inline]
    pub(super) fn raw(&self, at: u32) -> &[u32] {
        let shape = self.shapes[self.functor(at) as usize];
        let first = at as usize + ARGUMENTS;
        &self.words[first..first + shape.raw as usize]
    }

    /// Whether two cells are equal as trees.
    pub(super) fn equal(&self, a: u32, b: u32) -> bool {
        a == b || self.functor(a) == self.functor(b) && self.equal_below(a, b)
    }

    /// Likewise, of cells of one functor that are not the same.
    fn equal_below(&self, mut a: u32, mut b: u32) -> bool {
        // Pairs that are left for later: a chain of cells of one argument each leaves none.
        let mut work: Vec<(u32, u32)> = Vec::new();
        loop {
            let mut next = None;
            if a != b {
                let functor = self.functor(a);
                let shape = self.shapes[functor as usize];
                let has_other_words = || functor != TREE && self.raw(a) != self.raw(b);
                if functor != self.functor(b) || shape.raw > 0 && has_other_words() {
                    return false;
                }
                if functor == SET {
                    // Trees of the same elements may differ.
                    let (mut x, mut y) = (Vec::new(), Vec::new());
                    self.elements(self.argument(a, 0), &mut x);
                    self.elements(self.argument(b, 0), &mut y);
                    if x.len() != y.len() {
                        return false;
                    }
                    work.extend(x.into_iter().zip(y));
                } else if shape.arguments > 0 {
                    let first = ARGUMENTS + shape.raw as usize;
                    let pair = |i: usize| (self.words[a as usize + i], self.words[b as usize + i]);
                    for i in (first + 1..first + shape.arguments as usize).rev() {
                        work.push(pair(i));
                    }
                    next = Some(pair(first));
                }
            }
            match next.or_else(|| work.pop()) {
                Some(pair) => (a, b) = pair,
                None => return true,
            }
        }
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.words.len() > self.ages.generations.limit || self.has_too_many_functors()
    }
}
