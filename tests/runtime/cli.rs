//! Command lines and reports of emitted programs.

use super::{drivers, run};
use glushkov::data::Reports;

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
        assert!(json["dt"].is_null(), "NaN is no number of JSON");

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
