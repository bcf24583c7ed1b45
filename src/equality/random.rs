//! The procedure against what operators do: bounded runs of random pairs, identities, sizes.
//!
//! `PAIRS=10000 cargo test --release equality` tries more of them; the sizes of the tests that are
//! ignored are those that the procedure is meant for.

use super::maker::Maker;
use super::*;
use crate::algebra::{Binary, Expr, Operator, expr, operator};
use crate::term::Symbol;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// How many pairs are tried.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("PAIRS").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(usual)
}

/// What a bounded run came to.
#[derive(Clone, Debug, PartialEq)]
enum Ran {
    Ended(Vec<Id>),
    Failed(Vec<Id>),
    /// More actions than allowed, or a loop that does nothing.
    Bound(Vec<Id>),
}

/// Runs an operator: before the `i`-th action the predicates have the values of the bits of
/// `oracle[i]`. No more than `oracle.len() - 1` actions are done.
struct Run<'a> {
    terms: &'a Terms,
    oracle: &'a [u32],
    done: Vec<Id>,
}

enum Stop {
    Failed,
    Bound,
}

impl Run<'_> {
    fn ran(terms: &Terms, id: Id, oracle: &[u32]) -> Ran {
        let mut run = Run {
            terms,
            oracle,
            done: Vec::new(),
        };
        match run.operator(id) {
            Ok(()) => Ran::Ended(run.done),
            Err(Stop::Failed) => Ran::Failed(run.done),
            Err(Stop::Bound) => Ran::Bound(run.done),
        }
    }

    fn holds(&self, id: Id) -> bool {
        match expr(self.terms, id).expect("a predicate") {
            Expr::True => true,
            Expr::False => false,
            Expr::Not(inner) => !self.holds(inner),
            Expr::Binary {
                op: Binary::And,
                left,
                right,
            } => self.holds(left) && self.holds(right),
            Expr::Binary {
                op: Binary::Or,
                left,
                right,
            } => self.holds(left) || self.holds(right),
            Expr::Test { phrase, .. } => {
                let number: u32 = phrase.as_str()[1..].parse().expect("a number");
                self.oracle[self.done.len()] >> number & 1 == 1
            }
            _ => unreachable!("regular predicates only"),
        }
    }

    fn operator(&mut self, id: Id) -> Result<(), Stop> {
        match operator(self.terms, id).expect("an operator") {
            Operator::Then(parts) => parts.iter().try_for_each(|&p| self.operator(p)),
            Operator::If { condition, yes, no } => match self.holds(condition) {
                true => self.operator(yes),
                false => self.operator(no),
            },
            Operator::While { condition, body } => {
                while self.holds(condition) {
                    let before = self.done.len();
                    self.operator(body)?;
                    if self.done.len() == before {
                        return Err(Stop::Failed);
                    }
                }
                Ok(())
            }
            Operator::Filter(condition) => match self.holds(condition) {
                true => Ok(()),
                false => Err(Stop::Failed),
            },
            Operator::Empty => Ok(()),
            Operator::Undefined => Err(Stop::Failed),
            Operator::Call { .. } => {
                if self.done.len() + 1 == self.oracle.len() {
                    return Err(Stop::Bound);
                }
                self.done.push(id);
                Ok(())
            }
            _ => unreachable!("regular operators only"),
        }
    }
}

impl Ran {
    fn actions(&self) -> &[Id] {
        let (Ran::Ended(done) | Ran::Failed(done) | Ran::Bound(done)) = self;
        done
    }
}

fn maker(seed: u64, predicates: u64, names: u64, actions: usize) -> Maker {
    Maker {
        random: Pcg64::seed_from_u64(seed),
        predicates,
        names,
        partial: true,
        actions,
    }
}

fn of(terms: &Terms, a: Id, b: Id) -> Comparison {
    compare(Side { terms, root: a }, Side { terms, root: b }).expect("small enough")
}

/// The runs of an operator that end, for all oracles: the actions by name, by values and actions.
fn results(
    terms: &Terms,
    id: Id,
    predicates: u64,
    actions: usize,
) -> FxHashMap<Vec<u32>, Vec<Symbol>> {
    let atoms = 1usize << predicates;
    let mut all = FxHashMap::default();
    for number in 0..atoms.pow(actions as u32 + 1) {
        let mut rest = number;
        let oracle: Vec<u32> = (0..=actions)
            .map(|_| {
                let atom = rest % atoms;
                rest /= atoms;
                atom as u32
            })
            .collect();
        if let Ran::Ended(done) = Run::ran(terms, id, &oracle) {
            // What is asked after the last action does not matter.
            let key = oracle[..=done.len()].to_vec();
            all.insert(key, names(terms, &done));
        }
    }
    all
}

fn names(terms: &Terms, actions: &[Id]) -> Vec<Symbol> {
    let name = |&id: &Id| terms.as_text(terms.arg(id, 0)).expect("a phrase");
    actions.iter().map(name).collect()
}

