//! Declarations of basic operators: collected, with all that they are called.

use super::{Declared, clauses};
use crate::algebra::Construct;
use crate::check::elaborate::Checker;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, Span, Symbol};

impl Checker<'_> {
    /// Notes a declaration.
    pub(in crate::check) fn collect_basic(&mut self, term: Id) {
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
    pub(in crate::check) fn check_wordings(&mut self) {
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
    pub(in crate::check) fn declared(
        &self,
        phrase: Symbol,
        arguments: &[Id],
    ) -> Option<(Symbol, Vec<Id>)> {
        if self.basics.contains_key(&phrase) {
            return Some((phrase, arguments.to_vec()));
        }
        let (name, order) = self.wordings.get(&phrase)?;
        let formals = &self.basics.get(name)?.formals;
        let place = |formal: &Symbol| order.iter().position(|o| o == formal);
        let turned = formals.iter().map(|f| arguments.get(place(f)?).copied());
        Some((*name, turned.collect::<Option<_>>()?))
    }
}
