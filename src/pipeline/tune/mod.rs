//! A strategy's parameters, searched on the device at hand → the settings that `run` takes up.

mod building;
mod candidates;
mod clock;
mod grid;
mod journal;
mod measure;
mod members;
mod resources;
mod standing;
mod table;

use super::bench::sweep;
use super::files::{make_folder, write_whole};
use super::options::shown;
use super::recipe::Recipe;
use super::sizes::Holder;
use super::tuned::{key_of, place, tuned_for};
use super::unreported::without_reports;
use super::{
    Failure, Inputs, Job, Options, Program, Session, Source, Target, Values, derive, load,
};
use crate::check::Scheme;
use crate::data::{Measurement, Tuned, TunedFor, TunedRange, ranges, tolerance};
use crate::diagnostic::Diagnostic;
use crate::machine::Value;
use crate::rewrite::FloatClass;
use crate::term::Symbol;
use crate::toolchain;
use building::{Objects, build_all};
use candidates::{Candidate, Search, candidates};
use clock::Clock;
use grid::axes;
use journal::Journal;
use measure::{Contest, Medians, choose};
use resources::analyse;
use standing::Standing;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct Tune {
    /// What runs the scheme: no reference machine.
    pub target: Target,
    /// The strategy; that of the target, if not given.
    pub strategy: Option<String>,
    /// How the scheme is read, derived and emitted. One of the parameters set may have several values,
    /// `NAME=VALUE,VALUE,…`: the sizes to tune at.
    pub options: Options,
    /// Where the INPUT arrays come from.
    pub inputs: Inputs,
    /// Runs of the last programs left; the others run less often.
    pub runs: u32,
    /// The most programs that are tried.
    pub candidates: u32,
    /// The weakest float class that programs may have; that of the defaults, if not given.
    pub float: Option<FloatClass>,
    /// The largest norm_relative that passes: 1e-4 for f32, 1e-10 for f64, if not given.
    pub tolerance: Option<f64>,
    /// The file to write, instead of one in the user's folder of tunings.
    pub out: Option<PathBuf>,
    /// How long it may take, if that is bounded: then it ends with what is known. The defaults are measured in any
    /// case.
    pub within: Option<Duration>,
    /// Whether to begin anew, whatever an interrupted tuning has measured.
    pub fresh: bool,
    /// Whether nothing is measured and nothing kept: only what would be tried is found.
    pub dry: bool,
}

/// How long a tuning takes, where nobody says how long.
pub const TUNED_WITHIN: Duration = Duration::from_secs(80);

/// What came of a tuning.
pub struct Found {
    /// A row for each program that was tried, with what it takes and its times.
    pub table: String,
    /// What the time went into.
    pub seconds: String,
    /// The parameter of the scheme that has several values, if one has.
    parameter: Option<String>,
    /// For each size, the seconds of the fastest program.
    best: Vec<(i64, Option<f64>)>,
    /// The settings to take, unless nothing was measured.
    chosen: Option<Chosen>,
}

/// The part of the time left that programs of a device may take to start.
const STARTED: f64 = 0.25;

struct Chosen {
    tuned: Result<Tuned, Failure>,
    journal: Journal,
    /// Whether all was measured that was to be.
    complete: bool,
    /// The file, and the folder that is made for it.
    path: PathBuf,
    folder: Option<PathBuf>,
}

/// What was kept of a tuning.
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// How many runs were measured,
    pub runs: usize,
    /// and how many of them by a tuning that was interrupted.
    pub before: usize,
}

/// The sizes to tune at: the parameter that has several values, and the values of all parameters
/// for each, in ascending order.
struct Sizes {
    parameter: Option<String>,
    all: Vec<(i64, Values)>,
}

