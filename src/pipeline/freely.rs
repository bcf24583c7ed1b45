//! Givens that are left to tuning → the member to take: those of which the author says that any gives the same results,
//! and nobody chose one.

use super::files::{make_folder, write_whole};
use super::{Failure, Options, Session, Source, Target, Tuning, read_family};
use crate::algebra::{Construct, Keyword, Precision};
use crate::derive::{derived_text, digest};
use crate::diagnostic::Diagnostic;
use crate::family::{Choice, Family, all_members, choose, family};
use crate::term::{Id, Terms};
use crate::toolchain::{self, devices, processor};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What `format` says in every file.
const FORMAT: &str = "glushkov members";

/// What the members of a family were tuned for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct For {
    /// The SHA-256 of the family's text, as it is printed.
    family: String,
    /// What else was given.
    fixed: Vec<String>,
    strategy: String,
    target: String,
    precision: Precision,
    device: String,
}

/// The members to take, in order of size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    format: String,
    #[serde(flatten)]
    of: For,
    /// The parameter of the scheme that was tuned over; none where there was one size.
    parameter: Option<String>,
    ranges: Vec<Range>,
}

/// The member for a range of sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Range {
    /// The largest value of the parameter; none in the last range.
    up_to: Option<i64>,
    /// The member, as `--given` takes it.
    given: Vec<String>,
    /// The median of the timed part's seconds, at the largest size that was measured.
    seconds: f64,
}

/// A family with givens that are left open, and what is known of the others.
pub(super) struct Open {
    terms: Terms,
    root: Id,
    family: Family,
    /// What is fixed, or has its default.
    fixed: Vec<String>,
}

impl Open {
    /// What options leave open of a scheme; nothing of one whose members nobody may choose among.
    pub(super) fn of(source: Source<'_>, options: &Options) -> Option<Open> {
        // Standard input can be read only once. What is wrong is told by whoever needs the scheme.
        let mut session = Session::new();
        if matches!(source, Source::Input) || !may_leave_some(source, &mut session) {
            return None;
        }
        let loaded = read_family(source, options.scheme.as_deref(), &mut session).ok()?;
        let (terms, root) = (loaded.terms, loaded.root);
        let family = family(&terms, root).ok()?;
        let is_all = options.given.iter().any(|text| text == super::ALL);
        let choice = choose(&terms, &family, &options.given).ok()?;
        let is_open = |name| {
            let given = family.givens.iter().find(|g| g.name == name);
            given.is_some_and(|g| g.freely) && choice.by_default.contains(&name)
        };
        if is_all || !choice.values.iter().any(|&(name, _)| is_open(name)) {
            return None;
        }
        let values = choice.values.iter().filter(|(name, _)| !is_open(*name));
        let fixed = values.map(|(name, value)| format!("{name}={value}"));
        let fixed = fixed.collect();
        Some(Open {
            terms,
            root,
            family,
            fixed,
        })
    }

    /// The members that are left.
    pub(super) fn members(&self) -> Result<Vec<Choice>, Failure> {
        Ok(all_members(&self.terms, &self.family, &self.fixed).map_err(|wrong| *wrong)?)
    }

    fn key(&self, target: Target, strategy: &str, options: &Options) -> Option<For> {
        Some(For {
            family: digest(&derived_text(&self.terms, self.root)),
            fixed: self.fixed.clone(),
            strategy: strategy.to_owned(),
            target: target.name().to_owned(),
            precision: options.precision,
            device: match target.on_device() {
                true => devices().ok()?.first()?.name.clone(),
                false => processor(),
            },
        })
    }

    /// The value of a whole parameter: that of `--set`, else its default, if that is a number.
    fn value(&self, name: &str, options: &Options) -> Option<i64> {
        let set = options.set.iter().rev().find_map(|text| {
            let (n, value) = text.split_once('=')?;
            (n.trim() == name).then(|| value.trim().parse().ok())?
        });
        let data = self.terms.args(self.terms.arg(self.root, 1)).iter();
        let mut declared = data.filter(|&&item| {
            self.terms.functor(item) == Some(Construct::Parameter.symbol())
                && self
                    .terms
                    .as_atom(self.terms.arg(item, 0))
                    .is_some_and(|n| n.as_str() == name)
        });
        set.or_else(|| self.terms.as_int(self.terms.arg(*declared.next()?, 2)))
    }

