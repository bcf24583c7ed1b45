//! The examples of the pages are what the rules do, and each near miss is stopped by the part of
//! the condition that it names.

use glushkov::evidence::{Base, again, wrong};
use glushkov::rewrite::Shows;
use glushkov::term::Symbol;

#[test]
fn pages_show_what_the_rules_do() {
    let base = super::rules();
    let mut all = Vec::new();
    for rule in &base.base.rules {
        let cases = rule.cases();
        if !cases.iter().any(|c| matches!(c.shows, Shows::Becomes(_))) {
            all.push(format!("{}: there is no example", rule.name));
        }
        for (i, case) in cases.iter().enumerate() {
            let found = wrong(&base, rule, case);
            all.extend(found.map(|w| format!("{}, case {}: {w}", rule.name, i + 1)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}

#[test]
fn the_page_on_writing_rules_shows_a_rule_that_does_what_it_says() {
    let page = std::fs::read_to_string("docs/writing-rules.md").expect("a page");
    let (_, rest) = page.split_once("```rules\n").expect("a rule");
    let (rule, _) = rest.split_once("```").expect("its end");
    let base = Base::with(&[("own.rules".to_owned(), rule.to_owned())]).expect("rules");
    let rule = base.base.rule(Symbol::new("backwards")).expect("a rule");
    let cases = rule.cases();
    assert_eq!(cases.len(), 3);
    for case in &cases {
        assert_eq!(wrong(&base, rule, case), None);
    }
    assert_eq!(again(&base, rule), rule.again);
}
