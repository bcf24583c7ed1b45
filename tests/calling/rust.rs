//! An emitted crate as a member of somebody's workspace.

use crate::building::{CHAIN, emitted, expect_success, write};
use glushkov::toolchain::cargo;
use std::process::Command;

const MAIN: &str = r#"
fn main() {
    let (mut x, mut at, mut total) = ([0.0; 2], [[0.0; 2]; 2], 0.0);
    let done = spring_chain::spring_chain(
        2, 1, 1.0, 0.5, false, &[1.0, 1.0], &[1, 3], [1.0, 2.0], &mut x, &mut at, &mut total,
    );
    let reports = done.expect("a result");
    assert_eq!((x, total, reports.rows.len(), reports.x.len()), ([0.5, 1.5], 2.0, 1, 2));
    println!("well");
}
"#;

const ROOT: &str = "[workspace]\nresolver = \"2\"\nmembers = [\"chain\", \"app\"]\n\
                    [profile.release]\noverflow-checks = true\nopt-level = 0\n";

const APP: &str = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                   [dependencies]\nspring_chain = { path = \"../chain\" }\n";

#[test]
fn an_emitted_crate_is_a_member_of_a_workspace() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    emitted(CHAIN, &root.join("chain"));
    write(&root.join("Cargo.toml"), ROOT);
    write(&root.join("app/Cargo.toml"), APP);
    write(&root.join("app/src/main.rs"), MAIN);
    let mut command = Command::new(cargo().unwrap().path);
    command
        .args([
            "run",
            "--release",
            "--offline",
            "--quiet",
            "--package",
            "app",
        ])
        .env("CARGO_TARGET_DIR", root.join("target"))
        .current_dir(root);
    assert!(expect_success(&mut command).ends_with("well\n"));
}
