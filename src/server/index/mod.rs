//! Text → its names, where each is declared and used, and what every word of it is.
//!
//! One index a document is behind definitions, references, renaming, highlighting, the outline and the colours of
//! tokens. It is made from lexemes, so that a text has one while it is being written.

mod blocks;
mod data;
mod names;
mod quoted;
mod rules;
mod scheme;

pub(super) use quoted::groups;
pub(super) use rules::{WORDS, index as index_rules};
pub(super) use scheme::index as index_schemes;

use crate::algebra::Language;
use std::ops::Range;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    Parameter,
    Data,
    Local,
    LoopVariable,
    /// An argument of a definition.
    Formal,
    /// A name that nothing declares.
    Unknown,
    Phrase,
    Predicate,
    /// What CONTROL POINT and WAIT name.
    Point,
    /// A rule or a strategy, which strategies name alike.
    Rule,
    Strategy,
    /// A predicate of a rule file.
    Question,
    /// `$x` in a rule.
    RuleVariable,
    StrategyParameter,
}

impl Sort {
    /// What it is, in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Sort::Parameter => "a parameter",
            Sort::Data => "data of the scheme",
            Sort::Local => "a LOCAL",
            Sort::LoopVariable => "the variable of a loop",
            Sort::Formal => "an argument of the phrase",
            Sort::Unknown => "a name that nothing declares",
            Sort::Phrase => "a phrase",
            Sort::Predicate => "a predicate",
            Sort::Point => "a synchronization condition",
            Sort::Rule => "a rule",
            Sort::Strategy => "a strategy",
            Sort::Question => "a predicate of rules",
            Sort::RuleVariable => "a variable of the rule",
            Sort::StrategyParameter => "a parameter of the strategy",
        }
    }

    /// Whether it is written in quotes.
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, Sort::Phrase | Sort::Predicate | Sort::Point)
    }
}

/// A name.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// How it is written; of a phrase, with nothing between its parentheses.
    pub(super) text: String,
    pub(super) sort: Sort,
    /// Where it is declared.
    pub(super) declared: Option<Range<usize>>,
    /// Where it can be named.
    pub(super) scope: Range<usize>,
    /// The whole declaration or definition.
    pub(super) whole: Range<usize>,
    /// The type that its declaration gives, as it is written.
    pub(super) ty: Option<Range<usize>>,
    /// Whether a claim of ASSUME or an option names it, which cannot be told apart from others of its name.
    pub(super) claimed: bool,
}

/// A place where a name stands.
#[derive(Clone, Debug)]
pub(super) struct Use {
    pub(super) place: Range<usize>,
    /// Which of the names.
    pub(super) name: usize,
    pub(super) declares: bool,
    pub(super) writes: bool,
}

/// What a word or a sign is to the eye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Keyword,
    Variable,
    Constant,
    Argument,
    Phrase,
    Function,
    Type,
    Component,
    Text,
    Number,
    Comment,
    Sign,
    Attribute,
}

/// A word or a sign.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) place: Range<usize>,
    pub(super) class: Class,
    pub(super) declares: bool,
}

/// What a part of a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Nothing yet: schemes begin here, or rules.
    Outside,
    Data,
    Body,
    Where,
    Dictionary,
}

/// A loop over numbers.
#[derive(Clone, Debug)]
pub(super) struct LoopHeader {
    /// Its first byte.
    pub(super) from: usize,
    /// One past its header.
    pub(super) to: usize,
}

/// A part of a text with a name of its own.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) title: String,
    pub(super) detail: String,
    pub(super) sort: OutlineSort,
    pub(super) whole: Range<usize>,
    pub(super) title_at: Range<usize>,
    pub(super) inner: Vec<Outline>,
}

/// What such a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutlineSort {
    Scheme,
    Array,
    Constant,
    Variable,
    Definition,
    Rule,
    Strategy,
}

/// All of these of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub(super) names: Vec<Name>,
    /// In the order of the text; those in parentheses of a phrase follow its own.
    pub(super) uses: Vec<Use>,
    pub(super) tokens: Vec<Token>,
    pub(super) sections: Vec<(usize, Section)>,
    pub(super) loops: Vec<LoopHeader>,
    pub(super) outline: Vec<Outline>,
    /// What may be folded, and whether it is a comment.
    pub(super) folds: Vec<(Range<usize>, bool)>,
    /// Whether it uses other files.
    pub(super) uses_files: bool,
    /// The language that most of its keywords are of.
    pub(super) language: Language,
}

impl Index {
    /// The innermost use at a byte, which may stand right behind it.
    pub(super) fn at(&self, byte: usize) -> Option<&Use> {
        let touches = |u: &&Use| u.place.start <= byte && byte <= u.place.end;
        let touching = self.uses.iter().filter(touches);
        touching.min_by_key(|u| (u.place.len(), u.place.start.abs_diff(byte)))
    }

    /// The uses of a name.
    pub(super) fn uses_of(&self, name: usize) -> impl Iterator<Item = &Use> {
        self.uses.iter().filter(move |u| u.name == name)
    }

    /// The names that can be written at a byte; of several of one text the innermost.
    pub(super) fn visible(&self, byte: usize) -> Vec<&Name> {
        let mut seen: Vec<&Name> = Vec::new();
        let here = |n: &&Name| n.scope.start <= byte && byte <= n.scope.end;
        for name in self.names.iter().filter(here) {
            let same = |other: &Name| {
                other.text == name.text && other.sort.is_quoted() == name.sort.is_quoted()
            };
            match seen.iter_mut().find(|n| same(n)) {
                Some(other) if other.scope.start < name.scope.start => *other = name,
                Some(_) => {}
                None => seen.push(name),
            }
        }
        seen
    }

    /// The part of the text that a byte stands in.
    pub(super) fn section(&self, byte: usize) -> Section {
        let before = self.sections.partition_point(|(from, _)| *from <= byte);
        match before {
            0 => Section::Outside,
            n => self.sections[n - 1].1,
        }
    }

    fn token(&mut self, place: Range<usize>, class: Class, declares: bool) {
        self.tokens.push(Token {
            place,
            class,
            declares,
        });
    }

    /// Brings everything into the order of the text.
    fn finish(mut self) -> Index {
        self.tokens.sort_by_key(|t| t.place.start);
        self.uses
            .sort_by_key(|u| (u.place.start, std::cmp::Reverse(u.place.end)));
        self.folds.sort_by_key(|(place, _)| place.start);
        self
    }
}

/// Runs of comments on lines of their own, each from its first byte to its last.
fn comment_runs(text: &str, comments: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for comment in comments {
        let before = text[..comment.start].rsplit('\n').next().unwrap_or("");
        if !before.trim().is_empty() {
            continue;
        }
        match runs.last_mut() {
            Some(run) if text[run.end..comment.start].matches('\n').count() == 1 => {
                run.end = comment.end;
            }
            _ => runs.push(comment.clone()),
        }
    }
    runs.retain(|run| text[run.clone()].contains('\n'));
    runs
}
