//! What is equal and what is not, and what tells it apart.

use super::*;
use crate::algebra::operator;
use crate::syntax::rules::read_term;

fn pair(first: &str, second: &str) -> (Terms, Id, Id) {
    let mut terms = Terms::new();
    let a = read_term(&mut terms, 0, first).expect("a term");
    let b = read_term(&mut terms, 0, second).expect("a term");
    (terms, a, b)
}

fn of(terms: &Terms, a: Id, b: Id) -> Comparison {
    compare(Side { terms, root: a }, Side { terms, root: b }).expect("small enough")
}

fn equal(first: &str, second: &str) -> bool {
    let (terms, a, b) = pair(first, second);
    let found = of(&terms, a, b).is_equal();
    assert_eq!(of(&terms, b, a).is_equal(), found, "{first} and {second}");
    found
}

fn trace(first: &str, second: &str) -> String {
    let (terms, a, b) = pair(first, second);
    let show = |place: Place| {
        let (Place::First(id) | Place::Second(id)) = place;
        crate::syntax::rules::print_term_flat(&terms, id)
    };
    let trace = of(&terms, a, b).trace.expect("different");
    trace.lines(&show, ["one", "two"]).join(" ")
}

#[test]
fn failure_and_endless_repetition_are_one() {
    assert!(equal("While(True, Call(\"A\"))", "Undefined"));
    assert!(equal("Then(Call(\"A\"), Undefined)", "Undefined"));
    assert!(equal(
        "While(Test(\"u\"), Empty)",
        "Filter(Not(Test(\"u\")))"
    ));
    assert!(equal(
        "While(Test(\"u\"), Undefined)",
        "Filter(Not(Test(\"u\")))"
    ));
    assert!(!equal(
        "While(Test(\"u\"), Call(\"A\"))",
        "Filter(Not(Test(\"u\")))"
    ));
}

#[test]
fn loops_in_loops_begin_again() {
    let nested = "While(Test(\"u\"), While(Test(\"v\"), Call(\"A\")))";
    let flat = "While(Test(\"u\"), Then(Filter(Test(\"v\")), While(Test(\"v\"), Call(\"A\"))))";
    assert!(equal(nested, flat));
    let inside = "While(Test(\"u\"), Then(Call(\"B\"), While(Test(\"u\"), Call(\"A\"))))";
    let choice = "While(Test(\"u\"), Then(Call(\"B\"), If(Test(\"u\"), While(Test(\"u\"), Call(\"A\")), Empty)))";
    assert!(equal(inside, choice));
    assert!(!equal(inside, "While(Test(\"u\"), Call(\"A\"))"));
}

#[test]
fn loops_over_numbers_are_equal_where_their_bodies_are() {
    let one = "ForLoop(i, 0, N, If(Less(i, k), Assign(Index(x, i), 0), Assign(Index(x, i), 1)))";
    let two =
        "ForLoop(j, 0, N, If(Not(Less(j, k)), Assign(Index(x, j), 1), Assign(Index(x, j), 0)))";
    assert!(equal(one, two));
    assert!(!equal(one, &two.replace('N', "M")));
    let nested = "ForLoop(i, 0, N, ForLoop(j, 0, i, Assign(Index(x, i, j), 0)))";
    assert!(equal(
        nested,
        "ForLoop(a, 0, N, ForLoop(b, 0, a, Assign(Index(x, a, b), 0)))"
    ));
    assert!(!equal(
        nested,
        "ForLoop(a, 0, N, ForLoop(b, 0, a, Assign(Index(x, b, a), 0)))"
    ));
    // Kernels and branches at once are equal as terms only, whatever the names in them.
    let kernel = "Parallel(i, 0, N, Then(Local(t, REAL, 0), Assign(Index(x, i), t)))";
    assert!(equal(
        kernel,
        "Parallel(k, 0, N, Then(Local(s, REAL, 0), Assign(Index(x, k), s)))"
    ));
}

