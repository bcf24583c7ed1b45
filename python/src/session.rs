//! A state of a program that keeps arguments between runs → what is set, runs, what is read.

use crate::arguments::{Arguments, Like};
use crate::arrays::{Cells, zeros};
use crate::call::{given_back, missing, run, shape};
use crate::devices::Library;
use crate::failure::{Kind, Told, refused};
use crate::hooks::Heard;
use crate::interface::{Follows, Role};
use crate::library::State;
use crate::program::Loaded;
use crate::sizes::{parameters, sizes};
use crate::values::put;
use glushkov::diagnostic::Diagnostic;
use glushkov::machine::Value;
use glushkov::pipeline::Values;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A state of a program. One thread uses it at a time; others wait.
#[pyclass(frozen, module = "glushkov._glushkov")]
pub struct Session {
    loaded: Arc<Loaded>,
    kept: Mutex<Kept>,
}

struct Kept {
    /// Null once it has ended.
    state: State,
    /// The parameters that were given or follow from arrays that were.
    known: Vec<Option<Value>>,
    /// The values of all parameters, as the state has them.
    values: Values,
    /// The sizes of the cells that the state holds for each argument; none where it holds none.
    held: Vec<Option<Vec<usize>>>,
    /// The kinds of the arrays that were set, by argument; and of the first of all, for results.
    kinds: Vec<Option<Alike>>,
    first: Option<Alike>,
}

/// What an array that is read is like: the library, and an array on a device if it is to be there.
struct Alike(Option<Py<PyAny>>, Option<Py<PyAny>>);

impl Alike {
    fn of(like: &Like<'_>) -> Alike {
        let library = like.library.as_ref().map(|l| l.object().clone().unbind());
        Alike(library, like.array.clone().map(Bound::unbind))
    }

    fn like<'py>(&self, py: Python<'py>) -> Like<'py> {
        let bound = |one: &Option<Py<PyAny>>| one.as_ref().map(|one| one.bind(py).clone());
        Like {
            library: bound(&self.0).map(Library::of),
            array: bound(&self.1),
        }
    }
}

// SAFETY: a state belongs to no thread, and the lock lets one in at a time.
unsafe impl Send for Kept {}

impl Drop for Session {
    fn drop(&mut self) {
        self.end();
    }
}

impl Session {
    /// A state in which nothing is set.
    ///
    /// # Errors
    ///
    /// Where there is no memory for it.
    pub fn of(loaded: Arc<Loaded>) -> PyResult<Session> {
        // SAFETY: the function takes nothing.
        let state = unsafe { (loaded.functions.create)() };
        if state.is_null() {
            return Err(pyo3::exceptions::PyMemoryError::new_err(
                "no memory for a session",
            ));
        }
        let interface = &loaded.interface;
        let kept = Kept {
            state,
            known: vec![None; interface.parameters],
            values: Values::new(),
            held: vec![None; interface.arguments.len()],
            kinds: (0..interface.arguments.len()).map(|_| None).collect(),
            first: None,
        };
        let kept = Mutex::new(kept);
        Ok(Session { loaded, kept })
    }

    /// The state, once no other thread uses it. Whoever has it may wait for the interpreter, so that this
    /// thread does not hold it while it waits.
    fn kept(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Kept>> {
        let kept = match self.kept.try_lock() {
            Ok(kept) => kept,
            Err(_) => {
                let place =
                    py.detach(|| Waited(self.kept.lock().unwrap_or_else(PoisonError::into_inner)));
                place.0
            }
        };
        match kept.state.is_null() {
            false => Ok(kept),
            true => Err(refused(
                py,
                "E0006",
                "the session has ended".into(),
                String::new(),
            )),
        }
    }

    fn end(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.state.is_null() {
            // SAFETY: it is a state of this library, and nobody else has it.
            unsafe { (self.loaded.functions.destroy)(kept.state) };
            kept.state = std::ptr::null_mut();
        }
    }

    /// Sets an argument of the state.
    fn put(
        &self,
        py: Python<'_>,
        kept: &mut Kept,
        number: usize,
        value: *const c_void,
    ) -> PyResult<()> {
        let name = self.name(number);
        // SAFETY: the value has as many cells as the parameters of the state say.
        let code = unsafe { (self.loaded.functions.set)(kept.state, name.as_ptr(), value) };
        self.expect(py, kept, code)
    }

    fn name(&self, number: usize) -> CString {
        CString::new(self.loaded.interface.arguments[number].key.as_str()).unwrap_or_default()
    }

    fn expect(&self, py: Python<'_>, kept: &Kept, code: c_int) -> PyResult<()> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the state is this session's, which is locked.
        let said = unsafe { self.loaded.functions.state_error(kept.state) };
        let diagnostic = Diagnostic::error("E1005", said);
        Err(Told::at_a_call(Kind::Run, &diagnostic).raised(py))
    }
}

/// What a run of a state gives.
type Ran<'py> = (Bound<'py, PyAny>, f64, Bound<'py, PyDict>, (u64, u64));

/// A guard on its way back from waiting without the interpreter.
struct Waited<'a>(MutexGuard<'a, Kept>);

// SAFETY: it is made and kept on one thread: `detach` runs on the thread that calls it.
unsafe impl Send for Waited<'_> {}

