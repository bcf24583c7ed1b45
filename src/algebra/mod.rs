//! The table of constructs, the tables of keywords, types and functions, and typed views of terms.

mod atomic;
mod binary;
mod build;
mod construct;
mod document;
mod exchange;
mod function;
mod inside;
mod keyword;
mod phrases;
mod reached;
mod sign;
mod stands;
mod translate;
mod types;
mod typeset;
mod view;
mod within;
mod wording;

pub use atomic::Atomic;
pub(crate) use binary::operations;
pub use binary::{Arithmetic, Binary, Comparison, Kind, Logic};
pub use build::{build, then};
pub use construct::{ATOMIC, Construct, Info, Role, Sort, TABLE};
pub use document::{SPELLINGS, document, text_of};
pub use exchange::{Combine, Exchange, WARP};
pub use function::{
    Accuracy, Bits, Bivariate, CONSTANTS, Cpp, Elementary, Entry, Extreme, FUNCTIONS, Function,
    Length, PIECES, Parity, Piece, Rust, Signature, Spelling, Ulps, Vectors, constant, entries,
    function, signature,
};
pub(crate) use inside::simple_operators;
pub use inside::{Inside, is_loop, loop_variable};
pub use keyword::{Keyword, Language};
pub use phrases::{definitions, needed, phrases_of, phrases_used};
pub use reached::{arrays_read, launched_operator};
pub use sign::{SIGNS, in_twins};
pub use stands::Stands;
pub use translate::{Phrasebook, Words, filled, translated};
pub use types::{
    COMPONENTS, LARGEST_EXTENT, MARGIN, OF, Precision, TYPE_NAMES, Type, TypeName, component,
};
pub use typeset::{LATEX, Part, SIGN, Typeset, parts, wrong_latex};
pub use view::{Expr, Operator, expr, operator};
pub use within::{
    bodies_of, bound, declares, inner, is_word, names, operators, operators_of, root_name, written,
};
pub use wording::{WAITED_FOR, WORDINGS, Wording, waited_for};
