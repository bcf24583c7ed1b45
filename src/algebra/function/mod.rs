//! The table of built-in functions.
//!
//! What differs between functions of one signature is said by an enum of their own, so that what
//! computes or spells functions is complete, or does not compile.

mod approximate;
mod bits;
mod cbrt;
mod entry;
mod erf;
mod erfc;
mod power;
mod real;
#[cfg(test)]
mod tests;

pub use bits::{Bits, Spelling};
pub use entry::{Accuracy, Cpp, Entry, Parity, Piece, Rust, Ulps, Vectors};
pub use real::{Bivariate, Elementary, PIECES};

use crate::term::Symbol;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// One of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
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
    RealReal(Bivariate),
    /// A number to the same type: its absolute value.
    Abs,
    /// Two numbers to their common type.
    Join(Extreme),
    /// A REAL to INTEGER: the whole number that a function gives.
    ToInteger(Elementary),
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
    /// Integers to their common type, by their bits.
    Bits(Bits),
    /// An integer to the REAL of its width that has the same bits.
    BitsAsReal,
    /// A REAL to the integer of its width that has the same bits.
    BitsAsInteger,
    /// Two, three or four REALs to a vector.
    Vector,
    /// A REAL, a REAL or vector and the same, or two vectors and a REAL, to the type of the third.
    Fma,
}

impl Signature {
    /// What is known of a function of reals.
    pub fn entry(self) -> Option<&'static Entry> {
        match self {
            Signature::Real(function) => Some(function.entry()),
            Signature::RealReal(function) => Some(function.entry()),
            Signature::Abs
            | Signature::Join(_)
            | Signature::ToInteger(_)
            | Signature::Int
            | Signature::Int64
            | Signature::ToReal
            | Signature::ToReal32
            | Signature::ToReal64
            | Signature::Select
            | Signature::Dot
            | Signature::Cross
            | Signature::Norm(_)
            | Signature::CeilDiv
            | Signature::Bits(_)
            | Signature::BitsAsReal
            | Signature::BitsAsInteger
            | Signature::Vector
            | Signature::Fma => None,
        }
    }

    /// The function that this one's values are near to, if they are the hardware's.
    pub fn near(self) -> Option<Signature> {
        match self.entry()?.accuracy {
            Accuracy::Near(exact) => Some(exact),
            Accuracy::Same(_) | Accuracy::Apart { .. } => None,
        }
    }
}

/// One row of the table.
#[derive(Clone, Debug)]
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

