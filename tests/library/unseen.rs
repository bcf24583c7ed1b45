//! Schemes of other fields than the library's, in `tests/unseen`: the strategies leave their results
//! as they are, and do to each what its dependences allow.

use super::agree::EXACT;
use super::{identical_outputs, run, structure};
use glushkov::data::{norm_relative, read_npy};
use glushkov::toolchain::testing::{building, in_campaign, in_share, two_at_a_time};

/// Each scheme's file, with the parallel loops and the launches that the strategies make of it, and a
/// parameter with the values it is run with.
const SCHEMES: &[(&str, usize, usize, &[&str])] = &[
    ("common_subsequence", 1, 1, &["N=1", "N=2", "N=9"]),
    ("components", 2, 3, &["N=1", "N=33", "N=5000"]),
    ("convolution", 1, 1, &["R=0", "R=1", "R=3", "H=1", "W=2"]),
    ("counting", 6, 6, &["N=1", "N=2", "N=33", "N=43", "N=1060"]),
    ("dense", 10, 12, &["N=1", "M=1", "H=1", "N=33", "M=300"]),
    ("doublings", 7, 11, &["N=8", "N=128", "M=1", "M=40"]),
    ("elimination", 3, 3, &["N=1", "N=2", "N=3", "N=20"]),
    ("idioms", 13, 21, &["N=1", "N=2", "M=1", "N=33", "N=1100"]),
    ("further_lanes", 8, 8, &["N=9", "N=32", "N=45"]),
    (
        "lanes",
        6,
        8,
        &["N=3", "N=31", "N=32", "N=41", "N=100", "N=1100"],
    ),
    ("extremes", 14, 15, &["N=1", "N=2", "N=33", "M=1"]),
    ("found", 3, 3, &["N=1", "N=10", "N=33", "N=4097", "N=5000"]),
    ("gathers", 2, 3, &["N=1", "N=31", "N=65", "N=5000"]),
    ("life", 2, 2, &["N=1", "N=2", "N=17"]),
    (
        "mixed_lanes",
        6,
        6,
        &["N=1", "N=2", "N=33", "N=43", "N=1060"],
    ),
    ("frames", 3, 3, &["N=1", "N=0", "N=33", "FRAMES=1"]),
    ("wraps", 10, 9, &["N=1", "N=33", "N=40000"]),
    ("softmax", 3, 3, &["N=1", "N=33", "N=300", "H=0"]),
    ("own_arrays", 5, 5, &["N=1", "N=33", "N=300"]),
    ("pairs", 10, 10, &["N=2", "N=3", "N=33", "N=70"]),
    ("periodic_box", 2, 2, &["N=1", "N=2", "N=33"]),
    ("products", 5, 5, &["N=1", "N=2", "N=17", "N=33"]),
    ("rectangles", 8, 8, &["N=1", "N=2", "N=33", "N=21"]),
    ("places", 5, 6, &["N=1", "N=33", "N=700"]),
    ("records", 6, 6, &["N=1", "N=2", "N=9", "N=33"]),
    (
        "rods",
        6,
        6,
        &["CELLS=1", "CELLS=3", "CELLS=700", "RODS=0", "HEATED=0"],
    ),
    ("rows", 7, 7, &["N=1", "N=2", "N=12", "N=40"]),
    (
        "integer_rows",
        6,
        6,
        &["N=1", "M=1", "M=127", "M=128", "M=129", "N=150"],
    ),
    (
        "row_sums",
        7,
        7,
        &["N=1", "M=1", "M=127", "M=128", "M=129", "N=150"],
    ),
    ("scans", 2, 20, &["N=1", "N=2", "N=64", "N=65", "N=5000"]),
    ("scatters", 7, 12, &["N=1", "N=39", "N=300", "N=9000"]),
    ("shortest_paths", 1, 1, &["N=1", "N=2", "N=24"]),
    ("steps", 5, 5, &["N=1", "N=2", "N=3", "N=4", "N=5", "N=31"]),
    ("streaming", 6, 6, &["N=1", "N=2", "N=3", "N=33"]),
    ("sweeps", 4, 4, &["N=1", "N=2", "N=12"]),
    ("tables", 5, 5, &["N=1", "N=2", "N=21", "N=33"]),
    ("three_dimensions", 4, 4, &["N=1", "N=2", "N=9"]),
    ("two_widths", 5, 5, &["N=1", "N=2", "N=33", "N=43"]),
    ("agents", 11, 14, &["N=1", "G=1", "N=1100"]),
    ("alignment", 8, 8, &["N=0", "M=0", "N=1", "M=1", "N=17"]),
    ("bins", 7, 10, &["N=1", "K=1", "N=33"]),
    ("assembly", 5, 5, &["N=1", "N=2", "N=12"]),
    ("clusters", 6, 6, &["N=1", "K=1", "D=1", "N=1100"]),
    ("likely_paths", 6, 6, &["T=1", "S=1", "N=1", "S=33"]),
    ("matrices", 12, 15, &["N=1", "N=2", "N=33"]),
    ("numbers", 9, 12, &["N=2", "L=0", "N=1100"]),
    ("odd_ends", 13, 11, &["N=3", "M=0", "M=1", "N=1100"]),
    ("options", 8, 10, &["N=1", "T=0", "T=1", "N=1100"]),
    ("percolation", 8, 10, &["N=1", "N=2", "N=21"]),
    ("pictures", 5, 7, &["H=1", "W=1", "W=2", "H=40"]),
    ("plasma", 5, 5, &["N=1", "G=2", "N=1100"]),
    ("red_black", 6, 6, &["N=1", "K=1", "K=2", "N=2", "N=33"]),
    ("searches", 8, 10, &["N=1", "Q=0", "N=2", "N=33"]),
    ("sorting", 4, 4, &["L=0", "L=1", "L=2"]),
    ("sparse", 5, 8, &["N=1", "K=1", "K=2", "N=65"]),
    ("tridiagonal", 8, 7, &["M=1", "L=1", "N=1", "N=33"]),
];

