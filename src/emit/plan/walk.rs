//! Walking over plans.

use super::{Act, Expr, Node, Plan, Runs, Stmt, Var};

/// Calls `f` with an expression and all expressions in it, outermost first.
pub fn expressions<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match &e.node {
        Node::Int(_) | Node::Real(_) | Node::Bool(_) | Node::Var(_) | Node::Index(_) => {}
        Node::Component(a, _)
        | Node::Convert(a)
        | Node::Negate(a)
        | Node::Not(a)
        | Node::Power(a, _) => expressions(a, f),
        Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
            expressions(a, f);
            expressions(b, f);
        }
        Node::Select(a, b, c) => {
            expressions(a, f);
            expressions(b, f);
            expressions(c, f);
        }
        Node::Cell { subscripts, .. } => subscripts.iter().for_each(|s| expressions(s, f)),
        Node::Call(_, all) | Node::Vector(all) => all.iter().for_each(|a| expressions(a, f)),
        Node::Holds { arguments, .. } => {
            arguments.iter().for_each(|a| expressions(&a.value, f));
        }
    }
}

/// What has no statements in it, for matches that are about those that have.
macro_rules! simple_acts {
    () => {
        Act::Comment(_)
            | Act::Local { .. }
            | Act::Assign { .. }
            | Act::Atomic { .. }
            | Act::ControlPoint(_)
            | Act::WaitPoint(_)
            | Act::WaitDevice
            | Act::Ask
            | Act::Filter(_)
            | Act::Undefined
            | Act::Report { .. }
            | Act::Save(_)
            | Act::Perform { .. }
            | Act::Launch { .. }
            | Act::Registers(_)
            | Act::Row { .. }
            | Act::Exchange(..)
            | Act::Barrier
            | Act::Allocate { .. }
            | Act::CopyToDevice(_)
            | Act::CopyFromDevice(_)
            | Act::Result(_)
            | Act::OnHost { .. }
            | Act::Free(_)
    };
}
pub(in crate::emit) use simple_acts;

/// Calls `f` with every statement, outer ones first.
pub fn each_statement<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in body {
        f(stmt);
        match &stmt.act {
            Act::If { yes, no, .. } => {
                each_statement(yes, f);
                each_statement(no, f);
            }
            Act::While { body, .. }
            | Act::For { body, .. }
            | Act::Parallel { body, .. }
            | Act::Lanes { body, .. }
            | Act::Array { body, .. }
            | Act::Recorded { body, .. }
            | Act::Timed(body) => each_statement(body, f),
            Act::Async(branches) => branches.iter().for_each(|b| each_statement(b, f)),
            simple_acts!() => {}
        }
    }
}

/// The expressions that stand in a statement itself, targets too.
pub(super) fn own(stmt: &Stmt) -> Vec<&Expr> {
    match &stmt.act {
        Act::Local { value, .. } => vec![value],
        Act::Assign { target, value } => vec![target, value],
        Act::Atomic {
            target, value, was, ..
        } => [target, value].into_iter().chain(was).collect(),
        Act::If { condition, .. } | Act::While { condition, .. } | Act::Filter(condition) => {
            vec![condition]
        }
        Act::For { from, to, step, .. } => {
            let mut all = vec![from, to];
            all.extend(step);
            all
        }
        Act::Parallel { from, to, .. } | Act::Lanes { from, to, .. } => vec![from, to],
        Act::Report { values, .. } => values.iter().collect(),
        Act::Row { row, .. } => vec![row],
        // What the device is to work on, the host does not read.
        Act::Perform {
            arguments, runs, ..
        } => arguments
            .iter()
            .filter(|a| *runs != Runs::Launch || a.array().is_none())
            .map(|a| &a.value)
            .collect(),
        Act::Launch {
            blocks, threads, ..
        } => vec![blocks, threads],
        Act::Comment(_)
        | Act::ControlPoint(_)
        | Act::WaitPoint(_)
        | Act::WaitDevice
        | Act::Ask
        | Act::Undefined
        | Act::Save(_)
        | Act::Registers(_)
        | Act::Exchange(..)
        | Act::Barrier
        | Act::Array { .. }
        | Act::Recorded { .. }
        | Act::Timed(_)
        | Act::Async(_)
        | Act::Allocate { .. }
        | Act::CopyToDevice(_)
        | Act::CopyFromDevice(_)
        | Act::Result(_)
        | Act::OnHost { .. }
        | Act::Free(_) => Vec::new(),
    }
}

