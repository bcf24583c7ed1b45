//! `Term` → `Scheme`: phrases expanded, names, sorts, types and shapes resolved, binders unique.

mod claims;
mod conversions;
mod data;
mod definitions;
mod device;
mod effects;
mod elaborate;
mod expressions;
mod functions;
mod names;
mod operators;
mod phrases;
mod recorded;
mod scheme;
mod scope;

pub use claims::unfounded;
pub use elaborate::check;
pub use names::author_names;
pub use recorded::{outermost_loop, unrecordable};
pub use scheme::{
    DefaultInput, OptionValue, Role, Scheme, Undefined, Variable, author_name, unique_name,
};

/// The known name that is nearest to a name, if it is near enough to be meant.
pub fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).max(1);
    known
        .filter(|k| k.len().abs_diff(name.len()) <= 4 * most && name.len() <= 200)
        .map(|k| (strsim::levenshtein(name, k), k))
        .filter(|&(d, k)| d <= most && k != name)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}