    /// Keeps which member is the fastest at each size; those of neighbouring sizes become one range.
    pub(super) fn keep(
        &self,
        target: Target,
        strategy: &str,
        options: &Options,
        parameter: Option<String>,
        best: &[(i64, Vec<String>, f64)],
    ) -> Result<PathBuf, Failure> {
        let cannot = |why: String| {
            Diagnostic::error(
                "E0001",
                format!("the choice of a member cannot be saved: {why}"),
            )
        };
        let of = self
            .key(target, strategy, options)
            .ok_or_else(|| cannot("there is no device".to_owned()))?;
        let mut ranges: Vec<Range> = Vec::new();
        for (k, (size, given, seconds)) in best.iter().enumerate() {
            // Between two sizes, the limit is their geometric mean.
            let up_to = best.get(k + 1).map(|(next, ..)| {
                ((*size as f64).max(1.0) * (*next as f64).max(1.0)).sqrt() as i64
            });
            match ranges.last_mut().filter(|range| range.given == *given) {
                Some(range) => (range.up_to, range.seconds) = (up_to, *seconds),
                None => ranges.push(Range {
                    up_to,
                    given: given.clone(),
                    seconds: *seconds,
                }),
            }
        }
        let path = place(&of).map_err(cannot)?;
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let kept = Kept {
            format: FORMAT.to_owned(),
            of,
            parameter,
            ranges,
        };
        let text = serde_json::to_string_pretty(&kept).expect("it is plain data");
        write_whole(&path, &format!("{text}\n"), true)?;
        Ok(path)
    }
}

/// Whether a text, or one that it uses, may say of a given that any value of it will do.
fn may_leave_some(source: Source<'_>, session: &mut Session) -> bool {
    let text = source
        .read(session)
        .ok()
        .and_then(|file| session.sources.get(file));
    let words = [Keyword::Freely, Keyword::Use];
    let mut words = words.iter().flat_map(|word| word.all_spellings());
    text.is_some_and(|source| words.any(|word| source.text.contains(word)))
}

fn place(of: &For) -> Result<PathBuf, String> {
    let precision = format!("{:?}", of.precision);
    let mut parts = vec![
        of.family.as_str(),
        of.strategy.as_str(),
        of.target.as_str(),
        precision.as_str(),
        of.device.as_str(),
    ];
    parts.extend(of.fixed.iter().map(String::as_str));
    let key = toolchain::key(parts);
    Ok(toolchain::tuned()?.join(format!("members-{key}.json")))
}

/// Options that choose the member that tuning found, where givens are left to it and it found one. The observer is told.
pub(super) fn with_tuned_member(
    source: Source<'_>,
    target: Target,
    strategy: Option<&str>,
    tuning: &Tuning,
    options: &Options,
    session: &mut Session,
) -> Options {
    if !matches!(tuning, Tuning::Kept) || target == Target::Interpreter {
        return options.clone();
    }
    let Some(open) = Open::of(source, options) else {
        return options.clone();
    };
    let strategy = strategy.unwrap_or(target.strategy());
    let found = open.key(target, strategy, options).and_then(|of| {
        let path = place(&of).ok()?;
        let text = crate::data::read_text(&path).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        (kept.format == FORMAT && kept.of == of).then_some((kept, path))
    });
    let Some((kept, path)) = found else {
        return options.clone();
    };
    let value = kept
        .parameter
        .as_deref()
        .and_then(|name| open.value(name, options));
    let fits = |range: &&Range| match (range.up_to, value) {
        (Some(to), Some(value)) => value <= to,
        (Some(_), None) => false,
        (None, _) => true,
    };
    let Some(range) = kept.ranges.iter().find(fits) else {
        return options.clone();
    };
    let shown = range.given.join(", ");
    session.say(&format!("tuned: given {shown} ({})", path.display()));
    Options {
        given: range.given.clone(),
        ..options.clone()
    }
}
