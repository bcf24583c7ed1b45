//! Random trees of operators, expressions and items of DATA.

use glushkov::algebra::{Construct, then};
use glushkov::term::{Id, Symbol, Terms};
use proptest::prelude::*;

/// A well-formed tree, to be made in an arena.
#[derive(Clone, Debug)]
pub enum Tree {
    Int(i64),
    Real(f64),
    Name(String),
    Text(String),
    Node(Construct, Vec<Tree>),
    Sequence(Vec<Tree>),
    /// A phrase or a predicate: pieces of its text, each followed by arguments.
    Words(Construct, Vec<(String, Vec<Tree>)>),
}

pub use Tree::{Int, Name, Node, Real, Sequence, Text, Words};

pub fn make(terms: &mut Terms, tree: &Tree) -> Id {
    match tree {
        Int(i) => terms.int(*i),
        Real(x) => terms.real(*x),
        Name(name) => terms.atom(Symbol::new(name)),
        Text(text) => terms.text(Symbol::new(text)),
        Node(construct, parts) => {
            let args: Vec<Id> = parts.iter().map(|p| make(terms, p)).collect();
            terms.apply(construct.symbol(), &args)
        }
        Sequence(parts) => {
            let args: Vec<Id> = parts.iter().map(|p| make(terms, p)).collect();
            then(terms, &args)
        }
        Words(construct, pieces) => {
            let (name, arguments) = words(terms, pieces);
            let mut args = vec![name];
            args.extend(arguments);
            terms.apply(construct.symbol(), &args)
        }
    }
}

/// The name of a phrase, as the reader makes it, and its arguments.
pub fn words(terms: &mut Terms, pieces: &[(String, Vec<Tree>)]) -> (Id, Vec<Id>) {
    let mut name = String::new();
    let mut arguments = Vec::new();
    for (text, group) in pieces {
        for c in text.chars() {
            if matches!(c, '(' | ')' | '\\') {
                name.push('\\');
            }
            name.push(c);
        }
        if !group.is_empty() {
            name.push('(');
            name.push_str(&",".repeat(group.len() - 1));
            name.push(')');
            arguments.extend(group.iter().map(|g| make(terms, g)));
        }
    }
    (terms.text(Symbol::new(&name)), arguments)
}

/// Texts with everything that could end, open or hide something.
pub fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zа-яі ]{0,6}",
        "[\"'\\\\()#;«»‘’“”„,.\n\t=*/{}%@$a ]{0,6}",
        "\\PC{0,5}",
    ]
}

pub fn name() -> impl Strategy<Value = Tree> {
    prop_oneof![
        "[a-z][a-z0-9_]{0,3}",
        "[а-щ][а-я0-9]{0,3}",
        Just("int".to_owned()),
        Just("class".to_owned()),
        Just("fn".to_owned()),
        Just("Index".to_owned()),
        Just("x".to_owned()),
    ]
    .prop_filter("reserved", |n| Construct::standing(n).is_none())
    .prop_map(Name)
}

pub fn expression() -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![
        4 => name(),
        2 => any::<i64>().prop_map(Int),
        2 => (-3i64..100).prop_map(Int),
        1 => any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Real),
        1 => Just(Int(i64::MIN)),
        1 => prop::sample::select(vec![
            Construct::BlockIndex, Construct::ThreadIndex, Construct::BlockCount,
            Construct::ThreadCount, Construct::Multiprocessors, Construct::True, Construct::False,
        ]).prop_map(|c| Node(c, Vec::new())),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let binary = prop::sample::select(vec![
            Construct::Plus,
            Construct::Minus,
            Construct::Times,
            Construct::Div,
            Construct::Mod,
            Construct::Power,
            Construct::Equal,
            Construct::NotEqual,
            Construct::Less,
            Construct::LessOrEqual,
            Construct::Greater,
            Construct::GreaterOrEqual,
            Construct::And,
            Construct::Or,
        ]);
        let some = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            6 => (binary, inner.clone(), inner.clone()).prop_map(|(c, a, b)| Node(c, vec![a, b])),
            2 => (prop::sample::select(vec![Construct::Negate, Construct::Not]), inner.clone())
                .prop_map(|(c, a)| Node(c, vec![a])),
            1 => (inner.clone(), prop::sample::select(vec!["x", "y", "z", "w"]))
                .prop_map(|(v, f)| Node(Construct::Field, vec![v, Name(f.to_owned())])),
            1 => (name(), some.clone(), prop::sample::select(vec![Construct::Index, Construct::Apply]))
                .prop_map(|(n, args, c)| {
                    let mut all = vec![n];
                    all.extend(args);
                    Node(c, all)
                }),
            2 => prop::collection::vec((nasty(), prop::collection::vec(inner.clone(), 0..3)), 1..3)
                .prop_map(|pieces| Words(Construct::Test, pieces)),
            1 => (basic(inner.clone()), inner).prop_map(|(a, u)| Node(Construct::After, vec![a, u])),
        ]
    })
    .boxed()
}

