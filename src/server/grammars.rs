//! The tables of the language → what the grammars in `editors/` are made from: words and precedences for
//! tree-sitter, colours and indentation for Visual Studio Code. `UPDATE=1 cargo test --test documents` writes them.

use super::index::WORDS;
use crate::algebra::{
    ATOMIC, CONSTANTS, Construct, FUNCTIONS, Keyword, Language, Sort, TABLE, TYPE_NAMES,
};
use crate::syntax::rules::{RuleSign, rule_signs};
use crate::syntax::text::signs_between;
use crate::syntax::{reserved, rule_name, spellings};
use serde_json::{Map, Value, json};

/// A character of a word, and places where none stands, for the regular expressions of Oniguruma.
const BEFORE: &str = r"(?<![\p{L}\p{N}_])";
const AFTER: &str = r"(?![\p{L}\p{N}_])";

/// The files that are made, each with its path and its text.
pub fn made() -> Vec<(&'static str, String)> {
    let text = |value: &Value| format!("{value:#}\n");
    vec![
        (
            "editors/tree-sitter-glushkov/words.json",
            text(&words_of_schemes()),
        ),
        (
            "editors/tree-sitter-glushkov-rules/words.json",
            text(&words_of_rules()),
        ),
        (
            "editors/vscode/syntaxes/glushkov.tmLanguage.json",
            text(&colours_of_schemes()),
        ),
        (
            "editors/vscode/syntaxes/glushkov-rules.tmLanguage.json",
            text(&colours_of_rules()),
        ),
        (
            "editors/vscode/language-configuration.json",
            text(&configuration()),
        ),
    ]
}

/// Keywords by the names of their rules, first words that cannot be names, and signs by how tightly they bind.
fn words_of_schemes() -> Value {
    let keywords: Map<String, Value> = Keyword::ALL
        .iter()
        .map(|&k| (rule_name(k), json!(spellings(k))))
        .collect();
    let reserved: Vec<&str> = reserved().into_values().flatten().collect();
    let mut infix = Vec::new();
    for info in TABLE {
        let signs = signs_between(info.construct);
        if signs.is_empty() {
            continue;
        }
        let (words, signs): (Vec<&str>, Vec<&str>) =
            signs.into_iter().partition(|s| s.starts_with('@'));
        let words: Vec<String> = words
            .iter()
            .filter_map(|w| Keyword::named(&w[1..]).map(rule_name))
            .collect();
        infix.push(json!({
            "name": info.functor,
            "binds": info.precedence,
            "right": info.construct == Construct::Power,
            "signs": signs,
            "keywords": words,
        }));
    }
    json!({
        "keywords": keywords,
        "reserved": reserved,
        "infix": infix,
        "minus": {
            "binds": Construct::Negate.info().precedence,
            "signs": signs_between(Construct::Minus),
        },
        "not": Construct::Not.info().precedence,
        "after": Construct::After.info().precedence,
        "atomic": ATOMIC,
    })
}

/// Signs by how tightly they bind.
fn words_of_rules() -> Value {
    let (prefix, infix): (Vec<RuleSign>, Vec<RuleSign>) =
        rule_signs().into_iter().partition(|s| s.prefix);
    let one = |s: &RuleSign| json!({"sign": s.sign, "binds": s.binds, "right": s.right});
    json!({
        "prefix": prefix.iter().map(one).collect::<Vec<_>>(),
        "infix": infix.iter().map(one).collect::<Vec<_>>(),
    })
}

/// What a keyword is to those who give colours; the server gives keywords the same one.
fn scope(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::True | Keyword::False => "constant.language",
        _ => "keyword.control",
    }
}

/// An expression for any of some words, longer ones first. Words of a keyword stand on one line here.
fn any_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|w| std::cmp::Reverse(w.len()));
    words.dedup();
    words.join("|").replace(' ', r"\s+")
}

fn whole_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    format!("{BEFORE}(?:{}){AFTER}", any_of(words))
}

fn matched(scope: &str, expression: &str) -> Value {
    json!({"name": format!("{scope}.glushkov"), "match": expression})
}

