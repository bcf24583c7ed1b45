//! The state of a reader of schemes: where it stands in a text, and what was wrong so far.

use super::broken::Breaks;
use super::grammar::{Grammar, Pair, Pairs, Rule};
use crate::algebra::{Construct, Keyword, OF, Type};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MAX_DEPTH, MOST_ERRORS, Span, Symbol, Terms};
use pest::Parser;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// A part could not be read; the reason stands in the reader's errors.
#[derive(Debug)]
pub(super) struct Failed;

/// What a reading function gives.
pub(super) type Read<T> = Result<T, Failed>;

/// The refusal of a part of a text.
pub(super) type Refusal = Box<pest::error::Error<Rule>>;

/// How operators are written; all else is the same in the three forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// In words.
    Text,
    /// As formulas.
    Formula,
    /// As nodes of a graph.
    Graph,
}

/// A term with the bytes from its first token to its last one, parentheses around it included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) id: Id,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The first words of keywords, which cannot be names.
static RESERVED: LazyLock<FxHashSet<Symbol>> = LazyLock::new(|| {
    let spellings = Keyword::ALL.iter().flat_map(|k| k.all_spellings());
    spellings
        .map(|s| Symbol::new(s.split(' ').next().unwrap_or(s)))
        .collect()
});

/// Whether a word begins a keyword, in any language.
pub fn is_reserved(word: Symbol) -> bool {
    RESERVED.contains(&word)
}

/// The reader of one source text.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) file: u32,
    pub(super) terms: &'a mut Terms,
    pub(super) errors: Vec<Diagnostic>,
    /// The form of operators.
    pub(super) form: Form,
    /// Whether signs have the meaning they have in formulas.
    pub(super) signs_of_formulas: bool,
    /// The next token.
    pub(super) at: usize,
    /// The first byte of the token read last, and one past its last byte.
    pub(super) last: (usize, usize),
    /// Where the part that is being read begins: places in pairs are counted from there.
    pub(super) base: usize,
    /// How many quoted texts are around.
    pub(super) quotes: usize,
    /// How quoted texts are broken over lines.
    pub(super) breaks: Breaks,
    /// Whether words in quotes are values: in a condition over givens.
    pub(super) words: bool,
    /// How many parts of WHERE or DICTIONARY that stand for a choice are around.
    pub(super) in_given: usize,
}

