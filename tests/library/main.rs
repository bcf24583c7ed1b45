//! Every scheme of the library: its strategies and targets agree with the reference machine, and
//! its results with independent formulas.
//!
//! `SIZES=1,2,31,255,256,257,1000 cargo test --release --test library` goes through more sizes.

mod agree;
mod dynamics;
mod ends;
mod fast;
mod formulas;
mod lanes;
mod laws;
mod page;
mod powers;
mod quick;
mod structure;
mod swept;
mod told;
mod unseen;
mod whole;

use glushkov::data::{Array, identical, read_npy};
use glushkov::toolchain::testing::building;

/// A scheme, with settings beside N that keep its runs short.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// How parameters are set.
    pub settings: &'static [&'static str],
}

const fn case(name: &'static str, settings: &'static [&'static str]) -> Case {
    Case { name, settings }
}

/// All schemes of the library.
pub const CASES: &[Case] = &[
    case("gravity", &[]),
    case("hermite", &["STEPS=2"]),
    case("hermite_uk", &["STEPS=2"]),
    case("leapfrog", &["STEPS=2"]),
    case("integrators", &["STEPS=2"]),
    case("coulomb", &[]),
    case("coulomb_triangle", &[]),
    case("cutoff", &["radius=0.7"]),
    case("clusters", &["FRAMES=1", "ROUNDS=2", "STEPS=2"]),
    case("rank_sort", &["L=13"]),
    case("short_sorts", &["L=13"]),
    case("matrix_product", &["K=17", "M=33"]),
    case("conjugate_gradients", &["MOST=5"]),
    case("heat", &["M=35", "STEPS=2"]),
    case("relaxation", &["SWEEPS=2"]),
    case("histogram", &["BINS=7"]),
    case("density", &[]),
    case("ewald", &["SIDE=1"]),
    case("kmeans", &["K=3", "ROUNDS=3", "PARTS=4"]),
    case("levels", &["DEGREE=3"]),
    case("mandelbrot", &["MOST=20"]),
    case("prefix_sum", &[]),
];

/// What a run of the tool left behind.
pub struct Ran {
    folder: tempfile::TempDir,
    /// The object that `--json` prints.
    pub json: serde_json::Value,
}

impl Ran {
    /// An OUTPUT array.
    pub fn output(&self, name: &str) -> Array {
        read_npy(&self.folder.path().join(format!("{name}.npy"))).expect("an OUTPUT array")
    }

    /// The numbers of an OUTPUT array.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.output(name).to_f64s()
    }

    /// The rows of a report.
    pub fn report(&self, label: &str) -> Vec<Vec<f64>> {
        let rows = self.json["reports"].as_array().expect("reports");
        let of_label = rows.iter().filter(|row| row["label"] == label);
        of_label
            .map(|row| serde_json::from_value(row["values"].clone()).expect("numbers"))
            .collect()
    }

    /// All OUTPUT arrays, by name.
    pub fn arrays(&self) -> Vec<(String, Array)> {
        let entries = std::fs::read_dir(self.folder.path()).expect("a folder");
        let mut arrays: Vec<(String, Array)> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "npy"))
            .map(|path| {
                let name = path.file_stem().expect("a name").to_string_lossy();
                (name.into_owned(), read_npy(&path).expect("an array"))
            })
            .collect();
        arrays.sort_by(|a, b| a.0.cmp(&b.0));
        arrays
    }
}

/// Whether two runs have the same OUTPUT arrays, bit for bit.
pub fn identical_outputs(a: &Ran, b: &Ran) -> bool {
    let (a, b) = (a.arrays(), b.arrays());
    a.len() == b.len()
        && a.iter()
            .zip(&b)
            .all(|(x, y)| x.0 == y.0 && identical(&x.1, &y.1))
}

/// Runs a scheme by name or file, and asks that the run succeeds.
pub fn run(name: &str, target: &str, strategy: &str, precision: &str, settings: &[&str]) -> Ran {
    try_run(name, target, strategy, precision, settings)
        .unwrap_or_else(|told| panic!("{name} {target} {strategy} {settings:?}: {told}"))
}

/// Runs a scheme by name or file; what was told if that fails.
///
/// # Errors
///
/// What the command told.
pub fn try_run(
    name: &str,
    target: &str,
    strategy: &str,
    precision: &str,
    settings: &[&str],
) -> Result<Ran, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args(["run", name, "--json", "--no-compare", "--target", target]);
    command.args(["--strategy", strategy, "--precision", precision, "--out"]);
    command.arg(folder.path());
    for setting in settings {
        command.args(["--set", setting]);
    }
    let output = command.output().expect("the tool runs");
    if !output.status.success() {
        // What went wrong is told as an object.
        let told = [output.stdout, output.stderr].concat();
        return Err(String::from_utf8_lossy(&told).into_owned());
    }
    let json = serde_json::from_slice(&output.stdout).expect("one object");
    Ok(Ran { folder, json })
}

/// Every scheme of the library has a case, and every case a scheme.
#[test]
fn no_scheme_is_forgotten() {
    let mut schemes: Vec<&str> = glushkov::derive::library::SCHEMES
        .iter()
        .map(|(path, _)| path.rsplit('/').next().unwrap_or(path))
        .map(|file| file.trim_end_matches(".saa"))
        .collect();
    schemes.sort_unstable();
    let mut cases: Vec<&str> = CASES.iter().map(|case| case.name).collect();
    cases.sort_unstable();
    assert_eq!(cases, schemes);
}
