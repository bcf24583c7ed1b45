//! Files and folders that are not what they should be.

use super::glushkov;
use glushkov::toolchain::testing::building;
use std::path::Path;
use std::process::Stdio;

const SCHEME: &str = "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 5\n  r : VECTOR [N] INPUT\n  \
                      k : INTEGER [N] INPUT OUTPUT\nEND OF DATA\n  k[0] := k[1]\nEND OF SCHEME \"s\"\n";

/// A `.npy` file of a type and a shape, with as many zero bytes after the header.
fn npy(path: &Path, ty: &str, shape: &str, bytes: usize) {
    let header = format!("{{'descr': '{ty}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(vec![0; bytes]);
    std::fs::write(path, file).expect("a file");
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (r, k) = (folder.path().join("r.npy"), folder.path().join("k.npy"));
    let input = folder.path().to_str().expect("a name in UTF-8");
    let run = |out: &str| {
        let arguments = [
            "run",
            "-",
            "--target",
            "interpreter",
            "--in",
            input,
            "--out",
            out,
        ];
        glushkov(&arguments, SCHEME)
    };
    let out = folder.path().join("out");
    let out = out.to_str().expect("a name in UTF-8");
    let cases: &[(&str, &str, usize, &str)] = &[
        ("<f4", "(5, 3)", 60, ""),
        ("<f4", "(5, 2)", 40, "E0413"),
        ("<f4", "(15,)", 60, "E"),
        ("<f4", "(5, 3)", 59, "E"),
        ("<f4", "(5, 3)", 0, "E"),
        ("<f4", "(4, 3)", 48, "E0413"),
        ("<f4", "(5, 300000000000000000)", 60, "E"),
        ("<f4", "(-5, 3)", 60, "E"),
        ("<c8", "(5, 3)", 120, "E"),
        ("<U4", "(5, 3)", 240, "E"),
        ("|O", "(5, 3)", 240, "E"),
    ];
    for &(ty, shape, bytes, code) in cases {
        npy(&r, ty, shape, bytes);
        npy(&k, "<i4", "(5,)", 20);
        let ran = run(out);
        let wanted = if code.is_empty() { 0 } else { 2 };
        assert_eq!(ran.code, Some(wanted), "{ty} {shape} {bytes}\n{}", ran.err);
        assert!(ran.err.contains(code), "{ty} {shape} {bytes}\n{}", ran.err);
    }
    npy(&r, "<f4", "(5, 3)", 60);
    for text in [&b""[..], b"\x93NUMPY", b"not an array at all"] {
        std::fs::write(&k, text).expect("a file");
        assert_eq!(run(out).code, Some(2));
    }
    npy(&k, "<f4", "(5,)", 20);
    assert_eq!(run(out).code, Some(2), "reals are not integers");
    std::fs::remove_file(&k).expect("it was there");
    let ran = run(out);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("E0412"), "{}", ran.err);
    // The output folder is a file.
    npy(&k, "<i4", "(5,)", 20);
    let ran = run(r.to_str().expect("a name in UTF-8"));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("E0001"), "{}", ran.err);
}

#[test]
fn files_that_are_none_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = folder.path().join("bad.saa");
    std::fs::write(&bad, b"SCHEME \xff\xfe").expect("a file");
    let empty = folder.path().join("empty.saa");
    std::fs::write(&empty, b"").expect("a file");
    let cases = [
        (folder.path().join("nothing.saa"), "E0002"),
        (folder.path().to_path_buf(), "E0002"),
        (bad, "E0003"),
        (empty, "E0107"),
    ];
    for (path, code) in cases {
        let path = path.to_str().expect("a name in UTF-8");
        for command in ["check", "show", "derive", "run"] {
            let ran = glushkov(&[command, path], "");
            assert_eq!(ran.code, Some(2), "{command} {path}\n{}", ran.err);
            assert!(ran.err.contains(code), "{command} {path}\n{}", ran.err);
        }
    }
    let ran = glushkov(&["check", "hermit"], "");
    assert!(
        ran.err
            .contains("did you mean the embedded scheme `hermite`?"),
        "{}",
        ran.err
    );
}

#[test]
fn folders_that_cannot_be_written_are_left_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("file"), "mine").expect("a file");
    for out in [
        path("file"),
        path("file/inside"),
        "/proc/nothing/here".to_owned(),
    ] {
        let ran = glushkov(&["emit", "-", "--target", "rust", "-o", &out], SCHEME);
        assert_eq!(ran.code, Some(2), "{out}\n{}", ran.err);
        assert!(ran.err.contains("error[E"), "{out}\n{}", ran.err);
    }
    assert_eq!(
        std::fs::read_to_string(path("file")).expect("still there"),
        "mine"
    );
    let full = path("full");
    std::fs::create_dir(&full).expect("a folder");
    std::fs::write(path("full/notes"), "mine").expect("a file");
    let ran = glushkov(&["emit", "-", "--target", "rust", "-o", &full], SCHEME);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("--force"), "{}", ran.err);
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .map(|e| e.expect("an entry").file_name())
        .collect();
    assert_eq!(names.len(), 2, "nothing half-written: {names:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = "bench leapfrog --target interpreter --set N=8 --set STEPS=1 --runs 1";
    for arguments in [
        "show hermite",
        "derive hermite",
        "explain E0201",
        "rules list",
        "rules explain kernel",
        bench,
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let mut child = building(env!("CARGO_BIN_EXE_glushkov"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the tool starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the tool ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{told}");
        assert!(!told.contains("panic") && !told.contains("error"), "{told}");
    }
}

#[test]
fn without_a_compiler_the_hint_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let home = folder.path().join("home");
    let output = building(env!("CARGO_BIN_EXE_glushkov"))
        .args(["run", "leapfrog", "--target", "rust", "--set", "N=8"])
        .env_clear()
        .env("PATH", "")
        .env("HOME", &home)
        .env("XDG_CACHE_HOME", &cache)
        .output()
        .expect("the tool starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("error[E") && told.contains("help:"), "{told}");
}
