//! A command line and settings → a command line.

use super::{Applied, Setting, WITHOUT, at, deepest, option, read};
use crate::cli::variables::set_for;
use crate::pipeline::Failure;
use crate::term::Sources;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

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
    put.retain(|setting| !setting.words().is_empty());
    let place = place_after(root, &path, &words);
    let with = |settings: &[Setting]| {
        let mut all = words.clone();
        all.splice(place..place, settings.iter().flat_map(Setting::words));
        all
    };
    let put = without_lonely(root, put, with);
    Ok(Applied {
        words: with(&put),
        settings: put,
    })
}

/// Leaves out settings of options that mean something beside another one only, where that is not there. A file
/// says what is to hold where it applies; who types such an option alone is told.
fn without_lonely(
    root: &Command,
    mut rest: Vec<Setting>,
    with: impl Fn(&[Setting]) -> Vec<OsString>,
) -> Vec<Setting> {
    let lacks = |settings: &[Setting]| {
        let matched = root.clone().try_get_matches_from(with(settings));
        matched.is_err_and(|e| e.kind() == ErrorKind::MissingRequiredArgument)
    };
    if !lacks(&rest) || lacks(&[]) {
        return rest;
    }
    let mut kept: Vec<Setting> = Vec::new();
    // What a setting needs may be another setting.
    while let Some(place) = rest.iter().position(|setting| {
        let more: Vec<Setting> = kept.iter().chain([setting]).cloned().collect();
        !lacks(&more)
    }) {
        kept.push(rest.remove(place));
    }
    kept
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
    let folder = |path: &Path| match path.is_dir() {
        true => Some(path.to_path_buf()),
        false => path
            .is_file()
            .then(|| path.parent().unwrap_or(path).to_path_buf()),
    };
    // FILE:LINE names a file, too.
    let found = texts.find_map(|text| {
        let before = text.to_str().and_then(|text| text.rsplit_once(':'));
        folder(Path::new(text)).or_else(|| folder(Path::new(before?.0)))
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
