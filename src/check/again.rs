//! A check after a step: parts that the step left as they were, and that stand as they stood, are not looked at again.

use super::data::Parts;
use super::elaborate::{Checker, Context, Meaning};
use super::scheme::{Role, Scheme, Variable};
use crate::algebra::{
    Construct, Operator, Precision, Role as Argument, Sort, Type, bound, is_word, names, operator,
    operators_of, root_name, written,
};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is known of the operators of a scheme since it was checked.
#[derive(Default)]
pub struct Known {
    /// Where operators stand, by id.
    places: Vec<Option<Place>>,
    /// What they name, as far as that was asked for.
    parts: FxHashMap<Id, Rc<Part>>,
    /// What DATA says, and how many variables it declares.
    data: Option<(Parts, usize)>,
    /// What the body changes.
    whole: Option<Changed>,
}

impl Known {
    /// How many variables DATA declares.
    pub(super) fn of_data(&self) -> Option<usize> {
        Some(self.data.as_ref()?.1)
    }

    /// What a body changes, if it is that of the scheme as it was checked last.
    pub(super) fn whole(&mut self, terms: &Terms, body: Id) -> &mut Changed {
        let parts = &self.parts;
        let known = |id: Id| parts.get(&id).map(|part| &part.changed);
        self.whole
            .get_or_insert_with(|| Changed::found(terms, body, known))
    }

    /// Whether an operator of the scheme names one of some variables. Of sequences, which steps change again and again, this is
    /// not looked for.
    pub fn names_one(&mut self, terms: &Terms, own: Id, of: &FxHashSet<Symbol>) -> bool {
        if terms.functor(own) == Some(Construct::Then.symbol()) {
            return true;
        }
        let part = self.part(terms, own);
        let mut all = part.free.iter().chain(&part.binds);
        all.any(|name| of.contains(name))
    }

    /// Forgets what the body changes, as it is another one.
    pub fn body_changed(&mut self) {
        self.whole = None;
    }

    /// What a checked operator names. What the operators in it do is known as a rule, as most of them stood before.
    pub(super) fn part(&mut self, terms: &Terms, own: Id) -> Rc<Part> {
        let known = &mut self.parts;
        let mut work = vec![own];
        while let Some(&id) = work.last() {
            let waiting = work.len();
            if !known.contains_key(&id) {
                work.extend(operators_of(terms, id).filter(|inner| !known.contains_key(inner)));
            }
            if work.len() > waiting {
                continue;
            }
            work.pop();
            if !known.contains_key(&id) {
                known.insert(id, Rc::new(Part::of(terms, id, known)));
            }
        }
        Rc::clone(&known[&own])
    }
}

/// Where an operator stands, for what is allowed there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    kernel: bool,
    parallel: bool,
}

impl From<Context> for Place {
    fn from(context: Context) -> Place {
        Place {
            kernel: context.kernel,
            parallel: context.parallel,
        }
    }
}

/// What an operator names.
pub(super) struct Part {
    /// The names that it does not bind, each once.
    free: Vec<Symbol>,
    /// Those of them that it assigns.
    assigned: Vec<Symbol>,
    /// The names that it binds, in the order in which they are declared.
    pub(super) binds: Vec<Symbol>,
    /// All variables that it assigns, and its control points.
    pub(super) changed: Changed,
    nodes: usize,
    levels: usize,
}

/// What operators change, each with how many of them do: variables and arrays that get values, and control points that are
/// reached; and how many operators are RECORDED, for what must not change then.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Changed {
    pub assigned: FxHashMap<Symbol, u32>,
    pub points: FxHashMap<Symbol, u32>,
    pub recorded: u32,
}

impl Changed {
    /// What the operators within an operator change.
    pub fn within(terms: &Terms, body: Id) -> Changed {
        Changed::found(terms, body, |_| None)
    }

