//! Facts that rules of systems ask and change, and what else answers them.

mod answerable;
mod asking;
mod choices;
mod oracle;
mod read;
mod store;

pub use answerable::unanswered;
pub(super) use answerable::{asked_pattern, conjuncts, has_no_effect, is_act, parts_of_condition};
pub(super) use asking::MOST_CHOICES;
pub(super) use choices::Choices;
pub use oracle::{Oracle, Reply};
pub use read::{print_facts, read_facts};
pub use store::FactBase;
pub(super) use store::is_ground;

use super::host::Known;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{print_term_flat, read_term};
use crate::term::{Id, Symbol, Terms};

/// The condition `ask(p)`: a fact is matched by `p`, which gives variables their values.
pub(super) const ASK: &str = "ask";
/// The action `assert(f)`.
pub(super) const ASSERT: &str = "assert";
/// The action `assign(v, e)`, of which the reader makes a `where`.
pub(super) const ASSIGN: &str = "assign";
/// The action `retract(p)`.
pub(super) const RETRACT: &str = "retract";

/// The action, and the function of the system `sys`, that prints a line.
pub(super) const PRINTLN: &str = "println";
/// Functions that can be written as actions: what they give is dropped.
const WITHOUT_EFFECT: [&str; 3] = ["Equal", "NotEqual", UNIFY];
/// The action `unify(v, e)`, of which the reader makes a `where`, too, if `v` is a variable of the result.
const UNIFY: &str = "unify";

/// What a run knows beside its rules.
#[derive(Default)]
pub struct Knowledge {
    /// The facts, which actions change.
    pub facts: FactBase,
    /// What answers beside them.
    pub oracle: Option<Box<dyn Oracle>>,
    /// The lines that rules printed.
    pub printed: Vec<String>,
    /// How often an oracle did something, after which its answers may be others.
    pub(super) acts: u64,
    /// Why the run is given up.
    pub(super) trouble: Option<Diagnostic>,
}

impl Knowledge {
    /// Whether there are facts, or an oracle.
    pub(super) fn is_empty(&self) -> bool {
        self.oracle.is_none() && self.facts.iter().next().is_none()
    }

    /// A number that grows whenever answers may change.
    pub(super) fn version(&self) -> u64 {
        self.facts.changes() + self.acts
    }

    /// Whether facts or the oracle know of a functor with so many arguments.
    pub(super) fn knows(&self, functor: Symbol, arity: usize) -> bool {
        self.facts.has(functor, arity) || self.is_for_oracle(functor, arity)
    }

    fn is_for_oracle(&self, functor: Symbol, arity: usize) -> bool {
        let oracle = self.oracle.as_ref();
        oracle.is_some_and(|oracle| oracle.answers(functor, arity))
    }

    /// Whether a question, whose variables nothing binds, holds; None if nothing here knows it.
    /// Of functors that facts have, only the facts hold.
    pub(super) fn truth(&mut self, terms: &Terms, question: Id) -> Option<Option<bool>> {
        let (functor, arity) = (terms.functor(question)?, terms.arity(question));
        if !store::is_ground(terms, question) {
            return Some(None);
        }
        if self.facts.holds(terms, question) {
            return Some(Some(true));
        }
        if self.is_for_oracle(functor, arity) {
            return Some(match self.reply(terms, question)? {
                Reply::Truth(truth) => truth,
                Reply::Facts(facts) => Some(!facts.is_empty()),
            });
        }
        self.facts.has(functor, arity).then_some(Some(false))
    }

