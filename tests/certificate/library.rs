//! What is accepted: every derivation of the library, and rules of the user's, right or wrong.

use super::{Saved, verify};
use glushkov::derive::library::SCHEMES;
use glushkov::rewrite::Status;

fn is_accepted(saved: &Saved, what: &str) {
    let verdict = saved.verify();
    assert_eq!(verdict.fault, None, "{what}");
    assert_eq!(verdict.checked, saved.record.steps.len(), "{what}");
}

#[test]
fn every_derivation_of_the_library_is_accepted() {
    let (mut derivations, mut steps, mut rules) = (0, 0, std::collections::BTreeSet::new());
    for (name, text) in SCHEMES {
        for strategy in ["sequential", "parallel", "gpu", "paper"] {
            let Some(saved) = Saved::new(name, text, strategy, &[], "") else {
                // Only the published route can fail.
                assert_eq!(strategy, "paper", "{name}");
                continue;
            };
            is_accepted(&saved, &format!("{name}, {strategy}"));
            derivations += 1;
            steps += saved.record.steps.len();
            rules.extend(saved.record.steps.iter().map(|s| s.step.rule.clone()));
        }
    }
    assert!(derivations > 3 * SCHEMES.len(), "{derivations}");
    assert!(steps > 200 && rules.len() > 14, "{steps} steps, {rules:?}");
}

#[test]
fn settings_are_part_of_what_is_checked() {
    for (scheme, strategy, with) in [
        ("hermite", "paper", &["chunk=64", "threads=128"][..]),
        ("hermite", "gpu", &["threads=64", "split_reductions=1"]),
        ("conjugate_gradients", "parallel", &["split_reductions=1"]),
        ("matrix_product", "gpu", &["rows=4", "columns=64"]),
        (
            "conjugate_gradients",
            "gpu",
            &["split_reductions=1", "parts=512"],
        ),
        ("kmeans", "parallel", &["split_reductions=1", "parts=8"]),
    ] {
        let saved = Saved::of(scheme, strategy, with).expect("it can be derived");
        is_accepted(&saved, &format!("{scheme}, {strategy}, {with:?}"));
        let mut steps = saved.record.steps.iter();
        assert!(steps.any(|s| !s.step.parameters.is_empty()), "{scheme}");
    }
}

/// Two loops; that the second is independent is claimed.
pub const CLAIMED: &str = "SCHEME \"halves\" ====\nDATA\n  N : INTEGER := 5\n  \
    x : REAL [N] OUTPUT\n  k : INTEGER [N] INPUT\n  ASSUME independent (j)\nEND OF DATA\n  \
    FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * i END OF LOOP;\n  \
    FOR (j FROM 0 TO N - 1) LOOP x[k[j]] := 1 END OF LOOP\nEND OF SCHEME \"halves\"\n";

#[test]
fn claims_stay_assumed() {
    for strategy in ["parallel", "gpu"] {
        let saved = Saved::new("claimed.saa", CLAIMED, strategy, &[], "").expect("derived");
        is_accepted(&saved, strategy);
        let asked = saved.record.steps.iter().flat_map(|s| &s.step.evidence);
        let assumed = asked.filter(|a| a.status == Status::Assumed).count();
        assert!(assumed > 0, "{strategy}");
        // Without the claim the answer is another one.
        let text = CLAIMED.replace("  ASSUME independent (j)\n", "");
        let scheme = super::read("claimed.saa", &text).expect("a scheme");
        assert!(verify(&saved.record, &scheme).fault.is_some());
    }
}

