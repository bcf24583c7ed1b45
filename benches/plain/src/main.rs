//! Plain loops over the cores with rayon, at the library's default sizes: name, median seconds of
//! nine runs, least and greatest, work a second.

use plain::{loops, numbers};
use std::time::Instant;

const RUNS: usize = 9;

/// Runs a body nine times after a warm-up, and prints a row.
fn measure(name: &str, work: f64, mut body: impl FnMut()) {
    body();
    let mut seconds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            body();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!(
        "{name:<16}{median:>12.6}{:>12.6}{:>12.6}{:>12.3e}",
        seconds[0],
        seconds[RUNS - 1],
        work / median
    );
}

fn main() {
    println!(
        "{:<16}{:>12}{:>12}{:>12}{:>12}",
        "", "median s", "low", "high", "work/s"
    );
    let (n, steps) = (1024, 50);
    let (mut u, mut v) = (numbers(n * n), vec![0.0; n * n]);
    measure("heat", (2 * steps * n * n) as f64, || {
        for _ in 0..steps {
            loops::heat(&u, &mut v, n);
            loops::heat(&v, &mut u, n);
        }
    });
    let n = 512;
    let (a, b) = (numbers(n * n), numbers(n * n));
    let mut c = vec![0.0; n * n];
    measure("matrix_product", (n * n * n) as f64, || {
        loops::matrix_product(&a, &b, &mut c, n);
    });
    let x = numbers(1_000_000);
    measure("histogram", 1e6, || {
        std::hint::black_box(loops::histogram(&x, 256));
    });
    let (n, l) = (20_000, 64);
    let key = numbers(n * l);
    let (mut sorted, mut place) = (vec![0.0; n * l], vec![0; n * l]);
    measure("rank_sort", (n * l * l) as f64, || {
        loops::rank_sort(&key, &mut sorted, &mut place, l);
    });
    let n = 1024;
    let mut counts = vec![0; n * n];
    measure("mandelbrot", (n * n) as f64, || {
        loops::mandelbrot(&mut counts, n, 1000)
    });
    let n = 8192;
    let r: Vec<[f32; 3]> = numbers(3 * n).as_chunks::<3>().0.to_vec();
    let m = vec![1.0 / n as f32; n];
    let mut density = vec![0.0; n];
    measure("density", (n * n) as f64, || {
        loops::density(&m, &r, &mut density, 0.06)
    });
    let x = numbers(1_000_000);
    let mut s = vec![0.0; 1_000_000];
    measure("prefix_sum", 1e6, || loops::prefix_sum(&x, &mut s));
}
