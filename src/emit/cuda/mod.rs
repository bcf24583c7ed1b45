//! `Plan` → a CUDA C++ project.

mod expression;
mod kernel;
mod main_file;
mod printer;
mod statement;

use super::plan::{Data, Expr, Node, Plan, Stmt, Var};
use super::template::{fill, uses};
use super::text::{Lines, c_string, comment};
use super::{EmitOptions, derivation_lines};
use crate::algebra::{Precision, Type};
use crate::toolchain::{Kind, Project};
use printer::Printer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pieces of support code that templates know.
const PIECES: &[&str] = &[
    "absolute",
    "ceil_div",
    "checked_power",
    "erfc",
    "larger",
    "power",
    "power_of",
    "smaller",
    "within",
];

/// Flags of nvcc with which results are those of the scheme to the last bit, as far as only
/// `+ - * /` and square roots occur.
pub const EXACT_FLAGS: &[&str] = &["-fmad=false", "-Xcompiler", "-ffp-contract=off"];

/// The coefficients of `erfc`, as the reference machine has them.
fn erfc() -> Vec<String> {
    let source = include_str!("../../machine/math.rs");
    let table = source.split("= [").nth(1).unwrap_or_default();
    let table = table.split("];").next().unwrap_or_default();
    table
        .split(',')
        .map(|c| c.trim().replace('_', ""))
        .filter(|c| !c.is_empty())
        .collect()
}

/// The project of a plan.
pub(super) fn project(plan: &Plan, options: &EmitOptions) -> Project {
    let mut printer = Printer::new(plan, options.checked);
    let kernels = kernels(plan, &mut printer);
    let body = body(plan, &mut printer);
    let entry = entry(plan, &mut printer);
    let sizes = sizes(plan, &mut printer);
    let defaults = defaults(plan, &mut printer);
    let mut main = main_file::main_file(plan, &mut printer);
    let values = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": plan.name,
        "guard": format!("{}_H", plan.name.to_uppercase()),
        "title": comment(&plan.title),
        "derivation": derivation_lines(options),
        "real": match plan.precision { Precision::F32 => "float", Precision::F64 => "double" },
        "sqrt": match plan.precision { Precision::F32 => "sqrtf", Precision::F64 => "sqrt" },
        "device": printer.uses_device(),
        "uses": uses(PIECES, &printer.uses),
        "vectors": vectors(plan),
        "erfc": erfc(),
        "series": !plan.series.is_empty(),
        "timed_words": match plan.timed { true => "the timed parts", false => "the algorithm" },
        "sizes": sizes,
        "size_parameters": size_parameters(plan, &printer),
        "defaults": defaults,
        "arguments": arguments(plan, &printer),
        "kernels": kernels,
        "body": body,
        "entry": entry,
    });
    for key in ["name", "title", "version"] {
        main[key] = values[key].clone();
    }
    let name = &plan.name;
    let files = vec![
        (
            "CMakeLists.txt".into(),
            fill(
                "CMakeLists.txt",
                include_str!("../../../templates/cuda/CMakeLists.txt"),
                &values,
            ),
        ),
        (
            format!("{name}.h"),
            fill(
                "program.h",
                include_str!("../../../templates/cuda/program.h"),
                &values,
            ),
        ),
        (
            format!("{name}.cu"),
            fill(
                "program.cu",
                include_str!("../../../templates/cuda/program.cu"),
                &values,
            ),
        ),
        (
            "support.cuh".into(),
            fill(
                "support.cuh",
                include_str!("../../../templates/cuda/support.cuh"),
                &values,
            ),
        ),
        (
            "main.cpp".into(),
            fill(
                "main.cpp",
                include_str!("../../../templates/cuda/main.cpp"),
                &main,
            ),
        ),
        (
            "cli.hpp".into(),
            include_str!("../../../templates/cuda/cli.hpp").into(),
        ),
        (
            "npy.hpp".into(),
            include_str!("../../../templates/cuda/npy.hpp").into(),
        ),
    ];
    Project {
        name: name.clone(),
        kind: Kind::Cuda,
        files,
    }
}

/// The kernels' text, which stands by itself.
fn kernels(plan: &Plan, printer: &mut Printer) -> String {
    printer.lines = Lines::default();
    for kernel in &plan.kernels {
        printer.kernel(kernel);
        printer.lines.line("");
    }
    std::mem::take(&mut printer.lines).finish()
}

fn arrays(plan: &Plan) -> impl Iterator<Item = &Data> {
    plan.data
        .iter()
        .filter(|item| !plan.var(item.var).dims.is_empty())
}

fn vectors(plan: &Plan) -> Value {
    super::rust::vector_sizes(plan)
        .into_iter()
        .map(|n| {
            json!({
                "name": format!("vec{n}"),
                "size": n,
                "fields": &expression::FIELDS[..usize::from(n)],
            })
        })
        .collect()
}

