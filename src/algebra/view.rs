//! Typed views of terms: what analyses, the machine and the emitters match on.

use super::{Atomic, Binary, Construct, Exchange, Sort, operations};
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
    /// What becomes of a cell as one indivisible action; `was` gets its value from before.
    Atomic {
        op: Atomic,
        target: Id,
        value: Id,
        was: Option<Id>,
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
    /// A basic operator that is declared: what it reads and writes are cells, or arrays as a whole.
    Perform {
        phrase: Symbol,
        arguments: &'a [Id],
        reads: &'a [Id],
        writes: &'a [Id],
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
    // Most terms are of expressions, and need not be taken apart.
    if matches!(construct.info().sort, Sort::Condition | Sort::Expression) {
        return None;
    }
    match view(terms, construct, terms.args(id))? {
        View::Operator(operator) => Some(operator),
        View::Expr(_) => None,
    }
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
        op: Binary,
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
    /// A basic predicate that is declared.
    Holds {
        phrase: Symbol,
        arguments: &'a [Id],
        reads: &'a [Id],
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
    Multiprocessors,
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
    let construct = Construct::of(functor);
    let Some(construct) = construct.filter(|c| c.info().takes(args.len())) else {
        // A variable may be called `Data` or `Index`: such functors are never atoms.
        return args.is_empty().then_some(Expr::Name(functor));
    };
    match view(terms, construct, args)? {
        View::Expr(expr) => Some(expr),
        View::Operator(_) => None,
    }
}

/// A term of the algebra, taken apart.
enum View<'a> {
    Operator(Operator<'a>),
    Expr(Expr<'a>),
}

/// The view of a construct with its arguments, whatever it is; nothing if it is a part of a scheme or
/// is ill-formed.
#[inline]
fn view<'a>(terms: &'a Terms, construct: Construct, args: &'a [Id]) -> Option<View<'a>> {
    if !construct.info().takes(args.len()) {
        return None;
    }
    let name = |i: usize| terms.as_atom(args[i]);
    let text = |i: usize| terms.as_text(args[i]);
    let binary = |op: Binary| Expr::Binary {
        op,
        left: args[0],
        right: args[1],
    };
    Some(match construct {
        Construct::Then => View::Operator(Operator::Then(args)),
        Construct::If => View::Operator(Operator::If {
            condition: args[0],
            yes: args[1],
            no: args[2],
        }),
        Construct::While => View::Operator(Operator::While {
            condition: args[0],
            body: args[1],
        }),
        Construct::ForLoop => View::Operator(Operator::For {
            var: name(0)?,
            from: args[1],
            to: args[2],
            step: None,
            body: args[3],
        }),
        Construct::ForStep => View::Operator(Operator::For {
            var: name(0)?,
            from: args[1],
            to: args[2],
            step: Some(args[3]),
            body: args[4],
        }),
        Construct::Parallel => View::Operator(Operator::Parallel {
            var: name(0)?,
            from: args[1],
            to: args[2],
            lanes: None,
            body: args[3],
        }),
        Construct::Lanes => View::Operator(Operator::Parallel {
            var: name(0)?,
            from: args[1],
            to: args[2],
            lanes: Some(args[3]),
            body: args[4],
        }),
        Construct::Async => View::Operator(Operator::Async(args)),
        Construct::ControlPoint => View::Operator(Operator::ControlPoint(text(0)?)),
        Construct::Wait => View::Operator(Operator::Wait(text(0)?)),
        Construct::Filter => View::Operator(Operator::Filter(args[0])),
        Construct::Empty => View::Operator(Operator::Empty),
        Construct::Undefined => View::Operator(Operator::Undefined),
        Construct::Assign => View::Operator(Operator::Assign {
            target: args[0],
            value: args[1],
        }),
        Construct::AtomicAdd
        | Construct::AtomicMin
        | Construct::AtomicMax
        | Construct::FetchAdd => View::Operator(Operator::Atomic {
            op: Atomic::of(construct)?,
            target: args[0],
            value: args[1],
            was: args.get(2).copied(),
        }),
        Construct::Local => View::Operator(Operator::Local {
            name: name(0)?,
            ty: name(1)?,
            value: args[2],
        }),
        Construct::Array => View::Operator(Operator::Array {
            name: name(0)?,
            ty: name(1)?,
            dims: terms.args(args[2]),
            body: args[3],
        }),
        Construct::Timed => View::Operator(Operator::Timed(args[0])),
        Construct::Recorded => View::Operator(Operator::Recorded(args[0])),
        Construct::Report => View::Operator(Operator::Report {
            label: text(0)?,
            values: &args[1..],
        }),
        Construct::Save => View::Operator(Operator::Save {
            label: text(0)?,
            array: name(1)?,
        }),
        Construct::Call => View::Operator(Operator::Call {
            phrase: text(0)?,
            arguments: &args[1..],
        }),
        Construct::Perform => View::Operator(Operator::Perform {
            phrase: text(0)?,
            arguments: terms.args(args[1]),
            reads: terms.args(args[2]),
            writes: terms.args(args[3]),
        }),
        Construct::Launch => View::Operator(Operator::Launch {
            blocks: args[0],
            threads: args[1],
            body: args[2],
        }),
        Construct::Shared => View::Operator(Operator::Shared {
            name: name(0)?,
            ty: name(1)?,
            size: args[2],
        }),
        Construct::Registers => View::Operator(Operator::Registers {
            name: name(0)?,
            ty: name(1)?,
            size: args[2],
        }),
        Construct::Barrier => View::Operator(Operator::Barrier),
        Construct::Allocate => View::Operator(Operator::Allocate(name(0)?)),
        Construct::CopyToDevice => View::Operator(Operator::CopyToDevice(name(0)?)),
        Construct::CopyFromDevice => View::Operator(Operator::CopyFromDevice(name(0)?)),
        Construct::Free => View::Operator(Operator::Free(name(0)?)),
        Construct::Rotate
        | Construct::SumOverWarp
        | Construct::MinOverWarp
        | Construct::MaxOverWarp => {
            View::Operator(Operator::Exchange(Exchange::of(construct)?, args))
        }
        operations!() => View::Expr(binary(Binary::of(construct)?)),
        Construct::Not => View::Expr(Expr::Not(args[0])),
        Construct::Negate => View::Expr(Expr::Negate(args[0])),
        Construct::Index => View::Expr(Expr::Index {
            array: name(0)?,
            subscripts: &args[1..],
        }),
        Construct::Field => View::Expr(Expr::Field {
            vector: args[0],
            field: name(1)?,
        }),
        Construct::Apply => View::Expr(Expr::Apply {
            function: name(0)?,
            arguments: &args[1..],
        }),
        Construct::Test => View::Expr(Expr::Test {
            phrase: text(0)?,
            arguments: &args[1..],
        }),
        Construct::Holds => View::Expr(Expr::Holds {
            phrase: text(0)?,
            arguments: terms.args(args[1]),
            reads: terms.args(args[2]),
        }),
        Construct::After => View::Expr(Expr::After {
            operator: args[0],
            condition: args[1],
        }),
        Construct::True => View::Expr(Expr::True),
        Construct::False => View::Expr(Expr::False),
        Construct::BlockIndex => View::Expr(Expr::BlockIndex),
        Construct::ThreadIndex => View::Expr(Expr::ThreadIndex),
        Construct::BlockCount => View::Expr(Expr::BlockCount),
        Construct::ThreadCount => View::Expr(Expr::ThreadCount),
        Construct::Multiprocessors => View::Expr(Expr::Multiprocessors),
        Construct::Scheme
        | Construct::Data
        | Construct::Where
        | Construct::Parameter
        | Construct::Variable
        | Construct::Dims
        | Construct::Marks
        | Construct::Values
        | Construct::DefaultInput
        | Construct::Option
        | Construct::Work
        | Construct::Check
        | Construct::Assume
        | Construct::Use
        | Construct::Define
        | Construct::DefineTest
        | Construct::Graph
        | Construct::Flow
        | Construct::Node
        | Construct::Choice
        | Construct::Stop
        | Construct::Basic
        | Construct::BasicTest
        | Construct::Reads
        | Construct::Writes
        | Construct::Meaning
        | Construct::MeaningTest
        | Construct::Code
        | Construct::Arguments
        | Construct::Entry
        | Construct::EntryTest
        | Construct::Translation
        | Construct::Given
        | Construct::Among
        | Construct::Range
        | Construct::GivenThat
        | Construct::GivenIf
        | Construct::GivenFor
        | Construct::Formals => return None,
    })
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

    #[test]
    fn every_binary_operation_is_seen_as_itself() {
        let mut terms = Terms::new();
        let x = terms.atom(Symbol::new("x"));
        for &op in Binary::ALL {
            let id = terms.apply(op.construct().symbol(), &[x, x]);
            let seen = expr(&terms, id);
            assert!(matches!(seen, Some(Expr::Binary { op: seen, .. }) if seen == op));
        }
    }
}
