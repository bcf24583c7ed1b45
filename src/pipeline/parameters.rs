//! The values of a scheme's parameters: those given, the defaults, small ones; what follows from them.

use super::{Failure, Options, Values};
use crate::algebra::Construct;
use crate::check::{Scheme, check};
use crate::machine::{Value, fold};
use crate::term::{Id, Symbol};

/// The values of all parameters: those given, and the defaults of the others.
pub fn parameter_values(scheme: &Scheme, given: &[(Symbol, Value)]) -> Values {
    let mut values = Values::new();
    for (name, _, default) in scheme.parameters() {
        let value = given.iter().find(|(n, _)| *n == name).map(|&(_, v)| v);
        if let Some(value) = value.or_else(|| fold(scheme, default, &values)) {
            values.push((name, value));
        }
    }
    values
}

/// The unit and the amount of a scheme's WORK, evaluated in 64-bit floating point.
pub fn work(scheme: &Scheme, values: &[(Symbol, Value)]) -> Option<(String, f64)> {
    let (unit, amount) = scheme.work?;
    let reals: Vec<(Symbol, Value)> = values
        .iter()
        .map(|&(name, value)| match value {
            Value::Int(i) => (name, Value::Real(i as f64)),
            other => (name, other),
        })
        .collect();
    let amount = match fold(scheme, amount, &reals)? {
        Value::Int(i) => i as f64,
        Value::Real(x) => x,
        Value::Bool(_) => return None,
    };
    Some((unit.as_str().to_owned(), amount))
}

/// Small sizes: 7 for parameters that are sizes of arrays, 2 for other integers above 2.
pub fn small_sizes(scheme: &Scheme) -> Values {
    let mut small = Values::new();
    for (name, variable, default) in scheme.parameters() {
        if !variable.ty.is_integer() {
            continue;
        }
        let large = matches!(fold(scheme, default, &small), Some(Value::Int(i)) if i > 7);
        if large {
            small.push((name, Value::Int(small_value(scheme, name))));
        }
    }
    small
}

/// 7 for a parameter that an array's size depends on, else 2.
fn small_value(scheme: &Scheme, name: Symbol) -> i64 {
    let mut dims = scheme.variables.values().flat_map(|v| &v.dims);
    match dims.any(|&dim| names(scheme, dim, name)) {
        true => 7,
        false => 2,
    }
}

/// Whether a name stands in an expression.
fn names(scheme: &Scheme, expression: Id, name: Symbol) -> bool {
    let terms = &scheme.terms;
    terms
        .subterms(expression)
        .any(|part| terms.as_atom(part) == Some(name))
}

/// So many times smaller are the next smaller sizes.
const SMALLER: i64 = 4;

/// The values of a run with smaller sizes, the largest first: integers are divided by four again and
/// again, but not below the values of CHECK or, without a CHECK, below small ones. Those that `kept`
/// names stay, and what follows from others follows, unless it is given. Values that contradict a
/// claim of the scheme are left out.
pub(super) fn smaller_sizes(
    scheme: &Scheme,
    values: &[(Symbol, Value)],
    given: &[Symbol],
    kept: &[Symbol],
) -> Vec<Values> {
    let int = |id: Id| match fold(scheme, id, values) {
        Some(Value::Int(i)) => Some(i),
        _ => None,
    };
    let mut stays = Values::new();
    let mut shrinks: Vec<(Symbol, i64, i64)> = Vec::new();
    for (name, variable, default) in scheme.parameters() {
        let Some(&(_, value)) = values.iter().find(|(n, _)| *n == name) else {
            continue;
        };
        let mut others = scheme.parameters().map(|p| p.0);
        if !given.contains(&name) && others.any(|other| names(scheme, default, other)) {
            continue;
        }
        let checked = scheme.checks.iter().find(|(n, _)| *n == name);
        let least = match checked {
            Some(&(_, of_check)) => int(of_check),
            None if scheme.checks.is_empty() => Some(small_value(scheme, name)),
            None => int(default),
        };
        match (value, least) {
            (Value::Int(value), Some(least))
                if value > least.max(0) && variable.ty.is_integer() && !kept.contains(&name) =>
            {
                // Halves of halves come to 0, and never below.
                shrinks.push((name, value, least.max(0)));
            }
            _ => stays.push((name, value)),
        }
    }
    let mut all = Vec::new();
    while shrinks.iter().any(|(_, value, least)| value > least) {
        for (_, value, least) in &mut shrinks {
            *value = (*value / SMALLER).max(*least);
        }
        let mut given = stays.clone();
        given.extend(shrinks.iter().map(|&(name, v, _)| (name, Value::Int(v))));
        let values = parameter_values(scheme, &given);
        let mut claims = scheme.assumptions.iter();
        if claims.all(|&claim| fold(scheme, claim, &values) != Some(Value::Bool(false))) {
            all.push(values);
        }
    }
    all
}

/// The scheme with the parameters of the options as its defaults.
pub(super) fn with_defaults(scheme: &Scheme, options: &Options) -> Result<Scheme, Failure> {
    let mut scheme = scheme.clone();
    for (name, value) in options.parameters(&scheme)? {
        let terms = &mut scheme.terms;
        let default = match value {
            Value::Int(i) => terms.int(i),
            Value::Real(x) => terms.real(x),
            Value::Bool(true) => terms.atom(Construct::True.symbol()),
            Value::Bool(false) => terms.atom(Construct::False.symbol()),
        };
        let parts = terms.args(scheme.root).to_vec();
        let items: Vec<Id> = terms.args(parts[1]).to_vec();
        let items: Vec<Id> = items
            .into_iter()
            .map(|item| match *terms.args(item) {
                [of, ty, _]
                    if terms.functor(item) == Some(Construct::Parameter.symbol())
                        && terms.as_atom(of) == Some(name) =>
                {
                    terms.with_args(item, &[of, ty, default])
                }
                _ => item,
            })
            .collect();
        let data = terms.with_args(parts[1], &items);
        let mut parts = parts;
        parts[1] = data;
        let root = terms.with_args(scheme.root, &parts);
        scheme = check(&scheme.terms, root, scheme.precision)?;
    }
    Ok(scheme)
}
