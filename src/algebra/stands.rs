//! Where operators may stand, and which of them only wait.

use super::Operator;

/// Where an operator may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// On the host, in iterations that run at once, and in kernels.
    Anywhere,
    /// On the host, and in iterations that run at once there.
    OnHost,
    /// On the host, in the order of the program: it is seen there, takes time, waits, or is work of a device.
    InOrder,
    /// In a kernel.
    InKernel,
    /// Where its declaration says.
    AsDeclared,
    /// Nobody knows: it is a phrase without a meaning.
    Unknown,
}

impl Operator<'_> {
    /// Where it may stand, as far as what is in it may.
    pub fn stands(&self) -> Stands {
        match self {
            Operator::Then(_)
            | Operator::If { .. }
            | Operator::While { .. }
            | Operator::For { .. }
            | Operator::Filter(_)
            | Operator::Empty
            | Operator::Undefined
            | Operator::Assign { .. }
            | Operator::Atomic { .. }
            | Operator::Local { .. }
            | Operator::Array { .. } => Stands::Anywhere,
            Operator::Parallel { .. } | Operator::Async(_) => Stands::OnHost,
            Operator::Report { .. }
            | Operator::Save { .. }
            | Operator::Timed(_)
            | Operator::Recorded(_)
            | Operator::ControlPoint(_)
            | Operator::Wait(_)
            | Operator::Launch { .. }
            | Operator::Allocate(_)
            | Operator::CopyToDevice(_)
            | Operator::CopyFromDevice(_)
            | Operator::Free(_) => Stands::InOrder,
            Operator::Shared { .. }
            | Operator::Registers { .. }
            | Operator::Exchange(..)
            | Operator::Barrier => Stands::InKernel,
            Operator::Perform { .. } => Stands::AsDeclared,
            Operator::Call { .. } => Stands::Unknown,
        }
    }

    /// Whether all it does is to let branches or threads wait for each other, or for the device.
    pub fn is_synchronizer(&self) -> bool {
        match self {
            Operator::ControlPoint(_) | Operator::Wait(_) | Operator::Barrier => true,
            Operator::Then(_)
            | Operator::If { .. }
            | Operator::While { .. }
            | Operator::For { .. }
            | Operator::Parallel { .. }
            | Operator::Async(_)
            | Operator::Filter(_)
            | Operator::Empty
            | Operator::Undefined
            | Operator::Assign { .. }
            | Operator::Atomic { .. }
            | Operator::Local { .. }
            | Operator::Array { .. }
            | Operator::Timed(_)
            | Operator::Recorded(_)
            | Operator::Report { .. }
            | Operator::Save { .. }
            | Operator::Call { .. }
            | Operator::Perform { .. }
            | Operator::Launch { .. }
            | Operator::Shared { .. }
            | Operator::Registers { .. }
            | Operator::Exchange(..)
            | Operator::Allocate(_)
            | Operator::CopyToDevice(_)
            | Operator::CopyFromDevice(_)
            | Operator::Free(_) => false,
        }
    }
}
