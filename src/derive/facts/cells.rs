//! Cells of arrays: which ones an operator reads, whether they have values, how many there are.

use super::super::host::decided;
use super::super::parts::{type_of, way_to};
use super::call::{Call, Rest, facts, functions};
use super::{Fact, Function};
use crate::algebra::{
    Binary, Construct, Expr, Extreme, Operator, Signature, Type, build, expr, operator, signature,
};
use crate::analysis::{self, Answer as Known, Place};
use crate::check::{Role, Scheme, Variable, author_name, is_over_parameters};
use crate::rewrite::{Answer, Evidence, Status};
use crate::term::{Id, Path, Symbol, Terms};

pub(super) fn facts() -> Vec<Fact> {
    facts![
        filled "x…: each scalar, and each cell of the arrays, has a value before this place, on every way";
        filled_before_loop "A, x…: the same before the loop with the body A in what was matched";
        has_value "x…: each scalar is a LOCAL, or has a value before this place, on every way";
        surely_read "x, e: e reads the cell x whatever happens, or another one that is in range with it, and x has a value";
        in_range "i, x…: each of the cells is in its array for every i of the loop over i, and all cells of that have values before the place";
        harmless "e…: computing them at the place, even where nothing asks for them, cannot stop the program, and reads nothing that others write meanwhile";
        is_cell "e: it is a cell of an array, or a component of one";
        is_size "n…: each is a number, or the size of an array of DATA, the larger of such a one and 0, or such a one by a number above 0";
        over_parameters "n…: each holds no variables but parameters, as the size of an array must";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        cells_at "i, A: the cells that A reads and whose subscripts hold i and else only parameters, variables of loops around the place and cells of the like, so that nothing in A changes them, of arrays that it does not write and that have values before the place, for which there is readable(i, x)";
        readable "i, x: the cell x, with subscripts confined to its array that may be out of range for some i of the loop over i, so that it can be read ahead of what may stop the program; for the inner one of a loop over pairs, of both";
        surely_read_at "i, A: the same, if A reads them whatever happens or they are in range with one that it does";
        cell_asked "u: the first cell that the condition u reads whatever happens, of an array of more cells than one";
        rows_at "i, A: those of surely_read_at(i, A) that are REALs and have two subscripts or more";
        narrow_cells "x…: those of the cells that are REALs of 32 bits";
        narrow_vector_cells "x…: those of the cells that are vectors of components of 32 bits";
        size_of "x…: the first size of the first of the arrays";
        columns "x: the last size of the array, a number, or 0";
    ]
}

fn filled(call: &mut Call<'_>, Rest(arrays): Rest<0>) -> Answer {
    filled_at(call, call.at.path, &arrays)
}

fn filled_before_loop(call: &mut Call<'_>, body: Id, Rest(arrays): Rest<0>) -> Option<Answer> {
    let terms = &call.scheme().terms;
    let mut path = call.at.path.clone();
    let redex = path.get(terms, call.scheme().root)?;
    let found = way_to(terms, redex, body, &mut path.0);
    path.0.pop();
    found.then(|| filled_at(call, &path, &arrays))
}

/// Whether all arrays are filled before the operator at a position.
fn filled_at(call: &Call<'_>, path: &Path, arrays: &[Id]) -> Answer {
    let scheme = call.scheme();
    let empty = arrays.iter().find(|&&a| {
        let name = scheme.terms.as_atom(a);
        name.is_none_or(|name| !analysis::filled(scheme, path, name))
    });
    match empty {
        None => decided(true, "each of their cells has a value there", ""),
        Some(&a) => {
            let variable = scheme.terms.as_atom(a).and_then(|n| scheme.variable(n));
            let cells = match variable.is_some_and(|v| v.is_array()) {
                true => "each cell of ",
                false => "",
            };
            let name = analysis::text(scheme, a);
            Answer::Unknown(Evidence::new(
                Status::Proved,
                format!("it was not shown that {cells}{name} has a value there"),
            ))
        }
    }
}

fn has_value(call: &mut Call<'_>, Rest(mut scalars): Rest<0>) -> Answer {
    let scheme = call.scheme();
    let is_local = |s: &Id| {
        let variable = scheme.terms.as_atom(*s).and_then(|n| scheme.variable(n));
        variable.is_some_and(|v| v.role == Role::Local)
    };
    scalars.retain(|s| !is_local(s));
    filled_at(call, call.at.path, &scalars)
}