    /// What the operators within an operator change, where it is known of some of them.
    fn found<'a>(terms: &Terms, body: Id, known: impl Fn(Id) -> Option<&'a Changed>) -> Changed {
        let mut changed = Changed::default();
        let mut work = vec![body];
        while let Some(id) = work.pop() {
            match known(id) {
                Some(part) => changed.extend(part),
                None => {
                    changed.add(terms, id);
                    work.extend(operators_of(terms, id));
                }
            }
        }
        changed
    }

    /// Adds what an operator changes itself.
    fn add(&mut self, terms: &Terms, id: Id) {
        for name in written(terms, id).filter_map(|target| root_name(terms, target)) {
            *self.assigned.entry(name).or_default() += 1;
        }
        let functor = terms.functor(id);
        self.recorded += u32::from(functor == Some(Construct::Recorded.symbol()));
        // Most operators are none, and need not be taken apart.
        if functor == Some(Construct::ControlPoint.symbol())
            && let Some(Operator::ControlPoint(point)) = operator(terms, id)
        {
            *self.points.entry(point).or_default() += 1;
        }
    }

    /// Adds what other operators change.
    pub fn extend(&mut self, other: &Changed) {
        let add = |all: &mut FxHashMap<Symbol, u32>, more: &FxHashMap<Symbol, u32>| {
            for (&name, count) in more {
                *all.entry(name).or_default() += count;
            }
        };
        add(&mut self.assigned, &other.assigned);
        add(&mut self.points, &other.points);
        self.recorded += other.recorded;
    }

    /// Takes away what some of the operators change.
    pub fn reduce(&mut self, other: &Changed) {
        let take = |all: &mut FxHashMap<Symbol, u32>, less: &FxHashMap<Symbol, u32>| {
            for (name, count) in less {
                if let Some(left) = all.get_mut(name) {
                    *left -= count;
                    if *left == 0 {
                        all.remove(name);
                    }
                }
            }
        };
        take(&mut self.assigned, &other.assigned);
        take(&mut self.points, &other.points);
        self.recorded -= other.recorded;
    }
}

impl Part {
    /// What an operator names, put together of what those in it do.
    fn of(terms: &Terms, id: Id, known: &FxHashMap<Id, Rc<Part>>) -> Part {
        let mut part = Part {
            free: Vec::new(),
            assigned: Vec::new(),
            binds: bound(terms, id).into_iter().collect(),
            changed: Changed::default(),
            nodes: terms.size(id),
            levels: 1,
        };
        part.changed.add(terms, id);
        let functor = terms.functor(id);
        let mut named: Vec<Symbol> = terms.as_atom(id).into_iter().collect();
        for (i, &inner) in terms.args(id).iter().enumerate() {
            match known.get(&inner) {
                Some(inner) => {
                    part.binds.extend(&inner.binds);
                    part.changed.extend(&inner.changed);
                    part.levels = part.levels.max(inner.levels + 1);
                    named.extend(&inner.free);
                }
                None => {
                    part.expression(terms, inner);
                    if !functor.is_some_and(|functor| is_word(functor, i)) {
                        named.extend(names(terms, inner));
                    }
                }
            }
        }
        let mut seen: FxHashSet<Symbol> = part.binds.iter().copied().collect();
        let assigned = part.changed.assigned.keys().copied();
        part.assigned = assigned.filter(|name| !seen.contains(name)).collect();
        named.retain(|&name| seen.insert(name));
        part.free = named;
        part
    }

    /// Adds an expression or another argument that is no operator.
    fn expression(&mut self, terms: &Terms, id: Id) {
        let mut work = vec![(id, 2)];
        while let Some((id, level)) = work.pop() {
            self.levels = self.levels.max(level);
            self.binds.extend(bound(terms, id));
            work.extend(terms.args(id).iter().rev().map(|&part| (part, level + 1)));
        }
    }
}

/// What a check may take over from the one before.
pub(super) struct Before<'a> {
    /// The checked nodes for those of the source.
    pub(super) own: &'a [Option<Id>],
    pub(super) variables: Were<'a>,
    pub(super) known: &'a mut Known,
    /// Nodes that were in the arena before, and nodes that were taken over.
    pub(super) first: usize,
    pub(super) taken_over: usize,
}

/// The variables that there were.
pub(super) enum Were<'a> {
    /// All of them.
    All(&'a IndexMap<Symbol, Variable, FxBuildHasher>),
    /// Those of a part that is looked at alone; what stands around it has those that it had.
    Part(OfPart),
}

