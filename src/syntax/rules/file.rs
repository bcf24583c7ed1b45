//! Tokens → the items of a rule file: rules, systems, strategies.

use super::items::{
    Alternative, Attribute, Binding, Item, Outcome, RuleItem, SystemEntry, SystemItem,
};
use super::lex::{Comment, Kind, Refusal, Token, tokens};
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MOST_ERRORS, Span, Symbol, Terms};

/// Reads a rule file. `file` is the number of the text among the sources.
///
/// Items that cannot be read are left out, each with a diagnostic.
pub fn read_rules(terms: &mut Terms, file: u32, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let found = tokens(file, text);
    let mut reader = Reader {
        terms,
        file,
        text,
        tokens: &found.tokens,
        at: 0,
    };
    let mut items = Vec::new();
    let mut refusals = found.refusals;
    while reader.kind() != Kind::End && refusals.len() < MOST_ERRORS {
        if reader.accept(";") {
            continue;
        }
        let start = reader.at;
        if let Err(refusal) = reader.item(&found.comments, &mut items) {
            refusals.push(*refusal);
            reader.skip_item(start);
        }
    }
    (items, refusals)
}

impl Reader<'_> {
    /// Goes on after the item that began at a token: after the next `;`.
    fn skip_item(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while self.kind() != Kind::End && !self.accept(";") {
            self.at += 1;
        }
    }

    fn item(&mut self, comments: &[Comment], items: &mut Vec<Item>) -> Result<(), Refusal> {
        let doc = self.doc(comments);
        let attributes = self.attributes()?;
        let word = match self.kind() {
            Kind::Name(name) => name.as_str(),
            _ => "",
        };
        if word == "domain" && self.is_call("domain") {
            self.at += 2;
            self.name("the name of a domain")?;
            while self.accept(",") {
                if self.is_call("system") {
                    items.push(Item::System(self.system(comments)?));
                } else {
                    self.term()?;
                }
            }
            self.expect(")")?;
        } else if word == "system" && self.is_call("system") {
            items.push(Item::System(self.system(comments)?));
        } else if word == "strategy" && matches!(self.next_kind(), Kind::Name(_)) {
            let strategy = self.strategy(doc)?;
            items.push(Item::Strategy(strategy));
            return Ok(());
        } else {
            items.push(Item::Rule(self.rule(doc, attributes)?));
        }
        if self.kind() != Kind::End {
            self.expect(";")?;
        }
        Ok(())
    }

    pub(super) fn next_kind(&self) -> Kind {
        self.tokens.get(self.at + 1).map_or(Kind::End, |t| t.kind)
    }

    /// The comment lines directly before the token at hand, without their `#`.
    fn doc(&self, comments: &[Comment]) -> String {
        let mut below = self.token().from;
        let mut last = comments.partition_point(|c| c.to <= below);
        let mut lines = Vec::new();
        while last > 0 {
            let comment = comments[last - 1];
            let between = &self.text[comment.to..below];
            if !between.trim().is_empty() || between.matches('\n').count() != 1 {
                break;
            }
            let line = self.text[comment.from..comment.to].trim_end();
            let line = line.strip_prefix('#').unwrap_or(line);
            lines.push(line.strip_prefix(' ').unwrap_or(line));
            below = comment.from;
            last -= 1;
        }
        lines.reverse();
        lines.join("\n")
    }

    fn attributes(&mut self) -> Result<Vec<Attribute>, Refusal> {
        let mut attributes = Vec::new();
        while let Kind::Attribute(name) = self.kind() {
            let span = self.span_of(self.token());
            self.at += 1;
            let mut arguments = Vec::new();
            if self.accept("(") && !self.accept(")") {
                arguments.push(self.term()?);
                while self.accept(",") {
                    arguments.push(self.term()?);
                }
                self.expect(")")?;
            }
            attributes.push(Attribute {
                name,
                span,
                arguments,
            });
        }
        Ok(attributes)
    }

    /// A name of something, with its place.
    pub(super) fn name(&mut self, what: &str) -> Result<(Symbol, Span), Refusal> {
        let token = self.token();
        match token.kind {
            Kind::Name(name) | Kind::Quoted(name) | Kind::Text(name) => {
                self.at += 1;
                Ok((name, self.span_of(token)))
            }
            _ => self.refuse(&format!("expected {what}")),
        }
    }

    fn rule(&mut self, doc: String, attributes: Vec<Attribute>) -> Result<RuleItem, Refusal> {
        let first = self.token();
        let mut lets = Vec::new();
        let mut wheres = Vec::new();
        self.bindings(&mut lets)?;
        let pattern = self.term()?;
        self.bindings(&mut lets)?;
        let mut alternatives = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.bracketed()?;
            self.bindings(&mut lets)?;
            if !self.is("->") {
                return self.refuse(if condition.is_none() && alternatives.is_empty() {
                    "expected `->` or a condition in `[ ]`"
                } else {
                    "expected `->`"
                });
            }
            self.at += 1;
            let outcome = self.outcome(&mut wheres)?;
            alternatives.push(Alternative { condition, outcome });
            if self.accept("|") {
                if !self.is("[") {
                    return self.refuse("expected the condition of the alternative, `[…]`");
                }
                continue;
            }
            if self.accept("!->") {
                otherwise = Some(self.outcome(&mut wheres)?);
            }
            break;
        }
        let span = Span::new(self.file, first.from, self.tokens[self.at - 1].to);
        Ok(RuleItem {
            span,
            doc,
            attributes,
            pattern,
            lets,
            alternatives,
            otherwise,
            wheres,
        })
    }

    fn bracketed(&mut self) -> Result<Option<Id>, Refusal> {
        if !self.accept("[") {
            return Ok(None);
        }
        let term = self.term()?;
        self.expect("]")?;
        Ok(Some(term))
    }

    fn outcome(&mut self, wheres: &mut Vec<Binding>) -> Result<Outcome, Refusal> {
        self.bindings(wheres)?;
        let result = self.term()?;
        let action = self.bracketed()?;
        self.bindings(wheres)?;
        Ok(Outcome { result, action })
    }

    /// Any number of `let ($v <- e, …)` or `where ($v <- e, …)`.
    fn bindings(&mut self, into: &mut Vec<Binding>) -> Result<(), Refusal> {
        while self.is_call("let") || self.is_call("where") {
            self.at += 2;
            loop {
                let token = self.token();
                let head = match token.kind {
                    Kind::Variable(name) => Head::Variable(name),
                    Kind::Sequence(name) => Head::Sequence(name),
                    _ => return self.refuse("expected a variable"),
                };
                self.at += 1;
                let variable = self.terms.make(head, &[]);
                self.terms.set_span(variable, self.span_of(token));
                self.expect("<-")?;
                let value = self.term()?;
                into.push(Binding { variable, value });
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(())
    }

    /// `system(Name, facts, ruleset(…), Strategy)`; the facts' name is read and not used: a
    /// host of the engine answers for them.
    fn system(&mut self, comments: &[Comment]) -> Result<SystemItem, Refusal> {
        self.at += 2;
        let (name, span) = self.name("the name of a system")?;
        self.expect(",")?;
        self.term()?;
        self.expect(",")?;
        if !self.is_call("ruleset") {
            return self.refuse("expected `ruleset(…)`");
        }
        let opened = self.token();
        self.at += 2;
        let mut entries = Vec::new();
        if !self.accept(")") {
            loop {
                entries.push(self.system_entry(comments)?);
                if self.accept(",") || self.accept(";") {
                    if self.accept(")") {
                        break;
                    }
                    continue;
                }
                if !self.accept(")") {
                    let span = self.span_of(opened);
                    return self
                        .refuse("expected `,` or `)` after a rule")
                        .map_err(|d: Refusal| Box::new(d.also(span, "in this set of rules")));
                }
                break;
            }
        }
        self.expect(",")?;
        let strategy = self.name("the name of a strategy")?;
        self.expect(")")?;
        Ok(SystemItem {
            name,
            span,
            entries,
            strategy,
        })
    }

    fn system_entry(&mut self, comments: &[Comment]) -> Result<SystemEntry, Refusal> {
        let doc = self.doc(comments);
        let attributes = self.attributes()?;
        if self.is_call("import") {
            let token: Token = self.token();
            self.at += 2;
            let (system, _) = self.name("the name of a system")?;
            let functor = if self.accept(",") {
                Some(self.name("a functor")?.0)
            } else {
                None
            };
            self.expect(")")?;
            let span = self.span_of(token);
            return Ok(SystemEntry::Import {
                system,
                functor,
                span,
            });
        }
        if self.is_call("importTransformed") {
            return self.refuse(
                "`importTransformed` is not there: `import` the system, or write the changed rules",
            );
        }
        Ok(SystemEntry::Rule(self.rule(doc, attributes)?))
    }
}
