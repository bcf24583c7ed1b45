//! No loop stays sequential without a word.

use glushkov::check::Scheme;
use glushkov::pipeline::{
    Becomes, LoopFate, Options, Session, Source, derive, load, loop_fates, schemes_below,
};
use glushkov::rewrite::RuleBase;
use glushkov::term::with_deep_stack;
use std::path::Path;

const STRATEGIES: [&str; 5] = ["parallel", "cpu", "cpu_fast", "gpu", "gpu_fast"];

/// Loops that go on in order, not inside of others of which this is known, and of which nothing is said.
fn silent(scheme: &Scheme, base: &RuleBase, strategy: &str) -> Vec<LoopFate> {
    let derived = derive::derive(base, scheme, strategy, &Options::default()).expect(strategy);
    let fates = loop_fates(scheme, &derived);
    let is_part = |inner: &LoopFate, outer: &LoopFate| {
        let (inner, outer) = (inner.span, outer.span);
        let within = outer.from <= inner.from && inner.to <= outer.to;
        inner != outer && inner.file == outer.file && within
    };
    let is_known =
        |outer: &LoopFate| matches!(outer.becomes, Becomes::InOrder | Becomes::Stays { .. });
    let all = fates.iter().filter(|fate| fate.becomes == Becomes::InOrder);
    let silent = all.filter(|fate| !fates.iter().any(|o| is_known(o) && is_part(fate, o)));
    silent.cloned().collect()
}

#[test]
fn what_stays_sequential_is_told() {
    with_deep_stack(|| {
        let mut session = Session::new();
        let options = Options::default();
        let base = derive::rules(&options, &mut session).expect("rules");
        let mut silent_loops = Vec::new();
        for folder in ["schemes", "tests/unseen"] {
            for path in schemes_below(Path::new(folder)).expect("schemes") {
                let path = path.to_str().expect("a name");
                let scheme = load(Source::Path(path), &options, &mut session).expect(path);
                for strategy in STRATEGIES {
                    silent_loops.extend(silent(&scheme, &base, strategy).into_iter().map(|l| {
                        let (line, _) = session.sources.line_column(l.span.file, l.span.from);
                        format!("{path}:{line}: {} under {strategy}", l.variable)
                    }));
                }
            }
        }
        assert!(silent_loops.is_empty(), "{silent_loops:#?}");
    });
}

/// A loop made of several has the place of all that stands between the first and the last of them.
#[test]
fn loops_between_fused_ones_are_told() {
    const TEXT: &str = "SCHEME \"s\" ====
DATA
  N : INTEGER := 9
  u : REAL [N] INPUT
  a, b, c, d : REAL [N] OUTPUT
END OF DATA
FOR (i FROM 0 TO N - 1) LOOP a[i] := u[i] * 2 END OF LOOP;
FOR (i FROM 0 TO N - 1) LOOP b[i] := a[i] + 1 END OF LOOP;
c[0] := 1;
FOR (k FROM 1 TO N - 1) LOOP c[k] := sin(c[k - 1]) * u[k] END OF LOOP;
FOR (i FROM 0 TO N - 1) LOOP d[i] := c[i] + 1 END OF LOOP
END OF SCHEME \"s\"
";
    with_deep_stack(|| {
        let mut session = Session::new();
        let options = Options::default();
        let base = derive::rules(&options, &mut session).expect("rules");
        let source = Source::Text {
            name: "s",
            text: TEXT,
        };
        let scheme = load(source, &options, &mut session).expect("a scheme");
        for strategy in STRATEGIES {
            let derived = derive::derive(&base, &scheme, strategy, &options).expect(strategy);
            let fates = loop_fates(&scheme, &derived);
            let of_k = fates.iter().find(|fate| fate.variable == "k");
            assert!(
                of_k.is_some_and(|fate| matches!(fate.becomes, Becomes::Stays { .. })),
                "{strategy}: {fates:?}"
            );
        }
    });
}
