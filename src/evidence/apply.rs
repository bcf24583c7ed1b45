//! A rule → what it does to a scheme, and what the scheme then does on the reference machine.

use super::shown;
use crate::algebra::{Construct, Language, Sort, Type};
use crate::check::{Expand, Scheme, author_names, check, with_meanings};
use crate::derive::{SchemeHost, checked, rule_base};
use crate::diagnostic::Diagnostic;
use crate::machine::{Kind, Limits, Machine, MachineError, Value, compile};
use crate::rewrite::{
    Answer, FloatClass, Host, NearMiss, ReadFiles, Redex, Request, RuleBase, Setting, derive,
};
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Id, Sources, Symbol, Terms};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::sync::{Mutex, PoisonError};

/// A rule that fires more often in one small scheme is taken to go on without end: what it makes grows, and so does
/// the time of each step.
const MOST_STEPS: u64 = 100;

/// The rule base with strategies for each rule: `once_NAME`; `at_root_NAME`;
/// `pass_NAME`, from top to bottom; `placed_NAME`, once and then memory of the device. `with_memory` places that alone.
pub struct Base {
    /// The rules.
    pub base: RuleBase,
    /// Their texts.
    pub sources: Sources,
    /// The files but the one with a number, as they were read: many changes are of one file.
    others_read: Mutex<Option<(u32, ReadFiles)>>,
}

impl Base {
    /// The embedded rules, with further files that add to them or replace them.
    ///
    /// # Errors
    ///
    /// What is wrong with the files, as it is shown.
    pub fn with(further: &[(String, String)]) -> Result<Base, String> {
        let mut sources = Sources::default();
        let base = rule_base(&mut sources, further).map_err(|e| shown(&e, &sources))?;
        let strategies: String = base
            .rules
            .iter()
            .map(|rule| {
                let name = rule.name;
                format!(
                    "strategy once_{name} = once({name});\n\
                     strategy pass_{name} = topdown({name});\n\
                     strategy at_root_{name} = {name};\n\
                     strategy placed_{name} = once({name}); memory;\n"
                )
            })
            .collect();
        let mut all = further.to_vec();
        let strategies = format!("{strategies}strategy with_memory = memory;\n");
        all.push(("rules/of_evidence.rules".to_owned(), strategies));
        let mut sources = Sources::default();
        let base = rule_base(&mut sources, &all).map_err(|e| shown(&e, &sources))?;
        Ok(Base {
            base,
            sources,
            others_read: Mutex::new(None),
        })
    }

    /// The same with another text of one of the files, in which the rules have the same names.
    ///
    /// # Errors
    ///
    /// What is wrong with the files, as it is shown.
    pub(super) fn changed(&self, file: &(String, String)) -> Result<Base, String> {
        let mut sources = self.sources.clone();
        let numbers = 0..sources.count();
        let named = |&number: &u32| sources.get(number).is_some_and(|s| s.name == file.0);
        let (own, others): (Vec<u32>, Vec<u32>) = numbers.partition(named);
        let [own] = own[..] else {
            return Err(format!("there is no file {}", file.0));
        };
        let kept = self.others_read.lock();
        let mut others_read = kept.unwrap_or_else(PoisonError::into_inner);
        if others_read.as_ref().is_none_or(|(of, _)| *of != own) {
            *others_read = Some((own, ReadFiles::of(&sources, &others)));
        }
        let (_, read) = others_read.as_ref().expect("it was just put there");
        let read = read.clone();
        drop(others_read);
        sources.replace(own, file.1.clone());
        let base = read.with(&sources, own).and_then(checked);
        let base = base.map_err(|e| shown(&e, &sources))?;
        Ok(Base {
            base,
            sources,
            others_read: Mutex::new(None),
        })
    }
}

