//! Programs → which is fastest at a size, by successive halving (Jamieson and Talwalkar, 2016).
//!
//! Every program runs once, which warms up and is compared; what is far slower than the best then
//! is left. The others run a few times; the better half runs on, twice as often, and so forth until
//! the last ones have run as often as asked. The program of the defaults always stays.

use super::candidates::Candidate;
use super::journal::{Journal, Run};
use crate::data::{Array, summary};
use crate::pipeline::options::shown;
use crate::pipeline::{Compared, Failure, Job, Program, Session, tuned};

/// Runs of the first round.
const FIRST_ROUND: usize = 3;
/// A program whose first run takes so many times the best one's is left,
const FAR_SLOWER: f64 = 4.0;
/// and so many seconds more: runs of milliseconds differ by what else the machine does, and cost little.
const FAR_LONGER: f64 = 0.02;
/// Medians that differ by this part or less do not decide: the candidate that stands first does.
const NOTHING: f64 = 0.01;

/// What is measured.
pub struct Contest<'a> {
    /// The program of each candidate; none of those that were dropped before.
    pub programs: &'a [Option<Program>],
    pub candidates: &'a mut [Candidate],
    pub journal: &'a mut Journal,
    /// Runs of the last round.
    pub runs: usize,
    pub tolerance: f64,
    pub session: &'a mut Session,
}

/// The program that others are compared with, and what it gave where that is known.
type Reference<'p> = (&'p Program, Option<Vec<(String, Array)>>);

/// The median seconds of each program at a size; none of those that were left early.
pub type Medians = Vec<Option<f64>>;

/// The program to take; none where none was measured to the end.
pub fn choose(medians: &Medians, candidates: &[Candidate]) -> Option<usize> {
    let stays = |p: usize| candidates[p].dropped.is_none();
    let left = medians.iter().enumerate().filter(|(p, _)| stays(*p));
    let least = left.filter_map(|(_, m)| *m).reduce(f64::min)?;
    let near = |m: &Option<f64>| m.is_some_and(|m| m <= least * (1.0 + NOTHING));
    (0..medians.len()).find(|&p| stays(p) && near(&medians[p]))
}

