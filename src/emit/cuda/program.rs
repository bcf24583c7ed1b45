//! The library of an emitted CUDA project: its interface, and `run`.

use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::c::{self, Passed};
use crate::emit::plan::{self, Act, Data, Expr, Node, Plan, Runs, Var, arrays};
use crate::emit::text::{Lines, c_string};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The sizes of arrays, beside what the header says of them.
pub(in crate::emit) fn sizes(plan: &Plan, printer: &mut Printer, said: &mut Value) {
    let checked = std::mem::replace(&mut printer.checked, true);
    for (item, said) in arrays(plan).zip(each(said)) {
        let variable = plan.var(item.var);
        let each: Vec<String> = variable.dims.iter().map(|d| printer.any(d)).collect();
        said["key"] = json!(c_string(&variable.key));
        said["dims"] = json!(each.join(", "));
        said["each"] = json!(each);
    }
    printer.checked = checked;
}

/// The values of defaults, beside what the header says of them.
pub(in crate::emit) fn defaults(plan: &Plan, printer: &mut Printer, said: &mut Value) {
    let checked = std::mem::replace(&mut printer.checked, true);
    let computed = plan.parameters.iter().filter(|p| !p.default.is_literal());
    for (p, said) in computed.zip(each(said)) {
        said["value"] = json!(printer.any(&p.default));
    }
    printer.checked = checked;
}

/// What writes values of inputs where no file gives them, beside what the header says of it.
pub(in crate::emit) fn values(plan: &Plan, printer: &mut Printer, said: &mut Value) {
    let inputs = plan.data.iter().filter(|d| d.has_own_values());
    for (item, said) in inputs.zip(each(said)) {
        let variable = plan.var(item.var);
        let name = &variable.name;
        let outer = std::mem::replace(&mut printer.lines, Lines::new(2));
        if let (Type::Vector(..), Some(packed)) = (variable.ty, said["to"].as_str()) {
            let inner = printer.type_name(variable.ty);
            let line = format!("auto *const {name} = reinterpret_cast<{inner} *>({packed});");
            printer.lines.line(line);
        }
        if variable.dims.is_empty() {
            printer.references.insert(item.var);
        }
        assign_values(plan, item, printer);
        if variable.dims.is_empty() {
            printer.references.remove(&item.var);
        }
        said["body"] = json!(std::mem::replace(&mut printer.lines, outer).finish());
    }
}

/// The elements of a list of values.
fn each(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.as_array_mut().into_iter().flatten()
}

/// Prints assignments of the values that DATA gives.
fn assign_values(plan: &Plan, item: &Data, printer: &mut Printer) {
    let variable = plan.var(item.var);
    for (subscripts, value) in item.places.iter().zip(&item.values) {
        let node = match variable.dims.is_empty() {
            true => Node::Var(item.var),
            false => Node::Cell {
                array: item.var,
                subscripts: subscripts
                    .iter()
                    .map(|&s| Expr::int(Type::I32, s))
                    .collect(),
            },
        };
        let target = Expr::new(variable.ty, node);
        // Values beyond the array's end are an error whatever is checked.
        let checked = std::mem::replace(&mut printer.checked, true);
        let (place, value) = (printer.place(&target), printer.any(value));
        printer.checked = checked;
        printer.lines.line(format!("{place} = {value};"));
    }
}

/// The arguments of the function in C, of which each is reached by its address.
pub(in crate::emit) fn by_address(plan: &Plan) -> Value {
    let arguments = c::arguments(plan).into_iter().enumerate();
    let all = arguments.map(|(k, argument)| {
        let variable = plan.var(argument.var);
        let ty = c::type_name(variable.ty);
        json!({
            "key": c_string(&variable.key),
            "value": argument.passed == Passed::Value,
            "single": variable.dims.is_empty(),
            "from": match argument.passed {
                Passed::Value => format!("*static_cast<const {ty} *>(arguments[{k}])"),
                Passed::Read => format!("static_cast<const {ty} *>(arguments[{k}])"),
                Passed::Written => {
                    format!("static_cast<{ty} *>(const_cast<void *>(arguments[{k}]))")
                }
            },
        })
    });
    all.collect()
}

/// Whether a parameter is part of a size of an array that is linearized.
pub(super) fn is_size(plan: &Plan, var: Var) -> bool {
    plan::size_variables(plan).contains(&var)
}

