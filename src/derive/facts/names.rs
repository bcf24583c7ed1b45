//! Names that nothing has, and terms with such names in place of cells.

use super::super::parts::type_of;
use super::Function;
use super::call::{Call, Rest, functions};
use crate::algebra::{Construct, Expr, build, expr};
use crate::check::author_name;
use crate::rewrite::substitute;
use crate::syntax::rules::print_term_short;
use crate::term::{Id, Symbol, Terms};

pub(super) fn functions() -> Vec<Function> {
    functions![
        fresh "a name that nothing has, made from a text";
        named "a name that no variable has, made from a text and the name of a cell's array";
        beside "x, word: a name that nothing has, made of both; for the same two the same";
        in_arrays "A, text, dims, x…: A within an array named(text, x) of the type of x, for each variable";
        kept "A, text, cells…: A with each cell as the variable named(text, cell)";
        kept_at "A, text, k, cells…: A with each cell as cell k of the array named(text, cell)";
    ]
}

fn fresh(call: &mut Call<'_>, base: Symbol) -> Id {
    let made = call.host.unused_name(base);
    call.terms.atom(made)
}

fn beside(call: &mut Call<'_>, name: Symbol, word: Symbol) -> Id {
    let made = call.host.beside(name, word);
    call.terms.atom(made)
}

/// The same name in all of a step for the same cell.
pub(super) fn named(call: &mut Call<'_>, text: Symbol, cell: Id) -> Result<Id, String> {
    let terms = &*call.terms;
    let (whole, field) = match expr(terms, cell) {
        Some(Expr::Field { vector, field }) => (vector, Some(field)),
        _ => (cell, None),
    };
    let array = match terms.arity(whole) {
        0 => whole,
        _ => terms.arg(whole, 0),
    };
    let array = terms
        .as_atom(array)
        .ok_or("it is not a variable and no cell")?;
    let mut base = format!("{text}_{}", author_name(array));
    // Cells of one array often differ in a literal.
    for &subscript in terms.args(whole).iter().skip(1) {
        if let Some(k) = terms.as_int(subscript) {
            base.push_str(&format!("_{k}"));
        }
    }
    if let Some(field) = field {
        base.push_str(&format!("_{field}"));
    }
    let spelled = Symbol::new(&print_term_short(terms, cell, usize::MAX));
    let name = call.host.name_for((text, spelled), &base);
    Ok(call.terms.atom(name))
}

fn in_arrays(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    dims: Id,
    Rest(variables): Rest<0>,
) -> Result<Id, String> {
    let mut made = body;
    for &variable in variables.iter().rev() {
        let name = named(call, text, variable)?;
        let own = call.own(variable);
        let ty = type_of(call.scheme(), own).ok_or("it has no type")?;
        let ty = ty.name(call.scheme().precision);
        let parts = [name, call.terms.atom(ty.into()), dims, made];
        made = build(call.terms, Construct::Array.symbol(), &parts);
    }
    Ok(made)
}

fn kept(call: &mut Call<'_>, body: Id, text: Symbol, Rest(cells): Rest<0>) -> Result<Id, String> {
    with_names(call, body, (text, None), cells, substitute)
}

fn kept_at(
    call: &mut Call<'_>,
    body: Id,
    text: Symbol,
    k: Id,
    Rest(cells): Rest<0>,
) -> Result<Id, String> {
    with_names(call, body, (text, Some(k)), cells, substitute)
}

/// A term with something made of each cell and of the variable `named(text, cell)`, or of cell k of that array.
pub(super) fn with_names(
    call: &mut Call<'_>,
    body: Id,
    (text, k): (Symbol, Option<Id>),
    cells: Vec<Id>,
    make: fn(&mut Terms, Id, Id, Id) -> Id,
) -> Result<Id, String> {
    let mut new = body;
    for cell in cells {
        let name = named(call, text, cell)?;
        let place = match k {
            Some(k) => build(call.terms, Construct::Index.symbol(), &[name, k]),
            None => name,
        };
        new = make(call.terms, new, cell, place);
    }
    Ok(new)
}
