//! `glushkov explain`: a diagnostic's page, why the loops around a line of a scheme are as they are, or where a line
//! of an emitted program comes from.

mod emitted;
mod scheme;

use super::arguments::{Common, InputArguments, TargetName, strategy_name};
use super::output::{Done, Output, Stop};
use crate::diagnostic::{CODES, Diagnostic};
use crate::pipeline::is_scheme;
use serde_json::json;
use std::path::Path;

/// Arguments of `explain`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov explain E0203\n          glushkov explain hermite:67\n          glushkov explain heat.saa:12 --strategy cpu,cpu-fast --measure --set N=4096\n          glushkov emit hermite --target cuda -o DIR && glushkov explain DIR/n_body_fourth_order_hermite.cu:40\nA line of a scheme is explained by the loops around it: what is known of each, what each becomes, by which rules, and what would change that. A line of an emitted program is explained by the trace.json of its project: its phrase, its place in the scheme, the rules that shaped it, and what their conditions asked."
)]
pub struct Args {
    /// A code, such as E0203, or a line of a scheme or of an emitted program, FILE:LINE; if not given, all codes
    what: Option<String>,
    /// Strategies to look at a scheme's loops under (cpu,gpu, if not given; with --measure, the target's own)
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = strategy_name)]
    strategy: Vec<String>,
    /// Measure what each suggested change would gain, at the sizes given by --set
    #[arg(long)]
    measure: bool,
    /// What to measure on
    #[arg(long, value_enum, default_value_t, requires = "measure")]
    target: TargetName,
    /// How many rounds to measure
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000), requires = "measure")]
    runs: u32,
    #[command(flatten)]
    input: InputArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let Some(what) = &args.what else {
        let lines: Vec<String> = CODES
            .iter()
            .map(|c| format!("{}  {}", c.code, c.title))
            .collect();
        return output.print(&lines.join("\n"));
    };
    if let Some(page) = CODES.iter().find(|c| c.code.eq_ignore_ascii_case(what)) {
        return match args.json {
            true => {
                output.json(&json!({"code": page.code, "title": page.title, "text": page.text}))
            }
            false => output.print(&format!("{}: {}\n\n{}", page.code, page.title, page.text)),
        };
    }
    match what.rsplit_once(':') {
        Some((file, line)) if !file.is_empty() => {
            let number: usize = line.parse().map_err(|_| {
                let message = format!("`{line}` is not a line number");
                wrong(message, format!("lines are counted from 1: {file}:1"))
            })?;
            match is_scheme(file) {
                true => scheme::explain(args, file, number, output),
                false => emitted::explain(file, number, args.json, output),
            }
        }
        _ if Path::new(what).is_file() => Err(wrong(
            format!("{what} is a file"),
            format!("name a line of it: {what}:1"),
        )),
        _ => Err(wrong(
            format!("there is no diagnostic {what}"),
            "glushkov explain lists all of them; a line of a scheme or an emitted program is FILE:LINE",
        )),
    }
}

fn wrong(message: String, hint: impl Into<String>) -> Stop {
    Diagnostic::error("E0006", message).hint(hint).into()
}
