//! Basic operators that have a meaning → whether that reads and writes what is declared, on random arguments.
//!
//! What is declared marks cells: those that may be read, and those that may be written. A run of the meaning must leave
//! all others as they were; and where cells that are not read hold something else, it must write the same.

mod trial;

use super::{Failure, Options, Run, Session, Source, Target};
use crate::algebra::Type;
use crate::check::{Basic, Expand, Scheme, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::machine::{Limits, Machine, Value, compile};
use crate::term::Symbol;
use crate::toolchain::{cargo, rustc};
use rand::RngExt;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use trial::Use;

/// So many calls are tried, and so many of them are enough.
const TRIES: usize = 200;
const ENOUGH: usize = 20;

/// Sizes and subscripts are below this.
const SMALL: i64 = 6;

/// What the trial of a basic operator showed.
pub struct TriedBasic {
    /// Its phrase.
    pub title: String,
    /// In how many calls its meaning reached what is declared.
    pub calls: usize,
    /// Why there was no call, if there was none.
    pub not_tried: Option<String>,
    /// What is wrong with the declaration.
    pub wrong: Option<Diagnostic>,
    /// The targets whose code gave what the operator means.
    pub as_meant: Vec<&'static str>,
}

impl TriedBasic {
    /// The object that `check --json` has of it.
    pub fn json(&self) -> Json {
        json!({
            "operator": self.title,
            "calls": self.calls,
            "not_tried": self.not_tried,
            "wrong": self.wrong.as_ref().map(|w| w.message.clone()),
            "as_meant": self.as_meant,
        })
    }

    /// It in a line.
    pub fn line(&self) -> String {
        let title = &self.title;
        if let Some(why) = &self.not_tried {
            return format!("\"{title}\": not tried, as {why}");
        }
        let code = match self.as_meant.is_empty() {
            true => String::new(),
            false => format!(
                "; the code for {} does what it means",
                self.as_meant.join(" and ")
            ),
        };
        let calls = self.calls;
        format!("\"{title}\": reads and writes what is declared, in {calls} random calls{code}")
    }
}

/// Tries the basic operators of a scheme, and the code of those whose files were named.
///
/// # Errors
///
/// What stops the code from being built and run.
pub fn try_basics(
    scheme: &Scheme,
    options: &Options,
    session: &mut Session,
) -> Result<Vec<TriedBasic>, Failure> {
    let mut all = Vec::new();
    for basic in scheme.basics.values().filter(|b| !b.is_test) {
        let mut tried = try_basic(scheme, basic);
        let can_build = cargo().is_ok() && rustc().is_ok();
        let is_named = !options.operators.is_empty() && basic.code("rust").is_some();
        if tried.calls > 0 && tried.wrong.is_none() && is_named && can_build {
            match code_as_meant(scheme, basic, options, session)? {
                None => tried.as_meant.push("rust"),
                Some(wrong) => tried.wrong = Some(wrong),
            }
        }
        all.push(tried);
    }
    Ok(all)
}

fn try_basic(scheme: &Scheme, basic: &Basic) -> TriedBasic {
    let mut tried = TriedBasic {
        title: basic.title(),
        calls: 0,
        not_tried: None,
        wrong: None,
        as_meant: Vec::new(),
    };
    let made = match () {
        () if !basic.has_meaning => Err("it has no meaning".to_owned()),
        () => Use::of(scheme, basic),
    };
    let made = made.and_then(|made| {
        let calls = made.scheme("calls", &made.call, false, scheme)?;
        let calls = with_meanings(&calls, Expand::All).map_err(|e| first(&e))?;
        Ok((
            calls,
            made.scheme("marks", &made.marking, true, scheme)?,
            made,
        ))
    });
    let (calls, marks, made) = match made {
        Ok(made) => made,
        Err(why) => {
            tried.not_tried = Some(why);
            return tried;
        }
    };
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..TRIES {
        if tried.calls == ENOUGH {
            break;
        }
        let inputs = Inputs::random(&calls, &mut random);
        let Some(marks) = run(&marks, &inputs) else {
            continue;
        };
        let Some(left) = run(&calls, &inputs) else {
            continue;
        };
        tried.calls += 1;
        if let Some(wrong) = made.compared(&inputs, &marks, &left, &calls, &mut random) {
            let message = format!("\"{}\" {wrong}", tried.title);
            tried.wrong = Some(
                Diagnostic::error("E0226", message)
                    .at(basic.span)
                    .hint("what is derived rests on READS and WRITES, so they must be whole"),
            );
            return tried;
        }
    }
    if tried.calls == 0 {
        tried.not_tried = Some("no arguments were found on which what it means runs".to_owned());
    }
    tried
}

fn first(errors: &[Diagnostic]) -> String {
    errors.first().map_or(String::new(), |e| e.message.clone())
}

/// Cells of variables by their names.
type Cells = BTreeMap<String, Vec<u64>>;

/// Values of parameters and cells of INPUT variables.
#[derive(Clone)]
struct Inputs {
    parameters: Vec<(Symbol, Value)>,
    cells: Cells,
    seed: u64,
}

impl Inputs {
    fn random(scheme: &Scheme, random: &mut Pcg64) -> Inputs {
        let integers = scheme.parameters().filter(|(_, v, _)| v.ty.is_integer());
        let parameters: Vec<(Symbol, Value)> = integers
            .map(|(name, ..)| {
                let is_size = name.as_str().starts_with("size_");
                let least = i64::from(is_size);
                (name, Value::Int(random.random_range(least..SMALL)))
            })
            .collect();
        Inputs {
            parameters,
            cells: Cells::new(),
            seed: random.random_range(0..1 << 40),
        }
    }
}

impl Inputs {
    /// The random cells of a variable.
    fn cells_of(&self, name: &str, ty: Type, count: usize) -> Vec<u64> {
        let of_name = name
            .bytes()
            .fold(0u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
        random_cells(ty, count, self.seed ^ of_name)
    }
}

/// The cells of OUTPUT variables after a run; none where it meets an error. Inputs that have no value yet get one.
fn run(scheme: &Scheme, inputs: &Inputs) -> Option<Cells> {
    let code = compile(scheme)?;
    let limits = Limits {
        steps: 2_000_000,
        ..Limits::default()
    };
    let mut machine = Machine::new(scheme, &code, limits);
    let known = inputs.parameters.iter();
    let known: Vec<(Symbol, Value)> = known
        .filter(|(name, _)| scheme.parameters().any(|(n, ..)| n == *name))
        .copied()
        .collect();
    machine.start(&known).ok()?;
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name)?.len();
        let cells = match inputs.cells.get(name.as_str()) {
            Some(cells) if cells.len() == count => cells.clone(),
            _ => inputs.cells_of(name.as_str(), variable.ty, count),
        };
        machine.set(name, &cells);
    }
    machine.run().ok()?;
    let outputs = scheme.data().filter(|(_, v)| v.is_output());
    Some(
        outputs
            .map(|(name, _)| (name.to_string(), machine.get(name).unwrap_or_default()))
            .collect(),
    )
}

