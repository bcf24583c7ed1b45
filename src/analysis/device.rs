//! What of each array is up to date on the host and on the device, at each point of a scheme.
//!
//! Host and device hold separate copies of an array. A write makes the other side's copy stale,
//! a copy makes both the same. Where a stale copy would be used, a copy is needed; it is put before
//! the outermost operator for which one copy before it is enough.

use super::access::{Access, Around, accesses};
use crate::algebra::{Construct, Expr, Operator, Signature, expr, operator, signature};
use crate::check::{Role, Scheme, Variable};
use crate::term::{Id, Path, Symbol};
use indexmap::{IndexMap, IndexSet};

/// Which copies of an array hold its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fresh {
    host: bool,
    device: bool,
}

type State = IndexMap<Symbol, Fresh>;

/// Copies that are needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Arrays to be copied to the device before the operator asked about.
    pub to_device: Vec<Symbol>,
    /// Arrays to be copied from the device before it.
    pub from_device: Vec<Symbol>,
    /// Arrays of which neither copy would be up to date in the loop or after the choice asked
    /// about, as one way leads there from the host and one from the device: those that are only on
    /// the host before it, those that are only on the device, and those for which a copy at the end
    /// of the first branch is needed, from the device or to it.
    pub torn_to_device: Vec<Symbol>,
    /// See [`Placement::torn_to_device`].
    pub torn_from_device: Vec<Symbol>,
    /// See [`Placement::torn_to_device`].
    pub branch_from_device: Vec<Symbol>,
    /// See [`Placement::torn_to_device`].
    pub branch_to_device: Vec<Symbol>,
    /// Arrays that the condition of the WHILE asked about reads on the host, and that are up to date
    /// on the device only after its body, also where the host's copy was up to date before it.
    pub back: Vec<Symbol>,
    /// Arrays whose copies on both sides are up to date before the operator asked about.
    pub both: Vec<Symbol>,
    /// OUTPUT arrays whose values are only on the device after the whole.
    pub at_end: Vec<Symbol>,
    /// Arrays that launches reach and nothing allocates.
    pub unallocated: Vec<Symbol>,
}

/// Copies needed before the operator at a position of a scheme's root; at the root, at its end.
pub fn placement(scheme: &Scheme, path: &Path) -> Placement {
    let mut flow = Flow::new(scheme, path.get(&scheme.terms, scheme.root));
    let mut state = State::new();
    for (name, variable) in scheme.variables.iter().filter(|(_, v)| v.is_array()) {
        state.insert(*name, initial(variable));
    }
    let end = flow.operator(scheme.body, state);
    let mut result = Placement::default();
    for (&name, fresh) in &end {
        if !fresh.host && scheme.variable(name).is_some_and(Variable::is_output) {
            result.at_end.push(name);
        }
    }
    result.unallocated = unallocated(scheme);
    let Some((id, entry)) = flow.at.zip(flow.entry.take()) else {
        return result;
    };
    for (name, first) in std::mem::take(&mut flow.torn) {
        let before = entry.get(&name).copied().unwrap_or(initial_of_nothing());
        let list = match (before.host, before.device, first) {
            (true, false, _) => &mut result.torn_to_device,
            (false, true, _) => &mut result.torn_from_device,
            (_, _, Some(Fresh { device: true, .. })) => &mut result.branch_from_device,
            (_, _, Some(Fresh { host: true, .. })) => &mut result.branch_to_device,
            _ => continue,
        };
        if !list.contains(&name) {
            list.push(name);
        }
    }
    result.back = back(scheme, id, &entry);
    let both = entry.iter().filter(|(_, f)| f.host && f.device);
    result.both = both.map(|(&name, _)| name).collect();
    for (side, into) in [
        (Side::Device, &mut result.to_device),
        (Side::Host, &mut result.from_device),
    ] {
        let needed = needed(scheme, id, &entry, side);
        for name in needed {
            let mut repaired = entry.clone();
            if let Some(fresh) = repaired.get_mut(&name) {
                *fresh = Fresh {
                    host: true,
                    device: true,
                };
            }
            if !self::needed(scheme, id, &repaired, side).contains(&name) {
                into.push(name);
            }
        }
    }
    result
}

/// See [`Placement::back`].
fn back(scheme: &Scheme, id: Id, entry: &State) -> Vec<Symbol> {
    let Some(Operator::While { condition, body }) = operator(&scheme.terms, id) else {
        return Vec::new();
    };
    let mut names: Vec<Symbol> = Vec::new();
    for t in scheme.terms.subterms(condition) {
        if let Some(Expr::Index { array, .. }) = expr(&scheme.terms, t)
            && !names.contains(&array)
        {
            names.push(array);
        }
    }
    names.retain(|&name| {
        let both = Fresh {
            host: true,
            device: true,
        };
        let mut flow = Flow::new(scheme, None);
        let head = flow.head(with(entry.clone(), name, both), |flow, state| {
            flow.operator(body, state)
        });
        let out = flow.operator(body, head);
        out.get(&name).is_some_and(|f| !f.host && f.device)
    });
    names
}

