//! What can be read of rules and strategies: what they say they do, their text, who uses whom.

use super::base::RuleBase;
use super::groups::Group;
use super::plan::{Kind, Plan, Strategy};
use super::rule::{Parameter, Rule};
use crate::term::{Sources, Span, Symbol};
use std::collections::BTreeSet;

/// The first sentence of a comment, on one line.
pub fn summary(doc: &str) -> String {
    let first = doc.split("\n\n").next().unwrap_or_default();
    let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => line,
    }
}

impl Parameter {
    /// The parameter with its default and range: `threads = 256 (32..1024)`.
    pub fn text(&self) -> String {
        match self.range {
            Some((low, high)) => format!("{} = {} ({low}..{high})", self.name, self.default),
            None => format!("{} = {}", self.name, self.default),
        }
    }
}

impl Rule {
    /// The rule as it stands in its file, attributes included, without its comment.
    pub fn text(&self, sources: &Sources) -> String {
        let Some(source) = sources.get(self.span.file) else {
            return String::new();
        };
        let (before, _) = source.text.split_at(self.span.from as usize);
        let mut from = before.rfind('\n').map_or(0, |at| at + 1);
        // Attributes stand on the line itself or on lines of their own before it.
        while let Some(line) = before[..from].lines().next_back()
            && line.trim_start().starts_with("#@")
        {
            from -= line.len() + 1;
        }
        let text = source.text[from..self.span.to as usize].trim_end();
        format!("{text};")
    }
}

impl Strategy {
    /// The strategy as it stands in its file, without its comment.
    pub fn text(&self, sources: &Sources) -> String {
        let Some(source) = sources.get(self.span.file) else {
            return String::new();
        };
        let Span { from, .. } = self.span;
        let to = self.body.span.to as usize;
        let text = source.text.get(from as usize..to).unwrap_or_default();
        // Brackets around the whole are not part of its last part.
        let rest = source.text.get(to..).unwrap_or_default();
        let brackets = &rest[..rest.len() - rest.trim_start_matches(')').len()];
        let text = text.trim_end_matches(';');
        format!("strategy {text}{brackets};")
    }
}

impl Group {
    /// The group in the syntax of rule files, on one line.
    pub fn text(&self) -> String {
        let names = self.names.iter().map(|n| n.to_string());
        let off = self.settings();
        let off = (!off.is_empty()).then(|| format!("with({})", off.join(", ")));
        let members: Vec<String> = names.chain(off).collect();
        format!("group {} = {};", self.name, members.join(", "))
    }

    /// Its own settings, `name = value`.
    fn settings(&self) -> Vec<String> {
        let is_name = |m: &&String| self.names.iter().any(|n| n.as_str() == **m);
        let settings = self.members.iter().filter(|m| !is_name(m));
        settings.cloned().collect()
    }
}

impl RuleBase {
    /// The rules and strategies that stand in a strategy, in the order of their names.
    pub fn uses(&self, strategy: &Strategy) -> Vec<Symbol> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut work: Vec<&Plan> = vec![&strategy.body];
        while let Some(plan) = work.pop() {
            match &plan.kind {
                Kind::Sequence(parts) | Kind::Choice(parts) => work.extend(parts),
                Kind::Apply(_, inner)
                | Kind::At(_, inner)
                | Kind::Outside(_, inner)
                | Kind::When(_, inner) => work.push(inner),
                Kind::Rule(i, _) => {
                    found.insert(self.rules[*i].name.as_str());
                }
                Kind::Strategy(i, _) => {
                    found.insert(self.strategies[*i].name.as_str());
                }
                Kind::Id | Kind::Fail => {}
            }
        }
        found.into_iter().map(Symbol::new).collect()
    }

    /// The strategies that use a rule or a strategy, directly or through others, in the order of
    /// the files.
    pub fn users(&self, name: Symbol) -> Vec<Symbol> {
        let mut found = vec![name];
        loop {
            let uses = |s: &&Strategy| self.uses(s).iter().any(|used| found.contains(used));
            let new = |s: &&Strategy| !found.contains(&s.name) && uses(s);
            let more: Vec<Symbol> = self.strategies.iter().filter(new).map(|s| s.name).collect();
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        let user = |n: &Symbol| *n != name && found.contains(n);
        self.strategies
            .iter()
            .map(|s| s.name)
            .filter(user)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_users_are_found() {
        let text = "# Twice. Not thrice.\n#\n# More.\n#@rule(two)\n#@float(exact)\nf($x) -> g($x);\n\
                    #@rule(one) h($x) -> $x;\n# All.\nstrategy all(n: 1..9 = 2) = (try(two);\n  some);\n\
                    strategy some = once(one <+ fail);\nstrategy none = id;\n";
        let mut sources = Sources::default();
        let file = sources.add("x.rules", text);
        let base = RuleBase::load(&sources, &[file]).expect("well-formed rules");
        let rule = |name: &str| base.rule(Symbol::new(name)).expect("a rule");
        assert_eq!(summary(&rule("two").doc), "Twice.");
        let wanted = "#@rule(two)\n#@float(exact)\nf($x) -> g($x);";
        assert_eq!(rule("two").text(&sources), wanted);
        assert_eq!(rule("one").text(&sources), "#@rule(one) h($x) -> $x;");
        let all = &base.strategies()[0];
        let wanted = "strategy all(n: 1..9 = 2) = (try(two);\n  some);";
        assert_eq!(all.text(&sources), wanted);
        assert_eq!(all.parameters[0].text(), "n = 2 (1..9)");
        let names = |symbols: Vec<Symbol>| symbols.iter().map(|s| s.as_str()).collect::<Vec<_>>();
        assert_eq!(names(base.uses(all)), ["some", "two"]);
        assert_eq!(names(base.users(Symbol::new("one"))), ["all", "some"]);
    }
}
