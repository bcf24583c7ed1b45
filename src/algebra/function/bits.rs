//! The functions of the bits of integers: their table, what they compute and how targets spell them.
//!
//! All of them have a value for all arguments. Integers are in two's complement, so that the bits above those of an
//! INTEGER are copies of its sign: only what moves bits up, or counts them, asks for the type.

use crate::algebra::Type;

/// A function of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[allow(missing_docs, reason = "the names are those of the table of functions")]
pub enum Bits {
    And,
    Or,
    Xor,
    Not,
    ShiftLeft,
    ShiftRight,
    Count,
}

/// How emitted programs say a function of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// A sign between its arguments.
    Between(&'static str),
    /// A sign before its argument: that of Rust and that of C++.
    Before([&'static str; 2]),
    /// A function of support code: for INTEGER and for INTEGER64 in Rust, and for both in C++.
    Function([&'static str; 2], &'static str),
}

/// One row of the table.
#[derive(Debug)]
pub struct BitsEntry {
    /// Its name in schemes.
    pub name: &'static str,
    /// How many arguments it has.
    pub arity: usize,
    /// What it is.
    pub meaning: &'static str,
    /// Its value: of 64 bits, and how many bits the type has.
    pub value: fn(i64, i64, u32) -> i64,
    /// In emitted programs.
    pub spelling: Spelling,
}

impl Bits {
    /// All of them, in the order of the table.
    pub const ALL: &[Bits] = &[
        Bits::And,
        Bits::Or,
        Bits::Xor,
        Bits::Not,
        Bits::ShiftLeft,
        Bits::ShiftRight,
        Bits::Count,
    ];

    /// Its row of the table.
    pub fn entry(self) -> &'static BitsEntry {
        match self {
            Bits::And => &BitsEntry {
                name: "bit_and",
                arity: 2,
                meaning: "the bits that both integers have",
                value: |a, b, _| a & b,
                spelling: Spelling::Between("&"),
            },
            Bits::Or => &BitsEntry {
                name: "bit_or",
                arity: 2,
                meaning: "the bits that one of two integers has, or both",
                value: |a, b, _| a | b,
                spelling: Spelling::Between("|"),
            },
            Bits::Xor => &BitsEntry {
                name: "bit_xor",
                arity: 2,
                meaning: "the bits that one of two integers has, and not both",
                value: |a, b, _| a ^ b,
                spelling: Spelling::Between("^"),
            },
            Bits::Not => &BitsEntry {
                name: "bit_not",
                arity: 1,
                meaning: "the bits that an integer does not have: -a - 1",
                value: |a, _, _| !a,
                spelling: Spelling::Before(["!", "~"]),
            },
            Bits::ShiftLeft => &BitsEntry {
                name: "shift_left",
                arity: 2,
                meaning: "the first integer's bits moved up by the second; those that leave the type are lost, and by less than 0 or by all the bits of the type or more there is 0",
                value: |a, by, width| {
                    let unused = 64 - width;
                    match by >= 0 && by < i64::from(width) {
                        true => a << by << unused >> unused,
                        false => 0,
                    }
                },
                spelling: Spelling::Function(["shift_left", "shift_left_64"], "shift_left"),
            },
            Bits::ShiftRight => &BitsEntry {
                name: "shift_right",
                arity: 2,
                meaning: "the first integer's bits moved down by the second, with copies of its sign above: a / 2 ^ k, rounded down; by less than 0 or by all the bits of the type or more there is -1 or 0, by its sign",
                value: |a, by, width| match by >= 0 && by < i64::from(width) {
                    true => a >> by,
                    false => a >> 63,
                },
                spelling: Spelling::Function(["shift_right", "shift_right_64"], "shift_right"),
            },
            Bits::Count => &BitsEntry {
                name: "bit_count",
                arity: 1,
                meaning: "how many bits of an integer are 1, all of its type: 32 or 64 for -1",
                value: |a, _, width| (a << (64 - width)).count_ones().into(),
                spelling: Spelling::Function(["bit_count", "bit_count_64"], "bit_count"),
            },
        }
    }

    /// Its value for integers of a type; of one with one argument, the second is of no account.
    pub fn value(self, ty: Type, a: i64, b: i64) -> i64 {
        let width = if ty == Type::I32 { 32 } else { 64 };
        (self.entry().value)(a, b, width)
    }
}
