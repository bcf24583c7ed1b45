//! `rewrite --search` against a search in plain Rust and against Maude, on random systems.

mod maude;
mod numbers;

use glushkov::rewrite::{
    Knowledge, Rewriting, RuleBase, Search, Searched, run_search, search_pattern,
};
use glushkov::term::Sources;
use maude::maude;
use numbers::Numbers;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter, Write as _};

/// A term; variables have names in capitals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tree(&'static str, Vec<Tree>);

type Values = BTreeMap<&'static str, Tree>;

impl Tree {
    fn is_variable(&self) -> bool {
        self.0.starts_with(char::is_uppercase)
    }

    fn random(numbers: &mut Numbers, depth: usize, leaves: &[&'static str]) -> Tree {
        match numbers.below(if depth == 0 { 1 } else { 4 }) {
            1 => Tree("g", vec![Tree::random(numbers, depth - 1, leaves)]),
            2 | 3 => {
                let mut arg = || Tree::random(numbers, depth - 1, leaves);
                Tree("f", vec![arg(), arg()])
            }
            _ => Tree(leaves[numbers.below(leaves.len())], Vec::new()),
        }
    }

    fn variables(&self, into: &mut Vec<&'static str>) {
        if self.is_variable() {
            into.push(self.0);
        }
        self.1.iter().for_each(|arg| arg.variables(into));
    }

    fn matches(&self, term: &Tree, values: &mut Values) -> bool {
        if self.is_variable() {
            return values.entry(self.0).or_insert_with(|| term.clone()) == term;
        }
        let mut args = self.1.iter().zip(&term.1);
        self.0 == term.0 && self.1.len() == term.1.len() && args.all(|(p, t)| p.matches(t, values))
    }

    fn filled(&self, values: &Values) -> Tree {
        match values.get(self.0) {
            Some(value) => value.clone(),
            None => Tree(self.0, self.1.iter().map(|a| a.filled(values)).collect()),
        }
    }

    /// All that one step makes of it, what is as it was left out.
    fn next(&self, rules: &[(Tree, Tree)]) -> Vec<Tree> {
        let mut found = self.steps(rules);
        found.retain(|new| new != self);
        found
    }

    fn steps(&self, rules: &[(Tree, Tree)]) -> Vec<Tree> {
        let mut found = Vec::new();
        for (left, right) in rules {
            let mut values = Values::new();
            if left.matches(self, &mut values) {
                found.push(right.filled(&values));
            }
        }
        for (i, arg) in self.1.iter().enumerate() {
            for new in arg.steps(rules) {
                let mut args = self.1.clone();
                args[i] = new;
                found.push(Tree(self.0, args));
            }
        }
        found
    }

    fn written(&self, variable: &dyn Fn(&str) -> String, out: &mut String) {
        match self.is_variable() {
            true => out.push_str(&variable(self.0)),
            false => out.push_str(self.0),
        }
        for (i, arg) in self.1.iter().enumerate() {
            out.push_str(if i == 0 { "(" } else { ", " });
            arg.written(variable, out);
        }
        if !self.1.is_empty() {
            out.push(')');
        }
    }

    fn for_maude(&self) -> String {
        let mut out = String::new();
        self.written(&|name| format!("{name}:S"), &mut out);
        out
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        let name = |name: &str| format!("${}", name.to_lowercase());
        self.written(&name, &mut out);
        f.write_str(&out)
    }
}

struct System {
    rules: Vec<(Tree, Tree)>,
    term: Tree,
}

impl System {
    fn random(numbers: &mut Numbers) -> System {
        let mut rules = Vec::new();
        while rules.len() < 4 {
            let left = Tree::random(numbers, 2, &["a", "b", "c", "X", "Y", "X"]);
            if left.is_variable() {
                continue;
            }
            let mut leaves = vec!["a", "b", "c"];
            left.variables(&mut leaves);
            rules.push((left, Tree::random(numbers, 2, &leaves)));
        }
        let term = Tree::random(numbers, 3, &["a", "b", "c"]);
        System { rules, term }
    }

    fn text(&self) -> String {
        let rules = self.rules.iter();
        rules.map(|(l, r)| format!("{l} -> {r};\n")).collect()
    }

