//! The capability matrix: the one table of the language's constructs, functions and types, of what goes
//! wrong while they run, and of the reference machine and the targets.
//!
//! What is not there is refused by `refuse`, which reads this table; the page `docs/targets.md` is
//! made from it, and the cases of `tests/targets` hold each of its cells.

mod event;
mod lowering;
mod note;
mod page;

pub use event::{Event, Place, Response, response};
pub use lowering::{LOWERINGS, Lowering};
pub use note::Note;
pub use page::targets_page;

use super::Target;
use crate::algebra::{Arithmetic, Binary, Construct, Function, Kind, Signature, Type, operations};

/// What runs a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// The reference machine.
    Interpreter,
    /// Target `rust`.
    Rust,
    /// Target `cpp`.
    Cpp,
    /// Target `cuda`.
    Cuda,
    /// Target `rust-cuda`.
    RustCuda,
}

impl Runner {
    /// All of them, in the order of the table's columns.
    pub const ALL: [Runner; 5] = [
        Runner::Interpreter,
        Runner::Rust,
        Runner::Cpp,
        Runner::Cuda,
        Runner::RustCuda,
    ];

    /// The name at the command line.
    pub fn name(self) -> &'static str {
        match self.target() {
            None => "interpreter",
            Some(target) => target.name(),
        }
    }

    /// The target, if it is one.
    pub fn target(self) -> Option<Target> {
        match self {
            Runner::Interpreter => None,
            Runner::Rust => Some(Target::Rust),
            Runner::Cpp => Some(Target::Cpp),
            Runner::Cuda => Some(Target::Cuda),
            Runner::RustCuda => Some(Target::RustCuda),
        }
    }

    /// Whether kernels run on a device of their own.
    fn has_device(self) -> bool {
        matches!(self, Runner::Cuda | Runner::RustCuda)
    }
}

impl From<Target> for Runner {
    fn from(target: Target) -> Runner {
        match target {
            Target::Rust => Runner::Rust,
            Target::Cpp => Runner::Cpp,
            Target::Cuda => Runner::Cuda,
            Target::RustCuda => Runner::RustCuda,
        }
    }
}

/// Whether something is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It is, as the notes say.
    Yes(Vec<Note>),
    /// It is not.
    No(Absence),
    /// It is read before anything runs: a part of a scheme.
    Declared,
}

/// Why something is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// The code of the diagnostic with which it is refused.
    pub code: &'static str,
    /// Why.
    pub reason: &'static str,
    /// What to do.
    pub hint: &'static str,
}

const PREDICTION: Absence = Absence {
    code: "E0506",
    reason: "what would hold after an operator is known only by running it, and it must not run",
    hint: "compute with copies of what the operator changes, and test those",
};

const BRANCHES: Absence = Absence {
    code: "E0504",
    reason: "its host has one thread, and a branch that waits for another would wait for ever",
    hint: "targets rust, cpp and rust-cuda and the reference machine have it",
};

const DEVICE: Absence = Absence {
    code: "E0511",
    reason: "it is for a device, and its programs have none",
    hint: "derive by a strategy for processors, or take target cuda or rust-cuda; target rust runs launches on the processor",
};

const WARPS: Absence = Absence {
    code: "E0507",
    reason: "its kernels run one thread after the other, and the threads of a warp would have to go together",
    hint: "targets cuda and rust-cuda and the reference machine have it, and strategies for processors do without (target auto is rust where there is no device or no nvcc)",
};

