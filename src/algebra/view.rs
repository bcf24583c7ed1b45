//! Typed views of terms: what analyses, the machine and the emitters match on.

use super::{Construct, Exchange};
use crate::term::{Head, Id, Symbol, Terms};

/// An operator, taken apart.
#[derive(Clone, Copy, Debug)]
#[allow(
    missing_docs,
    reason = "the fields are the arguments named in the table of constructs"
)]
pub enum Operator<'a> {
    Then(&'a [Id]),
    If {
        condition: Id,
        yes: Id,
        no: Id,
    },
    While {
        condition: Id,
        body: Id,
    },
    For {
        var: Symbol,
        from: Id,
        to: Id,
        step: Option<Id>,
        body: Id,
    },
    /// PARALLEL or, with how many at a time, LANES.
    Parallel {
        var: Symbol,
        from: Id,
        to: Id,
        lanes: Option<Id>,
        body: Id,
    },
    Async(&'a [Id]),
    ControlPoint(Symbol),
    Wait(Symbol),
    Filter(Id),
    Empty,
    Undefined,
    Assign {
        target: Id,
        value: Id,
    },
    AtomicAdd {
        target: Id,
        value: Id,
    },
    Local {
        name: Symbol,
        ty: Symbol,
        value: Id,
    },
    Array {
        name: Symbol,
        ty: Symbol,
        dims: &'a [Id],
        body: Id,
    },
    Timed(Id),
    Recorded(Id),
    Report {
        label: Symbol,
        values: &'a [Id],
    },
    Save {
        label: Symbol,
        array: Symbol,
    },
    Call {
        phrase: Symbol,
        arguments: &'a [Id],
    },
    Launch {
        blocks: Id,
        threads: Id,
        body: Id,
    },
    Shared {
        name: Symbol,
        ty: Symbol,
        size: Id,
    },
    Registers {
        name: Symbol,
        ty: Symbol,
        size: Id,
    },
    /// An exchange between the threads of a warp, with names of variables.
    Exchange(Exchange, &'a [Id]),
    Barrier,
    Allocate(Symbol),
    CopyToDevice(Symbol),
    CopyFromDevice(Symbol),
    Free(Symbol),
}

/// The view of a term as an operator; nothing if it is none or is ill-formed.
pub fn operator(terms: &Terms, id: Id) -> Option<Operator<'_>> {
    let construct = Construct::of(terms.functor(id)?)?;
    let args = terms.args(id);
    if !construct.info().takes(args.len()) {
        return None;
    }
    let name = |i: usize| terms.as_atom(args[i]);
    let text = |i: usize| terms.as_text(args[i]);
    Some(match construct {
        Construct::Then => Operator::Then(args),
        Construct::If => Operator::If {
            condition: args[0],
            yes: args[1],
            no: args[2],
        },
        Construct::While => Operator::While {
            condition: args[0],
            body: args[1],
        },
        Construct::ForLoop => Operator::For {
            var: name(0)?,
            from: args[1],
            to: args[2],
            step: None,
            body: args[3],
        },
        Construct::ForStep => Operator::For {
            var: name(0)?,
            from: args[1],
            to: args[2],
            step: Some(args[3]),
            body: args[4],
        },
        Construct::Parallel => Operator::Parallel {
            var: name(0)?,
            from: args[1],
            to: args[2],
            lanes: None,
            body: args[3],
        },
        Construct::Lanes => Operator::Parallel {
            var: name(0)?,
            from: args[1],
            to: args[2],
            lanes: Some(args[3]),
            body: args[4],
        },
        Construct::Async => Operator::Async(args),
        Construct::ControlPoint => Operator::ControlPoint(text(0)?),
        Construct::Wait => Operator::Wait(text(0)?),
        Construct::Filter => Operator::Filter(args[0]),
        Construct::Empty => Operator::Empty,
        Construct::Undefined => Operator::Undefined,
        Construct::Assign => Operator::Assign {
            target: args[0],
            value: args[1],
        },
        Construct::AtomicAdd => Operator::AtomicAdd {
            target: args[0],
            value: args[1],
        },
        Construct::Local => Operator::Local {
            name: name(0)?,
            ty: name(1)?,
            value: args[2],
        },
        Construct::Array => Operator::Array {
            name: name(0)?,
            ty: name(1)?,
            dims: terms.args(args[2]),
            body: args[3],
        },
        Construct::Timed => Operator::Timed(args[0]),
        Construct::Recorded => Operator::Recorded(args[0]),
        Construct::Report => Operator::Report {
            label: text(0)?,
            values: &args[1..],
        },
        Construct::Save => Operator::Save {
            label: text(0)?,
            array: name(1)?,
        },
        Construct::Call => Operator::Call {
            phrase: text(0)?,
            arguments: &args[1..],
        },
        Construct::Launch => Operator::Launch {
            blocks: args[0],
            threads: args[1],
            body: args[2],
        },
        Construct::Shared => Operator::Shared {
            name: name(0)?,
            ty: name(1)?,
            size: args[2],
        },
        Construct::Registers => Operator::Registers {
            name: name(0)?,
            ty: name(1)?,
            size: args[2],
        },
        Construct::Barrier => Operator::Barrier,
        Construct::Allocate => Operator::Allocate(name(0)?),
        Construct::CopyToDevice => Operator::CopyToDevice(name(0)?),
        Construct::CopyFromDevice => Operator::CopyFromDevice(name(0)?),
        Construct::Free => Operator::Free(name(0)?),
        other => Operator::Exchange(Exchange::of(other)?, args),
    })
}

/// An expression or a predicate, taken apart.
#[derive(Clone, Copy, Debug)]
#[allow(
    missing_docs,
    reason = "the fields are the arguments named in the table of constructs"
)]
pub enum Expr<'a> {
    Int(i64),
    Real(f64),
    Name(Symbol),
    Binary {
        op: Construct,
        left: Id,
        right: Id,
    },
    Not(Id),
    Negate(Id),
    Index {
        array: Symbol,
        subscripts: &'a [Id],
    },
    Field {
        vector: Id,
        field: Symbol,
    },
    Apply {
        function: Symbol,
        arguments: &'a [Id],
    },
    Test {
        phrase: Symbol,
        arguments: &'a [Id],
    },
    After {
        operator: Id,
        condition: Id,
    },
    True,
    False,
    BlockIndex,
    ThreadIndex,
    BlockCount,
    ThreadCount,
}

