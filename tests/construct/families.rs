//! Definitions of families: those in parts that are GIVEN, and the members that are checked.

use super::refining::glushkov;
use std::fs::{read_to_string, write};

const FAMILY: &str = r#"SCHEME "Fam {d}" ====
GIVEN d IN {1, 2}
GIVEN word IN {"sum", "product"}
DATA
  N : INTEGER := 4
  GIVEN FOR (k FROM 1 TO d)
    y{k} : REAL [N] OUTPUT
  END GIVEN
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP
    GIVEN FOR (k FROM 1 TO d)
      "Do {word} (y{k}[i]) {k}"
    END GIVEN
  END OF LOOP;
  "End (N)"
WHERE
  "End (n)" ====
    EMPTY
  # Above the part.
  GIVEN FOR (k FROM 1 TO d)
    # For each of them.
    "Do {word} (v) {k}" ====
      GIVEN IF k = 1 THEN v := k ELSE v := d END GIVEN; # here

      IF v > 1 THEN v := 1 END IF
    # Inside of the part.
  END GIVEN
END OF SCHEME "Fam {d}"
"#;

/// A file in a folder that lasts as long.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder
        .path()
        .join("s.saa")
        .to_str()
        .expect("UTF-8")
        .to_owned();
    write(&path, text).expect("a file");
    (folder, path)
}

