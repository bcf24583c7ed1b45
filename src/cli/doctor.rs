//! `glushkov doctor`.

use super::output::{Done, Output};
use crate::toolchain::doctor;

/// Arguments of `doctor`.
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let findings = doctor();
    if args.json {
        let all: Vec<_> = findings
            .iter()
            .map(|f| serde_json::json!({"name": f.name, "found": f.found, "what": f.what, "why": f.why}))
            .collect();
        return output.json(&serde_json::Value::from(all));
    }
    let width = findings
        .iter()
        .map(|f| f.name.chars().count())
        .max()
        .unwrap_or(0);
    let lines: Vec<String> = findings
        .iter()
        .map(|f| {
            let state = if f.found { "found  " } else { "missing" };
            format!("{:width$}  {state}  {} {}", f.name, f.what, f.why)
                .trim_end()
                .to_owned()
        })
        .collect();
    output.print(&lines.join("\n"))
}
