//! Arrays that are read together, as arrays of records.

use super::super::parts::type_of;
use super::Function;
use super::call::{Call, Rest, functions};
use crate::algebra::{Construct, Expr, build, expr};
use crate::analysis;
use crate::term::{Id, Symbol, Terms};

pub(super) fn functions() -> Vec<Function> {
    functions![
        read_together "a vector array and an array of numbers of the same sizes that the operator reads at the same subscripts and does not write";
        in_record "A, x, r, f…: A with each cell of x made of the components f… of the same cell of r";
    ]
}

fn read_together(call: &mut Call<'_>, body: Id) -> Vec<Id> {
    let body = call.own(body);
    let found = analysis::read_together(call.scheme(), body);
    call.atoms(found.into_iter().flat_map(|(v, m)| [v, m]))
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
        record,
        fields,
    };
    Ok(to.within(call.terms, body))
}

/// Where the cells of an array go: components of the cells of another one.
struct Record {
    array: Symbol,
    is_vector: bool,
    record: Id,
    fields: Vec<Id>,
}

impl Record {
    /// The subscripts of a cell of the array.
    fn cell(&self, terms: &Terms, id: Id) -> Option<Vec<Id>> {
        match expr(terms, id)? {
            Expr::Index { array, subscripts } if array == self.array => Some(subscripts.to_vec()),
            _ => None,
        }
    }

    /// A term with numbers as the one field, vectors as a vector of the fields, and their
    /// components as these.
    fn within(&self, terms: &mut Terms, id: Id) -> Id {
        let component = match expr(terms, id) {
            Some(Expr::Field { vector, field }) => {
                self.cell(terms, vector).map(|at| (at, Some(field)))
            }
            _ => self.cell(terms, id).map(|at| (at, None)),
        };
        if let Some((subscripts, component)) = component {
            let mut all = vec![self.record];
            all.extend(subscripts.into_iter().map(|at| self.within(terms, at)));
            let cell = build(terms, Construct::Index.symbol(), &all);
            let part = |terms: &mut Terms, f| build(terms, Construct::Field.symbol(), &[cell, f]);
            if let Some(field) = component {
                let field = terms.atom(field);
                return part(terms, field);
            }
            if !self.is_vector {
                return part(terms, self.fields[0]);
            }
            let mut parts = vec![terms.atom("vector".into())];
            parts.extend(self.fields.iter().map(|&f| part(terms, f)));
            return build(terms, Construct::Apply.symbol(), &parts);
        }
        let args = terms.args(id).to_vec();
        let new: Vec<Id> = args.iter().map(|&a| self.within(terms, a)).collect();
        match new == args {
            true => id,
            false => terms.with_args(id, &new),
        }
    }
}