impl Tune {
    /// Searches the strategy's parameters. Runs are kept as they are made, so that a tuning that is
    /// interrupted goes on where it was.
    ///
    /// # Errors
    ///
    /// Whatever stops the program of the defaults, a strategy without parameters to tune (E0908), and
    /// a target that is none or has no device.
    pub fn search(&self, source: Source<'_>, session: &mut Session) -> Result<Found, Failure> {
        let (target, options) = (self.target, &self.options);
        let mut clock = Clock::new(self.within);
        let mut scheme = load(source, options, session)?;
        scheme.notes.clear();
        if target == Target::Interpreter {
            let message =
                "the reference machine defines the meaning of a scheme and cannot be tuned";
            return Err(Diagnostic::error("E0006", message)
                .hint("tune takes rust, cpp, cuda and rust-cuda")
                .into());
        }
        if !self.dry {
            target.expect_device()?;
        }
        let strategy = self.strategy.as_deref().unwrap_or(target.strategy());
        let sizes = self.sizes(&scheme)?;
        let base = derive::rules(options, session)?;
        // What is measured is the same without reports.
        let bare = without_reports(&scheme);
        let recipe = Recipe {
            scheme: &bare,
            strategy,
            target,
            options,
            base: &base,
        };
        let search = Search {
            recipe,
            float: self.float,
            most: self.candidates as usize,
            until: clock.derived(),
        };
        let axes = axes(&recipe)?;
        let (mut all, whole) = clock.part("deriving", || candidates(&search, &axes, session))?;
        let until = clock.built();
        let objects = Objects::new(&recipe);
        let first = all.first().and_then(|first| first.project.clone());
        let first = first.filter(|_| !self.dry);
        clock.part("compiling", || {
            std::thread::scope(|scope| {
                if let Some(first) = &first {
                    scope.spawn(|| objects.share(first));
                }
                match target.on_device() {
                    true => analyse(&recipe, &mut all, until, session),
                    false => Ok(()),
                }
            })
        })?;
        if !whole {
            session.say(
                "note: not all of the grid is tried; what is tried differs least from the defaults",
            );
        }
        if self.dry {
            return Ok(Found {
                table: table::table(&all, &[], &[], &[]),
                seconds: clock.parts(),
                parameter: None,
                best: Vec::new(),
                chosen: None,
            });
        }
        let of = tuned_for(&scheme, strategy, target).ok_or_else(|| {
            Diagnostic::error("E1001", "no device found to tune for")
                .hint("glushkov doctor says what is found")
        })?;
        let (path, folder) = match &self.out {
            Some(path) => (path.clone(), None),
            None => {
                let path = place(&of).map_err(cannot_keep)?;
                let folder = path.parent().map(Path::to_path_buf);
                (path, folder)
            }
        };
        let mut journal = self.journal(&of, session)?;
        let programs: Vec<Option<Program>> = clock.part("building", || {
            build_all(&recipe, &mut all, &objects, until, session)
        })?;
        let mut contest = Contest {
            programs: &programs,
            order: (0..all.len()).collect(),
            candidates: &mut all,
            standing: Standing::new(),
            journal: &mut journal,
            runs: self.runs as usize,
            tolerance: self.tolerance.unwrap_or(tolerance(scheme.precision)),
            session,
        };
        let mut medians: Vec<Medians> = Vec::new();
        for (number, (_, values)) in sizes.all.iter().enumerate() {
            let job = Job::new(&bare, values.clone(), &self.inputs)?;
            if number == 0 && target.on_device() {
                let until = clock.end().part(STARTED);
                clock.part("starting", || contest.start(&job, until));
            }
            // What a size leaves of its time is for those after it, which are larger.
            let share = 1.0 / (sizes.all.len() - number) as f64;
            let until = clock.end().part(share);
            medians.push(clock.part("running", || contest.at(&job, until))?);
        }
        drop(contest);
        if clock.end().is_over() {
            session.say(&format!(
                "note: the tuning ends after {} with what is known (--within); the table says what was not measured",
                clock.bound()
            ));
        }
        let chosen: Vec<Option<usize>> = medians.iter().map(|m| choose(m, &all)).collect();
        let best = sizes.all.iter().zip(&medians).zip(&chosen);
        let best =
            best.map(|(((size, _), medians), chosen)| (*size, chosen.and_then(|p| medians[p])));
        Ok(Found {
            parameter: sizes.parameter.clone(),
            best: best.collect(),
            table: report(&scheme, &sizes, &all, &medians, &chosen),
            seconds: clock.parts(),
            chosen: Some(Chosen {
                tuned: tuned(&scheme, of, &sizes, &all, &medians, &chosen),
                journal,
                complete: all.iter().all(Candidate::is_complete),
                path,
                folder,
            }),
        })
    }

    /// The sizes that are asked for.
    fn sizes(&self, scheme: &Scheme) -> Result<Sizes, Failure> {
        let wrong = |message: String| Diagnostic::error("E0006", message);
        let sweep = sweep(&self.options.set)?;
        if sweep.swept.len() > 1 {
            let message = format!("{} have several values", sweep.swept.join(" and "));
            return Err(wrong(message)
                .hint("tune takes one parameter with several values: limits are values of it")
                .into());
        }
        let parameter = sweep.swept.first().cloned();
        let mut all = Vec::new();
        for values in sweep.values(scheme, &self.options, &self.inputs, &[Holder::Program]) {
            let values = values?;
            let of_name = |(n, _): &&(Symbol, Value)| Some(n.as_str()) == parameter.as_deref();
            let size = match values.iter().find(of_name) {
                Some((_, Value::Int(size))) => *size,
                None => 0,
                Some((name, _)) => {
                    let message = format!("{name} has several values and is not an integer");
                    return Err(wrong(message)
                        .hint("tune finds limits between sizes")
                        .into());
                }
            };
            all.push((size, values));
        }
        all.sort_by_key(|(size, _)| *size);
        all.dedup_by_key(|(size, _)| *size);
        Ok(Sizes { parameter, all })
    }

