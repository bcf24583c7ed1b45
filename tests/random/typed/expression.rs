//! Random expressions of a type.

use super::{Maker, Var};
use glushkov::algebra::{FUNCTIONS, Signature, Type};

const NUMBERS: [Type; 4] = [Type::I32, Type::I64, Type::F32, Type::F64];

impl Maker {
    /// A value of exactly this type, or a literal that takes it.
    pub fn value(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        for _ in 0..8 {
            let found = match self.below(10) {
                0 | 1 => self.variable(ty),
                2..=4 => self.applied(ty, depth - 1),
                5 => self.field(ty, depth - 1),
                _ => self.operation(ty, depth - 1),
            };
            if let Some(text) = found {
                return text;
            }
        }
        self.leaf(ty)
    }

    /// A number's type, one that every number of it can be stored as `into`, if given.
    fn number(&mut self) -> Type {
        NUMBERS[self.below(4)]
    }

    fn leaf(&mut self, ty: Type) -> String {
        if self.below(2) == 0
            && let Some(text) = self.variable(ty)
        {
            return text;
        }
        self.literal(ty)
    }

    pub fn literal(&mut self, ty: Type) -> String {
        let real = self.precision.real();
        match ty {
            Type::Bool => self.pick(&["TRUE", "FALSE"]).into(),
            Type::I32 => self
                .pick(&[
                    "0",
                    "1",
                    "2",
                    "3",
                    "-1",
                    "7",
                    "2147483647",
                    "-2147483648",
                    "-2147483647",
                    "100",
                    "-7",
                ])
                .into(),
            Type::I64 => {
                let literal = self.pick(&[
                    "2147483648",
                    "-2147483649",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "4294967296",
                    "int64(0)",
                    "int64(1)",
                    "int64(-2)",
                ]);
                literal.into()
            }
            Type::F32 | Type::F64 => {
                let literal = self.pick(&[
                    "0.0",
                    "1.0",
                    "-0.0",
                    "0.5",
                    "-1.5",
                    "3.4e38",
                    "1e39",
                    "-1e39",
                    "1e-45",
                    "1e-50",
                    "1e308",
                    "1e-320",
                    "0.1",
                    "16777217.0",
                    "123456789.123456789",
                    "1e15",
                    "1e22",
                ]);
                match ty {
                    t if t == real => literal.into(),
                    Type::F32 => format!("real32({literal})"),
                    _ => format!("real64({literal})"),
                }
            }
            Type::Vector(n, _) => {
                let parts: Vec<String> = (0..n).map(|_| self.component()).collect();
                let own = format!("vector({})", parts.join(", "));
                match ty.component() {
                    t if t == real => own,
                    Type::F32 => format!("real32({own})"),
                    _ => format!("real64({own})"),
                }
            }
            Type::Unknown => unreachable!("no unknown types are asked for"),
        }
    }

    /// A literal that a vector takes.
    fn component(&mut self) -> String {
        let ty = [self.precision.real(), Type::I32][self.below(2)];
        self.literal(ty)
    }

    /// A variable, a cell, or what a kernel counts by.
    fn variable(&mut self, ty: Type) -> Option<String> {
        if ty == Type::I32 && self.kernel && !self.in_phrase && self.below(3) == 0 {
            return Some(self.pick(&["block", "thread", "blocks", "threads"]).into());
        }
        let fits: Vec<Var> = self.visible().filter(|v| v.ty == ty).collect();
        if fits.is_empty() {
            return None;
        }
        // What was declared last is near.
        let at = match self.below(2) {
            0 => self.below(fits.len()),
            _ => fits.len() - 1 - self.below(fits.len().min(4)),
        };
        let var = fits[at].clone();
        Some(self.cell(&var))
    }

    /// A scalar, or a cell of an array.
    pub fn cell(&mut self, var: &Var) -> String {
        if var.dims == 0 {
            return var.name.clone();
        }
        let subscripts: Vec<String> = (0..var.dims).map(|_| self.subscript()).collect();
        format!("{}[{}]", var.name, subscripts.join(", "))
    }

