//! Code → normal form, with the counts of FirstTop where that rewrites each copy of a redex by itself, or drops some.
//!
//! Arguments come before the term, so that each redex is computed once; but what a step of FirstTop may repeat or drop
//! is not counted when it is computed. It is owed by the value: [`DUE`] is a cell over a value and the rewrites that
//! lead from the redex to the value's functor. Those within its arguments are owed by these. A rule that looks at a
//! functor pays what is due for it, as does the normal form for all functors in it, each as often as it stands there: that
//! is when FirstTop rewrites a copy. What is dropped is never paid.
//!
//! A call whose value is neither repeated nor dropped is `even`: its rewrites are counted at once, and what it pays is
//! owed by nobody.

use super::code::{Called, Op, Program, Test};
use super::heap::Heap;
use super::operands::Arguments;
use crate::rewrite::system::Trace;

/// Calls that wait for their arguments, and words of cells, at most: beyond that, FirstTop itself takes less.
const MOST_FRAMES: usize = 1 << 25;
const MOST_WORDS: usize = 1 << 26;

/// Marks the address of a cell whose arguments were visited. Addresses have 31 bits.
const VISITED: u32 = 1 << 31;

/// Rewrites that are paid at once; more are kept until the end.
const MOST_AT_ONCE: usize = 8;

/// The cell of what is owed where nothing is.
const NOTHING: u32 = 0;
/// The cell that stands for what is owed in a call that counts at once.
const EVEN: u32 = 1;

/// The functors of this run beside those of the program.
struct Kinds {
    /// What is owed, then a value.
    due: u32,
    /// What is owed twice over.
    sum: u32,
    /// A rewrite by the first rule of the program; those by others follow.
    unit: u32,
}

/// A run of a program that only replaces patterns by terms.
pub(super) struct Owing<'p> {
    program: &'p Program,
    pub(super) heap: Heap,
    kinds: Kinds,
    /// The cells of [`NOTHING`] and [`EVEN`], and one for each rule. They come first in the heap.
    fixed: Vec<u32>,
    /// Where the cells of rules stand there, by their indices in the base.
    units: Vec<usize>,
    constants: Vec<u32>,
    values: Vec<u32>,
    variables: Vec<u32>,
    /// Where callers go on, and where their variables begin.
    frames: Vec<(u32, u32)>,
    /// What is owed in the calls of the frames.
    owed: Vec<u32>,
    registers: Vec<u32>,
    /// What the tests of a rule found to be due.
    dues: Vec<u32>,
    /// What even calls paid.
    paid: u32,
    pub(super) trace: Trace,
    /// How many rewrites were made.
    spent: u64,
    /// Where it goes on: its code, variables and what is owed there.
    pc: usize,
    base: usize,
    at_work: u32,
    /// How many rewrites may be counted.
    most: u64,
}

/// What a run has come to.
pub(super) enum Come {
    /// The normal form, at this address.
    Result(u32),
    /// So many rewrites were made as were allowed for now.
    Paused,
    /// It counts more rewrites than may be counted, or takes more memory than it is worth.
    Beyond,
}