fn harmless(call: &mut Call<'_>, Rest(all): Rest<0>) -> Known {
    let context = call.context();
    let asked = all.iter();
    let mut answers = asked.map(|&e| analysis::harmless(call.scheme(), call.at.path, &context, e));
    let refused = answers.find(|answer| !answer.is_yes());
    refused.unwrap_or_else(|| {
        Known::proved("all that they read exists and has a value, and nothing writes it meanwhile")
    })
}

fn surely_read(call: &mut Call<'_>, cell: Id, e: Id) -> Answer {
    let scheme = call.scheme();
    let all = analysis::surely_read(scheme, call.at.path, e);
    decided(
        all.iter().any(|&read| scheme.terms.equal(read, cell)),
        "it is read whatever happens",
        "it may not be read",
    )
}

fn is_cell(call: &mut Call<'_>, e: Id) -> Answer {
    let terms = &call.scheme().terms;
    let mut whole = e;
    while let Some(Expr::Field { vector, .. }) = expr(terms, whole) {
        whole = vector;
    }
    decided(
        matches!(expr(terms, whole), Some(Expr::Index { .. })),
        "it is a cell",
        "it is not a cell",
    )
}

fn is_size(call: &mut Call<'_>, Rest(all): Rest<1>) -> Answer {
    decided(
        all.iter().all(|&n| is_size_of_data(call.scheme(), n)),
        "a number or the size of an array of DATA",
        "no number and no size of an array of DATA",
    )
}

fn over_parameters(call: &mut Call<'_>, Rest(all): Rest<1>) -> Answer {
    let scheme = call.scheme();
    decided(
        all.iter()
            .all(|&n| is_over_parameters(&scheme.terms, &scheme.variables, n)),
        "no variables but parameters",
        "a variable that is no parameter",
    )
}

/// Whether a size is a number, or that of an array of DATA, which has been made already.
fn is_size_of_data(scheme: &Scheme, n: Id) -> bool {
    let terms = &scheme.terms;
    if let Some(Expr::Apply {
        function,
        arguments: &[a, b],
    }) = expr(terms, n)
    {
        let largest = signature(function) == Some(Signature::Join(Extreme::Max))
            && terms.as_int(b) == Some(0);
        return largest && is_size_of_data(scheme, a);
    }
    if let Some(Expr::Binary {
        op: Binary::Div,
        left,
        right,
    }) = expr(terms, n)
    {
        return terms.as_int(right).is_some_and(|by| by > 0) && is_size_of_data(scheme, left);
    }
    let is_dim = |v: &Variable| {
        matches!(v.role, Role::Data { .. }) && v.dims.iter().any(|&d| terms.equal(d, n))
    };
    terms.as_int(n).is_some() || scheme.variables.values().any(is_dim)
}

fn cells_at(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, analysis::cells_at)
}

fn surely_read_at(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, analysis::surely_read_at)
}

fn cell_asked(call: &mut Call<'_>, condition: Id) -> Result<Id, String> {
    let condition = call.own(condition);
    let scheme = call.scheme();
    let all = analysis::surely_read(scheme, call.at.path, condition);
    let is_one_of_many = |cell: &&Id| match expr(&scheme.terms, **cell) {
        Some(Expr::Index { array, .. }) => scheme.variable(array).is_some_and(|v| {
            let mut sizes = v.dims.iter().map(|&size| scheme.terms.as_int(size));
            !sizes.all(|size| size == Some(1))
        }),
        _ => false,
    };
    match all.iter().find(is_one_of_many) {
        Some(&cell) => Ok(call.terms.import(&call.host.scheme.terms, cell)),
        None => Err("it reads no such cell".into()),
    }
}

fn rows_at(call: &mut Call<'_>, var: Symbol, body: Id) -> Result<Vec<Id>, String> {
    cells(call, var, body, |scheme, place, body| {
        let mut cells = analysis::surely_read_at(scheme, place, body);
        cells.retain(|&cell| {
            let real = type_of(scheme, cell).is_some_and(Type::is_real);
            real && scheme.terms.args(cell).len() > 2
        });
        cells
    })
}

