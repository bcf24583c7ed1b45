//! Whether nothing but REPORTs tells of what something computes: it may be rounded otherwise then, and every OUTPUT
//! keeps its bits.

use super::Answer;
use crate::algebra::{
    Construct, Operator, Role, Sort, bound, names, operator, operators, operators_of, root_name,
    written,
};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// The variables that an operator sets for what is around it, each once: those that it assigns and does not declare
/// itself, and the one that it declares for what follows it. An expression sets none.
pub fn assigned_in(terms: &Terms, body: Id) -> Vec<Symbol> {
    let (mut names, mut own) = (Vec::new(), FxHashSet::default());
    let construct = terms.functor(body).and_then(Construct::of);
    let declares = construct.and_then(|c| c.info().binds()) == Some(Role::Declared);
    if declares {
        names.extend(bound(terms, body));
    }
    for id in operators(terms, body) {
        own.extend(bound(terms, id).filter(|_| !(declares && id == body)));
        for name in written(terms, id).filter_map(|target| root_name(terms, target)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.retain(|name| !own.contains(name));
    names
}

/// Whether some variables reach nothing but REPORTs: no OUTPUT and no SAVE, and nothing that decides what is done,
/// how often, or where. Of none, and of what is no variable, nothing is known. What is assigned from them counts among them, wherever that stands. Only REALs and vectors of
/// them may be among them: near a bound, rounding would show as another integer.
pub fn only_reported(scheme: &Scheme, from: &[Symbol]) -> Answer {
    only_reported_where(scheme, from, |_, _| true)
}

/// [`only_reported`], where it is known of operators whether they name one of some variables: those that do not are not gone
/// into.
pub fn only_reported_where(
    scheme: &Scheme,
    from: &[Symbol],
    mut names_one: impl FnMut(Id, &FxHashSet<Symbol>) -> bool,
) -> Answer {
    let terms = &scheme.terms;
    if from.is_empty() || from.iter().any(|&name| scheme.variable(name).is_none()) {
        let why = "it assigns no variable of the scheme".to_owned();
        return Answer::Unknown(why, Vec::new());
    }
    if let Some(refused) = from.iter().find_map(|&name| tells_more(scheme, name)) {
        return refused;
    }
    let mut reached: FxHashSet<Symbol> = from.iter().copied().collect();
    loop {
        let before = reached.len();
        let mut left = vec![scheme.body];
        while let Some(id) = left.pop() {
            if !names_one(id, &reached) {
                continue;
            }
            left.extend(operators_of(terms, id).rev());
            let more = match spread(scheme, id, &reached) {
                Ok(more) => more,
                Err(why) => {
                    return Answer::No(why, vec![(terms.span(id), "here".into())]);
                }
            };
            for name in more {
                if reached.insert(name)
                    && let Some(refused) = tells_more(scheme, name)
                {
                    return refused;
                }
            }
        }
        if reached.len() == before {
            return Answer::proved("nothing but REPORTs tells of what it computes");
        }
    }
}

/// Why a variable that is reached is more than a REPORT tells of, if it is.
fn tells_more(scheme: &Scheme, name: Symbol) -> Option<Answer> {
    let variable = scheme.variable(name)?;
    let shown = author_name(name);
    let why = match variable.ty.component().is_real() {
        _ if variable.is_output() => format!("{shown} is an OUTPUT"),
        true => return None,
        false => format!("{shown} is no REAL"),
    };
    let why = format!("it reaches more than REPORTs: {why}");
    Some(Answer::No(why, Vec::new()))
}

/// The variables that an operator assigns from some variables; or why these decide more.
fn spread(scheme: &Scheme, id: Id, reached: &FxHashSet<Symbol>) -> Result<Vec<Symbol>, String> {
    let terms = &scheme.terms;
    let reads = |part: Id| names(terms, part).find(|name| reached.contains(name));
    let Some(view) = operator(terms, id) else {
        return Ok(Vec::new());
    };
    let decides = |name: Symbol| format!("{} decides what is done", author_name(name));
    let (targets, values): (Vec<Id>, Vec<Id>) = match view {
        Operator::Report { .. }
        | Operator::Exchange(..)
        | Operator::Allocate(_)
        | Operator::CopyToDevice(_)
        | Operator::CopyFromDevice(_)
        | Operator::Free(_) => return Ok(Vec::new()),
        Operator::Assign { target, value } => (vec![target], vec![value]),
        Operator::Atomic {
            target, value, was, ..
        } => {
            // What gets the value from before is assigned from the target.
            let before = was.map(|_| target);
            let targets = [Some(target), was].into_iter().flatten();
            let values = [Some(value), before].into_iter().flatten();
            (targets.collect(), values.collect())
        }
        Operator::Local { name, value, .. } => {
            return Ok(reads(value).map(|_| name).into_iter().collect());
        }
        _ => {
            let info = terms
                .functor(id)
                .and_then(Construct::of)
                .map(Construct::info);
            let role = |i: usize| info.and_then(|info| info.role(i));
            for (i, &part) in terms.args(id).iter().enumerate() {
                let is_looked_into = match role(i) {
                    Some(Role::Binder | Role::Declared | Role::Type | Role::Word) => false,
                    Some(role) => role.sort() != Sort::Operator,
                    None => true,
                };
                if let Some(name) = is_looked_into.then(|| reads(part)).flatten() {
                    return Err(decides(name));
                }
            }
            return Ok(Vec::new());
        }
    };
    // Where something is written must not depend on them, nor which cell is read.
    for &part in targets.iter().chain(&values) {
        for cell in terms.subterms(part) {
            let is_cell = terms.functor(cell) == Some(Construct::Index.symbol());
            let subscripts = terms.args(cell).iter().skip(1).filter(|_| is_cell);
            if let Some(name) = subscripts.copied().find_map(reads) {
                return Err(decides(name));
            }
        }
    }
    let is_reached = values.iter().copied().find_map(reads).is_some();
    let names = targets
        .iter()
        .filter_map(|&target| root_name(terms, target));
    Ok(names.filter(|_| is_reached).collect())
}
