//! Accesses that are alike: what is known of two of them holds for all that are like these.
//!
//! n statements make n² pairs of accesses, few of which differ. Accesses of one kind have the same
//! subscripts in the same loops under the same conditions. Conditions only exclude pairs, so that
//! kinds that are apart without theirs are apart.

use super::Basis;
use super::access::{Access, Around};
use super::aliasing::{Asked, Directions, Verdict, pair};
use crate::check::Scheme;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// What was found of pairs of accesses.
pub(super) struct Known<'a> {
    asked: &'a Asked<'a>,
    /// The kind of each access, with its conditions and without.
    of: Vec<Kind>,
    verdicts: FxHashMap<(usize, usize, usize), Verdict>,
    apart: FxHashMap<(usize, usize, usize), bool>,
    /// The orders that were asked for.
    orders: Vec<Vec<Directions>>,
}

/// The number of an access's kind, which is the place of its first member.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    whole: usize,
    bare: usize,
}

/// A kind's first member among some accesses, and how many of them are of it.
struct Members {
    first: usize,
    count: usize,
}

impl<'a> Known<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> Known<'a> {
        let (whole, bare) = (numbers(asked, true), numbers(asked, false));
        let kinds = whole.into_iter().zip(bare);
        Known {
            asked,
            of: kinds.map(|(whole, bare)| Kind { whole, bare }).collect(),
            verdicts: FxHashMap::default(),
            apart: FxHashMap::default(),
            orders: Vec::new(),
        }
    }

    /// What is known of two accesses, by their places.
    pub(super) fn pair(&mut self, i: usize, j: usize, orders: &[Directions]) -> Verdict {
        let question = self.question(orders);
        if self.are_apart(i, j, question, orders) {
            return Verdict::Apart(Basis::Proved);
        }
        let (asked, all) = (self.asked, &self.asked.set.all);
        let key = (self.of[i].whole, self.of[j].whole, question);
        let verdict = self.verdicts.entry(key);
        verdict
            .or_insert_with(|| pair(asked, &all[i], &all[j], orders))
            .clone()
    }

    /// Whether two accesses are apart whatever their conditions say; false where they have none.
    fn are_apart(&mut self, i: usize, j: usize, question: usize, orders: &[Directions]) -> bool {
        let all = &self.asked.set.all;
        if !is_guarded(&all[i]) && !is_guarded(&all[j]) {
            return false;
        }
        let key = (self.of[i].bare, self.of[j].bare, question);
        *self.apart.entry(key).or_insert_with(|| {
            let [a, b] = [i, j].map(|k| unguarded(&all[k]));
            pair(self.asked, &a, &b, orders) == Verdict::Apart(Basis::Proved)
        })
    }

    /// How many pairs could conflict, of some accesses with these or those after them, or of some with others;
    /// and the first pair of each two kinds, in the order of the text.
    pub(super) fn pairs(
        &self,
        rows: Range<usize>,
        columns: Option<Range<usize>>,
        could: impl Fn(&Access, &Access) -> bool,
    ) -> (usize, Vec<(usize, usize)>) {
        let all = &self.asked.set.all;
        let (one, two) = (self.members(rows), columns.map(|c| self.members(c)));
        let (mut count, mut firsts) = (0, Vec::new());
        for (k, a) in one.iter().enumerate() {
            for b in two.as_deref().unwrap_or(&one[k..]) {
                if could(&all[a.first], &all[b.first]) {
                    count += match two.is_none() && a.first == b.first {
                        true => a.count * (a.count + 1) / 2,
                        false => a.count * b.count,
                    };
                    firsts.push((a.first, b.first));
                }
            }
        }
        (count, firsts)
    }

    /// The kinds of some accesses, in the order of their first members.
    fn members(&self, among: Range<usize>) -> Vec<Members> {
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut found: Vec<Members> = Vec::new();
        for i in among {
            let place = *places.entry(self.of[i].whole).or_insert(found.len());
            match found.get_mut(place) {
                Some(members) => members.count += 1,
                None => found.push(Members { first: i, count: 1 }),
            }
        }
        found
    }

    fn question(&mut self, orders: &[Directions]) -> usize {
        let known = self.orders.iter().position(|known| known == orders);
        known.unwrap_or_else(|| {
            self.orders.push(orders.to_vec());
            self.orders.len() - 1
        })
    }
}

/// For each access the place of the first one that is like it.
fn numbers(asked: &Asked<'_>, conditions: bool) -> Vec<usize> {
    let (scheme, all) = (asked.scheme, &asked.set.all);
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let number = |(i, access): (usize, &Access)| {
        let place = places.entry(hash(scheme, access, conditions)).or_default();
        let alike = |&&k: &&usize| is_alike(scheme, access, &all[k], conditions);
        let first = place.iter().find(alike).copied();
        first.unwrap_or_else(|| {
            place.push(i);
            i
        })
    };
    all.iter().enumerate().map(number).collect()
}

/// What stands around an access, all of it or without conditions.
fn around(access: &Access, conditions: bool) -> impl Iterator<Item = &Around> {
    let all = access.around.iter();
    all.filter(move |around| conditions || !matches!(around, Around::Branch(..)))
}

fn is_guarded(access: &Access) -> bool {
    access.around.len() > around(access, false).count()
}

/// An access without its conditions.
fn unguarded(access: &Access) -> Access {
    let mut bare = access.clone();
    bare.around = Arc::new(around(access, false).copied().collect());
    bare
}

fn hash(scheme: &Scheme, access: &Access, conditions: bool) -> u64 {
    let terms = &scheme.terms;
    let mut hasher = FxHasher::default();
    (access.name, access.write, access.component).hash(&mut hasher);
    for &subscript in access.subscripts.iter().flatten() {
        terms.hash(subscript).hash(&mut hasher);
    }
    for around in around(access, conditions) {
        match *around {
            Around::Loop(this) => this.var.hash(&mut hasher),
            Around::Branch(condition, holds) => (terms.hash(condition), holds).hash(&mut hasher),
            Around::Maybe => 0.hash(&mut hasher),
            Around::Launch(blocks, threads) => {
                (terms.hash(blocks), terms.hash(threads)).hash(&mut hasher);
            }
        }
    }
    hasher.finish()
}

fn is_alike(scheme: &Scheme, a: &Access, b: &Access, conditions: bool) -> bool {
    let terms = &scheme.terms;
    let subscripts = match (&a.subscripts, &b.subscripts) {
        (Some(x), Some(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| terms.equal(x, y))
        }
        (x, y) => x.is_none() && y.is_none(),
    };
    let same = |(x, y): (&Around, &Around)| match (*x, *y) {
        (Around::Loop(x), Around::Loop(y)) => x == y,
        (Around::Branch(x, holds), Around::Branch(y, other)) => holds == other && terms.equal(x, y),
        (Around::Maybe, Around::Maybe) => true,
        (Around::Launch(p, q), Around::Launch(r, s)) => terms.equal(p, r) && terms.equal(q, s),
        _ => false,
    };
    let (x, y) = (around(a, conditions), around(b, conditions));
    let (x, y): (Vec<&Around>, Vec<&Around>) = (x.collect(), y.collect());
    (a.name, a.write, a.component, a.atomic) == (b.name, b.write, b.component, b.atomic)
        && subscripts
        && x.len() == y.len()
        && x.into_iter().zip(y).all(same)
}
