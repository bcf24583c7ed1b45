//! Tuning: what is searched, kept and taken up; interrupted, broken, refused.

use crate::Ran;
use glushkov::toolchain::testing::building;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A scheme whose launches have a number of threads.
const SCHEME: &str = "SCHEME \"roots\" ====\nDATA\n  N : INTEGER := 50\n  K : INTEGER := 3\n  \
                      x : REAL [N] OUTPUT\n  WORK \"roots\" := N * K\nEND OF DATA\n  \
                      FOR (k FROM 1 TO K) LOOP\n    FOR (i FROM 0 TO N - 1) LOOP x[i] := \
                      sqrt(real(i + k)) END OF LOOP\n  END OF LOOP\nEND OF SCHEME \"roots\"\n";

/// Folders of a user, with the scheme in a file.
struct User {
    folder: tempfile::TempDir,
}

impl User {
    fn new() -> User {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("roots.saa"), SCHEME).expect("a file");
        User { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
        command
            .args(arguments)
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("RUST_BACKTRACE")
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn runs(&self, arguments: &[&str]) -> Ran {
        let start = Instant::now();
        let output = self.command(arguments).output().expect("the tool starts");
        let ran = Ran {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: start.elapsed(),
        };
        assert!(!ran.err.contains("a bug of glushkov"), "{}", ran.err);
        ran
    }

    fn files(&self, folder: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path(folder)).into_iter().flatten();
        entries.map(|e| e.expect("an entry").path()).collect()
    }

