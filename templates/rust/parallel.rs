//! Loops whose iterations run on all cores, and the arrays that they write.
//!
//! All `unsafe` code of this crate is here and in `vector.rs`. It rests on what was shown of the
//! algorithm: no two iterations reach the same value, one of them writing, unless both add to it
//! by [`Shared::add`].

#![allow(dead_code)]

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

// Shared values.

/// A value that several threads reach.
#[repr(transparent)]
pub struct Shared<T>(UnsafeCell<T>);

// SAFETY: threads reach different values, or only read, or only add by `Shared::add`; see above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// The elements of an array, for several threads.
pub fn share<T>(array: &mut [T]) -> &[Shared<T>] {
    // SAFETY: `Shared<T>` has the layout of `T`, and the array is borrowed for as long.
    unsafe { &*(array as *mut [T] as *const [Shared<T>]) }
}

impl<T: Copy> Shared<T> {
    /// A variable, for several threads.
    pub fn of(value: &mut T) -> &Shared<T> {
        // SAFETY: as for `share`.
        unsafe { &*(value as *mut T as *const Shared<T>) }
    }

    /// The value.
    #[inline(always)]
    pub fn get(&self) -> T {
        // SAFETY: no other thread writes it now; see above.
        unsafe { *self.0.get() }
    }

    /// Sets the value.
    #[inline(always)]
    pub fn set(&self, value: T) {
        // SAFETY: no other thread reaches it now; see above.
        unsafe { *self.0.get() = value }
    }
}
{% for vector in vectors %}
impl Shared<crate::vector::{{ vector.name }}> {
{%- for field in vector.fields %}
    /// The component `{{ field }}`, by itself.
    #[inline(always)]
    pub fn {{ field }}(&self) -> &Shared<crate::Real> {
        // SAFETY: the pointer is to a field of what `self` points to; no reference to the whole
        // is made.
        unsafe { &*(&raw const (*self.0.get()).{{ field }} as *const Shared<crate::Real>) }
    }
{%- endfor %}
}
{% endfor %}
{%- if uses.atomic %}
macro_rules! atomic_add {
    ($($value:ty, $atomic:ident, $to:expr, $of:expr;)*) => {$(
        impl Shared<$value> {
            /// Adds to the value as one indivisible action.
                    pub fn add(&self, term: $value) {
                use std::sync::atomic::$atomic;
                // SAFETY: the pointer is valid and aligned, and while others add to the value
                // nobody reaches it in another way; see above.
                let cell = unsafe { $atomic::from_ptr(self.0.get().cast()) };
                let mut old = cell.load(Ordering::Relaxed);
                loop {
                    let sum = $to($of(old) + term);
                    match cell.compare_exchange_weak(old, sum, Ordering::Relaxed, Ordering::Relaxed) {
                        Ok(_) => return,
                        Err(now) => old = now,
                    }
                }
            }
        }
    )*};
}

atomic_add! {
    f32, AtomicU32, f32::to_bits, f32::from_bits;
    f64, AtomicU64, f64::to_bits, f64::from_bits;
    i32, AtomicI32, std::convert::identity, std::convert::identity;
    i64, AtomicI64, std::convert::identity, std::convert::identity;
}
{% endif %}
// Loops.

/// How many threads loops run on: `GLUSHKOV_THREADS`, or as many as there are cores.
pub fn thread_count() -> usize {
    let given = std::env::var("GLUSHKOV_THREADS").ok();
    let given = given.and_then(|text| text.trim().parse().ok());
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    given.unwrap_or_else(cores).clamp(1, 1024)
}

/// Runs the iterations from `first` to `last`, in no order, on all cores. A panic of one of them
/// goes on here when all threads have stopped.
pub fn parallel<T: Counter>(first: T, last: T, body: impl Fn(T) + Sync) {
    let (first, last) = (first.into(), last.into());
    let iterate = |from: i64, to: i64| T::each(from, to, &body);
    let count = i128::from(last) - i128::from(first) + 1;
    let pool = POOL.get_or_init(Pool::new);
    if count <= 1 || pool.threads == 1 || IN_LOOP.get() {
        iterate(first, last);
        return;
    }
    // Some chunks for each thread, so that a slow one does not keep the others waiting.
    let chunk = (count / (8 * pool.threads as i128)).max(1) as i64;
    let chunks = ((count + i128::from(chunk) - 1) / i128::from(chunk)) as usize;
    pool.run(chunks, &|k| {
        let from = first + k as i64 * chunk;
        iterate(from, from.saturating_add(chunk - 1).min(last));
    });
}

