//! Results of the library beside formulas and programs that share nothing with the schemes.

use super::{Ran, identical_outputs, run};
use glushkov::data::{Array, generate};
use glushkov::toolchain::testing::building;

/// A run in 64-bit floats on the reference machine.
fn ran(name: &str, settings: &[&str]) -> Ran {
    run(name, "interpreter", "sequential", "f64", settings)
}

/// What a generator makes.
fn made(generator: &str, n: usize, options: &[(&str, f64)]) -> Vec<Array> {
    let options: Vec<(String, f64)> = options.iter().map(|&(k, v)| (k.into(), v)).collect();
    let arrays = generate(generator, n, &options).expect("it is made");
    arrays.into_iter().map(|(_, array)| array).collect()
}

fn vectors(array: &Array) -> Vec<[f64; 3]> {
    array.to_f64s().as_chunks::<3>().0.to_vec()
}

fn square_of_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum()
}

/// Numbers agree within a part of the greatest.
fn close(found: &[f64], expected: &[f64], part: f64) {
    assert_eq!(found.len(), expected.len());
    let greatest = expected.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= part * greatest, "{i}: {a} is not {b}");
    }
}

/// The force is minus the gradient of the pair energies, taken by central differences.
#[test]
fn forces_are_gradients_of_energies() {
    let n = 40;
    let made = made("fluorite", n, &[("seed", 1.0)]);
    let (r, kind) = (vectors(&made[0]), made[1].to_f64s());
    let table = |kinds: usize| match kinds {
        0 => (23.04, 0.2, 9.3),
        1 => (-11.52, 0.19, 9.1),
        _ => (5.76, 0.18, 8.7),
    };
    // The force along a pair is d (c / d³ + (b / d)^k): the energy's derivative is -(c / d² + …).
    let energy = |r: &[[f64; 3]], i: usize| -> f64 {
        let others = (0..n).filter(|&s| s != i);
        others
            .map(|s| {
                let (c, b, k) = table((kind[i] + kind[s]) as usize);
                let d = square_of_distance(r[i], r[s]).sqrt();
                c / d + f64::powf(b, k) * d.powf(2.0 - k) / (k - 2.0)
            })
            .sum()
    };
    let h = 1e-5;
    let mut expected = Vec::new();
    for i in 0..n {
        for axis in 0..3 {
            let moved = |by: f64| {
                let mut moved = r.clone();
                moved[i][axis] += by;
                energy(&moved, i)
            };
            expected.push((moved(-h) - moved(h)) / (2.0 * h));
        }
    }
    for scheme in ["coulomb", "coulomb_triangle"] {
        close(&ran(scheme, &["N=40"]).numbers("f"), &expected, 1e-7);
    }
}

#[test]
fn sorted_arrays_are_sorted_permutations() {
    let ran = ran("rank_sort", &["N=7", "L=29"]);
    let (sorted, place) = (ran.numbers("sorted"), ran.numbers("place"));
    let key = made("random", 7 * 29, &[("seed", 1.0)])[0].to_f64s();
    for a in 0..7 {
        let row = a * 29..(a + 1) * 29;
        let mut expected = key[row.clone()].to_vec();
        expected.sort_by(f64::total_cmp);
        assert_eq!(sorted[row.clone()], expected);
        for i in row {
            assert_eq!(sorted[i], key[a * 29 + place[i] as usize]);
        }
    }
    assert_eq!(ran.report("out of order"), [[0.0]]);
}

/// Freivalds' check with another vector than the scheme's own, and one cell by hand.
#[test]
fn a_product_acts_like_its_factors_in_turn() {
    let (n, k, m) = (9, 14, 11);
    let ran = ran("matrix_product", &["N=9", "K=14", "M=11"]);
    let c = ran.numbers("C");
    let a = made("random", n * k, &[("seed", 1.0), ("low", -1.0)])[0].to_f64s();
    let b = made("random", k * m, &[("seed", 2.0), ("low", -1.0)])[0].to_f64s();
    let x: Vec<f64> = (0..m).map(|j| (j as f64).cos()).collect();
    let times = |matrix: &[f64], x: &[f64]| -> Vec<f64> {
        let rows = matrix.chunks(x.len());
        rows.map(|row| row.iter().zip(x).map(|(p, q)| p * q).sum())
            .collect()
    };
    close(&times(&c, &x), &times(&a, &times(&b, &x)), 1e-13);
    let report = ran.report("sum of cells");
    close(&report[0][..1], &report[0][1..], 1e-12);
}

