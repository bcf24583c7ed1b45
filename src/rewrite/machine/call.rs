//! A call: which rule fires on the arguments on the stack, or what comes of them where none does.

use super::code::{Called, Candidate, Test};
use super::run::{MOST_ARGUMENTS, Machine};
use crate::rewrite::evaluate::Value;

impl Machine<'_> {
    /// Reduces a functor on the arguments that are on top of the stack, trying its candidates
    /// from the `first`-th on. A rule's variables are put at `under`.
    #[inline]
    pub(super) fn call(&mut self, functor: u32, first: usize, under: usize) -> Called {
        let known = &self.program.functors[functor as usize];
        let bottom = self.values.len() - known.arity;
        if self.stopped {
            return self.leave_as_it_is(functor, bottom);
        }
        // Loops, not slice copies: there are two or three words, and a call costs more.
        for (i, &value) in self.values[bottom..].iter().enumerate() {
            self.registers[i] = value;
        }
        'candidates: for candidate in &known.candidates[first..] {
            for test in &candidate.tests {
                match *test {
                    Test::Cell {
                        register,
                        functor,
                        arity,
                        to,
                    } => {
                        let at = self.registers[register as usize] as usize;
                        if self.heap.words[at] != functor {
                            continue 'candidates;
                        }
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
                            continue 'candidates;
                        }
                    }
                    Test::Same { a, b } => {
                        let (a, b) = (self.registers[a as usize], self.registers[b as usize]);
                        if !self.are_same(a, b) {
                            continue 'candidates;
                        }
                    }
                }
            }
            if !candidate.conditional {
                if self.is_over() {
                    return self.leave_as_it_is(functor, bottom);
                }
                self.trace.fired(candidate.rule as usize);
            }
            self.variables.truncate(under);
            self.variables.reserve(candidate.variables.len());
            for &register in &candidate.variables {
                self.variables.push(self.registers[register as usize]);
            }
            if candidate.conditional || candidate.extra > 0 {
                self.fill(candidate, bottom);
            }
            self.values.truncate(bottom);
            return Called::Code(candidate.code);
        }
        self.unmatched(functor, bottom)
    }

    /// Whether two cells are equal. It is not inlined, nor is what else happens seldom: that would take registers from
    /// what happens at every call.
    #[inline(never)]
    fn are_same(&self, a: u32, b: u32) -> bool {
        self.heap.equal(self.program, a, b)
    }

    /// Puts variables behind those of the pattern, and the arguments where they may be needed again.
    #[inline(never)]
    fn fill(&mut self, candidate: &Candidate, bottom: usize) {
        let filled = self.variables.len() + candidate.extra as usize;
        self.variables
            .resize(filled, self.constants.first().copied().unwrap_or(0));
        if candidate.conditional {
            self.variables.extend_from_slice(&self.values[bottom..]);
        }
    }

    /// What a functor comes to for which no rule fires.
    #[inline(never)]
    fn unmatched(&mut self, functor: u32, bottom: usize) -> Called {
        let value = self.meaning(functor, bottom);
        let at = match value {
            Some(value) => self.heap.literal(value),
            None => match self.form(functor, bottom) {
                Some(at) => at,
                None => self.heap.make(functor, &self.values[bottom..]),
            },
        };
        self.values.truncate(bottom);
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

    /// Makes a cell of a functor on the arguments that are on top of the stack.
    fn leave_as_it_is(&mut self, functor: u32, bottom: usize) -> Called {
        let at = self.heap.make(functor, &self.values[bottom..]);
        self.values.truncate(bottom);
        self.values.push(at);
        Called::Value
    }

    /// What a standard functor gives on the arguments on the stack.
    fn meaning(&self, functor: u32, bottom: usize) -> Option<Value> {
        let meaning = self.program.functors[functor as usize].meaning?;
        let mut values = [Value::Int(0); MOST_ARGUMENTS];
        let args = &self.values[bottom..];
        for (slot, &arg) in values.iter_mut().zip(args) {
            *slot = self.heap.value(arg)?;
        }
        meaning(&values[..args.len()])
    }
}
