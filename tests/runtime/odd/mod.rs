//! Odd `.npy` files through every reader: that of the tool and those of emitted programs must take
//! the same files, and take them for the same values.

use super::{drivers, run};
use glushkov::data::{Array, Elem, Values, read_npy};
use std::path::Path;

mod contents;
mod headers;

/// What a file is for a reader: its shape and its values, or nothing.
type Read = Option<(Vec<usize>, Vec<f64>)>;

/// A file, the type that is asked for, and whether it is read.
struct Case {
    what: String,
    kind: &'static str,
    bytes: Vec<u8>,
    read: bool,
}

impl Case {
    fn new(what: &str, kind: &'static str, bytes: Vec<u8>, read: bool) -> Case {
        let what = what.to_owned();
        Case {
            what,
            kind,
            bytes,
            read,
        }
    }
}

const KINDS: [(&str, Elem); 5] = [
    ("bool", Elem::Bool),
    ("int32", Elem::I32),
    ("int64", Elem::I64),
    ("float32", Elem::F32),
    ("float64", Elem::F64),
];

/// The bytes of a file of a version.
fn version(major: u8, minor: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([major, minor]);
    match major {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn plain(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    version(1, 0, &header, data)
}

/// Two values of float64.
fn two() -> Vec<u8> {
    [1.5f64, -2.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect()
}

/// The whole table.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    headers::add_to(&mut all);
    contents::add_to(&mut all);
    all
}

/// The values in a form that shows all bits that matter.
fn values(array: &Array) -> Vec<f64> {
    match array.values() {
        Values::I64(v) if v.iter().any(|x| x.unsigned_abs() > 1 << 53) => {
            // Halves that are held exactly.
            let halves = |&x: &i64| [(x >> 32) as f64, (x & 0xffff_ffff) as f64];
            v.iter().flat_map(halves).collect()
        }
        _ => array.to_f64s(),
    }
}

fn by_tool(path: &Path, kind: &str) -> Read {
    let elem = KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .expect("a kind")
        .1;
    let array = read_npy(path).ok()?.to_elem(elem).ok()?;
    Some((array.shape().to_vec(), values(&array)))
}

fn by_driver(driver: &Path, path: &Path, kind: &str, what: &str) -> Read {
    let to = path.with_extension("out.npy");
    let _ = std::fs::remove_file(&to);
    let paths = [path, &to].map(|p| p.to_str().expect("UTF-8"));
    let output = run(driver, &["npy", kind, paths[0], paths[1]]);
    match output.status.code() {
        Some(0) => {
            let array = read_npy(&to).expect("what was written");
            Some((array.shape().to_vec(), values(&array)))
        }
        Some(2) => None,
        _ => panic!("{driver:?}: {what}: {output:?}"),
    }
}

fn same(a: &Read, b: &Read) -> bool {
    match (a, b) {
        (Some((s, v)), Some((t, w))) => {
            let alike =
                |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            s == t && v.len() == w.len() && v.iter().zip(w).all(alike)
        }
        (None, None) => true,
        _ => false,
    }
}

#[test]
fn all_readers_take_the_same_odd_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.npy");
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(cases.len() > 120, "{} files", cases.len());
    for case in &cases {
        std::fs::write(&path, &case.bytes).expect("a file");
        let what = &case.what;
        let found = by_tool(&path, case.kind);
        if found.is_some() != case.read {
            wrong.push(format!("{what}: the tool has {found:?}"));
        }
        for driver in drivers() {
            let other = by_driver(driver, &path, case.kind, what);
            if !same(&found, &other) {
                wrong.push(format!(
                    "{what}: the tool has {found:?}, {driver:?} has {other:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not a file has no end, or never begins.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.npy");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let link = folder.path().join("zero.npy");
    std::os::unix::fs::symlink("/dev/zero", &link).expect("a link");
    for path in [
        pipe.as_path(),
        &link,
        folder.path(),
        &folder.path().join("none.npy"),
    ] {
        let error = read_npy(path).expect_err("no file").to_string();
        assert!(error.contains(path.to_str().expect("UTF-8")), "{error}");
        for driver in drivers() {
            assert_eq!(by_driver(driver, path, "float64", "no file"), None);
        }
    }
}

/// A file of 2^45 bytes that takes no room on the disk.
#[cfg(unix)]
#[test]
fn values_beyond_the_memory_are_refused_in_words() {
    use std::io::Write;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.npy");
    let head = plain("<f8", "(4398046511104,)", &[]);
    let mut file = std::fs::File::create(&path).expect("a file");
    file.write_all(&head).expect("a header");
    if file.set_len(head.len() as u64 + (1 << 45)).is_err() {
        return; // This file system has no such files.
    }
    let error = read_npy(&path).expect_err("too large").to_string();
    assert!(error.contains("memory"), "{error}");
}
