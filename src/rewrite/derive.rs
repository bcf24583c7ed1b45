//! Strategy + term → derivation. How strategies choose places is in `traverse`, what a step does
//! in `step`.

use super::base::RuleBase;
use super::command::time_is_up;
use super::condition::{Finding, Truth};
use super::derivation::{Derivation, NearMiss, Step};
use super::fire::Call;
use super::host::{Evidence, Host, Redex, Status};
use super::look::Seen;
use super::marks::Marks;
use super::needs::Standing;
use super::parameters::Setting;
use super::plan::{Combinator, Kind, Plan};
use super::rule::{Parameter, Rule};
use super::scope::{Effect, Values};
use super::step::{GARBAGE, Texts, asked};
use crate::diagnostic::{Diagnostic, names_like};
use crate::term::{Id, Path, Span, Symbol, Terms, Way};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A derivation of a small term takes no more steps than this where the user does not say.
const FEWEST_STEPS: u64 = 10_000;

/// How far a derivation may go.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'a> {
    /// The most steps; if not given, 10,000, or ten for each node of a term that has more than 1,000.
    pub steps: Option<u64>,
    /// When it ends, done or not.
    pub until: Option<Instant>,
    /// Set from outside when it is to end.
    pub stop: Option<&'a AtomicBool>,
}

impl From<u64> for Bound<'_> {
    /// A bound of steps.
    fn from(steps: u64) -> Self {
        Bound {
            steps: Some(steps),
            until: None,
            stop: None,
        }
    }
}

/// So many steps a derivation may take for each node of its term. Its work, the nodes of all terms that steps were taken on,
/// may be the square of that and of [`WORK`]: the number of steps grows with that of places, and what a step costs with
/// the whole. One that does more feeds on its own results.
const STEPS_OF_A_NODE: u64 = 10;
/// What a small term may take beside that.
const WORK: u64 = 4_000;
/// So many near misses are kept of one rule at one place, and of a derivation.
const MISSES_HERE: usize = 8;
const MISSES: usize = 2000;

/// What is asked of a derivation.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The strategy; or a rule, which is then applied once, at the first place from the top.
    pub strategy: &'a str,
    /// Values of parameters.
    pub settings: &'a [Setting],
    /// The most steps.
    pub bound: Bound<'a>,
}

/// What came of a derivation.
pub struct Derived {
    /// The arena of the result.
    pub terms: Terms,
    /// The result; where the strategy failed, the term before the part that failed.
    pub root: Id,
    /// The record.
    pub derivation: Derivation,
    /// What each setting did, in their order.
    pub effects: Vec<Effect>,
    /// Where the strategy failed: which part, and why.
    pub failure: Option<Diagnostic>,
}

/// Rewrites a term by a strategy.
///
/// # Errors
///
/// What is wrong with the request, a rule whose result does not check, or the bound that is reached. A
/// strategy that fails is not an error: see [`Derived::failure`].
pub fn derive(
    base: &RuleBase,
    request: &Request<'_>,
    terms: &Terms,
    root: Id,
    host: &mut dyn Host,
) -> Result<Derived, Vec<Diagnostic>> {
    let name = Symbol::new(request.strategy);
    let Some((body, parameters)) = plan_of(base, name) else {
        let message = format!("there is no strategy `{name}`");
        let names: Vec<&str> = base.strategies.iter().map(|s| s.name.as_str()).collect();
        let hint = names_like(name.as_str(), &names)
            .unwrap_or_else(|| "`glushkov rules list` names the strategies".to_owned());
        return Err(vec![Diagnostic::error("E0314", message).hint(hint)]);
    };
    let values = Values::of(base, name, request.settings)?;
    let mut engine = Engine::new(base, terms, root, host, request.bound)?;
    engine.values = values;
    let scope = engine.scope(name, parameters, &[], &Vec::new())?;
    let done = engine.run(&body, &mut Path::default(), &scope)?;
    if !done && engine.failure.is_none() {
        engine.failed(&body, 0);
    }
    let fired: FxHashSet<(String, Option<_>)> = engine
        .steps
        .iter()
        .map(|step| (step.rule.clone(), step.place))
        .collect();
    let effects = engine.values.effects(request.settings.len());
    let settled = &engine.settled;
    let open = engine.misses.into_iter().enumerate();
    let mut misses: Vec<NearMiss> = open
        .filter(|(number, _)| !settled.contains(number))
        .map(|(_, miss)| miss)
        .collect();
    // A rule that fired in the end at the same place is not news.
    misses.retain(|miss| miss.place.is_none() || !fired.contains(&(miss.rule.clone(), miss.place)));
    Ok(Derived {
        terms: engine.terms,
        root: engine.root,
        derivation: Derivation {
            strategy: request.strategy.to_string(),
            steps: engine.steps,
            near_misses: misses,
        },
        effects,
        failure: if done { None } else { engine.failure },
    })
}

