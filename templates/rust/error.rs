//! Errors, and how they leave the middle of a computation.

use std::any::Any;
use std::fmt;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Parameters or arrays that cannot be used.
    Input(String),
    /// The algorithm has no result: a subscript out of range, an integer out of range or divided
    /// by zero, a false condition that had to hold.
    Algorithm(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input(why) | Error::Algorithm(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// Ends the computation with an error, from any thread.
#[cold]
pub fn fail(error: Error) -> ! {
    resume_unwind(Box::new(error))
}

/// Runs a computation and gives its result, or the error or panic that ended it. What it was
/// changing is left as it was at that moment.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| error_of(payload.as_ref()))
}

fn error_of(payload: &(dyn Any + Send)) -> Error {
    if let Some(error) = payload.downcast_ref::<Error>() {
        return error.clone();
    }
    let text = match (
        payload.downcast_ref::<&str>(),
        payload.downcast_ref::<String>(),
    ) {
        (Some(text), _) => text,
        (None, Some(text)) => text.as_str(),
        (None, None) => "it ended for an unknown reason",
    };
    Error::Algorithm(text.to_owned())
}
