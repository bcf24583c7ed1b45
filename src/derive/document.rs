//! The rule base → the page that lists it.

use super::facts::{Entry, FACTS, FUNCTIONS};
use crate::rewrite::{Law, Parameter, RuleBase, summary};
use crate::term::Symbol;

/// A fact or a function of rules.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// Whether it is a fact, which conditions ask; else a function, which `let`, `where` and results compute.
    pub is_fact: bool,
    /// Of what it says or gives what.
    pub meaning: &'static str,
}

/// The facts and functions that rules about schemes may name, in the order of their page.
pub fn known() -> impl Iterator<Item = Known> {
    fn all<R>(entries: &'static [Entry<R>], is_fact: bool) -> impl Iterator<Item = Known> {
        entries.iter().map(move |entry| Known {
            name: entry.name,
            is_fact,
            meaning: entry.meaning,
        })
    }
    all(&FACTS, true).chain(all(&FUNCTIONS, false))
}

/// The page of the rules and strategies, in Markdown.
pub fn document(base: &RuleBase) -> String {
    let mut text = String::from(
        "# Rules and strategies\n\n\
         This page is made from the rule base; a test says when it is out of date. `glushkov rules\n\
         explain NAME` prints a rule's page: what it does, why it is sound, an example, its text.\n\n\
         The float class says what a rule may do to the bits of results: `exact` nothing,\n\
         `reassociating` regroups sums or products, always in the same way, `unordered` may group\n\
         differently from run to run, `approximate` changes formulas.\n\n\
         A law is an identity of the algebra. *Decided* means that `glushkov` itself decides, whenever\n\
         it loads the rule, that both sides do the same actions under the same predicates, for all\n\
         operators and predicates in place of its variables; *tested* that the law is outside of what\n\
         is decided, and tests run both sides on the reference machine.\n\n\
         ## Strategies\n\n\
         | strategy | parameters | does | uses |\n|---|---|---|---|\n",
    );
    for strategy in base.strategies() {
        text.push_str(&row(&[
            format!("`{}`", strategy.name),
            parameters(&strategy.parameters),
            summary(&strategy.doc),
            names(&base.uses(strategy)),
        ]));
    }
    text.push_str(
        "\n## Rules\n\n\
         | rule | file | float class | law | parameters | does | used by |\n|---|---|---|---|---|---|---|\n",
    );
    for rule in &base.rules {
        text.push_str(&row(&[
            format!("`{}`", rule.name),
            format!("`{}`", base.file(rule.span)),
            rule.float.name().to_owned(),
            rule.law.map(Law::name).unwrap_or_default().to_owned(),
            parameters(&rule.parameters),
            summary(&rule.doc),
            names(&base.users(rule.name)),
        ]));
    }
    text.push_str(
        "\n## Groups\n\n\
         What strategies can do without by one name: `--without NAME`, `bench --ablate=NAME,NAME+NAME`, and\n\
         `bench --ablate=@NAME` for each member of a group apart. A setting is the value that the\n\
         parameter has without the group, where the strategy has such a parameter.\n\n\
         | group | members | is |\n|---|---|---|\n",
    );
    for group in base.groups() {
        let members: Vec<String> = group.members.iter().map(|m| format!("`{m}`")).collect();
        text.push_str(&row(&[
            format!("`{}`", group.name),
            members.join(", "),
            summary(&group.doc),
        ]));
    }
    text.push_str(
        "\n## Facts\n\n\
         What conditions may ask. An answer is yes, no or unknown, with what shows it; only a yes\n\
         that is shown or assumed lets a rule fire. Rule files may define predicates of their own from\n\
         these: [writing-rules.md](writing-rules.md#predicates).\n\n\
         | fact | of what: what it says |\n|---|---|\n",
    );
    facts(&FACTS, &mut text);
    text.push_str(
        "\n## Functions\n\n\
         What `let`, `where` and results may compute.\n\n\
         | function | gives |\n|---|---|\n",
    );
    facts(&FUNCTIONS, &mut text);
    text
}

fn facts<R>(all: &[Entry<R>], text: &mut String) {
    for fact in all {
        text.push_str(&row(&[format!("`{}`", fact.name), fact.meaning.to_owned()]));
    }
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn parameters(all: &[Parameter]) -> String {
    let all: Vec<String> = all.iter().map(Parameter::text).collect();
    all.join(", ")
}

fn names(all: &[Symbol]) -> String {
    let all: Vec<String> = all.iter().map(|n| format!("`{n}`")).collect();
    all.join(", ")
}
