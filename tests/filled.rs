//! Which operators surely write all cells of an array, and which arrays are copied from the device
//! with cells that nobody wrote.

use glushkov::algebra::Precision;
use glushkov::analysis::{copied_in_part, fills};
use glushkov::check::{Scheme, check};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};

fn scheme(body: &str) -> Scheme {
    let text = format!(
        "SCHEME \"filled\" ====
         DATA
           N, M : INTEGER := 4
           x, y : REAL [N] OUTPUT
           v : VECTOR [N] OUTPUT
           t : REAL [N, M] OUTPUT
         END OF DATA
         {body}
         END OF SCHEME \"filled\""
    );
    let mut sources = Sources::default();
    let file = sources.add("filled", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{body}");
    check(&terms, items[0], Precision::F32).unwrap_or_else(|e| panic!("{body}: {e:?}"))
}

fn filled(body: &str, array: &str) -> bool {
    let scheme = scheme(body);
    fills(&scheme, scheme.body, Symbol::new(array))
}

#[test]
fn loops_over_all_subscripts_fill() {
    for (body, array) in [
        ("FOR (i FROM 0 TO N - 1) LOOP x[i] := 1 END OF LOOP", "x"),
        ("PARALLEL (i FROM 0 TO N - 1) ( y[i] := 1; x[i] := 1 )", "x"),
        (
            "FOR (i FROM 0 TO N - 1) LOOP v[i].z := 1; v[i].x := 1; v[i].y := 2 END OF LOOP",
            "v",
        ),
        (
            "FOR (j FROM 0 TO M - 1) LOOP FOR (i FROM 0 TO N - 1) LOOP t[i, j] := 1 END OF LOOP END OF LOOP",
            "t",
        ),
        (
            "RunKernel (ceil_div(N, 32), 32) (
               LOCAL i : INTEGER := block * threads + thread; IF i <= N - 1 THEN x[i] := 1 END IF
             )",
            "x",
        ),
        (
            "RunKernel (N, 32) (
               LOCAL i : INTEGER := block; BARRIER; IF thread = 0 THEN y[i] := 1; x[i] := 1 END IF
             )",
            "x",
        ),
        (
            "IF N < 4 THEN RunKernel (N, 32) ( LOCAL i : INTEGER := block; IF thread = 0 THEN x[i] := 1 END IF )
             ELSE FOR (i FROM 0 TO N - 1) LOOP x[i] := 1 END OF LOOP END IF",
            "x",
        ),
    ] {
        assert!(filled(body, array), "{body}");
    }
}

#[test]
fn what_may_leave_a_cell_out_does_not_fill() {
    for (body, array) in [
        ("FOR (i FROM 1 TO N - 1) LOOP x[i] := 1 END OF LOOP", "x"),
        ("FOR (i FROM 0 TO N - 2) LOOP x[i] := 1 END OF LOOP", "x"),
        ("FOR (i FROM 0 TO M - 1) LOOP x[i] := 1 END OF LOOP", "x"),
        (
            "FOR (i FROM 0 TO N - 1 STEP 2) LOOP x[i] := 1 END OF LOOP",
            "x",
        ),
        (
            "FOR (i FROM 0 TO N - 1) LOOP IF i < 3 THEN x[i] := 1 END IF END OF LOOP",
            "x",
        ),
        ("FOR (i FROM 0 TO N - 1) LOOP x[0] := 1 END OF LOOP", "x"),
        ("FOR (i FROM 0 TO N - 1) LOOP y[i] := 1 END OF LOOP", "x"),
        (
            "FOR (i FROM 0 TO N - 1) LOOP v[i].x := 1; v[i].y := 2 END OF LOOP",
            "v",
        ),
        ("FOR (i FROM 0 TO N - 1) LOOP t[i, i] := 1 END OF LOOP", "t"),
        ("FOR (i FROM 0 TO N - 1) LOOP t[i, 0] := 1 END OF LOOP", "t"),
        (
            "FOR (j FROM 0 TO M - 1) LOOP FOR (i FROM 0 TO N - 1) LOOP t[i, i] := 1 END OF LOOP END OF LOOP",
            "t",
        ),
        (
            "RunKernel (1, 32) (
               LOCAL i : INTEGER := block * threads + thread; IF i <= N - 1 THEN x[i] := 1 END IF
             )",
            "x",
        ),
        (
            "RunKernel (ceil_div(N, 64), 32) (
               LOCAL i : INTEGER := block * threads + thread; IF i <= N - 1 THEN x[i] := 1 END IF
             )",
            "x",
        ),
        (
            "RunKernel (M, 32) ( LOCAL i : INTEGER := block; IF thread = 0 THEN x[i] := 1 END IF )",
            "x",
        ),
        (
            "RunKernel (N, M) ( LOCAL i : INTEGER := block; IF thread = 0 THEN x[i] := 1 END IF )",
            "x",
        ),
        (
            "RunKernel (N, 32) ( LOCAL i : INTEGER := block; IF thread = 1 THEN x[i] := 1 END IF )",
            "x",
        ),
        (
            "RunKernel (N, 32) ( LOCAL i : INTEGER := block; IF i = 0 THEN x[i] := 1 END IF )",
            "x",
        ),
        (
            "RunKernel (N, 32) ( LOCAL i : INTEGER := thread; IF thread = 0 THEN x[i] := 1 END IF )",
            "x",
        ),
        (
            "RunKernel (1, 1) ( FOR (i FROM 0 TO 2) LOOP x[i] := 1 END OF LOOP )",
            "x",
        ),
        (
            "WHILE x[0] < 1 LOOP FOR (i FROM 0 TO N - 1) LOOP x[i] := 1 END OF LOOP END OF LOOP",
            "x",
        ),
    ] {
        assert!(!filled(body, array), "{body}");
    }
}

#[test]
fn arrays_are_cleared_where_a_part_of_them_is_copied() {
    let whole = "RunKernel (ceil_div(N, 32), 32) (
       LOCAL i : INTEGER := block * threads + thread; IF i <= N - 1 THEN x[i] := 1 END IF
     )";
    let part = "RunKernel (1, 1) ( x[0] := 1 )";
    let (to, from) = ("\"Copy (x) to the device\"", "\"Copy (x) from the device\"");
    let program = |body: &str| {
        scheme(&format!(
            "\"Allocate memory for (x) on the device\"; {body}; \"Free memory of (x) on the device\""
        ))
    };
    let copied = |body: &str| copied_in_part(&program(body), Symbol::new("x"));
    assert!(copied(&format!("{part}; {from}")));
    assert!(!copied(&format!("{whole}; {from}")));
    assert!(!copied(&format!("{to}; {part}; {from}")));
    assert!(!copied(part));
    // A loop may not run, and one way may not write.
    let looped = |inner: &str| format!("FOR (k FROM 1 TO M) LOOP {inner} END OF LOOP");
    assert!(copied(&format!("{}; {from}", looped(whole))));
    assert!(!copied(&looped(&format!("{whole}; {from}"))));
    assert!(copied(&format!(
        "IF M = 1 THEN {whole} ELSE {part} END IF; {from}"
    )));
    assert!(copied(&format!("{from}; {whole}")));
}