    fn subscript(&mut self) -> String {
        // Subscripts of subscripts would go on for ever.
        if self.subscripts == 2 {
            return self.pick(&["0", "1", "2"]).into();
        }
        self.subscripts += 1;
        let text = match self.below(6) {
            0 => self.value(Type::I32, 1),
            1 => self.value(Type::I64, 1),
            2 | 3 => self.pick(&["0", "1", "2"]).into(),
            _ => self.variable(Type::I32).unwrap_or_else(|| "1".into()),
        };
        self.subscripts -= 1;
        text
    }

    /// The types of a function's arguments with which it has a value of a type.
    fn arguments(&mut self, signature: Signature, ty: Type) -> Option<Vec<Type>> {
        let real = self.precision.real();
        let vector = Type::Vector(2 + self.below(3) as u8, self.precision);
        let vector = vector.with_components(ty).unwrap_or(vector);
        // The same with components of either width.
        let [wide, single] = [Type::F64, Type::F32].map(|t| ty.with_components(t));
        let either = [wide, single][self.below(2)].unwrap_or(ty);
        let narrow = [ty, ty, Type::I32][self.below(3)];
        Some(match signature {
            Signature::Real(_) if ty == real && self.below(4) == 0 => vec![Type::I64],
            Signature::Real(_) if ty.is_real() => vec![ty],
            Signature::RealReal(_) if ty.is_real() => vec![ty, narrow],
            Signature::Abs if ty.is_number() => vec![ty],
            Signature::Join(_) if ty.is_number() => vec![narrow, ty],
            Signature::ToInteger(_) | Signature::Int if ty == Type::I32 => vec![self.number()],
            Signature::Int64 if ty == Type::I64 => vec![self.number()],
            Signature::ToReal if ty == real => vec![self.number()],
            Signature::ToReal32 if ty == Type::F32 => vec![self.number()],
            Signature::ToReal64 if ty == Type::F64 => vec![self.number()],
            Signature::Dot | Signature::Norm(_) if self.plain => return None,
            Signature::Select => vec![Type::Bool, ty, ty],
            Signature::Dot if ty.is_real() => vec![vector, vector],
            Signature::Cross if matches!(ty, Type::Vector(3, _)) => vec![ty, ty],
            Signature::Norm(_) if ty.is_real() => vec![vector],
            Signature::ToReal if ty.component() == real && ty.is_vector() => vec![either],
            Signature::ToReal32 if ty.component() == Type::F32 && ty.is_vector() => vec![either],
            Signature::ToReal64 if ty.component() == Type::F64 && ty.is_vector() => vec![either],
            Signature::CeilDiv if ty.is_integer() => vec![ty, narrow],
            Signature::Bits(function) if ty.is_integer() => {
                vec![ty, narrow][..function.entry().arity].to_vec()
            }
            Signature::Fma if ty.is_real() => vec![ty, narrow, ty],
            Signature::Fma if ty.is_vector() => vec![ty.component(), ty, ty],
            Signature::Vector => match ty {
                // One of them says of which width the vector is.
                Type::Vector(n, _) => {
                    let of = ty.component();
                    let others = (1..n).map(|_| [of, Type::I64, Type::I32][self.below(3)]);
                    std::iter::once(of).chain(others).collect()
                }
                _ => return None,
            },
            Signature::Real(_)
            | Signature::RealReal(_)
            | Signature::Abs
            | Signature::Join(_)
            | Signature::ToInteger(_)
            | Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64
            | Signature::Dot
            | Signature::Cross
            | Signature::Norm(_)
            | Signature::CeilDiv
            | Signature::Bits(_)
            | Signature::BitsAsReal
            | Signature::BitsAsInteger
            | Signature::Fma => return None,
        })
    }

