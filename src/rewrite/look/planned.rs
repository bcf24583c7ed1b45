//! A term rewritten by a strategy of combinators, as schemes are.

use super::seen::Seen;
use crate::diagnostic::Diagnostic;
use crate::rewrite::base::RuleBase;
use crate::rewrite::derive::{Bound, Engine, plan_of};
use crate::rewrite::evaluate::evaluate;
use crate::rewrite::system::{Limits, Looking, Reduction, Trace};
use crate::rewrite::{Answer, Host, Known, Redex};
use crate::term::{Id, Path, Symbol, Terms};

/// The name of a strategy that is written where it is used.
const GIVEN: &str = "@given";

/// The text of a rule file that gives a strategy of combinators a name, and the name: `topdown(a); try(b)`. None
/// where it is a name itself.
pub fn strategy_text(strategy: &str) -> Option<(String, &'static str)> {
    let is_name = |c: char| c.is_alphanumeric() || "_.:".contains(c);
    match strategy.trim().chars().all(is_name) {
        true => None,
        false => Some((format!("strategy {GIVEN} = {strategy}"), GIVEN)),
    }
}

/// What came of a strategy.
pub(in crate::rewrite) struct Planned {
    pub(in crate::rewrite) reduction: Reduction,
    pub(in crate::rewrite) steps: Vec<Seen>,
    /// Where the strategy failed or a bound was reached.
    pub(in crate::rewrite) told: Vec<Diagnostic>,
}

/// Rewrites a term by a strategy of combinators or by a rule. Conditions are answered by a system.
/// None where there is no such strategy.
///
/// # Errors
///
/// What is wrong with the strategy, or why the run was given up.
pub(in crate::rewrite) fn planned(
    base: &RuleBase,
    name: &str,
    mut by: Looking<'_>,
    terms: &mut Terms,
    root: Id,
    limits: Limits<'_>,
    shown: bool,
) -> Result<Option<Planned>, Vec<Diagnostic>> {
    let name = Symbol::new(name);
    let Some((plan, parameters)) = plan_of(base, name) else {
        return Ok(None);
    };
    let mut host = Rules(&mut by);
    let bound = Bound {
        stop: limits.stop,
        ..Bound::from(limits.steps)
    };
    let mut engine = Engine::new(base, terms, root, &mut host, bound)?;
    // The bound of steps holds, whatever the size of terms.
    engine.work_bound = u64::MAX;
    engine.seen = shown.then(Vec::new);
    let scope = engine.scope(name, parameters, &[], &Vec::new())?;
    let done = engine.run(&plan, &mut Path::default(), &scope);
    let mut finished = true;
    let told = match done {
        Ok(true) => Vec::new(),
        Ok(false) => {
            if engine.failure.is_none() {
                engine.failed(&plan, 0);
            }
            engine.failure.take().into_iter().collect()
        }
        Err(told) if told.iter().any(|d| d.code == "E0320") => {
            finished = false;
            told
        }
        Err(told) => return Err(told),
    };
    let mut trace = Trace::new(base.rules.len());
    for step in &engine.steps {
        if let Some(rule) = base.rule_index(Symbol::new(&step.rule)) {
            trace.fired(rule);
        }
    }
    let root = engine.root;
    let steps = engine.seen.take().unwrap_or_default();
    *terms = engine.terms;
    if let Some(trouble) = by.trouble() {
        return Err(vec![Diagnostic::error("E0321", trouble)]);
    }
    Ok(Some(Planned {
        reduction: Reduction {
            root,
            trace,
            finished,
            slow: Some("a strategy of combinators chooses the places".to_string()),
            any_order: false,
        },
        steps,
        told,
    }))
}

/// What a strategy on terms learns: a system answers conditions, standard functors get their values
/// after each step, and sets are in order.
struct Rules<'r, 'a>(&'r mut Looking<'a>);

impl Host for Rules<'_, '_> {
    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        self.0.host().ask(terms, at, name, args)
    }

    fn simplify(&mut self, terms: &mut Terms, at: Redex<'_>, id: Id) -> Id {
        self.0.host().simplify(terms, at, id)
    }

    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        let root = evaluate(terms, root);
        Ok(self.0.operators().all_ordered(terms, root))
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        self.0.host().build(terms, functor, args)
    }

    fn ordered(&mut self, terms: &mut Terms, id: Id) -> Id {
        self.0.host().ordered(terms, id)
    }

    fn fact(&mut self, terms: &mut Terms, pattern: Id, from: usize) -> Known {
        self.0.host().fact(terms, pattern, from)
    }

    fn act(&mut self, terms: &mut Terms, _at: Redex<'_>, action: Id) -> Result<(), String> {
        self.0.act(terms, action);
        Ok(())
    }
}
