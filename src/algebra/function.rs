//! The table of built-in functions.

use crate::term::Symbol;

/// How a function's arguments and result are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// REAL to REAL of the same width; an integer becomes REAL.
    Real,
    /// Two REALs to one of the wider width.
    RealReal,
    /// A number to the same type.
    Same,
    /// Two numbers to their common type.
    Join,
    /// A REAL to INTEGER.
    ToInteger,
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
    Norm,
    /// Two integers to their common type.
    CeilDiv,
    /// Two, three or four REALs to a vector.
    Vector,
    /// A REAL, a REAL or vector and the same, or two vectors and a REAL, to the type of the third.
    Fma,
}

/// Functions whose values are the hardware's: the bits of one differ between the units of a processor
/// and between processors.
pub const APPROXIMATE: [&str; 2] = ["rsqrt_approx", "pow_approx"];

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

macro_rules! functions {
    ($($name:literal $signature:ident $least:literal $most:literal $meaning:literal;)*) => {
        /// The built-in functions.
        pub static FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            signature: Signature::$signature,
            arity: ($least, $most),
            meaning: $meaning,
        },)*];
    };
}

functions! {
    "sqrt" Real 1 1 "square root";
    "rsqrt" Real 1 1 "1 / sqrt(x)";
    "rsqrt_approx" Real 1 1 "1 / sqrt(x) for x > 0, to about one unit in the last place; devices use their own instruction";
    "pow_approx" RealReal 2 2 "x to the power y for x not below and y above 0, by quick logarithms and exponentials; devices use their own";
    "fma" Fma 3 3 "a * b + c, rounded once; for a number and two vectors by components; dot(a, b) + c for two vectors and a number, each product added to c in turn and rounded once";
    "exp" Real 1 1 "exponential";
    "log" Real 1 1 "natural logarithm";
    "sin" Real 1 1 "sine, of radians";
    "cos" Real 1 1 "cosine, of radians";
    "erfc" Real 1 1 "complementary error function";
    "pow" RealReal 2 2 "x to the power y";
    "abs" Same 1 1 "absolute value";
    "min" Join 2 2 "the smaller: select(b < a, b, a)";
    "max" Join 2 2 "the larger: select(a < b, b, a)";
    "floor" ToInteger 1 1 "largest integer not above";
    "ceil" ToInteger 1 1 "smallest integer not below";
    "round" ToInteger 1 1 "nearest integer, halves away from zero";
    "int" Int 1 1 "INTEGER: a real is cut towards zero";
    "int64" Int64 1 1 "INTEGER64: a real is cut towards zero";
    "real" ToReal 1 1 "REAL";
    "real32" ToReal32 1 1 "REAL32, rounded to nearest";
    "real64" ToReal64 1 1 "REAL64";
    "select" Select 3 3 "the second argument if the first holds, else the third; only one is evaluated";
    "dot" Dot 2 2 "scalar product, summed from the left";
    "cross" Cross 2 2 "vector product";
    "norm" Norm 1 1 "length: sqrt(norm2(v))";
    "norm2" Norm 1 1 "square of the length: dot(v, v)";
    "ceil_div" CeilDiv 2 2 "the quotient of integers rounded up";
    "vector" Vector 2 4 "a vector of its components";
}

/// The function with a name.
pub fn function(name: Symbol) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name.as_str())
}
