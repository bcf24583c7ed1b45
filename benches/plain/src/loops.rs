//! The loops, each over rows, points or arrays at once: inlined, so that the compiler knows the sizes that
//! callers give as numbers, without which `heat` takes four times as long.

use rayon::prelude::*;

/// One explicit step of heat in a plate of n × n points, whose rim stays as it is.
#[inline]
pub fn heat(old: &[f32], new: &mut [f32], n: usize) {
    let rows = new.par_chunks_mut(n).enumerate();
    rows.filter(|(i, _)| (1..n - 1).contains(i))
        .for_each(|(i, row)| {
            for (j, new) in row.iter_mut().enumerate().take(n - 1).skip(1) {
                let at = i * n + j;
                let around = old[at - n] + old[at + n] + old[at - 1] + old[at + 1];
                *new = old[at] + 0.2 * (around - 4.0 * old[at]);
            }
        });
}

/// C = A B, a cell at a time.
#[inline]
pub fn matrix_product(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    c.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
        for (j, cell) in row.iter_mut().enumerate() {
            *cell = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum();
        }
    });
}

/// Counts by bin: each core has its own, added up at the end.
#[inline]
pub fn histogram(x: &[f32], bins: usize) -> Vec<i32> {
    let part = |chunk: &[f32]| {
        let mut count = vec![0; bins];
        for x in chunk {
            count[((x * bins as f32) as usize).min(bins - 1)] += 1;
        }
        count
    };
    let add = |mut a: Vec<i32>, b: Vec<i32>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    x.par_chunks(65_536).map(part).reduce(|| vec![0; bins], add)
}

/// Sorts each run of `l` keys by counting the keys that go before.
#[inline]
pub fn rank_sort(key: &[f32], sorted: &mut [f32], place: &mut [i32], l: usize) {
    let out = sorted.par_chunks_mut(l).zip(place.par_chunks_mut(l));
    key.par_chunks(l)
        .zip(out)
        .for_each(|(key, (sorted, place))| {
            for (i, &own) in key.iter().enumerate() {
                let before = |s: usize| key[s] < own || key[s] == own && s < i;
                let rank = (0..l).filter(|&s| before(s)).count();
                sorted[rank] = own;
                place[rank] = i as i32;
            }
        });
}

/// Steps until each point of the plane leaves the circle of radius 2.
#[inline]
pub fn mandelbrot(steps: &mut [i32], n: usize, most: i32) {
    steps.par_chunks_mut(n).enumerate().for_each(|(row, out)| {
        for (column, out) in out.iter_mut().enumerate() {
            let cx = -2.25 + 3.0 * (column as f32 + 0.5) / n as f32;
            let cy = -1.5 + 3.0 * (row as f32 + 0.5) / n as f32;
            let (mut x, mut y, mut count) = (0.0f32, 0.0f32, 0);
            while count < most && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
                count += 1;
            }
            *out = count;
        }
    });
}

/// Sums of the cubic spline over all particles within 2 h.
#[inline]
pub fn density(m: &[f32], r: &[[f32; 3]], density: &mut [f32], h: f32) {
    density.par_iter_mut().zip(r).for_each(|(density, a)| {
        let mut sum = 0.0;
        for (b, m) in r.iter().zip(m) {
            let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if d2 < 4.0 * h * h {
                let q = d2.sqrt() / h;
                let near = 1.0 - 1.5 * q * q + 0.75 * q * q * q;
                let far = 0.25 * (2.0 - q) * (2.0 - q) * (2.0 - q);
                sum += m * if q < 1.0 { near } else { far };
            }
        }
        *density = sum / (std::f32::consts::PI * h * h * h);
    });
}

/// Running sums, in order.
#[inline]
pub fn prefix_sum(x: &[f32], s: &mut [f32]) {
    let mut sum = 0.0;
    for (s, x) in s.iter_mut().zip(x) {
        sum += x;
        *s = sum;
    }
}

/// What is gathered from numbers: the sum of their squares, their sum, the largest, the least, and how many are above 1/2.
pub type Totals = (f32, f32, f32, f32, i32);

/// The product of a matrix with rows of as many numbers as `x` has.
#[inline]
pub fn row_sums(a: &[f32], x: &[f32], y: &mut [f32]) {
    let rows = a.par_chunks(x.len()).zip(y.par_iter_mut());
    rows.for_each(|(row, y)| *y = row.iter().zip(x).map(|(a, x)| a * x).sum());
}

/// The totals of some numbers.
#[inline]
pub fn totals(a: &[f32]) -> Totals {
    let none = || (0.0, 0.0, f32::MIN, f32::MAX, 0);
    let one = |t: Totals, &a: &f32| {
        let above = t.4 + i32::from(a > 0.5);
        (t.0 + a * a, t.1 + a, t.2.max(a), t.3.min(a), above)
    };
    let both = |t: Totals, u: Totals| (t.0 + u.0, t.1 + u.1, t.2.max(u.2), t.3.min(u.3), t.4 + u.4);
    a.par_iter().fold(none, one).reduce(none, both)
}
