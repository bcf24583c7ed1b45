//! `Plan` → a cargo crate.

mod expression;
mod kernel;
mod main_file;
mod printer;
mod statement;
mod uniform;

use super::plan::{Data, Expr, Node, Plan, Stmt, Var};
use super::template::{fill, uses};
use super::text::{Lines, comment, rust_string};
use super::{EmitOptions, derivation_lines};
use crate::algebra::{Precision, Type};
use crate::diagnostic::Diagnostic;
use crate::toolchain::{Kind, Project};
pub(super) use main_file::{help, inferred, needs_sizes};
use printer::{Access, Printer};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pieces of support code that templates know.
const PIECES: &[&str] = &[
    "array",
    "atomic",
    "cell",
    "ceil_div",
    "ceil_div_64",
    "device",
    "erfc",
    "error",
    "int32",
    "int64",
    "integer32",
    "math",
    "max",
    "min",
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

/// The crate of a plan.
pub(super) fn project(plan: &Plan, options: &EmitOptions) -> Result<Project, Vec<Diagnostic>> {
    let mut printer = Printer::new(plan);
    let body = body(plan, &mut printer);
    let divergent = printer.divergent;
    if divergent {
        return Err(vec![
            Diagnostic::error(
                "E0505",
                "a BARRIER stands under a condition or in a loop that may differ between threads",
            )
            .hint("move it out: every thread of a block must meet the same barriers"),
        ]);
    }
    let entry = entry(plan, &mut printer);
    let defaults = defaults(plan, &mut printer);
    let size_dims: Vec<(Var, String)> = arrays(plan)
        .map(|item| (item.var, printer.dims(item.var)))
        .collect();
    let mut main = main_file::main_file(plan, &mut printer);
    let mut used = printer.uses.clone();
    if MATH.iter().any(|piece| used.contains(piece)) {
        used.insert("math");
    }
    main["name"] = json!(plan.name);
    main["title"] = json!(comment(&plan.title));
    main["title_string"] = json!(rust_string(&plan.title));
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
        "imports": imports(plan, &used),
        "erfc": erfc(),
    });
    let mut files = vec![
        (
            "Cargo.toml".into(),
            fill(
                "Cargo.toml",
                include_str!("../../../templates/rust/Cargo.toml.tera"),
                &values,
            ),
        ),
        ("Cargo.lock".into(), lock(&plan.name)),
        (".gitignore".into(), "/target\n".into()),
        (
            "src/lib.rs".into(),
            fill(
                "lib.rs",
                include_str!("../../../templates/rust/lib.rs.tera"),
                &values,
            ),
        ),
        (
            "src/main.rs".into(),
            fill(
                "main.rs",
                include_str!("../../../templates/rust/main.rs.tera"),
                &main,
            ),
        ),
        (
            "src/array.rs".into(),
            fill(
                "array.rs",
                include_str!("../../../templates/rust/array.rs"),
                &values,
            ),
        ),
        (
            "src/error.rs".into(),
            include_str!("../../../templates/rust/error.rs").into(),
        ),
        (
            "src/cli.rs".into(),
            include_str!("../../../templates/rust/cli.rs").into(),
        ),
        (
            "src/npy.rs".into(),
            include_str!("../../../templates/rust/npy.rs").into(),
        ),
    ];
    let mut optional = |piece: &str, name: &str, template: &str| {
        if used.contains(piece) {
            files.push((format!("src/{name}"), fill(name, template, &values)));
        }
    };
    optional(
        "math",
        "math.rs",
        include_str!("../../../templates/rust/math.rs"),
    );
    optional(
        "parallel",
        "parallel.rs",
        include_str!("../../../templates/rust/parallel.rs"),
    );
    optional(
        "points",
        "points.rs",
        include_str!("../../../templates/rust/points.rs"),
    );
    optional(
        "device",
        "device.rs",
        include_str!("../../../templates/rust/device.rs"),
    );
    if !vector_sizes(plan).is_empty() {
        let template = include_str!("../../../templates/rust/vector.rs");
        files.push(("src/vector.rs".into(), fill("vector.rs", template, &values)));
    }
    Ok(Project {
        name: plan.name.clone(),
        kind: Kind::Rust,
        files,
    })
}

