//! Equality of points: pairs that must be equal, breadth first, under the predicates that lead there.
//!
//! Two points are equal where, under each assignment of the predicates, both stop, both have no
//! result, or both do the same action and go on at equal points (arXiv 1907.05920, theorem 4.7).
//!
//! - From a pair of points the tests of both are gone through at once with the assignments that lead
//!   there, as a diagram (the symbolic transitions of arXiv 2601.09986). Assignments that come to
//!   the same pair of points on several ways are joined before they go on, and are not gone through
//!   again.
//! - Pairs of points after an action are merged by union-find, so that no more of them are looked at
//!   than there are points (Hopcroft, Karp 1971).
//! - Pairs are looked at in order of the number of actions that lead there. What is left out leads to
//!   a difference no shorter than what stands for it, so the first difference is a shortest one.
//! - Before that, points that stand side by side are supposed to be equal under all assignments, not
//!   only those that lead there. Where this shows no difference there is none, and it takes no more
//!   steps than there are pairs of points side by side; else what was supposed says nothing.

use super::diagram::{Diagram, FALSE, TRUE};
use super::flow::{FAIL, Flow, Next, Point};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A way to two points that do different things.
pub(super) struct Way {
    /// The steps that both do alike: values of predicates, then an action.
    pub steps: Vec<(Vec<(u32, bool)>, u32)>,
    /// Values of predicates after them.
    pub values: Vec<(u32, bool)>,
    /// What is done then.
    pub last: (Next, Next),
}

/// A pair of points, under any assignment.
struct Met {
    pair: (Point, Point),
    /// The pair before it, and the points there that do the action that leads here.
    from: Option<(usize, (Point, Point))>,
}

/// Assignments under which pairs of points have been looked at.
type Seen = FxHashMap<(Point, Point), Diagram>;

/// Whether two points differ. Both have been searched.
pub(super) fn differ(flow: &mut Flow, a: Point, b: Point) -> bool {
    difference(flow, a, b).is_some()
}

/// A shortest way to where two points differ, both having been searched.
pub(super) fn difference(flow: &mut Flow, a: Point, b: Point) -> Option<Way> {
    for side_by_side in [SideBySide::Joins, SideBySide::Tests] {
        let mut supposed = Supposed {
            side_by_side,
            pairs: Vec::new(),
        };
        let found = search(flow, (a, b), Some(&mut supposed))?;
        if supposed.pairs.is_empty() {
            return Some(way(flow, &found));
        }
    }
    let found = search(flow, (a, b), None)?;
    Some(way(flow, &found))
}

/// Which points stand side by side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SideBySide {
    /// Those where choices or loops end, with as many such points before an action or an end.
    Joins,
    /// Those with the same test.
    Tests,
}

impl SideBySide {
    fn are(self, flow: &Flow, a: Point, b: Point) -> bool {
        let (Next::Test { test, .. }, Next::Test { test: other, .. }) =
            (flow.next(a), flow.next(b))
        else {
            return false;
        };
        match self {
            SideBySide::Joins => flow.are_like_joins(a, b),
            SideBySide::Tests => test == other,
        }
    }
}

/// Pairs that are looked at though no action leads there.
struct Supposed {
    side_by_side: SideBySide,
    pairs: Vec<(Point, Point)>,
}

/// A difference.
struct Found {
    met: Vec<Met>,
    /// The pair of `met` from which the points that differ are reached without an action.
    at: usize,
    leaves: (Point, Point),
}

/// Looks for a difference.
fn search(
    flow: &mut Flow,
    (a, b): (Point, Point),
    mut supposed: Option<&mut Supposed>,
) -> Option<Found> {
    let mut merged = Merged::default();
    if !merged.merge(a, b) {
        return None;
    }
    let mut met = vec![Met {
        pair: (a, b),
        from: None,
    }];
    let mut seen = Seen::default();
    let mut layer = 0..1;
    while !layer.is_empty() {
        for at in layer.clone() {
            seen.insert(met[at].pair, TRUE);
        }
        for at in layer.clone() {
            let before = supposed.as_ref().map_or(0, |s| s.pairs.len());
            let found = leaves(flow, met[at].pair, &mut seen, supposed.as_deref_mut());
            for (leaves, _) in found {
                match (flow.next(leaves.0), flow.next(leaves.1)) {
                    (
                        Next::Act { action, next: a },
                        Next::Act {
                            action: other,
                            next: b,
                        },
                    ) if action == other => {
                        if merged.merge(a, b) {
                            met.push(Met {
                                pair: (a, b),
                                from: Some((at, leaves)),
                            });
                        }
                    }
                    (Next::Stop, Next::Stop) => {}
                    _ => return Some(Found { met, at, leaves }),
                }
            }
            // Ways through these are not kept: a difference beyond them is looked for again.
            for &pair in supposed.iter().flat_map(|s| &s.pairs[before..]) {
                if merged.merge(pair.0, pair.1) {
                    met.push(Met { pair, from: None });
                }
            }
        }
        layer = layer.end..met.len();
    }
    None
}

