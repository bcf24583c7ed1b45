//! Rule files → a rule base: what was read, checked and put together.

use super::base::{LOOSE_ORDER, Order, RuleBase, System};
use super::build::Shadows;
use super::check::Check;
use super::clauses::predicates;
use super::groups;
use super::imports::{Half, Import};
use super::needs;
use super::operators::Operators;
use super::plan;
use super::rule::Rule;
use super::specificity;
use super::standard::systems;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{Item, RuleItem, SCOPE, SystemEntry, SystemItem, read_rules};
use crate::term::{MOST_ERRORS, Sources, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Where the files stand whose items are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// The files that were asked for.
    Own,
    /// Files that were found for them, and the standard systems.
    Beside,
}

/// Reads and checks the files `own` with `others` that they refer to.
pub(super) fn load(
    sources: &Sources,
    own: &[u32],
    others: &[u32],
) -> Result<RuleBase, Vec<Diagnostic>> {
    let mut read = ReadFiles::default();
    read.files(sources, own, From::Own);
    read.files(sources, others, From::Beside);
    read.loaded(sources)
}

/// Rule files as they were read, before anything is made of them.
#[derive(Clone, Default)]
pub struct ReadFiles {
    loading: Loading,
    names: FxHashMap<u32, String>,
    /// Each with the number of its file.
    items: Vec<(u32, From, Item)>,
}

impl ReadFiles {
    /// Reads files, given by their numbers among the sources.
    pub fn of(sources: &Sources, files: &[u32]) -> ReadFiles {
        let mut read = ReadFiles::default();
        read.files(sources, files, From::Own);
        read
    }

    /// The rules of these files and one more.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files.
    pub fn with(mut self, sources: &Sources, file: u32) -> Result<RuleBase, Vec<Diagnostic>> {
        self.files(sources, &[file], From::Own);
        self.loaded(sources)
    }

    fn files(&mut self, sources: &Sources, files: &[u32], from: From) {
        for &file in files {
            if let Some(source) = sources.get(file) {
                self.file(file, source.name.clone(), &source.text, from);
            }
        }
    }

    fn file(&mut self, file: u32, name: String, text: &str, from: From) {
        self.names.insert(file, name);
        let items = self.loading.read(file, text);
        let items = items.into_iter().map(|item| (file, from, item));
        self.items.extend(items);
    }

    fn loaded(mut self, sources: &Sources) -> Result<RuleBase, Vec<Diagnostic>> {
        let standards = systems::needed(self.items.iter().map(|(.., item)| item));
        for standard in &standards {
            let name = standard.file_name();
            self.file(standard.file(), name, standard.text, From::Beside);
        }
        let text_of = |file| match sources.get(file) {
            Some(source) => source.text.as_str(),
            None => {
                let standard = standards.iter().find(|standard| standard.file() == file);
                standard.map_or("", |standard| standard.text)
            }
        };
        let items = self.items.into_iter();
        let items = items.map(|(file, from, item)| (text_of(file), from, item));
        put_together(self.loading, items, self.names)
    }
}

/// What is made of the items of files, each with its text.
fn put_together<'t>(
    mut loading: Loading,
    read: impl Iterator<Item = (&'t str, From, Item)>,
    names: FxHashMap<u32, String>,
) -> Result<RuleBase, Vec<Diagnostic>> {
    let mut halves = Vec::new();
    let mut strategies = Vec::new();
    let mut groups = Vec::new();
    let mut clauses = Vec::new();
    let mut loose = Vec::new();
    for (text, from, item) in read {
        if loading.refusals.len() >= MOST_ERRORS {
            break;
        }
        match item {
            Item::Rule(rule) if from == From::Own => loose.push(loading.rule(text, rule, false)),
            Item::Rule(_) => {}
            Item::System(system) => {
                let half = loading.system(text, system);
                halves.push(Half {
                    beside: from == From::Beside,
                    ..half
                });
            }
            Item::Clause(clause) => clauses.push((text, clause)),
            Item::Strategy(strategy) => strategies.push(strategy),
            Item::Group(group) => groups.push(group),
        }
    }
    let mut systems = loading.imports(halves);
    loading.modulo(&mut systems);
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
    let (mut resolved, mut grouped) = (Vec::new(), Vec::new());
    if refusals.is_empty() {
        resolved = plan::resolve(&terms, strategies, &rules, &by_name, &mut refusals);
        grouped = groups::resolve(groups, &rules, &by_name, &resolved, &mut refusals);
    }
    if !refusals.is_empty() {
        refusals.sort_by_key(|d| d.span);
        refusals.truncate(MOST_ERRORS);
        return Err(refusals);
    }
    let numbers = needs::note(&mut resolved, &rules);
    let systems = systems
        .into_iter()
        .map(|system| System {
            rules: ordered(&mut terms, &rules, system.rules),
            ..system
        })
        .collect();
    let loose = System {
        rules: ordered(&mut terms, &rules, loose),
        ..System::loose()
    };
    Ok(RuleBase {
        terms,
        rules,
        systems,
        loose,
        strategies: resolved,
        numbers,
        groups: grouped,
        off: Vec::new(),
        predicates,
        barred: BTreeSet::new(),
        by_name,
        untested: FxHashSet::default(),
        files: names,
    })
}

