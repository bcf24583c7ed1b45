//! Basic operators and predicates that are declared: what their uses become.
//!
//! A use names its arguments; what it reads and writes follows from them and from the declaration. It is kept as
//! `Perform` or `Holds`, in which all of that stands, or expanded by its meaning as a phrase is.

use super::effects::Effects;
use super::elaborate::{Checker, Context, Definition, Meaning};
use super::scheme::{Scheme, author_name};
use super::scope::Frame;
use crate::algebra::{Construct, Type};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Span, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A declaration of WHERE, in the source arena.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// The `Basic` or `BasicTest` term.
    pub term: Id,
    /// What it means, as a definition; without a meaning, its body is the term.
    pub definition: Definition,
    pub has_meaning: bool,
    /// The names of its arguments.
    pub formals: Vec<Symbol>,
    /// Their types and sizes, as `Variable` terms.
    pub types: FxHashMap<Symbol, Id>,
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
    /// Whether nothing of a scheme's basic operators is left by it.
    pub fn expands_all(self, scheme: &Scheme) -> bool {
        scheme.basics.values().all(|basic| basic.has_meaning)
    }

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
    /// Notes a declaration.
    pub(super) fn collect_basic(&mut self, term: Id) {
        let source = self.source;
        let Some(declared) = Declared::of(source, term) else {
            return;
        };
        let name = source.as_text(source.arg(term, 0)).expect("looked at");
        let old = self.definitions.get(&name).map(|d| d.span);
        let old = old.or_else(|| self.basics.get(&name).map(|b| b.definition.span));
        if let Some(old) = old {
            self.report(
                Diagnostic::error("E0215", format!("\"{name}\" is defined twice"))
                    .at(declared.definition.span)
                    .also(old, "defined here before")
                    .hint("delete one of the definitions, or change its words"),
            );
            return;
        }
        for (&typed, &variable) in &declared.types {
            if !declared.formals.contains(&typed) {
                self.report(
                    Diagnostic::error("E0224", format!("\"{name}\" has no argument `{typed}`"))
                        .at(source.span(source.arg(variable, 0)))
                        .also(declared.definition.span, "its arguments stand here")
                        .hint("types are those of the names in the phrase's parentheses"),
                );
            }
        }
        for wording in clauses(source, term, Construct::Translation) {
            if source
                .as_atom(source.arg(wording, 0))
                .is_some_and(|c| c.as_str() == "latex")
            {
                continue;
            }
            let wordings = (
                source.as_text(source.arg(wording, 1)),
                source.arg(wording, 2),
            );
            if let (Some(text), names) = wordings
                && text != name
            {
                let names = source.args(names).iter().filter_map(|&n| source.as_atom(n));
                let old = self.wordings.insert(text, (name, names.collect()));
                if let Some((other, _)) = old.filter(|(other, _)| *other != name) {
                    let other = self.basics.get(&other).and_then(|b| b.definition.span);
                    self.said_twice(text, source.span(wording), other);
                }
            }
        }
        self.basics.insert(name, declared);
    }

    /// Wordings of basic operators that define something else, too.
    pub(super) fn check_wordings(&mut self) {
        let source = self.source;
        let terms: Vec<Id> = self.basics.values().map(|b| b.term).collect();
        for wording in terms
            .into_iter()
            .flat_map(|term| clauses(source, term, Construct::Translation))
        {
            let Some(text) = source.as_text(source.arg(wording, 1)) else {
                continue;
            };
            let Some((of, _)) = self.wordings.get(&text) else {
                continue;
            };
            let basic = self.basics.get(&text).filter(|_| *of != text);
            let other = basic.map(|b| b.definition.span);
            let other = other.or_else(|| self.definitions.get(&text).map(|d| d.span));
            if let Some(other) = other {
                self.said_twice(text, source.span(wording), other);
            }
        }
    }

    fn said_twice(&mut self, text: Symbol, at: Option<Span>, other: Option<Span>) {
        self.report(
            Diagnostic::error("E0215", format!("\"{text}\" is defined twice"))
                .at(at)
                .also(other, "defined here, too")
                .hint("what two operators are called must differ in every language"),
        );
    }

    /// The declaration that a phrase in any of its wordings names, and the arguments in its order.
    pub(super) fn declared(&self, phrase: Symbol, arguments: &[Id]) -> Option<(Symbol, Vec<Id>)> {
        if self.basics.contains_key(&phrase) {
            return Some((phrase, arguments.to_vec()));
        }
        let (name, order) = self.wordings.get(&phrase)?;
        let formals = &self.basics.get(name)?.formals;
        let place = |formal: &Symbol| order.iter().position(|o| o == formal);
        let turned = formals.iter().map(|f| arguments.get(place(f)?).copied());
        Some((*name, turned.collect::<Option<_>>()?))
    }

    /// Whether a use that stands here becomes what it means.
    fn expands(&self, declared: &Declared) -> bool {
        let Context { kernel, alone, .. } = self.context;
        declared.has_meaning && self.expand.expands(&declared.codes, kernel, alone)
    }

    /// A use of a basic operator: it, or what it means.
    pub(super) fn perform(&mut self, name: Symbol, arguments: &[Id], id: Id, into: &mut Vec<Id>) {
        let declared = self.basics[&name].clone();
        if declared.definition.is_test {
            self.report(
                Diagnostic::error(
                    "E0214",
                    format!("\"{name}\" is declared as a predicate, and something must act here"),
                )
                .at(self.source.span(id))
                .also(declared.definition.span, "declared here"),
            );
            return;
        }
        if self.expands(&declared) {
            self.expand_basic(name, &declared, arguments, id, into);
            return;
        }
        if let Some(parts) = self.parts_of_use(name, &declared, arguments, id) {
            let new = self.make(Construct::Perform, &parts, Type::Unknown, id);
            into.push(new);
        }
    }

    /// A use of a basic predicate: it, or what it means.
    pub(super) fn holds(&mut self, name: Symbol, arguments: &[Id], id: Id) -> Id {
        let declared = self.basics[&name].clone();
        let wrong = self.make(Construct::False, &[], Type::Bool, id);
        if !declared.definition.is_test {
            self.report(
                Diagnostic::error(
                    "E0214",
                    format!("'{name}' is declared as an operator, and a predicate is needed here"),
                )
                .at(self.source.span(id))
                .also(declared.definition.span, "declared here"),
            );
            return wrong;
        }
        let kept = self.parts_of_use(name, &declared, arguments, id);
        if self.expands(&declared) {
            let mut frame = Frame::default();
            for (&formal, &argument) in declared.formals.iter().zip(arguments) {
                let actual = self.argument_of_undefined(argument);
                frame.push(formal, Meaning::Stands(actual));
            }
            self.push_extents(&declared, &mut frame);
            self.frames.push(frame);
            self.expanding.push(name);
            let condition = self.condition(declared.definition.body);
            self.expanding.pop();
            self.frames.pop();
            return condition;
        }
        match kept {
            Some(parts) => self.make(Construct::Holds, &parts[..3], Type::Bool, id),
            None => wrong,
        }
    }

    /// What a use becomes: its name, its arguments, what it reads and what it writes.
    fn parts_of_use(
        &mut self,
        name: Symbol,
        declared: &Declared,
        arguments: &[Id],
        id: Id,
    ) -> Option<[Id; 4]> {
        self.expanded.insert(name);
        let formals = &declared.formals;
        if formals.len() != arguments.len() {
            let (found, wanted) = (arguments.len(), formals.len());
            self.wrong_number(name, declared.definition, found, wanted, id);
            return None;
        }
        let effects = self.effects_of(name);
        let mut frame = Frame::default();
        let mut actuals = Vec::new();
        for (k, (&formal, &argument)) in formals.iter().zip(arguments).enumerate() {
            let actual = self.actual(declared, formal, argument, effects.assigns_formal[k])?;
            frame.push(formal, Meaning::Stands(actual));
            actuals.push(actual);
        }
        self.push_extents(declared, &mut frame);
        self.frames.push(frame);
        for &formal in formals {
            self.check_sizes_of(declared, formal, id);
        }
        let mut listed = [Vec::new(), Vec::new()];
        for (list, all) in listed.iter_mut().zip([&declared.reads, &declared.writes]) {
            let is_write = std::ptr::eq(all, &raw const declared.writes);
            for &one in all {
                list.push(self.effect(one, is_write));
            }
        }
        self.frames.pop();
        self.check_reached_once(&effects, &actuals, arguments, id)?;
        let text = self.leaf(Head::Text(name), Type::Unknown, id);
        let none = Type::Unknown;
        let [reads, writes] = listed;
        Some([
            text,
            self.make(Construct::Arguments, &actuals, none, id),
            self.make(Construct::Reads, &reads, none, id),
            self.make(Construct::Writes, &writes, none, id),
        ])
    }

    /// An argument as it is passed: an array as a whole, a variable or cell that is written, a value.
    fn actual(
        &mut self,
        declared: &Declared,
        formal: Symbol,
        argument: Id,
        is_written: bool,
    ) -> Option<Id> {
        let source = self.source;
        if self.is_open_source(argument) {
            self.meet(argument);
            return Some(self.leaf(source.head(argument), Type::Unknown, argument));
        }
        let span = source.span(argument);
        let ty = declared
            .types
            .get(&formal)
            .map(|&v| self.named_type(source.arg(v, 1)));
        let rank = declared.dims(source, formal).len();
        let array = self.array_meant(argument);
        let Some(array) = array else {
            if rank > 0 {
                self.report(
                    Diagnostic::error(
                        "E0204",
                        format!("`{formal}` is an array, and one value stands here"),
                    )
                    .at(span)
                    .also(declared.definition.span, "declared here"),
                );
                return None;
            }
            let new = match is_written {
                true => self.target(argument),
                false => self.expression(argument),
            };
            if let Some(ty) = ty {
                match is_written {
                    true => self.expect_same_type(self.type_of(new), ty, formal, argument),
                    false => self.expect_assignable(new, ty, argument),
                }
            }
            return Some(new);
        };
        let variable = &self.variables[&array];
        let (found, found_rank, constant) =
            (variable.ty, variable.dims.len(), variable.is_constant());
        if is_written && constant {
            let declared = variable.span;
            self.report(
                Diagnostic::error(
                    "E0205",
                    format!(
                        "`{}` is passed to an operator that writes it, and it cannot be written",
                        author_name(array)
                    ),
                )
                .at(span)
                .also(declared, "declared here"),
            );
        }
        if let Some(ty) = ty {
            self.expect_same_type(found, ty, formal, argument);
            if rank != found_rank {
                self.report(
                    Diagnostic::error(
                        "E0204",
                        format!("`{formal}` has {rank} subscript(s), and what is passed has {found_rank}"),
                    )
                    .at(span)
                    .also(declared.definition.span, "declared here"),
                );
                return None;
            }
        }
        Some(self.leaf(Head::Functor(array), Type::Unknown, argument))
    }

    fn expect_same_type(&mut self, found: Type, wanted: Type, formal: Symbol, argument: Id) {
        if found == wanted || found == Type::Unknown || wanted == Type::Unknown {
            return;
        }
        let (found, wanted) = (self.name_of(found), self.name_of(wanted));
        self.report(
            Diagnostic::error(
                "E0203",
                format!("`{formal}` is of {wanted}, and this is of {found}"),
            )
            .at(self.source.span(argument))
            .hint("what is passed as a whole, or written, has the declared type"),
        );
    }

    /// The array that an argument names as a whole.
    fn array_meant(&self, argument: Id) -> Option<Symbol> {
        let name = self.source.as_atom(argument)?;
        let unique = match self.meaning(name)? {
            Meaning::Variable(unique) => unique,
            Meaning::Stands(actual) => self.terms.as_atom(actual)?,
        };
        self.variables.get(&unique)?.is_array().then_some(unique)
    }

    /// Gives the names in declared sizes that are nothing else the extents of what is passed.
    fn push_extents(&mut self, declared: &Declared, frame: &mut Frame) {
        let source = self.source;
        for &formal in &declared.formals {
            let Some(Meaning::Stands(actual)) = frame.get(formal) else {
                continue;
            };
            let array = self
                .terms
                .as_atom(actual)
                .and_then(|a| self.variables.get(&a));
            let Some(extents) = array.map(|v| v.dims.clone()) else {
                continue;
            };
            for (&dim, extent) in declared.dims(source, formal).iter().zip(extents) {
                let Some(name) = source.as_atom(dim) else {
                    continue;
                };
                if frame.get(name).is_none() {
                    let extent = self.duplicate(extent);
                    frame.push(name, Meaning::Stands(extent));
                }
            }
        }
    }

    /// Compares the declared sizes of an argument with those of what is passed.
    fn check_sizes_of(&mut self, declared: &Declared, formal: Symbol, id: Id) {
        let source = self.source;
        let Some(Meaning::Stands(actual)) = self.frame().get(formal) else {
            return;
        };
        let array = self
            .terms
            .as_atom(actual)
            .and_then(|a| self.variables.get(&a));
        let Some(extents) = array.map(|v| v.dims.clone()) else {
            return;
        };
        for (&dim, extent) in declared.dims(source, formal).iter().zip(extents) {
            let wanted = self.bound(dim);
            if !self.terms.equal(wanted, extent) {
                self.report(
                    Diagnostic::error("E0224", format!("`{formal}` is declared with another size"))
                        .at(source.span(id))
                        .also(source.span(dim), "its size there")
                        .hint("a name that is no argument stands for whatever size is passed"),
                );
            }
        }
    }

    /// What is read or written: a variable, a cell, or an array as a whole.
    fn effect(&mut self, id: Id, is_write: bool) -> Id {
        if let Some(array) = self.array_meant(id) {
            let variable = &self.variables[&array];
            if is_write && variable.is_constant() {
                let declared = variable.span;
                self.report(
                    Diagnostic::error(
                        "E0205",
                        format!(
                            "`{}` is INPUT only, so it cannot be written",
                            author_name(array)
                        ),
                    )
                    .at(self.source.span(id))
                    .also(declared, "declared here")
                    .hint("mark it INPUT OUTPUT, or write to another array"),
                );
            }
            return self.leaf(Head::Functor(array), Type::Unknown, id);
        }
        if is_write {
            return self.target(id);
        }
        let new = self.expression(id);
        if super::phrases::root_name(&self.terms, new).is_none()
            && super::phrases::root_name(self.source, id).is_none()
        {
            self.report(
                Diagnostic::error("E0224", "what is read is a variable, a cell or an array")
                    .at(self.source.span(id))
                    .hint("list what a computation reads: READS x[i], y"),
            );
        }
        new
    }

    /// What is written may be reached in one way only.
    fn check_reached_once(
        &mut self,
        effects: &Effects,
        actuals: &[Id],
        arguments: &[Id],
        id: Id,
    ) -> Option<()> {
        for (k, &actual) in actuals.iter().enumerate() {
            let Some(name) = super::phrases::root_name(&self.terms, actual) else {
                continue;
            };
            let written = effects.assigns_formal[k];
            let again = (0..actuals.len()).find(|&other| {
                other != k
                    && written
                    && self
                        .terms
                        .subterms(actuals[other])
                        .any(|t| self.terms.as_atom(t) == Some(name))
            });
            let is_data = self.variables.get(&name).is_some_and(|v| v.is_data());
            let by_name = is_data
                && (written && effects.names_data.contains(&name)
                    || effects.assigns_data.contains(&name) && self.variables[&name].is_array());
            if again.is_none() && !by_name {
                continue;
            }
            let shown = author_name(name);
            let source = self.source;
            let mut wrong = Diagnostic::error(
                "E0209",
                format!("`{shown}` is written by an operator that reaches it in another way, too"),
            )
            .at(source.span(arguments[k]).or(source.span(id)))
            .hint("what an operator writes may be reached in one way only; copy one of them first");
            if let Some(other) = again {
                wrong = wrong.also(source.span(arguments[other]), "passed here, too");
            }
            self.report(wrong);
            return None;
        }
        Some(())
    }

    /// Expands a basic operator by its meaning.
    fn expand_basic(
        &mut self,
        name: Symbol,
        declared: &Declared,
        arguments: &[Id],
        id: Id,
        into: &mut Vec<Id>,
    ) {
        // The arguments must fit in any case.
        if self.parts_of_use(name, declared, arguments, id).is_none() {
            return;
        }
        let Some((before, mut frame)) = self.pass(name, declared.definition, arguments, id) else {
            return;
        };
        self.push_extents(declared, &mut frame);
        if !self.deeper(id) {
            return;
        }
        self.frames.push(frame);
        self.expanding.push(name);
        into.extend(before);
        self.parts(declared.definition.body, into);
        self.depth -= 1;
        self.expanding.pop();
        self.frames.pop();
    }

    /// A use in a scheme that was checked before. What it reads and writes follows from its arguments again, and must
    /// be of the variables that stand there: what an operator names itself cannot be replaced.
    pub(super) fn expect_same_effects(&mut self, used: Id, new: Id) {
        let source = self.source;
        if self.terms.functor(new) != source.functor(used) {
            return;
        }
        let parts: Vec<(Id, Id)> = source.args(used)[2..]
            .iter()
            .zip(&self.terms.args(new)[2..])
            .flat_map(|(&old, &new)| {
                let old = source.args(old).iter().copied();
                old.zip(self.terms.args(new).iter().copied())
            })
            .collect();
        let same = parts.into_iter().all(|(old, new)| {
            let old = super::phrases::root_name(source, old).and_then(|n| match self.meaning(n) {
                Some(Meaning::Variable(unique)) => Some(unique),
                Some(Meaning::Stands(_)) => None,
                // In a scheme without DATA, a name stands for itself.
                None => Some(n),
            });
            old == super::phrases::root_name(&self.terms, new)
        });
        if !same {
            let phrase = source
                .as_text(source.arg(used, 0))
                .map_or("", |p| p.as_str());
            self.report(
                Diagnostic::error(
                    "E0225",
                    format!("\"{phrase}\" reaches other variables than stand here"),
                )
                .at(source.span(used))
                .hint(
                    "what a basic operator names itself cannot be replaced; pass it as an argument",
                ),
            );
        }
    }

    /// What a declaration names and assigns.
    pub(super) fn declared_effects(&self, declared: &Declared) -> Effects {
        let source = self.source;
        let mut effects = Effects {
            assigns_formal: vec![false; declared.formals.len()],
            ..Effects::default()
        };
        for &target in &declared.writes {
            let Some(root) = super::phrases::root_name(source, target) else {
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

    /// The declarations that a checked operator uses, as they stand in the source.
    pub(super) fn used_basics(&self, body: Id) -> Vec<Id> {
        let terms = &self.terms;
        let uses = terms.subterms(body).filter(|&id| {
            let construct = terms.functor(id).and_then(Construct::of);
            matches!(construct, Some(Construct::Perform | Construct::Holds)) && terms.arity(id) > 0
        });
        let names: FxHashSet<Symbol> = uses
            .filter_map(|id| terms.as_text(terms.arg(id, 0)))
            .collect();
        let used = self.basics.iter().filter(|(name, _)| names.contains(*name));
        used.map(|(_, declared)| declared.term).collect()
    }
}
