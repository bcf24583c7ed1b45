//! What systems import: rules of other systems, as they are or rewritten, and standard functors.

use super::base::{Order, RuleBase, System};
use super::loading::{Loading, ordered};
use super::operators::Operators;
use super::rule::Rule;
use super::standard::systems;
use super::system::{Limits, reduce};
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{Binding, Item, Outcome, RuleItem, SCOPE, SystemEntry, read_rules};
use crate::term::{Id, Sources, Span, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// So many rules may fire to rewrite one part of an imported rule.
const MOST_STEPS: u64 = 10_000;

/// A system whose imports are not yet filled in.
pub(super) struct Half {
    pub(super) item: System,
    pub(super) span: Span,
    pub(super) imports: Vec<Import>,
    /// Whether it is of a file that was found for another.
    pub(super) beside: bool,
}

/// What is imported of a system.
pub(super) struct Import {
    /// Its name, with its domains as far as they are written.
    pub(super) system: Symbol,
    /// Only the rules for this functor.
    pub(super) functor: Option<Symbol>,
    /// The rules that rewrite its rules.
    pub(super) by: Option<Vec<usize>>,
    pub(super) span: Span,
}

/// A system that files import or apply and do not have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// The file that names it, among the sources.
    pub file: u32,
    /// Its name, with its domains as far as they are written: `a::b`.
    pub name: String,
    /// How many domains are around the system that names it.
    pub domains: usize,
}

/// The systems that files import or apply by name, and that neither they have nor the standard ones are.
pub fn wanted_systems(sources: &Sources, files: &[u32]) -> Vec<Wanted> {
    let mut terms = Terms::new();
    let mut known: Vec<Symbol> = Vec::new();
    let mut wanted = BTreeSet::new();
    for &file in files {
        let Some(source) = sources.get(file) else {
            continue;
        };
        for item in read_rules(&mut terms, file, &source.text).0 {
            let Item::System(system) = item else { continue };
            let domains = system.name.as_str().matches(SCOPE).count();
            let named = named_systems(&terms, &system.entries);
            wanted.extend(named.into_iter().map(|name| Wanted {
                file,
                name: name.as_str().to_owned(),
                domains,
            }));
            known.push(system.name);
        }
    }
    let is_known = |name: &str| {
        let tail = format!("{SCOPE}{name}");
        let ends = |path: &Symbol| path.as_str() == name || path.as_str().ends_with(&tail);
        known.iter().any(ends) || systems::standard(name).is_some()
    };
    wanted.retain(|w| !is_known(&w.name));
    wanted.into_iter().collect()
}

/// The systems that entries import, or apply by a name that is written out.
fn named_systems(terms: &Terms, entries: &[SystemEntry]) -> Vec<Symbol> {
    let mut found = Vec::new();
    for entry in entries {
        match entry {
            SystemEntry::Import { system, .. } => found.push(*system),
            SystemEntry::Transformed { system, by, .. } => {
                found.push(*system);
                found.extend(named_systems(terms, by));
            }
            SystemEntry::Rule(rule) => {
                for part in parts(rule) {
                    found.extend(terms.subterms(part).filter_map(|id| applied(terms, id)));
                }
            }
        }
    }
    found
}

/// The name of the system that a term applies to another one.
pub(super) fn applied(terms: &Terms, id: Id) -> Option<Symbol> {
    use crate::syntax::rules::CALL;
    match (terms.functor(id)?.as_str(), terms.args(id)) {
        (CALL, &[system, _]) => system_name(terms, system),
        _ => None,
    }
}

/// The name that an atom or `a::b` is.
pub(super) fn system_name(terms: &Terms, id: Id) -> Option<Symbol> {
    use crate::syntax::rules::SCOPED;
    if let Some(name) = terms.as_atom(id) {
        return Some(name);
    }
    if terms.functor(id)?.as_str() != SCOPED {
        return None;
    }
    let names: Option<Vec<Symbol>> = terms.args(id).iter().map(|&a| terms.as_atom(a)).collect();
    let names: Vec<&str> = names?.iter().map(|name| name.as_str()).collect();
    Some(Symbol::new(&names.join(SCOPE)))
}

