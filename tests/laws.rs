//! The laws of the rule base: their pages' examples, and those that are tested rather than decided.

use glushkov::algebra::{Construct, Precision, Sort, build};
use glushkov::check::{Scheme, author_names, check};
use glushkov::derive::{derive, rule_base};
use glushkov::diagnostic::{Diagnostic, render};
use glushkov::equality::compare_schemes;
use glushkov::machine::{Limits, Machine, compile};
use glushkov::rewrite::{Law, Rewriting, Rule, RuleBase, run_rewrite};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::rules::print_term_flat;
use glushkov::syntax::text::read_file;
use glushkov::term::{Head, Id, Sources, Symbol, Terms};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::HashMap;

fn base(sources: &mut Sources, further: &str) -> RuleBase {
    let further = [("further.rules".to_owned(), further.to_owned())];
    rule_base(sources, &further).unwrap_or_else(|d| panic!("{}", shown(&d, sources)))
}

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}

fn laws(base: &RuleBase) -> impl Iterator<Item = &Rule> {
    base.rules.iter().filter(|r| r.law.is_some())
}

fn is_predicate(base: &RuleBase, rule: &Rule) -> bool {
    let construct = base.terms().functor(rule.pattern).and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Condition)
}

/// The two sides of a page's example, with the letters for operators as phrases.
fn example(rule: &Rule) -> [String; 2] {
    let side = |text: &str| {
        let lines = text.lines().filter_map(|l| l.strip_prefix("    "));
        let text = lines.collect::<Vec<_>>().join("\n");
        let mut out = String::new();
        let chars: Vec<char> = text.chars().collect();
        for (i, &c) in chars.iter().enumerate() {
            let beside = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
            let before = i.checked_sub(1).and_then(|i| chars.get(i));
            let alone = !beside(before) && !beside(chars.get(i + 1));
            match c {
                'A'..='D' if alone => out.push_str(&format!("\"{c}\"")),
                _ => out.push(c),
            }
        }
        out
    };
    let (before, after) = rule.doc.split_once("\nbecomes\n").unwrap_or_else(|| {
        panic!("{}: the page has no example", rule.name);
    });
    [side(before), side(after)]
}

fn scheme(body: &str, sources: &mut Sources) -> Scheme {
    let text = format!("SCHEME \"s\" ==== {body} END OF SCHEME \"s\"");
    let file = sources.add("example", text.clone());
    let mut terms = Terms::new();
    let (items, errors) = read_file(sources, file, &mut terms);
    assert!(errors.is_empty(), "{text}\n{}", shown(&errors, sources));
    let checked = check(&terms, items[0], Precision::F32);
    checked.unwrap_or_else(|e| panic!("{text}\n{}", shown(&e, sources)))
}

fn text(scheme: &Scheme) -> String {
    let style = Style {
        notation: Notation::Text,
        language: glushkov::algebra::Language::English,
        comments: false,
    };
    let mut terms = scheme.terms.clone();
    let root = author_names(&mut terms, scheme.root);
    print(&terms, root, style)
}

#[test]
fn the_examples_of_the_pages_are_what_the_laws_do() {
    let mut sources = Sources::default();
    let names: Vec<Symbol> = laws(&base(&mut sources, "")).map(|r| r.name).collect();
    assert!(names.len() > 60, "{}", names.len());
    let strategies: Vec<String> = names
        .iter()
        .map(|n| format!("strategy try_{n} = once({n});\n"))
        .collect();
    let base = base(&mut sources, &strategies.concat());
    for rule in laws(&base) {
        let [before, after] = example(rule);
        // No text is a sequence in a sequence; the test below has the term.
        if rule.name.as_str() == "flat_sequence" {
            continue;
        }
        if is_predicate(&base, rule) {
            predicate_example(rule, [&before, &after], &mut sources);
            continue;
        }
        let [before, after] = [before, after].map(|text| scheme(&text, &mut sources));
        if rule.law == Some(Law::Decided) {
            let found = compare_schemes(&before, &after).expect("small ones");
            assert!(found.is_equal(), "{}", rule.name);
        }
        // Sequences hold no EMPTY as soon as a scheme is checked.
        if rule.name.as_str() == "no_empty" {
            assert_eq!(text(&before), text(&after));
            continue;
        }
        let strategy = format!("try_{}", rule.name);
        let derived = derive(&before, &base, &strategy, &[], 10)
            .unwrap_or_else(|d| panic!("{}: {}", rule.name, shown(&d, &sources)));
        assert!(derived.failure.is_none(), "{} does not fire", rule.name);
        assert_eq!(text(&derived.scheme), text(&after), "{}", rule.name);
    }
}

