//! A scheme that is watched: each save is answered, and nothing goes on once watching ends.

#![cfg(unix)]

use glushkov::toolchain::testing::building;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GOOD: &str = "SCHEME \"s\" ====\nDATA\n  n : INTEGER OUTPUT\nEND OF DATA\n  n := 7\n\
    END OF SCHEME \"s\"\n";
const BAD: &str = "SCHEME \"s\" ====\nDATA\n  n : INTEGER OUTPUT\nEND OF DATA\n  m := 7\n\
    END OF SCHEME \"s\"\n";
const ENDLESS: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  n : INTEGER [N] OUTPUT\n\
    END OF DATA\n  n[0] := 0;\n  n[1] := 0;\n  WHILE n[0] < 1 LOOP n[1] := 1 - n[1] END OF LOOP\n\
    END OF SCHEME \"s\"\n";
const USING: &str = "SCHEME \"s\" ====\nDATA\n  USE \"part.saa\"\n  n : INTEGER OUTPUT\nEND OF DATA\n\
    \x20 n := k\nEND OF SCHEME \"s\"\n";

/// A file that is watched, with the lines that are said of it.
struct Watched {
    folder: TempDir,
    child: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Watched {
    fn new(texts: &[(&str, &str)], options: &[&str]) -> Watched {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in texts {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
        command.args(["watch", "s.saa"]).args(options);
        command.current_dir(folder.path());
        // Without the variable, that option alone keeps the commands from files.
        if options.contains(&"--no-config") {
            command.env_remove("GLUSHKOV_CONFIG");
        }
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the tool");
        let error = child.stderr.take().expect("a pipe");
        let (say, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(error).lines().map_while(Result::ok) {
                if say.send(line).is_err() {
                    return;
                }
            }
        });
        Watched {
            folder,
            child,
            lines,
            heard: Vec::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn save(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    /// Waits for a line with a text; what was said before it.
    fn hear(&mut self, text: &str) -> Vec<String> {
        let start = Instant::now();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let Ok(line) = line else {
                panic!(
                    "`{text}` was not said within {:?}: {:?}",
                    start.elapsed(),
                    self.heard
                );
            };
            let found = line.contains(text);
            self.heard.push(line);
            if found {
                return std::mem::take(&mut self.heard);
            }
        }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([name, &id]).status();
        assert!(status.expect("kill").success());
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processes that work on a folder's file, from their working folders.
fn within(folder: &std::path::Path) -> usize {
    let all = std::path::Path::new("/proc")
        .read_dir()
        .into_iter()
        .flatten();
    let folders = all
        .flatten()
        .filter_map(|e| e.path().join("cwd").read_link().ok());
    folders.filter(|other| other == folder).count()
}

#[test]
fn each_save_is_checked() {
    let mut watched = Watched::new(&[("s.saa", GOOD)], &[]);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("no error")), "{said:?}");
    watched.save("s.saa", BAD);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("E0201")), "{said:?}");
    // Editors save by renaming, too.
    watched.save("new", GOOD);
    std::fs::rename(watched.path("new"), watched.path("s.saa")).expect("renamed");
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("no error")), "{said:?}");
    // The same text again is no change.
    watched.save("s.saa", GOOD);
    std::thread::sleep(Duration::from_millis(500));
    assert!(watched.lines.try_recv().is_err());
}

#[test]
fn files_that_are_used_are_watched() {
    let part =
        "SCHEME \"p\" ====\nDATA\n  k : INTEGER := 1\nEND OF DATA\n  EMPTY\nEND OF SCHEME \"p\"\n";
    let mut watched = Watched::new(&[("s.saa", USING), ("part.saa", part)], &[]);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("no error")), "{said:?}");
    watched.save("part.saa", &part.replace("k :", "j :"));
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("E0201")), "{said:?}");
}

#[test]
fn a_file_that_is_used_may_come_later() {
    let part =
        "SCHEME \"p\" ====\nDATA\n  k : INTEGER := 1\nEND OF DATA\n  EMPTY\nEND OF SCHEME \"p\"\n";
    let mut watched = Watched::new(&[("s.saa", USING)], &[]);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("E0005")), "{said:?}");
    watched.save("part.saa", part);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("no error")), "{said:?}");
}

#[test]
fn what_is_checked_before_a_run_is_what_is_run() {
    let both = format!("{}{}", BAD, GOOD.replace("\"s\"", "\"t\""));
    let options = ["--run", "--", "--target=interpreter", "--scheme", "t"];
    let mut watched = Watched::new(&[("s.saa", &both)], &options);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("glushkov run")), "{said:?}");
}

#[test]
fn commands_read_no_settings_where_watching_does_not() {
    // Settings would be refused.
    let wrong = ("glushkov.toml", "nonsense = 1\n");
    let mut watched = Watched::new(&[("s.saa", GOOD), wrong], &["--no-config"]);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("no error")), "{said:?}");
}

#[test]
fn a_run_is_ended_by_a_save_and_by_a_signal() {
    let options = ["--run", "--", "--target", "interpreter"];
    let mut watched = Watched::new(&[("s.saa", ENDLESS)], &options);
    let folder = watched.folder.path().canonicalize().expect("a folder");
    watched.hear("glushkov check");
    // The check goes on for ever; a save ends it.
    watched.save("s.saa", GOOD);
    let said = watched.hear("waiting for a change");
    assert!(said.iter().any(|l| l.contains("glushkov run")), "{said:?}");
    watched.save("s.saa", ENDLESS);
    watched.hear("glushkov check");
    // It is said before it is started.
    let start = Instant::now();
    while within(&folder) != 2 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it is not started"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    watched.signal("-TERM");
    let status = watched.child.wait().expect("an end");
    assert_eq!(status.code(), Some(128 + 15));
    assert_eq!(within(&folder), 0);
}

#[test]
fn what_is_no_file_is_not_watched() {
    let ran = super::glushkov(&["watch", "hermite"], "");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("glushkov show hermite > hermite.saa"),
        "{}",
        ran.err
    );
    assert_eq!(super::glushkov(&["watch", "nothing.saa"], "").code, Some(2));
}
