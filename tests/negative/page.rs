//! `docs/bugs.md`, made from the table.

use crate::table::{BUGS, NAMES, PROGRAMS};
use std::fmt::Write;

/// The sizes that are marked, in words.
fn sizes(marked: impl Iterator<Item = bool>) -> String {
    let found: Vec<&str> = marked
        .zip(NAMES)
        .filter(|(m, _)| *m)
        .map(|(_, n)| n)
        .collect();
    match found.len() {
        0 => "-".to_owned(),
        n if n == NAMES.len() => "all".to_owned(),
        _ => found.join(", "),
    }
}

fn made() -> String {
    let mut page = String::from(
        "# Bugs that must not pass\n\n\
         Bugs that real generators and hand-written programs ship. Each is kept twice: as a scheme \
         that is refused, and as a change of an emitted CUDA program that the comparison with the \
         sequential scheme catches. The tests in `tests/negative` hold both, and this page is made \
         from their table. T is the number of threads of a block, and of elements of a tile or, in warps, of members of a group.\n\n\
         ## As schemes\n\n\
         `check` runs a scheme on the reference machine. An error has a kind, the accesses that \
         meet, and the synchronizer that is missing.\n\n\
         | bug | scheme | refused at N = | kind | what is missing |\n|---|---|---|---|---|\n",
    );
    for bug in BUGS {
        for case in bug.refused {
            let mut kinds: Vec<&str> = case.kinds.iter().copied().filter(|k| *k != "ok").collect();
            kinds.sort();
            kinds.dedup();
            let _ = writeln!(
                page,
                "| {} | `{}` | {} | {} | {} |",
                bug.name,
                case.file,
                sizes(case.kinds.iter().map(|k| *k != "ok")),
                kinds.join(", "),
                case.missing.unwrap_or("").replace('|', "\\|"),
            );
        }
    }
    page.push_str("\nWhat cannot be written, or is not an error of a scheme:\n\n");
    for bug in BUGS {
        if let Some(why) = bug.excluded {
            let _ = writeln!(page, "- {}: {why}.", bug.name);
        }
    }
    page.push_str(
        "\nThe rules make no such scheme either: `kernel` refuses an update in place, and names the \
         two iterations.\n\n\
         ## Planted in emitted programs\n\n\
         The emitted program is compared as `run` does it, at N = 1, T - 1, T, T + 1, 2 T and \
         3 T + 7; without a bug it agrees at all of them. A processor runs it, the threads of a block \
         in turn from barrier to barrier, once from the first to the last and once backwards; caught \
         is what differs in one of the two. On a machine with a device,\n\n\
         ```\nDEVICE=3 cargo test --release --test negative device -- --ignored --nocapture\n```\n\n\
         does the same with nvcc, three times at each size, and prints the table. There a read beyond the \
         end may find zeros, and a barrier that some threads miss may do no harm: what shows in no \
         result is asked of compute-sanitizer. On an H200 the comparison caught 13 of the 17, and \
         compute-sanitizer the other four, three by memcheck and one by synccheck.\n\n\
         | bug | in the program | of | caught at N = |\n|---|---|---|---|\n",
    );
    for bug in BUGS {
        for plant in bug.planted {
            let (_, file, _) = PROGRAMS.iter().find(|p| p.0 == plant.program).unwrap();
            let _ = writeln!(
                page,
                "| {} | {} | `{file}` | {} |",
                bug.name,
                plant.name,
                sizes(plant.caught.into_iter()),
            );
        }
    }
    page
}

#[test]
fn the_page_of_the_bugs_is_fresh() {
    let path = "docs/bugs.md";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, made()).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made(),
        "{path} is out of date: run UPDATE=1 cargo test --test negative"
    );
}
