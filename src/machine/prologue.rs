//! The beginning of the code: arrays and scalars of DATA get their cells.

use super::code::{ArrayInfo, Holder, Instr, Reg, Space};
use super::compile::{Compiler, Place};
use crate::algebra::Type;
use crate::check::Role;
use crate::term::{Id, Symbol};

impl Compiler<'_> {
    pub(super) fn add_array(&mut self, name: Symbol, ty: Type, dims: usize, space: Space) -> u32 {
        let number = self.code.arrays.len() as u32;
        self.code.arrays.push(ArrayInfo {
            name,
            ty,
            dims,
            space,
        });
        self.places.insert(name, Place::Array(number));
        number
    }

    /// Parameters, then sizes and values of the data.
    pub(super) fn prologue(&mut self) {
        let scheme = self.scheme;
        let parameters: Vec<(Symbol, Type, Id)> =
            scheme.parameters().map(|(n, v, d)| (n, v.ty, d)).collect();
        for &(name, ty, default) in &parameters {
            let reg = self.scratch(1);
            self.places.insert(name, Place::Register(reg));
            self.code.parameters.push((name, reg, ty));
            self.place = default;
        }
        for (name, variable) in scheme.data() {
            self.place = variable.dims.first().copied().unwrap_or(scheme.root);
            let contended = self.contended.contains(&name);
            if variable.is_array() {
                let array = self.add_array(name, variable.ty, variable.dims.len(), Space::Both);
                self.make_array(array, &variable.dims);
                self.code.data.push((name, Holder::Array(array)));
                if let Role::Data { values, .. } = &variable.role {
                    for (i, &value) in values.iter().enumerate() {
                        let mark = self.next;
                        let subscripts = variable.subscripts(&scheme.terms, i);
                        let index = self.scratch(subscripts.len());
                        for (at, &subscript) in subscripts.iter().enumerate() {
                            self.emit(Instr::Const {
                                to: index + at as Reg,
                                bits: subscript as u64,
                            });
                        }
                        let element = self.scratch(1);
                        self.emit(Instr::Element {
                            to: element,
                            array,
                            subscripts: index,
                        });
                        let from = self.value(value, variable.ty);
                        for component in 0..variable.ty.components() as u8 {
                            self.emit(Instr::Store {
                                array,
                                element,
                                component,
                                from: from + Reg::from(component),
                            });
                        }
                        self.next = mark;
                    }
                }
            } else {
                let value = match &variable.role {
                    Role::Data { values, .. } => values.first().copied(),
                    _ => None,
                };
                if contended {
                    let array = self.scalar_cell(name, variable.ty);
                    self.code.data.push((name, Holder::Array(array)));
                    if let Some(value) = value {
                        self.store_scalar_cell(array, value, variable.ty);
                    }
                } else {
                    let reg = self.scratch(variable.ty.components());
                    self.places.insert(name, Place::Register(reg));
                    self.code
                        .data
                        .push((name, Holder::Register(reg, variable.ty)));
                    if let Some(value) = value {
                        self.value_into(value, variable.ty, reg);
                    }
                }
            }
        }
    }

    /// An array of one element for a scalar that several branches reach.
    pub(super) fn scalar_cell(&mut self, name: Symbol, ty: Type) -> u32 {
        let array = self.add_array(name, ty, 0, Space::Scalar);
        self.emit(Instr::MakeArray {
            array,
            dims: 0,
            narrow: 0,
        });
        array
    }

    pub(super) fn store_scalar_cell(&mut self, array: u32, value: Id, ty: Type) {
        let mark = self.next;
        let from = self.value(value, ty);
        let element = self.scratch(1);
        self.emit(Instr::Const {
            to: element,
            bits: 0,
        });
        for component in 0..ty.components() as u8 {
            self.emit(Instr::Store {
                array,
                element,
                component,
                from: from + Reg::from(component),
            });
        }
        self.next = mark;
    }

    pub(super) fn make_array(&mut self, array: u32, dims: &[Id]) {
        let mark = self.next;
        let first = self.scratch(dims.len());
        let mut narrow = 0;
        for (i, &dim) in dims.iter().enumerate() {
            narrow |= u32::from(self.scheme.type_of(dim) != Type::I64) << i;
            self.value_into(dim, Type::I64, first + i as Reg);
        }
        self.emit(Instr::MakeArray {
            array,
            dims: first,
            narrow,
        });
        self.next = mark;
    }
}
