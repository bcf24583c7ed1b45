//! `Scheme` → code: operators.

use super::code::{Code, Instr, Reg, Space};
use crate::algebra::{Construct, Inside, Operator, Type, declares, inner, operator, written};
use crate::check::{Role, Scheme};
use crate::term::{Id, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// What holds a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Registers from this one on.
    Register(Reg),
    /// An array.
    Array(u32),
}

pub(super) struct Compiler<'a> {
    pub scheme: &'a Scheme,
    pub code: Code,
    pub places: FxHashMap<Symbol, Place>,
    /// The first register that is free for values in between.
    pub next: Reg,
    /// Scalars that several branches or iterations reach, one of them writing.
    pub contended: FxHashSet<Symbol>,
    pub points: FxHashSet<Symbol>,
    /// The term being carried out.
    pub place: Id,
}

/// The code of a scheme.
pub fn compile(scheme: &Scheme) -> Code {
    let mut compiler = Compiler {
        scheme,
        code: Code::default(),
        places: FxHashMap::default(),
        next: 0,
        contended: contended(scheme),
        points: scheme
            .terms
            .subterms(scheme.body)
            .filter_map(|id| match operator(&scheme.terms, id) {
                Some(Operator::ControlPoint(point)) => Some(point),
                _ => None,
            })
            .collect(),
        place: scheme.body,
    };
    compiler.prologue();
    compiler.code.body = compiler.here();
    compiler.operator(scheme.body);
    compiler.emit(Instr::Stop);
    compiler.code
}

/// Scalars that cells hold instead of registers: those that are assigned inside a PARALLEL and
/// declared outside it, so that races are seen, and those without a value from the start.
fn contended(scheme: &Scheme) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let mut found = FxHashSet::default();
    // Working scalars of DATA hold nothing until they are written, which only cells can tell.
    for (name, variable) in scheme.data() {
        if let Role::Data {
            input: false,
            values,
            ..
        } = &variable.role
            && !variable.is_array()
            && values.is_empty()
        {
            found.insert(name);
        }
    }
    for id in terms.subterms(scheme.body) {
        // Each thread of a launch has copies of them.
        let shares =
            |o: Operator| o.inside() == Inside::AtOnce && !matches!(o, Operator::Launch { .. });
        if !operator(terms, id).is_some_and(shares) {
            continue;
        }
        for body in inner(terms, id) {
            let own: FxHashSet<Symbol> = terms
                .subterms(body)
                .filter_map(|t| match operator(terms, t) {
                    Some(Operator::Local { name, .. }) => Some(name),
                    _ => None,
                })
                .collect();
            for t in terms.subterms(body) {
                for target in written(terms, t) {
                    let name = scalar_target(scheme, target);
                    found.extend(name.filter(|name| !own.contains(name)));
                }
            }
        }
    }
    found
}

/// The scalar variable that a target is, or is a component of.
fn scalar_target(scheme: &Scheme, target: Id) -> Option<Symbol> {
    let terms = &scheme.terms;
    let mut id = target;
    while terms.functor(id) == Some(Construct::Field.symbol()) && terms.arity(id) == 2 {
        id = terms.arg(id, 0);
    }
    terms.as_atom(id)
}

