//! Rules, checked and ready to be applied.

use super::build::Shadows;
use super::pattern::Pattern;
use crate::syntax::rules::{Alternative, Binding, Outcome, print_term_short};
use crate::term::{Head, Id, Span, Symbol, Terms};
use serde::{Deserialize, Serialize};

/// What a rule may do to the bits of floating-point results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FloatClass {
    /// Nothing: results are bit-identical.
    Exact,
    /// Sums or products are regrouped, always in the same way.
    Reassociating,
    /// Grouping may differ from run to run.
    Unordered,
    /// Other formulas, contraction, hardware roots.
    Approximate,
}

impl FloatClass {
    /// The class's name, as in `#@float(…)`.
    pub fn name(self) -> &'static str {
        match self {
            FloatClass::Exact => "exact",
            FloatClass::Reassociating => "reassociating",
            FloatClass::Unordered => "unordered",
            FloatClass::Approximate => "approximate",
        }
    }

    /// The class with a name.
    pub fn from_name(name: &str) -> Option<FloatClass> {
        [
            FloatClass::Exact,
            FloatClass::Reassociating,
            FloatClass::Unordered,
            FloatClass::Approximate,
        ]
        .into_iter()
        .find(|class| class.name() == name)
    }
}

/// How it is known that a rule is an identity of the algebra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// `#@law`: decided where the rule base is loaded.
    Decided,
    /// `#@law(tested)`: by tests, as it is outside of what can be decided.
    Tested,
}

impl Law {
    /// How it is known, in a word.
    pub fn name(self) -> &'static str {
        match self {
            Law::Decided => "decided",
            Law::Tested => "tested",
        }
    }
}

/// What a rule does when it is applied again to what it made, from top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// Nothing: it settles.
    Settles,
    /// `#@again(undoes)`: it leads back.
    Undoes,
    /// `#@again(goes_on)`: it finds more to do, and a strategy must bound it.
    GoesOn,
}

impl Again {
    /// What it does, in words.
    pub fn name(self) -> &'static str {
        match self {
            Again::Settles => "settles",
            Again::Undoes => "undoes",
            Again::GoesOn => "goes on",
        }
    }
}

/// A number that a rule or a strategy takes, with the range in which tuning searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Symbol,
    /// The value where none is given.
    pub default: i64,
    /// The range for tuning; other values are allowed too.
    pub range: Option<(i64, i64)>,
    /// Where it is declared.
    pub span: Span,
}

/// A rule, checked.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name: given by `#@rule(…)`, or made of its functor and a number.
    pub name: Symbol,
    /// Whether the name was given.
    pub named: bool,
    /// Where it stands; the span's file is the number of its source.
    pub span: Span,
    /// The comment before it.
    pub doc: String,
    /// Its float class; `exact` where none is declared.
    pub float: FloatClass,
    /// Whether it is an identity of the algebra, and how that is known.
    pub law: Option<Law>,
    /// What it says that it does to its own result.
    pub again: Again,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its pattern, in the arena of the rule base.
    pub pattern: Id,
    pub(super) lets: Vec<Binding>,
    pub(super) alternatives: Vec<Alternative>,
    pub(super) otherwise: Option<Outcome>,
    pub(super) wheres: Vec<Binding>,
    pub(super) matcher: Pattern,
    /// Whether it matches modulo the operators of a system.
    pub(super) is_modulo: bool,
    /// Functors that look like builders and are not.
    pub(super) shadows: Shadows,
    /// Its variables: parameters first, then in order of appearance.
    pub(super) names: Vec<Symbol>,
    /// Texts of its questions, as written.
    pub(super) questions: Vec<(Id, String)>,
}

impl Rule {
    /// A question of its condition, as written.
    pub(super) fn question(&self, rules: &Terms, id: Id) -> String {
        match self.questions.iter().find(|(question, _)| *question == id) {
            Some((_, text)) => text.clone(),
            None => print_term_short(rules, id, 200),
        }
    }

