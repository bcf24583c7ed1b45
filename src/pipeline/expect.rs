//! `Source` → whether a scheme does what its comments expect of it.

use super::check::check;
use super::look::schemes_of;
use super::parameters::parameter_values;
use super::{ALL, Failure, Options, Run, Session, Source, Target, load, members};
use crate::analysis::doubts;
use crate::data::{Array, Elem};
use crate::diagnostic::Diagnostic;
use crate::machine::{Value, fold};
use crate::syntax::text::{Expectation, Expected, read_expectations};
use crate::term::Span;
use serde_json::{Value as Json, json};

/// So many values that are not as expected are told of each expectation.
const MOST_TOLD: usize = 5;

/// What became of one expectation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The line that it stands on.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// What was seen instead, a line each; nothing where it is as expected.
    pub wrong: Vec<String>,
}

/// A scheme that was tested.
#[derive(Clone, Debug)]
pub struct TestedScheme {
    /// The name of its text.
    pub file: String,
    /// Its own name, where the text holds several.
    pub scheme: Option<String>,
    /// Which member of its family it is, if it is of one: `d = 2`.
    pub member: Option<String>,
    /// Each expectation, in order.
    pub judged: Vec<Judged>,
}

impl TestedScheme {
    /// Whether everything was as expected.
    pub fn passed(&self) -> bool {
        self.judged.iter().all(|one| one.wrong.is_empty())
    }

    /// The object that `test --json` has of it.
    pub fn json(&self) -> Json {
        let one = |one: &Judged| json!({"line": one.line, "text": one.text, "passed": one.wrong.is_empty(), "wrong": one.wrong});
        let all: Vec<Json> = self.judged.iter().map(one).collect();
        json!({"file": self.file, "scheme": self.scheme, "member": self.member, "passed": self.passed(), "expectations": all})
    }
}

/// Tests the schemes of a text: each at the sizes of its CHECK, if it has one, else at its own. What is expected
/// of a scheme stands before it or within it; behind the last one it is expected of that. A scheme of which
/// nothing is expected is passed over, and so are others than the one that the options name.
///
/// # Errors
///
/// A text that is not there, an expectation that cannot be read, and one of a scheme whose name an earlier one has.
pub fn test(
    source: Source<'_>,
    target: Target,
    options: &Options,
    session: &mut Session,
) -> Result<Vec<TestedScheme>, Failure> {
    let file = source.read(session)?;
    let expectations = read_expectations(&session.sources, file)?;
    let schemes = schemes_of(session, file);
    let of_scheme = |e: &Expectation| {
        let ends_later =
            |(_, span): &(String, Option<Span>)| span.is_none_or(|span| e.span.from < span.to);
        let number = schemes.iter().position(ends_later);
        number.unwrap_or(schemes.len().saturating_sub(1))
    };
    let mut tested = Vec::new();
    for number in 0..schemes.len().max(1) {
        let own = expectations.iter().filter(|e| of_scheme(e) == number);
        let own: Vec<&Expectation> = own.collect();
        let name = schemes.get(number).map(|(name, _)| name);
        let is_other = options.scheme.is_some() && options.scheme.as_ref() != name;
        if own.is_empty() || is_other {
            continue;
        }
        let same = |(other, _): &(String, _)| Some(other) == name;
        if schemes.iter().take(number).any(same) {
            return Err(twice(&schemes[number]).into());
        }
        let scheme = name.filter(|_| schemes.len() > 1).cloned();
        let options = Options {
            scheme: scheme.clone(),
            ..options.clone()
        };
        for (member, options) in tested_members(source, &options) {
            tested.push(TestedScheme {
                file: source.name().to_owned(),
                scheme: scheme.clone(),
                member: Some(member).filter(|member| !member.is_empty()),
                judged: judged(&own, source, target, &options, session),
            });
        }
    }
    Ok(tested)
}

/// The members of a family that are tested: those that are asked for or, where nobody asks, all. Of a family that
/// is wrong, what is asked for, so that it is told why.
fn tested_members(source: Source<'_>, options: &Options) -> Vec<(String, Options)> {
    let mut asked = options.clone();
    if asked.given.is_empty() {
        asked.given.push(ALL.to_owned());
    }
    let found = members(source, &asked, &mut Session::new());
    found.unwrap_or_else(|_| vec![(String::new(), options.clone())])
}

