//! Arrays and their sizes.

use crate::error::{fail, Error};

/// The sizes of an array, if they are sizes and their product is one.
pub fn size<const D: usize>(name: &str, dims: [i64; D]) -> [usize; D] {
    let mut elements = 1usize;
    dims.map(|dim| {
        let Ok(dim) = usize::try_from(dim) else {
            fail(Error::Input(format!("`{name}` has a size of {dim}")));
        };
        elements = match elements.checked_mul(dim) {
            Some(product) => product,
            None => fail(too_large(name, &dims)),
        };
        dim
    })
}

fn too_large(name: &str, dims: &[i64]) -> Error {
    let dims: Vec<String> = dims.iter().map(i64::to_string).collect();
    let dims = dims.join(" × ");
    Error::Input(format!("`{name}` of {dims} elements does not fit in memory"))
}

/// An array of zeros.
#[allow(dead_code)]
pub fn array<T: Clone + Default>(name: &str, dims: &[usize]) -> Vec<T> {
    let elements = dims.iter().product();
    let mut array = Vec::new();
    if array.try_reserve_exact(elements).is_err() {
        let dims: Vec<i64> = dims.iter().map(|&d| d as i64).collect();
        fail(too_large(name, &dims));
    }
    array.resize(elements, T::default());
    array
}

{% if uses.zeros %}
/// An array of zeros, or an error where it does not fit in memory.
pub fn zeros<T: Clone + Default>(name: &str, dims: &[usize]) -> Result<Vec<T>, Error> {
    crate::error::guard(|| array(name, dims))
}
{% endif %}
#[allow(dead_code)]
/// An error where an array that was passed has another length than its sizes say.
pub fn expect_length(name: &str, length: usize, dims: &[usize]) {
    let wanted: usize = dims.iter().product();
    if length != wanted {
        let why = format!("`{name}` holds {length} elements where {wanted} are needed");
        fail(Error::Input(why));
    }
}
{% if uses.cell %}
/// The place of a cell in an array of several dimensions, each subscript checked.
#[inline(always)]
pub fn cell<const D: usize>(subscripts: [usize; D], dims: [usize; D]) -> usize {
    let mut place = 0usize;
    for (subscript, dim) in subscripts.into_iter().zip(dims) {
        if subscript >= dim {
            outside(subscript, dim);
        }
        // It cannot overflow: the product of the sizes does not.
        place = place.wrapping_mul(dim).wrapping_add(subscript);
    }
    place
}

#[cold]
fn outside(subscript: usize, dim: usize) -> ! {
    let subscript = subscript as i64;
    let why = format!("a subscript of {subscript} is outside of a dimension of size {dim}");
    fail(Error::Algorithm(why))
}
{% endif -%}