/// The plan of a strategy with its parameters; or of a rule, which is then applied once, at the
/// first place from the top.
pub(super) fn plan_of(base: &RuleBase, name: Symbol) -> Option<(Cow<'_, Plan>, &[Parameter])> {
    if let Some(strategy) = base.strategies.iter().find(|s| s.name == name) {
        return Some((Cow::Borrowed(&strategy.body), &strategy.parameters));
    }
    let index = base.rule_index(name)?;
    let plan = |kind| Plan {
        span: base.rules[index].span,
        text: name.to_string(),
        kind,
        needs: None,
    };
    let rule = plan(Kind::Rule(index, Vec::new()));
    let once = plan(Kind::Apply(Combinator::Once, Box::new(rule)));
    Some((Cow::Owned(once), &[]))
}

/// What makes two near misses the same: rule, text or else position, question, answer.
type Sameness = (String, Option<Span>, Vec<u32>, String, String);

/// A derivation at work.
pub(super) struct Engine<'a> {
    pub(super) base: &'a RuleBase,
    pub(super) terms: Terms,
    pub(super) root: Id,
    pub(super) host: &'a mut dyn Host,
    pub(super) bound: Bound<'a>,
    /// The steps as they are shown, where they are.
    pub(super) seen: Option<Vec<Seen>>,
    /// Nodes of the terms that steps were taken on so far, and the most of them.
    pub(super) work: u64,
    pub(super) work_bound: u64,
    /// The most steps.
    pub(super) most_steps: u64,
    /// The rules applied so far, those of undone steps too; not those that were only asked about.
    pub(super) applied: Vec<Symbol>,
    pub(super) steps: Vec<Step>,
    pub(super) misses: Vec<NearMiss>,
    /// Misses of rules in whose place another alternative was taken.
    pub(super) settled: FxHashSet<usize>,
    /// Numbers of the misses, by what makes them the same.
    known: FxHashMap<Sameness, usize>,
    /// Numbers of the misses as they came, again and again.
    pub(super) recent: Vec<usize>,
    /// Roots that may be returned to.
    pub(super) saved: Vec<Id>,
    /// Nodes of the arena beyond which it is compacted.
    pub(super) limit: usize,
    pub(super) failure: Option<Diagnostic>,
    /// Whether traversals visit expressions, too.
    pub(super) in_expressions: bool,
    /// Whether the next step is only asked about, and neither taken, nor checked, nor counted: it would be undone at once, as
    /// the last one under a `not` is.
    pub(super) only_asks: bool,
    /// Phrases and functors whose places traversals leave out.
    pub(super) left_out: Vec<Symbol>,
    /// Where walks over the arena were.
    pub(super) marks: Marks,
    /// Which functors stand in its terms.
    pub(super) standing: Standing,
    /// Texts of terms for the records of steps.
    pub(super) texts: Texts,
    /// The way to the position that was asked for last.
    pub(super) way: Way,
    pub(super) values: Values,
}

/// Hard errors end a derivation; failing is the other thing, and an ordinary one.
pub(super) type Run<T> = Result<T, Vec<Diagnostic>>;

impl<'a> Engine<'a> {
    /// An engine before the first step: the host has checked the term.
    pub(super) fn new(
        base: &'a RuleBase,
        terms: &Terms,
        root: Id,
        host: &'a mut dyn Host,
        bound: Bound<'a>,
    ) -> Run<Engine<'a>> {
        let (terms, root) = terms.compact(root);
        let mut engine = Engine {
            base,
            terms,
            root,
            host,
            bound,
            seen: None,
            work: 0,
            work_bound: u64::MAX,
            most_steps: u64::MAX,
            applied: Vec::new(),
            steps: Vec::new(),
            misses: Vec::new(),
            settled: FxHashSet::default(),
            known: FxHashMap::default(),
            recent: Vec::new(),
            saved: Vec::new(),
            limit: GARBAGE,
            failure: None,
            in_expressions: false,
            only_asks: false,
            left_out: Vec::new(),
            marks: Marks::default(),
            standing: Standing::default(),
            texts: Texts::default(),
            way: Way::default(),
            values: Values::default(),
        };
        engine.root = engine.host.recheck(&mut engine.terms, engine.root)?;
        let size = engine.terms.size(engine.root) as u64;
        let steps = STEPS_OF_A_NODE.saturating_mul(size);
        engine.most_steps = bound.steps.unwrap_or(steps.max(FEWEST_STEPS));
        engine.work_bound = (steps + WORK).saturating_mul(steps + WORK);
        Ok(engine)
    }
}

