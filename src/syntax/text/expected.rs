//! What the grammar refuses → diagnostics: what was expected in the reader's words, what was found, and
//! where the construct that is not closed was opened.

use super::grammar::{Grammar, Rule};
use super::keywords::keyword_of;
use super::reader::{Reader, Refusal, is_reserved, too_deep};
use super::slips;
use crate::algebra::Construct;
use crate::diagnostic::Diagnostic;
use crate::term::{Span, Symbol};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// A token of a text, whatever it is.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) rule: Rule,
    /// Which word it is that begins or ends a part of a scheme.
    pub(super) section: Option<Rule>,
    pub(super) from: usize,
    pub(super) to: usize,
    /// One past its first word.
    pub(super) word_to: usize,
    /// The token after it.
    pub(super) next: usize,
    /// How messages name it.
    pub(super) shown: String,
}

impl Found {
    /// Whether a part of a scheme ends before it.
    pub(super) fn ends_part(&self) -> bool {
        matches!(self.rule, Rule::section | Rule::EOI)
    }
}

/// Something that was opened and not yet closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    /// The rule of what closes it.
    pub(super) closes: Rule,
    pub(super) span: Span,
}

/// What the tokens up to a place leave open.
#[derive(Default)]
pub(super) struct Before {
    pub(super) open: Vec<Opened>,
    /// A FOR or WHILE without its LOOP.
    header: Option<Span>,
    /// The last token.
    pub(super) last: Option<Found>,
    /// Where what may be assigned begins: the last name with the subscripts and components after it.
    pub(super) target: Option<usize>,
}

impl Before {
    /// Goes over a token.
    pub(super) fn pass(&mut self, file: u32, found: Found) {
        let in_brackets = self.open.iter().any(|o| o.closes == Rule::close_index);
        let is_component = matches!(&self.last, Some(last) if last.shown == "`.`");
        if found.rule == Rule::word && !in_brackets && !is_component {
            self.target = Some(found.from);
        }
        let span = Span::new(file, found.from, found.to);
        let opens = |closes| Opened { closes, span };
        match found.rule {
            Rule::IF => self.open.push(opens(Rule::END_IF)),
            Rule::GIVEN_IF | Rule::GIVEN_FOR => self.open.push(opens(Rule::END_OF_GIVEN)),
            Rule::FOR | Rule::WHILE => self.header = Some(span),
            Rule::LOOP => self.open.push(Opened {
                closes: Rule::END_OF_LOOP,
                span: self.header.take().unwrap_or(span),
            }),
            Rule::open => self.open.push(opens(Rule::close)),
            Rule::open_index => self.open.push(opens(Rule::close_index)),
            Rule::close
            | Rule::close_index
            | Rule::END_IF
            | Rule::END_OF_LOOP
            | Rule::END_OF_GIVEN => {
                self.closed(found.rule);
            }
            _ => {}
        }
        self.last = Some(found);
    }

    /// Takes what a token closes, with all that stands in it unclosed. Whether there was anything.
    pub(super) fn closed(&mut self, by: Rule) -> bool {
        let place = self.open.iter().rposition(|o| o.closes == by);
        if let Some(place) = place {
            self.open.truncate(place);
        }
        place.is_some()
    }
}

impl<'a> Reader<'a> {
    /// The token at a place.
    pub(super) fn found(&self, at: usize) -> Found {
        let text = &self.text[at..];
        let mut pairs = Grammar::parse(Rule::token, text).into_iter().flatten();
        let (pair, here) = (pairs.next(), pairs.next());
        let mut section = None;
        let (mut rule, mut from, mut to) = (Rule::EOI, text.len(), text.len());
        if let Some(pair) = pair {
            (from, to) = (pair.as_span().start(), pair.as_span().end());
            if pair.as_rule() == Rule::section {
                section = pair.clone().into_inner().next().map(|p| p.as_rule());
            }
            rule = match pair.as_rule() {
                Rule::closing_word => pair.into_inner().next().map_or(Rule::EOI, |p| p.as_rule()),
                rule => rule,
            };
        }
        let length = to - from;
        let word = text[from..to].find(|c: char| c.is_whitespace() || c == '#');
        let shown = match rule {
            Rule::EOI => "the end of the text".into(),
            Rule::phrase => "a phrase".into(),
            Rule::predicate => "a predicate".into(),
            Rule::definition_head => "a definition".into(),
            _ => {
                let shown: Vec<&str> = text[from..to].split_whitespace().collect();
                format!("`{}`", shown.join(" ").chars().take(40).collect::<String>())
            }
        };
        Found {
            rule,
            section,
            from: at + from,
            to: at + to,
            word_to: at + from + word.unwrap_or(length),
            next: at + here.map_or(text.len(), |h| h.as_span().start()),
            shown,
        }
    }

