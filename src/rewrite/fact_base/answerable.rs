//! What a system asks and does that nothing answers and nothing does.

use super::{ASK, ASSERT, ASSIGN, Knowledge, PRINTLN, RETRACT, WITHOUT_EFFECT};
use crate::diagnostic::{Diagnostic, names_like};
use crate::rewrite::evaluate::is_standard;
use crate::rewrite::predicate::Predicates;
use crate::rewrite::standard::active::Active;
use crate::rewrite::system::STOP;
use crate::rewrite::{Rule, RuleBase, System};
use crate::syntax::rules::{CALL, CONS, NIL, print_term_short};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// What patterns of Java objects begin with.
const OBJECT: &str = "@class";

/// The names of the actions that every run knows.
pub(in crate::rewrite) fn known_actions() -> impl Iterator<Item = &'static str> {
    [ASSERT, RETRACT, STOP, ASSIGN, PRINTLN]
        .into_iter()
        .chain(WITHOUT_EFFECT)
}

/// Whether a run by the general matcher has something to do for an action.
pub(in crate::rewrite) fn is_act(terms: &Terms, action: Id) -> bool {
    let mut parts = conjuncts(terms, action).into_iter();
    parts.any(|part| !has_no_effect(terms, part))
}

/// Whether nothing is done for a part of an action.
pub(in crate::rewrite) fn has_no_effect(terms: &Terms, part: Id) -> bool {
    let is = |f: Symbol| f.as_str() == ASSIGN || WITHOUT_EFFECT.contains(&f.as_str());
    terms.functor(part).is_some_and(is) && terms.arity(part) == 2
}

/// The parts of an action, which `&&` joins or a list holds.
pub(in crate::rewrite) fn conjuncts(terms: &Terms, action: Id) -> Vec<Id> {
    let mut found = parts(terms, action, &["And", CONS]);
    found.retain(|&part| terms.as_atom(part).is_none_or(|name| name.as_str() != NIL));
    found
}

/// The questions of a condition, which connectives join.
pub(in crate::rewrite) fn parts_of_condition(terms: &Terms, condition: Id) -> Vec<Id> {
    parts(terms, condition, &["And", "Or", "Not"])
}

/// The pattern of a question `ask(p)`.
pub(in crate::rewrite) fn asked_pattern(terms: &Terms, question: Id) -> Option<Id> {
    let functor = terms.functor(question)?;
    match terms.args(question) {
        &[pattern] if functor.as_str() == ASK => Some(pattern),
        _ => None,
    }
}

/// The parts of a term that connectives join.
fn parts(terms: &Terms, id: Id, connectives: &[&str]) -> Vec<Id> {
    let mut work = vec![id];
    let mut found = Vec::new();
    while let Some(id) = work.pop() {
        let name = terms.functor(id).map_or("", Symbol::as_str);
        match connectives.contains(&name) && terms.arity(id) > 0 {
            true => work.extend(terms.args(id).iter().rev()),
            false => found.push(id),
        }
    }
    found
}

/// An error for each question of a system's rules that no rule, no standard functor, no fact and
/// no oracle can answer, and for each action that nothing does.
pub fn unanswered(base: &RuleBase, system: &System, knowledge: &Knowledge) -> Vec<Diagnostic> {
    let rules = || system.rules.iter().map(|&i| &base.rules[i]);
    let terms = &base.terms;
    let known = Known {
        terms,
        active: Active::of(base, system),
        heads: rules().filter_map(|rule| rule.matcher.functor()).collect(),
        any: rules().any(|rule| rule.matcher.functor().is_none()),
        asserted: rules().flat_map(|rule| asserted(terms, rule)).collect(),
        predicates: &base.predicates,
        knowledge,
    };
    let mut refusals = Vec::new();
    for rule in rules() {
        // A rule for Java objects never fires, whatever it asks of them.
        let mut functors = terms
            .subterms(rule.pattern)
            .filter_map(|id| terms.functor(id));
        if functors.any(|functor| functor.as_str() == OBJECT) {
            continue;
        }
        let conditions = rule.alternatives.iter().filter_map(|a| a.condition);
        for question in conditions.flat_map(|c| parts_of_condition(terms, c)) {
            refusals.extend(known.unanswered(rule, question));
        }
        let actions = rule.outcomes().filter_map(|o| o.action);
        for action in actions.flat_map(|a| conjuncts(terms, a)) {
            refusals.extend(known.undone(action));
        }
    }
    refusals
}