/// The terms of a rule.
fn parts(rule: &RuleItem) -> Vec<Id> {
    let outcomes = rule.alternatives.iter().map(|a| a.outcome);
    let outcomes = outcomes.chain(rule.otherwise);
    let mut parts = vec![rule.pattern];
    parts.extend(outcomes.flat_map(|o| [Some(o.result), o.action]).flatten());
    parts.extend(rule.alternatives.iter().filter_map(|a| a.condition));
    parts.extend(rule.lets.iter().chain(&rule.wheres).map(|b| b.value));
    parts
}

/// What a system has once its imports are filled in.
#[derive(Clone, Default)]
struct Filled {
    rules: Vec<usize>,
    standard: Vec<(Symbol, Option<Symbol>)>,
    operators: Operators,
}

impl Loading {
    /// Fills in what systems import, and what that imports.
    pub(super) fn imports(&mut self, halves: Vec<Half>) -> Vec<System> {
        let mut filled: FxHashMap<usize, Filled> = FxHashMap::default();
        let mut imported = BTreeSet::new();
        for at in 0..halves.len() {
            self.fill(&halves, at, &mut filled, &mut imported, &mut Vec::new());
        }
        let mut systems: Vec<System> = Vec::new();
        for (at, half) in halves.iter().enumerate() {
            let first = halves[..at].iter().find(|h| h.item.path == half.item.path);
            if let Some(first) = first {
                let message = format!("there are two systems `{}`", half.item.name);
                self.refusals.push(
                    Diagnostic::error("E0302", message)
                        .at(half.span)
                        .also(first.span, "the first"),
                );
            }
            let Filled {
                rules,
                standard,
                operators,
            } = filled.remove(&at).unwrap_or_default();
            systems.push(System {
                rules,
                standard,
                operators,
                imported: half.beside || imported.contains(&at),
                ..half.item.clone()
            });
        }
        systems
    }

    fn fill(
        &mut self,
        halves: &[Half],
        at: usize,
        filled: &mut FxHashMap<usize, Filled>,
        imported: &mut BTreeSet<usize>,
        around: &mut Vec<usize>,
    ) -> Filled {
        if let Some(known) = filled.get(&at) {
            return known.clone();
        }
        let half = &halves[at];
        let mut own = Filled {
            rules: half.item.rules.clone(),
            standard: Vec::new(),
            operators: half.item.operators.clone(),
        };
        // Systems that import each other have each other's own rules.
        if around.contains(&at) {
            return own;
        }
        around.push(at);
        for import in &half.imports {
            let standard = systems::standard(import.system.as_str());
            let found = found(halves, half, import.system.as_str());
            let is_own = found.is_some_and(|i| !halves[i].beside);
            if let Some(standard) = standard.filter(|_| !is_own) {
                own.standard
                    .push((Symbol::new(standard.name), import.functor));
            }
            let Some(source) = found else {
                if standard.is_none() {
                    self.refuse_missing(import, halves);
                }
                continue;
            };
            imported.insert(source);
            let more = self.fill(halves, source, filled, imported, around);
            let wanted = |&&i: &&usize| {
                import.functor.is_none() || self.rules[i].matcher.functor() == import.functor
            };
            let taken: Vec<usize> = more.rules.iter().filter(wanted).copied().collect();
            let has = standard.is_some_and(|s| s.has(import.functor));
            if let (true, false, Some(functor)) = (taken.is_empty(), has, import.functor) {
                let message = format!("the system `{}` has nothing for `{functor}`", import.system);
                self.refusals
                    .push(Diagnostic::error("E0313", message).at(import.span));
            }
            if import.functor.is_none() {
                own.standard.extend(more.standard);
            }
            match own.operators.joined(&more.operators) {
                Ok(operators) => own.operators = operators,
                Err(name) => {
                    let message = format!(
                        "the system `{}` has another declaration of the operator `{name}`",
                        import.system
                    );
                    self.refusals
                        .push(Diagnostic::error("E0313", message).at(import.span));
                }
            }
            match &import.by {
                Some(by) => {
                    for rule in taken {
                        let rewritten = self.rewritten(rule, by);
                        own.rules.push(rewritten);
                    }
                }
                None => own.rules.extend(taken),
            }
        }
        around.pop();
        // A rule that comes by two ways is one rule.
        let mut seen = BTreeSet::new();
        own.rules.retain(|&rule| seen.insert(rule));
        if around.is_empty() {
            filled.insert(at, own.clone());
        }
        own
    }

