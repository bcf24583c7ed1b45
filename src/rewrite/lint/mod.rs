//! Rules → what an author of rules would want to know: what is not used, what never fires, which
//! rules overlap, which variables stay free, and whether rewriting by them ends.

mod dead;
mod endless;
mod ends;
mod free;
mod order;
mod overlaps;
pub(super) mod unify;

use super::build::Builder;
use super::fact_base::{Knowledge, unanswered};
use super::plan::{Combinator, Kind, Plan};
use super::{RuleBase, System};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol, Terms};
pub use ends::Ends;
pub use overlaps::Overlaps;

/// Each rule of a set is compared with each other one; larger sets are not looked at as a whole.
const MOST_RULES: usize = 1_000;

/// What is known of rules that rewrite together.
#[derive(Clone, Debug)]
pub struct Set {
    /// A system, or a part of a strategy that repeats rules.
    pub name: String,
    /// How many rules it has.
    pub rules: usize,
    /// Whether rewriting by them ends.
    pub ends: Ends,
    /// How they overlap; nothing for a strategy, which says which rule is taken.
    pub overlaps: Option<Overlaps>,
}

/// What is known of the rules of some files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What deserves a look.
    pub findings: Vec<Diagnostic>,
    /// Rules that rewrite together.
    pub sets: Vec<Set>,
}

/// Rules of a system beyond which no run waits for what is found out about them.
const MOST_RULES_OF_A_RUN: usize = 64;

/// Whether rewriting by a system is known to end, whatever is rewritten and in whatever order.
pub(super) fn terminates(base: &RuleBase, system: &System) -> bool {
    system.rules.len() <= MOST_RULES_OF_A_RUN
        && matches!(ends::ends(base, &system.rules), Ends::Yes(_))
}

/// Looks at the rules of the files with these numbers; rules of other files count where they are
/// used together with them.
pub fn lint(base: &RuleBase, files: &[u32]) -> Report {
    let mut report = Report::default();
    let own = |i: usize| files.contains(&base.rules[i].span.file);
    for rule in base.rules.iter().filter(|r| files.contains(&r.span.file)) {
        dead::of_rule(base, rule, &mut report.findings);
        free::of_rule(base, rule, &mut report.findings);
    }
    let own_predicates = base.predicates.iter();
    for predicate in own_predicates.filter(|p| files.contains(&p.span.file)) {
        dead::of_predicate(base, predicate, &mut report.findings);
    }
    // Rules with names of their own are used by strategies, the others together.
    let mut loose = base.loose.clone();
    loose.rules.retain(|&i| !base.rules[i].named);
    for system in base.systems.iter().chain([&loose]) {
        if !system.rules.iter().any(|&i| own(i)) {
            continue;
        }
        report.system(base, system);
    }
    for strategy in base
        .strategies
        .iter()
        .filter(|s| files.contains(&s.span.file))
    {
        report.plan(base, strategy.name, &strategy.body);
    }
    // What is between rules of other files alone is not for the author of these.
    let is_own = |span: Option<crate::term::Span>| span.is_some_and(|s| files.contains(&s.file));
    report
        .findings
        .retain(|d| is_own(d.span) || d.others.iter().any(|other| is_own(Some(other.span))));
    report.findings.sort_by_key(|d| d.span);
    report
}

impl Report {
    fn system(&mut self, base: &RuleBase, system: &System) {
        let name = match system.name.as_str() {
            "" => "rules outside of systems".to_owned(),
            name => format!("system {name}"),
        };
        if system.rules.len() > MOST_RULES {
            self.sets.push(Set {
                name,
                rules: system.rules.len(),
                ends: Ends::TooMany,
                overlaps: None,
            });
            return;
        }
        // Rules outside of systems are for schemes, whose facts are others.
        if !system.name.as_str().is_empty() && system.java.is_none() {
            self.findings.extend(left_open(base, system));
        }
        dead::hidden(base, &system.rules, &mut self.findings);
        let overlaps = overlaps::overlaps(base, system, &mut self.findings);
        let ends = ends::ends(base, &system.rules);
        if let Ends::Unknown(cycle) = &ends {
            self.findings.push(endless(base, &name, cycle));
        }
        self.sets.push(Set {
            name,
            rules: system.rules.len(),
            ends,
            overlaps: Some(overlaps),
        });
    }

    /// What stands in a strategy: choices whose first rules leave nothing for others, and rules that
    /// are repeated without a bound.
    fn plan(&mut self, base: &RuleBase, strategy: Symbol, plan: &Plan) {
        match &plan.kind {
            Kind::Choice(parts) => {
                let rules: Vec<usize> = parts.iter().filter_map(single).collect();
                dead::hidden(base, &rules, &mut self.findings);
                parts.iter().for_each(|p| self.plan(base, strategy, p));
            }
            Kind::Sequence(parts) => parts.iter().for_each(|p| self.plan(base, strategy, p)),
            Kind::Apply(combinator, inner) => {
                endless::in_plan(base, strategy, plan, *combinator, inner, &mut self.findings);
                if matches!(combinator, Combinator::Repeat | Combinator::Innermost) {
                    let rules = repeated(base, inner);
                    self.sets.push(Set {
                        name: format!("{} in strategy {strategy}", plan.text),
                        rules: rules.len(),
                        ends: ends::ends(base, &rules),
                        overlaps: None,
                    });
                }
                self.plan(base, strategy, inner);
            }
            Kind::At(_, inner) | Kind::Outside(_, inner) | Kind::When(_, inner) => {
                self.plan(base, strategy, inner)
            }
            Kind::Id | Kind::Fail | Kind::Rule(..) | Kind::Strategy(..) => {}
        }
    }
}

