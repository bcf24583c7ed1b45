//! Launches of a scheme → kernels of a plan.

use super::lower::Lower;
use super::{Act, Expr, Node, Place, Stmt, Var};
use crate::algebra::{Construct, Operator, Type, operator, written};
use crate::term::{Id, Span, Symbol};
use serde::Serialize;
use std::collections::BTreeSet;

/// A kernel: what a launch runs, and what it needs.
#[derive(Clone, Debug, Serialize)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The phrase it comes from, if it comes from one.
    pub phrase: Option<String>,
    /// Scalars of the host that it reads, captured at the launch.
    pub scalars: Vec<Var>,
    /// Arrays of the device.
    pub arrays: Vec<KernelArray>,
    /// Arrays that the threads of a block share.
    pub shared: Vec<SharedArray>,
    /// The scalars that may differ between threads of a block.
    #[serde(skip)]
    pub varying: BTreeSet<Var>,
    /// What a thread does.
    pub body: Vec<Stmt>,
    /// Where the launch comes from.
    #[serde(skip)]
    pub origin: u32,
    /// Whether threads meet at barriers.
    pub barriers: bool,
    /// What is asked of the registers of a thread, where threads keep arrays in them.
    pub bounds: Option<LaunchBounds>,
    /// Where the launch stands in the scheme.
    #[serde(skip)]
    pub span: Option<Span>,
}

/// What is asked of the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LaunchBounds {
    /// The number of threads of a block: that many are to fit a multiprocessor.
    pub threads: i64,
    /// The number of blocks that are to fit it, if it is more than one.
    pub blocks: Option<i64>,
}

/// Most threads of a block beside which another one is asked to fit: a multiprocessor's 65,536 registers
/// of 32 bits then are 128 for each thread.
const MOST_THREADS: i64 = 256;

/// Most of these that arrays take: the others are for subscripts and what is computed.
const MOST_REGISTERS: i64 = 80;

/// Most numbers of 32 bits that the threads of such a block share: all devices have as many for each of two blocks.
const MOST_SHARED: i64 = 8 << 10;

/// What evaluates the condition of a recorded loop on the device.
#[derive(Clone, Debug, Serialize)]
pub struct Asking {
    /// The kernel that does; its body is a FILTER.
    pub kernel: Kernel,
    /// The name of a kernel that takes all rounds of the loop.
    pub rounds: String,
}

/// An array that a kernel uses.
#[derive(Clone, Debug, Serialize)]
pub struct KernelArray {
    /// The array.
    pub var: Var,
    /// Whether it is written.
    pub written: bool,
}

/// An array that the threads of a block share.
#[derive(Clone, Debug, Serialize)]
pub struct SharedArray {
    /// The array; its size is its only dimension.
    pub var: Var,
    /// Whether its size is a literal.
    pub constant: bool,
}

