//! Each stage × each signal: children end, nothing is left, the exit code tells the signal.
//!
//! `cargo test --test cli -- signals --nocapture` prints what was seen; with `CAMPAIGN` every stage gets every
//! signal, elsewhere one of them in turn.

#![cfg(unix)]

mod stages;

use super::ending::{is_ignored, processes, until};
use glushkov::toolchain::testing::{building, in_campaign, nvcc_or_skip};
pub use stages::wide;
use stages::{ASKED, Begun, RULE, STAGES, Stage};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How a command is ended.
#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Signal(&'static str, i32),
    /// The terminal that it runs in is closed.
    Closed,
}

const ENDINGS: [Ending; 4] = [
    Ending::Signal("-INT", 130),
    Ending::Signal("-TERM", 143),
    Ending::Signal("-HUP", 129),
    Ending::Closed,
];

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Ending::Signal("-INT", _) => "SIGINT",
            Ending::Signal("-TERM", _) => "SIGTERM",
            Ending::Signal(..) => "SIGHUP",
            Ending::Closed => "terminal closed",
        }
    }

    fn code(self) -> i32 {
        match self {
            Ending::Signal(_, code) => code,
            Ending::Closed => 129,
        }
    }
}

/// A program that never answers. The folder in its command line is how it is found.
fn program(first: &str, place: &Place) -> String {
    let line = format!("{first}while :; do sleep 1; done");
    format!(
        "#!/bin/sh\nsh -c \"{line}\" oracle {}\n",
        place.path("").display()
    )
}

/// Folders of a user.
struct Place(TempDir);

impl Place {
    fn new(stage: &Stage) -> Place {
        let place = Place(tempfile::tempdir().expect("a folder"));
        for name in ["cache", "config", "tmp", "out"] {
            std::fs::create_dir(place.path(name)).expect("a folder");
        }
        let oracle = program("", &place);
        let files = [
            ("s.saa", (stage.scheme)()),
            ("own.rules", RULE.to_owned()),
            ("asked.rules", ASKED.to_owned()),
            ("oracle", oracle),
        ];
        for (name, text) in files {
            std::fs::write(place.path(name), text).expect("a file");
        }
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(place.path("oracle"), mode).expect("a mode");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn within(&self, command: &mut Command) -> Child {
        command
            .current_dir(self.0.path())
            .env_remove("GLUSHKOV_CONFIG");
        for (variable, folder) in [
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("TMPDIR", "tmp"),
        ] {
            command.env(variable, self.path(folder));
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    }

    fn start(&self, stage: &Stage, ending: Ending) -> Running {
        let tool = env!("CARGO_BIN_EXE_glushkov");
        let child = match ending {
            Ending::Signal(..) => {
                let mut command = building(tool);
                command.args(stage.arguments.split(' '));
                self.within(command.stdin(Stdio::null()))
            }
            Ending::Closed => {
                // As shells do, this one passes on to its job that the terminal is gone; it lives on to write
                // down how the job ended.
                let arguments = stage.arguments.replace("f(1)", "'f(1)'");
                let line = format!(
                    "trap 'kill -HUP $!' HUP; {tool} {arguments} & echo $! >pid; \
                     while :; do wait $!; c=$?; kill -0 $! 2>/dev/null || break; done; echo $c >code"
                );
                let mut command = building("script");
                command.args(["-qefc", &line, "/dev/null"]);
                self.within(command.stdin(Stdio::piped()))
            }
        };
        Running { child, ending }
    }

    /// What is in a folder that a run is not to leave, each with its path.
    fn left(&self) -> Vec<String> {
        let mut left = Vec::new();
        for folder in ["tmp", "out", "config"] {
            left.extend(below(&self.path(folder)));
        }
        let cache = below(&self.path("cache")).into_iter();
        // Journals of tunings are kept on purpose, and so are builds that are whole.
        left.extend(cache.filter(|path| !path.contains("/tuning/") && !self.is_of_a_build(path)));
        let prefix = self.0.path().display().to_string() + "/";
        left.iter().map(|p| p.replace(&prefix, "")).collect()
    }

    /// Whether a file of the cache belongs to a finished build.
    fn is_of_a_build(&self, path: &str) -> bool {
        let builds = self.path("cache/glushkov/builds");
        let rest = Path::new(path).strip_prefix(&builds);
        let first = rest.ok().and_then(|rest| rest.components().next());
        let key = first.map(|first| builds.join(first).with_extension(""));
        key.is_some_and(|key| key.join("digest").is_file())
    }

    /// Locks in the cache that somebody still holds.
    fn held(&self) -> usize {
        let locks = below(&self.path("cache")).into_iter();
        let locks = locks.filter(|path| path.ends_with("lock"));
        locks
            .filter(|path| File::open(path).is_ok_and(|file| file.try_lock().is_err()))
            .count()
    }
}

/// The files below a folder.
fn below(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        match entry.path().is_dir() {
            true => {
                let within = below(&entry.path());
                let own = entry.file_name().to_string_lossy().starts_with(".glushkov");
                if own && within.is_empty() {
                    all.push(entry.path().display().to_string());
                }
                all.extend(within);
            }
            false => all.push(entry.path().display().to_string()),
        }
    }
    all
}

struct Running {
    child: Child,
    ending: Ending,
}

impl Running {
    /// The tool's number.
    fn tool(&self, place: &Place) -> Option<u32> {
        match self.ending {
            Ending::Signal(..) => Some(self.child.id()),
            Ending::Closed => {
                let text = std::fs::read_to_string(place.path("pid")).ok()?;
                text.trim().parse().ok()
            }
        }
    }