impl<'p> Owing<'p> {
    /// A run that counts no more than `most` rewrites; there are `rules` rules in the base. The last functors of the
    /// program are those of what is owed.
    pub(super) fn new(program: &'p Program, rules: usize, most: u64) -> Owing<'p> {
        let mut heap = Heap::new();
        let first = program.due;
        let kinds = Kinds {
            due: first,
            sum: first + 1,
            unit: first + 2,
        };
        // Cells without arguments have one word each, so that the first two have the addresses 0 and 1. Collections move
        // them first, so that they keep these.
        let mut fixed = vec![heap.make(kinds.unit, &[]), heap.make(kinds.unit, &[])];
        assert_eq!(fixed, [NOTHING, EVEN], "the heap is empty at first");
        for i in 0..program.rules.len() as u32 {
            fixed.push(heap.make(kinds.unit + i, &[]));
        }
        let mut units = vec![0; rules];
        for (i, &rule) in program.rules.iter().enumerate() {
            units[rule as usize] = 2 + i;
        }
        let constants = program.constants.iter().map(|constant| match *constant {
            Ok(value) => heap.literal(value),
            Err(functor) => heap.make(functor, &[]),
        });
        let constants = constants.collect();
        Owing {
            program,
            heap,
            kinds,
            fixed,
            units,
            constants,
            values: Vec::new(),
            variables: Vec::new(),
            frames: Vec::new(),
            owed: Vec::new(),
            registers: vec![0; program.registers.max(1)],
            dues: Vec::new(),
            paid: NOTHING,
            trace: Trace::new(rules),
            spent: 0,
            pc: program.start as usize,
            base: 0,
            at_work: EVEN,
            most,
        }
    }

    /// Goes on until so many rewrites are made since the beginning.
    pub(super) fn run(&mut self, made: u64) -> Come {
        self.go_on(made).unwrap_or(Come::Beyond)
    }

    fn go_on(&mut self, made: u64) -> Option<Come> {
        let code = &self.program.code[..];
        let (mut pc, mut base, mut owed) = (self.pc, self.base, self.at_work);
        loop {
            match code[pc] {
                Op::Variable(i) => self.values.push(self.variables[base + i as usize]),
                Op::Constant(i) => self.values.push(self.constants[i as usize]),
                Op::Make { functor, arguments } => {
                    let operands = self.program.operands(functor, arguments, 0);
                    let variables = &self.variables[base..];
                    let at = self.heap.begin(functor);
                    for operand in operands {
                        let value = operand.read(variables, &self.constants, &self.values);
                        self.heap.words.push(value);
                    }
                    self.take(arguments);
                    self.values.push(at);
                }
                op @ (Op::Call { functor, arguments } | Op::Defer { functor, arguments }) => {
                    if self.heap.words.len() > self.heap.generations.limit {
                        owed = self.compact(owed)?;
                    }
                    if self.spent >= made {
                        (self.pc, self.base, self.at_work) = (pc, base, owed);
                        return Some(Come::Paused);
                    }
                    let operands = self.program.operands(functor, arguments, 0);
                    let variables = &self.variables[base..];
                    for (i, operand) in operands.iter().enumerate() {
                        self.registers[i] = operand.read(variables, &self.constants, &self.values);
                    }
                    self.take(arguments);
                    // What a last call owes, its caller does.
                    let last = matches!(code[pc + 1], Op::Return);
                    let is_even = owed == EVEN && matches!(op, Op::Call { .. });
                    let mut own = match (last, is_even) {
                        (true, _) => owed,
                        (false, true) => EVEN,
                        (false, false) => NOTHING,
                    };
                    let under = if last { base } else { self.variables.len() };
                    if let Called::Code(to) = self.call(functor, under, &mut own) {
                        if !last {
                            self.frames.push((pc as u32 + 1, base as u32));
                            self.owed.push(owed);
                            if self.frames.len() > MOST_FRAMES {
                                return None;
                            }
                            base = under;
                        }
                        owed = own;
                        pc = to as usize;
                        continue;
                    }
                }
                Op::Return => {
                    if owed > EVEN {
                        let value = self.values.pop()?;
                        let value = self.due(owed, value);
                        self.values.push(value);
                    }
                    self.variables.truncate(base);
                    let (to, caller) = self.frames.pop()?;
                    owed = self.owed.pop()?;
                    base = caller as usize;
                    pc = to as usize;
                    continue;
                }
                Op::Halt => {
                    let result = self.values.pop()?;
                    return self.pay_all(result).then_some(Come::Result(result));
                }
                // Rules that only replace have no other code.
                _ => return None,
            }
            pc += 1;
        }
    }

    /// A value that owes something, beside what it owes already.
    fn due(&mut self, owed: u32, value: u32) -> u32 {
        let (mut owed, mut value) = (owed, value);
        if self.heap.functor(value) == self.kinds.due {
            let before = self.heap.words[value as usize + 1];
            value = self.heap.words[value as usize + 2];
            owed = self.sum(owed, before);
        }
        self.heap.make(self.kinds.due, &[owed, value])
    }

    fn sum(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (NOTHING, other) | (other, NOTHING) => other,
            _ => self.heap.make(self.kinds.sum, &[a, b]),
        }
    }

    /// Takes arguments off the stack.
    fn take(&mut self, arguments: Arguments) {
        let left = self.values.len() - arguments.taken as usize;
        self.values.truncate(left);
    }

    /// Finds the rule that fires for a functor on the arguments in the first registers, and counts it with what it
    /// pays: in what is `owed`, or at once.
    fn call(&mut self, functor: u32, under: usize, owed: &mut u32) -> Called {
        let known = &self.program.functors[functor as usize];
        for candidate in &known.candidates {
            if !self.passes(&candidate.tests) {
                continue;
            }
            self.variables.truncate(under);
            for &register in &candidate.variables {
                self.variables.push(self.registers[register as usize]);
            }
            self.spent += 1;
            if *owed == EVEN {
                self.trace.fired(candidate.rule as usize);
                for i in 0..self.dues.len() {
                    self.pay(self.dues[i]);
                }
            } else {
                let unit = self.fixed[self.units[candidate.rule as usize]];
                *owed = self.sum(*owed, unit);
                for i in 0..self.dues.len() {
                    *owed = self.sum(*owed, self.dues[i]);
                }
            }
            return Called::Code(candidate.code);
        }
        let at = self.heap.make(functor, &self.registers[..known.arity]);
        self.values.push(at);
        Called::Value
    }

