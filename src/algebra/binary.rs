//! The operations on two values: the constructs that [`Expr::Binary`](super::Expr::Binary) can be, by kinds. A
//! row of the table is all that most passes need; those that compute or translate match the kinds.

use super::Construct;

macro_rules! binary {
    ($($(#[$about:meta])* $kind:ident: $($name:ident)*;)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
            pub enum $kind {
                $(
                    #[doc = concat!("[`Construct::", stringify!($name), "`].")]
                    $name,
                )*
            }
        )*

        /// An operation on two values; none but these, so that matches need no rest.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Binary {
            $($(
                #[doc = concat!("[`Construct::", stringify!($name), "`].")]
                $name,
            )*)*
        }

        /// An operation on two values, by its kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(
                $(#[$about])*
                $kind($kind),
            )*
        }

        impl Binary {
            /// All of them.
            pub const ALL: &[Binary] = &[$($(Binary::$name,)*)*];

            /// The construct.
            pub fn construct(self) -> Construct {
                match self {
                    $($(Binary::$name => Construct::$name,)*)*
                }
            }

            /// What kind of operation it is.
            pub fn kind(self) -> Kind {
                match self {
                    $($(Binary::$name => Kind::$kind($kind::$name),)*)*
                }
            }

            /// The operation that a construct is, if it is one.
            pub fn of(construct: Construct) -> Option<Binary> {
                match construct {
                    $($(Construct::$name => Some(Binary::$name),)*)*
                    _ => None,
                }
            }
        }

        /// The pattern of the constructs that are operations on two values, where all constructs are matched.
        macro_rules! operations {
            () => { $($($crate::algebra::Construct::$name)|*)|* };
        }
    };
}

binary! {
    /// What joins two conditions; the second is computed only where the first does not decide.
    Logic: Or And;
    /// What compares two values.
    Comparison: Equal NotEqual Less LessOrEqual Greater GreaterOrEqual;
    /// What computes a number or a vector of two.
    Arithmetic: Plus Minus Times Div Mod Power;
}

pub(crate) use operations;

impl Logic {
    /// Whether it holds of two conditions.
    pub fn holds(self, a: bool, b: bool) -> bool {
        match self {
            Logic::And => a && b,
            Logic::Or => a || b,
        }
    }

    /// The value of one condition that decides, whatever the other one's is.
    pub fn decided_by(self) -> Option<bool> {
        match self {
            Logic::And => Some(false),
            Logic::Or => Some(true),
        }
    }
}

impl Comparison {
    /// Whether it holds of two values; of reals that are not numbers only `<>` does.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }

    /// The comparison that holds of integers where this one does not.
    #[must_use]
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
        }
    }
}
