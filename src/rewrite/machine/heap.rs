//! Cells of words: a functor's number and the addresses of the arguments.

use super::code::Program;
use crate::rewrite::evaluate::Value;
use crate::rewrite::generations::{Generations, YOUNG};
use crate::term::{Head, Id, Symbol, Terms};

/// Numbers of functors that every program has.
pub(super) const INT: u32 = 0;
pub(super) const REAL: u32 = 1;
pub(super) const TEXT: u32 = 2;
pub(super) const TRUE: u32 = 3;
pub(super) const FALSE: u32 = 4;
/// Marks a cell that was moved, or copied into an arena; the other bits are its new address, or its term.
const MOVED: u32 = 1 << 31;
/// Words for whose cells an arena makes room at once, at most.
const MOST_RESERVED: usize = 1 << 23;

/// The heap of a run.
pub(super) struct Heap {
    pub(super) words: Vec<u32>,
    /// Cells do not change but where holes are filled, so old ones lead to no young ones elsewhere.
    pub(super) generations: Generations,
    /// The addresses of words of old cells that were holes.
    filled: Vec<u32>,
    spare: Vec<u32>,
    texts: Vec<Symbol>,
}

impl Heap {
    pub(super) fn new() -> Heap {
        Heap {
            words: Vec::with_capacity(2 * YOUNG),
            generations: Generations::new(),
            filled: Vec::new(),
            spare: Vec::new(),
            texts: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn functor(&self, at: u32) -> u32 {
        self.words[at as usize]
    }

    /// Makes a cell and returns its address.
    #[inline]
    pub(super) fn make(&mut self, functor: u32, args: &[u32]) -> u32 {
        let at = self.words.len() as u32;
        self.words.reserve(args.len() + 1);
        self.words.push(functor);
        for &arg in args {
            self.words.push(arg);
        }
        at
    }

    /// Begins a cell whose arguments are put behind it, and returns its address.
    #[inline(always)]
    pub(super) fn begin(&mut self, functor: u32) -> u32 {
        let at = self.words.len() as u32;
        self.words.push(functor);
        at
    }

    /// Fills the hole of a cell.
    #[inline]
    pub(super) fn fill(&mut self, cell: u32, hole: u32, value: u32) {
        let at = cell + 1 + hole;
        self.words[at as usize] = value;
        if (at as usize) < self.generations.old {
            self.filled.push(at);
        }
    }

    /// Makes a literal.
    pub(super) fn literal(&mut self, value: Value) -> u32 {
        let wide = |bits: u64| [bits as u32, (bits >> 32) as u32];
        match value {
            Value::Int(i) => self.make(INT, &wide(i as u64)),
            Value::Real(x) => self.make(REAL, &wide(x.to_bits())),
            Value::Bool(b) => self.make(if b { TRUE } else { FALSE }, &[]),
            Value::Text(text) => {
                let number = self.texts.iter().position(|&t| t == text);
                let number = number.unwrap_or_else(|| {
                    self.texts.push(text);
                    self.texts.len() - 1
                });
                self.make(TEXT, &[number as u32])
            }
        }
    }

    /// The value of a literal.
    pub(super) fn value(&self, at: u32) -> Option<Value> {
        let at = at as usize;
        let bits = || u64::from(self.words[at + 1]) | u64::from(self.words[at + 2]) << 32;
        match self.words[at] {
            INT => Some(Value::Int(bits() as i64)),
            REAL => Some(Value::Real(f64::from_bits(bits()))),
            TEXT => Some(Value::Text(self.texts[self.words[at + 1] as usize])),
            TRUE => Some(Value::Bool(true)),
            FALSE => Some(Value::Bool(false)),
            _ => None,
        }
    }

    /// Number of words after a functor, and whether they are addresses.
    #[inline]
    fn extent(program: &Program, functor: u32) -> (usize, bool) {
        match functor {
            INT | REAL => (2, false),
            TEXT => (1, false),
            _ => (program.functors[functor as usize].arity, true),
        }
    }

    /// The addresses of a cell's arguments; a literal has none.
    pub(super) fn arguments(&self, program: &Program, at: u32) -> &[u32] {
        let (count, addresses) = Heap::extent(program, self.functor(at));
        let count = if addresses { count } else { 0 };
        &self.words[at as usize + 1..][..count]
    }

    /// Whether two cells are equal as trees.
    pub(super) fn equal(&self, program: &Program, a: u32, b: u32) -> bool {
        if a == b {
            return true;
        }
        if self.functor(a) != self.functor(b) {
            return false;
        }
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            if a == b {
                continue;
            }
            let functor = self.functor(a);
            if functor != self.functor(b) {
                return false;
            }
            let (count, addresses) = Heap::extent(program, functor);
            for i in 1..=count {
                let (x, y) = (self.words[a as usize + i], self.words[b as usize + i]);
                if addresses {
                    work.push((x, y));
                } else if x != y {
                    return false;
                }
            }
        }
        true
    }

    /// Whether a cell is the literal that another one is.
    pub(super) fn equal_literals(&self, at: u32, literal: u32) -> bool {
        if at == literal {
            return true;
        }
        let functor = self.functor(literal);
        let count = if functor == TEXT { 1 } else { 2 };
        let words = |at: u32| &self.words[at as usize..][..=count];
        self.functor(at) == functor && words(at) == words(literal)
    }

    /// Moves the young cells that the roots reach behind the old ones, now and then all cells to the
    /// front (Cheney 1970), and drops the rest. Most cells are needed for a short time, so that the
    /// young ones stay in the processor's cache (Ungar 1984).
    pub(super) fn compact(
        &mut self,
        program: &Program,
        roots: &mut [&mut Vec<u32>],
    ) -> Result<(), String> {
        let from = self.generations.first();
        let mut new = std::mem::take(&mut self.spare);
        new.clear();
        new.reserve(self.words.len() - from);
        for address in roots.iter_mut().flat_map(|root| root.iter_mut()) {
            *address = Heap::forward(&mut self.words, &mut new, from, program, *address);
        }
        for at in self.filled.drain(..) {
            // Where all cells move, these do so, too.
            if from > 0 {
                let value = self.words[at as usize];
                self.words[at as usize] =
                    Heap::forward(&mut self.words, &mut new, from, program, value);
            }
        }
        let mut at = 0;
        while at < new.len() {
            let (count, addresses) = Heap::extent(program, new[at]);
            if addresses {
                for i in at + 1..=at + count {
                    let old = new[i];
                    new[i] = Heap::forward(&mut self.words, &mut new, from, program, old);
                }
            }
            at += 1 + count;
        }
        let live = from + new.len();
        let roots: usize = roots.iter().map(|root| root.len()).sum();
        self.generations.collected(from, live, roots)?;
        self.spare = match from {
            0 => std::mem::replace(&mut self.words, new),
            _ => {
                self.words.truncate(from);
                self.words.extend_from_slice(&new);
                new
            }
        };
        Ok(())
    }

    fn forward(
        old: &mut [u32],
        new: &mut Vec<u32>,
        from: usize,
        program: &Program,
        at: u32,
    ) -> u32 {
        let start = at as usize;
        if start < from {
            return at;
        }
        let functor = old[start];
        if functor & MOVED != 0 {
            return functor & !MOVED;
        }
        let (count, _) = Heap::extent(program, functor);
        let moved = (from + new.len()) as u32;
        // A loop, no copy of a slice: there are two or three words.
        for &word in &old[start..=start + count] {
            new.push(word);
        }
        old[start] = MOVED | moved;
        moved
    }

    /// Copies a cell into an arena, shared parts once. The heap is at its end: where a cell was copied, its term stands
    /// in place of its functor.
    pub(super) fn export(mut self, program: &Program, root: u32, terms: &mut Terms) -> Id {
        // Most cells have an argument or more. Memory that is never written costs nothing.
        let cells = self.words.len().min(MOST_RESERVED) / 2;
        terms.reserve(cells, cells);
        let mut work = vec![root];
        let mut args = Vec::new();
        while let Some(&at) = work.last() {
            let functor = self.functor(at);
            let term = if functor & MOVED != 0 {
                work.pop();
                continue;
            } else if functor <= TEXT
                && let Some(value) = self.value(at)
            {
                crate::rewrite::evaluate::literal(terms, value)
            } else if functor == program.due {
                // What is owed is no part of the term.
                let value = self.words[at as usize + 2];
                match self.term(value) {
                    Some(term) => term,
                    None => {
                        work.push(value);
                        continue;
                    }
                }
            } else {
                args.clear();
                let waiting = work.len();
                for &arg in self.arguments(program, at) {
                    match self.term(arg) {
                        Some(term) => args.push(term),
                        None => work.push(arg),
                    }
                }
                if work.len() > waiting {
                    continue;
                }
                let head: Head = program.functors[functor as usize].head;
                terms.make(head, &args)
            };
            assert!(term.0 & MOVED == 0, "fewer than 2^31 terms");
            self.words[at as usize] = MOVED | term.0;
            work.pop();
        }
        self.term(root).unwrap_or(Id(0))
    }

    /// The term that a cell was copied to.
    fn term(&self, at: u32) -> Option<Id> {
        let word = self.functor(at);
        (word & MOVED != 0).then_some(Id(word & !MOVED))
    }
}
