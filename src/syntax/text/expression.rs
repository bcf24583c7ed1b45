//! Expressions and predicates → terms, by the precedence of the table of constructs.
//!
//! An expression is a flat list of prefixes, operands and signs. Signs wait on a stack until one that
//! binds less tightly comes, so that a long list takes no recursion.

use super::grammar::{Pair, Rule};
use super::reader::{Form, Made, Read, Reader, is_index};
use crate::algebra::{Construct, SIGNS, TABLE};
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MAX_DEPTH};
use rustc_hash::FxHashMap;
use std::iter::Peekable;
use std::sync::LazyLock;

/// The parts of an expression, in order.
pub(super) type Parts<'a> = Peekable<pest::iterators::Pairs<'a, Rule>>;

/// What the literal 2^63 is taken for, which is an integer only after a minus.
const LEAST: i64 = i64::MIN;

/// The constructs that stand between two arguments, by their signs in texts and in formulas.
static BETWEEN: LazyLock<[FxHashMap<&'static str, Construct>; 2]> =
    LazyLock::new(|| [false, true].map(between));

fn between(formula: bool) -> FxHashMap<&'static str, Construct> {
    let mut map = FxHashMap::default();
    for info in TABLE {
        let columns = [Some(info.text), formula.then_some(info.formula)];
        for pattern in columns.into_iter().flatten() {
            if let ["%1", sign, "%2"] = pattern.split(' ').collect::<Vec<_>>()[..] {
                map.insert(sign, info.construct);
            }
        }
    }
    for sign in SIGNS.iter().filter(|s| s.is_read(formula)) {
        for (one, other) in [(sign.sign, sign.twin), (sign.twin, sign.sign)] {
            if let Some(&construct) = map.get(one) {
                map.entry(other).or_insert(construct);
            }
        }
    }
    // `·` is a prediction there.
    if formula {
        map.remove("·");
    }
    map
}

/// The signs and keywords (`@Or`) that stand for a construct between two operands of the text form, in order.
pub fn signs_between(construct: Construct) -> Vec<&'static str> {
    let of_it = BETWEEN[0].iter().filter(|(_, c)| **c == construct);
    let mut signs: Vec<&str> = of_it.map(|(sign, _)| *sign).collect();
    signs.sort_unstable();
    signs
}

/// How tightly a sign between two operands binds.
pub(in crate::syntax) fn binds(pair: &Pair<'_>) -> u8 {
    let construct = match pair.as_rule() {
        Rule::OR => Some(Construct::Or),
        Rule::AND => Some(Construct::And),
        Rule::MOD => Some(Construct::Mod),
        _ => BETWEEN[0].get(pair.as_str()).copied(),
    };
    construct.map_or(0, |construct| construct.info().precedence)
}

/// What waits for its last argument.
enum Waiting {
    /// A construct between two arguments, the first of which is read.
    Between(Construct),
    /// A minus, and the byte where it stands.
    Minus(usize),
    /// A negation, and where it stands.
    Not(usize),
    /// A prediction after an operator.
    After(Id, usize),
}

impl Waiting {
    /// Signs that bind at least so tightly belong to the argument that is waited for. All associate
    /// to the left, but powers to the right.
    fn least(&self) -> u8 {
        match self {
            Waiting::Between(Construct::Power) => Construct::Negate.info().precedence,
            Waiting::Between(construct) => construct.info().precedence + 1,
            Waiting::Minus(_) => Construct::Power.info().precedence,
            Waiting::Not(_) | Waiting::After(..) => Construct::Not.info().precedence,
        }
    }
}

/// An argument that was read.
#[derive(Clone, Copy)]
struct Operand {
    made: Made,
    /// Whether it is a number and nothing else, so that a minus before it is its own.
    is_number: bool,
}

