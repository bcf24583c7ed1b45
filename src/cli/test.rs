//! `glushkov test`.

use super::arguments::{CacheArguments, Common, TargetName};
use super::output::{Done, Output, Stop};
use crate::diagnostic::{Diagnostic, as_json};
use crate::pipeline::{Source, TestedScheme, schemes_below, test};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `test`.
#[derive(clap::Args)]
#[command(
    after_help = "A scheme says in comments what is expected of it:\n  # EXPECT REPORT \"energy\" (-0.25) WITHIN 1e-6\n  # EXPECT x = [1, 2, 3]\n  # EXPECT REFUSED E0203\nIt runs at the sizes of its CHECK, if it has one. Files without such comments are skipped.\nExit codes: 0 all is as expected; 1 something is not; 2 nothing to test, or a comment or a file cannot be read."
)]
pub struct Args {
    /// Files of schemes, and folders of them
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// What runs the schemes
    #[arg(long, value_enum, default_value = "interpreter")]
    target: TargetName,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    cache: CacheArguments,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    args.cache.apply();
    let target = args.target.resolved();
    let options = args.common.options();
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    let mut files = Vec::new();
    for path in &args.paths {
        files.extend(schemes_below(path)?);
    }
    for (number, file) in files.iter().enumerate() {
        output.session.part(number, files.len());
        let name = file.to_string_lossy();
        match test(Source::Path(&name), target, &options, &mut output.session) {
            Ok(tested) => {
                for tested in tested {
                    if !args.json {
                        output.print(&shown(&tested))?;
                    }
                    all.push(tested);
                }
            }
            Err(failure) => {
                // With JSON, they are in its object.
                if !args.json {
                    output.tell_all(&failure.diagnostics);
                }
                refused.extend(failure.diagnostics);
            }
        }
    }
    if all.is_empty() && refused.is_empty() {
        let message = "no scheme says in a comment what is expected of it";
        let hint = "write such a comment: # EXPECT x = [1, 2, 3]";
        return Err(Diagnostic::error("E0006", message).hint(hint).into());
    }
    let failed = all.iter().filter(|tested| !tested.passed()).count();
    if args.json {
        let tests: Vec<_> = all.iter().map(TestedScheme::json).collect();
        let sources = &output.session.sources;
        let diagnostics: Vec<_> = refused.iter().map(|d| as_json(d, sources)).collect();
        output.json(&json!({"tests": tests, "passed": all.len() - failed, "failed": failed, "diagnostics": diagnostics}))?;
    } else if !all.is_empty() {
        let count = |n: usize| format!("{n} test{}", if n == 1 { "" } else { "s" });
        output.print(&match failed {
            0 => format!("{} passed", count(all.len())),
            _ => format!("{failed} of {} failed", count(all.len())),
        })?;
    }
    match (refused.is_empty(), failed) {
        (false, _) => Err(Stop::Code(2)),
        (true, 0) => Ok(()),
        (true, _) => Err(Stop::Code(1)),
    }
}

/// A line for a test, and below it what is not as expected.
fn shown(tested: &TestedScheme) -> String {
    let result = if tested.passed() {
        "ok     "
    } else {
        "FAILED "
    };
    let mut text = format!("{result}{}", tested.file);
    if let Some(member) = &tested.member {
        text.push_str(&format!(" ({member})"));
    }
    if let Some(scheme) = &tested.scheme {
        text.push_str(&format!(", \"{scheme}\""));
    }
    text.push('\n');
    for one in tested.judged.iter().filter(|one| !one.wrong.is_empty()) {
        text.push_str(&format!("  line {}: {}\n", one.line, one.text));
        for line in &one.wrong {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}
