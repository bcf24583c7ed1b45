//! Who decides what is built and run: nobody but the user, and nothing that a cache's key lacks.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  k : INTEGER [N] OUTPUT\n\
                      END OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP k[i] := i + N END OF LOOP\n\
                      END OF SCHEME \"s\"\n";

/// A user of this machine: a home, a cache, a folder for temporary files, and a scheme.
struct User {
    folder: TempDir,
}

impl User {
    fn new() -> User {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["cache", "tmp", "work"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("work/s.saa"), SCHEME).expect("a file");
        User { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The tool, run in the user's folder of work.
    fn tool(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_glushkov"));
        command.args(arguments).current_dir(self.path("work"));
        command.env("XDG_CACHE_HOME", self.path("cache"));
        command.env("TMPDIR", self.path("tmp"));
        command.env_remove("RUST_BACKTRACE");
        command
    }

    fn run(&self) -> Command {
        self.tool(&["run", "s.saa", "--target", "rust", "--no-compare"])
    }

    /// The finished builds.
    fn builds(&self) -> Vec<PathBuf> {
        let entries = self.path("cache/glushkov/builds").read_dir();
        let entries = entries.into_iter().flatten().flatten();
        let folders = entries.map(|e| e.path()).filter(|p| p.join("bin").is_dir());
        folders.collect()
    }

    /// What is left in the folder for temporary files.
    fn left(&self) -> usize {
        self.path("tmp").read_dir().expect("a folder").count()
    }
}

fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("a file");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(path, mode).expect("it is ours");
}

fn ends_well(command: &mut Command) -> Output {
    let output = command.output().expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
    output
}

#[test]
fn variables_that_a_key_lacks_do_not_reach_a_build() {
    let user = User::new();
    // Whatever obeys one of these leaves a trace or fails.
    let trace = user.path("trace");
    let wrapper = user.path("wrapper");
    script(&wrapper, &format!("touch {}; exec \"$@\"", trace.display()));
    ends_well(
        user.run()
            .env("RUSTC_WRAPPER", &wrapper)
            .env("RUSTC_WORKSPACE_WRAPPER", &wrapper)
            .env("CARGO_BUILD_RUSTC_WRAPPER", &wrapper)
            .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "/no/linker")
            .env(
                "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
                "--no-such-flag",
            )
            .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "no such level")
            .env("CARGO_UNSTABLE_BUILD_STD", "core")
            .env("LIBRARY_PATH", "/no")
            .env("COMPILER_PATH", user.path("work")),
    );
    assert!(!trace.exists(), "a wrapper ran");
    let built = user.builds();
    ends_well(&mut user.run());
    assert_eq!(
        user.builds(),
        built,
        "a variable that no build sees is in the key"
    );
}

#[test]
fn flags_and_configuration_are_in_the_key() {
    let user = User::new();
    ends_well(&mut user.run());
    assert_eq!(user.builds().len(), 1);
    ends_well(user.run().env("RUSTFLAGS", "-C debuginfo=0"));
    assert_eq!(user.builds().len(), 2);
    // The configuration in cargo's folder is the user's own: obeyed, and in the key.
    let real = std::env::var_os("RUSTUP_HOME").map(PathBuf::from);
    let real = real.or_else(|| Some(std::env::home_dir()?.join(".rustup")));
    let with_home = || {
        let mut command = user.run();
        command.env("CARGO_HOME", user.path("cargo"));
        command.env("RUSTUP_HOME", real.as_deref().expect("a home"));
        command
    };
    std::fs::create_dir(user.path("cargo")).expect("a folder");
    ends_well(&mut with_home());
    assert_eq!(user.builds().len(), 3);
    let configuration = user.path("cargo/config.toml");
    std::fs::write(&configuration, "[build]\nrustflags = [\"-Cdebuginfo=0\"]\n").expect("a file");
    ends_well(&mut with_home());
    assert_eq!(user.builds().len(), 4);
    // What the algorithms need is not a matter of configuration.
    let profile = "[profile.release]\noverflow-checks = false\npanic = \"abort\"\n";
    std::fs::write(&configuration, profile).expect("a file");
    let output = with_home()
        .args(["--set", "N=5"])
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(0));
    let scheme = SCHEME.replace("i + N", "i * 2000000000");
    std::fs::write(user.path("work/s.saa"), scheme).expect("a file");
    let output = with_home().output().expect("it starts");
    assert_eq!(output.status.code(), Some(1), "an overflow is an error");
}

