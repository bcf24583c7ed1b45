//! The graph form: nodes by their labels → terms.

use super::grammar::{Pair, Rule};
use super::reader::{Read, Reader};
use crate::algebra::Construct;
use crate::term::Id;

impl<'a> Reader<'a> {
    /// Reads nodes.
    pub(super) fn flow(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, mut to) = (self.from(&pair), self.from(&pair));
        let mut nodes = Vec::new();
        for node in pair.into_inner() {
            let (id, end) = self.node(node)?;
            nodes.push(id);
            to = end;
        }
        Ok(self.make(Construct::Flow, &nodes, from, to))
    }

    /// Reads a node; gives one past its last byte, too.
    pub(super) fn node(&mut self, pair: Pair<'a>) -> Read<(Id, usize)> {
        let (from, mut to) = (self.from(&pair), self.to(&pair));
        let mut construct = Construct::Node;
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::label => parts.push(self.label(part)?),
                Rule::asks | Rule::acts => {
                    if part.as_rule() == Rule::asks {
                        construct = Construct::Choice;
                    }
                    for part in part.into_inner() {
                        let id = match part.as_rule() {
                            Rule::edge => {
                                to = self.to(&part);
                                self.edge(part)?
                            }
                            Rule::expression => self.expression(part)?.id,
                            Rule::EMPTY | Rule::UNDEFINED | Rule::BARRIER => {
                                self.operator(part)?.id
                            }
                            rule if rule.is_mark() => continue,
                            _ => self.operator(part)?.id,
                        };
                        parts.push(id);
                    }
                }
                _ => {}
            }
        }
        Ok((self.make(construct, &parts, from, to), to))
    }

    /// A number or a name.
    fn label(&mut self, pair: Pair<'a>) -> Read<Id> {
        match pair.clone().into_inner().next() {
            Some(number) if number.as_rule() == Rule::whole => self.number(&number, false),
            _ => self.name(&pair),
        }
    }

    /// Where an edge leads: a label, or the end.
    fn edge(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        match pair.into_inner().next() {
            Some(label) if label.as_rule() == Rule::label => self.label(label),
            _ => Ok(self.make(Construct::Stop, &[], from, to)),
        }
    }
}
