//! Rule files: what the grammar matched → rules, systems and strategies, item by item.

use super::grammar::{Pair, Rule};
use super::items::{Alternative, Attribute, Binding, Item, Outcome, RuleItem};
use super::names::{CONS, NIL};
use super::reader::{Reader, Refusal};
use super::scan;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MOST_ERRORS, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Reads a rule file. `file` is the number of the text among the sources.
///
/// Items that cannot be read are left out, each with a diagnostic.
pub fn read_rules(terms: &mut Terms, file: u32, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let depth = match scan::depth(text, file) {
        Ok(depth) => depth,
        Err(refusal) => return (Vec::new(), vec![*refusal]),
    };
    crate::syntax::on_stack(depth, || {
        let mut reader = Reader::new(terms, file, text);
        let mut items = Vec::new();
        let mut refusals = Vec::new();
        while reader.at < text.len() && refusals.len() < MOST_ERRORS {
            let read = match reader.step(Rule::next_item) {
                Ok(pairs) => reader.item(pairs, &mut items),
                Err(refusal) => {
                    let place = refusal.span.map_or(reader.at, |s| s.from as usize);
                    reader.skip_item(place);
                    Err(refusal)
                }
            };
            refusals.extend(read.err().map(|refusal| *refusal));
        }
        (items, refusals)
    })
}

impl<'a> Reader<'a> {
    /// Goes on after the next `;` from a place.
    pub(super) fn skip_item(&mut self, place: usize) {
        let start = self.at;
        self.at = place.max(start);
        loop {
            let found = self.found(self.at);
            let ends = found.rule == Rule::semicolon && found.to > start;
            self.at = found.next;
            if ends || found.rule == Rule::EOI {
                return;
            }
        }
    }

