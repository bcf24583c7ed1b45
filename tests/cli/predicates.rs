//! Predicates of one's own: defined in a rule file, asked by its rules, tested, told and recorded.

use crate::tested::User;

/// A rule that asks a predicate, which asks facts and another one.
const RULES: &str =
    "# A loop that fills cells with what is the same in every iteration is done from the other end.
#
# Sound because each iteration assigns one cell that no other one reaches.
#
#     FOR (i FROM 0 TO N - 1) LOOP y[i] := 2 * x END OF LOOP
# becomes
#     FOR (i FROM N - 1 TO 0 STEP -1) LOOP y[i] := 2 * x END OF LOOP
#
#     FOR (i FROM 0 TO N - 1) LOOP y[i] := x; z[i] := 1 END OF LOOP
# becomes
#     FOR (i FROM N - 1 TO 0 STEP -1) LOOP y[i] := x; z[i] := 1 END OF LOOP
#
# Not without `fills($i, $A)`:
#     FOR (i FROM 0 TO N - 1) LOOP y[i] := x; z[i] := i END OF LOOP
#
# Not without `fills($i, $A)`:
#     FOR (i FROM 0 TO N - 1) LOOP REPORT \"x\" (x) END OF LOOP
#
# Not without `independent($i, $a, $b, $A)`:
#     FOR (i FROM 0 TO N - 1) LOOP y[2] := x END OF LOOP
#
# Not without `bounds_invariant($a, $b, $A)`:
#     FOR (i FROM 0 TO n[0]) LOOP n[i] := 0 END OF LOOP
#@rule(backwards) #@float(exact)
ForLoop($i, $a, $b, $A)
  [ fills($i, $A) && independent($i, $a, $b, $A) && bounds_invariant($a, $b, $A) ]
-> ForStep($i, $b, $a, -1, $A);

# Whether all that is done is to assign what does not depend on a variable.
predicate fills($i, Then($before.., $A, $after..)) [ !fills($i, $A) ] -> false;
predicate fills($i, Then($all..)) -> true;
predicate fills($i, Assign($c, $e)) -> steady($i, $e);
predicate fills($i, $A) -> false;

# Whether a value is the same for all values of a variable.
predicate steady($i, $e) [ free_of($i, $e) ] -> true !-> false;

strategy turned = topdown(backwards);
";

const DERIVE: &str = "derive s.saa --rules own.rules --strategy turned";

#[test]
fn rules_that_ask_a_predicate_are_tested_with_it() {
    let user = User::new(RULES, "y[i] := 1");
    let (code, told, _) = user.tool("rules lint own.rules");
    assert_eq!(code, Some(0), "{told}");
    let (code, table, told) = user.tool("rules test own.rules --mutants --tries 60");
    assert_eq!(code, Some(0), "{told}{table}");
    let (code, traced, told) = user.tool(&format!("{DERIVE} --trace"));
    assert_eq!(code, Some(0), "{told}");
    for asked in [
        "steady: free_of($i, $e)",
        "fills: steady($i, $e)",
        "fills($i, $A)",
    ] {
        assert!(traced.contains(asked), "{asked}: {traced}");
    }
    // A clause that nothing shows to be needed is a mutant that lives.
    let clause =
        "predicate fills($i, Report($l, $e..)) -> false;\npredicate fills($i, $A) -> false;";
    let changed = RULES.replace("predicate fills($i, $A) -> false;", clause);
    std::fs::write(
        user.path("own.rules"),
        changed.replace(
            "Not without `fills($i, $A)`:\n#     FOR (i FROM 0 TO N - 1) LOOP REPORT",
            "Also:\n#     FOR (i FROM 0 TO N - 1) LOOP REPORT",
        ),
    )
    .expect("a file");
    let (code, _, told) = user.tool("rules test own.rules --mutants --tries 60");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("`false` in `fills` dropped"), "{told}");
}

#[test]
fn a_predicate_in_another_file_is_a_part_of_what_was_tested() {
    let user = User::new(RULES, "y[i] := 1");
    let at = RULES
        .find("# Whether all that is done")
        .expect("the predicates");
    let end = RULES.find("strategy").expect("a strategy");
    let predicates = &RULES[at..end];
    let rules = RULES.replace(predicates, "");
    std::fs::write(user.path("own.rules"), rules).expect("a file");
    std::fs::write(user.path("asked.rules"), predicates).expect("a file");
    let both = "--rules own.rules --rules asked.rules --strategy turned";
    let (code, _, told) = user.tool("rules test own.rules asked.rules --tries 20");
    assert_eq!(code, Some(0), "{told}");
    let (code, _, told) = user.tool(&format!("derive s.saa {both}"));
    assert_eq!(code, Some(0), "{told}");
    std::fs::write(user.path("asked.rules"), format!("{predicates}\n")).expect("a file");
    let (code, _, told) = user.tool(&format!("derive s.saa {both}"));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("E0346"), "{told}");
}

