//! Systems of linear constraints over integers: the one solver behind all dependence tests.
//!
//! Equalities are eliminated exactly (greatest common divisors, then changes of variables with
//! determinant one), inequalities by Fourier and Motzkin's method with the constant of each
//! tightened to an integer; what is shown to have no solution has none. It contains the ZIV, SIV,
//! GCD and Banerjee tests as cases. After Pugh, "The Omega test" (1991), sections 2 and 3.1; in place
//! of its dark shadow a solution is looked for, so that "it has one" is shown by the solution.

use std::collections::BTreeMap;

/// A variable of a system.
pub type Var = u32;

/// A linear form: a sum of multiples of variables, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// Coefficients that are not zero.
    pub coefficients: BTreeMap<Var, i128>,
    /// The constant.
    pub constant: i128,
}

/// Values beyond this are not computed with: the answer is "unknown".
const LARGE: i128 = 1 << 100;

impl Linear {
    /// A constant.
    pub fn constant(value: i128) -> Linear {
        Linear {
            coefficients: BTreeMap::new(),
            constant: value,
        }
    }

    /// A variable.
    pub fn var(var: Var) -> Linear {
        Linear {
            coefficients: BTreeMap::from([(var, 1)]),
            constant: 0,
        }
    }

    /// The value, if no variable is in it.
    pub fn as_constant(&self) -> Option<i128> {
        self.coefficients.is_empty().then_some(self.constant)
    }

    /// `self + k * other`.
    pub fn plus(&self, other: &Linear, k: i128) -> Linear {
        let mut sum = self.clone();
        for (&v, &c) in &other.coefficients {
            let entry = sum.coefficients.entry(v).or_insert(0);
            *entry += k * c;
            if *entry == 0 {
                sum.coefficients.remove(&v);
            }
        }
        sum.constant += k * other.constant;
        sum
    }

    /// `k * self`.
    pub fn times(&self, k: i128) -> Linear {
        Linear::default().plus(self, k)
    }

    /// `self` with a variable replaced by a form.
    fn substitute(&self, var: Var, by: &Linear) -> Linear {
        let mut rest = self.clone();
        let count = rest.coefficients.remove(&var).unwrap_or(0);
        rest.plus(by, count)
    }

    /// Its value under an assignment; variables not in it count 0.
    pub fn value(&self, values: &BTreeMap<Var, i128>) -> i128 {
        self.coefficients
            .iter()
            .map(|(v, c)| c * values.get(v).copied().unwrap_or(0))
            .sum::<i128>()
            + self.constant
    }

    fn gcd(&self) -> i128 {
        match self.coefficients.values().any(|c| c.abs() == 1) {
            true => 1,
            false => self.coefficients.values().fold(0, |g, &c| gcd(g, c)),
        }
    }

    /// The form divided by a divisor of its coefficients, its constant rounded down.
    fn divided(self, by: i128) -> Linear {
        if by == 1 {
            return self;
        }
        let coefficients = self.coefficients.into_iter();
        Linear {
            coefficients: coefficients.map(|(v, c)| (v, c / by)).collect(),
            constant: self.constant.div_euclid(by),
        }
    }

