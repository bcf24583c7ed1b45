//! What is known where a part of a scheme stands: loops and conditions around it, claims.

use super::access::{Around, Loop};
use super::affine::{Names, Reader, Variables, is_parameter};
use super::form::Linear;
use super::held::is_held;
use super::linear::System;
use crate::algebra::{Construct, Operator, loop_variable, names, operator, simple_operators};
use crate::check::{Role, Scheme};
use crate::term::{Id, Path, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

/// The surroundings of a part of a scheme.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Loops and branches around it, outermost first.
    pub around: Vec<Around>,
    /// LOCALs in scope that keep their first value.
    pub definitions: FxHashMap<Symbol, Id>,
    /// LOCALs in scope that keep their first value and have expressions which are assigned elsewhere, but neither between
    /// the LOCAL and the place, at it, nor by what runs at the same time: there both are equal.
    pub held: Vec<(Symbol, Id)>,
    /// Whether it stands in LANES.
    pub in_lanes: bool,
    /// Variables that something assigns: their value is not fixed.
    pub changing: Arc<FxHashSet<Symbol>>,
    /// What [`Context::facts`] found without claims and with them, once it was asked for.
    found: [OnceCell<(Variables, System)>; 2],
    /// What [`Context::is_exact`] found, once it was asked for.
    exact: OnceCell<bool>,
}

/// What a place stands in that is not the host's level, where anything may stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Level {
    /// Whether it stands in a launch.
    pub in_kernel: bool,
    /// Whether it stands in what is RECORDED.
    pub recorded: bool,
    /// Whether it stands in PARALLEL.
    pub in_parallel: bool,
}

impl Level {
    /// The level of a part of a scheme.
    pub fn at(scheme: &Scheme, path: &Path) -> Level {
        let terms = &scheme.terms;
        let mut level = Level::default();
        let mut id = scheme.root;
        for &step in &path.0 {
            let Some(&part) = terms.args(id).get(step as usize) else {
                return Level::default();
            };
            use Construct::{Async, Lanes, Launch, Parallel, Recorded};
            let construct = terms.functor(id).and_then(Construct::of);
            if let Some(Launch | Parallel | Lanes | Async | Recorded) = construct {
                match operator(terms, id) {
                    Some(Operator::Launch { body, .. }) => level.in_kernel |= part == body,
                    Some(Operator::Parallel { body, .. }) => level.in_parallel |= part == body,
                    Some(Operator::Async(_)) => level.in_parallel = true,
                    Some(Operator::Recorded(_)) => level.recorded = true,
                    _ => {}
                }
            }
            id = part;
        }
        level
    }

    /// Whether it is the host's: in no launch, no PARALLEL and nothing RECORDED.
    pub fn is_of_host(self) -> bool {
        !self.in_kernel && !self.in_parallel && !self.recorded
    }
}

/// The variables of the loops around a place.
pub fn loops_around(scheme: &Scheme, path: &Path) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let spine = path.spine(terms, scheme.root).unwrap_or_default();
    let around = spine.iter().take(path.0.len());
    around.filter_map(|&id| loop_variable(terms, id)).collect()
}

impl Context {
    /// Whether the same is known at two places of states of a scheme that share an arena.
    pub fn is_as(&self, other: &Context) -> bool {
        let Context {
            around,
            definitions,
            held,
            in_lanes,
            changing,
            found: _,
            exact: _,
        } = self;
        let is_one_set = Arc::ptr_eq(changing, &other.changing);
        *in_lanes == other.in_lanes
            && *around == other.around
            && *held == other.held
            && *definitions == other.definitions
            && (is_one_set || *changing == other.changing)
    }

