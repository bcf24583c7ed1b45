//! Expressions of a plan → Rust.

use super::printer::{Access, Printer};
use crate::algebra::{COMPONENTS, Precision, Type};
use crate::emit::number::digits;
use crate::emit::plan::{
    Arithmetic, Comparison, Expr, Function, Index, Node, Place, Var, uses_device,
};

/// How tightly an operator binds; an operand that binds less tightly needs parentheses.
pub(super) mod level {
    pub const ANY: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const COMPARE: u8 = 3;
    pub const SUM: u8 = 4;
    pub const PRODUCT: u8 = 5;
    pub const CAST: u8 = 6;
    pub const UNARY: u8 = 7;
    pub const POSTFIX: u8 = 8;
}

/// The sign of a comparison.
pub(super) fn compares(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    }
}

/// Whether something in an expression says its type, so that literals in it need not.
pub(super) fn is_anchored(e: &Expr) -> bool {
    match &e.node {
        Node::Int(_) | Node::Real(_) => false,
        Node::Negate(a) | Node::Power(a, _) => is_anchored(a),
        Node::Arithmetic(_, a, b) if e.ty.components() == 1 => is_anchored(a) || is_anchored(b),
        Node::Select(_, a, b) => is_anchored(a) || is_anchored(b),
        Node::Call(Function::Min | Function::Max, all) => all.iter().any(is_anchored),
        _ => true,
    }
}

/// Whether a text ends in `x as T`: `<` after it would be read as the beginning of type arguments.
fn ends_in_cast(text: &str) -> bool {
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.rsplit_once(" as ")
        .is_some_and(|(_, ty)| ty.chars().all(name))
}

/// The name of a vector of a precision, where the scheme's own reals have another one or the same.
pub(super) fn vector_name(n: u8, precision: Precision, own: Precision) -> &'static str {
    match (n, precision) {
        (2, p) if p == own => "Vec2",
        (3, p) if p == own => "Vec3",
        (_, p) if p == own => "Vec4",
        (2, Precision::F32) => "Vec2F32",
        (3, Precision::F32) => "Vec3F32",
        (_, Precision::F32) => "Vec4F32",
        (2, Precision::F64) => "Vec2F64",
        (3, Precision::F64) => "Vec3F64",
        (_, Precision::F64) => "Vec4F64",
    }
}

