//! What DATA declares.

use super::scheme::Builder;
use super::{Outline, OutlineSort, Sort};
use crate::algebra::Keyword;
use crate::syntax::{Lexeme, LexemeKind};

impl Builder<'_> {
    /// Takes the names of a line of DATA, `a, b : REAL [N] INPUT := …`, if one begins with this word.
    pub(super) fn data_item(&mut self, first: Lexeme) -> bool {
        if self.frames.len() != 1 {
            return false;
        }
        let mut words = vec![first];
        let mut ahead = 0;
        while self.is_ahead(ahead, ",") {
            match self.ahead(ahead + 1) {
                Some(word) if word.kind == LexemeKind::Word => words.push(word),
                _ => return false,
            }
            ahead += 2;
        }
        if !self.is_ahead(ahead, ":") {
            return false;
        }
        self.at += ahead + 1;
        let ty = self.type_name();
        let (sort, to) = self.rest_of_item(ty.as_ref().map_or(first.to, |ty| ty.end));
        let is_array = self.is_ahead(0, "[");
        let scheme = self.frames[0].from;
        for word in words {
            let name = self.declare(word, sort, first.from..to, ty.clone());
            self.see(name, scheme);
            let detail = ty.clone().map_or("", |ty| &self.text[ty]);
            let outline = Outline {
                title: self.text_of(word).to_owned(),
                detail: detail.to_owned(),
                sort: match sort {
                    Sort::Parameter => OutlineSort::Constant,
                    _ if is_array => OutlineSort::Array,
                    _ => OutlineSort::Variable,
                },
                whole: first.from..to.max(word.to),
                title_at: word.from..word.to,
                inner: Vec::new(),
            };
            if let Some(scheme) = self.index.outline.last_mut() {
                scheme.inner.push(outline);
            }
        }
        true
    }

    /// What a line of DATA declares, and one past it. A scalar with a value is a parameter.
    fn rest_of_item(&self, mut to: usize) -> (Sort, usize) {
        let (mut ahead, mut depth, mut sort) = (0, 0usize, Sort::Data);
        let mut marked = false;
        while let Some(lexeme) = self.ahead(ahead) {
            let text = self.text_of(lexeme);
            match lexeme.kind {
                LexemeKind::Keyword(Keyword::Input | Keyword::Output) => marked = true,
                LexemeKind::Keyword(
                    Keyword::True
                    | Keyword::False
                    | Keyword::Not
                    | Keyword::And
                    | Keyword::Or
                    | Keyword::Mod,
                ) => {}
                LexemeKind::Keyword(_) => break,
                _ => {}
            }
            match text {
                ";" => break,
                "[" if depth == 0 && sort == Sort::Data => {
                    marked = true;
                    depth += 1;
                }
                "[" | "(" => depth += 1,
                "]" | ")" => depth = depth.saturating_sub(1),
                ":=" if depth == 0 && !marked => sort = Sort::Parameter,
                // The next line: names, and then a colon.
                _ if depth == 0 && lexeme.kind == LexemeKind::Word && self.begins_item(ahead) => {
                    break;
                }
                _ => {}
            }
            to = lexeme.to;
            ahead += 1;
        }
        (sort, to)
    }

    /// Whether names and a colon stand so far ahead.
    fn begins_item(&self, mut ahead: usize) -> bool {
        while self.is_ahead(ahead + 1, ",") {
            ahead += 2;
        }
        let is_word = self
            .ahead(ahead)
            .is_some_and(|l| l.kind == LexemeKind::Word);
        is_word && self.is_ahead(ahead + 1, ":")
    }
}