/// Calls `f` with every expression of statements, those within expressions too.
pub fn each_expression<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Expr)) {
    each_statement(body, &mut |stmt| {
        for e in own(stmt) {
            expressions(e, f);
        }
    });
}

/// Lets `f` change every expression of statements and, after it, those in it.
pub fn rewrite_expressions(body: &mut [Stmt], f: &mut dyn FnMut(&mut Expr)) {
    for stmt in body {
        match &mut stmt.act {
            Act::Local { value, .. } => rewrite(value, f),
            Act::Assign { target, value } => {
                rewrite(target, f);
                rewrite(value, f);
            }
            Act::Atomic {
                target, value, was, ..
            } => {
                rewrite(target, f);
                rewrite(value, f);
                was.iter_mut().for_each(|e| rewrite(e, f));
            }
            Act::Filter(condition) => rewrite(condition, f),
            Act::If { condition, yes, no } => {
                rewrite(condition, f);
                rewrite_expressions(yes, f);
                rewrite_expressions(no, f);
            }
            Act::While { condition, body } => {
                rewrite(condition, f);
                rewrite_expressions(body, f);
            }
            Act::For {
                from,
                to,
                step,
                body,
                ..
            } => {
                rewrite(from, f);
                rewrite(to, f);
                step.iter_mut().for_each(|e| rewrite(e, f));
                rewrite_expressions(body, f);
            }
            Act::Parallel { from, to, body, .. } | Act::Lanes { from, to, body, .. } => {
                rewrite(from, f);
                rewrite(to, f);
                rewrite_expressions(body, f);
            }
            Act::Array { body, .. } | Act::Recorded { body, .. } | Act::Timed(body) => {
                rewrite_expressions(body, f);
            }
            Act::Async(branches) => branches.iter_mut().for_each(|b| rewrite_expressions(b, f)),
            Act::Report { values, .. } => values.iter_mut().for_each(|e| rewrite(e, f)),
            Act::Perform { arguments, .. } => {
                arguments.iter_mut().for_each(|a| rewrite(&mut a.value, f));
            }
            Act::Launch {
                blocks, threads, ..
            } => {
                rewrite(blocks, f);
                rewrite(threads, f);
            }
            Act::Row { row, .. } => rewrite(row, f),
            Act::Comment(_)
            | Act::ControlPoint(_)
            | Act::WaitPoint(_)
            | Act::WaitDevice
            | Act::Ask
            | Act::Undefined
            | Act::Save(_)
            | Act::Registers(_)
            | Act::Exchange(..)
            | Act::Barrier
            | Act::Allocate { .. }
            | Act::CopyToDevice(_)
            | Act::CopyFromDevice(_)
            | Act::Result(_)
            | Act::OnHost { .. }
            | Act::Free(_) => {}
        }
    }
}

/// The same for an expression.
fn rewrite(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(e);
    match &mut e.node {
        Node::Int(_) | Node::Real(_) | Node::Bool(_) | Node::Var(_) | Node::Index(_) => {}
        Node::Component(a, _)
        | Node::Convert(a)
        | Node::Negate(a)
        | Node::Not(a)
        | Node::Power(a, _) => rewrite(a, f),
        Node::Arithmetic(_, a, b) | Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
            rewrite(a, f);
            rewrite(b, f);
        }
        Node::Select(a, b, c) => {
            rewrite(a, f);
            rewrite(b, f);
            rewrite(c, f);
        }
        Node::Cell {
            subscripts: all, ..
        }
        | Node::Call(_, all)
        | Node::Vector(all) => {
            all.iter_mut().for_each(|a| rewrite(a, f));
        }
        Node::Holds { arguments, .. } => {
            arguments.iter_mut().for_each(|a| rewrite(&mut a.value, f));
        }
    }
}

/// The variable that a target is, or is a cell or component of.
pub fn root(target: &Expr) -> Option<Var> {
    match &target.node {
        Node::Var(var) => Some(*var),
        Node::Cell { array, .. } => Some(*array),
        Node::Component(inner, _) => root(inner),
        _ => None,
    }
}

