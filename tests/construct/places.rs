//! What places take, and what the constructor says of them.

use glushkov::algebra::{Language, TABLE};
use glushkov::construct::{Asked, Choice, Constructor, Form, Wants};
use glushkov::derive::library::OPERATORS;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};

/// A scheme with what texts put, each at the first place that takes it.
fn built(texts: &[(u32, &str)]) -> (Constructor, Sources) {
    let operators: Vec<(String, String)> = OPERATORS
        .iter()
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    let (mut scheme, mut sources) = (Constructor::new("s", &operators), Sources::default());
    for &(place, text) in texts {
        let choice = scheme.typed(place, text, &mut sources);
        let choice = choice.unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let done = scheme.apply(place, &choice);
        done.unwrap_or_else(|e| panic!("{text}: {e:?}"));
    }
    (scheme, sources)
}

fn offered(scheme: &mut Constructor, place: u32) -> Vec<String> {
    let offers = scheme.offers(place, Asked::default());
    offers.into_iter().map(|offer| offer.text).collect()
}

#[test]
fn offers_are_what_the_check_lets_pass() {
    let data =
        "N : INTEGER := 4; x : REAL [N] INPUT OUTPUT; e : REAL; fixed : REAL INPUT; w : VECTOR";
    let (mut scheme, _) = built(&[(1, data)]);
    let on_host = offered(&mut scheme, 2);
    for wanted in [
        "EMPTY",
        "… := …",
        "\"Sort (…)\"",
        "BARRIER",
        "\"Copy (…) to the device\"",
    ] {
        let is_there = on_host.iter().any(|text| text == wanted);
        assert_eq!(is_there, wanted != "BARRIER", "{wanted}: {on_host:?}");
    }
    let launch = scheme.offers_called(2, "CALL_GPU", Language::English);
    scheme.apply(2, &launch[0].choice).expect("a launch fits");
    let body = scheme.places().iter().find(|p| p.wants == Wants::Operator);
    let body = body.expect("its body").number;
    assert!(scheme.place(body).expect("a place").seen.in_kernel);
    let in_kernel = offered(&mut scheme, body);
    for wanted in ["BARRIER", "REPORT \"…\" (…)", "\"Copy (…) to the device\""] {
        let is_there = in_kernel.iter().any(|text| text == wanted);
        assert_eq!(is_there, wanted == "BARRIER", "{wanted}: {in_kernel:?}");
    }
    assert!(scheme.undo());
    // What is assigned is what may be; a value is of a type that fits.
    let assign = scheme.offers_called(2, "Assign", Language::English);
    scheme.apply(2, &assign[0].choice).expect("it fits");
    let [target, value] = [0, 1].map(|i| {
        let parent = glushkov::algebra::Construct::Assign;
        let mut places = scheme.places().iter();
        let found = places.find(|p| p.parent == parent && p.index == i);
        found.expect("a place").number
    });
    let targets = offered(&mut scheme, target);
    assert!(targets.contains(&"e".to_owned()) && targets.contains(&"x[…]".to_owned()));
    assert!(!targets.contains(&"N".to_owned()) && !targets.contains(&"fixed".to_owned()));
    let mut sources = Sources::default();
    let choice = scheme.typed(target, "e", &mut sources).expect("a name");
    scheme.apply(target, &choice).expect("it fits");
    let values = offered(&mut scheme, value);
    for (text, fits) in [
        ("N", true),
        ("w", false),
        ("norm(…)", true),
        ("vector(…, …, …)", false),
        ("TRUE", false),
    ] {
        assert_eq!(values.iter().any(|v| v == text), fits, "{text}: {values:?}");
    }
    assert_eq!(
        scheme.place(value).expect("a place").seen.wanted,
        Some("REAL")
    );
}

