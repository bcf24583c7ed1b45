//! Work on several things at once, as many as the machine has cores: compilers mostly wait for themselves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Does work on each of some things, in threads; what came of each, in their order. `done` is called after each.
///
/// # Panics
///
/// If the work panics.
pub fn abreast<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
    done: impl FnMut(),
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    in_threads(cores, things, |_, thing| work(thing), done)
}

/// Does work on each of some things and its number, in so many threads.
pub(super) fn in_threads<T: Sync, R: Send>(
    threads: usize,
    things: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
    mut done: impl FnMut(),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (tell, told) = channel();
    let mut all: Vec<Option<R>> = things.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..threads.min(things.len()) {
            let (tell, next, work) = (tell.clone(), &next, &work);
            scope.spawn(move || {
                let _last = LastOnPanic(next);
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(number) else {
                        return;
                    };
                    if tell.send((number, work(number, thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(tell);
        for (number, result) in told {
            all[number] = Some(result);
            done();
        }
    });
    all.into_iter().flatten().collect()
}

/// Leaves nothing to do for other threads where one panics.
struct LastOnPanic<'a>(&'a AtomicUsize);

impl Drop for LastOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(usize::MAX / 2, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    #[test]
    fn each_thing_is_worked_on_once_and_in_its_place() {
        let things: Vec<usize> = (0..100).collect();
        let mut count = 0;
        assert_eq!(
            abreast(&things, |&n| n * n, || count += 1),
            things.iter().map(|n| n * n).collect::<Vec<_>>()
        );
        assert_eq!(count, 100);
        assert!(abreast(&[] as &[usize], |&n| n, || {}).is_empty());
    }

    #[test]
    fn a_panic_ends_the_work() {
        let (things, begun) = (vec![(); 1_000], AtomicUsize::new(0));
        let work = |number, (): &()| {
            begun.fetch_add(1, Ordering::Relaxed);
            if number == 3 {
                // Without the hook, which may be long in printing where from.
                resume_unwind(Box::new("the fourth thing"));
            }
            thread::sleep(std::time::Duration::from_millis(2));
        };
        let all = catch_unwind(AssertUnwindSafe(|| in_threads(2, &things, work, || {})));
        assert!(all.is_err());
        assert!(begun.into_inner() < things.len());
    }
}
