//! Rule files → what deserves a look in them.

use super::{Failure, Session, Source, read_systems};
use crate::derive::{library, lint_schemes, rule_base};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Report, RuleBase, lint};

/// Rules that were looked at.
pub struct LintedRules {
    /// The rules, with those that come with the tool where the files say nothing without them.
    pub base: RuleBase,
    /// The numbers of the files that were looked at.
    pub own: Vec<u32>,
    /// What was found, in order of place.
    pub report: Report,
}

/// Looks at rule files, given by name and text; at the rules that come with the tool where there are none.
///
/// # Errors
///
/// Files that cannot be read or do not load.
pub fn lint_rules(
    files: &[(String, String)],
    session: &mut Session,
) -> Result<LintedRules, Failure> {
    let (base, own) = load(files, session)?;
    let mut report = lint(&base, &own);
    report.findings.extend(lint_schemes(&base, &own));
    report.findings.sort_by_key(|d| d.span);
    Ok(LintedRules { base, own, report })
}

/// The rules, and the numbers of the files that are looked at. Files that say nothing without the
/// rules that come with the tool are read together with them.
fn load(read: &[(String, String)], session: &mut Session) -> Result<(RuleBase, Vec<u32>), Failure> {
    if read.is_empty() {
        let base = rule_base(&mut session.sources, &[])?;
        let own = (0..library::RULES.len() as u32).collect();
        return Ok((base, own));
    }
    let own: Vec<u32> = read
        .iter()
        .map(|(name, text)| session.sources.add(name.clone(), text.clone()))
        .collect();
    let mut beside = Vec::new();
    // Several files are read as they are given.
    if let ([number], [(name, _)]) = (&own[..], read) {
        beside = read_systems(Source::Path(name), *number, session)?;
    }
    match RuleBase::load_beside(&session.sources, &own, &beside) {
        Ok(base) => Ok((base, own)),
        Err(alone) => {
            let first = session.sources.count();
            let base = rule_base(&mut session.sources, read).map_err(|together| {
                // What is wrong in the files themselves is told once.
                let told: Vec<Diagnostic> = match alone.len() <= together.len() {
                    true => alone,
                    false => together,
                };
                Failure::from(told)
            })?;
            let is_own = |number: &u32| {
                let name = session.sources.get(*number).map(|s| s.name.as_str());
                read.iter().any(|(own, _)| name == Some(own.as_str()))
            };
            let own = (first..session.sources.count()).filter(is_own).collect();
            Ok((base, own))
        }
    }
}
