//! `glushkov rules lint`: what deserves a look in rule files.

use super::{lines, table};
use crate::cli::output::{Done, Output, Stop};
use crate::derive::{library, lint_schemes, rule_base};
use crate::diagnostic::{Diagnostic, as_json};
use crate::pipeline::{Source, read_systems, rule_files};
use crate::rewrite::{Ends, RuleBase, Set, lint};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Longer names of sets are cut.
const LONGEST_NAME: usize = 80;

/// Looks at rule files; at the rules that come with the tool where there are none.
pub fn run(files: &[PathBuf], as_json: bool, output: &mut Output) -> Done {
    let (base, own) = load(files, output)?;
    let mut report = lint(&base, &own);
    report.findings.extend(lint_schemes(&base, &own));
    report.findings.sort_by_key(|d| d.span);
    let rules = base.rules.iter().filter(|r| own.contains(&r.span.file));
    let rules = rules.count();
    if as_json {
        let findings = report.findings.iter();
        let findings: Vec<Json> = findings
            .map(|d| self::as_json(d, &output.session.sources))
            .collect();
        let sets: Vec<Json> = report.sets.iter().map(|s| set_json(&base, s)).collect();
        let all = json!({"rules": rules, "sets": sets, "findings": findings});
        output.json(&all)?;
    } else {
        output.tell_all(&report.findings);
        output.print(&text(&base, rules, &report.sets, report.findings.len()))?;
    }
    match report.findings.is_empty() {
        true => Ok(()),
        false => Err(Stop::Code(1)),
    }
}

/// The rules, and the numbers of the files that are looked at. Files that say nothing without the
/// rules that come with the tool are read together with them.
fn load(files: &[PathBuf], output: &mut Output) -> Result<(RuleBase, Vec<u32>), Stop> {
    if files.is_empty() {
        let base = rule_base(&mut output.session.sources, &[])?;
        let own = (0..library::RULES.len() as u32).collect();
        return Ok((base, own));
    }
    let read = rule_files(files)?;
    let own: Vec<u32> = read
        .iter()
        .map(|(name, text)| output.session.sources.add(name.clone(), text.clone()))
        .collect();
    let mut beside = Vec::new();
    // Several files are read as they are given.
    if let ([number], [(name, _)]) = (&own[..], &read[..]) {
        beside = read_systems(Source::Path(name), *number, &mut output.session)?;
    }
    match RuleBase::load_beside(&output.session.sources, &own, &beside) {
        Ok(base) => Ok((base, own)),
        Err(alone) => {
            let first = output.session.sources.count();
            let base = rule_base(&mut output.session.sources, &read).map_err(|together| {
                // What is wrong in the files themselves is told once.
                let told: Vec<Diagnostic> = match alone.len() <= together.len() {
                    true => alone,
                    false => together,
                };
                Stop::from(told)
            })?;
            let is_own = |number: &u32| {
                let name = output.session.sources.get(*number).map(|s| s.name.as_str());
                read.iter().any(|(own, _)| name == Some(own.as_str()))
            };
            let own = (first..output.session.sources.count())
                .filter(is_own)
                .collect();
            Ok((base, own))
        }
    }
}

fn text(base: &RuleBase, rules: usize, sets: &[Set], findings: usize) -> String {
    let found = match findings {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    };
    let head = match rules {
        1 => format!("1 rule, {found}"),
        n => format!("{n} rules, {found}"),
    };
    if sets.is_empty() {
        return head;
    }
    let mut shown = table(&["rules that are repeated", "count", "end", "overlaps"]);
    for set in sets {
        shown.add_row([
            short(&set.name),
            set.rules.to_string(),
            set.ends.text(base),
            set.overlaps.as_ref().map(|o| o.text()).unwrap_or_default(),
        ]);
    }
    format!("{head}\n\n{}", lines(&shown))
}

/// A name that fits a line, its middle left out.
fn short(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    match letters.len() {
        0..=LONGEST_NAME => name.to_owned(),
        n => {
            let half = LONGEST_NAME / 2;
            let text = |part: &[char]| part.iter().collect::<String>();
            format!(
                "{} … {}",
                text(&letters[..half]),
                text(&letters[n - half..])
            )
        }
    }
}

fn set_json(base: &RuleBase, set: &Set) -> Json {
    let (why, cycle) = match &set.ends {
        Ends::Yes(why) => (Some(why), Vec::new()),
        Ends::TooMany => (None, Vec::new()),
        Ends::Unknown(cycle) => {
            let names = cycle.iter().map(|&i| base.rules[i].name.as_str());
            (None, names.collect())
        }
    };
    json!({
        "name": set.name,
        "rules": set.rules,
        "ends": why.is_some(),
        "why": why,
        "cycle": cycle,
        "overlaps": set.overlaps.as_ref().map(|o| json!({
            "all": o.all,
            "meeting": o.meeting,
            "by_order": o.ordered,
            "not_looked_at": o.unseen,
        })),
    })
}
