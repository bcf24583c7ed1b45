//! Rules and bindings that are terms: what `let`, `where`, `unify` and a rule applied to a term give.

use crate::rewrite::build::list_elements;
use crate::rewrite::lint::unify::{Unified, unify};
use crate::rewrite::matching::Matches;
use crate::rewrite::pattern::{Pattern, Slots};
use crate::syntax::rules::{
    ACTION, ALTERNATIVE, ASSIGNED, CONDITIONAL_RULE, LET, RULE, SET, WHERE, make_set,
};
use crate::term::{Head, Id, Symbol, Terms};
use rustc_hash::FxHashMap;

/// What variables stand for.
type Values = FxHashMap<Symbol, Id>;

/// Whether two terms have a common instance; nobody knows where sets are in the way.
pub(super) fn unified(terms: &Terms, a: Id, b: Id) -> Option<bool> {
    if terms.equal(a, b) {
        return Some(true);
    }
    match unify(terms, a, b) {
        Unified::Yes(_) => Some(true),
        Unified::No => Some(false),
        Unified::Unknown => None,
    }
}

/// A term with the values of a list of `$x <- e` in it.
pub(super) fn bound(terms: &mut Terms, term: Id, assignments: Id) -> Option<Id> {
    let mut values = Values::default();
    for assignment in list_elements(terms, assignments)? {
        let (ASSIGNED, &[variable, value]) =
            (terms.functor(assignment)?.as_str(), terms.args(assignment))
        else {
            return None;
        };
        let Head::Variable(name) = terms.head(variable) else {
            return None;
        };
        let value = filled(terms, value, &values);
        values.insert(name, value);
    }
    Some(filled(terms, term, &values))
}

/// A term with its variables' values. Does not recurse; shared parts are done once.
fn filled(terms: &mut Terms, term: Id, values: &Values) -> Id {
    let mut done: FxHashMap<Id, Id> = FxHashMap::default();
    let mut work = vec![(term, false)];
    while let Some((id, visited)) = work.pop() {
        if done.contains_key(&id) {
            continue;
        }
        if let Head::Variable(name) = terms.head(id) {
            done.insert(id, values.get(&name).copied().unwrap_or(id));
        } else if terms.arity(id) == 0 {
            done.insert(id, id);
        } else if !visited {
            work.push((id, true));
            work.extend(terms.args(id).iter().map(|&a| (a, false)));
        } else {
            let args: Vec<Id> = terms.args(id).iter().map(|a| done[a]).collect();
            let set = terms.functor(id).is_some_and(|f| f.as_str() == SET);
            let made = match args == terms.args(id) {
                true => id,
                false if set => make_set(terms, &args),
                false => terms.with_args(id, &args),
            };
            done.insert(id, made);
        }
    }
    done[&term]
}

/// A rule that is a term, taken apart.
pub(in crate::rewrite) struct RuleTerm {
    pattern: Id,
    /// Conditions with their results, tried from the first.
    alternatives: Vec<(Option<Id>, Id)>,
    otherwise: Option<Id>,
}

impl RuleTerm {
    /// The rule that a term is.
    pub(in crate::rewrite) fn of(terms: &Terms, id: Id) -> Option<RuleTerm> {
        let mut rule = match (terms.functor(id)?.as_str(), terms.args(id)) {
            (RULE, &[pattern, result]) => RuleTerm {
                pattern,
                alternatives: vec![(None, result)],
                otherwise: None,
            },
            (CONDITIONAL_RULE, &[pattern, condition, result, ref rest @ ..]) => {
                let mut alternatives = vec![(Some(condition), result)];
                if let Some(&further) = rest.first() {
                    for one in list_elements(terms, further)? {
                        match (terms.functor(one)?.as_str(), terms.args(one)) {
                            (ALTERNATIVE, &[condition, result]) => {
                                alternatives.push((Some(condition), result));
                            }
                            _ => return None,
                        }
                    }
                }
                RuleTerm {
                    pattern,
                    alternatives,
                    otherwise: rest.get(1).copied(),
                }
            }
            _ => return None,
        };
        // Actions change facts, of which there are none.
        let plain = |id: Id| match (terms.functor(id).map(Symbol::as_str), terms.args(id)) {
            (Some(ACTION), &[result, _]) => result,
            _ => id,
        };
        for (_, result) in &mut rule.alternatives {
            *result = plain(*result);
        }
        rule.otherwise = rule.otherwise.map(plain);
        Some(rule)
    }

    /// What becomes of a term by the rule, at its root; `decides` tells of a condition whether it holds.
    pub(in crate::rewrite) fn applied(
        &self,
        terms: &mut Terms,
        id: Id,
        decides: &mut dyn FnMut(&mut Terms, Id) -> Option<bool>,
    ) -> Option<Id> {
        let mut names: Vec<Symbol> = Vec::new();
        let pattern = Pattern::new(terms, self.pattern, &mut |name| {
            let known = names.iter().position(|&n| n == name);
            known.unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        });
        let slots: Slots = vec![None; names.len()];
        let mut matches = Matches::new(&pattern, id, slots);
        if !matches.advance(terms) {
            return None;
        }
        let mut values = Values::default();
        for (name, slot) in names.iter().zip(&matches.slots) {
            if let Some([value]) = slot.as_ref().map(|bound| bound.elements(terms)) {
                values.insert(*name, *value);
            }
        }
        let mut all_false = true;
        for &(condition, result) in &self.alternatives {
            let holds = match condition {
                Some(condition) => {
                    let condition = filled(terms, condition, &values);
                    decides(terms, condition)
                }
                None => Some(true),
            };
            if holds == Some(true) {
                return Some(filled(terms, result, &values));
            }
            all_false &= holds == Some(false);
        }
        let otherwise = self.otherwise.filter(|_| all_false)?;
        Some(filled(terms, otherwise, &values))
    }
}

/// Whether variables within a functor's arguments may have no value in a rule's result: they are those of a
/// rule or of a binding that the result makes.
pub(in crate::rewrite) fn has_own_variables(functor: Symbol, arity: usize) -> bool {
    matches!(
        (functor.as_str(), arity),
        (RULE | LET | WHERE, 2) | (CONDITIONAL_RULE, 3..=5) | (LET, 1)
    )
}
