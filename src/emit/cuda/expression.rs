//! Expressions of a plan → CUDA C++.

use super::printer::Printer;
use crate::algebra::{Bivariate, COMPONENTS, Cpp, Entry, Precision, Spelling, Type};
use crate::emit::number::digits;
use crate::emit::plan::{Arithmetic, Comparison, Expr, Function, Index, Node, Var};

/// How tightly an operator binds.
pub(in crate::emit) mod level {
    pub const ANY: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const EQUALITY: u8 = 3;
    pub const RELATION: u8 = 4;
    pub const SUM: u8 = 5;
    pub const PRODUCT: u8 = 6;
    pub const UNARY: u8 = 7;
    pub const POSTFIX: u8 = 8;
}

/// The name of a vector of a precision, where the scheme's own reals have another one or the same.
pub(in crate::emit) fn vector_name(n: u8, precision: Precision, own: Precision) -> &'static str {
    match (n, precision) {
        (2, p) if p == own => "vec2",
        (3, p) if p == own => "vec3",
        (_, p) if p == own => "vec4",
        (2, Precision::F32) => "vec2_float",
        (3, Precision::F32) => "vec3_float",
        (_, Precision::F32) => "vec4_float",
        (2, Precision::F64) => "vec2_double",
        (3, Precision::F64) => "vec3_double",
        (_, Precision::F64) => "vec4_double",
    }
}

