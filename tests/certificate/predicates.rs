//! Predicates of the user's: the checker asks their clauses by itself, to the same answers as the engine.

use super::{Saved, verify};
use glushkov::derive::digest;

/// Loops over cells that are the same, differ, or are claimed to.
const LOOPS: &str = "SCHEME \"loops\" ====\nDATA\n  N : INTEGER := 5\n  x, y : REAL [N] OUTPUT\n  \
    k : INTEGER [N] INPUT\n  ASSUME independent (j)\nEND OF DATA\n  \
    FOR (i FROM 0 TO N - 1) LOOP x[i] := 1; y[i] := 2; x[i] := y[i] END OF LOOP;\n  \
    FOR (j FROM 0 TO N - 1) LOOP x[k[j]] := 1 END OF LOOP;\n  \
    FOR (i FROM 1 TO N - 1) LOOP x[i] := x[i - 1] END OF LOOP\nEND OF SCHEME \"loops\"\n";

/// Clauses of every kind: that match in several ways, ask themselves, compute, and do not know.
const RULES: &str = "#@rule(turned) #@float(exact)\n\
    ForLoop($i, $a, $b, $A) [ either_way($i, $a, $b, $A) && !goes_on($a) || either_way($i, $a, $b, $A) ]\n\
    -> ForStep($i, $b, $a, -1, $A);\n\
    predicate either_way($i, $a, $b, $A) let ($n <- $b - $a)\n  \
    [ !assigns($A) ] -> false | [ undecided($A) ] -> independent($i, $a, $b, $A) && $n != 0 \n  \
    !-> independent($i, $a, $b, $A) && $n != 0;\n\
    predicate assigns(Then($h.., $A, $t..)) [ !assigns($A) ] -> false;\n\
    predicate assigns(Then($all..)) -> nonempty($all..);\n\
    predicate assigns(Assign($c, $e)) -> true;\n\
    predicate undecided(Assign($c, $e)) -> unknown;\n\
    predicate undecided($A) -> false;\n\
    predicate goes_on($a) -> goes_on($a + 1);\n\
    strategy mine = bottomup(try(turned));\n";

#[test]
fn what_the_engine_asked_the_checker_asks_too() {
    let saved = Saved::new("loops.saa", LOOPS, "mine", &[], RULES).expect("derived");
    let verdict = saved.verify();
    assert_eq!(verdict.fault, None);
    let steps = &saved.record.steps;
    assert_eq!((verdict.checked, steps.len()), (2, 2));
    let asked = |text: &str| {
        let all = steps.iter().flat_map(|s| &s.step.evidence);
        all.filter(|asked| asked.question == text).count()
    };
    assert!(asked("either_way: undecided($A)") >= 2 && asked("assigns: assigns($A)") >= 3);
    assert!(asked("goes_on: goes_on($a + 1)") >= 100);
}

#[test]
fn a_question_that_is_left_out_and_another_clause_are_found() {
    let saved = Saved::new("loops.saa", LOOPS, "mine", &[], RULES).expect("derived");
    for (from, to) in [
        ("Assign($c, $e)) -> true;", "Assign($c, $e)) -> false;"),
        ("$n != 0", "$n == 0"),
        ("-> unknown", "-> true"),
    ] {
        let mut record = saved.record.clone();
        let file = record.rules.iter_mut().find(|f| f.name == "mine.rules");
        let file = file.expect("the user's file");
        let text = file.text.take().expect("its text").replace(from, to);
        file.sha256 = digest(&text);
        file.text = Some(text);
        assert!(verify(&record, &saved.scheme).fault.is_some(), "{from}");
    }
    let count = saved.record.steps[0].step.evidence.len();
    for at in 0..count {
        let mut record = saved.record.clone();
        record.steps[0].step.evidence.remove(at);
        assert!(verify(&record, &saved.scheme).fault.is_some(), "{at}");
        let mut record = saved.record.clone();
        let asked = &mut record.steps[0].step.evidence[at];
        asked.answer = if asked.answer == "yes" {
            "unknown"
        } else {
            "yes"
        }
        .to_owned();
        assert!(verify(&record, &saved.scheme).fault.is_some(), "{at}");
    }
}