impl<'a> Reader<'a> {
    /// Reads an expression or a predicate.
    pub(super) fn expression(&mut self, pair: Pair<'a>) -> Read<Made> {
        let mut parts = pair.into_inner().peekable();
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut operands: Vec<Operand> = Vec::new();
        let mut length = 0;
        loop {
            self.prefixes(&mut parts, &mut waiting)?;
            let Some(pair) = parts.next() else {
                return self.needs_value(self.last);
            };
            if pair.as_rule() == Rule::group && self.foretells(&mut parts) {
                let from = self.from(&pair);
                let inner = pair.into_inner().nth(1);
                let Some(inner) = inner else {
                    return self.needs_value(self.last);
                };
                let operator = self.formula(inner)?.id;
                waiting.push(Waiting::After(operator, from));
                continue;
            }
            let after_minus = matches!(waiting.last(), Some(Waiting::Minus(_)));
            let operand = self.operand(pair, &mut parts, after_minus)?;
            operands.push(operand);
            let Some((construct, from, to)) = self.sign_between(&mut parts)? else {
                break;
            };
            length += 1;
            if length > MAX_DEPTH {
                return self.too_deep(from, to);
            }
            let precedence = construct.info().precedence;
            let comparison = Construct::Equal.info().precedence;
            while let Some(top) = waiting.pop_if(|w| precedence < w.least()) {
                let chained = precedence == comparison
                    && matches!(&top, Waiting::Between(c) if c.info().precedence == comparison);
                if chained {
                    let diagnostic = Diagnostic::error("E0104", "comparisons cannot be chained")
                        .at(self.span(from, to))
                        .hint("write `a < b AND b < c`");
                    return self.fail(diagnostic);
                }
                self.build(top, &mut operands);
            }
            waiting.push(Waiting::Between(construct));
        }
        while let Some(top) = waiting.pop() {
            self.build(top, &mut operands);
        }
        match operands.pop() {
            Some(operand) => Ok(operand.made),
            None => self.needs_value(self.last),
        }
    }

    /// Takes what stands before an operand.
    fn prefixes(&mut self, parts: &mut Parts<'a>, waiting: &mut Vec<Waiting>) -> Read<()> {
        while let Some(pair) = parts.next_if(|p| is_prefix(p.as_rule())) {
            let from = self.from(&pair);
            match pair.as_rule() {
                Rule::minus => waiting.push(Waiting::Minus(from)),
                Rule::not => {
                    let sign = pair.as_str();
                    if !self.signs_of_formulas && matches!(sign, "!" | "¬") {
                        return self.sign_of_formulas(sign, from);
                    }
                    waiting.push(Waiting::Not(from));
                }
                Rule::after => {
                    let operator = self.after(pair)?;
                    waiting.push(Waiting::After(operator, from));
                }
                _ => {
                    let to = self.to(&pair).min(from + pair.as_str().trim_end().len());
                    return self.needs_value((from, to));
                }
            }
            if waiting.len() > MAX_DEPTH {
                return self.too_deep(from, from + 1);
            }
        }
        Ok(())
    }

    /// The operator of `AFTER ( A ) u`. In a graph, too, it is text.
    fn after(&mut self, pair: Pair<'a>) -> Read<Id> {
        let mut inner = pair.into_inner().skip(1);
        let (Some(open), Some(body)) = (inner.next(), inner.next()) else {
            return self.needs_value(self.last);
        };
        let form = self.form;
        if form == Form::Graph {
            self.form = Form::Text;
        }
        let from = self.from(&open);
        let operator = match body.as_rule() {
            Rule::expression => self.formula(body).map(|made| made.id),
            _ => self.body(body, from),
        };
        self.form = form;
        operator
    }

    /// Takes the sign of a prediction, `(A)·u`, if one comes next.
    fn foretells(&mut self, parts: &mut Parts<'a>) -> bool {
        let is_sign = |p: &Pair| p.as_rule() == Rule::sign && matches!(p.as_str(), "·" | "~>");
        self.signs_of_formulas && parts.next_if(is_sign).is_some()
    }

    /// Takes the sign between two operands, with its place; none at the end.
    fn sign_between(&mut self, parts: &mut Parts<'a>) -> Read<Option<(Construct, usize, usize)>> {
        let Some(pair) = parts.next() else {
            return Ok(None);
        };
        let (from, to) = (self.from(&pair), self.to(&pair));
        let sign = pair.as_str();
        let construct = match pair.as_rule() {
            Rule::OR => Some(Construct::Or),
            Rule::AND => Some(Construct::And),
            Rule::MOD => Some(Construct::Mod),
            Rule::mod_ if self.form != Form::Formula => None,
            Rule::sign | Rule::mod_ => {
                let signs = &BETWEEN[usize::from(self.signs_of_formulas)];
                signs.get(sign).copied()
            }
            _ => None,
        };
        match construct {
            Some(construct) => Ok(Some((construct, from, to))),
            None => self.unknown_sign(pair.as_rule(), sign, from),
        }
    }

