//! Configuration files → options of a command line.
//!
//! A setting is put into the command line as the option it names, so that it is read, checked and
//! refused as one that was typed. Which keys there are is the definition of the command line.

use super::variables::set_for;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::pipeline::Failure;
use crate::term::{Sources, Span};
use crate::toolchain::{configuration, expect_own};
use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of a project's file.
pub const FILE: &str = "glushkov.toml";

/// The variable that names the one file to read, or says that there is none.
const VARIABLE: &str = "GLUSHKOV_CONFIG";

/// Options that a file does not set: those that are about files of settings, and one that starts a program,
/// which a folder that came from somewhere is not to do.
const NEVER: [&str; 4] = ["help", "version", "no-config", "oracle"];

/// Commands that no file has a say in: what they do is to be the same for everyone.
const WITHOUT: [&str; 4] = ["replay", "config", "completions", "man"];

/// A setting of a file.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The command that it is for, such as `rules test`, or the first words of several; none for all.
    command: Option<String>,
    /// The long name of the option.
    pub key: String,
    /// Its values; none for an option that takes none.
    pub values: Vec<String>,
    /// Whether an option that takes no value is on.
    on: bool,
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
        match (self.on, self.values.is_empty()) {
            (false, _) => Vec::new(),
            (true, true) => vec![format!("--{key}").into()],
            (true, false) => {
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
        match self.values.is_empty() {
            true => self.on.to_string(),
            false => self.values.join(" "),
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

/// Reads the files that count for a folder: the nearest `glushkov.toml` in it or above, and the user's own.
///
/// # Errors
///
/// E0011: a file that is not TOML, that is somebody else's, or with a key that no command has; E0002.
pub fn read(root: &Command, folder: &Path, sources: &mut Sources) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let files: Vec<PathBuf> = match named {
        Some(none) if none == "none" => Vec::new(),
        Some(file) => vec![file.into()],
        None => {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.into());
            let near = folder.ancestors().map(|above| above.join(FILE));
            let near = near.into_iter().find(|file| file.is_file());
            let own = configuration().ok().filter(|file| file.is_file());
            near.into_iter().chain(own).collect()
        }
    };
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| {
            let message = format!("{} cannot be read: {e}", file.display());
            Diagnostic::error("E0002", message)
        })?;
        expect_own(&file).map_err(|why| {
            let message = format!("{} is not obeyed: it {why}", file.display());
            Diagnostic::error("E0011", message).hint("--no-config goes on without it")
        })?;
        let number = sources.add(file.display().to_string(), text.clone());
        let reader = Reader { root, file: number };
        let mut own = reader.read(&text)?;
        // Stable, so that the order of the file stays.
        own.sort_by_key(|setting| setting.command.is_none());
        settings.all.extend(own);
        settings.files.push(file);
    }
    Ok(settings)
}

struct Reader<'a> {
    root: &'a Command,
    file: u32,
}

