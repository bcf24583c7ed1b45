//! Names, and texts between quotes.

use super::Printer;
use super::latex::escape_latex;
use crate::algebra::{Keyword, OF, Type};
use crate::syntax::print::pattern::Notation;
use crate::term::{Symbol, is_hidden};

impl Printer<'_> {
    pub(super) fn name(&mut self, name: Symbol) {
        match self.style.notation {
            Notation::Latex if !name.as_str().is_ascii() => {
                self.out.push_str("\\text{\\itshape ");
                escape_latex(name.as_str(), &mut self.out);
                self.out.push('}');
            }
            Notation::Latex if name.as_str().chars().count() > 1 => {
                self.out.push_str("\\mathit{");
                escape_latex(name.as_str(), &mut self.out);
                self.out.push('}');
            }
            _ => self.out.push_str(name.as_str()),
        }
    }

    /// The name of a type: OF is a keyword in it.
    pub(super) fn type_name(&mut self, ty: Symbol) {
        let language = self.style.language;
        let word = |name| Symbol::new(Type::word(name, language));
        let Some((vector, component)) = ty.as_str().split_once(OF) else {
            self.name(word(ty.as_str()));
            return;
        };
        self.name(word(vector));
        match self.style.notation {
            Notation::Latex => {
                self.out.push_str("\\;");
                self.latex_keyword(Keyword::Of);
                self.out.push_str("\\;");
            }
            _ => {
                let of = Keyword::Of.text(self.style.language);
                self.out.push_str(&format!(" {of} "));
            }
        }
        self.name(word(component));
    }

    pub(super) fn text(&mut self, text: Symbol, quote: char) {
        match self.style.notation {
            Notation::Latex => {
                self.out.push_str("\\saaphrase{");
                escape_latex(text.as_str(), &mut self.out);
                self.out.push('}');
            }
            _ => escape(text.as_str(), quote, self.quoted > 0, &mut self.out),
        }
    }

    /// Plain text of a pattern. Its quotes become typographic inside other quotes.
    pub(super) fn plain(&mut self, text: &str, open: &mut bool) {
        if self.quoted == 0 || self.style.notation == Notation::Latex {
            self.out.push_str(text);
            return;
        }
        for c in text.chars() {
            if matches!(c, '"' | '\'') {
                let (opening, closing) = quotes(c, true);
                self.out.push(if *open { closing } else { opening });
                *open = !*open;
            } else {
                self.out.push(c);
            }
        }
    }
}

/// A text between quotes: quotes, backslashes and line ends are escaped; inside other quotes also
/// whatever could end one of those or a pair of parentheses in them.
pub(super) fn escape(text: &str, quote: char, inside: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\\' => out.push_str("\\\\"),
            c if is_hidden(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c if c == quote || inside && is_delimiter(c) => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
}

/// Whether a character begins or ends a quoted text or a pair of parentheses.
fn is_delimiter(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '(' | ')' | '«' | '»' | '‘' | '’' | '“' | '”' | '„'
    )
}

/// The quotes of a phrase (`"`) or of a predicate (`'`), typographic ones inside other quotes.
fn quotes(quote: char, inside: bool) -> (char, char) {
    match (quote, inside) {
        (_, false) => (quote, quote),
        ('"', true) => ('«', '»'),
        (_, true) => ('‘', '’'),
    }
}
