//! Odd shapes, types, values and orders.

use super::{Case, KINDS, plain, two, version};

/// Adds files of odd contents.
pub fn add_to(all: &mut Vec<Case>) {
    let mut add = |what: &str, kind, bytes, read| all.push(Case::new(what, kind, bytes, read));
    let data = two();

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
}
