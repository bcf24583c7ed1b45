//! What `gpu_fast` and `cpu_fast` make of the library, on the reference machine: the same as the
//! sequential scheme but for rounding, whatever part of a warp, of a group of targets or of lanes the last
//! bodies fill.

use super::structure::{derived, derived_with};
use super::{CASES, Case, Ran, run, try_run};
use glushkov::algebra::Precision;
use glushkov::data::{Distance, tolerance};
use glushkov::toolchain::testing::{in_campaign, in_share, two_at_a_time};

/// Around the sizes of a warp and of a group of two targets a thread.
const SIZES: [&str; 7] = ["1", "2", "31", "33", "64", "65", "130"];

/// Small parameters, so that few bodies make many groups and parts.
const SMALL: [&str; 5] = [
    "targets=2",
    "warps=2",
    "parts=3",
    "sum_warps=2",
    "threads=64",
];

/// The same for pairs met once in lanes.
const IN_LANES: [&str; 4] = ["third_law=1", "lanes=8", "tile=16", "parts=3"];

/// Says which OUTPUT arrays are further away than what is approximate may be.
pub(super) fn away(reference: &Ran, other: &Ran) -> Vec<String> {
    let (reference, other) = (reference.arrays(), other.arrays());
    assert!(!reference.is_empty() && reference.len() == other.len());
    let pairs = reference.iter().zip(&other);
    let told = pairs.filter_map(|((name, wanted), (_, found))| {
        let distance = Distance::of(found, wanted).expect("arrays of one shape");
        let agrees = distance.agrees(false, tolerance(Precision::F32));
        (!agrees).then(|| format!("{name} is {:.1e} away", distance.norm_relative))
    });
    told.collect()
}

/// A scheme derived with pairs met once (`third_law=1`) by warps, by blocks, and with sums of 64 bits,
/// with warps for sums, and with tiles; with lanes that sum in 64 bits, and met once in lanes; each text
/// once. Every one of these, or every fourth from a number on.
fn routes(name: &str, from: Option<usize>) -> Vec<String> {
    let on_device = |of: &[&'static str]| ("gpu_fast", [of, &SMALL].concat());
    let mut ways = vec![
        on_device(&["third_law=1"]),
        on_device(&["sweep=1", "sweep_tile=32"]),
        on_device(&["wide=1"]),
        on_device(&["third_law=0"]),
        on_device(&["third_law=0", "tiles=1"]),
        on_device(&["scalars=1", "copies=2", "records=1"]),
        on_device(&["third_law=0", "split=3", "records=1"]),
        on_device(&["third_law=0", "wide=1", "sums_in_runs.run=2"]),
        ("cpu_fast", vec!["wide=1", "run=3"]),
        on_device(&["third_law=0", "tiles=1", "records=1"]),
        ("cpu_fast", IN_LANES.to_vec()),
    ];
    if let Some(from) = from {
        ways = ways.into_iter().skip(from % 4).step_by(4).collect();
    }
    let derive = |(strategy, with): &(&str, Vec<&str>)| derived_with(name, strategy, with);
    let mut routes: Vec<String> = ways.iter().map(derive).collect();
    routes.dedup();
    routes
}

/// What is wrong with a scheme of the library: sizes at which a route gives something else.
fn wrong(case: &Case) -> Vec<String> {
    let from = if in_campaign() { 0 } else { SIZES.len() - 2 };
    let sizes = SIZES[from..].iter().map(|size| {
        let n = format!("N={size}");
        let rest = case.settings.iter().map(|s| (*s).to_owned());
        std::iter::once(n).chain(rest).collect()
    });
    let from = (!in_campaign()).then_some(0);
    wrong_at(case.name, &sizes.collect::<Vec<_>>(), from)
}

/// What is wrong with a scheme: settings with which a route gives something else; all routes, or every fourth
/// from a number on.
pub(super) fn wrong_at(name: &str, all: &[Vec<String>], from: Option<usize>) -> Vec<String> {
    let routes: Vec<_> = routes(name, from).iter().map(|text| file(text)).collect();
    let mut wrong = Vec::new();
    for (turn, settings) in all.iter().enumerate() {
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        let reference = run(name, "interpreter", "sequential", "f32", &settings);
        for (number, route) in routes.iter().enumerate() {
            // In a campaign, each route is run with every third of the settings, the next one with others;
            // elsewhere with the last ones, and every second one with those before.
            let is_run = match in_campaign() {
                true => (turn + number + 1).is_multiple_of(all.len().min(3)),
                false => turn + 1 == all.len() || (turn + number).is_multiple_of(2),
            };
            if !is_run {
                continue;
            }
            let path = route.path().display().to_string();
            let told = match try_run(&path, "interpreter", "sequential", "f32", &settings) {
                Ok(ran) => away(&reference, &ran),
                Err(told) => vec![told],
            };
            let head = format!("{name}, route {number}, {}", settings.join(" "));
            wrong.extend(told.iter().map(|t| format!("{head}: {t}")));
        }
    }
    wrong
}

pub(super) fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".saa").tempfile();
    let file = file.expect("a temporary file");
    std::fs::write(file.path(), text).expect("a writable file");
    file
}

