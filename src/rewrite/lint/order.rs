//! The lexicographic path order (Kamin and Lévy 1980): whether one term is above another one, for a
//! precedence in which a functor stands above those that its rules make.

use super::Shape;
use crate::term::{Head, Id, Symbol, Terms};

/// Whether `left` is above `right`, for all values of their variables.
pub(super) fn descends(terms: &Terms, shapes: &[Shape], left: Id, right: Id) -> bool {
    Order { terms, shapes }.above(left, right)
}

struct Order<'a> {
    terms: &'a Terms,
    shapes: &'a [Shape],
}

impl Order<'_> {
    fn above(&self, a: Id, b: Id) -> bool {
        let terms = self.terms;
        if terms.equal(a, b) {
            return false;
        }
        let (Head::Variable(_) | Head::Sequence(_)) = terms.head(b) else {
            let args = terms.args(a);
            if args
                .iter()
                .any(|&part| terms.equal(part, b) || self.above(part, b))
            {
                return true;
            }
            let below = || terms.args(b).iter().all(|&part| self.above(a, part));
            return match (terms.functor(a), terms.functor(b)) {
                // Numbers and texts stand below everything.
                (Some(_), None) => true,
                (Some(f), Some(g)) if f == g => self.first_above(a, b) && below(),
                (Some(f), Some(g)) => self.makes(f, g) && !self.makes(g, f) && below(),
                (None, _) => false,
            };
        };
        terms.subterms(a).skip(1).any(|part| terms.equal(part, b))
    }

    /// Of two terms with one functor: the first arguments that differ, from the left.
    fn first_above(&self, a: Id, b: Id) -> bool {
        let terms = self.terms;
        // What a sequence variable stands for moves what comes after it.
        let shifts = |id: Id| matches!(terms.head(id), Head::Sequence(_));
        for (&x, &y) in terms.args(a).iter().zip(terms.args(b)) {
            if !terms.equal(x, y) {
                return !shifts(x) && !shifts(y) && self.above(x, y);
            }
        }
        false
    }

    /// Whether rules for `f` make `g`, directly or by what they make.
    fn makes(&self, f: Symbol, g: Symbol) -> bool {
        let mut seen = vec![f];
        let mut at = 0;
        while at < seen.len() {
            let of = |s: &&Shape| self.terms.functor(s.left) == Some(seen[at]);
            let rights: Vec<Id> = self
                .shapes
                .iter()
                .filter(of)
                .flat_map(|s| s.rights.clone())
                .collect();
            for right in rights {
                for made in self
                    .terms
                    .subterms(right)
                    .filter_map(|t| self.terms.functor(t))
                {
                    if made == g {
                        return true;
                    }
                    if !seen.contains(&made) {
                        seen.push(made);
                    }
                }
            }
            at += 1;
        }
        false
    }
}
