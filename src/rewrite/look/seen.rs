//! Steps as they are shown: the rule, the place, the redex before and after, and what was asked.

use crate::rewrite::derivation::Asked;
use crate::rewrite::fire::Fired;
use crate::rewrite::rule::Rule;
use crate::rewrite::step::{Texts, asked, bindings};
use crate::syntax::rules::print_term_short;
use crate::term::{Head, Id, Path, Symbol, Terms};
use serde::Serialize;
use std::fmt::Write;

/// Redexes and results are shown up to so many bytes.
const SHOWN: usize = 200;
/// What stands beside the way to a redex is shown up to so many bytes.
const BESIDE: usize = 40;
/// So many arguments to either side of the way are shown.
const NEAR: usize = 4;
/// So many levels above a redex are shown, or fewer where they are long.
const LEVELS: usize = 12;
const LONG: usize = 300;

/// A step of a run, as text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// Its number, from 1; none where a standard functor got its value.
    pub number: Option<u64>,
    /// The rule, or the standard functor.
    pub rule: String,
    /// The position of the redex.
    pub path: Vec<u32>,
    /// The redex, shortened where it is long.
    pub before: String,
    /// What stands in its place then.
    pub after: String,
    /// The whole term before the step, with the redex between `⟦` and `⟧`.
    pub whole: String,
    /// What the variables of the rule stand for.
    pub bindings: Vec<(String, String)>,
    /// The questions of the condition with their answers.
    pub asked: Vec<Asked>,
}

impl Seen {
    /// The step of a rule, or of a standard functor, at a position of a term.
    pub(in crate::rewrite) fn new(
        terms: &mut Terms,
        root: Id,
        path: &Path,
        redex: Id,
        result: Id,
        by: Option<(u64, &Rule, &Fired)>,
    ) -> Seen {
        let name = match (by, terms.head(redex)) {
            (Some((_, rule, _)), _) => rule.name.to_string(),
            (None, Head::Functor(functor)) => functor.to_string(),
            (None, _) => String::new(),
        };
        let asked = by.map_or(Vec::new(), |(.., fired)| {
            fired.findings.iter().map(asked).collect()
        });
        Seen {
            number: by.map(|(number, ..)| number),
            rule: name,
            path: path.0.clone(),
            before: print_term_short(terms, redex, SHOWN),
            after: print_term_short(terms, result, SHOWN),
            whole: marked(terms, root, path),
            bindings: by.map_or(Vec::new(), |(_, rule, fired)| {
                bindings(terms, rule, &fired.slots, &mut Texts::default())
            }),
            asked,
        }
    }

    /// The step on a few lines.
    pub fn text(&self) -> String {
        let number = self.number.map_or("·".to_string(), |n| n.to_string());
        let path = Path(self.path.clone());
        let mut text = format!("{number:>4}  {} at {path}\n", self.rule);
        let _ = writeln!(text, "      {} → {}", self.before, self.after);
        if !self.path.is_empty() {
            let _ = writeln!(text, "      in {}", self.whole);
        }
        for asked in &self.asked {
            let _ = writeln!(
                text,
                "      {}: {}: {}",
                asked.question, asked.answer, asked.sentence
            );
        }
        text
    }
}

/// The text of a term with the subterm at a position between `⟦` and `⟧`, and long parts beside
/// the way to it left out.
pub(in crate::rewrite) fn marked(terms: &mut Terms, root: Id, path: &Path) -> String {
    let Some(spine) = path.spine(terms, root) else {
        return print_term_short(terms, root, SHOWN);
    };
    let redex = spine[spine.len() - 1];
    // Variables that no text can have stand for what is put in afterwards.
    let [here, left_out] = ["⟦⟧", "…"].map(|name| Head::Variable(Symbol::new(name)));
    let left_out = terms.make(left_out, &[]);
    let mut shown = terms.make(here, &[]);
    let mut length = 0;
    let mut levels = 0;
    for (&parent, &step) in spine.iter().rev().skip(1).zip(path.0.iter().rev()) {
        if levels == LEVELS || length > LONG {
            break;
        }
        levels += 1;
        let step = step as usize;
        let args = terms.args(parent).to_vec();
        let from = step.saturating_sub(NEAR);
        let to = args.len().min(step + NEAR + 1);
        let mut near = Vec::new();
        if from > 0 {
            near.push(left_out);
        }
        for (i, &arg) in args.iter().enumerate().take(to).skip(from) {
            if i == step {
                near.push(shown);
                continue;
            }
            let text = print_term_short(terms, arg, BESIDE);
            length += text.len().min(BESIDE);
            let long = text.len() > BESIDE;
            near.push(if long { left_out } else { arg });
        }
        if to < args.len() {
            near.push(left_out);
        }
        shown = terms.with_args(parent, &near);
    }
    let text = print_term_short(terms, shown, usize::MAX);
    let redex = format!("⟦{}⟧", print_term_short(terms, redex, SHOWN / 2));
    let text = text.replace("$⟦⟧", &redex).replace("$…", "…");
    match levels < path.0.len() {
        true => format!("… {text}"),
        false => text,
    }
}
