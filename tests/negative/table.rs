//! The table: bugs that real generators and hand-written programs ship, the scheme that has each,
//! what refuses it, and the texts that plant it in emitted programs. `docs/bugs.md` is made from it.

/// Sizes at which schemes are checked: their blocks and tiles have T = 8 threads.
pub const SMALL: [i64; 6] = [1, 7, 8, 9, 16, 31];

/// Sizes at which emitted programs run: their blocks and tiles have T = 256 threads.
pub const SIZES: [i64; 6] = [1, 255, 256, 257, 512, 775];

/// The sizes in terms of T, as both lists have them.
pub const NAMES: [&str; 6] = ["1", "T - 1", "T", "T + 1", "2 T", "3 T + 7"];

pub struct Bug {
    pub name: &'static str,
    pub refused: &'static [Refused],
    /// How the language or the emitter excludes it, where it cannot be written as a scheme.
    pub excluded: Option<&'static str>,
    pub planted: &'static [Plant],
}

/// A scheme that has the bug.
pub struct Refused {
    pub file: &'static str,
    /// The kind of the error at each of `SMALL`, or `ok`.
    pub kinds: [&'static str; 6],
    /// What the error at the last size says: the two accesses, and the synchronizer that is missing.
    pub accesses: &'static [(&'static str, &'static str)],
    pub missing: Option<&'static str>,
}

/// A bug in the text of an emitted program.
pub struct Plant {
    pub name: &'static str,
    /// The scheme that is emitted, one of `PROGRAMS`.
    pub program: &'static str,
    pub from: &'static str,
    pub to: &'static str,
    /// Whether the comparison catches it at each of `SIZES`.
    pub caught: [bool; 6],
}

/// A scheme that is emitted: its name, its file, the file of the sequential scheme.
pub const PROGRAMS: [(&str, &str, &str); 5] = [
    (
        "pairs",
        "tests/negative/pairs_in_tiles.saa",
        "tests/negative/pairs.saa",
    ),
    (
        "sums",
        "tests/negative/sums_in_trees.saa",
        "tests/negative/sums.saa",
    ),
    (
        "moves",
        "tests/negative/moves.saa",
        "tests/negative/moves.saa",
    ),
    (
        "hermite",
        "schemes/nbody/hermite.saa",
        "schemes/nbody/hermite.saa",
    ),
    // By `gpu_fast`, with groups of T members.
    (
        "warps",
        "schemes/nbody/gravity.saa",
        "schemes/nbody/gravity.saa",
    ),
];

const ALL: [bool; 6] = [true; 6];
/// Where the last block or tile is not full.
const TAIL: [bool; 6] = [true, true, false, true, false, true];
/// Where there are two tiles or more.
const TILES: [bool; 6] = [false, false, false, true, true, true];
/// Wherever there are two elements.
const TWO: [bool; 6] = [false, true, true, true, true, true];

const DIVERGES: [&str; 6] = [
    "divergence",
    "divergence",
    "ok",
    "divergence",
    "ok",
    "divergence",
];
const BOUNDS: [&str; 6] = ["bounds", "bounds", "ok", "bounds", "ok", "bounds"];
const SAME_BARRIERS: &str =
    "every thread of a block must meet the same barriers: move BARRIER out of the condition";

pub const BUGS: &[Bug] = &[
    Bug {
        name: "a barrier inside `if (i < n)`",
        refused: &[Refused {
            file: "tests/machine/barrier_in_condition.saa",
            kinds: DIVERGES,
            accesses: &[
                ("this barrier is met", "block 3, thread 0"),
                ("the end of the kernel is reached", "block 3, thread 7"),
            ],
            missing: Some(SAME_BARRIERS),
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "the barrier after a tile is filled is for bodies only",
                program: "pairs",
                from: "        __syncthreads();\n        for (int k",
                to: "        if (i < N) __syncthreads();\n        for (int k",
                caught: [false, false, false, true, false, true],
            },
            Plant {
                name: "the barrier after numbers are loaded is for those that have one",
                program: "sums",
                from: "s[thread] = x[i];\n    }\n    __syncthreads();",
                to: "s[thread] = x[i];\n        __syncthreads();\n    }",
                // With 255 numbers one thread goes ahead, and it adds nothing.
                caught: [true, false, false, true, false, true],
            },
        ],
    },
    Bug {
        name: "an unguarded load of the tail",
        refused: &[Refused {
            file: "tests/machine/tail_load.saa",
            kinds: BOUNDS,
            accesses: &[("here", "block 3, thread 7")],
            missing: None,
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "a tile is filled without a question",
                program: "pairs",
                from: "        if (s < N) {\n            tx[thread]",
                to: "        {\n            tx[thread]",
                caught: TAIL,
            },
            Plant {
                name: "numbers to be added are loaded without a question",
                program: "sums",
                from: "    if (i < N) {\n        s[thread]",
                to: "    {\n        s[thread]",
                caught: TAIL,
            },
        ],
    },
    Bug {
        name: "a dropped tail, `N / T`",
        refused: &[Refused {
            file: "tests/negative/dropped_tail.saa",
            kinds: [
                "uninitialized",
                "uninitialized",
                "ok",
                "uninitialized",
                "ok",
                "uninitialized",
            ],
            accesses: &[("b[24] copied", "the host"), ("b[24] written", "nobody")],
            missing: Some("a kernel that writes every cell of `b`"),
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "the last tile is dropped",
                program: "pairs",
                from: "tile_end = ceil_div<int>(N, 256)",
                to: "tile_end = N / 256",
                // One charge has no force.
                caught: [false, true, false, true, false, true],
            },
            Plant {
                name: "the last block is dropped",
                program: "pairs",
                from: "Grid((int64_t)ceil_div<int>(N, 256), INT64_C(256))",
                to: "Grid((int64_t)(N / 256), INT64_C(256))",
                // One charge has no force, and what no thread writes is cleared.
                caught: [false, true, false, true, false, true],
            },
            Plant {
                name: "the last block of the second of four launches is dropped",
                program: "hermite",
                from: "Grid((int64_t)ceil_div<int>(N, 256), INT64_C(256))) {\n                launch(predict",
                to: "Grid((int64_t)(N / 256), INT64_C(256))) {\n                launch(predict",
                caught: TAIL,
            },
        ],
    },
    Bug {
        name: "a missing second barrier, visible only when N > T",
        refused: &[Refused {
            file: "tests/machine/tile_without_second_barrier.saa",
            kinds: ["ok", "ok", "ok", "race", "race", "race"],
            accesses: &[
                ("tile[0] read", "block 0, thread 1"),
                ("tile[0] written", "block 0, thread 0"),
            ],
            missing: Some("a BARRIER between the two accesses"),
        }],
        excluded: None,
        planted: &[Plant {
            name: "the barrier after a tile is used is left out",
            program: "pairs",
            from: "0.25f);\n        }\n        __syncthreads();",
            to: "0.25f);\n        }",
            caught: TILES,
        }],
    },
    Bug {
        name: "a missing first barrier",
        refused: &[Refused {
            file: "tests/machine/tile_without_barrier.saa",
            kinds: ["race"; 6],
            accesses: &[
                ("tile[1] written", "block 0, thread 1"),
                ("tile[1] read", "block 0, thread 0"),
            ],
            missing: Some("a BARRIER between the two accesses"),
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "the barrier after a tile is filled is left out",
                program: "pairs",
                from: "        __syncthreads();\n        for (int k",
                to: "        for (int k",
                caught: ALL,
            },
            Plant {
                name: "the barrier of a sum's level is left out",
                program: "sums",
                from: "        __syncthreads();\n        width",
                to: "        width",
                caught: TWO,
            },
        ],
    },
    Bug {
        name: "positions updated in place while others read them",
        refused: &[Refused {
            file: "tests/machine/in_place.saa",
            kinds: ["ok", "race", "race", "race", "race", "race"],
            accesses: &[
                ("a[1] written", "iteration or branch 1"),
                ("a[1] read", "iteration or branch 0"),
            ],
            missing: Some("end the PARALLEL between the two"),
        }],
        excluded: None,
        planted: &[Plant {
            name: "the new place is stored among the old ones",
            program: "moves",
            from: "x[smaller<int>(i + 1, N - 1)]);",
            to: "x[smaller<int>(i + 1, N - 1)]);\n        const_cast<real *>(x)[i] = next[i];",
            caught: TWO,
        }],
    },
    Bug {
        name: "a timer stopped before the device is",
        refused: &[],
        excluded: Some(
            "TIMED marks what is timed, and no operator reads a clock; in every target the clock \
             stops after the device",
        ),
        planted: &[],
    },
    Bug {
        name: "an unguarded launch of zero blocks",
        refused: &[Refused {
            file: "tests/machine/no_blocks.saa",
            kinds: ["ok"; 6],
            accesses: &[],
            missing: None,
        }],
        excluded: Some(
            "a launch of zero blocks does nothing, and every launch of an emitted program asks first \
             whether it has blocks",
        ),
        planted: &[Plant {
            name: "a launch over N / 2 pairs without the question",
            program: "moves",
            from: "if (const Grid grid = Grid((int64_t)ceil_div<int>(N / 2, 256), INT64_C(256))) {",
            to: "{\n            Grid grid(1, 1);\n            grid.blocks = unsigned(ceil_div<int>(N / 2, 256));\n            grid.threads = 256;",
            caught: [true, false, false, false, false, false],
        }],
    },
    Bug {
        name: "copying out an array of which the kernel wrote only half",
        refused: &[Refused {
            file: "tests/machine/half_written.saa",
            kinds: [
                "bounds",
                "bounds",
                "ok",
                "uninitialized",
                "uninitialized",
                "uninitialized",
            ],
            accesses: &[("here", "the host")],
            missing: Some(
                "\"Copy (a) to the device\" before the launch, as it writes a part of it only",
            ),
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "half of the forces are stored",
                program: "pairs",
                from: "    if (i < N) {\n        f[i]",
                to: "    if (i < N / 2) {\n        f[i]",
                // As above.
                caught: [false, true, true, true, true, true],
            },
            Plant {
                name: "half of the bodies are corrected",
                program: "hermite",
                from: "if (i <= N - 1) {\n        // Correct",
                to: "if (i <= (N - 1) / 2) {\n        // Correct",
                caught: TWO,
            },
        ],
    },
    Bug {
        name: "an early return before a tile's barriers",
        refused: &[Refused {
            file: "tests/negative/early_return.saa",
            kinds: DIVERGES,
            accesses: &[
                ("this barrier is met", "block 3, thread 0"),
                ("the end of the kernel is reached", "block 3, thread 7"),
            ],
            missing: Some(SAME_BARRIERS),
        }],
        excluded: None,
        planted: &[
            Plant {
                name: "threads beyond N leave before they fill their part of the tiles",
                program: "pairs",
                from: "    const real mine =",
                to: "    if (i >= N) return;\n    const real mine =",
                caught: TAIL,
            },
            Plant {
                name: "threads beyond N leave before they put their zero",
                program: "sums",
                from: "    s[thread] = 0.0f;\n",
                to: "    if (i >= N) return;\n",
                caught: TAIL,
            },
        ],
    },
    Bug {
        name: "N rounded up instead of handling the tail",
        refused: &[Refused {
            file: "tests/negative/rounded_up.saa",
            kinds: BOUNDS,
            accesses: &[("here", "block 0, thread 0")],
            missing: None,
        }],
        excluded: None,
        planted: &[Plant {
            name: "the kernel gets N rounded up",
            program: "pairs",
            from: "kernel, grid, 0, stream, N,",
            to: "kernel, grid, 0, stream, (N + 255) / 256 * 256,",
            caught: TAIL,
        }],
    },
    Bug {
        name: "a value that stays where the others of its tile go round the warp",
        refused: &[],
        excluded: Some(
            "as a scheme it is other arithmetic, and no error; the strategies have it from one rule, \
             `passed_reads`",
        ),
        planted: &[
            Plant {
                name: "masses stay in full tiles",
                program: "warps",
                from: "                            other_m = from_next_thread(other_m);\n",
                to: "",
                // No tile meets a full group before there are two of them.
                caught: [false, false, false, false, true, true],
            },
            Plant {
                name: "positions stay in the last tiles",
                program: "warps",
                from: "                        other_r = from_next_thread(other_r);\n                        other_m",
                to: "                        other_m",
                caught: TWO,
            },
        ],
    },
    Bug {
        name: "pairs met too often",
        refused: &[],
        excluded: Some(
            "as a scheme it is other arithmetic, and no error; the strategies have it from one rule, \
             `pairs_by_groups`",
        ),
        planted: &[
            Plant {
                name: "the pairs of one group are met from both sides",
                program: "warps",
                from: "0 < step && step < 16",
                to: "0 < step && step < 32",
                caught: TWO,
            },
            Plant {
                name: "one member beyond the last is met",
                program: "warps",
                from: "i <= N - 1 && s <= N - 1",
                to: "i <= N - 1 && s <= N",
                // It is where the last one is: one body alone feels nothing of it.
                caught: [false, true, false, true, false, true],
            },
            Plant {
                name: "groups that face each other on the circle meet twice",
                program: "warps",
                from: "groups % 2 == 0 && group >= groups / 2",
                to: "false",
                caught: TILES,
            },
        ],
    },
    Bug {
        name: "sums of a tail that are not added",
        refused: &[],
        excluded: Some(
            "as a scheme it is other arithmetic, and no error; the strategies have it from one rule, \
             `passed_sums`",
        ),
        planted: &[
            Plant {
                name: "what a tile that is not full gives back is dropped",
                program: "warps",
                from: "if (first + lane <= N - 1) {",
                to: "if (distance > 0 && first + 31 <= N - 1) {",
                caught: TWO,
            },
            Plant {
                name: "what the members of the last 32 have of their own is dropped",
                program: "warps",
                from: "            if (mine <= N - 1 - k_2 * 32) {\n                atomicAdd",
                to: "            if (mine <= N - 33 - k_2 * 32) {\n                atomicAdd",
                caught: TWO,
            },
        ],
    },
];
