//! The operations on two values: the constructs that [`Expr::Binary`](super::Expr::Binary) can be.

use super::Construct;

macro_rules! binary {
    ($($name:ident)*) => {
        /// An operation on two values; none but these, so that matches need no rest.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Binary {
            $(
                #[doc = concat!("[`Construct::", stringify!($name), "`].")]
                $name,
            )*
        }

        impl Binary {
            /// All of them.
            pub const ALL: &[Binary] = &[$(Binary::$name,)*];

            /// The construct.
            pub fn construct(self) -> Construct {
                match self {
                    $(Binary::$name => Construct::$name,)*
                }
            }
        }
    };
}

binary! {
    Or And
    Equal NotEqual Less LessOrEqual Greater GreaterOrEqual
    Plus Minus Times Div Mod Power
}
