//! Scans: loops whose iterations read what the ones before have gathered, such as prefix sums.

use super::access::{Accesses, Loop, accesses, names_in};
use super::context::Context;
use super::dependence::independent_but;
use super::reduction::{Gather, reduction};
use super::{Answer, gathers_in_order};
use crate::algebra::{Binary, Construct, Expr, Operator, build, expr, operator, root_name};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashSet;

/// What a loop's body carries from one iteration to the next.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The scalars of outside that the body gathers into, and how, in order of declaration.
    pub carried: Vec<(Symbol, Gather)>,
    /// These, and the LOCALs of the body from which what is gathered is computed.
    pub needed: FxHashSet<Symbol>,
}

/// What a body carries, if that is a scan: the body assigns scalars of outside only to gather into
/// them, by operators that read nothing else that the body writes there, and reads at least one of
/// these scalars otherwise.
///
/// The part of the body that gathers is put into the scheme's arena, where it is looked at by itself.
///
/// # Errors
///
/// Why it is none.
pub fn scan(scheme: &mut Scheme, body: Id) -> Result<Scan, String> {
    let set = accesses(scheme, body);
    if set.unknown.is_some() {
        return Err("not all that it does is known".into());
    }
    if let Some(other) = other_operator(&scheme.terms, body) {
        let what = scheme.terms.functor(other).map_or("", Symbol::as_str);
        return Err(format!("{what} stands in it"));
    }
    let written = written_outside(&set);
    let is_scalar = |name: &Symbol| scheme.variable(*name).is_some_and(|v| !v.is_array());
    let mut carried: Vec<Symbol> = written.iter().copied().filter(is_scalar).collect();
    carried.sort_by_key(|n| scheme.variables.get_index_of(n));
    if carried.is_empty() {
        return Err("it assigns no scalar of outside".into());
    }
    let needed = needed(scheme, body, &set, &carried);
    let from = needed
        .iter()
        .filter(|n| written.contains(n) && !carried.contains(n));
    let mut from: Vec<&str> = from.map(|&n| author_name(n)).collect();
    from.sort_unstable();
    if let Some(from) = from.first() {
        return Err(format!(
            "what it gathers is computed from {from}, which it writes"
        ));
    }
    let sliced = gathering(&mut scheme.terms, body, &needed);
    let mut found = Vec::new();
    for &name in &carried {
        let Some(gather) = reduction(scheme, name, sliced) else {
            let name = author_name(name);
            return Err(format!(
                "{name} is carried from one iteration to the next, and not only gathered into"
            ));
        };
        found.push((name, gather));
    }
    let own = accesses(scheme, sliced);
    let reached = |set: &Accesses, name| set.all.iter().filter(|a| a.name == name).count();
    let read = |&name: &Symbol| reached(&set, name) > reached(&own, name);
    if !carried.iter().any(read) {
        return Err("it reads nothing of what it gathers".into());
    }
    Ok(Scan {
        carried: found,
        needed,
    })
}

/// The part of a body that computes the needed variables: operators that assign or declare one, with
/// the loops and choices around them.
pub fn gathering(terms: &mut Terms, body: Id, needed: &FxHashSet<Symbol>) -> Id {
    let empty = Construct::Empty.symbol();
    match operator(terms, body) {
        Some(Operator::Then(parts)) => {
            let parts = parts.to_vec();
            let kept: Vec<Id> = parts
                .into_iter()
                .filter(|&p| keeps(terms, p, needed))
                .collect();
            let kept: Vec<Id> = kept
                .into_iter()
                .map(|p| gathering(terms, p, needed))
                .collect();
            match kept[..] {
                [] => terms.atom(empty),
                [one] => one,
                _ => build(terms, Construct::Then.symbol(), &kept),
            }
        }
        Some(Operator::If { .. } | Operator::For { .. } | Operator::While { .. }) => {
            let parts = terms.args(body).to_vec();
            let within = |terms: &mut Terms, p: Id| match operator(terms, p) {
                Some(_) if keeps(terms, p, needed) => gathering(terms, p, needed),
                Some(_) => terms.atom(empty),
                None => p,
            };
            let parts: Vec<Id> = parts.into_iter().map(|p| within(terms, p)).collect();
            terms.with_args(body, &parts)
        }
        _ if keeps(terms, body, needed) => body,
        _ => terms.atom(empty),
    }
}

/// Whether an operator, or one in it, assigns or declares a needed variable.
fn keeps(terms: &Terms, id: Id, needed: &FxHashSet<Symbol>) -> bool {
    terms.subterms(id).any(|t| match operator(terms, t) {
        Some(Operator::Assign { target, .. }) => {
            root_name(terms, target).is_some_and(|n| needed.contains(&n))
        }
        Some(Operator::Local { name, .. }) => needed.contains(&name),
        _ => false,
    })
}

