//! What a plan shows to the outside, and what its parts need of each other.

use super::{Act, Data, Expr, Node, Plan, Stmt, Var};
use crate::algebra::{Precision, Type};
use crate::term::visible_line;
use std::collections::BTreeSet;

/// The arrays of DATA.
pub fn arrays(plan: &Plan) -> impl Iterator<Item = &Data> {
    plan.data
        .iter()
        .filter(|item| !plan.var(item.var).dims.is_empty())
}

/// How many components the vectors of a plan have, and of which precision.
pub fn vector_types(plan: &Plan) -> BTreeSet<(u8, Precision)> {
    let mut types = BTreeSet::new();
    let mut note = |ty: Type| {
        if let Type::Vector(n, precision) = ty {
            types.insert((n, precision));
        }
    };
    plan.variables.iter().for_each(|v| note(v.ty));
    let sizes_of = plan.variables.iter().flat_map(|v| &v.dims);
    let values = plan.data.iter().flat_map(|item| &item.values);
    for e in sizes_of.chain(values) {
        super::expressions(e, &mut |e| note(e.ty));
    }
    let mut bodies: Vec<&[Stmt]> = vec![&plan.body];
    bodies.extend(plan.kernels.iter().map(|k| k.body.as_slice()));
    for body in bodies {
        super::each_expression(body, &mut |e| note(e.ty));
    }
    types
}

/// The parameters that sizes of arrays depend on.
pub fn size_variables(plan: &Plan) -> Vec<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    for item in arrays(plan) {
        for dim in &plan.var(item.var).dims {
            super::expressions(dim, &mut |e| {
                if let Node::Var(var) = e.node {
                    used.insert(var);
                }
            });
        }
    }
    used.into_iter().collect()
}

/// The parameters that a default depends on.
pub fn default_variables(default: &Expr) -> Vec<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    super::expressions(default, &mut |e| {
        if let Node::Var(var) = e.node {
            used.insert(var);
        }
    });
    used.into_iter().collect()
}

/// The parameters that the values and sizes of an item of DATA depend on.
pub fn value_variables(plan: &Plan, item: &Data) -> Vec<Var> {
    let all = item.values.iter().chain(&plan.var(item.var).dims);
    let used: BTreeSet<Var> = all.flat_map(default_variables).collect();
    used.into_iter().collect()
}

/// Variables of DATA and parameters that the body uses.
pub fn used_by_body(plan: &Plan) -> BTreeSet<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    super::reads(&plan.body, &mut |var| {
        used.insert(var);
    });
    super::for_each_place(&plan.body, &mut |var, _| {
        used.insert(var);
    });
    super::each_statement(&plan.body, &mut |stmt| match &stmt.act {
        Act::Save(number) => {
            used.insert(plan.series[*number].var);
        }
        Act::Allocate { var, .. } | Act::CopyToDevice(var) | Act::Free(var) => {
            used.insert(*var);
        }
        Act::Launch { kernel, .. } => {
            let kernel = &plan.kernels[*kernel];
            used.extend(kernel.scalars.iter().copied());
            used.extend(kernel.arrays.iter().map(|a| a.var));
        }
        Act::Array { var, .. } => {
            for dim in &plan.var(*var).dims {
                used.extend(default_variables(dim));
            }
        }
        // All their variables stand in their expressions, or get values.
        Act::Comment(_)
        | Act::Local { .. }
        | Act::Assign { .. }
        | Act::Atomic { .. }
        | Act::If { .. }
        | Act::While { .. }
        | Act::For { .. }
        | Act::Parallel { .. }
        | Act::Lanes { .. }
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
        | Act::Perform { .. }
        | Act::Registers(_)
        | Act::Row { .. }
        | Act::Exchange(..)
        | Act::Barrier
        | Act::CopyFromDevice(_)
        | Act::Result(_)
        | Act::OnHost { .. } => {}
    });
    for kernel in &plan.kernels {
        for shared in &kernel.shared {
            for dim in &plan.var(shared.var).dims {
                used.extend(default_variables(dim));
            }
        }
    }
    for item in &plan.data {
        if !item.values.is_empty() && !item.input {
            used.insert(item.var);
            used.extend(item.values.iter().flat_map(default_variables));
        }
    }
    used
}

