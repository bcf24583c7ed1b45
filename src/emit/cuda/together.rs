//! All rounds of a recorded loop in one launch, whose blocks wait for each other → CUDA C++.
//!
//! What a round launches is a part of one kernel then: its blocks are shared out among those that the device
//! has at once, and all of these meet before the next part begins. Between two parts there is no host, no launch
//! and no copy.

use super::kernel::{STATIC_BYTES, static_bytes};
use super::printer::Printer;
use super::recorded::recorded_loop;
use crate::algebra::Type;
use crate::emit::plan::{self, Act, Arithmetic, Expr, Function, Kernel, Node, Stmt, Var};
use crate::emit::text::comment;
use std::collections::BTreeSet;

/// How many threads of a block exchange values.
const WARP: i64 = 32;

/// The parts of a round.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// How many threads each block has.
    width: i64,
    /// What each part's number of blocks is called, if the host finds it before the loop; in order.
    blocks: Vec<Option<String>>,
    /// How many parts are printed.
    printed: usize,
}

/// A launch of a round.
struct Part<'p> {
    number: usize,
    kernel: &'p Kernel,
    blocks: &'p Expr,
    threads: i64,
    /// Whether it stands in a loop or under a condition of the host.
    inner: bool,
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
fn launched_before(body: &[Stmt], number: usize, kernels: &mut BTreeSet<usize>) -> bool {
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
fn may_be_first<'p>(launches: &[Stmt], parts: &'p [Part]) -> &'p [Part<'p>] {
    let first = launches.iter().find(|s| !matches!(s.act, Act::Comment(_)));
    match first.map(|s| &s.act) {
        Some(Act::Launch { .. }) => &parts[..1],
        _ => parts,
    }
}

