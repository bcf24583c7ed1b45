//! One rule → the tests of its pattern and the code of its conditions and results.

use super::cells::{FALSE, TRUE};
use super::code::{Matching, Op, RuleCode, Spot, Test};
use super::compile::Compiler;
use super::direct::Direct;
use crate::rewrite::Rule;
use crate::rewrite::fact_base::is_act;
use crate::rewrite::fire::needed_wheres;
use crate::rewrite::pattern::{Node, Pattern};
use crate::syntax::rules::{Outcome, SET};
use crate::term::{Head, Id, Symbol, Terms};

impl Compiler<'_> {
    pub(super) fn rule(&mut self, rule: &Rule) -> Result<RuleCode, &'static str> {
        let pattern = &rule.matcher;
        self.names.clone_from(&rule.names);
        self.given = given(self.terms, rule);
        let tests = self.tests(pattern, rule.names.len());
        let plain = rule.lets.is_empty()
            && rule.alternatives.len() == 1
            && rule.alternatives[0].condition.is_none();
        let wheres = needed(self.terms, rule, rule.alternatives[0].outcome)?;
        let asks = !plain || !wheres.is_empty();
        // A direct result finds variables where the matcher left them.
        self.found = match &tests {
            Some((_, found)) if !asks => Some(found.clone()),
            _ => None,
        };
        let start = self.program.code.len();
        let mut truths = 0;
        for binding in &rule.lets {
            self.binding(binding.variable, binding.value)?;
        }
        for alternative in &rule.alternatives {
            let mut skip = None;
            if let Some(condition) = alternative.condition {
                self.judged(condition)?;
                let variable = rule.names.len() as u32 + truths;
                truths += 1;
                self.emit(Op::Bind(variable));
                skip = Some(self.emit(Op::JumpUnless {
                    variable,
                    is: TRUE,
                    to: 0,
                }));
            }
            self.outcome(rule, alternative.outcome)?;
            if let Some(skip) = skip {
                self.aim(skip);
            }
        }
        if let Some(otherwise) = rule.otherwise {
            let fails: Vec<usize> = (0..truths)
                .map(|i| {
                    self.emit(Op::JumpUnless {
                        variable: rule.names.len() as u32 + i,
                        is: FALSE,
                        to: 0,
                    })
                })
                .collect();
            self.outcome(rule, otherwise)?;
            for fail in fails {
                self.aim(fail);
            }
        }
        self.emit(Op::Fail);
        let direct = self.found.is_some().then(|| {
            let code = &self.program.code[start..];
            Direct::of(code, &self.cells, &self.program.constants)
        });
        let direct = direct.flatten();
        if self.found.is_some() && direct.is_none() {
            // Once more, with variables of its own.
            self.program.code.truncate(start);
            self.found = None;
            self.outcome(rule, rule.alternatives[0].outcome)?;
            self.emit(Op::Fail);
        }
        let matching = match tests {
            Some((tests, found)) => Matching::Tests {
                tests,
                variables: (0..)
                    .zip(found)
                    .filter_map(|(slot, spot)| Some((slot, spot?)))
                    .collect(),
            },
            None => Matching::Search,
        };
        Ok(RuleCode {
            rule: 0,
            matching,
            variables: rule.names.len() as u32 + truths,
            asks,
            given: self
                .given
                .iter()
                .filter_map(|&name| self.slot(name))
                .collect(),
            direct,
            repeats: repeats(self.terms, rule),
            compares: !pattern.is_linear(),
            code: start as u32,
        })
    }

    /// The tests of a pattern and the spots of variables, breadth first, so that functors
    /// near the root are seen early; nothing where a pattern matches in several ways.
    fn tests(
        &mut self,
        pattern: &Pattern,
        variables: usize,
    ) -> Option<(Vec<Test>, Vec<Option<Spot>>)> {
        let mut found: Vec<Option<Spot>> = vec![None; variables];
        let mut tests = Vec::new();
        let mut same = Vec::new();
        let mut work = std::collections::VecDeque::from([(pattern.root, Spot::REDEX)]);
        let mut next = 1;
        while let Some((node, at)) = work.pop_front() {
            match pattern.nodes[node as usize] {
                Node::Variable(slot) => match found[slot as usize] {
                    Some(a) => same.push(Test::Same { a, b: at }),
                    None => found[slot as usize] = Some(at),
                },
                Node::Leaf(literal) => {
                    let constant = self.constant(literal);
                    tests.push(Test::Literal { at, constant });
                }
                Node::Apply {
                    functor,
                    from,
                    to,
                    rigid: true,
                } if functor.as_str() != SET => {
                    let mut cell = 0;
                    // The rules of a functor are tried at its cells only.
                    if at != Spot::REDEX {
                        let functor = self.functor(Head::Functor(functor), (to - from) as usize);
                        cell = next;
                        next += 1;
                        let to = cell;
                        tests.push(Test::Cell { at, functor, to });
                    }
                    let arguments = &pattern.arguments[from as usize..to as usize];
                    let spots = (0..).map(|i| Spot::argument(cell, i));
                    work.extend(arguments.iter().copied().zip(spots));
                }
                _ => return None,
            }
        }
        tests.extend(same);
        self.program.passed = self.program.passed.max(next as usize);
        Some((tests, found))
    }

    fn binding(&mut self, variable: Id, value: Id) -> Result<(), &'static str> {
        let (name, is_sequence) = match self.terms.head(variable) {
            Head::Variable(name) => (name, false),
            Head::Sequence(name) => (name, true),
            _ => return Ok(()),
        };
        let Some(slot) = self.names.iter().position(|&n| n == name) else {
            return Ok(());
        };
        if is_sequence {
            self.emit(Op::Mark);
            self.template(value)?;
            self.emit(Op::BindMarked(slot as u32));
        } else {
            self.one(value)?;
            self.emit(Op::Reduce);
            self.emit(Op::Bind(slot as u32));
        }
        Ok(())
    }

    fn outcome(&mut self, rule: &Rule, outcome: Outcome) -> Result<(), &'static str> {
        for i in needed(self.terms, rule, outcome)? {
            let binding = rule.wheres[i];
            self.binding(binding.variable, binding.value)?;
        }
        self.one(outcome.result)?;
        match outcome.action.filter(|&action| is_act(self.terms, action)) {
            Some(action) => self.actions(action)?,
            None => drop(self.emit(Op::Done)),
        }
        Ok(())
    }
}

fn repeats(terms: &Terms, rule: &Rule) -> bool {
    let mut results = rule.results();
    results.any(|result| super::repeats::may_repeat(terms, rule.pattern, result))
}

/// The variables of a rule that have their values neither from its pattern nor from `let` or `where`.
fn given(terms: &Terms, rule: &Rule) -> Vec<Symbol> {
    let variable = |id: Id| match terms.head(id) {
        Head::Variable(name) | Head::Sequence(name) => Some(name),
        _ => None,
    };
    let mut bound: Vec<Symbol> = terms.subterms(rule.pattern).filter_map(variable).collect();
    let bindings = rule.lets.iter().chain(&rule.wheres);
    bound.extend(bindings.filter_map(|binding| variable(binding.variable)));
    let is_given = |name: &&Symbol| !bound.contains(name);
    rule.names.iter().filter(is_given).copied().collect()
}

fn needed(terms: &Terms, rule: &Rule, outcome: Outcome) -> Result<Vec<usize>, &'static str> {
    needed_wheres(terms, rule, outcome)
        .map_err(|_| "the values of its `where` depend on each other in a circle")
}
