//! Rules → code.

use super::cells::ARGUMENTS;
use super::cells::{Cells, FALSE, TRUE};
use super::code::{First, Matching, Op, Program, Root, RuleCode, Spot, Test};
use super::direct::Direct;
use super::functors::{Functors, Index, Wants};
use super::itself::some_rule_asks_itself;
use super::questions::{Open, Questions};
use crate::rewrite::evaluate::Value;
use crate::rewrite::fact_base::is_act;
use crate::rewrite::fire::needed_wheres;
use crate::rewrite::pattern::{Node, Pattern};
use crate::rewrite::{Rule, RuleBase, System};
use crate::syntax::rules::{Outcome, SET};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// A rule that is not compiled, and why.
pub(super) struct Refused {
    pub(super) rule: Symbol,
    pub(super) why: &'static str,
}

/// A system, ready to run.
pub(super) struct Compiled {
    pub(super) program: Program,
    pub(super) functors: Functors,
    pub(super) cells: Cells,
}

/// Compiles a system whose rules may ask `questions` of facts.
pub(super) fn compile(
    base: &RuleBase,
    system: &System,
    questions: Questions<'_>,
) -> Result<Compiled, Refused> {
    let mut index = Index::default();
    let depths = system.rules.iter().map(|&i| base.rules[i].matcher.depth());
    let sight = depths.max().unwrap_or(0).max(2);
    for (number, &i) in system.rules.iter().enumerate() {
        let rule = &base.rules[i];
        let refused = |why| Refused {
            rule: rule.name,
            why,
        };
        if let Some(why) = unsupported(&base.terms, rule) {
            return Err(refused(why));
        }
        if !base.predicates.asked_by(&base.terms, rule).is_empty() {
            return Err(refused("it asks a predicate"));
        }
        let root = (root(&rule.matcher), levels(&rule.matcher));
        index.note(number as u32, rule.matcher.functor(), root);
    }
    let mut cells = Cells::new();
    let functors = Functors::new(&mut cells, index);
    let mut compiler = Compiler {
        terms: &base.terms,
        program: Program::default(),
        functors,
        cells,
        numbers: FxHashMap::default(),
        names: Vec::new(),
        found: None,
        questions,
        given: Vec::new(),
        open: Open::Closed,
    };
    compiler.program.sight = sight;
    let asks_itself = some_rule_asks_itself(base, system);
    let mut wanting = Vec::new();
    for &i in &system.rules {
        let rule = &base.rules[i];
        let compiled = compiler.rule(rule);
        let mut code = compiled.map_err(|why| Refused {
            rule: rule.name,
            why,
        })?;
        let program = &mut compiler.program;
        // A rule that is being asked about a term is not tried on it. A result that is the redex again may differ from it
        // after any change.
        let is_skipped = asks_itself && code.asks;
        let differs = code.compares || code.repeats;
        program.looks_deeper |= rule.is_conditional() || differs || is_skipped;
        code.rule = i as u32;
        wanting.push(wants(&compiler.cells, program, &code));
        program.rules.push(code);
    }
    compiler.functors.want(wanting);
    Ok(Compiled {
        program: compiler.program,
        functors: compiler.functors,
        cells: compiler.cells,
    })
}

fn repeats(terms: &Terms, rule: &Rule) -> bool {
    let mut results = rule.results();
    results.any(|result| super::repeats::may_repeat(terms, rule.pattern, result))
}

/// How many levels below its redex a pattern looks: to where only variables are left.
fn levels(pattern: &Pattern) -> usize {
    let mut work = vec![(pattern.root, 0)];
    let mut deepest = 0;
    while let Some((node, level)) = work.pop() {
        match pattern.nodes[node as usize] {
            Node::Variable(_) => {}
            Node::Leaf(_) => deepest = deepest.max(level),
            Node::Apply {
                from,
                to,
                rigid: true,
                ..
            } => {
                deepest = deepest.max(level);
                let arguments = &pattern.arguments[from as usize..to as usize];
                work.extend(arguments.iter().map(|&node| (node, level + 1)));
            }
            _ => return pattern.depth(),
        }
    }
    deepest
}

