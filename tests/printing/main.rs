//! Whatever tree: its text and its formula, in each language, and its term are read back as the same tree.

mod given;
mod trees;

use given::*;
use glushkov::algebra::{Construct, Language};
use glushkov::flowgraph::{graph_of, scheme_of};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::rules::{print_term, read_term};
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Sources, Symbol, Terms};
use proptest::prelude::*;
use trees::*;
type Definition = (Vec<(String, bool)>, Tree, bool);

/// Definitions with formals `p0`, `p1`, …
fn definitions() -> impl Strategy<Value = Vec<Definition>> {
    let pieces = || prop::collection::vec((nasty(), any::<bool>()), 1..3);
    prop::collection::vec(
        prop_oneof![
            (pieces(), operator(), Just(false)),
            (pieces(), expression(), Just(true)),
        ],
        0..3,
    )
}

fn scheme(terms: &mut Terms, title: &str, data: &[Tree], body: &Tree, where_: &[Definition]) -> Id {
    let title = terms.text(Symbol::new(title));
    let items: Vec<Id> = data.iter().map(|d| make(terms, d)).collect();
    let data = terms.apply(Construct::Data.symbol(), &items);
    let body = make(terms, body);
    let mut parts = vec![title, data, body];
    let mut all = Vec::new();
    for (pieces, body, is_test) in where_ {
        let mut k = 0;
        let pieces: Vec<(String, Vec<Tree>)> = pieces
            .iter()
            .map(|(text, formal)| {
                let group = formal.then(|| Name(format!("p{k}"))).into_iter().collect();
                k += 1;
                (text.clone(), group)
            })
            .collect();
        let (name, formals) = words(terms, &pieces);
        let formals = terms.apply(Construct::Formals.symbol(), &formals);
        let body = make(terms, body);
        let construct = if *is_test {
            Construct::DefineTest
        } else {
            Construct::Define
        };
        all.push(terms.apply(construct.symbol(), &[name, formals, body]));
    }
    if !all.is_empty() {
        parts.push(terms.apply(Construct::Where.symbol(), &all));
    }
    terms.apply(Construct::Scheme.symbol(), &parts)
}

/// `SCHEMES=10000 cargo test --release --test printing` tries more of them.
fn cases() -> u32 {
    let asked = std::env::var("SCHEMES").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn a_tree_is_read_back(
        title in nasty(),
        data in prop::collection::vec(item(), 0..3),
        body in operator(),
        where_ in definitions(),
    ) {
        let mut terms = Terms::new();
        let root = scheme(&mut terms, &title, &data, &body, &where_);
        let forms = [
            (Notation::Text, "printed.saa"),
            (Notation::Formula, "printed.saaf"),
            (Notation::Typed, "printed.saaf"),
        ];
        for (language, (notation, name)) in
            Language::ALL.into_iter().flat_map(|l| forms.map(|f| (l, f)))
        {
            let style = Style { notation, language, comments: false };
            let printed = print(&terms, root, style);
            let mut sources = Sources::default();
            let file = sources.add(name, printed.clone());
            let mut again = Terms::new();
            let (items, errors) = read_file(&sources, file, &mut again);
            prop_assert!(errors.is_empty(), "{}\n{:?}", printed, errors);
            prop_assert!(
                items.len() == 1 && terms.equal_across(root, &again, items[0]),
                "{}\n{}\n{}",
                printed, print_term(&terms, root), print_term(&again, items[0])
            );
        }
        // From the formula to the graph, and back to the text.
        let mut again = terms.clone();
        let graph = graph_of(&mut again, root);
        let style = Style { notation: Notation::Text, language: Language::Russian, comments: false };
        let printed = print(&again, graph, style);
        let mut sources = Sources::default();
        let file = sources.add("printed.saag", printed.clone());
        let mut again = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut again);
        prop_assert!(errors.is_empty() && items.len() == 1, "{}\n{:?}", printed, errors);
        let back = scheme_of(&mut again, items[0]);
        let back = back.map_err(|e| TestCaseError::fail(format!("{printed}: {e:?}")))?;
        prop_assert!(
            terms.equal_across(root, &again, back),
            "{}\n{}\n{}",
            printed, print_term(&terms, root), print_term(&again, back)
        );
        let printed = print_term(&terms, root);
        let mut again = Terms::new();
        let same = read_term(&mut again, 0, &printed);
        let same = same.map_err(|d| TestCaseError::fail(format!("{printed}: {d:?}")))?;
        prop_assert!(terms.equal_across(root, &again, same), "{}", printed);
    }

    #[test]
    fn a_family_is_read_back(
        data in prop::collection::vec(given_item(), 0..3),
        body in given_operator(),
        where_ in prop::collection::vec(given_definition(), 1..3),
    ) {
        let mut terms = Terms::new();
        let title = Text("Family {k}".to_owned());
        let parts = vec![title, Node(Construct::Data, data), body, Node(Construct::Where, where_)];
        let root = make(&mut terms, &Node(Construct::Scheme, parts));
        let forms = [
            (Notation::Text, "printed.saa"),
            (Notation::Formula, "printed.saaf"),
            (Notation::Typed, "printed.saaf"),
        ];
        for (language, (notation, name)) in
            Language::ALL.into_iter().flat_map(|l| forms.map(|f| (l, f)))
        {
            let style = Style { notation, language, comments: false };
            let printed = print(&terms, root, style);
            let mut sources = Sources::default();
            let file = sources.add(name, printed.clone());
            let mut again = Terms::new();
            let (items, errors) = read_file(&sources, file, &mut again);
            prop_assert!(errors.is_empty(), "{}\n{:?}", printed, errors);
            prop_assert!(
                items.len() == 1 && terms.equal_across(root, &again, items[0]),
                "{}\n{}\n{}",
                printed, print_term(&terms, root), print_term(&again, items[0])
            );
        }
    }
}
