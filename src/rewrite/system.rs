//! Systems: rules that rewrite a term until nothing changes.

use super::base::{Order, RuleBase, System};
use super::evaluate::{Value, evaluate_here, value};
use super::fire::Call;
use super::host::{Answer, Evidence, Host, Redex, Status};
use super::machine;
use crate::syntax::rules::{SET, make_set};
use crate::term::{Id, Path, Symbol, Terms};
use std::collections::HashMap;
use std::collections::HashSet;

/// So many of the last rules are kept, to say which ones cycle.
const KEPT: usize = 1 << 12;
/// Conditions nest within conditions no deeper than this.
const MOST_NESTED: usize = 64;

/// What a run of a system counted.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) rewrites: u64,
    counts: Vec<u64>,
    last: Vec<u32>,
}

impl Trace {
    pub(super) fn new(rules: usize) -> Trace {
        Trace {
            rewrites: 0,
            counts: vec![0; rules],
            last: vec![u32::MAX; KEPT],
        }
    }

    #[inline]
    pub(super) fn fired(&mut self, rule: usize) {
        self.last[self.rewrites as usize % KEPT] = rule as u32;
        self.counts[rule] += 1;
        self.rewrites += 1;
    }

    /// How often each rule fired, in the order of the files; only those that did.
    pub(super) fn counts(&self, base: &RuleBase) -> Vec<(Symbol, u64)> {
        let pairs = self.counts.iter().zip(&base.rules);
        pairs
            .filter(|(count, _)| **count > 0)
            .map(|(count, rule)| (rule.name, *count))
            .collect()
    }

    /// How often each rule fired among the last ones, most often first.
    pub(super) fn last(&self, base: &RuleBase) -> Vec<(Symbol, u64)> {
        let mut counts = vec![0u64; base.rules.len()];
        for &rule in &self.last {
            if let Some(count) = counts.get_mut(rule as usize) {
                *count += 1;
            }
        }
        let mut named: Vec<(Symbol, u64)> = counts
            .into_iter()
            .zip(&base.rules)
            .filter(|(count, _)| *count > 0)
            .map(|(count, rule)| (rule.name, count))
            .collect();
        named.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        named
    }
}

/// What came of a run.
pub(super) struct Reduction {
    /// The normal form; where the bound was reached, the term as far as it is known.
    pub(super) root: Id,
    pub(super) trace: Trace,
    /// False where the bound was reached.
    pub(super) finished: bool,
}

/// Rewrites a term by a system until nothing changes or `bound` rules have fired. An error says
/// why the run was given up.
pub(super) fn reduce(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    bound: u64,
) -> Result<Reduction, String> {
    if order == Order::BottomTop
        && let Some(reduction) = machine::normalise(base, system, terms, root, bound)
    {
        return reduction;
    }
    let mut run = Run::new(base, system, order, bound, 0);
    let root = run.reduce(terms, root);
    match run.trouble {
        Some(trouble) => Err(trouble),
        None => Ok(Reduction {
            root,
            trace: run.trace,
            finished: !run.stopped,
        }),
    }
}

/// Conditions of a system's rules are reduced by the system itself.
struct Inner<'a> {
    base: &'a RuleBase,
    system: &'a System,
    order: Order,
    bound: u64,
    nested: usize,
    spent: u64,
    trouble: Option<String>,
}

impl Inner<'_> {
    fn reduce(&mut self, terms: &mut Terms, id: Id) -> Id {
        if self.nested > MOST_NESTED {
            let trouble = format!("conditions ask conditions more than {MOST_NESTED} levels deep");
            self.trouble = Some(trouble);
            return id;
        }
        let left = self.bound.saturating_sub(self.spent);
        let mut run = Run::new(self.base, self.system, self.order, left, self.nested + 1);
        let id = run.reduce(terms, id);
        self.spent += run.trace.rewrites;
        self.trouble = self.trouble.take().or(run.trouble);
        id
    }
}

