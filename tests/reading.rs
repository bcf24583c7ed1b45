//! Terms and rule files: what is read is printed and read again; what cannot be read is refused.

use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::syntax::rules::{
    Item, make_set, print_term, print_term_flat, print_term_short, read_rules, read_term,
};
use glushkov::term::{Head, Id, MOST_LEVELS, Sources, Symbol, Terms};
use proptest::prelude::*;

fn read(text: &str) -> (Terms, Id) {
    let mut terms = Terms::new();
    let id = read_term(&mut terms, 0, text).unwrap_or_else(|d| panic!("{text}: {d:#?}"));
    (terms, id)
}

fn flat(text: &str) -> String {
    let (terms, id) = read(text);
    print_term_flat(&terms, id)
}

fn refused(text: &str) -> (&'static str, String) {
    let refusals = read_term(&mut Terms::new(), 0, text).expect_err("it is refused");
    (refusals[0].code, refusals[0].message.clone())
}

#[test]
fn signs_build_functors() {
    let cases = [
        ("$b - $a + 1", "Plus(Minus($b, $a), 1)"),
        ("a - b - c", "Minus(Minus(a, b), c)"),
        ("a ^ b ^ c", "Power(a, Power(b, c))"),
        ("-a * b", "Times(Negate(a), b)"),
        ("-a ^ 2", "Negate(Power(a, 2))"),
        ("-2 ^ 2", "Negate(Power(2, 2))"),
        ("2 ^ -x * 3", "Times(Power(2, Negate(x)), 3)"),
        ("-1 - -2", "Minus(-1, -2)"),
        ("a MOD b % c", "Mod(Mod(a, b), c)"),
        ("!a && b || c", "Or(And(Not(a), b), c)"),
        ("a < b == c >= d", "Equal(Less(a, b), GreaterOrEqual(c, d))"),
        ("a <> b != c", "NotEqual(NotEqual(a, b), c)"),
        ("a <-1", "Less(a, -1)"),
        ("a <- b * c", "Less(a, Times(Negate(b), c))"),
        ("a ≤ b ∧ ¬c", "And(LessOrEqual(a, b), Not(c))"),
        ("minus(a) + minus(a, b)", "Plus(Negate(a), Minus(a, b))"),
        ("logical_and(true, false)", "And(True, False)"),
        ("`plus`(a, `true`)", "`plus`(a, `true`)"),
        ("[a, b]", "[a, b]"),
        ("[$h : $t]", "[$h : $t]"),
        ("[a, b : c]", "[a, b : c]"),
        ("[[], [a]]", "[NIL, [a]]"),
        ("{b, a, b, 1}", "{1, a, b}"),
        ("{a, b : $rest}", "{a, b : $rest}"),
        ("f($xs.., $y)", "f($xs.., $y)"),
        ("f..($args)", "f..($args)"),
        ("$f..($args)", "$f..($args)"),
        (
            "12L + 3B + 1.5F + 2.0D + 1e3",
            "Plus(Plus(Plus(Plus(12, 3), 1.5), 2.0), 1000.0)",
        ),
        ("-9223372036854775808", "-9223372036854775808"),
        ("Empty()", "Empty"),
        ("\"a \\\"b\\\" \\u{41}\\n\"", "\"a \\\"b\\\" A\\n\""),
        ("Присвоїти(x, 1)", "Присвоїти(x, 1)"),
        ("((a))", "a"),
    ];
    for (text, printed) in cases {
        assert_eq!(flat(text), printed, "{text}");
        assert_eq!(flat(printed), printed, "{printed}");
    }
}

#[test]
fn long_terms_are_wrapped_and_read_back() {
    let loops = "ForLoop(i, 0, Minus(N, 1), Then(Assign(Index(acceleration, i), Plus(a, b)), \
                 ForLoop(j, 0, Minus(N, 1), Call(\"Compute the force (i, j)\", i, j))))";
    let (terms, id) = read(&format!("Then({loops}, [{loops}, Empty : $rest])"));
    let printed = print_term(&terms, id);
    assert!(
        printed.lines().all(|line| line.chars().count() <= 100),
        "{printed}"
    );
    let (again, same) = read(&printed);
    assert!(terms.equal_across(id, &again, same));
    insta::assert_snapshot!(printed);
}

