//! What a program is made of: one derivation, or several with what picks among them.

use super::derive::{derive, summary};
use super::idle::idle;
use super::notes::{Notes, faster};
use super::tuned::range_for;
use super::{Failure, Options, Target};
use crate::algebra::Construct;
use crate::check::{Basic, LAUNCH, Scheme, check};
use crate::data::Tuned;
use crate::derive::Derived;
use crate::diagnostic::Diagnostic;
use crate::emit::{self, Choice, EmitOptions, Emitted, Variant, emit_choice, emit_with_map};
use crate::machine::Value;
use crate::rewrite::{FloatClass, RuleBase};
use crate::term::{Id, Sources, Symbol};
use std::borrow::Cow;

/// A scheme, and what its program is made by.
#[derive(Clone, Copy)]
pub struct Recipe<'a> {
    pub scheme: &'a Scheme,
    pub strategy: &'a str,
    pub target: Target,
    pub options: &'a Options,
    pub base: &'a RuleBase,
}

/// Derivations of one scheme.
pub struct Made {
    /// Each with its settings, as `--with` takes them; there is one at least.
    pub variants: Vec<(Vec<String>, Derived)>,
    choice: Option<Choice>,
    /// Notes on settings of the user that change nothing.
    idle: Vec<Diagnostic>,
}

impl Recipe<'_> {
    /// Derives the scheme once, and finds out which of the user's settings change nothing.
    pub fn once(&self) -> Result<Made, Failure> {
        let made = self.with(&self.options.with)?;
        let idle = idle(
            self.base,
            self.scheme,
            self.strategy,
            self.options,
            made.first(),
        );
        Ok(Made { idle, ..made })
    }

    /// Derives it once with other settings.
    pub fn with(&self, settings: &[String]) -> Result<Made, Failure> {
        Ok(Made {
            variants: vec![self.variant(settings)?],
            choice: None,
            idle: Vec::new(),
        })
    }

    fn variant(&self, settings: &[String]) -> Result<(Vec<String>, Derived), Failure> {
        let options = Options {
            with: settings.to_vec(),
            ..self.options.clone()
        };
        let scheme = of_target(self.scheme, self.target)?;
        let derived = derive(self.base, &scheme, self.strategy, &options)?;
        Ok((options.with, derived))
    }

    /// Derives it as a tuning has it: once for each choice of parameters. A target whose programs hold
    /// one variant gets that of the values.
    pub fn tuned(&self, tuned: &Tuned, values: &[(Symbol, Value)]) -> Result<Made, Failure> {
        let several = matches!(self.target, Target::Rust | Target::Cpp | Target::Cuda);
        let (Some(parameter), true) = (&tuned.parameter, several) else {
            return self.with(&range_for(tuned, values).with);
        };
        let mut variants: Vec<(Vec<String>, Derived)> = Vec::new();
        let mut limits = Vec::new();
        let mut otherwise = 0;
        for range in &tuned.ranges {
            let known = variants.iter().position(|(with, _)| *with == range.with);
            let variant = known.unwrap_or(variants.len());
            if known.is_none() {
                variants.push(self.variant(&range.with)?);
            }
            match range.up_to {
                Some(to) => limits.push((to, variant)),
                None => otherwise = variant,
            }
        }
        let choice = (variants.len() > 1).then(|| Choice {
            parameter: parameter.clone(),
            limits,
            otherwise,
            from: format!(
                "{parameter} decides which variant runs. The limits were measured: tuned on {}.",
                tuned.of.device
            ),
        });
        Ok(Made {
            variants,
            choice,
            idle: Vec::new(),
        })
    }
}

/// A scheme whose basic operators have no code for launches, where a target has none: the host does them there.
fn of_target(scheme: &Scheme, target: Target) -> Result<Cow<'_, Scheme>, Failure> {
    let is_for_launches = |basic: &Basic| basic.code(LAUNCH).is_some();
    let takes_them = target
        .emitted()
        .is_none_or(|emitted| emitted.codes().launch.is_some());
    if takes_them || !scheme.basics.values().any(is_for_launches) {
        return Ok(Cow::Borrowed(scheme));
    }
    let mut terms = scheme.terms.clone();
    let mut parts = terms.args(scheme.root).to_vec();
    for definitions in &mut parts[3..] {
        let all = terms.args(*definitions).to_vec();
        let mut kept = Vec::with_capacity(all.len());
        for definition in all {
            let is_for_launches = |&part: &Id| {
                terms.functor(part) == Some(Construct::Code.symbol())
                    && terms.as_atom(terms.arg(part, 0)) == Some(Symbol::new(LAUNCH))
            };
            let clauses = terms.args(definition).iter().copied();
            let clauses: Vec<Id> = clauses.filter(|part| !is_for_launches(part)).collect();
            kept.push(terms.with_args(definition, &clauses));
        }
        *definitions = terms.with_args(*definitions, &kept);
    }
    let root = terms.with_args(scheme.root, &parts);
    Ok(Cow::Owned(check(&terms, root, scheme.precision)?))
}

impl Made {
    /// The weakest float class of the results of all variants; what only reports tell is left out.
    pub fn float(&self) -> FloatClass {
        let classes = self
            .variants
            .iter()
            .map(|(_, d)| d.derivation.float_of_results());
        classes.max().unwrap_or(FloatClass::Exact)
    }

    /// The first variant.
    pub fn first(&self) -> &Derived {
        &self.variants[0].1
    }

    /// What the rules left undone and why, and which settings change nothing.
    pub fn notes(&self, sources: &Sources) -> Notes {
        Notes::of(self.first(), self.idle.clone(), sources)
    }

    /// The strategy that adds in another order what this one kept in order, if there is such a thing.
    pub fn faster(&self, strategy: &str) -> Option<&'static str> {
        match self.float() {
            FloatClass::Exact => faster(strategy, self.first()),
            _ => None,
        }
    }

    /// The first variant alone.
    pub fn into_first(mut self) -> Derived {
        self.variants.swap_remove(0).1
    }

    /// Emits the program.
    pub fn emit(
        &self,
        target: emit::Target,
        options: &Options,
    ) -> Result<Emitted, Vec<Diagnostic>> {
        let (variants, options) = (self.emitted(), self.emit_options(options));
        match &self.choice {
            None => emit_with_map(&self.first().scheme, target, &options),
            Some(choice) => emit_choice(&variants, choice, target, &options),
        }
    }

    /// Emits it for target rust as a module of somebody's crate.
    pub fn module(&self, options: &Options) -> Result<emit::Module, Vec<Diagnostic>> {
        let options = self.emit_options(options);
        emit::module(&self.emitted(), self.choice.as_ref(), &options)
    }

    fn emitted(&self) -> Vec<Variant<'_>> {
        let variants = self.variants.iter().map(|(with, derived)| Variant {
            scheme: &derived.scheme,
            about: about(with, derived),
        });
        variants.collect()
    }

    /// A program of one derivation says at its head how it was made, others say it of each.
    fn emit_options(&self, options: &Options) -> EmitOptions {
        let (with, derived) = &self.variants[0];
        EmitOptions {
            checked: options.checked,
            profile: options.profile,
            derivation: self.choice.is_none().then(|| about(with, derived)),
        }
    }
}

/// How a variant was made, for a comment.
fn about(with: &[String], derived: &Derived) -> String {
    match with {
        [] => summary(derived),
        _ => format!("With {}. {}", with.join(", "), summary(derived)),
    }
}
