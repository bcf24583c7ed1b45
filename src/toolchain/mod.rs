//! A project's files → an executable or a library → what a run printed.
//!
//! Finds cargo, nvcc and the device, builds emitted projects in a cache that is addressed by
//! content, and runs them. This module starts processes and reads the environment; nothing nearer
//! to the ground does.

mod abreast;
mod build;
mod cache;
mod cache_size;
mod cleanup;
mod conversation;
mod crates;
mod device;
mod disassembly;
mod doctor;
mod environment;
mod error;
mod find;
mod making;
mod nvcc;
mod objects;
mod openmp;
mod process;
mod processor;
mod program;
mod resources;
mod running;
mod scratch;
pub mod testing;
mod trust;

pub use abreast::abreast;
pub use build::{BuildOptions, Built, BuiltLibrary, Kind, Project, build, build_library};
pub use cache::{configuration, journals, key, tested_folder, tuned};
pub use cache_size::{Cleaned, bytes_of, clean, limit_cache};
pub use cleanup::{end_children, end_on_signals, tidy, undisturbed};
pub use conversation::Conversation;
pub use device::{Device, devices, expect_device};
pub use disassembly::{InnerLoop, inner_loop};
pub use doctor::{Finding, doctor};
pub use error::ToolError;
pub use find::{Tool, cargo, cxx, rustc};
pub use nvcc::{Nvcc, nvcc};
pub use objects::share_objects;
pub use openmp::expect_openmp;
pub use processor::processor;
pub use program::{ProgramRun, Standby, run_program, run_program_within};
pub use resources::{Cubin, KernelResources, Room, cubin};
pub use running::Running;
pub use scratch::{Scratch, sweep};
pub use trust::expect_own;
