//! Command lines and reports of emitted programs.

use super::reports::Reports;
use super::{drivers, run};

#[test]
fn arguments_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports.csv");
    for driver in drivers() {
        let args = [
            "cli",
            reports.to_str().unwrap(),
            "--in",
            "a \"b\"\u{1}\\",
            "--out=c=d",
            "--set",
            "N=1",
            "--set=dt= 1e-3 ",
            "--set",
            "N=+7",
            "--set",
            "flag=TRUE",
            "--set",
            "big=-5000000000",
        ];
        let output = run(driver, &args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{driver:?}: {said}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let expected = serde_json::json!({
            "in": "a \"b\"\u{1}\\", "out": "c=d", "help": false,
            "N": 7, "big": -5000000000i64, "dt": 0.001, "flag": true,
        });
        assert_eq!(json, expected, "{driver:?}");
        let output = run(driver, &["cli", reports.to_str().unwrap(), "--help"]);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["help"], true);
        assert!(json["dt"].is_null(), "NaN is not a number of JSON");

        let rows = Reports::read(&reports).unwrap().rows;
        let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(labels, ["energy", "a \"b\", c\n", "", "none"]);
        assert_eq!(rows[0].values, [-0.25, 0.1, 1e-300]);
        assert!(rows[1].values[0].is_nan());
        assert_eq!(rows[1].values[1..], [f64::INFINITY, f64::NEG_INFINITY]);
        assert!(rows[3].values.is_empty());
    }
}

#[test]
fn wrong_arguments_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports.csv");
    let cases: [(&[&str], &str); 11] = [
        (&["--in"], "--in wants a folder"),
        (&["--set"], "--set wants NAME=VALUE"),
        (&["--set", "N"], "--set wants NAME=VALUE, not `N`"),
        (&["--set", "=1"], "--set wants NAME=VALUE, not `=1`"),
        (
            &["--set", "M=1"],
            "--set M: there is no such parameter; there are N, dt, flag, big",
        ),
        (&["--set", "N=1.5"], "--set N: `1.5` is not an integer"),
        (&["--set", "N=3000000000"], "`3000000000` is not an integer"),
        (&["--set", "dt=fast"], "`fast` is not a number"),
        (&["--set", "flag=maybe"], "neither true nor false"),
        (&["--verbose"], "`--verbose` is not understood"),
        (&["file"], "`file` is not understood"),
    ];
    for driver in drivers() {
        for (args, expected) in &cases {
            let all = [&["cli", reports.to_str().unwrap()], *args].concat();
            let output = run(driver, &all);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{driver:?} {args:?}: {said}");
            assert!(said.contains(expected), "{driver:?} {args:?}: {said}");
        }
    }
    assert!(!reports.exists());
}

/// The tool and emitted programs hide the same characters from a terminal.
#[test]
fn hidden_characters_are_shown() {
    let all = (1..0x11_0000u32).filter_map(char::from_u32);
    // Those that are hidden, and those beside them, in pieces that a command line takes.
    let near = |&c: &char| {
        let of = |n: u32| char::from_u32(n).is_some_and(glushkov::term::is_hidden);
        (c as u32 - 1..=c as u32 + 1).any(of)
    };
    let text: Vec<char> = all.filter(|&c| c != '\u{fffd}').filter(near).collect();
    assert!(text.len() > 4_000, "{}", text.len());
    for part in text.chunks(1_000) {
        let part: String = part.iter().collect();
        let json = serde_json::Value::from(part.as_str()).to_string();
        for driver in drivers() {
            let output = run(driver, &["shown", &part]);
            let said = String::from_utf8(output.stdout).unwrap();
            let shown = glushkov::term::visible(&part);
            let rest = said.strip_prefix(shown.as_ref()).map(|rest| &rest[1..]);
            let rest = rest.unwrap_or_else(|| panic!("{driver:?}: {said:?}"));
            assert!(
                !rest.contains(glushkov::term::is_hidden),
                "{driver:?}: {rest:?}"
            );
            let back: serde_json::Value = serde_json::from_str(rest).unwrap();
            assert_eq!(back.to_string(), json, "{driver:?}");
        }
    }
}

#[test]
fn what_is_no_finite_number_is_no_parameter() {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports.csv");
    for driver in drivers() {
        for value in [
            "nan", "NaN", "inf", "-inf", "infinity", "1e999", "0x1p3", "", "1e5x", "١",
        ] {
            let set = format!("dt={value}");
            let output = run(driver, &["cli", reports.to_str().unwrap(), "--set", &set]);
            assert_eq!(output.status.code(), Some(2), "{driver:?} {value}");
        }
        for value in ["+-5", "5.0", "1e3", "2147483648", "", "0x10"] {
            let set = format!("N={value}");
            let output = run(driver, &["cli", reports.to_str().unwrap(), "--set", &set]);
            assert_eq!(output.status.code(), Some(2), "{driver:?} {value}");
        }
    }
}