/// The variables that a statement itself gives values, each with whether that is an indivisible action.
pub(super) fn given_values(act: &Act) -> Vec<(Var, bool)> {
    let at = |target: &Expr, atomic: bool| root(target).map(|var| (var, atomic));
    match act {
        Act::Assign { target, .. } => at(target, false).into_iter().collect(),
        Act::Atomic { target, was, .. } => {
            let was = was.as_ref().and_then(|was| at(was, false));
            at(target, true).into_iter().chain(was).collect()
        }
        Act::CopyFromDevice(var) | Act::Result(var) => vec![(*var, false)],
        Act::Exchange(_, vars) => vars.iter().map(|&var| (var, false)).collect(),
        Act::Perform { arguments, .. } => {
            let written = arguments.iter().filter(|a| a.is_written());
            written.filter_map(|a| at(&a.value, false)).collect()
        }
        Act::Comment(_)
        | Act::Local { .. }
        | Act::If { .. }
        | Act::While { .. }
        | Act::For { .. }
        | Act::Parallel { .. }
        | Act::Lanes { .. }
        | Act::Array { .. }
        | Act::Recorded { .. }
        | Act::Timed(_)
        | Act::Async(_)
        | Act::ControlPoint(_)
        | Act::WaitPoint(_)
        | Act::WaitDevice
        | Act::Ask
        | Act::Filter(_)
        | Act::Undefined
        | Act::Report { .. }
        | Act::Save(_)
        | Act::Launch { .. }
        | Act::Registers(_)
        | Act::Row { .. }
        | Act::Barrier
        | Act::Allocate { .. }
        | Act::CopyToDevice(_)
        | Act::OnHost { .. }
        | Act::Free(_) => Vec::new(),
    }
}

/// The variable that a statement declares, for what is in it or comes after it.
pub fn declared(act: &Act) -> Option<Var> {
    match act {
        Act::Local { var, .. }
        | Act::For { var, .. }
        | Act::Parallel { var, .. }
        | Act::Lanes { var, .. }
        | Act::Array { var, .. }
        | Act::Registers(var)
        | Act::Row { var, .. } => Some(*var),
        Act::Comment(_)
        | Act::Assign { .. }
        | Act::Atomic { .. }
        | Act::If { .. }
        | Act::While { .. }
        | Act::Async(_)
        | Act::ControlPoint(_)
        | Act::WaitPoint(_)
        | Act::WaitDevice
        | Act::Ask
        | Act::Filter(_)
        | Act::Undefined
        | Act::Timed(_)
        | Act::Recorded { .. }
        | Act::Report { .. }
        | Act::Save(_)
        | Act::Perform { .. }
        | Act::Launch { .. }
        | Act::Exchange(..)
        | Act::Barrier
        | Act::Allocate { .. }
        | Act::CopyToDevice(_)
        | Act::CopyFromDevice(_)
        | Act::Result(_)
        | Act::OnHost { .. }
        | Act::Free(_) => None,
    }
}

/// Calls `f` with the variable of every assignment, and whether it is an indivisible action.
pub fn for_each_place(body: &[Stmt], f: &mut dyn FnMut(Var, bool)) {
    each_statement(body, &mut |stmt| {
        for (var, atomic) in given_values(&stmt.act) {
            f(var, atomic);
        }
    });
}

/// Which variables something of a plan reads, by their numbers.
pub fn read_in(plan: &Plan) -> Vec<bool> {
    let mut read = vec![false; plan.variables.len()];
    let mut note = |var: Var| read[var.0 as usize] = true;
    reads(&plan.body, &mut note);
    for kernel in &plan.kernels {
        reads(&kernel.body, &mut note);
    }
    read
}

/// Calls `f` with every variable whose value statements read.
pub fn reads(body: &[Stmt], f: &mut dyn FnMut(Var)) {
    each_statement(body, &mut |stmt| {
        if let Act::Exchange(_, vars) = &stmt.act {
            vars.iter().for_each(|v| f(*v));
        }
    });
    let mut visit = |e: &Expr| match e.node {
        Node::Var(var) => f(var),
        Node::Cell { array, .. } => f(array),
        _ => {}
    };
    each_statement(body, &mut |stmt| {
        let (target, rest) = match &stmt.act {
            Act::Assign { target, value } => (Some(target), vec![value]),
            _ => (None, own(stmt)),
        };
        for e in rest {
            expressions(e, &mut visit);
        }
        // Of a target only the subscripts are read.
        let mut inner = target;
        while let Some(Expr {
            node: Node::Component(next, _),
            ..
        }) = inner
        {
            inner = Some(&**next);
        }
        if let Some(Expr {
            node: Node::Cell { subscripts, .. },
            ..
        }) = inner
        {
            for s in subscripts {
                expressions(s, &mut visit);
            }
        }
    });
}

/// Whether all that statements do is to give back memory on the device.
pub fn only_frees(statements: &[Stmt]) -> bool {
    statements.iter().all(|s| matches!(s.act, Act::Free(_)))
}
