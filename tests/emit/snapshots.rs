//! What emitted code looks like, and what is refused.

use crate::harness::scheme;
use glushkov::algebra::Precision;
use glushkov::emit::{EmitOptions, Target, emit};
use glushkov::toolchain::Project;

const KERNEL: &str = r#"
SCHEME "Sums of tiles" ====
DATA
  N : INTEGER := 1000
  x : REAL [N] INPUT
  y : REAL [N] OUTPUT
  r : VECTOR [N] INPUT OUTPUT
END OF DATA
  "Allocate memory for (x) on the device"; "Copy (x) to the device";
  "Allocate memory for (y) on the device";
  TIMED (
    RunKernel (ceil_div(N, 64), 64) (
      SHARED tile : REAL [64];
      LOCAL i : INTEGER := block * threads + thread;
      LOCAL sum : REAL := 0;
      FOR (first FROM 0 TO N - 1 STEP 64) LOOP
        IF first + thread < N THEN tile[thread] := x[first + thread] END IF;
        BARRIER;
        FOR (k FROM 0 TO min(64, N - first) - 1) LOOP "Add (tile[k]) to (sum)" END OF LOOP;
        BARRIER
      END OF LOOP;
      IF i < N THEN y[i] := sum END IF
    );
    WAIT 'the device'
  );
  "Copy (y) from the device";
  PARALLEL (i FROM 0 TO N - 1) ( r[i] := 0.5 * r[i] + vector(1, 0, y[i]) );
  REPORT "first" (y[0], norm(r[0]))
WHERE
  "Add (value) to (total)" ==== total := total + value
END OF SCHEME "Sums of tiles"
"#;

fn project(text: &str, target: Target) -> Project {
    let scheme = scheme("text", text, Precision::F32);
    let options = EmitOptions {
        checked: false,
        profile: false,
        derivation: Some("sequential: expanded */\nno rule was used \\".into()),
    };
    emit(&scheme, target, &options).unwrap()
}

fn file<'a>(project: &'a Project, name: &str) -> &'a str {
    let (_, text) = project.files.iter().find(|(n, _)| n == name).unwrap();
    text
}

/// The emitted code with the scheme it comes from.
fn both(text: &str, target: Target, name: &str) -> String {
    let project = project(text, target);
    format!("{}\n----\n{}", text.trim(), file(&project, name))
}

#[test]
fn rust_library() {
    insta::assert_snapshot!(both(KERNEL, Target::Rust, "src/lib.rs"));
}

#[test]
fn rust_main() {
    insta::assert_snapshot!(both(KERNEL, Target::Rust, "src/main.rs"));
}

#[test]
fn cuda_program() {
    insta::assert_snapshot!(both(KERNEL, Target::Cuda, "sums_of_tiles.cu"));
}

#[test]
fn cuda_header() {
    insta::assert_snapshot!(both(KERNEL, Target::Cuda, "sums_of_tiles.h"));
}

#[test]
fn rust_cuda_library() {
    insta::assert_snapshot!(both(KERNEL, Target::RustCuda, "src/lib.rs"));
}

#[test]
fn rust_cuda_launches() {
    insta::assert_snapshot!(both(KERNEL, Target::RustCuda, "src/kernels.rs"));
}

#[test]
fn rust_cuda_kernels() {
    insta::assert_snapshot!(both(KERNEL, Target::RustCuda, "src/kernels.cu"));
}

#[test]
fn rust_cuda_device() {
    insta::assert_snapshot!(file(&project(KERNEL, Target::RustCuda), "src/device.rs"));
}

#[test]
fn a_crate_has_what_it_needs_for_a_device_only_where_it_uses_one() {
    let alone = project(&with_body("a[0] := 1"), Target::RustCuda);
    assert!(!file(&alone, "Cargo.toml").contains("cudarc"));
    assert!(!file(&alone, "Cargo.lock").contains("cudarc"));
    assert!(!alone.files.iter().any(|(name, _)| name == "src/device.rs"));
    let copies = with_body("\"Allocate memory for (a) on the device\"; \"Copy (a) to the device\"");
    let copies = project(&copies, Target::RustCuda);
    assert!(file(&copies, "Cargo.lock").contains("name = \"cudarc\""));
    assert!(!copies.files.iter().any(|(name, _)| name == "src/nvrtc.rs"));
}

#[test]
fn hermite() {
    let text = std::fs::read_to_string("schemes/nbody/hermite.saa").unwrap();
    let project = project(&text, Target::Rust);
    let library = file(&project, "src/lib.rs");
    insta::assert_snapshot!(&library[library.find("fn run(").unwrap()..]);
}

/// What a program in C++ has of its own: loops on all cores, branches, and what they wait for.
#[test]
fn cpp_support() {
    let text = std::fs::read_to_string("tests/emit/cases/branches.saa").unwrap();
    let project = project(&text, Target::Cpp);
    let library = file(&project, &format!("{}.cpp", project.name));
    let support = file(&project, "support.hpp");
    let at = support.find("// What runs at once.").unwrap();
    let end = support.find("// The caller.").unwrap();
    insta::assert_snapshot!(format!("{library}\n----\n{}", &support[at..end]));
}

