//! What a program tells while it runs, and when it asks whether to go on → rows, snapshots, signals.

use crate::interface::Interface;
use crate::library::{Hooks, text};
use crate::made::of_bytes;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::ffi::{c_char, c_int, c_void};
use std::time::{Duration, Instant};

/// How often signals are looked for: between two looks, a program that asks is told to go on.
const EVERY: Duration = Duration::from_millis(50);

/// What a run has told.
pub struct Heard {
    rows: Vec<(String, Vec<f64>)>,
    /// The snapshots of each series.
    snapshots: Vec<Vec<Vec<u8>>>,
    looked: Instant,
    raised: Option<PyErr>,
}

impl Heard {
    /// Nothing yet.
    pub fn new(series: usize) -> Heard {
        Heard {
            rows: Vec::new(),
            snapshots: vec![Vec::new(); series],
            looked: Instant::now(),
            raised: None,
        }
    }

    /// The hooks that tell it; they must not outlive it.
    pub fn hooks(&mut self) -> Hooks {
        Hooks {
            size: size_of::<Hooks>(),
            report: Some(report),
            save: Some(save),
            go_on: Some(go_on),
            user: std::ptr::from_mut(self).cast(),
        }
    }

    /// The exception of a signal, if one came.
    pub fn raised(&mut self) -> Option<PyErr> {
        self.raised.take()
    }

    /// The rows, each a label and its values.
    pub fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for (label, values) in &self.rows {
            rows.append((label, PyTuple::new(py, values)?))?;
        }
        Ok(rows)
    }

    /// The series by their labels: an array with an axis more, along which the snapshots are, or a list
    /// of flat arrays where they have different sizes.
    pub fn series<'py>(
        &self,
        py: Python<'py>,
        interface: &Interface,
        sizes: &[Vec<usize>],
    ) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (series, snapshots) in interface.series.iter().zip(&self.snapshots) {
            let (cell, components) = (series.cell, series.components);
            let cell_bytes = cell.kind().1 * components;
            let count = |bytes: &[u8]| bytes.len() / cell_bytes;
            let first = snapshots.first().map_or(0, |bytes| count(bytes));
            let tail = (components > 1).then_some(components);
            if snapshots.iter().any(|bytes| count(bytes) != first) {
                let list = PyList::empty(py);
                for bytes in snapshots {
                    let shape: Vec<usize> = [count(bytes)].into_iter().chain(tail).collect();
                    list.append(of_bytes(py, cell, &shape, bytes)?)?;
                }
                all.set_item(&series.label, list)?;
                continue;
            }
            let known = series.argument.map(|number| &sizes[number]);
            let known =
                known.filter(|s| snapshots.is_empty() || s.iter().product::<usize>() == first);
            let one = known.cloned().unwrap_or_else(|| vec![first]);
            let shape = [snapshots.len()].into_iter().chain(one).chain(tail);
            let shape: Vec<usize> = shape.collect();
            all.set_item(
                &series.label,
                of_bytes(py, cell, &shape, &snapshots.concat())?,
            )?;
        }
        Ok(all)
    }
}

/// What hooks get: a program calls them one at a time, while its caller waits.
///
/// # Safety
///
/// `user` is that of [`Heard::hooks`].
unsafe fn heard<'a>(user: *mut c_void) -> &'a mut Heard {
    unsafe { &mut *user.cast::<Heard>() }
}

unsafe extern "C" fn report(user: *mut c_void, label: *const c_char, values: *const f64, n: usize) {
    let heard = unsafe { heard(user) };
    let values = match n {
        0 => Vec::new(),
        // SAFETY: the header says that there are so many.
        _ => unsafe { std::slice::from_raw_parts(values, n) }.to_vec(),
    };
    heard.rows.push((text(label), values));
}

unsafe extern "C" fn save(
    user: *mut c_void,
    series: c_int,
    _: *const c_char,
    cells: *const c_void,
    bytes: usize,
) {
    let heard = unsafe { heard(user) };
    let place = usize::try_from(series).ok();
    if let Some(snapshots) = place.and_then(|k| heard.snapshots.get_mut(k)) {
        snapshots.push(match bytes {
            0 => Vec::new(),
            // SAFETY: the header says that there are so many.
            _ => unsafe { std::slice::from_raw_parts(cells.cast::<u8>(), bytes) }.to_vec(),
        });
    }
}

unsafe extern "C" fn go_on(user: *mut c_void) -> c_int {
    let heard = unsafe { heard(user) };
    if heard.raised.is_none() && heard.looked.elapsed() >= EVERY {
        heard.looked = Instant::now();
        heard.raised = Python::attach(|py| py.check_signals()).err();
    }
    c_int::from(heard.raised.is_none())
}
