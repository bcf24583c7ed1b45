//! What of each array is up to date on the host and on the device, at each point of a scheme.
//!
//! Where a stale copy would be used, a transfer is needed; it is put before the outermost operator
//! for which one transfer before it is enough.

use super::residency::{Fresh, Summaries, Touches};
use crate::algebra::{Operator, arrays_read, operator};
use crate::check::{Role, Scheme, Variable};
use crate::term::{Id, Path, Symbol, shared_start};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Copies that are needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placement {
    /// Arrays to be copied to the device before the operator asked about.
    pub to_device: Vec<Symbol>,
    /// Arrays to be copied from the device before it; where it is a choice and only one branch needs
    /// them, they are copied there.
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
}

/// Which copies are up to date, by the number of the array.
type State = Rc<[Fresh]>;

/// Where the values of a scheme's arrays are. What is found is kept, as rules ask at one place after
/// another.
#[derive(Debug, Default)]
pub struct Copies {
    summaries: Summaries,
    numbers: FxHashMap<Symbol, usize>,
    /// The arrays, by number, with what holds before the body.
    arrays: Vec<Symbol>,
    before: Option<State>,
    /// The way to the position that was asked about last: each term on it, and what holds before it,
    /// if it is an operator of the host.
    way: Vec<(Id, Option<State>)>,
    steps: Vec<u32>,
    last: Option<(Path, Placement)>,
}

impl Copies {
    /// Takes over from another state of the scheme what is known of nodes: those that the scheme still has stand for what
    /// they stood for. But what rests on a basic operator is noted where it is found.
    pub fn take_over(&mut self, before: &mut Copies, scheme: &Scheme) {
        self.summaries = match scheme.basics.is_empty() {
            true => std::mem::take(&mut before.summaries),
            false => Summaries::default(),
        };
    }

    /// Transfers needed before the operator at a position of a scheme's root; at the root, at its end.
    pub fn placement(&mut self, scheme: &Scheme, path: &Path) -> &Placement {
        if self.last.as_ref().is_none_or(|(of, _)| of != path) {
            let placement = self.find(scheme, path);
            self.last = Some((path.clone(), placement));
        }
        &self.last.get_or_insert_default().1
    }

    /// OUTPUT arrays whose values are only on the device after the whole.
    pub fn stale_at_end(&mut self, scheme: &Scheme) -> Vec<Symbol> {
        let start = self.start(scheme);
        let whole = self.summaries.of(scheme, scheme.body);
        let end = self.after(&whole, &start);
        let arrays = self.arrays.iter().copied().zip(end.iter());
        let is_output = |name: Symbol| scheme.variable(name).is_some_and(Variable::is_output);
        let stale = arrays.filter(|&(name, fresh)| !fresh.host && is_output(name));
        stale.map(|(name, _)| name).collect()
    }

    /// Arrays that launches reach and nothing allocates.
    pub fn unallocated(&mut self, scheme: &Scheme) -> Vec<Symbol> {
        let whole = self.summaries.of(scheme, scheme.body);
        let is_missing = |name: &Symbol| whole.of(*name).reached && !whole.of(*name).allocated;
        let names = scheme.data().map(|(name, _)| name);
        names.filter(is_missing).collect()
    }

    /// Whether both copies of an array are up to date before the operator at a position.
    pub fn are_both_fresh(&mut self, scheme: &Scheme, path: &Path, name: Symbol) -> bool {
        self.start(scheme);
        let Some((_, entry)) = self.entry(scheme, path) else {
            return false;
        };
        let number = self.numbers.get(&name);
        number.is_some_and(|&number| entry[number] == Fresh::BOTH)
    }

    /// Whether every transfer is made from a side that is up to date, and every use finds its side so.
    pub fn consistent(&mut self, scheme: &Scheme) -> bool {
        let before = self.start(scheme);
        let touches = self.summaries.of(scheme, scheme.body);
        !touches.broken_inside
            && self.arrays.iter().zip(before.iter()).all(|(&name, fresh)| {
                let touch = touches.of(name);
                !touch.host.uses_stale(fresh.host) && !touch.device.uses_stale(fresh.device)
            })
    }

    /// Whether launches in an operator reach an array for which nothing in it allocates memory.
    pub fn needs_memory(&mut self, scheme: &Scheme, name: Symbol, body: Id) -> bool {
        let touch = self.summaries.of(scheme, body).of(name);
        touch.reached && !touch.allocated
    }