/// What is known of a part that is looked at alone.
pub(super) struct OfPart {
    /// The source's nodes for it.
    pub(super) nodes: Vec<Id>,
    /// The variables that it had.
    pub(super) variables: IndexMap<Symbol, Variable, FxBuildHasher>,
    /// The names that it has now, in the order in which they were given.
    pub(super) declared: Vec<Symbol>,
    /// Whether it declares a name that is that of a variable around it, one of which has to get another one.
    pub(super) shares_names: bool,
}

impl Before<'_> {
    /// A variable that there was; `now` has those that there are.
    fn variable<'v>(
        &'v self,
        now: &'v IndexMap<Symbol, Variable, FxBuildHasher>,
        name: Symbol,
    ) -> Option<&'v Variable> {
        match &self.variables {
            Were::All(all) => all.get(&name),
            Were::Part(part) => part.variables.get(&name).or_else(|| now.get(&name)),
        }
    }

    /// Nodes of the new tree that were made so far, besides those taken over.
    pub(super) fn made(&self, terms: &Terms) -> usize {
        terms.len() - self.first
    }
}

/// Checks a scheme, and notes what a later check may take over.
///
/// # Errors
///
/// As those of [`check`](super::check).
pub fn check_first(
    source: &Terms,
    root: Id,
    precision: Precision,
    known: &mut Known,
) -> Result<Scheme, Vec<Diagnostic>> {
    *known = Known::default();
    let mut checker = Checker::new(source, precision);
    let none = IndexMap::default();
    checker.before = Some(Before {
        own: &[],
        variables: Were::All(&none),
        known,
        first: 0,
        taken_over: 0,
    });
    checker.scheme(root).0
}

/// Checks a scheme after a step. `own` has for each node of the source the node of the scheme that it is a copy
/// of, if it is one; such a node stands once at most, and what is below it are the copies of what is below that.
/// The scheme's arena keeps its nodes, and those that are taken over keep their ids. Gives the scheme as it was
/// before, without its arena and types: [`Scheme::return_to`] takes it back.
///
/// # Errors
///
/// What is wrong with it. The scheme is as it was then, and has some nodes more in its arena.
pub fn check_again(
    source: &Terms,
    root: Id,
    own: &[Option<Id>],
    scheme: &mut Scheme,
    known: &mut Known,
) -> Result<Scheme, Vec<Diagnostic>> {
    let mut checker = Checker::new(source, scheme.precision);
    checker.terms = std::mem::take(&mut scheme.terms);
    checker.types = std::mem::take(&mut scheme.types);
    checker.older = checker.terms.len();
    // A step leaves about as many variables as there were.
    checker.variables.reserve(scheme.variables.len());
    checker.bound.reserve(scheme.variables.len());
    // What nothing defines is told by whoever comes to it.
    let is_settled = scheme.has_data && scheme.undefined.is_empty();
    checker.before = Some(Before {
        own: if is_settled { own } else { &[] },
        variables: Were::All(&scheme.variables),
        known,
        first: checker.older,
        taken_over: 0,
    });
    match checker.scheme(root) {
        (Ok(new), _) => Ok(std::mem::replace(scheme, new)),
        (Err(wrong), terms) => {
            scheme.types = vec![Type::Unknown; terms.len()];
            scheme.terms = terms;
            Err(wrong)
        }
    }
}

