//! Reading schemes, running them on the reference machine, and running emitted programs.

use glushkov::algebra::{Precision, Type};
use glushkov::check::{Expand, Role, Scheme, with_meanings};
use glushkov::data::{Array, Values, read_npy, write_npy};
use glushkov::diagnostic::render;
use glushkov::machine::{Limits, Machine, Value, compile};
use glushkov::pipeline::{Options, Session, Source, load};
use glushkov::term::Symbol;
use std::path::{Path, PathBuf};

#[path = "../reports/mod.rs"]
mod reports;

/// A case's file: a scheme with lines `# run: N=7 STEPS=2` for each run, and `# fails: text` after
/// one that ends in an error.
pub struct Case {
    pub name: String,
    pub text: String,
    pub runs: Vec<Run>,
    /// Targets that it is not for.
    pub not_for: Vec<String>,
    /// Whether C's functions may give other values than Rust's.
    pub approximate: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Run {
    pub set: Vec<(String, String)>,
    /// Whether it has no result.
    pub fails: bool,
}

/// All cases of a folder, in order of name.
pub fn cases(folder: &str) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "saa"))
        .collect();
    paths.sort();
    paths.iter().map(|p| case(p)).collect()
}

/// The cases and the library's schemes that are for a target. The latter run at small sizes.
pub fn all_cases(target: &str) -> Vec<Case> {
    let mut all = cases("tests/emit/cases");
    for mut case in cases("schemes/nbody") {
        let steps = case.text.contains("STEPS").then_some(("STEPS", "2"));
        let set = |n: &str| {
            let all = [("N", n)].into_iter().chain(steps);
            all.map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect()
        };
        case.runs = ["1", "2", "7"]
            .map(|n| Run {
                set: set(n),
                fails: false,
            })
            .into();
        all.push(case);
    }
    all.retain(|case| !case.not_for.iter().any(|t| t == target));
    all
}

pub fn case(path: &Path) -> Case {
    let name = path.file_stem().unwrap().to_string_lossy();
    case_of(&name, std::fs::read_to_string(path).unwrap())
}

/// The case of a text.
pub fn case_of(name: &str, text: String) -> Case {
    let mut runs = Vec::new();
    let mut not_for = Vec::new();
    for line in text.lines() {
        if let Some(run) = line.strip_prefix("# run:") {
            let (run, fails) = match run.split_once('!') {
                Some((run, _)) => (run, true),
                None => (run, false),
            };
            let set = run
                .split_whitespace()
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap();
                    (name.to_owned(), value.to_owned())
                })
                .collect();
            runs.push(Run { set, fails });
        }
        if let Some(target) = line.strip_prefix("# not for:") {
            not_for.push(target.trim().to_owned());
        }
    }
    if runs.is_empty() {
        runs.push(Run::default());
    }
    Case {
        name: name.to_owned(),
        approximate: text.contains("# approximate on cuda"),
        text,
        runs,
        not_for,
    }
}

/// The checked scheme of a text.
pub fn scheme(name: &str, text: &str, precision: Precision) -> Scheme {
    let options = Options {
        precision,
        ..Options::default()
    };
    let mut session = Session::new();
    let source = Source::Text { name, text };
    // Of a family, the member of its defaults; with the operators of the library that it uses.
    load(source, &options, &mut session).unwrap_or_else(|failure| {
        let errors = failure.diagnostics.iter();
        let shown: String = errors.map(|e| render(e, &session.sources, false)).collect();
        panic!("{shown}")
    })
}

/// A scheme as the machine runs it: basic operators are what they mean.
pub fn meant(scheme: &Scheme) -> Scheme {
    match !scheme.basics.is_empty() && scheme.is_meant() {
        true => with_meanings(scheme, Expand::All).expect("what is meant stands there"),
        false => scheme.clone(),
    }
}

/// What a run leaves: OUTPUT variables, reports and series.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub arrays: Vec<(String, Vec<u64>)>,
    pub reports: Vec<(String, Vec<u64>)>,
    pub series: Vec<(String, Vec<u64>)>,
}

/// One value for all NaNs.
fn canonical(ty: Type, bits: u64) -> u64 {
    match ty {
        Type::F32 if f32::from_bits(bits as u32).is_nan() => u64::from(f32::NAN.to_bits()),
        Type::F64 if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}

fn value(ty: Type, text: &str) -> Value {
    match ty {
        Type::Bool => Value::Bool(text == "true"),
        t if t.is_real() => Value::Real(text.parse().unwrap()),
        _ => Value::Int(text.parse().unwrap()),
    }
}

/// Numbers that look random and are the same everywhere.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f64 / (1u64 << 24) as f64
}

/// A cell of an INPUT array.
fn cell(ty: Type, seed: &mut u64) -> u64 {
    let x = random(seed);
    match ty.component() {
        Type::Bool => u64::from(x < 0.5),
        Type::F32 => u64::from(((x * 2.0 - 0.5) as f32).to_bits()),
        Type::F64 => (x * 2.0 - 0.5).to_bits(),
        _ => (x * 5.0) as i64 as u64,
    }
}

