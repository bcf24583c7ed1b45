//! `glushkov lsp`.

use super::output::{Done, Output, Stop};
use crate::server::serve;
use std::io::BufReader;

/// Arguments of `lsp`.
#[derive(clap::Args)]
#[command(
    after_help = "Editors start it: docs/editors.md has their settings. Messages are those of the Language Server Protocol.\nExit codes: 0 the editor ended it; 1 the stream ended before that."
)]
pub struct Args {
    /// Taken for editors that say so; there is nothing else
    #[arg(long)]
    stdio: bool,
}

pub fn run(args: &Args, _: &mut Output) -> Done {
    // Whether it is said changes nothing.
    let Args { stdio: _ } = args;
    match serve(BufReader::new(std::io::stdin()), std::io::stdout()) {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}