    /// Counts what is due, at once where that is little.
    fn pay(&mut self, due: u32) {
        let mut rules = [0; MOST_AT_ONCE];
        let mut count = 0;
        let mut work = [due; MOST_AT_ONCE];
        let mut left = 1;
        while left > 0 {
            left -= 1;
            let at = work[left] as usize;
            let functor = self.heap.words[at];
            if functor != self.kinds.sum && count < MOST_AT_ONCE {
                rules[count] = functor - self.kinds.unit;
                count += 1;
            } else if functor == self.kinds.sum && left + 2 <= MOST_AT_ONCE {
                work[left] = self.heap.words[at + 1];
                work[left + 1] = self.heap.words[at + 2];
                left += 2;
            } else {
                self.paid = self.sum(self.paid, due);
                return;
            }
        }
        for &rule in &rules[..count] {
            self.trace
                .again(self.program.rules[rule as usize] as usize, 1);
        }
    }

    /// Makes the tests of a rule, and notes what is due for the functors that it looks at.
    fn passes(&mut self, tests: &[Test]) -> bool {
        self.dues.clear();
        for test in tests {
            let (Test::Cell { register, .. } | Test::Literal { register, .. }) = *test else {
                return false;
            };
            let mut at = self.registers[register as usize] as usize;
            if self.heap.words[at] == self.kinds.due {
                self.dues.push(self.heap.words[at + 1]);
                at = self.heap.words[at + 2] as usize;
            }
            match *test {
                Test::Cell {
                    functor, arity, to, ..
                } => {
                    if self.heap.words[at] != functor {
                        return false;
                    }
                    for i in 0..arity as usize {
                        self.registers[to as usize + i] = self.heap.words[at + 1 + i];
                    }
                }
                Test::Literal { constant, .. } => {
                    let literal = self.constants[constant as usize];
                    if !self.heap.equal_literals(at as u32, literal) {
                        return false;
                    }
                }
                Test::Same { .. } => return false,
            }
        }
        true
    }

    fn compact(&mut self, owed: u32) -> Option<u32> {
        self.owed.extend([owed, self.paid]);
        let mut roots = [
            &mut self.fixed,
            &mut self.constants,
            &mut self.values,
            &mut self.variables,
            &mut self.owed,
        ];
        self.heap.compact(self.program, &mut roots).ok()?;
        debug_assert_eq!(self.fixed[..2], [NOTHING, EVEN]);
        self.paid = self.owed.pop()?;
        let owed = self.owed.pop()?;
        (self.heap.words.len() <= MOST_WORDS).then_some(owed)
    }

    /// Counts what even calls paid, and what is due in the normal form wherever it stands there; false where that is
    /// more than may be.
    fn pay_all(&mut self, result: u32) -> bool {
        // Each cell behind all that lead to it, then how often it stands there.
        let mut order = Vec::new();
        let mut counts: Vec<u64> = vec![0; self.heap.words.len()];
        let mut work = vec![self.paid, result];
        while let Some(at) = work.pop() {
            if at & VISITED != 0 {
                order.push(at & !VISITED);
            } else if counts[at as usize] == 0 {
                counts[at as usize] = 1;
                work.push(at | VISITED);
                work.extend_from_slice(self.heap.arguments(self.program, at));
            }
        }
        for &at in &order {
            counts[at as usize] = 0;
        }
        counts[self.paid as usize] += 1;
        counts[result as usize] += 1;
        for &at in order.iter().rev() {
            let count = counts[at as usize];
            for &part in self.heap.arguments(self.program, at) {
                let all = counts[part as usize].checked_add(count);
                let Some(all) = all else { return false };
                counts[part as usize] = all;
            }
        }
        for (i, &rule) in self.program.rules.iter().enumerate() {
            let count = counts[self.fixed[2 + i] as usize];
            match self.trace.rewrites.checked_add(count) {
                Some(all) if all <= self.most => self.trace.again(rule as usize, count),
                _ => return false,
            }
        }
        true
    }
}
