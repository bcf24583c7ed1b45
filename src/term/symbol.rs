//! Interned names.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, RwLock};

/// A name, interned for the life of the process: comparing two symbols compares two integers.
///
/// The number behind a symbol depends on the order in which names were first seen, so it must
/// never decide the order of anything that is printed; `Symbol` has no `Ord` for that reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u32);

struct Interner {
    numbers: HashMap<&'static str, u32>,
    names: Vec<&'static str>,
}

static INTERNER: LazyLock<RwLock<Interner>> = LazyLock::new(|| {
    RwLock::new(Interner {
        numbers: HashMap::new(),
        names: Vec::new(),
    })
});

impl Symbol {
    /// The symbol of a name.
    pub fn new(name: &str) -> Symbol {
        let read = INTERNER.read().unwrap_or_else(|e| e.into_inner());
        if let Some(&number) = read.numbers.get(name) {
            return Symbol(number);
        }
        drop(read);
        let mut write = INTERNER.write().unwrap_or_else(|e| e.into_inner());
        if let Some(&number) = write.numbers.get(name) {
            return Symbol(number);
        }
        let number = u32::try_from(write.names.len()).expect("fewer than 2^32 names");
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        write.names.push(name);
        write.numbers.insert(name, number);
        Symbol(number)
    }

    /// The name of a symbol.
    pub fn as_str(self) -> &'static str {
        INTERNER.read().unwrap_or_else(|e| e.into_inner()).names[self.0 as usize]
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
