//! What follows from equal subscripts for their parts that are not linear forms: for remainders, for
//! quotients beside remainders, and for cells of tables.
//!
//! Of two iterations, one is read as instance 1 and the other as instance 2; parts are equal where the
//! system says so.

use super::affine::{Names, Reader};
use super::form::{Linear, Var};
use super::linear::System;
use crate::algebra::{Binary, Expr, expr};
use crate::term::{Id, Symbol};

/// Pairs of remainders that are looked at: each splits the question in three.
const MOST: usize = 3;

/// A quotient or a remainder of integers.
#[derive(Clone)]
struct Divided {
    op: Binary,
    /// What stands for it.
    var: Var,
    dividend: Linear,
    divisor: Linear,
}

/// Adds to the facts of a reader what equal parts say, and gives what they leave open: of each inner
/// list, one system holds.
pub(super) fn congruences(reader: &mut Reader<'_>, names: [&dyn Names; 2]) -> Vec<Vec<System>> {
    equal_cells(reader, names);
    // What both iterations have in common, such as the step of a loop around, stands in either.
    let common = divided(reader, 0, names[0]);
    let shared: Vec<Var> = common.iter().map(|d| d.var).collect();
    let [mut one, mut two] = [1, 2].map(|i| divided(reader, i, names[usize::from(i) - 1]));
    one.extend(common.iter().cloned());
    two.extend(common);
    let mut open = Vec::new();
    for a in one.iter().filter(|a| a.op == Binary::Mod) {
        for b in two
            .iter()
            .filter(|b| b.op == Binary::Mod && b.divisor == a.divisor)
        {
            let again = shared.contains(&a.var) && shared.contains(&b.var) && a.var >= b.var;
            if again {
                continue;
            }
            if open.len() == MOST || !are_equal(&reader.facts, a.var, b.var) {
                continue;
            }
            let quotients = quotient_beside(&one, a).zip(quotient_beside(&two, b));
            match quotients.is_some_and(|(p, q)| are_equal(&reader.facts, p, q)) {
                // The dividend is the divisor times the quotient, and the remainder.
                true => reader.facts.equate(&a.dividend, &b.dividend),
                false => open.push(apart_by_divisors(a, b)),
            }
        }
    }
    open
}

/// Of numbers with one remainder, either is the other one, or they are a divisor or more apart. With a
/// negative divisor this says nothing, and is true.
fn apart_by_divisors(a: &Divided, b: &Divided) -> Vec<System> {
    let [mut same, mut above, mut below] = [(); 3].map(|()| System::default());
    same.equate(&a.dividend, &b.dividend);
    above.order(&b.dividend.plus(&a.divisor, 1), &a.dividend);
    below.order(&a.dividend.plus(&a.divisor, 1), &b.dividend);
    vec![same, above, below]
}

/// What stands for the quotient that goes with a remainder.
fn quotient_beside(all: &[Divided], rest: &Divided) -> Option<Var> {
    let goes_with = |d: &&Divided| {
        d.op == Binary::Div && d.dividend == rest.dividend && d.divisor == rest.divisor
    };
    all.iter().find(goes_with).map(|d| d.var)
}

/// The quotients and remainders that were read in an instance.
fn divided(reader: &mut Reader<'_>, instance: u8, names: &dyn Names) -> Vec<Divided> {
    let terms = &reader.scheme.terms;
    let all = reader.variables.opaque_in(instance).into_iter();
    all.filter_map(|(id, var)| match expr(terms, id)? {
        Expr::Binary {
            op: op @ (Binary::Div | Binary::Mod),
            left,
            right,
        } => Some(Divided {
            op,
            var,
            dividend: reader.read(left, names)?,
            divisor: reader.read(right, names)?,
        }),
        _ => None,
    })
    .collect()
}

/// Cells of one table at equal subscripts are equal.
fn equal_cells(reader: &mut Reader<'_>, names: [&dyn Names; 2]) {
    let [first, second] = [1, 2].map(|instance| cells(reader, instance));
    for &(x, array, subscripts) in &first {
        for &(y, _, others) in second.iter().filter(|cell| cell.1 == array) {
            let equal = subscripts.iter().zip(others).all(|(&s, &t)| {
                let forms = reader.read(s, names[0]).zip(reader.read(t, names[1]));
                forms.is_some_and(|(s, t)| {
                    reader.facts.implies_order(&s, &t) && reader.facts.implies_order(&t, &s)
                })
            });
            if equal {
                reader.facts.equate(&Linear::var(x), &Linear::var(y));
            }
        }
    }
}

/// The cells that were read in an instance: what stands for each, its array and its subscripts.
fn cells<'t>(reader: &Reader<'t>, instance: u8) -> Vec<(Var, Symbol, &'t [Id])> {
    let terms = &reader.scheme.terms;
    let all = reader.variables.opaque_in(instance).into_iter();
    all.filter_map(|(id, var)| match expr(terms, id)? {
        Expr::Index { array, subscripts } => Some((var, array, subscripts)),
        _ => None,
    })
    .collect()
}

fn are_equal(facts: &System, x: Var, y: Var) -> bool {
    let [x, y] = [x, y].map(Linear::var);
    facts.implies_order(&x, &y) && facts.implies_order(&y, &x)
}
