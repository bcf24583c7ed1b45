//! Operators of a system whose arguments may change places: what is declared of them, and the one form
//! in which their terms are kept.
//!
//! A term of an associative and commutative operator has all its arguments in one node, in the order of
//! terms: `u(b, u(a, c))` is kept as `u(a, b, c)`. So two terms are equal modulo the laws of the
//! operators exactly if they are equal, and matching has the elements in a row.

use super::build::builders;
use super::evaluate::{evaluate_here, is_standard};
use super::pattern::Pattern;
use super::rule::Rule;
use crate::diagnostic::Diagnostic;
use crate::syntax::rules::{
    ANY_ARITY, Attribute, CALL, CONDITIONAL, CONS, NIL, Outcome, SCOPED, SET, SET_PATTERN,
    compare, make_set,
};
use crate::term::{Head, Id, Span, Symbol, Terms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The attribute that declares one.
pub(super) const OPERATOR: &str = "operator";
const ASSOCIATIVE: &str = "associative";
const COMMUTATIVE: &str = "commutative";
const IDENTITY: &str = "identity";

/// The variable for the arguments of an operator that a rule leaves as they are; no text has it.
const REST: &str = "_rest of the arguments";

/// Standard functors of which integers are computed in any grouping.
const COMPUTED: [&str; 2] = ["Plus", "Times"];

/// What holds of an operator that is commutative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Laws {
    pub(super) associative: bool,
    /// What changes nothing beside other arguments.
    pub(super) identity: Option<Head>,
}

/// The operators of a system that are commutative, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Operators(Option<Arc<[(Symbol, Laws)]>>);

impl Operators {
    /// Reads the attributes before a system.
    pub(super) fn read(
        terms: &Terms,
        attributes: &[Attribute],
        refusals: &mut Vec<Diagnostic>,
    ) -> Operators {
        let mut found: Vec<(Symbol, Laws)> = Vec::new();
        let declared = attributes.iter().filter(|a| a.name.as_str() == OPERATOR);
        for attribute in declared {
            let known = |name: Symbol| found.iter().any(|&(other, _)| other == name);
            match declaration(terms, attribute) {
                Ok((name, _)) if known(name) => {
                    refusals.push(refused(attribute.span, format!("`{name}` is declared twice")));
                }
                Ok(operator) => found.push(operator),
                Err(refusal) => refusals.push(refusal),
            }
        }
        Operators::of(found)
    }

    fn of(mut found: Vec<(Symbol, Laws)>) -> Operators {
        found.sort_by_key(|(name, _)| name.as_str());
        Operators((!found.is_empty()).then(|| found.into()))
    }

    fn all(&self) -> &[(Symbol, Laws)] {
        self.0.as_deref().unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The names of the operators.
    pub(super) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.all().iter().map(|&(name, _)| name)
    }

    /// What holds of a functor, if it is one of them.
    pub(super) fn laws(&self, functor: Symbol) -> Option<Laws> {
        let mut all = self.all().iter();
        all.find(|(name, _)| *name == functor).map(|&(_, laws)| laws)
    }

    /// The operators of both; an operator that they declare differently is the error.
    pub(super) fn joined(&self, other: &Operators) -> Result<Operators, Symbol> {
        let mut found = self.all().to_vec();
        for &(name, laws) in other.all() {
            match self.laws(name) {
                None => found.push((name, laws)),
                Some(own) if own == laws => {}
                Some(_) => return Err(name),
            }
        }
        Ok(Operators::of(found))
    }

    /// A term of a functor in the form in which it is kept, if its arguments are.
    pub(super) fn make(&self, terms: &mut Terms, functor: Symbol, args: &[Id]) -> Id {
        let Some(laws) = self.laws(functor).filter(|_| !args.is_empty()) else {
            return terms.apply(functor, args);
        };
        let mut args = args.to_vec();
        if laws.associative {
            args = flat(terms, functor, args);
            if COMPUTED.contains(&functor.as_str()) {
                args = computed(terms, functor, args);
            }
            if let Some(identity) = laws.identity {
                args.retain(|&arg| !is_leaf(terms, arg, identity));
            }
        }
        args.sort_by(|&a, &b| compare(terms, a, b));
        match (&args[..], laws.identity) {
            ([], Some(identity)) => terms.make(identity, &[]),
            // A sequence may stand for several arguments.
            (&[only], _) if laws.associative && !is_sequence(terms, only) => only,
            _ => terms.apply(functor, &args),
        }
    }

