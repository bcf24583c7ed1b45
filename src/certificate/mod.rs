//! A saved derivation → whether each of its steps follows from its rule, without the rule engine.
//!
//! The checker reads the rules' texts, matches, instantiates and judges conditions by itself, from
//! the record's claims. It shares with the engine the terms, the reader of rule files, the check of
//! schemes and the facts ([`SchemeHost`]), and nothing else: of `rewrite` it names plain data only,
//! which a test holds.
//!
//! A record that it accepts shows: the recorded sources read as the first term; every further term
//! is the one before with a redex replaced by what the named rule makes of it there, under a
//! condition whose questions the facts answer as recorded; the text is that of the last term.

mod asking;
mod building;
mod judging;
mod matching;
mod rules;

use crate::check::{Scheme, check};
use crate::derive::{Record, Row, SchemeHost, derived_text};
use crate::rewrite::{FloatClass, Host, Redex, Step};
use crate::syntax::rules::print_term_short;
use crate::term::{Head, Id, Path, Symbol, Terms};
use asking::Nested;
use building::Firing;
use judging::{Question, Truth};
use matching::{Values, matches, value_of};
use rules::{Rule, Rules};

/// No rule is tried in more ways than this at one place.
const MOST_MATCHES: usize = 100_000;
/// Bindings are recorded up to so many bytes and terms.
const BINDING_TEXT: usize = 200;

/// What came of checking.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// So many steps follow, from the first on.
    pub checked: usize,
    /// The first thing that does not.
    pub fault: Option<Fault>,
}

/// Something that a record claims and that does not follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The step's position in the record, from 0; none where it is not in a step.
    pub step: Option<usize>,
    /// What does not follow, in a sentence.
    pub what: String,
}

/// Checks a record. `scheme` is what its sources read as.
pub fn verify(record: &Record, scheme: &Scheme) -> Verdict {
    let fault = |step: Option<usize>, what: String| Some(Fault { step, what });
    let mut checked = 0;
    let mut whole = || {
        let rules = Rules::read(record).map_err(|what| fault(None, what))?;
        let begun = Checker::begin(record, &rules, scheme);
        let mut checker = begun.map_err(|what| fault(None, what))?;
        for (number, step) in record.steps.iter().enumerate() {
            let done = checker.step(&step.step, number, step.result);
            done.map_err(|what| fault(Some(number), what))?;
            checked += 1;
        }
        checker.end().map_err(|what| fault(None, what))
    };
    let fault = whole().err().flatten();
    Verdict { checked, fault }
}

struct Checker<'a> {
    record: &'a Record,
    rules: &'a Rules,
    /// The facts of the term at hand.
    host: SchemeHost,
    terms: Terms,
    root: Id,
}

/// What a rule does at a place.
struct Fired {
    values: Values,
    alternative: Option<usize>,
    asked: Vec<Question>,
    result: Id,
}