    /// Arrays of outside that the launches in an operator reach, and those of them that they write.
    pub fn on_device(&mut self, scheme: &Scheme, body: Id) -> (Vec<Symbol>, Vec<Symbol>) {
        let touches = self.summaries.of(scheme, body);
        let reached = touches.arrays.iter().filter(|(_, t)| t.reached);
        let written = reached.clone().filter(|(_, t)| t.written);
        let names = |of: (&Symbol, _)| *of.0;
        (reached.map(names).collect(), written.map(names).collect())
    }

    /// What holds before the body. Where nobody wrote there is nothing to lose.
    fn start(&mut self, scheme: &Scheme) -> State {
        if let Some(before) = &self.before {
            return Rc::clone(before);
        }
        let mut before = Vec::new();
        for (&name, variable) in scheme.variables.iter().filter(|(_, v)| v.is_array()) {
            self.numbers.insert(name, self.arrays.len());
            self.arrays.push(name);
            before.push(initial(variable));
        }
        let before: State = before.into();
        self.before = Some(Rc::clone(&before));
        before
    }

    /// What holds after an operator.
    fn after(&self, touches: &Touches, before: &State) -> State {
        let changed = touches.arrays.iter().filter_map(|(name, touch)| {
            let number = *self.numbers.get(name)?;
            let fresh = touch.leaves(before[number]);
            (fresh != before[number]).then_some((number, fresh))
        });
        let mut after = Rc::clone(before);
        for (number, fresh) in changed {
            Rc::make_mut(&mut after)[number] = fresh;
        }
        after
    }

    /// What holds before the operator at a position, if it is one of the host.
    fn entry(&mut self, scheme: &Scheme, path: &Path) -> Option<(Id, State)> {
        if self.way.is_empty() {
            self.way.push((scheme.root, None));
        }
        let shared = shared_start(&self.steps, &path.0);
        // The part before the one that is looked for now, on the same level.
        let before = self
            .steps
            .get(shared)
            .copied()
            .zip(self.way.get(shared + 1).cloned());
        self.steps.truncate(shared);
        self.way.truncate(shared + 1);
        for &step in &path.0[shared..] {
            let parent = self.way.last()?.clone();
            let sibling = before.clone().filter(|_| self.steps.len() == shared);
            let child = *scheme.terms.args(parent.0).get(step as usize)?;
            let state = self.inside(scheme, &parent, step, child, sibling);
            self.steps.push(step);
            self.way.push((child, state));
        }
        let (id, state) = self.way.last()?;
        Some((*id, state.clone()?))
    }

    /// What holds before an argument of a term, from what holds before the term; `sibling` is an
    /// argument for which this is known, with its number.
    fn inside(
        &mut self,
        scheme: &Scheme,
        (parent, state): &(Id, Option<State>),
        step: u32,
        child: Id,
        sibling: Option<(u32, (Id, Option<State>))>,
    ) -> Option<State> {
        let Some(state) = state else {
            return (child == scheme.body).then(|| self.start(scheme));
        };
        match operator(&scheme.terms, *parent)? {
            Operator::Then(parts) | Operator::Async(parts) => {
                let (from, mut state) = match sibling {
                    Some((from, (_, Some(state)))) if from <= step => (from, state),
                    _ => (0, Rc::clone(state)),
                };
                for &part in &parts[from as usize..step as usize] {
                    let touches = self.summaries.of(scheme, part);
                    state = self.after(&touches, &state);
                }
                Some(state)
            }
            Operator::If { yes, no, .. } => (child == yes || child == no).then(|| Rc::clone(state)),
            Operator::While { body, .. }
            | Operator::For { body, .. }
            | Operator::Parallel { body, .. } => {
                // What holds at the head holds before the loop and after each iteration.
                let touches = self.summaries.of(scheme, *parent);
                (child == body).then(|| self.after(&touches, state))
            }
            Operator::Timed(body) | Operator::Recorded(body) => {
                (child == body).then(|| Rc::clone(state))
            }
            Operator::Array { name, body, .. } => (child == body).then(|| {
                let mut state = Rc::clone(state);
                if let Some(&number) = self.numbers.get(&name) {
                    Rc::make_mut(&mut state)[number] = Fresh::BOTH;
                }
                state
            }),
            _ => None,
        }
    }

