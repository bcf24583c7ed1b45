//! Values of parameters while a strategy runs, and what settings of the user change of them.

use super::base::RuleBase;
use super::derive::{Engine, Run};
use super::evaluate::evaluate;
use super::parameters::{Forced, Setting};
use super::rule::{Parameter, Rule};
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// What a setting did in a derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// No value is different because of it: without it, the same is derived.
    None,
    /// Whether the same is derived without it is not known.
    Unknown,
    /// A step was taken whose result holds a value that is different because of it, or that was reached under a
    /// condition that holds because of it.
    Step,
}

/// Settings of the user, a bit for each. Beyond 64, the last bit is that of several.
type Settings = u64;

/// The bit of the setting with a number.
pub(super) fn bit(number: usize) -> Settings {
    1 << number.min(63)
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    name: Symbol,
    pub(super) number: i64,
    /// What it is without the settings of the user; nothing where it has no value then.
    otherwise: Option<i64>,
    /// The settings because of which it is different.
    by: Settings,
}

/// Values of the parameters of a strategy or a rule.
pub(super) type Scope = Vec<Value>;

/// Values of parameters in a derivation.
#[derive(Default)]
pub(super) struct Values {
    forced: Forced,
    /// Terms over the parameters of strategies that were evaluated, with the parameters' values.
    evaluated: FxHashMap<(Id, Vec<i64>), Evaluated>,
    /// Settings because of which some value is different.
    changed: Settings,
    /// Settings of a parameter that is set more than once.
    repeated: Settings,
    /// Settings because of which the conditions hold under which the strategy is at work.
    under: Settings,
    /// For each step, the settings that changed what its result is made of, or under which it was reached.
    steps: Vec<Settings>,
}

/// A term over a strategy's parameters, evaluated.
#[derive(Clone)]
enum Evaluated {
    Number(i64),
    Truth(bool),
    /// Neither, as it reads.
    Other(String),
}

impl Values {
    /// Values as the user sets them for a strategy.
    pub(super) fn of(base: &RuleBase, strategy: Symbol, settings: &[Setting]) -> Run<Values> {
        let mut forced = base.settings(strategy, settings)?;
        let several = forced.values().map(|&(_, by)| by);
        let several = several.filter(|by| by.count_ones() > 1);
        let repeated = several.fold(0, |all, by| all | by);
        forced.extend(base.settings_off(strategy));
        Ok(Values {
            forced,
            repeated,
            ..Values::default()
        })
    }

    /// Notes that a step was taken by a rule with these values.
    pub(super) fn stepped(&mut self, terms: &Terms, rule: &Rule, scope: &Scope) {
        let changed = scope.iter().filter(|value| value.by != 0);
        let shown = changed.filter(|value| rule.is_made_of(terms, value.name));
        let by = shown.fold(self.under, |all, value| all | value.by);
        self.steps.push(by);
    }

    /// Forgets all steps but so many.
    pub(super) fn undo(&mut self, steps: usize) {
        self.steps.truncate(steps);
    }

    /// What each of so many settings did.
    pub(super) fn effects(&self, settings: usize) -> Vec<Effect> {
        let stepped = self.steps.iter().fold(0, |all, step| all | step);
        let effect = |number| match bit(number) {
            // A bit that several share tells nothing of one of them.
            _ if number >= 63 => Effect::Unknown,
            // Without the last one, that before it would hold.
            bit if self.repeated & bit != 0 => Effect::Unknown,
            bit if stepped & bit != 0 => Effect::Step,
            bit if self.changed & bit != 0 => Effect::Unknown,
            _ => Effect::None,
        };
        (0..settings).map(effect).collect()
    }
}

/// A scope as it is without settings, where these changed it; nothing where it has no value then.
fn unset(scope: &Scope) -> Option<Scope> {
    let value = |value: &Value| {
        Some(Value {
            number: value.otherwise?,
            by: 0,
            ..*value
        })
    };
    match of(scope) {
        0 => None,
        _ => scope.iter().map(value).collect(),
    }
}

/// The settings that changed a value of a scope.
fn of(scope: &Scope) -> Settings {
    scope.iter().fold(0, |all, value| all | value.by)
}

