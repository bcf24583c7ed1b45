//! `Scheme` → `Plan` → the files of a project.
//!
//! A plan says everything; printers in Rust make its statements and expressions text in the
//! target's language, and templates are the files around that text.
//!
//! Architecture invariant: nothing here knows rules, or any algorithm.

mod c;
mod cpp;
mod cuda;
mod map;
mod names;
mod number;
pub mod plan;
mod refuse;
mod rust;
mod shapes;
pub mod support;
mod template;
mod text;
mod variants;
mod write;

pub use cuda::EXACT_FLAGS as CUDA_EXACT_FLAGS;
pub use map::{Emitted, FileMap};
pub use plan::Origin;
pub use rust::Module;
pub use shapes::{LaunchShape, launch_shapes};
pub use variants::{Choice, Variant};
pub use write::{WriteError, write_project};

use crate::check::{Expand, Scheme, with_meanings};
use crate::diagnostic::Diagnostic;
use crate::term::with_deep_stack;
use crate::toolchain::Project;
use names::Convention;
use variants::Program;

/// What is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Rust, for the cores of a processor.
    Rust,
    /// C++ with OpenMP, for the cores of a processor.
    Cpp,
    /// CUDA C++.
    Cuda,
    /// Rust with kernels of CUDA.
    RustCuda,
}

impl Target {
    /// The name at the command line.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::Cpp => "cpp",
            Target::Cuda => "cuda",
            Target::RustCuda => "rust-cuda",
        }
    }
}

impl Target {
    /// The targets that basic operators have code for which its programs run.
    pub fn codes(self) -> plan::Codes {
        match self {
            Target::Rust => plan::Codes {
                host: "rust",
                kernel: "rust",
                launch: None,
            },
            Target::Cpp => plan::Codes {
                host: "cpp",
                kernel: "cpp",
                launch: None,
            },
            Target::Cuda => plan::Codes {
                host: "cpp",
                kernel: "cuda",
                launch: Some("launch"),
            },
            Target::RustCuda => plan::Codes {
                host: "rust",
                kernel: "cuda",
                launch: None,
            },
        }
    }
}

/// How a project is emitted.
#[derive(Clone, Debug, Default)]
pub struct EmitOptions {
    /// Whether subscripts and integers are checked on the device, too.
    pub checked: bool,
    /// Whether a CUDA program tells what its time on the device goes into; its launches are not recorded then.
    pub profile: bool,
    /// The derivation in some lines, for the comment at the head of the program.
    pub derivation: Option<String>,
}

/// The project of a scheme. The same scheme gives the same bytes.
///
/// # Errors
///
/// A scheme that cannot run, with everything that is missing, or one that holds what the target cannot
/// do.
pub fn emit(
    scheme: &Scheme,
    target: Target,
    options: &EmitOptions,
) -> Result<Project, Vec<Diagnostic>> {
    emit_with_map(scheme, target, options).map(|emitted| emitted.project)
}

/// As [`emit`], with where each line comes from.
///
/// # Errors
///
/// As for [`emit`].
pub fn emit_with_map(
    scheme: &Scheme,
    target: Target,
    options: &EmitOptions,
) -> Result<Emitted, Vec<Diagnostic>> {
    with_deep_stack(|| {
        let program = Program::of(planned(scheme, target)?);
        project(&program, target, options)
    })
}

