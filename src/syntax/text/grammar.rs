//! The grammar of schemes, from `grammar/`.

#[derive(pest_derive::Parser)]
#[grammar = "grammar/keywords.pest"]
#[grammar = "grammar/lexical.pest"]
#[grammar = "grammar/expression.pest"]
#[grammar = "grammar/formula.pest"]
#[grammar = "grammar/graph.pest"]
#[grammar = "grammar/scheme.pest"]
#[grammar = "grammar/operators.pest"]
#[grammar = "grammar/expectation.pest"]
pub(in crate::syntax) struct Grammar;

/// What a rule matched.
pub(in crate::syntax) type Pair<'a> = pest::iterators::Pair<'a, Rule>;

/// What several rules matched, one after the other.
pub(in crate::syntax) type Pairs<'a> = pest::iterators::Pairs<'a, Rule>;

impl Rule {
    /// Whether it is the rule of a keyword: `keywords.pest` stands first.
    pub(super) fn is_keyword(self) -> bool {
        self != Rule::EOI && self < Rule::reserved
    }

    /// Whether it is a keyword, a sign or a bracket, which says only what stands around it.
    pub(super) fn is_mark(self) -> bool {
        use Rule::*;
        self.is_keyword()
            || matches!(
                self,
                open | close
                    | open_index
                    | close_index
                    | comma
                    | colon
                    | semicolon
                    | becomes
                    | plus_becomes
                    | min_becomes
                    | max_becomes
                    | means
                    | branch
                    | is
                    | up_to
                    | close_repeat
                    | close_basic
                    | here
                    | EOI
            )
    }
}
