//! `Plan` → a cargo crate, with kernels in Rust or in CUDA C++.

mod device;
mod expression;
mod kernel;
mod library;
mod main_file;
mod printer;
mod statement;
mod uniform;

use super::cuda::{self, KernelFile};
use super::map::{Emitted, Files};
use super::plan::{Plan, Var, arrays, uses_device, vector_sizes};
use super::template::{fill, uses};
use super::text::{Lines, comment, rust_string};
use super::{EmitOptions, derivation_lines};
use crate::algebra::Precision;
use crate::diagnostic::Diagnostic;
use crate::toolchain::Kind;
use library::{arguments, body, defaults, entry, series, size_parameters, sizes, values};
use printer::Printer;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pieces of support code that templates know.
const PIECES: &[&str] = &[
    "array",
    "atomic",
    "ceil_div",
    "ceil_div_64",
    "cell",
    "cuda",
    "device",
    "erfc",
    "error",
    "fused",
    "grid",
    "int32",
    "int64",
    "integer32",
    "kernels",
    "math",
    "max",
    "min",
    "nvrtc",
    "parallel",
    "points",
    "power",
    "power_of",
    "report",
    "steps_by",
    "zeros",
];

/// Those of them that are functions of `math.rs`.
const MATH: &[&str] = &[
    "ceil_div",
    "ceil_div_64",
    "erfc",
    "int32",
    "int64",
    "integer32",
    "max",
    "min",
    "power",
    "power_of",
    "steps_by",
];

/// The source of `erfc`, as the reference machine has it.
fn erfc() -> &'static str {
    let source = include_str!("../../machine/math.rs");
    let from = source.find("/// Coefficients").unwrap_or(0);
    let to = source.find("#[cfg(test)]").unwrap_or(source.len());
    source[from..to].trim_end()
}

/// What runs the kernels of a plan.
pub(super) enum Kernels {
    /// The processor: they are functions of the crate.
    Processor,
    /// A device of CUDA: they are a text of their own, if there are any.
    Cuda(Option<KernelFile>),
}

