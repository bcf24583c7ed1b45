//! Carrying out instructions.

use super::arithmetic::{arithmetic, compare, convert, gathered, multiply_add, same_bits, unary};
use super::code::{Instr, Space};
use super::error::{Kind, MachineError};
use super::memory::{Actor, CELL_BYTES, Memory};
use super::vm::{Pause, Process, Vm};
use crate::algebra::Type;
use crate::check::author_name;
use std::sync::atomic::Ordering;

/// Bytes that a row of a report or a snapshot takes besides its values.
const ROW_BYTES: u64 = 192;

/// So many steps are taken before anybody looks whether there may be more.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 16;

impl Vm<'_> {
    /// Looks whether there may be more steps, and says when to look again.
    fn may_go_on(&mut self, pc: u32, actor: Actor) -> Result<(), MachineError> {
        let is_stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if is_stopped || self.steps > self.limits.steps {
            let message = format!("more than {} steps", self.limits.steps);
            return Err(self.failure((Kind::Steps, message), pc, actor));
        }
        self.look_after = self.limits.steps.min(self.steps + STEPS_BETWEEN_LOOKS);
        Ok(())
    }

    /// Runs a process until it pauses.
    pub(super) fn go(
        &mut self,
        process: &mut Process,
        end: Option<u32>,
    ) -> Result<Pause, MachineError> {
        let code = self.code;
        loop {
            let pc = process.pc;
            if Some(pc) == end {
                return Ok(Pause::End);
            }
            self.steps += 1;
            if self.steps > self.look_after {
                self.may_go_on(pc, process.actor)?;
            }
            process.pc = pc + 1;
            let r = &mut process.registers;
            match &code.instructions[pc as usize] {
                Instr::Const { to, bits } => r[*to as usize] = *bits,
                Instr::Move { to, from } => r[*to as usize] = r[*from as usize],
                Instr::Arithmetic { op, ty, to, a, b } => {
                    match arithmetic(*op, *ty, r[*a as usize], r[*b as usize]) {
                        Ok(value) => r[*to as usize] = value,
                        Err(failure) => return Err(self.failure(failure, pc, process.actor)),
                    }
                }
                Instr::Compare { op, ty, to, a, b } => {
                    r[*to as usize] = u64::from(compare(*op, *ty, r[*a as usize], r[*b as usize]));
                }
                Instr::Unary { op, ty, to, a } => match unary(*op, *ty, r[*a as usize]) {
                    Ok(value) => r[*to as usize] = value,
                    Err(failure) => return Err(self.failure(failure, pc, process.actor)),
                },
                Instr::Bits {
                    function,
                    ty,
                    to,
                    a,
                    b,
                } => {
                    let [a, b] = [*a, *b].map(|k| r[k as usize] as i64);
                    r[*to as usize] = function.value(*ty, a, b) as u64;
                }
                Instr::Not { to, a } => r[*to as usize] = u64::from(r[*a as usize] == 0),
                Instr::Convert { from, into, to, a } => match convert(*from, *into, r[*a as usize])
                {
                    Ok(value) => r[*to as usize] = value,
                    Err(failure) => return Err(self.unconverted(failure, pc, process.actor)),
                },
                Instr::SameBits { into, to, a } => {
                    r[*to as usize] = same_bits(*into, r[*a as usize]);
                }
                Instr::MultiplyAdd { ty, to, a, b, c } => {
                    let [a, b, c] = [*a, *b, *c].map(|k| r[k as usize]);
                    r[*to as usize] = multiply_add(*ty, a, b, c);
                }
                Instr::Element {
                    to,
                    array,
                    subscripts,
                } => {
                    let store = &self.stores[*array as usize];
                    let mut element = 0i64;
                    for (k, &dim) in store.dims.iter().enumerate() {
                        let subscript = r[*subscripts as usize + k] as i64;
                        if subscript < 0 || subscript >= dim {
                            let name = author_name(code.arrays[*array as usize].name);
                            let message = format!(
                                "subscript {subscript} of `{name}` is outside 0..{}",
                                dim - 1
                            );
                            return Err(self.failure((Kind::Bounds, message), pc, process.actor));
                        }
                        element = element * dim + subscript;
                    }
                    if code.arrays[*array as usize].space == Space::Thread {
                        element += i64::from(process.actor.thread) * store.dims[0];
                    }
                    r[*to as usize] = element as u64;
                }
                Instr::Load {
                    to,
                    array,
                    element,
                    component,
                } => {
                    let cell = r[*element as usize] as usize
                        * self.stores[*array as usize].components
                        + *component as usize;
                    let value = self.load(process, *array, cell, pc)?;
                    process.registers[*to as usize] = value;
                }
                Instr::Store {
                    array,
                    element,
                    component,
                    from,
                } => {
                    let cell = r[*element as usize] as usize
                        * self.stores[*array as usize].components
                        + *component as usize;
                    let value = r[*from as usize];
                    self.store(process, *array, cell, value, pc, None)?;
                }
                Instr::Atomic {
                    op,
                    array,
                    element,
                    component,
                    from,
                    was,
                } => {
                    let cell = r[*element as usize] as usize
                        * self.stores[*array as usize].components
                        + *component as usize;
                    let value = r[*from as usize];
                    let old = self.atomic(process, *op, (*array, cell), value, pc)?;
                    if let Some(was) = was {
                        process.registers[*was as usize] = old;
                    }
                }
                Instr::Gather { op, ty, to, from } => {
                    match gathered(*op, *ty, r[*to as usize], r[*from as usize]) {
                        Ok(value) => r[*to as usize] = value,
                        Err(failure) => return Err(self.failure(failure, pc, process.actor)),
                    }
                }
                Instr::Jump { target } => process.pc = *target,
                Instr::JumpIfNot { condition, target } => {
                    if r[*condition as usize] == 0 {
                        process.pc = *target;
                    }
                }
                Instr::JumpIfBeyond {
                    from,
                    to,
                    step,
                    target,
                } => {
                    let (from, to, step) = (
                        r[*from as usize] as i64,
                        r[*to as usize] as i64,
                        r[*step as usize] as i64,
                    );
                    if step == 0 {
                        return Err(self.failure(
                            (Kind::Division, "loop step must not be 0".into()),
                            pc,
                            process.actor,
                        ));
                    }
                    if step > 0 && from > to || step < 0 && from < to {
                        process.pc = *target;
                    }
                }
                Instr::Next {
                    var,
                    to,
                    step,
                    target,
                } => {
                    let (value, to, step) = (
                        r[*var as usize] as i64,
                        r[*to as usize] as i64,
                        r[*step as usize] as i64,
                    );
                    if let Some(next) = value.checked_add(step)
                        && (step > 0 && next <= to || step < 0 && next >= to)
                    {
                        r[*var as usize] = next as u64;
                        process.pc = *target;
                    }
                }
                Instr::MakeArray {
                    array,
                    dims,
                    narrow,
                } => self.make_array(process, *array, (*dims, *narrow), pc)?,
                Instr::Filter { condition } => {
                    if r[*condition as usize] == 0 {
                        return Err(self.failure(
                            (
                                Kind::NoResult,
                                "a FILTER is false, so there is no result".into(),
                            ),
                            pc,
                            process.actor,
                        ));
                    }
                }
                Instr::Undefined => {
                    return Err(self.failure(
                        (
                            Kind::NoResult,
                            "UNDEFINED is met, so there is no result".into(),
                        ),
                        pc,
                        process.actor,
                    ));
                }
                Instr::Report {
                    label,
                    first,
                    types,
                } => {
                    let mut at = *first as usize;
                    let mut values = Vec::new();
                    for ty in types {
                        for _ in 0..ty.components() {
                            values.push(as_f64(ty.component(), r[at]));
                            at += 1;
                        }
                    }
                    self.take(ROW_BYTES + 8 * values.len() as u64, pc, process.actor)?;
                    self.outcome.reports.push((*label, values));
                }
                Instr::Save { label, array } => {
                    let bytes = ROW_BYTES + 8 * self.stores[*array as usize].host.len() as u64;
                    self.take(bytes, pc, process.actor)?;
                    let store = &self.stores[*array as usize];
                    let cells = (0..store.host.len())
                        .map(|c| store.host.get(c).unwrap_or(0))
                        .collect();
                    self.outcome
                        .saves
                        .push((*label, code.arrays[*array as usize].name, cells));
                }
                Instr::Allocate { array } => {
                    let store = &self.stores[*array as usize];
                    if store.device.is_some() {
                        let name = author_name(code.arrays[*array as usize].name);
                        return Err(self.failure(
                            (
                                Kind::NotOnDevice,
                                format!("`{name}` has memory on the device already"),
                            ),
                            pc,
                            process.actor,
                        ));
                    }
                    let cells = store.host.len();
                    self.take(cells as u64 * CELL_BYTES, pc, process.actor)?;
                    self.stores[*array as usize].device = Some(Memory::new(cells));
                }
                Instr::CopyToDevice { array } => self.copy_to_device(process, *array, pc)?,
                Instr::CopyFromDevice { array } => self.copy_from_device(process, *array, pc)?,
                Instr::Free { array } => self.free(process, *array, pc)?,
                Instr::Launch {
                    blocks,
                    threads,
                    after,
                } => {
                    let (blocks, threads) =
                        (r[*blocks as usize] as i64, r[*threads as usize] as i64);
                    process.pc = *after;
                    self.launch(pc, process, blocks, threads)?;
                }
                Instr::Barrier => return Ok(Pause::Barrier),
                Instr::Warp { .. } => return Ok(Pause::Warp),
                Instr::End | Instr::Stop => {
                    process.pc = pc;
                    return Ok(Pause::End);
                }
                Instr::ForkLoop { .. } | Instr::ForkBranches { .. } => return Ok(Pause::Fork),
                Instr::ControlPoint { point } => {
                    let mut actor = process.actor;
                    self.sections.meet(*point, &mut actor, &process.seen);
                    process.actor = actor;
                }
                Instr::WaitPoint { point } => {
                    if !self.sections.is_met(*point) {
                        // Comes back to this instruction, to learn what is over then.
                        process.pc = pc;
                        return Ok(Pause::Wait(*point));
                    }
                    self.sections.pass(*point, &mut process.seen);
                }
                Instr::BlockIndex { to } => r[*to as usize] = u64::from(process.actor.block),
                Instr::ThreadIndex { to } => r[*to as usize] = u64::from(process.actor.thread),
                Instr::BlockCount { to } => r[*to as usize] = self.grid.blocks as u64,
                Instr::ThreadCount { to } => r[*to as usize] = self.grid.threads as u64,
            }
        }
    }
}

/// A value as a 64-bit real, for reports.
pub fn as_f64(ty: Type, bits: u64) -> f64 {
    match ty {
        Type::F32 => f64::from(f32::from_bits(bits as u32)),
        Type::F64 => f64::from_bits(bits),
        _ => bits as i64 as f64,
    }
}
