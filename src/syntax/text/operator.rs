//! Operators of the text form → terms.

use super::grammar::{Pair, Rule};
use super::keywords::keyword_of;
use super::reader::{Form, Made, Read, Reader};
use crate::algebra::{Construct, then};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH};

/// What a pair of an operator is made of.
struct Built {
    /// The arguments in their order.
    parts: Vec<Id>,
    /// One past the last byte.
    to: usize,
    /// Which construct it is, where what stands in it says so and its keyword does not.
    instead: Option<Construct>,
}

impl<'a> Reader<'a> {
    /// Reads the body of an operator, which stands after a token that begins at `before`.
    pub(super) fn body(&mut self, pair: Pair<'a>, before: usize) -> Read<Id> {
        let from = self.from(&pair);
        let nodes = pair.as_rule() == Rule::flow;
        match self.form {
            Form::Text if !nodes => {
                let mut order = Order::new(from, before);
                for part in pair.into_inner() {
                    self.in_order(part, &mut order)?;
                }
                Ok(self.in_sequence(order))
            }
            Form::Graph if nodes => self.flow(pair),
            Form::Graph if pair.as_str().is_empty() => {
                let (from, to) = self.around(before, from);
                Ok(self.make(Construct::Flow, &[], from, to))
            }
            Form::Formula if !nodes => match pair.clone().into_inner().next() {
                Some(call) if call.as_rule() == Rule::call => self.operator(call).map(|m| m.id),
                _ => self.wrong_body(&pair, "a formula", "operators in order are A * B"),
            },
            Form::Graph => {
                self.wrong_body(&pair, "a node", "nodes have labels: 1: \"A\" NEXT STOP")
            }
            _ => self.wrong_body(&pair, "an operator", "nodes stand in a GRAPH"),
        }
    }

    fn wrong_body<T>(&mut self, pair: &Pair<'a>, what: &str, hint: &str) -> Read<T> {
        let found = self.found(self.from(pair));
        let message = format!("expected {what}, found {}", found.shown);
        let span = self.span(found.from, found.to);
        self.fail(Diagnostic::error("E0104", message).at(span).hint(hint))
    }

    /// From the token before a place to the token after it.
    pub(super) fn around(&self, before: usize, after: usize) -> (usize, usize) {
        (before.min(after), self.found(after).word_to)
    }

    /// Reads an operator or a separator of a sequence.
    pub(super) fn in_order(&mut self, part: Pair<'a>, order: &mut Order) -> Read<()> {
        match part.as_rule() {
            Rule::semicolon | Rule::THEN => {
                order.to = self.to(&part);
                order.after = None;
                Ok(())
            }
            _ => {
                let from = self.from(&part);
                order.start = from;
                if let Some((construct, to)) = order.after.take() {
                    self.separated(construct, to, from);
                }
                let made = self.operator(part)?;
                order.to = made.to;
                order.after = Some((self.terms.functor(made.id).and_then(Construct::of), made.to));
                order.operators.push(made.id);
                Ok(())
            }
        }
    }

    /// A separator may be left out after a closing parenthesis or an END.
    fn separated(&mut self, construct: Option<Construct>, to: usize, next: usize) {
        use Construct::{ForLoop, ForStep, GivenFor, GivenIf, If, While};
        let ends = matches!(
            construct,
            Some(If | While | ForLoop | ForStep | GivenIf | GivenFor)
        );
        if ends || self.text[..to].ends_with(')') {
            return;
        }
        let found = self.found(next);
        let start = self.text.floor_char_boundary(to - 1);
        let message = format!("expected `;`, found {}", found.shown);
        let diagnostic = Diagnostic::error("E0104", message)
            .at(self.span(found.from, found.to))
            .also(self.span(start, to), "an operator ends here")
            .hint("operators are separated by `;`");
        self.tell(diagnostic);
    }

