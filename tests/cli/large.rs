//! Large and deep inputs: read, or refused with a message, in bounded time.

use super::glushkov;
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