impl Lower<'_> {
    pub(super) fn launch(&mut self, id: Id, blocks: Id, threads: Id, body: Id) -> Act {
        let scheme = self.scheme;
        if let Some(act) = self.launched(id) {
            return act;
        }
        let blocks = self.value(blocks, Type::I64);
        let threads = self.value(threads, Type::I64);
        let phrase = self.kernel_phrase(body);
        let outer = std::mem::replace(&mut self.phrase, phrase);
        self.namer.enter();
        let first = Var(self.variables.len() as u32);
        let mut shared = Vec::new();
        for id in scheme.terms.subterms(body) {
            if let Some(Operator::Shared { name, size, .. }) = operator(&scheme.terms, id) {
                let ty = scheme.variables[&name].ty;
                let dim = self.own(size);
                let constant = dim.is_literal();
                let var = self.declare(name, ty, Place::Shared, vec![dim]);
                shared.push(SharedArray { var, constant });
            }
        }
        // A scalar of the host that the kernel assigns is a copy of its own in every thread.
        let mut copies = Vec::new();
        let mut restored: Vec<(Symbol, Var)> = Vec::new();
        for name in self.assigned_outside(body, first) {
            let ty = scheme.variables[&name].ty;
            let host = self.variable(name);
            let var = self.declare(name, ty, Place::Local, Vec::new());
            restored.push((name, host));
            let value = Expr::new(ty, Node::Var(host));
            copies.push(Stmt {
                origin: self.origins.around(),
                act: Act::Local { var, value },
            });
        }
        let mut stmts = copies;
        self.in_kernel = true;
        stmts.extend(self.block(body));
        self.in_kernel = false;
        let varying = self.varying(Construct::ThreadIndex.symbol(), body);
        for (name, host) in restored {
            self.rebind(name, host);
        }
        self.namer.leave();
        self.phrase = outer;
        let name = match self.first_phrase(body) {
            Some(phrase) => format!("{}_kernel", without_arguments(phrase.as_str())),
            None => "kernel".to_owned(),
        };
        let kernel = self.kernel(&name, first, shared, stmts);
        let bounds = match threads.node {
            Node::Int(threads) => self.bounds(&kernel, threads),
            _ => None,
        };
        self.kernels.push(Kernel {
            span: scheme.terms.span(id),
            phrase: phrase.map(|p| p.as_str().to_owned()),
            bounds,
            varying,
            ..kernel
        });
        Act::Launch {
            kernel: self.kernels.len() - 1,
            blocks,
            threads,
        }
    }

    /// The number of the kernel that evaluates a loop's condition.
    pub(super) fn asking(&mut self, repeated: Id) -> Option<usize> {
        let Some(Operator::While { condition, .. }) = operator(&self.scheme.terms, repeated) else {
            return None;
        };
        let condition = self.value(condition, Type::Bool);
        let first = Var(self.variables.len() as u32);
        let origin = self.origins.around();
        let body = vec![Stmt {
            origin,
            act: Act::Filter(condition),
        }];
        let kernel = self.kernel("again", first, Vec::new(), body);
        let kernel = Kernel {
            span: self.scheme.terms.span(repeated),
            ..kernel
        };
        let rounds = self.kernel_name("all_rounds");
        self.asking.push(Asking { kernel, rounds });
        Some(self.asking.len() - 1)
    }

    /// The phrase of a kernel's first operator.
    fn kernel_phrase(&self, body: Id) -> Option<Symbol> {
        let terms = &self.scheme.terms;
        let first = match operator(terms, body) {
            Some(Operator::Then(parts)) => parts.first().copied().unwrap_or(body),
            _ => body,
        };
        terms.origin(first).phrase
    }

    /// The first phrase in a kernel.
    fn first_phrase(&self, body: Id) -> Option<Symbol> {
        let terms = &self.scheme.terms;
        terms.subterms(body).find_map(|id| terms.origin(id).phrase)
    }

    /// Scalars declared outside a kernel that it assigns, in order.
    fn assigned_outside(&self, body: Id, first: Var) -> Vec<Symbol> {
        let terms = &self.scheme.terms;
        let mut found: Vec<Symbol> = Vec::new();
        for id in terms.subterms(body) {
            for target in written(terms, id) {
                let mut root = target;
                while let Some(crate::algebra::Expr::Field { vector, .. }) =
                    crate::algebra::expr(terms, root)
                {
                    root = vector;
                }
                let is_scalar =
                    |name: Symbol| self.scheme.variable(name).is_some_and(|v| !v.is_array());
                if let Some(name) = terms.as_atom(root)
                    && is_scalar(name)
                    && self.known(name).is_some_and(|var| var < first)
                    && !found.contains(&name)
                {
                    found.push(name);
                }
            }
        }
        found
    }

    fn kernel(
        &mut self,
        name: &str,
        first: Var,
        shared: Vec<SharedArray>,
        body: Vec<Stmt>,
    ) -> Kernel {
        let mut used: Vec<Var> = Vec::new();
        let mut written: Vec<Var> = Vec::new();
        super::reads(&body, &mut |var| used.push(var));
        super::for_each_place(&body, &mut |var, _| written.push(var));
        // Sizes are written where cells are linearized and checked, and where shared arrays are made.
        let mut sizes: Vec<Var> = Vec::new();
        let shared_arrays: Vec<Var> = shared.iter().map(|s| s.var).collect();
        for &var in used.iter().chain(&written).chain(&shared_arrays) {
            for dim in &self.variables[var.0 as usize].dims {
                super::expressions(dim, &mut |e| {
                    if let Node::Var(v) = e.node {
                        sizes.push(v);
                    }
                });
            }
        }
        let mut all: Vec<Var> = used.iter().chain(&written).chain(&sizes).copied().collect();
        all.sort();
        all.dedup();
        let (mut scalars, mut arrays) = (Vec::new(), Vec::new());
        for var in all.into_iter().filter(|&v| v < first) {
            if self.variables[var.0 as usize].dims.is_empty() {
                scalars.push(var);
            } else {
                let written = written.contains(&var);
                self.lives_on_device(var);
                arrays.push(KernelArray { var, written });
            }
        }
        let mut barriers = false;
        super::each_statement(&body, &mut |s| barriers |= s.act == Act::Barrier);
        Kernel {
            name: self.kernel_name(name),
            phrase: None,
            scalars,
            arrays,
            shared,
            varying: BTreeSet::new(),
            body,
            barriers,
            bounds: None,
            origin: self.origins.around(),
            span: None,
        }
    }

    /// What is asked of the registers of a kernel with so many threads a block, where threads keep arrays in them.
    /// Where threads wait for each other, a second block is to fit, to compute meanwhile, unless the arrays leave no room
    /// for it.
    fn bounds(&self, kernel: &Kernel, threads: i64) -> Option<LaunchBounds> {
        let (mut any, mut registers) = (false, Some(0i64));
        super::each_statement(&kernel.body, &mut |s| match &s.act {
            Act::Registers(var) => {
                any = true;
                registers = registers.zip(self.words(*var)).map(|(a, b)| a + b);
            }
            Act::Array { .. } => (any, registers) = (true, None),
            _ => {}
        });
        let shared = kernel.shared.iter().map(|s| self.words(s.var));
        let shared = shared.sum::<Option<i64>>();
        let room = threads <= MOST_THREADS
            && registers.is_some_and(|n| n <= MOST_REGISTERS)
            && shared.is_some_and(|n| n <= MOST_SHARED);
        any.then_some(LaunchBounds {
            threads,
            blocks: (kernel.barriers && room).then_some(2),
        })
    }

    /// How many numbers of 32 bits an array has, if its size is a number; none above 2^32.
    fn words(&self, var: Var) -> Option<i64> {
        let variable = &self.variables[var.0 as usize];
        let mut dims = variable.dims.iter();
        let cells = dims.try_fold(1i64, |cells, dim| match dim.node {
            Node::Int(n) => cells.checked_mul(n),
            _ => None,
        });
        let words = cells?.checked_mul(variable.ty.bytes().div_ceil(4) as i64)?;
        (words < 1 << 32).then_some(words)
    }
}

/// A phrase without what stands in parentheses.
pub(super) fn without_arguments(phrase: &str) -> String {
    let mut depth = 0usize;
    let mut text = String::new();
    for c in phrase.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}
