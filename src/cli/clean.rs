//! `glushkov clean`.

use super::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use crate::toolchain::clean;

/// Arguments of `clean`.
#[derive(clap::Args)]
#[command(
    after_help = "Builds that a running program uses stay. Without this command, too, builds take no more than 2 GiB, or what GLUSHKOV_CACHE_SIZE says (500M, 10G): the one used longest ago goes first."
)]
pub struct Args {}

pub fn run(_: &Args, output: &mut Output) -> Done {
    let cleaned = clean().map_err(|why| {
        Diagnostic::error("E1004", format!("there is no folder of builds: {why}"))
    })?;
    let used = match cleaned.in_use {
        0 => String::new(),
        n => format!("; {n} in use stay"),
    };
    output.say(&format!(
        "{} builds, {:.1} MB, removed from {}{used}",
        cleaned.builds,
        cleaned.bytes as f64 / 1e6,
        cleaned.folder.display()
    ));
    Ok(())
}
