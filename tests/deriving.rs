//! Strategies and derivations, with a small host that knows a few facts.

use glushkov::diagnostic::{Diagnostic, render};
use glushkov::rewrite::{
    Answer, Bound, Derived, Evidence, Host, Redex, Request, RuleBase, Setting, Status, derive,
};
use glushkov::syntax::rules::{print_term_flat, read_term};
use glushkov::term::{Id, Origin, Sources, Symbol, Terms};

/// Flattens `Then`; a loop is independent unless its body has `carried`, and nobody knows if it
/// has `perhaps`.
#[derive(Default)]
struct Facts {
    fresh: u32,
    rechecks: u32,
    refuse: Option<&'static str>,
}

fn has(terms: &Terms, id: Id, atom: &str) -> bool {
    terms
        .subterms(id)
        .any(|id| terms.as_atom(id).is_some_and(|a| a.as_str() == atom))
}

impl Host for Facts {
    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        let proved = |text: &str| Evidence::new(Status::Proved, text);
        match (name.as_str(), args) {
            ("independent", &[_, body]) if has(terms, body, "carried") => {
                Some(Answer::No(proved("iterations 0 and 1 share a cell")))
            }
            ("independent", &[_, body]) if has(terms, body, "perhaps") => Some(Answer::Unknown(
                Evidence::new(Status::Tested, "the subscripts are not affine"),
            )),
            ("independent", _) => Some(Answer::Yes(proved("no two iterations share a cell"))),
            ("on_host", []) => {
                let spine = at.path.spine(terms, at.root)?;
                let launch = |&id: &Id| terms.functor(id) == Some("CALL_GPU".into());
                Some(match spine.iter().any(launch) {
                    true => Answer::No(proved("there is a launch around it")),
                    false => Answer::Yes(proved("there is no launch around it")),
                })
            }
            _ => None,
        }
    }

    fn compute(
        &mut self,
        terms: &mut Terms,
        _: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        match (name.as_str(), args) {
            ("fresh", &[name]) => {
                self.fresh += 1;
                let name = format!("{}{}", terms.as_text(name)?, self.fresh);
                Some(Ok(vec![terms.atom(Symbol::new(&name))]))
            }
            ("atoms", &[term]) => {
                let atoms = terms
                    .subterms(term)
                    .filter(|&id| terms.as_atom(id).is_some());
                Some(Ok(atoms.collect()))
            }
            ("never", _) => Some(Err("there is no such thing here".to_string())),
            _ => None,
        }
    }

    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        if functor.as_str() != "Then" {
            return terms.apply(functor, args);
        }
        let mut flat = Vec::new();
        for &arg in args {
            match terms.functor(arg) {
                Some(f) if f == functor => flat.extend_from_slice(terms.args(arg)),
                _ => flat.push(arg),
            }
        }
        terms.apply(functor, &flat)
    }

    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        self.rechecks += 1;
        match self.refuse {
            Some(atom) if has(terms, root, atom) => Err(vec![Diagnostic::error(
                "E0201",
                format!("`{atom}` has no sort"),
            )]),
            _ => Ok(root),
        }
    }

    fn descend(&self, terms: &Terms, parent: Id, i: usize, _expressions: bool) -> bool {
        // Strategies look at operators: the bodies of loops and launches.
        match terms.functor(parent).map_or("", |f| f.as_str()) {
            "ForLoop" => i == 3,
            "CALL_GPU" => i == 2,
            _ => true,
        }
    }
}

const RULES: &str = r#"
# A loop whose iterations do not depend on each other becomes a launch and a wait.
#@rule(kernel) #@float(exact) #@param(threads, 256, 32, 1024)
ForLoop($i, $a, $b, $A) [ on_host && independent($i, $A) ] ->
  Then(CALL_GPU(ceil_div($b - $a + 1, $threads), $threads, $A), Wait("done"));

