//! `Scheme` + target + strategy → `Program`: derived, emitted and built.

use super::recipe::{Made, Recipe};
use super::{Failure, Options, Session, Target, derive};
use crate::check::Scheme;
use crate::derive::Derived;
use crate::emit::{CUDA_EXACT_FLAGS, Emitted};
use crate::rewrite::FloatClass;
use crate::term::Sources;
use crate::toolchain::{BuildOptions, Built, ToolError, build};
use std::time::Instant;

/// A program, ready to run.
pub struct Program {
    /// What runs it.
    pub target: Target,
    /// The derived scheme, the first of several; the reference machine runs it.
    pub derived: Derived,
    /// Whether every rule used is exact.
    pub exact: bool,
    /// Seconds to derive, emit and build.
    pub seconds: [f64; 3],
    /// The executable; the reference machine needs none.
    pub built: Option<Built>,
}

impl Program {
    /// Whether its results are to have the same bits as those of exact programs on the host.
    pub fn is_exact_on_host(&self) -> bool {
        self.exact && !self.target.on_device()
    }
}

/// Derives a scheme and, but for the reference machine, emits and builds its program.
///
/// # Errors
///
/// A scheme that cannot be derived by the strategy or emitted for the target, a missing device, and a
/// missing or failing compiler.
pub fn program(
    scheme: &Scheme,
    target: Target,
    strategy: &str,
    options: &Options,
    session: &mut Session,
) -> Result<Program, Failure> {
    let start = Instant::now();
    let base = derive::rules(options, session)?;
    let recipe = Recipe {
        scheme,
        strategy,
        target,
        options,
        base: &base,
    };
    let made = recipe.once()?;
    let derive = start.elapsed().as_secs_f64();
    made.program(target, options, derive, false, session)
}

impl Made {
    /// The program of what was derived in so many seconds. With `told`, the observer is told of what
    /// the rules would not do.
    pub fn program(
        self,
        target: Target,
        options: &Options,
        derive: f64,
        told: bool,
        session: &mut Session,
    ) -> Result<Program, Failure> {
        let (mut emit, mut build, mut built) = (0.0, 0.0, None);
        if let Some(emitted) = target.emitted() {
            target.expect_device()?;
            if told {
                session.tell(&self.notes(&session.sources));
                if !options.flags.is_empty() && !matches!(target, Target::Cpp | Target::Cuda) {
                    let name = target.name();
                    session.say(&format!(
                        "note: --flag is for compilers of C++, and target {name} does not use it; rustc sees RUSTFLAGS"
                    ));
                }
            }
            let start = Instant::now();
            let emitted = self.emit(emitted, options)?;
            let project = &emitted.project;
            emit = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let what = format!("building {} ({})", project.name, target.name());
            let done = session.during(&what, |line| {
                self::build(project, &build_options(target, options), line)
            });
            let done = done.map_err(|error| in_code(error, &emitted, &session.sources))?;
            if let Some(note) = &done.note {
                session.say(&format!("note: {note}"));
            }
            built = Some(done);
            build = start.elapsed().as_secs_f64();
        }
        Ok(self.built(target, [derive, emit, build], built))
    }

    /// The program of what was built in so many seconds.
    pub fn built(self, target: Target, seconds: [f64; 3], built: Option<Built>) -> Program {
        Program {
            target,
            // What the code of basic operators rounds is its own affair.
            exact: self.float() == FloatClass::Exact && self.first().scheme.basics.is_empty(),
            derived: self.into_first(),
            seconds,
            built,
        }
    }
}

/// What a compiler says of a program: of the code of a basic operator, with its place.
fn in_code(error: ToolError, emitted: &Emitted, sources: &Sources) -> Failure {
    let places = match &error {
        ToolError::Compile { excerpt, .. } => emitted.named_in(excerpt),
        _ => Vec::new(),
    };
    let in_operators = places.into_iter().find_map(|origin| {
        let span = origin.span?;
        let is_code = sources.get(span.file)?.name.ends_with(".ops");
        is_code.then_some((origin.phrase?, span))
    });
    let mut failure = Failure::from(error);
    if let (Some((phrase, span)), Some(first)) = (in_operators, failure.diagnostics.first_mut()) {
        let code = std::mem::take(&mut first.message);
        first.message = format!("the code of \"{phrase}\" is not accepted: {code}");
        first.span = Some(span);
    }
    failure
}

/// How a project of a target is built.
pub(super) fn build_options(target: Target, options: &Options) -> BuildOptions {
    let mut flags: Vec<String> = Vec::new();
    if target == Target::Cpp {
        flags.extend(options.flags.iter().cloned());
    }
    if target == Target::Cuda {
        // Without a word, nothing is contracted: exact rules keep their bits.
        if !options.flags.iter().any(|f| f.contains("fmad")) {
            flags.extend(CUDA_EXACT_FLAGS.iter().map(|&f| f.to_owned()));
        }
        flags.extend(options.flags.iter().cloned());
    }
    BuildOptions {
        flags,
        ..BuildOptions::default()
    }
}
