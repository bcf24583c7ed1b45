//! The command line: one file a command, and what they share; the work itself is the pipeline's.

mod arguments;
mod bench;
mod check;
mod clean;
pub mod compile;
mod data;
mod derive;
mod doctor;
mod emit;
mod equal;
mod explain;
mod fmt;
mod knowledge;
mod lsp;
mod new;
mod output;
mod prompt;
mod replay;
mod rewrite;
mod rules;
mod run;
mod search;
mod show;
mod spinner;
mod test;
mod trajectory;
mod tune;
mod watch;

use crate::toolchain;
use clap::error::{ContextKind, ContextValue};
use clap::{Parser, Subcommand};
use output::{Output, Stop, Talk};
use std::ffi::OsString;
use std::io::Write;
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
    /// Tell nothing but results and errors: no progress, no notes
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Tell all that stopped a rule, not just a line for each loop that stays sequential
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    verbose: bool,
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
    /// Check a scheme, and run it if asked, at each save
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
    ("cpu", "processors are `rust`"),
    ("c++", "C++ for GPUs is `cuda`"),
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

/// Runs the command line of this process; the code is its exit code.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs a command line whose first word is the program's name; gives the exit code. It handles signals and
/// panics as is right for a process that does nothing else.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(mut error) => {
            add_tip(&mut error);
            let code = if error.use_stderr() { 2 } else { 0 };
            // What was typed is shown with what it hides.
            let text = error.render().to_string();
            let text = crate::term::visible(&text);
            let written = match error.use_stderr() {
                true => std::io::stderr().write_all(text.as_bytes()),
                false => std::io::stdout().write_all(text.as_bytes()),
            };
            return match written {
                // Whoever read it has gone.
                Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                    let _ = writeln!(std::io::stderr(), "error: the help cannot be written: {e}");
                    2
                }
                _ => code,
            };
        }
    };
    // Never meant to happen; if it does, it is told as what it is.
    std::panic::set_hook(Box::new(|panic| {
        let told = panic.to_string();
        let _ = writeln!(
            std::io::stderr(),
            "error: this is a bug of glushkov: {}",
            crate::term::visible(&told)
        );
    }));
    if let Err(e) = toolchain::end_on_signals() {
        let _ = writeln!(std::io::stderr(), "note: signals are not handled: {e}");
    }
    toolchain::sweep(&std::env::temp_dir());
    let done = crate::term::with_deep_stack(|| {
        let mut output = Output::new(cli.talk());
        let done = match cli.command {
            Command::New(args) => new::run(&args, &mut output),
            Command::Check(args) => check::run(&args, &mut output),
            Command::Show(args) => show::run(&args, &mut output),
            Command::Fmt(args) => fmt::run(&args, &mut output),
            Command::Lsp(args) => lsp::run(&args, &mut output),
            Command::Derive(args) => derive::run(&args, &mut output),
            Command::Equal(args) => equal::run(&args, &mut output),
            Command::Emit(args) => emit::run(&args, &mut output),
            Command::Run(args) => run::run(&args, &mut output),
            Command::Test(args) => test::run(&args, &mut output),
            Command::Watch(args) => watch::run(&args, &mut output),
            Command::Bench(args) => bench::run(&args, &mut output),
            Command::Tune(args) => tune::run(&args, &mut output),
            Command::Replay(args) => replay::run(&args, &mut output),
            Command::Rewrite(args) => rewrite::run(&args, &mut output),
            Command::Rules(args) => rules::run(&args, &mut output),
            Command::Data(args) => data::run(&args, &mut output),
            Command::Trajectory(args) => trajectory::run(&args, &mut output),
            Command::Doctor(args) => doctor::run(&args, &mut output),
            Command::Clean(args) => clean::run(&args, &mut output),
            Command::Explain(args) => explain::run(&args, &mut output),
        };
        match done {
            Ok(()) => 0,
            Err(Stop::Closed) => 0,
            Err(Stop::Code(code)) => code,
            Err(Stop::Failed(failure)) => {
                output.tell_all(&failure.diagnostics);
                failure.exit_code()
            }
        }
    });
    toolchain::tidy();
    done
}
