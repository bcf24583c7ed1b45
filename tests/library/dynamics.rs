//! The dynamics of clusters beside formulas that share nothing with the scheme.

use super::{Ran, run};
use glushkov::data::generate;

/// A run in 64-bit floats on the reference machine.
fn ran(settings: &[&str]) -> Ran {
    run("clusters", "interpreter", "sequential", "f64", settings)
}

/// Masses in eV ps² / nm² by kind: of uranium and oxygen.
const MASS: [f64; 2] = [238.02891, 15.9994];
const UNIT: f64 = 0.010_364_269_7;

fn vectors(numbers: &[f64]) -> Vec<[f64; 3]> {
    numbers.as_chunks::<3>().0.to_vec()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        a[l] * b[m] - a[m] * b[l]
    })
}

/// Energy of two ions by their kinds and distance: charges of 2.74492 and -1.37246, with the short-range law.
fn pair_energy(a: i32, b: i32, distance: f64) -> f64 {
    let charge = |kind: i32| [2.74492, -1.37246][kind as usize];
    let short = match a + b {
        0 => 0.0,
        1 => 873.107 * (-27.8386 * distance).exp(),
        _ => 50_211.7 * (-55.2 * distance).exp() - 74.7961e-6 / distance.powi(6),
    };
    1.439_964_48 * charge(a) * charge(b) / distance + short
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// The energy of all pairs of which one is among `some`.
fn energy(r: &[[f64; 3]], kind: &[i32], some: std::ops::Range<usize>) -> f64 {
    let pairs = (0..r.len()).flat_map(|i| (0..i).map(move |s| (i, s)));
    let of = pairs.filter(|(i, s)| some.contains(i) || some.contains(s));
    of.map(|(i, s)| pair_energy(kind[i], kind[s], distance(r[i], r[s])))
        .sum()
}

#[test]
fn forces_are_gradients_of_the_reported_energy() {
    let n = 40;
    let start = ran(&["N=40", "FRAMES=0"]);
    let r = vectors(&start.numbers("r"));
    let kind: Vec<i32> = start.numbers("kind").iter().map(|&k| k as i32).collect();
    let told = start.report("kinetic, potential and total energy, eV");
    let whole = energy(&r, &kind, 0..n);
    assert!(
        (told[0][1] - whole).abs() < 1e-5 * whole.abs(),
        "{told:?} is not {whole}"
    );
    let h = 1e-5;
    for (at, &force) in start.numbers("f").iter().enumerate() {
        let moved = |by: f64| {
            let mut moved = r.clone();
            moved[at / 3][at % 3] += by;
            energy(&moved, &kind, at / 3..at / 3 + 1)
        };
        let expected = (moved(-h) - moved(h)) / (2.0 * h);
        assert!(
            (force - expected).abs() < 1e-3 + 1e-5 * expected.abs(),
            "{at}: {force} is not {expected}"
        );
    }
}

/// Half the step leaves a quarter of the error: the method is of second order.
#[test]
fn the_method_is_of_second_order() {
    let at = |dt: &str, steps: &str| {
        let settings = ["N=24", "FRAMES=1", "ROUNDS=1", dt, steps];
        ran(&settings).numbers("r")
    };
    let runs = [
        at("dt=0.002", "STEPS=8"),
        at("dt=0.001", "STEPS=16"),
        at("dt=0.0005", "STEPS=32"),
    ];
    let apart = |a: &[f64], b: &[f64]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(x, y)| (x - y).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let ratio = apart(&runs[0], &runs[1]) / apart(&runs[1], &runs[2]);
    assert!((3.5..4.6).contains(&ratio), "{ratio}");
}

/// Positions of both methods are the same up to the third power of the step; velocities of Beeman's are better.
#[test]
fn beeman_keeps_the_energy_better() {
    let at = |beeman: &str| {
        ran(&[
            "N=24",
            "FRAMES=1",
            "ROUNDS=1",
            "STEPS=20",
            "dt=0.0004",
            beeman,
        ])
    };
    let (verlet, beeman) = (at("BEEMAN=0"), at("BEEMAN=1"));
    let drift = |run: &Ran| {
        let told = run.report("total energy before its correction, eV");
        (told[1][0] / told[0][0] - 1.0).abs()
    };
    assert!(
        drift(&beeman) < 0.5 * drift(&verlet),
        "{} beside {}",
        drift(&beeman),
        drift(&verlet)
    );
    let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-7;
    let (a, b) = (verlet.numbers("r"), beeman.numbers("r"));
    assert!(a != b && !a.iter().zip(&b).any(far), "{a:?} {b:?}");
}

#[test]
fn corrections_leave_no_motion_and_the_first_energy() {
    let end = ran(&["N=48", "FRAMES=1", "ROUNDS=3", "STEPS=4"]);
    let (r, v) = (vectors(&end.numbers("r")), vectors(&end.numbers("v")));
    let kind: Vec<i32> = end.numbers("kind").iter().map(|&k| k as i32).collect();
    let (mut momentum, mut angular, mut kinetic, mut size) = ([0.0; 3], [0.0; 3], 0.0, 0.0);
    for ((r, v), &kind) in r.iter().zip(&v).zip(&kind) {
        let m = MASS[kind as usize] * UNIT;
        let turned = cross(*r, *v);
        for k in 0..3 {
            momentum[k] += m * v[k];
            angular[k] += m * turned[k];
            kinetic += m * v[k] * v[k] / 2.0;
            size += m * v[k].abs();
        }
    }
    assert!(size > 1e-3, "ions move");
    for x in momentum.iter().chain(&angular) {
        // Masses have nine digits there.
        assert!(
            x.abs() < 1e-6 * size,
            "{momentum:?} {angular:?} beside {size}"
        );
    }
    let told = end.report("kinetic, potential and total energy, eV");
    let (first, last) = (&told[0], &told[told.len() - 1]);
    assert!(
        (first[2] - last[2]).abs() < 1e-11 * first[2].abs(),
        "{told:?}"
    );
    assert!(
        (last[0] - kinetic).abs() < 1e-7 * kinetic,
        "{kinetic} is not {last:?}"
    );
    let n = 48.0;
    let temperature = end.report("temperature, K");
    let expected = 2.0 * kinetic / (3.0 * n * 8.617_333_262e-5);
    assert!(
        (temperature[1][0] - expected).abs() < 1e-6 * expected,
        "{temperature:?}"
    );
}

/// With half of the ions of three faces on the other side, a cube of whole cells has no dipole moment.
#[test]
fn a_balanced_cube_has_no_dipole() {
    let moment = |balanced: f64| {
        let options = [("edge".to_owned(), 1.0), ("balanced".to_owned(), balanced)];
        let arrays = generate("fluorite", 12 * 27, &options).expect("it is made");
        let of = |name: &str| {
            arrays
                .iter()
                .find(|(n, _)| n == name)
                .expect("an array")
                .1
                .to_f64s()
        };
        let (r, q) = (vectors(&of("r")), of("q"));
        let sum = [0, 1, 2].map(|k| r.iter().zip(&q).map(|(r, q)| r[k] * q).sum::<f64>());
        sum.map(|x| x / (12.0 * 27.0))
    };
    let (plain, balanced) = (moment(0.0), moment(1.0));
    for k in 0..3 {
        assert!(plain[k] < -0.3, "{plain:?}");
        assert!(balanced[k].abs() < 1e-12, "{balanced:?}");
    }
}