impl Checker<'_> {
    /// The checked operator for one of the source, if the check before found it and nothing has changed for it.
    pub(super) fn taken_over(&mut self, id: Id) -> Option<Id> {
        let before = self.before.as_ref()?;
        let own = before.own.get(id.index()).copied().flatten()?;
        let construct = Construct::of(self.terms.functor(own)?)?;
        let info = construct.info();
        let stands_alone = info.sort == Sort::Operator
            && !(self.terms.arity(own) > 0 && info.binds() == Some(Argument::Declared));
        let place = before.known.places.get(own.index()).copied().flatten();
        let is_whole = self.frames.len() == 1 && self.phrase.is_none();
        if !stands_alone || !is_whole || place != Some(self.context.into()) {
            return None;
        }
        let before = self.before.as_mut()?;
        let part = before.known.part(&self.terms, own);
        let fits = self.depth + part.levels < 2 * MAX_DEPTH
            && part.binds.iter().all(|&name| !self.is_bound(name))
            && part.free.iter().all(|&name| self.means_the_same(name))
            && part.assigned.iter().all(|&name| !self.is_of_host(name));
        if !fits {
            return None;
        }
        let mut before = self.before.take()?;
        let variables = part.binds.iter();
        let variables = variables.map(|&name| before.variable(&self.variables, name).cloned());
        let variables: Option<Vec<Variable>> = variables.collect();
        before.taken_over += variables.as_ref().map_or(0, |_| part.nodes);
        self.before = Some(before);
        for (&name, variable) in part.binds.iter().zip(variables?) {
            self.fresh(name);
            self.insert(name, variable);
        }
        Some(own)
    }

    /// What checked DATA says, if the step left it as it was; its variables are declared.
    pub(super) fn data_taken_over(&mut self, data: Id) -> Option<Parts> {
        let before = self.before.as_mut()?;
        let own = before.own.get(data.index()).copied().flatten()?;
        let (parts, count) = before.known.data.as_ref()?;
        if parts.term != own {
            return None;
        }
        let parts = parts.clone();
        let Were::All(variables) = before.variables else {
            return None;
        };
        let variables = variables.iter().take(*count);
        let variables: Vec<(Symbol, Variable)> = variables.map(|(&n, v)| (n, v.clone())).collect();
        before.taken_over += self.terms.size(own);
        self.has_data = true;
        for (name, variable) in variables {
            self.fresh(name);
            self.variables.insert(name, variable);
        }
        Some(parts)
    }

    /// Notes what DATA says.
    pub(super) fn data_stands(&mut self, parts: &Parts) {
        let count = self.variables.len();
        if let Some(before) = &mut self.before
            && before.known.data.as_ref().map(|(known, _)| known.term) != Some(parts.term)
        {
            before.known.data = Some((parts.clone(), count));
        }
    }

    /// Notes where a checked operator stands.
    pub(super) fn stands(&mut self, new: Id) {
        let place = self.context.into();
        let Some(before) = &mut self.before else {
            return;
        };
        let places = &mut before.known.places;
        if places.len() <= new.index() {
            places.resize(new.index() + 1, None);
        }
        places[new.index()] = Some(place);
    }

    /// What the operators of the checked body change: looked for where the check before does not know it.
    pub(super) fn changed(&mut self, body: Id) -> Changed {
        let Some(before) = &mut self.before else {
            return Changed::within(&self.terms, body);
        };
        before.known.body_changed();
        let changed = before.known.whole(&self.terms, body).clone();
        debug_assert_eq!(changed, Changed::within(&self.terms, body));
        changed
    }

    /// Whether a name means here what it meant, or no more than it meant.
    fn means_the_same(&self, name: Symbol) -> bool {
        let Some(before) = &self.before else {
            return false;
        };
        let (old, new) = (
            before.variable(&self.variables, name),
            self.variables.get(&name),
        );
        match (old, self.meaning(name)) {
            (None, None) => true,
            (Some(old), Some(Meaning::Variable(unique))) => {
                let is_it =
                    |new: &Variable| std::ptr::eq(old, new) || is_same(&self.terms, old, new);
                unique == name && new.is_some_and(is_it)
            }
            _ => false,
        }
    }

    /// Whether a name is that of a scalar of the host, in a kernel.
    fn is_of_host(&self, name: Symbol) -> bool {
        let is_scalar = || self.variables.get(&name).is_some_and(|v| !v.is_array());
        self.context.kernel && !self.of_kernels.contains(&name) && is_scalar()
    }
}

/// Whether two variables are declared alike.
pub(super) fn is_same(terms: &Terms, a: &Variable, b: &Variable) -> bool {
    let all = |a: &[Id], b: &[Id]| {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| terms.equal(a, b))
    };
    let roles = match (&a.role, &b.role) {
        (Role::Parameter { default: a }, Role::Parameter { default: b }) => terms.equal(*a, *b),
        (
            Role::Data {
                input,
                output,
                values,
            },
            Role::Data {
                input: other_input,
                output: other_output,
                values: others,
            },
        ) => (input, output) == (other_input, other_output) && all(values, others),
        (a, b) => a == b,
    };
    roles && a.ty == b.ty && all(&a.dims, &b.dims)
}