impl Printer<'_> {
    /// The kernels that take all rounds of loops.
    pub(super) fn rounds_kernels(&mut self) {
        let mut loops: Vec<(usize, &[Stmt])> = Vec::new();
        plan::each_statement(&self.plan.body, &mut |s| {
            if let Act::Recorded {
                asking: Some(number),
                body,
                ..
            } = &s.act
                && let Some((_, launches, _)) = recorded_loop(body)
            {
                loops.push((*number, launches));
            }
        });
        for (number, launches) in loops {
            let Some(parts) = self.parts_of(launches) else {
                continue;
            };
            self.rounds_kernel(number, launches, &parts);
            self.uses.extend(["multiprocessors", "together"]);
            self.together.insert(number);
        }
    }

    /// The launches of a round, if one launch can do what they do.
    fn parts_of<'p>(&self, launches: &'p [Stmt]) -> Option<Vec<Part<'p>>>
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
    fn together_with(&self, number: usize, launches: &[Stmt], parts: &[Part]) -> Kernel {
        let asking = &self.plan.asking[number].kernel;
        let mut counted: BTreeSet<Var> = BTreeSet::new();
        let mut named: BTreeSet<Var> = BTreeSet::new();
        plan::each_statement(launches, &mut |s| {
            if let Act::For { var, .. } = s.act {
                counted.insert(var);
            }
        });
        for part in parts.iter().filter(|p| p.inner) {
            plan::expressions(part.blocks, &mut |e| {
                if let Node::Var(var) = e.node {
                    named.insert(var);
                }
            });
        }
        plan::each_statement(launches, &mut |s| {
            let asked = match &s.act {
                Act::For { from, to, step, .. } => {
                    let all = [Some(from), Some(to), step.as_ref()];
                    all.into_iter().flatten().collect()
                }
                Act::If { condition, .. } => vec![condition],
                _ => Vec::new(),
            };
            for e in asked {
                plan::expressions(e, &mut |e| {
                    if let Node::Var(var) = e.node {
                        named.insert(var);
                    }
                });
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

    /// Prints the kernel that takes all rounds of a loop.
    fn rounds_kernel(&mut self, number: usize, launches: &[Stmt], parts: &[Part]) {
        let asking = &self.plan.asking[number];
        let Some(Act::Filter(condition)) = asking.kernel.body.first().map(|s| &s.act) else {
            return;
        };
        let all = self.together_with(number, launches, parts);
        let width = parts.iter().map(|p| p.threads).max().unwrap_or(1);
        let blocks = self.blocks_names(parts);
        let outer = std::mem::take(&mut self.references);
        let origin = self.lines.set_origin(Some(asking.kernel.origin));
        self.kernel = true;
        let counts = blocks.iter().flatten().map(|b| format!("int64_t {b}"));
        let parameters: Vec<String> = counts
            .chain(self.parameters_of(&all, |array| !array.written))
            .collect();
        self.lines.line("// All rounds of a loop.");
        let head = format!(
            "__global__ void __launch_bounds__({width}) {}(",
            asking.rounds
        );
        self.lines.filled_call(&head, &parameters, ") {");
        self.lines.open_silently();
        self.assume_aligned(&all.arrays);
        self.round = Some(Round {
            width,
            blocks,
            printed: 0,
        });
        let mut inner = self.lines.inner();
        inner.open_silently();
        let lines = std::mem::replace(&mut self.lines, inner);
        self.block(launches);
        let mut goes_on = String::new();
        let fails = self.fails_in(|p| goes_on = p.any(condition))
            || parts.iter().any(|p| self.failing.contains(&p.number));
        let body = std::mem::replace(&mut self.lines, lines);
        self.round = None;
        let mut earlier = BTreeSet::new();
        launched_before(&self.plan.body, number, &mut earlier);
        if fails || !self.failing.is_disjoint(&earlier) {
            self.uses.insert("fault");
            goes_on = format!("unless_fault({goes_on})");
        }
        let reached = |array: Var| asking.kernel.arrays.iter().any(|a| a.var == array);
        let first = may_be_first(launches, parts).iter();
        let mut written = first.flat_map(|p| &p.kernel.arrays).filter(|a| a.written);
        if fails || written.any(|a| reached(a.var)) {
            // All ask before a part of the next round can change the answer.
            let name = self.extra("goes_on");
            self.lines
                .open(format!("for (bool {name} = true; {name};) {{"));
            self.lines.append(body);
            self.lines.line(format!("{name} = {goes_on};"));
            self.lines.line("wait_for_blocks();");
            self.lines.close("}");
        } else {
            self.lines.open("do {");
            self.lines.append(body);
            self.lines.close(format!("}} while ({goes_on});"));
        }
        self.lines.close("}");
        self.lines.line("");
        self.lines.set_origin(origin);
        self.kernel = false;
        self.references = outer;
    }

    /// What the numbers of blocks are called that the host finds before the loop.
    fn blocks_names(&self, parts: &[Part]) -> Vec<Option<String>> {
        let numbered = parts.iter().enumerate();
        let name = |(k, part): (usize, &Part)| {
            (!part.inner).then(|| self.extra(&format!("blocks_{}", k + 1)))
        };
        numbered.map(name).collect()
    }

    /// Prints a launch as a part of a round.
    pub(super) fn launch_as_part(&mut self, kernel: &Kernel, blocks: &Expr, threads: i64) {
        let Some(round) = &mut self.round else { return };
        let (width, name) = (round.width, round.blocks[round.printed].clone());
        round.printed += 1;
        let end = name.unwrap_or_else(|| self.any(blocks));
        let at = self.extra("at");
        if let Some(phrase) = &kernel.phrase {
            self.lines.line(format!("// {}", comment(phrase)));
        }
        self.lines.open(format!(
            "for (int64_t {at} = blockIdx.x; {at} < {end}; {at} += gridDim.x) {{"
        ));
        if threads < width {
            self.lines.open(format!("if (threadIdx.x < {threads}) {{"));
            self.part_of_block = Some(threads);
        }
        self.shared(kernel);
        let known = [
            format!("(int){at}"),
            "(int)threadIdx.x".to_owned(),
            format!("(int)({end})"),
            threads.to_string(),
        ];
        self.indices(kernel, &known);
        self.block(&kernel.body);
        if threads < width {
            self.part_of_block = None;
            self.lines.close("}");
        }
        if !kernel.shared.is_empty() {
            // The next block has the same memory.
            self.lines.line("__syncthreads();");
        }
        self.lines.close("}");
        self.lines.line("wait_for_blocks();");
    }

    /// Prints what starts the launch that takes all rounds of a loop, and says whether there is one.
    pub(super) fn start_together(&mut self, number: usize, launches: &[Stmt]) {
        let Some(parts) = self.parts_of(launches) else {
            return;
        };
        let all = self.together_with(number, launches, &parts);
        let width = parts.iter().map(|p| p.threads).max().unwrap_or(1);
        let counts = parts.iter().map(|p| match p.inner {
            true => "ANY_NUMBER".to_owned(),
            false => self.any(p.blocks),
        });
        let list: Vec<String> = counts.collect();
        let known = parts.iter().zip(&list).filter(|(p, _)| !p.inner);
        let mut arguments = vec![
            self.plan.asking[number].rounds.clone(),
            width.to_string(),
            self.stream_name(),
            format!("{{{}}}", list.join(", ")),
        ];
        arguments.extend(known.map(|(_, count)| count.clone()));
        arguments.extend(self.arguments(&all));
        self.lines
            .filled_call("return launch_together(", &arguments, ");");
    }
}
