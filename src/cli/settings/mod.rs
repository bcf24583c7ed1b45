//! Configuration files → options of a command line.
//!
//! A setting is put into the command line as the option it names, so that it is read, checked and
//! refused as one that was typed. Which keys there are is the definition of the command line.

mod apply;
mod read;

pub use apply::apply;
pub use read::read;

use crate::diagnostic::Diagnostic;
use crate::term::Span;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options that a file does not set: those that are about files of settings, and those that have a program or code
/// run, which a folder that came from somewhere is not to do.
const NEVER: [&str; 5] = ["help", "version", "no-config", "oracle", "operators"];

/// Commands that no file has a say in: what they do is to be the same for everyone, and
/// everywhere.
const WITHOUT: [&str; 5] = ["replay", "lsp", "config", "completions", "man"];

/// A setting of a file.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The command that it is for, such as `rules test`, or the first words of several; none for all.
    command: Option<String>,
    /// The long name of the option.
    pub key: String,
    /// Its values; none for an option that takes none.
    pub values: Vec<String>,
    /// Whether an option that takes no value is on; none for one that takes values.
    on: Option<bool>,
    /// Where it stands.
    pub span: Span,
}

impl Setting {
    fn is_for(&self, path: &str) -> bool {
        let rest = self.command.as_deref().map(|own| path.strip_prefix(own));
        rest.is_none_or(|rest| rest.is_some_and(|r| r.is_empty() || r.starts_with(' ')))
    }

    /// As it would be typed.
    fn words(&self) -> Vec<OsString> {
        let key = &self.key;
        match self.on {
            Some(false) => Vec::new(),
            Some(true) => vec![format!("--{key}").into()],
            None => {
                let values = self.values.iter();
                values.map(|v| format!("--{key}={v}").into()).collect()
            }
        }
    }

    /// Its key, with the command that it is for.
    pub fn named(&self) -> String {
        match &self.command {
            Some(command) => format!("{command}: {}", self.key),
            None => self.key.clone(),
        }
    }

    /// Its value as it is shown.
    pub fn shown(&self) -> String {
        match self.on {
            Some(on) => on.to_string(),
            None => self.values.join(" "),
        }
    }
}

/// The settings of all files that count.
#[derive(Debug, Default)]
pub struct Settings {
    /// The files, the one that wins first.
    pub files: Vec<PathBuf>,
    /// Those of the first file first, and of a file those for a command before those for all.
    pub all: Vec<Setting>,
}

impl Settings {
    /// Those in force for a command, each key once.
    pub fn for_command(&self, command: &Command, path: &str) -> Vec<&Setting> {
        let mut chosen: Vec<&Setting> = Vec::new();
        for setting in self.all.iter().filter(|setting| setting.is_for(path)) {
            let is_there = chosen.iter().any(|other| other.key == setting.key);
            if !is_there && option(command, &setting.key).is_some() {
                chosen.push(setting);
            }
        }
        chosen
    }
}

/// The option of a command that has a long name.
pub fn option<'a>(command: &'a Command, key: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|a| a.get_long() == Some(key))
}

/// The command at a path of names.
pub fn at<'a>(root: &'a Command, path: &[&str]) -> Option<&'a Command> {
    let mut command = root;
    for name in path {
        command = command.find_subcommand(name)?;
    }
    Some(command)
}

/// A command line with the settings that are in force.
#[derive(Debug, Default)]
pub struct Applied {
    /// The command line.
    pub words: Vec<OsString>,
    /// What was put into it.
    pub settings: Vec<Setting>,
}

/// The names of the command that was asked for, and its arguments.
pub fn deepest(matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let (mut path, mut own) = (Vec::new(), matches);
    while let Some((name, below)) = own.subcommand() {
        path.push(name);
        own = below;
    }
    (path, own)
}

/// What is to be said of a command line that was refused for a setting that was put into it.
pub fn blamed(error: &clap::Error, settings: &[Setting]) -> Option<Diagnostic> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let names = |text: &str, setting: &Setting| {
        let option = text.split([' ', '=']).next().unwrap_or_default();
        option.strip_prefix("--") == Some(setting.key.as_str())
    };
    let argument = text(ContextKind::InvalidArg)?;
    let value = text(ContextKind::InvalidValue);
    let is_it = |setting: &&Setting| {
        let same = |value| setting.values.iter().any(|own| own == value);
        names(argument, setting) && value.is_none_or(same)
    };
    let setting = settings.iter().find(is_it)?;
    let (message, hint) = said(error);
    let diagnostic = Diagnostic::error("E0011", message).at(setting.span);
    Some(match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    })
}

/// What clap says of a wrong command line: its first line, and what it adds to that.
pub fn said(error: &clap::Error) -> (String, Option<String>) {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    let rest =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let rest = rest.filter(|line| !line.is_empty());
    let rest: Vec<&str> = rest
        .map(|line| line.strip_prefix("tip: ").unwrap_or(line))
        .collect();
    (message, (!rest.is_empty()).then(|| rest.join("; ")))
}