#[test]
fn a_definition_in_a_part_that_is_given_is_taken_out() {
    let (folder, path) = file(FAMILY);
    let to = folder.path().join("do.saa");
    let to = to.to_str().expect("UTF-8");
    let phrase = "Do {word} (v) {k}";
    let ran = glushkov(&["fold", &path, phrase, "--to", to, "--write"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let body = "# Inside of the part.\n# For each of them.\nGIVEN IF k = 1 THEN v := k ELSE v := d END GIVEN; \
                # here\n\nIF v > 1 THEN v := 1 END IF\n";
    assert_eq!(read_to_string(to).expect("the definition"), body);
    let (from, end) = (
        FAMILY.find("  GIVEN FOR (k FROM 1 TO d)\n    # For"),
        FAMILY.find("END OF SCHEME"),
    );
    let (from, end) = (from.expect("the part"), end.expect("the end"));
    let wanted = format!("{}{}", &FAMILY[..from], &FAMILY[end..]);
    assert_eq!(read_to_string(&path).expect("the scheme"), wanted);
    // Behind the last definition nobody knows `k`.
    let ran = glushkov(&["refine", &path, phrase, "--with", to]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(
        ran.err.contains("`k`, which GIVEN FOR alone knows"),
        "{}",
        ran.err
    );
}

#[test]
fn a_definition_in_a_part_that_is_given_is_replaced() {
    let (folder, path) = file(FAMILY);
    let with = folder.path().join("with.saa");
    write(&with, "v := 0;\n\nv := v + k").expect("a file");
    let with = with.to_str().expect("UTF-8");
    let phrase = "Do {word} (v) {k}";
    let ran = glushkov(&["refine", &path, phrase, "--with", with]);
    assert!(ran.err.contains("is defined"), "{}", ran.err);
    let ran = glushkov(&["refine", &path, phrase, "--with", with, "--replace"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let (from, to) = (FAMILY.find("    # For each"), FAMILY.find("    # Inside"));
    let (from, to) = (from.expect("the definition"), to.expect("its end"));
    let block = "    \"Do {word} (v) {k}\" ====\n      v := 0;\n\n      v := v + k\n";
    let wanted = format!("{}{block}{}", &FAMILY[..from], &FAMILY[to..]);
    assert_eq!(ran.out, wanted);
}

#[test]
fn other_definitions_of_a_part_stay() {
    let given = |yes: &str, no: &str| {
        format!(
            "SCHEME \"s\" ====\nGIVEN d IN {{1, 2}}\nDATA\n  x : REAL OUTPUT\nEND OF DATA\n  \
             \"A (x)\"; \"B (x)\"\nWHERE\n  GIVEN IF d = 1 THEN\n{yes}  ELSE\n{no}  END GIVEN\nEND OF SCHEME \"s\"\n"
        )
    };
    let [a, b] = ["A", "B"].map(|name| format!("    \"{name} (v)\" ==== v := 1\n"));
    let both = format!("{a}{b}");
    for (before, phrase, after) in [
        (given(&both, ""), "A (v)", given(&b, "")),
        (given(&both, ""), "B (v)", given(&a, "")),
        (given(&a, &b), "A (v)", given("", &b)),
        (given(&a, &b), "B (v)", given(&a, "")),
    ] {
        let (_folder, path) = file(&before);
        let ran = glushkov(&["fold", &path, phrase, "--write"]);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(0), "v := 1\n"),
            "{}",
            ran.err
        );
        assert_eq!(
            read_to_string(&path).expect("the scheme"),
            after,
            "{phrase}"
        );
    }
    // Which of two is meant, nobody can tell.
    let (_folder, path) = file(&given(&both, &a));
    let body = path.replace("s.saa", "body.saa");
    write(&body, "v := 2").expect("a file");
    for arguments in [
        vec!["fold", &path, "A (v)"],
        vec!["refine", &path, "A (v)", "--with", &body, "--replace"],
    ] {
        let ran = glushkov(&arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(
            ran.err.contains("more than once, for what is GIVEN"),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("defined here, too"), "{}", ran.err);
    }
}

#[test]
fn messages_have_phrases_as_they_are_written() {
    let (folder, path) = file(FAMILY);
    let with = folder.path().join("with.saa");
    write(&with, "EMPTY").expect("a file");
    let with = with.to_str().expect("UTF-8");
    for (arguments, told) in [
        (
            vec!["fold", &path, "Do {ward} (v) {k}"],
            "did you mean \"Do {word} (v) {k}\"?",
        ),
        (
            vec!["fold", &path, "Quite another"],
            "phrases that are defined: \"Do {word} (v) {k}\", \"End (n)\"",
        ),
        (
            vec!["refine", &path, "Quite another", "--with", with],
            "phrases that are used: \"Do {word} (y{k}[i]) {k}\", \"End (N)\"",
        ),
    ] {
        let ran = glushkov(&arguments);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(told), "{told}\n{}", ran.err);
    }
}

#[test]
fn every_member_is_checked() {
    let text = "SCHEME \"G\" ====\nGIVEN d IN {1, 2}\nDATA\n  N : INTEGER := 3\n  x1 : REAL [N] OUTPUT\n\
                END OF DATA\n  FOR (i FROM 0 TO N - 1) LOOP\n    \"Set (i)\"\n  END OF LOOP\nEND OF SCHEME \"G\"\n";
    let (folder, path) = file(text);
    let body = folder.path().join("body.saa");
    write(&body, "x{d}[i] := d").expect("a file");
    let body = body.to_str().expect("UTF-8");
    let refine = ["refine", &path, "Set (i)", "--with", body];
    let ran = glushkov(&[&refine[..], &["--write"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let told = "in the scheme that would be made, d = 2: `x2` is not declared";
    assert!(ran.err.contains(told), "{}", ran.err);
    assert_eq!(read_to_string(&path).expect("the scheme"), text);
    // What is wrong with the words of the phrase stands in no file.
    let ran = glushkov(&["refine", &path, "Set (d)", "--with", body]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let place = format!("--> <{path} as it would be>:11:9");
    assert!(ran.err.contains(&place), "{}", ran.err);
    // Those that somebody chooses are checked.
    let ran = glushkov(&[&refine[..], &["--given", "d=1"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    // Folding, too: the definition that goes is one that the other member needs.
    let lines = text.replace("\"Set (i)\"", "x1[i] := 1;\n    GIVEN IF d = 2 THEN LOCAL a : REAL := 1; \
                             a := a + i END GIVEN;\n    x1[i] := 2;\n    GIVEN IF d = 2 THEN x1[i] := a END GIVEN");
    write(&path, lines).expect("a file");
    let ran = glushkov(&["fold", &path, "--lines", "8-9", "Begin (i)"]);
    assert_eq!(ran.code, Some(2), "{}\n{}", ran.err, ran.out);
    assert!(ran.err.contains("made, d = 2: `a`"), "{}", ran.err);
}

#[test]
fn of_a_large_family_so_many_members_are_checked() {
    let text = "SCHEME \"G\" ====\nGIVEN d IN 1..9999 := 200\nGIVEN e IN 1..9999\nDATA\n  x : INTEGER OUTPUT\n\
                END OF DATA\n  \"Set (x)\"\nEND OF SCHEME \"G\"\n";
    let (folder, path) = file(text);
    let body = folder.path().join("body.saa");
    let body = body.to_str().expect("UTF-8");
    let refine = ["refine", &path, "Set (x)", "--with", body];
    write(body, "x := d + e").expect("a file");
    let ran = glushkov(&refine);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told = "64 members of the family were checked, and not the others";
    assert!(ran.err.contains(told), "{}", ran.err);
    // The one by default is among them, and so are the first.
    for (operator, is_checked) in [
        ("GIVEN IF d = 200 THEN x := TRUE END GIVEN", true),
        ("GIVEN IF e = 63 THEN x := TRUE END GIVEN", true),
        ("GIVEN IF e = 64 THEN x := TRUE END GIVEN", false),
    ] {
        write(body, format!("x := 1; {operator}")).expect("a file");
        let ran = glushkov(&refine);
        assert_eq!(
            ran.err.contains("E0203"),
            is_checked,
            "{operator}\n{}",
            ran.err
        );
    }
}
