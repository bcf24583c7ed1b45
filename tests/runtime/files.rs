//! Files that appear together, by means of the emitted writers.

#![cfg(target_os = "linux")]

use super::{drivers, run};
use std::process::Command;

#[test]
fn what_processes_left_that_have_ended_is_swept() {
    for driver in drivers() {
        let place = tempfile::tempdir().unwrap();
        let folder = |process: u32| place.path().join(format!(".partial-{process}-0"));
        // One that has ended, and whose parent has not asked how; one that is no more; this one.
        let mut ended = Command::new("true").spawn().unwrap();
        let about = format!("/proc/{}/stat", ended.id());
        while !std::fs::read_to_string(&about).unwrap().contains(") Z ") {
            std::thread::yield_now();
        }
        let mut gone = Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        for process in [ended.id(), gone.id(), std::process::id()] {
            std::fs::create_dir_all(folder(process).join("deep")).unwrap();
        }
        let output = run(driver, &["together", place.path().to_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
        let entries = place.path().read_dir().unwrap().flatten();
        let mut names: Vec<_> = entries.map(|e| e.path()).collect();
        names.sort();
        assert_eq!(
            names,
            [folder(std::process::id()), place.path().join("x")],
            "{driver:?}"
        );
        ended.wait().unwrap();
    }
}