    fn has_begun(&self, place: &Place, begun: &Begun) -> bool {
        let handles = || {
            let id = self.tool(place)?;
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
            let mask = status.lines().find_map(|l| l.strip_prefix("SigCgt:"))?;
            let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
            // SIGTERM.
            Some(mask >> 14 & 1 == 1)
        };
        match begun {
            Begun::After(_) => handles() == Some(true),
            Begun::Child(word) => processes(place.0.path())
                .iter()
                .any(|line| line.contains(word)),
        }
    }

    /// Ends it; the code of its exit, and the time from the signal to its end.
    fn end(mut self, place: &Place) -> (Option<i32>, Duration) {
        let start = Instant::now();
        match self.ending {
            Ending::Signal(signal, _) => {
                send(self.child.id(), signal);
                let status: ExitStatus = self.child.wait().expect("it ends");
                (status.code(), start.elapsed())
            }
            Ending::Closed => {
                self.child.kill().expect("it runs");
                self.child.wait().expect("it ends");
                let code = || {
                    let text = std::fs::read_to_string(place.path("code")).ok()?;
                    text.trim().parse().ok()
                };
                until("the tool's end is written down", || code().is_some());
                (code(), start.elapsed())
            }
        }
    }
}

fn send(process: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

/// Whether a program is there.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    found.is_ok_and(|output| output.status.success())
}

#[test]
fn every_stage_ends_by_every_signal_and_leaves_nothing() {
    let (nvcc, script) = (nvcc_or_skip().is_some(), is_there("script"));
    let mut wrong = Vec::new();
    println!(
        "| stage | signal | exit code | ms to the end | processes left | files left | locks held |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (number, stage) in STAGES.iter().enumerate() {
        for (turn, ending) in ENDINGS.into_iter().enumerate() {
            let mine = in_campaign() || number % ENDINGS.len() == turn;
            let possible = match ending {
                Ending::Signal(signal, _) => !is_ignored(signal),
                Ending::Closed => script && !is_ignored("-HUP"),
            };
            if !mine || !possible || stage.name == "build with nvcc" && !nvcc {
                continue;
            }
            let place = Place::new(stage);
            let running = place.start(stage, ending);
            until(stage.name, || running.has_begun(&place, &stage.begun));
            if let Begun::After(time) = stage.begun {
                std::thread::sleep(Duration::from_millis(time));
            }
            let (code, time) = running.end(&place);
            // A process that was killed may take a moment to be gone.
            std::thread::sleep(Duration::from_millis(50));
            let children = processes(place.0.path());
            let (left, held) = (place.left(), place.held());
            println!(
                "| {} | {} | {code:?} | {} | {} | {left:?} | {held} |",
                stage.name,
                ending.name(),
                time.as_millis(),
                children.len()
            );
            let quick = time < Duration::from_secs(5);
            let clean = children.is_empty() && left.is_empty() && held == 0;
            if code != Some(ending.code()) || !clean || !quick {
                wrong.push(format!(
                    "{} {}: {code:?} {time:?} {children:?} {left:?}",
                    stage.name,
                    ending.name()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program that a system asks and that ends by nothing but SIGKILL.
fn stubborn() -> Place {
    let place = Place::new(&STAGES[STAGES.len() - 1]);
    let text = program("trap '' TERM; ", &place);
    std::fs::write(place.path("oracle"), text).expect("a file");
    place
}

#[test]
fn a_second_interrupt_ends_at_once() {
    if is_ignored("-INT") {
        println!("skipped: SIGINT is ignored here, so it is by what is started");
        return;
    }
    let stage = &STAGES[STAGES.len() - 1];
    // One alone waits 300 ms for children before they are killed; on a busy machine the second may be late.
    let quick = (0..5).any(|_| {
        let place = stubborn();
        let running = place.start(stage, ENDINGS[0]);
        until(stage.name, || running.has_begun(&place, &stage.begun));
        std::thread::sleep(Duration::from_millis(100));
        let start = Instant::now();
        send(running.child.id(), "-INT");
        std::thread::sleep(Duration::from_millis(100));
        let (code, _) = running.end(&place);
        let time = start.elapsed();
        assert_eq!(code, Some(130));
        until("its program ends", || processes(place.0.path()).is_empty());
        println!("a second SIGINT: {} ms", time.as_millis());
        time < Duration::from_millis(280)
    });
    assert!(quick);
}

#[test]
fn a_request_to_quit_ends_children_too() {
    use std::os::unix::process::ExitStatusExt;
    if is_ignored("-QUIT") {
        println!("skipped: SIGQUIT is ignored here, so it is by what is started");
        return;
    }
    let stage = &STAGES[STAGES.len() - 1];
    let place = stubborn();
    let mut running = place.start(stage, ENDINGS[0]);
    until(stage.name, || running.has_begun(&place, &stage.begun));
    send(running.child.id(), "-QUIT");
    let status = running.child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(3));
    until("its program ends", || processes(place.0.path()).is_empty());
}