    fn is_large(&self) -> bool {
        self.constant.abs() > LARGE || self.coefficients.values().any(|c| c.abs() > LARGE)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

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

    /// Adds what follows of a product whose factors are not negative, one of them a variable that is
    /// at most a constant here.
    pub fn bound_product(&mut self, left: &Linear, right: &Linear, product: &Linear) {
        for (counter, factor) in [(left, right), (right, left)] {
            let opposite = counter.times(-1);
            let above = |f: &&Linear| f.coefficients == opposite.coefficients;
            let most = self.at_least.iter().filter(above).map(|f| f.constant).min();
            let is_variable = counter.coefficients.len() == 1 && counter.constant == 0;
            let Some(most) = most.filter(|_| is_variable) else {
                continue;
            };
            let zero = Linear::constant(0);
            if [counter, factor]
                .iter()
                .all(|f| self.implies_order(&zero, f))
            {
                self.order(&zero, product);
                self.order(product, &factor.times(most));
            }
        }
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
        let Eliminated::Layers { equalities, layers } = eliminated else {
            unreachable!("the other cases have returned");
        };
        let mut budget = SEARCH;
        let mut values = BTreeMap::new();
        if !search(&layers, layers.len(), &mut values, &mut budget) {
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
        /// Variables in the order of elimination.
        layers: Vec<Layer>,
    },
}

impl Eliminated {
    fn of(system: &System) -> Eliminated {
        let mut equal = system.equal.clone();
        let mut at_least = system.at_least.clone();
        let mut next_var = equal
            .iter()
            .chain(&at_least)
            .flat_map(|f| f.coefficients.keys().copied())
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
            let (&var, &c) = form
                .coefficients
                .iter()
                .min_by_key(|(v, c)| (c.abs(), **v))
                .expect("the divisor is not zero, so there is a variable");
            if c.abs() == 1 {
                let mut rest = form.clone();
                rest.coefficients.remove(&var);
                let by = rest.times(-c);
                put(&mut equal, &mut at_least, var, &by);
                equalities.push((var, by));
            } else {
                // With var = new - Σ ⌊cₖ / c⌋ xₖ the other coefficients become remainders.
                let new = next_var;
                next_var += 1;
                let mut by = Linear::var(new);
                for (&v, &k) in &form.coefficients {
                    if v != var {
                        by = by.plus(&Linear::var(v), -k.div_euclid(c));
                    }
                }
                put(&mut equal, &mut at_least, var, &by);
                equal.push(form.substitute(var, &by));
                equalities.push((var, by));
            }
        }
        let mut layers: Vec<Layer> = Vec::new();
        loop {
            let mut tight: Vec<Linear> = Vec::with_capacity(at_least.len());
            for form in at_least {
                let divisor = form.gcd();
                if divisor == 0 {
                    if form.constant < 0 {
                        return Eliminated::Impossible;
                    }
                    continue;
                }
                if form.is_large() {
                    return Eliminated::GaveUp;
                }
                tight.push(form.divided(divisor));
            }
            tight.sort_unstable();
            // Of forms that differ in the constant only, the least says all.
            tight.dedup_by(|b, a| a.coefficients == b.coefficients);
            if tight.len() > MOST {
                return Eliminated::GaveUp;
            }
            let mut counts: BTreeMap<Var, (usize, usize)> = BTreeMap::new();
            for form in &tight {
                for (&v, &c) in &form.coefficients {
                    let entry = counts.entry(v).or_insert((0, 0));
                    if c > 0 {
                        entry.0 += 1;
                    } else {
                        entry.1 += 1;
                    }
                }
            }
            let cost =
                |&(lower, upper): &(usize, usize)| (lower * upper) as i64 - (lower + upper) as i64;
            let Some((&var, _)) = counts.iter().min_by_key(|(v, c)| (cost(c), **v)) else {
                return Eliminated::Layers { equalities, layers };
            };
            let (with, without): (Vec<Linear>, Vec<Linear>) = tight
                .into_iter()
                .partition(|f| f.coefficients.contains_key(&var));
            at_least = without;
            let lower: Vec<&Linear> = with.iter().filter(|f| f.coefficients[&var] > 0).collect();
            let upper: Vec<&Linear> = with.iter().filter(|f| f.coefficients[&var] < 0).collect();
            for l in &lower {
                for u in &upper {
                    let (a, b) = (l.coefficients[&var], -u.coefficients[&var]);
                    at_least.push(l.times(b).plus(u, a));
                }
            }
            layers.push((var, with));
        }
    }
}

/// Puts a form in the place of a variable.
fn put(equal: &mut [Linear], at_least: &mut [Linear], var: Var, by: &Linear) {
    let all = equal.iter_mut().chain(at_least.iter_mut());
    for form in all.filter(|f| f.coefficients.contains_key(&var)) {
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
        let c = form.coefficients[var];
        let mut rest = form.clone();
        rest.coefficients.remove(var);
        let value = rest.value(values);
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
        Linear {
            coefficients: coefficients.iter().copied().collect(),
            constant,
        }
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