impl<'a> Reader<'a> {
    /// A reader that stands before the first token of a text.
    pub(super) fn new(text: &'a str, file: u32, terms: &'a mut Terms, form: Form) -> Reader<'a> {
        let mut reader = Reader {
            text,
            file,
            terms,
            errors: Vec::new(),
            form,
            signs_of_formulas: form == Form::Formula,
            at: 0,
            last: (0, 0),
            base: 0,
            quotes: 0,
            breaks: Breaks::default(),
            words: false,
            in_given: 0,
        };
        let _ = reader.step(Rule::start);
        reader
    }

    /// Reads a part that stands here by its rule, and goes on to the token after it.
    pub(super) fn step(&mut self, rule: Rule) -> Result<Vec<Pair<'a>>, Refusal> {
        let text: &'a str = &self.text[self.at..];
        let mut pairs: Vec<Pair> = Grammar::parse(rule, text)?.collect();
        self.base = self.at;
        if let Some(here) = pairs.pop_if(|p| p.as_rule() == Rule::here) {
            self.at = self.base + here.as_span().start();
        }
        Ok(pairs)
    }

    /// Reads a part of the text between two bytes.
    pub(super) fn part(&self, rule: Rule, from: usize, to: usize) -> Result<Pairs<'a>, Refusal> {
        Ok(Grammar::parse(rule, &self.text[from..to])?)
    }

    /// The first byte of a pair.
    pub(super) fn from(&self, pair: &Pair) -> usize {
        self.base + pair.as_span().start()
    }

    /// One past the last byte of a pair that ends in a token.
    pub(super) fn to(&self, pair: &Pair) -> usize {
        self.base + pair.as_span().end()
    }

    /// A place in this text.
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.file, from, to)
    }

    /// The place of a pair that ends in a token.
    pub(super) fn span_of(&self, pair: &Pair) -> Span {
        self.span(self.from(pair), self.to(pair))
    }

    /// Says that a pair was read, whose last word is the token read last.
    pub(super) fn read_to(&mut self, pair: &Pair) {
        let to = self.to(pair);
        let last = pair.as_str().split_whitespace().next_back();
        let word = match pair.as_rule().is_keyword() {
            true => last.map_or(0, str::len),
            false => pair.as_str().len(),
        };
        self.last = (to - word, to);
    }

    /// Whether so many errors were met that reading on is no help.
    pub(super) fn gave_up(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    /// Tells of an error.
    pub(super) fn tell(&mut self, diagnostic: Diagnostic) {
        if !self.gave_up() {
            self.errors.push(diagnostic);
        }
    }

    /// Fails with a diagnostic.
    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Read<T> {
        self.tell(diagnostic);
        Err(Failed)
    }

    /// Fails because the nesting is too deep.
    pub(super) fn too_deep<T>(&mut self, from: usize, to: usize) -> Read<T> {
        let span = self.span(from, to);
        self.fail(too_deep().at(span))
    }

    /// Makes a term that was read between two bytes.
    pub(super) fn make(
        &mut self,
        construct: Construct,
        arguments: &[Id],
        from: usize,
        to: usize,
    ) -> Id {
        let id = self.terms.apply(construct.symbol(), arguments);
        self.terms.set_span(id, Span::new(self.file, from, to));
        id
    }

    /// Makes a literal or an atom.
    pub(super) fn leaf(&mut self, head: Head, from: usize, to: usize) -> Id {
        let id = self.terms.make(head, &[]);
        self.terms.set_span(id, Span::new(self.file, from, to));
        id
    }

    /// A type: its name, for a vector perhaps with that of its components.
    pub(super) fn type_name(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut words = pair.into_inner().filter(|p| p.as_rule() == Rule::type_word);
        match (words.next(), words.next()) {
            (Some(vector), Some(component)) => {
                let [vector, component] =
                    [vector, component].map(|word| Type::in_english(word.as_str()).to_owned());
                let name = format!("{vector}{OF}{component}");
                Ok(self.leaf(Head::Functor(Symbol::new(&name)), from, to))
            }
            (Some(word), None) => {
                let name = Type::in_english(word.as_str());
                match name == word.as_str() {
                    true => self.name(&word),
                    false => Ok(self.leaf(Head::Functor(Symbol::new(name)), from, to)),
                }
            }
            (None, _) => self.fail(Diagnostic::error("E0104", "expected a type")),
        }
    }

    /// A name. `what` says what it names, for messages.
    pub(super) fn name(&mut self, pair: &Pair<'a>) -> Read<Id> {
        let word = pair.as_str();
        let symbol = Symbol::new(word);
        let what = || super::expected::what(pair.as_rule()).unwrap_or("a name".into());
        let refusal = if is_index(word) {
            Diagnostic::error(
                "E0105",
                format!(
                    "`{word}` has a meaning of its own in kernels, so it cannot be {}",
                    what()
                ),
            )
            .hint("choose another name: block, thread, blocks and threads are reserved")
        } else if Construct::of(symbol).is_some_and(|c| c.info().takes(0)) {
            Diagnostic::error(
                "E0105",
                format!(
                    "`{word}` is the name of a construct, so it cannot be {}",
                    what()
                ),
            )
            .hint("choose another name, for example in lower case")
        } else {
            let (from, to) = (self.from(pair), self.to(pair));
            return Ok(self.leaf(Head::Functor(symbol), from, to));
        };
        let span = self.span_of(pair);
        self.fail(refusal.at(span))
    }
}

/// Whether a word is one of the reserved integers of kernels.
pub(super) fn is_index(word: &str) -> bool {
    Construct::standing(word).is_some()
}

/// The refusal of what nests too deep, without its place.
pub(super) fn too_deep() -> Diagnostic {
    Diagnostic::error("E0106", format!("nested more than {MAX_DEPTH} levels deep"))
        .hint("give parts of it names: phrases for operators, LOCALs for values")
}
