//! Arrays that stay between calls, for callers of C.

#![allow(dead_code)]

use crate::caller::{cells, cells_mut};
use crate::error::Error;
use crate::memory::reserve;
use std::ffi::c_void;

/// The cells of an array, or a single value, as it was set or computed last.
#[derive(Default)]
pub struct Kept<T> {
    dims: Vec<usize>,
    cells: Vec<T>,
    /// Whether there are values.
    filled: bool,
    /// Whether they are the caller's.
    given: bool,
}

impl<T: Copy + Default> Kept<T> {
    /// Copies in what the caller has.
    ///
    /// # Safety
    ///
    /// There are as many cells as `dims` say.
    pub unsafe fn set(
        &mut self,
        name: &str,
        from: *const c_void,
        dims: &[usize],
    ) -> Result<(), Error> {
        let from: &[T] = unsafe { cells(name, from.cast(), dims) }?;
        self.room(name, from.len())?;
        self.cells.extend_from_slice(from);
        self.dims = dims.to_vec();
        (self.filled, self.given) = (true, true);
        Ok(())
    }

    /// Copies out what is there.
    ///
    /// # Safety
    ///
    /// There is room for as many cells.
    pub unsafe fn get(&self, name: &str, to: *mut c_void) -> Result<(), Error> {
        self.expect_set(name)?;
        let to: &mut [T] = unsafe { cells_mut(name, to.cast(), &[self.cells.len()]) }?;
        to.copy_from_slice(&self.cells);
        Ok(())
    }

    /// What a run reads.
    pub fn read(&self, name: &str, dims: &[usize]) -> Result<&[T], Error> {
        self.expect(name, dims)?;
        Ok(&self.cells)
    }

    /// What a run reads and writes.
    pub fn written(&mut self, name: &str, dims: &[usize]) -> Result<&mut [T], Error> {
        self.expect(name, dims)?;
        Ok(&mut self.cells)
    }

    /// What a run only writes: zeros.
    pub fn made(&mut self, name: &str, dims: &[usize]) -> Result<&mut [T], Error> {
        let count = dims.iter().product();
        self.room(name, count)?;
        self.cells.resize(count, T::default());
        self.dims = dims.to_vec();
        self.filled = true;
        Ok(&mut self.cells)
    }

    /// Whether the scheme's own values are to be put here before a run: where the caller gave none,
    /// and no run has changed them.
    pub fn wants_own(&self, changes: bool) -> bool {
        !self.given && !(changes && self.filled)
    }

    /// Puts the scheme's own values here.
    pub fn put_own(&mut self, values: Vec<T>, dims: &[usize]) {
        self.cells = values;
        self.dims = dims.to_vec();
        self.filled = true;
    }

    /// Makes room for new cells; where there is none, what is here stays.
    fn room(&mut self, name: &str, count: usize) -> Result<(), Error> {
        reserve(name, &mut self.cells, count)?;
        self.cells.clear();
        self.filled = false;
        Ok(())
    }

    fn expect_set(&self, name: &str) -> Result<(), Error> {
        match self.filled {
            true => Ok(()),
            false => Err(Error::Input(format!("`{name}` is not set"))),
        }
    }

    fn expect(&self, name: &str, dims: &[usize]) -> Result<(), Error> {
        self.expect_set(name)?;
        if self.dims == dims {
            return Ok(());
        }
        let had = &self.dims;
        let why = format!("`{name}` was set with sizes {had:?}, and its sizes are {dims:?} now");
        Err(Error::Input(why))
    }
}
