//! `glushkov clean`.

use super::arguments::size;
use super::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use crate::toolchain::clean;
use std::path::{Path, PathBuf};

/// Arguments of `clean`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov clean\n          glushkov clean --to 500MB\n          glushkov clean --dry-run\nBuilds that a running program uses stay. Even without this command, builds take no more than 2 GiB, or what --cache-limit, the variable GLUSHKOV_CACHE_LIMIT or a settings file says (500MB, 10GB): the least recently used go first."
)]
pub struct Args {
    /// Remove the least recently used builds until no more than this is left
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "0")]
    to: u64,
    /// Remove nothing; list what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let cleaned = clean(args.to, args.dry_run).map_err(|why| {
        Diagnostic::error("E1004", format!("there is no folder of builds: {why}"))
    })?;
    if args.dry_run && !cleaned.builds.is_empty() {
        let one =
            |(folder, bytes): &(PathBuf, u64)| format!("{:>9}  {}", shown(*bytes), named(folder));
        let lines: Vec<String> = cleaned.builds.iter().map(one).collect();
        output.print(&lines.join("\n"))?;
    }
    let used = match cleaned.in_use {
        0 => String::new(),
        n => format!("; {n} in use stay"),
    };
    let would = if args.dry_run { "would be " } else { "" };
    output.say(&format!(
        "{} builds, {}, {would}removed from {}; {} left{used}",
        cleaned.builds.len(),
        shown(cleaned.bytes),
        cleaned.folder.display(),
        shown(cleaned.left),
    ));
    Ok(())
}

/// A size for people.
fn shown(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// A build by its folder, with the name of its program.
fn named(folder: &Path) -> String {
    let made = ["bin", "lib"].map(|place| folder.join(place));
    let entries = made
        .iter()
        .filter_map(|place| place.read_dir().ok())
        .flatten();
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    format!("{} {}", folder.display(), names.join(", "))
}
