//! Terms in rule syntax: what the grammar matched → terms, by the precedence of the table of signs.
//!
//! A term is a flat list of prefixes, operands and signs. Signs wait on a stack until one that binds less
//! tightly comes, so that only brackets take recursion.

use super::grammar::{Grammar, Pair, Rule};
use super::names::{
    ANY_ARITY, CONDITIONAL, CONS, INFIX, Infix, NIL, Prefix, SCOPED, SET, SET_PATTERN, functor_of,
    make_set, prefix,
};
use super::reader::{Reader, Refusal, too_deep};
use super::scan;
use crate::diagnostic::Diagnostic;
use crate::term::{Head, Id, MOST_LEVELS, Symbol, Terms};
use pest::Parser;
use std::iter::Peekable;

/// Reads one term; `file` is the number of the text among the sources.
///
/// # Errors
///
/// Everything that cannot be read.
pub fn read_term(terms: &mut Terms, file: u32, text: &str) -> Result<Id, Vec<Diagnostic>> {
    let depth = scan::depth(text, file).map_err(|refusal| vec![*refusal])?;
    let read = crate::syntax::on_stack(depth, || {
        let mut reader = Reader::new(terms, file, text);
        reader.is_term = true;
        let at = std::mem::take(&mut reader.at);
        let pairs = Grammar::parse(Rule::whole_term, text);
        let mut pairs = pairs.map_err(|e| reader.not_expected(&e))?;
        match pairs.next() {
            Some(pair) => reader.term(pair),
            None => reader.refuse(reader.span(at, at), "expected a term"),
        }
    });
    read.map_err(|refusal: Refusal| vec![*refusal])
}

