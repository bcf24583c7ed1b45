//! What shows that a rule is right, from its own file: its examples and near misses, random schemes before and
//! after on the reference machine, a second pass, and mutants of the rule, which these must find.
//!
//! The rules that come with the tool are tested so, and rules of one's own by `glushkov rules test`.

mod again;
mod apply;
mod around;
mod cases;
mod laws;
mod maker;
mod misses;
mod mutants;
mod page;
mod random;
mod together;
mod values;
mod wishes;

pub use again::again;
pub use apply::{Applied, Base, Left, Output, apply, cut_off, run, run_within, text};
pub use cases::{is_predicate, wrong};
pub use laws::held;
pub use misses::made;
pub use mutants::{Found, Mutant, found, mutants};
pub use page::schemes;
pub use random::{Checked, compared, near};

use crate::diagnostic::{Diagnostic, render};
use crate::rewrite::{Again, Rule, Shows};
use crate::term::Sources;
use std::collections::BTreeMap;

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}

/// What is known of a rule.
#[derive(Debug)]
pub struct Evidence {
    /// The examples of its page.
    pub examples: usize,
    /// The near misses of its page.
    pub shown_misses: usize,
    /// The near misses that were made from its pattern.
    pub made_misses: usize,
    /// The random schemes, or operands of a law, that were compared before and after.
    pub random: usize,
    /// What a second pass does.
    pub again: Again,
    /// How many mutants were found by what.
    pub mutants: BTreeMap<Found, usize>,
    /// All that is wrong.
    pub wrong: Vec<Wrong>,
}

/// Something that is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What showed it.
    pub by: Check,
    /// What is wrong, in words.
    pub what: String,
}

/// What shows that a rule is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// An example, by its number on the page.
    Example(usize),
    /// A near miss, by its number on the page.
    NearMiss(usize),
    /// Terms that differ from the pattern in one place.
    Pattern,
    /// Random operands of a law.
    Law,
    /// Random schemes, run before and after.
    Random,
    /// A second pass.
    Again,
    /// A mutant that no other check finds.
    Mutant,
}

impl Check {
    /// Its name, in words.
    pub fn name(self) -> String {
        match self {
            Check::Example(number) => format!("example {number}"),
            Check::NearMiss(number) => format!("near miss {number}"),
            Check::Pattern => "the pattern".to_owned(),
            Check::Law => "random operands".to_owned(),
            Check::Random => "random schemes".to_owned(),
            Check::Again => "a second pass".to_owned(),
            Check::Mutant => "mutants".to_owned(),
        }
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random operands of a law; twice as many random schemes.
    pub tries: u32,
    /// Whether each mutant of the rule must be found.
    pub mutants: bool,
}

/// Collects the evidence of a rule.
pub fn evidence(base: &Base, rule: &Rule, effort: Effort) -> Evidence {
    let cases = rule.cases();
    let mut all = Vec::new();
    let (mut examples, mut shown_misses) = (0, 0);
    for case in &cases {
        let by = match case.shows {
            Shows::Becomes(_) => {
                examples += 1;
                Check::Example(examples)
            }
            Shows::NotWithout(_) => {
                shown_misses += 1;
                Check::NearMiss(shown_misses)
            }
        };
        all.extend(wrong(base, rule, case).map(|what| Wrong { by, what }));
    }
    let mut add = |by, what| all.push(Wrong { by, what });
    let made_misses = made(base, rule).unwrap_or_else(|why| {
        add(Check::Pattern, why);
        0
    });
    let random = match rule.law {
        Some(_) => held(base, rule, u64::from(effort.tries)).unwrap_or_else(|seed| {
            add(
                Check::Law,
                format!("its sides differ for the operands of seed {seed}"),
            );
            0
        }),
        None if finds(base, rule) => 0,
        None => match compared(base, rule, 2 * effort.tries) {
            Checked::Same(count) => count,
            Checked::Differs(why) => {
                add(Check::Random, why);
                0
            }
        },
    };
    let again = again(base, rule);
    if again != rule.again {
        let (found, said) = (again.name(), rule.again.name());
        add(
            Check::Again,
            format!("applied again it {found}, and it is said that it {said}"),
        );
    }
    let mut counts = BTreeMap::new();
    let mutants = match effort.mutants {
        true => mutants(base, rule),
        false => Vec::new(),
    };
    for mutant in mutants {
        match found(base, rule, &mutant, effort.tries / 2) {
            Some(how) => *counts.entry(how).or_insert(0) += 1,
            None => add(
                Check::Mutant,
                format!("not found by any test: {}", mutant.what),
            ),
        }
    }
    Evidence {
        examples,
        shown_misses,
        made_misses,
        random,
        again,
        mutants: counts,
        wrong: all,
    }
}

/// Whether a rule only finds something: what it makes has no result, and strategies use it under
/// `not` only.
pub fn finds(base: &Base, rule: &Rule) -> bool {
    let terms = base.base.terms();
    let undefined = |id| terms.functor(id).is_some_and(|f| f.as_str() == "Undefined");
    let makes = rule
        .results()
        .all(|result| terms.subterms(result).any(undefined));
    let uses = base.base.strategies().iter().map(|s| s.text(&base.sources));
    let name = rule.name.as_str();
    let free = |text: String| {
        let own = ["once", "at_root", "pass", "placed"]
            .iter()
            .any(|how| text.starts_with(&format!("strategy {how}_{name} ")));
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let alone =
            |at: usize| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word);
        let under_not = |at: usize| {
            let before = &text[..at];
            before.ends_with("not(") || before.ends_with("not(once(")
        };
        !own && text
            .match_indices(name)
            .any(|(at, _)| alone(at) && !under_not(at))
    };
    makes && rule.law.is_none() && !uses.into_iter().any(free)
}
