//! Slips of the pen, and what other languages write: what was meant.

use super::expected::{Before, Found, acts, begins_operator};
use super::grammar::Rule;
use super::keywords::keyword_of;
use super::reader::Reader;
use super::scan::not_closed;
use crate::algebra::{Keyword, Language};
use crate::diagnostic::Diagnostic;
use std::sync::LazyLock;
use strsim::damerau_levenshtein;

/// Signs of other languages, what is said of each, and what is written here.
const SIGNS: &[(&str, &str, &str)] = &[
    ("==", "equality is written `=`", "="),
    ("===", "equality is written `=`", "="),
    ("!==", "inequality is written `<>` or `≠`", "<>"),
    ("=<", "write `<=` or `≤`", "<="),
    ("=>", "write `>=` or `≥`", ">="),
    ("**", "a power is written x ^ y", "^"),
    ("!=", "inequality is written `<>` or `≠`", "<>"),
    ("&&", "write AND", "AND"),
    ("&", "write AND", "AND"),
    ("||", "write OR", "OR"),
    ("∨", "write OR", "OR"),
    ("\\/", "write OR", "OR"),
    ("∧", "write AND", "AND"),
    ("/\\", "write AND", "AND"),
    ("!", "write NOT", "NOT"),
    ("¬", "write NOT", "NOT"),
    ("%", "the remainder is written MOD", "MOD"),
    ("mod", "the remainder is written MOD", "MOD"),
    ("DIV", "the quotient of integers is written x / y", "/"),
    ("div", "the quotient of integers is written x / y", "/"),
];

/// Signs after a variable that no assignment has here, and what is written; `@` stands for the variable.
const ASSIGNMENTS: &[(&str, &str)] = &[
    ("=", "values are assigned with `:=`; `=` compares"),
    ("==", "values are assigned with `:=`; `=` compares"),
    ("-=", "write @ := @ - e; only `+=` adds in place"),
    ("*=", "write @ := @ * e; only `+=` adds in place"),
    ("/=", "write @ := @ / e; only `+=` adds in place"),
    ("++", "write @ += 1"),
    ("--", "write @ := @ - 1"),
    (
        "(",
        "cells of an array stand in brackets, a[i]; phrases stand in double quotes",
    ),
];

/// Signs before a variable that are operators elsewhere, and what is written.
const STEPS: &[(&str, &str)] = &[("++", "write @ += 1"), ("--", "write @ := @ - 1")];

/// Signs that assign, here or elsewhere.
const ASSIGNS: &[&str] = &[":=", "+=", "=", "-=", "*=", "/=", "++", "--"];

/// Words of other languages, and what is written here.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["PRINT", "PRINTF", "WRITE", "WRITELN", "ECHO"],
        "values are reported with REPORT \"label\" (e)",
    ),
    (
        &["BREAK", "EXIT", "LEAVE"],
        "to leave a loop early, write its condition in WHILE u LOOP … END OF LOOP",
    ),
    (
        &["CONTINUE", "CYCLE"],
        "what an iteration leaves out stands in IF … THEN … END IF",
    ),
    (
        &["RETURN"],
        "a phrase gives its results in the arguments that it assigns",
    ),
    (
        &["ELSEIF", "ELSIF", "ELIF"],
        "write ELSE IF … THEN … END IF END IF: each IF has an END IF of its own",
    ),
    (&["ENDIF", "FI"], "write END IF"),
    (
        &["ENDFOR", "ENDWHILE", "ENDLOOP", "ENDDO", "DONE", "OD"],
        "write END OF LOOP",
    ),
    (
        &["DO", "REPEAT"],
        "the body of a loop stands in LOOP … END OF LOOP",
    ),
    (
        &["VAR", "LET", "INT", "FLOAT", "DOUBLE", "CONST"],
        "a variable of a sequence is LOCAL x : REAL := 0",
    ),
    (
        &["FUNCTION", "PROCEDURE", "DEF", "SUB"],
        "operators get names after WHERE: \"Name (x)\" ==== …",
    ),
];

