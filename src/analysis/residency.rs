//! What operators do to the two copies of an array: what a part of a scheme makes of them, as a whole.
//!
//! Host and device hold separate copies of an array. A write makes the other side's copy stale, a
//! transfer makes both the same. Each operator is summed up once, whatever holds before it, so that a
//! scheme is gone through once, and not once for each place that somebody asks about.

use super::access::{Access, Around, effects};
use crate::algebra::{
    Binary, Expr, Operator, Signature, arrays_read, expr, operator, signature, simple_operators,
};
use crate::check::{Scheme, Variable};
use crate::term::{Id, Symbol};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

/// Which copies of an array hold its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fresh {
    pub(super) host: bool,
    pub(super) device: bool,
}

impl Fresh {
    pub(super) const BOTH: Fresh = Fresh {
        host: true,
        device: true,
    };
}

/// What an operator does to one copy of an array, and what it needs of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// Some way through it leaves the copy stale, whatever it was.
    pub(super) stale: bool,
    /// Some way through it leaves the copy as it was.
    pub(super) keep: bool,
    /// Some way through it uses the copy as it was before.
    pub(super) exposed: bool,
    /// Some way through it uses the copy where the operator itself has made it stale.
    pub(super) broken: bool,
}

impl Effect {
    const NONE: Effect = Effect {
        stale: false,
        keep: true,
        exposed: false,
        broken: false,
    };

    /// The copy is up to date, or stale, whatever it was.
    fn made(fresh: bool) -> Effect {
        Effect {
            stale: !fresh,
            keep: false,
            ..Effect::NONE
        }
    }

    /// Whether the copy is up to date after the operator, on every way.
    pub(super) fn leaves(self, fresh: bool) -> bool {
        !self.stale && (!self.keep || fresh)
    }

    /// Whether a stale copy is used, if the copy is as told before.
    pub(super) fn uses_stale(self, fresh: bool) -> bool {
        self.broken || self.exposed && !fresh
    }

    fn then(self, next: Effect) -> Effect {
        Effect {
            stale: next.stale || next.keep && self.stale,
            keep: self.keep && next.keep,
            exposed: self.exposed || self.keep && next.exposed,
            broken: self.broken || next.broken || self.stale && next.exposed,
        }
    }

    fn or(self, other: Effect) -> Effect {
        Effect {
            stale: self.stale || other.stale,
            keep: self.keep || other.keep,
            exposed: self.exposed || other.exposed,
            broken: self.broken || other.broken,
        }
    }

    /// No time, once, or more often. After an iteration the copy is as before it, stale, or up to
    /// date; so the second iteration uses a stale copy that the first one did not only where the first
    /// made it so.
    fn repeated(self) -> Effect {
        Effect {
            keep: true,
            broken: self.broken || self.stale && self.exposed,
            ..self
        }
    }
}

/// What an operator does with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) host: Effect,
    pub(super) device: Effect,
    /// Launches in it read or write it.
    pub(super) reached: bool,
    /// Launches in it write it.
    pub(super) written: bool,
    /// Memory of the device is allocated for it.
    pub(super) allocated: bool,
}

impl Touch {
    const NONE: Touch = Touch {
        host: Effect::NONE,
        device: Effect::NONE,
        reached: false,
        written: false,
        allocated: false,
    };

    fn with(self, other: Touch, both: fn(Effect, Effect) -> Effect) -> Touch {
        Touch {
            host: both(self.host, other.host),
            device: both(self.device, other.device),
            reached: self.reached || other.reached,
            written: self.written || other.written,
            allocated: self.allocated || other.allocated,
        }
    }

    /// What is up to date after the operator.
    pub(super) fn leaves(self, before: Fresh) -> Fresh {
        Fresh {
            host: self.host.leaves(before.host),
            device: self.device.leaves(before.device),
        }
    }
}

/// What an operator does with each array that it touches, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    pub(super) arrays: IndexMap<Symbol, Touch, FxBuildHasher>,
    /// Whether it uses a stale copy of an array that is declared in it.
    pub(super) broken_inside: bool,
}

