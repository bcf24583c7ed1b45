//! Uses of basic operators and predicates: kept with what they read and write, or expanded by their meanings.

use super::Declared;
use crate::algebra::{Construct, Type};
use crate::check::elaborate::{Checker, Context, Meaning};
use crate::check::phrases::root_name;
use crate::check::scope::Frame;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, Symbol};

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
    pub(in crate::check) fn expect_same_effects(&mut self, used: Id, new: Id) {
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
            let old = root_name(source, old).and_then(|n| match self.meaning(n) {
                Some(Meaning::Variable(unique)) => Some(unique),
                Some(Meaning::Stands(_)) => None,
                // In a scheme without DATA, a name stands for itself.
                None => Some(n),
            });
            old == root_name(&self.terms, new)
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
