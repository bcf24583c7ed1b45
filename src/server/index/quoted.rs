//! Quoted texts of schemes: phrases and predicates with the names between their parentheses, points, labels.

use super::scheme::{Block, Builder, QUOTES};
use super::{Class, Name, Outline, OutlineSort, Section, Sort, Use};
use crate::algebra::Keyword;
use crate::syntax::text::{Piece, lexemes, pieces};
use crate::syntax::{Lexeme, LexemeKind};
use std::ops::Range;

impl Builder<'_> {
    /// A quoted text, by what stands before and behind it.
    pub(super) fn quoted(&mut self, lexeme: Lexeme) {
        if self.is_ahead(0, "====") {
            return self.head(lexeme);
        }
        let before = self.before().map(|l| l.kind);
        let before = match before {
            Some(LexemeKind::Keyword(keyword)) => Some(keyword),
            _ => None,
        };
        match before {
            Some(
                Keyword::Report
                | Keyword::Save
                | Keyword::Work
                | Keyword::DefaultInput
                | Keyword::Use
                | Keyword::Scheme
                | Keyword::Graph,
            ) => self.token(lexeme, Class::Text),
            Some(Keyword::ControlPoint | Keyword::Wait) => {
                let sets = before == Some(Keyword::ControlPoint);
                let name = self.quoted_name(Sort::Point, lexeme, &[]);
                if sets {
                    self.index.names[name].declared = Some(lexeme.from..lexeme.to);
                }
                self.token(lexeme, Class::Text);
                self.stands(lexeme.from..lexeme.to, name, sets);
            }
            _ if self.section == Section::Dictionary => self.translation(lexeme),
            _ if self.section == Section::Data => self.token(lexeme, Class::Text),
            _ => {
                self.declare_before(lexeme);
                let parts = pieces(self.text, lexeme.from, lexeme.to);
                let name = self.quoted_name(sort_of(lexeme), lexeme, &parts);
                self.colour(lexeme, &parts, false);
                self.stands(lexeme.from..lexeme.to, name, false);
                self.arguments(&parts);
            }
        }
    }

    /// A phrase that acts ends the LOCAL before it.
    fn declare_before(&mut self, lexeme: Lexeme) {
        let depth = self.frames.len();
        let ends = lexeme.kind == LexemeKind::Phrase;
        if ends && self.pending_local.is_some_and(|(_, d)| d >= depth) {
            self.declare_local(lexeme.from);
        }
    }

    fn stands(&mut self, place: Range<usize>, name: usize, declares: bool) {
        self.index.uses.push(Use {
            place,
            name,
            declares,
            writes: false,
        });
    }

    /// The name that is written so.
    fn quoted_name(&mut self, sort: Sort, lexeme: Lexeme, parts: &[Piece]) -> usize {
        let text = self.written(lexeme, parts);
        if let Some(&name) = self.quoted.get(&(sort, text.clone())) {
            return name;
        }
        let name = self.index.names.len();
        self.index.names.push(Name {
            text: text.clone(),
            sort,
            declared: None,
            scope: lexeme.from..lexeme.from,
            whole: lexeme.from..lexeme.to,
            ty: None,
            claimed: false,
        });
        self.quoted.insert((sort, text), name);
        name
    }

    /// The plain parts of a phrase, and the parentheses.
    fn colour(&mut self, lexeme: Lexeme, parts: &[Piece], declares: bool) {
        let mut from = lexeme.from;
        for group in parts.iter().filter(|p| p.group) {
            self.index.token(from..group.from, Class::Phrase, declares);
            from = group.to;
        }
        self.index.token(from..lexeme.to, Class::Phrase, declares);
    }

    /// What stands between the parentheses of a call.
    fn arguments(&mut self, parts: &[Piece]) {
        let outer = (std::mem::take(&mut self.all), self.at);
        for group in parts.iter().filter(|p| p.group) {
            let inner = lexemes(&self.text[group.from..group.to]);
            self.all = inner.into_iter().map(|l| l.moved(group.from)).collect();
            self.at = 0;
            while let Some(lexeme) = self.all.get(self.at).copied() {
                self.at += 1;
                match lexeme.kind {
                    LexemeKind::Word => self.word(lexeme),
                    LexemeKind::Number => self.token(lexeme, Class::Number),
                    LexemeKind::Phrase | LexemeKind::Predicate => self.quoted(lexeme),
                    LexemeKind::Keyword(_) => self.token(lexeme, Class::Keyword),
                    _ => self.token(lexeme, Class::Sign),
                }
            }
        }
        (self.all, self.at) = outer;
    }

    /// The head of a definition or of an entry of a dictionary.
    fn head(&mut self, lexeme: Lexeme) {
        self.close_to(1, lexeme.from);
        let parts = pieces(self.text, lexeme.from, lexeme.to);
        let name = self.quoted_name(sort_of(lexeme), lexeme, &parts);
        self.colour(lexeme, &parts, true);
        let is_definition = self.section != Section::Dictionary;
        self.stands(lexeme.from..lexeme.to, name, is_definition);
        self.open(Block::Definition, lexeme.from);
        self.formals(&parts);
        if !is_definition {
            return;
        }
        self.index.names[name].declared = Some(lexeme.from..lexeme.to);
        self.index.names[name].whole = lexeme.from..lexeme.to;
        let title = self.text[lexeme.from..lexeme.to].trim_matches(QUOTES);
        let outline = Outline {
            title: title.to_owned(),
            detail: String::new(),
            sort: OutlineSort::Definition,
            whole: lexeme.from..lexeme.to,
            title_at: lexeme.from..lexeme.to,
            inner: Vec::new(),
        };
        match self.index.outline.last_mut() {
            Some(scheme) => scheme.inner.push(outline),
            None => self.index.outline.push(outline),
        }
    }

    /// The names between the parentheses of a head.
    fn formals(&mut self, parts: &[Piece]) {
        for group in parts.iter().filter(|p| p.group) {
            for inner in lexemes(&self.text[group.from..group.to]) {
                let inner = inner.moved(group.from);
                match inner.kind {
                    LexemeKind::Word => {
                        let place = inner.from..inner.to;
                        let name = self.declare(inner, Sort::Formal, place, None);
                        self.see(name, group.from);
                    }
                    _ => self.token(inner, Class::Sign),
                }
            }
        }
    }

    /// A phrase in another language: its parentheses hold the names of the entry's head.
    fn translation(&mut self, lexeme: Lexeme) {
        let parts = pieces(self.text, lexeme.from, lexeme.to);
        self.colour(lexeme, &parts, false);
        self.arguments(&parts);
    }
}

