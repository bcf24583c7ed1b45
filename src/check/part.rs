//! A check after a step that looks at the part alone that the step changed: what stands around it stands as it did. Its cost
//! is that of the part, and of the lists of operators that it stands in.

use super::again::{Alone, Before, Were};
use super::elaborate::{Checker, Meaning};
use super::known::{Changed, Known, Named};
use super::levels::{BODY, Level, declared, first_place, levels_between};
use super::scheme::{Scheme, Variables};
use crate::algebra::{Construct, Type, bound};
use crate::term::{Id, MOST_NODES, Symbol, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// What a check of a part left of the scheme before.
pub struct Undo {
    root: Id,
    body: Id,
    /// Where the part's variables are now.
    places: Range<usize>,
    /// Those that it had.
    variables: Variables,
    /// What its operators name, before and now.
    old: Vec<Rc<Named>>,
    new: Vec<Rc<Named>>,
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
    let levels = levels_between(source, before, root)?;
    let last = levels.last()?;
    let own_of = |id: Id| own.get(id.index()).copied().flatten();
    let spine: Vec<Id> = levels
        .iter()
        .map(|l| own_of(l.old))
        .collect::<Option<_>>()?;
    let replaced = source.args(last.old)[last.were.clone()].iter();
    let replaced: Vec<Id> = replaced.map(|&id| own_of(id)).collect::<Option<_>>()?;
    let old: Vec<Rc<Named>> = replaced
        .iter()
        .map(|&id| known.named(&scheme.terms, id))
        .collect();
    let names = old.iter().flat_map(|part| &part.binds);
    let variables = names.map(|&name| Some((name, scheme.variables.get(&name)?.clone())));
    let variables: Variables = variables.collect::<Option<_>>()?;
    let first = first_place(scheme, known, &levels, &spine, &variables)?;
    let kept = scheme.variables.len();

    let mut checker = Checker::new(source, scheme.precision);
    checker.terms = std::mem::take(&mut scheme.terms);
    checker.types = std::mem::take(&mut scheme.types);
    checker.variables = std::mem::take(&mut scheme.variables);
    checker.older = checker.terms.len();
    checker.has_data = true;
    checker.before = Some(Before {
        own,
        variables: Were::Alone(Alone {
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
        variables: Were::Alone(part),
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
    let were = first..first + part.variables.len();
    arrange(&mut scheme.variables, were, &part.declared);
    exchange(scheme, known, &old, &new);
    Some(Undo {
        root: std::mem::replace(&mut scheme.root, root),
        body: std::mem::replace(&mut scheme.body, scheme.terms.arg(root, BODY)),
        places: first..first + part.declared.len(),
        variables: part.variables,
        old,
        new,
    })
}

impl Undo {
    /// Makes the scheme what it was before the check.
    pub fn undo(self, scheme: &mut Scheme, known: &mut Known) {
        exchange(scheme, known, &self.new, &self.old);
        scheme.root = self.root;
        scheme.body = self.body;
        let names: Vec<Symbol> = self.variables.keys().copied().collect();
        scheme.variables.extend(self.variables);
        arrange(&mut scheme.variables, self.places, &names);
    }
}

/// Notes that some operators stand in the place of others, for what the whole changes.
fn exchange(scheme: &mut Scheme, known: &mut Known, old: &[Rc<Named>], new: &[Rc<Named>]) {
    let whole = known.whole(&scheme.terms, scheme.body);
    old.iter().for_each(|part| whole.reduce(&part.changed));
    new.iter().for_each(|part| whole.extend(&part.changed));
    for part in old.iter().chain(new) {
        let Changed {
            assigned, points, ..
        } = &part.changed;
        follow(&mut scheme.assigned, assigned.keys(), &whole.assigned);
        follow(&mut scheme.control_points, points.keys(), &whole.points);
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

impl Checker<'_> {
    /// Checks the operators of a part, and builds what is around them; the new root, and what the operators name.
    fn replaced(&mut self, levels: &[Level], spine: &[Id]) -> Option<(Id, Vec<Rc<Named>>)> {
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
        let is_wrong = !self.errors.is_empty() || !self.undefined.is_empty() || self.too_large;
        if is_wrong || !self.is_seen_as_before(last) {
            return None;
        }
        let known = &mut self.before.as_mut()?.known;
        let parts: Vec<Rc<Named>> = new.iter().map(|&id| known.named(&self.terms, id)).collect();
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

    /// Whether those after a part see its variables by the names by which they see them: of two with one name, they would see
    /// the last one.
    fn is_seen_as_before(&self, level: &Level) -> bool {
        let source = self.source;
        let is_itself = |name: Symbol| match self.meaning(name) {
            Some(Meaning::Variable(unique)) => unique == name,
            _ => true,
        };
        let declaring = level.declaring(source).into_iter();
        let mut names = declaring.filter_map(|id| declared(source, id));
        !level.is_sequence(source) || names.all(is_itself)
    }

    /// Goes into an operator, where another one stands in it: to what it and those before that declare. No launch is one of an
    /// operator of the author's: there are none.
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
