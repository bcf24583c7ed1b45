//! Graphs, and operators with variables that only tell where to go on → points.
//!
//! A graph has its edges already. A control variable is a LOCAL that is only given integer literals
//! and only compared with them: nobody can see it but the operator itself, so a point with each of
//! its values is a point of its own, and neither assignments nor comparisons are left. Values that
//! are not asked for any more are forgotten.

use super::diagram::{Diagram, FALSE, TRUE};
use super::flow::{FAIL, Flow, Next, Point, STOP};
use super::read::Reading;
use crate::algebra::{Binary, Construct, Expr, Operator, expr, operator};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A point before control variables are done away with.
#[derive(Clone, Copy, Debug)]
enum Raw {
    Stop,
    Fail,
    Go(usize),
    Act(u32, usize),
    Test(Diagram, usize, usize),
    Set(u32, i64, usize),
    Is(u32, i64, usize, usize),
}

const RAW_STOP: usize = 0;
const RAW_FAIL: usize = 1;

impl Raw {
    fn leads(self) -> [Option<usize>; 2] {
        match self {
            Raw::Stop | Raw::Fail => [None, None],
            Raw::Go(to) | Raw::Act(_, to) | Raw::Set(_, _, to) => [Some(to), None],
            Raw::Test(_, yes, no) | Raw::Is(_, _, yes, no) => [Some(yes), Some(no)],
        }
    }
}

/// Values of the control variables that are still asked for.
type Values = Vec<(u32, i64)>;

impl Flow {
    /// The point where a whole operator begins.
    pub fn whole(&mut self, terms: &Terms, reading: &Reading, root: Id) -> Point {
        let is_graph = terms.functor(root) == Some(Construct::Flow.symbol());
        if !is_graph && reading.sets.is_empty() {
            return self.compile(terms, reading, root, STOP);
        }
        let mut maker = Maker {
            terms,
            reading,
            flow: self,
            raw: vec![Raw::Stop, Raw::Fail],
        };
        let entry = maker.operator(root, RAW_STOP);
        let raw = maker.raw;
        self.settle(&raw, entry)
    }

    /// The points of raw ones with the values of control variables there.
    fn settle(&mut self, raw: &[Raw], entry: usize) -> Point {
        let live = live(raw);
        let mut known: FxHashMap<(usize, Values), Point> = FxHashMap::default();
        let mut work: Vec<(usize, Values, Point)> = Vec::new();
        let first = self.points() as Point;
        let mut point = |flow: &mut Flow, work: &mut Vec<_>, at: usize, values: Values| {
            let Some((at, values)) = follow(raw, &live, at, values) else {
                return FAIL;
            };
            match raw[at] {
                Raw::Stop => return STOP,
                Raw::Fail => return FAIL,
                _ => {}
            }
            if let Some(&point) = known.get(&(at, values.clone())) {
                return point;
            }
            let point = flow.placeholder();
            known.insert((at, values.clone()), point);
            work.push((at, values, point));
            point
        };
        let begin = point(self, &mut work, entry, Values::new());
        while let Some((at, values, here)) = work.pop() {
            let next = match raw[at] {
                Raw::Act(action, next) => Next::Act {
                    action,
                    next: point(self, &mut work, next, values),
                },
                Raw::Test(test, yes, no) => Next::Test {
                    test,
                    yes: point(self, &mut work, yes, values.clone()),
                    no: point(self, &mut work, no, values),
                },
                _ => Next::Fail,
            };
            self.fill(here, next);
        }
        self.measure(first);
        begin
    }
}

/// Goes on to the next action or predicate; nothing if there is none.
fn follow(
    raw: &[Raw],
    live: &[FxHashSet<u32>],
    mut at: usize,
    mut values: Values,
) -> Option<(usize, Values)> {
    let mut seen: FxHashSet<(usize, Values)> = FxHashSet::default();
    loop {
        values.retain(|(variable, _)| live[at].contains(variable));
        match raw[at] {
            Raw::Go(to) => at = to,
            Raw::Test(TRUE, yes, _) => at = yes,
            Raw::Test(FALSE, _, no) => at = no,
            Raw::Set(variable, value, to) => {
                values.retain(|(v, _)| *v != variable);
                values.push((variable, value));
                values.sort_unstable();
                at = to;
            }
            Raw::Is(variable, value, yes, no) => {
                at = match values.contains(&(variable, value)) {
                    true => yes,
                    false => no,
                };
            }
            _ => return Some((at, values)),
        }
        if !seen.insert((at, values.clone())) {
            return None;
        }
    }
}

