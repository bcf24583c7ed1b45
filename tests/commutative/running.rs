//! Searches and runs of systems given as texts.

use glushkov::rewrite::{
    Knowledge, Rewriting, RuleBase, Search, run_rewrite_with, run_search, search_pattern,
};
use glushkov::term::Sources;

pub const ORDERS: [&str; 4] = ["FirstTop", "NFirstTops", "TopDown", "BottomTop"];

/// Laws without an identity.
pub const LAWS: &str = "associative, commutative";

pub fn base(sources: &mut Sources, text: &str) -> RuleBase {
    let file = sources.add("case.rules", text);
    RuleBase::load(sources, &[file]).unwrap_or_else(|d| panic!("{d:#?}\n{text}"))
}

/// The terms that a search finds, with what the first variable stands for.
pub fn searched(
    rules: &str,
    term: &str,
    pattern: Option<&str>,
    depth: usize,
) -> Vec<(String, String)> {
    let mut sources = Sources::default();
    let rules = base(&mut sources, rules);
    let term = sources.add("term", term);
    let pattern = pattern.map(|pattern| base(&mut sources, &search_pattern(pattern)));
    let search = Search {
        pattern: pattern.as_ref(),
        depth: Some(depth),
    };
    let options = Rewriting {
        steps: 100_000,
        ..Rewriting::default()
    };
    let known = Knowledge::default();
    let done = run_search(&rules, &sources, term, &search, &options, known);
    let found = done.unwrap_or_else(|d| panic!("{d:#?}")).found;
    let first = |bindings: &[(String, String)]| bindings.first().map(|b| b.1.clone());
    let each = found.iter();
    each.map(|f| (f.term.clone(), first(&f.bindings).unwrap_or_default()))
        .collect()
}

pub fn rewritten(rules: &str, term: &str, order: Option<&str>) -> Result<(String, bool), String> {
    let mut sources = Sources::default();
    let file = sources.add("case.rules", rules);
    let base = RuleBase::load(&sources, &[file]).map_err(|d| d[0].message.clone())?;
    let term = sources.add("term", term);
    let options = Rewriting {
        strategy: order,
        steps: 300,
        ..Rewriting::default()
    };
    let known = &mut Knowledge::default();
    let done = run_rewrite_with(&base, &sources, term, &options, known);
    let done = done.map_err(|d| d[0].message.clone())?;
    Ok((done.text().trim().to_owned(), done.exit_code() == 0))
}
