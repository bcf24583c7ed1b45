//! What is asked of operators whatever they are: what they write, bind and hold. The answers come from the roles of
//! their arguments in the table of constructs, so that a further construct has them.

use super::{Construct, Expr, Role, Sort, expr};
use crate::term::{Id, Symbol, Terms};

/// The arguments of a term that get values by it: targets, and variables that are updated.
pub fn written(terms: &Terms, id: Id) -> impl Iterator<Item = Id> {
    let construct = terms.functor(id).and_then(Construct::of);
    let info = construct.map(Construct::info);
    let args = terms.args(id).iter().enumerate();
    let is_written = move |i| {
        info.and_then(|info| info.role(i))
            .is_some_and(Role::is_written)
    };
    args.filter(move |&(i, _)| is_written(i)).map(|(_, &a)| a)
}

/// The places of a term's arguments that are operators: its branches, bodies or parts.
pub fn bodies_of(terms: &Terms, id: Id) -> impl Iterator<Item = usize> + use<> {
    let construct = terms.functor(id).and_then(Construct::of);
    let is_operator =
        move |&i: &usize| construct.and_then(|c| c.info().argument(i)) == Some(Sort::Operator);
    (0..terms.arity(id)).filter(is_operator)
}

/// The operators that a term holds itself.
pub fn inner(terms: &Terms, id: Id) -> impl Iterator<Item = Id> {
    let args = terms.args(id);
    bodies_of(terms, id).map(|i| args[i])
}

/// Whether a term declares a name for what follows it in its sequence.
pub fn declares(terms: &Terms, id: Id) -> bool {
    let construct = terms.functor(id).and_then(Construct::of);
    construct.and_then(|c| c.info().binds()) == Some(Role::Declared)
}

/// The name that a term binds, in its operators or in what follows it.
pub fn bound(terms: &Terms, id: Id) -> Option<Symbol> {
    let construct = terms.functor(id).and_then(Construct::of)?;
    construct.info().binds()?;
    terms.as_atom(*terms.args(id).first()?)
}

/// The operators within an operator, itself among them, parents before children. Expressions are not gone into.
pub fn operators(terms: &Terms, id: Id) -> impl Iterator<Item = Id> {
    let mut left = vec![id];
    std::iter::from_fn(move || {
        let id = left.pop()?;
        left.extend(operators_of(terms, id).rev());
        Some(id)
    })
}

/// The operators and parts of operators among a term's arguments.
pub fn operators_of(terms: &Terms, id: Id) -> impl DoubleEndedIterator<Item = Id> {
    let info = terms
        .functor(id)
        .and_then(Construct::of)
        .map(Construct::info);
    let is_gone_into = move |i: usize| {
        let sort = info.and_then(|info| info.argument(i));
        matches!(sort, Some(Sort::Operator | Sort::Part))
    };
    let parts = terms.args(id).iter().enumerate();
    parts
        .filter(move |&(i, _)| is_gone_into(i))
        .map(|(_, &part)| part)
}

/// The variable or array at the root of a target.
pub fn root_name(terms: &Terms, target: Id) -> Option<Symbol> {
    match expr(terms, target)? {
        Expr::Name(name) => Some(name),
        Expr::Index { array, .. } => Some(array),
        Expr::Field { vector, .. } => root_name(terms, vector),
        _ => None,
    }
}

/// Whether the argument of a functor at an index names a component, a function or a type.
pub fn is_word(functor: Symbol, argument: usize) -> bool {
    let info = Construct::of(functor).map(Construct::info);
    let role = info.and_then(|info| info.role(argument));
    matches!(role, Some(Role::Word | Role::Type))
}

/// The names that stand in a term, as often as they do: of variables, and of constructs without arguments.
/// Names of components, functions and types are none of these: `x` of `r.x` is no variable.
pub fn names(terms: &Terms, id: Id) -> impl Iterator<Item = Symbol> {
    let mut left = vec![id];
    std::iter::from_fn(move || {
        while let Some(id) = left.pop() {
            if let Some(name) = terms.as_atom(id) {
                return Some(name);
            }
            let functor = terms.functor(id);
            let args = terms.args(id).iter().enumerate().rev();
            let kept = args.filter(|&(i, _)| !functor.is_some_and(|f| is_word(f, i)));
            left.extend(kept.map(|(_, &a)| a));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_and_functions_are_no_names_of_variables() {
        let mut terms = Terms::new();
        let [x, r, sin] = ["x", "r", "sin"].map(|n| terms.atom(Symbol::new(n)));
        let field = terms.apply(Construct::Field.symbol(), &[r, x]);
        let value = terms.apply(Construct::Apply.symbol(), &[sin, field]);
        let found: Vec<&str> = names(&terms, value).map(Symbol::as_str).collect();
        assert_eq!(found, ["r"]);
    }
}
