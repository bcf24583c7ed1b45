//! Pages and pictures of the code that are made from it, and the order of its floors.

use std::path::Path;

/// A page that is made from tables; `UPDATE=1` writes it anew.
fn is_fresh(path: &str, made: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, made).expect("the page is writable");
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == made,
        "{path} is out of date: run UPDATE=1 cargo test --test documents"
    );
}

#[test]
fn the_manual_is_fresh() {
    is_fresh("docs/language.md", &glushkov::algebra::document());
}

fn rule_base() -> glushkov::rewrite::RuleBase {
    let mut sources = glushkov::term::Sources::default();
    glushkov::derive::rule_base(&mut sources, &[]).expect("the rule base loads")
}

#[test]
fn the_page_of_the_rules_is_fresh() {
    // The table of evidence at its end is made by `tests/rules`.
    let page = std::fs::read_to_string("docs/rules.md").unwrap_or_default();
    let evidence = page.find("\n## Evidence\n").map_or("", |at| &page[at..]);
    let made = glushkov::derive::document(&rule_base());
    is_fresh("docs/rules.md", &format!("{made}{evidence}"));
}

#[test]
fn the_table_of_variables_is_fresh() {
    let page = std::fs::read_to_string("docs/shell.md").unwrap_or_default();
    let head = page.split("\n| variable |").next().unwrap_or_default();
    let made = glushkov::cli::variables::document();
    is_fresh("docs/shell.md", &format!("{}\n\n{made}", head.trim_end()));
}

#[test]
fn every_variable_of_ours_is_in_the_table() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let known = glushkov::cli::variables::VARIABLES;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for at in text.match_indices("\"GLUSHKOV_").map(|(at, _)| at + 1) {
            let name: String = text[at..]
                .chars()
                .take_while(|c| c.is_ascii_uppercase() || *c == '_')
                .collect();
            assert!(
                known.iter().any(|v| v.name == name),
                "{} names {name}, which src/cli/variables.rs does not have",
                file.display()
            );
        }
    }
}

#[test]
fn every_code_has_one_meaning() {
    let mut codes: Vec<&str> = glushkov::diagnostic::CODES.iter().map(|c| c.code).collect();
    codes.sort_unstable();
    let twice = codes.windows(2).find(|w| w[0] == w[1]);
    assert_eq!(twice, None);
}

#[test]
fn every_rule_and_every_strategy_has_a_page() {
    let base = rule_base();
    let rules = base.rules.iter();
    let rules = rules.map(|r| (r.name, r.named && !r.doc.trim().is_empty()));
    let strategies = base.strategies().iter();
    let strategies = strategies.map(|s| (s.name, !s.doc.trim().is_empty()));
    let without: Vec<String> = rules
        .chain(strategies)
        .filter(|(_, page)| !page)
        .map(|(name, _)| name.to_string())
        .collect();
    assert!(
        without.is_empty(),
        "a comment before the rule is its page, and #@rule(…) its name: {without:?}"
    );
}

/// The modules bottom-up: each may name those before it and itself.
const FLOORS: &[&str] = &[
    "term",
    "diagnostic",
    "algebra",
    "syntax",
    "family",
    "check",
    "equality",
    "analysis",
    "flowgraph",
    "construct",
    "rewrite",
    "machine",
    "derive",
    "certificate",
    "toolchain",
    "emit",
    "trace",
    "data",
    "pipeline",
    "server",
    "cli",
];

