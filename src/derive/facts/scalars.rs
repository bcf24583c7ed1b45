//! Scalars of DATA: which ones the host assigns in loops, and which values of them nobody reads.

use super::super::host::{SchemeHost, decided};
use super::call::{Call, Rest, facts, functions};
use super::device::{has_launches, launches_only};
use super::gather::gathered_or_found;
use super::{Fact, Function};
use crate::algebra::{Operator, is_loop, names, operator, operators};
use crate::analysis::{self, Answer as Known, accesses, names_in};
use crate::check::{Role, Scheme, Variable};
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};
use rustc_hash::FxHashSet;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        is_working "s: DATA declares it, and it is no parameter";
        set_first "s, A: A, a loop, reads s in no round before it sets it there";
        unread "s: nothing that may come after this place, the next round of a loop around or the caller, reads its value";
        waited_for "A: in A the host assigns nothing between launches and the wait for them";
        all_done "A…: no launch may run on the device where the host has come to the place and done A…";
        fetches "A: in A the host reads an array that launches in A write";
        hosts "A: a loop with launches in which the host does something else, too";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        set_by_host "A: the first scalar of DATA or LOCAL from outside, in the order of the text, that A, a loop, assigns, and no launch in A";
        private_to_rounds "A: the first scalar of DATA, in the order of the text, that A, a loop, sets in each round before it reads it there, and that nothing reads after A; no launch in A assigns it";
        gathered_of_data "A: the scalars that A gathers into, and those that it finds with a minimum or maximum, which DATA declares, or a LOCAL outside of the loop around";
        run_of_host "A…: the longest run of the operators, from the first on, that a kernel could do, that declares nothing for those after it, and that writes a cell";
        after_run_of_host "A…: the operators after it";
    ]
}

fn is_working(call: &mut Call<'_>, name: Symbol) -> Answer {
    let variable = call.scheme().variable(name);
    decided(
        variable.is_some_and(is_working_scalar),
        "DATA declares it",
        "DATA does not declare it, or it is a parameter",
    )
}

/// Whether a variable is a scalar of DATA that may be assigned.
fn is_working_scalar(variable: &Variable) -> bool {
    let parameter = matches!(variable.role, Role::Parameter { .. });
    variable.is_data() && !parameter && !variable.is_array()
}

/// Whether a variable is one, or a LOCAL that is declared outside of an operator.
fn is_from_outside(scheme: &Scheme, body: Id, name: Symbol) -> bool {
    let Some(variable) = scheme.variable(name) else {
        return false;
    };
    let declares = |t: Id| matches!(operator(&scheme.terms, t), Some(Operator::Local { name: n, .. }) if n == name);
    is_working_scalar(variable)
        || variable.role == Role::Local && !scheme.terms.subterms(body).any(declares)
}

fn unread(call: &mut Call<'_>, name: Symbol) -> Answer {
    decided(
        !analysis::live_after(call.scheme(), call.at.path, name),
        "nothing reads its value after",
        "it is a result, or may be read after",
    )
}

fn set_first(call: &mut Call<'_>, name: Symbol, body: Id) -> Answer {
    decided(
        !analysis::reads_before_setting(call.scheme(), body, name),
        "each round sets it first",
        "a round may read it before it sets it",
    )
}

fn waited_for(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    // The second round begins as the first one ends.
    let end = pending(scheme, body, false).and_then(|end| pending(scheme, body, end));
    decided(
        end.is_some(),
        "the host waits for launches before it assigns anything",
        "the host assigns something while launches may run",
    )
}

/// Whether launches may run after an operator, or None if the host may assign something while any run.
fn pending(scheme: &Scheme, id: Id, before: bool) -> Option<bool> {
    match operator(&scheme.terms, id) {
        Some(Operator::Launch { .. }) => Some(true),
        Some(Operator::Wait(point)) => Some(before && analysis::is_control_point(scheme, point)),
        Some(Operator::Empty | Operator::Local { .. }) => Some(before),
        Some(Operator::Then(parts)) => {
            let next = |before, &part: &Id| pending(scheme, part, before);
            parts.iter().try_fold(before, next)
        }
        Some(Operator::Array { body, .. }) => pending(scheme, body, before),
        Some(Operator::If { yes, no, .. }) => {
            Some(pending(scheme, yes, before)? | pending(scheme, no, before)?)
        }
        Some(Operator::For { body, .. } | Operator::While { body, .. }) => {
            let first = pending(scheme, body, before)?;
            // A second round differs from the first only where that leaves launches that there were none of before.
            match first && !before {
                true => pending(scheme, body, true),
                false => Some(before | first),
            }
        }
        _ => (!before && !has_launches(scheme, id)).then_some(false),
    }
}

