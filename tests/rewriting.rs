//! Rewriting by systems: TermWare's behaviour, and where it is mended.

use glushkov::diagnostic::render;
use glushkov::rewrite::{Rewriting, Rewritten, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;

fn rewrite(rules: &str, term: &str, strategy: &str, steps: u64) -> Rewritten {
    let mut sources = Sources::default();
    let rules = sources.add("test.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[rules]).unwrap_or_else(|d| panic!("{d:#?}"));
    let options = Rewriting {
        strategy: Some(strategy),
        steps,
        ..Rewriting::default()
    };
    run_rewrite(&base, &sources, term, &options).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn flat(rules: &str, term: &str, strategy: &str) -> String {
    let done = rewrite(rules, term, strategy, 100_000);
    assert_eq!(done.exit_code(), 0, "{:?}", done.diagnostics);
    print_term_flat(&done.terms, done.root)
}

const ALL: [&str; 3] = ["FirstTop", "TopDown", "BottomTop"];

const PEANO: &str = "
    fib(0) -> 0;
    fib(s(0)) -> s(0);
    fib(s(s($x))) -> plus(fib(s($x)), fib($x));
    plus(0, $y) -> $y;
    plus(s($x), $y) -> s(plus($x, $y));
";

fn peano(n: usize) -> String {
    format!("{}0{}", "s(".repeat(n), ")".repeat(n))
}

#[test]
fn the_published_rule_runs_unchanged() {
    let rule = "ForLoop($x1, $x2, Minus(N,1), $x3) -> ForLoop($x1, $x2, Minus(Div(N,512),1), \
                CALL_GPU(blocksPerGrid, threadsPerBlock, $x3))";
    let term = "Then(ForLoop(i, 0, N - 1, ForLoop(s, 0, N - 1, Call(\"a\"))), ForLoop(i, 0, M, E))";
    let first = flat(rule, term, "FirstTop");
    for strategy in ALL {
        assert_eq!(flat(rule, term, strategy), first);
    }
    assert_eq!(
        first,
        "Then(ForLoop(i, 0, Minus(Div(N, 512), 1), CALL_GPU(blocksPerGrid, threadsPerBlock, \
         ForLoop(s, 0, Minus(Div(N, 512), 1), CALL_GPU(blocksPerGrid, threadsPerBlock, \
         Call(\"a\"))))), ForLoop(i, 0, M, E))"
    );
}

#[test]
fn strategies_pick_redexes_as_in_termware() {
    let rules = "a -> b; h(b) -> c; h(a) -> d";
    assert_eq!(flat(rules, "g(a, h(a))", "FirstTop"), "g(b, d)");
    assert_eq!(flat(rules, "g(a, h(a))", "TopDown"), "g(b, d)");
    assert_eq!(flat(rules, "g(a, h(a))", "BottomTop"), "g(b, c)");
}

#[test]
fn peano_fibonacci_takes_as_many_rewrites_as_in_maude() {
    let done = rewrite(
        PEANO,
        &format!("fib({})", peano(24)),
        "BottomTop",
        10_000_000,
    );
    assert_eq!(done.rewrites, 713_473);
    assert_eq!(print_term_flat(&done.terms, done.root), peano(46_368));
}

#[test]
fn all_strategies_agree_on_small_peano() {
    for strategy in ALL {
        assert_eq!(
            flat(PEANO, &format!("fib({})", peano(10)), strategy),
            peano(55)
        );
    }
}

/// Every file of `tests/rewrite` holds rules, and in its first lines `# term: …` lines, each
/// rewritten under all strategies or under those of a line `# strategy: …`, at most as often as
/// `# steps: …` says. The snapshot holds the file, what it gives and how many steps it takes.
#[test]
fn cases() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rewrite");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "rules"))
        .collect();
    names.sort();
    for path in names {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .to_string();
        let text = std::fs::read_to_string(&path).expect("the case");
        let header = |key: &str| -> Vec<String> {
            let key = format!("# {key}: ");
            let lines = text.lines().filter_map(|line| line.strip_prefix(&key));
            lines.map(str::to_string).collect()
        };
        let steps = header("steps")
            .first()
            .and_then(|s| s.parse().ok())
            .unwrap_or(1000);
        let strategies = header("strategy");
        let strategies: Vec<&str> = match strategies.first() {
            Some(line) => line.split_whitespace().collect(),
            None => ALL.to_vec(),
        };
        let mut sources = Sources::default();
        let rules = sources.add(format!("{name}.rules"), &text);
        let mut out = text.clone();
        let mut show = |line: &str| out.push_str(line);
        let base = match RuleBase::load(&sources, &[rules]) {
            Ok(base) => base,
            Err(refused) => {
                for diagnostic in refused {
                    show("\n");
                    show(&render(&diagnostic, &sources, false));
                }
                insta::assert_snapshot!(name, out);
                continue;
            }
        };
        for term in header("term") {
            show(&format!("\n--- {term}\n"));
            let term = sources.add("term", term);
            for strategy in &strategies {
                let options = Rewriting {
                    strategy: Some(strategy),
                    steps,
                    ..Rewriting::default()
                };
                let done = match run_rewrite(&base, &sources, term, &options) {
                    Ok(done) => done,
                    Err(refused) => {
                        for diagnostic in refused {
                            show(&render(&diagnostic, &sources, false));
                        }
                        continue;
                    }
                };
                let result = print_term_flat(&done.terms, done.root);
                if done.exit_code() == 0 {
                    show(&format!("{strategy}: {result} ({} steps)\n", done.rewrites));
                    // A normal form is left alone.
                    let again = sources.add("again", &result);
                    let second = run_rewrite(&base, &sources, again, &options).expect("it reads");
                    assert_eq!(second.rewrites, 0, "{name}, {strategy}: {result}");
                } else {
                    show(&format!("{strategy}:\n"));
                    for diagnostic in &done.diagnostics {
                        show(&render(diagnostic, &sources, false));
                    }
                }
            }
        }
        insta::assert_snapshot!(name, out);
    }
}
