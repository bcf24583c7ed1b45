//! Elimination of the variables of a system of linear constraints, and a search for values of those that were eliminated.

use super::form::{Linear, Var};
use super::linear::System;
use std::collections::BTreeMap;

/// Inequalities beyond this number are not handled.
const MOST: usize = 400;
/// Values tried for each variable when a solution is looked for.
const TRIES: i128 = 3;

/// A variable with the inequalities that bound it by variables eliminated after it.
pub(super) type Layer = (Var, Vec<Linear>);

pub(super) enum Eliminated {
    Impossible,
    GaveUp,
    Layers {
        /// Variables given by forms over the others, in the order of elimination.
        equalities: Vec<(Var, Linear)>,
        /// Variables in the order of elimination, of each part of the inequalities that shares none with the others.
        parts: Vec<Vec<Layer>>,
    },
}

impl Eliminated {
    /// Eliminates equalities first, then inequalities, of which parts that share no variable are apart.
    pub fn of(system: &System) -> Eliminated {
        let [mut equal, mut at_least] = system.forms().map(<[Linear]>::to_vec);
        let mut next_var = equal
            .iter()
            .chain(&at_least)
            .flat_map(Linear::variables)
            .max()
            .map_or(0, |v| v + 1);
        let mut equalities = Vec::new();
        while let Some(form) = equal.pop() {
            let divisor = form.gcd();
            if divisor == 0 {
                if form.constant != 0 {
                    return Eliminated::Impossible;
                }
                continue;
            }
            if form.constant % divisor != 0 {
                return Eliminated::Impossible;
            }
            let form = form.divided(divisor);
            if form.is_large() {
                return Eliminated::GaveUp;
            }
            let (var, c) = form
                .parts()
                .min_by_key(|(v, c)| (c.abs(), *v))
                .expect("the divisor is not zero, so there is a variable");
            if c.abs() == 1 {
                let by = form.without(var).times(-c);
                put(&mut equal, &mut at_least, var, &by);
                equalities.push((var, by));
            } else {
                // With var = new - Σ ⌊cₖ / c⌋ xₖ the other coefficients become remainders.
                let new = next_var;
                next_var += 1;
                let mut by = Linear::var(new);
                for (v, k) in form.parts() {
                    if v != var {
                        by = by.plus(&Linear::var(v), -k.div_euclid(c));
                    }
                }
                put(&mut equal, &mut at_least, var, &by);
                equal.push(form.substitute(var, &by));
                equalities.push((var, by));
            }
        }
        // As many systems without a solution say by now: two iterations that are equal and not.
        let is_false = |form: &Linear| form.constant < 0 && form.variables().next().is_none();
        if at_least.iter().any(is_false) {
            return Eliminated::Impossible;
        }
        let mut parts = Vec::new();
        let mut gave_up = false;
        for forms in apart(at_least, next_var) {
            match layers(forms) {
                Ok(layers) => parts.push(layers),
                Err(End::Impossible) => return Eliminated::Impossible,
                Err(End::GaveUp) => gave_up = true,
            }
        }
        match gave_up {
            true => Eliminated::GaveUp,
            false => Eliminated::Layers { equalities, parts },
        }
    }
}

/// Why an elimination ends early.
enum End {
    Impossible,
    GaveUp,
}

/// Eliminates the variables of inequalities.
fn layers(mut forms: Vec<Linear>) -> Result<Vec<Layer>, End> {
    let mut tight = Tight::new(&forms);
    let mut layers = Vec::new();
    loop {
        tight.add(forms)?;
        let Some(var) = tight.next() else {
            return Ok(layers);
        };
        let with = tight.take(var);
        forms = Vec::new();
        for l in with.iter().filter(|f| f.of(var) > 0) {
            for u in with.iter().filter(|f| f.of(var) < 0) {
                let (a, b) = (l.of(var), -u.of(var));
                forms.push(l.times(b).plus(u, a));
            }
        }
        layers.push((var, with));
    }
}

/// Forms in parts that share no variable, each in the order in which it was. Loops in loops have bounds of their own as a
/// rule, so that the cost is that of each loop alone. Forms without variables are a part.
fn apart(forms: Vec<Linear>, variables: Var) -> Vec<Vec<Linear>> {
    // The variable that stands for all with which a variable is joined: the last one of a chain.
    let mut joined: Vec<Var> = (0..variables).collect();
    fn last(joined: &mut [Var], mut var: Var) -> Var {
        while joined[var as usize] != var {
            let next = joined[var as usize];
            joined[var as usize] = joined[next as usize];
            var = next;
        }
        var
    }
    for form in &forms {
        let mut own = form.variables();
        let Some(first) = own.next() else { continue };
        let first = last(&mut joined, first);
        for var in own {
            let other = last(&mut joined, var);
            joined[other as usize] = first;
        }
    }
    let mut places = vec![None; variables as usize];
    let mut constant = None;
    let mut parts: Vec<Vec<Linear>> = Vec::new();
    for form in forms {
        let place = match form.variables().next() {
            Some(var) => &mut places[last(&mut joined, var) as usize],
            None => &mut constant,
        };
        let place = *place.get_or_insert(parts.len());
        if place == parts.len() {
            parts.push(Vec::new());
        }
        parts[place].push(form);
    }
    parts
}

