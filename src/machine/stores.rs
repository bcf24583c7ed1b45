//! What is assigned to, and how it is written.

use super::code::{Instr, Reg};
use super::compile::{Compiler, Place};
use crate::algebra::{Atomic, Construct, Exchange, Type};
use crate::term::{Id, Symbol};

impl Compiler<'_> {
    pub(super) fn memory(&mut self, name: Symbol, instr: impl FnOnce(u32) -> Instr) {
        if let Some(&Place::Array(array)) = self.places.get(&name) {
            self.emit(instr(array));
        }
    }

    /// An exchange of LOCALs between the threads of a warp.
    pub(super) fn warp(&mut self, exchange: Exchange, names: &[Id]) {
        let scheme = self.scheme;
        let place = |&name: &Id| match self.places.get(&scheme.terms.as_atom(name)?) {
            Some(&Place::Register(reg)) => Some((reg, scheme.type_of(name))),
            _ => None,
        };
        let values = names.iter().filter_map(place).collect();
        self.emit(Instr::Warp { exchange, values });
    }

    /// Stores registers in a variable, a cell or a component.
    pub(super) fn store(&mut self, target: Id, from: Reg, ty: Type) {
        let count = ty.components();
        match self.target(target) {
            Target::Register(reg) => {
                for k in 0..count as Reg {
                    self.emit(Instr::Move {
                        to: reg + k,
                        from: from + k,
                    });
                }
            }
            Target::Cell {
                array,
                element,
                component,
            } => {
                for k in 0..count as u8 {
                    self.emit(Instr::Store {
                        array,
                        element,
                        component: component + k,
                        from: from + Reg::from(k),
                    });
                }
            }
        }
    }

    /// An indivisible action; `was` gets the value of the target from before, if that is a number.
    pub(super) fn atomic(&mut self, op: Atomic, target: Id, from: Reg, ty: Type, was: Option<Reg>) {
        match self.target(target) {
            Target::Register(reg) => {
                if let Some(was) = was {
                    self.emit(Instr::Move { to: was, from: reg });
                }
                for k in 0..ty.components() as Reg {
                    self.emit(Instr::Gather {
                        op,
                        ty: ty.component(),
                        to: reg + k,
                        from: from + k,
                    });
                }
            }
            Target::Cell {
                array,
                element,
                component,
            } => {
                for k in 0..ty.components() as u8 {
                    self.emit(Instr::Atomic {
                        op,
                        array,
                        element,
                        component: component + k,
                        from: from + Reg::from(k),
                        was,
                    });
                }
            }
        }
    }

    /// Where a target is.
    pub(super) fn target(&mut self, id: Id) -> Target {
        let scheme = self.scheme;
        let terms = &scheme.terms;
        match terms.functor(id).and_then(Construct::of) {
            Some(Construct::Field) if terms.arity(id) == 2 => {
                let component = terms
                    .as_atom(terms.arg(id, 1))
                    .map_or(0, crate::algebra::component);
                match self.target(terms.arg(id, 0)) {
                    Target::Register(reg) => Target::Register(reg + Reg::from(component)),
                    Target::Cell { array, element, .. } => Target::Cell {
                        array,
                        element,
                        component,
                    },
                }
            }
            Some(Construct::Index) if terms.arity(id) > 1 => {
                let (array, element) = self.element(id);
                Target::Cell {
                    array,
                    element,
                    component: 0,
                }
            }
            _ => {
                let name = terms
                    .as_atom(id)
                    .expect("a checked target is rooted in a name");
                match self.places.get(&name) {
                    Some(&Place::Array(array)) => {
                        let element = self.scratch(1);
                        self.emit(Instr::Const {
                            to: element,
                            bits: 0,
                        });
                        Target::Cell {
                            array,
                            element,
                            component: 0,
                        }
                    }
                    Some(&Place::Register(reg)) => Target::Register(reg),
                    None => unreachable!("`{name}` is declared before it is assigned"),
                }
            }
        }
    }
}

/// Where a value is stored.
pub(super) enum Target {
    Register(Reg),
    Cell {
        array: u32,
        element: Reg,
        component: u8,
    },
}
