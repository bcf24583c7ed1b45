//! What `main.rs` holds besides what its template says.

use super::imports::has_word;
use super::library::{public_type, sizes_call};
use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::plan::{
    Data, Parameter, Plan, Var, default_variables, help, inferred, needs_sizes, value_variables,
};
use crate::emit::text::{Lines, rust_string};
use serde_json::{Value, json};

/// The values of `main.rs`'s template.
pub(super) fn main_file(plan: &Plan, printer: &mut Printer) -> Value {
    let keys: Vec<String> = plan
        .parameters
        .iter()
        .map(|p| rust_string(&plan.var(p.var).key))
        .collect();
    let inputs: Vec<&Data> = plan.data.iter().filter(|d| d.input).collect();
    let inferred = inferred(plan);
    let read = read(plan, printer, &inferred);
    let call = call(plan, printer);
    let writes = Writes::of(plan, printer);
    let threads = match printer.uses.contains("parallel") {
        true => format!("{}::thread_count()?", plan.name),
        false => "1".into(),
    };
    let thread_count = printer.extra("threads");
    let texts = [&read, &call, &writes.text, &writes.parameters];
    let library = library(plan, texts.into_iter().any(|text| has_word(text, "Real")));
    json!({
        "help": rust_string(&help(plan)),
        "parameter_keys": keys.join(", "),
        "read": read,
        "call": call,
        "write": writes.text,
        "write_arguments": writes.arguments,
        "write_parameters": writes.parameters,
        "json_format": json_format(plan),
        "json_values": json_values(plan, printer),
        "threads": threads,
        "thread_count": thread_count,
        "reads_arrays": !inputs.is_empty(),
        "must_read": inputs.iter().any(|d| !d.has_own_values()),
        "may_read": inputs.iter().any(|d| d.has_own_values()),
        "infers": !inferred.is_empty(),
        "library": library,
    })
}

/// The names that `main.rs` takes from the library.
fn library(plan: &Plan, reals: bool) -> String {
    let mut names = vec!["Error"];
    if reals {
        names.push("Real");
    }
    names.push("Reports");
    if needs_sizes(plan) {
        names.push("Sizes");
    }
    names.join(", ")
}

