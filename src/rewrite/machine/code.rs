//! What rules are compiled to.

use super::operands::{Arguments, Operand};
use crate::rewrite::evaluate::{Meaning, Value};
use crate::rewrite::standard::table::Form;
use crate::term::Head;

/// An instruction. Values are addresses on a stack; the variables of the rule at work are an
/// array of addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    /// Pushes a variable.
    Variable(u32),
    /// Pushes a constant.
    Constant(u32),
    /// Makes a cell of a functor that no rule and no meaning belong to.
    Make {
        functor: u32,
        arguments: Arguments,
    },
    /// Makes a cell of such a functor whose argument at `hole` is still to come: what the code ends with, which is a
    /// call.
    Open {
        functor: u32,
        arguments: Arguments,
        hole: u32,
    },
    /// Puts the value of a call into the hole that waits for it, and goes back with the first cell that has one.
    Fill,
    /// Reduces a functor on arguments.
    Call {
        functor: u32,
        arguments: Arguments,
    },
    /// Likewise, where FirstTop may repeat or drop what comes of it: a run that counts as that does owes the rewrites.
    Defer {
        functor: u32,
        arguments: Arguments,
    },
    /// Ends a rule's result, which is on the stack.
    Return,
    /// Ends the run.
    Halt,
    /// Pops into a variable.
    Bind(u32),
    /// Goes on elsewhere unless a variable is this truth value.
    JumpUnless {
        variable: u32,
        is: u32,
        to: u32,
    },
    /// Goes on elsewhere unless two variables have equal values.
    JumpUnlike {
        a: u32,
        b: u32,
        to: u32,
    },
    /// Goes on elsewhere if the top of the stack is this truth value; leaves it there.
    JumpIf {
        is: u32,
        to: u32,
    },
    /// Goes on elsewhere.
    Jump(u32),
    /// Pops a truth value that was left there.
    Drop,
    /// Pops two truth values and pushes their conjunction or disjunction after Kleene.
    And,
    Or,
    Not,
    /// Pops two terms and pushes whether they are equal.
    Equal,
    /// Counts a rule as fired.
    Fire(u32),
    /// Notes how often each rule has fired: what comes next stands in the result again.
    Note,
    /// The value that was noted is on the stack, and stays there; it goes into a variable, and how often rules
    /// fired for it takes the place of the note.
    Keep(u32),
    /// Pushes a value that was kept and counts the rewrites that it took once more, going on elsewhere; where that is
    /// beyond the bound, what follows computes it anew. `back` says how many notes before the last one its own is.
    Again {
        variable: u32,
        back: u32,
        to: u32,
    },
    /// Drops so many notes.
    Forget(u32),
    /// The rule does not fire: goes on with the candidate after this one.
    Next {
        functor: u32,
        candidate: u32,
    },
}

/// A test of a matcher over registers; the first registers are the arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Test {
    /// A register holds a cell of this functor; its arguments go to registers from `to`.
    Cell {
        register: u32,
        functor: u32,
        arity: u32,
        to: u32,
    },
    /// A register holds a literal equal to a constant.
    Literal { register: u32, constant: u32 },
    /// Two registers hold equal terms.
    Same { a: u32, b: u32 },
}

/// A rule as a candidate for its functor.
pub(super) struct Candidate {
    /// Its index in the rule base.
    pub(super) rule: u32,
    pub(super) tests: Vec<Test>,
    /// How many of its first tests are those of the candidate before: what they find stands in the registers already.
    pub(super) again: usize,
    /// Registers of the variables, in their order.
    pub(super) variables: Vec<u32>,
    /// Variables beside those of the pattern.
    pub(super) extra: u32,
    /// Whether it can turn out not to fire, so that the arguments must be kept; they are kept
    /// after all other variables.
    pub(super) conditional: bool,
    pub(super) code: u32,
}

pub(super) struct Functor {
    pub(super) head: Head,
    pub(super) arity: usize,
    pub(super) candidates: Vec<Candidate>,
    pub(super) meaning: Option<Meaning>,
    pub(super) form: Option<Form>,
}

/// A compiled system with the term it is to normalise.
pub(super) struct Program {
    pub(super) functors: Vec<Functor>,
    pub(super) code: Vec<Op>,
    /// The arguments of its instructions.
    pub(super) operands: Vec<Operand>,
    /// Literals, and functors without arguments.
    pub(super) constants: Vec<Result<Value, u32>>,
    pub(super) start: u32,
    /// The rules of the system, by their indices in the rule base.
    pub(super) rules: Vec<u32>,
    /// Registers that matching needs at most.
    pub(super) registers: usize,
    /// The first of the functors of what is owed, in a program for that.
    pub(super) due: u32,
}

/// What a call does.
pub(super) enum Called {
    /// A rule's code follows.
    Code(u32),
    /// The value is on the stack.
    Value,
}
