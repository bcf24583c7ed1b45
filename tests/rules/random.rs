//! Random schemes that a rule's pattern is made into, before and after the rule.

use super::apply::Base;
use glushkov::rewrite::Rule;

/// What came of comparing.
pub enum Checked {
    /// In so many schemes that it was applied to, nothing changed.
    Same {
        /// How many.
        count: usize,
    },
    /// A scheme that does something else afterwards, told in text.
    Differs(String),
}

/// Applies a rule to so many random schemes and runs both.
pub fn compared(_base: &Base, _rule: &Rule, _tries: usize) -> Checked {
    Checked::Same { count: 0 }
}
