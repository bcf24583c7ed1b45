//! The phrases that a scheme uses → places for their definitions: what is used and not defined is refined next.

use super::place::{open_name, open_number};
use super::put::blank;
use super::state::{Constructor, State};
use crate::algebra::{Construct, Role, definitions, phrases_of};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// A use of a phrase or a predicate: what it is defined by, its words and how many arguments it has.
struct Use {
    construct: Construct,
    phrase: Symbol,
    arguments: usize,
}

/// The uses in a term, in order, each phrase once.
fn uses(terms: &Terms, root: Id) -> Vec<Use> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for id in terms.subterms(root) {
        let construct = match terms.functor(id).and_then(Construct::of) {
            Some(Construct::Call) => Construct::Define,
            Some(Construct::Test) => Construct::DefineTest,
            _ => continue,
        };
        let Some(phrase) = terms.args(id).first().and_then(|&p| terms.as_text(p)) else {
            continue;
        };
        if seen.insert((construct as usize, phrase)) {
            found.push(Use {
                construct,
                phrase,
                arguments: terms.arity(id) - 1,
            });
        }
    }
    found
}

/// A scheme with an open definition for each phrase that it uses and nothing defines, and without those that are as
/// open as they were and that nothing uses any more.
pub(super) fn with_definitions(terms: &mut Terms, operators: &[Id], mut state: State) -> State {
    let root = state.root;
    let used: FxHashSet<Symbol> = uses(terms, root).iter().map(|u| u.phrase).collect();
    let mut all = definitions(terms, root).to_vec();
    let before = all.len();
    all.retain(|&definition| {
        let is_open = terms
            .args(definition)
            .get(2)
            .is_some_and(|&body| open_number(terms, body).is_some());
        let own = phrases_of(terms, definition);
        !is_open || own.iter().any(|phrase| used.contains(phrase))
    });
    state.basic.retain(|phrase| used.contains(phrase));
    let mut known: FxHashSet<Symbol> = all.iter().flat_map(|&d| phrases_of(terms, d)).collect();
    known.extend(operators.iter().flat_map(|&o| phrases_of(terms, o)));
    known.extend(state.basic.iter().copied());
    let mut is_changed = before != all.len();
    for one in uses(terms, root) {
        if !known.insert(one.phrase) {
            continue;
        }
        let mut open = || {
            state.next += 1;
            terms.atom(open_name(state.next - 1))
        };
        let names: Vec<Id> = (0..one.arguments).map(|_| open()).collect();
        let body = open();
        let formals = terms.apply(Construct::Formals.symbol(), &names);
        let name = terms.text(one.phrase);
        all.push(terms.apply(one.construct.symbol(), &[name, formals, body]));
        is_changed = true;
    }
    if is_changed {
        let mut parts = terms.args(root)[..3].to_vec();
        if !all.is_empty() {
            parts.push(terms.apply(Construct::Where.symbol(), &all));
        }
        state.root = terms.with_args(root, &parts);
    }
    state
}

impl Constructor {
    /// The scheme with the declarations of the basic operators that it uses.
    pub(super) fn with_operators(&mut self, root: Id) -> Id {
        let mut all = definitions(&self.terms, root).to_vec();
        let own = all.len();
        loop {
            let defined: FxHashSet<Symbol> = all
                .iter()
                .flat_map(|&d| phrases_of(&self.terms, d))
                .collect();
            let body = self.terms.arg(root, 2);
            let used = std::iter::once(body).chain(all.iter().copied());
            let wanted: FxHashSet<Symbol> = used
                .flat_map(|part| uses(&self.terms, part))
                .map(|u| u.phrase)
                .filter(|phrase| !defined.contains(phrase))
                .collect();
            let next = self.operators.iter().copied().find(|&declared| {
                let own = phrases_of(&self.terms, declared);
                own.iter().any(|phrase| wanted.contains(phrase))
            });
            let Some(next) = next else { break };
            all.push(next);
        }
        if all.len() == own {
            return root;
        }
        let mut parts = self.terms.args(root)[..3].to_vec();
        parts.push(self.terms.apply(Construct::Where.symbol(), &all));
        self.terms.with_args(root, &parts)
    }

    /// The uses of phrases that the scheme defines, or that are declared beside it, with blanks for their arguments:
    /// operators, or predicates.
    pub(super) fn known_phrases(&mut self, tests: bool, own: bool) -> Vec<Id> {
        let kinds = match tests {
            true => [Construct::DefineTest, Construct::BasicTest],
            false => [Construct::Define, Construct::Basic],
        };
        let known = match own {
            true => definitions(&self.terms, self.now.root).to_vec(),
            false => self.operators.clone(),
        };
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for definition in known {
            let construct = self.terms.functor(definition).and_then(Construct::of);
            let phrase = self.terms.as_text(self.terms.arg(definition, 0));
            let Some(phrase) = phrase.filter(|&p| seen.insert(p)) else {
                continue;
            };
            if construct.is_some_and(|c| kinds.contains(&c)) {
                let arguments = self.terms.arity(self.terms.arg(definition, 1));
                found.push(self.use_of(phrase, arguments, tests));
            }
        }
        found
    }

    fn use_of(&mut self, phrase: Symbol, arguments: usize, is_test: bool) -> Id {
        let mut parts = vec![self.terms.text(phrase)];
        parts.extend((0..arguments).map(|_| blank(&mut self.terms, Role::Expression)));
        let construct = match is_test {
            true => Construct::Test,
            false => Construct::Call,
        };
        self.terms.apply(construct.symbol(), &parts)
    }

    /// The names that calls of a phrase have for the argument of a number: what its definition might call it.
    pub(super) fn names_in_calls(&self, phrase: Symbol, argument: usize) -> Vec<Symbol> {
        let mut names = Vec::new();
        for id in self.terms.subterms(self.now.root) {
            let construct = self.terms.functor(id).and_then(Construct::of);
            let is_use = matches!(construct, Some(Construct::Call | Construct::Test));
            let args = self.terms.args(id);
            if is_use
                && args.first().and_then(|&p| self.terms.as_text(p)) == Some(phrase)
                && let Some(&actual) = args.get(argument + 1)
                && open_number(&self.terms, actual).is_none()
                && let Some(name) = self.terms.as_atom(actual)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }
}