impl Touches {
    pub(super) fn of(&self, name: Symbol) -> Touch {
        self.arrays.get(&name).copied().unwrap_or(Touch::NONE)
    }

    fn touch(&mut self, name: Symbol) -> &mut Touch {
        self.arrays.entry(name).or_insert(Touch::NONE)
    }

    fn then(&mut self, next: &Touches) {
        self.broken_inside |= next.broken_inside;
        for (&name, &touch) in &next.arrays {
            let now = self.touch(name);
            *now = now.with(touch, Effect::then);
        }
    }

    /// What both branches of a choice do.
    fn or(mut self, other: &Touches) -> Touches {
        self.broken_inside |= other.broken_inside;
        for (&name, touch) in &mut self.arrays {
            *touch = touch.with(other.of(name), Effect::or);
        }
        for (&name, &touch) in &other.arrays {
            let only_there = || touch.with(Touch::NONE, Effect::or);
            self.arrays.entry(name).or_insert_with(only_there);
        }
        self
    }

    fn repeated(mut self) -> Touches {
        for touch in self.arrays.values_mut() {
            touch.host = touch.host.repeated();
            touch.device = touch.device.repeated();
        }
        self
    }

    /// The copy of an array on the host is used.
    fn reads_of(&mut self, scheme: &Scheme, expression: Id) {
        for (_, array) in arrays_read(&scheme.terms, expression) {
            if scheme.variable(array).is_some_and(Variable::is_array) {
                let host = &mut self.touch(array).host;
                *host = host.then(USE);
            }
        }
    }

    fn transfer(&mut self, name: Symbol, from: fn(&mut Touch) -> &mut Effect) {
        let touch = self.touch(name);
        *from(touch) = USE;
        touch.host = touch.host.then(Effect::made(true));
        touch.device = touch.device.then(Effect::made(true));
    }
}

const USE: Effect = Effect {
    exposed: true,
    ..Effect::NONE
};

/// The summaries of a scheme's operators that were asked for.
#[derive(Debug, Default)]
pub(super) struct Summaries(FxHashMap<Id, Rc<Touches>>);

impl Summaries {
    /// What an operator does with arrays.
    pub(super) fn of(&mut self, scheme: &Scheme, id: Id) -> Rc<Touches> {
        if let Some(known) = self.0.get(&id) {
            return Rc::clone(known);
        }
        let touches = Rc::new(self.made(scheme, id));
        self.0.insert(id, Rc::clone(&touches));
        touches
    }

    fn made(&mut self, scheme: &Scheme, id: Id) -> Touches {
        let mut touches = Touches::default();
        match operator(&scheme.terms, id) {
            Some(Operator::Then(parts) | Operator::Async(parts)) => {
                for &part in parts {
                    touches.then(&self.of(scheme, part));
                }
            }
            Some(Operator::If { condition, yes, no }) => {
                touches.reads_of(scheme, condition);
                let yes = Touches::clone(&self.of(scheme, yes));
                touches.then(&yes.or(&self.of(scheme, no)));
            }
            Some(Operator::While { condition, body }) => {
                touches.reads_of(scheme, condition);
                touches.then(&self.of(scheme, body));
                touches = touches.repeated();
            }
            Some(Operator::For {
                from,
                to,
                step,
                body,
                ..
            }) => {
                for bound in [Some(from), Some(to), step].into_iter().flatten() {
                    touches.reads_of(scheme, bound);
                }
                let body = Touches::clone(&self.of(scheme, body));
                touches.then(&body.repeated());
            }
            Some(Operator::Parallel { from, to, body, .. }) => {
                touches.reads_of(scheme, from);
                touches.reads_of(scheme, to);
                let body = Touches::clone(&self.of(scheme, body));
                touches.then(&body.repeated());
            }
            Some(Operator::Timed(body) | Operator::Recorded(body)) => {
                touches = Touches::clone(&self.of(scheme, body));
            }
            Some(Operator::Array { name, body, .. }) => {
                // A new array each time, of which neither copy holds anything.
                touches = Touches::clone(&self.of(scheme, body));
                if let Some(inside) = touches.arrays.shift_remove(&name) {
                    touches.broken_inside |= inside.host.broken || inside.device.broken;
                }
            }
            // What has no further structure, or is a kernel; and expressions.
            Some(simple_operators!() | Operator::Launch { .. }) | None => {
                simple(scheme, id, &mut touches)
            }
        }
        touches
    }
}