/// The rules of keywords that begin operators.
static BEGIN_OPERATORS: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let all = Rule::all_rules().iter().copied();
    all.filter(|&r| r.is_keyword() && begins_operator(r))
        .collect()
});

/// What is said of a sign of another language that stands at a byte, and what is written in its place.
pub(super) fn sign(reader: &Reader, sign: &str, from: usize) -> Option<(&'static str, String)> {
    let (_, hint, written) = SIGNS.iter().find(|(s, ..)| *s == sign)?;
    // A word does not run into those beside it.
    let is_word = written.starts_with(char::is_alphabetic);
    let before = reader.text[..from].chars().next_back();
    let after = reader.text[from + sign.len()..].chars().next();
    let blank = |c: Option<char>| match is_word && c.is_some_and(|c| !c.is_whitespace()) {
        true => " ",
        false => "",
    };
    Some((hint, format!("{}{written}{}", blank(before), blank(after))))
}

/// The diagnostic for a slip that is known, where something else was expected than was found.
pub(super) fn slip(
    reader: &Reader,
    expected: &[Rule],
    before: &Before,
    found: &Found,
) -> Option<Diagnostic> {
    let has = |rule| expected.contains(&rule);
    let text = |f: &Found| &reader.text[f.from..f.to];
    let span = reader.span(found.from, found.to);
    let error = |message: String| Diagnostic::error("E0104", message);
    let last = before.last.as_ref();
    // A quoted text over several lines with a word at its end has a quote of another one.
    if let Some(last) = last.filter(|l| matches!(l.rule, Rule::phrase | Rule::predicate))
        && last.to == found.from
        && text(last).contains('\n')
    {
        let diagnostic = not_closed(reader.text, reader.file, last.from);
        return Some(diagnostic.label("opened here, and not closed on this line"));
    }
    if let Some(diagnostic) = misspelt_closing(reader, before, found) {
        return Some(diagnostic);
    }
    if found.rule == Rule::word && is_end(text(found)) {
        return Some(end(reader, before, found));
    }
    if let Some(diagnostic) = number(reader, before, found) {
        return Some(diagnostic);
    }
    if let Some(diagnostic) = header(reader, expected, last, found) {
        return Some(diagnostic);
    }
    if let Some(last) = last.filter(|l| l.rule == Rule::word)
        && !acts(expected)
        && Keyword::Not
            .all_spellings()
            .any(|s| s == text(last).to_uppercase())
    {
        return Some(reader.is_misspelt(last, Keyword::Not.text(Default::default())));
    }
    let step = STEPS.iter().find(|(sign, _)| *sign == text(found));
    if let Some((sign, hint)) = step.filter(|_| acts(expected)) {
        let next = reader.found(found.next);
        let variable = match next.rule {
            Rule::word => text(&next),
            _ => "x",
        };
        let message = format!("expected an operator, found `{sign}`");
        return Some(error(message).at(span).hint(hint.replace('@', variable)));
    }
    if text(found) == "[" && last.is_some_and(|l| l.rule == Rule::close_index) {
        let message = "subscripts of several dimensions stand in one pair of brackets";
        return Some(error(message.into()).at(span).hint("write a[i, j]"));
    }
    let assigns = has(Rule::becomes) && has(Rule::plus_becomes);
    if found.rule == Rule::branch && (acts(expected) || has(Rule::THEN)) {
        let message = "`//` stands between the branches of PARALLEL only";
        let hint = "comments begin with #; the integer quotient of integers is a / b";
        return Some(error(message.into()).at(span).hint(hint));
    }
    // A word that should have been a keyword is read as the variable of an assignment.
    let words = [last.filter(|_| assigns), Some(found)];
    for word in words.into_iter().flatten().filter(|w| w.rule == Rule::word) {
        let upper = text(word).to_uppercase();
        let at = reader.span(word.from, word.to);
        if let Some(hint) = foreign(text(word)) {
            let message = format!("there is no operator `{}`", text(word));
            return Some(error(message).at(at).hint(hint));
        }
        let meant = match word.from == found.from {
            true => near(&upper, expected),
            // What stands before a sign of assignments is a variable.
            false if text(found) != "(" && ASSIGNMENTS.iter().any(|(s, _)| *s == text(found)) => {
                None
            }
            false => near(&upper, &BEGIN_OPERATORS),
        };
        if let Some(keyword) = meant {
            return Some(reader.is_misspelt(word, keyword));
        }
    }
    let hint = ASSIGNMENTS.iter().find(|(sign, _)| *sign == text(found));
    match hint {
        Some((sign, hint)) if assigns => {
            let message = format!("expected `:=`, found `{sign}`");
            let target = before
                .target
                .map_or("", |from| reader.text[from..found.from].trim());
            let short = !target.is_empty() && target.len() <= 24 && !target.contains('\n');
            let hint = hint.replace('@', if short { target } else { "x" });
            let told = error(message).at(span).label("expected `:=`").hint(hint);
            Some(match *sign {
                "=" | "==" => told.fixed(span, ":="),
                _ => told,
            })
        }
        Some((sign @ ("=" | "=="), _)) if has(Rule::becomes) => {
            let message = format!("expected `:=`, found `{sign}`");
            let hint = "a value is given with `:=`; `=` compares";
            let told = error(message).at(span).label("expected `:=`").hint(hint);
            Some(told.fixed(span, ":="))
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// The keyword of a rule that a word is near to.
    pub(super) fn misspelt(&self, found: &Found, rule: Rule) -> Option<&'static str> {
        let upper = self.text[found.from..found.to].to_uppercase();
        near(&upper, &[rule]).filter(|_| found.rule == Rule::word)
    }

    /// Says which keyword a word was meant to be.
    pub(super) fn is_misspelt(&self, found: &Found, keyword: &str) -> Diagnostic {
        misspelt_end(self, keyword, (found.from, found.to))
    }
}

/// Says which keyword some words were meant to be.
pub(super) fn misspelt_end(
    reader: &Reader,
    keyword: &str,
    (from, to): (usize, usize),
) -> Diagnostic {
    let shown: Vec<&str> = reader.text[from..to].split_whitespace().collect();
    let message = format!("expected {keyword}, found `{}`", shown.join(" "));
    Diagnostic::error("E0104", message)
        .at(reader.span(from, to))
        .label(format!("expected {keyword}"))
        .hint(format!("did you mean {keyword}?"))
        .fixed(reader.span(from, to), keyword)
}

/// The diagnostic for an ELSE or an END that is misspelt, where one that it fits is open.
fn misspelt_closing(reader: &Reader, before: &Before, found: &Found) -> Option<Diagnostic> {
    let last = before.last.as_ref();
    let words = last
        .into_iter()
        .chain([found])
        .filter(|w| w.rule == Rule::word);
    for word in words.filter(|w| foreign(&reader.text[w.from..w.to]).is_none()) {
        for opened in before.open.iter().rev() {
            let closes = [opened.closes];
            let shown = &reader.text[word.from..word.to];
            let other = match opened.closes {
                Rule::END_IF => near(&shown.to_uppercase(), &[Rule::ELSE]),
                _ => None,
            };
            let end = || near_end(reader, word, &closes).map(|(end, last)| (end, last.to));
            // The target of an assignment is a variable, however it is called.
            let assigned =
                word.to != found.to && ASSIGNS.contains(&&reader.text[found.from..found.to]);
            let (keyword, to) = match other.filter(|_| !assigned) {
                Some(keyword) => (keyword, word.to),
                None => match end() {
                    Some(end) => end,
                    None => continue,
                },
            };
            let diagnostic = misspelt_end(reader, keyword, (word.from, to));
            let keyword = &reader.text[opened.span.from as usize..opened.span.to as usize];
            return Some(diagnostic.also(opened.span, format!("{keyword} is opened here")));
        }
    }
    None
}

/// The END of some rules that words are near to which begin at a token, and the last of them.
pub(super) fn near_end(
    reader: &Reader,
    found: &Found,
    rules: &[Rule],
) -> Option<(&'static str, Found)> {
    if found.rule != Rule::word {
        return None;
    }
    // The tokens of an END are words, but the one that names what it ends.
    let mut ends = vec![found.clone()];
    while ends.len() < 3 {
        let last = &ends[ends.len() - 1];
        let next = reader.found(last.next);
        let is_word =
            next.to == next.word_to && reader.text[next.from..].starts_with(char::is_alphabetic);
        if !is_word || reader.text[last.to..next.from].contains('\n') {
            break;
        }
        ends.push(next);
    }
    let keywords = rules.iter().filter_map(|&rule| keyword_of(rule));
    let mut best: Option<(usize, &'static str, Found)> = None;
    for spelling in keywords.flat_map(Keyword::all_spellings) {
        for last in &ends {
            let text = reader.text[found.from..last.to].to_uppercase();
            let words: Vec<&str> = text.split_whitespace().collect();
            let distance = distance_of_ends(&words, spelling);
            let better = distance.filter(|&d| best.as_ref().is_none_or(|best| d < best.0));
            if let Some(distance) = better {
                best = Some((distance, spelling, last.clone()));
            }
        }
    }
    best.map(|(_, spelling, last)| (spelling, last))
}

/// How far words are from the spelling of an END, if they are near: its first and its last word are there,
/// or nearly so.
fn distance_of_ends(words: &[&str], spelling: &str) -> Option<usize> {
    let meant: Vec<&str> = spelling.split(' ').collect();
    let (&[first, .., last], &[meant_first, .., meant_last]) = (words, &meant[..]) else {
        return None;
    };
    let near = |a: &str, b: &str| damerau_levenshtein(a, b) <= 1;
    (near(first, meant_first) && near(last, meant_last))
        .then(|| damerau_levenshtein(&words.join(" "), spelling))
}

/// The diagnostic for a number that is not written as numbers are.
fn number(reader: &Reader, before: &Before, found: &Found) -> Option<Diagnostic> {
    let last = before.last.as_ref()?;
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    // The digits that end at a place, and where those that begin at a place end.
    let start = |at: usize| reader.text[..at].trim_end_matches(is_part).len();
    let end = |at: usize| {
        reader.text[at..]
            .find(|c| !is_part(c))
            .map_or(reader.text.len(), |n| at + n)
    };
    let digit_before = |at: usize| reader.text[..at].ends_with(|c: char| c.is_ascii_digit());
    let letters = "no letters stand at the end of a number: 2, 2.5 or 2.5e-3";
    let point = "digits stand on both sides of the point: 0.5, 1.0";
    let (from, to, hint) = match () {
        () if found.rule == Rule::word && digit_before(found.from) => {
            (start(found.from), found.to, letters)
        }
        () if last.rule == Rule::word && digit_before(last.from) => {
            (start(last.from), last.to, letters)
        }
        () if last.shown == "`.`" && is_number_before(reader, last.from) => {
            (start(last.from), last.to, point)
        }
        () if found.shown == "`.`" && end(found.to) > found.to => {
            (found.from, end(found.to), point)
        }
        () => return None,
    };
    let message = format!("`{}` is not a number", &reader.text[from..to]);
    Some(
        Diagnostic::error("E0104", message)
            .at(reader.span(from, to))
            .hint(hint),
    )
}

/// Whether a number ends at a place, and no name that ends in digits.
fn is_number_before(reader: &Reader, at: usize) -> bool {
    let digits = reader.text[..at].trim_end_matches(|c: char| c.is_ascii_digit());
    digits.len() < at && !digits.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// The diagnostic for the header of a loop as other languages write it.
fn header(
    reader: &Reader,
    expected: &[Rule],
    last: Option<&Found>,
    found: &Found,
) -> Option<Diagnostic> {
    let last = last?;
    let text = &reader.text[last.from..last.to];
    let is_for = last.rule == Rule::FOR
        || last.rule == Rule::word
            && Keyword::For
                .all_spellings()
                .any(|s| s == text.to_uppercase());
    let (wanted, place) = match () {
        () if is_for && found.rule == Rule::word => ("`(`", found),
        () if is_for && last.rule == Rule::word && found.rule == Rule::open => ("FOR", last),
        () if expected == [Rule::FROM] && found.rule != Rule::word => ("FROM", found),
        () => return None,
    };
    let message = format!("expected {wanted}, found {}", place.shown);
    let diagnostic = Diagnostic::error("E0104", message)
        .at(reader.span(place.from, place.to))
        .label(format!("expected {wanted}"))
        .hint("loops over numbers are written FOR (i FROM a TO b) LOOP … END OF LOOP");
    Some(diagnostic)
}

/// What is written here for a word of other languages.
fn foreign(word: &str) -> Option<&'static str> {
    let upper = word.to_uppercase();
    let row = WORDS
        .iter()
        .find(|(words, _)| words.contains(&upper.as_str()));
    row.map(|(_, hint)| *hint)
}

/// Whether a word begins the END of something.
fn is_end(word: &str) -> bool {
    let mut spellings = Keyword::EndIf.all_spellings();
    spellings.any(|s| s.split(' ').next() == Some(word))
}

/// An END of which the rest is not known.
fn end(reader: &Reader, before: &Before, found: &Found) -> Diagnostic {
    let next = reader.found(found.next);
    let to = match next.rule {
        Rule::word | Rule::IF | Rule::FOR | Rule::WHILE | Rule::LOOP => next.to,
        _ => found.to,
    };
    let word = &reader.text[found.from..found.to];
    let shown: Vec<&str> = reader.text[found.from..to].split_whitespace().collect();
    let shown = shown.join(" ");
    let opened = before
        .open
        .iter()
        .rev()
        .find(|o| keyword_of(o.closes).is_some());
    let end = opened.map_or("", |opened| {
        let keyword = keyword_of(opened.closes);
        let language = Language::ALL.into_iter().find(|&l| {
            let mut spellings = keyword.into_iter().flat_map(|k| k.spellings(l));
            spellings.any(|s| s.split(' ').next() == Some(word))
        });
        keyword.map_or("", |k| k.text(language.unwrap_or_default()))
    });
    let message = match opened {
        Some(_) => format!("expected {end}, found `{shown}`"),
        None => format!("`{shown}` closes nothing: nothing is open here"),
    };
    let diagnostic = Diagnostic::error("E0104", message).at(reader.span(found.from, to));
    match opened {
        Some(opened) => diagnostic
            .also(opened.span, "opened here")
            .hint(format!("did you mean {end}?"))
            .fixed(reader.span(found.from, to), end),
        None => diagnostic.hint("the ends are END IF, END OF LOOP, END OF DATA and END OF SCHEME"),
    }
}

/// The keyword of some rules that a word in upper case is nearest to, if it is near enough to be meant.
fn near(upper: &str, rules: &[Rule]) -> Option<&'static str> {
    let length = upper.chars().count();
    if !(2..=40).contains(&length) {
        return None;
    }
    let most = match length {
        2 => 0,
        _ => (length / 3).max(1),
    };
    rules
        .iter()
        .filter_map(|&rule| keyword_of(rule))
        .flat_map(|k| k.all_spellings())
        .map(|s| {
            (
                damerau_levenshtein(upper, s.split(' ').next().unwrap_or(s)),
                s,
            )
        })
        .filter(|&(distance, _)| distance <= most)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, s)| s)
}