/// Runs a scheme on the reference machine; writes its INPUT arrays to `folder` first. Gives
/// nothing where the machine finds an error.
pub fn on_machine(scheme: &Scheme, run: &Run, folder: &Path) -> Result<Outcome, String> {
    let scheme = &meant(scheme);
    let code = compile(scheme).unwrap();
    let mut machine = Machine::new(scheme, &code, Limits::default());
    let given: Vec<(Symbol, Value)> = run
        .set
        .iter()
        .map(|(name, text)| {
            let name = Symbol::new(name);
            let ty = scheme.variable(name).unwrap().ty;
            (name, value(ty, text))
        })
        .collect();
    machine.start(&given).map_err(|e| e.message)?;
    let mut seed = 7;
    let own_values = |role: &Role| matches!(role, Role::Data { values, .. } if !values.is_empty());
    let inputs = scheme.data().filter(|(_, v)| v.is_input());
    // Inputs that have values want no file.
    for (name, variable) in inputs.filter(|(_, v)| !own_values(&v.role)) {
        let dims: Vec<usize> = machine
            .dims(name)
            .unwrap()
            .iter()
            .map(|&d| d as usize)
            .collect();
        let count = dims.iter().product::<usize>() * variable.ty.components();
        let cells: Vec<u64> = (0..count).map(|_| cell(variable.ty, &mut seed)).collect();
        assert!(machine.set(name, &cells));
        let mut shape = dims;
        if variable.ty.components() > 1 {
            shape.push(variable.ty.components());
        }
        let array = Array::new(shape, values(variable.ty, &cells)).unwrap();
        write_npy(&folder.join(format!("{name}.npy")), &array).unwrap();
    }
    machine.run().map_err(|e| e.message)?;
    let mut outcome = Outcome {
        arrays: Vec::new(),
        reports: Vec::new(),
        series: Vec::new(),
    };
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_output()) {
        let ty = variable.ty.component();
        let cells = machine.get(name).unwrap();
        let cells = cells.into_iter().map(|c| canonical(ty, c)).collect();
        outcome.arrays.push((name.to_string(), cells));
    }
    for (label, values) in &machine.outcome().reports {
        let values = values.iter().map(|v| canonical(Type::F64, v.to_bits()));
        outcome.reports.push((label.to_string(), values.collect()));
    }
    for (label, array, cells) in &machine.outcome().saves {
        let ty = scheme.variable(*array).unwrap().ty.component();
        let cells: Vec<u64> = cells.iter().map(|&c| canonical(ty, c)).collect();
        match outcome.series.iter_mut().find(|(l, _)| l == label.as_str()) {
            Some((_, all)) => all.extend(cells),
            None => outcome.series.push((label.to_string(), cells)),
        }
    }
    Ok(outcome)
}

fn values(ty: Type, cells: &[u64]) -> Values {
    match ty.component() {
        Type::Bool => Values::Bool(cells.iter().map(|&c| c != 0).collect()),
        Type::I64 => Values::I64(cells.iter().map(|&c| c as i64).collect()),
        Type::F32 => Values::F32(cells.iter().map(|&c| f32::from_bits(c as u32)).collect()),
        Type::F64 => Values::F64(cells.iter().map(|&c| f64::from_bits(c)).collect()),
        _ => Values::I32(cells.iter().map(|&c| c as i32).collect()),
    }
}

fn bits(array: &Array) -> Vec<u64> {
    match array.values() {
        Values::Bool(v) => v.iter().map(|&b| u64::from(b)).collect(),
        Values::I32(v) => v.iter().map(|&i| i64::from(i) as u64).collect(),
        Values::I64(v) => v.iter().map(|&i| i as u64).collect(),
        Values::F32(v) => v
            .iter()
            .map(|x| canonical(Type::F32, u64::from(x.to_bits())))
            .collect(),
        Values::F64(v) => v
            .iter()
            .map(|x| canonical(Type::F64, x.to_bits()))
            .collect(),
    }
}

/// What a program wrote to a folder.
pub fn written(scheme: &Scheme, like: &Outcome, folder: &Path) -> Outcome {
    let read = |name: &str| bits(&read_npy(&folder.join(format!("{name}.npy"))).unwrap());
    let arrays = scheme
        .data()
        .filter(|(_, v)| v.is_output())
        .map(|(name, _)| (name.to_string(), read(name.as_str())))
        .collect();
    let rows = reports::Reports::read(&folder.join("reports.csv")).unwrap();
    let reports = rows
        .rows
        .iter()
        .map(|row| {
            let values = row.values.iter().map(|v| canonical(Type::F64, v.to_bits()));
            (row.label.clone(), values.collect())
        })
        .collect();
    let series = like
        .series
        .iter()
        .map(|(label, _)| (label.clone(), read(label)))
        .collect();
    Outcome {
        arrays,
        reports,
        series,
    }
}
