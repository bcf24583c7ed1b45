//! Whatever tree: its text and its formula, in each language, and its term are read back as the same tree.

use glushkov::algebra::{Construct, Language, then};
use glushkov::flowgraph::{graph_of, scheme_of};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::syntax::rules::{print_term, read_term};
use glushkov::syntax::text::read_file;
use glushkov::term::{Id, Sources, Symbol, Terms};
use proptest::prelude::*;

/// A well-formed tree, to be made in an arena.
#[derive(Clone, Debug)]
enum Tree {
    Int(i64),
    Real(f64),
    Name(String),
    Text(String),
    Node(Construct, Vec<Tree>),
    Sequence(Vec<Tree>),
    /// A phrase or a predicate: pieces of its text, each followed by arguments.
    Words(Construct, Vec<(String, Vec<Tree>)>),
}

use Tree::{Int, Name, Node, Real, Sequence, Text, Words};

fn make(terms: &mut Terms, tree: &Tree) -> Id {
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
fn words(terms: &mut Terms, pieces: &[(String, Vec<Tree>)]) -> (Id, Vec<Id>) {
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
fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zа-яі ]{0,6}",
        "[\"'\\\\()#;«»‘’“”„,.\n\t=*/{}%@$a ]{0,6}",
        "\\PC{0,5}",
    ]
}

fn name() -> impl Strategy<Value = Tree> {
    prop_oneof![
        "[a-z][a-z0-9_]{0,3}",
        "[а-щ][а-я0-9]{0,3}",
        Just("int".to_owned()),
        Just("class".to_owned()),
        Just("fn".to_owned()),
        Just("Index".to_owned()),
        Just("x".to_owned()),
    ]
    .prop_filter("reserved", |n| !["block", "thread"].contains(&n.as_str()))
    .prop_map(Name)
}

