//! `.npy` files → arrays, and back.
//!
//! The reader is that of emitted Rust programs, so that the tool and its programs take the same
//! files; `tests/runtime` holds the reader of CUDA programs against it.

use super::{Array, DataError, Values};
use crate::toolchain::Scratch;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

// They are formatted as what they are part of elsewhere, programs of edition 2021.
#[rustfmt::skip]
#[path = "../../templates/rust/files.rs"]
mod files;
#[rustfmt::skip]
#[path = "../../templates/rust/npy.rs"]
mod emitted;

use emitted::{Opened, Refused};

const WANTED: &str = "a .npy file of bool, int8 to int64, uint8 to uint64, float32 or float64";

/// Reads an array.
///
/// Fortran order and big-endian values are converted, integers of other widths become `I32` or,
/// where the file's type has values that 32 bits lack, `I64`.
///
/// # Errors
///
/// Anything else is an error that says what was found: a file that breaks off, other types, values of
/// `uint64` out of range, more values than this machine has memory for. The header is held against
/// the length of the file before anything is allocated for it.
pub fn read_npy(path: &Path) -> Result<Array, DataError> {
    let refused = |e: Refused| refusal(path, e);
    let opened = emitted::open(path).map_err(refused)?;
    expect_room(path, &opened)?;
    let shape = opened.shape.clone();
    let values = match opened.values().map_err(refused)? {
        emitted::Values::Bool(v) => Values::Bool(v),
        emitted::Values::I32(v) => Values::I32(v),
        emitted::Values::I64(v) => Values::I64(v),
        emitted::Values::F32(v) => Values::F32(v),
        emitted::Values::F64(v) => Values::F64(v),
    };
    Array::new(shape, values)
}

/// The shape of a file's array; its values are not read.
///
/// # Errors
///
/// As [`read_npy`], but for what only the values show.
pub fn read_shape(path: &Path) -> Result<Vec<usize>, DataError> {
    let opened = emitted::open(path).map_err(|e| refusal(path, e))?;
    Ok(opened.shape)
}

fn refusal(path: &Path, refused: Refused) -> DataError {
    match refused {
        Refused::System(why) => DataError::reading(path, why),
        Refused::Content(why) => DataError::Format {
            path: path.to_path_buf(),
            found: why,
            wanted: WANTED.into(),
        },
    }
}

/// A file may be long and hold nothing, so its length says nothing of the machine.
fn expect_room(path: &Path, opened: &Opened) -> Result<(), DataError> {
    let bytes = opened.count as u64 * opened.width as u64;
    match super::memory::available() {
        Some(room) if bytes > room => {
            let found = format!("{bytes} bytes of values where {room} bytes of memory are free");
            Err(DataError::format(
                path,
                found,
                "an array that fits in memory",
            ))
        }
        _ => Ok(()),
    }
}

/// Writes an array in C order, replacing a file of that name.
///
/// The bytes go to a temporary folder beside, from which the file is renamed when it is complete: a
/// half-written file never stands under `path`, and none is left if the process is ended.
///
/// # Errors
///
/// Where the system refuses to write there, and for an array of more axes than are read.
pub fn write_npy(path: &Path, array: &Array) -> Result<(), DataError> {
    let io = |e: std::io::Error| DataError::writing(path, e);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let work = Scratch::within(folder).map_err(io)?;
    let made = work.path().join("npy");
    let file = File::create_new(&made).map_err(io)?;
    let to = Writing {
        file: &file,
        shape: array.shape(),
    };
    match array.values() {
        Values::Bool(v) => to.values("|b1", v.iter().map(|&x| [u8::from(x)])),
        Values::I32(v) => to.values("<i4", v.iter().map(|x| x.to_le_bytes())),
        Values::I64(v) => to.values("<i8", v.iter().map(|x| x.to_le_bytes())),
        Values::F32(v) => to.values("<f4", v.iter().map(|x| x.to_le_bytes())),
        Values::F64(v) => to.values("<f8", v.iter().map(|x| x.to_le_bytes())),
    }
    .map_err(io)?;
    std::fs::rename(&made, path).map_err(io)
}

/// A file that is written.
struct Writing<'a> {
    file: &'a File,
    shape: &'a [usize],
}

