//! `glushkov fmt`.

use super::output::{Done, Output, Stop};
use crate::pipeline::{Laid, Source, lay_out, texts_below};
use std::path::PathBuf;

/// So many lines of a comparison are shown of each file.
const MOST_LINES: usize = 40;

/// Arguments of `fmt`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov fmt schemes rules/mine.rules\n          glushkov fmt --check\n          glushkov fmt --stdin=body.rules < body.rules\nExit codes: 0 done, or nothing to do; 1 --check found files that would change; 2 a file cannot be read.\nOnly blanks and ends of lines change; a file with errors is left as it is."
)]
pub struct Args {
    /// Files that end in .saa, .saag, .ops or .rules, and folders of them
    #[arg(value_name = "PATH", default_value = ".", conflicts_with = "stdin")]
    paths: Vec<PathBuf>,
    /// Write nothing: say which files would change, and how
    #[arg(long)]
    check: bool,
    /// Lay out standard input to standard output; the name says what it holds
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "stdin.saa")]
    stdin: Option<String>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if let Some(name) = &args.stdin {
        let laid = lay_out(Source::Input, name, &mut output.session)?;
        return match args.check {
            true => shown(&[laid], output),
            false => output.verbatim(&laid.after),
        };
    }
    let mut differing = Vec::new();
    let mut refused = false;
    for path in paths(&args.paths, output)? {
        let name = path.to_string_lossy();
        match lay_out(Source::Path(&name), &name, &mut output.session) {
            Ok(laid) if laid.differs() => differing.push(laid),
            Ok(_) => {}
            Err(failure) => {
                output.tell_all(&failure.diagnostics);
                refused = true;
            }
        }
    }
    let done = match args.check {
        true => shown(&differing, output),
        false => written(&differing, output),
    };
    match refused {
        true => done.and(Err(Stop::Code(2))),
        false => done,
    }
}

/// The files that are meant, each once.
fn paths(given: &[PathBuf], output: &mut Output) -> Result<Vec<PathBuf>, Stop> {
    let mut all: Vec<PathBuf> = Vec::new();
    for path in given {
        for file in texts_below(path)? {
            if !all.contains(&file) {
                all.push(file);
            }
        }
    }
    if all.is_empty() {
        output.say("there are no files that end in .saa, .saag, .ops or .rules");
    }
    Ok(all)
}

fn written(laid: &[Laid], output: &mut Output) -> Done {
    for one in laid {
        one.write()?;
        output.print(&format!("laid out {}", one.name))?;
    }
    Ok(())
}

/// Says which files would change, and how.
fn shown(laid: &[Laid], output: &mut Output) -> Done {
    let differing: Vec<&Laid> = laid.iter().filter(|one| one.differs()).collect();
    for one in &differing {
        let difference = one.difference();
        let lines: Vec<&str> = difference.lines().collect();
        let mut text = format!("{} would change\n", one.name);
        for line in lines.iter().take(MOST_LINES) {
            text.push_str(&format!("  {line}\n"));
        }
        if lines.len() > MOST_LINES {
            text.push_str(&format!(
                "  … and {} more lines\n",
                lines.len() - MOST_LINES
            ));
        }
        output.print(&text)?;
    }
    match differing.is_empty() {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}
