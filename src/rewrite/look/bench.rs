//! A term that is rewritten as one wishes: steps forward and back, and questions about rules.

use super::planned::planned;
use super::seen::Seen;
use super::states::States;
use super::stepper::{Change, Stepper, in_order_along};
use super::traced::seen;
use crate::diagnostic::{Diagnostic, names_like};
use crate::rewrite::base::{Order, RuleBase, System};
use crate::rewrite::command::choose;
use crate::rewrite::fact_base::{Knowledge, unanswered};
use crate::rewrite::fire::Fired;
use crate::rewrite::system::{Limits, Looking, Taken, reduce};
use crate::syntax::rules::{print_term, print_term_short, read_term};
use crate::term::{Id, Path, Sources, Symbol, Terms};
use std::cell::RefCell;
use std::fmt::Write;

/// Terms are shown up to so many bytes.
const SHOWN: usize = 100;

pub(super) type Told<T> = Result<T, Vec<Diagnostic>>;

/// A term, the rules that rewrite it, and the terms it was before.
pub struct Bench {
    pub(super) base: RuleBase,
    pub(super) system: Option<String>,
    strategy: Option<String>,
    pub(super) terms: Terms,
    /// What is known now.
    pub(super) known: RefCell<Knowledge>,
    states: States,
}

impl Bench {
    /// A bench without a term.
    pub fn new(base: RuleBase, system: Option<String>, known: Knowledge) -> Bench {
        Bench {
            base,
            system,
            strategy: None,
            terms: Terms::new(),
            known: RefCell::new(known),
            states: States::default(),
        }
    }

    /// Takes other rules for the same term; the strategy is the system's again.
    pub fn set_rules(&mut self, base: RuleBase, system: Option<String>) {
        self.base = base;
        self.system = system;
        self.strategy = None;
    }

    /// The rules.
    pub fn rule_base(&self) -> &RuleBase {
        &self.base
    }

    /// Takes another system of the rules.
    ///
    /// # Errors
    ///
    /// There is no such system.
    pub fn set_system(&mut self, name: &str) -> Told<()> {
        choose(&self.base, Some(name))?;
        self.system = Some(name.to_string());
        Ok(())
    }

    /// Takes other facts; going back does not take them away.
    pub fn set_known(&mut self, known: Knowledge) {
        self.states.learn(&known.facts);
        self.known = RefCell::new(known);
    }

    /// The lines that rules printed since this was asked last.
    pub fn printed(&mut self) -> Vec<String> {
        std::mem::take(&mut self.known.get_mut().printed)
    }

    /// What is known now, taken from the bench.
    pub fn into_known(self) -> Knowledge {
        self.known.into_inner()
    }

    /// What rules of the system ask and do that nothing answers and nothing does.
    ///
    /// # Errors
    ///
    /// There are several systems, and none was chosen.
    pub fn unanswered(&self) -> Told<Vec<Diagnostic>> {
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        Ok(unanswered(base, system, &self.known.borrow()))
    }

    /// The system that was chosen.
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// Takes another strategy: an order, or a strategy or a rule of the rules.
    ///
    /// # Errors
    ///
    /// There is no such strategy.
    pub fn set_strategy(&mut self, name: &str) -> Told<()> {
        let known = crate::rewrite::derive::plan_of(&self.base, Symbol::new(name)).is_some();
        if Order::from_name(name).is_none() && !known {
            return Err(vec![Order::unknown(name)]);
        }
        self.strategy = Some(name.to_string());
        Ok(())
    }

    /// Takes the term of a text, the `file`-th of the sources.
    ///
    /// # Errors
    ///
    /// What is wrong with the term.
    pub fn set_term(&mut self, sources: &Sources, file: u32) -> Told<()> {
        let text = sources.get(file).map_or("", |source| source.text.as_str());
        let mut terms = Terms::new();
        let root = read_term(&mut terms, file, text)?;
        self.terms = terms;
        self.states.begin(root, &self.known);
        Ok(())
    }