/// Whether some way from where a run stands ends within so many further actions.
fn may_end(terms: &Terms, id: Id, oracle: &[u32], predicates: u64, more: usize) -> bool {
    match Run::ran(terms, id, oracle) {
        Ran::Ended(_) => true,
        Ran::Failed(_) => false,
        Ran::Bound(_) if more == 0 => false,
        Ran::Bound(_) => (0..1u32 << predicates).any(|atom| {
            let longer = [oracle, &[atom]].concat();
            may_end(terms, id, &longer, predicates, more - 1)
        }),
    }
}

/// Checks that both sides do what a trace says, whatever the predicates are that it does not name.
fn check_trace(terms: &Terms, sides: [Id; 2], trace: &Trace, predicates: u64, more: usize) {
    let term = |place: Place| {
        let (Place::First(id) | Place::Second(id)) = place;
        id
    };
    let values = |values: &[Valued], rest: u32| {
        values.iter().fold(rest, |bits, value| {
            let id = term(value.predicate);
            let name = terms.as_text(terms.arg(id, 0)).expect("a predicate");
            let number: u32 = name.as_str()[1..].parse().expect("a number");
            bits & !(1 << number) | u32::from(value.holds) << number
        })
    };
    let wanted: Vec<Id> = trace.steps.iter().map(|s| term(s.action)).collect();
    let wanted = names(terms, &wanted);
    for rest in 0..1u32 << predicates {
        let mut oracle: Vec<u32> = trace
            .steps
            .iter()
            .map(|s| values(&s.values, rest))
            .collect();
        oracle.push(values(&trace.values, rest));
        for (id, end) in sides.into_iter().zip([trace.first, trace.second]) {
            let ran = Run::ran(terms, id, &oracle);
            assert_eq!(names(terms, ran.actions())[..], wanted);
            // One more action shows what is done next.
            let longer = [&oracle[..], &[0]].concat();
            let next = Run::ran(terms, id, &longer);
            match end {
                End::Stops => assert!(matches!(ran, Ran::Ended(_))),
                End::GoesOn(action) => {
                    let done = names(terms, next.actions());
                    assert_eq!(done[wanted.len()..], names(terms, &[term(action)]));
                    assert!(may_end(terms, id, &oracle, predicates, more));
                }
                End::NoResult => assert!(!may_end(terms, id, &oracle, predicates, more)),
            }
        }
    }
}

#[test]
fn agrees_with_bounded_runs() {
    const PREDICATES: u64 = 2;
    const ACTIONS: usize = 3;
    let (mut equal, mut different) = (0, 0);
    for seed in 0..count(1500) {
        let mut terms = Terms::new();
        let mut maker = maker(seed, PREDICATES, 2, 4);
        let a = maker.operator(&mut terms, 3);
        maker.actions = 4;
        let b = match seed % 3 {
            0 => maker.changed(&mut terms, a),
            _ => maker.operator(&mut terms, 3),
        };
        let found = of(&terms, a, b);
        let runs = [a, b].map(|id| results(&terms, id, PREDICATES, ACTIONS));
        match &found.trace {
            None => {
                equal += 1;
                assert_eq!(runs[0], runs[1], "seed {seed}");
            }
            Some(trace) => {
                different += 1;
                // Every state of such small operators is at most five actions from an end.
                check_trace(&terms, [a, b], trace, PREDICATES, 5);
                // No difference of the bounded runs shows earlier than the trace.
                let shown = |id: usize, other: usize| {
                    let only = runs[id]
                        .iter()
                        .filter(|(k, v)| runs[other].get(*k) != Some(*v));
                    only.map(|(_, done)| done.len()).min()
                };
                let least = shown(0, 1).into_iter().chain(shown(1, 0)).min();
                assert!(least.is_none_or(|l| trace.steps.len() <= l), "seed {seed}");
            }
        }
    }
    println!("{equal} equal, {different} different");
    assert!(equal > 20 && different > 20);
}

#[test]
fn identities_keep_operators_equal() {
    for seed in 0..count(500) {
        let mut terms = Terms::new();
        let mut maker = maker(seed, 4, 6, 30);
        let a = maker.operator(&mut terms, 5);
        let mut b = a;
        for _ in 0..6 {
            maker.actions = 3;
            b = maker.changed(&mut terms, b);
        }
        assert!(of(&terms, a, b).is_equal(), "seed {seed}");
    }
}

/// An operator of many actions: sequences of smaller ones.
fn large(maker: &mut Maker, terms: &mut Terms, actions: usize) -> Id {
    let mut parts = Vec::new();
    maker.actions = actions;
    maker.partial = false;
    while maker.actions > 0 {
        parts.push(maker.operator(terms, 6));
    }
    crate::algebra::then(terms, &parts)
}

