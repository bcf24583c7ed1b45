//! The state of a reader of the text form: tokens, keywords, errors.

use super::lexer::{Token, lex};
use crate::algebra::{Construct, Keyword};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MAX_DEPTH, MOST_ERRORS, MOST_QUOTES, Span, Symbol, Terms};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A part could not be read; the reason stands in the reader's errors.
#[derive(Debug)]
pub struct Failed;

/// How operators are written; all else is the same in the three forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In words.
    Text,
    /// As formulas.
    Formula,
    /// As nodes of a graph.
    Graph,
}

/// What a reading function gives.
pub type Read<T> = Result<T, Failed>;

/// Spellings of each keyword, as words.
static SPELLINGS: LazyLock<HashMap<Keyword, Vec<Vec<Symbol>>>> = LazyLock::new(|| {
    Keyword::ALL
        .iter()
        .map(|&k| {
            let spellings = k
                .all_spellings()
                .map(|s| s.split(' ').map(Symbol::new).collect())
                .collect();
            (k, spellings)
        })
        .collect()
});

/// Keywords by the first word of a spelling; such words cannot be names.
static BY_FIRST_WORD: LazyLock<HashMap<Symbol, Vec<Keyword>>> = LazyLock::new(|| {
    let mut map: HashMap<Symbol, Vec<Keyword>> = HashMap::new();
    for &keyword in Keyword::ALL {
        for words in &SPELLINGS[&keyword] {
            let entry = map.entry(words[0]).or_default();
            if !entry.contains(&keyword) {
                entry.push(keyword);
            }
        }
    }
    map
});

/// Whether a word begins a keyword, in any language.
pub fn is_reserved(word: Symbol) -> bool {
    BY_FIRST_WORD.contains_key(&word)
}

/// Whether a word is one of the reserved integers of kernels.
fn is_index(word: Symbol) -> bool {
    matches!(word.as_str(), "block" | "thread" | "blocks" | "threads")
}

/// For each token of a formula that is an opening parenthesis, the number of the closing one.
fn closing(tokens: &[(Token, Span)], formula: bool) -> Vec<u32> {
    if !formula {
        return Vec::new();
    }
    let mut all = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (i, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::Sign("(") => open.push(i),
            Token::Sign(")") => {
                if let Some(from) = open.pop() {
                    all[from] = i as u32;
                }
            }
            _ => {}
        }
    }
    all
}

/// The reader of one source text.
pub struct Parser<'a> {
    /// The text.
    pub text: &'a str,
    /// Its number.
    pub file: u32,
    /// Where terms are made.
    pub terms: &'a mut Terms,
    /// What was wrong so far.
    pub errors: Vec<Diagnostic>,
    /// The form of operators.
    pub form: Form,
    tokens: Vec<(Token, Span)>,
    /// For each opening parenthesis of a formula, the closing one.
    closing: Vec<u32>,
    at: usize,
    depth: usize,
    /// How many quoted texts are around.
    quotes: usize,
}

