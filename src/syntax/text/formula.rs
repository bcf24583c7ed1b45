//! Operators in the formula form → terms.
//!
//! To the grammar a formula is an expression: `A * B` looks like a product, `E` like a name. What stands
//! for an operator is read here.

use super::expression::Parts;
use super::grammar::{Pair, Rule};
use super::reader::{Made, Read, Reader};
use crate::algebra::{Construct, Role, Sort, TABLE, then};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MAX_DEPTH, Symbol};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The letters that formulas have for operators, such as E.
static LETTERS: LazyLock<FxHashMap<&'static str, Construct>> = LazyLock::new(|| {
    let letter = |formula: &'static str| {
        let end = formula.find(|c: char| !c.is_ascii_uppercase());
        &formula[..end.unwrap_or(formula.len())]
    };
    TABLE
        .iter()
        .filter(|info| info.sort == Sort::Operator && !letter(info.formula).is_empty())
        .map(|info| (letter(info.formula), info.construct))
        .collect()
});

/// The header of a loop, with what it is a loop of.
struct Loop {
    construct: Construct,
    parts: Vec<Id>,
    from: usize,
}

impl<'a> Reader<'a> {
    /// Reads products, at once where there are several: `A ∨̇ B`. `∨̇ A` is one branch alone.
    pub(super) fn formula(&mut self, pair: Pair<'a>) -> Read<Made> {
        let mut parts = pair.into_inner().peekable();
        let alone = parts.next_if(|p| p.as_rule() == Rule::at_once && !has_range(p));
        let start = alone.as_ref().map(|p| self.from(p));
        let mut branches = Vec::new();
        let mut from = start;
        loop {
            let (product, more) = self.product(&mut parts)?;
            let from = *from.get_or_insert(product.from);
            if !more && branches.is_empty() && start.is_none() {
                return Ok(product);
            }
            if branches.len() > MAX_DEPTH {
                return self.too_deep(product.from, product.to);
            }
            branches.push(product.id);
            if !more {
                let to = product.to;
                let id = self.make(Construct::Async, &branches, from, to);
                return Ok(Made { id, from, to });
            }
        }
    }

    /// Reads factors in order; says whether a sign of branches stands after them.
    fn product(&mut self, parts: &mut Parts<'a>) -> Read<(Made, bool)> {
        let first = self.factor(parts)?;
        let (from, mut to) = (first.from, first.to);
        let mut factors = vec![first.id];
        let more = loop {
            let Some(sign) = parts.next() else {
                break false;
            };
            match sign.as_str() {
                "*" | "×" => {
                    let factor = self.factor(parts)?;
                    to = factor.to;
                    factors.push(factor.id);
                }
                "||" | "∨̇" => break true,
                other => {
                    let message = format!("`{other}` cannot stand between operators");
                    let diagnostic = Diagnostic::error("E0104", message)
                        .at(self.span_of(&sign))
                        .hint(
                            "operators in order are A * B, operators at once A ∨̇ B, typed A || B",
                        );
                    return self.fail(diagnostic);
                }
            }
        };
        let id = then(self.terms, &factors);
        if factors.len() != 1 && self.terms.span(id).is_none() {
            let span = self.span(from, to);
            self.terms.set_span(id, span);
        }
        Ok((Made { id, from, to }, more))
    }

