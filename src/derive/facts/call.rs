//! A rule's question as a call: the arguments of a term become those of a Rust function.

use super::super::host::SchemeHost;
use super::super::parts::way_to;
use crate::algebra::{Operator, operator};
use crate::analysis::{self, Basis, Context};
use crate::check::Scheme;
use crate::rewrite::{Answer, Evidence, Redex, Status};
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashSet;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Where a question is asked, and by whom.
pub(crate) struct Call<'a> {
    /// The facts of the scheme.
    pub(crate) host: &'a mut SchemeHost,
    /// The engine's arena. A function's arguments and values are terms of it; those of a fact are
    /// terms of the scheme.
    pub(crate) terms: &'a mut Terms,
    /// What the rule matched.
    pub(crate) at: Redex<'a>,
}

impl Call<'_> {
    pub(super) fn scheme(&self) -> &Scheme {
        &self.host.scheme
    }

    /// The scheme's own node for a term of the engine.
    pub(super) fn own(&mut self, id: Id) -> Id {
        self.host.own(self.terms, id)
    }

    /// The context of what the rule matched.
    pub(super) fn context(&self) -> Rc<Context> {
        self.host.context(self.at.path)
    }

    /// The context of a loop with a body, which may stand deeper in what the rule matched.
    pub(super) fn loop_context(&self, body: Id) -> Rc<Context> {
        let path = self.loop_path(body);
        self.host.context(&path)
    }

    /// Where a loop with a body stands.
    pub(super) fn loop_path(&self, body: Id) -> Path {
        let scheme = self.scheme();
        let mut path = self.at.path.clone();
        let found = path
            .get(&scheme.terms, scheme.root)
            .is_some_and(|redex| way_to(&scheme.terms, redex, body, &mut path.0));
        if found {
            // The loop stands one step above its body.
            path.0.pop();
        }
        path
    }

    /// The nodes from the scheme's root to what the rule matched.
    pub(super) fn spine(&self) -> Vec<Id> {
        let scheme = self.scheme();
        let spine = self.at.path.spine(&scheme.terms, scheme.root);
        spine.unwrap_or_default()
    }

    /// LOCALs that are 0 at the place: they were declared before it in the sequences around it, and are not
    /// reached in between.
    pub(super) fn zero_locals(&self) -> Vec<Symbol> {
        let scheme = self.scheme();
        let terms = &scheme.terms;
        let spine = self.spine();
        let parents = spine.split_last().map_or(&[][..], |(_, parents)| parents);
        let mut reached: FxHashSet<Symbol> = FxHashSet::default();
        let mut zero = Vec::new();
        for (&parent, &index) in parents.iter().zip(&self.at.path.0).rev() {
            match operator(terms, parent) {
                Some(Operator::Then(all)) => {
                    for &before in all[..index as usize].iter().rev() {
                        if let Some(Operator::Local { name, value, .. }) = operator(terms, before)
                            && terms.as_int(value) == Some(0)
                            && !reached.contains(&name)
                        {
                            zero.push(name);
                        }
                        reached.extend(analysis::names_in(scheme, before));
                    }
                }
                Some(Operator::Array { .. } | Operator::If { .. }) => {}
                _ => break,
            }
        }
        zero
    }

    /// The names among terms of the scheme.
    pub(super) fn names(&self, terms: &[Id]) -> Vec<Symbol> {
        let scheme = &self.host.scheme;
        terms
            .iter()
            .filter_map(|&t| scheme.terms.as_atom(t))
            .collect()
    }

    /// Names as terms of the engine.
    pub(super) fn atoms(&mut self, names: impl IntoIterator<Item = Symbol>) -> Vec<Id> {
        names.into_iter().map(|n| self.terms.atom(n)).collect()
    }
}

