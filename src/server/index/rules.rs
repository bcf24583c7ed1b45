//! Lexemes of rule files → their index: rules, strategies and predicates, and the variables in them.

use super::{Class, Index, Name, Outline, OutlineSort, Section, Sort, Use, comment_runs};
use crate::algebra::Construct;
use crate::syntax::rules::lexemes;
use crate::syntax::{Lexeme, LexemeKind};
use crate::term::Symbol;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Words of the syntax.
pub(in crate::server) const WORDS: &[(&str, &str)] = &[
    (
        "strategy",
        "a strategy: which rules are applied where, in which order",
    ),
    ("predicate", "a clause of a predicate, which conditions ask"),
    (
        "let",
        "values computed after the match and before the conditions",
    ),
    (
        "where",
        "values computed after the conditions, where the result uses them",
    ),
    ("domain", "a domain of systems"),
    ("system", "a system of rules"),
    ("ruleset", "the rules of a system"),
    ("import", "rules of another system"),
    ("try", "the strategy; nothing where it fails"),
    ("repeat", "the strategy as often as it succeeds"),
    (
        "once",
        "the strategy at the first place, from the top, where it succeeds",
    ),
    ("all", "the strategy at every argument"),
    ("topdown", "the strategy at every place, from the top"),
    ("bottomup", "the strategy at every place, from the leaves"),
    (
        "innermost",
        "the strategy at the innermost places as long as it succeeds",
    ),
    ("expressions", "the strategy in expressions, too"),
    (
        "not",
        "succeeds where the strategy fails, and changes nothing",
    ),
    ("at", "the strategy at the loop over a variable"),
    (
        "outside",
        "the strategy, whose traversals leave out the places of a phrase or a functor",
    ),
    ("when", "the strategy where a condition holds"),
    ("id", "changes nothing, and succeeds"),
    ("fail", "fails"),
];

/// The index of a rule file.
pub(in crate::server) fn index(text: &str) -> Index {
    let all = lexemes(text);
    let (comments, all): (Vec<Lexeme>, Vec<Lexeme>) =
        all.into_iter().partition(|l| l.kind == LexemeKind::Comment);
    let mut builder = Builder {
        text,
        all,
        index: Index::default(),
        named: FxHashMap::default(),
    };
    builder.items();
    let mut index = builder.index;
    let comments: Vec<Range<usize>> = comments.iter().map(|l| l.from..l.to).collect();
    for comment in &comments {
        index.token(comment.clone(), Class::Comment, false);
    }
    for run in comment_runs(text, &comments) {
        index.folds.push((run, true));
    }
    index.sections.push((0, Section::Outside));
    index.finish()
}

struct Builder<'a> {
    text: &'a str,
    all: Vec<Lexeme>,
    index: Index,
    /// Rules, strategies and predicates of the file.
    named: FxHashMap<String, usize>,
}

