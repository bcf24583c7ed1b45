//! Rule files → lexemes.

use super::grammar::{Grammar, Rule};
use crate::syntax::lexeme::{Lexeme, LexemeKind};
use pest::Parser;

/// The words, signs and comments of a rule file, in order; every text has some, also one that cannot be read.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let tree = Grammar::parse(Rule::lexemes, text).into_iter().flatten();
    let leaves = tree.flat_map(|all| all.into_inner());
    let one = |leaf: pest::iterators::Pair<'_, Rule>| {
        let kind = match leaf.as_rule() {
            Rule::EOI => return None,
            Rule::remark => LexemeKind::Comment,
            Rule::attribute_name => LexemeKind::Attribute,
            Rule::variable | Rule::sequence_variable => LexemeKind::Variable,
            Rule::name | Rule::quoted_name => LexemeKind::Word,
            Rule::text => LexemeKind::Phrase,
            Rule::real | Rule::number => LexemeKind::Number,
            _ => LexemeKind::Sign,
        };
        let span = leaf.as_span();
        Some(Lexeme {
            kind,
            from: span.start(),
            to: span.end(),
        })
    };
    leaves.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_lexemes() {
        let text = "# A page.\n#@rule(r) f($x, $y..) [p] -> \"t\" + 1.5 \"open";
        let found: Vec<(LexemeKind, &str)> = lexemes(text)
            .iter()
            .map(|l| (l.kind, l.text(text)))
            .filter(|(kind, _)| *kind != LexemeKind::Sign)
            .collect();
        use LexemeKind::*;
        let wanted = [
            (Comment, "# A page."),
            (Attribute, "#@rule"),
            (Word, "r"),
            (Word, "f"),
            (Variable, "$x"),
            (Variable, "$y.."),
            (Word, "p"),
            (Phrase, "\"t\""),
            (Number, "1.5"),
        ];
        assert_eq!(found, wanted);
    }
}