#[test]
fn the_fast_route_agrees_with_the_sequential_schemes() {
    // The same scheme in another language.
    let is_taken = |case: &&Case| !case.name.ends_with("_uk");
    let cases: Vec<&Case> = CASES.iter().filter(is_taken).collect();
    let all = two_at_a_time(&cases, |_, case| wrong(case)).concat();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// What the route leaves undone is told once for a rule and a place, and not of what became launches.
#[test]
fn notes_tell_what_was_left_once() {
    for case in CASES {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(["derive", case.name, "--strategy", "gpu_fast", "--json"])
            .output()
            .expect("the tool runs");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        let notes = told["notes"].as_array().expect("a list");
        let mut seen = Vec::new();
        for note in notes {
            let message = note["message"].as_str().expect("a sentence");
            let rule = message.split('`').nth(1).expect("a rule");
            let key = (rule.to_owned(), note["span"].clone());
            assert!(!seen.contains(&key), "{}: {message}", case.name);
            assert!(!message.contains("CALL_GPU"), "{}: {message}", case.name);
            seen.push(key);
        }
        if case.name == "gravity" {
            assert!(notes.is_empty(), "{notes:?}");
        }
    }
}

/// Pairs are met once, sums are those of warps: the route is the one that is tested above.
#[test]
fn pairs_are_met_once_on_the_fast_route() {
    let names = ["gravity", "hermite", "leapfrog", "coulomb"];
    for (_, name) in names.iter().enumerate().filter(|(k, _)| in_share(*k, 3)) {
        let all = routes(name, None);
        let (once, swept, wide, twice) = match &all[..] {
            [once, swept, wide, twice, ..] => (once, swept, wide, twice),
            routes => panic!("{name}: {} routes", routes.len()),
        };
        assert!(
            wide.contains(" : REAL64 [") && wide.contains("ROTATE ("),
            "{name}"
        );
        let sums = derived_with(name, "gpu_fast", &["third_law=0", "wide=1"]);
        let narrow = derived_with(name, "gpu_fast", &["third_law=0"]);
        assert!(
            sums.matches(" : REAL64 [").count() > narrow.matches(" : REAL64 [").count(),
            "{name}"
        );
        assert!(
            swept.contains("SHARED back_") && !swept.contains("ROTATE ("),
            "{name}"
        );
        assert!(
            once.contains("ROTATE (") && once.contains("ATOMIC "),
            "{name}"
        );
        assert!(
            !twice.contains("ROTATE (") && twice.contains("SUM OVER WARP"),
            "{name}"
        );
        assert!(!derived(name, "gpu").contains("ROTATE ("), "{name}");
        let in_lanes = all.last().expect("a route");
        assert!(
            in_lanes.contains("LANES (8) (i FROM start TO start + 7)"),
            "{name}"
        );
        assert!(
            !derived(name, "cpu_fast").contains("(i FROM start TO start + 7)"),
            "{name}"
        );
    }
}

/// How far each acceleration is from that of another run, relative to its length; the median.
pub(super) fn median_error(found: &Ran, wanted: &Ran) -> f64 {
    let values = |ran: &Ran| {
        let arrays = ran.arrays();
        let (_, acc) = arrays.iter().find(|(name, _)| name == "acc").expect("acc");
        acc.to_f64s()
    };
    let (found, wanted) = (values(found), values(wanted));
    let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut errors: Vec<f64> = (found.chunks(3).zip(wanted.chunks(3)))
        .map(|(a, b)| {
            let d: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
            length(&d) / length(b)
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    errors[errors.len() / 2]
}

/// With many sources, what is summed in 64 bits is nearer to the result of 64 bits throughout.
#[test]
fn wide_sums_of_pairs_err_less() {
    let settings = ["N=2000"];
    let exact = run("gravity", "interpreter", "sequential", "f64", &settings);
    let error = |wide: &str| {
        let text = derived_with("gravity", "gpu_fast", &["parts=1", wide]);
        let file = file(&text);
        let path = file.path().display().to_string();
        let ran = run(&path, "interpreter", "sequential", "f32", &settings);
        median_error(&ran, &exact)
    };
    let (narrow, wide) = (error("wide=0"), error("wide=1"));
    assert!(wide < 0.6 * narrow, "{wide:e} and {narrow:e}");
}