#[test]
fn heat_decays_like_a_half_wave() {
    let ran = ran("heat", &["N=17", "M=12", "STEPS=40"]);
    assert!(ran.report("largest difference")[0][0] < 1e-14);
    // The centre is as hot as the formula says, and not at its first value.
    let (u, pi) = (ran.numbers("u"), std::f64::consts::PI);
    let factor = 1.0 - 0.4 * (2.0 - (pi / 16.0).cos() - (pi / 11.0).cos());
    let expected = factor.powi(80) * (pi * 5.0 / 11.0).sin();
    close(&[u[8 * 12 + 5]], &[expected], 1e-12);
    assert!(expected < 0.5);
}

#[test]
fn relaxation_finds_the_harmonic_function() {
    let ran = ran("relaxation", &["N=20", "SWEEPS=1500"]);
    assert!(ran.report("largest difference")[0][0] < 1e-12);
}

#[test]
fn a_histogram_counts() {
    let ran = ran("histogram", &["N=5000", "BINS=16"]);
    let mut expected = vec![0.0; 16];
    for x in made("random", 5000, &[("seed", 1.0)])[0].to_f64s() {
        expected[(x * 16.0) as usize] += 1.0;
    }
    assert_eq!(ran.numbers("count"), expected);
}

/// On a lattice far finer than the smoothing length the density is the mean density, since the
/// kernel's integral is 1; here in the middle of a cube of 16³ points.
#[test]
fn the_smoothing_kernel_has_integral_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = building(env!("CARGO_BIN_EXE_glushkov"));
    command.args(["run", "density", "--data", "lattice", "--set", "N=4096"]);
    command.args([
        "--set",
        "h=2",
        "--target",
        "rust",
        "--no-compare",
        "--precision",
        "f64",
    ]);
    command.arg("--out").arg(folder.path());
    assert!(command.output().expect("it runs").status.success());
    let density = glushkov::data::read_npy(&folder.path().join("density.npy")).expect("an array");
    let middle = density.to_f64s()[8 * 256 + 8 * 16 + 8];
    // Mass 1/4096 on each point of a lattice of spacing 1.
    assert!((middle * 4096.0 - 1.0).abs() < 2e-3, "{middle}");
}

#[test]
fn neighbours_are_counted() {
    let ran = ran("density", &["N=300", "h=0.1"]);
    let r = vectors(&made("uniform", 300, &[("seed", 1.0)])[1]);
    let near = |a: &[f64; 3]| {
        r.iter()
            .filter(|b| square_of_distance(*a, **b) < 0.04)
            .count()
    };
    let expected: Vec<f64> = r.iter().map(|a| near(a) as f64).collect();
    assert_eq!(ran.numbers("neighbours"), expected);
}

/// Madelung's energy of fluorite, and forces that are gradients of the reciprocal energy.
#[test]
fn the_ewald_sum_gives_the_energy_of_the_crystal() {
    let options = &["N=96", "edge=2", "alpha=2.8", "SIDE=6"];
    let ran = ran("ewald", options);
    let whole = ran.report("reciprocal energy, whole energy a formula unit")[0][1];
    assert!((whole + 46.5463).abs() < 0.02, "{whole}");
    // In the crystal no ion is pulled anywhere.
    assert!(ran.numbers("f").iter().all(|f| f.abs() < 1e-9));
}

#[test]
fn the_reciprocal_force_is_a_gradient() {
    // Six ions, displaced; the energy by complex sums over all wave vectors.
    let n = 6;
    let settings = &["N=6", "edge=1", "alpha=3", "SIDE=2"];
    let found = ran("ewald", settings).numbers("f");
    let made = made("fluorite", n, &[("edge", 1.0)]);
    let (r, q) = (vectors(&made[0]), made[2].to_f64s());
    let energy = |r: &[[f64; 3]]| -> f64 {
        let mut sum = 0.0;
        let tau = std::f64::consts::TAU;
        for code in 0..125 {
            let k = [code % 5, code / 5 % 5, code / 25].map(|c| tau * (c as f64 - 2.0));
            let k2: f64 = k.iter().map(|c| c * c).sum();
            if k2 == 0.0 {
                continue;
            }
            let phase = |x: &[f64; 3]| k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
            let re: f64 = r.iter().zip(&q).map(|(x, q)| q * phase(x).cos()).sum();
            let im: f64 = r.iter().zip(&q).map(|(x, q)| q * phase(x).sin()).sum();
            sum += 0.5 * 2.0 * tau * (-k2 / 36.0).exp() / k2 * (re * re + im * im);
        }
        sum
    };
    let h = 1e-5;
    let mut expected = Vec::new();
    for i in 0..n {
        for axis in 0..3 {
            let moved = |by: f64| {
                let mut moved = r.clone();
                moved[i][axis] += by;
                energy(&moved)
            };
            expected.push((moved(-h) - moved(h)) / (2.0 * h));
        }
    }
    let greatest = expected.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    assert!(greatest > 0.1, "the ions feel each other");
    close(&found, &expected, 1e-6);
}

