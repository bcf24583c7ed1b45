//! Running code: the host, its branches, and the threads of launches.

use super::arithmetic::{Failure, arithmetic, compare, convert, unary};
use super::code::{Code, Instr, Reg, Space};
use super::error::{Access, Kind, MachineError};
use super::memory::{Actor, Conflict, Memory};
use super::order::{Next, Sections, Seen};
use super::{Limits, Outcome};
use crate::algebra::Type;
use crate::check::{Scheme, author_name};
use crate::term::Symbol;

/// Most cells of one array: beyond it, a size is taken for a mistake. Such an array takes 9 bytes a
/// cell, and is far too large for the machine to fill in any time.
const MOST_CELLS: i64 = 1 << 29;

/// An array while the machine runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub dims: Vec<i64>,
    pub components: usize,
    pub host: Memory,
    pub device: Option<Memory>,
    /// For a shared array: the section and block it was made for.
    owner: (u32, u32),
}

/// Steps that the others have to show that they write what was read too early.
const STEPS_AFTER: u64 = 1_000_000;

impl Store {
    /// The copy that an access reaches.
    fn memory(&mut self, on_device: bool) -> &mut Memory {
        match &mut self.device {
            Some(device) if on_device => device,
            _ => &mut self.host,
        }
    }
}

/// Why code stopped.
#[derive(Debug, PartialEq)]
enum Pause {
    End,
    Barrier,
    /// A fork: the children are to run, then the code goes on.
    Fork,
    /// At a WAIT whose control point was not met.
    Wait(Symbol),
}

/// A thread, an iteration, a branch or the host.
struct Process {
    pc: u32,
    registers: Vec<u64>,
    actor: Actor,
    /// Whether others run at the same time.
    several: bool,
    /// What is over of others.
    seen: Seen,
    parent: Option<usize>,
    children: usize,
    waiting: Option<Symbol>,
    done: bool,
}

/// A launch that is running.
#[derive(Clone, Copy, Default)]
struct Grid {
    blocks: i64,
    threads: i64,
}

