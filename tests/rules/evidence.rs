//! All evidence for each rule, as a table in `docs/rules.md`.

use super::strategies::{FEW, applied};
use glushkov::evidence::{Base, Check, Effort, Evidence, Found, evidence, finds};
use glushkov::rewrite::{Law, Rule};
use glushkov::toolchain::testing::in_campaign;
use std::collections::BTreeMap;
use std::panic::resume_unwind;

/// The heading of the table; what stands before it is made by `tests/documents.rs`.
const HEADING: &str = "\n## Evidence\n";

const EFFORT: Effort = Effort {
    tries: 200,
    mutants: true,
};
/// Random schemes that whole strategies are tried on.
const SCHEMES: u64 = 600;

/// What is wrong with a rule, in words.
fn told(evidence: Evidence) -> Vec<String> {
    evidence.wrong.into_iter().map(|w| w.what).collect()
}

/// With RULE=NAME, only what is wrong with the rules whose names begin so, while they are written.
fn of_some(base: &Base, prefix: &str) {
    let in_strategies = applied(base, SCHEMES);
    let rules = base.base.rules.iter();
    let mut wrong = Vec::new();
    for rule in rules.filter(|r| r.name.as_str().starts_with(prefix)) {
        let found = evidence(base, rule, EFFORT);
        let killed: usize = found.mutants.values().sum();
        let applied = in_strategies.get(rule.name.as_str()).unwrap_or(&0);
        println!(
            "{}: {} random, {applied} in strategies, {killed} mutants {:?}",
            rule.name, found.random, found.mutants
        );
        wrong.extend(told(found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A part of the evidence, for tests that one waits for.
fn of_some_rules(base: &Base) {
    let some: Vec<&Rule> = base.base.rules.iter().step_by(15).collect();
    assert!(some.len() > 5);
    let wrong = |rule: &Rule| told(evidence(base, rule, EFFORT));
    let wrong: Vec<String> = some.into_iter().flat_map(wrong).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_rule_has_its_evidence() {
    let base = super::rules();
    if let Ok(prefix) = std::env::var("RULE") {
        return of_some(&base, &prefix);
    }
    if !in_campaign() {
        return of_some_rules(&base);
    }
    let names: Vec<&str> = base.base.rules.iter().map(|r| r.name.as_str()).collect();
    // Each thread loads the rules itself, and takes every second one.
    let (in_strategies, mut all) = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2)
            .map(|worker| {
                scope.spawn(move || {
                    let base = super::rules();
                    let rules = base.base.rules.iter().enumerate();
                    let own = rules.filter(|(i, _)| i % 2 == worker);
                    own.map(|(i, rule)| (i, evidence(&base, rule, EFFORT)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let in_strategies = applied(&base, SCHEMES);
        let all: BTreeMap<usize, Evidence> = workers
            .into_iter()
            .flat_map(|w| w.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect();
        (in_strategies, all)
    });
    let mut wrong = Vec::new();
    let mut table = String::from(HEADING);
    table.push_str(ABOUT);
    let mut total = [0, 0];
    for (i, rule) in base.base.rules.iter().enumerate() {
        let Evidence {
            examples,
            shown_misses,
            made_misses,
            random,
            again,
            mutants,
            wrong: own,
        } = all.remove(&i).expect("every rule");
        wrong.extend(own.iter().map(|w| format!("{}: {}", rule.name, w.what)));
        let strategies = in_strategies.get(names[i]).copied().unwrap_or(0);
        let finder = finds(&base, rule);
        if examples == 0 || shown_misses + made_misses == 0 {
            wrong.push(format!("{}: no example, or no near miss", rule.name));
        }
        if finder && strategies > 0 || !finder && random + strategies < FEW {
            wrong.push(format!(
                "{}: {random} and {strategies} random schemes",
                rule.name
            ));
        }
        let count = |found| mutants.get(&found).copied().unwrap_or(0);
        let killed: usize = mutants.values().sum();
        let unfound = own.iter().filter(|w| w.by == Check::Mutant).count();
        total = [total[0] + killed, total[1] + killed + unfound];
        let proof = match rule.law {
            Some(Law::Decided) => "decided".to_owned(),
            Some(Law::Tested) => "tested".to_owned(),
            None => "by its condition".to_owned(),
        };
        let random = match finder {
            true => "only finds".to_owned(),
            false => format!("{random} + {strategies}"),
        };
        table.push_str(&format!(
            "| `{}` | {proof} | {examples} | {shown_misses} + {made_misses} | {random} | {} | {killed} of {}: {}, {}, {}, {} |\n",
            rule.name,
            again.name(),
            killed + unfound,
            count(Found::Load),
            count(Found::Example),
            count(Found::NearMiss),
            count(Found::Random),
        ));
    }
    table.push_str(&format!(
        "\n{} of {} mutants are found.\n",
        total[0], total[1]
    ));
    println!("{table}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let page = std::fs::read_to_string("docs/rules.md").expect("a page");
    let before = page.split(HEADING).next().expect("a part");
    let wanted = format!("{before}{table}");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write("docs/rules.md", wanted).expect("it can be written");
    } else {
        assert!(
            page == wanted,
            "docs/rules.md is out of date: UPDATE=1 cargo test --release --test rules"
        );
    }
}

const ABOUT: &str = "
Tests make this table from the rules' own files (`tests/rules`), and fail where a cell would be
empty, a random scheme does something else afterwards, or a mutant is not found.

- **sound**: by what its two sides are compared. A law is decided, or tested on random operands; any
  other rule fires only where its condition is shown to hold.
- **examples** of the rule's page are what the rule does.
- **near misses**: those of the page, each stopped by the part of the condition that it names, and
  those made from the pattern of a rule without condition by changing one place of it.
- **random**: random operands of a law, or random schemes that the pattern was made into, with the same
  results before and after on the reference machine, which looks for races and for memory that is
  not there; and random schemes in whose derivation by a strategy the rule was applied.
  What makes no result is used under `not` only, and *only finds*.
- **again**: what a second pass from top to bottom does to the examples.
- **mutants**: the rule with one part of its condition dropped or negated, a number moved by one, a
  name of its result exchanged, or another result. Found when loaded (a false law, a variable without
  value), by an example, by a near miss, by random schemes.

| rule | sound | examples | near misses | random | again | mutants |
|---|---|---|---|---|---|---|
";