#@rule(strip) #@param(chunk, 512)
ForLoop(s, $a, $b, $A) -> ForLoop($c, 0, $b / $chunk, ForLoop(s, $c * $chunk, $b, $A))
  where ($c <- fresh("c"));

#@rule(swap)
Then($h.., first, $m.., second, $t..) -> Then($h.., second, $m.., first, $t..);

#@rule(unroll)
Loop($n, $A) [ $n > 0 ] -> Then(copies($k, $n, substitute($A, k, $k)));

#@rule(wraps)
Then($xs..) [ nonempty($xs..) && count($xs..) < 3 ] -> Block(each($x, $xs.., W($x)));

#@rule(bad) #@float(approximate)
good -> broken;

#@rule(round) p -> q;
#@rule(trip) q -> p;

strategy gpu(threads: 32..1024 = 128) = topdown(kernel(threads = threads));
strategy paper(chunk: 64..4096 = 512) = once(strip(chunk = chunk)); gpu(threads = chunk / 4);
  try(once(swap)) ; once(unroll) <+ once(wraps)
strategy endless = repeat(once(round) ; once(trip))
strategy undone = try(once(round) ; fail) ; id
"#;

fn rules(text: &str) -> (Sources, Result<RuleBase, Vec<Diagnostic>>) {
    let mut sources = Sources::default();
    let file = sources.add("test.rules", text);
    let base = RuleBase::load(&sources, &[file]);
    (sources, base)
}

fn run_with(
    text: &str,
    strategy: &str,
    settings: &[&str],
    term: &str,
    host: &mut Facts,
) -> Result<Derived, Vec<Diagnostic>> {
    run_within(text, strategy, settings, term, host, 1000.into())
}

fn run_within(
    text: &str,
    strategy: &str,
    settings: &[&str],
    term: &str,
    host: &mut Facts,
    bound: Bound<'_>,
) -> Result<Derived, Vec<Diagnostic>> {
    let (mut sources, base) = rules(text);
    let base = base.unwrap_or_else(|d| panic!("{d:#?}"));
    let file = sources.add("term", term);
    let mut terms = Terms::new();
    let root = read_term(&mut terms, file, term).expect("the term is well formed");
    let settings: Result<Vec<Setting>, _> = settings.iter().map(|s| Setting::parse(s)).collect();
    let request = Request {
        strategy,
        settings: &settings?,
        bound,
    };
    derive(&base, &request, &terms, root, host)
}

fn run(strategy: &str, settings: &[&str], term: &str) -> Result<Derived, Vec<Diagnostic>> {
    run_with(RULES, strategy, settings, term, &mut Facts::default())
}

fn text(derived: &Derived) -> String {
    print_term_flat(&derived.terms, derived.root)
}

#[test]
fn independent_loops_become_launches_and_sequences_stay_flat() {
    let done = run(
        "gpu",
        &[],
        "Then(ForLoop(i, 0, N, A), ForLoop(j, 0, M, f(carried)), ForLoop(l, 1, K, B))",
    )
    .expect("it derives");
    assert_eq!(
        text(&done),
        "Then(CALL_GPU(ceil_div(Plus(Minus(N, 0), 1), 128), 128, A), Wait(\"done\"), \
         ForLoop(j, 0, M, f(carried)), \
         CALL_GPU(ceil_div(Plus(Minus(K, 1), 1), 128), 128, B), Wait(\"done\"))"
    );
    let steps = &done.derivation.steps;
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[1].path, [3]);
    assert_eq!(steps[0].parameters, [("threads".to_string(), 128)]);
    assert_eq!(steps[0].evidence[1].question, "independent($i, $A)");
    assert!(
        steps[0]
            .bindings
            .contains(&("A".to_string(), "A".to_string()))
    );
    let misses = &done.derivation.near_misses;
    assert_eq!(misses.len(), 1);
    assert_eq!(misses[0].stopped_by.question, "independent($i, $A)");
    assert_eq!(misses[0].stopped_by.answer, "no");
    assert!(done.failure.is_none());
}

