//! The table of generators.

use super::generator::{ArrayInfo, Extent, Factor, Generator, Kind, OptionInfo, Size};
use super::{
    clusters, figure_eight, fluorite, graph, kepler, lattice, numbers, plummer, poisson, uniform,
};

/// A row for an array of n cells.
const fn array(name: &'static str, kind: Kind, meaning: &'static str) -> ArrayInfo {
    ArrayInfo {
        name,
        kind,
        extent: Extent::One,
        meaning,
    }
}

const BODIES: &[ArrayInfo] = &[
    array("m", Kind::Real, "masses"),
    array("r", Kind::Vector, "positions"),
    array("v", Kind::Vector, "velocities"),
];

const SEED: OptionInfo = OptionInfo {
    name: "seed",
    default: 1.0,
    meaning: "starts the random numbers",
    least: 0.0,
    above: false,
    below: 9007199254740992.0,
    whole: true,
};

const fn at_least(
    name: &'static str,
    default: f64,
    least: f64,
    whole: bool,
    meaning: &'static str,
) -> OptionInfo {
    OptionInfo {
        name,
        default,
        meaning,
        least,
        above: false,
        below: f64::INFINITY,
        whole,
    }
}

const fn above_zero(name: &'static str, default: f64, meaning: &'static str) -> OptionInfo {
    OptionInfo {
        name,
        default,
        meaning,
        least: 0.0,
        above: true,
        below: f64::INFINITY,
        whole: false,
    }
}