/// The crate of a plan.
pub(super) fn project(
    plan: &Plan,
    options: &EmitOptions,
    kernels: Kernels,
) -> Result<Emitted, Vec<Diagnostic>> {
    let mut printer = Printer::new(plan);
    let (target, kernel_file) = match kernels {
        Kernels::Processor => ("rust", None),
        Kernels::Cuda(file) => {
            printer.cuda = true;
            ("rust-cuda", file)
        }
    };
    let body = body(plan, &mut printer);
    if !printer.divergent.is_empty() {
        let refused = |span: &Option<_>| {
            Diagnostic::error(
                "E0505",
                "a BARRIER of this kernel stands under a condition or in a loop that may differ \
                 between threads",
            )
            .at(*span)
            .hint("move it out: every thread of a block must meet the same barriers")
        };
        return Err(printer.divergent.iter().map(refused).collect());
    }
    let entry = entry(plan, &mut printer);
    let mut defaults = defaults(plan, &mut printer);
    defaults.push_str(&values(plan, &mut printer));
    let size_dims: Vec<(Var, String)> = arrays(plan)
        .map(|item| (item.var, printer.dims(item.var)))
        .collect();
    let mut launchers = match kernel_file {
        Some(_) => device::launchers(&mut printer),
        None => json!({}),
    };
    let mut main = main_file::main_file(plan, &mut printer);
    let mut used = printer.uses.clone();
    // A program that does nothing on the device needs nothing for it.
    let by_cuda = printer.cuda && uses_device(plan);
    used.extend(by_cuda.then_some("cuda"));
    if kernel_file.is_some() {
        used.extend(["kernels", "nvrtc"]);
    }
    if MATH.iter().any(|piece| used.contains(piece)) {
        used.insert("math");
    }
    main["name"] = json!(plan.name);
    main["title"] = json!(comment(&plan.title));
    main["title_string"] = json!(rust_string(&plan.title));
    main["target"] = json!(target);
    main["cuda"] = json!(by_cuda);
    let mut texts: Vec<&str> = vec![&defaults, &entry, &body];
    texts.extend(size_dims.iter().map(|(_, dims)| dims.as_str()));
    let imports = imports(plan, &used, &texts);
    let values = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": plan.name,
        "title": comment(&plan.title),
        "title_string": rust_string(&plan.title),
        "description": toml_string(&comment(&plan.title)),
        "derivation": derivation_lines(options),
        "uses": uses(PIECES, &used),
        "vectors": vectors(plan),
        "real": match plan.precision { Precision::F32 => "f32", Precision::F64 => "f64" },
        "timed_words": match plan.timed { true => "the timed parts", false => "the algorithm" },
        "series": series(plan, &printer),
        "sizes": sizes(plan, &size_dims),
        "size_parameters": size_parameters(plan, &printer),
        "defaults": defaults,
        "arguments": arguments(plan, &printer),
        "entry": entry,
        "body": body,
        "imports": imports,
        "erfc": erfc(),
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
    file!("src/array.rs", "rust/array.rs.tera", &values);
    file!("src/error.rs", "rust/error.rs.tera", &values);
    file!("src/cli.rs", "rust/cli.rs");
    file!("src/npy.rs", "rust/npy.rs");
    if used.contains("math") {
        file!("src/math.rs", "rust/math.rs.tera", &values);
    }
    if used.contains("parallel") {
        file!("src/parallel.rs", "rust/parallel.rs.tera", &values);
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
    if !vector_sizes(plan).is_empty() {
        file!("src/vector.rs", "rust/vector.rs.tera", &values);
    }
    let kind = match by_cuda {
        true => Kind::RustCuda,
        false => Kind::Rust,
    };
    Ok(files.emitted(plan, kind))
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

fn vectors(plan: &Plan) -> Value {
    let words = |n: u8| match n {
        2 => "Two",
        3 => "Three",
        _ => "Four",
    };
    vector_sizes(plan)
        .into_iter()
        .map(|n| {
            json!({
                "name": format!("Vec{n}"),
                "device_name": format!("vec{n}"),
                "size": n,
                "words": words(n),
                "fields": &expression::FIELDS[..usize::from(n)],
            })
        })
        .collect()
}

/// The `use` lines of a library with these texts.
fn imports(plan: &Plan, used: &BTreeSet<&'static str>, texts: &[&str]) -> String {
    let mut lines = Lines::default();
    let mut from = |module: &str, names: &[(&'static str, &str)]| {
        let names: Vec<&str> = names
            .iter()
            .filter(|(piece, _)| used.contains(piece))
            .map(|(_, name)| *name)
            .collect();
        match names.as_slice() {
            [] => {}
            [one] => lines.line(format!("use {module}::{one};")),
            all => lines.line(format!("use {module}::{{{}}};", all.join(", "))),
        }
    };
    from(
        "array",
        &[("array", "array"), ("cell", "cell"), ("array", "size")],
    );
    from(
        "device",
        &[("device_type", "Device"), ("device", "DeviceArray")],
    );
    from("error", &[("fail", "fail")]);
    from("grid", &[("grid", "grid"), ("grid_type", "Grid")]);
    from("kernels", &[("kernels", "Kernels")]);
    from(
        "math",
        &[
            ("ceil_div", "ceil_div"),
            ("ceil_div_64", "ceil_div_64"),
            ("erfc", "erfc"),
            ("int32", "int32"),
            ("int64", "int64"),
            ("integer32", "integer32"),
            ("max", "max"),
            ("min", "min"),
            ("power", "power"),
            ("power_of", "power_of"),
            ("steps_by", "steps_by"),
        ],
    );
    from(
        "parallel",
        &[
            ("parallel_loop", "parallel"),
            ("share", "share"),
            ("shared", "Shared"),
        ],
    );
    from("points", &[("points", "Points")]);
    lines.line("use std::time::Instant;");
    let vectors: Vec<String> = vector_sizes(plan)
        .iter()
        .map(|n| format!("Vec{n}"))
        // A vector that only the interface has is an array there.
        .filter(|name| texts.iter().any(|text| text.contains(name.as_str())))
        .collect();
    match vectors.as_slice() {
        [] => {}
        [one] => lines.line(format!("use vector::{one};")),
        all => lines.line(format!("use vector::{{{}}};", all.join(", "))),
    }
    lines.line("");
    lines.finish()
}