/// Lloyd's method from the same start, written with sums by label.
#[test]
fn clusters_are_those_of_lloyd() {
    let (n, k) = (200, 4);
    let ran = ran("kmeans", &["N=200", "K=4", "ROUNDS=5", "PARTS=7"]);
    let p = vectors(&made("clusters", n, &[("clusters", 8.0), ("seed", 1.0)])[0]);
    let mut centres: Vec<[f64; 3]> = p[..k].to_vec();
    let mut label = vec![0; n];
    let mut costs = Vec::new();
    for _ in 0..5 {
        let mut cost = 0.0;
        let mut sums = vec![([0.0; 3], 0.0); k];
        for (i, point) in p.iter().enumerate() {
            let far = |c: &usize| square_of_distance(*point, centres[*c]);
            label[i] = (0..k).min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(0);
            cost += far(&label[i]);
            let (sum, count) = &mut sums[label[i]];
            (0..3).for_each(|axis| sum[axis] += point[axis]);
            *count += 1.0;
        }
        costs.push(cost);
        for (centre, (sum, count)) in centres.iter_mut().zip(&sums) {
            if *count > 0.0 {
                *centre = sum.map(|x| x / count);
            }
        }
    }
    assert_eq!(
        ran.numbers("label"),
        label.iter().map(|&l| l as f64).collect::<Vec<_>>()
    );
    close(&ran.numbers("centre"), centres.as_flattened(), 1e-13);
    let reported: Vec<f64> = ran.report("cost").into_iter().map(|row| row[0]).collect();
    close(&reported, &costs, 1e-13);
    assert!(costs.is_sorted_by(|a, b| a >= b));
}

#[test]
fn conjugate_gradients_solve() {
    let ran = ran(
        "conjugate_gradients",
        &["N=150", "MOST=80", "tolerance=1e-13"],
    );
    let x = ran.numbers("x");
    close(&x, &vec![1.0; 150], 1e-11);
}

/// A queue finds the same levels.
#[test]
fn levels_are_those_of_a_queue() {
    let n = 500;
    let ran = ran("levels", &["N=500", "DEGREE=2"]);
    let made = made("graph", n, &[("degree", 2.0), ("seed", 1.0)]);
    let (first, neighbour) = (made[0].to_f64s(), made[1].to_f64s());
    let mut level = vec![-1.0; n];
    level[0] = 0.0;
    let mut queue = std::collections::VecDeque::from([0usize]);
    while let Some(i) = queue.pop_front() {
        for &other in &neighbour[first[i] as usize..first[i + 1] as usize] {
            let other = other as usize;
            if level[other] < 0.0 {
                level[other] = level[i] + 1.0;
                queue.push_back(other);
            }
        }
    }
    assert_eq!(ran.numbers("level"), level);
    assert!(level.iter().any(|&l| l > 3.0) && level.contains(&-1.0));
}

/// The main cardioid and the circle to its left belong to the set, the outside leaves at once.
#[test]
fn the_set_has_its_known_parts() {
    let n = 60;
    let steps = ran("mandelbrot", &["N=60", "MOST=300"]).numbers("steps");
    let mut seen = [0; 3];
    for row in 0..n {
        for column in 0..n {
            let x = -2.25 + 3.0 * (column as f64 + 0.5) / n as f64;
            let y = -1.5 + 3.0 * (row as f64 + 0.5) / n as f64;
            let q = (x - 0.25) * (x - 0.25) + y * y;
            let cardioid = q * (q + x - 0.25) < 0.25 * y * y;
            let circle = (x + 1.0) * (x + 1.0) + y * y < 1.0 / 16.0;
            let count = steps[row * n + column];
            if cardioid || circle {
                assert_eq!(count, 300.0, "{x} {y}");
                seen[usize::from(circle)] += 1;
            } else if x * x + y * y > 4.0 {
                assert_eq!(count, 1.0, "{x} {y}");
                seen[2] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&s| s > 10), "{seen:?}");
}

/// Whole numbers have exact sums.
#[test]
fn prefix_sums_of_the_generator() {
    let s = ran("prefix_sum", &["N=100"]).numbers("s");
    let mut sum = 0.0;
    for (x, s) in made("random", 100, &[("seed", 1.0)])[0]
        .to_f64s()
        .iter()
        .zip(s)
    {
        sum += x;
        assert_eq!(s, sum);
    }
}

/// The Ukrainian twin gives the same bytes.
#[test]
fn two_languages_one_result() {
    let run = |name| ran(name, &["N=20", "STEPS=3"]);
    assert!(identical_outputs(&run("hermite"), &run("hermite_uk")));
}
