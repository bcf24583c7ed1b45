//! Expressions of LANES: vectors of reals, and masks.

use super::super::expression::{compares, level};
use super::super::functions::{of_width, wide_call};
use super::super::printer::Access;
use super::Body;
use super::integers::compared;
use crate::algebra::COMPONENTS;
use crate::algebra::{Elementary, Entry, Rust, Type, Vectors};
use crate::emit::plan::{self, Arithmetic, Expr, Function, Node};

impl Body<'_, '_> {
    pub(super) fn vector(&mut self, e: &Expr, least: u8) -> Option<String> {
        self.parts(e).map(|parts| grouped(parts, least))
    }

    fn parts(&mut self, e: &Expr) -> Option<(String, u8)> {
        let atom = |text: String| Some((text, level::POSTFIX));
        let wide = self.is_wide(e.ty);
        if e.ty.component() != self.real() && !wide {
            return None;
        }
        if wide {
            self.p.uses.insert("wide");
        }
        if !self.varying.differs(e) {
            let owner = self.owner(e.ty);
            let value = self.p.typed(e);
            return atom(format!("{owner}::all({value})"));
        }
        match &e.node {
            Node::Var(var) => atom(self.p.name(*var)),
            Node::Cell { array, subscripts } => {
                let shared = self.p.access(*array) == Access::Shared;
                if (e.ty.components() == 1 || !shared || !wide)
                    && let Some(cells) = self.neighbours(*array, subscripts)
                {
                    let owner = self.owner(e.ty);
                    let load = if shared { "load_shared" } else { "load_some" };
                    return atom(format!("{owner}::{load}(&{cells})"));
                }
                let (owner, each) = (self.owner(e.ty), self.for_each_lane(e)?);
                atom(format!("{owner}::from_fn({each})"))
            }
            Node::Component(inner, k) => match &inner.node {
                Node::Cell { .. } => {
                    let (owner, each) = (self.owner(e.ty), self.for_each_lane(e)?);
                    atom(format!("{owner}::from_fn({each})"))
                }
                _ => {
                    let inner = self.vector(inner, level::POSTFIX)?;
                    atom(format!("{inner}.{}", COMPONENTS[usize::from(*k)]))
                }
            },
            Node::Convert(inner)
                if self.has_whole(inner) && inner.ty == Type::I32 && e.ty == self.real() =>
            {
                let inner = self.integers(inner, level::ANY)?;
                atom(format!("R::of_integers({inner})"))
            }
            // A real that is an INTEGER for a while: it is cut, and an error where it has no place.
            Node::Convert(inner)
                if let Node::Convert(whole) = &inner.node
                    && inner.ty == Type::I32
                    && whole.ty.is_real()
                    && e.ty.components() == 1 =>
            {
                self.p.uses.extend(["error", "whole", "rounding"]);
                self.wide_methods(whole.ty);
                let cut = self.vector(whole, level::POSTFIX)?;
                let cut = match self.here.clone() {
                    // Nothing is an error in lanes that are elsewhere.
                    Some(here) => {
                        let (select, owner) = (self.select(whole.ty), self.owner(whole.ty));
                        format!("{select}({here}, {cut}, {owner}::all(0.0))")
                    }
                    None => cut,
                };
                let cut = format!("{cut}.whole()");
                atom(match (self.is_wide(whole.ty), wide) {
                    (false, true) => format!("{cut}.wide()"),
                    (true, false) => format!("R::narrow({cut})"),
                    _ => cut,
                })
            }
            Node::Convert(inner) if inner.ty.is_integer() && e.ty.components() == 1 => {
                let (owner, each) = (self.owner(e.ty), self.for_each_lane(e)?);
                atom(format!("{owner}::from_fn({each})"))
            }
            Node::Convert(inner) if wide && inner.ty.component().is_real() => {
                let inner = self.vector(inner, level::POSTFIX)?;
                atom(format!("{inner}.wide()"))
            }
            Node::Convert(inner) if self.is_wide(inner.ty) && e.ty.component().is_real() => {
                let (owner, inner) = (self.owner(e.ty), self.vector(inner, level::ANY)?);
                atom(format!("{owner}::narrow({inner})"))
            }
            Node::Negate(a) => Some((
                format!("-{}", self.vector(a, level::POSTFIX)?),
                level::UNARY,
            )),
            Node::Arithmetic(op, a, b) => self.arithmetic(*op, a, b),
            // The cube of an approximate root takes fewer operations than the root.
            Node::Power(a, 3)
                if let Node::Call(Function::Real(Elementary::RsqrtApprox), all) = &a.node
                    && !wide =>
            {
                self.p.uses.insert("rsqrt_approx");
                let x = self.vector(&all[0], level::POSTFIX)?;
                atom(format!("{x}.rsqrt_approx_cubed()"))
            }
            Node::Power(a, k) => {
                self.wide_methods(a.ty);
                let a = self.vector(a, level::POSTFIX)?;
                atom(format!("{a}.power({k})"))
            }
            Node::Call(function, all) => self.call(*function, all),
            // What is the same for all lanes picks whole vectors.
            Node::Select(c, a, b) if !self.varying.differs(c) => {
                let condition = self.p.typed(c);
                let (a, b) = (self.vector(a, level::ANY)?, self.vector(b, level::ANY)?);
                Some((
                    format!("if {condition} {{ {a} }} else {{ {b} }}"),
                    level::ANY,
                ))
            }
            Node::Select(c, a, b) if is_total(a) && is_total(b) => {
                let select = self.select(e.ty);
                let condition = self.mask(c, level::ANY)?;
                let (a, b) = (self.vector(a, level::ANY)?, self.vector(b, level::ANY)?);
                atom(format!("{select}({condition}, {a}, {b})"))
            }
            // One of the two may not be computed.
            Node::Select(..) => {
                let (owner, each) = (self.owner(e.ty), self.for_each_lane(e)?);
                atom(format!("{owner}::from_fn({each})"))
            }
            Node::Vector(all) => {
                let owner = self.owner(e.ty);
                let all: Option<Vec<String>> =
                    all.iter().map(|a| self.vector(a, level::ANY)).collect();
                atom(format!("{owner}::new({})", all?.join(", ")))
            }
            _ => None,
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr) -> Option<(String, u8)> {
        let (sign, own) = match op {
            Arithmetic::Add => ("+", level::SUM),
            Arithmetic::Subtract => ("-", level::SUM),
            Arithmetic::Multiply => ("*", level::PRODUCT),
            Arithmetic::Divide => ("/", level::PRODUCT),
            Arithmetic::Remainder => return None,
        };
        // Vectors of lanes know only the factor on the right; the product is the same.
        let (a, b) = match op == Arithmetic::Multiply && b.ty.components() > 1 {
            true => (b, a),
            false => (a, b),
        };
        let (a, b) = (self.vector(a, own)?, self.vector(b, own + 1)?);
        Some((format!("{a} {sign} {b}"), own))
    }

    fn call(&mut self, function: Function, all: &[Expr]) -> Option<(String, u8)> {
        let ty = all[0].ty;
        // A vector by a number has a method of its own.
        if !all.iter().any(|e| e.ty.is_vector()) {
            self.wide_methods(ty);
        }
        let first = self.vector(&all[0], level::POSTFIX)?;
        let second = match all.get(1) {
            Some(e) => Some(self.vector(e, level::ANY)?),
            None => None,
        };
        let method = |name: &str| Some(format!("{first}.{name}()"));
        let with = |name: &str| Some(format!("{first}.{name}({})", second.as_deref()?));
        let text = match function {
            Function::Real(function) => return self.of_reals(function.entry(), ty, first, second),
            Function::RealReal(function) => {
                return self.of_reals(function.entry(), ty, first, second);
            }
            Function::Abs => method("abs"),
            Function::Norm => method("norm"),
            Function::Norm2 => method("norm2"),
            Function::Min => with("smaller"),
            Function::Max => with("larger"),
            Function::Dot => with("dot"),
            Function::Cross => with("cross"),
            Function::Fma => {
                let third = self.vector(&all[2], level::ANY)?;
                let opposite = match self.is_wide(all[0].ty) {
                    true => None,
                    false => without_sign(&all[0]),
                };
                match (all[0].ty.components(), all[1].ty.components()) {
                    (1, one) if let Some(factor) = opposite => {
                        let (of, with) = match one {
                            1 => (self.vector(&factor, level::POSTFIX)?, second?),
                            _ => {
                                let vector = self.vector(&all[1], level::POSTFIX)?;
                                (vector, self.vector(&factor, level::ANY)?)
                            }
                        };
                        let name = if one == 1 { "mul_less" } else { "scaled_less" };
                        Some(format!("{of}.{name}({with}, {third})"))
                    }
                    (1, 1) => Some(format!("{first}.mul_add({}, {third})", second?)),
                    (1, _) => {
                        let vector = self.vector(&all[1], level::POSTFIX)?;
                        let factor = self.vector(&all[0], level::ANY)?;
                        Some(format!("{vector}.scaled_add({factor}, {third})"))
                    }
                    _ => Some(format!("{first}.dot_add({}, {third})", second?)),
                }
            }
            Function::PowInt | Function::CeilDiv | Function::Bits(_) | Function::SameBits => None,
        };
        Some((text?, level::POSTFIX))
    }

    /// A function of reals: by a method of vectors, or number by number.
    fn of_reals(
        &mut self,
        entry: &Entry,
        ty: Type,
        first: String,
        second: Option<String>,
    ) -> Option<(String, u8)> {
        let method = |name: &str| Some((format!("{first}.{name}()"), level::POSTFIX));
        let each = |call: &str| {
            let text = match &second {
                None => format!("{first}.map(|x| {call})"),
                Some(y) => format!("{first}.map_with({y}, |x, y| {call})"),
            };
            Some((text, level::POSTFIX))
        };
        let y = if second.is_some() { "y" } else { "" };
        match (entry.vectors, entry.rust) {
            (Vectors::Piece(piece, name), _) if !self.is_wide(ty) => {
                self.p.uses.insert(piece);
                method(name)
            }
            (Vectors::Method, Rust::Method(name)) => method(name),
            (_, Rust::OneOver(name)) => {
                let owner = self.owner(ty);
                Some((
                    format!("{owner}::all(1.0) / {first}.{name}()"),
                    level::PRODUCT,
                ))
            }
            (_, Rust::Wide(piece)) => {
                self.p.uses.insert(piece.name);
                let numbers = ["x", "y"].map(str::to_owned);
                let numbers = &numbers[..1 + usize::from(second.is_some())];
                each(&wide_call(piece, numbers, ty, "f32").0)
            }
            (_, Rust::Own(pieces)) => {
                self.p.uses.insert(of_width(pieces, ty).name);
                let (name, y) = (entry.name, second.unwrap_or_default());
                Some((format!("{first}.{name}({y})"), level::POSTFIX))
            }
            (_, Rust::Method(name)) => each(&format!("x.{name}({y})")),
        }
    }

    /// A truth value of all lanes.
    pub(super) fn mask(&mut self, e: &Expr, least: u8) -> Option<String> {
        self.mask_parts(e).map(|parts| grouped(parts, least))
    }

    fn mask_parts(&mut self, e: &Expr) -> Option<(String, u8)> {
        let atom = |text: String| Some((text, level::POSTFIX));
        if !self.varying.differs(e) {
            let value = self.p.typed(e);
            return atom(format!("R::mask(|_| {value})"));
        }
        match &e.node {
            Node::Var(var) => atom(self.p.name(*var)),
            Node::Compare(op, a, b) if self.is_wide(a.ty) => {
                let sign = compares(*op);
                let (a, b) = (self.vector(a, level::ANY)?, self.vector(b, level::ANY)?);
                atom(format!("R::compare({a}, {b}, |a, b| a {sign} b)"))
            }
            Node::Compare(op, a, b) if a.ty.is_real() => {
                let (name, a, b) = compared(*op, a, b);
                let (a, b) = (self.vector(a, level::POSTFIX)?, self.vector(b, level::ANY)?);
                atom(format!("{a}.{name}({b})"))
            }
            Node::Compare(op, a, b) if a.ty == Type::I32 && b.ty == Type::I32 => {
                atom(self.integers_compare(*op, a, b)?)
            }
            Node::Compare(..) | Node::Cell { .. } => {
                let each = self.for_each_lane(e)?;
                atom(format!("R::mask({each})"))
            }
            Node::Not(a) => Some((format!("!{}", self.mask(a, level::POSTFIX)?), level::UNARY)),
            Node::And(a, b) if is_total_after(b, a) => {
                let (a, b) = (self.mask(a, level::PRODUCT)?, self.mask(b, level::PRODUCT)?);
                Some((format!("{a} & {b}"), level::ANY))
            }
            Node::Or(a, b) if is_total_after(b, a) => {
                let (a, b) = (self.mask(a, level::PRODUCT)?, self.mask(b, level::PRODUCT)?);
                Some((format!("{a} | {b}"), level::ANY))
            }
            // The second may not be computed where the first decides.
            Node::And(..) | Node::Or(..) => {
                let each = self.for_each_lane(e)?;
                atom(format!("R::mask({each})"))
            }
            _ => None,
        }
    }
}

/// An expression's text, in parentheses if it binds less than what is around it.
pub(super) fn grouped((text, own): (String, u8), least: u8) -> String {
    match own < least {
        true => format!("({text})"),
        false => text,
    }
}

/// The opposite of an expression that is evidently one: `-a`, or a product whose first factor is.
fn without_sign(e: &Expr) -> Option<Expr> {
    match &e.node {
        Node::Negate(a) => Some((**a).clone()),
        Node::Arithmetic(Arithmetic::Multiply, a, b) => {
            let a = Box::new(without_sign(a)?);
            let node = Node::Arithmetic(Arithmetic::Multiply, a, b.clone());
            Some(Expr::new(e.ty, node))
        }
        _ => None,
    }
}

/// Whether computing an expression cannot be an error, whatever its variables are.
pub(super) fn is_total(e: &Expr) -> bool {
    is_total_but(e, &[])
}

/// The same of the second of two conditions, where the first has been computed.
pub(super) fn is_total_after(e: &Expr, first: &Expr) -> bool {
    let mut cells = Vec::new();
    computed_cells(first, &mut cells);
    is_total_but(e, &cells)
}

/// The cells that are read whenever an expression is computed.
fn computed_cells<'e>(e: &'e Expr, cells: &mut Vec<&'e Expr>) {
    match &e.node {
        Node::Cell { .. } => cells.push(e),
        Node::Compare(_, a, b) | Node::Arithmetic(_, a, b) => {
            computed_cells(a, cells);
            computed_cells(b, cells);
        }
        Node::And(a, _) | Node::Or(a, _) | Node::Not(a) | Node::Negate(a) => {
            computed_cells(a, cells);
        }
        _ => {}
    }
}

/// Whether it cannot be an error but for these cells.
fn is_total_but(e: &Expr, cells: &[&Expr]) -> bool {
    if cells.contains(&e) {
        return true;
    }
    match &e.node {
        Node::Compare(_, a, b) | Node::And(a, b) | Node::Or(a, b) => {
            return is_total_but(a, cells) && is_total_but(b, cells);
        }
        Node::Not(a) => return is_total_but(a, cells),
        _ => {}
    }
    let mut total = true;
    plan::expressions(e, &mut |e| {
        total &= match &e.node {
            Node::Cell { .. } => false,
            Node::Arithmetic(..) | Node::Power(..) | Node::Negate(_) | Node::Call(..) => {
                !e.ty.is_integer()
            }
            Node::Convert(a) => e.ty.is_real() || e.ty.components() > 1 || a.ty == e.ty,
            _ => true,
        }
    });
    total
}
