//! How much a loop computes, and what a pair computes for both of its members.

use super::super::host::decided;
use super::Fact;
use super::call::{Call, facts};
use crate::algebra::{Expr, Operator, expr, operator, root_name};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Work in common is taken to be worth passing on a sum where it takes more operations than these; the number was not measured.
const FEW: usize = 2;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        shares_work "A, i, j: A computes something for what it adds to cells of i as well as for what it adds to cells of j, by more than two operations";
        few_operations "n, A: what A assigns, and its conditions, are computed by n operations at most, in all";
    ]
}

fn shares_work(call: &mut Call<'_>, body: Id, first: Symbol, second: Symbol) -> Answer {
    let terms = &call.scheme().terms;
    let mut parts = Parts::default();
    parts.collect(terms, body, &mut Vec::new());
    let first = parts.computed_for(terms, first);
    let second = parts.computed_for(terms, second);
    let count: usize = first
        .intersection(&second)
        .map(|&id| operations(terms, id))
        .sum();
    decided(
        count > FEW,
        format!("{count} operations are for both members of a pair"),
        format!("of what a pair computes, {count} operations are for both of its members"),
    )
}

fn few_operations(call: &mut Call<'_>, most: Id, body: Id) -> Answer {
    let terms = &call.scheme().terms;
    let computed = terms
        .subterms(body)
        .filter_map(|t| match operator(terms, t) {
            Some(
                Operator::Assign { value, .. }
                | Operator::Local { value, .. }
                | Operator::Atomic { value, .. },
            ) => Some(value),
            Some(Operator::If { condition, .. } | Operator::While { condition, .. }) => {
                Some(condition)
            }
            _ => None,
        });
    let count: usize = computed.map(|e| operations(terms, e)).sum();
    let most = terms.as_int(most).and_then(|n| usize::try_from(n).ok());
    decided(
        most.is_some_and(|most| count <= most),
        format!("it computes by {count} operations"),
        format!("it computes by {count} operations, which are more"),
    )
}

/// How many operations there are in a term.
fn operations(terms: &Terms, id: Id) -> usize {
    terms
        .subterms(id)
        .filter(|&t| is_operation(terms, t))
        .count()
}

fn is_operation(terms: &Terms, id: Id) -> bool {
    matches!(
        expr(terms, id),
        Some(Expr::Binary { .. } | Expr::Apply { .. })
    )
}

/// A value with the conditions that it stands under.
type Value = (Id, Vec<Id>);

/// The values of an operator that only adds to cells.
#[derive(Default)]
struct Parts {
    /// Those of each LOCAL.
    locals: FxHashMap<Symbol, Vec<Value>>,
    /// What is assigned otherwise, with its target.
    sums: Vec<(Id, Value)>,
}

impl Parts {
    fn collect(&mut self, terms: &Terms, id: Id, around: &mut Vec<Id>) {
        match operator(terms, id) {
            Some(Operator::Then(all)) => {
                for &one in all {
                    self.collect(terms, one, around);
                }
            }
            Some(Operator::If { condition, yes, no }) => {
                around.push(condition);
                self.collect(terms, yes, around);
                self.collect(terms, no, around);
                around.pop();
            }
            Some(Operator::For { body, .. }) => self.collect(terms, body, around),
            Some(Operator::Local { name, value, .. }) => {
                let values = self.locals.entry(name).or_default();
                values.push((value, around.clone()));
            }
            Some(Operator::Assign { target, value }) => {
                let value = (value, around.clone());
                let local = root_name(terms, target).and_then(|name| self.locals.get_mut(&name));
                match local {
                    Some(values) => values.push(value),
                    None => self.sums.push((target, value)),
                }
            }
            _ => {}
        }
    }

    /// The values and conditions that what is added to cells of a variable is computed from, by way of LOCALs.
    fn computed_for(&self, terms: &Terms, variable: Symbol) -> FxHashSet<Id> {
        let names = |id: Id| terms.subterms(id).filter_map(|t| terms.as_atom(t));
        let is_its = |target: Id| names(target).any(|name| name == variable);
        let mut found = FxHashSet::default();
        let own = self.sums.iter().filter(|(target, _)| is_its(*target));
        // What is added stands for one member; the conditions around it may be both members'.
        let mut open: Vec<Id> = own.clone().map(|(_, (value, _))| *value).collect();
        let conditions = own.flat_map(|(_, (_, around))| around.iter().copied());
        found.extend(conditions.clone());
        open.extend(conditions);
        while let Some(id) = open.pop() {
            for (value, around) in names(id).filter_map(|n| self.locals.get(&n)).flatten() {
                for &part in std::iter::once(value).chain(around) {
                    if found.insert(part) {
                        open.push(part);
                    }
                }
            }
        }
        found
    }
}
