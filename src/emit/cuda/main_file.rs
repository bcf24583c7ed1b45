//! What `main.cpp` holds besides what its template says.

use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::c;
use crate::emit::plan::{
    Data, Parameter, Plan, Var, default_variables, help, inferred, needs_sizes, size_variables,
    value_variables,
};
use crate::emit::text::{Lines, c_string};
use serde_json::{Value, json};

/// The values of `main.cpp`'s template.
pub(in crate::emit) fn main_file(plan: &Plan, printer: &mut Printer) -> Value {
    let keys: Vec<String> = plan
        .parameters
        .iter()
        .map(|p| c_string(&plan.var(p.var).key))
        .collect();
    json!({
        "help": c_string(&help(plan)),
        "title_string": c_string(&plan.title),
        "parameter_keys": keys.join(", "),
        "read": read(plan, printer),
        "call": call(plan, printer),
        "write": write(plan, printer),
        "json_parameters": json_parameters(plan, printer),
        "reads_arrays": plan.data.iter().any(|d| d.input),
        "must_read": plan.data.iter().any(|d| d.input && !d.has_own_values()),
        "may_read": plan.data.iter().any(Data::has_own_values),
        "makes_arrays": plan.data.iter().any(|d| d.output && !d.input || d.has_own_values()),
        "infers": !inferred(plan).is_empty(),
        "series": plan.series.iter().map(|s| s.label.clone()).collect::<Vec<_>>(),
    })
}

/// The type of a variable's components in files.
fn file_type(printer: &Printer, var: Var) -> &'static str {
    match printer.ty(var).component() {
        Type::Bool => "npy::truth",
        Type::I32 | Type::Unknown => "int32_t",
        ty => printer.type_name(ty),
    }
}

fn shape(plan: &Plan, var: Var, first: &str) -> String {
    let variable = plan.var(var);
    let mut axes: Vec<String> = Vec::new();
    axes.extend((!first.is_empty()).then(|| first.to_owned()));
    axes.extend((0..variable.dims.len()).map(|d| format!("(size_t)sizes.{}[{d}]", variable.name)));
    if let Type::Vector(n, _) = variable.ty {
        axes.push(n.to_string());
    }
    format!("{{{}}}", axes.join(", "))
}

fn read(plan: &Plan, printer: &mut Printer) -> String {
    let mut lines = Lines::new(1);
    let name = |var: Var| plan.var(var).name.clone();
    let key = |var: Var| c_string(&plan.var(var).key);
    let inputs: Vec<&Data> = plan.data.iter().filter(|d| d.input).collect();
    for item in &inputs {
        let file = printer.extra(&format!("{}_file", name(item.var)));
        let (ty, read) = match item.has_own_values() {
            true => ("std::optional<npy::Array>", "read_if_there"),
            false => ("npy::Array", "read"),
        };
        lines.line(format!(
            "{ty} {file} = {read}(arguments, {});",
            key(item.var)
        ));
    }
    let inferred = inferred(plan);
    for (parameter, places) in &inferred {
        let size = printer.extra(&format!("{}_size", name(*parameter)));
        lines.line(format!("Size {size}({});", key(*parameter)));
        lines.open(format!("if (!is_set(arguments, {})) {{", key(*parameter)));
        for (array, axis) in places {
            let file = printer.extra(&format!("{}_file", name(*array)));
            lines.line(
                match inputs.iter().any(|d| d.var == *array && d.has_own_values()) {
                    true => format!("if ({file}) {size}.see(*{file}, {axis});"),
                    false => format!("{size}.see({file}, {axis});"),
                },
            );
        }
        lines.close("}");
    }
    for parameter in &plan.parameters {
        let size = inferred
            .iter()
            .find(|(var, _)| *var == parameter.var)
            .map(|(var, _)| printer.extra(&format!("{}_size", name(*var))));
        self::parameter(plan, printer, parameter, size, &mut lines);
    }
    if needs_sizes(plan) {
        let program = &plan.name;
        let all: String = size_variables(plan)
            .into_iter()
            .map(|v| format!("{}, ", name(v)))
            .collect();
        lines.line(format!("{program}_sizes sizes{{}};"));
        lines.line(format!("expect({program}_sizes_of({all}&sizes));"));
    }
    for item in plan.data.iter().filter(|d| d.input || d.output) {
        let (name, ty) = (name(item.var), file_type(printer, item.var));
        let file = printer.extra(&format!("{name}_file"));
        let shape = shape(plan, item.var, "");
        if item.has_own_values() {
            let of: String = value_variables(plan, item)
                .into_iter()
                .map(|v| format!("{}, ", plan.var(v).name))
                .collect();
            let data = data(printer, item.var, true);
            lines.line(format!("std::vector<{ty}> {name};"));
            lines.open(format!("if ({file}) {{"));
            lines.line(format!("expect_shape(*{file}, {shape});"));
            lines.line(format!("{name} = npy::values<{ty}>(std::move(*{file}));"));
            lines.turn("} else {");
            lines.line(format!("{name}.resize(elements({shape}));"));
            lines.line(format!(
                "expect({}_values_of_{name}({of}{data}));",
                plan.name
            ));
            lines.close("}");
        } else if item.input {
            lines.line(format!("expect_shape({file}, {shape});"));
            lines.line(format!(
                "std::vector<{ty}> {name} = npy::values<{ty}>(std::move({file}));"
            ));
        } else {
            lines.line(format!("std::vector<{ty}> {name}(elements({shape}));"));
        }
    }
    lines.finish()
}

