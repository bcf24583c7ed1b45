//! What would take too much memory or time is refused in words before it is taken.

use super::glushkov;
use std::time::Duration;

/// Runs the tool where a process may have so many bytes of addresses: who takes more aborts.
#[cfg(target_os = "linux")]
fn within(gigabytes: u64, arguments: &[&str], input: &str) -> (Option<i32>, String, Duration) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let start = std::time::Instant::now();
    let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", gigabytes << 20);
    let mut child = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_glushkov")])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), told, start.elapsed())
}

fn scheme(data: &str, body: &str) -> String {
    format!("SCHEME \"s\" ==== DATA {data} END OF DATA {body} END OF SCHEME \"s\"")
}

#[cfg(target_os = "linux")]
#[test]
fn a_check_takes_no_more_memory_than_it_may() {
    let cells = "FOR (i FROM 0 TO N - 1) LOOP b[i] := TRUE END OF LOOP";
    let over =
        "ARRAY t : REAL [N] IN ( PARALLEL (i FROM 0 TO N / 400 - 1) ( t[i * 400] := 1 ) ); x := 1";
    let cases = [
        // The default sizes are too much, so small ones are taken.
        (
            scheme("N : INTEGER := 500000000 b : BOOLEAN [N] OUTPUT", cells),
            0,
        ),
        (
            scheme(
                "N : INTEGER := 500000000 b : BOOLEAN [N] INPUT OUTPUT",
                cells,
            ),
            0,
        ),
        (
            scheme(
                "N : INTEGER := 200000000 a : REAL [N] INPUT x : REAL OUTPUT",
                "x := a[0]",
            ),
            0,
        ),
        (scheme("N : INTEGER := 400000000 x : REAL OUTPUT", over), 0),
        // There are no smaller ones.
        (scheme("b : BOOLEAN [500000000] OUTPUT", "b[0] := TRUE"), 2),
        (
            scheme(
                "x : REAL OUTPUT",
                &over
                    .replace("[N]", "[400000000]")
                    .replace("N /", "400000000 /"),
            ),
            2,
        ),
        (
            scheme(
                "x : REAL OUTPUT",
                "x := 1; PARALLEL (i FROM 1 TO 16000000) ( PARALLEL (j FROM 1 TO 16000000) ( EMPTY ) )",
            ),
            2,
        ),
        (
            scheme(
                "x : REAL OUTPUT",
                "x := 1; WHILE TRUE LOOP REPORT \"row\" (1, 2, 3, 4, 5, 6, 7, 8) END OF LOOP",
            ),
            2,
        ),
        (
            scheme(
                "a : REAL [1000000] OUTPUT",
                "FOR (i FROM 0 TO 999999) LOOP a[i] := 1 END OF LOOP; WHILE TRUE LOOP SAVE \"a\" (a) END OF LOOP",
            ),
            2,
        ),
    ];
    for (text, code) in cases {
        let (found, told, took) = within(6, &["check", "-"], &text);
        assert_eq!(found, Some(code), "{text}\n{told}");
        assert!(code == 0 || told.contains("E0411"), "{text}\n{told}");
        assert!(took < Duration::from_secs(60), "{text}: {took:?}");
    }
}