/// Numbers of a type: reals from 0 to 1, small integers.
fn random_cells(ty: Type, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Pcg64::seed_from_u64(seed);
    let cell = |random: &mut Pcg64| match ty.component() {
        Type::F32 => u64::from(random.random::<f32>().to_bits()),
        Type::F64 => random.random::<f64>().to_bits(),
        Type::Bool => u64::from(random.random::<bool>()),
        _ => random.random_range(0..SMALL) as u64,
    };
    (0..count).map(|_| cell(&mut random)).collect()
}

/// Runs the code of an operator beside what it means; what differs, if something does.
fn code_as_meant(
    scheme: &Scheme,
    basic: &Basic,
    options: &Options,
    session: &mut Session,
) -> Result<Option<Diagnostic>, Failure> {
    let Ok(made) = Use::of(scheme, basic) else {
        return Ok(None);
    };
    let text = made.text("one call", &made.call, false);
    // Without its declaration, which is found with its code.
    let from = text.find("WHERE\n").unwrap_or(text.len());
    let text = format!("{}END OF SCHEME \"one call\"\n", &text[..from]);
    let run = Run {
        target: Target::Rust,
        strategy: Some("sequential".to_owned()),
        options: Options {
            operators: options.operators.clone(),
            precision: options.precision,
            ..Options::default()
        },
        inputs: super::Inputs {
            seeded: true,
            ..super::Inputs::default()
        },
        reference: Some(Target::Interpreter),
        without_notes: true,
        ..Run::default()
    };
    let source = Source::Text {
        name: "one call.saa",
        text: &text,
    };
    let outcome = run.run(source, session)?;
    let differs = outcome.compared.is_some_and(|c| !c.passed);
    Ok(differs.then(|| {
        let title = basic.title();
        Diagnostic::error(
            "E0226",
            format!("the code of \"{title}\" for rust does not do what it means"),
        )
        .at(basic.span)
        .hint("on random arguments, the results differ by more than rounding")
    }))
}