#[pymethods]
impl Session {
    /// Sets arguments by their names. Arrays of other sizes than the parameters say must be set again.
    #[pyo3(signature = (**keywords))]
    fn set(&self, py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let Loaded {
            interface,
            defaults,
            ..
        } = &*self.loaded;
        let mut arguments = Arguments::of(py, interface, keywords)?;
        let mut kept = self.kept(py)?;
        if kept.first.is_none() && arguments.given.iter().any(Option::is_some) {
            kept.first = Some(Alike::of(&arguments.like));
        }
        let mut known = kept.known.clone();
        for (number, given) in arguments.known.iter().enumerate() {
            known[number] = given.or(known[number]);
        }
        let values = parameters(py, interface, known.clone(), &arguments.given, defaults)?;
        let all = sizes(py, interface, &values, &arguments.given)?;
        // Until all are set, none is known: sizes must never be those of other parameters.
        let before = std::mem::take(&mut kept.values);
        for (number, argument) in interface
            .arguments
            .iter()
            .enumerate()
            .take(interface.parameters)
        {
            let same = before
                .get(number)
                .is_some_and(|(_, v)| *v == values[number].1);
            if !same {
                let mut slot = [0; 8];
                put(argument.cell, values[number].1, &mut slot);
                self.put(py, &mut kept, number, slot.as_ptr().cast())?;
            }
        }
        for (number, given) in arguments.given.iter().enumerate() {
            if given.is_some() {
                for dim in &interface.arguments[number].dims {
                    if let Follows::From { parameter, .. } = dim.follows {
                        known[parameter] = Some(values[parameter].1);
                    }
                }
            }
        }
        kept.known = known;
        kept.values = values;
        for (number, sizes) in all.into_iter().enumerate() {
            if let Some(array) = arguments.taken[number].take() {
                if let (Cells::Device(lent), Some(library)) = (&array.cells, &array.library) {
                    library.wait(&lent.array)?;
                }
                kept.kinds[number] = Some(Alike::of(&Like::of(&array)));
                self.put(py, &mut kept, number, array.first())?;
                kept.held[number] = Some(sizes);
            }
        }
        Ok(())
    }

    /// Runs on what is set: rows, seconds, series, and bytes copied to a device and from there.
    fn run<'py>(&self, py: Python<'py>) -> PyResult<Ran<'py>> {
        if self.kept(py)?.values.is_empty() {
            self.set(py, None)?;
        }
        let Loaded {
            interface,
            functions,
            ..
        } = &*self.loaded;
        let mut kept = self.kept(py)?;
        let none = vec![None; interface.arguments.len()];
        let sizes = sizes(py, interface, &kept.values, &none)?;
        for (number, argument) in interface
            .arguments
            .iter()
            .enumerate()
            .skip(interface.parameters)
        {
            match &kept.held[number] {
                Some(held) if *held == sizes[number] => {}
                Some(_) if argument.role.is_given() && argument.values.is_empty() => {
                    let message = format!("`{}` was set for other sizes", argument.key);
                    return Err(refused(py, "E0413", message, "set it again".into()));
                }
                None if argument.role.is_given() && argument.values.is_empty() => {
                    return Err(missing(py, interface, number));
                }
                // What a run leaves of these is known when it has ended well.
                Some(_) => kept.held[number] = None,
                None => {}
            }
            if !argument.role.is_given() {
                kept.held[number] = None;
            }
        }
        let mut heard = Heard::new(interface.series.len());
        let state = kept.state;
        let (seconds, copied) = run(
            py,
            functions,
            &mut heard,
            // SAFETY: the state is this session's, which is locked.
            |hooks| unsafe { (functions.run)(state, hooks) },
            || unsafe { functions.state_error(state) },
        )?;
        for (held, sizes) in kept.held.iter_mut().zip(&sizes) {
            *held = Some(sizes.clone());
        }
        let rows = heard.rows(py)?.into_any();
        let series = heard.series(py, interface, &sizes)?;
        Ok((rows, seconds, series, copied))
    }

    /// A copy of an argument, an array of the kind that was set.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Loaded {
            interface,
            functions,
            ..
        } = &*self.loaded;
        let number = interface.position(name).ok_or_else(|| {
            let message = format!("the scheme has no argument `{name}`");
            let all: Vec<&str> = interface.arguments.iter().map(|a| a.key.as_str()).collect();
            refused(py, "E0006", message, format!("it has {}", all.join(", ")))
        })?;
        if self.kept(py)?.values.is_empty() {
            self.set(py, None)?;
        }
        let kept = self.kept(py)?;
        let argument = &interface.arguments[number];
        let none = Vec::new();
        let held = match argument.role {
            Role::Parameter => Some(&none),
            _ => kept.held[number].as_ref(),
        };
        let Some(held) = held else {
            let message = format!("`{}` has no value yet", argument.key);
            let hint = match argument.role {
                Role::Output => "run the session first",
                _ => "set it first",
            };
            return Err(refused(py, "E0412", message, hint.into()));
        };
        let kind = kept.kinds[number].as_ref().or(kept.first.as_ref());
        let like = kind.map_or_else(Like::default, |kind| kind.like(py));
        let shape = shape(interface, number, held);
        let array = match argument.role {
            Role::Parameter => zeros(py, argument.cell, &shape)?,
            _ => like.zeros(py, argument, &shape)?,
        };
        if let (Cells::Device(lent), Some(library)) = (&array.cells, &array.library) {
            library.wait(&lent.array)?;
        }
        let name = self.name(number);
        // SAFETY: the array has as many cells as the state holds.
        let code = unsafe { (functions.get)(kept.state, name.as_ptr(), array.first()) };
        self.expect(py, &kept, code)?;
        let is_number = argument.role == Role::Parameter
            || argument.dims.is_empty() && argument.components == 1;
        given_back(array, is_number)
    }

    /// Ends the state.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.end());
    }
}
