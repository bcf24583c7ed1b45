//! `glushkov refine`.

use super::arguments::source;
use super::output::{Done, Output};
use crate::pipeline::refine;

/// Arguments of `refine`.
#[derive(clap::Args)]
#[command(
    after_help = "Example: glushkov refine outline.saa \"Correct body (i)\" --with correct.saa --write\nThe file of --with holds operators, for a predicate a condition, or a scheme whose body is taken. Names in the\nphrase's parentheses are those of its arguments. Comments and layout of all else stay as they are.\n`glushkov fold` takes a definition out again."
)]
pub struct Args {
    /// The scheme's file
    file: String,
    /// The phrase, with the names of its arguments: "Correct body (i)"; a predicate stands in single quotes
    phrase: String,
    /// The file of its definition, or `-` for standard input
    #[arg(long = "with", value_name = "FILE")]
    body: String,
    /// Replace the definition that the phrase has
    #[arg(long)]
    replace: bool,
    /// Write the file instead of printing its new text
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    edited: EditedArgs,
}

/// Which scheme is edited.
#[derive(clap::Args)]
pub struct EditedArgs {
    /// Which scheme of the file, by name (the first, if not given)
    #[arg(long, value_name = "NAME")]
    scheme: Option<String>,
    /// Which members of a family are checked, by what they are GIVEN (every one, if not given)
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    given: Vec<String>,
}

impl EditedArgs {
    /// As the pipeline takes them.
    pub fn options(&self) -> crate::pipeline::Options {
        crate::pipeline::Options {
            scheme: self.scheme.clone(),
            given: self.given.clone(),
            ..Default::default()
        }
    }
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let edited = refine(
        source(&args.file),
        &args.edited.options(),
        &args.phrase,
        source(&args.body),
        args.replace,
        &mut output.session,
    )?;
    match args.write {
        true => {
            edited.write()?;
            output.say(&format!("{} is written", edited.name));
            Ok(())
        }
        false => output.verbatim(&edited.text),
    }
}
