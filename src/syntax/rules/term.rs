//! Tokens → terms, by operator precedence with a stack of its own: input nests as deep as it
//! likes and is refused beyond [`MAX_DEPTH`] without recursion.

use super::lex::{Kind, Refusal, Token, tokens};
use super::names::{ANY_ARITY, CONS, INFIX, NIL, PREFIX_BINDS, SET_PATTERN, functor_of, make_set};
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH, Span, Symbol, Terms};

/// Reads one term; `file` is the number of the text among the sources.
pub fn read_term(terms: &mut Terms, file: u32, text: &str) -> Result<Id, Vec<Diagnostic>> {
    let found = tokens(file, text);
    if !found.refusals.is_empty() {
        return Err(found.refusals);
    }
    let mut reader = Reader {
        terms,
        file,
        text,
        tokens: &found.tokens,
        at: 0,
    };
    let mut read = || -> Result<Id, Refusal> {
        let id = reader.term()?;
        reader.accept(";");
        match reader.kind() {
            Kind::End => Ok(id),
            _ => reader.refuse("expected the end of the term"),
        }
    };
    read().map_err(|refusal| vec![*refusal])
}

/// What waits on the stack for its operands.
enum Waiting {
    Infix(usize),
    /// A functor, and where its sign stands.
    Prefix(&'static str, usize),
    Open(Open),
}

/// An opened bracket.
struct Open {
    what: Bracket,
    /// The token that opened it.
    token: usize,
    /// Number of operands below it.
    below: usize,
    /// Whether a `:` was read, so that the last operand is the tail.
    tail: bool,
}

#[derive(Clone, Copy)]
enum Bracket {
    Group,
    Call(&'static str, bool),
    AnyArity,
    List,
    Set,
}

/// An operand with its nesting and its first and one past its last byte.
struct Operand {
    id: Id,
    depth: usize,
    from: usize,
    to: usize,
}

#[derive(Default)]
struct Stack {
    waiting: Vec<Waiting>,
    operands: Vec<Operand>,
    /// Number of brackets among `waiting`.
    open: usize,
}

impl Reader<'_> {
    /// Reads a term, up to the first token that cannot go on with it.
    pub(super) fn term(&mut self) -> Result<Id, Refusal> {
        let mut stack = Stack::default();
        loop {
            while !self.operand(&mut stack)? {}
            if let Some(id) = self.after_operand(&mut stack)? {
                return Ok(id);
            }
        }
    }

    fn push(
        &mut self,
        stack: &mut Stack,
        id: Id,
        depth: usize,
        from: usize,
        to: usize,
    ) -> Result<(), Refusal> {
        self.terms.set_span(id, Span::new(self.file, from, to));
        if depth > MAX_DEPTH {
            return self.too_deep(Span::new(self.file, from, to));
        }
        stack.operands.push(Operand {
            id,
            depth,
            from,
            to,
        });
        Ok(())
    }

    fn too_deep<T>(&self, span: Span) -> Result<T, Refusal> {
        let message = format!("the term nests deeper than {MAX_DEPTH} levels");
        // The whole term is too much to show; its beginning is enough.
        let span = Span {
            to: span.to.min(span.from + 1),
            ..span
        };
        Err(Box::new(Diagnostic::error("E0310", message).at(span)))
    }

    fn open(&mut self, stack: &mut Stack, what: Bracket, token: usize) -> Result<(), Refusal> {
        stack.open += 1;
        if stack.open > MAX_DEPTH {
            return self.too_deep(self.span_of(self.tokens[token]));
        }
        let below = stack.operands.len();
        stack.waiting.push(Waiting::Open(Open {
            what,
            token,
            below,
            tail: false,
        }));
        Ok(())
    }