fn all_done(call: &mut Call<'_>, Rest(parts): Rest<0>) -> Answer {
    let done = running_after(call, &parts) == Some(false);
    decided(
        done,
        "no launch runs there",
        "a launch may run there, or the host does something while one does",
    )
}

/// Whether launches may run where the host comes to the place and has done some operators, or None if the host may
/// assign something before it while any run.
fn running_after(call: &Call<'_>, parts: &[Id]) -> Option<bool> {
    let scheme = call.scheme();
    let spine = call.spine();
    let mut running = false;
    for (&id, &step) in spine.iter().zip(&call.at.path.0) {
        match operator(&scheme.terms, id) {
            Some(Operator::Then(all)) => {
                for &before in all.get(..step as usize)? {
                    running = pending(scheme, before, running)?;
                }
            }
            Some(Operator::For { body, .. } | Operator::While { body, .. }) => {
                running |= pending(scheme, body, running)?;
            }
            _ => {}
        }
    }
    let next = |before, &part: &Id| pending(scheme, part, before);
    parts.iter().try_fold(running, next)
}

fn fetches(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let (mut read, mut written) = (FxHashSet::default(), FxHashSet::default());
    let mut work = vec![body];
    while let Some(id) = work.pop() {
        match operator(&scheme.terms, id) {
            Some(Operator::Launch { .. }) => {
                let set = accesses(scheme, id);
                written.extend(set.all.iter().filter(|a| a.write).map(|a| a.name));
            }
            Some(Operator::Assign { target, value }) => {
                read.extend(names_in(scheme, value));
                // Subscripts are read.
                let cell = scheme.terms.args(target).iter().skip(1);
                read.extend(cell.flat_map(|&subscript| names_in(scheme, subscript)));
            }
            Some(_) => work.extend(scheme.terms.args(id)),
            None => read.extend(names_in(scheme, id)),
        }
    }
    let is_array = |name: &Symbol| scheme.variable(*name).is_some_and(Variable::is_array);
    decided(
        written.intersection(&read).any(is_array),
        "the host reads what launches write",
        "the host reads nothing that launches write",
    )
}

fn hosts(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let inner = match operator(&scheme.terms, body) {
        Some(Operator::For { body, .. } | Operator::While { body, .. }) => Some(body),
        _ => None,
    };
    decided(
        inner.is_some_and(|b| has_launches(scheme, b) && !launches_only(scheme, b)),
        "the host does something else there",
        "it is no loop with launches in which the host does something else",
    )
}

fn gathered_of_data(call: &mut Call<'_>, body: Id) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    let mut names = gathered_or_found(scheme, body);
    // Of no use to a loop that is in none are LOCALs, one of which the rule makes.
    let mut around = call.spine().into_iter().rev().skip(1);
    let around = around.find(|&t| is_loop(&scheme.terms, t));
    names.retain(|&name| match around {
        Some(around) => is_from_outside(scheme, around, name),
        None => scheme.variable(name).is_some_and(is_working_scalar),
    });
    match names.is_empty() {
        true => Err("it gathers into no scalar from outside".into()),
        false => Ok(call.atoms(names)),
    }
}

fn run_of_host(call: &mut Call<'_>, Rest(operators): Rest<1>) -> Result<Vec<Id>, String> {
    let count = length_of_run(call, &operators);
    match count {
        0 => Err("a kernel cannot do it, or it writes no cell".into()),
        _ => Ok(operators[..count].to_vec()),
    }
}

fn after_run_of_host(call: &mut Call<'_>, Rest(operators): Rest<1>) -> Vec<Id> {
    let count = length_of_run(call, &operators);
    operators[count..].to_vec()
}

