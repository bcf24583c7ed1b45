//! What a definition names and assigns, itself or through the phrases it calls.

use super::elaborate::Checker;
use super::phrases::root_name;
use crate::algebra::Construct;
use crate::term::{Id, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The effects of a definition. They are found once for each definition, and looked up at each of
/// its calls.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// For each formal parameter, whether it is assigned.
    pub assigns_formal: Vec<bool>,
    /// Variables of DATA that are assigned by name.
    pub assigns_data: FxHashSet<Symbol>,
    /// Variables of DATA that are named.
    pub names_data: FxHashSet<Symbol>,
}

/// A walk through one definition's body.
struct Walk {
    formals: Vec<Symbol>,
    /// LOCALs and loop variables around; they hide formals and data.
    bound: Vec<Symbol>,
    /// How often each of them is bound.
    times: FxHashMap<Symbol, u32>,
    found: Effects,
}

impl Walk {
    fn bind(&mut self, name: Symbol) {
        self.bound.push(name);
        *self.times.entry(name).or_default() += 1;
    }

    fn unbind(&mut self, length: usize) {
        for name in self.bound.drain(length..) {
            if let Some(times) = self.times.get_mut(&name) {
                *times -= 1;
            }
        }
    }

    fn is_bound(&self, name: Symbol) -> bool {
        self.times.get(&name).is_some_and(|&t| t > 0)
    }

    fn named(&mut self, name: Symbol) {
        if !self.is_bound(name) && !self.formals.contains(&name) {
            self.found.names_data.insert(name);
        }
    }

    fn assigned(&mut self, name: Symbol) {
        if self.is_bound(name) {
            return;
        }
        match self.formals.iter().position(|&f| f == name) {
            Some(k) => self.found.assigns_formal[k] = true,
            None => {
                self.found.assigns_data.insert(name);
            }
        }
    }
}

impl Checker<'_> {
    /// The effects of the definition with a name. Definitions in a cycle have none.
    pub(super) fn effects_of(&mut self, name: Symbol) -> Rc<Effects> {
        if let Some(known) = self.effects.get(&name) {
            return known.clone();
        }
        let mut found = Effects::default();
        if let Some(definition) = self.definitions.get(&name).copied()
            && !definition.is_cyclic()
        {
            let source = self.source;
            let formals: Vec<Symbol> = source
                .args(definition.formals)
                .iter()
                .filter_map(|&f| source.as_atom(f))
                .collect();
            let mut walk = Walk {
                found: Effects {
                    assigns_formal: vec![false; formals.len()],
                    ..Effects::default()
                },
                formals,
                bound: Vec::new(),
                times: FxHashMap::default(),
            };
            self.walk(definition.body, &mut walk);
            found = walk.found;
        }
        let found = Rc::new(found);
        self.effects.insert(name, found.clone());
        found
    }

    fn walk(&mut self, id: Id, walk: &mut Walk) {
        if !self.deeper(id) {
            return;
        }
        self.walk_here(id, walk);
        self.depth -= 1;
    }

    fn walk_here(&mut self, id: Id, walk: &mut Walk) {
        let source = self.source;
        let construct = source.functor(id).and_then(Construct::of);
        let args = source.args(id);
        let outer = walk.bound.len();
        match construct {
            None => {
                if let Some(name) = source.as_atom(id) {
                    walk.named(name);
                }
                args.iter().for_each(|&a| self.walk(a, walk));
            }
            Some(Construct::Then) => {
                for &part in args {
                    self.walk(part, walk);
                    let declares = matches!(
                        source.functor(part).and_then(Construct::of),
                        Some(Construct::Local | Construct::Shared | Construct::Registers)
                    );
                    if let Some(name) = args_name(self, part).filter(|_| declares) {
                        walk.bind(name);
                    }
                }
            }
            // The type is not a variable, nor is the name that is bound.
            Some(Construct::Local | Construct::Shared | Construct::Registers)
                if args.len() == 3 =>
            {
                self.walk(args[2], walk);
            }
            Some(
                Construct::ForLoop
                | Construct::ForStep
                | Construct::Parallel
                | Construct::Lanes
                | Construct::Array,
            ) if args.len() >= 4 => {
                let sizes = if construct == Some(Construct::Array) {
                    2
                } else {
                    1
                };
                for &part in &args[sizes..args.len() - 1] {
                    self.walk(part, walk);
                }
                if let Some(name) = source.as_atom(args[0]) {
                    walk.bind(name);
                }
                self.walk(args[args.len() - 1], walk);
            }
            Some(Construct::Assign | Construct::AtomicAdd) if args.len() == 2 => {
                if let Some(name) = root_name(source, args[0]) {
                    walk.assigned(name);
                }
                args.iter().for_each(|&a| self.walk(a, walk));
            }
            Some(Construct::Rotate | Construct::SumOverWarp) => {
                for name in args.iter().filter_map(|&a| source.as_atom(a)) {
                    walk.assigned(name);
                    walk.named(name);
                }
            }
            // The name of a component is not a variable.
            Some(Construct::Field) if args.len() == 2 => self.walk(args[0], walk),
            Some(Construct::Apply) if !args.is_empty() => {
                args[1..].iter().for_each(|&a| self.walk(a, walk));
            }
            Some(Construct::Call | Construct::Test) if !args.is_empty() => {
                if let Some(callee) = source.as_text(args[0]) {
                    let effects = self.effects_of(callee);
                    for (&actual, &assigned) in args[1..].iter().zip(&effects.assigns_formal) {
                        if let Some(name) = root_name(source, actual).filter(|_| assigned) {
                            walk.assigned(name);
                        }
                    }
                    walk.found.assigns_data.extend(&effects.assigns_data);
                    walk.found.names_data.extend(&effects.names_data);
                }
                args[1..].iter().for_each(|&a| self.walk(a, walk));
            }
            Some(_) => args.iter().for_each(|&a| self.walk(a, walk)),
        }
        walk.unbind(outer);
    }
}

/// The name in the first argument of a term.
fn args_name(checker: &Checker<'_>, id: Id) -> Option<Symbol> {
    let first = *checker.source.args(id).first()?;
    checker.source.as_atom(first)
}
