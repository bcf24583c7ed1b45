//! The command-line tool; see `glushkov::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    glushkov::cli::main()
}