impl Printer<'_> {
    /// The name of a type.
    pub(super) fn type_name(&self, ty: Type) -> &'static str {
        match ty {
            Type::Bool => "bool",
            Type::I64 => "i64",
            Type::F32 | Type::F64 if ty == self.plan.precision.real() => "Real",
            Type::F32 => "f32",
            Type::F64 => "f64",
            Type::Vector(n, precision) => vector_name(n, precision, self.plan.precision),
            Type::I32 | Type::Unknown => "i32",
        }
    }

    /// An expression where its type is known from around it.
    pub(super) fn typed(&mut self, e: &Expr) -> String {
        self.expr(e, level::ANY)
    }

    /// An expression where nothing around it says its type.
    pub(super) fn untyped(&mut self, e: &Expr, least: u8) -> String {
        let outer = std::mem::replace(&mut self.suffixes, !is_anchored(e));
        let text = self.expr(e, least);
        self.suffixes = outer;
        text
    }

    /// An expression that binds at least as tightly as `least`.
    pub(super) fn expr(&mut self, e: &Expr, least: u8) -> String {
        let (text, own) = self.parts(e);
        match own < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn number(&mut self, text: String, ty: Type) -> (String, u8) {
        let own = match text.starts_with('-') {
            true => level::UNARY,
            false => level::POSTFIX,
        };
        let suffix = match ty {
            _ if !self.suffixes => "",
            Type::F32 => "_f32",
            Type::F64 => "_f64",
            Type::I64 => "_i64",
            _ => "_i32",
        };
        (format!("{text}{suffix}"), own)
    }

    /// The text of an expression and how tightly it binds.
    fn parts(&mut self, e: &Expr) -> (String, u8) {
        let atom = |text: String| (text, level::POSTFIX);
        match &e.node {
            Node::Holds {
                function,
                arguments,
            } => atom(self.call_of(*function, arguments)),
            // Its opposite would be a literal out of range.
            Node::Int(i64::MIN) => atom("i64::MIN".into()),
            Node::Int(i) if e.ty == Type::I32 && *i == i64::from(i32::MIN) => {
                atom("i32::MIN".into())
            }
            Node::Int(i) => self.number(i.to_string(), e.ty),
            Node::Real(x) if x.is_finite() => self.number(digits(*x, e.ty), e.ty),
            Node::Real(x) => {
                let name = self.type_name(e.ty);
                match x {
                    x if x.is_nan() => atom(format!("{name}::NAN")),
                    x if *x < 0.0 => atom(format!("{name}::NEG_INFINITY")),
                    _ => atom(format!("{name}::INFINITY")),
                }
            }
            Node::Bool(b) => atom(b.to_string()),
            Node::Var(var) => self.scalar(*var),
            Node::Cell { array, .. } => {
                let place = self.place(e);
                match self.access(*array) {
                    Access::Shared => atom(format!("{place}.get()")),
                    _ => atom(place),
                }
            }
            Node::Component(inner, k) => {
                let field = COMPONENTS[usize::from(*k)];
                match &inner.node {
                    Node::Cell { .. } | Node::Var(_) if self.is_shared(inner) => {
                        let place = self.place(inner);
                        atom(format!("{place}.{field}().get()"))
                    }
                    _ => {
                        let inner = self.untyped(inner, level::POSTFIX);
                        atom(format!("{inner}.{field}"))
                    }
                }
            }
            Node::Convert(a) => self.convert(a, e.ty),
            Node::Negate(a) => {
                if self.checks(e.ty) && !matches!(a.node, Node::Int(_)) {
                    return self.checked("opposite", &[a]);
                }
                // `--x` would not be Rust's manner, and `-1` is a literal of its own.
                let a = self.expr(a, level::UNARY);
                match a.starts_with('-') {
                    true => (format!("-({a})"), level::UNARY),
                    false => (format!("-{a}"), level::UNARY),
                }
            }
            Node::Not(a) => match &a.node {
                Node::Compare(Comparison::Equal, x, y) => {
                    self.comparison(Comparison::NotEqual, x, y)
                }
                _ => {
                    let a = self.expr(a, level::UNARY);
                    (format!("!{a}"), level::UNARY)
                }
            },
            Node::Arithmetic(op, a, b) => self.arithmetic(*op, a, b, e.ty),
            Node::Compare(op, a, b) => self.comparison(*op, a, b),
            Node::And(a, b) => {
                let (a, b) = (self.expr(a, level::AND), self.expr(b, level::COMPARE));
                (format!("{a} && {b}"), level::AND)
            }
            Node::Or(a, b) => {
                let (a, b) = (self.expr(a, level::OR), self.expr(b, level::AND));
                (format!("{a} || {b}"), level::OR)
            }
            Node::Power(a, k) => self.power(a, *k),
            Node::Call(function, all) => self.call(*function, all, e.ty),
            Node::Select(c, a, b) => {
                let c = self.typed(c);
                let (a, b) = (self.typed(a), self.typed(b));
                (format!("if {c} {{ {a} }} else {{ {b} }}"), level::ANY)
            }
            Node::Vector(all) => {
                let all: Vec<String> = all.iter().map(|a| self.typed(a)).collect();
                atom(format!("{}::new({})", self.type_name(e.ty), all.join(", ")))
            }
            Node::Index(index) => atom(
                match index {
                    Index::Block => self.names.block,
                    Index::Thread => self.names.thread,
                    Index::Blocks => self.names.blocks,
                    Index::Threads => self.names.threads,
                    Index::Multiprocessors if self.cuda && uses_device(self.plan) => {
                        "device.multiprocessors()"
                    }
                    Index::Multiprocessors => "1",
                }
                .to_owned(),
            ),
        }
    }

    /// A scalar variable's value.
    fn scalar(&mut self, var: Var) -> (String, u8) {
        let name = self.name(var);
        match self.access(var) {
            Access::Plain => (name, level::POSTFIX),
            Access::Reference => (format!("*{name}"), level::UNARY),
            Access::Shared => (format!("{name}.get()"), level::POSTFIX),
            Access::PerThread => (format!("{name}[{}]", self.thread), level::POSTFIX),
        }
    }

    pub(super) fn is_shared(&self, e: &Expr) -> bool {
        match &e.node {
            Node::Var(var) => self.access(*var) == Access::Shared,
            Node::Cell { array, .. } => self.access(*array) == Access::Shared,
            _ => false,
        }
    }

    /// A variable, cell or component as a place.
    pub(super) fn place(&mut self, e: &Expr) -> String {
        match &e.node {
            Node::Var(var) => match self.access(*var) {
                Access::Shared => self.name(*var),
                _ => self.scalar(*var).0,
            },
            Node::Cell { array, subscripts } => {
                let name = self.name(*array);
                let number = self.cell_number(*array, subscripts);
                format!("{name}[{number}]")
            }
            Node::Component(inner, k) => {
                let field = COMPONENTS[usize::from(*k)];
                let inner_text = self.place(inner);
                match &inner.node {
                    _ if self.is_shared(inner) => format!("{inner_text}.{field}()"),
                    Node::Var(var) if self.access(*var) == Access::Reference => {
                        format!("{}.{field}", self.name(*var))
                    }
                    _ => format!("{inner_text}.{field}"),
                }
            }
            _ => self.expr(e, level::POSTFIX),
        }
    }

    /// Where a cell stands among those of its array.
    pub(super) fn cell_number(&mut self, array: Var, subscripts: &[Expr]) -> String {
        let subscripts: Vec<String> = subscripts.iter().map(|s| self.subscript(s)).collect();
        match subscripts.as_slice() {
            [one] => one.clone(),
            all => {
                self.uses.insert("cell");
                let dims = self.dims_name(array);
                format!("cell([{}], {dims})", all.join(", "))
            }
        }
    }

    /// An integer as a subscript.
    pub(super) fn subscript(&mut self, e: &Expr) -> String {
        match &e.node {
            Node::Int(i) if *i >= 0 => i.to_string(),
            _ => format!("{} as usize", self.untyped(e, level::CAST)),
        }
    }

    fn convert(&mut self, a: &Expr, ty: Type) -> (String, u8) {
        let call = |f: &str, a: String| (format!("{f}({a})"), level::POSTFIX);
        match (a.ty, ty) {
            (Type::Vector(..), Type::Vector(_, precision)) => {
                let method = match precision {
                    Precision::F32 => "to_f32",
                    Precision::F64 => "to_f64",
                };
                let a = self.untyped(a, level::POSTFIX);
                (format!("{a}.{method}()"), level::POSTFIX)
            }
            (_, Type::Vector(..)) => {
                let name = self.type_name(ty);
                match a.node {
                    Node::Real(x) if x == 0.0 && x.is_sign_positive() => {
                        (format!("{name}::ZERO"), level::POSTFIX)
                    }
                    _ => call(&format!("{name}::splat"), self.typed(a)),
                }
            }
            (from, Type::I32) if from.is_real() => {
                self.uses.extend(["int32", "error"]);
                call("int32", self.untyped(a, level::ANY))
            }
            (from, Type::I64) if from.is_real() => {
                self.uses.extend(["int64", "error"]);
                call("int64", self.untyped(a, level::ANY))
            }
            (Type::I64, Type::I32) => {
                self.uses.extend(["integer32", "error"]);
                call("integer32", self.typed(a))
            }
            (Type::I32, Type::I64) => call("i64::from", self.untyped(a, level::ANY)),
            (Type::I32 | Type::F32, Type::F64) => {
                let name = self.type_name(ty);
                call(&format!("{name}::from"), self.untyped(a, level::ANY))
            }
            _ => {
                let a = self.untyped(a, level::CAST);
                (format!("{a} as {}", self.type_name(ty)), level::CAST)
            }
        }
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr, ty: Type) -> (String, u8) {
        let (sign, own, checked) = match op {
            Arithmetic::Add => ("+", level::SUM, Some("sum")),
            Arithmetic::Subtract => ("-", level::SUM, Some("difference")),
            Arithmetic::Multiply => ("*", level::PRODUCT, Some("product")),
            // Rust checks quotients always.
            Arithmetic::Divide => ("/", level::PRODUCT, None),
            Arithmetic::Remainder => ("%", level::PRODUCT, None),
        };
        if let Some(name) = checked
            && self.checks(ty)
        {
            return self.checked(name, &[a, b]);
        }
        let (a, b) = (self.expr(a, own), self.expr(b, own + 1));
        (format!("{a} {sign} {b}"), own)
    }

    fn comparison(&mut self, op: Comparison, a: &Expr, b: &Expr) -> (String, u8) {
        let sign = compares(op);
        let outer = self.suffixes;
        self.suffixes = !is_anchored(a) && !is_anchored(b);
        let mut a = self.expr(a, level::SUM);
        if ends_in_cast(&a) {
            a = format!("({a})");
        }
        let b = self.expr(b, level::SUM);
        self.suffixes = outer;
        (format!("{a} {sign} {b}"), level::COMPARE)
    }

    /// Whether nothing but literals and variables of loops says what type an expression has.
    pub(super) fn is_loose(&self, e: &Expr) -> bool {
        match &e.node {
            Node::Int(_) => true,
            Node::Var(var) => self.plan.var(*var).place == Place::Loop,
            Node::Negate(a) | Node::Power(a, _) => self.is_loose(a),
            Node::Arithmetic(_, a, b) | Node::Select(_, a, b) => {
                self.is_loose(a) && self.is_loose(b)
            }
            Node::Call(Function::Min | Function::Max | Function::Bits(_), all) => {
                all.iter().all(|a| self.is_loose(a))
            }
            _ => false,
        }
    }

    fn power(&mut self, a: &Expr, k: u32) -> (String, u8) {
        let simple = matches!(a.node, Node::Var(_));
        if k == 1 {
            return self.parts(a);
        }
        if self.checks(a.ty) {
            self.uses.insert("checked");
            let a = self.expr(a, level::ANY);
            return (format!("checked::power({a}, {k})"), level::POSTFIX);
        }
        if simple && k <= 3 {
            let a = self.expr(a, level::UNARY);
            return (vec![a; k as usize].join(" * "), level::PRODUCT);
        }
        self.uses.insert("power");
        let a = self.expr(a, level::ANY);
        (format!("power({a}, {k})"), level::POSTFIX)
    }
}
