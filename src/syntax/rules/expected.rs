//! What the grammar of rules refuses → diagnostics: what was expected, what was found, and where the
//! bracket that is not closed was opened.

use super::grammar::{Grammar, Rule};
use super::reader::{Reader, Refusal, too_deep};
use crate::diagnostic::Diagnostic;
use crate::term::Span;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

/// A token, its place and the place of the one after it.
pub(super) struct Found {
    pub(super) rule: Rule,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) next: usize,
}

impl Reader<'_> {
    /// The token at a place.
    pub(super) fn found(&self, at: usize) -> Found {
        let end = self.text.len();
        let mut pairs = Grammar::parse(Rule::token, &self.text[at..])
            .into_iter()
            .flatten();
        match (pairs.next(), pairs.next()) {
            (Some(pair), here) => Found {
                rule: pair.as_rule(),
                from: at + pair.as_span().start(),
                to: at + pair.as_span().end(),
                next: here.map_or(end, |h| at + h.as_span().start()),
            },
            _ => Found {
                rule: Rule::EOI,
                from: end,
                to: end,
                next: end,
            },
        }
    }

    /// The innermost bracket that is open at a place, by the rule of what closes it.
    fn opened(&self, from: usize, to: usize) -> Option<(Rule, Span)> {
        let mut open: Vec<(Rule, Span)> = Vec::new();
        let mut at = from;
        // A functor stands before the parenthesis of its arguments.
        let mut name = None;
        while at < to {
            let found = self.found(at);
            let mut span = self.span(found.from, found.to);
            let closes = match found.rule {
                Rule::EOI => break,
                Rule::open => Some(Rule::close),
                Rule::open_list => Some(Rule::close_list),
                Rule::open_set => Some(Rule::close_set),
                _ => None,
            };
            if let Some(closes) = closes {
                span = name.filter(|_| closes == Rule::close).unwrap_or(span);
                open.push((closes, span));
            } else if let Some(place) = open.iter().rposition(|(c, _)| *c == found.rule) {
                open.truncate(place);
            }
            name = matches!(found.rule, Rule::name | Rule::quoted_name).then_some(span);
            at = found.next.max(at + 1);
        }
        open.pop()
    }

    /// The refusal of a part that begins where the reader stands.
    pub(super) fn not_expected(&self, error: &Error<Rule>) -> Refusal {
        let at = self.at
            + match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
        let found = self.found(at);
        let span = self.span(found.from, found.to);
        let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
            return too_deep(span);
        };
        let text = &self.text[found.from..found.to];
        let first = text.chars().next();
        if found.rule == Rule::other
            && let Some(message) = broken_token(text, first)
        {
            return Box::new(Diagnostic::error("E0300", message).at(span));
        }
        let opened = self
            .opened(self.at, at)
            .filter(|(c, _)| positives.contains(c));
        let expected = expected(positives, opened.is_some(), self.is_term);
        let shown = match found.rule {
            Rule::EOI => "the end of the text".to_owned(),
            _ => format!("`{}`", short(text)),
        };
        let message = format!("expected {expected}, found {shown}");
        let mut diagnostic = Diagnostic::error("E0300", message).at(span);
        if let Some((_, opened)) = opened {
            diagnostic = diagnostic.also(opened, "opened here");
        }
        diagnostic.hint = hint(text, positives).map(str::to_owned);
        Box::new(diagnostic)
    }
}

/// What is wrong with a token that is none.
fn broken_token(text: &str, first: Option<char>) -> Option<String> {
    Some(match first? {
        '"' => "the text is not closed by \"".into(),
        '`' => "the name is not closed by `".into(),
        '$' => "`$` wants the name of a variable after it".into(),
        '#' => "`#@` wants the name of an attribute after it".into(),
        c if c.is_ascii_digit() => "a number and a name want a space between them".into(),
        _ if text.len() > 1 && text.is_ascii() => return None,
        c if "+-*/%^<>!:|=¬→←∧∨≤≥≠".contains(c) => return None,
        c => format!("the character {c:?} has no meaning here"),
    })
}

/// What is written in place of a token.
fn hint(text: &str, expected: &[Rule]) -> Option<&'static str> {
    match text {
        "=" if !expected.contains(&Rule::arrow) => Some("equality is written `==`"),
        "=" => Some("a rule is written pattern -> result, equality `==`"),
        "->" if expected.contains(&Rule::semicolon) => {
            Some("a rule has one `->`; after `|` an alternative begins with its condition, `[…]`")
        }
        _ => None,
    }
}

/// What rules are for those who write them, in a few words.
fn expected(rules: &[Rule], in_brackets: bool, is_term: bool) -> String {
    use Rule::*;
    let has = |wanted| rules.contains(&wanted);
    let mut words: Vec<&str> = Vec::new();
    if has(ends_strategy) {
        return "`;`, `<+` or the end of the strategy".into();
    }
    if has(member) {
        return "a rule, a group or `with(parameter = value)`".into();
    }
    if rules.contains(&open_list) && rules.len() == 1 {
        return "the condition of the alternative, `[…]`".into();
    }
    if has(semicolon) && !in_brackets && is_term {
        return "the end of the term".into();
    }
    if has(semicolon) && !in_brackets {
        return "`;`".into();
    }
    // What a name may have after it is expected wherever a term has ended.
    let goes_on = |of: Rule| matches!(of, open | up_to);
    let others: Vec<Rule> = rules.iter().copied().filter(|&r| !goes_on(r)).collect();
    let others = match others.iter().any(|&r| word(r).is_some()) {
        true => &others[..],
        false => rules,
    };
    for word in others.iter().filter_map(|&r| word(r)) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    match words.pop() {
        Some(last) if words.is_empty() => last.to_owned(),
        Some(last) => format!("{} or {last}", words.join(", ")),
        None => "something else".to_owned(),
    }
}

/// A rule in words; none for what only goes on with a term that is complete.
fn word(of: Rule) -> Option<&'static str> {
    use Rule::*;
    Some(match of {
        comma => "`,`",
        close => "`)`",
        close_list => "`]`",
        close_set => "`}`",
        open => "`(`",
        equals => "`=`",
        up_to => "`..`",
        gives => "`<-`",
        arrow => "`->`",
        alternative => "`->` or a condition in `[ ]`",
        condition | open_list => "a condition in `[ ]`",
        rule => "a rule",
        outcome => "a term",
        value | variable | sequence_variable => "a variable",
        integer | number => "an integer",
        ruleset | ruleset_word => "`ruleset(…)`",
        name_of_domain => "the name of a domain",
        name_of_system => "the name of a system",
        name_of_strategy => "the name of a strategy",
        name_of_parameter | setting | parameter => "the name of a parameter",
        functor => "a functor",
        place => "a phrase in quotes or a functor",
        sequence | choice | among | at | outside | when | combined | call | combinator => {
            "a strategy"
        }
        term | inner | real | text | name | quoted_name | list | set | group => "a term",
        _ => return None,
    })
}

/// The beginning of a text, for messages.
fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(40).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
