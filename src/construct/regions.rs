//! The text of a scheme → where its definitions stand, with their comments: text is cut and put in between tokens, and all
//! else stays as it is.

use crate::algebra::{Construct, Keyword};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::syntax::print::phrase_with_arguments;
use crate::syntax::text::{languages, lexemes, read_file, read_operators};
use crate::syntax::{Lexeme, LexemeKind};
use crate::term::{Id, Sources, Symbol, Terms};
use std::collections::BTreeMap;

/// A scheme in its text.
pub(super) struct Regions<'t> {
    pub(super) file: u32,
    pub(super) text: &'t str,
    /// Words, signs and comments of the whole text.
    pub(super) items: Vec<Lexeme>,
    pub(super) terms: Terms,
    pub(super) root: Id,
    /// The byte where the scheme's body and its definitions end: where DICTIONARY begins, or the END.
    pub(super) end: usize,
}

/// Where a definition stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// The number of its first item: a comment that belongs to it, or its head.
    pub(super) first: usize,
    /// The number of its head.
    pub(super) head: usize,
    /// The number of its last item: a token, or a comment on the line of that.
    pub(super) last: usize,
}

/// A phrase or a predicate, as somebody names it.
pub(super) struct Wanted {
    pub(super) name: Symbol,
    /// Whether it is a predicate, where that was said.
    pub(super) is_test: Option<bool>,
    /// What stands between its quotes.
    pub(super) inner: String,
}

impl Wanted {
    /// Reads a phrase, with quotes or without.
    pub(super) fn read(phrase: &str) -> Result<Wanted, Vec<Diagnostic>> {
        let phrase = phrase.trim();
        let quoted = |a: char, b: char| phrase.strip_prefix(a)?.strip_suffix(b);
        let (inner, is_test) = match (quoted('"', '"'), quoted('\'', '\'')) {
            (Some(inner), _) => (inner.to_owned(), Some(false)),
            (_, Some(inner)) => (inner.to_owned(), Some(true)),
            _ => (
                quoted('«', '»').unwrap_or(phrase).replace('"', "\\\""),
                None,
            ),
        };
        let mut sources = Sources::default();
        let text = format!("\"{inner}\" ==== EMPTY");
        let file = sources.add("<phrase>", text);
        let mut terms = Terms::new();
        let (read, wrong) = read_operators(&sources, file, &mut terms);
        let name = match read[..] {
            [one] if wrong.is_empty() => terms.as_text(terms.arg(one, 0)),
            _ => None,
        };
        match name {
            Some(name) => Ok(Wanted {
                name,
                is_test,
                inner,
            }),
            None => {
                let message = format!("`{phrase}` is not the head of a definition");
                let hint = "its parentheses hold names, each once: \"Kick body (i)\"";
                Err(vec![Diagnostic::error("E0367", message).hint(hint)])
            }
        }
    }

    /// Its text with quotes.
    pub(super) fn quoted(&self, is_test: bool) -> String {
        match is_test {
            true => format!("'{}'", self.inner),
            false => format!("\"{}\"", self.inner),
        }
    }

    pub(super) fn fits(&self, construct: Construct) -> bool {
        match construct {
            Construct::Define | Construct::Basic | Construct::Call => self.is_test != Some(true),
            Construct::DefineTest | Construct::BasicTest | Construct::Test => {
                self.is_test != Some(false)
            }
            _ => false,
        }
    }
}