pub(super) struct Vm<'a> {
    pub scheme: &'a Scheme,
    pub code: &'a Code,
    pub registers: Vec<u64>,
    pub stores: Vec<Store>,
    pub outcome: Outcome,
    limits: Limits,
    accesses: u64,
    steps: u64,
    sections: Sections,
    grid: Grid,
    in_kernel: bool,
    /// A read of a cell that nobody had written, while others run that may be about to write it:
    /// that is a race then, and told as one.
    unwritten: Option<MachineError>,
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
            accesses: 0,
            steps: 0,
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
                    Pause::End | Pause::Barrier => {
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
    fn unwritten(&mut self) -> Result<(), MachineError> {
        self.unwritten.take().map_or(Ok(()), Err)
    }

    /// Which of two errors to tell: a race explains a read of what nobody had written yet, and
    /// anything else may come from it.
    fn first(&mut self, error: MachineError) -> MachineError {
        match self.unwritten.take() {
            Some(unwritten) if error.kind != Kind::Race => unwritten,
            _ => error,
        }
    }

    fn deadlock(&self, processes: &[Process]) -> MachineError {
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
    fn fork(&mut self, parent: &mut Process, index: usize) -> Result<Vec<Process>, MachineError> {
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
                if count > 1 << 24 {
                    return Err(self.failure((Kind::Data, format!("{count} iterations of PARALLEL are too many for the reference machine")), at, parent.actor));
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
            other => unreachable!("{other:?} is no fork"),
        };
        parent.children = children.len();
        Ok(children)
    }

    /// Runs the threads of a launch, block by block.
    fn launch(
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
        let section = self.sections.start(host.actor);
        let outer = std::mem::replace(&mut self.grid, Grid { blocks, threads });
        self.in_kernel = true;
        let end = match self.code.instructions[at as usize] {
            Instr::Launch { after, .. } => after as usize,
            _ => unreachable!("a launch"),
        };
        let body = &self.code.instructions[at as usize + 1..end];
        let has_barrier = body.contains(&Instr::Barrier);
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
            if has_barrier {
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

    /// Runs the threads of one block from barrier to barrier.
    fn block(&mut self, threads: &mut [Process]) -> Result<(), MachineError> {
        loop {
            let mut at_barrier = 0;
            for thread in threads.iter_mut() {
                if self.go(thread, None)? == Pause::Barrier {
                    at_barrier += 1;
                    thread.actor.phase += 1;
                } else {
                    thread.done = true;
                }
            }
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

    fn divergence(&self, at_barrier: &Process, other: &Process) -> MachineError {
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

    fn who(&self, actor: Actor) -> String {
        if self.in_kernel {
            format!("block {}, thread {}", actor.block, actor.thread)
        } else if actor.section == 0 {
            "the host".into()
        } else {
            format!("iteration or branch {}", actor.block)
        }
    }

    fn span(&self, pc: u32) -> Option<crate::term::Span> {
        let id = *self.code.places.get(pc as usize)?;
        self.scheme.terms.span(id)
    }

    fn failure(&self, (kind, message): Failure, pc: u32, actor: Actor) -> MachineError {
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

    /// A cell's name: `r[3].x`.
    fn cell_name(&self, array: u32, cell: usize) -> String {
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

    fn race(
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
            "blocks of a launch are not ordered: end the launch between the two accesses, or make both ATOMIC"
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
    fn on_device(&self, array: u32, pc: u32, actor: Actor) -> Result<bool, MachineError> {
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

    fn count(&mut self, pc: u32, actor: Actor) -> Result<(), MachineError> {
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

    fn load(
        &mut self,
        process: &Process,
        array: u32,
        cell: usize,
        pc: u32,
    ) -> Result<u64, MachineError> {
        self.count(pc, process.actor)?;
        let (actor, several) = (process.actor, process.several);
        let on_device = self.on_device(array, pc, actor)?;
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
                        format!("{name} is read{place}, and nobody wrote it"),
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
                }
                Ok(0)
            }
        }
    }

    fn store(
        &mut self,
        process: &Process,
        array: u32,
        cell: usize,
        value: u64,
        pc: u32,
        atomic: bool,
    ) -> Result<(), MachineError> {
        self.count(pc, process.actor)?;
        let (actor, several) = (process.actor, process.several);
        let on_device = self.on_device(array, pc, actor)?;
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
    fn make_array(
        &mut self,
        process: &Process,
        array: u32,
        dims: Reg,
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
        self.stores[array as usize] = Store {
            dims,
            components: ty.components(),
            host: Memory::new(cells as usize),
            device: None,
            owner,
        };
        Ok(())
    }

    /// Runs a process until it pauses.
    fn go(&mut self, process: &mut Process, end: Option<u32>) -> Result<Pause, MachineError> {
        let code = self.code;
        loop {
            let pc = process.pc;
            if Some(pc) == end {
                return Ok(Pause::End);
            }
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(self.failure(
                    (
                        Kind::Steps,
                        format!("more than {} steps", self.limits.steps),
                    ),
                    pc,
                    process.actor,
                ));
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
                Instr::Not { to, a } => r[*to as usize] = u64::from(r[*a as usize] == 0),
                Instr::Convert { from, into, to, a } => match convert(*from, *into, r[*a as usize])
                {
                    Ok(value) => r[*to as usize] = value,
                    Err(failure) => return Err(self.failure(failure, pc, process.actor)),
                },
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
                    self.store(process, *array, cell, value, pc, false)?;
                }
                Instr::AtomicAdd {
                    array,
                    element,
                    component,
                    from,
                } => {
                    let cell = r[*element as usize] as usize
                        * self.stores[*array as usize].components
                        + *component as usize;
                    let value = r[*from as usize];
                    self.atomic_add(process, *array, cell, value, pc)?;
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
                            (Kind::Division, "a loop goes on by steps of 0".into()),
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
                Instr::MakeArray { array, dims } => self.make_array(process, *array, *dims, pc)?,
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
                    self.outcome.reports.push((*label, values));
                }
                Instr::Save { label, array } => {
                    let store = &self.stores[*array as usize];
                    let cells = (0..store.host.len())
                        .map(|c| store.host.get(c).unwrap_or(0))
                        .collect();
                    self.outcome
                        .saves
                        .push((*label, code.arrays[*array as usize].name, cells));
                }
                Instr::Allocate { array } => {
                    let store = &mut self.stores[*array as usize];
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
                    store.device = Some(Memory::new(store.host.len()));
                }
                Instr::CopyToDevice { array }
                | Instr::CopyFromDevice { array }
                | Instr::Free { array } => {
                    self.device_memory(process, *array, pc)?;
                }
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

    fn atomic_add(
        &mut self,
        process: &Process,
        array: u32,
        cell: usize,
        value: u64,
        pc: u32,
    ) -> Result<(), MachineError> {
        let ty = self.code.arrays[array as usize].ty.component();
        let on_device = self.on_device(array, pc, process.actor)?;
        let memory = self.stores[array as usize].memory(on_device);
        let Some(old) = memory.get(cell) else {
            let name = self.cell_name(array, cell);
            return Err(self.failure(
                (
                    Kind::Uninitialized,
                    format!("{name} is added to, and nobody wrote it"),
                ),
                pc,
                process.actor,
            ));
        };
        match arithmetic(super::code::Arithmetic::Add, ty, old, value) {
            Ok(sum) => self.store(process, array, cell, sum, pc, true),
            Err(failure) => Err(self.failure(failure, pc, process.actor)),
        }
    }

    fn device_memory(
        &mut self,
        process: &Process,
        array: u32,
        pc: u32,
    ) -> Result<(), MachineError> {
        let name = author_name(self.code.arrays[array as usize].name);
        let instr = &self.code.instructions[pc as usize];
        let store = &mut self.stores[array as usize];
        let Some(device) = &mut store.device else {
            let mut error = self.failure(
                (
                    Kind::NotOnDevice,
                    format!("`{name}` has no memory on the device"),
                ),
                pc,
                process.actor,
            );
            error.missing = Some(format!(
                "\"Allocate memory for ({name}) on the device\" before this"
            ));
            return Err(error);
        };
        match instr {
            Instr::CopyToDevice { .. } => {
                device.copy_from(&store.host);
            }
            Instr::CopyFromDevice { .. } => {
                if let Some(cell) = store.host.copy_from(device) {
                    let cell = self.cell_name(array, cell);
                    let message = format!(
                        "{cell} is copied from the device, where nobody wrote it, over a value of the host"
                    );
                    let mut error = self.failure((Kind::Uninitialized, message), pc, process.actor);
                    error.missing = Some(format!(
                        "\"Copy ({name}) to the device\" before the launch, as it writes a part of it only"
                    ));
                    return Err(error);
                }
            }
            _ => store.device = None,
        }
        Ok(())
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