    /// The journal of this tuning: it goes by what a tuning is for, and by what else times depend on.
    fn journal(&self, of: &TunedFor, session: &mut Session) -> Result<Journal, Failure> {
        let folder = self.inputs.folder.as_ref().map(|f| f.display().to_string());
        let more = self.options.flags.iter().chain(&self.inputs.generator);
        let more: Vec<&String> = more.chain(&folder).collect();
        let key = key_of(of, &more);
        let path = toolchain::journals().map_err(cannot_keep)?;
        let path = path.join(format!("{key}.jsonl"));
        let (journal, note) = Journal::open(&path, &key, self.fresh)?;
        if let Some(note) = note {
            session.say(&format!("note: {note}"));
        }
        if journal.taken > 0 {
            let taken = journal.taken;
            session.say(&format!(
                "goes on with {taken} runs of an interrupted tuning"
            ));
        }
        Ok(journal)
    }
}

impl Found {
    /// Writes the settings that were found, for `run` and `emit` to take up; none where nothing was
    /// measured.
    ///
    /// # Errors
    ///
    /// A size at which no program could be measured (E0908), and a file that cannot be written.
    pub fn keep(self) -> Result<Option<Kept>, Failure> {
        let Some(Chosen {
            tuned,
            journal,
            complete,
            path,
            folder,
        }) = self.chosen
        else {
            return Ok(None);
        };
        let tuned = tuned?;
        if let Some(folder) = folder {
            make_folder(&folder)?;
        }
        write_whole(&path, &tuned.text(), true)?;
        let (before, runs) = (journal.taken, journal.added + journal.taken);
        if complete {
            journal.done();
        }
        Ok(Some(Kept { path, runs, before }))
    }
}

fn cannot_keep(why: String) -> Failure {
    Diagnostic::error("E0001", format!("the tuning cannot be saved: {why}"))
        .hint("--out FILE says where")
        .into()
}

/// What is printed of a tuning.
fn report(
    scheme: &Scheme,
    sizes: &Sizes,
    all: &[Candidate],
    medians: &[Medians],
    chosen: &[Option<usize>],
) -> String {
    let name = |(size, values): &(i64, Values)| match &sizes.parameter {
        Some(parameter) => format!("{parameter} = {size}"),
        None => shown(values),
    };
    let names: Vec<String> = sizes.all.iter().map(name).collect();
    let rows: Vec<Vec<(usize, f64)>> = medians
        .iter()
        .map(|m| {
            m.iter()
                .enumerate()
                .filter_map(|(p, m)| Some((p, (*m)?)))
                .collect()
        })
        .collect();
    let about = format!("{}\nmedian seconds of the timed part", scheme.name);
    format!("{about}\n\n{}", table::table(all, &names, &rows, chosen))
}

/// What is kept of a tuning.
fn tuned(
    scheme: &Scheme,
    of: TunedFor,
    sizes: &Sizes,
    all: &[Candidate],
    medians: &[Medians],
    chosen: &[Option<usize>],
) -> Result<Tuned, Failure> {
    let mut best = Vec::new();
    for (((size, values), medians), chosen) in sizes.all.iter().zip(medians).zip(chosen) {
        let Some(p) = *chosen else {
            let message = format!("no program could be measured at {}", shown(values));
            return Err(Diagnostic::error("E0908", message)
                .hint("the table says what became of each")
                .into());
        };
        let default = all.iter().position(|c| c.default);
        let measured = Measurement {
            size: shown(values),
            seconds: medians[p].unwrap_or(f64::NAN),
            default_seconds: default.and_then(|d| medians[d]),
        };
        let range = TunedRange {
            up_to: None,
            with: all[p].with.clone(),
            float: all[p].float,
            measured: vec![measured],
        };
        best.push((*size, range));
    }
    let all = ranges(best);
    Ok(Tuned::new(
        scheme.name.to_string(),
        of,
        sizes.parameter.clone(),
        all,
    ))
}
