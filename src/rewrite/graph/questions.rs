//! Questions that facts answer, and actions → code.

use super::code::Op;
use super::compile::Compiler;
use crate::rewrite::fact_base::{
    ASSERT, Knowledge, PRINTLN, asked_pattern, conjuncts, has_no_effect, parts_of_condition,
};
use crate::rewrite::{RuleBase, System};
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol};
use std::cell::RefCell;

/// Which questions facts may answer.
#[derive(Clone, Copy)]
pub(super) struct Questions<'b> {
    knowledge: Option<&'b RefCell<Knowledge>>,
    /// Whether a rule asserts facts, so that there may be some of any functor.
    asserts: bool,
}

/// Whether variables may be without values in a template.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Open {
    Closed,
    /// The pattern of a question, which gives them values.
    Question,
    /// An action, in which they stay.
    Action,
}

impl<'b> Questions<'b> {
    pub(super) fn new(
        base: &RuleBase,
        system: &System,
        knowledge: Option<&'b RefCell<Knowledge>>,
    ) -> Questions<'b> {
        let rules = system.rules.iter().map(|&i| &base.rules[i]);
        let actions = rules
            .flat_map(|rule| rule.outcomes())
            .filter_map(|o| o.action);
        let mut parts = actions.flat_map(|action| conjuncts(&base.terms, action));
        let asserts = |id| base.terms.functor(id).is_some_and(|f| f.as_str() == ASSERT);
        Questions {
            knowledge,
            asserts: parts.any(asserts),
        }
    }

    fn may_know(&self, functor: Symbol, arity: usize) -> bool {
        let knows = |knowledge: &RefCell<Knowledge>| knowledge.borrow().knows(functor, arity);
        self.knowledge
            .is_some_and(|knowledge| self.asserts || knows(knowledge))
    }
}

impl Compiler<'_> {
    /// Code that pushes the truth of a condition, with the facts that it takes.
    pub(super) fn judged(&mut self, condition: Id) -> Result<(), &'static str> {
        if !self.asks(condition) {
            return self.condition(condition);
        }
        self.emit(Op::Choose);
        let from = self.program.code.len() as u32;
        self.condition(condition)?;
        self.emit(Op::Settle { from });
        Ok(())
    }

    /// Code that pushes the truth of a part of a condition that is negated.
    pub(super) fn negated(&mut self, part: Id) -> Result<(), &'static str> {
        let asks = self.asks(part);
        if asks {
            self.emit(Op::Negate(true));
        }
        self.condition(part)?;
        if asks {
            self.emit(Op::Negate(false));
        }
        Ok(())
    }

    /// Whether a condition takes facts.
    fn asks(&self, condition: Id) -> bool {
        let mut parts = parts_of_condition(self.terms, condition).into_iter();
        parts.any(|part| asked_pattern(self.terms, part).is_some())
    }

    /// Code that pushes the truth of a question of another functor than those of logic.
    pub(super) fn question(&mut self, question: Id) -> Result<(), &'static str> {
        if let Some(pattern) = asked_pattern(self.terms, question) {
            self.open = Open::Question;
            let pushed = self.with_normal_arguments(pattern);
            self.open = Open::Closed;
            pushed?;
            self.emit(Op::AskFact);
            return Ok(());
        }
        let (head, arity) = (self.terms.head(question), self.terms.arity(question));
        let mut jumps = Vec::new();
        if let Head::Functor(functor) = head
            && self.questions.may_know(functor, arity)
        {
            let functor = self.functor(head, arity);
            let unknown = self.emit(Op::Knows { functor, to: 0 });
            self.with_normal_arguments(question)?;
            jumps.push(self.emit(Op::Known { to: 0 }));
            // Rules are asked the same, with its arguments rewritten.
            self.emit(Op::Reduce);
            jumps.push(self.emit(Op::Jump(0)));
            self.aim(unknown);
        }
        self.one(question)?;
        self.emit(Op::Reduce);
        for jump in jumps {
            self.aim(jump);
        }
        Ok(())
    }

    /// Code that pushes a term whose arguments are rewritten.
    fn with_normal_arguments(&mut self, template: Id) -> Result<(), &'static str> {
        let (head, args) = (self.terms.head(template), self.terms.args(template));
        match head {
            Head::Variable(_) | Head::Sequence(_) => {
                Err("it asks or does what a variable stands for")
            }
            Head::Functor(functor) if matches!(functor.as_str(), SET | SET_PATTERN | ANY_ARITY) => {
                Err("it asks or does a set")
            }
            _ if args.is_empty() => {
                self.push_constant(head);
                Ok(())
            }
            _ => {
                for &arg in args {
                    self.one(arg)?;
                    self.emit(Op::Reduce);
                }
                let functor = self.functor(head, args.len());
                self.emit(Op::Make(functor));
                Ok(())
            }
        }
    }

    /// Code for what a rule does besides, its result being on the stack.
    pub(super) fn actions(&mut self, action: Id) -> Result<(), &'static str> {
        self.emit(Op::Commit);
        self.program.acts = true;
        for part in conjuncts(self.terms, action) {
            let (Head::Functor(functor), args) = (self.terms.head(part), self.terms.args(part))
            else {
                return Err("it asks or does what a variable stands for");
            };
            if has_no_effect(self.terms, part) {
                continue;
            }
            self.open = Open::Action;
            // A fact stays as it is written, but for its arguments.
            let pushed = args.iter().try_for_each(|&arg| match functor.as_str() {
                PRINTLN => {
                    self.one(arg)?;
                    self.emit(Op::Reduce);
                    Ok(())
                }
                _ => self.with_normal_arguments(arg),
            });
            self.open = Open::Closed;
            pushed?;
            if args.is_empty() {
                self.push_constant(self.terms.head(part));
            } else {
                let functor = self.functor(self.terms.head(part), args.len());
                self.emit(Op::Make(functor));
            }
            self.emit(Op::Act);
        }
        self.emit(Op::Acted);
        Ok(())
    }
}
