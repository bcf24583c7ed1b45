//! A line on standard error on what goes on, how far it is and how long it will take, where that is a
//! terminal.
//!
//! It appears when something takes longer than [`PATIENCE`], and is gone while anything else is written.

use crate::term::visible_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So long nothing is said.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// Parts are counted for so long before their number says how long the rest takes.
const TELLING: Duration = Duration::from_secs(1);

/// The line; drawn by a thread of its own.
#[derive(Clone)]
pub struct Progress(Option<Arc<Mutex<State>>>);

struct State {
    bar: ProgressBar,
    /// The command that runs.
    whole: Option<Work>,
    /// What it does just now.
    now: Option<Work>,
    parts: Option<Parts>,
    /// Whether the line can be seen.
    seen: bool,
    ended: bool,
}

struct Work {
    what: String,
    since: Instant,
}

impl Work {
    fn new(what: &str) -> Work {
        Work {
            what: visible_line(what.trim()).into_owned(),
            since: Instant::now(),
        }
    }
}

/// How many parts of some work are done.
struct Parts {
    done: usize,
    of: usize,
    /// When the first of them began, and how many were done then.
    since: (Instant, usize),
}

impl Parts {
    /// Such as `3 of 12, 40s left`.
    fn text(&self) -> String {
        let (began, before) = self.since;
        let (elapsed, done) = (began.elapsed(), self.done - before);
        let place = format!("{} of {}", self.done + 1, self.of);
        match done {
            0 => place,
            _ if elapsed < TELLING => place,
            _ => {
                let left = elapsed.as_secs_f64() / done as f64 * (self.of - self.done) as f64;
                format!("{place}, {} left", duration(Duration::from_secs_f64(left)))
            }
        }
    }
}

/// A time for people: `40s`, `3m 20s`, `2h 5m`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s}s"),
        (0, m, s) => format!("{m}m {s}s"),
        (h, m, _) => format!("{h}h {m}m"),
    }
}

impl Progress {
    /// A line that is never seen.
    pub fn hidden() -> Progress {
        Progress(None)
    }

    /// The line of this process; never seen where standard error is no terminal.
    pub fn new() -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let state = Arc::new(Mutex::new(State {
            bar,
            whole: None,
            now: None,
            parts: None,
            seen: false,
            ended: false,
        }));
        let drawn = Arc::clone(&state);
        let draw = move || {
            loop {
                std::thread::sleep(TICK);
                let mut state = drawn.lock().unwrap_or_else(PoisonError::into_inner);
                if state.ended {
                    return;
                }
                state.draw();
            }
        };
        // Without the thread nothing is seen, which is no reason to end.
        let _ = std::thread::Builder::new()
            .name("progress".into())
            .spawn(draw);
        Progress(Some(state))
    }

    fn state(&self) -> Option<MutexGuard<'_, State>> {
        let state = self.0.as_ref()?;
        Some(state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A command runs.
    pub fn whole(&self, what: &str) {
        if let Some(mut state) = self.state() {
            state.whole = Some(Work::new(what));
        }
    }

    /// Some of its work begins.
    pub fn begins(&self, what: &str) {
        if let Some(mut state) = self.state() {
            state.now = Some(Work::new(what));
        }
    }

    /// That work goes on; a line on how far it is.
    pub fn goes_on(&self, line: &str) {
        if let Some(mut state) = self.state()
            && let Some(now) = &mut state.now
        {
            now.what = visible_line(line.trim()).into_owned();
        }
    }

    /// So many parts of the work are done.
    pub fn part(&self, done: usize, of: usize) {
        if let Some(mut state) = self.state() {
            let before = state.parts.take();
            let since = before.filter(|p| p.of == of && p.done <= done);
            let since = since.map_or((Instant::now(), done), |p| p.since);
            state.parts = (done < of).then_some(Parts { done, of, since });
        }
    }

    /// That work has ended.
    pub fn ends(&self) {
        if let Some(mut state) = self.state() {
            state.now = None;
        }
    }

    /// Writes something while the line is not there.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        if let Some(state) = &mut state {
            state.hide();
        }
        let written = write();
        drop(state);
        written
    }
}

impl State {
    fn draw(&mut self) {
        let Some(work) = self.now.as_ref().or(self.whole.as_ref()) else {
            self.hide();
            return;
        };
        let first = self.whole.as_ref().unwrap_or(work).since;
        if !self.seen && first.elapsed() < PATIENCE {
            return;
        }
        let parts = self.parts.as_ref();
        let parts = parts.map(|parts| format!("{}; ", parts.text()));
        let time = duration(work.since.elapsed());
        let message = format!("{} ({}{time})", work.what, parts.unwrap_or_default());
        if !self.seen {
            self.bar.reset();
        }
        self.bar.set_message(message);
        self.bar.tick();
        self.seen = true;
    }

    fn hide(&mut self) {
        if self.seen {
            self.bar.finish_and_clear();
            self.seen = false;
        }
    }
}

/// The end of the line, when its owner ends.
pub struct Ends(pub Progress);

impl Drop for Ends {
    fn drop(&mut self) {
        if let Some(mut state) = self.0.state() {
            state.hide();
            state.ended = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_the_parts_before() {
        let ago = |seconds| Instant::now() - Duration::from_secs(seconds);
        let parts = |done, since| Parts {
            done,
            of: 12,
            since,
        };
        assert_eq!(parts(0, (ago(9), 0)).text(), "1 of 12");
        assert_eq!(parts(4, (ago(20), 0)).text(), "5 of 12, 40s left");
        // What was done before counting began took none of this time.
        assert_eq!(parts(6, (ago(20), 4)).text(), "7 of 12, 1m 0s left");
        assert_eq!(duration(Duration::from_secs(7500)), "2h 5m");
    }
}