/// A rule about predicates fires on the term of its example.
fn predicate_example(rule: &Rule, sides: [&str; 2], sources: &mut Sources) {
    let [before, after] = sides.map(|text| scheme(&format!("FILTER {text}"), sources));
    if rule.law == Some(Law::Decided) {
        let found = compare_schemes(&before, &after).expect("small ones");
        assert!(found.is_equal(), "{}", rule.name);
    }
    let body = |s: &Scheme| print_term_flat(&s.terms, s.body);
    // Facts are asked of schemes only.
    let lines = rule.text(sources);
    let alone = match (lines.find('['), lines.find("->")) {
        (Some(from), Some(to)) if from < to => format!("{} {}", &lines[..from], &lines[to..]),
        _ => lines,
    };
    let file = sources.add("rule", alone);
    let term = sources.add("term", body(&before));
    let alone = RuleBase::load(sources, &[file]).expect("a rule");
    let options = Rewriting {
        strategy: Some("FirstTop"),
        steps: 1,
        ..Rewriting::default()
    };
    let done = run_rewrite(&alone, sources, term, &options).expect("a term");
    let made = print_term_flat(&done.terms, done.root);
    // A sequence of one operator is that operator where schemes are derived.
    let made = made.replace("Then(Call(\"A\"))", "Call(\"A\")");
    assert_eq!(made, body(&after), "{}", rule.name);
}

#[test]
fn sequences_of_other_systems_are_made_flat() {
    for (name, term, wanted) in [
        (
            "flat_sequence",
            "Then(A, Then(B, C), D)",
            "Then(A, B, C, D)",
        ),
        ("no_empty", "Then(A, Empty, D)", "Then(A, D)"),
    ] {
        let mut sources = Sources::default();
        let all = base(&mut sources, "");
        let rule = all.rule(Symbol::new(name)).expect("a rule");
        let file = sources.add("rule", rule.text(&sources));
        let term = sources.add("term", term);
        let alone = RuleBase::load(&sources, &[file]).expect("a rule");
        let done = run_rewrite(&alone, &sources, term, &Rewriting::default()).expect("a term");
        assert_eq!(print_term_flat(&done.terms, done.root), wanted);
    }
}

/// Names of integer cells that operators share.
const CELLS: [&str; 3] = ["x", "y", "z"];

/// Fills a law's variables with random operators and predicates.
struct Filler<'a> {
    rules: &'a Terms,
    random: Pcg64,
    bound: HashMap<Symbol, Vec<Id>>,
    /// Whether each operator has a cell of its own, as branches that run at once must.
    apart: bool,
    /// Cells that hold what was before a prediction.
    saved: usize,
}