impl<'a> Parser<'a> {
    /// A reader of a whole text.
    pub fn new(text: &'a str, file: u32, terms: &'a mut Terms, form: Form) -> Parser<'a> {
        let mut errors = Vec::new();
        let formula = form == Form::Formula;
        let tokens = lex(text, file, 0, text.len(), formula, &mut errors);
        let closing = closing(&tokens, formula);
        Parser {
            text,
            file,
            terms,
            errors,
            form,
            tokens,
            closing,
            at: 0,
            depth: 0,
            quotes: 0,
        }
    }

    /// Reads a part of the text between two bytes with a reading function, then goes on here.
    pub fn within<T>(
        &mut self,
        from: usize,
        to: usize,
        read: impl FnOnce(&mut Parser<'a>) -> Read<T>,
    ) -> Read<T> {
        // Each level reads what is in it anew.
        if self.quotes == MOST_QUOTES {
            let message = format!("quoted texts stand in each other more than {MOST_QUOTES} deep");
            let diagnostic = Diagnostic::error("E0106", message)
                .at(Span::new(self.file, from, from))
                .hint("give parts of it names: LOCALs for values");
            return self.fail_with(diagnostic);
        }
        self.quotes += 1;
        let formula = self.form == Form::Formula;
        let tokens = lex(self.text, self.file, from, to, formula, &mut self.errors);
        let outer_closing = std::mem::replace(&mut self.closing, closing(&tokens, formula));
        let outer = std::mem::replace(&mut self.tokens, tokens);
        let at = std::mem::replace(&mut self.at, 0);
        let result = read(self).and_then(|value| {
            if self.peek() == Token::End {
                Ok(value)
            } else {
                self.fail_expecting("the end of the parentheses")
            }
        });
        self.tokens = outer;
        self.closing = outer_closing;
        self.at = at;
        self.quotes -= 1;
        result
    }

    /// The token that comes next.
    pub fn peek(&self) -> Token {
        self.tokens[self.at].0
    }

    /// The token after the next one.
    pub fn peek_second(&self) -> Token {
        self.peek_at(1)
    }

    /// The token so many after the next one.
    pub fn peek_at(&self, further: usize) -> Token {
        self.tokens[(self.at + further).min(self.tokens.len() - 1)].0
    }

    /// The token after the parenthesis that closes the one that comes next, in a formula.
    pub fn peek_after_parentheses(&self) -> Token {
        let closing = self.closing.get(self.at).map_or(0, |&c| c as usize);
        match closing {
            0 => Token::End,
            at => self.tokens[(at + 1).min(self.tokens.len() - 1)].0,
        }
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// The span of the token read last.
    pub fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// The token read last.
    pub fn last(&self) -> Token {
        self.tokens[self.at.saturating_sub(1)].0
    }

    /// Goes on to the next token.
    pub fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Whether so many errors were met that reading on is no help.
    pub fn gave_up(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    /// Where the reader stands, to come back to.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Words that a keyword takes here, if it stands here.
    fn length_here(&self, keyword: Keyword) -> Option<usize> {
        let Token::Word(first) = self.peek() else {
            return None;
        };
        if !BY_FIRST_WORD.get(&first)?.contains(&keyword) {
            return None;
        }
        SPELLINGS[&keyword]
            .iter()
            .filter(|words| {
                words.iter().enumerate().all(|(i, &w)| {
                    self.tokens
                        .get(self.at + i)
                        .is_some_and(|t| t.0 == Token::Word(w))
                })
            })
            .map(Vec::len)
            .max()
    }

    /// Whether a keyword stands here.
    pub fn at_keyword(&self, keyword: Keyword) -> bool {
        self.length_here(keyword).is_some()
    }

    /// Takes a keyword if it stands here.
    pub fn take_keyword(&mut self, keyword: Keyword) -> bool {
        match self.length_here(keyword) {
            Some(length) => {
                for _ in 0..length {
                    self.advance();
                }
                true
            }
            None => false,
        }
    }

    /// Takes a keyword that must stand here.
    pub fn expect_keyword(&mut self, keyword: Keyword) -> Read<()> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            self.fail_expecting(keyword.text(Default::default()))
        }
    }

    /// Whether a sign stands here.
    pub fn at_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if s == sign)
    }

    /// Takes a sign if it stands here.
    pub fn take_sign(&mut self, sign: &str) -> bool {
        let here = self.at_sign(sign);
        if here {
            self.advance();
        }
        here
    }

    /// Takes a sign that must stand here.
    pub fn expect_sign(&mut self, sign: &str) -> Read<()> {
        if self.take_sign(sign) {
            Ok(())
        } else {
            self.fail_expecting(&format!("`{sign}`"))
        }
    }

    /// Takes a name that must stand here.
    pub fn expect_name(&mut self, what: &str) -> Read<Id> {
        let span = self.span();
        match self.peek() {
            Token::Word(word) if is_reserved(word) && what.starts_with("an ") => {
                self.fail_expecting(what)
            }
            Token::Word(word) if is_reserved(word) => self.fail_with(
                Diagnostic::error(
                    "E0105",
                    format!("`{word}` is a keyword, so it cannot be {what}"),
                )
                .at(span)
                .hint("choose another name; keywords are upper case, names may be lower case"),
            ),
            Token::Word(word) if is_index(word) => self.fail_with(
                Diagnostic::error(
                    "E0105",
                    format!("`{word}` has a meaning of its own in kernels, so it cannot be {what}"),
                )
                .at(span)
                .hint("choose another name: block, thread, blocks and threads are reserved"),
            ),
            Token::Word(word) if Construct::of(word).is_some_and(|c| c.info().takes(0)) => self
                .fail_with(
                    Diagnostic::error(
                        "E0105",
                        format!("`{word}` is the name of a construct, so it cannot be {what}"),
                    )
                    .at(span)
                    .hint("choose another name, for example in lower case"),
                ),
            Token::Word(word) => {
                self.advance();
                let id = self.terms.atom(word);
                self.terms.set_span(id, span);
                Ok(id)
            }
            _ => self.fail_expecting(what),
        }
    }

    /// What stands here, for messages.
    pub fn here(&self) -> String {
        match self.peek() {
            Token::End => "the end of the text".into(),
            Token::Phrase => "a phrase".into(),
            Token::Predicate => "a predicate".into(),
            _ => {
                let span = self.span();
                let text = &self.text[span.from as usize..span.to as usize];
                format!("`{}`", text.chars().take(40).collect::<String>())
            }
        }
    }

    /// Fails because something else was expected here.
    pub fn fail_expecting<T>(&mut self, what: &str) -> Read<T> {
        let diagnostic =
            Diagnostic::error("E0104", format!("expected {what}, found {}", self.here()))
                .at(self.span())
                .label(format!("expected {what}"));
        self.fail_with(diagnostic)
    }

    /// Fails with a diagnostic.
    pub fn fail_with<T>(&mut self, diagnostic: Diagnostic) -> Read<T> {
        if !self.gave_up() {
            self.errors.push(diagnostic);
        }
        Err(Failed)
    }

    /// Reads one level deeper, unless that is too deep.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Parser<'a>) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Fails because the nesting is too deep.
    pub fn too_deep<T>(&mut self) -> Read<T> {
        let diagnostic =
            Diagnostic::error("E0106", format!("nested more than {MAX_DEPTH} levels deep"))
                .at(self.span())
                .hint("give parts of it names: phrases for operators, LOCALs for values");
        self.fail_with(diagnostic)
    }

    /// Makes a term that was read from `from` up to here.
    pub fn make(&mut self, construct: Construct, arguments: &[Id], from: Span) -> Id {
        let id = self.terms.apply(construct.symbol(), arguments);
        self.terms.set_span(id, from.join(self.last_span()));
        id
    }

    /// Makes a literal or an atom of the span read last.
    pub fn leaf(&mut self, head: Head) -> Id {
        let id = self.terms.make(head, &[]);
        self.terms.set_span(id, self.last_span());
        id
    }
}
