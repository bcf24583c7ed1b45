//! `glushkov new`: a small scheme to start from.

use super::arguments::Lang;
use super::construct;
use super::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use crate::pipeline::files::{make_folder, write_whole};
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov new average && glushkov run average.saa\n          glushkov new --interactive average\nThe scheme computes a moving average; its comments say what each part is for."
)]
pub struct Args {
    /// The scheme's name; the file is NAME.saa
    #[arg(required_unless_present = "interactive")]
    name: Option<String>,
    /// Build the scheme at a prompt, from the outline down: :help lists the commands
    #[arg(long)]
    interactive: bool,
    /// Files of basic operators, or folders of them, that the scheme may use
    #[arg(long, value_name = "PATH", requires = "interactive")]
    operators: Vec<PathBuf>,
    /// The folder for the file
    #[arg(short = 'o', long = "out", value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Replace a file of that name
    #[arg(long)]
    force: bool,
    /// The language of keywords and comments
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if args.interactive {
        return construct::run(
            args.name.as_deref().unwrap_or("scheme"),
            args.lang.into(),
            &args.operators,
            &args.out,
            args.force,
            output,
        );
    }
    let given = args.name.as_deref().unwrap_or_default();
    let name = given.strip_suffix(".saa").unwrap_or(given);
    if !is_name(name) {
        let message = format!("`{given}` is not a name for a scheme");
        let hint = "letters, digits, blanks, `-` and `_`, beginning with a letter; -o DIR names a \
                    folder";
        return Err(Diagnostic::error("E0006", message).hint(hint).into());
    }
    let text = match args.lang {
        Lang::En => include_str!("new/en.saa"),
        Lang::Uk => include_str!("new/uk.saa"),
        Lang::Ru => include_str!("new/ru.saa"),
    };
    make_folder(&args.out)?;
    let path = match args.out == Path::new(".") {
        true => PathBuf::from(format!("{name}.saa")),
        false => args.out.join(format!("{name}.saa")),
    };
    write_whole(&path, &text.replace("{name}", name), args.force)?;
    let file = quoted(&path);
    output.say(&format!(
        "{} is written. Try next:\n  \
         glushkov check {file}\n  \
         glushkov run {file}\n  \
         glushkov derive {file} --strategy gpu --trace\n  \
         glushkov bench {file} --set N=10000,100000,1000000 --target rust --strategy sequential,parallel",
        path.display()
    ));
    Ok(())
}

/// Whether a name can be a file's and stand in quotes.
fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    name.chars().next().is_some_and(char::is_alphabetic)
        && name.chars().all(fits)
        && !name.ends_with(' ')
        && name.len() <= 200
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    match text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
