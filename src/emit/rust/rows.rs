//! Rows of arrays by themselves: where a loop keeps to a row of an array, it is found before the loop.
//!
//! A cell of a row takes one comparison to be in range, and code with rows is shorter to read.

use crate::emit::plan::{
    self, Act, Arithmetic, Expr, Node, Place, Plan, Stmt, Var, Variable, simple_acts,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The plan with rows before its loops.
pub(super) fn with_rows(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let mut rows = Rows {
        names: plan.variables.iter().map(|v| v.name.clone()).collect(),
        variables: &mut plan.variables,
        here: Vec::new(),
        bounds: FxHashMap::default(),
    };
    rows.block(&mut plan.body, None);
    plan
}

/// A row: its array, and all subscripts but the last.
type Row = (Var, Vec<Expr>);

struct Rows<'a> {
    variables: &'a mut Vec<Variable>,
    names: FxHashSet<String>,
    /// The rows that have been found before the place, and whether they may be used again: where
    /// threads share their arrays, nothing else can be in the way.
    here: Vec<(Row, Var, bool)>,
    /// The first and the last value of variables of loops around.
    bounds: FxHashMap<Var, (Expr, Expr)>,
}

impl Rows<'_> {
    /// `own` are the arrays that an iteration has for itself, if the statements are those of
    /// iterations which run at once.
    fn block(&mut self, body: &mut Vec<Stmt>, own: Option<&BTreeSet<Var>>) {
        let outer = self.here.len();
        for mut stmt in std::mem::take(body) {
            if let Act::For { .. } | Act::While { .. } | Act::Lanes { .. } = stmt.act {
                body.extend(self.before(&mut stmt, own));
            }
            match &mut stmt.act {
                Act::For {
                    var,
                    from,
                    to,
                    step,
                    body,
                } => {
                    if step.is_none() {
                        self.bounds.insert(*var, (from.clone(), to.clone()));
                    }
                    self.block(body, own);
                }
                Act::Parallel {
                    var,
                    from,
                    to,
                    body,
                } => {
                    self.bounds.insert(*var, (from.clone(), to.clone()));
                    self.block(body, Some(&BTreeSet::new()));
                }
                Act::While { body, .. } | Act::Timed(body) => self.block(body, own),
                Act::If { yes, no, .. } => {
                    self.block(yes, own);
                    self.block(no, own);
                }
                Act::Array { var, body } => {
                    let own = own.map(|own| own.iter().copied().chain([*var]).collect());
                    self.block(body, own.as_ref());
                }
                // Lanes have no loops that keep to one row for all of them; branches and recordings
                // stay as they are.
                Act::Lanes { .. } | Act::Async(_) | Act::Recorded { .. } | simple_acts!() => {}
            }
            body.push(stmt);
        }
        self.here.truncate(outer);
    }

    /// Replaces cells of rows that a loop keeps to, and gives the statements that find these.
    fn before(&mut self, stmt: &mut Stmt, own: Option<&BTreeSet<Var>>) -> Vec<Stmt> {
        let (mut written, mut inner) = (BTreeSet::new(), BTreeSet::new());
        plan::for_each_place(std::slice::from_ref(stmt), &mut |var, _| {
            written.insert(var);
        });
        plan::each_statement(std::slice::from_ref(stmt), &mut |s| {
            inner.extend(plan::declared(&s.act));
        });
        // A row of what is written would be borrowed beside its array, unless threads share both.
        let can_lend =
            |array: &Var| !written.contains(array) || own.is_some_and(|own| !own.contains(array));
        let keeps = |var: &Var| !inner.contains(var) && !written.contains(var);
        let bounds = std::mem::take(&mut self.bounds);
        let row_of = |e: &Expr| -> Option<Row> {
            let Node::Cell { array, subscripts } = &e.node else {
                return None;
            };
            let (_, leading) = subscripts.split_last().filter(|(_, all)| !all.is_empty())?;
            let fits = !inner.contains(array)
                && can_lend(array)
                && leading.iter().all(|s| keeps_value(s, &keeps, &bounds));
            fits.then(|| (*array, leading.to_vec()))
        };
        let mut found: Vec<Row> = Vec::new();
        plan::each_expression(std::slice::from_ref(stmt), &mut |e| {
            if let Some(row) = row_of(e)
                && !found.contains(&row)
            {
                found.push(row);
            }
        });
        let mut found_now = Vec::new();
        let vars: Vec<Var> = found
            .iter()
            .map(|row| {
                let known = self.here.iter().find(|(r, _, again)| *again && r == row);
                known.map(|&(_, var, _)| var).unwrap_or_else(|| {
                    let var = self.declare(row.0);
                    let shared = own.is_some_and(|own| !own.contains(&row.0));
                    self.here
                        .push((row.clone(), var, shared && self.is_constant(row)));
                    found_now.push((var, row.clone()));
                    var
                })
            })
            .collect();
        plan::rewrite_expressions(std::slice::from_mut(stmt), &mut |e| {
            if let Some(row) = row_of(e)
                && let Some(k) = found.iter().position(|r| *r == row)
                && let Node::Cell { array, subscripts } = &mut e.node
            {
                *array = vars[k];
                subscripts.drain(..subscripts.len() - 1);
            }
        });
        self.bounds = bounds;
        let statement = |(var, (array, subscripts)): (Var, Row)| {
            let ty = self.variables[array.0 as usize].ty;
            let row = Expr::new(ty, Node::Cell { array, subscripts });
            let act = Act::Row { var, row };
            Stmt {
                origin: stmt.origin,
                act,
            }
        };
        found_now.into_iter().map(statement).collect()
    }

    /// Whether nothing assigns the variables of a row's subscripts.
    fn is_constant(&self, (_, subscripts): &Row) -> bool {
        let mut constant = true;
        for subscript in subscripts {
            plan::expressions(subscript, &mut |e| {
                if let Node::Var(var) = e.node {
                    constant &= !self.variables[var.0 as usize].assigned;
                }
            });
        }
        constant
    }

    /// A variable for a row of an array, whose name no row around has.
    fn declare(&mut self, array: Var) -> Var {
        let whole = self.variables[array.0 as usize].clone();
        let base = format!("{}_row", whole.name);
        let taken = |name: &String| {
            let mut rows = self.here.iter().map(|(_, var, _)| var.0 as usize);
            self.names.contains(name) || rows.any(|row| self.variables[row].name == *name)
        };
        let mut name = base.clone();
        let mut count = 1;
        while taken(&name) {
            count += 1;
            name = format!("{base}_{count}");
        }
        self.variables.push(Variable {
            name,
            dims: whole.dims.last().cloned().into_iter().collect(),
            place: Place::Row(array),
            assigned: false,
            ..whole
        });
        Var(self.variables.len() as u32 - 1)
    }
}

/// Whether a subscript keeps its value, and computing it cannot be an error: a number or a variable,
/// or the variable of a loop and a number that its bounds leave room for.
fn keeps_value(
    e: &Expr,
    keeps: &dyn Fn(&Var) -> bool,
    bounds: &FxHashMap<Var, (Expr, Expr)>,
) -> bool {
    match &e.node {
        Node::Int(_) => true,
        Node::Var(var) => keeps(var),
        Node::Arithmetic(op, a, b) => {
            let (Node::Var(var), Node::Int(k @ 0..)) = (&a.node, &b.node) else {
                return false;
            };
            let Some((from, to)) = bounds.get(var).filter(|_| keeps(var)) else {
                return false;
            };
            match op {
                Arithmetic::Subtract => matches!(from.node, Node::Int(0..)),
                Arithmetic::Add => matches!(
                    &to.node,
                    Node::Arithmetic(Arithmetic::Subtract, _, less)
                        if matches!(less.node, Node::Int(room) if room >= *k)
                ),
                _ => false,
            }
        }
        _ => false,
    }
}
