//! Uses of basic operators and predicates: kept with what they read and write, or expanded by their meanings.

use super::Declared;
use crate::algebra::{Construct, Type, arrays_read, launched_operator, names};
use crate::check::elaborate::{Checker, Context, Meaning};
use crate::check::phrases::root_name;
use crate::check::scope::Frame;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The code with which the host has the device do an operator.
pub const LAUNCH: &str = "launch";

/// An argument of a basic operator that is passed as a value and read from an array.
pub fn value_of_device(terms: &Terms, used: Id) -> Option<Id> {
    let arguments = terms.args(used).get(1).map_or(&[][..], |&a| terms.args(a));
    let mut arguments = arguments.iter().copied();
    arguments.find(|&argument| arrays_read(terms, argument).next().is_some())
}

impl Checker<'_> {
    /// Whether a use that stands here becomes what it means.
    fn expands(&self, declared: &Declared) -> bool {
        let Context { kernel, alone, .. } = self.context;
        declared.has_meaning && self.expand.expands(&declared.codes, kernel, alone)
    }

    /// A use of a basic operator: it, or what it means.
    pub(in crate::check) fn perform(
        &mut self,
        name: Symbol,
        arguments: &[Id],
        id: Id,
        into: &mut Vec<Id>,
    ) {
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
    pub(in crate::check) fn holds(&mut self, name: Symbol, arguments: &[Id], id: Id) -> Id {
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
            self.convert(&declared, arguments, &mut frame);
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
        self.convert(declared, arguments, &mut frame);
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

    /// A launch of an operator that has code for that: the host evaluates what is passed, and does not have the
    /// device's arrays.
    pub(in crate::check) fn expect_values_of_host(&mut self, launch: Id, id: Id) {
        let Some(used) = launched_operator(&self.terms, launch) else {
            return;
        };
        let phrase = self.terms.as_text(self.terms.arg(used, 0));
        let declared = phrase.and_then(|phrase| self.basics.get(&phrase));
        let of_launch = |declared: &&Declared| declared.codes.iter().any(|c| c.as_str() == LAUNCH);
        let Some(declared) = declared.filter(of_launch) else {
            return;
        };
        let at = declared.definition.span;
        if let Some(argument) = value_of_device(&self.terms, used) {
            self.report(
                Diagnostic::error(
                    "E0225",
                    "the host passes this value to code for `launch`, and does not have what the device writes",
                )
                .at(self.terms.span(argument).or(self.source.span(id)))
                .also(at, "declared here")
                .hint("keep it in a LOCAL, and pass that"),
            );
        }
    }

    /// A use in a scheme that was checked before. What it reads and writes follows from its arguments again, and must
    /// be of the variables that stand there: what an operator names itself cannot be replaced.
    pub(in crate::check) fn expect_same_effects(&mut self, used: Id, new: Id) {
        let source = self.source;
        if self.terms.functor(new) != source.functor(used) {
            return;
        }
        let unique = |name: Symbol| match self.meaning(name) {
            Some(Meaning::Variable(unique)) => unique,
            // In a scheme without DATA, a name stands for itself.
            _ => name,
        };
        let parts: Vec<(Id, Id)> = source.args(used)[2..]
            .iter()
            .zip(&self.terms.args(new)[2..])
            .flat_map(|(&old, &new)| {
                let old = source.args(old).iter().copied();
                old.zip(self.terms.args(new).iter().copied())
            })
            .collect();
        let same = parts.into_iter().all(|(old, new)| {
            // Subscripts that were computed may name less than those of which they were made.
            let known: FxHashSet<Symbol> = names(&self.terms, new).collect();
            root_name(source, old).map(unique) == root_name(&self.terms, new)
                && names(source, old).all(|name| known.contains(&unique(name)))
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
}
