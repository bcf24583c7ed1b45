//! `Plan` → a CUDA C++ project.

mod expression;
mod kernel;
mod main_file;
mod printer;
mod program;
mod statement;

use super::plan::{self, Plan};
use super::template::{fill, uses};
use super::text::{Lines, comment};
use super::{EmitOptions, derivation_lines};
use crate::algebra::Precision;
use crate::toolchain::{Kind, Project};
use printer::Printer;
use program::{arguments, body, defaults, entry, size_parameters, sizes};
use serde_json::{Value, json};

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
                include_str!("../../../templates/cuda/CMakeLists.txt.tera"),
                &values,
            ),
        ),
        (
            format!("{name}.h"),
            fill(
                "program.h",
                include_str!("../../../templates/cuda/program.h.tera"),
                &values,
            ),
        ),
        (
            format!("{name}.cu"),
            fill(
                "program.cu",
                include_str!("../../../templates/cuda/program.cu.tera"),
                &values,
            ),
        ),
        (
            "support.cuh".into(),
            fill(
                "support.cuh",
                include_str!("../../../templates/cuda/support.cuh.tera"),
                &values,
            ),
        ),
        (
            "main.cpp".into(),
            fill(
                "main.cpp",
                include_str!("../../../templates/cuda/main.cpp.tera"),
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

fn vectors(plan: &Plan) -> Value {
    plan::vector_sizes(plan)
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