fn sources(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn imports_run_towards_the_ground() {
    let mut wrong = Vec::new();
    for (floor, name) in FLOORS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&Path::new("src").join(name), &mut files);
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a source");
            for line in text.lines() {
                for (other, above) in FLOORS.iter().enumerate() {
                    if other > floor
                        && line.contains(&format!("crate::{above}::"))
                        && !line.trim_start().starts_with("//")
                    {
                        wrong.push(format!("{}: {}", file.display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "imports towards the roof:\n{}",
        wrong.join("\n")
    );
}

/// What only the command line knows: its arguments and the terminal.
const OF_THE_COMMAND_LINE: &[&str] = &["clap", "indicatif", "is_terminal"];

/// What the pipeline does not do, either: print, and end the process.
const OF_THE_PROCESS: &[&str] = &["print!(", "println!(", "stdout()", "stderr()", "exit("];

#[test]
fn only_the_command_line_knows_of_a_terminal() {
    let mut wrong = Vec::new();
    for floor in FLOORS.iter().filter(|floor| **floor != "cli") {
        let mut files = Vec::new();
        sources(&Path::new("src").join(floor), &mut files);
        let process = OF_THE_PROCESS.iter().filter(|_| *floor == "pipeline");
        let words: Vec<&str> = OF_THE_COMMAND_LINE.iter().chain(process).copied().collect();
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a source");
            for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
                if words.iter().any(|word| line.contains(word)) {
                    wrong.push(format!("{}: {}", file.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the checker of saved derivations may name of the rule engine: plain data, and the door to
/// the facts.
const SHARED_WITH_THE_ENGINE: &[&str] = &[
    "Answer",
    "Asked",
    "Evidence",
    "FloatClass",
    "Host",
    "Redex",
    "Status",
    "Step",
];

#[test]
fn the_checker_of_derivations_names_no_engine() {
    let mut files = Vec::new();
    sources(Path::new("src/certificate"), &mut files);
    let mut named = std::collections::BTreeSet::new();
    let mut lines = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        lines += text.lines().count();
        for (at, _) in text.match_indices("rewrite::") {
            let rest = &text[at + "rewrite::".len()..];
            let names = match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => rest
                    .split(|c: char| !c.is_alphanumeric())
                    .next()
                    .unwrap_or_default(),
            };
            named.extend(names.split(',').map(|n| n.trim().to_owned()));
        }
        assert!(
            !text.contains("use crate::*") && !text.contains("rewrite as"),
            "{file:?}"
        );
    }
    named.remove("");
    assert!(named.iter().eq(SHARED_WITH_THE_ENGINE), "{named:?}");
    assert!(
        lines < 1300,
        "it is to be read in one sitting: {lines} lines"
    );
}

#[test]
fn every_code_of_a_diagnostic_has_a_page() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut missing = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for (at, _) in text
            .match_indices("(\"E0")
            .chain(text.match_indices("(\"N0"))
            .chain(text.match_indices("=> \"E"))
        {
            let code: String = text[at..]
                .chars()
                .skip_while(|c| *c != '"')
                .skip(1)
                .take_while(|c| *c != '"')
                .collect();
            let is_code = code.len() == 5 && code[1..].bytes().all(|b| b.is_ascii_digit());
            if is_code
                && !glushkov::diagnostic::CODES.iter().any(|c| c.code == code)
                && !missing.contains(&code)
            {
                missing.push(code);
            }
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "codes without a page: {missing:?}");
}

#[test]
fn the_grammar_of_keywords_is_fresh() {
    let made = glushkov::syntax::keyword_rules();
    is_fresh("grammar/keywords.pest", &made);
}

#[test]
fn the_grammars_of_editors_are_fresh() {
    for (path, made) in glushkov::server::grammars::made() {
        is_fresh(path, &made);
    }
}

/// The map names no file that is not there.
#[test]
fn what_the_map_names_is_there() {
    let map = std::fs::read_to_string("ARCHITECTURE.md").expect("the map");
    let words = map.split('`').skip(1).step_by(2);
    let is_path = |w: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
        let top = w
            .split('/')
            .next()
            .is_some_and(|top| Path::new(top).is_dir());
        w.contains('/') && top && w.chars().all(plain)
    };
    let named: Vec<&str> = words.filter(is_path).collect();
    assert!(named.len() > 50, "{named:?}");
    let there =
        |path: &&&str| Path::new(path).exists() || Path::new(&format!("{path}.rs")).exists();
    let missing: Vec<_> = named.iter().filter(|path| !there(path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
