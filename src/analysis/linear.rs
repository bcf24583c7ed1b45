//! Systems of linear constraints over integers: the one solver behind all dependence tests.
//!
//! Equalities are eliminated exactly (greatest common divisors, then changes of variables with
//! determinant one), inequalities by Fourier and Motzkin's method with the constant of each
//! tightened to an integer; what is shown to have no solution has none. It contains the ZIV, SIV,
//! GCD and Banerjee tests as cases. After Pugh, "The Omega test" (1991), sections 2 and 3.1; in place
//! of its dark shadow a solution is looked for, so that "it has one" is shown by the solution.

use super::form::{Linear, Var};
use std::collections::BTreeMap;

/// What is known of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// It has no integer solution.
    None,
    /// It has this one.
    Found(BTreeMap<Var, i128>),
    /// Neither was shown.
    Unknown,
}

/// A conjunction of constraints.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Forms that are zero.
    pub equal: Vec<Linear>,
    /// Forms that are not negative.
    pub at_least: Vec<Linear>,
    /// Quotients and remainders of which it was shown that the dividend is not negative.
    with_dividends_not_negative: Vec<Var>,
}

/// Inequalities beyond this number are not handled.
const MOST: usize = 400;
/// Values tried for each variable when a solution is looked for.
const TRIES: i128 = 3;
/// Steps of the search for a solution.
const SEARCH: usize = 3000;

impl System {
    /// Requires `a = b`.
    pub fn equate(&mut self, a: &Linear, b: &Linear) {
        self.equal.push(a.plus(b, -1));
    }

    /// Requires `a <= b`.
    pub fn order(&mut self, a: &Linear, b: &Linear) {
        self.at_least.push(b.plus(a, -1));
    }

    /// Requires `a < b`.
    pub fn order_strictly(&mut self, a: &Linear, b: &Linear) {
        let mut form = b.plus(a, -1);
        form.constant -= 1;
        self.at_least.push(form);
    }

    /// Adds what follows of a product whose factors are not negative: it is not, either, and where one of them is a
    /// variable that is at most a constant here, it is at most so many times the other one.
    pub fn bound_product(&mut self, left: &Linear, right: &Linear, product: &Linear) {
        let zero = Linear::constant(0);
        if ![left, right].iter().all(|f| self.implies_order(&zero, f)) {
            return;
        }
        self.order(&zero, product);
        for (counter, factor) in [(left, right), (right, left)] {
            if let Some(most) = self.constant_above(counter) {
                self.order(product, &factor.times(most));
            }
        }
    }

    /// The least constant here that a variable is at most, or that one is to which the variable is equal but for a constant.
    fn constant_above(&self, counter: &Linear) -> Option<i128> {
        let mut variables = counter.variables();
        let (Some(var), None) = (variables.next(), variables.next()) else {
            return None;
        };
        if counter.constant != 0 || counter.of(var) != 1 {
            return None;
        }
        let equal = self.equal.iter().filter_map(|e| match e.of(var) {
            a @ (1 | -1) => Some(counter.plus(e, -a)),
            _ => None,
        });
        let forms: Vec<Linear> = std::iter::once(counter.clone()).chain(equal).collect();
        let limits = self
            .at_least
            .iter()
            .flat_map(|f| forms.iter().map(|form| f.plus(form, 1)));
        limits.filter_map(|limit| limit.as_constant()).min()
    }

    /// Whether `a <= b` follows.
    pub fn implies_order(&self, a: &Linear, b: &Linear) -> bool {
        let mut opposite = self.clone();
        opposite.order_strictly(b, a);
        opposite.is_impossible()
    }

    /// Adds another system's constraints.
    pub fn add(&mut self, other: &System) {
        self.equal.extend(other.equal.iter().cloned());
        self.at_least.extend(other.at_least.iter().cloned());
    }

    /// The constraints of both.
    pub fn with(&self, other: &System) -> System {
        let mut both = self.clone();
        both.add(other);
        both
    }

    /// Whether the dividend of a quotient or a remainder, which a variable stands for, is shown not to be negative.
    /// What was shown once holds whatever is added to the system.
    pub fn shows_dividend_not_negative(&mut self, part: Var, dividend: &Linear) -> bool {
        if self.with_dividends_not_negative.contains(&part) {
            return true;
        }
        let mut negative = self.clone();
        negative.order(dividend, &Linear::constant(-1));
        let is_shown = negative.is_impossible();
        let shown = is_shown.then_some(part);
        self.with_dividends_not_negative.extend(shown);
        is_shown
    }

