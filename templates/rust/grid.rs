//! Grids: the blocks and threads of launches.

// A kernel may do nothing in its threads.
#![allow(dead_code)]

use super::error::{fail, Error};

/// How many copies of a kernel's body a launch starts.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub blocks: i32,
    pub threads: i32,
}

/// The grid of a launch: empty where there are no blocks or no threads.
pub fn grid(blocks: i64, threads: i64) -> Grid {
    if blocks <= 0 || threads <= 0 {
        return Grid {
            blocks: 0,
            threads: 0,
        };
    }
    match (i32::try_from(blocks), i32::try_from(threads)) {
        (Ok(blocks), Ok(threads)) if threads <= 1024 => Grid { blocks, threads },
        _ => {
            let why = format!("{blocks} blocks of {threads} threads are more than a device has");
            fail(Error::Algorithm(why))
        }
    }
}
