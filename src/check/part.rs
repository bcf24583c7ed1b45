//! A check after a step that looks at the part alone that the step changed: what stands around it stands as it did. Its cost
//! is that of the part, and of the lists of operators that it stands in.

use super::again::{Before, OfPart, Were};
use super::elaborate::{Checker, Meaning};
use super::known::{Changed, Known, Part};
use super::scheme::{Scheme, Variable};
use crate::algebra::{Construct, Role, Sort, Type, bound};
use crate::term::{Id, MOST_NODES, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

type Variables = IndexMap<Symbol, Variable, FxBuildHasher>;

/// The places of a scheme's body and of a LOCAL's type among their arguments.
const BODY: usize = 2;
const LOCAL_TYPE: usize = 1;

/// What a check of a part left of the scheme before.
pub struct Undo {
    root: Id,
    body: Id,
    assigned: Arc<FxHashSet<Symbol>>,
    control_points: Arc<FxHashSet<Symbol>>,
    /// Where the part's variables are now.
    place: Range<usize>,
    /// Those that it had.
    variables: Variables,
    /// What its operators name, before and now.
    old: Vec<Rc<Part>>,
    new: Vec<Rc<Part>>,
}

/// An operator around what a step changed, or the scheme: before and after, and which of its arguments became which.
struct Level {
    old: Id,
    new: Id,
    were: Range<usize>,
    are: Range<usize>,
}

/// Checks what a step changed. `before` and `root` are the source's roots before and after the step; the scheme is that of the
/// first, and `own` has its nodes for those of the source. Nothing where this does not do, or something is wrong: the
/// scheme is as it was then, and has some nodes more in its arena.
pub fn check_part(
    source: &Terms,
    (before, root): (Id, Id),
    own: &[Option<Id>],
    scheme: &mut Scheme,
    known: &mut Known,
) -> Option<Undo> {
    let is_settled = scheme.has_data && scheme.undefined.is_empty() && scheme.basics.is_empty();
    if !is_settled || known.whole(&scheme.terms, scheme.body).recorded > 0 {
        return None;
    }
    let levels = levels(source, before, root)?;
    let last = levels.last()?;
    let own_of = |id: Id| own.get(id.index()).copied().flatten();
    let spine: Vec<Id> = levels
        .iter()
        .map(|l| own_of(l.old))
        .collect::<Option<_>>()?;
    let replaced = source.args(last.old)[last.were.clone()].iter();
    let replaced: Vec<Id> = replaced.map(|&id| own_of(id)).collect::<Option<_>>()?;
    let old: Vec<Rc<Part>> = replaced
        .iter()
        .map(|&id| known.part(&scheme.terms, id))
        .collect();
    let names = old.iter().flat_map(|part| &part.binds);
    let variables = names.map(|&name| Some((name, scheme.variables.get(&name)?.clone())));
    let variables: Variables = variables.collect::<Option<_>>()?;
    let place = place(scheme, known, &levels, &spine, &variables)?;
    let kept = scheme.variables.len();

    let mut checker = Checker::new(source, scheme.precision);
    checker.terms = std::mem::take(&mut scheme.terms);
    checker.types = std::mem::take(&mut scheme.types);
    checker.variables = std::mem::take(&mut scheme.variables);
    checker.older = checker.terms.len();
    checker.has_data = true;
    checker.before = Some(Before {
        own,
        variables: Were::Part(OfPart {
            nodes: source.args(last.new)[last.are.clone()].to_vec(),
            variables,
            declared: Vec::new(),
            shares_names: false,
        }),
        known,
        first: checker.older,
        taken_over: 0,
    });
    let made = checker.replaced(&levels, &spine);
    let (terms, types) = (checker.terms, checker.types);
    (scheme.terms, scheme.types, scheme.variables) = (terms, types, checker.variables);
    let Some(Before {
        variables: Were::Part(part),
        known,
        ..
    }) = checker.before
    else {
        unreachable!("a check does not change what it looks at");
    };
    let Some((root, new)) = made.filter(|_| !part.shares_names) else {
        // What it declared stands at the end, or in the place of what stood there before.
        scheme.variables.truncate(kept);
        scheme.variables.extend(part.variables);
        return None;
    };
    scheme.types.resize(scheme.terms.len(), Type::Unknown);
    let count = part.variables.len();
    arrange(&mut scheme.variables, place..place + count, &part.declared);
    let whole = known.whole(&scheme.terms, scheme.body);
    old.iter().for_each(|part| whole.reduce(&part.changed));
    new.iter().for_each(|part| whole.extend(&part.changed));
    let undo = Undo {
        root: std::mem::replace(&mut scheme.root, root),
        body: std::mem::replace(&mut scheme.body, scheme.terms.arg(root, BODY)),
        assigned: Arc::clone(&scheme.assigned),
        control_points: Arc::clone(&scheme.control_points),
        place: place..place + part.declared.len(),
        variables: part.variables,
        old,
        new,
    };
    for part in undo.old.iter().chain(&undo.new) {
        let Changed {
            assigned, points, ..
        } = &part.changed;
        follow(&mut scheme.assigned, assigned.keys(), &whole.assigned);
        follow(&mut scheme.control_points, points.keys(), &whole.points);
    }
    Some(undo)
}

impl Undo {
    /// Makes the scheme what it was before the check.
    pub fn undo(self, scheme: &mut Scheme, known: &mut Known) {
        let whole = known.whole(&scheme.terms, scheme.body);
        self.new.iter().for_each(|part| whole.reduce(&part.changed));
        self.old.iter().for_each(|part| whole.extend(&part.changed));
        scheme.root = self.root;
        scheme.body = self.body;
        scheme.assigned = self.assigned;
        scheme.control_points = self.control_points;
        let names: Vec<Symbol> = self.variables.keys().copied().collect();
        scheme.variables.extend(self.variables);
        arrange(&mut scheme.variables, self.place, &names);
    }
}

/// Puts some variables, in order, where others stood; each of them is one of these, or stands behind.
fn arrange(variables: &mut Variables, old: Range<usize>, names: &[Symbol]) {
    let is_old = |name: &&Symbol| {
        variables
            .get_index_of(*name)
            .is_some_and(|i| old.contains(&i))
    };
    let left = old.len() - names.iter().filter(is_old).count();
    for (place, name) in (old.start..).zip(names) {
        match variables.get_index_of(name) {
            Some(now) if now != place => variables.move_index(now, place),
            _ => {}
        }
    }
    let end = old.start + names.len();
    if left > 0 {
        variables.drain(end..end + left);
    }
}

/// Makes a set have or not have some names, as what was counted has them.
fn follow<'a>(
    set: &mut Arc<FxHashSet<Symbol>>,
    names: impl Iterator<Item = &'a Symbol>,
    counted: &FxHashMap<Symbol, u32>,
) {
    for &name in names {
        match counted.contains_key(&name) {
            is if is == set.contains(&name) => {}
            true => drop(Arc::make_mut(set).insert(name)),
            false => drop(Arc::make_mut(set).remove(&name)),
        }
    }
}

