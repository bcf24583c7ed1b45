//! The texts of a module of an emitted crate → its `use` lines.

use crate::algebra::PIECES;
use crate::emit::text::Lines;
use std::collections::BTreeSet;

/// The pieces of support code that are functions of `math.rs`.
pub(super) const MATH: &[&str] = &[
    "bit_count",
    "bit_count_64",
    "bits_as_integer",
    "bits_as_integer_64",
    "bits_as_real",
    "bits_as_real_64",
    "ceil_div",
    "ceil_div_64",
    "int32",
    "int64",
    "integer32",
    "max",
    "min",
    "power",
    "power_of",
    "shift_left",
    "shift_left_64",
    "shift_right",
    "shift_right_64",
    "steps_by",
];

/// The `use` lines of a module with these texts; `root` leads to the program's modules.
pub(super) fn imports(
    root: &str,
    vectors: &[&str],
    used: &BTreeSet<&'static str>,
    texts: &[&str],
) -> String {
    let names = |name: &str| texts.iter().any(|text| has_word(text, name));
    let mut lines = Lines::default();
    let from = |lines: &mut Lines, module: &str, names: &[(&'static str, &str)]| {
        let names: Vec<&str> = names
            .iter()
            .filter(|(piece, _)| used.contains(piece))
            .map(|(_, name)| *name)
            .collect();
        match names.as_slice() {
            [] => {}
            [one] => lines.line(format!("use {root}{module}::{one};")),
            all => lines.line(format!("use {root}{module}::{{{}}};", all.join(", "))),
        }
    };
    from(
        &mut lines,
        "array",
        &[
            ("array", "array"),
            ("cell", "cell"),
            ("cells", "cells_of"),
            ("row", "row_of"),
            ("size", "size"),
        ],
    );
    if !root.is_empty() && used.contains("checked") {
        lines.line(format!("use {root}checked;"));
    }
    from(
        &mut lines,
        "device",
        &[("device_type", "Device"), ("device", "DeviceArray")],
    );
    from(&mut lines, "error", &[("fail", "fail")]);
    from(
        &mut lines,
        "grid",
        &[("grid", "grid"), ("grid_type", "Grid")],
    );
    from(
        &mut lines,
        "integers",
        &[
            ("integers", "Integers"),
            ("add_to", "add_to"),
            ("subtract_from", "subtract_from"),
        ],
    );
    from(&mut lines, "kernels", &[("kernels", "Kernels")]);
    let mut of_lanes = vec![
        ("lanes_each", "each"),
        ("lanes_groups", "groups_of"),
        ("lanes_numbers", "numbers_of"),
        ("lanes", "lanes"),
        ("lanes_2", "Lanes2"),
        ("lanes_3", "Lanes3"),
        ("lanes_4", "Lanes4"),
        ("lanes_mask", "Mask"),
    ];
    // The macro names its module, which the root has without that.
    if !root.is_empty() {
        of_lanes.insert(0, ("lanes", "self"));
    }
    from(&mut lines, "lanes", &of_lanes);
    // What only lanes call, by their method of that name, they name themselves.
    let pieces = PIECES.iter().map(|p| p.name);
    let pieces = pieces.filter(|name| texts.iter().any(|text| calls(text, name)));
    let mut math: Vec<_> = MATH.iter().copied().chain(pieces).map(|n| (n, n)).collect();
    math.sort_unstable();
    from(&mut lines, "math", &math);
    from(
        &mut lines,
        "parallel",
        &[
            ("parallel_loop", "parallel"),
            ("share", "share"),
            ("shared", "Shared"),
        ],
    );
    from(&mut lines, "points", &[("points", "Points")]);
    from(
        &mut lines,
        "views",
        &[("view", "View"), ("view_mut", "ViewMut")],
    );
    let vectors: Vec<&str> = vectors
        .iter()
        .copied()
        // A vector that only the interface has is an array there.
        .filter(|name| names(name))
        .collect();
    let mut from_std = names("Instant").then_some("use std::time::Instant;");
    // In the order of rustfmt.
    if root.is_empty() {
        from_std
            .take()
            .into_iter()
            .for_each(|line| lines.line(line));
    }
    match vectors.as_slice() {
        [] => {}
        [one] => lines.line(format!("use {root}vector::{one};")),
        all => lines.line(format!("use {root}vector::{{{}}};", all.join(", "))),
    }
    from(
        &mut lines,
        "wide",
        &[
            ("wide_methods", "Wide"),
            ("wide_2", "Wide2"),
            ("wide_3", "Wide3"),
            ("wide_4", "Wide4"),
        ],
    );
    if !root.is_empty() {
        let own: Vec<&str> = ["Error", "Real", "Reports", "Sizes"]
            .into_iter()
            .filter(|name| names(name))
            .collect();
        match own.as_slice() {
            [] => {}
            [one] => lines.line(format!("use super::{one};")),
            all => lines.line(format!("use super::{{{}}};", all.join(", "))),
        }
    }
    from_std.into_iter().for_each(|line| lines.line(line));
    lines.line("");
    lines.finish()
}

/// Whether a text has a name as a whole word of its code: comments and strings say names of schemes.
pub(super) fn has_word(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let line = before.rsplit('\n').next().unwrap_or(before);
        let quotes = line.matches('"').count() - line.matches("\\\"").count();
        let said = quotes % 2 == 1 || line.trim_start().starts_with("//");
        !said && !before.ends_with(part) && !after.starts_with(part)
    })
}

/// Whether a text calls a function, not a method, of a name.
fn calls(text: &str, name: &str) -> bool {
    let inside = |c: char| c == '.' || c == '_' || c.is_alphanumeric();
    let mut calls = text.match_indices(name);
    calls.any(|(at, _)| text[at + name.len()..].starts_with('(') && !text[..at].ends_with(inside))
}
