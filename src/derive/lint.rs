//! Rules about schemes → what cannot be: functors that no scheme holds, facts that nobody knows.

use super::facts::{FACTS, FUNCTIONS, Function, find};
use crate::algebra::{Construct, Sort, TABLE};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::did_you_mean;
use crate::rewrite::{Predicate, Rule, RuleBase, builders, counted_arguments};
use crate::syntax::rules::{ANY_ARITY, CONS, SET, SET_PATTERN};
use crate::term::{Head, Id, Span, Symbol};
use rustc_hash::FxHashSet;

/// Findings in the rules of the files with these numbers that are about schemes: they stand in no
/// system, and their pattern begins with an operator, a predicate or a part, or is anything.
pub fn lint_schemes(base: &RuleBase, files: &[u32]) -> Vec<Diagnostic> {
    let terms = base.terms();
    let of_files = |d: &Diagnostic| d.span.is_some_and(|s| files.contains(&s.file));
    let unknown = unknown_facts(base)
        .into_iter()
        .chain(unknown_functions(base));
    let mut told: Vec<Diagnostic> = unknown.filter(of_files).collect();
    let refused: Vec<Option<Span>> = told.iter().map(|d| d.span).collect();
    for rule in base.rules.iter().filter(|r| files.contains(&r.span.file)) {
        let construct = terms.functor(rule.pattern).and_then(Construct::of);
        let about_schemes = construct.is_some_and(|c| c.info().sort != Sort::Expression)
            || matches!(terms.head(rule.pattern), Head::Variable(_)) && rule.named;
        if !about_schemes || in_system(base, rule) {
            continue;
        }
        for id in terms.subterms(rule.pattern) {
            told.extend(misfit(base, rule, id, "matches", "never fires").map(|d| d.hint(HINT)));
        }
        let results: Vec<Id> = rule.results().collect();
        for id in results.into_iter().flat_map(|r| terms.subterms(r)) {
            let functor = terms.functor(id).map_or("", |f| f.as_str());
            let computed =
                find(&FUNCTIONS, functor, terms.arity(id)).is_some() || rule.is_builder(terms, id);
            if !computed && !refused.contains(&terms.span(id)) {
                told.extend(
                    misfit(base, rule, id, "makes", "makes no scheme").map(|d| d.hint(HINT)),
                );
            }
        }
    }
    told
}

/// Whether a rule is one of a system's.
fn in_system(base: &RuleBase, rule: &Rule) -> bool {
    let mut own = base.systems.iter().flat_map(|s| &s.rules);
    own.any(|&i| base.rules[i].name == rule.name)
}

const HINT: &str = "docs/language.md lists the constructs with their arguments";

/// What is wrong with a functor of a rule, if something is.
fn misfit(base: &RuleBase, rule: &Rule, id: Id, does: &str, so: &str) -> Option<Diagnostic> {
    let terms = base.terms();
    let functor = terms.functor(id)?;
    let open = |a: &Id| matches!(terms.head(*a), Head::Sequence(_)) || rule.is_builder(terms, *a);
    let arity = terms.arity(id);
    let why = match Construct::of(functor) {
        // An atom may be any name.
        None if arity == 0 => return None,
        None => format!("no construct is called `{functor}`"),
        Some(_) if terms.args(id).iter().any(open) => return None,
        Some(construct) if construct.info().takes(arity) => return None,
        Some(_) => format!("`{functor}` does not have {arity} arguments"),
    };
    let message = format!("`{}` {so}: it {does} `{functor}`, and {why}", rule.name);
    Some(Diagnostic::note("N0355", message).at(terms.span(id)))
}

/// What may stand in rules besides constructs and functions: lists, sets, functors of any name, and
/// what a rule matches.
struct Known {
    matched: FxHashSet<Symbol>,
}

impl Known {
    fn new(base: &RuleBase) -> Known {
        let terms = base.terms();
        let clauses = base.predicates.iter().flat_map(|p| &p.clauses);
        let patterns = base.rules.iter().chain(clauses);
        let patterns = patterns.flat_map(|r| terms.subterms(r.pattern));
        let mut matched: FxHashSet<Symbol> = patterns.filter_map(|id| terms.functor(id)).collect();
        matched.extend([CONS, SET, SET_PATTERN, ANY_ARITY].map(Symbol::new));
        Known { matched }
    }

    /// Whether a functor of a template is a construct, or one that rules match.
    fn has(&self, functor: Symbol) -> bool {
        Construct::of(functor).is_some() || self.matched.contains(&functor)
    }
}

