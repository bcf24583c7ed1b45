//! `Plan` → a cargo crate, with kernels in Rust or in CUDA C++.

mod backends;
mod c;
mod checked;
mod device;
mod entry;
mod expression;
mod functions;
mod imports;
mod kernel;
mod lanes;
mod library;
mod loops;
mod main_file;
mod module;
mod operators;
mod printer;
mod rows;
mod statement;
mod uniform;
mod varying;

use super::cuda::{self, KernelFile};
use super::map::{Emitted, Files};
use super::plan::{self, Plan, Var, arrays, uses_device};
use super::template::{fill, uses};
use super::text::{comment, rust_string, shifted};
use super::variants::Program;
use super::{EmitOptions, derivation_lines};
use crate::algebra::{PIECES as PIECES_OF_FUNCTIONS, Precision, Rust, Vectors, entries};
use crate::diagnostic::Diagnostic;
use crate::toolchain::Kind;
use entry::entry;
use imports::{MATH, imports};
use library::{arguments, body, defaults, series, size_parameters, sizes, values};
pub use module::Module;
pub(super) use module::module;
use printer::Printer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pieces of support code that templates know.
const PIECES: &[&str] = &[
    "add_to",
    "array",
    "arrays",
    "asks",
    "atomic",
    "atomic_add",
    "atomic_extremes",
    "bit_count",
    "bit_count_64",
    "bits_as_integer",
    "bits_as_integer_64",
    "bits_as_real",
    "bits_as_real_64",
    "ceil_div",
    "ceil_div_64",
    "cell",
    "cells",
    "checked",
    "cuda",
    "device",
    "error",
    "fetch_add",
    "fused",
    "grid",
    "int32",
    "int64",
    "integer32",
    "integers",
    "kernels",
    "lanes",
    "math",
    "max",
    "min",
    "nvrtc",
    "parallel",
    "points",
    "power",
    "power_of",
    "report",
    "rounding",
    "row",
    "views",
    "rsqrt_approx",
    "shift_left",
    "shift_left_64",
    "shift_right",
    "shift_right_64",
    "steps_by",
    "subtract_from",
    "told",
    "whole",
    "wide",
    "zeros",
];

/// The sources of the functions that are used and that the reference machine has, too.
fn carried(used: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let named = PIECES_OF_FUNCTIONS.iter().filter(|p| used.contains(p.name));
    let needed: BTreeSet<&str> = named.flat_map(|p| p.with_needs()).map(|p| p.name).collect();
    let all = PIECES_OF_FUNCTIONS
        .iter()
        .filter(|p| needed.contains(p.name));
    all.map(|p| p.source()).collect()
}

/// What runs the kernels of a plan.
pub(super) enum Kernels {
    /// The processor: they are functions of the crate.
    Processor,
    /// A device of CUDA: they are a text of their own, if there are any.
    Cuda(Option<KernelFile>),
}

