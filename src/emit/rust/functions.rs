//! Calls of functions → Rust.

use super::expression::{is_anchored, level};
use super::printer::Printer;
use crate::algebra::{Bits, Bivariate, Entry, Piece, Rust, Spelling, Type};
use crate::emit::plan::{Expr, Function};

impl Printer<'_> {
    /// The call of a function.
    pub(super) fn call(&mut self, function: Function, all: &[Expr], ty: Type) -> (String, u8) {
        let method = |name: &str, a: String| (format!("{a}.{name}()"), level::POSTFIX);
        let first = &all[0];
        match function {
            Function::Real(function) => self.of_reals(function.entry(), all, ty),
            Function::Abs if self.checks(ty) => self.checked("absolute", &[first]),
            // A loop between literals does not say of which type its variable is.
            Function::Abs if ty == Type::I32 && is_anchored(first) && self.is_loose(first) => {
                (format!("i32::abs({})", self.typed(first)), level::POSTFIX)
            }
            Function::Abs => method("abs", self.untyped(first, level::POSTFIX)),
            Function::Norm => method("norm", self.untyped(first, level::POSTFIX)),
            Function::Norm2 => method("norm2", self.untyped(first, level::POSTFIX)),
            Function::Fma => {
                let (a, b) = (self.untyped(first, level::POSTFIX), self.typed(&all[1]));
                let c = self.typed(&all[2]);
                let vectors = all.iter().any(|e| e.ty.components() > 1);
                self.uses.extend(vectors.then_some("fused"));
                let name = match (first.ty.components(), all[1].ty.components()) {
                    (1, 1) => "mul_add",
                    (1, _) => {
                        let vector = self.untyped(&all[1], level::POSTFIX);
                        return (
                            format!("{vector}.scaled_add({}, {c})", self.typed(first)),
                            level::POSTFIX,
                        );
                    }
                    _ => "dot_add",
                };
                (format!("{a}.{name}({b}, {c})"), level::POSTFIX)
            }
            Function::RealReal(Bivariate::Pow) | Function::PowInt if ty.is_integer() => {
                self.uses.extend(["power_of", "error"]);
                let (a, b) = (self.typed(first), self.typed(&all[1]));
                (format!("power_of({a}, {b})"), level::POSTFIX)
            }
            Function::RealReal(function) => self.of_reals(function.entry(), all, ty),
            Function::PowInt => {
                self.uses.extend(["integer32", "error"]);
                let (a, b) = (self.untyped(first, level::POSTFIX), self.typed(&all[1]));
                (format!("{a}.powi(integer32({b}))"), level::POSTFIX)
            }
            Function::Min | Function::Max => {
                let name = match function {
                    Function::Min => "min",
                    _ => "max",
                };
                self.uses.insert(name);
                let (a, b) = (self.typed(first), self.typed(&all[1]));
                (format!("{name}({a}, {b})"), level::POSTFIX)
            }
            Function::CeilDiv => {
                let name = match ty {
                    Type::I64 => "ceil_div_64",
                    _ => "ceil_div",
                };
                self.uses.insert(name);
                let (a, b) = (self.typed(first), self.typed(&all[1]));
                (format!("{name}({a}, {b})"), level::POSTFIX)
            }
            Function::Bits(function) => self.of_bits(function, all, ty),
            Function::SameBits => {
                let name = match ty {
                    Type::F32 => "bits_as_real",
                    Type::F64 => "bits_as_real_64",
                    Type::I32 => "bits_as_integer",
                    _ => "bits_as_integer_64",
                };
                self.uses.insert(name);
                (format!("{name}({})", self.typed(first)), level::POSTFIX)
            }
            Function::Dot | Function::Cross => {
                let name = match function {
                    Function::Dot => "dot",
                    _ => "cross",
                };
                let (a, b) = (self.expr(first, level::POSTFIX), self.typed(&all[1]));
                (format!("{a}.{name}({b})"), level::POSTFIX)
            }
        }
    }

    /// A function of bits.
    fn of_bits(&mut self, function: Bits, all: &[Expr], ty: Type) -> (String, u8) {
        match function.entry().spelling {
            Spelling::Between(sign) => {
                let a = self.untyped(&all[0], level::CAST);
                let b = match is_anchored(&all[0]) {
                    true => self.expr(&all[1], level::CAST),
                    false => self.untyped(&all[1], level::CAST),
                };
                // Tighter than comparisons, and in brackets within anything that binds tighter.
                (format!("{a} {sign} {b}"), level::COMPARE)
            }
            Spelling::Before([sign, _]) => {
                let a = self.untyped(&all[0], level::UNARY);
                (format!("{sign}{a}"), level::UNARY)
            }
            Spelling::Function([narrow, wide], _) => {
                let name = if ty == Type::I64 { wide } else { narrow };
                self.uses.insert(name);
                let all: Vec<String> = all.iter().map(|a| self.typed(a)).collect();
                (format!("{name}({})", all.join(", ")), level::POSTFIX)
            }
        }
    }

    /// A function of reals.
    fn of_reals(&mut self, entry: &Entry, all: &[Expr], ty: Type) -> (String, u8) {
        match entry.rust {
            Rust::Own(pieces) => {
                let name = of_width(pieces, ty).name;
                self.uses.insert(name);
                let all: Vec<String> = all.iter().map(|a| self.typed(a)).collect();
                (format!("{name}({})", all.join(", ")), level::POSTFIX)
            }
            Rust::Method(name) => {
                let first = self.untyped(&all[0], level::POSTFIX);
                let others: Vec<String> = all[1..].iter().map(|a| self.typed(a)).collect();
                (
                    format!("{first}.{name}({})", others.join(", ")),
                    level::POSTFIX,
                )
            }
            Rust::OneOver(name) => {
                let a = self.untyped(&all[0], level::POSTFIX);
                (format!("1.0 / {a}.{name}()"), level::PRODUCT)
            }
            Rust::Wide(piece) => {
                self.uses.insert(piece.name);
                let all: Vec<String> = all.iter().map(|a| self.untyped(a, level::ANY)).collect();
                wide_call(piece, &all, ty, self.type_name(ty))
            }
        }
    }
}

/// The one of two pieces, for 32 and for 64 bits, that computes in a type's width.
pub(super) fn of_width([narrow, wide]: [&'static Piece; 2], ty: Type) -> &'static Piece {
    match ty {
        Type::F32 => narrow,
        _ => wide,
    }
}

/// The call of support code that computes in 64 bits, with arguments of a type; `name`d so.
pub(super) fn wide_call(piece: &Piece, all: &[String], ty: Type, name: &str) -> (String, u8) {
    let own = piece.name;
    match ty {
        Type::F32 => {
            let all: Vec<String> = all.iter().map(|a| format!("f64::from({a})")).collect();
            (format!("{own}({}) as {name}", all.join(", ")), level::CAST)
        }
        _ => (format!("{own}({})", all.join(", ")), level::POSTFIX),
    }
}
