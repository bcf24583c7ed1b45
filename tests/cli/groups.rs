//! Groups of rules and settings: what files say of them, and what is derived and measured without them.

use super::glushkov;

/// Two loops, each a sum over the other's numbers.
const SCHEME: &str = "SCHEME \"sums\" ====\nDATA\n  N : INTEGER := 40\n  x : REAL [N] INPUT\n  y : REAL [N] OUTPUT\n  \
                      DEFAULT INPUT \"random\" (seed := 1)\nEND OF DATA\n  TIMED (\n  FOR (i FROM 0 TO N - 1) LOOP\n    \
                      LOCAL a : REAL := 0;\n    FOR (s FROM 0 TO N - 1) LOOP a := a + x[s] * x[i] END OF LOOP;\n    \
                      y[i] := a\n  END OF LOOP )\nEND OF SCHEME \"sums\"\n";

fn with_rules(text: &str, arguments: &[&str]) -> super::Ran {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("g.rules");
    std::fs::write(&path, text).expect("a file");
    let rules = path.to_str().expect("UTF-8");
    glushkov(&[arguments, &["--rules", rules]].concat(), SCHEME)
}

#[test]
fn a_group_is_left_out_with_its_rules_and_settings() {
    let derive = [
        "derive",
        "-",
        "--strategy",
        "gpu_fast",
        "--with",
        "third_law=0",
    ];
    let derived = |more: &[&str]| glushkov(&[&derive[..], more].concat(), SCHEME);
    let tiles = ["--with", "tiles=1", "--with", "split=4"];
    let both = derived(&tiles).out;
    assert!(both.contains("SHARED tile_x") && both.contains("partial_a["));
    let without = |name: &str| derived(&[&tiles[..], &["--without", name]].concat());
    let chunks = without("shared_chunks").out;
    assert!(!chunks.contains("SHARED tile_x") && chunks.contains("partial_a["));
    let blocks = without("source_blocks").out;
    assert!(blocks.contains("SHARED tile_x") && !blocks.contains("partial_a["));
    // A group of groups leaves all of them out, and one that changes nothing says so.
    let ran = without("published_steps");
    assert!(!ran.out.contains("SHARED tile_x") && !ran.out.contains("fma("));
    let ran = without("packed_records");
    assert_eq!(ran.out, both);
    let told = "--without packed_records changes nothing here";
    assert!(ran.err.contains(told), "{}", ran.err);
    let ran = without("shared_chunk");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("did you mean `shared_chunks`?"));
}

#[test]
fn each_member_of_a_group_is_a_row() {
    let bench = [
        "bench",
        "-",
        "--target",
        "interpreter",
        "--strategy",
        "published",
        "--runs",
        "1",
    ];
    let measured = |groups: &str| glushkov(&[&bench[..], &[groups]].concat(), SCHEME);
    let ran = measured("--ablate=@published_steps,shared_chunks+unrolling");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let row = |name: &str| {
        let wanted = format!("| {name} ");
        let mut rows = ran.out.lines().filter(|l| l.contains(&wanted));
        rows.next().unwrap_or_else(|| panic!("{name}: {}", ran.out))
    };
    let no_effect = |name: &str| row(name).contains("no effect");
    assert!(no_effect("met_once") && no_effect("registers"));
    assert!(!no_effect("shared_chunks") && !no_effect("fused_products"));
    assert!(!no_effect("shared_chunks+unrolling"));
    for (groups, told) in [
        ("--ablate=@publisht_steps", "E0314"),
        ("--ablate=@published_steps+unrolling", "E0006"),
    ] {
        let ran = measured(groups);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

#[test]
fn what_is_wrong_with_a_group_is_told() {
    let cases = [
        ("group a = no_such_rule;", "E0314"),
        ("group a = a;", "E0314"),
        ("group kernel = record;", "E0302"),
        ("group gpu = record;", "E0302"),
        ("group a = record; group a = kernel;", "E0302"),
        ("group a = with(no_such_parameter = 1);", "E0309"),
        ("group a = with(tiles = 7);", "E0309"),
        ("group a = with(tiles = x);", "E0300"),
        ("group a = ;", "E0300"),
        ("group a = record", ""),
        (
            "strategy s = id;\ngroup a = record, with(tiles = 0), `kernel`;\nstrategy t = id;",
            "",
        ),
    ];
    for (text, told) in cases {
        let ran = with_rules(text, &["rules", "list"]);
        match told {
            "" => assert_eq!(ran.code, Some(0), "{text}\n{}", ran.err),
            _ => assert!(ran.err.contains(told), "{text}\n{}", ran.err),
        }
    }
    let text = "# Two. Or three.\ngroup a = record, with(tiles = 0);\n";
    let ran = with_rules(text, &["rules", "explain", "a"]);
    let wanted = "Two. Or three.\n\ngroup a = record, with(tiles = 0);";
    assert!(ran.out.contains(wanted), "{}\n{}", ran.out, ran.err);
}