/// What waits for its last operand.
enum Waiting {
    Infix(&'static Infix),
    /// A sign, and where it stands.
    Prefix(&'static Prefix, usize),
    /// `? a :`, with what stands between them.
    Choice(Operand),
}

impl Waiting {
    fn binds(&self) -> u8 {
        match self {
            Waiting::Infix(infix) => infix.binds,
            Waiting::Prefix(prefix, _) => prefix.binds,
            Waiting::Choice(_) => 0,
        }
    }
}

/// An operand with its nesting and its first and one past its last byte.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) id: Id,
    pub(super) depth: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

type Parts<'a> = Peekable<pest::iterators::Pairs<'a, Rule>>;

impl<'a> Reader<'a> {
    /// A term.
    pub(super) fn term(&mut self, pair: Pair<'a>) -> Result<Id, Refusal> {
        self.nested(pair).map(|operand| operand.id)
    }

    pub(super) fn nested(&mut self, pair: Pair<'a>) -> Result<Operand, Refusal> {
        let span = self.span_of(&pair);
        let mut parts = pair.into_inner().peekable();
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut operands: Vec<Operand> = Vec::new();
        while let Some(part) = parts.next() {
            let from = self.from(&part);
            let sign = match part.as_rule() {
                Rule::let_term => return self.let_term(part),
                Rule::as_rule | Rule::binding => {
                    let left = self.closed(&mut waiting, &mut operands, span)?;
                    return match part.as_rule() {
                        Rule::as_rule => self.rule_as_term(left, part),
                        _ => self.bound_term(left, part),
                    };
                }
                // A number with a plus is the number.
                Rule::plus if parts.peek().is_some_and(is_number) => continue,
                Rule::plus => {
                    waiting.push(Waiting::Prefix(prefix("+"), from));
                    continue;
                }
                Rule::not => {
                    waiting.push(Waiting::Prefix(prefix("!"), from));
                    continue;
                }
                Rule::tilde => {
                    waiting.push(Waiting::Prefix(prefix("~"), from));
                    continue;
                }
                Rule::dot if operands.len() == infixes(&waiting) => {
                    waiting.push(Waiting::Prefix(prefix("."), from));
                    continue;
                }
                Rule::minus => {
                    match self.literal_after_minus(&mut parts, from, true)? {
                        Some(literal) => operands.push(literal),
                        None => waiting.push(Waiting::Prefix(prefix("-"), from)),
                    }
                    continue;
                }
                Rule::ternary => {
                    while let Some(top) = waiting.pop_if(|w| w.binds() > 0) {
                        self.build(top, &mut operands)?;
                    }
                    let middle = self.all(part)?.pop();
                    match middle {
                        Some(middle) => waiting.push(Waiting::Choice(middle)),
                        None => return self.refuse(span, "expected a term"),
                    }
                    continue;
                }
                // `$a <-1` is a comparison with a negative number, `$a <+1` with a positive one.
                Rule::less_minus | Rule::less_plus => "<",
                Rule::modulo => "MOD",
                Rule::among_word => "in",
                Rule::dot => ".",
                Rule::bit_or => "|",
                Rule::sign => twin(part.as_str()),
                _ => {
                    let operand = self.operand(part, &mut parts)?;
                    operands.push(operand);
                    continue;
                }
            };
            let Some(infix) = INFIX.iter().find(|i| i.sign == sign) else {
                return self.refuse(self.span_of(&part), format!("there is no sign `{sign}`"));
            };
            let reduces =
                |w: &Waiting| w.binds() > infix.binds || w.binds() == infix.binds && !infix.right;
            while let Some(top) = waiting.pop_if(|w| reduces(w)) {
                self.build(top, &mut operands)?;
            }
            waiting.push(Waiting::Infix(infix));
            if part.as_rule() == Rule::less_minus {
                let minus = from + usize::from(part.as_str() == "<-");
                match self.literal_after_minus(&mut parts, minus, false)? {
                    Some(literal) => operands.push(literal),
                    None => waiting.push(Waiting::Prefix(prefix("-"), minus)),
                }
            }
        }
        self.closed(&mut waiting, &mut operands, span)
    }

    /// The term whose operands and signs are all read.
    fn closed(
        &mut self,
        waiting: &mut Vec<Waiting>,
        operands: &mut Vec<Operand>,
        span: crate::term::Span,
    ) -> Result<Operand, Refusal> {
        while let Some(top) = waiting.pop() {
            self.build(top, operands)?;
        }
        match operands.pop() {
            Some(operand) => {
                self.last = self.last.max(operand.to);
                Ok(operand)
            }
            None => self.refuse(span, "expected a term"),
        }
    }

    /// The number that a minus belongs to. `-2 ^ 2` is the negative of a power, unless the minus is
    /// that of `<-`, which takes integers only.
    fn literal_after_minus(
        &mut self,
        parts: &mut Parts<'a>,
        from: usize,
        alone: bool,
    ) -> Result<Option<Operand>, Refusal> {
        let is_number = |p: &Pair| match p.as_rule() {
            Rule::number => true,
            Rule::real => alone,
            _ => false,
        };
        let Some(number) = parts.peek().filter(|p| is_number(p)).cloned() else {
            return Ok(None);
        };
        let mut after = parts.clone();
        after.next();
        let power = |p: &Pair| p.as_rule() == Rule::sign && p.as_str() == "^";
        if alone && after.peek().is_some_and(power) {
            return Ok(None);
        }
        parts.next();
        let head = match self.literal(&number)? {
            Literal::Int(value) => Head::Int((value as i64).wrapping_neg()),
            Literal::Real(value) => Head::Real(-value),
        };
        let id = self.terms.make(head, &[]);
        self.made(id, 1, from, self.to(&number)).map(Some)
    }

    fn literal(&self, pair: &Pair<'a>) -> Result<Literal, Refusal> {
        let span = self.span_of(pair);
        let text = pair.as_str();
        if pair.as_rule() == Rule::real {
            let digits = text.trim_end_matches(['F', 'D', 'B', 'f', 'd']);
            return match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Literal::Real(value)),
                _ => self.refuse(span, "the number is too large for a real"),
            };
        }
        match text.trim_end_matches(['L', 'B']).parse::<u64>() {
            Ok(value) if value <= 1 << 63 => Ok(Literal::Int(value)),
            _ => self.refuse(span, "the number is too large for a 64-bit integer"),
        }
    }