/// Whether a construct is there. Every construct is named, so that a new one is asked about.
pub fn support(construct: Construct, runner: Runner) -> Support {
    use Construct::*;
    let device = runner.has_device();
    let emitted = runner != Runner::Interpreter;
    let rust_host = matches!(runner, Runner::Rust | Runner::RustCuda);
    let threads = rust_host || runner == Runner::Cpp;
    // Where integers and subscripts are checked by `--checked`.
    let checked = device || runner == Runner::Cpp;
    let when = |holds: bool, note: Note| holds.then_some(note);
    let notes = match construct {
        After => return Support::No(PREDICTION),
        Async | ControlPoint if runner == Runner::Cuda => return Support::No(BRANCHES),
        Launch | Allocate | CopyToDevice | CopyFromDevice | Free | Rotate | SumOverWarp
        | MinOverWarp | MaxOverWarp | Registers | Recorded | Shared | Barrier | BlockIndex
        | ThreadIndex | BlockCount | ThreadCount
            if runner == Runner::Cpp =>
        {
            return Support::No(DEVICE);
        }
        Async | ControlPoint => vec![
            when(threads, Note::Waiting),
            when(runner == Runner::Cpp, Note::OwnThread),
        ],
        Wait => vec![
            when(threads, Note::Waiting),
            when(runner == Runner::Cuda, Note::DeviceOnly),
        ],
        Parallel | Lanes => vec![when(runner == Runner::Cuda, Note::InOrder)],
        Call | Test => vec![when(true, Note::Defined)],
        Perform | Holds => vec![when(true, Note::Coded)],
        AtomicAdd | FetchAdd => vec![when(emitted, Note::Unordered)],
        Launch | Allocate | CopyToDevice | CopyFromDevice | Free => {
            vec![when(runner == Runner::Rust, Note::OnProcessor)]
        }
        Rotate | SumOverWarp | MinOverWarp | MaxOverWarp => match runner {
            Runner::Rust => return Support::No(WARPS),
            _ => Vec::new(),
        },
        Registers | Array => vec![when(runner == Runner::Rust, Note::NoBarriers)],
        Recorded => vec![when(rust_host, Note::Anew)],
        Shared => vec![when(emitted, Note::KnownSize)],
        Barrier => vec![when(runner == Runner::Rust, Note::MetByAll)],
        Index | Negate => vec![when(checked, Note::Checked)],
        Apply => vec![when(device, Note::OwnCode)],
        operations!() => match Binary::of(construct).map(Binary::kind) {
            Some(Kind::Arithmetic(Arithmetic::Power)) => {
                vec![when(checked, Note::Checked), when(device, Note::OwnCode)]
            }
            Some(Kind::Arithmetic(_)) => vec![when(checked, Note::Checked)],
            Some(Kind::Logic(_) | Kind::Comparison(_)) | None => Vec::new(),
        },
        AtomicMin | AtomicMax => Vec::new(),
        Then | If | While | ForLoop | ForStep | Filter | Empty | Undefined | Assign | Local
        | Timed | Report | Save | Not | True | False | Field | BlockIndex | ThreadIndex
        | BlockCount | ThreadCount | Multiprocessors => Vec::new(),
        Scheme | Data | Where | Parameter | Variable | Dims | Marks | Values | DefaultInput
        | Option | Work | Check | Assume | Use | Define | DefineTest | Formals | Graph | Flow
        | Node | Choice | Stop | Entry | EntryTest | Translation | Basic | BasicTest | Reads
        | Writes | Meaning | MeaningTest | Code | Arguments | Given | Among | Range | GivenThat
        | GivenIf | GivenFor => {
            return Support::Declared;
        }
    };
    Support::Yes(notes.into_iter().flatten().collect())
}

/// Whether a function is there.
pub fn function_support(function: &Function, runner: Runner) -> Support {
    let device = runner.has_device();
    let checked = device || runner == Runner::Cpp;
    let note = match function.signature {
        Signature::Real(f) => (!f.entry().is_same_everywhere()).then_some(Note::OwnCode),
        Signature::RealReal(f) => (!f.entry().is_same_everywhere()).then_some(Note::OwnCode),
        Signature::Int
        | Signature::Int64
        | Signature::ToInteger(_)
        | Signature::Abs
        | Signature::CeilDiv => Some(Note::Checked),
        Signature::Join(_)
        | Signature::Bits(_)
        | Signature::BitsAsReal
        | Signature::BitsAsInteger
        | Signature::ToReal
        | Signature::ToReal32
        | Signature::ToReal64
        | Signature::Select
        | Signature::Dot
        | Signature::Cross
        | Signature::Norm(_)
        | Signature::Vector
        | Signature::Fma => None,
    };
    let note = note.filter(|note| match note {
        Note::Checked => checked,
        _ => device,
    });
    Support::Yes(note.into_iter().collect())
}

/// Whether a type is there.
pub fn type_support(ty: Type, runner: Runner) -> Support {
    match ty {
        Type::Unknown => Support::Declared,
        Type::I32 | Type::I64 if runner.has_device() || runner == Runner::Cpp => {
            Support::Yes(vec![Note::Checked])
        }
        Type::Bool | Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Vector(..) => {
            Support::Yes(Vec::new())
        }
    }
}
