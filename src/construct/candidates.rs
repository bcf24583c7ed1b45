//! A place → what could stand there, by the tables and by what can be named: the check has the last word.

use super::offers::Choice;
use super::place::{Place, Wants, open_number};
use super::put::{blank, blank_term};
use super::state::Constructor;
use crate::algebra::{
    COMPONENTS, CONSTANTS, Construct, FUNCTIONS, Role, Sort, TABLE, TYPE_NAMES, Type, loop_variable,
};
use crate::check::Named;
use crate::term::{Id, Symbol};

/// So many new names are thought of at a place.
const NEW_NAMES: usize = 3;

/// Constructs that are offered in other ways, or are made by the check or by rules alone.
const NOT_CHOSEN: [Construct; 6] = [
    Construct::Call,
    Construct::Test,
    Construct::Perform,
    Construct::Holds,
    Construct::Index,
    Construct::Apply,
];

/// Something that could be chosen, with a line on what it is.
pub(super) struct Candidate {
    pub(super) choice: Choice,
    pub(super) meaning: String,
}

impl Constructor {
    /// What could be put at a place.
    pub(super) fn candidates(&mut self, place: &Place) -> Vec<Candidate> {
        let mut all = Vec::new();
        match place.wants {
            Wants::Operator => {
                self.phrases(false, true, &mut all);
                self.constructs(Sort::Operator, &mut all);
                self.phrases(false, false, &mut all);
                if place.parent == Construct::Define {
                    all.push(left_to_others());
                }
            }
            Wants::Condition => {
                self.phrases(true, true, &mut all);
                self.values(place, |named| named.ty == Type::Bool, &mut all);
                self.constructs(Sort::Condition, &mut all);
                self.phrases(true, false, &mut all);
                if place.parent == Construct::Assume {
                    self.claims(&mut all);
                }
                if place.parent == Construct::DefineTest {
                    all.push(left_to_others());
                }
            }
            Wants::Expression => {
                self.values(place, |_| true, &mut all);
                self.literals(&mut all);
                self.constructs(Sort::Expression, &mut all);
                self.functions(&mut all);
                if place.seen.wanted.is_none_or(|ty| ty == "BOOLEAN") {
                    self.constructs(Sort::Condition, &mut all);
                    self.phrases(true, true, &mut all);
                    self.phrases(true, false, &mut all);
                }
            }
            Wants::Target => {
                self.values(place, |named| named.is_assignable, &mut all);
                self.components(&mut all);
            }
            Wants::NewName => {
                for name in self.new_names(place) {
                    self.named(name, "a new name", &mut all);
                }
            }
            Wants::Name => {
                let names = place.seen.names.clone();
                for named in names {
                    self.named(named.name, &described(&named), &mut all);
                }
            }
            Wants::Type => {
                for row in TYPE_NAMES {
                    self.named(row.name.into(), row.meaning, &mut all);
                }
            }
            Wants::Text => self.texts(place, &mut all),
            Wants::Item => self.items(&mut all),
            Wants::Option => {
                let option = blank_term(&mut self.terms, Construct::Option);
                all.push(one(option, Construct::Option.info().meaning));
            }
        }
        if place.is_optional {
            all.push(Candidate {
                choice: Choice::Nothing,
                meaning: "no more here".to_owned(),
            });
        }
        all
    }

    fn constructs(&mut self, sort: Sort, into: &mut Vec<Candidate>) {
        let rows = TABLE.iter().filter(|row| row.sort == sort);
        for row in rows.filter(|row| !NOT_CHOSEN.contains(&row.construct)) {
            if row.construct == Construct::Field {
                self.components(into);
                continue;
            }
            let term = blank_term(&mut self.terms, row.construct);
            into.push(one(term, row.meaning));
        }
    }

    fn phrases(&mut self, tests: bool, own: bool, into: &mut Vec<Candidate>) {
        let meaning = match (tests, own) {
            (true, true) => "a predicate of the scheme",
            (false, true) => "a phrase of the scheme",
            (true, false) => "a basic predicate",
            (false, false) => "a basic operator",
        };
        for term in self.known_phrases(tests, own) {
            into.push(one(term, meaning));
        }
    }

