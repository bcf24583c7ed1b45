//! Bounds on what is read: beyond each of them input is refused, with a message.

/// Levels of nesting of a scheme.
pub const MAX_DEPTH: usize = 100_000;

/// Levels of nesting of a term that is rewritten, and of rules. Reading takes some 2 KB a level.
pub const MOST_LEVELS: usize = 1_000_000;

/// Bytes of a text.
pub const MOST_BYTES: usize = 128 << 20;

/// Words, numbers, quoted texts and signs of a text. A term has no more nodes than its text has of
/// these.
pub const MOST_TOKENS: usize = 1 << 25;

/// Quoted texts inside the arguments of quoted texts.
pub const MOST_QUOTES: usize = 32;

/// Bytes of one sentence of a message.
pub const MOST_TOLD: usize = 8_000;

/// Nodes of a scheme whose phrases are expanded.
pub const MOST_NODES: usize = 10_000_000;

/// Nodes of a term that is printed.
pub const MOST_PRINTED: u64 = 20_000_000;

/// Errors of one text that are told; reading and checking stop there.
pub const MOST_ERRORS: usize = 40;