    /// The composition of operators that were read.
    pub(super) fn in_sequence(&mut self, order: Order) -> Id {
        let id = then(self.terms, &order.operators);
        if order.operators.len() != 1 && self.terms.span(id).is_none() {
            let (from, to) = match order.to > order.from {
                true => (order.from, order.to),
                false => self.around(order.before, order.from),
            };
            let span = self.span(from, to);
            self.terms.set_span(id, span);
        }
        id
    }

    /// Reads an operator.
    pub(super) fn operator(&mut self, pair: Pair<'a>) -> Read<Made> {
        let from = self.from(&pair);
        let rule = pair.as_rule();
        let construct = match rule {
            Rule::call => {
                let to = pair
                    .clone()
                    .into_inner()
                    .next()
                    .map_or(from, |p| self.to(&p));
                let id = self.phrase(from, to)?;
                return Ok(Made { id, from, to });
            }
            Rule::assign => return self.assignment(pair),
            Rule::if_ => Construct::If,
            Rule::while_ if self.form == Form::Graph => {
                let found = self.found(from);
                let diagnostic = Diagnostic::error("E0110", "a graph has no WHILE")
                    .at(self.span(found.from, found.to))
                    .hint("a node IF … THEN … ELSE … and an edge back to it are a loop");
                return self.fail(diagnostic);
            }
            Rule::while_ => Construct::While,
            Rule::for_ => Construct::ForLoop,
            Rule::parallel_loop => Construct::Parallel,
            Rule::branches => Construct::Async,
            Rule::given_if | Rule::given_for if self.form == Form::Graph => {
                let found = self.found(from);
                let diagnostic = Diagnostic::error(
                    "E0110",
                    "a graph has no part that stands for a choice",
                )
                .at(self.span(found.from, found.to))
                .hint("choose between definitions: GIVEN IF … THEN \"phrase\" ==== … END GIVEN");
                return self.fail(diagnostic);
            }
            Rule::given_if => Construct::GivenIf,
            Rule::given_for => Construct::GivenFor,
            // The table says which construct a keyword begins.
            _ => {
                let first = pair.clone().into_inner().next();
                let keyword = keyword_of(rule).or_else(|| keyword_of(first?.as_rule()));
                match keyword.and_then(Construct::begun_by) {
                    Some(construct) => construct,
                    None => return self.needs_operator(from, self.to(&pair)),
                }
            }
        };
        let Built {
            mut parts,
            to,
            instead,
        } = self.parts_of(pair)?;
        let construct = match instead.unwrap_or(construct) {
            // LANES (width) (i FROM a TO b): the width stands last but one.
            Construct::Lanes if parts.len() == 5 => {
                parts[..4].rotate_left(1);
                construct
            }
            Construct::If | Construct::GivenIf if parts.len() == 2 => {
                parts.push(self.terms.atom(Construct::Empty.symbol()));
                construct
            }
            construct => construct,
        };
        let id = self.make(construct, &parts, from, to);
        Ok(Made { id, from, to })
    }

    /// The parts of an operator, in order.
    fn parts_of(&mut self, pair: Pair<'a>) -> Read<Built> {
        let mut built = Built {
            parts: Vec::new(),
            to: self.to(&pair),
            instead: None,
        };
        let mut before = self.from(&pair);
        for part in pair.into_inner() {
            let from = self.from(&part);
            built.to = self.to(&part);
            let id = match part.as_rule() {
                Rule::STEP => {
                    built.instead = Some(Construct::ForStep);
                    None
                }
                Rule::expression => {
                    let made = self.expression(part)?;
                    built.to = made.to;
                    Some(made.id)
                }
                Rule::sequence | Rule::flow => Some(self.body(part, before)?),
                Rule::given_condition => Some(self.given_condition(part)?),
                Rule::synchronizer => Some(self.waited_for(part)),
                Rule::mark => Some(self.text_in(part)),
                Rule::dims => Some(self.dims(part)?),
                Rule::type_name => Some(self.type_name(part)?),
                Rule::target => {
                    let made = self.target(part)?;
                    built.to = made.to;
                    Some(made.id)
                }
                Rule::arguments => {
                    self.list(part, &mut built.parts)?;
                    None
                }
                Rule::WAS => {
                    built.instead = Some(Construct::FetchAdd);
                    None
                }
                Rule::min_becomes => {
                    built.instead = Some(Construct::AtomicMin);
                    None
                }
                Rule::max_becomes => {
                    built.instead = Some(Construct::AtomicMax);
                    None
                }
                rule if rule.is_mark() => None,
                _ => Some(self.name(&part)?),
            };
            built.parts.extend(id);
            before = from;
        }
        Ok(built)
    }

