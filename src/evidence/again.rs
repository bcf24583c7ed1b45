//! What a rule does to its own results.

use super::apply::{Applied, Base, apply, text};
use super::cases::read;
use super::page::is_term;
use crate::rewrite::{Again, Rule, Shows};
use crate::term::Sources;

/// What a second pass from top to bottom does to what the first one made of the rule's examples.
pub fn again(base: &Base, rule: &Rule) -> Again {
    let mut found = Again::Settles;
    let name = rule.name.as_str();
    for case in rule.cases() {
        // Terms are rewritten until nothing more can be done.
        if !matches!(case.shows, Shows::Becomes(_)) || is_term(&case.before) {
            continue;
        }
        let mut sources = Sources::default();
        // What cannot be read is told as an example that is wrong.
        let Ok((scheme, _)) = read(base, rule, &case, &mut sources) else {
            continue;
        };
        let Applied::Done(first) = apply(base, &scheme, "pass", name, &case.settings) else {
            return Again::GoesOn;
        };
        match apply(base, &first, "pass", name, &case.settings) {
            Applied::Stopped(_) => {}
            Applied::Done(second) if text(&second) == text(&scheme) => found = Again::Undoes,
            _ => return Again::GoesOn,
        }
    }
    found
}
