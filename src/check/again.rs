//! A check after a step: parts that the step left as they were, and that stand as they stood, are not looked at again.

use super::data::Parts;
use super::elaborate::{Checker, Meaning};
use super::known::{Changed, Known};
use super::scheme::{Role, Scheme, Variable, Variables};
use crate::algebra::{Construct, Precision, Role as Argument, Sort, Type};
use crate::diagnostic::Diagnostic;
use crate::term::{Id, MAX_DEPTH, Symbol, Terms};

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
    All(&'a Variables),
    /// Those of a part that is looked at alone; what stands around it has those that it had.
    Alone(Alone),
}

/// What is known of a part that is looked at alone.
pub(super) struct Alone {
    /// The source's nodes for it.
    pub(super) nodes: Vec<Id>,
    /// The variables that it had.
    pub(super) variables: Variables,
    /// The names that it has now, in the order in which they were given.
    pub(super) declared: Vec<Symbol>,
    /// Whether it declares a name that is that of a variable around it, one of which has to get another one.
    pub(super) shares_names: bool,
}

impl Before<'_> {
    /// A variable that there was; `now` has those that there are.
    fn variable<'v>(&'v self, now: &'v Variables, name: Symbol) -> Option<&'v Variable> {
        match &self.variables {
            Were::All(all) => all.get(&name),
            Were::Alone(part) => part.variables.get(&name).or_else(|| now.get(&name)),
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
    let none = Variables::default();
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
/// What is wrong with it. The scheme is as it was then, but for its types, and has some nodes more in its arena.
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
        known: &mut *known,
        first: checker.older,
        taken_over: 0,
    });
    match checker.scheme(root) {
        (Ok(new), _) => Ok(std::mem::replace(scheme, new)),
        (Err(wrong), terms) => {
            // What was noted on the way is of a body that there is not.
            known.body_changed();
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
        let stood = before.known.stood(own, self.context);
        let is_whole = self.frames.len() == 1 && self.phrase.is_none();
        if !stands_alone || !is_whole || !stood {
            return None;
        }
        let before = self.before.as_mut()?;
        let part = before.known.named(&self.terms, own);
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
        let (parts, count) = before.known.data()?;
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
        if let Some(before) = &mut self.before {
            before.known.note_data(parts, count);
        }
    }

    /// Notes where a checked operator stands.
    pub(super) fn stands(&mut self, new: Id) {
        if let Some(before) = &mut self.before {
            before.known.stands(new, self.context);
        }
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
