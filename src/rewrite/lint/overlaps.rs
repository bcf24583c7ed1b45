//! Overlaps of rules, and whether the two results meet again (Knuth and Bendix 1970).

use super::unify::{Unified, is_plain, renamed, unify};
use super::{Shape, shape};
use crate::diagnostic::Diagnostic;
use crate::rewrite::specificity::{more_specific, subsumes};
use crate::rewrite::system::{Limits, reduce};
use crate::rewrite::{Order, RuleBase, System};
use crate::syntax::rules::print_term_short;
use crate::term::{Head, Id, Path, Symbol, Terms};

/// Rewriting of the two results of an overlap is given up after so many steps.
const MOST_STEPS: u64 = 2_000;

/// What is known of the overlaps of a set of rules.
#[derive(Clone, Debug, Default)]
pub struct Overlaps {
    /// Pairs of terms that one term becomes by two rules.
    pub all: usize,
    /// Those that are rewritten to the same.
    pub meeting: usize,
    /// Those of two rules for one term, the more specific of which is always taken.
    pub ordered: usize,
    /// Pairs of rules with sequences, sets or computed results that may overlap, and are not looked at.
    pub unseen: usize,
}

/// Finds the overlaps of a system, and tells of those whose results do not meet.
pub(super) fn overlaps(base: &RuleBase, system: &System, told: &mut Vec<Diagnostic>) -> Overlaps {
    let mut found = Overlaps::default();
    let mut terms = base.terms.clone();
    for (at, &outer) in system.rules.iter().enumerate() {
        for (other, &inner) in system.rules.iter().enumerate() {
            let places = terms.subterms(base.rules[outer].pattern).count();
            for place in 0..places {
                // Two rules overlap at the root of both once, and a rule with itself not at all.
                if place == 0 && other <= at {
                    continue;
                }
                let pair = Pair {
                    outer,
                    inner,
                    place,
                };
                pair.judge(base, system, &mut terms, &mut found, told);
            }
        }
    }
    found
}

struct Pair {
    outer: usize,
    inner: usize,
    /// The subterm of the outer pattern where both overlap, by its number.
    place: usize,
}

impl Pair {
    fn judge(
        &self,
        base: &RuleBase,
        system: &System,
        terms: &mut Terms,
        found: &mut Overlaps,
        told: &mut Vec<Diagnostic>,
    ) {
        let (outer, inner) = (&base.rules[self.outer], &base.rules[self.inner]);
        if outer.is_modulo || inner.is_modulo {
            // Unification knows no laws of operators.
            found.unseen += 1;
            return;
        }
        let part = terms.subterms(outer.pattern).nth(self.place);
        let Some(part) =
            part.filter(|&p| !matches!(terms.head(p), Head::Variable(_) | Head::Sequence(_)))
        else {
            return;
        };
        let pattern = renamed(terms, inner.pattern, "'");
        let substitution = match unify(terms, part, pattern) {
            Unified::No => return,
            Unified::Unknown => {
                found.unseen += 1;
                return;
            }
            Unified::Yes(substitution) => substitution,
        };
        if self.place == 0 && self.is_ordered(base) {
            found.all += 1;
            found.ordered += 1;
            return;
        }
        let outers = shape(base, self.outer, terms);
        let inners = shape(base, self.inner, terms);
        let usable = |s: &Shape| !s.computes && s.results.iter().all(|&r| is_plain(terms, r));
        if !usable(&outers) || !usable(&inners) {
            found.unseen += 1;
            return;
        }
        let path = path_to(terms, outer.pattern, self.place);
        let whole = substitution.fill(terms, outer.pattern);
        for &left in &outers.results {
            for &right in &inners.results {
                let one = substitution.fill(terms, left);
                let right = renamed(terms, right, "'");
                let right = substitution.fill(terms, right);
                let Some(two) = path.replace(terms, whole, right) else {
                    continue;
                };
                found.all += 1;
                if meet(base, system, terms, one, two) {
                    found.meeting += 1;
                    continue;
                }
                told.push(self.tell(base, terms, whole, one, two));
            }
        }
    }

    /// Whether it is plain which of the two rules is taken where both apply: the more specific one,
    /// or the only one that may be, as the other one is hidden, which is told by itself.
    fn is_ordered(&self, base: &RuleBase) -> bool {
        let mut terms = base.terms.clone();
        let (outer, inner) = (&base.rules[self.outer], &base.rules[self.inner]);
        let conditions = outer.is_conditional() && inner.is_conditional();
        more_specific(&mut terms, outer, inner)
            || more_specific(&mut terms, inner, outer)
            || !conditions && subsumes(&mut terms, outer, inner)
    }

    fn tell(&self, base: &RuleBase, terms: &Terms, whole: Id, one: Id, two: Id) -> Diagnostic {
        let (outer, inner) = (&base.rules[self.outer], &base.rules[self.inner]);
        let shown = |id| print_term_short(terms, id, 120);
        let message = format!(
            "`{}` and `{}` overlap, and their results do not meet: `{}` becomes `{}` by the first and `{}` by the second",
            outer.name,
            inner.name,
            shown(whole),
            shown(one),
            shown(two)
        );
        let conditions = outer.is_conditional() || inner.is_conditional();
        let hint = match conditions {
            true => "make their conditions exclude each other, or one pattern more specific",
            false => "make one pattern more specific, or let both lead to the same term",
        };
        Diagnostic::note("N0353", message)
            .at(outer.span)
            .also(Some(inner.span), "the second rule")
            .hint(hint)
    }
}

/// The position of the subterm with a number.
fn path_to(terms: &Terms, root: Id, place: usize) -> Path {
    // `subterms` goes through a term from the top, the first argument first.
    fn find(terms: &Terms, id: Id, wanted: usize, number: &mut usize, path: &mut Vec<u32>) -> bool {
        if *number == wanted {
            return true;
        }
        *number += 1;
        for (i, &argument) in terms.args(id).iter().enumerate() {
            path.push(i as u32);
            if find(terms, argument, wanted, number, path) {
                return true;
            }
            path.pop();
        }
        false
    }
    let mut path = Vec::new();
    find(terms, root, place, &mut 0, &mut path);
    Path(path)
}

/// Whether two terms are rewritten to the same, their variables standing for themselves.
fn meet(base: &RuleBase, system: &System, terms: &Terms, one: Id, two: Id) -> bool {
    let mut normal = Vec::new();
    for id in [one, two] {
        let mut own = Terms::new();
        let id = ground(terms, id, &mut own);
        let limits = Limits {
            steps: MOST_STEPS,
            ..Limits::default()
        };
        match reduce(base, system, Order::TopDown, &mut own, id, limits, None) {
            Ok(done) if done.finished => normal.push((own, done.root)),
            _ => return false,
        }
    }
    let [(a, x), (b, y)] = &normal[..] else {
        return false;
    };
    a.equal_across(*x, b, *y)
}

/// A term with atoms for its variables.
fn ground(terms: &Terms, id: Id, into: &mut Terms) -> Id {
    let args: Vec<Id> = terms
        .args(id)
        .iter()
        .map(|&a| ground(terms, a, into))
        .collect();
    match terms.head(id) {
        Head::Variable(name) => into.atom(Symbol::new(&format!("${name}"))),
        head => into.make(head, &args),
    }
}
