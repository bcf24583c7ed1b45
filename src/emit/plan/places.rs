//! Where code of the host touches arrays that a caller may give on the device, and which copies only
//! bring results to the caller.
//!
//! An array that is given on the device is used where it is. The transfers of a plan are placed for one
//! that begins on the host; what differs is the first use by the host, before which there may be no
//! transfer, and the last copy, which is not needed.

use super::{
    Act, Expr, Node, Plan, Runs, Stmt, Var, each_statement, expressions, reads, simple_acts, walk,
};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays of the caller that have memory on the device.
pub fn lent(plan: &Plan) -> BTreeSet<Var> {
    let outside = plan.data.iter().filter(|d| d.input || d.output);
    outside
        .map(|d| d.var)
        .filter(|var| plan.on_device.contains(var))
        .collect()
}

/// Arrays of which the host has the cells at some time, to read or write them or to copy them.
pub fn on_host(plan: &Plan) -> BTreeSet<Var> {
    let (read, written) = Places::of(plan).touches(&plan.body);
    let mut all = &read | &written;
    let lent = lent(plan);
    each_statement(&plan.body, &mut |stmt| match stmt.act {
        // Of what the caller has on the device, only what the host touches is copied.
        Act::CopyToDevice(var) | Act::CopyFromDevice(var) if !lent.contains(&var) => {
            all.insert(var);
        }
        _ => {}
    });
    all
}

/// Arrays that code of the host writes.
pub fn written(plan: &Plan) -> BTreeSet<Var> {
    Places::of(plan).touches(&plan.body).1
}

/// Marks what the host touches of arrays that may be on the device alone, and copies that are the last
/// use of an array.
pub fn mark(plan: &mut Plan) {
    let places = Places::of(plan);
    places.results(&mut plan.body, &mut BTreeSet::new());
    places.mark(&mut plan.body);
}

struct Places {
    lent: BTreeSet<Var>,
    /// The arrays of SAVE, by number.
    series: Vec<Var>,
}

impl Places {
    fn of(plan: &Plan) -> Places {
        Places {
            lent: lent(plan),
            series: plan.series.iter().map(|s| s.var).collect(),
        }
    }

    /// What the host reads and writes in statements.
    fn touches(&self, body: &[Stmt]) -> (BTreeSet<Var>, BTreeSet<Var>) {
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        reads(body, &mut |var| {
            read.insert(var);
        });
        each_statement(body, &mut |stmt| match &stmt.act {
            Act::Save(number) => {
                read.insert(self.series[*number]);
            }
            // The device writes.
            Act::CopyFromDevice(_)
            | Act::Result(_)
            | Act::Perform {
                runs: Runs::Launch, ..
            } => {}
            act => written.extend(walk::given_values(act).into_iter().map(|(var, _)| var)),
        });
        (read, written)
    }

    /// Turns copies from the device of arrays that the host does not touch afterwards into results.
    /// `later` is what it touches after the statements.
    fn results(&self, body: &mut [Stmt], later: &mut BTreeSet<Var>) {
        for stmt in body.iter_mut().rev() {
            let (read, written) = self.touches(std::slice::from_ref(stmt));
            match &mut stmt.act {
                Act::CopyFromDevice(var) if self.lent.contains(var) && !later.contains(var) => {
                    stmt.act = Act::Result(*var);
                }
                Act::If { yes, no, .. } => {
                    let mut other = later.clone();
                    self.results(yes, later);
                    self.results(no, &mut other);
                    later.append(&mut other);
                }
                Act::For { body, .. } | Act::While { body, .. } | Act::Parallel { body, .. } => {
                    // Another round comes after each.
                    later.extend(read.iter().chain(&written));
                    self.results(body, later);
                }
                Act::Array { body, .. } | Act::Timed(body) | Act::Recorded { body, .. } => {
                    self.results(body, later);
                }
                // Branches and lanes stay as they are.
                Act::Async(_) | Act::Lanes { .. } | simple_acts!() => {}
            }
            later.extend(read.into_iter().chain(written));
        }
    }

    /// Marks, at the end of a round, what the condition of the loop reads before the next one.
    fn mark_again(&self, condition: &Expr, body: &mut Vec<Stmt>) {
        let origin = body.last().map_or(0, |stmt| stmt.origin);
        for &var in read_in(condition).intersection(&self.lent) {
            let act = Act::OnHost { var, writes: false };
            body.push(Stmt { origin, act });
        }
    }

    /// Puts marks before the outermost statements that touch arrays and do nothing on the device.
    fn mark(&self, body: &mut Vec<Stmt>) {
        // What was marked since something happened on the device, and whether as written.
        let mut marked: BTreeMap<Var, bool> = BTreeMap::new();
        for mut stmt in std::mem::take(body) {
            let on_device = works_on_device(&stmt);
            let (read, written) = match &stmt.act {
                _ if !on_device => self.touches(std::slice::from_ref(&stmt)),
                Act::Recorded { body, .. } => self.touches(body),
                _ => (read_itself(&stmt), BTreeSet::new()),
            };
            for &var in (&read | &written).intersection(&self.lent) {
                let writes = written.contains(&var);
                if marked.get(&var).is_none_or(|&known| writes && !known) {
                    marked.insert(var, writes);
                    let (origin, act) = (stmt.origin, Act::OnHost { var, writes });
                    body.push(Stmt { origin, act });
                }
            }
            if on_device {
                marked.clear();
                match &mut stmt.act {
                    Act::If { yes, no, .. } => {
                        self.mark(yes);
                        self.mark(no);
                    }
                    Act::While { body, condition } => {
                        self.mark(body);
                        self.mark_again(condition, body);
                    }
                    Act::For { body, .. }
                    | Act::Parallel { body, .. }
                    | Act::Array { body, .. }
                    | Act::Timed(body) => self.mark(body),
                    // What is recorded holds no code of the host but its condition.
                    Act::Recorded { body, .. } => {
                        for stmt in body {
                            if let Act::While { body, condition } = &mut stmt.act {
                                self.mark_again(condition, body);
                            }
                        }
                    }
                    // Branches and lanes stay as they are.
                    Act::Async(_) | Act::Lanes { .. } | simple_acts!() => {}
                }
            }
            body.push(stmt);
        }
    }
}

/// The arrays in a statement's own expressions: conditions and bounds.
fn read_itself(stmt: &Stmt) -> BTreeSet<Var> {
    walk::own(stmt).into_iter().flat_map(read_in).collect()
}

/// The arrays in an expression.
fn read_in(e: &Expr) -> BTreeSet<Var> {
    let mut read = BTreeSet::new();
    expressions(e, &mut |e| match e.node {
        // A basic predicate is passed arrays as a whole.
        Node::Cell { array: var, .. } | Node::Var(var) => {
            read.insert(var);
        }
        _ => {}
    });
    read
}

fn works_on_device(stmt: &Stmt) -> bool {
    let mut found = false;
    each_statement(std::slice::from_ref(stmt), &mut |s| {
        found |= matches!(
            s.act,
            Act::Launch { .. }
                | Act::Perform {
                    runs: Runs::Launch,
                    ..
                }
                | Act::Recorded { .. }
                | Act::Allocate { .. }
                | Act::CopyToDevice(_)
                | Act::CopyFromDevice(_)
                | Act::Result(_)
                | Act::Free(_)
        );
    });
    found
}