    /// A function of the table that has values of this type.
    fn applied(&mut self, ty: Type, depth: usize) -> Option<String> {
        let function = &FUNCTIONS[self.below(FUNCTIONS.len())];
        // Of bits that come from an integer: which ones a computed value has that is no number is not said. Defaults of
        // parameters have no bits.
        if function.signature == Signature::BitsAsInteger && ty.is_integer() && !self.plain {
            return Some(format!(
                "bits_as_integer(bits_as_real({}))",
                self.value(ty, depth)
            ));
        }
        let types = self.arguments(function.signature, ty)?;
        let arguments: Vec<String> = types.into_iter().map(|t| self.value(t, depth)).collect();
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// A component of a vector.
    fn field(&mut self, ty: Type, depth: usize) -> Option<String> {
        if !ty.is_real() || self.plain {
            return None;
        }
        let n = 2 + self.below(3);
        let vector = Type::Vector(n as u8, self.precision).with_components(ty)?;
        let vector = self.value(vector, depth);
        Some(format!(
            "({vector}).{}",
            ["x", "y", "z", "w"][self.below(n)]
        ))
    }

    fn operation(&mut self, ty: Type, depth: usize) -> Option<String> {
        let mut of = |t: Type| self.value(t, depth);
        Some(match ty {
            Type::Bool => return self.condition(depth),
            Type::Vector(..) => {
                let narrow = ty.with_components(Type::F32).unwrap_or(ty);
                let (v, w, u) = (of(ty), of(ty), of(narrow));
                let t = [ty.component(), Type::I32, Type::I64][self.below(3)];
                let s = self.value(t, depth);
                match self.below(7) {
                    0 => format!("({v} + {w})"),
                    5 => format!("({u} - {v})"),
                    1 => format!("({v} - {w})"),
                    2 => format!("({v} * {s})"),
                    3 => format!("({s} * {v})"),
                    4 => format!("({v} / {s})"),
                    _ => format!("(-{v})"),
                }
            }
            _ => {
                let (x, y) = (of(ty), of(ty));
                let narrow = [ty, Type::I32][self.below(2)];
                let narrow = self.value(narrow, depth);
                let power = self.below(66);
                match self.below(9) {
                    0 => format!("({x} + {narrow})"),
                    1 => format!("({narrow} - {x})"),
                    2 => format!("({x} * {narrow})"),
                    3 => format!("({x} / {y})"),
                    4 if ty.is_integer() => format!("({x} MOD {y})"),
                    4 if power.is_multiple_of(2) => format!("(({x}) ^ ({y}))"),
                    4 | 5 => format!("(({x}) ^ {})", power.min(64)),
                    6 => format!("({y} - {x})"),
                    _ => format!("(-{x})"),
                }
            }
        })
    }

    fn condition(&mut self, depth: usize) -> Option<String> {
        let (u, v) = (self.value(Type::Bool, depth), self.value(Type::Bool, depth));
        Some(match self.below(9) {
            0 => format!("({u} AND {v})"),
            1 => format!("({u} OR {v})"),
            2 => format!("(NOT {u})"),
            3 => format!("({u} {} {v})", self.pick(&["=", "<>"])),
            4 => return self.predicate(depth),
            _ => {
                let (a, b) = (self.number(), self.number());
                let b = [a, a, b][self.below(3)];
                let (x, y) = (self.value(a, depth), self.value(b, depth));
                let sign = self.pick(&["=", "<>", "<", "<=", ">", ">="]);
                format!("({x} {sign} {y})")
            }
        })
    }

    /// A predicate of WHERE.
    fn predicate(&mut self, depth: usize) -> Option<String> {
        if self.predicates.is_empty() {
            return None;
        }
        let at = self.below(self.predicates.len());
        let (text, types) = self.predicates[at].clone();
        let mut call = format!("'{text}");
        for ty in types {
            // What stands in quotes is read by itself, so quotes in it would end it.
            let kept = std::mem::take(&mut self.predicates);
            let value = self.value(ty, depth.min(1));
            self.predicates = kept;
            call.push_str(&format!(" ({value})"));
        }
        Some(call + "'")
    }
}
