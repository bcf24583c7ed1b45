//! Names of schemes: declared in operators, and used.

use super::scheme::Builder;
use super::{Class, Name, Section, Sort, Use};
use crate::algebra::{CONSTANTS, Keyword, TypeName};
use crate::syntax::{Lexeme, LexemeKind};
use std::ops::Range;

impl Builder<'_> {
    /// `LOCAL x : REAL := e` and its like.
    pub(super) fn declaration(&mut self, keyword: Keyword, lexeme: Lexeme) {
        let Some(word) = self.ahead(0).filter(|l| l.kind == LexemeKind::Word) else {
            return;
        };
        if !self.is_ahead(1, ":") {
            return;
        }
        self.at += 1;
        let colon = self.ahead(0);
        self.at += 1;
        colon.into_iter().for_each(|l| self.token(l, Class::Sign));
        let ty = self.type_name();
        let whole = lexeme.from..ty.as_ref().map_or(word.to, |ty| ty.end);
        let name = self.declare(word, Sort::Local, whole, ty);
        let depth = self.frames.len();
        match keyword {
            Keyword::Array => self.pending_binder = Some((name, depth)),
            _ => self.pending_local = Some((name, depth)),
        }
        if keyword == Keyword::Array {
            self.pending_loop = None;
        }
    }

    /// The words of a type behind a colon.
    pub(super) fn type_name(&mut self) -> Option<Range<usize>> {
        let first = self.ahead(0).filter(|l| l.kind == LexemeKind::Word)?;
        self.at += 1;
        self.token(first, Class::Type);
        let mut place = first.from..first.to;
        if self.keyword_ahead(0) == Some(Keyword::Of)
            && let Some(of) = self.ahead(0)
        {
            self.at += 1;
            self.token(of, Class::Keyword);
            place.end = of.to;
            if let Some(component) = self.ahead(0).filter(|l| l.kind == LexemeKind::Word) {
                self.at += 1;
                self.token(component, Class::Type);
                place.end = component.to;
            }
        }
        Some(place)
    }

    /// A name that is declared here and can be seen later.
    pub(super) fn declare(
        &mut self,
        word: Lexeme,
        sort: Sort,
        whole: Range<usize>,
        ty: Option<Range<usize>>,
    ) -> usize {
        let name = self.index.names.len();
        self.index.names.push(Name {
            text: self.text_of(word).to_owned(),
            sort,
            declared: Some(word.from..word.to),
            // Seen from nowhere so far.
            scope: word.to..word.to,
            whole,
            ty,
            claimed: false,
        });
        let class = match sort {
            Sort::Parameter => Class::Constant,
            Sort::Formal => Class::Argument,
            _ => Class::Variable,
        };
        self.index.token(word.from..word.to, class, true);
        self.index.uses.push(Use {
            place: word.from..word.to,
            name,
            declares: true,
            writes: false,
        });
        name
    }

    /// Makes a name seen in the innermost block from here on.
    pub(super) fn see(&mut self, name: usize, from: usize) {
        self.index.names[name].scope = from..from;
        if let Some(frame) = self.frames.last_mut() {
            frame.names.push(name);
        }
    }

    /// The value of a LOCAL has been read.
    pub(super) fn declare_local(&mut self, at: usize) {
        let Some((name, depth)) = self.pending_local.take() else {
            return;
        };
        self.index.names[name].scope = at..at;
        if let Some(frame) = depth.checked_sub(1).and_then(|d| self.frames.get_mut(d)) {
            frame.names.push(name);
        }
    }

    pub(super) fn word(&mut self, lexeme: Lexeme) {
        if self.section == Section::Data && self.data_item(lexeme) {
            return;
        }
        let text = self.text_of(lexeme).to_owned();
        let before = self.before().map(|l| self.text_of(l));
        if before == Some(".") {
            return self.token(lexeme, Class::Component);
        }
        if before == Some(":") && TypeName::called(&text).is_some() {
            return self.token(lexeme, Class::Type);
        }
        if self.is_ahead(0, "(") {
            return self.token(lexeme, Class::Function);
        }
        // `:=` behind a name in parentheses of DATA names an option, or a parameter in CHECK.
        let is_option = self.section == Section::Data && self.is_ahead(0, ":=");
        let constant = CONSTANTS.iter().any(|(name, _)| *name == text);
        match self.find(&text) {
            Some(name) => self.used(lexeme, name, self.is_written()),
            None if is_option => self.token(lexeme, Class::Component),
            None if constant => self.token(lexeme, Class::Constant),
            None => {
                let name = self.unknown_name(&text, lexeme);
                let written = self.is_written();
                self.used(lexeme, name, written);
            }
        }
    }

    pub(super) fn used(&mut self, lexeme: Lexeme, name: usize, writes: bool) {
        if self.in_claim {
            // It speaks of every loop with a variable of this name.
            let text = self.index.names[name].text.clone();
            self.claims.push(text);
        }
        let class = match self.index.names[name].sort {
            Sort::Parameter => Class::Constant,
            Sort::Formal => Class::Argument,
            _ => Class::Variable,
        };
        self.token(lexeme, class);
        self.index.uses.push(Use {
            place: lexeme.from..lexeme.to,
            name,
            declares: false,
            writes,
        });
    }

    /// The innermost name that is written so.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let names = self.frames.iter().rev().flat_map(|f| f.names.iter().rev());
        names.copied().find(|&n| self.index.names[n].text == text)
    }

    pub(super) fn unknown_name(&mut self, text: &str, lexeme: Lexeme) -> usize {
        if let Some(&name) = self.unknown.get(text) {
            return name;
        }
        let name = self.index.names.len();
        self.index.names.push(Name {
            text: text.to_owned(),
            sort: Sort::Unknown,
            declared: None,
            scope: lexeme.from..lexeme.from,
            whole: lexeme.from..lexeme.to,
            ty: None,
            claimed: false,
        });
        self.unknown.insert(text.to_owned(), name);
        name
    }

    /// Whether what was just read, a variable or a cell with its subscripts, is assigned.
    pub(super) fn is_written(&self) -> bool {
        let (mut ahead, mut depth) = (0, 0usize);
        while let Some(lexeme) = self.ahead(ahead) {
            let text = self.text_of(lexeme);
            match text {
                "[" => depth += 1,
                "]" if depth > 0 => depth -= 1,
                ":=" | "+=" if depth == 0 => return true,
                // `min=` and `max=` are a word and a sign.
                "min" | "max" if depth == 0 => {
                    let next = self.ahead(ahead + 1);
                    return next.is_some_and(|next| self.text_of(next) == "=");
                }
                "." if depth == 0 => ahead += 1,
                _ if depth == 0 => return false,
                ";" => return false,
                _ => {}
            }
            ahead += 1;
        }
        false
    }
}