impl Filler<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn atom(&mut self, terms: &mut Terms, of: usize) -> Id {
        let cell = match self.apart {
            true => format!("own{of}"),
            false => CELLS[self.below(3) as usize].to_owned(),
        };
        terms.atom(Symbol::new(&cell))
    }

    fn predicate(&mut self, terms: &mut Terms, of: usize) -> Id {
        let parts = [self.atom(terms, of), {
            let bound = self.below(9) as i64;
            terms.int(bound)
        }];
        let construct = [Construct::Less, Construct::Equal, Construct::Greater];
        let construct = construct[self.below(3) as usize];
        terms.apply(construct.symbol(), &parts)
    }

    fn operator(&mut self, terms: &mut Terms, of: usize) -> Id {
        if self.below(3) == 0 {
            let test = self.predicate(terms, of);
            let (a, b) = (self.operator(terms, of), self.operator(terms, of));
            return terms.apply(Construct::If.symbol(), &[test, a, b]);
        }
        let (to, from) = (self.atom(terms, of), self.atom(terms, of));
        let number = self.below(5) as i64;
        let number = terms.int(number);
        let construct = [Construct::Plus, Construct::Minus][self.below(2) as usize];
        let value = terms.apply(construct.symbol(), &[from, number]);
        let modulus = terms.int(9);
        let value = terms.apply(Construct::Mod.symbol(), &[value, modulus]);
        terms.apply(Construct::Assign.symbol(), &[to, value])
    }

    /// A side of a law with its variables filled in; the same ones alike on both sides.
    fn fill(&mut self, terms: &mut Terms, id: Id, sort: Sort) -> Vec<Id> {
        let (name, count) = match self.rules.head(id) {
            Head::Variable(name) => (name, 1),
            Head::Sequence(name) => (name, self.below(3) as usize),
            Head::Functor(functor) => {
                let info = Construct::of(functor).expect("a construct").info();
                let mut parts = Vec::new();
                for (i, &argument) in self.rules.args(id).iter().enumerate() {
                    let sort = info.argument(i).expect("it may stand there");
                    parts.extend(self.fill(terms, argument, sort));
                }
                return vec![build(terms, functor, &parts)];
            }
            _ => unreachable!("laws hold no literals"),
        };
        if let Some(known) = self.bound.get(&name) {
            return known.clone();
        }
        let of = self.bound.len();
        let made: Vec<Id> = (0..count)
            .map(|_| match sort {
                Sort::Condition => self.predicate(terms, of),
                _ => self.operator(terms, of),
            })
            .collect();
        self.bound.insert(name, made.clone());
        made
    }

    /// An operator whose predictions are made by doing: what was before is saved and restored.
    fn without_after(&mut self, terms: &mut Terms, id: Id) -> Id {
        let args = terms.args(id).to_vec();
        let functor = terms.functor(id).expect("an operator");
        match Construct::of(functor) {
            Some(Construct::If) => {
                let mut parts = Vec::new();
                let test = self.tested(terms, args[0], &mut parts);
                let yes = self.without_after(terms, args[1]);
                let no = self.without_after(terms, args[2]);
                parts.push(terms.apply(functor, &[test, yes, no]));
                build(terms, Construct::Then.symbol(), &parts)
            }
            Some(Construct::Then | Construct::Async) => {
                let parts: Vec<Id> = args
                    .iter()
                    .map(|&part| self.without_after(terms, part))
                    .collect();
                build(terms, functor, &parts)
            }
            _ => id,
        }
    }

    /// A predicate without predictions, and the operators that must be done before it is asked.
    fn tested(&mut self, terms: &mut Terms, id: Id, before: &mut Vec<Id>) -> Id {
        let args = terms.args(id).to_vec();
        let functor = terms.functor(id).expect("a predicate");
        match Construct::of(functor) {
            Some(Construct::And | Construct::Or | Construct::Not) => {
                let parts: Vec<Id> = args
                    .iter()
                    .map(|&part| self.tested(terms, part, before))
                    .collect();
                terms.apply(functor, &parts)
            }
            Some(Construct::After) => {
                let assign = |terms: &mut Terms, to: &str, from: &str| {
                    let parts = [to, from].map(|name| terms.atom(Symbol::new(name)));
                    terms.apply(Construct::Assign.symbol(), &parts)
                };
                let saved = self.saved;
                self.saved += 4;
                for (i, cell) in CELLS.into_iter().enumerate() {
                    before.push(assign(terms, &format!("s{}", saved + i), cell));
                }
                let done = self.without_after(terms, args[0]);
                before.push(done);
                let test = self.tested(terms, args[1], before);
                let flag = terms.atom(Symbol::new(&format!("s{}", saved + 3)));
                let set = [1, 0].map(|value| {
                    let value = terms.int(value);
                    terms.apply(Construct::Assign.symbol(), &[flag, value])
                });
                before.push(terms.apply(Construct::If.symbol(), &[test, set[0], set[1]]));
                for (i, cell) in CELLS.into_iter().enumerate() {
                    before.push(assign(terms, cell, &format!("s{}", saved + i)));
                }
                let one = terms.int(1);
                terms.apply(Construct::Equal.symbol(), &[flag, one])
            }
            _ => id,
        }
    }

    /// What a side leaves in the cells; nothing if it has no result.
    fn run(
        &mut self,
        terms: &mut Terms,
        side: Id,
        is_predicate: bool,
        start: u64,
    ) -> Option<Vec<u64>> {
        let mut side = side;
        if is_predicate {
            let answers = [1, 2].map(|answer| {
                let parts = [terms.atom(Symbol::new("answer")), terms.int(answer)];
                terms.apply(Construct::Assign.symbol(), &parts)
            });
            side = terms.apply(Construct::If.symbol(), &[side, answers[0], answers[1]]);
        }
        self.saved = 0;
        let body = self.without_after(terms, side);
        let style = Style {
            notation: Notation::Text,
            language: glushkov::algebra::Language::English,
            comments: false,
        };
        let body = print(terms, body, style);
        let own: Vec<String> = (0..8).map(|i| format!("own{i}")).collect();
        let mut names: Vec<&str> = own.iter().map(String::as_str).collect();
        names.extend(CELLS);
        names.push("answer");
        let saved: Vec<String> = (0..80).map(|i| format!("s{i}")).collect();
        let first: String = names
            .iter()
            .enumerate()
            .map(|(i, name)| format!("{name} := {}; ", (start >> (3 * i)) % 8))
            .collect();
        let text = format!(
            "SCHEME \"s\" ==== DATA {} : INTEGER OUTPUT {} : INTEGER END OF DATA {first}{body} END OF SCHEME \"s\"",
            names.join(", "),
            saved.join(", ")
        );
        let mut sources = Sources::default();
        let file = sources.add("law", text.clone());
        let mut read = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut read);
        assert!(errors.is_empty(), "{text}\n{}", shown(&errors, &sources));
        let scheme = check(&read, items[0], Precision::F32)
            .unwrap_or_else(|e| panic!("{text}\n{}", shown(&e, &sources)));
        let code = compile(&scheme).expect("everything is defined");
        let mut machine = Machine::new(&scheme, &code, Limits::default());
        machine.start(&[]).expect("it has data");
        machine.run().ok()?;
        let cell = |name: &&str| machine.get(Symbol::new(name)).expect("a cell")[0];
        Some(names.iter().map(cell).collect())
    }
}

