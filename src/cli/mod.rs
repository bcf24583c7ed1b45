//! The command line: one file a command, and what they share; the work itself is the pipeline's.

mod arguments;
mod bench;
mod check;
mod clean;
mod colour;
pub mod compile;
mod completions;
mod config;
mod construct;
mod data;
mod derive;
mod doctor;
mod emit;
mod equal;
mod explain;
mod fmt;
mod fold;
mod knowledge;
mod lsp;
mod man;
mod members;
mod new;
mod output;
mod progress;
mod prompt;
mod refine;
mod replay;
mod rewrite;
mod rules;
mod run;
mod search;
mod settings;
mod show;
mod test;
mod trajectory;
mod tune;
pub mod variables;
mod watch;

use crate::diagnostic::Diagnostic;
use crate::pipeline::Failure;
use crate::term::{Sources, visible, visible_but_colours};
use crate::toolchain;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use colour::Colour;
use output::{Done, Output, Stop, Talk};
use settings::{Applied, apply, blamed, deepest, said};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// From a sequential scheme to a checked parallel program.
///
/// A scheme is an algorithm with its data, written once. Rules turn it, step by checked step, into
/// a parallel one; templates turn that into CUDA C++ or Rust, which is built, run and compared with
/// the scheme it came from.
#[derive(Parser)]
#[command(name = "glushkov", version, arg_required_else_help = true)]
#[command(
    after_help = "Start with: glushkov run hermite\nExit codes: 0 done; 1 a question answered no; 2 wrong use, bad input, a missing compiler or device; 128 + n ended by signal n."
)]
struct Cli {
    /// Print only results and errors: no progress, no notes
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Show everything that stopped a rule, not just one line for each loop that stays sequential
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
    /// When to use colours in messages and help
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: Colour,
    /// Ignore settings files (see glushkov config)
    #[arg(long, global = true)]
    no_config: bool,
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    fn talk(&self) -> Talk {
        match (self.quiet, self.verbose) {
            (true, _) => Talk::Quiet,
            (false, true) => Talk::Verbose,
            (false, false) => Talk::Usual,
        }
    }
}

#[derive(Subcommand)]
enum Command {
    /// Write a small scheme to start from
    New(new::Args),
    /// Read a scheme, check it, and run it on the reference machine
    Check(check::Args),
    /// Show a scheme as text, formula, LaTeX or term
    Show(show::Args),
    /// Give a phrase of a scheme its definition
    Refine(refine::Args),
    /// Take the definition of a phrase out of a scheme, or make operators a phrase
    Fold(fold::Args),
    /// Lay out schemes and rule files
    Fmt(fmt::Args),
    /// Serve an editor: diagnostics, names, completion, layout
    Lsp(lsp::Args),
    /// Transform a scheme by a strategy and print the result
    Derive(derive::Args),
    /// Decide whether two schemes are equal, or find what tells them apart
    Equal(equal::Args),
    /// Write a program as a project
    Emit(emit::Args),
    /// Derive, emit, build, run, report and compare
    Run(run::Args),
    /// Test schemes by what their comments expect
    Test(test::Args),
    /// Check a scheme at each save, and run or test it if asked
    Watch(watch::Args),
    /// Measure programs at several sizes, several targets and strategies side by side
    Bench(bench::Args),
    /// Search a strategy's parameters on this machine, for run and emit to take up
    Tune(tune::Args),
    /// Take every step of a saved derivation again
    Replay(replay::Args),
    /// Rewrite any term by a system of rules
    Rewrite(rewrite::Args),
    /// List the rules and strategies, or print the page of one
    Rules(rules::Args),
    /// Write initial conditions as .npy files
    Data(data::Args),
    /// Write snapshots of positions as extended XYZ, for viewers of atoms
    Trajectory(trajectory::Args),
    /// Say what compilers and devices are found
    Doctor(doctor::Args),
    /// Show which settings are in force, and where each comes from
    Config(config::Args),
    /// Print a script for a shell that completes commands, options and names
    Completions(completions::Args),
    /// Print or write pages of the manual
    Man(man::Args),
    /// Remove cached builds
    Clean(clean::Args),
    /// Explain a diagnostic's code, the loops around a line of a scheme, or a line of an emitted program
    Explain(explain::Args),
}