/// What came of applying rules to a scheme.
pub enum Applied {
    /// The scheme after them.
    Done(Box<Scheme>),
    /// No rule was applied; these matched.
    Stopped(Vec<NearMiss>),
    /// A rule made what does not check, or went on without end.
    Refused(String),
}

/// Follows a strategy for one rule, such as `once`, with values of its parameters.
pub fn apply(
    base: &Base,
    scheme: &Scheme,
    how: &str,
    rule: &str,
    settings: &[(String, i64)],
) -> Applied {
    let strategy = format!("{how}_{rule}");
    let settings: Vec<Setting> = settings
        .iter()
        .map(|(name, value)| Setting {
            owner: Some(Symbol::new(rule)),
            name: Symbol::new(name),
            value: *value,
        })
        .collect();
    let rules = base.base.terms();
    let mut host = Everywhere {
        host: SchemeHost::new(scheme.clone()),
        expressions: base
            .base
            .rule(Symbol::new(rule))
            .is_some_and(|rule| is_expression(rules, rule.pattern)),
    };
    let request = Request {
        strategy: &strategy,
        settings: &settings,
        bound: MOST_STEPS.into(),
    };
    let refused = |errors: Vec<Diagnostic>| Applied::Refused(shown(&errors, &base.sources));
    let done = match derive(&base.base, &request, &scheme.terms, scheme.root, &mut host) {
        Ok(done) => done,
        Err(errors) => return refused(errors),
    };
    if done.derivation.steps.is_empty() {
        return Applied::Stopped(done.derivation.near_misses);
    }
    match check(&done.terms, done.root, scheme.precision) {
        Ok(scheme) => Applied::Done(Box::new(scheme)),
        Err(errors) => refused(errors),
    }
}

/// Whether a pattern is of expressions.
pub fn is_expression(rules: &Terms, pattern: Id) -> bool {
    let construct = rules.functor(pattern).and_then(Construct::of);
    construct.is_some_and(|c| c.info().sort == Sort::Expression)
}

/// The facts of schemes, with strategies that go into predicates, too, and into expressions for rules
/// about these: single rules are tried there. What stops a rule is told of all of them.
struct Everywhere {
    host: SchemeHost,
    expressions: bool,
}

impl Host for Everywhere {
    fn begin(&mut self) {
        self.host.begin();
    }
    fn ask(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Answer> {
        self.host.ask(terms, at, name, args)
    }
    fn compute(
        &mut self,
        terms: &mut Terms,
        at: Redex<'_>,
        name: Symbol,
        args: &[Id],
    ) -> Option<Result<Vec<Id>, String>> {
        self.host.compute(terms, at, name, args)
    }
    fn build(&mut self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        self.host.build(terms, functor, args)
    }
    fn simplify(&mut self, terms: &mut Terms, at: Redex<'_>, id: Id) -> Id {
        self.host.simplify(terms, at, id)
    }
    fn recheck(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        self.host.recheck(terms, root)
    }
    fn recheck_after_step(
        &mut self,
        terms: &mut Terms,
        root: Id,
        saved: &[Id],
    ) -> Result<Id, Vec<Diagnostic>> {
        self.host.recheck_after_step(terms, root, saved)
    }
    fn return_to(&mut self, terms: &mut Terms, root: Id) -> Result<Id, Vec<Diagnostic>> {
        self.host.return_to(terms, root)
    }
    fn float_class(&self) -> FloatClass {
        self.host.float_class()
    }
    fn assigned(&self, terms: &Terms, id: Id) -> Vec<Symbol> {
        self.host.assigned(terms, id)
    }
    fn are_only_reported(&mut self, names: &[Symbol]) -> bool {
        self.host.are_only_reported(names)
    }
    fn descend(&self, terms: &Terms, parent: Id, i: usize, expressions: bool) -> bool {
        let construct = terms.functor(parent).and_then(Construct::of);
        let sort = construct.and_then(|c| c.info().argument(i));
        let expressions = expressions || self.expressions;
        sort == Some(Sort::Condition) || self.host.descend(terms, parent, i, expressions)
    }
}

/// A scheme as text, names as its author gave them.
pub fn text(scheme: &Scheme) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Language::English,
        comments: false,
    };
    let mut terms = scheme.terms.clone();
    let root = author_names(&mut terms, scheme.root);
    print(&terms, root, style)
}

