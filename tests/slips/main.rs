//! Slips of the pen, and what is said of each: the construct that was meant, and the place where one that
//! is not closed was opened.

mod table;

use glushkov::diagnostic::render;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};
use table::{PARTS, SLIPS};

fn told(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("slip.saa", text);
    let (_, errors) = read_file(&sources, file, &mut Terms::new());
    errors.iter().map(|e| render(e, &sources, false)).collect()
}

#[test]
fn slips_are_understood() {
    let mut wrong = Vec::new();
    for (body, says) in SLIPS {
        let text = format!("SCHEME \"s\" ====\n  {body}\nEND OF SCHEME \"s\"\n");
        let told = told(&text);
        let first = told.first().map_or("", String::as_str);
        if !says.iter().all(|s| first.contains(s)) {
            wrong.push(format!("{body}\n{first}"));
        }
        if told.len() != 1 {
            wrong.push(format!("{body}\n{}", told.concat()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn slips_in_data_are_understood() {
    for (data, says) in [
        ("N : INTEGER = 5", "expected `:=`, found `=`"),
        ("N INTEGER := 5", "expected `,` or `:`"),
        ("x : REAL [3", "expected `,` or `]`"),
    ] {
        let text = format!(
            "SCHEME \"s\" ====\nDATA\n  {data}\nEND OF DATA\n  EMPTY\nEND OF SCHEME \"s\"\n"
        );
        let told = told(&text).concat();
        assert!(told.contains(says), "{data}\n{told}");
    }
    let open = told("SCHEME \"s\" ====\nDATA\n  x : REAL\n  EMPTY\nEND OF SCHEME \"s\"\n").concat();
    assert!(open.contains("END OF DATA"), "{open}");
}

#[test]
fn slips_between_parts_are_understood() {
    for (parts, says) in PARTS {
        let told = told(&format!("SCHEME \"s\" ====\n{parts}END OF SCHEME \"s\"\n"));
        let all = told.concat();
        assert_eq!(told.len(), 1, "{parts}\n{all}");
        assert!(says.iter().all(|s| all.contains(s)), "{parts}\n{all}");
    }
}

#[test]
fn several_errors_are_told_at_once() {
    let text = "SCHEME \"s\" ====\n  x := ;\n  FOR (i FROM 0 TO 3) LOOP\n    y := (1;\n    z := 2;\n    w = 3;\n  END OF LOOP;\n  \
                v := 1 1;\n  u := 5\nWHERE\n  \"A\" ==== x := ;\n  'p' ==== ;\nEND OF SCHEME \"s\"\n";
    let told = told(text);
    assert_eq!(told.len(), 6, "{}", told.concat());
}
