//! What a scheme that type-checks is emitted to compiles, without a warning, or is refused with the
//! code that the table of targets gives.
//!
//! `NESTS=500 cargo test --release --test random compiled -- --nocapture` tries more schemes, and
//! `FIRST=1000` begins with another one; `TELL=1` says why some do not type-check.

use super::compilers::{compile_cpp, compile_cuda, compile_kernels, compile_rust};
use super::host::host_part;
use super::smaller::smaller;
use super::{count, typed};
use glushkov::algebra::{Construct, Precision};
use glushkov::check::{Scheme, check};
use glushkov::emit::support::{Note, Runner, Support, support};
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::machine::compile;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms, with_deep_stack};
use glushkov::toolchain::Project;
use glushkov::toolchain::testing::{nvcc_or_skip, openmp_or_skip, two_at_a_time};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What came of a scheme before any compiler saw it.
enum Emitted {
    /// It does not type-check, for these reasons.
    Ill(Vec<String>),
    /// It is refused as the table of targets says.
    Refused,
    Project(Box<Project>),
    /// What is wrong.
    Wrong(String),
}

fn precision(seed: u64) -> Precision {
    [Precision::F32, Precision::F64][(seed % 2) as usize]
}

fn checked(text: &str, precision: Precision) -> Result<Scheme, Vec<String>> {
    let mut sources = Sources::default();
    let file = sources.add("random", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    let told = |errors: Vec<glushkov::diagnostic::Diagnostic>| -> Vec<String> {
        errors
            .iter()
            .map(|e| format!("{}: {}", e.code, e.message))
            .collect()
    };
    if !errors.is_empty() {
        return Err(told(errors));
    }
    check(&terms, items[0], precision).map_err(told)
}

/// What the scheme holds that a diagnostic of refusal speaks of.
fn is_there(code: &str, scheme: &Scheme, target: Target) -> bool {
    let holds = |wanted: &[Construct]| {
        let mut all = scheme.terms.subterms(scheme.body);
        all.any(|id| {
            scheme
                .terms
                .functor(id)
                .and_then(Construct::of)
                .is_some_and(|c| wanted.contains(&c))
        })
    };
    match code {
        "E0501" => holds(&[Construct::Call, Construct::Test]),
        "E0502" => holds(&[Construct::Shared]),
        "E0503" => {
            target != Target::Cuda
                && holds(&[Construct::Parallel])
                && holds(&[Construct::Wait, Construct::Async])
        }
        "E0505" => target == Target::Rust && holds(&[Construct::Barrier]),
        _ => false,
    }
}

fn emitted(text: &str, precision: Precision, target: Target, is_checked: bool) -> Emitted {
    let scheme = match checked(text, precision) {
        Ok(scheme) => scheme,
        Err(why) => return Emitted::Ill(why),
    };
    if scheme.undefined.is_empty() && compile(&scheme).is_none() {
        return Emitted::Wrong("the reference machine refuses it".into());
    }
    let options = EmitOptions {
        checked: is_checked,
        profile: false,
        derivation: None,
    };
    // What the table says is absent.
    let terms = &scheme.terms;
    let absent: BTreeSet<&str> = terms
        .subterms(scheme.body)
        .filter_map(|id| Some((id, Construct::of(terms.functor(id)?)?)))
        // A variable may have the name of a construct.
        .filter(|(id, c)| c.info().takes(terms.arity(*id)))
        .map(|(_, c)| c)
        .filter_map(|c| match support(c, Runner::from(target)) {
            Support::No(absence) => Some(absence.code),
            _ => None,
        })
        .collect();
    match emit(&scheme, target, &options) {
        Ok(_) if !absent.is_empty() => {
            Emitted::Wrong(format!("{absent:?} are owed and it is emitted"))
        }
        Ok(project) => Emitted::Project(Box::new(project)),
        Err(refused) => {
            let codes: BTreeSet<&str> = refused.iter().map(|d| d.code).collect();
            let owed = absent.iter().all(|code| codes.contains(code));
            let known = |code: &str| {
                Note::ALL.iter().any(|n| n.code() == Some(code)) && is_there(code, &scheme, target)
            };
            let excess = codes
                .iter()
                .any(|code| !absent.contains(code) && !known(code));
            match owed && !excess {
                true => Emitted::Refused,
                false => Emitted::Wrong(format!(
                    "refused with {codes:?}, {absent:?} are owed: {refused:?}"
                )),
            }
        }
    }
}

/// Counts of what came of schemes.
#[derive(Default)]
struct Tally {
    compiled: AtomicU64,
    refused: AtomicU64,
    ill: Mutex<BTreeMap<String, u64>>,
    wrong: Mutex<Vec<String>>,
}

impl Tally {
    fn ill(&self, seed: u64, why: &[String]) {
        if std::env::var_os("TELL").is_some() {
            println!("{seed}: {why:?}");
        }
        let code = why
            .first()
            .map_or(String::new(), |w| w.chars().take(5).collect());
        *self.ill.lock().expect("no panic").entry(code).or_default() += 1;
    }

    fn wrong(&self, seed: u64, why: &str, small: &str) {
        let why: String = why.chars().take(3000).collect();
        let told = format!("seed {seed}: {why}\n{small}");
        println!("{told}");
        self.wrong.lock().expect("no panic").push(told);
    }

    fn end(self, what: &str) {
        let ill = self.ill.into_inner().expect("no panic");
        let (compiled, refused) = (self.compiled.into_inner(), self.refused.into_inner());
        println!("{what}: {compiled} compile, {refused} are refused, do not type-check: {ill:?}");
        let wrong = self.wrong.into_inner().expect("no panic");
        assert!(
            wrong.is_empty(),
            "{} schemes are wrong:\n{}",
            wrong.len(),
            wrong.join("\n\n")
        );
        assert!(
            compiled > refused + ill.values().sum::<u64>(),
            "too few schemes reach a compiler"
        );
    }
}

/// Runs work for each number below a bound on two threads.
fn each(most: u64, work: impl Fn(u64) + Sync) {
    let numbers: Vec<u64> = (0..most).collect();
    two_at_a_time(&numbers, |_, &k| with_deep_stack(|| work(k)));
}

fn first() -> u64 {
    let given = std::env::var("FIRST").ok().and_then(|n| n.parse().ok());
    given.unwrap_or(0)
}

/// The first line of what a compiler says that names an error, without names.
fn kind(said: &str) -> String {
    let line = said.lines().find(|l| l.contains("error")).unwrap_or(said);
    let after = line.split_once("error").map_or(line, |(_, after)| after);
    after
        .split(['`', '"'])
        .step_by(2)
        .collect::<Vec<_>>()
        .join("…")
}

#[test]
fn what_is_emitted_to_rust_compiles() {
    let tally = Tally::default();
    each(count(24), |k| {
        let seed = first() + k;
        let (text, p) = (typed::made(seed, precision(seed)), precision(seed));
        match emitted(&text, p, Target::Rust, false) {
            Emitted::Ill(why) => tally.ill(seed, &why),
            Emitted::Refused => drop(tally.refused.fetch_add(1, Ordering::Relaxed)),
            Emitted::Wrong(why) => tally.wrong(seed, &why, &text),
            Emitted::Project(project) => match compile_rust(&project) {
                Ok(()) => drop(tally.compiled.fetch_add(1, Ordering::Relaxed)),
                Err(why) => {
                    let same = |text: &str| {
                        matches!(emitted(text, p, Target::Rust, false), Emitted::Project(project)
                            if compile_rust(&project).is_err_and(|w| kind(&w) == kind(&why)))
                    };
                    tally.wrong(seed, &why, &smaller(&text, 150, &same));
                }
            },
        }
    });
    tally.end("rust");
}

#[test]
fn what_is_emitted_to_cuda_compiles() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    compiles_together(Target::Cuda, count(24), &|all| compile_cuda(&nvcc, all));
}

