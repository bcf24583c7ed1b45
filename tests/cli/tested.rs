//! Rules of one's own: tested before they are applied, bounded, and heard where they do nothing.

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A rule that drops the first iteration, whose example is not what it does, and whose near miss names a
/// condition that it does not have.
const WRONG: &str = "# A loop is done from the other end.
#
#     FOR (i FROM 0 TO N - 1) LOOP y[i] := 2 * x END OF LOOP
# becomes
#     FOR (i FROM N - 1 TO 0 STEP -1) LOOP y[i] := 3 * x END OF LOOP
#
# Not without `bounds_invariant($a, $b, $A)`:
#     FOR (i FROM 1 TO N - 1) LOOP y[i] := y[i - 1] END OF LOOP
#@rule(shorter) #@float(exact)
ForLoop($i, $a, $b, $A) [ independent($i, $a, $b, $A) ] -> ForStep($i, $b - 1, $a, -1, $A);

strategy turned = topdown(shorter);
";

/// The same without its mistakes; a body that is no assignment might report in the other order.
fn right() -> String {
    WRONG
        .replace("3 * x", "2 * x")
        .replace("$b - 1, $a", "$b, $a")
        .replace(
            "bounds_invariant($a, $b, $A)",
            "independent($i, $a, $b, $A)",
        )
        .replace(
            "[ independent",
            "[ bounds_invariant($a, $b, $A) && independent",
        )
        .replace("$A", "Assign($c, $e)")
}

/// A rule that fires on what it makes.
const ROUND: &str = "#@rule(twice)
Assign($x, $e) -> Then(Assign($x, $e), Assign($x, $e));
strategy turned = topdown(twice);
";

pub struct User {
    folder: TempDir,
}

impl User {
    pub fn new(rules: &str, body: &str) -> User {
        let folder = tempfile::tempdir().expect("a folder");
        let user = User { folder };
        let scheme = format!(
            "SCHEME \"s\" ==== DATA N : INTEGER := 4 y : REAL [N] OUTPUT END OF DATA \
             FOR (i FROM 1 TO N - 1) LOOP {body} END OF LOOP END OF SCHEME \"s\""
        );
        std::fs::write(user.path("s.saa"), scheme).expect("a file");
        std::fs::write(user.path("own.rules"), rules).expect("a file");
        user
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn tool(&self, arguments: &str) -> (Option<i32>, String, String) {
        let done: Output = Command::new(env!("CARGO_BIN_EXE_glushkov"))
            .args(arguments.split(' '))
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .output()
            .expect("the tool runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (done.status.code(), text(done.stdout), text(done.stderr))
    }
}

const DERIVE: &str = "derive s.saa --rules own.rules --strategy turned";

#[test]
fn a_wrong_rule_is_found_by_three_checks_and_refused() {
    let user = User::new(WRONG, "y[i] := 1");
    let (code, table, told) = user.tool("rules test own.rules");
    assert_eq!(code, Some(1), "{told}");
    for check in ["example 1", "near miss 1", "random schemes"] {
        assert!(told.contains(&format!("`shorter` fails {check}")), "{told}");
    }
    assert!(table.contains("3 failures"), "{table}");
    let (code, _, told) = user.tool(DERIVE);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("E0346") && told.contains("rules test own.rules"),
        "{told}"
    );
    // On request it is applied, and all that is left of it says so.
    let (code, traced, told) = user.tool(&format!("{DERIVE} --untested --trace --save d.json"));
    assert_eq!(code, Some(0), "{told}");
    assert!(traced.contains("shorter (exact, untested)"), "{traced}");
    let (code, shown, told) = user.tool("replay d.json --save e.json");
    assert_eq!(code, Some(0), "{told}");
    assert!(
        shown.contains("ok, by a rule that was not tested"),
        "{shown}"
    );
    let read = |name: &str| std::fs::read(user.path(name)).expect("a file");
    assert_eq!(read("d.json"), read("e.json"));
}

#[test]
fn a_rule_that_passes_is_applied_until_its_file_changes() {
    let user = User::new(&right(), "y[i] := 1");
    let (code, _, told) = user.tool(DERIVE);
    assert_eq!(code, Some(1), "{told}");
    // No near miss of its page shows what one part of its condition is for.
    let (code, _, told) = user.tool("rules test own.rules --mutants");
    assert_eq!(code, Some(1), "{told}");
    let wanted = "not found by any test: `bounds_invariant($a, $b, Assign($c, $e))` dropped";
    assert!(told.contains(wanted) && !told.contains("negated"), "{told}");
    let (code, table, told) = user.tool("rules test own.rules --json");
    assert_eq!(code, Some(0), "{told}");
    let table: serde_json::Value = serde_json::from_str(&table).expect("JSON");
    let row = &table["rules"][0];
    assert!(row["random"].as_u64().is_some_and(|n| n > 20), "{row}");
    let (code, traced, told) = user.tool(&format!("{DERIVE} --trace"));
    assert_eq!(code, Some(0), "{told}");
    assert!(traced.contains("shorter (exact)\n"), "{traced}");
    std::fs::write(user.path("own.rules"), format!("{}\n", right())).expect("a file");
    let (code, _, told) = user.tool(DERIVE);
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn what_tests_nothing_does_not_pass() {
    // No example, and it never fires.
    let rules = "#@rule(odd)\nForLoop($i, $a, $b, $A) [ 1 == 2 ] -> $A;\n";
    let user = User::new(rules, "y[i] := 1");
    let (code, _, told) = user.tool("rules test own.rules");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("nothing was tried"), "{told}");
    for (arguments, wanted) in [
        ("rules test none.rules", "E0002"),
        ("rules test own.rules --rule ode", "`odd`"),
        ("rules test own.rules --tries 0", "--tries"),
    ] {
        let (code, _, told) = user.tool(arguments);
        assert!(
            code.is_some_and(|c| c > 0) && told.contains(wanted),
            "{arguments}: {told}"
        );
    }
}

#[test]
fn what_goes_on_is_bounded_and_found_before() {
    let user = User::new(ROUND, "y[i] := 1");
    let (_, _, told) = user.tool("rules lint own.rules");
    assert!(told.contains("never ends where `twice` fires"), "{told}");
    for (bound, wanted) in [
        ("--steps 50", "the bound of 50 steps"),
        ("--seconds 0.2", "time is up"),
    ] {
        let (code, _, told) = user.tool(&format!("{DERIVE} --untested {bound}"));
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(wanted) && told.contains("`twice`"), "{told}");
    }
}

#[test]
fn a_strategy_without_a_step_says_why() {
    let user = User::new(&right(), "y[i] := y[i - 1]");
    let (code, _, told) = user.tool(DERIVE);
    assert_eq!(code, Some(0), "{told}");
    let wanted =
        "`turned` takes no step: `shorter` wants `independent($i, $a, $b, Assign($c, $e))`: no";
    assert!(told.contains(wanted), "{told}");
    let nowhere = "#@rule(shorter)\nWhile($u, $A) -> Empty;\nstrategy turned = topdown(shorter);\n";
    let user = User::new(nowhere, "y[i] := 1");
    let (_, _, told) = user.tool(DERIVE);
    assert!(told.contains("matches nowhere in the scheme"), "{told}");
}
