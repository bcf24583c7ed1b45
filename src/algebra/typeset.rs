//! Texts in which `$x` stands for what `x` is: code of basic operators, and what is printed of them in LaTeX.

use crate::term::Symbol;
use rustc_hash::FxHashMap;

/// What a wording is called that is a sign for formulas.
pub const SIGN: &str = "sign";
/// What a wording is called that is a text for LaTeX.
pub const LATEX: &str = "latex";

/// A part of a text with places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text that stands for itself.
    Plain(&'a str),
    /// The name behind a `$`; an empty one, where none stands there.
    Named(&'a str),
}

/// The parts of a text in which `$x` or `${x}` stands for what `x` is, and `$$` for a `$`. A name does not end in an
/// underscore, which makes a subscript in LaTeX.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let in_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        parts.push(Part::Plain(&rest[..at]));
        let after = &rest[at + 1..];
        if let Some(behind) = after.strip_prefix('$') {
            parts.push(Part::Plain("$"));
            rest = behind;
            continue;
        }
        let braced = after
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'));
        if let Some((name, behind)) = braced.filter(|(name, _)| name.chars().all(in_name)) {
            parts.push(Part::Named(name));
            rest = behind;
            continue;
        }
        let end = after.find(|c| !in_name(c)).unwrap_or(after.len());
        let name = after[..end].trim_end_matches('_');
        parts.push(Part::Named(name));
        rest = &after[name.len()..];
    }
    parts.push(Part::Plain(rest));
    parts
}

/// Commands with which a text would do more than print: read and write files, define, or make commands of letters.
const ACTING: &str = "input include openin openout read write immediate special catcode csname directlua def edef gdef \
                      xdef let newcommand renewcommand expandafter scantokens usepackage includegraphics end begin";

/// Why a text cannot stand in a formula of LaTeX, whatever is put in: its braces must match, a comment would take the rest
/// of the line, and it must only print.
pub fn wrong_latex(text: &str) -> Option<String> {
    let mut depth = 0usize;
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{', '}', '%', '^']) {
        let (sign, behind) = rest[at..].split_at(1);
        rest = behind;
        match sign {
            "\\" => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic());
                let word = &rest[..end.unwrap_or(rest.len())];
                if ACTING.split_whitespace().any(|acting| acting == word) {
                    return Some(format!("has \\{word}, and may only print"));
                }
                let first = rest.chars().next().map_or(0, char::len_utf8);
                rest = &rest[word.len().max(first)..];
            }
            "{" => depth += 1,
            "}" if depth == 0 => {
                return Some("has a brace that closes and none that opens".to_owned());
            }
            "}" => depth -= 1,
            "%" => return Some("has a comment".to_owned()),
            // `^^` makes characters of their numbers.
            _ if rest.starts_with('^') => return Some("has ^^, and may only print".to_owned()),
            _ => {}
        }
    }
    (depth > 0).then(|| "has a brace that opens and none that closes".to_owned())
}

/// What is printed in LaTeX for phrases: by each, the names of its arguments in order and the text.
#[derive(Clone, Debug, Default)]
pub struct Typeset(FxHashMap<(bool, Symbol), (Vec<Symbol>, Symbol)>);

impl Typeset {
    /// Notes the text for a phrase, or for a predicate.
    pub fn add(&mut self, is_test: bool, phrase: Symbol, names: &[Symbol], text: Symbol) {
        self.0.insert((is_test, phrase), (names.to_vec(), text));
    }

    /// The names and the text for a phrase, or for a predicate.
    pub fn of(&self, is_test: bool, phrase: Symbol) -> Option<(&[Symbol], &'static str)> {
        let (names, text) = self.0.get(&(is_test, phrase))?;
        Some((names, text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_parts() {
        let all = |text| {
            let shown = parts(text).into_iter().map(|part| match part {
                Part::Plain(text) => text.to_owned(),
                Part::Named(name) => format!("<{name}>"),
            });
            shown.collect::<String>()
        };
        assert_eq!(all("$y + $x_1*$$a$ і $ї"), "<y> + <x_1>*$a<> і <ї>");
        assert_eq!(
            all("$x_{$i} ${x}_i ${} ${a b}"),
            "<x>_{<i>} <x>_i <> <>{a b}"
        );
        assert_eq!(all(""), "");
    }

    #[test]
    fn texts_for_latex_only_print() {
        for right in ["", "\\{", "{{}}{}", "5\\%", "x^{2}", "\\deflt\\і\\"] {
            assert_eq!(wrong_latex(right), None, "{right}");
        }
        for wrong in ["{", "}{", "a % b", "\\\\}", "\\input{x}", "^^5c"] {
            assert!(wrong_latex(wrong).is_some(), "{wrong}");
        }
    }
}