/// The integers that count iterations.
pub trait Counter: Into<i64> {
    /// Calls `body` with the numbers between two bounds, which are in the type's range.
    fn each(from: i64, to: i64, body: &impl Fn(Self));
}

impl Counter for i32 {
    fn each(from: i64, to: i64, body: &impl Fn(i32)) {
        (from as i32..=to as i32).for_each(body);
    }
}

impl Counter for i64 {
    fn each(from: i64, to: i64, body: &impl Fn(i64)) {
        (from..=to).for_each(body);
    }
}

thread_local! {
    /// Whether this thread runs iterations: loops within them run on it alone.
    static IN_LOOP: Cell<bool> = const { Cell::new(false) };
}

static POOL: OnceLock<Pool> = OnceLock::new();

/// Threads that wait for loops.
struct Pool {
    threads: usize,
    /// Held by the loop that runs.
    busy: Mutex<()>,
    state: Mutex<State>,
    start: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct State {
    /// The loop that runs, and how many ran before it.
    job: Option<Job>,
    number: u64,
    /// Threads of the pool that are in it.
    inside: usize,
    panic: Option<Box<dyn Any + Send>>,
}

#[derive(Clone, Copy)]
struct Job {
    body: *const (dyn Fn(usize) + Sync),
    next: *const AtomicUsize,
    chunks: usize,
}

// SAFETY: what a job points to is `Sync`, and `Pool::run` keeps it until no thread has the job.
unsafe impl Send for Job {}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No panic leaves a lock's contents half-changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    fn new() -> Pool {
        let threads = thread_count();
        for _ in 1..threads {
            // The threads live as long as the program. Without some of them loops are slower.
            let _ = std::thread::Builder::new().spawn(|| POOL.wait().serve());
        }
        Pool {
            threads,
            busy: Mutex::new(()),
            state: Mutex::default(),
            start: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// What a thread of the pool does.
    fn serve(&self) {
        IN_LOOP.set(true);
        let mut seen = 0;
        let mut state = locked(&self.state);
        loop {
            match state.job {
                Some(job) if state.number != seen => {
                    seen = state.number;
                    state.inside += 1;
                    drop(state);
                    let panic = job.work().err();
                    state = locked(&self.state);
                    state.inside -= 1;
                    if state.panic.is_none() {
                        state.panic = panic;
                    }
                    if state.inside == 0 {
                        self.done.notify_all();
                    }
                }
                _ => state = self.start.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn run(&self, chunks: usize, body: &(dyn Fn(usize) + Sync)) {
        // Another thread's loop has the pool: this one runs here.
        let Ok(_busy) = self.busy.try_lock() else {
            (0..chunks).for_each(body);
            return;
        };
        let next = AtomicUsize::new(0);
        // SAFETY: only the lifetime is changed; the job is taken back below before it ends.
        let body = unsafe {
            std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync)>(body)
        };
        let job = Job { body, next: &next, chunks };
        let mut state = locked(&self.state);
        state.job = Some(job);
        state.number += 1;
        drop(state);
        self.start.notify_all();
        IN_LOOP.set(true);
        let own = job.work();
        IN_LOOP.set(false);
        let mut state = locked(&self.state);
        state.job = None;
        while state.inside > 0 {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let panic = state.panic.take();
        drop(state);
        drop(_busy);
        if let Some(panic) = own.err().or(panic) {
            resume_unwind(panic);
        }
    }
}

impl Job {
    /// Runs chunks until none is left. After a panic no further chunks are begun.
    fn work(&self) -> std::thread::Result<()> {
        // SAFETY: see `Send for Job`.
        let (body, next) = unsafe { (&*self.body, &*self.next) };
        let done = catch_unwind(AssertUnwindSafe(|| loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.chunks {
                break;
            }
            body(chunk);
        }));
        if done.is_err() {
            next.store(self.chunks, Ordering::Relaxed);
        }
        done
    }
}
