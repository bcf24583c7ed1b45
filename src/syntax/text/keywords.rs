//! Keywords by their rules.

use super::grammar::Rule;
use crate::algebra::Keyword;
use crate::syntax::keywords::rule_name;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static BY_RULE: LazyLock<FxHashMap<Rule, Keyword>> = LazyLock::new(|| {
    let keywords = Keyword::ALL.iter().map(|&k| (rule_name(k), k));
    let keywords: FxHashMap<String, Keyword> = keywords.collect();
    let of = |&rule: &Rule| Some((rule, *keywords.get(&format!("{rule:?}"))?));
    Rule::all_rules().iter().filter_map(of).collect()
});

/// The keyword of a rule.
pub(super) fn keyword_of(rule: Rule) -> Option<Keyword> {
    BY_RULE.get(&rule).copied()
}
