//! What a row of the table of generators says.

use super::options::Options;
use crate::data::{Array, DataError};

/// A generator of initial conditions.
pub struct Generator {
    /// The name in `DEFAULT INPUT "name"` and at the command line.
    pub name: &'static str,
    /// One line on what it makes.
    pub about: &'static str,
    /// What else a reader of the manual should know; whole sentences.
    pub details: &'static str,
    /// The arrays it makes, in order.
    pub arrays: &'static [ArrayInfo],
    /// Its options.
    pub options: &'static [OptionInfo],
    /// What there are n of.
    pub counted: &'static str,
    /// The n it can make.
    pub size: Size,
    /// Makes the arrays, in the order of `arrays`.
    pub(super) make: Make,
}

/// Makes the arrays of a generator for n and options.
pub(super) type Make = fn(usize, &Options) -> Result<Vec<Array>, DataError>;

/// An array that a generator makes.
pub struct ArrayInfo {
    /// Its name, which a scheme may change.
    pub name: &'static str,
    /// What its cells are.
    pub kind: Kind,
    /// How many it has.
    pub extent: Extent,
    /// What it holds.
    pub meaning: &'static str,
}

/// What the cells of a made array are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A 64-bit float.
    Real,
    /// Three 64-bit floats.
    Vector,
    /// An integer.
    Integer,
}

impl Kind {
    /// Bytes of a cell as it is made.
    pub(super) fn bytes(self) -> f64 {
        match self {
            Kind::Real | Kind::Integer => 8.0,
            Kind::Vector => 24.0,
        }
    }

    /// The type in a scheme.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Real => "REAL",
            Kind::Vector => "VECTOR",
            Kind::Integer => "INTEGER",
        }
    }
}

/// How many cells a made array has, by n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// n.
    One,
    /// n + 1: where n parts of another array start, and where the last ends.
    Starts,
    /// Several for each of n, in words and as a number.
    Several(&'static str, Factor),
    /// As the scheme declares it: any number of dimensions; n counts all numbers in it.
    Declared,
}

impl Extent {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Extent::One => "[n]",
            Extent::Starts => "[n + 1]",
            Extent::Several(text, _) => text,
            Extent::Declared => "[any]",
        }
    }

    /// The number of cells for n.
    pub(super) fn cells(self, n: usize, options: &Options) -> f64 {
        let n = n as f64;
        match self {
            Extent::One | Extent::Declared => n,
            Extent::Starts => n + 1.0,
            Extent::Several(_, Factor::Number(k)) => n * f64::from(k),
            Extent::Several(_, Factor::Option(name)) => n * options.get(name),
        }
    }

    /// The n of an array of these sizes, of cells of so many components; none where it does not
    /// tell.
    pub fn count(self, dims: &[i64], components: usize) -> Option<i64> {
        match self {
            Extent::One => dims.first().copied(),
            Extent::Starts => Some(dims.first()? - 1),
            Extent::Several(..) => None,
            Extent::Declared => dims
                .iter()
                .try_fold(components as i64, |all, &d| all.checked_mul(d)),
        }
    }
}

/// How many cells there are for each of n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Always so many.
    Number(u32),
    /// As an option says.
    Option(&'static str),
}

/// An option of a generator: a number with a default.
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// Its value if it is not given.
    pub default: f64,
    /// What it sets.
    pub meaning: &'static str,
    /// The least value.
    pub least: f64,
    /// Whether `least` itself is left out.
    pub above: bool,
    /// The bound above, which is itself left out; infinity for none.
    pub below: f64,
    /// Whether it must be a whole number.
    pub whole: bool,
}

impl OptionInfo {
    /// The range in words.
    pub fn range(&self) -> String {
        let kind = if self.whole {
            "a whole number"
        } else {
            "a number"
        };
        let from = match (self.above, self.least) {
            (_, f64::NEG_INFINITY) => return kind.into(),
            (true, least) => format!("above {least}"),
            (false, least) => format!("of at least {least}"),
        };
        match self.below {
            b if b == f64::INFINITY => format!("{kind} {from}"),
            b => format!("{kind} {from} and below {b}"),
        }
    }
}

/// The n that a generator can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// This number alone.
    Exactly(usize),
    /// This number and more.
    AtLeast(usize),
}

impl Size {
    /// In words.
    pub fn rule(self) -> String {
        match self {
            Size::Exactly(n) => format!("exactly {n}"),
            Size::AtLeast(n) => format!("{n} or more"),
        }
    }

    pub(super) fn check(self, generator: &'static str, n: usize) -> Result<(), DataError> {
        let fits = match self {
            Size::Exactly(only) => n == only,
            Size::AtLeast(least) => n >= least,
        };
        if fits {
            return Ok(());
        }
        let rule = format!("it makes {}", self.rule());
        Err(DataError::Size { generator, n, rule })
    }
}