/// An operator without further structure: a transfer, or all its reads and then all its writes.
fn simple(scheme: &Scheme, id: Id, touches: &mut Touches) {
    match operator(&scheme.terms, id) {
        Some(Operator::Allocate(name)) => {
            touches.touch(name).allocated = true;
            return;
        }
        Some(Operator::CopyToDevice(name)) => return touches.transfer(name, |t| &mut t.host),
        // In the first round of a loop, too, there must be something to copy.
        Some(Operator::CopyFromDevice(name)) => return touches.transfer(name, |t| &mut t.device),
        Some(_) | None => {}
    }
    let set = effects(scheme, id);
    let is_array = |a: &&Access| scheme.variable(a.name).is_some_and(Variable::is_array);
    let arrays = set.all.iter().filter(is_array);
    let arrays: Vec<&Access> = arrays.filter(|a| !set.own.contains(&a.name)).collect();
    for access in &arrays {
        let whole = access.write
            && access.on_device
            && !arrays.iter().any(|o| o.name == access.name && !o.write)
            && wholly_written(scheme, &set.definitions, access);
        let touch = touches.touch(access.name);
        touch.reached |= access.on_device;
        touch.written |= access.on_device && access.write;
        let side = match access.on_device {
            true => &mut touch.device,
            false => &mut touch.host,
        };
        if !whole {
            *side = side.then(USE);
        }
    }
    for access in arrays.iter().filter(|a| a.write) {
        let touch = touches.touch(access.name);
        touch.host = touch.host.then(Effect::made(!access.on_device));
        touch.device = touch.device.then(Effect::made(access.on_device));
    }
    for t in scheme.terms.subterms(id) {
        if let Some(Operator::Allocate(name)) = operator(&scheme.terms, t) {
            touches.touch(name).allocated = true;
        }
    }
}

/// Whether a write in a launch reaches every cell of its array, for every way the launch goes:
/// `x[i]` with `i := block * threads + thread` under `i <= n - 1` at most, in enough blocks.
fn wholly_written(
    scheme: &Scheme,
    definitions: &rustc_hash::FxHashMap<Symbol, Id>,
    access: &Access,
) -> bool {
    let terms = &scheme.terms;
    let Some(variable) = scheme.variable(access.name) else {
        return false;
    };
    let (Some([subscript]), [dim]) = (access.subscripts.as_deref(), variable.dims.as_slice())
    else {
        return false;
    };
    if access.component.is_some() {
        return false;
    }
    let [Around::Launch(blocks, threads), Around::Branch(guard, true)] = access.around.as_slice()
    else {
        return false;
    };
    let Some(definition) = terms.as_atom(*subscript).and_then(|n| definitions.get(&n)) else {
        return false;
    };
    // 0 + block * threads + thread
    let text = |id: Id| super::text(scheme, id);
    let index = text(*definition);
    let by_thread =
        ["0 + block * threads + thread", "block * threads + thread"].contains(&index.as_str());
    let last = match expr(terms, *guard) {
        Some(Expr::Binary {
            op: Binary::LessOrEqual,
            left,
            right,
        }) if terms.equal(left, *subscript) => right,
        _ => return false,
    };
    let dim = text(*dim);
    let to_last = text(last) == format!("{dim} - 1");
    let enough = match expr(terms, *blocks) {
        Some(Expr::Apply {
            function,
            arguments: &[n, t],
        }) if signature(function) == Some(Signature::CeilDiv) => {
            let n = text(n);
            terms.equal(t, *threads)
                && (n == format!("{dim} - 1 - 0 + 1") || n == dim || n == format!("{dim} - 1 + 1"))
        }
        _ => false,
    };
    by_thread && to_last && enough
}
