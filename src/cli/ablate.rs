//! A strategy without one of its rules at a time: what each rule is worth.

use super::bench::Contestant;
use super::common::Common;
use super::job::{Making, Program};
use super::measured::Variant;
use super::output::{Output, Stop};
use crate::check::Scheme;

/// The variants of a program without each rule of its derivation, in order of their first use. One
/// that is not derived, emitted or built without its rule says why.
pub fn without_each_rule(
    scheme: &Scheme,
    whole: &Program,
    variant: &Variant,
    making: &Making<'_>,
    output: &mut Output,
) -> Result<Vec<Contestant>, Stop> {
    let mut rules: Vec<&str> = Vec::new();
    for step in &whole.derived.derivation.steps {
        if !rules.contains(&step.rule.as_str()) {
            rules.push(&step.rule);
        }
    }
    let mut all = Vec::new();
    for rule in rules {
        let mut without = making.common.without.clone();
        without.push(rule.to_owned());
        let common = Common {
            without,
            ..making.common.clone()
        };
        let making = Making {
            common: &common,
            flags: making.flags,
        };
        let program = making.program(scheme, variant.target, &variant.strategy, false, output);
        let program = match program {
            Ok(program) => Ok(program),
            Err(stop @ Stop::Told(..)) => Err(stop.said()),
            Err(stop) => return Err(stop),
        };
        all.push(Contestant {
            variant: Variant {
                without: Some(rule.to_owned()),
                ..variant.clone()
            },
            program,
            instructions: None,
        });
    }
    Ok(all)
}
