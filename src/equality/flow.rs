//! Operators → points between actions and tests, with what can reach a result.
//!
//! This is the Thompson construction of guarded Kleene algebra with tests (Smolka, Foster, Hsu, Kappé,
//! Kozen, Silva 2020, "Guarded Kleene Algebra with Tests", arXiv 1907.05920, section 4), with the
//! tests left where they stand: a state of the automaton takes each assignment of the predicates to
//! the first action that the tests from its point on lead to.

use super::diagram::{Diagram, Diagrams, FALSE, TRUE};
use super::read::Reading;
use crate::algebra::{Expr, Kind, Logic, Operator, expr, operator};
use crate::term::{Id, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A point of an operator, by number.
pub(super) type Point = u32;

/// What is done at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Next {
    /// Nothing, and there is a result.
    Stop,
    /// There is no result.
    Fail,
    /// An action, and then what is done at the next point.
    Act { action: u32, next: Point },
    /// What is done at one point or the other.
    Test {
        test: Diagram,
        yes: Point,
        no: Point,
    },
}

/// The point of [`Next::Stop`].
pub(super) const STOP: Point = 0;
/// The point of [`Next::Fail`].
pub(super) const FAIL: Point = 1;

/// In heights, a point where a choice or a loop ends.
const JOIN: u64 = 1 << 32;

/// The points of all operators of a comparison.
pub(super) struct Flow {
    pub diagrams: Diagrams,
    points: Vec<Next>,
    numbers: FxHashMap<Next, Point>,
    /// For each point: how far it is from an action or an end.
    heights: Vec<u64>,
    /// Points where choices or loops end.
    joins: FxHashSet<Point>,
    /// For each point that was searched: where it reaches a result.
    live: Vec<Diagram>,
}

impl Flow {
    /// No points but those of the constants; the diagrams of tests may have so many nodes.
    pub fn new(most: usize) -> Flow {
        let mut flow = Flow {
            diagrams: Diagrams::new(most),
            points: Vec::new(),
            numbers: FxHashMap::default(),
            heights: Vec::new(),
            joins: FxHashSet::default(),
            live: Vec::new(),
        };
        flow.point(Next::Stop);
        flow.point(Next::Fail);
        flow
    }

    fn point(&mut self, next: Next) -> Point {
        if let Next::Test { test, yes, no } = next {
            match test {
                TRUE => return yes,
                FALSE => return no,
                _ if yes == no => return yes,
                _ => {}
            }
        }
        let number = self.points.len() as Point;
        let known = *self.numbers.entry(next).or_insert(number);
        if known == number {
            self.points.push(next);
            let height = self.height_of(next);
            self.heights.push(height);
        }
        known
    }

    fn height_of(&self, next: Next) -> u64 {
        let through = |point| match self.joins.contains(&point) {
            true => self.height(point) + JOIN,
            false => self.height(point),
        };
        match next {
            Next::Test { yes, no, .. } => 1 + through(yes).max(through(no)),
            _ => 0,
        }
    }

    /// What is done at a point.
    pub fn next(&self, point: Point) -> Next {
        self.points[point as usize]
    }

    /// How far a point is from an action or an end: the points after it where choices or loops end,
    /// and then the tests, on the longest way that begins no loop again.
    pub fn height(&self, point: Point) -> u64 {
        self.heights[point as usize]
    }

    /// Whether choices or loops end at two points, with as many such points after each of them: in
    /// schemes that differ little these are points that mean the same.
    pub fn are_like_joins(&self, a: Point, b: Point) -> bool {
        let joins = self.joins.contains(&a) && self.joins.contains(&b);
        joins && self.height(a) / JOIN == self.height(b) / JOIN
    }

    /// The point where an operator begins, if what is done after it is done at `then`.
    pub fn compile(&mut self, terms: &Terms, reading: &Reading, id: Id, then: Point) -> Point {
        if let Some(&action) = reading.actions.get(&id) {
            return self.point(Next::Act { action, next: then });
        }
        match operator(terms, id) {
            Some(Operator::Then(parts)) => {
                let mut then = then;
                for &part in parts.iter().rev() {
                    then = self.compile(terms, reading, part, then);
                }
                then
            }
            Some(Operator::If { condition, yes, no }) => {
                let test = self.test(terms, reading, condition);
                self.joins.insert(then);
                let yes = self.compile(terms, reading, yes, then);
                let no = self.compile(terms, reading, no, then);
                self.point(Next::Test { test, yes, no })
            }
            Some(Operator::While { condition, body }) => {
                let test = self.test(terms, reading, condition);
                // The body leads back to a point that is known only when the body is.
                let again = self.points.len() as Point;
                self.points.push(Next::Fail);
                self.heights.push(0);
                self.joins.extend([again, then]);
                let yes = self.compile(terms, reading, body, again);
                let next = Next::Test {
                    test,
                    yes,
                    no: then,
                };
                self.points[again as usize] = next;
                self.heights[again as usize] = self.height_of(next);
                again
            }
            Some(Operator::Filter(condition)) => {
                let test = self.test(terms, reading, condition);
                self.point(Next::Test {
                    test,
                    yes: then,
                    no: FAIL,
                })
            }
            Some(Operator::Timed(body) | Operator::Recorded(body)) => {
                self.compile(terms, reading, body, then)
            }
            Some(Operator::Empty) => then,
            // Whatever else acts has been read as an action.
            _ => FAIL,
        }
    }