#[test]
fn unknown_fires_nothing_and_is_told() {
    let done = run("gpu", &[], "ForLoop(i, 0, N, f(perhaps))").expect("it derives");
    assert!(done.derivation.steps.is_empty());
    assert_eq!(done.derivation.near_misses[0].stopped_by.answer, "unknown");
    assert_eq!(
        done.derivation.near_misses[0].reason(),
        "`kernel` wants `independent($i, $A)`: unknown, the subscripts are not affine"
    );
}

#[test]
fn parameters_come_from_the_strategy_the_call_or_the_user() {
    let term = "ForLoop(i, 0, N, A)";
    let threads = |settings: &[&str]| {
        run("gpu", settings, term)
            .expect("it derives")
            .derivation
            .steps[0]
            .parameters[0]
            .1
    };
    assert_eq!(threads(&[]), 128);
    assert_eq!(threads(&["threads=64"]), 64);
    assert_eq!(threads(&["kernel.threads=96"]), 96);
    assert_eq!(threads(&["gpu.threads=32", "kernel.threads=7"]), 7);
    assert!(run("gpu", &["chunk=1"], term).is_err());
    assert!(run("paper", &["threads=1"], term).is_err_and(|d| d[0].message.contains(" or ")));
}

#[test]
fn required_steps_that_fail_are_told_with_their_reason() {
    let done = run(
        "paper",
        &["chunk=64"],
        "Then(ForLoop(s, 0, N, A), second, ForLoop(i, 0, N, carried))",
    )
    .expect("it runs");
    let failure = done.failure.expect("the last step has no place");
    assert!(
        failure.message.contains("once(unroll) <+ once(wraps)"),
        "{failure:?}"
    );
    assert_eq!(done.derivation.steps[0].rule, "strip");
    assert_eq!(
        done.derivation.steps[1].parameters,
        [("threads".to_string(), 16)]
    );
    let done = run("paper", &[], "Then(ForLoop(s, 0, N, A), Loop(2, f(k)))").expect("it runs");
    assert!(done.failure.is_none());
    assert!(text(&done).ends_with("f(0), f(1))"), "{}", text(&done));
}

#[test]
fn sequences_split_everywhere() {
    let done = run("swap", &[], "Then(x, first, y, z, second, w)").expect("it derives");
    assert_eq!(text(&done), "Then(x, second, y, z, first, w)");
    assert_eq!(
        done.derivation.steps[0].bindings[1],
        ("m".to_string(), "y, z".to_string())
    );
    let done = run("wraps", &[], "Then(x, y)").expect("it derives");
    assert_eq!(text(&done), "Block(W(x), W(y))");
}

#[test]
fn every_occurrence_is_a_node_with_an_origin() {
    let done = run("unroll", &[], "Loop(3, g(k, f(A)))").expect("it derives");
    assert_eq!(text(&done), "Then(g(0, f(A)), g(1, f(A)), g(2, f(A)))");
    let mut ids: Vec<Id> = done.terms.subterms(done.root).collect();
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
    let origin: Origin = done.terms.origin(done.root);
    assert_eq!(origin.step, Some(1));
    assert!(origin.span.is_some());
}

#[test]
fn cycles_end_at_the_bound_and_name_their_rules() {
    let refused = run("endless", &[], "f(p)")
        .err()
        .expect("the bound is reached");
    assert_eq!(refused[0].code, "E0320");
    assert!(refused[0].message.contains("`round`") && refused[0].message.contains("`trip`"));
}

