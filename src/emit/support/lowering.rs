//! What emitters do to a program beyond spelling it, outside of the derivation.
//!
//! What changes an algorithm is a rule, with its step in the derivation. What is left to an emitter
//! keeps results, or the class of the steps that led to it, and stands in this table: the page of the
//! targets is made from it, and a case of `tests/targets` holds each row.

use super::Runner;

/// A change that an emitter makes.
#[derive(Debug)]
pub struct Lowering {
    /// Its name.
    pub name: &'static str,
    /// Who makes it.
    pub runners: &'static [Runner],
    /// What becomes of what.
    pub does: &'static str,
    /// What stays the same, and why.
    pub keeps: &'static str,
    /// The file of `tests/targets`, without its ending, that shows it.
    pub case: &'static str,
    /// What the program emitted for it contains.
    pub sign: &'static str,
}

/// All changes that emitters make.
pub const LOWERINGS: &[Lowering] = &[
    Lowering {
        name: "rows",
        runners: &[Runner::Rust],
        does: "the row of an array that a loop keeps to is found before the loop, and its cells are found in the row",
        keeps: "the same cells; the row is only found where the loop has an iteration that reads it",
        case: "parallel",
        sign: "row_of(",
    },
    Lowering {
        name: "cubes of approximate roots",
        runners: &[Runner::Rust],
        does: "in LANES, rsqrt_approx(x) ^ 3 is one operation, which saves a part of the last Newton step",
        keeps: "the accuracy of the approximation: its values differ between processors in any case, and steps that put it into LANES are classified as approximate",
        case: "cubes_in_lanes",
        sign: ".rsqrt_approx_cubed()",
    },
    Lowering {
        name: "phases",
        runners: &[Runner::Rust],
        does: "the threads of a block go one after the other from barrier to barrier; LOCALs that live across a barrier are arrays with a cell for each thread, and those that all threads compute alike are computed once",
        keeps: "the same operations in an order that barriers allow",
        case: "tiles",
        sign: "for thread in ",
    },
    Lowering {
        name: "lanes in parts",
        runners: &[Runner::Cpp],
        does: "LANES go by groups: what stands between loops that are the same for all lanes is done lane by lane, and values that are needed further on are kept for each lane",
        keeps: "the same operations in the same order for each lane, and lanes are independent",
        case: "lanes",
        sign: "SIDE_BY_SIDE",
    },
    Lowering {
        name: "unrolled loops",
        runners: &[Runner::Cuda, Runner::RustCuda],
        does: "loops over REGISTERS are unrolled by the compiler, so that these are registers",
        keeps: "the same operations in the same order",
        case: "registers",
        sign: "#pragma unroll",
    },
    Lowering {
        name: "overlapping launches",
        runners: &[Runner::Cuda],
        does: "a launch comes to the device as the blocks of the one before have ended (programmatic dependent launch; from compute capability 9.0 and CUDA 12.3 on), and each of its threads first waits until all they wrote can be read",
        keeps: "the order of launches: nothing is read or written before the wait, and a launch has ended when all its threads have waited and all they wrote can be read",
        case: "launches",
        sign: "wait_for_launches();",
    },
    Lowering {
        name: "rounds in one launch",
        runners: &[Runner::Cuda],
        does: "a recorded loop whose rounds do nothing but launch becomes one launch with the parts of a round one after the other: its blocks, as many as the device has at once (a cooperative launch), take those of each part in turn, and all wait for each other after each part",
        keeps: "the order of launches: no block begins with a part before all have ended the one before and can read what they wrote; all ask for the loop's condition before the next round can change it",
        case: "rounds",
        sign: "wait_for_blocks();",
    },
    Lowering {
        name: "copies together",
        runners: &[Runner::Cuda],
        does: "copies from the device that stand after each other are started, small ones by way of pinned memory, and waited for once",
        keeps: "what stands after them, which finds all of them ended",
        case: "types",
        sign: "finish_copies();",
    },
    Lowering {
        name: "small arrays",
        runners: &[Runner::Rust, Runner::RustCuda],
        does: "an ARRAY of the host that has at most 256 cells, by sizes that are literals, stands on the stack",
        keeps: "its cells, which are 0 at first; nothing is allocated for each of the iterations that have one",
        case: "private_arrays",
        sign: ": &mut [i32] = &mut [0; 7];",
    },
];
