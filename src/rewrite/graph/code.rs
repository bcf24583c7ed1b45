//! What rules are compiled to.

use super::cells::ARGUMENTS;
use super::direct::Direct;
use crate::term::Symbol;

/// An instruction. Values are addresses on a stack; the variables of the rule at work are an
/// array of addresses. Truth values are cells: whatever is neither true nor false is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    /// Pushes what the matcher found at a spot.
    Found(Spot),
    /// Pushes a variable.
    Variable(u32),
    /// Pushes a constant that is normal.
    Constant(u32),
    /// Pushes a new cell of a constant that rules may rewrite: each occurrence is a redex of
    /// its own.
    Fresh(u32),
    /// Pops arguments and makes a cell.
    Make(u32),
    /// Notes how many values there are.
    Mark,
    /// Pushes the terms of a sequence variable.
    Spread(u32),
    /// Pops what was pushed since the mark and makes a cell of a functor.
    MakeMarked(Symbol),
    /// Pops so many elements, or those since the mark, and makes a set.
    Set(Option<u32>),
    /// Pops the rest, then so many elements, or those since the mark, and makes a set.
    SetRest(Option<u32>),
    /// Pops a list of arguments and an atom, and makes a cell.
    AnyFunctor,
    /// Replaces a value by its normal form.
    Reduce,
    /// The truth is looked up in a term as it stands.
    Look,
    /// Pushes a variable that a question may have given its value. Without one the rule does not fire.
    Given(u32),
    /// Pushes a variable, or its name, a constant, where it has no value. Notes for the question that
    /// it is for whether there are variables in the value.
    Open {
        variable: u32,
        constant: u32,
        asks: bool,
    },
    /// A condition begins that takes facts.
    Choose,
    /// Pops the truth of the condition that begins at `from`. Unless it holds, it is judged again with
    /// the next choice of facts, as long as there is one. Pushes what came of it.
    Settle {
        from: u32,
    },
    /// What is asked from here on stands within a negation, or does not any more.
    Negate(bool),
    /// Pops a pattern and pushes whether a fact is matched by it.
    AskFact,
    /// Goes on elsewhere unless there may be facts of a functor.
    Knows {
        functor: u32,
        to: u32,
    },
    /// Goes on elsewhere with its truth instead of a question, if the facts know it.
    Known {
        to: u32,
    },
    /// Goes on elsewhere.
    Jump(u32),
    /// The rule fires and has actions; its result is popped.
    Commit,
    /// Pops an action and does it.
    Act,
    /// The actions are done.
    Acted,
    /// Pops into a variable.
    Bind(u32),
    /// Pops what was pushed since the mark into a sequence variable.
    BindMarked(u32),
    /// Pops two terms and pushes whether they are equal, or whether they are not.
    Equal {
        holds: bool,
    },
    /// Pops two terms and pushes whether the comparison holds where the first is less, equal or
    /// greater, going on elsewhere; pushes it as a term where they cannot be compared.
    Order {
        functor: u32,
        holds: [bool; 3],
        to: u32,
    },
    /// Pops two truth values and pushes their conjunction or disjunction after Kleene.
    And,
    Or,
    Not,
    /// Goes on elsewhere if the top of the stack is this truth value; leaves it there.
    JumpIf {
        is: u32,
        to: u32,
    },
    /// Goes on elsewhere unless a variable is this truth value.
    JumpUnless {
        variable: u32,
        is: u32,
        to: u32,
    },
    /// The rule does not fire for this match.
    Fail,
    /// The rule fires; its result is on the stack.
    Done,
}

/// Where the matcher finds a term: nothing is copied that is not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    /// Of the cells that the pattern goes through, the number; the first one is the redex.
    pub(super) cell: u32,
    /// The word of that cell in which the term's address is; 0 for the cell itself.
    pub(super) word: u32,
}

impl Spot {
    pub(super) const REDEX: Spot = Spot { cell: 0, word: 0 };

    /// An argument of a cell.
    pub(super) fn argument(cell: u32, argument: u32) -> Spot {
        Spot {
            cell,
            word: ARGUMENTS as u32 + argument,
        }
    }
}

/// A test of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// There is a cell of this functor, which becomes the `to`-th that the pattern goes through.
    Cell { at: Spot, functor: u32, to: u32 },
    /// There is a literal equal to a constant.
    Literal { at: Spot, constant: u32 },
    /// There are equal terms.
    Same { a: Spot, b: Spot },
}

/// What a pattern begins with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    /// A functor with so many arguments, or any number of them.
    Functor(Option<usize>),
    AnyFunctor,
    /// A literal: the number of its functor.
    Literal(u32),
    Anything,
}

/// How a pattern is matched.
pub(super) enum Matching {
    /// By tests, in one way at most; variables by their numbers.
    Tests {
        tests: Vec<Test>,
        variables: Vec<(u32, Spot)>,
    },
    /// By the general matcher.
    Search,
}

/// What an argument of a redex must begin with, before anything else is looked at.
#[derive(Clone, Copy)]
pub(super) struct First {
    pub(super) argument: u32,
    pub(super) functor: u32,
}

/// A compiled rule.
pub(super) struct RuleCode {
    /// Its index in the rule base.
    pub(super) rule: u32,
    pub(super) matching: Matching,
    /// Number of variables, those for truth values among them.
    pub(super) variables: u32,
    /// Whether it computes terms before it fires.
    pub(super) asks: bool,
    /// Variables that questions give their values.
    pub(super) given: Vec<u32>,
    /// How its result is made, where it is of what was matched and of constants alone, without any condition.
    pub(super) direct: Option<Direct>,
    /// Whether its result may be the redex again, and so no step.
    pub(super) repeats: bool,
    /// Whether a variable stands twice in its pattern.
    pub(super) compares: bool,
    pub(super) code: u32,
}

/// A compiled system.
#[derive(Default)]
pub(super) struct Program {
    pub(super) rules: Vec<RuleCode>,
    pub(super) code: Vec<Op>,
    /// Cells of literals and of functors without arguments, at first.
    pub(super) constants: Vec<u32>,
    /// Cells that a pattern goes through at most.
    pub(super) passed: usize,
    /// How many levels below its redex a pattern looks.
    pub(super) sight: usize,
    /// Whether a rule has actions.
    pub(super) acts: bool,
    /// Whether a rule has conditions or compares, also its result with the redex, or may be asked about the very term it
    /// is tried on, so that it may look deeper.
    pub(super) looks_deeper: bool,
}