impl Host for Inner<'_> {
    fn ask(
        &mut self,
        terms: &mut Terms,
        _at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        let question = terms.apply(name, args);
        let id = self.reduce(terms, question);
        let evidence = Evidence::new(Status::Decided, "the rules say so");
        match value(terms, id) {
            Some(Value::Bool(true)) => Some(Answer::Yes(evidence)),
            Some(Value::Bool(false)) => Some(Answer::No(evidence)),
            _ => None,
        }
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        terms.apply(functor, args)
    }

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        self.reduce(terms, id)
    }
}

/// A run by the general matcher.
struct Run<'a> {
    base: &'a RuleBase,
    order: Order,
    bound: u64,
    trace: Trace,
    stopped: bool,
    trouble: Option<String>,
    inner: Inner<'a>,
    /// Rules by the functor of their pattern, in the order in which they are tried; those of any
    /// functor are in every entry.
    by_functor: HashMap<Symbol, Vec<usize>>,
    any: Vec<usize>,
    values: HashMap<usize, Vec<i64>>,
    /// Terms without a redex in them, by id.
    normal: HashSet<Id>,
}

impl<'a> Run<'a> {
    fn new(
        base: &'a RuleBase,
        system: &'a System,
        order: Order,
        bound: u64,
        nested: usize,
    ) -> Run<'a> {
        let mut by_functor: HashMap<Symbol, Vec<usize>> = HashMap::new();
        let functor = |i: usize| base.rules[i].matcher.functor();
        let any: Vec<usize> = system
            .rules
            .iter()
            .copied()
            .filter(|&i| functor(i).is_none())
            .collect();
        for name in system.rules.iter().filter_map(|&i| functor(i)) {
            by_functor.entry(name).or_insert_with(|| {
                let fits = |&i: &usize| functor(i).is_none_or(|f| f == name);
                system.rules.iter().copied().filter(fits).collect()
            });
        }
        let values = system
            .rules
            .iter()
            .map(|&i| {
                (
                    i,
                    base.rules[i].parameters.iter().map(|p| p.default).collect(),
                )
            })
            .collect();
        Run {
            base,
            order,
            bound,
            trace: Trace::new(base.rules.len()),
            stopped: false,
            trouble: None,
            inner: Inner {
                base,
                system,
                order,
                bound,
                nested,
                spent: 0,
                trouble: None,
            },
            by_functor,
            any,
            values,
            normal: HashSet::new(),
        }
    }

    /// One step at the root of a term: a rule, else a standard functor.
    fn step(&mut self, terms: &mut Terms, id: Id) -> Option<Id> {
        let rules = match terms.functor(id).and_then(|f| self.by_functor.get(&f)) {
            Some(rules) => rules,
            None => &self.any,
        };
        for &index in rules {
            let call = Call {
                rules: &self.base.terms,
                rule: &self.base.rules[index],
                values: &self.values[&index],
            };
            let path = Path::default();
            let at = Redex {
                root: id,
                path: &path,
            };
            let fired = call.fire(terms, &mut self.inner, at, id, &mut Vec::new());
            if let Some(trouble) = self.inner.trouble.take() {
                self.trouble = Some(trouble);
                return None;
            }
            let Some(fired) = fired else { continue };
            if terms.equal(fired.result, id) {
                continue;
            }
            if self.trace.rewrites + self.inner.spent >= self.bound {
                self.stopped = true;
                return None;
            }
            self.trace.fired(index);
            return Some(fired.result);
        }
        evaluate_here(terms, id)
    }

    fn halted(&self) -> bool {
        self.stopped || self.trouble.is_some()
    }

    fn reduce(&mut self, terms: &mut Terms, root: Id) -> Id {
        match self.order {
            Order::FirstTop => self.first_top(terms, root),
            Order::TopDown => {
                let mut root = root;
                loop {
                    let new = self.pass(terms, root);
                    if new == root || self.halted() {
                        return new;
                    }
                    root = new;
                }
            }
            Order::BottomTop => self.bottom_top(terms, root),
        }
    }

    /// Rewrites the first redex from the top and the left, again and again. What was found to
    /// have none is not searched again: terms do not change.
    fn first_top(&mut self, terms: &mut Terms, root: Id) -> Id {
        // The terms from the root down to where the search is, each with the argument to go to.
        let mut spine: Vec<(Id, usize)> = vec![(root, 0)];
        let mut fresh = true;
        while let Some(&(id, next)) = spine.last() {
            if fresh && let Some(new) = self.step(terms, id) {
                // Back to the root, which may have become a redex, and down the first time only
                // as far as terms are new.
                spine.pop();
                let mut new = new;
                while let Some((parent, at)) = spine.pop() {
                    new = replace(terms, parent, at - 1, new);
                }
                spine.push((new, 0));
                continue;
            }
            if self.halted() {
                let mut new = id;
                spine.pop();
                while let Some((parent, at)) = spine.pop() {
                    new = replace(terms, parent, at - 1, new);
                }
                return new;
            }
            let arity = terms.arity(id);
            let open = (next..arity).find(|&i| !self.normal.contains(&terms.arg(id, i)));
            fresh = open.is_some();
            match open {
                Some(i) => {
                    let child = terms.arg(id, i);
                    if let Some(top) = spine.last_mut() {
                        top.1 = i + 1;
                    }
                    spine.push((child, 0));
                }
                None => {
                    self.normal.insert(id);
                    if spine.len() == 1 {
                        return id;
                    }
                    spine.pop();
                }
            }
        }
        root
    }

    /// One pass: at every term, from the top, as many steps as there are, then its arguments.
    fn pass(&mut self, terms: &mut Terms, root: Id) -> Id {
        enum Work {
            Visit(Id),
            Make(Id),
        }
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) => {
                    let mut id = id;
                    while !self.halted()
                        && !self.normal.contains(&id)
                        && let Some(new) = self.step(terms, id)
                    {
                        id = new;
                    }
                    if terms.arity(id) == 0 || self.normal.contains(&id) {
                        self.normal.insert(id);
                        done.push(id);
                        continue;
                    }
                    work.push(Work::Make(id));
                    work.extend(terms.args(id).iter().rev().map(|&a| Work::Visit(a)));
                }
                Work::Make(id) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let new = rebuild(terms, id, &args);
                    let settled = new == id && args.iter().all(|a| self.normal.contains(a));
                    if settled && !self.halted() {
                        self.normal.insert(new);
                    }
                    done.push(new);
                }
            }
        }
        done.pop().unwrap_or(root)
    }

    /// Arguments before the term; a result is normalised before anything above it is looked at.
    fn bottom_top(&mut self, terms: &mut Terms, root: Id) -> Id {
        enum Work {
            Visit(Id),
            Make(Id),
        }
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Id> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) if self.normal.contains(&id) => done.push(id),
                Work::Visit(id) => {
                    work.push(Work::Make(id));
                    work.extend(terms.args(id).iter().rev().map(|&a| Work::Visit(a)));
                }
                Work::Make(id) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let new = rebuild(terms, id, &args);
                    let halted = self.halted();
                    match (!halted).then(|| self.step(terms, new)).flatten() {
                        Some(result) => work.push(Work::Visit(result)),
                        None => {
                            if !self.halted() {
                                self.normal.insert(new);
                            }
                            done.push(new);
                        }
                    }
                }
            }
        }
        done.pop().unwrap_or(root)
    }
}

fn rebuild(terms: &mut Terms, id: Id, args: &[Id]) -> Id {
    if args == terms.args(id) {
        return id;
    }
    if terms.functor(id).is_some_and(|f| f.as_str() == SET) {
        return make_set(terms, args);
    }
    terms.with_args(id, args)
}

fn replace(terms: &mut Terms, parent: Id, at: usize, new: Id) -> Id {
    let mut args = terms.args(parent).to_vec();
    if args[at] == new {
        return parent;
    }
    args[at] = new;
    rebuild(terms, parent, &args)
}
