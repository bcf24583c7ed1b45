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
        .map(|k| (distance(name, k, most), k))
        .filter(|&(d, k)| d <= most && k != name)
        .min_by_key(|&(d, _)| d)
        .map(|(_, k)| k)
}

/// Edit distance of two names, not followed beyond `most`.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > most || a.len() > 200 {
        return most + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let cost = usize::from(x != y);
            let next = (diagonal + cost).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}
