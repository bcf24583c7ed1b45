//! Types of variables, cells and expressions, and the signs of numbers.

use super::super::host::decided;
use super::super::parts;
use super::call::{Call, Rest, facts, functions};
use super::signs::{Sign, sign};
use super::{Fact, Function};
use crate::algebra::{Binary, COMPONENTS, Construct, Expr, Type, build, expr};
use crate::check::{Role, Scheme};
use crate::rewrite::{Answer, Evidence, Status};
use crate::term::{Id, Symbol};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        is_number "it is an integer literal";
        same_type "two variables or cells have the same type";
        is_real "e…: they are REALs of one type, no vectors";
        is_plainly_real "e…: they are REALs wherever they stand: no literals, and of no other type";
        is_float "e…: they are REALs or vectors";
        is_narrow "e…: they are REALs of 32 bits, no vectors";
        is_vector "e: it is a vector";
        is_scaled "k, v, w: k is a number and v, w are vectors of its kind";
        is_component "v, a: a is of the type of v's components";
        is_widest "x, e…: x is of the type of the components of vector(e…) wherever it stands, so no literal";
        is_as_wide "v, e…: no number and no vector of e… has components of a wider type than v, a vector";
        is_integer32 "i: it is an INTEGER";
        is_local "x: it is the name of a LOCAL";
        positive "e: it is above 0, or not a number";
        nonnegative "e: it is not below 0, or not a number";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        type_of "the type of a variable, a cell or an expression of the scheme";
        component_type "v: the type of the components of v, a vector or a number";
        as_component "x, e…: x as a REAL of the type of the components of vector(e…)";
        something "x, c: that c, of the type of a cell of the array x, is not 0: for vectors, that one of its components is not";
        nothing "x: 0, FALSE or a vector of zeros, of the type of x";
    ]
}

fn is_number(call: &mut Call<'_>, e: Id) -> Answer {
    decided(
        call.scheme().terms.as_int(e).is_some(),
        "it is a number",
        "it is not a number",
    )
}

fn same_type(call: &mut Call<'_>, a: Id, b: Id) -> Answer {
    let (a, b) = (
        parts::type_of(call.scheme(), a),
        parts::type_of(call.scheme(), b),
    );
    decided(
        a.is_some() && a == b,
        "both have the same type",
        "they have different types",
    )
}

fn is_real(call: &mut Call<'_>, Rest(all): Rest<1>) -> Answer {
    let ty = |&e: &Id| parts::type_of(call.scheme(), e);
    let first = ty(&all[0]);
    decided(
        first.is_some_and(Type::is_real) && all.iter().all(|e| ty(e) == first),
        "REALs of one type",
        "not REALs of one type",
    )
}

fn is_plainly_real(call: &mut Call<'_>, Rest(all): Rest<0>) -> Answer {
    let scheme = call.scheme();
    decided(
        all.iter().all(|&e| says_it_is_real(scheme, e)),
        "REALs wherever they stand",
        "not all of them are REALs wherever they stand",
    )
}

/// Whether an expression is a REAL of the chosen precision wherever it stands.
fn says_it_is_real(scheme: &Scheme, e: Id) -> bool {
    says_its_type(scheme, e) && parts::type_of(scheme, e) == Some(scheme.precision.real())
}

/// Whether an expression has its type wherever it stands: literals take that of what stands beside them.
fn says_its_type(scheme: &Scheme, e: Id) -> bool {
    let terms = &scheme.terms;
    terms.subterms(e).any(|t| {
        matches!(
            expr(terms, t),
            Some(Expr::Name(_) | Expr::Index { .. } | Expr::Apply { .. } | Expr::Field { .. })
        )
    })
}

/// The type of the components of a vector that is made of numbers; none where one of theirs is not known.
/// Literals of the scheme have it already.
fn component_of(scheme: &Scheme, all: &[Id]) -> Option<Type> {
    let mut widest = Type::Unknown;
    for &e in all {
        widest = widest.join(parts::type_within(scheme, e)?)?;
    }
    match widest {
        t if t.is_real() => Some(t),
        t if t.is_integer() => Some(scheme.precision.real()),
        _ => None,
    }
}

fn is_widest(call: &mut Call<'_>, x: Id, Rest(all): Rest<1>) -> Answer {
    let scheme = call.scheme();
    let component = component_of(scheme, &all);
    decided(
        component.is_some()
            && says_its_type(scheme, x)
            && parts::type_within(scheme, x) == component,
        "of the type of the vector's components",
        "not of the type of the vector's components",
    )
}

fn is_as_wide(call: &mut Call<'_>, v: Id, Rest(all): Rest<1>) -> Answer {
    let scheme = call.scheme();
    let wide = parts::type_within(scheme, v).filter(|t| t.is_vector());
    let wide = wide.map(Type::component);
    let fits = |e: &Id| {
        let own = parts::type_within(scheme, *e).map(Type::component);
        own.is_some_and(|own| wide.is_some_and(|wide| own.widens_to(wide)))
    };
    decided(
        all.iter().all(fits),
        "no type is wider than that of the vector's components",
        "a type may be wider than that of the vector's components",
    )
}

fn is_float(call: &mut Call<'_>, Rest(all): Rest<1>) -> Answer {
    let is_float =
        |&e: &Id| parts::type_of(call.scheme(), e).is_some_and(|t| t.component().is_real());
    decided(
        all.iter().all(is_float),
        "REALs or vectors",
        "no REAL and no vector",
    )
}

