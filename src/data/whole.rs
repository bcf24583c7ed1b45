//! Files that are read as a whole: bounded, and files only.

use crate::term::MOST_BYTES;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The bytes of a file.
///
/// # Errors
///
/// What the system says; and for what is not a file, since a pipe may never begin and a device never
/// end; and for more than [`MOST_BYTES`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if !about.is_file() {
        let why = "it is a folder, a pipe or a device, not a file";
        return Err(Error::new(ErrorKind::InvalidInput, why));
    }
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64;
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let why = format!("it has more than {most} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
///
/// As [`read_bytes`], and for what is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}
