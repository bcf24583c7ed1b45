//! What the threads of a warp do with each other's values.

use super::{Construct, Extreme};

/// How many threads a warp has.
pub const WARP: i64 = 32;

/// An exchange between the threads of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Exchange {
    /// Each gets the next one's value, the last one that of the first.
    Rotate,
    /// All get one value, made in pairs of threads at distances 16, 8, 4, 2 and 1; the value of the
    /// thread with the lower number comes first.
    All(Combine),
}

/// How two values of a warp become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub enum Combine {
    /// Their sum.
    Sum,
    /// The smaller or the larger one, as `min` and `max` have it.
    Extreme(Extreme),
}

impl Exchange {
    /// All of them.
    pub const ALL: [Exchange; 4] = [
        Exchange::Rotate,
        Exchange::All(Combine::Sum),
        Exchange::All(Combine::Extreme(Extreme::Min)),
        Exchange::All(Combine::Extreme(Extreme::Max)),
    ];

    /// The construct.
    pub fn construct(self) -> Construct {
        match self {
            Exchange::Rotate => Construct::Rotate,
            Exchange::All(Combine::Sum) => Construct::SumOverWarp,
            Exchange::All(Combine::Extreme(Extreme::Min)) => Construct::MinOverWarp,
            Exchange::All(Combine::Extreme(Extreme::Max)) => Construct::MaxOverWarp,
        }
    }

    /// The exchange that a construct is.
    pub fn of(construct: Construct) -> Option<Exchange> {
        Exchange::ALL
            .into_iter()
            .find(|e| e.construct() == construct)
    }

    /// The function of emitted CUDA that does it.
    pub fn function(self) -> &'static str {
        match self {
            Exchange::Rotate => "from_next_thread",
            Exchange::All(Combine::Sum) => "sum_over_warp",
            Exchange::All(Combine::Extreme(Extreme::Min)) => "min_over_warp",
            Exchange::All(Combine::Extreme(Extreme::Max)) => "max_over_warp",
        }
    }
}