    fn factor(&mut self, parts: &mut Parts<'a>) -> Read<Made> {
        let mut loops: Vec<Loop> = Vec::new();
        let operand = loop {
            let Some(pair) = parts.next() else {
                return self.needs_operator(self.last.0, self.last.1);
            };
            match pair.as_rule() {
                Rule::each | Rule::at_once if has_range(&pair) => {
                    let header = self.range(pair)?;
                    loops.push(header);
                }
                _ => break pair,
            }
        };
        let (mut from, operand_to) = (self.from(&operand), self.to(&operand));
        let mut to = operand_to;
        let mut id = match operand.as_rule() {
            Rule::phrase => self.phrase(from, to)?,
            Rule::basic => self.basic(operand)?,
            Rule::group => match operand.into_inner().nth(1) {
                Some(inner) => self.formula(inner)?.id,
                None => return self.needs_operator(from, to),
            },
            Rule::choice => {
                let mut inner = expressions(operand);
                let condition = self.next_value(&mut inner, from)?;
                let yes = self.next_formula(&mut inner, from)?;
                let no = match inner.next() {
                    Some(no) => self.formula(no)?.id,
                    None => self.terms.atom(Construct::Empty.symbol()),
                };
                self.make(Construct::If, &[condition, yes, no], from, to)
            }
            Rule::repeat => {
                let mut inner = expressions(operand);
                let until = self.next_value(&mut inner, from)?;
                let body = self.next_formula(&mut inner, from)?;
                // `{[u] A}` repeats until u.
                let condition = match self.terms.functor(until) {
                    Some(f) if f == Construct::Not.symbol() => self.terms.arg(until, 0),
                    _ => {
                        let not = self.terms.apply(Construct::Not.symbol(), &[until]);
                        self.terms.copy_origin(until, not);
                        not
                    }
                };
                self.make(Construct::While, &[condition, body], from, to)
            }
            Rule::name | Rule::letter_k => {
                let Some(&construct) = LETTERS.get(operand.as_str()) else {
                    return self.needs_operator(from, to);
                };
                let after = parts.next_if(|p| p.as_rule() == Rule::arguments);
                if let Some(after) = &after {
                    to = self.to(after);
                }
                let launched = parts.next_if(|p| p.as_rule() == Rule::launched);
                let made = self.lettered(construct, after, launched, from, to)?;
                to = made.to;
                made.id
            }
            _ => return self.needs_operator(from, to),
        };
        if let Some(next) = parts.peek()
            && matches!(
                next.as_rule(),
                Rule::field | Rule::subscripts | Rule::launched
            )
        {
            let at = self.from(next);
            return self.needs_operator(at, at + 1);
        }
        while let Some(mut header) = loops.pop() {
            header.parts.push(id);
            from = header.from;
            id = self.make(header.construct, &header.parts, from, to);
        }
        Ok(Made { id, from, to })
    }

    /// `∏(i = a..b)`, `∏(i = a..b : s)`, `∨̇(i = a..b)` or `∨̇(i = a..b : width)`.
    fn range(&mut self, pair: Pair<'a>) -> Read<Loop> {
        let from = self.from(&pair);
        let each = pair.as_rule() == Rule::each;
        let mut parts = Vec::new();
        for part in pair.into_inner().flat_map(|range| range.into_inner()) {
            match part.as_rule() {
                Rule::loop_variable => parts.push(self.name(&part)?),
                Rule::expression => parts.push(self.expression(part)?.id),
                _ => {}
            }
        }
        let construct = match (each, parts.len()) {
            (true, 4) => Construct::ForStep,
            (true, _) => Construct::ForLoop,
            (false, 4) => Construct::Lanes,
            (false, _) => Construct::Parallel,
        };
        Ok(Loop {
            construct,
            parts,
            from,
        })
    }

    /// Reads what follows the letter of an operator: what is not an operator stands in parentheses, an
    /// operator after them.
    fn lettered(
        &mut self,
        construct: Construct,
        arguments: Option<Pair<'a>>,
        launched: Option<Pair<'a>>,
        from: usize,
        mut to: usize,
    ) -> Read<Made> {
        let roles = construct.info().arguments;
        let wanted = roles.iter().filter(|&&r| r != Role::Operator).count();
        let given: Vec<Pair> = arguments.into_iter().flat_map(expressions).collect();
        if given.len() != wanted {
            let letter = &self.text[from..from + 1];
            let message = format!(
                "`{letter}` takes {wanted} in parentheses, not {}",
                given.len()
            );
            let diagnostic = Diagnostic::error("E0104", message)
                .at(self.span(from, to))
                .hint("formulas have T('text'), S('text'), F(predicate), K(blocks, threads) A, E and N");
            return self.fail(diagnostic);
        }
        let mut parts = Vec::new();
        for (argument, role) in given.into_iter().zip(roles) {
            parts.push(match role {
                Role::Text => self.synchronizer(argument)?,
                _ => self.expression(argument)?.id,
            });
        }
        match launched {
            Some(launched) => {
                let body = self.factor(&mut launched.into_inner().peekable())?;
                parts.push(body.id);
                to = body.to;
            }
            None if roles.contains(&Role::Operator) => return self.needs_operator(from, to),
            None => {}
        }
        let id = self.make(construct, &parts, from, to);
        Ok(Made { id, from, to })
    }

