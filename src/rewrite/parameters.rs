//! Parameters of strategies and rules: what can be set, and what was set.

use super::base::RuleBase;
use super::plan::{Kind, Plan};
use super::rule::Parameter;
use super::scope::bit;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// `--with name=value` or `--with rule.name=value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The rule or strategy, if it was named.
    pub owner: Option<Symbol>,
    /// The parameter.
    pub name: Symbol,
    /// Its value.
    pub value: i64,
}

impl Setting {
    /// Reads a setting.
    ///
    /// # Errors
    ///
    /// Where the text is not a name, `=` and an integer.
    pub fn parse(text: &str) -> Result<Setting, Vec<Diagnostic>> {
        let refuse = || {
            let message = format!("`{text}` is not a setting of a parameter");
            let hint = "write `chunk=256` or `rule.threads=128`";
            vec![Diagnostic::error("E0316", message).hint(hint)]
        };
        let (name, value) = text.split_once('=').ok_or_else(refuse)?;
        let value = value.trim().parse().map_err(|_| refuse())?;
        let (owner, name) = match name.trim().rsplit_once('.') {
            Some((owner, name)) => (Some(Symbol::new(owner)), name),
            None => (None, name.trim()),
        };
        Ok(Setting {
            owner,
            name: Symbol::new(name),
            value,
        })
    }
}

/// A parameter that a strategy can be tuned by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// The strategy or rule it belongs to.
    pub owner: Symbol,
    /// The parameter.
    pub parameter: Parameter,
}

/// Values set by the user, by owner and name, each with the bit of its setting.
pub(super) type Forced = BTreeMap<(&'static str, &'static str), (i64, u64)>;

impl RuleBase {
    /// All parameters of a strategy and of the strategies and rules it calls. Those that a call
    /// gives a value are left out: they follow from others.
    pub fn tunables(&self, strategy: Symbol) -> Vec<Tunable> {
        let all = self.reached(strategy);
        let free = all.into_iter().filter(|(_, given)| !given);
        free.map(|(tunable, _)| tunable).collect()
    }

    /// All parameters in reach of a strategy or rule, each with whether all calls give it.
    fn reached(&self, name: Symbol) -> Vec<(Tunable, bool)> {
        let mut found: Vec<(Tunable, bool)> = Vec::new();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut work: Vec<&Plan> = Vec::new();
        let mut note = |owner: Symbol, parameters: &[Parameter], given: &dyn Fn(Symbol) -> bool| {
            for &parameter in parameters {
                let now = given(parameter.name);
                let known = found.iter_mut().find(|(tunable, _)| {
                    tunable.owner == owner && tunable.parameter.name == parameter.name
                });
                match known {
                    Some((_, before)) => *before &= now,
                    None => found.push((Tunable { owner, parameter }, now)),
                }
            }
        };
        if let Some(strategy) = self.strategies.iter().find(|s| s.name == name) {
            note(strategy.name, &strategy.parameters, &|_| false);
            work.push(&strategy.body);
        } else if let Some(rule) = self.rule(name) {
            note(rule.name, &rule.parameters, &|_| false);
        }
        while let Some(plan) = work.pop() {
            match &plan.kind {
                Kind::Sequence(parts) | Kind::Choice(parts) => work.extend(parts.iter().rev()),
                Kind::Apply(_, inner)
                | Kind::At(_, inner)
                | Kind::Outside(_, inner)
                | Kind::When(_, inner) => work.push(inner),
                Kind::Rule(i, values) => {
                    let rule = &self.rules[*i];
                    let given = |name| values.iter().any(|(n, _)| *n == name);
                    note(rule.name, &rule.parameters, &given);
                }
                Kind::Strategy(i, values) => {
                    let strategy = &self.strategies[*i];
                    let given = |name| values.iter().any(|(n, _)| *n == name);
                    note(strategy.name, &strategy.parameters, &given);
                    if seen.insert(*i) {
                        work.push(&strategy.body);
                    }
                }
                Kind::Id | Kind::Fail => {}
            }
        }
        found
    }

    /// The rules that a strategy tries with a value of a setting, then those that it only tries for some of its
    /// values.
    pub fn readers(&self, strategy: Symbol, setting: &Setting) -> Vec<Symbol> {
        let mut readers = Readers {
            base: self,
            found: Vec::new(),
            tried: Vec::new(),
            seen: BTreeSet::new(),
        };
        let owner = setting.owner.unwrap_or(strategy);
        let own = |parameters: &[Parameter]| parameters.iter().any(|p| p.name == setting.name);
        for (number, of) in self.strategies.iter().enumerate() {
            if of.name == owner && own(&of.parameters) {
                readers.strategy(number, BTreeSet::from([setting.name.as_str()]), false);
            }
        }
        let Readers {
            mut found, tried, ..
        } = readers;
        let others = tried.into_iter().filter(|rule| !found.contains(rule));
        let others: Vec<Symbol> = others.collect();
        found.extend(others);
        if found.is_empty() {
            let reached = self
                .reached(strategy)
                .into_iter()
                .map(|(tunable, _)| tunable);
            let named = reached.filter(|t| t.parameter.name == setting.name);
            let asked = named.filter(|t| setting.owner.is_none_or(|owner| owner == t.owner));
            let rules = asked.filter(|t| self.rule(t.owner).is_some());
            found.extend(rules.map(|t| t.owner));
        }
        found
    }

