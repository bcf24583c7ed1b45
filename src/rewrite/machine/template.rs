//! Results and conditions → code.

use super::code::Op;
use super::compile::Compiler;
use super::heap::{FALSE, TRUE};
use super::operands::Operand;
use crate::rewrite::Rule;
use crate::rewrite::evaluate::meaning;
use crate::rewrite::standard::table::form;
use crate::term::{Head, Id, Symbol, Terms};

/// Subterms of a template among which equal ones are looked for.
const MOST_PARTS: usize = 32;

/// Subterms of a result in which holes are looked for.
const MOST_OPENED: usize = 256;

/// A part of a template that stands in it several times.
pub(super) struct Repeated {
    part: Id,
    count: usize,
}

impl Compiler {
    /// Code that pushes the normal form of a template. `if` chooses before it reduces.
    pub(super) fn template(&mut self, terms: &Terms, template: Id, names: &[Symbol]) {
        self.sharing(terms, template, names, &[], 0);
    }

    /// Likewise, of a result, after which nothing is left to do: a call within functors that no rule is for fills a hole.
    pub(super) fn result(&mut self, terms: &Terms, result: Id, names: &[Symbol]) {
        let opens = self.opens && terms.subterms(result).nth(MOST_OPENED).is_none();
        self.code(terms, result, names, (&[], 0), opens);
    }

    /// Likewise, of a template of which some parts stand in it several times: their values are kept in variables from
    /// the `free`-th on.
    pub(super) fn sharing(
        &mut self,
        terms: &Terms,
        template: Id,
        names: &[Symbol],
        repeated: &[Repeated],
        free: u32,
    ) {
        self.code(terms, template, names, (repeated, free), false);
    }