/// The generators, in the order of the manual.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "plummer",
        about: "a Plummer sphere in equilibrium, in N-body units",
        details: "G = M = 1, equal masses 1/n, virial radius 1, scale radius 3π/16, kinetic energy \
                  1/4, potential energy −1/2; the centre of mass rests at the origin. Sampled after \
                  Aarseth, Hénon and Wielen (1974), then scaled: velocities so that the kinetic \
                  energy is 1/4 for any n above 1; positions so that the potential energy is −1/2 \
                  for n up to 20000, beyond which it is −1/2 up to the scatter of sampling, about \
                  1/√n. One body rests at the origin.",
        arrays: BODIES,
        options: &[
            SEED,
            OptionInfo {
                name: "cutoff",
                default: 10.0,
                meaning: "no body is farther out than this, before scaling; in virial radii",
                least: 0.01,
                above: false,
                below: f64::INFINITY,
                whole: false,
            },
        ],
        counted: "bodies",
        size: Size::AtLeast(1),
        make: |n, options| plummer::make(n, options)?.arrays(),
    },
    Generator {
        name: "uniform",
        about: "bodies at random in a cube or a ball",
        details: "Masses are 1/n. Positions are uniform in a cube or a ball about the origin, \
                  velocities uniform in a ball (all zero by default). Nothing is in equilibrium.",
        arrays: BODIES,
        options: &[
            SEED,
            above_zero("size", 1.0, "edge of the cube, or radius of the ball"),
            OptionInfo {
                name: "ball",
                default: 0.0,
                meaning: "1 for a ball, 0 for a cube",
                least: 0.0,
                above: false,
                below: 2.0,
                whole: true,
            },
            OptionInfo {
                name: "speed",
                default: 0.0,
                meaning: "greatest speed",
                least: 0.0,
                above: false,
                below: f64::INFINITY,
                whole: false,
            },
        ],
        counted: "bodies",
        size: Size::AtLeast(1),
        make: |n, options| uniform::make(n, options)?.arrays(),
    },
    Generator {
        name: "lattice",
        about: "a grid of 16 × 16 × n/256 points with velocities of length 1",
        details: "Body i stands at (i mod 16, i/16 mod 16, i/256) times the spacing, so that an n \
                  that is not a multiple of 256 leaves the last layer unfinished. Masses are 1/n; \
                  velocities have length 1 and random directions.",
        arrays: BODIES,
        options: &[SEED, above_zero("spacing", 1.0, "distance of neighbours")],
        counted: "bodies",
        size: Size::AtLeast(1),
        make: |n, options| lattice::make(n, options)?.arrays(),
    },
    Generator {
        name: "kepler",
        about: "two bodies of mass 1/2 on an elliptic orbit, starting at the pericentre",
        details: "G = M = 1; the orbit lies in the plane z = 0 with its long axis along x, the \
                  centre of mass rests at the origin. The period is 2π·a^(3/2), which is 2π by \
                  default; the energy is −1/(8a). At first the bodies are at their \
                  pericentre, a(1 − e) apart; in half a period they are a(1 + e) apart.",
        arrays: BODIES,
        options: &[
            OptionInfo {
                name: "e",
                default: 0.5,
                meaning: "eccentricity",
                least: 0.0,
                above: false,
                below: 1.0,
                whole: false,
            },
            above_zero("a", 1.0, "semi-major axis of the relative orbit"),
        ],
        counted: "bodies",
        size: Size::Exactly(2),
        make: |n, options| kepler::make(n, options)?.arrays(),
    },
    Generator {
        name: "figure-eight",
        about: "three bodies of mass 1 that follow each other along an eight",
        details: "G = 1; the orbit of Chenciner and Montgomery (2000) with Simó's numbers. The \
                  period is 6.32591398, the energy −1.28714199, the angular momentum 0; after a \
                  third of the period the bodies have changed places.",
        arrays: BODIES,
        options: &[],
        counted: "bodies",
        size: Size::Exactly(3),
        make: |n, options| figure_eight::make(n, options)?.arrays(),
    },
    Generator {
        name: "fluorite",
        about: "the ions of a fluorite crystal, such as UO2, 12 to a cubic cell",
        details: "Cells fill a cube of k × k × k cells with the least k that has room for n ions, \
                  one after the other; an n below 12 k³ leaves the last ones unfinished. The four \
                  ions of kind 0 stand on the corners and the faces of a cell, the eight of kind 1 \
                  at its quarter points. The cube begins at the origin; `displacement` moves every \
                  ion at random by up to so much along each axis. A cube of whole cells has a \
                  layer of one kind on its lower faces and of the other on its upper ones; with \
                  `balanced`, half of the lower layers, the ions in the middle of cells' faces, \
                  stand on the upper faces.",
        arrays: &[
            array("r", Kind::Vector, "positions"),
            array("kind", Kind::Integer, "0 and 1 for the two kinds of ions"),
            array("q", Kind::Real, "charges: 4 for kind 0, -2 for kind 1"),
        ],
        options: &[
            SEED,
            above_zero("edge", 0.547, "edge of a cell"),
            at_least(
                "displacement",
                0.0,
                0.0,
                false,
                "greatest displacement along an axis",
            ),
            OptionInfo {
                name: "balanced",
                default: 0.0,
                meaning: "1 for a cube without a dipole moment",
                least: 0.0,
                above: false,
                below: 2.0,
                whole: true,
            },
        ],
        counted: "ions",
        size: Size::AtLeast(1),
        make: fluorite::make,
    },
    Generator {
        name: "random",
        about: "an array of random numbers of any shape",
        details: "Numbers are uniform from `low` to below `high`; with `whole`, integers.",
        arrays: &[ArrayInfo {
            name: "x",
            kind: Kind::Real,
            extent: Extent::Declared,
            meaning: "the numbers",
        }],
        options: &[
            SEED,
            at_least("low", 0.0, f64::NEG_INFINITY, false, "the least number"),
            at_least(
                "high",
                1.0,
                f64::NEG_INFINITY,
                false,
                "what all numbers are below",
            ),
            OptionInfo {
                name: "whole",
                default: 0.0,
                meaning: "1 for integers",
                least: 0.0,
                above: false,
                below: 2.0,
                whole: true,
            },
        ],
        counted: "numbers",
        size: Size::AtLeast(0),
        make: numbers::make,
    },
    Generator {
        name: "clusters",
        about: "points in clusters about random centres",
        details: "Centres are uniform in the unit cube; point i belongs to centre i mod `clusters`, \
                  and stands at most `spread` from it, uniform in a ball.",
        arrays: &[
            array("r", Kind::Vector, "points"),
            array(
                "cluster",
                Kind::Integer,
                "the number of each point's centre",
            ),
        ],
        options: &[
            SEED,
            at_least("clusters", 8.0, 1.0, true, "number of centres"),
            at_least("spread", 0.1, 0.0, false, "greatest distance from a centre"),
        ],
        counted: "points",
        size: Size::AtLeast(1),
        make: clusters::make,
    },
    Generator {
        name: "poisson",
        about: "the sparse matrix of Poisson's equation on a square grid",
        details: "The five-point Laplacian with zero rim, 4 on the diagonal and -1 beside it, of n \
                  grid points taken row by row from a grid of width ⌈√n⌉; symmetric and positive \
                  definite. The columns and values of row i stand at first[i] … first[i + 1] - 1, in \
                  ascending order; what is left of the 5 n places holds zeros.",
        arrays: &[
            ArrayInfo {
                name: "first",
                kind: Kind::Integer,
                extent: Extent::Starts,
                meaning: "where each row starts",
            },
            ArrayInfo {
                name: "column",
                kind: Kind::Integer,
                extent: Extent::Several("[5 n]", Factor::Number(5)),
                meaning: "columns",
            },
            ArrayInfo {
                name: "value",
                kind: Kind::Real,
                extent: Extent::Several("[5 n]", Factor::Number(5)),
                meaning: "values",
            },
        ],
        options: &[],
        counted: "rows",
        size: Size::AtLeast(1),
        make: poisson::make,
    },
    Generator {
        name: "graph",
        about: "a random graph by lists of neighbours",
        details: "⌊n · degree / 2⌋ times two vertices are drawn and joined; loops and repeated \
                  edges are kept. An edge stands with both its ends. The neighbours of vertex i \
                  stand at first[i] … first[i + 1] - 1; what is left of the places holds zeros.",
        arrays: &[
            ArrayInfo {
                name: "first",
                kind: Kind::Integer,
                extent: Extent::Starts,
                meaning: "where the neighbours of each vertex start",
            },
            ArrayInfo {
                name: "neighbour",
                kind: Kind::Integer,
                extent: Extent::Several("[degree · n]", Factor::Option("degree")),
                meaning: "neighbours",
            },
        ],
        options: &[
            SEED,
            at_least("degree", 8.0, 0.0, true, "mean number of neighbours"),
        ],
        counted: "vertices",
        size: Size::AtLeast(1),
        make: graph::make,
    },
];
