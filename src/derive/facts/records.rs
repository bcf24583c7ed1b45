//! Arrays that are read together, as arrays of records.

use super::super::parts::type_of;
use super::Function;
use super::call::{Call, Rest, functions};
use crate::algebra::{COMPONENTS, Construct, Expr, Operator, Type, build, expr, operator};
use crate::analysis;
use crate::term::{Id, Symbol, Terms};

pub(super) fn functions() -> Vec<Function> {
    functions![
        read_together "a vector array and an array of numbers of the same sizes that the operator reads at the same subscripts and does not write";
        shared_together "x, y, A…: of the SHARED arrays x and y the one of vectors and that of numbers, if A… have cells of both at the same subscripts and do nothing with them but read and assign cells, vectors as what has components";
        carried "x, e: the cell e of x as a component of a vector: itself, or the REAL that has the bits of an INTEGER";
        in_record "A, x, r, f…: A with each cell of x made of the components f… of the same cell of r: a number as carried has it";
    ]
}

fn read_together(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let found = analysis::read_together(call.scheme(), body);
    call.atoms(found.into_iter().flat_map(|(v, m)| [v, m]))
}

fn shared_together(
    call: &mut Call<'_>,
    first: Symbol,
    second: Symbol,
    Rest(parts): Rest<0>,
) -> Vec<Id> {
    let parts: Vec<Id> = parts.iter().map(|&p| call.own(p)).collect();
    let found = analysis::shared_together(call.scheme(), &parts, [first, second]);
    call.atoms(found.into_iter().flat_map(|(v, m)| [v, m]))
}

/// The call of a function of one argument.
fn apply(terms: &mut Terms, function: &str, argument: Id) -> Id {
    let function = terms.atom(function.into());
    build(terms, Construct::Apply.symbol(), &[function, argument])
}

/// How the cells of an array stand in components of vectors of REALs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carried {
    /// As they are.
    AsReals,
    /// By the bits of an INTEGER, in a REAL of 32 bits.
    ByBits,
    /// By the bits of the INTEGER64 that an INTEGER is, in a REAL of 64 bits.
    ByMoreBits,
}

impl Carried {
    fn of(call: &mut Call<'_>, array: Id) -> Carried {
        let own = call.own(array);
        let scheme = call.scheme();
        match (type_of(scheme, own), scheme.precision.real()) {
            (Some(Type::I32), Type::F32) => Carried::ByBits,
            (Some(Type::I32), _) => Carried::ByMoreBits,
            _ => Carried::AsReals,
        }
    }

    /// A cell as a component.
    fn component(self, terms: &mut Terms, cell: Id) -> Id {
        match self {
            Carried::AsReals => cell,
            Carried::ByBits => apply(terms, "bits_as_real", cell),
            Carried::ByMoreBits => {
                let wide = apply(terms, "int64", cell);
                apply(terms, "bits_as_real", wide)
            }
        }
    }

    /// A component as the cell.
    fn cell(self, terms: &mut Terms, component: Id) -> Id {
        match self {
            Carried::AsReals => component,
            Carried::ByBits => apply(terms, "bits_as_integer", component),
            Carried::ByMoreBits => {
                let wide = apply(terms, "bits_as_integer", component);
                apply(terms, "int", wide)
            }
        }
    }
}

fn carried(call: &mut Call<'_>, array: Id, cell: Id) -> Id {
    Carried::of(call, array).component(call.terms, cell)
}

fn in_record(
    call: &mut Call<'_>,
    body: Id,
    array: Id,
    record: Id,
    Rest(fields): Rest<1>,
) -> Result<Id, String> {
    let own = call.own(array);
    let to = Record {
        array: call.terms.as_atom(array).ok_or("it is not an array")?,
        is_vector: type_of(call.scheme(), own).is_some_and(|t| t.components() > 1),
        carried: Carried::of(call, array),
        record,
        fields,
    };
    Ok(to.within(call.terms, body))
}

/// Where the cells of an array go: components of the cells of another one.
struct Record {
    array: Symbol,
    is_vector: bool,
    carried: Carried,
    record: Id,
    fields: Vec<Id>,
}

impl Record {
    /// The subscripts of a cell of the array.
    fn subscripts(&self, terms: &Terms, id: Id) -> Option<Vec<Id>> {
        match expr(terms, id)? {
            Expr::Index { array, subscripts } if array == self.array => Some(subscripts.to_vec()),
            _ => None,
        }
    }

    /// The cell of the record at the subscripts of a cell of the array.
    fn cell(&self, terms: &mut Terms, id: Id) -> Option<Id> {
        let subscripts = self.subscripts(terms, id)?;
        let mut all = vec![self.record];
        all.extend(subscripts.into_iter().map(|at| self.within(terms, at)));
        Some(build(terms, Construct::Index.symbol(), &all))
    }

    /// A term with numbers as the one field, vectors as a vector of the fields, and their
    /// components as these.
    fn within(&self, terms: &mut Terms, id: Id) -> Id {
        if let Some(Operator::Assign { target, value }) = operator(terms, id)
            && let Some(cell) = self.cell(terms, target)
        {
            return self.assigned(terms, cell, value);
        }
        if let Some(Expr::Field { vector, field }) = expr(terms, id)
            && let Some(cell) = self.cell(terms, vector)
        {
            let field = terms.atom(field);
            return component(terms, cell, field);
        }
        if let Some(cell) = self.cell(terms, id) {
            let mut parts: Vec<Id> = self
                .fields
                .iter()
                .map(|&f| component(terms, cell, f))
                .collect();
            if !self.is_vector {
                return self.carried.cell(terms, parts[0]);
            }
            parts.insert(0, terms.atom("vector".into()));
            return build(terms, Construct::Apply.symbol(), &parts);
        }
        let args = terms.args(id).to_vec();
        let new: Vec<Id> = args.iter().map(|&a| self.within(terms, a)).collect();
        match terms.functor(id) {
            _ if new == args => id,
            Some(functor) if functor == Construct::Then.symbol() => build(terms, functor, &new),
            _ => terms.with_args(id, &new),
        }
    }

    /// A value assigned to a cell of the record: a number as the one field, a vector component by component.
    fn assigned(&self, terms: &mut Terms, cell: Id, value: Id) -> Id {
        let value = self.within(terms, value);
        let values = match self.is_vector {
            false => vec![self.carried.component(terms, value)],
            true => components(terms, value, self.fields.len()),
        };
        let mut all = Vec::new();
        for (&field, value) in self.fields.iter().zip(values) {
            let target = component(terms, cell, field);
            all.push(build(terms, Construct::Assign.symbol(), &[target, value]));
        }
        build(terms, Construct::Then.symbol(), &all)
    }
}

/// A component of a vector.
fn component(terms: &mut Terms, vector: Id, field: Id) -> Id {
    build(terms, Construct::Field.symbol(), &[vector, field])
}

/// The components of a vector: what it is made of, or fields of it.
fn components(terms: &mut Terms, vector: Id, count: usize) -> Vec<Id> {
    if let Some(Expr::Apply { arguments, .. }) = expr(terms, vector) {
        return arguments.to_vec();
    }
    let fields = COMPONENTS[..count].iter().map(|&f| f.into());
    let fields: Vec<Id> = fields.map(|f: Symbol| terms.atom(f)).collect();
    fields
        .into_iter()
        .map(|f| component(terms, vector, f))
        .collect()
}
