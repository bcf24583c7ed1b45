//! The command-line tool; see `glushkov::cli`.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Derivations allocate and free many small values, for which it takes half as long as that of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    glushkov::cli::main()
}
