//! `Source` → `Outcome`: load, derive, emit, build, run and compare, as `glushkov run` does.

use super::files::Together;
use super::freely::with_tuned_member;
use super::options::Options;
use super::parameters::work;
use super::recipe::Recipe;
use super::reference::{Comparison, Patience, Reference};
use super::sizes::{Holder, values};
use super::stages::expect_profile;
use super::{Failure, Inputs, Job, Outcome, Session, Source, Target, Tuning, derive, load};
use std::path::PathBuf;
use std::time::Instant;

/// What is run, and how.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// What runs the scheme.
    pub target: Target,
    /// The strategy; that of the target, if not given.
    pub strategy: Option<String>,
    /// How the scheme is read, derived and emitted.
    pub options: Options,
    /// Where the INPUT arrays come from.
    pub inputs: Inputs,
    /// The folder for OUTPUT arrays and reports.csv, which appear there when the run has ended well.
    pub out: Option<PathBuf>,
    /// What tuning found, if it is to be taken up.
    pub tuning: Tuning,
    /// The target that runs the sequential scheme to compare with; none to compare with nothing.
    pub reference: Option<Target>,
    /// How long that may run at these sizes; beyond it, both are compared at smaller ones.
    pub within: Patience,
    /// The largest norm_relative that passes: 1e-4 for f32, 1e-10 for f64, if not given.
    pub tolerance: Option<f64>,
    /// Whether the observer is not told of what the rules would not do.
    pub without_notes: bool,
}

impl Run {
    /// Runs a scheme. Results that differ are not a failure: the outcome tells of them.
    ///
    /// # Errors
    ///
    /// Whatever stops a stage: a scheme with syntax errors, or one that does not check, derive or build, inputs or a
    /// device that are missing, an error that the program finds.
    pub fn run(&self, source: Source<'_>, session: &mut Session) -> Result<Outcome, Failure> {
        let target = self.target;
        let of = self.strategy.as_deref();
        let options = &with_tuned_member(source, target, of, &self.tuning, &self.options, session);
        expect_profile(options.profile, &[target])?;
        let mut scheme = load(source, options, session)?;
        scheme.notes.clear();
        let scheme = scheme;
        let strategy = self.strategy.as_deref().unwrap_or(target.strategy());
        let values = values(&scheme, options, &self.inputs, &[Holder::of(target)])?;
        let job = Job::new(&scheme, values, &self.inputs)?;
        // What a run leaves appears when it has ended well, all of it at once.
        let files = self.out.as_deref().map(Together::for_folder).transpose()?;
        let results = match &files {
            Some(files) => files.path().to_path_buf(),
            None => job.folder("out"),
        };
        let start = Instant::now();
        let base = derive::rules(options, session)?;
        let recipe = Recipe {
            scheme: &scheme,
            strategy,
            target,
            options,
            base: &base,
        };
        let made = match self.tuning.find(&recipe, session)? {
            Some(tuned) => recipe.tuned(&tuned, &job.values)?,
            None => recipe.once()?,
        };
        let derive = start.elapsed().as_secs_f64();
        let faster = made.faster(strategy);
        let program = made.program(target, options, derive, !self.without_notes, session)?;
        let what = |target: Target| format!("running {} ({})", scheme.name, target.name());
        let ran = job.run(&program, Some(&results), &what(target), session)?;
        let arrays = job.outputs(&results)?;
        if let Some(files) = files {
            files.appear()?;
        }
        let [derive, emit, build] = program.seconds;
        let mut outcome = Outcome {
            scheme: scheme.name.to_string(),
            target,
            strategy: strategy.to_owned(),
            precision: scheme.precision,
            machine: target.machine(&ran.json),
            work: work(&scheme, &job.values),
            parameters: job.values.clone(),
            json: ran.json,
            seconds: [derive, emit, build, ran.seconds],
            outputs: arrays.iter().map(|(name, _)| name.clone()).collect(),
            arrays,
            folder: self.out.clone(),
            compared: None,
            not_compared: None,
            faster,
        };
        let reference = self.reference;
        let itself = (target, strategy);
        let has_code = !scheme.basics.is_empty();
        if let Some(target) = reference.filter(|r| has_code || (*r, "sequential") != itself) {
            let reference = Reference {
                run: self,
                job: &job,
                program: &program,
                target,
            };
            match reference.compare(&outcome.arrays, session)? {
                Comparison::Made(compared) => outcome.compared = Some(compared),
                Comparison::Not(why) => outcome.not_compared = Some(why),
            }
        }
        Ok(outcome)
    }
}