    fn journal(&self) -> Option<PathBuf> {
        self.files("cache/glushkov/tuning")
            .into_iter()
            .find(|p| p.extension().is_some_and(|e| e == "jsonl"))
    }
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// `tune` with two programs: the defaults, and 32 threads.
const TUNE: &[&str] = &[
    "tune",
    "roots.saa",
    "--target",
    "rust",
    "--strategy",
    "gpu",
    "--candidates",
    "2",
];

fn with(first: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    [first, more].concat()
}

#[test]
fn what_is_tuned_is_kept_and_taken_up_by_size() {
    let user = User::new();
    let ran = user.runs(&with(
        TUNE,
        &["--set", "N=40,4000", "--set", "K=2", "--runs", "4"],
    ));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("s at N = 40 ") && ran.out.contains("s at N = 4000"));
    assert!(ran.out.contains("| threads=32 ") && ran.out.contains("chosen at"));
    // Two programs at two sizes: a first run and four more of each.
    assert!(ran.err.contains("20 runs, 0 of them"), "{}", ran.err);
    assert_eq!(user.journal(), None, "what is done needs no journal");
    let kept = user.files("config/glushkov/tuned");
    let mut tuned = json(&kept[0]);
    assert_eq!(kept.len(), 1);
    for (key, value) in [("strategy", "gpu"), ("target", "rust"), ("parameter", "N")] {
        assert_eq!(tuned[key], value);
    }
    // One derivation each side of a limit, whatever was faster.
    let range = |to: Option<i64>, with: &[&str]| {
        let measured = &tuned["ranges"][0]["measured"];
        serde_json::json!({"up_to": to, "with": with, "float": "exact", "measured": measured})
    };
    let ranges = [range(Some(100), &["threads=32"]), range(None, &[])];
    tuned["ranges"] = ranges.to_vec().into();
    std::fs::write(&kept[0], tuned.to_string()).expect("a file");
    let run = [
        "run",
        "roots.saa",
        "--target",
        "rust",
        "--strategy",
        "gpu",
        "--set",
    ];
    for size in ["N=100", "N=101"] {
        let ran = user.runs(&[&run[..], &[size]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(
            ran.err
                .contains("tuned: threads=32 where N <= 100; the defaults")
        );
        assert!(
            ran.out.contains("same bits as the sequential"),
            "{}",
            ran.out
        );
    }
    let emit = [
        "emit",
        "roots.saa",
        "--strategy",
        "gpu",
        "--force",
        "-o",
        "p",
        "--target",
    ];
    let emits = |more: &[&str]| {
        let ran = user.runs(&[&emit[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        ran.err
    };
    let library = || std::fs::read_to_string(user.path("p/src/lib.rs")).expect("a file");
    let said = emits(&["rust"]);
    assert!(said.contains("tuned: threads=32") && library().contains("if n <= 100 {"));
    let line = user.runs(&["explain", "p/src/variant_2.rs:20"]);
    assert!(line.out.contains("roots.saa"), "{}{}", line.out, line.err);
    for more in [["rust", "--no-tuned"], ["rust", "--with=threads=64"]] {
        let said = emits(&more);
        assert!(
            !said.contains("tuned:") && !library().contains("variant"),
            "{said}"
        );
    }
    // Another scheme, strategy, target or precision has nothing kept for it; named, it is refused.
    let other = emits(&["rust", "--precision", "f64"]);
    assert!(!other.contains("tuned"), "{other}");
    let file = kept[0].to_str().expect("UTF-8");
    let named = |more: &[&str]| user.runs(&[&emit[..], more, &["--tuned", file]].concat());
    assert_eq!(named(&["rust"]).code, Some(0));
    let cases: [(&[&str], &str); 4] = [
        (&["rust", "--precision", "f64"], "for another precision"),
        (&["cuda"], "for target rust"),
        (&["rust", "--assume", "N > 3"], "not the one that was tuned"),
        (&["rust", "--with", "threads=64"], "cannot be used with"),
    ];
    for (more, told) in cases {
        let ran = named(more);
        assert_eq!(ran.code, Some(2), "{more:?}");
        assert!(ran.err.contains(told), "{more:?}: {}", ran.err);
    }
    // What is broken is left aside where it was not asked for.
    std::fs::write(&kept[0], "{\"format\": \"glushkov tuned\"").expect("a file");
    assert!(emits(&["rust"]).contains("left aside: it is not JSON"));
    assert_eq!(named(&["rust"]).code, Some(2));
}

#[test]
fn an_interrupted_tuning_goes_on_and_a_broken_journal_is_no_end() {
    let user = User::new();
    let tune = with(TUNE, &["--set", "N=30", "--out", "t.json"]);
    // Killed amid its runs: they are slow enough to be met.
    let slow = [&tune[..], &["--set", "K=20000", "--runs", "40"]].concat();
    let slow: Vec<&str> = slow.into_iter().collect();
    let mut child = user
        .command(&slow)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tool starts");
    let lines = || {
        let text = user
            .journal()
            .map(|p| std::fs::read_to_string(p).unwrap_or_default());
        text.map_or(0, |t| t.lines().count())
    };
    let start = Instant::now();
    while lines() < 4 && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(
        !user.path("t.json").exists(),
        "nothing is written before the end"
    );
    let before = lines().saturating_sub(1);
    assert!((3..60).contains(&before), "{before}");
    // The last line is cut off, as a kill amid writing would leave it.
    let journal = user.journal().expect("a journal");
    let text = std::fs::read_to_string(&journal).expect("a journal");
    std::fs::write(&journal, &text[..text.len() - 5]).expect("a file");
    let last = [&tune[..], &["--set", "K=20000", "--runs", "3"]].concat();
    let ran = user.runs(&last);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("a line that is broken"), "{}", ran.err);
    let whole = before - 1;
    assert!(
        ran.err.contains(&format!("goes on with {whole} runs")),
        "{}",
        ran.err
    );
    assert!(
        ran.err
            .contains(&format!("{whole} of them taken from before"))
    );
    assert_eq!(
        json(&user.path("t.json"))["ranges"][0]["up_to"],
        Value::Null
    );
    assert!(user.journal().is_none());
    // A journal of something else is begun anew.
    std::fs::write(&journal, "what is this\n").expect("a file");
    let ran = user.runs(&last);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.err.contains("begun anew") && ran.err.contains(", 0 of them"),
        "{}",
        ran.err
    );
}

#[test]
fn programs_that_differ_or_fail_are_left_out() {
    let user = User::new();
    let rules = "# Not true.\n#@rule(quarter) #@float(approximate) #@param(wrong, 0, 0, 1)\n\
                 Assign($x, $e) [ $wrong == 1 ] -> Assign($x, Times(0.25, $e));\n\
                 # Not true either.\n#@rule(nothing) #@float(exact) #@param(none, 0, 0, 1)\n\
                 Assign($x, $e) [ $none == 1 ] -> Undefined;\n\
                 strategy odd = try(once(quarter)); try(once(nothing));\n";
    std::fs::write(user.path("odd.rules"), rules).expect("a file");
    let tune = "tune roots.saa --target rust --strategy odd --rules odd.rules --untested --runs 2 --out t.json";
    let tune: Vec<&str> = tune.split(' ').collect();
    let ran = user.runs(&tune);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("approximate, and exact is allowed"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("fails at N = 50, K = 3: the program ended with code 1")
    );
    let ran = user.runs(&[&tune[..], &["--float", "approximate"]].concat());
    assert!(
        ran.out.contains("differs at N = 50, K = 3: x by 7.5e-1"),
        "{}",
        ran.out
    );
    assert_eq!(
        json(&user.path("t.json"))["ranges"][0]["with"],
        Value::Array(Vec::new())
    );
    assert_eq!(
        user.runs(&[&tune[..], &["--float", "any"]].concat()).code,
        Some(2)
    );
    // A dry run shows the programs and measures nothing.
    let dry = user.runs(&[&tune[..], &["--dry-run"]].concat());
    assert!(
        dry.out.contains("nothing.none=1") && user.journal().is_none(),
        "{}",
        dry.out
    );
}

#[test]
fn without_time_the_defaults_are_measured_and_taken() {
    let user = User::new();
    let tune = with(TUNE, &["--runs", "2", "--out", "t.json", "--within"]);
    let ran = user.runs(&with(&tune, &["0.001s"]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("the defaults") && !ran.out.contains("threads=32"));
    let told = "the tuning ends after 0.001 s with what is known";
    assert!(ran.err.contains(told), "{}", ran.err);
    let range = &json(&user.path("t.json"))["ranges"][0];
    assert_eq!(range["with"], Value::Array(Vec::new()));
    assert!(
        range["measured"][0]["seconds"]
            .as_f64()
            .is_some_and(|s| s > 0.0),
        "{range}"
    );
    let ran = user.runs(&with(&tune, &["none"]));
    assert!(ran.out.contains("threads=32") && !ran.err.contains("the tuning ends"));
    // What the time went into is told.
    let parts = ["deriving ", "building ", "running "];
    assert!(
        parts.iter().all(|part| ran.err.contains(part)),
        "{}",
        ran.err
    );
}

#[test]
fn what_cannot_be_tuned_is_refused_in_words() {
    let user = User::new();
    let cases: [(&[&str], &str); 6] = [
        (&["--target", "interpreter"], "cannot be tuned"),
        (&["--strategy", "sequential"], "E0908"),
        (&["--strategy", "no_such"], "E0314"),
        (
            &["--set", "N=1,2", "--set", "K=1,2"],
            "one parameter with several values",
        ),
        (&["--set", "N=-1"], "E0411"),
        (
            &[
                "--out",
                "no/such/folder/t.json",
                "--candidates",
                "1",
                "--runs",
                "1",
            ],
            "E0001",
        ),
    ];
    for (more, told) in cases {
        let arguments = [&["tune", "roots.saa"][..], more].concat();
        let ran = user.runs(&arguments);
        assert_eq!(ran.code, Some(2), "{more:?}: {}", ran.err);
        assert!(ran.err.contains(told), "{more:?}: {}", ran.err);
    }
}

/// A family of which any member will do, and one that says so though it is not so.
const FAMILY: &str = "SCHEME \"powers, {way}\" ====\nGIVEN way IN {\"product\", \"function\"} FREELY\n\
    GIVEN other IN {\"yes\", \"no\"}\nDATA\n  N : INTEGER := 50\n  x : REAL [N] OUTPUT\nEND OF DATA\n  \
    TIMED ( FOR (i FROM 0 TO N - 1) LOOP\n    GIVEN IF way = \"product\" THEN x[i] := real(i) * i\n    \
    ELSE x[i] := real(i) ^ 2 END GIVEN\n  END OF LOOP )\nEND OF SCHEME \"powers, {way}\"\n";

#[test]
fn the_fastest_member_of_a_family_is_remembered() {
    let user = User::new();
    std::fs::write(user.path("powers.saa"), FAMILY).expect("a file");
    let tune = |file: &str| {
        user.runs(&[
            "tune",
            file,
            "--target",
            "rust",
            "--strategy",
            "gpu",
            "--set",
            "N=20,400",
            "--runs",
            "1",
            "--candidates",
            "1",
        ])
    };
    let ran = tune("powers.saa");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("# way = product, other = yes"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("# way = function, other = yes"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("is the fastest").count(), 2, "{}", ran.out);
    let run = |more: &[&str]| {
        let all = [
            &[
                "run",
                "powers.saa",
                "--target",
                "rust",
                "--strategy",
                "gpu",
                "--set",
                "N=20",
            ],
            more,
        ];
        user.runs(&all.concat())
    };
    let told = |ran: &Ran| ran.err.contains("tuned: given way=");
    assert!(told(&run(&[])), "it is taken where nobody chooses");
    for chosen in [["--given", "way=product"], ["--given", "other=no"]] {
        let ran = run(&chosen);
        assert!(
            ran.code == Some(0) && !told(&ran),
            "{chosen:?}: {}",
            ran.err
        );
    }
    let differs = FAMILY.replace("^ 2", "^ 3");
    std::fs::write(user.path("differs.saa"), differs).expect("a file");
    let ran = tune("differs.saa");
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.err.contains("E0335"), "{}", ran.err);
}
