//! Phrases in another language or as signs, by the dictionary of their scheme and its basic operators.

use super::typeset::{LATEX, SIGN, Typeset};
use super::{Construct, Language};
use crate::term::{Id, Origin, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A phrase in one language: its name, and the names of its arguments in order.
type Wording = (Symbol, Vec<Symbol>);

/// The words that phrases are wanted in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words {
    /// Their language.
    pub language: Language,
    /// Whether the sign of a basic operator is taken before its words.
    pub signs: bool,
}

/// The wordings that a scheme has for phrases in a language. A phrase is known by any of them.
pub struct Phrasebook {
    words: Words,
    known: Known,
    typeset: Typeset,
}

/// Whether it is a predicate, and one wording → the names there, the wording that is wanted, and whether that is a sign.
type Known = FxHashMap<(bool, Symbol), (Vec<Symbol>, Wording, bool)>;

/// A scheme with its phrases in a language, as far as its own dictionary has them there.
pub fn translated(terms: &mut Terms, root: Id, language: Language) -> Id {
    let words = Words {
        language,
        signs: false,
    };
    Phrasebook::of(terms, root, words).translated(terms, root)
}

impl Phrasebook {
    /// What the dictionary of a scheme and its basic operators have in a language.
    pub fn of(terms: &Terms, root: Id, words: Words) -> Phrasebook {
        let (known, typeset) = known(terms, root, words);
        Phrasebook {
            words,
            known,
            typeset,
        }
    }

    /// How its phrases are printed in LaTeX, as far as that is declared.
    pub fn typeset(&self) -> &Typeset {
        &self.typeset
    }

    /// A scheme with its phrases in the language; one that is not known there stays as its entry begins. What
    /// operators were expanded from is told in the language, too.
    pub fn translated(&self, terms: &mut Terms, root: Id) -> Id {
        match self.known.is_empty() {
            true => root,
            false => self.term(terms, root),
        }
    }

    /// Phrases of a scheme that have no wording in the language, judged by their letters: the author's, in order.
    pub fn lacking(&self, terms: &Terms, root: Id) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for id in terms.subterms(root) {
            let is_test = match terms.functor(id).and_then(Construct::of) {
                Some(Construct::Call | Construct::Perform) => false,
                Some(Construct::Test | Construct::Holds) => true,
                _ => continue,
            };
            let name = terms.args(id).first().and_then(|&n| terms.as_text(n));
            let Some(name) = name else { continue };
            let (worded, is_sign) = match self.known.get(&(is_test, name)) {
                Some((_, wanted, is_sign)) => (wanted.0, *is_sign),
                None => (name, false),
            };
            if is_sign || is_in(worded.as_str(), self.words.language) {
                continue;
            }
            let shown = match is_test {
                true => format!("'{name}'"),
                false => format!("\"{name}\""),
            };
            if !found.contains(&shown) {
                found.push(shown);
            }
        }
        found
    }
}

/// Whether a text may be in a language: it has letters of its alphabet, or none at all.
fn is_in(text: &str, language: Language) -> bool {
    let cyrillic = |c: char| matches!(c, 'Ѐ'..='ӿ');
    let mut letters = text.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_none() || letters.any(cyrillic) == (language != Language::English)
}

/// The phrases of a scheme that have wordings: by each of them, its names and the wording that is wanted, and those that
/// LaTeX is declared for.
fn known(terms: &Terms, root: Id, words: Words) -> (Known, Typeset) {
    let mut known = Known::default();
    let mut typeset = Typeset::default();
    let definitions = terms.args(root).get(3).map_or(&[][..], |&w| terms.args(w));
    for &entry in definitions {
        let is_test = match terms.functor(entry).and_then(Construct::of) {
            Some(Construct::Entry | Construct::Basic) => false,
            Some(Construct::EntryTest | Construct::BasicTest) => true,
            _ => continue,
        };
        let args = terms.args(entry);
        let Some(first) = wording(terms, args[0], args[1]) else {
            continue;
        };
        let mut all = vec![first.clone()];
        let (mut wanted, mut sign, mut latex) = (first, None, None);
        for &translation in &args[2..] {
            let is_wording = terms.functor(translation) == Some(Construct::Translation.symbol());
            let [code, text, names] = *terms.args(translation) else {
                continue;
            };
            let code = terms.as_atom(code).map_or("", |c| c.as_str());
            if is_wording && code == LATEX {
                latex = terms.as_text(text);
            }
            let is_sign = code == SIGN;
            if !is_wording || !is_sign && !Language::ALL.iter().any(|l| l.code() == code) {
                continue;
            }
            let Some(wording) = wording(terms, text, names) else {
                continue;
            };
            if is_sign {
                sign = Some(wording.clone());
            } else if code == words.language.code() {
                wanted = wording.clone();
            }
            all.push(wording);
        }
        let sign = sign.filter(|_| words.signs);
        let is_sign = sign.is_some();
        wanted = sign.unwrap_or(wanted);
        for (name, names) in all {
            if let Some(latex) = latex {
                typeset.add(is_test, name, &names, latex);
            }
            known
                .entry((is_test, name))
                .or_insert((names, wanted.clone(), is_sign));
        }
    }
    (known, typeset)
}

