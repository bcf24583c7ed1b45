//! What a run still needs, when its memory is cleaned up.

use super::engine::{Engine, Touched};
use super::passes::Item;
use rustc_hash::FxHashMap;

/// Why a term is beyond this engine.
pub(super) const TOO_MANY_FUNCTORS: &str = "there are more than two million different functors";

impl Engine<'_> {
    /// Drops the cells that nothing needs any more.
    pub(super) fn collect(&mut self) -> Result<(), String> {
        if self.cells.has_too_many_functors() {
            return Err(TOO_MANY_FUNCTORS.to_string());
        }
        let touched = match self.cells.is_collecting_all() {
            true => Touched::default(),
            false => self.touched,
        };
        let hashed = self.asking.hashed();
        let mut collection = self.cells.collection();
        let lists = [
            &mut self.program.constants[..],
            &mut self.truths[..],
            &mut self.values[..],
            &mut self.variables[..],
            &mut self.done[touched.done..],
        ];
        for cell in lists.into_iter().flatten() {
            *cell = collection.forward(*cell);
        }
        for entry in &mut self.spine[touched.spine..] {
            entry.cell = collection.forward(entry.cell);
            entry.element = collection.forward(entry.element);
        }
        for item in &mut self.work[touched.work..] {
            let cell = match item {
                Item::Visit(cell)
                | Item::Step(cell)
                | Item::Make(cell)
                | Item::Choose(cell)
                | Item::Keep(cell)
                | Item::MakeSet(cell, _) => cell,
            };
            *cell = collection.forward(*cell);
        }
        for work in &mut self.tries {
            work.redex = collection.forward(work.redex);
            work.result = collection.forward(work.result);
            if let Some(search) = &mut work.search {
                search.collect(&mut collection);
            }
        }
        self.asking.collect(&mut collection);
        for frame in &mut self.frames {
            frame.root = collection.forward(frame.root);
            frame.input = collection.forward(frame.input);
        }
        collection.scan();
        // What is only remembered is kept with what it is about. What that leads to may again be
        // remembered, so this goes on until nothing is added.
        let mut frames: Vec<FxHashMap<u32, u32>> = Vec::new();
        for frame in &mut self.frames {
            frames.push(std::mem::take(&mut frame.became));
        }
        let mut tables = vec![std::mem::take(&mut self.reduced)];
        tables.extend(frames);
        let mut new: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); tables.len()];
        let mut steps = self.steps.moving();
        loop {
            let mut added = self.steps.collect(&mut steps, &mut collection);
            for (table, new) in tables.iter_mut().zip(&mut new) {
                table.retain(|&key, &mut value| match collection.moved(key) {
                    None => true,
                    Some(key) => {
                        new.insert(key, collection.forward(value));
                        added = true;
                        false
                    }
                });
            }
            if !added {
                break;
            }
            collection.scan();
        }
        self.steps = steps;
        let mut new = new.into_iter();
        self.reduced = new.next().unwrap_or_default();
        for (frame, became) in self.frames.iter_mut().zip(new) {
            frame.became = became;
            for cells in [&mut frame.normal, &mut frame.doubtful] {
                let moved = cells.iter().filter_map(|&cell| collection.moved(cell));
                *cells = moved.collect();
            }
        }
        let tables = self.frames.iter().map(|frame| frame.became.len());
        let remembered = self.reduced.len() + self.steps.len() + tables.sum::<usize>();
        let listed = self.values.len() + self.variables.len();
        let waiting = 8 * (self.tries.len() + self.frames.len());
        collection.end(listed + waiting + remembered + hashed)?;
        self.touched = Touched {
            spine: self.spine.len(),
            work: self.work.len(),
            done: self.done.len(),
        };
        Ok(())
    }
}
