//! `Scheme` + strategy → derived `Scheme` + `Derivation`: the rule engine with the facts of schemes.

mod document;
mod facts;
mod host;
mod laws;
pub mod library;
mod lint;
mod mirror;
mod parts;
mod record;
mod simplify;
mod states;
mod table;

pub use document::{Known, document, known};
pub use host::SchemeHost;
pub use lint::lint_schemes;
pub use record::{
    About, FORMAT, Input, Record, RecordedStep, Redone, Role, RuleFile, SourceText, VERSION,
    derived_text, digest, json_rows, record, redo, rule_files,
};
pub use table::Row;

use crate::check::Scheme;
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Bound, Derivation, Effect, Request, RuleBase, Setting, derive as rewrite};
use crate::term::Sources;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// What came of a derivation.
pub struct Derived {
    /// The derived scheme; where the strategy failed, the one before the part that failed.
    pub scheme: Scheme,
    /// What was done, and what was nearly done.
    pub derivation: Derivation,
    /// What each setting did, in their order.
    pub effects: Vec<Effect>,
    /// Where the strategy failed, and why.
    pub failure: Option<Diagnostic>,
}

/// Names and texts of the files of a rule base: the embedded ones, then `further` ones, which add to
/// them or replace files of the same name.
pub fn base_files(further: &[(String, String)]) -> Vec<(String, String)> {
    let embedded = library::RULES.iter();
    let mut files: Vec<(String, String)> = embedded
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    let short = |name: &str| name.trim_start_matches("rules/").to_owned();
    for file in further {
        match files.iter_mut().find(|(n, _)| short(n) == short(&file.0)) {
            Some(known) => *known = file.clone(),
            None => files.push(file.clone()),
        }
    }
    files
}

/// The rule base: the embedded files, then `further` ones (name and text), which add to them or
/// replace files of the same name.
///
/// # Errors
///
/// A file that cannot be read, a law that does not hold, a condition that asks what no fact answers,
/// a result that nothing knows.
pub fn rule_base(
    sources: &mut Sources,
    further: &[(String, String)],
) -> Result<RuleBase, Vec<Diagnostic>> {
    let numbers: Vec<u32> = base_files(further)
        .into_iter()
        .map(|(name, text)| sources.add(name, text))
        .collect();
    if !further.is_empty() {
        return read_base(sources, &numbers);
    }
    // Places in the tool's own files differ by the numbers of these only, which follow each other.
    let known = || OWN_BASES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(base) = known().get(&numbers[0]) {
        return Ok(base.clone());
    }
    let base = read_base(sources, &numbers)?;
    if numbers[0] < MOST_BEFORE {
        known().insert(numbers[0], base.clone());
    }
    Ok(base)
}

/// With more sources before them the rules are read anew, so that what is kept is bounded.
const MOST_BEFORE: u32 = 16;

/// The tool's own rules, read once for each number of their first file.
static OWN_BASES: LazyLock<Mutex<FxHashMap<u32, RuleBase>>> = LazyLock::new(Mutex::default);

/// The rules of files by their numbers.
fn read_base(sources: &Sources, numbers: &[u32]) -> Result<RuleBase, Vec<Diagnostic>> {
    checked(RuleBase::load(sources, numbers)?)
}

/// A rule base that asks only what facts answer, and whose laws hold.
///
/// # Errors
///
/// What does not.
pub(crate) fn checked(base: RuleBase) -> Result<RuleBase, Vec<Diagnostic>> {
    let taken = lint::taken_names(&base);
    if !taken.is_empty() {
        return Err(taken);
    }
    let mut refused = laws::refused(&base);
    refused.extend(lint::unknown_facts(&base));
    refused.extend(lint::unknown_functions(&base));
    match refused.is_empty() {
        true => Ok(base),
        false => Err(refused),
    }
}

/// Derives a scheme by a strategy.
///
/// # Errors
///
/// A strategy or setting that does not exist, a rule whose result does not check, the bound reached. A
/// strategy that fails is not an error: see [`Derived::failure`].
pub fn derive<'a>(
    scheme: &Scheme,
    base: &'a RuleBase,
    strategy: &'a str,
    settings: &'a [Setting],
    bound: impl Into<Bound<'a>>,
) -> Result<Derived, Vec<Diagnostic>> {
    let mut host = SchemeHost::new(scheme.clone());
    let request = Request {
        strategy,
        settings,
        bound: bound.into(),
    };
    let done = rewrite(base, &request, &scheme.terms, scheme.root, &mut host)?;
    let mut derived = crate::check::check(&done.terms, done.root, scheme.precision)?;
    derived.notes = scheme.notes.clone();
    Ok(Derived {
        scheme: derived,
        derivation: done.derivation,
        effects: done.effects,
        failure: done.failure,
    })
}
