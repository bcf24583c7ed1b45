//! The functions of reals, each declared once: what it computes, how each target writes it, how exact
//! it is there, and what is known of its values.
//!
//! A row is all that a function of one real, or of two, needs; support code that it carries into
//! emitted programs is a file beside this one and, for C++, a part of `templates/cuda/arithmetic.cuh.tera`.

use super::Signature;
use super::approximate::narrow::{
    cos_approx::cos_approx, erfc_approx::erfc_approx, exp_approx::exp_approx,
    log_approx::log_approx, sin_approx::sin_approx,
};
use super::approximate::wide::{
    cos_approx_64::cos_approx_64, erfc_approx_64::erfc_approx_64, exp_approx_64::exp_approx_64,
    log_approx_64::log_approx_64, pow_approx_64::pow_approx_64, sin_approx_64::sin_approx_64,
};
use super::cbrt::cbrt;
use super::entry::{Accuracy, Cpp, Entry, Parity, Piece, Rust, Vectors};
use super::erf::erf;
use super::erfc::erfc;
use super::power::pow_approx;

/// Declares pieces of support code: each one's file, and what it calls.
macro_rules! pieces {
    ($($piece:ident = $name:literal in $file:literal $(, calls $($needed:ident)+)?;)*) => {
        $(static $piece: Piece = Piece {
            name: $name,
            file: include_str!($file),
            needs: &[$($(&$needed),+)?],
        };)*

        /// The pieces of support code, those that call others after these.
        pub static PIECES: &[&Piece] = &[$(&$piece),*];
    };
}

