//! A run by the general matcher: one step, and the memory of a run.

use super::{Inner, Trace};
use crate::rewrite::evaluate::evaluate_here;
use crate::rewrite::fire::{Call, Fired, MOST_MATCHES};
use crate::rewrite::graph::{Repeats, repeats, some_rule_asks_itself};
use crate::rewrite::operators::Operators;
use crate::rewrite::{Order, Redex, RuleBase, System};
use crate::term::{Id, Origin, Path, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Nodes of the arena beyond which what is not reached any more is dropped.
const GARBAGE: usize = 1 << 22;

/// The rules of a system by the functor of their pattern, in the order in which they are tried.
pub(super) struct Index {
    /// Rules of any functor are in every entry.
    by_functor: FxHashMap<Symbol, Vec<usize>>,
    any: Vec<usize>,
    /// Values of the rules' parameters.
    pub(super) values: FxHashMap<usize, Vec<i64>>,
    /// Whether no rule is about `if`, so that it is the standard one.
    pub(super) standard_if: bool,
    /// How many levels below a redex a rule may look.
    pub(super) sight: usize,
    /// Which functors are commutative.
    pub(super) operators: Operators,
}

impl Index {
    pub(super) fn new(base: &RuleBase, system: &System) -> Index {
        let rules = || system.rules.iter().copied();
        let functor = |i: usize| base.rules[i].matcher.functor();
        let mut by_functor: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        let mut any: Vec<usize> = Vec::new();
        for i in rules() {
            match functor(i) {
                Some(name) => by_functor.entry(name).or_default().push(i),
                None => any.push(i),
            }
        }
        // Those for any functor are tried after those for one.
        for rules in by_functor.values_mut() {
            rules.extend(&any);
        }
        let values = |i: usize| base.rules[i].parameters.iter().map(|p| p.default).collect();
        Index {
            any,
            values: rules().map(|i| (i, values(i))).collect(),
            sight: sight(base, system),
            operators: system.operators.clone(),
            standard_if: !by_functor.contains_key(&Symbol::new("if")),
            by_functor,
        }
    }

    /// The rules that may fire on a term, in the order in which they are tried.
    pub(super) fn of(&self, terms: &Terms, id: Id) -> &[usize] {
        let own = terms.functor(id).and_then(|f| self.by_functor.get(&f));
        own.unwrap_or(&self.any)
    }
}

impl Index {
    /// Whether there are rules for a functor.
    pub(super) fn has(&self, functor: Symbol) -> bool {
        self.by_functor.contains_key(&functor)
    }
}

/// Why a run is given up at a rule of which not all matches are tried.
fn too_many(rule: &Symbol) -> String {
    format!(
        "rule `{rule}` matches in more than {MOST_MATCHES} ways at one place, and does not fire in those"
    )
}

/// How many levels below its redex a rule of a system may look: as deep as its pattern is, or
/// anywhere if it asks or compares, also its result with the redex, or is not tried on a term that it is being asked
/// about.
fn sight(base: &RuleBase, system: &System) -> usize {
    let mut sight = 2;
    // Arguments of arguments become arguments.
    if !system.operators.is_empty() {
        return usize::MAX;
    }
    for &i in &system.rules {
        let rule = &base.rules[i];
        let again = |result| !matches!(repeats(&base.terms, rule.pattern, result), Repeats::Never);
        if rule.is_conditional() || !rule.matcher.is_linear() || rule.results().any(again) {
            return usize::MAX;
        }
        sight = sight.max(rule.matcher.depth());
    }
    match some_rule_asks_itself(base, system) {
        true => usize::MAX,
        false => sight,
    }
}

/// A run by the general matcher.
pub(super) struct Run<'a> {
    pub(super) inner: Inner<'a>,
    pub(super) index: Rc<Index>,
    pub(super) trace: Trace,
    /// Whether the bound is reached.
    pub(super) stopped: bool,
    /// Whether a rule ended the run.
    pub(super) ended: bool,
    /// Why the run is given up.
    pub(super) trouble: Option<String>,
    /// Terms without a redex in them, by id.
    pub(super) normal: FxHashSet<Id>,
    /// What terms became, where they are shared and may be met again.
    pub(super) became: FxHashMap<Id, Id>,
    /// The rule that fired last, with its match.
    pub(super) taken: Option<(usize, Fired)>,
    limit: usize,
    /// What the knowledge's version was when the run last looked.
    pub(super) version: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(inner: Inner<'a>) -> Run<'a> {
        Run {
            index: Rc::clone(&inner.index),
            trace: Trace::new(inner.base.rules.len()),
            stopped: false,
            ended: false,
            trouble: None,
            normal: FxHashSet::default(),
            became: FxHashMap::default(),
            taken: None,
            limit: GARBAGE,
            version: inner.version(),
            inner,
        }
    }

    /// One step at the root of a term: a rule, else a standard functor.
    pub(super) fn step(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        if self.ended {
            return None;
        }
        // Rules that match in many ways and never fire take time, too.
        if self.inner.limits.is_over() {
            self.stopped = true;
            return None;
        }
        let index = Rc::clone(&self.index);
        for &number in index.of(terms, id) {
            let call = Call {
                rules: &self.inner.base.terms,
                predicates: &self.inner.base.predicates,
                rule: &self.inner.base.rules[number],
                values: &index.values[&number],
            };
            let path = Path::default();
            let at = Redex {
                root: id,
                path: &path,
            };
            let asked = |&(rule, redex): &(usize, Id)| rule == number && terms.equal(redex, id);
            if self.inner.asking.iter().any(asked) {
                continue;
            }
            self.inner.asking.push((number, id));
            let mut fired = None;
            let inner = &mut self.inner;
            let matches = call.each(terms, inner, at, id, &mut Vec::new(), &mut |first| {
                fired = Some(first);
                false
            });
            self.inner.asking.pop();
            if fired.is_none() && matches >= MOST_MATCHES {
                self.trouble = Some(too_many(&call.rule.name));
                return None;
            }
            if !self.goes_on() {
                return None;
            }
            let Some(fired) = fired else { continue };
            if terms.equal(fired.result, id) {
                continue;
            }
            if self.inner.spent >= self.inner.limits.steps || self.inner.limits.is_over() {
                self.stopped = true;
                return None;
            }
            self.trace.fired(number);
            self.inner.spent += 1;
            if let Some(action) = fired.action {
                self.act(terms, action);
                if !self.goes_on() {
                    return None;
                }
            }
            let result = fired.result;
            self.taken = Some((number, fired));
            return Some(result);
        }
        let given = evaluate_here(terms, id).or_else(|| self.early(terms, id));
        given.map(|given| self.index.operators.canonical(terms, given))
    }

    /// Whether the run can go on after a rule that was tried and what was computed for it.
    fn goes_on(&mut self) -> bool {
        if let Some(trouble) = self.inner.trouble.take() {
            self.trouble = Some(trouble);
            return false;
        }
        self.stopped |= self.inner.stopped;
        !self.stopped && self.keep_up()
    }

    /// Whether the run is over before the term is normal.
    pub(super) fn halted(&self) -> bool {
        self.stopped || self.ended || self.trouble.is_some()
    }

    /// Rewrites a term as long as its rules and the bound allow.
    pub(super) fn reduce(&mut self, terms: &mut Terms, root: Id) -> Id {
        match self.inner.order {
            Order::FirstTop => self.first_top(terms, root),
            Order::NFirstTops => self.several_first_tops(terms, root),
            Order::TopDown => {
                let mut root = root;
                loop {
                    let version = self.version;
                    let new = self.pass(terms, root);
                    let is_same = new == root && version == self.version;
                    if is_same || self.halted() {
                        return new;
                    }
                    root = new;
                }
            }
            Order::BottomTop => {
                let mut root = root;
                loop {
                    let version = self.version;
                    root = self.bottom_top(terms, root);
                    // What was normal may have become a redex by facts that are new.
                    if version == self.version || self.halted() {
                        return root;
                    }
                    self.normal.clear();
                    self.became.clear();
                }
            }
        }
    }

    /// Whether there may be much in the arena that nobody needs. Runs within conditions leave
    /// that to the run around them, whose terms they do not know.
    pub(super) fn is_full(&self, terms: &Terms) -> bool {
        terms.len() > self.limit && self.inner.nested == 0
    }

    /// Keeps only what the roots reach, shared parts once, and gives the new ids.
    pub(super) fn collect(&mut self, terms: &mut Terms, roots: &[Id]) -> FxHashMap<Id, Id> {
        let mut new = Terms::new();
        let mut moved: FxHashMap<Id, Id> = FxHashMap::default();
        let mut work: Vec<(Id, bool)> = roots.iter().map(|&id| (id, false)).collect();
        while let Some((id, visited)) = work.pop() {
            if moved.contains_key(&id) {
                continue;
            }
            if !visited {
                work.push((id, true));
                work.extend(terms.args(id).iter().map(|&a| (a, false)));
                continue;
            }
            let args: Vec<Id> = terms.args(id).iter().map(|a| moved[a]).collect();
            let copy = new.make(terms.head(id), &args);
            if terms.origin(id) != Origin::default() {
                new.set_origin(copy, terms.origin(id));
            }
            moved.insert(id, copy);
        }
        let place = |id: &Id| moved.get(id).copied();
        self.normal = self.normal.iter().filter_map(place).collect();
        self.became = self
            .became
            .iter()
            .filter_map(|(old, new)| Some((place(old)?, place(new)?)))
            .collect();
        self.limit = GARBAGE.max(4 * new.len());
        *terms = new;
        moved
    }
}
