//! Why a rule does not fire at a place: which part of its pattern differs, or what its condition was
//! answered.

use crate::rewrite::condition::counted_arguments;
use crate::rewrite::operators::Operators;
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN, print_term_short};
use crate::term::{Head, Id, Path, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Terms are shown up to so many bytes.
const SHOWN: usize = 60;

/// The first part of a pattern, from the left, that a term differs from, in a sentence; none where
/// each part by itself agrees.
pub(super) fn difference(
    operators: &Operators,
    rules: &Terms,
    pattern: Id,
    terms: &Terms,
    id: Id,
) -> Option<String> {
    let mut bound: FxHashMap<Symbol, Id> = FxHashMap::default();
    let mut work = vec![(pattern, id, Path::default())];
    while let Some((pattern, id, path)) = work.pop() {
        let found = || print_term_short(terms, id, SHOWN);
        let wanted = || print_term_short(rules, pattern, SHOWN);
        let differs = || {
            Some(format!(
                "the pattern has `{}`, the term `{}`",
                wanted(),
                found()
            ))
        };
        let place = |said: Option<String>| said.map(|said| format!("at {path} {said}"));
        let functor = match rules.head(pattern) {
            Head::Variable(name) if name.as_str() == "_" => continue,
            Head::Variable(name) => {
                let first = *bound.entry(name).or_insert(id);
                if !terms.equal(first, id) {
                    let first = print_term_short(terms, first, SHOWN);
                    let message = format!("`${name}` is `{}`, and `{first}` elsewhere", found());
                    return place(Some(message));
                }
                continue;
            }
            Head::Sequence(_) => continue,
            Head::Functor(functor) => functor,
            literal => match terms.head(id) == literal {
                true => continue,
                false => return place(differs()),
            },
        };
        match functor.as_str() {
            ANY_ARITY => continue,
            SET_PATTERN if terms.functor(id).is_some_and(|f| f.as_str() == SET) => continue,
            // With an identity, any term is one of the operator.
            _ if operators
                .laws(functor)
                .is_some_and(|l| l.identity.is_some()) =>
            {
                continue;
            }
            _ if terms.functor(id) != Some(functor) => return place(differs()),
            // Its arguments have no one place.
            _ if operators.laws(functor).is_some() => continue,
            _ => {}
        }
        let (patterns, args) = (rules.args(pattern), terms.args(id));
        let is_sequence = |&&p: &&Id| matches!(rules.head(p), Head::Sequence(_));
        let sequences = patterns.iter().filter(is_sequence).count();
        let fixed = patterns.len() - sequences;
        if args.len() < fixed || sequences == 0 && args.len() > fixed {
            let least = if sequences > 0 { "at least " } else { "" };
            let wanted = counted_arguments(fixed);
            let message = format!("`{functor}` wants {least}{wanted}, and has {}", args.len());
            return place(Some(message));
        }
        // Behind a sequence, an argument has no one place.
        let before = patterns.iter().take_while(|p| !is_sequence(p));
        let pairs: Vec<_> = before.zip(args).enumerate().collect();
        for (i, (&pattern, &arg)) in pairs.into_iter().rev() {
            let mut below = path.clone();
            below.0.push(i as u32);
            work.push((pattern, arg, below));
        }
    }
    None
}