#[test]
fn what_stops_a_rule_names_the_predicate_and_what_failed_in_it() {
    let user = User::new(RULES, "y[i] := i");
    let (_, _, told) = user.tool(&format!("{DERIVE} --untested"));
    assert!(
        told.contains("`backwards` wants `fills($i, $A)`: no")
            && told.contains("`fills: steady($i, $e)`")
            && told.contains("`steady: free_of($i, $e)`"),
        "{told}"
    );
}

#[test]
fn a_saved_derivation_holds_the_predicates_that_it_asks() {
    let user = User::new(RULES, "y[i] := 1");
    let (code, _, told) = user.tool(&format!("{DERIVE} --untested --save d.json"));
    assert_eq!(code, Some(0), "{told}");
    let (code, shown, told) = user.tool("replay d.json --save e.json");
    assert_eq!(code, Some(0), "{told}{shown}");
    let saved = std::fs::read_to_string(user.path("d.json")).expect("a file");
    assert!(saved.contains("predicate fills"), "{saved}");
    // What a clause answers is asked anew.
    let other = saved.replace("-> steady($i, $e);", "-> !steady($i, $e);");
    std::fs::write(user.path("f.json"), other).expect("a file");
    let (code, shown, told) = user.tool("replay f.json");
    assert_eq!(code, Some(1), "{told}{shown}");
}

#[test]
fn the_page_on_writing_rules_shows_these_predicates() {
    let page = std::fs::read_to_string("docs/writing-rules.md").expect("a page");
    let (_, rest) = page.split_once("## Predicates").expect("a section");
    let (_, rest) = rest.split_once("```rules\n").expect("predicates");
    let (shown, _) = rest.split_once("```").expect("their end");
    assert!(RULES.contains(shown), "{shown}");
}

#[test]
fn a_predicate_has_a_page() {
    let user = User::new(RULES, "y[i] := 1");
    let (code, page, told) = user.tool("rules explain fills --rules own.rules");
    assert_eq!(code, Some(0), "{told}");
    let wanted = "fills (own.rules): a predicate of 2 arguments\nasked by: backwards\n\n\
                  Whether all that is done is to assign what does not depend on a variable.\n\n\
                  predicate fills($i, Then($before.., $A, $after..)) [ !fills($i, $A) ] -> false;\n";
    assert!(page.starts_with(wanted), "{page}");
    let (code, list, told) = user.tool("rules list --rules own.rules");
    assert_eq!(code, Some(0), "{told}");
    assert!(list.contains("steady"), "{list}");
    let (_, _, told) = user.tool("rules explain steadi --rules own.rules");
    assert!(told.contains("did you mean `steady`"), "{told}");
}

#[test]
fn what_cannot_be_a_predicate_or_a_question_is_refused_with_its_place() {
    for (from, to, wanted) in [
        (
            "steady($i, $e) [",
            "independent($i, $e) [",
            "`independent` is a fact",
        ),
        (
            "steady($i, $e) [",
            "Assign($i, $e) [",
            "`Assign` is a construct",
        ),
        (
            "steady($i, $e) [",
            "fresh($i, $e) [",
            "`fresh` is a function",
        ),
        (
            "-> steady($i, $e);",
            "-> steady($e);",
            "`steady` takes 2 arguments",
        ),
        (
            "-> steady($i, $e);",
            "-> stedy($i, $e);",
            "did you mean `steady`?",
        ),
        (
            "[ free_of($i, $e) ]",
            "[ free_off($i, $e) ]",
            "did you mean `free_of`?",
        ),
        (
            "[ fills($i, $A) &&",
            "[ fils($i, $A) &&",
            "did you mean `fills`?",
        ),
        (
            "[ free_of($i, $e) ]",
            "[ unknown ]",
            "unknown, `fills: steady",
        ),
        ("independent($i, $a, $b, $A) && b", "unknown && b", "E0317"),
    ] {
        let user = User::new(&RULES.replace(from, to), "y[i] := 1");
        let (code, _, told) = user.tool(DERIVE);
        // What a predicate says that it does not know only stops the rule.
        let stops = wanted.starts_with("unknown");
        let refused = code != Some(0) && told.contains("own.rules:");
        assert!(
            told.contains(wanted) && refused != stops,
            "{wanted}: {told}"
        );
    }
}
