//! What is known of partners that loops find by exclusive or, `bit_xor(i, gap)`: with one gap each number
//! is the partner of its partner.
//!
//! Of two iterations, one is read as instance 1 and the other as instance 2, as in [`super::congruent`].

use super::affine::{Names, Reader};
use super::form::Linear;
use super::linear::System;
use crate::algebra::{Bits, Expr, Signature, expr, signature};
use crate::term::Id;

/// Pairs of partners that are looked at: each splits the question twice.
const MOST: usize = 2;

/// A number and its partner.
struct Partners {
    number: Linear,
    partner: Linear,
    /// In which bits they differ.
    gap: Linear,
}

/// What the partners in two iterations say of each other: of each inner list, one system holds.
pub(super) fn partners(reader: &mut Reader<'_>, names: [&dyn Names; 2]) -> Vec<Vec<System>> {
    let [one, two] = [1, 2].map(|instance| read(reader, instance, names[instance - 1]));
    let mut open = Vec::new();
    for a in &one {
        for b in two.iter().filter(|b| b.gap == a.gap).take(MOST) {
            // Numbers are the same if their partners are, and the one is the partner of the other if that is its own.
            open.push(both_or_neither(
                &reader.facts,
                [&a.number, &b.number],
                [&a.partner, &b.partner],
            ));
            open.push(both_or_neither(
                &reader.facts,
                [&a.number, &b.partner],
                [&a.partner, &b.number],
            ));
        }
    }
    open.truncate(2 * MOST);
    open
}

/// The systems in which two pairs of forms are both equal or both different, but for those that are known not to hold.
fn both_or_neither(facts: &System, [a, b]: [&Linear; 2], [c, d]: [&Linear; 2]) -> Vec<System> {
    let mut equal = System::default();
    equal.equate(a, b);
    equal.equate(c, d);
    let different = [(a, b), (b, a)].into_iter().flat_map(|(p, q)| {
        [(c, d), (d, c)].map(|(r, s)| {
            let mut system = System::default();
            system.order_strictly(p, q);
            system.order_strictly(r, s);
            system
        })
    });
    let all = std::iter::once(equal).chain(different);
    all.filter(|system| !facts.with(system).is_impossible())
        .collect()
}

/// The partners that were read in an instance, whichever of the two arguments the gap is.
fn read(reader: &mut Reader<'_>, instance: usize, names: &dyn Names) -> Vec<Partners> {
    let terms = &reader.scheme.terms;
    let parts = reader.variables.opaque_in(instance as u8);
    let mut found = Vec::new();
    for (id, var) in parts {
        let Some(Expr::Apply {
            function,
            arguments: &[a, b],
        }) = expr(terms, id)
        else {
            continue;
        };
        if signature(function) != Some(Signature::Bits(Bits::Xor)) {
            continue;
        }
        let mut add = |number: Id, gap: Id| {
            if let (Some(number), Some(gap)) = (reader.read(number, names), reader.read(gap, names))
            {
                found.push(Partners {
                    number,
                    partner: Linear::var(var),
                    gap,
                });
            }
        };
        add(a, b);
        add(b, a);
    }
    found
}
