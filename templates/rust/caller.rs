//! Callers of C: what they pass, whom they have told, and how errors reach them.

#![allow(dead_code)]

use crate::error::{fail, guard, Error};
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Once;

/// Gets a row of the reports.
pub type Report = Option<
    unsafe extern "C" fn(user: *mut c_void, label: *const c_char, values: *const f64, count: usize),
>;

/// Gets a snapshot of an array.
pub type Save = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        series: c_int,
        label: *const c_char,
        cells: *const c_void,
        bytes: usize,
    ),
>;

/// Says whether a run is to go on.
pub type GoOn = Option<unsafe extern "C" fn(user: *mut c_void) -> c_int>;

/// What a run calls, as the header has it.
#[repr(C)]
pub struct Hooks {
    size: usize,
    report: Report,
    save: Save,
    go_on: GoOn,
    user: *mut c_void,
}

/// Who gets the rows and snapshots of a run at once, and is asked whether it is to go on.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    report: Report,
    save: Save,
    go_on: GoOn,
    user: *mut c_void,
}

// SAFETY: branches of an algorithm may report from threads of their own, one at a time and while
// the caller waits; the header says so.
unsafe impl Send for Caller {}
unsafe impl Sync for Caller {}

/// Who is told is no part of what a run leaves.
impl PartialEq for Caller {
    fn eq(&self, _: &Caller) -> bool {
        true
    }
}

impl Caller {
    /// A caller who is told by these functions.
    pub fn new(report: Report, save: Save, user: *mut c_void) -> Caller {
        Caller {
            report,
            save,
            go_on: None,
            user,
        }
    }

    /// A caller with hooks; null are none.
    ///
    /// # Safety
    ///
    /// Their first field says how large they are.
    pub unsafe fn with(hooks: *const Hooks) -> Result<Caller, Error> {
        if hooks.is_null() {
            return Ok(Caller::new(None, None, std::ptr::null_mut()));
        }
        if unsafe { hooks.cast::<usize>().read() } < size_of::<Hooks>() {
            return Err(Error::Input("the hooks have not the size of hooks".into()));
        }
        let Hooks {
            report,
            save,
            go_on,
            user,
            ..
        } = unsafe { hooks.read() };
        Ok(Caller {
            report,
            save,
            go_on,
            user,
        })
    }

    /// Ends the run unless the caller wants it to go on.
    pub fn ask(&self) {
        if let Some(go_on) = self.go_on {
            // SAFETY: the header says what it gets.
            if unsafe { go_on(self.user) } == 0 {
                ENDED.set(true);
                fail(Error::Input("the caller ended the run".into()));
            }
        }
    }

    /// Does something for this caller: a run that begins meanwhile tells it.
    pub fn calling<T>(self, work: impl FnOnce() -> T) -> T {
        let before = CALLER.replace(Some(self));
        let done = work();
        CALLER.set(before);
        done
    }

    /// Tells of a row.
    pub fn row(&self, label: &str, values: &[f64]) {
        if let Some(report) = self.report {
            let label = text(label);
            // SAFETY: the header says what it gets.
            unsafe { report(self.user, label.as_ptr(), values.as_ptr(), values.len()) };
        }
    }

    /// Tells of a snapshot.
    pub fn snapshot<T>(&self, series: c_int, label: &str, cells: &[T]) {
        if let Some(save) = self.save {
            let (label, bytes) = (text(label), std::mem::size_of_val(cells));
            // SAFETY: the header says what it gets.
            unsafe {
                save(
                    self.user,
                    series,
                    label.as_ptr(),
                    cells.as_ptr().cast(),
                    bytes,
                )
            };
        }
    }
}

