//! LaTeX: whole documents. `LATEX=pdflatex cargo test --test forms` has each compiled.

use super::library;
use glushkov::algebra::Language;
use glushkov::syntax::print::{Notation, Style, print};
use std::collections::BTreeSet;
use std::process::Command;

/// Commands of LaTeX and amsmath that documents use.
const KNOWN: &[&str] = &[
    "begin",
    "bigl",
    "bigr",
    "bmod",
    "cdot",
    "end",
    "hspace",
    "hspace*",
    "itshape",
    "ldots",
    "le",
    "left",
    "land",
    "lor",
    "mathit",
    "mathrel",
    "ne",
    "neg",
    "operatorname",
    "raggedright",
    "right",
    "section",
    "small",
    "text",
    "textasciicircum",
    "textbackslash",
    "textgreater",
    "textless",
    "textquotedbl",
    "ttfamily",
    "ge",
    "max",
    "min",
    "textbar",
    "textasciitilde",
    "guillemotleft",
    "guillemotright",
];

/// The commands of a text: a backslash and letters.
fn commands(text: &str) -> BTreeSet<&str> {
    let mut all = BTreeSet::new();
    for (at, _) in text.match_indices('\\') {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic());
        all.insert(&rest[..end.unwrap_or(rest.len())]);
    }
    all.remove("");
    all
}

#[test]
fn documents_are_whole() {
    let compiler = std::env::var("LATEX").ok();
    let folder = tempfile::tempdir().expect("a folder");
    for (path, terms, root) in library() {
        for language in Language::ALL {
            let style = Style {
                notation: Notation::Latex,
                language,
                comments: false,
            };
            let document = print(&terms, root, style);
            let (preamble, body) = document.split_once("\\begin{document}").expect("two parts");
            let body = body.replace("\\\\", "\n");
            for command in commands(&body) {
                let defined = preamble.contains(&format!("newcommand{{\\{command}}}"));
                assert!(defined || KNOWN.contains(&command), "{path}: \\{command}");
            }
            let mut open = 0i32;
            for (at, c) in body.char_indices() {
                let escaped = body[..at].ends_with('\\');
                open += match c {
                    '{' if !escaped => 1,
                    '}' if !escaped => -1,
                    _ => 0,
                };
                assert!(open >= 0, "{path}");
            }
            assert_eq!(open, 0, "{path}");
            // Lines of a display end outside of what \left opens.
            for line in body.lines() {
                let count = |what: &str| line.matches(what).count();
                assert_eq!(count("\\left("), count("\\right)"), "{path}: {line}");
            }
            assert_eq!(
                body.matches("\\begin{").count(),
                body.matches("\\end{align").count()
            );
            let Some(compiler) = &compiler else {
                continue;
            };
            let file = folder.path().join("scheme.tex");
            std::fs::write(&file, &document).expect("a file");
            let done = Command::new(compiler)
                .args(["-interaction=nonstopmode", "-halt-on-error", "scheme.tex"])
                .current_dir(folder.path())
                .output()
                .expect("the compiler runs");
            let told = String::from_utf8_lossy(&done.stdout);
            assert!(done.status.success(), "{path}\n{told}");
        }
    }
}
