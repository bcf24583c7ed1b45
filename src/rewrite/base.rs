//! Rule files → a rule base: rules, systems and strategies, checked and found by name.

use super::groups::Group;
use super::needs::Numbers;
use super::operators::Operators;
use super::parameters::Setting;
use super::plan::Strategy;
use super::predicate::Predicates;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, names_like};
use crate::term::{Sources, Span, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How a system picks its redexes; TermWare's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first redex from the top and the left; then again from the root.
    FirstTop,
    /// A redex at the root, else the first one in each of its arguments; then again from the root.
    NFirstTops,
    /// Every term before its arguments; passes until nothing changes.
    TopDown,
    /// Arguments before the term: normal forms are built from normal forms.
    BottomTop,
}

impl Order {
    /// The order with a name.
    pub fn from_name(name: &str) -> Option<Order> {
        match name {
            "FirstTop" => Some(Order::FirstTop),
            "NFirstTops" => Some(Order::NFirstTops),
            "TopDown" => Some(Order::TopDown),
            // The tutorial's name for it.
            "BottomTop" | "BottomUp" => Some(Order::BottomTop),
            _ => None,
        }
    }

    /// Told of a name that is none of these.
    pub(super) fn unknown(name: &str) -> Diagnostic {
        Diagnostic::error(
            "E0312",
            format!("there is no strategy `{name}` for systems"),
        )
        .hint("they are FirstTop, NFirstTops, TopDown and BottomTop, which is BottomUp, too")
    }
}

/// A set of rules that rewrite together.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name; empty for the rules of a file that stand in no system.
    pub name: Symbol,
    /// Its name with the domains around it, `a::b`.
    pub path: Symbol,
    /// How it picks redexes where the user does not say.
    pub order: Order,
    /// Its rules in the order in which they are tried, as indices into [`RuleBase::rules`].
    pub rules: Vec<usize>,
    /// Whether another system imports its rules, or it is of a file that was found for one.
    pub imported: bool,
    /// The Java class that its facts are, if they are one.
    pub java: Option<Symbol>,
    /// The name of its facts, if it is not `default`.
    pub facts: Option<Symbol>,
    /// What it imports of the standard systems: which one, and one functor or all.
    pub(super) standard: Vec<(Symbol, Option<Symbol>)>,
    /// Which functors are commutative in its terms.
    pub(super) operators: Operators,
}

impl System {
    /// The rules of files that stand in no system.
    pub(super) fn loose() -> System {
        System {
            name: Symbol::new(""),
            path: Symbol::new(""),
            order: LOOSE_ORDER,
            rules: Vec::new(),
            imported: false,
            java: None,
            facts: None,
            standard: Vec::new(),
            operators: Operators::default(),
        }
    }

    /// Whether a name is its own, with or without its domains.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name.as_str() == name || self.path.as_str() == name
    }
}

/// Everything read from rule files.
#[derive(Clone)]
pub struct RuleBase {
    /// The arena of the rules' patterns and results.
    pub(super) terms: Terms,
    /// All rules, in the order of the files.
    pub rules: Vec<Rule>,
    /// All systems, in the order of the files.
    pub systems: Vec<System>,
    /// The rules that stand in no system, in the order in which they are tried.
    pub loose: System,
    pub(super) strategies: Vec<Strategy>,
    /// The functors that parts of strategies need.
    pub(super) numbers: Numbers,
    pub(super) groups: Vec<Group>,
    /// What conditions may ask besides facts.
    pub predicates: Predicates,
    /// Rules that strategies do not apply: see [`RuleBase::without`].
    pub(super) barred: BTreeSet<usize>,
    /// What parameters are set to where a strategy has them, after what the user sets.
    pub(super) off: Vec<Setting>,
    pub(super) by_name: FxHashMap<Symbol, usize>,
    /// Rules of the user that were not tested.
    pub(super) untested: FxHashSet<Symbol>,
    /// Names of the sources, by number.
    pub(super) files: FxHashMap<u32, String>,
}

/// The order of rules that stand in no system.
pub(super) const LOOSE_ORDER: Order = Order::TopDown;

impl RuleBase {
    /// Reads and checks rule files, given by their numbers among the sources.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files.
    pub fn load(sources: &Sources, files: &[u32]) -> Result<RuleBase, Vec<Diagnostic>> {
        RuleBase::load_beside(sources, files, &[])
    }

    /// Reads and checks rule files together with others, whose systems they import or apply.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files.
    pub fn load_beside(
        sources: &Sources,
        files: &[u32],
        others: &[u32],
    ) -> Result<RuleBase, Vec<Diagnostic>> {
        super::loading::load(sources, files, others)
    }

    /// A base without rules.
    pub(super) fn empty() -> RuleBase {
        RuleBase {
            terms: Terms::new(),
            rules: Vec::new(),
            systems: Vec::new(),
            loose: System::loose(),
            strategies: Vec::new(),
            numbers: Numbers::default(),
            groups: Vec::new(),
            off: Vec::new(),
            predicates: Predicates::default(),
            barred: BTreeSet::new(),
            by_name: FxHashMap::default(),
            untested: FxHashSet::default(),
            files: FxHashMap::default(),
        }
    }

    /// The rule with a name.
    pub fn rule(&self, name: Symbol) -> Option<&Rule> {
        self.by_name.get(&name).map(|&i| &self.rules[i])
    }

    /// Marks rules of the user that were not tested; steps by them say so.
    pub fn mark_untested(&mut self, names: FxHashSet<Symbol>) {
        self.untested = names;
    }

    pub(super) fn is_untested(&self, name: Symbol) -> bool {
        self.untested.contains(&name)
    }

    /// The base whose strategies find the rules and groups with these names nowhere.
    ///
    /// # Errors
    ///
    /// A name that no rule and no group has.
    pub fn without(mut self, names: &[String]) -> Result<RuleBase, Vec<Diagnostic>> {
        for name in names {
            if let Some(index) = self.rule_index(Symbol::new(name)) {
                self.barred.insert(index);
            } else if let Some(group) = self.group(name) {
                let group = group.clone();
                self.barred.extend(group.rules);
                self.off.extend(group.off);
            } else {
                let message = format!("there is no rule and no group `{name}` to do without");
                let groups = self.groups.iter().map(|g| g.name.as_str());
                let rules = self.rules.iter().map(|r| r.name.as_str());
                let names: Vec<&str> = rules.chain(groups).collect();
                let hint = names_like(name, &names)
                    .unwrap_or_else(|| "`glushkov rules list` names them".to_owned());
                return Err(vec![Diagnostic::error("E0314", message).hint(hint)]);
            }
        }
        Ok(self)
    }

    /// The group with a name.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|g| g.name.as_str() == name)
    }

    /// All groups, in the order of the files.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether strategies do without a rule.
    pub(super) fn is_barred(&self, rule: usize) -> bool {
        self.barred.contains(&rule)
    }

    pub(super) fn rule_index(&self, name: Symbol) -> Option<usize> {
        self.by_name.get(&name).copied()
    }

    /// All strategies, in the order of the files.
    pub fn strategies(&self) -> &[Strategy] {
        &self.strategies
    }

    /// The system with a name, which may have its domains before it: `a::b`.
    pub fn system(&self, name: &str) -> Option<&System> {
        self.systems.iter().find(|s| s.is_named(name))
    }

    /// The arena of the rules' patterns, for printing them.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The name of the file that a span of a rule is in.
    pub fn file(&self, span: Span) -> &str {
        self.files.get(&span.file).map_or("", |name| name.as_str())
    }
}