    /// Fails because of a sign that stands for nothing in this form.
    fn unknown_sign<T>(&mut self, rule: Rule, sign: &str, from: usize) -> Read<T> {
        let known = BETWEEN[1].contains_key(sign) || matches!(sign, "||" | "∨̇" | "~>" | "·");
        if rule == Rule::sign && known && !self.signs_of_formulas {
            return self.sign_of_formulas(sign, from);
        }
        let span = self.span(from, from + sign.len());
        let none = Diagnostic::error("E0104", format!("there is no sign `{sign}` here")).at(span);
        let diagnostic = match super::slips::sign(self, sign, from) {
            Some((hint, written)) => none.hint(hint).fixed(span, written),
            None => Diagnostic {
                message: format!("`{sign}` cannot stand in an expression"),
                ..none
            },
        };
        self.fail(diagnostic)
    }

    fn sign_of_formulas<T>(&mut self, sign: &str, from: usize) -> Read<T> {
        let span = self.span(from, from + sign.len());
        let message = format!("there is no sign `{sign}` here");
        let none = Diagnostic::error("E0104", message).at(span);
        let diagnostic = match super::slips::sign(self, sign, from) {
            Some((hint, written)) => none.hint(hint).fixed(span, written),
            None => none.hint("it is a sign of formulas, which stand in files named .saaf"),
        };
        self.fail(diagnostic)
    }

    /// Builds the term of a sign whose arguments are read.
    fn build(&mut self, waiting: Waiting, operands: &mut Vec<Operand>) {
        let last = operands.pop().expect("a sign stands before an operand");
        let to = last.made.to;
        let (id, from) = match waiting {
            Waiting::Between(construct) => {
                let left = operands.pop().expect("a sign stands after an operand").made;
                let id = self.make(construct, &[left.id, last.made.id], left.from, to);
                (id, left.from)
            }
            Waiting::Minus(from) => (self.minus(last, from), from),
            Waiting::Not(from) => (self.make(Construct::Not, &[last.made.id], from, to), from),
            Waiting::After(operator, from) => {
                let arguments = [operator, last.made.id];
                (self.make(Construct::After, &arguments, from, to), from)
            }
        };
        operands.push(Operand {
            made: Made { id, from, to },
            is_number: false,
        });
    }

    fn minus(&mut self, operand: Operand, from: usize) -> Id {
        let to = operand.made.to;
        let head = match self.terms.head(operand.made.id) {
            Head::Int(i) if operand.is_number => Head::Int(i.wrapping_neg()),
            Head::Real(x) if operand.is_number => Head::Real(-x),
            _ => return self.make(Construct::Negate, &[operand.made.id], from, to),
        };
        self.leaf(head, from, to)
    }

