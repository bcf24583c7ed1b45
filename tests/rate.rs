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

/// The systems that `benches/maude/compare.py --write FOLDER` writes, here and in Maude, without reading and writing terms:
/// medians of `RUNS` runs of all, in turn, of the processor time of this thread, and of what Maude tells. `FOLDER` is what
/// the variable `SYSTEMS` says.
#[test]
#[ignore = "a measurement"]
fn systems_beside_maude() {
    let folder = std::env::var("SYSTEMS").expect("the folder of the systems");
    let runs = std::env::var("RUNS").map_or(5, |runs| runs.parse().expect("a number"));
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("a file");
    println!("| system | Maude, innermost | BottomTop | Maude, lazy | TopDown | FirstTop |");
    println!("|---|---|---|---|---|---|");
    for name in read("names").lines() {
        let mut sources = Sources::default();
        let rules = sources.add("rules", read(&format!("{name}.rules")));
        let base = RuleBase::load(&sources, &[rules]).expect("the rules are well formed");
        let [inner, lazy] =
            ["inner", "lazy"].map(|kind| sources.add("term", read(&format!("{name}.{kind}"))));
        let here = |strategy: &'static str, term: u32| {
            let time = |steps: u64| {
                let options = Rewriting {
                    strategy: Some(strategy),
                    steps,
                    ..Rewriting::default()
                };
                let before = processor_time();
                run_rewrite(&base, &sources, term, &options).expect("it ends");
                processor_time() - before
            };
            time(1 << 40) - time(0)
        };
        let mut times: [Vec<f64>; 5] = Default::default();
        for _ in 0..runs {
            let run = [
                maude(&format!("{folder}/{name}.inner.maude")),
                here("BottomTop", inner),
                maude(&format!("{folder}/{name}.lazy.maude")),
                here("TopDown", lazy),
                here("FirstTop", lazy),
            ];
            for (times, time) in times.iter_mut().zip(run) {
                times.push(time);
            }
        }
        let medians = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        });
        let [inner, bottom_top, lazy, top_down, first_top] = medians;
        let beside = |time: f64, maude: f64| format!("{time:.3}, {:.2}", time / maude);
        println!(
            "| {name} | {inner:.3} | {} | {lazy:.3} | {} | {} |",
            beside(bottom_top, inner),
            beside(top_down, lazy),
            beside(first_top, lazy)
        );
    }
}

/// Seconds that Maude says it rewrote, in steps of 4 ms.
fn maude(file: &str) -> f64 {
    // A deep term needs a deep stack.
    let command = "ulimit -s unlimited; exec maude -no-banner \"$0\" < /dev/null";
    let mut process = std::process::Command::new("sh");
    let done = process
        .args(["-c", command, file])
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    let (_, behind) = told.split_once("rewrites: ").expect("what Maude tells");
    let time = behind
        .split(' ')
        .nth(2)
        .and_then(|time| time.strip_suffix("ms"));
    time.and_then(|time| time.parse::<f64>().ok())
        .expect("a time")
        / 1e3
}

/// Seconds that the processor spent on this thread, as Linux tells it.
fn processor_time() -> f64 {
    // It is written down when the thread gives way, and else every 4 ms.
    std::thread::yield_now();
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