#[test]
fn the_same_scheme_gives_the_same_bytes() {
    for target in [Target::Rust, Target::Cuda, Target::RustCuda] {
        let first = project(KERNEL, target);
        for _ in 0..5 {
            assert_eq!(project(KERNEL, target), first);
        }
    }
    let text = std::fs::read_to_string("tests/emit/cases/parallel.saa").unwrap();
    assert_eq!(project(&text, Target::Cpp), project(&text, Target::Cpp));
}

/// The codes of the diagnostics with which a scheme is refused.
fn refused(text: &str, target: Target) -> Vec<&'static str> {
    let scheme = scheme("text", text, Precision::F32);
    match emit(&scheme, target, &EmitOptions::default()) {
        Ok(_) => Vec::new(),
        Err(all) => all.iter().map(|d| d.code).collect(),
    }
}

fn with_body(body: &str) -> String {
    format!(
        "SCHEME \"S\" ==== DATA N : INTEGER := 4 a : REAL [N] OUTPUT END OF DATA {body} END OF SCHEME \"S\""
    )
}

#[test]
fn what_cannot_run_is_refused_with_everything_that_it_lacks() {
    let text = r#"SCHEME "S" ==== "Do this"; IF 'That holds' THEN x := y END IF END OF SCHEME "S""#;
    let scheme = scheme("text", text, Precision::F32);
    for target in [Target::Rust, Target::Cpp, Target::Cuda, Target::RustCuda] {
        let errors = emit(&scheme, target, &EmitOptions::default()).unwrap_err();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].code, "E0501");
        for missing in ["DATA", "Do this", "That holds", "`x`", "`y`"] {
            assert!(errors[0].message.contains(missing), "{}", errors[0].message);
        }
    }
}

#[test]
fn a_barrier_that_some_threads_may_not_meet_is_refused_by_rust() {
    let kernel = |body: &str| {
        with_body(&format!(
            "\"Allocate memory for (a) on the device\"; RunKernel (1, 4) ( {body}; a[thread] := 0 )"
        ))
    };
    let refused = |body: &str| refused(&kernel(body), Target::Rust);
    assert_eq!(refused("IF thread < 2 THEN BARRIER END IF"), ["E0505"]);
    assert_eq!(
        refused("FOR (i FROM 0 TO thread) LOOP BARRIER END OF LOOP"),
        ["E0505"]
    );
    // The thread's number comes to the condition through a variable, late in a loop.
    let late = "LOCAL k : INTEGER := 0; LOCAL n : INTEGER := 3; WHILE k < n LOOP BARRIER; k := k + 1; n := thread END OF LOOP";
    assert_eq!(refused(late), ["E0505"]);
    assert!(refused("IF block < 2 THEN BARRIER END IF").is_empty());
    assert!(refused("FOR (i FROM 0 TO N) LOOP BARRIER END OF LOOP").is_empty());
}

#[test]
fn what_a_target_cannot_do_is_refused() {
    let branches = with_body("PARALLEL ( a[0] := 1 // a[1] := 2 )");
    assert_eq!(refused(&branches, Target::Cuda), ["E0504"]);
    assert!(refused(&branches, Target::Rust).is_empty());
    assert!(refused(&branches, Target::Cpp).is_empty());
    assert!(refused(&branches, Target::RustCuda).is_empty());
    let waits = with_body(
        "PARALLEL (i FROM 0 TO 3) ( IF i = 0 THEN CONTROL POINT 'p' ELSE WAIT 'p' END IF )",
    );
    assert_eq!(refused(&waits, Target::Rust), ["E0503"]);
    assert_eq!(refused(&waits, Target::Cpp), ["E0503"]);
    let launch = with_body("RunKernel (1, 4) ( a[thread] := 0 )");
    assert!(refused(&launch, Target::Cpp).contains(&"E0511"));
    assert_eq!(refused(&waits, Target::RustCuda), ["E0503"]);
    let shared = with_body(
        "RunKernel (1, 4) ( LOCAL n : INTEGER := 4; SHARED t : REAL [n]; t[thread] := 0 )",
    );
    for target in [Target::Rust, Target::Cuda, Target::RustCuda] {
        assert_eq!(refused(&shared, target), ["E0502"]);
    }
}

#[test]
fn nothing_gets_out_of_comments_and_strings() {
    let text = std::fs::read_to_string("tests/emit/cases/names.saa").unwrap();
    let mut files = project(&text, Target::Cuda).files;
    files.extend(project(&text, Target::Cpp).files);
    files.extend(project(&text, Target::RustCuda).files);
    for (name, text) in &files {
        let own = !name.ends_with(".hpp");
        for line in text.lines().filter(|_| own) {
            let comment = line.trim_start().starts_with("//");
            assert!(!(comment && line.ends_with('\\')), "{name}: {line}");
            assert!(!(comment && line.contains("??/")), "{name}: {line}");
        }
    }
}