/// A name picks the first scheme that has it, so that nothing can be told of another one.
fn twice((name, span): &(String, Option<Span>)) -> Diagnostic {
    let message = format!("an earlier scheme of this file is called \"{name}\", too");
    Diagnostic::error("E0004", message)
        .at(*span)
        .hint("give it another name, so that what is expected of it can be tested")
}

/// What became of the expectations of a scheme, which the options name.
fn judged(
    expectations: &[&Expectation],
    source: Source<'_>,
    target: Target,
    options: &Options,
    session: &mut Session,
) -> Vec<Judged> {
    let refusals = |e: &&Expectation| matches!(e.kind, Expected::Refused(_));
    let told = expectations
        .iter()
        .any(refusals)
        .then(|| told(source, options, session));
    let ran = match expectations.iter().all(refusals) {
        true => None,
        false => Some(results(source, target, options, session)),
    };
    let judge = |expectation: &&Expectation| {
        let wrong = match (&expectation.kind, &ran) {
            (Expected::Refused(code), _) => not_refused(code, told.as_deref().unwrap_or_default()),
            (_, Some(Err(failure))) => vec![format!("it did not run: {}", failure.said())],
            (kind, Some(Ok(results))) => results.differences(kind),
            (_, None) => Vec::new(),
        };
        let span = expectation.span;
        let text = session.sources.get(span.file).map_or("", |s| &s.text);
        Judged {
            line: session.sources.line_column(span.file, span.from).0,
            text: text[span.from as usize..span.to as usize].to_owned(),
            wrong,
        }
    };
    expectations.iter().map(judge).collect()
}

/// What is told of a scheme by the check and by the reference machine.
fn told(source: Source<'_>, options: &Options, session: &mut Session) -> Vec<Diagnostic> {
    let scheme = match load(source, options, session) {
        Ok(scheme) => scheme,
        Err(failure) => return failure.diagnostics,
    };
    let mut told = scheme.notes.clone();
    told.extend(doubts(&scheme));
    match check(&scheme, options) {
        Ok(tried) => told.extend(tried.and_then(|t| t.error).map(|e| e.diagnostic())),
        Err(failure) => told.extend(failure.diagnostics),
    }
    told
}

fn not_refused(code: &str, told: &[Diagnostic]) -> Vec<String> {
    if told.iter().any(|d| d.code == code) {
        return Vec::new();
    }
    match told.is_empty() {
        true => vec![format!("expected {code}, and nothing is told of it")],
        false => {
            let told = told.iter().take(MOST_TOLD);
            let told = told.map(|d| format!("expected {code}, seen {}: {}", d.code, d.message));
            told.collect()
        }
    }
}

/// What a run left.
struct Results {
    arrays: Vec<(String, Array)>,
    json: Json,
}

/// Runs a scheme at the sizes that it is tested at.
fn results(
    source: Source<'_>,
    target: Target,
    options: &Options,
    session: &mut Session,
) -> Result<Results, Failure> {
    let scheme = load(source, options, session)?;
    let given = options.parameters(&scheme)?;
    let values = parameter_values(&scheme, &given);
    let mut options = options.clone();
    let mut set = Vec::new();
    for &(name, size) in &scheme.checks {
        match fold(&scheme, size, &values) {
            Some(Value::Int(i)) => set.push(format!("{name}={i}")),
            Some(Value::Real(x)) => set.push(format!("{name}={x:?}")),
            Some(Value::Bool(_)) | None => {}
        }
    }
    // Of several values for a name the last counts: what is given.
    set.append(&mut options.set);
    options.set = set;
    let run = Run {
        target,
        options,
        without_notes: true,
        ..Run::default()
    };
    let outcome = run.run(source, session)?;
    Ok(Results {
        arrays: outcome.arrays,
        json: outcome.json,
    })
}

