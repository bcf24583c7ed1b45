//! The table of built-in functions.
//!
//! What differs between functions of one signature is said by an enum of their own, so that what
//! computes or spells functions is complete, or does not compile.

use crate::term::Symbol;

/// Functions of a real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Elementary {
    Sqrt,
    Rsqrt,
    RsqrtApprox,
    Exp,
    Log,
    Sin,
    Cos,
    Erfc,
}

/// What `f(-x)` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// `f(x)`.
    Even,
    /// `-f(x)`.
    Odd,
    /// Something else.
    Neither,
}

/// Powers of reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Power {
    Pow,
    PowApprox,
}

/// The ways from a real to an integer beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Rounding {
    Floor,
    Ceil,
    Round,
}

/// One of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Extreme {
    Min,
    Max,
}

/// Lengths of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Length {
    Norm,
    Norm2,
}

/// How a function's arguments and result are typed, and which of that kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// REAL to REAL of the same width; an integer becomes REAL.
    Real(Elementary),
    /// Two REALs to one of the wider width.
    RealReal(Power),
    /// A number to the same type: its absolute value.
    Abs,
    /// Two numbers to their common type.
    Join(Extreme),
    /// A REAL to INTEGER.
    ToInteger(Rounding),
    /// A number to INTEGER.
    Int,
    /// A number to INTEGER64.
    Int64,
    /// A number to REAL.
    ToReal,
    /// A number to REAL32.
    ToReal32,
    /// A number to REAL64.
    ToReal64,
    /// A predicate and two values of a common type.
    Select,
    /// Two vectors to a number.
    Dot,
    /// Two three-vectors to one.
    Cross,
    /// A vector to a number.
    Norm(Length),
    /// Two integers to their common type.
    CeilDiv,
    /// Two, three or four REALs to a vector.
    Vector,
    /// A REAL, a REAL or vector and the same, or two vectors and a REAL, to the type of the third.
    Fma,
}

impl Elementary {
    /// What the function of the opposite is.
    pub fn parity(self) -> Parity {
        match self {
            Elementary::Sin => Parity::Odd,
            Elementary::Cos => Parity::Even,
            Elementary::Sqrt
            | Elementary::Rsqrt
            | Elementary::RsqrtApprox
            | Elementary::Exp
            | Elementary::Log
            | Elementary::Erfc => Parity::Neither,
        }
    }

    /// Whether no value is below 0.
    pub fn is_never_negative(self) -> bool {
        match self {
            Elementary::Sqrt
            | Elementary::Rsqrt
            | Elementary::RsqrtApprox
            | Elementary::Exp
            | Elementary::Erfc => true,
            Elementary::Log | Elementary::Sin | Elementary::Cos => false,
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Function {
    /// Its name in schemes.
    pub name: &'static str,
    /// How it is typed.
    pub signature: Signature,
    /// Number of arguments (least, most).
    pub arity: (usize, usize),
    /// What it is.
    pub meaning: &'static str,
}

impl Function {
    /// Whether its values are the hardware's: the bits of one differ between the units of a processor
    /// and between processors.
    pub fn is_approximate(&self) -> bool {
        matches!(
            self.signature,
            Signature::Real(Elementary::RsqrtApprox) | Signature::RealReal(Power::PowApprox)
        )
    }
}

macro_rules! functions {
    ($($name:literal $signature:ident $(($which:path))? $least:literal $most:literal $meaning:literal;)*) => {
        /// The built-in functions.
        pub static FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            signature: Signature::$signature $(($which))?,
            arity: ($least, $most),
            meaning: $meaning,
        },)*];
    };
}

functions! {
    "sqrt" Real(Elementary::Sqrt) 1 1 "square root";
    "rsqrt" Real(Elementary::Rsqrt) 1 1 "1 / sqrt(x)";
    "rsqrt_approx" Real(Elementary::RsqrtApprox) 1 1 "1 / sqrt(x) for x > 0, to about one unit in the last place; devices use their own instruction";
    "pow_approx" RealReal(Power::PowApprox) 2 2 "x to the power y for x not below and y above 0, by quick logarithms and exponentials; devices use their own";
    "fma" Fma 3 3 "a * b + c, rounded once; for a number and two vectors by components; dot(a, b) + c for two vectors and a number, each product added to c in turn and rounded once";
    "exp" Real(Elementary::Exp) 1 1 "exponential";
    "log" Real(Elementary::Log) 1 1 "natural logarithm";
    "sin" Real(Elementary::Sin) 1 1 "sine, of radians";
    "cos" Real(Elementary::Cos) 1 1 "cosine, of radians";
    "erfc" Real(Elementary::Erfc) 1 1 "complementary error function";
    "pow" RealReal(Power::Pow) 2 2 "x to the power y";
    "abs" Abs 1 1 "absolute value";
    "min" Join(Extreme::Min) 2 2 "the smaller: select(b < a, b, a)";
    "max" Join(Extreme::Max) 2 2 "the larger: select(a < b, b, a)";
    "floor" ToInteger(Rounding::Floor) 1 1 "largest integer not above";
    "ceil" ToInteger(Rounding::Ceil) 1 1 "smallest integer not below";
    "round" ToInteger(Rounding::Round) 1 1 "nearest integer, halves away from zero";
    "int" Int 1 1 "INTEGER: a real is cut towards zero";
    "int64" Int64 1 1 "INTEGER64: a real is cut towards zero";
    "real" ToReal 1 1 "REAL";
    "real32" ToReal32 1 1 "REAL32, rounded to nearest";
    "real64" ToReal64 1 1 "REAL64";
    "select" Select 3 3 "the second argument if the first holds, else the third; only one is evaluated";
    "dot" Dot 2 2 "scalar product, summed from the left";
    "cross" Cross 2 2 "vector product";
    "norm" Norm(Length::Norm) 1 1 "length: sqrt(norm2(v))";
    "norm2" Norm(Length::Norm2) 1 1 "square of the length: dot(v, v)";
    "ceil_div" CeilDiv 2 2 "the quotient of integers rounded up";
    "vector" Vector 2 4 "a vector of its components";
}

/// The function with a name.
pub fn function(name: Symbol) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name.as_str())
}
