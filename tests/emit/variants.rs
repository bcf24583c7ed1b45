//! Programs that pick one of several variants by a size.

use crate::harness::scheme;
use glushkov::algebra::Precision;
use glushkov::data::{Values, read_npy};
use glushkov::emit::{
    CUDA_EXACT_FLAGS, Choice, EmitOptions, Emitted, Target, Variant, emit_choice, write_project,
};
use glushkov::toolchain::testing::nvcc_or_skip;
use glushkov::toolchain::{BuildOptions, build, run_program};
use std::path::Path;
use std::process::Command;

/// A scheme whose results tell which body ran.
fn text(body: &str) -> String {
    format!(
        "SCHEME \"Which one\" ====\nDATA\n  N : INTEGER := 4\n  M : INTEGER64 := 9\n  \
         unused : REAL := 1\n  work : VECTOR [N]\n  \
         x : INTEGER [N] OUTPUT\nEND OF DATA\n{body}\nEND OF SCHEME \"Which one\"\n"
    )
}

/// The bodies use unlike things: a working array, a parameter, a launch.
const PLAIN: &str = "FOR (i FROM 0 TO N - 1) LOOP work[i] := vector(1, 0, 0); \
                     x[i] := int(work[i].x) END OF LOOP";
const PARALLEL: &str = "TIMED ( PARALLEL (i FROM 0 TO N - 1) ( x[i] := 2 + int(M / 1000) ) )";
const LAUNCH: &str = "\"Allocate memory for (x) on the device\";\nRunKernel (ceil_div(N, 32), 32) \
                      ( LOCAL i : INTEGER := block * threads + thread; IF i < N THEN x[i] := 3 \
                      END IF );\n\"Copy (x) from the device\"";

fn choice(parameter: &str, limits: &[(i64, usize)], otherwise: usize) -> Choice {
    Choice {
        parameter: parameter.into(),
        limits: limits.to_vec(),
        otherwise,
        from: "measured */ here \\".into(),
    }
}

fn emitted(bodies: &[&str], choice: &Choice, target: Target) -> Result<Emitted, String> {
    let schemes: Vec<_> = bodies
        .iter()
        .map(|body| scheme("which", &text(body), Precision::F32))
        .collect();
    let variants: Vec<Variant> = schemes
        .iter()
        .map(|scheme| Variant {
            scheme,
            about: "made so".into(),
        })
        .collect();
    emit_choice(&variants, choice, target, &EmitOptions::default()).map_err(|all| {
        let said: Vec<String> = all
            .iter()
            .map(|d| format!("{}: {}", d.code, d.message))
            .collect();
        said.join("\n")
    })
}

/// The first number that the program gives with a parameter.
fn first(program: &Path, folder: &Path, set: &str) -> i32 {
    let out = folder.join("out");
    let arguments = ["--set", set, "--out", out.to_str().expect("UTF-8")];
    run_program(program, &arguments, folder, &mut |_| {}).expect("it runs");
    match read_npy(&out.join("x.npy")).expect("an array").values() {
        Values::I32(x) => x[0],
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_size_decides_which_variant_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let choice = choice("N", &[(7, 1), (20, 0), (30, 2)], 0);
    let bodies = [PLAIN, PARALLEL, LAUNCH];
    let emitted = emitted(&bodies, &choice, Target::Rust).expect("it is emitted");
    let built = build(&emitted.project, &BuildOptions::default(), &mut |_| {}).expect("it builds");
    let sizes = [(1, 2), (7, 2), (8, 1), (20, 1), (21, 3), (30, 3), (31, 1)];
    for (n, variant) in sizes {
        let found = first(&built.executable, folder.path(), &format!("N={n}"));
        assert_eq!(found, variant, "N = {n}");
    }
}

#[test]
fn a_crate_of_variants_has_no_warnings_and_one_of_everything_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = choice("M", &[(9, 0)], 1);
    let emitted = emitted(&[LAUNCH, PARALLEL], &limits, Target::Rust).expect("it is emitted");
    write_project(&emitted.project, folder.path(), true).expect("files");
    let mut command = Command::new("cargo");
    command.args(["clippy", "--lib", "--offline", "--", "-D", "warnings"]);
    let done = command
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("variants"),
        )
        .current_dir(folder.path())
        .output()
        .expect("cargo");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let files = &emitted.project.files;
    let count = |what: &str| {
        files
            .iter()
            .map(|(_, text)| text.matches(what).count())
            .sum::<usize>()
    };
    assert_eq!(
        (count("pub struct Reports "), count("pub fn which_one(")),
        (1, 1)
    );
    assert_eq!(count("pub fn run("), 2);
    // Each line of a variant comes from its own scheme.
    assert_eq!(emitted.variants.len(), 2);
    let map = emitted
        .files
        .iter()
        .find(|f| f.path == "src/variant_2.rs")
        .expect("a map");
    let mut lines = map.origins.iter().flatten().peekable();
    assert!(lines.peek().is_some() && lines.all(|&origin| origin >= emitted.variants[1]));
}

