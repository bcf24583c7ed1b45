//! Rules and a term → code.

use super::heap::{FALSE, TRUE};
use crate::rewrite::evaluate::{Meaning, Value, meaning};
use crate::rewrite::fire::needed_wheres;
use crate::rewrite::{Rule, RuleBase, System};
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// An instruction. Values are addresses on a stack; the variables of the rule at work are an
/// array of addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    /// Pushes a variable.
    Variable(u32),
    /// Pushes a constant.
    Constant(u32),
    /// Pops arguments and makes a cell of a functor that no rule and no meaning belong to.
    Make(u32),
    /// Pops arguments and reduces a functor on them.
    Call(u32),
    /// Ends a rule's result, which is on the stack.
    Return,
    /// Ends the run.
    Halt,
    /// Pops into a variable.
    Bind(u32),
    /// Goes on elsewhere unless a variable is this truth value.
    JumpUnless {
        variable: u32,
        is: u32,
        to: u32,
    },
    /// Goes on elsewhere if the top of the stack is this truth value; leaves it there.
    JumpIf {
        is: u32,
        to: u32,
    },
    /// Goes on elsewhere.
    Jump(u32),
    /// Pops a truth value that was left there.
    Drop,
    /// Pops two truth values and pushes their conjunction or disjunction after Kleene.
    And,
    Or,
    Not,
    /// Pops two terms and pushes whether they are equal.
    Equal,
    /// Counts a rule as fired.
    Fire(u32),
    /// The rule does not fire: goes on with the candidate after this one.
    Next {
        functor: u32,
        candidate: u32,
    },
}

/// A test of a matcher over registers; the first registers are the arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Test {
    /// A register holds a cell of this functor; its arguments go to registers from `to`.
    Cell {
        register: u32,
        functor: u32,
        to: u32,
    },
    /// A register holds a literal equal to a constant.
    Literal { register: u32, constant: u32 },
    /// Two registers hold equal terms.
    Same { a: u32, b: u32 },
}

/// A rule as a candidate for its functor.
pub(super) struct Candidate {
    /// Its index in the rule base.
    pub(super) rule: u32,
    pub(super) tests: Vec<Test>,
    /// Registers of the variables, in their order.
    pub(super) variables: Vec<u32>,
    /// Variables beside those of the pattern.
    pub(super) extra: u32,
    /// Whether it can turn out not to fire, so that the arguments must be kept; they are kept
    /// after all other variables.
    pub(super) conditional: bool,
    pub(super) code: u32,
}

pub(super) struct Functor {
    pub(super) head: Head,
    pub(super) arity: usize,
    pub(super) candidates: Vec<Candidate>,
    pub(super) meaning: Option<Meaning>,
}

/// A compiled system with the term it is to normalise.
pub(super) struct Program {
    pub(super) functors: Vec<Functor>,
    pub(super) code: Vec<Op>,
    /// Literals, and functors without arguments.
    pub(super) constants: Vec<Result<Value, u32>>,
    pub(super) start: u32,
    /// Registers that matching needs at most.
    pub(super) registers: usize,
}

