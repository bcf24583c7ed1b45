//! `Plan` → a CUDA C++ project, and what other projects in C++ have in common with it.

mod copies;
mod entry;
mod expression;
mod kernel;
mod kernel_file;
mod loops;
mod main_file;
mod operators;
mod parts;
mod printer;
mod program;
mod recorded;
mod state;
mod statement;
mod together;

use super::c;
use super::map::{Emitted, Files};
use super::plan::{self, Plan};
use super::template::{fill_with, uses};
use super::text::{Lines, c_string, shifted};
use super::variants::Program;
use super::{EmitOptions, derivation_lines};
use crate::algebra::{Cpp, Exchange, PIECES as PIECES_OF_FUNCTIONS, Precision, entries};
use crate::toolchain::Kind;
use entry::entry;
pub(super) use expression::{level, vector_name};
pub(super) use kernel::is_static;
pub(super) use kernel_file::{KernelFile, can_fail, kernel_file};
pub(super) use loops::is_below_largest;
pub(super) use printer::Printer;
use program::{body, by_address, defaults, sizes, values};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The pieces of support code that templates know, beside those of functions and exchanges.
const PIECES: &[&str] = &[
    "absolute",
    "add_atomically",
    "bit_count",
    "bits_as_integer",
    "bits_as_real",
    "branches",
    "bytes_of",
    "ceil_div",
    "checked_power",
    "fetch_add_atomically",
    "fused",
    "integers",
    "lanes",
    "larger",
    "max_atomically",
    "min_atomically",
    "multiprocessors",
    "parallel",
    "points",
    "power",
    "power_of",
    "real_power",
    "shift_left",
    "shift_right",
    "side_by_side",
    "smaller",
    "together",
    "within",
];

/// What hosts and kernels compute with.
const ARITHMETIC: (&str, &str) = (
    "arithmetic.cuh",
    include_str!("../../../templates/cuda/arithmetic.cuh.tera"),
);

/// What `support.cuh` consists of beside.
pub(super) const PARTS: &[(&str, &str)] = &[
    ARITHMETIC,
    (
        "device.cuh",
        include_str!("../../../templates/cuda/device.cuh.tera"),
    ),
    (
        "lent.cuh",
        include_str!("../../../templates/cuda/lent.cuh.tera"),
    ),
    (
        "profile.cuh",
        include_str!("../../../templates/cuda/profile.cuh.tera"),
    ),
    (
        "parallel.hpp",
        include_str!("../../../templates/cpp/parallel.hpp.tera"),
    ),
];

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

/// The tables of the functions that the reference machine has, too.
fn coefficients() -> Value {
    let tables = PIECES_OF_FUNCTIONS
        .iter()
        .map(|p| (p.name.to_owned(), json!(p.coefficients())));
    Value::Object(tables.collect())
}

/// Which pieces of support code are used, as a map of all of them.
fn pieces(used: &BTreeSet<&'static str>) -> Value {
    let own = entries().filter_map(|entry| match entry.cpp {
        Cpp::Wide(piece) => Some(piece.name),
        Cpp::Overloaded(name) => Some(name),
        Cpp::Call(_) | Cpp::OneOver(_) => None,
    });
    let exchanges = Exchange::ALL.iter().map(|exchange| exchange.function());
    let all: Vec<&str> = PIECES.iter().copied().chain(exchanges).chain(own).collect();
    uses(&all, used)
}

