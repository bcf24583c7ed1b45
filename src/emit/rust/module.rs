//! The files of a program → one text, a module of somebody's crate.

use super::{Kernels, project};
use crate::diagnostic::Diagnostic;
use crate::emit::EmitOptions;
use crate::emit::variants::Program;
use std::fmt::Write as _;

/// A program as a text for `include!`, without dependencies and without anything that it asks of the
/// crate around it but that panics unwind.
#[derive(Clone, Debug)]
pub struct Module {
    /// The name of its function.
    pub name: String,
    /// The text.
    pub text: String,
}

/// What a crate may have set that would refuse or warn of emitted code, which is none of its author's.
const ALLOWED: &str = "warnings, unknown_lints, renamed_and_removed_lints, unused, nonstandard_style, future_incompatible, keyword_idents, \
    let_underscore, rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, \
    arithmetic_overflow, unconditional_panic, missing_docs, missing_debug_implementations, \
    missing_copy_implementations, redundant_lifetimes, single_use_lifetimes, trivial_casts, \
    trivial_numeric_casts, unreachable_pub, unsafe_code, unused_qualifications, unused_results, \
    variant_size_differences, clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo, \
    clippy::restriction";

/// The module of a program.
pub(in crate::emit) fn module(
    program: &Program,
    options: &EmitOptions,
) -> Result<Module, Vec<Diagnostic>> {
    let project = project(program, options, Kernels::Processor, true)?.project;
    let file = |path: &str| {
        let mut files = project.files.iter();
        files
            .find(|(p, _)| p == path)
            .map(|(_, text)| text.as_str())
    };
    let mut text = String::new();
    let _ = writeln!(text, "#[allow({ALLOWED})]\nmod program {{");
    for line in file("src/lib.rs").unwrap_or_default().lines() {
        let named = line.strip_prefix("mod ").and_then(|l| l.strip_suffix(';'));
        let inside = named.and_then(|name| Some((name, file(&format!("src/{name}.rs"))?)));
        match inside {
            // Paths lead from a file of the crate to another by `super`, as from here.
            Some((name, inside)) => {
                let _ = writeln!(text, "mod {name} {{\n{inside}}}");
            }
            None => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text.push_str("}\n\n#[allow(unused_imports, unreachable_pub)]\npub use program::*;\n");
    Ok(Module {
        name: project.name,
        text,
    })
}
