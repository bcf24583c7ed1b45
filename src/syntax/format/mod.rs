//! Text → the same text in one layout: schemes, files of operators and rule files.
//!
//! `tokens` takes a text apart by its grammar, `scheme`, `basic` and `rules` say what may stand between the tokens, and
//! `layout` makes lines. Only blanks and ends of lines change: what is made is read again and compared.

mod basic;
mod layout;
mod rules;
mod scheme;
mod tokens;

use crate::diagnostic::Diagnostic;
use crate::syntax::rules::grammar as rule_grammar;
use crate::syntax::text::grammar as scheme_grammar;
use crate::syntax::{on_stack, rules as rule_files, text as schemes};
use crate::term::{Sources, Terms};
use layout::Layout;
use pest::iterators::Pairs;
use pest::{Parser, RuleType};
use tokens::{Tokens, shape, tokens};

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Schemes and graphs in words.
    Schemes,
    /// Basic operators.
    Operators,
    /// Rules, systems and strategies.
    Rules,
}

impl Kind {
    /// What a file holds, by the end of its name.
    pub fn of_name(name: &str) -> Option<Kind> {
        match name.rsplit_once('.')?.1 {
            "saa" | "saag" => Some(Kind::Schemes),
            "ops" => Some(Kind::Operators),
            "rules" => Some(Kind::Rules),
            _ => None,
        }
    }
}

/// Lays a text out. Every token and every comment of it stays.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn format(sources: &Sources, file: u32, kind: Kind) -> Result<String, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let depth = readable(sources, file, kind)?;
    let laid = on_stack(depth, || match kind {
        Kind::Schemes => laid(text, read_schemes, scheme::layout),
        Kind::Operators => laid(text, read_operators, scheme::layout),
        Kind::Rules => laid(text, read_rules, rules::layout),
    });
    // Read by its parts it has no errors, so there is no other reason that is known.
    let refused = || {
        let message = "this text cannot be laid out without changing what it means";
        let hint = "it is left as it is; this is a bug of glushkov";
        vec![Diagnostic::error("E0010", message).hint(hint)]
    };
    laid.ok_or_else(refused)
}

/// How deep a text nests that has no errors.
fn readable(sources: &Sources, file: u32, kind: Kind) -> Result<usize, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| s.text.as_str());
    let mut terms = Terms::new();
    let (depth, errors) = match kind {
        Kind::Schemes => {
            let look = schemes::scan::look(text, file);
            (look.depth, schemes::read_file(sources, file, &mut terms).1)
        }
        Kind::Operators => {
            let look = schemes::scan::look(text, file);
            (
                look.depth,
                schemes::read_operators(sources, file, &mut terms).1,
            )
        }
        Kind::Rules => match rule_files::scan::depth(text, file) {
            Ok(depth) => (depth, rule_files::read_rules(&mut terms, file, text).1),
            Err(refusal) => return Err(vec![*refusal]),
        },
    };
    match errors.is_empty() {
        true => Ok(depth),
        false => Err(errors),
    }
}

fn read_schemes(text: &str) -> Option<Pairs<'_, scheme_grammar::Rule>> {
    scheme_grammar::Grammar::parse(scheme_grammar::Rule::file, text).ok()
}

fn read_operators(text: &str) -> Option<Pairs<'_, scheme_grammar::Rule>> {
    scheme_grammar::Grammar::parse(scheme_grammar::Rule::file_of_operators, text).ok()
}

fn read_rules(text: &str) -> Option<Pairs<'_, rule_grammar::Rule>> {
    rule_grammar::Grammar::parse(rule_grammar::Rule::file, text).ok()
}

/// A text in its layout; none where what comes out is not the same.
fn laid<R: RuleType>(
    text: &str,
    read: impl for<'a> Fn(&'a str) -> Option<Pairs<'a, R>>,
    layout: impl Fn(&Tokens<'_>, Pairs<'_, R>) -> Layout,
) -> Option<String> {
    let tree = read(text)?;
    let before = tokens(text, tree.clone());
    let made = layout(&before, tree.clone()).text(&before);
    let again = read(&made)?;
    let after = tokens(&made, again.clone());
    let same = before.words().eq(after.words())
        && before.comments().eq(after.comments())
        && shape(tree) == shape(again);
    same.then_some(made)
}
