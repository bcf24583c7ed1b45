//! Arrays: a type of elements, a shape, and the values in C order.

use super::DataError;

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elem {
    /// Truth values.
    Bool,
    /// 32-bit integers.
    I32,
    /// 64-bit integers.
    I64,
    /// 32-bit floats.
    F32,
    /// 64-bit floats.
    F64,
}

impl Elem {
    /// The name people know it by: `bool`, `int32`, `int64`, `float32`, `float64`.
    pub fn name(self) -> &'static str {
        match self {
            Elem::Bool => "bool",
            Elem::I32 => "int32",
            Elem::I64 => "int64",
            Elem::F32 => "float32",
            Elem::F64 => "float64",
        }
    }

    /// Bytes that one value takes.
    pub fn size(self) -> usize {
        match self {
            Elem::Bool => 1,
            Elem::I32 | Elem::F32 => 4,
            Elem::I64 | Elem::F64 => 8,
        }
    }
}

/// The values of an array, in C order (the last axis runs fastest).
///
/// `==` follows the floats' own comparison, so NaNs differ; [`super::identical`] compares bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Truth values.
    Bool(Vec<bool>),
    /// 32-bit integers.
    I32(Vec<i32>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
}

impl Values {
    /// The type of the elements.
    pub fn elem(&self) -> Elem {
        match self {
            Values::Bool(_) => Elem::Bool,
            Values::I32(_) => Elem::I32,
            Values::I64(_) => Elem::I64,
            Values::F32(_) => Elem::F32,
            Values::F64(_) => Elem::F64,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Bool(v) => v.len(),
            Values::I32(v) => v.len(),
            Values::I64(v) => v.len(),
            Values::F32(v) => v.len(),
            Values::F64(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An array outside a program. Its shape is empty for a scalar; an array of VECTORs has a last
/// axis of 2, 3 or 4.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    values: Values,
}

impl Array {
    /// An array of a shape.
    ///
    /// # Errors
    ///
    /// Where the number of values is not the product of the shape.
    pub fn new(shape: Vec<usize>, values: Values) -> Result<Array, DataError> {
        let product = shape.iter().try_fold(1usize, |p, &d| p.checked_mul(d));
        if product != Some(values.len()) {
            let values = values.len();
            return Err(DataError::Shape { shape, values });
        }
        Ok(Array { shape, values })
    }

    /// The same values in another shape.
    ///
    /// # Errors
    ///
    /// Where the shape has room for another number of values.
    pub fn reshaped(self, shape: Vec<usize>) -> Result<Array, DataError> {
        Array::new(shape, self.values)
    }

    /// A one-dimensional array of 64-bit floats.
    pub fn from_f64(values: Vec<f64>) -> Array {
        Array {
            shape: vec![values.len()],
            values: Values::F64(values),
        }
    }

    /// An array of VECTORs in 64-bit floats, of shape `[n, 3]`.
    pub fn from_vectors(vectors: Vec<[f64; 3]>) -> Array {
        Array {
            shape: vec![vectors.len(), 3],
            values: Values::F64(vectors.into_flattened()),
        }
    }

    /// The type of the elements.
    pub fn elem(&self) -> Elem {
        self.values.elem()
    }

    /// The lengths of the axes; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values, in C order.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The values, in C order, out of the array.
    pub fn into_values(self) -> Values {
        self.values
    }

    /// The number of values: the product of the shape, 1 for a scalar.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values as 64-bit floats: truth values are 0 and 1, 64-bit integers are rounded.
    pub fn to_f64s(&self) -> Vec<f64> {
        self.reals().collect()
    }

    /// The same one after the other, without a copy of them all.
    pub fn reals(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).map(|i| match &self.values {
            Values::Bool(v) => f64::from(u8::from(v[i])),
            Values::I32(v) => f64::from(v[i]),
            Values::I64(v) => v[i] as f64,
            Values::F32(v) => f64::from(v[i]),
            Values::F64(v) => v[i],
        })
    }

    /// The same values in another type.
    ///
    /// Float widths convert (narrowing rounds to the nearest); integers convert to the other width
    /// and to floats where the type has every one of them. Floats to integers, and anything from or
    /// to truth values, is an error. The same holds for what emitted programs read.
    ///
    /// # Errors
    ///
    /// Which value the type lacks, or that none of them converts.
    pub fn into_elem(self, elem: Elem) -> Result<Array, DataError> {
        match self.elem() == elem {
            true => Ok(self),
            false => self.to_elem(elem),
        }
    }

    /// A copy as [`Array::into_elem`] has it.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_elem(&self, elem: Elem) -> Result<Array, DataError> {
        let refuse = |reason: &str| DataError::Convert {
            from: self.elem().name(),
            to: elem.name(),
            reason: reason.into(),
        };
        let values = match (&self.values, elem) {
            (values, elem) if values.elem() == elem => values.clone(),
            (Values::Bool(_), _) => return Err(refuse("truth values are not numbers")),
            (_, Elem::Bool) => return Err(refuse("numbers are not truth values")),
            (Values::F32(_) | Values::F64(_), Elem::I32 | Elem::I64) => {
                return Err(refuse("fractions would be lost"));
            }
            (Values::F32(v), _) => Values::F64(v.iter().map(|&x| f64::from(x)).collect()),
            (Values::F64(v), _) => Values::F32(v.iter().map(|&x| x as f32).collect()),
            (Values::I32(_) | Values::I64(_), elem) => {
                let integers = self.widened();
                match elem {
                    Elem::I32 => exactly(&integers, |x| i32::try_from(x).ok()).map(Values::I32),
                    Elem::F32 => exactly(&integers, |x| {
                        Some(x as f32).filter(|&y| y as i128 == i128::from(x))
                    })
                    .map(Values::F32),
                    Elem::F64 => exactly(&integers, |x| {
                        Some(x as f64).filter(|&y| y as i128 == i128::from(x))
                    })
                    .map(Values::F64),
                    Elem::I64 | Elem::Bool => Ok(Values::I64(integers)),
                }
                .map_err(|reason| refuse(&reason))?
            }
        };
        Ok(Array {
            shape: self.shape.clone(),
            values,
        })
    }

    /// The integers of an array of integers.
    fn widened(&self) -> Vec<i64> {
        match &self.values {
            Values::I32(v) => v.iter().map(|&x| i64::from(x)).collect(),
            Values::I64(v) => v.clone(),
            Values::Bool(_) | Values::F32(_) | Values::F64(_) => Vec::new(),
        }
    }
}

/// The integers in a type that has them all; else which one it lacks.
fn exactly<T>(integers: &[i64], convert: impl Fn(i64) -> Option<T>) -> Result<Vec<T>, String> {
    let mut converted = Vec::with_capacity(integers.len());
    for (place, &x) in integers.iter().enumerate() {
        let lacking = || format!("the value {x} at place {place} is out of range");
        converted.push(convert(x).ok_or_else(lacking)?);
    }
    Ok(converted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_must_fit_its_values() {
        assert!(Array::new(vec![2, 3], Values::I32(vec![0; 6])).is_ok());
        assert!(Array::new(vec![2, 3], Values::I32(vec![0; 5])).is_err());
        assert!(Array::new(vec![usize::MAX, 2], Values::I32(vec![0; 5])).is_err());
        assert_eq!(
            Array::new(Vec::new(), Values::F64(vec![1.0]))
                .unwrap()
                .len(),
            1
        );
        let empty = Array::new(vec![0, 4], Values::Bool(Vec::new()));
        assert!(empty.unwrap().is_empty());
    }

    #[test]
    fn conversions_keep_what_can_be_kept() {
        let ints = Array::new(vec![2], Values::I64(vec![-7, 1 << 31])).unwrap();
        let error = ints.to_elem(Elem::I32).unwrap_err();
        assert!(
            error.to_string().contains("2147483648 at place 1"),
            "{error}"
        );
        assert_eq!(
            ints.to_elem(Elem::F64).unwrap().values(),
            &Values::F64(vec![-7.0, 2147483648.0])
        );
        let floats = Array::from_f64(vec![0.1, f64::NAN]);
        let narrow = floats.to_elem(Elem::F32).unwrap();
        assert!(matches!(narrow.values(), Values::F32(v) if v[0] == 0.1f32 && v[1].is_nan()));
        assert!(floats.to_elem(Elem::I64).is_err());
        assert!(floats.to_elem(Elem::Bool).is_err());
        let truths = Array::new(vec![1], Values::Bool(vec![true])).unwrap();
        assert!(truths.to_elem(Elem::F32).is_err());
        assert_eq!(truths.to_elem(Elem::Bool).unwrap(), truths);
        let odd = Array::new(vec![1], Values::I32(vec![(1 << 24) + 1])).unwrap();
        assert!(odd.to_elem(Elem::F32).is_err() && odd.to_elem(Elem::F64).is_ok());
        let largest = Array::new(vec![1], Values::I64(vec![i64::MAX])).unwrap();
        assert!(largest.to_elem(Elem::F64).is_err());
        let small = Array::new(vec![1], Values::I32(vec![5])).unwrap();
        assert_eq!(
            small.to_elem(Elem::I64).unwrap().values(),
            &Values::I64(vec![5])
        );
    }
}
