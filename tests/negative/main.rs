//! Bugs that real generators and hand-written programs ship: as schemes they are refused, and
//! planted in emitted programs they are caught by the comparison with the sequential scheme.

#[allow(dead_code, reason = "it serves the tests of targets")]
#[path = "../targets/case.rs"]
mod case;
#[allow(dead_code, reason = "it serves the tests of targets")]
#[path = "../targets/cuda.rs"]
mod cuda;
#[allow(dead_code, reason = "it serves the tests of emitted programs")]
#[path = "../emit/harness.rs"]
mod harness;
#[path = "../targets/host.rs"]
mod host;
mod launches;
mod page;
mod planted;
mod refused;
mod table;
mod timer;
