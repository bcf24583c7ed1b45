//! Copies from the device: those that stand side by side are waited for together.

use super::printer::Printer;
use crate::emit::plan::{Act, Stmt};

impl Printer<'_> {
    /// The copy at a place in a block. As a stage of the device's time, each is waited for by itself.
    pub(super) fn copies_back(&mut self, body: &[Stmt], at: usize) {
        let more = others(&body[at + 1..]).next().is_some_and(is_copy);
        let before = others(&body[..at]).next_back().is_some_and(is_copy);
        let started = (more || before) && !self.profile;
        self.copy_back(&body[at].act, started);
        if started && !more {
            self.lines.line("finish_copies();");
        }
    }

    /// A copy, which may be started only.
    pub(super) fn copy_back(&mut self, act: &Act, started: bool) {
        let (var, function) = match (act, started) {
            (Act::CopyFromDevice(var), false) => (*var, "copy_to"),
            (Act::CopyFromDevice(var), true) => (*var, "start_copy_to"),
            (Act::Result(var), false) => (*var, "give"),
            (Act::Result(var), true) => (*var, "start_giving"),
            _ => return,
        };
        let (device, name) = (self.device_name(var), self.name(var));
        let key = self.plan.var(var).key.clone();
        let line = format!("{device}.{function}({name});");
        self.staged(&format!("copy {key} from the device"), line);
    }
}

fn is_copy(stmt: &Stmt) -> bool {
    matches!(stmt.act, Act::CopyFromDevice(_) | Act::Result(_))
}

/// The statements that are no comments.
fn others(body: &[Stmt]) -> impl DoubleEndedIterator<Item = &Stmt> {
    body.iter().filter(|s| !matches!(s.act, Act::Comment(_)))
}
