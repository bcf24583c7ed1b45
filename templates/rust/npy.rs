//! Arrays in `.npy` files, the format of NumPy, by means of the standard library alone.

#![allow(dead_code)]

use super::files::replace_file;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The most bytes of a header that are read.
const MOST_HEADER: usize = 65_535;

/// The most axes of an array, which are NumPy's.
const MOST_AXES: usize = 64;

/// An array as a file held it, its values in C order (the last axis runs fastest).
pub struct Npy {
    /// The file, for messages.
    pub file: String,
    /// The lengths of the axes; empty for a scalar.
    pub shape: Vec<usize>,
    /// The values.
    pub values: Values,
}

/// The values of an array. Integers of a type that 32 bits have are held in these.
pub enum Values {
    /// Truth values.
    Bool(Vec<bool>),
    /// Integers of up to 32 bits.
    I32(Vec<i32>),
    /// Other integers.
    I64(Vec<i64>),
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
}

/// Why a file is not read.
#[derive(Debug)]
pub enum Refused {
    /// The system refuses.
    System(io::Error),
    /// It holds something else.
    Content(String),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::System(error)
    }
}

/// Reads a file of bool, int8 to int64, uint8 to uint64, float32 or float64. Fortran order and
/// big-endian values are converted; anything else is an error that names the file.
pub fn read(path: &Path) -> Result<Npy, String> {
    let file = path.display().to_string();
    let read = open(path).and_then(|opened| {
        let shape = opened.shape.clone();
        Ok((shape, opened.values()?))
    });
    match read {
        Ok((shape, values)) => Ok(Npy {
            file,
            shape,
            values,
        }),
        Err(Refused::System(why)) => Err(format!("cannot read {file}: {why}")),
        Err(Refused::Content(why)) => Err(format!("{file}: {why}")),
    }
}

impl Npy {
    /// The values as 32-bit floats: 64-bit ones are rounded, integers must be representable.
    pub fn into_f32(self) -> Result<(Vec<usize>, Vec<f32>), String> {
        let values = match self.values {
            Values::F32(v) => v,
            Values::F64(v) => v.into_iter().map(|x| x as f32).collect(),
            other => exactly(&self.file, other, "float32", |x| {
                Some(x as f32).filter(|y| *y as i128 == i128::from(x))
            })?,
        };
        Ok((self.shape, values))
    }

    /// The values as 64-bit floats; integers must be representable.
    pub fn into_f64(self) -> Result<(Vec<usize>, Vec<f64>), String> {
        let values = match self.values {
            Values::F64(v) => v,
            Values::F32(v) => v.into_iter().map(f64::from).collect(),
            other => exactly(&self.file, other, "float64", |x| {
                Some(x as f64).filter(|y| *y as i128 == i128::from(x))
            })?,
        };
        Ok((self.shape, values))
    }

    /// The values as 32-bit integers, which must be in range.
    pub fn into_i32(self) -> Result<(Vec<usize>, Vec<i32>), String> {
        let values = match self.values {
            Values::I32(v) => v,
            other => exactly(&self.file, other, "int32", |x| i32::try_from(x).ok())?,
        };
        Ok((self.shape, values))
    }

    /// The values as 64-bit integers.
    pub fn into_i64(self) -> Result<(Vec<usize>, Vec<i64>), String> {
        let values = match self.values {
            Values::I64(v) => v,
            other => exactly(&self.file, other, "int64", Some)?,
        };
        Ok((self.shape, values))
    }

    /// The values as truth values.
    pub fn into_bool(self) -> Result<(Vec<usize>, Vec<bool>), String> {
        match self.values {
            Values::Bool(v) => Ok((self.shape, v)),
            _ => Err(wanted(&self.file, "numbers", "bool")),
        }
    }
}

/// Values that follow each other as vectors of `W`.
pub fn vectors<T: Copy + Default, const W: usize>(flat: &[T]) -> Vec<[T; W]> {
    flat.chunks_exact(W)
        .map(|chunk| {
            let mut vector = [T::default(); W];
            vector.copy_from_slice(chunk);
            vector
        })
        .collect()
}

