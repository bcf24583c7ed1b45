//! The functors of a run, by number: new ones may come up while it goes on.

use super::cells::{ARGUMENTS, Cells, INT, REAL, SET, Shape, TEXT};
use super::code::{First, Root};
use crate::rewrite::evaluate::{Meaning, meaning};
use crate::rewrite::standard::table::{Form, form};
use crate::term::{Head, Symbol};
use rustc_hash::FxHashMap;

/// A functor with so many arguments.
pub(super) struct Functor {
    pub(super) head: Head,
    pub(super) name: &'static str,
    pub(super) arity: usize,
    /// Its kind's place in the order of terms.
    pub(super) rank: u8,
    /// The rules that may fire here, in the order in which they are tried.
    pub(super) candidates: Vec<Candidate>,
    pub(super) meaning: Option<Meaning>,
    /// What it gives on terms that are no literals, where no rule is for it.
    pub(super) form: Option<Form>,
    pub(super) is_if: bool,
    /// Whether it may have a value without any rule.
    pub(super) computes: bool,
    /// What its rules want to see at arguments.
    pub(super) wants: Wants,
}

/// A rule that may fire at the cells of a functor.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) rule: u32,
    /// The word of the cell that leads to another one of a functor, before anything else is looked at; 0 if none does.
    pub(super) word: u32,
    pub(super) functor: u32,
    /// Whether that is the whole first test of the rule: the other cell is the first that the pattern goes through.
    pub(super) is_first: bool,
    /// Whether the rule does no more than to make a result of what its tests found.
    pub(super) is_direct: bool,
}

/// Functors that rules want to see at the arguments of their redexes.
#[derive(Clone, Default)]
pub(super) struct Wants {
    pub(super) firsts: Vec<First>,
    /// Whether the first of them is a rule's first test, of a cell.
    pub(super) is_first: bool,
    /// Whether it does no more than to make a result of what its tests found.
    pub(super) is_direct: bool,
    /// Whether any change may make a redex.
    pub(super) all: bool,
}

/// Rules by what their patterns begin with.
#[derive(Default)]
pub(super) struct Index {
    pub(super) by_functor: FxHashMap<Symbol, Vec<u32>>,
    pub(super) any: Vec<u32>,
    /// What each rule's pattern begins with, and how many levels below its redex it looks.
    pub(super) roots: Vec<(Root, usize)>,
}

impl Index {
    pub(super) fn note(&mut self, number: u32, functor: Option<Symbol>, root: (Root, usize)) {
        self.roots.push(root);
        match functor {
            Some(name) => self.by_functor.entry(name).or_default().push(number),
            None => self.any.push(number),
        }
    }
}

/// All functors of a run.
pub(super) struct Functors {
    pub(super) list: Vec<Functor>,
    numbers: FxHashMap<(u8, Symbol, usize), u32>,
    index: Index,
    /// By rule.
    wants: Vec<Wants>,
}

/// The key of what holds the terms of a sequence variable.
const SEQUENCE: u8 = 4;

impl Functors {
    /// The functors that every run has, in the order of their numbers.
    pub(super) fn new(cells: &mut Cells, index: Index) -> Functors {
        let mut functors = Functors {
            list: Vec::new(),
            numbers: FxHashMap::default(),
            index,
            wants: Vec::new(),
        };
        let name = |name: &str| Head::Functor(Symbol::new(name));
        functors.add(cells, Head::Int(0), 0, (2, 0));
        functors.add(cells, Head::Real(0.0), 0, (2, 0));
        functors.add(cells, Head::Text(Symbol::new("")), 0, (1, 0));
        functors.number(cells, name("True"), 0);
        functors.number(cells, name("False"), 0);
        functors.add(cells, name(crate::syntax::rules::SET), 0, (0, 1));
        // Trees are no terms: no rule looks at them.
        for (name, shape) in [("tree", (1, 3)), ("empty", (0, 0))] {
            functors.add(cells, Head::Functor(Symbol::new(name)), 0, shape);
            if let (Some(functor), Some(shape)) =
                (functors.list.last_mut(), cells.shapes.last_mut())
            {
                functor.candidates.clear();
                shape.inert = true;
            }
        }
        cells.make(super::cells::EMPTY, &[]);
        functors
    }

    /// The number of a functor with so many arguments; of a set it is another one.
    pub(super) fn number(&mut self, cells: &mut Cells, head: Head, arity: usize) -> u32 {
        let key = match head {
            Head::Functor(name) => (0, name, arity),
            Head::Variable(name) => (1, name, arity),
            Head::Sequence(name) => (2, name, arity),
            Head::Int(_) => return INT,
            Head::Real(_) => return REAL,
            Head::Text(_) => return TEXT,
        };
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.add(cells, head, arity, (0, arity as u32));
        self.numbers.insert(key, number);
        number
    }

