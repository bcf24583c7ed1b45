//! The cores on which the threads of emitted crates wake.
#![cfg(target_os = "linux")]

#[path = "../../templates/rust/cores.rs"]
mod emitted;

use emitted::{Cores, Kept};
use std::sync::{Arc, Mutex, mpsc};

// Of the C library that the standard library uses.
unsafe extern "C" {
    fn gettid() -> i32;
    fn sched_getaffinity(thread: i32, size: usize, set: *mut [u64; 16]) -> i32;
    fn sched_setaffinity(thread: i32, size: usize, set: *const [u64; 16]) -> i32;
}

/// Where a thread may run; 0 is the caller.
fn allowed(thread: i32) -> Vec<usize> {
    let mut set = [0; 16];
    // SAFETY: the set has the size that is given.
    assert_eq!(unsafe { sched_getaffinity(thread, 128, &mut set) }, 0);
    let has = |core: &usize| set[core / 64] >> (core % 64) & 1 == 1;
    (0..1024).filter(has).collect()
}

/// Says where the caller may run.
fn allow(cores: &[usize]) {
    let mut set = [0u64; 16];
    cores.iter().for_each(|c| set[c / 64] |= 1 << (c % 64));
    // SAFETY: as above.
    assert_eq!(unsafe { sched_setaffinity(0, 128, &set) }, 0);
}

#[test]
fn a_thread_that_sleeps_on_a_core_in_use_is_sent_to_another_and_is_free_when_awake() {
    let all = allowed(0);
    let pool = Arc::new(Mutex::new(Cores::default()));
    let (asleep, sleeper) = mpsc::channel();
    let (wake, woken) = mpsc::channel::<()>();
    let (tell, told) = mpsc::channel();
    // Both begin on one core; the thread may leave it, and is kept to where it is.
    allow(&all[..1]);
    let mut empty = pool.lock().expect("a lock");
    let (own_pool, own_cores) = (pool.clone(), all.clone());
    let thread = std::thread::spawn(move || {
        allow(&own_cores);
        let kept = Kept::here();
        own_pool.lock().expect("a lock").sleeps(0, Some(&kept));
        // SAFETY: it only asks.
        asleep.send(unsafe { gettid() }).expect("a receiver");
        woken.recv().expect("a sender");
        own_pool.lock().expect("a lock").wakes(0);
        let on_waking = allowed(0);
        drop(kept);
        tell.send((on_waking, allowed(0))).expect("a receiver");
        // The pool holds its handle.
        woken.recv().expect("a sender");
    });
    empty.add(thread);
    drop(empty);
    let thread = sleeper.recv().expect("a sender");
    let kept = allowed(thread);
    assert_eq!(kept.len(), 1);
    {
        let mut pool = pool.lock().expect("a lock");
        assert_eq!((pool.count(), pool.asleep()), (1, 1));
        allow(&kept);
        pool.part();
        // Once sent, it stays there, though it has not woken yet.
        pool.part();
    }
    let sent = allowed(thread);
    assert_eq!(sent.len(), 1);
    assert!(sent != kept || all.len() == 1, "{sent:?}");
    wake.send(()).expect("a receiver");
    assert_eq!(told.recv().expect("a sender"), (sent, all));
    assert_eq!(pool.lock().expect("a lock").asleep(), 0);
    wake.send(()).expect("a receiver");
}