/// Whether branches of a program meet at control points.
pub fn plan_has_points(plan: &Plan) -> bool {
    let mut found = false;
    super::each_statement(&plan.body, &mut |s| {
        found |= matches!(
            s.act,
            Act::Async(_) | Act::ControlPoint(_) | Act::WaitPoint(_)
        );
    });
    found
}

/// Whether a plan has anything to do with the device.
pub fn uses_device(plan: &Plan) -> bool {
    !plan.on_device.is_empty() || !plan.kernels.is_empty()
}

/// Whether a program writes reports or times, or asks its caller.
pub fn uses_reports(plan: &Plan) -> bool {
    let mut found = false;
    super::each_statement(&plan.body, &mut |s| {
        found |= matches!(
            s.act,
            Act::Report { .. } | Act::Timed(_) | Act::Save(_) | Act::Ask
        );
    });
    found
}

/// Whether a program tells its caller of anything while it runs, or asks it.
pub fn tells(plan: &Plan) -> bool {
    let mut found = false;
    super::each_statement(&plan.body, &mut |s| {
        found |= matches!(s.act, Act::Report { .. } | Act::Save(_) | Act::Ask);
    });
    found
}

/// The text that an emitted program prints for `--help`.
pub fn help(plan: &Plan) -> String {
    let mut text = format!(
        "{}\n\nusage: {} ",
        visible_line(&plan.title.replace('\n', " ")),
        plan.name
    );
    if plan.data.iter().any(|d| d.input && !d.has_own_values()) {
        text.push_str("--in DIR ");
    } else if plan.data.iter().any(|d| d.input) {
        text.push_str("[--in DIR] ");
    }
    text.push_str(&format!(
        "[--out DIR] [--set NAME=VALUE]...\n       {} --lines: a run for each line of standard input, \
         arguments between tabs\n",
        plan.name
    ));
    let list = |text: &mut String, title: &str, all: Vec<&str>| {
        if !all.is_empty() {
            text.push_str(&format!("\n{title}: {}\n", all.join(", ")));
        }
    };
    let key = |var: Var| plan.var(var).key.as_str();
    let of = |wanted: fn(&Data) -> bool| -> Vec<&str> {
        let all = plan.data.iter().filter(|d| wanted(d));
        all.map(|d| key(d.var)).collect()
    };
    let parameters = plan.parameters.iter().map(|p| key(p.var)).collect();
    list(&mut text, "parameters", parameters);
    list(
        &mut text,
        "read from NAME.npy",
        of(|d| d.input && !d.has_own_values()),
    );
    list(
        &mut text,
        "read from NAME.npy where it is there",
        of(Data::has_own_values),
    );
    list(&mut text, "written to NAME.npy", of(|d| d.output));
    text
}

/// Parameters that alone are a dimension of an INPUT array, with where they are: array and axis.
pub fn inferred(plan: &Plan) -> Vec<(Var, Vec<(Var, usize)>)> {
    let mut found = Vec::new();
    for parameter in &plan.parameters {
        let mut places = Vec::new();
        for item in plan.data.iter().filter(|d| d.input) {
            for (axis, dim) in plan.var(item.var).dims.iter().enumerate() {
                if dim.node == Node::Var(parameter.var) {
                    places.push((item.var, axis));
                }
            }
        }
        if !places.is_empty() {
            found.push((parameter.var, places));
        }
    }
    found
}

/// Whether `main` computes the sizes of arrays.
pub fn needs_sizes(plan: &Plan) -> bool {
    let array = |var: Var| !plan.var(var).dims.is_empty();
    let shown = plan
        .data
        .iter()
        .any(|d| (d.input || d.output) && array(d.var));
    // The sizes of a scoped array are the algorithm's own.
    let saved = plan
        .series
        .iter()
        .any(|s| plan.data.iter().any(|d| d.var == s.var));
    shown || saved
}
