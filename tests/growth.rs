//! Ten times the text takes about ten times as long to read and check, whatever it is made of, and to derive, where
//! what is added is like what is there.

use glushkov::algebra::Precision;
use glushkov::check::{author_names, check};
use glushkov::derive::{derive, rule_base};
use glushkov::rewrite::RuleBase;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms, with_deep_stack};
use std::fmt::Write;
use std::time::{Duration, Instant};

fn scheme(data: &str, body: &str, definitions: &str) -> String {
    format!(
        "SCHEME \"s\" ====\nDATA\n  x, y : REAL OUTPUT\n{data}END OF DATA\n{body}\nWHERE\n\
         {definitions}\"Nothing\" ==== EMPTY\nEND OF SCHEME \"s\"\n"
    )
}

fn lines(n: usize, mut line: impl FnMut(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..n).for_each(|i| line(&mut text, i));
    text
}

/// Schemes of a size, each with much of one thing.
fn schemes(n: usize) -> Vec<(&'static str, String)> {
    let assign = "x := 0; y := 0;\n";
    vec![
        (
            "LOCALs in one sequence",
            scheme(
                "",
                &lines(n, |t, i| {
                    let _ = writeln!(t, "LOCAL t{i} : REAL := t{} + 1;", i.max(1) - 1);
                })
                .replacen("t0 + 1", "1", 1),
                "",
            ),
        ),
        (
            "LOCALs of one name",
            scheme(
                "",
                &format!("{assign}{}", "\"Use (x)\";\n".repeat(n)),
                "\"Use (a)\" ==== LOCAL t : REAL := a; a := t + 1\n",
            ),
        ),
        (
            "variables and names that are not declared",
            scheme(
                &lines(n, |t, i| {
                    let _ = writeln!(t, "v{i} : REAL");
                }),
                &lines(n, |t, i| {
                    let _ = writeln!(t, "w{i} := 1;");
                }),
                "",
            ),
        ),
        (
            "phrases that call the next",
            scheme(
                "",
                &format!("{assign}\"P0 (x)\""),
                &lines(n, |t, i| {
                    let next = if i + 1 < n {
                        format!("; \"P{} (a)\"", i + 1)
                    } else {
                        String::new()
                    };
                    let _ = writeln!(t, "\"P{i} (a)\" ==== a := a + y{next}");
                }),
            ),
        ),
        (
            "phrases that nothing defines",
            scheme(
                "",
                &lines(n, |t, i| {
                    let _ = writeln!(t, "\"Do {i}\";");
                }),
                &lines(n, |t, i| {
                    let _ = writeln!(t, "\"Done {i}\" ==== x := 1");
                }),
            ),
        ),
        (
            "literals of two types",
            scheme(
                "",
                &lines(n.div_ceil(4000), |t, _| {
                    let _ = writeln!(t, "x := {}1;", "1 + 1.0 + ".repeat(n.min(4000)));
                }),
                "",
            ),
        ),
        (
            "nested loops",
            scheme(
                "",
                &lines(n.div_ceil(500), |t, _| {
                    let depth = n.min(500);
                    let open = lines(depth, |t, i| {
                        let _ = writeln!(t, "FOR (i{i} FROM 0 TO 1) LOOP");
                    });
                    let _ = writeln!(t, "{open} x := 1 {};", "END OF LOOP ".repeat(depth));
                }),
                "",
            ),
        ),
        (
            "errors",
            scheme("", &"x := ;\n".repeat(n), &"\"A\" ==== x := ;\n".repeat(n)),
        ),
    ]
}

fn time(text: &str) -> Duration {
    let mut sources = Sources::default();
    let file = sources.add("generated", text);
    let start = Instant::now();
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    if let (Ok(scheme), true) = (check(&terms, items[0], Precision::F32), errors.is_empty()) {
        let mut named = scheme.terms.clone();
        author_names(&mut named, scheme.root);
    }
    start.elapsed()
}

#[test]
fn time_grows_with_the_text_and_not_with_its_square() {
    with_deep_stack(|| {
        for ((name, small), (_, large)) in schemes(2_000).into_iter().zip(schemes(20_000)) {
            let least = (0..3).map(|_| time(&small)).min().expect("three times");
            let most = time(&large);
            // Below some milliseconds other things than the text count.
            let allowed = 30 * least.max(Duration::from_millis(10));
            assert!(
                most < allowed,
                "{name}: {least:?}, ten times as much {most:?}"
            );
        }
    });
}

/// A scheme with some operators in a row.
fn row(body: &str) -> String {
    format!(
        "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 9\n  u : REAL [N] INPUT\n  v : REAL [N] INPUT OUTPUT\nEND OF DATA\n\
         {body}\nEND OF SCHEME \"s\"\n"
    )
}

/// So many operators, each made of its number.
fn operators(n: usize, operator: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (0..n).map(operator).collect();
    all.join(";\n")
}

/// A loop over many operators of one kind, which reach the same cells.
fn wide_loops(n: usize) -> Vec<(&'static str, String)> {
    let scheme = |operator: &dyn Fn(usize) -> String| {
        let body = operators(n, operator);
        row(&format!(
            "FOR (i FROM 0 TO N - 1) LOOP\n{body}\nEND OF LOOP"
        ))
    };
    vec![
        (
            "assignments",
            scheme(&|k| format!("v[i] := v[i] + {k} * u[i]")),
        ),
        (
            "choices",
            scheme(&|k| format!("IF u[i] > {k} THEN v[i] := v[i] + {k} END IF")),
        ),
    ]
}

/// Many operators of one kind one after the other.
fn sequences(n: usize) -> Vec<(&'static str, String)> {
    let scheme = |operator: &dyn Fn(usize) -> String| row(&operators(n, operator));
    vec![
        (
            "assignments in a row",
            scheme(&|k| format!("v[{0}] := v[{0}] + {k} * u[{1}]", k % 9, k % 7)),
        ),
        (
            "choices in a row",
            scheme(&|k| format!("IF u[{0}] > {k} THEN v[{0}] := v[{0}] + {k} END IF", k % 9)),
        ),
        (
            "loops in a row",
            scheme(&|k| {
                format!("FOR (i FROM 0 TO N - 1) LOOP v[i] := v[i] + {k} * u[i] END OF LOOP")
            }),
        ),
    ]
}

/// How long it takes to derive a scheme, without reading it.
fn derivation(text: &str, base: &RuleBase, strategy: &str) -> Duration {
    let mut sources = Sources::default();
    let file = sources.add("generated", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{errors:?}");
    let scheme = check(&terms, items[0], Precision::F32).expect("it checks");
    let start = Instant::now();
    derive(&scheme, base, strategy, &[], 100_000).expect("derived");
    start.elapsed()
}

#[test]
fn derivations_grow_with_what_differs() {
    with_deep_stack(|| {
        let base = rule_base(&mut Sources::default(), &[]).expect("the rules load");
        let wide = wide_loops(40).into_iter().zip(wide_loops(400));
        let all = wide.chain(sequences(20).into_iter().zip(sequences(200)));
        for ((name, small), (_, large)) in all {
            for strategy in ["cpu_fast", "gpu_fast"] {
                let [least, most] = [&small, &large].map(|text| {
                    let times = (0..3).map(|_| derivation(text, &base, strategy));
                    times.min().expect("three times")
                });
                // Steps are as many as operators, and each looks at all of these, if not into them.
                let allowed = 60 * least.max(Duration::from_millis(10));
                assert!(
                    most < allowed,
                    "{strategy}, {name}: {least:?}, ten times as much {most:?}"
                );
            }
        }
    });
}
