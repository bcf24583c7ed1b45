//! Where a step changed a scheme: the operators around what it changed, and which of their arguments became which.

use super::known::Known;
use super::scheme::{Scheme, Variables};
use crate::algebra::{Construct, Sort, bound, declares};
use crate::term::{Id, Symbol, Terms};
use std::ops::Range;

/// The places of a scheme's body and of a LOCAL's type among their arguments.
pub(super) const BODY: usize = 2;
const LOCAL_TYPE: usize = 1;

/// An operator around what a step changed, or the scheme: before and after, and which of its arguments became which.
pub(super) struct Level {
    pub old: Id,
    pub new: Id,
    pub were: Range<usize>,
    pub are: Range<usize>,
}

/// The operators around what a step changed, outermost first, from the scheme on.
pub(super) fn levels_between(source: &Terms, before: Id, root: Id) -> Option<Vec<Level>> {
    let mut levels: Vec<Level> = Vec::new();
    let mut next = Some((before, root));
    while let Some((old, new)) = next
        && let Some(level) = Level::of(source, old, new)
    {
        let is_one = level.were.len() == 1 && level.are.len() == 1;
        next = is_one.then(|| {
            (
                source.arg(old, level.were.start),
                source.arg(new, level.are.start),
            )
        });
        levels.push(level);
    }
    // What declares something for those after it has to declare it still.
    if levels.last()?.stops_declaring(source) {
        levels.pop();
    }
    let is_body = levels.first()?.were == (BODY..BODY + 1);
    is_body.then_some(levels)
}

impl Level {
    /// Where an operator differs from another one, if it does in operators alone. What is RECORDED, and graphs of operators, are
    /// not gone into: they are checked as a whole.
    fn of(source: &Terms, old: Id, new: Id) -> Option<Level> {
        let construct = Construct::of(source.functor(old)?)?;
        let is_gone_into = matches!(
            construct,
            Construct::Scheme
                | Construct::Then
                | Construct::If
                | Construct::While
                | Construct::ForLoop
                | Construct::ForStep
                | Construct::Parallel
                | Construct::Lanes
                | Construct::Async
                | Construct::Array
                | Construct::Timed
                | Construct::Launch
        );
        if !is_gone_into || source.functor(new) != source.functor(old) {
            return None;
        }
        let (a, b) = (source.args(old), source.args(new));
        let alike = |(x, y): &(&Id, &Id)| x == y;
        let start = a.iter().zip(b).take_while(alike).count();
        let rest = a[start..].iter().rev().zip(b[start..].iter().rev());
        let end = rest.take_while(alike).count();
        let level = Level {
            old,
            new,
            were: start..a.len() - end,
            are: start..b.len() - end,
        };
        let is_one = a.len() == b.len() && level.were.len() == 1;
        let is_operator = construct.info().argument(start) == Some(Sort::Operator);
        let differs = !level.were.is_empty() || !level.are.is_empty();
        (differs && (construct == Construct::Then || is_one && is_operator)).then_some(level)
    }

    pub fn is_sequence(&self, source: &Terms) -> bool {
        source.functor(self.old) == Some(Construct::Then.symbol())
    }

    /// What declares something for the operators after the part, in a sequence.
    pub fn declaring(&self, source: &Terms) -> Vec<Id> {
        let mut found = Vec::new();
        let mut work = source.args(self.new)[self.are.clone()].to_vec();
        while let Some(id) = work.pop() {
            match source.functor(id) == Some(Construct::Then.symbol()) {
                true => work.extend_from_slice(source.args(id)),
                false => found.extend(declared(source, id).map(|_| id)),
            }
        }
        found
    }

    /// Whether what is replaced declares something for the operators after it that is not declared alike in its place.
    fn stops_declaring(&self, source: &Terms) -> bool {
        if !self.is_sequence(source) {
            return false;
        }
        let now = self.declaring(source);
        // Of a LOCAL, name and type have to be the same, and not the value; of arrays, the size, too.
        let is_alike = |&old: &Id, &new: &Id| {
            let alike = source.functor(old) == source.functor(new);
            let is_local = source.functor(old) == Some(Construct::Local.symbol());
            let (a, b) = (source.args(old), source.args(new));
            let count = if is_local { LOCAL_TYPE + 1 } else { a.len() };
            let mut pairs = a.iter().zip(b).take(count);
            alike && a.len() == b.len() && pairs.all(|(&x, &y)| source.equal(x, y))
        };
        let were = source.args(self.old)[self.were.clone()].iter();
        let mut declaring = were.filter(|&&id| declared(source, id).is_some());
        declaring.any(|old| !now.iter().any(|new| is_alike(old, new)))
    }
}

/// The name that an operator declares for those after it.
pub(super) fn declared(source: &Terms, id: Id) -> Option<Symbol> {
    declares(source, id).then(|| bound(source, id)).flatten()
}

/// Where the variables of a part begin among all, or would, where it has none.
pub(super) fn first_place(
    scheme: &Scheme,
    known: &mut Known,
    levels: &[Level],
    spine: &[Id],
    variables: &Variables,
) -> Option<usize> {
    let terms = &scheme.terms;
    let index = |name: Symbol| scheme.variables.get_index_of(&name);
    if let Some((&first, _)) = variables.first() {
        return index(first);
    }
    for (level, &own) in levels.iter().zip(spine).skip(1).rev() {
        let construct = Construct::of(terms.functor(own)?)?;
        for (i, &part) in terms.args(own)[..level.were.start].iter().enumerate().rev() {
            let last = match construct.info().argument(i) {
                Some(Sort::Operator) => known.named(terms, part).binds.last().copied(),
                _ => terms
                    .subterms(part)
                    .filter_map(|id| bound(terms, id))
                    .last(),
            };
            if let Some(last) = last {
                return Some(index(last)? + 1);
            }
        }
        if let Some(own) = bound(terms, own) {
            return Some(index(own)? + 1);
        }
    }
    Some(known.data()?.1)
}
