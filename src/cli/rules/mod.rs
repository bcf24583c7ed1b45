//! `glushkov rules`: the rule base, listed and explained.

mod lint;
mod test;

use super::arguments::strategy_name;
use super::output::{Done, Output, Stop};
use crate::derive::rule_base;
use crate::diagnostic::{Diagnostic, names_like};
use crate::pipeline::rule_files;
use crate::rewrite::{Group, Law, Parameter, Predicate, Rule, RuleBase, Strategy, summary};
use crate::term::Symbol;
use clap::Subcommand;
use comfy_table::{ContentArrangement, Table, presets};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Arguments of `rules`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples: glushkov rules list\n          glushkov rules explain kernel\nThe list as a page: docs/rules.md"
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// All rules, strategies, predicates and groups, each with a line on what it does
    #[command(after_help = "Example: glushkov rules list --rules my-rules/")]
    List {
        #[command(flatten)]
        options: Options,
    },
    /// The page of a rule, a strategy, a predicate or a group: what it does, why it is sound, an example, its text
    #[command(after_help = "Example: glushkov rules explain interchange")]
    Explain {
        /// The rule, the strategy, the predicate or the group
        #[arg(value_parser = strategy_name)]
        name: String,
        #[command(flatten)]
        options: Options,
    },
    /// Test rules of one's own: their examples and near misses, random schemes before and after, a second pass
    #[command(
        after_help = "Examples: glushkov rules test my.rules\n          glushkov rules test my.rules --rule backwards --mutants\nExit code 1 if something is wrong. What passes may be applied without --untested until its file changes."
    )]
    Test(test::Args),
    /// What deserves a look in rule files: values and rules that are of no use, overlaps whose results
    /// differ, rules that may go on without end
    #[command(
        after_help = "Examples: glushkov rules lint my.rules\n          glushkov rules lint\nExit code 1 if something was found."
    )]
    Lint {
        /// Rule files, or folders of them; none for the rules that come with the tool
        files: Vec<PathBuf>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(clap::Args)]
struct Options {
    /// Further rule files, or folders of them; a file named like an embedded one replaces it
    #[arg(long, value_name = "PATH")]
    rules: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Done {
    let load = |options: &Options, output: &mut Output| -> Result<RuleBase, Stop> {
        Ok(rule_base(
            &mut output.session.sources,
            &rule_files(&options.rules)?,
        )?)
    };
    match &args.command {
        Command::List { options } => list(&load(options, output)?, options.json, output),
        Command::Explain { name, options } => {
            explain(&load(options, output)?, name, options.json, output)
        }
        Command::Test(args) => test::run(args, output),
        Command::Lint { files, json } => lint::run(files, *json, output),
    }
}

fn list(base: &RuleBase, as_json: bool, output: &mut Output) -> Done {
    if as_json {
        let rules: Vec<Json> = base.rules.iter().map(|r| rule_json(base, r)).collect();
        let strategies = base.strategies().iter();
        let strategies: Vec<Json> = strategies.map(|s| strategy_json(base, s)).collect();
        let predicates = base.predicates.iter();
        let predicates: Vec<Json> = predicates.map(|p| predicate_json(base, p)).collect();
        let mut all = json!({"rules": rules, "strategies": strategies});
        if !predicates.is_empty() {
            all["predicates"] = json!(predicates);
        }
        let groups: Vec<Json> = base.groups().iter().map(group_json).collect();
        if !groups.is_empty() {
            all["groups"] = json!(groups);
        }
        return output.json(&all);
    }
    let mut rules = table(&["rule", "float class", "parameters", "file", "does"]);
    for rule in &base.rules {
        rules.add_row([
            rule.name.as_str(),
            rule.float.name(),
            &parameters(&rule.parameters),
            base.file(rule.span),
            &summary(&rule.doc),
        ]);
    }
    let mut strategies = table(&["strategy", "parameters", "does"]);
    for strategy in base.strategies() {
        strategies.add_row([
            strategy.name.as_str(),
            &parameters(&strategy.parameters),
            &summary(&strategy.doc),
        ]);
    }
    let mut predicates = table(&["predicate", "arguments", "file", "does"]);
    for predicate in base.predicates.iter() {
        predicates.add_row([
            predicate.name.as_str(),
            &predicate.arguments(),
            base.file(predicate.span),
            &summary(&predicate.doc),
        ]);
    }
    let mut page = format!("{}\n\n{}", lines(&rules), lines(&strategies));
    if !predicates.is_empty() {
        page.push_str(&format!("\n\n{}", lines(&predicates)));
    }
    let mut groups = table(&["group", "members", "is"]);
    for group in base.groups() {
        let members = group.members.join(", ");
        groups.add_row([group.name.as_str(), &members, &summary(&group.doc)]);
    }
    if !groups.is_empty() {
        page.push_str(&format!("\n\n{}", lines(&groups)));
    }
    output.print(&page)
}

/// A table without lines, as wide as the terminal.
pub fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(head);
    table
}

/// A table as text.
pub fn lines(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|l| l.trim_end().to_owned()).collect();
    lines.join("\n")
}

fn parameters(all: &[Parameter]) -> String {
    let all: Vec<String> = all.iter().map(Parameter::text).collect();
    all.join(", ")
}