    /// A term whose arguments are as they are kept, as it is kept itself: sets, too.
    pub(super) fn ordered(&self, terms: &mut Terms, id: Id) -> Id {
        let Some(functor) = terms.functor(id) else {
            return id;
        };
        let args = terms.args(id).to_vec();
        let new = match functor.as_str() {
            SET => make_set(terms, &args),
            _ if self.laws(functor).is_some() => self.make(terms, functor, &args),
            _ => return id,
        };
        match terms.equal(new, id) {
            true => id,
            false => new,
        }
    }

    /// A term with other arguments, which are as they are kept.
    pub(super) fn with_args(&self, terms: &mut Terms, id: Id, args: &[Id]) -> Id {
        if args == terms.args(id) {
            return id;
        }
        match terms.functor(id) {
            Some(functor) if functor.as_str() == SET => {
                make_set(terms, args)
            }
            Some(functor) if self.laws(functor).is_some() => self.make(terms, functor, args),
            _ => terms.with_args(id, args),
        }
    }

    /// A rule that matches modulo the operators; none where it is as it was, or is so already. With a
    /// rest, it fires on some arguments of an operator, and what it makes stands beside the others.
    pub(super) fn rule(&self, terms: &mut Terms, rule: &Rule, with_rest: bool) -> Option<Rule> {
        let is_operator = |terms: &Terms, id| {
            let functor = terms.functor(id).filter(|_| terms.arity(id) > 0);
            functor.is_some_and(|f| self.laws(f).is_some())
        };
        if rule.is_modulo || !terms.subterms(rule.pattern).any(|id| is_operator(terms, id)) {
            return None;
        }
        let pattern = self.canonical(terms, rule.pattern);
        let mut names = rule.names.clone();
        let mut unnamed = 0;
        let mut matcher = Pattern::modulo(terms, pattern, self, &mut |name| {
            let wanted = match name.as_str() {
                "_" => {
                    unnamed += 1;
                    Symbol::new(&format!("_{unnamed}"))
                }
                _ => name,
            };
            // Every variable of the pattern has its slot.
            names.iter().position(|&n| n == wanted).unwrap_or_default()
        });
        let mut new = rule.clone();
        let functor = terms.functor(pattern);
        if let Some(functor) = functor
            && with_rest
            && matcher.with_rest(names.len() as u32)
        {
            let rest = Symbol::new(REST);
            names.push(rest);
            let mut beside = |outcome: &mut Outcome| {
                let others = terms.make(Head::Sequence(rest), &[]);
                let origin = terms.origin(outcome.result);
                outcome.result = terms.apply(functor, &[outcome.result, others]);
                terms.set_origin(outcome.result, origin);
            };
            let outcomes = new.alternatives.iter_mut().map(|a| &mut a.outcome);
            outcomes.chain(&mut new.otherwise).for_each(&mut beside);
        }
        Some(Rule {
            pattern,
            matcher,
            names,
            is_modulo: true,
            ..new
        })
    }

    /// A term whose sets are in order with all its parts as they are kept.
    pub(super) fn canonical(&self, terms: &mut Terms, root: Id) -> Id {
        match self.is_empty() {
            true => root,
            false => self.all_ordered(terms, root),
        }
    }

    /// A term with all its parts as they are kept, sets, too.
    pub(super) fn all_ordered(&self, terms: &mut Terms, root: Id) -> Id {
        let is_set = |id| terms.functor(id).is_some_and(|f| f.as_str() == SET);
        if self.is_empty() && !terms.subterms(root).any(is_set) {
            return root;
        }
        let mut done: FxHashMap<Id, Id> = FxHashMap::default();
        let mut work = vec![(root, false)];
        while let Some((id, visited)) = work.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if !visited {
                work.push((id, true));
                work.extend(terms.args(id).iter().map(|&a| (a, false)));
                continue;
            }
            let args: Vec<Id> = terms.args(id).iter().map(|a| done[a]).collect();
            let same = args == terms.args(id);
            let with = if same { id } else { terms.with_args(id, &args) };
            let new = self.ordered(terms, with);
            done.insert(id, new);
        }
        done[&root]
    }
}

