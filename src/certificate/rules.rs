//! The rules that a record names, read from their texts.

use crate::derive::{Record, RuleFile, base_files, digest};
use crate::rewrite::FloatClass;
use crate::syntax::rules::{Attribute, Item, RuleItem, SystemEntry, print_term_short, read_rules};
use crate::term::{Id, Symbol, Terms};
use std::sync::LazyLock;

/// The functors of results and conditions that are instructions, with the least number of their
/// arguments and whether it is the only one.
const INSTRUCTIONS: [(&str, usize, bool); 5] = [
    ("each", 3, false),
    ("copies", 3, true),
    ("substitute", 3, true),
    ("count", 1, false),
    ("nonempty", 1, false),
];

/// A rule as its file has it.
#[derive(Clone)]
pub(super) struct Rule {
    pub name: Symbol,
    /// The number of its file among the texts.
    pub file: usize,
    pub float: FloatClass,
    pub parameters: Vec<Symbol>,
    pub item: RuleItem,
}

/// The rules that come with the tool, read once.
static LIBRARY: LazyLock<Result<Rules, String>> = LazyLock::new(|| Rules::of(base_files(&[])));

/// All rules that a record's steps can mean: those that come with the tool and the user's.
#[derive(Clone, Default)]
pub(super) struct Rules {
    pub terms: Terms,
    rules: Vec<Rule>,
    /// The clauses of each predicate, in their order.
    pub predicates: Vec<(Symbol, Vec<Rule>)>,
    /// Names and texts of the files.
    texts: Vec<(String, String)>,
    /// Names of instructions that are functors of the rules themselves.
    shadowed: Vec<&'static str>,
}

impl Rules {
    /// Reads the rules of a record. A text must have its recorded digest: the one that is recorded
    /// or, where none is, the one that comes with the tool.
    pub fn read(record: &Record) -> Result<Rules, String> {
        let own = |file: &RuleFile| Some((file.name.clone(), file.text.clone()?));
        let further: Vec<_> = record.rules.iter().filter_map(own).collect();
        let texts = base_files(&further);
        for file in &record.rules {
            let text = texts.iter().find(|(name, _)| *name == file.name);
            let unknown = || format!("the text of {} is not recorded", file.name);
            let (_, text) = text.ok_or_else(unknown)?;
            if file.text.as_ref().is_some_and(|t| t != text) || digest(text) != file.sha256 {
                let what = "has another text than the digest says";
                return Err(format!("{} {what}", file.name));
            }
        }
        match further.is_empty() {
            true => LIBRARY.clone(),
            false => Rules::of(texts),
        }
    }

    /// The rules of files, by names and texts.
    fn of(texts: Vec<(String, String)>) -> Result<Rules, String> {
        let mut rules = Rules {
            texts,
            ..Rules::default()
        };
        for file in 0..rules.texts.len() {
            let (name, text) = rules.texts[file].clone();
            let (items, refusals) = read_rules(&mut rules.terms, file as u32, &text);
            if let Some(refusal) = refusals.first() {
                return Err(format!("{name}: syntax error: {}", refusal.message));
            }
            for item in items {
                match item {
                    Item::Rule(rule) => rules.add(file, rule)?,
                    Item::Clause(clause) => rules.add_clause(file, clause)?,
                    Item::System(system) => {
                        for entry in system.entries {
                            if let SystemEntry::Rule(rule) = entry {
                                rules.add(file, rule)?;
                            }
                        }
                    }
                    Item::Strategy(_) | Item::Group(_) => {}
                }
            }
        }
        Ok(rules)
    }

    fn add(&mut self, file: usize, item: RuleItem) -> Result<(), String> {
        let functor = self.terms.functor(item.pattern);
        let known = INSTRUCTIONS.iter().map(|(name, ..)| *name);
        let own = known.filter(|name| functor.is_some_and(|f| f.as_str() == *name));
        self.shadowed.extend(own);
        // A rule without a name is called by its functor and a number.
        let functor_of = |r: &Rule| self.terms.functor(r.item.pattern);
        let count = 1 + self
            .rules
            .iter()
            .filter(|r| functor_of(r) == functor)
            .count();
        let of = functor.map_or("any", |f| f.as_str());
        let mut rule = Rule {
            name: Symbol::new(&format!("{of}.{count}")),
            file,
            float: FloatClass::Exact,
            parameters: Vec::new(),
            item,
        };
        for attribute in &rule.item.attributes {
            let word = self.word(attribute);
            match (attribute.name.as_str(), word) {
                ("rule", Some(name)) => rule.name = name,
                ("param", Some(name)) => rule.parameters.push(name),
                ("float", word) => {
                    let class = word.and_then(|w| FloatClass::from_name(w.as_str()));
                    rule.float = class.ok_or("unknown float class")?;
                }
                _ => {}
            }
        }
        self.rules.push(rule);
        Ok(())
    }

    fn add_clause(&mut self, file: usize, item: RuleItem) -> Result<(), String> {
        let name = self.terms.functor(item.pattern);
        let name = name.ok_or("a predicate has no name")?;
        let clause = Rule {
            name,
            file,
            float: FloatClass::Exact,
            parameters: Vec::new(),
            item,
        };
        match self.predicates.iter_mut().find(|(known, _)| *known == name) {
            Some((_, clauses)) if clauses.iter().any(|c| c.file != file) => {
                return Err(format!("there are two predicates `{name}`"));
            }
            Some((_, clauses)) => clauses.push(clause),
            None => self.predicates.push((name, vec![clause])),
        }
        Ok(())
    }

    fn word(&self, attribute: &Attribute) -> Option<Symbol> {
        let &first = attribute.arguments.first()?;
        self.terms.as_atom(first).or(self.terms.as_text(first))
    }

    /// The one rule with a name, which must stand in a file that the record names.
    pub fn find(&self, name: &str) -> Result<&Rule, String> {
        let mut all = self.rules.iter().filter(|r| r.name.as_str() == name);
        match (all.next(), all.next()) {
            (Some(rule), None) => Ok(rule),
            (None, _) => Err(format!("there is no rule `{name}`")),
            _ => Err(format!("there are two rules `{name}`")),
        }
    }

    /// The name of a rule's file.
    pub fn file(&self, rule: &Rule) -> &str {
        &self.texts[rule.file].0
    }

    /// The instruction that a template is; none if it only stands for itself.
    pub fn instruction(&self, template: Id) -> Option<&'static str> {
        let functor = self.terms.functor(template)?;
        let arity = self.terms.arity(template);
        INSTRUCTIONS
            .iter()
            .find(|(name, least, only)| {
                *name == functor.as_str() && arity >= *least && (!only || arity == *least)
            })
            .map(|(name, ..)| *name)
            .filter(|name| !self.shadowed.contains(name))
    }

    /// A question as its file has it, blanks joined.
    pub fn question(&self, rule: &Rule, condition: Id) -> String {
        let written = self.terms.span(condition).and_then(|span| {
            let text = &self.texts[rule.file].1;
            text.get(span.from as usize..span.to as usize)
        });
        match written {
            Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            None => print_term_short(&self.terms, condition, 200),
        }
    }
}