    /// The point of a predicate: there is a result where it holds.
    pub fn predicate(&mut self, terms: &Terms, reading: &Reading, id: Id) -> Point {
        let test = self.test(terms, reading, id);
        self.point(Next::Test {
            test,
            yes: STOP,
            no: FAIL,
        })
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// A point that is to be filled.
    pub fn placeholder(&mut self) -> Point {
        self.points.push(Next::Fail);
        self.heights.push(0);
        (self.points.len() - 1) as Point
    }

    /// Says what is done at a point.
    pub fn fill(&mut self, point: Point, next: Next) {
        self.points[point as usize] = next;
    }

    /// Finds the heights of the points from one on, which were filled.
    pub fn measure(&mut self, first: Point) {
        let mut entered = vec![false; self.points.len() - first as usize];
        let mut work: Vec<(Point, bool)> = Vec::new();
        for start in first..self.points.len() as Point {
            work.push((start, true));
            while let Some((point, enters)) = work.pop() {
                if !enters {
                    self.heights[point as usize] = self.height_of(self.points[point as usize]);
                    continue;
                }
                if point < first || std::mem::replace(&mut entered[(point - first) as usize], true)
                {
                    continue;
                }
                work.push((point, false));
                if let Next::Test { yes, no, .. } = self.points[point as usize] {
                    work.push((yes, true));
                    work.push((no, true));
                }
            }
        }
    }

    /// The diagram of a predicate.
    pub fn test(&mut self, terms: &Terms, reading: &Reading, id: Id) -> Diagram {
        if let Some(&(predicate, holds)) = reading.predicates.get(&id) {
            let test = self.diagrams.predicate(predicate);
            return match holds {
                true => test,
                false => self.diagrams.not(test),
            };
        }
        match expr(terms, id) {
            Some(Expr::True) => TRUE,
            Some(Expr::Not(inner)) => {
                let inner = self.test(terms, reading, inner);
                self.diagrams.not(inner)
            }
            Some(Expr::Binary { op, left, right }) => {
                let left = self.test(terms, reading, left);
                let right = self.test(terms, reading, right);
                match op.kind() {
                    Kind::Logic(Logic::Or) => self.diagrams.or(left, right),
                    Kind::Logic(Logic::And) => self.diagrams.and(left, right),
                    // Comparisons have been read as predicates.
                    Kind::Comparison(_) | Kind::Arithmetic(_) => FALSE,
                }
            }
            _ => FALSE,
        }
    }

    /// Where a point reaches a result, once [`Flow::search`] has been there.
    pub fn live(&self, point: Point) -> Diagram {
        self.live[point as usize]
    }

    /// Finds where the points made since the last search reach a result; the others lead only to
    /// each other. Failure and endless repetition are one: neither does (arXiv 1907.05920, section
    /// 4.2, normalization).
    ///
    /// It is the least solution of: STOP everywhere; an action where its next point does anywhere,
    /// as actions may change all predicates; a test where the point that it leads to does.
    pub fn search(&mut self) {
        let from = self.live.len();
        self.live.resize(self.points.len(), FALSE);
        let mut before: FxHashMap<Point, Vec<Point>> = FxHashMap::default();
        for point in from..self.points.len() {
            let mut leads = |to: Point| before.entry(to).or_default().push(point as Point);
            match self.points[point] {
                Next::Act { next, .. } => leads(next),
                Next::Test { yes, no, .. } => {
                    leads(yes);
                    leads(no);
                }
                Next::Stop | Next::Fail => {}
            }
        }
        let mut work: VecDeque<Point> = (from..self.points.len()).map(|p| p as Point).collect();
        let mut waiting: FxHashSet<Point> = work.iter().copied().collect();
        while let Some(point) = work.pop_front() {
            waiting.remove(&point);
            if self.diagrams.full {
                return;
            }
            let live = match self.points[point as usize] {
                Next::Stop => TRUE,
                Next::Fail => FALSE,
                Next::Act { next, .. } => match self.live(next) {
                    FALSE => FALSE,
                    _ => TRUE,
                },
                Next::Test { test, yes, no } => {
                    let (yes, no) = (self.live(yes), self.live(no));
                    self.diagrams.decide(test, yes, no)
                }
            };
            if live != self.live(point) {
                self.live[point as usize] = live;
                for &earlier in before.get(&point).into_iter().flatten() {
                    if waiting.insert(earlier) {
                        work.push_back(earlier);
                    }
                }
            }
        }
    }
}
