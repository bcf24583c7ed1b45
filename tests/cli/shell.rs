//! What shells get: completions, pages of the manual, colours.

use super::{glushkov, ran};
use std::path::Path;
use std::process::Command;

/// What a program says of an argument, or none where it is not there.
fn said(program: &str, arguments: &[&str]) -> Option<(bool, String)> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    ))
}

/// Candidates that bash has for a line, as readline takes it apart.
fn bash(script: &Path, words: &[&str]) -> Vec<String> {
    let tool = Path::new(env!("CARGO_BIN_EXE_glushkov"));
    let path = format!(
        "{}:{}",
        tool.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let ask = "source \"$1\"; shift; COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; COMP_WORDS=(\"$@\"); \
               COMP_CWORD=$(($# - 1)); COMP_TYPE=9; last=${COMP_WORDS[COMP_CWORD]}; \
               $(complete -p glushkov | sed 's/.*-F \\([^ ]*\\) .*/\\1/') glushkov \"$last\" x; \
               printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .arg(script)
        .args(words)
        .env("PATH", path)
        .output()
        .expect("bash is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("glushkov.bash");
    std::fs::write(&script, glushkov(&["completions", "bash"], "").out).expect("a file");
    let script = script.as_path();
    assert_eq!(bash(script, &["glushkov", "ru"]), ["run", "rules"]);
    assert_eq!(bash(script, &["glushkov", "rules", "ex"]), ["explain"]);
    assert_eq!(
        bash(script, &["glushkov", "run", "hermite", "--targ"]),
        ["--target"]
    );
    assert_eq!(
        bash(script, &["glushkov", "run", "hermite", "--target", "ru"]),
        ["rust", "rust-cuda"]
    );
    // Readline takes these words apart, and replaces only what follows the sign.
    assert_eq!(
        bash(
            script,
            &["glushkov", "run", "hermite", "--target", "=", "ru"]
        ),
        ["rust", "rust-cuda"]
    );
    assert_eq!(
        bash(
            script,
            &["glushkov", "bench", "heat", "--pair", "rust", ":", "sequ"]
        ),
        ["sequential"]
    );
    assert!(bash(script, &["glushkov", "run", "herm"]).contains(&"hermite".to_owned()));
    assert!(
        bash(script, &["glushkov", "run", "schemes/nbody/her"])
            .contains(&"schemes/nbody/hermite.saa".to_owned())
    );
    assert!(
        bash(
            script,
            &["glushkov", "derive", "heat", "--strategy", "gpu-f"]
        )
        .contains(&"gpu-fast".to_owned())
    );
    let rules = bash(
        script,
        &["glushkov", "derive", "heat", "--without", "split,interch"],
    );
    assert!(rules.contains(&"split,interchange".to_owned()), "{rules:?}");
}

#[test]
fn scripts_are_well_formed() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish"] {
        let ran = glushkov(&["completions", shell], "");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("GLUSHKOV_COMPLETE"), "{}", ran.out);
        let script = folder.path().join(shell);
        std::fs::write(&script, ran.out).expect("a file");
        match said(shell, &["-n", &script.display().to_string()]) {
            Some((well, text)) => assert!(well && text.is_empty(), "{shell}: {text}"),
            None => println!("skipped: no {shell}"),
        }
    }
}

#[test]
fn a_question_without_an_answer_is_not_told() {
    for arguments in [&["--", "glushkov", "nonsense", ""][..], &["--"], &["run"]] {
        let ran = ran(arguments, "", |tool| {
            tool.env("GLUSHKOV_COMPLETE", "bash");
        });
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    }
}

#[test]
fn every_command_has_a_page_that_reads_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("man1");
    let out = out.display().to_string();
    assert_eq!(glushkov(&["man", "-o", &out], "").code, Some(0));
    let pages = Path::new(&out).read_dir().expect("a folder").flatten();
    let mut names: Vec<String> = pages
        .map(|p| p.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in [
        "glushkov.1",
        "glushkov-run.1",
        "glushkov-rules-test.1",
        "glushkov-config.1",
    ] {
        assert!(names.iter().any(|n| n == name), "{names:?}");
    }
    for name in &names {
        let path = format!("{out}/{name}");
        let page = std::fs::read_to_string(&path).expect("a page");
        for part in [
            ".SH NAME",
            ".SH SYNOPSIS",
            ".SH DESCRIPTION",
            ".SH \"EXIT STATUS\"",
        ] {
            assert!(page.contains(part), "{name} has no {part}");
        }
        if let Some((_, told)) = said("mandoc", &["-Tlint", "-Wwarning", &path]) {
            // A page of a program has the program's version instead.
            let mut told = told.lines().filter(|line| !line.contains("missing date"));
            assert_eq!(told.next(), None, "{name}");
        }
    }
    let page = glushkov(&["man", "run"], "").out;
    let file = std::fs::read_to_string(format!("{out}/glushkov-run.1")).expect("a page");
    assert_eq!(page, file);
    assert!(page.contains("glushkov run hermite"), "{page}");
    let main = std::fs::read_to_string(format!("{out}/glushkov.1")).expect("a page");
    assert!(
        main.contains("GLUSHKOV_CACHE_LIMIT") && main.contains("130 SIGINT"),
        "{main}"
    );
    assert_eq!(glushkov(&["man", "nonsense"], "").code, Some(2));
}

#[test]
fn colours_are_where_they_are_asked_for() {
    let has = |arguments: &[&str], variables: &[(&str, &str)]| {
        let ran = ran(arguments, "", |tool| {
            tool.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
            tool.envs(variables.iter().copied());
        });
        [ran.out.contains('\u{1b}'), ran.err.contains('\u{1b}')]
    };
    let wrong = ["check", "no-such.saa"];
    assert_eq!(has(&wrong, &[]), [false, false]);
    assert_eq!(has(&wrong, &[("CLICOLOR_FORCE", "1")]), [false, true]);
    assert_eq!(
        has(&wrong, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]),
        [false, false]
    );
    let always = ["check", "no-such.saa", "--color", "always"];
    assert_eq!(has(&always, &[("NO_COLOR", "1")]), [false, true]);
    let never = ["--color=never", "check", "no-such.saa"];
    assert_eq!(has(&never, &[("CLICOLOR_FORCE", "1")]), [false, false]);
    assert_eq!(
        has(&["run", "--help", "--color", "always"], &[]),
        [true, false]
    );
    assert_eq!(has(&["rum", "--color", "always"], &[]), [false, true]);
    assert_eq!(has(&["run", "--help"], &[]), [false, false]);
}

/// What a command writes that runs in a terminal; none where there is no script(1).
fn in_a_terminal(arguments: &str, folder: &Path) -> Option<String> {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_glushkov"));
    let mut child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .current_dir(folder)
        .env("TERM", "xterm")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .ok()?;
    // Without its input the terminal would be closed.
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(input);
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn what_takes_long_says_so_on_a_terminal_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let scheme = super::signals::wide();
    std::fs::write(folder.path().join("s.saa"), scheme).expect("a file");
    let file = folder.path().join("s.saa");
    let ran = glushkov(&["check", &file.display().to_string()], "");
    assert_eq!(
        (ran.code, ran.err.contains("(1s)")),
        (Some(0), false),
        "{}",
        ran.err
    );
    let (Some(seen), Some(quiet)) = (
        in_a_terminal("check s.saa", folder.path()),
        in_a_terminal("check s.saa -q", folder.path()),
    ) else {
        println!("skipped: no script(1)");
        return;
    };
    assert!(seen.contains("check s.saa ("), "{seen}");
    assert!(!quiet.contains("check s.saa"), "{quiet}");
}
