//! A run, and runs within conditions as frames on a stack.

use super::asking::Asking;
use super::cells::{Cells, FALSE, SET, TRUE};
use super::code::Program;
use super::facts::{Facts, Judging};
use super::functors::Functors;
use super::kept::Steps;
use super::orders::Entry;
use super::passes::Item;
use super::search::Search;
use crate::rewrite::system::{Limits, Trace};
use crate::rewrite::{Order, RuleBase};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a step at a cell does.
pub(super) enum Stepped {
    /// Another term stands there.
    Became(u32),
    /// There is no redex.
    Stays,
    /// A rule waits for a run that was put on the stack.
    Waits,
    /// The run is over before the term is normal.
    Stopped,
}

/// What a traversal ends with.
pub(super) enum Event {
    /// The normal form.
    Finished(u32),
    Waits,
    Stopped,
}

/// A run by an order: the one that was asked for, or one within a condition.
pub(super) struct Frame {
    /// What it began with; under TopDown, what its pass began with.
    pub(super) root: u32,
    /// Where its part of the traversal's stacks begins.
    pub(super) base: usize,
    pub(super) done: usize,
    /// What cells became in its pass. The outermost run notes that in the cells.
    pub(super) became: FxHashMap<u32, u32>,
    /// Whether a rule was not tried because it was being asked about the same term: what is
    /// normal here need not be so elsewhere, and is noted here only.
    pub(super) is_tainted: bool,
    pub(super) normal: FxHashSet<u32>,
    /// Terms that stayed as they are while what was computed for their rules changed facts: by those they
    /// may be redexes, so they are normal here only, and so is what they stand in.
    pub(super) doubtful: FxHashSet<u32>,
    /// What the version of the facts was when its last step began.
    stepped: u64,
    /// The place nearest to the root from which a change anywhere below must be seen.
    pub(super) watch: Option<usize>,
    /// What it is to reduce.
    pub(super) input: u32,
    /// Whether what came of that is kept.
    is_kept: bool,
    /// What the version of the facts was when it began.
    begun: u64,
    /// What the version of the facts was when its pass began.
    pub(super) version: u64,
}

/// A rule at work on a redex.
pub(super) struct Try<'b> {
    pub(super) redex: u32,
    /// The number of the next candidate.
    pub(super) next: u32,
    pub(super) rule: u32,
    pub(super) pc: u32,
    pub(super) variables: usize,
    pub(super) values: usize,
    pub(super) marks: usize,
    pub(super) looked: bool,
    /// How many rewrites there were when the step began that it is tried for.
    pub(super) begun: u64,
    pub(super) search: Option<Box<Search<'b>>>,
    /// Whether its conditions are being asked.
    pub(super) asks: bool,
    pub(super) judging: Option<Box<Judging>>,
    /// What takes the place of the redex, once it has fired and acts.
    pub(super) result: u32,
    /// Whether an action ended the run; those behind it are done all the same.
    pub(super) ends: bool,
}

/// Where the parts of stacks begin that may have changed since the last collection: what is below
/// leads to old cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Touched {
    pub(super) spine: usize,
    pub(super) work: usize,
    pub(super) done: usize,
}

/// An engine with the term it works on.
pub(super) struct Engine<'b> {
    pub(super) base: &'b RuleBase,
    pub(super) program: Program,
    pub(super) functors: Functors,
    pub(super) cells: Cells,
    pub(super) order: Order,
    pub(super) limits: Limits<'b>,
    /// How many rules may be asked within each other.
    pub(super) most_open: u64,
    /// Cells of truth values, by their functors.
    pub(super) truths: [u32; 2],
    pub(super) values: Vec<u32>,
    pub(super) marks: Vec<usize>,
    pub(super) variables: Vec<u32>,
    /// The cells that the pattern at work went through.
    pub(super) passed: Vec<u32>,
    pub(super) tries: Vec<Try<'b>>,
    pub(super) frames: Vec<Frame>,
    pub(super) spine: Vec<Entry>,
    pub(super) work: Vec<Item>,
    pub(super) done: Vec<u32>,
    pub(super) touched: Touched,
    pub(super) asking: Asking,
    /// Normal forms of terms that were reduced within conditions.
    pub(super) reduced: FxHashMap<u32, u32>,
    pub(super) steps: Steps,
    /// Whether the step at work looked deeper than patterns do.
    pub(super) looked: bool,
    /// Whether no rule asks and no facts change: then what is normal is so everywhere.
    is_plain: bool,
    /// Whether the step at work is one within a condition, though there is no run for that.
    pub(super) is_within: bool,
    pub(super) trace: Trace,
    /// How often rules fired, within conditions too.
    pub(super) spent: u64,
    pub(super) standard_if: bool,
    pub(super) facts: Facts<'b>,
    /// How many runs there were when a rule ended them all.
    pub(super) ended: Option<usize>,
}

