//! Files of settings: which are read, what wins, what is refused.

use super::Ran;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  M : INTEGER := 7\n\
    \x20 k : INTEGER [N] OUTPUT\nEND OF DATA\n\
    \x20 FOR (i FROM 0 TO N - 1) LOOP k[i] := M END OF LOOP\nEND OF SCHEME \"s\"\n";

/// A user with a project that has a folder of schemes.
struct User(tempfile::TempDir);

impl User {
    fn new(files: &[(&str, &str)]) -> User {
        let user = User(tempfile::tempdir().expect("a folder"));
        for folder in ["config/glushkov", "project/schemes", "cache"] {
            std::fs::create_dir_all(user.path(folder)).expect("a folder");
        }
        std::fs::write(user.path("project/schemes/s.saa"), SCHEME).expect("a file");
        for (name, text) in files {
            std::fs::write(user.path(name), text).expect("a file");
        }
        user
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the tool in the folder of schemes.
    fn runs(&self, arguments: &str) -> Ran {
        self.runs_with(arguments, &[])
    }

    fn runs_with(&self, arguments: &str, variables: &[(&str, &str)]) -> Ran {
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(arguments.split(' '))
            .current_dir(self.path("project/schemes"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("GLUSHKOV_CONFIG")
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .output()
            .expect("the tool starts");
        Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: start.elapsed(),
        }
    }

    /// The value of an option in force, and where it comes from.
    fn value(&self, command: &str, option: &str) -> (String, String) {
        let ran = self.runs(&format!("config {command} --json"));
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        let all: Value = serde_json::from_str(&ran.out).expect("an object");
        let all = all["settings"].as_array().expect("a list").clone();
        let one = all.iter().find(|one| one["option"] == option);
        let one = one.unwrap_or_else(|| panic!("{command} has no {option}"));
        let text = |key: &str| one[key].as_str().expect("a text").to_owned();
        let root = self.0.path().canonicalize().expect("a folder");
        let from = text("from").replace(&format!("{}/", root.display()), "");
        (
            text("value"),
            from.replace(&format!("{}/", self.0.path().display()), ""),
        )
    }
}

fn pair(value: &str, from: &str) -> (String, String) {
    (value.to_owned(), from.to_owned())
}

#[test]
fn the_nearest_file_wins_then_the_users_then_the_default() {
    let user = User::new(&[
        (
            "config/glushkov/config.toml",
            "target = \"interpreter\"\nprecision = \"f64\"\nlang = \"uk\"\n",
        ),
        ("glushkov.toml", "lang = \"ru\"\n"),
        (
            "project/glushkov.toml",
            "target = \"rust\"\n\n[run]\nstrategy = \"gpu-fast\"\ntolerance = 1e-3\n",
        ),
    ]);
    assert_eq!(
        user.value("run", "target"),
        pair("rust", "project/glushkov.toml:1")
    );
    assert_eq!(
        user.value("run", "strategy"),
        pair("gpu-fast", "project/glushkov.toml:4")
    );
    assert_eq!(
        user.value("run", "precision"),
        pair("f64", "config/glushkov/config.toml:2")
    );
    // Of files above each other only the nearest is read.
    assert_eq!(
        user.value("show", "lang"),
        pair("uk", "config/glushkov/config.toml:3")
    );
    assert_eq!(
        user.value("derive", "strategy"),
        pair("parallel", "default")
    );
}

#[test]
fn a_command_wins_over_all_and_what_is_typed_over_both() {
    let user = User::new(&[(
        "project/glushkov.toml",
        "as = \"term\"\nset = { N = 3 }\ncolor = \"always\"\n[show]\nas = \"formula\"\n",
    )]);
    let formula = user.runs("show s.saa").out;
    assert!(formula.contains('⟨') || formula.contains('*'), "{formula}");
    assert_eq!(
        user.runs("show s.saa --no-config").out,
        user.runs("show s.saa --as text").out
    );
    assert!(user.runs("show s.saa --as text").out.contains("SCHEME"));
    assert!(user.runs("show no-such.saa").err.contains('\u{1b}'));
    assert!(
        !user
            .runs("show no-such.saa --color never")
            .err
            .contains('\u{1b}')
    );
    assert!(
        !user
            .runs_with("show no-such.saa", &[("NO_COLOR", "1")])
            .err
            .contains('\u{1b}')
    );
    // A file's folder is that of the scheme, wherever one is.
    let elsewhere = user.path("project/schemes/s.saa");
    let ran = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(["-v", "show"])
        .arg(elsewhere)
        .current_dir("/")
        .env_remove("GLUSHKOV_CONFIG")
        .env("XDG_CONFIG_HOME", user.path("config"))
        .output()
        .expect("the tool starts");
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(
        told.contains("--as formula") && told.contains("glushkov.toml:5"),
        "{told}"
    );
}

#[test]
fn values_by_name_are_joined_name_by_name() {
    let user = User::new(&[("project/glushkov.toml", "[run]\nset = { N = 3, M = 2 }\n")]);
    let run = "run s.saa --target interpreter --json --no-compare --no-tuned";
    let parameters = |arguments: &str| {
        let ran = user.runs(arguments);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let all: Value = serde_json::from_str(&ran.out).expect("an object");
        (
            all["parameters"]["N"].clone(),
            all["parameters"]["M"].clone(),
        )
    };
    assert_eq!(parameters(run), (3.into(), 2.into()));
    assert_eq!(
        parameters(&format!("{run} --set N=4")),
        (4.into(), 2.into())
    );
    assert_eq!(
        parameters(&format!("{run} --no-config")),
        (5.into(), 7.into())
    );
}

#[test]
fn what_is_typed_puts_out_what_contradicts_it() {
    let user = User::new(&[(
        "project/glushkov.toml",
        "[run]\ncompare = true\ntarget = \"interpreter\"\n",
    )]);
    let ran = user.runs("run s.saa --no-compare --strategy parallel");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let user = User::new(&[(
        "project/glushkov.toml",
        "[run]\ncompare = true\nno-compare = true\n",
    )]);
    let ran = user.runs("run s.saa");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("E0011") && ran.err.contains("glushkov.toml:"),
        "{}",
        ran.err
    );
}

#[test]
fn what_no_command_has_is_refused_with_its_place() {
    for (text, line, says) in [
        (
            "target = \"rust\"\ntarjet = \"rust\"\n",
            2,
            "did you mean `target`?",
        ),
        ("[run]\nstrateg = \"gpu\"\n", 2, "did you mean `strategy`?"),
        ("[rum]\ntarget = \"rust\"\n", 1, "did you mean `run`?"),
        (
            "[run]\nlang = \"uk\"\n",
            2,
            "does not have an option `lang`",
        ),
        ("cache_limit = \"1GB\"\n", 1, "did you mean `cache-limit`?"),
        ("oracle = \"rm -rf /\"\n", 1, "cannot be set by a file"),
        ("[replay]\njson = true\n", 1, "takes no settings from files"),
        ("checked = \"yes\"\n", 1, "true or false"),
        ("target = [\"rust\", \"cuda\"]\n", 1, "one text or number"),
        ("\ntarget = rust\n", 2, "this is no TOML"),
    ] {
        let user = User::new(&[("project/glushkov.toml", text)]);
        let ran = user.runs("run s.saa --target interpreter --no-compare");
        assert_eq!(ran.code, Some(2), "{text}: {}", ran.err);
        assert!(
            ran.err.contains("error[E0011]") && ran.err.contains(says),
            "{text}: {}",
            ran.err
        );
        assert!(
            ran.err.contains(&format!("glushkov.toml:{line}:")),
            "{text}: {}",
            ran.err
        );
        let json: Value =
            serde_json::from_str(&user.runs("run s.saa --json").out).expect("an object");
        assert_eq!(json["diagnostics"][0]["line"], line, "{text}");
    }
}

#[test]
fn values_are_refused_as_they_would_be_if_typed() {
    for (key, value) in [
        ("target", "gpu"),
        ("tolerance", "-1"),
        ("compare-within", "soon"),
        ("cache-limit", "much"),
    ] {
        let user = User::new(&[(
            "project/glushkov.toml",
            &format!("[run]\n{key} = \"{value}\"\n"),
        )]);
        let typed = user.runs(&format!("run s.saa --no-config --{key}={value}"));
        let first = typed.err.lines().next().expect("a line");
        let message = first.strip_prefix("error: ").expect("an error");
        let ran = user.runs("run s.saa");
        assert_eq!((ran.code, typed.code), (Some(2), Some(2)), "{}", ran.err);
        assert!(ran.err.contains(message), "{message}\n{}", ran.err);
        assert!(ran.err.contains("glushkov.toml:2:"), "{}", ran.err);
    }
}

#[test]
fn some_runs_read_no_file() {
    let user = User::new(&[("config/glushkov/config.toml", "nonsense = 1\n")]);
    assert_eq!(user.runs("check s.saa").code, Some(2));
    assert_eq!(user.runs("check s.saa --no-config").code, Some(0));
    assert_eq!(
        user.runs_with("check s.saa", &[("GLUSHKOV_CONFIG", "none")])
            .code,
        Some(0)
    );
    let saved = user.runs("derive s.saa --no-config --save d.json");
    assert_eq!(saved.code, Some(0), "{}", saved.err);
    let ran = user.runs("replay d.json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // A variable names the one file that is read.
    let other = user.path("other.toml");
    std::fs::write(&other, "as = \"term\"\n").expect("a file");
    let ran = user.runs_with(
        "show s.saa",
        &[("GLUSHKOV_CONFIG", &other.display().to_string())],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.out.contains("END OF"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_write_is_not_obeyed() {
    use std::os::unix::fs::PermissionsExt;
    let user = User::new(&[("project/glushkov.toml", "as = \"term\"\n")]);
    let mode = std::fs::Permissions::from_mode(0o666);
    std::fs::set_permissions(user.path("project/glushkov.toml"), mode).expect("a mode");
    let ran = user.runs("show s.saa");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("can be written by other users") && ran.err.contains("--no-config"),
        "{}",
        ran.err
    );
}

#[test]
fn the_bound_of_the_cache_can_be_set() {
    let user = User::new(&[("project/glushkov.toml", "[run]\ncache-limit = \"1MB\"\n")]);
    assert_eq!(
        user.value("run", "cache-limit"),
        pair("1MB", "project/glushkov.toml:2")
    );
    let builds = user.path("cache/glushkov/builds");
    let old = |name: char| builds.join(name.to_string().repeat(32));
    let fill = |path: &Path| {
        std::fs::create_dir_all(path.join("bin")).expect("a folder");
        std::fs::write(path.join("bin/old"), vec![0; 2 << 20]).expect("a file");
    };
    ['a', 'b', 'c'].iter().for_each(|name| fill(&old(*name)));
    let ran = user.runs("clean --to 5MB --dry-run");
    assert!(
        ran.out.contains("old") && ran.err.contains("1 builds, 2.0 MiB, would be removed"),
        "{}{}",
        ran.out,
        ran.err
    );
    assert!(['a', 'b', 'c'].iter().all(|name| old(*name).exists()));
    let ran = user.runs("clean --to 5MB");
    assert!(
        ran.err.contains("1 builds, 2.0 MiB, removed") && ran.err.contains("4.0 MiB left"),
        "{}",
        ran.err
    );
    let ran = user.runs("run s.saa --target rust --no-compare");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(['a', 'b', 'c'].iter().all(|name| !old(*name).exists()));
    let ran = user.runs("clean --to much");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn options_that_mean_nothing_alone_wait_for_what_they_need() {
    let user = User::new(&[(
        "project/glushkov.toml",
        "target = \"interpreter\"\nruns = 1\n",
    )]);
    let ran = user.runs("explain E0203");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = user.runs("explain s.saa:7 --json");
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let ran = user.runs("explain s.saa:7 --measure --verbose");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("--target interpreter"), "{}", ran.err);
    // What an option needs may stand in a file, too.
    let measured = User::new(&[(
        "project/glushkov.toml",
        "[explain]\nruns = 1\nmeasure = true\n",
    )]);
    let ran = measured.runs("explain s.saa:7 --verbose");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("--runs 1"), "{}", ran.err);
    // Who types it alone is told.
    assert_eq!(user.runs("explain E0203 --runs 1").code, Some(2));
}

#[test]
fn an_empty_list_is_no_option() {
    let user = User::new(&[(
        "project/glushkov.toml",
        "without = []\nassume = []\nset = {}\n",
    )]);
    let ran = user.runs("derive s.saa --strategy gpu --verbose");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(!ran.err.contains("glushkov.toml"), "{}", ran.err);
    assert_eq!(user.value("derive", "without").0, "");
}

#[test]
fn a_line_of_a_scheme_is_read_with_the_settings_of_its_folder() {
    let user = User::new(&[(
        "project/schemes/glushkov.toml",
        "[explain]\nstrategy = \"parallel\"\n",
    )]);
    let line = format!("{}:7", user.path("project/schemes/s.saa").display());
    let told = Command::new(env!("CARGO_BIN_EXE_glushkov"))
        .args(["explain", &line])
        .current_dir(user.path("project"))
        .env("XDG_CONFIG_HOME", user.path("config"))
        .env_remove("GLUSHKOV_CONFIG")
        .output()
        .expect("the tool starts");
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("strategy parallel"), "{told}");
    assert!(!told.contains("strategy gpu"), "{told}");
}

#[test]
fn a_derivation_is_recorded_without_the_settings() {
    let user = User::new(&[("project/glushkov.toml", "strategy = \"cpu\"\n")]);
    let ran = user.runs("derive s.saa --save d.json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = user.runs("replay d.json");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let record = std::fs::read_to_string(user.path("project/schemes/d.json")).expect("a record");
    assert!(record.contains("s.saa") && !record.contains("glushkov.toml"));
}

#[test]
fn what_is_no_file_is_not_read() {
    let user = User::new(&[]);
    for named in ["/dev/zero", "nosuch.toml", "."] {
        let ran = user.runs_with("config", &[("GLUSHKOV_CONFIG", named)]);
        assert_eq!(ran.code, Some(2), "{named}");
        assert!(ran.err.contains("GLUSHKOV_CONFIG names it"), "{}", ran.err);
    }
    assert_eq!(user.runs("config --of nosuch").code, Some(2));
}
