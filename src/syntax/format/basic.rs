//! How declarations of basic operators and predicates are laid out: each clause on a line, and code as it is.

use super::layout::Indent;
use super::scheme::{STEP, Schemes};
use crate::syntax::text::grammar::{Pair, Rule};

impl Schemes<'_, '_> {
    /// A declaration, which stands at a column.
    pub(super) fn basic(&mut self, basic: Pair<'_>, indent: usize) {
        self.line(&basic, indent);
        self.set_rest(&basic, indent + STEP);
        for part in basic.into_inner() {
            if matches!(part.as_rule(), Rule::declares | Rule::declares_test) {
                self.clauses(part, indent);
            }
        }
    }

    fn clauses(&mut self, declares: Pair<'_>, indent: usize) {
        let clause = indent + STEP;
        // The first token of MEANS, before what it says.
        let mut means = None;
        for part in declares.into_inner() {
            let (first, end) = self.range(&part);
            match part.as_rule() {
                Rule::BASIC => {}
                Rule::formals => self.types(part, 2 * STEP + indent),
                Rule::MEANS => {
                    self.line(&part, clause);
                    means = Some(first);
                }
                Rule::sequence | Rule::flow | Rule::expression => {
                    if let Some(means) = means.filter(|_| first < end) {
                        let block = self.layout.blocks.len();
                        self.layout.blocks.push((means, end - 1));
                        self.block(first, block, clause + STEP);
                    }
                    self.body(part, clause + STEP);
                }
                Rule::END_OF_BASIC => {
                    self.line(&part, indent);
                    if let Some(gap) = self.gap(first) {
                        gap.comments = Indent::At(clause);
                    }
                }
                Rule::semicolon => self.close_up(first),
                _ => {
                    self.line(&part, clause);
                    self.set_rest(&part, clause + 2 * STEP);
                    for inner in part.into_inner() {
                        self.part(inner, 0);
                    }
                }
            }
        }
    }

    /// The types of arguments, in parentheses.
    fn types(&mut self, formals: Pair<'_>, indent: usize) {
        self.set_rest(&formals, indent);
        for part in formals.into_inner() {
            match part.as_rule() {
                Rule::formal => {
                    for inner in part.into_inner() {
                        self.part(inner, 0);
                    }
                }
                _ => self.part(part, 0),
            }
        }
    }
}
