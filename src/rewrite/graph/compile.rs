//! Rules → code.

use super::cells::ARGUMENTS;
use super::cells::Cells;
use super::code::{First, Matching, Op, Program, Root, RuleCode, Spot, Test};
use super::functors::{Functors, Index, Wants};
use super::itself::some_rule_asks_itself;
use super::questions::{Open, Questions};
use crate::rewrite::evaluate::Value;
use crate::rewrite::pattern::{Node, Pattern};
use crate::rewrite::{Rule, RuleBase, System};
use crate::term::{Head, Symbol, Terms};
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
}
