//! Vectors of a few reals.

use crate::Real;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
{% for v in vectors %}
/// {{ v.words }} reals, laid out as `[Real; {{ v.size }}]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct {{ v.name }} {
{%- for f in v.fields %}
    pub {{ f }}: Real,
{%- endfor %}
}

#[allow(dead_code)]
impl {{ v.name }} {
    pub const ZERO: {{ v.name }} = {{ v.name }}::splat(0.0);

    pub const fn new({% for f in v.fields %}{{ f }}: Real{% if not loop.last %}, {% endif %}{% endfor %}) -> {{ v.name }} {
        {{ v.name }} { {% for f in v.fields %}{{ f }}{% if not loop.last %}, {% endif %}{% endfor %} }
    }

    /// The same number in each component.
    pub const fn splat(value: Real) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}value{% if not loop.last %}, {% endif %}{% endfor %})
    }

    /// The scalar product, summed from the left.
    #[inline(always)]
    pub fn dot(self, other: {{ v.name }}) -> Real {
        {% for f in v.fields %}self.{{ f }} * other.{{ f }}{% if not loop.last %} + {% endif %}{% endfor %}
    }

    /// The square of the length.
    #[inline(always)]
    pub fn norm2(self) -> Real {
        self.dot(self)
    }

    /// The length.
    #[inline(always)]
    pub fn norm(self) -> Real {
        self.norm2().sqrt()
    }
{% if v.size == 3 %}
    /// The vector product.
    #[inline(always)]
    pub fn cross(self, other: {{ v.name }}) -> {{ v.name }} {
        {{ v.name }}::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }
{% endif %}
    /// The components.
    pub fn to_array(self) -> [Real; {{ v.size }}] {
        [{% for f in v.fields %}self.{{ f }}{% if not loop.last %}, {% endif %}{% endfor %}]
    }

    /// Arrays of components as vectors.
    pub fn of(arrays: &[[Real; {{ v.size }}]]) -> &[{{ v.name }}] {
        // SAFETY: `repr(C)` gives a vector the layout of an array of its components, and the
        // slice is borrowed for as long.
        unsafe { &*(arrays as *const [[Real; {{ v.size }}]] as *const [{{ v.name }}]) }
    }

    /// Arrays of components as vectors that can be changed.
    pub fn of_mut(arrays: &mut [[Real; {{ v.size }}]]) -> &mut [{{ v.name }}] {
        // SAFETY: as for `of`.
        unsafe { &mut *(arrays as *mut [[Real; {{ v.size }}]] as *mut [{{ v.name }}]) }
    }
}

impl Add for {{ v.name }} {
    type Output = {{ v.name }};
    #[inline(always)]
    fn add(self, other: {{ v.name }}) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}self.{{ f }} + other.{{ f }}{% if not loop.last %}, {% endif %}{% endfor %})
    }
}

impl Sub for {{ v.name }} {
    type Output = {{ v.name }};
    #[inline(always)]
    fn sub(self, other: {{ v.name }}) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}self.{{ f }} - other.{{ f }}{% if not loop.last %}, {% endif %}{% endfor %})
    }
}

impl AddAssign for {{ v.name }} {
    #[inline(always)]
    fn add_assign(&mut self, other: {{ v.name }}) {
        *self = *self + other;
    }
}

impl SubAssign for {{ v.name }} {
    #[inline(always)]
    fn sub_assign(&mut self, other: {{ v.name }}) {
        *self = *self - other;
    }
}

impl Neg for {{ v.name }} {
    type Output = {{ v.name }};
    #[inline(always)]
    fn neg(self) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}-self.{{ f }}{% if not loop.last %}, {% endif %}{% endfor %})
    }
}

impl Mul<Real> for {{ v.name }} {
    type Output = {{ v.name }};
    #[inline(always)]
    fn mul(self, factor: Real) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}self.{{ f }} * factor{% if not loop.last %}, {% endif %}{% endfor %})
    }
}

impl Mul<{{ v.name }}> for Real {
    type Output = {{ v.name }};
    #[inline(always)]
    fn mul(self, vector: {{ v.name }}) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}self * vector.{{ f }}{% if not loop.last %}, {% endif %}{% endfor %})
    }
}

impl Div<Real> for {{ v.name }} {
    type Output = {{ v.name }};
    #[inline(always)]
    fn div(self, divisor: Real) -> {{ v.name }} {
        {{ v.name }}::new({% for f in v.fields %}self.{{ f }} / divisor{% if not loop.last %}, {% endif %}{% endfor %})
    }
}
{% endfor %}