#[test]
fn files_of_others_are_not_obeyed() {
    let user = User::new();
    let trace = user.path("trace");
    let wrapper = user.path("wrapper");
    script(&wrapper, &format!("touch {}; exec \"$@\"", trace.display()));
    let configuration = format!("[build]\nrustc-wrapper = {:?}\n", wrapper);
    // Above where builds stand, where temporary files are, and where the user stands.
    for place in ["", "cache", "cache/glushkov", "tmp", "work"] {
        let folder = user.path(place).join(".cargo");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), &configuration).expect("a file");
        let toolchain = "[toolchain]\nchannel = \"no-such-channel\"\n";
        std::fs::write(user.path(place).join("rust-toolchain.toml"), toolchain).expect("a file");
    }
    ends_well(&mut user.run());
    assert!(!trace.exists(), "with a cache");
    let rustup = std::env::home_dir().expect("a home").join(".rustup");
    let mut without = user.run();
    without.env_remove("XDG_CACHE_HOME").env_remove("HOME");
    if std::env::var_os("RUSTUP_HOME").is_none() {
        without.env("RUSTUP_HOME", rustup);
    }
    let output = ends_well(&mut without);
    assert!(!trace.exists(), "without a home");
    assert!(String::from_utf8_lossy(&output.stderr).contains("not cached"));
    let output = ends_well(&mut user.tool(&["doctor"]));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("rustc            found"), "{said}");
    assert_eq!(user.left(), 2, "only the two files that were put there");
}

#[test]
fn a_cache_that_others_can_write_is_not_used() {
    let user = User::new();
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(user.path("cache"), open).expect("it is ours");
    let output = ends_well(&mut user.run());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("can be written by other users"), "{said}");
    assert_eq!((user.builds().len(), user.left()), (0, 0));
}

#[test]
fn damaged_builds_are_built_again() {
    let user = User::new();
    ends_well(&mut user.run());
    let folder = user.builds().pop().expect("a build");
    let bin = folder.join("bin");
    let program = bin
        .read_dir()
        .expect("a folder")
        .flatten()
        .next()
        .expect("a program")
        .path();
    let damages: [&dyn Fn(); 6] = [
        &|| std::fs::write(&program, "").expect("it is ours"),
        &|| {
            let mut bytes = std::fs::read(&program).expect("it is there");
            bytes.truncate(bytes.len() / 2);
            std::fs::write(&program, bytes).expect("it is ours");
        },
        &|| script(&program, "echo '{\"poisoned\": true}'"),
        &|| {
            let mode = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(&program, mode).expect("it is ours");
        },
        &|| std::fs::remove_file(&program).expect("it is there"),
        &|| std::fs::remove_dir_all(&bin).expect("it is there"),
    ];
    for (i, damage) in damages.iter().enumerate() {
        damage();
        let output = ends_well(user.run().arg("--json"));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            said.contains("\"scheme\":\"s\"") || said.contains("\"scheme\": \"s\""),
            "{i}: {said}"
        );
        assert!(!said.contains("poisoned"), "{i}: {said}");
    }
    assert_eq!(user.builds(), [folder]);
}

#[test]
fn the_cache_is_bounded_and_cleaned() {
    let user = User::new();
    ends_well(&mut user.run());
    let first = user.builds();
    ends_well(user.run().args(["--strategy", "sequential"]));
    assert_eq!(user.builds().len(), 2);
    // There is room for none; the one that runs stays.
    ends_well(
        user.run()
            .args(["--precision", "f64"])
            .env("GLUSHKOV_CACHE_LIMIT", "1K"),
    );
    assert_eq!(user.builds().len(), 1);
    assert_ne!(user.builds(), first);
    let output = user
        .run()
        .env("GLUSHKOV_CACHE_LIMIT", "much")
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("500M"));
    let output = ends_well(&mut user.tool(&["clean"]));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("1 builds, "));
    let left = user
        .path("cache/glushkov/builds")
        .read_dir()
        .expect("a folder")
        .count();
    assert_eq!(left, 0);
}