fn sort_of(lexeme: Lexeme) -> Sort {
    match lexeme.kind {
        LexemeKind::Predicate => Sort::Predicate,
        _ => Sort::Phrase,
    }
}

impl Builder<'_> {
    /// How a phrase is written without its quotes, with as many commas between its parentheses as there are in a group.
    fn written(&mut self, lexeme: Lexeme, parts: &[Piece]) -> String {
        let mut written = String::new();
        let place = (lexeme.from, lexeme.to);
        let plain = self.breaks.plain(self.text, place, parts);
        for (part, plain) in parts.iter().zip(plain) {
            match plain {
                Some(plain) => written.push_str(&plain),
                None => {
                    written.push('(');
                    let commas = commas(&self.text[part.from..part.to]);
                    written.extend(std::iter::repeat_n(',', commas));
                    written.push(')');
                }
            }
        }
        match parts.is_empty() {
            true => self.text_of(lexeme).trim_matches(QUOTES).to_owned(),
            false => written,
        }
    }
}

/// The commas that separate the arguments of a group.
fn commas(group: &str) -> usize {
    let mut depth = 0usize;
    let mut commas = 0;
    for lexeme in lexemes(group) {
        match lexeme.text(group) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 0 => commas += 1,
            _ => {}
        }
    }
    commas
}

/// The parts of a phrase between its quotes: plain texts, and groups of arguments.
pub(in crate::server) fn groups(text: &str, place: &Range<usize>) -> Vec<Piece> {
    pieces(text, place.start, place.end)
}
