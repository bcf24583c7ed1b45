//! Cells, and who touched them last.

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

impl Actor {
    /// Whether nothing orders two accesses of these actors.
    pub fn concurrent_with(self, other: Actor) -> bool {
        self.section == other.section
            && (self.block != other.block
                || self.thread != other.thread && self.phase == other.phase)
    }
}

/// The last accesses to a cell, with the instruction of each.
#[derive(Clone, Copy, Debug, Default)]
struct Trace {
    writer: Actor,
    write_at: u32,
    write_atomic: bool,
    written: bool,
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
    traces: Vec<Trace>,
}

/// A conflict: the actor and instruction of the earlier access, and whether that was a write.
pub type Conflict = (Actor, u32, bool);

impl Memory {
    /// Cells that nobody wrote; traced if accesses may conflict.
    pub fn new(cells: usize) -> Memory {
        Memory {
            cells: vec![0; cells],
            ready: vec![false; cells],
            traces: Vec::new(),
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

    /// Copies the cells of another memory of the same size, with what is known of them.
    ///
    /// Gives the first cell that was written here and is not there: its value would be lost.
    pub fn copy_from(&mut self, other: &Memory) -> Option<usize> {
        let lost = (0..self.cells.len()).find(|&i| self.ready[i] && !other.ready[i]);
        self.cells.copy_from_slice(&other.cells);
        self.ready.copy_from_slice(&other.ready);
        self.traces.clear();
        lost
    }

    fn trace(&mut self, cell: usize) -> &mut Trace {
        if self.traces.is_empty() {
            self.traces = vec![Trace::default(); self.cells.len()];
        }
        &mut self.traces[cell]
    }

    /// Records a read by an actor of a section in which several run.
    pub fn read(&mut self, cell: usize, actor: Actor, at: u32) -> Option<Conflict> {
        let trace = self.trace(cell);
        if trace.written && trace.writer.concurrent_with(actor) {
            return Some((trace.writer, trace.write_at, true));
        }
        let same_section = trace.readers > 0 && trace.reader.section == actor.section;
        if !same_section {
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
    pub fn write(&mut self, cell: usize, actor: Actor, at: u32, atomic: bool) -> Option<Conflict> {
        let trace = self.trace(cell);
        if trace.written && trace.writer.concurrent_with(actor) && !(atomic && trace.write_atomic) {
            return Some((trace.writer, trace.write_at, true));
        }
        if trace.readers > 0 && trace.reader.concurrent_with(actor) {
            return Some((trace.reader, trace.read_at, false));
        }
        if trace.readers > 1 && trace.reader2.concurrent_with(actor) {
            return Some((trace.reader2, trace.read2_at, false));
        }
        (
            trace.writer,
            trace.write_at,
            trace.write_atomic,
            trace.written,
        ) = (actor, at, atomic, true);
        None
    }
}
