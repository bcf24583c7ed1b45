//! Terms as a flat table: equal terms stand in it once, arguments before what they are arguments of.

use crate::term::{Head, Id, Terms};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A row of the table: a literal, or a functor with the numbers of its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Row {
    /// A functor applied to arguments, given by their numbers in the table.
    Functor(String, Vec<u32>),
    /// A rule's variable. Schemes have none.
    Variable(String),
    /// An integer.
    Int(i64),
    /// A real.
    Real(f64),
    /// A text.
    Text(String),
}

/// What makes two rows the same; reals by their bits.
type Key = (u8, u64, String, Vec<u32>);

/// A table of terms, filled as terms come.
#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
    known: FxHashMap<Key, u32>,
}

impl Table {
    /// The rows so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of a term; new parts of it become rows. The same terms in the same order give the
    /// same table.
    pub fn add(&mut self, terms: &Terms, root: Id) -> u32 {
        let mut work = vec![(root, false)];
        let mut done: Vec<u32> = Vec::new();
        while let Some((id, ready)) = work.pop() {
            if !ready {
                work.push((id, true));
                work.extend(terms.args(id).iter().rev().map(|&a| (a, false)));
                continue;
            }
            let arguments = done.split_off(done.len() - terms.arity(id));
            let number = self.row(terms.head(id), arguments);
            done.push(number);
        }
        done.pop().unwrap_or(0)
    }

    fn row(&mut self, head: Head, arguments: Vec<u32>) -> u32 {
        let (tag, bits, name) = match head {
            Head::Functor(name) => (0, 0, name.as_str()),
            Head::Variable(name) | Head::Sequence(name) => (1, 0, name.as_str()),
            Head::Int(i) => (2, i as u64, ""),
            Head::Real(x) => (3, x.to_bits(), ""),
            Head::Text(text) => (4, 0, text.as_str()),
        };
        let key = (tag, bits, name.to_owned(), arguments);
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let number = self.rows.len() as u32;
        self.rows.push(match head {
            Head::Functor(name) => Row::Functor(name.to_string(), key.3.clone()),
            Head::Variable(name) | Head::Sequence(name) => Row::Variable(name.to_string()),
            Head::Int(i) => Row::Int(i),
            Head::Real(x) => Row::Real(x),
            Head::Text(text) => Row::Text(text.to_string()),
        });
        self.known.insert(key, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Symbol;

    #[test]
    fn equal_terms_stand_once() {
        let mut terms = Terms::new();
        let f = Symbol::new("f");
        let (a, b) = (terms.int(1), terms.int(1));
        let both = terms.apply(f, &[a, b]);
        let mut table = Table::default();
        assert_eq!(table.add(&terms, both), 1);
        let more = terms.apply(f, &[both, a]);
        assert_eq!(table.add(&terms, more), 2);
        assert_eq!(
            table.rows(),
            [
                Row::Int(1),
                Row::Functor("f".into(), vec![0, 0]),
                Row::Functor("f".into(), vec![1, 0]),
            ]
        );
    }
}
