//! Arrays in and out of `.npy` files, initial conditions, measurements and their pictures.
//!
//! An [`Array`] is what a scheme's DATA holds while it is outside a program. The generators make
//! initial conditions in 64-bit floating point; [`Array::to_elem`] brings them to a scheme's
//! precision. Only `+ - * /` and `sqrt` are used in generating, so the same options give the same
//! bytes on every machine.

mod array;
mod axes;
mod compare;
mod document;
mod error;
pub mod generators;
pub mod memory;
mod npy;
mod plot;
mod statistics;
mod tuned;
mod whole;
mod xyz;

pub use array::{Array, Elem, Values};
pub use compare::{Distance, identical, max_relative, norm_relative, tolerance};
pub use document::document;
pub use error::DataError;
pub use generators::{GENERATORS, Generator, fixed_size, generate};
pub use npy::{read_npy, read_shape, write_npy};
pub use plot::{Line, Plot, Point, draw};
pub use statistics::{Summary, summary};
pub use tuned::{Measurement, Tuned, TunedFor, TunedRange, ranges};
pub use whole::{read_bytes, read_text};
pub use xyz::{Atoms, xyz};
