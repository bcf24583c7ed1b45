//! Expressions of a scheme → expressions of a plan.

use super::lower::Lower;
use super::{Arithmetic, Expr, Function, Index, Node};
use crate::algebra::{
    self, Binary, Bivariate, Comparison, Extreme, Kind, Length, Logic, Signature, Type, expr,
    signature,
};
use crate::term::{Id, Symbol};

/// The number of a vector's component by its name.
fn component(field: Symbol) -> u8 {
    match field.as_str() {
        "y" => 1,
        "z" => 2,
        "w" => 3,
        _ => 0,
    }
}

/// An integer as a value of a type.
fn integer(value: i64, ty: Type) -> Node {
    match ty {
        Type::F32 => Node::Real(f64::from(value as f32)),
        Type::F64 => Node::Real(value as f64),
        // Out of range: an error when it is computed.
        Type::I32 if i32::try_from(value).is_err() => {
            Node::Convert(Box::new(Expr::int(Type::I64, value)))
        }
        _ => Node::Int(value),
    }
}

/// A real as a value of a type.
fn real(value: f64, ty: Type) -> Node {
    match ty {
        Type::F32 => Node::Real(f64::from(value as f32)),
        _ => Node::Real(value),
    }
}

/// An expression as a value of another type; literals are converted here and now.
pub(super) fn convert(e: Expr, ty: Type) -> Expr {
    if e.ty == ty {
        return e;
    }
    let node = match (&e.node, ty) {
        (Node::Int(i), Type::F32 | Type::F64) => integer(*i, ty),
        (Node::Int(i), Type::I64) => Node::Int(*i),
        (Node::Int(i), Type::I32) if i32::try_from(*i).is_ok() => Node::Int(*i),
        (Node::Real(x), Type::F32 | Type::F64) => real(*x, ty),
        (Node::Real(_) | Node::Int(_), Type::Vector(..)) => {
            Node::Convert(Box::new(convert(e, ty.component())))
        }
        _ => Node::Convert(Box::new(e)),
    };
    Expr::new(ty, node)
}

