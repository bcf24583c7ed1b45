//! What a round of a recorded loop launches, and whether one launch can do all of it.

use super::kernel::{STATIC_BYTES, static_bytes};
use super::printer::Printer;
use crate::algebra::{Type, WARP};
use crate::emit::plan::{self, Act, Arithmetic, Expr, Function, Kernel, Node, Stmt, Var};
use std::collections::BTreeSet;

/// A launch of a round.
pub(super) struct Part<'p> {
    pub number: usize,
    pub kernel: &'p Kernel,
    pub blocks: &'p Expr,
    pub threads: i64,
    /// Whether it stands in a loop or under a condition of the host.
    pub inner: bool,
}

/// Whether an expression of the host's scalars has the same value on the device, and no errors.
fn is_same_on_device(e: &Expr) -> bool {
    let mut same = true;
    plan::expressions(e, &mut |e| {
        same &= match &e.node {
            Node::Int(_) | Node::Bool(_) | Node::Var(_) => !e.ty.is_real(),
            // Where it narrows, the host looks whether the value fits.
            Node::Convert(a) => !a.ty.is_real() && (e.ty == Type::I64 || e.ty == a.ty),
            Node::Negate(_) | Node::Not(_) | Node::And(..) | Node::Or(..) => true,
            Node::Compare(_, a, _) => !a.ty.is_real(),
            Node::Arithmetic(op, ..) => {
                !matches!(op, Arithmetic::Divide | Arithmetic::Remainder) && !e.ty.is_real()
            }
            Node::Call(Function::Min | Function::Max, _) => true,
            Node::Call(Function::CeilDiv, all) => matches!(all[1].node, Node::Int(n) if n > 0),
            _ => false,
        }
    });
    same
}

/// Whether a number of blocks is one of 32 bits.
fn is_small(blocks: &Expr) -> bool {
    match &blocks.node {
        Node::Int(n) => i32::try_from(*n).is_ok(),
        Node::Convert(of) => of.ty == Type::I32,
        _ => false,
    }
}

/// Adds the kernels that may have been launched when a loop is met, of those that statements launch; says whether the loop is
/// among these.
pub(super) fn launched_before(body: &[Stmt], number: usize, kernels: &mut BTreeSet<usize>) -> bool {
    let add_all = |body: &[Stmt], kernels: &mut BTreeSet<usize>| {
        plan::each_statement(body, &mut |s| {
            if let Act::Launch { kernel, .. } = s.act {
                kernels.insert(kernel);
            }
        });
    };
    body.iter().any(|s| match &s.act {
        Act::Launch { kernel, .. } => {
            kernels.insert(*kernel);
            false
        }
        Act::Recorded { asking, .. } if *asking == Some(number) => true,
        Act::For { body, .. } | Act::While { body, .. } | Act::Parallel { body, .. } => {
            let found = launched_before(body, number, kernels);
            // Those behind the loop were launched in the iteration before.
            if found {
                add_all(body, kernels);
            }
            found
        }
        Act::Array { body, .. } | Act::Timed(body) | Act::Recorded { body, .. } => {
            launched_before(body, number, kernels)
        }
        Act::If { yes, no, .. } => {
            launched_before(yes, number, kernels) || launched_before(no, number, kernels)
        }
        _ => false,
    })
}

/// Whether a kernel calls code that its author wrote, which may ask the device where it runs.
fn has_own_code(kernel: &Kernel) -> bool {
    let mut found = false;
    plan::each_statement(&kernel.body, &mut |s| {
        found |= matches!(s.act, Act::Perform { .. });
    });
    plan::each_expression(&kernel.body, &mut |e| {
        found |= matches!(e.node, Node::Holds { .. });
    });
    found
}

/// Whether a kernel's threads exchange values.
fn exchanges(kernel: &Kernel) -> bool {
    let mut found = false;
    plan::each_statement(&kernel.body, &mut |s| {
        found |= matches!(s.act, Act::Exchange(..));
    });
    found
}

