//! What answers questions and does actions from outside of the rules.

use crate::term::Symbol;

/// What an oracle says of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Whether it holds; None if the oracle does not know.
    Truth(Option<bool>),
    /// Terms of which each is the question with values for its variables, as texts.
    Facts(Vec<String>),
}

/// A program, or anything else, that answers questions and does actions. Terms are texts in the
/// syntax of rules.
pub trait Oracle {
    /// Whether it answers questions of a functor with so many arguments.
    fn answers(&self, functor: Symbol, arity: usize) -> bool;

    /// Whether it does actions of a functor with so many arguments.
    fn acts(&self, functor: Symbol, arity: usize) -> bool;

    /// Answers a question.
    ///
    /// # Errors
    ///
    /// In words: why there is no answer; the run is given up.
    fn ask(&mut self, question: &str) -> Result<Reply, String>;

    /// Does an action.
    ///
    /// # Errors
    ///
    /// In words: why it was not done; the run is given up.
    fn act(&mut self, action: &str) -> Result<(), String>;
}
