//! What a check says: errors, once for each place, what nothing defines, and where it gives up.

use super::elaborate::Checker;
use super::scheme::Undefined;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH, MOST_ERRORS, MOST_NODES, Span, Symbol};

impl Checker<'_> {
    pub(super) fn notes(&self) -> Vec<Diagnostic> {
        let known: Vec<&str> = self.definitions.keys().map(|k| k.as_str()).collect();
        let mut notes: Vec<Diagnostic> = self
            .undefined
            .iter()
            .take(MOST_ERRORS)
            .map(|u| {
                let mut note = Diagnostic::note("N0220", format!("nothing defines {}", u.text))
                    .at(u.span)
                    .label("used here");
                let name = u.text.trim_matches(|c| c == '"' || c == '\'');
                note.hint = Some(match crate::diagnostic::did_you_mean(name, known.iter().copied()) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "it can be shown and transformed, but not run or built; define it after WHERE".into(),
                });
                note
            })
            .collect();
        if let Some(more) = self.undefined.get(MOST_ERRORS..).filter(|m| !m.is_empty()) {
            let message = format!("nothing defines {} more phrases or names", more.len());
            notes.push(Diagnostic::note("N0220", message).at(more[0].span));
        }
        notes
    }

    /// Whether a diagnostic was told, or would not be because there are too many.
    fn is_reported(&self, code: &'static str, span: Option<Span>, message: &str) -> bool {
        self.errors.len() >= MOST_ERRORS
            || self.seen_errors.contains(&(code, span, message.to_owned()))
    }

    /// Adds a diagnostic, once for each place.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let key = (diagnostic.code, diagnostic.span, diagnostic.message.clone());
        if self.errors.len() < MOST_ERRORS && self.seen_errors.insert(key) {
            self.errors.push(diagnostic);
        }
    }

    /// Notes that something is not defined.
    pub fn note_undefined(&mut self, text: String, span: Option<Span>) {
        if self.seen_undefined.insert(text.clone()) {
            self.undefined.push(Undefined {
                text,
                prediction: false,
                span,
            });
        }
    }

    /// Notes a prediction: a scheme that holds one cannot run.
    pub fn note_prediction(&mut self, span: Option<Span>) {
        let text = "a prediction (AFTER), which can be shown and transformed but not run";
        if self.seen_undefined.insert(text.to_owned()) {
            self.undefined.push(Undefined {
                text: text.to_owned(),
                prediction: true,
                span,
            });
        }
    }

    /// Whether the work has become too much to go on.
    pub fn must_stop(&mut self, at: Id) -> bool {
        let nodes = match &self.before {
            Some(before) => before.made(&self.terms) + before.taken_over,
            None => self.terms.len(),
        };
        if !self.too_large && nodes > MOST_NODES {
            self.too_large = true;
            let span = self.source.span(at);
            self.report(
                Diagnostic::error(
                    "E0207",
                    format!(
                        "with its phrases expanded this scheme has more than {MOST_NODES} nodes"
                    ),
                )
                .at(span)
                .hint("phrases that call phrases multiply: make one of them a loop"),
            );
        }
        self.too_large || self.errors.len() >= MOST_ERRORS
    }

    /// Goes one level deeper, unless the expanded tree is too deep: no reader lets a text nest more
    /// deeply, but phrases inside phrases could.
    pub fn deeper(&mut self, at: Id) -> bool {
        if self.depth < 2 * MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        if !self.too_large {
            self.too_large = true;
            self.report(
                Diagnostic::error(
                    "E0207",
                    "with its phrases expanded this scheme nests too deeply",
                )
                .at(self.source.span(at))
                .hint("phrases that call phrases nest: make a loop of them"),
            );
        }
        false
    }

    /// Reports a name that is not declared; in a scheme without DATA it stays, with no type.
    pub fn unknown_name(&mut self, name: Symbol, span: Option<Span>) {
        if !self.has_data {
            self.note_undefined(format!("the name `{name}`"), span);
            return;
        }
        // The same place is met again at each call of a phrase; looking for near names is dear.
        let message = format!("`{name}` is not declared");
        if self.is_reported("E0201", span, &message) {
            return;
        }
        let frame = self.frames.last().expect("there is always a frame");
        let mut known: Vec<&'static str> = frame.names().map(Symbol::as_str).collect();
        known.extend(
            self.variables
                .iter()
                .filter(|(_, v)| v.is_data())
                .map(|(n, _)| n.as_str()),
        );
        let undeclared = Diagnostic::error("E0201", message)
            .at(span)
            .label("not declared");
        let near = crate::diagnostic::did_you_mean(name.as_str(), known.into_iter());
        self.report(match near {
            Some(near) => undeclared
                .hint(format!("did you mean `{near}`?"))
                .fixed(span, near),
            None => undeclared.hint(format!(
                "declare it in DATA, or before its use: LOCAL {name} : REAL := 0"
            )),
        });
    }
}
