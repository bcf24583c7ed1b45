//! Cells whose subscripts may be out of range: whether they exist, and others in their places that do.

use super::super::parts::type_of;
use super::call::{Call, Rest, facts, functions};
use super::ends::{Leaf, is_not_negative};
use super::{Fact, Function};
use crate::algebra::{Binary, Construct, Expr, Operator, Type, build, expr, operator};
use crate::analysis::{self, Answer as Known, Around, Context, Loop, MOST_MEMBERS, SMALL};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Symbol, Terms};
use rustc_hash::FxHashMap;

pub(super) fn facts() -> Vec<Fact> {
    facts![
        has_cells "x…: the arrays of the cells, and those of cells in their subscripts, are not empty where the place is come to";
    ]
}

pub(super) fn functions() -> Vec<Function> {
    functions![
        within "x: the cell x with subscripts confined to its array, which has cells";
        exists "x: what can be asked to learn whether the subscripts of the cell x are in range";
    ]
}

fn has_cells(call: &mut Call<'_>, Rest(cells): Rest<0>) -> Known {
    let scheme = call.scheme();
    let context = call.context();
    let mut work = cells;
    while let Some(id) = work.pop() {
        if let Some(Expr::Index { array, .. }) = expr(&scheme.terms, id) {
            for &size in scheme.variable(array).map_or(&[][..], |v| &v.dims) {
                if !has_some(scheme, &context, size) {
                    let array = author_name(array);
                    return Known::unknown(format!("it was not shown that {array} has cells"));
                }
            }
        }
        work.extend(scheme.terms.args(id));
    }
    Known::proved("they have cells wherever this stands")
}

/// Whether a size is at least 1 where something stands.
fn has_some(scheme: &Scheme, context: &Context, size: Id) -> bool {
    let size = analysis::extent(&scheme.terms, size);
    match scheme.terms.as_int(size) {
        Some(size) => size > 0,
        None => analysis::is_above_0(scheme, context, size),
    }
}

/// A subscript as a sum: what has a value before the loop, variables of short loops with their factors, and a number.
struct Sum {
    of: Id,
    /// Those variables and factors as one expression.
    members: Option<Id>,
    number: i64,
}

impl Sum {
    /// What is added to `of`, if that is not 0.
    fn added(&self, terms: &mut Terms) -> Option<Id> {
        match (self.members, self.number) {
            (members, 0) => members,
            (None, number) => Some(terms.int(number)),
            (Some(members), number) => {
                let number = terms.int(number);
                Some(build(terms, Construct::Plus.symbol(), &[members, number]))
            }
        }
    }

    /// `bound` less what is added to `of`.
    fn below(&self, terms: &mut Terms, bound: Id) -> Id {
        let (op, number) = match self.number {
            n if n < 0 => (Construct::Plus, -n),
            n => (Construct::Minus, n),
        };
        let mut made = bound;
        if number != 0 {
            made = match terms.as_int(made) {
                Some(bound) => terms.int(bound - self.number),
                None => {
                    let number = terms.int(number);
                    build(terms, op.symbol(), &[made, number])
                }
            };
        }
        if let Some(members) = self.members {
            made = build(terms, Construct::Minus.symbol(), &[made, members]);
        }
        made
    }
}

/// A subscript apart. Numbers and members are small, so that they may be subtracted from the size of an array.
fn apart(call: &mut Call<'_>, subscript: Id) -> Sum {
    let short = short_names(call);
    let terms = &mut *call.terms;
    let mut sum = Sum {
        of: subscript,
        members: None,
        number: 0,
    };
    let is_member = |terms: &Terms, e: Id| match expr(terms, e) {
        Some(Expr::Name(name)) => short.contains(&name),
        Some(Expr::Binary {
            op: Binary::Times,
            left,
            right,
        }) => {
            let named = terms
                .as_atom(left)
                .is_some_and(|name| short.contains(&name));
            named && terms.as_int(right).is_some_and(|k| (0..SMALL).contains(&k))
        }
        _ => false,
    };
    // The last of what is added is looked at first.
    while let Some(Expr::Binary { op, left, right }) = expr(terms, sum.of) {
        let number = terms.as_int(right).filter(|k| k.abs() < SMALL);
        match (op, number) {
            (Binary::Plus, Some(k)) => sum.number += k,
            (Binary::Minus, Some(k)) => sum.number -= k,
            (Binary::Plus, None) if is_member(terms, right) => {
                sum.members = Some(match sum.members {
                    Some(members) => build(terms, Construct::Plus.symbol(), &[right, members]),
                    None => right,
                });
            }
            _ => break,
        }
        sum.of = left;
    }
    sum
}

/// The variables of loops from 0 to a small number in what was matched.
fn short_names(call: &Call<'_>) -> Vec<Symbol> {
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let redex = call.at.path.get(terms, scheme.root);
    let loops = redex.into_iter().flat_map(|redex| terms.subterms(redex));
    let short = loops.filter_map(|id| match operator(terms, id) {
        Some(Operator::For {
            var,
            from,
            to,
            step: None,
            ..
        }) => {
            let last = terms.as_int(to).filter(|to| (0..MOST_MEMBERS).contains(to));
            (terms.as_int(from) == Some(0) && last.is_some()).then_some(var)
        }
        _ => None,
    });
    short.collect()
}