/// Told of each question and action of a system's rules for which a run needs facts or a program.
fn left_open(base: &RuleBase, system: &System) -> Vec<Diagnostic> {
    let open = unanswered(base, system, &Knowledge::default());
    let told = open.into_iter().map(|refusal| {
        let hint = "`glushkov rewrite` runs it with `--facts` or `--oracle` only";
        Diagnostic::note("N0357", refusal.message)
            .at(refusal.span)
            .hint(hint)
    });
    told.collect()
}

fn single(plan: &Plan) -> Option<usize> {
    match plan.kind {
        Kind::Rule(i, _) => Some(i),
        _ => None,
    }
}

/// The rules that a part of a strategy may apply.
fn repeated(base: &RuleBase, plan: &Plan) -> Vec<usize> {
    let mut rules = Vec::new();
    let mut work = vec![plan];
    while let Some(plan) = work.pop() {
        match &plan.kind {
            Kind::Sequence(parts) | Kind::Choice(parts) => work.extend(parts.iter().rev()),
            Kind::Apply(_, inner)
            | Kind::At(_, inner)
            | Kind::Outside(_, inner)
            | Kind::When(_, inner) => work.push(inner),
            Kind::Rule(i, _) if !rules.contains(i) => rules.push(*i),
            Kind::Strategy(i, _) => work.push(&base.strategies[*i].body),
            _ => {}
        }
    }
    rules
}

fn endless(base: &RuleBase, set: &str, cycle: &[usize]) -> Diagnostic {
    let names: Vec<String> = cycle
        .iter()
        .map(|&i| format!("`{}`", base.rules[i].name))
        .collect();
    let message = match &names[..] {
        [one] => format!(
            "{set}: {one} may make what it applies to itself, and nothing shows that this ends"
        ),
        _ => format!(
            "{set}: {} may make what each other applies to, and nothing shows that this ends",
            names.join(", ")
        ),
    };
    let first = cycle.first().map(|&i| base.rules[i].span);
    let mut told = Diagnostic::note("N0354", message).at(first);
    for &i in cycle.iter().skip(1).take(4) {
        told = told.also(Some(base.rules[i].span), "another one of them");
    }
    told.hint("every run has a bound on its steps; an argument that becomes a part of itself, or a number that is lowered above a bound, would show it")
}

/// A rule as a pair of terms, values of `let` and `where` in their places.
struct Shape {
    /// Its index in the base.
    rule: usize,
    /// Its pattern.
    left: Id,
    /// What it makes.
    results: Vec<Id>,
    /// That, and what its conditions ask, which is rewritten, too.
    rights: Vec<Id>,
    /// Whether some of it is computed by `substitute`, which may make what no template shows.
    computes: bool,
}

fn shape(base: &RuleBase, index: usize, terms: &mut Terms) -> Shape {
    let rule = &base.rules[index];
    let bindings: Vec<_> = rule.lets.iter().chain(&rule.wheres).copied().collect();
    let mut expand = |id: Id| expanded(terms, &bindings, id, 0);
    let results: Vec<Id> = rule.results().map(&mut expand).collect();
    let mut rights = results.clone();
    rights.extend(
        rule.alternatives
            .iter()
            .filter_map(|a| a.condition)
            .map(expand),
    );
    let computes = rights.iter().any(|&right| {
        terms.subterms(right).any(|id| {
            let builder = terms
                .functor(id)
                .and_then(|f| rule.shadows.builder(f, terms.arity(id)));
            builder == Some(Builder::Substitute)
        })
    });
    Shape {
        rule: index,
        left: rule.pattern,
        results,
        rights,
        computes,
    }
}

/// A template with the values of its variables that are computed; values may use others, but not in
/// a circle deeper than there are bindings.
fn expanded(
    terms: &mut Terms,
    bindings: &[crate::syntax::rules::Binding],
    id: Id,
    depth: usize,
) -> Id {
    if let Head::Variable(name) = terms.head(id)
        && depth <= bindings.len()
        && let Some(binding) = bindings
            .iter()
            .find(|b| terms.head(b.variable) == Head::Variable(name))
    {
        return expanded(terms, bindings, binding.value, depth + 1);
    }
    let args = terms.args(id).to_vec();
    let new: Vec<Id> = args
        .iter()
        .map(|&a| expanded(terms, bindings, a, depth))
        .collect();
    match new == args {
        true => id,
        false => terms.with_args(id, &new),
    }
}

impl Ends {
    /// What is known, in words.
    pub fn text(&self, base: &RuleBase) -> String {
        match self {
            Ends::Yes(why) => format!("ends: {why}"),
            Ends::TooMany => "too many to be looked at".to_owned(),
            Ends::Unknown(cycle) => {
                let names: Vec<String> = cycle
                    .iter()
                    .map(|&i| base.rules[i].name.to_string())
                    .collect();
                format!("may not end: {}", names.join(", "))
            }
        }
    }
}

impl Overlaps {
    /// What is known, in words.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} overlaps, {} meet, {} by order",
            self.all, self.meeting, self.ordered
        );
        if self.unseen > 0 {
            text.push_str(&format!(
                ", {} with sequences, sets or commutative operators not looked at",
                self.unseen
            ));
        }
        text
    }
}
