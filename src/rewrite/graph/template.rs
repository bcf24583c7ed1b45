//! Results and conditions → code.

use super::cells::{FALSE, TRUE};
use super::code::Op;
use super::compile::Compiler;
use super::questions::Open;
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol};

impl Compiler<'_> {
    /// Code that pushes the one term of a template.
    pub(super) fn one(&mut self, template: Id) -> Result<(), &'static str> {
        match self.terms.head(template) {
            Head::Sequence(_) => Err("a sequence stands where one term is needed"),
            _ => self.template(template),
        }
    }

    /// Code that pushes the terms of a template, several for a sequence variable.
    pub(super) fn template(&mut self, template: Id) -> Result<(), &'static str> {
        enum Work {
            Visit(Id),
            Emit(Op),
        }
        let mut work = vec![Work::Visit(template)];
        while let Some(item) = work.pop() {
            let id = match item {
                Work::Emit(op) => {
                    self.emit(op);
                    continue;
                }
                Work::Visit(id) => id,
            };
            let head = self.terms.head(id);
            let args = self.terms.args(id);
            let functor = match head {
                Head::Variable(name) => {
                    self.variable(name)?;
                    continue;
                }
                Head::Sequence(name) => {
                    let slot = self.names.iter().position(|&n| n == name);
                    self.emit(Op::Spread(slot.ok_or("a variable has no value")? as u32));
                    continue;
                }
                Head::Functor(functor) => functor,
                _ => {
                    self.push_constant(head);
                    continue;
                }
            };
            let is_marked = args
                .iter()
                .any(|&a| matches!(self.terms.head(a), Head::Sequence(_)));
            let count = args.len() as u32;
            let op = match (functor.as_str(), args) {
                (SET, _) => Op::Set((!is_marked).then_some(count)),
                (SET_PATTERN, [_, ..]) => Op::SetRest((!is_marked).then_some(count - 1)),
                (ANY_ARITY, [_, _]) if !is_marked => Op::AnyFunctor,
                (ANY_ARITY, _) => return Err("a functor is made in an unusual way"),
                _ if is_marked => Op::MakeMarked(functor),
                (_, []) => {
                    self.push_constant(head);
                    continue;
                }
                _ => Op::Make(self.functor(head, args.len())),
            };
            if is_marked {
                self.emit(Op::Mark);
            }
            work.push(Work::Emit(op));
            work.extend(args.iter().rev().map(|&a| Work::Visit(a)));
        }
        Ok(())
    }

    fn variable(&mut self, name: Symbol) -> Result<(), &'static str> {
        let slot = self.slot(name);
        let is_given = self.given.contains(&name);
        let op = match (slot, self.open, &self.found) {
            (None, Open::Closed, _) => return Err("a variable has no value"),
            (None, _, _) => {
                self.push_constant(Head::Variable(name));
                return Ok(());
            }
            (Some(variable), Open::Question, _) => self.open(name, variable, true),
            (Some(variable), Open::Action, _) if is_given => self.open(name, variable, false),
            (Some(variable), _, _) if is_given => Op::Given(variable),
            (Some(slot), _, Some(found)) => {
                Op::Found(found[slot as usize].ok_or("a variable has no value")?)
            }
            (Some(slot), _, None) => Op::Variable(slot),
        };
        self.emit(op);
        Ok(())
    }

    fn open(&mut self, name: Symbol, variable: u32, asks: bool) -> Op {
        Op::Open {
            variable,
            constant: self.constant(Head::Variable(name)),
            asks,
        }
    }

    /// The number of a variable of the rule at work.
    pub(super) fn slot(&self, name: Symbol) -> Option<u32> {
        let slot = self.names.iter().position(|&n| n == name);
        slot.map(|slot| slot as u32)
    }

    pub(super) fn push_constant(&mut self, head: Head) {
        let constant = self.constant(head);
        let cell = self.program.constants[constant as usize];
        let is_normal = self.cells.is_normal(cell);
        self.emit(match is_normal {
            true => Op::Constant(constant),
            false => Op::Fresh(constant),
        });
    }

    /// Code that pushes a condition's truth value; anything but True and False is unknown.
    pub(super) fn condition(&mut self, condition: Id) -> Result<(), &'static str> {
        let args = self.terms.args(condition);
        let Head::Functor(functor) = self.terms.head(condition) else {
            // A variable stands for a condition that was matched.
            self.one(condition)?;
            self.emit(Op::Look);
            return Ok(());
        };
        match (functor.as_str(), args) {
            ("True" | "False", []) => {
                let constant = self.constant(self.terms.head(condition));
                self.emit(Op::Constant(constant));
            }
            (name @ ("And" | "Or"), [first, rest @ ..]) => {
                self.condition(*first)?;
                let is = if name == "And" { FALSE } else { TRUE };
                let mut jumps = Vec::new();
                for &part in rest {
                    jumps.push(self.emit(Op::JumpIf { is, to: 0 }));
                    self.condition(part)?;
                    self.emit(if name == "And" { Op::And } else { Op::Or });
                }
                for jump in jumps {
                    self.aim(jump);
                }
            }
            ("Not", &[part]) => {
                self.negated(part)?;
                self.emit(Op::Not);
            }
            (
                name @ ("Equal" | "NotEqual" | "Less" | "LessOrEqual" | "Greater"
                | "GreaterOrEqual"),
                &[a, b],
            ) => {
                for side in [a, b] {
                    self.one(side)?;
                    self.emit(Op::Reduce);
                }
                if matches!(name, "Equal" | "NotEqual") {
                    let holds = name == "Equal";
                    self.emit(Op::Equal { holds });
                } else {
                    let functor = self.functor(self.terms.head(condition), 2);
                    let holds = match name {
                        "Less" => [true, false, false],
                        "LessOrEqual" => [true, true, false],
                        "Greater" => [false, false, true],
                        _ => [false, true, true],
                    };
                    let to = 0;
                    let jump = self.emit(Op::Order { functor, holds, to });
                    self.emit(Op::Reduce);
                    self.aim(jump);
                }
            }
            _ => {
                let mut parts = args.iter();
                let compares = matches!(functor.as_str(), "Equal" | "NotEqual");
                if compares && parts.any(|&a| matches!(self.terms.head(a), Head::Sequence(_))) {
                    return Err("a sequence stands in a comparison");
                }
                self.question(condition)?;
            }
        }
        Ok(())
    }
}