fn length_of_run(call: &mut Call<'_>, operators: &[Id]) -> usize {
    let own: Vec<Id> = operators.iter().map(|&o| call.own(o)).collect();
    let SchemeHost { scheme, found, .. } = &mut *call.host;
    if let Some(&known) = found.runs.get(&own) {
        return known;
    }
    let length = length_in(scheme, &own);
    found.runs.insert(own, length);
    length
}

fn length_in(scheme: &Scheme, own: &[Id]) -> usize {
    let mut declared: Vec<Symbol> = Vec::new();
    // How many of them declare nothing for the others, and the last one that uses what was declared.
    let (mut closed, mut last_use) = (0, 0);
    for (number, &id) in own.iter().enumerate() {
        if !matches!(analysis::device_ok(scheme, id, &declared), Known::Yes(..)) {
            break;
        }
        if let Some(Operator::Local { name, .. }) = operator(&scheme.terms, id) {
            declared.push(name);
            let uses = |&other: &Id| names(&scheme.terms, other).any(|n| n == name);
            let last = own.iter().rposition(uses).unwrap_or(number);
            last_use = last_use.max(last);
        }
        if last_use <= number {
            closed = number + 1;
        }
    }
    let writes = |&id: &Id| {
        let cell = |name: Symbol| scheme.variable(name).is_some_and(Variable::is_array);
        accesses(scheme, id)
            .all
            .iter()
            .any(|a| a.write && cell(a.name))
    };
    match own[..closed].iter().any(writes) {
        true => closed,
        false => 0,
    }
}

fn set_by_host(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    if !is_loop(&scheme.terms, body) {
        return Err("it is no loop".into());
    }
    let SchemeHost {
        scheme,
        set_by_host,
        ..
    } = &mut *call.host;
    let known = set_by_host.entry(body);
    match *known.or_insert_with(|| first_set_by_host(scheme, body)) {
        Some(name) => Ok(call.terms.atom(name)),
        None => Err("it assigns no such scalar".into()),
    }
}

/// What an ATOMIC gives a value from before to, which only a LOCAL can take.
fn takes_value_from_before(scheme: &Scheme, body: Id, name: Symbol) -> bool {
    operators(&scheme.terms, body).any(|id| match operator(&scheme.terms, id) {
        Some(Operator::Atomic { was: Some(was), .. }) => scheme.terms.as_atom(was) == Some(name),
        _ => false,
    })
}

fn first_set_by_host(scheme: &Scheme, body: Id) -> Option<Symbol> {
    let launched = set_by_launches(scheme, body);
    let set = accesses(scheme, body).all.into_iter().find(|a| {
        a.write
            && !launched.contains(&a.name)
            && is_from_outside(scheme, body, a.name)
            && !takes_value_from_before(scheme, body, a.name)
    });
    set.map(|access| access.name)
}

fn private_to_rounds(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    let scheme = call.scheme();
    if !is_loop(&scheme.terms, body) {
        return Err("it is no loop".into());
    }
    let launched = set_by_launches(scheme, body);
    let mut asked: FxHashSet<Symbol> = FxHashSet::default();
    let is_private = |name: Symbol| {
        scheme.variable(name).is_some_and(is_working_scalar)
            && !launched.contains(&name)
            && !takes_value_from_before(scheme, body, name)
            && !analysis::reads_before_setting(scheme, body, name)
            && !analysis::live_after(scheme, call.at.path, name)
    };
    let set = accesses(scheme, body).all.into_iter();
    let found = set
        .filter(|a| a.write)
        .find(|a| asked.insert(a.name) && is_private(a.name));
    match found {
        Some(access) => Ok(call.terms.atom(access.name)),
        None => Err("it assigns no scalar that each round has to itself".into()),
    }
}

/// What launches assign. Of a scalar of the host, each of their threads has a copy.
fn set_by_launches(scheme: &Scheme, body: Id) -> FxHashSet<Symbol> {
    let terms = &scheme.terms;
    let launches = terms
        .subterms(body)
        .filter(|&t| matches!(operator(terms, t), Some(Operator::Launch { .. })));
    let accesses = launches.flat_map(|t| accesses(scheme, t).all);
    accesses.filter(|a| a.write).map(|a| a.name).collect()
}
