//! The library of an emitted crate: its interface, and `run`.

use super::expression::level;
use super::printer::{Access, Printer};
use crate::algebra::Type;
use crate::emit::names;
use crate::emit::plan::{
    Act, Data, Expr, Node, Plan, Var, arrays, default_variables, each_expression, each_statement,
    plan_has_points, size_variables, used_by_body, uses_device, uses_reports, value_variables,
};
use crate::emit::text::{Lines, comment, rust_string};
use indexmap::IndexSet;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The fields of the series in the reports. Each has a second one, which counts the snapshots: `x`, `x_times`.
pub(super) fn series_fields(plan: &Plan) -> Vec<String> {
    let mut fields: IndexSet<String> = IndexSet::new();
    let counts = |name: &str| format!("{name}_times");
    for series in &plan.series {
        let base = names::field_name(&series.label, names::Alphabet::Ukrainian);
        let taken = |name: &str| {
            let is_count = fields.iter().any(|field| counts(field) == name);
            let is_field = fields.contains(name) || fields.contains(&counts(name));
            matches!(name, "rows" | "seconds") || is_count || is_field
        };
        let mut name = base.clone();
        let mut count = 1;
        while taken(&name) {
            count += 1;
            name = format!("{base}_{count}");
        }
        fields.insert(name);
    }
    fields.into_iter().collect()
}

pub(super) fn series(plan: &Plan, printer: &Printer) -> Value {
    plan.series
        .iter()
        .enumerate()
        .map(|(number, s)| {
            json!({
                "array": comment(&plan.var(s.var).key),
                "field": printer.series_fields[number],
                "element": public_type(printer, s.var),
                "label": rust_string(&s.label),
                "vector": matches!(printer.ty(s.var), Type::Vector(..)),
                "cell": match printer.ty(s.var) {
                    ty @ Type::Vector(..) => format!("vector::{}", printer.type_name(ty)),
                    ty => printer.type_name(ty).to_owned(),
                },
            })
        })
        .collect()
}

pub(super) fn sizes(plan: &Plan, dims: &[(Var, String)]) -> Value {
    dims.iter()
        .map(|(var, dims)| {
            let variable = plan.var(*var);
            json!({
                "name": variable.name,
                "rank": variable.dims.len(),
                "key": rust_string(&variable.key),
                "dims": dims,
            })
        })
        .collect()
}

pub(super) fn typed_name(printer: &Printer, var: Var) -> String {
    let ty = printer.type_name(printer.ty(var));
    format!("{}: {ty}", printer.plan.var(var).name)
}

pub(super) fn size_parameters(plan: &Plan, printer: &Printer) -> String {
    let all = size_variables(plan).into_iter();
    let all: Vec<String> = all.map(|v| typed_name(printer, v)).collect();
    all.join(", ")
}

/// A call of `Sizes::new`.
pub(super) fn sizes_call(plan: &Plan) -> String {
    let names: Vec<&str> = size_variables(plan)
        .into_iter()
        .map(|v| plan.var(v).name.as_str())
        .collect();
    format!("Sizes::new({})", names.join(", "))
}

/// The arguments of the library's function.
pub(super) fn arguments(plan: &Plan, printer: &Printer) -> Vec<String> {
    let parameters = plan.parameters.iter().map(|p| typed_name(printer, p.var));
    let data = plan
        .data
        .iter()
        .filter(|d| d.input || d.output)
        .map(|item| {
            let name = &plan.var(item.var).name;
            let ty = public_type(printer, item.var);
            match (printer.is_array(item.var), item.output) {
                (true, true) => format!("{name}: &mut [{ty}]"),
                (true, false) => format!("{name}: &[{ty}]"),
                (false, true) => format!("{name}: &mut {ty}"),
                (false, false) => format!("{name}: {ty}"),
            }
        });
    parameters.chain(data).collect()
}

