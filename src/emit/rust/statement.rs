//! Statements of a plan → Rust.

use super::expression::{is_anchored, level};
use super::printer::{Access, Printer};
use crate::algebra::{Atomic, Type};
use crate::emit::plan::{self, Act, Arithmetic, Expr, Node, ONLY_SUMS, Place, Stmt, Var};
use crate::emit::text::{comment, rust_string};

/// The most cells of an array that is not allocated. Dozens of them may be there at once, on the stack of a thread, which has
/// some megabytes.
const SMALL_ARRAY: usize = 256;

impl Printer<'_> {
    pub(super) fn block(&mut self, body: &[Stmt]) {
        for (at, stmt) in body.iter().enumerate() {
            let outer = self.lines.set_origin(Some(stmt.origin));
            match &stmt.act {
                // The scope of an array may end with the block.
                Act::Array { var, body: scope } if plan::only_frees(&body[at + 1..]) => {
                    self.declare_array(*var);
                    self.block(scope);
                }
                _ => self.statement(stmt),
            }
            self.lines.set_origin(outer);
        }
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) {
        match &stmt.act {
            Act::Comment(text) => self.lines.line(format!("// {}", comment(text))),
            Act::Local { var, value } => self.local(*var, value),
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
                let condition = self.typed(condition);
                self.lines.open(format!("while {condition} {{"));
                self.block(body);
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
                self.lines.open(format!("{head} {{"));
                self.block(body);
                self.lines.close("}");
            }
            Act::Parallel {
                var,
                from,
                to,
                body,
            } => self.parallel(*var, from, to, body),
            Act::Lanes {
                var,
                from,
                to,
                lanes,
                varying,
                body,
            } => self.lanes(*var, from, to, *lanes, varying, body),
            Act::Async(branches) => self.branches(branches),
            Act::ControlPoint(point) => {
                let name = self.plan.points[*point].clone();
                self.lines
                    .line(format!("points.meet({point}); // {}", comment(&name)));
            }
            Act::WaitPoint(point) => {
                let name = self.plan.points[*point].clone();
                self.lines
                    .line(format!("points.wait({point}); // {}", comment(&name)));
            }
            // Without a device, a launch has ended when it returns.
            Act::WaitDevice => self.synchronize(),
            Act::Ask => {
                self.uses.insert("asks");
                self.lines.line("reports.ask();");
            }
            // Refused before: kernels run one thread after the other.
            Act::Exchange(..) => {}
            Act::Registers(var) => self.private_array(*var),
            Act::Row { var, row } => self.row(*var, row),
            Act::Barrier => {}
            Act::Filter(condition) => {
                self.uses.insert("fail");
                let negated = Expr::new(Type::Bool, Node::Not(Box::new(condition.clone())));
                let condition = self.typed(&negated);
                self.lines.open(format!("if {condition} {{"));
                let why = "a FILTER is false, so there is no result";
                self.lines.line(format!(
                    "fail(Error::Algorithm({}.into()));",
                    rust_string(why)
                ));
                self.lines.close("}");
            }
            Act::Undefined => {
                self.uses.insert("fail");
                let why = "UNDEFINED is met, so there is no result";
                self.lines.open("if true {");
                self.lines.line(format!(
                    "fail(Error::Algorithm({}.into()));",
                    rust_string(why)
                ));
                self.lines.close("}");
            }
            Act::Array { var, body } => {
                self.lines.open("{");
                self.declare_array(*var);
                self.block(body);
                self.lines.close("}");
            }
            Act::Timed(body) => {
                self.synchronize();
                self.lines.line("let timer = Instant::now();");
                self.lines.open("{");
                self.block(body);
                self.lines.close("}");
                self.synchronize();
                self.lines
                    .line("reports.seconds += timer.elapsed().as_secs_f64();");
            }
            // Each launch is made anew.
            Act::Recorded { body, .. } => self.block(body),
            Act::Report { label, values } => {
                self.uses.insert("report");
                let values: Vec<String> = values.iter().flat_map(|v| self.reported(v)).collect();
                let label = rust_string(label);
                self.lines
                    .line(format!("reports.push({label}, &[{}]);", values.join(", ")));
            }
            Act::Save(number) => self.save(*number),
            Act::Perform {
                function,
                arguments,
                ..
            } => self.perform(*function, arguments),
            Act::Launch {
                kernel,
                blocks,
                threads,
            } => self.launch(*kernel, blocks, threads),
            // There are zeros in it in any case.
            Act::Allocate { var, .. } => {
                let (device, name) = (self.device_name(*var), self.name(*var));
                self.lines.line(format!("{device}.allocate({name}.len());"));
            }
            Act::CopyToDevice(var) => self.copy(*var, true),
            Act::CopyFromDevice(var) | Act::Result(var) => self.copy(*var, false),
            // Callers of a crate have their arrays on the host.
            Act::OnHost { .. } => {}
            Act::Free(var) => {
                let device = self.device_name(*var);
                self.lines.line(format!("{device}.free();"));
            }
        }
    }

    fn copy(&mut self, var: Var, to_device: bool) {
        if self.cuda {
            self.copy_by_cuda(var, to_device);
            return;
        }
        let (device, name) = (self.device_name(var), self.name(var));
        let shared = self.access(var) == Access::Shared;
        self.lines.line(match (to_device, shared) {
            (true, false) => format!("{device}.cells().copy_from_slice({name});"),
            (false, false) => format!("{name}.copy_from_slice(&{device}.cells());"),
            (true, true) => {
                format!("{device}.cells().iter_mut().zip({name}).for_each(|(to, from)| *to = from.get());")
            }
            (false, true) => {
                format!("{name}.iter().zip(&*{device}.cells()).for_each(|(to, from)| to.set(*from));")
            }
        });
    }

    /// The name of an array's memory on the device.
    pub(super) fn device_name(&self, var: Var) -> String {
        self.extra(&format!("{}_on_device", self.plan.var(var).name))
    }

    fn local(&mut self, var: Var, value: &Expr) {
        let name = self.name(var);
        if self.access(var) == Access::PerThread {
            let value = self.typed(value);
            self.lines
                .line(format!("{name}[{}] = {value};", self.thread));
            return;
        }
        let mutable = match self.plan.var(var).assigned {
            true => "mut ",
            false => "",
        };
        let ty = match is_anchored(value) {
            true => String::new(),
            false => format!(": {}", self.type_name(self.ty(var))),
        };
        let value = self.typed(value);
        self.lines
            .line(format!("let {mutable}{name}{ty} = {value};"));
    }

    pub(super) fn assign(&mut self, target: &Expr, value: &Expr) {
        if self.target_is_shared(target) {
            let place = self.place(target);
            let value = self.typed(value);
            self.lines.line(format!("{place}.set({value});"));
            return;
        }
        let place = self.place(target);
        let sign = match &value.node {
            Node::Arithmetic(op, a, b) if **a == *target && !self.checks(value.ty) => {
                let vector = value.ty.components() > 1;
                match op {
                    Arithmetic::Add => Some(("+=", b)),
                    Arithmetic::Subtract => Some(("-=", b)),
                    Arithmetic::Multiply if !vector => Some(("*=", b)),
                    Arithmetic::Divide if !vector => Some(("/=", b)),
                    _ => None,
                }
            }
            _ => None,
        };
        match sign {
            Some((sign, term)) => {
                let term = self.typed(term);
                self.lines.line(format!("{place} {sign} {term};"));
            }
            None => {
                let value = self.typed(value);
                self.lines.line(format!("{place} = {value};"));
            }
        }
    }

    pub(super) fn target_is_shared(&self, target: &Expr) -> bool {
        match &target.node {
            Node::Component(inner, _) => self.target_is_shared(inner),
            _ => self.is_shared(target),
        }
    }

    fn atomic(&mut self, op: Atomic, target: &Expr, value: &Expr) {
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
        let place = self.place(target);
        if self.target_is_shared(target) {
            self.uses.extend(match op {
                Atomic::Add => ["atomic", "atomic_add"],
                Atomic::Min | Atomic::Max => ["atomic", "atomic_extremes"],
            });
            let value = self.typed(value);
            let line = format!("{place}.{}({value});", op.method());
            return self.lines.line(line);
        }
        match op {
            Atomic::Add if target.ty.is_integer() => {
                // What a reference leads to binds less tightly than a method.
                let own = match place.starts_with('*') {
                    true => format!("({place})"),
                    false => place.clone(),
                };
                let value = self.typed(value);
                self.lines
                    .line(format!("{place} = {own}.wrapping_add({value});"));
            }
            Atomic::Add => {
                let value = self.typed(value);
                self.lines.line(format!("{place} += {value};"));
            }
            Atomic::Min | Atomic::Max => {
                let value = plan::gathered(op, target, value);
                self.assign(target, &value);
            }
        }
    }

    /// Nothing else in it names what gets the value from before.
    fn fetch(&mut self, op: Atomic, target: &Expr, value: &Expr, was: &Expr) {
        if !self.target_is_shared(target) {
            self.assign(was, target);
            return self.atomic(op, target, value);
        }
        let method = match op {
            Atomic::Add => "fetch_add",
            Atomic::Min | Atomic::Max => unreachable!("{ONLY_SUMS}"),
        };
        self.uses.extend(["atomic", method]);
        let (place, value) = (self.place(target), self.typed(value));
        let (to, old) = (self.place(was), format!("{place}.{method}({value})"));
        self.lines.line(match self.target_is_shared(was) {
            true => format!("{to}.set({old});"),
            false => format!("{to} = {old};"),
        });
    }

    fn conditional(&mut self, condition: &Expr, yes: &[Stmt], no: &[Stmt]) {
        let condition = self.typed(condition);
        self.lines.open(format!("if {condition} {{"));
        self.block(yes);
        let mut no = no;
        let outer = self.lines.origin();
        // `else if` where nothing but another condition stands there.
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
            let condition = self.typed(condition);
            self.lines.turn(format!("}} else if {condition} {{"));
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

    /// Finds a row of an array, which is reached as the array is.
    fn row(&mut self, var: Var, row: &Expr) {
        let Node::Cell { array, subscripts } = &row.node else {
            return;
        };
        self.uses.insert("row");
        let subscripts: Vec<String> = subscripts.iter().map(|s| self.subscript(s)).collect();
        let (name, whole, dims) = (self.name(var), self.name(*array), self.dims_name(*array));
        let subscripts = subscripts.join(", ");
        self.lines.line(format!(
            "let {name} = row_of({whole}, [{subscripts}], {dims});"
        ));
        self.set_access(var, self.access(*array));
    }

    /// An array, which is there until the end of the block.
    fn declare_array(&mut self, var: Var) {
        if self.plan.var(var).place == Place::Registers {
            return self.private_array(var);
        }
        if self.is_small(var) {
            return self.small_array(var);
        }
        self.uses.extend(["array", "size"]);
        let name = self.name(var);
        let key = rust_string(&self.plan.var(var).key);
        let ty = self.type_name(self.ty(var));
        let dims = self.dims(var);
        let dims_name = self.dims_name(var);
        self.lines
            .line(format!("let {dims_name} = size({key}, [{dims}]);"));
        self.lines.line(format!(
            "let {name} = &mut array::<{ty}>({key}, &{dims_name})[..];"
        ));
        self.declare_device(var);
    }

    /// An array of a thread, whose sizes are literals.
    fn private_array(&mut self, var: Var) {
        let name = self.name(var);
        let (ty, cells, size) = self.cells_of_literals(var);
        self.lines
            .line(format!("let mut {name}: [{ty}; {size}] = {cells};"));
    }

    /// Whether an array of the host has a few cells, by its sizes, and none of them on the device.
    fn is_small(&self, var: Var) -> bool {
        let of = |dim: &Expr| match dim.node {
            Node::Int(size) => usize::try_from(size).ok(),
            _ => None,
        };
        let dims = &self.plan.var(var).dims;
        let cells = dims
            .iter()
            .try_fold(1, |cells: usize, dim| cells.checked_mul(of(dim)?));
        cells.is_some_and(|cells| cells <= SMALL_ARRAY) && !self.plan.on_device.contains(&var)
    }

    /// Such an array, for which nothing is allocated.
    fn small_array(&mut self, var: Var) {
        let name = self.name(var);
        let (ty, cells, _) = self.cells_of_literals(var);
        self.lines
            .line(format!("let {name}: &mut [{ty}] = &mut {cells};"));
    }

    /// The type of an array's cells, these as zeros, and how many there are, by sizes that are literals. Declares the sizes,
    /// if there are several.
    fn cells_of_literals(&mut self, var: Var) -> (String, String, String) {
        let ty = self.ty(var);
        let zero = self.zero(ty);
        let dims = self.plan.var(var).dims.clone();
        let dims: Vec<String> = dims.iter().map(|d| self.typed(d)).collect();
        if dims.len() > 1 {
            let (of, count) = (self.dims_name(var), dims.len());
            self.lines.line(format!(
                "let {of}: [usize; {count}] = [{}];",
                dims.join(", ")
            ));
        }
        let (ty, size) = (self.type_name(ty), dims.join(" * "));
        let cells = format!("[{zero}; {size}]");
        (ty.to_owned(), cells, size)
    }

    /// The extents of an array.
    pub(super) fn dims(&mut self, var: Var) -> String {
        let dims: Vec<Expr> = self.plan.var(var).dims.clone();
        let dims: Vec<String> = dims
            .iter()
            .map(|d| format!("{}.into()", self.untyped(d, level::POSTFIX)))
            .collect();
        dims.join(", ")
    }

    /// Declares an array's memory on the device, if it has some.
    pub(super) fn declare_device(&mut self, var: Var) {
        if self.plan.on_device.contains(&var) {
            self.uses.insert("device");
            let device = self.device_name(var);
            let ty = self.type_name(self.ty(var));
            let key = rust_string(&self.plan.var(var).key);
            let place = match self.cuda {
                true => "device, ",
                false => "",
            };
            self.lines.line(format!(
                "let {device} = DeviceArray::<{ty}>::new({place}{key});"
            ));
        }
    }

    /// The numbers that a value of a report has.
    fn reported(&mut self, e: &Expr) -> Vec<String> {
        match e.ty {
            Type::F64 => vec![self.typed(e)],
            Type::I64 => {
                let e = self.untyped(e, level::CAST);
                vec![format!("{e} as f64")]
            }
            Type::Bool => {
                let e = self.typed(e);
                vec![format!("f64::from(u8::from({e}))")]
            }
            Type::Vector(n, precision) => {
                let ty = precision.real();
                (0..n)
                    .flat_map(|k| {
                        let component = Node::Component(Box::new(e.clone()), k);
                        self.reported(&Expr::new(ty, component))
                    })
                    .collect()
            }
            _ => {
                let e = self.untyped(e, level::ANY);
                vec![format!("f64::from({e})")]
            }
        }
    }

    fn save(&mut self, number: usize) {
        let var = self.plan.series[number].var;
        let field = &self.series_fields[number];
        let name = self.name(var);
        let line = format!("reports.save_{field}({name});");
        self.lines.line(line);
    }
}
