//! Results to standard output; diagnostics, notes and progress to standard error.

use super::colour::Colour;
use super::progress::{Ends, Progress};
use crate::diagnostic::{Diagnostic, as_json, render};
use crate::pipeline::{Event, Failure, Notes, Session};
use crate::term::{MOST_ERRORS, Sources, visible, visible_json};
use serde_json::json;
use std::io::Write;

/// Why a command ends early.
#[derive(Debug)]
pub enum Stop {
    /// Whoever read the output has gone.
    Closed,
    /// With an exit code; all is said.
    Code(u8),
    /// With diagnostics still to be told.
    Failed(Failure),
}

impl<F: Into<Failure>> From<F> for Stop {
    fn from(failure: F) -> Stop {
        Stop::Failed(failure.into())
    }
}

/// What a command gives.
pub type Done = Result<(), Stop>;

/// How much is told besides results and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Talk {
    /// Nothing.
    Quiet,
    /// Progress, notes, and of what rules were stopped by a line for each loop.
    #[default]
    Usual,
    /// All of it.
    Verbose,
}

/// Where a command writes, and the session whose texts its diagnostics refer to.
pub struct Output {
    /// What was read; its observer writes to standard error.
    pub session: Session,
    colour: bool,
    talk: Talk,
    written: bool,
    progress: Progress,
    _ends: Ends,
}

impl Output {
    /// The process's own output.
    pub fn new(talk: Talk, colour: Colour) -> Output {
        let colour = colour.on(&std::io::stderr());
        let progress = match talk {
            Talk::Quiet => Progress::hidden(),
            _ => Progress::new(),
        };
        let line = progress.clone();
        let observer = move |event: Event<'_>, sources: &Sources| match event {
            _ if talk == Talk::Quiet => {}
            Event::Left(notes) => line.aside(|| tell_notes(notes, sources, colour, talk)),
            Event::Said(text) => line.aside(|| say(text)),
            Event::Begins(what) => line.begins(what),
            Event::GoesOn(text) => line.goes_on(text),
            Event::Part { done, of } => line.part(done, of),
            Event::Ends => line.ends(),
        };
        Output {
            session: Session::observed(Box::new(observer)),
            colour,
            talk,
            written: false,
            _ends: Ends(progress.clone()),
            progress,
        }
    }

    /// How much is told.
    pub fn talk(&self) -> Talk {
        self.talk
    }

    /// Whether diagnostics have colours.
    pub fn has_colour(&self) -> bool {
        self.colour
    }

    /// Says, should that take long, that a command runs.
    pub fn working(&self, what: &str) {
        self.progress.whole(what);
    }

    /// Whether a result was written, or a part of one.
    pub fn has_written(&self) -> bool {
        self.written
    }

    /// Writes why there is no result as an object of JSON.
    pub fn failure(&mut self, failure: &Failure) -> Done {
        let sources = &self.session.sources;
        let all = failure.diagnostics.iter();
        let all: Vec<_> = all.map(|d| as_json(d, sources)).collect();
        let object = json!({"diagnostics": all, "exit_code": failure.exit_code()});
        self.json(&object)
    }

    /// Writes an object of JSON.
    pub fn json(&mut self, value: &serde_json::Value) -> Done {
        self.write(&visible_json(&value.to_string()))
    }

    /// Writes a result; what could steer a terminal is shown.
    pub fn print(&mut self, text: &str) -> Done {
        self.write(&visible(text))
    }

    /// Writes a text that another program reads as it is.
    pub fn verbatim(&mut self, text: &str) -> Done {
        match text.is_empty() {
            true => Ok(()),
            false => self.write(text),
        }
    }

    fn write(&mut self, text: &str) -> Done {
        self.written = true;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let written = self.progress.aside(|| {
            let mut out = std::io::stdout().lock();
            let written = out.write_all(text.as_bytes());
            let written = written.and_then(|()| out.write_all(end.as_bytes()));
            written.and_then(|()| out.flush())
        });
        match written {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Err(Stop::Closed),
            Err(e) => {
                Err(Diagnostic::error("E0001", format!("the result cannot be written: {e}")).into())
            }
        }
    }

    /// Writes a diagnostic.
    pub fn tell(&self, diagnostic: &Diagnostic) {
        if diagnostic.is_error() || self.talk != Talk::Quiet {
            let sources = &self.session.sources;
            self.progress
                .aside(|| tell(diagnostic, sources, self.colour));
        }
    }

    /// Writes what the rules left undone.
    pub fn tell_notes(&self, notes: &Notes) {
        if self.talk != Talk::Quiet {
            let sources = &self.session.sources;
            let told = || tell_notes(notes, sources, self.colour, self.talk);
            self.progress.aside(told);
        }
    }

    /// Writes diagnostics; of many errors only the first.
    pub fn tell_all(&self, diagnostics: &[Diagnostic]) {
        let mut errors = 0;
        for diagnostic in diagnostics {
            errors += usize::from(diagnostic.is_error());
            if !diagnostic.is_error() || errors <= MOST_ERRORS {
                self.tell(diagnostic);
            }
        }
        match errors {
            // Reading and checking stop at so many.
            MOST_ERRORS => self.progress.aside(|| say("… and perhaps more")),
            n if n > MOST_ERRORS => {
                let more = format!("… and {} more", n - MOST_ERRORS);
                self.progress.aside(|| say(&more));
            }
            _ => {}
        }
    }

    /// Writes a line for people, such as a note on what goes on.
    pub fn say(&self, text: &str) {
        if self.talk != Talk::Quiet {
            self.progress.aside(|| say(text));
        }
    }
}

/// All notes, or a line for each loop and how many notes there are on rules.
fn tell_notes(notes: &Notes, sources: &Sources, colour: bool, talk: Talk) {
    let rules = match talk {
        Talk::Verbose => &notes.rules,
        _ => &notes.loops,
    };
    for note in rules.iter().chain(&notes.idle) {
        tell(note, sources, colour);
    }
    match notes.rules.len() {
        0 => {}
        _ if talk == Talk::Verbose => {}
        1 => say("1 note on a rule that was stopped: --verbose"),
        n => say(&format!("{n} notes on rules that were stopped: --verbose")),
    }
}

fn tell(diagnostic: &Diagnostic, sources: &Sources, colour: bool) {
    let text = render(diagnostic, sources, colour);
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(line));
}
