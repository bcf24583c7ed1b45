//! When the cells of a run are collected: young ones often, old ones seldom (Ungar 1984).

/// Words that are made between two collections, at least.
pub(super) const YOUNG: usize = 1 << 19;
/// Words below which old cells are not collected.
const SMALL: usize = 1 << 23;
/// Live words beyond which a run is given up: addresses have 31 bits.
const MOST_LIVE: usize = 1 << 30;

/// Two generations of cells in a row of words.
pub(super) struct Generations {
    /// Cells before this address are old.
    pub(super) old: usize,
    /// A collection is due when there are more words than this.
    pub(super) limit: usize,
    /// Old cells are collected, too, when there are more words of them than this.
    full: usize,
}

impl Generations {
    pub(super) fn new() -> Generations {
        Generations {
            old: 0,
            limit: YOUNG,
            full: SMALL,
        }
    }

    /// The address from which on the next collection looks at cells: 0 where at all of them.
    pub(super) fn first(&self) -> usize {
        match self.old > self.full {
            true => 0,
            false => self.old,
        }
    }

    /// A collection from an address on left so many words and looked at so many roots: the next one comes
    /// when the work that it does is worth looking at them again.
    pub(super) fn collected(
        &mut self,
        from: usize,
        live: usize,
        roots: usize,
    ) -> Result<(), String> {
        if live > MOST_LIVE {
            return Err("the term grows beyond the memory that a run may use (4 GiB)".to_string());
        }
        if from == 0 {
            self.full = SMALL.max(2 * live);
        }
        self.old = live;
        // Addresses are below the bit that marks what has moved.
        self.limit = (live + YOUNG.max(4 * roots)).min(2 * MOST_LIVE - YOUNG);
        Ok(())
    }
}
