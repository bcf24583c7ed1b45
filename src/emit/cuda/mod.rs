//! `Plan` → a CUDA C++ project.

mod expression;
mod kernel;
mod kernel_file;
mod main_file;
mod printer;
mod program;
mod statement;

use super::map::{Emitted, Files};
use super::plan::{self, Plan};
use super::template::{fill_with, uses};
use super::text::{Lines, comment};
use super::{EmitOptions, derivation_lines};
use crate::algebra::Precision;
use crate::toolchain::Kind;
pub(super) use kernel::is_static;
pub(super) use kernel_file::{KernelFile, kernel_file};
use printer::Printer;
use program::{arguments, body, defaults, entry, size_parameters, sizes, values};
use serde_json::{Value, json};

/// The pieces of support code that templates know.
const PIECES: &[&str] = &[
    "absolute",
    "bytes_of",
    "ceil_div",
    "checked_power",
    "erfc",
    "from_next_thread",
    "fused",
    "integers",
    "larger",
    "pow_approx",
    "power",
    "power_of",
    "rsqrt_approx",
    "smaller",
    "sum_over_warp",
    "within",
];

/// What hosts and kernels compute with.
const ARITHMETIC: (&str, &str) = (
    "arithmetic.cuh",
    include_str!("../../../templates/cuda/arithmetic.cuh.tera"),
);

/// The errors of an algorithm that a kernel can meet, numbered from 1, and what they say.
const FAULTS: &[(&str, &str)] = &[
    ("filter", "a FILTER is false, so there is no result"),
    ("undefined", "UNDEFINED is met, so there is no result"),
    ("subscript", "a subscript is out of range"),
    ("overflow", "an integer is out of range"),
    (
        "division",
        "an integer is divided by zero, or a loop goes on by steps of 0",
    ),
];

/// The errors for templates.
pub(super) fn faults() -> Value {
    FAULTS
        .iter()
        .zip(1..)
        .map(|((name, words), number)| json!({"name": name, "words": words, "number": number}))
        .collect()
}

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
pub(super) fn project(plan: &Plan, options: &EmitOptions) -> Emitted {
    let mut printer = Printer::new(plan, options.checked);
    let kernels = kernels(plan, &mut printer);
    let body = body(plan, &mut printer);
    let entry = entry(plan, &mut printer);
    let sizes = sizes(plan, &mut printer);
    let defaults = defaults(plan, &mut printer);
    let own_values = values(plan, &mut printer);
    let mut main = main_file::main_file(plan, &mut printer);
    // The host counts with checked integers also where the algorithm has none.
    printer.uses.insert("integers");
    let values = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": plan.name,
        "guard": format!("{}_H", plan.name.to_uppercase()),
        "title": comment(&plan.title),
        "derivation": derivation_lines(options),
        "real": real(plan),
        "sqrt": sqrt(plan),
        "fma": fma(plan),
        "space": "__host__ __device__",
        "faults": faults(),
        "device": printer.uses_device(),
        "recorded": plan.recordings > 0,
        "uses": uses(PIECES, &printer.uses),
        "vectors": vectors(plan),
        "erfc": erfc(),
        "series": !plan.series.is_empty(),
        "timed_words": match plan.timed { true => "the timed parts", false => "the algorithm" },
        "sizes": sizes,
        "size_parameters": size_parameters(plan, &printer),
        "defaults": defaults,
        "own_values": own_values,
        "arguments": arguments(plan, &printer),
        "kernels": kernels,
        "body": body,
        "entry": entry,
    });
    for key in ["name", "title", "version"] {
        main[key] = values[key].clone();
    }
    let name = &plan.name;
    let mut files = Files::default();
    // A file and the template that it is made of, which has its name here.
    macro_rules! file {
        ($path:expr, $template:literal, $values:expr) => {{
            let text = include_str!(concat!("../../../templates/cuda/", $template));
            let filled = fill_with($template, text, &[ARITHMETIC], $values);
            files.filled($path, concat!("cuda/", $template), filled);
        }};
        ($path:literal) => {{
            let text = include_str!(concat!("../../../templates/cuda/", $path));
            files.copied($path, concat!("cuda/", $path), text);
        }};
    }
    file!("CMakeLists.txt", "CMakeLists.txt.tera", &values);
    file!(format!("{name}.h"), "program.h.tera", &values);
    file!(format!("{name}.cu"), "program.cu.tera", &values);
    file!("support.cuh", "support.cuh.tera", &values);
    file!("main.cpp", "main.cpp.tera", &main);
    file!("cli.hpp");
    file!("npy.hpp");
    files.emitted(plan, Kind::Cuda)
}

/// C's type of the algorithm's reals.
fn real(plan: &Plan) -> &'static str {
    match plan.precision {
        Precision::F32 => "float",
        Precision::F64 => "double",
    }
}

/// C's square root of them.
fn sqrt(plan: &Plan) -> &'static str {
    match plan.precision {
        Precision::F32 => "sqrtf",
        Precision::F64 => "sqrt",
    }
}

/// C's sum with a product that is not rounded on the way.
fn fma(plan: &Plan) -> &'static str {
    match plan.precision {
        Precision::F32 => "fmaf",
        Precision::F64 => "fma",
    }
}

/// The kernels' text.
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