impl<'b> Engine<'b> {
    pub(super) fn new(
        base: &'b RuleBase,
        program: Program,
        functors: Functors,
        mut cells: Cells,
        facts: Facts<'b>,
    ) -> Engine<'b> {
        let truths = [cells.make(TRUE, &[]), cells.make(FALSE, &[])];
        Engine {
            base,
            order: Order::TopDown,
            limits: Limits::default(),
            most_open: u64::MAX,
            truths,
            values: Vec::new(),
            marks: Vec::new(),
            variables: Vec::new(),
            passed: vec![0; program.passed.max(1)],
            tries: Vec::new(),
            frames: Vec::new(),
            spine: Vec::new(),
            work: Vec::new(),
            done: Vec::new(),
            touched: Touched::default(),
            asking: Asking::new(program.rules.len()),
            reduced: FxHashMap::default(),
            steps: Steps::new(&program, &functors, facts.change),
            looked: false,
            is_within: false,
            is_plain: !facts.change && program.rules.iter().all(|rule| !rule.asks),
            trace: Trace::new(base.rules.len()),
            spent: 0,
            standard_if: functors.has_standard_if(),
            program,
            functors,
            cells,
            facts,
            ended: None,
        }
    }

    /// Rewrites a term until nothing changes (then true), or a limit is reached.
    pub(super) fn run(&mut self, root: u32) -> Result<(u32, bool), String> {
        self.begin(root, root, false);
        let mut pending = None;
        loop {
            let event = match self.order {
                Order::FirstTop | Order::NFirstTops => self.first_top(pending.take())?,
                Order::TopDown | Order::BottomTop => self.passes(pending.take())?,
            };
            match event {
                Event::Waits => {}
                Event::Stopped => {
                    if let Some(trouble) = self.facts.trouble() {
                        return Err(trouble);
                    }
                    // A rule that ends a run within a condition leaves the one around it undone.
                    let finished = self.ended == Some(1);
                    return Ok((self.give_up(), finished));
                }
                Event::Finished(result) => {
                    let frame = self.frames.pop();
                    if self.frames.is_empty() {
                        return Ok((result, true));
                    }
                    if let Some(frame) = frame {
                        self.keep(&frame, result);
                    }
                    self.values.push(result);
                    match self.resume() {
                        Stepped::Waits => {}
                        stepped => pending = Some(stepped),
                    }
                }
            }
        }
    }

    /// Puts a run on the stack that goes on from where a term has come to. What comes of that is kept, unless nothing
    /// else has the term.
    pub(super) fn begin(&mut self, input: u32, root: u32, is_kept: bool) {
        let base = match self.order {
            Order::FirstTop | Order::NFirstTops => self.spine.len(),
            Order::TopDown | Order::BottomTop => self.work.len(),
        };
        self.frames.push(Frame {
            root,
            base,
            done: self.done.len(),
            became: FxHashMap::default(),
            is_tainted: false,
            normal: FxHashSet::default(),
            doubtful: FxHashSet::default(),
            stepped: self.facts.version,
            watch: None,
            input,
            is_kept,
            begun: self.facts.version,
            version: self.facts.version,
        });
        match self.order {
            Order::FirstTop | Order::NFirstTops => self.spine.push(Entry::new(root)),
            Order::TopDown | Order::BottomTop => self.work.push(Item::Visit(root)),
        }
    }

    /// Keeps what a run within a condition found out. If it changed facts itself, its first passes were by
    /// others: the same term may become something else now.
    fn keep(&mut self, frame: &Frame, result: u32) {
        let is_new = frame.is_kept && frame.begun == self.facts.version;
        if is_new && !frame.is_tainted && result != frame.input {
            self.reduced.insert(frame.input, result);
        }
    }

    /// Whether a cell is known to be normal.
    #[inline]
    pub(super) fn is_normal(&self, cell: u32) -> bool {
        self.cells.is_normal(cell) || !self.is_plain && self.is_normal_here(cell)
    }

    fn is_normal_here(&self, cell: u32) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| !frame.normal.is_empty() && frame.normal.contains(&cell))
    }

    /// Notes that a cell is normal.
    #[inline]
    pub(super) fn settle(&mut self, cell: u32) {
        match self.is_plain {
            true => self.cells.set_normal(cell),
            false => self.settle_here(cell),
        }
    }

    fn settle_here(&mut self, cell: u32) {
        let is_doubtful = self.is_doubtful(cell);
        match self.frames.last_mut() {
            Some(frame) if frame.is_tainted || is_doubtful => {
                frame.normal.insert(cell);
            }
            _ => self.cells.set_normal(cell),
        }
    }

    /// Whether facts that changed may make a redex of a term that is done, or of what stands in it.
    fn is_doubtful(&self, cell: u32) -> bool {
        let Some(frame) = self.frames.last().filter(|_| self.facts.change) else {
            return false;
        };
        let mut parts = Vec::new();
        match self.cells.functor(cell) {
            SET => (self.cells).open_elements(self.cells.argument(cell, 0), &mut parts),
            _ => parts.extend_from_slice(self.cells.arguments(cell)),
        }
        frame.doubtful.contains(&cell) || parts.into_iter().any(|part| !self.cells.is_normal(part))
    }

    /// Notes whether facts changed since the step at a term began, which stays as it is.
    #[inline]
    pub(super) fn stays(&mut self, cell: u32) {
        if self.facts.change {
            self.stays_for_now(cell);
        }
    }

    fn stays_for_now(&mut self, cell: u32) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if frame.stepped != self.facts.version {
            frame.doubtful.insert(cell);
        } else {
            frame.doubtful.remove(&cell);
        }
    }

    /// One step at the root of a term: a rule, else a standard functor.
    #[inline]
    pub(super) fn step(&mut self, cell: u32) -> Stepped {
        self.looked = false;
        self.steps.begun = self.spent;
        if self.facts.change
            && let Some(frame) = self.frames.last_mut()
        {
            frame.stepped = self.facts.version;
        }
        self.attempt(cell, 0)
    }

    /// Goes on from where a rule waited; what it waited for is on the stack.
    fn resume(&mut self) -> Stepped {
        let Some(work) = self.tries.last() else {
            return Stepped::Stopped;
        };
        let (cell, next) = (work.redex, work.next);
        self.looked = work.looked;
        self.steps.begun = work.begun;
        let stepped = match self.go_on() {
            Some(stepped) => stepped,
            None => self.attempt(cell, next as usize),
        };
        self.keep_step(cell, &stepped);
        stepped
    }
}
