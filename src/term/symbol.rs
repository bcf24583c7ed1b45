//! Interned names.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock, RwLock};

/// A name, interned for the life of the process: comparing two symbols compares two integers.
///
/// The number behind a symbol depends on the order in which names were first seen, so it must
/// never decide the order of anything that is printed; `Symbol` has no `Ord` for that reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

/// The numbers of names, and how many there are.
static NUMBERS: LazyLock<RwLock<HashMap<&'static str, u32>>> = LazyLock::new(RwLock::default);

/// The names by their numbers: the k-th part has room for 2^k, from the number 2^k - 1 on. They are read without a
/// lock, since much is asked of names, and by many threads.
static NAMES: [OnceLock<Box<[OnceLock<&'static str>]>>; 32] = [const { OnceLock::new() }; 32];

thread_local! {
    /// The symbols that this thread asked for.
    static KNOWN: RefCell<FxHashMap<&'static str, u32>> = RefCell::default();
}

/// Where the name of a number stands: its part, and its place in there.
fn place(number: u32) -> (usize, usize) {
    let part = (number + 1).ilog2();
    (part as usize, (number + 1 - (1 << part)) as usize)
}

impl Symbol {
    /// The symbol of a name.
    pub fn new(name: &str) -> Symbol {
        let known = KNOWN.with_borrow(|known| known.get(name).copied());
        Symbol(known.unwrap_or_else(|| {
            let (name, number) = Symbol::number(name);
            KNOWN.with_borrow_mut(|known| known.insert(name, number));
            number
        }))
    }

    /// The number of a name, and the name for the life of the process.
    fn number(name: &str) -> (&'static str, u32) {
        let read = NUMBERS.read().unwrap_or_else(|e| e.into_inner());
        if let Some((&name, &number)) = read.get_key_value(name) {
            return (name, number);
        }
        drop(read);
        let mut write = NUMBERS.write().unwrap_or_else(|e| e.into_inner());
        if let Some((&name, &number)) = write.get_key_value(name) {
            return (name, number);
        }
        let number = u32::try_from(write.len()).ok().filter(|&n| n < u32::MAX);
        let number = number.expect("fewer than 2^32 - 1 names");
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let (part, at) = place(number);
        let names =
            NAMES[part].get_or_init(|| (0..1usize << part).map(|_| OnceLock::new()).collect());
        names[at].get_or_init(|| name);
        write.insert(name, number);
        (name, number)
    }

    /// The name of a symbol.
    pub fn as_str(self) -> &'static str {
        let (part, at) = place(self.0);
        let name = NAMES[part].get().and_then(|names| names[at].get());
        name.expect("a symbol has a name")
    }

    /// The symbol's number, for tables indexed by symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.as_str())
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Symbol {
        Symbol::new(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_agree_on_names() {
        let all = |_| -> Vec<(Symbol, &'static str)> {
            let names = (0..2000).map(|n| format!("threads_agree_on_{n}"));
            names
                .map(|name| (Symbol::new(&name), Symbol::new(&name).as_str()))
                .collect()
        };
        let threads: Vec<_> = (0..4).map(|n| std::thread::spawn(move || all(n))).collect();
        let mut told = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        let first = told.next().expect("a thread");
        assert!(told.all(|other| other == first));
        for (n, (symbol, name)) in first.into_iter().enumerate() {
            assert_eq!(name, format!("threads_agree_on_{n}"));
            assert_eq!(symbol, Symbol::new(name));
        }
    }

    #[test]
    fn numbers_have_places() {
        assert_eq!(place(0), (0, 0));
        assert_eq!(place(1), (1, 0));
        assert_eq!(place(2), (1, 1));
        assert_eq!(place(3), (2, 0));
        assert_eq!(place(u32::MAX - 1), (31, (1 << 31) - 1));
    }
}
