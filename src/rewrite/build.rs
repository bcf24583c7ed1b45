//! Templates → terms: a rule's result with its variables filled in.

use super::fact_base::Choices;
use super::host::{Host, Redex};
use super::pattern::{Bound, Slots};
use super::predicate::Predicates;
use crate::syntax::rules::{ANY_ARITY, CONS, NIL, SET, SET_PATTERN, make_set, print_term_short};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// `copies` makes no more than this.
const MOST_COPIES: i64 = 1 << 20;

/// What a functor in a rule's result can do instead of standing there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builder {
    /// `each($x, elements…, t)`
    Each,
    /// `copies($k, n, t)`
    Copies,
    /// `substitute(t, old, new)`
    Substitute,
    /// `count(elements…)`, a number
    Count,
    /// `nonempty(elements…)`, a condition
    Nonempty,
}

const BUILDERS: [(&str, Builder); 5] = [
    ("each", Builder::Each),
    ("copies", Builder::Copies),
    ("substitute", Builder::Substitute),
    ("count", Builder::Count),
    ("nonempty", Builder::Nonempty),
];

/// The names of what makes several terms, or other ones, of a template.
pub fn builders() -> impl Iterator<Item = &'static str> {
    BUILDERS.iter().map(|&(name, _)| name)
}

/// The builders whose names are functors of the rules themselves: a name that some rule of the
/// files rewrites is that functor everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shadows(u8);

impl Shadows {
    /// Notes that there is a rule for a functor.
    pub(super) fn note(&mut self, functor: Symbol) {
        let found = BUILDERS
            .iter()
            .position(|(name, _)| *name == functor.as_str());
        self.0 |= found.map_or(0, |i| 1 << i);
    }

    /// The builder that a functor with so many arguments is.
    pub(super) fn builder(self, functor: Symbol, arity: usize) -> Option<Builder> {
        let name = functor.as_str();
        let i = BUILDERS.iter().position(|(builder, _)| *builder == name)?;
        let builder = BUILDERS[i].1;
        let fits = match builder {
            Builder::Each => arity >= 3,
            Builder::Copies | Builder::Substitute => arity == 3,
            Builder::Count | Builder::Nonempty => arity >= 1,
        };
        (fits && self.0 & (1 << i) == 0).then_some(builder)
    }
}

/// Fills in templates at one redex.
pub(super) struct Build<'a> {
    /// The arena of the rules.
    pub(super) rules: &'a Terms,
    /// What conditions may ask besides the host.
    pub(super) predicates: &'a Predicates,
    /// The arena that is rewritten.
    pub(super) terms: &'a mut Terms,
    pub(super) host: &'a mut dyn Host,
    pub(super) at: Redex<'a>,
    /// Names of the rule's variables.
    pub(super) names: &'a [Symbol],
    pub(super) shadows: Shadows,
    pub(super) slots: Slots,
    /// Which facts the questions of the condition took that is being judged.
    pub(super) choices: Choices<Slots>,
    pub(super) nested: Nested,
}

/// How far predicates have asked each other.
#[derive(Clone, Copy, Default)]
pub(super) struct Nested {
    /// The predicate whose clause asks; none for a rule.
    pub(super) within: Option<Symbol>,
    /// How many predicates wait for an answer.
    pub(super) depth: usize,
    /// How many were asked since the rule's question.
    pub(super) calls: usize,
}

