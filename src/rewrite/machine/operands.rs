//! What instructions read: variables and constants where they stand, and from the stack only what took instructions to
//! compute.

use super::code::Program;
use super::compile::Compiler;
use super::run::Machine;
use crate::term::{Head, Id, Symbol, Terms};

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    /// A variable of the rule at work.
    Variable(u32),
    Constant(u32),
    /// A value that was computed before: so many from the top of the stack, from 1.
    Value(u32),
}

impl Operand {
    /// The address that an operand stands for, with the variables of the rule at work.
    #[inline(always)]
    pub(super) fn read(self, variables: &[u32], constants: &[u32], values: &[u32]) -> u32 {
        match self {
            Operand::Variable(i) => variables[i as usize],
            Operand::Constant(i) => constants[i as usize],
            Operand::Value(back) => values[values.len() - back as usize],
        }
    }
}

/// The arguments of a functor: variables and constants are read where they stand, and only what takes instructions to
/// compute is on the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Arguments {
    /// Where they begin among the operands of the program.
    pub(super) first: u32,
    /// How many of them are on the stack, which the instruction takes off it.
    pub(super) taken: u32,
}

impl Program {
    /// The operands of a functor's arguments, but for so many.
    #[inline]
    pub(super) fn operands(&self, functor: u32, arguments: Arguments, but: usize) -> &[Operand] {
        let count = self.functors[functor as usize].arity - but;
        &self.operands[arguments.first as usize..][..count]
    }
}

impl Machine<'_> {
    /// Puts arguments into the first registers.
    #[inline]
    pub(super) fn load(&mut self, functor: u32, arguments: Arguments, base: usize) {
        let operands = self.program.operands(functor, arguments, 0);
        let variables = &self.variables[base..];
        for (i, operand) in operands.iter().enumerate() {
            self.registers[i] = operand.read(variables, &self.constants, &self.values);
        }
        self.take(arguments);
    }

    /// Makes a cell on arguments.
    #[inline]
    pub(super) fn make(&mut self, functor: u32, arguments: Arguments, base: usize) {
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

    /// Takes arguments off the stack.
    #[inline]
    pub(super) fn take(&mut self, arguments: Arguments) {
        if arguments.taken > 0 {
            let left = self.values.len() - arguments.taken as usize;
            self.values.truncate(left);
        }
    }
}

impl Compiler {
    /// Whether a part of a template takes no instructions where it is an argument.
    pub(super) fn is_operand(&self, terms: &Terms, id: Id) -> bool {
        let functor = || self.functor_in_use(terms.head(id), 0);
        self.is_kept(terms, id)
            || terms.arity(id) == 0 && !functor().is_some_and(|f| self.has_rules(f))
    }

    /// What stands for such a part.
    pub(super) fn operand(&mut self, terms: &Terms, id: Id, names: &[Symbol]) -> Operand {
        let kept = self.kept.iter().find(|(part, _)| terms.equal(*part, id));
        match terms.head(id) {
            _ if let Some(&(_, variable)) = kept => Operand::Variable(variable),
            Head::Variable(name) if let Some(slot) = names.iter().position(|&n| n == name) => {
                Operand::Variable(slot as u32)
            }
            head => Operand::Constant(self.constant(head)),
        }
    }

    /// Arguments of which those are on the stack that take instructions.
    pub(super) fn arguments<'t>(
        &mut self,
        terms: &Terms,
        args: impl Iterator<Item = &'t Id> + Clone,
        names: &[Symbol],
    ) -> Arguments {
        let first = self.program.operands.len() as u32;
        let computed = args.clone().filter(|&&arg| !self.is_operand(terms, arg));
        let taken = computed.count() as u32;
        let mut back = taken;
        for &arg in args {
            let operand = match self.is_operand(terms, arg) {
                true => self.operand(terms, arg, names),
                false => {
                    back -= 1;
                    Operand::Value(back + 1)
                }
            };
            self.program.operands.push(operand);
        }
        Arguments { first, taken }
    }

    /// So many arguments, all of them on the stack.
    pub(super) fn on_the_stack(&mut self, count: u32) -> Arguments {
        let first = self.program.operands.len() as u32;
        let operands = (1..=count).rev().map(Operand::Value);
        self.program.operands.extend(operands);
        Arguments {
            first,
            taken: count,
        }
    }

    /// Whether a part of a template is taken from the pattern as it is.
    pub(super) fn is_kept(&self, terms: &Terms, id: Id) -> bool {
        self.kept.iter().any(|&(part, _)| terms.equal(part, id))
    }
}
