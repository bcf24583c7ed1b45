//! Calls of functions → code.

use super::code::{Arithmetic, Instr, Reg, Unary};
use super::compile::Compiler;
use crate::algebra::{Comparison, Elementary, Extreme, Length, Signature, Type, signature};
use crate::term::{Id, Symbol};

impl Compiler<'_> {
    pub(super) fn apply(&mut self, name: Symbol, arguments: &[Id], ty: Type, to: Reg) {
        let scheme = self.scheme;
        let signature = signature(name).expect("a checked function is in the table");
        match signature {
            Signature::Real(function) => {
                let (op, a) = (Unary::Of(function), self.value(arguments[0], ty));
                self.emit(Instr::Unary { op, ty, to, a });
            }
            Signature::Abs => {
                let (op, a) = (Unary::Abs, self.value(arguments[0], ty));
                self.emit(Instr::Unary { op, ty, to, a });
            }
            Signature::ToInteger(rounding) => {
                let own = scheme.type_of(arguments[0]);
                let a = self.value(arguments[0], own);
                if own.is_real() {
                    let whole = self.scratch(1);
                    self.emit(Instr::Unary {
                        op: Unary::Of(rounding),
                        ty: own,
                        to: whole,
                        a,
                    });
                    self.emit(Instr::Convert {
                        from: own,
                        into: ty,
                        to,
                        a: whole,
                    });
                } else {
                    self.emit(Instr::Convert {
                        from: own,
                        into: ty,
                        to,
                        a,
                    });
                }
            }
            Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64 => {
                let own = scheme.type_of(arguments[0]);
                let a = self.value(arguments[0], own);
                self.convert(own, ty, a, to);
            }
            Signature::RealReal(function) => {
                let a = self.value(arguments[0], ty);
                let b = self.value(arguments[1], ty);
                self.arithmetic(Arithmetic::Of(function), ty, to, a, b);
            }
            Signature::CeilDiv => {
                let a = self.value(arguments[0], ty);
                let b = self.value(arguments[1], ty);
                self.arithmetic(Arithmetic::CeilDivide, ty, to, a, b);
            }
            Signature::Bits(function) => {
                let a = self.value(arguments[0], ty);
                let b = arguments.get(1).map_or(a, |&b| self.value(b, ty));
                self.emit(Instr::Bits {
                    function,
                    ty,
                    to,
                    a,
                    b,
                });
            }
            Signature::BitsAsReal | Signature::BitsAsInteger => {
                let a = self.value(arguments[0], scheme.type_of(arguments[0]));
                self.emit(Instr::SameBits { into: ty, to, a });
            }
            Signature::Join(extreme) => {
                let a = self.value(arguments[0], ty);
                let b = self.value(arguments[1], ty);
                let c = self.scratch(1);
                let (x, y) = match extreme {
                    Extreme::Min => (b, a),
                    Extreme::Max => (a, b),
                };
                self.emit(Instr::Compare {
                    op: Comparison::Less,
                    ty,
                    to: c,
                    a: x,
                    b: y,
                });
                self.emit(Instr::Move { to, from: b });
                let not = self.scratch(1);
                self.emit(Instr::Not { to: not, a: c });
                let skip = self.emit(Instr::JumpIfNot {
                    condition: not,
                    target: 0,
                });
                self.emit(Instr::Move { to, from: a });
                self.land(skip);
            }
            Signature::Select => {
                let c = self.value(arguments[0], Type::Bool);
                let to_no = self.emit(Instr::JumpIfNot {
                    condition: c,
                    target: 0,
                });
                self.value_into(arguments[1], ty, to);
                let to_end = self.emit(Instr::Jump { target: 0 });
                self.land(to_no);
                self.value_into(arguments[2], ty, to);
                self.land(to_end);
            }
            Signature::Dot => {
                let vector = scheme.joined(arguments[0], arguments[1]);
                let a = self.value(arguments[0], vector);
                let b = self.value(arguments[1], vector);
                self.dot(a, b, vector, to);
            }
            Signature::Norm(length) => {
                let vector = scheme.type_of(arguments[0]);
                let a = self.value(arguments[0], vector);
                self.dot(a, a, vector, to);
                if length == Length::Norm {
                    self.emit(Instr::Unary {
                        op: Unary::Of(Elementary::Sqrt),
                        ty,
                        to,
                        a: to,
                    });
                }
            }
            Signature::Cross => {
                let a = self.value(arguments[0], ty);
                let b = self.value(arguments[1], ty);
                let c = ty.component();
                let (p, q) = (self.scratch(1), self.scratch(1));
                for k in 0..3 {
                    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                    self.arithmetic(Arithmetic::Multiply, c, p, a + i, b + j);
                    self.arithmetic(Arithmetic::Multiply, c, q, a + j, b + i);
                    self.arithmetic(Arithmetic::Subtract, c, to + k, p, q);
                }
            }
            Signature::Fma => {
                let types = [0, 1, 2].map(|k| scheme.type_of(arguments[k]));
                let c = ty.component();
                let wide = |t: Type| t.with_components(c).unwrap_or(t);
                let [a, b, d] = [0, 1, 2].map(|k| self.value(arguments[k], wide(types[k])));
                let fma = |to: Reg, a: Reg, b: Reg, d: Reg| Instr::MultiplyAdd {
                    ty: c,
                    to,
                    a,
                    b,
                    c: d,
                };
                if types[0].components() > 1 {
                    let sum = self.scratch(1);
                    self.emit(Instr::Move { to: sum, from: d });
                    for k in 0..types[0].components() as Reg {
                        self.emit(fma(sum, a + k, b + k, sum));
                    }
                    self.emit(Instr::Move { to, from: sum });
                } else {
                    // The value may stand where an operand does.
                    let own = self.scratch(ty.components());
                    for k in 0..ty.components() as Reg {
                        self.emit(fma(own + k, a, b + k, d + k));
                    }
                    for k in 0..ty.components() as Reg {
                        self.emit(Instr::Move {
                            to: to + k,
                            from: own + k,
                        });
                    }
                }
            }
            Signature::Vector => {
                for (k, &argument) in arguments.iter().enumerate() {
                    self.value_into(argument, ty.component(), to + k as Reg);
                }
            }
        }
    }

    /// The scalar product, summed from the left.
    pub(super) fn dot(&mut self, a: Reg, b: Reg, vector: Type, to: Reg) {
        let c = vector.component();
        let sum = self.scratch(1);
        let product = self.scratch(1);
        self.arithmetic(Arithmetic::Multiply, c, sum, a, b);
        for k in 1..vector.components() as Reg {
            self.arithmetic(Arithmetic::Multiply, c, product, a + k, b + k);
            self.arithmetic(Arithmetic::Add, c, sum, sum, product);
        }
        self.emit(Instr::Move { to, from: sum });
    }
}
