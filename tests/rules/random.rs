//! Random schemes before and after a rule, on the reference machine, which also looks for races.

use super::apply::{Applied, Base, Left, apply, cut_off, run};
use super::maker;
use super::shown;
use glushkov::algebra::Precision;
use glushkov::check::{Scheme, check};
use glushkov::rewrite::{FloatClass, Rule};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::cell::Cell;

/// What came of comparing.
#[derive(Debug)]
pub enum Checked {
    /// In so many schemes that the rule was applied to, results stayed as they were.
    Same(usize),
    /// The smallest scheme found that does something else afterwards, and what.
    Differs(String),
}

/// Applies a rule to random schemes that its pattern is made into, and runs each before and after,
/// with memory of the device placed where the rule made launches.
pub fn compared(base: &Base, rule: &Rule, tries: u32) -> Checked {
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let config = Config {
        cases: tries,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, seed);
    let tapes = prop::collection::vec(0u32..1000, 0..80);
    let count = Cell::new(0);
    let settings = settings(rule);
    let asks = rule.text(&base.sources);
    let done = runner.run(&tapes, |tape| {
        let text = maker::scheme(base.base.terms(), rule, &asks, &tape);
        let Some(scheme) = scheme(&text) else {
            return Ok(());
        };
        match judge(base, rule, &settings, &scheme) {
            Ok(fired) => count.set(count.get() + usize::from(fired)),
            Err(why) => return Err(TestCaseError::fail(format!("{why}\n{text}"))),
        }
        Ok(())
    });
    match done {
        Ok(()) => Checked::Same(count.get()),
        Err(TestError::Fail(why, _)) => Checked::Differs(why.message().to_owned()),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

/// Small values of a rule's parameters, so that small schemes have several chunks and blocks.
fn settings(rule: &Rule) -> Vec<(String, i64)> {
    let small = |p: &glushkov::rewrite::Parameter| {
        let (low, high) = p.range.unwrap_or((p.default, p.default));
        // From 1 on the least would often leave nothing to do.
        let small = if low < 4 { low + 1 } else { low };
        (p.name.to_string(), high.min(small))
    };
    rule.parameters.iter().map(small).collect()
}

/// The scheme of a text, if it is well-formed: fillings may, for example, assign what they cannot.
fn scheme(text: &str) -> Option<Scheme> {
    let mut sources = Sources::default();
    let file = sources.add("random", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{text}\n{}", shown(&errors, &sources));
    check(&terms, items[0], Precision::F32).ok()
}

/// Whether the rule fired and results were compared; an error says how they differ.
fn judge(
    base: &Base,
    rule: &Rule,
    settings: &[(String, i64)],
    scheme: &Scheme,
) -> Result<bool, String> {
    let derived = match apply(base, scheme, "placed", rule.name.as_str(), settings) {
        Applied::Done(derived) => derived,
        Applied::Stopped(_) => return Ok(false),
        Applied::Refused(why) => return Err(why),
    };
    let mut compared = false;
    for size in [5, 1, 0] {
        let before = run(scheme, size);
        // A scheme with an error obliges to nothing.
        let Ok(expected) = before else {
            continue;
        };
        let after = run(&derived, size);
        if cut_off(&after) {
            continue;
        }
        let found = after.map_err(|e| format!("K = {size}: {e:?} after `{}`", rule.name))?;
        if !alike(rule, &expected, &found) {
            return Err(format!("K = {size}: other results after `{}`", rule.name));
        }
        compared = true;
    }
    Ok(compared)
}

/// Whether results are the same, for what the rule says of itself.
fn alike(rule: &Rule, expected: &Left, found: &Left) -> bool {
    match rule.float {
        FloatClass::Exact => expected == found,
        _ => near(expected, found),
    }
}

/// Whether results are the same but for rounding.
pub fn near(expected: &Left, found: &Left) -> bool {
    // Cells are REAL32 here, as bits; integers are small numbers, and compared as these.
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-5 * x.abs().max(y.abs()).max(1.0);
    let near_bits = |a: u64, b: u64| {
        let real = |bits: u64| f64::from(f32::from_bits(bits as u32));
        a == b || near(real(a), real(b))
    };
    let outputs = expected.outputs.iter().zip(&found.outputs);
    let mut outputs =
        outputs.map(|((_, a), (_, b))| a.iter().zip(b).all(|(&a, &b)| near_bits(a, b)));
    let reports = expected.reports.iter().zip(&found.reports);
    let mut reports = reports.map(|((label, a), (other, b))| {
        let near = |(&a, &b): (&u64, &u64)| a == b || near(f64::from_bits(a), f64::from_bits(b));
        label == other && a.len() == b.len() && a.iter().zip(b).all(near)
    });
    outputs.all(|same| same)
        && expected.reports.len() == found.reports.len()
        && reports.all(|same| same)
}

#[test]
fn random_schemes_find_wrong_rules() {
    let loops = "ForLoop($i, $a, $b, $A)";
    for wrong in [
        format!("{loops} [on_host && parallel_ok($A)] -> Parallel($i, $a, $b, $A);"),
        format!("{loops} [on_host && independent($i, $a, $b, $A)] -> Parallel($i, $a, $b - 1, $A);"),
        "ForLoop($i, $a, $b, ForLoop($c, $p, $q, $B)) [free_of($i, $p, $q)]
         -> ForLoop($c, $p, $q, ForLoop($i, $a, $b, $B));".to_owned(),
        "Then($h.., Local($x, $T, $e), $A, $t..) [no_locals($A) && unused($x, $A) && nonempty($t..)]
         -> Then($h.., $A, Local($x, $T, $e), $t..);".to_owned(),
        "Then($h.., Local($x, $T, $e), $m.., Assign(Index($a, $i..), $x), $t..)
         -> Then($h.., Assign(Index($a, $i..), $e),
                 each($y, $m.., substitute($y, $x, Index($a, $i..))), $t..);".to_owned(),
        format!("{loops} [on_host && device_ok($A) && independent($i, $a, $b, $A)]
         -> CALL_GPU(1, 4, Then(Local($i, type_of($i), $a + ThreadIndex), $A));"),
        "ForStep($i, $a, $b, $s, $A) -> ForLoop($i, $a, $b, $A);".to_owned(),
    ] {
        let text = format!("#@rule(wrong) {wrong}");
        let base = Base::with(&[("wrong.rules".to_owned(), text)]).expect("rules");
        let rule = base.base.rule(Symbol::new("wrong")).expect("a rule");
        let found = compared(&base, rule, 400);
        assert!(matches!(found, Checked::Differs(_)), "{wrong}: {found:?}");
    }
}
