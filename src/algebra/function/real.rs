//! The functions of reals, each declared once: what it computes, how each target writes it, how exact
//! it is there, and what is known of its values.
//!
//! A row is all that a function of one real, or of two, needs; support code that it carries into
//! emitted programs is a file beside this one and, for C++, a part of `templates/cuda/arithmetic.cuh.tera`.

use super::Signature;
use super::cbrt::cbrt;
use super::entry::{Accuracy, Cpp, Entry, Parity, Piece, Rust, Vectors};
use super::erf::erf;
use super::erfc::erfc;
use super::power::pow_approx;

static ERFC: Piece = Piece {
    name: "erfc",
    file: include_str!("erfc.rs"),
    needs: &[],
};

static ERF: Piece = Piece {
    name: "erf",
    file: include_str!("erf.rs"),
    needs: &[&ERFC],
};

static CBRT: Piece = Piece {
    name: "cbrt",
    file: include_str!("cbrt.rs"),
    needs: &[],
};

static POW_APPROX: Piece = Piece {
    name: "pow_approx",
    file: include_str!("power.rs"),
    needs: &[],
};

/// Declares functions of so many reals, as types of 32 and of 64 bits say; what a function computes
/// begins its row, for both unless there is another for 64 bits.
macro_rules! functions_of_reals {
    ($(#[$about:meta])* $kind:ident: $narrow:ty, $wide:ty;
     $($variant:ident = $of:expr $(=> $of_wide:expr)?, $($field:ident: $value:expr),+;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
        #[allow(missing_docs, reason = "the names are those of the table of functions")]
        pub enum $kind {
            $($variant,)*
        }

        impl $kind {
            /// All of them, in the order of the table.
            pub const ALL: &[$kind] = &[$($kind::$variant,)*];

            /// Its row.
            pub fn entry(self) -> &'static Entry {
                match self {
                    $($kind::$variant => {
                        static ENTRY: Entry = Entry { $($field: $value),+ };
                        &ENTRY
                    })*
                }
            }

            /// What it computes in 32 bits.
            pub fn in_f32(self) -> $narrow {
                match self {
                    $($kind::$variant => $of,)*
                }
            }

            /// What it computes in 64 bits.
            pub fn in_f64(self) -> $wide {
                match self {
                    $($kind::$variant => functions_of_reals!(@last $of $(, $of_wide)?),)*
                }
            }
        }
    };
    (@last $of:expr) => { $of };
    (@last $of:expr, $of_wide:expr) => { $of_wide };
}

functions_of_reals! {
    /// Functions of a real.
    Elementary: fn(f32) -> f32, fn(f64) -> f64;
    Sqrt = |x| x.sqrt(),
        name: "sqrt", meaning: "square root", rust: Rust::Method("sqrt"), vectors: Vectors::Method,
        cpp: Cpp::Call("sqrt"), accuracy: Accuracy::Same([0, 0]), parity: &[Parity::Neither],
        never_negative: true, domain: Some("x >= 0");
    Rsqrt = |x| 1.0 / x.sqrt(),
        name: "rsqrt", meaning: "1 / sqrt(x)", rust: Rust::OneOver("sqrt"), vectors: Vectors::Each,
        cpp: Cpp::OneOver("sqrt"), accuracy: Accuracy::Same([1, 1]), parity: &[Parity::Neither],
        never_negative: true, domain: Some("x > 0");
    RsqrtApprox = |x| 1.0 / x.sqrt(),
        name: "rsqrt_approx",
        meaning: "1 / sqrt(x) for x > 0, to about one unit in the last place; devices use their own instruction",
        rust: Rust::OneOver("sqrt"), vectors: Vectors::Piece("rsqrt_approx", "rsqrt_approx"),
        cpp: Cpp::Overloaded("rsqrt_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Rsqrt)), parity: &[Parity::Neither],
        never_negative: true, domain: Some("x > 0");
    Exp = |x| x.exp(),
        name: "exp", meaning: "exponential", rust: Rust::Method("exp"), vectors: Vectors::Each,
        cpp: Cpp::Call("exp"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 1] },
        parity: &[Parity::Neither], never_negative: true, domain: None;
    Log = |x| x.ln(),
        name: "log", meaning: "natural logarithm", rust: Rust::Method("ln"), vectors: Vectors::Each,
        cpp: Cpp::Call("log"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [1, 1] },
        parity: &[Parity::Neither], never_negative: false, domain: Some("x > 0");
    Sin = |x| x.sin(),
        name: "sin", meaning: "sine, of radians", rust: Rust::Method("sin"), vectors: Vectors::Each,
        cpp: Cpp::Call("sin"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 2] },
        parity: &[Parity::Odd], never_negative: false, domain: Some("x finite");
    Cos = |x| x.cos(),
        name: "cos", meaning: "cosine, of radians", rust: Rust::Method("cos"), vectors: Vectors::Each,
        cpp: Cpp::Call("cos"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 2] },
        parity: &[Parity::Even], never_negative: false, domain: Some("x finite");
    Tan = |x| x.tan(),
        name: "tan", meaning: "tangent, of radians", rust: Rust::Method("tan"), vectors: Vectors::Each,
        cpp: Cpp::Call("tan"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [4, 2] },
        parity: &[Parity::Odd], never_negative: false, domain: Some("x finite");
    Asin = |x| x.asin(),
        name: "asin", meaning: "arc sine, in radians from -pi / 2 to pi / 2",
        rust: Rust::Method("asin"), vectors: Vectors::Each, cpp: Cpp::Call("asin"),
        accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 2] }, parity: &[Parity::Odd],
        never_negative: false, domain: Some("-1 <= x <= 1");
    Acos = |x| x.acos(),
        name: "acos", meaning: "arc cosine, in radians from 0 to pi", rust: Rust::Method("acos"),
        vectors: Vectors::Each, cpp: Cpp::Call("acos"),
        accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 2] }, parity: &[Parity::Neither],
        never_negative: true, domain: Some("-1 <= x <= 1");
    Sinh = |x| x.sinh(),
        name: "sinh", meaning: "hyperbolic sine", rust: Rust::Method("sinh"), vectors: Vectors::Each,
        cpp: Cpp::Call("sinh"), accuracy: Accuracy::Apart { hosts: [2, 2], devices: [3, 2] },
        parity: &[Parity::Odd], never_negative: false, domain: None;
    Cosh = |x| x.cosh(),
        name: "cosh", meaning: "hyperbolic cosine", rust: Rust::Method("cosh"), vectors: Vectors::Each,
        cpp: Cpp::Call("cosh"), accuracy: Accuracy::Apart { hosts: [2, 2], devices: [2, 1] },
        parity: &[Parity::Even], never_negative: true, domain: None;
    Tanh = |x| x.tanh(),
        name: "tanh", meaning: "hyperbolic tangent", rust: Rust::Method("tanh"), vectors: Vectors::Each,
        cpp: Cpp::Call("tanh"), accuracy: Accuracy::Apart { hosts: [2, 2], devices: [2, 1] },
        parity: &[Parity::Odd], never_negative: false, domain: None;
    Cbrt = |x| cbrt(f64::from(x)) as f32 => cbrt,
        name: "cbrt", meaning: "cube root", rust: Rust::Wide(&CBRT), vectors: Vectors::Each,
        cpp: Cpp::Wide(&CBRT), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [1, 1] },
        parity: &[Parity::Odd], never_negative: false, domain: None;
    Erf = |x| erf(f64::from(x)) as f32 => erf,
        name: "erf", meaning: "error function", rust: Rust::Wide(&ERF), vectors: Vectors::Each,
        cpp: Cpp::Wide(&ERF), accuracy: Accuracy::Apart { hosts: [1, 2], devices: [1, 2] },
        parity: &[Parity::Odd], never_negative: false, domain: None;
    Erfc = |x| erfc(f64::from(x)) as f32 => erfc,
        name: "erfc", meaning: "complementary error function", rust: Rust::Wide(&ERFC),
        vectors: Vectors::Each, cpp: Cpp::Wide(&ERFC),
        // In 64 bits 5 units for x up to 1, and about 2 x² beyond, as -x² is rounded.
        accuracy: Accuracy::Apart { hosts: [1, 1400], devices: [1, 1400] },
        parity: &[Parity::Neither], never_negative: true, domain: None;
    Floor = |x| x.floor(),
        name: "real_floor", meaning: "largest whole number not above, a REAL",
        rust: Rust::Method("floor"), vectors: Vectors::Piece("rounding", "floor"),
        cpp: Cpp::Call("floor"), accuracy: Accuracy::Same([0, 0]), parity: &[Parity::Neither],
        never_negative: false, domain: None;
    Ceil = |x| x.ceil(),
        name: "real_ceil", meaning: "smallest whole number not below, a REAL",
        rust: Rust::Method("ceil"), vectors: Vectors::Piece("rounding", "ceil"), cpp: Cpp::Call("ceil"),
        accuracy: Accuracy::Same([0, 0]), parity: &[Parity::Neither], never_negative: false,
        domain: None;
    Round = |x| x.round(),
        name: "real_round", meaning: "nearest whole number, halves away from zero, a REAL",
        rust: Rust::Method("round"), vectors: Vectors::Piece("rounding", "round"),
        cpp: Cpp::Call("round"), accuracy: Accuracy::Same([0, 0]), parity: &[Parity::Odd],
        never_negative: false, domain: None;
    Trunc = |x| x.trunc(),
        name: "real_trunc", meaning: "x cut towards zero, a REAL", rust: Rust::Method("trunc"),
        vectors: Vectors::Piece("rounding", "trunc"), cpp: Cpp::Call("trunc"),
        accuracy: Accuracy::Same([0, 0]), parity: &[Parity::Odd], never_negative: false, domain: None;
}