fn wanted(file: &str, found: &str, wanted: &str) -> String {
    format!("{file}: it holds {found}, wanted is {wanted}")
}

/// Integers in a type that has them all.
fn exactly<T>(
    file: &str,
    values: Values,
    name: &str,
    convert: impl Fn(i64) -> Option<T>,
) -> Result<Vec<T>, String> {
    let one = |x: i64| convert(x).ok_or_else(|| format!("{file}: {x} is out of range of {name}"));
    match values {
        Values::I32(v) => v.into_iter().map(|x| one(i64::from(x))).collect(),
        Values::I64(v) => v.into_iter().map(one).collect(),
        Values::Bool(_) => Err(wanted(file, "truth values", name)),
        Values::F32(_) | Values::F64(_) => Err(wanted(file, "floats", name)),
    }
}

// Reading.

/// A file whose header was read and held against its length.
pub struct Opened {
    /// The lengths of the axes.
    pub shape: Vec<usize>,
    /// How many values follow.
    pub count: usize,
    /// Bytes of a value.
    pub width: usize,
    kind: String,
    big: bool,
    fortran: bool,
    rest: BufReader<File>,
}

/// Reads the header of a file. Nothing is allocated that the file does not hold.
pub fn open(path: &Path) -> Result<Opened, Refused> {
    let about = fs::metadata(path)?;
    // To open a pipe could take for ever, and a device has no end.
    if !about.is_file() {
        return Err(refused("it is a folder, a pipe or a device, not a file"));
    }
    let mut rest = BufReader::with_capacity(1 << 16, File::open(path)?);
    let broken = || refused("it is not a .npy file, or breaks off");
    let mut take = |bytes: &mut [u8]| rest.read_exact(bytes).map_err(|_| broken());
    let mut start = [0; 8];
    take(&mut start)?;
    if &start[..6] != b"\x93NUMPY" {
        return Err(broken());
    }
    let mut length = [0; 4];
    let of_length = match (start[6], start[7]) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        (major, minor) => {
            let why = format!("it is of version {major}.{minor} of the format, which is not read");
            return Err(Refused::Content(why));
        }
    };
    take(&mut length[..of_length])?;
    let length = u32::from_le_bytes(length) as usize;
    let held = about.len().checked_sub((8 + of_length + length) as u64);
    let held = held.ok_or_else(broken)?;
    if length > MOST_HEADER {
        return Err(refused("its header is longer than 65535 bytes"));
    }
    let mut text = vec![0; length];
    take(&mut text)?;
    let header =
        Header::parse(&text).ok_or_else(|| refused("its header is not that of a plain array"))?;
    let (big, width, kind) = header.kind().ok_or_else(|| {
        let found = &header.descr;
        Refused::Content(format!(
            "it holds values of type '{found}', which are not read"
        ))
    })?;
    let count = count(&header.shape, width);
    if count.map(|n| (n * width) as u64) != Some(held) {
        let shape = header.shape;
        let why = format!("its shape is {shape:?}, but it holds {held} bytes");
        return Err(Refused::Content(why));
    }
    Ok(Opened {
        count: count.unwrap_or_default(),
        kind: kind.to_string(),
        fortran: header.fortran,
        shape: header.shape,
        width,
        big,
        rest,
    })
}

fn refused(why: &str) -> Refused {
    Refused::Content(why.to_string())
}

/// The number of values of a shape. None where their bytes, or those of the axes that are not empty,
/// are more than memory has addresses.
fn count(shape: &[usize], width: usize) -> Option<usize> {
    let mut long = shape.iter().filter(|&&n| n > 0);
    let bytes = long.try_fold(width, |all, &n| all.checked_mul(n))?;
    let fits = isize::try_from(bytes).is_ok();
    fits.then(|| if shape.contains(&0) { 0 } else { bytes / width })
}

