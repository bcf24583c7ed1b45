//! How strategies choose places: the combinators.
//!
//! A step may put a sequence into the one around it, so that what stood at one position stands
//! at several. Traversals therefore count the arguments that are still to be visited from the
//! right, where a step changes nothing. Parts of a strategy that follow such a step in a sequence are
//! applied at all of these positions, and one of them must let each succeed.

use super::derive::{Engine, Run};
use super::plan::{Combinator, Kind, Plan};
use super::scope::Scope;
use crate::term::{Head, Id, Path, Symbol};

impl Engine<'_> {
    /// Applies a part of a strategy at a position. False if it fails; then it may have taken
    /// steps that the caller undoes.
    pub(super) fn run(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        match &plan.kind {
            Kind::Id => Ok(true),
            Kind::Fail => Ok(false),
            Kind::Sequence(parts) => {
                let before = self.around(path);
                let asks = self.only_asks;
                for (number, part) in parts.iter().enumerate() {
                    let misses = self.recent.len();
                    self.failure = None;
                    let count = self.spread_since(before, path);
                    self.only_asks = asks && number + 1 == parts.len();
                    let done = self.each_of(count, part, path, scope);
                    self.only_asks = asks;
                    if !done? {
                        if self.failure.is_none() {
                            self.failed(part, misses);
                        }
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Choice(parts) => {
                let misses = self.recent.len();
                for part in parts {
                    let before = self.recent.len();
                    if !self.is_futile(part, path) && self.whole(part, path, scope)? {
                        // What stopped the alternatives before it is not news.
                        for &miss in &self.recent[misses..before] {
                            if self.misses[miss].path == path.0 {
                                self.settled.insert(miss);
                            }
                        }
                        return Ok(true);
                    }
                }
                self.failure = None;
                Ok(false)
            }
            Kind::Apply(combinator, inner) => self.combine(*combinator, inner, path, scope),
            Kind::At(phrase, inner) => {
                let found = self.at(*phrase, inner, path, scope)?;
                self.failure = None;
                Ok(found)
            }
            Kind::Outside(phrase, inner) => {
                self.left_out.push(*phrase);
                let done = self.whole(inner, path, scope);
                self.left_out.pop();
                done
            }
            Kind::When(condition, inner) => {
                self.where_it_holds(*condition, scope, |engine| engine.whole(inner, path, scope))
            }
            Kind::Rule(index, _) if self.base.is_barred(*index) => Ok(false),
            Kind::Rule(index, given) => {
                let rule = &self.base.rules[*index];
                let scope = self.scope(rule.name, &rule.parameters, given, scope)?;
                let values: Vec<i64> = scope.iter().map(|value| value.number).collect();
                let fired = self.apply(*index, &values, path)?;
                if fired && !self.only_asks {
                    let base = self.base;
                    self.values
                        .stepped(&base.terms, &base.rules[*index], &scope);
                }
                Ok(fired)
            }
            Kind::Strategy(index, given) => {
                let strategy = &self.base.strategies[*index];
                let scope = self.scope(strategy.name, &strategy.parameters, given, scope)?;
                self.run(&strategy.body, path, &scope)
            }
        }
    }

    /// Applies a part as a whole: where it fails, its steps are undone.
    fn whole(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        let steps = self.steps.len();
        self.saved.push(self.root);
        let done = self.run(plan, path, scope);
        let before = self.saved.pop();
        let done = done?;
        if !done {
            self.undo(before, steps)?;
        }
        Ok(done)
    }

    /// Whether a part fails at a position, and at all positions below it, without asking anything. Which step of it
    /// could not be taken is then not told, as it is not where a traversal or a choice goes on.
    fn is_futile(&mut self, plan: &Plan, path: &Path) -> bool {
        if plan.needs.is_none() {
            return false;
        }
        let Some(id) = self.found(&path.0) else {
            return false;
        };
        !self
            .standing
            .allows(plan, &self.base.numbers, &self.terms, id)
    }

    /// Goes back to a root and to so many steps.
    fn undo(&mut self, before: Option<Id>, steps: usize) -> Run<()> {
        if let Some(before) = before
            && (self.root != before || self.steps.len() != steps)
        {
            self.steps.truncate(steps);
            self.values.undo(steps);
            self.seen.iter_mut().for_each(|seen| seen.truncate(steps));
            self.root = before;
            self.root = match self.compact() {
                true => self.host.recheck(&mut self.terms, self.root)?,
                false => self.host.return_to(&mut self.terms, self.root)?,
            };
        }
        Ok(())
    }

    fn combine(
        &mut self,
        combinator: Combinator,
        inner: &Plan,
        path: &mut Path,
        scope: &Scope,
    ) -> Run<bool> {
        let outer = self.only_asks;
        self.only_asks = match combinator {
            Combinator::Not => true,
            Combinator::Try | Combinator::Once | Combinator::Expressions => outer,
            // Further steps follow the first one.
            Combinator::Repeat
            | Combinator::TopDown
            | Combinator::BottomUp
            | Combinator::Innermost
            | Combinator::All => false,
        };
        let done = self.combined(combinator, inner, path, scope);
        self.only_asks = outer;
        self.failure = None;
        done
    }

    fn combined(
        &mut self,
        combinator: Combinator,
        inner: &Plan,
        path: &mut Path,
        scope: &Scope,
    ) -> Run<bool> {
        let done = match combinator {
            Combinator::Try => {
                self.whole(inner, path, scope)?;
                true
            }
            Combinator::Repeat => {
                loop {
                    let steps = self.steps.len();
                    // What succeeds without a step would succeed so for ever.
                    if !self.whole(inner, path, scope)? || self.steps.len() == steps {
                        break;
                    }
                }
                true
            }
            Combinator::Once => self.once(inner, path, scope)?,
            Combinator::TopDown => {
                self.top_down(inner, path, scope)?;
                true
            }
            Combinator::BottomUp => {
                self.bottom_up(inner, path, scope)?;
                true
            }
            Combinator::Innermost => {
                self.innermost(inner, path, scope)?;
                true
            }
            Combinator::Expressions => {
                let outer = std::mem::replace(&mut self.in_expressions, true);
                let done = self.whole(inner, path, scope);
                self.in_expressions = outer;
                done?
            }
            Combinator::Not => {
                let steps = self.steps.len();
                self.saved.push(self.root);
                let done = self.whole(inner, path, scope);
                let before = self.saved.pop();
                let done = done?;
                // Where it fails, `whole` has undone its steps.
                if done {
                    self.undo(before, steps)?;
                }
                !done
            }
            Combinator::All => {
                let mut all = true;
                self.arguments(path, 0, 0, &mut |engine, path| {
                    all = all && engine.visited(inner, path, scope)?;
                    Ok(())
                })?;
                all
            }
        };
        Ok(done)
    }

    /// Visits the arguments at a position from the left, but for so many at the left and right.
    fn arguments(
        &mut self,
        path: &mut Path,
        left: usize,
        right: usize,
        visit: &mut dyn FnMut(&mut Self, &mut Path) -> Run<()>,
    ) -> Run<()> {
        let Some(first) = self.found(&path.0) else {
            return Ok(());
        };
        if self.is_left_out(first) {
            return Ok(());
        }
        let head = self.terms.head(first);
        let mut waiting = self.terms.arity(first).saturating_sub(left);
        while waiting > right {
            // Steps within the arguments give the parent a new id, and may put another term in
            // its place altogether; then the visit is over.
            let Some(id) = self.found(&path.0) else {
                return Ok(());
            };
            let arity = self.terms.arity(id);
            if self.terms.head(id) != head || arity < waiting {
                return Ok(());
            }
            let index = arity - waiting;
            let argument = self.terms.arg(id, index);
            if !self.is_left_out(argument)
                && self
                    .host
                    .descend(&self.terms, id, index, self.in_expressions)
            {
                path.0.push(index as u32);
                let visited = visit(self, path);
                path.0.pop();
                visited?;
            }
            waiting -= 1;
        }
        Ok(())
    }

    /// Applies a part at a position. Returns whether it succeeded, and at how many positions,
    /// beginning at this one, what stood here stands now.
    fn here(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<(bool, usize)> {
        let before = self.around(path);
        let done = self.visited(plan, path, scope)?;
        Ok((done, self.spread_since(before, path)))
    }

    /// Applies a part as a whole at a place that a traversal has come to; traversals of its own go anywhere.
    fn visited(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        if self.is_futile(plan, path) {
            return Ok(false);
        }
        let left_out = std::mem::take(&mut self.left_out);
        let done = self.whole(plan, path, scope);
        self.left_out = left_out;
        done
    }

    /// At how many positions, beginning at this one, what stood here stands now.
    fn spread_since(&mut self, before: Option<(Head, usize)>, path: &Path) -> usize {
        match (before, self.around(path)) {
            (Some((head, old)), Some((now, new))) if head == now => (new + 1).saturating_sub(old),
            _ => usize::from(self.found(&path.0).is_some()),
        }
    }

    /// Applies a part at so many positions, beginning at this one; true if it succeeded at one.
    fn each_of(&mut self, count: usize, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        if count <= 1 {
            return self.whole(plan, path, scope);
        }
        let mut found = false;
        self.spread(path, count, &mut |engine, path| {
            found |= engine.whole(plan, path, scope)?;
            Ok(())
        })?;
        Ok(found)
    }

    /// The head of the term around a position, and the number of its arguments.
    fn around(&mut self, path: &Path) -> Option<(Head, usize)> {
        let (_, parent) = path.0.split_last()?;
        let id = self.found(parent)?;
        Some((self.terms.head(id), self.terms.arity(id)))
    }

    /// Visits the positions over which what stood at one has spread.
    fn spread(
        &mut self,
        path: &mut Path,
        count: usize,
        visit: &mut dyn FnMut(&mut Self, &mut Path) -> Run<()>,
    ) -> Run<()> {
        let Some(index) = path.0.pop() else {
            return Ok(());
        };
        let arity = self.found(&path.0).map_or(0, |id| self.terms.arity(id));
        let right = arity.saturating_sub(index as usize + count);
        let visited = self.arguments(path, index as usize, right, visit);
        path.0.push(index);
        visited
    }

    fn once(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        if self.is_futile(plan, path) {
            return Ok(false);
        }
        if self.visited(plan, path, scope)? {
            return Ok(true);
        }
        let mut found = false;
        self.arguments(path, 0, 0, &mut |engine, path| {
            found = found || engine.once(plan, path, scope)?;
            Ok(())
        })?;
        Ok(found)
    }

    fn top_down(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<()> {
        if self.is_futile(plan, path) {
            return Ok(());
        }
        let (_, count) = self.here(plan, path, scope)?;
        let mut visit = |engine: &mut Self, path: &mut Path| engine.top_down(plan, path, scope);
        if count == 1 {
            self.arguments(path, 0, 0, &mut visit)
        } else {
            self.spread(path, count, &mut visit)
        }
    }

    fn bottom_up(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<()> {
        if self.is_futile(plan, path) {
            return Ok(());
        }
        self.arguments(path, 0, 0, &mut |engine, path| {
            engine.bottom_up(plan, path, scope)
        })?;
        self.here(plan, path, scope)?;
        Ok(())
    }

    fn innermost(&mut self, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<()> {
        if self.is_futile(plan, path) {
            return Ok(());
        }
        loop {
            let mut visit =
                |engine: &mut Self, path: &mut Path| engine.innermost(plan, path, scope);
            self.arguments(path, 0, 0, &mut visit)?;
            let steps = self.steps.len();
            let (done, count) = self.here(plan, path, scope)?;
            if !done || self.steps.len() == steps {
                return Ok(());
            }
            if count != 1 {
                let mut visit =
                    |engine: &mut Self, path: &mut Path| engine.innermost(plan, path, scope);
                return self.spread(path, count, &mut visit);
            }
        }
    }

    /// Whether traversals stay out of a term.
    fn is_left_out(&self, id: Id) -> bool {
        self.left_out.iter().any(|&phrase| self.is_at(id, phrase))
    }

    /// Whether a term is a place of a phrase, or of a functor.
    fn is_at(&self, id: Id, phrase: Symbol) -> bool {
        self.terms.functor(id) == Some(phrase) || self.host.at_phrase(&self.terms, id, phrase)
    }

    /// Applies a part at the outermost places of a phrase, or of a functor; true if it succeeded at
    /// one.
    fn at(&mut self, phrase: Symbol, plan: &Plan, path: &mut Path, scope: &Scope) -> Run<bool> {
        if self.is_futile(plan, path) {
            return Ok(false);
        }
        let Some(id) = self.found(&path.0) else {
            return Ok(false);
        };
        if self.is_at(id, phrase) {
            return self.visited(plan, path, scope);
        }
        let mut found = false;
        self.arguments(path, 0, 0, &mut |engine, path| {
            found |= engine.at(phrase, plan, path, scope)?;
            Ok(())
        })?;
        Ok(found)
    }
}
