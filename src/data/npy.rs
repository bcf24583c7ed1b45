//! `.npy` files → arrays, and back.

use super::{Array, DataError, Values};
use crate::toolchain::Scratch;
use npyz::{DType, NpyFile, NpyHeader, Order, TypeChar, WriterBuilder};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

const WANTED: &str = "a .npy file of bool, int8 to int64, uint8 to uint64, float32 or float64";

/// The longest header that is read. NumPy itself refuses to read more than 10 000 bytes.
const HEADER_LIMIT: u64 = 64 * 1024;

/// The most brackets a header may hold; those of plain arrays hold two.
const BRACKET_LIMIT: usize = 64;

/// Reads an array.
///
/// Fortran order and big-endian values are converted, integers of other widths become `I32` or,
/// where the file's type is wider than that, `I64`. Anything else is an error that says what was
/// found: a file that breaks off, other types, values of `uint64` out of range. The header is held
/// against the length of the file before anything is allocated for it.
pub fn read_npy(path: &Path) -> Result<Array, DataError> {
    let file = File::open(path).map_err(|e| DataError::reading(path, e))?;
    let length = file
        .metadata()
        .map_err(|e| DataError::reading(path, e))?
        .len();
    let mut reader = BufReader::new(file);
    let header = read_header(path, &mut reader, length)?;
    let shape: Vec<usize> = header
        .shape()
        .iter()
        .map(|&d| usize::try_from(d))
        .collect::<Result<_, _>>()
        .map_err(|_| DataError::format(path, "a shape beyond this machine", WANTED))?;
    let order = header.order();
    let values = read_values(path, header, reader)?;
    let values = match order {
        Order::C => values,
        Order::Fortran => transposed(values, &shape),
    };
    Array::new(shape, values)
}

/// The header, once it is known to be harmless.
///
/// npyz believes a header: it allocates what the header's length asks for and multiplies the shape
/// without a look at overflow. So both are checked here first, on the bytes.
fn read_header(path: &Path, reader: &mut impl Read, length: u64) -> Result<NpyHeader, DataError> {
    let bad = |found: &str| DataError::format(path, found, WANTED);
    let mut bytes = vec![0u8; 10];
    reader
        .read_exact(&mut bytes)
        .map_err(|_| bad("a file too short for a header"))?;
    if &bytes[..6] != b"\x93NUMPY" {
        return Err(bad("a file that does not begin as .npy files do"));
    }
    let mut size = u64::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    if bytes[6] >= 2 {
        let mut high = [0u8; 2];
        reader
            .read_exact(&mut high)
            .map_err(|_| bad("a file too short for a header"))?;
        size += u64::from(u16::from_le_bytes(high)) << 16;
        bytes.extend(high);
    }
    let start = bytes.len() as u64;
    if size > HEADER_LIMIT || start + size > length {
        return Err(bad("a header longer than the file or than 64 KiB"));
    }
    let mut text = vec![0u8; size as usize];
    reader
        .read_exact(&mut text)
        .map_err(|_| bad("a file too short for its header"))?;
    let elements = declared_elements(&text).ok_or_else(|| bad("a header that does not read"))?;
    let available = length - start - size;
    if elements > available {
        return Err(bad(&format!(
            "a header that speaks of {elements} values over {available} bytes of data"
        )));
    }
    bytes.extend(text);
    let header = NpyHeader::from_reader(bytes.as_slice())
        .map_err(|e| bad(&format!("a header that does not read ({e})")))?;
    let width = match header.dtype() {
        DType::Plain(kind) => kind.size_field(),
        _ => return Err(bad("records")),
    };
    match elements.checked_mul(width) {
        Some(wanted) if wanted == available => Ok(header),
        _ => Err(bad(&format!(
            "{available} bytes of data for {elements} values of {width} bytes"
        ))),
    }
}

/// The number of elements that a header's text speaks of: the product of the numbers in the
/// brackets after `'shape':`. None where it overflows (also with zeros left out, as the strides
/// would) or where the text is not that of a plain array.
fn declared_elements(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let brackets = text.matches(['(', '[', '{']).count();
    if text.contains('\\') || brackets > BRACKET_LIMIT || text.matches("shape").count() != 1 {
        return None;
    }
    let (_, after) = text.split_once("shape")?;
    let open = after.find(['(', '['])?;
    let inside = &after[open + 1..];
    let inside = &inside[..inside.find([')', ']'])?];
    let (mut product, mut without_zeros) = (1u64, 1u64);
    for part in inside.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let length: u64 = part.parse().ok()?;
        without_zeros = without_zeros.checked_mul(length.max(1))?;
        product = product.checked_mul(length)?;
    }
    Some(product)
}