/// What an array's copies hold at the start. Where nobody wrote there is nothing to lose.
fn initial(variable: &Variable) -> Fresh {
    let from_outside = match &variable.role {
        Role::Data { input, values, .. } => *input || !values.is_empty(),
        _ => false,
    };
    Fresh {
        host: true,
        device: !from_outside,
    }
}

fn initial_of_nothing() -> Fresh {
    Fresh {
        host: true,
        device: true,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Side {
    Host,
    Device,
}

/// The arrays whose stale copy on a side an operator would use, from a state on.
fn needed(scheme: &Scheme, id: Id, entry: &State, side: Side) -> Vec<Symbol> {
    needed_at_all(scheme, id, entry)
        .into_iter()
        .filter(|(_, s)| *s == side)
        .map(|(name, _)| name)
        .collect()
}

struct Flow<'a> {
    scheme: &'a Scheme,
    /// The operator whose entry state is wanted.
    at: Option<Id>,
    entry: Option<State>,
    missing: IndexSet<(Symbol, Side)>,
    /// Arrays torn at the operator asked about, with the state at the end of its first branch.
    torn: Vec<(Symbol, Option<Fresh>)>,
    /// Whether what is met is kept: not while the head of a loop is looked for.
    recording: bool,
}

/// What holds on both of two ways.
fn meet(a: &State, b: &State) -> State {
    a.iter()
        .map(|(&name, x)| {
            let y = b.get(&name).copied().unwrap_or(*x);
            (
                name,
                Fresh {
                    host: x.host && y.host,
                    device: x.device && y.device,
                },
            )
        })
        .collect()
}

impl<'a> Flow<'a> {
    fn new(scheme: &'a Scheme, at: Option<Id>) -> Flow<'a> {
        Flow {
            scheme,
            at,
            entry: None,
            missing: IndexSet::new(),
            torn: Vec::new(),
            recording: true,
        }
    }

    fn operator(&mut self, id: Id, state: State) -> State {
        if self.at == Some(id) && self.recording {
            self.entry = Some(state.clone());
        }
        let scheme = self.scheme;
        match operator(&scheme.terms, id) {
            Some(Operator::Then(parts) | Operator::Async(parts)) => parts
                .iter()
                .fold(state, |state, &part| self.operator(part, state)),
            Some(Operator::If { condition, yes, no }) => {
                let state = self.reads(condition, state);
                let a = self.operator(yes, state.clone());
                let b = self.operator(no, state);
                let after = meet(&a, &b);
                self.note_torn(id, &after, |name| a.get(&name).copied());
                after
            }
            Some(Operator::While { condition, body }) => self.repeat(id, state, |flow, state| {
                let state = flow.reads(condition, state);
                flow.operator(body, state)
            }),
            Some(Operator::For {
                from,
                to,
                step,
                body,
                ..
            }) => {
                let mut state = self.reads(from, state);
                state = self.reads(to, state);
                if let Some(step) = step {
                    state = self.reads(step, state);
                }
                self.repeat(id, state, |flow, state| flow.operator(body, state))
            }
            Some(Operator::Parallel { from, to, body, .. }) => {
                let state = self.reads(from, state);
                let state = self.reads(to, state);
                self.repeat(id, state, |flow, state| flow.operator(body, state))
            }
            Some(Operator::Timed(body) | Operator::Recorded(body)) => self.operator(body, state),
            Some(Operator::Array { name, body, .. }) => {
                // A new array each time: neither copy holds anything.
                let fresh = Fresh {
                    host: true,
                    device: true,
                };
                self.operator(body, with(state, name, fresh))
            }
            Some(Operator::CopyToDevice(name)) => {
                self.use_copy(name, Side::Host, &state);
                with(
                    state,
                    name,
                    Fresh {
                        host: true,
                        device: true,
                    },
                )
            }
            Some(Operator::CopyFromDevice(name)) => {
                // In the first round of a loop, too, there must be something to copy.
                self.use_copy(name, Side::Device, &state);
                let fresh = Fresh {
                    host: true,
                    device: true,
                };
                with(state, name, fresh)
            }
            Some(Operator::Launch { .. }) => self.accesses(id, state),
            _ => self.accesses(id, state),
        }
    }

    /// A loop: what holds at its head holds before it and after each iteration, and so after it.
    fn repeat(
        &mut self,
        id: Id,
        entry: State,
        mut body: impl FnMut(&mut Self, State) -> State,
    ) -> State {
        let head = self.head(entry, &mut body);
        self.note_torn(id, &head, |_| None);
        // Once more for what is recorded only: elsewhere the time would double with each loop around.
        if self.recording {
            let out = body(self, head.clone());
            debug_assert_eq!(meet(&head, &out), head);
        }
        head
    }

    /// What holds at the head of a loop. An operator leaves each copy as it was, or makes it stale or
    /// up to date whatever it was, or does one of these in one of two ways; so a second iteration
    /// changes nothing that the first did not.
    fn head(&mut self, entry: State, mut body: impl FnMut(&mut Self, State) -> State) -> State {
        let outer = std::mem::replace(&mut self.recording, false);
        let out = body(self, entry.clone());
        self.recording = outer;
        meet(&entry, &out)
    }

    /// Notes the arrays of which neither copy is up to date where two ways of an operator meet.
    fn note_torn(&mut self, id: Id, state: &State, first: impl Fn(Symbol) -> Option<Fresh>) {
        if self.at == Some(id) && self.recording {
            let terms = &self.scheme.terms;
            // What is declared inside has ended with it.
            let inside = terms.subterms(id).filter_map(|t| match operator(terms, t) {
                Some(Operator::Array { name, .. }) => Some(name),
                _ => None,
            });
            let inside: Vec<Symbol> = inside.collect();
            self.torn = state
                .iter()
                .filter(|(name, fresh)| !fresh.host && !fresh.device && !inside.contains(name))
                .map(|(&name, _)| (name, first(name)))
                .collect();
        }
    }

    fn use_copy(&mut self, name: Symbol, side: Side, state: &State) {
        let fresh = state
            .get(&name)
            .is_none_or(|f| if side == Side::Host { f.host } else { f.device });
        if !fresh && self.recording {
            self.missing.insert((name, side));
        }
    }

    fn reads(&mut self, expression: Id, state: State) -> State {
        for t in self.scheme.terms.subterms(expression) {
            if let Some(Expr::Index { array, .. }) = expr(&self.scheme.terms, t) {
                self.use_copy(array, Side::Host, &state);
            }
        }
        state
    }

    /// An operator without further structure: all its reads, then all its writes.
    fn accesses(&mut self, id: Id, mut state: State) -> State {
        let set = accesses(self.scheme, id);
        let side = |a: &Access| {
            if a.on_device {
                Side::Device
            } else {
                Side::Host
            }
        };
        let arrays: Vec<&Access> = set
            .all
            .iter()
            .filter(|a| {
                self.scheme.variable(a.name).is_some_and(Variable::is_array)
                    && !set.own.contains(&a.name)
            })
            .collect();
        for access in &arrays {
            let whole = access.write
                && access.on_device
                && !arrays.iter().any(|o| o.name == access.name && !o.write)
                && wholly_written(self.scheme, &set.definitions, access);
            if !whole {
                self.use_copy(access.name, side(access), &state);
            }
        }
        for access in arrays.iter().filter(|a| a.write) {
            let fresh = Fresh {
                host: !access.on_device,
                device: access.on_device,
            };
            state = with(state, access.name, fresh);
        }
        state
    }
}

fn with(mut state: State, name: Symbol, fresh: Fresh) -> State {
    if let Some(old) = state.get_mut(&name) {
        *old = fresh;
    }
    state
}

/// Whether a write in a launch reaches every cell of its array, for every way the launch goes:
/// `x[i]` with `i := block * threads + thread` under `i <= n - 1` at most, in enough blocks.
fn wholly_written(
    scheme: &Scheme,
    definitions: &std::collections::HashMap<Symbol, Id>,
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
            op: Construct::LessOrEqual,
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

/// Arrays of DATA that launches reach and nothing allocates, in order of declaration.
fn unallocated(scheme: &Scheme) -> Vec<Symbol> {
    scheme
        .data()
        .filter(|(name, v)| v.is_array() && needs_memory(scheme, *name, scheme.body))
        .map(|(name, _)| name)
        .collect()
}

/// Whether launches in an operator reach an array for which nothing in it allocates memory.
pub fn needs_memory(scheme: &Scheme, name: Symbol, body: Id) -> bool {
    let allocated = scheme
        .terms
        .subterms(body)
        .any(|t| matches!(operator(&scheme.terms, t), Some(Operator::Allocate(n)) if n == name));
    !allocated
        && accesses(scheme, body)
            .all
            .iter()
            .any(|a| a.on_device && a.name == name)
}

/// Whether every copy is made from a side that is up to date, and every use finds its side so.
pub fn consistent(scheme: &Scheme) -> bool {
    let mut state = State::new();
    for (name, variable) in scheme.variables.iter().filter(|(_, v)| v.is_array()) {
        state.insert(*name, initial(variable));
    }
    needed_at_all(scheme, scheme.body, &state).is_empty()
}

fn needed_at_all(scheme: &Scheme, id: Id, entry: &State) -> IndexSet<(Symbol, Side)> {
    let mut flow = Flow::new(scheme, None);
    flow.operator(id, entry.clone());
    flow.missing
}

/// Arrays of outside that the launches in an operator reach, and those of them that they write.
pub fn device_arrays(scheme: &Scheme, body: Id) -> (Vec<Symbol>, Vec<Symbol>) {
    let set = accesses(scheme, body);
    let mut reached: Vec<Symbol> = Vec::new();
    let mut written: Vec<Symbol> = Vec::new();
    for access in &set.all {
        let array = scheme.variable(access.name).is_some_and(Variable::is_array);
        if !array || !access.on_device || set.own.contains(&access.name) {
            continue;
        }
        if !reached.contains(&access.name) {
            reached.push(access.name);
        }
        if access.write && !written.contains(&access.name) {
            written.push(access.name);
        }
    }
    (reached, written)
}
