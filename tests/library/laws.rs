//! Short-range laws of docs/molecular-dynamics.md in place of the one that clusters have.

use super::{Ran, run};
use glushkov::toolchain::testing::building;
use std::path::Path;

/// What a page shows between fences: declarations of tables, and the phrase.
fn laws() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/molecular-dynamics.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let blocks = page.split("```\n").skip(1).step_by(2);
    blocks
        .filter_map(|block| block.split_once("END OF DATA\nWHERE\n"))
        .map(|(tables, phrase)| (tables.to_owned(), phrase.to_owned()))
        .collect()
}

/// The scheme of clusters with another law.
fn with_law((tables, phrase): &(String, String)) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemes/md/clusters.saa");
    let scheme = std::fs::read_to_string(file).expect("the scheme");
    let own = |line: &&str| {
        let name = line.trim_start().split(':').next().unwrap_or_default();
        !["strength", "steepness", "dispersion"].contains(&name.trim())
    };
    let kept: Vec<&str> = scheme.lines().filter(own).collect();
    let kept = kept.join("\n");
    let (before, _) = kept
        .split_once("  # Born and Mayer's law")
        .expect("the law");
    let (data, text) = before
        .split_once("  DEFAULT INPUT")
        .expect("what follows tables");
    format!(
        "{data}{tables}  DEFAULT INPUT{text}{phrase}\nEND OF SCHEME \"Clusters of uranium dioxide\"\n"
    )
}

fn ran(file: &Path, settings: &[&str]) -> Ran {
    let name = file.to_str().expect("a name");
    run(name, "interpreter", "sequential", "f64", settings)
}

/// A quarter of the drift at half the step: forces are the slopes of the energies.
#[test]
fn energy_is_kept_under_each_law() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = laws();
    assert_eq!(all.len(), 2);
    for (number, law) in all.iter().enumerate() {
        let file = folder.path().join(format!("law_{number}.saa"));
        std::fs::write(&file, with_law(law)).expect("it is written");
        let drift = |dt: &str, steps: &str| {
            let run = ran(&file, &["N=24", "FRAMES=1", "ROUNDS=1", dt, steps]);
            let told = run.report("total energy before its correction, eV");
            told[1][0] / told[0][0] - 1.0
        };
        let ratio = drift("dt=0.0004", "STEPS=20") / drift("dt=0.0002", "STEPS=40");
        assert!((3.8..4.2).contains(&ratio), "{number}: {ratio}");
    }
}

/// Each pair is met once under every law, by the fast route.
#[test]
fn pairs_are_met_once_under_each_law() {
    let folder = tempfile::tempdir().expect("a folder");
    for law in laws() {
        let file = folder.path().join("law.saa");
        std::fs::write(&file, with_law(&law)).expect("it is written");
        let mut tool = building(env!("CARGO_BIN_EXE_glushkov"));
        let tool = tool.args(["derive", "--strategy", "gpu-fast"]).arg(&file);
        let derived = tool.output().expect("the tool runs").stdout;
        let derived = String::from_utf8(derived).expect("text");
        assert!(derived.contains("ROTATE"), "{derived}");
    }
}
