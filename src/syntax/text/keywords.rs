//! Keywords by their rules.

use super::grammar::Rule;
use crate::algebra::Keyword;
use crate::syntax::keywords::rule_name;
use std::collections::HashMap;
use std::sync::LazyLock;

static BY_RULE: LazyLock<HashMap<String, Keyword>> =
    LazyLock::new(|| Keyword::ALL.iter().map(|&k| (rule_name(k), k)).collect());

/// The keyword of a rule.
pub(super) fn keyword_of(rule: Rule) -> Option<Keyword> {
    BY_RULE.get(&format!("{rule:?}")).copied()
}
