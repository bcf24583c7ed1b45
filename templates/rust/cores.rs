//! The cores on which threads wake.
//!
//! Linux may wake a thread on a core that has work while others have none, and mends this some
//! milliseconds later; loops that are shorter would run on one core. So a thread that sleeps is kept to
//! the core where it fell asleep, or is sent to another one if that core is in use when it is woken. Once
//! awake it may run wherever it might before.

use std::thread::JoinHandle;

/// The threads of a pool.
#[derive(Default)]
pub struct Cores {
    threads: Vec<Place>,
}

/// Where a thread is.
struct Place {
    /// The thread, as the system names it.
    thread: usize,
    asleep: bool,
    /// Where it last fell asleep, or was sent to.
    core: Option<usize>,
    /// Where it may run when it is awake.
    allowed: Option<Set>,
}

impl Cores {
    /// Adds a thread; the first one is number 0.
    pub fn add(&mut self, thread: JoinHandle<()>) {
        let thread = system::handle(thread);
        self.threads.push(Place {
            thread,
            asleep: false,
            core: None,
            allowed: None,
        });
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.threads.len()
    }

    /// How many threads sleep.
    pub fn asleep(&self) -> usize {
        self.threads.iter().filter(|t| t.asleep).count()
    }

    /// The thread of a number, which calls this, falls asleep, kept to its core or not.
    pub fn sleeps(&mut self, number: usize, kept: Option<&Kept>) {
        let place = &mut self.threads[number];
        place.asleep = true;
        place.core = system::core();
        place.allowed = kept.and_then(|kept| kept.allowed);
    }

    /// The thread of a number is awake.
    pub fn wakes(&mut self, number: usize) {
        self.threads[number].asleep = false;
    }

    /// Sends threads that sleep, and are about to be woken, to cores that neither the caller nor another
    /// of the threads uses, as far as there are such cores.
    pub fn part(&mut self) {
        let mut used = Set::default();
        let awake = self.threads.iter().filter(|t| !t.asleep);
        awake
            .filter_map(|t| t.core)
            .chain(system::core())
            .for_each(|core| used.add(core));
        let mut taken = Set::default();
        self.threads
            .iter()
            .filter_map(|t| t.core)
            .for_each(|core| taken.add(core));
        for place in self.threads.iter_mut().filter(|t| t.asleep) {
            let (Some(core), Some(allowed)) = (place.core, place.allowed) else {
                continue;
            };
            if !used.has(core) {
                used.add(core);
                continue;
            }
            let free = |core: &usize| allowed.has(*core) && !used.has(*core) && !taken.has(*core);
            let Some(core) = (0..Set::CORES).find(free) else {
                continue;
            };
            if system::allow(place.thread, &Set::of(core)) {
                place.core = Some(core);
                used.add(core);
            }
        }
    }
}

/// A thread that is kept to its core until this is dropped.
pub struct Kept {
    /// Where it may run then.
    allowed: Option<Set>,
}

impl Kept {
    /// Keeps the thread that calls it to the core where it is.
    pub fn here() -> Kept {
        let allowed = system::allowed();
        if let (Some(_), Some(core)) = (allowed, system::core()) {
            system::allow(system::own(), &Set::of(core));
        }
        Kept { allowed }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(allowed) = self.allowed {
            system::allow(system::own(), &allowed);
        }
    }
}

/// Some cores.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Set([u64; Set::CORES / 64]);

impl Set {
    /// The most cores; a system with more of them refuses such sets, and nothing is kept anywhere.
    const CORES: usize = 1024;

    fn of(core: usize) -> Set {
        let mut set = Set::default();
        set.add(core);
        set
    }

    fn add(&mut self, core: usize) {
        if let Some(word) = self.0.get_mut(core / 64) {
            *word |= 1 << (core % 64);
        }
    }

    fn has(&self, core: usize) -> bool {
        self.0
            .get(core / 64)
            .is_some_and(|word| word >> (core % 64) & 1 == 1)
    }
}

#[cfg(target_os = "linux")]
mod system {
    use super::Set;
    use std::os::unix::thread::JoinHandleExt;
    use std::thread::JoinHandle;

    // Of the C library that the standard library uses.
    unsafe extern "C" {
        fn pthread_self() -> usize;
        fn sched_getcpu() -> i32;
        fn pthread_getaffinity_np(thread: usize, size: usize, set: *mut Set) -> i32;
        fn pthread_setaffinity_np(thread: usize, size: usize, set: *const Set) -> i32;
    }

    /// A thread, which must not end.
    pub fn handle(thread: JoinHandle<()>) -> usize {
        thread.into_pthread_t() as usize
    }

    /// The thread that calls it.
    pub fn own() -> usize {
        // SAFETY: it only asks.
        unsafe { pthread_self() }
    }

    /// The core on which the caller runs.
    pub fn core() -> Option<usize> {
        // SAFETY: as above.
        usize::try_from(unsafe { sched_getcpu() }).ok()
    }

    /// Where the caller may run.
    pub fn allowed() -> Option<Set> {
        let mut set = Set::default();
        // SAFETY: the set has the size that is given.
        let error = unsafe { pthread_getaffinity_np(own(), size_of::<Set>(), &mut set) };
        (error == 0).then_some(set)
    }

    /// Says where a thread that has not ended may run, and whether that was done.
    pub fn allow(thread: usize, set: &Set) -> bool {
        // SAFETY: as above.
        unsafe { pthread_setaffinity_np(thread, size_of::<Set>(), set) == 0 }
    }
}

/// Other systems place threads by themselves.
#[cfg(not(target_os = "linux"))]
mod system {
    use super::Set;
    use std::thread::JoinHandle;

    pub fn handle(_: JoinHandle<()>) -> usize {
        0
    }

    pub fn own() -> usize {
        0
    }

    pub fn core() -> Option<usize> {
        None
    }

    pub fn allowed() -> Option<Set> {
        None
    }

    pub fn allow(_: usize, _: &Set) -> bool {
        false
    }
}
