//! Any system of rules on any term: what `glushkov rewrite` does.

use super::base::{Order, RuleBase, System};
use super::fact_base::{Knowledge, unanswered};
use super::look::{Planned, Seen, planned, traced};
use super::system::{Limits, Looking, named_system, reduce, search};
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{print_term, read_term};
use crate::term::{Id, MOST_PRINTED, Sources, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Rules fire no more often than this where the user does not say.
pub const DEFAULT_STEPS: u64 = 10_000_000;
/// Likewise where each step is shown.
pub const TRACED_STEPS: u64 = 1_000;
/// Of the rules that cycle, so many are named.
const MOST_NAMED: usize = 8;

/// What is asked of a run.
#[derive(Clone, Debug)]
pub struct Rewriting<'a> {
    /// The system; none for the only one that no other imports, or for the rules outside of
    /// systems.
    pub system: Option<&'a str>,
    /// FirstTop, NFirstTops, TopDown or BottomTop, or a strategy of combinators or a rule of the
    /// base; none for the system's own.
    pub strategy: Option<&'a str>,
    /// How often rules may fire.
    pub steps: u64,
    /// Set from outside, such as by a clock, when the run is to end.
    pub stop: Option<&'a AtomicBool>,
    /// Whether the general matcher does it all: slow, and what the compiled engines are held
    /// against.
    pub general: bool,
    /// Whether the steps are kept to be shown, each with its place; slower still.
    pub trace: bool,
}

impl Default for Rewriting<'_> {
    fn default() -> Self {
        Rewriting {
            system: None,
            strategy: None,
            steps: DEFAULT_STEPS,
            stop: None,
            general: false,
            trace: false,
        }
    }
}

/// What came of a run.
#[derive(Clone)]
pub struct Rewritten {
    /// The result's arena.
    pub terms: Terms,
    /// The result; where the bound was reached, the term as far as it was rewritten.
    pub root: Id,
    /// How often rules fired.
    pub rewrites: u64,
    /// How often each rule fired, in the order of the files.
    pub counts: Vec<(Symbol, u64)>,
    /// What is to be told: where the bound was reached, which rules cycled.
    pub diagnostics: Vec<Diagnostic>,
    /// Why rules were not compiled, where they were not.
    pub slow: Option<String>,
    /// Whether the steps were made in the order of BottomTop, since the strategy takes as many of each rule.
    pub any_order: bool,
    /// The steps, where they were asked for.
    pub steps: Vec<Seen>,
}

impl Rewritten {
    /// The exit code of the command: 1 where the bound was reached.
    pub fn exit_code(&self) -> i32 {
        i32::from(!self.diagnostics.is_empty())
    }

    /// The result as text.
    pub fn text(&self) -> String {
        let mut text = print_term(&self.terms, self.root);
        text.push('\n');
        text
    }

    /// The statistics as text, for a run that took so long.
    pub fn statistics(&self, time: Duration) -> String {
        let seconds = time.as_secs_f64();
        let rate = self.rewrites as f64 / seconds.max(1e-9);
        let mut text = format!(
            "rewrites   {}\nseconds    {seconds:.6}\nper second {rate:.3e}\n",
            self.rewrites
        );
        let width = self.counts.iter().map(|(n, _)| n.as_str().chars().count());
        let width = width.max().unwrap_or(0).max(10);
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{:width$} {count}", name.as_str());
        }
        if let Some(reason) = &self.slow {
            let _ = writeln!(text, "slow       {reason}, so the rules are not compiled");
        }
        text
    }
}

/// Rewrites the term of a text, the `term`-th of the sources, by a rule base.
///
/// # Errors
///
/// What is wrong with the term or the options. Reaching the bound is not an error; it is among the
/// diagnostics of the result.
pub fn run_rewrite(
    base: &RuleBase,
    sources: &Sources,
    term: u32,
    options: &Rewriting<'_>,
) -> Result<Rewritten, Vec<Diagnostic>> {
    run_rewrite_with(base, sources, term, options, &mut Knowledge::default())
}

