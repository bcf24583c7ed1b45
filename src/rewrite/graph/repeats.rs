//! Whether a rule's result can be the very term it stands for, and where: then it is no step.

use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Equations looked at before the answer is yes, to be on the safe side.
const MOST_EQUATIONS: usize = 1000;

/// Whether some values of the variables make a pattern and a result equal; yes where that is not
/// found out. A variable stands for the same term in both.
pub(in crate::rewrite) fn may_repeat(terms: &Terms, pattern: Id, result: Id) -> bool {
    let is_special = |id: Id| match terms.head(id) {
        Head::Functor(f) => matches!(f.as_str(), SET | SET_PATTERN | ANY_ARITY),
        head => matches!(head, Head::Sequence(_)),
    };
    let mut parts = terms.subterms(pattern).chain(terms.subterms(result));
    if parts.any(is_special) {
        return true;
    }
    let mut bound: FxHashMap<Symbol, Id> = FxHashMap::default();
    let mut work = vec![(pattern, result)];
    for _ in 0..MOST_EQUATIONS {
        let Some((a, b)) = work.pop() else {
            return true;
        };
        let (a, b) = (known(terms, &bound, a), known(terms, &bound, b));
        match (terms.head(a), terms.head(b)) {
            (Head::Variable(x), Head::Variable(y)) if x == y => {}
            (Head::Variable(x), _) => match bind(terms, &mut bound, x, b) {
                true => {}
                false => return false,
            },
            (_, Head::Variable(y)) => match bind(terms, &mut bound, y, a) {
                true => {}
                false => return false,
            },
            (Head::Functor(f), Head::Functor(g)) => {
                if f != g || terms.arity(a) != terms.arity(b) {
                    return false;
                }
                work.extend(
                    terms
                        .args(a)
                        .iter()
                        .copied()
                        .zip(terms.args(b).iter().copied()),
                );
            }
            (x, y) if x == y => {}
            _ => return false,
        }
    }
    true
}

/// When a rule's result is the term it stands for.
pub(in crate::rewrite) enum Repeats {
    Never,
    /// Where the values of these variables of its pattern are equal, pair by pair.
    Where(Vec<(Symbol, Symbol)>),
    /// That is not told by variables.
    Sometimes,
}

/// When a result is what its pattern matched: `p($x, $y) -> p($y, $x)` where both variables have equal values.
pub(in crate::rewrite) fn repeats(terms: &Terms, pattern: Id, result: Id) -> Repeats {
    if !may_repeat(terms, pattern, result) {
        return Repeats::Never;
    }
    let variables: Vec<Symbol> = terms
        .subterms(pattern)
        .filter_map(|id| match terms.head(id) {
            Head::Variable(name) if name.as_str() != "_" => Some(name),
            _ => None,
        })
        .collect();
    let mut pairs = Vec::new();
    let mut work = vec![(pattern, result)];
    while let Some((a, b)) = work.pop() {
        match (terms.head(a), terms.head(b)) {
            (Head::Variable(x), Head::Variable(y))
                if variables.contains(&x) && variables.contains(&y) =>
            {
                if x != y && !pairs.contains(&(x, y)) && !pairs.contains(&(y, x)) {
                    pairs.push((x, y));
                }
            }
            (Head::Functor(f), Head::Functor(g))
                if f == g
                    && terms.arity(a) == terms.arity(b)
                    && !matches!(f.as_str(), SET | SET_PATTERN | ANY_ARITY) =>
            {
                let arguments = terms.args(a).iter().copied();
                work.extend(arguments.zip(terms.args(b).iter().copied()));
            }
            (Head::Variable(_) | Head::Sequence(_) | Head::Functor(_), _) => {
                return Repeats::Sometimes;
            }
            (literal, other) if literal == other => {}
            _ => return Repeats::Sometimes,
        }
    }
    Repeats::Where(pairs)
}

fn known(terms: &Terms, bound: &FxHashMap<Symbol, Id>, mut id: Id) -> Id {
    while let Head::Variable(name) = terms.head(id)
        && let Some(&value) = bound.get(&name)
    {
        id = value;
    }
    id
}

/// Binds a variable; false where it would stand within its own value. Each `$_` is another one.
fn bind(terms: &Terms, bound: &mut FxHashMap<Symbol, Id>, name: Symbol, value: Id) -> bool {
    if name.as_str() == "_" {
        return true;
    }
    let mut work = vec![value];
    let mut looked = 0;
    while let Some(id) = work.pop() {
        let id = known(terms, bound, id);
        looked += 1;
        if looked > MOST_EQUATIONS {
            break;
        }
        if terms.head(id) == Head::Variable(name) {
            return false;
        }
        work.extend(terms.args(id));
    }
    bound.insert(name, value);
    true
}
