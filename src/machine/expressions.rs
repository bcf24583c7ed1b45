//! `Scheme` → code: expressions.

use super::code::{Arithmetic, Instr, Reg, Unary};
use super::compile::{Compiler, Place};
use crate::algebra::{
    self, Binary, Bivariate, Comparison, Expr, Kind, Logic, Type, component, expr,
};
use crate::term::Id;

impl Compiler<'_> {
    /// Evaluates an expression as a value of a type; gives its first register.
    pub(super) fn value(&mut self, id: Id, ty: Type) -> Reg {
        let to = self.scratch(ty.components());
        self.value_into(id, ty, to);
        to
    }

    /// Evaluates an expression as a value of a type into registers.
    pub(super) fn value_into(&mut self, id: Id, ty: Type, to: Reg) {
        let own = self.scheme.type_of(id);
        if own == ty || own == Type::Unknown {
            self.own_value(id, ty, to);
            return;
        }
        let mark = self.next;
        let from = self.scratch(own.components());
        self.own_value(id, own, from);
        self.convert(own, ty, from, to);
        self.next = mark;
    }

    /// Converts registers; a scalar zero becomes the zero vector.
    pub(super) fn convert(&mut self, own: Type, ty: Type, from: Reg, to: Reg) {
        for k in 0..ty.components() as Reg {
            let source = if own.components() == 1 {
                from
            } else {
                from + k
            };
            self.emit(Instr::Convert {
                from: own.component(),
                into: ty.component(),
                to: to + k,
                a: source,
            });
        }
    }

    pub(super) fn arithmetic(&mut self, op: Arithmetic, ty: Type, to: Reg, a: Reg, b: Reg) {
        self.emit(Instr::Arithmetic { op, ty, to, a, b });
    }

    /// The array of a cell and the register with the element's number.
    pub(super) fn element(&mut self, id: Id) -> (u32, Reg) {
        let scheme = self.scheme;
        let args = scheme.terms.args(id);
        let name = scheme
            .terms
            .as_atom(args[0])
            .expect("a cell is of a named array");
        let Some(&Place::Array(array)) = self.places.get(&name) else {
            unreachable!("`{name}` is an array that was made");
        };
        let to = self.scratch(1);
        let subscripts = self.scratch(args.len() - 1);
        for (i, &subscript) in args[1..].iter().enumerate() {
            self.value_into(subscript, Type::I64, subscripts + i as Reg);
        }
        let outer = std::mem::replace(&mut self.place, id);
        self.emit(Instr::Element {
            to,
            array,
            subscripts,
        });
        self.place = outer;
        (array, to)
    }

    /// Evaluates an expression in its own type.
    fn own_value(&mut self, id: Id, ty: Type, to: Reg) {
        let scheme = self.scheme;
        let mark = self.next;
        let outer = std::mem::replace(&mut self.place, id);
        match expr(&scheme.terms, id).expect("a checked scheme is well formed") {
            Expr::Int(i) => {
                let bits = match ty {
                    Type::F32 => u64::from((i as f32).to_bits()),
                    Type::F64 => (i as f64).to_bits(),
                    _ => i as u64,
                };
                self.emit(Instr::Const { to, bits });
            }
            Expr::Real(x) => {
                let bits = match ty {
                    Type::F32 => u64::from((x as f32).to_bits()),
                    _ => x.to_bits(),
                };
                self.emit(Instr::Const { to, bits });
            }
            Expr::Name(name) => match self.places.get(&name) {
                Some(&Place::Register(from)) => {
                    for k in 0..ty.components() as Reg {
                        self.emit(Instr::Move {
                            to: to + k,
                            from: from + k,
                        });
                    }
                }
                Some(&Place::Array(array)) => {
                    let element = self.scratch(1);
                    self.emit(Instr::Const {
                        to: element,
                        bits: 0,
                    });
                    self.load(array, element, ty, to);
                }
                None => unreachable!("`{name}` is declared before it is used"),
            },
            Expr::True => {
                self.emit(Instr::Const { to, bits: 1 });
            }
            Expr::False => {
                self.emit(Instr::Const { to, bits: 0 });
            }
            Expr::Not(a) => {
                let a = self.value(a, Type::Bool);
                self.emit(Instr::Not { to, a });
            }
            Expr::Negate(a) => {
                let a = self.value(a, ty);
                for k in 0..ty.components() as Reg {
                    self.emit(Instr::Unary {
                        op: Unary::Negate,
                        ty: ty.component(),
                        to: to + k,
                        a: a + k,
                    });
                }
            }
            Expr::Binary { op, left, right } => self.binary(op, left, right, ty, to),
            Expr::Index { .. } => {
                let (array, element) = self.element(id);
                self.load(array, element, ty, to);
            }
            Expr::Field { vector, field } => self.field(vector, component(field), to),
            Expr::Apply {
                function,
                arguments,
            } => self.apply(function, arguments, ty, to),
            Expr::Test { .. } | Expr::Holds { .. } | Expr::After { .. } => {
                // Only schemes without undefined and basic predicates are compiled.
                self.emit(Instr::Const { to, bits: 0 });
            }
            Expr::BlockIndex => {
                self.emit(Instr::BlockIndex { to });
            }
            Expr::ThreadIndex => {
                self.emit(Instr::ThreadIndex { to });
            }
            Expr::BlockCount => {
                self.emit(Instr::BlockCount { to });
            }
            Expr::ThreadCount => {
                self.emit(Instr::ThreadCount { to });
            }
            Expr::Multiprocessors => {
                self.emit(Instr::Const { to, bits: 1 });
            }
        }
        self.place = outer;
        self.next = mark;
    }

    fn load(&mut self, array: u32, element: Reg, ty: Type, to: Reg) {
        for k in 0..ty.components() as u8 {
            self.emit(Instr::Load {
                to: to + Reg::from(k),
                array,
                element,
                component: k,
            });
        }
    }

    /// One component: of a cell or a variable only that component is read.
    fn field(&mut self, vector: Id, k: u8, to: Reg) {
        let scheme = self.scheme;
        match expr(&scheme.terms, vector) {
            Some(Expr::Index { .. }) => {
                let (array, element) = self.element(vector);
                self.emit(Instr::Load {
                    to,
                    array,
                    element,
                    component: k,
                });
            }
            Some(Expr::Name(name)) if matches!(self.places.get(&name), Some(Place::Array(_))) => {
                let Some(&Place::Array(array)) = self.places.get(&name) else {
                    unreachable!("just looked at");
                };
                let element = self.scratch(1);
                self.emit(Instr::Const {
                    to: element,
                    bits: 0,
                });
                self.emit(Instr::Load {
                    to,
                    array,
                    element,
                    component: k,
                });
            }
            _ => {
                let from = self.value(vector, scheme.type_of(vector));
                self.emit(Instr::Move {
                    to,
                    from: from + Reg::from(k),
                });
            }
        }
    }

    fn binary(&mut self, op: Binary, left: Id, right: Id, ty: Type, to: Reg) {
        let arithmetic = match op.kind() {
            Kind::Logic(op) => return self.logic(op, left, right, to),
            Kind::Comparison(op) => return self.compared(op, left, right, to),
            Kind::Arithmetic(algebra::Arithmetic::Power) => {
                return match self.scheme.terms.as_int(right) {
                    Some(k) if (0..=64).contains(&k) => self.integer_power(left, k, ty, to),
                    _ => {
                        let a = self.value(left, ty);
                        let b = self.value(right, ty);
                        self.arithmetic(Arithmetic::Of(Bivariate::Pow), ty, to, a, b);
                    }
                };
            }
            Kind::Arithmetic(algebra::Arithmetic::Plus) => Arithmetic::Add,
            Kind::Arithmetic(algebra::Arithmetic::Minus) => Arithmetic::Subtract,
            Kind::Arithmetic(algebra::Arithmetic::Times) => Arithmetic::Multiply,
            Kind::Arithmetic(algebra::Arithmetic::Div) => Arithmetic::Divide,
            Kind::Arithmetic(algebra::Arithmetic::Mod) => Arithmetic::Remainder,
        };
        self.componentwise(arithmetic, left, right, ty, to);
    }

    /// Two conditions joined; the second is skipped where the first decides.
    fn logic(&mut self, op: Logic, left: Id, right: Id, to: Reg) {
        self.value_into(left, Type::Bool, to);
        let goes_on = match op {
            Logic::And => to,
            Logic::Or => {
                let negated = self.scratch(1);
                self.emit(Instr::Not { to: negated, a: to });
                negated
            }
        };
        let skip = self.emit(Instr::JumpIfNot {
            condition: goes_on,
            target: 0,
        });
        self.value_into(right, Type::Bool, to);
        self.land(skip);
    }

    /// Arithmetic of numbers, or of each component of vectors.
    fn componentwise(&mut self, op: Arithmetic, left: Id, right: Id, ty: Type, to: Reg) {
        let (ta, tb) = (self.scheme.type_of(left), self.scheme.type_of(right));
        // A number beside a vector is one component, used for each.
        let operand = |t: Type| {
            if t.components() > 1 {
                ty
            } else {
                ty.component()
            }
        };
        let a = self.value(left, operand(ta));
        let b = self.value(right, operand(tb));
        for k in 0..ty.components() as Reg {
            let a = if ta.components() > 1 { a + k } else { a };
            let b = if tb.components() > 1 { b + k } else { b };
            self.arithmetic(op, ty.component(), to + k, a, b);
        }
    }

    fn compared(&mut self, op: Comparison, left: Id, right: Id, to: Reg) {
        let ty = self.scheme.joined(left, right);
        let a = self.value(left, ty);
        let b = self.value(right, ty);
        self.emit(Instr::Compare { op, ty, to, a, b });
    }

    /// Products from the left.
    fn integer_power(&mut self, base: Id, k: i64, ty: Type, to: Reg) {
        let a = self.value(base, ty);
        if k == 0 {
            let one = self.scratch(1);
            self.emit(Instr::Const { to: one, bits: 1 });
            self.emit(Instr::Convert {
                from: Type::I32,
                into: ty,
                to,
                a: one,
            });
            return;
        }
        let product = self.scratch(1);
        self.emit(Instr::Move {
            to: product,
            from: a,
        });
        for _ in 1..k {
            self.arithmetic(Arithmetic::Multiply, ty, product, product, a);
        }
        self.emit(Instr::Move { to, from: product });
    }
}
