//! `glushkov completions`: scripts for shells, and the answers to what these ask.
//!
//! A script asks this program, through [`ASKED`], what may stand at a place of a command line. The
//! answers are made from the definition of the command line, and from the table of `values.rs` where that does not
//! know the values.

mod values;

use super::output::{Done, Output};
use crate::diagnostic::Diagnostic;
use clap::{Command, ValueEnum};
use clap_complete::env::{EnvCompleter, Shells};
use std::ffi::OsString;
use std::path::Path;
use values::Values;

/// The variable by which a script asks.
const ASKED: &str = "GLUSHKOV_COMPLETE";

/// The shells that there are scripts for.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    /// GNU Bash 4.4 and later
    Bash,
    /// The Z shell
    Zsh,
    /// The friendly interactive shell
    Fish,
}

impl Shell {
    fn completer(self) -> Option<&'static dyn EnvCompleter> {
        let name = match self {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
        };
        Shells::builtins().0.iter().copied().find(|c| c.is(name))
    }
}

/// The script of bash. Readline takes words apart at `=` and `:`, and replaces only what follows them:
/// they are put together for the question, and what stands before is taken off the answers.
const BASH: &str = r#"_glushkov() {
    local IFS=$'\n' words=() word last before i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && word=$2 && [[ $word == "" ]] && word=${COMP_WORDS[i]}
        last=$((${#words[@]} - 1))
        if ((i > 1)) && [[ $word == [=:] || ${words[last]} == *[=:] ]]; then
            words[last]+=$word
        else
            words+=("$word")
        fi
    done
    last=$((${#words[@]} - 1))
    COMPREPLY=($(ASKED=bash _CLAP_IFS=$'\n' _CLAP_COMPLETE_INDEX=$last glushkov -- "${words[@]}" 2>/dev/null))
    case $COMP_WORDBREAKS in
        *=*:* | *:*=*)
            before=${words[last]%"${words[last]##*[=:]}"}
            COMPREPLY=("${COMPREPLY[@]#"$before"}")
            ;;
    esac
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[=/:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o bashdefault -o nosort -F _glushkov glushkov
"#;

/// Arguments of `completions`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov completions bash > ~/.local/share/bash-completion/completions/glushkov\n          glushkov completions zsh > ~/.zfunc/_glushkov    (with fpath+=~/.zfunc before compinit)\n          glushkov completions fish > ~/.config/fish/completions/glushkov.fish\nThe script asks the program named glushkov on PATH, so it stays up to date when that is upgraded."
)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    if let Shell::Bash = args.shell {
        return output.verbatim(&BASH.replace("ASKED", ASKED));
    }
    let mut script = Vec::new();
    let written = args.shell.completer().map(|completer| {
        completer.write_registration(ASKED, "glushkov", "glushkov", "glushkov", &mut script)
    });
    match written {
        Some(Ok(())) => output.verbatim(String::from_utf8_lossy(&script).trim_start()),
        _ => Err(Diagnostic::error("E0006", "there is no script for this shell").into()),
    }
}

/// Answers a script that asks what may stand at a place; whether one has asked.
pub fn answered(words: &[OsString]) -> bool {
    let Some(shell) = std::env::var_os(ASKED).filter(|value| !value.is_empty()) else {
        return false;
    };
    // A path in SHELL is meant as well.
    let shell = Path::new(&shell).file_stem().unwrap_or_default();
    let shell = shell.to_string_lossy();
    let completer = Shells::builtins().0.iter().copied().find(|c| c.is(&shell));
    let asked: Vec<OsString> = words
        .iter()
        .skip_while(|word| *word != "--")
        .skip(1)
        .cloned()
        .collect();
    if let (Some(completer), false) = (completer, asked.is_empty()) {
        let folder = std::env::current_dir().ok();
        let mut command = with_values(super::command());
        let mut answer = Vec::new();
        // What cannot be completed has no answer; a message would stand in the line that is typed.
        let done = completer.write_complete(&mut command, asked, folder.as_deref(), &mut answer);
        if done.is_ok() {
            let _ = std::io::Write::write_all(&mut std::io::stdout(), &answer);
        }
    }
    true
}

/// The definition of the command line with what completes values.
fn with_values(command: Command) -> Command {
    within(command, "")
}

fn within(mut command: Command, path: &str) -> Command {
    let own: Vec<String> = command
        .get_subcommands()
        .map(|c| c.get_name().to_owned())
        .collect();
    for name in own {
        let path = format!("{path} {name}").trim().to_owned();
        command = command.mut_subcommand(&name, |command| within(command, &path));
    }
    command.mut_args(|argument| {
        let values = Values::of(path, argument.get_id().as_str());
        match values.and_then(Values::completer) {
            Some(completer) => argument.add(completer),
            None => argument,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, ValueHint};

    /// The arguments that take values of which nothing is known: a test allows none.
    fn unknown(command: &Command, path: &str, all: &mut Vec<String>) {
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            if !is_known(argument) && Values::of(path, id).is_none() {
                all.push(format!("{path}: {id}"));
            }
        }
        for one in command.get_subcommands() {
            let path = format!("{path} {}", one.get_name());
            unknown(one, path.trim(), all);
        }
    }

    /// Whether a value is a number, a name of one's own, or one of those that the argument lists.
    fn is_known(argument: &Arg) -> bool {
        /// What the places of values are called that have no names to complete.
        const FREE: [&str; 11] = [
            "N",
            "S",
            "X",
            "SECONDS",
            "SIZE",
            "CLAIM",
            "CLASS",
            "NAME=VALUE",
            "FLAG",
            "TERM",
            "PATTERN",
        ];
        let names = argument.get_value_names().unwrap_or_default();
        let is_free = |name: &&str| FREE.contains(name);
        !argument.get_action().takes_values()
            || argument.get_value_hint() != ValueHint::Unknown
            || !argument.get_possible_values().is_empty()
            || names.iter().any(|name| is_free(&name.as_str()))
    }

    fn completed(words: &[&str]) -> Vec<String> {
        let mut command = with_values(crate::cli::command());
        let words: Vec<OsString> = std::iter::once("glushkov")
            .chain(words.iter().copied())
            .map(OsString::from)
            .collect();
        let last = words.len() - 1;
        let all = clap_complete::engine::complete(&mut command, words, last, None).unwrap();
        all.iter()
            .map(|one| one.get_value().to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn every_value_is_one_that_can_be_completed_or_is_known_to_be_free() {
        let mut all = Vec::new();
        let mut command = crate::cli::command();
        command.build();
        unknown(&command, "", &mut all);
        assert!(all.is_empty(), "not in VALUES: {all:?}");
    }

    #[test]
    fn values_are_those_that_there_are() {
        assert_eq!(completed(&["ru"]), ["run", "rules"]);
        assert_eq!(completed(&["run", "herm"]), ["hermite", "hermite_uk"]);
        assert_eq!(
            completed(&["run", "hermite", "--target", "ru"]),
            ["rust", "rust-cuda"]
        );
        assert!(
            completed(&["run", "hermite", "--strategy", "gpu"]).contains(&"gpu-fast".to_owned())
        );
        let rules = completed(&["run", "hermite", "--without", "split,unr"]);
        assert!(rules.contains(&"split,unroll".to_owned()), "{rules:?}");
        assert!(rules.iter().all(|rule| rule.starts_with("split,unr")));
        assert!(completed(&["rules", "explain", "ker"]).contains(&"kernel".to_owned()));
        assert!(completed(&["explain", "E020"]).contains(&"E0203".to_owned()));
        assert!(
            completed(&["bench", "heat", "--pair", "rust:sequ"])
                .contains(&"rust:sequential".to_owned())
        );
        assert!(completed(&["data", "plu"]).contains(&"plummer".to_owned()));
    }
}
