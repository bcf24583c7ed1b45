//! What becomes of a cell as one indivisible action.

use super::Construct;

/// How a cell's value and another one become the cell's new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Atomic {
    /// Their sum; one of integers wraps.
    Add,
    /// The smaller one, as `min` has it: of values that are equal or cannot be compared the cell's stays.
    Min,
    /// The larger one, as `max` has it.
    Max,
}

impl Atomic {
    /// All of them.
    pub const ALL: [Atomic; 3] = [Atomic::Add, Atomic::Min, Atomic::Max];

    /// The construct.
    pub fn construct(self) -> Construct {
        match self {
            Atomic::Add => Construct::AtomicAdd,
            Atomic::Min => Construct::AtomicMin,
            Atomic::Max => Construct::AtomicMax,
        }
    }

    /// The construct that also gives a LOCAL the value from before, where there is one.
    pub fn with_value_before(self) -> Option<Construct> {
        match self {
            Atomic::Add => Some(Construct::FetchAdd),
            Atomic::Min | Atomic::Max => None,
        }
    }

    /// What a construct does to its cell.
    pub fn of(construct: Construct) -> Option<Atomic> {
        let is_it =
            |op: &Atomic| op.construct() == construct || op.with_value_before() == Some(construct);
        Atomic::ALL.into_iter().find(is_it)
    }

    /// Its name in emitted Rust, a method of shared cells.
    pub fn method(self) -> &'static str {
        match self {
            Atomic::Add => "add",
            Atomic::Min => "min",
            Atomic::Max => "max",
        }
    }

    /// What is done to the cell, for messages.
    pub fn done(self) -> &'static str {
        match self {
            Atomic::Add => "added to",
            Atomic::Min => "made smaller",
            Atomic::Max => "made larger",
        }
    }
}