    /// Reads one token where an operand may begin. True once an operand is complete.
    fn operand(&mut self, stack: &mut Stack) -> Result<bool, Refusal> {
        let token = self.token();
        let first = self.at;
        let (from, to) = (token.from, token.to);
        self.at += 1;
        let leaf = match token.kind {
            Kind::Name(name) | Kind::Quoted(name) => {
                let quoted = matches!(token.kind, Kind::Quoted(_));
                let functor = if quoted {
                    name.as_str()
                } else {
                    functor_of(name.as_str(), 0)
                };
                if self.is("(") {
                    self.at += 1;
                    let name = name.as_str();
                    self.open(stack, Bracket::Call(name, quoted), first)?;
                    return self.close_empty(stack, ")");
                }
                if self.is("..") && self.kind_after(1) == Kind::Sign("(") {
                    self.at += 2;
                    self.open(stack, Bracket::AnyArity, first)?;
                    let atom = self.terms.atom(functor.into());
                    self.push(stack, atom, 1, from, to)?;
                    return Ok(false);
                }
                self.terms.atom(functor.into())
            }
            Kind::Variable(name) => self.terms.make(crate::term::Head::Variable(name), &[]),
            Kind::Sequence(name) if self.is("(") => {
                self.at += 1;
                self.open(stack, Bracket::AnyArity, first)?;
                let variable = self.terms.make(crate::term::Head::Variable(name), &[]);
                self.push(stack, variable, 1, from, to)?;
                return Ok(false);
            }
            Kind::Sequence(name) => self.terms.make(crate::term::Head::Sequence(name), &[]),
            Kind::Int(value) => match i64::try_from(value) {
                Ok(value) => self.terms.int(value),
                Err(_) => {
                    self.at -= 1;
                    return self.refuse("expected a number that fits a 64-bit integer");
                }
            },
            Kind::Real(value) => self.terms.real(value),
            Kind::Text(value) => self.terms.text(value),
            Kind::Sign("-") => {
                // A literal folds, but `-2 ^ 2` is the negative of a power.
                let folds = self.kind_after(1) != Kind::Sign("^");
                let literal = match self.kind() {
                    Kind::Int(value) if folds => self.terms.int((value as i64).wrapping_neg()),
                    Kind::Real(value) if folds => self.terms.real(-value),
                    _ => {
                        stack.waiting.push(Waiting::Prefix("Negate", from));
                        return self.check_waiting(stack, token);
                    }
                };
                let to = self.token().to;
                self.at += 1;
                self.push(stack, literal, 1, from, to)?;
                return Ok(true);
            }
            Kind::Sign("+") => return Ok(false),
            Kind::Sign("!") => {
                stack.waiting.push(Waiting::Prefix("Not", from));
                return self.check_waiting(stack, token);
            }
            Kind::Sign("(") => {
                self.open(stack, Bracket::Group, first)?;
                return Ok(false);
            }
            Kind::Sign("[") => {
                self.open(stack, Bracket::List, first)?;
                return self.close_empty(stack, "]");
            }
            Kind::Sign("{") => {
                self.open(stack, Bracket::Set, first)?;
                return self.close_empty(stack, "}");
            }
            _ => {
                self.at -= 1;
                return self.refuse("expected a term");
            }
        };
        self.push(stack, leaf, 1, from, to)?;
        Ok(true)
    }

    fn check_waiting(&self, stack: &Stack, token: Token) -> Result<bool, Refusal> {
        if stack.waiting.len() > 4 * MAX_DEPTH {
            return self.too_deep(self.span_of(token));
        }
        Ok(false)
    }

    /// Closes a bracket that was only just opened, if it is empty.
    fn close_empty(&mut self, stack: &mut Stack, sign: &str) -> Result<bool, Refusal> {
        if !self.is(sign) {
            return Ok(false);
        }
        self.at += 1;
        self.close(stack)?;
        Ok(true)
    }

    /// Reads what follows an operand. Returns the term when it is complete.
    fn after_operand(&mut self, stack: &mut Stack) -> Result<Option<Id>, Refusal> {
        loop {
            let sign = match self.kind() {
                Kind::Sign(sign) => sign,
                Kind::Name(name) if name.as_str() == "MOD" => "MOD",
                _ => "",
            };
            // `$a <-1` is a comparison with a negative number, `$a <+1` with a positive one.
            let (sign, half) = match sign {
                "<-" => ("<", Some("-")),
                "<+" => ("<", Some("+")),
                sign => (sign, None),
            };
            let split_ends = half.is_some() && stack.open == 0 && half == Some("+");
            if let Some(index) = INFIX.iter().position(|i| i.sign == sign)
                && !split_ends
            {
                let infix = &INFIX[index];
                self.reduce(stack, |binds| {
                    binds > infix.binds || (binds == infix.binds && !infix.right)
                })?;
                stack.waiting.push(Waiting::Infix(index));
                self.at += 1;
                if half == Some("-") {
                    if let Kind::Int(value) = self.kind() {
                        let from = self.token().from - 1;
                        let literal = self.terms.int((value as i64).wrapping_neg());
                        let to = self.token().to;
                        self.at += 1;
                        self.push(stack, literal, 1, from, to)?;
                        continue;
                    }
                    let sign = self.tokens[self.at - 1].to - 1;
                    stack.waiting.push(Waiting::Prefix("Negate", sign));
                }
                return Ok(None);
            }
            if stack.open == 0 {
                self.reduce(stack, |_| true)?;
                return Ok(stack.operands.pop().map(|operand| operand.id));
            }
            self.reduce(stack, |_| true)?;
            let Some(Waiting::Open(open)) = stack.waiting.last_mut() else {
                return self.refuse("expected a term");
            };
            let (closes, separates, tails) = match open.what {
                Bracket::Group => (")", false, false),
                Bracket::Call(..) => (")", true, false),
                Bracket::AnyArity => (")", false, false),
                Bracket::List => ("]", !open.tail, !open.tail),
                Bracket::Set => ("}", !open.tail, !open.tail),
            };
            if sign == closes {
                self.at += 1;
                self.close(stack)?;
                continue;
            }
            if sign == "," && separates {
                self.at += 1;
                return Ok(None);
            }
            if sign == ":" && tails {
                open.tail = true;
                self.at += 1;
                return Ok(None);
            }
            let opened = self.tokens[open.token];
            let wanted = if separates {
                format!("expected `,` or `{closes}`")
            } else {
                format!("expected `{closes}`")
            };
            let span = self.span_of(opened);
            return self
                .refuse(&wanted)
                .map_err(|d: Refusal| Box::new(d.also(span, "opened here")));
        }
    }