    /// The term as text.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn term(&self) -> Told<String> {
        Ok(print_term(&self.terms, self.root()?))
    }

    /// The rules of the system in the order in which they are tried, a line each.
    ///
    /// # Errors
    ///
    /// There are several systems, and none was chosen.
    pub fn rules(&self) -> Told<String> {
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        let mut text = String::new();
        for &i in &system.rules {
            let rule = &base.rules[i];
            let pattern = print_term_short(base.terms(), rule.pattern, SHOWN);
            let _ = writeln!(text, "{}: {pattern}", rule.name);
        }
        Ok(text)
    }

    /// Goes back to the term before; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.states.undo(self.known.get_mut())
    }

    /// Takes back what [`Bench::undo`] did; false if there is nothing.
    pub fn redo(&mut self) -> bool {
        self.states.redo(self.known.get_mut())
    }

    /// Takes so many steps by the strategy, fewer where there are no more.
    ///
    /// # Errors
    ///
    /// There is no term or no system, or a condition could not be judged.
    pub fn step(&mut self, count: u64) -> Told<Vec<Seen>> {
        let root = self.root()?;
        let limits = Limits {
            steps: count,
            ..Limits::default()
        };
        let order = match self.order() {
            Ok(order) => order,
            Err(name) => return self.follow(&name, limits),
        };
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        let order = order.unwrap_or(system.order);
        let terms = std::mem::take(&mut self.terms);
        let mut stepper = Stepper::new(base, system, order, terms, root, limits, Some(&self.known));
        let mut steps = Vec::new();
        while stepper.looking.trace().rewrites < count
            && let Some(change) = stepper.next()
        {
            steps.push(seen(base, &mut stepper, &change));
            self.states.reach(stepper.root, &self.known);
        }
        let trouble = stepper.looking.trouble();
        self.terms = stepper.terms;
        given_up(trouble, &self.known)?;
        Ok(steps)
    }

    /// The order that was chosen, none for the system's own; or the name of a strategy of combinators.
    fn order(&self) -> Result<Option<Order>, String> {
        match &self.strategy {
            None => Ok(None),
            Some(name) => Order::from_name(name).map(Some).ok_or_else(|| name.clone()),
        }
    }

    /// Takes the first steps of a strategy of combinators.
    fn follow(&mut self, name: &str, limits: Limits<'_>) -> Told<Vec<Seen>> {
        let root = self.root()?;
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        let looking = Looking::new(base, system, system.order, limits, Some(&self.known));
        let (mut terms, root) = self.terms.compact(root);
        let done = planned(&self.base, name, looking, &mut terms, root, limits, true);
        given_up(None, &self.known)?;
        let done = done?;
        let Some(done) = done else {
            return Err(vec![Order::unknown(name)]);
        };
        let new = self.terms.import(&terms, done.reduction.root);
        self.states.reach(new, &self.known);
        match done.told.into_iter().find(|told| told.code != "E0320") {
            Some(told) => Err(vec![told]),
            None => Ok(done.steps),
        }
    }

    /// Rewrites by the strategy until nothing changes, or so many times; gives how often rules fired.
    ///
    /// # Errors
    ///
    /// As [`Bench::step`].
    pub fn run(&mut self, steps: u64) -> Told<u64> {
        let root = self.root()?;
        let limits = Limits {
            steps,
            ..Limits::default()
        };
        let order = match self.order() {
            Ok(order) => order,
            Err(name) => return self.follow(&name, limits).map(|steps| steps.len() as u64),
        };
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        let order = order.unwrap_or(system.order);
        // A run drops terms that it does not need.
        let (mut terms, root) = self.terms.compact(root);
        let done = reduce(
            base,
            system,
            order,
            &mut terms,
            root,
            limits,
            Some(&self.known),
        );
        given_up(done.as_ref().err().cloned(), &self.known)?;
        let done = done.map_err(|trouble| vec![Diagnostic::error("E0321", trouble)])?;
        let new = self.terms.import(&terms, done.root);
        self.states.reach(new, &self.known);
        Ok(done.trace.rewrites)
    }

    /// Takes a step at a position, by the first rule that fires there or by the one that is named.
    ///
    /// # Errors
    ///
    /// There is no such position or rule, or the rule does not fire there.
    pub fn step_at(&mut self, path: &Path, rule: Option<&str>) -> Told<Seen> {
        let root = self.root()?;
        let redex = self.at(path)?;
        let wanted = rule.map(|rule| self.rule(rule)).transpose()?;
        let (base, system) = choose(&self.base, self.system.as_deref())?;
        let terms = std::mem::take(&mut self.terms);
        let limits = Limits::default();
        let mut stepper = Stepper::new(
            base,
            system,
            system.order,
            terms,
            root,
            limits,
            Some(&self.known),
        );
        let rules = stepper.looking.rules(&stepper.terms, redex);
        let rules = rules.into_iter().filter(|&i| wanted.is_none_or(|w| w == i));
        let mut taken = None;
        for number in rules {
            let (looking, terms) = (&mut stepper.looking, &mut stepper.terms);
            let fired = first(looking, terms, redex, number);
            if let Some(fired) = fired
                && !terms.equal(fired.result, redex)
            {
                looking.count(number);
                if let Some(action) = fired.action {
                    looking.act(terms, action);
                }
                taken = Some(Taken {
                    result: fired.result,
                    rule: Some((number, fired)),
                });
                break;
            }
        }
        if taken.is_none() && wanted.is_none() {
            taken = stepper.looking.step(&mut stepper.terms, redex);
            if taken.is_none() {
                taken = stepper.looking.settled(&mut stepper.terms, redex);
            }
        }
        let trouble = stepper.looking.trouble();
        let step = taken.map(|taken| {
            let change: Change = stepper.change(path.clone(), taken);
            let step = seen(base, &mut stepper, &change);
            let operators = stepper.looking.operators().clone();
            let new = in_order_along(&operators, &mut stepper.terms, stepper.root, path);
            (step, new)
        });
        self.terms = stepper.terms;
        given_up(trouble, &self.known)?;
        let Some((step, new)) = step else {
            let what = rule.map_or("no rule fires".to_string(), |r| {
                format!("`{r}` does not fire")
            });
            let message = format!("{what} at {path}");
            return Err(vec![
                Diagnostic::error("E0362", message).hint("`why` tells what keeps a rule from it"),
            ]);
        };
        self.states.reach(new, &self.known);
        Ok(step)
    }

    pub(super) fn root(&self) -> Told<Id> {
        self.states.root().ok_or_else(|| {
            vec![
                Diagnostic::error("E0006", "there is no term to rewrite")
                    .hint("give one: `term f(a)`"),
            ]
        })
    }

    pub(super) fn at(&self, path: &Path) -> Told<Id> {
        path.get(&self.terms, self.root()?).ok_or_else(|| {
            let message = format!("the term has no position {path}");
            vec![Diagnostic::error("E0362", message).hint("`where` lists positions")]
        })
    }

    pub(super) fn rule(&self, name: &str) -> Told<usize> {
        let (base, _) = choose(&self.base, self.system.as_deref())?;
        base.rule_index(Symbol::new(name)).ok_or_else(|| {
            let names: Vec<&str> = base.rules.iter().map(|r| r.name.as_str()).collect();
            let near = names_like(name, &names);
            let hint = near.unwrap_or_else(|| "`rules` lists the rules".to_string());
            let message = format!("there is no rule `{name}`");
            vec![Diagnostic::error("E0314", message).hint(hint)]
        })
    }
}

/// A system looked at on a bench.
pub(super) fn looking<'b>(
    base: &'b RuleBase,
    system: Option<&str>,
    known: &'b RefCell<Knowledge>,
) -> Told<(&'b RuleBase, &'b System, Looking<'b>)> {
    let (base, system) = choose(base, system)?;
    let looking = Looking::new(base, system, system.order, Limits::default(), Some(known));
    Ok((base, system, looking))
}

/// Told of a run that was given up, by what is known or else by the run.
pub(super) fn given_up(trouble: Option<String>, known: &RefCell<Knowledge>) -> Told<()> {
    let run = trouble.map(|trouble| Diagnostic::error("E0321", trouble));
    match known.borrow_mut().trouble.take().or(run) {
        Some(trouble) => Err(vec![trouble]),
        None => Ok(()),
    }
}

/// The first match by which a rule fires on a term.
pub(super) fn first(
    looking: &mut Looking<'_>,
    terms: &mut Terms,
    id: Id,
    rule: usize,
) -> Option<Fired> {
    let mut first = None;
    looking.fired(terms, id, rule, &mut Vec::new(), &mut |fired| {
        first = Some(fired);
        false
    });
    first
}
