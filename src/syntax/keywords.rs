//! The table of keywords → `grammar/keywords.pest`.

use crate::algebra::Keyword;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The name of a keyword's rule: `END_OF_LOOP` for `EndOfLoop`.
pub fn rule_name(keyword: Keyword) -> String {
    let mut name = String::new();
    for c in format!("{keyword:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_uppercase());
    }
    name
}

/// The spellings of a keyword in all languages, each once, those of ASCII first.
pub fn spellings(keyword: Keyword) -> Vec<&'static str> {
    let mut spellings: Vec<&str> = keyword.all_spellings().collect();
    spellings.sort_by_key(|s| !s.is_ascii());
    let mut seen = BTreeSet::new();
    spellings.retain(|s| seen.insert(*s));
    spellings
}

/// The first words of all keywords, by their first letters: none of them can be a name.
pub fn reserved() -> BTreeMap<char, BTreeSet<&'static str>> {
    let mut firsts: BTreeMap<char, BTreeSet<&str>> = BTreeMap::new();
    for spelling in Keyword::ALL.iter().flat_map(|k| k.all_spellings()) {
        let first = spelling.split(' ').next().unwrap_or(spelling);
        if let Some(c) = first.chars().next() {
            firsts.entry(c).or_default().insert(first);
        }
    }
    firsts
}

/// The text of `grammar/keywords.pest`: a rule a keyword, and the words that cannot be names.
pub fn keyword_rules() -> String {
    let mut out = String::from(
        "// Made from the table of keywords, src/algebra/keyword.rs; a test says when it is out of date.\n\n",
    );
    for &keyword in Keyword::ALL {
        let mut spellings = spellings(keyword);
        // The first that fits is taken, so that a word stands before those that it begins with.
        let begins = |&word: &&str| spellings.iter().any(|s| *s != word && s.starts_with(word));
        if spellings.iter().any(begins) {
            spellings.sort_by_key(|word| std::cmp::Reverse(word.len()));
        }
        let spelled: Vec<String> = spellings
            .iter()
            .map(|s| {
                let words: Vec<String> = s.split(' ').map(|w| format!("\"{w}\"")).collect();
                words.join(" ~ blank ~ ")
            })
            .collect();
        let name = rule_name(keyword);
        let spelled = spelled.join(" | ");
        let _ = writeln!(out, "{name:<13} = @{{ ({spelled}) ~ !word_part }}");
    }
    let names: Vec<String> = Keyword::ALL.iter().map(|&k| rule_name(k)).collect();
    let _ = write!(
        out,
        "\n// Any keyword.\nkeyword = _{{ !(ASCII_ALPHA_LOWER | \"_\" | ASCII_DIGIT) ~ ({}) }}\n",
        names.join(" | ")
    );
    out.push_str("\n// The first words of keywords, by their first letters; longer ones first.\n");
    out.push_str("reserved = @{ !ASCII_ALPHA_LOWER ~ (\n");
    for (i, (first, words)) in reserved().iter().enumerate() {
        let mut words: Vec<&str> = words.iter().copied().collect();
        words.sort_by_key(|w| std::cmp::Reverse(w.len()));
        let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
        let sign = if i == 0 { ' ' } else { '|' };
        let _ = writeln!(out, "  {sign} &\"{first}\" ~ ({})", words.join(" | "));
    }
    out.push_str(") ~ !word_part }\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_stands_behind_one_that_it_begins_with() {
        for line in keyword_rules().lines().filter(|l| l.contains("= @{ (")) {
            let words: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
            for (k, word) in words.iter().enumerate() {
                let hidden = words[..k]
                    .iter()
                    .find(|w| word.starts_with(**w) && w != &word);
                let is_alone = !line.contains("~ blank ~");
                assert!(hidden.is_none() || !is_alone, "{line}");
            }
        }
    }
}