impl Reader<'_> {
    fn wrong(&self, span: std::ops::Range<usize>, message: String) -> Diagnostic {
        Diagnostic::error("E0011", message).at(Span::new(self.file, span.start, span.end))
    }

    fn read(&self, text: &str) -> Result<Vec<Setting>, Failure> {
        let table = DeTable::parse(text).map_err(|e| {
            let span = e.span().unwrap_or(0..0);
            self.wrong(span, format!("this is no TOML: {}", e.message()))
        })?;
        let mut all = Vec::new();
        self.table(table.get_ref(), &[], &mut all)?;
        all.sort_by_key(|setting| setting.span);
        Ok(all)
    }

    /// Reads the settings for a command and those below it.
    fn table(
        &self,
        table: &DeTable<'_>,
        path: &[&str],
        all: &mut Vec<Setting>,
    ) -> Result<(), Failure> {
        let scope = at(self.root, path).unwrap_or(self.root);
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let known = options_below(scope);
            match value.get_ref() {
                DeValue::Table(inner) if scope.find_subcommand(name).is_some() => {
                    if WITHOUT.contains(&name) && path.is_empty() {
                        let message = format!("`{name}` takes no settings from files");
                        return Err(self.wrong(key.span(), message).into());
                    }
                    let path: Vec<&str> = path.iter().copied().chain([name]).collect();
                    self.table(inner, &path, all)?;
                }
                value_found => {
                    let Some(argument) = known.iter().find(|a| a.get_long() == Some(name)) else {
                        return Err(self.unknown(key.span(), name, path, scope, &known).into());
                    };
                    let (on, values) = self.values(argument, value_found, value.span())?;
                    all.push(Setting {
                        command: (!path.is_empty()).then(|| path.join(" ")),
                        key: name.to_owned(),
                        values,
                        on,
                        span: Span::new(self.file, key.span().start, value.span().end),
                    });
                }
            }
        }
        Ok(())
    }

    fn unknown(
        &self,
        span: std::ops::Range<usize>,
        name: &str,
        path: &[&str],
        scope: &Command,
        known: &[&Arg],
    ) -> Diagnostic {
        let names = known.iter().filter_map(|a| a.get_long());
        let names = names.chain(scope.get_subcommands().map(Command::get_name));
        let hint = did_you_mean(name, names).map(|near| format!("did you mean `{near}`?"));
        let (whose, page) = match path {
            [] => ("no command has".to_owned(), "glushkov --help".to_owned()),
            path => {
                let path = path.join(" ");
                (
                    format!("`{path}` does not have"),
                    format!("glushkov {path} --help"),
                )
            }
        };
        let message = match NEVER.contains(&name) {
            true => format!("`{name}` cannot be set by a file"),
            false => format!("{whose} an option `{name}`"),
        };
        let hint = hint.unwrap_or_else(|| format!("keys are the long names that `{page}` lists"));
        self.wrong(span, message).hint(hint)
    }

    /// Whether an option is on, and its values.
    fn values(
        &self,
        argument: &Arg,
        value: &DeValue<'_>,
        span: std::ops::Range<usize>,
    ) -> Result<(bool, Vec<String>), Failure> {
        let name = argument.get_long().unwrap_or_default();
        let wrong = |wanted: &str| self.wrong(span.clone(), format!("`{name}` is {wanted}"));
        if !argument.get_action().takes_values() {
            return match value {
                DeValue::Boolean(on) => Ok((*on, Vec::new())),
                _ => Err(wrong("true or false").into()),
            };
        }
        let several = matches!(argument.get_action(), ArgAction::Append);
        let pairs = argument
            .get_value_names()
            .is_some_and(|n| n.iter().any(|n| n == "NAME=VALUE"));
        let values = match value {
            DeValue::Array(all) if several => {
                let all = all.iter().map(|one| scalar(one.get_ref()));
                all.collect::<Option<Vec<String>>>()
            }
            DeValue::Table(all) if pairs => {
                let pair = |(name, value): (_, &toml::Spanned<DeValue<'_>>)| {
                    let name: &toml::Spanned<std::borrow::Cow<'_, str>> = name;
                    Some(format!("{}={}", name.get_ref(), scalar(value.get_ref())?))
                };
                all.iter().map(pair).collect()
            }
            one => scalar(one).map(|text| vec![text]),
        };
        let wanted = match (several, pairs) {
            (_, true) => "a text NAME=VALUE, a list of such, or a table of values by name",
            (true, false) => "a text or a number, or a list of them",
            (false, false) => "one text or number",
        };
        values
            .map(|values| (true, values))
            .ok_or_else(|| wrong(wanted).into())
    }
}

/// A value as it would be typed.
fn scalar(value: &DeValue<'_>) -> Option<String> {
    Some(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(truth) => truth.to_string(),
        _ => return None,
    })
}

/// The options of a command and of those below it that a file may set.
fn options_below(command: &Command) -> Vec<&Arg> {
    let own = command.get_arguments();
    let own = own.filter(|a| a.get_long().is_some_and(|name| !NEVER.contains(&name)));
    let below = command
        .get_subcommands()
        .filter(|c| !WITHOUT.contains(&c.get_name()));
    own.chain(below.flat_map(options_below)).collect()
}

/// A command line with the settings that are in force.
#[derive(Debug, Default)]
pub struct Applied {
    /// The command line.
    pub words: Vec<OsString>,
    /// What was put into it.
    pub settings: Vec<Setting>,
}

