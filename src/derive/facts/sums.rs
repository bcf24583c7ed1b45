//! Sums: what operators only add to, and what they add.

use super::super::host::decided;
use super::call::{Call, Rest, facts, functions};
use super::scattered::{addition, array_of};
use super::{Fact, Function};
use crate::algebra::{Binary, Construct, Expr, Operator, expr, names, operator, root_name};
use crate::analysis::{self, Answer as Known};
use crate::check::author_name;
use crate::rewrite::Answer;
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        only_added "x, A: all that A does with x, of REALs or VECTORs, is to add to it or subtract from it";
        adds_to "s, e: e is the scalar s, or a component of one, with terms added or subtracted in which s does not occur";
        only_sums "A, i…: A only adds to cells x[i] that it does not read otherwise; further subscripts are the same in all cells of an array, and hold parameters and variables of loops around the place only";
        only_scalar_sums "A: it only adds to scalars of outside that it does not read otherwise";
        only_addend "x, A…: all that they do with the variable x is to add it to cells or to subtract it from them";
        writes_scalars "A: of what is declared outside, it writes scalars only";
        only_reported "A: of what it assigns, and of what is computed from that, nothing but REPORTs tells";
        summed_from_zero "A, B…: the scalars of outside that A writes are LOCALs among the operators B, which start at 0 there and are not reached otherwise";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        gathered_sum "the REAL or VECTOR scalar that the operator only adds to";
        narrow_sums "LOCALs of 32 bits from outside the operator that it only adds to";
        narrow_vector_sums "the same for vectors of components of 32 bits";
        register_sums "n, A: the REGISTERS of n cells from outside A that it only adds to";
        sums_at "i, A: the cells x[i] that A writes, one of each array; i may be one of several subscripts";
        scalar_sums "A: the scalars of outside that A writes";
        other_locals "A, B…: the operators B but for those that declare scalars that A writes";
        addend "x, A: what A adds to x, if the same is added wherever it does";
    ]
}

fn only_added(call: &mut Call<'_>, name: Symbol, body: Id) -> Answer {
    decided(
        analysis::is_real_sum(call.scheme(), name, body),
        "all that is done with it is to add to it",
        "something else is done with it than to add to it",
    )
}

fn adds_to(call: &mut Call<'_>, target: Id, sum: Id) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let scalar = root_name(terms, target)
        .filter(|&name| scheme.variable(name).is_some_and(|v| !v.is_array()));
    let free = |e: Id| scalar.is_some_and(|name| names(terms, e).all(|n| n != name));
    let same = |e: Id| terms.equal(e, target);
    let mut rest = sum;
    while let Some(Expr::Binary {
        op: op @ (Binary::Plus | Binary::Minus),
        left,
        right,
    }) = expr(terms, rest)
    {
        rest = match op {
            Binary::Plus if same(right) && free(left) => right,
            _ if free(right) => left,
            _ => break,
        };
    }
    decided(
        scalar.is_some() && rest != sum && same(rest),
        "it only adds to it",
        "it is not the scalar with terms added that are free of it",
    )
}

fn only_addend(call: &mut Call<'_>, name: Id, Rest(parts): Rest<0>) -> Answer {
    let terms = &call.scheme().terms;
    let is_name = |t: Id| terms.equal(t, name);
    let adds = |target: Id, value: Id| {
        array_of(terms, target).is_some()
            && addition(terms, target, value).is_some_and(|(e, _)| is_name(e))
    };
    let (mut used, mut added) = (0, 0);
    for t in parts.iter().flat_map(|&p| terms.subterms(p)) {
        match operator(terms, t) {
            // Its declaration is no use of it.
            Some(Operator::Local { name: own, .. }) if terms.as_atom(name) == Some(own) => {
                used -= 1
            }
            Some(Operator::Assign { target, value }) if adds(target, value) => added += 1,
            _ => used += i32::from(is_name(t)),
        }
    }
    decided(
        used > 0 && used == added,
        "it is only added to cells, or subtracted",
        match used {
            0 => "it is not used",
            _ => "something else is done with it than to add it to a cell",
        },
    )
}

fn only_sums(call: &mut Call<'_>, body: Id, Rest(variables): Rest<1>) -> Option<Known> {
    let scheme = call.scheme();
    let names = variables.iter().map(|&v| scheme.terms.as_atom(v));
    let names: Vec<Symbol> = names.collect::<Option<_>>()?;
    Some(analysis::only_sums(scheme, call.at.path, body, &names))
}