impl Opened {
    /// Reads the values.
    pub fn values(mut self) -> Result<Values, Refused> {
        let kind = std::mem::take(&mut self.kind);
        Ok(match kind.as_str() {
            "b1" => Values::Bool(self.decoded(|[byte]: [u8; 1]| match byte {
                0 | 1 => Ok(byte == 1),
                _ => Err(format!("the byte {byte} is not a truth value")),
            })?),
            "i1" => Values::I32(self.decoded(|b| Ok(i8::from_le_bytes(b).into()))?),
            "u1" => Values::I32(self.decoded(|b| Ok(u8::from_le_bytes(b).into()))?),
            "i2" => Values::I32(self.decoded(|b| Ok(i16::from_le_bytes(b).into()))?),
            "u2" => Values::I32(self.decoded(|b| Ok(u16::from_le_bytes(b).into()))?),
            "i4" => Values::I32(self.decoded(|b| Ok(i32::from_le_bytes(b)))?),
            "u4" => Values::I64(self.decoded(|b| Ok(u32::from_le_bytes(b).into()))?),
            "i8" => Values::I64(self.decoded(|b| Ok(i64::from_le_bytes(b)))?),
            "u8" => Values::I64(self.decoded(|b| {
                let x = u64::from_le_bytes(b);
                i64::try_from(x).map_err(|_| format!("{x} is out of range of int64"))
            })?),
            "f4" => Values::F32(self.decoded(|b| Ok(f32::from_le_bytes(b)))?),
            _ => Values::F64(self.decoded(|b| Ok(f64::from_le_bytes(b)))?),
        })
    }

    /// The values, in C order, of the bytes of each, the least significant first.
    fn decoded<T: Copy, const W: usize>(
        &mut self,
        value: impl Fn([u8; W]) -> Result<T, String>,
    ) -> Result<Vec<T>, Refused> {
        let count = self.count;
        let mut values = Vec::new();
        values
            .try_reserve_exact(count)
            .map_err(|_| Refused::Content(format!("its {count} values do not fit in memory")))?;
        let mut bytes = [0; W];
        for _ in 0..count {
            self.rest.read_exact(&mut bytes)?;
            if self.big {
                bytes.reverse();
            }
            values.push(value(bytes).map_err(Refused::Content)?);
        }
        Ok(match self.fortran && self.shape.len() > 1 {
            true => to_c_order(&values, &self.shape),
            false => values,
        })
    }
}

/// Walks the subscripts in C order and keeps their place in Fortran order along.
fn to_c_order<T: Copy>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1usize;
    for &length in shape {
        strides.push(stride);
        stride = stride.saturating_mul(length);
    }
    let mut subscripts = vec![0; shape.len()];
    let mut place = 0;
    let mut ordered = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        ordered.push(values[place]);
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
    ordered
}

/// The header of a file: a Python dictionary of three entries, each of them once.
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    fn parse(text: &[u8]) -> Option<Header> {
        if !text.is_ascii() {
            return None;
        }
        let mut rest = blanks(std::str::from_utf8(text).ok()?);
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        eat(&mut rest, "{")?;
        let mut more = true;
        while eat(&mut rest, "}").is_none() {
            if !more {
                return None;
            }
            let key = string(&mut rest)?;
            eat(&mut rest, ":")?;
            let again = match key {
                "descr" => descr.replace(string(&mut rest)?.to_string()).is_some(),
                "shape" => shape.replace(tuple(&mut rest)?).is_some(),
                "fortran_order" => {
                    let truth = eat(&mut rest, "True").is_some();
                    if !truth {
                        eat(&mut rest, "False")?;
                    }
                    fortran.replace(truth).is_some()
                }
                _ => return None,
            };
            if again {
                return None;
            }
            more = eat(&mut rest, ",").is_some();
        }
        if !rest.is_empty() {
            return None;
        }
        Some(Header {
            descr: descr?,
            fortran: fortran?,
            shape: shape?,
        })
    }

    /// Whether values are big-endian, their bytes, and the type. None for a type that is not read,
    /// and for values of several bytes in an order that is not told.
    fn kind(&self) -> Option<(bool, usize, &str)> {
        let (order, kind) = self.descr.split_at_checked(1)?;
        let width = match kind {
            "b1" | "i1" | "u1" => 1,
            "i2" | "u2" => 2,
            "i4" | "u4" | "f4" => 4,
            "i8" | "u8" | "f8" => 8,
            _ => return None,
        };
        match order {
            "<" => Some((false, width, kind)),
            ">" => Some((true, width, kind)),
            "|" if width == 1 => Some((false, width, kind)),
            _ => None,
        }
    }
}

