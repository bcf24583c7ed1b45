//! Going on after what could not be read: words that are missing or misspelt between the parts of a
//! scheme, and where the next part begins.

use super::expected::{Before, Found};
use super::grammar::{Grammar, Rule};
use super::reader::{Reader, Refusal};
use crate::algebra::Keyword;
use crate::diagnostic::Diagnostic;
use pest::Parser;
use pest::error::InputLocation;

impl Reader<'_> {
    /// Takes a word that was meant to be DATA, and tells of it.
    pub(super) fn misspelt_data(&mut self) -> bool {
        let found = self.found(self.at);
        let variable = || Grammar::parse(Rule::begins_data, &self.text[found.next..]).is_ok();
        let Some(meant) = self.misspelt(&found, Rule::DATA).filter(|_| variable()) else {
            return false;
        };
        self.tell(self.is_misspelt(&found, meant));
        self.last = (found.from, found.to);
        self.at = found.next;
        true
    }

    /// Whether definitions begin here though WHERE is missing or misspelt, and tells of it.
    pub(super) fn lacks_where(&mut self) -> bool {
        let found = self.found(self.at);
        if found.rule == Rule::definition_head {
            let diagnostic = Diagnostic::error("E0104", "expected WHERE, found a definition")
                .at(self.span(found.from, found.to))
                .label("WHERE is missing before this definition")
                .hint("definitions stand after WHERE, behind the operators of the scheme");
            self.tell(diagnostic);
            return true;
        }
        let Some(meant) = self.misspelt_where(&found) else {
            return false;
        };
        self.tell(self.is_misspelt(&found, meant));
        self.last = (found.from, found.to);
        self.at = found.next;
        true
    }

    /// What a word before a definition was meant to be.
    pub(super) fn misspelt_where(&self, found: &Found) -> Option<&'static str> {
        let before_definition = || self.found(found.next).rule == Rule::definition_head;
        let meant = self.misspelt(found, Rule::WHERE)?;
        before_definition().then_some(meant)
    }

    /// Says what is wrong here. Where nothing could begin, what stands before it may not have ended yet:
    /// it is asked for as a whole.
    pub(super) fn refused_after(
        &self,
        refusal: &Refusal,
        before: Option<usize>,
        together: Rule,
    ) -> Diagnostic {
        let progress = matches!(refusal.location, InputLocation::Pos(at) if at > 0);
        if let Some(before) = before.filter(|_| !progress)
            && let Err(refusal) = Grammar::parse(together, &self.text[before..])
        {
            return self.refused(&Box::new(refusal), before, before);
        }
        self.refused(refusal, self.at, self.at)
    }

    /// Goes on after the separator that follows a place, or stands before the definition or the part
    /// that follows it.
    pub(super) fn skip_operator(&mut self, place: usize, pending: &mut Before) {
        let mut in_header = false;
        loop {
            let found = self.found(self.at);
            if ends_body(&found) {
                return;
            }
            let text = &self.text[found.from..found.to];
            // The header and the block of a loop of C belong together.
            let pair = match (found.rule, text) {
                (Rule::open, _) if in_header => Some([Rule::open, Rule::close]),
                (_, "{") => Some([Rule::open_brace, Rule::close_brace]),
                _ => None,
            };
            if let Some(after) = pair.and_then(|pair| self.after_block(&found, pair)) {
                self.at = after;
                in_header = false;
                continue;
            }
            in_header = found.rule == Rule::FOR || text == "for";
            self.at = found.next;
            if found.rule == Rule::semicolon && found.from >= place {
                return;
            }
            pending.pass(self.file, found);
        }
    }

    /// The place after what is opened by a token, unless a part ends before it.
    fn after_block(&self, opening: &Found, [opens, closes]: [Rule; 2]) -> Option<usize> {
        let mut depth = 0usize;
        let mut found = opening.clone();
        while !ends_body(&found) {
            if found.rule == opens {
                depth += 1;
            } else if found.rule == closes {
                depth -= 1;
            }
            if depth == 0 {
                return Some(found.next);
            }
            found = self.found(found.next);
        }
        None
    }

    /// Goes to the first token that ends what is skipped, or to the end.
    pub(super) fn skip(&mut self, mut ends: impl FnMut(&Found, &str) -> bool) {
        loop {
            let found = self.found(self.at);
            if found.rule == Rule::EOI || ends(&found, &self.text[found.from..found.to]) {
                return;
            }
            self.at = found.next;
        }
    }
}

/// Whether a body ends before a token: a definition ends that of the scheme, too, as WHERE is missing then.
pub(super) fn ends_body(found: &Found) -> bool {
    found.ends_part() || found.rule == Rule::definition_head
}

/// Whether a token begins a scheme or a graph.
pub(super) fn begins_item(found: &Found, text: &str) -> bool {
    found.rule == Rule::section
        && [Keyword::Scheme, Keyword::Graph]
            .iter()
            .any(|k| k.all_spellings().any(|s| s == text))
}

/// Whether a token ends a scheme or a graph.
pub(super) fn ends_item(found: &Found, text: &str) -> bool {
    found.rule == Rule::section
        && [Rule::END_OF_SCHEME, Rule::END_OF_GRAPH]
            .iter()
            .any(|&rule| Grammar::parse(rule, text).is_ok())
}
