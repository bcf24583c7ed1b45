//! Transformations that are written as a user writes them, `tests/written`: each passes its tests with all
//! mutants, is applied to two schemes and changes no result, and stands on its page as it is.

use crate::tested::User;
use std::fmt::Write;
use std::path::Path;

/// A rule file, the strategy with its settings, and two schemes.
struct Written {
    rules: &'static str,
    strategy: &'static str,
    with: &'static str,
    schemes: [&'static str; 2],
}

const ALL: [Written; 5] = [
    Written {
        rules: "tiled",
        strategy: "in_tiles",
        with: "--with rows=4 --with columns=3",
        schemes: ["plane", "product"],
    },
    Written {
        rules: "jammed",
        strategy: "jammed_in_turns",
        with: "--with copies=2",
        schemes: ["product", "plane"],
    },
    Written {
        rules: "fused",
        strategy: "fewer_loops",
        with: "",
        schemes: ["signal", "table"],
    },
    Written {
        rules: "ahead",
        strategy: "ahead_of_use",
        with: "",
        schemes: ["signal", "table"],
    },
    Written {
        rules: "reversed",
        strategy: "from_the_end",
        with: "",
        schemes: ["table", "signal"],
    },
];

const PAGE: &str = "docs/transformations.md";

fn text(name: &str) -> String {
    let path = format!("tests/written/{name}");
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// A user with the rules and the schemes of a transformation.
fn user(written: &Written) -> User {
    let user = User::new(&text(&format!("{}.rules", written.rules)), "y[i] := 1");
    for scheme in written.schemes {
        let name = format!("{scheme}.saa");
        std::fs::write(user.path(&name), text(&name)).expect("a file");
    }
    user
}

/// What its strategy makes of a scheme.
fn derived(user: &User, written: &Written, scheme: &str) -> String {
    let Written { strategy, with, .. } = written;
    let call = format!("derive {scheme}.saa --rules own.rules --strategy {strategy} {with}");
    let (code, made, told) = user.tool(call.trim_end());
    assert_eq!(code, Some(0), "{call}: {told}");
    made
}

/// The files that a run of the interpreter leaves, with their bytes.
fn left(user: &User, scheme: &str, size: &str) -> Vec<(String, Vec<u8>)> {
    let folder = format!(
        "{}_{}",
        scheme.replace('.', "_"),
        size.replace([' ', '=', '-'], "_")
    );
    let call = format!("run {scheme} --target interpreter --no-compare --out {folder} {size}");
    let (code, shown, told) = user.tool(call.trim_end());
    assert_eq!(code, Some(0), "{call}: {told}{shown}");
    let entries = std::fs::read_dir(user.path(&folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let npy = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "npy");
    let named = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let mut files: Vec<(String, Vec<u8>)> = paths
        .filter(npy)
        .map(|path| {
            (
                named(&path).unwrap_or_default(),
                std::fs::read(&path).expect("a file"),
            )
        })
        .collect();
    files.sort();
    std::fs::remove_dir_all(user.path(&folder)).expect("the folder goes");
    files
}

#[test]
fn each_passes_its_tests_and_changes_no_result() {
    std::thread::scope(|all| {
        for written in &ALL {
            all.spawn(|| passes(written));
        }
    });
}

fn passes(written: &Written) {
    let user = user(written);
    let (code, told, _) = user.tool("rules lint own.rules");
    assert_eq!(code, Some(0), "{told}");
    let (code, table, told) = user.tool("rules test own.rules --mutants --tries 30");
    assert_eq!(code, Some(0), "{}: {told}{table}", written.rules);
    for scheme in written.schemes {
        let made = derived(&user, written, scheme);
        std::fs::write(user.path("derived.saa"), &made).expect("a file");
        // As it stands, with remainders of tiles and turns, and with loops of one iteration or none.
        for size in ["", "--set N=1", "--set N=2", "--set N=13"] {
            let before = left(&user, &format!("{scheme}.saa"), size);
            let after = left(&user, "derived.saa", size);
            let same = !before.is_empty() && before == after;
            assert!(same, "{scheme} {size}:\n{made}");
        }
    }
}

/// The rules of a file without their pages.
fn without_pages(rules: &str) -> String {
    let mut shown = String::new();
    for line in rules.lines() {
        let page = line.starts_with('#') && !line.starts_with("#@");
        if !page && !(line.is_empty() && (shown.is_empty() || shown.ends_with("\n\n"))) {
            writeln!(shown, "{line}").expect("a string takes it");
        }
    }
    shown.trim_end().to_owned()
}

/// What a scheme does: its text between its data and its end.
fn body(scheme: &str) -> String {
    let from = scheme.find("END OF DATA\n").expect("data") + "END OF DATA\n".len();
    let to = scheme.find("END OF SCHEME").expect("an end");
    let lines = scheme[from..to].lines();
    let lines: Vec<&str> = lines.map(|l| l.strip_prefix("  ").unwrap_or(l)).collect();
    lines.join("\n").trim_end().to_owned()
}

/// The page holds between two marks, for each transformation, its rules, and its first scheme before and after.
#[test]
fn the_page_shows_them_as_they_are() {
    let page = std::fs::read_to_string(PAGE).expect("a page");
    let mut made = page.clone();
    for written in &ALL {
        let user = user(written);
        let rules = text(&format!("{}.rules", written.rules));
        std::fs::write(user.path("own.rules"), &rules).expect("a file");
        let (code, _, told) = user.tool("rules test own.rules --tries 5");
        assert_eq!(code, Some(0), "{told}");
        let scheme = written.schemes[0];
        let before = body(&text(&format!("{scheme}.saa")));
        let after = body(&derived(&user, written, scheme));
        let Written {
            rules: name,
            strategy,
            with,
            ..
        } = written;
        let call = format!("derive {scheme}.saa --rules {name}.rules --strategy {strategy} {with}");
        let shown = format!(
            "```rules\n{}\n```\n\n`glushkov {}` makes of\n\n```\n{before}\n```\n\nthis:\n\n```\n{after}\n```\n",
            without_pages(&rules),
            call.trim_end(),
        );
        let (begins, ends) = (
            format!("<!-- {name} -->\n"),
            format!("<!-- end of {name} -->"),
        );
        let from = made.find(&begins).expect("its first mark") + begins.len();
        let to = made.find(&ends).expect("its second mark");
        made.replace_range(from..to, &shown);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(PAGE, &made).expect("the page is written");
    }
    let now = std::fs::read_to_string(PAGE).expect("a page");
    assert!(
        now == made,
        "{PAGE} is out of date: run UPDATE=1 cargo test --test cli written"
    );
}
