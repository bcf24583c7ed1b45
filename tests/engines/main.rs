//! The compiled engines against the general matcher: on random systems, with conditions, integers,
//! sets and sequences, all of them fire the same rules as often and come to the same.

mod asked;
mod fixed;
mod holes;
mod made;
#[path = "../numbers/mod.rs"]
mod numbers;
mod programs;

use glushkov::rewrite::{
    Knowledge, Rewriting, Rewritten, RuleBase, print_facts, read_facts, run_rewrite,
    run_rewrite_with,
};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;
use made::{facts, system, term};
use numbers::Numbers;

const STRATEGIES: [&str; 3] = ["FirstTop", "TopDown", "BottomTop"];

/// So many systems are made; of many more, some make terms that share so much that no memory holds them written
/// out.
const SYSTEMS: usize = 1_500;

/// Rewrites beyond which a run is taken for endless.
const STEPS: u64 = 40;

/// Likewise where facts are asserted, which are kept written out: each step may double a term.
const STEPS_WITH_FACTS: u64 = 12;

/// A run, or nothing where it is given up, and what holds after it.
fn run(
    base: &RuleBase,
    sources: &Sources,
    [term, facts]: [u32; 2],
    strategy: &str,
    general: bool,
) -> Option<(Rewritten, String)> {
    let mut knowledge = knowledge(sources, facts);
    let options = Rewriting {
        strategy: Some(strategy),
        steps: match knowledge.facts.iter().next() {
            Some(_) => STEPS_WITH_FACTS,
            None => STEPS,
        },
        general,
        ..Rewriting::default()
    };
    let done = run_rewrite_with(base, sources, term, &options, &mut knowledge).ok()?;
    Some((done, print_facts(&knowledge.facts)))
}

fn knowledge(sources: &Sources, file: u32) -> Knowledge {
    let mut knowledge = Knowledge::default();
    let text = sources.get(file).map_or("", |source| source.text.as_str());
    read_facts(&mut knowledge.facts, file, text).expect("facts");
    knowledge
}

/// Compares the engines on random systems; gives how many runs ended.
fn compare(seed: u64, systems: usize, sets: bool, with_facts: bool) -> usize {
    let mut numbers = Numbers(seed);
    let mut ended = 0;
    for _ in 0..systems {
        let rules = system(&mut numbers, sets, with_facts);
        let text = term(&mut numbers, sets, 4);
        let known = match with_facts {
            true => facts(&mut numbers),
            false => String::new(),
        };
        ended += agree(&rules, &text, &known, with_facts).ended;
    }
    ended
}

/// Runs that were compared.
#[derive(Default)]
struct Compared {
    /// How many ended.
    ended: usize,
    /// How many of those took the order of BottomTop for another one.
    any_order: usize,
    /// How many of these were FirstTop.
    first_top: usize,
}

