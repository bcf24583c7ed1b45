//! Odd versions, lengths and texts of headers.

use super::{Case, two, version};

/// Adds files of odd headers.
pub fn add_to(all: &mut Vec<Case>) {
    let mut add = |what: &str, kind, bytes, read| all.push(Case::new(what, kind, bytes, read));
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
}
