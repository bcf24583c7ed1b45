//! NVRTC, NVIDIA's compiler as a library.

use crate::error::{fail, Error};
use cudarc::nvrtc::{result, sys};
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};

/// Compiles kernels to machine code for devices of a capability. Nothing is contracted or
/// approximated, so that results are those of the same expressions elsewhere.
pub fn compile(kernels: &str, (major, minor): (i32, i32)) -> Vec<u8> {
    let failed = |why: &str| -> ! { fail(Error::Device(format!("NVRTC: {}", why.trim()))) };
    let options = [
        format!("--gpu-architecture=sm_{major}{minor}"),
        "--std=c++17".into(),
        "--fmad=false".into(),
    ];
    let Ok(kernels) = CString::new(kernels) else {
        failed("a text with a zero byte");
    };
    let program = match result::create_program(&kernels, Some(c"kernels.cu")) {
        Ok(program) => program,
        Err(error) => failed(&format!("{:?}", error.0)),
    };
    // SAFETY: `program` is destroyed at the end and not before, and `code` has the size that is
    // written to it.
    let code = unsafe {
        result::compile_program(program, &options).and_then(|()| {
            let mut size = 0;
            sys::nvrtcGetCUBINSize(program, &mut size).result()?;
            let mut code = vec![0u8; size];
            sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()).result()?;
            Ok(code)
        })
    };
    // SAFETY: the log ends in a zero byte, and the program is not used after it is destroyed.
    let (log, _) = unsafe {
        let log = result::get_program_log(program).map(|log| {
            let text = CStr::from_ptr(log.as_ptr());
            text.to_string_lossy().into_owned()
        });
        (log, result::destroy_program(program))
    };
    match code {
        Ok(code) => code,
        Err(error) => failed(&format!("{:?}\n{}", error.0, log.unwrap_or_default())),
    }
}

/// Whether NVRTC can be loaded, be it that a toolkit has to be looked for.
pub fn is_present() -> bool {
    // SAFETY: the library is NVIDIA's, and made to be loaded in this way.
    let found = || unsafe { sys::is_culib_present() };
    found() || toolkits().any(|folder| load(&folder) && found())
}

/// The folders of libraries of toolkits.
fn toolkits() -> impl Iterator<Item = PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"]
        .into_iter()
        .filter_map(std::env::var_os);
    let all = named.chain(["/usr/local/cuda".into()]).map(PathBuf::from);
    all.flat_map(|toolkit| ["lib64", "lib"].map(|lib| toolkit.join(lib)))
}

/// Loads NVRTC and the library that it wants beside it from a folder; from then on the loader knows
/// them by name. Whether there is anything to load.
#[cfg(target_os = "linux")]
fn load(folder: &Path) -> bool {
    use std::ffi::{c_char, c_int, c_void};
    use std::os::unix::ffi::OsStrExt;
    extern "C" {
        fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    }
    const RTLD_NOW: c_int = 2;
    let mut loaded = false;
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // The libraries named `alt` are another build of the same.
        let wanted =
            name.starts_with("libnvrtc") && name.contains(".so") && !name.contains(".alt.");
        let path = CString::new(entry.path().as_os_str().as_bytes());
        if let (true, Ok(path)) = (wanted, path) {
            // SAFETY: `path` ends in a zero byte, and loading the library runs nothing but its own
            // preparations.
            loaded |= !unsafe { dlopen(path.as_ptr(), RTLD_NOW) }.is_null();
        }
    }
    loaded
}

/// Elsewhere the loader alone knows where libraries are.
#[cfg(not(target_os = "linux"))]
fn load(_: &Path) -> bool {
    false
}
