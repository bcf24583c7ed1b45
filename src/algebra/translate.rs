//! Phrases in another language, by the dictionary of their scheme.

use super::{Construct, Language};
use crate::term::{Id, Origin, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A phrase in one language: its name, and the names of its arguments in order.
type Wording = (Symbol, Vec<Symbol>);

/// The wordings that a scheme has for phrases in a language. A phrase is known by any of them.
pub struct Phrasebook {
    language: Language,
    known: Known,
}

/// Whether it is a predicate, and one wording → the names there, and the wording that is wanted.
type Known = FxHashMap<(bool, Symbol), (Vec<Symbol>, Wording)>;

/// A scheme with its phrases in a language, as far as its own dictionary has them there.
pub fn translated(terms: &mut Terms, root: Id, language: Language) -> Id {
    Phrasebook::of(terms, root, language).translated(terms, root)
}

impl Phrasebook {
    /// What the dictionary of a scheme and its basic operators have in a language.
    pub fn of(terms: &Terms, root: Id, language: Language) -> Phrasebook {
        let known = known(terms, root, language);
        Phrasebook { language, known }
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
            let worded = self.known.get(&(is_test, name));
            let worded = worded.map_or(name, |(_, wanted)| wanted.0);
            if is_in(worded.as_str(), self.language) {
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

/// The phrases of a scheme that have wordings: by each of them, its names and the wording in a language.
fn known(terms: &Terms, root: Id, language: Language) -> Known {
    let mut known = Known::default();
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
        let mut wanted = first;
        for &translation in &args[2..] {
            let is_wording = terms.functor(translation) == Some(Construct::Translation.symbol());
            let [code, text, names] = *terms.args(translation) else {
                continue;
            };
            let code = terms.as_atom(code).map_or("", |c| c.as_str());
            if !is_wording || !Language::ALL.iter().any(|l| l.code() == code) {
                continue;
            }
            let Some(wording) = wording(terms, text, names) else {
                continue;
            };
            if code == language.code() {
                wanted = wording.clone();
            }
            all.push(wording);
        }
        for (name, names) in all {
            known
                .entry((is_test, name))
                .or_insert((names, wanted.clone()));
        }
    }
    known
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
            (Some(Construct::Call | Construct::Test), Some((names, wanted)))
                if names.len() + 1 == new.len() =>
            {
                let arguments = new.split_off(1);
                new[0] = renamed(terms, new[0], wanted.0);
                new.extend(turned(names, &wanted.1, &arguments));
            }
            (Some(Construct::Perform | Construct::Holds), Some((names, wanted)))
                if names.len() == terms.arity(new[1]) =>
            {
                new[0] = renamed(terms, new[0], wanted.0);
                let arguments = terms.args(new[1]).to_vec();
                let arguments: Vec<Id> = turned(names, &wanted.1, &arguments).collect();
                new[1] = terms.with_args(new[1], &arguments);
            }
            (Some(Construct::Define | Construct::DefineTest), Some((names, wanted)))
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
        let (names, wanted) = self.known.get(&(false, Symbol::new(&name)))?;
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
