//! The rate of ground normalisation; run by hand with `--release -- --ignored --nocapture`.

use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::term::Sources;
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