/// The crate of a program; or the files of a [`Module`], whose code checks integers by itself.
pub(super) fn project(
    program: &Program,
    options: &EmitOptions,
    kernels: Kernels,
    as_module: bool,
) -> Result<Emitted, Vec<Diagnostic>> {
    let plans: Vec<Plan> = program.plans.iter().map(rows::with_rows).collect();
    let plan = &plans[0];
    let mut printers: Vec<Printer> = plans.iter().map(Printer::new).collect();
    printers.iter_mut().for_each(|p| p.checked = as_module);
    let (target, kernel_file) = match kernels {
        Kernels::Processor => ("rust", None),
        Kernels::Cuda(file) => {
            printers.iter_mut().for_each(|p| p.cuda = true);
            ("rust-cuda", file)
        }
    };
    let apart = program.picks.is_some();
    let printed = plans.iter().zip(&mut printers);
    let bodies: Vec<String> = printed
        .map(|(p, printer)| body(p, printer, apart))
        .collect();
    let divergent: Vec<Diagnostic> = printers
        .iter()
        .flat_map(|p| &p.divergent)
        .map(|span| {
            Diagnostic::error(
                "E0505",
                "a BARRIER of this kernel stands under a condition or in a loop that may differ \
                 between threads",
            )
            .at(*span)
            .hint("move it out: every thread of a block must meet the same barriers")
        })
        .collect();
    if !divergent.is_empty() {
        return Err(divergent);
    }
    let entry = entry(program, &mut printers);
    let launchers = kernel_file
        .is_some()
        .then(|| device::launchers(&mut printers[0]));
    let mut launchers = launchers.unwrap_or_else(|| json!({}));
    // What the crate has around its variants is printed by one of its own; around a single one, by
    // that one's.
    let mut printer = match apart {
        true => Printer::new(plan),
        false => printers.swap_remove(0),
    };
    printer.checked = as_module;
    let mut defaults = defaults(plan, &mut printer);
    defaults.push_str(&values(plan, &mut printer));
    let size_dims: Vec<(Var, String)> = arrays(plan)
        .map(|item| (item.var, printer.dims(item.var)))
        .collect();
    let own_uses = printer.uses.clone();
    printer
        .uses
        .extend(printers.iter().flat_map(|p| p.uses.clone()));
    let mut main = main_file::main_file(plan, &mut printer);
    let mut used = printer.uses.clone();
    // A program that does nothing on the device needs nothing for it.
    let by_cuda = printer.cuda && uses_device(plan);
    used.extend(by_cuda.then_some("cuda"));
    if kernel_file.is_some() {
        used.extend(["kernels", "nvrtc"]);
    }
    if used.contains("array") || plan.variables.iter().any(|v| !v.dims.is_empty()) {
        used.insert("arrays");
    }
    let carried = carried(&used);
    if !carried.is_empty()
        || MATH
            .iter()
            .chain(&["whole"])
            .any(|piece| used.contains(piece))
    {
        used.insert("math");
    }
    main["name"] = json!(plan.name);
    main["title"] = json!(comment(&plan.title));
    main["title_string"] = json!(rust_string(&plan.title));
    main["target"] = json!(target);
    main["cuda"] = json!(by_cuda);
    let (mut inside, own_uses) = match apart {
        true => (String::new(), own_uses),
        false => (bodies[0].clone(), used.clone()),
    };
    let mut texts: Vec<&str> = vec![&defaults, &entry, &inside];
    texts.extend(size_dims.iter().map(|(_, dims)| dims.as_str()));
    let vector_types = vector_types(program);
    let vector_names: Vec<&str> = vector_types
        .iter()
        .map(|&(n, precision)| expression::vector_name(n, precision, plan.precision))
        .collect();
    let all_vectors = vectors(&vector_types, plan.precision);
    let vectors_that = |are: &str| {
        let all = all_vectors.iter().filter(|v| v[are] == true);
        all.cloned().collect::<Vec<_>>()
    };
    let for_c = c::values(plan, &mut printer, target);
    let header = super::c::header(plan, false);
    let imports = imports("", &vector_names, &own_uses, &texts);
    let (_, starts) = program.origins();
    let modules = (0..program.plans.len()).filter_map(|k| program.name(k));
    let modules: Vec<String> = modules.collect();
    let values = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "module": as_module,
        "name": plan.name,
        "title": comment(&plan.title),
        "title_string": rust_string(&plan.title),
        "description": toml_string(&comment(&plan.title)),
        "derivation": derivation_lines(program, options),
        "uses": uses(PIECES, &used),
        "vectors": all_vectors,
        "own_vectors": vectors_that("own"),
        "wide_vectors": vectors_that("wide"),
        "variants": modules,
        "real": real(plan.precision),
        "timed_words": match plan.timed { true => "the timed parts", false => "the algorithm" },
        "series": series(plan, &printer),
        "sizes": sizes(plan, &size_dims),
        "size_parameters": size_parameters(plan, &printer),
        "defaults": defaults,
        "arguments": arguments(plan, &printer),
        "entry": entry,
        "body": std::mem::take(&mut inside),
        "imports": imports,
        "backends": backends::backends(plan.precision),
        "quick": quick(plan.precision, &used),
        "wide_quick": quick(Precision::F64, &used),
        "carried": carried,
        "largest_extent": crate::algebra::LARGEST_EXTENT,
    });
    launchers["vectors"] = values["vectors"].clone();
    launchers["faults"] = cuda::faults();
    launchers["kernels"] = json!(kernel_file.is_some());
    launchers["can_fail"] = json!(kernel_file.as_ref().is_some_and(|f| f.faults));
    let mut files = Files::default();
    // A file and the template that it is made of; a file without values is its template.
    macro_rules! file {
        ($path:literal, $template:literal, $values:expr) => {{
            let text = include_str!(concat!("../../../templates/", $template));
            files.filled($path, $template, fill($template, text, $values));
        }};
        ($path:literal, $template:literal) => {{
            let text = include_str!(concat!("../../../templates/", $template));
            files.copied($path, $template, text);
        }};
    }
    file!("Cargo.toml", "rust/Cargo.toml.tera", &values);
    files.plain("Cargo.lock", lock(&plan.name, by_cuda));
    files.plain(".gitignore", "/target\n".into());
    file!("src/lib.rs", "rust/lib.rs.tera", &values);
    file!("src/main.rs", "rust/main.rs.tera", &main);
    if used.contains("arrays") {
        file!("src/array.rs", "rust/array.rs.tera", &values);
    }
    file!("CMakeLists.txt", "rust/CMakeLists.txt.tera", &values);
    file!("src/c.rs", "rust/c.rs.tera", &for_c);
    file!("src/caller.rs", "rust/caller.rs");
    file!("src/state.rs", "rust/state.rs.tera", &for_c);
    file!("src/kept.rs", "rust/kept.rs");
    super::c::add_to(&mut files, plan, target, &header);
    file!("src/error.rs", "rust/error.rs.tera", &values);
    file!("src/memory.rs", "rust/memory.rs");
    if used.contains("checked") {
        file!("src/checked.rs", "rust/checked.rs");
    }
    file!("src/cli.rs", "rust/cli.rs");
    file!("src/files.rs", "rust/files.rs");
    file!("src/npy.rs", "rust/npy.rs");
    if used.contains("math") {
        file!("src/math.rs", "rust/math.rs.tera", &values);
    }
    if used.contains("lanes") {
        file!("src/lanes.rs", "rust/lanes.rs.tera", &values);
    }
    if used.contains("integers") {
        file!("src/integers.rs", "rust/integers.rs.tera", &values);
    }
    if used.contains("wide") {
        file!("src/wide.rs", "rust/wide.rs.tera", &values);
    }
    if used.contains("parallel") {
        file!("src/parallel.rs", "rust/parallel.rs.tera", &values);
        file!("src/cores.rs", "rust/cores.rs");
    }
    if used.contains("views") {
        file!("src/views.rs", "rust/views.rs.tera", &values);
    }
    if used.contains("points") {
        file!("src/points.rs", "rust/points.rs", &values);
    }
    if used.contains("grid") {
        file!("src/grid.rs", "rust/grid.rs", &values);
    }
    if used.contains("nvrtc") {
        file!("src/nvrtc.rs", "rust-cuda/nvrtc.rs", &values);
    }
    if by_cuda {
        file!("src/device.rs", "rust-cuda/device.rs.tera", &launchers);
    } else if used.contains("device") {
        file!("src/device.rs", "rust/device.rs");
    }
    if let Some(file) = kernel_file {
        file!("src/kernels.rs", "rust-cuda/kernels.rs.tera", &launchers);
        files.filled("src/kernels.cu", "rust-cuda/kernels.cu.tera", file.text);
    }
    for (k, (module, body)) in modules.iter().zip(&bodies).enumerate() {
        let values = json!({
            "head": program.head(k),
            "imports": self::imports("super::", &vector_names, &printers[k].uses, &[body]),
            "body": shifted(body, starts[k]),
        });
        let template = include_str!("../../../templates/rust/variant.rs.tera");
        let filled = fill("variant.rs", template, &values);
        files.filled(format!("src/{module}.rs"), "rust/variant.rs.tera", filled);
    }
    if !vector_types.is_empty() {
        file!("src/vector.rs", "rust/vector.rs.tera", &values);
    }
    let kind = match by_cuda {
        true => Kind::RustCuda,
        false => Kind::Rust,
    };
    Ok(files.emitted(program, kind, target))
}

