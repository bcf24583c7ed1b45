//! The launches of a scheme, as far as their shapes are numbers.

use super::names::Convention;
use super::plan::{self, Act, Arithmetic, Expr, Node};
use crate::check::Scheme;

/// A launch of an emitted program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// The kernel, by its name in CUDA C++.
    pub kernel: String,
    /// The threads of a block; none where only a run knows.
    pub threads: Option<u64>,
    /// The bytes of shared arrays of a block; none where only a run knows.
    pub shared: Option<u64>,
}

/// The launches of a scheme without undefined phrases and names, in order.
pub fn launch_shapes(scheme: &Scheme) -> Vec<LaunchShape> {
    let plan = plan::plan(scheme, Convention::Cpp);
    let mut all = Vec::new();
    plan::each_statement(&plan.body, &mut |statement| {
        let Act::Launch {
            kernel, threads, ..
        } = &statement.act
        else {
            return;
        };
        let kernel = &plan.kernels[*kernel];
        let mut bytes = kernel.shared.iter().map(|shared| {
            let variable = plan.var(shared.var);
            let mut cells = variable.dims.iter().map(number);
            let cells = cells.try_fold(1u64, |all, n| all.checked_mul(n?))?;
            cells.checked_mul(variable.ty.bytes() as u64)
        });
        all.push(LaunchShape {
            kernel: kernel.name.clone(),
            threads: number(threads),
            shared: bytes.try_fold(0u64, |sum, n| sum.checked_add(n?)),
        });
    });
    all
}

/// The value of an expression of numbers.
fn number(e: &Expr) -> Option<u64> {
    match &e.node {
        Node::Int(n) => u64::try_from(*n).ok(),
        Node::Convert(inner) => number(inner),
        Node::Arithmetic(Arithmetic::Multiply, a, b) => number(a)?.checked_mul(number(b)?),
        Node::Arithmetic(Arithmetic::Add, a, b) => number(a)?.checked_add(number(b)?),
        _ => None,
    }
}
