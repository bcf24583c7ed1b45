//! Arrays in `.npy` files, the format of NumPy, by means of the standard library alone.

#![allow(dead_code)]

use std::collections::hash_map::RandomState;
use std::fs::{self, DirBuilder, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An array as a file held it, its values in C order (the last axis runs fastest).
pub struct Npy {
    /// The file, for messages.
    pub file: String,
    /// The lengths of the axes; empty for a scalar.
    pub shape: Vec<usize>,
    /// The values.
    pub values: Values,
}

/// The values of an array: integers of all widths are held in 64 bits.
pub enum Values {
    /// Truth values.
    Bool(Vec<bool>),
    /// Integers.
    Int(Vec<i64>),
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
}

/// Reads a file of bool, int8 to int64, uint8 to uint64, float32 or float64. Fortran order and
/// big-endian values are converted; anything else is an error that names the file.
pub fn read(path: &Path) -> Result<Npy, String> {
    let file = path.display().to_string();
    let bytes = fs::read(path).map_err(|e| format!("cannot read {file}: {e}"))?;
    let (shape, values) = decode(&bytes).map_err(|why| format!("{file}: {why}"))?;
    Ok(Npy {
        file,
        shape,
        values,
    })
}

impl Npy {
    /// The values as 32-bit floats: 64-bit ones are rounded, integers must be representable.
    pub fn into_f32(self) -> Result<(Vec<usize>, Vec<f32>), String> {
        let values = match self.values {
            Values::F32(v) => v,
            Values::F64(v) => v.into_iter().map(|x| x as f32).collect(),
            Values::Int(v) => exactly(&self.file, v, "float32", |x| {
                Some(x as f32).filter(|y| *y as i128 == i128::from(x))
            })?,
            Values::Bool(_) => return Err(wanted(&self.file, "truth values", "float32")),
        };
        Ok((self.shape, values))
    }

    /// The values as 64-bit floats; integers must be representable.
    pub fn into_f64(self) -> Result<(Vec<usize>, Vec<f64>), String> {
        let values = match self.values {
            Values::F64(v) => v,
            Values::F32(v) => v.into_iter().map(f64::from).collect(),
            Values::Int(v) => exactly(&self.file, v, "float64", |x| {
                Some(x as f64).filter(|y| *y as i128 == i128::from(x))
            })?,
            Values::Bool(_) => return Err(wanted(&self.file, "truth values", "float64")),
        };
        Ok((self.shape, values))
    }

    /// The values as 32-bit integers, which must be in range.
    pub fn into_i32(self) -> Result<(Vec<usize>, Vec<i32>), String> {
        let file = self.file.clone();
        let (shape, values) = self.into_integers("int32")?;
        let values = exactly(&file, values, "int32", |x| i32::try_from(x).ok())?;
        Ok((shape, values))
    }

    /// The values as 64-bit integers.
    pub fn into_i64(self) -> Result<(Vec<usize>, Vec<i64>), String> {
        self.into_integers("int64")
    }

    /// The values as truth values.
    pub fn into_bool(self) -> Result<(Vec<usize>, Vec<bool>), String> {
        match self.values {
            Values::Bool(v) => Ok((self.shape, v)),
            _ => Err(wanted(&self.file, "numbers", "bool")),
        }
    }

    fn into_integers(self, name: &str) -> Result<(Vec<usize>, Vec<i64>), String> {
        match self.values {
            Values::Int(v) => Ok((self.shape, v)),
            Values::Bool(_) => Err(wanted(&self.file, "truth values", name)),
            Values::F32(_) | Values::F64(_) => Err(wanted(&self.file, "floats", name)),
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

fn exactly<T>(
    file: &str,
    values: Vec<i64>,
    name: &str,
    convert: impl Fn(i64) -> Option<T>,
) -> Result<Vec<T>, String> {
    let mut converted = Vec::with_capacity(values.len());
    for x in values {
        converted.push(convert(x).ok_or_else(|| format!("{file}: {x} is out of range of {name}"))?);
    }
    Ok(converted)
}

// Reading.

fn decode(bytes: &[u8]) -> Result<(Vec<usize>, Values), String> {
    let broken = || "it is not a .npy file, or breaks off".to_string();
    if bytes.len() < 12 || &bytes[..6] != b"\x93NUMPY" {
        return Err(broken());
    }
    let (start, length) = match bytes[6] {
        1 => (10, u16::from_le_bytes([bytes[8], bytes[9]]) as usize),
        _ => {
            let length = [bytes[8], bytes[9], bytes[10], bytes[11]];
            (12, u32::from_le_bytes(length) as usize)
        }
    };
    if length > bytes.len() - start {
        return Err(broken());
    }
    let (text, data) = bytes[start..].split_at(length);
    let header = Header::parse(text).ok_or("its header is not that of a plain array")?;
    let unknown = || {
        format!(
            "it holds values of type '{}', which are not read",
            header.descr
        )
    };
    let (big, kind) = match header.descr.split_at_checked(1) {
        Some((">", kind)) => (true, kind),
        Some(("<" | "|" | "=", kind)) => (false, kind),
        _ => return Err(unknown()),
    };
    let width: usize = match kind {
        "b1" | "i1" | "u1" => 1,
        "i2" | "u2" => 2,
        "i4" | "u4" | "f4" => 4,
        "i8" | "u8" | "f8" => 8,
        _ => return Err(unknown()),
    };
    let count = header
        .shape
        .iter()
        .try_fold(1usize, |n, &d| n.checked_mul(d));
    if count.and_then(|n| n.checked_mul(width)) != Some(data.len()) {
        let (shape, found) = (header.shape, data.len());
        return Err(format!(
            "its shape is {shape:?}, but it holds {found} bytes"
        ));
    }
    // Every value as the 64 bits that its bytes make, most significant first.
    let bits = data.chunks_exact(width).map(|chunk| {
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        match big {
            true => chunk.iter().fold(0, join),
            false => chunk.iter().rev().fold(0, join),
        }
    });
    let values = match kind {
        "b1" => Values::Bool(bits.map(|b| b != 0).collect()),
        "f4" => Values::F32(bits.map(|b| f32::from_bits(b as u32)).collect()),
        "f8" => Values::F64(bits.map(f64::from_bits).collect()),
        "i1" => Values::Int(bits.map(|b| i64::from(b as i8)).collect()),
        "i2" => Values::Int(bits.map(|b| i64::from(b as i16)).collect()),
        "i4" => Values::Int(bits.map(|b| i64::from(b as i32)).collect()),
        "i8" => Values::Int(bits.map(|b| b as i64).collect()),
        _ => {
            let integer = |b| i64::try_from(b).map_err(|_| format!("{b} is out of range of int64"));
            Values::Int(bits.map(integer).collect::<Result<_, _>>()?)
        }
    };
    let values = match (header.fortran, values) {
        (false, values) => values,
        (true, Values::Bool(v)) => Values::Bool(to_c_order(&v, &header.shape)),
        (true, Values::Int(v)) => Values::Int(to_c_order(&v, &header.shape)),
        (true, Values::F32(v)) => Values::F32(to_c_order(&v, &header.shape)),
        (true, Values::F64(v)) => Values::F64(to_c_order(&v, &header.shape)),
    };
    Ok((header.shape, values))
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

/// The header of a file: a Python dictionary of three entries.
struct Header {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

impl Header {
    fn parse(text: &[u8]) -> Option<Header> {
        let mut rest = std::str::from_utf8(text).ok()?.trim();
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        eat(&mut rest, "{")?;
        while eat(&mut rest, "}").is_none() {
            let key = string(&mut rest)?;
            eat(&mut rest, ":")?;
            match key {
                "descr" => descr = Some(string(&mut rest)?.to_string()),
                "shape" => shape = Some(tuple(&mut rest)?),
                "fortran_order" if eat(&mut rest, "True").is_some() => fortran = Some(true),
                "fortran_order" => {
                    eat(&mut rest, "False")?;
                    fortran = Some(false);
                }
                _ => return None,
            }
            if eat(&mut rest, ",").is_none() && !rest.starts_with('}') {
                return None;
            }
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
}

/// Takes a token, and the blanks after it, off the text.
fn eat(rest: &mut &str, token: &str) -> Option<()> {
    *rest = rest.strip_prefix(token)?.trim_start();
    Some(())
}

/// Takes a string in quotes of either kind off the text.
fn string<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (inside, after) = rest[1..].split_once(quote)?;
    *rest = after.trim_start();
    Some(inside)
}

/// Takes a tuple of lengths off the text.
fn tuple(rest: &mut &str) -> Option<Vec<usize>> {
    eat(rest, "(")?;
    let mut lengths = Vec::new();
    while eat(rest, ")").is_none() {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        lengths.push(rest[..end].parse().ok()?);
        *rest = rest[end..].trim_start();
        if eat(rest, ",").is_none() && !rest.starts_with(')') {
            return None;
        }
    }
    Some(lengths)
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
    let lengths: String = shape.iter().map(|d| format!("{d}, ")).collect();
    let shape = match shape.len() {
        1 => lengths.trim_end(),
        _ => lengths.trim_end_matches(", "),
    };
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The data begins at a multiple of 64 bytes; the line feed counts.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = u16::try_from(header.len())
        .map_err(|_| format!("{}: the shape has too many axes", path.display()))?;
    replace_file(path, |to| {
        to.write_all(b"\x93NUMPY\x01\x00")?;
        to.write_all(&length.to_le_bytes())?;
        to.write_all(header.as_bytes())?;
        for bytes in values {
            to.write_all(&bytes)?;
        }
        Ok(())
    })
}

/// Writes a file through a temporary one beside it, which is renamed when it is complete: what
/// stands under `path` is never half-written.
pub fn replace_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), String> {
    let partial = path.with_file_name(unfinished());
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&partial)
        .and_then(|file| {
            let mut buffer = BufWriter::new(file);
            fill(&mut buffer)?;
            buffer.flush()
        })
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|e| {
        // It may not exist; nothing more can be done about it in any case.
        let _ = fs::remove_file(&partial);
        format!("cannot write {}: {e}", path.display())
    })
}

/// A name for what is not finished: that of this process, and what nobody can foresee.
fn unfinished() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!(".partial-{}-{random:016x}", std::process::id())
}

/// Files that appear in a folder together, or not at all.
pub struct Together {
    folder: PathBuf,
    work: PathBuf,
}

impl Together {
    /// Makes the folder and, in it, one that nobody else can enter, for files until they appear.
    pub fn begin(folder: &Path) -> Result<Together, String> {
        let failed = |e| format!("cannot make the folder {}: {e}", folder.display());
        fs::create_dir_all(folder).map_err(failed)?;
        sweep(folder);
        let work = folder.join(unfinished());
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&work).map_err(failed)?;
        Ok(Together {
            folder: folder.to_path_buf(),
            work,
        })
    }

    /// Where the files are written.
    pub fn path(&self) -> &Path {
        &self.work
    }

    /// Puts the files where they belong; those that stand there are replaced.
    pub fn appear(self) -> Result<(), String> {
        let failed = |to: &Path, e: io::Error| format!("cannot write {}: {e}", to.display());
        let entries = fs::read_dir(&self.work).map_err(|e| failed(&self.work, e))?;
        let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        // What can be known beforehand is known before the first is moved.
        for to in names.iter().map(|name| self.folder.join(name)) {
            if to.is_dir() {
                return Err(failed(&to, io::ErrorKind::IsADirectory.into()));
            }
        }
        names.iter().try_for_each(|name| {
            let to = self.folder.join(name);
            fs::rename(self.work.join(name), &to).map_err(|e| failed(&to, e))
        })
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// Removes what processes left in a folder that are no more, where the system tells which are.
fn sweep(folder: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|n| n.strip_prefix(".partial-")?.split('-').next());
        let process = process.and_then(|n| n.parse::<u32>().ok());
        let ended = |n: u32| !Path::new("/proc").join(n.to_string()).exists();
        if process.is_some_and(ended) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
