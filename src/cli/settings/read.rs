//! Files → settings.

use super::{NEVER, Setting, Settings, WITHOUT, at};
use crate::data::read_text;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::pipeline::Failure;
use crate::term::{Sources, Span};
use crate::toolchain::{configuration, expect_own};
use clap::{Arg, ArgAction, Command};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The name of a project's file.
const FILE: &str = "glushkov.toml";

/// The variable that names the one file to read, or says that there is none.
const VARIABLE: &str = "GLUSHKOV_CONFIG";

/// Reads the files that count for a folder: the nearest `glushkov.toml` in it or above, and the user's own.
///
/// # Errors
///
/// E0011: a file that is not TOML, that is somebody else's, or with a key that no command has; E0002.
pub fn read(root: &Command, folder: &Path, sources: &mut Sources) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    let named = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let is_named = named.is_some();
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
        let text = read_text(&file).map_err(|e| {
            let message = format!("{} cannot be read: {e}", file.display());
            let error = Diagnostic::error("E0002", message);
            match is_named {
                true => error.hint(format!(
                    "{VARIABLE} names it; none stands for no file at all"
                )),
                false => error,
            }
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
        let is_never = NEVER.contains(&name);
        let near = did_you_mean(name, names).filter(|_| !is_never);
        let hint = near.map(|near| format!("did you mean `{near}`?"));
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
        let message = match is_never {
            true => format!("`{name}` cannot be set by a file"),
            false => format!("{whose} an option `{name}`"),
        };
        let hint = hint.unwrap_or_else(|| format!("keys are the long names that `{page}` lists"));
        self.wrong(span, message).hint(hint)
    }

    /// Whether an option that takes no value is on, and the values of one that does.
    fn values(
        &self,
        argument: &Arg,
        value: &DeValue<'_>,
        span: std::ops::Range<usize>,
    ) -> Result<(Option<bool>, Vec<String>), Failure> {
        let name = argument.get_long().unwrap_or_default();
        let wrong = |wanted: &str| self.wrong(span.clone(), format!("`{name}` is {wanted}"));
        if !argument.get_action().takes_values() {
            return match value {
                DeValue::Boolean(on) => Ok((Some(*on), Vec::new())),
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
            .map(|values| (None, values))
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
