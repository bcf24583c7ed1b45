//! Systems: rules that rewrite a term until nothing changes.

mod acting;
mod looking;
mod orders;
mod run;
mod settled;
mod several;
mod trace;

use super::any_order::{Way, way};
use super::base::{Order, RuleBase, System};
use super::evaluate::{Value, value};
use super::fact_base::{Knowledge, is_ground};
use super::host::{Answer, Evidence, Host, Known, Redex, Status};
use super::standard::active::Active;
use super::{graph, machine};
use crate::syntax::rules::OTHERWISE;
use crate::term::{Id, Symbol, Terms};
pub(super) use looking::{Looking, Taken};
use run::{Index, Run};
use settled::Other;
pub(super) use settled::{STOP, named_system};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
pub(super) use trace::Trace;

/// Conditions nest within conditions no deeper than this.
const MOST_NESTED: usize = 64;

/// What came of a run.
pub(super) struct Reduction {
    /// The normal form; where the bound was reached, the term as far as it is known.
    pub(super) root: Id,
    pub(super) trace: Trace,
    /// False where a limit was reached.
    pub(super) finished: bool,
    /// Why the general matcher was at work, where it was.
    pub(super) slow: Option<String>,
    /// Whether the order was that of BottomTop, since it tells how many steps by each rule the strategy takes.
    pub(super) any_order: bool,
}

/// How long a run may go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits<'a> {
    /// How often rules may fire.
    pub(super) steps: u64,
    /// Set from outside when the run is to end.
    pub(super) stop: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            steps: u64::MAX,
            stop: None,
        }
    }
}

impl Limits<'_> {
    /// Whether the run is to end, from outside.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Rewrites a term by a system until nothing changes or a limit is reached, by compiled rules
/// where that is possible. A term that no rule changed is given to the system's rule for
/// `OTHERWISE`, if it has one. An error says why the run was given up.
pub(super) fn reduce(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    knowledge: Option<&RefCell<Knowledge>>,
) -> Result<Reduction, String> {
    let done = reduce_once(base, system, order, terms, root, limits, knowledge)?;
    let otherwise = Symbol::new(OTHERWISE);
    let is_for = |&i: &usize| base.rules[i].matcher.functor() == Some(otherwise);
    if done.trace.rewrites > 0 || !done.finished || !system.rules.iter().any(is_for) {
        return Ok(done);
    }
    let kept = done.root;
    let around = terms.apply(otherwise, &[kept]);
    let done = reduce_once(base, system, order, terms, around, limits, knowledge)?;
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
    limits: Limits<'_>,
    knowledge: Option<&RefCell<Knowledge>>,
) -> Result<Reduction, String> {
    let beyond = Active::of(base, system).beyond_compiled(base, system, terms, root);
    let has_facts = knowledge.is_some_and(|known| !known.borrow().is_empty());
    let compiled = match beyond {
        Some(beyond) => Err(graph::Unable(beyond)),
        None => {
            if order == Order::BottomTop
                && !has_facts
                && let Some(reduction) = machine::normalise(base, system, terms, root, limits)
            {
                return reduction;
            }
            let way = match has_facts || limits.stop.is_some() {
                true => Way::Itself,
                false => way(base, system, order, terms, root),
            };
            let reduction = match way {
                Way::Itself => None,
                Way::BottomTop => machine::normal_form(base, system, terms, root, limits),
                Way::Owing(uneven) => {
                    let itself = |terms: &mut Terms, steps: u64| {
                        let limits = Limits { steps, ..limits };
                        let done = graph::reduce(base, system, order, terms, root, limits, None);
                        let done = done.ok().and_then(|done| done.ok());
                        done.filter(|reduction| reduction.finished)
                    };
                    machine::owing(base, system, terms, root, limits, &uneven, itself)
                }
            };
            if let Some(reduction) = reduction {
                return Ok(reduction);
            }
            graph::reduce(base, system, order, terms, root, limits, knowledge)
        }
    };
    match compiled {
        Ok(reduction) => reduction,
        Err(unable) => {
            let reduction = search(base, system, order, terms, root, limits, knowledge);
            reduction.map(|reduction| Reduction {
                slow: Some(unable.0),
                ..reduction
            })
        }
    }
}

