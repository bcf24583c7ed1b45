//! Random families: each member is the scheme whose text was written without any choice.
//!
//! `FAMILIES=10000 cargo test --release --test family` tries more of them.

use super::{member_of, printed};
use glushkov::algebra::Precision;
use glushkov::check::check;
use glushkov::term::with_deep_stack;
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// What is given to a member: two numbers and a word; then the indices around.
#[derive(Clone)]
struct Chosen {
    values: Vec<(String, i64)>,
    word: &'static str,
}

const WORDS: [&str; 3] = ["red", "dark blue", "green"];

/// A number over what is given.
#[derive(Clone, Debug)]
enum Number {
    Literal(i64),
    Name(String),
    Plus(Box<Number>, Box<Number>),
    Times(Box<Number>, Box<Number>),
}

#[derive(Clone, Debug)]
enum Condition {
    Less(Number, Number),
    Even(Number),
    Word(&'static str),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// An operator; a name with an index is `x{k + n}`.
#[derive(Clone, Debug)]
enum Part {
    Assign(Number),
    Indexed(String, i64),
    Call(String),
    ByWord,
    Loop(Vec<Part>),
    GivenIf(Condition, Vec<Part>, Vec<Part>),
    GivenFor(String, i64, Number, Vec<Part>),
}

struct Maker {
    random: Pcg64,
}

impl Maker {
    fn below(&mut self, n: u32) -> u32 {
        self.random.random_range(0..n)
    }

    fn name(&mut self, indices: &[String]) -> String {
        let n = self.below(2 + indices.len() as u32) as usize;
        match n {
            0 => "d".to_owned(),
            1 => "e".to_owned(),
            _ => indices[n - 2].clone(),
        }
    }

    fn number(&mut self, indices: &[String], depth: u32) -> Number {
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => Number::Literal(i64::from(self.below(4))),
            1 => Number::Name(self.name(indices)),
            2 => Number::Plus(
                Box::new(self.number(indices, depth - 1)),
                Box::new(self.number(indices, depth - 1)),
            ),
            _ => Number::Times(
                Box::new(self.number(indices, depth - 1)),
                Box::new(self.number(indices, depth - 1)),
            ),
        }
    }

    fn condition(&mut self, indices: &[String], depth: u32) -> Condition {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => Condition::Less(self.number(indices, 1), self.number(indices, 1)),
            1 => Condition::Even(self.number(indices, 1)),
            2 => Condition::Word(WORDS[self.below(3) as usize]),
            3 => Condition::Not(Box::new(self.condition(indices, depth - 1))),
            4 => Condition::And(
                Box::new(self.condition(indices, depth - 1)),
                Box::new(self.condition(indices, depth - 1)),
            ),
            _ => Condition::Or(
                Box::new(self.condition(indices, depth - 1)),
                Box::new(self.condition(indices, depth - 1)),
            ),
        }
    }

    fn parts(&mut self, indices: &mut Vec<String>, depth: u32) -> Vec<Part> {
        let count = self.below(4);
        (0..count).map(|_| self.part(indices, depth)).collect()
    }

    fn part(&mut self, indices: &mut Vec<String>, depth: u32) -> Part {
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => Part::Assign(self.number(indices, 2)),
            1 => Part::Indexed(self.name(indices), i64::from(self.below(3))),
            2 => Part::Call(self.name(indices)),
            3 => Part::ByWord,
            4 => Part::Loop(self.parts(indices, depth - 1)),
            5 | 6 => Part::GivenIf(
                self.condition(indices, 2),
                self.parts(indices, depth - 1),
                self.parts(indices, depth - 1),
            ),
            _ => {
                let index = format!("k{}", indices.len());
                let to = Number::Plus(
                    Box::new(Number::Name(self.name(indices))),
                    Box::new(Number::Literal(i64::from(self.below(2)))),
                );
                let from = i64::from(self.below(2));
                indices.push(index.clone());
                let body = self.parts(indices, depth - 1);
                indices.pop();
                Part::GivenFor(index, from, to, body)
            }
        }
    }
}

