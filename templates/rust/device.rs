//! The device, which here is the processor: arrays have a copy of their own there.

use super::array::{array, Array, Zero};
use super::error::{fail, Error};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An array's memory on the device.
pub struct DeviceArray<T> {
    name: &'static str,
    cells: Mutex<Option<Array<T>>>,
}

impl<T: Zero> DeviceArray<T> {
    /// No memory yet.
    pub fn new(name: &'static str) -> DeviceArray<T> {
        let cells = Mutex::new(None);
        DeviceArray { name, cells }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Array<T>>> {
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
        *memory = Some(array(self.name, &[cells]));
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
pub struct Cells<'a, T>(MutexGuard<'a, Option<Array<T>>>);

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