/// Rewrites a term by the general matcher, which the compiled engines are held against.
pub(super) fn search(
    base: &RuleBase,
    system: &System,
    order: Order,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    knowledge: Option<&RefCell<Knowledge>>,
) -> Result<Reduction, String> {
    let inner = Inner::outermost(base, system, order, limits, knowledge);
    let mut run = Run::new(inner);
    let root = system.operators.canonical(terms, root);
    let root = run.reduce(terms, root);
    match run.trouble {
        Some(trouble) => Err(trouble),
        None => Ok(Reduction {
            root,
            trace: run.trace,
            finished: !run.stopped,
            slow: None,
            any_order: false,
        }),
    }
}

/// Conditions of a system's rules are reduced by the system itself.
struct Inner<'a> {
    base: &'a RuleBase,
    index: Rc<Index>,
    order: Order,
    limits: Limits<'a>,
    /// What is known beside the rules.
    knowledge: Option<&'a RefCell<Knowledge>>,
    /// The standard functors that look at terms.
    active: Active,
    /// How many conditions this one stands in.
    nested: usize,
    /// How often rules fired, of the term and for conditions and actions.
    spent: u64,
    /// Whether a limit was reached in a condition.
    stopped: bool,
    trouble: Option<String>,
    /// The rules whose conditions are being asked, each with its redex: a condition that leads
    /// to itself is asked only once.
    asking: Vec<(usize, Id)>,
    /// The systems that terms apply, as far as they are known.
    systems: Vec<(Symbol, Other<'a>)>,
}

impl<'a> Inner<'a> {
    /// What stands in no condition.
    fn outermost(
        base: &'a RuleBase,
        system: &System,
        order: Order,
        limits: Limits<'a>,
        knowledge: Option<&'a RefCell<Knowledge>>,
    ) -> Inner<'a> {
        if let Some(knowledge) = knowledge
            && !system.operators.is_empty()
        {
            let order = |terms: &mut Terms, id| system.operators.canonical(terms, id);
            knowledge.borrow_mut().facts.ordered(order);
        }
        Inner {
            base,
            index: Rc::new(Index::new(base, system)),
            order,
            active: Active::of(base, system),
            limits,
            knowledge,
            nested: 0,
            spent: 0,
            stopped: false,
            trouble: None,
            asking: Vec::new(),
            systems: Vec::new(),
        }
    }

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
        if self.trouble.is_some() || self.stopped {
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
            limits: Limits {
                steps: self.limits.steps.saturating_sub(self.spent),
                ..self.limits
            },
            knowledge: self.knowledge,
            nested: self.nested + 1,
            spent: 0,
            stopped: false,
            trouble: None,
            // Rules of another base have other numbers.
            asking: match std::ptr::eq(by.base, self.base) {
                true => self.asking.clone(),
                false => Vec::new(),
            },
            systems: Vec::new(),
        });
        let id = match Rc::ptr_eq(&by.index, &self.index) {
            true => id,
            false => by.index.operators.canonical(terms, id),
        };
        let id = run.reduce(terms, id);
        self.spent += run.inner.spent;
        self.stopped |= run.halted() && run.trouble.is_none();
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
        let mut question = self.build(terms, name, args);
        let knows = |k: &RefCell<Knowledge>| k.borrow().knows(name, args.len());
        if self.knowledge.is_some_and(knows) {
            question = self.with_normal_arguments(terms, question);
            if let Some(answer) = self.known(terms, question) {
                return Some(answer);
            }
        }
        let id = self.reduce(terms, question);
        let evidence = Evidence::new(Status::Decided, "the rules say so");
        match value(terms, id) {
            Some(Value::Bool(true)) => Some(Answer::Yes(evidence)),
            Some(Value::Bool(false)) => Some(Answer::No(evidence)),
            _ => None,
        }
    }

    fn fact(&mut self, terms: &mut Terms, pattern: Id, from: usize) -> Known {
        let is_operator = |id: Id| {
            let functor = terms.functor(id);
            functor.is_some_and(|f| self.index.operators.laws(f).is_some())
        };
        // Facts are found place by place, which the arguments of an operator do not have.
        if !is_ground(terms, pattern) && terms.subterms(pattern).any(is_operator) {
            return Known::Unknown;
        }
        match self.knowledge {
            Some(knowledge) => knowledge.borrow_mut().next(terms, pattern, from),
            None => Known::Nothing,
        }
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        self.index.operators.make(terms, functor, args)
    }

    fn ordered(&mut self, terms: &mut Terms, id: Id) -> Id {
        self.index.operators.canonical(terms, id)
    }

    fn simplify(&mut self, terms: &mut Terms, _at: Redex<'_>, id: Id) -> Id {
        self.reduce(terms, id)
    }
}
