//! Work on several things at once, as many as the machine has cores: compilers mostly wait for themselves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Does work on each of some things, in threads; what came of each, in their order. `done` is called after each.
pub fn abreast<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(),
) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (tell, told) = channel();
    let mut all: Vec<Option<R>> = things.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..cores.min(things.len()) {
            let (tell, next, work) = (tell.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(number) else {
                        return;
                    };
                    if tell.send((number, work(thing))).is_err() {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
