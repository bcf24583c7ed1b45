//! Large and deep inputs: read, or refused with a message, in bounded time.

use super::glushkov;
use ::glushkov::term::{MOST_BYTES, MOST_ERRORS, MOST_TOKENS};
use std::time::Duration;

fn scheme(body: &str) -> String {
    format!(
        "SCHEME \"s\" ====\nDATA\n  x : REAL OUTPUT\n  y : REAL := 1.0\nEND OF DATA\n{body}\nEND OF SCHEME \"s\"\n"
    )
}

fn nested(open: &str, inner: &str, close: &str, n: usize) -> String {
    format!("{}{inner}{}", open.repeat(n), close.repeat(n))
}

/// Generous, for slow machines: what is watched for is a hang.
const SOON: Duration = Duration::from_secs(60);

#[test]
fn deep_schemes_are_read_or_refused() {
    let deep = [
        (nested("x := (", "1", ")", 1), 0),
        (format!("x := {}", nested("(", "1", ")", 10_000)), 0),
        (format!("x := {}", nested("(", "1", ")", 1_000_000)), 2),
        (format!("x := {}1", "- ".repeat(50_000)), 0),
        (format!("x := {}1", "- ".repeat(100_001)), 2),
        (format!("x := {}1", "(".repeat(1_000_000)), 2),
        (format!("x := 1{}", ")".repeat(1_000_000)), 2),
        (nested("IF y < 2 THEN ", "x := 1", " END IF", 10_000), 0),
        (nested("IF y < 2 THEN ", "x := 1", " END IF", 200_000), 2),
        (nested("TIMED (", "EMPTY", ")", 30_000), 0),
        (format!("FILTER {}TRUE", "NOT ".repeat(50_000)), 0),
        (format!("x := {}", vec!["y"; 50_000].join(" + ")), 0),
        (format!("x := {}", vec!["y"; 1_000_000].join("+")), 2),
        (format!("x := {}1", "1 + 1.0 + ".repeat(20_000)), 0),
        (format!("x := y{}", ".x".repeat(1_000_000)), 2),
        (format!("\"{}\"", nested("a (", "x", ")", 20_000)), 2),
    ];
    for (body, code) in deep {
        let text = scheme(&body);
        for command in ["check", "show"] {
            let start: String = body.chars().take(30).collect();
            let ran = glushkov(&[command, "-"], &text);
            // What does not type-check can still be shown.
            let fits = ran.code == Some(code) || command == "show" && ran.code == Some(0);
            assert!(fits, "{command} {start}: {:?}\n{}", ran.code, ran.err);
            assert!(code == 0 || command == "show" || ran.err.contains("error[E"));
            assert!(ran.took < SOON, "{command} {start}: {:?}", ran.took);
            // The layout of deep nesting does not grow with its square.
            assert!(ran.out.len() < 300 * text.len(), "{command} {start}");
        }
    }
}

#[test]
fn rubbish_is_refused() {
    let mut state = 1u64;
    let mut next = |n: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let pieces = [
        "(",
        ")",
        "[",
        "]",
        ";",
        ":=",
        "\"",
        "'",
        "\\",
        "«",
        "‘",
        "====",
        "IF ",
        "THEN ",
        "END IF ",
        "FOR ",
        "WHERE ",
        "DATA ",
        "SCHEME ",
        "END OF SCHEME ",
        "a",
        "1",
        ".",
        "§",
        "\n",
        "#",
        ",",
    ];
    let mixed: String = (0..300_000).map(|_| pieces[next(pieces.len())]).collect();
    let any: String = (0..1_000_000)
        .map(|_| char::from_u32(next(0x11_0000) as u32).unwrap_or('?'))
        .collect();
    for rubbish in [
        mixed,
        any,
        "§".repeat(1_000_000),
        "\"".repeat(1_000_001),
        "'a ".repeat(300_001),
        "« ".repeat(100_000),
        "‘".repeat(100_000),
        "\0".repeat(1_000_000),
    ] {
        for text in [scheme(&rubbish), rubbish] {
            let ran = glushkov(&["check", "-"], &text);
            assert_eq!(ran.code, Some(2), "{}", &ran.err[..ran.err.len().min(2000)]);
            assert!(ran.took < SOON, "{:?}", ran.took);
        }
    }
}

