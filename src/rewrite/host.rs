//! The one door through which the engine learns anything about what it rewrites.

use super::evaluate::evaluate;
use super::rule::FloatClass;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Path, Span, Symbol, Terms};
use serde::{Deserialize, Serialize};

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Follows from the scheme by a proof that an analysis made.
    Proved,
    /// Settled by a procedure that always settles it, such as comparing two terms.
    Decided,
    /// Held on every case that was run.
    Tested,
    /// Claimed by the author or the user.
    Assumed,
}

impl Status {
    /// The status's name, as records have it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Proved => "proved",
            Status::Decided => "decided",
            Status::Tested => "tested",
            Status::Assumed => "assumed",
        }
    }
}

/// Why an answer is what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// One sentence.
    pub text: String,
    /// How sure it is.
    pub status: Status,
    /// Places that matter, each with a few words.
    pub places: Vec<(Option<Span>, String)>,
}

impl Evidence {
    /// Evidence without places.
    pub fn new(status: Status, text: impl Into<String>) -> Evidence {
        Evidence {
            text: text.into(),
            status,
            places: Vec::new(),
        }
    }
}

/// An answer to a rule's question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It holds.
    Yes(Evidence),
    /// It does not hold.
    No(Evidence),
    /// Nobody knows.
    Unknown(Evidence),
}

/// What is known of facts that a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// One of them, with its number among all.
    Fact(usize, Id),
    /// There is none.
    Nothing,
    /// Nobody knows.
    Unknown,
}

/// Where a rule is being tried.
#[derive(Clone, Copy, Debug)]
pub struct Redex<'a> {
    /// The whole term.
    pub root: Id,
    /// The position of the part that the rule's pattern matched.
    pub path: &'a Path,
}

/// What knows the terms that are rewritten: facts, functions, how to build, how to check.
///
/// Every method has a default, under which terms are just terms.
pub trait Host {
    /// A rule is about to be tried at a place. What a host counts, such as fresh names, it counts
    /// anew from here: a step then depends on the term, the rule and the place, not on what was
    /// tried before, and can be taken again.
    fn begin(&mut self) {}

    /// A predicate asked by a rule's condition. None if there is no such fact.
    fn ask(
        &mut self,
        _terms: &mut Terms,
        _at: Redex<'_>,
        _name: Symbol,
        _args: &[Id],
    ) -> Option<Answer> {
        None
    }

    /// The `from`-th fact or a later one that a pattern matches, whose variables nothing binds.
    fn fact(&mut self, _terms: &mut Terms, _pattern: Id, _from: usize) -> Known {
        Known::Unknown
    }

    /// A function with terms as values, used in `let`, `where` and results. None if there is no
    /// such function; `Err` says in a sentence why it has no value here.
    fn compute(
        &mut self,
        _terms: &mut Terms,
        _at: Redex<'_>,
        _name: Symbol,
        _args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        None
    }

    /// Builds each functor of a rule's result, and rebuilds what stands above the redex where the
    /// result's functor is another one. A host with flat sequences flattens here.
    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        terms.apply(functor, args)
    }

    /// A term that was changed inside, not built, as the host would have built it.
    fn ordered(&mut self, _terms: &mut Terms, id: Id) -> Id {
        id
    }

    /// Why a term that a rule has built cannot stand where it would, if it cannot: the rule does not fire.
    fn refuses(&self, _terms: &Terms, _id: Id) -> Option<String> {
        None
    }

    /// Simplifies the value of a `let` or `where` and the sides of a comparison.
    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        evaluate(terms, id)
    }

    /// Checks the whole term, and may normalise it, keeping origins. It is called before the first step, and
    /// whenever ids have changed; ids from before a call mean nothing after it.
    ///
    /// # Errors
    ///
    /// What is wrong with the term; the rule that made it is blamed.
    fn recheck(&mut self, _terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        Ok(root)
    }

    /// The same after a step of the engine, in whose term each node stands once, and nodes that the step left as
    /// they were are those that the last call gave. Ids of theirs go on to mean the same. `saved` has the earlier
    /// roots that may be returned to.
    ///
    /// # Errors
    ///
    /// As those of [`Host::recheck`].
    fn recheck_after_step(
        &mut self,
        terms: &mut Terms,
        root: Id,
        _saved: &[Id],
    ) -> Result<Id, Vec<Diagnostic>> {
        self.recheck(terms, root)
    }

    /// The engine goes back to an earlier root, one of those that were saved at each step since. Gives the
    /// root as [`Host::recheck`] does.
    ///
    /// # Errors
    ///
    /// As those of [`Host::recheck`].
    fn return_to(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        self.recheck(terms, root)
    }

    /// What the step checked last may do to floating-point results, where that is more than its
    /// rule says of itself: a rule that runs iterations at once leaves the order of atomic sums
    /// open, if there are any.
    fn float_class(&self) -> FloatClass {
        FloatClass::Exact
    }

    /// The names that a term of the engine's assigns for what is around it.
    fn assigned(&self, _terms: &Terms, _id: Id) -> Vec<Symbol> {
        Vec::new()
    }

    /// Whether the values of some names reach nothing but reports, after a step.
    fn are_only_reported(&mut self, _names: &[Symbol]) -> bool {
        false
    }

    /// Does a rule's `[action]`.
    ///
    /// # Errors
    ///
    /// Says why the action is not done; this stops the rule.
    fn act(&mut self, _terms: &mut Terms, _at: Redex<'_>, _action: Id) -> Result<(), String> {
        Err("this run has no actions".to_string())
    }

    /// Whether strategies go into the `i`-th argument of `parent`; `expressions` if they visit what
    /// operators compute with, too.
    fn descend(&self, _terms: &Terms, _parent: Id, _i: usize, _expressions: bool) -> bool {
        true
    }

    /// Whether `at("phrase", s)` applies `s` to this term, and `outside("phrase", s)` stays out of it.
    fn at_phrase(&self, terms: &Terms, id: Id, phrase: Symbol) -> bool {
        terms.origin(id).phrase == Some(phrase)
    }
}

/// A host that knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl Host for Plain {}
