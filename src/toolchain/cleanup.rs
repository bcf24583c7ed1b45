//! The end of this process: what must not outlive it, and the signals that bring it about.
//!
//! Children run in process groups of their own and are listed here, as are temporary folders.
//! SIGINT, SIGTERM and SIGHUP end the groups, remove the folders, and end the process with
//! 128 + the signal's number. A second SIGINT, or SIGQUIT, kills the groups and ends the process at
//! once. After that, or a signal that cannot be caught, the next start removes the folders: see
//! [`super::scratch`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What ends with this process.
struct Held {
    /// Process groups.
    children: Vec<Group>,
    /// Folders, each with what removes it.
    folders: Vec<(PathBuf, Remover)>,
    /// Builds that are not there yet, each with its lock.
    awaited: Vec<(PathBuf, File)>,
}

/// A process group.
#[derive(Clone, Copy)]
struct Group {
    /// The number of its first process.
    id: u32,
    /// How long it may take to end when it is asked to.
    patience: Duration,
}

/// How long compilers and programs may take to end.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long a command of this tool may take, which ends what it has started itself.
const PATIENCE_WITH_OWN: Duration = Duration::from_secs(2);

/// What removes a folder, as far as that can be done.
type Remover = fn(&Path);

static HELD: Mutex<Held> = Mutex::new(Held {
    children: Vec::new(),
    folders: Vec::new(),
    awaited: Vec::new(),
});

/// The groups that are just being ended, for whoever does not want to wait for that.
#[cfg(unix)]
static ENDING: Mutex<Vec<Group>> = Mutex::new(Vec::new());

/// Held while something is done that a signal must not cut in two.
static UNDISTURBED: Mutex<()> = Mutex::new(());

fn held() -> MutexGuard<'static, Held> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does work that a signal does not cut in two, such as renaming several files. It must be short,
/// and must not call this again.
pub fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _quiet = UNDISTURBED.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// Starts a command in a process group of its own, which ends with this process.
pub(super) fn spawn(command: &mut Command) -> std::io::Result<Child> {
    spawn_with(command, PATIENCE)
}

/// Starts a command of this tool so.
pub(super) fn spawn_own(command: &mut Command) -> std::io::Result<Child> {
    spawn_with(command, PATIENCE_WITH_OWN)
}

fn spawn_with(command: &mut Command, patience: Duration) -> std::io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    // Under the lock, so that a signal finds the child listed or not started.
    let mut held = held();
    let child = command.spawn()?;
    held.children.push(Group {
        id: child.id(),
        patience,
    });
    Ok(child)
}

/// Strikes a child off the list: it has ended.
pub(super) fn ended(child: &Child) {
    held().children.retain(|group| group.id != child.id());
}

/// Ends a child and what it started.
pub(super) fn end_group(child: &mut Child) {
    #[cfg(unix)]
    signal_group(child.id(), Some(rustix::process::Signal::KILL));
    // That it may have ended just now is the only way for this to fail.
    let _ = child.kill();
    let _ = child.wait();
}

