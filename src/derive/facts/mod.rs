//! What rules may ask of a scheme, and what they may compute from it: the registry.
//!
//! A fact or function is one row of its family's table: its name, what it says of which arguments,
//! and the Rust function that answers. How many arguments of which kinds there are is said by that
//! function's type alone.

mod access;
mod call;
mod cells;
mod confined;
mod constants;
mod device;
mod ends;
mod expressions;
mod gather;
mod guards;
mod joined;
mod lasting;
mod loops;
mod margins;
mod members;
mod memory;
mod names;
mod pairs;
mod pivots;
mod places;
mod records;
mod recurring;
mod scalars;
mod scans;
mod scattered;
mod sharing;
mod signs;
mod slices;
mod sums;
mod teams;
mod tiles;
mod types;
mod vectors;
mod work;
mod worth;

pub(super) use call::{Call, Entry};

use crate::rewrite::Answer;
use crate::term::Id;
use std::sync::LazyLock;

/// A fact: what conditions ask.
pub(super) type Fact = Entry<Option<Answer>>;

/// A function: what `let`, `where` and results compute, or why it has no value.
pub(super) type Function = Entry<Result<Vec<Id>, String>>;

/// What conditions may ask.
pub(super) static FACTS: LazyLock<Vec<Fact>> = LazyLock::new(|| {
    let families = [
        places::facts(),
        teams::facts(),
        tiles::facts(),
        confined::facts(),
        loops::facts(),
        access::facts(),
        cells::facts(),
        scalars::facts(),
        sharing::facts(),
        sums::facts(),
        gather::facts(),
        joined::facts(),
        scans::facts(),
        scattered::facts(),
        pairs::facts(),
        types::facts(),
        vectors::facts(),
        worth::facts(),
        work::facts(),
        device::facts(),
        memory::facts(),
    ];
    families.into_iter().flatten().collect()
});

/// What `let`, `where` and results may compute.
pub(super) static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let families = [
        names::functions(),
        loops::functions(),
        margins::functions(),
        work::functions(),
        cells::functions(),
        teams::functions(),
        tiles::functions(),
        recurring::functions(),
        confined::functions(),
        scalars::functions(),
        sums::functions(),
        gather::functions(),
        joined::functions(),
        guards::functions(),
        scans::functions(),
        scattered::functions(),
        slices::functions(),
        pivots::functions(),
        types::functions(),
        vectors::functions(),
        records::functions(),
        expressions::functions(),
        lasting::functions(),
        members::functions(),
        memory::functions(),
    ];
    families.into_iter().flatten().collect()
});

/// The entry with a name that takes so many arguments.
pub(super) fn find<'a, R>(
    entries: &'a [Entry<R>],
    name: &str,
    arguments: usize,
) -> Option<&'a Entry<R>> {
    let named = |e: &&Entry<R>| e.name == name && e.takes.contains(&arguments);
    entries.iter().find(named)
}