impl Contest<'_> {
    /// Measures the programs at a size.
    pub fn at(&mut self, job: &Job<'_>) -> Result<Medians, Failure> {
        let size = shown(&job.values);
        let mut alive = self.first_runs(job, &size)?;
        let mut wanted = FIRST_ROUND.min(self.runs);
        loop {
            self.round(job, &size, &mut alive, wanted)?;
            if wanted == self.runs || alive.is_empty() {
                break;
            }
            alive.sort_by(|a, b| self.median(*a, &size).total_cmp(&self.median(*b, &size)));
            let kept = alive.len().div_ceil(2).max(2).min(alive.len());
            let left = alive.split_off(kept);
            alive.extend(left.into_iter().filter(|&p| self.candidates[p].default));
            alive.sort_unstable();
            wanted = (2 * wanted).min(self.runs);
        }
        let mut medians = vec![None; self.programs.len()];
        for &p in &alive {
            medians[p] = Some(self.median(p, &size)).filter(|x| x.is_finite());
        }
        Ok(medians)
    }

    /// Runs every program once, and gives those that go on.
    fn first_runs(&mut self, job: &Job<'_>, size: &str) -> Result<Vec<usize>, Failure> {
        let mut alive: Vec<(usize, f64)> = Vec::new();
        // The first program that runs is what the others are compared with.
        let mut reference: Option<Reference<'_>> = None;
        let programs = self.programs;
        for (p, program) in programs.iter().enumerate() {
            let (Some(program), None) = (program, &self.candidates[p].dropped) else {
                continue;
            };
            let known = self.journal.runs(&self.candidates[p].program, size);
            let known = known.iter().find(|r| !matches!(r, Run::Sample(_))).cloned();
            let run = match known {
                Some(run) => run,
                None => {
                    let run = self.first_run(job, size, (p, program), &mut reference)?;
                    self.journal
                        .add(&self.candidates[p].program, size, run.clone())?;
                    run
                }
            };
            match run {
                Run::First {
                    seconds,
                    differs: None,
                } => {
                    reference.get_or_insert((program, None));
                    alive.push((p, seconds));
                }
                Run::First {
                    differs: Some(how), ..
                } => {
                    self.candidates[p].dropped = Some(format!("differs at {size}: {how}"));
                }
                Run::Fails(why) => {
                    self.candidates[p].dropped = Some(format!("fails at {size}: {why}"));
                }
                Run::Sample(_) => {}
            }
        }
        let best = alive.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
        let goes_on = |&(p, s): &(usize, f64)| {
            s <= (FAR_SLOWER * best).max(best + FAR_LONGER) || self.candidates[p].default
        };
        Ok(alive
            .iter()
            .filter(|a| goes_on(a))
            .map(|(p, _)| *p)
            .collect())
    }

    /// The first run of a program, with the comparison.
    fn first_run<'p>(
        &mut self,
        job: &Job<'_>,
        size: &str,
        (p, program): (usize, &'p Program),
        reference: &mut Option<Reference<'p>>,
    ) -> Result<Run, Failure> {
        let out = job.folder("out");
        let what = format!("tuning at {size}: first run of {}", self.label(p));
        let ran = match job.run(program, Some(&out), &what, self.session) {
            Ok(ran) => ran,
            Err(failure) => return Ok(Run::Fails(failure.said())),
        };
        let seconds = ran.timed(false)?;
        let outputs = job.outputs(&out)?;
        let Some((of, wanted)) = reference else {
            *reference = Some((program, Some(outputs)));
            let differs = None;
            return Ok(Run::First { seconds, differs });
        };
        if wanted.is_none() {
            // What the reference gave is known from before the interruption by its times only.
            job.run(of, Some(&out), &what, self.session)?;
            *wanted = Some(job.outputs(&out)?);
        }
        let bits = of.is_exact_on_host() && program.is_exact_on_host();
        let wanted = wanted.as_deref().unwrap_or_default();
        let found = Compared::of(&outputs, wanted, bits, self.tolerance)?;
        let how = found
            .differing()
            .map(|(name, d)| format!("{name} by {:.1e}", d.norm_relative));
        let how: Vec<String> = how.collect();
        let differs = (!found.passed).then(|| how.join(", "));
        Ok(Run::First { seconds, differs })
    }

    /// Runs programs until each has so many samples, in turns, so that what disturbs the machine
    /// disturbs all alike. One that fails goes.
    fn round(
        &mut self,
        job: &Job<'_>,
        size: &str,
        alive: &mut Vec<usize>,
        wanted: usize,
    ) -> Result<(), Failure> {
        let programs = self.programs;
        for turn in 0..wanted {
            for k in 0..alive.len() {
                let p = alive[(turn + k) % alive.len()];
                let (Some(program), None) = (&programs[p], &self.candidates[p].dropped) else {
                    continue;
                };
                let content = self.candidates[p].program.clone();
                if self.journal.samples(&content, size).len() > turn {
                    continue;
                }
                let count = alive.len();
                self.session.part(turn * count + k, wanted * count);
                let label = self.label(p);
                let what = format!("tuning at {size}: {count} left, {label}");
                let run = match job.run(program, None, &what, self.session) {
                    Ok(ran) => Run::Sample(ran.timed(false)?),
                    Err(failure) => Run::Fails(failure.said()),
                };
                if let Run::Fails(why) = &run {
                    self.candidates[p].dropped = Some(format!("fails at {size}: {why}"));
                }
                self.journal.add(&content, size, run)?;
            }
        }
        alive.retain(|&p| self.candidates[p].dropped.is_none());
        Ok(())
    }

    /// The median of a program's samples.
    fn median(&self, p: usize, size: &str) -> f64 {
        let samples = self.journal.samples(&self.candidates[p].program, size);
        summary(&samples).map_or(f64::INFINITY, |s| s.median)
    }

    fn label(&self, p: usize) -> String {
        tuned::shown(&self.candidates[p].with)
    }
}
