//! A run → its comparison with the sequential scheme, at its own sizes or, where that takes too long,
//! at smaller ones.

use super::options::shown;
use super::parameters::smaller_sizes;
use super::sizes::{Holder, check_sizes, decided_by_inputs};
use super::{Compared, Elsewhere, Failure, Job, Options, Program, Run, Session, Target, Values};
use super::{job::Ran, program};
use crate::check::{Expand, with_meanings};
use crate::data::{Array, tolerance};
use crate::machine::Value;
use crate::term::Symbol;
use crate::toolchain::{cargo, rustc};
use std::time::{Duration, Instant};

/// As long as a user would wait for what was not asked for.
const LONG: Duration = Duration::from_secs(10);

/// How long the sequential scheme may run at the sizes of a run, so that both are compared there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Patience {
    /// Any time.
    #[default]
    Any,
    /// What is usual: ten seconds for a program.
    Usual,
    /// So long.
    For(Duration),
}

impl Patience {
    /// How long a program may run; any time, if not given.
    fn of_program(self) -> Option<Duration> {
        match self {
            Patience::Any => None,
            Patience::Usual => Some(LONG),
            Patience::For(time) => Some(time),
        }
    }

    /// How long the reference machine may, which never gets far: a run of a second should wait for little else.
    fn of_machine(self) -> Duration {
        match self {
            Patience::Any => LONG,
            Patience::Usual => Duration::from_millis(250),
            Patience::For(time) => time,
        }
    }
}

/// Sizes that are four times as large take so many times as long, or longer.
const GROWTH: f64 = 4.0;

/// What a run is compared with.
pub(super) struct Reference<'a> {
    pub run: &'a Run,
    pub job: &'a Job<'a>,
    /// The derived program.
    pub program: &'a Program,
    /// What runs the sequential scheme.
    pub target: Target,
}

/// What came of it.
pub(super) enum Comparison {
    /// Both have run.
    Made(Compared),
    /// Why they have not.
    Not(String),
}

/// The sequential scheme at smaller sizes.
struct Smaller<'a> {
    job: Job<'a>,
    ran: Ran,
    outputs: Vec<(String, Array)>,
}

