//! Definitions and their expansion.

use super::effects::Effects;
use super::elaborate::{Checker, Definition, Meaning};
use super::scheme::{Role, Variable};
use super::scope::Frame;
use crate::algebra::{Construct, Language, Type};
use crate::diagnostic::Diagnostic;
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Head, Id, Symbol, Terms};

impl Checker<'_> {
    /// Expands a call of a phrase, or keeps it if nothing defines it.
    pub(super) fn call(&mut self, phrase: Symbol, arguments: &[Id], id: Id, into: &mut Vec<Id>) {
        let source = self.source;
        let Some(definition) = self.expanded_here(phrase) else {
            if let Some((name, arguments)) = self.declared(phrase, arguments) {
                self.perform(name, &arguments, id, into);
                return;
            }
            let name = self.leaf(Head::Text(phrase), Type::Unknown, source.arg(id, 0));
            let mut new = vec![name];
            for &argument in arguments {
                let new_argument = self.argument_of_undefined(argument);
                new.push(new_argument);
            }
            self.note_undefined(format!("\"{phrase}\""), source.span(id));
            into.push(self.make(Construct::Call, &new, Type::Unknown, id));
            return;
        };
        if definition.is_test || definition.is_cyclic() {
            if definition.is_test {
                self.report(
                    Diagnostic::error(
                        "E0214",
                        format!(
                            "\"{phrase}\" is defined as a predicate, and something must act here"
                        ),
                    )
                    .at(source.span(id))
                    .also(definition.span, "defined here"),
                );
            }
            return;
        }
        let Some((before, frame)) = self.pass(phrase, definition, arguments, id) else {
            return;
        };
        if !self.deeper(id) {
            return;
        }
        let text = Symbol::new(&phrase_text(source, id));
        let outer = self.phrase.replace(text);
        self.frames.push(frame);
        self.expanding.push(phrase);
        into.extend(before);
        self.parts(definition.body, into);
        self.depth -= 1;
        self.expanding.pop();
        self.frames.pop();
        self.phrase = outer;
    }

    /// The definition of a phrase, if it is to be expanded at this level.
    fn expanded_here(&self, phrase: Symbol) -> Option<Definition> {
        let definition = self.definitions.get(&phrase).copied()?;
        let level = self.expanding.len();
        self.levels
            .is_none_or(|levels| level < levels)
            .then_some(definition)
    }

    /// An argument of a phrase that nothing defines: a value, or an array as a whole.
    pub(super) fn argument_of_undefined(&mut self, id: Id) -> Id {
        match self.array_meant(id) {
            Some(array) => self.leaf(Head::Functor(array), Type::Unknown, id),
            None => self.expression(id),
        }
    }

    /// Expands a use of a predicate, or keeps it if nothing defines it.
    pub(super) fn test(&mut self, phrase: Symbol, arguments: Vec<Id>, id: Id) -> Id {
        let source = self.source;
        let Some(definition) = self.expanded_here(phrase) else {
            if let Some((name, arguments)) = self.declared(phrase, &arguments) {
                return self.holds(name, &arguments, id);
            }
            let name = self.leaf(Head::Text(phrase), Type::Unknown, source.arg(id, 0));
            let mut new = vec![name];
            for argument in arguments {
                let new_argument = self.argument_of_undefined(argument);
                new.push(new_argument);
            }
            self.note_undefined(format!("'{phrase}'"), source.span(id));
            return self.make(Construct::Test, &new, Type::Bool, id);
        };
        if !definition.is_test || definition.is_cyclic() {
            if !definition.is_test {
                self.report(
                    Diagnostic::error(
                        "E0214",
                        format!(
                            "'{phrase}' is defined as a phrase, and a predicate is needed here"
                        ),
                    )
                    .at(source.span(id))
                    .also(definition.span, "defined here")
                    .hint("define it in single quotes: '…' ==== a condition"),
                );
            }
            return self.make(Construct::False, &[], Type::Bool, id);
        }
        self.expanded.insert(phrase);
        let formals: Vec<Symbol> = source
            .args(definition.formals)
            .iter()
            .filter_map(|&f| source.as_atom(f))
            .collect();
        if formals.len() != arguments.len() {
            self.wrong_number(phrase, definition, arguments.len(), formals.len(), id);
            return self.make(Construct::False, &[], Type::Bool, id);
        }
        let mut frame = Frame::default();
        for (formal, argument) in formals.into_iter().zip(arguments) {
            let actual = self.argument_of_undefined(argument);
            frame.push(formal, Meaning::Stands(actual));
        }
        self.frames.push(frame);
        self.expanding.push(phrase);
        let condition = self.condition(definition.body);
        self.expanding.pop();
        self.frames.pop();
        condition
    }

    pub(super) fn wrong_number(
        &mut self,
        phrase: Symbol,
        definition: Definition,
        found: usize,
        wanted: usize,
        id: Id,
    ) {
        self.report(
            Diagnostic::error(
                "E0208",
                format!("\"{phrase}\" takes {wanted} argument(s), and {found} stand here"),
            )
            .at(self.source.span(id))
            .also(definition.span, "defined here"),
        );
    }

    /// Passes arguments: gives the operators that evaluate them, and the scope of the body.
    pub(super) fn pass(
        &mut self,
        phrase: Symbol,
        definition: Definition,
        arguments: &[Id],
        id: Id,
    ) -> Option<(Vec<Id>, Frame)> {
        let source = self.source;
        self.expanded.insert(phrase);
        let formals: Vec<Symbol> = source
            .args(definition.formals)
            .iter()
            .filter_map(|&f| source.as_atom(f))
            .collect();
        if formals.len() != arguments.len() {
            self.wrong_number(phrase, definition, arguments.len(), formals.len(), id);
            return None;
        }
        let effects = self.effects_of(phrase);
        let mut before = Vec::new();
        let mut frame = Frame::default();
        let mut actuals = Vec::new();
        let mut assigned = Vec::new();
        for (k, (&formal, &argument)) in formals.iter().zip(arguments).enumerate() {
            let is_assigned = effects.assigns_formal[k];
            let actual = if is_assigned {
                self.place(argument, &mut before)?
            } else {
                self.value(argument, &effects, &mut before)
            };
            frame.push(formal, Meaning::Stands(actual));
            actuals.push(actual);
            assigned.push(is_assigned);
        }
        for (k, &actual) in actuals.iter().enumerate() {
            if assigned[k] {
                self.check_alias(k, actual, &actuals, &effects, definition, arguments)?;
            }
        }
        Some((before, frame))
    }

    /// An argument that the body assigns: a variable or a cell whose subscripts are evaluated once.
    fn place(&mut self, argument: Id, before: &mut Vec<Id>) -> Option<Id> {
        self.meet(argument);
        let source = self.source;
        if let Some(name) = source.as_atom(argument) {
            return match self.meaning(name) {
                Some(Meaning::Variable(unique)) => {
                    let variable = &self.variables[&unique];
                    let ty = variable.ty;
                    if variable.is_constant() {
                        let declared = variable.span;
                        self.report(
                            Diagnostic::error("E0205", format!("`{name}` is passed to a phrase that assigns it, and it cannot be assigned"))
                                .at(source.span(argument))
                                .also(declared, "declared here"),
                        );
                    }
                    Some(self.leaf(Head::Functor(unique), ty, argument))
                }
                Some(Meaning::Stands(actual)) => Some(self.duplicate(actual)),
                None => {
                    self.unknown_name(name, source.span(argument));
                    (!self.has_data)
                        .then(|| self.leaf(Head::Functor(name), Type::Unknown, argument))
                }
            };
        }
        if root_name(source, argument).is_none() {
            self.report(
                Diagnostic::error(
                    "E0205",
                    "the phrase assigns this argument, so it must be a variable or a cell",
                )
                .at(source.span(argument))
                .hint("pass a variable or a cell of an array"),
            );
            return None;
        }
        let place = self.expression(argument);
        Some(self.with_fixed_subscripts(place, argument, before))
    }

    /// Evaluates the subscripts of a place into LOCALs, unless nothing can change them.
    fn with_fixed_subscripts(&mut self, place: Id, from: Id, before: &mut Vec<Id>) -> Id {
        let arguments = self.terms.args(place).to_vec();
        let ty = self.type_of(place);
        let new = match self.terms.functor(place).and_then(Construct::of) {
            Some(Construct::Field) => {
                let inner = self.with_fixed_subscripts(arguments[0], from, before);
                self.terms.with_args(place, &[inner, arguments[1]])
            }
            Some(Construct::Index) => {
                let mut new = vec![arguments[0]];
                for &subscript in &arguments[1..] {
                    new.push(if self.is_fixed(subscript) {
                        subscript
                    } else {
                        self.local_copy(Symbol::new("at"), subscript, from, before)
                    });
                }
                self.terms.with_args(place, &new)
            }
            _ => return place,
        };
        self.set_type(new, ty);
        new
    }

    /// Whether an expression is made of literals, parameters and loop variables.
    fn is_fixed(&self, id: Id) -> bool {
        self.terms
            .subterms(id)
            .all(|t| match self.terms.as_atom(t) {
                Some(name) => self
                    .variables
                    .get(&name)
                    .is_none_or(|v| matches!(v.role, Role::Parameter { .. } | Role::Loop)),
                None => self.terms.functor(t) != Some(Construct::Index.symbol()),
            })
    }

    /// An argument that the body only reads. Copied into a LOCAL unless it cannot change.
    fn value(&mut self, argument: Id, effects: &Effects, before: &mut Vec<Id>) -> Id {
        self.meet(argument);
        let source = self.source;
        if let Some(name) = source.as_atom(argument) {
            match self.meaning(name) {
                Some(Meaning::Variable(unique)) => {
                    let variable = &self.variables[&unique];
                    let ty = variable.ty;
                    let local = !variable.is_data();
                    let constant = variable.is_constant()
                        || variable.is_array()
                        || variable.role == Role::Unknown;
                    let new = self.leaf(Head::Functor(unique), ty, argument);
                    // The body cannot reach a LOCAL of the caller; data it could assign by name.
                    if constant || local || !effects.assigns_data.contains(&name) {
                        return new;
                    }
                    return self.local_copy(name, new, argument, before);
                }
                Some(Meaning::Stands(actual))
                    if self.is_fixed(actual) || self.terms.as_atom(actual).is_some() =>
                {
                    return self.duplicate(actual);
                }
                _ => {}
            }
        }
        let new = self.expression(argument);
        if self.is_fixed(new) || self.type_of(new) == Type::Unknown {
            return new;
        }
        let base = root_name(source, argument).unwrap_or("argument".into());
        self.local_copy(base, new, argument, before)
    }

    /// A LOCAL with the value of an expression of the new tree.
    fn local_copy(&mut self, base: Symbol, value: Id, from: Id, before: &mut Vec<Id>) -> Id {
        let ty = self.type_of(value);
        let variable = Variable {
            ty,
            dims: Vec::new(),
            role: Role::Local,
            span: self.source.span(from),
        };
        let unique = self.fresh(super::scheme::unique_name(base, 1));
        self.insert(unique, variable);
        let type_name = ty.name(self.precision);
        let arguments = [
            self.leaf(Head::Functor(unique), ty, from),
            self.leaf(Head::Functor(type_name.into()), Type::Unknown, from),
            value,
        ];
        before.push(self.make(Construct::Local, &arguments, Type::Unknown, from));
        self.leaf(Head::Functor(unique), ty, from)
    }

    /// Reports an assigned argument that the body reaches in another way too.
    fn check_alias(
        &mut self,
        k: usize,
        actual: Id,
        actuals: &[Id],
        effects: &Effects,
        definition: Definition,
        arguments: &[Id],
    ) -> Option<()> {
        let source = self.source;
        let name = root_name(&self.terms, actual)?;
        let shown = super::scheme::author_name(name);
        for (other, &b) in actuals.iter().enumerate() {
            if other != k
                && self
                    .terms
                    .subterms(b)
                    .any(|t| self.terms.as_atom(t) == Some(name))
            {
                self.report(
                    Diagnostic::error("E0209", format!("`{shown}` is passed twice to a phrase that assigns it"))
                        .at(source.span(arguments[k]))
                        .also(source.span(arguments[other]), "passed here too")
                        .hint("what a phrase assigns may be reached in one way only; copy one of them first"),
                );
                return None;
            }
        }
        let is_data = self.variables.get(&name).is_some_and(Variable::is_data);
        if is_data && effects.names_data.contains(&name) {
            self.report(
                Diagnostic::error("E0209", format!("`{shown}` is passed to a phrase that assigns it, and the phrase names it too"))
                    .at(source.span(arguments[k]))
                    .also(definition.span, "defined here")
                    .hint("what a phrase assigns may be reached in one way only"),
            );
            return None;
        }
        Some(())
    }
}

/// The variable or array at the root of a place.
pub(super) fn root_name(terms: &Terms, id: Id) -> Option<Symbol> {
    let mut id = id;
    loop {
        match terms.functor(id).and_then(Construct::of) {
            Some(Construct::Field) if terms.arity(id) == 2 => id = terms.arg(id, 0),
            Some(Construct::Index) if terms.arity(id) > 1 => id = terms.arg(id, 0),
            _ => return terms.as_atom(id),
        }
    }
}

/// The words of a call with its arguments, as the author wrote them.
fn phrase_text(source: &Terms, id: Id) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    };
    let text = print(source, id, style);
    text.trim_matches('"').to_owned()
}
