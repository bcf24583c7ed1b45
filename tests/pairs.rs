//! What the facts about loops over pairs say, and why they refuse what they refuse.

use glushkov::algebra::{Operator, Precision, operator};
use glushkov::analysis::{Answer, Place, cells_at, exchangeable, is_symmetric, only_sums, text};
use glushkov::check::{Scheme, check};
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Path, Sources, Symbol, Terms};

/// A loop over pairs with a body, the body, and the variables of its loops.
fn pairs(body: &str) -> (Scheme, Id, [Symbol; 2]) {
    let text = format!(
        "SCHEME \"pairs\" ====
         DATA
           N : INTEGER := 4
           x, y, z : REAL [N] INPUT OUTPUT
           w : REAL [2] INPUT
           empty : REAL [N]
           t : REAL [N, N] OUTPUT
           k : INTEGER [N] INPUT
           same : REAL [2, 2] := [1, 2, 2, 3]
           other : REAL [2, 2] := [1, 2, 4, 3]
         END OF DATA
         FOR (i FROM 0 TO N - 1) LOOP FOR (j FROM i + 1 TO N - 1) LOOP {body} END OF LOOP END OF LOOP
         END OF SCHEME \"pairs\""
    );
    let mut sources = Sources::default();
    let file = sources.add("pairs", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{body}");
    let scheme = check(&terms, items[0], Precision::F32).expect("it checks");
    let mut at = scheme.body;
    let mut vars = Vec::new();
    while let Some(Operator::For { var, body, .. }) = operator(&scheme.terms, at) {
        vars.push(var);
        at = body;
        if vars.len() == 2 {
            break;
        }
    }
    (scheme, at, [vars[0], vars[1]])
}

fn sums(body: &str) -> Answer {
    let (scheme, body, vars) = pairs(body);
    only_sums(&scheme, &Path(vec![2]), body, &vars)
}

fn exchanged(body: &str) -> Answer {
    let (scheme, body, [i, j]) = pairs(body);
    exchangeable(&scheme, i, j, body)
}

fn cells(body: &str) -> Vec<String> {
    let (scheme, body, [i, _]) = pairs(body);
    let Some(Operator::For { from, to, .. }) = operator(&scheme.terms, scheme.body) else {
        panic!("the body is a loop");
    };
    let path = Path(vec![2]);
    assert_eq!(path.get(&scheme.terms, scheme.root), Some(scheme.body));
    let place = Place {
        path: &path,
        var: i,
        from,
        to,
    };
    let found = cells_at(&scheme, place, body);
    found.iter().map(|&c| text(&scheme, c)).collect()
}

fn is_yes(answer: Answer) -> bool {
    matches!(answer, Answer::Yes(..))
}

#[test]
fn only_sums_to_cells_of_the_members_are_sums() {
    assert!(is_yes(sums("y[i] := y[i] + x[j]; z[j] := z[j] - x[i]")));
    assert!(is_yes(sums(
        "t[0, i] := t[0, i] + x[j]; t[0, j] := t[0, j] - x[i]"
    )));
    for refused in [
        "y[i] := y[i] + y[j]",
        "y[i] := x[j]",
        "y[0] := y[0] + x[j]",
        "y[i] := y[i] * x[j]",
        "y[i] := y[i] + x[j]; REPORT \"x\" (x[i])",
        // Further subscripts that differ in one array, or from pair to pair.
        "t[0, i] := t[0, i] + x[j]; t[1, j] := t[1, j] + x[i]",
        "t[0, i] := t[0, i] + x[j]; t[j, 0] := t[j, 0] + x[i]",
        "t[i, j] := t[i, j] + x[j]",
        "t[k[i], j] := t[k[i], j] + x[i]",
        "LOCAL c : INTEGER := k[j]; t[c, i] := t[c, i] + x[j]",
        "FOR (c FROM 0 TO 1) LOOP t[c, i] := t[c, i] + x[j] END OF LOOP",
    ] {
        assert!(!is_yes(sums(refused)), "{refused}");
    }
}

#[test]
fn members_are_exchanged_only_where_both_get_the_same() {
    let distance = "LOCAL d : REAL := x[j] - x[i];";
    for same in [
        "y[i] := y[i] + d; y[j] := y[j] - d",
        "y[i] := y[i] + d * abs(d); y[j] := y[j] - abs(d) * d",
        "y[i] := y[i] + d * d; y[j] := y[j] + d * d",
        "y[i] := y[i] + same[k[i], k[j]]; y[j] := y[j] + same[k[i], k[j]]",
        "IF d * d < 1 THEN y[i] := y[i] + d; y[j] := y[j] - d END IF",
        "t[1, i] := t[1, i] + d; t[1, j] := t[1, j] - d",
    ] {
        assert!(is_yes(exchanged(&format!("{distance} {same}"))), "{same}");
    }
    for refused in [
        // One-sided, of the wrong sign, and friction that depends on one of the two.
        "y[i] := y[i] + d",
        "y[i] := y[i] + d; y[j] := y[j] + d",
        "y[i] := y[i] + d * z[i]; y[j] := y[j] - d * z[i]",
        // Rows of a table, or a row and a column.
        "t[0, i] := t[0, i] + d; t[1, j] := t[1, j] - d",
        "t[0, i] := t[0, i] + d; t[j, 0] := t[j, 0] - d",
        "t[k[i], i] := t[k[i], i] + d; t[k[i], j] := t[k[i], j] - d",
        // A table that is not symmetric.
        "y[i] := y[i] + other[k[i], k[j]]; y[j] := y[j] + other[k[i], k[j]]",
        // A LOCAL that is assigned stands for several values.
        "d := d + 1; y[i] := y[i] + d; y[j] := y[j] - d",
        // The condition tells the two apart.
        "IF d < 1 THEN y[i] := y[i] + d; y[j] := y[j] - d END IF",
    ] {
        assert!(
            !is_yes(exchanged(&format!("{distance} {refused}"))),
            "{refused}"
        );
    }
}

#[test]
fn cells_are_read_ahead_only_where_they_may_be() {
    assert_eq!(cells("y[i] := y[i] + x[i] * x[j]"), ["x[i]"]);
    // What is read under a condition may be out of range where the condition does not hold.
    let none: [&str; 0] = [];
    assert_eq!(cells("IF j < 2 THEN y[i] := y[i] + x[i + 1] END IF"), none);
    assert_eq!(cells("y[i] := y[i] + select(j < 2, x[i - 1], x[j])"), none);
    // It may hold nothing, too.
    assert_eq!(cells("y[i] := y[i] + empty[i]"), none);
    // A subscript may be confined to an array whose size is a number.
    assert_eq!(cells("IF j < 2 THEN y[i] := y[i] + w[i] END IF"), ["w[i]"]);
    // What is in range and holds values is read wherever it stands.
    assert_eq!(
        cells("y[i] := y[i] + x[i]; IF j < 2 THEN y[i] := y[i] + z[i] END IF"),
        ["x[i]", "z[i]"]
    );
    // What is written is not kept.
    assert_eq!(cells("x[i] := x[i] + z[j]"), none);
}

#[test]
fn tables_are_symmetric_by_their_values() {
    let (scheme, ..) = pairs("y[i] := y[i] + x[j]");
    assert!(is_symmetric(&scheme, Symbol::new("same")));
    assert!(!is_symmetric(&scheme, Symbol::new("other")));
    assert!(!is_symmetric(&scheme, Symbol::new("x")));
}