#[test]
fn variables_have_any_names() {
    let with = |a: &str, b: &str| {
        format!(
            "Then(Local({a}, REAL, 1), If(Test(\"u\"), Then(Local({b}, REAL, {a}), Assign(y, {b})), Empty), Assign(z, {a}))"
        )
    };
    assert!(equal(&with("a", "b"), &with("p", "q")));
    // An inner one hides an outer one of the same name.
    assert!(equal(&with("a", "b"), &with("a", "a")));
    assert!(!equal(
        &with("a", "b"),
        &with("a", "b").replace("(z, a)", "(z, b)")
    ));
    // A copy of a phrase with a LOCAL, after another one and in a loop.
    let phrase = |t: &str| format!("Local({t}, REAL, x), Assign(x, Times({t}, {t}))");
    let again = format!("While(Less(x, 9), Then({}))", phrase("t"));
    let unrolled = format!(
        "If(Less(x, 9), Then({}, While(Less(x, 9), Then({}))), Empty)",
        phrase("t"),
        phrase("t_2")
    );
    assert!(equal(&again, &unrolled));
    // What is read after a scope has ended is not what was declared in it.
    let (inside, outside) = (
        "If(Test(\"u\"), Then(Local(t, REAL, 1), Call(\"A ()\", t), Call(\"B ()\", t)), Call(\"B ()\", t))",
        "Then(If(Test(\"u\"), Then(Local(t, REAL, 1), Call(\"A ()\", t)), Empty), Call(\"B ()\", t))",
    );
    assert!(!equal(inside, outside));
}

#[test]
fn comparisons_have_opposites() {
    assert!(equal(
        "If(NotEqual(x, 0), Call(\"A\"), Call(\"B\"))",
        "If(Equal(x, 0), Call(\"B\"), Call(\"A\"))"
    ));
    assert!(equal("Filter(Greater(a, b))", "Filter(Less(b, a))"));
    // Not of not-a-number.
    assert!(!equal(
        "Filter(Greater(a, b))",
        "Filter(Not(LessOrEqual(a, b)))"
    ));
    let found = trace("Filter(NotEqual(x, 0))", "Empty");
    assert_eq!(
        found,
        "where NotEqual(x, 0) does not hold, one has no result, and two stops"
    );
}

#[test]
fn traces_are_shortest_and_hold_what_matters() {
    let first = "Then(Call(\"A\"), If(And(Test(\"u\"), Test(\"v\")), Call(\"B\"), Call(\"C\")))";
    let second = "Then(Call(\"A\"), If(Test(\"u\"), Call(\"B\"), Call(\"C\")))";
    assert_eq!(
        trace(first, second),
        "both do Call(\"A\"); then, where Test(\"u\") holds and Test(\"v\") does not hold, \
         one goes on with Call(\"C\"), and two goes on with Call(\"B\")"
    );
    assert_eq!(
        trace("Then($A, $B)", "Then($B, $A)"),
        "one goes on with $A, and two goes on with $B"
    );
    assert_eq!(
        trace("While($u, $A)", "If($u, $A, Empty)"),
        "where $u holds, both do $A; then, where $u holds, one goes on with $A, and two stops"
    );
}

#[test]
fn what_is_interpreted_is_told() {
    let (terms, a, b) = pair(
        "Then(Assign(x, 1), Call(\"A ()\", x))",
        "If(Less(x, 1), Call(\"B ()\", 1 + x), Call(\"A ()\", x))",
    );
    let found = of(&terms, a, b);
    assert_eq!(found.meaning.len(), 3);
    assert!(matches!(found.meaning[0], Place::First(id) if operator(&terms, id).is_some()));
}

#[test]
fn anonymous_variables_are_different_ones() {
    assert!(!equal("If($_, $A, If($_, $B, $A))", "$A"));
    assert!(equal("If($u, $A, If($u, $B, $A))", "$A"));
}
