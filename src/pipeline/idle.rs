//! Settings and rules left out that change nothing: silence about them would be taken for an effect.

use super::Options;
use super::derive::derive;
use super::rule_files::rule_files;
use crate::analysis::text;
use crate::check::Scheme;
use crate::derive::{Derived, rule_base};
use crate::diagnostic::Diagnostic;
use crate::rewrite::{Effect, NearMiss, RuleBase, Setting};
use crate::term::{Sources, Symbol};

/// So many rules are named that a setting is for.
const MOST_NAMED: usize = 3;

/// A note for each `--with` and `--without` without which the same would be derived, with what stopped a
/// rule that the setting is for.
pub(super) fn idle(
    base: &RuleBase,
    scheme: &Scheme,
    strategy: &str,
    options: &Options,
    derived: &Derived,
) -> Vec<Diagnostic> {
    let is_same = |base: &RuleBase, options: &Options| {
        let other = derive(base, scheme, strategy, options);
        other.is_ok_and(|other| same_steps(derived, &other))
    };
    let of_settings = (0..options.with.len()).filter_map(|k| {
        let mut with = options.with.clone();
        let text = with.remove(k);
        let other = Options {
            with,
            ..options.clone()
        };
        let effect = derived.effects.get(k).copied();
        let effect = effect.unwrap_or(Effect::Unknown);
        let is_idle = match effect {
            Effect::None => true,
            Effect::Step => false,
            Effect::Unknown => is_same(base, &other),
        };
        is_idle.then(|| setting(base, strategy, &text, derived, effect))
    });
    let of_rules = (0..options.without.len()).filter_map(|k| {
        let mut without = options.without.clone();
        let text = without.remove(k);
        let base = rules(&options.rules, &without)?;
        is_same(&base, options).then(|| {
            let message = format!("--without {text} changes nothing here");
            Diagnostic::note("N0339", message)
                .hint(format!("`{strategy}` does not apply `{text}` to it"))
        })
    });
    of_settings.chain(of_rules).collect()
}

/// The rules of the tool and of files, without some.
fn rules(files: &[std::path::PathBuf], without: &[String]) -> Option<RuleBase> {
    let base = rule_base(&mut Sources::default(), &rule_files(files).ok()?).ok()?;
    base.without(without).ok()
}

/// Whether two derivations took the same steps.
pub(super) fn same_steps(one: &Derived, other: &Derived) -> bool {
    let steps = |derived: &Derived| -> Vec<String> {
        let steps = derived.derivation.steps.iter();
        steps.map(|step| step.rule.clone()).collect()
    };
    let shown = |derived: &Derived| text(&derived.scheme, derived.scheme.root);
    steps(one) == steps(other) && shown(one) == shown(other)
}

/// The note on a setting that changes nothing.
fn setting(
    base: &RuleBase,
    strategy: &str,
    text: &str,
    derived: &Derived,
    effect: Effect,
) -> Diagnostic {
    let note = Diagnostic::note("N0338", format!("--with {text} changes nothing here"));
    let readers = match Setting::parse(text) {
        Ok(setting) => base.readers(Symbol::new(strategy), &setting),
        Err(_) => Vec::new(),
    };
    let derivation = &derived.derivation;
    let fired = |rule: &str| derivation.steps.iter().any(|step| step.rule == rule);
    // One that fires elsewhere, whatever the setting, was not stopped.
    let (fire, idle): (Vec<Symbol>, Vec<Symbol>) =
        readers.into_iter().partition(|rule| fired(rule.as_str()));
    let is_idle = |rule: &str| idle.iter().any(|r| r.as_str() == rule);
    let mut misses = derivation.near_misses.iter();
    if let Some(miss) = misses.find(|miss| is_idle(&miss.rule)) {
        return stopped(note, miss);
    }
    let all: Vec<String> = idle.iter().map(|rule| format!("`{rule}`")).collect();
    match &all[..] {
        _ if !fire.is_empty() && effect == Effect::None => {
            note.hint("with the default value the same is derived")
        }
        [] if fire.is_empty() => note,
        [] => note.hint("with the default value the same is derived"),
        [only] => note.hint(format!("it is for {only}, which was not applied here")),
        [some @ .., last] if some.len() <= MOST_NAMED => note.hint(format!(
            "it is for {} and {last}, which were not applied here",
            some.join(", ")
        )),
        all => note.hint(format!(
            "it is for {} and {} other rules, which were not applied here",
            all[..MOST_NAMED].join(", "),
            all.len() - MOST_NAMED
        )),
    }
}

/// A note with what stopped a rule.
fn stopped(note: Diagnostic, miss: &NearMiss) -> Diagnostic {
    note.at(miss.place.map(Into::into)).label(miss.reason())
}
