//! `glushkov man`: pages of the manual, made from the definition of the command line.

use super::output::{Done, Output, Stop};
use super::settings::at;
use super::variables::VARIABLES;
use crate::diagnostic::Diagnostic;
use crate::pipeline::files::Together;
use clap::Command;
use clap_mangen::Man;
use std::path::PathBuf;

/// What exit codes mean, for all commands.
pub const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "done"),
    (
        "1",
        "a question answered no: an error of the scheme, results that differ, a test that fails",
    ),
    ("2", "wrong use, bad input, a missing compiler or device"),
    (
        "128 + n",
        "ended by signal n: 130 SIGINT (Ctrl-C), 143 SIGTERM, 129 SIGHUP",
    ),
];

/// What a page calls a straight quote.
const QUOTE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Arguments of `man`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov man -o ~/.local/share/man/man1\n          glushkov man run | man -l -"
)]
pub struct Args {
    /// The command whose page to print; if neither this nor -o is given, the page of glushkov itself
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write all pages to this folder
    #[arg(short = 'o', long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let mut root = super::command().disable_help_subcommand(true);
    root.build();
    if let Some(folder) = &args.out {
        let files = Together::for_folder(folder)?;
        let mut count = 0;
        write_all(&root, &files, &mut count)?;
        files.appear()?;
        output.say(&format!("{count} pages in {}", folder.display()));
        return Ok(());
    }
    let path: Vec<&str> = args
        .command
        .iter()
        .flat_map(|word| word.split(' '))
        .collect();
    match at(&root, &path) {
        Some(command) => output.verbatim(&page(command)?),
        None => {
            let message = format!("there is no command `{}`", path.join(" "));
            let hint = "`glushkov --help` lists them";
            Err(Diagnostic::error("E0006", message).hint(hint).into())
        }
    }
}

fn write_all(command: &Command, files: &Together, count: &mut usize) -> Done {
    let name = Man::new(command.clone()).get_filename();
    let path = files.path().join(&name);
    std::fs::write(&path, page(command)?)
        .map_err(|e| Diagnostic::error("E0001", format!("{name} cannot be written: {e}")))?;
    *count += 1;
    let below = command.get_subcommands().filter(|c| c.get_name() != "help");
    for one in below {
        write_all(one, files, count)?;
    }
    Ok(())
}

/// The page of a command.
fn page(command: &Command) -> Result<String, Stop> {
    let root = command.get_name() == "glushkov";
    let more = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    // Globals are told on the page of the program.
    let own = command.clone().mut_args(|a| {
        let hidden = !root && a.is_global_set();
        a.hide(hidden)
    });
    let man = Man::new(own.after_help(""));
    let name = command.get_display_name().unwrap_or(command.get_name());
    let title = format!(
        ".TH {} 1 \"\" \"glushkov {}\" \"Glushkov\"\n",
        escaped(&name.to_uppercase()),
        env!("CARGO_PKG_VERSION")
    );
    let mut text = Vec::new();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let synopsis = format!(".SH SYNOPSIS\n\\fB{}\\fR\n", escaped(usage));
    let (examples, notes, codes) = parts(&more);
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let mut lines: Vec<String> = about.lines().map(str::to_owned).collect();
    if let [one] = lines.as_mut_slice() {
        one.push('.');
    }
    lines.extend(notes);
    lines.retain(|line| !line.trim().is_empty());
    let mut description = String::new();
    section(&mut description, "DESCRIPTION", &lines, false);
    let write = |text: &mut Vec<u8>, part: &str| {
        text.extend(part.as_bytes());
        Ok::<(), std::io::Error>(())
    };
    let rendered = man
        .render_name_section(&mut text)
        .and_then(|()| write(&mut text, &synopsis))
        .and_then(|()| write(&mut text, &description))
        .and_then(|()| man.render_options_section(&mut text))
        .and_then(|()| match command.has_subcommands() {
            true => man.render_subcommands_section(&mut text),
            false => Ok(()),
        });
    rendered.map_err(|e| Diagnostic::error("E0001", format!("the page cannot be made: {e}")))?;
    // Each section begins by saying what a quote is, which is said once; a break beside an empty line is
    // of no effect.
    let text = String::from_utf8_lossy(&text).replace(QUOTE, "");
    let text = text.replace("\n.br\n\n.br\n", "\n.sp\n");
    let mut text = format!("{QUOTE}{title}{text}");
    section(&mut text, "EXAMPLES", &examples, true);
    text.push_str(".SH \"EXIT STATUS\"\n");
    match root || codes.is_empty() {
        true => {
            for (code, what) in EXIT_CODES {
                text.push_str(&format!(".TP\n{}\n{}.\n", escaped(code), escaped(what)));
            }
        }
        false => codes.iter().for_each(|line| text.push_str(&codes_of(line))),
    }
    if root {
        text.push_str(".SH ENVIRONMENT\n");
        for variable in VARIABLES {
            text.push_str(&format!(
                ".TP\n\\fB{}\\fR\n{}\n",
                variable.name,
                escaped(variable.what)
            ));
        }
        text.push_str(
            ".SH FILES\n.TP\nglushkov.toml\nSettings of a project, in the folder of a scheme or above.\n\
             .TP\n$XDG_CONFIG_HOME/glushkov/config.toml\nSettings of the user.\n",
        );
    }
    text.push_str(".SH \"SEE ALSO\"\n");
    text.push_str(match root {
        true => "\\fBglushkov\\-run\\fR(1), \\fBglushkov\\-config\\fR(1), \\fBglushkov\\-explain\\fR(1)\n",
        false => "\\fBglushkov\\fR(1), which has the options that all commands take\n",
    });
    Ok(text)
}

