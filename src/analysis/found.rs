//! A minimum or maximum together with what goes with it, such as where it was found.

use super::access::accesses;
use crate::algebra::{Binary, Expr, Extreme, Operator, Type, expr, names, operator};
use crate::check::Scheme;
use crate::term::{Id, Symbol};

/// Scalars that a body assigns together, and only where one of them becomes less, or greater.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The minimum or maximum.
    pub best: Symbol,
    /// Which of them it is.
    pub extreme: Extreme,
    /// What is assigned with it, in the order of their declaration.
    pub with: Vec<Symbol>,
}

/// The minima and maxima of outside that a body finds with something else, in the order in which they stand there: all
/// that it does with the scalars of one of them is `IF e < best THEN best := e; x := f; … END IF`, with none of them in
/// `e` or `f`, and with the same ones wherever it does so. Further conditions may stand beside the comparison.
///
/// Of values that are equal the first stays, as is so for parts of the iterations that are taken in their
/// order. That a part starts from `best` itself and finds nothing better leaves `best` as it is. With `<=` it
/// would not: a part that finds nothing is then as good as an earlier one that does.
pub fn found(scheme: &Scheme, body: Id) -> Vec<Found> {
    let set = accesses(scheme, body);
    if set.unknown.is_some() {
        return Vec::new();
    }
    let terms = &scheme.terms;
    let mut all: Vec<(Found, usize)> = Vec::new();
    for id in terms.subterms(body) {
        let Some(mut here) = updated(scheme, id) else {
            continue;
        };
        if here.with.is_empty() || set.own.contains(&here.best) {
            continue;
        }
        here.with.sort_by_key(|n| scheme.variables.get_index_of(n));
        match all.iter_mut().find(|(before, _)| *before == here) {
            Some((_, times)) => *times += 1,
            None => all.push((here, 1)),
        }
    }
    let reached = |name: Symbol| set.all.iter().filter(|a| a.name == name).count();
    // The best one is compared and assigned each time, the others are assigned; what another search assigns, too, is
    // reached more often than that.
    let only = |(found, times): &(Found, usize)| {
        let with = |&w: &Symbol| reached(w) == *times && !set.own.contains(&w);
        reached(found.best) == 2 * times && found.with.iter().all(with)
    };
    let all = all.into_iter().filter(only);
    all.map(|(found, _)| found).collect()
}

/// What an IF assigns where a comparison with one of what it assigns holds.
fn updated(scheme: &Scheme, id: Id) -> Option<Found> {
    let terms = &scheme.terms;
    let Some(Operator::If { condition, yes, no }) = operator(terms, id) else {
        return None;
    };
    if !matches!(operator(terms, no), Some(Operator::Empty)) {
        return None;
    }
    let parts = match operator(terms, yes) {
        Some(Operator::Then(parts)) => parts.to_vec(),
        _ => vec![yes],
    };
    let mut assigned: Vec<(Symbol, Id)> = Vec::new();
    for part in parts {
        let Some(Operator::Assign { target, value }) = operator(terms, part) else {
            return None;
        };
        let name = terms.as_atom(target)?;
        let scalar = scheme.variable(name).is_some_and(|v| !v.is_array());
        if !scalar || assigned.iter().any(|&(n, _)| n == name) {
            return None;
        }
        assigned.push((name, value));
    }
    let mentioned = |e: Id| {
        let names = names(terms, e);
        names
            .filter(|&n| assigned.iter().any(|&(a, _)| a == n))
            .count()
    };
    if assigned.iter().any(|&(_, value)| mentioned(value) > 0) || mentioned(condition) != 1 {
        return None;
    }
    let (best, extreme) = conjuncts(scheme, condition)
        .into_iter()
        .find_map(|c| compared(scheme, c, &assigned))?;
    let others = assigned.iter().map(|&(name, _)| name);
    Some(Found {
        best,
        extreme,
        with: others.filter(|&name| name != best).collect(),
    })
}

/// What must hold together for a condition to hold.
fn conjuncts(scheme: &Scheme, condition: Id) -> Vec<Id> {
    let mut left = vec![condition];
    let mut found = Vec::new();
    while let Some(id) = left.pop() {
        match expr(&scheme.terms, id) {
            Some(Expr::Binary {
                op: Binary::And,
                left: a,
                right: b,
            }) => left.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}

/// Which of the scalars becomes less, or greater, where a comparison of it with its new value holds.
fn compared(
    scheme: &Scheme,
    condition: Id,
    assigned: &[(Symbol, Id)],
) -> Option<(Symbol, Extreme)> {
    let terms = &scheme.terms;
    let Some(Expr::Binary { op, left, right }) = expr(terms, condition) else {
        return None;
    };
    let is = |name: Symbol, value: Id, new: Id, old: Id| {
        terms.equal(new, value) && terms.as_atom(old) == Some(name)
    };
    assigned.iter().find_map(|&(name, value)| {
        // A wider value may be less than the best one, and equal to it once it is rounded.
        if !holds_exactly(scheme.variable(name)?.ty, scheme.type_of(value)) {
            return None;
        }
        let first = is(name, value, left, right);
        let last = is(name, value, right, left);
        let extreme = match op {
            Binary::Less if first => Extreme::Min,
            Binary::Greater if last => Extreme::Min,
            Binary::Greater if first => Extreme::Max,
            Binary::Less if last => Extreme::Max,
            _ => return None,
        };
        Some((name, extreme))
    })
}

/// Whether a variable of a type keeps values of another one as they are.
fn holds_exactly(ty: Type, value: Type) -> bool {
    ty == value || matches!((ty, value), (Type::F64, Type::F32) | (Type::I64, Type::I32))
}
