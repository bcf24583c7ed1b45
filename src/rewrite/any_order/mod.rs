//! Whether a system takes the same steps in whatever order: then the quickest order will do.
//!
//! The rules are linear on the left, match constructors below their functor, and do not overlap. A step then leaves one
//! copy of every other redex, unless its rule repeats or drops the variable that holds that redex. Where no rule ever
//! does, all ways to the normal form fire the same rules equally often, and if one way ends, all do (Newman 1942, and
//! Toyama 1992 for balanced systems). A variable that a result repeats or drops is harmless where no redex can ever be in
//! its value: that is found out by what rules and the term put at each argument of each functor.
//!
//! FirstTop rewrites each copy of a repeated redex, BottomTop rewrites the redex once before it is copied. So a system
//! that repeats or drops redexes takes other steps, but they can be counted ([`Way::Owing`]) where FirstTop rewrites in a
//! copy only as much as a rule looks at: what a pattern has before the last functor that it looks at, from the left, must
//! have no redex in it. (Patterns that are so are called left-normal, O'Donnell 1977.) Under TopDown copies are shared and
//! rewritten once, as where arguments come first; only what is dropped matters, and not where it stands beside what is
//! kept, always the same ([`Twins`]).
//!
//! Values of standard functors are no steps, and outside of this. Functors that are computed without rules are kept out of
//! results and terms. Where a standard functor has rules of its own, FirstTop and BottomTop try those first, so that its
//! values are as rules that do not overlap with them; TopDown takes the value of new literals first, and so is left to
//! itself if there are such rules and any literals.

mod places;
mod twins;
mod uneven;

use super::evaluate::{meaning, value};
use super::fact_base::is_act;
use super::graph::{Repeats, repeats};
use super::machine::is_plain;
use super::standard::table::form;
use super::{Order, Rule, RuleBase, System};
use crate::term::{Head, Id, Symbol, Terms};
use places::Places;
use rustc_hash::{FxHashMap, FxHashSet};
use twins::Twins;
pub(super) use uneven::Uneven;

/// A functor with so many arguments.
pub(super) type Name = (Symbol, usize);

/// How a run by an order can be made.
pub(super) enum Way {
    Itself,
    /// BottomTop comes to the same normal form by the same rules, each as often.
    BottomTop,
    /// It comes to the same normal form, and how often rules fire is told by what it repeats and drops.
    Owing(Uneven),
}

/// How FirstTop or TopDown can rewrite a term.
pub(super) fn way(base: &RuleBase, system: &System, order: Order, terms: &Terms, root: Id) -> Way {
    if !matches!(order, Order::FirstTop | Order::TopDown) {
        return Way::Itself;
    }
    let rules: Vec<&Rule> = system.rules.iter().map(|&i| &base.rules[i]).collect();
    let name = |rule: &Rule| name(&base.terms, rule.pattern);
    let defined: FxHashSet<Name> = rules.iter().filter_map(|rule| name(rule)).collect();
    let is_fit = |rule: &&Rule| only_replaces(base, rule, &defined);
    if !rules.iter().all(is_fit) || !is_made_of(terms, root, &defined, true) {
        return Way::Itself;
    }
    // What is shared already is rewritten once by one and as often as it stands there by the other.
    if order == Order::TopDown && shares(terms, root, &defined) {
        return Way::Itself;
    }
    if overlap(base, &rules) {
        return Way::Itself;
    }
    let computes = |name: &Name| meaning(name.0, name.1).is_some();
    let is_literal = |terms: &Terms, id: Id| value(terms, id).is_some();
    let has_literals = || {
        let mut results = rules.iter().map(|rule| rule.alternatives[0].outcome.result);
        results.any(|result| (base.terms.subterms(result)).any(|id| is_literal(&base.terms, id)))
            || terms.subterms(root).any(|id| is_literal(terms, id))
    };
    let computed = defined.iter().any(computes);
    if order == Order::TopDown && computed && has_literals() {
        return Way::Itself;
    }
    let places = Places::of(base, &rules, defined, terms, root);
    let (own, terms) = (terms, &base.terms);
    let twins = match order {
        Order::TopDown => Twins::of(terms, &rules, own, root),
        _ => Twins::default(),
    };
    let keeps = |rule: &&Rule| places.keeps(terms, rule, order, &twins);
    if rules.iter().all(keeps) {
        return Way::BottomTop;
    }
    match order == Order::FirstTop
        && !computed
        && rules.iter().all(|rule| places.reads_first(terms, rule))
    {
        true => Way::Owing(Uneven::of(terms, &rules)),
        false => Way::Itself,
    }
}