/// Examples, notes and exit codes of what stands after a command's help.
fn parts(more: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut examples, mut notes, mut codes) = (Vec::new(), Vec::new(), Vec::new());
    let mut in_examples = false;
    for line in more.lines() {
        let example = ["Examples: ", "Example: ", "Start with: "];
        let first = example.iter().find_map(|start| line.strip_prefix(start));
        in_examples = first.is_some() || in_examples && line.starts_with(' ');
        match first {
            Some(first) => examples.push(first.to_owned()),
            None if in_examples => examples.push(line.trim().to_owned()),
            None if line.starts_with("Exit code") => codes.push(line.to_owned()),
            None => notes.push(line.to_owned()),
        }
    }
    (examples, notes, codes)
}

/// What a line says of exit codes: a list where it is one, such as `Exit codes: 0 done; 1 not so`.
fn codes_of(line: &str) -> String {
    let list = line.strip_prefix("Exit codes: ").unwrap_or_default();
    let list = list
        .trim_end_matches('.')
        .split("; ")
        .map(|one| one.split_once(' '));
    let is_code = |code: &str| code.bytes().all(|b| b.is_ascii_digit());
    let one = |(code, what): (&str, &str)| {
        is_code(code).then(|| format!(".TP\n{code}\n{}.\n", escaped(what)))
    };
    let all: Option<String> = list.map(|pair| pair.and_then(one)).collect();
    all.unwrap_or_else(|| format!("{}\n", escaped(line)))
}

/// A section of paragraphs, or of lines that stay as they are.
fn section(text: &mut String, title: &str, lines: &[String], literal: bool) {
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!(".SH {title}\n"));
    if literal {
        text.push_str(".nf\n");
    }
    for (i, line) in lines.iter().enumerate() {
        match literal {
            true => {}
            // Lines that are indented are shown as they are.
            false if line.starts_with(' ') => text.push_str(".br\n"),
            false if i > 0 => text.push_str(".PP\n"),
            false => {}
        }
        text.push_str(&format!("{}\n", escaped(line.trim())));
    }
    if literal {
        text.push_str(".fi\n");
    }
}

/// A line as the pages' language has it.
fn escaped(line: &str) -> String {
    let line = line
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('~', "\\(ti");
    let line = line
        .replace('`', "\\(ga")
        .replace('^', "\\(ha")
        .replace('\'', "\\(aq");
    match line.starts_with('.') {
        true => format!("\\&{line}"),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_page_are_told_apart() {
        let more = "Examples: one\n          two\nA note.\nExit codes: 0 done";
        let (examples, notes, codes) = parts(more);
        assert_eq!(examples, ["one", "two"]);
        assert_eq!(
            (notes.as_slice(), codes.as_slice()),
            (
                &["A note.".to_owned()][..],
                &["Exit codes: 0 done".to_owned()][..]
            )
        );
    }

    #[test]
    fn lines_cannot_be_taken_for_requests() {
        assert_eq!(escaped(".saa-file \\x"), "\\&.saa\\-file \\ex");
    }
}
