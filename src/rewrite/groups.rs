//! Groups: as read → the rules and settings that strategies do without together.

use super::parameters::Setting;
use super::plan::Strategy;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, names_like};
use crate::syntax::rules::{GroupItem, MemberItem};
use crate::term::{Span, Symbol};
use rustc_hash::FxHashMap;

/// A named group of rules and settings, which a strategy can do without.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: Symbol,
    /// Where its name stands.
    pub span: Span,
    /// The comment before it.
    pub doc: String,
    /// Its members as written: rules and groups by their names, settings as `name = value`.
    pub members: Vec<String>,
    /// The names of the rules and groups among its members.
    pub names: Vec<Symbol>,
    /// All its rules, those of its groups, too.
    pub(super) rules: Vec<usize>,
    /// What its parameters are set to without it, likewise.
    pub(super) off: Vec<Setting>,
}

/// Resolves the names in groups; finds unknown ones, and values out of the range of every parameter
/// of that name. A group names groups before it only, and so none contains itself.
pub(super) fn resolve(
    items: Vec<GroupItem>,
    rules: &[Rule],
    by_name: &FxHashMap<Symbol, usize>,
    strategies: &[Strategy],
    refusals: &mut Vec<Diagnostic>,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for item in items {
        let taken = by_name.get(&item.name).map(|&i| ("rule", rules[i].span));
        let strategy = strategies.iter().find(|s| s.name == item.name);
        let taken = taken.or(strategy.map(|s| ("strategy", s.span)));
        let group = groups.iter().find(|g| g.name == item.name);
        if let Some((what, first)) = taken.or(group.map(|g| ("group", g.span))) {
            let message = format!("there is a {what} `{}` already", item.name);
            let refusal = Diagnostic::error("E0302", message).at(item.span);
            refusals.push(refusal.also(first, "the first"));
            continue;
        }
        let mut group = Group {
            name: item.name,
            span: item.span,
            doc: item.doc,
            members: Vec::new(),
            names: Vec::new(),
            rules: Vec::new(),
            off: Vec::new(),
        };
        for member in item.members {
            match member {
                MemberItem::Named(name, span) => {
                    group.members.push(name.to_string());
                    group.names.push(name);
                    if let Some(&rule) = by_name.get(&name) {
                        group.rules.push(rule);
                    } else if let Some(inner) = groups.iter().find(|g| g.name == name) {
                        group.rules.extend_from_slice(&inner.rules);
                        group.off.extend_from_slice(&inner.off);
                    } else {
                        refusals.push(unknown(name, span, rules, &groups));
                    }
                }
                MemberItem::Off(name, span, value) => {
                    group.members.push(format!("{name} = {value}"));
                    refusals.extend(misset(name, span, value, rules, strategies));
                    group.off.push(Setting {
                        owner: None,
                        name,
                        value,
                    });
                }
            }
        }
        groups.push(group);
    }
    groups
}

/// Told of a member that is neither a rule nor a group before this one.
fn unknown(name: Symbol, span: Span, rules: &[Rule], groups: &[Group]) -> Diagnostic {
    let message = format!("there is no rule and no group before this one `{name}`");
    let known = rules.iter().map(|r| r.name.as_str());
    let known: Vec<&str> = known
        .chain(groups.iter().map(|g| g.name.as_str()))
        .collect();
    let refusal = Diagnostic::error("E0314", message).at(span);
    match names_like(name.as_str(), &known) {
        Some(hint) => refusal.hint(hint),
        None => refusal,
    }
}

/// Told of a parameter that nothing has, or a value that it cannot have.
fn misset(
    name: Symbol,
    span: Span,
    value: i64,
    rules: &[Rule],
    strategies: &[Strategy],
) -> Option<Diagnostic> {
    let of_strategies = strategies.iter().flat_map(|s| &s.parameters);
    let all = of_strategies.chain(rules.iter().flat_map(|r| &r.parameters));
    let mut named = all.filter(|p| p.name == name).peekable();
    if named.peek().is_none() {
        let message = format!("no rule and no strategy has a parameter `{name}`");
        return Some(Diagnostic::error("E0309", message).at(span));
    }
    let fits = named.any(|p| {
        p.range
            .is_none_or(|(low, high)| (low..=high).contains(&value))
    });
    let message = format!("{value} is in no range of a parameter `{name}`");
    (!fits).then(|| Diagnostic::error("E0309", message).at(span))
}
