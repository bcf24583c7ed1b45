//! Runs that are interrupted leave nothing, and what a run leaves appears all at once.

#![cfg(unix)]

use glushkov::toolchain::testing::building;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A scheme that runs until it is ended.
pub const ENDLESS: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  k : INTEGER [N] OUTPUT\n\
    END OF DATA\n  k[0] := 0;\n  k[1] := 0;\n  WHILE k[0] < 1 LOOP k[1] := 1 - k[1] END OF LOOP\n\
    END OF SCHEME \"s\"\n";

/// Two large arrays whose cells all have one value.
const LARGE: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 3000000\n  G : INTEGER := 1\n\
    \x20 a : INTEGER [N] OUTPUT\n  b : INTEGER [N] OUTPUT\nEND OF DATA\n\
    \x20 FOR (i FROM 0 TO N - 1) LOOP a[i] := G; b[i] := G END OF LOOP\n\
    END OF SCHEME \"s\"\n";

struct Place {
    folder: TempDir,
}

impl Place {
    fn new(scheme: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["cache", "tmp", "out"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("s.saa"), scheme).expect("a file");
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Command {
        let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
        command.args(["run", "s.saa", "--no-compare", "--out", "out"]);
        command.args(arguments).current_dir(self.folder.path());
        command.env("XDG_CACHE_HOME", self.path("cache"));
        command.env("TMPDIR", self.path("tmp"));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The names in a folder.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = self.path(folder).read_dir().into_iter().flatten().flatten();
        let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    /// Unfinished builds.
    fn unfinished(&self) -> usize {
        let names = self.names("cache/glushkov/builds");
        names.iter().filter(|n| n.starts_with('.')).count()
    }
}

pub fn until(what: &str, is: impl Fn() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes, apart from the tool, whose command line speaks of a folder.
pub fn processes(folder: &Path) -> Vec<String> {
    let text = folder.to_string_lossy().into_owned();
    let entries = Path::new("/proc")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten();
    let lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(&text)).collect()
}

/// Whether this process ignores a signal, as those do that a shell puts into the background.
pub fn is_ignored(signal: &str) -> bool {
    let number = match signal {
        "-HUP" => 1,
        "-INT" => 2,
        "-QUIT" => 3,
        _ => 15,
    };
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill is there").success());
}

#[test]
fn a_run_that_is_interrupted_leaves_nothing() {
    let place = Place::new(ENDLESS);
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if is_ignored(signal) {
            println!("skipped: {signal} is ignored here, so it is by what is started");
            continue;
        }
        for target in ["rust", "interpreter"] {
            let mut child = place.run(&["--target", target]).spawn().expect("it starts");
            match target {
                "rust" => until("its program runs", || {
                    processes(place.folder.path())
                        .iter()
                        .any(|line| line.contains("--in"))
                }),
                _ => {
                    until("it has a folder", || !place.names("tmp").is_empty());
                    std::thread::sleep(Duration::from_millis(200));
                }
            }
            send(&child, signal);
            let status = child.wait().expect("it ends");
            assert_eq!(status.code(), Some(code), "{signal} {target}");
            until("its program ends", || {
                processes(place.folder.path()).is_empty()
            });
            for folder in ["tmp", "out"] {
                assert_eq!(place.names(folder), [""; 0], "{signal} {target} {folder}");
            }
        }
    }
}

#[test]
fn a_build_that_is_interrupted_leaves_nothing() {
    let place = Place::new(LARGE);
    let mut child = place.run(&["--target", "rust"]).spawn().expect("it starts");
    until("it builds", || {
        processes(place.folder.path())
            .iter()
            .any(|line| line.contains("rustc"))
    });
    send(&child, "-TERM");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    assert_eq!(place.unfinished(), 0);
    until("the compiler ends", || {
        processes(place.folder.path()).is_empty()
    });
    assert_eq!(place.names("tmp"), [""; 0]);
    assert_eq!(place.names("out"), [""; 0]);
}

#[test]
fn what_a_killed_run_left_is_swept_by_the_next() {
    let place = Place::new(LARGE);
    let mut child = place.run(&["--target", "rust"]).spawn().expect("it starts");
    until("it builds", || {
        processes(place.folder.path())
            .iter()
            .any(|line| line.contains("rustc"))
    });
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(place.unfinished() > 0 && !place.names("tmp").is_empty());
    until("the compiler ends", || {
        processes(place.folder.path()).is_empty()
    });
    let status = place
        .run(&["--target", "rust"])
        .status()
        .expect("it starts");
    assert!(status.success());
    assert_eq!((place.unfinished(), place.names("tmp").len()), (0, 0));
    let mut names = place.names("out");
    names.sort();
    assert_eq!(names, ["a.npy", "b.npy", "reports.csv"]);
}

#[test]
fn outputs_appear_together() {
    let place = Place::new(LARGE);
    let generation = |g: usize| {
        let set = format!("G={g}");
        place.run(&["--target", "rust", "--set", &set])
    };
    assert!(generation(1).status().expect("it starts").success());
    let value = |name: &str| {
        let bytes = std::fs::read(place.path("out").join(name)).expect("it is there");
        bytes[bytes.len() - 4..].to_vec()
    };
    // Killed at any moment, and each way of being killed.
    for g in 2..40 {
        let mut child = generation(g).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(3 * g as u64));
        send(&child, if g % 2 == 0 { "-KILL" } else { "-TERM" });
        child.wait().expect("it ends");
        assert_eq!(value("a.npy"), value("b.npy"), "generation {g}");
    }
    until("all ends", || processes(place.folder.path()).is_empty());
    assert!(generation(99).status().expect("it starts").success());
    // A program that outlived its killed run may have ended only now: the next run sweeps.
    if place.names("out").len() > 3 {
        assert!(generation(99).status().expect("it starts").success());
    }
    assert_eq!(value("a.npy"), 99i32.to_le_bytes());
    // A folder that was left before its lock was held is not known to be left until it is old.
    let settled = |folder: &str| {
        let mut names = place.names(folder);
        names.retain(|n| !n.starts_with(".glushkov-new-"));
        names.sort();
        names
    };
    assert_eq!(settled("out"), ["a.npy", "b.npy", "reports.csv"]);
    assert_eq!(settled("tmp"), [""; 0]);
}

#[test]
fn temporary_folders_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(ENDLESS);
    let mut child = place
        .run(&["--target", "interpreter"])
        .spawn()
        .expect("it starts");
    until("it has a folder", || !place.names("tmp").is_empty());
    for entry in place.path("tmp").read_dir().expect("a folder").flatten() {
        let mode = entry.metadata().expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    send(&child, "-TERM");
    child.wait().expect("it ends");
}