#[test]
fn too_large_texts_are_refused_before_they_are_read() {
    let refused = |arguments: &[&str], text: &str| {
        let ran = glushkov(arguments, text);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.err);
        assert!(
            ran.err.contains("error[E0007]") && ran.err.contains("help: "),
            "{}",
            ran.err
        );
        assert!(ran.took < SOON, "{arguments:?}: {:?}", ran.took);
    };
    let bytes = "#".repeat(MOST_BYTES + 1);
    let words = ";".repeat(MOST_TOKENS + 1);
    for text in [bytes, words] {
        refused(&["check", "-"], &text);
        refused(&["rewrite", "-", "--term", "a"], &text);
    }
    #[cfg(unix)]
    for arguments in [
        &["check", "/dev/zero"][..],
        &["replay", "/dev/zero"],
        &["rewrite", "/dev/zero", "--term", "a"],
        &["rules", "list", "--rules", "/dev/zero"],
    ] {
        refused(arguments, "");
    }
    // One that is as large as may be, and says little.
    let comments = format!("{}#", scheme("x := 1"));
    let comments = format!("{comments}{}", "c".repeat(MOST_BYTES - comments.len()));
    let ran = glushkov(&["check", "-"], &comments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn many_errors_are_told_in_part() {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<String>();
    let n = 100_000;
    let check = &["check", "-"][..];
    let rewrite = &["rewrite", "-", "--term", "a"][..];
    for (arguments, text) in [
        (check, scheme(&lines(n, &|i| format!("u{i} := 1;\n")))),
        (check, scheme(&lines(n, &|_| "§ a\n".into()))),
        (check, scheme(&lines(n, &|_| "« a\n".into()))),
        (
            check,
            scheme(&lines(n, &|_| "x := 99999999999999999999;\n".into())),
        ),
        (rewrite, lines(n, &|i| format!("f{i}($x) -> $y;\n"))),
        (rewrite, lines(n, &|_| "f( -> ;\n".into())),
        (rewrite, lines(n, &|_| "§ ;\n".into())),
    ] {
        let start: String = text.chars().take(120).collect();
        let ran = glushkov(arguments, &text);
        assert_eq!(ran.code, Some(2), "{start}: {}", ran.err);
        assert!(ran.took < SOON, "{start}: {:?}", ran.took);
        assert_eq!(ran.err.matches("error[E").count(), MOST_ERRORS, "{start}");
        assert!(ran.err.contains("\n… and "), "{start}");
    }
}

#[test]
fn errors_of_reading_and_of_checking_are_told_up_to_a_number() {
    let undeclared: String = (0..100).map(|i| format!("u{i} := 1;\n")).collect();
    let text = scheme(&format!("{undeclared}{}", "§ ;\n".repeat(MOST_ERRORS - 1)));
    let ran = glushkov(&["check", "-"], &text);
    assert_eq!(ran.err.matches("error[E").count(), MOST_ERRORS);
    let more = format!("\n… and {} more\n", MOST_ERRORS - 1);
    assert!(ran.err.contains(&more), "{}", ran.err);
}

#[test]
fn what_is_told_of_long_names_is_short() {
    for (arguments, text) in [
        (
            &["check", "-"][..],
            scheme(&format!("x := {}", "a".repeat(3_000_000))),
        ),
        (
            &["check", "-"],
            scheme(&format!("\"{}\"", "a ".repeat(1_500_000))),
        ),
        (
            &["check", "-"],
            scheme(&format!("x := {}", "1".repeat(3_000_000))),
        ),
        (
            &["rewrite", "-", "--term", "a"],
            format!("f($x) -> ${};", "a".repeat(3_000_000)),
        ),
    ] {
        let ran = glushkov(arguments, &text);
        assert!(ran.err.len() < 60_000, "{} bytes", ran.err.len());
        assert!(ran.took < SOON, "{:?}", ran.took);
    }
}

#[test]
fn quoted_texts_do_not_nest_without_end() {
    let nested = |n: usize| {
        scheme(&format!(
            "IF {} THEN EMPTY END IF",
            nested("‘p (", "1", ")’", n)
        ))
    };
    assert_eq!(glushkov(&["check", "-"], &nested(30)).code, Some(0));
    let ran = glushkov(&["check", "-"], &nested(50_000));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("error[E0106]"), "{}", ran.err);
    assert!(ran.took < Duration::from_secs(5), "{:?}", ran.took);
}

#[test]
fn many_rules_load_in_bounded_time() {
    let rules = |rule: &dyn Fn(usize) -> String| (0..60_000).map(rule).collect::<String>();
    for (term, text) in [
        ("f7(a, b)", rules(&|i| format!("f{i}(a, $x) -> g($x);\n"))),
        ("f(a7, b)", rules(&|i| format!("f(a{i}, $x) -> g($x);\n"))),
    ] {
        let ran = glushkov(&["rewrite", "-", "--term", term], &text);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("g(b)"), "{}", ran.out);
        assert!(ran.took < SOON, "{:?}", ran.took);
    }
}

#[test]
fn derivations_that_are_none_are_refused() {
    let head = "{\"format\":\"glushkov derivation\",\"version\":1,\"x\":[";
    for text in [
        nested("[", "", "]", 1_000_000),
        format!("{head}{}", nested("{\"a\":[", "", "]}", 1_000_000)),
        format!("{head}{}1]}}", "{\"a\":1},".repeat(1_000_000)),
        head.to_owned(),
        "\0".repeat(1_000_000),
    ] {
        let ran = glushkov(&["replay", "-"], &text);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("error[E0333]"), "{}", ran.err);
        assert!(ran.took < SOON, "{:?}", ran.took);
    }
}
