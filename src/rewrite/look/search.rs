//! All that can be reached from a term by any choice of redexes, breadth-first.

use super::shared::Shared;
use crate::diagnostic::Diagnostic;
use crate::rewrite::base::RuleBase;
use crate::rewrite::command::{Rewriting, choose};
use crate::rewrite::fact_base::{Knowledge, is_act, unanswered};
use crate::rewrite::fire::{Call, MOST_MATCHES};
use crate::rewrite::operators::Operators;
use crate::rewrite::predicate::Predicates;
use crate::rewrite::step::{Texts, bindings};
use crate::rewrite::system::{Limits, Looking};
use crate::rewrite::{Redex, Rule, System};
use crate::syntax::rules::{print_term_flat, print_term_short, read_term};
use crate::term::{Id, Path, Sources, Terms};
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt::Write;

/// A search tries rules no more often than this where the user does not say.
pub const SEARCHED_STEPS: u64 = 100_000;

/// Terms on the way are shown up to so many bytes.
const SHOWN: usize = 200;

/// What is looked for.
#[derive(Clone, Copy, Default)]
pub struct Search<'a> {
    /// A base with one rule, whose pattern and condition say which terms are looked for: see
    /// [`search_pattern`]; none for all normal forms.
    pub pattern: Option<&'a RuleBase>,
    /// How many steps away from the term, if that is bounded.
    pub depth: Option<usize>,
}

/// A step on the way to what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchStep {
    /// The rule.
    pub rule: String,
    /// The position of the redex.
    pub path: Vec<u32>,
    /// The whole term after the step.
    pub term: String,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The term.
    pub term: String,
    /// How many steps it is away.
    pub depth: usize,
    /// What the variables of the pattern stand for.
    pub bindings: Vec<(String, String)>,
    /// A shortest way to it.
    pub steps: Vec<SearchStep>,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// What was found, nearest first.
    pub found: Vec<Found>,
    /// How many terms were reached.
    pub terms: usize,
    /// How often rules fired.
    pub rewrites: u64,
    /// What bound kept the search from being exhaustive; none if it is.
    pub bound: Option<String>,
    /// What one of those that were found is called, and several.
    wanted: [&'static str; 2],
}

impl Searched {
    /// The exit code of the command: 1 where nothing was found.
    pub fn exit_code(&self) -> i32 {
        i32::from(self.found.is_empty())
    }

    /// What was found as text, with the ways to it if they are wanted.
    pub fn text(&self, ways: bool) -> String {
        let mut text = String::new();
        for found in &self.found {
            let _ = writeln!(text, "{:>4}  {}", found.depth, found.term);
            for (name, value) in &found.bindings {
                let _ = writeln!(text, "      ${name} = {value}");
            }
            for step in found.steps.iter().filter(|_| ways) {
                let path = Path(step.path.clone());
                let _ = writeln!(text, "      {} at {path} → {}", step.rule, step.term);
            }
        }
        let wanted = self.wanted[usize::from(self.found.len() != 1)];
        let _ = write!(
            text,
            "{} {wanted}, {} terms, {} rewrites: ",
            self.found.len(),
            self.terms,
            self.rewrites
        );
        text.push_str(match self.bound {
            None => "that is all\n",
            Some(_) => "there may be more\n",
        });
        text
    }

    /// What is told of a search that is not exhaustive.
    pub fn note(&self) -> Option<Diagnostic> {
        self.bound.as_ref().map(|bound| {
            let message = format!("the search is not exhaustive: {bound}");
            Diagnostic::note("N0360", message)
                .hint("give larger bounds by `--steps`, `--depth` or `--seconds`")
        })
    }
}

/// The text of a rule file for the pattern of a search, `pattern [condition]`.
pub fn search_pattern(pattern: &str) -> String {
    format!("{pattern} -> true")
}

/// A term that was reached.
struct State {
    term: Id,
    depth: usize,
    /// The state it was first reached from, with the rule and the position.
    from: Option<(usize, usize, Path)>,
}

/// Told of the rules that do more than rewriting.
fn acting<'b>(base: &'b RuleBase, system: &'b System) -> impl Iterator<Item = Diagnostic> + 'b {
    let rules = system.rules.iter().map(|&i| &base.rules[i]);
    let actions = rules.flat_map(|rule| rule.outcomes().filter_map(|o| o.action));
    let acts = actions.filter(|&action| is_act(&base.terms, action));
    acts.map(|action| {
        let message = "a search cannot do actions";
        Diagnostic::error("E0374", message).at(base.terms.span(action))
    })
}