    fn find(&mut self, scheme: &Scheme, path: &Path) -> Placement {
        self.start(scheme);
        let mut result = Placement::default();
        let Some((id, entry)) = self.entry(scheme, path) else {
            return result;
        };
        self.find_torn(scheme, id, &entry, &mut result);
        result.back = self.back(scheme, id);
        for (&name, touch) in &self.summaries.of(scheme, id).arrays {
            let Some(&number) = self.numbers.get(&name) else {
                continue;
            };
            // One transfer before it is enough where it makes nothing stale itself.
            let fresh = entry[number];
            if !touch.device.broken && touch.device.uses_stale(fresh.device) {
                result.to_device.push(name);
            }
            if !touch.host.broken
                && touch.host.uses_stale(fresh.host)
                && (!self.is_for_one_branch(scheme, id, name, fresh)
                    || self.is_for_the_end(scheme, id, name))
            {
                result.from_device.push(name);
            }
        }
        result
    }

    /// Whether an operator is a choice of which only one branch needs the host's copy of an array.
    fn is_for_one_branch(&mut self, scheme: &Scheme, id: Id, name: Symbol, fresh: Fresh) -> bool {
        let Some(Operator::If { condition, yes, no }) = operator(&scheme.terms, id) else {
            return false;
        };
        let mut asked = arrays_read(&scheme.terms, condition);
        let is_asked = asked.any(|(_, array)| array == name);
        let mut needs = |branch: Id| {
            let touch = self.summaries.of(scheme, branch).of(name);
            touch.host.uses_stale(fresh.host)
        };
        needs(yes) != needs(no) && !is_asked
    }

    /// Whether the end of the scheme needs the copy that an operator of its body begins with: a result that
    /// nothing changes on the device from there on.
    fn is_for_the_end(&mut self, scheme: &Scheme, id: Id, name: Symbol) -> bool {
        let Some(Operator::Then(parts)) = operator(&scheme.terms, scheme.body) else {
            return false;
        };
        let Some(at) = parts.iter().position(|&part| part == id) else {
            return false;
        };
        let mut rest = parts[at..].iter();
        scheme.variable(name).is_some_and(Variable::is_output)
            && rest.all(|&part| {
                let touch = self.summaries.of(scheme, part).of(name);
                touch.leaves(Fresh::BOTH).host
            })
    }

    /// See [`Placement::torn_to_device`].
    fn find_torn(&mut self, scheme: &Scheme, id: Id, entry: &State, result: &mut Placement) {
        let first = match operator(&scheme.terms, id) {
            Some(Operator::If { yes, .. }) => {
                let yes = self.summaries.of(scheme, yes);
                Some(self.after(&yes, entry))
            }
            Some(Operator::While { .. } | Operator::For { .. } | Operator::Parallel { .. }) => None,
            _ => return,
        };
        let touches = self.summaries.of(scheme, id);
        let after = self.after(&touches, entry);
        let touched = touches.arrays.keys();
        let mut touched: Vec<usize> = touched
            .filter_map(|name| self.numbers.get(name).copied())
            .collect();
        touched.sort_unstable();
        for number in touched {
            let name = self.arrays[number];
            if after[number].host || after[number].device {
                continue;
            }
            let first = first.as_ref().map(|state| state[number]);
            let before = entry[number];
            let list = match (before.host, before.device, first) {
                (true, false, _) => &mut result.torn_to_device,
                (false, true, _) => &mut result.torn_from_device,
                (_, _, Some(Fresh { device: true, .. })) => &mut result.branch_from_device,
                (_, _, Some(Fresh { host: true, .. })) => &mut result.branch_to_device,
                _ => continue,
            };
            list.push(name);
        }
    }

    /// See [`Placement::back`].
    fn back(&mut self, scheme: &Scheme, id: Id) -> Vec<Symbol> {
        let Some(Operator::While { condition, body }) = operator(&scheme.terms, id) else {
            return Vec::new();
        };
        let mut names: Vec<Symbol> = Vec::new();
        for (_, array) in arrays_read(&scheme.terms, condition) {
            let is_array = scheme.variable(array).is_some_and(Variable::is_array);
            if is_array && !names.contains(&array) {
                names.push(array);
            }
        }
        let body = self.summaries.of(scheme, body);
        let whole = self.summaries.of(scheme, id);
        names.retain(|&name| {
            let head = whole.of(name).leaves(Fresh::BOTH);
            let out = body.of(name).leaves(head);
            !out.host && out.device
        });
        names
    }
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
