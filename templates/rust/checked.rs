//! Arithmetic of integers that is an error out of range, however the crate around it is built.

#![allow(dead_code)]

use super::error::{fail, Error};

/// Integers that are computed with.
pub trait Integer: Copy {
    /// The sum, if it is in range; and so on.
    fn added(self, other: Self) -> Option<Self>;
    fn reduced(self, other: Self) -> Option<Self>;
    fn multiplied(self, other: Self) -> Option<Self>;
    fn opposite(self) -> Option<Self>;
    fn size(self) -> Option<Self>;
}

macro_rules! integer {
    ($($integer:ty)*) => {$(
        impl Integer for $integer {
            #[inline(always)]
            fn added(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }

            #[inline(always)]
            fn reduced(self, other: Self) -> Option<Self> {
                self.checked_sub(other)
            }

            #[inline(always)]
            fn multiplied(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }

            #[inline(always)]
            fn opposite(self) -> Option<Self> {
                self.checked_neg()
            }

            #[inline(always)]
            fn size(self) -> Option<Self> {
                self.checked_abs()
            }
        }
    )*};
}

integer! { i32 i64 }

#[inline(always)]
pub fn sum<T: Integer>(a: T, b: T) -> T {
    match a.added(b) {
        Some(sum) => sum,
        None => out_of_range("add"),
    }
}

#[inline(always)]
pub fn difference<T: Integer>(a: T, b: T) -> T {
    match a.reduced(b) {
        Some(difference) => difference,
        None => out_of_range("subtract"),
    }
}

#[inline(always)]
pub fn product<T: Integer>(a: T, b: T) -> T {
    match a.multiplied(b) {
        Some(product) => product,
        None => out_of_range("multiply"),
    }
}

/// The product of `k` factors from the left, `k` being 1 or more.
#[inline(always)]
pub fn power<T: Integer>(x: T, k: u32) -> T {
    (1..k).fold(x, |power, _| product(power, x))
}

#[inline(always)]
pub fn opposite<T: Integer>(x: T) -> T {
    match x.opposite() {
        Some(opposite) => opposite,
        None => out_of_range("negate"),
    }
}

#[inline(always)]
pub fn absolute<T: Integer>(x: T) -> T {
    match x.size() {
        Some(size) => size,
        None => out_of_range("negate"),
    }
}

/// In the words of Rust's own checks.
#[cold]
#[inline(never)]
fn out_of_range(name: &str) -> ! {
    fail(Error::Algorithm(format!("attempt to {name} with overflow")))
}