/// Defaults of parameters that depend on other parameters, as functions.
pub(super) fn defaults(plan: &Plan, printer: &mut Printer) -> String {
    let mut lines = Lines::default();
    for parameter in plan.parameters.iter().filter(|p| !p.default.is_literal()) {
        let variable = plan.var(parameter.var);
        let of: Vec<String> = default_variables(&parameter.default)
            .into_iter()
            .map(|v| typed_name(printer, v))
            .collect();
        let ty = printer.type_name(variable.ty);
        lines.line(format!("/// The default of `{}`.", comment(&variable.key)));
        lines.open(format!(
            "pub fn default_{}({}) -> Result<{ty}, Error> {{",
            variable.name,
            of.join(", ")
        ));
        let value = printer.typed(&parameter.default);
        lines.line(format!("error::guard(|| {value})"));
        lines.close("}");
        lines.line("");
    }
    lines.finish()
}

/// Values of inputs where no file gives them, as functions.
pub(super) fn values(plan: &Plan, printer: &mut Printer) -> String {
    let mut lines = Lines::default();
    for item in plan.data.iter().filter(|d| d.has_own_values()) {
        let variable = plan.var(item.var);
        let (name, key) = (&variable.name, rust_string(&variable.key));
        let of: Vec<String> = value_variables(plan, item)
            .into_iter()
            .map(|v| typed_name(printer, v))
            .collect();
        let array = !variable.dims.is_empty();
        let ty = public_type(printer, item.var);
        let whole = match array {
            true => format!("Vec<{ty}>"),
            false => ty.clone(),
        };
        let values: Vec<String> = item.values.iter().map(|v| plain(printer, v)).collect();
        lines.line(format!(
            "/// The values of `{}` where nothing else gives them.",
            comment(&variable.key)
        ));
        lines.open(format!(
            "pub fn values_of_{name}({}) -> Result<{whole}, Error> {{",
            of.join(", ")
        ));
        if array {
            let dims = printer.dims(item.var);
            lines.open("error::guard(|| {");
            lines.line(format!(
                "let mut {name} = array::array::<{ty}>({key}, &array::size({key}, [{dims}]));"
            ));
            for (i, value) in values.iter().enumerate() {
                lines.line(format!("{name}[{i}] = {value};"));
            }
            lines.line(format!("memory::copied({key}, &{name})"));
            lines.close("})");
        } else {
            lines.line(format!("error::guard(|| {})", values[0]));
        }
        lines.close("}");
        lines.line("");
    }
    lines.finish()
}

/// A value as the library's interface has it: vectors are arrays of their components.
fn plain(printer: &mut Printer, value: &Expr) -> String {
    match value.ty {
        Type::Vector(..) => format!("{}.to_array()", printer.expr(value, level::POSTFIX)),
        _ => printer.typed(value),
    }
}

/// A scalar of DATA as an argument of `run`.
pub(super) fn scalar_argument(printer: &Printer, item: &Data) -> String {
    let name = &printer.plan.var(item.var).name;
    match (printer.ty(item.var), item.output) {
        (ty @ Type::Vector(..), true) => {
            let ty = printer.type_name(ty);
            format!("&mut {ty}::of_mut(std::slice::from_mut({name}))[0]")
        }
        (ty @ Type::Vector(..), false) => format!("{}::of(&[{name}])[0]", printer.type_name(ty)),
        _ => name.clone(),
    }
}

/// Whether `run` names the sizes of an array: to reach a cell by several subscripts, itself or in
/// a kernel that it passes them to.
pub(super) fn needs_dims(printer: &Printer, var: Var) -> bool {
    let mut here = !printer.cuda;
    each_expression(&printer.plan.body, &mut |e| {
        here |= matches!(e.node, Node::Cell { array, .. } if array == var);
    });
    here && printer.plan.var(var).dims.len() > 1
}

/// Whether `run` names the device itself: for memory there, or to wait for it.
pub(super) fn run_needs_device(plan: &Plan) -> bool {
    let mut waits = false;
    each_statement(&plan.body, &mut |s| {
        waits |= matches!(s.act, Act::WaitDevice | Act::Timed(_));
    });
    !plan.on_device.is_empty() || uses_device(plan) && waits
}

