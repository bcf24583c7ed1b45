//! Random schemes before and after whole strategies: what rules that place memory do shows only when
//! all of them have done their part.

use super::{
    batches, counts, doublings, gathers, guards, kinds, memory, nests, pairs, pivots, privates,
    readied, rectangles, rounds, rows, scans, scatters, searches, shown, systems,
};
use glushkov::algebra::Precision;
use glushkov::check::{Scheme, check};
use glushkov::derive::{Derived, derive};
use glushkov::evidence::{Base, Left, cut_off, near, run_within};
use glushkov::machine::MachineError;
use glushkov::rewrite::{FloatClass, Setting};
use glushkov::syntax::text::read_file;
use glushkov::term::{Sources, Symbol, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// So many applications a rule must have at least; with fewer, it is looked for in further schemes.
pub const FEW: usize = 5;

/// So many steps a scheme has: threads of warps take many where only a few of them have something to do.
const STEPS: u64 = 2_000_000;

/// In how many derivations of random schemes each rule was applied, results staying as they were.
pub fn applied(base: &Base, schemes: u64) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let small_blocks = [Setting {
        owner: None,
        name: Symbol::new("threads"),
        value: 32,
    }];
    let blocks_of_sums = [("warps", 1), ("split_reductions", 1)].map(|(name, value)| Setting {
        owner: None,
        name: Symbol::new(name),
        value,
    });
    for seed in 0..schemes {
        let text = match seed % 6 {
            0 | 2 => memory::made(seed),
            4 => systems::made(seed),
            _ => nests::made(seed, seed % 4 == 1),
        };
        let strategies = [
            ("parallel", &[][..]),
            ("gpu", &small_blocks[..]),
            ("copies_around_launches", &small_blocks[..]),
            ("gpu_recorded", &small_blocks[..]),
            ("parallel_fused", &[][..]),
            ("gpu_blocks", &small_blocks[..]),
            ("gpu_blocks", &blocks_of_sums[..]),
        ];
        compare(base, &text, seed, &strategies, &mut counts);
    }
    // What none of these reaches is looked for in loops that gather, and in those with a condition.
    let few_parts = [("parts", 3), ("split_reductions", 1)].map(|(name, value)| Setting {
        owner: None,
        name: Symbol::new(name),
        value,
    });
    let few_scans =
        [("parts", 3), ("scans", 1), ("split_reductions", 1)].map(|(name, value)| Setting {
            owner: None,
            name: Symbol::new(name),
            value,
        });
    let small_sums = [("threads", 32), ("sum_blocks", 1)].map(|(name, value)| Setting {
        owner: None,
        name: Symbol::new(name),
        value,
    });
    // However few numbers there are, they go to the device.
    let few_sums = [
        ("threads", 32),
        ("sum_blocks", 1),
        ("few", 2),
        ("little", 2),
    ]
    .map(|(name, value)| Setting {
        owner: None,
        name: Symbol::new(name),
        value,
    });
    let fast = [
        ("gpu_fast", &small_sums[..]),
        ("waits_from_outside", &small_blocks[..]),
    ];
    // A few threads for each system, and blocks for two systems at most.
    let small_pairs = ["targets", "warps", "parts", "unroll", "many"].map(|name| Setting {
        owner: None,
        name: Symbol::new(name),
        value: if matches!(name, "many" | "parts") {
            2
        } else {
            1
        },
    });
    let systems = [("gpu_fast", &small_pairs[..])];
    let wide = [("wide", 1), ("third_law", 0)].map(|(name, value)| Setting {
        owner: None,
        name: Symbol::new(name),
        value,
    });
    // Lanes gather from loops that have a turn or two for each.
    let few_lanes = [
        (None, "lanes"),
        (None, "few_lanes"),
        (Some("gathered_in_lanes"), "many"),
        (Some("rows_by_lanes"), "many"),
    ]
    .map(|(owner, name)| Setting {
        owner: owner.map(Symbol::new),
        name: Symbol::new(name),
        value: 4,
    });
    let mut further = BTreeMap::new();
    for seed in 0..schemes / 3 {
        let strategies = [
            ("parallel", &few_parts[..1]),
            ("parallel", &few_parts[..]),
            ("gpu", &few_parts[..]),
            ("gpu_fast", &few_sums[..]),
        ];
        compare(base, &gathers::made(seed), seed, &strategies, &mut further);
        // Few of them have all that a rule asks for.
        for number in 4 * seed..4 * seed + 4 {
            let text = readied::made(number);
            compare(base, &text, number, &strategies, &mut further);
        }
        let rows = [("parallel", &few_parts[..]), ("gpu_fast", &few_sums[..])];
        compare(base, &counts::made(seed), seed, &rows, &mut further);
        let private = [
            ("parallel", &few_parts[..]),
            ("gpu", &few_parts[..]),
            ("gpu_fast", &few_sums[..]),
        ];
        compare(base, &privates::made(seed), seed, &private, &mut further);
        let in_lanes = [("cpu_fast", &few_lanes[..])];
        compare(base, &rows::made(seed), seed, &in_lanes, &mut further);
        let cut = [("cpu_fast", &few_lanes[..]), ("gpu_fast", &few_sums[..])];
        compare(base, &pivots::made(seed), seed, &cut, &mut further);
        let doubled = [
            ("parallel", &[][..]),
            ("cpu_fast", &few_lanes[..]),
            ("gpu", &few_parts[..]),
            ("gpu_fast", &few_sums[..]),
            ("rows_of_warps", &[][..]),
        ];
        for number in 4 * seed..4 * seed + 4 {
            let text = doublings::made(number);
            compare(base, &text, number, &doubled, &mut further);
        }
        compare(base, &rounds::made(seed), seed, &fast, &mut further);
        compare(base, &batches::made(seed), seed, &systems, &mut further);
        let outside = [("choices_outside", &[][..])];
        compare(base, &batches::made(seed), seed, &outside, &mut further);
        let ahead = [("conditions_ahead", &[][..])];
        for number in 4 * seed..4 * seed + 4 {
            compare(base, &guards::made(number), number, &ahead, &mut further);
        }
        let apart = [
            ("parallel", &few_parts[..1]),
            ("gpu_blocks", &blocks_of_sums[..]),
            ("gpu_fast", &few_sums[..]),
            ("gpu_fast", &wide[..]),
        ];
        compare(base, &searches::made(seed), seed, &apart, &mut further);
        let parts_of_scans = [
            ("parallel", &few_scans[..2]),
            ("parallel", &few_scans[..]),
            ("gpu", &few_parts[..]),
        ];
        compare(
            base,
            &scans::made(seed),
            seed,
            &parts_of_scans,
            &mut further,
        );
        let cells = [
            ("cells_of_parts", &[][..]),
            ("gpu", &small_blocks[..]),
            ("gpu_fast", &small_sums[..]),
        ];
        compare(base, &scatters::made(seed), seed, &cells, &mut further);
        let tiles = [("small_tiles", &[][..]), ("few_by_blocks", &[][..])];
        // Few of them have sums that are long enough to be read in chunks.
        for number in 3 * seed..3 * seed + 3 {
            let text = rectangles::made(number);
            compare(base, &text, number, &tiles, &mut further);
        }
    }
    for seed in 0..schemes / 3 {
        compare(base, &pairs::made(seed), seed, PAIRS, &mut further);
        compare(base, &kinds::made(seed), seed, KINDS, &mut further);
    }
    for (rule, count) in further {
        let known = counts.entry(rule).or_insert(0);
        if *known < FEW {
            *known = count.max(*known);
        }
    }
    counts
}