/// For each point, the control variables that are asked for from there on before they are set.
fn live(raw: &[Raw]) -> Vec<FxHashSet<u32>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); raw.len()];
    for (i, point) in raw.iter().enumerate() {
        for to in point.leads().into_iter().flatten() {
            before[to].push(i);
        }
    }
    let mut live: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); raw.len()];
    let mut work: Vec<usize> = (0..raw.len()).collect();
    while let Some(at) = work.pop() {
        let mut all: FxHashSet<u32> = FxHashSet::default();
        for to in raw[at].leads().into_iter().flatten() {
            all.extend(live[to].iter().copied());
        }
        match raw[at] {
            Raw::Set(variable, ..) => {
                all.remove(&variable);
            }
            Raw::Is(variable, ..) => {
                all.insert(variable);
            }
            _ => {}
        }
        if all.len() != live[at].len() {
            live[at] = all;
            work.extend(before[at].iter().copied());
        }
    }
    live
}

struct Maker<'a> {
    terms: &'a Terms,
    reading: &'a Reading,
    flow: &'a mut Flow,
    raw: Vec<Raw>,
}

impl Maker<'_> {
    fn point(&mut self, raw: Raw) -> usize {
        self.raw.push(raw);
        self.raw.len() - 1
    }

    /// The point where an operator begins that `then` follows.
    fn operator(&mut self, id: Id, then: usize) -> usize {
        if let Some(&action) = self.reading.actions.get(&id) {
            return self.point(Raw::Act(action, then));
        }
        if let Some(&(variable, value)) = self.reading.sets.get(&id) {
            return self.point(Raw::Set(variable, value, then));
        }
        let terms = self.terms;
        match operator(terms, id) {
            Some(Operator::Then(parts)) => {
                let parts = parts.iter().rev();
                parts.fold(then, |then, &part| self.operator(part, then))
            }
            Some(Operator::If { condition, yes, no }) => {
                let yes = self.operator(yes, then);
                let no = self.operator(no, then);
                self.ask(condition, yes, no)
            }
            Some(Operator::While { condition, body }) => {
                let again = self.point(Raw::Fail);
                let yes = self.operator(body, again);
                let asks = self.ask(condition, yes, then);
                self.raw[again] = Raw::Go(asks);
                again
            }
            Some(Operator::Filter(condition)) => self.ask(condition, then, RAW_FAIL),
            Some(Operator::Timed(body) | Operator::Recorded(body)) => self.operator(body, then),
            Some(Operator::Empty) => then,
            None if terms.functor(id) == Some(Construct::Flow.symbol()) => self.graph(id, then),
            _ => RAW_FAIL,
        }
    }

    fn graph(&mut self, id: Id, then: usize) -> usize {
        let terms = self.terms;
        let label = |id: Id| match terms.head(id) {
            Head::Int(number) => Ok(number),
            _ => Err(terms.as_atom(id)),
        };
        let mut labels: FxHashMap<Result<i64, Option<Symbol>>, usize> = FxHashMap::default();
        for &node in terms.args(id) {
            let point = self.point(Raw::Fail);
            labels.insert(label(terms.arg(node, 0)), point);
        }
        let lead = |target: Id| match label(target) {
            Err(Some(name)) if name == Construct::Stop.symbol() => then,
            label => labels.get(&label).copied().unwrap_or(RAW_FAIL),
        };
        for &node in terms.args(id) {
            let point = labels[&label(terms.arg(node, 0))];
            let begins = match *terms.args(node) {
                [_, condition, yes, no] => self.ask(condition, lead(yes), lead(no)),
                [_, operator, next] => self.operator(operator, lead(next)),
                _ => RAW_FAIL,
            };
            self.raw[point] = Raw::Go(begins);
        }
        let first = terms.args(id).first();
        first.map_or(then, |&node| labels[&label(terms.arg(node, 0))])
    }

    /// The point where a predicate is asked.
    fn ask(&mut self, id: Id, yes: usize, no: usize) -> usize {
        if let Some(&(variable, value)) = self.reading.asks.get(&id) {
            return self.point(Raw::Is(variable, value, yes, no));
        }
        let has_asks = !self.reading.asks.is_empty()
            && self
                .terms
                .subterms(id)
                .any(|inner| self.reading.asks.contains_key(&inner));
        if has_asks {
            match expr(self.terms, id) {
                Some(Expr::Not(inner)) => return self.ask(inner, no, yes),
                Some(Expr::Binary {
                    op: Binary::Or,
                    left,
                    right,
                }) => {
                    let second = self.ask(right, yes, no);
                    return self.ask(left, yes, second);
                }
                Some(Expr::Binary {
                    op: Binary::And,
                    left,
                    right,
                }) => {
                    let second = self.ask(right, yes, no);
                    return self.ask(left, second, no);
                }
                _ => {}
            }
        }
        let test = self.flow.test(self.terms, self.reading, id);
        self.point(Raw::Test(test, yes, no))
    }
}

