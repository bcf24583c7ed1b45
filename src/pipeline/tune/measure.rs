//! Programs → which is fastest at a size, by successive halving (Jamieson and Talwalkar, 2016).
//!
//! Every program runs once, which warms up and is compared; what is far slower than the best then
//! is left. The others run a few times; the better half runs on, twice as often, and so forth until
//! the last ones have run as often as asked. The program of the defaults always stays, and is measured
//! even when the time is over.

use super::candidates::Candidate;
use super::clock::Until;
use super::journal::{Journal, Run};
use super::standing::{Standing, Wanted};
use crate::data::{Array, summary};
use crate::pipeline::options::shown;
use crate::pipeline::{Compared, Failure, Job, Program, Session, tuned};
use std::time::Duration;

/// Runs of the first round.
const FIRST_ROUND: usize = 3;
/// A program whose first run takes so many times the best one's is left,
const FAR_SLOWER: f64 = 2.0;
/// and so many seconds more: runs of milliseconds differ by what else the machine does, and cost little.
const FAR_LONGER: f64 = 0.02;
/// A first run is not waited for to its end, once it takes so many seconds beyond what is far slower, and beyond
/// what the first one at its size took with all its reading and writing.
const PATIENCE: f64 = 2.0;
/// Medians that differ by this part or less do not decide: the candidate that stands first does.
const NOTHING: f64 = 0.01;
/// The part of a size's time that first runs may take.
const FIRST_RUNS: f64 = 0.5;

/// What is measured.
pub struct Contest<'a> {
    /// The program of each candidate; none of those that were dropped before.
    pub programs: &'a [Option<Program>],
    pub candidates: &'a mut [Candidate],
    /// The candidates in the order of their first runs: the defaults, then the most promising.
    pub order: Vec<usize>,
    pub standing: Standing,
    pub journal: &'a mut Journal,
    /// Runs of the last round.
    pub runs: usize,
    pub tolerance: f64,
    pub session: &'a mut Session,
}