fn lock(name: &str) -> String {
    format!(
        "# This file is automatically @generated by Cargo.\n\
         # It is not intended for manual editing.\n\
         version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"0.1.0\"\n"
    )
}

fn toml_string(text: &str) -> String {
    // A basic string of TOML has the escapes of JSON.
    Value::String(text.to_owned()).to_string()
}

/// The arrays of DATA.
fn arrays(plan: &Plan) -> impl Iterator<Item = &Data> {
    plan.data
        .iter()
        .filter(|item| !plan.var(item.var).dims.is_empty())
}

/// How many components the vectors of a plan have.
pub(super) fn vector_sizes(plan: &Plan) -> BTreeSet<u8> {
    let mut sizes = BTreeSet::new();
    let mut note = |ty: Type| {
        if let Type::Vector(n, _) = ty {
            sizes.insert(n);
        }
    };
    plan.variables.iter().for_each(|v| note(v.ty));
    let mut bodies: Vec<&[Stmt]> = vec![&plan.body];
    bodies.extend(plan.kernels.iter().map(|k| k.body.as_slice()));
    for body in bodies {
        super::plan::each_expression(body, &mut |e| note(e.ty));
    }
    sizes
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
                "size": n,
                "words": words(n),
                "fields": &expression::FIELDS[..usize::from(n)],
            })
        })
        .collect()
}

/// The type of a variable, or of an array's elements, in the library's interface.
fn public_type(printer: &Printer, var: Var) -> String {
    match printer.ty(var) {
        Type::Vector(n, _) => format!("[Real; {n}]"),
        ty => printer.type_name(ty).to_owned(),
    }
}

/// The field of a series in the reports.
fn series_field(plan: &Plan, number: usize) -> String {
    let base = super::names::program_name(
        &plan.series[number].label,
        super::names::Alphabet::Ukrainian,
    );
    let taken = |name: &str| {
        matches!(name, "rows" | "seconds") || (0..number).any(|k| series_field(plan, k) == name)
    };
    let mut name = base.clone();
    let mut count = 1;
    while taken(&name) {
        count += 1;
        name = format!("{base}_{count}");
    }
    name
}

fn series(plan: &Plan, printer: &Printer) -> Value {
    plan.series
        .iter()
        .enumerate()
        .map(|(number, s)| {
            json!({
                "array": comment(&plan.var(s.var).key),
                "field": series_field(plan, number),
                "element": public_type(printer, s.var),
            })
        })
        .collect()
}

fn sizes(plan: &Plan, dims: &[(Var, String)]) -> Value {
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

/// The parameters that sizes of arrays depend on.
pub(super) fn size_variables(plan: &Plan) -> Vec<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    for item in arrays(plan) {
        for dim in &plan.var(item.var).dims {
            super::plan::expressions(dim, &mut |e| {
                if let Node::Var(var) = e.node {
                    used.insert(var);
                }
            });
        }
    }
    used.into_iter().collect()
}

fn typed_name(printer: &Printer, var: Var) -> String {
    let ty = printer.type_name(printer.ty(var));
    format!("{}: {ty}", printer.plan.var(var).name)
}

fn size_parameters(plan: &Plan, printer: &Printer) -> String {
    let all = size_variables(plan).into_iter();
    let all: Vec<String> = all.map(|v| typed_name(printer, v)).collect();
    all.join(", ")
}

/// A call of `Sizes::new`.
fn sizes_call(plan: &Plan) -> String {
    let names: Vec<&str> = size_variables(plan)
        .into_iter()
        .map(|v| plan.var(v).name.as_str())
        .collect();
    format!("Sizes::new({})", names.join(", "))
}