/// The text without the blanks at its start.
fn blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\r', '\n'])
}

/// Takes a token, and the blanks after it, off the text.
fn eat(rest: &mut &str, token: &str) -> Option<()> {
    *rest = blanks(rest.strip_prefix(token)?);
    Some(())
}

/// Takes a string in quotes of either kind, without escapes, off the text.
fn string<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (inside, after) = rest[1..].split_once(quote)?;
    *rest = blanks(after);
    let plain = !inside.contains(|c: char| c == '\\' || c.is_ascii_control());
    plain.then_some(inside)
}

/// Takes a tuple of lengths off the text; one of one length has a comma after it.
fn tuple(rest: &mut &str) -> Option<Vec<usize>> {
    eat(rest, "(")?;
    let mut lengths = Vec::new();
    let mut more = true;
    while eat(rest, ")").is_none() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let digits = &rest[..end];
        if !more || lengths.len() == MOST_AXES || digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        lengths.push(digits.parse().ok()?);
        *rest = blanks(&rest[end..]);
        more = eat(rest, ",").is_some();
    }
    (lengths.len() != 1 || more).then_some(lengths)
}

// Writing.

/// Writes 32-bit floats in C order.
pub fn write_f32(path: &Path, shape: &[usize], values: &[f32]) -> Result<(), String> {
    write(path, shape, "<f4", values.iter().map(|x| x.to_le_bytes()))
}

/// Writes 64-bit floats in C order.
pub fn write_f64(path: &Path, shape: &[usize], values: &[f64]) -> Result<(), String> {
    write(path, shape, "<f8", values.iter().map(|x| x.to_le_bytes()))
}

/// Writes 32-bit integers in C order.
pub fn write_i32(path: &Path, shape: &[usize], values: &[i32]) -> Result<(), String> {
    write(path, shape, "<i4", values.iter().map(|x| x.to_le_bytes()))
}

/// Writes 64-bit integers in C order.
pub fn write_i64(path: &Path, shape: &[usize], values: &[i64]) -> Result<(), String> {
    write(path, shape, "<i8", values.iter().map(|x| x.to_le_bytes()))
}

/// Writes truth values in C order.
pub fn write_bool(path: &Path, shape: &[usize], values: &[bool]) -> Result<(), String> {
    write(path, shape, "|b1", values.iter().map(|&x| [u8::from(x)]))
}

fn write<const B: usize>(
    path: &Path,
    shape: &[usize],
    descr: &str,
    values: impl ExactSizeIterator<Item = [u8; B]>,
) -> Result<(), String> {
    if shape.iter().product::<usize>() != values.len() {
        let (file, found) = (path.display(), values.len());
        return Err(format!(
            "{file}: the shape {shape:?} cannot hold {found} values"
        ));
    }
    let start = start(descr, shape)
        .ok_or_else(|| format!("{}: the shape has too many axes", path.display()))?;
    replace_file(path, |to| {
        to.write_all(&start)?;
        for bytes in values {
            to.write_all(&bytes)?;
        }
        Ok(())
    })
}

/// What stands in a file before the values: the header of version 1.0. None for more axes than are
/// read.
pub fn start(descr: &str, shape: &[usize]) -> Option<Vec<u8>> {
    let lengths: String = shape.iter().map(|d| format!("{d}, ")).collect();
    let lengths = match shape.len() {
        1 => lengths.trim_end(),
        _ => lengths.trim_end_matches(", "),
    };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({lengths}), }}");
    // The data begins at a multiple of 64 bytes; the line feed counts.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len())
        .ok()
        .filter(|_| shape.len() <= MOST_AXES)?;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    Some(bytes)
}
