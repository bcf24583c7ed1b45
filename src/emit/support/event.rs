//! What goes wrong while a scheme runs, and who notices it.

use super::Runner;

/// Something for which a scheme has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A FILTER is false.
    Filter,
    /// UNDEFINED is met.
    Undefined,
    /// A subscript is out of range.
    Subscript,
    /// A sum, difference, product, power, opposite or absolute value of integers is out of range.
    Overflow,
    /// A number does not fit into the integer that it becomes.
    Conversion,
    /// An integer is divided by zero.
    Division,
    /// The least integer is divided by -1, or its remainder is asked for.
    Quotient,
    /// The step of a loop is 0.
    Step,
    /// An array has a negative size.
    Size,
    /// A launch has more blocks or threads than a device.
    Grid,
    /// Memory of the device is used before it is allocated, or allocated twice.
    Memory,
    /// Every branch waits for a control point.
    Deadlock,
    /// A cell is read before it is written.
    Unwritten,
    /// Two threads reach a cell, one of them writing, and nothing orders them.
    Race,
    /// A barrier is not met by all threads of a block.
    Divergence,
}

/// Where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In what the host does.
    Host,
    /// In a kernel.
    Kernel,
}

/// What a runner does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// The run ends with an error and this exit code.
    Error(u8),
    /// The run ends with an error and exit code 1 if the program is emitted with `--checked`.
    ErrorIfChecked,
    /// Nobody notices.
    Unnoticed(&'static str),
    /// It cannot happen.
    Never(&'static str),
}

impl Event {
    /// All events, in the order of the table's rows.
    pub const ALL: [Event; 15] = [
        Event::Filter,
        Event::Undefined,
        Event::Subscript,
        Event::Overflow,
        Event::Conversion,
        Event::Division,
        Event::Quotient,
        Event::Step,
        Event::Size,
        Event::Grid,
        Event::Memory,
        Event::Deadlock,
        Event::Unwritten,
        Event::Race,
        Event::Divergence,
    ];

    /// Its name in the headers of cases.
    pub fn name(self) -> &'static str {
        match self {
            Event::Filter => "filter",
            Event::Undefined => "undefined",
            Event::Subscript => "subscript",
            Event::Overflow => "overflow",
            Event::Conversion => "conversion",
            Event::Division => "division",
            Event::Quotient => "quotient",
            Event::Step => "step",
            Event::Size => "size",
            Event::Grid => "grid",
            Event::Memory => "memory",
            Event::Deadlock => "deadlock",
            Event::Unwritten => "unwritten",
            Event::Race => "race",
            Event::Divergence => "divergence",
        }
    }

    /// It in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Event::Filter => "a FILTER is false",
            Event::Undefined => "UNDEFINED is met",
            Event::Subscript => "a subscript is out of range",
            Event::Overflow => {
                "a sum, difference, product, power, opposite or absolute value of integers is out of range"
            }
            Event::Conversion => "a number does not fit into the integer that it becomes",
            Event::Division => "an integer is divided by zero",
            Event::Quotient => {
                "the least integer is divided by -1, or its remainder by -1 is asked for"
            }
            Event::Step => "the step of a loop is 0",
            Event::Size => "an array has a negative size",
            Event::Grid => "a launch has more blocks or threads than a device",
            Event::Memory => {
                "memory of the device is used without being allocated, or allocated twice"
            }
            Event::Deadlock => "every branch waits for a control point that none will meet",
            Event::Unwritten => "a cell is read before it is written",
            Event::Race => "two threads that nothing orders reach a cell, and one of them writes",
            Event::Divergence => "a barrier is not met by all threads of a block",
        }
    }

    /// Whether only what is for a device meets it.
    fn is_of_device(self) -> bool {
        matches!(self, Event::Grid | Event::Memory | Event::Divergence)
    }

    /// Where it can happen.
    pub fn places(self) -> &'static [Place] {
        match self {
            Event::Filter
            | Event::Undefined
            | Event::Subscript
            | Event::Overflow
            | Event::Conversion
            | Event::Division
            | Event::Quotient
            | Event::Step
            | Event::Unwritten
            | Event::Race => &[Place::Host, Place::Kernel],
            Event::Size | Event::Grid | Event::Memory | Event::Deadlock => &[Place::Host],
            Event::Divergence => &[Place::Kernel],
        }
    }
}

/// What a runner does about an event.
pub fn response(event: Event, runner: Runner, place: Place) -> Response {
    let in_cpp = match runner {
        Runner::Interpreter | Runner::Rust => false,
        Runner::Cpp | Runner::Cuda => true,
        Runner::RustCuda => place == Place::Kernel,
    };
    let on_device = in_cpp && place == Place::Kernel;
    let emitted = runner != Runner::Interpreter;
    if runner == Runner::Cpp && (place == Place::Kernel || event.is_of_device()) {
        return Response::Never("launches are refused");
    }
    match event {
        Event::Filter | Event::Undefined | Event::Step | Event::Grid | Event::Memory => {
            Response::Error(1)
        }
        Event::Size => Response::Error(2),
        Event::Subscript | Event::Overflow if in_cpp => Response::ErrorIfChecked,
        Event::Conversion | Event::Division | Event::Quotient if on_device => {
            Response::ErrorIfChecked
        }
        Event::Subscript
        | Event::Overflow
        | Event::Conversion
        | Event::Division
        | Event::Quotient => Response::Error(1),
        Event::Deadlock if runner == Runner::Cuda => Response::Never("branches are refused"),
        Event::Deadlock => Response::Error(1),
        Event::Unwritten if on_device => Response::Unnoticed("the cell holds anything"),
        Event::Unwritten if emitted => Response::Unnoticed("the cell holds 0"),
        Event::Race if emitted => Response::Unnoticed("one of the values stays"),
        Event::Divergence if runner == Runner::Rust => Response::Never("such barriers are refused"),
        Event::Divergence if emitted => Response::Unnoticed("the device may hang"),
        Event::Unwritten | Event::Race | Event::Divergence => Response::Error(1),
    }
}