impl Writing<'_> {
    fn values<const W: usize>(
        &self,
        descr: &str,
        values: impl Iterator<Item = [u8; W]>,
    ) -> std::io::Result<()> {
        let start = emitted::start(descr, self.shape)
            .ok_or_else(|| std::io::Error::other("the shape has too many axes"))?;
        let mut buffer = BufWriter::new(self.file);
        buffer.write_all(&start)?;
        for bytes in values {
            buffer.write_all(&bytes)?;
        }
        buffer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a `.npy` file of version 1.0 with a header as given.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Array, DataError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        std::fs::write(&path, bytes).unwrap();
        read_npy(&path)
    }

    fn plain(descr: &str, shape: &str, data: &[u8]) -> Result<Array, DataError> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        read(&file(&header, data))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        let arrays = [
            Array::new(vec![3], Values::Bool(vec![true, false, true])),
            Array::new(vec![2, 1], Values::I32(vec![i32::MIN, 7])),
            Array::new(vec![], Values::I64(vec![i64::MAX])),
            Array::new(vec![0, 3], Values::F32(vec![])),
            Array::new(
                vec![1, 2, 3],
                Values::F64(vec![0.1, -0.0, 1e-320, 4.0, 5.0, 6.0]),
            ),
        ];
        for array in arrays {
            let array = array.unwrap();
            write_npy(&path, &array).unwrap();
            assert_eq!(read_npy(&path).unwrap(), array);
        }
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "temporary files are left");
    }

    #[test]
    fn other_orders_and_widths_are_converted() {
        let big: Vec<u8> = [1.5f64, -2.0]
            .iter()
            .flat_map(|x| x.to_be_bytes())
            .collect();
        let array = plain(">f8", "(2,)", &big).unwrap();
        assert_eq!(array.values(), &Values::F64(vec![1.5, -2.0]));
        let header = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3)}";
        let data: Vec<u8> = [1i16, 4, 2, 5, 3, 6]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        let array = read(&file(header, &data)).unwrap();
        assert_eq!(array.shape(), [2, 3]);
        assert_eq!(array.values(), &Values::I32(vec![1, 2, 3, 4, 5, 6]));
        let array = plain("|u1", "(2,)", &[255, 0]).unwrap();
        assert_eq!(array.values(), &Values::I32(vec![255, 0]));
        let array = plain("<u4", "()", &u32::MAX.to_le_bytes()).unwrap();
        assert_eq!(array.values(), &Values::I64(vec![4294967295]));
        let error = plain("<u8", "(1,)", &u64::MAX.to_le_bytes()).unwrap_err();
        assert!(
            error.to_string().contains("18446744073709551615"),
            "{error}"
        );
    }

    #[test]
    fn broken_files_are_errors() {
        let cases: Vec<Vec<u8>> = vec![
            vec![],
            b"\x93NUMPY".to_vec(),
            b"hello, this is not an array".to_vec(),
            b"\x93NUMPY\x02\x00\xff\xff\xff\xff{".to_vec(),
            b"\x93NUMPY\x01\x00\xff\xff{".to_vec(),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
                &[0; 15],
            ),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
                &[0; 17],
            ),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000,)}",
                &[0; 16],
            ),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}",
                &[0; 16],
            ),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}",
                &[0; 16],
            ),
            file(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (2,",
                &[0; 16],
            ),
            file("{'descr': '<f8', 'fortran_order': False}", &[0; 16]),
            file(
                "{'descr': '<f8', 'fortran_order': 3, 'shape': (2,)}",
                &[0; 16],
            ),
            file("", &[]),
        ];
        for bytes in cases {
            let error = read(&bytes).unwrap_err();
            assert!(matches!(error, DataError::Format { .. }), "{error}");
        }
        for shape in [
            "(9223372036854775808, 4)",
            "(0, 9223372036854775808, 4)",
            "(9223372036854775808, 4, 0)",
            "(4611686018427387904,)",
            "(99999999999999999999999999999999,)",
        ] {
            assert!(plain("<f8", shape, &[0; 64]).is_err(), "{shape}");
        }
        let deep = "(".repeat(60_000);
        assert!(read(&file(&deep, &[])).is_err());
        let sly = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'sh\\x61pe': (9,)}";
        assert!(read(&file(sly, &[0; 8])).is_err());
        let missing = read_npy(Path::new("no/such/file.npy")).unwrap_err();
        assert!(
            missing
                .to_string()
                .starts_with("cannot read no/such/file.npy")
        );
    }

    #[test]
    fn other_types_are_named() {
        for (descr, size) in [("<c16", 16), ("|S4", 4), ("<U1", 4), ("<f2", 2), ("|V8", 8)] {
            let error = plain(descr, "(1,)", &vec![0; size]).unwrap_err();
            assert!(
                matches!(error, DataError::Format { .. }),
                "{descr}: {error}"
            );
        }
        let error = plain("<f2", "(1,)", &[0; 2]).unwrap_err();
        assert!(error.to_string().contains("'<f2'"), "{error}");
        assert!(plain("|O", "(1,)", &[0; 8]).is_err());
        assert!(plain("|b1", "(1,)", &[7]).is_err());
    }
}