/// The arguments with those of arguments that have the same functor in their place.
fn flat(terms: &Terms, functor: Symbol, args: Vec<Id>) -> Vec<Id> {
    let is_nested = |id: Id| terms.functor(id) == Some(functor) && terms.arity(id) > 0;
    if !args.iter().any(|&arg| is_nested(arg)) {
        return args;
    }
    let mut found = Vec::with_capacity(args.len() + 1);
    let mut work: Vec<Id> = args.into_iter().rev().collect();
    while let Some(id) = work.pop() {
        match is_nested(id) {
            true => work.extend(terms.args(id).iter().rev()),
            false => found.push(id),
        }
    }
    found
}

/// The arguments with the integers among them computed, as far as they do not overflow. Reals stay
/// apart: the grouping of a sum of reals shows.
fn computed(terms: &mut Terms, functor: Symbol, args: Vec<Id>) -> Vec<Id> {
    let is_int = |&id: &Id| matches!(terms.head(id), Head::Int(_));
    let (mut numbers, mut kept): (Vec<Id>, Vec<Id>) = args.into_iter().partition(is_int);
    numbers.sort_by_key(|&id| terms.as_int(id));
    let mut last: Option<Id> = None;
    for number in numbers {
        let both = last.and_then(|last| {
            let both = terms.apply(functor, &[last, number]);
            evaluate_here(terms, both)
        });
        if both.is_none() {
            kept.extend(last);
        }
        last = both.or(Some(number));
    }
    kept.extend(last);
    kept
}

/// Whether a term is a literal or a name alone.
pub(super) fn is_leaf(terms: &Terms, id: Id, head: Head) -> bool {
    terms.arity(id) == 0 && terms.head(id).same(head)
}

pub(super) fn is_sequence(terms: &Terms, id: Id) -> bool {
    matches!(terms.head(id), Head::Sequence(_))
}

/// What an attribute declares: `operator(name, associative, commutative, identity(e))`.
fn declaration(terms: &Terms, attribute: &Attribute) -> Result<(Symbol, Laws), Diagnostic> {
    let refuse = |at: Id, message: String| Err(refused(terms.span(at).unwrap_or(attribute.span), message));
    let name_of = |id: Id| terms.as_atom(id).or(terms.as_text(id));
    let Some((&first, rest)) = attribute.arguments.split_first() else {
        return Err(refused(attribute.span, "there is no operator".into()));
    };
    let Some(name) = name_of(first) else {
        return refuse(first, "the operator is a name".into());
    };
    let mut laws = Laws {
        associative: false,
        identity: None,
    };
    let mut commutative = false;
    for &part in rest {
        match (terms.functor(part).map_or("", |f| f.as_str()), terms.args(part)) {
            (ASSOCIATIVE, []) => laws.associative = true,
            (COMMUTATIVE, []) => commutative = true,
            (IDENTITY, &[e]) if terms.arity(e) == 0 && !is_sequence(terms, e) => {
                laws.identity = Some(terms.head(e));
            }
            _ => return refuse(part, "that is no law of an operator".into()),
        }
    }
    if !commutative {
        let hint = "what is associative alone needs no declaration: \
                    write lists, or sequence variables such as `f($a.., x, $b..)`";
        return Err(refused(attribute.span, format!("`{name}` is not commutative")).hint(hint));
    }
    if laws.identity.is_some() && !laws.associative {
        let message = format!("`{name}` has an identity and is not associative");
        return Err(refused(attribute.span, message));
    }
    let syntax = [
        ANY_ARITY, CALL, CONDITIONAL, CONS, NIL, SCOPED, SET, SET_PATTERN,
    ];
    let own_meaning = syntax.contains(&name.as_str())
        || builders().any(|builder| builder == name.as_str())
        || is_standard(name) && !COMPUTED.contains(&name.as_str());
    if own_meaning {
        let message = format!("`{name}` has a meaning of its own, to which these laws do not belong");
        return refuse(first, message);
    }
    Ok((name, laws))
}

fn refused(at: Span, message: String) -> Diagnostic {
    Diagnostic::error("E0305", message).at(at).hint(
        "write `#@operator(name, associative, commutative)`, or with `identity(e)` as a last word",
    )
}