    /// Whether there is no solution. "No" means that none was excluded, not that there is one.
    pub fn is_impossible(&self) -> bool {
        matches!(Eliminated::of(self), Eliminated::Impossible)
    }

    /// Solves the system.
    pub fn solve(&self) -> Solution {
        let eliminated = match Eliminated::of(self) {
            Eliminated::Impossible => return Solution::None,
            Eliminated::GaveUp => return Solution::Unknown,
            eliminated => eliminated,
        };
        let Eliminated::Layers { equalities, parts } = eliminated else {
            unreachable!("the other cases have returned");
        };
        let mut budget = SEARCH;
        let mut values = BTreeMap::new();
        let mut found =
            |layers: &Vec<Layer>| search(layers, layers.len(), &mut values, &mut budget);
        if !parts.iter().all(&mut found) {
            return Solution::Unknown;
        }
        for (var, form) in equalities.iter().rev() {
            let value = form.value(&values);
            values.insert(*var, value);
        }
        let holds = self.equal.iter().all(|f| f.value(&values) == 0)
            && self.at_least.iter().all(|f| f.value(&values) >= 0);
        if holds {
            Solution::Found(values)
        } else {
            Solution::Unknown
        }
    }
}

/// A variable with the inequalities that bound it by variables eliminated after it.
type Layer = (Var, Vec<Linear>);

enum Eliminated {
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
    fn of(system: &System) -> Eliminated {
        let mut equal = system.equal.clone();
        let mut at_least = system.at_least.clone();
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
fn search(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn form(coefficients: &[(Var, i128)], constant: i128) -> Linear {
        let mut form = Linear::constant(constant);
        for &(var, count) in coefficients {
            form = form.plus(&Linear::var(var), count);
        }
        form
    }

    #[test]
    fn greatest_common_divisors_exclude() {
        // 2 x + 4 y = 7
        let system = System {
            equal: vec![form(&[(0, 2), (1, 4)], -7)],
            at_least: vec![],
            ..System::default()
        };
        assert_eq!(system.solve(), Solution::None);
    }

    #[test]
    fn bounds_exclude() {
        // x = y + 10 with 0 <= x, y <= 9
        let mut system = System::default();
        system.equate(&form(&[(0, 1)], 0), &form(&[(1, 1)], 10));
        for v in 0..2 {
            system.order(&Linear::constant(0), &Linear::var(v));
            system.order(&Linear::var(v), &Linear::constant(9));
        }
        assert_eq!(system.solve(), Solution::None);
    }

    #[test]
    fn solutions_solve() {
        // 7 x + 12 y = 1, x > 20
        let mut system = System {
            equal: vec![form(&[(0, 7), (1, 12)], -1)],
            at_least: vec![],
            ..System::default()
        };
        system.order_strictly(&Linear::constant(20), &Linear::var(0));
        let Solution::Found(values) = system.solve() else {
            panic!("there is a solution");
        };
        assert_eq!(7 * values[&0] + 12 * values[&1], 1);
        assert!(values[&0] > 20);
    }

    #[test]
    fn products_are_bounded_by_their_factors() {
        // 0 <= x <= 3, y >= 0, p = x y: p <= 3 y, but not p <= 2 y, and nothing where y may be negative.
        let (x, y, p) = (Linear::var(0), Linear::var(1), Linear::var(2));
        let zero = Linear::constant(0);
        let mut system = System::default();
        system.order(&zero, &x);
        system.order(&x, &Linear::constant(3));
        let mut open = system.clone();
        open.bound_product(&x, &y, &p);
        assert!(!open.implies_order(&zero, &p));
        system.order(&zero, &y);
        system.bound_product(&y, &x, &p);
        assert!(system.implies_order(&zero, &p));
        assert!(system.implies_order(&p, &y.times(3)));
        assert!(!system.implies_order(&p, &y.times(2)));
    }

    #[test]
    fn integers_between_are_seen() {
        // 3 <= 2 x <= 3 has no integer solution, though a rational one.
        let system = System {
            equal: vec![],
            at_least: vec![form(&[(0, 2)], -3), form(&[(0, -2)], 3)],
            ..System::default()
        };
        assert_eq!(system.solve(), Solution::None);
    }
}