    /// Variables that can be named, and cells of arrays.
    fn values(&mut self, place: &Place, fits: impl Fn(&Named) -> bool, into: &mut Vec<Candidate>) {
        for named in place.seen.names.iter().filter(|n| fits(n)) {
            let name = self.terms.atom(named.name);
            let is_argument = place.parent == Construct::Call || place.parent == Construct::Test;
            let meaning = described(named);
            if named.rank == 0 || is_argument {
                into.push(one(name, &meaning));
            }
            if named.rank > 0 {
                let mut parts = vec![name];
                parts.extend((0..named.rank).map(|_| blank(&mut self.terms, Role::Expression)));
                let cell = self.terms.apply(Construct::Index.symbol(), &parts);
                into.push(one(cell, &format!("a cell of {meaning}")));
            }
        }
    }

    fn components(&mut self, into: &mut Vec<Candidate>) {
        for component in COMPONENTS {
            let vector = blank(&mut self.terms, Role::Expression);
            let field = self.terms.atom(component.into());
            let term = self
                .terms
                .apply(Construct::Field.symbol(), &[vector, field]);
            into.push(one(term, "a component of a vector"));
        }
    }

    fn literals(&mut self, into: &mut Vec<Candidate>) {
        for number in [0, 1, 2] {
            into.push(one(self.terms.int(number), "a number"));
        }
        for number in [0.0, 0.5, 1.0] {
            into.push(one(self.terms.real(number), "a number"));
        }
        for (name, _) in CONSTANTS {
            into.push(one(self.terms.atom((*name).into()), "a constant"));
        }
    }

    fn functions(&mut self, into: &mut Vec<Candidate>) {
        for row in FUNCTIONS.iter() {
            for arity in row.arity.0..=row.arity.1 {
                let mut parts = vec![self.terms.atom(row.name.into())];
                parts.extend((0..arity).map(|_| blank(&mut self.terms, Role::Expression)));
                let call = self.terms.apply(Construct::Apply.symbol(), &parts);
                into.push(one(call, row.meaning));
            }
        }
    }

    /// What can be claimed of loops and arrays.
    fn claims(&mut self, into: &mut Vec<Candidate>) {
        let (mut loops, mut arrays) = (Vec::new(), Vec::new());
        for id in self.terms.subterms(self.now.root) {
            let construct = self.terms.functor(id).and_then(Construct::of);
            let list = match construct {
                Some(Construct::Variable) => &mut arrays,
                _ if loop_variable(&self.terms, id).is_some() => &mut loops,
                _ => continue,
            };
            let first = self.terms.args(id).first().copied();
            let name = first
                .filter(|&n| open_number(&self.terms, n).is_none())
                .and_then(|n| self.terms.as_atom(n));
            list.extend(name.filter(|name| !list.contains(name)));
        }
        let claims = [
            ("independent", loops, "iterations that may be in any order"),
            (
                "injective",
                arrays,
                "an array that holds each subscript once",
            ),
        ];
        for (word, names, meaning) in claims {
            for name in names {
                let parts = [self.terms.atom(word.into()), self.terms.atom(name)];
                let claim = self.terms.apply(Construct::Apply.symbol(), &parts);
                into.push(one(claim, meaning));
            }
        }
    }

    /// Control points that may be waited for.
    fn texts(&mut self, place: &Place, into: &mut Vec<Candidate>) {
        if place.parent != Construct::Wait {
            return;
        }
        let mut points: Vec<Symbol> = Vec::new();
        for id in self.terms.subterms(self.now.root) {
            if self.terms.functor(id) == Some(Construct::ControlPoint.symbol())
                && let Some(&text) = self.terms.args(id).first()
                && open_number(&self.terms, text).is_none()
                && let Some(text) = self.terms.as_text(text)
                && !points.contains(&text)
            {
                points.push(text);
            }
        }
        for point in points {
            into.push(one(self.terms.text(point), "a control point"));
        }
    }

