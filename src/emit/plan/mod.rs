//! `Scheme` → `Plan`: what a target's printer and templates see.
//!
//! A plan is a fully resolved scheme: names are the emitted program's, conversions stand
//! where they happen, literals have the value that their type can hold, launches name kernels that
//! list what they use. It holds nothing of any language but its names.

mod ask;
mod declare;
mod expression;
mod interface;
mod kernel;
mod lower;
mod operators;
mod origin;
pub mod places;
mod walk;

pub use interface::*;
pub use kernel::{Asking, Kernel, KernelArray, LaunchBounds, SharedArray};
pub use lower::{plan, plan_with};
pub use operators::{Argument, CodeFunction, CodeParameter, Codes, Passing, Runs, head_lines};
pub use origin::Origin;
use origin::Origins;
pub(in crate::emit) use walk::simple_acts;
pub use walk::{
    declared, each_expression, each_statement, expressions, for_each_place, only_frees, read_in,
    reads, rewrite_expressions, root,
};

pub use crate::algebra::Comparison;
use crate::algebra::{Atomic, Bits, Bivariate, Elementary, Exchange, Precision, Type};
use serde::Serialize;
use std::collections::BTreeSet;

/// A variable of a plan, by its number in [`Plan::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Var(pub u32);

/// Everything that is emitted of a scheme.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The scheme's name as the author wrote it.
    pub title: String,
    /// The program's name: of its crate, files and function.
    pub name: String,
    /// The names of parameters and of DATA in the interface of C, by the numbers of their variables:
    /// the same for all targets.
    #[serde(skip)]
    pub c_names: Vec<String>,
    /// What REAL means.
    pub precision: Precision,
    /// All variables; [`Var`] numbers them.
    pub variables: Vec<Variable>,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Scalars and arrays of DATA, in order.
    pub data: Vec<Data>,
    /// What the host does.
    pub body: Vec<Stmt>,
    /// The kernels, in order of their launches.
    pub kernels: Vec<Kernel>,
    /// Whether a part of the body is TIMED.
    pub timed: bool,
    /// The control points, by number.
    pub points: Vec<String>,
    /// How many parts of the body are RECORDED.
    pub recordings: usize,
    /// What evaluates the conditions of recorded loops on the device.
    pub asking: Vec<Asking>,
    /// The functions that hold the code of basic operators and predicates.
    pub functions: Vec<CodeFunction>,
    /// The series of SAVE.
    pub series: Vec<Series>,
    /// Arrays that have memory on the device.
    pub on_device: Vec<Var>,
    /// Where statements, parameters and data come from.
    #[serde(skip)]
    pub origins: Vec<Origin>,
}

/// A variable.
#[derive(Clone, Debug, Serialize)]
pub struct Variable {
    /// Its name in the emitted program.
    pub name: String,
    /// Its name in the scheme.
    pub key: String,
    /// Its type, or that of an array's elements.
    pub ty: Type,
    /// Sizes of an array; empty for a scalar.
    pub dims: Vec<Expr>,
    /// Where it lives.
    pub place: Place,
    /// Whether anything but its declaration gives it a value.
    pub assigned: bool,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A parameter of the scheme.
    Parameter,
    /// Declared in DATA.
    Data,
    /// A LOCAL.
    Local,
    /// The variable of a loop.
    Loop,
    /// An ARRAY … IN.
    Scoped,
    /// Shared by the threads of a block.
    Shared,
    /// An array in a thread's registers.
    Registers,
    /// A row of this array.
    Row(Var),
}

/// A parameter with its default.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// The variable.
    pub var: Var,
    /// Its default, over the parameters before it.
    pub default: Expr,
    /// Where it comes from.
    #[serde(skip)]
    pub origin: u32,
}

/// A scalar or an array of DATA.
#[derive(Clone, Debug, Serialize)]
pub struct Data {
    /// The variable.
    pub var: Var,
    /// Whether it is read from outside.
    pub input: bool,
    /// Whether it is written to outside.
    pub output: bool,
    /// Its values, if DATA gives them.
    pub values: Vec<Expr>,
    /// The subscripts of the cells that have them.
    pub places: Vec<Vec<i64>>,
    /// Where it comes from.
    #[serde(skip)]
    pub origin: u32,
}

impl Data {
    /// Whether it is an input that has values where no file gives them.
    pub fn has_own_values(&self) -> bool {
        self.input && !self.values.is_empty()
    }
}

