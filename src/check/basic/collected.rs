//! Declarations of basic operators: collected, with all that they are called.

use super::{Declared, LAUNCH, clauses};
use crate::algebra::{Construct, LATEX, Part, names, parts, wrong_latex};
use crate::check::elaborate::Checker;
use crate::diagnostic::Diagnostic;
use crate::syntax::print::phrase_as_written;
use crate::term::{Id, Span, Symbol, Terms};
use rustc_hash::FxHashSet;

/// What code may be for.
const CODES: [&str; 4] = ["rust", "cpp", "cuda", LAUNCH];

/// What code names after a `$` that is no argument: the type of REAL, and what launches go on.
const OF_CODE: [&str; 2] = ["real", "stream"];

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
                    Diagnostic::error(
                        "E0224",
                        format!("{} has no argument `{typed}`", title(source, term)),
                    )
                    .at(source.span(source.arg(variable, 0)))
                    .also(declared.definition.span, "its arguments stand here")
                    .hint("types are those of the names in the phrase's parentheses"),
                );
            }
        }
        for wording in clauses(source, term, Construct::Translation) {
            let kind = source.as_atom(source.arg(wording, 0));
            if kind.is_none_or(|kind| kind.as_str() != LATEX) {
                self.check_arguments(&declared, wording);
            }
            if kind.is_some_and(|kind| kind.as_str() == LATEX) {
                self.check_latex(&declared, source.arg(wording, 1));
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
        self.check_formals(&declared);
        self.check_targets(term);
        for code in clauses(source, term, Construct::Code) {
            self.check_code(&declared, code);
        }
        self.basics.insert(name, declared);
    }

    /// Whether a wording has the arguments of the phrase, each once.
    fn check_arguments(&mut self, declared: &Declared, wording: Id) {
        let source = self.source;
        let names = source.args(source.arg(wording, 2)).iter();
        let mut names: Vec<&str> = names
            .filter_map(|&n| source.as_atom(n))
            .map(Symbol::as_str)
            .collect();
        let mut wanted: Vec<&str> = declared.formals.iter().map(|f| f.as_str()).collect();
        names.sort_unstable();
        wanted.sort_unstable();
        if names != wanted {
            let of = title(source, declared.term);
            self.report(
                Diagnostic::error("E0224", format!("this wording of {of} has other arguments"))
                    .at(source.span(wording))
                    .also(declared.definition.span, "its arguments stand here")
                    .hint("each of them stands in every wording, once; their order is free"),
            );
        }
    }

    /// Names of arguments: none that code has another meaning for.
    fn check_formals(&mut self, declared: &Declared) {
        let mut formals = declared.formals.iter();
        let has_code = !declared.codes.is_empty();
        let Some(name) = formals.find(|f| has_code && OF_CODE.contains(&f.as_str())) else {
            return;
        };
        let wrong = format!("`${name}` stands for something else in code");
        self.report(
            Diagnostic::error("E0224", wrong)
                .at(declared.definition.span)
                .hint("call the argument otherwise"),
        );
    }

    /// Code is for one of the targets, and there is one for each.
    fn check_targets(&mut self, term: Id) {
        let source = self.source;
        let mut seen: Vec<Symbol> = Vec::new();
        for code in clauses(source, term, Construct::Code) {
            let Some(target) = source.as_atom(source.arg(code, 0)) else {
                continue;
            };
            let known = CODES.contains(&target.as_str());
            if known && !seen.contains(&target) {
                seen.push(target);
                continue;
            }
            let message = match known {
                true => format!("there is code for `{target}` twice"),
                false => format!("there is no code for `{target}`"),
            };
            self.report(
                Diagnostic::error("E0224", message)
                    .at(source.span(code))
                    .hint(format!("code is for {}", CODES.join(", "))),
            );
        }
    }

    /// What code names after a `$`: arguments, their sizes, and what is listed.
    fn check_code(&mut self, declared: &Declared, code: Id) {
        let source = self.source;
        let Some(text) = source.as_text(source.arg(code, 1)) else {
            return;
        };
        let listed = declared.reads.iter().chain(&declared.writes);
        let mut known: FxHashSet<Symbol> = listed.flat_map(|&part| names(source, part)).collect();
        known.extend(&declared.formals);
        known.extend(declared.extents(source));
        known.extend(OF_CODE.map(Symbol::new));
        let unknown = parts(text.as_str())
            .into_iter()
            .find_map(|part| match part {
                Part::Named(name) if !name.is_empty() && !known.contains(&Symbol::new(name)) => {
                    Some(name)
                }
                _ => None,
            });
        let Some(name) = unknown else { return };
        let of = title(source, declared.term);
        let message =
            format!("the code of {of} names `{name}`, which is no argument and not listed");
        self.report(
            Diagnostic::error("E0224", message)
                .at(source.span(code))
                .also(declared.definition.span, "declared here")
                .hint("list it after READS or WRITES; `$$` stands for a `$`"),
        );
    }

    /// What is said of an operator in LaTeX: it names arguments, and is a text that formulas may hold.
    fn check_latex(&mut self, declared: &Declared, id: Id) {
        let Some(text) = self.source.as_text(id) else {
            return;
        };
        let of = title(self.source, declared.term);
        let is_formal = |name: &str| declared.formals.iter().any(|f| f.as_str() == name);
        let named = parts(text.as_str())
            .into_iter()
            .find_map(|part| match part {
                Part::Named(name) if !is_formal(name) => Some(name),
                _ => None,
            });
        if let Some(name) = named {
            self.report(
                Diagnostic::error("E0224", format!("{of} has no argument `{name}`"))
                    .at(self.source.span(id))
                    .also(declared.definition.span, "its arguments stand here")
                    .hint("`$$` stands for a `$`"),
            );
        }
        if let Some(why) = wrong_latex(text.as_str()) {
            self.report(
                Diagnostic::error("E0224", format!("the text for LaTeX {why}"))
                    .at(self.source.span(id))
                    .hint("a backslash makes a brace, or a percent sign, stand for itself"),
            );
        }
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

/// A declaration's phrase or predicate, as it is written.
fn title(terms: &Terms, declaration: Id) -> String {
    let phrase = phrase_as_written(terms, terms.arg(declaration, 0), terms.arg(declaration, 1));
    match terms.functor(declaration).and_then(Construct::of) {
        Some(Construct::BasicTest) => format!("'{phrase}'"),
        _ => format!("\"{phrase}\""),
    }
}