#[test]
fn short_texts_are_cut() {
    let (terms, id) = read("f(абвгд, b)");
    assert_eq!(print_term_short(&terms, id, 5), "f(а…");
    assert_eq!(print_term_short(&terms, id, 50), "f(абвгд, b)");
}

#[test]
fn nesting_is_read_up_to_the_limit_and_refused_beyond() {
    for (open, close) in [("(", ")"), ("f(", ")"), ("[", "]"), ("{", "}"), ("-(", ")")] {
        let nested = |n: usize| format!("{}a{}", open.repeat(n), close.repeat(n));
        let (terms, id) = read(&nested(40_000));
        let (again, same) = read(&print_term(&terms, id));
        assert!(terms.equal_across(id, &again, same));
        assert_eq!(refused(&nested(MOST_LEVELS + 1)).0, "E0310", "{open}");
        assert!(["E0310", "E0300"].contains(&refused(&open.repeat(MOST_LEVELS + 1)).0));
        assert_eq!(refused(&close.repeat(1_000_000)).0, "E0300");
    }
    let chain = vec!["a"; MOST_LEVELS + 10].join(" + ");
    assert_eq!(refused(&chain).0, "E0310");
    assert_eq!(
        refused(&format!("{}a", "!".repeat(MOST_LEVELS + 1))).0,
        "E0310"
    );
}

#[test]
fn results_deeper_than_the_limit_are_no_trouble() {
    let mut sources = Sources::default();
    let rules = sources.add(
        "r",
        "grow(0) -> 0; grow($n) -> s(grow($n - 1)); double($x) -> p($x, $x);
         count(0) -> 0; count(s($n)) -> s(count($n)); twice(0) -> 0;
         twice(s($n)) -> s(s(twice($n))); deep -> f(deep)",
    );
    let base = RuleBase::load(&sources, &[rules]).expect("the rules are well formed");
    for strategy in ["BottomTop", "FirstTop", "TopDown"] {
        let options = Rewriting {
            strategy: Some(strategy),
            ..Rewriting::default()
        };
        let mut run = |term: String, options: &Rewriting| {
            let term = sources.add("t", term);
            run_rewrite(&base, &sources, term, options)
        };
        let long = format!("{}0{}", "s(".repeat(90_000), ")".repeat(90_000));
        let done = run(format!("count(twice({long}))"), &options).expect("it ends");
        assert_eq!(done.rewrites, 3 * 90_000 + 2);
        assert!(done.text().starts_with("s(s(s("));
        if strategy == "BottomTop" {
            let done = run("grow(300000)".to_string(), &options).expect("it ends");
            assert_eq!(done.rewrites, 300_001);
        } else {
            let few = Rewriting {
                steps: 300_000,
                ..options.clone()
            };
            let done = run("deep".to_string(), &few).expect("it is stopped");
            assert_eq!(done.exit_code(), 1);
        }
        // What is shared is small, and as a tree too large to print. Rewriting one redex at a
        // time from the root does not share, and reaches the bound.
        let doubled = format!("{}a{}", "double(".repeat(100), ")".repeat(100));
        let options = Rewriting {
            steps: 10_000,
            ..options
        };
        let refused = match run(doubled, &options) {
            Ok(done) => done.diagnostics,
            Err(refused) => refused,
        };
        let code = if strategy == "FirstTop" {
            "E0320"
        } else {
            "E0322"
        };
        assert_eq!(refused[0].code, code, "{strategy}");
    }
}

#[test]
fn comments_before_a_rule_are_its_page() {
    let text = "# A header, not of the rule.\n\n# Drops what is empty.\n#\n#   Then(Empty) → Empty\n\
                #@rule(drop) #@law\n# between\nThen(Empty) -> Empty; # after\n\n# Next.\na -> b";
    let (items, refusals) = read_rules(&mut Terms::new(), 0, text);
    assert!(refusals.is_empty(), "{refusals:?}");
    let docs: Vec<String> = items
        .iter()
        .map(|item| match item {
            Item::Rule(rule) => rule.doc.clone(),
            _ => String::new(),
        })
        .collect();
    assert_eq!(
        docs,
        ["Drops what is empty.\n\n  Then(Empty) → Empty", "Next."]
    );
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf(Head),
    Node(String, Vec<Tree>),
    Set(Vec<Tree>),
}

