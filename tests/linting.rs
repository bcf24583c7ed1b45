//! What is told of rule files: findings in files of `tests/lint`, and that "ends" and "meet" are so.

use glushkov::derive::lint_schemes;
use glushkov::diagnostic::render;
use glushkov::rewrite::{Ends, Rewriting, RuleBase, lint, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

fn found(name: &str) -> String {
    let text = std::fs::read_to_string(format!("tests/lint/{name}.rules")).expect("a file");
    let mut sources = Sources::default();
    let file = sources.add(format!("{name}.rules"), text);
    let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
    let mut report = lint(&base, &[file]);
    report.findings.extend(lint_schemes(&base, &[file]));
    report.findings.sort_by_key(|d| d.span);
    let mut shown = String::new();
    for finding in &report.findings {
        shown.push_str(&render(finding, &sources, false));
    }
    for set in &report.sets {
        let overlaps = set.overlaps.as_ref().map(|o| o.text()).unwrap_or_default();
        let ends = set.ends.text(&base);
        shown.push_str(&format!("{}: {ends}; {overlaps}\n", set.name));
    }
    shown
}

#[test]
fn what_deserves_a_look_is_told() {
    insta::assert_snapshot!(found("findings"));
}

#[test]
fn what_deserves_a_look_in_predicates_is_told() {
    insta::assert_snapshot!(found("predicates"));
}

#[test]
fn systems_that_end_are_known_to() {
    insta::assert_snapshot!(found("ending"));
}

/// A random system over a few functors, as text.
fn system(random: &mut Pcg64) -> String {
    let mut rules = Vec::new();
    for _ in 0..1 + random.next_u64() % 4 {
        let mut variables = Vec::new();
        let left = loop {
            variables.clear();
            let left = term(random, 3, &mut variables, true);
            if !left.starts_with('$') {
                break left;
            }
        };
        let right = term(random, 3, &mut variables, false);
        rules.push(format!("{left} -> {right}"));
    }
    format!(
        "system(S, default, ruleset({}), FirstTop);",
        rules.join("; ")
    )
}

/// A random term; new variables stand in it where they may.
fn term(random: &mut Pcg64, depth: u32, variables: &mut Vec<String>, new: bool) -> String {
    let mut pick = |n: u64| random.next_u64() % n;
    let kind = if depth == 0 { pick(3) } else { pick(7) };
    match kind {
        0 => "a".to_owned(),
        1 => "b".to_owned(),
        2 if new => {
            let name = format!("$x{}", pick(3));
            if !variables.contains(&name) {
                variables.push(name.clone());
            }
            name
        }
        2 => match variables.len() as u64 {
            0 => "c".to_owned(),
            n => variables[pick(n) as usize].clone(),
        },
        3 => format!("f({})", term(random, depth - 1, variables, new)),
        4 => format!("g({})", term(random, depth - 1, variables, new)),
        _ => {
            let left = term(random, depth - 1, variables, new);
            format!("h({left}, {})", term(random, depth - 1, variables, new))
        }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
enum Run {
    Normal(String),
    /// The bound on steps was reached.
    GoesOn,
    /// The normal form is too large to be looked at.
    Large,
}

fn normal(base: &RuleBase, sources: &mut Sources, text: &str, strategy: &str) -> Run {
    let term = sources.add("term", text);
    let options = Rewriting {
        strategy: Some(strategy),
        steps: 200,
        ..Rewriting::default()
    };
    match run_rewrite(base, sources, term, &options) {
        Ok(done) if done.exit_code() != 0 => Run::GoesOn,
        // Shared terms may be much larger than what they are made of.
        Ok(done) if done.terms.subterms(done.root).take(10_000).count() < 10_000 => {
            Run::Normal(print_term_flat(&done.terms, done.root))
        }
        _ => Run::Large,
    }
}

#[test]
fn what_is_said_to_end_ends_and_what_is_said_to_meet_meets() {
    let count = std::env::var("SYSTEMS").ok().and_then(|n| n.parse().ok());
    let (mut ended, mut met, mut endless) = (0, 0, 0);
    for seed in 0..count.unwrap_or(3_000) {
        let mut random = Pcg64::seed_from_u64(seed);
        let text = system(&mut random);
        let mut sources = Sources::default();
        let file = sources.add("system", text.clone());
        let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
        let report = lint(&base, &[file]);
        let set = &report.sets[0];
        let overlaps = set.overlaps.as_ref().expect("of a system");
        let ends = matches!(set.ends, Ends::Yes(_));
        let meets = overlaps.meeting == overlaps.all && overlaps.unseen == 0;
        for _ in 0..4 {
            let start = term(&mut random, 4, &mut Vec::new(), false);
            let [top, inner] = ["FirstTop", "BottomTop"]
                .map(|strategy| normal(&base, &mut sources, &start, strategy));
            if ends {
                let goes_on = top == Run::GoesOn || inner == Run::GoesOn;
                assert!(!goes_on, "{text}: {start}");
                ended += 1;
                if meets {
                    assert_eq!(top, inner, "{text}: {start}");
                    met += 1;
                }
            } else if top == Run::GoesOn || inner == Run::GoesOn {
                endless += 1;
            }
        }
    }
    println!("{ended} runs that end, {met} that meet, {endless} without end");
    assert!(ended > 1_000 && met > 500 && endless > 100);
}

/// A term that is shared again and again is larger than any memory, written out.
#[test]
fn a_bound_ends_a_run_whose_terms_grow_by_sharing() {
    let text = "system(S, default, ruleset(f($x) -> f(h($x, f($x)))), TopDown);";
    for strategy in ["FirstTop", "TopDown", "BottomTop"] {
        let mut sources = Sources::default();
        let file = sources.add("system", text);
        let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
        let term = sources.add("term", "f(f(a))");
        let options = Rewriting {
            strategy: Some(strategy),
            steps: 100,
            ..Rewriting::default()
        };
        match run_rewrite(&base, &sources, term, &options) {
            Ok(done) => assert_eq!(done.exit_code(), 1, "{strategy}"),
            Err(told) => assert_eq!(told[0].code, "E0322", "{strategy}"),
        }
    }
}

#[test]
fn many_rules_are_not_compared_with_each_other() {
    let rules: Vec<String> = (0..1_001)
        .map(|i| format!("f{i}($x) -> f{}($x)", i + 1))
        .collect();
    let text = format!(
        "system(S, default, ruleset({}), FirstTop);",
        rules.join("; ")
    );
    let mut sources = Sources::default();
    let file = sources.add("system", text);
    let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
    assert_eq!(lint(&base, &[file]).sets[0].ends, Ends::TooMany);
}