/// The type of a variable in C.
fn public_type(printer: &Printer, var: Var) -> &'static str {
    match printer.ty(var) {
        Type::Vector(..) => "real",
        Type::I32 | Type::Unknown => "int32_t",
        ty => printer.type_name(ty),
    }
}

fn size_parameters(plan: &Plan, printer: &Printer) -> String {
    super::rust::size_variables(plan)
        .into_iter()
        .map(|v| format!("{} {}, ", public_type(printer, v), plan.var(v).name))
        .collect()
}

fn sizes(plan: &Plan, printer: &mut Printer) -> Value {
    let checked = std::mem::replace(&mut printer.checked, true);
    let all = arrays(plan)
        .map(|item| {
            let variable = plan.var(item.var);
            let each: Vec<String> = variable.dims.iter().map(|d| printer.any(d)).collect();
            json!({
                "name": variable.name,
                "key": c_string(&variable.key),
                "rank": variable.dims.len(),
                "dims": each.join(", "),
                "each": each,
            })
        })
        .collect();
    printer.checked = checked;
    all
}

fn defaults(plan: &Plan, printer: &mut Printer) -> Value {
    let checked = std::mem::replace(&mut printer.checked, true);
    let all = plan
        .parameters
        .iter()
        .filter(|p| !p.default.is_literal())
        .map(|p| {
            let parameters: Vec<String> = super::rust::default_variables(&p.default)
                .into_iter()
                .map(|v| format!("{} {}", public_type(printer, v), plan.var(v).name))
                .collect();
            json!({
                "name": plan.var(p.var).name,
                "key": comment(&plan.var(p.var).key),
                "ty": public_type(printer, p.var),
                "parameters": parameters.join(", "),
                "value": printer.any(&p.default),
            })
        })
        .collect();
    printer.checked = checked;
    all
}

/// The arguments of the function in C.
fn arguments(plan: &Plan, printer: &Printer) -> Vec<String> {
    let parameters = plan
        .parameters
        .iter()
        .map(|p| format!("{} {}", public_type(printer, p.var), plan.var(p.var).name));
    let data = plan
        .data
        .iter()
        .filter(|d| d.input || d.output)
        .map(|item| {
            let (name, ty) = (&plan.var(item.var).name, public_type(printer, item.var));
            let pointer = printer.is_array(item.var)
                || item.output
                || matches!(printer.ty(item.var), Type::Vector(..));
            match (pointer, item.output) {
                (true, true) => format!("{ty} *{name}"),
                (true, false) => format!("const {ty} *{name}"),
                (false, _) => format!("{ty} {name}"),
            }
        });
    parameters.chain(data).collect()
}

/// What the function does before and after `run`.
fn entry(plan: &Plan, printer: &mut Printer) -> String {
    let mut lines = Lines::new(2);
    let used = super::rust::used_by_body(plan);
    lines.line("timed_seconds() = 0.0;");
    if printer.uses_device() {
        lines.line("start_device();");
    }
    let mut passed: Vec<String> = plan
        .parameters
        .iter()
        .filter(|p| used.contains(&p.var) || is_size(plan, p.var))
        .map(|p| plan.var(p.var).name.clone())
        .collect();
    let mut ignored: Vec<String> = plan
        .parameters
        .iter()
        .filter(|p| !used.contains(&p.var) && !is_size(plan, p.var))
        .map(|p| plan.var(p.var).name.clone())
        .collect();
    for item in &plan.data {
        let variable = plan.var(item.var);
        let name = variable.name.clone();
        let outside = item.input || item.output;
        let array = !variable.dims.is_empty();
        let dims = match array {
            true => printer.dims(item.var),
            false => String::new(),
        };
        let (count, key) = (printer.count_name(item.var), c_string(&variable.key));
        if !used.contains(&item.var) {
            ignored.extend(outside.then_some(name));
            if array {
                lines.line(format!("(void)count_of({key}, {{{dims}}});"));
            }
            continue;
        }
        let ty = printer.type_name(variable.ty);
        if array {
            lines.line(format!(
                "const size_t {count} = count_of({key}, {{{dims}}});"
            ));
            if needs_count(plan, item.var) {
                passed.push(count.clone());
            }
        }
        let vector = variable.ty.components() > 1;
        match (array, outside) {
            (true, true) if item.input && !item.output && variable.assigned => {
                // The caller's array stays as it is.
                let storage = printer.extra(&format!("{name}_storage"));
                lines.line(format!(
                    "const std::unique_ptr<{ty}[]> {storage} = make_array<{ty}>({count});"
                ));
                lines.line(format!(
                    "for (size_t i = 0; i < {count}; ++i) {storage}[i] = reinterpret_cast<const {ty} *>({name})[i];"
                ));
                passed.push(format!("{storage}.get()"));
            }
            (true, true) | (false, true) if vector => passed.push(match item.output {
                true => format!("reinterpret_cast<{ty} *>({name})"),
                false if array => format!("reinterpret_cast<const {ty} *>({name})"),
                false => format!("*reinterpret_cast<const {ty} *>({name})"),
            }),
            (true, true) | (false, true) => passed.push(name),
            (true, false) => {
                let storage = printer.extra(&format!("{name}_storage"));
                lines.line(format!(
                    "const std::unique_ptr<{ty}[]> {storage} = make_array<{ty}>({count});"
                ));
                passed.push(format!("{storage}.get()"));
            }
            (false, false) => {}
        }
    }
    for name in ignored {
        lines.line(format!("(void){name};"));
    }
    let save = match plan.series.is_empty() {
        true => "",
        false => "save, ",
    };
    lines.line(format!("const Caller caller{{report, {save}user}};"));
    passed.push("caller".into());
    if !plan.timed {
        lines.line("const Timer timer;");
    }
    lines.line(format!("run({});", passed.join(", ")));
    if printer.uses_device() {
        lines.line("synchronize();");
    }
    lines.finish()
}