/// The functors that rules about schemes make and nothing knows, as errors: what is neither a
/// construct nor a function of rules, and matched by no rule, is in no scheme. What rules of systems
/// and of other functors make are terms, not schemes.
pub fn unknown_functions(base: &RuleBase) -> Vec<Diagnostic> {
    let terms = base.terms();
    let known = Known::new(base);
    let mut told = Vec::new();
    let about_schemes = |rule: &&Rule| match terms.head(rule.pattern) {
        Head::Variable(_) => rule.named && !in_system(base, rule),
        Head::Functor(f) => {
            let construct = Construct::of(f).filter(|_| !in_system(base, rule));
            construct.is_some_and(|c| rule.named || c.info().sort != Sort::Expression)
        }
        _ => false,
    };
    let clauses = base.predicates.iter().flat_map(|p| &p.clauses);
    let clauses = clauses.map(|c| (c, c.questions_of_clause(terms)));
    let rules = base.rules.iter().filter(about_schemes);
    let rules = rules.map(|r| (r, r.questions_asked(terms)));
    for (rule, asked) in rules.chain(clauses) {
        for id in rule.templates().flat_map(|t| terms.subterms(t)) {
            let Some(functor) = terms.functor(id).filter(|&f| !known.has(f)) else {
                continue;
            };
            let arguments = terms.arity(id);
            // An atom may be any name, and facts are told by themselves.
            if arguments == 0 || asked.contains(&id) || rule.is_builder(terms, id) {
                continue;
            }
            let name = functor.as_str();
            let found = FUNCTIONS.iter().find(|f| f.name == name);
            let is_open =
                |a: &Id| matches!(terms.head(*a), Head::Sequence(_)) || rule.is_builder(terms, *a);
            let takes =
                |f: &Function| f.takes.contains(&arguments) || terms.args(id).iter().any(is_open);
            if found.is_some_and(takes) {
                continue;
            }
            let constructs = TABLE
                .iter()
                .filter(|i| i.sort != Sort::Part)
                .map(|i| i.functor);
            let functions = FUNCTIONS.iter().map(|f| f.name).chain(builders());
            let near = did_you_mean(name, functions.chain(constructs));
            let hint = match (found, near) {
                (Some(function), _) => format!("`{name}` takes {}", function.meaning),
                (None, _) if builders().any(|b| b == name) => {
                    "there are each($x, elements.., t), copies($k, n, t), substitute(t, old, new), \
                     count(elements..) and nonempty(elements..)"
                        .to_owned()
                }
                (None, Some(near)) => format!("did you mean `{near}`?"),
                (None, None) => "docs/rules.md lists the functions".to_owned(),
            };
            let message = format!(
                "`{}` makes no scheme: there is no function `{name}` taking {}, and no construct of that name",
                rule.name,
                counted_arguments(arguments)
            );
            told.push(
                Diagnostic::error("E0318", message)
                    .at(terms.span(id))
                    .hint(hint),
            );
        }
    }
    told
}

/// The questions of conditions that no fact and no predicate answers, as errors: a rule that asks one never
/// fires. What rules of systems and of other functors ask is asked of terms, not of schemes.
pub fn unknown_facts(base: &RuleBase) -> Vec<Diagnostic> {
    let terms = base.terms();
    let mut told = Vec::new();
    let about_schemes = |rule: &&Rule| match terms.head(rule.pattern) {
        Head::Variable(_) => rule.named && !in_system(base, rule),
        Head::Functor(f) => Construct::of(f).is_some() && !in_system(base, rule),
        _ => false,
    };
    for rule in base.rules.iter().filter(about_schemes) {
        for id in rule.questions_asked(terms) {
            told.extend(unknown_fact(base, rule, id));
        }
    }
    for clause in base.predicates.iter().flat_map(|p| &p.clauses) {
        let says_unknown = |id| terms.as_atom(id).is_some_and(|f| f.as_str() == "unknown");
        let asked = clause.questions_of_clause(terms).into_iter();
        for id in asked.filter(|&id| !says_unknown(id)) {
            told.extend(unknown_fact(base, clause, id));
        }
    }
    told
}

/// A question that nothing answers, as an error.
fn unknown_fact(base: &RuleBase, rule: &Rule, id: Id) -> Option<Diagnostic> {
    let terms = base.terms();
    let functor = terms.functor(id)?;
    let (name, arguments) = (functor.as_str(), terms.arity(id));
    let own = base.predicates.get(functor);
    let open = |a: &Id| matches!(terms.head(*a), Head::Sequence(_)) || rule.is_builder(terms, *a);
    let takes = |p: &Predicate| p.takes(arguments) || terms.args(id).iter().any(open);
    if own.is_some_and(takes)
        || own.is_none() && find(&FACTS, name, arguments).is_some()
        || rule.is_builder(terms, id)
    {
        return None;
    }
    let known = FACTS.iter().find(|f| f.name == name);
    let named = base.predicates.iter().map(|p| p.name.as_str());
    let near = did_you_mean(name, FACTS.iter().map(|f| f.name).chain(named));
    let hint = match (own, known, near) {
        (Some(predicate), ..) => format!("`{name}` takes {}", predicate.arguments()),
        (_, Some(fact), _) => format!("`{}` takes {}", fact.name, fact.meaning),
        (.., Some(near)) => format!("did you mean `{near}`?"),
        (.., None) => {
            format!("docs/rules.md lists the facts; `predicate {name}(…) -> …` defines one")
        }
    };
    let message = format!(
        "`{}` asks for an unknown fact `{name}` taking {}",
        rule.name,
        counted_arguments(arguments)
    );
    let told = Diagnostic::error("E0317", message).at(terms.span(id));
    let told = match own {
        Some(predicate) => told.also(predicate.span, "the predicate"),
        None => told,
    };
    Some(told.hint(hint))
}

/// The predicates with names that mean something else, as errors.
pub fn taken_names(base: &RuleBase) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    for predicate in base.predicates.iter() {
        let name = predicate.name.as_str();
        let what = match Construct::of(predicate.name) {
            Some(_) => "a construct of schemes",
            None if FACTS.iter().any(|f| f.name == name) => "a fact",
            None if FUNCTIONS.iter().any(|f| f.name == name) => "a function of rules",
            None => continue,
        };
        let message = format!("`{name}` is {what}, and cannot be a predicate");
        let refusal = Diagnostic::error("E0302", message).at(predicate.span);
        told.push(refusal.hint("give the predicate another name"));
    }
    told
}