/// What differs between the targets that are printed as C++.
pub(super) struct Dialect {
    /// The target's name.
    pub target: &'static str,
    /// The name of the header of support code, and its guard.
    pub support: [&'static str; 2],
    /// What stands before functions of it.
    pub space: &'static str,
    /// Whether programs are for the cores of a processor, without CUDA.
    pub cores: bool,
}

/// What the templates of a program are filled in with.
pub(super) struct Filling {
    /// For the header of C.
    pub header: Value,
    /// For the library and its support code.
    pub library: Value,
    /// For `main.cpp`.
    pub main: Value,
    /// For `state.cpp`.
    pub state: Value,
    /// The pieces of support code that are used.
    pub used: BTreeSet<&'static str>,
}

const CUDA: Dialect = Dialect {
    target: "cuda",
    support: ["support.cuh", "SUPPORT_CUH"],
    space: "__host__ __device__",
    cores: false,
};

/// What the templates of a program are filled in with for a dialect.
pub(super) fn filling(program: &Program, options: &EmitOptions, dialect: &Dialect) -> Filling {
    let plan = program.first();
    let plans = program.plans.iter();
    let mut printers: Vec<Printer> = plans.map(|p| Printer::new(p, options)).collect();
    let (_, starts) = program.origins();
    let mut can_fail = false;
    let variants: Vec<Value> = program
        .plans
        .iter()
        .zip(&mut printers)
        .enumerate()
        .map(|(k, (plan, printer))| {
            printer.cores = dialect.cores;
            let kernels = match dialect.cores {
                true => functions(plan, printer),
                false => kernels(plan, printer),
            };
            can_fail |= !dialect.cores && kernel_file::can_fail(&printer.uses);
            json!({
                "name": program.name(k),
                "head": program.head(k),
                "kernels": shifted(&kernels, starts[k]),
                "body": shifted(&body(plan, printer), starts[k]),
            })
        })
        .collect();
    let entry = entry(program, &mut printers);
    let device = printers.iter().any(|p| p.uses_device());
    let header = c::header(plan, device);
    let printer = &mut printers[0];
    let mut library = header.clone();
    sizes(plan, printer, &mut library["sizes"]);
    defaults(plan, printer, &mut library["defaults"]);
    values(plan, printer, &mut library["own_values"]);
    let mut main = main_file::main_file(plan, printer);
    let mut state = header.clone();
    let on_device = program.plans.iter().flat_map(plan::places::lent).collect();
    c::merge(&mut state, state::state(plan, &on_device, printer));
    // The host counts with checked integers also where the algorithm has none.
    printer.uses.insert("integers");
    let used: BTreeSet<&'static str> = printers.iter().flat_map(|p| p.uses.clone()).collect();
    let includes = program
        .plans
        .iter()
        .flat_map(|p| plan::head_lines(p, "#include"));
    let includes: BTreeSet<String> = includes.collect();
    let [support, guard_of_support] = dialect.support;
    let own = json!({
        "includes": includes,
        "libraries": super::map::libraries(&program.plans),
        "derivation": derivation_lines(program, options),
        "real": real(plan.precision),
        "space": dialect.space,
        "cores": dialect.cores,
        "support": support,
        "guard_of_support": guard_of_support,
        "target": dialect.target,
        "faults": faults(),
        "can_fail": can_fail,
        "recorded": program.plans.iter().any(|p| p.recordings > 0),
        "asking": program.plans.iter().any(|p| !p.asking.is_empty()),
        "profile": options.profile && device,
        "uses": pieces(&used),
        "vectors": vectors(&program.plans),
        "coefficients": coefficients(),
        "largest_extent": crate::algebra::LARGEST_EXTENT,
        "by_address": by_address(plan),
        "description": description(plan, dialect.target),
        "variants": variants,
        "entry": entry,
    });
    c::merge(&mut library, own);
    for key in [
        "name", "title", "version", "device", "real", "profile", "target", "cores",
    ] {
        main[key] = library[key].clone();
    }
    state["real"] = library["real"].clone();
    Filling {
        header,
        library,
        main,
        state,
        used,
    }
}

/// The project of a program.
pub(super) fn project(program: &Program, options: &EmitOptions) -> Emitted {
    let filling = filling(program, options, &CUDA);
    let (plan, values) = (program.first(), &filling.library);
    let name = &plan.name;
    let mut files = Files::default();
    // A file and the template that it is made of, which has its name here.
    macro_rules! file {
        ($path:expr, $template:literal, $values:expr) => {{
            let text = include_str!(concat!("../../../templates/cuda/", $template));
            let filled = fill_with($template, text, PARTS, $values);
            files.filled($path, concat!("cuda/", $template), filled);
        }};
        ($path:literal) => {{
            let text = include_str!(concat!("../../../templates/cuda/", $path));
            files.copied($path, concat!("cuda/", $path), text);
        }};
    }
    file!("CMakeLists.txt", "CMakeLists.txt.tera", values);
    c::add_to(&mut files, plan, "cuda", &filling.header);
    file!(format!("{name}.cu"), "program.cu.tera", values);
    file!("support.cuh", "support.cuh.tera", values);
    file!("state.cpp", "state.cpp.tera", &filling.state);
    file!("main.cpp", "main.cpp.tera", &filling.main);
    file!("cli.hpp");
    file!("files.hpp");
    file!("npy.hpp");
    files.emitted(program, Kind::Cuda, "cuda")
}

/// C's type of the reals of a precision.
fn real(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "float",
        Precision::F64 => "double",
    }
}

/// C's square root of them.
fn sqrt(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "sqrtf",
        Precision::F64 => "sqrt",
    }
}

/// C's sum with a product that is not rounded on the way.
fn fma(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "fmaf",
        Precision::F64 => "fma",
    }
}

/// The description of a program's interface, a literal a line.
fn description(plan: &Plan, target: &str) -> Vec<String> {
    let lines = c::description(plan, target);
    lines.iter().map(|line| c_string(line)).collect()
}

/// The code of basic operators.
fn functions(plan: &Plan, printer: &mut Printer) -> String {
    printer.lines = Lines::default();
    for function in &plan.functions {
        printer.function(function);
    }
    std::mem::take(&mut printer.lines).finish()
}

/// The kernels' text, with the code that they call.
fn kernels(plan: &Plan, printer: &mut Printer) -> String {
    printer.lines = Lines::default();
    for function in &plan.functions {
        printer.function(function);
    }
    for (number, kernel) in plan.kernels.iter().enumerate() {
        if printer.fails_in(|p| p.kernel(kernel)) {
            printer.failing.insert(number);
        }
        printer.lines.line("");
    }
    // By themselves kernels are launched by a host that evaluates conditions.
    let asking = match printer.alone {
        true => &[][..],
        false => &plan.asking,
    };
    for asking in asking {
        printer.asking_kernel(&asking.kernel);
        printer.lines.line("");
    }
    if !printer.alone && !printer.profile {
        printer.rounds_kernels();
    }
    std::mem::take(&mut printer.lines).finish()
}

fn vectors(plans: &[Plan]) -> Value {
    let types: BTreeSet<(u8, Precision)> = plans.iter().flat_map(plan::vector_types).collect();
    let own = plans.first().map_or(Precision::F32, |p| p.precision);
    types
        .iter()
        .map(|&(n, precision)| {
            let other = precision.other();
            let both = types.contains(&(n, other));
            json!({
                "name": vector_name(n, precision, own),
                "size": n,
                "real": match precision == own { true => "real", false => real(precision) },
                "sqrt": sqrt(precision),
                "fma": fma(precision),
                "other": both.then(|| vector_name(n, other, own)),
                "other_real": real(other),
                "fields": &crate::algebra::COMPONENTS[..usize::from(n)],
            })
        })
        .collect()
}
