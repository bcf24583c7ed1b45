//! A run taken step by step, in the order of a system. Each step has its position: a term is
//! taken for a tree, so what a run shares and rewrites once is rewritten wherever it stands.

use crate::rewrite::base::{Order, RuleBase, System};
use crate::rewrite::evaluate::{Value, evaluate_here, value};
use crate::rewrite::fact_base::Knowledge;
use crate::rewrite::operators::Operators;
use crate::rewrite::system::{Limits, Looking, Taken};
use crate::syntax::rules::OTHERWISE;
use crate::term::{Id, Path, Symbol, Terms};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// A step that was taken.
pub(super) struct Change {
    pub(super) path: Path,
    /// The whole term before it.
    pub(super) root: Id,
    pub(super) redex: Id,
    pub(super) taken: Taken,
}

/// A term above the place where the search is.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: Id,
    /// The argument to go to next.
    next: usize,
    /// Whether something below it was rewritten since it was entered.
    moved: bool,
}

/// Where the search for the next redex is.
#[derive(Clone, Debug, Default)]
struct Cursor {
    /// The argument of the root that the search is kept to, under NFirstTops.
    within: Option<u32>,
    frames: Vec<Frame>,
    /// Whether the term at the place is left to be looked at; else its arguments are.
    inside: bool,
    /// Whether something was rewritten in this pass, or in this round of the arguments.
    moved: bool,
    done: bool,
}

