//! Two iterations that share a cell, as they are shown: values of the variables that make them.

use super::access::Access;
use super::affine::Variables;
use super::context::Context;
use super::form::Linear;
use super::linear::{Solution, System};
use crate::check::{Role, Scheme, author_name};
use crate::term::Symbol;
use std::collections::BTreeMap;

/// A variable of outside that decides whether two iterations share a cell, and of which it is not
/// known what values it has: such iterations might never be.
///
/// Parameters have any value, and loops around have those between their bounds.
pub(super) fn loose<'a>(
    scheme: &Scheme,
    context: &Context,
    variables: &Variables,
    mut own: impl Iterator<Item = &'a Linear>,
) -> Option<Symbol> {
    let exact = context.is_exact(scheme);
    own.find_map(|form| {
        form.variables().find_map(|var| {
            let (name, instance) = variables.symbols[var as usize]?;
            let known = match scheme.variable(name).map(|v| &v.role) {
                Some(Role::Parameter { .. }) | None => true,
                Some(Role::Loop) => exact,
                Some(_) => false,
            };
            (instance == 0 && !known).then_some(name)
        })
    })
}

/// A solution, with the parameters' defaults if there is one with these.
pub(super) fn witness(
    scheme: &Scheme,
    system: &System,
    variables: &Variables,
) -> Option<BTreeMap<u32, i128>> {
    let mut with_defaults = system.clone();
    for (var, symbol) in variables.symbols.iter().enumerate() {
        if let Some((name, 0)) = symbol
            && let Some((_, _, default)) = scheme.parameters().find(|p| p.0 == *name)
            && let Some(value) = scheme.terms.as_int(default)
        {
            with_defaults.equate(&Linear::var(var as u32), &Linear::constant(value.into()));
        }
    }
    for candidate in [&with_defaults, system] {
        if let Solution::Found(values) = candidate.solve() {
            // What is not a variable of the scheme was given a value too; it must be its own.
            if variables.symbols.iter().all(Option::is_some) {
                return Some(values);
            }
        }
    }
    None
}

/// The cell that an access reaches under an assignment.
pub(super) fn cell(
    access: &Access,
    forms: &[Option<Linear>],
    values: &BTreeMap<u32, i128>,
) -> String {
    let name = author_name(access.name);
    if forms.is_empty() {
        return name.to_owned();
    }
    let subscripts: Vec<String> = forms
        .iter()
        .map(|f| {
            f.as_ref()
                .map_or("?".into(), |f| f.value(values).to_string())
        })
        .collect();
    format!("{name}[{}]", subscripts.join(", "))
}

/// Values of parameters and of loops around that an assignment chose.
pub(super) fn others(
    scheme: &Scheme,
    variables: &Variables,
    values: &BTreeMap<u32, i128>,
) -> Vec<(String, i128)> {
    let mut with = Vec::new();
    for (var, symbol) in variables.symbols.iter().enumerate() {
        if let (Some((name, 0)), Some(&value)) = (symbol, values.get(&(var as u32))) {
            let default = scheme
                .parameters()
                .find(|p| p.0 == *name)
                .and_then(|(_, _, d)| scheme.terms.as_int(d));
            if default.map(i128::from) != Some(value) {
                with.push((author_name(*name).to_owned(), value));
            }
        }
    }
    with
}
