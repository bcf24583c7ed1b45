//! What a run counts, so that it can say how fast it was and which rules cycled.

use crate::rewrite::RuleBase;
use crate::term::Symbol;

/// So many of the last rules are kept, to say which ones cycle.
const KEPT: usize = 1 << 12;
/// What a run of a system counted.
#[derive(Clone, Debug)]
pub(in crate::rewrite) struct Trace {
    pub(in crate::rewrite) rewrites: u64,
    counts: Vec<u64>,
    last: Vec<u32>,
}

impl Trace {
    pub(in crate::rewrite) fn new(rules: usize) -> Trace {
        Trace {
            rewrites: 0,
            counts: vec![0; rules],
            last: Vec::new(),
        }
    }

    #[inline]
    pub(in crate::rewrite) fn fired(&mut self, rule: usize) {
        match self.last.get_mut(self.rewrites as usize % KEPT) {
            Some(place) => *place = rule as u32,
            None => self.last.push(rule as u32),
        }
        self.counts[rule] += 1;
        self.rewrites += 1;
    }

    /// How often a rule fired.
    pub(in crate::rewrite) fn count(&self, rule: usize) -> u64 {
        self.counts[rule]
    }

    /// Counts a rule as fired so many times more, for what was not done again.
    pub(in crate::rewrite) fn again(&mut self, rule: usize, count: u64) {
        self.counts[rule] += count;
        self.rewrites += count;
    }

    /// How often each rule fired, in the order of the files; only those that did.
    pub(in crate::rewrite) fn counts(&self, base: &RuleBase) -> Vec<(Symbol, u64)> {
        let pairs = self.counts.iter().zip(&base.rules);
        pairs
            .filter(|(count, _)| **count > 0)
            .map(|(count, rule)| (rule.name, *count))
            .collect()
    }

    /// How often each rule fired among the last ones, most often first.
    pub(in crate::rewrite) fn last(&self, base: &RuleBase) -> Vec<(Symbol, u64)> {
        let mut counts = vec![0u64; base.rules.len()];
        for &rule in &self.last {
            if let Some(count) = counts.get_mut(rule as usize) {
                *count += 1;
            }
        }
        let mut named: Vec<(Symbol, u64)> = counts
            .into_iter()
            .zip(&base.rules)
            .filter(|(count, _)| *count > 0)
            .map(|(count, rule)| (rule.name, count))
            .collect();
        named.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        named
    }
}
