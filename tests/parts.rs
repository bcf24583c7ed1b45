//! After a step the part alone that it changed is checked again. In tests each such check is held against one of the whole
//! (`src/derive/host.rs`), so that it is enough to take steps that change what is declared, renamed, moved or dropped,
//! and to undo them.

use glushkov::algebra::Precision;
use glushkov::check::check;
use glushkov::derive::derive;
use glushkov::rewrite::{Bound, RuleBase};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms, with_deep_stack};

/// Rules that keep no meaning at all.
const RULES: &str = r#"
#@rule(declared_again) #@float(exact)
Local($n, $t, $v) -> Then(Local($n, $t, $v), Local($n, $t, 5));
#@rule(declared_otherwise) #@float(exact)
Local($n, $t, $v) -> Then(Local($n, $t, $v), Local($n, INTEGER, 9));
#@rule(declared_before) #@float(exact)
Then($x.., Local($n, $t, $v), $y..) -> Then(Local($n, $t, 2), $x.., Local($n, $t, $v), $y..);
#@rule(no_longer_declared) #@float(exact)
Then($x.., Local($n, $t, $v), $y..) -> Then($x.., $y..);
#@rule(declared_late) #@float(exact)
Then($x.., Local($n, $t, $v), $A, $y..) -> Then($x.., $A, Local($n, $t, $v), $y..);
#@rule(of_another_type) #@float(exact)
Local($n, REAL, $v) -> Local($n, REAL64, $v);
#@rule(by_local) #@float(exact)
Assign($x, $v) -> Then(Local(t, REAL, $v), Assign($x, t));
#@rule(named_as_output) #@float(exact)
Assign($x, $v) -> Then(Local(y, REAL, 1), Assign($x, $v));
#@rule(named_as_loop) #@float(exact)
Assign($x, $v) -> Then(Local(i, INTEGER, 1), Assign($x, $v));
#@rule(by_array) #@float(exact)
Assign($x, $v) -> Array(w, REAL, Dims(3), Then(Assign(Index(w, 0), $v), Assign($x, Index(w, 0))));
#@rule(guarded) #@float(exact)
Assign($x, $v) -> If(Less(1, 2), Assign($x, $v), Empty);
#@rule(nothing_left) #@float(exact)
Assign($x, $v) -> Empty;
#@rule(twice) #@float(exact)
ForLoop($i, $a, $b, $A) -> Then(ForLoop($i, $a, $b, $A), ForLoop($i, $a, $b, $A));
#@rule(launched) #@float(exact)
ForLoop($i, $a, $b, $A) -> CALL_GPU(1, 1, ForLoop($i, $a, $b, $A));
#@rule(at_once) #@float(exact)
ForLoop($i, $a, $b, $A) -> Parallel($i, $a, $b, $A);
#@rule(reached) #@float(exact)
Assign($x, $v) -> Then(Assign($x, $v), ControlPoint("p"));
#@rule(exchanged) #@float(exact)
Then($x.., $A, $B, $y..) -> Then($x.., $B, $A, $y..);
"#;

const NAMES: [&str; 17] = [
    "declared_again",
    "declared_otherwise",
    "declared_before",
    "no_longer_declared",
    "declared_late",
    "of_another_type",
    "by_local",
    "named_as_output",
    "named_as_loop",
    "by_array",
    "guarded",
    "nothing_left",
    "twice",
    "launched",
    "at_once",
    "reached",
    "exchanged",
];

/// What strategies do with a rule and another one.
const STRATEGIES: [&str; 8] = [
    "once(A)",
    "bottomup(A)",
    "once(A); once(B)",
    "try(once(A); fail); once(B)",
    "try(once(A); once(B); fail); bottomup(B)",
    "not(bottomup(A); fail); once(B); not(not(once(A)))",
    "once(B); try(bottomup(A); fail); once(A)",
    "not(once(B); once(A)); once(B); once(A)",
];

const SCHEMES: [&str; 4] = [
    "LOCAL t : REAL := 1; y := t; LOCAL s : REAL := y + t; x[0] := s; y := s + t",
    "FOR (i FROM 0 TO N - 1) LOOP LOCAL t : REAL := i; x[i] := t; t := t + 1; y := y + t END OF LOOP;
     FOR (i FROM 0 TO N - 1) LOOP LOCAL t : REAL := 2 * i; IF t > 3 THEN LOCAL s : REAL := t; x[i] := s END IF END OF LOOP",
    "y := 0; LOCAL k : INTEGER := 0;
     WHILE k < N LOOP ARRAY w : REAL [2] IN ( w[0] := k; LOCAL t : REAL := w[0]; x[k] := t ); k := k + 1 END OF LOOP;
     y := y + k",
    "IF N > 3 THEN y := 1 ELSE x[0] := 1 END IF;
     FOR (i FROM 1 TO N - 1) LOOP FOR (j FROM 0 TO i) LOOP LOCAL t : REAL := j; x[j] := x[j] + t END OF LOOP END OF LOOP",
];

/// A scheme with a body.
fn scheme(body: &str) -> String {
    format!(
        "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 9\n  x : REAL [N] OUTPUT\n  y : REAL OUTPUT\nEND OF DATA\n{body}\n\
         END OF SCHEME \"s\"\n"
    )
}

/// All rules with strategies `s0`, `s1` and so on, each of a rule and one of the others.
fn rules_and_strategies() -> (String, usize) {
    let mut text = RULES.to_owned();
    let mut count = 0;
    for (number, a) in NAMES.iter().enumerate() {
        for (k, strategy) in STRATEGIES.iter().enumerate() {
            let b = NAMES[(number * 5 + k * 3 + 1) % NAMES.len()];
            let body = strategy.replace("(A)", &format!("({a})"));
            let body = body.replace("(B)", &format!("({b})"));
            text.push_str(&format!("strategy s{count} = {body};\n"));
            count += 1;
        }
    }
    (text, count)
}

#[test]
fn a_check_of_the_part_is_as_one_of_the_whole() {
    with_deep_stack(|| {
        let mut sources = Sources::default();
        let (text, strategies) = rules_and_strategies();
        let rules = sources.add("rules", text);
        let base = RuleBase::load(&sources, &[rules]).unwrap_or_else(|d| panic!("{d:#?}"));
        let (mut derived, mut refused, mut failed) = (0, 0, 0);
        for body in SCHEMES {
            let file = sources.add("scheme", scheme(body));
            let mut terms = Terms::new();
            let (items, errors) = read_file(&sources, file, &mut terms);
            assert!(errors.is_empty(), "{errors:#?}");
            let scheme = check(&terms, items[0], Precision::F32).expect("a scheme");
            for number in 0..strategies {
                let strategy = format!("s{number}");
                match derive(&scheme, &base, &strategy, &[], Bound::from(200)) {
                    Ok(done) if done.failure.is_none() => derived += 1,
                    Ok(_) => failed += 1,
                    // A name that nothing declares any more, a kernel in a kernel, or no end of steps.
                    Err(told) => {
                        let blamed = told.iter().any(|d| ["E0330", "E0320"].contains(&d.code));
                        assert!(blamed, "{strategy} of {body}: {told:#?}");
                        refused += 1;
                    }
                }
            }
        }
        let counts = format!("{derived} derived, {refused} refused, {failed} failed");
        assert!(derived > 150 && refused > 20 && failed > 50, "{counts}");
    });
}