#[test]
fn what_is_emitted_to_cpp_compiles() {
    if openmp_or_skip().is_some() {
        compiles_together(Target::Cpp, count(24), &compile_cpp);
    }
}

/// A scheme as far as a target has it: the host's part, where there is no device.
fn for_target(target: Target, text: String) -> String {
    match target {
        Target::Cpp => host_part(&text),
        _ => text,
    }
}

/// Compiles random schemes of a target several at a time: headers take longer than programs.
fn compiles_together(
    target: Target,
    most: u64,
    compile: &(dyn Fn(&[&Project]) -> Result<(), String> + Sync),
) {
    const BATCH: u64 = 12;
    let tally = Tally::default();
    let batches = most.div_ceil(BATCH);
    each(batches, |batch| {
        let mut all = Vec::new();
        for k in 0..BATCH {
            let seed = first() + batch * BATCH + k;
            let p = precision(seed);
            // What runs under --checked has code of its own.
            let is_checked = seed.is_multiple_of(3);
            let text = for_target(target, typed::made(seed, p));
            match emitted(&text, p, target, is_checked) {
                Emitted::Ill(why) => tally.ill(seed, &why),
                Emitted::Refused => drop(tally.refused.fetch_add(1, Ordering::Relaxed)),
                Emitted::Wrong(why) => tally.wrong(seed, &why, &text),
                Emitted::Project(project) => all.push((seed, text, project)),
            }
        }
        let projects: Vec<&Project> = all.iter().map(|(_, _, p)| &**p).collect();
        if compile(&projects).is_ok() {
            tally
                .compiled
                .fetch_add(all.len() as u64, Ordering::Relaxed);
            return;
        }
        let mut alone = 0;
        for (seed, text, project) in &all {
            let (p, is_checked) = (precision(*seed), seed.is_multiple_of(3));
            match compile(&[project]) {
                Ok(()) => alone += 1,
                Err(why) => {
                    let same = |text: &str| {
                        matches!(emitted(text, p, target, is_checked), Emitted::Project(project)
                            if compile(&[&project]).is_err_and(|w| kind(&w) == kind(&why)))
                    };
                    tally.wrong(*seed, &why, &smaller(text, 40, &same));
                }
            }
        }
        tally.compiled.fetch_add(alone, Ordering::Relaxed);
        if alone as usize == all.len() {
            tally.wrong(
                first() + batch * BATCH,
                "the programs of the batch clash",
                "",
            );
        }
    });
    tally.end(target.name());
}

