//! Results and conditions → code.

use super::code::Op;
use super::compile::Compiler;
use super::heap::{FALSE, TRUE};
use crate::term::{Head, Id, Symbol, Terms};

impl Compiler {
    /// Code that pushes the normal form of a template. `if` chooses before it reduces.
    pub(super) fn template(&mut self, terms: &Terms, template: Id, names: &[Symbol]) {
        enum Work {
            Visit(Id),
            Apply(Id),
            /// After the condition of an `if`, before anything of its branches.
            Branch(Id),
            /// Where a branch begins: the condition was left on the stack.
            Enter(usize),
            /// Where a branch ends and another follows.
            Leave,
            /// Where the branches of the innermost `if` meet.
            Meet,
        }
        let mut work = vec![Work::Visit(template)];
        let mut leaving: Vec<Vec<usize>> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Visit(id) => {
                    let head = terms.head(id);
                    let args = terms.args(id);
                    let functor = self.functor_in_use(head, args.len());
                    if let Head::Variable(name) = head
                        && let Some(slot) = names.iter().position(|&n| n == name)
                    {
                        self.emit(Op::Variable(slot as u32));
                    } else if is_if(terms, id) && !functor.is_some_and(|f| self.has_rules(f)) {
                        work.push(Work::Branch(id));
                        work.push(Work::Visit(args[0]));
                    } else if !args.is_empty() || functor.is_some_and(|f| self.has_rules(f)) {
                        work.push(Work::Apply(id));
                        work.extend(args.iter().rev().map(|&a| Work::Visit(a)));
                    } else {
                        let constant = self.constant(head);
                        self.emit(Op::Constant(constant));
                    }
                }
                Work::Apply(id) => {
                    let arity = terms.arity(id);
                    let functor = self.functor(terms.head(id), arity);
                    let reduces = self.has_rules(functor)
                        || self.program.functors[functor as usize].meaning.is_some();
                    self.emit(if reduces {
                        Op::Call(functor)
                    } else {
                        Op::Make {
                            functor,
                            arity: arity as u32,
                        }
                    });
                }
                Work::Branch(id) => {
                    let yes = self.emit(Op::JumpIf { is: TRUE, to: 0 });
                    let no = self.emit(Op::JumpIf { is: FALSE, to: 0 });
                    leaving.push(Vec::new());
                    let (first, second) = (terms.arg(id, 1), terms.arg(id, 2));
                    // Where the condition is neither, it stays, and so does the `if`.
                    let parts = [
                        Work::Visit(first),
                        Work::Visit(second),
                        Work::Apply(id),
                        Work::Leave,
                        Work::Enter(yes),
                        Work::Visit(first),
                        Work::Leave,
                        Work::Enter(no),
                        Work::Visit(second),
                        Work::Meet,
                    ];
                    work.extend(parts.into_iter().rev());
                }
                Work::Enter(jump) => {
                    self.aim(jump);
                    self.emit(Op::Drop);
                }
                Work::Leave => {
                    let jump = self.emit(Op::Jump(0));
                    if let Some(jumps) = leaving.last_mut() {
                        jumps.push(jump);
                    }
                }
                Work::Meet => {
                    for jump in leaving.pop().unwrap_or_default() {
                        self.aim(jump);
                    }
                }
            }
        }
    }

    /// The number of a functor if it has one already.
    fn functor_in_use(&self, head: Head, arity: usize) -> Option<u32> {
        match head {
            Head::Functor(name) => self.numbers.get(&(0, name, arity)).copied(),
            _ => None,
        }
    }

    fn has_rules(&self, functor: u32) -> bool {
        !self.program.functors[functor as usize]
            .candidates
            .is_empty()
    }

    /// Code that pushes a condition's truth value; anything but True and False is unknown.
    pub(super) fn condition(&mut self, terms: &Terms, condition: Id, names: &[Symbol]) {
        let args = terms.args(condition);
        match (terms.functor(condition).map_or("", |f| f.as_str()), args) {
            (name @ ("And" | "Or"), [first, rest @ ..]) => {
                self.condition(terms, *first, names);
                let is = if name == "And" { FALSE } else { TRUE };
                let mut jumps = Vec::new();
                for &part in rest {
                    jumps.push(self.emit(Op::JumpIf { is, to: 0 }));
                    self.condition(terms, part, names);
                    self.emit(if name == "And" { Op::And } else { Op::Or });
                }
                for jump in jumps {
                    self.aim(jump);
                }
            }
            ("Not", &[part]) => {
                self.condition(terms, part, names);
                self.emit(Op::Not);
            }
            (name @ ("Equal" | "NotEqual"), &[a, b]) => {
                self.template(terms, a, names);
                self.template(terms, b, names);
                self.emit(Op::Equal);
                if name == "NotEqual" {
                    self.emit(Op::Not);
                }
            }
            _ => self.template(terms, condition, names),
        }
    }
}

fn is_if(terms: &Terms, id: Id) -> bool {
    terms.arity(id) == 3 && terms.functor(id).is_some_and(|f| f.as_str() == "if")
}
