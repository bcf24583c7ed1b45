//! What the language reads of rule files, their grammar parses; what it refuses shows an error, with few exceptions.

mod parser;

use glushkov::syntax::LexemeKind;
use glushkov::syntax::rules::{lexemes, read_rules};
use glushkov::term::Terms;
use parser::{Parser, files, folder};

fn is_read(text: &str) -> bool {
    read_rules(&mut Terms::new(), 0, text).1.is_empty()
}

#[test]
fn rule_files_parse() {
    let mut parser = Parser::of("glushkov_rules");
    let (mut parsed, mut refused) = (0, 0);
    for (path, text) in files("rules") {
        let wrong = parser.wrong(&text);
        if is_read(&text) {
            assert_eq!(wrong, None, "{path}");
            parsed += 1;
        } else {
            assert!(wrong.is_some(), "{path} is refused, but parses");
            refused += 1;
        }
    }
    println!("{parsed} parse, {refused} are refused");
    assert!(parsed > 100, "{parsed}");
}

/// Each short file without one of its words or signs, one after the other: what is still read still parses.
#[test]
fn what_is_left_of_rules_parses_where_it_is_read() {
    let mut parser = Parser::of("glushkov_rules");
    let (mut refused, mut agree) = (0, 0);
    for (path, text) in files("rules") {
        if text.len() > 3000 {
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
    assert!(agree * 100 > refused * 99, "{agree} of {refused}");
}

#[test]
fn the_queries_fit() {
    let mut parser = Parser::of("glushkov_rules");
    for name in ["highlights", "folds"] {
        parser.query(&folder("glushkov_rules").join(format!("queries/{name}.scm")));
    }
}
