//! `glushkov config`: which settings are in force, and where each comes from.

use super::output::{Done, Output, Stop};
use super::rules::{lines, table};
use super::settings::{Setting, Settings, at, option, read};
use super::variables::set_for;
use crate::diagnostic::{Diagnostic, names_like};
use crate::term::Sources;
use clap::Command;
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Arguments of `config`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov config\n          glushkov config run\n          glushkov config rules test --of schemes/mine\nSettings are read from the nearest glushkov.toml in the folder of the scheme or above, then from glushkov/config.toml in the user's folder of configurations. Keys are long names of options: target = \"rust\"; those in a table, such as [run] or [rules.test], are for that command. What is typed wins over a file, a file for one command over one for all, a near file over a far one."
)]
pub struct Args {
    /// The command whose settings to show; if not given, all settings of all files
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Where to look for settings files: in this folder, then in those above it
    #[arg(long, value_name = "DIR", default_value = ".")]
    of: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A value in force.
struct InForce {
    option: String,
    value: String,
    from: String,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let mut root = super::command();
    root.build();
    let path: Vec<&str> = args
        .command
        .iter()
        .flat_map(|word| word.split(' '))
        .collect();
    let Some(command) = at(&root, &path) else {
        return Err(unknown(&root, &path));
    };
    if !args.of.is_dir() {
        let message = format!("there is no folder {} for --of", args.of.display());
        return Err(Diagnostic::error("E0002", message).into());
    }
    let settings = read(&root, &args.of, &mut output.session.sources)?;
    let all = match path.is_empty() {
        true => all(&settings, &output.session.sources),
        false => in_force(command, &path.join(" "), &settings, &output.session.sources),
    };
    let files: Vec<String> = settings
        .files
        .iter()
        .map(|f| f.display().to_string())
        .collect();
    if args.json {
        let all = all.iter();
        let all =
            all.map(|one| json!({"option": one.option, "value": one.value, "from": one.from}));
        let all: Vec<Json> = all.collect();
        return output.json(&json!({"files": files, "settings": all}));
    }
    if files.is_empty() {
        output.say("no file of settings is read");
    }
    if all.is_empty() {
        return Ok(());
    }
    let mut shown = table(&["option", "value", "from"]);
    for one in &all {
        shown.add_row([&one.option, &one.value, &one.from]);
    }
    output.print(&lines(&shown))
}

fn unknown(root: &Command, path: &[&str]) -> Stop {
    let names: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
    let name = path.join(" ");
    let message = format!("there is no command `{name}`");
    let hint =
        names_like(&name, &names).unwrap_or_else(|| format!("there are {}", names.join(", ")));
    Diagnostic::error("E0006", message).hint(hint).into()
}

/// All settings of all files, those that are of no effect included.
fn all(settings: &Settings, sources: &Sources) -> Vec<InForce> {
    let one = |setting: &Setting| InForce {
        option: setting.named(),
        value: setting.shown(),
        from: place(setting, sources),
    };
    settings.all.iter().map(one).collect()
}

/// The values of a command's options: of files, of variables, and by default.
fn in_force(command: &Command, path: &str, settings: &Settings, sources: &Sources) -> Vec<InForce> {
    let set = settings.for_command(command, path);
    let options = command
        .get_arguments()
        .filter_map(|a| Some((a, a.get_long()?)));
    let options = options.filter(|(_, name)| !["help", "version"].contains(name));
    let one = |(argument, name): (&clap::Arg, &str)| {
        let (value, from) = match (set_for(name), set.iter().find(|s| s.key == name)) {
            (Some(variable), _) => {
                let value = std::env::var_os(variable).unwrap_or_default();
                (value.to_string_lossy().into_owned(), variable.to_owned())
            }
            (None, Some(setting)) => (setting.shown(), place(setting, sources)),
            (None, None) => {
                let values = argument.get_default_values().iter();
                let values: Vec<_> = values.map(|v| v.to_string_lossy()).collect();
                (values.join(" "), "default".to_owned())
            }
        };
        InForce {
            option: name.to_owned(),
            value,
            from,
        }
    };
    debug_assert!(set.iter().all(|s| option(command, &s.key).is_some()));
    options.map(one).collect()
}

/// Where a setting stands: a file and a line.
pub fn place(setting: &Setting, sources: &Sources) -> String {
    let span = setting.span;
    let name = sources
        .get(span.file)
        .map(|s| s.name.as_str())
        .unwrap_or_default();
    let (line, _) = sources.line_column(span.file, span.from);
    format!("{name}:{line}")
}
