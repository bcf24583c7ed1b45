//! Launches that are recorded, and loops of such → CUDA C++.

use super::printer::Printer;
use crate::emit::plan::{Act, Expr, Stmt};

impl Printer<'_> {
    /// Prints what is recorded under a number; a loop whose condition a kernel asks goes to the device as a whole.
    pub(super) fn recorded(&mut self, number: usize, asking: Option<usize>, body: &[Stmt]) {
        if self.profile {
            self.block(body);
            return;
        }
        let (recording, stream) = (self.recording_name(number), self.stream_name());
        if let Some(asking) = asking
            && let Some((condition, launches, copies)) = recorded_loop(body)
        {
            let condition = self.any(condition);
            let kernel = &self.plan.asking[asking].kernel;
            self.lines.line(format!(
                "{recording}.repeat({stream}, [&] {{ return {condition}; }},"
            ));
            self.lines.open("[&] {");
            if self.together.contains(&asking) {
                self.start_together(asking, launches);
                self.lines.close("}, [&] {");
                self.lines.open_silently();
            }
            self.block(launches);
            self.lines.close("}, [&](Loop loop) {");
            self.lines.open_silently();
            self.ask(kernel);
            self.lines.close("}, [&] {");
            self.lines.open_silently();
            self.block(copies);
            self.lines.close("});");
            return;
        }
        let rounds = self.rounds.clone().unwrap_or_else(|| "0".to_owned());
        self.lines
            .open(format!("{recording}.replay({stream}, {rounds}, [&] {{"));
        self.block(body);
        self.lines.close("});");
    }
}

/// The condition of a recorded loop, what it launches in a round, and what it copies at the end.
pub(super) fn recorded_loop(body: &[Stmt]) -> Option<(&Expr, &[Stmt], &[Stmt])> {
    body.iter().find_map(|stmt| match &stmt.act {
        Act::While { condition, body } => {
            let is_copy = |s: &&Stmt| {
                matches!(
                    s.act,
                    Act::CopyFromDevice(_) | Act::Result(_) | Act::OnHost { .. } | Act::Comment(_)
                )
            };
            let copies = body.iter().rev().take_while(is_copy).count();
            let (launches, copies) = body.split_at(body.len() - copies);
            Some((condition, launches, copies))
        }
        _ => None,
    })
}
