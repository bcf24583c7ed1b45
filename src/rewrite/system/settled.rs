//! What the standard functors give in a run by the general matcher, beside their values on literals.

use super::Inner;
use super::run::{Index, Run};
use crate::rewrite::Order;
use crate::rewrite::base::{RuleBase, System};
use crate::rewrite::evaluate::{Value, literal, value};
use crate::rewrite::fact_base::PRINTLN;
use crate::rewrite::imports::system_name;
use crate::rewrite::standard::active::Active;
use crate::rewrite::standard::rule_terms::RuleTerm;
use crate::rewrite::standard::systems;
use crate::syntax::rules::CALL;
use crate::term::{Head, Id, Symbol, Terms};
use std::rc::Rc;

/// A rule with this action ends the run.
pub(in crate::rewrite) const STOP: &str = "setCurrentStopFlag";

impl<'a> Run<'a> {
    /// What is known of a term before its arguments are normal forms: of a conjunction with a truth value, of
    /// a system or a rule that is applied to a term.
    pub(super) fn early(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        match self.inner.active.gives_early(terms, id) {
            Some(new) => Some(new),
            None => self.call(terms, id, false),
        }
    }

    /// What a term gives whose arguments are normal forms.
    pub(super) fn settled(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        if terms.arity(id) == 0 || self.halted() {
            return None;
        }
        let given = match self.inner.active.gives(terms, id) {
            Some(new) => Some(new).filter(|&new| !terms.equal(new, id)),
            None => match self.printed(terms, id) {
                Some(new) => Some(new),
                None => self.call(terms, id, true),
            },
        };
        given.map(|given| self.index.operators.canonical(terms, given))
    }

    /// `x.y` where `x` is a rule or the name of a system, and `apply(y)`, where it is this one. `normal` tells
    /// whether the arguments are normal forms.
    fn call(&mut self, terms: &mut Terms, id: Id, normal: bool) -> Option<Id> {
        let (Head::Functor(name), args) = (terms.head(id), terms.args(id)) else {
            return None;
        };
        if name.as_str() != CALL || !self.inner.active.has(name, args.len()) {
            return None;
        }
        let (from, done) = match *args {
            [of] if !normal => (of, self.inner.reduce(terms, of)),
            [what, to] => match RuleTerm::of(terms, what) {
                Some(rule) => (id, self.by_rule(terms, &rule, to)?),
                None => {
                    let system = system_name(terms, what)?;
                    let done = self.inner.by_system(terms, system, to)?;
                    // A literal is what standard functors made of it, which every system has.
                    let made = normal && value(terms, to).is_some();
                    (if made { id } else { to }, done)
                }
            },
            _ => return None,
        };
        if self.inner.spent > self.inner.limits.steps {
            self.stopped = true;
        }
        self.trouble = self.inner.trouble.take();
        Some(done).filter(|&done| self.trouble.is_none() && !terms.equal(done, from))
    }

    /// What `println` gives, having printed its argument.
    fn printed(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        let functor = terms.functor(id)?;
        if functor.as_str() != PRINTLN || !self.inner.active.has(functor, terms.arity(id)) {
            return None;
        }
        let mut knowledge = self.inner.knowledge?.borrow_mut();
        knowledge.print(terms, terms.args(id).first().copied());
        Some(literal(terms, Value::Bool(true)))
    }

    fn by_rule(&mut self, terms: &mut Terms, rule: &RuleTerm, to: Id) -> Option<Id> {
        let inner = &mut self.inner;
        rule.applied(terms, to, &mut |terms, condition| {
            let done = inner.reduce(terms, condition);
            match value(terms, done) {
                Some(Value::Bool(holds)) => Some(holds),
                _ => None,
            }
        })
    }
}

impl<'a> Inner<'a> {
    /// A term rewritten by the system with a name, if there is one.
    fn by_system(&mut self, terms: &mut Terms, name: Symbol, id: Id) -> Option<Id> {
        let known = self.systems.iter().find(|(n, _)| *n == name);
        let other = match known {
            Some((_, other)) => other.clone(),
            None => {
                let (base, system) = named_system(self.base, name)?;
                let other = Other::new(base, system, system.order);
                self.systems.push((name, other.clone()));
                other
            }
        };
        Some(self.reduce_by(terms, id, &other))
    }
}

/// The system with a name: one of the files, else a standard one.
pub(in crate::rewrite) fn named_system(
    base: &RuleBase,
    name: Symbol,
) -> Option<(&RuleBase, &System)> {
    let own = base.system(name.as_str()).map(|system| (base, system));
    own.or_else(|| {
        systems::standard(name.as_str())?;
        let standard: &RuleBase = &systems::BASE;
        standard
            .system(name.as_str())
            .map(|system| (standard, system))
    })
}

/// A system by which a part of a run rewrites.
#[derive(Clone)]
pub(super) struct Other<'a> {
    pub(super) base: &'a RuleBase,
    pub(super) index: Rc<Index>,
    pub(super) order: Order,
    pub(super) active: Active,
}

impl<'a> Other<'a> {
    pub(super) fn new(base: &'a RuleBase, system: &System, order: Order) -> Other<'a> {
        Other {
            base,
            index: Rc::new(Index::new(base, system)),
            order,
            active: Active::of(base, system),
        }
    }
}
