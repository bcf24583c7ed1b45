//! Systems of linear constraints over integers: the one solver behind all dependence tests.
//!
//! Equalities are eliminated exactly (greatest common divisors, then changes of variables with
//! determinant one), inequalities by Fourier and Motzkin's method with the constant of each
//! tightened to an integer (`eliminated.rs`); what is shown to have no solution has none. It contains the ZIV, SIV,
//! GCD and Banerjee tests as cases. After Pugh, "The Omega test" (1991), sections 2 and 3.1; in place
//! of its dark shadow a solution is looked for, so that "it has one" is shown by the solution.

use super::answers;
use super::eliminated::{Eliminated, Layer, search};
use super::form::{Linear, Var};
use rustc_hash::FxHashSet;
use std::cell::Cell;
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

/// A conjunction of constraints. They are added, and never changed or taken away: what was shown of so many of them holds.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Forms that are zero.
    equal: Vec<Linear>,
    /// Forms that are not negative.
    at_least: Vec<Linear>,
    /// Quotients and remainders of which it was shown that the dividend is not negative.
    with_dividends_not_negative: Vec<Var>,
    /// Whether there was no solution when it had so many constraints.
    impossible: Cell<Option<(usize, usize, bool)>>,
}

/// Steps of the search for a solution.
const SEARCH: usize = 3000;

impl System {
    /// The forms that are zero, and those that are not negative.
    pub fn forms(&self) -> [&[Linear]; 2] {
        [&self.equal, &self.at_least]
    }

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
        let mut opposite = b.plus(a, -1).times(-1);
        opposite.constant -= 1;
        self.excludes(opposite)
    }

    /// Whether there is no solution in which a form is not negative. Constraints that share no variable with it, not even by
    /// others, are asked about once for all forms.
    fn excludes(&self, form: Linear) -> bool {
        let mut joined = self.joined_with(&form);
        joined.at_least.push(form);
        joined.is_impossible() || self.is_impossible()
    }

    /// The constraints that share a variable with a form, or with others of them.
    fn joined_with(&self, form: &Linear) -> System {
        let mut variables: FxHashSet<Var> = form.variables().collect();
        let all = self.equal.iter().chain(&self.at_least);
        let mut left: Vec<(usize, &Linear)> = all.enumerate().collect();
        let mut joined = Vec::new();
        loop {
            let before = left.len();
            left.retain(|&(number, form)| {
                let is_joined = form.variables().any(|var| variables.contains(&var));
                if is_joined {
                    variables.extend(form.variables());
                    joined.push(number);
                }
                !is_joined
            });
            if left.len() == before {
                break;
            }
        }
        joined.sort_unstable();
        let mut system = System::default();
        for number in joined {
            match number.checked_sub(self.equal.len()) {
                None => system.equal.push(self.equal[number].clone()),
                Some(number) => system.at_least.push(self.at_least[number].clone()),
            }
        }
        system
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
        let mut negative = dividend.times(-1);
        negative.constant -= 1;
        let is_shown = self.excludes(negative);
        let shown = is_shown.then_some(part);
        self.with_dividends_not_negative.extend(shown);
        is_shown
    }

    /// Whether there is no solution. "No" means that none was excluded, not that there is one.
    pub fn is_impossible(&self) -> bool {
        let (equal, at_least) = (self.equal.len(), self.at_least.len());
        match self.impossible.get() {
            Some((a, b, is)) if (a, b) == (equal, at_least) => is,
            _ => {
                let find = || matches!(Eliminated::of(self), Eliminated::Impossible);
                let is = answers::is_impossible(self, find);
                self.impossible.set(Some((equal, at_least, is)));
                is
            }
        }
    }

    /// Solves the system.
    pub fn solve(&self) -> Solution {
        answers::solution(self, || self.find_solution())
    }

    fn find_solution(&self) -> Solution {
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
    /// A number below a bound, from the one before.
    fn next(state: &mut u64, bound: u64) -> u64 {
        *state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*state >> 33) % bound
    }

    /// Whether a form of few variables is 0, or not negative, for some values from -3 to 3 of all.
    fn has_values(system: &System, variables: Var) -> bool {
        (0..7i128.pow(variables)).any(|number| {
            let value = |var: Var| (var, number / 7i128.pow(var) % 7 - 3);
            let values: BTreeMap<Var, i128> = (0..variables).map(value).collect();
            system.equal.iter().all(|f| f.value(&values) == 0)
                && system.at_least.iter().all(|f| f.value(&values) >= 0)
        })
    }

    /// Some forms, each in one or two variables of the first or of the last half.
    fn random(state: &mut u64, variables: Var, count: u64) -> Vec<Linear> {
        let forms = (0..count).map(|_| {
            let half = u64::from(variables / 2);
            let first = next(state, 2) * half;
            let parts = (0..=next(state, 2)).map(|_| {
                let var = (first + next(state, half)) as Var;
                (var, i128::from(next(state, 7)) - 3)
            });
            let parts: Vec<(Var, i128)> = parts.collect();
            form(&parts, i128::from(next(state, 9)) - 4)
        });
        forms.collect()
    }

    #[test]
    fn parts_that_share_no_variable_are_solved_as_the_whole() {
        const VARIABLES: Var = 4;
        let mut state = 1;
        let (mut none, mut found) = (0, 0);
        for _ in 0..3000 {
            let (equal, more) = (next(&mut state, 2), next(&mut state, 4));
            let mut system = System {
                equal: random(&mut state, VARIABLES, equal),
                at_least: random(&mut state, VARIABLES, more),
                ..System::default()
            };
            for v in 0..VARIABLES {
                system.order(&Linear::constant(-3), &Linear::var(v));
                system.order(&Linear::var(v), &Linear::constant(3));
            }
            let has_values = has_values(&system, VARIABLES);
            match system.solve() {
                Solution::None => {
                    none += 1;
                    assert!(!has_values, "{system:?}");
                }
                Solution::Found(_) => {
                    found += 1;
                    assert!(has_values, "{system:?}");
                }
                Solution::Unknown => {}
            }
            // What is asked of the part that a form is joined with is what is asked of the whole.
            let pair = random(&mut state, VARIABLES, 2);
            let mut opposite = system.clone();
            opposite.order_strictly(&pair[1], &pair[0]);
            assert_eq!(
                system.implies_order(&pair[0], &pair[1]),
                opposite.is_impossible(),
                "{pair:?} in {system:?}"
            );
        }
        assert!(
            none > 300 && found > 300,
            "{none} without values, {found} with some"
        );
    }
}
