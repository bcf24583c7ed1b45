//! Systems: rules that rewrite a term until nothing changes.

mod orders;
mod run;
mod settled;
mod several;
mod trace;

use super::base::{Order, RuleBase, System};
use super::evaluate::{Value, value};
use super::host::{Answer, Evidence, Host, Redex, Status};
use super::machine;
use super::standard::table::Active;
use crate::syntax::rules::OTHERWISE;
use crate::term::{Id, Symbol, Terms};
use run::{Index, Run};
use settled::Other;
pub(super) use settled::named_system;
use std::rc::Rc;
pub(super) use trace::Trace;

/// Conditions nest within conditions no deeper than this.
const MOST_NESTED: usize = 64;

/// What came of a run.
pub(super) struct Reduction {
    /// The normal form; where the bound was reached, the term as far as it is known.
    pub(super) root: Id,
    pub(super) trace: Trace,
    /// False where the bound was reached.
    pub(super) finished: bool,
}

/// Rewrites a term by a system until nothing changes or `bound` rules have fired. A term that no rule changed
/// is given to the system's rule for `OTHERWISE`, if it has one. An error says why the run was given up.
pub(super) fn reduce(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    bound: u64,
) -> Result<Reduction, String> {
    let done = reduce_once(base, system, order, terms, root, bound)?;
    let otherwise = Symbol::new(OTHERWISE);
    let is_for = |&i: &usize| base.rules[i].matcher.functor() == Some(otherwise);
    if done.trace.rewrites > 0 || !done.finished || !system.rules.iter().any(is_for) {
        return Ok(done);
    }
    let kept = done.root;
    let around = terms.apply(otherwise, &[kept]);
    let done = reduce_once(base, system, order, terms, around, bound)?;
    match done.trace.rewrites {
        0 => Ok(Reduction { root: kept, ..done }),
        _ => Ok(done),
    }
}

fn reduce_once(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    bound: u64,
) -> Result<Reduction, String> {
    let active = Active::of(base, system);
    if order == Order::BottomTop
        && !active.beyond_compiled(base, system, terms, root)
        && let Some(reduction) = machine::normalise(base, system, terms, root, bound)
    {
        return reduction;
    }
    let inner = Inner {
        base,
        index: Rc::new(Index::new(base, system)),
        order,
        active,
        bound,
        nested: 0,
        spent: 0,
        trouble: None,
        asking: Vec::new(),
        systems: Vec::new(),
    };
    let mut run = Run::new(inner);
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
    index: Rc<Index>,
    order: Order,
    /// The standard functors that look at terms.
    active: Active,
    /// How often rules may fire.
    bound: u64,
    /// How many conditions this one stands in.
    nested: usize,
    /// How often rules fired to judge conditions.
    spent: u64,
    trouble: Option<String>,
    /// The rules whose conditions are being asked, each with its redex: a condition that leads
    /// to itself is asked only once.
    asking: Vec<(usize, Id)>,
    /// The systems that terms apply, as far as they are known.
    systems: Vec<(Symbol, Other<'a>)>,
}

impl<'a> Inner<'a> {
    fn reduce(&mut self, terms: &mut Terms, id: Id) -> Id {
        let own = Other {
            base: self.base,
            index: Rc::clone(&self.index),
            order: self.order,
            active: self.active,
        };
        self.reduce_by(terms, id, &own)
    }

    fn reduce_by(&mut self, terms: &mut Terms, id: Id, by: &Other<'a>) -> Id {
        if self.trouble.is_some() {
            return id;
        }
        if self.nested > MOST_NESTED {
            let trouble = format!("conditions ask conditions more than {MOST_NESTED} levels deep");
            self.trouble = Some(trouble);
            return id;
        }
        let mut run = Run::new(Inner {
            base: by.base,
            index: Rc::clone(&by.index),
            order: by.order,
            active: by.active,
            bound: self.bound.saturating_sub(self.spent),
            nested: self.nested + 1,
            spent: 0,
            trouble: None,
            // Rules of another base have other numbers.
            asking: match std::ptr::eq(by.base, self.base) {
                true => self.asking.clone(),
                false => Vec::new(),
            },
            systems: Vec::new(),
        });
        let id = run.reduce(terms, id);
        self.spent += run.trace.rewrites + run.inner.spent;
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

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        self.reduce(terms, id)
    }
}
