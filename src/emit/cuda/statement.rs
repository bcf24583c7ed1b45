//! Statements of a plan → CUDA C++.

use super::expression::level;
use super::printer::Printer;
use crate::algebra::{Atomic, Type};
use crate::emit::plan::{self, Act, Arithmetic, Expr, Node, ONLY_SUMS, Place, Runs, Stmt, Var};
use crate::emit::text::{c_string, comment};

impl Printer<'_> {
    pub(in crate::emit) fn block(&mut self, body: &[Stmt]) {
        for (at, stmt) in body.iter().enumerate() {
            let outer = self.lines.set_origin(Some(stmt.origin));
            match &stmt.act {
                // The scope of an array may end with the block.
                Act::Array { var, body: scope } if plan::only_frees(&body[at + 1..]) => {
                    self.declare_array(*var);
                    self.block(scope);
                }
                Act::CopyFromDevice(_) | Act::Result(_) => self.copies_back(body, at),
                _ => self.statement(stmt),
            }
            self.lines.set_origin(outer);
        }
    }

    pub(in crate::emit) fn statement(&mut self, stmt: &Stmt) {
        if self.cores && self.on_cores(stmt) {
            return;
        }
        match &stmt.act {
            Act::Comment(text) => self.lines.line(format!("// {}", comment(text))),
            Act::Local { var, value } => {
                let ty = self.type_name(self.ty(*var));
                let constant = match self.plan.var(*var).assigned {
                    true => "",
                    false => "const ",
                };
                let (name, value) = (self.name(*var), self.any(value));
                self.lines.line(format!("{constant}{ty} {name} = {value};"));
                if !self.is_read(*var) {
                    self.lines.line(format!("(void){name};"));
                }
            }
            Act::Assign { target, value } => self.assign(target, value),
            Act::Atomic {
                op,
                target,
                value,
                was,
            } => match was {
                None => self.atomic(*op, target, value),
                Some(was) => self.fetch(*op, target, value, was),
            },
            Act::If { condition, yes, no } => self.conditional(condition, yes, no),
            Act::While { condition, body } => {
                let condition = self.any(condition);
                self.lines.open(format!("while ({condition}) {{"));
                let outer = self.rounds.take();
                self.block(body);
                self.rounds = outer;
                self.lines.close("}");
            }
            Act::For {
                var,
                from,
                to,
                step,
                body,
            } => self.count(*var, from, to, step.as_ref(), body),
            Act::Parallel {
                var,
                from,
                to,
                body,
            }
            | Act::Lanes {
                var,
                from,
                to,
                body,
                ..
            } => self.count(*var, from, to, None, body),
            // Refused before: a CUDA host has one thread.
            Act::Async(_) | Act::ControlPoint(_) | Act::WaitPoint(_) => {}
            Act::WaitDevice => {
                if self.uses_device() {
                    self.lines.line("synchronize();");
                }
            }
            Act::Ask => self.lines.line("ask_caller();"),
            Act::Filter(condition) => {
                let condition = self.expr(condition, level::POSTFIX);
                let condition = match condition.starts_with('(') {
                    true => condition,
                    false => format!("({condition})"),
                };
                self.fails(&format!("!{condition}"), "Fault::filter");
            }
            Act::Undefined => self.fails("true", "Fault::undefined"),
            Act::Array { var, body } => {
                self.lines.open("{");
                self.declare_array(*var);
                self.block(body);
                self.lines.close("}");
            }
            Act::Timed(body) => {
                self.lines.open("{");
                self.lines.line("const Timer timer;");
                self.block(body);
                self.lines.close("}");
            }
            Act::Recorded {
                number,
                asking,
                body,
            } => self.recorded(*number, *asking, body),
            Act::Report { label, values } => {
                let values: Vec<String> = values.iter().flat_map(|v| self.reported(v)).collect();
                let label = c_string(label);
                self.lines
                    .line(format!("caller.row({label}, {{{}}});", values.join(", ")));
            }
            Act::Save(number) => {
                let series = &self.plan.series[*number];
                let (label, name) = (c_string(&series.label), self.name(series.var));
                let count = self.count_name(series.var);
                self.lines.line(format!(
                    "caller.snapshot({number}, {label}, {name}, {count});"
                ));
            }
            Act::Perform {
                function,
                arguments,
                runs,
            } => {
                let call = self.call_of(*function, arguments, *runs);
                match runs {
                    Runs::Launch => {
                        let name = self.plan.functions[*function].name.clone();
                        self.staged(&name, format!("{call};"));
                    }
                    Runs::Host | Runs::Thread => self.lines.line(format!("{call};")),
                }
            }
            Act::Launch {
                kernel,
                blocks,
                threads,
            } => self.launch(*kernel, blocks, threads),
            Act::Allocate { var, cleared } => {
                let (device, count) = (self.device_name(*var), self.count_name(*var));
                self.lines.line(format!("{device}.allocate({count});"));
                if *cleared {
                    self.lines.line(format!("{device}.clear();"));
                }
            }
            Act::CopyToDevice(var) => {
                let (device, name) = (self.device_name(*var), self.name(*var));
                let key = self.plan.var(*var).key.clone();
                let line = format!("{device}.copy_from({name});");
                self.staged(&format!("copy {key} to the device"), line);
            }
            Act::CopyFromDevice(_) | Act::Result(_) => self.copy_back(&stmt.act, false),
            Act::OnHost { var, writes } => {
                let (device, how) = (self.device_name(*var), ["read", "written"]);
                let how = how[usize::from(*writes)];
                self.lines.line(format!("{device}.{how}_by_host();"));
            }
            Act::Free(var) => {
                let device = self.device_name(*var);
                self.lines.line(format!("{device}.release();"));
            }
            // Only loops of Rust have rows.
            Act::Row { .. } => {}
            Act::Barrier => match self.part_of_block {
                None => self.lines.line("__syncthreads();"),
                Some(threads) => self
                    .lines
                    .line(format!("__barrier_sync_count(1, {threads});")),
            },
            Act::Registers(var) => self.private_array(*var),
            Act::Exchange(exchange, vars) => self.exchange(exchange.function(), vars),
        }
    }

    /// A line that is a stage of the device's time.
    pub(super) fn staged(&mut self, name: &str, line: String) {
        if self.profile {
            self.lines.open("{");
            self.stage(name);
        }
        self.lines.line(line);
        if self.profile {
            self.lines.close("}");
        }
    }

    /// An exchange between the threads of a warp.
    fn exchange(&mut self, function: &'static str, vars: &[Var]) {
        self.uses.insert(function);
        for &var in vars {
            let name = self.name(var);
            self.lines.line(format!("{name} = {function}({name});"));
        }
    }

    /// Whether a plan has anything to do with the device.
    pub(super) fn uses_device(&self) -> bool {
        crate::emit::plan::uses_device(self.plan)
    }

    /// An error where a condition holds.
    pub(super) fn fails(&mut self, condition: &str, fault: &str) {
        self.uses.insert("fault");
        self.lines.line(format!("if ({condition}) fail({fault});"));
    }

    fn assign(&mut self, target: &Expr, value: &Expr) {
        let place = self.place(target);
        let integer = self.checked && value.ty.is_integer();
        let divides = value.ty.is_integer() && !self.kernel;
        let sign = match &value.node {
            Node::Arithmetic(op, a, b) if **a == *target && !integer => {
                let vector = value.ty.components() > 1;
                match op {
                    Arithmetic::Add => Some(("+=", b)),
                    Arithmetic::Subtract => Some(("-=", b)),
                    Arithmetic::Multiply if !vector => Some(("*=", b)),
                    Arithmetic::Divide if !vector && !divides => Some(("/=", b)),
                    _ => None,
                }
            }
            _ => None,
        };
        let line = match sign {
            Some((sign, term)) => format!("{place} {sign} {};", self.any(term)),
            None => format!("{place} = {};", self.any(value)),
        };
        self.lines.line(line);
    }

    pub(in crate::emit) fn atomic(&mut self, op: Atomic, target: &Expr, value: &Expr) {
        if let Type::Vector(n, precision) = target.ty {
            for k in 0..n {
                let component = |of: &Expr| {
                    let node = Node::Component(Box::new(of.clone()), k);
                    Expr::new(precision.real(), node)
                };
                self.atomic(op, &component(target), &component(value));
            }
            return;
        }
        let shared = self.is_shared(target);
        if matches!(op, Atomic::Min | Atomic::Max) && !self.beside && !shared {
            return self.assign(target, &plan::gathered(op, target, value));
        }
        let place = self.place(target);
        let value = self.any(value);
        if self.beside {
            let function = match op {
                Atomic::Add => "add_atomically",
                Atomic::Min => "min_atomically",
                Atomic::Max => "max_atomically",
            };
            self.uses.insert(function);
            let ty = self.type_name(target.ty);
            let line = format!("{function}<{ty}>({place}, {value});");
            return self.lines.line(line);
        }
        let line = match (op, shared, target.ty) {
            // Two's complement adds alike with and without a sign, and without one it wraps.
            (Atomic::Add, false, Type::I32) => {
                format!("{place} = (int)((unsigned){place} + (unsigned)({value}));")
            }
            (Atomic::Add, false, Type::I64) => {
                format!("{place} = (int64_t)((uint64_t){place} + (uint64_t)({value}));")
            }
            (Atomic::Add, false, _) => format!("{place} += {value};"),
            (Atomic::Add, true, Type::I64) => {
                format!("atomicAdd((unsigned long long *)&{place}, (unsigned long long)({value}));")
            }
            (Atomic::Add, true, _) => format!("atomicAdd(&{place}, {value});"),
            (Atomic::Min | Atomic::Max, _, ty) => {
                let (of_integers, of_reals) = match op {
                    Atomic::Max => ("atomicMax", "max_atomically"),
                    Atomic::Add | Atomic::Min => ("atomicMin", "min_atomically"),
                };
                match ty {
                    Type::I32 => format!("{of_integers}(&{place}, {value});"),
                    Type::I64 => {
                        format!("{of_integers}((long long *)&{place}, (long long)({value}));")
                    }
                    _ => {
                        self.uses.insert(of_reals);
                        format!("{of_reals}(&{place}, {value});")
                    }
                }
            }
        };
        self.lines.line(line);
    }

    /// Whether a place is reached by several threads of a launch: a cell of an array that is not a thread's own.
    fn is_shared(&self, target: &Expr) -> bool {
        let root = crate::emit::plan::root(target);
        let reached = |var| self.is_array(var) && self.plan.var(var).place != Place::Registers;
        self.kernel && root.is_some_and(reached)
    }

    /// Nothing else in it names what gets the value from before.
    fn fetch(&mut self, op: Atomic, target: &Expr, value: &Expr, was: &Expr) {
        let shared = self.is_shared(target);
        if !self.beside && !shared {
            self.assign(was, target);
            return self.atomic(op, target, value);
        }
        match op {
            Atomic::Add => {}
            Atomic::Min | Atomic::Max => unreachable!("{ONLY_SUMS}"),
        }
        let (place, to, value) = (self.place(target), self.place(was), self.any(value));
        let old = match (self.beside, target.ty) {
            (true, ty) => {
                self.uses.insert("fetch_add_atomically");
                let ty = self.type_name(ty);
                format!("fetch_add_atomically<{ty}>({place}, {value})")
            }
            (false, Type::I64) => format!(
                "(int64_t)atomicAdd((unsigned long long *)&{place}, (unsigned long long)({value}))"
            ),
            (false, _) => format!("atomicAdd(&{place}, {value})"),
        };
        self.lines.line(format!("{to} = {old};"));
    }

    fn conditional(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt]) {
        let condition = self.any(condition);
        self.lines.open(format!("if ({condition}) {{"));
        self.block(yes);
        let mut no = no;
        let outer = self.lines.origin();
        while let [
            Stmt {
                act:
                    Act::If {
                        condition,
                        yes,
                        no: other,
                    },
                origin,
            },
        ] = no
        {
            self.lines.set_origin(Some(*origin));
            let condition = self.any(condition);
            self.lines.turn(format!("}} else if ({condition}) {{"));
            self.block(yes);
            no = other;
        }
        self.lines.set_origin(outer);
        if !no.is_empty() {
            self.lines.turn("} else {");
            self.block(no);
        }
        self.lines.close("}");
    }

    /// An array, which is there until the end of the block.
    fn declare_array(&mut self, var: Var) {
        if self.plan.var(var).place == Place::Registers {
            return self.private_array(var);
        }
        let name = self.name(var);
        let (key, ty) = (
            c_string(&self.plan.var(var).key),
            self.type_name(self.ty(var)),
        );
        let (storage, count) = (self.extra(&format!("{name}_storage")), self.count_name(var));
        let dims = self.dims(var);
        self.lines.line(format!(
            "const size_t {count} = count_of({key}, {{{dims}}});"
        ));
        if self.plan.on_device.contains(&var) && !plan::places::on_host(self.plan).contains(&var) {
            return self.declare_device(var);
        }
        self.lines.line(format!(
            "const std::unique_ptr<{ty}[]> {storage} = make_array<{ty}>({count});"
        ));
        self.lines
            .line(format!("{ty} *const {name} = {storage}.get();"));
        if !crate::emit::plan::used_by_body(self.plan).contains(&var) {
            self.lines.line(format!("(void){name};"));
        }
        self.declare_device(var);
    }

    /// An array of a thread, whose sizes are literals.
    fn private_array(&mut self, var: Var) {
        let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
        let dims = self.plan.var(var).dims.clone();
        let level = match dims.len() {
            1 => level::ANY,
            _ => level::PRODUCT,
        };
        let dims: Vec<String> = dims.iter().map(|d| self.dim(d, level)).collect();
        // Hosts leave no cell without a value.
        let zeros = if self.cores { " = {}" } else { "" };
        self.lines
            .line(format!("{ty} {name}[{}]{zeros};", dims.join(" * ")));
    }

    /// The sizes of an array, each checked.
    pub(super) fn dims(&mut self, var: Var) -> String {
        let checked = std::mem::replace(&mut self.checked, true);
        let dims = self.plan.var(var).dims.clone();
        let dims: Vec<String> = dims.iter().map(|d| self.any(d)).collect();
        self.checked = checked;
        dims.join(", ")
    }

    /// Declares an array's memory on the device, if it has some.
    pub(super) fn declare_device(&mut self, var: Var) {
        if self.plan.on_device.contains(&var) {
            let device = self.device_name(var);
            let ty = self.type_name(self.ty(var));
            let key = c_string(&self.plan.var(var).key);
            self.lines
                .line(format!("DeviceArray<{ty}> {device}({key});"));
        }
    }

    /// The numbers that a value of a report has.
    fn reported(&mut self, e: &Expr) -> Vec<String> {
        match e.ty {
            Type::F64 => vec![self.any(e)],
            Type::Vector(n, precision) => (0..n)
                .flat_map(|k| {
                    let component = Node::Component(Box::new(e.clone()), k);
                    self.reported(&Expr::new(precision.real(), component))
                })
                .collect(),
            _ => vec![format!("(double){}", self.expr(e, level::UNARY))],
        }
    }
}