fn read(plan: &Plan, printer: &mut Printer, inferred: &[(Var, Vec<(Var, usize)>)]) -> String {
    let mut lines = Lines::new(1);
    let inputs: Vec<&Data> = plan.data.iter().filter(|d| d.input).collect();
    let file = |printer: &Printer, var: Var| printer.extra(&format!("{}_file", plan.var(var).name));
    let size = |printer: &Printer, var: Var| printer.extra(&format!("{}_size", plan.var(var).name));
    if !inputs.is_empty() {
        lines.line("let folder = arguments.input.as_deref();");
    }
    for item in &inputs {
        let (key, file) = (
            rust_string(&plan.var(item.var).key),
            file(printer, item.var),
        );
        let read = match item.has_own_values() {
            true => "read_if_there",
            false => "read",
        };
        lines.line(format!("let {file} = {read}(folder, {key})?;"));
    }
    for (parameter, places) in inferred {
        let (key, size) = (
            rust_string(&plan.var(*parameter).key),
            size(printer, *parameter),
        );
        lines.line(format!("let mut {size} = Size::of({key});"));
        let set = format!("!arguments.set.iter().any(|(name, _)| name == {key})");
        lines.open(format!("if {set} {{"));
        for (array, axis) in places {
            let file = file(printer, *array);
            if !inputs.iter().any(|d| d.var == *array && d.has_own_values()) {
                lines.line(format!("{size}.see(&{file}, {axis})?;"));
                continue;
            }
            lines.open(format!("if let Some(file) = &{file} {{"));
            lines.line(format!("{size}.see(file, {axis})?;"));
            lines.close("}");
        }
        lines.close("}");
    }
    for parameter in &plan.parameters {
        let size = inferred
            .iter()
            .find(|(var, _)| *var == parameter.var)
            .map(|(var, _)| size(printer, *var));
        self::parameter(plan, printer, parameter, size, &mut lines);
    }
    if needs_sizes(plan) {
        lines.line(format!("let sizes = {}?;", sizes_call(plan)));
    }
    for item in &inputs {
        let variable = plan.var(item.var);
        let (name, source) = (&variable.name, file(printer, item.var));
        let file = match item.has_own_values() {
            true => "file",
            false => source.as_str(),
        };
        let shape = shape(printer, item.var, "");
        let expect = format!("expect_shape(&{file}.file, &{file}.shape, &{shape})?;");
        let (method, _) = npy_type(variable.ty);
        let values = format!("{file}.into_{method}().map_err(Error::Input)?.1");
        let mutable = match item.output {
            true => "mut ",
            false => "",
        };
        let (ty, value) = match (variable.dims.is_empty(), variable.ty) {
            (false, Type::Vector(n, p)) => (
                format!(": Vec<[{}; {n}]>", printer.type_name(p.real())),
                format!("npy::vectors(&{values})"),
            ),
            (false, _) => (String::new(), values),
            (true, Type::Vector(n, p)) => (
                format!(": [{}; {n}]", printer.type_name(p.real())),
                format!("npy::vectors(&{values})[0]"),
            ),
            (true, _) => (String::new(), format!("{values}[0]")),
        };
        if !item.has_own_values() {
            lines.line(expect);
            lines.line(format!("let {mutable}{name}{ty} = {value};"));
            continue;
        }
        let of: Vec<&str> = value_variables(plan, item)
            .into_iter()
            .map(|v| plan.var(v).name.as_str())
            .collect();
        lines.open(format!("let {mutable}{name}{ty} = match {source} {{"));
        lines.open("Some(file) => {");
        lines.line(expect);
        lines.line(value);
        lines.close("}");
        lines.line(format!(
            "None => {}::values_of_{name}({})?,",
            plan.name,
            of.join(", ")
        ));
        lines.close("};");
    }
    for item in plan.data.iter().filter(|d| d.output && !d.input) {
        let variable = plan.var(item.var);
        let (name, key) = (&variable.name, rust_string(&variable.key));
        let ty = public_type(printer, item.var);
        if variable.dims.is_empty() {
            lines.line(format!("let mut {name} = <{ty}>::default();"));
        } else {
            printer.uses.insert("zeros");
            let library = &plan.name;
            lines.line(format!(
                "let mut {name} = {library}::zeros::<{ty}>({key}, &sizes.{name})?;"
            ));
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
    let (name, key) = (&variable.name, rust_string(&variable.key));
    let ty = printer.type_name(variable.ty);
    let given = match variable.ty {
        Type::Bool => format!("arguments.truth({key})"),
        Type::F32 => format!("arguments.single({key})"),
        Type::F64 => format!("arguments.number::<f64>({key}, \"a number\")"),
        Type::I64 => format!("arguments.number::<i64>({key}, \"an integer of 64 bits\")"),
        _ => format!("arguments.number::<i32>({key}, \"an integer of 32 bits\")"),
    };
    let given = format!("{given}.map_err(Error::Input)?");
    let default = match parameter.default.is_literal() {
        true => printer.untyped(&parameter.default, 0),
        false => {
            let of: Vec<&str> = default_variables(&parameter.default)
                .into_iter()
                .map(|v| plan.var(v).name.as_str())
                .collect();
            format!("{}::default_{name}({})?", plan.name, of.join(", "))
        }
    };
    lines.open(format!("let {name}: {ty} = match {given} {{"));
    lines.line("Some(value) => value,");
    match size {
        Some(size) => {
            lines.open(format!("None => match {size}.found {{"));
            let fits = match variable.ty {
                Type::I64 => "length".to_owned(),
                _ => format!(
                    "{ty}::try_from(length).map_err(|_| Error::Input(format!(\"{{file}} says that {{}} is {{length}}, which is too much\", {key})))?"
                ),
            };
            let file = match variable.ty {
                Type::I64 => "_",
                _ => "file",
            };
            lines.line(format!("Some((length, {file})) => {fits},"));
            lines.line(format!("None => {default},"));
            lines.close("},");
        }
        None => lines.line(format!("None => {default},")),
    }
    lines.close("};");
}

/// The suffix of `npy`'s functions for a type, and its components.
fn npy_type(ty: Type) -> (&'static str, usize) {
    let suffix = match ty.component() {
        Type::Bool => "bool",
        Type::I64 => "i64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        _ => "i32",
    };
    (suffix, ty.components())
}

/// The shape of a variable's file, after `first`.
fn shape(printer: &Printer, var: Var, first: &str) -> String {
    let variable = printer.plan.var(var);
    let mut axes: Vec<String> = Vec::new();
    axes.extend((!first.is_empty()).then(|| first.to_owned()));
    axes.extend((0..variable.dims.len()).map(|d| format!("sizes.{}[{d}]", variable.name)));
    if let Type::Vector(n, _) = variable.ty {
        axes.push(n.to_string());
    }
    format!("[{}]", axes.join(", "))
}

fn call(plan: &Plan, printer: &Printer) -> String {
    let mut arguments: Vec<String> = plan
        .parameters
        .iter()
        .map(|p| plan.var(p.var).name.clone())
        .collect();
    for item in plan.data.iter().filter(|d| d.input || d.output) {
        let name = &plan.var(item.var).name;
        arguments.push(match (printer.is_array(item.var), item.output) {
            (_, true) => format!("&mut {name}"),
            (true, false) => format!("&{name}"),
            (false, false) => name.clone(),
        });
    }
    let mut lines = Lines::new(1);
    let head = format!("let reports = {0}::{0}(", plan.name);
    lines.call(&head, &arguments, ")?;");
    lines.finish()
}

/// What is written besides the reports.
struct Writes {
    text: String,
    arguments: String,
    parameters: String,
}

impl Writes {
    fn of(plan: &Plan, printer: &Printer) -> Writes {
        let mut lines = Lines::new(1);
        let (mut arguments, mut parameters) = (String::new(), String::new());
        if needs_sizes(plan) {
            arguments.push_str(", &sizes");
            parameters.push_str(", sizes: &Sizes");
        }
        for item in plan.data.iter().filter(|d| d.output) {
            let variable = plan.var(item.var);
            let name = &variable.name;
            let ty = public_type(printer, item.var);
            let array = !variable.dims.is_empty();
            arguments.push_str(&format!(", &{name}"));
            parameters.push_str(&match array {
                true => format!(", {name}: &[{ty}]"),
                false => format!(", {name}: &{ty}"),
            });
            let file = rust_string(&format!("{}.npy", variable.key));
            let (suffix, components) = npy_type(variable.ty);
            let shape = shape(printer, item.var, "");
            let flat = match (array, components) {
                (true, 1) => name.clone(),
                (true, _) => format!("{name}.as_flattened()"),
                (false, 1) => format!("std::slice::from_ref({name})"),
                (false, _) => name.clone(),
            };
            lines.line(format!(
                "npy::write_{suffix}(&folder.join({file}), &{shape}, {flat})?;"
            ));
        }
        for (number, series) in plan.series.iter().enumerate() {
            let variable = plan.var(series.var);
            let field = &printer.series_fields[number];
            let file = rust_string(&format!("{}.npy", series.file));
            let (suffix, components) = npy_type(variable.ty);
            let flat = match components {
                1 => format!("&reports.{field}"),
                _ => format!("reports.{field}.as_flattened()"),
            };
            let scoped = !plan.data.iter().any(|d| d.var == series.var);
            if scoped {
                lines.line(format!(
                    "npy::write_{suffix}(&folder.join({file}), &[reports.{field}.len(){}], {flat})?;",
                    if components > 1 { format!(", {components}") } else { String::new() }
                ));
                continue;
            }
            // Of an array without cells, their number alone tells how many there are.
            let shape = shape(printer, series.var, &format!("reports.{field}_times"));
            lines.line(format!(
                "npy::write_{suffix}(&folder.join({file}), &{shape}, {flat})?;"
            ));
        }
        Writes {
            text: lines.finish(),
            arguments,
            parameters,
        }
    }
}

/// `\"N\": {}, \"dt\": {}` as it stands in a format string.
fn json_format(plan: &Plan) -> String {
    let all: Vec<String> = plan
        .parameters
        .iter()
        .map(|p| format!("\\\"{}\\\": {{}}", plan.var(p.var).key))
        .collect();
    all.join(", ")
}

fn json_values(plan: &Plan, printer: &Printer) -> Vec<String> {
    plan.parameters
        .iter()
        .map(|p| {
            let name = &plan.var(p.var).name;
            match printer.ty(p.var) {
                Type::F32 => format!("cli::json_single({name})"),
                Type::F64 => format!("cli::json_number({name})"),
                _ => name.clone(),
            }
        })
        .collect()
}