    /// The text of a control point, with or without quotes.
    fn synchronizer(&mut self, pair: Pair<'a>) -> Read<Id> {
        let span = (self.from(&pair), self.to(&pair));
        let mut inner = pair.into_inner();
        match (inner.next(), inner.next()) {
            (Some(word), None) if matches!(word.as_rule(), Rule::name | Rule::letter_k) => {
                let (from, to) = (self.from(&word), self.to(&word));
                Ok(self.leaf(Head::Text(Symbol::new(word.as_str())), from, to))
            }
            (Some(text), None) if matches!(text.as_rule(), Rule::phrase | Rule::predicate) => {
                Ok(self.waited_for(text))
            }
            _ => {
                let diagnostic = Diagnostic::error("E0104", "expected a text in quotes")
                    .at(self.span(span.0, span.1))
                    .hint("a control point and those that wait for it have a name: T('done'), S('done')");
                self.fail(diagnostic)
            }
        }
    }

    /// `⟨ … ⟩`: an operator without operators in it, or the header of one that stands in parentheses
    /// after it.
    fn basic(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else {
            return self.needs_operator(from, to);
        };
        if first.as_rule() != Rule::with_body {
            return self.operator(first).map(|made| made.id);
        }
        let mut construct = Construct::Recorded;
        let mut parts = Vec::new();
        for part in first.into_inner() {
            match part.as_rule() {
                Rule::TIMED => construct = Construct::Timed,
                Rule::ARRAY => construct = Construct::Array,
                Rule::dims => parts.push(self.dims(part)?),
                Rule::given_condition => {
                    construct = Construct::GivenIf;
                    parts.push(self.given_condition(part)?);
                }
                Rule::GIVEN_FOR => construct = Construct::GivenFor,
                Rule::expression => parts.push(self.expression(part)?.id),
                rule if rule.is_mark() => {}
                Rule::type_name => parts.push(self.type_name(part)?),
                _ => parts.push(self.name(&part)?),
            }
        }
        let mut bodies = inner.filter(|p| p.as_rule() == Rule::expression);
        let (Some(body), other) = (bodies.next(), bodies.next()) else {
            return self.needs_operator(from, to);
        };
        parts.push(self.formula(body)?.id);
        match (construct, other) {
            (Construct::GivenIf, Some(other)) => parts.push(self.formula(other)?.id),
            (_, Some(other)) => {
                let at = self.from(&other);
                return self.needs_operator(at, at);
            }
            _ => {}
        }
        Ok(self.given_part(construct, parts, from, to))
    }

    fn next_value(&mut self, inner: &mut impl Iterator<Item = Pair<'a>>, from: usize) -> Read<Id> {
        match inner.next() {
            Some(value) => self.expression(value).map(|made| made.id),
            None => self.needs_operator(from, from),
        }
    }

    fn next_formula(
        &mut self,
        inner: &mut impl Iterator<Item = Pair<'a>>,
        from: usize,
    ) -> Read<Id> {
        match inner.next() {
            Some(operator) => self.formula(operator).map(|made| made.id),
            None => self.needs_operator(from, from),
        }
    }

    pub(super) fn needs_operator<T>(&mut self, from: usize, to: usize) -> Read<T> {
        let found = self.found(from).shown;
        let diagnostic = Diagnostic::error("E0104", format!("expected an operator, found {found}"))
            .at(self.span(from, to))
            .hint("in a formula assignments and other basic operators stand in ⟨ … ⟩ or << … >>");
        self.fail(diagnostic)
    }
}

fn has_range(pair: &Pair) -> bool {
    pair.clone().into_inner().next().is_some()
}

/// The expressions among the parts of a pair.
fn expressions(pair: Pair<'_>) -> impl Iterator<Item = Pair<'_>> {
    pair.into_inner()
        .filter(|p| p.as_rule() == Rule::expression)
}