    /// Likewise; a result whose last call fills a hole if it `opens` one.
    fn code(
        &mut self,
        terms: &Terms,
        template: Id,
        names: &[Symbol],
        (repeated, free): (&[Repeated], u32),
        opens: bool,
    ) {
        enum Work {
            Visit(Id),
            /// What the value comes of, so that it may fill a hole.
            Last(Id),
            /// Likewise, whatever it stands for again.
            Compute(Id),
            /// The first of equal parts is computed.
            Keep(u32),
            /// A part is computed that was computed before.
            Aim(usize),
            Apply(Id),
            /// All arguments of a functor but one are computed.
            Open(Id, usize),
            /// After the condition of an `if`, before anything of its branches; and whether these come last.
            Branch(Id, bool),
            /// Where a branch begins: the condition was left on the stack.
            Enter(usize),
            /// Where a branch ends and another follows.
            Leave,
            /// Where the branches of the innermost `if` meet.
            Meet,
        }
        let mut work = vec![match opens {
            true => Work::Last(template),
            false => Work::Visit(template),
        }];
        let mut leaving: Vec<Vec<usize>> = Vec::new();
        // The places of notes, and how many parts are still to come that stand for what was kept.
        let mut notes: Vec<usize> = Vec::new();
        let mut left: usize = repeated.iter().map(|r| r.count - 1).sum();
        while let Some(item) = work.pop() {
            let part = match item {
                Work::Visit(id) => repeated.iter().position(|r| terms.equal(r.part, id)),
                _ => None,
            };
            match item {
                Work::Visit(id) if let Some(part) = part => {
                    let variable = free + part as u32;
                    if let Some(at) = notes.iter().position(|&note| note == part) {
                        let back = (notes.len() - 1 - at) as u32;
                        let to = 0;
                        let again = self.emit(Op::Again { variable, back, to });
                        work.extend([Work::Aim(again), Work::Compute(id)]);
                    } else {
                        notes.push(part);
                        self.emit(Op::Note);
                        work.extend([Work::Keep(variable), Work::Compute(id)]);
                    }
                }
                Work::Keep(variable) => {
                    self.emit(Op::Keep(variable));
                }
                Work::Aim(again) => {
                    self.aim(again);
                    left -= 1;
                    if left == 0 {
                        self.emit(Op::Forget(notes.len() as u32));
                    }
                }
                Work::Last(id) if let Some(hole) = self.hole(terms, id) => {
                    let args = terms.args(id);
                    work.push(Work::Last(args[hole]));
                    work.push(Work::Open(id, hole));
                    let others = (0..args.len()).rev().filter(|&i| i != hole);
                    let others = others.filter(|&i| !self.is_operand(terms, args[i]));
                    work.extend(others.map(|i| Work::Visit(args[i])));
                }
                Work::Visit(id) | Work::Last(id) | Work::Compute(id) => {
                    let is_last = matches!(item, Work::Last(_));
                    let args = terms.args(id);
                    if self.is_operand(terms, id) {
                        let push = match self.operand(terms, id, names) {
                            Operand::Variable(variable) => Op::Variable(variable),
                            Operand::Constant(constant) => Op::Constant(constant),
                            // It is on the stack already.
                            Operand::Value(_) => continue,
                        };
                        self.emit(push);
                    } else if is_if(terms, id) {
                        work.push(Work::Branch(id, is_last));
                        work.push(Work::Visit(args[0]));
                    } else {
                        work.push(Work::Apply(id));
                        let computed = args.iter().rev();
                        let computed = computed.filter(|&&arg| !self.is_operand(terms, arg));
                        work.extend(computed.map(|&arg| Work::Visit(arg)));
                    }
                }
                Work::Apply(id) => {
                    let functor = self.functor(terms.head(id), terms.arity(id));
                    let reduces = self.has_rules(functor)
                        || self.program.functors[functor as usize].meaning.is_some();
                    let arguments = match is_if(terms, id) {
                        // The branches were computed one after the other, whatever they are.
                        true => self.on_the_stack(3),
                        false => self.arguments(terms, terms.args(id).iter(), names),
                    };
                    self.emit(match reduces {
                        true => Op::Call { functor, arguments },
                        false => Op::Make { functor, arguments },
                    });
                }
                Work::Open(id, hole) => {
                    let functor = self.functor(terms.head(id), terms.arity(id));
                    let (before, behind) = terms.args(id).split_at(hole);
                    let others = before.iter().chain(&behind[1..]);
                    let arguments = self.arguments(terms, others, names);
                    self.emit(Op::Open {
                        functor,
                        arguments,
                        hole: hole as u32,
                    });
                }
                Work::Branch(id, is_last) => {
                    let yes = self.emit(Op::JumpIf { is: TRUE, to: 0 });
                    let no = self.emit(Op::JumpIf { is: FALSE, to: 0 });
                    leaving.push(Vec::new());
                    let (first, second) = (terms.arg(id, 1), terms.arg(id, 2));
                    let branch = |id| match is_last {
                        true => Work::Last(id),
                        false => Work::Visit(id),
                    };
                    // Where the condition is neither, it stays, and so does the `if`.
                    let parts = [
                        Work::Visit(first),
                        Work::Visit(second),
                        Work::Apply(id),
                        Work::Leave,
                        Work::Enter(yes),
                        branch(first),
                        Work::Leave,
                        Work::Enter(no),
                        branch(second),
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

    /// The parts of a template that stand in it several times, none within another one, and take calls to compute.
    pub(super) fn repeated(&self, terms: &Terms, template: Id) -> Vec<Repeated> {
        let mut parts: Vec<Repeated> = Vec::new();
        let all: Vec<Id> = terms.subterms(template).take(MOST_PARTS + 1).collect();
        // The branches of an `if` are not all computed.
        if all.len() > MOST_PARTS || all.iter().any(|&id| is_if(terms, id)) {
            return parts;
        }
        let mut work = vec![template];
        while let Some(id) = work.pop() {
            let count = occurrences(terms, template, id);
            match parts.iter().any(|part| terms.equal(part.part, id)) {
                true => {}
                false if count > 1 && self.calls(terms, id) => {
                    parts.push(Repeated { part: id, count })
                }
                false => work.extend(terms.args(id)),
            }
        }
        // What stands in another part, too, is computed there when that is.
        let within = |a: &Repeated, b: &Repeated| {
            !terms.equal(a.part, b.part) && occurrences(terms, b.part, a.part) > 0
        };
        match parts.iter().any(|a| parts.iter().any(|b| within(a, b))) {
            true => Vec::new(),
            false => parts,
        }
    }

    /// Whether rules are at work where a template is computed. Standard functors alone take no longer than counting would.
    fn calls(&self, terms: &Terms, template: Id) -> bool {
        terms.subterms(template).any(|id| {
            let functor = self.functor_in_use(terms.head(id), terms.arity(id));
            functor.is_some_and(|f| self.has_rules(f))
        })
    }

    /// Keeps the parts of a pattern that a result or a condition has again, each in a variable of its own: they are normal
    /// forms, and take no rewrites where no rule is for anything in them.
    pub(super) fn keep_parts(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        parts: Vec<(Id, u32)>,
        names: &mut Vec<Symbol>,
        variables: &mut Vec<u32>,
    ) {
        self.kept.clear();
        if !self.reuses {
            return;
        }
        let templates: Vec<Id> = rule.templates().collect();
        for (part, register) in parts {
            let is_again =
                |&template: &Id| terms.subterms(template).any(|id| terms.equal(id, part));
            if terms.arity(part) > 0
                && !terms.subterms(part).any(|id| self.may_change(terms, id))
                && templates.iter().any(is_again)
            {
                self.kept.push((part, names.len() as u32));
                names.push(Symbol::new(""));
                variables.push(register);
            }
        }
    }

    /// Whether a node may have another value than itself on normal forms, or stands for anything.
    pub(super) fn may_change(&self, terms: &Terms, id: Id) -> bool {
        let arity = terms.arity(id);
        match terms.head(id) {
            Head::Functor(name) => {
                let functor = self.functor_in_use(terms.head(id), arity);
                functor.is_some_and(|f| self.has_rules(f))
                    || is_if(terms, id)
                    || meaning(name, arity).is_some()
                    || form(name, arity).is_some()
            }
            Head::Variable(name) => name.as_str() == "_",
            _ => false,
        }
    }

    /// The number of a functor if it has one already.
    pub(super) fn functor_in_use(&self, head: Head, arity: usize) -> Option<u32> {
        match head {
            Head::Functor(name) => self.numbers.get(&(0, name, arity)).copied(),
            _ => None,
        }
    }

    pub(super) fn has_rules(&self, functor: u32) -> bool {
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

/// How often a part stands in a template.
fn occurrences(terms: &Terms, template: Id, part: Id) -> usize {
    let mut parts = 0;
    let mut work = vec![template];
    while let Some(id) = work.pop() {
        parts += usize::from(terms.equal(id, part));
        work.extend(terms.args(id));
    }
    parts
}

pub(super) fn is_if(terms: &Terms, id: Id) -> bool {
    terms.arity(id) == 3 && terms.functor(id).is_some_and(|f| f.as_str() == "if")
}
