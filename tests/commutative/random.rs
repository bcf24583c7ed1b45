//! Random systems: against all forms of a term, and against Maude.

use crate::maude::maude;
use crate::numbers::Numbers;
use crate::running::{LAWS, ORDERS, rewritten, searched};
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Random rules and a random term.
struct Case {
    rules: Vec<(Tree, Tree)>,
    term: Tree,
    laws: &'static str,
}

impl Case {
    fn random(numbers: &mut Numbers, laws: &'static str) -> Case {
        let mut rules = Vec::new();
        while rules.len() < 3 {
            let left = Tree::random(numbers, 2, &["a", "b", "X", "Y", "X"]);
            if left.is_variable() {
                continue;
            }
            let mut leaves = vec!["a".to_owned(), "b".into(), "c".into()];
            left.variables(&mut leaves);
            let leaves: Vec<&str> = leaves.iter().map(String::as_str).collect();
            let depth = 1 + numbers.below(2);
            rules.push((left, Tree::random(numbers, depth, &leaves)));
        }
        let term = Tree::random(numbers, 3, &["a", "b", "c"]);
        Case { rules, term, laws }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "#@operator(f, {})\nsystem(T, default, ruleset(\n",
            self.laws
        );
        for (left, right) in &self.rules {
            let _ = writeln!(text, "  {left} -> {right};");
        }
        text.push_str("), FirstTop)\n");
        text
    }
}

#[test]
fn all_forms_of_a_term_are_matched() {
    const DEPTH: usize = 2;
    let mut numbers = Numbers(11);
    let (mut tried, mut reached, mut ended) = (0, 0, 0);
    while tried < 300 {
        let case = Case::random(&mut numbers, LAWS);
        let start = case.term.kept(false);
        let mut met = BTreeSet::from([start.clone()]);
        let mut last = met.clone();
        let mut too_many = false;
        for _ in 0..DEPTH {
            let next: Option<Vec<_>> = last.iter().map(|t| t.steps(&case.rules)).collect();
            let Some(next) = next else {
                too_many = true;
                break;
            };
            last = next
                .into_iter()
                .flatten()
                .filter(|t| !met.contains(t))
                .collect();
            met.extend(last.iter().cloned());
        }
        if too_many {
            continue;
        }
        tried += 1;
        reached += met.len();
        let (rules, term) = (case.text(), case.term.to_string());
        let found = searched(&rules, &term, Some("$x"), DEPTH);
        let found: BTreeSet<String> = found.into_iter().map(|(term, _)| term).collect();
        let wanted: BTreeSet<String> = met.iter().map(Tree::to_string).collect();
        assert_eq!(found, wanted, "{rules}{term}");
        for order in ORDERS {
            let (end, finished) = rewritten(&rules, &term, Some(order)).expect("a result");
            let end = Tree::read(&end);
            assert_eq!(end.kept(false), end, "{order}\n{rules}{term}");
            if finished && let Some(next) = end.steps(&case.rules) {
                assert_eq!(next, BTreeSet::new(), "{order}: {end}\n{rules}{term}");
                ended += 1;
            }
        }
    }
    assert!(reached > 600 && ended > 150, "{reached} {ended}");
}

#[test]
fn maude_reaches_the_same_terms() {
    const DEPTH: usize = 2;
    let mut numbers = Numbers(12);
    let laws = [
        (LAWS, "assoc comm"),
        ("associative, commutative, identity(e)", "assoc comm id: e"),
        ("commutative", "comm"),
    ];
    let cases: Vec<(Case, &str)> = (0..90)
        .map(|i| (Case::random(&mut numbers, laws[i % 3].0), laws[i % 3].1))
        .collect();
    let mut text = String::new();
    for (i, (case, laws)) in cases.iter().enumerate() {
        let _ = writeln!(
            text,
            "mod T{i} is sort S . ops a b c e : -> S . op f : S S -> S [{laws}] . op g : S -> S ."
        );
        for (left, right) in &case.rules {
            let _ = writeln!(text, "rl {} => {} .", left.for_maude(), right.for_maude());
        }
        let term = case.term.for_maude();
        let _ = writeln!(text, "endm");
        let _ = writeln!(text, "search [, {DEPTH}] in T{i} : {term} =>* Z:S .");
        let _ = writeln!(
            text,
            "search [, {DEPTH}] in T{i} : {term} =>* f(Z:S, W:S) ."
        );
    }
    let Some(printed) = maude(&text) else {
        return;
    };
    let parts: Vec<&str> = printed.split("search [").skip(1).collect();
    assert_eq!(parts.len(), 2 * cases.len(), "{printed}");
    let mut count = 0;
    for ((case, laws), pair) in cases.iter().zip(parts.chunks(2)) {
        let identity = laws.contains("id:");
        let kept = |text: &str| {
            let tree = Tree::read(text);
            match case.laws.starts_with("associative") {
                true => tree.kept(identity),
                false => exchanged(&tree),
            }
        };
        let solutions = |part: &str| -> BTreeSet<Tree> {
            let values = part.lines().filter_map(|l| l.strip_prefix("Z:S --> "));
            values.map(kept).collect()
        };
        let (rules, term) = (case.text(), case.term.to_string());
        let found = searched(&rules, &term, Some("$z"), DEPTH);
        let found: BTreeSet<Tree> = found.iter().map(|(term, _)| kept(term)).collect();
        assert_eq!(found, solutions(pair[0]), "{rules}{term}");
        count += found.len();
        let found = searched(&rules, &term, Some("f($z, $w)"), DEPTH);
        let found: BTreeSet<Tree> = found.iter().map(|(_, value)| kept(value)).collect();
        assert_eq!(found, solutions(pair[1]), "{rules}{term}");
        count += found.len();
    }
    assert!(count > 1_000, "{count}");
}

/// A term with the two arguments of each `f` in order.
fn exchanged(tree: &Tree) -> Tree {
    let mut args: Vec<Tree> = tree.1.iter().map(exchanged).collect();
    if tree.0 == "f" {
        args.sort();
    }
    Tree(tree.0.clone(), args)
}
