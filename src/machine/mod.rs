//! The reference machine: executes any scheme by its meaning, and reports the first error.
//!
//! `Scheme` → code → outcome. It is slow and strict on purpose; results are compared to it.

mod arithmetic;
mod block;
mod code;
mod compile;
mod error;
mod expressions;
mod fold;
mod functions;
mod memory;
mod memory_access;
mod order;
mod prologue;
mod step;
mod stores;
mod vm;

pub use code::{Code, Holder, Instr};
pub use error::{Access, Kind, MachineError};
pub use fold::fold;
pub use step::as_f64;

use crate::algebra::Type;
use crate::check::Scheme;
use crate::term::Symbol;
use std::sync::atomic::AtomicBool;
use vm::Vm;

/// Bounds on a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most accesses to cells of arrays.
    pub accesses: u64,
    /// Most steps.
    pub steps: u64,
    /// Most bytes of cells, of what is known of accesses to them, and of what is reported.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            accesses: u64::MAX,
            steps: u64::MAX,
            bytes: u64::MAX,
        }
    }
}

/// Bytes that the machine takes for a cell of an array, its accesses apart.
pub const BYTES_OF_CELL: u64 = memory::CELL_BYTES;

/// What a run leaves besides the arrays.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The rows of REPORT, in order: label and values.
    pub reports: Vec<(Symbol, Vec<f64>)>,
    /// The snapshots of SAVE, in order: label, array and its cells.
    pub saves: Vec<(Symbol, Symbol, Vec<u64>)>,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A real.
    Real(f64),
    /// A truth value.
    Bool(bool),
}

impl Value {
    /// The value as a register holds it; nothing if the type cannot hold it.
    pub fn bits(self, ty: Type) -> Option<u64> {
        Some(match (self, ty) {
            (Value::Int(i), Type::I32) => i64::from(i32::try_from(i).ok()?) as u64,
            (Value::Int(i), Type::I64) => i as u64,
            (Value::Int(i), Type::F32) => u64::from((i as f32).to_bits()),
            (Value::Int(i), Type::F64) => (i as f64).to_bits(),
            (Value::Real(x), Type::F32) => u64::from((x as f32).to_bits()),
            (Value::Real(x), Type::F64) => x.to_bits(),
            (Value::Bool(b), Type::Bool) => u64::from(b),
            _ => return None,
        })
    }

    /// The value of a register.
    pub fn of(ty: Type, bits: u64) -> Value {
        match ty {
            Type::Bool => Value::Bool(bits != 0),
            Type::F32 | Type::F64 => Value::Real(as_f64(ty, bits)),
            _ => Value::Int(bits as i64),
        }
    }
}

/// A scheme being run.
///
/// The order is: parameters, [`Machine::start`], data, [`Machine::run`], results.
pub struct Machine<'a> {
    vm: Vm<'a>,
}

/// The code of a scheme. Schemes with undefined phrases or names have none, and neither have those with basic
/// operators or predicates that are not replaced by what they mean.
pub fn compile(scheme: &Scheme) -> Option<Code> {
    let is_known = scheme.undefined.is_empty() && scheme.basics.is_empty();
    (scheme.has_data && is_known).then(|| compile::compile(scheme))
}