fn within(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let Some(Expr::Index { array, subscripts }) = expr(call.terms, cell) else {
        return Err("it is not a cell".into());
    };
    let subscripts = subscripts.to_vec();
    let dims = call
        .scheme()
        .variable(array)
        .map(|v| v.dims.clone())
        .unwrap_or_default();
    let mut parts = vec![call.terms.atom(array)];
    for (subscript, size) in subscripts.into_iter().zip(dims) {
        let own = &call.host.scheme.terms;
        let size = call.terms.import(own, analysis::extent(own, size));
        let mut sum = apart(call, subscript);
        if matches!(expr(call.terms, sum.of), Some(Expr::Index { .. })) {
            sum.of = within(call, sum.of)?;
        }
        let at_least_0 = sum.number >= 0 && is_at_least_0(call, sum.of);
        let (of, own_size) = (call.own(sum.of), call.own(size));
        let (scheme, context) = (call.scheme(), call.context());
        // Of sizes that are computed as INTEGERs it is known that they stay away from the end of that type.
        let narrow = match scheme.terms.as_int(own_size) {
            Some(size) => size < i64::from(i32::MAX) / 2,
            None => type_of(scheme, own_size) == Some(Type::I32),
        };
        let near = narrow && analysis::is_at_most(scheme, &context, of, own_size, SMALL);
        let terms = &mut *call.terms;
        let last = last_subscript(terms, size);
        let mut made = match sum.added(terms) {
            None => join(terms, "min", sum.of, last),
            // The sum does not leave its range where it is not far beyond the size of an array.
            Some(added) if near => {
                let whole = build(terms, Construct::Plus.symbol(), &[sum.of, added]);
                join(terms, "min", whole, last)
            }
            Some(added) => {
                let last = sum.below(terms, last);
                let made = join(terms, "min", sum.of, last);
                build(terms, Construct::Plus.symbol(), &[made, added])
            }
        };
        if !at_least_0 {
            let zero = terms.int(0);
            made = join(terms, "max", made, zero);
        }
        parts.push(made);
    }
    Ok(build(call.terms, Construct::Index.symbol(), &parts))
}

fn join(terms: &mut Terms, function: &str, a: Id, b: Id) -> Id {
    let function = terms.atom(Symbol::new(function));
    build(terms, Construct::Apply.symbol(), &[function, a, b])
}

fn exists(call: &mut Call<'_>, cell: Id) -> Result<Id, String> {
    let mut asked = Vec::new();
    ask(call, cell, &mut asked)?;
    let and = Construct::And.symbol();
    let all = asked
        .into_iter()
        .reduce(|all, next| build(call.terms, and, &[all, next]));
    all.ok_or_else(|| "it has no subscripts".into())
}

/// What is to be asked about a cell: first about cells in its subscripts. Nothing is added to what may be large.
fn ask(call: &mut Call<'_>, cell: Id, asked: &mut Vec<Id>) -> Result<(), String> {
    let Some(Expr::Index { array, subscripts }) = expr(call.terms, cell) else {
        return Err("it is not a cell".into());
    };
    let subscripts = subscripts.to_vec();
    let dims = call
        .scheme()
        .variable(array)
        .map(|v| v.dims.clone())
        .unwrap_or_default();
    for (subscript, size) in subscripts.into_iter().zip(dims) {
        let own = &call.host.scheme.terms;
        let size = call.terms.import(own, analysis::extent(own, size));
        let sum = apart(call, subscript);
        if matches!(expr(call.terms, sum.of), Some(Expr::Index { .. })) {
            ask(call, sum.of, asked)?;
        }
        let at_least_0 = sum.number >= 0 && is_at_least_0(call, sum.of);
        let terms = &mut *call.terms;
        let at_most = Construct::LessOrEqual.symbol();
        if !at_least_0 {
            let zero = terms.int(0);
            let least = sum.below(terms, zero);
            asked.push(build(terms, at_most, &[least, sum.of]));
        }
        let last = last_subscript(terms, size);
        let last = sum.below(terms, last);
        asked.push(build(terms, at_most, &[sum.of, last]));
    }
    Ok(())
}

/// Whether a subscript is known not to be below 0, by LOCALs and loops around the place and loops in what was matched.
fn is_at_least_0(call: &mut Call<'_>, subscript: Id) -> bool {
    let own = call.own(subscript);
    let context = call.context();
    let scheme = call.scheme();
    let terms = &scheme.terms;
    let from_0 = |from: Id| terms.as_int(from).is_some_and(|from| from >= 0);
    let mut from: FxHashMap<Symbol, bool> = FxHashMap::default();
    let redex = call.at.path.get(terms, scheme.root);
    for id in redex.into_iter().flat_map(|redex| terms.subterms(redex)) {
        if let Some(Operator::For {
            var,
            from: first,
            step: None,
            ..
        }) = operator(terms, id)
        {
            from.entry(var)
                .and_modify(|all| *all &= from_0(first))
                .or_insert(from_0(first));
        }
    }
    for around in &context.around {
        if let Around::Loop(Loop {
            var,
            from: first,
            step: None,
            ..
        }) = *around
        {
            from.insert(var, from_0(first));
        }
    }
    is_not_negative(terms, own, &|name| match from.get(&name) {
        Some(&known) => Leaf::Known(known),
        None => context
            .definitions
            .get(&name)
            .map_or(Leaf::Known(false), |&value| Leaf::Value(value)),
    })
}

/// The last subscript of a dimension.
fn last_subscript(terms: &mut Terms, size: Id) -> Id {
    let one = terms.int(1);
    match terms.as_int(size) {
        Some(size) => terms.int(size - 1),
        None => build(terms, Construct::Minus.symbol(), &[size, one]),
    }
}
