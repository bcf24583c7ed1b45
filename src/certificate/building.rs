//! A rule's templates with the values of its variables → terms.

use super::asking::Nested;
use super::matching::{Values, elements_of, value_of};
use super::rules::{Rule, Rules};
use crate::derive::SchemeHost;
use crate::rewrite::{Host, Redex};
use crate::syntax::rules::{ANY_ARITY, Binding, Outcome, SET, make_set, print_term_short};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// `copies` makes no more than this.
const MOST_COPIES: i64 = 1 << 20;

/// A rule at a place, with what its variables stand for. An `Err` says in a sentence why the rule
/// cannot fire like this.
pub(super) struct Firing<'a> {
    pub rules: &'a Rules,
    pub rule: &'a Rule,
    pub terms: &'a mut Terms,
    /// The facts.
    pub host: &'a mut SchemeHost,
    pub at: Redex<'a>,
    pub values: Values,
    pub nested: Nested,
}

impl Firing<'_> {
    /// Computes the values of `let`.
    pub fn lets(&mut self) -> Result<(), String> {
        let rule = self.rule;
        rule.item.lets.iter().try_for_each(|&b| self.bind(b))
    }

    /// Computes the values of `where` that an outcome uses, and the term that replaces the redex.
    pub fn outcome(&mut self, outcome: Outcome) -> Result<Id, String> {
        if outcome.action.is_some() {
            return Err("the rule acts besides, which no derivation of a scheme does".to_owned());
        }
        let mut wanted: Vec<Binding> = Vec::new();
        let mut templates = vec![outcome.result];
        while let Some(template) = templates.pop() {
            for &binding in &self.rule.item.wheres {
                let new = wanted.iter().all(|w| w.variable != binding.variable);
                if new && self.uses(template, binding) {
                    wanted.push(binding);
                    templates.push(binding.value);
                }
            }
        }
        // As they stand in the text, unless one uses a later one.
        wanted.sort_by_key(|binding| binding.variable);
        while !wanted.is_empty() {
            let waits = |b: &Binding| wanted.iter().any(|&other| self.uses(b.value, other));
            let ready = wanted.iter().position(|b| !waits(b));
            let ready = ready.ok_or("the values of `where` depend on each other in a circle")?;
            self.bind(wanted.remove(ready))?;
        }
        self.one(outcome.result)
    }

    fn uses(&self, template: Id, binding: Binding) -> bool {
        let terms = &self.rules.terms;
        let name = variable(terms, binding.variable);
        terms
            .subterms(template)
            .any(|id| name.is_some() && variable(terms, id) == name)
    }

    fn bind(&mut self, binding: Binding) -> Result<(), String> {
        let mut values = self.build(binding.value)?;
        let name = match self.rules.terms.head(binding.variable) {
            // Parts of the scheme keep their spelling.
            Head::Sequence(name) => name,
            Head::Variable(name) if values.len() == 1 => {
                values[0] = self.host.simplify(self.terms, self.at, values[0]);
                name
            }
            _ => {
                return Err(format!(
                    "a variable wants one term and got {}",
                    values.len()
                ));
            }
        };
        if value_of(&self.values, name).is_some() {
            return Err(format!("`${name}` has two values"));
        }
        self.values.push((name, values));
        Ok(())
    }

    /// The one term that a template gives.
    pub fn one(&mut self, template: Id) -> Result<Id, String> {
        match self.build(template)?[..] {
            [id] => Ok(id),
            ref all => Err(format!(
                "`{}` gives {} terms where one is needed",
                print_term_short(&self.rules.terms, template, 60),
                all.len()
            )),
        }
    }

    /// The terms of all arguments of a template.
    pub fn arguments(&mut self, template: Id) -> Result<Vec<Id>, String> {
        self.each_of(self.rules.terms.args(template))
    }

    fn each_of(&mut self, templates: &[Id]) -> Result<Vec<Id>, String> {
        let mut all = Vec::new();
        for &template in templates {
            all.extend(self.build(template)?);
        }
        Ok(all)
    }

    /// The terms that a template gives.
    fn build(&mut self, template: Id) -> Result<Vec<Id>, String> {
        let rules = &self.rules.terms;
        let functor = match rules.head(template) {
            Head::Variable(name) | Head::Sequence(name) => {
                let value = value_of(&self.values, name);
                let value = value.ok_or_else(|| format!("`${name}` has no value"))?;
                return Ok(value.to_vec());
            }
            Head::Functor(functor) => functor,
            literal => return Ok(vec![self.terms.make(literal, &[])]),
        };
        let parts = rules.args(template);
        match (self.rules.instruction(template), parts) {
            (Some("each"), [name, within @ .., body]) => {
                let mut elements = self.each_of(within)?;
                // A list stands for its elements.
                if let [one] = elements[..] {
                    elements = elements_of(self.terms, one).unwrap_or(elements);
                }
                return self.repeat(*name, elements, *body);
            }
            (Some("copies"), &[name, count, body]) => {
                let count = self.one(count)?;
                let count = self.host.simplify(self.terms, self.at, count);
                let count = self.terms.as_int(count);
                let count = count.filter(|n| (0..=MOST_COPIES).contains(n));
                let count = count.ok_or("`copies` wants a number")?;
                let numbers = (0..count).map(|k| self.terms.int(k)).collect();
                return self.repeat(name, numbers, body);
            }
            _ => {}
        }
        let args = self.each_of(parts)?;
        match (self.rules.instruction(template), &args[..]) {
            (Some("substitute"), &[within, old, new]) => {
                return Ok(vec![replaced(self.terms, within, old, new)]);
            }
            (Some("count"), _) => return Ok(vec![self.terms.int(args.len() as i64)]),
            _ => {}
        }
        let made = match (functor.as_str(), &args[..]) {
            (SET, _) => make_set(self.terms, &args),
            (ANY_ARITY, &[name, list]) => {
                let name = self.terms.as_atom(name).ok_or("a functor must be a name")?;
                let args = elements_of(self.terms, list).ok_or("arguments must be a list")?;
                self.host.build(self.terms, name, &args)
            }
            _ => {
                if !parts.is_empty()
                    && let Some(values) = self.host.compute(self.terms, self.at, functor, &args)
                {
                    return values;
                }
                self.host.build(self.terms, functor, &args)
            }
        };
        Ok(vec![made])
    }

    /// The terms that a body gives for each value of a variable, which has none after it.
    fn repeat(&mut self, name: Id, elements: Vec<Id>, body: Id) -> Result<Vec<Id>, String> {
        let Head::Variable(name) = self.rules.terms.head(name) else {
            return Err("what is repeated needs a variable".to_owned());
        };
        if value_of(&self.values, name).is_some() {
            return Err(format!("`${name}` has two values"));
        }
        let mut all = Vec::new();
        let outer = self.values.len();
        for element in elements {
            self.values.push((name, vec![element]));
            let made = self.build(body);
            self.values.truncate(outer);
            all.extend(made?);
        }
        Ok(all)
    }
}

fn variable(terms: &Terms, id: Id) -> Option<Symbol> {
    match terms.head(id) {
        Head::Variable(name) | Head::Sequence(name) => Some(name),
        _ => None,
    }
}

/// A term with each occurrence of `old` replaced, but for words: a component `x` is no variable. Arguments are older
/// than what they are arguments of, so going through the subterms by age needs no recursion.
fn replaced(terms: &mut Terms, within: Id, old: Id, new: Id) -> Id {
    let mut parts: Vec<Id> = terms.subterms(within).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut now: FxHashMap<Id, Id> = FxHashMap::default();
    for id in parts {
        let args = terms.args(id).iter().enumerate();
        let args = args.map(|(i, a)| if terms.is_word(id, i) { *a } else { now[a] });
        let args: Vec<Id> = args.collect();
        let made = match (terms.equal(id, old), args == terms.args(id)) {
            (true, _) => new,
            (false, true) => id,
            (false, false) => terms.with_args(id, &args),
        };
        now.insert(id, made);
    }
    now[&within]
}