/// A term on its way to a normal form.
pub(super) struct Stepper<'a> {
    pub(super) looking: Looking<'a>,
    pub(super) terms: Terms,
    pub(super) root: Id,
    pub(super) order: Order,
    has_otherwise: bool,
    /// What stands within `OTHERWISE` as long as no rule fired there.
    kept: Option<Id>,
    /// Terms without a redex in them, by id.
    normal: FxHashSet<Id>,
    cursor: Cursor,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(
        base: &'a RuleBase,
        system: &System,
        order: Order,
        terms: Terms,
        root: Id,
        limits: Limits<'a>,
        knowledge: Option<&'a RefCell<Knowledge>>,
    ) -> Stepper<'a> {
        let otherwise = Some(Symbol::new(OTHERWISE));
        let is_for = |&i: &usize| base.rules[i].matcher.functor() == otherwise;
        let mut terms = terms;
        let root = system.operators.canonical(&mut terms, root);
        Stepper {
            looking: Looking::new(base, system, order, limits, knowledge),
            terms,
            root,
            order,
            has_otherwise: system.rules.iter().any(is_for),
            kept: None,
            normal: FxHashSet::default(),
            cursor: Cursor::default(),
        }
    }

    /// Goes on from another term.
    pub(super) fn set(&mut self, root: Id) {
        self.root = root;
        self.kept = None;
        self.cursor = Cursor::default();
    }

    /// Takes the next step, if there is one.
    pub(super) fn next(&mut self) -> Option<Change> {
        loop {
            let change = match self.order {
                Order::NFirstTops => self.next_of_several(),
                _ => self.next_within(),
            };
            if change.is_some() || self.looking.halted() {
                return change;
            }
            // As in a run: a term that no rule changed is given to the rule for `OTHERWISE`.
            match self.kept.take() {
                Some(kept) => {
                    self.root = kept;
                    return None;
                }
                None if self.has_otherwise && self.looking.trace().rewrites == 0 => {
                    let kept = self.root;
                    let around = self.terms.apply(Symbol::new(OTHERWISE), &[kept]);
                    self.set(around);
                    self.kept = Some(kept);
                }
                None => return None,
            }
        }
    }

    /// NFirstTops: at the root, else the first redex of each argument.
    fn next_of_several(&mut self) -> Option<Change> {
        while !self.cursor.done && !self.looking.halted() {
            let Some(argument) = self.cursor.within else {
                if let Some(taken) = self.looking.step(&mut self.terms, self.root) {
                    return Some(self.change(Path::default(), taken));
                }
                self.cursor = Cursor {
                    within: Some(0),
                    ..Cursor::default()
                };
                continue;
            };
            if argument as usize >= self.terms.arity(self.root) {
                let moved = self.cursor.moved;
                self.cursor = Cursor::default();
                if moved {
                    continue;
                }
                match self.looking.settled(&mut self.terms, self.root) {
                    Some(taken) => return Some(self.change(Path::default(), taken)),
                    None => self.cursor.done = true,
                }
                continue;
            }
            let change = self.next_within();
            self.cursor = Cursor {
                within: Some(argument + 1),
                moved: self.cursor.moved || change.is_some(),
                ..Cursor::default()
            };
            if change.is_some() {
                return change;
            }
        }
        None
    }

    /// The next step in the term, or in the argument that the search is kept to.
    fn next_within(&mut self) -> Option<Change> {
        while !self.cursor.done && !self.looking.halted() {
            let id = self.at();
            if !self.cursor.inside {
                if self.normal.contains(&id) {
                    self.leave();
                    continue;
                }
                if self.order != Order::BottomTop
                    && let Some(taken) = self.looking.step(&mut self.terms, id)
                {
                    return Some(self.here(taken));
                }
                self.cursor.inside = true;
                self.cursor.frames.push(Frame {
                    id,
                    next: 0,
                    moved: false,
                });
                continue;
            }
            let Some(&frame) = self.cursor.frames.last() else {
                break;
            };
            if frame.next == 1
                && let Some(result) = self.branch(id)
            {
                self.cursor.frames.pop();
                self.cursor.inside = false;
                let taken = Taken { result, rule: None };
                return Some(self.here(taken));
            }
            if frame.next < self.terms.arity(id) {
                if let Some(frame) = self.cursor.frames.last_mut() {
                    frame.next += 1;
                }
                self.cursor.inside = false;
                continue;
            }
            self.cursor.frames.pop();
            self.cursor.inside = false;
            if let Some(change) = self.finish(id, frame.moved) {
                return Some(change);
            }
        }
        None
    }

    /// All arguments of a term are done.
    fn finish(&mut self, id: Id, moved: bool) -> Option<Change> {
        let id = self.in_order(id);
        let top_down = self.order == Order::TopDown;
        let normal = |stepper: &Self| {
            let args = stepper.terms.args(id);
            args.iter().all(|arg| stepper.normal.contains(arg))
        };
        let taken = match self.order {
            Order::BottomTop => {
                let stepped = self.looking.step(&mut self.terms, id);
                stepped.or_else(|| self.looking.settled(&mut self.terms, id))
            }
            Order::TopDown if moved => {
                let result = evaluate_here(&mut self.terms, id);
                result.map(|result| Taken { result, rule: None })
            }
            Order::TopDown if !normal(self) => None,
            _ => self.looking.settled(&mut self.terms, id),
        };
        let Some(taken) = taken else {
            if !self.looking.halted() && (!top_down || !moved && normal(self)) {
                self.normal.insert(id);
            }
            self.leave();
            return None;
        };
        let change = self.here(taken);
        if top_down {
            self.leave();
        }
        Some(change)
    }

    /// The branch of a standard `if` whose condition is decided.
    fn branch(&self, id: Id) -> Option<Id> {
        let is_if = self.looking.standard_if()
            && matches!(self.order, Order::TopDown | Order::BottomTop)
            && self.terms.functor(id).is_some_and(|f| f.as_str() == "if");
        match *self.terms.args(id) {
            [condition, first, second] if is_if => match value(&self.terms, condition)? {
                Value::Bool(true) => Some(first),
                Value::Bool(false) => Some(second),
                _ => None,
            },
            _ => None,
        }
    }

    /// Goes up to the term around the place.
    fn leave(&mut self) {
        match self.cursor.frames.is_empty() {
            false => self.cursor.inside = true,
            true if self.order == Order::TopDown && self.cursor.moved => {
                self.cursor = Cursor::default();
            }
            true => self.cursor.done = true,
        }
    }

    /// The position where the search is.
    fn place(&self) -> Path {
        let frames = &self.cursor.frames;
        // The last term above is the one at the place itself as long as its arguments are visited.
        let above = frames.len() - usize::from(self.cursor.inside);
        let steps = frames[..above].iter().map(|frame| frame.next as u32 - 1);
        Path(self.cursor.within.into_iter().chain(steps).collect())
    }

    /// A step where the search is; it goes on from there.
    fn here(&mut self, taken: Taken) -> Change {
        let path = self.place();
        self.cursor.moved = true;
        for frame in &mut self.cursor.frames {
            frame.moved = true;
        }
        let change = self.change(path, taken);
        self.refresh();
        if !matches!(self.order, Order::TopDown | Order::BottomTop) {
            // From the root again.
            self.cursor = Cursor {
                within: self.cursor.within,
                moved: self.cursor.moved,
                ..Cursor::default()
            };
            let operators = self.looking.operators().clone();
            self.root = in_order_along(&operators, &mut self.terms, self.root, &change.path);
        }
        change
    }

    /// Puts what became of a redex in its place.
    pub(super) fn change(&mut self, path: Path, taken: Taken) -> Change {
        let root = self.root;
        let redex = path.get(&self.terms, root).unwrap_or(root);
        if let Some((_, fired)) = &taken.rule {
            self.kept = None;
            // What an action changes may make redexes of normal forms.
            if fired.action.is_some() {
                self.normal.clear();
            }
        }
        let replaced = path.replace(&mut self.terms, root, taken.result);
        self.root = replaced.unwrap_or(root);
        Change {
            path,
            root,
            redex,
            taken,
        }
    }

    /// A set whose elements were rewritten, in its order.
    fn in_order(&mut self, id: Id) -> Id {
        let operators = self.looking.operators().clone();
        let new = operators.ordered(&mut self.terms, id);
        if new != id {
            let replaced = self.place().replace(&mut self.terms, self.root, new);
            self.root = replaced.unwrap_or(self.root);
            self.refresh();
        }
        new
    }

    /// The term that the search begins at.
    fn base(&self) -> Id {
        let argument = self.cursor.within.map(|i| i as usize);
        let within = argument.and_then(|i| self.terms.args(self.root).get(i));
        within.copied().unwrap_or(self.root)
    }

    /// The term where the search is.
    fn at(&self) -> Id {
        match self.cursor.frames.last() {
            None => self.base(),
            Some(frame) if self.cursor.inside => frame.id,
            Some(frame) => self.terms.arg(frame.id, frame.next - 1),
        }
    }

    /// Finds the terms above the place again, in a root that was made anew.
    fn refresh(&mut self) {
        let mut id = self.base();
        for frame in &mut self.cursor.frames {
            frame.id = id;
            if let Some(&argument) = self.terms.args(id).get(frame.next.saturating_sub(1)) {
                id = argument;
            }
        }
    }
}

/// A term with the sets and the operators on the way to a position in order, from below.
pub(super) fn in_order_along(
    operators: &Operators,
    terms: &mut Terms,
    root: Id,
    path: &Path,
) -> Id {
    let mut root = root;
    for length in (0..path.0.len()).rev() {
        let above = Path(path.0[..length].to_vec());
        let Some(id) = above.get(terms, root) else {
            continue;
        };
        let new = operators.ordered(terms, id);
        if new != id {
            root = above.replace(terms, root, new).unwrap_or(root);
        }
    }
    root
}