impl<'t> Regions<'t> {
    /// The scheme of a name in a text, or the first one.
    pub(super) fn of(
        sources: &'t Sources,
        file: u32,
        scheme: Option<&str>,
    ) -> Result<Regions<'t>, Vec<Diagnostic>> {
        let mut terms = Terms::new();
        let (items, errors) = read_file(sources, file, &mut terms);
        if !errors.is_empty() {
            return Err(errors);
        }
        let is_wanted = |&&id: &&Id| {
            let name = terms.args(id).first().and_then(|&n| terms.as_text(n));
            let is_scheme = terms.functor(id) == Some(Construct::Scheme.symbol());
            is_scheme && scheme.is_none_or(|wanted| name.is_some_and(|n| n.as_str() == wanted))
        };
        let Some(&root) = items.iter().find(is_wanted) else {
            let message = match scheme {
                Some(name) => format!("there is no scheme \"{name}\" in words in this file"),
                None => "there is no scheme in words in this file".to_owned(),
            };
            let hint = "graphs are refined as schemes: glushkov show FILE > FILE.saa";
            return Err(vec![Diagnostic::error("E0004", message).hint(hint)]);
        };
        let text = sources.get(file).map_or("", |s| s.text.as_str());
        if sources.get(file).is_some_and(|s| s.name.ends_with(".saaf")) {
            let message = "definitions of formulas are not edited";
            let hint = "take the scheme in words: glushkov show FILE > FILE.saa";
            return Err(vec![Diagnostic::error("E0367", message).hint(hint)]);
        }
        let items = lexemes(text);
        let from = terms.span(root).map_or(0, |s| s.from as usize);
        let ends = |l: &&Lexeme| {
            let keyword = LexemeKind::Keyword;
            l.from > from
                && (l.kind == keyword(Keyword::Dictionary)
                    || l.kind == keyword(Keyword::EndOfScheme))
        };
        let end = items.iter().find(ends).map_or(text.len(), |l| l.from);
        Ok(Regions {
            file,
            text,
            items,
            terms,
            root,
            end,
        })
    }

    /// What stands among the definitions, in order.
    pub(super) fn definitions(&self) -> Vec<Id> {
        let all = self.terms.args(self.root).get(3);
        let all = all.map_or(&[][..], |&w| self.terms.args(w));
        let is_entry = |id: Id| {
            let construct = self.terms.functor(id).and_then(Construct::of);
            matches!(construct, Some(Construct::Entry | Construct::EntryTest))
        };
        let in_where = |&id: &Id| !is_entry(id) && self.from(id).is_some_and(|at| at < self.end);
        all.iter().copied().filter(in_where).collect()
    }

    pub(super) fn from(&self, id: Id) -> Option<usize> {
        self.terms.span(id).map(|span| span.from as usize)
    }

    pub(super) fn construct(&self, id: Id) -> Option<Construct> {
        self.terms.functor(id).and_then(Construct::of)
    }

    /// Whether the scheme uses a phrase or a predicate, and as which of both.
    pub(super) fn used_as_test(&self, wanted: &Wanted) -> Option<bool> {
        let found = self.terms.subterms(self.root).find(|&id| {
            let is_use = matches!(self.construct(id), Some(Construct::Call | Construct::Test));
            let name = self
                .terms
                .args(id)
                .first()
                .and_then(|&n| self.terms.as_text(n));
            is_use
                && name == Some(wanted.name)
                && self.construct(id).is_some_and(|c| wanted.fits(c))
        });
        found.map(|id| self.construct(id) == Some(Construct::Test))
    }

    /// That a phrase is not what is wanted, with one that is nearly so.
    pub(super) fn unknown(&self, wanted: &Wanted, message: String, defined: bool) -> Diagnostic {
        // The names of phrases, each with a phrase as it is written.
        let mut known: BTreeMap<&str, String> = BTreeMap::new();
        for id in self.terms.subterms(self.root) {
            let Some(construct) = self.construct(id) else {
                continue;
            };
            let fits = match construct {
                Construct::Define | Construct::DefineTest => defined,
                Construct::Call | Construct::Test => !defined,
                _ => false,
            };
            let name = self.terms.args(id).first();
            if let (true, Some(name)) = (fits, name.and_then(|&n| self.terms.as_text(n))) {
                let written = || self.as_written(construct, id);
                known.entry(name.as_str()).or_insert_with(written);
            }
        }
        let diagnostic = Diagnostic::error("E0367", message);
        match did_you_mean(wanted.name.as_str(), known.keys().copied()) {
            Some(near) => diagnostic.hint(format!("did you mean {}?", known[near])),
            None if known.is_empty() => diagnostic,
            None => {
                let shown: Vec<&str> = known.values().map(String::as_str).collect();
                let what = if defined { "defined" } else { "used" };
                diagnostic.hint(format!("phrases that are {what}: {}", shown.join(", ")))
            }
        }
    }

    /// A definition's head, or a use, as it is written, in quotes.
    fn as_written(&self, construct: Construct, id: Id) -> String {
        let (name, rest) = (self.terms.arg(id, 0), &self.terms.args(id)[1..]);
        let (quote, arguments) = match (construct, rest) {
            (Construct::Define, &[formals, ..]) => ('"', self.terms.args(formals)),
            (Construct::DefineTest, &[formals, ..]) => ('\'', self.terms.args(formals)),
            (Construct::Test, uses) => ('\'', uses),
            (_, uses) => ('"', uses),
        };
        let phrase = phrase_with_arguments(&self.terms, name, arguments);
        format!("{quote}{phrase}{quote}")
    }

    /// The last token before a byte.
    pub(super) fn last_token_before(&self, byte: usize) -> Option<usize> {
        let is_token = |l: &Lexeme| l.from < byte && l.kind != LexemeKind::Comment;
        self.items.iter().rposition(is_token)
    }

    /// The comment on the line of a token, if there is one, else the token.
    pub(super) fn with_comment_behind(&self, token: usize) -> usize {
        let is_comment = |l: &&Lexeme| l.kind == LexemeKind::Comment;
        match self.items.get(token + 1).filter(is_comment) {
            Some(_) if self.lines_before(token + 1) == 0 => token + 1,
            _ => token,
        }
    }

    /// The first of the comments that stand on lines of their own right above a token; the token, if there are none.
    pub(super) fn with_comments_above(&self, token: usize) -> usize {
        let mut first = token;
        while first > 0
            && self.items[first - 1].kind == LexemeKind::Comment
            && self.lines_before(first) == 1
            && self.lines_before(first - 1) > 0
        {
            first -= 1;
        }
        first
    }

    /// Line ends between an item and the one before it.
    pub(super) fn lines_before(&self, item: usize) -> usize {
        let from = item
            .checked_sub(1)
            .map_or(0, |before| self.items[before].to);
        self.text[from..self.items[item].from].matches('\n').count()
    }

    /// The word WHERE of the scheme.
    pub(super) fn word_where(&self) -> Option<usize> {
        let from = self.from(self.root)?;
        let is_where = |l: &Lexeme| {
            l.kind == LexemeKind::Keyword(Keyword::Where) && l.from > from && l.from < self.end
        };
        self.items.iter().position(is_where)
    }

    /// The last item of the scheme's body, where there is no WHERE.
    pub(super) fn end_of_body(&self) -> Option<usize> {
        let last = self.last_token_before(self.end)?;
        Some(self.with_comment_behind(last))
    }

    /// WHERE in the language of the scheme.
    pub(super) fn where_text(&self) -> &'static str {
        let language = languages(self.text).first().copied().unwrap_or_default();
        Keyword::Where.text(language)
    }

    /// The text of items, its lines moved to the left so far that the first one begins there. What stands in quotes
    /// stays as it is.
    pub(super) fn moved_left(&self, first: usize, last: usize) -> String {
        let (from, to) = (self.items[first].from, self.items[last].to);
        let line = self.text[..from].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line..from];
        let begins_line = before.trim().is_empty();
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
        let lines = || self.text[from..to].split('\n').skip(1);
        let left = match begins_line {
            true => before.len(),
            false => (lines().filter(|l| !l.trim().is_empty()).map(indent))
                .min()
                .unwrap_or(0),
        };
        let mut out = String::new();
        let mut at = from;
        for (number, line) in self.text[from..to].split('\n').enumerate() {
            let in_quotes = || self.items.iter().any(|l| l.from < at && at < l.to);
            if number > 0 {
                out.push('\n');
            }
            match number == 0 || in_quotes() {
                true => out.push_str(line),
                false => out.push_str(&line[indent(line).min(left)..]),
            }
            at += line.len() + 1;
        }
        out.push('\n');
        out
    }
}
