//! Odd `.npy` files through every reader: that of the tool and those of emitted programs must take
//! the same files, and take them for the same values.

use super::{drivers, run};
use glushkov::data::{Array, Elem, Values, read_npy};
use std::path::Path;

/// What a file is for a reader: its shape and its values, or nothing.
type Read = Option<(Vec<usize>, Vec<f64>)>;

/// A file, the type that is asked for, and whether it is read.
struct Case {
    what: String,
    kind: &'static str,
    bytes: Vec<u8>,
    read: bool,
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
    let mut add = |what: &str, kind: &'static str, bytes: Vec<u8>, read: bool| {
        let what = what.to_owned();
        all.push(Case {
            what,
            kind,
            bytes,
            read,
        });
    };
    let data = two();
    let good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";

    // Versions and the header's length.
    for (major, minor, read) in [
        (1, 0, true),
        (2, 0, true),
        (3, 0, true),
        (0, 0, false),
        (4, 0, false),
        (255, 0, false),
        (1, 1, false),
        (2, 1, false),
        (3, 7, false),
    ] {
        let what = format!("version {major}.{minor}");
        add(&what, "float64", version(major, minor, good, &data), read);
    }
    let padded = |n: usize| format!("{good}{}\n", " ".repeat(n));
    add(
        "much padding",
        "float64",
        version(1, 0, &padded(10_000), &data),
        true,
    );
    let longest = 65_535 - good.len() - 1;
    add(
        "a header of 65535 bytes",
        "float64",
        version(2, 0, &padded(longest), &data),
        true,
    );
    add(
        "a header of 65536 bytes",
        "float64",
        version(2, 0, &padded(longest + 1), &data),
        false,
    );
    add(
        "a longer header",
        "float64",
        version(2, 0, &padded(200_000), &data),
        false,
    );
    add(
        "a header of no bytes",
        "float64",
        version(1, 0, "", &data),
        false,
    );
    let mut short = version(1, 0, good, &data);
    short[8] += 1;
    add(
        "a header that takes a byte of the data",
        "float64",
        short,
        false,
    );
    let mut long = version(2, 0, good, &data);
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    add("a header longer than the file", "float64", long, false);
    let whole = version(1, 0, good, &data);
    for cut in [
        0,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        40,
        whole.len() - 16,
        whole.len() - 1,
    ] {
        add(
            &format!("cut at {cut}"),
            "float64",
            whole[..cut].to_vec(),
            false,
        );
    }
    let mut more = whole.clone();
    more.push(0);
    add("a byte too many", "float64", more, false);
    let mut magic = whole.clone();
    magic[0] = b'N';
    add("another magic", "float64", magic, false);
    add(
        "a zip",
        "float64",
        b"PK\x03\x04 and what follows it in the file".to_vec(),
        false,
    );

    // The dictionary.
    for (header, read) in [
        (good, true),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            true,
        ),
        (
            "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (2,)}",
            true,
        ),
        (
            "{'descr': \"<f8\", \"fortran_order\": False, 'shape': (2,)}",
            true,
        ),
        ("{'shape':(2,),'fortran_order':False,'descr':'<f8'}", true),
        (
            "  {'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            true,
        ),
        (
            "\n{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            true,
        ),
        (
            "{ 'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 2 , ) , } \n",
            true,
        ),
        (
            "{'descr':\t'<f8',\r\n'fortran_order':\tFalse,\n'shape': (2,)}\t\r\n",
            true,
        ),
        (
            "{'descr': '<f8',\u{b}'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8',\u{c}'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8',\u{a0}'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}\u{a0}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}\0\0",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,),, }",
            false,
        ),
        (
            "{, 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8' 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8'; 'fortran_order': False; 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)",
            false,
        ),
        (
            "'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} # it",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}}",
            false,
        ),
        ("{'descr': '<f8', 'fortran_order': False}", false),
        ("{'descr': '<f8', 'shape': (2,)}", false),
        ("{'fortran_order': False, 'shape': (2,)}", false),
        ("{}", false),
        (
            "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'x': '<f8'}",
            false,
        ),
        (
            "{'Descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        ("{descr: '<f8', fortran_order: False, shape: (2,)}", false),
        (
            "{u'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': b'<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr\": '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'d\\x65scr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8\n', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '''<f8''', 'fortran_order': False, 'shape': (2,)}",
            false,
        ),
        ("{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}", false),
        (
            "{'descr': '<f8', 'fortran_order': false, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': 'False', 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': Falsey, 'shape': (2,)}",
            false,
        ),
        (
            "{'descr': '<f8', 'fortran_order': None, 'shape': (2,)}",
            false,
        ),
        ("('<f8', False, (2,))", false),
        (
            "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'é': 1}",
            false,
        ),
    ] {
        add(
            &format!("header {header:?}"),
            "float64",
            version(1, 0, header, &data),
            read,
        );
    }

    // Shapes.
    for (shape, bytes, read) in [
        ("()", 8, true),
        ("( )", 8, true),
        ("(0,)", 0, true),
        ("(0,)", 8, false),
        ("(1,)", 8, true),
        ("(1)", 8, false),
        ("(2,)", 16, true),
        ("(2 ,)", 16, true),
        ("( 2,)", 16, true),
        ("(2, )", 16, true),
        ("(\n2,)", 16, true),
        ("(2,,)", 16, false),
        ("(,)", 8, false),
        ("(,2)", 16, false),
        ("(2", 16, false),
        ("2", 16, false),
        ("2,", 16, false),
        ("[2]", 16, false),
        ("[2,]", 16, false),
        ("(2]", 16, false),
        ("{2}", 16, false),
        ("(2L,)", 16, false),
        ("(2.0,)", 16, false),
        ("(2e0,)", 16, false),
        ("(0x2,)", 16, false),
        ("(02,)", 16, false),
        ("(00,)", 0, false),
        ("(1_0,)", 80, false),
        ("(+2,)", 16, false),
        ("(-2,)", 16, false),
        ("(-1,)", 8, false),
        ("('2',)", 16, false),
        ("(True,)", 8, false),
        ("None", 8, false),
        ("((2,),)", 16, false),
        ("(1 2)", 16, false),
        ("(1, 2)", 16, true),
        ("(1, 2,)", 16, true),
        ("(2, 1)", 16, true),
        ("(2, 2)", 16, false),
        ("(0, 3)", 0, true),
        ("(3, 0, 5)", 0, true),
        ("(1, 1, 1, 1, 1, 1, 1, 1, 2)", 16, true),
        ("(9223372036854775807,)", 16, false),
        ("(9223372036854775808,)", 16, false),
        ("(18446744073709551615,)", 16, false),
        ("(18446744073709551616,)", 16, false),
        ("(18446744073709551618,)", 16, false),
        ("(2305843009213693952,)", 0, false),
        ("(2305843009213693954,)", 16, false),
        ("(4294967296, 4294967296)", 0, false),
        ("(4294967296, 4294967296, 2)", 16, false),
        ("(0, 9223372036854775808)", 0, false),
        ("(9223372036854775808, 4, 0)", 0, false),
        ("(0, 9223372036854775808, 4)", 0, false),
        ("(0, 1152921504606846975)", 0, true),
        ("(0, 1152921504606846976)", 0, false),
        ("(99999999999999999999999999999999,)", 16, false),
    ] {
        let bytes = vec![0; bytes];
        add(
            &format!("shape {shape:?}"),
            "float64",
            plain("<f8", shape, &bytes),
            read,
        );
    }
    let axes = |n: usize| format!("({})", "1, ".repeat(n));
    add("64 axes", "float64", plain("<f8", &axes(64), &[0; 8]), true);
    add(
        "65 axes",
        "float64",
        plain("<f8", &axes(65), &[0; 8]),
        false,
    );
    add(
        "brackets",
        "float64",
        version(1, 0, &"(".repeat(60_000), &[]),
        false,
    );

    // Types: of a file of one value, by the type that is asked for.
    for (descr, width, read_as) in [
        ("|b1", 1, "bool"),
        ("<b1", 1, "bool"),
        (">b1", 1, "bool"),
        ("=b1", 1, ""),
        ("b1", 1, ""),
        ("?", 1, ""),
        ("|?", 1, ""),
        ("|u1", 1, "int32 int64 float32 float64"),
        ("<u1", 1, "int32 int64 float32 float64"),
        (">i1", 1, "int32 int64 float32 float64"),
        ("|i1", 1, "int32 int64 float32 float64"),
        ("<i2", 2, "int32 int64 float32 float64"),
        (">u2", 2, "int32 int64 float32 float64"),
        ("|i2", 2, ""),
        ("<i4", 4, "int32 int64 float32 float64"),
        (">i4", 4, "int32 int64 float32 float64"),
        ("=i4", 4, ""),
        ("|i4", 4, ""),
        ("i4", 4, ""),
        ("<u4", 4, "int32 int64 float32 float64"),
        ("<i8", 8, "int32 int64 float32 float64"),
        (">i8", 8, "int32 int64 float32 float64"),
        ("<u8", 8, "int32 int64 float32 float64"),
        ("<f4", 4, "float32 float64"),
        (">f4", 4, "float32 float64"),
        ("<f8", 8, "float32 float64"),
        (">f8", 8, "float32 float64"),
        ("=f8", 8, ""),
        ("|f8", 8, ""),
        ("f8", 8, ""),
        ("float64", 8, ""),
        ("<d", 8, ""),
        ("<f8 ", 8, ""),
        (" <f8", 8, ""),
        ("<F8", 8, ""),
        ("<f2", 2, ""),
        ("<f16", 16, ""),
        ("<f0", 0, ""),
        ("<c8", 8, ""),
        ("<c16", 16, ""),
        ("|O", 8, ""),
        ("|O8", 8, ""),
        ("|S4", 4, ""),
        ("|S0", 0, ""),
        ("<U1", 4, ""),
        ("|V8", 8, ""),
        ("<M8[ns]", 8, ""),
        ("<m8", 8, ""),
        ("<i3", 3, ""),
        ("<i16", 16, ""),
        ("", 8, ""),
        ("<", 8, ""),
        ("<<f8", 8, ""),
    ] {
        for (kind, _) in KINDS {
            let read = read_as.split(' ').any(|k| k == kind);
            let what = format!("type {descr:?} as {kind}");
            add(&what, kind, plain(descr, "(1,)", &vec![0; width]), read);
        }
    }
    for list in [
        "[('x', '<f8')]",
        "('<f8', (2,))",
        "{'names': ['x']}",
        "[]",
        "None",
    ] {
        let header = format!("{{'descr': {list}, 'fortran_order': False, 'shape': (2,)}}");
        add(
            &format!("records {list}"),
            "float64",
            version(1, 0, &header, &data),
            false,
        );
    }

    // Values.
    let le = |x: i64| x.to_le_bytes().to_vec();
    for (what, kind, descr, bytes, read) in [
        ("1", "bool", "|b1", vec![1], true),
        ("2", "bool", "|b1", vec![2], false),
        ("255", "bool", "|b1", vec![255], false),
        ("2^31", "int32", "<i8", le(1 << 31), false),
        ("2^31 - 1", "int32", "<i8", le((1 << 31) - 1), true),
        ("-2^31", "int32", "<i8", le(-(1 << 31)), true),
        ("-2^31 - 1", "int32", "<i8", le(-(1 << 31) - 1), false),
        (
            "2^24 + 1",
            "float32",
            "<i4",
            16_777_217i32.to_le_bytes().to_vec(),
            false,
        ),
        (
            "2^24 + 2",
            "float32",
            "<i4",
            16_777_218i32.to_le_bytes().to_vec(),
            true,
        ),
        ("2^53 + 1", "float64", "<i8", le((1 << 53) + 1), false),
        ("2^53 + 2", "float64", "<i8", le((1 << 53) + 2), true),
        ("2^63 - 1", "float64", "<i8", le(i64::MAX), false),
        ("2^63 - 1", "int64", "<u8", le(i64::MAX), true),
        ("-2^63", "float64", "<i8", le(i64::MIN), true),
        ("2^63", "int64", "<u8", le(i64::MIN), false),
        ("2^63", "float64", "<u8", le(i64::MIN), false),
        ("2^64 - 1", "int64", "<u8", le(-1), false),
        ("2^32 - 1", "int32", "<u4", vec![255; 4], false),
        ("2^32 - 1", "int64", "<u4", vec![255; 4], true),
        ("-1", "int32", "|i1", vec![255], true),
        ("255", "int32", "|u1", vec![255], true),
        ("256", "int32", ">u2", vec![1, 0], true),
        (
            "1e300",
            "float32",
            "<f8",
            1e300f64.to_le_bytes().to_vec(),
            true,
        ),
        (
            "NaN",
            "float64",
            "<f4",
            f32::NAN.to_le_bytes().to_vec(),
            true,
        ),
        (
            "-0",
            "float32",
            "<f8",
            (-0.0f64).to_le_bytes().to_vec(),
            true,
        ),
        (
            "a denormal",
            "float32",
            "<f8",
            1e-40f64.to_le_bytes().to_vec(),
            true,
        ),
    ] {
        let what = format!("the value {what} of {descr} as {kind}");
        add(&what, kind, plain(descr, "(1,)", &bytes), read);
    }

    // Fortran order.
    for (shape, count) in [
        ("()", 1),
        ("(6,)", 6),
        ("(2, 3)", 6),
        ("(3, 2)", 6),
        ("(1, 6)", 6),
        ("(2, 0)", 0),
        ("(2, 3, 2)", 12),
        ("(2, 1, 3, 2)", 12),
    ] {
        for (descr, big) in [("<i2", false), (">i2", true)] {
            let bytes = |i: i16| {
                if big {
                    i.to_be_bytes()
                } else {
                    i.to_le_bytes()
                }
            };
            let data: Vec<u8> = (0..count).flat_map(bytes).collect();
            let header =
                format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': {shape}, }}");
            let what = format!("Fortran order, {shape} {descr}");
            add(&what, "int32", version(1, 0, &header, &data), true);
        }
    }
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

/// What is no file has no end, or never begins.
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