/// Finds what can be reached from the term of a text, the `term`-th of the sources, by the rules of
/// a system, whatever redexes are chosen; standard functors get their values at once.
///
/// # Errors
///
/// What is wrong with the term, the pattern or the options. Reaching a bound is none: see
/// [`Searched::bound`].
pub fn run_search(
    base: &RuleBase,
    sources: &Sources,
    term: u32,
    search: &Search<'_>,
    options: &Rewriting<'_>,
    knowledge: Knowledge,
) -> Result<Searched, Vec<Diagnostic>> {
    let text = sources.get(term).map_or("", |source| source.text.as_str());
    let mut terms = Terms::new();
    let root = read_term(&mut terms, term, text)?;
    let (base, system) = choose(base, options.system)?;
    let pattern = search
        .pattern
        .map(|pattern| one_rule(pattern, &system.operators))
        .transpose()?;
    let limits = Limits {
        steps: options.steps,
        stop: options.stop,
    };
    let mut refusals = unanswered(base, system, &knowledge);
    refusals.extend(acting(base, system));
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let known = RefCell::new(knowledge);
    let looking = Looking::new(base, system, system.order, limits, Some(&known));
    let mut shared = Shared::new(terms, looking);
    let root = system.operators.canonical(&mut shared.terms, root);
    let root = shared.settled(root);
    let mut states = vec![State {
        term: root,
        depth: 0,
        from: None,
    }];
    let mut met: FxHashSet<Id> = FxHashSet::from_iter([root]);
    let mut found = Vec::new();
    let mut bound = None;
    let mut is_cut = false;
    let mut next = 0;
    while next < states.len() {
        let State { term, depth, .. } = states[next];
        let moves = shared.moves(term);
        match &pattern {
            Some((rules, rule)) => {
                let matches = matches(&mut shared, rules, rule, term);
                found.extend(matches.into_iter().map(|bindings| (next, bindings)));
            }
            None if moves.is_empty() => found.push((next, Vec::new())),
            None => {}
        }
        let is_far = search.depth.is_some_and(|most| depth >= most);
        is_cut |= is_far && !moves.is_empty();
        // Beyond the bound, what was reached is looked at still.
        let open = if is_far || bound.is_some() {
            &[]
        } else {
            &moves[..]
        };
        for (path, m) in open
            .iter()
            .flat_map(|(path, moves)| moves.iter().map(move |m| (path, m)))
        {
            if !shared.looking.count(m.rule) {
                break;
            }
            let new = shared.replaced(term, path, m.result);
            if met.insert(new) {
                states.push(State {
                    term: new,
                    depth: depth + 1,
                    from: Some((next, m.rule, path.clone())),
                });
            }
        }
        if shared.looking.stopped() && bound.is_none() {
            bound = Some(format!("rules fired {} times", options.steps));
        }
        if limits.is_over() {
            bound = Some("time is up".to_string());
            break;
        }
        next += 1;
    }
    if is_cut && bound.is_none() {
        let most = search.depth.unwrap_or(0);
        bound = Some(format!("nothing beyond depth {most} was looked at"));
    }
    if let Some(trouble) = shared.looking.trouble() {
        return Err(vec![Diagnostic::error("E0321", trouble)]);
    }
    if shared.left_out && bound.is_none() {
        let most = format!("a rule has more than {MOST_MATCHES} matches at one place");
        bound = Some(most);
    }
    let found = found.into_iter().map(|(state, bindings)| Found {
        term: print_term_flat(&shared.terms, states[state].term),
        depth: states[state].depth,
        bindings,
        steps: way(&shared.terms, base, &states, state),
    });
    Ok(Searched {
        found: found.collect(),
        terms: states.len(),
        rewrites: shared.looking.trace().rewrites,
        bound,
        wanted: match pattern {
            Some(_) => ["match", "matches"],
            None => ["normal form", "normal forms"],
        },
    })
}

/// The arena and the rule of a base with one rule.
fn one_rule(base: &RuleBase, operators: &Operators) -> Result<(Terms, Rule), Vec<Diagnostic>> {
    match &base.rules[..] {
        [rule] if base.systems.is_empty() => {
            let mut terms = base.terms().clone();
            let modulo = operators.rule(&mut terms, rule, false);
            Ok((terms, modulo.unwrap_or_else(|| rule.clone())))
        }
        _ => {
            let message = "one pattern is looked for, with a condition or without";
            Err(vec![
                Diagnostic::error("E0361", message).hint("such as `f($x, $y) [$x < $y]`"),
            ])
        }
    }
}

/// What the variables of a pattern stand for, in each of its matches with a term.
fn matches(
    shared: &mut Shared<'_>,
    rules: &Terms,
    rule: &Rule,
    term: Id,
) -> Vec<Vec<(String, String)>> {
    // A pattern of a search stands alone.
    let predicates = Predicates::default();
    let call = Call {
        rules,
        predicates: &predicates,
        rule,
        values: &[],
    };
    let path = Path::default();
    let at = Redex {
        root: term,
        path: &path,
    };
    let mut slots = Vec::new();
    let (terms, host) = (&mut shared.terms, shared.looking.host());
    let count = call.each(terms, host, at, term, &mut Vec::new(), &mut |fired| {
        slots.push(fired.slots);
        true
    });
    shared.left_out |= count >= MOST_MATCHES;
    let slots = slots.iter();
    let mut texts = Texts::default();
    let all = slots.map(|s| bindings(&shared.terms, rule, s, &mut texts));
    all.collect()
}

/// The steps that lead to a state.
fn way(terms: &Terms, base: &RuleBase, states: &[State], state: usize) -> Vec<SearchStep> {
    let mut steps = Vec::new();
    let mut at = state;
    while let Some((before, rule, path)) = &states[at].from {
        steps.push(SearchStep {
            rule: base.rules[*rule].name.to_string(),
            path: path.0.clone(),
            term: print_term_short(terms, states[at].term, SHOWN),
        });
        at = *before;
    }
    steps.reverse();
    steps
}
