//! `Scheme` → the same without its reports outside of TIMED, and without what is computed for them alone: what a
//! search for the fastest program is about.

use crate::algebra::{
    Construct, Operator, Sort, build, names, operator, operators, root_name, written,
};
use crate::analysis::only_reported;
use crate::check::{Scheme, check};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The scheme without them; as it is where nothing is TIMED, since then all of it is.
pub(super) fn without_reports(scheme: &Scheme) -> Scheme {
    let timed = operators(&scheme.terms, scheme.body)
        .filter(|&id| matches!(operator(&scheme.terms, id), Some(Operator::Timed(_))));
    let timed: Vec<Id> = timed.collect();
    if timed.is_empty() || !scheme.undefined.is_empty() {
        return scheme.clone();
    }
    let needed: FxHashSet<Symbol> = timed
        .iter()
        .flat_map(|&t| names(&scheme.terms, t))
        .collect();
    let all = scheme.variables.iter();
    let told = all.filter(|(name, variable)| {
        let is_free = !variable.is_array() && !variable.is_constant() && !needed.contains(*name);
        is_free && only_reported(scheme, &[**name]).is_yes()
    });
    let told: FxHashSet<Symbol> = told.map(|(&name, _)| name).collect();
    let mut terms = scheme.terms.clone();
    let body = left(&mut terms, scheme.body, &told);
    let mut parts = terms.args(scheme.root).to_vec();
    parts[2] = body;
    let root = terms.with_args(scheme.root, &parts);
    // What is left was checked as a part of the whole; should it not stand alone, the whole does.
    check(&terms, root, scheme.precision).unwrap_or_else(|_| scheme.clone())
}

/// What is left of an operator.
fn left(terms: &mut Terms, id: Id, told: &FxHashSet<Symbol>) -> Id {
    let empty = Construct::Empty.symbol();
    let is_told = match operator(terms, id) {
        Some(Operator::Timed(_) | Operator::Launch { .. } | Operator::While { .. }) | None => {
            return id;
        }
        Some(Operator::Report { .. }) => true,
        Some(Operator::Local { name, .. }) => told.contains(&name),
        Some(Operator::Assign { .. } | Operator::Atomic { .. }) => {
            let mut targets = written(terms, id).filter_map(|target| root_name(terms, target));
            targets.all(|name| told.contains(&name))
        }
        _ => false,
    };
    if is_told {
        return terms.atom(empty);
    }
    let info = terms
        .functor(id)
        .and_then(Construct::of)
        .map(Construct::info);
    let Some((info, functor)) = info.zip(terms.functor(id)) else {
        return id;
    };
    let arguments = terms.args(id).to_vec();
    let is_operator = |i: usize| info.argument(i) == Some(Sort::Operator);
    let new: Vec<Id> = arguments
        .iter()
        .enumerate()
        .map(|(i, &part)| match is_operator(i) {
            true => left(terms, part, told),
            false => part,
        })
        .collect();
    if new == arguments {
        return id;
    }
    let mut parts = new.iter().enumerate().filter(|&(i, _)| is_operator(i));
    if parts.all(|(_, &part)| terms.functor(part) == Some(empty)) {
        return terms.atom(empty);
    }
    let older = terms.len();
    let made = build(terms, functor, &new);
    if made.index() >= older {
        terms.copy_origin(id, made);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Options, Session, Source, load};

    #[test]
    fn energies_are_left_out_and_what_is_timed_is_not() {
        crate::term::with_deep_stack(|| {
            let mut session = Session::new();
            let loaded = load(Source::Path("hermite"), &Options::default(), &mut session);
            let scheme = loaded.expect("a scheme");
            let bare = without_reports(&scheme);
            let count = |scheme: &Scheme, construct: Construct| {
                let all = operators(&scheme.terms, scheme.body);
                all.filter(|&id| scheme.terms.functor(id) == Some(construct.symbol()))
                    .count()
            };
            assert_eq!(count(&scheme, Construct::Report), 2);
            assert_eq!(count(&bare, Construct::Report), 0);
            assert_eq!(count(&scheme, Construct::ForLoop), 11);
            assert_eq!(count(&bare, Construct::ForLoop), 7);
            assert_eq!(count(&bare, Construct::Timed), 1);
        });
    }
}
