//! Phrases and predicates: those that a definition is known by, those that are used, and the definitions that these need.

use super::Construct;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The definitions of a scheme, in order.
pub fn definitions(terms: &Terms, root: Id) -> &[Id] {
    let all = terms.args(root).get(3);
    all.map_or(&[], |&all| terms.args(all))
}

/// The phrases of a definition, in all its wordings, its own first.
pub fn phrases_of(terms: &Terms, definition: Id) -> Vec<Symbol> {
    let args = terms.args(definition);
    let own = args.first().and_then(|&name| terms.as_text(name));
    let is_latex = |part: Id| terms.as_atom(part) == Some(Symbol::new(super::LATEX));
    let wordings = args
        .iter()
        .filter(|&&part| terms.functor(part) == Some(Construct::Translation.symbol()))
        .filter(|&&part| !is_latex(terms.arg(part, 0)))
        .filter_map(|&part| terms.as_text(terms.arg(part, 1)));
    own.into_iter().chain(wordings).collect()
}

/// The phrases and predicates that are used in a term.
pub fn phrases_used(terms: &Terms, id: Id) -> impl Iterator<Item = Symbol> {
    terms.subterms(id).filter_map(move |id| {
        use Construct::{Call, Holds, Perform, Test};
        let construct = terms.functor(id).and_then(Construct::of);
        let is_use = matches!(construct, Some(Call | Test | Perform | Holds));
        let name = terms.args(id).first().filter(|_| is_use)?;
        terms.as_text(*name)
    })
}

/// Those among definitions that phrases need: their own, those of what these use, and so on; in the order given.
pub fn needed(
    terms: &Terms,
    definitions: &[Id],
    used: impl IntoIterator<Item = Symbol>,
) -> Vec<Id> {
    let mut left: FxHashSet<Symbol> = used.into_iter().collect();
    let mut seen = left.clone();
    let mut taken = vec![false; definitions.len()];
    while !left.is_empty() {
        let wanted = std::mem::take(&mut left);
        for (taken, &definition) in taken.iter_mut().zip(definitions) {
            use Construct::{Basic, BasicTest, Define, DefineTest};
            let construct = terms.functor(definition).and_then(Construct::of);
            let defines = matches!(construct, Some(Define | DefineTest | Basic | BasicTest));
            let phrases = phrases_of(terms, definition);
            if *taken || !defines || !phrases.iter().any(|p| wanted.contains(p)) {
                continue;
            }
            *taken = true;
            left.extend(phrases_used(terms, definition).filter(|&phrase| seen.insert(phrase)));
        }
    }
    let all = definitions.iter().zip(taken);
    all.filter(|&(_, taken)| taken).map(|(&d, _)| d).collect()
}
