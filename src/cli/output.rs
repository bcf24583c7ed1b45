//! Results to standard output, diagnostics to standard error.

use crate::diagnostic::{Diagnostic, render};
use crate::term::{MOST_ERRORS, Sources, visible, visible_json};
use std::io::{IsTerminal, Write};

/// Why a command ends early.
#[derive(Debug)]
pub enum Stop {
    /// Whoever read the output has gone.
    Closed,
    /// With an exit code; all is said.
    Code(u8),
    /// With diagnostics still to be told, and an exit code.
    Told(Vec<Diagnostic>, u8),
}

impl Stop {
    /// Why it stopped, in a line.
    pub fn said(&self) -> String {
        let error = match self {
            Stop::Told(all, _) => all.iter().find(|d| d.is_error()),
            Stop::Closed | Stop::Code(_) => None,
        };
        let message = error.map_or("it stopped", |d| d.message.as_str());
        message.lines().next().unwrap_or_default().to_owned()
    }
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Stop {
        Stop::Told(vec![diagnostic], 2)
    }
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(diagnostics: Vec<Diagnostic>) -> Stop {
        Stop::Told(diagnostics, 2)
    }
}

/// What a command gives.
pub type Done = Result<(), Stop>;

/// Where a command writes, and the texts that its diagnostics refer to.
pub struct Output {
    /// All texts read.
    pub sources: Sources,
    colour: bool,
}

impl Output {
    /// The process's own output.
    pub fn new() -> Output {
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        Output {
            sources: Sources::default(),
            colour,
        }
    }

    /// Writes an object of JSON.
    pub fn json(&mut self, value: &serde_json::Value) -> Done {
        self.write(&visible_json(&value.to_string()))
    }

    /// Writes a result; what could steer a terminal is shown.
    pub fn print(&mut self, text: &str) -> Done {
        self.write(&visible(text))
    }

    fn write(&mut self, text: &str) -> Done {
        let mut out = std::io::stdout().lock();
        let written = out
            .write_all(text.as_bytes())
            .and_then(|()| {
                if text.ends_with('\n') {
                    Ok(())
                } else {
                    out.write_all(b"\n")
                }
            })
            .and_then(|()| out.flush());
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
        let text = render(diagnostic, &self.sources, self.colour);
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
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
            MOST_ERRORS => self.say("… and perhaps more"),
            n if n > MOST_ERRORS => self.say(&format!("… and {} more", n - MOST_ERRORS)),
            _ => {}
        }
    }

    /// Writes a line for people, such as a note on what goes on.
    pub fn say(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", visible(text));
    }
}
