//! Slips of the pen, and what is said of each: the construct that was meant, and the place where one that
//! is not closed was opened.

use glushkov::diagnostic::render;
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Terms};

/// What stands in a scheme, and what the message holds.
const SLIPS: &[(&str, &[&str])] = &[
    (
        "FRO (i FROM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FOR, found `FRO`", "did you mean FOR?"],
    ),
    (
        "for (i FROM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FOR, found `for`"],
    ),
    (
        "while x < 3 LOOP x := 1 END OF LOOP",
        &["expected WHILE, found `while`"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOPP x := 1 END OF LOOP",
        &["expected LOOP, found `LOPP`"],
    ),
    (
        "FOR (i FORM 0 TO 3) LOOP x := 1 END OF LOOP",
        &["expected FROM, found `FORM`"],
    ),
    (
        "IF x == 1 THEN x := 2 END IF",
        &["`==`", "equality is written `=`"],
    ),
    (
        "IF x != 1 THEN x := 2 END IF",
        &["`!=`", "inequality is written `<>`"],
    ),
    (
        "IF x = 1 && x = 2 THEN x := 2 END IF",
        &["`&&`", "write AND"],
    ),
    (
        "IF x = 1 || x = 2 THEN x := 2 END IF",
        &["`||`", "write OR"],
    ),
    ("IF !(x = 1) THEN x := 2 END IF", &["'!'", "write NOT"]),
    ("x := 7 % 2", &["`%`", "MOD"]),
    (
        "x := 1; // a comment",
        &["`//` stands between the branches", "comments begin with #"],
    ),
    (
        "IF x = 1 THEN x := 2 ELSEIF x = 2 THEN x := 3 END IF",
        &["no operator `ELSEIF`", "ELSE IF"],
    ),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1 END FOR",
        &["expected END OF LOOP, found `END FOR`", "opened here"],
    ),
    (
        "WHILE x < 3 LOOP x := 1 END WHILE",
        &["expected END OF LOOP, found `END WHILE`"],
    ),
    ("PRINT x", &["no operator `PRINT`", "REPORT"]),
    (
        "FOR (i FROM 0 TO 3) LOOP BREAK END OF LOOP",
        &["no operator `BREAK`", "WHILE"],
    ),
    (
        "RETURN x",
        &["no operator `RETURN`", "arguments that it assigns"],
    ),
    ("x -= 1", &["expected `:=`, found `-=`", "x := x - e"]),
    ("x++", &["expected `:=`, found `++`", "x += 1"]),
    ("x = 1", &["expected `:=`, found `=`", "`=` compares"]),
    ("LOCAL t : REAL = 1", &["expected `:=`, found `=`"]),
    (
        "LOCAL t : REAL; x := t",
        &["expected `:=`, found `;`", "LOCAL x : REAL := 0"],
    ),
    ("a[1][2] := 1", &["one pair of brackets", "a[i, j]"]),
    ("x := a[1][2]", &["one pair of brackets", "a[i, j]"]),
    ("a(1) := 1", &["expected `:=`, found `(`", "a[i]"]),
    (
        "FOR (i FROM 0 TO 3) LOOP x := 1",
        &["expected END OF LOOP, found `END OF SCHEME`", "opened here"],
    ),
    (
        "IF x = 1 THEN x := 2",
        &["expected END IF, found `END OF SCHEME`", "opened here"],
    ),
    (
        "IF x = 1 THEN FOR (i FROM 0 TO 3) LOOP x := 1 END IF",
        &["expected END OF LOOP, found `END IF`", "opened here"],
    ),
    (
        "IF x = 1 x := 2 END IF",
        &["expected THEN, found `x`", "of this one"],
    ),
    (
        "FOR (i FROM 0 TO 3) x := 1 END OF LOOP",
        &["expected LOOP, found `x`", "of this one"],
    ),
    (
        "x := (1 + 2",
        &["expected `)`, found `END OF SCHEME`", "opened here"],
    ),
    ("x := max(1, 2", &["expected", "`)`", "opened here"]),
    (
        "x := 1 x := 2",
        &["expected `;`, found `x`", "separated by `;`"],
    ),
    ("x := 1 2", &["expected `;`, found `2`"]),
    ("\"Do it; x := 1", &["no end", "opened here"]),
    (
        "\"Do it; x := 1;\n\"Do that\"",
        &["no end", "goes on over the end of its line"],
    ),
    (
        "ЯКШО x = 1 ТО x := 2 КІНЕЦЬ ЯКЩО",
        &["expected ЯКЩО, found `ЯКШО`"],
    ),
    (
        "ДЛЯ (i ВІД 0 ДО 3) ЦИКЛЛ x := 1 КІНЕЦЬ ЦИКЛУ",
        &["expected ЦИКЛ, found `ЦИКЛЛ`"],
    ),
    (
        "ДЛЯ (i ВІД 0 ДО 3) ЦИКЛ x := 1 КІНЕЦЬ ЦИКЛА",
        &["expected КІНЕЦЬ ЦИКЛУ, found `КІНЕЦЬ ЦИКЛА`"],
    ),
    ("END OF LOOP", &["found `END OF LOOP`"]),
    ("'p'", &["a predicate stands where something must act"]),
    ("IF \"p\" THEN x := 1 END IF", &["a phrase acts"]),
];

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
        // One slip is one error, or nearly so.
        if told.len() > 2 {
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
fn several_errors_are_told_at_once() {
    let text = "SCHEME \"s\" ====\n  x := ;\n  FOR (i FROM 0 TO 3) LOOP\n    y := (1;\n    z := 2;\n    w = 3;\n  END OF LOOP;\n  \
                v := 1 1;\n  u := 5\nWHERE\n  \"A\" ==== x := ;\n  'p' ==== ;\nEND OF SCHEME \"s\"\n";
    let told = told(text);
    assert_eq!(told.len(), 6, "{}", told.concat());
}