fn only_scalar_sums(call: &mut Call<'_>, body: Id) -> Known {
    analysis::only_scalar_sums(call.scheme(), body)
}

fn only_reported(call: &mut Call<'_>, body: Id) -> Known {
    let scheme = call.scheme();
    let names = analysis::assigned_in(&scheme.terms, body);
    analysis::only_reported(scheme, &names)
}

fn writes_scalars(call: &mut Call<'_>, body: Id) -> Answer {
    let scheme = call.scheme();
    let set = analysis::accesses(scheme, body);
    let array = set.all.iter().find(|a| {
        let array = scheme.variable(a.name).is_none_or(|v| v.is_array());
        a.write && array && !set.own.contains(&a.name)
    });
    match array {
        None => decided(
            set.unknown.is_none(),
            "it writes no array",
            "not all that it does is known",
        ),
        Some(a) => decided(false, "", format!("it writes {}", a.text(scheme))),
    }
}

fn summed_from_zero(call: &mut Call<'_>, body: Id, Rest(before): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let is_zero = |value: Id| {
        terms.as_int(value) == Some(0)
            || matches!(expr(terms, value), Some(Expr::Real(x)) if x.to_bits() == 0)
    };
    for name in analysis::scalars_written(scheme, body) {
        let start = before.iter().position(|&o| {
            matches!(operator(terms, o),
                Some(Operator::Local { name: n, value, .. }) if n == name && is_zero(value))
        });
        let reaches = |&o: &Id| {
            let set = analysis::accesses(scheme, o);
            set.all.iter().any(|a| a.name == name)
        };
        let mut others = before.iter().enumerate().filter(|(k, _)| Some(*k) != start);
        if start.is_none() || others.any(|(_, o)| reaches(o)) {
            let why = format!("{} does not start at 0 there", author_name(name));
            return decided(false, "", why);
        }
    }
    decided(true, "all that is added to starts at 0", "")
}

fn gathered_sum(call: &mut Call<'_>, body: Id) -> Result<Id, String> {
    let body = call.own(body);
    match analysis::real_sum(call.scheme(), body) {
        Some(sum) => Ok(call.terms.atom(sum)),
        None => Err("it adds to no REAL scalar or VECTOR".into()),
    }
}

fn narrow_sums(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = analysis::narrow_sums(call.scheme(), body, false);
    call.atoms(names)
}

fn narrow_vector_sums(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = analysis::narrow_sums(call.scheme(), body, true);
    call.atoms(names)
}

fn register_sums(call: &mut Call<'_>, size: Id, body: Id) -> Vec<Id> {
    let (size, body) = (call.own(size), call.own(body));
    let names = analysis::register_sums(call.scheme(), size, body);
    call.atoms(names)
}

fn sums_at(call: &mut Call<'_>, var: Symbol, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let cells = analysis::sums_at(call.scheme(), var, body);
    let import = |cell| call.terms.import(&call.host.scheme.terms, cell);
    cells.into_iter().map(import).collect()
}

fn scalar_sums(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let names = analysis::scalars_written(call.scheme(), body);
    call.atoms(names)
}

fn other_locals(call: &mut Call<'_>, body: Id, Rest(mut before): Rest<0>) -> Vec<Id> {
    let body = call.own(body);
    let names = analysis::scalars_written(call.scheme(), body);
    before.retain(|&o| {
        !matches!(operator(call.terms, o), Some(Operator::Local { name, .. }) if names.contains(&name))
    });
    before
}

/// What an operator adds to a variable, if every assignment to it is `x := x + e` with the same `e`.
fn addend(call: &mut Call<'_>, name: Symbol, body: Id) -> Result<Id, String> {
    let terms = &*call.terms;
    let is_name = |id: Id| terms.as_atom(id) == Some(name);
    let mut found: Option<Id> = None;
    for id in terms.subterms(body) {
        let Some(Operator::Assign { target, value }) = operator(terms, id) else {
            continue;
        };
        if !is_name(target) {
            continue;
        }
        let sum = terms.functor(value) == Some(Construct::Plus.symbol());
        let &[left, added] = terms.args(value) else {
            return Err("it is not only added to".into());
        };
        if !sum || !is_name(left) || found.is_some_and(|e| !terms.equal(e, added)) {
            return Err("not the same is added to it everywhere".into());
        }
        found = Some(added);
    }
    found.ok_or_else(|| "nothing is added to it".into())
}