#[test]
fn every_operator_of_the_table_is_offered_somewhere() {
    let data = "N : INTEGER := 4; x : REAL [N] INPUT OUTPUT; e : REAL";
    let (mut scheme, _) = built(&[(1, data)]);
    let mut offered: Vec<String> = Vec::new();
    let mut add = |scheme: &mut Constructor, place: u32| {
        let choices = scheme.offers(place, Asked::default());
        for offer in choices {
            let Choice::Put(terms) = offer.choice else {
                continue;
            };
            let functor = scheme.term().0.functor(terms[0]);
            offered.extend(functor.map(|f| f.to_string()));
        }
    };
    add(&mut scheme, 2);
    let launch = scheme.offers_called(2, "CALL_GPU", Language::English);
    scheme.apply(2, &launch[0].choice).expect("a launch fits");
    let body = scheme.places().iter().find(|p| p.wants == Wants::Operator);
    let body = body.expect("its body").number;
    add(&mut scheme, body);
    // The check makes one of these of a declared phrase.
    let missing: Vec<&str> = (TABLE.iter())
        .filter(|row| row.sort == glushkov::algebra::Sort::Operator)
        .map(|row| row.functor)
        .filter(|f| *f != "Perform" && !offered.iter().any(|o| o == f))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_phrase_is_refined_after_it_is_used() {
    let (mut scheme, mut sources) = built(&[(1, "e : REAL"), (2, "\"Find (e)\"")]);
    let places: Vec<(Wants, u32)> = scheme
        .places()
        .iter()
        .map(|p| (p.wants, p.number))
        .collect();
    let [
        (Wants::Item, item),
        (Wants::NewName, name),
        (Wants::Operator, body),
    ] = places[..]
    else {
        panic!("{places:?}");
    };
    assert_eq!(offered(&mut scheme, name)[0], "e");
    let put = |scheme: &mut Constructor, sources: &mut Sources, place, text| {
        let choice = scheme.typed(place, text, sources)?;
        scheme.apply(place, &choice)
    };
    put(&mut scheme, &mut sources, name, "res").expect("a name");
    // Scope of the phrase: its argument, and DATA.
    let seen = &scheme.place(body).expect("a place").seen;
    let names: Vec<&str> = seen.names.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["res", "e"]);
    let refused = put(&mut scheme, &mut sources, body, "other := 1");
    assert_eq!(refused.expect_err("it is not declared")[0].code, "E0201");
    let refused = put(&mut scheme, &mut sources, body, "\"Find (res)\"");
    assert_eq!(refused.expect_err("by itself")[0].code, "E0206");
    put(&mut scheme, &mut sources, body, "res := 1").expect("it fits");
    scheme.apply(item, &Choice::Nothing).expect("no more data");
    assert!(scheme.is_finished());
    // What is used cannot be taken out; what is not used is.
    let refused = scheme.remove(1).expect_err("it is used");
    assert_eq!(refused[0].code, "E0201");
    scheme.remove(2).expect("the call");
    assert!(scheme.scheme(Form::Text, Language::English).contains("…2"));
    assert!(scheme.undo() && scheme.is_finished());
    scheme.remove(body).expect("the definition");
    scheme.remove(2).expect("the call");
    assert!(
        !scheme
            .scheme(Form::Text, Language::English)
            .contains("WHERE")
    );
}

#[test]
fn a_phrase_may_stay_basic_or_be_declared() {
    let (mut scheme, mut sources) = built(&[(1, "e : REAL"), (2, "\"Find (e)\"")]);
    let body = scheme.places()[2].number;
    scheme.apply(body, &Choice::Basic).expect("it stays basic");
    assert_eq!(scheme.places().len(), 1);
    assert!(scheme.undo());
    let name = scheme.places()[1].number;
    let choice = scheme.typed(name, "res", &mut sources).expect("a name");
    scheme.apply(name, &choice).expect("it fits");
    let declaration = "BASIC (res : REAL) WRITES res END OF BASIC";
    let choice = scheme
        .typed(body, declaration, &mut sources)
        .expect("it is read");
    scheme.apply(body, &choice).expect("it fits");
    let text = scheme.scheme(Form::Text, Language::English);
    assert!(text.contains("WRITES res"), "{text}");
    // Arguments have different names.
    let (mut other, mut sources) = built(&[(1, "e : REAL"), (2, "\"Find (e, 1)\"")]);
    let [first, second] = [1, 2].map(|i| other.places()[i].number);
    let choice = other.typed(first, "a", &mut sources).expect("a name");
    let early = other.typed(other.places()[3].number, "BASIC END OF BASIC", &mut sources);
    assert_eq!(early.expect_err("no names yet")[0].code, "E0366");
    other.apply(first, &choice).expect("it fits");
    let refused = other.apply(second, &choice).expect_err("another has it");
    assert_eq!(refused[0].code, "E0109");
    let code = "BASIC (res : REAL) WRITES res CODE rust ``` boom ``` END OF BASIC";
    assert!(scheme.undo());
    let refused = scheme.typed(body, code, &mut sources).expect_err("code");
    assert_eq!(refused[0].code, "E0227");
}

#[test]
fn no_form_of_an_unfinished_scheme_is_taken_for_finished() {
    let (mut scheme, _) = built(&[(1, "e : REAL")]);
    for form in [
        Form::Text,
        Form::Formula,
        Form::Graph,
        Form::Latex,
        Form::Term,
    ] {
        let text = scheme.scheme(form, Language::Ukrainian);
        assert!(text.contains('…'), "{text}");
        for name in ["s.saa", "s.saaf", "s.saag"] {
            let mut sources = Sources::default();
            let file = sources.add(name, text.clone());
            let (_, errors) = read_file(&sources, file, &mut Terms::new());
            assert!(!errors.is_empty(), "{text}");
        }
    }
}
