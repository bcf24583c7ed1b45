//! What may stand at a place: constructs as snippets, names in scope, phrases, functions, types; in rule files facts,
//! functions, functors, rules and strategies.

use super::documents::{Document, Kind};
use super::hover::{function, keyword};
use super::index::{Name, Sort, WORDS, groups};
use super::place::{Place, around, place};
use super::serve::Client;
use super::snippets::{Snippet, is_of_kernels, plain, snippets};
use super::work::EMBEDDED;
use crate::algebra::{
    COMPONENTS, CONSTANTS, Construct, FUNCTIONS, Keyword, Language, Sort as Sorts, TABLE,
    TYPE_NAMES,
};
use crate::derive::known;
use crate::rewrite::summary;
use crate::syntax::{Lexeme, LexemeKind, rules, text as schemes};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionResponse, CompletionTextEdit, Documentation,
    InsertTextFormat, MarkupContent, MarkupKind, Position, TextEdit,
};
use std::ops::Range;

pub(super) fn complete(
    document: &Document,
    position: Position,
    client: Client,
) -> Option<CompletionResponse> {
    let byte = document.text.byte(position);
    let text = document.text.as_str();
    let lexemes = match document.kind {
        Kind::Schemes => schemes::lexemes(text),
        Kind::Rules => rules::lexemes(text),
    };
    let (word, before) = around(text, &lexemes, byte);
    let mut items = Items {
        document,
        word,
        rich: client.snippets,
        all: Vec::new(),
    };
    match document.kind {
        Kind::Schemes => items.of_schemes(byte, before, &lexemes),
        Kind::Rules => items.of_rules(byte, before),
    }
    Some(CompletionResponse::Array(items.all))
}

struct Items<'a> {
    document: &'a Document,
    word: Range<usize>,
    rich: bool,
    all: Vec<CompletionItem>,
}