thread_local! {
    static CALLER: Cell<Option<Caller>> = const { Cell::new(None) };
    static ERROR: RefCell<CString> = RefCell::default();
    /// Whether the error that comes is the caller's wish.
    static ENDED: Cell<bool> = const { Cell::new(false) };
    static SECONDS: Cell<f64> = const { Cell::new(0.0) };
    static COPIED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// The caller that this thread does something for.
pub fn now() -> Option<Caller> {
    CALLER.get()
}

/// A text for C, which ends at the first zero.
pub fn text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Does what a function of the header does: gives 0, or the code of the error that it ended with.
/// Nothing unwinds into the caller.
pub fn guarded(work: impl FnOnce() -> Result<(), Error>) -> c_int {
    let _quiet = Quiet::begin();
    let done = guard(work).and_then(|done| done);
    let (said, code) = match done {
        Ok(()) => (CString::default(), 0),
        Err(Error::Algorithm(why)) => (text(&why), 1),
        Err(error) => (text(&error.to_string()), 2),
    };
    ERROR.with(|error| *error.borrow_mut() = said);
    match ENDED.replace(false) && code != 0 {
        true => 3,
        false => code,
    }
}

/// What the last call on this thread met.
pub fn error() -> *const c_char {
    ERROR.with(|error| error.borrow().as_ptr())
}

/// The same as a value.
pub fn said() -> CString {
    ERROR.with(|error| error.borrow().clone())
}

/// A call begins, which has taken no time and copied nothing.
pub fn begin() {
    SECONDS.set(0.0);
    COPIED.set((0, 0));
}

/// Notes how many bytes went to a device, and from there.
pub fn copies(to_device: usize, from_device: usize) {
    let (to, from) = COPIED.get();
    COPIED.set((to + to_device as u64, from + from_device as u64));
}

/// How many bytes the last call on this thread copied to a device, and from there.
pub fn copied() -> (u64, u64) {
    COPIED.get()
}

/// Refuses arguments on a device: null are none.
///
/// # Safety
///
/// There is a place for each argument.
pub unsafe fn expect_places(places: *const u8, names: &[&str]) -> Result<(), Error> {
    let places: &[u8] = match places.is_null() {
        true => &[],
        false => unsafe { cells("places", places, &[names.len()]) }?,
    };
    for (name, place) in names.iter().zip(places) {
        let why = match place {
            0 => continue,
            1 => "is given on a device, which this program does not take".to_owned(),
            place => format!("has the place {place}"),
        };
        return Err(Error::Input(format!("`{name}` {why}")));
    }
    Ok(())
}

/// Notes how long the algorithm took.
pub fn took(seconds: f64) {
    SECONDS.set(seconds);
}

/// How long the last call on this thread took.
pub fn seconds() -> f64 {
    SECONDS.get()
}

/// While there is one, panics print nothing: the caller gets them as errors.
struct Quiet;

static CALLS: AtomicUsize = AtomicUsize::new(0);

impl Quiet {
    fn begin() -> Quiet {
        static HOOK: Once = Once::new();
        CALLS.fetch_add(1, Ordering::Relaxed);
        // The hook cannot be set by a thread that unwinds.
        if !std::thread::panicking() {
            HOOK.call_once(|| {
                let before = take_hook();
                set_hook(Box::new(move |panic| {
                    if CALLS.load(Ordering::Relaxed) == 0 {
                        before(panic);
                    }
                }));
            });
        }
        Quiet
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        CALLS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many cells an array of these sizes has, at an address that can be one of cells.
fn count<T>(name: &str, first: *const T, dims: &[usize]) -> Result<usize, Error> {
    let bytes = dims
        .iter()
        .try_fold(size_of::<T>(), |bytes, &dim| bytes.checked_mul(dim));
    let fits = |bytes: usize| isize::try_from(bytes).is_ok();
    let why = match bytes {
        Some(0) => return Ok(0),
        Some(bytes) if fits(bytes) && first.is_null() => format!("`{name}` is null"),
        Some(bytes) if fits(bytes) && !first.is_aligned() => {
            format!(
                "`{name}` begins at an address that is no multiple of {}",
                align_of::<T>()
            )
        }
        Some(bytes) if fits(bytes) => return Ok(bytes / size_of::<T>()),
        _ => format!("`{name}` does not fit in memory"),
    };
    Err(Error::Input(why))
}

/// The cells of an array that is only read.
///
/// # Safety
///
/// There are as many cells as `dims` say, and nothing writes them meanwhile.
pub unsafe fn cells<'a, T>(name: &str, first: *const T, dims: &[usize]) -> Result<&'a [T], Error> {
    Ok(match count(name, first, dims)? {
        0 => &[],
        count => unsafe { std::slice::from_raw_parts(first, count) },
    })
}

/// The cells of an array that is written.
///
/// # Safety
///
/// There are as many cells as `dims` say, and nothing else reaches them meanwhile.
pub unsafe fn cells_mut<'a, T>(
    name: &str,
    first: *mut T,
    dims: &[usize],
) -> Result<&'a mut [T], Error> {
    Ok(match count(name, first, dims)? {
        0 => &mut [],
        count => unsafe { std::slice::from_raw_parts_mut(first, count) },
    })
}

/// A single value that is written.
///
/// # Safety
///
/// As for [`cells_mut`].
pub unsafe fn cell_mut<'a, T>(name: &str, place: *mut T) -> Result<&'a mut T, Error> {
    count(name, place, &[])?;
    Ok(unsafe { &mut *place })
}

/// A single value that is only read, wherever it begins.
///
/// # Safety
///
/// There is one unless `place` is null.
pub unsafe fn value<T: Copy>(name: &str, place: *const T) -> Result<T, Error> {
    match place.is_null() {
        true => Err(Error::Input(format!("`{name}` is null"))),
        false => Ok(unsafe { place.read_unaligned() }),
    }
}

/// The name of an argument.
///
/// # Safety
///
/// It ends with a zero unless `name` is null.
pub unsafe fn name<'a>(name: *const c_char) -> Result<&'a str, Error> {
    if name.is_null() {
        return Err(Error::Input("the name of an argument is null".into()));
    }
    let name = unsafe { CStr::from_ptr(name) };
    let unread = || unknown(&name.to_string_lossy());
    name.to_str().map_err(|_| unread())
}

/// The error for a name that no argument has.
pub fn unknown(argument: &str) -> Error {
    Error::Input(format!("no argument is called `{argument}`"))
}

/// The addresses of all arguments.
///
/// # Safety
///
/// There are so many.
pub unsafe fn addresses<'a>(
    arguments: *const *const c_void,
    count: usize,
) -> Result<&'a [*const c_void], Error> {
    unsafe { cells("arguments", arguments, &[count]) }
}