/// Whether a parameter is part of a size of an array that is linearized.
fn is_size(plan: &Plan, var: Var) -> bool {
    super::rust::size_variables(plan).contains(&var)
}

/// Whether the number of an array's elements is used by the body.
fn needs_count(plan: &Plan, var: Var) -> bool {
    let mut found = plan.series.iter().any(|s| s.var == var);
    super::plan::each_statement(&plan.body, &mut |s| {
        found |= matches!(s, Stmt::Allocate(v) if *v == var);
    });
    found
}

/// `run`: what the host does.
fn body(plan: &Plan, printer: &mut Printer) -> String {
    let used = super::rust::used_by_body(plan);
    let mut parameters: Vec<String> = plan
        .parameters
        .iter()
        .filter(|p| used.contains(&p.var) || is_size(plan, p.var))
        .map(|p| {
            format!(
                "{} {}",
                printer.type_name(printer.ty(p.var)),
                plan.var(p.var).name
            )
        })
        .collect();
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let (name, ty) = (&variable.name, printer.type_name(variable.ty));
        let array = !variable.dims.is_empty();
        if array && needs_count(plan, item.var) {
            parameters.push(format!("size_t {}", printer.count_name(item.var)));
        }
        match (array, item.input || item.output) {
            (true, true) if !item.output && !variable.assigned => {
                parameters.push(format!("const {ty} *{name}"));
            }
            (true, _) => parameters.push(format!("{ty} *{name}")),
            (false, true) if item.output => {
                printer.references.insert(item.var);
                parameters.push(format!("{ty} *{name}"));
            }
            (false, true) => parameters.push(format!("const {ty} {name}")),
            (false, false) => {}
        }
    }
    parameters.push("const Caller &caller".into());
    printer.lines = Lines::default();
    printer.lines.line("void run(");
    let last = parameters.len() - 1;
    for (k, parameter) in parameters.iter().enumerate() {
        let end = match k == last {
            true => ") {",
            false => ",",
        };
        printer.lines.line(format!("        {parameter}{end}"));
    }
    printer.lines.open_silently();
    let mut reports = false;
    super::plan::each_statement(&plan.body, &mut |s| {
        reports |= matches!(s, Stmt::Report { .. } | Stmt::Save(_));
    });
    if !reports {
        printer.lines.line("(void)caller;");
    }
    declare_data(plan, &used, printer);
    printer.block(&plan.body);
    printer.lines.close("}");
    std::mem::take(&mut printer.lines).finish()
}

/// Working scalars, values that DATA gives, and memory on the device.
fn declare_data(plan: &Plan, used: &BTreeSet<Var>, printer: &mut Printer) {
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let (name, ty) = (variable.name.clone(), printer.type_name(variable.ty));
        let array = !variable.dims.is_empty();
        if !array && !item.input && !item.output {
            let value = item.values.first().map(|v| printer.any(v));
            let value = value.unwrap_or_else(|| zero(ty, variable.ty));
            printer.lines.line(format!("{ty} {name} = {value};"));
            printer.lines.line(format!("(void){name};"));
        } else if !item.input {
            for (i, value) in item.values.iter().enumerate() {
                let dims = variable.dims.clone();
                let target = match (array, dims.len()) {
                    (false, _) => Expr::new(variable.ty, Node::Var(item.var)),
                    (true, _) => Expr::new(
                        variable.ty,
                        Node::Cell {
                            array: item.var,
                            subscripts: vec![Expr::int(Type::I32, i as i64)],
                        },
                    ),
                };
                // Values beyond the array's end are an error whatever is checked.
                let checked = std::mem::replace(&mut printer.checked, true);
                let (place, value) = (printer.place(&target), printer.any(value));
                printer.checked = checked;
                printer.lines.line(format!("{place} = {value};"));
            }
        }
        if array {
            printer.declare_device(item.var);
        }
    }
}

fn zero(name: &str, ty: Type) -> String {
    match ty {
        Type::Bool => "false".into(),
        Type::Vector(..) => format!("{name}{{}}"),
        _ => "0".into(),
    }
}