/// Compiles, or gives nothing where the system or the term has what is not compiled.
pub(super) fn program(
    base: &RuleBase,
    system: &System,
    terms: &Terms,
    root: Id,
) -> Option<Program> {
    let mut compiler = Compiler {
        program: Program {
            functors: Vec::new(),
            code: Vec::new(),
            constants: Vec::new(),
            start: 0,
            registers: 0,
        },
        numbers: FxHashMap::default(),
        constants: FxHashMap::default(),
    };
    // The order of these five is that of the numbers in `heap`.
    for name in ["Int", "Real", "Text"] {
        compiler.program.functors.push(Functor {
            head: Head::Functor(Symbol::new(name)),
            arity: 0,
            candidates: Vec::new(),
            meaning: None,
        });
    }
    for name in ["True", "False"] {
        compiler.functor(Head::Functor(Symbol::new(name)), 0);
    }
    // Which functors have rules must be known before any result is compiled.
    let mut plans = Vec::new();
    for &index in &system.rules {
        let rule = &base.rules[index];
        if !is_compilable(&base.terms, rule) {
            return None;
        }
        let head = base.terms.head(rule.pattern);
        let functor = compiler.functor(head, base.terms.arity(rule.pattern));
        let functors = &mut compiler.program.functors;
        functors[functor as usize].candidates.push(Candidate {
            rule: index as u32,
            tests: Vec::new(),
            variables: Vec::new(),
            extra: 0,
            conditional: rule.alternatives[0].condition.is_some(),
            code: 0,
        });
        let candidate = functors[functor as usize].candidates.len() as u32 - 1;
        plans.push((rule, functor, candidate));
    }
    for (rule, functor, candidate) in plans {
        compiler.rule(&base.terms, rule, functor, candidate)?;
    }
    if terms.subterms(root).any(|id| !is_plain(terms, id)) {
        return None;
    }
    compiler.program.start = compiler.program.code.len() as u32;
    compiler.template(terms, root, &[]);
    compiler.program.code.push(Op::Halt);
    Some(compiler.program)
}

fn is_plain(terms: &Terms, id: Id) -> bool {
    match terms.head(id) {
        Head::Sequence(_) => false,
        Head::Functor(f) => !matches!(f.as_str(), SET | SET_PATTERN | ANY_ARITY),
        _ => true,
    }
}

fn is_compilable(terms: &Terms, rule: &Rule) -> bool {
    let outcomes = || {
        rule.alternatives
            .iter()
            .map(|a| a.outcome)
            .chain(rule.otherwise)
    };
    let templates = outcomes()
        .map(|o| o.result)
        .chain(rule.alternatives.iter().filter_map(|a| a.condition))
        .chain(rule.lets.iter().chain(&rule.wheres).map(|b| b.value))
        .chain(rule.lets.iter().chain(&rule.wheres).map(|b| b.variable));
    rule.parameters.is_empty()
        && matches!(terms.head(rule.pattern), Head::Functor(_))
        && outcomes().all(|o| o.action.is_none())
        && terms.subterms(rule.pattern).all(|id| is_plain(terms, id))
        && templates.into_iter().all(|template| {
            terms.subterms(template).all(|id| {
                let functor = terms.functor(id);
                let builds = functor.and_then(|f| rule.shadows.builder(f, terms.arity(id)));
                is_plain(terms, id) && builds.is_none()
            })
        })
}

struct Compiler {
    program: Program,
    numbers: FxHashMap<(u8, Symbol, usize), u32>,
    constants: FxHashMap<(u8, u64), u32>,
}

impl Compiler {
    /// The number of a functor with so many arguments. Variables of the term to be normalised
    /// are functors too: nothing binds them.
    fn functor(&mut self, head: Head, arity: usize) -> u32 {
        let key = match head {
            Head::Functor(name) => (0, name, arity),
            Head::Variable(name) => (1, name, arity),
            Head::Sequence(name) => (2, name, arity),
            Head::Int(_) | Head::Real(_) | Head::Text(_) => (3, Symbol::new(""), arity),
        };
        let functors = &mut self.program.functors;
        *self.numbers.entry(key).or_insert_with(|| {
            let meaning = match head {
                Head::Functor(name) => meaning(name, arity),
                _ => None,
            };
            functors.push(Functor {
                head,
                arity,
                candidates: Vec::new(),
                meaning,
            });
            (functors.len() - 1) as u32
        })
    }