/// Whether the number of an array's elements is used by the body.
pub(super) fn needs_count(plan: &Plan, var: Var) -> bool {
    let mut found = plan.series.iter().any(|s| s.var == var);
    plan::each_statement(&plan.body, &mut |s| {
        found |= matches!(s.act, Act::Allocate { var: v, .. } if v == var);
    });
    found
}

/// `run`: what the host does.
pub(in crate::emit) fn body(plan: &Plan, printer: &mut Printer) -> String {
    let used = plan::used_by_body(plan);
    let lent = plan::places::lent(plan);
    let mut parameters: Vec<(Option<u32>, String)> = plan
        .parameters
        .iter()
        .filter(|p| used.contains(&p.var) || is_size(plan, p.var))
        .map(|p| {
            let ty = printer.type_name(printer.ty(p.var));
            (Some(p.origin), format!("{ty} {}", plan.var(p.var).name))
        })
        .collect();
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let (name, ty) = (&variable.name, printer.type_name(variable.ty));
        let array = !variable.dims.is_empty();
        let mut push = |text: String| parameters.push((Some(item.origin), text));
        if array && needs_count(plan, item.var) {
            push(format!("size_t {}", printer.count_name(item.var)));
        }
        match (array, item.input || item.output) {
            (true, true) if !item.output && !variable.assigned => {
                push(format!("const {ty} *{name}"));
            }
            (true, _) => push(format!("{ty} *{name}")),
            (false, true) if item.output => {
                printer.references.insert(item.var);
                push(format!("{ty} *{name}"));
            }
            (false, true) => push(format!("const {ty} {name}")),
            (false, false) => {}
        }
        if array && lent.contains(&item.var) {
            let device = printer.device_name(item.var);
            push(format!("DeviceArray<{ty}> &{device}"));
        }
    }
    parameters.push((None, "const Caller &caller".into()));
    printer.lines = Lines::default();
    printer.lines.line("void run(");
    let last = parameters.len() - 1;
    for (k, (origin, parameter)) in parameters.iter().enumerate() {
        let end = match k == last {
            true => ") {",
            false => ",",
        };
        printer.lines.set_origin(*origin);
        printer.lines.line(format!("        {parameter}{end}"));
    }
    printer.lines.open_silently();
    let mut reports = false;
    plan::each_statement(&plan.body, &mut |s| {
        reports |= matches!(s.act, Act::Report { .. } | Act::Save(_));
    });
    if !reports {
        printer.lines.line("(void)caller;");
    }
    declare_data(plan, &used, printer);
    let by_code = plan.functions.iter().any(|f| f.runs == Runs::Launch);
    if !plan.kernels.is_empty() || by_code {
        let stream = printer.stream_name();
        // What is recorded goes on another one meanwhile.
        let constant = ["const ", ""][usize::from(plan.recordings > 0)];
        let line = format!("{constant}cudaStream_t {stream} = Work::now().stream();");
        printer.lines.line(line);
    }
    if printer.cores && !plan.points.is_empty() {
        printer.uses.insert("points");
        let (points, count) = (printer.points_name(), plan.points.len());
        printer.lines.line(format!("Points {points}({count});"));
    }
    for number in 0..plan.recordings * usize::from(!printer.cores) {
        let recording = printer.recording_name(number);
        printer.lines.line(format!("Recording {recording};"));
    }
    printer.block(&plan.body);
    printer.lines.close("}");
    std::mem::take(&mut printer.lines).finish()
}

/// Working scalars, values that DATA gives, and memory on the device.
pub(super) fn declare_data(plan: &Plan, used: &BTreeSet<Var>, printer: &mut Printer) {
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        printer.lines.set_origin(Some(item.origin));
        let variable = plan.var(item.var);
        let (name, ty) = (variable.name.clone(), printer.type_name(variable.ty));
        let array = !variable.dims.is_empty();
        if !array && !item.input && !item.output {
            let value = item.values.first().map(|v| printer.any(v));
            let value = value.unwrap_or_else(|| zero(ty, variable.ty));
            printer.lines.line(format!("{ty} {name} = {value};"));
            printer.lines.line(format!("(void){name};"));
        } else if !item.input {
            assign_values(plan, item, printer);
        }
        if array && !(item.input || item.output) {
            printer.declare_device(item.var);
        }
    }
    printer.lines.set_origin(None);
}

pub(super) fn zero(name: &str, ty: Type) -> String {
    match ty {
        Type::Bool => "false".into(),
        Type::Vector(..) => format!("{name}{{}}"),
        _ => "0".into(),
    }
}
