//! A call: which rule fires on the arguments on the stack, or what comes of them where none does.

use super::code::{Called, Candidate, Test};
use super::run::{MOST_ARGUMENTS, Machine};
use crate::rewrite::evaluate::Value;

impl Machine<'_> {
    /// Reduces a functor on the arguments in the first registers, trying its candidates
    /// from the `first`-th on. A rule's variables are put at `under`.
    #[inline]
    pub(super) fn call(&mut self, functor: u32, first: usize, under: usize) -> Called {
        let known = &self.program.functors[functor as usize];
        if self.stopped {
            return self.leave_as_it_is(functor);
        }
        // How many tests of the candidate before passed until one did not; nothing is known before the first candidate.
        let mut passed = usize::MAX;
        'candidates: for candidate in &known.candidates[first..] {
            let mut next = match passed {
                usize::MAX => 0,
                _ => candidate.again,
            };
            if next > passed {
                // The test that did not pass is one of this candidate, too.
                continue;
            }
            while let Some(test) = candidate.tests.get(next) {
                match *test {
                    Test::Cell {
                        register,
                        functor,
                        arity,
                        to,
                    } => {
                        let at = self.registers[register as usize] as usize;
                        if self.heap.words[at] != functor {
                            passed = next;
                            continue 'candidates;
                        }
                        // A loop, no copy of a slice: there are two or three words, and a call costs more.
                        let args = &self.heap.words[at + 1..][..arity as usize];
                        for (i, &arg) in args.iter().enumerate() {
                            self.registers[to as usize + i] = arg;
                        }
                    }
                    Test::Literal { register, constant } => {
                        // Mostly there is no literal of that kind.
                        let at = self.registers[register as usize];
                        let literal = self.constants[constant as usize];
                        if self.heap.functor(at) != self.heap.functor(literal)
                            || !self.heap.equal_literals(at, literal)
                        {
                            passed = next;
                            continue 'candidates;
                        }
                    }
                    Test::Same { a, b } => {
                        let (a, b) = (self.registers[a as usize], self.registers[b as usize]);
                        if !self.are_same(a, b) {
                            passed = next;
                            continue 'candidates;
                        }
                    }
                }
                next += 1;
            }
            if !candidate.conditional {
                if self.is_over() {
                    return self.leave_as_it_is(functor);
                }
                self.trace.fired(candidate.rule as usize);
            }
            let top = under + candidate.variables.len();
            if top > self.variables.len() {
                self.grow(top);
            }
            let places = &mut self.variables[under..top];
            for (i, &register) in candidate.variables.iter().enumerate() {
                places[i] = self.registers[register as usize];
            }
            self.top = top;
            if candidate.conditional || candidate.extra > 0 {
                self.fill(candidate, known.arity);
            }
            return Called::Code(candidate.code);
        }
        self.unmatched(functor)
    }

    /// Whether two cells are equal. It is not inlined, nor is what else happens seldom: that would take registers from
    /// what happens at every call.
    #[inline(never)]
    fn are_same(&self, a: u32, b: u32) -> bool {
        self.heap.equal(self.program, a, b)
    }

    /// Puts variables behind those of the pattern, and the arguments where they may be needed again.
    #[inline(never)]
    fn fill(&mut self, candidate: &Candidate, arity: usize) {
        let kept = if candidate.conditional { arity } else { 0 };
        let filled = self.top + candidate.extra as usize;
        if filled + kept > self.variables.len() {
            self.grow(filled + kept);
        }
        self.variables[self.top..filled].fill(self.constants.first().copied().unwrap_or(0));
        self.variables[filled..filled + kept].copy_from_slice(&self.registers[..kept]);
        self.top = filled + kept;
    }

    /// Makes room for so many variables.
    #[cold]
    fn grow(&mut self, count: usize) {
        self.variables
            .resize(count.next_power_of_two().max(1 << 10), 0);
    }

    /// What a functor comes to for which no rule fires.
    #[inline(never)]
    fn unmatched(&mut self, functor: u32) -> Called {
        let at = match self.meaning(functor) {
            Some(value) => self.heap.literal(value),
            None => match self.form(functor) {
                Some(at) => at,
                None => return self.leave_as_it_is(functor),
            },
        };
        self.values.push(at);
        Called::Value
    }

    /// Whether a limit is reached.
    #[inline]
    pub(super) fn is_over(&mut self) -> bool {
        let is_over = self.trace.rewrites >= self.limits.steps || self.limits.is_over();
        if is_over {
            self.stopped = true;
        }
        is_over
    }

    /// Makes a cell of a functor on the arguments in the first registers.
    fn leave_as_it_is(&mut self, functor: u32) -> Called {
        let arity = self.program.functors[functor as usize].arity;
        let at = self.heap.make(functor, &self.registers[..arity]);
        self.values.push(at);
        Called::Value
    }

    /// What a standard functor gives on the arguments in the first registers.
    fn meaning(&self, functor: u32) -> Option<Value> {
        let known = &self.program.functors[functor as usize];
        let meaning = known.meaning?;
        let mut values = [Value::Int(0); MOST_ARGUMENTS];
        let args = &self.registers[..known.arity];
        for (slot, &arg) in values.iter_mut().zip(args) {
            *slot = self.heap.value(arg)?;
        }
        meaning(&values[..args.len()])
    }
}
