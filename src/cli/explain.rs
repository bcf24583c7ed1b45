//! `glushkov explain`.

use super::output::{Done, Output, Stop};
use crate::diagnostic::{CODES, Diagnostic};

/// Arguments of `explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The code, such as E0203; without one, all codes
    code: Option<String>,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let Some(code) = &args.code else {
        let lines: Vec<String> = CODES
            .iter()
            .map(|c| format!("{}  {}", c.code, c.title))
            .collect();
        return output.print(&lines.join("\n"));
    };
    match CODES.iter().find(|c| c.code.eq_ignore_ascii_case(code)) {
        Some(page) => output.print(&format!("{}: {}\n\n{}", page.code, page.title, page.text)),
        None => Err(Stop::Told(
            vec![
                Diagnostic::error("E0006", format!("there is no diagnostic {code}"))
                    .hint("glushkov explain lists all of them"),
            ],
            2,
        )),
    }
}
