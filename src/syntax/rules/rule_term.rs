//! Rules and bindings as terms: `x -> y`, `let ($v <- e) t`, `t where ($v <- e)` where a bracket is open.

use super::grammar::{Pair, Rule};
use super::names::{ACTION, ALTERNATIVE, ASSIGNED, CONDITIONAL_RULE, CONS, LET, NIL, RULE, WHERE};
use super::reader::{Reader, Refusal};
use super::term::Operand;
use crate::term::{Head, Symbol};

/// The bindings around a term: those of `let` and those of `where`.
#[derive(Default)]
struct Around {
    lets: Vec<Operand>,
    wheres: Vec<Operand>,
}

impl<'a> Reader<'a> {
    /// `let x -> y`, or `let ($v <- e) t`.
    pub(super) fn let_term(&mut self, pair: Pair<'a>) -> Result<Operand, Refusal> {
        let (from, span) = (self.from(&pair), self.span_of(&pair));
        let (mut bound, mut term) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binding => bound = Some(self.assignments(part)?),
                Rule::inner => term = Some(self.nested(part)?),
                _ => {}
            }
        }
        match (bound, term) {
            (Some(bound), Some(term)) => {
                let list = self.list_of(&bound, from)?;
                self.apply(LET.into(), &[list, term], from, term.to)
            }
            (None, Some(term)) => self.apply(LET.into(), &[term], from, term.to),
            (_, None) => self.refuse(span, "expected a term"),
        }
    }

    /// A term with the bindings after it.
    pub(super) fn bound_term(&mut self, term: Operand, pair: Pair<'a>) -> Result<Operand, Refusal> {
        let mut around = Around::default();
        self.around(pair, &mut around)?;
        self.with(term, around)
    }

    /// The rule of a pattern and what stands after it, as a term.
    pub(super) fn rule_as_term(
        &mut self,
        pattern: Operand,
        pair: Pair<'a>,
    ) -> Result<Operand, Refusal> {
        let (from, to) = (pattern.from, self.to(&pair));
        let mut before = Around::default();
        let mut alternatives: Vec<(Option<Operand>, Operand)> = Vec::new();
        let mut otherwise = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binding => self.around(part, &mut before)?,
                Rule::alternative => {
                    let mut condition = None;
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::condition => condition = self.bracketed(part)?,
                            Rule::binding => self.around(part, &mut before)?,
                            Rule::outcome => alternatives.push((condition, self.result(part)?)),
                            _ => {}
                        }
                    }
                }
                Rule::otherwise => {
                    for part in part.into_inner().filter(|p| p.as_rule() == Rule::outcome) {
                        otherwise = Some(self.result(part)?);
                    }
                }
                _ => {}
            }
        }
        let pattern = self.with(pattern, before)?;
        let (first, further) = match alternatives.split_first() {
            Some((first, further)) => (*first, further.to_vec()),
            None => return self.refuse(self.span(from, to), "expected a rule"),
        };
        let (condition, result) = first;
        let Some(condition) = condition else {
            if otherwise.is_some() || !further.is_empty() {
                let message = "a rule without a condition has one result only";
                return self.refuse(self.span(from, to), message);
            }
            return self.apply(RULE.into(), &[pattern, result], from, to);
        };
        let mut parts = vec![pattern, condition, result];
        let mut cells = Vec::new();
        for (condition, result) in further {
            // The grammar has a condition after every bar.
            let condition = condition.unwrap_or(result);
            cells.push(self.apply(
                ALTERNATIVE.into(),
                &[condition, result],
                condition.from,
                result.to,
            )?);
        }
        if !cells.is_empty() || otherwise.is_some() {
            parts.push(self.list_of(&cells, from)?);
        }
        parts.extend(otherwise);
        self.apply(CONDITIONAL_RULE.into(), &parts, from, to)
    }

    /// The term in the brackets of a condition or an action.
    fn bracketed(&mut self, pair: Pair<'a>) -> Result<Option<Operand>, Refusal> {
        let term = pair.into_inner().find(|p| p.as_rule() == Rule::term);
        term.map(|p| self.nested(p)).transpose()
    }

    /// A result with its action and its bindings.
    fn result(&mut self, pair: Pair<'a>) -> Result<Operand, Refusal> {
        let span = self.span_of(&pair);
        let (mut result, mut action) = (None, None);
        let mut around = Around::default();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binding => self.around(part, &mut around)?,
                Rule::term => result = Some(self.nested(part)?),
                Rule::condition => action = self.bracketed(part)?,
                _ => {}
            }
        }
        let Some(mut result) = result else {
            return self.refuse(span, "expected a term");
        };
        if let Some(action) = action {
            result = self.apply(ACTION.into(), &[result, action], result.from, action.to)?;
        }
        self.with(result, around)
    }

    fn with(&mut self, term: Operand, around: Around) -> Result<Operand, Refusal> {
        let (from, mut to, mut term) = (term.from, term.to, term);
        if !around.lets.is_empty() {
            let list = self.list_of(&around.lets, from)?;
            term = self.apply(LET.into(), &[list, term], from, to)?;
        }
        if !around.wheres.is_empty() {
            to = around.wheres.last().map_or(to, |w| w.to);
            let list = self.list_of(&around.wheres, from)?;
            term = self.apply(WHERE.into(), &[term, list], from, to)?;
        }
        Ok(term)
    }

    fn around(&mut self, pair: Pair<'a>, around: &mut Around) -> Result<(), Refusal> {
        let is_let = pair.as_str().starts_with(LET);
        let assigned = self.assignments(pair)?;
        let into = if is_let {
            &mut around.lets
        } else {
            &mut around.wheres
        };
        into.extend(assigned);
        Ok(())
    }

    /// The values of a `let` or a `where`, each a term.
    fn assignments(&mut self, pair: Pair<'a>) -> Result<Vec<Operand>, Refusal> {
        let mut all = Vec::new();
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
            let (from, to) = (self.from(&variable), self.to(&variable));
            let id = self.terms.make(head, &[]);
            let variable = self.made(id, 1, from, to)?;
            let term = self.nested(term)?;
            all.push(self.apply(ASSIGNED.into(), &[variable, term], from, term.to)?);
        }
        Ok(all)
    }

    fn list_of(&mut self, parts: &[Operand], from: usize) -> Result<Operand, Refusal> {
        let nil = self.terms.atom(NIL.into());
        let mut list = self.made(nil, 1, from, from)?;
        for &part in parts.iter().rev() {
            list = self.apply(CONS.into(), &[part, list], part.from, list.to)?;
        }
        Ok(list)
    }
}
