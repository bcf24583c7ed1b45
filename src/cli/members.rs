//! Every member of a family in turn, for the commands that can do that.

use super::arguments::{Common, source};
use super::output::{Done, Output, Stop};
use crate::diagnostic::Diagnostic;
use crate::pipeline::{ALL, Options, members};

/// Does something with the scheme that options name or, with `--given all`, with every member of the family, each
/// after a line that names it. The command goes on after a member that fails; its exit code is the largest.
///
/// # Errors
///
/// What goes wrong with the one scheme, or with any member.
pub fn each_member(
    file: &str,
    options: &Options,
    output: &mut Output,
    mut work: impl FnMut(&Options, &mut Output) -> Done,
) -> Done {
    if !options.given.iter().any(|text| text == ALL) {
        return work(options, output);
    }
    if file == "-" {
        let message =
            "standard input can be read only once, and --given all reads it for every member";
        return Err(Diagnostic::error("E0006", message)
            .hint("name a file")
            .into());
    }
    let mut code = 0;
    for (shown, options) in members(source(file), options, &mut output.session)? {
        if !shown.is_empty() {
            output.print(&format!("# {shown}"))?;
        }
        match work(&options, output) {
            Ok(()) => {}
            Err(Stop::Failed(failure)) => {
                output.tell_all(&failure.diagnostics);
                code = code.max(failure.exit_code());
            }
            Err(Stop::Code(of_member)) => code = code.max(of_member),
            Err(Stop::Closed) => return Err(Stop::Closed),
        }
    }
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Refuses an option that speaks of one scheme where every member is asked for.
///
/// # Errors
///
/// E0006, where `asked` is set and so is `--given all`.
pub fn one_only(common: &Common, option: &str, asked: bool) -> Done {
    if !asked || !common.given.iter().any(|text| text == ALL) {
        return Ok(());
    }
    let message = format!("{option} is of one scheme, and --given all makes every member");
    Err(Diagnostic::error("E0006", message)
        .hint("name a member: --given d=2")
        .into())
}