/// Whether a rule does no more than to replace a pattern over constructors by a term.
fn only_replaces(base: &RuleBase, rule: &Rule, defined: &FxHashSet<Name>) -> bool {
    let terms = &base.terms;
    let [only] = &rule.alternatives[..] else {
        return false;
    };
    let outcome = only.outcome;
    let known = |id: Id| match terms.head(id) {
        Head::Variable(name) => name.as_str() != "_" && rule_has(terms, rule.pattern, name),
        _ => true,
    };
    name(terms, rule.pattern).is_some()
        && rule.parameters.is_empty()
        && rule.lets.is_empty()
        && rule.wheres.is_empty()
        && rule.otherwise.is_none()
        && only.condition.is_none()
        && !outcome.action.is_some_and(|action| is_act(terms, action))
        && rule.matcher.is_linear()
        && is_plain(terms, rule.pattern)
        && (terms.args(rule.pattern).iter()).all(|&part| is_made_of(terms, part, defined, false))
        && is_made_of(terms, outcome.result, defined, true)
        && terms.subterms(outcome.result).all(known)
        && !terms
            .subterms(outcome.result)
            .any(|id| rule.is_builder(terms, id))
        && matches!(repeats(terms, rule.pattern, outcome.result), Repeats::Never)
}

/// So many pairs of rules of one functor are looked at: of more, the order makes a difference for all that is known.
const MOST_PAIRS: usize = 100_000;

/// Whether two rules may fire at the same place.
fn overlap(base: &RuleBase, rules: &[&Rule]) -> bool {
    let mut groups: FxHashMap<Option<Name>, Vec<Id>> = FxHashMap::default();
    for rule in rules {
        let group = groups.entry(name(&base.terms, rule.pattern)).or_default();
        group.push(rule.pattern);
    }
    let pairs: usize = groups.values().map(|group| group.len().pow(2)).sum();
    if pairs > MOST_PAIRS {
        return true;
    }
    let clashes = |group: &Vec<Id>| {
        let mut firsts = group.iter().enumerate();
        firsts.all(|(i, &one)| {
            group[..i]
                .iter()
                .all(|&other| clash(&base.terms, other, one))
        })
    };
    !groups.values().all(clashes)
}

fn name(terms: &Terms, id: Id) -> Option<Name> {
    terms.functor(id).map(|functor| (functor, terms.arity(id)))
}

fn rule_has(terms: &Terms, pattern: Id, name: Symbol) -> bool {
    let mut parts = terms.subterms(pattern);
    parts.any(|id| terms.head(id) == Head::Variable(name))
}

/// Whether a term is made of variables, literals and constructors alone, and of functors that have rules if that is
/// `allowed`: none that is computed without rules.
fn is_made_of(terms: &Terms, term: Id, defined: &FxHashSet<Name>, allowed: bool) -> bool {
    terms.subterms(term).all(|id| {
        let Some((functor, arity)) = name(terms, id) else {
            return is_plain(terms, id);
        };
        let computes = || {
            let is_if = functor.as_str() == "if" && arity == 3;
            is_if || meaning(functor, arity).is_some() || form(functor, arity).is_some()
        };
        is_plain(terms, id)
            && match defined.contains(&(functor, arity)) {
                true => allowed,
                false => !computes(),
            }
    })
}

/// Whether a part that has rules stands in a term at several places, stored once.
fn shares(terms: &Terms, root: Id, defined: &FxHashSet<Name>) -> bool {
    let mut seen = FxHashSet::default();
    let mut parts = terms.subterms(root);
    parts.any(|id| name(terms, id).is_some_and(|n| defined.contains(&n)) && !seen.insert(id))
}

