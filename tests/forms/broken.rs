//! Quoted texts that are broken over lines, as in printed papers, are the same texts.

use super::read;
use glushkov::algebra::Language;
use glushkov::syntax::format::{Kind, format};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::Sources;

/// Two texts are the same tree, and what is printed of it reads so.
fn same(broken: &str, whole: &str) {
    let (terms, root) = read("broken.saa", broken);
    let (other, expected) = read("whole.saa", whole);
    let printed = print(&terms, root, text());
    assert!(terms.equal_across(root, &other, expected), "{printed}");
    let (again, back) = read("printed.saa", &printed);
    assert!(terms.equal_across(root, &again, back), "{printed}");
}

fn text() -> Style {
    Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    }
}

/// A scheme of phrases with a definition of each.
fn scheme(calls: &str) -> String {
    format!("SCHEME \"s\" ====\n  {calls}\nEND OF SCHEME \"s\"\n")
}

/// The phrase of a scheme that has no other.
fn said(calls: &str) -> String {
    let (terms, root) = read("s.saa", &scheme(calls));
    let printed = print(&terms, root, text());
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    lines[1..lines.len() - 1].join(" ")
}

#[test]
fn a_run_of_blanks_with_a_line_end_is_one_blank() {
    let broken = "SCHEME \"Hermite of\n   fourth order\" ====
  \"Compute the accel-\n    eration of\n\n    body (i +\n   1) from\n (r,\n\n  v)\";
  IF 'body (i) is\n far' THEN EMPTY END IF;
  REPORT \"energy\n  of all\" (E);
  PARALLEL (CONTROL POINT 'all\n is done' // WAIT 'all is\r\n\t done')
WHERE
  \"Compute the\n acceleration of body (i)\n from (x, u)\" ==== EMPTY
  'body (i)\nis far' ==== i > 1
DICTIONARY
  \"Compute the acceleration of body (i) from\n(x, u)\" ==== UK \"Обчислити приско-\nрення тіла\n(i) за (x, u)\"
END OF SCHEME \"Hermite of fourth\norder\"
";
    let whole = "SCHEME \"Hermite of fourth order\" ====
  \"Compute the acceleration of body (i + 1) from (r, v)\";
  IF 'body (i) is far' THEN EMPTY END IF;
  REPORT \"energy of all\" (E);
  PARALLEL (CONTROL POINT 'all is done' // WAIT 'all is done')
WHERE
  \"Compute the acceleration of body (i) from (x, u)\" ==== EMPTY
  'body (i) is far' ==== i > 1
DICTIONARY
  \"Compute the acceleration of body (i) from (x, u)\" ==== UK \"Обчислити прискорення тіла (i) за (x, u)\"
END OF SCHEME \"Hermite of fourth order\"
";
    same(broken, whole);
}

#[test]
fn ends_of_a_broken_text_have_no_blanks() {
    assert_eq!(said("\"\n  Kick body (i)\n\""), "\"Kick body (i)\"");
    assert_eq!(said("\"\n  (i) is kicked\n\""), "\"(i) is kicked\"");
    // Blanks without a line end are the author's, and so is a line end that is written as one.
    assert_eq!(said("\" Kick  it \""), "\" Kick  it \"");
    assert_eq!(said("\"Kick\\nit\""), "\"Kick\\nit\"");
}

#[test]
fn a_hyphen_at_the_end_of_a_line_breaks_a_word() {
    assert_eq!(
        said("\"Sum ac-\n  celera- \n tions\""),
        "\"Sum accelerations\""
    );
    assert_eq!(
        said("\"Sum ac‐\n  celera\u{ad}\n tions\""),
        "\"Sum accelerations\""
    );
    // Those between blanks or beside numbers are no hyphens of words, and arguments are expressions.
    assert_eq!(said("\"Sum -\n  all\""), "\"Sum - all\"");
    assert_eq!(said("\"Sum 1-\n  2\""), "\"Sum 1- 2\"");
    assert_eq!(
        said("\"Sum (a -\n  b) and (a-\nb)\""),
        "\"Sum (a - b) and (a - b)\""
    );
}

#[test]
fn a_hyphen_stays_where_the_word_has_it_elsewhere() {
    let order = "\"Take a fourth-\n order step\"";
    assert_eq!(said(order), "\"Take a fourthorder step\"");
    let twice = |other: &str| said(&format!("{order}; {other}"));
    assert_eq!(
        twice("\"Predict by fourth-order terms\""),
        "\"Take a fourth-order step\"; \"Predict by fourth-order terms\""
    );
    assert_eq!(
        twice("\"Predict by fourth‐order terms\""),
        "\"Take a fourth-order step\"; \"Predict by fourth‐order terms\""
    );
    // Where both are words of the file, the whole phrase decides.
    let both = "\"Take a fourth-order step\"; \"Use the word fourthorder\"";
    assert_eq!(twice(both), format!("\"Take a fourth-order step\"; {both}"));
    let both = "\"Take a fourthorder step\"; \"Use the word fourth-order\"";
    assert_eq!(twice(both), format!("\"Take a fourthorder step\"; {both}"));
    // Nobody breaks a word behind its first letter, or before a capital one.
    assert_eq!(said("\"Run N-\nbody\""), "\"Run N-body\"");
    assert_eq!(
        said("\"Apply Newton-\nRaphson\""),
        "\"Apply Newton-Raphson\""
    );
}

#[test]
fn a_definition_with_a_hyphen_is_called_by_a_broken_phrase() {
    let broken = "SCHEME \"s\" ====\n  \"Take one fourth-\n order step (1)\"\nWHERE\n  \
                  \"Take one fourth-order step (i)\" ==== EMPTY\nEND OF SCHEME\n";
    same(broken, &broken.replace("-\n ", "-"));
}

#[test]
fn layout_does_not_change_what_a_phrase_is() {
    let broken = "SCHEME \"s\" ====\nFOR (i FROM 0 TO 9) LOOP\n\"Compute the accel-\n     eration\n of body (i)\" END OF LOOP\nEND OF SCHEME\n";
    let mut sources = Sources::default();
    let file = sources.add("s.saa", broken);
    let laid = format(&sources, file, Kind::Schemes).expect("laid out");
    same(broken, &laid);
    let mut sources = Sources::default();
    let file = sources.add("s.saa", laid.as_str());
    assert_eq!(
        format(&sources, file, Kind::Schemes).expect("laid out"),
        laid
    );
}
