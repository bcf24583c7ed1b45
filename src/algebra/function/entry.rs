//! What there is to say of a function of reals.

use super::Signature;

/// Support code of emitted programs.
#[derive(Debug)]
pub struct Piece {
    /// The function's name in Rust; in C++ it is `NAME_of`.
    pub name: &'static str,
    /// The file that holds it.
    pub(super) file: &'static str,
    /// What it calls, all of it.
    pub(super) needs: &'static [&'static Piece],
}

impl Piece {
    /// The piece, and what it calls.
    pub fn with_needs(&'static self) -> impl Iterator<Item = &'static Piece> {
        std::iter::once(self).chain(self.needs.iter().copied())
    }

    /// Its source in Rust, without what is said of the file.
    pub fn source(&self) -> &'static str {
        let from = self.file.find("/// ").unwrap_or(0);
        self.file[from..].trim_end()
    }

    /// The numbers of its table, as C++ writes them; none if it has no table.
    pub fn coefficients(&self) -> Vec<String> {
        let table = self.source().split("= [").nth(1).unwrap_or_default();
        let table = table.split("];").next().unwrap_or_default();
        let numbers = table.split(',').map(|c| c.trim().replace('_', ""));
        numbers.filter(|c| !c.is_empty()).collect()
    }
}

/// How emitted Rust writes a function.
#[derive(Clone, Copy, Debug)]
pub enum Rust {
    /// A method of reals.
    Method(&'static str),
    /// 1 by a method's value.
    OneOver(&'static str),
    /// Support code that computes in 64 bits.
    Wide(&'static Piece),
    /// Support code that computes in 32 bits, and other that does in 64.
    Own([&'static Piece; 2]),
}

/// How LANES do a function.
#[derive(Clone, Copy, Debug)]
pub enum Vectors {
    /// Number by number.
    Each,
    /// By a method that all vectors have, named as that of reals.
    Method,
    /// By a method of vectors of the scheme's reals, which is part of a piece of the template.
    Piece(&'static str, &'static str),
    /// By support code, in 32 bits and in 64, where other support code says of all numbers that they are
    /// near enough to 0 for it; else number by number.
    Near {
        /// What says so.
        asks: [&'static Piece; 2],
        /// What is computed then.
        quick: [&'static Piece; 2],
    },
}

/// How C++ writes a function, on hosts and on devices.
#[derive(Clone, Copy, Debug)]
pub enum Cpp {
    /// A function of C's library, whose name ends in `f` for `float`.
    Call(&'static str),
    /// 1 by the value of one.
    OneOver(&'static str),
    /// Support code that computes in `double`.
    Wide(&'static Piece),
    /// Support code for both widths, a piece of the template.
    Overloaded(&'static str),
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

/// By how many units in the last place values differ from the nearest real, at most: in 32 bits, and
/// in 64; 0 where they are the nearest.
pub type Ulps = [u16; 2];

/// How exact a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// It has the same bits everywhere.
    Same(Ulps),
    /// Hosts have the same bits, and devices have code of their own.
    Apart {
        /// On hosts; by the manual of the GNU C library for its functions.
        hosts: Ulps,
        /// On devices; by the CUDA programming guide for its functions.
        devices: Ulps,
    },
    /// Its values are the hardware's, near to those of this function: the bits of one differ between
    /// the units of a processor and between processors.
    Near(Signature),
}

/// What is known of a function of reals.
#[derive(Debug)]
pub struct Entry {
    /// Its name in schemes.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// How emitted Rust writes it.
    pub rust: Rust,
    /// How LANES do it.
    pub vectors: Vectors,
    /// How C++ writes it.
    pub cpp: Cpp,
    /// How exact it is.
    pub accuracy: Accuracy,
    /// What it is of the opposite of each of its arguments.
    pub parity: &'static [Parity],
    /// Whether no value is below 0.
    pub never_negative: bool,
    /// Where it is defined, if not everywhere; elsewhere it has no number for a value, or an infinite
    /// one.
    pub domain: Option<&'static str>,
}

impl Entry {
    /// Whether it has the same bits everywhere.
    pub fn is_same_everywhere(&self) -> bool {
        matches!(self.accuracy, Accuracy::Same(_))
    }
}