/// What derivations may do by themselves grows with the term; one that only makes its term larger is ended.
#[test]
fn bounds_grow_with_the_term_and_not_with_what_is_made_of_it() {
    let functors: Vec<String> = (0..12).map(|i| format!("f{i}")).collect();
    let next = functors.windows(2).map(|pair| {
        let [from, to] = [&pair[0], &pair[1]];
        format!("#@rule(from_{from})\n{from}($x) -> {to}($x);\n")
    });
    let rules = next.collect::<String>()
        + "#@rule(last)\nf11($x) -> done($x);\n#@rule(more)\nstart($x) -> start(s($x));\n\
           strategy all = repeat(once(last)";
    let rules = functors[..11]
        .iter()
        .fold(rules, |rules, f| format!("{rules} <+ once(from_{f})"))
        + ")\nstrategy grow = repeat(once(more))\n";
    let bound = || Bound {
        steps: None,
        until: None,
        stop: None,
    };
    let derived = |strategy: &str, term: &str| {
        run_within(&rules, strategy, &[], term, &mut Facts::default(), bound())
    };
    let wide = format!("Then({})", vec!["f0(a)"; 2000].join(", "));
    let done = derived("all", &wide).expect("it ends");
    assert_eq!(done.derivation.steps.len(), 24_000);
    let refused = derived("grow", "start(a)")
        .err()
        .expect("a bound is reached");
    assert_eq!(refused[0].code, "E0320");
    assert!(refused[0].message.contains("still grows"));
}

#[test]
fn steps_of_a_part_that_fails_are_undone() {
    let done = run("undone", &[], "f(p)").expect("it runs");
    assert_eq!(text(&done), "f(p)");
    assert!(done.derivation.steps.is_empty() && done.failure.is_none());
}

/// The last step under `not` is only asked about; what is told is as if it were taken and undone, like those before it.
#[test]
fn what_not_asks_about_is_left_as_it_is() {
    let cases = [
        ("not(once(round))", "f(p)", false),
        ("not(once(round))", "f(q)", true),
        ("not(not(once(round)))", "f(p)", true),
        ("not(not(not(once(round))))", "f(p)", false),
        ("not(not(once(round); once(trip)))", "f(p)", true),
        ("not(once(round); once(round))", "f(p)", true),
        ("not(once(round); once(round))", "f(p, p)", false),
        ("not(once(trip) <+ once(round))", "f(p)", false),
        ("not(not(try(once(round)); once(trip)))", "f(p)", true),
        (
            "not(once(round); try(once(trip)); once(trip))",
            "f(p)",
            true,
        ),
        ("not(repeat(once(round)); once(round))", "f(p, p)", true),
        ("not(topdown(try(round)); once(round))", "f(p, p)", true),
        ("not(all(round))", "f(p, q)", true),
        ("not(all(round))", "f(p, p)", false),
        ("not(at(g, once(round)))", "f(p, g(q))", true),
        ("not(at(g, once(round)))", "f(p, g(q), g(p))", false),
        ("not(when(1 == 2, once(round)) <+ once(trip))", "f(p)", true),
        ("not(twice)", "f(p)", true),
        ("not(twice)", "f(p, p)", false),
        ("not(once(spread; round))", "Then(a, b)", false),
        ("not(once(spread; trip))", "Then(a, b)", true),
    ];
    for (strategy, term, succeeds) in cases {
        let rules = format!(
            "#@rule(round) p -> q;\n#@rule(trip) q -> p;\n#@rule(spread) a -> Then(c, p);\n\
             strategy twice = once(round); once(round);\nstrategy tried = {strategy}"
        );
        let mut host = Facts::default();
        let done = run_with(&rules, "tried", &[], term, &mut host);
        let done = done.unwrap_or_else(|d| panic!("{strategy}: {d:#?}"));
        assert_eq!(done.failure.is_none(), succeeds, "{strategy} of {term}");
        assert_eq!(text(&done), term, "{strategy}");
        assert!(done.derivation.steps.is_empty(), "{strategy}");
    }
    let rules = "#@rule(round) p -> q;\nstrategy tried = not(not(once(round)))";
    let mut host = Facts::default();
    run_with(rules, "tried", &[], "f(p)", &mut host).expect("it runs");
    assert_eq!(host.rechecks, 1, "the term that is given is checked");
}

