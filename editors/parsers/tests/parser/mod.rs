//! A parser that is made from its grammar and compiled in a folder of its own; the files that are held against it.

use glushkov_parsers::{ABI, GRAMMARS, compile, editors, generate};
use libloading::{Library, Symbol};
use std::path::{Path, PathBuf};
use tree_sitter::{Language, Node, Query};

pub struct Parser {
    parser: tree_sitter::Parser,
    language: Language,
    // The language is in it.
    _library: Library,
    _folder: tempfile::TempDir,
}

/// The folder of a grammar.
pub fn folder(name: &str) -> PathBuf {
    let place = GRAMMARS
        .iter()
        .find(|(n, _)| *n == name)
        .expect("a grammar");
    editors().join(place.1)
}

impl Parser {
    pub fn of(name: &str) -> Parser {
        let made = tempfile::tempdir().expect("a folder");
        let grammar = folder(name);
        generate(&grammar, made.path(), ABI).expect("the grammar is one");
        let library = made.path().join("parser.so");
        compile(made.path(), &library).expect("the parser compiles");
        // SAFETY: the library was made here, and has nothing but tables and the lexer.
        let library = unsafe { Library::new(&library) }.expect("a library");
        // SAFETY: each generated parser has this function, which gives a table that lives as long as the library.
        let language = unsafe {
            let symbol = format!("tree_sitter_{name}");
            let function: Symbol<unsafe extern "C" fn() -> *const tree_sitter::ffi::TSLanguage> =
                library.get(symbol.as_bytes()).expect("its language");
            Language::from_raw(function())
        };
        let mut parser = tree_sitter::Parser::new();
        parser
            .set_language(&language)
            .expect("a version that is known");
        Parser {
            parser,
            language,
            _library: library,
            _folder: made,
        }
    }

    /// The first line with something that cannot be parsed, if there is one.
    pub fn wrong(&mut self, text: &str) -> Option<String> {
        let tree = self.parser.parse(text, None).expect("no limit was set");
        let root = tree.root_node();
        let node = first_wrong(root)?;
        let line = node.start_position().row;
        let shown = text.lines().nth(line).unwrap_or_default();
        Some(format!("{}: {shown}: {node}", line + 1))
    }

    /// Asserts that a query fits the language.
    pub fn query(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).expect("a query");
        if let Err(error) = Query::new(&self.language, &text) {
            panic!("{}: {error}", path.display());
        }
    }
}

fn first_wrong(node: Node<'_>) -> Option<Node<'_>> {
    if !node.has_error() {
        return None;
    }
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut cursor = node.walk();
    let all: Vec<Node> = node.children(&mut cursor).collect();
    all.into_iter().find_map(first_wrong).or(Some(node))
}

/// The files of the repository with an ending, with their texts.
pub fn files(ending: &str) -> Vec<(String, String)> {
    let root = editors().parent().expect("the repository");
    let mut all = Vec::new();
    for top in [
        "schemes",
        "operators",
        "rules",
        "systems",
        "tests",
        "generated",
        "src",
    ] {
        collect(&root.join(top), ending, &mut all);
    }
    all.sort();
    let all = all.into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).expect("a file");
        let name = path.strip_prefix(root).expect("a file of it");
        (name.display().to_string(), text)
    });
    all.collect()
}

fn collect(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, ending, into);
        } else if path.extension().is_some_and(|e| e == ending) {
            into.push(path);
        }
    }
}