    fn operand(&mut self, pair: Pair<'a>, parts: &mut Parts<'a>) -> Result<Operand, Refusal> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let head = match pair.as_rule() {
            Rule::number | Rule::real => match self.literal(&pair)? {
                Literal::Real(value) => Head::Real(value),
                Literal::Int(value) => match i64::try_from(value) {
                    Ok(value) => Head::Int(value),
                    Err(_) => {
                        let message = "expected a number that fits a 64-bit integer";
                        let found = pair.as_str();
                        let span = self.span(from, to);
                        return self.refuse(span, format!("{message}, found `{found}`"));
                    }
                },
            },
            Rule::text => Head::Text(self.unquoted(&pair)?),
            Rule::variable => Head::Variable(Symbol::new(&pair.as_str()[1..])),
            Rule::sequence_variable => {
                let name = pair.as_str()[1..].trim_end_matches("..");
                if let Some(list) = parts.next_if(|p| p.as_rule() == Rule::any_list) {
                    return self.any_arity(Head::Variable(Symbol::new(name)), from, to, list);
                }
                Head::Sequence(Symbol::new(name))
            }
            Rule::name | Rule::quoted_name => {
                let quoted = pair.as_rule() == Rule::quoted_name;
                let name = match quoted {
                    true => self.unquoted(&pair)?.as_str(),
                    false => Symbol::new(pair.as_str()).as_str(),
                };
                let functor = |arity| match quoted {
                    true => name,
                    false => functor_of(name, arity),
                };
                let applied = |p: &Pair| {
                    matches!(p.as_rule(), Rule::arguments | Rule::any_arity | Rule::scope)
                };
                match parts.next_if(applied) {
                    Some(scope) if scope.as_rule() == Rule::scope => {
                        return self.scoped_name(name, from, scope);
                    }
                    Some(list) if list.as_rule() == Rule::arguments => {
                        let to = self.to(&list);
                        let operands = self.all(list)?;
                        let functor = functor(operands.len()).into();
                        return self.apply(functor, &operands, from, to);
                    }
                    Some(any) => {
                        let list = any.into_inner().nth(1);
                        let head = Head::Functor(functor(0).into());
                        return match list {
                            Some(list) => self.any_arity(head, from, to, list),
                            None => self.refuse(self.span(from, to), "expected a term"),
                        };
                    }
                    None => Head::Functor(functor(0).into()),
                }
            }
            Rule::list => return self.list(pair),
            Rule::set => {
                let tail = has_tail(&pair);
                let operands = self.all(pair)?;
                let functor = if tail { SET_PATTERN } else { SET };
                return self.apply(functor.into(), &operands, from, to);
            }
            Rule::group => {
                let operand = self.all(pair)?.pop();
                self.last = to;
                return match operand {
                    Some(operand) => Ok(operand),
                    None => self.refuse(self.span(from, to), "expected a term"),
                };
            }
            _ => return self.refuse(self.span(from, to), "expected a term"),
        };
        let id = self.terms.make(head, &[]);
        self.made(id, 1, from, to)
    }

    /// `a::b::c`, the name of a system in its domains.
    fn scoped_name(
        &mut self,
        first: &'static str,
        from: usize,
        scope: Pair<'a>,
    ) -> Result<Operand, Refusal> {
        let to = self.to(&scope);
        let mut names = vec![first];
        for part in scope.into_inner() {
            names.push(match part.as_rule() {
                Rule::quoted_name => self.unquoted(&part)?.as_str(),
                _ => Symbol::new(part.as_str()).as_str(),
            });
        }
        let names: Vec<Id> = names.iter().map(|&n| self.terms.atom(n.into())).collect();
        let id = self.terms.apply(SCOPED.into(), &names);
        self.made(id, 2, from, to)
    }

    /// The terms of a list in brackets.
    fn all(&mut self, pair: Pair<'a>) -> Result<Vec<Operand>, Refusal> {
        let inner = pair.into_inner().filter(|p| p.as_rule() == Rule::inner);
        inner.map(|p| self.nested(p)).collect()
    }

    /// `f..($args)`: a term with any number of arguments.
    fn any_arity(
        &mut self,
        head: Head,
        from: usize,
        to: usize,
        list: Pair<'a>,
    ) -> Result<Operand, Refusal> {
        let end = self.to(&list);
        let id = self.terms.make(head, &[]);
        let mut operands = vec![self.made(id, 1, from, to)?];
        operands.extend(self.all(list)?);
        self.apply(ANY_ARITY.into(), &operands, from, end)
    }

    fn list(&mut self, pair: Pair<'a>) -> Result<Operand, Refusal> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let has_tail = has_tail(&pair);
        let mut parts = self.all(pair)?;
        let tail = if has_tail { parts.pop() } else { None };
        let (mut list, mut depth) = match tail {
            Some(tail) => (tail.id, tail.depth),
            None => (self.terms.atom(NIL.into()), 1),
        };
        for part in parts.iter().rev() {
            list = self.terms.apply(CONS.into(), &[part.id, list]);
            let span = self.span(part.from, to);
            self.terms.set_span(list, span);
            depth = 1 + depth.max(part.depth);
        }
        self.made(list, depth, from, to)
    }

    /// Builds the term of a sign whose operands are read.
    fn build(&mut self, waiting: Waiting, operands: &mut Vec<Operand>) -> Result<(), Refusal> {
        let right = operands.pop().expect("a sign stands before an operand");
        let built = match waiting {
            Waiting::Infix(infix) => {
                let left = operands.pop().expect("a sign stands after an operand");
                self.apply(infix.functor.into(), &[left, right], left.from, right.to)?
            }
            Waiting::Prefix(prefix, from) => {
                self.apply(prefix.functor.into(), &[right], from, right.to)?
            }
            Waiting::Choice(middle) => {
                let left = operands.pop().expect("a sign stands after an operand");
                let parts = [left, middle, right];
                self.apply(CONDITIONAL.into(), &parts, left.from, right.to)?
            }
        };
        operands.push(built);
        Ok(())
    }

    /// A functor applied to operands.
    pub(super) fn apply(
        &mut self,
        functor: Symbol,
        parts: &[Operand],
        from: usize,
        to: usize,
    ) -> Result<Operand, Refusal> {
        let arguments: Vec<Id> = parts.iter().map(|p| p.id).collect();
        let depth = 1 + parts.iter().map(|p| p.depth).max().unwrap_or(0);
        let id = match functor.as_str() {
            SET => make_set(self.terms, &arguments),
            _ => self.terms.apply(functor, &arguments),
        };
        self.made(id, depth, from, to)
    }

    pub(super) fn made(
        &mut self,
        id: Id,
        depth: usize,
        from: usize,
        to: usize,
    ) -> Result<Operand, Refusal> {
        let span = self.span(from, to);
        self.terms.set_span(id, span);
        if depth > MOST_LEVELS {
            return Err(too_deep(span));
        }
        self.last = to.max(self.last);
        Ok(Operand {
            id,
            depth,
            from,
            to,
        })
    }
}

/// How many of the signs that wait need an operand on either side.
fn infixes(waiting: &[Waiting]) -> usize {
    let infix = |w: &&Waiting| !matches!(w, Waiting::Prefix(..));
    waiting.iter().filter(infix).count()
}

fn is_number(pair: &Pair) -> bool {
    matches!(pair.as_rule(), Rule::number | Rule::real)
}

/// A number as it is written.
enum Literal {
    /// The digits of an integer; the sign comes before.
    Int(u64),
    Real(f64),
}

/// Whether the last term of a list or a set is what the rest of it is.
fn has_tail(pair: &Pair) -> bool {
    pair.clone()
        .into_inner()
        .any(|p| p.as_rule() == Rule::colon)
}

/// What a typographic sign stands for.
fn twin(sign: &str) -> &str {
    match sign {
        "≤" => "<=",
        "≥" => ">=",
        "≠" => "!=",
        "∧" => "&&",
        "∨" => "||",
        sign => sign,
    }
}
