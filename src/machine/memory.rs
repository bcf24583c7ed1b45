//! Cells, and who touched them last.

use crate::algebra::Atomic;

/// A thread, an iteration or a branch, for telling accesses apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Actor {
    /// The launch, PARALLEL or host section; accesses of different ones are ordered.
    pub section: u32,
    /// The block; iterations and branches have one each.
    pub block: u32,
    /// The thread in its block.
    pub thread: u32,
    /// Barriers met by the block in this section.
    pub phase: u32,
}

/// What has happened before a process's next access, for telling whether an earlier access of
/// another process is ordered before it.
pub trait Order {
    /// Whether nothing orders the earlier access of an actor before the next one of this process.
    fn concurrent(&self, earlier: Actor) -> bool;
}

/// The last accesses to a cell, with the instruction of each.
#[derive(Clone, Copy, Debug, Default)]
struct Trace {
    writer: Actor,
    write_at: u32,
    written: bool,
    /// The last indivisible action, and another one of another actor, if there was one.
    adder: Actor,
    add_at: u32,
    adder2: Actor,
    add2_at: u32,
    adders: u8,
    /// Of which kinds those are that may be unordered, a bit for each.
    kinds: u8,
    reader: Actor,
    read_at: u32,
    /// Another reader of the same section, of another block or thread, if there was one.
    reader2: Actor,
    read2_at: u32,
    readers: u8,
}

/// One copy of an array's cells.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    cells: Vec<u64>,
    ready: Vec<bool>,
    /// Traces of the cells by pages, which are made when a cell of theirs is first traced: most
    /// cells of large arrays never are.
    pages: Vec<Option<Box<[Trace; PAGE]>>>,
    /// How many pages were made.
    made: u64,
}

/// Cells on a page of traces.
const PAGE: usize = 256;

/// Bytes that a page of traces takes.
pub const PAGE_BYTES: u64 = (PAGE * size_of::<Trace>()) as u64;

/// Bytes that a cell takes without its trace, with its part of the list of pages.
pub const CELL_BYTES: u64 = 9;

/// A conflict: the actor and instruction of the earlier access, and whether that was a write.
pub type Conflict = (Actor, u32, bool);

