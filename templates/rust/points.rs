//! Control points: conditions that branches wait for.

// Some may be met that nothing waits for.
#![allow(dead_code)]

use super::error::{fail, Error};
use std::any::Any;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ScopedJoinHandle;

/// The control points of a run.
pub struct Points {
    state: Mutex<State>,
    change: Condvar,
}

struct State {
    /// Which points were met.
    met: Vec<bool>,
    /// How many branches run or wait for a point; those that wait for branches do not count.
    branches: usize,
    /// How many of them wait for each point.
    waiting: Vec<usize>,
}

impl State {
    /// Whether every branch waits for a point that was not met.
    fn is_stuck(&self) -> bool {
        let stuck: usize = self
            .waiting
            .iter()
            .zip(&self.met)
            .filter(|(_, met)| !**met)
            .map(|(n, _)| n)
            .sum();
        stuck > 0 && stuck >= self.branches
    }
}

impl Points {
    /// Points none of which was met.
    pub fn new(count: usize) -> Points {
        let state = State {
            met: vec![false; count],
            branches: 1,
            waiting: vec![0; count],
        };
        Points {
            state: Mutex::new(state),
            change: Condvar::new(),
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A branch meets a point.
    pub fn meet(&self, point: usize) {
        self.locked().met[point] = true;
        self.change.notify_all();
    }

    /// A branch waits until a point is met; an error where nobody is left to meet it.
    pub fn wait(&self, point: usize) {
        let mut state = self.locked();
        state.waiting[point] += 1;
        while !state.met[point] {
            if state.is_stuck() {
                self.change.notify_all();
                drop(state);
                let why = "every branch waits for a control point that none of them will meet";
                fail(Error::Algorithm(why.into()));
            }
            state = self
                .change
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting[point] -= 1;
    }

    /// Runs branches at once and ends when all have ended. A panic of one of them goes on here.
    pub fn branches(&self, branches: &[&(dyn Fn() + Sync)]) {
        if branches.is_empty() {
            return;
        }
        // The branch that starts them does not count as long as they run: the first takes its
        // place, and the last to end gives it back.
        self.locked().branches += branches.len() - 1;
        let running = Mutex::new(branches.len());
        let results: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = branches
                .iter()
                .map(|branch| {
                    // Where no thread can be started, this ends, too, and counts the branch out.
                    let end = End {
                        points: self,
                        running: &running,
                    };
                    let run = move || {
                        let _end = end;
                        branch();
                    };
                    std::thread::Builder::new().spawn_scoped(scope, run)
                })
                .collect();
            let ended = |thread: io::Result<ScopedJoinHandle<'_, ()>>| match thread {
                Ok(thread) => thread.join(),
                Err(why) => Err(not_started(&why)),
            };
            threads.into_iter().map(ended).collect()
        });
        // A branch that was not started is why others wait in vain.
        let why = |panic: &Panic| matches!(panic.downcast_ref(), Some(Error::Memory(_)));
        let mut panics: Vec<_> = results.into_iter().filter_map(Result::err).collect();
        let first = panics.iter().position(why).unwrap_or(0);
        if !panics.is_empty() {
            std::panic::resume_unwind(panics.swap_remove(first));
        }
    }
}

type Panic = Box<dyn Any + Send>;

/// The error of a branch that has no thread.
fn not_started(why: &io::Error) -> Panic {
    let why = format!("a thread for a branch cannot be started: {why}");
    Box::new(Error::Memory(why))
}

/// Counts a branch out, also where it panics.
struct End<'a> {
    points: &'a Points,
    running: &'a Mutex<usize>,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut state = self.points.locked();
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        if *running > 0 {
            state.branches -= 1;
        }
        drop(state);
        self.points.change.notify_all();
    }
}