    /// What the tokens between two places leave open.
    pub(super) fn before(&self, from: usize, to: usize) -> Before {
        let mut before = Before::default();
        let mut at = from;
        while at < to {
            let found = self.found(at);
            if found.rule == Rule::EOI {
                break;
            }
            at = found.next.max(at + 1);
            before.pass(self.file, found);
        }
        before
    }

    /// The diagnostic for a part of the text that begins at `base` and was refused. `from` is where
    /// the brackets around it begin that may be open.
    pub(super) fn refused(&self, refusal: &Refusal, base: usize, from: usize) -> Diagnostic {
        let at = base
            + match refusal.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
        let found = self.found(at);
        let span = self.span(found.from, found.to);
        let ErrorVariant::ParsingError { positives, .. } = &refusal.variant else {
            return too_deep().at(span);
        };
        let before = self.before(from, at);
        if let Some(slip) = slips::slip(self, positives, &before, &found) {
            return slip;
        }
        self.not_expected(positives, &before, &found)
    }

    fn for_this(&self, keyword: Span) -> String {
        format!(
            "for this {}",
            &self.text[keyword.from as usize..keyword.to as usize]
        )
    }

    /// Says what was expected instead of a token.
    fn not_expected(&self, rules: &[Rule], before: &Before, found: &Found) -> Diagnostic {
        let has = |rule| rules.contains(&rule);
        let span = self.span(found.from, found.to);
        let acts = acts(rules);
        let after_operator = has(Rule::THEN);
        let innermost = before.open.last().filter(|o| has(o.closes));
        let closing = found.ends_part()
            || matches!(
                found.rule,
                Rule::END_IF
                    | Rule::END_OF_LOOP
                    | Rule::END_OF_GIVEN
                    | Rule::ELSE
                    | Rule::close
                    | Rule::branch
                    | Rule::definition_head
            );
        if found.rule == Rule::predicate && acts && !after_operator {
            let message = "a predicate stands where something must act";
            return Diagnostic::error("E0104", message).at(span).hint(
                "phrases stand in double quotes: \"…\"; to go on only if a predicate holds, write FILTER '…'",
            );
        }
        let word = &self.text[found.from..found.to];
        let named = rules.iter().copied().find(|&r| is_named(r));
        if let Some(what) = named.and_then(what)
            && found.rule != Rule::EOI
            && is_reserved(Symbol::new(&self.text[found.from..found.word_to]))
            && !has(Rule::expression)
            && !acts
        {
            let message = format!("`{word}` is a keyword, so it cannot be {what}");
            return Diagnostic::error("E0105", message)
                .at(span)
                .hint("choose another name; keywords are upper case, names may be lower case");
        }
        let wanted: Vec<Rule> = if let Some(opened) = innermost.filter(|_| closing) {
            vec![opened.closes]
        } else if after_operator && has(Rule::semicolon) && !closing {
            vec![Rule::semicolon]
        } else {
            let goes_on =
                |r: Rule| goes_on(r) || acts && (r == Rule::semicolon || begins_operator(r));
            let mut telling: Vec<Rule> = rules.iter().copied().filter(|&r| !goes_on(r)).collect();
            if acts {
                telling.insert(0, Rule::operator);
            }
            match telling.is_empty() {
                true => rules.to_vec(),
                false => telling,
            }
        };
        let mut expected: Vec<String> = Vec::new();
        for what in wanted.into_iter().filter_map(what) {
            if !expected.contains(&what) {
                expected.push(what);
            }
        }
        expected.truncate(4);
        let expected = match expected.pop() {
            Some(last) if expected.is_empty() => last,
            Some(last) => format!("{} or {last}", expected.join(", ")),
            None => "something else".into(),
        };
        let message = format!("expected {expected}, found {}", found.shown);
        let mut diagnostic = Diagnostic::error("E0104", message)
            .at(span)
            .label(format!("expected {expected}"));
        if let Some(opened) = innermost {
            diagnostic = diagnostic.also(opened.span, "opened here");
        }
        if has(Rule::IF_THEN)
            && let Some(opened) = before.open.last().filter(|o| o.closes == Rule::END_IF)
        {
            diagnostic = diagnostic.also(opened.span, self.for_this(opened.span));
        }
        if let Some(header) = before.header.filter(|_| has(Rule::LOOP)) {
            diagnostic = diagnostic.also(header, self.for_this(header));
        }
        if let Some(hint) = hint(rules, after_operator && !closing) {
            diagnostic.hint = Some(hint.into());
        }
        diagnostic
    }
}