    fn constant(&mut self, head: Head) -> u32 {
        let (key, value) = match head {
            Head::Int(i) => ((0, i as u64), Ok(Value::Int(i))),
            Head::Real(x) => ((1, x.to_bits()), Ok(Value::Real(x))),
            Head::Text(s) => ((2, s.index() as u64), Ok(Value::Text(s))),
            head => {
                let functor = self.functor(head, 0);
                ((3, u64::from(functor)), Err(functor))
            }
        };
        let constants = &mut self.program.constants;
        *self.constants.entry(key).or_insert_with(|| {
            constants.push(value);
            (constants.len() - 1) as u32
        })
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    fn rule(&mut self, terms: &Terms, rule: &Rule, functor: u32, index: u32) -> Option<()> {
        // Variables are numbered as in the rule; those of the pattern get registers.
        let mut registers: Vec<Option<u32>> = vec![None; rule.names.len()];
        let tests = self.tests(terms, rule, &mut registers);
        let bound: Vec<usize> = (0..registers.len())
            .filter(|&i| registers[i].is_some())
            .collect();
        let mut names: Vec<Symbol> = bound.iter().map(|&i| rule.names[i]).collect();
        let variables: Vec<u32> = bound.iter().filter_map(|&i| registers[i]).collect();
        let patterned = names.len();
        for binding in rule.lets.iter().chain(&rule.wheres) {
            if let Head::Variable(name) = terms.head(binding.variable) {
                names.push(name);
            }
        }
        let truths = names.len() as u32;
        let code = self.here();
        for binding in &rule.lets {
            self.bind(terms, binding.variable, binding.value, &names);
        }
        let mut conditions = 0;
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
                self.emit(Op::Fire(0));
            }
            self.outcome(terms, rule, alternative.outcome, &names)?;
            if let Some(skip) = skip {
                self.aim(skip);
            }
        }
        let mut fails = Vec::new();
        if let Some(otherwise) = rule.otherwise {
            for variable in truths..truths + conditions {
                fails.push(self.emit(Op::JumpUnless {
                    variable,
                    is: FALSE,
                    to: 0,
                }));
            }
            self.emit(Op::Fire(0));
            self.outcome(terms, rule, otherwise, &names)?;
        }
        for fail in fails {
            self.aim(fail);
        }
        if conditions > 0 {
            self.emit(Op::Next {
                functor,
                candidate: index,
            });
        }
        let candidate = &mut self.program.functors[functor as usize].candidates[index as usize];
        // The rule's number was not at hand where it fires.
        let number = candidate.rule;
        candidate.tests = tests;
        candidate.variables = variables;
        candidate.extra = truths + conditions - patterned as u32;
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

    /// Makes a jump lead to what comes next.
    fn aim(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.program.code[jump] {
            Op::JumpUnless { to, .. } | Op::JumpIf { to, .. } | Op::Jump(to) => *to = here,
            _ => {}
        }
    }

    /// The tests of a pattern, breadth first, so that functors near the root are seen early.
    fn tests(&mut self, terms: &Terms, rule: &Rule, registers: &mut [Option<u32>]) -> Vec<Test> {
        let mut tests = Vec::new();
        let mut same = Vec::new();
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
                    let functor = self.functor(head, terms.arity(id));
                    tests.push(Test::Cell {
                        register,
                        functor,
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
        tests
    }

    fn bind(&mut self, terms: &Terms, variable: Id, value: Id, names: &[Symbol]) {
        self.template(terms, value, names);
        if let Head::Variable(name) = terms.head(variable)
            && let Some(slot) = names.iter().position(|&n| n == name)
        {
            self.emit(Op::Bind(slot as u32));
        }
    }

    fn outcome(
        &mut self,
        terms: &Terms,
        rule: &Rule,
        outcome: crate::syntax::rules::Outcome,
        names: &[Symbol],
    ) -> Option<()> {
        for i in needed_wheres(terms, rule, outcome).ok()? {
            let binding = rule.wheres[i];
            self.bind(terms, binding.variable, binding.value, names);
        }
        self.template(terms, outcome.result, names);
        self.emit(Op::Return);
        Some(())
    }

    /// Code that pushes the normal form of a template. `if` chooses before it reduces.
    fn template(&mut self, terms: &Terms, template: Id, names: &[Symbol]) {
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
                    let functor = self.functor(terms.head(id), terms.arity(id));
                    let reduces = self.has_rules(functor)
                        || self.program.functors[functor as usize].meaning.is_some();
                    self.emit(if reduces {
                        Op::Call(functor)
                    } else {
                        Op::Make(functor)
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
    fn condition(&mut self, terms: &Terms, condition: Id, names: &[Symbol]) {
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