fn colours_of_schemes() -> Value {
    let mut expression = vec![
        json!({"include": "#comment"}),
        json!({"include": "#quoted"}),
    ];
    // A longer keyword goes before one that it begins with: END OF LOOP before OF.
    for several in [true, false] {
        let mut scopes: Vec<(&str, Vec<&str>)> = Vec::new();
        for &keyword in Keyword::ALL {
            let spelled = spellings(keyword).into_iter();
            let spelled = spelled.filter(|s| s.contains(' ') == several);
            match scopes.iter_mut().find(|(s, _)| *s == scope(keyword)) {
                Some((_, words)) => words.extend(spelled),
                None => scopes.push((scope(keyword), spelled.collect())),
            }
        }
        let scopes = scopes.into_iter().filter(|(_, words)| !words.is_empty());
        expression.extend(scopes.map(|(scope, words)| matched(scope, &whole_words(words))));
    }
    let types = TYPE_NAMES.iter().filter(|t| !t.name.contains(' '));
    let mut types: Vec<String> = types
        .flat_map(|t| Language::ALL.map(|l| t.text(l)))
        .collect();
    types.sort_unstable();
    types.dedup();
    expression.push(matched(
        "support.type",
        &whole_words(types.iter().map(String::as_str)),
    ));
    let functions = FUNCTIONS.iter().map(|f| f.name);
    expression.push(matched(
        "support.function",
        &format!(r"{}(?=\s*\()", whole_words(functions)),
    ));
    let standing = TABLE
        .iter()
        .filter(|i| i.sort == Sort::Expression && i.arguments.is_empty() && i.rest.is_none());
    let standing = standing.filter_map(|i| i.construct.wording());
    let standing = standing.flat_map(|w| Language::ALL.map(|l| w.text(l)));
    let constants = CONSTANTS.iter().map(|(name, _)| *name);
    expression.push(matched(
        "support.constant",
        &whole_words(constants.chain(standing)),
    ));
    expression.push(matched(
        "constant.numeric",
        &format!(r"{BEFORE}\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"),
    ));
    expression.push(matched(
        "keyword.operator.assignment",
        r"====|:=|\+=|\b(?:min|max)=(?!=)",
    ));
    let signs = TABLE.iter().flat_map(|i| signs_between(i.construct));
    let mut signs: Vec<String> = signs.filter(|s| !s.starts_with('@')).map(escaped).collect();
    signs.sort_by_key(|s| std::cmp::Reverse(s.len()));
    signs.dedup();
    expression.push(matched(
        "keyword.operator",
        &format!("//|{}", signs.join("|")),
    ));
    let quoted = |name: &str, begin: &str, end: &str| {
        json!({
            "name": format!("string.quoted.{name}.glushkov"),
            "begin": begin,
            "end": end,
            "patterns": [matched("constant.character.escape", r"\\."), {"include": "#arguments"}],
        })
    };
    json!({
        "name": "Glushkov",
        "scopeName": "source.glushkov",
        "patterns": [{"include": "#expression"}],
        "repository": {
            "expression": {"patterns": expression},
            "comment": matched("comment.line.number-sign", "#.*$"),
            "quoted": {"patterns": [
                quoted("double", "\"", "\""),
                quoted("double", "[“„]", "[”“]"),
                quoted("double", "«", "»"),
                quoted("single", "'", "'"),
                quoted("single", "‘", "’"),
            ]},
            // What a phrase is given; it ends with its quoted text, closed or not.
            "arguments": {
                "name": "meta.embedded.arguments.glushkov",
                "begin": r"\((?!\s*\))",
                "end": r#"\)|(?=["”»’'])"#,
                "patterns": [{"include": "#group"}, {"include": "#expression"}],
            },
            "group": {
                "begin": r"\(",
                "end": r#"\)|(?=["”»’'])"#,
                "patterns": [{"include": "#group"}, {"include": "#expression"}],
            },
        },
    })
}

