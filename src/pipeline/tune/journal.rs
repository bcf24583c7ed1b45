//! Measurements on disk as they are made, so that a tuning that was interrupted goes on.
//!
//! One object of JSON a line. The first says what the journal is for; each other one is a run of a
//! program at a size. Programs go by their content, so that what was measured of a program that
//! nobody derives any more is left aside. A truncated line is ignored.

use crate::diagnostic::Diagnostic;
use crate::pipeline::Failure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const FORMAT: &str = "glushkov tuning journal";
const VERSION: u32 = 1;

#[derive(PartialEq, Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    /// What is tuned.
    key: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    program: String,
    size: String,
    #[serde(flatten)]
    run: Run,
}

/// A run of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// The first one, which warms up: its seconds, and how its results differ from those of the
    /// first program, where that is beyond what is allowed.
    First {
        /// Seconds of the timed part.
        seconds: f64,
        /// How its results differ.
        differs: Option<String>,
    },
    /// One that is measured: seconds of the timed part.
    Sample(f64),
    /// One that did not end well, and why.
    Fails(String),
}

/// A journal that is open.
pub struct Journal {
    path: PathBuf,
    file: File,
    runs: BTreeMap<(String, String), Vec<Run>>,
    /// How many runs were there when it was opened.
    pub taken: usize,
    /// How many were added.
    pub added: usize,
}

impl Journal {
    /// Opens the journal of a tuning, or begins it; a note says what was there and cannot be used.
    pub fn open(path: &Path, key: &str, fresh: bool) -> Result<(Journal, Option<String>), Failure> {
        let refused = |e: std::io::Error| {
            let message = format!("the journal {} cannot be written: {e}", path.display());
            Diagnostic::error("E0001", message)
        };
        let head = Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            key: key.to_owned(),
        };
        let bytes = match fresh {
            true => Vec::new(),
            false => match crate::data::read_bytes(path) {
                Ok(bytes) => bytes,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
                Err(e) => return Err(refused(e).into()),
            },
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let first = lines.next().map(serde_json::from_str::<Head>);
        let goes_on = matches!(&first, Some(Ok(found)) if *found == head);
        let mut note = match (&first, goes_on) {
            (Some(_), false) => Some(format!(
                "{} is of another tuning or broken: begun anew",
                path.display()
            )),
            _ => None,
        };
        let mut runs: BTreeMap<(String, String), Vec<Run>> = BTreeMap::new();
        let (mut taken, mut broken) = (0, 0);
        for line in lines.filter(|_| goes_on) {
            match serde_json::from_str::<Line>(line) {
                Ok(line) => {
                    let of = runs.entry((line.program, line.size)).or_default();
                    of.push(line.run);
                    taken += 1;
                }
                Err(_) => broken += 1,
            }
        }
        if broken > 0 {
            let many = match broken {
                1 => "a line that is".to_owned(),
                n => format!("{n} lines that are"),
            };
            note = Some(format!("{}: {many} broken left aside", path.display()));
        }
        let mut options = OpenOptions::new();
        options
            .create(true)
            .append(goes_on)
            .write(true)
            .truncate(!goes_on);
        let mut journal = Journal {
            path: path.to_path_buf(),
            file: options.open(path).map_err(refused)?,
            runs,
            taken,
            added: 0,
        };
        if !goes_on {
            journal.write(&head)?;
        } else if !text.ends_with('\n') {
            journal.file.write_all(b"\n").map_err(refused)?;
        }
        Ok((journal, note))
    }

    /// The runs of a program at a size, in order.
    pub fn runs(&self, program: &str, size: &str) -> &[Run] {
        let key = (program.to_owned(), size.to_owned());
        self.runs.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The measured seconds among them.
    pub fn samples(&self, program: &str, size: &str) -> Vec<f64> {
        let runs = self.runs(program, size).iter();
        let seconds = runs.filter_map(|run| match run {
            Run::Sample(seconds) => Some(*seconds),
            _ => None,
        });
        seconds.collect()
    }

    /// Adds a run.
    pub fn add(&mut self, program: &str, size: &str, run: Run) -> Result<(), Failure> {
        let line = Line {
            program: program.to_owned(),
            size: size.to_owned(),
            run: run.clone(),
        };
        self.write(&line)?;
        self.added += 1;
        let key = (line.program, line.size);
        self.runs.entry(key).or_default().push(run);
        Ok(())
    }

    /// Removes the journal: the tuning is done.
    pub fn done(self) {
        // What stays is of no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    /// Writes a line at once, so that an interruption cuts off the last one at most.
    fn write(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_string(line).expect("it is plain data");
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(|e| {
            let message = format!("the journal {} cannot be written: {e}", self.path.display());
            Diagnostic::error("E0001", message).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_goes_on_where_it_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let (mut journal, note) = Journal::open(&path, "k", false).unwrap();
        assert!(note.is_none());
        let first = Run::First {
            seconds: 2.0,
            differs: None,
        };
        journal.add("p", "N = 1", first.clone()).unwrap();
        journal.add("p", "N = 1", Run::Sample(1.0)).unwrap();
        journal.add("p", "N = 2", Run::Fails("no".into())).unwrap();
        drop(journal);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"program\":\"p\",\"size\":\"N = 1\",\"sam");
        std::fs::write(&path, &text).unwrap();
        let (mut journal, note) = Journal::open(&path, "k", false).unwrap();
        assert!(note.is_some_and(|n| n.contains("a line that is broken")));
        assert_eq!((journal.taken, journal.added), (3, 0));
        assert_eq!(journal.runs("p", "N = 1"), [first, Run::Sample(1.0)]);
        assert_eq!(journal.samples("p", "N = 1"), [1.0]);
        journal.add("p", "N = 1", Run::Sample(3.0)).unwrap();
        drop(journal);
        let (journal, _) = Journal::open(&path, "k", false).unwrap();
        assert_eq!(journal.samples("p", "N = 1"), [1.0, 3.0]);
        drop(journal);
        let (journal, note) = Journal::open(&path, "other", false).unwrap();
        assert!(note.is_some_and(|n| n.contains("begun anew")));
        assert_eq!(journal.taken, 0);
        drop(journal);
        std::fs::write(&path, [0xff, 0xfe, b'\n', b'{']).unwrap();
        let (journal, note) = Journal::open(&path, "k", false).unwrap();
        assert!(note.is_some() && journal.taken == 0);
        journal.done();
        assert!(!path.exists());
    }
}
