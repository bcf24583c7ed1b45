//! Lexemes of schemes → their index: parts, blocks and what is declared in them.

use super::{Class, Index, Outline, OutlineSort, Section, Sort, comment_runs};
use crate::algebra::{Keyword, Language};
use crate::syntax::text::{Breaks, lexemes};
use crate::syntax::{Lexeme, LexemeKind};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What closes a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Scheme,
    Definition,
    If,
    Loop,
    Bracket,
}

/// A block that is open, with the names that are declared in it.
pub(super) struct Frame {
    pub(super) block: Block,
    pub(super) from: usize,
    pub(super) names: Vec<usize>,
}

/// The index of a text of schemes.
pub(in crate::server) fn index(text: &str) -> Index {
    let all = lexemes(text);
    let comments = all.iter().filter(|l| l.kind == LexemeKind::Comment);
    let comments: Vec<Range<usize>> = comments.map(|l| l.from..l.to).collect();
    let mut builder = Builder {
        text,
        all: all
            .iter()
            .copied()
            .filter(|l| l.kind != LexemeKind::Comment)
            .collect(),
        at: 0,
        index: Index::default(),
        frames: Vec::new(),
        quoted: FxHashMap::default(),
        breaks: Breaks::default(),
        unknown: FxHashMap::default(),
        pending_local: None,
        pending_binder: None,
        pending_loop: None,
        section: Section::Outside,
        scheme_from: 0,
        languages: [0; 3],
        opened: Vec::new(),
        in_claim: false,
        claims: Vec::new(),
    };
    for comment in &comments {
        builder.index.token(comment.clone(), Class::Comment, false);
    }
    builder.all();
    let mut index = builder.index;
    for run in comment_runs(text, &comments) {
        index.folds.push((run, true));
    }
    let most = builder.languages.iter().max().copied().unwrap_or(0);
    let languages = Language::ALL.into_iter().zip(builder.languages);
    let mut wanted = languages.filter(|(_, n)| *n == most);
    index.language = wanted.next().map_or(Language::English, |(l, _)| l);
    index.finish()
}

pub(super) struct Builder<'a> {
    pub(super) text: &'a str,
    /// Without comments.
    pub(super) all: Vec<Lexeme>,
    pub(super) at: usize,
    pub(super) index: Index,
    pub(super) frames: Vec<Frame>,
    /// Phrases, predicates and points of the scheme, by how they are written.
    pub(super) quoted: FxHashMap<(Sort, String), usize>,
    pub(super) breaks: Breaks,
    /// Names of the scheme that nothing declares.
    pub(super) unknown: FxHashMap<String, usize>,
    /// A LOCAL whose value is being read, and how many blocks were open before it.
    pub(super) pending_local: Option<(usize, usize)>,
    /// The variable of a loop whose body has not begun, likewise.
    pub(super) pending_binder: Option<(usize, usize)>,
    /// Where the header of a loop over numbers began.
    pub(super) pending_loop: Option<usize>,
    pub(super) section: Section,
    pub(super) scheme_from: usize,
    pub(super) languages: [usize; 3],
    /// Sections that are open, for the outline and for folding.
    pub(super) opened: Vec<(Section, usize)>,
    pub(super) in_claim: bool,
    /// The names that claims of the scheme speak of.
    pub(super) claims: Vec<String>,
}