/// Operators without operators in them.
pub fn basic(value: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    let target = prop_oneof![
        name(),
        (name(), value.clone()).prop_map(|(n, i)| Node(Construct::Index, vec![n, i])),
        (name(), value.clone()).prop_map(|(n, i)| {
            let cell = Node(Construct::Index, vec![n, i]);
            Node(Construct::Field, vec![cell, Name("y".to_owned())])
        }),
    ];
    let types = prop::sample::select(vec![
        "REAL",
        "INTEGER",
        "VECTOR",
        "VECTOR OF REAL64",
        "Unheard",
    ])
    .prop_map(|t| Name(t.to_owned()));
    prop_oneof![
        (
            target,
            value.clone(),
            prop::sample::select(vec![
                Construct::Assign,
                Construct::Assign,
                Construct::AtomicAdd,
                Construct::AtomicMin,
                Construct::AtomicMax,
            ])
        )
            .prop_map(|(t, v, construct)| Node(construct, vec![t, v])),
        (name(), value.clone(), name())
            .prop_map(|(t, v, was)| Node(Construct::FetchAdd, vec![t, v, was])),
        (name(), types, value.clone(), any::<bool>()).prop_map(|(n, t, v, shared)| {
            let construct = if shared {
                Construct::Shared
            } else {
                Construct::Local
            };
            Node(construct, vec![n, t, v])
        }),
        (nasty(), any::<bool>()).prop_map(|(t, wait)| {
            let construct = if wait {
                Construct::Wait
            } else {
                Construct::ControlPoint
            };
            Node(construct, vec![Text(t)])
        }),
        value.clone().prop_map(|u| Node(Construct::Filter, vec![u])),
        prop::sample::select(vec![
            Construct::Empty,
            Construct::Undefined,
            Construct::Barrier
        ])
        .prop_map(|c| Node(c, Vec::new())),
        (nasty(), prop::collection::vec(value.clone(), 1..3)).prop_map(|(t, values)| {
            let mut all = vec![Text(t)];
            all.extend(values);
            Node(Construct::Report, all)
        }),
        (nasty(), name()).prop_map(|(t, a)| Node(Construct::Save, vec![Text(t), a])),
        (
            prop::sample::select(vec![
                Construct::Allocate,
                Construct::CopyToDevice,
                Construct::CopyFromDevice,
                Construct::Free,
            ]),
            name()
        )
            .prop_map(|(c, a)| Node(c, vec![a])),
        prop::collection::vec((nasty(), prop::collection::vec(value, 0..3)), 1..3)
            .prop_map(|pieces| Words(Construct::Call, pieces)),
    ]
    .boxed()
}

pub fn operator() -> BoxedStrategy<Tree> {
    let e = expression;
    basic(e())
        .prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Sequence),
                1 => (e(), inner.clone(), inner.clone())
                    .prop_map(|(u, a, b)| Node(Construct::If, vec![u, a, b])),
                1 => (e(), inner.clone()).prop_map(|(u, a)| Node(Construct::While, vec![u, a])),
                1 => (name(), e(), e(), inner.clone(), any::<bool>()).prop_map(|(i, a, b, body, p)| {
                    let construct = if p { Construct::Parallel } else { Construct::ForLoop };
                    Node(construct, vec![i, a, b, body])
                }),
                1 => (name(), e(), e(), e(), inner.clone(), any::<bool>())
                    .prop_map(|(i, a, b, s, body, lanes)| {
                        let construct = if lanes { Construct::Lanes } else { Construct::ForStep };
                        Node(construct, vec![i, a, b, s, body])
                    }),
                1 => prop::collection::vec(inner.clone(), 1..4)
                    .prop_map(|branches| Node(Construct::Async, branches)),
                1 => (e(), e(), inner.clone())
                    .prop_map(|(b, t, body)| Node(Construct::Launch, vec![b, t, body])),
                1 => inner.clone().prop_map(|a| Node(Construct::Timed, vec![a])),
                1 => (name(), prop::collection::vec(e(), 1..3), inner).prop_map(|(n, dims, body)| {
                    let parts = vec![n, Name("REAL".to_owned()), Node(Construct::Dims, dims), body];
                    Node(Construct::Array, parts)
                }),
            ]
        })
        .boxed()
}

/// An item of DATA.
pub fn item() -> BoxedStrategy<Tree> {
    let e = expression;
    let real = || Name("REAL".to_owned());
    let options = prop::collection::vec(
        (name(), e()).prop_map(|(n, v)| Node(Construct::Option, vec![n, v])),
        0..3,
    )
    .boxed();
    let marks = prop::sample::select(vec![vec![], vec!["INPUT"], vec!["INPUT", "OUTPUT"]])
        .prop_map(|marks| {
            let marks = marks.into_iter().map(|m| Name(m.to_owned())).collect();
            Node(Construct::Marks, marks)
        });
    prop_oneof![
        (name(), e()).prop_map(move |(n, v)| Node(Construct::Parameter, vec![n, real(), v])),
        (
            name(),
            prop::collection::vec(e(), 0..3),
            marks,
            prop::collection::vec(e(), 0..3)
        )
            .prop_map(move |(n, dims, marks, values)| {
                let values = if dims.is_empty() { vec![] } else { values };
                let parts = vec![
                    n,
                    real(),
                    Node(Construct::Dims, dims),
                    marks,
                    Node(Construct::Values, values),
                ];
                Node(Construct::Variable, parts)
            }),
        (nasty(), options.clone()).prop_map(|(t, options)| {
            let mut all = vec![Text(t)];
            all.extend(options);
            Node(Construct::DefaultInput, all)
        }),
        options.prop_map(|options| Node(Construct::Check, options)),
        (nasty(), e()).prop_map(|(t, v)| Node(Construct::Work, vec![Text(t), v])),
        e().prop_map(|u| Node(Construct::Assume, vec![u])),
        nasty().prop_map(|t| Node(Construct::Use, vec![Text(t)])),
    ]
    .boxed()
}

pub fn empty() -> Tree {
    Node(Construct::Empty, Vec::new())
}
