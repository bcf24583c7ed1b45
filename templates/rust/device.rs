//! The device, which here is the processor: arrays have a copy of their own there.

use crate::error::{fail, Error};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// An array's memory on the device.
pub struct DeviceArray<T> {
    name: &'static str,
    cells: Mutex<Option<Vec<T>>>,
}

impl<T: Copy + Default> DeviceArray<T> {
    /// No memory yet.
    pub fn new(name: &'static str) -> DeviceArray<T> {
        let cells = Mutex::new(None);
        DeviceArray { name, cells }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Vec<T>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for as many cells as the host's array has.
    #[allow(dead_code)]
    pub fn allocate(&self, cells: usize) {
        let mut memory = self.locked();
        if memory.is_some() {
            let name = self.name;
            let why = format!("`{name}` has memory on the device already");
            fail(Error::Algorithm(why));
        }
        *memory = Some(crate::array::array(self.name, &[cells]));
    }

    /// The cells, which nobody else reaches as long as they are held.
    #[allow(dead_code)]
    pub fn cells(&self) -> Cells<'_, T> {
        let memory = self.locked();
        if memory.is_none() {
            let name = self.name;
            drop(memory);
            fail(Error::Algorithm(format!(
                "`{name}` has no memory on the device"
            )));
        }
        Cells(memory)
    }

    /// Gives the room back.
    #[allow(dead_code)]
    pub fn free(&self) {
        drop(self.cells());
        *self.locked() = None;
    }
}

/// The cells of an array on the device.
pub struct Cells<'a, T>(MutexGuard<'a, Option<Vec<T>>>);

impl<T> Deref for Cells<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<T> DerefMut for Cells<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().unwrap_or_default()
    }
}