impl Compiler<'_> {
    pub(super) fn here(&self) -> u32 {
        self.code.instructions.len() as u32
    }

    pub(super) fn emit(&mut self, instr: Instr) -> u32 {
        self.code.instructions.push(instr);
        self.code.places.push(self.place);
        self.here() - 1
    }

    /// Sets the target of a jump emitted earlier to here.
    pub(super) fn land(&mut self, at: u32) {
        let here = self.here();
        match &mut self.code.instructions[at as usize] {
            Instr::Jump { target }
            | Instr::JumpIfNot { target, .. }
            | Instr::JumpIfBeyond { target, .. }
            | Instr::Next { target, .. } => *target = here,
            Instr::Launch { after, .. }
            | Instr::ForkLoop { after, .. }
            | Instr::ForkBranches { after, .. } => {
                *after = here;
            }
            other => unreachable!("{other:?} has no target"),
        }
    }

    /// Registers for values in between.
    pub(super) fn scratch(&mut self, count: usize) -> Reg {
        let first = self.next;
        self.next += count as Reg;
        self.code.registers = self.code.registers.max(self.next as usize);
        first
    }

    pub(super) fn operator(&mut self, id: Id) {
        let scheme = self.scheme;
        let outer = std::mem::replace(&mut self.place, id);
        let mark = self.next;
        match operator(&scheme.terms, id).expect("a checked scheme is well formed") {
            Operator::Then(parts) => {
                for &part in parts {
                    self.operator(part);
                    // A LOCAL keeps its registers to the end of the sequence.
                    if !declares(&scheme.terms, part) {
                        continue;
                    }
                }
            }
            Operator::If { condition, yes, no } => {
                let c = self.value(condition, Type::Bool);
                let to_no = self.emit(Instr::JumpIfNot {
                    condition: c,
                    target: 0,
                });
                self.operator(yes);
                let to_end = self.emit(Instr::Jump { target: 0 });
                self.land(to_no);
                self.operator(no);
                self.land(to_end);
            }
            Operator::While { condition, body } => {
                let start = self.here();
                let c = self.value(condition, Type::Bool);
                let out = self.emit(Instr::JumpIfNot {
                    condition: c,
                    target: 0,
                });
                self.operator(body);
                self.emit(Instr::Jump { target: start });
                self.land(out);
            }
            Operator::For {
                var,
                from,
                to,
                step,
                body,
            } => {
                let ty = scheme.variables[&var].ty;
                let reg = self.scratch(1);
                self.places.insert(var, Place::Register(reg));
                let last = self.scratch(1);
                let by = self.scratch(1);
                self.value_into(from, ty, reg);
                self.value_into(to, ty, last);
                match step {
                    Some(step) => self.value_into(step, ty, by),
                    None => {
                        self.emit(Instr::Const { to: by, bits: 1 });
                    }
                }
                let skip = self.emit(Instr::JumpIfBeyond {
                    from: reg,
                    to: last,
                    step: by,
                    target: 0,
                });
                let start = self.here();
                self.operator(body);
                self.place = id;
                self.emit(Instr::Next {
                    var: reg,
                    to: last,
                    step: by,
                    target: start,
                });
                self.land(skip);
            }
            Operator::Parallel {
                var,
                from,
                to,
                body,
                ..
            } => {
                let ty = scheme.variables[&var].ty;
                let reg = self.scratch(1);
                self.places.insert(var, Place::Register(reg));
                let first = self.value(from, ty);
                let last = self.value(to, ty);
                let fork = self.emit(Instr::ForkLoop {
                    var: reg,
                    from: first,
                    to: last,
                    after: 0,
                });
                self.operator(body);
                self.emit(Instr::End);
                self.land(fork);
            }
            Operator::Async(branches) => {
                let fork = self.emit(Instr::ForkBranches {
                    starts: Box::new([]),
                    after: 0,
                });
                let mut starts = Vec::new();
                for &branch in branches {
                    starts.push(self.here());
                    self.operator(branch);
                    self.emit(Instr::End);
                }
                let after = self.here();
                self.code.instructions[fork as usize] = Instr::ForkBranches {
                    starts: starts.into_boxed_slice(),
                    after,
                };
            }
            Operator::ControlPoint(point) => {
                self.emit(Instr::ControlPoint { point });
            }
            Operator::Wait(point) => {
                // Without such a point it waits for the device, which here is never behind.
                if self.points.contains(&point) {
                    self.emit(Instr::WaitPoint { point });
                }
            }
            Operator::Filter(condition) => {
                let condition = self.value(condition, Type::Bool);
                self.emit(Instr::Filter { condition });
            }
            Operator::Empty => {}
            Operator::Undefined => {
                self.emit(Instr::Undefined);
            }
            Operator::Assign { target, value } => {
                let ty = scheme.type_of(target);
                let from = self.value(value, ty);
                self.store(target, from, ty);
            }
            Operator::Atomic {
                op,
                target,
                value,
                was,
            } => {
                let ty = scheme.type_of(target);
                let from = self.value(value, ty);
                // Only numbers give their value from before.
                let old = was.map(|was| (was, self.scratch(1)));
                self.atomic(op, target, from, ty, old.map(|(_, old)| old));
                if let Some((was, old)) = old {
                    self.store(was, old, ty);
                }
            }
            Operator::Local { name, value, .. } => {
                let ty = scheme.variables[&name].ty;
                if self.contended.contains(&name) {
                    let array = self.scalar_cell(name, ty);
                    self.store_scalar_cell(array, value, ty);
                } else {
                    let reg = self.scratch(ty.components());
                    let inner = self.next;
                    self.value_into(value, ty, reg);
                    self.places.insert(name, Place::Register(reg));
                    self.next = inner;
                    self.place = outer;
                    return;
                }
            }
            Operator::Array {
                name, dims, body, ..
            } => {
                let ty = scheme.variables[&name].ty;
                let space = match scheme.variables[&name].role {
                    Role::Registers => Space::Thread,
                    _ => Space::Both,
                };
                let array = self.add_array(name, ty, dims.len(), space);
                self.make_array(array, dims);
                self.operator(body);
            }
            Operator::Timed(body) | Operator::Recorded(body) => self.operator(body),
            Operator::Report { label, values } => {
                let types: Vec<Type> = values.iter().map(|&v| scheme.type_of(v)).collect();
                let first = self.scratch(types.iter().map(|t| t.components()).sum());
                let mut at = first;
                for (&value, &ty) in values.iter().zip(&types) {
                    self.value_into(value, ty, at);
                    at += ty.components() as Reg;
                }
                self.emit(Instr::Report {
                    label,
                    first,
                    types: types.into_boxed_slice(),
                });
            }
            Operator::Save { label, array } => {
                if let Some(&Place::Array(array)) = self.places.get(&array) {
                    self.emit(Instr::Save { label, array });
                }
            }
            Operator::Call { .. } | Operator::Perform { .. } => {
                // Only schemes are compiled that have neither: without undefined phrases, and with what basic
                // operators mean in their place.
            }
            Operator::Launch {
                blocks,
                threads,
                body,
            } => {
                let blocks = self.value(blocks, Type::I64);
                let threads = self.value(threads, Type::I64);
                let launch = self.emit(Instr::Launch {
                    blocks,
                    threads,
                    after: 0,
                });
                self.operator(body);
                self.emit(Instr::End);
                self.land(launch);
            }
            Operator::Shared { name, size, .. } => {
                let ty = scheme.variables[&name].ty;
                let array = self.add_array(name, ty, 1, Space::Shared);
                self.make_array(array, &[size]);
            }
            Operator::Registers { name, size, .. } => {
                let ty = scheme.variables[&name].ty;
                let array = self.add_array(name, ty, 1, Space::Thread);
                self.make_array(array, &[size]);
            }
            Operator::Exchange(exchange, names) => self.warp(exchange, names),
            Operator::Barrier => {
                self.emit(Instr::Barrier);
            }
            Operator::Allocate(name) => self.memory(name, |array| Instr::Allocate { array }),
            Operator::CopyToDevice(name) => {
                self.memory(name, |array| Instr::CopyToDevice { array })
            }
            Operator::CopyFromDevice(name) => {
                self.memory(name, |array| Instr::CopyFromDevice { array })
            }
            Operator::Free(name) => self.memory(name, |array| Instr::Free { array }),
        }
        self.next = mark;
        self.place = outer;
    }
}
