//! The grammar of rule files, from `grammar/rule.pest`.

#[derive(pest_derive::Parser)]
#[grammar = "grammar/rule.pest"]
pub(in crate::syntax) struct Grammar;

/// What a rule of the grammar matched.
pub(in crate::syntax) type Pair<'a> = pest::iterators::Pair<'a, Rule>;
