//! Schemes → lexemes, and the pieces of quoted texts.

use super::grammar::{Grammar, Rule};
use super::keywords::keyword_of;
use crate::algebra::Keyword;
use crate::syntax::lexeme::{Lexeme, LexemeKind};
use pest::Parser;

/// So often a text is read again from behind a quote that lacks its other one.
const MOST_OPEN: usize = 8;

/// The words, signs and comments of a text of schemes, in order; every text has some, also one that cannot be read.
/// A quoted text that goes on over its line and holds operators is one that is being written: it lacks its end, and
/// what stands behind its quote is taken for what it looks like.
pub fn lexemes(text: &str) -> Vec<Lexeme> {
    let mut all: Vec<Lexeme> = Vec::new();
    let (mut from, mut open) = (0, 0);
    loop {
        let read = read(&text[from..]).into_iter().map(|l| l.moved(from));
        let mut again = None;
        for lexeme in read {
            if open < MOST_OPEN && lacks_end(lexeme, text) {
                let quote = text[lexeme.from..].chars().next().map_or(1, char::len_utf8);
                let to = lexeme.from + quote;
                all.push(Lexeme {
                    kind: LexemeKind::Sign,
                    from: lexeme.from,
                    to,
                });
                again = Some(to);
                break;
            }
            all.push(lexeme);
        }
        match again {
            Some(to) => (from, open) = (to, open + 1),
            None => return all,
        }
    }
}

/// Whether a quoted text is one that lacks its end, so that it goes on to the beginning of another.
fn lacks_end(lexeme: Lexeme, text: &str) -> bool {
    if !matches!(lexeme.kind, LexemeKind::Phrase | LexemeKind::Predicate) {
        return false;
    }
    let lines = lexeme.text(text).split_once('\n');
    let operators = |lines: &str| {
        let has = |sign: &str| lines.contains(sign);
        has(":=") || has("====") || has(";") || read(lines).iter().any(|l| ends_block(l.kind))
    };
    lines.is_some_and(|(_, lines)| operators(lines))
}

fn ends_block(kind: LexemeKind) -> bool {
    let LexemeKind::Keyword(keyword) = kind else {
        return false;
    };
    use Keyword::*;
    matches!(
        keyword,
        EndIf | EndOfLoop | EndOfData | EndOfScheme | Where | Loop | IfThen | Else
    )
}

fn read(text: &str) -> Vec<Lexeme> {
    let tree = Grammar::parse(Rule::lexemes, text).into_iter().flatten();
    let leaves = tree.flat_map(|all| all.into_inner());
    let one = |leaf: super::grammar::Pair<'_>| {
        let kind = match leaf.as_rule() {
            Rule::EOI => return None,
            Rule::remark => LexemeKind::Comment,
            Rule::phrase => LexemeKind::Phrase,
            Rule::predicate => LexemeKind::Predicate,
            Rule::number => LexemeKind::Number,
            Rule::word => LexemeKind::Word,
            rule => keyword_of(rule).map_or(LexemeKind::Sign, LexemeKind::Keyword),
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

/// A piece of a quoted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whether it is what stands between the parentheses of a group of arguments; else it is plain text.
    pub group: bool,
    /// Its first byte.
    pub from: usize,
    /// One past its last byte.
    pub to: usize,
}

/// The pieces of the quoted text between two bytes, which are those of its quotes. A group of nothing is plain text.
pub fn pieces(text: &str, from: usize, to: usize) -> Vec<Piece> {
    let (inner, end) = super::quoted::inside(text, from, to);
    if inner > end {
        return Vec::new();
    }
    let tree = Grammar::parse(Rule::quoted, &text[inner..end]);
    let leaves = tree.into_iter().flatten().flat_map(|q| q.into_inner());
    let one = |leaf: super::grammar::Pair<'_>| {
        let span = leaf.as_span();
        let (from, to) = (inner + span.start(), inner + span.end());
        match leaf.as_rule() {
            Rule::EOI => None,
            Rule::group_of_arguments if !text[from + 1..to - 1].trim().is_empty() => Some(Piece {
                group: true,
                from: from + 1,
                to: to - 1,
            }),
            _ => Some(Piece {
                group: false,
                from,
                to,
            }),
        }
    };
    leaves.filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_lexemes() {
        let text =
            "FOR (i_1 FROM 0 ДО N) LOOP \"Kick (a[i])\" x += 1.5; \"open # no\nEND OF\n LOOP # yes";
        let found: Vec<(LexemeKind, &str)> = lexemes(text)
            .iter()
            .map(|l| (l.kind, l.text(text)))
            .collect();
        use LexemeKind::*;
        let wanted = [
            (LexemeKind::Keyword(super::Keyword::For), "FOR"),
            (Sign, "("),
            (Word, "i_1"),
            (LexemeKind::Keyword(super::Keyword::From), "FROM"),
            (Number, "0"),
            (LexemeKind::Keyword(super::Keyword::To), "ДО"),
            (Word, "N"),
            (Sign, ")"),
            (LexemeKind::Keyword(super::Keyword::Loop), "LOOP"),
            (Phrase, "\"Kick (a[i])\""),
            (Word, "x"),
            (Sign, "+="),
            (Number, "1.5"),
            (Sign, ";"),
            (Sign, "\""),
            (Word, "open"),
            (Comment, "# no"),
            (
                LexemeKind::Keyword(super::Keyword::EndOfLoop),
                "END OF\n LOOP",
            ),
            (Comment, "# yes"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_quote_that_is_not_closed_hides_one_line() {
        let text = "\"Do (x\n  END IF\nWHERE\n  \"Do (y)\" ==== \"Long\n text\"";
        let quoted = |l: &&Lexeme| l.kind == LexemeKind::Phrase;
        let found = lexemes(text);
        let found: Vec<&str> = found.iter().filter(quoted).map(|l| l.text(text)).collect();
        assert_eq!(found, ["\"Do (y)\"", "\"Long\n text\""]);
    }

    #[test]
    fn quoted_texts_have_pieces() {
        let text = "\"Kick (a[f(i)]) by () now\"";
        let found: Vec<(bool, &str)> = pieces(text, 0, text.len())
            .iter()
            .map(|p| (p.group, &text[p.from..p.to]))
            .collect();
        let wanted = [
            (false, "Kick "),
            (true, "a[f(i)]"),
            (false, " by "),
            (false, "()"),
            (false, " now"),
        ];
        assert_eq!(found, wanted);
    }
}