impl Build<'_> {
    /// The slot of a variable.
    pub(super) fn slot(&self, name: Symbol) -> Option<usize> {
        self.names.iter().position(|&n| n == name)
    }

    fn bound(&self, name: Symbol) -> Result<Bound, String> {
        self.slot(name)
            .and_then(|slot| self.slots[slot].clone())
            .ok_or_else(|| format!("`${name}` has no value"))
    }

    /// The one term of a template.
    pub(super) fn one(&mut self, template: Id) -> Result<Id, String> {
        let mut out = Vec::new();
        self.all(template, &mut out)?;
        match out[..] {
            [id] => Ok(id),
            _ => Err(format!(
                "`{}` gives {} terms where one is needed",
                print_term_short(self.rules, template, 60),
                out.len()
            )),
        }
    }

    /// The one term of a template in which variables without values stay.
    pub(super) fn open(&mut self, template: Id) -> Result<Id, String> {
        let kept = self.slots.clone();
        for id in self.rules.subterms(template) {
            if let Head::Variable(name) = self.rules.head(id)
                && let Some(slot) = self.slot(name)
                && self.slots[slot].is_none()
            {
                let variable = self.terms.make(Head::Variable(name), &[]);
                self.slots[slot] = Some(Bound::Term(variable));
            }
        }
        let built = self.one(template);
        self.slots = kept;
        built
    }

    /// The terms of all arguments of a template.
    pub(super) fn arguments(&mut self, template: Id) -> Result<Vec<Id>, String> {
        let mut out = Vec::new();
        for i in 0..self.rules.arity(template) {
            self.all(self.rules.arg(template, i), &mut out)?;
        }
        Ok(out)
    }

    /// Adds the terms of a template, none or several where it is a sequence.
    pub(super) fn all(&mut self, template: Id, out: &mut Vec<Id>) -> Result<(), String> {
        let functor = match self.rules.head(template) {
            // A variable of a rule or a binding that the result makes.
            Head::Variable(name) if self.slot(name).is_none() => {
                out.push(self.terms.make(Head::Variable(name), &[]));
                return Ok(());
            }
            Head::Variable(name) | Head::Sequence(name) => {
                let bound = self.bound(name)?;
                out.extend_from_slice(bound.elements(self.terms));
                return Ok(());
            }
            Head::Functor(functor) => functor,
            literal => {
                out.push(self.terms.make(literal, &[]));
                return Ok(());
            }
        };
        let builder = self.shadows.builder(functor, self.rules.arity(template));
        match builder {
            Some(Builder::Each) => return self.each(template, out),
            Some(Builder::Copies) => return self.copies(template, out),
            _ => {}
        }
        let args = self.arguments(template)?;
        match (builder, &args[..]) {
            (Some(Builder::Substitute), &[within, old, new]) => {
                let new = substitute(self.terms, within, old, new);
                out.push(self.host.ordered(self.terms, new));
                return Ok(());
            }
            (Some(Builder::Count), _) => {
                out.push(self.terms.int(args.len() as i64));
                return Ok(());
            }
            _ => {}
        }
        let id = match (functor.as_str(), &args[..]) {
            (SET, _) => make_set(self.terms, &args),
            (SET_PATTERN, [elements @ .., rest]) => {
                let mut elements = elements.to_vec();
                elements.extend_from_slice(self.terms.args(*rest));
                make_set(self.terms, &elements)
            }
            (ANY_ARITY, &[name, list]) => {
                let Some(name) = self.terms.as_atom(name) else {
                    return Err("a functor must be a name".to_string());
                };
                let args = list_elements(self.terms, list)
                    .ok_or_else(|| "the arguments of a functor must be a list".to_string())?;
                self.host.build(self.terms, name, &args)
            }
            _ => {
                if !args.is_empty() || self.rules.arity(template) > 0 {
                    let computed = self.host.compute(self.terms, self.at, functor, &args);
                    if let Some(values) = computed {
                        out.extend(values?);
                        return Ok(());
                    }
                }
                self.host.build(self.terms, functor, &args)
            }
        };
        out.push(id);
        Ok(())
    }

    fn local(&self, template: Id) -> Result<usize, String> {
        match self.rules.head(self.rules.arg(template, 0)) {
            Head::Variable(name) => self.slot(name),
            _ => None,
        }
        .ok_or_else(|| "the first argument must be a variable".to_string())
    }

    /// `each($x, elements…, t)`: t for every element.
    fn each(&mut self, template: Id, out: &mut Vec<Id>) -> Result<(), String> {
        let slot = self.local(template)?;
        let last = self.rules.arity(template) - 1;
        let mut elements = Vec::new();
        for i in 1..last {
            self.all(self.rules.arg(template, i), &mut elements)?;
        }
        // A list may stand for its elements.
        if let [list] = elements[..]
            && let Some(found) = list_elements(self.terms, list)
        {
            elements = found;
        }
        for element in elements {
            self.slots[slot] = Some(Bound::Term(element));
            self.all(self.rules.arg(template, last), out)?;
        }
        self.slots[slot] = None;
        Ok(())
    }

    /// `copies($k, n, t)`: t for k = 0 … n - 1.
    fn copies(&mut self, template: Id, out: &mut Vec<Id>) -> Result<(), String> {
        let slot = self.local(template)?;
        let count = self.one(self.rules.arg(template, 1))?;
        let count = self.host.simplify(self.terms, self.at, count);
        let count = match self.terms.as_int(count) {
            Some(n) if (0..=MOST_COPIES).contains(&n) => n,
            _ => {
                return Err(format!(
                    "`copies` wants a number from 0 to {MOST_COPIES}, not `{}`",
                    print_term_short(self.terms, count, 60)
                ));
            }
        };
        for k in 0..count {
            let k = self.terms.int(k);
            self.slots[slot] = Some(Bound::Term(k));
            self.all(self.rules.arg(template, 2), out)?;
        }
        self.slots[slot] = None;
        Ok(())
    }
}

/// The elements of a list, if it is one.
pub(super) fn list_elements(terms: &Terms, list: Id) -> Option<Vec<Id>> {
    let mut elements = Vec::new();
    let mut rest = list;
    loop {
        match (terms.functor(rest)?.as_str(), terms.args(rest)) {
            (NIL, []) => return Some(elements),
            (CONS, &[first, others]) => {
                elements.push(first);
                rest = others;
            }
            _ => return None,
        }
    }
}

/// `within` with every occurrence of `old` replaced, but for words. Does not recurse; shared parts are done
/// once.
pub fn substitute(terms: &mut Terms, within: Id, old: Id, new: Id) -> Id {
    let mut done: FxHashMap<Id, Id> = FxHashMap::default();
    let mut work = vec![(within, false)];
    while let Some((id, visited)) = work.pop() {
        if done.contains_key(&id) {
            continue;
        }
        if terms.equal(id, old) {
            done.insert(id, new);
        } else if terms.arity(id) == 0 {
            done.insert(id, id);
        } else if !visited {
            work.push((id, true));
            work.extend(terms.args(id).iter().map(|&a| (a, false)));
        } else {
            let args = terms.args(id).iter().enumerate();
            let args: Vec<Id> = args
                .map(|(i, a)| if terms.is_word(id, i) { *a } else { done[a] })
                .collect();
            let same = args == terms.args(id);
            let made = if same { id } else { terms.with_args(id, &args) };
            done.insert(id, made);
        }
    }
    done[&within]
}
