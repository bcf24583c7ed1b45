//! What is to be said of things that are there.

/// A note to cells of the table of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// Phrases and predicates need definitions.
    Defined,
    /// Basic operators need code for the target, or a meaning.
    Coded,
    /// Iterations of a PARALLEL loop may not wait.
    Waiting,
    /// A wait is for the device.
    DeviceOnly,
    /// PARALLEL loops of the host run in order.
    InOrder,
    /// What is for a device is done by the processor.
    OnProcessor,
    /// What is recorded is launched anew each time.
    Anew,
    /// Sums by several threads are in no order.
    Unordered,
    /// The sizes of shared arrays are known at the launch.
    KnownSize,
    /// Barriers stand where all threads come by.
    MetByAll,
    /// Arrays in registers stand in kernels without barriers.
    NoBarriers,
    /// What leaves its range is noticed under `--checked`.
    Checked,
    /// The device computes by code of its own.
    OwnCode,
    /// A branch has one thread.
    OwnThread,
}

impl Note {
    /// All notes, in the order of their numbers.
    pub const ALL: [Note; 14] = [
        Note::Defined,
        Note::Coded,
        Note::Waiting,
        Note::DeviceOnly,
        Note::InOrder,
        Note::OnProcessor,
        Note::Anew,
        Note::Unordered,
        Note::KnownSize,
        Note::MetByAll,
        Note::NoBarriers,
        Note::Checked,
        Note::OwnCode,
        Note::OwnThread,
    ];

    /// The code of the diagnostic with which it is refused where the note says so.
    pub fn code(self) -> Option<&'static str> {
        match self {
            Note::Defined | Note::Coded => Some("E0501"),
            Note::Waiting => Some("E0503"),
            Note::KnownSize => Some("E0502"),
            Note::MetByAll => Some("E0505"),
            Note::NoBarriers => Some("E0508"),
            Note::DeviceOnly
            | Note::InOrder
            | Note::OnProcessor
            | Note::Anew
            | Note::Unordered
            | Note::Checked
            | Note::OwnCode
            | Note::OwnThread => None,
        }
    }

    /// The note.
    pub fn text(self) -> &'static str {
        match self {
            Note::Defined => {
                "A scheme with a phrase or predicate that nothing defines can be shown and \
                 transformed, but not run."
            }
            Note::Coded => {
                "A basic operator or predicate has code for the target, or a meaning. One that is only \
                 declared can be shown and transformed, but not run."
            }
            Note::Waiting => {
                "Not inside a PARALLEL loop, where iterations share cores and one that waits could \
                 keep the one it waits for from running. Branches may wait for each other."
            }
            Note::DeviceOnly => "It waits for the device: there are no control points.",
            Note::InOrder => "The host's iterations run in order, on one core.",
            Note::OnProcessor => {
                "Launches run on the processor's cores, block by block, and an array's memory on \
                 the device is a second copy of it. A launch has ended when it returns."
            }
            Note::Anew => "Nothing is recorded: every launch is issued again.",
            Note::Unordered => {
                "Sums of reals by several threads are grouped as it happens, so their last bits may \
                 differ from run to run."
            }
            Note::KnownSize => {
                "The size is known at the launch: an expression over literals, parameters, scalars \
                 of the host, `threads` and `blocks`."
            }
            Note::MetByAll => {
                "Not under a condition or in a loop that may differ between the threads of a block, \
                 as the kernel is split at its barriers."
            }
            Note::NoBarriers => {
                "Not in a kernel with barriers, at which it is split: single values are kept there \
                 for each thread, arrays are not."
            }
            Note::Checked => {
                "What leaves its range is noticed as the second table says. In C++ an integer that \
                 leaves its range unnoticed has no defined value."
            }
            Note::OwnCode => {
                "Devices compute it by code of their own: within the units in the last place that \
                 [the language](language.md#functions-of-reals) states, not to the last bit. Hosts \
                 call the C library, so that two of them have the same bits if their libraries do."
            }
            Note::OwnThread => {
                "A branch has a thread of OpenMP, on which its PARALLEL loops run, too, as OpenMP nests \
                 no regions unless it is told to; where there are control points, it has a thread of \
                 the system."
            }
        }
    }
}
