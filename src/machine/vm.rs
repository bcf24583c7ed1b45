//! Running code: the host, its branches, and the threads of launches.

use super::code::{Code, Instr};
use super::error::{Access, Kind, MachineError};
use super::memory::{Actor, Memory};
use super::order::{Sections, Seen};
use super::{Limits, Outcome};
use crate::check::Scheme;
use crate::term::Symbol;
use std::sync::atomic::AtomicBool;

/// An array while the machine runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub dims: Vec<i64>,
    pub components: usize,
    pub host: Memory,
    pub device: Option<Memory>,
    /// For a shared array: the section and block it was made for.
    pub(super) owner: (u32, u32),
}

impl Store {
    /// The copy that an access reaches.
    pub(super) fn memory(&mut self, on_device: bool) -> &mut Memory {
        match &mut self.device {
            Some(device) if on_device => device,
            _ => &mut self.host,
        }
    }
}

/// Why code stopped.
#[derive(Debug, PartialEq)]
pub(super) enum Pause {
    End,
    Barrier,
    /// At an exchange between the threads of a warp.
    Warp,
    /// A fork: the children are to run, then the code goes on.
    Fork,
    /// At a WAIT whose control point was not met.
    Wait(Symbol),
}

/// Steps that it takes to begin and to end a thread of a launch: its registers are those of the host.
const STEPS_OF_THREAD: u128 = 8;

/// A thread, an iteration, a branch or the host.
pub(super) struct Process {
    pub(super) pc: u32,
    pub(super) registers: Vec<u64>,
    pub(super) actor: Actor,
    /// Whether others run at the same time.
    pub(super) several: bool,
    /// What is over of others.
    pub(super) seen: Seen,
    pub(super) parent: Option<usize>,
    pub(super) children: usize,
    pub(super) waiting: Option<Symbol>,
    pub(super) done: bool,
}

/// A launch that is running.
#[derive(Clone, Copy, Default)]
pub(super) struct Grid {
    pub(super) blocks: i64,
    pub(super) threads: i64,
}

pub(super) struct Vm<'a> {
    pub scheme: &'a Scheme,
    pub code: &'a Code,
    pub registers: Vec<u64>,
    pub stores: Vec<Store>,
    pub outcome: Outcome,
    pub(super) limits: Limits,
    /// Set from outside when the run is to end.
    pub(super) stop: Option<&'a AtomicBool>,
    /// The step after which the bound and what is set from outside are looked at.
    pub(super) look_after: u64,
    pub(super) accesses: u64,
    pub(super) steps: u64,
    /// Bytes that are taken of those that may be.
    pub(super) bytes: u64,
    pub(super) sections: Sections,
    pub(super) grid: Grid,
    pub(super) in_kernel: bool,
    /// A read of a cell that nobody had written, while others run that may be about to write it:
    /// that is a race then, and told as one.
    pub(super) unwritten: Option<MachineError>,
}