/// A sign as a regular expression.
fn escaped(sign: &str) -> String {
    let special = |c: char| r"\^$.|?*+()[]{}".contains(c);
    sign.chars()
        .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
        .collect()
}

fn colours_of_rules() -> Value {
    let signs = rule_signs();
    let mut signs: Vec<&str> = signs.iter().map(|s| s.sign).collect();
    let is_word = |s: &&str| s.chars().all(char::is_alphabetic);
    let words: Vec<&str> = signs.extract_if(.., |s| is_word(&&**s)).collect();
    signs.extend(["->", "→", "!->", "<-", "←", "<+", "::"]);
    signs.sort_by_key(|s| std::cmp::Reverse(s.len()));
    signs.dedup();
    let signs: Vec<String> = signs.into_iter().map(escaped).collect();
    let text = |scope: &str, quote: &str| {
        json!({
            "name": format!("{scope}.glushkov"),
            "begin": quote,
            "end": quote,
            "patterns": [matched("constant.character.escape", r"\\.")],
        })
    };
    let functors = TABLE.iter().map(|i| i.functor);
    json!({
        "name": "Glushkov rules",
        "scopeName": "source.glushkov-rules",
        "patterns": [
            matched("comment.line.number-sign", "#(?!@).*$"),
            matched("entity.name.function.decorator", r"#@[\p{L}\p{N}_]+"),
            matched("variable.parameter", r"\$[\p{L}\p{N}_]+(?:\.\.)?"),
            text("string.quoted.double", "\""),
            text("string.quoted.other", "`"),
            matched("keyword.control", &whole_words(WORDS.iter().map(|(w, _)| *w))),
            matched("keyword.operator.word", &whole_words(words)),
            matched("support.class", &whole_words(functors)),
            matched("constant.numeric", &format!(r"{BEFORE}\d+(?:\.\d+)?(?:[eE][+-]?\d+)?[LBFDfd]?{AFTER}")),
            matched("entity.name.function", &format!(r"{BEFORE}@?[\p{{L}}_][\p{{L}}\p{{N}}_]*(?=\s*\()")),
            matched("keyword.operator", &signs.join("|")),
        ],
    })
}

/// Comments, brackets, and where lines begin. A line goes further in after one that opens a body, in any language.
fn configuration() -> Value {
    let all = |keywords: &[Keyword]| any_of(keywords.iter().flat_map(|&k| spellings(k)));
    use Keyword::*;
    let opens = all(&[Loop, IfThen, Else, Data, Where, Dictionary]);
    let closes = all(&[
        EndOfLoop,
        EndIf,
        Else,
        EndOfData,
        EndOfScheme,
        EndOfGraph,
        Where,
        Dictionary,
    ]);
    // LOOP opens, and END OF LOOP does not.
    let ends = all(&[EndOfLoop, EndIf, EndOfData, EndOfScheme, EndOfGraph]);
    let rest = r"\s*(#.*)?$";
    json!({
        "comments": {"lineComment": "#"},
        "brackets": [["(", ")"], ["[", "]"], ["{", "}"]],
        "autoClosingPairs": [
            {"open": "(", "close": ")"},
            {"open": "[", "close": "]"},
            {"open": "{", "close": "}"},
            {"open": "\"", "close": "\"", "notIn": ["comment"]},
            {"open": "'", "close": "'", "notIn": ["string", "comment"]},
            {"open": "«", "close": "»"},
        ],
        "surroundingPairs": [["(", ")"], ["[", "]"], ["{", "}"], ["\"", "\""], ["'", "'"], ["«", "»"]],
        "wordPattern": {"pattern": r"[\p{L}_$@][\p{L}\p{N}_]*|\d+(\.\d+)?", "flags": "u"},
        "indentationRules": {
            "increaseIndentPattern": {
                "pattern": format!(r"^(?!.*({ends}){rest}).*((^|[\s(;])({opens})|====|\(){rest}"),
                "flags": "u",
            },
            "decreaseIndentPattern": {
                "pattern": format!(r"^\s*(({closes})(?![\p{{L}}\p{{N}}_])|\))"),
                "flags": "u",
            },
        },
    })
}