/// Strategies for pairs.
const PAIRS: &[(&str, &[Setting])] = &[
    ("few_warps", &[]),
    ("few_blocks", &[]),
    ("small_groups", &[]),
    ("small_lanes", &[]),
];

/// Strategies for pairs of members that have kinds.
const KINDS: &[(&str, &[Setting])] = &[
    ("small_kinds", &[]),
    ("early_kinds", &[]),
    ("later_kinds", &[]),
];

/// Compares a scheme with what strategies make of it, and counts the rules that were applied.
fn compare(
    base: &Base,
    text: &str,
    seed: u64,
    strategies: &[(&str, &[Setting])],
    counts: &mut BTreeMap<String, usize>,
) {
    let scheme = read(text);
    // A scheme with an error obliges to nothing.
    let Ok(expected) = ran(&scheme) else {
        return;
    };
    for &(strategy, settings) in strategies {
        let derived = derive(&scheme, &base.base, strategy, settings, 10_000)
            .unwrap_or_else(|e| panic!("{text}{}", shown(&e, &base.sources)));
        let after = ran(&derived.scheme);
        if cut_off(&after) {
            continue;
        }
        match after {
            Ok(found) if is_exact(base, &derived) => {
                assert_eq!(found, expected, "{strategy}, seed {seed}:\n{text}");
            }
            Ok(found) => assert!(near(&expected, &found), "{strategy}, seed {seed}:\n{text}"),
            Err(error) => panic!("{strategy}, seed {seed}: {error:?}\n{text}"),
        }
        let steps = derived.derivation.steps.iter();
        let rules: BTreeSet<&str> = steps.map(|s| s.rule.as_str()).collect();
        for rule in rules {
            *counts.entry(rule.to_owned()).or_insert(0) += 1;
        }
    }
}