#[test]
fn a_cuda_program_of_variants_compiles_and_picks() {
    let Some(nvcc) = nvcc_or_skip() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let compile = |bodies: &[&str], name: &str| {
        let limits = choice("N", &[(7, 1), (20, 0)], bodies.len() - 1);
        let emitted = emitted(bodies, &limits, Target::Cuda).expect("it is emitted");
        let dir = folder.path().join(name);
        write_project(&emitted.project, &dir, true).expect("files");
        let mut command = nvcc.command();
        command.args([
            "-std=c++17",
            "-O1",
            "-arch=sm_90",
            "-Werror",
            "all-warnings",
        ]);
        command
            .args(["-Xcompiler", "-Wall,-Werror"])
            .args(CUDA_EXACT_FLAGS);
        command
            .args(["which_one.cu", "main.cpp", "-o", "program"])
            .current_dir(&dir);
        let done = command.output().expect("nvcc");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        dir.join("program")
    };
    // Without kernels it runs on any machine.
    let program = compile(&[PLAIN, PARALLEL], "host");
    for (n, variant) in [(7, 2), (8, 1), (20, 1), (21, 2)] {
        let found = first(&program, folder.path(), &format!("N={n}"));
        assert_eq!(found, variant, "N = {n}");
    }
    // Kernels of the same name stand in namespaces of their own.
    compile(&[LAUNCH, PARALLEL, LAUNCH], "kernels");
}

#[test]
fn variants_that_make_no_program_are_refused() {
    let refused = |bodies: &[&str], choice: &Choice, target| match emitted(bodies, choice, target) {
        Ok(_) => panic!("it is emitted"),
        Err(said) => said,
    };
    let both = [PLAIN, PARALLEL];
    let of = |choice: &Choice| refused(&both, choice, Target::Rust);
    assert!(of(&choice("unused", &[(7, 1)], 0)).contains("`unused` is not a whole parameter"));
    assert!(of(&choice("K", &[(7, 1)], 0)).contains("`K` is not a whole parameter"));
    assert!(of(&choice("N", &[(7, 1), (7, 0)], 0)).contains("do not ascend"));
    assert!(of(&choice("N", &[(7, 2)], 0)).starts_with("E0509"));
    let said = refused(&both, &choice("N", &[(7, 1)], 0), Target::RustCuda);
    assert!(said.contains("rust-cuda has no choice"), "{said}");
    let saves = "TIMED ( SAVE \"all\" (x) )";
    let said = refused(&[PLAIN, saves], &choice("N", &[(7, 1)], 0), Target::Rust);
    assert!(said.contains("parameters and data differ"), "{said}");
    // A limit that no value exceeds is none.
    let wide = choice("N", &[(5, 1), (1 << 40, 0)], 1);
    let emitted = emitted(&both, &wide, Target::Rust).expect("it is emitted");
    let library = &emitted
        .project
        .files
        .iter()
        .find(|f| f.0 == "src/lib.rs")
        .expect("it")
        .1;
    assert!(
        library.contains("if n <= 5 {") && !library.contains("1099511627776"),
        "{library}"
    );
}