/// Inequalities whose coefficients have no common divisor, in order. Of those that differ in the constant only, the
/// least says all.
struct Tight {
    forms: Vec<Linear>,
    /// The variables in order, and how many forms bound each from below, and from above.
    counts: Vec<(Var, (usize, usize))>,
}

impl Tight {
    /// None yet, for forms in these variables.
    fn new(forms: &[Linear]) -> Tight {
        let mut variables: Vec<Var> = forms.iter().flat_map(Linear::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        Tight {
            forms: Vec::new(),
            counts: variables.into_iter().map(|var| (var, (0, 0))).collect(),
        }
    }

    /// Adds forms that are not negative, unless one of them ends the elimination.
    fn add(&mut self, forms: Vec<Linear>) -> Result<(), End> {
        for form in forms {
            let divisor = form.gcd();
            if divisor == 0 {
                if form.constant < 0 {
                    return Err(End::Impossible);
                }
                continue;
            }
            if form.is_large() {
                return Err(End::GaveUp);
            }
            let form = form.divided(divisor);
            match self.forms.binary_search_by(|f| f.compare_parts(&form)) {
                Ok(place) => {
                    let known = &mut self.forms[place];
                    known.constant = known.constant.min(form.constant);
                }
                Err(place) => {
                    for (var, count) in form.parts() {
                        *self.count(var, count) += 1;
                    }
                    self.forms.insert(place, form);
                }
            }
        }
        match self.forms.len() > MOST {
            true => Err(End::GaveUp),
            false => Ok(()),
        }
    }

    /// The number of forms with a coefficient of this sign.
    fn count(&mut self, var: Var, coefficient: i128) -> &mut usize {
        let place = self.counts.partition_point(|known| known.0 < var);
        let (_, (lower, upper)) = &mut self.counts[place];
        if coefficient > 0 { lower } else { upper }
    }

    /// The variable that is eliminated at the least cost.
    fn next(&self) -> Option<Var> {
        let cost =
            |&(lower, upper): &(usize, usize)| (lower * upper) as i64 - (lower + upper) as i64;
        let left = self.counts.iter().filter(|(_, count)| *count != (0, 0));
        let least = left.min_by_key(|(var, count)| (cost(count), *var));
        least.map(|&(var, _)| var)
    }

    /// Takes out the forms in which a variable is.
    fn take(&mut self, var: Var) -> Vec<Linear> {
        let forms = std::mem::take(&mut self.forms).into_iter();
        let (with, without): (Vec<Linear>, Vec<Linear>) = forms.partition(|form| form.of(var) != 0);
        self.forms = without;
        for (var, count) in with.iter().flat_map(Linear::parts) {
            *self.count(var, count) -= 1;
        }
        with
    }
}

/// Puts a form in the place of a variable.
fn put(equal: &mut [Linear], at_least: &mut [Linear], var: Var, by: &Linear) {
    let all = equal.iter_mut().chain(at_least.iter_mut());
    for form in all.filter(|f| f.of(var) != 0) {
        *form = form.substitute(var, by);
    }
}

/// Gives values to the variables of the layers, last eliminated first.
pub(super) fn search(
    layers: &[Layer],
    count: usize,
    values: &mut BTreeMap<Var, i128>,
    budget: &mut usize,
) -> bool {
    let Some((var, forms)) = count.checked_sub(1).map(|k| &layers[k]) else {
        return true;
    };
    let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
    for form in forms {
        let c = form.of(*var);
        let value = form.without(*var).value(values);
        if c > 0 {
            let bound = (-value).div_euclid(c) + i128::from((-value).rem_euclid(c) != 0);
            low = Some(low.map_or(bound, |l| l.max(bound)));
        } else {
            let bound = value.div_euclid(-c);
            high = Some(high.map_or(bound, |h| h.min(bound)));
        }
    }
    let candidates: Vec<i128> = match (low, high) {
        (Some(l), Some(h)) => {
            let mut all: Vec<i128> = (l..=h).take(TRIES as usize).collect();
            all.extend((l.max(h - TRIES + 1)..=h).rev().filter(|v| *v >= l + TRIES));
            all
        }
        (Some(l), None) => (l.max(0)..l.max(0) + TRIES).collect(),
        (None, Some(h)) => (0..TRIES).map(|k| h.min(TRIES) - k).collect(),
        (None, None) => (0..TRIES).collect(),
    };
    for candidate in candidates {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        values.insert(*var, candidate);
        if search(layers, count - 1, values, budget) {
            return true;
        }
    }
    values.remove(var);
    false
}
