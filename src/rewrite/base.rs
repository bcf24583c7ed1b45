//! Rule files → a rule base: rules, systems and strategies, checked and found by name.

use super::build::Shadows;
use super::check::Check;
use super::clauses::predicates;
use super::plan::{self, Strategy};
use super::predicate::Predicates;
use super::rule::Rule;
use super::specificity;
use crate::diagnostic::{Diagnostic, names_like};
use crate::syntax::rules::{Item, RuleItem, SystemEntry, SystemItem, read_rules};
use crate::term::{MOST_ERRORS, Sources, Span, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How a system picks its redexes; TermWare's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first redex from the top and the left; then again from the root.
    FirstTop,
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
            "TopDown" => Some(Order::TopDown),
            "BottomTop" => Some(Order::BottomTop),
            _ => None,
        }
    }
}

/// A set of rules that rewrite together.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name; empty for the rules of a file that stand in no system.
    pub name: Symbol,
    /// How it picks redexes where the user does not say.
    pub order: Order,
    /// Its rules in the order in which they are tried, as indices into [`RuleBase::rules`].
    pub rules: Vec<usize>,
    /// Whether another system imports its rules.
    pub imported: bool,
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
    /// What conditions may ask besides facts.
    pub predicates: Predicates,
    /// Rules that strategies do not apply: see [`RuleBase::without`].
    barred: BTreeSet<usize>,
    by_name: FxHashMap<Symbol, usize>,
    /// Rules of the user that were not tested.
    untested: FxHashSet<Symbol>,
    /// Names of the sources, by number.
    pub(super) files: FxHashMap<u32, String>,
}

/// The order of rules that stand in no system.
const LOOSE_ORDER: Order = Order::TopDown;

