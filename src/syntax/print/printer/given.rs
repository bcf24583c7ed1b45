//! Families: what is given, and the parts that stand for a choice.

use super::Printer;
use crate::algebra::{Construct, Keyword};
use crate::syntax::print::pattern::Notation;
use crate::term::{Head, Id};

impl Printer<'_> {
    fn keyword(&mut self, keyword: Keyword) {
        self.out.push_str(keyword.text(self.style.language));
    }

    /// `GIVEN d IN {1, 2} := 2 FREELY`
    pub(super) fn given(&mut self, id: Id) {
        let &[name, values, default, marks] = self.terms.args(id) else {
            return;
        };
        self.keyword(Keyword::Given);
        self.out.push(' ');
        self.term(name);
        self.out.push(' ');
        self.keyword(Keyword::In);
        self.out.push_str(" {");
        for (i, &value) in self.terms.args(values).to_vec().iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.given_value(value);
        }
        self.out.push('}');
        if self.construct(default) != Some(Construct::Empty) {
            self.out.push_str(" := ");
            self.given_value(default);
        }
        if self.terms.arity(marks) > 0 {
            self.out.push(' ');
            self.keyword(Keyword::Freely);
        }
    }

    /// A literal; words stand in quotes.
    pub(super) fn given_value(&mut self, id: Id) {
        match self.terms.head(id) {
            Head::Text(text) => {
                self.out.push('"');
                self.text(text, '"');
                self.out.push('"');
            }
            _ => self.term(id),
        }
    }

    /// `GIVEN IF u THEN … ELSE … END GIVEN`, or `⟨GIVEN IF u⟩(A, B)`.
    pub(super) fn given_if(&mut self, id: Id) {
        let &[condition, yes, no] = self.terms.args(id) else {
            return;
        };
        let formula = self.opens_formula(yes);
        self.keyword(Keyword::GivenIf);
        self.out.push(' ');
        self.term(condition);
        let has_else = self.construct(no) != Some(Construct::Empty);
        if formula {
            self.closes_header();
            self.term(yes);
            if has_else {
                self.out.push_str(", ");
                self.term(no);
            }
            self.out.push(')');
            return;
        }
        self.out.push(' ');
        self.keyword(Keyword::IfThen);
        self.given_block(yes);
        if has_else {
            self.keyword(Keyword::Else);
            self.given_block(no);
        }
        self.keyword(Keyword::EndOfGiven);
    }

    /// `GIVEN FOR (k FROM a TO b) … END GIVEN`, or `⟨GIVEN FOR (k FROM a TO b)⟩(A)`.
    pub(super) fn given_for(&mut self, id: Id) {
        let &[name, from, to, body] = self.terms.args(id) else {
            return;
        };
        let formula = self.opens_formula(body);
        self.keyword(Keyword::GivenFor);
        self.out.push_str(" (");
        self.term(name);
        for (keyword, bound) in [(Keyword::From, from), (Keyword::To, to)] {
            self.out.push(' ');
            self.keyword(keyword);
            self.out.push(' ');
            self.term(bound);
        }
        self.out.push(')');
        if formula {
            self.closes_header();
            self.term(body);
            self.out.push(')');
            return;
        }
        self.given_block(body);
        self.keyword(Keyword::EndOfGiven);
    }

    /// Opens the header of a formula, if what it stands for is an operator of one.
    fn opens_formula(&mut self, body: Id) -> bool {
        let declares = matches!(
            self.construct(body),
            Some(Construct::Data | Construct::Where)
        );
        let formula = self.style.notation != Notation::Text && !declares;
        if formula {
            let typed = self.style.notation == Notation::Typed;
            self.out.push_str(if typed { "<<" } else { "⟨" });
        }
        formula
    }

    fn closes_header(&mut self) {
        let typed = self.style.notation == Notation::Typed;
        self.out.push_str(if typed { ">>(" } else { "⟩(" });
    }

    fn given_block(&mut self, body: Id) {
        self.indent += 1;
        self.line();
        match self.construct(body) {
            Some(Construct::Data) => {
                let items = self.terms.args(body).to_vec();
                self.data_items(&items);
            }
            _ => self.term(body),
        }
        self.indent -= 1;
        self.line();
    }

    /// Whether a part of WHERE is one of DICTIONARY.
    pub(super) fn is_entry(&self, id: Id) -> bool {
        match self.construct(id) {
            Some(Construct::Entry | Construct::EntryTest) => true,
            Some(Construct::GivenIf | Construct::GivenFor) => {
                let parts = self.terms.args(id).iter();
                let mut inner = parts.flat_map(|&part| match self.construct(part) {
                    Some(Construct::Where) => self.terms.args(part),
                    _ => &[],
                });
                inner.any(|&part| self.is_entry(part))
            }
            _ => false,
        }
    }
}