/// The lock file of a crate, as cargo writes it: packages in order of their names.
fn lock(name: &str, by_cuda: bool) -> String {
    let locked = include_str!("../../../templates/rust-cuda/Cargo.lock");
    let mut own = format!("[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
    let mut packages: Vec<&str> = Vec::new();
    if by_cuda {
        own.push_str("dependencies = [\n \"cudarc\",\n]\n");
        packages.extend(locked.split("\n\n").map(str::trim_end));
    }
    packages.push(own.trim_end());
    packages.sort_by_key(|package| package.lines().nth(1).map(|line| line.split('"').nth(1)));
    format!(
        "# This file is automatically @generated by Cargo.\n\
         # It is not intended for manual editing.\n\
         version = 4\n\n{}\n",
        packages.join("\n\n")
    )
}

fn toml_string(text: &str) -> String {
    // A basic string of TOML has the escapes of JSON.
    Value::String(text.to_owned()).to_string()
}

/// How many components the vectors of a program have, and of which precision.
fn vector_types(program: &Program) -> BTreeSet<(u8, Precision)> {
    program.plans.iter().flat_map(plan::vector_types).collect()
}

fn vectors(types: &BTreeSet<(u8, Precision)>, own: Precision) -> Vec<Value> {
    let words = |n: u8| match n {
        2 => "Two",
        3 => "Three",
        _ => "Four",
    };
    types
        .iter()
        .map(|&(n, precision)| {
            let other = precision.other();
            let both = types.contains(&(n, other));
            json!({
                "name": expression::vector_name(n, precision, own),
                "device_name": cuda::vector_name(n, precision, own),
                "size": n,
                "own": precision == own,
                "wide": precision > own,
                "real": match precision == own { true => "Real", false => real(precision) },
                "path": match precision == own { true => "super::Real", false => real(precision) },
                "bits": precision.real().bytes() * 8,
                "other_bits": other.real().bytes() * 8,
                "other": both.then(|| expression::vector_name(n, other, own)),
                "other_real": real(other),
                "words": words(n),
                "fields": &crate::algebra::COMPONENTS[..usize::from(n)],
            })
        })
        .collect()
}

/// Rust's reals of a precision.
fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "f32",
        Precision::F64 => "f64",
    }
}

/// What lanes of a width have as methods: functions with code of their own that are used.
fn quick(precision: Precision, used: &BTreeSet<&'static str>) -> Vec<Value> {
    let of_width = |pieces| functions::of_width(pieces, precision.real()).name;
    let methods = entries().filter_map(|entry| {
        let Rust::Own(pieces) = entry.rust else {
            return None;
        };
        let whole = of_width(pieces);
        let (asks, quick) = match entry.vectors {
            Vectors::Near { asks, quick } => (Some(of_width(asks)), of_width(quick)),
            _ => (None, whole),
        };
        let two = entry.parity.len() == 2;
        let method = json!({
            "name": entry.name, "two": two, "asks": asks, "quick": quick, "whole": whole,
        });
        used.contains(whole).then_some(method)
    });
    methods.collect()
}
