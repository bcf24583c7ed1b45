use super::system::{Bodies, square};
use super::{Array, GENERATORS, Size, fixed_size, generate};
use crate::data::{DataError, Values, identical};

fn options(given: &[(&str, f64)]) -> Vec<(String, f64)> {
    given.iter().map(|&(n, v)| (n.to_string(), v)).collect()
}

/// The bodies that a generator makes.
fn bodies(name: &str, n: usize, given: &[(&str, f64)]) -> Bodies {
    let floats = |array: &Array| match array.values() {
        Values::F64(v) => v.clone(),
        other => panic!("values of type {}", other.elem().name()),
    };
    let vectors = |array: &Array| {
        assert_eq!(array.shape(), [n, 3]);
        floats(array).as_chunks::<3>().0.to_vec()
    };
    let arrays = generate(name, n, &options(given)).unwrap();
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["m", "r", "v"]);
    Bodies {
        m: floats(&arrays[0].1),
        r: vectors(&arrays[1].1),
        v: vectors(&arrays[2].1),
    }
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!(
        (a - b).abs() <= tolerance,
        "{a} is not {b} within {tolerance}"
    );
}

#[test]
fn a_plummer_sphere_is_in_equilibrium() {
    let system = bodies("plummer", 4096, &[]);
    close(system.kinetic(), 0.25, 1e-14);
    close(system.potential(), -0.5, 1e-12);
    let mut centre = [0.0; 6];
    for (m, (r, v)) in system.m.iter().zip(system.r.iter().zip(&system.v)) {
        for axis in 0..3 {
            centre[axis] += m * r[axis];
            centre[axis + 3] += m * v[axis];
        }
    }
    assert!(centre.iter().all(|c| c.abs() < 1e-14), "{centre:?}");
    // Without a cut-off the half-mass radius is 0.768571; the scatter at this size is 0.02.
    let mut radii: Vec<f64> = system.r.iter().map(|r| square(r).sqrt()).collect();
    radii.sort_by(f64::total_cmp);
    close(radii[2048], 0.768571, 0.03);
    assert!(radii[4095] < 12.0);
}

#[test]
fn a_plummer_sphere_too_large_to_sum_is_in_equilibrium_within_scatter() {
    let system = bodies("plummer", 20_001, &[("seed", 3.0)]);
    close(system.kinetic(), 0.25, 1e-13);
    close(system.potential(), -0.5, 0.01);
}

#[test]
fn small_spheres_are_possible() {
    let one = bodies("plummer", 1, &[]);
    assert_eq!((one.r[0], one.v[0], one.m[0]), ([0.0; 3], [0.0; 3], 1.0));
    let two = bodies("plummer", 2, &[("cutoff", 0.01)]);
    close(two.kinetic(), 0.25, 1e-15);
    close(two.potential(), -0.5, 1e-15);
}

#[test]
fn a_lattice_is_filled_layer_by_layer() {
    let system = bodies("lattice", 300, &[("spacing", 0.5)]);
    assert_eq!(system.r[0], [0.0, 0.0, 0.0]);
    assert_eq!(system.r[17], [0.5, 0.5, 0.0]);
    assert_eq!(system.r[299], [5.5, 1.0, 0.5]);
    assert!(system.v.iter().all(|v| (square(v) - 1.0).abs() < 1e-15));
    close(system.m.iter().sum(), 1.0, 1e-14);
}

#[test]
fn uniform_bodies_stay_within_their_bounds() {
    let cube = bodies("uniform", 1000, &[("size", 2.0)]);
    assert!(cube.r.iter().flatten().all(|x| x.abs() <= 1.0));
    assert!(cube.r.iter().flatten().any(|x| x.abs() > 0.99));
    assert!(cube.v.iter().flatten().all(|&x| x == 0.0));
    let ball = bodies("uniform", 1000, &[("ball", 1.0), ("speed", 3.0)]);
    assert!(ball.r.iter().all(|r| square(r) < 1.0));
    assert!(ball.v.iter().any(|v| square(v) > 6.0) && ball.v.iter().all(|v| square(v) < 9.0));
}

