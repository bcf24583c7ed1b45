//! What a definition names and assigns, itself or through the phrases it calls.

use super::elaborate::Checker;
use super::phrases::root_name;
use crate::algebra::{Construct, Role};
use crate::term::{Id, Symbol, Terms};
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
        if let Some(declared) = self.basics.get(&name) {
            found = self.declared_effects(&declared.clone());
        }
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
        let args = source.args(id);
        let outer = walk.bound.len();
        let Some(construct) = source.functor(id).and_then(Construct::of) else {
            if let Some(name) = source.as_atom(id) {
                walk.named(name);
            }
            args.iter().for_each(|&a| self.walk(a, walk));
            return;
        };
        if let (Construct::Call | Construct::Test, Some(&callee)) = (construct, args.first()) {
            self.walk_call(callee, &args[1..], walk);
        }
        let info = construct.info();
        for (i, &part) in args.iter().enumerate() {
            match info.role(i) {
                Some(Role::Target) => {
                    if let Some(name) = root_name(source, part) {
                        walk.assigned(name);
                    }
                    self.walk(part, walk);
                }
                Some(Role::Updated) => {
                    if let Some(name) = source.as_atom(part) {
                        walk.assigned(name);
                        walk.named(name);
                    }
                }
                Some(Role::Operator) => {
                    let bound = info.binds().and_then(|_| args_name(self, id));
                    if let Some(name) = bound {
                        walk.bind(name);
                    }
                    self.walk(part, walk);
                    // What a part of a sequence declares is bound in those after it.
                    if construct == Construct::Then
                        && declares(source, part)
                        && let Some(name) = args_name(self, part)
                    {
                        walk.bind(name);
                    }
                }
                Some(Role::Condition | Role::Expression | Role::Name | Role::Part) => {
                    self.walk(part, walk);
                }
                Some(Role::Binder | Role::Declared | Role::Word | Role::Type | Role::Text)
                | None => {}
            }
        }
        walk.unbind(outer);
    }

    /// The effects of a phrase that is called with arguments.
    fn walk_call(&mut self, callee: Id, arguments: &[Id], walk: &mut Walk) {
        let source = self.source;
        let Some(callee) = source.as_text(callee) else {
            return;
        };
        let effects = self.effects_of(callee);
        for (&actual, &assigned) in arguments.iter().zip(&effects.assigns_formal) {
            if let Some(name) = root_name(source, actual).filter(|_| assigned) {
                walk.assigned(name);
            }
        }
        walk.found.assigns_data.extend(&effects.assigns_data);
        walk.found.names_data.extend(&effects.names_data);
    }
}

/// Whether a term declares a name for what follows it in its sequence.
fn declares(source: &Terms, id: Id) -> bool {
    let construct = source.functor(id).and_then(Construct::of);
    construct.and_then(|c| c.info().binds()) == Some(Role::Declared)
}

/// The name in the first argument of a term.
fn args_name(checker: &Checker<'_>, id: Id) -> Option<Symbol> {
    let first = *checker.source.args(id).first()?;
    checker.source.as_atom(first)
}
