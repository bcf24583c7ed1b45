//! The forms of a scheme: what is printed in one of them is read back as the same tree.
//!
//! `SCHEMES=10000 GRAPHS=1000 cargo test --release --test forms` tries more of them.

mod broken;
mod dictionary;
mod drawing;
mod files;
mod formula;
mod graph;
mod latex;
mod words;

use glushkov::algebra::{Construct, Sort, TABLE};
use glushkov::derive::library::SCHEMES;
use glushkov::diagnostic::render;
use glushkov::family::by_default;
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Sources, Terms};

#[test]
fn every_operator_is_there() {
    let (terms, root) = read("every.saa", EVERY);
    for info in TABLE {
        // What the check makes of phrases is printed as they are.
        let is_made = matches!(info.construct, Construct::Perform | Construct::Holds);
        let written = matches!(
            info.sort,
            Sort::Operator | Sort::Condition | Sort::Expression
        );
        let tested = written && !is_made;
        let found = terms
            .subterms(root)
            .any(|id| terms.functor(id) == Some(info.construct.symbol()));
        assert!(found || !tested, "{}", info.functor);
    }
}

/// Reads a text under a name; the name's end says its form.
fn read(name: &str, text: &str) -> (Terms, Id) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    let told: String = errors.iter().map(|e| render(e, &sources, false)).collect();
    assert!(errors.is_empty(), "{told}\n{text}");
    let root = by_default(&mut terms, items[0]).expect("a member");
    (terms, root)
}

/// A scheme with every operator and predicate of the algebra.
const EVERY: &str = "SCHEME \"every # & $ % _ operator\" ====
  \"Begin (x, y) with {braces} \\\\ and 50%\";
  IF 'u' AND NOT (a = b OR a <> b) OR TRUE THEN EMPTY ELSE UNDEFINED END IF;
  WHILE a < b AND a <= b AND NOT a > b LOOP FILTER a >= b OR FALSE END OF LOOP;
  WHILE NOT 'done (i)' LOOP a := a MOD 2 END OF LOOP;
  FOR (i FROM N TO 0 STEP -2) LOOP x[i] := -x[i] ^ 2 / 3 END OF LOOP;
  PARALLEL (i FROM 0 TO N) (ATOMIC x[i] += v.x; ATOMIC x[0] min= v.y; ATOMIC x[1] max= v.z);
  PARALLEL (i FROM 0 TO N) (LOCAL k : INTEGER := 0; ATOMIC n += 1 WAS k);
  LANES (16) (i FROM 0 TO N) (x[i] := i);
  b := 12 * multiprocessors;
  PARALLEL (\"A\"; CONTROL POINT 'half' // WAIT 'half'; \"B\");
  PARALLEL (\"alone\");
  LOCAL змінна : REAL := sqrt(a) * b - 1.5;
  ARRAY t : REAL [N] IN (t[0] := змінна; TIMED (RECORDED (RunKernel (1, 1) (BARRIER))));
  \"Allocate memory for (x) on the device\"; \"Copy (x) to the device\";
  RunKernel (1, 32) (
    SHARED s : REAL [32]; REGISTERS r : REAL [4]; LOCAL w : REAL := block * threads + thread + blocks;
    ROTATE (w); SUM OVER WARP (w); MINIMUM OVER WARP (w); MAXIMUM OVER WARP (w); BARRIER
  );
  \"Copy (x) from the device\"; \"Free memory of (x) on the device\";
  IF AFTER (\"A\"; b := 1) 'u' THEN REPORT \"label\" (a, b); SAVE \"label\" (x) END IF;
  FOR (i FROM 0 TO 1) LOOP \"last (i)\" END OF LOOP
END OF SCHEME \"every # & $ % _ operator\"
";

/// How many are tried.
fn count(variable: &str, usual: usize) -> usize {
    let asked = std::env::var(variable).ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(usual)
}

/// Every scheme of the library, by path, and one of all operators.
fn library() -> impl Iterator<Item = (&'static str, Terms, Id)> {
    let every = std::iter::once(("every operator.saa", EVERY));
    SCHEMES.iter().copied().chain(every).map(|(path, text)| {
        let (terms, root) = read(path, text);
        (path, terms, root)
    })
}