/// Compares pairs, every other of them equal; gives the time of all and the longest.
fn time_pairs(pairs: u64, actions: usize, predicates: u64) -> (Duration, Duration) {
    let (mut all, mut longest) = (Duration::ZERO, Duration::ZERO);
    for seed in 0..pairs {
        let mut terms = Terms::new();
        let mut maker = maker(seed, predicates, 200, 0);
        let a = large(&mut maker, &mut terms, actions);
        let mut b = a;
        for _ in 0..50 {
            maker.actions = 3;
            b = maker.changed(&mut terms, b);
        }
        if seed % 2 == 1 {
            // One action more, at the very end.
            maker.actions = 1;
            let more = maker.named(&mut terms, Construct::Call, "more".to_owned());
            b = crate::algebra::then(&mut terms, &[b, more]);
        }
        let start = Instant::now();
        let found = of(&terms, a, b);
        let took = start.elapsed();
        assert_eq!(found.is_equal(), seed % 2 == 0, "seed {seed}");
        all += took;
        longest = longest.max(took);
    }
    (all, longest)
}

/// `IF … THEN action` so many times, one after the other, with the predicate that `test` makes.
fn chain(
    terms: &mut Terms,
    count: u64,
    mut test: impl FnMut(&mut Maker, &mut Terms, u64) -> Id,
) -> Id {
    let mut maker = maker(1, 32, u64::MAX, 0);
    let parts: Vec<Id> = (0..count)
        .map(|i| {
            let test = test(&mut maker, terms, i);
            let action = maker.named(terms, Construct::Call, format!("a{i}"));
            let empty = terms.atom(Construct::Empty.symbol());
            terms.apply(Construct::If.symbol(), &[test, action, empty])
        })
        .collect();
    crate::algebra::then(terms, &parts)
}

/// Compares an operator with itself before another action, and with itself.
fn time_with_itself(terms: &mut Terms, id: Id) -> Duration {
    let action = maker(1, 1, 1, 1).named(terms, Construct::Call, "more".to_owned());
    let longer = crate::algebra::then(terms, &[id, action]);
    let start = Instant::now();
    assert!(of(terms, id, id).is_equal());
    assert!(!of(terms, id, longer).is_equal());
    assert!(!of(terms, longer, id).is_equal());
    start.elapsed()
}

#[test]
fn large_pairs_are_compared() {
    let (all, longest) = time_pairs(4, 300, 32);
    println!("4 pairs of 300 actions: {all:?}, the longest {longest:?}");
}

#[test]
fn predicates_mixed_in_one_scheme() {
    let mut terms = Terms::new();
    let one = chain(&mut terms, 300, |maker, terms, i| {
        maker.named(terms, Construct::Test, format!("p{}", i * 7 % 32))
    });
    println!(
        "300 choices of 32 predicates: {:?}",
        time_with_itself(&mut terms, one)
    );
    let random = chain(&mut terms, 300, |maker, terms, _| maker.predicate(terms, 3));
    println!(
        "300 choices of mixed predicates: {:?}",
        time_with_itself(&mut terms, random)
    );
}

#[test]
fn deep_nesting_is_compared() {
    for (construct, predicates) in [
        (Construct::If, 3),
        (Construct::While, 3),
        (Construct::If, 10_000),
    ] {
        let mut terms = Terms::new();
        let mut maker = maker(1, 1, 1, 1);
        let mut all = maker.named(&mut terms, Construct::Call, "a".to_owned());
        for i in 0..10_000 {
            let test = maker.named(&mut terms, Construct::Test, format!("p{}", i % predicates));
            let other = maker.named(&mut terms, Construct::Call, format!("b{i}"));
            let parts = [test, all, other];
            all = terms.apply(
                construct.symbol(),
                &parts[..construct.info().arguments.len()],
            );
        }
        println!(
            "10000 levels of {construct:?}: {:?}",
            time_with_itself(&mut terms, all)
        );
    }
}

#[test]
#[ignore = "takes long; run with --ignored --nocapture for the times"]
fn a_thousand_pairs_of_a_thousand_actions() {
    let pairs = count(1000);
    let (all, longest) = time_pairs(pairs, 1000, 32);
    println!("{pairs} pairs of 1000 actions: {all:?}, the longest {longest:?}");
    let (all, longest) = time_pairs(pairs / 20, 3000, 32);
    println!(
        "{} pairs of 3000 actions: {all:?}, the longest {longest:?}",
        pairs / 20
    );
}

#[test]
#[ignore = "takes long; run with --ignored --nocapture for the times"]
fn three_thousand_choices_one_after_the_other() {
    let mut terms = Terms::new();
    let one = chain(&mut terms, 3000, |maker, terms, i| {
        maker.named(terms, Construct::Test, format!("p{}", i * 7 % 32))
    });
    println!(
        "choices of one predicate: {:?}",
        time_with_itself(&mut terms, one)
    );
    let mixed = chain(&mut terms, 3000, |maker, terms, _| {
        maker.predicate(terms, 3)
    });
    println!(
        "choices of mixed predicates: {:?}",
        time_with_itself(&mut terms, mixed)
    );
    let pairs = chain(&mut terms, 3000, |maker, terms, _| {
        let (a, b) = (maker.below(32), maker.below(32));
        let a = maker.named(terms, Construct::Test, format!("p{a}"));
        let b = maker.named(terms, Construct::Test, format!("p{b}"));
        terms.apply(Construct::And.symbol(), &[a, b])
    });
    println!(
        "choices of pairs of predicates: {:?}",
        time_with_itself(&mut terms, pairs)
    );
}