/// The kernels that may be launched first in a round: the first one, or any behind what may launch nothing.
pub(super) fn may_be_first<'p>(launches: &[Stmt], parts: &'p [Part]) -> &'p [Part<'p>] {
    let first = launches.iter().find(|s| !matches!(s.act, Act::Comment(_)));
    match first.map(|s| &s.act) {
        Some(Act::Launch { .. }) => &parts[..1],
        _ => parts,
    }
}

impl Printer<'_> {
    /// The launches of a round, if one launch can do what they do.
    pub(super) fn parts_of<'p>(&self, launches: &'p [Stmt]) -> Option<Vec<Part<'p>>>
    where
        Self: 'p,
    {
        let mut parts = Vec::new();
        let known = self.find_parts(launches, false, &mut parts);
        let width = parts.iter().map(|p| p.threads).max()?;
        // Each array may begin at the next multiple of 16 bytes.
        let bytes = parts.iter().map(|p| {
            let arrays = p.kernel.shared.len() as i64;
            Some(static_bytes(self.plan, p.kernel)? + 16 * arrays)
        });
        let bytes = bytes.sum::<Option<i64>>()?;
        let all_fit = parts.iter().all(|p| {
            let whole_warps = p.threads % WARP == 0;
            let alone = !p.kernel.barriers && !exchanges(p.kernel);
            p.threads == width || whole_warps || alone
        });
        (known && all_fit && bytes <= STATIC_BYTES).then_some(parts)
    }

    /// Adds the launches of statements in order; says whether nothing else is done.
    fn find_parts<'p>(&self, body: &'p [Stmt], inner: bool, parts: &mut Vec<Part<'p>>) -> bool
    where
        Self: 'p,
    {
        body.iter().all(|s| match &s.act {
            Act::Comment(_) => true,
            Act::Launch {
                kernel,
                blocks,
                threads,
            } => {
                let number = *kernel;
                let kernel = &self.plan.kernels[number];
                let Node::Int(threads) = threads.node else {
                    return false;
                };
                parts.push(Part {
                    number,
                    kernel,
                    blocks,
                    threads,
                    inner,
                });
                // Arrays in registers ask for as many as there are.
                (1..=1024).contains(&threads)
                    && kernel.bounds.is_none()
                    && !has_own_code(kernel)
                    && is_same_on_device(blocks)
                    && (is_small(blocks) || !inner)
            }
            Act::For {
                from,
                to,
                step,
                body,
                ..
            } => {
                [Some(from), Some(to), step.as_ref()]
                    .into_iter()
                    .flatten()
                    .all(is_same_on_device)
                    && self.find_parts(body, true, parts)
            }
            Act::If { condition, yes, no } => {
                is_same_on_device(condition)
                    && self.find_parts(yes, true, parts)
                    && self.find_parts(no, true, parts)
            }
            _ => false,
        })
    }

    /// What all parts and the condition read and write together.
    pub(super) fn together_with(&self, number: usize, launches: &[Stmt], parts: &[Part]) -> Kernel {
        let asking = &self.plan.asking[number].kernel;
        let mut counted: BTreeSet<Var> = BTreeSet::new();
        let mut named: BTreeSet<Var> = BTreeSet::new();
        plan::each_statement(launches, &mut |s| {
            if let Act::For { var, .. } = s.act {
                counted.insert(var);
            }
        });
        plan::each_expression(launches, &mut |e| {
            if let Node::Var(var) = e.node {
                named.insert(var);
            }
        });
        let mut all = asking.clone();
        named.extend(parts.iter().flat_map(|p| &p.kernel.scalars));
        named.extend(&asking.scalars);
        all.scalars = named.difference(&counted).copied().collect();
        for array in parts.iter().flat_map(|p| &p.kernel.arrays) {
            match all.arrays.iter_mut().find(|a| a.var == array.var) {
                Some(known) => known.written |= array.written,
                None => all.arrays.push(array.clone()),
            }
        }
        all.arrays.sort_by_key(|a| a.var);
        all
    }
}
