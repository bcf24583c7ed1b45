//! Grammars of tree-sitter → parsers: C that editors compile, and libraries that some load as they are.

use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The grammars: the name of each, which its functions of C bear, and its folder.
pub const GRAMMARS: [(&str, &str); 2] = [
    ("glushkov", "tree-sitter-glushkov"),
    ("glushkov_rules", "tree-sitter-glushkov-rules"),
];

/// The version of the interface between parsers and editors: the first one with reserved words.
pub const ABI: usize = 15;

/// The folder that holds the folders of the grammars.
pub fn editors() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Writes the parser of a grammar's folder, `parser.c` and its headers, into another folder. The grammar runs on a
/// machine for JavaScript of its own; node is not needed.
///
/// # Errors
///
/// A grammar that cannot be read or is ambiguous, and a folder that cannot be written.
pub fn generate(grammar: &Path, into: &Path, abi: usize) -> Result<()> {
    let mut told = Vec::new();
    generate_parser_in_directory(
        grammar,
        Some(into),
        None::<&Path>,
        abi,
        None,
        Some("native"),
        true,
        OptLevel::default(),
        &mut told,
    )
    .map_err(|e| Error::other(e.to_string()))
}

/// Compiles the parser in a folder to a library.
///
/// # Errors
///
/// Where there is no `cc`, or it refuses.
pub fn compile(parser: &Path, library: &Path) -> Result<()> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let done = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-I"])
        .arg(parser)
        .arg(parser.join("parser.c"))
        .arg("-o")
        .arg(library)
        .status()?;
    match done.success() {
        true => Ok(()),
        false => Err(Error::other("the parser does not compile")),
    }
}