impl Engine<'_> {
    /// The term at a position, if there is one.
    pub(super) fn found(&mut self, position: &[u32]) -> Option<Id> {
        self.way.get(&self.terms, self.root, position)
    }

    /// Tries a rule at a position. True if it fired.
    pub(super) fn apply(&mut self, index: usize, values: &[i64], path: &Path) -> Run<bool> {
        let Some(redex) = self.found(&path.0) else {
            return Ok(false);
        };
        let is_late = self.bound.until.is_some_and(|until| Instant::now() > until);
        let stop = self.bound.stop;
        if is_late || stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(vec![time_is_up(
                self.applied.len() as u64,
                &self.last_applied(),
            )]);
        }
        let base = self.base;
        let rule = &base.rules[index];
        let call = Call {
            rules: &base.terms,
            predicates: &base.predicates,
            rule,
            values,
        };
        let older = self.terms.len();
        let at = Redex {
            root: self.root,
            path,
        };
        let mut misses = Vec::new();
        self.host.begin();
        let fired = call.fire(&mut self.terms, self.host, at, redex, &mut misses);
        if let Some(fired) = fired {
            let stopped = if self.terms.equal(fired.result, redex) {
                Some("it would change nothing".to_string())
            } else {
                let acted = fired.action.map(|a| self.host.act(&mut self.terms, at, a));
                acted.and_then(Result::err)
            };
            match stopped {
                None if self.only_asks => return Ok(true),
                None => {
                    self.commit(rule, values, path, redex, fired, older)?;
                    return Ok(true);
                }
                Some(reason) => misses.push(Finding {
                    question: String::new(),
                    truth: Truth::No,
                    evidence: Evidence::new(Status::Decided, reason),
                }),
            }
        }
        self.note(rule, path, redex, misses);
        Ok(false)
    }

    /// Keeps what stopped a rule at a place.
    fn note(&mut self, rule: &Rule, path: &Path, redex: Id, findings: Vec<Finding>) {
        let span = self.terms.span(redex);
        let mut here = 0;
        for finding in findings {
            // Of the many expressions, those are not news that a rule is plainly not meant for.
            if self.in_expressions && finding.truth == Truth::No {
                continue;
            }
            let stopped_by = asked(&finding);
            // Positions change from step to step; where there is a text, that is the place.
            let position = match span {
                Some(_) => Vec::new(),
                None => path.0.clone(),
            };
            let rule = rule.name.to_string();
            let sentence = stopped_by.sentence.clone();
            let key = (rule.clone(), span, position, finding.question, sentence);
            let number = match self.known.get(&key) {
                Some(&number) => number,
                None if here == MISSES_HERE || self.misses.len() == MISSES => continue,
                None => {
                    here += 1;
                    self.misses.push(NearMiss {
                        rule,
                        path: path.0.clone(),
                        place: span.map(Into::into),
                        stopped_by,
                    });
                    self.known.insert(key, self.misses.len() - 1);
                    self.misses.len() - 1
                }
            };
            self.recent.push(number);
        }
    }

    /// Says that a part of a strategy failed; `from` is where its near misses begin.
    pub(super) fn failed(&mut self, part: &Plan, from: usize) {
        let message = format!("the step `{}` could not be taken", part.text);
        let mut diagnostic = Diagnostic::error("E0331", message).at(part.span);
        let mut reasons: Vec<usize> = self.recent[from.min(self.recent.len())..].to_vec();
        reasons.sort_unstable();
        reasons.dedup();
        match reasons.first() {
            Some(&first) => diagnostic = diagnostic.hint(self.misses[first].reason()),
            None => {
                diagnostic = diagnostic.hint(match &part.kind {
                    Kind::Apply(Combinator::Not, inner) => {
                        format!("`{}` can be done there", inner.text)
                    }
                    _ => "its pattern was found nowhere".to_owned(),
                });
            }
        }
        for &reason in reasons.iter().take(MISSES_HERE) {
            let miss = &self.misses[reason];
            diagnostic = diagnostic.also(miss.place.map(Span::from), miss.reason());
        }
        self.failure = Some(diagnostic);
    }
}