fn explain(base: &RuleBase, name: &str, as_json: bool, output: &mut Output) -> Done {
    let symbol = Symbol::new(name);
    if let Some(rule) = base.rule(symbol) {
        let text = rule.text(&output.session.sources);
        if as_json {
            let mut page = rule_json(base, rule);
            page["page"] = json!(rule.doc);
            page["text"] = json!(text);
            return output.json(&page);
        }
        let law = match rule.law {
            Some(law) => format!(", a law of the algebra, {}", law.name()),
            None => String::new(),
        };
        let mut head = format!(
            "{} ({}): {}{law}\n",
            rule.name,
            base.file(rule.span),
            rule.float.name()
        );
        head.push_str(&about("parameters", &parameters(&rule.parameters)));
        head.push_str(&about("used by", &names(&base.users(rule.name))));
        return output.print(&format!("{head}\n{}\n\n{text}", rule.doc));
    }
    if let Some(strategy) = base.strategies().iter().find(|s| s.name == symbol) {
        let text = strategy.text(&output.session.sources);
        if as_json {
            let mut page = strategy_json(base, strategy);
            page["page"] = json!(strategy.doc);
            page["text"] = json!(text);
            return output.json(&page);
        }
        let mut head = format!(
            "{} ({}): a strategy\n",
            strategy.name,
            base.file(strategy.span)
        );
        head.push_str(&about("parameters", &parameters(&strategy.parameters)));
        head.push_str(&about("uses", &names(&base.uses(strategy))));
        head.push_str(&about("used by", &names(&base.users(strategy.name))));
        return output.print(&format!("{head}\n{}\n\n{text}", strategy.doc));
    }
    if let Some(predicate) = base.predicates.get(symbol) {
        let text = predicate.text(&output.session.sources);
        if as_json {
            let mut page = predicate_json(base, predicate);
            page["page"] = json!(predicate.doc);
            page["text"] = json!(text);
            return output.json(&page);
        }
        let mut head = format!(
            "{} ({}): a predicate of {}\n",
            predicate.name,
            base.file(predicate.span),
            predicate.arguments()
        );
        head.push_str(&about("asked by", &names(&askers(base, predicate))));
        return output.print(&format!("{head}\n{}\n\n{text}", predicate.doc));
    }
    if let Some(group) = base.group(name) {
        let text = group.text();
        if as_json {
            let mut page = group_json(group);
            page["page"] = json!(group.doc);
            page["text"] = json!(text);
            return output.json(&page);
        }
        let head = format!("{} ({}): a group\n", group.name, base.file(group.span));
        return output.print(&format!("{head}\n{}\n\n{text}", group.doc));
    }
    let all = base.rules.iter().map(|r| r.name.as_str());
    let all: Vec<&str> = all
        .chain(base.strategies().iter().map(|s| s.name.as_str()))
        .chain(base.predicates.iter().map(|p| p.name.as_str()))
        .chain(base.groups().iter().map(|g| g.name.as_str()))
        .collect();
    let hint =
        names_like(name, &all).unwrap_or_else(|| "`glushkov rules list` names them all".to_owned());
    let message = format!("there is no rule, no strategy, no predicate and no group `{name}`");
    Err(Stop::from(Diagnostic::error("E0314", message).hint(hint)))
}

/// A line of a page's head; nothing where there is nothing to say.
fn about(what: &str, text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("{what}: {text}\n"),
    }
}

fn names(all: &[Symbol]) -> String {
    let all: Vec<&str> = all.iter().map(|n| n.as_str()).collect();
    all.join(", ")
}

fn parameters_json(all: &[Parameter]) -> Vec<Json> {
    let one = |p: &Parameter| {
        json!({
            "name": p.name.as_str(),
            "default": p.default,
            "range": p.range.map(|(low, high)| [low, high]),
        })
    };
    all.iter().map(one).collect()
}

fn names_json(all: &[Symbol]) -> Vec<&'static str> {
    all.iter().map(|n| n.as_str()).collect()
}

fn rule_json(base: &RuleBase, rule: &Rule) -> Json {
    json!({
        "name": rule.name.as_str(),
        "file": base.file(rule.span),
        "float": rule.float,
        "law": rule.law.map(Law::name),
        "parameters": parameters_json(&rule.parameters),
        "does": summary(&rule.doc),
        "used_by": names_json(&base.users(rule.name)),
    })
}

fn strategy_json(base: &RuleBase, strategy: &Strategy) -> Json {
    json!({
        "name": strategy.name.as_str(),
        "file": base.file(strategy.span),
        "parameters": parameters_json(&strategy.parameters),
        "does": summary(&strategy.doc),
        "uses": names_json(&base.uses(strategy)),
        "used_by": names_json(&base.users(strategy.name)),
    })
}

fn group_json(group: &Group) -> Json {
    json!({
        "name": group.name.as_str(),
        "members": group.members,
        "does": summary(&group.doc),
    })
}

/// The rules that ask a predicate, by themselves or through others.
fn askers(base: &RuleBase, predicate: &Predicate) -> Vec<Symbol> {
    let asks = |rule: &&Rule| {
        let asked = base.predicates.asked_by(base.terms(), rule);
        asked.iter().any(|p| p.name == predicate.name)
    };
    base.rules.iter().filter(asks).map(|r| r.name).collect()
}

fn predicate_json(base: &RuleBase, predicate: &Predicate) -> Json {
    json!({
        "name": predicate.name.as_str(),
        "file": base.file(predicate.span),
        "arguments": {"least": predicate.least, "most": predicate.most},
        "does": summary(&predicate.doc),
        "asked_by": names_json(&askers(base, predicate)),
    })
}