/// Rules with everything that a rule can have.
const OWN: &str = "
#@rule(two_ways) #@param(most, 3)
Then($h.., Assign(x, $e), $m.., Assign(x, $e), $t..)
  let ($n <- count($h..) + 1) [ $n > $most ] -> Empty
  | [ $n == 2 && nonempty($h..) || False ] -> Then($h.., $m.., Report(\"twice\", $e), $t..)
  !-> Then(Assign(x, $e + 0.0), $m.., $t..);
#@rule(made) #@float(approximate)
Assign(y, $e) -> Then(each($s, $i, x, y, Report(\"was\", $s)), copies($k, 2, Assign(z, $k + $two)),
                      Assign(y, $sum))
  where ($sum <- $e + $four, $four <- $two * 2, $two <- 1 + 1, $i <- x);
#@rule(any) $f..([x, $e]) -> $f..([z, $e]);
#@rule(no_such_place) Filter($u) -> Empty;
#@rule(wrong) Assign(y, $e) -> Assign(y, substitute($e, 1.5, 2.5));
strategy mine(most: 0..9 = 3) =
  once(two_ways(most = most)); try(once(wrong)); try(once(no_such_place));
strategy made_of_all = once(made); topdown(any);
";

const SCALARS: &str = "SCHEME \"scalars\" ====\nDATA\n  x : REAL OUTPUT\n  y : REAL OUTPUT\n  \
    z : REAL OUTPUT\nEND OF DATA\n  z := 2; x := 1; y := 1.5; x := 1; z := 3\n\
    END OF SCHEME \"scalars\"\n";

#[test]
fn what_a_users_rule_says_is_the_rules_fault() {
    let saved = Saved::new("scalars.saa", SCALARS, "mine", &[], OWN).expect("derived");
    is_accepted(&saved, "alternatives");
    let rules: Vec<&str> = saved
        .record
        .steps
        .iter()
        .map(|s| s.step.rule.as_str())
        .collect();
    assert_eq!(rules, ["two_ways", "wrong"]);
    assert_eq!(saved.record.steps[0].step.alternative, Some(1));
    assert!(
        saved.record.result.contains("y := 2.5"),
        "{}",
        saved.record.result
    );
    let saved = Saved::new("scalars.saa", SCALARS, "made_of_all", &[], OWN).expect("derived");
    is_accepted(&saved, "instructions");
    assert!(
        saved.record.result.contains("z := 1 + 2;"),
        "{}",
        saved.record.result
    );
    assert!(saved.record.steps.len() == 3 && !saved.record.result.contains("x :="));
    // The first alternative, and the one after `!->`.
    let saved = Saved::new("scalars.saa", SCALARS, "mine", &["most=1"], OWN).expect("derived");
    is_accepted(&saved, "the first alternative");
    assert_eq!(saved.record.steps[0].step.alternative, Some(0));
    let other = SCALARS.replace("z := 2; x := 1;", "x := 1;");
    let saved = Saved::new("scalars.saa", &other, "mine", &[], OWN).expect("derived");
    is_accepted(&saved, "no condition holds");
    assert_eq!(saved.record.steps[0].step.alternative, None);
    assert_eq!(saved.record.steps[0].step.evidence.len(), 2);
}

#[test]
fn a_rule_text_that_is_not_the_recorded_one_is_refused() {
    let mut saved = Saved::new("scalars.saa", SCALARS, "mine", &[], OWN).expect("derived");
    let kept = saved.record.rules.clone();
    let mine = kept
        .iter()
        .position(|f| f.text.is_some())
        .expect("its text");
    // Another text under the same digest, another digest, no text, no file.
    let text = OWN.replace("2.5", "1.5 + 1");
    saved.record.rules[mine].text = Some(text.clone());
    assert!(saved.verify().fault.is_some());
    // A text with its digest is another rule, which does not make the recorded term.
    saved.record.rules[mine].sha256 = glushkov::derive::digest(&text);
    let fault = saved.verify().fault.expect("another rule");
    assert_eq!(fault.step, Some(1), "{fault:?}");
    saved.record.rules = kept.clone();
    saved.record.rules[mine].text = None;
    assert!(saved.verify().fault.is_some());
    saved.record.rules.remove(mine);
    assert!(saved.verify().fault.is_some());
    // What a file of the tool's name says is the user's, and must be recorded as such.
    let mut saved = Saved::of("heat", "gpu", &[]).expect("derived");
    let file = &mut saved.record.rules[0];
    file.sha256 = glushkov::derive::digest("");
    let fault = saved.verify().fault.expect("another text");
    assert!(fault.what.contains("has another text"), "{fault:?}");
}
