//! Rules of the user: what shows that they are right, and which were tested before.

use super::rule_files::rule_files;
use super::{Failure, Session};
use crate::derive::library;
use crate::diagnostic::{Diagnostic, names_like};
use crate::evidence::{Base, Check, Effort, Evidence, Wrong, evidence, finds};
use crate::rewrite::{Derivation, Rule, RuleBase};
use crate::term::{Span, Symbol};
use crate::toolchain::{key, tested_folder};
use std::path::PathBuf;

/// A rule and its evidence.
#[derive(Debug)]
pub struct Tested {
    /// The rule.
    pub rule: Symbol,
    /// Where it stands, among the session's sources.
    pub span: Span,
    /// What is known of it.
    pub evidence: Evidence,
}

/// Tests the rules of files, or of these those that are named, beside the rules that come with the tool. That
/// nothing is wrong with a rule is remembered in the user's cache.
///
/// # Errors
///
/// Rule files that cannot be read or do not load, and names that are not rules of them.
pub fn test_rules(
    files: &[PathBuf],
    names: &[String],
    effort: Effort,
    session: &mut Session,
) -> Result<Vec<Tested>, Failure> {
    let further = rule_files(files)?;
    // Told with places where they do not load.
    crate::derive::rule_base(&mut session.sources, &further)?;
    let wrong = |why| Failure::from(Diagnostic::error("E0347", why));
    let base = Base::with(&further).map_err(wrong)?;
    session.sources = base.sources.clone();
    let is_own = |rule: &&Rule| further.iter().any(|(f, _)| f == base.base.file(rule.span));
    let mut rules: Vec<&Rule> = base.base.rules.iter().filter(is_own).collect();
    for name in names {
        if !rules.iter().any(|r| r.name.as_str() == name) {
            let all: Vec<&str> = rules.iter().map(|r| r.name.as_str()).collect();
            let message = format!("no rule of these files is called `{name}`");
            let hint =
                names_like(name, &all).unwrap_or_else(|| format!("there is {}", all.join(", ")));
            return Err(Diagnostic::error("E0314", message).hint(hint).into());
        }
    }
    rules.retain(|r| names.is_empty() || names.iter().any(|n| r.name.as_str() == n));
    let all = session.during_parts("testing rules", rules.len(), |say| {
        let one = |rule: &&Rule| {
            say(&format!("testing {}", rule.name));
            let mut evidence = evidence(&base, rule, effort);
            let tried = evidence.examples + evidence.random > 0;
            if !tried && !finds(&base, rule) {
                let what = "nothing was tried: it has no example, and fires in no random scheme";
                evidence.wrong.push(Wrong {
                    by: Check::Random,
                    what: what.to_owned(),
                });
            }
            Tested {
                rule: rule.name,
                span: rule.span,
                evidence,
            }
        };
        rules.iter().map(one).collect::<Vec<_>>()
    });
    for tested in all.iter().filter(|t| t.evidence.wrong.is_empty()) {
        if let Some(text) = text_of(&base.base, tested.rule, &further) {
            remember(tested.rule, &text);
        }
    }
    Ok(all)
}

/// The text of the file that a rule of the user stands in, and of those of the user's predicates that it asks;
/// nothing for rules that are as they come with the tool.
fn text_of(base: &RuleBase, rule: Symbol, further: &[(String, String)]) -> Option<String> {
    let rule = base.rule(rule)?;
    let asked = base.predicates.asked_by(base.terms(), rule);
    let spans = std::iter::once(rule.span).chain(asked.iter().map(|p| p.span));
    let mut names: Vec<&str> = spans.map(|span| base.file(span)).collect();
    names.dedup();
    let own = |name: &&str| {
        let (name, text) = further.iter().find(|(n, _)| n == name)?;
        let same = |(known, own): &(&str, &str)| known == name && own == text;
        (!library::RULES.iter().any(same)).then_some(text.as_str())
    };
    let texts: Vec<&str> = names.iter().filter_map(own).collect();
    (!texts.is_empty()).then(|| texts.join("\0"))
}

/// The file that says that a rule was tested: the whole text that it stands in, with that of what it asks, and what
/// tested it, make the key.
fn record(rule: Symbol, text: &str) -> Option<PathBuf> {
    let own = library::RULES.iter().map(|(_, text)| *text);
    let parts = [env!("CARGO_PKG_VERSION"), rule.as_str(), text];
    Some(
        tested_folder()
            .ok()?
            .join(key(parts.into_iter().chain(own))),
    )
}

/// Where there is no folder for it, the rule is tested again next time.
fn remember(rule: Symbol, text: &str) {
    if let Some(path) = record(rule, text) {
        let _ = std::fs::write(path, format!("{rule}\n"));
    }
}

/// Marks the user's rules that were not tested.
pub(super) fn mark_untested(base: &mut RuleBase, further: &[(String, String)]) {
    let names: Vec<Symbol> = base.rules.iter().map(|r| r.name).collect();
    let untested = names.into_iter().filter(|&name| {
        let text = text_of(base, name, further);
        text.is_some_and(|text| !record(name, &text).is_some_and(|path| path.exists()))
    });
    let untested = untested.collect();
    base.mark_untested(untested);
}

/// That a derivation applies rules that were not tested, if it does.
pub(super) fn untested(derivation: &Derivation) -> Option<Diagnostic> {
    let step = derivation.steps.iter().find(|step| step.untested)?;
    let message = format!("the rule `{}` has not been tested", step.rule);
    let hint = format!(
        "`glushkov rules test {}` tests it; --untested applies it as it is",
        step.file
    );
    Some(Diagnostic::error("E0346", message).hint(hint))
}
