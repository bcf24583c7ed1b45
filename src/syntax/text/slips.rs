//! Slips of the pen, and what other languages write: what was meant.

use super::expected::{Before, Found, acts, begins_operator};
use super::grammar::Rule;
use super::keywords::keyword_of;
use super::reader::Reader;
use crate::algebra::{Keyword, Language};
use crate::diagnostic::Diagnostic;
use std::sync::LazyLock;
use strsim::damerau_levenshtein;

/// Signs of other languages, and what is written here.
const SIGNS: &[(&str, &str)] = &[
    ("==", "equality is written `=`"),
    ("!=", "inequality is written `<>` or `≠`"),
    ("&&", "write AND"),
    ("&", "write AND"),
    ("||", "write OR"),
    ("∨", "write OR"),
    ("\\/", "write OR"),
    ("∧", "write AND"),
    ("/\\", "write AND"),
    ("!", "write NOT"),
    ("¬", "write NOT"),
    ("%", "the remainder is written MOD"),
    ("mod", "the remainder is written MOD"),
];

/// Signs after a variable that no assignment has here, and what is written.
const ASSIGNMENTS: &[(&str, &str)] = &[
    ("=", "values are assigned with `:=`; `=` compares"),
    ("==", "values are assigned with `:=`; `=` compares"),
    ("-=", "write x := x - e; only `+=` adds in place"),
    ("*=", "write x := x * e; only `+=` adds in place"),
    ("++", "write x += 1"),
    ("--", "write x := x - 1"),
    (
        "(",
        "cells of an array stand in brackets, a[i]; phrases stand in double quotes",
    ),
];

/// Words of other languages, and what is written here.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["PRINT", "PRINTF", "WRITE", "WRITELN", "ECHO"],
        "values are reported with REPORT \"label\" (e)",
    ),
    (
        &["BREAK", "EXIT", "LEAVE"],
        "a loop that ends early is WHILE u LOOP … END OF LOOP",
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

/// What is written here for a sign of another language.
pub(super) fn sign(sign: &str) -> Option<String> {
    let found = SIGNS.iter().find(|(s, _)| *s == sign);
    found.map(|(_, hint)| (*hint).to_owned())
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
    if found.rule == Rule::word && is_end(text(found)) {
        return Some(end(reader, before, found));
    }
    let last = before.last.as_ref();
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
        let foreign = WORDS
            .iter()
            .find(|(words, _)| words.contains(&upper.as_str()));
        if let Some((_, hint)) = foreign {
            let message = format!("there is no operator `{}`", text(word));
            return Some(error(message).at(at).hint(*hint));
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
            let message = format!("expected {keyword}, found `{}`", text(word));
            let hint = format!("did you mean {keyword}?");
            return Some(
                error(message)
                    .at(at)
                    .label(format!("expected {keyword}"))
                    .hint(hint),
            );
        }
    }
    let hint = ASSIGNMENTS.iter().find(|(sign, _)| *sign == text(found));
    match hint {
        Some((sign, hint)) if assigns => {
            let message = format!("expected `:=`, found `{sign}`");
            Some(error(message).at(span).label("expected `:=`").hint(*hint))
        }
        Some((sign @ ("=" | "=="), _)) if has(Rule::becomes) => {
            let message = format!("expected `:=`, found `{sign}`");
            let hint = "a value is given with `:=`; `=` compares";
            Some(error(message).at(span).label("expected `:=`").hint(hint))
        }
        _ => None,
    }
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
    let message = match opened {
        Some(opened) => {
            let keyword = keyword_of(opened.closes);
            let language = Language::ALL.into_iter().find(|&l| {
                let mut spellings = keyword.into_iter().flat_map(|k| k.spellings(l));
                spellings.any(|s| s.split(' ').next() == Some(word))
            });
            let end = keyword.map_or("", |k| k.text(language.unwrap_or_default()));
            format!("expected {end}, found `{shown}`")
        }
        None => format!("`{shown}` ends nothing that is open here"),
    };
    let diagnostic = Diagnostic::error("E0104", message)
        .at(reader.span(found.from, to))
        .hint("the ends are END IF, END OF LOOP, END OF DATA and END OF SCHEME");
    match opened {
        Some(opened) => diagnostic.also(opened.span, "opened here"),
        None => diagnostic,
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