/// Whether no term is matched by both of two patterns in which no variable stands twice.
fn clash(terms: &Terms, a: Id, b: Id) -> bool {
    match (terms.head(a), terms.head(b)) {
        (Head::Variable(_), _) | (_, Head::Variable(_)) => false,
        (x, y) if x != y || terms.arity(a) != terms.arity(b) => true,
        _ => {
            let mut pairs = terms.args(a).iter().zip(terms.args(b));
            pairs.any(|(&a, &b)| clash(terms, a, b))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::rules::read_term;
    use crate::term::Sources;

    /// Whether FirstTop and TopDown come to the same by the same rules as BottomTop.
    fn orders(rules: &str, term: &str) -> [bool; 2] {
        ways(rules, term).map(|way| matches!(way, Way::BottomTop))
    }

    /// Whether what FirstTop repeats and drops is counted.
    fn owes(rules: &str, term: &str) -> bool {
        matches!(ways(rules, term)[0], Way::Owing(_))
    }

    fn ways(rules: &str, term: &str) -> [Way; 2] {
        let mut sources = Sources::default();
        let text = format!("system(S, default, ruleset({rules}), FirstTop)");
        let file = sources.add("case.rules", text);
        let base = RuleBase::load(&sources, &[file]).expect("rules");
        let system = base.systems.first().expect("a system");
        let mut terms = Terms::new();
        let root = read_term(&mut terms, 0, term).expect("a term");
        [Order::FirstTop, Order::TopDown].map(|order| way(&base, system, order, &terms, root))
    }

    const ADD: &str = "add(z, $y) -> $y, add(s($x), $y) -> s(add($x, $y))";

    #[test]
    fn what_is_repeated_or_dropped_must_have_no_redex_in_it() {
        assert_eq!(orders(ADD, "add(add(z, s(z)), z)"), [true, true]);
        // Here it is a number, whatever rules do.
        let two = format!("{ADD}, two(s($x)) -> add(two($x), two($x)), two(z) -> s(z)");
        assert_eq!(orders(&two, "two(s(s(z)))"), [true, true]);
        assert_eq!(orders(&two, "two(two(s(z)))"), [false, true]);
        // And here it becomes another one by a rule.
        let on = format!("{two}, on($x) -> two(add($x, $x))");
        assert_eq!(orders(&on, "on(s(z))"), [false, true]);
        let first = format!("{ADD}, first($x, $_) -> $x");
        assert_eq!(orders(&first, "first(add(z, z), z)"), [true, true]);
        assert_eq!(orders(&first, "first(z, add(z, z))"), [false, false]);
    }

    #[test]
    fn rules_must_not_overlap_ask_or_look_into_what_has_rules() {
        let with = |rule: &str| orders(&format!("{ADD}, {rule}"), "add(z, z)");
        assert_eq!(with("f($x) -> s($x)"), [true, true]);
        assert_eq!(with("add($x, z) -> $x"), [false, false]);
        assert_eq!(with("f(add($x, $y)) -> c($x, $y)"), [false, false]);
        assert_eq!(with("f($x, $x) -> $x"), [false, false]);
        assert_eq!(with("f($x) [ $x == z ] -> $x"), [false, false]);
        // `add` has rules, `$x * 2` has a value without any.
        assert_eq!(with("f($x) -> g(add($x, z))"), [true, true]);
        assert_eq!(with("f($x) -> g($x * 2)"), [false, false]);
        assert_eq!(with("f($x, $y) -> f($y, $x)"), [false, false]);
    }

    #[test]
    fn what_is_repeated_is_counted_where_nothing_before_it_is_rewritten() {
        let twice = format!("{ADD}, twice($x) -> c($x, $x)");
        assert!(owes(&twice, "twice(add(z, z))"));
        // The second argument is rewritten before the rule fires, and the first one before that.
        let late = format!("{ADD}, late($x, z) -> c($x, $x)");
        assert!(!owes(&late, "late(add(z, z), add(z, z))"));
        assert_eq!(orders(&late, "late(z, add(z, z))"), [true, true]);
        let early = format!("{ADD}, early(z, $x) -> c($x, $x)");
        assert!(owes(&early, "early(add(z, z), add(z, z))"));
        // What stands there must be seen by the rules alone.
        let plus = twice.replace("add", "plus");
        assert!(!owes(&plus, "twice(plus(z, z))"));
    }

    #[test]
    fn what_is_dropped_beside_its_twin_is_kept() {
        let twins = format!("{ADD}, pair($x) -> p($x, $x), one(p($x, $y)) -> s($x)");
        assert_eq!(orders(&twins, "one(pair(add(z, z)))"), [false, true]);
        let term = "c(one(pair(add(z, z))), p(z, s(z)))";
        assert_eq!(orders(&twins, term), [false, false]);
        let other = format!("{twins}, other($x, $y) -> p($x, $y)");
        assert_eq!(orders(&other, "one(pair(add(z, z)))"), [false, false]);
        // The one that is kept must be a variable of the same pair.
        let none = twins.replace("s($x)", "z");
        assert_eq!(orders(&none, "one(pair(add(z, z)))"), [false, false]);
    }

    #[test]
    fn under_top_down_own_rules_must_not_meet_values() {
        let plus = "plus(0, $y) -> $y, plus(s($x), $y) -> s(plus($x, $y))";
        assert_eq!(orders(plus, "plus(s(0), 5)"), [true, false]);
        // Without literals nothing has a value.
        let plus = plus.replace('0', "z");
        assert_eq!(orders(&plus, "plus(s(z), z)"), [true, true]);
        assert_eq!(orders(&plus, "plus(s(0), z)"), [true, false]);
        let more = format!("{plus}, g($x) -> s(1)");
        assert_eq!(orders(&more, "plus(s(z), z)"), [true, false]);
        // Nor does a literal matter where no functor is computed.
        assert_eq!(orders(ADD, "add(s(0), z)"), [true, true]);
    }
}
