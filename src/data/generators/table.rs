//! The table of generators.

use super::options::Options;
use super::system::Bodies;
use super::{figure_eight, kepler, lattice, plummer, uniform};
use crate::data::DataError;

/// A generator of initial conditions.
pub struct Generator {
    /// The name in `DEFAULT INPUT "name"` and at the command line.
    pub name: &'static str,
    /// One line on what it makes.
    pub about: &'static str,
    /// What else a reader of the manual should know; whole sentences.
    pub details: &'static str,
    /// The arrays it makes, in order.
    pub arrays: &'static [ArrayInfo],
    /// Its options.
    pub options: &'static [OptionInfo],
    /// The numbers of bodies it can make.
    pub size: Size,
    /// Makes the bodies.
    pub(super) make: fn(usize, &Options) -> Result<Bodies, DataError>,
}

/// An array that a generator makes.
pub struct ArrayInfo {
    /// Its name, which a scheme may change.
    pub name: &'static str,
    /// Numbers to a body: 1 for a scalar, 3 for a VECTOR.
    pub width: usize,
    /// What it holds.
    pub meaning: &'static str,
}

/// An option of a generator: a number with a default.
pub struct OptionInfo {
    /// Its name.
    pub name: &'static str,
    /// Its value if it is not given.
    pub default: f64,
    /// What it sets.
    pub meaning: &'static str,
    /// The least value.
    pub least: f64,
    /// Whether `least` itself is left out.
    pub above: bool,
    /// The bound above, which is itself left out; infinity for none.
    pub below: f64,
    /// Whether it must be a whole number.
    pub whole: bool,
}

impl OptionInfo {
    /// The range in words.
    pub fn range(&self) -> String {
        let kind = if self.whole {
            "a whole number"
        } else {
            "a number"
        };
        let from = match (self.above, self.least) {
            (true, least) => format!("above {least}"),
            (false, least) => format!("of at least {least}"),
        };
        match self.below {
            b if b == f64::INFINITY => format!("{kind} {from}"),
            b => format!("{kind} {from} and below {b}"),
        }
    }
}

/// The numbers of bodies that a generator can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// This number alone.
    Exactly(usize),
    /// This number and more.
    AtLeast(usize),
}

impl Size {
    /// In words.
    pub fn rule(self) -> String {
        match self {
            Size::Exactly(n) => format!("exactly {n}"),
            Size::AtLeast(n) => format!("{n} or more"),
        }
    }

    pub(super) fn check(self, generator: &'static str, n: usize) -> Result<(), DataError> {
        let fits = match self {
            Size::Exactly(only) => n == only,
            Size::AtLeast(least) => n >= least,
        };
        if fits {
            return Ok(());
        }
        let rule = format!("it makes {}", self.rule());
        Err(DataError::Size { generator, n, rule })
    }
}

const BODIES: &[ArrayInfo] = &[
    ArrayInfo {
        name: "m",
        width: 1,
        meaning: "masses",
    },
    ArrayInfo {
        name: "r",
        width: 3,
        meaning: "positions",
    },
    ArrayInfo {
        name: "v",
        width: 3,
        meaning: "velocities",
    },
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
        size: Size::AtLeast(1),
        make: plummer::make,
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
        size: Size::AtLeast(1),
        make: uniform::make,
    },
    Generator {
        name: "lattice",
        about: "a grid of 16 × 16 × n/256 points with velocities of length 1",
        details: "Body i stands at (i mod 16, i/16 mod 16, i/256) times the spacing, so that an n \
                  that is no multiple of 256 leaves the last layer unfinished. Masses are 1/n; \
                  velocities have length 1 and random directions.",
        arrays: BODIES,
        options: &[SEED, above_zero("spacing", 1.0, "distance of neighbours")],
        size: Size::AtLeast(1),
        make: lattice::make,
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
        size: Size::Exactly(2),
        make: kepler::make,
    },
    Generator {
        name: "figure-eight",
        about: "three bodies of mass 1 that follow each other along an eight",
        details: "G = 1; the orbit of Chenciner and Montgomery (2000) with Simó's numbers. The \
                  period is 6.32591398, the energy −1.28714199, the angular momentum 0; after a \
                  third of the period the bodies have changed places.",
        arrays: BODIES,
        options: &[],
        size: Size::Exactly(3),
        make: figure_eight::make,
    },
];
