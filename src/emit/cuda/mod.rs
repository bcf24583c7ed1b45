//! `Plan` → a CUDA C++ project.

use super::EmitOptions;
use super::plan::Plan;
use crate::toolchain::{Kind, Project};

/// The project of a plan.
pub(super) fn project(plan: &Plan, _options: &EmitOptions) -> Project {
    Project {
        name: plan.name.clone(),
        kind: Kind::Cuda,
        files: Vec::new(),
    }
}
