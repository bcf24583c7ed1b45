//! The state of printing C++, with CUDA or without.

use super::kernel_file::can_fail;
use super::together::Round;
use crate::algebra::Type;
use crate::emit::EmitOptions;
use crate::emit::plan::{Expr, Plan, Var};
use crate::emit::text::Lines;
use std::collections::BTreeSet;

pub(in crate::emit) struct Printer<'a> {
    pub plan: &'a Plan,
    /// Which variables something of the plan reads, by their numbers.
    read: Vec<bool>,
    pub lines: Lines,
    /// Scalars behind pointers.
    pub references: BTreeSet<Var>,
    /// Pieces of support code that what was printed needs.
    pub uses: BTreeSet<&'static str>,
    /// Whether subscripts and integers are checked here.
    pub checked: bool,
    /// Whether the device's time is told by kernels and copies.
    pub profile: bool,
    /// Whether this is code of the device.
    pub kernel: bool,
    /// Whether this text stands by itself, without the headers of C++.
    pub alone: bool,
    /// Whether this is a program for the cores of a processor, without CUDA.
    pub cores: bool,
    /// Whether what is printed runs on several threads at once.
    pub beside: bool,
    /// Cells that were read before, with the names of what has their values.
    pub known: Vec<(Expr, String)>,
    /// Variables of loops that are all that a loop of a known length around them does.
    pub unrolled: BTreeSet<Var>,
    /// How many rounds of the loop around are to come with this one, a `double`, if that is known.
    pub rounds: Option<String>,
    /// The kernels that can note an error.
    pub failing: BTreeSet<usize>,
    /// The loops, by the number of what asks for them, whose rounds one launch can take.
    pub together: BTreeSet<usize>,
    /// The round whose launches are printed as parts of one.
    pub(super) round: Option<Round>,
    /// How many threads of each block do what is printed, if not all of them.
    pub part_of_block: Option<i64>,
    /// What `blocks` and `threads` are called here.
    pub blocks: &'static str,
    pub threads: &'static str,
}

impl<'a> Printer<'a> {
    pub fn new(plan: &'a Plan, options: &EmitOptions) -> Printer<'a> {
        Printer {
            plan,
            read: crate::emit::plan::read_in(plan),
            lines: Lines::default(),
            references: BTreeSet::new(),
            uses: BTreeSet::new(),
            checked: options.checked,
            profile: options.profile,
            kernel: false,
            alone: false,
            cores: false,
            beside: false,
            known: Vec::new(),
            unrolled: BTreeSet::new(),
            rounds: None,
            failing: BTreeSet::new(),
            together: BTreeSet::new(),
            round: None,
            part_of_block: None,
            blocks: "blocks",
            threads: "threads",
        }
    }

    /// Whether something of the plan reads a variable.
    pub fn is_read(&self, var: Var) -> bool {
        self.read[var.0 as usize]
    }

    /// Prints something, and says whether it can note an error on a device.
    pub fn fails_in(&mut self, print: impl FnOnce(&mut Self)) -> bool {
        let before = std::mem::take(&mut self.uses);
        print(self);
        let fails = can_fail(&self.uses);
        self.uses.extend(before);
        fails
    }

    pub fn name(&self, var: Var) -> String {
        self.plan.var(var).name.clone()
    }

    pub fn ty(&self, var: Var) -> Type {
        self.plan.var(var).ty
    }

    pub fn is_array(&self, var: Var) -> bool {
        !self.plan.var(var).dims.is_empty()
    }

    /// A call of a function that notices integers out of their range.
    pub fn integer_call(&mut self, name: &str, arguments: &[String]) -> String {
        self.uses.insert("integers");
        format!("{name}({})", arguments.join(", "))
    }

    /// A name that no variable and no function of the plan has.
    pub fn extra(&self, name: &str) -> String {
        let (variables, functions) = (&self.plan.variables, &self.plan.functions);
        let mut name = name.to_owned();
        while variables.iter().any(|v| v.name == name) || functions.iter().any(|f| f.name == name) {
            name.push('_');
        }
        name
    }

    /// The name of an array's memory on the device.
    pub fn device_name(&self, var: Var) -> String {
        self.extra(&format!("{}_on_device", self.plan.var(var).name))
    }

    /// The name of the stream of all launches, where some are recorded.
    pub fn stream_name(&self) -> String {
        self.extra("stream")
    }

    /// The name of the control points.
    pub fn points_name(&self) -> String {
        self.extra("points")
    }

    /// The name of what is recorded.
    pub fn recording_name(&self, number: usize) -> String {
        match number {
            0 => self.extra("recording"),
            more => self.extra(&format!("recording_{}", more + 1)),
        }
    }

    /// The name of the number of an array's elements.
    pub fn count_name(&self, var: Var) -> String {
        self.extra(&format!("{}_count", self.plan.var(var).name))
    }
}
