//! Declared basic operators and predicates: what their uses become.
//!
//! A use names its arguments; what it reads and writes follows from them and from the declaration. It is kept as
//! `Perform` or `Holds`, in which all of that stands, or expanded by its meaning as a phrase is.

mod arguments;
mod collected;
mod uses;

pub use uses::{LAUNCH, value_of_device};

use super::effects::Effects;
use super::elaborate::{Checker, Definition};
use super::phrases::root_name;
use crate::algebra::{Construct, definitions, needed, phrases_used};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A declaration of WHERE, in the source arena.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The `Basic` or `BasicTest` term.
    pub term: Id,
    /// What it means, as a definition; without a meaning, its body is the term.
    pub definition: Definition,
    /// Whether it has one.
    pub has_meaning: bool,
    /// The names of its arguments.
    pub formals: Vec<Symbol>,
    /// Their types and sizes, as `Variable` terms.
    pub types: FxHashMap<Symbol, Id>,
    /// What it reads and writes, as it is listed.
    pub reads: Vec<Id>,
    pub writes: Vec<Id>,
    /// The targets that it has code for.
    pub codes: Vec<Symbol>,
}

/// Which basic operators and predicates become what they mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expand {
    /// None: they stay as they are.
    #[default]
    Nothing,
    /// Those with a meaning that have no code at all.
    WithoutCode,
    /// All that have a meaning.
    All,
    /// Those with a meaning that have no code for where they stand.
    Without {
        /// The code that the host runs.
        host: &'static str,
        /// The code that kernels run.
        kernel: &'static str,
        /// The code with which the host has the device do what is all of a launch.
        launch: &'static str,
    },
}

impl Expand {
    /// Whether one that has code for targets is expanded, in a kernel or on the host.
    fn expands(self, codes: &[Symbol], in_kernel: bool, alone: bool) -> bool {
        match self {
            Expand::Nothing => false,
            Expand::WithoutCode => codes.is_empty(),
            Expand::All => true,
            Expand::Without {
                host,
                kernel,
                launch,
            } => {
                let has = |wanted: &str| codes.iter().any(|c| c.as_str() == wanted);
                !(alone && has(launch) || has(if in_kernel { kernel } else { host }))
            }
        }
    }
}

/// The parts of a declaration of one kind.
pub(super) fn clauses(terms: &Terms, term: Id, kind: Construct) -> impl Iterator<Item = Id> {
    let all = terms.args(term).iter().skip(2).copied();
    all.filter(move |&part| terms.functor(part) == Some(kind.symbol()))
}

impl Declared {
    pub(super) fn of(source: &Terms, term: Id) -> Option<Declared> {
        let [name, formals, ..] = *source.args(term) else {
            return None;
        };
        source.as_text(name)?;
        let is_test = source.functor(term) == Some(Construct::BasicTest.symbol());
        let meaning = [Construct::Meaning, Construct::MeaningTest];
        let meaning = meaning
            .into_iter()
            .find_map(|kind| clauses(source, term, kind).next())
            .map(|m| source.arg(m, 0));
        let listed = |kind| -> Vec<Id> {
            clauses(source, term, kind)
                .flat_map(|part| source.args(part).to_vec())
                .collect()
        };
        let types = clauses(source, term, Construct::Variable)
            .filter_map(|v| Some((source.as_atom(source.arg(v, 0))?, v)))
            .collect();
        let codes = clauses(source, term, Construct::Code)
            .filter_map(|code| source.as_atom(source.arg(code, 0)))
            .collect();
        Some(Declared {
            term,
            definition: Definition {
                formals,
                body: meaning.unwrap_or(term),
                is_test,
                span: source.span(name),
            },
            has_meaning: meaning.is_some(),
            formals: source
                .args(formals)
                .iter()
                .filter_map(|&f| source.as_atom(f))
                .collect(),
            types,
            reads: listed(Construct::Reads),
            writes: listed(Construct::Writes),
            codes,
        })
    }

    /// The names that stand for sizes of what is passed: those in declared sizes that are no arguments.
    pub(super) fn extents(&self, source: &Terms) -> FxHashSet<Symbol> {
        let sizes = self.formals.iter().flat_map(|&f| self.dims(source, f));
        let names = sizes.filter_map(|&size| source.as_atom(size));
        names.filter(|name| !self.formals.contains(name)).collect()
    }

    /// The sizes that are declared of an argument: none of a single value.
    pub(super) fn dims<'t>(&self, source: &'t Terms, formal: Symbol) -> &'t [Id] {
        let declared = self.types.get(&formal);
        declared.map_or(&[], |&v| source.args(source.arg(v, 2)))
    }
}

impl Checker<'_> {
    /// What a declaration names and assigns.
    pub(super) fn declared_effects(&self, declared: &Declared) -> Effects {
        let source = self.source;
        let mut effects = Effects {
            assigns_formal: vec![false; declared.formals.len()],
            ..Effects::default()
        };
        for &target in &declared.writes {
            let Some(root) = root_name(source, target) else {
                continue;
            };
            match declared.formals.iter().position(|&f| f == root) {
                Some(k) => effects.assigns_formal[k] = true,
                None => {
                    effects.assigns_data.insert(root);
                }
            }
        }
        let listed = declared.reads.iter().chain(&declared.writes);
        let named = listed.flat_map(|&part| crate::algebra::names(source, part));
        let extents = declared.extents(source);
        let data = named.filter(|n| !declared.formals.contains(n) && !extents.contains(n));
        effects.names_data.extend(data);
        effects
    }

    /// The definitions that a checked operator needs beside it, as they stand in the source: the declarations that it
    /// uses, and all that their meanings use.
    pub(super) fn used_basics(&self, body: Id) -> Vec<Id> {
        if self.basics.is_empty() {
            return Vec::new();
        }
        let all = self
            .root
            .map_or(&[][..], |root| definitions(self.source, root));
        needed(self.source, all, phrases_used(&self.terms, body))
    }
}
