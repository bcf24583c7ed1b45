//! A program that is talked to: a line to its standard input, a line from its standard output.

use super::cleanup;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// A line is no longer than this.
const MOST_BYTES: u64 = 16 << 20;

/// A running program; it ends with this value.
pub struct Conversation {
    child: Child,
    to: ChildStdin,
    from: Receiver<std::io::Result<String>>,
}

impl Conversation {
    /// Starts a program. What it writes to standard error is seen.
    ///
    /// # Errors
    ///
    /// In words: why it could not start.
    pub fn start(command: &mut Command) -> Result<Conversation, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = cleanup::spawn(command).map_err(|e| e.to_string())?;
        let (Some(to), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no standard input and output".to_owned());
        };
        // A line ahead at most, so that a program that never ends one does not fill memory.
        let (sender, from) = sync_channel(1);
        thread::spawn(move || {
            let mut out = BufReader::new(out);
            loop {
                let mut line = String::new();
                let read = out.by_ref().take(MOST_BYTES).read_line(&mut line);
                let is_last = !matches!(read, Ok(count) if count > 0);
                if sender.send(read.map(|_| line)).is_err() || is_last {
                    return;
                }
            }
        });
        Ok(Conversation { child, to, from })
    }

    /// Says a line.
    ///
    /// # Errors
    ///
    /// In words: the program does not listen any more.
    pub fn say(&mut self, line: &str) -> Result<(), String> {
        let said = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        said.map_err(|_| "it has ended".to_owned())
    }

    /// The next line that the program says.
    ///
    /// # Errors
    ///
    /// In words: it has ended, what it says is not text, or it says nothing for so long.
    pub fn hear(&mut self, limit: Duration) -> Result<String, String> {
        match self.from.recv_timeout(limit) {
            Ok(Ok(line)) if line.is_empty() => Err("it has ended".to_owned()),
            Ok(Ok(line)) if line.ends_with('\n') || (line.len() as u64) < MOST_BYTES => Ok(line),
            Ok(Ok(_)) => Err(format!("its line has more than {MOST_BYTES} bytes")),
            Ok(Err(error)) => Err(format!("what it says cannot be read: {error}")),
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("it says nothing for {} seconds", limit.as_secs()))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it has ended".to_owned()),
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        cleanup::end_group(&mut self.child);
        cleanup::ended(&self.child);
    }
}