    /// Whether one of its results holds a parameter itself.
    pub(super) fn is_made_of(&self, rules: &Terms, parameter: Symbol) -> bool {
        let is_it = |id| matches!(rules.head(id), Head::Variable(name) if name == parameter);
        self.results()
            .any(|result| rules.subterms(result).any(is_it))
    }

    /// The terms that can replace a redex, in the arena of the rule base.
    pub fn results(&self) -> impl Iterator<Item = Id> {
        self.outcomes().map(|o| o.result)
    }

    /// What each alternative makes and does, and what is made where none holds.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        let first = self.alternatives.iter().map(|a| a.outcome);
        first.chain(self.otherwise)
    }

    /// What its results, its values of `let` and `where`, and its conditions are built from, in the
    /// arena of the rule base.
    pub fn templates(&self) -> impl Iterator<Item = Id> {
        let values = self.lets.iter().chain(&self.wheres).map(|b| b.value);
        let conditions = self.alternatives.iter().filter_map(|a| a.condition);
        values.chain(conditions).chain(self.results())
    }

    /// Whether a result is not the term that stands there, but made by `each`, `copies` or
    /// `substitute`.
    pub fn computes(&self, rules: &Terms) -> bool {
        let mut results = self.results();
        results.any(|result| rules.subterms(result).any(|id| self.is_builder(rules, id)))
    }

    /// Whether a functor of a result or a condition is a builder, such as `each`.
    pub fn is_builder(&self, rules: &Terms, id: Id) -> bool {
        let functor = rules.functor(id);
        functor.is_some_and(|f| self.shadows.builder(f, rules.arity(id)).is_some())
    }

    /// The questions of its conditions that are facts or predicates.
    pub fn questions_asked(&self, rules: &Terms) -> Vec<Id> {
        let conditions = self.alternatives.iter().filter_map(|a| a.condition);
        facts_among(rules, conditions.collect())
    }

    /// The same of a clause of a predicate, whose answers are conditions too.
    pub fn questions_of_clause(&self, rules: &Terms) -> Vec<Id> {
        let conditions = self.alternatives.iter().filter_map(|a| a.condition);
        facts_among(rules, conditions.chain(self.results()).collect())
    }

    /// Its variables, without its parameters, in order of appearance.
    pub fn variables(&self) -> &[Symbol] {
        &self.names[self.parameters.len()..]
    }

    /// The parts of its conditions that are asked by themselves, each with a `!` before it, in the
    /// order of the text.
    pub fn condition_parts(&self, rules: &Terms) -> Vec<Span> {
        let conditions = self.alternatives.iter().rev().filter_map(|a| a.condition);
        parts(rules, conditions.collect())
    }

    /// The same of the answers of a clause of a predicate.
    pub fn answer_parts(&self, rules: &Terms) -> Vec<Span> {
        let mut answers: Vec<Id> = self.results().collect();
        answers.reverse();
        parts(rules, answers)
    }

    /// Whether it has a condition on every alternative.
    pub(super) fn is_conditional(&self) -> bool {
        self.alternatives.iter().all(|a| a.condition.is_some())
    }
}

/// The parts of conditions that are asked by themselves, the last condition first.
fn parts(rules: &Terms, mut work: Vec<Id>) -> Vec<Span> {
    let mut found = Vec::new();
    while let Some(id) = work.pop() {
        match rules.functor(id).map_or("", |f| f.as_str()) {
            "And" | "Or" => work.extend(rules.args(id).iter().rev()),
            _ => found.extend(rules.span(id)),
        }
    }
    found
}

/// The questions of conditions that are not settled by looking.
fn facts_among(rules: &Terms, mut work: Vec<Id>) -> Vec<Id> {
    let mut found = Vec::new();
    while let Some(id) = work.pop() {
        match rules.functor(id).map_or("", |f| f.as_str()) {
            "And" | "Or" | "Not" => work.extend(rules.args(id)),
            "" | "True" | "False" | "Equal" | "NotEqual" | "Less" | "LessOrEqual" | "Greater"
            | "GreaterOrEqual" => {}
            _ => found.push(id),
        }
    }
    found
}
