//! What `c.rs` holds besides what its template says: the functions of C for a crate's library.

use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::c::{self, Argument, Passed};
use crate::emit::plan::{Plan, Var, arrays, default_variables, size_variables, value_variables};
use crate::emit::text::rust_string;
use serde_json::{Value, json};

/// The values of `c.rs`'s template.
pub(super) fn values(plan: &Plan, printer: &mut Printer, target: &str) -> Value {
    let sizes = arrays(plan).map(|item| {
        let variable = plan.var(item.var);
        json!({"name": variable.name, "rank": variable.dims.len()})
    });
    let description = c::description(plan, target);
    let of_size = size_variables(plan);
    json!({
        "name": plan.name,
        "series": !plan.series.is_empty(),
        "sizes": sizes.collect::<Value>(),
        "size_parameters": declared(plan, &of_size),
        "size_names": names(plan, &of_size),
        "parameters": parameters(plan, printer),
        "data": c::arguments(plan).iter().filter_map(|a| datum(plan, a)).collect::<Value>(),
        "defaults": defaults(plan, printer),
        "own_values": own_values(plan, printer),
        "arguments": c::arguments(plan).iter().enumerate()
            .map(|(k, a)| argument(plan, k, a)).collect::<Value>(),
        "description": description.iter().map(|line| rust_string(line)).collect::<Value>(),
        "report": printer.extra("report"),
        "save": printer.extra("save"),
        "user": printer.extra("user"),
        "caller": printer.extra("caller"),
    })
}

/// A type as C knows it, vectors as arrays of their components.
fn cell_type(ty: Type) -> String {
    match ty {
        Type::Vector(n, p) => format!("[{}; {n}]", cell_type(p.real())),
        Type::Bool => "bool".into(),
        Type::I64 => "i64".into(),
        Type::F32 => "f32".into(),
        Type::F64 => "f64".into(),
        Type::I32 | Type::Unknown => "i32".into(),
    }
}

/// Parameters of a function.
fn declared(plan: &Plan, vars: &[Var]) -> Vec<String> {
    let one = |v: &Var| format!("{}: {}", plan.var(*v).name, cell_type(plan.var(*v).ty));
    vars.iter().map(one).collect()
}

/// Parameters as arguments of a call.
fn names(plan: &Plan, vars: &[Var]) -> String {
    let names: Vec<&str> = vars.iter().map(|&v| plan.var(v).name.as_str()).collect();
    names.join(", ")
}

fn argument(plan: &Plan, k: usize, argument: &Argument<'_>) -> Value {
    let variable = plan.var(argument.var);
    let (name, key) = (&variable.name, rust_string(&variable.key));
    let (cell, component) = (cell_type(variable.ty), cell_type(variable.ty.component()));
    let array = !variable.dims.is_empty();
    json!({
        "name": name,
        "key": key,
        "declared": match argument.passed {
            Passed::Value => component.clone(),
            Passed::Read => format!("*const {component}"),
            Passed::Written => format!("*mut {component}"),
        },
        "from": match argument.passed {
            Passed::Value => format!("caller::value({key}, all[{k}].cast())?"),
            Passed::Read => format!("all[{k}].cast()"),
            Passed::Written => format!("all[{k}].cast_mut().cast()"),
        },
        "passed": match (argument.passed, array) {
            (Passed::Value, _) => name.clone(),
            (Passed::Read, true) => {
                format!("caller::cells::<{cell}>({key}, {name}.cast(), &sizes.{name})?")
            }
            (Passed::Read, false) => format!("caller::value::<{cell}>({key}, {name}.cast())?"),
            (Passed::Written, true) => {
                format!("caller::cells_mut::<{cell}>({key}, {name}.cast(), &sizes.{name})?")
            }
            (Passed::Written, false) => {
                format!("caller::cell_mut::<{cell}>({key}, {name}.cast())?")
            }
        },
    })
}

/// The parameters of a state, with their defaults over those before them.
fn parameters(plan: &Plan, printer: &mut Printer) -> Value {
    let all = plan.parameters.iter().map(|p| {
        let variable = plan.var(p.var);
        let of = default_variables(&p.default);
        json!({
            "name": variable.name,
            "key": rust_string(&variable.key),
            "ty": cell_type(variable.ty),
            "default": match p.default.is_literal() {
                true => printer.untyped(&p.default, 0),
                false => format!("crate::default_{}({})?", variable.name, names(plan, &of)),
            },
        })
    });
    all.collect()
}

/// An item of DATA that a state keeps; none for a parameter.
fn datum(plan: &Plan, argument: &Argument<'_>) -> Option<Value> {
    let item = argument.data?;
    let variable = plan.var(argument.var);
    let (name, key) = (&variable.name, rust_string(&variable.key));
    let array = !variable.dims.is_empty();
    let sizes = match array {
        true => format!("&sizes.{name}"),
        false => "&[]".into(),
    };
    let access = match (item.input, item.output) {
        (true, true) => "written",
        (true, false) => "read",
        (false, _) => "made",
    };
    let cells = format!("self.{name}.{access}({key}, {sizes})?");
    Some(json!({
        "name": name,
        "key": key,
        "cell": cell_type(variable.ty),
        "array": array,
        "passed": match (array, item.output) {
            (true, _) => cells,
            (false, true) => format!("&mut {cells}[0]"),
            (false, false) => format!("{cells}[0]"),
        },
    }))
}

/// The functions of defaults that depend on other parameters.
fn defaults(plan: &Plan, printer: &Printer) -> Value {
    let computed = plan.parameters.iter().filter(|p| !p.default.is_literal());
    let functions = computed.map(|p| {
        let (variable, of) = (plan.var(p.var), default_variables(&p.default));
        json!({
            "name": variable.name,
            "c_name": plan.c_name(p.var),
            "key": rust_string(&variable.key),
            "parameters": declared(plan, &of),
            "names": names(plan, &of),
            "ty": cell_type(variable.ty),
            "to": printer.extra("to"),
        })
    });
    functions.collect()
}

/// The functions of values that inputs have where nothing else gives them.
fn own_values(plan: &Plan, printer: &Printer) -> Value {
    let inputs = plan.data.iter().filter(|d| d.has_own_values());
    let functions = inputs.map(|item| {
        let (variable, of) = (plan.var(item.var), value_variables(plan, item));
        json!({
            "name": variable.name,
            "c_name": plan.c_name(item.var),
            "key": rust_string(&variable.key),
            "parameters": declared(plan, &of),
            "names": names(plan, &of),
            "ty": cell_type(variable.ty.component()),
            "array": !variable.dims.is_empty(),
            "changes": item.output,
            "to": printer.extra("to"),
        })
    });
    functions.collect()
}
