//! Rewriting modulo associativity and commutativity: against all forms of a term in plain Rust and
//! against Maude, on random systems; and what users are told.

mod numbers;

use glushkov::rewrite::{
    Knowledge, Rewriting, RuleBase, Search, read_facts, run_rewrite_with, run_search,
    search_pattern,
};
use glushkov::term::Sources;
use numbers::Numbers;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter, Write as _};
use std::io::Write as _;
use std::process::{Command, Stdio};

const ORDERS: [&str; 4] = ["FirstTop", "NFirstTops", "TopDown", "BottomTop"];

/// A term; variables have names in capitals, `f` is the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree(String, Vec<Tree>);

impl Ord for Tree {
    /// The order in which arguments are kept: names, then how many arguments, then these.
    fn cmp(&self, other: &Tree) -> Ordering {
        let heads = self.0.cmp(&other.0);
        let heads = heads.then(self.1.len().cmp(&other.1.len()));
        heads.then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for Tree {
    fn partial_cmp(&self, other: &Tree) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

type Values = BTreeMap<String, Tree>;

fn f(a: Tree, b: Tree) -> Tree {
    Tree("f".into(), vec![a, b])
}

impl Tree {
    fn random(numbers: &mut Numbers, depth: usize, leaves: &[&str]) -> Tree {
        match numbers.below(if depth == 0 { 1 } else { 5 }) {
            1 => Tree("g".into(), vec![Tree::random(numbers, depth - 1, leaves)]),
            2..=4 => {
                let a = Tree::random(numbers, depth - 1, leaves);
                f(a, Tree::random(numbers, depth - 1, leaves))
            }
            _ => Tree(leaves[numbers.below(leaves.len())].into(), Vec::new()),
        }
    }

    fn is_variable(&self) -> bool {
        self.0.starts_with(char::is_uppercase)
    }

    fn variables(&self, into: &mut Vec<String>) {
        if self.is_variable() {
            into.push(self.0.clone());
        }
        self.1.iter().for_each(|arg| arg.variables(into));
    }

    /// The arguments of nested `f` in one row.
    fn elements(self, into: &mut Vec<Tree>) {
        match self.0 == "f" {
            true => self.1.into_iter().for_each(|arg| arg.elements(into)),
            false => into.push(self),
        }
    }

    /// The form in which it is kept; `e` is the identity, if there is one.
    fn kept(&self, identity: bool) -> Tree {
        let args = self.1.iter().map(|arg| arg.kept(identity));
        if self.0 != "f" {
            return Tree(self.0.clone(), args.collect());
        }
        let mut elements = Vec::new();
        args.for_each(|arg| arg.elements(&mut elements));
        elements.retain(|arg| !(identity && arg.0 == "e"));
        elements.sort();
        match elements.len() {
            0 => Tree("e".into(), Vec::new()),
            1 => elements.swap_remove(0),
            _ => Tree("f".into(), elements),
        }
    }

    /// All terms that are equal to a kept one modulo the laws, with `f` of two arguments; none if
    /// there are very many.
    fn forms(&self) -> Option<Vec<Tree>> {
        let args: Option<Vec<Vec<Tree>>> = self.1.iter().map(Tree::forms).collect();
        let args = args?;
        if self.0 == "f" {
            return grouped(&args);
        }
        let mut all = vec![Vec::new()];
        for choices in &args {
            let longer = |row: &Vec<Tree>| -> Vec<Vec<Tree>> {
                let with = |c: &Tree| row.iter().cloned().chain([c.clone()]).collect();
                choices.iter().map(with).collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        Some(
            all.into_iter()
                .map(|row| Tree(self.0.clone(), row))
                .collect(),
        )
    }

    fn matches(&self, term: &Tree, values: &mut Values) -> bool {
        if self.is_variable() {
            let value = values.entry(self.0.clone()).or_insert_with(|| term.clone());
            return value.kept(false) == term.kept(false);
        }
        let mut args = self.1.iter().zip(&term.1);
        self.0 == term.0 && self.1.len() == term.1.len() && args.all(|(p, t)| p.matches(t, values))
    }

    fn filled(&self, values: &Values) -> Tree {
        match values.get(&self.0) {
            Some(value) => value.clone(),
            None => {
                let args = self.1.iter().map(|a| a.filled(values));
                Tree(self.0.clone(), args.collect())
            }
        }
    }

    /// What plain rules make of a term with `f` of two arguments.
    fn plain_steps(&self, rules: &[(Tree, Tree)]) -> Vec<Tree> {
        let mut found = Vec::new();
        for (left, right) in rules {
            let mut values = Values::new();
            if left.matches(self, &mut values) {
                found.push(right.filled(&values));
            }
        }
        for (i, arg) in self.1.iter().enumerate() {
            for new in arg.plain_steps(rules) {
                let mut args = self.1.clone();
                args[i] = new;
                found.push(Tree(self.0.clone(), args));
            }
        }
        found
    }

    /// What rules make of a kept term modulo the laws; none if it has very many forms.
    fn steps(&self, rules: &[(Tree, Tree)]) -> Option<BTreeSet<Tree>> {
        let forms = self.forms()?;
        let all = forms.iter().flat_map(|form| form.plain_steps(rules));
        let mut found: BTreeSet<Tree> = all.map(|new| new.kept(false)).collect();
        found.remove(self);
        Some(found)
    }

    fn written(&self, variable: &dyn Fn(&str) -> String) -> String {
        let mut out = match self.is_variable() {
            true => variable(&self.0),
            false => self.0.clone(),
        };
        let args: Vec<String> = self.1.iter().map(|arg| arg.written(variable)).collect();
        if !args.is_empty() {
            let _ = write!(out, "({})", args.join(", "));
        }
        out
    }

    fn for_maude(&self) -> String {
        self.written(&|name| format!("{name}:S"))
    }

    fn read(text: &str) -> Tree {
        let mut rest = text.trim();
        let tree = Tree::read_from(&mut rest);
        assert!(rest.is_empty(), "{text}");
        tree
    }

    fn read_from(rest: &mut &str) -> Tree {
        let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
        let name = rest[..end].trim().to_owned();
        *rest = &rest[end..];
        let mut args = Vec::new();
        while rest.starts_with(if args.is_empty() { '(' } else { ',' }) {
            *rest = rest[1..].trim_start();
            args.push(Tree::read_from(rest));
        }
        if !args.is_empty() {
            *rest = rest
                .trim_start()
                .strip_prefix(')')
                .expect("a closing bracket");
        }
        Tree(name, args)
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written(&|name| format!("${}", name.to_lowercase())))
    }
}

/// Beyond so many forms a term is left out.
const MOST_FORMS: usize = 2_000;

/// All trees of `f` over some elements in any order, each element in any of its forms.
fn grouped(elements: &[Vec<Tree>]) -> Option<Vec<Tree>> {
    let count = elements.len();
    let mut of: Vec<Vec<Tree>> = vec![Vec::new(); 1 << count];
    for set in 1..of.len() {
        if set.count_ones() == 1 {
            of[set] = elements[set.trailing_zeros() as usize].clone();
            continue;
        }
        let mut all = Vec::new();
        for left in 1..set {
            if left & set != left {
                continue;
            }
            for a in &of[left] {
                all.extend(of[set & !left].iter().map(|b| f(a.clone(), b.clone())));
            }
            if all.len() > MOST_FORMS {
                return None;
            }
        }
        of[set] = all;
    }
    of.pop()
}

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

fn base(sources: &mut Sources, text: &str) -> RuleBase {
    let file = sources.add("case.rules", text);
    RuleBase::load(sources, &[file]).unwrap_or_else(|d| panic!("{d:#?}\n{text}"))
}

/// The terms that a search finds, with what the first variable stands for.
fn searched(rules: &str, term: &str, pattern: Option<&str>, depth: usize) -> Vec<(String, String)> {
    let mut sources = Sources::default();
    let rules = base(&mut sources, rules);
    let term = sources.add("term", term);
    let pattern = pattern.map(|pattern| base(&mut sources, &search_pattern(pattern)));
    let search = Search {
        pattern: pattern.as_ref(),
        depth: Some(depth),
    };
    let options = Rewriting {
        steps: 100_000,
        ..Rewriting::default()
    };
    let known = Knowledge::default();
    let done = run_search(&rules, &sources, term, &search, &options, known);
    let found = done.unwrap_or_else(|d| panic!("{d:#?}")).found;
    let first = |bindings: &[(String, String)]| bindings.first().map(|b| b.1.clone());
    let each = found.iter();
    each.map(|f| (f.term.clone(), first(&f.bindings).unwrap_or_default()))
        .collect()
}

fn rewritten(rules: &str, term: &str, order: Option<&str>) -> Result<(String, bool), String> {
    let mut sources = Sources::default();
    let file = sources.add("case.rules", rules);
    let base = RuleBase::load(&sources, &[file]).map_err(|d| d[0].message.clone())?;
    let term = sources.add("term", term);
    let options = Rewriting {
        strategy: order,
        steps: 300,
        ..Rewriting::default()
    };
    let known = &mut Knowledge::default();
    let done = run_rewrite_with(&base, &sources, term, &options, known);
    let done = done.map_err(|d| d[0].message.clone())?;
    Ok((done.text().trim().to_owned(), done.exit_code() == 0))
}

const LAWS: &str = "associative, commutative";

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

/// What Maude prints for a text; none where it is not installed.
fn maude(text: &str) -> Option<String> {
    let mut child = Command::new("maude")
        .args(["-no-banner", "-no-wrap", "-no-advise"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("Maude ends");
    writer.join().expect("the writer ends").expect("a text");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
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

#[test]
fn every_order_and_the_trace_end_alike() {
    let chemistry = "#@operator(mix, associative, commutative)
        system(Chemistry, default, ruleset(
          mix(h2, h2, o2) -> mix(water, water),
          mix(water, na) -> mix(naoh, h)
        ), FirstTop)";
    let ring = "#@operator(Plus, associative, commutative)
        #@operator(Times, associative, commutative, identity(1))
        system(Ring, default, ruleset(
          $x * ($y + $z) -> $x * $y + $x * $z,
          $x * 0 -> 0,
          square($x) -> $x * $x
        ), BottomTop)";
    let bag = "#@operator(u, associative, commutative, identity(none))
        system(Bag, default, ruleset(
          u($x, $x) -> $x,
          size(none) -> 0,
          size(u(one($x), $rest)) -> 1 + size($rest)
        ), TopDown)";
    let cases = [
        (
            chemistry,
            "mix(h2, mix(o2, h2), na, na)",
            "mix(h, h, naoh, naoh)",
        ),
        (
            ring,
            "(x + 1 + 2) * (y + 3) * 2",
            "Plus(18, Times(6, x), Times(6, y), Times(2, x, y))",
        ),
        (ring, "square(x + 1)", "Plus(1, Times(x, x), x, x)"),
        (ring, "y + 1 * x", "Plus(x, y)"),
        (bag, "size(u(one(a), one(b), u(none, one(c))))", "3"),
        (
            bag,
            "u(one(a), u(one(b), one(a)), none)",
            "u(one(a), one(b))",
        ),
        (bag, "u(none, none)", "none"),
    ];
    for (rules, term, wanted) in cases {
        for order in ORDERS {
            let found = rewritten(rules, term, Some(order));
            assert_eq!(found, Ok((wanted.to_owned(), true)), "{term} {order}");
        }
    }
}

#[test]
fn sequences_take_what_single_variables_leave() {
    let rules = |rule: &str| {
        format!("#@operator(f, {LAWS})\nsystem(T, default, ruleset({rule}), FirstTop)")
    };
    let cases = [
        // With a sequence, a variable is one argument.
        (
            "f(a, $x, $r..) -> p($x, f($r..))",
            "f(c, b, a, c)",
            "p(b, f(c, c))",
        ),
        // Without one, it takes what is left.
        ("p(f(a, $x)) -> q($x)", "p(f(c, b, a))", "q(f(b, c))"),
        // A rule for some arguments leaves the others.
        ("f(a, b) -> c", "f(b, d, a, e)", "f(c, d, e)"),
        // Conditions choose among all matches.
        (
            "f(n($x), n($y)) [$x > $y] -> n($x)",
            "f(n(3), n(5), n(4))",
            "n(5)",
        ),
        // The same variable inside and outside.
        ("f(g($x), $x) -> $x", "f(a, b, g(f(a, b)), c)", "f(a, b, c)"),
        // Anonymous variables are each their own.
        ("p(f($_, $_, $_)) -> three", "p(f(a, a, b))", "three"),
        ("p(f($_, $_, $_)) -> three", "p(f(a, b))", "p(f(a, b))"),
        // A substitution keeps the order.
        (
            "s(f($x, c)) -> substitute(f($x, c), c, a)",
            "s(f(b, c))",
            "f(a, b)",
        ),
    ];
    for (rule, term, wanted) in cases {
        let found = rewritten(&rules(rule), term, None);
        assert_eq!(found, Ok((wanted.to_owned(), true)), "{rule}");
    }
}

#[test]
fn a_rule_that_matches_in_too_many_ways_ends_the_run() {
    let rules = format!(
        "#@operator(f, {LAWS})
        system(T, default, ruleset(f($x, $y) [1 == 2] -> done), FirstTop)"
    );
    let letters = |count: usize| {
        let names: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
        format!("f({})", names.join(", "))
    };
    let (end, finished) = rewritten(&rules, &letters(5), None).expect("an end");
    assert!(finished && end.starts_with("f(a0, "), "{end}");
    let told = rewritten(&rules, &letters(20), None).expect_err("too many");
    assert!(told.contains("more than 100000 ways"), "{told}");
}

#[test]
fn integers_are_computed_unless_they_overflow() {
    let rules = "#@operator(Plus, associative, commutative)
        system(T, default, ruleset(never -> ever), FirstTop)";
    let most = i64::MAX;
    let cases = [
        ("1 + x + 2".to_owned(), "Plus(3, x)".to_owned()),
        ("1.5 + x + 2.5".into(), "Plus(1.5, 2.5, x)".into()),
        (
            format!("{most} + x + {most}"),
            format!("Plus({most}, {most}, x)"),
        ),
        (format!("{most} + (x + 1) + -1"), format!("Plus({most}, x)")),
    ];
    for (term, wanted) in cases {
        assert_eq!(rewritten(rules, &term, None), Ok((wanted, true)), "{term}");
    }
}

#[test]
fn declarations_come_with_imports() {
    let inner = "#@operator(f, associative, commutative)
        system(Inner, default, ruleset(f(a, b) -> c), FirstTop);\n";
    let outer = format!("{inner}system(Outer, default, ruleset(import(Inner), c -> d), FirstTop)");
    let wanted = Ok(("f(d, x)".to_owned(), true));
    assert_eq!(rewritten(&outer, "f(b, f(x, a))", None), wanted);
    // The rules of a system without the operator stay as they were there, too.
    let both = "system(Plain, default, ruleset(f(a, $x) -> got($x)), FirstTop);
        #@operator(f, associative, commutative)
        system(Laws, default, ruleset(import(Plain), start -> f(b, a), p($x) -> Plain.$x), FirstTop)";
    let found = |term: &str| rewritten(both, term, None).map(|(text, _)| text);
    assert_eq!(found("start"), Ok("got(b)".into()));
    assert_eq!(found("p(f(b, a))"), Ok("got(b)".into()));
    let differ = format!(
        "{inner}#@operator(f, commutative)
        system(Outer, default, ruleset(import(Inner)), FirstTop)"
    );
    let told = rewritten(&differ, "a", None);
    let wanted = "the system `Inner` has another declaration of the operator `f`";
    assert_eq!(told, Err(wanted.to_owned()));
}

#[test]
fn facts_are_kept_in_the_same_form() {
    let mut sources = Sources::default();
    let rules = base(
        &mut sources,
        "#@operator(bond, commutative)
        system(Atoms, default, ruleset(
          joined($x, $y) [bond($x, $y)] -> yes !-> no
        ), FirstTop)",
    );
    let facts = "bond(o, h); bond(c, h)";
    let file = sources.add("bonds.facts", facts);
    let mut known = Knowledge::default();
    read_facts(&mut known.facts, file, facts).expect("facts");
    let term = sources.add("term", "p(joined(h, o), joined(o, h), joined(o, c))");
    let done = run_rewrite_with(&rules, &sources, term, &Rewriting::default(), &mut known);
    let done = done.unwrap_or_else(|d| panic!("{d:#?}"));
    assert_eq!(done.text().trim(), "p(yes, yes, no)");
}

#[test]
fn wrong_declarations_are_refused() {
    let mut shown = String::new();
    for declared in [
        "",
        "f",
        "f, associative",
        "f, commutative, identity(e)",
        "f, commutative, idempotent",
        "f($x), commutative",
        "concat, associative, commutative",
        "each, commutative",
        "f, commutative)\n#@operator(f, commutative",
    ] {
        let rules =
            format!("#@operator({declared})\nsystem(T, default, ruleset(a -> b), FirstTop)");
        let told = rewritten(&rules, "a", None).expect_err(declared);
        let _ = writeln!(shown, "{declared:?}: {told}");
    }
    let told = rewritten("#@operator(f, commutative)\na -> b", "a", None);
    let _ = writeln!(shown, "before a rule: {}", told.expect_err("no system"));
    for before in [
        "domain(D, system(T, default, ruleset(a -> b), FirstTop))",
        "strategy s = `a.1`",
    ] {
        let rules = format!("a -> b;\n#@operator(f, commutative)\n{before}");
        let told = rewritten(&rules, "a", None).expect_err(before);
        let _ = writeln!(
            shown,
            "before {}: {told}",
            before.split(['(', ' ']).next().unwrap_or("")
        );
    }
    let rules = "system(T, default, ruleset(a -> b), FirstTop);
        system(U, default, ruleset(#@operator(f, commutative) import(T)), FirstTop)";
    let told = rewritten(rules, "a", None).expect_err("an import");
    let _ = writeln!(shown, "before an import: {told}");
    insta::assert_snapshot!(shown);
}