/// The rows of functions that are not of reals alone.
const OTHERS: &[Function] = &[
    row(
        "fma",
        Signature::Fma,
        3,
        3,
        "a * b + c, rounded once; for a number and two vectors by components; dot(a, b) + c for two vectors and a number, each product added to c in turn and rounded once",
    ),
    row("abs", Signature::Abs, 1, 1, "absolute value"),
    row(
        "min",
        Signature::Join(Extreme::Min),
        2,
        2,
        "the smaller: select(b < a, b, a)",
    ),
    row(
        "max",
        Signature::Join(Extreme::Max),
        2,
        2,
        "the larger: select(a < b, b, a)",
    ),
    row(
        "floor",
        Signature::ToInteger(Elementary::Floor),
        1,
        1,
        "largest integer not above",
    ),
    row(
        "ceil",
        Signature::ToInteger(Elementary::Ceil),
        1,
        1,
        "smallest integer not below",
    ),
    row(
        "round",
        Signature::ToInteger(Elementary::Round),
        1,
        1,
        "nearest integer, halves away from zero",
    ),
    row(
        "trunc",
        Signature::ToInteger(Elementary::Trunc),
        1,
        1,
        "integer that is left when a real is cut towards zero",
    ),
    row(
        "int",
        Signature::Int,
        1,
        1,
        "INTEGER: a real is cut towards zero",
    ),
    row(
        "int64",
        Signature::Int64,
        1,
        1,
        "INTEGER64: a real is cut towards zero",
    ),
    row(
        "real",
        Signature::ToReal,
        1,
        1,
        "REAL; of a vector, each component",
    ),
    row(
        "real32",
        Signature::ToReal32,
        1,
        1,
        "REAL32, rounded to nearest; of a vector, each component",
    ),
    row(
        "real64",
        Signature::ToReal64,
        1,
        1,
        "REAL64; of a vector, each component",
    ),
    row(
        "select",
        Signature::Select,
        3,
        3,
        "the second argument if the first holds, else the third; only one is evaluated",
    ),
    row(
        "dot",
        Signature::Dot,
        2,
        2,
        "scalar product, summed from the left",
    ),
    row("cross", Signature::Cross, 2, 2, "vector product"),
    row(
        "norm",
        Signature::Norm(Length::Norm),
        1,
        1,
        "length: sqrt(norm2(v))",
    ),
    row(
        "norm2",
        Signature::Norm(Length::Norm2),
        1,
        1,
        "square of the length: dot(v, v)",
    ),
    row(
        "ceil_div",
        Signature::CeilDiv,
        2,
        2,
        "the quotient of integers rounded up",
    ),
    row(
        "bits_as_real",
        Signature::BitsAsReal,
        1,
        1,
        "the REAL32 that has the bits of an INTEGER, or the REAL64 that has those of an INTEGER64",
    ),
    row(
        "bits_as_integer",
        Signature::BitsAsInteger,
        1,
        1,
        "the INTEGER that has the bits of a REAL32, or the INTEGER64 that has those of a REAL64: k for bits_as_real(k), whatever k is. The bits of a NaN that was computed depend on what computed it",
    ),
    row(
        "vector",
        Signature::Vector,
        2,
        4,
        "a vector of its components, of the widest type of REAL among them",
    ),
];

const fn row(
    name: &'static str,
    signature: Signature,
    least: usize,
    most: usize,
    meaning: &'static str,
) -> Function {
    Function {
        name,
        signature,
        arity: (least, most),
        meaning,
    }
}

/// The built-in functions.
pub static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let mut of_reals = |signature: Signature, arity: usize| {
        let entry = signature.entry().expect("a function of reals has an entry");
        all.push(row(entry.name, signature, arity, arity, entry.meaning));
    };
    for &function in Elementary::ALL {
        of_reals(Signature::Real(function), 1);
    }
    for &function in Bivariate::ALL {
        of_reals(Signature::RealReal(function), 2);
    }
    all.extend_from_slice(OTHERS);
    for &function in Bits::ALL {
        let (entry, signature) = (function.entry(), Signature::Bits(function));
        let arity = entry.arity;
        all.push(row(entry.name, signature, arity, arity, entry.meaning));
    }
    all
});

/// All that is known of functions of reals.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let of_one = Elementary::ALL.iter().map(|f| f.entry());
    of_one.chain(Bivariate::ALL.iter().map(|f| f.entry()))
}

/// The functions by their names.
static NAMED: LazyLock<FxHashMap<Symbol, &Function>> = LazyLock::new(|| {
    let named = FUNCTIONS.iter().map(|f| (Symbol::new(f.name), f));
    named.collect()
});

/// The function with a name.
pub fn function(name: Symbol) -> Option<&'static Function> {
    NAMED.get(&name).copied()
}

/// The signature of the function with a name.
pub fn signature(name: Symbol) -> Option<Signature> {
    function(name).map(|f| f.signature)
}

/// The built-in constants and their values. Each is a literal that has a name, unless a scheme
/// declares a variable of that name.
pub static CONSTANTS: &[(&str, f64)] = &[("pi", std::f64::consts::PI)];

/// The value of the constant with a name.
pub fn constant(name: Symbol) -> Option<f64> {
    let found = CONSTANTS.iter().find(|(other, _)| *other == name.as_str());
    found.map(|&(_, value)| value)
}
