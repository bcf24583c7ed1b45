//! Accesses to memory: bounds, races, unwritten cells; and the messages about them.

use super::arithmetic::{Failure, gathered};
use super::code::{Reg, Space};
use super::error::{Access, Kind, MachineError};
use super::memory::{Actor, CELL_BYTES, Conflict, Memory};
use super::order::Next;
use super::vm::{Process, Store, Vm};
use crate::algebra::{Atomic, Expr, LARGEST_EXTENT, Signature, expr, signature};
use crate::check::author_name;

/// Most cells of one array: beyond it, a size is taken for a mistake. Such an array takes 9 bytes a
/// cell, and is far too large for the machine to fill in any time.
const MOST_CELLS: i64 = 1 << 29;

/// Steps that the others have to show that they write what was read too early.
const STEPS_AFTER: u64 = 1_000_000;

impl Vm<'_> {
    pub(super) fn who(&self, actor: Actor) -> String {
        if self.in_kernel {
            format!("block {}, thread {}", actor.block, actor.thread)
        } else if actor.section == 0 {
            "the host".into()
        } else {
            format!("iteration or branch {}", actor.block)
        }
    }

    pub(super) fn span(&self, pc: u32) -> Option<crate::term::Span> {
        let id = *self.code.places.get(pc as usize)?;
        self.scheme.terms.span(id)
    }

    pub(super) fn failure(&self, (kind, message): Failure, pc: u32, actor: Actor) -> MachineError {
        let access = Access {
            cell: "here".into(),
            thread: self.who(actor),
            span: self.span(pc),
        };
        MachineError {
            kind,
            message,
            accesses: vec![access],
            missing: None,
        }
    }

    /// The failure of a conversion; of a whole number that no integer holds, with what gives a REAL.
    pub(super) fn unconverted(&self, failure: Failure, pc: u32, actor: Actor) -> MachineError {
        let mut error = self.failure(failure, pc, actor);
        let place = self.code.places.get(pc as usize);
        if let Some(Expr::Apply { function, .. }) =
            place.and_then(|&id| expr(&self.scheme.terms, id))
            && let Some(Signature::ToInteger(rounding)) = signature(function)
        {
            let name = rounding.entry().name;
            error.missing = Some(format!("`{name}` gives a REAL, whatever its size"));
        }
        error
    }

    /// A cell's name: `r[3].x`.
    pub(super) fn cell_name(&self, array: u32, cell: usize) -> String {
        let info = &self.code.arrays[array as usize];
        let store = &self.stores[array as usize];
        let mut name = author_name(info.name).to_owned();
        if info.space != Space::Scalar {
            let mut element = (cell / store.components) as i64;
            let mut subscripts = Vec::new();
            for &dim in store.dims.iter().rev() {
                subscripts.push((element % dim.max(1)).to_string());
                element /= dim.max(1);
            }
            subscripts.reverse();
            name.push_str(&format!("[{}]", subscripts.join(", ")));
        }
        if store.components > 1 {
            name.push_str([".x", ".y", ".z", ".w"][cell % store.components]);
        }
        name
    }

    pub(super) fn race(
        &self,
        array: u32,
        cell: usize,
        pc: u32,
        actor: Actor,
        write: bool,
        conflict: Conflict,
    ) -> MachineError {
        let (other, other_at, other_write) = conflict;
        let cell = self.cell_name(array, cell);
        let verb = |w: bool| if w { "written" } else { "read" };
        let missing = if self.in_kernel && actor.block == other.block {
            "a BARRIER between the two accesses"
        } else if self.in_kernel {
            "blocks of a launch are not ordered: end the launch between the two accesses, or make both ATOMIC, of one kind"
        } else {
            "iterations and branches of PARALLEL are not ordered: end the PARALLEL between the two, or use CONTROL POINT and WAIT"
        };
        MachineError {
            kind: Kind::Race,
            message: format!(
                "{cell} is {} by {} and {} by {}, and nothing orders the two",
                verb(other_write),
                self.who(other),
                verb(write),
                self.who(actor)
            ),
            accesses: vec![
                Access {
                    cell: format!("{cell} {}", verb(write)),
                    thread: self.who(actor),
                    span: self.span(pc),
                },
                Access {
                    cell: format!("{cell} {}", verb(other_write)),
                    thread: self.who(other),
                    span: self.span(other_at),
                },
            ],
            missing: Some(missing.into()),
        }
    }

    /// Whether an access reaches an array's copy on the device; an error if there is none.
    pub(super) fn on_device(
        &self,
        array: u32,
        pc: u32,
        actor: Actor,
    ) -> Result<bool, MachineError> {
        let on_device = self.in_kernel && self.code.arrays[array as usize].space == Space::Both;
        if on_device && self.stores[array as usize].device.is_none() {
            let name = author_name(self.code.arrays[array as usize].name);
            let mut error = self.failure(
                (
                    Kind::NotOnDevice,
                    format!("`{name}` has no memory on the device"),
                ),
                pc,
                actor,
            );
            error.missing = Some(format!(
                "\"Allocate memory for ({name}) on the device\" before the launch"
            ));
            return Err(error);
        }
        Ok(on_device)
    }

    pub(super) fn count(&mut self, pc: u32, actor: Actor) -> Result<(), MachineError> {
        self.accesses += 1;
        if self.accesses > self.limits.accesses {
            return Err(self.failure(
                (
                    Kind::Steps,
                    format!("more than {} accesses to memory", self.limits.accesses),
                ),
                pc,
                actor,
            ));
        }
        Ok(())
    }

    /// Takes bytes of those that the machine may have.
    pub(super) fn take(&mut self, bytes: u64, pc: u32, actor: Actor) -> Result<(), MachineError> {
        let all = self.bytes.saturating_add(bytes);
        if all > self.limits.bytes {
            let message = format!(
                "the reference machine would need more than {:.1} GB for cells, their accesses and reports",
                self.limits.bytes as f64 / 1e9
            );
            return Err(self.failure((Kind::Memory, message), pc, actor));
        }
        self.bytes = all;
        Ok(())
    }

    /// Gives bytes back.
    pub(super) fn give_back(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Takes what the trace of a cell needs.
    fn take_trace(
        &mut self,
        array: u32,
        cell: usize,
        on_device: bool,
        pc: u32,
        actor: Actor,
    ) -> Result<(), MachineError> {
        match self.stores[array as usize].memory(on_device).lacks(cell) {
            0 => Ok(()),
            bytes => self.take(bytes, pc, actor),
        }
    }

    pub(super) fn load(
        &mut self,
        process: &Process,
        array: u32,
        cell: usize,
        pc: u32,
    ) -> Result<u64, MachineError> {
        self.count(pc, process.actor)?;
        let several = process.several && self.code.arrays[array as usize].space != Space::Thread;
        let actor = process.actor;
        let on_device = self.on_device(array, pc, actor)?;
        if several {
            self.take_trace(array, cell, on_device, pc, actor)?;
        }
        let next = Next {
            sections: &self.sections,
            actor,
            seen: &process.seen,
        };
        let memory = self.stores[array as usize].memory(on_device);
        if several && let Some(conflict) = memory.read(cell, actor, pc, &next) {
            return Err(self.race(array, cell, pc, actor, false, conflict));
        }
        match memory.get(cell) {
            Some(value) => Ok(value),
            None => {
                let name = self.cell_name(array, cell);
                let place = if self.in_kernel { " on the device" } else { "" };
                let mut error = self.failure(
                    (
                        Kind::Uninitialized,
                        format!("{name} is read{place} before it is written"),
                    ),
                    pc,
                    actor,
                );
                error.accesses[0].cell = format!("{name} read");
                if !several {
                    return Err(error);
                }
                if self.unwritten.is_none() {
                    self.unwritten = Some(error);
                    // A value that means nothing could keep a loop going for ever.
                    self.limits.steps = self.limits.steps.min(self.steps + STEPS_AFTER);
                    self.look_after = self.look_after.min(self.limits.steps);
                }
                Ok(0)
            }
        }
    }

    pub(super) fn store(
        &mut self,
        process: &Process,
        array: u32,
        cell: usize,
        value: u64,
        pc: u32,
        atomic: Option<Atomic>,
    ) -> Result<(), MachineError> {
        self.count(pc, process.actor)?;
        let several = process.several && self.code.arrays[array as usize].space != Space::Thread;
        let actor = process.actor;
        let on_device = self.on_device(array, pc, actor)?;
        if several {
            self.take_trace(array, cell, on_device, pc, actor)?;
        }
        let next = Next {
            sections: &self.sections,
            actor,
            seen: &process.seen,
        };
        let memory = self.stores[array as usize].memory(on_device);
        if several && let Some(conflict) = memory.write(cell, actor, pc, atomic, &next) {
            return Err(self.race(array, cell, pc, actor, true, conflict));
        }
        memory.set(cell, value);
        Ok(())
    }

    /// Makes an array anew.
    pub(super) fn make_array(
        &mut self,
        process: &Process,
        array: u32,
        (dims, narrow): (Reg, u32),
        pc: u32,
    ) -> Result<(), MachineError> {
        let info = &self.code.arrays[array as usize];
        let (space, ty, count) = (info.space, info.ty, info.dims);
        let owner = (process.actor.section, process.actor.block);
        if space == Space::Shared && self.stores[array as usize].owner == owner {
            return Ok(());
        }
        let dims: Vec<i64> = (0..count)
            .map(|k| process.registers[dims as usize + k] as i64)
            .collect();
        let name = author_name(info.name);
        if let Some(negative) = dims.iter().find(|&&d| d < 0) {
            return Err(self.failure(
                (Kind::Data, format!("`{name}` has a size of {negative}")),
                pc,
                process.actor,
            ));
        }
        let large = |&(k, &d): &(usize, &i64)| narrow >> k & 1 == 1 && d > LARGEST_EXTENT;
        if let Some((_, extent)) = dims.iter().enumerate().find(large) {
            let message = format!(
                "`{name}` has an extent of {extent}, and the largest of an INTEGER is {LARGEST_EXTENT}: INTEGER64 has room for it"
            );
            return Err(self.failure((Kind::Data, message), pc, process.actor));
        }
        let elements = dims.iter().try_fold(1i64, |n, &d| n.checked_mul(d));
        let cells = elements
            .and_then(|n| n.checked_mul(ty.components() as i64))
            .filter(|&n| n <= MOST_CELLS);
        let Some(cells) = cells else {
            let sizes: Vec<String> = dims.iter().map(i64::to_string).collect();
            let message = format!(
                "`{name}` of {} elements does not fit in memory",
                sizes.join(" × ")
            );
            return Err(self.failure((Kind::Data, message), pc, process.actor));
        };
        let mut cells = cells as usize;
        if space == Space::Thread {
            let all = cells * self.grid.threads as usize;
            let store = &mut self.stores[array as usize];
            if store.host.len() == all {
                let first = cells * process.actor.thread as usize;
                store.host.forget(first..first + cells);
                return Ok(());
            }
            cells = all;
        }
        let old = &self.stores[array as usize];
        let old = old.host.bytes() + old.device.as_ref().map_or(0, Memory::bytes);
        self.give_back(old);
        self.take(cells as u64 * CELL_BYTES, pc, process.actor)?;
        self.stores[array as usize] = Store {
            dims,
            components: ty.components(),
            host: Memory::new(cells),
            device: None,
            owner,
        };
        Ok(())
    }

    /// Gathers a value into a cell, and gives what was there before.
    pub(super) fn atomic(
        &mut self,
        process: &Process,
        op: Atomic,
        (array, cell): (u32, usize),
        value: u64,
        pc: u32,
    ) -> Result<u64, MachineError> {
        let ty = self.code.arrays[array as usize].ty.component();
        let on_device = self.on_device(array, pc, process.actor)?;
        let memory = self.stores[array as usize].memory(on_device);
        let Some(old) = memory.get(cell) else {
            let name = self.cell_name(array, cell);
            return Err(self.failure(
                (
                    Kind::Uninitialized,
                    format!("{name} is {} before it is written", op.done()),
                ),
                pc,
                process.actor,
            ));
        };
        match gathered(op, ty, old, value) {
            Ok(new) => {
                self.store(process, array, cell, new, pc, Some(op))?;
                Ok(old)
            }
            Err(failure) => Err(self.failure(failure, pc, process.actor)),
        }
    }

    /// The error of an array that has no memory on the device.
    fn not_on_device(&self, array: u32, pc: u32, actor: Actor) -> MachineError {
        let name = author_name(self.code.arrays[array as usize].name);
        let message = format!("`{name}` has no memory on the device");
        let mut error = self.failure((Kind::NotOnDevice, message), pc, actor);
        error.missing = Some(format!(
            "\"Allocate memory for ({name}) on the device\" before this"
        ));
        error
    }

    pub(super) fn copy_to_device(
        &mut self,
        process: &Process,
        array: u32,
        pc: u32,
    ) -> Result<(), MachineError> {
        let store = &mut self.stores[array as usize];
        let Some(device) = &mut store.device else {
            return Err(self.not_on_device(array, pc, process.actor));
        };
        let before = device.bytes();
        device.copy_from(&store.host);
        let freed = before - device.bytes();
        self.give_back(freed);
        Ok(())
    }

    pub(super) fn copy_from_device(
        &mut self,
        process: &Process,
        array: u32,
        pc: u32,
    ) -> Result<(), MachineError> {
        let store = &mut self.stores[array as usize];
        let Some(device) = &mut store.device else {
            return Err(self.not_on_device(array, pc, process.actor));
        };
        let before = store.host.bytes();
        let lost = store.host.copy_from(device);
        let freed = before - store.host.bytes();
        self.give_back(freed);
        let Some(cell) = lost else {
            return Ok(());
        };
        let cell = self.cell_name(array, cell);
        let message = format!(
            "{cell} is copied from the device, where it was never written, over a value of the host"
        );
        let mut error = self.failure((Kind::Uninitialized, message), pc, process.actor);
        let name = author_name(self.code.arrays[array as usize].name);
        error.missing = Some(format!(
            "\"Copy ({name}) to the device\" before the launch, as it writes a part of it only"
        ));
        Err(error)
    }

    pub(super) fn free(
        &mut self,
        process: &Process,
        array: u32,
        pc: u32,
    ) -> Result<(), MachineError> {
        let Some(device) = self.stores[array as usize].device.take() else {
            return Err(self.not_on_device(array, pc, process.actor));
        };
        self.give_back(device.bytes());
        Ok(())
    }
}
