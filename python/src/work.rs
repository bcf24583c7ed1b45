//! Work of the pipeline → its result: on a thread with room for deep schemes, while this one lets
//! other threads of Python go on and looks for signals.

use crate::failure::{Told, placed};
use glushkov::pipeline::{Event, Failure, Session};
use glushkov::term::{Sources, with_deep_stack};
use glushkov::toolchain::end_children;
use pyo3::prelude::*;
use serde_json::Value as Json;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often signals are looked for.
const EVERY: Duration = Duration::from_millis(40);

/// What unwinds work that is interrupted.
struct Interrupted;

/// What work gave, and the notes on what strategies left undone.
pub struct Done<T> {
    pub value: T,
    pub notes: Vec<Json>,
}

/// Does work with a session. Its lines go to the logger `glushkov`.
///
/// # Errors
///
/// The failure's exception, and that of a signal, such as KeyboardInterrupt. A signal ends the
/// compilers and programs that run for this process, and then the work, where it next tells of
/// itself.
pub fn work<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut Session) -> Result<T, Failure> + Send,
) -> PyResult<Done<T>> {
    let logging = py.import("logging")?;
    let logger = logging.call_method1("getLogger", ("glushkov",))?.unbind();
    let stop = Arc::new(AtomicBool::new(false));
    let (say, lines) = channel();
    let (done, raised) = py.detach(move || {
        let mut raised: Option<PyErr> = None;
        let done = std::thread::scope(|scope| {
            let stopped = stop.clone();
            let worker = scope.spawn(move || {
                let work = || with_deep_stack(|| observed(work, say, stopped));
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(told(&*panic)))
            });
            loop {
                let step = match lines.recv_timeout(EVERY) {
                    Ok(line) => Python::attach(|py| log(py, &logger, &line)),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()),
                    // The session is gone, and the work is done.
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Err(error) = step {
                    stop.store(true, Ordering::Relaxed);
                    raised.get_or_insert(error);
                }
                if raised.is_some() {
                    end_children();
                }
            }
            worker.join().unwrap_or_else(|panic| Err(told(&*panic)))
        });
        (done, raised)
    });
    match raised {
        Some(error) => Err(error),
        None => done.map_err(|told| told.raised(py)),
    }
}

/// Does the work with a session whose observer passes lines on, keeps the notes, and unwinds the work once
/// it is to stop: no compiler or program runs at the events at which it does so.
fn observed<T>(
    work: impl FnOnce(&mut Session) -> Result<T, Failure>,
    say: Sender<String>,
    stop: Arc<AtomicBool>,
) -> Result<Done<T>, Told> {
    let (left, notes) = channel::<Json>();
    let observer = move |event: Event<'_>, sources: &Sources| match event {
        Event::GoesOn(_) | Event::Part { .. } | Event::Ends => {}
        _ if stop.load(Ordering::Relaxed) => resume_unwind(Box::new(Interrupted)),
        Event::Left(notes) => notes.all().for_each(|note| {
            let _ = left.send(placed(note, sources));
        }),
        Event::Said(line) | Event::Begins(line) => {
            let _ = say.send(line.to_owned());
        }
    };
    let mut session = Session::observed(Box::new(observer));
    let done = work(&mut session);
    let value = done.map_err(|failure| Told::of(&failure, &session.sources))?;
    drop(session);
    Ok(Done {
        value,
        notes: notes.try_iter().collect(),
    })
}

fn log(py: Python<'_>, logger: &Py<PyAny>, line: &str) -> PyResult<()> {
    logger.call_method1(py, "info", ("%s", line))?;
    py.check_signals()
}

/// What a panic says.
fn told(panic: &(dyn Any + Send)) -> Told {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Told::bug(text.as_deref().unwrap_or("it ended without a word"))
}
