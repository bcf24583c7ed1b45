//! Every construct, function, type and error of the language on every target, as the table of
//! targets says: it does there what the reference machine does, or it is refused in words.

mod case;
mod cuda;
#[path = "../emit/driver.rs"]
mod driver;
#[allow(dead_code, reason = "it serves the tests of emitted programs, too")]
#[path = "../emit/harness.rs"]
mod harness;
mod host;
mod inputs;
mod lent;
mod recorded;
mod run;
mod rust;
mod stages;
mod table;
