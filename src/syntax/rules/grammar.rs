//! The grammar of rule files, from `grammar/rule.pest`.

#[derive(pest_derive::Parser)]
#[grammar = "grammar/rule.pest"]
pub(super) struct Grammar;

/// What a rule of the grammar matched.
pub(super) type Pair<'a> = pest::iterators::Pair<'a, Rule>;