    /// Reads an operand with the subscripts, arguments and components after it.
    fn operand(&mut self, pair: Pair<'a>, parts: &mut Parts<'a>, minus: bool) -> Read<Operand> {
        let (from, mut to) = (self.from(&pair), self.to(&pair));
        let mut is_number = false;
        let mut id = match pair.as_rule() {
            Rule::number => {
                is_number = true;
                let next = parts.peek();
                let alone = next.is_none_or(|p| p.as_rule() != Rule::field && p.as_str() != "^");
                self.number(&pair, minus && alone)?
            }
            Rule::name | Rule::letter_k => {
                let next =
                    parts.next_if(|p| matches!(p.as_rule(), Rule::subscripts | Rule::arguments));
                if let Some(next) = &next {
                    to = self.to(next);
                }
                let id = self.named(&pair, next)?;
                if let Some(launched) = parts.next_if(|p| p.as_rule() == Rule::launched) {
                    let at = self.from(&launched);
                    return self.needs_value((at, at));
                }
                id
            }
            Rule::group => {
                let inner = pair.into_inner().nth(1);
                match inner {
                    Some(inner) => self.expression(inner)?.id,
                    None => return self.needs_value((from, to)),
                }
            }
            Rule::predicate => {
                let (name, arguments) = self.quoted(from, to)?;
                let all: Vec<Id> = [name].into_iter().chain(arguments).collect();
                self.make(Construct::Test, &all, from, to)
            }
            Rule::TRUE => self.make(Construct::True, &[], from, to),
            Rule::FALSE => self.make(Construct::False, &[], from, to),
            Rule::phrase if self.words => self.text_between(from, to),
            Rule::phrase => {
                let message = "a phrase acts, but a value or a predicate is needed here";
                let diagnostic = Diagnostic::error("E0104", message)
                    .at(self.span(from, to))
                    .hint("predicates stand in single quotes: '…'");
                return self.fail(diagnostic);
            }
            _ => return self.needs_value((from, to)),
        };
        let mut length = 0;
        while let Some(field) = parts.next_if(|p| p.as_rule() == Rule::field) {
            length += 1;
            let component = field.into_inner().next();
            let Some(component) = component else { break };
            to = self.to(&component);
            if length > MAX_DEPTH {
                return self.too_deep(to - 1, to);
            }
            let component = self.name(&component)?;
            id = self.make(Construct::Field, &[id, component], from, to);
            is_number = false;
        }
        Ok(Operand {
            made: Made { id, from, to },
            is_number,
        })
    }

    fn needs_value<T>(&mut self, (from, to): (usize, usize)) -> Read<T> {
        let message = "an operator stands where a value or a predicate is needed";
        let diagnostic = Diagnostic::error("E0104", message).at(self.span(from, to));
        self.fail(diagnostic)
    }

    /// A name with what stands in brackets or parentheses after it.
    fn named(&mut self, name: &Pair<'a>, after: Option<Pair<'a>>) -> Read<Id> {
        let from = self.from(name);
        let Some(after) = after else {
            let Some(construct) = Construct::standing(name.as_str()) else {
                return self.name(name);
            };
            let to = self.to(name);
            return Ok(self.make(construct, &[], from, to));
        };
        if is_index(name.as_str()) {
            return self.name(name);
        }
        let to = self.to(&after);
        let construct = match after.as_rule() {
            Rule::subscripts => Construct::Index,
            _ => Construct::Apply,
        };
        let mut all = vec![self.name(name)?];
        self.list(after, &mut all)?;
        Ok(self.make(construct, &all, from, to))
    }

    /// The expressions of a list in brackets or parentheses.
    pub(super) fn list(&mut self, pair: Pair<'a>, into: &mut Vec<Id>) -> Read<()> {
        for part in pair.into_inner() {
            if part.as_rule() == Rule::expression {
                into.push(self.expression(part)?.id);
            }
        }
        Ok(())
    }

    /// A number. One that is too large is told of, and 0 stands in its place.
    pub(super) fn number(&mut self, pair: &Pair<'a>, after_minus: bool) -> Read<Id> {
        let (from, to) = (self.from(pair), self.to(pair));
        let text = pair.as_str();
        let head = if text.bytes().all(|b| b.is_ascii_digit()) {
            match text.parse::<u64>() {
                Ok(i) if i == LEAST.unsigned_abs() && after_minus => Some(Head::Int(LEAST)),
                Ok(i) => i64::try_from(i).ok().map(Head::Int),
                Err(_) => None,
            }
        } else {
            let value = text.parse::<f64>().ok().filter(|x| x.is_finite());
            value.map(Head::Real)
        };
        if head.is_none() {
            let message = "this number is too large to be represented";
            let diagnostic = Diagnostic::error("E0103", message)
                .at(self.span(from, to))
                .hint("integers have 64 bits, reals reach 1.8e308");
            self.tell(diagnostic);
        }
        Ok(self.leaf(head.unwrap_or(Head::Int(0)), from, to))
    }
}

/// Whether a rule is one of prefixes.
fn is_prefix(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::minus | Rule::not | Rule::after | Rule::each | Rule::at_once
    )
}
