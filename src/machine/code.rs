//! The code of the reference machine.
//!
//! Every scalar component of a variable has a register of 64 bits: integers are held as `i64`
//! whatever their width, REAL32 as the bits of an `f32` in the lower half, BOOLEAN as 0 or 1.
//! Vectors take neighbouring registers.

use crate::algebra::{Atomic, Bits, Bivariate, Comparison, Elementary, Exchange, Type};
use crate::term::{Id, Symbol};

/// A register.
pub type Reg = u32;

/// An arithmetic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    CeilDivide,
    Of(Bivariate),
}

/// A function of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Unary {
    Negate,
    Abs,
    Of(Elementary),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "operands are named by what they are")]
pub enum Instr {
    Const {
        to: Reg,
        bits: u64,
    },
    Move {
        to: Reg,
        from: Reg,
    },
    Arithmetic {
        op: Arithmetic,
        ty: Type,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Compare {
        op: Comparison,
        ty: Type,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// A function of bits; `b` is of no account where it has one argument.
    Bits {
        function: Bits,
        ty: Type,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Unary {
        op: Unary,
        ty: Type,
        to: Reg,
        a: Reg,
    },
    /// a * b + c, rounded once.
    MultiplyAdd {
        ty: Type,
        to: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    Not {
        to: Reg,
        a: Reg,
    },
    Convert {
        from: Type,
        into: Type,
        to: Reg,
        a: Reg,
    },
    /// The value of another type of the same width that has the same bits. A REAL32 stands in a register by its 32
    /// bits, never as a number of 64, so that all of them come through.
    SameBits {
        into: Type,
        to: Reg,
        a: Reg,
    },
    /// The index of an element of an array, each subscript checked: `subscripts` is the first of
    /// as many registers as the array has dimensions.
    Element {
        to: Reg,
        array: u32,
        subscripts: Reg,
    },
    Load {
        to: Reg,
        array: u32,
        element: Reg,
        component: u8,
    },
    Store {
        array: u32,
        element: Reg,
        component: u8,
        from: Reg,
    },
    /// What becomes of a cell as one indivisible action; `was` gets its value from before.
    Atomic {
        op: Atomic,
        array: u32,
        element: Reg,
        component: u8,
        from: Reg,
        was: Option<Reg>,
    },
    /// What becomes of a variable that nobody else reaches.
    Gather {
        op: Atomic,
        ty: Type,
        to: Reg,
        from: Reg,
    },
    Jump {
        target: u32,
    },
    JumpIfNot {
        condition: Reg,
        target: u32,
    },
    /// Ends a loop before it starts if its bounds say so: jumps if `from` is beyond `to`.
    JumpIfBeyond {
        from: Reg,
        to: Reg,
        step: Reg,
        target: u32,
    },
    /// Goes on to the next value of a loop's variable, or on after the loop.
    Next {
        var: Reg,
        to: Reg,
        step: Reg,
        target: u32,
    },
    /// Makes an array anew, its cells unwritten; `dims` is the first register of its sizes, and the
    /// bits of `narrow` say which of these were computed as INTEGER.
    MakeArray {
        array: u32,
        dims: Reg,
        narrow: u32,
    },
    Filter {
        condition: Reg,
    },
    Undefined,
    Report {
        label: Symbol,
        first: Reg,
        types: Box<[Type]>,
    },
    Save {
        label: Symbol,
        array: u32,
    },
    Allocate {
        array: u32,
    },
    CopyToDevice {
        array: u32,
    },
    CopyFromDevice {
        array: u32,
    },
    Free {
        array: u32,
    },
    /// Runs the code up to `after` for every thread of the launch.
    Launch {
        blocks: Reg,
        threads: Reg,
        after: u32,
    },
    Barrier,
    /// Waits for the other threads of the warp, and exchanges these values with theirs.
    Warp {
        exchange: Exchange,
        /// First register and type of each value.
        values: Box<[(Reg, Type)]>,
    },
    /// Ends a thread, an iteration or a branch.
    End,
    /// Runs the code after it once for each value of `var`, all at once, then goes on at `after`.
    ForkLoop {
        var: Reg,
        from: Reg,
        to: Reg,
        after: u32,
    },
    /// Runs the code at each start at once, then goes on at `after`.
    ForkBranches {
        starts: Box<[u32]>,
        after: u32,
    },
    ControlPoint {
        point: Symbol,
    },
    WaitPoint {
        point: Symbol,
    },
    BlockIndex {
        to: Reg,
    },
    ThreadIndex {
        to: Reg,
    },
    BlockCount {
        to: Reg,
    },
    ThreadCount {
        to: Reg,
    },
    Stop,
}

/// Where an array lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A copy on the host and, once allocated, one on the device.
    Both,
    /// One copy for each block of a launch.
    Shared,
    /// One copy for each thread of a block.
    Thread,
    /// A scalar that several branches or iterations reach; on the host.
    Scalar,
}

/// An array of the code.
#[derive(Clone, Debug)]
pub struct ArrayInfo {
    /// The variable's unique name.
    pub name: Symbol,
    /// Type of its elements.
    pub ty: Type,
    /// Number of dimensions.
    pub dims: usize,
    /// Where it lives.
    pub space: Space,
}

/// A scheme's code.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The instructions.
    pub instructions: Vec<Instr>,
    /// For each instruction the term it carries out.
    pub places: Vec<Id>,
    /// The arrays.
    pub arrays: Vec<ArrayInfo>,
    /// Number of registers.
    pub registers: usize,
    /// Registers of the parameters, in order of declaration.
    pub parameters: Vec<(Symbol, Reg, Type)>,
    /// Arrays, or scalars' first registers, that hold the data, by name.
    pub data: Vec<(Symbol, Holder)>,
    /// Where the body begins, after sizes and values were evaluated.
    pub body: u32,
}

/// What holds a variable of DATA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Holder {
    /// An array.
    Array(u32),
    /// Registers from this one on.
    Register(Reg, Type),
}