/// Reads a parameter: what `--set` says, else what files say, else its default.
fn parameter(
    plan: &Plan,
    printer: &mut Printer,
    parameter: &Parameter,
    size: Option<String>,
    lines: &mut Lines,
) {
    let variable = plan.var(parameter.var);
    let (name, key) = (&variable.name, c_string(&variable.key));
    let ty = c::type_name(printer.ty(parameter.var));
    let given = match variable.ty {
        Type::Bool => format!("arguments.truth({key})"),
        Type::F32 => format!("arguments.number<float>({key}, \"a number of 32 bits\")"),
        Type::F64 => format!("arguments.number<double>({key}, \"a number\")"),
        Type::I64 => format!("arguments.number<int64_t>({key}, \"an integer of 64 bits\")"),
        _ => format!("arguments.number<int32_t>({key}, \"an integer of 32 bits\")"),
    };
    lines.line(format!("{ty} {name}{{}};"));
    lines.open(format!("if (const auto given = {given}) {{"));
    lines.line(format!("{name} = ({ty})*given;"));
    if let Some(size) = size {
        lines.turn(format!("}} else if ({size}.found) {{"));
        if variable.ty != Type::I64 {
            lines.line(format!(
                "if ({size}.length > INT32_MAX) throw Exit(2, {size}.file + \": an axis is too long\");"
            ));
        }
        lines.line(format!("{name} = ({ty}){size}.length;"));
    }
    lines.turn("} else {");
    if parameter.default.is_literal() {
        let value = printer.any(&parameter.default);
        lines.line(format!("{name} = {value};"));
    } else {
        let of: String = default_variables(&parameter.default)
            .into_iter()
            .map(|v| format!("{}, ", plan.var(v).name))
            .collect();
        lines.line(format!(
            "expect({}_default_{name}({of}&{name}));",
            plan.name
        ));
    }
    lines.close("}");
}

/// Where the components of a variable begin.
fn data(printer: &Printer, var: Var, written: bool) -> String {
    let name = printer.name(var);
    match (printer.ty(var), written) {
        // A truth value takes a byte in both.
        (Type::Bool, true) => format!("reinterpret_cast<bool *>({name}.data())"),
        (Type::Bool, false) => format!("reinterpret_cast<const bool *>({name}.data())"),
        _ => format!("{name}.data()"),
    }
}

fn call(plan: &Plan, printer: &Printer) -> String {
    let mut lines = Lines::new(1);
    let mut arguments: Vec<String> = plan
        .parameters
        .iter()
        .map(|p| plan.var(p.var).name.clone())
        .collect();
    for item in plan.data.iter().filter(|d| d.input || d.output) {
        let name = &plan.var(item.var).name;
        let vector = matches!(printer.ty(item.var), Type::Vector(..));
        let pointer = printer.is_array(item.var) || item.output || vector;
        let data = data(printer, item.var, item.output);
        arguments.push(match (pointer, printer.ty(item.var)) {
            (true, _) => data,
            (false, Type::Bool) => format!("{name}[0] != 0"),
            (false, _) => format!("{name}[0]"),
        });
    }
    arguments.push("add_row".into());
    arguments.extend((!plan.series.is_empty()).then(|| "add_snapshot".into()));
    arguments.push("&results".into());
    let head = format!("expect({}(", plan.name);
    lines.filled_call(&head, &arguments, "));");
    lines.finish()
}

fn write(plan: &Plan, printer: &Printer) -> String {
    let mut lines = Lines::new(2);
    for item in plan.data.iter().filter(|d| d.output) {
        let variable = plan.var(item.var);
        let file = c_string(&format!("{}.npy", variable.key));
        let (ty, shape) = (file_type(printer, item.var), shape(plan, item.var, ""));
        lines.line(format!(
            "npy::write<{ty}>((folder / std::filesystem::u8path({file})).string(), {shape}, {}.data());",
            variable.name
        ));
    }
    for (number, series) in plan.series.iter().enumerate() {
        let file = c_string(&format!("{}.npy", series.file));
        let ty = file_type(printer, series.var);
        let times = format!("results.times[{number}]");
        let known = plan.data.iter().any(|d| d.var == series.var);
        let shape = match (known, printer.ty(series.var)) {
            (true, _) => shape(plan, series.var, &times),
            (false, Type::Vector(n, _)) => {
                format!("{{results.series[{number}].size() / sizeof({ty}) / {n}, {n}}}")
            }
            (false, _) => format!("{{results.series[{number}].size() / sizeof({ty})}}"),
        };
        lines.line(format!(
            "npy::write<{ty}>((folder / std::filesystem::u8path({file})).string(), {shape}, reinterpret_cast<const {ty} *>(results.series[{number}].data()));"
        ));
    }
    lines.finish()
}

/// The parameters as pieces of JSON.
fn json_parameters(plan: &Plan, printer: &Printer) -> Vec<String> {
    plan.parameters
        .iter()
        .enumerate()
        .map(|(k, p)| {
            let variable = plan.var(p.var);
            let comma = match k {
                0 => "",
                _ => ", ",
            };
            let name = &variable.name;
            let head = c_string(&format!("{comma}\"{}\": ", variable.key));
            let value = match printer.ty(p.var) {
                Type::Bool => format!("({name} ? \"true\" : \"false\")"),
                t if t.is_real() => format!("cli::json_number({name})"),
                _ => format!("std::to_string({name})"),
            };
            format!("std::string({head}) + {value}")
        })
        .collect()
}