    /// The surroundings of a part of a scheme.
    pub fn at(scheme: &Scheme, path: &Path) -> Context {
        let terms = &scheme.terms;
        let mut context = Context::default();
        let Some(spine) = path.spine(terms, scheme.root) else {
            return context;
        };
        context.changing = Arc::clone(&scheme.assigned);
        let mut locals = Vec::new();
        for (depth, &step) in path.0.iter().enumerate() {
            let id = spine[depth];
            let step = step as usize;
            match operator(terms, id) {
                Some(Operator::Then(parts)) => {
                    for (index, &part) in parts[..step.min(parts.len())].iter().enumerate() {
                        if terms.functor(part) == Some(Construct::Local.symbol())
                            && let Some(Operator::Local { name, value, .. }) = operator(terms, part)
                            && !scheme.assigned.contains(&name)
                        {
                            context.definitions.insert(name, value);
                            locals.push((name, value, depth, index));
                        }
                    }
                }
                Some(Operator::If { condition, .. }) if step > 0 => {
                    context.around.push(Around::Branch(condition, step == 1));
                }
                Some(Operator::While { .. }) => context.around.push(Around::Maybe),
                Some(Operator::For {
                    var,
                    from,
                    to,
                    step: by,
                    body,
                }) if spine[depth + 1] == body => {
                    context.around.push(Around::Loop(Loop {
                        var,
                        from,
                        to,
                        step: by,
                    }));
                }
                Some(Operator::Parallel {
                    var,
                    from,
                    to,
                    lanes,
                    body,
                }) if spine[depth + 1] == body => {
                    context.in_lanes |= lanes.is_some();
                    context.around.push(Around::Loop(Loop {
                        var,
                        from,
                        to,
                        step: None,
                    }));
                }
                Some(Operator::Launch {
                    blocks,
                    threads,
                    body,
                }) if spine[depth + 1] == body => {
                    context.around.push(Around::Launch(blocks, threads));
                }
                // A place among conditions, bounds and other values.
                Some(
                    Operator::If { .. }
                    | Operator::For { .. }
                    | Operator::Parallel { .. }
                    | Operator::Launch { .. }
                    | simple_operators!(),
                )
                | None => {}
                Some(
                    Operator::Async(_)
                    | Operator::Array { .. }
                    | Operator::Timed(_)
                    | Operator::Recorded(_),
                ) => {}
            }
        }
        // A LOCAL is short for its expression only while what that reads keeps its value.
        let changing = &context.changing;
        let keeps = |value: Id| names(terms, value).all(|name| !changing.contains(&name));
        context.definitions.retain(|_, &mut value| keeps(value));
        let held = locals.into_iter().filter(|&(_, value, depth, index)| {
            !keeps(value) && is_held(terms, &spine, path, (depth, index), value)
        });
        context.held = held.map(|(name, value, ..)| (name, value)).collect();
        context
    }

    /// The surroundings of a loop's body, from those of the loop.
    #[must_use]
    pub fn within(mut self, this: Loop) -> Context {
        self.around.push(Around::Loop(this));
        self.found = Default::default();
        self.exact = OnceCell::new();
        self
    }

    /// What holds here, as a system over variables of instance 0.
    ///
    /// Claims of the author are used if `claims` says so.
    pub fn facts(&self, scheme: &Scheme, claims: bool) -> (Variables, System) {
        let found = self.found[usize::from(claims)].get_or_init(|| {
            let mut variables = Variables::default();
            let facts = self.find_facts(scheme, &mut variables, claims);
            (variables, facts)
        });
        found.clone()
    }

    fn find_facts(&self, scheme: &Scheme, variables: &mut Variables, claims: bool) -> System {
        let mut reader = Reader::new(scheme, variables, System::default());
        let outer = Outer(self);
        // Sizes of arrays are not negative. Most arrays have those of others.
        let mut sizes: FxHashSet<Linear> = FxHashSet::default();
        for size in scheme.extents() {
            if let Some(form) = reader.read(size, &outer)
                && sizes.insert(form.clone())
            {
                reader.facts.order(&Linear::constant(0), &form);
            }
        }
        for around in &self.around {
            surround(&mut reader, around, &outer);
        }
        if claims {
            for &claim in &scheme.assumptions {
                if let Some(systems) = reader.guard(claim, true, &outer)
                    && let [one] = systems.as_slice()
                {
                    reader.facts.add(one);
                }
            }
        }
        reader.facts
    }

    /// Whether [`Context::facts`] says all there is to say: each choice of values that it leaves is
    /// met when the scheme runs.
    pub fn is_exact(&self, scheme: &Scheme) -> bool {
        *self.exact.get_or_init(|| {
            let mut variables = Variables::default();
            let mut reader = Reader::new(scheme, &mut variables, System::default());
            let outer = Outer(self);
            let mut around = self.around.iter();
            around.all(|around| surround(&mut reader, around, &outer))
        })
    }

    /// Whether any claim could matter to a linear system.
    pub fn has_claims(&self, scheme: &Scheme) -> bool {
        !scheme.assumptions.is_empty()
    }
}

