//! The orders in which a system looks for redexes.

use super::run::Run;
use crate::rewrite::evaluate::{Value, evaluate_here, value};
use crate::term::{Id, Terms};

impl Run<'_> {
    /// Rewrites the first redex from the top and the left, again and again.
    ///
    /// A step can make a redex only of a term whose pattern sees that far down, so the search
    /// goes on that much higher and not at the root; terms above learn of the change when the
    /// search comes back to them. What was found to have no redex is not searched again.
    pub(super) fn first_top(&mut self, terms: &mut Terms, root: Id) -> Id {
        // The terms from the root down to where the search is, each with the argument to go to
        // next; the argument before that one may have changed.
        let mut spine: Vec<(Id, usize)> = vec![(root, 0)];
        let mut fresh = true;
        while let Some(&(id, next)) = spine.last() {
            if self.is_full(terms) {
                let roots: Vec<Id> = spine.iter().map(|(id, _)| *id).collect();
                let moved = self.collect(terms, &roots);
                for (id, _) in &mut spine {
                    *id = moved[id];
                }
                continue;
            }
            if fresh && let Some(new) = self.step(terms, id) {
                spine.pop();
                let above = spine.len().saturating_sub(self.index.sight);
                let new = self.close(terms, &mut spine, above, new);
                spine.push((new, 0));
                continue;
            }
            if self.halted() {
                spine.pop();
                return self.close(terms, &mut spine, 0, id);
            }
            let open = (next..terms.arity(id)).find(|&i| !self.normal.contains(&terms.arg(id, i)));
            fresh = open.is_some();
            if let Some(i) = open {
                let child = terms.arg(id, i);
                spine.pop();
                spine.extend([(id, i + 1), (child, 0)]);
                continue;
            }
            if let Some(new) = self.settled(terms, id) {
                spine.pop();
                let above = spine.len().saturating_sub(self.index.sight);
                let new = self.close(terms, &mut spine, above, new);
                spine.push((new, 0));
                fresh = true;
                continue;
            }
            self.normal.insert(id);
            spine.pop();
            match spine.pop() {
                // The elements of a set may have changed their places.
                Some((parent, at)) => {
                    let new = self.replace(terms, parent, at - 1, id);
                    spine.push((new, if new == parent { at } else { 0 }));
                }
                None => return id,
            }
        }
        root
    }

    /// One pass: at every term, from the top, as many steps as there are, then its arguments.
    pub(super) fn pass(&mut self, terms: &mut Terms, root: Id) -> Id {
        self.became.clear();
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Id> = Vec::new();
        loop {
            self.tidy(terms, &mut work, &mut done);
            let Some(item) = work.pop() else { break };
            match item {
                Work::Choose(id) => self.choose(terms, id, &mut work, &mut done),
                Work::Keep(id) => self.keep(id, &done),
                Work::Visit(id) if self.met(id, &mut done) => {}
                // What is shared many times over would be visited as often.
                Work::Visit(id) if self.halted() => done.push(id),
                Work::Visit(id) => {
                    if let Some(new) = self.step(terms, id) {
                        work.extend([Work::Keep(id), Work::Visit(new)]);
                    } else if terms.arity(id) == 0 {
                        self.normal.insert(id);
                        done.push(id);
                    } else {
                        self.descend(terms, id, &mut work);
                    }
                }
                Work::Make(id) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let new = self.index.operators.with_args(terms, id, &args);
                    // A standard functor has its value as soon as its arguments have theirs.
                    if let Some(value) = (new != id).then(|| evaluate_here(terms, new)).flatten() {
                        done.push(value);
                        continue;
                    }
                    let settled = new == id && args.iter().all(|a| self.normal.contains(a));
                    if settled && let Some(given) = self.settled(terms, new) {
                        done.push(given);
                        continue;
                    }
                    if settled && !self.halted() {
                        self.normal.insert(new);
                    }
                    done.push(new);
                }
            }
        }
        done.pop().unwrap_or(root)
    }

    /// Puts the arguments of a term to be visited, of an `if` first its condition.
    fn descend(&self, terms: &Terms, id: Id, work: &mut Vec<Work>) {
        work.push(Work::Keep(id));
        let args = terms.args(id);
        let standard = self.index.standard_if && args.len() == 3;
        if standard && terms.functor(id).is_some_and(|f| f.as_str() == "if") {
            work.extend([Work::Choose(id), Work::Visit(args[0])]);
            return;
        }
        work.push(Work::Make(id));
        work.extend(args.iter().rev().map(|&a| Work::Visit(a)));
    }

    /// Whether it is known what becomes of a term.
    fn met(&self, id: Id, done: &mut Vec<Id>) -> bool {
        let known = match self.normal.contains(&id) {
            true => Some(&id),
            false => self.became.get(&id),
        };
        done.extend(known);
        known.is_some()
    }

    /// Notes what became of a term.
    fn keep(&mut self, id: Id, done: &[Id]) {
        if let (Some(&new), false) = (done.last(), self.halted()) {
            self.became.insert(id, new);
        }
    }

    /// Drops what is not needed any more, when the arena is full.
    fn tidy(&mut self, terms: &mut Terms, work: &mut Vec<Work>, done: &mut [Id]) {
        if !self.is_full(terms) {
            return;
        }
        let needed = work.iter().filter_map(|item| match item {
            Work::Visit(id) | Work::Make(id) | Work::Choose(id) => Some(*id),
            Work::Keep(_) => None,
        });
        let roots: Vec<Id> = needed.chain(done.iter().copied()).collect();
        let moved = self.collect(terms, &roots);
        work.retain_mut(|item| match item {
            Work::Visit(id) | Work::Make(id) | Work::Choose(id) | Work::Keep(id) => {
                let place = moved.get(id).copied();
                *id = place.unwrap_or(*id);
                place.is_some()
            }
        });
        for id in done {
            *id = moved[id];
        }
    }

    /// Goes on with the branch that the condition of an `if` chooses, or with both.
    fn choose(&self, terms: &Terms, id: Id, work: &mut Vec<Work>, done: &mut Vec<Id>) {
        let (first, second) = (terms.arg(id, 1), terms.arg(id, 2));
        let condition = done.last().and_then(|&id| value(terms, id));
        let branch = match condition {
            Some(Value::Bool(true)) => first,
            Some(Value::Bool(false)) => second,
            _ => {
                work.push(Work::Make(id));
                work.push(Work::Visit(second));
                work.push(Work::Visit(first));
                return;
            }
        };
        done.pop();
        work.push(Work::Visit(branch));
    }

    /// Arguments before the term; a result is normalised before anything above it is looked at.
    pub(super) fn bottom_top(&mut self, terms: &mut Terms, root: Id) -> Id {
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Id> = Vec::new();
        loop {
            self.tidy(terms, &mut work, &mut done);
            let Some(item) = work.pop() else { break };
            match item {
                Work::Choose(id) => self.choose(terms, id, &mut work, &mut done),
                Work::Keep(id) => self.keep(id, &done),
                Work::Visit(id) if self.met(id, &mut done) => {}
                Work::Visit(id) if self.halted() => done.push(id),
                Work::Visit(id) => self.descend(terms, id, &mut work),
                Work::Make(id) => {
                    let args = done.split_off(done.len() - terms.arity(id));
                    let new = self.index.operators.with_args(terms, id, &args);
                    let halted = self.halted();
                    let stepped = (!halted).then(|| self.step(terms, new)).flatten();
                    match stepped.or_else(|| self.settled(terms, new)) {
                        Some(result) => work.push(Work::Visit(result)),
                        None => {
                            if !self.halted() {
                                self.normal.insert(new);
                            }
                            done.push(new);
                        }
                    }
                }
            }
        }
        done.pop().unwrap_or(root)
    }
}

/// What a traversal has still to do.
enum Work {
    Visit(Id),
    /// All arguments are done.
    Make(Id),
    /// The condition of an `if` is done.
    Choose(Id),
    /// What becomes of a term is done.
    Keep(Id),
}

impl Run<'_> {
    /// Puts a term where the search went down, up to where the spine has the length `above`.
    pub(super) fn close(
        &self,
        terms: &mut Terms,
        spine: &mut Vec<(Id, usize)>,
        above: usize,
        new: Id,
    ) -> Id {
        let up = spine.drain(above..).rev();
        up.fold(new, |new, (parent, at)| {
            self.replace(terms, parent, at - 1, new)
        })
    }

    fn replace(&self, terms: &mut Terms, parent: Id, at: usize, new: Id) -> Id {
        let mut args = terms.args(parent).to_vec();
        if args[at] == new {
            return parent;
        }
        args[at] = new;
        self.index.operators.with_args(terms, parent, &args)
    }
}