/// Whether nothing but exact rules was applied.
fn is_exact(base: &Base, derived: &Derived) -> bool {
    let rules = derived
        .derivation
        .steps
        .iter()
        .map(|s| Symbol::new(&s.rule));
    let mut rules = rules.filter_map(|name| base.base.rule(name));
    rules.all(|rule| rule.float == FloatClass::Exact)
}

fn read(text: &str) -> Scheme {
    let mut sources = Sources::default();
    let file = sources.add("random", text);
    let mut terms = Terms::new();
    let (items, errors) = read_file(&sources, file, &mut terms);
    assert!(errors.is_empty(), "{text}{}", shown(&errors, &sources));
    check(&terms, items[0], Precision::F32).unwrap_or_else(|e| panic!("{}", shown(&e, &sources)))
}

fn ran(scheme: &Scheme) -> Result<Left, MachineError> {
    run_within(scheme, 5, STEPS)
}

#[test]
fn scans_keep_their_results() {
    let base = super::rules();
    let settings = |all: &[(&str, i64)]| -> Vec<Setting> {
        let setting = |&(name, value): &(&str, i64)| Setting {
            owner: None,
            name: Symbol::new(name),
            value,
        };
        all.iter().map(setting).collect()
    };
    let exact = settings(&[("parts", 3), ("scans", 1)]);
    let rounded = settings(&[("parts", 3), ("scans", 1), ("split_reductions", 1)]);
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        let strategies = [
            ("parallel", &exact[..]),
            ("parallel", &rounded[..]),
            ("gpu", &rounded[..]),
        ];
        compare(&base, &scans::made(seed), seed, &strategies, &mut counts);
    }
    for rule in [
        "scan_in_parts",
        "totals_apart",
        "real_totals_apart",
        "cell_carried",
    ] {
        let count = counts.get(rule).copied().unwrap_or(0);
        assert!(count >= FEW, "{rule}: {count}");
    }
}

/// Blocks whose length doubles, partners and steps keep their results, and so do rows by warps.
#[test]
fn doublings_keep_their_results() {
    let base = super::rules();
    let mut counts = BTreeMap::new();
    let strategies = ["parallel", "gpu", "gpu_fast", "rows_of_warps"].map(|name| (name, &[][..]));
    for seed in 0..300 {
        let text = doublings::made(seed);
        compare(&base, &text, seed, &strategies, &mut counts);
    }
    for rule in [
        "step_kept",
        "steps_counted_if",
        "inner_last_kept",
        "local_into_loop",
        "cell_of_choice",
        "choice_by_one_thread",
        "gathered_by_one_warp",
        "warps_of_blocks",
    ] {
        let count = counts.get(rule).copied().unwrap_or_default();
        assert!(count >= FEW, "{rule}: {count}");
    }
}

/// Pairs met in other orders, by warps and by blocks, leave the same sums.
#[test]
fn pairs_keep_their_results() {
    let base = super::rules();
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        compare(&base, &pairs::made(seed), seed, PAIRS, &mut counts);
    }
    for rule in [
        "pairs_by_groups",
        "rectangle_by_groups",
        "warp_for_each",
        "block_for_ring",
        "kept_reads",
        "kept_sums",
        "passed_reads",
        "passed_sums",
        "shared_reads",
        "shared_sums",
    ] {
        let count = counts.get(rule).copied().unwrap_or_default();
        assert!(count >= FEW, "{rule}: {count}");
    }
}

/// Members in the order of their kinds leave the same sums, and coefficients once for a run of them, too.
#[test]
fn kinds_keep_their_results() {
    let base = super::rules();
    let mut counts = BTreeMap::new();
    for seed in 0..100 {
        compare(&base, &kinds::made(seed), seed, KINDS, &mut counts);
    }
    for rule in [
        "members_by_kind",
        "done_before_loop",
        "few_or_many_rounds",
        "tiles_dealt_out",
        "own_kind_asked",
        "same_read_once",
        "passed_kind_asked",
        "power_of_product",
        "copied_in_branch",
        "copied_otherwise",
    ] {
        let count = counts.get(rule).copied().unwrap_or_default();
        assert!(count >= FEW, "{rule}: {count}");
    }
}

/// What is added to cells keeps their values, whichever cells these are.
#[test]
fn scatters_keep_their_results() {
    let base = super::rules();
    let mut counts = BTreeMap::new();
    for seed in 0..200 {
        let strategies = [
            ("cells_of_parts", &[][..]),
            ("gpu", &[][..]),
            ("gpu_fast", &[][..]),
        ];
        compare(&base, &scatters::made(seed), seed, &strategies, &mut counts);
    }
    for rule in [
        "added_atomically",
        "extremes_atomically",
        "counted_atomically",
        "counts_apart",
        "cells_apart",
    ] {
        let count = counts.get(rule).copied().unwrap_or_default();
        assert!(count > 50, "{rule}: {count}");
    }
}
