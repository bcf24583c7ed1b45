//! Facts in a run by the general matcher: what is known of a question, and actions.

use super::run::Run;
use super::settled::STOP;
use super::{Answer, Evidence, Inner, Status};
use crate::rewrite::evaluate::{Value, value};
use crate::rewrite::fact_base::{PRINTLN, conjuncts, has_no_effect};
use crate::term::{Id, Terms};

impl Inner<'_> {
    /// A question whose arguments are rewritten.
    pub(super) fn with_normal_arguments(&mut self, terms: &mut Terms, question: Id) -> Id {
        let args = terms.args(question).to_vec();
        let args: Vec<Id> = args
            .into_iter()
            .map(|arg| self.reduce(terms, arg))
            .collect();
        terms.with_args(question, &args)
    }

    /// What the facts say of a question, where they or the oracle know it and no rules are for it.
    pub(super) fn known(&mut self, terms: &Terms, question: Id) -> Option<Answer> {
        let truth = self.knowledge?.borrow_mut().truth(terms, question)?;
        let evidence = |text: &str| Evidence::new(Status::Decided, text);
        let has_rules = terms
            .functor(question)
            .is_some_and(|functor| self.index.has(functor));
        match truth {
            Some(true) => Some(Answer::Yes(evidence("it is a fact"))),
            _ if has_rules => None,
            Some(false) => Some(Answer::No(evidence("it is not a fact"))),
            None => Some(Answer::Unknown(evidence(
                "it has variables, or the program that was asked does not know",
            ))),
        }
    }

    /// A number that grows whenever answers may change.
    pub(super) fn version(&self) -> u64 {
        self.knowledge.map_or(0, |known| known.borrow().version())
    }
}

impl Run<'_> {
    /// Does the action of a rule that fired, each part of it.
    pub(super) fn act(&mut self, terms: &mut Terms, action: Id) {
        for part in conjuncts(terms, action) {
            let is_stop = terms.functor(part).is_some_and(|f| f.as_str() == STOP);
            if is_stop {
                let holds = terms.args(part).first().map(|&arg| value(terms, arg));
                self.ended |= holds == Some(Some(Value::Bool(true)));
                continue;
            }
            let Some(knowledge) = self.inner.knowledge else {
                continue;
            };
            if has_no_effect(terms, part) {
                continue;
            }
            // A fact stays as it is written, but for its arguments.
            let prints = terms.functor(part).is_some_and(|f| f.as_str() == PRINTLN);
            let args = terms.args(part).to_vec();
            let args: Vec<Id> = args
                .into_iter()
                .map(|arg| match prints {
                    true => self.inner.reduce(terms, arg),
                    false => self.inner.with_normal_arguments(terms, arg),
                })
                .collect();
            let part = terms.with_args(part, &args);
            knowledge.borrow_mut().act(terms, part);
        }
    }

    /// Forgets what was found out about terms if answers to questions may be others now. Whether
    /// the run can go on.
    pub(super) fn keep_up(&mut self) -> bool {
        let Some(knowledge) = self.inner.knowledge else {
            return true;
        };
        let known = knowledge.borrow();
        if known.version() != self.version {
            self.version = known.version();
            self.normal.clear();
            self.became.clear();
        }
        match &known.trouble {
            Some(trouble) => {
                self.trouble = Some(trouble.message.clone());
                false
            }
            None => true,
        }
    }
}
