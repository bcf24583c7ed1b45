//! Laws hold on the reference machine, and what is none is found.

use glushkov::evidence::{Base, held};
use glushkov::rewrite::{Law, Rule};
use glushkov::term::Symbol;

/// The laws of the rule base.
fn laws(base: &Base) -> impl Iterator<Item = &Rule> {
    base.base.rules.iter().filter(|r| r.law.is_some())
}

#[test]
fn laws_hold_on_the_reference_machine() {
    let base = super::rules();
    for rule in laws(&base) {
        let count = held(&base, rule, 100);
        assert!(count.is_ok_and(|n| n >= 10), "{}: {count:?}", rule.name);
    }
    assert!(laws(&base).filter(|r| r.law == Some(Law::Tested)).count() >= 12);
}

#[test]
fn false_laws_do_not_hold() {
    for rule in [
        "After(Then($A, $B), $u) -> After($B, After($A, $u));",
        "After($A, $u) -> $u;",
        "After(If($v, $A, $B), $u) -> And(After($A, $u), After($B, $u));",
        "Then($C, If($u, $A, $B)) -> If($u, Then($C, $A), Then($C, $B));",
        "Async($A, $B) -> $A;",
    ] {
        let text = format!("#@rule(wrong) #@law(tested) {rule}");
        let base = Base::with(&[("wrong.rules".to_owned(), text)]).expect("rules");
        let wrong = base.base.rule(Symbol::new("wrong")).expect("a rule");
        assert!(held(&base, wrong, 200).is_err(), "{rule}");
    }
}
