//! Keywords by their rules.

use super::grammar::{Grammar, Rule};
use crate::algebra::{Keyword, Language};
use crate::syntax::keywords::rule_name;
use pest::Parser;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static BY_RULE: LazyLock<FxHashMap<Rule, Keyword>> = LazyLock::new(|| {
    let keywords = Keyword::ALL.iter().map(|&k| (rule_name(k), k));
    let keywords: FxHashMap<String, Keyword> = keywords.collect();
    let of = |&rule: &Rule| Some((rule, *keywords.get(&format!("{rule:?}"))?));
    Rule::all_rules().iter().filter_map(of).collect()
});

/// The keyword of a rule.
pub(super) fn keyword_of(rule: Rule) -> Option<Keyword> {
    BY_RULE.get(&rule).copied()
}

/// The languages that have all keywords of a text; none for a text that cannot be read.
pub fn languages(text: &str) -> Vec<Language> {
    let Ok(tree) = Grammar::parse(Rule::file, text) else {
        return Vec::new();
    };
    let words = tree.flatten().filter_map(|pair| {
        let keyword = keyword_of(pair.as_rule())?;
        Some((keyword, pair.as_str()))
    });
    // Those before a translation are named alike in all languages.
    let words: Vec<(Keyword, &str)> = words
        .filter(|(keyword, _)| !names_language(*keyword))
        .collect();
    let has = |language: &Language| {
        let known =
            |(keyword, word): &(Keyword, &str)| keyword.spellings(*language).any(|s| s == *word);
        words.iter().all(known)
    };
    Language::ALL.into_iter().filter(has).collect()
}

fn names_language(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::English | Keyword::Ukrainian | Keyword::Russian
    )
}