/// The functors of the facts that a rule's actions assert.
fn asserted(terms: &Terms, rule: &Rule) -> Vec<(Symbol, usize)> {
    let actions = rule.outcomes().filter_map(|o| o.action);
    let actions = actions.flat_map(|a| conjuncts(terms, a));
    let of = |action: Id| match (terms.functor(action)?.as_str(), terms.args(action)) {
        (ASSERT, &[fact]) => Some((terms.functor(fact)?, terms.arity(fact))),
        _ => None,
    };
    actions.filter_map(of).collect()
}

/// What can answer.
struct Known<'a> {
    terms: &'a Terms,
    active: Active,
    /// The functors that rules are for.
    heads: FxHashSet<Symbol>,
    /// Whether a rule is for any functor.
    any: bool,
    asserted: FxHashSet<(Symbol, usize)>,
    predicates: &'a Predicates,
    knowledge: &'a Knowledge,
}

impl Known<'_> {
    fn is_fact(&self, id: Id) -> bool {
        let Some(functor) = self.terms.functor(id) else {
            // A variable or a literal: nothing is known of it before the run.
            return true;
        };
        let arity = self.terms.arity(id);
        self.knowledge.knows(functor, arity) || self.asserted.contains(&(functor, arity))
    }

    fn unanswered(&self, rule: &Rule, question: Id) -> Option<Diagnostic> {
        let Head::Functor(functor) = self.terms.head(question) else {
            return None;
        };
        let args = self.terms.args(question);
        let shown = print_term_short(self.terms, question, 60);
        if let Some(fact) = asked_pattern(self.terms, question) {
            let message = format!(
                "no fact can be `{}`",
                print_term_short(self.terms, fact, 60)
            );
            let hint = "give facts by `--facts FILE`, a program that knows them by `--oracle`, or a rule with the action `assert`";
            let refusal = Diagnostic::error("E0370", message).at(self.terms.span(question));
            return (!self.is_fact(fact)).then(|| refusal.hint(hint));
        }
        let answered = self.any
            || self.heads.contains(&functor)
            || self.predicates.get(functor).is_some()
            || matches!(functor.as_str(), "True" | "False" | CALL)
            || is_standard(functor)
            || self.active.has(functor, args.len())
            || functor.as_str() == "matches"
            || rule.is_builder(self.terms, question)
            || self.is_fact(question);
        if answered {
            return None;
        }
        let names: Vec<&str> = self.heads.iter().map(|f| f.as_str()).collect();
        let hint = names_like(functor.as_str(), &names).unwrap_or_else(|| {
            "write rules for it, or give facts by `--facts FILE` or a program that knows them by `--oracle`".to_owned()
        });
        let message = format!("nothing answers `{shown}`");
        Some(
            Diagnostic::error("E0370", message)
                .at(self.terms.span(question))
                .hint(hint),
        )
    }

    fn undone(&self, action: Id) -> Option<Diagnostic> {
        let functor = match self.terms.head(action) {
            Head::Functor(functor) => functor,
            Head::Variable(_) => return None,
            _ => Symbol::new(""),
        };
        let arity = self.terms.arity(action);
        let oracle = self.knowledge.oracle.as_ref();
        let known = known_actions().any(|name| name == functor.as_str())
            || oracle.is_some_and(|oracle| oracle.acts(functor, arity));
        if known {
            return None;
        }
        let shown = print_term_short(self.terms, action, 60);
        let actions: Vec<&str> = known_actions().collect();
        let hint = format!(
            "actions are {}, and what a program does that `--oracle` gives",
            actions.join(", ")
        );
        Some(
            Diagnostic::error("E0371", format!("nothing does `{shown}`"))
                .at(self.terms.span(action))
                .hint(hint),
        )
    }
}
