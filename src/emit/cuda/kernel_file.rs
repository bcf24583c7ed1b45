//! Kernels of a plan → a text by itself, which NVRTC compiles when the program runs.

use super::printer::Printer;
use super::{ARITHMETIC, coefficients, faults, kernels, pieces, real, vectors};
use crate::emit::EmitOptions;
use crate::emit::plan::Plan;
use crate::emit::template::{Filled, fill_with};
use crate::emit::text::comment;
use serde_json::json;
use std::collections::BTreeSet;

/// The kernels by themselves.
pub(in crate::emit) struct KernelFile {
    /// CUDA C++ that includes no header.
    pub text: Filled,
    /// Whether a kernel can meet an error of the algorithm: it sets `device_fault` to its number.
    pub faults: bool,
}

/// Whether a kernel that was printed with these pieces can meet an error of the algorithm.
pub(in crate::emit) fn can_fail(used: &BTreeSet<&'static str>) -> bool {
    ["fault", "within", "integers"]
        .iter()
        .any(|piece| used.contains(piece))
}

/// The kernels of a plan by themselves; none if there are none.
pub(in crate::emit) fn kernel_file(plan: &Plan, options: &EmitOptions) -> Option<KernelFile> {
    if plan.kernels.is_empty() {
        return None;
    }
    let mut printer = Printer::new(plan, options);
    printer.alone = true;
    let kernels = kernels(plan, &mut printer);
    let used = &printer.uses;
    let can_fail = can_fail(used);
    // What the pieces are written with.
    let wide = ["within", "integers"].iter().any(|p| used.contains(p));
    let values = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": plan.name,
        "title": comment(&plan.title),
        "real": real(plan.precision),
        "space": "__device__",
        "faults": faults(),
        "can_fail": can_fail,
        "wide": wide || kernels.contains("int64_t"),
        "uses": pieces(used),
        "vectors": vectors(std::slice::from_ref(plan)),
        "coefficients": coefficients(),
        "kernels": kernels,
    });
    let template = include_str!("../../../templates/rust-cuda/kernels.cu.tera");
    Some(KernelFile {
        text: fill_with("kernels.cu", template, &[ARITHMETIC], &values),
        faults: can_fail,
    })
}
