//! `glushkov fold`.

use super::arguments::source;
use super::output::{Done, Output};
use super::refine::EditedArgs;
use crate::pipeline::files::write_whole;
use crate::pipeline::{fold, fold_lines};
use std::path::PathBuf;

/// Arguments of `fold`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov fold hermite.saa \"Correct coordinates and velocity of body (i)\" --to correct.saa --write\n          glushkov fold hermite.saa --lines 27-29 \"Evaluate accelerations\" --write\nWithout --lines a phrase's definition is taken out, and printed unless --to names a file; the phrase stays, as a\nbasic operator. Without --write the scheme's file stays as it is, and its new text is printed where --to takes the\ndefinition. With --lines operators become a call of a new phrase, if it is the same scheme then."
)]
pub struct Args {
    /// The scheme's file
    file: String,
    /// The phrase, with the names of its arguments: "Correct body (i)"; a predicate stands in single quotes
    phrase: String,
    /// Make the operators of these lines a call of the phrase, which they define
    #[arg(long, value_name = "A-B", value_parser = lines, conflicts_with = "to")]
    lines: Option<(usize, usize)>,
    /// Write the definition that is taken out to a file
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Replace the file of --to
    #[arg(long, requires = "to")]
    force: bool,
    /// Write the scheme's file
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    edited: EditedArgs,
}

/// Lines: a number, or two with `-` between.
fn lines(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let read = first.trim().parse().ok().zip(last.trim().parse().ok());
    read.filter(|(first, last)| *first > 0 && first <= last)
        .ok_or_else(|| "they are numbers such as 27-29".to_owned())
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let options = args.edited.options();
    let from = source(&args.file);
    let session = &mut output.session;
    let edited = match args.lines {
        Some(lines) => fold_lines(from, &options, lines, &args.phrase, session)?,
        None => fold(from, &options, &args.phrase, session)?,
    };
    // First what is taken out, so that it is nowhere lost.
    if let Some(to) = &args.to {
        write_whole(to, &edited.body, args.force)?;
    }
    if args.write {
        edited.write()?;
        output.say(&format!("{} is written", edited.name));
    }
    let is_kept = args.to.is_some() || args.lines.is_some();
    match (is_kept, args.write) {
        (true, true) => Ok(()),
        (true, false) => output.verbatim(&edited.text),
        (false, _) => output.verbatim(&edited.body),
    }
}