#[test]
fn threads_that_do_nothing_take_steps() {
    for (blocks, threads) in [("2147483647", "1024"), ("2147483647", "1")] {
        let body = format!("x := 1; RunKernel ({blocks}, {threads}) ( EMPTY )");
        let ran = glushkov(&["check", "-"], &scheme("x : REAL OUTPUT", &body));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains("E0410"), "{}", ran.err);
        assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn generators_refuse_what_they_cannot_make() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    for generator in ::glushkov::data::GENERATORS {
        let run = |set: &str| {
            let arguments = ["data", generator.name, "-o", out, "--set", set];
            let (code, told, took) = within(2, &arguments, "");
            let what = format!("{} {set}: {told}", generator.name);
            assert!(matches!(code, Some(0 | 2)), "{what}");
            assert!(took < Duration::from_secs(60), "{what}: {took:?}");
            assert!(code == Some(0) || told.contains("error[E0"), "{what}");
            code
        };
        for n in [
            "0",
            "-1",
            "NaN",
            "inf",
            "1e300",
            "1.5",
            "9223372036854775807",
            "",
            "x",
        ] {
            assert_eq!(run(&format!("n={n}")), Some(2), "{} n={n}", generator.name);
        }
        // What fits one machine need not fit the next; here nothing does.
        assert_eq!(run("n=1000000000"), Some(2), "{}", generator.name);
        for option in generator.options {
            for value in [
                "-1e308", "-1", "0", "1e-308", "1e308", "1.5", "9e15", "NaN", "inf", "",
            ] {
                run(&format!("{}={value}", option.name));
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn folders_of_rules_that_go_in_circles_end() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("rules/a/b")).expect("folders");
    let rule = "# Nothing is left of a double.\n#@rule(halved)\nDoubled($A) -> $A;\n";
    std::fs::write(path("rules/a/mine.rules"), rule).expect("a file");
    symlink(path("rules"), path("rules/a/b/up")).expect("a link");
    symlink(path("rules/a"), path("rules/a/again")).expect("a link");
    symlink("self", path("rules/self")).expect("a link");
    symlink("/dev/zero", path("rules/zero.rules")).expect("a link");
    let made = std::process::Command::new("mkfifo")
        .arg(path("rules/pipe.rules"))
        .status();
    assert!(made.expect("mkfifo").success());
    let rules = path("rules");
    let rules = rules.to_str().expect("UTF-8");
    for arguments in [
        &["rules", "list", "--rules", rules][..],
        &["rules", "lint", rules],
        &["derive", "hermite", "--strategy", "cpu", "--rules", rules],
    ] {
        let ran = glushkov(arguments, "");
        assert!(
            matches!(ran.code, Some(0..=2)),
            "{arguments:?}\n{}",
            ran.err
        );
        assert!(
            ran.took < Duration::from_secs(30),
            "{arguments:?}: {:?}",
            ran.took
        );
        // A file to which several links lead is read once.
        assert!(
            !ran.err.contains("twice") && !ran.err.contains("E0312"),
            "{arguments:?}\n{}",
            ran.err
        );
    }
    let ran = glushkov(&["rules", "list", "--rules", rules], "");
    assert!(ran.out.contains("halved"), "{}\n{}", ran.out, ran.err);
    // A link to itself that should be a file of rules is told.
    symlink("round.rules", path("rules/round.rules")).expect("a link");
    let ran = glushkov(&["rules", "list", "--rules", rules], "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("round.rules"), "{}", ran.err);
}

/// Every reader of files meets what has no end, or never begins.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_by_every_reader() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let emitted = path("emitted");
    let ran = glushkov(
        &["emit", "leapfrog", "--target", "rust", "-o", &emitted],
        "",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for place in [format!("{emitted}/trace.json"), path("pipe")] {
        let _ = std::fs::remove_file(&place);
        let made = std::process::Command::new("mkfifo").arg(&place).status();
        assert!(made.expect("mkfifo").success());
    }
    let (line, pipe) = (format!("{emitted}/src/lib.rs:1"), path("pipe"));
    let tuned = format!("--tuned={pipe}");
    for arguments in [
        &["explain", &line][..],
        &["explain", &format!("{pipe}:1")],
        &["explain", "/dev/zero:1"],
        &["run", "leapfrog", "--target", "rust", &tuned],
        &["run", "leapfrog", "--target", "rust", "--tuned=/dev/zero"],
        &["check", "/dev/zero"],
        &["replay", "/dev/zero"],
        &["equal", "/dev/zero", "hermite"],
        &["rewrite", "/dev/zero", "--term", "a"],
        &["rules", "lint", "/dev/zero"],
        &["check", "hermite", "--rules", "/dev/zero"],
    ] {
        let ran = glushkov(arguments, "");
        assert!(
            matches!(ran.code, Some(0 | 2)),
            "{arguments:?}\n{}",
            ran.err
        );
        assert!(
            ran.took < Duration::from_secs(60),
            "{arguments:?}: {:?}",
            ran.took
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn deep_nests_are_derived_and_refused_by_emitters() {
    let nest = |depth: usize| {
        let body = format!(
            "x := 0; {}x := x + 1{}",
            "WHILE x < 3 LOOP x := x + 1; ".repeat(depth),
            " END OF LOOP".repeat(depth)
        );
        scheme("x : INTEGER OUTPUT", &body)
    };
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let emit = ["emit", "-", "--target", "rust", "--out", out];
    for (depth, code) in [(1_500, 2), (257, 2), (256, 0)] {
        let (found, told, took) = within(7, &emit, &nest(depth));
        assert_eq!(found, Some(code), "{depth}: {told}");
        assert_eq!(told.contains("E0510"), code != 0, "{told}");
        assert!(took < Duration::from_secs(60), "{depth}: {took:?}");
    }
    let gpu = ["emit", "-", "--target", "cuda", "--force", "--out", out];
    let (found, told, took) = within(7, &gpu, &nest(48));
    assert_eq!(found, Some(0), "{told}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    // A chain of conditions is not a nest.
    let chain: String = (0..600)
        .map(|k| format!("IF x = {k} THEN x := {} ELSE ", k + 7))
        .collect();
    let ends = "END IF ".repeat(600);
    let chain = scheme(
        "x : INTEGER OUTPUT",
        &format!("x := 3; {chain} EMPTY {ends}"),
    );
    let (found, told, _) = within(7, &[&emit[..], &["--force"]].concat(), &chain);
    assert_eq!(found, Some(0), "{told}");
}
