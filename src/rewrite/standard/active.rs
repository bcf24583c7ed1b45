//! The standard functors of the form of terms that a system has.

use super::table::{BY_FUNCTOR, GENERAL, ROWS, Row};
use crate::rewrite::base::{RuleBase, System};
use crate::rewrite::fact_base::{asked_pattern, parts_of_condition};
use crate::rewrite::imports::applied;
use crate::rewrite::rule::Rule;
use crate::term::{Id, Symbol, Terms};

// A bit a row.
const _: () = assert!(ROWS.len() <= 64);

/// The rows of the table that a system has: a bit a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::rewrite) struct Active(u64);

impl Active {
    /// The rows of a system: those of `general` whose functors it has no rules for, and those that it
    /// imports.
    pub(in crate::rewrite) fn of(base: &RuleBase, system: &System) -> Active {
        let own = |row: &Row| {
            system.rules.iter().any(|&i| {
                let pattern = base.rules[i].pattern;
                let functor = base.terms.functor(pattern);
                let arity = base.terms.arity(pattern);
                functor.is_some_and(|f| f.as_str() == row.functor)
                    && (row.arity.0..=row.arity.1).contains(&arity)
            })
        };
        let imports = |row: &Row| {
            let has = |(name, functor): &(Symbol, Option<Symbol>)| {
                name.as_str() == row.system && functor.is_none_or(|f| f.as_str() == row.functor)
            };
            system.standard.iter().any(has) || system.path.as_str() == row.system
        };
        let mut active = 0;
        for (i, row) in ROWS.iter().enumerate() {
            if imports(row) || row.system == GENERAL && !own(row) {
                active |= 1 << i;
            }
        }
        Active(active)
    }

    fn row(self, functor: Symbol, arity: usize) -> Option<&'static Row> {
        let rows = BY_FUNCTOR.get(&functor)?;
        let fits = |i: &&usize| {
            let row = &ROWS[**i];
            self.0 & (1 << **i) != 0 && (row.arity.0..=row.arity.1).contains(&arity)
        };
        rows.iter().find(fits).map(|&i| &ROWS[i])
    }

    /// Whether a functor with so many arguments is a row's.
    pub(in crate::rewrite) fn has(self, functor: Symbol, arity: usize) -> bool {
        self.row(functor, arity).is_some()
    }

    /// What a functor gives on its arguments, which are normal forms.
    pub(in crate::rewrite) fn gives(self, terms: &mut Terms, id: Id) -> Option<Id> {
        let functor = terms.functor(id)?;
        let row = self.row(functor, terms.arity(id))?;
        let args = terms.args(id).to_vec();
        (row.gives)(terms, &args)
    }

    /// What is known of a conjunction or a disjunction before its parts are normal forms.
    pub(in crate::rewrite) fn gives_early(self, terms: &mut Terms, id: Id) -> Option<Id> {
        let functor = terms.functor(id)?;
        match functor.as_str() {
            "And" | "Or" => self.gives(terms, id),
            _ => None,
        }
    }

    /// What the compiled engines do not know of a run, if there is anything.
    pub(in crate::rewrite) fn beyond_compiled(
        self,
        base: &RuleBase,
        system: &System,
        terms: &Terms,
        root: Id,
    ) -> Option<String> {
        if let Some(name) = system.operators.names().next() {
            return Some(format!("`{name}` is commutative"));
        }
        let beyond = |terms: &Terms, id: Id| {
            let functor = terms.functor(id)?;
            let arity = terms.arity(id);
            let row = self.row(functor, arity);
            let is_beyond = row.is_some_and(|row| row.form.is_none())
                || functor.as_str() == "matches" && arity > 2
                || applied(terms, id).is_some();
            is_beyond.then(|| format!("`{functor}` looks at the form of terms"))
        };
        let mut rules = system.rules.iter().map(|&i| &base.rules[i]);
        let of_rule = |rule: &Rule| {
            let functor = base.terms.functor(rule.pattern);
            // The compiled engines have rules for a functor, or a row.
            if let Some(functor) = functor
                && self.has(functor, base.terms.arity(rule.pattern))
            {
                return Some(format!("there are rules for the standard `{functor}`"));
            }
            let mut parts = templates(base, rule).into_iter();
            parts.find_map(|part| {
                let mut parts = base.terms.subterms(part);
                parts.find_map(|id| beyond(&base.terms, id))
            })
        };
        rules
            .find_map(of_rule)
            .or_else(|| terms.subterms(root).find_map(|id| beyond(terms, id)))
    }
}

/// What a rule builds, with the patterns of questions instead of the questions `ask(p)` of conditions.
fn templates(base: &RuleBase, rule: &Rule) -> Vec<Id> {
    let terms = &base.terms;
    let conditions = rule.alternatives.iter().filter_map(|a| a.condition);
    let mut found: Vec<Id> = conditions
        .flat_map(|condition| parts_of_condition(terms, condition))
        .map(|part| asked_pattern(terms, part).unwrap_or(part))
        .collect();
    found.extend(rule.lets.iter().chain(&rule.wheres).map(|b| b.value));
    for outcome in rule.outcomes() {
        found.push(outcome.result);
        found.extend(outcome.action);
    }
    found
}