/// Whether both sides of a rule leave the same, for so many random operands.
fn holds(base: &RuleBase, rule: &Rule, tries: u64) -> bool {
    let sort = match is_predicate(base, rule) {
        true => Sort::Condition,
        false => Sort::Operator,
    };
    let parallel = Construct::Async.symbol();
    let apart = base.terms().functor(rule.pattern) == Some(parallel);
    (0..tries).all(|seed| {
        rule.results().all(|result| {
            let mut filler = Filler {
                rules: base.terms(),
                random: Pcg64::seed_from_u64(seed),
                bound: HashMap::new(),
                apart,
                saved: 0,
            };
            let mut terms = Terms::new();
            let [left, right] =
                [rule.pattern, result].map(|side| filler.fill(&mut terms, side, sort)[0]);
            let start = filler.random.next_u64();
            let predicate = sort == Sort::Condition;
            filler.run(&mut terms, left, predicate, start)
                == filler.run(&mut terms, right, predicate, start)
        })
    })
}

#[test]
fn what_is_tested_holds_on_the_reference_machine() {
    let mut sources = Sources::default();
    let base = base(&mut sources, "");
    let mut count = 0;
    for rule in laws(&base).filter(|r| r.law == Some(Law::Tested)) {
        count += 1;
        assert!(holds(&base, rule, 200), "{}", rule.name);
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn the_test_finds_false_laws() {
    for rule in [
        "#@rule(wrong) #@law(tested) After(Then($A, $B), $u) -> After($B, After($A, $u));",
        "#@rule(wrong) #@law(tested) After($A, $u) -> $u;",
        "#@rule(wrong) #@law(tested) After(If($v, $A, $B), $u) -> And(After($A, $u), After($B, $u));",
        "#@rule(wrong) #@law(tested) Then($C, If($u, $A, $B)) -> If($u, Then($C, $A), Then($C, $B));",
        "#@rule(wrong) #@law(tested) Async($A, $B) -> $A;",
    ] {
        let mut sources = Sources::default();
        let base = base(&mut sources, rule);
        let wrong = base.rule(Symbol::new("wrong")).expect("a rule");
        assert!(!holds(&base, wrong, 200), "{rule}");
    }
}