impl Memory {
    /// Cells that nobody wrote; traced if accesses may conflict.
    pub fn new(cells: usize) -> Memory {
        Memory {
            cells: vec![0; cells],
            ready: vec![false; cells],
            pages: Vec::new(),
            made: 0,
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        self.len() as u64 * CELL_BYTES + self.made * PAGE_BYTES
    }

    /// Bytes that an access to a cell would take more: those of its page of traces.
    pub fn lacks(&self, cell: usize) -> u64 {
        match self.pages.get(cell / PAGE) {
            Some(Some(_)) => 0,
            _ => PAGE_BYTES,
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The value of a cell, if it was written.
    pub fn get(&self, cell: usize) -> Option<u64> {
        self.ready[cell].then(|| self.cells[cell])
    }

    /// Sets a cell from outside.
    pub fn set(&mut self, cell: usize, value: u64) {
        self.cells[cell] = value;
        self.ready[cell] = true;
    }

    /// Makes cells such as nobody wrote.
    pub fn forget(&mut self, cells: std::ops::Range<usize>) {
        self.ready[cells].fill(false);
    }

    /// Copies the cells of another memory of the same size, with what is known of them.
    ///
    /// Gives the first cell that was written here and is not there: its value would be lost.
    pub fn copy_from(&mut self, other: &Memory) -> Option<usize> {
        let lost = (0..self.cells.len()).find(|&i| self.ready[i] && !other.ready[i]);
        self.cells.copy_from_slice(&other.cells);
        self.ready.copy_from_slice(&other.ready);
        self.pages.clear();
        self.made = 0;
        lost
    }

    fn trace(&mut self, cell: usize) -> &mut Trace {
        if self.pages.is_empty() {
            self.pages.resize(self.cells.len().div_ceil(PAGE), None);
        }
        let page = &mut self.pages[cell / PAGE];
        if page.is_none() {
            self.made += 1;
        }
        let page = page.get_or_insert_with(|| Box::new([Trace::default(); PAGE]));
        &mut page[cell % PAGE]
    }

    /// Records a read by an actor of a section in which several run.
    pub fn read(
        &mut self,
        cell: usize,
        actor: Actor,
        at: u32,
        order: &impl Order,
    ) -> Option<Conflict> {
        let trace = self.trace(cell);
        if trace.written && order.concurrent(trace.writer) {
            return Some((trace.writer, trace.write_at, true));
        }
        if let Some(conflict) = trace.added(order) {
            return Some(conflict);
        }
        let same_section = trace.readers > 0 && trace.reader.section == actor.section;
        if !same_section && trace.readers > 0 && order.concurrent(trace.reader) {
            // A reader of another section, such as a branch around, that goes on to matter.
            if trace.readers == 1 || !order.concurrent(trace.reader2) {
                (trace.reader2, trace.read2_at) = (actor, at);
                trace.readers = 2;
            }
        } else if !same_section {
            (trace.reader, trace.read_at, trace.readers) = (actor, at, 1);
        } else if trace.reader.block == actor.block && trace.reader.thread == actor.thread {
            trace.reader.phase = actor.phase;
            trace.read_at = at;
        } else if trace.reader.block == actor.block
            && trace.reader.phase < actor.phase
            && trace.readers == 1
        {
            // The older read is ordered before whatever this block's threads do now.
            (trace.reader, trace.read_at) = (actor, at);
        } else {
            // Keep one of another block if there is one: it conflicts with every later write.
            let better = trace.readers == 1 || trace.reader2.block == trace.reader.block;
            if better {
                (trace.reader2, trace.read2_at) = (actor, at);
                trace.readers = 2;
            }
        }
        None
    }

    /// Records a write by an actor of a section in which several run.
    pub fn write(
        &mut self,
        cell: usize,
        actor: Actor,
        at: u32,
        atomic: Option<Atomic>,
        order: &impl Order,
    ) -> Option<Conflict> {
        let trace = self.trace(cell);
        if trace.written && order.concurrent(trace.writer) {
            return Some((trace.writer, trace.write_at, true));
        }
        if trace.readers > 0 && order.concurrent(trace.reader) {
            return Some((trace.reader, trace.read_at, false));
        }
        if trace.readers > 1 && order.concurrent(trace.reader2) {
            return Some((trace.reader2, trace.read2_at, false));
        }
        if let Some(op) = atomic {
            let kind = 1 << op as u8;
            let same = (trace.adder.block, trace.adder.thread) == (actor.block, actor.thread);
            let others = trace.added(order);
            // Actions of one kind have the same result in any order; those of different kinds do not.
            if trace.kinds & !kind != 0 && others.is_some() {
                return others;
            }
            trace.kinds = match others.is_some() || same && trace.adder == actor {
                true => trace.kinds | kind,
                false => kind,
            };
            if trace.adders > 0 && order.concurrent(trace.adder) && !same {
                (trace.adder2, trace.add2_at, trace.adders) = (trace.adder, trace.add_at, 2);
            }
            (trace.adder, trace.add_at, trace.adders) = (actor, at, trace.adders.max(1));
            return None;
        }
        if let Some(conflict) = trace.added(order) {
            return Some(conflict);
        }
        (trace.writer, trace.write_at, trace.written) = (actor, at, true);
        None
    }
}

impl Trace {
    /// An indivisible action that is not ordered before the next access.
    fn added(&self, order: &impl Order) -> Option<Conflict> {
        if self.adders > 0 && order.concurrent(self.adder) {
            return Some((self.adder, self.add_at, true));
        }
        if self.adders > 1 && order.concurrent(self.adder2) {
            return Some((self.adder2, self.add2_at, true));
        }
        None
    }
}