impl Reference<'_> {
    /// Compares OUTPUT arrays of the run with those of the sequential scheme. Where Rust cannot be built,
    /// the reference machine runs it, at sizes that are small enough.
    ///
    /// # Errors
    ///
    /// A sequential program that is not built or ends with an error at the sizes of the run, and a derived
    /// one that does so at smaller sizes.
    pub fn compare(
        &self,
        arrays: &[(String, Array)],
        session: &mut Session,
    ) -> Result<Comparison, Failure> {
        let missing = match (cargo(), rustc()) {
            (Err(_), _) => Some("cargo"),
            (_, Err(_)) => Some("rustc"),
            _ => None,
        };
        let missing = missing.filter(|_| self.target == Target::Rust);
        let target = match missing {
            Some(_) => Target::Interpreter,
            None => self.target,
        };
        let plain = Options {
            with: Vec::new(),
            without: Vec::new(),
            ..self.run.options.clone()
        };
        // What the code of basic operators does is held against what they mean.
        let meant = with_meanings(self.job.scheme, Expand::All)?;
        if let Some(basic) = meant.basics.values().next() {
            let why = format!("\"{}\" has no meaning", basic.title());
            return Ok(Comparison::Not(why));
        }
        let sequential = program(&meant, target, "sequential", &plain, session)?;
        if let Some(missing) = missing {
            return self.by_machine(&sequential, missing, arrays, session);
        }
        let folder = self.job.folder("sequential");
        let (within, what) = (self.run.within.of_program(), label(None));
        let ran = self
            .job
            .run_within(&sequential, Some(&folder), within, &what, session)?;
        if let Some(ran) = ran {
            let mut compared = self.distances(arrays, &self.job.outputs(&folder)?)?;
            compared.seconds = ran.body();
            return Ok(Comparison::Made(compared));
        }
        let within = within.unwrap_or(LONG);
        let long = format!(
            "the sequential program takes over {} s",
            within.as_secs_f64()
        );
        let sizes = self.smaller();
        let largest = match self.largest(&sequential, &sizes, within, session) {
            Ok(found) => found,
            Err(why) => return Ok(Comparison::Not(format!("{long}{why}"))),
        };
        let at = shown(&changed(&largest.job.values, &self.job.values));
        let mut compared = self.again(&largest, format!("at {at} {long}"), session)?;
        compared.seconds = largest.ran.body();
        Ok(Comparison::Made(compared))
    }

    /// The comparison with the reference machine, whose times say nothing of programs.
    fn by_machine(
        &self,
        machine: &Program,
        missing: &str,
        arrays: &[(String, Array)],
        session: &mut Session,
    ) -> Result<Comparison, Failure> {
        let why = format!("by the reference machine, as {missing} was not found");
        let within = self.run.within.of_machine();
        let mut sizes = vec![self.job.values.clone()];
        sizes.extend(self.smaller());
        sizes.retain(|values| check_sizes(self.job.scheme, values, Holder::Check).is_ok());
        let largest = match self.largest(machine, &sizes, within, session) {
            Ok(found) => found,
            Err(more) => return Ok(Comparison::Not(format!("{missing} was not found{more}"))),
        };
        let compared = match largest.job.values == self.job.values {
            true => Compared {
                elsewhere: Some(Elsewhere {
                    parameters: self.job.values.clone(),
                    body: None,
                    why,
                }),
                ..self.distances(arrays, &largest.outputs)?
            },
            false => self.again(&largest, why, session)?,
        };
        Ok(Comparison::Made(compared))
    }

    /// Smaller sizes than those of the run, the largest first.
    fn smaller(&self) -> Vec<Values> {
        let Job { scheme, values, .. } = self.job;
        let given = self.run.options.parameters(scheme).unwrap_or_default();
        let given: Vec<_> = given.into_iter().map(|(name, _)| name).collect();
        let kept = decided_by_inputs(scheme, &self.run.inputs);
        smaller_sizes(scheme, values, &given, &kept)
    }

    /// The sequential scheme at the largest of these sizes at which it ends in time. It begins with the
    /// smallest, so that no time is lost on sizes that are too large, and all of them together have
    /// as long as one has. Sizes that it cannot run at are passed over.
    fn largest(
        &self,
        sequential: &Program,
        sizes: &[Values],
        within: Duration,
        session: &mut Session,
    ) -> Result<Smaller<'_>, String> {
        let start = Instant::now();
        let mut best: Option<Smaller<'_>> = None;
        let mut fails = None;
        for values in sizes.iter().rev() {
            let left = within.saturating_sub(start.elapsed());
            let least = best.as_ref().map_or(0.0, |b| GROWTH * b.ran.seconds);
            if left.is_zero() || least > left.as_secs_f64() {
                break;
            }
            match self.at(sequential, values, left, session) {
                Ok(Some(ran)) => best = Some(ran),
                Ok(None) => break,
                Err(failure) => fails = Some(failure.said()),
            }
        }
        best.ok_or_else(|| match fails {
            Some(why) => format!(", and it does not run at smaller sizes: {why}"),
            None if sizes.is_empty() => self.why_not_smaller(),
            None => ", and no smaller size takes less".to_owned(),
        })
    }

    /// Why there are no smaller sizes.
    fn why_not_smaller(&self) -> String {
        let decided = decided_by_inputs(self.job.scheme, &self.run.inputs);
        let names: Vec<String> = decided.iter().map(ToString::to_string).collect();
        match &names[..] {
            [] => ", and it has no size that could be smaller".to_owned(),
            [name] => format!(", and the INPUT arrays decide {name}"),
            [most @ .., last] => {
                let most = most.join(", ");
                format!(", and the INPUT arrays decide {most} and {last}")
            }
        }
    }

    /// The sequential scheme at other sizes; none where it does not end in time.
    fn at(
        &self,
        sequential: &Program,
        values: &Values,
        limit: Duration,
        session: &mut Session,
    ) -> Result<Option<Smaller<'_>>, Failure> {
        let job = Job::new(self.job.scheme, values.clone(), &self.run.inputs)?;
        let folder = job.folder("sequential");
        let what = label(Some(&changed(&self.job.values, values)));
        let ran = job.run_within(sequential, Some(&folder), Some(limit), &what, session)?;
        let Some(ran) = ran else {
            return Ok(None);
        };
        let outputs = job.outputs(&folder)?;
        Ok(Some(Smaller { job, ran, outputs }))
    }

    /// Runs the derived program at the sizes of another run, and compares.
    fn again(
        &self,
        other: &Smaller<'_>,
        why: String,
        session: &mut Session,
    ) -> Result<Compared, Failure> {
        let job = &other.job;
        let folder = job.folder("out");
        let sizes = shown(&changed(&self.job.values, &job.values));
        let what = format!("comparing at {sizes}: the derived program");
        let ran = job.run(self.program, Some(&folder), &what, session)?;
        let mut compared = self.distances(&job.outputs(&folder)?, &other.outputs)?;
        compared.elsewhere = Some(Elsewhere {
            parameters: job.values.clone(),
            body: ran.body(),
            why,
        });
        Ok(compared)
    }

    fn distances(
        &self,
        ours: &[(String, Array)],
        sequential: &[(String, Array)],
    ) -> Result<Compared, Failure> {
        let precision = self.job.scheme.precision;
        let most = self.run.tolerance.unwrap_or(tolerance(precision));
        Compared::of(ours, sequential, self.program.is_exact_on_host(), most)
    }
}

/// What the observer is told.
fn label(sizes: Option<&Values>) -> String {
    let at = sizes.filter(|sizes| !sizes.is_empty());
    let at = at.map_or(String::new(), |sizes| format!(" at {}", shown(sizes)));
    format!("comparing{at}: the sequential program on one core")
}

/// Those of the values that differ from others.
pub(super) fn changed(from: &[(Symbol, Value)], values: &[(Symbol, Value)]) -> Values {
    let differs = |one: &&(_, _)| !from.contains(one);
    values.iter().filter(differs).copied().collect()
}
