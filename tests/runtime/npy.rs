//! `.npy` files through the emitted readers and writers.

use super::{drivers, run};
use glushkov::data::{Array, Values, identical, read_npy, write_npy};
use std::path::Path;

/// What a driver says of a file that it must refuse.
fn refusal(driver: &Path, kind: &str, from: &Path) -> String {
    let to = from.with_extension("out");
    let paths = [from, &to].map(|p| p.to_str().unwrap());
    let output = run(driver, &["npy", kind, paths[0], paths[1]]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{driver:?} {kind}: {said}");
    assert!(said.contains(paths[0]), "the file is not named: {said}");
    assert!(!to.exists());
    said
}

/// Sends a file through a driver as `kind` and reads what comes out.
fn through(driver: &Path, kind: &str, from: &Path) -> Array {
    let to = from.with_extension("out.npy");
    let paths = [from, &to].map(|p| p.to_str().unwrap());
    let output = run(driver, &["npy", kind, paths[0], paths[1]]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{driver:?} {kind}: {said}");
    let left = from.parent().unwrap().read_dir().unwrap().flatten();
    let left: Vec<_> = left.map(|e| e.file_name()).collect();
    assert!(
        left.iter()
            .all(|n| !n.to_string_lossy().contains("partial")),
        "{left:?}"
    );
    read_npy(&to).unwrap()
}

/// The bytes of a `.npy` file of version 1.0.
fn file(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    raw(
        &format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n"),
        data,
    )
}

fn raw(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn arrays_pass_through_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let arrays = [
        (vec![3], Values::Bool(vec![true, false, true])),
        (vec![2, 2], Values::I32(vec![i32::MIN, -1, 0, i32::MAX])),
        (vec![], Values::I64(vec![i64::MIN])),
        (vec![0, 3], Values::F32(vec![])),
        (
            vec![1, 3, 1],
            Values::F32(vec![0.1, f32::MIN_POSITIVE / 2.0, -0.0]),
        ),
        (
            vec![2, 3],
            Values::F64(vec![0.1, -0.0, 1e-320, f64::NAN, f64::INFINITY, 6.0]),
        ),
        (vec![2], Values::F64(vec![1.0, 2.0])),
    ];
    for (shape, values) in arrays {
        let array = Array::new(shape, values).unwrap();
        write_npy(&path, &array).unwrap();
        for driver in drivers() {
            let back = through(driver, array.elem().name(), &path);
            assert!(
                identical(&array, &back),
                "{driver:?}: {array:?} became {back:?}"
            );
        }
    }
}

#[test]
fn widths_orders_and_ends_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let le16: Vec<u8> = [1i16, 4, -2, 5, 3, 6]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let be64: Vec<u8> = [1.5f64, -0.1]
        .iter()
        .flat_map(|x| x.to_be_bytes())
        .collect();
    let be32: Vec<u8> = [7i32, -7].iter().flat_map(|x| x.to_be_bytes()).collect();
    let whole: Vec<u8> = [1u64 << 24, 3]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let order = vec![1, -2, 3, 4, 5, 6];
    let cases = [
        (
            "int32",
            file("<i2", true, "(2, 3)", &le16),
            Values::I32(order),
        ),
        (
            "float64",
            file(">f8", false, "(2,)", &be64),
            Values::F64(vec![1.5, -0.1]),
        ),
        (
            "float32",
            file(">f8", false, "(2,)", &be64),
            Values::F32(vec![1.5, -0.1]),
        ),
        (
            "int64",
            file(">i4", false, "(2,)", &be32),
            Values::I64(vec![7, -7]),
        ),
        (
            "int32",
            file("|u1", false, "(2,)", &[255, 0]),
            Values::I32(vec![255, 0]),
        ),
        (
            "int32",
            file("|i1", false, "(2,)", &[255, 0]),
            Values::I32(vec![-1, 0]),
        ),
        (
            "float32",
            file("<u8", false, "(2,)", &whole),
            Values::F32(vec![16777216.0, 3.0]),
        ),
        (
            "bool",
            file("|b1", true, "(1, 2)", &[1, 0]),
            Values::Bool(vec![true, false]),
        ),
        (
            "int32",
            raw(
                "{\"shape\":(2 ,),\"fortran_order\":False,\"descr\":\"|u1\"}",
                &[1, 2],
            ),
            Values::I32(vec![1, 2]),
        ),
    ];
    for (kind, bytes, expected) in cases {
        std::fs::write(&path, bytes).unwrap();
        for driver in drivers() {
            assert_eq!(
                through(driver, kind, &path).values(),
                &expected,
                "{driver:?} {kind}"
            );
        }
    }
    // Version 2.0 has a length of four bytes.
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': ()}\n";
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(2.5f32.to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    for driver in drivers() {
        let array = through(driver, "float64", &path);
        assert_eq!(
            (array.shape().len(), array.values()),
            (0, &Values::F64(vec![2.5]))
        );
    }
}

#[test]
fn what_does_not_convert_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let large = (1i64 << 31).to_le_bytes();
    let odd = ((1i64 << 24) + 1).to_le_bytes();
    let cases = [
        (
            "int32",
            file("<i8", false, "(1,)", &large),
            "2147483648 is out of range of int32",
        ),
        (
            "int64",
            file("<u8", false, "(1,)", &[255; 8]),
            "18446744073709551615 is out of range",
        ),
        (
            "float32",
            file("<i8", false, "(1,)", &odd),
            "16777217 is out of range of float32",
        ),
        (
            "float64",
            file("<i8", false, "(1,)", &i64::MAX.to_le_bytes()),
            "out of range of float64",
        ),
        (
            "int32",
            file("<f4", false, "(1,)", &[0; 4]),
            "it holds floats, wanted is int32",
        ),
        (
            "int32",
            file("|b1", false, "(1,)", &[0]),
            "it holds truth values, wanted is int32",
        ),
        (
            "float32",
            file("|b1", false, "(1,)", &[0]),
            "it holds truth values, wanted is float32",
        ),
        (
            "bool",
            file("|u1", false, "(1,)", &[0]),
            "it holds numbers, wanted is bool",
        ),
        (
            "float32",
            file("<c16", false, "(1,)", &[0; 16]),
            "type '<c16'",
        ),
        ("float32", file("<f2", false, "(1,)", &[0; 2]), "type '<f2'"),
        ("float32", file("", false, "(1,)", &[0; 2]), "type ''"),
        (
            "float32",
            file("é4", false, "(1,)", &[0; 4]),
            "its header is not",
        ),
        (
            "float32",
            file("<f4", false, "(2,)", &[0; 7]),
            "its shape is [2], but it holds 7 bytes",
        ),
    ];
    for (kind, bytes, expected) in cases {
        std::fs::write(&path, bytes).unwrap();
        for driver in drivers() {
            let said = refusal(driver, kind, &path);
            assert!(said.contains(expected), "{driver:?}: {said}");
        }
    }
}

#[test]
fn broken_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let cases = [
        vec![],
        b"\x93NUMPY\x01\x00".to_vec(),
        b"hello, this is not an array at all".to_vec(),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(),
        b"\x93NUMPY\x02\x00\x00".to_vec(),
        b"\x93NUMPY\x01\x00\xff\xff{ ".to_vec(),
        file("<f8", false, "(9223372036854775808, 4)", &[0; 64]),
        file("<f8", false, "(2305843009213693952,)", &[0; 64]),
        file("<f8", false, "(99999999999999999999,)", &[0; 64]),
        file("<f8", false, "(-1,)", &[0; 64]),
        file("<f8", false, "(1 2)", &[0; 16]),
        file("<f8", false, "(2", &[0; 16]),
        file("<f8", false, "2", &[0; 16]),
        raw("", &[0; 16]),
        raw("{", &[0; 16]),
        raw("{'descr': '<f8', 'shape': (2,)}", &[0; 16]),
        raw(
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
            &[0; 16],
        ),
        raw(
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
            &[0; 16],
        ),
        raw(
            "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,)}",
            &[0; 16],
        ),
        raw(&"(".repeat(60_000), &[]),
    ];
    for bytes in cases {
        std::fs::write(&path, &bytes).unwrap();
        for driver in drivers() {
            refusal(driver, "float64", &path);
        }
        assert!(read_npy(&path).is_err(), "{bytes:?}");
    }
    for driver in drivers() {
        let said = refusal(driver, "float64", &folder.path().join("none.npy"));
        assert!(said.starts_with("cannot read"), "{said}");
        refusal(driver, "float64", folder.path());
    }
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    write_npy(&path, &Array::from_f64(vec![0.0; 2])).unwrap();
    for driver in drivers() {
        let to = folder.path().join("no/x.npy");
        let output = run(
            driver,
            &[
                "npy",
                "float64",
                path.to_str().unwrap(),
                to.to_str().unwrap(),
            ],
        );
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.starts_with("cannot write") && said.contains("no/x.npy"),
            "{said}"
        );
    }
}