/// The arguments of the library's function.
fn arguments(plan: &Plan, printer: &Printer) -> Vec<String> {
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
fn defaults(plan: &Plan, printer: &mut Printer) -> String {
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

/// The parameters that a default depends on.
pub(super) fn default_variables(default: &Expr) -> Vec<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    super::plan::expressions(default, &mut |e| {
        if let Node::Var(var) = e.node {
            used.insert(var);
        }
    });
    used.into_iter().collect()
}

/// Variables of DATA and parameters that the body uses.
pub(super) fn used_by_body(plan: &Plan) -> BTreeSet<Var> {
    let mut used: BTreeSet<Var> = BTreeSet::new();
    super::plan::reads(&plan.body, &mut |var| {
        used.insert(var);
    });
    super::plan::for_each_place(&plan.body, &mut |var, _| {
        used.insert(var);
    });
    super::plan::each_statement(&plan.body, &mut |stmt| match stmt {
        Stmt::Save(number) => {
            used.insert(plan.series[*number].var);
        }
        Stmt::Allocate(var) | Stmt::CopyToDevice(var) | Stmt::Free(var) => {
            used.insert(*var);
        }
        Stmt::Launch { kernel, .. } => {
            let kernel = &plan.kernels[*kernel];
            used.extend(kernel.scalars.iter().copied());
            used.extend(kernel.arrays.iter().map(|a| a.var));
        }
        Stmt::Array { var, .. } => {
            for dim in &plan.var(*var).dims {
                used.extend(default_variables(dim));
            }
        }
        _ => {}
    });
    for kernel in &plan.kernels {
        for shared in &kernel.shared {
            for dim in &plan.var(shared.var).dims {
                used.extend(default_variables(dim));
            }
        }
    }
    for item in &plan.data {
        if !item.values.is_empty() && !item.input {
            used.insert(item.var);
            used.extend(item.values.iter().flat_map(default_variables));
        }
    }
    used
}

/// What the library's function does: checks lengths, makes working arrays, calls `run`.
fn entry(plan: &Plan, printer: &mut Printer) -> String {
    let mut lines = Lines::new(2);
    let used = used_by_body(plan);
    let several =
        arrays(plan).any(|item| used.contains(&item.var) && plan.var(item.var).dims.len() > 1);
    if arrays(plan).next().is_some() {
        let call = sizes_call(plan);
        lines.line(format!(
            "let sizes = {call}.unwrap_or_else(|e| error::fail(e));"
        ));
    }
    let mut unused: Vec<&str> = Vec::new();
    let mut passed: Vec<String> = Vec::new();
    let sized = size_variables(plan);
    for parameter in &plan.parameters {
        let name = &plan.var(parameter.var).name;
        if used.contains(&parameter.var) {
            passed.push(name.clone());
        } else if !sized.contains(&parameter.var) {
            unused.push(name);
        }
    }
    if several {
        passed.push("&sizes".into());
    }
    for item in &plan.data {
        let variable = plan.var(item.var);
        let name = &variable.name;
        let outside = item.input || item.output;
        let array = !variable.dims.is_empty();
        if outside && array {
            let key = rust_string(&variable.key);
            lines.line(format!(
                "array::expect_length({key}, {name}.len(), &sizes.{name});"
            ));
        }
        if !used.contains(&item.var) {
            if outside && !array {
                unused.push(name);
            }
            continue;
        }
        let of = match (variable.ty, item.output) {
            (Type::Vector(n, _), true) => format!("Vec{n}::of_mut({name})"),
            (Type::Vector(n, _), false) => format!("Vec{n}::of({name})"),
            _ => name.clone(),
        };
        if !array {
            passed.extend(outside.then(|| scalar_argument(printer, item)));
        } else if item.output {
            passed.push(of);
        } else if item.input && variable.assigned {
            // The caller's array stays as it is.
            lines.line(format!("let mut {name} = {of}.to_vec();"));
            passed.push(format!("&mut {name}"));
        } else if item.input {
            passed.push(of);
        } else {
            let ty = printer.type_name(variable.ty);
            let key = rust_string(&variable.key);
            lines.line(format!(
                "let mut {name} = array::array::<{ty}>({key}, &sizes.{name});"
            ));
            passed.push(format!("&mut {name}"));
        }
    }
    if !unused.is_empty() {
        let all = match unused.as_slice() {
            [one] => (*one).to_owned(),
            all => format!("({})", all.join(", ")),
        };
        lines.line(format!("let _ = {all};"));
    }
    lines.line("let mut reports = Reports::default();");
    passed.push("&mut reports".into());
    if !plan.timed {
        lines.line("let timer = Instant::now();");
    }
    lines.line(format!("run({});", passed.join(", ")));
    if !plan.timed {
        lines.line("reports.seconds = timer.elapsed().as_secs_f64();");
    }
    lines.line("reports");
    let text = lines.finish();
    match text.matches("sizes").count() {
        1 => text.replace("let sizes =", "let _ ="),
        _ => text,
    }
}

/// A scalar of DATA as an argument of `run`.
fn scalar_argument(printer: &Printer, item: &Data) -> String {
    let name = &printer.plan.var(item.var).name;
    match (printer.ty(item.var), item.output) {
        (Type::Vector(n, _), true) => {
            format!("&mut Vec{n}::of_mut(std::slice::from_mut({name}))[0]")
        }
        (Type::Vector(n, _), false) => format!("Vec{n}::of(&[{name}])[0]"),
        _ => name.clone(),
    }
}

/// `run` and the kernels.
fn body(plan: &Plan, printer: &mut Printer) -> String {
    let used = used_by_body(plan);
    printer.lines = Lines::default();
    printer.lines.open("fn run(");
    let several =
        arrays(plan).any(|item| used.contains(&item.var) && plan.var(item.var).dims.len() > 1);
    for parameter in plan.parameters.iter().filter(|p| used.contains(&p.var)) {
        let text = typed_name(printer, parameter.var);
        printer.lines.line(format!("{text},"));
    }
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
        printer.lines.line(format!("{text},"));
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
    for kernel in &plan.kernels {
        printer.lines.line("");
        printer.kernel(kernel);
    }
    std::mem::take(&mut printer.lines).finish()
}

fn plan_has_points(plan: &Plan) -> bool {
    let mut found = false;
    super::plan::each_statement(&plan.body, &mut |s| {
        found |= matches!(
            s,
            Stmt::Async(_) | Stmt::ControlPoint(_) | Stmt::WaitPoint(_)
        );
    });
    found
}

fn uses_reports(plan: &Plan) -> bool {
    let mut found = false;
    super::plan::each_statement(&plan.body, &mut |s| {
        found |= matches!(s, Stmt::Report { .. } | Stmt::Timed(_) | Stmt::Save(_));
    });
    found
}

/// Sizes, working scalars, values that DATA gives, and memory on the device.
fn declare_data(plan: &Plan, used: &BTreeSet<Var>, printer: &mut Printer) {
    for item in plan.data.iter().filter(|d| used.contains(&d.var)) {
        let variable = plan.var(item.var);
        let name = variable.name.clone();
        if variable.dims.len() > 1 {
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
}

/// The `use` lines of the library.
fn imports(plan: &Plan, used: &BTreeSet<&'static str>) -> String {
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
        &[
            ("grid", "grid"),
            ("device", "DeviceArray"),
            ("grid_type", "Grid"),
        ],
    );
    from("error", &[("fail", "fail")]);
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
        .collect();
    match vectors.as_slice() {
        [] => {}
        [one] => lines.line(format!("use vector::{one};")),
        all => lines.line(format!("use vector::{{{}}};", all.join(", "))),
    }
    lines.line("");
    lines.finish()
}