    /// Items of DATA: parameters, scalars and arrays with and without marks, and all else.
    fn items(&mut self, into: &mut Vec<Candidate>) {
        let parameter = blank_term(&mut self.terms, Construct::Parameter);
        into.push(one(parameter, Construct::Parameter.info().meaning));
        let marks: [&[&str]; 4] = [&[], &["INPUT"], &["OUTPUT"], &["INPUT", "OUTPUT"]];
        for rank in 0..=3 {
            for marks in marks {
                let variable = self.variable(rank, marks);
                let meaning = match rank {
                    0 => "a scalar",
                    1 => "an array",
                    2 => "an array of two dimensions",
                    _ => "an array of three dimensions",
                };
                into.push(one(variable, meaning));
            }
        }
        for construct in [
            Construct::DefaultInput,
            Construct::Work,
            Construct::Check,
            Construct::Assume,
        ] {
            let item = blank_term(&mut self.terms, construct);
            into.push(one(item, construct.info().meaning));
        }
    }

    fn variable(&mut self, rank: usize, marks: &[&str]) -> Id {
        let name = blank(&mut self.terms, Role::Name);
        let ty = blank(&mut self.terms, Role::Type);
        let sizes: Vec<Id> = (0..rank)
            .map(|_| blank(&mut self.terms, Role::Expression))
            .collect();
        let sizes = self.terms.apply(Construct::Dims.symbol(), &sizes);
        let marks: Vec<Id> = marks
            .iter()
            .map(|&mark| self.terms.atom(mark.into()))
            .collect();
        let marks = self.terms.apply(Construct::Marks.symbol(), &marks);
        let values = self.terms.apply(Construct::Values.symbol(), &[]);
        let parts = [name, ty, sizes, marks, values];
        self.terms.apply(Construct::Variable.symbol(), &parts)
    }

    fn named(&mut self, name: Symbol, meaning: &str, into: &mut Vec<Candidate>) {
        into.push(one(self.terms.atom(name), meaning));
    }

    /// Names for something new: those that calls have for an argument of a phrase, and letters that are free.
    fn new_names(&self, place: &Place) -> Vec<Symbol> {
        let mut names = Vec::new();
        let mut taken: Vec<Symbol> = Vec::new();
        if place.parent == Construct::Formals {
            let around = self.terms.subterms(self.now.root).find(|&id| {
                self.terms.args(id).iter().any(|&formals| {
                    self.terms.functor(formals) == Some(Construct::Formals.symbol())
                        && self
                            .terms
                            .args(formals)
                            .get(place.index)
                            .is_some_and(|&f| open_number(&self.terms, f) == Some(place.number))
                })
            });
            if let Some(definition) = around
                && let Some(phrase) = self.terms.as_text(self.terms.arg(definition, 0))
            {
                names = self.names_in_calls(phrase, place.index);
                let formals = self.terms.args(self.terms.arg(definition, 1));
                taken.extend(formals.iter().filter_map(|&f| self.terms.as_atom(f)));
                names.retain(|name| !taken.contains(name));
            }
        }
        // Names of DATA may come after the place.
        let declared = self.terms.subterms(self.now.root);
        taken.extend(declared.filter_map(|id| self.terms.as_atom(id)));
        let letters = match place.parent {
            Construct::ForLoop | Construct::ForStep | Construct::Parallel | Construct::Lanes => {
                "ijklmnpq"
            }
            Construct::Parameter => "NMKLPQRS",
            _ => "xyzuvwabcdefgh",
        };
        let letters = letters.chars().map(|c| Symbol::new(&c.to_string()));
        let free = letters.filter(|letter| !taken.contains(letter));
        names.extend(free.take(NEW_NAMES));
        names
    }
}

fn one(term: Id, meaning: &str) -> Candidate {
    Candidate {
        choice: Choice::Put(vec![term]),
        meaning: meaning.to_owned(),
    }
}

fn left_to_others() -> Candidate {
    Candidate {
        choice: Choice::Basic,
        meaning: "a basic one: nothing here defines it".to_owned(),
    }
}

/// The type of a name, in words.
fn described(named: &Named) -> String {
    let ty = named.ty.name(crate::algebra::Precision::F32);
    match (named.rank, named.is_loop) {
        (_, true) => "the variable of a loop".to_owned(),
        (0, _) if named.ty == Type::Unknown => "an argument".to_owned(),
        (0, _) => ty.to_owned(),
        (rank, _) => format!("{ty} [{}]", vec!["…"; rank].join(", ")),
    }
}
