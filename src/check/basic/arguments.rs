//! Arguments of basic operators: their types and sizes, and the cells that a use reaches through them.

use super::Declared;
use crate::algebra::{Construct, Type};
use crate::check::effects::Effects;
use crate::check::elaborate::{Checker, Meaning};
use crate::check::phrases::root_name;
use crate::check::scheme::author_name;
use crate::check::scope::Frame;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

impl Checker<'_> {
    /// An argument as it is passed: an array as a whole, a variable or cell that is written, a value.
    pub(super) fn actual(
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

    /// Gives values that a meaning is passed the types that are declared, as code is passed them: `v / 2` is no division
    /// of integers where `v` is a REAL.
    pub(super) fn convert(&mut self, declared: &Declared, arguments: &[Id], frame: &mut Frame) {
        for (&formal, &from) in declared.formals.iter().zip(arguments) {
            let (Some(Meaning::Stands(actual)), Some(&variable)) =
                (frame.get(formal), declared.types.get(&formal))
            else {
                continue;
            };
            let wanted = self.named_type(self.source.arg(variable, 1));
            let (found, is_array) = (
                self.type_of(actual),
                !declared.dims(self.source, formal).is_empty(),
            );
            let is_known = found != Type::Unknown && wanted != Type::Unknown;
            if !is_array && is_known && found != wanted {
                let new = self.converted(actual, wanted, from);
                frame.push(formal, Meaning::Stands(new));
            }
        }
    }

    /// A value as one of a type that it can be stored as.
    fn converted(&mut self, value: Id, wanted: Type, from: Id) -> Id {
        let own = self.precision.real();
        let function = match wanted.component() {
            Type::I32 => "int",
            Type::I64 => "int64",
            real if real == own => "real",
            Type::F32 => "real32",
            _ => "real64",
        };
        let mut value = value;
        // A zero may stand for a vector.
        if let Type::Vector(components, _) = wanted
            && self.type_of(value).is_number()
        {
            let mut parts = vec![self.leaf(Head::Functor("vector".into()), Type::Unknown, from)];
            for _ in 0..components {
                parts.push(self.leaf(Head::Real(0.0), own, from));
            }
            value = self.make(Construct::Apply, &parts, wanted, from);
        }
        let name = self.leaf(Head::Functor(function.into()), Type::Unknown, from);
        self.make(Construct::Apply, &[name, value], wanted, from)
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
    pub(in crate::check) fn array_meant(&self, argument: Id) -> Option<Symbol> {
        let name = self.source.as_atom(argument)?;
        let unique = match self.meaning(name)? {
            Meaning::Variable(unique) => unique,
            Meaning::Stands(actual) => self.terms.as_atom(actual)?,
        };
        self.variables.get(&unique)?.is_array().then_some(unique)
    }

    /// The sizes of what is passed, if that is a variable.
    fn extents_of(&self, actual: Id) -> Option<Vec<Id>> {
        let variable = self.variables.get(&self.terms.as_atom(actual)?)?;
        Some(variable.dims.clone())
    }

    /// Gives the names in declared sizes that are nothing else the extents of what is passed.
    pub(super) fn push_extents(&mut self, declared: &Declared, frame: &mut Frame) {
        let source = self.source;
        for &formal in &declared.formals {
            let Some(Meaning::Stands(actual)) = frame.get(formal) else {
                continue;
            };
            let Some(extents) = self.extents_of(actual) else {
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
    pub(super) fn check_sizes_of(&mut self, declared: &Declared, formal: Symbol, id: Id) {
        let source = self.source;
        let Some(Meaning::Stands(actual)) = self.frame().get(formal) else {
            return;
        };
        let Some(extents) = self.extents_of(actual) else {
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
    pub(super) fn effect(&mut self, id: Id, is_write: bool) -> Id {
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
        if root_name(&self.terms, new).is_none() && root_name(self.source, id).is_none() {
            self.report(
                Diagnostic::error("E0224", "what is read is a variable, a cell or an array")
                    .at(self.source.span(id))
                    .hint("list what a computation reads: READS x[i], y"),
            );
        }
        new
    }

    /// What is written may be reached in one way only.
    pub(super) fn check_reached_once(
        &mut self,
        effects: &Effects,
        actuals: &[Id],
        arguments: &[Id],
        id: Id,
    ) -> Option<()> {
        for (k, &actual) in actuals.iter().enumerate() {
            let Some(name) = root_name(&self.terms, actual) else {
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
}
