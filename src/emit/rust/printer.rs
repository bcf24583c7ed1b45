//! The state of printing Rust.

use crate::algebra::Type;
use crate::emit::plan::{Plan, Var};
use crate::emit::text::Lines;
use crate::term::Span;
use std::collections::BTreeSet;

/// How a variable is reached where code is being printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// By its name.
    Plain,
    /// A scalar behind a reference.
    Reference,
    /// A value, or cells, that several threads reach.
    Shared,
    /// One value for each thread of a block.
    PerThread,
}

/// The names of a kernel's reserved integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexNames {
    pub block: &'static str,
    pub thread: &'static str,
    pub blocks: &'static str,
    pub threads: &'static str,
}

pub(super) struct Printer<'a> {
    pub plan: &'a Plan,
    pub lines: Lines,
    access: Vec<Access>,
    /// Names of variables, `_` before those that nothing reads.
    names_of: Vec<String>,
    /// Fields of the reports for series, by their numbers.
    pub series_fields: Vec<String>,
    /// Pieces of support code that what was printed needs.
    pub uses: BTreeSet<&'static str>,
    /// Whether literals are printed with their types.
    pub suffixes: bool,
    pub names: IndexNames,
    /// The subscript of values that each thread has.
    pub thread: String,
    /// The functions of LANES so far.
    pub lane_functions: Vec<String>,
    /// Whether kernels run on a device of CUDA; else they are functions of the crate.
    pub cuda: bool,
    /// Whether integers are checked by what is printed: else the profile of the crate has them checked.
    pub checked: bool,
    /// Launches of kernels with a barrier under a condition that may differ between threads.
    pub divergent: Vec<Option<Span>>,
}

impl<'a> Printer<'a> {
    pub fn new(plan: &'a Plan) -> Printer<'a> {
        let read = crate::emit::plan::read_in(plan);
        let used = crate::emit::plan::used_by_body(plan);
        let names_of = plan
            .variables
            .iter()
            .zip(read)
            .zip(0..)
            .map(|((variable, read), number)| {
                use crate::emit::plan::Place::{Local, Loop, Scoped};
                match variable.place {
                    Local | Loop if !read => format!("_{}", variable.name),
                    Scoped if !used.contains(&Var(number)) => format!("_{}", variable.name),
                    _ => variable.name.clone(),
                }
            })
            .collect();
        Printer {
            plan,
            lines: Lines::default(),
            access: vec![Access::Plain; plan.variables.len()],
            names_of,
            series_fields: super::library::series_fields(plan),
            uses: BTreeSet::new(),
            suffixes: false,
            names: IndexNames {
                block: "block",
                thread: "thread",
                blocks: "blocks",
                threads: "threads",
            },
            thread: "thread as usize".into(),
            lane_functions: Vec::new(),
            cuda: false,
            checked: false,
            divergent: Vec::new(),
        }
    }

    pub fn name(&self, var: Var) -> String {
        self.names_of[var.0 as usize].clone()
    }

    /// Gives a variable another name, and gives the one that it had.
    pub fn rename(&mut self, var: Var, name: String) -> String {
        std::mem::replace(&mut self.names_of[var.0 as usize], name)
    }

    pub fn access(&self, var: Var) -> Access {
        self.access[var.0 as usize]
    }

    /// Sets how a variable is reached, and gives how it was.
    pub fn set_access(&mut self, var: Var, access: Access) -> Access {
        std::mem::replace(&mut self.access[var.0 as usize], access)
    }

    pub fn ty(&self, var: Var) -> Type {
        self.plan.var(var).ty
    }

    pub fn is_array(&self, var: Var) -> bool {
        !self.plan.var(var).dims.is_empty()
    }

    /// The name of an array's sizes, where it has several dimensions.
    pub fn dims_name(&self, var: Var) -> String {
        self.extra(&format!("{}_dims", self.plan.var(var).name))
    }

    /// A name that neither a variable of the plan nor its program has.
    pub fn extra(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.plan.name == name || self.plan.variables.iter().any(|v| v.name == name) {
            name.push('_');
        }
        name
    }

    /// A zero of a type, for variables that have no value yet.
    pub fn zero(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "false".into(),
            Type::F32 | Type::F64 => "0.0".into(),
            Type::Vector(..) => format!("{}::ZERO", self.type_name(ty)),
            _ => "0".into(),
        }
    }
}
