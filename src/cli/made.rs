//! What a program is made of: one derivation, or several with what picks among them.

use super::common::Common;
use super::derive::{derive_with, summary};
use super::output::Stop;
use super::tuned::range_for;
use crate::check::Scheme;
use crate::data::Tuned;
use crate::derive::Derived;
use crate::diagnostic::Diagnostic;
use crate::emit::{Choice, EmitOptions, Emitted, Target, Variant, emit_choice, emit_with_map};
use crate::machine::Value;
use crate::rewrite::{FloatClass, RuleBase};
use crate::term::Symbol;

/// Derivations of one scheme.
pub struct Made {
    /// Each with its settings, as `--with` takes them; there is one at least.
    pub variants: Vec<(Vec<String>, Derived)>,
    choice: Option<Choice>,
}

/// A tuning that is taken up.
#[derive(Clone, Copy)]
pub struct TakenUp<'a> {
    pub tuned: &'a Tuned,
    /// What is emitted; nothing for the reference machine.
    pub target: Option<Target>,
    /// The values of the scheme's parameters.
    pub values: &'a [(Symbol, Value)],
}

/// Derives a scheme: once or, where several ranges of sizes were tuned, once for each choice of
/// parameters. A target whose programs hold one variant gets that of the values.
pub fn make(
    scheme: &Scheme,
    strategy: &str,
    common: &Common,
    tuned: Option<TakenUp<'_>>,
    base: &RuleBase,
) -> Result<Made, Stop> {
    let Some(TakenUp {
        tuned,
        target,
        values,
    }) = tuned
    else {
        let derived = derive_with(base, scheme, strategy, common)?;
        return Ok(Made {
            variants: vec![(common.with.clone(), derived)],
            choice: None,
        });
    };
    let with_settings = |with: &[String]| -> Result<(Vec<String>, Derived), Stop> {
        let common = Common {
            with: with.to_vec(),
            ..common.clone()
        };
        let derived = derive_with(base, scheme, strategy, &common)?;
        Ok((with.to_vec(), derived))
    };
    let one = target.is_none_or(|target| target == Target::RustCuda);
    let (Some(parameter), false) = (&tuned.parameter, one) else {
        let range = range_for(tuned, values);
        return Ok(Made {
            variants: vec![with_settings(&range.with)?],
            choice: None,
        });
    };
    let mut variants: Vec<(Vec<String>, Derived)> = Vec::new();
    let mut limits = Vec::new();
    let mut otherwise = 0;
    for range in &tuned.ranges {
        let known = variants.iter().position(|(with, _)| *with == range.with);
        let variant = known.unwrap_or(variants.len());
        if known.is_none() {
            variants.push(with_settings(&range.with)?);
        }
        match range.up_to {
            Some(to) => limits.push((to, variant)),
            None => otherwise = variant,
        }
    }
    let several = variants.len() > 1;
    let choice = several.then(|| Choice {
        parameter: parameter.clone(),
        limits,
        otherwise,
        from: format!(
            "{parameter} decides which variant runs. The limits were measured: tuned on {}.",
            tuned.of.device
        ),
    });
    Ok(Made { variants, choice })
}

impl Made {
    /// The weakest float class of all variants.
    pub fn float(&self) -> FloatClass {
        let classes = self.variants.iter().map(|(_, d)| d.derivation.float());
        classes.max().unwrap_or(FloatClass::Exact)
    }

    /// The first variant.
    pub fn first(&self) -> &Derived {
        &self.variants[0].1
    }

    /// The first variant alone.
    pub fn into_first(mut self) -> Derived {
        self.variants.swap_remove(0).1
    }

    /// Emits the program.
    pub fn emit(&self, target: Target, checked: bool) -> Result<Emitted, Vec<Diagnostic>> {
        let about = |(with, derived): &(Vec<String>, Derived)| match with.is_empty() {
            true => summary(derived),
            false => format!("With {}. {}", with.join(", "), summary(derived)),
        };
        let Some(choice) = &self.choice else {
            let options = EmitOptions {
                checked,
                derivation: Some(about(&self.variants[0])),
            };
            return emit_with_map(&self.first().scheme, target, &options);
        };
        let options = EmitOptions {
            checked,
            derivation: None,
        };
        let variants: Vec<Variant<'_>> = self
            .variants
            .iter()
            .map(|variant| Variant {
                scheme: &variant.1.scheme,
                about: about(variant),
            })
            .collect();
        emit_choice(&variants, choice, target, &options)
    }
}
