//! A term → its open places, and what each of them takes.

use crate::algebra::{Construct, Role, Sort, text_of};
use crate::check::{OPEN, Seen, is_open};
use crate::term::{Head, Id, Symbol, Terms};

/// What an open place takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// An operator.
    Operator,
    /// A predicate.
    Condition,
    /// A value.
    Expression,
    /// A variable, a cell or a component that is assigned.
    Target,
    /// A name for something new.
    NewName,
    /// The name of something that is there.
    Name,
    /// The name of a type.
    Type,
    /// A text in quotes.
    Text,
    /// An item of DATA.
    Item,
    /// A named value: of CHECK, or for a generator.
    Option,
}

impl Wants {
    /// The word used in messages.
    pub fn word(self) -> &'static str {
        match self {
            Wants::Operator => "an operator",
            Wants::Condition => "a predicate",
            Wants::Expression => "an expression",
            Wants::Target => "what is assigned",
            Wants::NewName => "a new name",
            Wants::Name => "a name",
            Wants::Type => "a type",
            Wants::Text => "a text",
            Wants::Item => "an item of DATA",
            Wants::Option => "a named value",
        }
    }

    /// What the argument of a construct takes, if it may be open.
    fn of(parent: Construct, index: usize) -> Option<Wants> {
        Some(match (parent.info().role(index)?, parent) {
            (Role::Operator, _) => Wants::Operator,
            (Role::Condition, _) => Wants::Condition,
            (Role::Expression, _) => Wants::Expression,
            (Role::Target, _) => Wants::Target,
            (Role::Binder | Role::Declared, _) => Wants::NewName,
            (Role::Name, Construct::Parameter | Construct::Variable) => Wants::NewName,
            (Role::Word, Construct::Formals) => Wants::NewName,
            (Role::Name | Role::Word | Role::Updated, _) => Wants::Name,
            (Role::Type, _) => Wants::Type,
            (Role::Text, _) => Wants::Text,
            (Role::Part, Construct::Data) => Wants::Item,
            (Role::Part, Construct::Check | Construct::DefaultInput) => Wants::Option,
            (Role::Part, _) => return None,
        })
    }
}

/// An open place, and what is known there.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its number, by which it is shown: `…7`.
    pub number: u32,
    /// What it takes.
    pub wants: Wants,
    /// The sort of what it takes.
    pub sort: Sort,
    /// The construct that it is an argument of.
    pub parent: Construct,
    /// Which argument.
    pub index: usize,
    /// Whether nothing may be put there: it is one more of several.
    pub is_optional: bool,
    /// What can be named there, and where it stands.
    pub seen: Seen,
}

impl Place {
    /// What it takes and what of, in words: `an expression, B of FOR (A FROM B TO C) LOOP D END OF LOOP`.
    pub fn text(&self) -> String {
        let mut text = self.wants.word().to_owned();
        if let Some(ty) = self.seen.wanted {
            text.push_str(&format!(" of type {ty}"));
        }
        let letter = char::from(b'A' + self.index.min(25) as u8);
        match self.parent {
            Construct::Scheme => text.push_str(", the body of the scheme"),
            Construct::Data => {}
            Construct::Define => text.push_str(", the definition of the phrase"),
            Construct::DefineTest => text.push_str(", the definition of the predicate"),
            Construct::Formals => text.push_str(" for an argument of the phrase"),
            _ if self.is_list() => text.push_str(&format!(", one of {}", text_of(self.parent))),
            parent => text.push_str(&format!(", {letter} of {}", text_of(parent))),
        }
        if self.is_optional {
            text.push_str(", or nothing: .");
        }
        text
    }

    /// Whether it stands in a list that goes on.
    pub fn is_list(&self) -> bool {
        least(self.parent).is_some() && self.index >= self.parent.info().arguments.len()
    }
}

/// How many members a list of a construct has at least, if it is one to which further ones are put one by one.
pub(super) fn least(parent: Construct) -> Option<usize> {
    match parent {
        Construct::Data | Construct::DefaultInput => Some(0),
        Construct::Then
        | Construct::Async
        | Construct::Report
        | Construct::Check
        | Construct::Rotate
        | Construct::SumOverWarp
        | Construct::MinOverWarp
        | Construct::MaxOverWarp => Some(1),
        _ => None,
    }
}

/// The name of the open place of a number.
pub(super) fn open_name(number: u32) -> Symbol {
    Symbol::new(&format!("{OPEN}{number}"))
}

/// The number of an open place; 0 for one that has none yet.
pub(super) fn open_number(terms: &Terms, id: Id) -> Option<u32> {
    let name = match terms.head(id) {
        Head::Text(text) => text,
        _ => terms.as_atom(id)?,
    };
    let number = is_open(name).then(|| &name.as_str()[OPEN.len_utf8()..])?;
    match number {
        "" => Some(0),
        number => number.parse().ok(),
    }
}

/// Whether an argument may be left out.
pub(super) fn is_optional(terms: &Terms, parent: Id, index: usize) -> bool {
    let Some(construct) = terms.functor(parent).and_then(Construct::of) else {
        return false;
    };
    let fixed = construct.info().arguments.len();
    let members = terms.arity(parent).saturating_sub(fixed);
    index >= fixed && least(construct).is_some_and(|least| members > least)
}

/// The open places of a term in the order of reading, without what is known there.
pub(super) fn open_places(terms: &Terms, root: Id) -> Vec<Place> {
    let mut found = Vec::new();
    let mut left = vec![(root, None)];
    while let Some((id, around)) = left.pop() {
        if let (Some(number), Some((parent, index))) = (open_number(terms, id), around) {
            found.extend(open_place(terms, number, parent, index));
        }
        let arguments = terms.args(id).iter().enumerate().rev();
        left.extend(arguments.map(|(index, &argument)| (argument, Some((id, index)))));
    }
    found
}

fn open_place(terms: &Terms, number: u32, parent: Id, index: usize) -> Option<Place> {
    let construct = Construct::of(terms.functor(parent)?)?;
    Some(Place {
        number,
        wants: Wants::of(construct, index)?,
        sort: construct.info().argument(index)?,
        parent: construct,
        index,
        is_optional: is_optional(terms, parent, index),
        seen: Seen::default(),
    })
}