fn make(terms: &mut Terms, tree: &Tree) -> Id {
    match tree {
        Tree::Leaf(head) => terms.make(*head, &[]),
        Tree::Node(name, parts) => {
            let args: Vec<Id> = parts.iter().map(|part| make(terms, part)).collect();
            terms.apply(Symbol::new(name), &args)
        }
        Tree::Set(parts) => {
            let args: Vec<Id> = parts.iter().map(|part| make(terms, part)).collect();
            make_set(terms, &args)
        }
    }
}

/// Any term at all, its names among them.
fn term() -> impl Strategy<Value = Tree> {
    let name = prop_oneof![
        "[a-zA-Zа-я_][a-zA-Z0-9_]{0,3}",
        Just("plus".to_string()),
        Just("true".to_string()),
        Just("MOD".to_string()),
        Just("NIL".to_string()),
        Just("cons".to_string()),
        Just("strategy".to_string()),
        "\\PC{0,4}",
    ];
    let leaf = prop_oneof![
        any::<i64>().prop_map(Head::Int),
        any::<f64>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(Head::Real),
        any::<String>().prop_map(|s| Head::Text(Symbol::new(&s))),
        "[a-z0-9_]{1,3}".prop_map(|s| Head::Variable(Symbol::new(&s))),
        "[a-z0-9_]{1,3}".prop_map(|s| Head::Sequence(Symbol::new(&s))),
    ]
    .prop_map(Tree::Leaf);
    leaf.prop_recursive(6, 40, 4, move |inner| {
        let parts = prop::collection::vec(inner, 0..4);
        prop_oneof![
            (name.clone(), parts.clone()).prop_map(|(name, parts)| Tree::Node(name, parts)),
            parts.clone().prop_map(|mut parts| {
                parts.truncate(2);
                let pad = Tree::Node("NIL".to_string(), Vec::new());
                parts.resize(2, pad);
                Tree::Node("cons".to_string(), parts)
            }),
            parts.prop_map(Tree::Set),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(tree in term()) {
        let mut terms = Terms::new();
        let id = make(&mut terms, &tree);
        for printed in [print_term(&terms, id), print_term_flat(&terms, id)] {
            let mut again = Terms::new();
            let same = read_term(&mut again, 0, &printed);
            let same = same.map_err(|d| TestCaseError::fail(format!("{printed}: {d:?}")))?;
            prop_assert!(terms.equal_across(id, &again, same), "{}", printed);
        }
    }

    #[test]
    fn garbage_is_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = read_term(&mut Terms::new(), 0, &text);
        let mut sources = Sources::default();
        let file = sources.add("garbage", text);
        let _ = RuleBase::load(&sources, &[file]);
    }

    #[test]
    fn shuffled_tokens_are_refused_without_a_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "a", "f(", "(", ")", "[", "]", "{", "}", ",", ";", ":", "->", "!->", "|", "<-",
                "<+", "-", "!", "^", "*", "$x", "$xs..", "..", "1", "2.5", "\"t\"", "#@rule(",
                "#@param(", "# c\n", "let (", "where (", "domain(", "system(", "ruleset(",
                "strategy", "=", "try(", "at(", "import(", "MOD", "each(", "copies(",
            ]),
            0..40,
        ),
    ) {
        let mut sources = Sources::default();
        let file = sources.add("shuffled", tokens.join(" "));
        let _ = RuleBase::load(&sources, &[file]);
    }
}

#[test]
fn much_garbage_is_refused_soon() {
    let refusals = read_rules(&mut Terms::new(), 0, &"§\u{0}\u{fffd}".repeat(300_000)).1;
    assert!((1..=40).contains(&refusals.len()));
    let refusals = read_rules(&mut Terms::new(), 0, &"a b;".repeat(300_000)).1;
    assert!((1..=40).contains(&refusals.len()));
}