/// Adds what a loop or a branch around says. Gives whether it said all there is to say.
pub(super) fn surround(reader: &mut Reader<'_>, around: &Around, names: &dyn Names) -> bool {
    match *around {
        Around::Loop(Loop {
            var,
            from,
            to,
            step,
        }) => {
            let Some(instance) = names.instance(var) else {
                return false;
            };
            let form = Linear::var(reader.variables.of(var, instance));
            let step = step.map_or(Some(1), |s| reader.scheme.terms.as_int(s));
            let (low, high) = match step {
                Some(s) if s > 0 => (from, to),
                Some(s) if s < 0 => (to, from),
                _ => return false,
            };
            let mut exact = step == Some(1) || step == Some(-1);
            exact &= bound(reader, low, &form, false, names);
            exact &= bound(reader, high, &form, true, names);
            if let Some(s) = step.filter(|s| s.abs() > 1)
                && let Some(start) = reader.read(from, names)
            {
                // var = from + s k for some k that belongs to this loop and instance.
                let k = reader
                    .variables
                    .of(Symbol::new(&format!("{}·", var.as_str())), instance);
                reader
                    .facts
                    .equate(&form, &start.plus(&Linear::var(k), s.into()));
                reader.facts.order(&Linear::constant(0), &Linear::var(k));
                exact = true;
            }
            exact
        }
        Around::Branch(condition, holds) => match reader.guard(condition, holds, names) {
            Some(systems) if systems.len() == 1 => {
                reader.facts.add(&systems[0]);
                true
            }
            // Two systems for one condition: the caller that cares splits; here it is left out.
            _ => false,
        },
        Around::Maybe => false,
        Around::Launch(blocks, threads) => {
            let mut exact = true;
            for (index, count) in [
                (Construct::BlockIndex, blocks),
                (Construct::ThreadIndex, threads),
            ] {
                let Some(instance) = names.instance(index.symbol()) else {
                    exact = false;
                    continue;
                };
                let form = Linear::var(reader.variables.of(index.symbol(), instance));
                reader.facts.order(&Linear::constant(0), &form);
                match reader.read(count, names) {
                    Some(count) => reader.facts.order_strictly(&form, &count),
                    None => exact = false,
                }
            }
            for (index, count) in [
                (Construct::BlockCount, blocks),
                (Construct::ThreadCount, threads),
            ] {
                if let (Some(instance), Some(count)) =
                    (names.instance(index.symbol()), reader.read(count, names))
                {
                    let form = Linear::var(reader.variables.of(index.symbol(), instance));
                    reader.facts.equate(&form, &count);
                }
            }
            exact
        }
    }
}

/// Adds `bound <= form` or, for an upper bound, `form <= bound`; a `min` above and a `max` below
/// are taken apart.
fn bound(
    reader: &mut Reader<'_>,
    bound_id: Id,
    form: &Linear,
    upper: bool,
    names: &dyn Names,
) -> bool {
    use crate::algebra::{Expr, Extreme, Signature, expr, signature};
    if let Some(Expr::Apply {
        function,
        arguments: &[a, b],
    }) = expr(&reader.scheme.terms, bound_id)
        && signature(function)
            == Some(Signature::Join(if upper {
                Extreme::Min
            } else {
                Extreme::Max
            }))
    {
        let first = bound(reader, a, form, upper, names);
        return bound(reader, b, form, upper, names) && first;
    }
    match reader.read(bound_id, names) {
        Some(limit) if upper => reader.facts.order(form, &limit),
        Some(limit) => reader.facts.order(&limit, form),
        None => return false,
    }
    true
}

/// Names as the surroundings see them: all of one instance.
pub(super) struct Outer<'a>(pub &'a Context);

impl Names for Outer<'_> {
    fn instance(&self, name: Symbol) -> Option<u8> {
        (!self.0.changing.contains(&name)).then_some(0)
    }

    fn definition(&self, name: Symbol) -> Option<Id> {
        self.0.definitions.get(&name).copied()
    }
}

/// Whether a variable keeps its value while an operator runs that writes `written`.
pub(super) fn is_fixed(scheme: &Scheme, name: Symbol, written: &FxHashSet<Symbol>) -> bool {
    is_parameter(scheme, name)
        || matches!(scheme.variable(name).map(|v| &v.role), Some(Role::Loop))
        || !written.contains(&name)
}