impl Builder<'_> {
    pub(super) fn all(&mut self) {
        while let Some(lexeme) = self.all.get(self.at).copied() {
            self.at += 1;
            match lexeme.kind {
                LexemeKind::Keyword(keyword) => self.keyword(keyword, lexeme),
                LexemeKind::Word => self.word(lexeme),
                LexemeKind::Phrase | LexemeKind::Predicate => self.quoted(lexeme),
                LexemeKind::Number => self.token(lexeme, Class::Number),
                _ => self.sign(lexeme),
            }
        }
        let end = self.text.len();
        self.close_sections(end);
        self.close_to(0, end);
    }

    pub(super) fn token(&mut self, lexeme: Lexeme, class: Class) {
        self.index.token(lexeme.from..lexeme.to, class, false);
    }

    pub(super) fn text_of(&self, lexeme: Lexeme) -> &str {
        lexeme.text(self.text)
    }

    /// The lexeme so many places after the one that is looked at.
    pub(super) fn ahead(&self, by: usize) -> Option<Lexeme> {
        self.all.get(self.at + by).copied()
    }

    pub(super) fn is_ahead(&self, by: usize, sign: &str) -> bool {
        self.ahead(by).is_some_and(|l| self.text_of(l) == sign)
    }

    pub(super) fn keyword_ahead(&self, by: usize) -> Option<Keyword> {
        match self.ahead(by)?.kind {
            LexemeKind::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    pub(super) fn before(&self) -> Option<Lexeme> {
        self.at
            .checked_sub(2)
            .and_then(|at| self.all.get(at))
            .copied()
    }

    pub(super) fn keyword(&mut self, keyword: Keyword, lexeme: Lexeme) {
        self.token(lexeme, Class::Keyword);
        let word = self.text_of(lexeme).to_owned();
        for language in Language::ALL {
            if keyword.spellings(language).any(|s| s == word) {
                self.languages[language as usize] += 1;
            }
        }
        let goes_on = matches!(
            keyword,
            Keyword::And
                | Keyword::Or
                | Keyword::Not
                | Keyword::Mod
                | Keyword::True
                | Keyword::False
                | Keyword::After
                | Keyword::Of
        );
        if !goes_on {
            self.declare_local(lexeme.from);
            self.in_claim = keyword == Keyword::Assume;
        }
        match keyword {
            Keyword::Scheme | Keyword::Graph => self.scheme(lexeme),
            Keyword::Data if self.section == Section::Body => {
                self.begin(Section::Data, lexeme.from)
            }
            Keyword::EndOfData => {
                self.close_sections(lexeme.to);
                self.section = Section::Body;
                self.index.sections.push((lexeme.to, Section::Body));
            }
            Keyword::Use => self.index.uses_files = true,
            Keyword::Where | Keyword::Dictionary => {
                self.close_to(1, lexeme.from);
                let section = match keyword {
                    Keyword::Where => Section::Where,
                    _ => Section::Dictionary,
                };
                self.begin(section, lexeme.from);
            }
            Keyword::EndOfScheme | Keyword::EndOfGraph => {
                self.close_sections(lexeme.from);
                self.close_to(1, lexeme.from);
                let mut end = lexeme.to;
                if let Some(title) = self.ahead(0).filter(|l| is_quoted(*l)) {
                    self.token(title, Class::Text);
                    self.at += 1;
                    end = title.to;
                }
                self.close_to(0, end);
                self.section = Section::Outside;
                self.index.sections.push((end, Section::Outside));
            }
            Keyword::If => self.open(Block::If, lexeme.from),
            // Operators are separated by the same word.
            Keyword::IfThen if self.frames.last().is_some_and(|f| f.block == Block::If) => {
                self.turn(Block::If, lexeme.to);
            }
            Keyword::Else => self.turn(Block::If, lexeme.to),
            Keyword::EndIf => self.close(Block::If, lexeme.to),
            Keyword::For | Keyword::While => {
                self.open(Block::Loop, lexeme.from);
                self.pending_loop = (keyword == Keyword::For).then_some(lexeme.from);
            }
            Keyword::Loop => self.loop_begins(lexeme),
            Keyword::EndOfLoop => self.close(Block::Loop, lexeme.to),
            Keyword::Parallel | Keyword::Lanes => self.pending_loop = None,
            Keyword::Local | Keyword::Array | Keyword::Shared | Keyword::Registers => {
                self.declaration(keyword, lexeme);
            }
            _ => {}
        }
    }

    pub(super) fn scheme(&mut self, lexeme: Lexeme) {
        self.close_sections(lexeme.from);
        self.close_to(0, lexeme.from);
        self.quoted.clear();
        self.unknown.clear();
        self.scheme_from = lexeme.from;
        self.open(Block::Scheme, lexeme.from);
        self.section = Section::Body;
        let mut title_at = lexeme.from..lexeme.to;
        if let Some(title) = self.ahead(0).filter(|l| is_quoted(*l)) {
            self.token(title, Class::Text);
            self.at += 1;
            title_at = title.from..title.to;
        }
        self.index.sections.push((title_at.end, Section::Body));
        let title = self.text[title_at.clone()].trim_matches(QUOTES).to_owned();
        self.index.outline.push(Outline {
            title,
            detail: String::new(),
            sort: OutlineSort::Scheme,
            whole: lexeme.from..self.text.len(),
            title_at,
            inner: Vec::new(),
        });
    }

    /// Begins a section.
    pub(super) fn begin(&mut self, section: Section, from: usize) {
        self.close_sections(from);
        self.section = section;
        self.opened.push((section, from));
        self.index.sections.push((from, section));
    }

    /// Ends the section that is open.
    pub(super) fn close_sections(&mut self, to: usize) {
        for (_, from) in std::mem::take(&mut self.opened) {
            self.fold(from, to);
        }
    }
}

/// What quotes a text.
pub(super) const QUOTES: [char; 9] = ['"', '\'', '“', '„', '”', '«', '»', '‘', '’'];

pub(super) fn is_quoted(lexeme: Lexeme) -> bool {
    matches!(lexeme.kind, LexemeKind::Phrase | LexemeKind::Predicate)
}
