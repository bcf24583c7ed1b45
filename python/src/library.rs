//! A shared library of an emitted program → the functions in it.
//!
//! A library is never unloaded: threads that it has started may sleep in it.

use libloading::Library;
use serde_json::Value as Json;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;

/// The version of the interface that this module speaks.
const ABI: u64 = 1;

/// What a run calls, as the header declares it.
#[repr(C)]
pub struct Hooks {
    pub size: usize,
    pub report: Option<unsafe extern "C" fn(*mut c_void, *const c_char, *const f64, usize)>,
    pub save: Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_void, usize)>,
    pub go_on: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    pub user: *mut c_void,
}

/// A state that a library keeps.
pub type State = *mut c_void;

type Said = unsafe extern "C" fn() -> *const c_char;

/// The functions of a program, by the ends of their names in its header.
pub struct Functions {
    /// What it says of itself.
    pub interface: Json,
    pub with: unsafe extern "C" fn(*const *const c_void, *const Hooks) -> c_int,
    pub on:
        unsafe extern "C" fn(*const *const c_void, *const u8, *mut c_void, *const Hooks) -> c_int,
    pub copied: unsafe extern "C" fn(*mut u64, *mut u64),
    pub seconds: unsafe extern "C" fn() -> f64,
    pub create: unsafe extern "C" fn() -> State,
    pub set: unsafe extern "C" fn(State, *const c_char, *const c_void) -> c_int,
    pub run: unsafe extern "C" fn(State, *const Hooks) -> c_int,
    pub get: unsafe extern "C" fn(State, *const c_char, *mut c_void) -> c_int,
    pub destroy: unsafe extern "C" fn(State),
    state_error: unsafe extern "C" fn(State) -> *const c_char,
    error: Said,
}

impl Functions {
    /// Loads a library whose functions begin with a name.
    ///
    /// # Errors
    ///
    /// In words: a file that cannot be loaded, a function that is not there, another interface.
    pub fn load(path: &Path, name: &str) -> Result<Functions, String> {
        let shown = path.display();
        let refused = |why: String| format!("{shown} cannot be loaded: {why}");
        // SAFETY: it was emitted and built by this package, and does nothing when it is loaded.
        let library = unsafe { Library::new(path) }.map_err(|e| refused(e.to_string()))?;
        let library = ManuallyDrop::new(library);
        let said: Said = symbol(&library, name, "interface")?;
        let interface = serde_json::from_str::<Json>(&text(unsafe { said() }));
        let interface = interface.map_err(|e| refused(format!("its description: {e}")))?;
        if interface["abi"].as_u64() != Some(ABI) {
            let abi = &interface["abi"];
            return Err(refused(format!(
                "its interface has version {abi}, not {ABI}"
            )));
        }
        Ok(Functions {
            interface,
            with: symbol(&library, name, "with")?,
            on: symbol(&library, name, "on")?,
            copied: symbol(&library, name, "copied")?,
            seconds: symbol(&library, name, "seconds")?,
            create: symbol(&library, name, "create")?,
            set: symbol(&library, name, "set")?,
            run: symbol(&library, name, "run")?,
            get: symbol(&library, name, "get")?,
            destroy: symbol(&library, name, "destroy")?,
            state_error: symbol(&library, name, "state_error")?,
            error: symbol(&library, name, "error")?,
        })
    }

    /// What the last call on this thread met.
    pub fn error(&self) -> String {
        // SAFETY: the text is this thread's, until its next call.
        text(unsafe { (self.error)() })
    }

    /// What the last call with a state met.
    ///
    /// # Safety
    ///
    /// The state is one of this library, and no other thread uses it.
    pub unsafe fn state_error(&self, state: State) -> String {
        text(unsafe { (self.state_error)(state) })
    }
}

/// A function of the header, whose type the caller knows from there.
fn symbol<T: Copy>(library: &Library, name: &str, end: &str) -> Result<T, String> {
    let name = format!("{name}_{end}");
    // SAFETY: the header declares it with the type that the caller has.
    let found = unsafe { library.get::<T>(name.as_bytes()) };
    found
        .map(|f| *f)
        .map_err(|e| format!("there is no function {name}: {e}"))
}

/// A text of C, as UTF-8 as far as it is.
pub fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the header says that it is a text, which ends with a zero.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}
