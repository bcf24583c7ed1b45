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
        let is_size = scheme.variables.values().flat_map(|v| &v.dims).any(|&d| {
            scheme
                .terms
                .subterms(d)
                .any(|t| scheme.terms.as_atom(t) == Some(name))
        });
        let large = matches!(fold(scheme, default, &small), Some(Value::Int(i)) if i > 7);
        if large {
            small.push((name, Value::Int(if is_size { 7 } else { 2 })));
        }
    }
    small
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
        let root = terms.with_args(scheme.root, &[parts[0], data, parts[2]]);
        scheme = check(&scheme.terms, root, scheme.precision)?;
    }
    Ok(scheme)
}