/// What is meant by words that are not among the values of an argument.
const TIPS: [(&str, &str); 4] = [
    ("gpu", "GPUs are `cuda`, or `rust-cuda` with a host in Rust"),
    (
        "nvidia",
        "GPUs are `cuda`, or `rust-cuda` with a host in Rust",
    ),
    ("cpu", "processors are `rust`, or `cpp` in C++"),
    ("c++", "C++ is `cpp`, and for GPUs `cuda`"),
];

/// Says what is meant where a value is a word that is known.
fn add_tip(error: &mut clap::Error) {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
        return;
    };
    let value = value.to_lowercase();
    if let Some((_, tip)) = TIPS.iter().find(|(word, _)| *word == value) {
        let tips = ContextValue::StyledStrs(vec![(*tip).into()]);
        error.insert(ContextKind::Suggested, tips);
    }
}

/// The definition of the command line.
fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line of this process; the code is its exit code.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs a command line whose first word is the program's name; gives the exit code. It handles signals and
/// panics as is right for a process that does nothing else.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    if completions::answered(&words) {
        return 0;
    }
    let colour = Colour::asked(&words);
    let mut output = Output::new(Talk::Usual, colour);
    let in_json = words_ask_for_json(&words);
    let mut root = command();
    root.build();
    let applied = match apply(&root, words, &mut output.session.sources) {
        Ok(applied) => applied,
        Err(failure) => return refused(&failure, in_json, &mut output),
    };
    let sources = std::mem::take(&mut output.session.sources);
    drop(output);
    let parsed = command().try_get_matches_from(&applied.words);
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return explained(error, &applied, in_json, colour, sources),
    };
    // Never meant to happen; if it does, it is told as what it is.
    std::panic::set_hook(Box::new(|panic| {
        let told = panic.to_string();
        let _ = writeln!(
            std::io::stderr(),
            "error: this is a bug of glushkov: {}",
            visible(&told)
        );
    }));
    if let Err(e) = toolchain::end_on_signals() {
        let _ = writeln!(std::io::stderr(), "note: signals are not handled: {e}");
    }
    toolchain::sweep(&std::env::temp_dir());
    let done = crate::term::with_deep_stack(|| {
        let mut output = Output::new(cli.talk(), cli.color);
        // Texts of settings are none of the command's, which may keep a record of all that it reads.
        tell_settings(&applied, &cli, &sources, &output);
        if let Some(what) = worked_on(&matches) {
            output.working(&what);
        }
        match cli.command.run(cli.no_config, &mut output) {
            Ok(()) => 0,
            Err(Stop::Closed) => 0,
            Err(Stop::Code(code)) => code,
            Err(Stop::Failed(failure)) => refused(&failure, answers_in_json(&matches), &mut output),
        }
    });
    toolchain::tidy();
    done
}

/// Whether words of a command line that may be wrong ask for an answer by JSON on standard output.
fn words_ask_for_json(words: &[OsString]) -> bool {
    let is_bench = words.iter().any(|word| word == "bench");
    let mut after = words.iter().skip_while(|word| *word != "--json");
    // That of bench names a file.
    after.next().is_some() && (!is_bench || after.next().is_some_and(|file| file == "-"))
}

/// Whether a command was asked to answer by JSON on standard output.
fn answers_in_json(matches: &ArgMatches) -> bool {
    let (_, own) = deepest(matches);
    let asked = matches!(own.try_get_one::<bool>("json"), Ok(Some(true)));
    // That of bench names a file.
    let to_output = own.try_get_one::<std::path::PathBuf>("json");
    asked || matches!(to_output, Ok(Some(path)) if path == Path::new("-"))
}

/// What a command that is not talked to works on, for people.
fn worked_on(matches: &ArgMatches) -> Option<String> {
    let (path, own) = deepest(matches);
    let is_on = |id| matches!(own.try_get_one::<bool>(id), Ok(Some(true)));
    let prompted = is_on("prompt") || is_on("interactive");
    if matches!(path.first(), Some(&("lsp" | "watch"))) || prompted {
        return None;
    }
    let mut texts = ["file", "first", "rules", "files", "paths"]
        .into_iter()
        .filter_map(|id| {
            // Of what a command does not have, nothing may be asked.
            let known = own.ids().any(|other| other.as_str() == id);
            let given = known.then(|| own.get_raw(id))?;
            Some(given?.next()?.to_string_lossy())
        });
    let text = texts.next().unwrap_or_default();
    let typed = text == "-" && std::io::stdin().is_terminal();
    (!typed).then(|| format!("{} {text}", path.join(" ")))
}