/// What a scheme leaves: the cells of its OUTPUT arrays, and the rows of its reports.
#[derive(Debug, PartialEq)]
pub struct Left {
    /// The OUTPUTs.
    pub outputs: Vec<Output>,
    /// The reports, as bits of REAL64.
    pub reports: Vec<(Symbol, Vec<u64>)>,
}

/// What a run left in an OUTPUT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The OUTPUT.
    pub name: Symbol,
    /// The type of its cells' components.
    pub ty: Type,
    /// The components, as bits.
    pub cells: Vec<u64>,
}

/// Runs a scheme with `size` for its dimensions, from seeded random inputs. A step bound keeps
/// loops without end short.
///
/// # Errors
///
/// What the machine stops at, the bound among it.
pub fn run(scheme: &Scheme, size: i64) -> Result<Left, MachineError> {
    run_within(scheme, size, 200_000)
}

/// The same with a bound of steps.
///
/// # Errors
///
/// As [`run`].
pub fn run_within(scheme: &Scheme, size: i64, steps: u64) -> Result<Left, MachineError> {
    if !scheme.basics.is_empty()
        && scheme.is_meant()
        && let Ok(meant) = with_meanings(scheme, Expand::All)
    {
        return run_within(&meant, size, steps);
    }
    let code = compile(scheme).ok_or_else(|| MachineError {
        kind: Kind::Data,
        message: "not all that the scheme names is defined".to_owned(),
        accesses: Vec::new(),
        missing: None,
    })?;
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    let mut machine = Machine::new(scheme, &code, limits);
    let capitals = |name: Symbol| name.as_str().chars().all(|c| c.is_uppercase());
    let set: Vec<(Symbol, Value)> = scheme
        .parameters()
        .filter(|(name, v, _)| capitals(*name) && v.ty.is_integer())
        .map(|(name, ..)| (name, Value::Int(size)))
        .collect();
    machine.start(&set)?;
    let mut random = Pcg64::seed_from_u64(3);
    for (name, variable) in scheme.data().filter(|(_, v)| v.is_input()) {
        let count = machine.get(name).map_or(0, |c| c.len());
        let cells: Vec<u64> = (0..count)
            .map(|_| {
                let bits = random.next_u64();
                match variable.ty.is_integer() {
                    true => bits % 6,
                    false => u64::from(((bits >> 40) as f32 / (1u32 << 24) as f32).to_bits()),
                }
            })
            .collect();
        machine.set(name, &cells);
    }
    machine.run()?;
    let outputs = scheme.data().filter(|(_, v)| v.is_output());
    Ok(Left {
        outputs: outputs
            .map(|(name, variable)| {
                let mut cells = machine.get(name).unwrap_or_default();
                if variable.ty.component() == Type::F32 {
                    cells.iter_mut().for_each(one_not_a_number);
                }
                let ty = variable.ty.component();
                Output { name, ty, cells }
            })
            .collect(),
        reports: (machine.outcome().reports.iter())
            .map(|(label, row)| (*label, row.iter().map(|x| x.to_bits()).collect()))
            .collect(),
    })
}

/// What is not a number has no bits of its own: its sign, too, says nothing.
fn one_not_a_number(bits: &mut u64) {
    if f32::from_bits(*bits as u32).is_nan() {
        *bits = u64::from(f32::NAN.to_bits());
    }
}

/// Whether a run ended at a bound, so that it says nothing.
pub fn cut_off(result: &Result<Left, MachineError>) -> bool {
    matches!(result, Err(error) if error.kind == Kind::Steps)
}