impl<'a> Checker<'a> {
    /// Begins with the term of the sources.
    fn begin(record: &'a Record, rules: &'a Rules, scheme: &Scheme) -> Result<Checker<'a>, String> {
        let (terms, root) = scheme.terms.compact(scheme.root);
        let mut checker = Checker {
            record,
            rules,
            host: SchemeHost::new(scheme.clone()),
            terms,
            root,
        };
        checker.normalise()?;
        match checker.is_row(record.source) {
            true => Ok(checker),
            false => Err("the sources read as another scheme than the first term".to_owned()),
        }
    }

    /// Checks the term at hand as a scheme: names of binders become unique, types are found anew.
    fn normalise(&mut self) -> Result<(), String> {
        let messages = |found: Vec<crate::diagnostic::Diagnostic>| {
            let all: Vec<String> = found.into_iter().map(|d| d.message).collect();
            format!("the term does not check: {}", all.join("; "))
        };
        let checked = self.host.recheck(&mut self.terms, self.root);
        self.root = checked.map_err(messages)?;
        Ok(())
    }

    /// Checks a step, and goes on to the term after it.
    fn step(&mut self, step: &Step, number: usize, result: u32) -> Result<(), String> {
        let rule = self.rules.find(&step.rule)?;
        same("number", step.number as usize, number + 1)?;
        same("rule's file", step.file.as_str(), self.rules.file(rule))?;
        if !self.record.rules.iter().any(|f| f.name == step.file) {
            return Err(format!("{} is not among the recorded files", step.file));
        }
        let named = step.parameters.iter().map(|(name, _)| name.as_str());
        if !named.eq(rule.parameters.iter().map(|p| p.as_str())) {
            return Err("the rule has other parameters than are recorded".to_owned());
        }
        let path = Path(step.path.clone());
        let redex = path.get(&self.terms, self.root);
        let redex = redex.ok_or_else(|| format!("the term has no position {path}"))?;
        let origin = self.terms.origin(redex);
        same("place", step.place, origin.span.map(Into::into))?;
        let phrase = origin.phrase.map(Symbol::as_str);
        same("phrase", step.phrase.as_deref(), phrase)?;
        let size = self.terms.size(self.root);
        same("size of the term before", step.size_before, size)?;

        let older = self.terms.len();
        let fired = self.fire(rule, step, redex, &path)?;
        same("alternative", step.alternative, fired.alternative)?;
        self.bindings(step, &fired.values)?;
        same(
            "number of questions",
            step.evidence.len(),
            fired.asked.len(),
        )?;
        for (question, recorded) in fired.asked.iter().zip(&step.evidence) {
            question.compare(recorded)?;
        }
        let assigned = self.host.assigned(&self.terms, redex);
        self.originate(fired.result, redex, older, step.number);
        self.put(&path, fired.result);
        self.normalise()?;
        let size = self.terms.size(self.root);
        same("size of the term after", step.size_after, size)?;
        if step.float < rule.float.max(self.host.float_class()) {
            return Err(format!("the step is not {}", step.float.name()));
        }
        let only_reported =
            step.float > FloatClass::Exact && self.host.are_only_reported(&assigned);
        same("reach of the step", step.only_reported, only_reported)?;
        match self.is_row(result) {
            true => Ok(()),
            false => Err("the rule makes another term of it than is recorded".to_owned()),
        }
    }

    /// The rule at a place, in the first way in which it fires there: that must be the recorded one.
    fn fire(&mut self, rule: &Rule, step: &Step, redex: Id, path: &Path) -> Result<Fired, String> {
        if step.matched >= MOST_MATCHES {
            return Err(format!("no rule is tried in {} ways", step.matched));
        }
        let given = rule.parameters.iter().zip(&step.parameters);
        let known = given
            .map(|(&name, &(_, value))| (name, vec![self.terms.int(value)]))
            .collect();
        let (pattern, most) = (rule.item.pattern, step.matched + 1);
        let ways = matches(
            &self.rules.terms,
            pattern,
            &mut self.terms,
            redex,
            known,
            most,
        );
        if ways.len() < most {
            return Err(match ways.len() {
                0 => format!("the pattern does not match at position {path}"),
                n => format!("the pattern matches in {n} ways at position {path}"),
            });
        }
        // Fresh names are numbered from the first way on.
        self.host.begin();
        let mut stopped = String::new();
        for (number, values) in ways.into_iter().enumerate() {
            let firing = Firing {
                rules: self.rules,
                rule,
                terms: &mut self.terms,
                host: &mut self.host,
                at: Redex {
                    root: self.root,
                    path,
                },
                values,
                nested: Nested::default(),
            };
            match fires(firing) {
                Ok(fired) if number == step.matched => return Ok(fired),
                Ok(_) => return Err("the rule fires in an earlier way".to_owned()),
                Err(why) => stopped = why,
            }
        }
        Err(format!(
            "the rule does not fire at position {path}: {stopped}"
        ))
    }

    /// Compares the recorded values of variables with what they stand for. Variables whose names
    /// begin with `_` are not recorded.
    fn bindings(&self, step: &Step, values: &Values) -> Result<(), String> {
        let given = step.parameters.len();
        let wanted = values.iter().skip(given);
        let wanted = wanted.filter(|(name, _)| !name.as_str().starts_with('_'));
        same("number of bindings", step.bindings.len(), wanted.count())?;
        for (i, (name, text)) in step.bindings.iter().enumerate() {
            let value = value_of(values, Symbol::new(name));
            let value = value.ok_or_else(|| format!("the rule binds no `${name}`"))?;
            let texts = value.iter().take(BINDING_TEXT);
            let texts = texts.map(|&id| print_term_short(&self.terms, id, BINDING_TEXT));
            let now = texts.collect::<Vec<_>>().join(", ");
            if *text != now {
                return Err(format!("`${name}` is `{now}`"));
            }
            if step.bindings[..i].iter().any(|(other, _)| other == name) {
                return Err(format!("`${name}` is recorded twice"));
            }
        }
        Ok(())
    }

    /// Gives what the step made its origin: the step, and the place and phrase of the redex where it
    /// has none of its own.
    fn originate(&mut self, result: Id, redex: Id, older: usize, number: u32) {
        let around = self.terms.origin(redex);
        let made: Vec<Id> = self.terms.subterms(result).collect();
        for id in made.into_iter().filter(|id| id.index() >= older) {
            let mut origin = self.terms.origin(id);
            if origin.step.is_none() {
                origin.step = Some(number);
                origin.span = origin.span.or(around.span);
                origin.phrase = origin.phrase.or(around.phrase);
                self.terms.set_origin(id, origin);
            }
        }
    }

    /// Puts a term in place of the redex; what stands above is made anew in its normal shape.
    fn put(&mut self, path: &Path, result: Id) {
        let spine = path.spine(&self.terms, self.root).unwrap_or_default();
        self.root = result;
        for (&parent, &at) in spine.iter().rev().skip(1).zip(path.0.iter().rev()) {
            let mut arguments = self.terms.args(parent).to_vec();
            arguments[at as usize] = self.root;
            let older = self.terms.len();
            if let Some(functor) = self.terms.functor(parent) {
                self.root = self.host.build(&mut self.terms, functor, &arguments);
            }
            if self.root.index() >= older {
                self.terms.copy_origin(parent, self.root);
            }
        }
    }

    /// What follows from all steps: the text and the float class.
    fn end(&mut self) -> Result<(), String> {
        let classes = self.record.steps.iter().map(|s| s.step.float);
        let float = classes.max().unwrap_or(FloatClass::Exact);
        same("float class of the whole", self.record.float, float)?;
        let precision = self.record.input.precision;
        let last = check(&self.terms, self.root, precision);
        let last = last.map_err(|_| "the last term does not check")?;
        match self.record.result == derived_text(&last.terms, last.root) {
            true => Ok(()),
            false => Err("the text is not that of the last term".to_owned()),
        }
    }

    /// Whether the term at hand is the one that the record's table has at a number.
    fn is_row(&self, number: u32) -> bool {
        let mut work = vec![(number, self.root)];
        while let Some((number, id)) = work.pop() {
            let Some(row) = self.record.terms.get(number as usize) else {
                return false;
            };
            let arguments = self.terms.args(id);
            let same = match (row, self.terms.head(id)) {
                (Row::Functor(name, parts), Head::Functor(functor)) => {
                    work.extend(parts.iter().copied().zip(arguments.iter().copied()));
                    name == functor.as_str() && parts.len() == arguments.len()
                }
                (Row::Int(a), Head::Int(b)) => *a == b,
                (Row::Real(a), Head::Real(b)) => a.to_bits() == b.to_bits(),
                (Row::Text(a), Head::Text(b)) => a == b.as_str(),
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

/// Goes on from a match: computes, asks and builds. The first alternative whose condition holds
/// fires; the one after `!->` where no condition holds, shown each by the question that settled it.
fn fires(mut firing: Firing<'_>) -> Result<Fired, String> {
    firing.lets()?;
    let item = &firing.rule.item;
    let mut refuting = Vec::new();
    let mut all_false = true;
    for (number, alternative) in item.alternatives.iter().enumerate() {
        let mut asked = Vec::new();
        let (truth, by) = match alternative.condition {
            Some(condition) => firing.judge(condition, &mut asked)?,
            None => (Truth::Yes, None),
        };
        if truth == Truth::Yes {
            let result = firing.outcome(alternative.outcome)?;
            return Ok(Fired {
                values: firing.values,
                alternative: Some(number),
                asked,
                result,
            });
        }
        all_false &= truth == Truth::No;
        refuting.extend(by.map(|by| asked.swap_remove(by)));
    }
    match item.otherwise.filter(|_| all_false) {
        Some(outcome) => Ok(Fired {
            result: firing.outcome(outcome)?,
            values: firing.values,
            alternative: None,
            asked: refuting,
        }),
        None => Err("no condition of it is shown to hold".to_owned()),
    }
}

/// A claim and what is.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, recorded: T, now: T) -> Result<(), String> {
    match recorded == now {
        true => Ok(()),
        false => Err(format!(
            "the {what} is {now:?}, and {recorded:?} is recorded"
        )),
    }
}