/// The points with actions or ends that two points lead to, each pair with the assignments that
/// lead there; none where neither reaches a result. Where only one does, the other leads to [`FAIL`].
/// What has been looked at is left out, but for the pair itself; so are pairs with the same test,
/// where these may be `supposed` to be equal.
fn leaves(
    flow: &mut Flow,
    pair: (Point, Point),
    seen: &mut Seen,
    mut supposed: Option<&mut Supposed>,
) -> Vec<((Point, Point), Diagram)> {
    let mut found = Vec::new();
    // Far from an action first, so that ways to a pair are joined before it is looked at.
    type Key = (Reverse<u64>, Point, Point);
    let mut waiting: BTreeMap<Key, Diagram> = BTreeMap::new();
    let mut is_first = true;
    let key =
        |flow: &Flow, (a, b): (Point, Point)| (Reverse(flow.height(a) + flow.height(b)), a, b);
    waiting.insert(key(flow, pair), TRUE);
    while let Some(((_, a, b), mut under)) = waiting.pop_first() {
        if !std::mem::take(&mut is_first) {
            let known = seen.get(&(a, b)).copied().unwrap_or(FALSE);
            under = flow.diagrams.without(under, known);
            let both = flow.diagrams.or(known, under);
            seen.insert((a, b), both);
        }
        let d = &mut flow.diagrams;
        if a == b || under == FALSE || d.full {
            continue;
        }
        let mut go = |flow: &mut Flow, pair: (Point, Point), under: Diagram| {
            if under != FALSE {
                let key = key(flow, pair);
                let known = waiting.get(&key).copied().unwrap_or(FALSE);
                let both = flow.diagrams.or(known, under);
                waiting.insert(key, both);
            }
        };
        if a != FAIL && b != FAIL {
            // Without a result, all points are one.
            let (live_a, live_b) = (flow.live(a), flow.live(b));
            let in_a = flow.diagrams.and(under, live_a);
            let in_b = flow.diagrams.and(under, live_b);
            let (only_a, only_b) = (
                flow.diagrams.without(in_a, in_b),
                flow.diagrams.without(in_b, in_a),
            );
            go(flow, (a, FAIL), only_a);
            go(flow, (FAIL, b), only_b);
            under = flow.diagrams.and(in_a, in_b);
        } else {
            let live = flow.live(if a == FAIL { b } else { a });
            under = flow.diagrams.and(under, live);
        }
        if under == FALSE {
            continue;
        }
        if let Some(supposed) = &mut supposed
            && (a, b) != pair
            && supposed.side_by_side.are(flow, a, b)
        {
            seen.insert((a, b), TRUE);
            supposed.pairs.push((a, b));
            continue;
        }
        let mut step = |flow: &mut Flow, test, yes, no| {
            let held = flow.diagrams.and(under, test);
            let not = flow.diagrams.without(under, test);
            go(flow, yes, held);
            go(flow, no, not);
        };
        match (flow.next(a), flow.next(b)) {
            (
                Next::Test { test, yes, no },
                Next::Test {
                    test: other,
                    yes: yes_b,
                    no: no_b,
                },
            ) if test == other => step(flow, test, (yes, yes_b), (no, no_b)),
            (
                Next::Test { test, yes, no },
                Next::Test {
                    test: other,
                    yes: yes_b,
                    no: no_b,
                },
            ) => {
                // A test that is decided already; else the one that is farther from an action.
                let mut decided = |test| {
                    let held = flow.diagrams.and(under, test);
                    held == FALSE || held == under
                };
                let decided = (decided(test), decided(other));
                let a_first = match decided {
                    (true, _) => true,
                    (_, true) => false,
                    _ => flow.height(a) >= flow.height(b),
                };
                match a_first {
                    true => step(flow, test, (yes, b), (no, b)),
                    false => step(flow, other, (a, yes_b), (a, no_b)),
                }
            }
            (Next::Test { test, yes, no }, _) => step(flow, test, (yes, b), (no, b)),
            (_, Next::Test { test, yes, no }) => step(flow, test, (a, yes), (a, no)),
            _ => found.push(((a, b), under)),
        }
    }
    found
}

/// The way to a pair, and the values of predicates that lead to what its points do.
fn way(flow: &mut Flow, found: &Found) -> Way {
    let &Found {
        ref met,
        at,
        leaves,
    } = found;
    let values = values(flow, met[at].pair, leaves);
    let mut steps = Vec::new();
    let mut from = met[at].from;
    while let Some((before, acting)) = from {
        if let Next::Act { action, .. } = flow.next(acting.0) {
            steps.push((self::values(flow, met[before].pair, acting), action));
        }
        from = met[before].from;
    }
    steps.reverse();
    Way {
        steps,
        values,
        last: (flow.next(leaves.0), flow.next(leaves.1)),
    }
}

/// Values of predicates under which two points lead to two others.
fn values(flow: &mut Flow, pair: (Point, Point), wanted: (Point, Point)) -> Vec<(u32, bool)> {
    // All assignments that lead there, those that were left out before among them.
    let mut under = FALSE;
    for (leaves, more) in leaves(flow, pair, &mut Seen::default(), None) {
        if leaves == wanted {
            under = flow.diagrams.or(under, more);
        }
    }
    flow.diagrams.values(under)
}

/// Sets of points taken to be equal.
#[derive(Default)]
struct Merged {
    parents: FxHashMap<Point, Point>,
}

impl Merged {
    fn root(&mut self, point: Point) -> Point {
        let mut root = point;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut at = point;
        while at != root {
            let next = self.parents.insert(at, root).unwrap_or(root);
            at = next;
        }
        root
    }

    /// Merges the sets of two points; whether they were apart.
    fn merge(&mut self, a: Point, b: Point) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
        }
        a != b
    }
}
