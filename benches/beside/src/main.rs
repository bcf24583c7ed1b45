//! Derived programs beside plain loops with rayon, in turns, at the library's default sizes: name,
//! median seconds of both, their ratio, and that of the least.

use plain::{loops, numbers};
use std::time::Instant;

const RUNS: usize = 15;

/// Runs a derived body, which tells its seconds, and a plain one in turns, and prints a row. The first
/// turns warm up.
fn measure(name: &str, mut derived: impl FnMut() -> f64, mut plain: impl FnMut()) {
    let mut seconds = [Vec::new(), Vec::new()];
    for turn in 0..RUNS + 3 {
        let own = derived();
        let start = Instant::now();
        plain();
        let other = start.elapsed().as_secs_f64();
        if turn >= 3 {
            seconds[0].push(own);
            seconds[1].push(other);
        }
    }
    for all in &mut seconds {
        all.sort_by(f64::total_cmp);
    }
    let [own, other] = seconds;
    let median = RUNS / 2;
    println!(
        "{name:<16}{:>12.6}{:>12.6}{:>8.2}{:>8.2}",
        own[median],
        other[median],
        own[median] / other[median],
        own[0] / other[0],
    );
}

fn main() {
    println!(
        "{:<16}{:>12}{:>12}{:>8}{:>8}",
        "", "derived s", "plain s", "ratio", "lows"
    );
    let (n, steps) = (1024, 50);
    let mut own = vec![0.0; n * n];
    let (mut u, mut v) = (numbers(n * n), vec![0.0; n * n]);
    measure(
        "heat",
        || {
            let size = n as i32;
            let run = heat_in_a_plate::heat_in_a_plate(size, size, steps, 0.2, &mut own);
            run.expect("a run").seconds
        },
        || {
            for _ in 0..steps {
                loops::heat(&u, &mut v, n);
                loops::heat(&v, &mut u, n);
            }
        },
    );
    let n = 512;
    let (a, b) = (numbers(n * n), numbers(n * n));
    let (mut own, mut c) = (vec![0.0; n * n], vec![0.0; n * n]);
    measure(
        "matrix_product",
        || {
            let size = n as i32;
            let run = matrix_product::matrix_product(size, size, size, &a, &b, &mut own);
            run.expect("a run").seconds
        },
        || loops::matrix_product(&a, &b, &mut c, n),
    );
    let x = numbers(1_000_000);
    let mut own = vec![0; 256];
    measure(
        "histogram",
        || {
            let run = histogram_scheme::histogram_scheme(1_000_000, 256, &x, &mut own);
            run.expect("a run").seconds
        },
        || {
            std::hint::black_box(loops::histogram(&x, 256));
        },
    );
    let (n, l) = (20_000, 64);
    let key = numbers(n * l);
    let (mut own, mut own_place) = (vec![0.0; n * l], vec![0; n * l]);
    let (mut sorted, mut place) = (vec![0.0; n * l], vec![0; n * l]);
    measure(
        "rank_sort",
        || {
            let run = rank_sort_of_many_short_arrays::rank_sort_of_many_short_arrays(
                n as i32,
                l as i32,
                &key,
                &mut own,
                &mut own_place,
            );
            run.expect("a run").seconds
        },
        || loops::rank_sort(&key, &mut sorted, &mut place, l),
    );
    let n = 1024;
    let (a, x) = (numbers(n * n), numbers(n));
    let (mut own, mut y) = (vec![0.0; n], vec![0.0; n]);
    let (mut reals, mut above) = ([0.0; 4], 0);
    measure(
        "sums",
        || {
            let [squares, sum, most, least] = &mut reals;
            let size = n as i32;
            let run = sums_scheme::sums_scheme(
                size, size, &a, &x, &mut own, squares, sum, most, least, &mut above,
            );
            run.expect("a run").seconds
        },
        || {
            loops::row_sums(&a, &x, &mut y);
            std::hint::black_box(loops::totals(&a));
        },
    );
    let plain = loops::totals(&a);
    let same = [(reals[0], plain.0), (reals[1], plain.1)];
    assert!(same.iter().all(|(a, b)| (a - b).abs() < 1e-3 * b.abs()));
    assert_eq!((reals[2], reals[3], above), (plain.2, plain.3, plain.4));
}
