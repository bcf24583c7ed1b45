//! What the device's time of a run went into, as its program told it → a table.

use super::{Failure, Outcome, Target};
use crate::diagnostic::Diagnostic;
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde_json::Value as Json;

/// A kernel or a copy.
struct Stage<'a> {
    name: &'a str,
    times: u64,
    seconds: f64,
    timed: bool,
}

impl<'a> Stage<'a> {
    fn read(json: &'a Json) -> Option<Stage<'a>> {
        Some(Stage {
            name: json["name"].as_str()?,
            times: json["times"].as_u64()?,
            seconds: json["seconds"].as_f64()?,
            timed: json["timed"].as_bool()?,
        })
    }
}

/// Refuses to ask programs for their stages of which none tells them.
///
/// # Errors
///
/// E0006: `profile` is set, and no target is cuda.
pub(super) fn expect_profile(profile: bool, targets: &[Target]) -> Result<(), Failure> {
    match profile && !targets.contains(&Target::Cuda) {
        true => Err(Diagnostic::error(
            "E0006",
            "--profile asks for the stages of a CUDA program, and this is none",
        )
        .hint("add --target cuda")
        .into()),
        false => Ok(()),
    }
}

impl Outcome {
    /// The stages as the program told them; null if it told none.
    pub(super) fn told_stages(&self) -> Json {
        self.json.get("stages").cloned().unwrap_or(Json::Null)
    }

    /// The table of what the timed part went into, in Markdown, the longest stage first, then what came before and
    /// after it; none if the program told no stages.
    pub fn stages(&self) -> Option<String> {
        let told = self.json.get("stages")?.as_array()?;
        let mut stages: Vec<Stage<'_>> = told.iter().filter_map(Stage::read).collect();
        stages.sort_by(|a, b| b.timed.cmp(&a.timed).then(b.seconds.total_cmp(&a.seconds)));
        let body = self.body()?;
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["stage", "times", "seconds", "each", "of the timed part"]);
        let mut row = |name: &str, times: Option<u64>, seconds: f64, timed: bool| {
            let share = (timed && body > 0.0).then(|| format!("{:.1} %", 100.0 * seconds / body));
            let each = times.filter(|&t| t > 0).map(|t| seconds / t as f64);
            let cells = [
                times.map(|t| t.to_string()),
                Some(format!("{seconds:.3e}")),
                each.map(|each| format!("{each:.3e}")),
                share,
            ];
            let right = |text: Option<String>| {
                Cell::new(text.unwrap_or("-".to_owned())).set_alignment(CellAlignment::Right)
            };
            let cells = cells.map(right);
            table.add_row(std::iter::once(Cell::new(name)).chain(cells));
        };
        for stage in stages.iter().filter(|s| s.timed) {
            row(stage.name, Some(stage.times), stage.seconds, true);
        }
        let on_device: f64 = stages.iter().filter(|s| s.timed).map(|s| s.seconds).sum();
        row(
            "the host, and between stages",
            None,
            (body - on_device).max(0.0),
            true,
        );
        for stage in stages.iter().filter(|s| !s.timed) {
            let name = format!("{} (not timed)", stage.name);
            row(&name, Some(stage.times), stage.seconds, false);
        }
        Some(
            table
                .lines()
                .map(|l| format!("{}\n", l.trim_end()))
                .collect(),
        )
    }
}