impl Printer<'_> {
    /// The name of a type.
    pub(in crate::emit) fn type_name(&self, ty: Type) -> &'static str {
        match ty {
            Type::Bool => "bool",
            Type::I64 => "int64_t",
            Type::F32 | Type::F64 if ty == self.plan.precision.real() => "real",
            Type::F32 => "float",
            Type::F64 => "double",
            Type::Vector(n, precision) => vector_name(n, precision, self.plan.precision),
            Type::I32 | Type::Unknown => "int",
        }
    }

    /// An expression.
    pub(in crate::emit) fn any(&mut self, e: &Expr) -> String {
        self.expr(e, level::ANY)
    }

    /// An expression that binds at least as tightly as `least`.
    pub(in crate::emit) fn expr(&mut self, e: &Expr, least: u8) -> String {
        let (text, own) = self.parts(e);
        match own < least {
            true => format!("({text})"),
            false => text,
        }
    }

    fn parts(&mut self, e: &Expr) -> (String, u8) {
        let atom = |text: String| (text, level::POSTFIX);
        let number = |text: String| match text.starts_with('-') {
            true => (text, level::UNARY),
            false => (text, level::POSTFIX),
        };
        match &e.node {
            Node::Holds {
                function,
                arguments,
            } => {
                let runs = self.plan.functions[*function].runs;
                atom(self.call_of(*function, arguments, runs))
            }
            // The smallest integers are not literals of C++, as the sign is not part of one.
            Node::Int(i64::MIN) if self.alone => (format!("-{}LL - 1", i64::MAX), level::SUM),
            Node::Int(i64::MIN) => atom("INT64_MIN".into()),
            Node::Int(i) if e.ty == Type::I64 && self.alone => number(format!("{i}LL")),
            Node::Int(i) if e.ty == Type::I64 && *i < 0 => {
                (format!("-INT64_C({})", i.unsigned_abs()), level::UNARY)
            }
            Node::Int(i) if e.ty == Type::I64 => atom(format!("INT64_C({i})")),
            Node::Int(i) if *i == i64::from(i32::MIN) => ("-2147483647 - 1".into(), level::SUM),
            Node::Int(i) => number(i.to_string()),
            Node::Real(x) if x.is_finite() => {
                let suffix = match e.ty {
                    Type::F32 => "f",
                    _ => "",
                };
                number(format!("{}{suffix}", digits(*x, e.ty)))
            }
            Node::Real(x) if self.alone => {
                // The headers of C++ name infinity and NaN; the device knows their bits.
                let ty = self.type_name(e.ty);
                let bits = format!("__longlong_as_double({}LL)", x.to_bits() as i64);
                (format!("({ty}){bits}"), level::UNARY)
            }
            Node::Real(x) => {
                let ty = self.type_name(e.ty);
                match x {
                    x if x.is_nan() => (format!("({ty})NAN"), level::UNARY),
                    x if *x < 0.0 => (format!("-({ty})INFINITY"), level::UNARY),
                    _ => (format!("({ty})INFINITY"), level::UNARY),
                }
            }
            Node::Bool(b) => atom(b.to_string()),
            Node::Var(var) => self.scalar(*var),
            Node::Cell { .. } | Node::Component(..) => atom(self.place(e)),
            Node::Convert(a) => self.convert(a, e.ty),
            Node::Negate(a) => {
                if self.careful() && e.ty.is_integer() && !a.is_literal() {
                    let a = self.any(a);
                    return atom(self.integer_call("checked_negative", &[a]));
                }
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
                let (a, b) = (self.expr(a, level::AND), self.expr(b, level::EQUALITY));
                (format!("{a} && {b}"), level::AND)
            }
            Node::Or(a, b) => {
                // Compilers warn of `&&` in `||` without parentheses.
                let part = |p: &mut Self, e: &Expr, least| match e.node {
                    Node::And(..) => p.expr(e, level::POSTFIX),
                    _ => p.expr(e, least),
                };
                let (a, b) = (part(self, a, level::OR), part(self, b, level::AND));
                (format!("{a} || {b}"), level::OR)
            }
            Node::Power(a, k) => self.power(a, *k),
            Node::Call(function, all) => self.call(*function, all, e.ty),
            Node::Select(c, a, b) => {
                let c = self.expr(c, level::OR);
                let (a, b) = (self.expr(a, level::OR), self.expr(b, level::OR));
                (format!("{c} ? {a} : {b}"), level::ANY)
            }
            Node::Vector(all) => {
                let all: Vec<String> = all.iter().map(|a| self.any(a)).collect();
                atom(format!("{}{{{}}}", self.type_name(e.ty), all.join(", ")))
            }
            Node::Index(index) => atom(
                match index {
                    Index::Block => "block",
                    Index::Thread => "thread",
                    Index::Blocks => self.blocks,
                    Index::Threads => self.threads,
                    Index::Multiprocessors if self.cores || !self.uses_device() => "1",
                    Index::Multiprocessors => {
                        self.uses.insert("multiprocessors");
                        "Work::now().multiprocessors()"
                    }
                }
                .to_owned(),
            ),
        }
    }

    fn scalar(&mut self, var: Var) -> (String, u8) {
        let name = self.name(var);
        match self.references.contains(&var) {
            true => (format!("*{name}"), level::UNARY),
            false => (name, level::POSTFIX),
        }
    }

    /// A variable, cell or component as a place.
    pub(in crate::emit) fn place(&mut self, e: &Expr) -> String {
        match &e.node {
            Node::Var(var) => self.scalar(*var).0,
            Node::Cell { array, subscripts } => {
                if let Some((_, name)) = self.known.iter().find(|(cell, _)| cell == e) {
                    return name.clone();
                }
                let name = self.name(*array);
                let subscript = self.subscript(*array, subscripts);
                format!("{name}[{subscript}]")
            }
            Node::Component(inner, k) => {
                let field = COMPONENTS[usize::from(*k)];
                match &inner.node {
                    Node::Var(var) if self.references.contains(var) => {
                        format!("{}->{field}", self.name(*var))
                    }
                    Node::Var(_) | Node::Cell { .. } => format!("{}.{field}", self.place(inner)),
                    _ => format!("{}.{field}", self.expr(inner, level::POSTFIX)),
                }
            }
            _ => self.expr(e, level::POSTFIX),
        }
    }

    /// The place of a cell: subscripts linearized in 64 bits.
    fn subscript(&mut self, array: Var, subscripts: &[Expr]) -> String {
        let dims = self.plan.var(array).dims.clone();
        let several = subscripts.len() > 1;
        let mut place = String::new();
        for (k, (subscript, dim)) in subscripts.iter().zip(&dims).enumerate() {
            let one = match (self.checked, several) {
                (true, _) => {
                    self.uses.insert("within");
                    let (s, d) = (self.any(subscript), self.dim(dim, level::ANY));
                    format!("within({s}, {d})")
                }
                (false, true) if k == 0 && subscript.ty != Type::I64 => {
                    format!("(int64_t){}", self.expr(subscript, level::UNARY))
                }
                // The first one is a factor, the others are terms.
                (false, true) if k == 0 => self.expr(subscript, level::PRODUCT),
                (false, true) => self.expr(subscript, level::SUM),
                (false, false) => self.any(subscript),
            };
            if k == 0 {
                place = one;
                continue;
            }
            let dim = self.dim(dim, level::UNARY);
            place = match k {
                1 => format!("{place} * {dim} + {one}"),
                _ => format!("({place}) * {dim} + {one}"),
            };
        }
        place
    }

    /// A size of an array, which is known to be one.
    pub(super) fn dim(&mut self, dim: &Expr, least: u8) -> String {
        let (checked, kernel) = (self.checked, self.kernel);
        (self.checked, self.kernel) = (false, true);
        let text = self.expr(dim, least);
        (self.checked, self.kernel) = (checked, kernel);
        text
    }

    /// Whether integers that leave their range must be noticed.
    fn careful(&self) -> bool {
        self.checked
    }

    fn convert(&mut self, a: &Expr, ty: Type) -> (String, u8) {
        let name = self.type_name(ty);
        if let Type::Vector(n, precision) = ty {
            let function = match precision {
                Precision::F32 => "to_float",
                Precision::F64 => "to_double",
            };
            return match a.node {
                _ if a.ty.is_vector() => (format!("{function}({})", self.any(a)), level::POSTFIX),
                Node::Real(x) if x == 0.0 && x.is_sign_positive() => {
                    (format!("{name}{{}}"), level::POSTFIX)
                }
                _ => {
                    let a = self.any(a);
                    let all = vec![a; usize::from(n)].join(", ");
                    (format!("{name}{{{all}}}"), level::POSTFIX)
                }
            };
        }
        // On the host a number that does not fit is an error always: in C++ it would be anything.
        let narrows = ty.is_integer() && (a.ty.is_real() || a.ty == Type::I64);
        if narrows && (self.checked || !self.kernel) {
            let a = self.any(a);
            let call = match ty {
                Type::I64 => "to_int64",
                _ => "to_int32",
            };
            return (self.integer_call(call, &[a]), level::POSTFIX);
        }
        let a = self.expr(a, level::UNARY);
        (format!("({name}){a}"), level::UNARY)
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr, ty: Type) -> (String, u8) {
        let (sign, own, call) = match op {
            Arithmetic::Add => ("+", level::SUM, "checked_sum"),
            Arithmetic::Subtract => ("-", level::SUM, "checked_difference"),
            Arithmetic::Multiply => ("*", level::PRODUCT, "checked_product"),
            Arithmetic::Divide => ("/", level::PRODUCT, "checked_quotient"),
            Arithmetic::Remainder => ("%", level::PRODUCT, "checked_remainder"),
        };
        if ty.is_integer() {
            let divides = matches!(op, Arithmetic::Divide | Arithmetic::Remainder);
            // By a literal that is neither 0 nor -1 nothing can go wrong.
            let safe = matches!(b.node, Node::Int(k) if k > 0);
            let wanted = match divides {
                true => !safe && (self.checked || !self.kernel),
                false => self.careful(),
            };
            if wanted {
                let (a, b) = (self.any(a), self.any(b));
                return (self.integer_call(call, &[a, b]), level::POSTFIX);
            }
        }
        let (a, b) = (self.expr(a, own), self.expr(b, own + 1));
        (format!("{a} {sign} {b}"), own)
    }

    fn comparison(&mut self, op: Comparison, a: &Expr, b: &Expr) -> (String, u8) {
        let (sign, own) = match op {
            Comparison::Equal => ("==", level::EQUALITY),
            Comparison::NotEqual => ("!=", level::EQUALITY),
            Comparison::Less => ("<", level::RELATION),
            Comparison::LessOrEqual => ("<=", level::RELATION),
            Comparison::Greater => (">", level::RELATION),
            Comparison::GreaterOrEqual => (">=", level::RELATION),
        };
        let (a, b) = (self.expr(a, level::SUM), self.expr(b, level::SUM));
        (format!("{a} {sign} {b}"), own)
    }

    fn power(&mut self, a: &Expr, k: u32) -> (String, u8) {
        if k == 1 {
            let text = self.expr(a, level::POSTFIX);
            return (text, level::POSTFIX);
        }
        let integer = a.ty.is_integer() && self.careful();
        if matches!(a.node, Node::Var(_)) && k <= 3 && !integer {
            let a = self.expr(a, level::UNARY);
            return (vec![a; k as usize].join(" * "), level::PRODUCT);
        }
        let name = match integer {
            true => "checked_power",
            false => "power",
        };
        self.uses.insert(name);
        self.uses.extend(integer.then_some("integers"));
        let ty = self.type_name(a.ty);
        let a = self.any(a);
        (format!("{name}<{ty}>({a}, {k})"), level::POSTFIX)
    }

    fn call(&mut self, function: Function, all: &[Expr], ty: Type) -> (String, u8) {
        let first = self.any(&all[0]);
        let second = all.get(1).map(|e| self.any(e)).unwrap_or_default();
        let atom = |text: String| (text, level::POSTFIX);
        // C's functions of float have names of their own.
        let f = match all[0].ty {
            Type::F32 => "f",
            _ => "",
        };
        match function {
            Function::Real(function) => self.of_reals(function.entry(), f, first),
            Function::Fma => {
                let third = self.any(&all[2]);
                let vectors = all.iter().any(|e| e.ty.components() > 1);
                let name = match vectors {
                    true => "fused".to_owned(),
                    false => format!("fma{f}"),
                };
                self.uses.extend(vectors.then_some("fused"));
                atom(format!("{name}({first}, {second}, {third})"))
            }
            Function::Abs if ty.is_integer() => {
                self.uses.extend(["absolute", "integers"]);
                atom(format!("absolute({first})"))
            }
            Function::Abs => atom(format!("fabs{f}({first})")),
            Function::RealReal(Bivariate::Pow) | Function::PowInt if ty.is_integer() => {
                self.uses.extend(["power_of", "integers"]);
                atom(format!("power_of({first}, {second})"))
            }
            Function::RealReal(Bivariate::Pow) if self.cores => {
                self.uses.insert("real_power");
                atom(format!("real_power({first}, {second})"))
            }
            Function::RealReal(function) => {
                self.of_reals(function.entry(), f, format!("{first}, {second}"))
            }
            Function::PowInt if self.cores => {
                self.uses.insert("real_power");
                atom(format!("real_power((double)({first}), (double)({second}))"))
            }
            Function::PowInt => atom(format!("pow({first}, (double)({second}))")),
            Function::Min | Function::Max => {
                let name = match function {
                    Function::Min => "smaller",
                    _ => "larger",
                };
                self.uses.insert(name);
                atom(format!("{name}<{}>({first}, {second})", self.type_name(ty)))
            }
            Function::CeilDiv => {
                self.uses.extend(["ceil_div", "integers"]);
                atom(format!(
                    "ceil_div<{}>({first}, {second})",
                    self.type_name(ty)
                ))
            }
            Function::Bits(function) => match function.entry().spelling {
                Spelling::Between(sign) => {
                    let a = self.expr(&all[0], level::UNARY);
                    let b = self.expr(&all[1], level::UNARY);
                    (format!("{a} {sign} {b}"), level::ANY)
                }
                Spelling::Before([_, sign]) => {
                    let a = self.expr(&all[0], level::UNARY);
                    (format!("{sign}{a}"), level::UNARY)
                }
                Spelling::Function(_, name) => {
                    self.uses.insert(name);
                    let ty = self.type_name(ty);
                    let rest = if all.len() > 1 {
                        format!(", {second}")
                    } else {
                        String::new()
                    };
                    atom(format!("{name}<{ty}>({first}{rest})"))
                }
            },
            Function::SameBits => {
                let name = match ty.is_real() {
                    true => "bits_as_real",
                    false => "bits_as_integer",
                };
                self.uses.insert(name);
                atom(format!("{name}(({})({first}))", self.type_name(all[0].ty)))
            }
            Function::Dot => atom(format!("dot({first}, {second})")),
            Function::Cross => atom(format!("cross({first}, {second})")),
            Function::Norm => atom(format!("norm({first})")),
            Function::Norm2 => atom(format!("norm2({first})")),
        }
    }

    /// A function of reals; `f` stands at the end of what is of `float`.
    fn of_reals(&mut self, entry: &Entry, f: &str, all: String) -> (String, u8) {
        match entry.cpp {
            Cpp::Call(name) => (format!("{name}{f}({all})"), level::POSTFIX),
            Cpp::OneOver(name) => (format!("1.0{f} / {name}{f}({all})"), level::PRODUCT),
            Cpp::Overloaded(name) => {
                self.uses.insert(name);
                (format!("{name}({all})"), level::POSTFIX)
            }
            Cpp::Wide(piece) => {
                self.uses.extend(piece.with_needs().map(|p| p.name));
                match f {
                    "f" => (format!("(float){}_of({all})", piece.name), level::UNARY),
                    _ => (format!("{}_of({all})", piece.name), level::POSTFIX),
                }
            }
        }
    }
}