/// `run`, and the kernels where the processor runs them. In a module of its own, `run` is public.
pub(super) fn body(plan: &Plan, printer: &mut Printer, apart: bool) -> String {
    let used = used_by_body(plan);
    printer.lines = Lines::default();
    printer.lines.open(match apart {
        true => "pub fn run(",
        false => "fn run(",
    });
    let several =
        arrays(plan).any(|item| used.contains(&item.var) && needs_dims(printer, item.var));
    for parameter in plan.parameters.iter().filter(|p| used.contains(&p.var)) {
        let text = typed_name(printer, parameter.var);
        printer.lines.set_origin(Some(parameter.origin));
        printer.lines.line(format!("{text},"));
    }
    printer.lines.set_origin(None);
    if several {
        printer.lines.line("sizes: &Sizes,");
    }
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let (name, ty) = (variable.name.clone(), printer.type_name(variable.ty));
        let constant = item.input && !item.output && !variable.assigned;
        let text = match (!variable.dims.is_empty(), constant) {
            (true, true) => format!("{name}: &[{ty}]"),
            (true, false) => format!("{name}: &mut [{ty}]"),
            (false, _) if item.output => {
                printer.set_access(item.var, Access::Reference);
                format!("{name}: &mut {ty}")
            }
            (false, _) if item.input => format!("{name}: {ty}"),
            (false, _) => continue,
        };
        printer.lines.set_origin(Some(item.origin));
        printer.lines.line(format!("{text},"));
    }
    printer.lines.set_origin(None);
    if printer.cuda && run_needs_device(plan) {
        printer.lines.line("device: &Device,");
    }
    if printer.cuda && !plan.kernels.is_empty() {
        printer.lines.line("kernels: &Kernels,");
    }
    let reports = match uses_reports(plan) {
        true => "reports",
        false => "_reports",
    };
    printer.lines.line(format!("{reports}: &mut Reports,"));
    printer.lines.turn(") {");
    declare_data(plan, &used, printer);
    if plan_has_points(plan) {
        printer.uses.insert("points");
        let count = plan.points.len();
        printer
            .lines
            .line(format!("let points = &Points::new({count});"));
    }
    printer.block(&plan.body);
    printer.lines.close("}");
    printer.functions();
    if !printer.cuda {
        for kernel in &plan.kernels {
            printer.lines.line("");
            printer.kernel(kernel);
        }
    }
    let mut text = std::mem::take(&mut printer.lines).finish();
    for function in &printer.lane_functions {
        text.push('\n');
        text.push_str(function);
    }
    text
}

/// Sizes, working scalars, values that DATA gives, and memory on the device.
pub(super) fn declare_data(plan: &Plan, used: &BTreeSet<Var>, printer: &mut Printer) {
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        printer.lines.set_origin(Some(item.origin));
        let variable = plan.var(item.var);
        let name = variable.name.clone();
        if needs_dims(printer, item.var) {
            let dims = printer.dims_name(item.var);
            printer.lines.line(format!("let {dims} = sizes.{name};"));
        }
        let ty = printer.type_name(variable.ty);
        if variable.dims.is_empty() && !item.input && !item.output {
            let zero = match item.values.first() {
                Some(value) => printer.typed(value),
                None => printer.zero(variable.ty),
            };
            let mutable = match variable.assigned {
                true => "mut ",
                false => "",
            };
            printer
                .lines
                .line(format!("let {mutable}{name}: {ty} = {zero};"));
        } else if !item.values.is_empty() && !item.input {
            if variable.dims.is_empty() {
                let value = printer.typed(&item.values[0]);
                printer.lines.line(format!("*{name} = {value};"));
            } else {
                for (i, value) in item.values.iter().enumerate() {
                    let value = printer.typed(value);
                    printer.lines.line(format!("{name}[{i}] = {value};"));
                }
            }
        }
        if !variable.dims.is_empty() {
            printer.declare_device(item.var);
        }
    }
    printer.lines.set_origin(None);
}

/// The type of a variable, or of an array's elements, in the library's interface.
pub(super) fn public_type(printer: &Printer, var: Var) -> String {
    match printer.ty(var) {
        Type::Vector(n, p) => format!("[{}; {n}]", printer.type_name(p.real())),
        ty => printer.type_name(ty).to_owned(),
    }
}