/// What answers a call with terms.
type Answering<R> = Box<dyn Fn(&mut Call<'_>, &[Id]) -> R + Send + Sync>;

/// A row of a family's table; `R` is what its calls give.
pub(crate) struct Entry<R> {
    /// Its name in rules.
    pub(crate) name: &'static str,
    /// How many arguments it takes.
    pub(crate) takes: RangeInclusive<usize>,
    /// What it says or gives, for the page of the rules; arguments in the order of the call.
    pub(crate) meaning: &'static str,
    call: Answering<R>,
}

impl<R> Entry<R> {
    /// Calls it with arguments whose number it takes.
    pub(crate) fn call(&self, call: &mut Call<'_>, arguments: &[Id]) -> R {
        (self.call)(call, arguments)
    }
}

/// An argument of a question.
pub(super) trait Argument: Sized {
    /// How many terms it takes.
    const TAKES: (usize, usize) = (1, 1);

    /// Takes it from the front of the arguments left.
    fn take(terms: &Terms, left: &mut &[Id]) -> Option<Self>;
}

/// Any term.
impl Argument for Id {
    fn take(_: &Terms, left: &mut &[Id]) -> Option<Id> {
        let (&first, rest) = left.split_first()?;
        *left = rest;
        Some(first)
    }
}

/// A name, or a text that names.
impl Argument for Symbol {
    fn take(terms: &Terms, left: &mut &[Id]) -> Option<Symbol> {
        let id = Id::take(terms, left)?;
        terms.as_atom(id).or_else(|| terms.as_text(id))
    }
}

/// All that follow, `LEAST` or more.
pub(super) struct Rest<const LEAST: usize>(pub(super) Vec<Id>);

impl<const LEAST: usize> Argument for Rest<LEAST> {
    const TAKES: (usize, usize) = (LEAST, usize::MAX);

    fn take(_: &Terms, left: &mut &[Id]) -> Option<Self> {
        Some(Rest(std::mem::take(left).to_vec()))
    }
}

/// All that follow but the last, and the last.
pub(super) struct RestAndLast(pub(super) Vec<Id>, pub(super) Id);

impl Argument for RestAndLast {
    const TAKES: (usize, usize) = (1, usize::MAX);

    fn take(_: &Terms, left: &mut &[Id]) -> Option<Self> {
        let (&last, rest) = std::mem::take(left).split_last()?;
        Some(RestAndLast(rest.to_vec(), last))
    }
}

/// What the function behind a fact may return.
pub(super) trait Told {
    fn told(self) -> Option<Answer>;
}

impl Told for Answer {
    fn told(self) -> Option<Answer> {
        Some(self)
    }
}

impl Told for analysis::Answer {
    fn told(self) -> Option<Answer> {
        let evidence = |status, text, places| Evidence {
            text,
            status,
            places,
        };
        Some(match self {
            analysis::Answer::Yes(text, Basis::Proved) => {
                Answer::Yes(Evidence::new(Status::Proved, text))
            }
            analysis::Answer::Yes(text, Basis::Assumed) => {
                Answer::Yes(Evidence::new(Status::Assumed, text))
            }
            analysis::Answer::No(text, places) => {
                Answer::No(evidence(Status::Proved, text, places))
            }
            analysis::Answer::Unknown(text, places) => {
                Answer::Unknown(evidence(Status::Proved, text, places))
            }
        })
    }
}

impl<T: Told> Told for Option<T> {
    fn told(self) -> Option<Answer> {
        self.and_then(T::told)
    }
}

/// What the function behind a function of rules may return.
pub(super) trait Given {
    fn given(self) -> Result<Vec<Id>, String>;
}

impl Given for Id {
    fn given(self) -> Result<Vec<Id>, String> {
        Ok(vec![self])
    }
}

impl Given for Vec<Id> {
    fn given(self) -> Result<Vec<Id>, String> {
        Ok(self)
    }
}

impl<T: Given> Given for Result<T, String> {
    fn given(self) -> Result<Vec<Id>, String> {
        self.and_then(T::given)
    }
}

/// A Rust function with typed arguments, `A` of them.
pub(super) trait Answers<A, T>: Send + Sync + 'static {
    /// How many terms it takes, least and most.
    const TAKES: (usize, usize);

    /// Calls it with terms of an arena; none if one is not of its argument's kind.
    fn answer(&self, call: &mut Call<'_>, arena: Arena, arguments: &[Id]) -> Option<T>;
}

/// What arguments are terms of.
#[derive(Clone, Copy)]
pub(super) enum Arena {
    Scheme,
    Engine,
}

macro_rules! answers {
    ($($argument:ident)*) => {
        impl<Function, T, $($argument: Argument),*> Answers<($($argument,)*), T> for Function
        where
            Function: Fn(&mut Call<'_>, $($argument),*) -> T + Send + Sync + 'static,
        {
            const TAKES: (usize, usize) = (
                0 $(+ $argument::TAKES.0)*,
                0usize $(.saturating_add($argument::TAKES.1))*,
            );

            #[allow(non_snake_case, reason = "arguments are named by their types")]
            fn answer(&self, call: &mut Call<'_>, arena: Arena, arguments: &[Id]) -> Option<T> {
                let _terms = match arena {
                    Arena::Scheme => &call.host.scheme.terms,
                    Arena::Engine => &*call.terms,
                };
                let mut _left = arguments;
                $(let $argument = $argument::take(_terms, &mut _left)?;)*
                Some(self(call, $($argument),*))
            }
        }
    };
}

answers!();
answers!(A);
answers!(A B);
answers!(A B C);
answers!(A B C D);
answers!(A B C D E);
answers!(A B C D E F);
answers!(A B C D E F G);

/// The row of a fact.
pub(super) fn fact<A, T: Told>(
    name: &'static str,
    meaning: &'static str,
    function: impl Answers<A, T>,
) -> Entry<Option<Answer>> {
    entry(name, meaning, takes(&function), move |call, arguments| {
        let arguments: Vec<Id> = arguments.iter().map(|&a| call.own(a)).collect();
        function.answer(call, Arena::Scheme, &arguments)?.told()
    })
}

/// The row of a function.
pub(super) fn function<A, T: Given>(
    name: &'static str,
    meaning: &'static str,
    function: impl Answers<A, T>,
) -> Entry<Result<Vec<Id>, String>> {
    entry(name, meaning, takes(&function), move |call, arguments| {
        let given = function.answer(call, Arena::Engine, arguments);
        let wrong = || {
            let shown = arguments
                .iter()
                .map(|&a| print_term_short(call.terms, a, 60));
            let shown: Vec<String> = shown.collect();
            format!("`{name}` has no value for `{}`", shown.join(", "))
        };
        given.ok_or_else(wrong)?.given()
    })
}

fn takes<A, T, F: Answers<A, T>>(_: &F) -> RangeInclusive<usize> {
    F::TAKES.0..=F::TAKES.1
}

fn entry<R>(
    name: &'static str,
    meaning: &'static str,
    takes: RangeInclusive<usize>,
    call: impl Fn(&mut Call<'_>, &[Id]) -> R + Send + Sync + 'static,
) -> Entry<R> {
    Entry {
        name,
        takes,
        meaning,
        call: Box::new(call),
    }
}

/// The rows of facts, each named as the Rust function that answers it.
macro_rules! facts {
    ($($function:ident $meaning:literal;)*) => {
        vec![$($crate::derive::facts::call::fact(stringify!($function), $meaning, $function)),*]
    };
}

/// The rows of functions, each named as the Rust function that computes it.
macro_rules! functions {
    ($($function:ident $meaning:literal;)*) => {
        vec![$($crate::derive::facts::call::function(stringify!($function), $meaning, $function)),*]
    };
}

pub(super) use {facts, functions};