impl Items<'_> {
    /// Adds something to choose; `order` says how near it stands to the top.
    fn add(
        &mut self,
        label: &str,
        kind: CompletionItemKind,
        order: u8,
        new: &str,
    ) -> &mut CompletionItem {
        let range = self.document.text.range(self.word.start, self.word.end);
        let is_snippet = new.contains('$') && self.rich;
        let new = match is_snippet {
            true => new.to_owned(),
            false => plain(new),
        };
        self.all.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            sort_text: Some(format!("{order}{label}")),
            insert_text_format: is_snippet.then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, new))),
            ..CompletionItem::default()
        });
        self.all.last_mut().expect("it was just added")
    }

    fn of_schemes(&mut self, byte: usize, before: Vec<(LexemeKind, &str)>, lexemes: &[Lexeme]) {
        let section = self.document.index().section(byte);
        let place = place(section, &before, self.quoted(byte, lexemes));
        let language = self.document.index().language;
        match place {
            Place::Nothing => {}
            Place::Outside => self.schemes(language),
            Place::Data => self.data(language),
            Place::Type => self.types(language),
            Place::Component => {
                for component in COMPONENTS {
                    self.add(component, CompletionItemKind::FIELD, 1, component);
                }
            }
            Place::Quoted => self.phrases(byte),
            Place::Operator => {
                self.names(byte);
                self.phrases(byte);
                self.constructs(Sorts::Operator, language);
                self.keywords(
                    &[
                        Keyword::Else,
                        Keyword::EndIf,
                        Keyword::EndOfLoop,
                        Keyword::Where,
                        Keyword::EndOfScheme,
                    ],
                    language,
                );
            }
            Place::Expression | Place::Condition => {
                self.names(byte);
                self.functions();
                if place == Place::Condition {
                    self.keywords(&[Keyword::Not, Keyword::True, Keyword::False], language);
                    self.phrases(byte);
                }
                self.keywords(
                    &[
                        Keyword::And,
                        Keyword::Or,
                        Keyword::Mod,
                        Keyword::To,
                        Keyword::Step,
                        Keyword::IfThen,
                        Keyword::Loop,
                    ],
                    language,
                );
            }
        }
    }

    /// The quoted text that is being written: the whole, or what stands behind a quote that is not closed.
    fn quoted(&mut self, byte: usize, lexemes: &[Lexeme]) -> bool {
        let closed = lexemes.iter().find(|l| {
            let is_quoted = matches!(l.kind, LexemeKind::Phrase | LexemeKind::Predicate);
            is_quoted && l.from < byte && byte < l.to
        });
        if let Some(closed) = closed {
            self.word = closed.from..closed.to;
            return true;
        }
        let text = self.document.text.as_str();
        let line = text[..byte].rfind('\n').map_or(0, |at| at + 1);
        let quote = |l: &&Lexeme| l.kind == LexemeKind::Sign && matches!(l.text(text), "\"" | "'");
        let mut open = lexemes.iter().filter(|l| line <= l.from && l.from < byte);
        match open.find(quote) {
            Some(open) => {
                self.word = open.from..byte;
                true
            }
            None => false,
        }
    }

    fn schemes(&mut self, language: Language) {
        let text = |k: Keyword| k.text(language);
        let new = format!(
            "{} \"${{1:name}}\" ====\n{}\n  ${{2:N : INTEGER := 100}}\n{}\n  $3\n{} \"${{1:name}}\"\n",
            text(Keyword::Scheme),
            text(Keyword::Data),
            text(Keyword::EndOfData),
            text(Keyword::EndOfScheme),
        );
        self.add(text(Keyword::Scheme), CompletionItemKind::SNIPPET, 1, &new);
        let new = format!("{} \"${{1:file.saa}}\"", text(Keyword::Use));
        self.add(text(Keyword::Use), CompletionItemKind::SNIPPET, 2, &new);
    }

    fn data(&mut self, language: Language) {
        for one in snippets(Sorts::Part, language) {
            let is_item = matches!(
                one.construct,
                Construct::DefaultInput
                    | Construct::Work
                    | Construct::Check
                    | Construct::Assume
                    | Construct::Use
            );
            if is_item {
                self.construct(one, 1);
            }
        }
        self.keywords(
            &[Keyword::Input, Keyword::Output, Keyword::EndOfData],
            language,
        );
        let array = format!(
            "${{1:a}} : ${{2:REAL}} [${{3:N}}] {}",
            Keyword::Input.text(language)
        );
        self.add("array", CompletionItemKind::SNIPPET, 2, &array);
        self.add(
            "parameter",
            CompletionItemKind::SNIPPET,
            2,
            "${1:N} : ${2:INTEGER} := ${3:100}",
        );
    }

    fn constructs(&mut self, sort: Sorts, language: Language) {
        for one in snippets(sort, language) {
            let order = if is_of_kernels(one.construct) { 6 } else { 3 };
            self.construct(one, order);
        }
    }

    fn construct(&mut self, one: Snippet, order: u8) {
        let meaning = one.construct.info().meaning;
        let item = self.add(&one.label, CompletionItemKind::SNIPPET, order, &one.text);
        item.filter_text = Some(one.begins.to_owned());
        item.documentation = Some(Documentation::String(meaning.to_owned()));
    }

    fn keywords(&mut self, all: &[Keyword], language: Language) {
        for keyword in all {
            let text = keyword.text(language);
            self.add(text, CompletionItemKind::KEYWORD, 5, text)
                .documentation = self::keyword(text).map(markdown);
        }
    }

    fn types(&mut self, language: Language) {
        for row in TYPE_NAMES {
            let text = row.text(language);
            self.add(&text, CompletionItemKind::CLASS, 1, &text).detail =
                Some(row.meaning.to_owned());
        }
    }

    fn functions(&mut self) {
        for row in FUNCTIONS.iter() {
            let arguments = (1..=row.arity.0).map(|n| format!("${n}"));
            let arguments: Vec<String> = arguments.collect();
            let new = format!("{}({})", row.name, arguments.join(", "));
            let item = self.add(row.name, CompletionItemKind::FUNCTION, 4, &new);
            item.detail = Some(row.meaning.to_owned());
            item.documentation = function(row.name).map(markdown);
        }
        for (name, _) in CONSTANTS {
            self.add(name, CompletionItemKind::CONSTANT, 4, name);
        }
    }

    /// The names that can be seen here.
    fn names(&mut self, byte: usize) {
        let document = self.document;
        let seen = document.index().visible(byte);
        for name in seen
            .into_iter()
            .filter(|n| !n.sort.is_quoted() && n.sort != Sort::Unknown)
        {
            let kind = match name.sort {
                Sort::Parameter => CompletionItemKind::CONSTANT,
                _ => CompletionItemKind::VARIABLE,
            };
            let detail = detail(document.text.as_str(), name);
            self.add(&name.text, kind, 1, &name.text).detail = Some(detail);
        }
        for file in document.used() {
            for name in file.names().filter(|n| !n.sort.is_quoted()) {
                let detail = format!("{} of {}", detail(file.text.as_str(), name), file.name);
                self.add(&name.text, CompletionItemKind::VARIABLE, 1, &name.text)
                    .detail = Some(detail);
            }
        }
    }

    /// The phrases of the scheme, with places for their arguments.
    fn phrases(&mut self, byte: usize) {
        let document = self.document;
        let quotes = |n: &&Name| matches!(n.sort, Sort::Phrase | Sort::Predicate);
        for name in document.index().visible(byte).into_iter().filter(quotes) {
            self.phrase(document.text.as_str(), name);
        }
        for file in document.used() {
            for name in file.names().filter(quotes) {
                self.phrase(file.text.as_str(), name);
            }
        }
    }

    /// A phrase that a text names.
    fn phrase(&mut self, text: &str, name: &Name) {
        let model = name.declared.clone().unwrap_or_else(|| name.whole.clone());
        let is_own = text == self.document.text.as_str();
        // The text that is being written is no phrase yet.
        if is_own && model == self.word {
            return;
        }
        let quote = if name.sort == Sort::Predicate {
            '\''
        } else {
            '"'
        };
        let (mut new, mut label, mut number) = (String::from(quote), String::from(quote), 0);
        for piece in groups(text, &model) {
            let inner = &text[piece.from..piece.to];
            match piece.group {
                true => {
                    number += 1;
                    label.push_str(&format!("({inner})"));
                    new.push_str(&format!("(${{{number}:{inner}}})"));
                }
                false => {
                    label.push_str(inner);
                    new.push_str(&inner.replace('$', "\\$"));
                }
            }
        }
        new.push(quote);
        label.push(quote);
        self.add(&label, CompletionItemKind::METHOD, 2, &new).detail =
            Some(name.sort.words().to_owned());
    }

    fn of_rules(&mut self, byte: usize, before: Vec<(LexemeKind, &str)>) {
        if before
            .first()
            .is_some_and(|(kind, _)| *kind == LexemeKind::Comment)
        {
            return;
        }
        let document = self.document;
        for name in document.index().visible(byte) {
            let kind = match name.sort {
                Sort::RuleVariable | Sort::StrategyParameter => CompletionItemKind::VARIABLE,
                _ => CompletionItemKind::FUNCTION,
            };
            self.add(&name.text, kind, 1, &name.text.replace('$', "\\$"))
                .detail = Some(name.sort.words().to_owned());
        }
        for one in known() {
            let what = if one.is_fact { "a fact" } else { "a function" };
            let item = self.add(one.name, CompletionItemKind::FUNCTION, 3, one.name);
            item.detail = Some(what.to_owned());
            item.documentation = Some(markdown(one.meaning.to_owned()));
        }
        for row in TABLE {
            self.add(row.functor, CompletionItemKind::CONSTRUCTOR, 4, row.functor)
                .detail = Some(row.meaning.to_owned());
        }
        for (word, meaning) in WORDS {
            self.add(word, CompletionItemKind::KEYWORD, 2, word).detail =
                Some((*meaning).to_owned());
        }
        let Some((base, _)) = EMBEDDED.as_ref() else {
            return;
        };
        for rule in base.rules.iter().filter(|r| r.named) {
            self.add(
                rule.name.as_str(),
                CompletionItemKind::REFERENCE,
                5,
                rule.name.as_str(),
            )
            .detail = Some(summary(&rule.doc));
        }
        for one in base.strategies() {
            self.add(
                one.name.as_str(),
                CompletionItemKind::REFERENCE,
                5,
                one.name.as_str(),
            )
            .detail = Some(summary(&one.doc));
        }
    }
}

/// The type of a name as it is declared, and what it is.
fn detail(text: &str, name: &Name) -> String {
    let words = name.sort.words();
    match (&name.ty, name.sort) {
        (Some(ty), _) => {
            let text = &text[ty.start..name.whole.end.max(ty.end)];
            let text: Vec<&str> = text.split_whitespace().collect();
            format!("{}, {words}", text.join(" "))
        }
        (None, Sort::LoopVariable) => format!("INTEGER, {words}"),
        _ => words.to_owned(),
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    })
}
