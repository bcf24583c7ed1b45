//! `glushkov rules lint`: what deserves a look in rule files.

use super::{lines, table};
use crate::cli::output::{Done, Output, Stop};
use crate::diagnostic::as_json;
use crate::pipeline::{LintedRules, lint_rules, rule_files};
use crate::rewrite::{Ends, RuleBase, Set};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Longer names of sets are cut.
const LONGEST_NAME: usize = 80;

/// Looks at rule files; at the rules that come with the tool where there are none.
pub fn run(files: &[PathBuf], as_json: bool, output: &mut Output) -> Done {
    let LintedRules { base, own, report } = lint_rules(&rule_files(files)?, &mut output.session)?;
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