fn is_narrow(call: &mut Call<'_>, Rest(expressions): Rest<1>) -> Answer {
    let scheme = call.scheme();
    let narrow = |&e: &Id| parts::type_of(scheme, e) == Some(Type::F32);
    decided(
        expressions.iter().all(narrow),
        "they have 32 bits",
        "one of them is no REAL of 32 bits",
    )
}

fn is_vector(call: &mut Call<'_>, e: Id) -> Answer {
    decided(
        parts::type_of(call.scheme(), e).is_some_and(|t| t.components() > 1),
        "it is a vector",
        "it is not a vector",
    )
}

/// Whether a type is that of vectors whose components are of another type.
fn is_vector_of(vector: Option<Type>, component: Option<Type>) -> bool {
    vector.is_some_and(|v| v.components() > 1 && Some(v.component()) == component)
}

fn is_scaled(call: &mut Call<'_>, k: Id, v: Id, w: Id) -> Answer {
    let [k, v, w] = [k, v, w].map(|e| parts::type_of(call.scheme(), e));
    decided(
        v == w && is_vector_of(v, k),
        "a number and two vectors of its kind",
        "not a number and two vectors of its kind",
    )
}

fn is_component(call: &mut Call<'_>, v: Id, a: Id) -> Answer {
    let [v, a] = [v, a].map(|e| parts::type_of(call.scheme(), e));
    decided(
        is_vector_of(v, a),
        "of the type of the vector's components",
        "not of the type of the vector's components",
    )
}

fn is_integer32(call: &mut Call<'_>, e: Id) -> Answer {
    decided(
        parts::type_of(call.scheme(), e) == Some(Type::I32),
        "it is an INTEGER",
        "it is not an INTEGER",
    )
}

fn is_local(call: &mut Call<'_>, e: Id) -> Answer {
    let scheme = call.scheme();
    let variable = scheme.terms.as_atom(e).and_then(|n| scheme.variable(n));
    decided(
        variable.is_some_and(|v| v.role == Role::Local && !v.is_array()),
        "it is a LOCAL",
        "it is not a LOCAL",
    )
}

fn positive(call: &mut Call<'_>, e: Id) -> Answer {
    let holds = sign(call.scheme(), e) == Some(Sign::Positive);
    shown(
        holds,
        "it is above 0 by what it is made of",
        "it was not shown to be above 0",
    )
}

fn nonnegative(call: &mut Call<'_>, e: Id) -> Answer {
    let holds = sign(call.scheme(), e).is_some();
    shown(
        holds,
        "it is not below 0 by what it is made of",
        "it was not shown not to be below 0",
    )
}

fn shown(holds: bool, yes: &str, unknown: &str) -> Answer {
    match holds {
        true => decided(true, yes, ""),
        false => Answer::Unknown(Evidence::new(Status::Decided, unknown)),
    }
}

fn type_of(call: &mut Call<'_>, e: Id) -> Result<Id, String> {
    let own = call.own(e);
    let ty = parts::type_of(call.scheme(), own).ok_or("it has no type")?;
    let name = ty.name(call.scheme().precision);
    Ok(call.terms.atom(name.into()))
}

fn component_type(call: &mut Call<'_>, e: Id) -> Result<Id, String> {
    let own = call.own(e);
    let ty = parts::type_of(call.scheme(), own).ok_or("it has no type")?;
    let name = ty.component().name(call.scheme().precision);
    Ok(call.terms.atom(name.into()))
}

fn as_component(call: &mut Call<'_>, x: Id, Rest(all): Rest<1>) -> Result<Id, String> {
    let own: Vec<Id> = all.into_iter().map(|e| call.own(e)).collect();
    let scheme = call.scheme();
    let ty = component_of(scheme, &own).ok_or("its type is not known")?;
    let function = match ty {
        ty if ty == scheme.precision.real() => "real",
        Type::F32 => "real32",
        _ => "real64",
    };
    let function = call.terms.atom(function.into());
    Ok(build(call.terms, Construct::Apply.symbol(), &[function, x]))
}

fn something(call: &mut Call<'_>, array: Symbol, cell: Id) -> Result<Id, String> {
    let variable = call.scheme().variable(array);
    let ty = variable.map(|v| v.ty).ok_or("it is no variable")?;
    let terms = &mut *call.terms;
    let zero = terms.int(0);
    let parts: Vec<Id> = match ty {
        Type::Vector(n, _) => COMPONENTS[..n.into()]
            .iter()
            .map(|&field| {
                let field = terms.atom(Symbol::new(field));
                build(terms, Construct::Field.symbol(), &[cell, field])
            })
            .collect(),
        _ => vec![cell],
    };
    let differ = parts.into_iter().map(|part| {
        let differs = Binary::NotEqual.construct().symbol();
        build(terms, differs, &[part, zero])
    });
    let differ: Vec<Id> = differ.collect();
    let or = |one, other: Id| build(terms, Binary::Or.construct().symbol(), &[one, other]);
    differ
        .into_iter()
        .reduce(or)
        .ok_or_else(|| "it has no components".into())
}

fn nothing(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let own = call.own(cell);
    let ty = parts::type_of(call.scheme(), own).ok_or("it has no type")?;
    let terms = &mut *call.terms;
    let zero = match ty {
        Type::Bool => terms.atom(Construct::False.symbol()),
        _ => terms.int(0),
    };
    Ok(match ty {
        Type::Vector(n, _) => {
            let mut parts = vec![terms.atom("vector".into())];
            parts.extend(std::iter::repeat_n(zero, n.into()));
            build(terms, Construct::Apply.symbol(), &parts)
        }
        _ => zero,
    })
}
