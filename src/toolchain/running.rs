//! A command that goes on beside this process until it ends, or is ended.

use super::cleanup;
use std::process::{Child, Command, ExitStatus};

/// A command of this tool's own that goes on. Dropping it ends it.
pub struct Running {
    child: Child,
    ended: bool,
}

impl Running {
    /// Starts a command with nothing on its standard input; its outputs are this process's.
    ///
    /// # Errors
    ///
    /// Why it does not start.
    pub fn start(command: &mut Command) -> std::io::Result<Running> {
        command.stdin(std::process::Stdio::null());
        let child = cleanup::spawn_own(command)?;
        Ok(Running {
            child,
            ended: false,
        })
    }

    /// How it ended, if it has.
    ///
    /// # Errors
    ///
    /// Where the system does not say.
    pub fn poll(&mut self) -> std::io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        if status.is_some() {
            self.over();
        }
        Ok(status)
    }

    /// Ends it, with all it had started and what it would have left behind.
    pub fn end(&mut self) {
        if !self.ended {
            cleanup::ask_to_end(&mut self.child);
            self.over();
        }
    }

    fn over(&mut self) {
        if !std::mem::replace(&mut self.ended, true) {
            cleanup::ended(&self.child);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