pieces! {
    POW_APPROX = "pow_approx" in "power.rs";
    CBRT = "cbrt" in "cbrt.rs";
    ERFC = "erfc" in "erfc.rs";
    ERF = "erf" in "erf.rs", calls ERFC;
    EXP_APPROX = "exp_approx" in "approximate/narrow/exp_approx.rs";
    LOG_APPROX = "log_approx" in "approximate/narrow/log_approx.rs";
    IS_NEAR = "is_near" in "approximate/narrow/is_near.rs";
    QUARTER_TURN = "quarter_turn" in "approximate/narrow/quarter_turn.rs";
    SIN_NEAR = "sin_near" in "approximate/narrow/sin_near.rs", calls QUARTER_TURN;
    COS_NEAR = "cos_near" in "approximate/narrow/cos_near.rs", calls QUARTER_TURN;
    SIN_APPROX = "sin_approx" in "approximate/narrow/sin_approx.rs", calls IS_NEAR QUARTER_TURN SIN_NEAR;
    COS_APPROX = "cos_approx" in "approximate/narrow/cos_approx.rs", calls IS_NEAR QUARTER_TURN COS_NEAR;
    ERFC_APPROX = "erfc_approx" in "approximate/narrow/erfc_approx.rs";
    EXP_OF_SUM_64 = "exp_of_sum_64" in "approximate/wide/exp_of_sum_64.rs";
    EXP_APPROX_64 = "exp_approx_64" in "approximate/wide/exp_approx_64.rs", calls EXP_OF_SUM_64;
    EXPONENT_64 = "exponent_64" in "approximate/wide/exponent_64.rs";
    LOG_APPROX_64 = "log_approx_64" in "approximate/wide/log_approx_64.rs", calls EXPONENT_64;
    IS_NEAR_64 = "is_near_64" in "approximate/wide/is_near_64.rs";
    QUARTER_TURN_64 = "quarter_turn_64" in "approximate/wide/quarter_turn_64.rs";
    SIN_NEAR_64 = "sin_near_64" in "approximate/wide/sin_near_64.rs", calls QUARTER_TURN_64;
    COS_NEAR_64 = "cos_near_64" in "approximate/wide/cos_near_64.rs", calls QUARTER_TURN_64;
    SIN_APPROX_64 = "sin_approx_64" in "approximate/wide/sin_approx_64.rs",
        calls IS_NEAR_64 QUARTER_TURN_64 SIN_NEAR_64;
    COS_APPROX_64 = "cos_approx_64" in "approximate/wide/cos_approx_64.rs",
        calls IS_NEAR_64 QUARTER_TURN_64 COS_NEAR_64;
    ERFC_APPROX_64 = "erfc_approx_64" in "approximate/wide/erfc_approx_64.rs", calls EXP_OF_SUM_64;
    POW_APPROX_64 = "pow_approx_64" in "approximate/wide/pow_approx_64.rs",
        calls EXP_OF_SUM_64 EXPONENT_64;
}

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
    Exp2 = |x| x.exp2(),
        name: "exp2", meaning: "2 to the power x", rust: Rust::Method("exp2"), vectors: Vectors::Each,
        cpp: Cpp::Call("exp2"), accuracy: Accuracy::Apart { hosts: [1, 1], devices: [2, 1] },
        parity: &[Parity::Neither], never_negative: true, domain: None;
    Log2 = |x| x.log2(),
        name: "log2", meaning: "logarithm to the base 2", rust: Rust::Method("log2"), vectors: Vectors::Each,
        cpp: Cpp::Call("log2"), accuracy: Accuracy::Apart { hosts: [1, 2], devices: [1, 1] },
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
    ExpApprox = exp_approx => exp_approx_64,
        name: "exp_approx",
        meaning: "exponential, to within two units in the last place, by a quick form that lanes do side by side; devices use their own",
        rust: Rust::Own([&EXP_APPROX, &EXP_APPROX_64]), vectors: Vectors::Each,
        cpp: Cpp::Overloaded("exp_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Exp)), parity: &[Parity::Neither],
        never_negative: true, domain: None;
    LogApprox = log_approx => log_approx_64,
        name: "log_approx",
        meaning: "natural logarithm, to within two units in the last place, by a quick form that lanes do side by side; devices use their own",
        rust: Rust::Own([&LOG_APPROX, &LOG_APPROX_64]), vectors: Vectors::Each,
        cpp: Cpp::Overloaded("log_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Log)), parity: &[Parity::Neither],
        never_negative: false, domain: Some("x > 0");
    Exp2Approx = |x| x.exp2(),
        name: "exp2_approx",
        meaning: "2 to the power x, with an error of up to 2e-7 of the value in 32 bits; devices use their own instruction, where what is too small for a normal number counts as 0",
        rust: Rust::Method("exp2"), vectors: Vectors::Each, cpp: Cpp::Overloaded("exp2_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Exp2)), parity: &[Parity::Neither],
        never_negative: true, domain: None;
    Log2Approx = |x| x.log2(),
        name: "log2_approx",
        meaning: "logarithm to the base 2, with an error of up to 2e-7, or of so much of the value, in 32 bits; devices use their own instruction, where what is too small for a normal number counts as 0",
        rust: Rust::Method("log2"), vectors: Vectors::Each, cpp: Cpp::Overloaded("log2_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Log2)), parity: &[Parity::Neither],
        never_negative: false, domain: Some("x > 0");
    SinApprox = sin_approx => sin_approx_64,
        name: "sin_approx",
        meaning: "sine, of radians, to within two units in the last place, by a quick form that lanes do side by side; devices use their own",
        rust: Rust::Own([&SIN_APPROX, &SIN_APPROX_64]), vectors: Vectors::Near {
            asks: [&IS_NEAR, &IS_NEAR_64], quick: [&SIN_NEAR, &SIN_NEAR_64],
        },
        cpp: Cpp::Overloaded("sin_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Sin)), parity: &[Parity::Odd],
        never_negative: false, domain: Some("x finite");
    CosApprox = cos_approx => cos_approx_64,
        name: "cos_approx",
        meaning: "cosine, of radians, to within two units in the last place, by a quick form that lanes do side by side; devices use their own",
        rust: Rust::Own([&COS_APPROX, &COS_APPROX_64]), vectors: Vectors::Near {
            asks: [&IS_NEAR, &IS_NEAR_64], quick: [&COS_NEAR, &COS_NEAR_64],
        },
        cpp: Cpp::Overloaded("cos_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Cos)), parity: &[Parity::Even],
        never_negative: false, domain: Some("x finite");
    ErfcApprox = erfc_approx => erfc_approx_64,
        name: "erfc_approx",
        meaning: "complementary error function, to within a unit in the last place in 32 bits and five in 64, by a quick form that lanes do side by side; devices use their own",
        rust: Rust::Own([&ERFC_APPROX, &ERFC_APPROX_64]), vectors: Vectors::Each,
        cpp: Cpp::Overloaded("erfc_approx"),
        accuracy: Accuracy::Near(Signature::Real(Elementary::Erfc)), parity: &[Parity::Neither],
        never_negative: true, domain: None;
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
    PowApprox = pow_approx => pow_approx_64,
        name: "pow_approx",
        meaning: "x to the power y for x not below and y above 0, by quick logarithms and exponentials, in 64 bits to within two units in the last place, in 32 with an error of up to 4e-6 of the value; devices use their own",
        rust: Rust::Own([&POW_APPROX, &POW_APPROX_64]), vectors: Vectors::Each,
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
