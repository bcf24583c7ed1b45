//! What the algorithm computes with besides the standard library.
{% if uses.error %}
use crate::error::{fail, Error};
{% endif -%}
{% if uses.min %}
/// The smaller of two numbers; `a` where they do not compare.
#[inline(always)]
pub fn min<T: PartialOrd>(a: T, b: T) -> T {
    if b < a {
        b
    } else {
        a
    }
}
{% endif -%}
{% if uses.max %}
/// The larger of two numbers; `a` where they do not compare.
#[inline(always)]
pub fn max<T: PartialOrd>(a: T, b: T) -> T {
    if a < b {
        b
    } else {
        a
    }
}
{% endif -%}
{% if uses.power %}
/// The product of `k` factors from the left, `k` being 1 or more.
#[inline(always)]
pub fn power<T: Copy + std::ops::Mul<Output = T>>(x: T, k: u32) -> T {
    let mut product = x;
    for _ in 1..k {
        product = product * x;
    }
    product
}
{% endif -%}
{% if uses.power_of %}
/// An integer to a power that an expression gives.
pub fn power_of(x: i64, k: i64) -> i64 {
    match u32::try_from(k).ok().and_then(|k| x.checked_pow(k)) {
        Some(power) => power,
        None => out_of_range("INTEGER64"),
    }
}
{% endif -%}
{% if uses.ceil_div %}
/// The quotient rounded up.
#[inline(always)]
pub fn ceil_div(a: i32, b: i32) -> i32 {
    let quotient = a / b;
    quotient + i32::from(a % b != 0 && (a < 0) == (b < 0))
}
{% endif -%}
{% if uses.ceil_div_64 %}
/// The quotient rounded up.
#[inline(always)]
pub fn ceil_div_64(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    quotient + i64::from(a % b != 0 && (a < 0) == (b < 0))
}
{% endif -%}
{% if uses.int32 %}
/// A real cut towards zero, an error beyond 32 bits.
#[inline(always)]
pub fn int32(x: impl Into<f64>) -> i32 {
    let whole = x.into().trunc();
    if whole >= -2_147_483_648.0 && whole < 2_147_483_648.0 {
        whole as i32
    } else {
        out_of_range("INTEGER")
    }
}
{% endif -%}
{% if uses.int64 %}
/// A real cut towards zero, an error beyond 64 bits.
#[inline(always)]
pub fn int64(x: impl Into<f64>) -> i64 {
    let whole = x.into().trunc();
    if whole >= -9_223_372_036_854_775_808.0 && whole < 9_223_372_036_854_775_808.0 {
        whole as i64
    } else {
        out_of_range("INTEGER64")
    }
}
{% endif -%}
{% if uses.integer32 %}
/// An integer in 32 bits.
#[inline(always)]
pub fn integer32(x: i64) -> i32 {
    match i32::try_from(x) {
        Ok(x) => x,
        Err(_) => out_of_range("INTEGER"),
    }
}
{% endif -%}
{% if uses.error %}
#[cold]
fn out_of_range(name: &str) -> ! {
    fail(Error::Algorithm(format!("an integer is out of the range of {name}")))
}
{% endif -%}
{% if uses.steps_by %}
/// `from`, `from + step` and so on up to `to`, or down to it if `step` is negative.
pub fn steps_by(from: i64, to: i64, step: i64) -> impl Iterator<Item = i64> {
    if step == 0 {
        fail(Error::Algorithm("a loop goes on by steps of 0".into()));
    }
    let goes_on = move |i: &i64| if step > 0 { *i <= to } else { *i >= to };
    std::iter::successors(Some(from), move |i| i.checked_add(step)).take_while(goes_on)
}
{% endif -%}
{% if uses.erfc %}
{{ erfc }}
{% endif -%}
