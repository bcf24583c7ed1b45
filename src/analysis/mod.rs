//! `Scheme` → facts: access sets, dependences, reductions, liveness, what is where on a device.
//!
//! Every answer is yes, no or unknown, with its reason. Nothing here knows of targets or rules.

mod access;
mod affine;
mod aliasing;
mod alike;
mod answers;
mod asynchrony;
mod claims;
mod congruent;
mod context;
mod definite;
mod dependence;
mod device;
mod doubts;
mod eliminated;
mod filled;
pub mod form;
mod found;
mod fusion;
mod gather;
mod graph;
mod harmless;
mod held;
mod in_between;
mod lanes;
mod lasting;
pub mod linear;
mod live;
mod margin_test;
mod nonnegative;
mod of_first;
mod order;
mod partners;
mod range_margin;
mod recurring;
mod reduction;
mod reported;
mod residency;
mod scan;
mod simple;
mod strides;
mod sums;
mod symmetry;
mod tables;
mod tiles;
mod together;

mod varying;
mod witness;

pub use access::{
    Access, Accesses, Around, Loop, accesses, effects, names_in, relied_on, with_relied,
};
pub use affine::is_parameter;
pub use aliasing::{Conflict, Order, UNKNOWN_CONDITION, Verdict};
pub use asynchrony::{asynchronous, is_control_point};
pub use claims::injective_claim;
pub use context::{Context, Level};
pub use dependence::{independent, independent_but, reversible};
pub use device::{Copies, Placement};
pub use doubts::doubts;
pub use filled::{copied_in_part, extent, filled, fills};
pub use found::{Found, found};
pub use fusion::{apart, keeps_order, may_precede};
pub use gather::{ROUNDED, any_grouping, any_order, gathered_scalars, gathers_in_order};
pub use graph::{Dependence, Graph, Kind, dependence_graph};
pub use lanes::lanes_ok;
pub use lasting::{Lasting, lasting};
pub use live::{live_after, reads_before_setting};
pub use margin_test::{
    asks_of_margins, margin_test, margin_test_failed, margin_test_of_names, scalars_of,
};
pub use nonnegative::is_never_negative;
pub use of_first::used_by_others;
pub use range_margin::has_margin;
pub use recurring::{MOST_MEMBERS, Recurring, SMALL, Turn, Use, recurring};
pub use reduction::{
    Gather, is_real_sum, narrow_sums, private_scalars, real_sum, reduction, reductions,
    register_sums,
};
pub use reported::{assigned_in, only_reported, only_reported_where};
pub use scan::{Scan, gathering, independent_but_carried, notes, scan, totals_in_order};
pub use simple::{
    at_least_once, at_most, bounds_invariant, device_ok, is_above_0, is_at_most, parallel_ok,
    stable,
};
pub use symmetry::exchangeable;

pub use definite::{Place, cells_at, confined, surely_read, surely_read_at};
pub use harmless::{harmless, is_own};
pub use in_between::{kept_to, only_access};
pub use strides::{goes_along_rows, has_neighbours};
pub use sums::{only_scalar_sums, only_sums, scalars_written, sums_at};
pub use tables::{is_positive, is_symmetric};
pub use tiles::{Tile, tiles};
pub use together::{read_together, shared_together};
pub use varying::{Varying, varying};

use crate::check::Scheme;
use crate::syntax::print::{Notation, Style, print};
use crate::term::{Id, Span};

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Follows from the scheme.
    Proved,
    /// Rests on a claim of the author or the user.
    Assumed,
}

/// The answer to a question about a scheme.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It holds: why, and how sure.
    Yes(String, Basis),
    /// It does not hold: why, and places that show it.
    No(String, Vec<(Option<Span>, String)>),
    /// Nobody knows: what is missing.
    Unknown(String, Vec<(Option<Span>, String)>),
}

impl Answer {
    /// Yes, proved.
    pub fn proved(text: impl Into<String>) -> Answer {
        Answer::Yes(text.into(), Basis::Proved)
    }

    /// No, without places.
    pub fn no(text: impl Into<String>) -> Answer {
        Answer::No(text.into(), Vec::new())
    }

    /// Unknown, without places.
    pub fn unknown(text: impl Into<String>) -> Answer {
        Answer::Unknown(text.into(), Vec::new())
    }

    /// Whether it is yes.
    pub fn is_yes(&self) -> bool {
        matches!(self, Answer::Yes(..))
    }
}

/// A term as text, for messages.
pub fn text(scheme: &Scheme, id: Id) -> String {
    let style = Style {
        notation: Notation::Text,
        language: Default::default(),
        comments: false,
    };
    let printed = print(&scheme.terms, id, style).replace('\n', " ");
    // Names that the check made unique are shown as the author wrote them.
    let mut shown = String::new();
    let mut chars = printed.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '′' {
            while chars.next_if(char::is_ascii_digit).is_some() {}
        } else {
            shown.push(c);
        }
    }
    shown
}