    /// The `from`-th or a later term that a pattern matches, in the arena `terms`.
    pub(super) fn next(&mut self, terms: &mut Terms, pattern: Id, from: usize) -> Known {
        let Some(functor) = terms.functor(pattern) else {
            return Known::Unknown;
        };
        if !self.is_for_oracle(functor, terms.arity(pattern)) {
            return match self.facts.next(terms, pattern, from) {
                Some((place, fact)) => Known::Fact(place, terms.import(self.facts.terms(), fact)),
                None => Known::Nothing,
            };
        }
        match self.reply(terms, pattern) {
            Some(Reply::Truth(Some(true))) if from == 0 && store::is_ground(terms, pattern) => {
                Known::Fact(0, pattern)
            }
            Some(Reply::Truth(Some(true))) if from == 0 => {
                let asked = print_term_flat(terms, pattern);
                let why = format!("to `{asked}` it says yes, and not which values hold");
                self.trouble = Some(trouble(&why));
                Known::Unknown
            }
            Some(Reply::Truth(Some(_))) => Known::Nothing,
            Some(Reply::Truth(None)) | None => Known::Unknown,
            Some(Reply::Facts(facts)) => match facts.get(from) {
                Some(text) => self.instance(terms, pattern, from, text),
                None => Known::Nothing,
            },
        }
    }

    /// A fact that an oracle gave, which must be what was asked for.
    fn instance(&mut self, terms: &mut Terms, pattern: Id, number: usize, text: &str) -> Known {
        let fact = read_term(terms, u32::MAX, text).ok();
        if let Some(fact) = fact.filter(|&fact| is_instance(terms, pattern, fact)) {
            return Known::Fact(number, fact);
        }
        let asked = print_term_flat(terms, pattern);
        let why = format!("the answer `{text}` is not `{asked}` with values for its variables");
        self.trouble = Some(trouble(&why));
        Known::Unknown
    }

    fn reply(&mut self, terms: &Terms, question: Id) -> Option<Reply> {
        if self.trouble.is_some() {
            return None;
        }
        let text = print_term_flat(terms, question);
        match self.oracle.as_mut()?.ask(&text) {
            Ok(reply) => Some(reply),
            Err(why) => {
                self.trouble = Some(trouble(&why));
                None
            }
        }
    }

    /// Prints a term as a line: a string as its text.
    pub(super) fn print(&mut self, terms: &Terms, term: Option<Id>) {
        let line = term.map(|term| match terms.as_text(term) {
            Some(text) => text.as_str().to_owned(),
            None => print_term_flat(terms, term),
        });
        self.printed.push(line.unwrap_or_default());
    }

    /// Does an action whose arguments are rewritten.
    pub(super) fn act(&mut self, terms: &Terms, action: Id) {
        let functor = terms.functor(action).unwrap_or(Symbol::new(""));
        let done = match (functor.as_str(), terms.args(action)) {
            (ASSIGN, &[_, _]) => Ok(()),
            (name, &[_, _]) if WITHOUT_EFFECT.contains(&name) => Ok(()),
            (PRINTLN, args @ ([] | [_])) => {
                self.print(terms, args.first().copied());
                Ok(())
            }
            (ASSERT, &[fact]) => self.facts.assert(terms, fact).map(drop).map_err(|why| {
                let fact = print_term_flat(terms, fact);
                Diagnostic::error("E0373", format!("`{fact}` cannot be asserted: {why}"))
            }),
            (RETRACT, &[pattern]) => {
                self.facts.retract(terms, pattern);
                Ok(())
            }
            (_, args) => {
                let shown = print_term_flat(terms, action);
                match &mut self.oracle {
                    Some(oracle) if oracle.acts(functor, args.len()) => {
                        self.acts += 1;
                        oracle.act(&shown).map_err(|why| trouble(&why))
                    }
                    // The rules of the run's own system were looked at before it.
                    _ => Err(Diagnostic::error(
                        "E0371",
                        format!("nothing does `{shown}`"),
                    )),
                }
            }
        };
        if let Err(why) = done {
            self.trouble.get_or_insert(why);
        }
    }
}

/// Told where what answers beside the facts cannot be asked.
fn trouble(why: &str) -> Diagnostic {
    Diagnostic::error("E0372", why)
}

/// Whether a ground term is a pattern with values for its variables.
fn is_instance(terms: &Terms, pattern: Id, fact: Id) -> bool {
    let mut one = FactBase::default();
    one.assert(terms, fact).is_ok() && one.next(terms, pattern, 0).is_some()
}
