//! Programs that stand by while they are measured: each is started once, for all its runs at all sizes.

use super::clock::Until;
use crate::pipeline::{Failure, Job, Program, Session, Target, job::Ran};
use crate::toolchain::{Standby, abreast};
use std::path::Path;
use std::time::Duration;

/// The most programs that stand by; fewer, where they leave each other no room.
const MOST: usize = 64;

/// Programs that stand by, by their numbers; the one that ran last is the last.
pub struct Standing {
    open: Vec<(usize, Standby)>,
    most: usize,
}

/// A run that is asked for.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// What the program is run with.
    pub job: &'a Job<'a>,
    /// The folder for results, if they are written.
    pub results: Option<&'a Path>,
    /// The longest that it may take.
    pub limit: Option<Duration>,
    /// What the observer is told during the run.
    pub what: &'a str,
}

impl Standing {
    /// No program stands by.
    pub fn new() -> Standing {
        Standing {
            open: Vec::new(),
            most: MOST,
        }
    }

    /// Starts programs, several at once, by a run that nobody measures: on a device most of that is getting ready.
    /// One that does not start now is started when it is to run.
    pub fn start(
        &mut self,
        programs: &[(usize, &Program)],
        job: &Job<'_>,
        until: Until,
        session: &mut Session,
    ) {
        let is_new = |p: usize| self.open.iter().all(|(open, _)| *open != p);
        let new = programs.iter().filter(|(p, _)| is_new(*p)).copied();
        let new: Vec<_> = new
            .take(self.most.saturating_sub(self.open.len()))
            .collect();
        let one = |&(p, program): &(usize, &Program)| {
            if until.is_over() {
                return None;
            }
            let mut standby = begin(program)?;
            let ran = job.run_standing(&mut standby, None, until.left());
            ran.ok().flatten().map(|_| (p, standby))
        };
        let started = session.during_parts("starting", new.len(), |say| {
            abreast(&new, one, || say("starting"))
        });
        self.open.extend(started.into_iter().flatten());
    }

    /// Runs a program; none where that takes longer than the limit.
    ///
    /// # Errors
    ///
    /// Those of the program when it runs in a process of its own, and no other program stands by.
    pub fn run(
        &mut self,
        p: usize,
        program: &Program,
        wanted: Wanted<'_>,
        session: &mut Session,
    ) -> Result<Option<Ran>, Failure> {
        let Wanted {
            job,
            results,
            limit,
            what,
        } = wanted;
        let standby = self.take(p).or_else(|| begin(program));
        let ran = session.during(what, |_| {
            let mut standby = standby?;
            let ran = job.run_standing(&mut standby, results, limit).ok()?;
            Some((ran, standby))
        });
        match ran {
            Some((Some(ran), standby)) => {
                self.open.push((p, standby));
                return Ok(Some(ran));
            }
            Some((None, _)) => return Ok(None),
            None => {}
        }
        // It may have lacked what others hold, such as memory of the device.
        let others = self.open.len();
        self.end();
        let ran = job.run_within(program, results, limit, what, session)?;
        if others > 0 {
            self.most = others.div_ceil(2);
        }
        Ok(ran)
    }

    /// Takes a program, or makes room for it. Programs run in turns, so that the one that ran last is the last to
    /// run again.
    fn take(&mut self, p: usize) -> Option<Standby> {
        if let Some(at) = self.open.iter().position(|(open, _)| *open == p) {
            return Some(self.open.remove(at).1);
        }
        self.open.truncate(self.most - 1);
        None
    }

    /// Ends all of them, at once: that of a device takes a while.
    fn end(&mut self) {
        let open = std::mem::take(&mut self.open);
        std::thread::scope(|scope| {
            for standby in open {
                scope.spawn(move || drop(standby));
            }
        });
    }
}

impl Drop for Standing {
    fn drop(&mut self) {
        self.end();
    }
}

/// Starts a program that stands by. Those with OpenMP do not: their threads may spin while they have nothing to do,
/// on the cores of the program whose turn it is.
fn begin(program: &Program) -> Option<Standby> {
    if program.target == Target::Cpp {
        return None;
    }
    let built = program.built.as_ref()?;
    Standby::start(&built.executable, &built.dir).ok()
}