fn wording(terms: &Terms, text: Id, names: Id) -> Option<Wording> {
    let names = terms.args(names).iter().map(|&n| terms.as_atom(n));
    Some((terms.as_text(text)?, names.collect::<Option<_>>()?))
}

impl Phrasebook {
    fn term(&self, terms: &mut Terms, id: Id) -> Id {
        let construct = terms.functor(id).and_then(Construct::of);
        let is_test = match construct {
            Some(Construct::Entry | Construct::EntryTest | Construct::Translation) => return id,
            Some(Construct::Test | Construct::DefineTest | Construct::Holds) => true,
            _ => false,
        };
        let old = terms.args(id).to_vec();
        let mut new = Vec::with_capacity(old.len());
        for &argument in &old {
            new.push(self.term(terms, argument));
        }
        let name = old.first().and_then(|&n| terms.as_text(n));
        let wording = name.and_then(|name| self.known.get(&(is_test, name)));
        match (construct, wording) {
            (Some(Construct::Call | Construct::Test), Some((names, wanted, _)))
                if names.len() + 1 == new.len() =>
            {
                let arguments = new.split_off(1);
                new[0] = renamed(terms, new[0], wanted.0);
                new.extend(turned(names, &wanted.1, &arguments));
            }
            (Some(Construct::Perform | Construct::Holds), Some((names, wanted, _)))
                if names.len() == terms.arity(new[1]) =>
            {
                new[0] = renamed(terms, new[0], wanted.0);
                let arguments = terms.args(new[1]).to_vec();
                let arguments: Vec<Id> = turned(names, &wanted.1, &arguments).collect();
                new[1] = terms.with_args(new[1], &arguments);
            }
            (Some(Construct::Define | Construct::DefineTest), Some((names, wanted, _)))
                if names.len() == terms.arity(new[1]) =>
            {
                new[0] = renamed(terms, new[0], wanted.0);
                let formals = terms.args(new[1]).to_vec();
                let formals: Vec<Id> = turned(names, &wanted.1, &formals).collect();
                new[1] = terms.with_args(new[1], &formals);
            }
            _ => {}
        }
        let origin = terms.origin(id);
        let phrase = origin
            .phrase
            .and_then(|phrase| self.filled(phrase.as_str()));
        let made = match old == new && phrase.is_none() {
            true => return id,
            false => terms.with_args(id, &new),
        };
        if phrase.is_some() {
            terms.set_origin(made, Origin { phrase, ..origin });
        }
        made
    }

    /// A phrase with its arguments filled in, in the wording that is wanted.
    fn filled(&self, phrase: &str) -> Option<Symbol> {
        let (name, arguments) = taken_apart(phrase)?;
        let (names, wanted, _) = self.known.get(&(false, Symbol::new(&name)))?;
        if names.len() != arguments.len() {
            return None;
        }
        let in_order = wanted.1.iter().map(|name| {
            let at = names.iter().position(|n| n == name);
            at.map_or("", |at| arguments[at])
        });
        let out = filled(wanted.0.as_str(), in_order.collect::<Vec<_>>().into_iter());
        Some(Symbol::new(&out))
    }
}

/// A phrase with the texts of its arguments in its parentheses. What is escaped stays so.
pub fn filled<'a>(phrase: &str, mut arguments: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut chars = phrase.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(['\\'].into_iter().chain(chars.next())),
            '(' => {
                let commas = chars.by_ref().take_while(|&c| c != ')').count();
                let group: Vec<&str> = arguments.by_ref().take(commas + 1).collect();
                out.push_str(&format!("({})", group.join(", ")));
            }
            c => out.push(c),
        }
    }
    out
}

/// The name of a phrase that is written with its arguments, and these.
fn taken_apart(phrase: &str) -> Option<(String, Vec<&str>)> {
    let mut name = String::new();
    let mut arguments = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    let mut escaped = false;
    for (at, c) in phrase.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' if depth == 0 => {
                name.push(c);
                (depth, from) = (1, at + 1);
                continue;
            }
            '(' | '[' if depth > 0 => depth += 1,
            ')' if depth == 1 => {
                arguments.push(phrase[from..at].trim());
                depth = 0;
            }
            ')' | ']' if depth > 1 => depth -= 1,
            ',' if depth == 1 => {
                arguments.push(phrase[from..at].trim());
                from = at + 1;
                name.push(c);
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            name.push(c);
        }
    }
    (depth == 0).then_some((name, arguments))
}

fn renamed(terms: &mut Terms, text: Id, name: Symbol) -> Id {
    let new = terms.text(name);
    terms.copy_origin(text, new);
    new
}

/// Arguments in the order of other names.
fn turned<'a>(
    names: &'a [Symbol],
    wanted: &'a [Symbol],
    arguments: &'a [Id],
) -> impl Iterator<Item = Id> + 'a {
    wanted.iter().zip(arguments).map(|(name, &other)| {
        let at = names.iter().position(|n| n == name);
        at.and_then(|at| arguments.get(at))
            .copied()
            .unwrap_or(other)
    })
}