/// Compares the engines on a system.
fn agree(rules: &str, text: &str, known: &str, with_facts: bool) -> Compared {
    let mut compared = Compared::default();
    // A rule that never fires keeps the machine of BottomTop away.
    let others = format!("{rules};\nnever({{$x : $r}}) -> $x");
    let mut counts = None;
    for rules in [rules, &others] {
        let mut sources = Sources::default();
        let file = sources.add("random.rules", rules);
        let given = [sources.add("term", text), sources.add("facts", known)];
        let Ok(base) = RuleBase::load(&sources, &[file]) else {
            continue;
        };
        for strategy in STRATEGIES {
            let place = format!("{strategy}: {text}\nby\n{rules}\nwith {known}");
            let Some((wanted, wanted_facts)) = run(&base, &sources, given, strategy, true) else {
                continue;
            };
            if wanted.exit_code() != 0 {
                continue;
            }
            let Some((found, found_facts)) = run(&base, &sources, given, strategy, false) else {
                panic!("it is given up, {place}");
            };
            let [wanted_text, found_text] =
                [&wanted, &found].map(|done| print_term_flat(&done.terms, done.root));
            assert!(found.slow.is_none(), "{:?}, {place}", found.slow);
            assert_eq!(found.exit_code(), 0, "{place}\n{found_text}\n{wanted_text}");
            assert_eq!(found_text, wanted_text, "{place}");
            assert_eq!(found_facts, wanted_facts, "{place}");
            // Under BottomTop, rules count that fire to judge a condition: the machine does
            // not tell them from others. The general matcher does.
            let asks = strategy == "BottomTop" && (rules.contains('[') || rules.contains("<-"));
            if asks {
                assert!(found.rewrites >= wanted.rewrites, "{place}\n{wanted_text}");
                let before = counts.get_or_insert_with(|| found.counts.clone());
                assert_eq!(&found.counts, before, "{place}\n{wanted_text}");
            } else {
                assert_eq!(found.counts, wanted.counts, "{place}\n{wanted_text}");
            }
            // A trace does an action wherever what is shared stands.
            if !with_facts {
                traced(&base, &sources, given[0], strategy, &wanted);
            }
            compared.ended += 1;
            compared.any_order += usize::from(found.any_order);
            compared.first_top += usize::from(found.any_order && strategy == "FirstTop");
        }
    }
    compared
}

/// The steps of a run that is traced lead to the same.
fn traced(base: &RuleBase, sources: &Sources, term: u32, strategy: &str, wanted: &Rewritten) {
    let options = Rewriting {
        strategy: Some(strategy),
        // What a run shares and rewrites once is rewritten wherever it stands.
        steps: 10_000,
        trace: true,
        ..Rewriting::default()
    };
    let done = run_rewrite(base, sources, term, &options).expect("a run that ends");
    let text = |done: &Rewritten| print_term_flat(&done.terms, done.root);
    let steps: String = done.steps.iter().map(|step| step.text()).collect();
    assert_eq!(text(&done), text(wanted), "{strategy}\n{steps}");
    if strategy == "FirstTop" {
        assert_eq!(done.counts, wanted.counts, "{strategy}\n{steps}");
    }
}

/// At a bound it matters in which order rules fire, and which part of a result is computed first.
#[test]
fn engines_stop_at_a_bound_with_the_same_term() {
    let rules = "two(0) -> s(0); two(s($x)) -> plus(two($x), two($x)); plus(0, $y) -> $y;
        plus(s($x), $y) -> s(plus($x, $y))";
    let mut sources = Sources::default();
    let file = sources.add("two.rules", rules);
    let term = sources.add("term", "pair(two(s(s(s(0)))), two(s(s(0))))");
    let base = RuleBase::load(&sources, &[file]).expect("rules");
    for strategy in STRATEGIES {
        let mut last = 0;
        for steps in 0.. {
            let [wanted, found] = [true, false].map(|general| {
                let options = Rewriting {
                    strategy: Some(strategy),
                    steps,
                    general,
                    ..Rewriting::default()
                };
                let done = run_rewrite(&base, &sources, term, &options).expect("a run");
                (print_term_flat(&done.terms, done.root), done.counts)
            });
            assert_eq!(found, wanted, "{strategy}, {steps}");
            let all = wanted.1.iter().map(|(_, count)| count).sum();
            if all == last && steps > 0 {
                break;
            }
            last = all;
        }
        assert!(last > 40, "{strategy}");
    }
}

#[test]
fn engines_agree_on_random_systems() {
    assert!(compare(1, SYSTEMS, false, false) > SYSTEMS);
}

#[test]
fn engines_agree_on_random_systems_with_sets_and_sequences() {
    assert!(compare(2, SYSTEMS, true, false) > SYSTEMS);
}

#[test]
fn engines_agree_on_random_systems_with_facts_and_actions() {
    // Of a set's elements each engine has its own order, which actions show. Few systems change facts
    // while they ask, so there are more of them here.
    assert!(compare(3, 4 * SYSTEMS, false, true) > 4 * SYSTEMS);
}