/// The cells that an analysis finds for a loop's variable, as terms of the engine.
fn cells(
    call: &mut Call<'_>,
    var: Symbol,
    body: Id,
    find: impl Fn(&Scheme, Place<'_>, Id) -> Vec<Id>,
) -> Result<Vec<Id>, String> {
    let body = call.own(body);
    let place = place_of(call, var)?;
    let cells = find(call.scheme(), place, body);
    let import = |cell| call.terms.import(&call.host.scheme.terms, cell);
    Ok(cells.into_iter().map(import).collect())
}

/// The loop over a variable in what a rule matched. The inner one of a loop over pairs, from the
/// outer variable's next value to the same bound, is taken with the bounds of the outer one: where
/// pairs are met in another order, either member has all of their values.
pub(super) fn place_of<'a>(call: &Call<'a>, var: Symbol) -> Result<Place<'a>, String> {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let loops = |id| match operator(terms, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            ..
        }) => Some((var, from, to)),
        _ => None,
    };
    let redex = call.at.path.get(terms, scheme.root);
    let all: Vec<_> = redex.map_or(Vec::new(), |redex| {
        terms.subterms(redex).filter_map(loops).collect()
    });
    let Some(&(_, from, to)) = all.iter().find(|l| l.0 == var) else {
        return Err(format!("there is no loop over {}", author_name(var)));
    };
    let pairs = all
        .iter()
        .find(|l| is_next(terms, from, l.0) && terms.equal(l.2, to));
    let &(_, from, to) = pairs.unwrap_or(&(var, from, to));
    Ok(Place {
        path: call.at.path,
        var,
        from,
        to,
    })
}

/// Whether an expression is `v + 1`.
fn is_next(terms: &Terms, e: Id, variable: Symbol) -> bool {
    match expr(terms, e) {
        Some(Expr::Binary {
            op: Binary::Plus,
            left,
            right,
        }) => terms.as_atom(left) == Some(variable) && terms.as_int(right) == Some(1),
        _ => false,
    }
}

fn in_range(call: &mut Call<'_>, var: Symbol, Rest(cells): Rest<0>) -> Option<Answer> {
    let place = place_of(call, var).ok()?;
    let scheme = call.scheme();
    let outside = cells.iter().find(|&&cell| {
        let confined = analysis::confined(scheme, place, cell);
        !confined.is_some_and(|sizes| sizes.iter().all(Option::is_none))
    });
    Some(match outside {
        None => decided(true, "they are in range, and have values", ""),
        Some(&cell) => {
            let cell = analysis::text(scheme, cell);
            Answer::Unknown(Evidence::new(
                Status::Proved,
                format!("it was not shown that {cell} is in range and has a value"),
            ))
        }
    })
}

fn readable(call: &mut Call<'_>, var: Symbol, cell: Id) -> Result<Id, String> {
    let own = call.own(cell);
    let place = place_of(call, var)?;
    let confined = analysis::confined(call.scheme(), place, own)
        .ok_or("how its subscripts are to be confined is not known")?;
    let terms = &mut *call.terms;
    let mut parts = terms.args(cell).to_vec();
    for (part, size) in parts.iter_mut().skip(1).zip(confined) {
        let Some(size) = size else {
            continue;
        };
        let (least, last) = (terms.int(0), terms.int(size - 1));
        for (function, bound) in [("min", last), ("max", least)] {
            let function = terms.atom(function.into());
            let apply = [function, *part, bound];
            *part = build(terms, Construct::Apply.symbol(), &apply);
        }
    }
    Ok(build(terms, Construct::Index.symbol(), &parts))
}

fn narrow_cells(call: &mut Call<'_>, Rest(cells): Rest<0>) -> Vec<Id> {
    narrow(call, cells, false)
}

fn narrow_vector_cells(call: &mut Call<'_>, Rest(cells): Rest<0>) -> Vec<Id> {
    narrow(call, cells, true)
}

fn narrow(call: &mut Call<'_>, mut cells: Vec<Id>, vectors: bool) -> Vec<Id> {
    cells.retain(|&cell| {
        let own = call.own(cell);
        type_of(call.scheme(), own)
            .is_some_and(|ty| ty.component() == Type::F32 && (ty.components() > 1) == vectors)
    });
    cells
}

fn size_of(call: &mut Call<'_>, Rest(arrays): Rest<1>) -> Result<Id, String> {
    let name = call.terms.as_atom(arrays[0]).ok_or("it is not an array")?;
    let variable = call.scheme().variable(name);
    let size = variable.and_then(|v| v.dims.first().copied());
    let size = size.ok_or_else(|| format!("{} has no size", author_name(name)))?;
    Ok(call.terms.import(&call.host.scheme.terms, size))
}

fn columns(call: &mut Call<'_>, array: Symbol) -> Id {
    let scheme = call.scheme();
    let last = scheme.variable(array).and_then(|v| v.dims.last().copied());
    let size = last.and_then(|d| scheme.terms.as_int(d));
    call.terms.int(size.unwrap_or(0))
}