/// The control variables of an operator in an arena of its own, numbered.
pub(super) fn controls(terms: &Terms) -> FxHashMap<Symbol, u32> {
    let all = (0..terms.len()).map(|n| Id(n as u32));
    // What a variable of a rule stands for may reach any variable.
    let is_pattern = |id: Id| matches!(terms.head(id), Head::Variable(_) | Head::Sequence(_));
    if all.clone().any(is_pattern) {
        return FxHashMap::default();
    }
    let is = |id: Id, c: Construct| terms.functor(id) == Some(c.symbol());
    let mut declared: FxHashMap<Symbol, Vec<Id>> = FxHashMap::default();
    let mut order = Vec::new();
    for id in all.clone() {
        if let Some(Operator::Local { name, ty, value }) = operator(terms, id) {
            if ty.as_str() == "INTEGER" && terms.as_int(value).is_some() {
                order.push(name);
            }
            declared.entry(name).or_default().push(id);
        }
    }
    if order.is_empty() {
        return FxHashMap::default();
    }
    let mut parents: Vec<Option<Id>> = vec![None; terms.len()];
    let mut uses: FxHashMap<Symbol, Vec<Id>> = FxHashMap::default();
    for id in all {
        for &argument in terms.args(id) {
            parents[argument.index()] = Some(id);
        }
        if let Some(name) = terms.as_atom(id) {
            uses.entry(name).or_default().push(id);
        }
    }
    let goes_on = |id: Id| {
        let construct = terms.functor(id).and_then(Construct::of);
        matches!(
            construct,
            Some(
                Construct::Then
                    | Construct::If
                    | Construct::While
                    | Construct::Filter
                    | Construct::Timed
                    | Construct::Recorded
                    | Construct::Flow
                    | Construct::Node
                    | Construct::Choice
                    | Construct::And
                    | Construct::Or
                    | Construct::Not
            )
        )
    };
    let is_control = |name: Symbol| {
        let [local] = declared[&name][..] else {
            return false;
        };
        let scope = parents[local.index()];
        uses[&name].iter().all(|&atom| {
            let Some(parent) = parents[atom.index()] else {
                return false;
            };
            if parent == local {
                return true;
            }
            let plain = (is(parent, Construct::Assign) || is(parent, Construct::Equal))
                && terms.arg(parent, 0) == atom
                && terms.as_int(terms.arg(parent, 1)).is_some();
            let mut at = parents[parent.index()];
            while at != scope && at.is_some_and(goes_on) {
                at = at.and_then(|id| parents[id.index()]);
            }
            plain && at.is_some() && at == scope && atom > local
        })
    };
    let controls = order.into_iter().filter(|&name| is_control(name));
    controls.zip(0..).collect()
}