    /// `x := e` or `x += e`.
    fn assignment(&mut self, pair: Pair<'a>) -> Read<Made> {
        let from = self.from(&pair);
        let mut inner = pair.into_inner();
        let (Some(target), Some(sign), Some(value)) = (inner.next(), inner.next(), inner.next())
        else {
            return self.fail(Diagnostic::error("E0104", "expected an assignment"));
        };
        let target = self.target(target)?.id;
        let value = self.expression(value)?;
        let to = value.to;
        let value = match sign.as_rule() {
            Rule::plus_becomes => self.make(Construct::Plus, &[target, value.id], from, to),
            _ => value.id,
        };
        let id = self.make(Construct::Assign, &[target, value], from, to);
        Ok(Made { id, from, to })
    }

    /// What can be assigned: a variable, a cell or a component.
    pub(super) fn target(&mut self, pair: Pair<'a>) -> Read<Made> {
        let from = self.from(&pair);
        let mut to = from;
        let mut target = None;
        for (length, part) in pair.into_inner().enumerate() {
            to = self.to(&part);
            if length > MAX_DEPTH {
                return self.too_deep(to - 1, to);
            }
            target = Some(match (part.as_rule(), target) {
                (Rule::subscripts, Some(name)) => {
                    let mut all = vec![name];
                    self.list(part, &mut all)?;
                    self.make(Construct::Index, &all, from, to)
                }
                (Rule::field, Some(vector)) => {
                    let component = match part.into_inner().next() {
                        Some(component) => self.name(&component)?,
                        None => continue,
                    };
                    self.make(Construct::Field, &[vector, component], from, to)
                }
                _ => self.name(&part)?,
            });
        }
        match target {
            Some(id) => Ok(Made { id, from, to }),
            None => self.fail(Diagnostic::error("E0104", "expected an operator")),
        }
    }

    /// Sizes in brackets.
    pub(super) fn dims(&mut self, pair: Pair<'a>) -> Read<Id> {
        let (from, to) = (self.from(&pair), self.to(&pair));
        let mut dims = Vec::new();
        self.list(pair, &mut dims)?;
        Ok(self.make(Construct::Dims, &dims, from, to))
    }
}

/// Operators that were read in order.
pub(super) struct Order {
    operators: Vec<Id>,
    /// Where the first token stands.
    from: usize,
    /// Where the token before it stands.
    before: usize,
    /// One past the last token.
    pub(super) to: usize,
    /// Where the operator that was read last begins.
    start: usize,
    /// The operator that was read last and one past its end, unless a separator stands after it.
    after: Option<(Option<Construct>, usize)>,
}

impl Order {
    /// Operators from a byte, after a token that begins at `before`.
    pub(super) fn new(from: usize, before: usize) -> Order {
        Order {
            operators: Vec::new(),
            from,
            before,
            to: from,
            start: from,
            after: None,
        }
    }

    /// Where the operator begins that was read last, if no separator stands after it.
    pub(super) fn not_separated(&self) -> Option<usize> {
        self.after.map(|_| self.start)
    }

    /// Goes on after something that could not be read.
    pub(super) fn go_on(&mut self) {
        self.after = None;
    }
}
