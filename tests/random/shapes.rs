//! Random schemes of the shapes that array codes have: nests of two to four loops with several sums, minima and counts,
//! arrays of an iteration's own, loops with a condition, scalars from launch to launch, scatters and scans.

use super::{checked, count, run, shown};
use glushkov::check::Scheme;
use glushkov::derive::{derive, rule_base};
use glushkov::rewrite::Setting;
use glushkov::term::{Sources, Symbol};
use glushkov::toolchain::testing::two_at_a_time;
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

/// What an iteration starts with.
const START: &str = "LOCAL s : REAL := 0; LOCAL t : REAL := 0; LOCAL w : VECTOR := 0; LOCAL n : INTEGER := 0; \
    LOCAL at : INTEGER := -1; LOCAL least : REAL := 1000";

struct Maker {
    random: Pcg64,
}

impl Maker {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[(self.random.next_u64() % of.len() as u64) as usize]
    }

    /// Something that a pair of members gives.
    fn pair(&mut self) -> &'static str {
        self.pick(&[
            "a[i] * b[j]",
            "A[i, j] * b[j]",
            "A[i, j]",
            "1 / (1 + (a[i] - b[j]) * (a[i] - b[j]))",
            "dot(r[i], q[j])",
            "sqrt(1 + norm2(r[i] - q[j]))",
            "abs(a[i] - A[i, j])",
        ])
    }

    /// Something that one member gives.
    fn one(&mut self) -> &'static str {
        self.pick(&["a[i]", "a[i] * a[i]", "0.5 * a[i] + 1", "norm2(r[i])", "1"])
    }

    /// Bounds of the inner loop over j.
    fn inner(&mut self) -> &'static str {
        self.pick(&[
            "0 TO M - 1",
            "0 TO M - 1",
            "1 TO M - 2",
            "0 TO min(i, M - 1)",
            "c[i] TO M - 1",
        ])
    }

    /// Bounds of the outer loop over i.
    fn outer(&mut self) -> &'static str {
        self.pick(&["0 TO N - 1", "0 TO N - 1", "0 TO N - 1", "1 TO N - 2"])
    }

    /// What the inner loop gathers into s, t, w, n and where.
    fn gathers(&mut self) -> String {
        let all: Vec<String> = (0..1 + self.random.next_u64() % 3)
            .map(|_| {
                let e = self.pair();
                match self.random.next_u64() % 7 {
                    0 | 1 => format!("s := s + {e}"),
                    2 => format!("t := max(t, {e})"),
                    3 => format!("IF {e} > 0.5 THEN n := n + 1 END IF"),
                    4 => format!("IF {e} < least THEN least := {e}; at := j END IF"),
                    5 => "w := w + a[i] * q[j]".to_owned(),
                    _ => "n := n + j MOD 3".to_owned(),
                }
            })
            .collect();
        all.join("; ")
    }

    fn nest(&mut self) -> String {
        let (outer, inner) = (self.outer(), self.inner());
        match self.random.next_u64() % 13 {
            // Members with sums over others.
            0..=2 => {
                let gathers = self.gathers();
                format!(
                    "FOR (i FROM {outer}) LOOP {START}; FOR (j FROM {inner}) LOOP {gathers} END OF LOOP; \
                     y[i] := s + t + 0.125 * w.x; k[i] := n + at END OF LOOP"
                )
            }
            // A plane.
            3 => {
                let e = self.pair();
                format!(
                    "FOR (i FROM {outer}) LOOP FOR (j FROM {inner}) LOOP B[i, j] := {e} END OF LOOP END OF LOOP"
                )
            }
            // A product, or the like.
            4 => format!(
                "FOR (i FROM {outer}) LOOP FOR (j FROM 0 TO M - 1) LOOP LOCAL s : REAL := 0; \
                 FOR (l FROM 0 TO L - 1) LOOP s := {} END OF LOOP; B[i, j] := s END OF LOOP END OF LOOP",
                self.pick(&[
                    "s + C[i, l] * D[l, j]",
                    "max(s, C[i, l] + D[l, j])",
                    "s + abs(C[i, l] - D[l, j])"
                ])
            ),
            // Sums of all pairs.
            5 => {
                let (e, f) = (self.pair(), self.pair());
                format!(
                    "FOR (i FROM {outer}) LOOP FOR (j FROM {inner}) LOOP total := total + {e}; most := max(most, {f}) \
                     END OF LOOP END OF LOOP"
                )
            }
            // Four loops.
            6 => format!(
                "FOR (i FROM {outer}) LOOP FOR (j FROM {inner}) LOOP LOCAL s : REAL := 0; \
                 FOR (l FROM 0 TO 2) LOOP FOR (m FROM 0 TO 2) LOOP s := s + C[i, (j + l) MOD L] * D[m, j] END OF LOOP \
                 END OF LOOP; B[i, j] := s END OF LOOP END OF LOOP"
            ),
            // An array of an iteration's own.
            7 => {
                let e = self.pair();
                format!(
                    "FOR (i FROM {outer}) LOOP ARRAY own : REAL [4] IN (\n\
                     FOR (l FROM 0 TO 3) LOOP own[l] := 0 END OF LOOP;\n\
                     FOR (j FROM {inner}) LOOP own[j MOD 4] := own[j MOD 4] + {e} END OF LOOP;\n\
                     y[i] := own[0] - own[c[i] MOD 4]) END OF LOOP"
                )
            }
            // Systems, each with a sum that its members need.
            8 => {
                let e = self.one();
                format!(
                    "FOR (z FROM 0 TO Z - 1) LOOP LOCAL e : REAL := 0; \
                     FOR (i FROM 0 TO N - 1) LOOP e := e + V[z, i] * {e} END OF LOOP; \
                     FOR (i FROM 0 TO N - 1) LOOP W[z, i] := V[z, i] / (1 + abs(e)) END OF LOOP END OF LOOP"
                )
            }
            // Pairs of each of many systems.
            9 => format!(
                "FOR (z FROM 0 TO Z - 1) LOOP FOR (i FROM 0 TO N - 1) LOOP LOCAL s : REAL := 0; \
                 FOR (j FROM 0 TO N - 1) LOOP s := s + {} END OF LOOP; W[z, i] := s END OF LOOP END OF LOOP",
                self.pick(&[
                    "V[z, j] * a[i]",
                    "1 / (1 + abs(V[z, i] - V[z, j]))",
                    "max(V[z, i], V[z, j])"
                ])
            ),
            // Rounds until something holds.
            10 => {
                let e = self.one();
                format!(
                    "round := 0; change := 1;\n\
                     WHILE change > 0.01 AND round < R LOOP change := 0;\n\
                     FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * x[i] + 0.25 * {e} END OF LOOP;\n\
                     FOR (i FROM 0 TO N - 1) LOOP change := max(change, abs(x[i] - a[i])) END OF LOOP;\n\
                     round := round + 1 END OF LOOP"
                )
            }
            // A scalar from launch to launch.
            11 => {
                let e = self.one();
                format!(
                    "FOR (t FROM 1 TO R) LOOP mean := 0;\n\
                     FOR (i FROM 0 TO N - 1) LOOP mean := mean + x[i] * {e} END OF LOOP;\n\
                     mean := mean / N;\n\
                     FOR (i FROM 0 TO N - 1) LOOP x[i] := 0.5 * x[i] + 0.125 * mean END OF LOOP END OF LOOP"
                )
            }
            // Cells that nothing is known of, and running sums.
            _ => {
                let e = self.one();
                self.pick(&[
                    "FOR (i FROM 0 TO N - 1) LOOP h[c[i]] := h[c[i]] + 1; g[c[i]] := g[c[i]] + E END OF LOOP",
                    "FOR (i FROM 0 TO N - 1) LOOP total := total + E; y[i] := total END OF LOOP",
                    "FOR (i FROM 1 TO N - 1) LOOP y[i] := y[i - 1] + E END OF LOOP",
                ])
                .replace('E', e)
                .replace(&format!("{e}ND"), "END")
            }
        }
    }
}