/// Rules in the order in which they are tried.
pub(super) fn ordered(terms: &mut Terms, rules: &[Rule], indices: Vec<usize>) -> Vec<usize> {
    let chosen: Vec<&Rule> = indices.iter().map(|&i| &rules[i]).collect();
    let order = specificity::order(terms, &chosen);
    order.into_iter().map(|i| indices[i]).collect()
}

/// What is read so far.
#[derive(Clone, Default)]
pub(super) struct Loading {
    pub(super) terms: Terms,
    pub(super) rules: Vec<Rule>,
    /// How many unnamed rules there are of each functor.
    counts: FxHashMap<String, usize>,
    shadows: Shadows,
    pub(super) refusals: Vec<Diagnostic>,
}

impl Loading {
    /// The items of a file.
    fn read(&mut self, file: u32, text: &str) -> Vec<Item> {
        let (items, refusals) = read_rules(&mut self.terms, file, text);
        self.refusals.extend(refusals);
        self.shadow(&items);
        items
    }

    /// Notes the functors that rules are for.
    fn shadow(&mut self, items: &[Item]) {
        for item in items {
            let rules = match item {
                Item::Rule(rule) => vec![rule],
                Item::System(system) => system.entries.iter().filter_map(of_rule).collect(),
                Item::Clause(_) | Item::Strategy(_) | Item::Group(_) => Vec::new(),
            };
            for functor in rules.iter().filter_map(|r| self.terms.functor(r.pattern)) {
                self.shadows.note(functor);
            }
        }
    }

    /// Checks a rule, one of a system or not, and gives its index.
    pub(super) fn rule(&mut self, text: &str, item: RuleItem, in_system: bool) -> usize {
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
            in_system,
            &mut self.refusals,
        );
        self.rules.push(rule);
        self.rules.len() - 1
    }

    fn system(&mut self, text: &str, item: SystemItem) -> Half {
        let (name, span) = item.strategy;
        let order = Order::from_name(name.as_str()).unwrap_or_else(|| {
            self.refusals.push(Order::unknown(name.as_str()).at(span));
            LOOSE_ORDER
        });
        let path = item.name;
        let plain = path.as_str().rsplit(SCOPE).next().unwrap_or_default();
        let operators = Operators::read(&self.terms, &item.attributes, &mut self.refusals);
        let mut half = Half {
            item: System {
                operators,
                name: Symbol::new(plain),
                path,
                order,
                java: item.java,
                facts: item.facts,
                ..System::loose()
            },
            span: item.span,
            imports: Vec::new(),
            beside: false,
        };
        for entry in item.entries {
            match entry {
                SystemEntry::Rule(rule) => half.item.rules.push(self.rule(text, rule, true)),
                SystemEntry::Import {
                    system,
                    functor,
                    span,
                } => half.imports.push(Import {
                    system,
                    functor,
                    by: None,
                    span,
                }),
                SystemEntry::Transformed { system, by, span } => {
                    let rules = by.into_iter().filter_map(|entry| match entry {
                        SystemEntry::Rule(rule) => Some(self.rule(text, rule, true)),
                        _ => None,
                    });
                    let by = rules.collect();
                    half.imports.push(Import {
                        system,
                        functor: None,
                        by: Some(by),
                        span,
                    });
                }
            }
        }
        half
    }

    /// Makes the rules of systems match modulo their operators. A rule that other systems have
    /// without them is copied.
    fn modulo(&mut self, systems: &mut [System]) {
        for at in 0..systems.len() {
            let operators = systems[at].operators.clone();
            if operators.is_empty() {
                continue;
            }
            for place in 0..systems[at].rules.len() {
                let rule = systems[at].rules[place];
                let Some(new) = operators.rule(&mut self.terms, &self.rules[rule], true) else {
                    continue;
                };
                let shares = |s: &System| s.operators == operators && s.rules.contains(&rule);
                let others = |s: &System| s.operators != operators && s.rules.contains(&rule);
                if !systems.iter().any(others) {
                    self.rules[rule] = new;
                    continue;
                }
                self.rules.push(Rule {
                    name: Symbol::new(&format!("{}.{}", systems[at].name, new.name)),
                    ..new
                });
                let copy = self.rules.len() - 1;
                for system in systems.iter_mut().filter(|s| shares(s)) {
                    let rules = system.rules.iter_mut();
                    rules.filter(|i| **i == rule).for_each(|i| *i = copy);
                }
            }
        }
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

fn of_rule(entry: &SystemEntry) -> Option<&RuleItem> {
    match entry {
        SystemEntry::Rule(rule) => Some(rule),
        SystemEntry::Import { .. } | SystemEntry::Transformed { .. } => None,
    }
}