/// Likewise, with facts that conditions ask and actions change.
///
/// # Errors
///
/// As [`run_rewrite`]; questions that nothing answers (E0370) and actions that nothing does (E0371);
/// what an oracle gives as its trouble.
pub fn run_rewrite_with(
    base: &RuleBase,
    sources: &Sources,
    term: u32,
    options: &Rewriting<'_>,
    knowledge: &mut Knowledge,
) -> Result<Rewritten, Vec<Diagnostic>> {
    let text = sources.get(term).map_or("", |source| source.text.as_str());
    let mut terms = Terms::new();
    let root = read_term(&mut terms, term, text)?;
    let own = base;
    let (base, system) = choose(base, options.system)?;
    let limits = Limits {
        steps: options.steps,
        stop: options.stop,
    };
    let refusals = unanswered(base, system, knowledge);
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let order = match options.strategy {
        None => Ok(system.order),
        Some(name) => Order::from_name(name).ok_or(name),
    };
    let known = RefCell::new(std::mem::take(knowledge));
    let done = match order {
        Ok(order) => {
            let (terms, known) = (&mut terms, Some(&known));
            let reduced = match (options.trace, options.general) {
                (true, _) => traced(base, system, order, terms, root, limits, known),
                (false, true) => search(base, system, order, terms, root, limits, known)
                    .map(|reduction| (reduction, Vec::new())),
                (false, false) => reduce(base, system, order, terms, root, limits, known)
                    .map(|reduction| (reduction, Vec::new())),
            };
            let planned = reduced.map(|(reduction, steps)| Planned {
                reduction,
                steps,
                told: Vec::new(),
            });
            planned.map_err(|trouble| vec![Diagnostic::error("E0321", trouble)])
        }
        Err(name) => {
            let looking = Looking::new(base, system, system.order, limits, Some(&known));
            let (terms, shown) = (&mut terms, options.trace);
            planned(own, name, looking, terms, root, limits, shown)
                .and_then(|done| done.ok_or_else(|| vec![Order::unknown(name)]))
        }
    };
    *knowledge = known.into_inner();
    if let Some(trouble) = knowledge.trouble.take() {
        return Err(vec![trouble]);
    }
    let Planned {
        reduction,
        steps,
        told: mut diagnostics,
    } = done?;
    let nodes = tree_size(&terms, reduction.root);
    if nodes > MOST_PRINTED {
        let message = format!(
            "the result is too large to print: {} nodes",
            if nodes == u64::MAX {
                "more than 10^19".to_string()
            } else {
                nodes.to_string()
            }
        );
        return Err(vec![Diagnostic::error("E0322", message)]);
    }
    if !reduction.finished && diagnostics.is_empty() {
        let last = reduction.trace.last(base);
        diagnostics.push(match limits.is_over() {
            true => time_is_up(reduction.trace.rewrites, &last),
            false => bound_reached(options.steps, &last),
        });
    }
    Ok(Rewritten {
        terms,
        root: reduction.root,
        rewrites: reduction.trace.rewrites,
        counts: reduction.trace.counts(base),
        diagnostics,
        slow: reduction.slow,
        any_order: reduction.any_order,
        steps,
    })
}

/// The name of the facts of the system that a run is by, if they have one; `system` is as in
/// [`Rewriting`].
///
/// # Errors
///
/// There is no such system, or there are several.
pub fn name_of_facts(
    base: &RuleBase,
    system: Option<&str>,
) -> Result<Option<Symbol>, Vec<Diagnostic>> {
    choose(base, system).map(|(_, system)| system.facts)
}

/// What is told where a run fired as many rules as it may, or as many ask each other; `last` counts the last ones.
pub(super) fn bound_reached(bound: u64, last: &[(Symbol, u64)]) -> Diagnostic {
    let (message, why) = match last {
        [] => (
            format!("the bound of {bound} steps is reached, and no step was taken"),
            "conditions ask each other without end",
        ),
        _ => (
            format!("the bound of {bound} steps is reached; {}", among(last)),
            "these rules undo each other",
        ),
    };
    Diagnostic::error("E0320", message).hint(format!(
        "give a larger bound by `--steps`, or see whether {why}"
    ))
}

