//! One rule → the tests of its pattern and the code of its conditions and results.

use super::code::{Op, Test};
use super::compile::Compiler;
use super::heap::{FALSE, TRUE};
use crate::rewrite::Rule;
use crate::rewrite::fire::needed_wheres;
use crate::rewrite::graph::{Repeats, repeats};
use crate::syntax::rules::Outcome;
use crate::term::{Head, Id, Symbol, Terms};

impl Compiler {
    pub(super) fn rule(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        functor: u32,
        index: u32,
    ) -> Option<()> {
        // Variables are numbered as in the rule; those of the pattern get registers.
        let mut registers: Vec<Option<u32>> = vec![None; rule.names.len()];
        let (tests, parts) = self.tests(terms, rule, &mut registers);
        let bound: Vec<usize> = (0..registers.len())
            .filter(|&i| registers[i].is_some())
            .collect();
        let mut names: Vec<Symbol> = bound.iter().map(|&i| rule.names[i]).collect();
        let mut variables: Vec<u32> = bound.iter().filter_map(|&i| registers[i]).collect();
        self.keep_parts(terms, rule, parts, &mut names, &mut variables);
        let patterned = names.len();
        for binding in rule.lets.iter().chain(&rule.wheres) {
            if let Head::Variable(name) = terms.head(binding.variable) {
                names.push(name);
            }
        }
        let truths = names.len() as u32;
        let code = self.here();
        let mut kept = 0;
        for binding in &rule.lets {
            self.bind(terms, binding.variable, binding.value, &names);
        }
        let mut conditions = 0;
        // What is kept of results comes behind all other variables.
        let judged = rule.alternatives.iter().filter(|a| a.condition.is_some());
        let most = truths + judged.count() as u32;
        let fires = Op::Fire(0);
        let conditional =
            self.program.functors[functor as usize].candidates[index as usize].conditional;
        let mut fails = Vec::new();
        for alternative in &rule.alternatives {
            let mut skip = None;
            if let Some(condition) = alternative.condition {
                self.condition(terms, condition, &names);
                let variable = truths + conditions;
                conditions += 1;
                self.emit(Op::Bind(variable));
                skip = Some(self.emit(Op::JumpUnless {
                    variable,
                    is: TRUE,
                    to: 0,
                }));
            }
            if conditional {
                fails.extend(self.unless_repeated(terms, rule, alternative.outcome, &names));
                self.emit(fires);
            }
            kept += self.outcome(terms, rule, alternative.outcome, &names, most + kept)?;
            if let Some(skip) = skip {
                self.aim(skip);
            }
        }
        if let Some(otherwise) = rule.otherwise {
            for variable in truths..truths + conditions {
                fails.push(self.emit(Op::JumpUnless {
                    variable,
                    is: FALSE,
                    to: 0,
                }));
            }
            fails.extend(self.unless_repeated(terms, rule, otherwise, &names));
            self.emit(fires);
            kept += self.outcome(terms, rule, otherwise, &names, most + kept)?;
        }
        for fail in fails {
            self.aim(fail);
        }
        if conditional {
            self.emit(Op::Next {
                functor,
                candidate: index,
            });
        }
        let candidates = &mut self.program.functors[functor as usize].candidates;
        let again = match (index as usize).checked_sub(1) {
            Some(before) => {
                let pairs = candidates[before].tests.iter().zip(&tests);
                pairs.take_while(|(a, b)| a == b).count()
            }
            None => 0,
        };
        let candidate = &mut candidates[index as usize];
        candidate.again = again;
        // The rule's number was not at hand where it fires.
        let number = candidate.rule;
        candidate.tests = tests;
        candidate.variables = variables;
        candidate.extra = most + kept - patterned as u32;
        candidate.code = code;
        for at in code as usize..self.program.code.len() {
            match self.program.code[at] {
                Op::Fire(_) => self.program.code[at] = Op::Fire(number),
                // A call before a jump to the end is a last call too.
                Op::Jump(to) if self.program.code[to as usize] == Op::Return => {
                    self.program.code[at] = Op::Return;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Code that goes on elsewhere, by the jump that is given, where a result would be the redex again.
    fn unless_repeated(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        outcome: Outcome,
        names: &[Symbol],
    ) -> Option<usize> {
        let Repeats::Where(pairs) = repeats(terms, rule.pattern, outcome.result) else {
            return None;
        };
        let slot = |name: Symbol| names.iter().position(|&n| n == name).unwrap_or(0) as u32;
        let mut jumps = Vec::new();
        for (a, b) in pairs {
            jumps.push(self.emit(Op::JumpUnlike {
                a: slot(a),
                b: slot(b),
                to: 0,
            }));
        }
        let fails = self.emit(Op::Jump(0));
        for jump in jumps {
            self.aim(jump);
        }
        Some(fails)
    }

    /// The tests of a pattern, breadth first, so that functors near the root are seen early; and the parts of it that have
    /// functors, each with its register.
    fn tests(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        registers: &mut [Option<u32>],
    ) -> (Vec<Test>, Vec<(Id, u32)>) {
        let mut tests = Vec::new();
        let mut same = Vec::new();
        let mut parts = Vec::new();
        let args = terms.args(rule.pattern);
        let mut work: std::collections::VecDeque<(Id, u32)> =
            args.iter().copied().zip(0..).collect();
        let mut next = args.len() as u32;
        while let Some((id, register)) = work.pop_front() {
            match terms.head(id) {
                Head::Variable(name) if name.as_str() == "_" => {}
                Head::Variable(name) => {
                    if let Some(slot) = rule.names.iter().position(|&n| n == name) {
                        match registers[slot] {
                            Some(first) => same.push(Test::Same {
                                a: first,
                                b: register,
                            }),
                            None => registers[slot] = Some(register),
                        }
                    }
                }
                head @ Head::Functor(_) => {
                    let arity = terms.arity(id);
                    let functor = self.functor(head, arity);
                    parts.push((id, register));
                    tests.push(Test::Cell {
                        register,
                        functor,
                        arity: arity as u32,
                        to: next,
                    });
                    work.extend(terms.args(id).iter().copied().zip(next..));
                    next += terms.arity(id) as u32;
                }
                literal => {
                    let constant = self.constant(literal);
                    tests.push(Test::Literal { register, constant });
                }
            }
        }
        tests.extend(same);
        self.program.registers = self.program.registers.max(next as usize);
        (tests, parts)
    }

    fn bind(&mut self, terms: &Terms, variable: Id, value: Id, names: &[Symbol]) {
        self.template(terms, value, names);
        if let Head::Variable(name) = terms.head(variable)
            && let Some(slot) = names.iter().position(|&n| n == name)
        {
            self.emit(Op::Bind(slot as u32));
        }
    }

    /// Code of an outcome that keeps values in variables from the `free`-th on; gives how many.
    fn outcome(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        outcome: Outcome,
        names: &[Symbol],
        free: u32,
    ) -> Option<u32> {
        for i in needed_wheres(terms, rule, outcome).ok()? {
            let binding = rule.wheres[i];
            self.bind(terms, binding.variable, binding.value, names);
        }
        let kept = match self.shares {
            true => self.repeated(terms, outcome.result),
            false => Vec::new(),
        };
        match kept.is_empty() {
            true => self.result(terms, outcome.result, names),
            false => self.sharing(terms, outcome.result, names, &kept, free),
        }
        self.emit(Op::Return);
        Some(kept.len() as u32)
    }
}