    /// What groups that a strategy does without set of its parameters.
    pub(super) fn settings_off(&self, strategy: Symbol) -> Forced {
        let found = self.off.iter().filter_map(|&setting| {
            let one = self.settings(strategy, &[setting]);
            one.ok()
        });
        let all = found.flatten();
        all.map(|(key, (value, _))| (key, (value, 0))).collect()
    }

    /// Finds what each setting of the user means for a strategy.
    pub(super) fn settings(
        &self,
        strategy: Symbol,
        settings: &[Setting],
    ) -> Result<Forced, Vec<Diagnostic>> {
        let reached = self.reached(strategy);
        let mut forced = Forced::new();
        let mut refusals = Vec::new();
        let full = |t: &Tunable| format!("{}.{}", t.owner, t.parameter.name);
        for (number, setting) in settings.iter().enumerate() {
            let mut fits: Vec<&Tunable> = reached
                .iter()
                .map(|(tunable, _)| tunable)
                .filter(|t| t.parameter.name == setting.name)
                .filter(|t| setting.owner.is_none_or(|owner| owner == t.owner))
                .collect();
            // The strategy's own parameter goes before those of what it calls.
            if setting.owner.is_none()
                && let Some(&own) = fits.iter().find(|t| t.owner == strategy)
            {
                fits = vec![own];
            }
            match fits[..] {
                [only] => {
                    let key = (only.owner.as_str(), only.parameter.name.as_str());
                    let before = forced.get(&key).map_or(0, |&(_, by)| by);
                    forced.insert(key, (setting.value, before | bit(number)));
                }
                [] => {
                    let message =
                        format!("`{strategy}` has no parameter `{}` to set", setting.name);
                    let names: Vec<String> = reached.iter().map(|(t, _)| full(t)).collect();
                    let hint = match names.is_empty() {
                        true => "it has none".to_string(),
                        false => format!("it has {}", names.join(", ")),
                    };
                    refusals.push(Diagnostic::error("E0316", message).hint(hint));
                }
                _ => {
                    let names: Vec<String> = fits.iter().map(|t| full(t)).collect();
                    let message = format!("`{}` could be {}", setting.name, names.join(" or "));
                    let hint = format!("write `{}={}`", names[0], setting.value);
                    refusals.push(Diagnostic::error("E0316", message).hint(hint));
                }
            }
        }
        if refusals.is_empty() {
            Ok(forced)
        } else {
            Err(refusals)
        }
    }
}

/// Looks for the rules that get something of a setting.
struct Readers<'a> {
    base: &'a RuleBase,
    /// Those that are given something of the setting.
    found: Vec<Symbol>,
    /// Those that are tried for some values only.
    tried: Vec<Symbol>,
    /// Strategies that were gone through, with the parameters that hold something of the setting, and whether
    /// they are only tried for some values.
    seen: BTreeSet<(usize, BTreeSet<&'static str>, bool)>,
}

impl Readers<'_> {
    fn strategy(&mut self, number: usize, holding: BTreeSet<&'static str>, asked: bool) {
        if self.seen.insert((number, holding.clone(), asked)) {
            let base = self.base;
            self.part(&base.strategies[number].body, &holding, asked);
        }
    }

    /// `asked` is whether the part is only tried for some values.
    fn part(&mut self, plan: &Plan, holding: &BTreeSet<&'static str>, asked: bool) {
        let terms = &self.base.terms;
        let holds = |value: Id| {
            let mut names = terms.subterms(value).filter_map(|t| terms.as_atom(t));
            names.any(|name| holding.contains(name.as_str()))
        };
        match &plan.kind {
            Kind::Sequence(parts) | Kind::Choice(parts) => {
                for part in parts {
                    self.part(part, holding, asked);
                }
            }
            Kind::Apply(_, inner) | Kind::At(_, inner) | Kind::Outside(_, inner) => {
                self.part(inner, holding, asked)
            }
            Kind::When(condition, inner) => self.part(inner, holding, asked || holds(*condition)),
            Kind::Rule(number, values) => {
                let name = self.base.rules[*number].name;
                let is_given = values.iter().any(|&(_, value)| holds(value));
                let found = match is_given {
                    true => &mut self.found,
                    false => &mut self.tried,
                };
                if (is_given || asked) && !found.contains(&name) {
                    found.push(name);
                }
            }
            Kind::Strategy(number, values) => {
                let got = values.iter().filter(|&&(_, value)| holds(value));
                let inner: BTreeSet<&str> = got.map(|&(name, _)| name.as_str()).collect();
                // Where the strategy itself is only tried for some values, so are all of its rules.
                if asked || !inner.is_empty() {
                    self.strategy(*number, inner, asked);
                }
            }
            Kind::Id | Kind::Fail => {}
        }
    }
}