    /// The number of what holds the terms of a sequence variable.
    pub(super) fn sequence(&mut self, cells: &mut Cells, count: usize) -> u32 {
        let name = Symbol::new("");
        if let Some(&number) = self.numbers.get(&(SEQUENCE, name, count)) {
            return number;
        }
        let number = self.add(cells, Head::Functor(name), count, (0, count as u32));
        self.numbers.insert((SEQUENCE, name, count), number);
        number
    }

    fn add(&mut self, cells: &mut Cells, head: Head, arity: usize, shape: (u32, u32)) -> u32 {
        let number = self.list.len() as u32;
        let (rank, name) = match head {
            Head::Int(_) => (0, ""),
            Head::Real(_) => (1, ""),
            Head::Text(_) => (2, ""),
            Head::Functor(name) => (3, name.as_str()),
            Head::Variable(name) => (4, name.as_str()),
            Head::Sequence(name) => (5, name.as_str()),
        };
        let fits = |rule: &u32| match (self.index.roots[*rule as usize].0, head) {
            (Root::Anything, _) => true,
            (Root::Literal(kind), _) => kind == number,
            (Root::AnyFunctor, head) => matches!(head, Head::Functor(_)),
            (Root::Functor(count), Head::Functor(_)) => {
                number == SET || count.is_none_or(|count| count == arity)
            }
            (Root::Functor(_), _) => false,
        };
        let own = match head {
            Head::Functor(name) => self.index.by_functor.get(&name),
            _ => None,
        };
        let form = match head {
            Head::Functor(symbol) if !own.into_iter().flatten().any(fits) => form(symbol, arity),
            _ => None,
        };
        let rules = own.into_iter().flatten().chain(&self.index.any);
        let candidates: Vec<u32> = rules.copied().filter(fits).collect();
        let looks = |&rule: &u32| self.index.roots[rule as usize].1;
        let sight = candidates.iter().map(looks).max().unwrap_or(0);
        let candidates: Vec<Candidate> =
            candidates.into_iter().map(|r| self.candidate(r)).collect();
        let meaning = match head {
            Head::Functor(symbol) => meaning(symbol, arity),
            _ => None,
        };
        let is_if = arity == 3 && rank == 3 && name == "if";
        let standard = usize::from(meaning.is_some() || is_if);
        cells.shapes.push(Shape {
            raw: shape.0,
            arguments: shape.1,
            inert: candidates.is_empty() && meaning.is_none() && !is_if && form.is_none(),
            sight: u16::try_from(sight.max(standard)).unwrap_or(u16::MAX),
        });
        let wants = self.wanted(&candidates);
        self.list.push(Functor {
            head,
            name,
            arity,
            rank,
            candidates,
            meaning,
            form,
            is_if,
            computes: meaning.is_some() || is_if || form.is_some(),
            wants,
        });
        number
    }

    /// Notes what each rule wants to see at arguments.
    pub(super) fn want(&mut self, wants: Vec<Wants>) {
        self.wants = wants;
        for i in 0..self.list.len() {
            self.list[i].wants = self.wanted(&self.list[i].candidates);
            for k in 0..self.list[i].candidates.len() {
                let rule = self.list[i].candidates[k].rule;
                self.list[i].candidates[k] = self.candidate(rule);
            }
        }
    }

    fn candidate(&self, rule: u32) -> Candidate {
        let wants = self.wants.get(rule as usize);
        let first = wants.and_then(|wants| wants.firsts.first());
        Candidate {
            rule,
            word: first.map_or(0, |first| ARGUMENTS as u32 + first.argument),
            functor: first.map_or(0, |first| first.functor),
            is_first: wants.is_some_and(|wants| wants.is_first),
            is_direct: wants.is_some_and(|wants| wants.is_direct),
        }
    }

    fn wanted(&self, rules: &[Candidate]) -> Wants {
        let mut wanted = Wants::default();
        for wants in rules
            .iter()
            .filter_map(|candidate| self.wants.get(candidate.rule as usize))
        {
            wanted.all |= wants.all;
            wanted.firsts.extend(&wants.firsts);
        }
        wanted
    }

    /// Whether there are rules for a functor.
    pub(super) fn has_rules(&self, functor: Symbol) -> bool {
        self.index.by_functor.contains_key(&functor)
    }

    /// Whether the rules have none for the standard `if`.
    pub(super) fn has_standard_if(&self) -> bool {
        !self.has_rules(Symbol::new("if"))
    }
}
