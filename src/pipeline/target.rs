//! What runs a scheme.

use super::Failure;
use crate::emit;
use crate::toolchain::{self, devices, nvcc, processor};
use serde_json::Value as Json;

/// What runs a scheme: a program that is emitted for it, or the reference machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Rust, on the cores of this machine.
    #[default]
    Rust,
    /// C++ with OpenMP, on the cores of this machine.
    Cpp,
    /// CUDA C++, on an NVIDIA device.
    Cuda,
    /// Rust with CUDA kernels, on an NVIDIA device.
    RustCuda,
    /// The reference machine, which needs no compiler.
    Interpreter,
}

impl Target {
    /// CUDA C++ where a device and nvcc are found, else Rust.
    pub fn best() -> Target {
        match devices().is_ok_and(|d| !d.is_empty()) && nvcc().is_ok() {
            true => Target::Cuda,
            false => Target::Rust,
        }
    }

    /// The name at the command line.
    pub fn name(self) -> &'static str {
        self.emitted().map_or("interpreter", emit::Target::name)
    }

    /// What is emitted for it; nothing for the reference machine.
    pub fn emitted(self) -> Option<emit::Target> {
        match self {
            Target::Rust => Some(emit::Target::Rust),
            Target::Cpp => Some(emit::Target::Cpp),
            Target::Cuda => Some(emit::Target::Cuda),
            Target::RustCuda => Some(emit::Target::RustCuda),
            Target::Interpreter => None,
        }
    }

    /// The strategy that is taken where none is given.
    pub fn strategy(self) -> &'static str {
        match self {
            Target::Rust | Target::Cpp => "cpu",
            Target::Cuda | Target::RustCuda => "gpu",
            Target::Interpreter => "sequential",
        }
    }

    /// Whether it computes on a device, whose functions are not those of the host to the bit.
    pub fn on_device(self) -> bool {
        matches!(self, Target::Cuda | Target::RustCuda)
    }

    /// The name of the device or the processor that ran a program which printed this; empty where it is
    /// not known.
    pub(super) fn machine(self, printed: &Json) -> String {
        match (self.on_device(), printed["device"].as_str()) {
            (_, Some(device)) => device.to_owned(),
            (false, None) => processor(),
            (true, None) => {
                let first = devices().ok().and_then(|all| all.into_iter().next());
                first.map_or(String::new(), |device| device.name)
            }
        }
    }

    /// Refuses a target that this machine has no device for.
    ///
    /// # Errors
    ///
    /// E1001, with where a device was looked for.
    pub fn expect_device(self) -> Result<(), Failure> {
        match self.on_device() {
            true => Ok(toolchain::expect_device(self.name())?),
            false => Ok(()),
        }
    }
}