impl Results {
    fn differences(&self, expected: &Expected) -> Vec<String> {
        match expected {
            Expected::Refused(_) => Vec::new(),
            Expected::Report {
                label,
                values,
                within,
            } => match self.report(label) {
                Some(seen) => differing(label, &seen, None, values, *within),
                None => vec![format!(
                    "there is no report \"{label}\"; reports are {}",
                    self.labels()
                )],
            },
            Expected::Cells {
                name,
                values,
                within,
            } => match self.arrays.iter().find(|(n, _)| n == name) {
                Some((_, array)) => differing(name, &array.to_f64s(), Some(array), values, *within),
                None => {
                    let names: Vec<&str> = self.arrays.iter().map(|(n, _)| n.as_str()).collect();
                    vec![format!(
                        "`{name}` is no OUTPUT; these are {}",
                        names.join(", ")
                    )]
                }
            },
        }
    }

    fn reports(&self) -> impl DoubleEndedIterator<Item = (&str, &Json)> {
        let all = self.json["reports"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        all.iter()
            .filter_map(|r| Some((r["label"].as_str()?, &r["values"])))
    }

    /// The last report with a label.
    fn report(&self, label: &str) -> Option<Vec<f64>> {
        let (_, values) = self.reports().rev().find(|(l, _)| *l == label)?;
        let values = values.as_array()?.iter();
        Some(values.map(|v| v.as_f64().unwrap_or(f64::NAN)).collect())
    }

    fn labels(&self) -> String {
        let mut labels: Vec<String> = Vec::new();
        for (label, _) in self.reports() {
            let label = format!("\"{label}\"");
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        match labels.is_empty() {
            true => "none".to_owned(),
            false => labels.join(", "),
        }
    }
}

/// The values that are not as expected, a line each.
fn differing(
    name: &str,
    seen: &[f64],
    array: Option<&Array>,
    expected: &[f64],
    within: Option<f64>,
) -> Vec<String> {
    if seen.len() != expected.len() {
        let plural = if expected.len() == 1 { "" } else { "s" };
        let shown: Vec<String> = seen.iter().take(8).map(f64::to_string).collect();
        let more = if seen.len() > 8 { ", …" } else { "" };
        return vec![format!(
            "expected {} value{plural}, seen {}: {}{more}",
            expected.len(),
            seen.len(),
            shown.join(", ")
        )];
    }
    // A REAL of 32 bits is as expected where it is the nearest one.
    let narrow = array.is_none_or(|a| a.elem() == Elem::F32);
    let agrees = |seen: f64, expected: f64| match within {
        _ if seen == expected || seen.is_nan() && expected.is_nan() => true,
        Some(within) => (seen - expected).abs() <= within * expected.abs().max(1.0),
        None => narrow && seen == f64::from(expected as f32),
    };
    let place = |at: usize| match array {
        Some(array) if !array.shape().is_empty() => {
            let mut rest = at;
            let mut subscripts: Vec<String> = Vec::new();
            for &size in array.shape().iter().rev() {
                subscripts.push((rest % size).to_string());
                rest /= size;
            }
            subscripts.reverse();
            format!("{name}[{}]", subscripts.join(", "))
        }
        Some(_) => name.to_owned(),
        None if seen.len() == 1 => format!("\"{name}\""),
        None => format!("\"{name}\", value {}", at + 1),
    };
    let pairs = seen.iter().zip(expected).enumerate();
    let wrong = pairs.filter(|&(_, (&seen, &expected))| !agrees(seen, expected));
    let mut lines: Vec<String> = wrong
        .map(|(at, (&seen, &expected))| {
            let apart = seen - expected;
            let shown = match apart.is_finite() {
                true => format!(", apart {apart:.3e}"),
                false => String::new(),
            };
            let seen = match array.is_some_and(|a| a.elem() == Elem::F32) {
                true => (seen as f32).to_string(),
                false => seen.to_string(),
            };
            format!("{}: expected {expected}, seen {seen}{shown}", place(at))
        })
        .collect();
    if lines.len() > MOST_TOLD {
        let more = lines.len() - MOST_TOLD;
        lines.truncate(MOST_TOLD);
        lines.push(format!("… and {more} more"));
    }
    lines
}
