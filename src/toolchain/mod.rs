//! A project's files → an executable → what its run printed.
//!
//! Finds cargo, nvcc and the device, builds emitted projects in a cache that is addressed by
//! content, and runs them. This module starts processes and reads the environment; nothing nearer
//! to the ground does.

mod build;
mod cache;
mod crates;
mod device;
mod disassembly;
mod doctor;
mod ending;
mod error;
mod find;
mod nvcc;
mod process;
mod processor;
mod program;
mod resources;
mod room;
mod scratch;
mod surroundings;
pub mod testing;
mod trust;

pub use build::{BuildOptions, Built, Kind, Project, build};
pub use cache::{journals, key, tuned};
pub use device::{Device, devices, expect_device};
pub use disassembly::{InnerLoop, inner_loop};
pub use doctor::{Finding, doctor};
pub use ending::{end_on_signals, tidy, undisturbed};
pub use error::ToolError;
pub use find::{Tool, cargo, cxx, rustc};
pub use nvcc::{Nvcc, nvcc};
pub use processor::processor;
pub use program::{ProgramRun, run_program};
pub use resources::{Cubin, KernelResources, Room, cubin};
pub use room::{Cleaned, clean};
pub use scratch::{Scratch, sweep};
