//! The same scheme at several sizes, by several targets and strategies → times side by side.

mod gain;
mod instructions;
mod measure;
mod report;
mod sweep;

pub use instructions::Instructions;
pub use sweep::{Sweep, sweep};

use super::derive::rules;
use super::idle::same_steps;
use super::outcome::Outcome;
use super::sizes::Holder;
use super::stages::expect_profile;
use super::{Failure, Inputs, Options, Program, Session, Source, Target, Values, load, program};
use crate::check::Scheme;
use crate::data::Summary;
use crate::diagnostic::{Diagnostic, names_like};
use crate::rewrite::RuleBase;
use crate::toolchain::{cxx, nvcc};
use instructions::instructions;

pub(super) use report::{digits, lines};

/// Whose time is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The host's, which every program has.
    #[default]
    Host,
    /// The device's, of programs that tell it (those of target cuda), else the host's.
    Device,
}

impl Clock {
    /// The name at the command line.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Host => "host",
            Clock::Device => "device",
        }
    }
}

/// What is measured, and how.
#[derive(Clone, Debug)]
pub struct Bench {
    /// What runs the scheme, at least one.
    pub targets: Vec<Target>,
    /// Strategies, each with each target; the target's own, if there is none.
    pub strategies: Vec<String>,
    /// Targets with a strategy each, in place of `targets` and `strategies` where there are any.
    pub pairs: Vec<(Target, String)>,
    /// How the scheme is read, derived and emitted. The parameters set may have several values,
    /// `NAME=VALUE,VALUE,…` or ranges such as `NAME=256..4096:*2`: every combination is measured.
    pub options: Options,
    /// Where the INPUT arrays come from.
    pub inputs: Inputs,
    /// Rounds that are measured, each of which runs every variant once.
    pub runs: u32,
    /// Rounds before them that are not.
    pub warmup: u32,
    /// Whether the OUTPUT arrays are compared with the first variant's.
    pub compare: bool,
    /// The largest norm_relative that passes: 1e-4 for f32, 1e-10 for f64, if not given.
    pub tolerance: Option<f64>,
    /// Whether the strategy without each of its rules is measured, too.
    pub ablate: bool,
    /// Rules and groups of them: the strategy is measured without these together, in place of each rule where
    /// there are any. `@NAME` is each member of a group apart.
    pub groups: Vec<Vec<String>>,
    /// Whether the instructions in the busiest loop of kernels are counted.
    pub instructions: bool,
    /// Whose time is taken.
    pub clock: Clock,
    /// Whether a picture is wanted, which has a logarithmic axis for the first parameter.
    pub plot: bool,
}

/// A target and a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What runs the scheme.
    pub target: Target,
    /// The strategy.
    pub strategy: String,
    /// The rule that the strategy does without, or several, with `+` between.
    pub without: Option<String>,
}

impl Variant {
    /// `rust, parallel`
    pub fn label(&self) -> String {
        let whole = format!("{}, {}", self.target.name(), self.strategy);
        match &self.without {
            Some(rule) => format!("{whole} without {rule}"),
            None => whole,
        }
    }
}

/// What takes part in a measurement.
pub struct Contestant {
    /// What it is.
    pub variant: Variant,
    /// Its program, or why there is none.
    pub program: Result<Program, String>,
    /// What its code has in its busiest loop, where that was asked for.
    pub instructions: Option<Instructions>,
}

/// A variant that gave no times.
pub struct Missing {
    /// What it is.
    pub variant: Variant,
    /// The values of the parameters; none where it is the same at all sizes.
    pub values: Values,
    /// Why, in a line.
    pub why: String,
}

/// One variant at one size.
pub struct Row {
    /// What it is.
    pub variant: Variant,
    /// Its first run, the comparison being that with the first variant; the seconds of the run are the
    /// median of whole runs.
    pub outcome: Outcome,
    /// Seconds of the timed part, in the order of the rounds.
    pub samples: Vec<f64>,
    /// Median and interval of the samples.
    pub body: Summary,
    /// Whose time was taken.
    pub clock: Clock,
    /// Times as fast as the first variant.
    pub ratio: f64,
}

/// Everything that was measured.
pub struct Measured {
    /// The scheme.
    pub scheme: Scheme,
    /// The parameters with several values.
    pub swept: Vec<String>,
    /// Runs of each variant at each size.
    pub runs: u32,
    /// The times, size by size.
    pub rows: Vec<Row>,
    /// All that took part.
    pub contestants: Vec<Contestant>,
    /// Those that gave no times.
    pub missing: Vec<Missing>,
    /// Whether variants are a strategy without its rules.
    pub ablated: bool,
}