/// Asks a command of this tool to end, and ends it where it does not.
pub(super) fn ask_to_end(child: &mut Child) {
    #[cfg(unix)]
    {
        signal_group(child.id(), Some(rustix::process::Signal::TERM));
        let asked = Instant::now();
        while asked.elapsed() < PATIENCE_WITH_OWN {
            // An error means that there is nothing to wait for.
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    end_group(child);
}

/// Ends the compilers and programs that run for this process, with what they started: whoever waits for
/// one finds that it was ended by a signal.
pub fn end_children() {
    #[cfg(unix)]
    for group in &held().children {
        signal_group(group.id, Some(rustix::process::Signal::KILL));
    }
}

/// Makes a folder that is removed with this process at the latest, by `remove`.
pub(super) fn hold_folder<E>(
    make: impl FnOnce() -> Result<PathBuf, E>,
    remove: Remover,
) -> Result<PathBuf, E> {
    let mut held = held();
    let folder = make()?;
    held.folders.push((folder.clone(), remove));
    Ok(folder)
}

/// Strikes a folder off the list: it is gone, or left to a later start.
pub(super) fn release_folder(folder: &Path) {
    held().folders.retain(|(other, _)| other != folder);
}

/// Has the lock of a build that is not there yet removed, should this process end before it is.
pub(super) fn await_build(folder: &Path, lock: &File) {
    if let Ok(lock) = lock.try_clone() {
        held().awaited.push((folder.to_path_buf(), lock));
    }
}

/// Strikes a build off the list: it is there, or will not be.
pub(super) fn build_settled(folder: &Path) {
    held().awaited.retain(|(other, _)| other != folder);
}

/// Removes what this process would leave behind; for its ordinary end.
pub fn tidy() {
    for (folder, remove) in &std::mem::take(&mut held().folders) {
        remove(folder);
    }
}

/// From now on, signals that end this process end its children, too, and leave no temporary
/// folders. A signal that is ignored stays so: `nohup` means it.
///
/// # Errors
///
/// Where the system refuses to have signals handled.
#[cfg(unix)]
pub fn end_on_signals() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::time::{Duration, Instant};
    // Whoever starts us may pass the same Ctrl-C on to us that the terminal sent us.
    const ECHO: Duration = Duration::from_millis(50);
    let mut wanted = vec![SIGHUP, SIGINT, SIGQUIT, SIGTERM];
    wanted.retain(|&signal| !is_ignored(signal));
    let mut signals = Signals::new(wanted)?;
    let listen = move || {
        let mut first: Option<Instant> = None;
        for signal in signals.forever() {
            match first {
                _ if signal == SIGQUIT => end_at_once(signal),
                None => {
                    first = Some(Instant::now());
                    let ending = std::thread::Builder::new().name("ending".into());
                    if ending.spawn(move || end_by(signal)).is_err() {
                        end_by(signal);
                    }
                }
                Some(at) if signal == SIGINT && at.elapsed() > ECHO => end_at_once(signal),
                // A terminal that is closed, and timeout(1), may send theirs twice.
                Some(_) => {}
            }
        }
    };
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(listen)?;
    Ok(())
}

/// Elsewhere the system ends the process, and the next start removes what it left.
#[cfg(not(unix))]
pub fn end_on_signals() -> std::io::Result<()> {
    Ok(())
}

/// Whether this process was started with a signal ignored, as far as the system says so.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(unix)]
fn end_by(signal: i32) -> ! {
    use rustix::process::Signal;
    // Neither lock is given back: nothing starts any more.
    let _quiet = UNDISTURBED.lock().unwrap_or_else(PoisonError::into_inner);
    let held = held();
    let mut groups = held.children.clone();
    *ENDING.lock().unwrap_or_else(PoisonError::into_inner) = groups.clone();
    groups.iter().for_each(|group| {
        signal_group(group.id, Some(Signal::TERM));
    });
    let asked = Instant::now();
    while !groups.is_empty() {
        std::thread::sleep(Duration::from_millis(5));
        groups.retain(|group| {
            reap(group.id);
            match signal_group(group.id, None) {
                true if asked.elapsed() > group.patience => {
                    signal_group(group.id, Some(Signal::KILL));
                    false
                }
                is_there => is_there,
            }
        });
    }
    for (folder, remove) in &held.folders {
        // A child that is just ending may still write.
        for _ in 0..50 {
            remove(folder);
            if folder.symlink_metadata().is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    for (folder, lock) in &held.awaited {
        super::cache::remove_unused_lock(folder, lock);
    }
    std::process::exit(128 + signal)
}

/// Takes note that a child has ended, if it has: until somebody does, its group is there.
#[cfg(unix)]
fn reap(id: u32) {
    use rustix::process::{Pid, WaitOptions, waitpid};
    let child = i32::try_from(id).ok().and_then(Pid::from_raw);
    let _ = waitpid(child, WaitOptions::NOHANG);
}

/// Kills what runs for this process, waits for nothing and removes nothing.
#[cfg(unix)]
fn end_at_once(signal: i32) -> ! {
    let ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let held = HELD.try_lock();
    let others = held.iter().flat_map(|held| &held.children);
    ending.iter().chain(others).for_each(|group| {
        // A command of this tool kills what it has started when it is to quit.
        signal_group(
            group.id,
            Some(match group.patience {
                PATIENCE_WITH_OWN => rustix::process::Signal::QUIT,
                _ => rustix::process::Signal::KILL,
            }),
        );
    });
    if signal == signal_hook::consts::SIGQUIT {
        // As it would have ended, with a core where those are wanted.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    std::process::exit(128 + signal)
}

/// Sends a signal to a process group, or asks whether there is one; whether there was.
#[cfg(unix)]
fn signal_group(id: u32, signal: Option<rustix::process::Signal>) -> bool {
    use rustix::process::{Pid, kill_process_group, test_kill_process_group};
    let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) else {
        return false;
    };
    match signal {
        Some(signal) => kill_process_group(group, signal).is_ok(),
        None => test_kill_process_group(group).is_ok(),
    }
}
