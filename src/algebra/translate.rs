//! Phrases in another language, by the dictionary of their scheme.

use super::{Construct, Language};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A phrase in one language: its name, and the names of its arguments in order.
type Wording = (Symbol, Vec<Symbol>);

/// A scheme with its phrases in a language, as far as its dictionary has them there; a phrase that it
/// has not stays as the entry begins. A phrase is known by any of its wordings.
pub fn translated(terms: &mut Terms, root: Id, language: Language) -> Id {
    let mut known: FxHashMap<(bool, Symbol), (Vec<Symbol>, Wording)> = FxHashMap::default();
    let definitions = terms.args(root).get(3).map_or(&[][..], |&w| terms.args(w));
    for &entry in definitions {
        let is_test = match terms.functor(entry).and_then(Construct::of) {
            Some(Construct::Entry) => false,
            Some(Construct::EntryTest) => true,
            _ => continue,
        };
        let args = terms.args(entry);
        let Some(first) = wording(terms, args[0], args[1]) else {
            continue;
        };
        let mut all = vec![first.clone()];
        let mut wanted = first;
        for &translation in &args[2..] {
            let [code, text, names] = *terms.args(translation) else {
                continue;
            };
            let Some(wording) = wording(terms, text, names) else {
                continue;
            };
            if terms
                .as_atom(code)
                .is_some_and(|c| c.as_str() == language.code())
            {
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
    if known.is_empty() {
        return root;
    }
    Translator { known }.term(terms, root)
}

fn wording(terms: &Terms, text: Id, names: Id) -> Option<Wording> {
    let names = terms.args(names).iter().map(|&n| terms.as_atom(n));
    Some((terms.as_text(text)?, names.collect::<Option<_>>()?))
}

struct Translator {
    known: FxHashMap<(bool, Symbol), (Vec<Symbol>, Wording)>,
}

impl Translator {
    fn term(&self, terms: &mut Terms, id: Id) -> Id {
        let construct = terms.functor(id).and_then(Construct::of);
        let is_test = match construct {
            Some(Construct::Entry | Construct::EntryTest) => return id,
            Some(Construct::Test | Construct::DefineTest) => true,
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
        match old == new {
            true => id,
            false => terms.with_args(id, &new),
        }
    }
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