impl Bench {
    /// Builds and measures every variant.
    ///
    /// # Errors
    ///
    /// Whatever stops a variant that is asked for. One without a rule that gives no times is no
    /// failure, and neither are results that differ: what was measured tells of them.
    pub fn measure(&self, source: Source<'_>, session: &mut Session) -> Result<Measured, Failure> {
        let sweep = sweep(&self.options.set)?;
        let mut scheme = load(source, &self.options, session)?;
        let holders = self.targets.iter().map(|&target| Holder::of(target));
        let holders: Vec<Holder> = holders.chain([Holder::Program]).collect();
        let sizes = sweep.values(&scheme, &self.options, &self.inputs, &holders);
        let sizes: Vec<Values> = sizes.collect::<Result<_, _>>()?;
        if let (true, Some(name)) = (self.plot, sweep.swept.first()) {
            report::expect_plottable(name, &sizes)?;
        }
        scheme.notes.clear();
        let mut contestants: Vec<Contestant> = Vec::new();
        let variants = self.variants()?;
        let targets: Vec<Target> = variants.iter().map(|v| v.target).collect();
        expect_profile(self.options.profile, &targets)?;
        for variant in variants {
            let (target, strategy) = (variant.target, &variant.strategy);
            let program = program(&scheme, target, strategy, &self.options, session)?;
            let ablated = match self.ablate {
                true => self.without_each(&scheme, &program, &variant, session)?,
                false => Vec::new(),
            };
            contestants.push(Contestant {
                variant,
                program: Ok(program),
                instructions: None,
            });
            contestants.extend(ablated);
        }
        for contestant in contestants.iter_mut().filter(|_| self.instructions) {
            if let Ok(program) = &contestant.program {
                contestant.instructions = Some(instructions(program, &self.options)?);
            }
        }
        let without = contestants.iter().filter_map(|c| {
            Some(Missing {
                variant: c.variant.clone(),
                values: Values::new(),
                why: c.program.as_ref().err()?.clone(),
            })
        });
        let mut missing: Vec<Missing> = without.collect();
        let mut rows = Vec::new();
        for values in sizes {
            rows.extend(self.at(&scheme, values, &contestants, &mut missing, session)?);
        }
        Ok(Measured {
            scheme,
            swept: sweep.swept,
            runs: self.runs,
            rows,
            contestants,
            missing,
            ablated: self.ablate,
        })
    }

    /// What is compared: the pairs, or every target with every strategy, or with its own where none is given.
    fn variants(&self) -> Result<Vec<Variant>, Failure> {
        let mut pairs = self.pairs.clone();
        for &target in self.targets.iter().filter(|_| self.pairs.is_empty()) {
            let own = [target.strategy().to_owned()];
            let strategies = match self.strategies.is_empty() {
                true => &own[..],
                false => &self.strategies,
            };
            pairs.extend(strategies.iter().map(|s| (target, s.clone())));
        }
        let mut variants: Vec<Variant> = Vec::new();
        for (target, strategy) in pairs {
            target.expect_device()?;
            if target == Target::Cuda {
                nvcc()?;
            }
            if target == Target::Cpp {
                cxx()?;
            }
            let variant = Variant {
                target,
                strategy,
                without: None,
            };
            if !variants.contains(&variant) {
                variants.push(variant);
            }
        }
        if self.ablate && variants.len() > 1 {
            let message = "--ablate needs exactly one target and one strategy";
            return Err(Diagnostic::error("E0006", message)
                .hint("times are told beside that of the whole strategy")
                .into());
        }
        Ok(variants)
    }

    /// The variants of a program without each group of rules, or each rule of its derivation in order of
    /// their first use. One that is not derived, emitted or built says why, and so does a group without which
    /// the same is derived.
    fn without_each(
        &self,
        scheme: &Scheme,
        whole: &Program,
        variant: &Variant,
        session: &mut Session,
    ) -> Result<Vec<Contestant>, Failure> {
        let mut used: Vec<&String> = Vec::new();
        for step in &whole.derived.derivation.steps {
            if !used.contains(&&step.rule) {
                used.push(&step.rule);
            }
        }
        let groups = match self.groups.is_empty() {
            true => used.iter().map(|&rule| vec![rule.clone()]).collect(),
            false => self.apart(&rules(&self.options, session)?)?,
        };
        let mut one = |group: &Vec<String>| {
            let mut options = self.options.clone();
            options.without.extend_from_slice(group);
            let (target, strategy) = (variant.target, &variant.strategy);
            let program = program(scheme, target, strategy, &options, session)
                .map_err(|failure| failure.said())
                .and_then(
                    |program| match same_steps(&whole.derived, &program.derived) {
                        false => Ok(program),
                        true => Err("no effect: the same is derived without it".to_owned()),
                    },
                );
            Contestant {
                variant: Variant {
                    without: Some(group.join("+")),
                    ..variant.clone()
                },
                program,
                instructions: None,
            }
        };
        Ok(groups.iter().map(&mut one).collect())
    }

    /// The groups with each `@NAME` taken apart.
    fn apart(&self, base: &RuleBase) -> Result<Vec<Vec<String>>, Failure> {
        let mut all = Vec::new();
        for group in &self.groups {
            let Some(name) = group.iter().find_map(|name| name.strip_prefix('@')) else {
                all.push(group.clone());
                continue;
            };
            let known: Vec<&str> = base.groups().iter().map(|g| g.name.as_str()).collect();
            match base.group(name) {
                Some(of) if group.len() == 1 => {
                    all.extend(of.names.iter().map(|name| vec![name.to_string()]));
                }
                Some(_) => {
                    let message = format!("`@{name}` is several rows, and stands by itself");
                    let hint = format!("without `@` all of `{name}` is left out together");
                    return Err(Diagnostic::error("E0006", message).hint(hint).into());
                }
                None => {
                    let message = format!("there is no group `{name}` to take apart");
                    let hint = names_like(name, &known)
                        .unwrap_or_else(|| format!("the groups are {}", known.join(", ")));
                    return Err(Diagnostic::error("E0314", message).hint(hint).into());
                }
            }
        }
        Ok(all)
    }
}