#[test]
fn two_bodies_have_the_energy_of_their_orbit() {
    for (e, a) in [(0.5, 1.0), (0.0, 2.0), (0.9, 0.25)] {
        let system = bodies("kepler", 2, &[("e", e), ("a", a)]);
        close(system.kinetic() + system.potential(), -0.125 / a, 1e-14);
    }
}

#[test]
fn the_eight_has_its_energy_and_no_momentum() {
    let system = bodies("figure-eight", 3, &[]);
    close(system.kinetic() + system.potential(), -1.28714199, 1e-8);
    for axis in 0..3 {
        close(system.v.iter().map(|v| v[axis]).sum(), 0.0, 1e-15);
    }
    assert_eq!(fixed_size("figure-eight"), Some(3));
    assert_eq!(fixed_size("kepler"), Some(2));
    assert_eq!(fixed_size("plummer"), None);
    assert_eq!(fixed_size("no such"), None);
}

#[test]
fn the_same_options_give_the_same_bytes() {
    for generator in GENERATORS {
        let n = match generator.size {
            Size::Exactly(n) => n,
            Size::AtLeast(_) => 100,
        };
        let (a, b) = (
            generate(generator.name, n, &[]),
            generate(generator.name, n, &[]),
        );
        for ((_, a), (_, b)) in a.unwrap().iter().zip(&b.unwrap()) {
            assert!(identical(a, b));
        }
    }
    let (a, b) = (
        bodies("plummer", 9, &[("seed", 1.0)]),
        bodies("plummer", 9, &[("seed", 2.0)]),
    );
    assert_ne!(a.r, b.r);
    assert_eq!(a.r, bodies("plummer", 9, &[]).r);
}

#[test]
fn first_values_do_not_change() {
    let first: Vec<[f64; 3]> = ["plummer", "uniform", "lattice"]
        .iter()
        .flat_map(|name| {
            let system = bodies(name, 4, &[("seed", 1.0)]);
            [system.r[0], system.v[0]]
        })
        .collect();
    let held: [[f64; 3]; 6] = [
        [
            -0.17455248411160487,
            -0.1682176656551503,
            -0.01295437600771223,
        ],
        [
            0.10234207493845578,
            -0.1091547995633804,
            -0.4166430394094312,
        ],
        [
            0.3398736585259249,
            -0.48270132496442864,
            -0.3860982897958334,
        ],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [
            0.9754999584640474,
            -0.06065518031604767,
            -0.21147288274733822,
        ],
    ];
    assert_eq!(first, held);
}

#[test]
fn mistakes_are_told() {
    let error = generate("plumer", 4, &[]).unwrap_err();
    assert!(
        error.hint().unwrap().contains("did you mean `plummer`?"),
        "{error:?}"
    );
    let error = generate("zebra", 4, &[]).unwrap_err();
    assert!(
        error
            .hint()
            .unwrap()
            .starts_with("known are: plummer, uniform"),
        "{error:?}"
    );
    let error = generate("plummer", 4, &options(&[("sed", 1.0)])).unwrap_err();
    assert!(error.hint().unwrap().contains("`seed`"), "{error:?}");
    let error = generate("figure-eight", 3, &options(&[("x", 1.0)])).unwrap_err();
    assert_eq!(error.hint().unwrap(), "it has no options");
    for (name, value) in [
        ("seed", 0.5),
        ("seed", -1.0),
        ("seed", f64::NAN),
        ("cutoff", 0.0),
    ] {
        let error = generate("plummer", 4, &options(&[(name, value)])).unwrap_err();
        assert!(matches!(error, DataError::OptionRange { .. }), "{error}");
    }
    assert!(generate("kepler", 2, &options(&[("e", 1.0)])).is_err());
    let error = generate("figure-eight", 4, &[]).unwrap_err();
    assert!(error.to_string().contains("exactly 3"), "{error}");
    assert!(generate("plummer", 0, &[]).is_err());
    assert!(generate("plummer", usize::MAX, &[]).is_err());
}