/// A scheme of so many such nests, for inputs from `random`.
pub fn made(seed: u64, nests: usize) -> String {
    let mut maker = Maker {
        random: Pcg64::seed_from_u64(seed),
    };
    let all: Vec<String> = (0..nests).map(|_| maker.nest()).collect();
    format!(
        "SCHEME \"Shapes {seed}\" ====\nDATA\n  N : INTEGER := 6\n  M : INTEGER := 5\n  L : INTEGER := 4\n  \
         Z : INTEGER := 3\n  R : INTEGER := 3\n  a : REAL [N] INPUT\n  b : REAL [M] INPUT\n  \
         A : REAL [N, M] INPUT\n  r : VECTOR [N] INPUT\n  q : VECTOR [M] INPUT\n  C : REAL [N, L] INPUT\n  \
         D : REAL [L + 3, M] INPUT\n  V : REAL [Z, N] INPUT\n  u : REAL [N] INPUT\n  c : INTEGER [N]\n  \
         x, y : REAL [N] OUTPUT\n  B : REAL [N, M] OUTPUT\n  W : REAL [Z, N] OUTPUT\n  k : INTEGER [N] OUTPUT\n  \
         h : INTEGER [4] OUTPUT\n  g : REAL [4] OUTPUT\n  total, most, mean, change : REAL OUTPUT\n  \
         round : INTEGER OUTPUT\n  \
         DEFAULT INPUT \"random\" (x := a, seed := 1)\n  DEFAULT INPUT \"random\" (x := b, seed := 2)\n  \
         DEFAULT INPUT \"random\" (x := A, seed := 3)\n  DEFAULT INPUT \"random\" (x := C, seed := 4)\n  \
         DEFAULT INPUT \"random\" (x := D, seed := 5)\n  DEFAULT INPUT \"random\" (x := V, seed := 6)\n  \
         DEFAULT INPUT \"random\" (x := u, seed := 7)\n  DEFAULT INPUT \"uniform\" (r := r, seed := 8)\n  \
         DEFAULT INPUT \"uniform\" (r := q, seed := 9)\nEND OF DATA\n  \
         FOR (i FROM 0 TO N - 1) LOOP\n    \
         x[i] := u[i]; y[i] := 0; k[i] := 0; c[i] := int(abs(4 * a[i])) MOD 4;\n    \
         FOR (j FROM 0 TO M - 1) LOOP B[i, j] := 0 END OF LOOP;\n    \
         FOR (z FROM 0 TO Z - 1) LOOP W[z, i] := 0 END OF LOOP\n  END OF LOOP;\n  \
         FOR (l FROM 0 TO 3) LOOP h[l] := 0; g[l] := 0 END OF LOOP;\n  \
         total := 0; most := 0; mean := 0; change := 1; round := 0;\n  TIMED (\n{}\n  )\nEND OF SCHEME \"Shapes {seed}\"\n",
        all.join(";\n")
    )
}

