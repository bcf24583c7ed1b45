//! Vectors and their components.

use super::super::host::decided;
use super::super::parts::{mentions, type_of};
use super::call::{Call, Rest, facts, functions};
use super::{Fact, Function};
use crate::algebra::{
    Binary, COMPONENTS, Construct, Exchange, Expr, Operator, Signature, Type, build, expr,
    operator, signature,
};
use crate::analysis;
use crate::check::{Scheme, author_name};
use crate::rewrite::{Answer, Evidence, Status, substitute};
use crate::term::{Head, Id, Symbol, Terms};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        keeps_components "v, e: each component of e is made from the same component of v, or from none";
        by_components "v, A…: the operators only read the vector, assign components of it, or pass it round a warp";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        fields "the names of a vector's components";
        components "x…: the components of each variable or cell that is a vector, and those that are none";
        pick "f, e…: of the expressions that a vector is made of, that of the component f";
        in_components "A, v: A with each component v.f as the variable beside(v, f), and these for v in lists of names";
    ]
}

fn keeps_components(call: &mut Call<'_>, v: Id, e: Id) -> Answer {
    decided(
        keeps(call.scheme(), v, e),
        "each component is made from the same one, or from none",
        "a component may be made from another one",
    )
}

/// Whether each component of an expression is made from the same component of a vector, or of none.
fn keeps(scheme: &Scheme, v: Id, e: Id) -> bool {
    let terms = &scheme.terms;
    if !mentions(terms, e, v) || terms.equal(e, v) {
        return true;
    }
    let parts = match expr(terms, e) {
        Some(Expr::Negate(a)) => vec![a],
        Some(Expr::Binary {
            op: Binary::Plus | Binary::Minus | Binary::Times | Binary::Div,
            left,
            right,
        }) => vec![left, right],
        Some(Expr::Apply {
            function,
            arguments: &[a, b, c],
        }) if matches!(
            signature(function),
            Some(Signature::Fma | Signature::Select)
        ) =>
        {
            vec![a, b, c]
        }
        _ => return false,
    };
    // A number or a condition that is made from the vector is made from all of its components.
    let is_vector = |e: Id| type_of(scheme, e).is_some_and(|t| t.components() > 1);
    let part_keeps = |&e: &Id| !mentions(terms, e, v) || is_vector(e) && keeps(scheme, v, e);
    is_vector(e) && parts.iter().all(part_keeps)
}

fn by_components(call: &mut Call<'_>, name: Symbol, Rest(operators): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let shown = author_name(name);
    for &body in &operators {
        if let Some(unknown) = analysis::accesses(scheme, body).unknown {
            let what = analysis::text(scheme, unknown);
            return Answer::Unknown(Evidence::new(
                Status::Decided,
                format!("what {what} does is not known"),
            ));
        }
        let assigned_whole = terms.subterms(body).any(|id| match operator(terms, id) {
            Some(Operator::Assign { target, .. }) => terms.as_atom(target) == Some(name),
            Some(Operator::Atomic { target, .. }) => root(terms, target) == Some(name),
            _ => false,
        });
        if assigned_whole {
            return decided(false, "", format!("{shown} is assigned as a whole"));
        }
    }
    decided(
        true,
        format!("{shown} is read, assigned by components or passed round a warp"),
        "",
    )
}

/// The variable of a place.
fn root(terms: &Terms, place: Id) -> Option<Symbol> {
    match expr(terms, place)? {
        Expr::Name(name) => Some(name),
        Expr::Field { vector, .. } => root(terms, vector),
        _ => None,
    }
}

/// The names of the components of a vector; none of a number.
fn fields_of(call: &mut Call<'_>, vector: Id) -> Vec<Id> {
    let own = call.own(vector);
    let count = type_of(call.scheme(), own).map_or(0, Type::components);
    call.atoms(COMPONENTS[..count].iter().map(|f| Symbol::new(f)))
}

fn component(terms: &mut Terms, vector: Id, field: Id) -> Id {
    build(terms, Construct::Field.symbol(), &[vector, field])
}

fn fields(call: &mut Call<'_>, vector: Id) -> Vec<Id> {
    fields_of(call, vector)
}

fn components(call: &mut Call<'_>, Rest(cells): Rest<0>) -> Vec<Id> {
    let mut all = Vec::new();
    for cell in cells {
        let fields = fields_of(call, cell);
        match fields.len() {
            0 | 1 => all.push(cell),
            _ => all.extend(fields.iter().map(|&f| component(call.terms, cell, f))),
        }
    }
    all
}

fn pick(_: &mut Call<'_>, field: Symbol, Rest(all): Rest<1>) -> Result<Id, String> {
    let at = COMPONENTS.iter().position(|&f| f == field.as_str());
    let found = at.and_then(|at| all.get(at)).copied();
    found.ok_or_else(|| format!("there is no component {field}"))
}

fn in_components(call: &mut Call<'_>, body: Id, vector: Id) -> Result<Id, String> {
    let name = call.terms.as_atom(vector).ok_or("it is not a variable")?;
    let (mut names, mut new) = (Vec::new(), body);
    for field in fields_of(call, vector) {
        let word = call.terms.as_atom(field).ok_or("it is not a component")?;
        let beside = call.host.beside(name, word);
        let beside = call.terms.atom(beside);
        let component = component(call.terms, vector, field);
        new = substitute(call.terms, new, component, beside);
        names.push(beside);
    }
    Ok(in_lists(call.terms, new, vector, &names))
}

/// A term with several names for one in what stands for a list of names.
fn in_lists(terms: &mut Terms, within: Id, name: Id, names: &[Id]) -> Id {
    if terms.arity(within) == 0 {
        return within;
    }
    let args = terms.args(within).to_vec();
    let list = matches!(
        terms.head(within),
        Head::Functor(f) if Construct::of(f).and_then(Exchange::of).is_some()
    );
    let mut new = Vec::with_capacity(args.len());
    for argument in &args {
        match list && terms.equal(*argument, name) {
            true => new.extend_from_slice(names),
            false => new.push(in_lists(terms, *argument, name, names)),
        }
    }
    match (new == args, terms.functor(within)) {
        (false, Some(functor)) => build(terms, functor, &new),
        _ => within,
    }
}
