//! Embeds the rule base, the library of schemes and that of operators, so that the tool works away from its checkout.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let mut text = String::new();
    for (table, folder, extension) in [
        ("RULES", "rules", "rules"),
        ("SCHEMES", "schemes", "saa"),
        ("OPERATORS", "operators", "ops"),
    ] {
        println!("cargo::rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(Path::new(folder), extension, &mut files);
        files.sort();
        writeln!(
            text,
            "/// Path and text of each file of `{folder}/`, in order of their paths."
        )
        .expect("a string");
        writeln!(text, "pub static {table}: &[(&str, &str)] = &[").expect("a string");
        for file in files {
            let name = file.to_string_lossy().replace('\\', "/");
            // A path under the folder that is built, whichever that is: a build folder may have
            // been copied from another checkout.
            writeln!(
                text,
                "    ({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
                format!("/{name}")
            )
            .expect("a string");
        }
        text.push_str("];\n");
    }
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    std::fs::write(Path::new(&out).join("library.rs"), text).expect("the build folder is writable");
}

fn collect(folder: &Path, extension: &str, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, into);
        } else if path.extension().is_some_and(|e| e == extension) {
            into.push(path);
        }
    }
}
