//! What the language reads, the grammar of schemes parses; what it refuses shows an error, with few exceptions.

#[path = "../../../tests/slips/table.rs"]
mod table;

mod parser;

use glushkov::algebra::{Keyword, Language};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::text::{lexemes, read_file, read_operators};
use glushkov::syntax::{LexemeKind, rule_name};
use glushkov::term::{Id, Sources, Terms};
use parser::{Parser, files, folder};

/// The items of a text, where nothing is wrong with it.
fn read(text: &str, terms: &mut Terms) -> Option<Vec<Id>> {
    let mut sources = Sources::default();
    let file = sources.add("some.saa", text);
    let (items, errors) = read_file(&sources, file, terms);
    errors.is_empty().then_some(items)
}

fn is_read(text: &str) -> bool {
    read(text, &mut Terms::new()).is_some()
}

#[test]
fn schemes_parse_in_every_language() {
    let mut parser = Parser::of("glushkov");
    let mut parsed = 0;
    for (path, text) in files("saa") {
        let mut terms = Terms::new();
        let items = read(&text, &mut terms).unwrap_or_else(|| panic!("{path} is not read"));
        let wrong = parser.wrong(&text);
        assert_eq!(wrong, None, "{path}");
        for language in Language::ALL {
            let style = Style {
                notation: Notation::Text,
                language,
                comments: false,
            };
            for &item in &items {
                let printed = print(&terms, item, style);
                let wrong = parser.wrong(&printed);
                assert_eq!(wrong, None, "{path}\n{printed}");
                parsed += 1;
            }
        }
    }
    assert!(parsed > 500, "{parsed}");
}

#[test]
fn files_of_operators_parse() {
    let mut parser = Parser::of("glushkov");
    let all = files("ops");
    assert!(!all.is_empty());
    for (path, text) in all {
        let mut sources = Sources::default();
        let file = sources.add(path.as_str(), text.as_str());
        let (_, errors) = read_operators(&sources, file, &mut Terms::new());
        assert!(errors.is_empty(), "{path}");
        assert_eq!(parser.wrong(&text), None, "{path}");
    }
}

/// Each file of the library without one of its words or signs, one after the other: what is still read still parses.
#[test]
fn what_is_left_of_schemes_parses_where_it_is_read() {
    let mut parser = Parser::of("glushkov");
    let (mut refused, mut agree) = (0, 0);
    for (path, text) in files("saa") {
        if !path.starts_with("schemes") || text.len() > 6000 {
            continue;
        }
        for lexeme in lexemes(&text) {
            if lexeme.kind == LexemeKind::Comment {
                continue;
            }
            let left = format!("{}{}", &text[..lexeme.from], &text[lexeme.to..]);
            let wrong = parser.wrong(&left);
            if is_read(&left) {
                let word = lexeme.text(&text);
                assert_eq!(wrong, None, "{path} without `{word}` at {}", lexeme.from);
            } else {
                refused += 1;
                agree += usize::from(wrong.is_some());
            }
        }
    }
    println!("of {refused} texts that are refused, {agree} show an error");
    assert!(agree * 100 > refused * 95, "{agree} of {refused}");
}

/// That a separator is missing, the reader says alone.
#[test]
fn slips_show_errors() {
    let mut parser = Parser::of("glushkov");
    let whole = |body: &str| format!("SCHEME \"s\" ====\n  {body}\nEND OF SCHEME \"s\"\n");
    let slips = table::SLIPS.iter().chain(table::PARTS);
    let unseen = slips.filter(|(text, _)| parser.wrong(&whole(text)).is_none());
    let unseen: Vec<&str> = unseen.map(|(text, _)| *text).collect();
    assert_eq!(unseen, ["x := 1 x := 2"]);
}

#[test]
fn the_queries_know_every_keyword() {
    let mut parser = Parser::of("glushkov");
    for name in ["highlights", "folds", "indents", "locals"] {
        parser.query(&folder("glushkov").join(format!("queries/{name}.scm")));
    }
    let highlights = folder("glushkov").join("queries/highlights.scm");
    let highlights = std::fs::read_to_string(highlights).expect("the query");
    for &keyword in Keyword::ALL {
        let name = format!("({})", rule_name(keyword));
        assert_eq!(highlights.matches(&name).count(), 1, "{name}");
    }
}