impl Engine<'_> {
    /// The values of the parameters of a strategy or rule that is called from a scope.
    pub(super) fn scope(
        &mut self,
        owner: Symbol,
        parameters: &[Parameter],
        given: &[(Symbol, Id)],
        from: &Scope,
    ) -> Run<Scope> {
        let mut scope = Scope::new();
        for parameter in parameters {
            let key = (owner.as_str(), parameter.name.as_str());
            let forced = self.values.forced.get(&key).copied();
            let given = given.iter().find(|(name, _)| *name == parameter.name);
            let unset = match given {
                Some(&(_, value)) => self.given(parameter.name, value, from),
                None => Ok(Value {
                    name: parameter.name,
                    number: parameter.default,
                    otherwise: Some(parameter.default),
                    by: 0,
                }),
            };
            scope.push(match forced {
                None => unset?,
                Some((number, setting)) => {
                    let unset = unset.ok();
                    let differs = unset.is_none_or(|unset| unset.number != number);
                    let by = if differs { setting } else { 0 };
                    self.values.changed |= by;
                    Value {
                        name: parameter.name,
                        number,
                        otherwise: unset.map(|unset| unset.number),
                        by,
                    }
                }
            });
        }
        Ok(scope)
    }

    /// The value that a call gives a parameter.
    fn given(&mut self, name: Symbol, value: Id, from: &Scope) -> Run<Value> {
        let number = self.value(value, from)?;
        let otherwise = match unset(from) {
            Some(unset) => self.value(value, &unset).ok(),
            None if of(from) == 0 => Some(number),
            None => None,
        };
        let by = match otherwise == Some(number) {
            true => 0,
            false => self.changed_in(value, from),
        };
        Ok(Value {
            name,
            number,
            otherwise,
            by,
        })
    }

    /// The settings that change a term over a scope.
    fn changed_in(&self, value: Id, from: &Scope) -> Settings {
        if of(from) == 0 {
            return 0;
        }
        let terms = &self.base.terms;
        let names = terms.subterms(value).filter_map(|id| terms.as_atom(id));
        let values = names.filter_map(|name| from.iter().find(|value| value.name == name));
        values.fold(0, |all, value| all | value.by)
    }

    /// A term over a strategy's parameters, evaluated; once for the same numbers, as traversals ask at each
    /// place.
    fn evaluated(&mut self, value: Id, from: &Scope) -> Evaluated {
        let key = (value, from.iter().map(|value| value.number).collect());
        if let Some(known) = self.values.evaluated.get(&key) {
            return known.clone();
        }
        let mut scratch = Terms::new();
        let mut id = scratch.import(&self.base.terms, value);
        for value in from {
            let (old, new) = (scratch.atom(value.name), scratch.int(value.number));
            id = super::substitute(&mut scratch, id, old, new);
        }
        let result = evaluate(&mut scratch, id);
        let evaluated = match scratch.as_int(result) {
            Some(number) => Evaluated::Number(number),
            None => match scratch.as_atom(result).map_or("", Symbol::as_str) {
                "True" => Evaluated::Truth(true),
                "False" => Evaluated::Truth(false),
                _ => Evaluated::Other(print_term_short(&scratch, result, 80)),
            },
        };
        self.values.evaluated.insert(key, evaluated.clone());
        evaluated
    }

    /// Does something where a condition on a strategy's parameters holds; false where it does not.
    pub(super) fn where_it_holds(
        &mut self,
        condition: Id,
        from: &Scope,
        act: impl FnOnce(&mut Self) -> Run<bool>,
    ) -> Run<bool> {
        if !self.holds(condition, from)? {
            return Ok(false);
        }
        let under = self.values.under;
        let unset = unset(from);
        let holds = unset.is_some_and(|unset| self.holds(condition, &unset).is_ok_and(|h| h));
        if !holds {
            self.values.under |= self.changed_in(condition, from);
        }
        let done = act(self);
        self.values.under = under;
        done
    }

    /// Whether a condition on a strategy's parameters holds.
    fn holds(&mut self, condition: Id, from: &Scope) -> Run<bool> {
        let text = match self.evaluated(condition, from) {
            Evaluated::Truth(holds) => return Ok(holds),
            Evaluated::Number(number) => number.to_string(),
            Evaluated::Other(text) => text,
        };
        let message = format!("the condition `{text}` is neither true nor false");
        let diagnostic = Diagnostic::error("E0309", message);
        Err(vec![diagnostic.at(self.base.terms.span(condition))])
    }

    /// The number that a call gives a parameter.
    fn value(&mut self, value: Id, from: &Scope) -> Run<i64> {
        let text = match self.evaluated(value, from) {
            Evaluated::Number(number) => return Ok(number),
            Evaluated::Truth(true) => "True".to_owned(),
            Evaluated::Truth(false) => "False".to_owned(),
            Evaluated::Other(text) => text,
        };
        let message = format!("the parameter's value `{text}` is not an integer");
        Err(vec![
            Diagnostic::error("E0309", message).at(self.base.terms.span(value)),
        ])
    }
}
