//! Random trees that stand for a choice, by what is given.

use super::trees::*;
use glushkov::algebra::Construct;
use proptest::prelude::*;

/// A name with braces in it, or a plain one.
pub fn holed() -> impl Strategy<Value = Tree> {
    prop_oneof![
        "[a-z]\\{k\\}",
        "[a-z]_\\{ ?[a-z]{1,2}( ?[+-] ?[0-9k]){0,2} ?\\}[a-z0-9]{0,2}",
    ]
    .prop_map(Name)
}

/// A condition over what is given.
pub fn given_condition() -> BoxedStrategy<Tree> {
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

/// Operators some of which stand for a choice.
pub fn given_operator() -> BoxedStrategy<Tree> {
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
pub fn given_item() -> BoxedStrategy<Tree> {
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
pub fn given_parts(of: Construct, inner: BoxedStrategy<Tree>) -> BoxedStrategy<Tree> {
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
pub fn given_definition() -> BoxedStrategy<Tree> {
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
