//! Expressions and sequences of operators: what is computed twice, and where it is used.

use super::super::parts::{mentions, type_of};
use super::super::simplify::simplify as simplified;
use super::Function;
use super::call::{Call, Rest, functions};
use crate::algebra::{
    Binary, Construct, Expr, FUNCTIONS, Operator, Signature, build, expr, operator, signature,
};
use crate::analysis;
use crate::check::{Scheme, author_name};
use crate::rewrite::substitute;
use crate::term::{Id, Symbol, Terms};

pub(super) fn functions() -> Vec<Function> {
    functions![
        common_part "A…: the largest expression that is computed more than once in the sequence A…, from values that it does not change; none if there is no such one";
        written_out "e, A…: e with the LOCALs that the sequence A… declares written out as their values, where these have the types of the LOCALs";
        before_use "e, A: the operators of the sequence A before the first one with e in it";
        from_use "e, A: the operators of the sequence A from the first one with e in it";
        distinct "e…: the expressions, each once";
        quick "f: the function whose values are near to those of f, a function of one number, and quicker to have";
        sum "e…: their sum, from the left";
        simplify "integer expressions in a simple form";
    ]
}

fn common_part(call: &mut Call<'_>, Rest(parts): Rest<1>) -> Result<Vec<Id>, String> {
    let own: Vec<Id> = parts.iter().map(|&p| call.own(p)).collect();
    let Some(found) = largest_common(call.scheme(), &own) else {
        return Ok(Vec::new());
    };
    // The engine's own node for it, whose type is known.
    let mut all = parts.iter().flat_map(|&p| call.terms.subterms(p));
    let node = all.find(|&e| call.host.known(e) == Some(found));
    Ok(vec![node.ok_or("it is not part of the scheme")?])
}

fn written_out(call: &mut Call<'_>, e: Id, Rest(locals): Rest<0>) -> Result<Id, String> {
    let mut written = e;
    for &local in locals.iter().rev() {
        let Some(Operator::Local { name, value, .. }) = operator(call.terms, local) else {
            return Err("one of the operators is not a LOCAL".into());
        };
        let atom = call.terms.atom(name);
        if !mentions(call.terms, written, atom) {
            continue;
        }
        let own = call.own(value);
        let ty = call.scheme().variable(name).map(|v| v.ty);
        if ty.is_none() || type_of(call.scheme(), own) != ty {
            let name = author_name(name);
            return Err(format!(
                "the value of {name} is converted where it is declared"
            ));
        }
        written = substitute(call.terms, written, atom, value);
    }
    Ok(written)
}

/// The operators of a sequence, and how many of them stand before the first with an expression in it.
fn parted(terms: &Terms, e: Id, sequence: Id) -> (Vec<Id>, usize) {
    let parts = terms.args(sequence).to_vec();
    let first = parts.iter().position(|&p| mentions(terms, p, e));
    let first = first.unwrap_or(parts.len());
    (parts, first)
}

fn before_use(call: &mut Call<'_>, e: Id, sequence: Id) -> Vec<Id> {
    let (mut parts, first) = parted(call.terms, e, sequence);
    parts.truncate(first);
    parts
}

fn from_use(call: &mut Call<'_>, e: Id, sequence: Id) -> Vec<Id> {
    let (parts, first) = parted(call.terms, e, sequence);
    parts[first..].to_vec()
}

fn quick(call: &mut Call<'_>, function: Id) -> Result<Id, String> {
    let name = call.terms.as_atom(function);
    let exact = name
        .and_then(signature)
        .filter(|of| matches!(of, Signature::Real(_)));
    let near = exact.and_then(|exact| FUNCTIONS.iter().find(|f| f.signature.near() == Some(exact)));
    match near {
        Some(near) => Ok(call.terms.atom(Symbol::new(near.name))),
        None => Err("there is no quicker function that is near to it".into()),
    }
}

fn distinct(call: &mut Call<'_>, Rest(all): Rest<0>) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    for e in all {
        if !found.iter().any(|&f| call.terms.equal(f, e)) {
            found.push(e);
        }
    }
    found
}

fn sum(call: &mut Call<'_>, first: Id, Rest(rest): Rest<0>) -> Id {
    let plus = Construct::Plus.symbol();
    let add = |sum, e| build(call.terms, plus, &[sum, e]);
    rest.into_iter().fold(first, add)
}

fn simplify(call: &mut Call<'_>, Rest(all): Rest<1>) -> Vec<Id> {
    let simple = |e| simplified(&call.host.scheme, call.terms, e);
    all.into_iter().map(simple).collect()
}

/// The largest expression that stands more than once in the operators of a sequence, outside of
/// branches and loops, and reads nothing that the sequence writes.
fn largest_common(scheme: &Scheme, parts: &[Id]) -> Option<Id> {
    let terms = &scheme.terms;
    let mut found: Vec<Id> = Vec::new();
    for &part in parts {
        if let Some(Operator::Local { value, .. } | Operator::Assign { value, .. }) =
            operator(terms, part)
        {
            // A product that is added to something costs nothing more there.
            let added = |e: Id| {
                let is_sum = |t: Id| {
                    let functor = terms.functor(t).and_then(Construct::of);
                    matches!(functor, Some(Construct::Plus | Construct::Minus))
                };
                let product = terms.functor(e) == Some(Construct::Times.symbol());
                product
                    && terms
                        .subterms(value)
                        .any(|t| is_sum(t) && terms.args(t).contains(&e))
            };
            let all = surely_computed(terms, value).into_iter();
            found.extend(all.filter(|&e| computes(scheme, e) && !added(e)));
        }
    }
    let mut written: Vec<Symbol> = Vec::new();
    for &part in parts {
        let set = analysis::accesses(scheme, part);
        written.extend(set.all.iter().filter(|a| a.write).map(|a| a.name));
    }
    let unchanged = |e: Id| {
        !terms
            .subterms(e)
            .any(|t| terms.as_atom(t).is_some_and(|n| written.contains(&n)))
    };
    let mut best: Option<(usize, Id)> = None;
    for (k, &e) in found.iter().enumerate() {
        let size = terms.subterms(e).count();
        if best.is_none_or(|(most, _)| size > most)
            && found[k + 1..].iter().any(|&f| terms.equal(e, f))
            && unchanged(e)
        {
            best = Some((size, e));
        }
    }
    best.map(|(_, e)| e)
}

/// The parts of an expression that are computed whatever happens: none of those of which `select`
/// takes one, and none behind AND and OR.
fn surely_computed(terms: &Terms, e: Id) -> Vec<Id> {
    let mut found = Vec::new();
    let mut work = vec![e];
    while let Some(id) = work.pop() {
        found.push(id);
        match expr(terms, id) {
            Some(Expr::Binary {
                op: Binary::And | Binary::Or,
                left,
                ..
            }) => work.push(left),
            Some(Expr::Apply {
                function,
                arguments: &[condition, _, _],
            }) if signature(function) == Some(Signature::Select) => work.push(condition),
            _ => work.extend(terms.args(id).iter().rev()),
        }
    }
    found
}

/// Whether an expression is real arithmetic worth keeping.
fn computes(scheme: &Scheme, e: Id) -> bool {
    let arithmetic = matches!(
        expr(&scheme.terms, e),
        Some(Expr::Binary { .. } | Expr::Apply { .. })
    );
    arithmetic && type_of(scheme, e).is_some_and(|t| t.component().is_real())
}