    /// Builds the terms of the signs on top of the stack, while they bind so tightly.
    fn reduce(&mut self, stack: &mut Stack, binds: impl Fn(u8) -> bool) -> Result<(), Refusal> {
        loop {
            let (functor, count, sign) = match stack.waiting.last() {
                Some(Waiting::Infix(i)) if binds(INFIX[*i].binds) => (INFIX[*i].functor, 2, None),
                Some(Waiting::Prefix(functor, at)) if binds(PREFIX_BINDS) => {
                    (*functor, 1, Some(*at))
                }
                _ => return Ok(()),
            };
            stack.waiting.pop();
            let parts = stack
                .operands
                .split_off(stack.operands.len().saturating_sub(count));
            let around = sign.zip(parts.last().map(|p| p.to));
            self.apply(stack, functor.into(), parts, around)?;
        }
    }

    /// Builds a functor applied to operands and pushes it.
    fn apply(
        &mut self,
        stack: &mut Stack,
        functor: Symbol,
        parts: Vec<Operand>,
        around: Option<(usize, usize)>,
    ) -> Result<(), Refusal> {
        let arguments: Vec<Id> = parts.iter().map(|p| p.id).collect();
        let depth = 1 + parts.iter().map(|p| p.depth).max().unwrap_or(0);
        let inner = (
            parts.first().map_or(0, |p| p.from),
            parts.last().map_or(0, |p| p.to),
        );
        let (from, to) = around.unwrap_or(inner);
        let id = if functor.as_str() == super::names::SET {
            make_set(self.terms, &arguments)
        } else {
            self.terms.apply(functor, &arguments)
        };
        self.push(stack, id, depth, from, to)
    }

    /// Builds the term of the innermost bracket, whose closing sign was just read.
    fn close(&mut self, stack: &mut Stack) -> Result<(), Refusal> {
        let Some(Waiting::Open(open)) = stack.waiting.pop() else {
            return self.refuse("expected a term");
        };
        stack.open -= 1;
        let mut parts = stack.operands.split_off(open.below);
        let from = self.tokens[open.token].from;
        let to = self.tokens[self.at - 1].to;
        match open.what {
            Bracket::Group => {
                stack.operands.append(&mut parts);
                Ok(())
            }
            Bracket::Call(name, quoted) => {
                let functor = if quoted {
                    name
                } else {
                    functor_of(name, parts.len())
                };
                self.apply(stack, functor.into(), parts, Some((from, to)))
            }
            Bracket::AnyArity => self.apply(stack, ANY_ARITY.into(), parts, Some((from, to))),
            Bracket::Set => {
                let functor = if open.tail {
                    SET_PATTERN
                } else {
                    super::names::SET
                };
                self.apply(stack, functor.into(), parts, Some((from, to)))
            }
            Bracket::List => {
                let tail = if open.tail { parts.pop() } else { None };
                let (mut list, mut depth) = match tail {
                    Some(tail) => (tail.id, tail.depth),
                    None => (self.terms.atom(NIL.into()), 1),
                };
                for part in parts.iter().rev() {
                    list = self.terms.apply(CONS.into(), &[part.id, list]);
                    self.terms
                        .set_span(list, Span::new(self.file, part.from, to));
                    depth = 1 + depth.max(part.depth);
                }
                self.push(stack, list, depth, from, to)
            }
        }
    }
}
