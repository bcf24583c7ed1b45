//! The loops of a scheme that are left in order.

use crate::algebra::{Operator, operator};
use crate::check::{Scheme, author_name};
use crate::rewrite::Place;
use crate::term::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// A loop that is left in order.
pub(super) struct InOrder {
    /// Its variable, as its author calls it.
    pub variable: &'static str,
    /// The places of the loops around it, and around each of its copies.
    pub around: Vec<Place>,
}

/// The loops that run at once neither as a whole nor in part, nor inside of what does, by their places. Parts that only go
/// in lanes leave a loop to one thread.
pub(super) fn in_order(scheme: &Scheme) -> FxHashMap<Place, InOrder> {
    let terms = &scheme.terms;
    let all: Vec<Id> = terms.subterms(scheme.root).collect();
    // How many of those before each are shared out among threads.
    let mut before = vec![0];
    let (mut loops, mut at_once) = (Vec::new(), FxHashSet::default());
    let mut inside_until = 0;
    // The loops around, with where each ends.
    let mut around: Vec<(usize, Option<Place>)> = Vec::new();
    for (number, &id) in all.iter().enumerate() {
        let end = number + terms.size(id);
        let place = terms.span(id).map(Place::from);
        let mut shared = before[number];
        while around.pop_if(|&mut (end, _)| end <= number).is_some() {}
        match operator(terms, id) {
            Some(of @ (Operator::Parallel { .. } | Operator::Launch { .. })) => {
                shared += usize::from(!matches!(of, Operator::Parallel { lanes: Some(_), .. }));
                inside_until = inside_until.max(end);
                at_once.extend(place);
            }
            Some(Operator::For { .. }) if number < inside_until => at_once.extend(place),
            Some(Operator::For { var, .. }) => {
                let left = InOrder {
                    variable: author_name(var),
                    around: around.iter().filter_map(|&(_, place)| place).collect(),
                };
                loops.extend(place.map(|place| (place, left, number, end)));
                around.push((end, place));
            }
            _ => {}
        }
        before.push(shared);
    }
    let in_order = loops.into_iter().filter(|&(place, _, number, end)| {
        before[number] == before[end] && !at_once.contains(&place)
    });
    let mut found: FxHashMap<Place, InOrder> = FxHashMap::default();
    for (place, left, ..) in in_order {
        match found.entry(place) {
            Entry::Vacant(entry) => drop(entry.insert(left)),
            Entry::Occupied(mut copy) => {
                let around = &mut copy.get_mut().around;
                around.retain(|place| left.around.contains(place));
            }
        }
    }
    found
}