/// The program that others are compared with, and what it gave where that is known.
type Reference<'p> = (usize, &'p Program, Option<Vec<(String, Array)>>);

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
    pub fn at(&mut self, job: &Job<'_>, until: Until) -> Result<Medians, Failure> {
        let size = shown(&job.values);
        let mut alive = self.first_runs(job, &size, until.part(FIRST_RUNS))?;
        let mut wanted = FIRST_ROUND.min(self.runs);
        loop {
            let is_whole = self.round(job, &size, &mut alive, wanted, until)?;
            if wanted == self.runs || alive.is_empty() || !is_whole {
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
        // What one run tells and another does not is no comparison: without a whole round it is the defaults.
        let enough = FIRST_ROUND.min(self.runs);
        let whole = |p: &usize| self.samples(*p, &size) >= enough;
        let is_compared = alive.iter().all(whole);
        for &p in &alive {
            if is_compared || self.candidates[p].default {
                medians[p] = Some(self.median(p, &size)).filter(|x| x.is_finite());
            } else {
                self.candidates[p].unmeasured.push(size.clone());
            }
        }
        Ok(medians)
    }

    /// Starts the programs, several at once.
    pub fn start(&mut self, job: &Job<'_>, until: Until) {
        let programs = self.order.iter();
        let programs = programs.filter_map(|&p| Some((p, self.programs[p].as_ref()?)));
        let programs: Vec<(usize, &Program)> = programs.collect();
        self.standing.start(&programs, job, until, self.session);
    }

    /// Runs every program once, and gives those that go on.
    fn first_runs(
        &mut self,
        job: &Job<'_>,
        size: &str,
        until: Until,
    ) -> Result<Vec<usize>, Failure> {
        let mut alive: Vec<(usize, f64)> = Vec::new();
        // The first program that runs is what the others are compared with.
        let mut reference: Option<Reference<'_>> = None;
        // Seconds of the first run here, reading and writing included.
        let mut whole: Option<f64> = None;
        let programs = self.programs;
        for p in self.order.clone() {
            let (Some(program), None) = (&programs[p], &self.candidates[p].dropped) else {
                continue;
            };
            let known = self.journal.runs(&self.candidates[p].program, size);
            let known = known.iter().find(|r| !matches!(r, Run::Sample(_))).cloned();
            let best = alive.iter().map(|(_, s)| *s).reduce(f64::min);
            let patience = best.zip(whole).map(|(b, w)| w + far(b) + PATIENCE);
            let run = match known {
                Some(run) => Some(run),
                None if until.is_over() && !self.candidates[p].default => None,
                None => {
                    let limits = (patience, until);
                    let ran = self.first_run(job, size, (p, program), &mut reference, limits)?;
                    ran.map(|(run, seconds)| {
                        // One that fails tells nothing of others.
                        whole = whole.or(Some(seconds).filter(|_| !matches!(run, Run::Fails(_))));
                        run
                    })
                }
            };
            match run {
                Some(Run::First {
                    seconds,
                    differs: None,
                }) => {
                    reference.get_or_insert((p, program, None));
                    alive.push((p, seconds));
                }
                Some(Run::First {
                    differs: Some(how), ..
                }) => {
                    self.candidates[p].dropped = Some(format!("differs at {size}: {how}"));
                }
                Some(Run::Fails(why)) => {
                    self.candidates[p].dropped = Some(format!("fails at {size}: {why}"));
                }
                Some(Run::Sample(_)) => {}
                None if until.is_over() => self.candidates[p].unmeasured.push(size.to_owned()),
                None => {}
            }
        }
        // The next size begins with what was fast at this one.
        let seconds = |p: usize| alive.iter().find(|(a, _)| *a == p).map(|(_, s)| *s);
        let of = |p: &usize| match self.candidates[*p].default {
            true => 0.0,
            false => seconds(*p).unwrap_or(f64::INFINITY),
        };
        self.order.sort_by(|a, b| of(a).total_cmp(&of(b)));
        let best = alive.iter().map(|(_, s)| *s).fold(f64::INFINITY, f64::min);
        let goes_on = |&(p, s): &(usize, f64)| s <= far(best) || self.candidates[p].default;
        let left = alive.iter().filter(|a| goes_on(a));
        let mut left: Vec<usize> = left.map(|(p, _)| *p).collect();
        left.sort_unstable();
        Ok(left)
    }

    /// The first run of a program, with the comparison, and its seconds with reading and writing; none where it is
    /// too long: for the time that is left, or beside the best.
    fn first_run<'p>(
        &mut self,
        job: &Job<'_>,
        size: &str,
        (p, program): (usize, &'p Program),
        reference: &mut Option<Reference<'p>>,
        (patience, until): (Option<f64>, Until),
    ) -> Result<Option<(Run, f64)>, Failure> {
        let out = job.folder("out");
        let what = format!("tuning at {size}: first run of {}", self.label(p));
        let patience = patience.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = [patience, until.left()].into_iter().flatten();
        let limit = limits.min().filter(|_| !self.candidates[p].default);
        let wanted = Wanted {
            job,
            results: Some(&out),
            limit,
            what: &what,
        };
        let ran = match self.standing.run(p, program, wanted, self.session) {
            Ok(Some(ran)) => ran,
            Ok(None) => return Ok(None),
            Err(failure) => {
                let run = Run::Fails(failure.said());
                self.journal
                    .add(&self.candidates[p].program, size, run.clone())?;
                return Ok(Some((run, 0.0)));
            }
        };
        let seconds = ran.timed(false)?;
        let outputs = job.outputs(&out)?;
        let mut differs = None;
        match reference {
            None => *reference = Some((p, program, Some(outputs))),
            Some((number, of, known)) => {
                if known.is_none() {
                    // What the reference gave is known from before the interruption by its times only.
                    let wanted = Wanted {
                        limit: None,
                        ..wanted
                    };
                    self.standing.run(*number, of, wanted, self.session)?;
                    *known = Some(job.outputs(&out)?);
                }
                let bits = of.is_exact_on_host() && program.is_exact_on_host();
                let known = known.as_deref().unwrap_or_default();
                let found = Compared::of(&outputs, known, bits, self.tolerance)?;
                let how = found
                    .differing()
                    .map(|(name, d)| format!("{name} by {:.1e}", d.norm_relative));
                let how: Vec<String> = how.collect();
                differs = (!found.passed).then(|| how.join(", "));
            }
        }
        let run = Run::First { seconds, differs };
        self.journal
            .add(&self.candidates[p].program, size, run.clone())?;
        Ok(Some((run, ran.seconds)))
    }

    /// Runs programs until each has so many samples, in turns, so that what disturbs the machine
    /// disturbs all alike; one that fails goes. Whether there was the time for all of that.
    fn round(
        &mut self,
        job: &Job<'_>,
        size: &str,
        alive: &mut Vec<usize>,
        wanted: usize,
        until: Until,
    ) -> Result<bool, Failure> {
        let programs = self.programs;
        let mut is_whole = true;
        'turns: for turn in 0..wanted {
            for k in 0..alive.len() {
                let p = alive[(turn + k) % alive.len()];
                let (Some(program), None) = (&programs[p], &self.candidates[p].dropped) else {
                    continue;
                };
                if self.samples(p, size) > turn {
                    continue;
                }
                let count = alive.len();
                self.session.part(turn * count + k, wanted * count);
                let what = format!("tuning at {size}: {count} left, {}", self.label(p));
                let asked = Wanted {
                    job,
                    results: None,
                    limit: until.left(),
                    what: &what,
                };
                let ran = match until.is_over() {
                    true => Ok(None),
                    false => self.standing.run(p, program, asked, self.session),
                };
                let run = match ran {
                    Ok(Some(ran)) => Run::Sample(ran.timed(false)?),
                    Ok(None) => {
                        is_whole = false;
                        break 'turns;
                    }
                    Err(failure) => Run::Fails(failure.said()),
                };
                if let Run::Fails(why) = &run {
                    self.candidates[p].dropped = Some(format!("fails at {size}: {why}"));
                }
                let content = &self.candidates[p].program;
                self.journal.add(content, size, run)?;
            }
        }
        alive.retain(|&p| self.candidates[p].dropped.is_none());
        Ok(is_whole)
    }

    /// How many samples of a program there are.
    fn samples(&self, p: usize, size: &str) -> usize {
        let content = &self.candidates[p].program;
        self.journal.samples(content, size).len()
    }

    /// The median of a program's samples; where there are none, the time of its first run.
    fn median(&self, p: usize, size: &str) -> f64 {
        let content = &self.candidates[p].program;
        let first = self.journal.runs(content, size).iter();
        let first = first.filter_map(|run| match run {
            Run::First { seconds, .. } => Some(*seconds),
            _ => None,
        });
        let first = first.fold(f64::INFINITY, f64::min);
        summary(&self.journal.samples(content, size)).map_or(first, |s| s.median)
    }

    fn label(&self, p: usize) -> String {
        tuned::shown(&self.candidates[p].with)
    }
}

/// The seconds beyond which a first run is far slower than the best one.
fn far(best: f64) -> f64 {
    (FAR_SLOWER * best).max(best + FAR_LONGER)
}
