//! Systems of several files, what is refused, and names that TermWare's files have for strategies.

use glushkov::pipeline::{Session, Source, read_systems};
use glushkov::rewrite::{Rewriting, RuleBase, run_rewrite};
use glushkov::syntax::rules::print_term_flat;
use glushkov::term::Sources;
use std::path::Path;

/// What a system of a file gives, with the files that it needs; what is told where it is refused.
fn given(path: &Path, system: Option<&str>, term: &str) -> Result<String, String> {
    let mut session = Session::new();
    let path = path.to_string_lossy();
    let source = Source::Path(&path);
    let told = |d: Vec<glushkov::diagnostic::Diagnostic>| d[0].message.clone();
    let file = source.read(&mut session).expect("a file");
    let beside = read_systems(source, file, &mut session).expect("files");
    let base = RuleBase::load_beside(&session.sources, &[file], &beside).map_err(told)?;
    let term = session.sources.add("term", term);
    let options = Rewriting {
        system,
        ..Rewriting::default()
    };
    let done = run_rewrite(&base, &session.sources, term, &options).map_err(told)?;
    Ok(print_term_flat(&done.terms, done.root))
}

#[test]
fn systems_are_found_in_files_beside_and_above() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    };
    write(
        "shop/prices.def",
        "domain(shop, system(prices, default, ruleset(price(tea) -> 3, price(milk) -> 2), FirstTop));",
    );
    write(
        "shop/tax/rates.rules",
        "domain(shop, domain(tax, system(rates, default, ruleset(import(shop::prices), rate -> 10), TopDown)));",
    );
    let till = write(
        "shop/till.rules",
        "domain(shop, system(till, default, ruleset(import(prices), import(tax::rates, rate), \
         sum([]) -> 0, sum([$x : $r]) -> price($x) + sum($r), taxed($x) -> shop::tax::rates.price($x)), FirstTop));",
    );
    assert_eq!(given(&till, None, "sum([tea, milk])").as_deref(), Ok("5"));
    assert_eq!(
        given(&till, None, "[rate, taxed(tea)]").as_deref(),
        Ok("[10, 3]")
    );
    let prices = given(&till, Some("shop::prices"), "price(tea)");
    assert_eq!(prices.as_deref(), Ok("3"));
    let alone = write(
        "alone.rules",
        "system(alone, default, ruleset(import(prices)), FirstTop);",
    );
    let told = given(&alone, None, "x").expect_err("nothing of that name");
    assert_eq!(told, "there is no system `prices` to import");
    let few = write(
        "few.rules",
        "system(few, default, ruleset(import(List, sort)), FirstTop);",
    );
    let told = given(&few, None, "x").expect_err("no such function");
    assert_eq!(told, "the system `List` has nothing for `sort`");
}

#[test]
fn what_needs_a_java_object_is_refused_where_it_is_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cells.rules");
    let text = "domain(d, system(Cells, javaFacts(DB, \"org.example.Cells\"), \
                ruleset(cell($i) [n($i) == 3] -> $next [put($i, $next)]), FirstTop), \
                system(Plain, default, ruleset(a -> b), FirstTop));";
    std::fs::write(&path, text).expect("a file");
    let told = given(&path, Some("Cells"), "cell(1)").expect_err("its facts are not there");
    assert!(
        told.contains("the Java class `org.example.Cells`"),
        "{told}"
    );
    assert_eq!(given(&path, Some("Plain"), "a").as_deref(), Ok("b"));
}

/// An argument that goes on for ever does not keep the others from their steps.
#[test]
fn several_first_tops_step_in_each_argument() {
    let text = "system(A, default, ruleset(from($n) -> l($n, from(s($n))), two -> s(s(0)), \
                take(l($x, $r), s($n)) -> [$x : take($r, $n)], take($l, 0) -> []), NFirstTops);";
    let mut sources = Sources::default();
    let rules = sources.add("a.rules", text);
    let term = sources.add("term", "take(from(0), two)");
    let base = RuleBase::load(&sources, &[rules]).expect("well-formed rules");
    let run = |strategy| {
        let options = Rewriting {
            strategy,
            steps: 1000,
            ..Rewriting::default()
        };
        run_rewrite(&base, &sources, term, &options).expect("a term")
    };
    let done = run(None);
    assert_eq!(print_term_flat(&done.terms, done.root), "[0, s(0)]");
    assert_eq!(run(Some("FirstTop")).exit_code(), 1);
}

#[test]
fn strategies_have_the_names_of_termware() {
    for name in ["FirstTop", "NFirstTops", "TopDown", "BottomTop", "BottomUp"] {
        let mut sources = Sources::default();
        let text = format!("system(A, default, ruleset(a -> b, b -> c), {name});");
        let rules = sources.add("a.rules", text);
        let term = sources.add("term", "f(a)");
        let base = RuleBase::load(&sources, &[rules]).expect("well-formed rules");
        let done = run_rewrite(&base, &sources, term, &Rewriting::default()).expect("a term");
        assert_eq!(print_term_flat(&done.terms, done.root), "f(c)", "{name}");
    }
}
