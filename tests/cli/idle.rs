//! Settings and rules left out that change nothing are told; those that do are not.

use super::glushkov;

/// What is told of settings, code and message, for `derive` with these arguments.
fn told(arguments: &[&str]) -> Vec<String> {
    let ran = glushkov(&[&["derive"], arguments].concat(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let about = |line: &&str| line.contains("changes nothing here");
    ran.err.lines().filter(about).map(str::to_owned).collect()
}

#[test]
fn what_changes_nothing_is_told() {
    let fast = |more: &[&'static str]| -> Vec<String> {
        told(&[&["heat", "--strategy", "gpu-fast"], more].concat())
    };
    assert_eq!(
        fast(&["--with", "tiles=1", "--with", "sum_blocks=64"]),
        ["note[N0338]: --with tiles=1 changes nothing here"]
    );
    assert_eq!(
        fast(&["--without", "pairs_by_groups", "--without", "kernel_plane"]),
        ["note[N0339]: --without pairs_by_groups changes nothing here"]
    );
    assert!(fast(&[]).is_empty());
}

/// The note says what stopped a rule that a setting is for.
#[test]
fn what_stopped_a_rule_is_told_with_it() {
    let about = |scheme: &str, with: &str| {
        let arguments = ["derive", scheme, "--strategy", "gpu-fast", "--with", with];
        let ran = glushkov(&arguments, "");
        let note = ran.err.split("N0338").nth(1).expect("the note");
        note.to_owned()
    };
    let stopped = about("coulomb", "tiles=1");
    assert!(stopped.contains("wants"), "{stopped}");
    // Launches were made by other rules before.
    let nowhere = about("gravity", "split=4");
    assert!(nowhere.contains("it is for `"), "{nowhere}");
    assert!(nowhere.contains("which were not applied here"), "{nowhere}");
}

/// A parameter of a rule by its full name, and one that is given its default.
#[test]
fn defaults_and_full_names_are_understood() {
    let of = |setting: &str| told(&["gravity", "--strategy", "gpu-fast", "--with", setting]);
    assert_eq!(of("parts=128").len(), 1);
    assert_eq!(of("parts=64").len(), 0);
    assert_eq!(of("sums_in_runs.run=64").len(), 1);
}

/// Of two settings of one parameter the last one holds, and it does not do nothing where it gives the default.
#[test]
fn the_last_of_two_settings_holds() {
    let twice = ["leapfrog", "--strategy", "gpu-fast", "--with", "threads=64"];
    assert_eq!(
        told(&[&twice[..], &["--with", "threads=256"]].concat()),
        ["note[N0338]: --with threads=64 changes nothing here"]
    );
}