/// What a rule wants to see at arguments of its redex.
fn wants(cells: &Cells, program: &Program, rule: &RuleCode) -> Wants {
    let Matching::Tests { tests, .. } = &rule.matching else {
        return Wants {
            firsts: Vec::new(),
            is_first: false,
            is_direct: false,
            all: true,
        };
    };
    let tested = |test: &Test| match *test {
        Test::Cell { at, functor, .. } => Some((at, functor)),
        Test::Literal { at, constant } => {
            let literal = program.constants[constant as usize];
            Some((at, cells.functor(literal)))
        }
        Test::Same { .. } => None,
    };
    let arguments = tests.iter().filter_map(tested);
    let arguments = arguments.filter(|(at, _)| at.cell == 0 && at.word > 0);
    Wants {
        firsts: arguments
            .map(|(at, functor)| First {
                argument: at.word - ARGUMENTS as u32,
                functor,
            })
            .collect(),
        is_first: matches!(tests[..], [Test::Cell { .. }, ..]),
        is_direct: rule.direct.is_some(),
        all: false,
    }
}

fn root(pattern: &Pattern) -> Root {
    match pattern.nodes[pattern.root as usize] {
        Node::Variable(_) | Node::Sequence(_) => Root::Anything,
        Node::Leaf(Head::Int(_)) => Root::Literal(super::cells::INT),
        Node::Leaf(Head::Real(_)) => Root::Literal(super::cells::REAL),
        Node::Leaf(_) => Root::Literal(super::cells::TEXT),
        Node::Apply {
            from, to, rigid, ..
        } => Root::Functor(rigid.then_some((to - from) as usize)),
        Node::AnyArity { .. } => Root::AnyFunctor,
        Node::SetPattern { .. } => Root::Functor(None),
        // Such rules are left to the general matcher.
        Node::Among { .. } => Root::Anything,
    }
}

/// Why a rule is left to the general matcher.
fn unsupported(terms: &Terms, rule: &Rule) -> Option<&'static str> {
    if !rule.parameters.is_empty() {
        return Some("it has parameters");
    }
    let bindings = || rule.lets.iter().chain(&rule.wheres);
    let actions = rule.alternatives.iter().map(|a| a.outcome);
    let actions = actions.chain(rule.otherwise).filter_map(|o| o.action);
    let mut templates = rule
        .templates()
        .chain(bindings().map(|b| b.value))
        .chain(actions);
    let builds = templates.any(|template| {
        let mut parts = terms.subterms(template);
        parts.any(|id| rule.is_builder(terms, id))
    });
    builds.then_some("it uses `each`, `copies`, `substitute`, `count` or `nonempty`")
}

/// A program in the making.
pub(super) struct Compiler<'b> {
    pub(super) terms: &'b Terms,
    pub(super) program: Program,
    pub(super) functors: Functors,
    pub(super) cells: Cells,
    numbers: FxHashMap<(u8, u64), u32>,
    /// The variables of the rule at work.
    pub(super) names: Vec<Symbol>,
    /// Where the matcher left them, if that is where code finds them.
    pub(super) found: Option<Vec<Option<Spot>>>,
    pub(super) questions: Questions<'b>,
    /// Of the variables of the rule at work, those that questions give their values.
    pub(super) given: Vec<Symbol>,
    /// Whether variables may be without values in the template at work.
    pub(super) open: Open,
}

impl Compiler<'_> {
    pub(super) fn functor(&mut self, head: Head, arity: usize) -> u32 {
        self.functors.number(&mut self.cells, head, arity)
    }

    pub(super) fn constant(&mut self, head: Head) -> u32 {
        let (key, value) = match head {
            Head::Int(i) => ((0, i as u64), Some(Value::Int(i))),
            Head::Real(x) => ((1, x.to_bits()), Some(Value::Real(x))),
            Head::Text(s) => ((2, s.index() as u64), Some(Value::Text(s))),
            head => ((3, u64::from(self.functor(head, 0))), None),
        };
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let cell = match value {
            Some(value) => self.cells.literal(value),
            None => self.cells.make(key.1 as u32, &[]),
        };
        self.program.constants.push(cell);
        let number = (self.program.constants.len() - 1) as u32;
        self.numbers.insert(key, number);
        number
    }

    pub(super) fn emit(&mut self, op: Op) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    /// Makes a jump lead to what comes next.
    pub(super) fn aim(&mut self, jump: usize) {
        let here = self.program.code.len() as u32;
        match &mut self.program.code[jump] {
            Op::JumpUnless { to, .. }
            | Op::JumpIf { to, .. }
            | Op::Order { to, .. }
            | Op::Knows { to, .. }
            | Op::Known { to }
            | Op::Jump(to) => *to = here,
            _ => {}
        }
    }

    fn rule(&mut self, rule: &Rule) -> Result<RuleCode, &'static str> {
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
