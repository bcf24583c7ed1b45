//! Kernels of a plan → functions of Rust that run block by block.
//!
//! The threads of a block run one after the other, from barrier to barrier. What a thread must
//! remember across a barrier has one value for each thread; what all threads compute alike is
//! computed once.

use super::printer::{Access, Printer};
use super::uniform::{Uniformity, has_barrier};
use crate::emit::plan::{self, Act, Expr, Index, Kernel, Node, Stmt, Var, simple_acts};
use crate::emit::text::{comment, rust_string};

impl Printer<'_> {
    /// Prints a launch.
    pub(super) fn launch(&mut self, number: usize, blocks: &Expr, threads: &Expr) {
        self.uses.insert("grid");
        let plan = self.plan;
        let kernel = &plan.kernels[number];
        let (blocks, threads) = (self.typed(blocks), self.typed(threads));
        let mut arguments = vec![format!("grid({blocks}, {threads})")];
        for var in self.captured(kernel) {
            let e = Expr::new(self.ty(var), Node::Var(var));
            arguments.push(self.typed(&e));
        }
        for array in &kernel.arrays {
            let device = self.device_name(array.var);
            if self.cuda {
                arguments.push(format!("&{device}"));
                continue;
            }
            arguments.push(match array.written {
                true => {
                    self.uses.insert("share");
                    format!("share(&mut {device}.cells())")
                }
                false => format!("&{device}.cells()"),
            });
            if plan.var(array.var).dims.len() > 1 {
                arguments.push(self.dims_name(array.var));
            }
        }
        let owner = match self.cuda {
            true => "kernels.",
            false => "",
        };
        let head = format!("{owner}{}(", kernel.name);
        self.lines.call(&head, &arguments, ");");
    }

    /// The scalars that a launch passes. Sizes of arrays are among those of a kernel in CUDA;
    /// here slices have their own.
    fn captured(&self, kernel: &Kernel) -> Vec<Var> {
        let mut named: Vec<Var> = Vec::new();
        plan::reads(&kernel.body, &mut |var| named.push(var));
        for shared in &kernel.shared {
            for dim in &self.plan.var(shared.var).dims {
                plan::expressions(dim, &mut |e| {
                    if let Node::Var(var) = e.node {
                        named.push(var);
                    }
                });
            }
        }
        let mut scalars = kernel.scalars.clone();
        scalars.retain(|var| self.cuda || named.contains(var));
        scalars
    }

    /// Prints a kernel's function.
    pub(super) fn kernel(&mut self, kernel: &Kernel) {
        self.uses
            .extend(["parallel", "parallel_loop", "grid", "grid_type"]);
        let origin = self.lines.set_origin(Some(kernel.origin));
        if let Some(phrase) = &kernel.phrase {
            self.lines.line(format!("/// {}", comment(phrase)));
        }
        self.lines.open(format!("fn {}(", kernel.name));
        self.lines.line("grid: Grid,");
        for var in self.captured(kernel) {
            let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
            self.lines.line(format!("{name}: {ty},"));
        }
        let mut before = Vec::new();
        for array in &kernel.arrays {
            let (name, ty) = (self.name(array.var), self.type_name(self.ty(array.var)));
            let access = match array.written {
                true => {
                    self.uses.insert("shared");
                    self.lines.line(format!("{name}: &[Shared<{ty}>],"));
                    Access::Shared
                }
                false => {
                    self.lines.line(format!("{name}: &[{ty}],"));
                    Access::Plain
                }
            };
            let rank = self.plan.var(array.var).dims.len();
            if rank > 1 {
                let dims = self.dims_name(array.var);
                self.lines.line(format!("{dims}: [usize; {rank}],"));
            }
            before.push((array.var, self.set_access(array.var, access)));
        }
        for &var in &kernel.scalars {
            before.push((var, self.set_access(var, Access::Plain)));
        }
        self.lines.turn(") {");
        let names = self.names;
        (self.names.blocks, self.names.threads) = ("grid.blocks", "grid.threads");
        let block = match uses_index(&kernel.body, Index::Block) {
            true => self.names.block,
            false => "_",
        };
        self.lines
            .open(format!("parallel(0, grid.blocks - 1, |{block}| {{"));
        for shared in &kernel.shared {
            self.uses.extend(["array", "size"]);
            let (name, ty) = (self.name(shared.var), self.type_name(self.ty(shared.var)));
            let key = rust_string(&self.plan.var(shared.var).key);
            let dims = self.dims(shared.var);
            self.lines.line(format!(
                "let {name} = &mut array::<{ty}>({key}, &size({key}, [{dims}]))[..];"
            ));
        }
        match kernel.barriers {
            true => self.phases(kernel),
            false => self.threads(&kernel.body),
        }
        self.lines.close("});");
        self.lines.close("}");
        self.lines.set_origin(origin);
        self.names = names;
        for (var, access) in before {
            self.set_access(var, access);
        }
    }

    /// Statements, for each thread of the block.
    fn threads(&mut self, body: &[Stmt]) {
        let acts = |s: &Stmt| !matches!(s.act, Act::Comment(_) | Act::WaitDevice);
        if !body.iter().any(acts) {
            return;
        }
        let thread = match self.uses_thread(body) {
            true => self.names.thread,
            false => "_",
        };
        self.lines
            .open(format!("for {thread} in 0..grid.threads {{"));
        self.block(body);
        self.lines.close("}");
    }

    /// Whether statements, as they will be printed, name the thread.
    fn uses_thread(&self, body: &[Stmt]) -> bool {
        let per_thread = |var: Var| self.access(var) == Access::PerThread;
        let mut found = uses_index(body, Index::Thread);
        plan::reads(body, &mut |var| found |= per_thread(var));
        plan::for_each_place(body, &mut |var, _| found |= per_thread(var));
        plan::each_statement(body, &mut |s| {
            if let Act::Local { var, .. } = &s.act {
                found |= per_thread(*var);
            }
        });
        found
    }

    fn phases(&mut self, kernel: &Kernel) {
        let uniformity = Uniformity::of(self.plan, kernel);
        for &var in &uniformity.per_thread {
            let name = self.name(var);
            self.uses.insert("array");
            let ty = self.type_name(self.ty(var));
            let key = rust_string(&self.plan.var(var).key);
            self.lines.line(format!(
                "let {name} = &mut array::<{ty}>({key}, &[grid.threads as usize])[..];"
            ));
        }
        let mut before = Vec::new();
        for &var in &uniformity.per_thread {
            before.push((var, self.set_access(var, Access::PerThread)));
        }
        self.phase_list(&kernel.body, &uniformity);
        for (var, access) in before {
            self.set_access(var, access);
        }
        if uniformity.divergent {
            self.divergent.push(kernel.span);
        }
    }

    /// Statements with barriers among them: runs of those without for each thread, the others
    /// once for the block.
    fn phase_list(&mut self, body: &[Stmt], uniformity: &Uniformity) {
        let mut run: Vec<Stmt> = Vec::new();
        for stmt in body {
            if let Act::Local { var, .. } = &stmt.act
                && uniformity.hoisted.contains(var)
            {
                // Computed alike by all threads from what does not change.
                self.block(std::slice::from_ref(stmt));
                continue;
            }
            if !has_barrier(stmt) {
                run.push(stmt.clone());
                continue;
            }
            self.threads(&std::mem::take(&mut run));
            let thread = std::mem::replace(&mut self.thread, "0".into());
            let outer = self.lines.set_origin(Some(stmt.origin));
            match &stmt.act {
                Act::If { condition, yes, no } => {
                    let condition = self.typed(condition);
                    self.thread.clone_from(&thread);
                    self.lines.open(format!("if {condition} {{"));
                    self.phase_list(yes, uniformity);
                    if !no.is_empty() {
                        self.lines.turn("} else {");
                        self.phase_list(no, uniformity);
                    }
                    self.lines.close("}");
                }
                Act::While { condition, body } => {
                    let condition = self.typed(condition);
                    self.thread.clone_from(&thread);
                    self.lines.open(format!("while {condition} {{"));
                    self.phase_list(body, uniformity);
                    self.lines.close("}");
                }
                Act::For {
                    var,
                    from,
                    to,
                    step,
                    body,
                } => {
                    let head = self.loop_head(*var, from, to, step.as_ref());
                    self.thread.clone_from(&thread);
                    self.lines.open(format!("{head} {{"));
                    self.phase_list(body, uniformity);
                    self.lines.close("}");
                }
                // A barrier itself.
                simple_acts!() => self
                    .lines
                    .line("// All threads of the block have come so far."),
                // No barrier stands in these.
                Act::Parallel { .. }
                | Act::Lanes { .. }
                | Act::Array { .. }
                | Act::Recorded { .. }
                | Act::Timed(_)
                | Act::Async(_) => {}
            }
            self.lines.set_origin(outer);
            self.thread = thread;
        }
        self.threads(&run);
    }
}

/// Whether statements name a reserved integer.
fn uses_index(body: &[Stmt], index: Index) -> bool {
    let mut found = false;
    plan::each_expression(body, &mut |e| found |= e.node == Node::Index(index));
    found
}