impl RuleBase {
    /// Reads and checks rule files, given by their numbers among the sources.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files.
    pub fn load(sources: &Sources, files: &[u32]) -> Result<RuleBase, Vec<Diagnostic>> {
        let mut loading = Loading {
            terms: Terms::new(),
            rules: Vec::new(),
            counts: FxHashMap::default(),
            shadows: Shadows::default(),
            refusals: Vec::new(),
        };
        let mut systems = Vec::new();
        let mut strategies = Vec::new();
        let mut clauses = Vec::new();
        let mut loose = Vec::new();
        let mut names = FxHashMap::default();
        let mut read = Vec::new();
        for &file in files {
            let Some(source) = sources.get(file) else {
                continue;
            };
            names.insert(file, source.name.clone());
            let (items, refusals) = read_rules(&mut loading.terms, file, &source.text);
            loading.refusals.extend(refusals);
            loading.shadow(&items);
            read.extend(items.into_iter().map(|item| (source.text.as_str(), item)));
        }
        for (text, item) in read {
            if loading.refusals.len() >= MOST_ERRORS {
                break;
            }
            match item {
                Item::Rule(rule) => loose.push(loading.rule(text, rule)),
                Item::Clause(clause) => clauses.push((text, clause)),
                Item::System(system) => systems.push(loading.system(text, system)),
                Item::Strategy(strategy) => strategies.push(strategy),
            }
        }
        let systems = loading.imports(systems);
        let shadows = loading.shadows;
        let predicates = predicates(&loading.terms, clauses, shadows, &mut loading.refusals);
        let by_name = loading.names();
        let Loading {
            mut terms,
            rules,
            mut refusals,
            ..
        } = loading;
        // Names in strategies mean little where the rules themselves could not be read.
        let mut resolved = Vec::new();
        if refusals.is_empty() {
            resolved = plan::resolve(&terms, strategies, &rules, &by_name, &mut refusals);
        }
        if !refusals.is_empty() {
            refusals.sort_by_key(|d| d.span);
            refusals.truncate(MOST_ERRORS);
            return Err(refusals);
        }
        let mut ordered = |indices: Vec<usize>| -> Vec<usize> {
            let chosen: Vec<&Rule> = indices.iter().map(|&i| &rules[i]).collect();
            let order = specificity::order(&mut terms, &chosen);
            order.into_iter().map(|i| indices[i]).collect()
        };
        let systems = systems
            .into_iter()
            .map(|system| System {
                rules: ordered(system.rules),
                ..system
            })
            .collect();
        let loose = System {
            name: Symbol::new(""),
            order: LOOSE_ORDER,
            rules: ordered(loose),
            imported: false,
        };
        Ok(RuleBase {
            terms,
            rules,
            systems,
            loose,
            strategies: resolved,
            predicates,
            barred: BTreeSet::new(),
            by_name,
            untested: FxHashSet::default(),
            files: names,
        })
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

    /// The base whose strategies find the rules with these names nowhere.
    ///
    /// # Errors
    ///
    /// A name that no rule has.
    pub fn without(mut self, names: &[String]) -> Result<RuleBase, Vec<Diagnostic>> {
        for name in names {
            let Some(index) = self.rule_index(Symbol::new(name)) else {
                let message = format!("there is no rule `{name}` to do without");
                let names: Vec<&str> = self.rules.iter().map(|r| r.name.as_str()).collect();
                let hint = names_like(name, &names)
                    .unwrap_or_else(|| "`glushkov rules list` names the rules".to_owned());
                return Err(vec![Diagnostic::error("E0314", message).hint(hint)]);
            };
            self.barred.insert(index);
        }
        Ok(self)
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

    /// The system with a name.
    pub fn system(&self, name: &str) -> Option<&System> {
        self.systems.iter().find(|s| s.name.as_str() == name)
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

/// A system whose imports are not yet filled in.
struct Half {
    item: System,
    span: Span,
    imports: Vec<(Symbol, Option<Symbol>, Span)>,
}

fn of_rule(entry: &SystemEntry) -> Option<&RuleItem> {
    match entry {
        SystemEntry::Rule(rule) => Some(rule),
        SystemEntry::Import { .. } => None,
    }
}

struct Loading {
    terms: Terms,
    rules: Vec<Rule>,
    /// How many unnamed rules there are of each functor.
    counts: FxHashMap<String, usize>,
    shadows: Shadows,
    refusals: Vec<Diagnostic>,
}

impl Loading {
    /// Notes the functors that rules are for.
    fn shadow(&mut self, items: &[Item]) {
        for item in items {
            let rules = match item {
                Item::Rule(rule) => vec![rule],
                Item::System(system) => system.entries.iter().filter_map(of_rule).collect(),
                Item::Clause(_) | Item::Strategy(_) => Vec::new(),
            };
            for functor in rules.iter().filter_map(|r| self.terms.functor(r.pattern)) {
                self.shadows.note(functor);
            }
        }
    }

    fn rule(&mut self, text: &str, item: RuleItem) -> usize {
        let functor = self
            .terms
            .functor(item.pattern)
            .map_or("any", |f| f.as_str())
            .to_string();
        let count = self.counts.entry(functor.clone()).or_insert(0);
        *count += 1;
        let name = Symbol::new(&format!("{functor}.{count}"));
        let rule = Check::rule(
            &self.terms,
            text,
            item,
            name,
            self.shadows,
            &mut self.refusals,
        );
        self.rules.push(rule);
        self.rules.len() - 1
    }

    fn system(&mut self, text: &str, item: SystemItem) -> Half {
        let (name, span) = item.strategy;
        let order = Order::from_name(name.as_str()).unwrap_or_else(|| {
            let message = format!("there is no strategy `{name}` for systems");
            self.refusals.push(
                Diagnostic::error("E0312", message)
                    .at(span)
                    .hint("they are FirstTop, TopDown and BottomTop"),
            );
            LOOSE_ORDER
        });
        let mut half = Half {
            item: System {
                name: item.name,
                order,
                rules: Vec::new(),
                imported: false,
            },
            span: item.span,
            imports: Vec::new(),
        };
        for entry in item.entries {
            match entry {
                SystemEntry::Rule(rule) => half.item.rules.push(self.rule(text, rule)),
                SystemEntry::Import {
                    system,
                    functor,
                    span,
                } => half.imports.push((system, functor, span)),
            }
        }
        half
    }

    /// Fills in what systems import: the rules that stand in another system's own text.
    fn imports(&mut self, halves: Vec<Half>) -> Vec<System> {
        let mut systems: Vec<System> = Vec::new();
        for half in &halves {
            let mut system = half.item.clone();
            let imports =
                |other: &Half| other.imports.iter().any(|(name, ..)| *name == system.name);
            system.imported = halves.iter().any(imports);
            for &(name, functor, span) in &half.imports {
                let Some(source) = halves.iter().find(|h| h.item.name == name) else {
                    let message = format!("there is no system `{name}` to import");
                    self.refusals
                        .push(Diagnostic::error("E0313", message).at(span));
                    continue;
                };
                let wanted =
                    |&&i: &&usize| functor.is_none() || self.rules[i].matcher.functor() == functor;
                system.rules.extend(source.item.rules.iter().filter(wanted));
            }
            if let Some(other) = halves
                .iter()
                .take(systems.len())
                .find(|h| h.item.name == system.name)
            {
                let message = format!("there are two systems `{}`", system.name);
                self.refusals.push(
                    Diagnostic::error("E0302", message)
                        .at(half.span)
                        .also(other.span, "the first"),
                );
            }
            systems.push(system);
        }
        systems
    }

    fn names(&mut self) -> FxHashMap<Symbol, usize> {
        let mut by_name: FxHashMap<Symbol, usize> = FxHashMap::default();
        for (i, rule) in self.rules.iter().enumerate() {
            match by_name.get(&rule.name) {
                Some(&first) => self.refusals.push(
                    Diagnostic::error("E0302", format!("there are two rules `{}`", rule.name))
                        .at(rule.span)
                        .also(self.rules[first].span, "the first"),
                ),
                None => {
                    by_name.insert(rule.name, i);
                }
            }
        }
        by_name
    }
}