functions_of_reals! {
    /// Functions of two reals.
    Bivariate: fn(f32, f32) -> f32, fn(f64, f64) -> f64;
    Pow = |x, y| x.powf(y),
        name: "pow", meaning: "x to the power y", rust: Rust::Method("powf"), vectors: Vectors::Each,
        cpp: Cpp::Call("pow"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [4, 2] },
        parity: &[Parity::Neither, Parity::Neither], never_negative: false,
        domain: Some("x >= 0, or y whole");
    PowApprox = pow_approx => |x, y| x.powf(y),
        name: "pow_approx",
        meaning: "x to the power y for x not below and y above 0, by quick logarithms and exponentials; devices use their own",
        rust: Rust::Narrow(&POW_APPROX, "powf"), vectors: Vectors::Each,
        cpp: Cpp::Overloaded("pow_approx"),
        accuracy: Accuracy::Near(Signature::RealReal(Bivariate::Pow)),
        parity: &[Parity::Neither, Parity::Neither], never_negative: false,
        domain: Some("x >= 0, y > 0");
    Atan2 = |y, x| y.atan2(x),
        name: "atan2", meaning: "the angle of the point (y, x), y first, in radians from -pi to pi",
        rust: Rust::Method("atan2"), vectors: Vectors::Each, cpp: Cpp::Call("atan2"),
        accuracy: Accuracy::Apart { hosts: [2, 1], devices: [3, 2] },
        parity: &[Parity::Odd, Parity::Neither], never_negative: false, domain: None;
    Hypot = |x, y| x.hypot(y),
        name: "hypot", meaning: "sqrt(x ^ 2 + y ^ 2), where the squares would be out of range, too",
        rust: Rust::Method("hypot"), vectors: Vectors::Each, cpp: Cpp::Call("hypot"),
        accuracy: Accuracy::Apart { hosts: [1, 1], devices: [3, 2] },
        parity: &[Parity::Even, Parity::Even], never_negative: true, domain: None;
}

/// The pieces of support code, those that call others after these.
pub static PIECES: &[&Piece] = &[&POW_APPROX, &CBRT, &ERFC, &ERF];
