//! Laws on the reference machine: both sides with random operators and predicates.

use super::apply::Base;
use super::cases::is_predicate;
use crate::algebra::{Construct, Precision, Sort, build};
use crate::check::check;
use crate::machine::{Kind, Limits, Machine, compile};
use crate::rewrite::Rule;
use crate::syntax::print::{Notation, Style, print};
use crate::syntax::text::read_file;
use crate::term::{Head, Id, Sources, Symbol, Terms};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::HashMap;

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
                let info = Construct::of(functor).map(Construct::info);
                let mut parts = Vec::new();
                for (i, &argument) in self.rules.args(id).iter().enumerate() {
                    let sort = info.and_then(|info| info.argument(i)).unwrap_or(sort);
                    parts.extend(self.fill(terms, argument, sort));
                }
                return vec![build(terms, functor, &parts)];
            }
            literal => return vec![terms.make(literal, &[])],
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
        let Some(functor) = terms.functor(id) else {
            return id;
        };
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
        let Some(functor) = terms.functor(id) else {
            return id;
        };
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

    /// What a side leaves in the cells; nothing within if it has no result, and nothing at all if
    /// it goes on for long.
    fn run(
        &mut self,
        terms: &mut Terms,
        side: Id,
        is_predicate: bool,
        start: u64,
    ) -> Option<Option<Vec<u64>>> {
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
            language: crate::algebra::Language::English,
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
        let file = sources.add("law", text);
        let mut read = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut read);
        if !errors.is_empty() {
            return None;
        }
        let scheme = check(&read, *items.first()?, Precision::F32).ok()?;
        let code = compile(&scheme)?;
        let limits = Limits {
            steps: 20_000,
            ..Limits::default()
        };
        let mut machine = Machine::new(&scheme, &code, limits);
        machine.start(&[]).ok()?;
        let done = machine.run();
        let cell = |name: &&str| {
            let cells = machine.get(Symbol::new(name)).unwrap_or_default();
            cells.first().copied().unwrap_or_default()
        };
        match done {
            Ok(()) => Some(Some(names.iter().map(cell).collect())),
            Err(error) if error.kind == Kind::Steps => None,
            Err(_) => Some(None),
        }
    }
}

/// For how many of so many random operands both sides of a rule were run and left the same; an error
/// names the first that did not.
///
/// # Errors
///
/// The seed of the first operands for which they did not.
pub fn held(base: &Base, rule: &Rule, tries: u64) -> Result<usize, u64> {
    let sort = match is_predicate(base, rule) {
        true => Sort::Condition,
        false => Sort::Operator,
    };
    let rules = base.base.terms();
    let parallel = Construct::Async.symbol();
    let apart = rules.functor(rule.pattern) == Some(parallel);
    let mut count = 0;
    for seed in 0..tries {
        for result in rule.results() {
            let mut filler = Filler {
                rules,
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
            let left = filler.run(&mut terms, left, predicate, start);
            let right = filler.run(&mut terms, right, predicate, start);
            match (left, right) {
                (Some(left), Some(right)) if left == right => count += 1,
                (Some(_), Some(_)) => return Err(seed),
                // What goes on for long may be endless, which is as good as no result.
                (None | Some(None), None | Some(None)) => count += 1,
                _ => {}
            }
        }
    }
    Ok(count)
}
