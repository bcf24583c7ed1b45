//! Running the threads of a block from one place where they meet to the next.

use super::arithmetic::{Failure, arithmetic, compare};
use super::code::{Arithmetic, Instr};
use super::error::{Access, Kind, MachineError};
use super::vm::{Pause, Process, Vm};
use crate::algebra::{Combine, Comparison, Exchange, Extreme, Type};

/// Threads of a warp.
const WARP: usize = crate::algebra::WARP as usize;

impl Vm<'_> {
    /// Runs the threads of one block from barrier to barrier.
    pub(super) fn block(&mut self, threads: &mut [Process]) -> Result<(), MachineError> {
        loop {
            for warp in threads.chunks_mut(WARP) {
                self.warp(warp)?;
            }
            let at_barrier = threads.iter().filter(|t| !t.done).count();
            if at_barrier == 0 {
                return Ok(());
            }
            let first = threads
                .iter()
                .position(|t| !t.done)
                .expect("one stands at a barrier");
            let other = threads
                .iter()
                .position(|t| t.done || t.pc != threads[first].pc);
            if let Some(other) = other {
                return Err(self.divergence(&threads[first], &threads[other]));
            }
        }
    }

    /// Runs the threads of one warp up to a barrier, from exchange to exchange.
    fn warp(&mut self, threads: &mut [Process]) -> Result<(), MachineError> {
        loop {
            let mut met = None;
            let mut apart = None;
            for (k, thread) in threads.iter_mut().enumerate() {
                if thread.done {
                    apart = apart.or(Some(k));
                    continue;
                }
                match self.go(thread, None)? {
                    Pause::Warp => met = met.or(Some(k)),
                    Pause::Barrier => {
                        thread.actor.phase += 1;
                        apart = apart.or(Some(k));
                    }
                    Pause::End => {
                        thread.done = true;
                        apart = apart.or(Some(k));
                    }
                    Pause::Fork | Pause::Wait(_) => {
                        unreachable!("a kernel is checked to have no PARALLEL and no WAIT")
                    }
                }
            }
            let Some(first) = met else { return Ok(()) };
            let elsewhere = |t: &Process| t.pc != threads[first].pc;
            if let Some(other) = apart.or_else(|| threads.iter().position(elsewhere)) {
                return Err(self.warp_divergence(&threads[first], &threads[other]));
            }
            if threads.len() < WARP {
                return Err(self.failure(
                    (
                        Kind::Divergence,
                        format!(
                            "a warp of {} threads exchanges values, and it takes {WARP}",
                            threads.len()
                        ),
                    ),
                    threads[first].pc - 1,
                    threads[first].actor,
                ));
            }
            self.exchange(threads)?;
        }
    }

    /// Exchanges values between the threads of a warp, which stand behind the same exchange.
    fn exchange(&mut self, threads: &mut [Process]) -> Result<(), MachineError> {
        let pc = threads[0].pc - 1;
        let Instr::Warp { exchange, values } = &self.code.instructions[pc as usize] else {
            unreachable!("the threads stand at an exchange")
        };
        for &(first, ty) in values {
            for reg in first..first + ty.components() as u32 {
                let reg = reg as usize;
                let mut all: Vec<u64> = threads.iter().map(|t| t.registers[reg]).collect();
                match exchange {
                    Exchange::Rotate => all.rotate_left(1),
                    Exchange::All(combine) => {
                        for distance in [16, 8, 4, 2, 1] {
                            let before = all.clone();
                            for (lane, value) in all.iter_mut().enumerate() {
                                let (a, b) = (before[lane & !distance], before[lane | distance]);
                                *value = combined(*combine, ty.component(), a, b)
                                    .map_err(|f| self.failure(f, pc, threads[lane].actor))?;
                            }
                        }
                    }
                }
                for (thread, value) in threads.iter_mut().zip(all) {
                    thread.registers[reg] = value;
                }
            }
        }
        Ok(())
    }

    fn warp_divergence(&self, at_exchange: &Process, other: &Process) -> MachineError {
        let mut error = self.divergence(at_exchange, other);
        error.message = "an exchange is not met by all threads of the warp".into();
        error.accesses[0].cell = "this exchange is met".into();
        error.missing = Some(
            "every thread of a warp must meet the same exchanges: move it out of the condition"
                .into(),
        );
        error
    }

    pub(super) fn divergence(&self, at_barrier: &Process, other: &Process) -> MachineError {
        let place = |p: &Process, what: &str| Access {
            cell: what.into(),
            thread: self.who(p.actor),
            span: self.span(p.pc.saturating_sub(1)),
        };
        let where_other = if other.done {
            "the end of the kernel is reached"
        } else {
            "another barrier is met"
        };
        MachineError {
            kind: Kind::Divergence,
            message: "a barrier is not met by all threads of the block".into(),
            accesses: vec![place(at_barrier, "this barrier is met"), place(other, where_other)],
            missing: Some("every thread of a block must meet the same barriers: move BARRIER out of the condition".into()),
        }
    }
}

/// One value of two, of which the first is that of the thread with the lower number.
fn combined(combine: Combine, ty: Type, a: u64, b: u64) -> Result<u64, Failure> {
    let less = |a, b| compare(Comparison::Less, ty, a, b);
    Ok(match combine {
        Combine::Sum => return arithmetic(Arithmetic::Add, ty, a, b),
        Combine::Extreme(Extreme::Min) if less(b, a) => b,
        Combine::Extreme(Extreme::Max) if less(a, b) => b,
        Combine::Extreme(_) => a,
    })
}
