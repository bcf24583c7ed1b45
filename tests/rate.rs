//! Rates of ground normalisation and of the reference machine; run by hand with `--release --
//! --ignored --nocapture`.

use glushkov::algebra::Precision;
use glushkov::check::check;
use glushkov::derive::{derive, rule_base};
use glushkov::machine::{Limits, Machine, compile};
use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use std::time::Instant;

#[test]
#[ignore = "a measurement"]
fn peano_fibonacci() {
    let mut sources = Sources::default();
    let rules = sources.add(
        "fib.rules",
        "fib(0) -> 0; fib(s(0)) -> s(0); fib(s(s($x))) -> plus(fib(s($x)), fib($x));
         plus(0, $y) -> $y; plus(s($x), $y) -> s(plus($x, $y));",
    );
    let base = RuleBase::load(&sources, &[rules]).expect("the rules are well formed");
    for n in [24, 30] {
        let term = format!("fib({}0{})", "s(".repeat(n), ")".repeat(n));
        let term = sources.add("term", term);
        let options = Rewriting {
            strategy: Some("BottomTop"),
            steps: 1 << 40,
            ..Rewriting::default()
        };
        for _ in 0..3 {
            let start = Instant::now();
            let done = run_rewrite(&base, &sources, term, &options).expect("it ends");
            println!("fib({n})\n{}", done.statistics(start.elapsed()));
        }
    }
}

/// The systems that `benches/maude/compare.py --write FOLDER` writes, without reading and writing terms: the least of three
/// times that the processor spent on this thread. `FOLDER` is what the variable `SYSTEMS` says.
#[test]
#[ignore = "a measurement"]
fn systems_beside_maude() {
    let folder = std::env::var("SYSTEMS").expect("the folder of the systems");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("a file");
    for name in read("names").lines() {
        let mut sources = Sources::default();
        let rules = sources.add("rules", read(&format!("{name}.rules")));
        let base = RuleBase::load(&sources, &[rules]).expect("the rules are well formed");
        for strategy in ["BottomTop", "TopDown", "FirstTop"] {
            let kind = if strategy == "BottomTop" {
                "inner"
            } else {
                "lazy"
            };
            let term = sources.add("term", read(&format!("{name}.{kind}")));
            let time = |steps: u64| {
                let options = Rewriting {
                    strategy: Some(strategy),
                    steps,
                    ..Rewriting::default()
                };
                let before = processor_time();
                let done = run_rewrite(&base, &sources, term, &options).expect("it ends");
                (processor_time() - before, done.rewrites)
            };
            let least = |steps: u64| {
                (0..3)
                    .map(|_| time(steps))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
            };
            let (all, rewrites) = least(1 << 40).unwrap_or_default();
            let (idle, _) = least(0).unwrap_or_default();
            println!(
                "{name}, {strategy}: {:.4} s, {rewrites} rewrites",
                all - idle
            );
        }
    }
}

/// Seconds that the processor spent on this thread, as Linux tells it.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = told.split(' ').next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}

/// Accesses in loops, in PARALLEL and in a kernel, each checked for races.
#[test]
#[ignore = "a measurement"]
fn checked_accesses() {
    let text = "SCHEME \"sums\" ====
        DATA N : INTEGER := 2000  x : REAL [N] INPUT  y : REAL [N] OUTPUT END OF DATA
        FOR (i FROM 0 TO N - 1) LOOP
          y[i] := 0;
          FOR (s FROM 0 TO N - 1) LOOP y[i] := y[i] + x[s] END OF LOOP
        END OF LOOP
        END OF SCHEME \"sums\"";
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let file = sources.add("sums", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty());
    let scheme = check(&terms, items[0], Precision::F32).expect("it checks");
    for strategy in ["sequential", "parallel", "gpu"] {
        let derived = derive(&scheme, &base, strategy, &[], 1000).expect("it is derived");
        let code = compile(&derived.scheme).expect("everything is defined");
        for _ in 0..3 {
            let mut machine = Machine::new(&derived.scheme, &code, Limits::default());
            machine.start(&[]).expect("it has data");
            machine.set("x".into(), &[0; 2000]);
            let start = Instant::now();
            machine.run().expect("no error");
            let rate = machine.accesses() as f64 / start.elapsed().as_secs_f64();
            println!(
                "{strategy}: {} accesses, {rate:.3e} a second",
                machine.accesses()
            );
        }
    }
}
