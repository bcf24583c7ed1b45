//! Linear forms: sums of multiples of variables, and a constant.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A variable of a system.
pub type Var = u32;

/// A linear form. Most have one to four variables, so that a sorted list holds them better than a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// The variables in order, each with its coefficient, which is not zero.
    parts: Vec<(Var, i128)>,
    /// The constant.
    pub constant: i128,
}

/// Values beyond this are not computed with: the answer is "unknown".
const LARGE: i128 = 1 << 100;

impl Linear {
    /// A constant.
    pub fn constant(value: i128) -> Linear {
        Linear {
            parts: Vec::new(),
            constant: value,
        }
    }

    /// A variable.
    pub fn var(var: Var) -> Linear {
        Linear {
            parts: vec![(var, 1)],
            constant: 0,
        }
    }

    /// The value, if no variable is in it.
    pub fn as_constant(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// Its variables in order, each with its coefficient, which is not zero.
    pub fn parts(&self) -> impl Iterator<Item = (Var, i128)> {
        self.parts.iter().copied()
    }

    /// Its variables in order.
    pub fn variables(&self) -> impl Iterator<Item = Var> {
        self.parts.iter().map(|&(var, _)| var)
    }

    /// The coefficient of a variable; 0 of one that is not in it.
    pub fn of(&self, var: Var) -> i128 {
        let found = self.parts.iter().find(|part| part.0 == var);
        found.map_or(0, |part| part.1)
    }

    /// Whether two forms differ in the constant at most.
    pub fn varies_as(&self, other: &Linear) -> bool {
        self.parts == other.parts
    }

    /// An order of forms by what they have of variables.
    pub fn compare_parts(&self, other: &Linear) -> Ordering {
        self.parts.cmp(&other.parts)
    }

    /// `self + k * other`.
    pub fn plus(&self, other: &Linear, k: i128) -> Linear {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let mut own = self.parts.iter().copied().peekable();
        for &(var, count) in &other.parts {
            while let Some(part) = own.next_if(|part| part.0 < var) {
                parts.push(part);
            }
            let here = own.next_if(|part| part.0 == var);
            let sum = here.map_or(0, |part| part.1) + k * count;
            if sum != 0 {
                parts.push((var, sum));
            }
        }
        parts.extend(own);
        Linear {
            parts,
            constant: self.constant + k * other.constant,
        }
    }

    /// `k * self`.
    pub fn times(&self, k: i128) -> Linear {
        Linear::default().plus(self, k)
    }

    /// Without what it has of a variable.
    pub fn without(&self, var: Var) -> Linear {
        let parts = self.parts.iter().copied();
        Linear {
            parts: parts.filter(|part| part.0 != var).collect(),
            constant: self.constant,
        }
    }

    /// `self` with a variable replaced by a form.
    pub fn substitute(&self, var: Var, by: &Linear) -> Linear {
        self.without(var).plus(by, self.of(var))
    }

    /// Its value under an assignment; variables not in it count 0.
    pub fn value(&self, values: &BTreeMap<Var, i128>) -> i128 {
        let parts = self.parts.iter();
        let value = |&(var, count): &(Var, i128)| count * values.get(&var).copied().unwrap_or(0);
        parts.map(value).sum::<i128>() + self.constant
    }

    /// The greatest common divisor of its coefficients; 0 of a constant.
    pub fn gcd(&self) -> i128 {
        match self.parts.iter().any(|part| part.1.abs() == 1) {
            true => 1,
            false => self.parts.iter().fold(0, |g, part| gcd(g, part.1)),
        }
    }

    /// The form divided by a divisor of its coefficients, its constant rounded down.
    pub fn divided(mut self, by: i128) -> Linear {
        if by == 1 {
            return self;
        }
        self.parts.iter_mut().for_each(|part| part.1 /= by);
        self.constant = self.constant.div_euclid(by);
        self
    }

    /// Whether a number in it is too large to go on with.
    pub fn is_large(&self) -> bool {
        self.constant.abs() > LARGE || self.parts.iter().any(|part| part.1.abs() > LARGE)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_variables_in_order_and_drop_those_that_cancel() {
        let [x, y, z] = [0, 1, 2].map(Linear::var);
        let sum = z.plus(&x, 2).plus(&y, -3);
        assert_eq!(sum.parts().collect::<Vec<_>>(), [(0, 2), (1, -3), (2, 1)]);
        let rest = sum.plus(&y, 3);
        assert_eq!(rest.variables().collect::<Vec<_>>(), [0, 2]);
        assert_eq!((rest.of(0), rest.of(1)), (2, 0));
        assert_eq!(rest.without(2), x.times(2));
        assert_eq!(sum.substitute(1, &z), rest.plus(&z, -3));
        assert_eq!(sum.times(0), Linear::constant(0));
    }
}
