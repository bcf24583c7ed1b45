//! Kernels of a plan → CUDA C++.

use super::expression::level;
use super::printer::Printer;
use crate::algebra::Type;
use crate::emit::plan::{self, Act, Expr, Index, Kernel, KernelArray, LaunchBounds, Node, Plan};
use crate::emit::text::{c_string, comment};

/// Most bytes that a block's arrays may have without asking for more.
pub(super) const STATIC_BYTES: i64 = 48 << 10;

/// How many bytes a kernel's shared arrays have, if the compiler knows.
pub(super) fn static_bytes(plan: &Plan, kernel: &Kernel) -> Option<i64> {
    kernel
        .shared
        .iter()
        .map(|s| {
            let variable = plan.var(s.var);
            match variable.dims[0].node {
                Node::Int(n) if n > 0 => n.checked_mul(variable.ty.bytes() as i64),
                _ => None,
            }
        })
        .try_fold(0i64, |sum, bytes| sum.checked_add(bytes?))
}

/// Whether a kernel's shared arrays have sizes that the compiler knows.
pub(in crate::emit) fn is_static(plan: &Plan, kernel: &Kernel) -> bool {
    static_bytes(plan, kernel).is_some_and(|bytes| bytes <= STATIC_BYTES)
}

impl Printer<'_> {
    /// Prints a launch.
    pub(super) fn launch(&mut self, number: usize, blocks: &Expr, threads: &Expr) {
        let plan = self.plan;
        let kernel = &plan.kernels[number];
        if self.round.is_some()
            && let Node::Int(threads) = threads.node
        {
            return self.launch_as_part(kernel, blocks, threads);
        }
        let (blocks, threads) = (self.any(blocks), self.any(threads));
        let arguments = self.arguments(kernel);
        self.lines.open(format!(
            "if (const Grid grid = Grid({blocks}, {threads})) {{"
        ));
        let mut bytes_of_shared = "0";
        if !is_static(plan, kernel) {
            let outer = (self.blocks, self.threads);
            (self.blocks, self.threads) = ("(int)grid.blocks", "(int)grid.threads");
            let mut bytes: Vec<String> = Vec::new();
            for shared in &kernel.shared {
                let key = c_string(&plan.var(shared.var).key);
                let ty = self.type_name(self.ty(shared.var));
                let dims = self.dims(shared.var);
                bytes.push(format!("bytes_of<{ty}>(count_of({key}, {{{dims}}}))"));
            }
            (self.blocks, self.threads) = outer;
            self.lines
                .line(format!("const size_t bytes = {};", bytes.join(" + ")));
            self.lines
                .line(format!("allow_shared({}, bytes);", kernel.name));
            bytes_of_shared = "bytes";
        }
        self.stage(&kernel.name);
        self.start(kernel, "grid", bytes_of_shared, arguments);
        self.lines.close("}");
    }

    /// Starts a kernel.
    fn start(&mut self, kernel: &Kernel, grid: &str, bytes: &str, arguments: Vec<String>) {
        let launch = [
            kernel.name.clone(),
            grid.to_owned(),
            bytes.to_owned(),
            self.stream_name().to_owned(),
        ];
        let all: Vec<String> = launch.into_iter().chain(arguments).collect();
        self.lines.filled_call("launch(", &all, ");");
        self.lines
            .line(format!("check_launch({});", c_string(&kernel.name)));
    }

    /// Begins a stage of the device's time, which ends with the block.
    pub(super) fn stage(&mut self, name: &str) {
        if self.profile {
            let line = format!("const Stage stage({});", c_string(name));
            self.lines.line(line);
        }
    }

    /// What a kernel is called with.
    pub(super) fn arguments(&mut self, kernel: &Kernel) -> Vec<String> {
        let mut arguments: Vec<String> = Vec::new();
        for &var in &kernel.scalars {
            let e = Expr::new(self.ty(var), Node::Var(var));
            arguments.push(self.any(&e));
        }
        for array in &kernel.arrays {
            let device = self.device_name(array.var);
            arguments.push(format!("{device}.cells()"));
        }
        arguments
    }

    /// Prints the launch of what evaluates the condition of the loop that is recorded.
    pub(super) fn ask(&mut self, kernel: &Kernel) {
        let mut arguments = vec!["loop".to_owned()];
        arguments.extend(self.arguments(kernel));
        self.start(kernel, "Grid(1, 1)", "0", arguments);
    }

    /// Prints what evaluates the condition of a recorded loop, its only FILTER.
    pub(super) fn asking_kernel(&mut self, kernel: &Kernel) {
        let Some(Act::Filter(condition)) = kernel.body.first().map(|s| &s.act) else {
            return;
        };
        let outer = std::mem::take(&mut self.references);
        let origin = self.lines.set_origin(Some(kernel.origin));
        self.kernel = true;
        let mut parameters = vec!["Loop loop".to_owned()];
        parameters.extend(self.kernel_parameters(kernel));
        self.lines.filled_call(
            &format!("__global__ void {}(", kernel.name),
            &parameters,
            ") {",
        );
        self.lines.open_silently();
        self.lines.line("wait_for_launches();");
        let condition = self.any(condition);
        self.lines.line(format!("go_on(loop, {condition});"));
        self.lines.close("}");
        self.lines.set_origin(origin);
        self.kernel = false;
        self.references = outer;
    }

    /// The lines of a kernel's parameters.
    fn kernel_parameters(&self, kernel: &Kernel) -> Vec<String> {
        self.parameters_of(kernel, |_| true)
    }

    /// The same, where only some arrays are known to be reached by no other way meanwhile.
    pub(super) fn parameters_of(
        &self,
        kernel: &Kernel,
        alone: impl Fn(&KernelArray) -> bool,
    ) -> Vec<String> {
        let scalars = kernel.scalars.iter().map(|&var| {
            let (name, ty) = (self.name(var), self.type_name(self.ty(var)));
            format!("{ty} {name}")
        });
        let arrays = kernel.arrays.iter().map(|array| {
            let (name, ty) = (self.name(array.var), self.type_name(self.ty(array.var)));
            let constant = ["const ", ""][usize::from(array.written)];
            let restrict = ["", "__restrict__ "][usize::from(alone(array))];
            format!("{constant}{ty} *{restrict}{name}")
        });
        scalars.chain(arrays).collect()
    }

    /// Prints a kernel.
    pub(super) fn kernel(&mut self, kernel: &Kernel) {
        let outer = std::mem::take(&mut self.references);
        let origin = self.lines.set_origin(Some(kernel.origin));
        self.kernel = true;
        if let Some(phrase) = &kernel.phrase {
            self.lines.line(format!("// {}", comment(phrase)));
        }
        let parameters = self.kernel_parameters(kernel);
        // The driver finds a kernel by its name as it stands here.
        let linkage = match self.alone {
            true => "extern \"C\" ",
            false => "",
        };
        // With it, each thread may have as many registers as fit beside the others.
        let bounds = match kernel.bounds {
            Some(LaunchBounds {
                threads,
                blocks: Some(n),
            }) => format!("__launch_bounds__({threads}, {n}) "),
            Some(LaunchBounds { threads, .. }) => format!("__launch_bounds__({threads}) "),
            None => String::new(),
        };
        let head = format!("{linkage}__global__ void {bounds}{}(", kernel.name);
        match parameters.join(", ") {
            all if head.len() + all.len() < 92 => self.lines.open(format!("{head}{all}) {{")),
            _ => {
                self.lines.line(&head);
                let last = parameters.len() - 1;
                for (k, parameter) in parameters.iter().enumerate() {
                    let end = match k == last {
                        true => ") {",
                        false => ",",
                    };
                    self.lines.line(format!("        {parameter}{end}"));
                }
                self.lines.open_silently();
            }
        }
        if !self.alone {
            self.lines.line("wait_for_launches();");
        }
        self.shared(kernel);
        let known = ["blockIdx.x", "threadIdx.x", "gridDim.x", "blockDim.x"];
        self.indices(kernel, &known.map(|of| format!("(int){of}")));
        self.assume_aligned(&kernel.arrays);
        self.block(&kernel.body);
        self.lines.close("}");
        self.lines.set_origin(origin);
        self.kernel = false;
        self.references = outer;
    }

    /// Declares what a kernel names of the numbers of its block and thread, and of how many there are of each: in this
    /// order, block, thread, blocks and threads.
    pub(super) fn indices(&mut self, kernel: &Kernel, values: &[String; 4]) {
        let mut named: Vec<Index> = Vec::new();
        plan::each_expression(&kernel.body, &mut |e| {
            if let Node::Index(index) = e.node {
                named.push(index);
            }
        });
        for shared in &kernel.shared {
            for dim in &self.plan.var(shared.var).dims {
                plan::expressions(dim, &mut |e| {
                    if let Node::Index(index) = e.node
                        && self.checked
                    {
                        named.push(index);
                    }
                });
            }
        }
        let all = [
            (Index::Block, "block"),
            (Index::Thread, "thread"),
            (Index::Blocks, "blocks"),
            (Index::Threads, "threads"),
        ];
        for ((index, name), value) in all.iter().zip(values) {
            if named.contains(index) {
                self.lines.line(format!("const int {name} = {value};"));
            }
        }
    }

    /// Says what is known of where arrays begin.
    pub(super) fn assume_aligned(&mut self, arrays: &[KernelArray]) {
        for array in arrays {
            // Memory of the device begins at multiples of 256 bytes, so that a vector of 8 or 16
            // bytes can be read at once.
            let (name, ty) = (self.name(array.var), self.ty(array.var));
            if let Type::Vector(2 | 4, _) = ty {
                let constant = ["const ", ""][usize::from(array.written)];
                let (bytes, ty) = (ty.bytes().min(16), self.type_name(ty));
                self.lines.line(format!(
                    "{name} = ({constant}{ty} *)__builtin_assume_aligned({name}, {bytes});"
                ));
            }
        }
    }

    /// The arrays that the threads of a block share.
    pub(super) fn shared(&mut self, kernel: &Kernel) {
        if kernel.shared.is_empty() {
            return;
        }
        if is_static(self.plan, kernel) {
            for shared in &kernel.shared {
                let (name, ty) = (self.name(shared.var), self.ty(shared.var));
                // So that a vector of 8 or 16 bytes can be read at once.
                let aligned = match ty {
                    Type::Vector(2 | 4, _) => format!("__align__({}) ", ty.bytes().min(16)),
                    _ => String::new(),
                };
                let ty = self.type_name(ty);
                let dim = self.plan.var(shared.var).dims[0].clone();
                let dim = self.dim(&dim, level::ANY);
                self.lines
                    .line(format!("__shared__ {aligned}{ty} {name}[{dim}];"));
            }
            return;
        }
        let outer = (self.blocks, self.threads);
        (self.blocks, self.threads) = ("(int)gridDim.x", "(int)blockDim.x");
        self.lines
            .line("extern __shared__ __align__(16) unsigned char shared_memory[];");
        let mut at = "shared_memory".to_owned();
        for shared in &kernel.shared {
            let (name, ty) = (self.name(shared.var), self.type_name(self.ty(shared.var)));
            let dim = self.plan.var(shared.var).dims[0].clone();
            let dim = self.dim(&dim, level::ANY);
            self.lines
                .line(format!("{ty} *const {name} = ({ty} *)({at});"));
            self.uses.insert("bytes_of");
            at = format!("(unsigned char *){name} + bytes_of<{ty}>({dim})");
        }
        (self.blocks, self.threads) = outer;
    }
}