/// What to do where a rule was expected.
fn hint(rules: &[Rule], separator: bool) -> Option<&'static str> {
    let has = |rule| rules.contains(&rule);
    if has(Rule::NEXT) {
        Some("each node names the one after it: NEXT 2, or NEXT STOP")
    } else if has(Rule::plus_becomes) && has(Rule::becomes) {
        Some("values are assigned with `:=`; phrases stand in double quotes")
    } else if separator && has(Rule::semicolon) {
        Some("operators are separated by `;`")
    } else if has(Rule::becomes) {
        Some("a value is given with `:=`, as in LOCAL x : REAL := 0")
    } else {
        None
    }
}

/// Whether a rule is that of a name of something.
fn is_named(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        variable | array_name | loop_variable | component | type_word
    )
}

/// Whether an operator was expected: any of them.
pub(super) fn acts(rules: &[Rule]) -> bool {
    [Rule::IF, Rule::WHILE].iter().all(|r| rules.contains(r))
}

/// Whether an operator may begin with a rule.
pub(super) fn begins_operator(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        call | phrase | assign | target | name | given_if | given_for | GIVEN_IF | GIVEN_FOR
    ) || keyword_of(rule).and_then(Construct::begun_by).is_some()
}

/// Whether a rule goes on with what stands before it, so that something else is missing.
fn goes_on(rule: Rule) -> bool {
    use Rule::*;
    matches!(
        rule,
        sign | OR
            | AND
            | MOD
            | OF
            | mod_
            | foreign_sign
            | field
            | subscripts
            | arguments
            | launched
            | open_index
            | up_to
            | reserved
            | here
    )
}

/// What a rule is for those who write schemes.
pub(super) fn what(rule: Rule) -> Option<String> {
    use Rule::*;
    let what = match rule {
        open => "`(`",
        close => "`)`",
        open_index => "`[`",
        close_index => "`]`",
        comma => "`,`",
        colon => "`:`",
        semicolon => "`;`",
        becomes => "`:=`",
        plus_becomes => "`+=`",
        min_becomes => "`min=`",
        max_becomes => "`max=`",
        means => "`====`",
        branch => "`//`",
        is => "`=`",
        up_to => "`..`",
        close_repeat => "`}`",
        close_basic => "`⟩`",
        variable => "the name of a variable",
        array_name => "the name of an array",
        loop_variable => "the name of the loop's variable",
        component => "a component (x, y, z or w)",
        type_name | type_word => "a type",
        title => "the scheme's name in quotes",
        path => "a path in quotes",
        unit => "a unit in quotes",
        generator => "a generator's name in quotes",
        mark => "a label in quotes",
        synchronizer => "a text in quotes",
        phrase => "a phrase in double quotes",
        predicate => "a predicate in single quotes",
        label | whole => "the label of a node",
        edge => "the label of a node or STOP",
        node | asks | acts | flow => "a node",
        language => "a language: EN, UK or RU",
        entry => "a phrase or a predicate",
        option => "a name",
        values => "values in brackets",
        dims => "sizes in brackets",
        options => "options in parentheses",
        variables => "a variable, END OF DATA or another line of DATA",
        EOI => "the end",
        expression | number | group | name | letter_k | kernel | choice | repeat | basic
        | minus | not | after | each | at_once | TRUE | FALSE => "an expression",
        operator | call | assign | if_ | while_ | for_ | parallel_loop | branches | lanes
        | control_point | wait | filter | timed | recorded | launch | array | EMPTY | UNDEFINED
        | BARRIER | local | shared | registers | exchange | report | save | atomic | sequence
        | target | given_if | given_for => "an operator",
        given_value | given_number => "an integer or a word in quotes",
        given_range => "a range such as 1..4",
        open_brace => "`{`",
        close_brace => "`}`",
        given_condition => "a condition over givens",
        _ => return keyword_of(rule).map(|k| k.text(Default::default()).to_owned()),
    };
    Some(what.to_owned())
}