impl<'a> Machine<'a> {
    /// A machine with a scheme's code.
    pub fn new(scheme: &'a Scheme, code: &'a Code, limits: Limits) -> Machine<'a> {
        Machine {
            vm: Vm::new(scheme, code, limits),
        }
    }

    /// Has the machine end, as one that reached its bound of steps, soon after this is set from outside.
    pub fn stop_at(&mut self, stop: Option<&'a AtomicBool>) {
        self.vm.stop = stop;
    }

    /// Sets parameters, those not named here to their defaults, and makes the arrays.
    ///
    /// # Errors
    ///
    /// A parameter without a value, a default that has none, an array of an impossible size.
    pub fn start(&mut self, given: &[(Symbol, Value)]) -> Result<(), MachineError> {
        let scheme = self.vm.scheme;
        let mut values: Vec<(Symbol, Value)> = Vec::new();
        for (name, variable, default) in scheme.parameters() {
            let value = given
                .iter()
                .find(|(n, _)| *n == name)
                .map(|&(_, v)| v)
                .or_else(|| fold::fold(scheme, default, &values));
            let bits = value.and_then(|v| v.bits(variable.ty));
            let (Some(value), Some(bits)) = (value, bits) else {
                return Err(MachineError {
                    kind: Kind::Data,
                    message: format!("the parameter `{name}` has no value of its type"),
                    accesses: Vec::new(),
                    missing: None,
                });
            };
            // Defaults of other parameters see the value as it is held.
            let value = match (value, variable.ty) {
                (Value::Real(_), ty) => Value::of(ty, bits),
                (value, _) => value,
            };
            values.push((name, value));
            if let Some(&(_, reg, _)) = self.vm.code.parameters.iter().find(|p| p.0 == name) {
                self.vm.registers[reg as usize] = bits;
            }
        }
        let body = self.vm.code.body;
        self.vm.run(0, Some(body))
    }

    /// Sizes of an array of DATA.
    pub fn dims(&self, name: Symbol) -> Option<&[i64]> {
        match self.holder(name)? {
            Holder::Array(array) => Some(&self.vm.stores[array as usize].dims),
            Holder::Register(..) => Some(&[]),
        }
    }

    fn holder(&self, name: Symbol) -> Option<Holder> {
        self.vm
            .code
            .data
            .iter()
            .find(|(n, _)| *n == name)
            .map(|&(_, h)| h)
    }

    /// Sets a variable of DATA, component by component. Nothing happens if the number is wrong.
    pub fn set(&mut self, name: Symbol, cells: &[u64]) -> bool {
        match self.holder(name) {
            Some(Holder::Array(array)) => {
                let memory = &mut self.vm.stores[array as usize].host;
                if memory.len() != cells.len() {
                    return false;
                }
                for (i, &cell) in cells.iter().enumerate() {
                    memory.set(i, cell);
                }
                true
            }
            Some(Holder::Register(reg, ty)) if cells.len() == ty.components() => {
                let at = reg as usize;
                self.vm.registers[at..at + cells.len()].copy_from_slice(cells);
                true
            }
            _ => false,
        }
    }

    /// Runs the body.
    ///
    /// # Errors
    ///
    /// The first operator that has no result, and why.
    pub fn run(&mut self) -> Result<(), MachineError> {
        let body = self.vm.code.body;
        self.vm.run(body, None)
    }

    /// The first cell of an OUTPUT array that nobody wrote though the array was copied from the
    /// device, as an error: a kernel was to write it all. Asked after a run.
    pub fn unwritten_result(&self) -> Option<MachineError> {
        for (pc, instr) in self.vm.code.instructions.iter().enumerate() {
            let &Instr::CopyFromDevice { array } = instr else {
                continue;
            };
            let is_this = |name| matches!(self.holder(name), Some(Holder::Array(a)) if a == array);
            let mut outputs = self.vm.scheme.data().filter(|(_, v)| v.is_output());
            let Some((name, variable)) = outputs.find(|(name, _)| is_this(*name)) else {
                continue;
            };
            let memory = &self.vm.stores[array as usize].host;
            let Some(cell) = (0..memory.len()).find(|&i| memory.get(i).is_none()) else {
                continue;
            };
            let cell = self.vm.cell_name(array, cell);
            let access = |cell: String, thread: &str, span| Access {
                cell,
                thread: thread.into(),
                span,
            };
            return Some(MachineError {
                kind: Kind::Uninitialized,
                message: format!(
                    "{cell} is copied from the device, where it was never written, and `{name}` is an OUTPUT"
                ),
                accesses: vec![
                    access(
                        format!("{cell} copied"),
                        "the host",
                        self.vm.span(pc as u32),
                    ),
                    access(format!("{cell} written"), "nobody", variable.span),
                ],
                missing: Some(format!("a kernel that writes every cell of `{name}`")),
            });
        }
        None
    }

    /// The cells of a variable of DATA; 0 where nobody wrote.
    pub fn get(&self, name: Symbol) -> Option<Vec<u64>> {
        Some(match self.holder(name)? {
            Holder::Array(array) => {
                let memory = &self.vm.stores[array as usize].host;
                (0..memory.len())
                    .map(|i| memory.get(i).unwrap_or(0))
                    .collect()
            }
            Holder::Register(reg, ty) => {
                let at = reg as usize;
                self.vm.registers[at..at + ty.components()].to_vec()
            }
        })
    }

    /// How often cells of arrays were reached so far, every access checked.
    pub fn accesses(&self) -> u64 {
        self.vm.accesses
    }

    /// The reports and snapshots so far.
    pub fn outcome(&self) -> &Outcome {
        &self.vm.outcome
    }
}