    /// Terms by how many steps they are away, up to a depth; the second says whether that is all.
    fn reached(&self, depth: usize) -> (BTreeMap<Tree, usize>, bool) {
        let mut met = BTreeMap::from([(self.term.clone(), 0)]);
        let mut last = vec![self.term.clone()];
        for step in 1..=depth {
            let mut new = Vec::new();
            for next in last.iter().flat_map(|term| term.next(&self.rules)) {
                if !met.contains_key(&next) {
                    met.insert(next.clone(), step);
                    new.push(next);
                }
            }
            last = new;
        }
        let all = last.iter().all(|term| term.next(&self.rules).is_empty());
        (met, all)
    }
}

fn searched(rules: &str, term: &str, pattern: Option<&str>, depth: Option<usize>) -> Searched {
    let mut sources = Sources::default();
    let rules = sources.add("case.rules", rules);
    let term = sources.add("term", term);
    let base = RuleBase::load(&sources, &[rules]).unwrap_or_else(|d| panic!("{d:#?}"));
    let pattern = pattern.map(|pattern| {
        let text = sources.add("pattern", search_pattern(pattern));
        RuleBase::load(&sources, &[text]).unwrap_or_else(|d| panic!("{d:#?}"))
    });
    let search = Search {
        pattern: pattern.as_ref(),
        depth,
    };
    let options = Rewriting {
        steps: 100_000,
        ..Rewriting::default()
    };
    let known = Knowledge::default();
    run_search(&base, &sources, term, &search, &options, known).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn terms(searched: &Searched) -> BTreeSet<String> {
    searched.found.iter().map(|f| f.term.clone()).collect()
}

/// How far random systems are searched.
const DEPTH: usize = 4;

#[test]
fn all_that_can_be_reached_is_found() {
    let mut numbers = Numbers(1);
    let (mut exhaustive, mut normal) = (0, 0);
    for _ in 0..300 {
        let system = System::random(&mut numbers);
        let (met, all) = system.reached(DEPTH);
        let term = system.term.to_string();
        let place = format!("{}{term}", system.text());
        let found = searched(&system.text(), &term, Some("$x"), Some(DEPTH));
        let wanted: BTreeSet<String> = met.keys().map(Tree::to_string).collect();
        assert_eq!(terms(&found), wanted, "{place}");
        assert_eq!(found.bound.is_none(), all, "{place}");
        for f in &found.found {
            let depth = met.iter().find(|(term, _)| term.to_string() == f.term);
            assert_eq!(depth.map(|(_, depth)| *depth), Some(f.depth), "{place}");
            assert_eq!(f.steps.len(), f.depth, "{place}");
        }
        let found = searched(&system.text(), &term, None, Some(DEPTH));
        let ends = met.keys().filter(|t| t.next(&system.rules).is_empty());
        let wanted: BTreeSet<String> = ends.map(Tree::to_string).collect();
        assert_eq!(terms(&found), wanted, "{place}");
        exhaustive += usize::from(all);
        normal += wanted.len();
    }
    assert!(exhaustive > 50 && normal > 50, "{exhaustive} {normal}");
}

#[test]
fn maude_finds_the_same() {
    let mut numbers = Numbers(2);
    let systems: Vec<System> = (0..60).map(|_| System::random(&mut numbers)).collect();
    let mut text = String::new();
    for (i, system) in systems.iter().enumerate() {
        let _ = writeln!(
            text,
            "mod T{i} is sort S . ops a b c : -> S . op f : S S -> S . op g : S -> S ."
        );
        for (left, right) in &system.rules {
            let _ = writeln!(text, "rl {} => {} .", left.for_maude(), right.for_maude());
        }
        let term = system.term.for_maude();
        let _ = writeln!(text, "endm");
        let _ = writeln!(text, "search [, {DEPTH}] in T{i} : {term} =>! Z:S .");
        let _ = writeln!(
            text,
            "search [, {DEPTH}] in T{i} : {term} =>* f(Z:S, W:S) ."
        );
    }
    let Some(printed) = maude(&text) else {
        return;
    };
    let parts: Vec<&str> = printed.split("search [").skip(1).collect();
    assert_eq!(parts.len(), 2 * systems.len(), "{printed}");
    let solutions = |part: &str| -> BTreeSet<String> {
        let values = part.lines().filter_map(|l| l.strip_prefix("Z:S --> "));
        values
            .map(|value| value.replace(",", ", ").replace("  ", " "))
            .collect()
    };
    let (mut count, mut compared) = (0, 0);
    for (system, pair) in systems.iter().zip(parts.chunks(2)) {
        let (rules, term) = (system.text(), system.term.to_string());
        let found = searched(&rules, &term, None, Some(DEPTH));
        // To Maude, a term is no normal form to which a rule applies that changes nothing.
        let (met, _) = system.reached(DEPTH);
        if !met.keys().any(|t| t.steps(&system.rules).contains(t)) {
            assert_eq!(terms(&found), solutions(pair[0]), "{rules}{term}");
            compared += 1;
        }
        let found = searched(&rules, &term, Some("f($z, $w)"), Some(DEPTH));
        let values = found.found.iter().map(|f| f.bindings[0].1.clone());
        let values: BTreeSet<String> = values.collect();
        assert_eq!(values, solutions(pair[1]), "{rules}{term}");
        count += values.len() + found.found.len();
    }
    assert!(count > 50 && compared > 20, "{count} {compared}");
}

#[test]
fn conditions_bounds_and_ways_are_told() {
    let rules = "#@rule(more) n($x) [$x < 5] -> n($x + 1); #@rule(twice) n($x) -> n(2 * $x)";
    let all = searched(rules, "n(1)", Some("n($x) [$x > 7]"), Some(4));
    let mut shown = all.text(true);
    shown.push_str(&all.note().map_or(String::new(), |note| note.message));
    let rules = "a -> b; a -> c; f(b, c) -> done; c -> a";
    shown.push_str("\n\n");
    shown.push_str(&searched(rules, "f(a, a)", None, None).text(false));
    shown.push_str(&searched(rules, "f(a, a)", Some("f($x, $x)"), None).text(false));
    shown.push_str(&searched(rules, "f(a, a)", Some("g($x)"), None).text(false));
    insta::assert_snapshot!(shown);
}

#[test]
fn standard_functors_look_at_normal_forms() {
    let rules = "a -> f(b); a -> b; p($x) -> isAtom($x)";
    let found = searched(rules, "p(a)", None, None);
    assert_eq!(
        terms(&found),
        BTreeSet::from(["False".to_string(), "True".to_string()])
    );
    let found = searched("s({$x : $r}) -> t($x, $r)", "s({b, a, a})", None, None);
    assert_eq!(
        terms(&found),
        BTreeSet::from(["t(a, {b})".to_string(), "t(b, {a})".to_string()])
    );
}
