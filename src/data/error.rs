//! What can go wrong with data, as data.

use crate::diagnostic::Diagnostic;
use std::fmt;
use std::path::{Path, PathBuf};

/// An error of reading, writing, converting or generating data.
///
/// `Display` gives one sentence; [`DataError::hint`] says what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum DataError {
    /// The system refused to read or write a file.
    Io {
        /// The file.
        path: PathBuf,
        /// "read" or "write".
        action: &'static str,
        /// What the system said.
        reason: String,
    },
    /// A file that is not what it should be.
    Format {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What is wanted.
        wanted: String,
    },
    /// The number of values is not the product of the shape.
    Shape {
        /// The shape asked for.
        shape: Vec<usize>,
        /// The number of values given.
        values: usize,
    },
    /// Values that cannot be converted to a type.
    Convert {
        /// The type they have.
        from: &'static str,
        /// The type asked for.
        to: &'static str,
        /// Which value stands in the way, or why none can be converted.
        reason: String,
    },
    /// Two arrays that cannot be compared.
    Compare {
        /// How they differ.
        reason: String,
    },
    /// Arrays that make no snapshot of atoms.
    Snapshot {
        /// What does not fit.
        reason: String,
    },
    /// A generator nobody knows.
    UnknownGenerator {
        /// The name given.
        name: String,
        /// The known name that is nearest to it, if one is near.
        near: Option<&'static str>,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// An option that the generator does not have.
    UnknownOption {
        /// The generator.
        generator: &'static str,
        /// The name given.
        name: String,
        /// The known name that is nearest to it, if one is near.
        near: Option<&'static str>,
        /// The options it has.
        known: Vec<&'static str>,
    },
    /// An option's value outside its range.
    OptionRange {
        /// The generator.
        generator: &'static str,
        /// The option.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed, in words.
        range: String,
    },
    /// Options with which a generator makes numbers that are not finite.
    NotFinite {
        /// The generator.
        generator: &'static str,
    },
    /// A number of bodies that the generator cannot make.
    Size {
        /// The generator.
        generator: &'static str,
        /// The number asked for.
        n: usize,
        /// What is allowed, in words.
        rule: String,
    },
}

impl DataError {
    /// A refusal of the system to read `path`.
    pub fn reading(path: &Path, reason: impl fmt::Display) -> DataError {
        DataError::Io {
            path: path.to_path_buf(),
            action: "read",
            reason: reason.to_string(),
        }
    }

    /// A refusal of the system to write `path`.
    pub fn writing(path: &Path, reason: impl fmt::Display) -> DataError {
        DataError::Io {
            path: path.to_path_buf(),
            action: "write",
            reason: reason.to_string(),
        }
    }

    /// A file that holds `found` where `wanted` is wanted.
    pub fn format(path: &Path, found: impl Into<String>, wanted: impl Into<String>) -> DataError {
        DataError::Format {
            path: path.to_path_buf(),
            found: found.into(),
            wanted: wanted.into(),
        }
    }

    /// What to do about it, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            DataError::Convert { .. } => Some(
                "float widths convert to each other, and integers to types that have them exactly; \
                 anything else is yours to convert"
                    .into(),
            ),
            DataError::UnknownGenerator { near, known, .. }
            | DataError::UnknownOption { near, known, .. } => Some(match near {
                Some(near) => format!("did you mean `{near}`? Known are: {}", known.join(", ")),
                None if known.is_empty() => "it has no options".into(),
                None => format!("known are: {}", known.join(", ")),
            }),
            DataError::Io { .. }
            | DataError::Format { .. }
            | DataError::Shape { .. }
            | DataError::Compare { .. }
            | DataError::Snapshot { .. }
            | DataError::OptionRange { .. }
            | DataError::Size { .. } => None,
            DataError::NotFinite { .. } => Some("take options nearer to their defaults".into()),
        }
    }

    /// The code under which `glushkov explain` knows it.
    pub fn code(&self) -> &'static str {
        match self {
            DataError::Io { .. } => "E0901",
            DataError::Format { .. } => "E0902",
            DataError::Shape { .. } | DataError::Compare { .. } | DataError::Snapshot { .. } => {
                "E0903"
            }
            DataError::Convert { .. } => "E0904",
            DataError::UnknownGenerator { .. } | DataError::UnknownOption { .. } => "E0905",
            DataError::OptionRange { .. }
            | DataError::NotFinite { .. }
            | DataError::Size { .. } => "E0906",
        }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io {
                path,
                action,
                reason,
            } => write!(f, "cannot {action} {}: {reason}", path.display()),
            DataError::Format {
                path,
                found,
                wanted,
            } => write!(f, "{}: found {found}, wanted {wanted}", path.display()),
            DataError::Shape { shape, values } => {
                write!(f, "an array of shape {shape:?} cannot hold {values} values")
            }
            DataError::Convert { from, to, reason } => {
                write!(f, "values of type {from} do not convert to {to}: {reason}")
            }
            DataError::Compare { reason } => write!(f, "arrays cannot be compared: {reason}"),
            DataError::Snapshot { reason } => write!(f, "no snapshot of atoms: {reason}"),
            DataError::UnknownGenerator { name, .. } => {
                write!(f, "there is no generator `{name}`")
            }
            DataError::UnknownOption {
                generator, name, ..
            } => write!(f, "the generator `{generator}` has no option `{name}`"),
            DataError::OptionRange {
                generator,
                name,
                value,
                range,
            } => write!(
                f,
                "the option `{name}` of the generator `{generator}` is {value:?}; it must be {range}"
            ),
            DataError::NotFinite { generator } => write!(
                f,
                "with these options the generator `{generator}` makes numbers that are not finite"
            ),
            DataError::Size { generator, n, rule } => {
                write!(
                    f,
                    "the generator `{generator}` cannot make {n} bodies: {rule}"
                )
            }
        }
    }
}

impl std::error::Error for DataError {}

impl From<DataError> for Diagnostic {
    fn from(error: DataError) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(error.code(), error.to_string());
        diagnostic.hint = error.hint();
        diagnostic
    }
}