/// In how many of their five roles names are tried.
fn roles() -> u64 {
    count(1).min(5)
}

/// Names that emitted programs have themselves, as names of parameters, arrays, scalars, LOCALs and
/// loops; `NESTS=5` tries each as each.
#[test]
fn names_of_emitted_programs_may_be_names_of_schemes() {
    let chunks: Vec<&[String]> = typed::hard::words().chunks(150).collect();
    let wrong = Mutex::new(Vec::new());
    each(chunks.len() as u64 * roles(), |k| {
        let (chunk, role) = (k / roles(), k % roles());
        let text = typed::named(chunks[chunk as usize], (chunk + role) as usize);
        match emitted(&text, Precision::F32, Target::Rust, false) {
            Emitted::Project(project) => {
                if let Err(why) = compile_rust(&project) {
                    wrong.lock().expect("no panic").push(why);
                }
            }
            Emitted::Ill(why) => panic!("{why:?}\n{text}"),
            Emitted::Refused | Emitted::Wrong(_) => panic!("it is not emitted\n{text}"),
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same for CUDA, all in one text.
#[test]
fn names_of_emitted_cuda_may_be_names_of_schemes() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    names_may_be_names(Target::Cuda, &|all| compile_cuda(&nvcc, all));
}

/// The same for C++.
#[test]
fn names_of_emitted_cpp_may_be_names_of_schemes() {
    if openmp_or_skip().is_some() {
        names_may_be_names(Target::Cpp, &compile_cpp);
    }
}

fn names_may_be_names(
    target: Target,
    compile: &(dyn Fn(&[&Project]) -> Result<(), String> + Sync),
) {
    let chunks: Vec<&[String]> = typed::hard::words().chunks(150).collect();
    let wrong = Mutex::new(Vec::new());
    each(roles(), |from| {
        let mut projects = Vec::new();
        for (number, chunk) in chunks.iter().enumerate() {
            let text = typed::named(chunk, from as usize);
            let text = text.replace("SCHEME \"names\"", &format!("SCHEME \"names {number}\""));
            let text = for_target(target, text);
            match emitted(&text, Precision::F32, target, number % 2 == 0) {
                Emitted::Project(project) => projects.push(project),
                _ => panic!("it is not emitted\n{text}"),
            }
        }
        let projects: Vec<&Project> = projects.iter().map(|p| &**p).collect();
        if let Err(why) = compile(&projects) {
            wrong.lock().expect("no panic").push(why);
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_emitted_to_rust_and_cuda_has_kernels_that_compile() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let tally = Tally::default();
    each(count(12), |k| {
        let seed = first() + k;
        let (text, p) = (typed::made(seed, precision(seed)), precision(seed));
        let is_checked = seed.is_multiple_of(3);
        match emitted(&text, p, Target::RustCuda, is_checked) {
            Emitted::Ill(why) => tally.ill(seed, &why),
            Emitted::Refused => drop(tally.refused.fetch_add(1, Ordering::Relaxed)),
            Emitted::Wrong(why) => tally.wrong(seed, &why, &text),
            Emitted::Project(project) => match compile_kernels(&nvcc, &project) {
                Ok(()) => drop(tally.compiled.fetch_add(1, Ordering::Relaxed)),
                Err(why) => {
                    let same = |text: &str| {
                        matches!(emitted(text, p, Target::RustCuda, is_checked), Emitted::Project(project)
                            if compile_kernels(&nvcc, &project).is_err_and(|w| kind(&w) == kind(&why)))
                    };
                    tally.wrong(seed, &why, &smaller(&text, 40, &same));
                }
            },
        }
    });
    tally.end("rust-cuda");
}