fn expression() -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![
        4 => name(),
        2 => any::<i64>().prop_map(Int),
        2 => (-3i64..100).prop_map(Int),
        1 => any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Real),
        1 => Just(Int(i64::MIN)),
        1 => prop::sample::select(vec![
            Construct::BlockIndex, Construct::ThreadIndex, Construct::BlockCount,
            Construct::ThreadCount, Construct::True, Construct::False,
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
fn basic(value: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
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

fn operator() -> BoxedStrategy<Tree> {
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
fn item() -> BoxedStrategy<Tree> {
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

/// A name with braces in it, or a plain one.
fn holed() -> impl Strategy<Value = Tree> {
    prop_oneof![
        "[a-z]\\{k\\}",
        "[a-z]_\\{ ?[a-z]{1,2}( ?[+-] ?[0-9k]){0,2} ?\\}[a-z0-9]{0,2}",
    ]
    .prop_map(Name)
}

/// A condition over what is given.
fn given_condition() -> BoxedStrategy<Tree> {
    let value = || prop_oneof![name(), (-5i64..100).prop_map(Int), nasty().prop_map(Text)];
    let constructs = vec![Construct::Equal, Construct::NotEqual, Construct::Less];
    (prop::sample::select(constructs), value(), value())
        .prop_map(|(c, a, b)| Node(c, vec![a, b]))
        .prop_recursive(3, 8, 2, |inner| {
            prop_oneof![
                inner.clone().prop_map(|u| Node(Construct::Not, vec![u])),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| Node(Construct::And, vec![a, b])),
                (inner.clone(), inner).prop_map(|(a, b)| Node(Construct::Or, vec![a, b])),
            ]
        })
        .boxed()
}

fn empty() -> Tree {
    Node(Construct::Empty, Vec::new())
}

/// Operators some of which stand for a choice.
fn given_operator() -> BoxedStrategy<Tree> {
    let e = expression;
    let leaf = prop_oneof![
        operator(),
        (holed(), e()).prop_map(|(n, v)| Node(Construct::Assign, vec![n, v])),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Sequence),
            1 => (e(), inner.clone(), inner.clone())
                .prop_map(|(u, a, b)| Node(Construct::If, vec![u, a, b])),
            2 => (given_condition(), inner.clone(), inner.clone())
                .prop_map(|(u, a, b)| Node(Construct::GivenIf, vec![u, a, b])),
            2 => (name(), e(), e(), inner)
                .prop_map(|(k, a, b, body)| Node(Construct::GivenFor, vec![k, a, b, body])),
        ]
    })
    .boxed()
}

/// What is given, and items of DATA that stand for a choice.
fn given_item() -> BoxedStrategy<Tree> {
    let number = || (-9i64..99).prop_map(Int);
    let range = (number(), number()).prop_map(|(a, b)| Node(Construct::Range, vec![a, b]));
    let value = || prop_oneof![number(), nasty().prop_map(Text)];
    let among = prop::collection::vec(prop_oneof![3 => value(), 1 => range], 1..4);
    let default = prop_oneof![Just(empty()), value()];
    let freely = || Node(Construct::Marks, vec![Name("FREELY".to_owned())]);
    let marks = prop_oneof![Just(Node(Construct::Marks, Vec::new())), Just(freely())];
    let given = (name(), among, default, marks).prop_map(|(n, among, default, marks)| {
        Node(
            Construct::Given,
            vec![n, Node(Construct::Among, among), default, marks],
        )
    });
    let that = given_condition().prop_map(|u| Node(Construct::GivenThat, vec![u]));
    let leaf = prop_oneof![2 => item(), 1 => given, 1 => that];
    leaf.prop_recursive(2, 6, 2, |inner| given_parts(Construct::Data, inner))
        .boxed()
}

/// Parts of DATA or of WHERE that stand for a choice.
fn given_parts(of: Construct, inner: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
    let list = || prop::collection::vec(inner.clone(), 1..3).prop_map(move |all| Node(of, all));
    prop_oneof![
        (given_condition(), list())
            .prop_map(|(u, a)| Node(Construct::GivenIf, vec![u, a, empty()])),
        (given_condition(), list(), list())
            .prop_map(|(u, a, b)| Node(Construct::GivenIf, vec![u, a, b])),
        (name(), expression(), expression(), list())
            .prop_map(|(k, a, b, body)| Node(Construct::GivenFor, vec![k, a, b, body])),
    ]
    .boxed()
}

/// Definitions some of which stand for a choice.
fn given_definition() -> BoxedStrategy<Tree> {
    let formals = || Node(Construct::Formals, Vec::new());
    let leaf = prop_oneof![
        given_operator().prop_map(move |body| {
            Node(
                Construct::Define,
                vec![Text("Do {k}".into()), formals(), body],
            )
        }),
        expression().prop_map(move |u| {
            Node(
                Construct::DefineTest,
                vec![Text("it holds".into()), formals(), u],
            )
        }),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| given_parts(Construct::Where, inner))
        .boxed()
}

type Definition = (Vec<(String, bool)>, Tree, bool);

/// Definitions with formals `p0`, `p1`, …
fn definitions() -> impl Strategy<Value = Vec<Definition>> {
    let pieces = || prop::collection::vec((nasty(), any::<bool>()), 1..3);
    prop::collection::vec(
        prop_oneof![
            (pieces(), operator(), Just(false)),
            (pieces(), expression(), Just(true)),
        ],
        0..3,
    )
}

fn scheme(terms: &mut Terms, title: &str, data: &[Tree], body: &Tree, where_: &[Definition]) -> Id {
    let title = terms.text(Symbol::new(title));
    let items: Vec<Id> = data.iter().map(|d| make(terms, d)).collect();
    let data = terms.apply(Construct::Data.symbol(), &items);
    let body = make(terms, body);
    let mut parts = vec![title, data, body];
    let mut all = Vec::new();
    for (pieces, body, is_test) in where_ {
        let mut k = 0;
        let pieces: Vec<(String, Vec<Tree>)> = pieces
            .iter()
            .map(|(text, formal)| {
                let group = formal.then(|| Name(format!("p{k}"))).into_iter().collect();
                k += 1;
                (text.clone(), group)
            })
            .collect();
        let (name, formals) = words(terms, &pieces);
        let formals = terms.apply(Construct::Formals.symbol(), &formals);
        let body = make(terms, body);
        let construct = if *is_test {
            Construct::DefineTest
        } else {
            Construct::Define
        };
        all.push(terms.apply(construct.symbol(), &[name, formals, body]));
    }
    if !all.is_empty() {
        parts.push(terms.apply(Construct::Where.symbol(), &all));
    }
    terms.apply(Construct::Scheme.symbol(), &parts)
}

/// `SCHEMES=10000 cargo test --release --test printing` tries more of them.
fn cases() -> u32 {
    let asked = std::env::var("SCHEMES").ok().and_then(|n| n.parse().ok());
    asked.unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn a_tree_is_read_back(
        title in nasty(),
        data in prop::collection::vec(item(), 0..3),
        body in operator(),
        where_ in definitions(),
    ) {
        let mut terms = Terms::new();
        let root = scheme(&mut terms, &title, &data, &body, &where_);
        let forms = [
            (Notation::Text, "printed.saa"),
            (Notation::Formula, "printed.saaf"),
            (Notation::Typed, "printed.saaf"),
        ];
        for (language, (notation, name)) in
            Language::ALL.into_iter().flat_map(|l| forms.map(|f| (l, f)))
        {
            let style = Style { notation, language, comments: false };
            let printed = print(&terms, root, style);
            let mut sources = Sources::default();
            let file = sources.add(name, printed.clone());
            let mut again = Terms::new();
            let (items, errors) = read_file(&sources, file, &mut again);
            prop_assert!(errors.is_empty(), "{}\n{:?}", printed, errors);
            prop_assert!(
                items.len() == 1 && terms.equal_across(root, &again, items[0]),
                "{}\n{}\n{}",
                printed, print_term(&terms, root), print_term(&again, items[0])
            );
        }
        // From the formula to the graph, and back to the text.
        let mut again = terms.clone();
        let graph = graph_of(&mut again, root);
        let style = Style { notation: Notation::Text, language: Language::Russian, comments: false };
        let printed = print(&again, graph, style);
        let mut sources = Sources::default();
        let file = sources.add("printed.saag", printed.clone());
        let mut again = Terms::new();
        let (items, errors) = read_file(&sources, file, &mut again);
        prop_assert!(errors.is_empty() && items.len() == 1, "{}\n{:?}", printed, errors);
        let back = scheme_of(&mut again, items[0]);
        let back = back.map_err(|e| TestCaseError::fail(format!("{printed}: {e:?}")))?;
        prop_assert!(
            terms.equal_across(root, &again, back),
            "{}\n{}\n{}",
            printed, print_term(&terms, root), print_term(&again, back)
        );
        let printed = print_term(&terms, root);
        let mut again = Terms::new();
        let same = read_term(&mut again, 0, &printed);
        let same = same.map_err(|d| TestCaseError::fail(format!("{printed}: {d:?}")))?;
        prop_assert!(terms.equal_across(root, &again, same), "{}", printed);
    }

    #[test]
    fn a_family_is_read_back(
        data in prop::collection::vec(given_item(), 0..3),
        body in given_operator(),
        where_ in prop::collection::vec(given_definition(), 1..3),
    ) {
        let mut terms = Terms::new();
        let title = Text("Family {k}".to_owned());
        let parts = vec![title, Node(Construct::Data, data), body, Node(Construct::Where, where_)];
        let root = make(&mut terms, &Node(Construct::Scheme, parts));
        let forms = [
            (Notation::Text, "printed.saa"),
            (Notation::Formula, "printed.saaf"),
            (Notation::Typed, "printed.saaf"),
        ];
        for (language, (notation, name)) in
            Language::ALL.into_iter().flat_map(|l| forms.map(|f| (l, f)))
        {
            let style = Style { notation, language, comments: false };
            let printed = print(&terms, root, style);
            let mut sources = Sources::default();
            let file = sources.add(name, printed.clone());
            let mut again = Terms::new();
            let (items, errors) = read_file(&sources, file, &mut again);
            prop_assert!(errors.is_empty(), "{}\n{:?}", printed, errors);
            prop_assert!(
                items.len() == 1 && terms.equal_across(root, &again, items[0]),
                "{}\n{}\n{}",
                printed, print_term(&terms, root), print_term(&again, items[0])
            );
        }
    }
}
