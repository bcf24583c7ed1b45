//! Bounds of loops that are written by numbers far apart: of loops without iterations, which stand at
//! opposite ends of INTEGER, and sums that stay in range in the order of their terms only.

use super::maker::Maker;

/// Bounds of a loop without iterations, at opposite ends of a type.
pub fn nothing(maker: &mut Maker) -> (String, String) {
    let near = maker.below(41);
    let low = match maker.below(4) {
        0 => 0,
        1 => 1_500_000_000,
        _ => 2_147_483_647 - near,
    };
    // A loop from 0 on ends at the least number.
    let high = match low {
        0 => -2_147_483_648,
        _ => near - 2_147_483_647,
    };
    let from = match low {
        0 => "0".to_owned(),
        low => maker.parameter("INTEGER", &low.to_string()),
    };
    (from, maker.parameter("INTEGER", &high.to_string()))
}

/// Small numbers that are not negative as bounds of a loop, such that the number of its iterations
/// leaves its range where it is computed in another order.
pub fn sums(maker: &mut Maker, from: i64, to: i64) -> (String, String) {
    match maker.below(4) {
        0 => (
            first(maker, from),
            maker.parameter("INTEGER", &to.to_string()),
        ),
        1 => (first(maker, from), last(maker, to)),
        _ => (from.to_string(), last(maker, to)),
    }
}

/// A number `n` as `p - q` that are at the least end: nothing may be added to `-p`.
fn first(maker: &mut Maker, number: i64) -> String {
    let least = i64::from(i32::MIN);
    let p = maker.parameter("INTEGER", &(least + number).to_string());
    let q = maker.parameter("INTEGER", &least.to_string());
    if maker.once_in(2) {
        maker.declare(&format!("ASSUME {q} <= 0"));
    }
    match maker.below(4) {
        0 => format!("max({p} - {q}, {number})"),
        _ => format!("{p} - {q}"),
    }
}

/// A number as a sum whose terms must not be added without the parentheses, or with its constant last.
fn last(maker: &mut Maker, number: i64) -> String {
    let most = i64::from(i32::MAX);
    let sum = match number {
        ..=-1 => return number.to_string(),
        // p - q is beyond the largest number, and so it is with the constant behind it.
        1.. if maker.once_in(2) => {
            let p = maker.parameter("INTEGER", &most.to_string());
            let q = maker.parameter("INTEGER", &(-number).to_string());
            format!("{p} - {most} - {q}")
        }
        _ => {
            let p = maker.parameter("INTEGER", &(most - 79 + number).to_string());
            let q = maker.parameter("INTEGER", "-80");
            let r = maker.parameter("INTEGER", &i32::MIN.to_string());
            format!("{p} - ({q} - {r})")
        }
    };
    match maker.below(4) {
        0 => format!("min({sum}, {number})"),
        _ => sum,
    }
}