#[test]
fn what_not_finds_is_told() {
    let rules = "#@rule(round) p -> q;\nstrategy tried = not(once(round))";
    let done = run_with(rules, "tried", &[], "f(p)", &mut Facts::default()).expect("it runs");
    let failure = done.failure.expect("it fails");
    let hint = failure.hint.expect("a hint");
    assert_eq!(hint, "`once(round)` can be done there");
}

#[test]
fn a_rule_is_blamed_for_a_term_that_does_not_check() {
    let text = "#@rule(bad) good -> broken";
    let mut host = Facts {
        refuse: Some("broken"),
        ..Facts::default()
    };
    let refused = run_with(text, "bad", &[], "f(good)", &mut host)
        .err()
        .expect("it is refused");
    assert_eq!(refused[0].code, "E0330");
    assert!(refused[0].message.contains("`bad`, step 1"));
    assert_eq!(refused[1].code, "E0201");
}

#[test]
fn functions_without_a_value_stop_a_rule() {
    let rules = "#@rule(r) a -> b where ($v <- never(x), $w <- never(y)) ;
                #@rule(q) a [ False ] -> f($v, $v) where ($v <- never(x)) ;
                #@rule(s) a -> f($v) where ($v <- never(x)) ;
                #@rule(all) g($x) -> h($ys..) let ($ys.. <- atoms($x));
                strategy both = try(s); q <+ r";
    let done = run_with(rules, "both", &[], "a", &mut Facts::default()).expect("it runs");
    assert_eq!(text(&done), "b");
    let reasons: Vec<String> = done
        .derivation
        .near_misses
        .iter()
        .map(|m| m.reason())
        .collect();
    assert_eq!(reasons, ["`s` was stopped: there is no such thing here"]);
    let done = run_with(rules, "all", &[], "g(f(x, y))", &mut Facts::default()).expect("it runs");
    assert_eq!(text(&done), "h(x, y)");
}

#[test]
fn derivations_are_saved_and_read() {
    let done = run(
        "gpu",
        &[],
        "Then(ForLoop(i, 0, N, A), ForLoop(j, 0, M, f(carried)))",
    )
    .expect("it derives");
    let json = serde_json::to_string(&done.derivation).expect("it is data");
    let read: glushkov::rewrite::Derivation = serde_json::from_str(&json).expect("it reads back");
    assert_eq!(read, done.derivation);
}

#[test]
fn wrong_strategies_are_refused() {
    let cases = [
        "#@rule(kernel) a -> b; strategy s = kernal",
        "strategy s = t; strategy t = try(u) strategy u = once(s)",
        "#@rule(r) a -> b; strategy s = r(threads = 1)",
        "#@rule(r) #@param(n, 1) a -> $n; strategy s(m: 5..3 = 4) = r(n = k)",
        "#@rule(r) a -> b; #@rule(r) b -> c; strategy r = id",
        "strategy s = (id; fail",
        "strategy s = at(id)",
    ];
    let mut out = String::new();
    for case in cases {
        let (sources, base) = rules(case);
        out.push_str(&format!("=== {case}\n"));
        for diagnostic in base.err().expect("it is refused") {
            out.push_str(&render(&diagnostic, &sources, false));
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn deep_and_wide_terms_are_traversed() {
    let deep = format!("{}p{}", "f(".repeat(10_000), ")".repeat(10_000));
    let wide = format!("Then({}p)", "g(a), ".repeat(50_000));
    for term in [deep, wide] {
        glushkov::term::with_deep_stack(|| {
            for strategy in ["everywhere", "round", "inside"] {
                let text = "#@rule(round) p -> q; strategy everywhere = topdown(round)
                            strategy inside = innermost(round)";
                let done = run_with(text, strategy, &[], &term, &mut Facts::default());
                let done = done.unwrap_or_else(|d| panic!("{d:?}"));
                assert_eq!(done.derivation.steps.len(), 1);
            }
        });
    }
}