/// The operators around what a step changed, outermost first, from the scheme on.
fn levels(source: &Terms, before: Id, root: Id) -> Option<Vec<Level>> {
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
    /// Where an operator differs from another one, if it does in operators alone.
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

    fn is_sequence(&self, source: &Terms) -> bool {
        source.functor(self.old) == Some(Construct::Then.symbol())
    }

    /// Whether what is replaced declares something for the operators after it that is not declared alike in its place.
    fn stops_declaring(&self, source: &Terms) -> bool {
        if !self.is_sequence(source) {
            return false;
        }
        let mut now = Vec::new();
        let mut work = source.args(self.new)[self.are.clone()].to_vec();
        while let Some(id) = work.pop() {
            match source.functor(id) == Some(Construct::Then.symbol()) {
                true => work.extend_from_slice(source.args(id)),
                false => now.extend(declared(source, id).map(|_| id)),
            }
        }
        // All but what a LOCAL begins with is what the name stands for.
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
fn declared(source: &Terms, id: Id) -> Option<Symbol> {
    let construct = Construct::of(source.functor(id)?)?;
    let declares = construct.info().binds() == Some(Role::Declared);
    declares.then(|| bound(source, id)).flatten()
}

/// Where the variables of a part are among all: those of the part, which has some, or else those that it could have.
fn place(
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
                Some(Sort::Operator) => known.part(terms, part).binds.last().copied(),
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

impl Checker<'_> {
    /// Checks the operators of a part, and builds what is around them; the new root, and what the operators name.
    fn replaced(&mut self, levels: &[Level], spine: &[Id]) -> Option<(Id, Vec<Rc<Part>>)> {
        let source = self.source;
        let mut contexts = Vec::new();
        for level in levels {
            contexts.push(self.context);
            self.enter(level);
        }
        // The scheme is no operator.
        self.depth = levels.len() - 1;
        let last = levels.last()?;
        let mut new = Vec::new();
        for &id in &source.args(last.new)[last.are.clone()] {
            match last.is_sequence(source) {
                true => self.parts(id, &mut new),
                false => new.push(self.operator(id)),
            }
        }
        if !self.errors.is_empty() || !self.undefined.is_empty() || self.too_large {
            return None;
        }
        let known = &mut self.before.as_mut()?.known;
        let parts: Vec<Rc<Part>> = new.iter().map(|&id| known.part(&self.terms, id)).collect();
        if parts.iter().any(|part| part.changed.recorded > 0) {
            return None;
        }
        for ((level, &own), context) in levels.iter().zip(spine).zip(contexts).rev() {
            self.context = context;
            let mut all = self.terms.args(own).to_vec();
            all.splice(level.were.clone(), new);
            new = vec![self.around(level, &all)];
        }
        let root = *new.first()?;
        (self.terms.size(root) <= MOST_NODES).then_some((root, parts))
    }

    /// Goes into an operator, where another one stands in it: to what it and those before that declare.
    fn enter(&mut self, level: &Level) {
        let source = self.source;
        match source.functor(level.new).and_then(Construct::of) {
            Some(Construct::Launch) => self.context.kernel = true,
            Some(Construct::Parallel | Construct::Lanes | Construct::Async) => {
                self.context.parallel = true;
            }
            _ => {}
        }
        let before = &source.args(level.new)[..level.are.start];
        let names: Vec<Symbol> = match level.is_sequence(source) {
            true => before
                .iter()
                .filter_map(|&id| declared(source, id))
                .collect(),
            false => bound(source, level.new).into_iter().collect(),
        };
        for name in names {
            self.frame().push(name, Meaning::Variable(name));
            if self.context.kernel {
                self.of_kernels.insert(name);
            }
        }
    }

    /// Builds an operator around a part, or the scheme.
    fn around(&mut self, level: &Level, arguments: &[Id]) -> Id {
        let (source, from) = (self.source, level.new);
        let new = match source.functor(from).and_then(Construct::of) {
            Some(Construct::Then) => self.sequence(arguments, from),
            Some(Construct::Scheme) | None => return self.scheme_of(arguments, from),
            Some(construct) => self.make(construct, arguments, Type::Unknown, from),
        };
        self.stands(new);
        new
    }
}