/// Puts the settings that are in force into a command line. One that is wrong stays as it is, for it
/// to be refused as such.
///
/// # Errors
///
/// As those of [`read`].
pub fn apply(
    root: &Command,
    words: Vec<OsString>,
    sources: &mut Sources,
) -> Result<Applied, Failure> {
    let as_it_is = |words| {
        Ok(Applied {
            words,
            settings: Vec::new(),
        })
    };
    let lenient = root.clone().ignore_errors(true);
    let Ok(matches) = lenient.try_get_matches_from(&words) else {
        return as_it_is(words);
    };
    let (path, own) = deepest(&matches);
    let command = at(root, &path);
    let (Some(command), Some(first)) = (command, path.first()) else {
        return as_it_is(words);
    };
    let without = matches!(own.try_get_one::<bool>("no_config"), Ok(Some(true)));
    if WITHOUT.contains(first) || without {
        return as_it_is(words);
    }
    let settings = read(root, &folder_of(command, own), sources)?;
    let typed = |argument: &Arg| is_typed(own, argument);
    let mut put = Vec::new();
    for setting in settings.for_command(command, &path.join(" ")) {
        let Some(argument) = option(command, &setting.key) else {
            continue;
        };
        let mut setting = setting.clone();
        let contrary = |other: &&Arg| {
            let against = |one: &Arg, two: &Arg| {
                let all = command.get_arg_conflicts_with(one);
                all.iter().any(|c| c.get_id() == two.get_id())
            };
            typed(other) && (against(argument, other) || against(other, argument))
        };
        if command.get_arguments().any(|other| contrary(&other)) || set_for(&setting.key).is_some()
        {
            continue;
        }
        if typed(argument) {
            // Of values by name, those that were typed win one by one.
            let name = |text: &str| text.split_once('=').map(|(name, _)| name.trim().to_owned());
            let id = argument.get_id().as_str();
            let given = own.get_raw(id).into_iter().flatten();
            let given: Vec<_> = given.map(|text| name(&text.to_string_lossy())).collect();
            if argument
                .get_value_names()
                .is_none_or(|n| n.iter().all(|n| n != "NAME=VALUE"))
            {
                continue;
            }
            setting.values.retain(|value| !given.contains(&name(value)));
            if setting.values.is_empty() {
                continue;
            }
        }
        put.push(setting);
    }
    let place = place_after(root, &path, &words);
    let mut all = words;
    let added: Vec<OsString> = put.iter().flat_map(Setting::words).collect();
    all.splice(place..place, added);
    put.retain(|setting| setting.on);
    Ok(Applied {
        words: all,
        settings: put,
    })
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

fn is_typed(matches: &ArgMatches, argument: &Arg) -> bool {
    // Not all arguments of a definition are in what was matched: help is not.
    let id = argument.get_id().as_str();
    let known = matches.ids().any(|other| other.as_str() == id);
    known && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// The folder of the first file that a command line names; the one we are in if it names none.
fn folder_of(command: &Command, matches: &ArgMatches) -> PathBuf {
    let texts = command.get_positionals().filter(|a| is_typed(matches, a));
    let mut texts = texts.flat_map(|a| matches.get_raw(a.get_id().as_str()).into_iter().flatten());
    let found = texts.find_map(|text| {
        let path = Path::new(text);
        match path.is_dir() {
            true => Some(path.to_path_buf()),
            false => path
                .is_file()
                .then(|| path.parent().unwrap_or(path).to_path_buf()),
        }
    });
    let found = found.filter(|folder| !folder.as_os_str().is_empty());
    found.unwrap_or_else(|| PathBuf::from("."))
}

/// The place right behind the name of the command; options of all commands may stand before it.
fn place_after(root: &Command, path: &[&str], words: &[OsString]) -> usize {
    let (mut place, mut command) = (1, root);
    for name in path {
        while let Some(word) = words.get(place) {
            place += 1;
            if word == *name {
                break;
            }
            let word = word.to_string_lossy();
            let takes = |key| option(command, key).is_some_and(|a| a.get_action().takes_values());
            place += usize::from(word.strip_prefix("--").is_some_and(takes));
        }
        command = command.find_subcommand(name).unwrap_or(command);
    }
    place.min(words.len())
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