    fn item(&mut self, pairs: Vec<Pair<'a>>, items: &mut Vec<Item>) -> Result<(), Refusal> {
        let doc = pairs
            .first()
            .map_or(String::new(), |p| self.doc(self.from(p)));
        let mut attributes = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::attribute => attributes.push(self.attribute(pair)?),
                Rule::domain => self.domain(pair, "", items)?,
                Rule::system => {
                    let attributes = std::mem::take(&mut attributes);
                    items.push(Item::System(self.system(pair, "", attributes)?));
                }
                Rule::strategy => items.push(Item::Strategy(self.strategy(pair, doc.clone())?)),
                Rule::switches => items.push(Item::Group(self.group(pair, doc.clone())?)),
                Rule::predicate => {
                    for part in pair.into_inner().filter(|p| p.as_rule() == Rule::rule) {
                        let attributes = std::mem::take(&mut attributes);
                        items.push(Item::Clause(self.rule(part, doc.clone(), attributes)?));
                    }
                }
                Rule::rule => {
                    let attributes = std::mem::take(&mut attributes);
                    items.push(Item::Rule(self.rule(pair, doc.clone(), attributes)?));
                }
                _ => {}
            }
        }
        self.no_operator(&attributes)
    }

    /// The comment lines directly before a place, without their `#`.
    pub(super) fn doc(&self, place: usize) -> String {
        let line_of = |at: usize| self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        let mut lines = Vec::new();
        let mut start = line_of(place);
        if !self.text[start..place].trim().is_empty() {
            return String::new();
        }
        while start > 0 {
            let above = line_of(start - 1);
            let line = self.text[above..start].trim();
            let Some(line) = line.strip_prefix('#').filter(|l| !l.starts_with('@')) else {
                break;
            };
            lines.push(line.strip_prefix(' ').unwrap_or(line));
            start = above;
        }
        lines.reverse();
        lines.join("\n")
    }

    pub(super) fn attribute(&mut self, pair: Pair<'a>) -> Result<Attribute, Refusal> {
        let mut attribute = Attribute {
            name: Symbol::new(""),
            span: self.span_of(&pair),
            arguments: Vec::new(),
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::attribute_name => {
                    attribute.name = Symbol::new(&part.as_str()[2..]);
                    attribute.span = self.span_of(&part);
                }
                Rule::term => attribute.arguments.push(self.term(part)?),
                _ => {}
            }
        }
        Ok(attribute)
    }

    pub(super) fn rule(
        &mut self,
        pair: Pair<'a>,
        doc: String,
        attributes: Vec<Attribute>,
    ) -> Result<RuleItem, Refusal> {
        let from = self.from(&pair);
        let (mut lets, mut wheres) = (Vec::new(), Vec::new());
        let (mut pattern, mut otherwise) = (None, None);
        let mut alternatives = Vec::new();
        let nothing = self.span_of(&pair);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binding => self.binding(part, &mut lets)?,
                Rule::term => pattern = Some(self.term(part)?),
                Rule::alternative => {
                    let mut condition = None;
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::condition => condition = self.condition(part)?,
                            Rule::binding => self.binding(part, &mut lets)?,
                            Rule::outcome => {
                                let outcome = self.outcome(part, pattern, &mut wheres)?;
                                alternatives.push(Alternative { condition, outcome });
                            }
                            _ => {}
                        }
                    }
                }
                Rule::otherwise => {
                    for part in part.into_inner().filter(|p| p.as_rule() == Rule::outcome) {
                        otherwise = Some(self.outcome(part, pattern, &mut wheres)?);
                    }
                }
                _ => {}
            }
        }
        let Some(pattern) = pattern else {
            return self.refuse(nothing, "expected a term");
        };
        Ok(RuleItem {
            span: self.span(from, self.last),
            doc,
            attributes,
            pattern,
            lets,
            alternatives,
            otherwise,
            wheres,
        })
    }

    /// `[condition]` or `[action]`
    fn condition(&mut self, pair: Pair<'a>) -> Result<Option<Id>, Refusal> {
        let to = self.to(&pair);
        let term = pair.into_inner().find(|p| p.as_rule() == Rule::term);
        let term = term.map(|p| self.term(p)).transpose();
        self.last = to;
        term
    }

    fn outcome(
        &mut self,
        pair: Pair<'a>,
        pattern: Option<Id>,
        wheres: &mut Vec<Binding>,
    ) -> Result<Outcome, Refusal> {
        let span = self.span_of(&pair);
        let (mut result, mut action) = (None, None);
        let mut own = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binding => self.binding(part, &mut own)?,
                Rule::term => result = Some(self.term(part)?),
                Rule::condition => action = self.condition(part)?,
                _ => {}
            }
        }
        action = action.and_then(|action| self.without_bindings(action, pattern, &mut own));
        let Some(result) = result else {
            return self.refuse(span, "expected a term");
        };
        let mut outcome = Outcome { result, action };
        self.keep_apart(&mut outcome, &mut own, wheres);
        wheres.extend(own);
        Ok(outcome)
    }

    /// `assign($v, e)` and `unify($v, e)` as actions give a variable of the result its value, as `where`
    /// does; of an action, the parts that are left.
    fn without_bindings(
        &mut self,
        action: Id,
        pattern: Option<Id>,
        own: &mut Vec<Binding>,
    ) -> Option<Id> {
        let before = own.len();
        let (mut left, mut work) = (Vec::new(), vec![action]);
        while let Some(part) = work.pop() {
            let functor = self.terms.functor(part).map_or("", Symbol::as_str);
            match (functor, self.terms.args(part)) {
                ("And" | CONS, &[first, rest]) => work.extend([rest, first]),
                (NIL, []) => {}
                _ => match self.bound_by(part, pattern) {
                    Some(binding) => own.push(binding),
                    None => left.push(part),
                },
            }
        }
        if own.len() == before {
            return Some(action);
        }
        let terms = &mut *self.terms;
        left.into_iter()
            .reduce(|a, b| terms.apply("And".into(), &[a, b]))
    }

    /// What a part of an action gives a variable.
    fn bound_by(&self, part: Id, pattern: Option<Id>) -> Option<Binding> {
        let &[a, b] = self.terms.args(part) else {
            return None;
        };
        let is_variable = |id: Id| matches!(self.terms.head(id), Head::Variable(_));
        let is_new = |id: Id| {
            let mut known = pattern.iter().flat_map(|&p| self.terms.subterms(p));
            is_variable(id) && known.all(|part| self.terms.head(part) != self.terms.head(id))
        };
        let (variable, value) = match self.terms.functor(part)?.as_str() {
            "assign" if is_variable(a) => (a, b),
            "unify" if is_new(a) => (a, b),
            "unify" if is_new(b) => (b, a),
            _ => return None,
        };
        Some(Binding { variable, value })
    }

    /// Gives the variables of an outcome's `where` other names where an earlier outcome has them.
    fn keep_apart(&mut self, outcome: &mut Outcome, own: &mut [Binding], earlier: &[Binding]) {
        for at in 0..own.len() {
            let old = own[at].variable;
            let Head::Variable(name) = self.terms.head(old) else {
                continue;
            };
            let same = |b: &&Binding| self.terms.head(b.variable) == Head::Variable(name);
            if earlier.iter().find(same).is_none() {
                continue;
            }
            // No variable that is written has such a name.
            let new = Symbol::new(&format!("{name}'{}", earlier.len()));
            let new = self.terms.make(Head::Variable(new), &[]);
            if let Some(span) = self.terms.span(old) {
                self.terms.set_span(new, span);
            }
            outcome.result = replaced(self.terms, outcome.result, old, new);
            outcome.action = outcome
                .action
                .map(|action| replaced(self.terms, action, old, new));
            for binding in own.iter_mut() {
                binding.value = replaced(self.terms, binding.value, old, new);
            }
            own[at].variable = new;
        }
    }

    /// `let ($v <- e, …)` or `where ($v <- e, …)`.
    fn binding(&mut self, pair: Pair<'a>, into: &mut Vec<Binding>) -> Result<(), Refusal> {
        let to = self.to(&pair);
        for value in pair.into_inner().filter(|p| p.as_rule() == Rule::value) {
            let mut inner = value.into_inner();
            let (Some(variable), Some(term)) = (inner.next(), inner.nth(1)) else {
                continue;
            };
            let name = &variable.as_str()[1..];
            let head = match variable.as_rule() {
                Rule::variable => Head::Variable(Symbol::new(name)),
                _ => Head::Sequence(Symbol::new(name.trim_end_matches('.'))),
            };
            let span = self.span_of(&variable);
            let variable = self.terms.make(head, &[]);
            self.terms.set_span(variable, span);
            let value = self.term(term)?;
            into.push(Binding { variable, value });
        }
        self.last = to;
        Ok(())
    }
}

/// A term with a variable replaced. Does not recurse.
fn replaced(terms: &mut Terms, within: Id, old: Id, new: Id) -> Id {
    let mut done: FxHashMap<Id, Id> = FxHashMap::default();
    let mut work = vec![(within, false)];
    while let Some((id, visited)) = work.pop() {
        if done.contains_key(&id) {
            continue;
        }
        if terms.equal(id, old) {
            done.insert(id, new);
        } else if terms.arity(id) == 0 {
            done.insert(id, id);
        } else if !visited {
            work.push((id, true));
            work.extend(terms.args(id).iter().map(|&a| (a, false)));
        } else {
            let args: Vec<Id> = terms.args(id).iter().map(|a| done[a]).collect();
            let same = args == terms.args(id);
            let made = if same { id } else { terms.with_args(id, &args) };
            done.insert(id, made);
        }
    }
    done[&within]
}