impl<'a> Vm<'a> {
    pub fn new(scheme: &'a Scheme, code: &'a Code, limits: Limits) -> Vm<'a> {
        Vm {
            scheme,
            code,
            registers: vec![0; code.registers + 1],
            stores: vec![Store::default(); code.arrays.len()],
            outcome: Outcome::default(),
            limits,
            stop: None,
            look_after: 0,
            accesses: 0,
            steps: 0,
            bytes: 0,
            sections: Sections::default(),
            grid: Grid::default(),
            in_kernel: false,
            unwritten: None,
        }
    }

    /// Runs the host from an instruction until the code stops or reaches `end`.
    pub fn run(&mut self, from: u32, end: Option<u32>) -> Result<(), MachineError> {
        let host = Process {
            pc: from,
            registers: std::mem::take(&mut self.registers),
            actor: Actor::default(),
            several: false,
            seen: Seen::new(),
            parent: None,
            children: 0,
            waiting: None,
            done: false,
        };
        let mut processes = vec![host];
        loop {
            let mut progress = false;
            let mut k = processes.len();
            // Younger processes first: children run before what waits for them.
            while k > 0 {
                k -= 1;
                if processes[k].done || processes[k].children > 0 {
                    continue;
                }
                if let Some(point) = processes[k].waiting {
                    if !self.sections.is_met(point) {
                        continue;
                    }
                    processes[k].waiting = None;
                }
                progress = true;
                if k == 0 {
                    // Whoever could have written what was read has ended.
                    self.unwritten()?;
                }
                let pause = match self.go(&mut processes[k], end) {
                    Ok(pause) => pause,
                    Err(error) => return Err(self.first(error)),
                };
                match pause {
                    Pause::End | Pause::Barrier | Pause::Warp => {
                        processes[k].done = true;
                        if let Some(parent) = processes[k].parent {
                            processes[parent].children -= 1;
                            if processes[parent].children == 0 {
                                processes[parent].actor.phase += 1;
                            }
                            processes[k].registers = Vec::new();
                        }
                    }
                    Pause::Wait(point) => processes[k].waiting = Some(point),
                    Pause::Fork => {
                        let children = self.fork(&mut processes[k], k)?;
                        processes.extend(children);
                        k = processes.len();
                    }
                }
                // Children that are done leave nothing behind.
                while processes.len() > 1
                    && processes.last().is_some_and(|p| p.done)
                    && k + 1 >= processes.len()
                {
                    processes.pop();
                    k = k.min(processes.len());
                }
            }
            if processes[0].done {
                self.registers = std::mem::take(&mut processes[0].registers);
                return Ok(());
            }
            if !progress {
                let error = self.deadlock(&processes);
                return Err(self.first(error));
            }
        }
    }

    /// The read of a cell that nobody had written, if there was one.
    pub(super) fn unwritten(&mut self) -> Result<(), MachineError> {
        self.unwritten.take().map_or(Ok(()), Err)
    }

    /// Which of two errors to tell: a race explains a read of what nobody had written yet, and
    /// anything else may come from it.
    pub(super) fn first(&mut self, error: MachineError) -> MachineError {
        match self.unwritten.take() {
            Some(unwritten) if error.kind != Kind::Race => unwritten,
            _ => error,
        }
    }

    pub(super) fn deadlock(&self, processes: &[Process]) -> MachineError {
        let waiting: Vec<&Process> = processes.iter().filter(|p| p.waiting.is_some()).collect();
        let accesses = waiting
            .iter()
            .map(|p| Access {
                cell: format!("'{}'", p.waiting.map_or("", Symbol::as_str)),
                thread: self.who(p.actor),
                span: self.span(p.pc),
            })
            .collect();
        MachineError {
            kind: Kind::Deadlock,
            message: "every branch waits for a control point that none of them will meet".into(),
            accesses,
            missing: Some("a CONTROL POINT before the WAIT, in another branch".into()),
        }
    }

    /// The processes that a fork starts.
    pub(super) fn fork(
        &mut self,
        parent: &mut Process,
        index: usize,
    ) -> Result<Vec<Process>, MachineError> {
        let at = parent.pc - 1;
        // A part of its own for the children, and, when they have joined, for what follows.
        parent.actor.phase += 1;
        let section = self.sections.start(parent.actor);
        let seen = parent.seen.clone();
        let child = |pc: u32, block: u32, registers: Vec<u64>| Process {
            pc,
            registers,
            actor: Actor {
                section,
                block,
                thread: 0,
                phase: 0,
            },
            several: true,
            seen: seen.clone(),
            parent: Some(index),
            children: 0,
            waiting: None,
            done: false,
        };
        let children: Vec<Process> = match &self.code.instructions[at as usize] {
            Instr::ForkLoop {
                var,
                from,
                to,
                after,
            } => {
                let (first, last) = (
                    parent.registers[*from as usize] as i64,
                    parent.registers[*to as usize] as i64,
                );
                parent.pc = *after;
                let count = (last as i128 - first as i128 + 1).max(0);
                // Each is made, moved to the others and, as their list grows, moved again.
                let each = (3 * size_of::<Process>() + 8 * parent.registers.len() + 48) as i128;
                let room = i128::from(self.limits.bytes.saturating_sub(self.bytes));
                let kind = match (count > 1 << 24, count.saturating_mul(each) > room) {
                    (true, _) => Some(Kind::Data),
                    (false, true) => Some(Kind::Memory),
                    (false, false) => None,
                };
                if let Some(kind) = kind {
                    let message = format!(
                        "{count} iterations of PARALLEL are too many for the reference machine"
                    );
                    return Err(self.failure((kind, message), at, parent.actor));
                }
                // Started in reverse, so that the first iteration runs first.
                (first..=last)
                    .rev()
                    .map(|i| {
                        let mut registers = parent.registers.clone();
                        registers[*var as usize] = i as u64;
                        child(at + 1, (i - first) as u32, registers)
                    })
                    .collect()
            }
            Instr::ForkBranches { starts, after } => {
                parent.pc = *after;
                starts
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(k, &start)| child(start, k as u32, parent.registers.clone()))
                    .collect()
            }
            other => unreachable!("{other:?} is not a fork"),
        };
        parent.children = children.len();
        Ok(children)
    }

    /// Runs the threads of a launch, block by block.
    pub(super) fn launch(
        &mut self,
        at: u32,
        host: &Process,
        blocks: i64,
        threads: i64,
    ) -> Result<(), MachineError> {
        if blocks <= 0 || threads <= 0 {
            return Ok(());
        }
        if threads > 1024 {
            return Err(self.failure(
                (
                    Kind::Data,
                    format!("{threads} threads are more than a block can have (1024)"),
                ),
                at,
                host.actor,
            ));
        }
        // A thread takes its steps to begin and to end, whether or not it does anything between them.
        let begun = (blocks as u128 * threads as u128).saturating_mul(STEPS_OF_THREAD);
        let steps = u128::from(self.steps) + begun;
        if steps > u128::from(self.limits.steps) {
            let message = format!("more than {} steps", self.limits.steps);
            return Err(self.failure((Kind::Steps, message), at, host.actor));
        }
        self.steps = steps as u64;
        let section = self.sections.start(host.actor);
        let outer = std::mem::replace(&mut self.grid, Grid { blocks, threads });
        self.in_kernel = true;
        let end = match self.code.instructions[at as usize] {
            Instr::Launch { after, .. } => after as usize,
            _ => unreachable!("a launch"),
        };
        let body = &self.code.instructions[at as usize + 1..end];
        let meets = body
            .iter()
            .any(|i| matches!(i, Instr::Barrier | Instr::Warp { .. }));
        for block in 0..blocks {
            let actor = |thread: i64| Actor {
                section,
                block: block as u32,
                thread: thread as u32,
                phase: 0,
            };
            let process = |registers: Vec<u64>, thread: i64| Process {
                pc: at + 1,
                registers,
                actor: actor(thread),
                several: true,
                seen: host.seen.clone(),
                parent: None,
                children: 0,
                waiting: None,
                done: false,
            };
            if meets {
                let mut all: Vec<Process> = (0..threads)
                    .map(|t| process(host.registers.clone(), t))
                    .collect();
                self.block(&mut all)?;
            } else {
                let mut one = process(host.registers.clone(), 0);
                for thread in 0..threads {
                    one.pc = at + 1;
                    one.registers.copy_from_slice(&host.registers);
                    one.actor = actor(thread);
                    self.go(&mut one, None)?;
                }
            }
        }
        self.in_kernel = false;
        self.grid = outer;
        if host.several {
            return Ok(());
        }
        self.unwritten()
    }
}