/// What the strategies make of them gives the same results, near ones where sums are split, without races.
#[test]
fn shapes_keep_their_results() {
    let seeds: Vec<u64> = (0..count(200)).collect();
    let few = ["few", "little"].map(|name| Setting {
        owner: None,
        name: Symbol::new(name),
        value: 2,
    });
    two_at_a_time(&seeds, |_, &seed| {
        let mut sources = Sources::default();
        let base = rule_base(&mut sources, &[]).expect("the rule base loads");
        let text = made(seed, 1 + (seed % 3) as usize);
        let scheme = checked(&format!("shapes {seed}"), &text, &mut sources);
        let expected = run(&scheme, &[]).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        for strategy in [
            "parallel",
            "cpu",
            "gpu",
            "gpu_blocks",
            "gpu_fast",
            "cpu_fast",
        ] {
            // However little there is to do, the device does it.
            let settings: &[Setting] = match strategy {
                "gpu_fast" => &few,
                _ => &[],
            };
            let derived = derive(&scheme, &base, strategy, settings, 10_000)
                .unwrap_or_else(|errors| panic!("{text}{}", shown(&errors, &sources)));
            let found = run(&derived.scheme, &[])
                .unwrap_or_else(|error| panic!("{strategy}, seed {seed}: {error:?}\n{text}"));
            let exact = !strategy.ends_with("fast");
            let same = match exact {
                true => found == expected,
                false => near(&scheme, &found, &expected),
            };
            assert!(
                same,
                "{strategy}, seed {seed}:\n{text}\n{found:?}\n{expected:?}"
            );
        }
    });
}

/// Whether REALs differ by rounding and integers not at all.
fn near(
    scheme: &Scheme,
    found: &[(glushkov::term::Symbol, Vec<u64>)],
    expected: &[(glushkov::term::Symbol, Vec<u64>)],
) -> bool {
    found.iter().zip(expected).all(|((name, a), (_, b))| {
        let integer = scheme.variable(*name).is_some_and(|v| v.ty.is_integer());
        let real = |bits: u64| f64::from(f32::from_bits(bits as u32));
        a.len() == b.len()
            && a.iter().zip(b).all(|(&a, &b)| {
                a == b || !integer && (real(a) - real(b)).abs() <= 1e-4 * real(b).abs().max(1.0)
            })
    })
}

/// Writes `SHAPES` such schemes of several nests to files in the folder `SHAPES_TO`, to be run elsewhere.
#[test]
#[ignore = "writes files for another machine"]
fn written_for_a_device() {
    let folder = std::env::var("SHAPES_TO").expect("SHAPES_TO names a folder");
    let count: u64 = std::env::var("SHAPES").map_or(100, |n| n.parse().expect("a number"));
    for seed in 0..count {
        let path = format!("{folder}/shapes_{seed}.saa");
        std::fs::write(path, made(seed, 3)).expect("a writable folder");
    }
}