/// All settings in a campaign, else the last one.
fn some_of(settings: &[&'static str]) -> Vec<&'static str> {
    let from = if in_campaign() { 0 } else { settings.len() - 1 };
    settings[from..].to_vec()
}

/// Whether two iterations share a cell is asked here of loops that a rule has put together, whose conditions and subscripts
/// stand in the scheme.
#[test]
fn cells_of_a_plane_that_conditions_keep_apart_have_a_thread_each() {
    let planes = [
        ("shortest_paths", "IF i <= N - 1 AND j <= N - 1 THEN"),
        ("idioms", "IF i <= N - 2 AND j <= M - 2 THEN"),
    ];
    for (name, test) in planes {
        for strategy in ["gpu", "gpu_fast"] {
            let scheme = format!("tests/unseen/{name}.saa");
            let text = structure::derived(&scheme, strategy);
            assert!(text.contains(test), "{name} by {strategy}:\n{text}");
        }
    }
}

/// The row that others read is cut out of the loops over rows, and the column out of those over columns.
#[test]
fn loops_are_split_at_what_others_read() {
    let lanes = structure::derived("tests/unseen/rows.saa", "cpu_fast");
    let part = "LANES (32) (j FROM 0 TO min(N - 1, k - 1))";
    assert!(lanes.contains(part), "{lanes}");
    let launches = structure::derived("tests/unseen/rows.saa", "gpu_fast");
    let part = "IF i <= min(N - 1, k - 1) AND j <= min(N - 1, k - 1) THEN";
    assert!(launches.contains(part), "{launches}");
}

/// A transform in place and the factor of Cholesky are computed between one copy to the device and those back.
#[test]
fn dense_algebra_stays_on_the_device() {
    let text = structure::derived("tests/unseen/dense.saa", "gpu_fast");
    let copies = text.lines().filter(|line| line.contains("\"Copy ("));
    let inside = copies.filter(|line| line.starts_with("    ")).count();
    assert_eq!(inside, 0, "{text}");
    // Long columns are summed in parts, whose sums stand in an array of their own.
    assert!(text.contains("REAL [max(M / 64, 0), max(N, 0)]"), "{text}");
}

/// Blocks that are stepped over, partners that differ in one bit, and multiples of a number are reached by launches; of what
/// they write the host fetches no more than a cell at a time.
#[test]
fn doubling_blocks_stay_on_the_device() {
    let text = structure::derived("tests/unseen/doublings.saa", "gpu_fast");
    let copies = text.lines().filter(|line| line.contains("\"Copy ("));
    let inside = copies.filter(|line| line.starts_with("      "));
    let of_arrays = inside.filter(|line| !line.contains("(cell)")).count();
    assert_eq!(of_arrays, 0, "{text}");
    for line in ["bit_xor(i, gap)", "prime[q] := 0", "u[o] := u[p] - f"] {
        let first = text.lines().position(|l| l.contains(line));
        let before = text.lines().take(first.expect("a line with it"));
        let launch = before.filter(|l| l.contains("RunKernel") || l.contains(" LOOP"));
        let last = launch.last().expect("a launch around it");
        assert!(last.contains("RunKernel"), "{line} stands in {last}");
    }
}

#[test]
fn results_stay_as_they_are() {
    two_at_a_time(SCHEMES, |number, (name, _, _, settings)| {
        let file = format!("tests/unseen/{name}.saa");
        let settings = some_of(settings);
        for (turn, setting) in settings.iter().enumerate() {
            let reference = run(&file, "interpreter", "sequential", "f32", &[setting]);
            let machine = EXACT.map(|strategy| ("interpreter", strategy));
            let ways = machine.into_iter().chain([("rust", "cpu")]);
            for (k, (target, strategy)) in ways.enumerate() {
                // A program takes seconds to build: it runs with one of the settings.
                let is_built = target == "rust";
                let share = if is_built { 6 } else { 2 };
                let in_turn = !is_built || number % settings.len() == turn;
                if !(in_share(number + k, share) && in_turn) {
                    continue;
                }
                let other = run(&file, target, strategy, "f32", &[setting]);
                assert!(
                    identical_outputs(&reference, &other),
                    "{name}, {target} {strategy}, {setting}"
                );
            }
        }
    });
}

/// What the fast route does to them is the same but for rounding. Each scheme takes every fourth way, the next
/// one others.
#[test]
fn the_fast_route_agrees() {
    let wrong = two_at_a_time(SCHEMES, |number, (name, _, _, settings)| {
        let file = format!("tests/unseen/{name}.saa");
        let settings: Vec<_> = some_of(settings)
            .iter()
            .map(|s| vec![(*s).to_owned()])
            .collect();
        super::fast::wrong_at(&file, &settings, Some(number))
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pairs that have no work in common are not met once: what they add would cost more to pass on.
#[test]
fn squares_without_common_work_stay() {
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .args([
            "derive",
            "tests/unseen/products.saa",
            "--strategy",
            "gpu-fast",
        ])
        .output()
        .expect("the tool runs");
    let text = String::from_utf8(output.stdout).expect("a text");
    assert!(text.contains("RunKernel"), "{text}");
    assert!(!text.contains("ATOMIC"), "{text}");
}

/// Members of two loops in rectangles, several to a thread: small ones, so that few members fill some and
/// leave others ragged.
#[test]
fn rectangles_keep_their_bits() {
    let file = "tests/unseen/rectangles.saa";
    let tool = |command: &str, more: &[&str]| {
        let rules = ["--rules", "tests/unseen/rectangles.rules"];
        let output = building(env!("CARGO_BIN_EXE_glushkov"))
            .args([command, file, "--json"])
            .args(rules)
            .args(["--strategy", "small_rectangles"])
            .args(more)
            .output()
            .expect("the tool runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{more:?}: {told}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("an object")
    };
    let derived = tool("derive", &[]);
    let text = derived["scheme"].as_str().expect("a text");
    assert_eq!(text.matches("SHARED tile_").count(), 8, "{text}");
    for size in ["N=1", "N=2", "N=15", "N=16", "N=21"] {
        let ran = tool("run", &["--target", "interpreter", "--set", size]);
        let arrays = ran["compare"].as_object().expect("arrays");
        assert_eq!(arrays.len(), 12, "{ran}");
        for (name, compared) in arrays {
            assert_eq!(compared["identical"], true, "{size}, {name}");
        }
    }
}

/// Loops around launches stay on the device, whether they end by numbers, by how much changed, or by a flag that launches set.
#[test]
fn rounds_stay_on_the_device() {
    let loops = [
        ("extremes", 3),
        ("percolation", 1),
        ("red_black", 1),
        ("rods", 1),
        ("sorting", 1),
        ("sparse", 1),
        ("three_dimensions", 1),
    ];
    for (name, number) in loops {
        let derived = structure::derived(&format!("tests/unseen/{name}.saa"), "gpu-fast");
        let text: String = derived.split_whitespace().collect();
        let recorded = text.matches("RECORDED(WHILE").count();
        assert_eq!(recorded, number, "{name}: {derived}");
    }
}

/// What the iterations of a loop add to cells of their own, and find in them, is shared by the threads of a block.
#[test]
fn blocks_share_what_goes_to_cells() {
    let derived = structure::derived("tests/unseen/frames.saa", "gpu-fast");
    let text: String = derived.split_whitespace().collect();
    let shared = [
        "ATOMICweights[bin]+=0.25",
        "ATOMICcount[k]+=1",
        "ATOMIClargest[k]max=r[f,i]",
    ];
    for one in shared {
        assert_eq!(text.matches(one).count(), 1, "{one}: {derived}");
    }
    assert!(!text.contains("IFthread=0THENFOR"), "{derived}");
}

/// An array that stays a thread's own is not added to atomically, wherever its loops stand.
#[test]
fn a_threads_own_array_is_added_to_as_before() {
    let text = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  M : INTEGER := 4\n  x : REAL [M] INPUT\n  \
        s : REAL OUTPUT\nEND OF DATA\ns := 0;\nFOR (t FROM 1 TO 5) LOOP\n\
        FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM 0 TO M - 1) LOOP\nARRAY own : REAL [4] IN (\n\
        FOR (q FROM 0 TO 3) LOOP own[q] := 0 END OF LOOP;\n\
        FOR (k FROM 0 TO M - 1) LOOP own[k MOD 4] := own[k MOD 4] + x[k] * x[j] END OF LOOP;\n\
        s := s + own[0] * own[1]\n) END OF LOOP END OF LOOP;\ns := s / 2\nEND OF LOOP\nEND OF SCHEME \"s\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.saa");
    std::fs::write(&file, text).expect("a file");
    let derived = structure::derived(&file.to_string_lossy(), "gpu-fast");
    let own = derived.split("ARRAY own : REAL [4] IN").skip(1);
    let added_to: Vec<&str> = own.filter_map(|part| part.split("own[0]").next()).collect();
    assert!(derived.contains("RunKernel") && !added_to.is_empty());
    assert!(
        added_to.iter().all(|part| !part.contains("ATOMIC")),
        "{derived}"
    );
}

/// Rows of a batch over two loops go to blocks, whose threads share passes over the rows.
#[test]
fn batches_of_rows_go_to_blocks() {
    let derived = structure::derived("tests/unseen/softmax.saa", "gpu-fast");
    let text: String = derived.split_whitespace().collect();
    let shared = "FOR(iFROMthreadTON-1STEPthreads)LOOPx[b,h,i]:=x[b,h,i]/sumENDOFLOOP";
    assert_eq!(text.matches(shared).count(), 1, "{derived}");
}

/// The value that an ATOMIC gives goes to a LOCAL, which is no cell of a device then.
#[test]
fn what_an_atomic_gives_stays_a_local() {
    let text = "SCHEME \"s\" ====\nDATA\n  n : INTEGER OUTPUT\n  y : REAL [40] INPUT OUTPUT\nEND OF DATA\n\
        n := 0;\nLOCAL k : INTEGER := 0;\nFOR (t FROM 1 TO 3) LOOP\n\
        FOR (i FROM 0 TO 2 * k) LOOP y[i] := 0.5 * y[i] END OF LOOP;\nATOMIC n += 5 WAS k\nEND OF LOOP\n\
        END OF SCHEME \"s\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("s.saa");
    std::fs::write(&file, text).expect("a file");
    let derived = structure::derived(&file.to_string_lossy(), "gpu-fast");
    assert!(derived.contains("WAS k"), "{derived}");
}

#[test]
fn loops_are_taken_where_they_are_independent() {
    let found: Vec<_> = SCHEMES
        .iter()
        .map(|(name, _, _, _)| {
            let file = format!("tests/unseen/{name}.saa");
            let [parallel, gpu] = ["parallel", "gpu"].map(|s| structure::derived(&file, s));
            let counts = structure::counts(&parallel, &gpu);
            (*name, counts[0], counts[1])
        })
        .collect();
    let expected: Vec<_> = SCHEMES.iter().map(|s| (s.0, s.1, s.2)).collect();
    assert_eq!(found, expected);
}

/// The tool with partial sums asked for.
fn with_partial_sums(arguments: &[&str]) -> std::process::Output {
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .args(arguments)
        .args(["--with", "split_reductions=1"])
        .output()
        .expect("the tool runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    output
}

/// Only where nothing but what is gathered shows the order of the iterations, and sums of reals on
/// request only: a minimum and a count are the same in any order.
#[test]
fn sums_are_split_where_their_order_does_not_show() {
    let file = "tests/unseen/sums.saa";
    for strategy in ["parallel", "gpu"] {
        let derived = with_partial_sums(&["derive", file, "--strategy", strategy]).stdout;
        let derived = String::from_utf8(derived).expect("text");
        assert_eq!(derived.matches("ARRAY partial").count(), 5, "{derived}");
        let unasked = structure::derived(file, strategy);
        assert_eq!(unasked.matches("ARRAY partial").count(), 2, "{unasked}");
        let least = unasked.contains("min(part_2, real64(x[i]))");
        let count = unasked.contains(": INTEGER := count;");
        assert!(least && count, "{unasked}");
        for size in ["N=10", "N=11", "N=4096", "N=5000"] {
            let reference = run(file, "interpreter", "sequential", "f64", &[size]);
            let out = tempfile::tempdir().expect("a temporary folder");
            let folder = out.path().to_str().expect("a path");
            let ran = with_partial_sums(&[
                "run",
                file,
                "--target",
                "interpreter",
                "--strategy",
                strategy,
                "--precision",
                "f64",
                "--no-compare",
                "--json",
                "--set",
                size,
                "--out",
                folder,
            ]);
            let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("an object");
            assert_eq!(
                json["reports"], reference.json["reports"],
                "{strategy}, {size}"
            );
            for (name, expected) in reference.arrays() {
                let found = read_npy(&out.path().join(format!("{name}.npy"))).expect("an array");
                let apart = norm_relative(&found, &expected).expect("one shape");
                assert!(apart < 1e-12, "{name}, {strategy}, {size}: {apart}");
            }
        }
    }
}

/// Scans run in parts: on a device by themselves, on the processor on request. What carries more than it
/// gathers stays as it is, and the rule says why.
#[test]
fn scans_run_in_parts() {
    let file = "tests/unseen/scans.saa";
    let tool = |arguments: &[&str]| {
        let output = building(env!("CARGO_BIN_EXE_glushkov"))
            .args(arguments)
            .output()
            .expect("the tool runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {told}");
        (String::from_utf8(output.stdout).expect("text"), told)
    };
    let asked = ["--strategy", "parallel", "--with", "scans=1"];
    let by_itself = ["--strategy", "gpu"];
    for strategy in [&asked[..], &by_itself[..]] {
        let (derived, told) = tool(&[&["derive", file, "--verbose"], strategy].concat());
        let count = |text: &str| derived.matches(text).count();
        assert_eq!(count("ARRAY start_"), 10, "{derived}");
        assert_eq!(count("ARRAY totals_"), 10, "{derived}");
        for why in [
            "no, carried is carried from one iteration to the next, and not only gathered into",
            "no, what it gathers is computed from longest, which it writes",
            "unknown, iterations over i may share a cell: mixed[carried] and mixed[carried]",
            "unknown, a partial sum may overflow where the whole does not",
            "no, sum is carried from one iteration to the next, and not only gathered into",
        ] {
            assert!(told.contains(why), "{why}: {told}");
        }
    }
    let (unasked, _) = tool(&["derive", file, "--strategy", "parallel"]);
    assert!(!unasked.contains("ARRAY start_"), "{unasked}");
    let same = |file: &str, more: &[&str]| {
        let (said, _) = tool(&[&["run", file, "--json"], more].concat());
        let ran: serde_json::Value = serde_json::from_str(&said).expect("an object");
        for (name, compared) in ran["compare"].as_object().expect("arrays") {
            assert_eq!(compared["identical"], true, "{more:?}, {name}");
        }
    };
    let sizes = ["N=1", "N=2", "N=63", "N=64", "N=65", "N=130"];
    let from = if in_campaign() { 0 } else { sizes.len() - 1 };
    for size in &sizes[from..] {
        let machine = ["--target", "interpreter", "--set", size];
        same(file, &[&asked[..], &machine[..]].concat());
    }
    let built = ["--target", "rust", "--set", "N=1000"];
    same(file, &[&asked[..], &built[..]].concat());
}

/// Running sums of REALs are regrouped by a fast strategy only.
#[test]
fn scans_of_reals_agree() {
    let file = "schemes/scan/prefix_sum.saa";
    let derived = |strategy: &str, setting: &str| {
        let output = building(env!("CARGO_BIN_EXE_glushkov"))
            .args(["derive", file, "--strategy", strategy, "--with", setting])
            .output()
            .expect("the tool runs");
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!derived("cpu", "scans=1").contains("ARRAY totals_"));
    assert!(derived("cpu-fast", "scans=1").contains("ARRAY totals_"));
    assert!(derived("gpu-fast", "scans=1").contains("ARRAY totals_"));
    assert!(!derived("gpu-fast", "scans=0").contains("ARRAY totals_"));
    let from = (!in_campaign()).then_some(0);
    for size in ["N=1", "N=2", "N=64", "N=1000"] {
        let wrong = super::fast::wrong_at(file, &[vec![size.to_owned()]], from);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