impl Builder<'_> {
    fn word(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |l| l.text(self.text))
    }

    /// Takes the items one after the other.
    fn items(&mut self) {
        let mut from = 0;
        while from < self.all.len() {
            let to = self.end_of_item(from);
            self.declarations(from, to);
            from = to;
        }
        let mut from = 0;
        while from < self.all.len() {
            let to = self.end_of_item(from);
            self.item(from, to);
            from = to;
        }
    }

    /// One past the last lexeme of an item: a semicolon outside of brackets ends a rule; a strategy goes on to what
    /// begins another item.
    fn end_of_item(&self, from: usize) -> usize {
        let mut start = from;
        while self
            .all
            .get(start)
            .is_some_and(|l| l.kind == LexemeKind::Attribute)
        {
            start += 1;
            if self.word(start) == "(" {
                start = self.closed(start) + 1;
            }
        }
        let is_strategy = self.word(start) == "strategy";
        let mut depth = 0usize;
        for at in start..self.all.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let begins = self.all[at].kind == LexemeKind::Attribute
                || is_strategy && self.word(at) == "strategy";
            if at > start && begins {
                return at;
            }
            if !is_strategy && depth == 0 && self.word(at) == ";" {
                return at + 1;
            }
        }
        self.all.len()
    }

    /// The bracket that closes the one at a place; the last lexeme where none does.
    fn closed(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for at in open..self.all.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.all.len().saturating_sub(1)
    }

    /// Notes what an item declares for the whole file.
    fn declarations(&mut self, from: usize, to: usize) {
        let whole = self.all[from].from..self.all[to - 1].to;
        self.fold(&whole);
        for at in from..to {
            let (sort, name) = match self.word(at) {
                "#@rule" if self.word(at + 1) == "(" => (Sort::Rule, at + 2),
                "strategy" => (Sort::Strategy, at + 1),
                "predicate" => (Sort::Question, at + 1),
                _ => continue,
            };
            let Some(lexeme) = self.all.get(name).copied() else {
                continue;
            };
            if lexeme.kind != LexemeKind::Word || name >= to {
                continue;
            }
            let text = lexeme.text(self.text).to_owned();
            // A predicate may have several clauses.
            if self.named.contains_key(&text) {
                continue;
            }
            let number = self.index.names.len();
            let place = lexeme.from..lexeme.to;
            self.index.names.push(Name {
                text: text.clone(),
                sort,
                declared: Some(place.clone()),
                scope: 0..self.text.len(),
                whole: whole.clone(),
                ty: None,
                claimed: false,
            });
            self.named.insert(text.clone(), number);
            self.index.outline.push(Outline {
                title: text,
                detail: String::new(),
                sort: match sort {
                    Sort::Strategy => OutlineSort::Strategy,
                    _ => OutlineSort::Rule,
                },
                whole: whole.clone(),
                title_at: place,
                inner: Vec::new(),
            });
        }
    }

    fn fold(&mut self, whole: &Range<usize>) {
        if self.text[whole.clone()].contains('\n') {
            self.index.folds.push((whole.clone(), false));
        }
    }

    fn item(&mut self, from: usize, to: usize) {
        let mut own: FxHashMap<String, usize> = FxHashMap::default();
        let whole = self.all[from].from..self.all[to - 1].to;
        let strategy = (from..to).find(|&at| self.word(at) == "strategy");
        for at in from..to {
            let lexeme = self.all[at];
            let place = lexeme.from..lexeme.to;
            let text = self.word(at).to_owned();
            match lexeme.kind {
                LexemeKind::Attribute => {
                    self.index.token(place, Class::Attribute, false);
                    continue;
                }
                LexemeKind::Number => self.index.token(place, Class::Number, false),
                LexemeKind::Phrase => self.index.token(place, Class::Text, false),
                LexemeKind::Variable => self.variable(&mut own, &text, place, &whole),
                LexemeKind::Word => {
                    if self.parameter(strategy, at, &text, &mut own, &whole) {
                        continue;
                    }
                    match (self.named.get(&text).copied(), strategy) {
                        (Some(name), _) if self.names(at, name) => {
                            let declares = self.index.names[name].declared.as_ref() == Some(&place);
                            self.index.token(place.clone(), Class::Phrase, declares);
                            self.index.uses.push(Use {
                                place,
                                name,
                                declares,
                                writes: false,
                            });
                        }
                        _ => self.other(&text, place),
                    }
                }
                _ => self.index.token(place, Class::Sign, false),
            }
        }
    }

    /// Whether a word is the name of a rule, and not a functor that is written the same.
    fn names(&self, at: usize, name: usize) -> bool {
        let called = self.word(at + 1) == "(";
        match self.index.names[name].sort {
            Sort::Question => called,
            _ => {
                let place = &self.all[at];
                let declared = self.index.names[name].declared.as_ref();
                let before = at.checked_sub(1).map_or("", |b| self.word(b));
                declared.is_some_and(|d| d.start == place.from)
                    || self.in_strategy(at) && before != "$"
            }
        }
    }

    fn in_strategy(&self, at: usize) -> bool {
        let mut back = at;
        while back > 0 {
            back -= 1;
            let begins = self.all[back].kind == LexemeKind::Attribute;
            if self.word(back) == "strategy" || begins {
                return !begins;
            }
        }
        false
    }

    fn variable(
        &mut self,
        own: &mut FxHashMap<String, usize>,
        text: &str,
        place: Range<usize>,
        whole: &Range<usize>,
    ) {
        let bare = text.trim_end_matches("..").to_owned();
        let place = place.start..place.start + bare.len();
        self.index.token(place.clone(), Class::Variable, false);
        self.own(own, bare, Sort::RuleVariable, place, whole);
    }

    /// A name that an item has to itself; the first place declares it.
    fn own(
        &mut self,
        own: &mut FxHashMap<String, usize>,
        text: String,
        sort: Sort,
        place: Range<usize>,
        whole: &Range<usize>,
    ) {
        let known = own.get(&text).copied();
        let name = known.unwrap_or_else(|| {
            self.index.names.push(Name {
                text: text.clone(),
                sort,
                declared: Some(place.clone()),
                scope: whole.clone(),
                whole: place.clone(),
                ty: None,
                claimed: false,
            });
            self.index.names.len() - 1
        });
        own.insert(text, name);
        self.index.uses.push(Use {
            place,
            name,
            declares: known.is_none(),
            writes: false,
        });
    }

    /// Takes a parameter of a strategy: one that its head declares, or a use of one as a value.
    fn parameter(
        &mut self,
        strategy: Option<usize>,
        at: usize,
        text: &str,
        own: &mut FxHashMap<String, usize>,
        whole: &Range<usize>,
    ) -> bool {
        let Some(strategy) = strategy.filter(|&s| at > s + 1) else {
            return false;
        };
        let lexeme = self.all[at];
        let place = lexeme.from..lexeme.to;
        let head = match self.word(strategy + 2) {
            "(" => strategy + 3..self.closed(strategy + 2),
            _ => 0..0,
        };
        let before = self.word(at - 1);
        let declares = head.contains(&at) && matches!(before, "(" | ",");
        let is_value = own.contains_key(text) && before == "=";
        if declares || is_value {
            self.index.token(place.clone(), Class::Constant, declares);
            self.own(own, text.to_owned(), Sort::StrategyParameter, place, whole);
            return true;
        }
        // The name of a setting is that of another strategy or rule.
        let is_setting = self.word(at + 1) == "=" && matches!(before, "(" | ",");
        if is_setting {
            self.index.token(place, Class::Component, false);
        }
        is_setting
    }

    fn other(&mut self, text: &str, place: Range<usize>) {
        let class = match () {
            () if WORDS.iter().any(|(word, _)| *word == text) => Class::Keyword,
            () if Construct::of(Symbol::new(text)).is_some() => Class::Type,
            () => Class::Function,
        };
        self.index.token(place, class, false);
    }
}
