//! Work on threads of their own: what a text says without being run, at once; what its loops become and what the
//! reference machine finds, later. Work on a text that was changed meanwhile is dropped.

use super::documents::{Fate, Kind};
use super::shown::{Page, Shown};
use super::text::Text;
use crate::diagnostic::Diagnostic;
use crate::pipeline::derive::{derive, rules};
use crate::pipeline::{self, Options, Session, Source, lint_rules, look_over, loop_fates};
use crate::rewrite::RuleBase;
use crate::term::{Sources, with_deep_stack};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_types::Uri;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// A derivation that takes longer is not waited for.
const WITHIN: Duration = Duration::from_secs(5);

/// A text to be looked at.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) uri: Uri,
    pub(super) path: String,
    pub(super) kind: Kind,
    pub(super) text: Arc<Text>,
    pub(super) number: u64,
    /// Set when the text is not the document's any more.
    pub(super) stop: Arc<AtomicBool>,
    /// The strategies that loops are looked at under.
    pub(super) strategies: Arc<[&'static str]>,
    pub(super) related: bool,
}

impl Job {
    fn is_stale(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn page(&self) -> Page<'_> {
        Page {
            uri: &self.uri,
            path: &self.path,
            text: &self.text,
            related: self.related,
        }
    }

    fn shown<'a>(
        &self,
        all: impl IntoIterator<Item = &'a Diagnostic>,
        sources: &Sources,
    ) -> Vec<Shown> {
        let page = self.page();
        all.into_iter().map(|d| page.show(d, sources)).collect()
    }

    fn source(&self) -> Source<'_> {
        Source::Open {
            path: &self.path,
            text: self.text.as_str(),
        }
    }
}

/// What came of a job.
pub(super) enum Answer {
    Checked(Vec<Shown>),
    Fates(Vec<Fate>),
    Found(Vec<Shown>),
}

/// What came of the work on a text.
pub(super) struct Told {
    pub(super) uri: Uri,
    pub(super) number: u64,
    pub(super) answer: Answer,
}

/// The threads that work.
pub(super) struct Work {
    jobs: Sender<Job>,
    pub(super) told: Receiver<Told>,
}

impl Work {
    pub(super) fn start() -> Work {
        let (jobs, first) = unbounded();
        let (good, second) = unbounded();
        let (tell, told) = unbounded();
        let also = tell.clone();
        std::thread::spawn(move || with_deep_stack(move || check_all(&first, &good, &tell)));
        std::thread::spawn(move || with_deep_stack(move || run_all(&second, &also)));
        Work { jobs, told }
    }

    pub(super) fn ask(&self, job: Job) {
        // Where the threads have ended, there is nobody to tell.
        let _ = self.jobs.send(job);
    }
}

/// The next jobs: of several for a document the last, without those that are stale.
fn next(jobs: &Receiver<Job>) -> Option<Vec<Job>> {
    let first = jobs.recv().ok()?;
    let mut all = vec![first];
    all.extend(jobs.try_iter());
    all.retain(|job| !job.is_stale());
    Some(all)
}

/// Does what must not end a thread, whatever happens in it: the bug is told on the standard error stream.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

fn check_all(jobs: &Receiver<Job>, good: &Sender<Job>, tell: &Sender<Told>) {
    while let Some(all) = next(jobs) {
        for job in all {
            let Some((checked, is_good)) = guarded(|| checked(&job)) else {
                continue;
            };
            if job.is_stale() {
                continue;
            }
            let answer = Answer::Checked(checked);
            if tell.send(told(&job, answer)).is_err() || is_good && good.send(job).is_err() {
                return;
            }
        }
    }
}

fn told(job: &Job, answer: Answer) -> Told {
    Told {
        uri: job.uri.clone(),
        number: job.number,
        answer,
    }
}

/// What a text says without being run, and whether it holds schemes that can be.
fn checked(job: &Job) -> (Vec<Shown>, bool) {
    let mut session = Session::new();
    match job.kind {
        Kind::Schemes => {
            let looked = look_over(job.source(), &Options::default(), &mut session);
            let shown = job.shown(&looked.diagnostics, &session.sources);
            let is_good = !looked.diagnostics.iter().any(Diagnostic::is_error);
            (shown, is_good && !looked.schemes.is_empty())
        }
        Kind::Rules => {
            let files = [(job.path.clone(), job.text.as_str().to_owned())];
            let found = match lint_rules(&files, &mut session) {
                Ok(linted) => linted.report.findings,
                Err(failure) => failure.diagnostics,
            };
            (job.shown(&found, &session.sources), false)
        }
    }
}

fn run_all(jobs: &Receiver<Job>, tell: &Sender<Told>) {
    // Before anybody waits for them.
    guarded(|| LazyLock::force(&EMBEDDED).is_some());
    while let Some(all) = next(jobs) {
        for job in all {
            let work = |answer: Answer| match job.is_stale() {
                true => Ok(()),
                false => tell.send(told(&job, answer)),
            };
            let fates = guarded(|| Some(fates(&job, EMBEDDED.as_ref()?))).flatten();
            if work(Answer::Fates(fates.unwrap_or_default())).is_err() {
                return;
            }
            if job.is_stale() {
                continue;
            }
            let found = guarded(|| found(&job)).unwrap_or_default();
            if work(Answer::Found(found)).is_err() {
                return;
            }
        }
    }
}

/// The rules that come with the tool, and their texts; nothing where they do not load.
pub(super) static EMBEDDED: LazyLock<Option<(RuleBase, Sources)>> = LazyLock::new(|| {
    let mut session = Session::new();
    let base = rules(&Options::default(), &mut session).ok()?;
    Some((base, session.sources))
});

/// What the loops of a text become.
fn fates(job: &Job, (base, texts): &(RuleBase, Sources)) -> Vec<Fate> {
    // Places in schemes and in rules are told apart by the numbers of their texts.
    let mut session = Session::new();
    session.sources = texts.clone();
    let options = Options {
        within: Some(WITHIN),
        stop: Some(job.stop.clone()),
        ..Options::default()
    };
    let mut all = Vec::new();
    for scheme in look_over(job.source(), &options, &mut session).schemes {
        for &strategy in job.strategies.iter() {
            if job.is_stale() {
                return Vec::new();
            }
            let Ok(derived) = derive(base, &scheme, strategy, &options) else {
                continue;
            };
            for fate in loop_fates(&scheme, &derived) {
                let source = session.sources.get(fate.span.file);
                let is_own = source.is_some_and(|s| s.text == job.text.as_str());
                if is_own {
                    all.push(Fate {
                        place: fate.span.from as usize..fate.span.to as usize,
                        variable: fate.variable,
                        strategy,
                        becomes: fate.becomes,
                    });
                }
            }
        }
    }
    all
}

/// What the reference machine finds.
fn found(job: &Job) -> Vec<Shown> {
    let mut session = Session::new();
    let options = Options {
        stop: Some(job.stop.clone()),
        ..Options::default()
    };
    let mut told = Vec::new();
    for scheme in look_over(job.source(), &options, &mut session).schemes {
        if job.is_stale() {
            return Vec::new();
        }
        match pipeline::check(&scheme, &options) {
            Ok(tried) => told.extend(tried.and_then(|t| t.error).map(|e| e.diagnostic())),
            Err(failure) => told.extend(failure.diagnostics),
        }
    }
    job.shown(&told, &session.sources)
}
