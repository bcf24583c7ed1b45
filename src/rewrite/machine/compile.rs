//! Rules and a term → code.

use super::code::{Candidate, Functor, Op, Program};
use super::holes::FILL;
use crate::rewrite::evaluate::{Value, meaning};
use crate::rewrite::fact_base::{asked_pattern, is_act, parts_of_condition};
use crate::rewrite::graph::{Repeats, repeats, some_rule_asks_itself};
use crate::rewrite::standard::table::{Form, form};
use crate::rewrite::{Rule, RuleBase, System};
use crate::syntax::rules::{ANY_ARITY, SET, SET_PATTERN};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Compiles, or gives nothing where the system or the term has what is not compiled. Equal parts of
/// a result are computed once if that `shares`.
pub(super) fn program(
    base: &RuleBase,
    system: &System,
    terms: &Terms,
    root: Id,
    shares: bool,
) -> Option<Program> {
    if some_rule_asks_itself(base, system) {
        return None;
    }
    let mut compiler = Compiler {
        program: Program {
            functors: Vec::new(),
            code: Vec::new(),
            operands: Vec::new(),
            constants: Vec::new(),
            start: 0,
            rules: system.rules.iter().map(|&rule| rule as u32).collect(),
            registers: 0,
            due: u32::MAX,
        },
        shares: shares && system.rules.len() <= MOST_COUNTED,
        reuses: shares,
        opens: shares,
        kept: Vec::new(),
        numbers: FxHashMap::default(),
        constants: FxHashMap::default(),
    };
    let fills = compiler.emit(Op::Fill);
    debug_assert_eq!(fills, FILL as usize);
    // The order of these five is that of the numbers in `heap`.
    for name in ["Int", "Real", "Text"] {
        compiler.program.functors.push(Functor {
            head: Head::Functor(Symbol::new(name)),
            arity: 0,
            candidates: Vec::new(),
            meaning: None,
            form: None,
        });
    }
    for name in ["True", "False"] {
        compiler.functor(Head::Functor(Symbol::new(name)), 0);
    }
    // Which functors have rules must be known before any result is compiled.
    let mut plans = Vec::new();
    for &index in &system.rules {
        let rule = &base.rules[index];
        let asks = || {
            !base.predicates.asked_by(&base.terms, rule).is_empty() || uses_facts(&base.terms, rule)
        };
        if !is_compilable(&base.terms, rule) || is_for_truth(&base.terms, rule) || asks() {
            return None;
        }
        let head = base.terms.head(rule.pattern);
        let functor = compiler.functor(head, base.terms.arity(rule.pattern));
        let functors = &mut compiler.program.functors;
        functors[functor as usize].candidates.push(Candidate {
            rule: index as u32,
            tests: Vec::new(),
            again: 0,
            variables: Vec::new(),
            extra: 0,
            conditional: rule.alternatives[0].condition.is_some() || may_repeat(&base.terms, rule),
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
    compiler.kept.clear();
    compiler.template(terms, root, &[]);
    compiler.program.code.push(Op::Halt);
    // The order of terms is not known here.
    let orders = |f: &Functor| f.form == Some(Form::Before) && f.candidates.is_empty();
    if compiler.program.functors.iter().any(orders) {
        return None;
    }
    Some(compiler.program)
}

/// Whether a result may be the redex again.
fn may_repeat(terms: &Terms, rule: &Rule) -> bool {
    rule.outcomes()
        .any(|o| !matches!(repeats(terms, rule.pattern, o.result), Repeats::Never))
}

/// Whether a rule is for what is at work here without a look at rules: `if`, which chooses its branch first, and the truth
/// values that standard functors give.
fn is_for_truth(terms: &Terms, rule: &Rule) -> bool {
    let is_truth = |name: &str| matches!(name, "True" | "False") && terms.arity(rule.pattern) == 0;
    let functor = terms.functor(rule.pattern);
    functor.is_some_and(|f| f.as_str() == "if" || is_truth(f.as_str()))
}

/// Whether a node of a term has nothing of sequences, sets, and functors of any number of arguments.
pub(in crate::rewrite) fn is_plain(terms: &Terms, id: Id) -> bool {
    match terms.head(id) {
        Head::Sequence(_) => false,
        Head::Functor(f) => !matches!(f.as_str(), SET | SET_PATTERN | ANY_ARITY),
        _ => true,
    }
}

/// Whether a rule asks for facts or changes them.
fn uses_facts(terms: &Terms, rule: &Rule) -> bool {
    let mut actions = rule.outcomes().filter_map(|o| o.action);
    let mut conditions = rule.alternatives.iter().filter_map(|a| a.condition);
    let asks = |part: Id| asked_pattern(terms, part).is_some();
    actions.any(|action| is_act(terms, action))
        || conditions.any(|c| parts_of_condition(terms, c).into_iter().any(asks))
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
        && !outcomes().any(|o| matches!(repeats(terms, rule.pattern, o.result), Repeats::Sometimes))
        && terms.subterms(rule.pattern).all(|id| is_plain(terms, id))
        && templates.into_iter().all(|template| {
            terms.subterms(template).all(|id| {
                let functor = terms.functor(id);
                let builds = functor.and_then(|f| rule.shadows.builder(f, terms.arity(id)));
                is_plain(terms, id) && builds.is_none()
            })
        })
}

/// Rules of a system in which parts of results are shared: each sharing counts anew how often each of them fired.
const MOST_COUNTED: usize = 64;

/// A program in the making.
pub(super) struct Compiler {
    pub(super) program: Program,
    pub(super) shares: bool,
    /// Whether results take parts of their patterns as they are.
    pub(super) reuses: bool,
    /// Whether cells of results are made before the last call within them.
    pub(super) opens: bool,
    /// The parts of the pattern at work that results take as they are, each with its variable.
    pub(super) kept: Vec<(Id, u32)>,
    pub(super) numbers: FxHashMap<(u8, Symbol, usize), u32>,
    constants: FxHashMap<(u8, u64), u32>,
}

impl Compiler {
    /// The number of a functor with so many arguments. Variables of the term to be normalised
    /// are functors too: nothing binds them.
    pub(super) fn functor(&mut self, head: Head, arity: usize) -> u32 {
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
            let form = match head {
                Head::Functor(name) => form(name, arity),
                _ => None,
            };
            functors.push(Functor {
                head,
                arity,
                candidates: Vec::new(),
                meaning,
                form,
            });
            (functors.len() - 1) as u32
        })
    }

    pub(super) fn constant(&mut self, head: Head) -> u32 {
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

    pub(super) fn emit(&mut self, op: Op) -> usize {
        self.program.code.push(op);
        self.program.code.len() - 1
    }

    pub(super) fn here(&self) -> u32 {
        self.program.code.len() as u32
    }

    /// Makes a jump lead to what comes next.
    pub(super) fn aim(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.program.code[jump] {
            Op::JumpUnless { to, .. }
            | Op::JumpUnlike { to, .. }
            | Op::JumpIf { to, .. }
            | Op::Again { to, .. }
            | Op::Jump(to) => *to = here,
            _ => {}
        }
    }
}