impl Number {
    /// As it is written; with a choice, with the values in the names' places.
    fn text(&self, chosen: Option<&Chosen>) -> String {
        match (self, chosen) {
            (Number::Literal(i), _) => i.to_string(),
            (Number::Name(name), None) => name.clone(),
            (Number::Name(name), Some(chosen)) => chosen.number(name).to_string(),
            (Number::Plus(a, b), _) => format!("({} + {})", a.text(chosen), b.text(chosen)),
            (Number::Times(a, b), _) => format!("({} * {})", a.text(chosen), b.text(chosen)),
        }
    }

    fn value(&self, chosen: &Chosen) -> i64 {
        match self {
            Number::Literal(i) => *i,
            Number::Name(name) => chosen.number(name),
            Number::Plus(a, b) => a.value(chosen) + b.value(chosen),
            Number::Times(a, b) => a.value(chosen) * b.value(chosen),
        }
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Less(a, b) => format!("{} < {}", a.text(None), b.text(None)),
            Condition::Even(a) => format!("{} MOD 2 = 0", a.text(None)),
            Condition::Word(word) => format!("word = \"{word}\""),
            Condition::Not(a) => format!("NOT ({})", a.text()),
            Condition::And(a, b) => format!("({}) AND ({})", a.text(), b.text()),
            Condition::Or(a, b) => format!("({}) OR ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, chosen: &Chosen) -> bool {
        match self {
            Condition::Less(a, b) => a.value(chosen) < b.value(chosen),
            Condition::Even(a) => a.value(chosen) % 2 == 0,
            Condition::Word(word) => *word == chosen.word,
            Condition::Not(a) => !a.holds(chosen),
            Condition::And(a, b) => a.holds(chosen) && b.holds(chosen),
            Condition::Or(a, b) => a.holds(chosen) || b.holds(chosen),
        }
    }
}

impl Chosen {
    fn number(&self, name: &str) -> i64 {
        let found = self.values.iter().find(|(n, _)| n == name);
        found.expect("a name that is given").1
    }