    fn refuse_missing(&mut self, import: &Import, halves: &[Half]) {
        let message = format!("there is no system `{}` to import", import.system);
        let own = halves.iter().filter(|h| !h.beside);
        let mut names: Vec<&str> = own.map(|h| h.item.path.as_str()).collect();
        names.dedup();
        let hint = format!(
            "here are {}; another file's system `{1}` is found in `{1}.rules` or `{1}.def` beside this file; \
             the standard ones are {2}",
            names.join(", "),
            import.system.as_str().replace(SCOPE, "/"),
            systems::names().join(", ")
        );
        self.refusals.push(
            Diagnostic::error("E0313", message)
                .at(import.span)
                .hint(hint),
        );
    }

    /// The index of a rule whose parts are rewritten by others.
    fn rewritten(&mut self, rule: usize, by: &[usize]) -> usize {
        let system = System {
            order: Order::FirstTop,
            rules: ordered(&mut self.terms, &self.rules, by.to_vec()),
            ..System::loose()
        };
        let base = RuleBase {
            terms: self.terms.clone(),
            rules: self.rules.clone(),
            ..RuleBase::empty()
        };
        let mut trouble = None;
        let mut part = |id: Id| {
            let done = reduce(
                &base,
                &system,
                system.order,
                &mut self.terms,
                id,
                Limits {
                    steps: MOST_STEPS,
                    stop: None,
                },
                None,
            );
            match done {
                Ok(done) if done.finished => done.root,
                Ok(_) => {
                    trouble = Some(format!(
                        "the rules of the import do not end within {MOST_STEPS} steps"
                    ));
                    id
                }
                Err(reason) => {
                    trouble = Some(reason);
                    id
                }
            }
        };
        let item = changed(&self.rules[rule], &mut part);
        if let Some(trouble) = trouble {
            self.refusals
                .push(Diagnostic::error("E0313", trouble).at(self.rules[rule].span));
        }
        self.rule("", item, true)
    }
}

/// A rule, with each of its terms changed.
fn changed(rule: &Rule, part: &mut dyn FnMut(Id) -> Id) -> RuleItem {
    let bindings = |list: &[Binding], part: &mut dyn FnMut(Id) -> Id| -> Vec<Binding> {
        let each = list.iter().map(|b| Binding {
            variable: b.variable,
            value: part(b.value),
        });
        each.collect()
    };
    let outcome = |o: Outcome, part: &mut dyn FnMut(Id) -> Id| Outcome {
        result: part(o.result),
        action: o.action.map(part),
    };
    RuleItem {
        span: rule.span,
        doc: rule.doc.clone(),
        attributes: Vec::new(),
        pattern: part(rule.pattern),
        lets: bindings(&rule.lets, part),
        alternatives: rule
            .alternatives
            .iter()
            .map(|a| crate::syntax::rules::Alternative {
                condition: a.condition.map(&mut *part),
                outcome: outcome(a.outcome, part),
            })
            .collect(),
        otherwise: rule.otherwise.map(|o| outcome(o, part)),
        wheres: bindings(&rule.wheres, part),
    }
}

/// The system that a name means where another one imports it: nearest to its own domain first.
fn found(halves: &[Half], from: &Half, name: &str) -> Option<usize> {
    let mut domain = from.item.path.as_str();
    while let Some((outer, _)) = domain.rsplit_once(SCOPE) {
        domain = outer;
        let path = format!("{domain}{SCOPE}{name}");
        let here = halves.iter().position(|h| h.item.path.as_str() == path);
        if here.is_some() {
            return here;
        }
    }
    let plain = |h: &Half| h.item.is_named(name);
    let tail = format!("{SCOPE}{name}");
    let ends = |h: &Half| h.item.path.as_str().ends_with(&tail);
    halves
        .iter()
        .position(|h| h.item.path.as_str() == name)
        .or_else(|| halves.iter().position(plain))
        .or_else(|| halves.iter().position(ends))
}
