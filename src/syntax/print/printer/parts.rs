//! Parts of a scheme around its body: DATA and WHERE.

use super::{Notation, Printer};
use crate::algebra::{Construct, Keyword, LATEX, Language};
use crate::term::Id;

impl Printer<'_> {
    pub(super) fn definition(&mut self, construct: Construct, id: Id) {
        let [name, formals, body] = self.terms.args(id) else {
            return;
        };
        let (name, formals, body) = (*name, *formals, *body);
        let quote = if construct == Construct::Define {
            '"'
        } else {
            '\''
        };
        self.quoted_phrase(name, formals, quote);
        self.out.push_str(" ====");
        self.indent += 1;
        if construct == Construct::Define {
            self.line();
        } else {
            self.out.push(' ');
        }
        self.term(body);
        self.indent -= 1;
    }

    /// A basic operator or predicate.
    pub(super) fn basic(&mut self, construct: Construct, id: Id) {
        let parts = self.terms.args(id).to_vec();
        let language = self.style.language;
        let quote = match construct {
            Construct::Basic => '"',
            _ => '\'',
        };
        self.quoted_phrase(parts[0], parts[1], quote);
        self.out.push_str(" ==== ");
        self.out.push_str(Keyword::Basic.text(language));
        let is = |printer: &Self, id: Id, c: Construct| printer.construct(id) == Some(c);
        let types: Vec<Id> = parts[2..]
            .iter()
            .copied()
            .filter(|&part| is(self, part, Construct::Variable))
            .collect();
        if !types.is_empty() {
            self.out.push_str(" (");
            for (k, &variable) in types.iter().enumerate() {
                if k > 0 {
                    self.out.push_str("; ");
                }
                self.variable(variable);
            }
            self.out.push(')');
        }
        self.indent += 1;
        for &part in parts[2..].iter().filter(|part| !types.contains(part)) {
            self.line();
            match self.construct(part) {
                Some(Construct::Translation) => self.wording(part, quote),
                Some(Construct::Code) => self.code(part),
                // A meaning is written in words, whatever the form of the scheme.
                Some(Construct::Meaning) => {
                    let outer = std::mem::replace(&mut self.style.notation, Notation::Text);
                    self.out.push_str(Keyword::Means.text(language));
                    self.indent += 1;
                    self.line();
                    self.term(self.terms.arg(part, 0));
                    self.indent -= 1;
                    self.style.notation = outer;
                }
                _ => self.term(part),
            }
        }
        self.indent -= 1;
        self.line();
        self.out.push_str(Keyword::EndOfBasic.text(language));
    }

    /// A phrase in a language, as a sign or in LaTeX.
    fn wording(&mut self, id: Id, quote: char) {
        let [code, text, names] = *self.terms.args(id) else {
            return;
        };
        let code = self.terms.as_atom(code).map_or("", |c| c.as_str());
        let language = Language::ALL.into_iter().find(|l| l.code() == code);
        let keyword = match (language, code) {
            (Some(language), _) => language.keyword(),
            (None, LATEX) => Keyword::Latex,
            (None, _) => Keyword::Sign,
        };
        self.out.push_str(keyword.text(self.style.language));
        self.out.push(' ');
        match (keyword, self.terms.as_text(text)) {
            (Keyword::Latex, Some(text)) => {
                self.out.push('"');
                self.text(text, '"');
                self.out.push('"');
            }
            _ => self.quoted_phrase(text, names, quote),
        }
    }

    /// Code for a target, as it was written.
    fn code(&mut self, id: Id) {
        let (target, code) = (self.terms.arg(id, 0), self.terms.arg(id, 1));
        self.out.push_str(Keyword::Code.text(self.style.language));
        self.out.push(' ');
        self.term(target);
        self.out.push_str(" ```");
        let code = self.terms.as_text(code).map_or("", |c| c.as_str());
        self.out.push_str(code);
        self.out.push_str("```");
    }

    /// A scheme or a graph.
    pub(super) fn scheme(&mut self, id: Id) {
        let (begin, end) = match self.construct(id) {
            Some(Construct::Graph) => (Keyword::Graph, Keyword::EndOfGraph),
            _ => (Keyword::Scheme, Keyword::EndOfScheme),
        };
        let parts = self.terms.args(id).to_vec();
        let language = self.style.language;
        let Some(name) = self.terms.as_text(parts[0]) else {
            return;
        };
        self.out.push_str(begin.text(language));
        self.out.push_str(" \"");
        self.text(name, '"');
        self.out.push_str("\" ====");
        if self.terms.arity(parts[1]) > 0 {
            self.line();
            self.term(parts[1]);
        }
        self.indent += 1;
        self.line();
        if self.construct(parts[2]) != Some(Construct::Then) {
            self.comment(parts[2]);
        }
        self.term(parts[2]);
        self.indent -= 1;
        let definitions = parts
            .get(3)
            .map_or(&[][..], |&w| self.terms.args(w))
            .to_vec();
        // What has code stands in a file of operators, where it is found again.
        let has_code = |id: &&Id| {
            let mut parts = self.terms.args(**id).iter();
            parts.any(|&part| self.construct(part) == Some(Construct::Code))
        };
        let (entries, definitions): (Vec<Id>, Vec<Id>) = definitions
            .iter()
            .filter(|d| !has_code(d))
            .partition(|&&d| self.is_entry(d));
        for (keyword, all) in [
            (Keyword::Where, definitions),
            (Keyword::Dictionary, entries),
        ] {
            if all.is_empty() {
                continue;
            }
            self.line();
            self.out.push_str(keyword.text(language));
            self.indent += 1;
            for definition in all {
                self.line();
                self.term(definition);
            }
            self.indent -= 1;
        }
        self.line();
        self.out.push_str(end.text(language));
        self.out.push_str(" \"");
        self.text(name, '"');
        self.out.push_str("\"\n");
    }

    /// A phrase in several languages.
    pub(super) fn entry(&mut self, construct: Construct, id: Id) {
        let parts = self.terms.args(id).to_vec();
        let quote = match construct {
            Construct::Entry => '"',
            _ => '\'',
        };
        self.quoted_phrase(parts[0], parts[1], quote);
        self.out.push_str(" ====");
        self.indent += 1;
        for &translation in &parts[2..] {
            let [code, text, names] = *self.terms.args(translation) else {
                continue;
            };
            let code = self.terms.as_atom(code).map_or("", |c| c.as_str());
            let Some(language) = Language::ALL.into_iter().find(|l| l.code() == code) else {
                continue;
            };
            self.line();
            self.out
                .push_str(language.keyword().text(self.style.language));
            self.out.push(' ');
            self.quoted_phrase(text, names, quote);
        }
        self.indent -= 1;
    }

    fn quoted_phrase(&mut self, name: Id, formals: Id, quote: char) {
        let Some(name) = self.terms.as_text(name) else {
            return;
        };
        self.out.push(quote);
        self.phrase_text(name, self.terms.args(formals).to_vec().as_slice(), quote);
        self.out.push(quote);
    }

    /// The nodes of a graph, a line each.
    pub(super) fn flow(&mut self, id: Id) {
        for (i, &node) in self.terms.args(id).to_vec().iter().enumerate() {
            if i > 0 {
                self.line();
            }
            self.term(node);
        }
    }

    /// DATA, with neighbours of the same type, sizes and marks on one line.
    pub(super) fn data(&mut self, id: Id) {
        self.out.push_str(Keyword::Data.text(self.style.language));
        self.indent += 1;
        let items = self.terms.args(id).to_vec();
        if !items.is_empty() {
            self.line();
        }
        self.data_items(&items);
        self.indent -= 1;
        self.line();
        self.out
            .push_str(Keyword::EndOfData.text(self.style.language));
    }

    /// Items of DATA, a line each.
    pub(super) fn data_items(&mut self, items: &[Id]) {
        let mut i = 0;
        while i < items.len() {
            if i > 0 {
                self.line();
            }
            let item = items[i];
            let mut j = i + 1;
            if self.construct(item) == Some(Construct::Variable) {
                let like = |a: Id, b: Id| {
                    self.construct(b) == Some(Construct::Variable)
                        && (1..5)
                            .all(|k| self.terms.equal(self.terms.arg(a, k), self.terms.arg(b, k)))
                };
                while j < items.len() && like(item, items[j]) {
                    j += 1;
                }
                let names: Vec<Id> = items[i..j - 1]
                    .iter()
                    .map(|&v| self.terms.arg(v, 0))
                    .collect();
                for name in names {
                    self.term(name);
                    self.out.push_str(", ");
                }
                self.variable(items[j - 1]);
            } else if self.construct(item) == Some(Construct::DefaultInput)
                && self.terms.arity(item) == 1
            {
                self.out
                    .push_str(Keyword::DefaultInput.text(self.style.language));
                self.out.push_str(" \"");
                self.argument(Construct::DefaultInput, item, 0);
                self.out.push('"');
            } else {
                self.term(item);
            }
            i = j;
        }
    }

    pub(super) fn variable(&mut self, id: Id) {
        let parts = self.terms.args(id).to_vec();
        self.term(parts[0]);
        self.out.push_str(" : ");
        match self.terms.as_atom(parts[1]) {
            Some(ty) => self.type_name(ty),
            None => self.term(parts[1]),
        }
        self.term(parts[2]);
        self.term(parts[3]);
        if self.terms.arity(parts[2]) == 0 && self.terms.arity(parts[4]) == 1 {
            self.out.push_str(" := ");
            self.term(self.terms.arg(parts[4], 0));
        } else {
            self.term(parts[4]);
        }
    }
}