/// The view of a term as an expression or predicate; nothing if it is none or is ill-formed.
pub fn expr(terms: &Terms, id: Id) -> Option<Expr<'_>> {
    let functor = match terms.head(id) {
        Head::Int(i) => return Some(Expr::Int(i)),
        Head::Real(x) => return Some(Expr::Real(x)),
        Head::Functor(f) => f,
        _ => return None,
    };
    let args = terms.args(id);
    let Some(construct) = Construct::of(functor) else {
        return args.is_empty().then_some(Expr::Name(functor));
    };
    if !construct.info().takes(args.len()) {
        // A variable may be called `Data` or `Index`: such functors are never atoms.
        return args.is_empty().then_some(Expr::Name(functor));
    }
    Some(match construct {
        Construct::Or
        | Construct::And
        | Construct::Equal
        | Construct::NotEqual
        | Construct::Less
        | Construct::LessOrEqual
        | Construct::Greater
        | Construct::GreaterOrEqual
        | Construct::Plus
        | Construct::Minus
        | Construct::Times
        | Construct::Div
        | Construct::Mod
        | Construct::Power => Expr::Binary {
            op: construct,
            left: args[0],
            right: args[1],
        },
        Construct::Not => Expr::Not(args[0]),
        Construct::Negate => Expr::Negate(args[0]),
        Construct::Index => Expr::Index {
            array: terms.as_atom(args[0])?,
            subscripts: &args[1..],
        },
        Construct::Field => Expr::Field {
            vector: args[0],
            field: terms.as_atom(args[1])?,
        },
        Construct::Apply => Expr::Apply {
            function: terms.as_atom(args[0])?,
            arguments: &args[1..],
        },
        Construct::Test => Expr::Test {
            phrase: terms.as_text(args[0])?,
            arguments: &args[1..],
        },
        Construct::After => Expr::After {
            operator: args[0],
            condition: args[1],
        },
        Construct::True => Expr::True,
        Construct::False => Expr::False,
        Construct::BlockIndex => Expr::BlockIndex,
        Construct::ThreadIndex => Expr::ThreadIndex,
        Construct::BlockCount => Expr::BlockCount,
        Construct::ThreadCount => Expr::ThreadCount,
        _ => return None,
    })
}

/// The variable or array at the root of a target.
pub fn root_name(terms: &Terms, target: Id) -> Option<Symbol> {
    match expr(terms, target)? {
        Expr::Name(name) => Some(name),
        Expr::Index { array, .. } => Some(array),
        Expr::Field { vector, .. } => root_name(terms, vector),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Role, Sort, TABLE};

    #[test]
    fn every_operator_and_expression_of_the_table_has_a_view() {
        let mut terms = Terms::new();
        for info in TABLE {
            let roles = info.arguments.iter().chain(&info.rest);
            let arguments: Vec<Id> = roles
                .map(|role| match role {
                    Role::Text => terms.text(Symbol::new("t")),
                    _ => terms.atom(Symbol::new("x")),
                })
                .collect();
            let id = terms.make(Head::Functor(info.construct.symbol()), &arguments);
            let seen = match info.sort {
                Sort::Operator => operator(&terms, id).is_some(),
                Sort::Condition | Sort::Expression => expr(&terms, id).is_some(),
                Sort::Name | Sort::Type | Sort::Text | Sort::Part => continue,
            };
            assert!(seen, "{} has no view", info.functor);
        }
    }
}