/// Tells why a command ends early; gives its exit code. Where an answer by JSON was asked for and none was
/// given yet, this is the answer.
fn refused(failure: &Failure, in_json: bool, output: &mut Output) -> u8 {
    let code = failure.exit_code();
    let answered = match in_json && !output.has_written() {
        true => output.failure(failure),
        false => Err(Stop::Code(code)),
    };
    if answered.is_err() {
        output.tell_all(&failure.diagnostics);
    }
    code
}

/// Says, to those who want to know all, which settings came from files.
fn tell_settings(applied: &Applied, cli: &Cli, sources: &Sources, output: &Output) {
    if cli.talk() != Talk::Verbose {
        return;
    }
    for setting in &applied.settings {
        let (key, value) = (&setting.key, setting.shown());
        let place = config::place(setting, sources);
        output.say(&format!("--{key} {value} ({place})"));
    }
}

/// Prints help, or what is wrong with a command line; gives the exit code.
fn explained(
    mut error: clap::Error,
    applied: &Applied,
    in_json: bool,
    colour: Colour,
    sources: Sources,
) -> u8 {
    add_tip(&mut error);
    let mut output = Output::new(Talk::Usual, colour);
    output.session.sources = sources;
    if error.use_stderr() {
        let diagnostic = blamed(&error, &applied.settings);
        if in_json || diagnostic.is_some() {
            let diagnostic = diagnostic.unwrap_or_else(|| {
                let (message, hint) = said(&error);
                let diagnostic = Diagnostic::error("E0006", message);
                match hint {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                }
            });
            return refused(&diagnostic.into(), in_json, &mut output);
        }
    }
    let code = if error.use_stderr() { 2 } else { 0 };
    let has_colour = match error.use_stderr() {
        true => colour.on(&std::io::stderr()),
        false => colour.on(&std::io::stdout()),
    };
    // What was typed is shown with what it hides.
    let text = match has_colour {
        true => visible_but_colours(&error.render().ansi().to_string()),
        false => visible(&error.render().to_string()).into_owned(),
    };
    let written = match error.use_stderr() {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => std::io::stdout().write_all(text.as_bytes()),
    };
    match written {
        // Whoever read it has gone.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "error: the help cannot be written: {e}");
            2
        }
        _ => code,
    }
}

impl Command {
    fn run(&self, no_config: bool, output: &mut Output) -> Done {
        match self {
            Command::New(args) => new::run(args, output),
            Command::Check(args) => check::run(args, output),
            Command::Show(args) => show::run(args, output),
            Command::Refine(args) => refine::run(args, output),
            Command::Fold(args) => fold::run(args, output),
            Command::Fmt(args) => fmt::run(args, output),
            Command::Lsp(args) => lsp::run(args, output),
            Command::Derive(args) => derive::run(args, output),
            Command::Equal(args) => equal::run(args, output),
            Command::Emit(args) => emit::run(args, output),
            Command::Run(args) => run::run(args, output),
            Command::Test(args) => test::run(args, output),
            Command::Watch(args) => watch::run(args, no_config, output),
            Command::Bench(args) => bench::run(args, output),
            Command::Tune(args) => tune::run(args, output),
            Command::Replay(args) => replay::run(args, output),
            Command::Rewrite(args) => rewrite::run(args, output),
            Command::Rules(args) => rules::run(args, output),
            Command::Data(args) => data::run(args, output),
            Command::Trajectory(args) => trajectory::run(args, output),
            Command::Doctor(args) => doctor::run(args, output),
            Command::Config(args) => config::run(args, output),
            Command::Completions(args) => completions::run(args, output),
            Command::Man(args) => man::run(args, output),
            Command::Clean(args) => clean::run(args, output),
            Command::Explain(args) => explain::run(args, output),
        }
    }
}