/// The project of several derived schemes of one scheme, of which `choice` picks one when it runs.
///
/// # Errors
///
/// As for [`emit`], and where the schemes cannot share a program.
pub fn emit_choice(
    variants: &[Variant<'_>],
    choice: &Choice,
    target: Target,
    options: &EmitOptions,
) -> Result<Emitted, Vec<Diagnostic>> {
    if target == Target::RustCuda {
        let message = "target rust-cuda has no choice between variants: a text of kernels holds \
                       those of one derivation";
        return Err(vec![Diagnostic::error("E0509", message).hint(
            "emit one variant, by --with or --no-tuned, or take target cuda",
        )]);
    }
    with_deep_stack(|| project(&chosen(variants, choice, target)?, target, options))
}

/// A scheme, or several derived ones of which `choice` picks one when it runs, as a module of
/// somebody's crate.
///
/// # Errors
///
/// As for [`emit_choice`].
pub fn module(
    variants: &[Variant<'_>],
    choice: Option<&Choice>,
    options: &EmitOptions,
) -> Result<Module, Vec<Diagnostic>> {
    with_deep_stack(|| {
        let program = match (choice, variants) {
            (Some(choice), all) => chosen(all, choice, Target::Rust)?,
            (None, [one]) => Program::of(planned(one.scheme, Target::Rust)?),
            (None, _) => {
                let message = "the variants make no program: nothing picks among them";
                return Err(vec![Diagnostic::error("E0509", message)]);
            }
        };
        rust::module(&program, options)
    })
}

/// The program of several derived schemes of one scheme.
fn chosen(
    variants: &[Variant<'_>],
    choice: &Choice,
    target: Target,
) -> Result<Program, Vec<Diagnostic>> {
    let plans: Result<Vec<plan::Plan>, Vec<Diagnostic>> =
        variants.iter().map(|v| planned(v.scheme, target)).collect();
    let about = variants.iter().map(|v| v.about.clone()).collect();
    Program::with_choice(plans?, about, choice)
}

/// The plan of a scheme for a target.
fn planned(scheme: &Scheme, target: Target) -> Result<plan::Plan, Vec<Diagnostic>> {
    let codes = target.codes();
    let meant;
    let scheme = match scheme.basics.is_empty() {
        true => scheme,
        false => {
            let (host, kernel) = (codes.host, codes.kernel);
            let launch = codes.launch.unwrap_or(kernel);
            meant = with_meanings(
                scheme,
                Expand::Without {
                    host,
                    kernel,
                    launch,
                },
            )?;
            &meant
        }
    };
    let refused = refuse::refuse(scheme, target);
    if !refused.is_empty() {
        return Err(refused);
    }
    let convention = match target {
        Target::Rust => Convention::Rust,
        Target::Cpp | Target::Cuda => Convention::Cpp,
        Target::RustCuda => Convention::RustCuda,
    };
    let mut plan = plan::plan_with(scheme, convention, codes);
    if target == Target::Cuda {
        plan::places::mark(&mut plan);
    }
    Ok(plan)
}

fn project(
    program: &Program,
    target: Target,
    options: &EmitOptions,
) -> Result<Emitted, Vec<Diagnostic>> {
    match target {
        Target::Rust => rust::project(program, options, rust::Kernels::Processor, false),
        Target::Cpp => Ok(cpp::project(program, options)),
        Target::Cuda => Ok(cuda::project(program, options)),
        Target::RustCuda => {
            let kernels = cuda::kernel_file(program.first(), options);
            rust::project(program, options, rust::Kernels::Cuda(kernels), false)
        }
    }
}

/// A file of snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesFile {
    /// The label of SAVE.
    pub label: String,
    /// The array, by its author's name.
    pub array: String,
    /// The name of the file, without `.npy`.
    pub file: String,
}

/// The files that the SAVEs of a scheme without undefined phrases and names write, in order.
pub fn series_files(scheme: &Scheme) -> Vec<SeriesFile> {
    let save = crate::algebra::Construct::Save.symbol();
    let terms = &scheme.terms;
    if !terms
        .subterms(scheme.body)
        .any(|t| terms.functor(t) == Some(save))
    {
        return Vec::new();
    }
    let plan = plan::plan(scheme, Convention::Rust);
    let of = |series: &plan::Series| SeriesFile {
        label: series.label.clone(),
        array: plan.var(series.var).key.clone(),
        file: series.file.clone(),
    };
    plan.series.iter().map(of).collect()
}

/// What a comment says of how a program was made.
fn derivation_lines(program: &Program, options: &EmitOptions) -> Vec<String> {
    let text = options.derivation.as_deref().unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(text::comment).collect();
    lines.extend(program.said());
    lines
}