/// The variables from which a body computes what it carries, and these: of all that an operator that
/// is kept reads, those that the body writes or declares.
fn needed(scheme: &Scheme, body: Id, set: &Accesses, carried: &[Symbol]) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let written = written_outside(set);
    let mut needed: FxHashSet<Symbol> = carried.iter().copied().collect();
    loop {
        let before = needed.len();
        for id in terms.subterms(body) {
            let read: &[Id] = match operator(terms, id) {
                Some(
                    Operator::Assign { .. }
                    | Operator::Local { .. }
                    | Operator::If { .. }
                    | Operator::For { .. }
                    | Operator::While { .. },
                ) if keeps(terms, id, &needed) => terms.args(id),
                _ => continue,
            };
            let read = read.iter().filter(|&&e| operator(terms, e).is_none());
            let names: Vec<Symbol> = read.flat_map(|&e| names_in(scheme, e)).collect();
            let own = |n: &Symbol| set.own.contains(n) || written.contains(n);
            needed.extend(names.into_iter().filter(own));
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// What is written of what is declared outside.
fn written_outside(set: &Accesses) -> FxHashSet<Symbol> {
    let outside = set
        .all
        .iter()
        .filter(|a| a.write && !set.own.contains(&a.name));
    outside.map(|a| a.name).collect()
}

/// An operator that is no assignment, LOCAL, loop, choice or sequence.
fn other_operator(terms: &Terms, body: Id) -> Option<Id> {
    terms.subterms(body).find(|&id| {
        operator(terms, id).is_some_and(|o| {
            !matches!(
                o,
                Operator::Then(_)
                    | Operator::If { .. }
                    | Operator::For { .. }
                    | Operator::While { .. }
                    | Operator::Assign { .. }
                    | Operator::Local { .. }
                    | Operator::Empty
            )
        })
    })
}

/// Whether the iterations of a loop depend on each other only by what they carry: they reach no cell
/// that another one writes, but for the carried scalars and for arrays that are filled at a counter.
pub fn independent_but_carried(
    scheme: &Scheme,
    context: &Context,
    this: Loop,
    body: Id,
    scan: &Scan,
) -> Answer {
    let set = accesses(scheme, body);
    let mut apart: Vec<Symbol> = scan.carried.iter().map(|c| c.0).collect();
    let arrays: FxHashSet<Symbol> = written_outside(&set);
    for array in arrays {
        let counter = |&&(name, gather): &&(Symbol, Gather)| {
            gather == Gather::Sum && filled_at(scheme, body, &set, array, name)
        };
        if scan.carried.iter().find(counter).is_some() {
            apart.push(array);
        }
    }
    independent_but(scheme, context, this, body, &apart)
}

/// Whether all cells of an array that a body reaches have an integer that it counts up among their
/// subscripts, always at the same place, and either each time it is counted up afterwards, in the same
/// iteration, or each time before: another iteration then reaches other cells.
fn filled_at(scheme: &Scheme, body: Id, set: &Accesses, array: Symbol, counter: Symbol) -> bool {
    let terms = &scheme.terms;
    let integer = scheme.variable(counter).is_some_and(|v| v.ty.is_integer());
    let mut assigned = set.all.iter().filter(|a| a.write && a.name == counter);
    let is_counter = |e: Id| terms.as_atom(e) == Some(counter);
    let mut places = None;
    for access in set.all.iter().filter(|a| a.name == array) {
        let Some(subscripts) = &access.subscripts else {
            return false;
        };
        let at: Vec<bool> = subscripts.iter().map(|&s| is_counter(s)).collect();
        let common: Vec<bool> = match &places {
            None => at,
            Some(before) => at
                .iter()
                .zip(before)
                .map(|(&a, &b): (&bool, &bool)| a && b)
                .collect(),
        };
        places = Some(common);
    }
    let at_counter = places.is_some_and(|places| places.contains(&true));
    if !integer || !at_counter || assigned.any(|a| !is_counter(a.id)) {
        return false;
    }
    let counts = terms.subterms(body).all(|id| match operator(terms, id) {
        Some(Operator::Assign { target, .. }) if is_counter(target) => counts_up(terms, id),
        _ => true,
    });
    let is_up = |id: Id| {
        let target = match operator(terms, id) {
            Some(Operator::Assign { target, .. }) => target,
            _ => return false,
        };
        is_counter(target)
    };
    counts
        && [true, false].into_iter().any(|before| {
            let covered = Covered {
                terms,
                array,
                before,
                is_up: &is_up,
            };
            covered.all(body, false)
        })
}

/// Whether an assignment adds a positive number to its target.
fn counts_up(terms: &Terms, id: Id) -> bool {
    let Some(Operator::Assign { target, value }) = operator(terms, id) else {
        return false;
    };
    let Some(Expr::Binary {
        op: Binary::Plus,
        left,
        right,
    }) = expr(terms, value)
    else {
        return false;
    };
    let added = match terms.equal(left, target) {
        true => right,
        false => left,
    };
    terms.as_int(added).is_some_and(|k| k > 0)
}

/// Where a counter is counted up.
struct Covered<'a> {
    terms: &'a Terms,
    array: Symbol,
    /// Whether it is asked for what comes before a cell is reached, or afterwards.
    before: bool,
    is_up: &'a dyn Fn(Id) -> bool,
}

impl Covered<'_> {
    /// Whether the counter is counted up before, or after, each time that an operator reaches a cell;
    /// `already` if that is known of the operator as a whole.
    fn all(&self, id: Id, already: bool) -> bool {
        let reaches = |t: Id| self.terms.as_atom(t) == Some(self.array);
        if already || !self.terms.subterms(id).any(reaches) {
            return true;
        }
        match operator(self.terms, id) {
            Some(Operator::Then(parts)) => parts.iter().enumerate().all(|(k, &part)| {
                let others = if self.before {
                    &parts[..k]
                } else {
                    &parts[k + 1..]
                };
                self.all(part, others.iter().any(|&p| (self.is_up)(p)))
            }),
            Some(Operator::If { .. } | Operator::For { .. } | Operator::While { .. }) => {
                let parts = self.terms.args(id).iter();
                parts.copied().all(|p| match operator(self.terms, p) {
                    Some(_) => self.all(p, false),
                    None => !self.terms.subterms(p).any(reaches),
                })
            }
            _ => false,
        }
    }
}