fn read_values(path: &Path, header: NpyHeader, reader: impl Read) -> Result<Values, DataError> {
    let DType::Plain(kind) = header.dtype() else {
        return Err(DataError::format(path, "records", WANTED));
    };
    let io = |e: std::io::Error| DataError::reading(path, e);
    let file = NpyFile::with_header(header, reader);
    Ok(match (kind.type_char(), kind.size_field()) {
        (TypeChar::Bool, 1) => Values::Bool(file.into_vec().map_err(io)?),
        (TypeChar::Int, 1) => Values::I32(widened(file.into_vec::<i8>().map_err(io)?)),
        (TypeChar::Int, 2) => Values::I32(widened(file.into_vec::<i16>().map_err(io)?)),
        (TypeChar::Int, 4) => Values::I32(file.into_vec().map_err(io)?),
        (TypeChar::Int, 8) => Values::I64(file.into_vec().map_err(io)?),
        (TypeChar::Uint, 1) => Values::I32(widened(file.into_vec::<u8>().map_err(io)?)),
        (TypeChar::Uint, 2) => Values::I32(widened(file.into_vec::<u16>().map_err(io)?)),
        (TypeChar::Uint, 4) => Values::I64(widened(file.into_vec::<u32>().map_err(io)?)),
        (TypeChar::Uint, 8) => Values::I64(
            file.into_vec::<u64>()
                .map_err(io)?
                .into_iter()
                .map(|x| {
                    i64::try_from(x).map_err(|_| {
                        DataError::format(path, format!("the value {x}"), "values within int64")
                    })
                })
                .collect::<Result<_, _>>()?,
        ),
        (TypeChar::Float, 4) => Values::F32(file.into_vec().map_err(io)?),
        (TypeChar::Float, 8) => Values::F64(file.into_vec().map_err(io)?),
        _ => {
            let found = format!("values of type '{kind}'");
            return Err(DataError::format(path, found, WANTED));
        }
    })
}

fn widened<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(U::from).collect()
}

/// Values in Fortran order brought into C order.
fn transposed(values: Values, shape: &[usize]) -> Values {
    match values {
        Values::Bool(v) => Values::Bool(reordered(&v, shape)),
        Values::I32(v) => Values::I32(reordered(&v, shape)),
        Values::I64(v) => Values::I64(reordered(&v, shape)),
        Values::F32(v) => Values::F32(reordered(&v, shape)),
        Values::F64(v) => Values::F64(reordered(&v, shape)),
    }
}

/// Walks the subscripts in C order and keeps their place in Fortran order along.
fn reordered<T: Copy>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1usize;
    for &length in shape {
        strides.push(stride);
        stride = stride.saturating_mul(length);
    }
    let mut subscripts = vec![0usize; shape.len()];
    let mut place = 0;
    let mut result = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        result.push(values[place]);
        for axis in (0..shape.len()).rev() {
            subscripts[axis] += 1;
            place += strides[axis];
            if subscripts[axis] < shape[axis] {
                break;
            }
            place -= strides[axis] * shape[axis];
            subscripts[axis] = 0;
        }
    }
    result
}

/// Writes an array in C order, replacing a file of that name.
///
/// The bytes go to a temporary folder beside, from which the file is renamed when it is complete: a
/// half-written file never stands under `path`, and none is left if the process is ended.
///
/// # Errors
///
/// Where the system refuses to write there.
pub fn write_npy(path: &Path, array: &Array) -> Result<(), DataError> {
    let io = |e: std::io::Error| DataError::writing(path, e);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let work = Scratch::within(folder).map_err(io)?;
    let made = work.path().join("npy");
    let file = File::create_new(&made).map_err(io)?;
    let shape: Vec<u64> = array.shape().iter().map(|&d| d as u64).collect();
    match array.values() {
        Values::Bool(v) => write_values(&file, &shape, v),
        Values::I32(v) => write_values(&file, &shape, v),
        Values::I64(v) => write_values(&file, &shape, v),
        Values::F32(v) => write_values(&file, &shape, v),
        Values::F64(v) => write_values(&file, &shape, v),
    }
    .map_err(io)?;
    std::fs::rename(&made, path).map_err(io)
}

fn write_values<T: npyz::AutoSerialize + Copy>(
    file: &File,
    shape: &[u64],
    values: &[T],
) -> std::io::Result<()> {
    let mut buffer = BufWriter::new(file);
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .shape(shape)
        .writer(&mut buffer)
        .begin_nd()?;
    writer.extend(values.iter().copied())?;
    writer.finish()?;
    buffer.flush()
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