/// A series of snapshots.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// The label.
    pub label: String,
    /// The array.
    pub var: Var,
    /// The name of its file, without `.npy`.
    pub file: String,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stmt {
    /// Where it comes from: its number in [`Plan::origins`].
    #[serde(skip)]
    pub origin: u32,
    /// What it does.
    pub act: Act,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(
    missing_docs,
    reason = "the fields are those of the algebra's operators"
)]
pub enum Act {
    /// The phrase that what follows comes from.
    Comment(String),
    Local {
        var: Var,
        value: Expr,
    },
    Assign {
        target: Expr,
        value: Expr,
    },
    /// `was` is a scalar that gets the value from before.
    Atomic {
        op: Atomic,
        target: Expr,
        value: Expr,
        was: Option<Expr>,
    },
    If {
        condition: Expr,
        yes: Vec<Stmt>,
        no: Vec<Stmt>,
    },
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    For {
        var: Var,
        from: Expr,
        to: Expr,
        step: Option<Expr>,
        body: Vec<Stmt>,
    },
    Parallel {
        var: Var,
        from: Expr,
        to: Expr,
        body: Vec<Stmt>,
    },
    Lanes {
        var: Var,
        from: Expr,
        to: Expr,
        lanes: u32,
        /// The scalars that may differ between lanes.
        varying: BTreeSet<Var>,
        body: Vec<Stmt>,
    },
    Async(Vec<Vec<Stmt>>),
    ControlPoint(usize),
    WaitPoint(usize),
    WaitDevice,
    /// Asks the caller whether to go on.
    Ask,
    Filter(Expr),
    Undefined,
    Array {
        var: Var,
        body: Vec<Stmt>,
    },
    Timed(Vec<Stmt>),
    /// Launches that may be recorded once and replayed, with their number; or a loop with a condition,
    /// with the number of the kernel that evaluates it.
    Recorded {
        number: usize,
        asking: Option<usize>,
        body: Vec<Stmt>,
    },
    Report {
        label: String,
        values: Vec<Expr>,
    },
    Save(usize),
    /// A basic operator: its function in [`Plan::functions`].
    Perform {
        function: usize,
        arguments: Vec<Argument>,
        runs: Runs,
    },
    Launch {
        kernel: usize,
        blocks: Expr,
        threads: Expr,
    },
    /// Declares an array in registers.
    Registers(Var),
    /// Finds a row of an array: a cell without its last subscript.
    Row {
        var: Var,
        row: Expr,
    },
    /// Between the threads of a warp.
    Exchange(Exchange, Vec<Var>),
    Barrier,
    /// Makes room for an array, with zeros in it where cells without a value may be copied.
    Allocate {
        var: Var,
        cleared: bool,
    },
    CopyToDevice(Var),
    CopyFromDevice(Var),
    /// A copy from the device after which the host does not touch the array: its caller has it from
    /// there, wherever the caller's cells are.
    Result(Var),
    /// The host reads an array of the caller's, or writes it, which may be on the device alone.
    OnHost {
        var: Var,
        writes: bool,
    },
    Free(Var),
}

/// Why no other indivisible action than a sum has a `was`.
pub(super) const ONLY_SUMS: &str =
    "no construct gives the value from before another one than a sum";

/// What a place holds after an indivisible action, where nobody else reaches it.
pub fn gathered(op: Atomic, target: &Expr, value: &Expr) -> Expr {
    let (target, value) = (target.clone(), value.clone());
    let ty = target.ty;
    let node = match op {
        Atomic::Add => Node::Arithmetic(Arithmetic::Add, Box::new(target), Box::new(value)),
        Atomic::Min => Node::Call(Function::Min, vec![target, value]),
        Atomic::Max => Node::Call(Function::Max, vec![target, value]),
    };
    Expr::new(ty, node)
}

/// An expression with its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Expr {
    /// Its type.
    pub ty: Type,
    /// What it is.
    pub node: Node,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "the fields are operands, left to right")]
pub enum Node {
    Int(i64),
    /// A value that the type holds exactly.
    Real(f64),
    Bool(bool),
    Var(Var),
    Cell {
        array: Var,
        subscripts: Vec<Expr>,
    },
    Component(Box<Expr>, u8),
    /// The operand as a value of the expression's type; of a scalar zero, the zero vector.
    Convert(Box<Expr>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Products from the left, of one factor or more.
    Power(Box<Expr>, u32),
    Call(Function, Vec<Expr>),
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A basic predicate: its function in [`Plan::functions`].
    Holds {
        function: usize,
        arguments: Vec<Argument>,
    },
    Vector(Vec<Expr>),
    Index(Index),
}

/// The operations of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "named by the operation")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The functions; those that make integers of reals give a whole real here, and stand in a
/// conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "named by the function")]
pub enum Function {
    Real(Elementary),
    RealReal(Bivariate),
    Fma,
    /// A real to a whole power, by the language's own function: only in defaults of parameters.
    PowInt,
    Abs,
    Min,
    Max,
    CeilDiv,
    Bits(Bits),
    /// The value of the other kind of number that has the same bits.
    SameBits,
    Dot,
    Cross,
    Norm,
    Norm2,
}

/// The reserved integers: those of kernels, and one of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "named by the integer")]
pub enum Index {
    Block,
    Thread,
    Blocks,
    Threads,
    Multiprocessors,
}

impl Expr {
    /// An expression.
    pub fn new(ty: Type, node: Node) -> Expr {
        Expr { ty, node }
    }

    /// An integer.
    pub fn int(ty: Type, value: i64) -> Expr {
        Expr::new(ty, Node::Int(value))
    }

    /// Whether it is a literal, perhaps with a sign.
    pub fn is_literal(&self) -> bool {
        match &self.node {
            Node::Int(_) | Node::Real(_) | Node::Bool(_) => true,
            Node::Negate(a) => a.is_literal(),
            _ => false,
        }
    }
}

impl Plan {
    /// A variable.
    pub fn var(&self, var: Var) -> &Variable {
        &self.variables[var.0 as usize]
    }

    /// The name of a parameter or of an item of DATA in the interface of C.
    pub fn c_name(&self, var: Var) -> &str {
        &self.c_names[var.0 as usize]
    }
}