    /// With an index around.
    fn with(&self, index: &str, value: i64) -> Chosen {
        let mut values = self.values.clone();
        values.push((index.to_owned(), value));
        Chosen {
            values,
            word: self.word,
        }
    }
}

/// The operators of a family, in order.
fn of_family(parts: &[Part], into: &mut Vec<String>) {
    let body = |parts: &[Part]| {
        let mut all = Vec::new();
        of_family(parts, &mut all);
        all.join("; ")
    };
    for part in parts {
        into.push(match part {
            Part::Assign(number) => format!("s := s + {}", number.text(None)),
            Part::Indexed(name, n) => format!("x{{{name} + {n}}} := s"),
            Part::Call(name) => format!("\"Add {{{name}}} to (s)\""),
            Part::ByWord => "\"Colour it {word}\"".to_owned(),
            Part::Loop(parts) => format!("FOR (i FROM 0 TO 1) LOOP {} END OF LOOP", body(parts)),
            Part::GivenIf(u, yes, no) => format!(
                "GIVEN IF {} THEN {} ELSE {} END GIVEN",
                u.text(),
                body(yes),
                body(no)
            ),
            Part::GivenFor(index, from, to, parts) => format!(
                "GIVEN FOR ({index} FROM {from} TO {}) {} END GIVEN",
                to.text(None),
                body(parts)
            ),
        });
    }
}

/// The operators of a member, in order.
fn of_member(parts: &[Part], chosen: &Chosen, into: &mut Vec<String>) {
    for part in parts {
        match part {
            Part::Assign(number) => into.push(format!("s := s + {}", number.text(Some(chosen)))),
            Part::Indexed(name, n) => into.push(format!("x{} := s", chosen.number(name) + n)),
            Part::Call(name) => into.push(format!("\"Add {} to (s)\"", chosen.number(name))),
            Part::ByWord => into.push(format!("\"Colour it {}\"", chosen.word)),
            Part::Loop(parts) => {
                let mut all = Vec::new();
                of_member(parts, chosen, &mut all);
                into.push(format!(
                    "FOR (i FROM 0 TO 1) LOOP {} END OF LOOP",
                    all.join("; ")
                ));
            }
            Part::GivenIf(u, yes, no) => {
                let part = if u.holds(chosen) { yes } else { no };
                of_member(part, chosen, into);
            }
            Part::GivenFor(index, from, to, parts) => {
                for value in *from..=to.value(chosen) {
                    of_member(parts, &chosen.with(index, value), into);
                }
            }
        }
    }
}

/// So many variables and phrases are declared that every index has one.
const MOST: i64 = 12;

/// A scheme with what stands before DATA, its operators, and definitions by the number and the words.
fn text(givens: &str, data: &str, body: &[String], definitions: &str) -> String {
    format!(
        "SCHEME \"random\" ====\n{givens}DATA\n  s : INTEGER OUTPUT\n{data}END OF DATA\n  s := 0;\n  {}\nWHERE\n{definitions}END OF SCHEME\n",
        body.join(";\n  ")
    )
}

#[test]
fn members_are_what_is_written_without_a_choice() {
    let asked = std::env::var("FAMILIES").ok().and_then(|n| n.parse().ok());
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(3),
    };
    let (mut members, mut sizes) = (0, 0);
    for _ in 0..asked.unwrap_or(300) {
        let parts = maker.parts(&mut Vec::new(), 4);
        let mut body = Vec::new();
        of_family(&parts, &mut body);
        let givens = "GIVEN d IN {0, 1, 2}\nGIVEN e IN 1..2\nGIVEN word IN {\"red\", \"dark blue\", \"green\"}\n";
        let data = format!("GIVEN FOR (n FROM 0 TO {MOST}) x{{n}} : INTEGER END GIVEN\n");
        let definitions = format!(
            "GIVEN FOR (n FROM 0 TO {MOST}) \"Add {{n}} to (a)\" ==== a := a + n END GIVEN\n\
             GIVEN IF word = \"red\" THEN \"Colour it {{word}}\" ==== x0 := d\nELSE \"Colour it {{word}}\" ==== x1 := d * e END GIVEN\n"
        );
        let family = text(givens, &data, &body, &definitions);
        for d in 0..=2 {
            for e in 1..=2 {
                let word = WORDS[maker.below(3) as usize];
                let values = vec![("d".to_owned(), d), ("e".to_owned(), e)];
                let chosen = Chosen { values, word };
                let mut body = Vec::new();
                of_member(&parts, &chosen, &mut body);
                let data: String = (0..=MOST).map(|n| format!("  x{n} : INTEGER\n")).collect();
                let mut definitions: String = (0..=MOST)
                    .map(|n| format!("  \"Add {n} to (a)\" ==== a := a + {n}\n"))
                    .collect();
                definitions.push_str(&match word {
                    "red" => format!("  \"Colour it red\" ==== x0 := {d}\n"),
                    word => format!("  \"Colour it {word}\" ==== x1 := {d} * {e}\n"),
                });
                let plain = text("", &data, &body, &definitions);
                compare(&family, &chosen, &plain);
                members += 1;
                sizes += body.len();
            }
        }
    }
    assert!(sizes > members, "{members} members have {sizes} operators");
}

fn compare(family: &str, chosen: &Chosen, plain: &str) {
    let mut given: Vec<String> = chosen
        .values
        .iter()
        .map(|(n, v)| format!("{n}={v}"))
        .collect();
    given.push(format!("word={}", chosen.word));
    let member = member_of(family, &given);
    let member = member.unwrap_or_else(|failure| panic!("{family}\n{given:?}: {}", failure.said()));
    let wanted = member_of(plain, &[]);
    let wanted = wanted.unwrap_or_else(|failure| panic!("{plain}\n{}", failure.said()));
    let same = member
        .terms
        .equal_across(member.root, &wanted.terms, wanted.root);
    assert!(
        same,
        "{family}\n{given:?}\n{}\nis not\n{}",
        printed(&member),
        printed(&wanted)
    );
    let checked = with_deep_stack(|| check(&member.terms, member.root, Precision::F32).map(|_| ()));
    assert!(checked.is_ok(), "{family}\n{given:?}: {checked:?}");
}