impl Lower<'_> {
    /// An expression as a value of a type.
    pub(super) fn value(&mut self, id: Id, ty: Type) -> Expr {
        let own = self.scheme.type_of(id);
        if own == Type::Unknown {
            return self.own_value(id, ty);
        }
        let e = self.own_value(id, own);
        convert(e, ty)
    }

    /// An expression in its own type.
    pub(super) fn own(&mut self, id: Id) -> Expr {
        let ty = self.scheme.type_of(id);
        self.own_value(id, ty)
    }

    fn boxed(&mut self, id: Id, ty: Type) -> Box<Expr> {
        Box::new(self.value(id, ty))
    }

    fn own_value(&mut self, id: Id, ty: Type) -> Expr {
        let scheme = self.scheme;
        let node = match expr(&scheme.terms, id).expect("a checked scheme is well formed") {
            algebra::Expr::Int(i) => integer(i, ty),
            algebra::Expr::Real(x) => real(x, ty),
            algebra::Expr::Name(name) => Node::Var(self.variable(name)),
            algebra::Expr::True => Node::Bool(true),
            // Only schemes without undefined predicates are planned.
            algebra::Expr::False | algebra::Expr::Test { .. } | algebra::Expr::After { .. } => {
                Node::Bool(false)
            }
            algebra::Expr::Holds {
                phrase, arguments, ..
            } => self.holds(phrase, arguments).unwrap_or(Node::Bool(false)),
            algebra::Expr::Not(a) => Node::Not(self.boxed(a, Type::Bool)),
            algebra::Expr::Negate(a) => Node::Negate(self.boxed(a, ty)),
            algebra::Expr::Binary { op, left, right } => self.binary(op, left, right, ty),
            algebra::Expr::Index { array, subscripts } => {
                let array = self.variable(array);
                let subscripts = subscripts.iter().map(|&s| self.own(s)).collect();
                Node::Cell { array, subscripts }
            }
            algebra::Expr::Field { vector, field } => {
                Node::Component(Box::new(self.own(vector)), component(field))
            }
            algebra::Expr::Apply {
                function,
                arguments,
            } => return self.apply(function, arguments, ty),
            algebra::Expr::BlockIndex => Node::Index(Index::Block),
            algebra::Expr::ThreadIndex => Node::Index(Index::Thread),
            algebra::Expr::BlockCount => Node::Index(Index::Blocks),
            algebra::Expr::ThreadCount => Node::Index(Index::Threads),
            algebra::Expr::Multiprocessors => Node::Index(Index::Multiprocessors),
        };
        Expr::new(ty, node)
    }

    fn binary(&mut self, op: Binary, left: Id, right: Id, ty: Type) -> Node {
        match op.kind() {
            Kind::Logic(op) => {
                let a = self.boxed(left, Type::Bool);
                logic(op, a, self.boxed(right, Type::Bool))
            }
            Kind::Comparison(op) => self.compare(op, left, right),
            Kind::Arithmetic(op) => match (calculated(op), self.scheme.terms.as_int(right)) {
                (Some(op), _) => self.arithmetic(op, left, right, ty),
                (None, Some(0)) => integer(1, ty),
                (None, Some(k @ 1..=64)) => Node::Power(self.boxed(left, ty), k as u32),
                (None, _) => {
                    let a = self.value(left, ty);
                    let b = self.value(right, ty);
                    Node::Call(Function::RealReal(Bivariate::Pow), vec![a, b])
                }
            },
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, left: Id, right: Id, ty: Type) -> Node {
        let scheme = self.scheme;
        // A number beside a vector is one component, used for each.
        let operand = |e: Id| match scheme.type_of(e).components() {
            1 => ty.component(),
            _ => ty,
        };
        let a = self.boxed(left, operand(left));
        let b = self.boxed(right, operand(right));
        Node::Arithmetic(op, a, b)
    }

    fn compare(&mut self, op: Comparison, left: Id, right: Id) -> Node {
        let common = self.scheme.joined(left, right);
        let a = self.boxed(left, common);
        Node::Compare(op, a, self.boxed(right, common))
    }

    /// The call of a function whose arguments are all of one type.
    fn call(&mut self, function: Function, arguments: &[Id], ty: Type) -> Node {
        Node::Call(
            function,
            arguments.iter().map(|&a| self.value(a, ty)).collect(),
        )
    }

    fn apply(&mut self, name: Symbol, arguments: &[Id], ty: Type) -> Expr {
        let scheme = self.scheme;
        let signature = signature(name).expect("a checked function is in the table");
        let own = scheme.type_of(arguments[0]);
        let node = match signature {
            Signature::Real(function) => self.call(Function::Real(function), arguments, ty),
            Signature::RealReal(function) => self.call(Function::RealReal(function), arguments, ty),
            Signature::Abs => self.call(Function::Abs, arguments, ty),
            Signature::Join(extreme) => self.call(joined(extreme), arguments, ty),
            Signature::CeilDiv => self.call(Function::CeilDiv, arguments, ty),
            Signature::Bits(function) => self.call(Function::Bits(function), arguments, ty),
            Signature::BitsAsReal | Signature::BitsAsInteger => {
                self.call(Function::SameBits, arguments, own)
            }
            Signature::Cross => self.call(Function::Cross, arguments, ty),
            Signature::Dot => {
                let vector = scheme.joined(arguments[0], arguments[1]);
                self.call(Function::Dot, arguments, vector)
            }
            Signature::Norm(Length::Norm) => self.call(Function::Norm, arguments, own),
            Signature::Norm(Length::Norm2) => self.call(Function::Norm2, arguments, own),
            Signature::ToInteger(function) => {
                let mut e = self.value(arguments[0], own);
                if own.is_real() {
                    e = Expr::new(own, Node::Call(Function::Real(function), vec![e]));
                }
                return convert(e, ty);
            }
            Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64 => {
                let e = self.value(arguments[0], own);
                return convert(e, ty);
            }
            Signature::Select => {
                let c = self.boxed(arguments[0], Type::Bool);
                let a = self.boxed(arguments[1], ty);
                Node::Select(c, a, self.boxed(arguments[2], ty))
            }
            Signature::Fma => {
                let c = ty.component();
                let operand = |this: &mut Self, a: Id| {
                    let own = scheme.type_of(a);
                    this.value(a, own.with_components(c).unwrap_or(own))
                };
                let all = arguments.iter().map(|&a| operand(self, a)).collect();
                Node::Call(Function::Fma, all)
            }
            Signature::Vector => {
                let c = ty.component();
                Node::Vector(arguments.iter().map(|&a| self.value(a, c)).collect())
            }
        };
        Expr::new(ty, node)
    }

    /// The default of a parameter, evaluated as `machine::fold` does: integers and reals in 64 bits,
    /// a value of type REAL32 rounded.
    pub(super) fn folded(&mut self, id: Id) -> Expr {
        let scheme = self.scheme;
        let own = scheme.type_of(id);
        let wide = match own {
            t if t.is_real() => Type::F64,
            t if t.is_integer() => Type::I64,
            t => t,
        };
        let node = match expr(&scheme.terms, id).expect("a checked scheme is well formed") {
            algebra::Expr::Int(i) => return Expr::new(wide, integer(i, wide)),
            algebra::Expr::Real(x) => return Expr::new(wide, real(x, own)),
            algebra::Expr::Name(name) => {
                let var = self.variable(name);
                let ty = self.variables[var.0 as usize].ty;
                return convert(Expr::new(ty, Node::Var(var)), wide);
            }
            algebra::Expr::True => Node::Bool(true),
            // Only schemes without undefined predicates are planned.
            algebra::Expr::False | algebra::Expr::Test { .. } | algebra::Expr::After { .. } => {
                Node::Bool(false)
            }
            algebra::Expr::Holds {
                phrase, arguments, ..
            } => self.holds(phrase, arguments).unwrap_or(Node::Bool(false)),
            algebra::Expr::Not(a) => Node::Not(Box::new(self.folded(a))),
            algebra::Expr::Negate(a) => Node::Negate(Box::new(self.folded(a))),
            algebra::Expr::Binary {
                op: Binary::Power,
                left,
                right,
            } => {
                let (a, b) = (self.folded(left), self.folded(right));
                match (a.ty.is_integer(), b.ty.is_integer()) {
                    (_, true) if wide == Type::F64 => {
                        Node::Call(Function::PowInt, vec![convert(a, wide), b])
                    }
                    (true, true) => match scheme.terms.as_int(right) {
                        Some(0) => Node::Int(1),
                        Some(k) => Node::Power(Box::new(a), k as u32),
                        None => Node::Call(Function::PowInt, vec![a, b]),
                    },
                    _ => Node::Call(
                        Function::RealReal(Bivariate::Pow),
                        vec![convert(a, wide), convert(b, wide)],
                    ),
                }
            }
            algebra::Expr::Binary { op, left, right } => {
                let (mut a, mut b) = (self.folded(left), self.folded(right));
                if a.ty != b.ty {
                    a = convert(a, Type::F64);
                    b = convert(b, Type::F64);
                }
                let (a, b) = (Box::new(a), Box::new(b));
                match op.kind() {
                    Kind::Logic(op) => logic(op, a, b),
                    Kind::Comparison(op) => Node::Compare(op, a, b),
                    Kind::Arithmetic(op) => {
                        let op = calculated(op).expect("powers are folded above");
                        Node::Arithmetic(op, a, b)
                    }
                }
            }
            algebra::Expr::Apply {
                function: name,
                arguments,
            } => {
                let all: Vec<Expr> = arguments.iter().map(|&a| self.folded(a)).collect();
                self.folded_call(name, all, own, wide)
            }
            algebra::Expr::Index { .. }
            | algebra::Expr::Field { .. }
            | algebra::Expr::BlockIndex
            | algebra::Expr::ThreadIndex
            | algebra::Expr::BlockCount
            | algebra::Expr::ThreadCount
            | algebra::Expr::Multiprocessors => {
                unreachable!("a default is checked to be computed from parameters")
            }
        };
        let e = Expr::new(wide, node);
        match own {
            Type::F32 => convert(convert(e, Type::F32), Type::F64),
            _ => e,
        }
    }

    /// A call in the default of a parameter. Approximate functions are computed from exact ones there.
    fn folded_call(&mut self, name: Symbol, mut all: Vec<Expr>, own: Type, wide: Type) -> Node {
        let signature = signature(name).expect("a checked function is in the table");
        let signature = signature.near().unwrap_or(signature);
        let call = |function, all: Vec<Expr>, ty| {
            let all = all.into_iter().map(|a| convert(a, ty)).collect();
            Node::Call(function, all)
        };
        match signature {
            Signature::Real(function) => call(Function::Real(function), all, Type::F64),
            Signature::RealReal(function) => call(Function::RealReal(function), all, wide),
            Signature::Abs => call(Function::Abs, all, wide),
            Signature::Join(extreme) => call(joined(extreme), all, wide),
            Signature::CeilDiv => call(Function::CeilDiv, all, wide),
            // Bits are those of the type.
            Signature::Bits(function) => {
                let call = call(Function::Bits(function), all, own);
                convert(Expr::new(own, call), wide).node
            }
            Signature::Fma => call(Function::Fma, all, wide),
            Signature::ToInteger(function) => {
                let call = call(Function::Real(function), all, Type::F64);
                Node::Convert(Box::new(Expr::new(Type::F64, call)))
            }
            Signature::Select => {
                let no = convert(all.swap_remove(2), wide);
                let yes = convert(all.swap_remove(1), wide);
                Node::Select(Box::new(all.swap_remove(0)), Box::new(yes), Box::new(no))
            }
            Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64 => convert(all.swap_remove(0), wide).node,
            Signature::Dot
            | Signature::Cross
            | Signature::Norm(_)
            | Signature::Vector
            | Signature::BitsAsReal
            | Signature::BitsAsInteger => {
                unreachable!("a default is checked to be computed from no vectors and no bits")
            }
        }
    }
}

/// The function that gives one of two numbers.
fn joined(extreme: Extreme) -> Function {
    match extreme {
        Extreme::Min => Function::Min,
        Extreme::Max => Function::Max,
    }
}

/// Two conditions joined.
fn logic(op: Logic, a: Box<Expr>, b: Box<Expr>) -> Node {
    match op {
        Logic::And => Node::And(a, b),
        Logic::Or => Node::Or(a, b),
    }
}

/// The operation of a calculation; none for powers, which are written in other ways.
fn calculated(op: algebra::Arithmetic) -> Option<Arithmetic> {
    Some(match op {
        algebra::Arithmetic::Plus => Arithmetic::Add,
        algebra::Arithmetic::Minus => Arithmetic::Subtract,
        algebra::Arithmetic::Times => Arithmetic::Multiply,
        algebra::Arithmetic::Div => Arithmetic::Divide,
        algebra::Arithmetic::Mod => Arithmetic::Remainder,
        algebra::Arithmetic::Power => return None,
    })
}