/// What is told where a derivation or a run takes longer than it may, or was ended from outside.
pub(super) fn time_is_up(steps: u64, last: &[(Symbol, u64)]) -> Diagnostic {
    let message = match last {
        [] => "time is up, and no step was taken".to_owned(),
        _ => format!("time is up after {steps} steps; {}", among(last)),
    };
    Diagnostic::error("E0320", message)
        .hint("give more time by `--seconds`, or see whether these rules undo each other")
}

/// Told of a derivation whose terms grow without end.
pub(super) fn goes_round(steps: usize, last: &[(Symbol, u64)]) -> Diagnostic {
    let message = format!(
        "after {steps} steps the scheme still grows; {}",
        among(last)
    );
    Diagnostic::error("E0320", message)
        .hint("one of these rules fires again on what they made: their strategy needs a condition that ends it")
}

/// Which rules were applied last, and how often.
fn among(last: &[(Symbol, u64)]) -> String {
    let total: u64 = last.iter().map(|(_, count)| count).sum();
    let mut names: Vec<String> = last
        .iter()
        .take(MOST_NAMED)
        .map(|(name, count)| format!("`{name}` {count} times"))
        .collect();
    if last.len() > MOST_NAMED {
        names.push(format!("{} others", last.len() - MOST_NAMED));
    }
    format!("among the last {total} steps: {}", names.join(", "))
}

/// Told of a system whose facts are a Java object.
fn needs_class(system: &System, class: &str) -> Diagnostic {
    let message = format!(
        "the facts of system `{}` are the Java class `{class}`, and there are no Java objects here",
        system.name
    );
    Diagnostic::error("E0323", message)
        .hint("take `default` for its facts, and write what the class answers as rules")
}

/// The system to rewrite by, with the base that has it.
pub(super) fn choose<'b>(
    base: &'b RuleBase,
    name: Option<&str>,
) -> Result<(&'b RuleBase, &'b System), Vec<Diagnostic>> {
    let (base, system) = named(base, name)?;
    match system.java {
        Some(class) => Err(vec![needs_class(system, class.as_str())]),
        None => Ok((base, system)),
    }
}

fn named<'b>(
    base: &'b RuleBase,
    name: Option<&str>,
) -> Result<(&'b RuleBase, &'b System), Vec<Diagnostic>> {
    let own = |system| (base, system);
    let names = || {
        let names: Vec<&str> = base.systems.iter().map(|s| s.name.as_str()).collect();
        format!("the files have: {}", names.join(", "))
    };
    let main: Vec<&System> = base.systems.iter().filter(|s| !s.imported).collect();
    match (name, &main[..]) {
        (Some(name), _) => named_system(base, Symbol::new(name)).ok_or_else(|| {
            let message = format!("there is no system `{name}`");
            vec![Diagnostic::error("E0313", message).hint(names())]
        }),
        (None, []) if base.systems.is_empty() => Ok(own(&base.loose)),
        (None, &[only]) if base.loose.rules.is_empty() => Ok(own(only)),
        (None, _) if !base.loose.rules.is_empty() => Ok(own(&base.loose)),
        (None, _) => {
            let message = "the files have several systems: name one";
            Err(vec![Diagnostic::error("E0313", message).hint(names())])
        }
    }
}

/// Number of nodes of a term as a tree, counting shared parts as often as they stand; u64::MAX
/// for all larger numbers.
fn tree_size(terms: &Terms, root: Id) -> u64 {
    let counted = terms.size(root);
    if counted < u32::MAX as usize {
        return counted as u64;
    }
    let mut sizes: FxHashMap<Id, u64> = FxHashMap::default();
    let mut work = vec![(root, false)];
    while let Some((id, visited)) = work.pop() {
        if sizes.contains_key(&id) {
            continue;
        }
        if !visited {
            work.push((id, true));
            work.extend(terms.args(id).iter().map(|&a| (a, false)));
            continue;
        }
        let of = |a: &Id| sizes.get(a).copied().unwrap_or(0);
        let size = terms.args(id).iter().map(of).fold(1, u64::saturating_add);
        sizes.insert(id, size);
    }
    sizes.get(&root).copied().unwrap_or(1)
}