/// Whether an operator only gathers into scalars of outside, and operators `x[k] := s` note each of
/// these scalars in a cell of an array that it does not reach.
pub fn notes(scheme: &Scheme, k: Symbol, body: Id, before: &[Id]) -> Answer {
    let terms = &scheme.terms;
    let set = accesses(scheme, body);
    let gathered: Vec<Symbol> = super::gathered_scalars(scheme, body)
        .iter()
        .map(|g| g.0)
        .collect();
    let mut written: Vec<Symbol> = written_outside(&set).into_iter().collect();
    written.sort_by_key(|n| scheme.variables.get_index_of(n));
    if set.unknown.is_some() || other_operator(terms, body).is_some() {
        return Answer::unknown("it does more than to gather");
    }
    let mut left = gathered.clone();
    if let Some(&other) = written.iter().find(|n| !gathered.contains(n)) {
        let other = author_name(other);
        return Answer::no(format!("{other} is written, and not only gathered into"));
    }
    for &operator_before in before {
        let noted = match operator(terms, operator_before) {
            Some(Operator::Assign { target, value }) => match expr(terms, target) {
                Some(Expr::Index {
                    array,
                    subscripts: &[at],
                }) if terms.as_atom(at) == Some(k) => Some(array).zip(terms.as_atom(value)),
                _ => None,
            },
            _ => None,
        };
        let reached = |name| set.all.iter().any(|a| a.name == name);
        let noted = noted.filter(|&(array, s)| gathered.contains(&s) && !reached(array));
        let Some((_, noted)) = noted else {
            let text = super::text(scheme, operator_before);
            return Answer::no(format!("{text} does not note what is gathered"));
        };
        left.retain(|&s| s != noted);
    }
    if let Some(&first) = left.first() {
        return Answer::no(format!("{} is not noted", author_name(first)));
    }
    Answer::proved("it only gathers, and what was gathered before is noted")
}

/// Whether all that a body gathers into scalars may be gathered in parts, and the parts in their
/// order, to the last bit or, where `rounded`, but for the rounding of REALs.
pub fn totals_in_order(scheme: &Scheme, body: Id, rounded: bool) -> Answer {
    for (name, gather) in super::gathered_scalars(scheme, body) {
        let real = scheme.variable(name).is_some_and(|v| match gather {
            Gather::Sum => v.ty.component().is_real(),
            Gather::Product => v.ty.is_real(),
            _ => false,
        });
        let answer = gathers_in_order(scheme, name, body);
        if !(answer.is_yes() || rounded && real) {
            return answer;
        }
    }
    Answer::proved("parts of it may be gathered by themselves")
}
