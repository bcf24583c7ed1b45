//! Every rule of the rule base, tested from its own file: its example, near misses, random schemes
//! before and after, a second run, and its conditions weakened in turn.
//!
//! `UPDATE=1 cargo test --release --test rules` writes the table of evidence in `docs/rules.md`.

mod batches;
mod cases;
mod choices;
mod counts;
mod doublings;
mod evidence;
mod gathers;
mod guards;
mod kinds;
mod laws;
mod memory;
#[path = "../random/maker.rs"]
mod nests;
mod numeric;
mod pairs;
mod pivots;
mod privates;
mod random;
mod readied;
mod rectangles;
mod rounds;
mod rows;
mod scans;
mod scatters;
mod searches;
mod strategies;
mod systems;

use glushkov::diagnostic::{Diagnostic, render};
use glushkov::evidence::Base;
use glushkov::term::Sources;

/// Strategies that make of random schemes what the ones that come with the tool seldom make.
const STRATEGIES: &str = "
# What `gpu` comes to where no other place for copies is found.
strategy copies_around_launches(threads: 32..1024 = 256) =
    topdown(kernel(threads = threads)); bottomup(copy_around); room;
strategy gpu_recorded(threads: 32..1024 = 256) = gpu(threads = threads); recorded;
strategy parallel_fused = fused; parallel; fused;
# Waits that leave loops before what stands inside is looked at.
strategy waits_from_outside(threads: 32..1024 = 256) =
    gpu(threads = threads);
    repeat(once(wait_after_loop <+ wait_after_while <+ wait_after_branch <+ one_wait <+ wait_later));
# Cells of parts, however many there are.
strategy cells_of_parts =
    topdown(parts_with_cells(parts = 3, split_reductions = 1)); try(once(many_scattered(parts = 2))); parallel;
# A condition of a nest before it, and a loop in turns.
strategy conditions_ahead = try(once(asked_ahead)); try(once(in_turns(copies = 2)));
# A choice between few and many iterations of an inner loop before the outer one.
strategy choices_outside = try(once(all(try(few_or_many(many = 3))); choice_outside)); parallel;
# Tiles of which few members have several.
strategy small_tiles =
    topdown(tiled(rows = 2, columns = 8, height = 2, width = 2, run = 2, chunk = 4)
        <+ tiled_sums(threads = 4, targets = 2)
        <+ (few_or_many_cells(many = 20, least = 2); once(kernel_plane); once(kernel_plane)) <+ kernel);
    memory;
# Launches of few threads by blocks.
strategy few_by_blocks =
    topdown((kernel_plane <+ kernel(threads = 32)); try(once(blocks_for_few(many = 2, split_reductions = 1)))); memory;
# Rows by warps, however long they are.
strategy rows_of_warps = nests_apart; topdown(rows_by_warps(warps = 2, split_reductions = 1)); memory;
# Pairs by few warps and by few blocks, integers too, and with nothing kept.
strategy few_warps(targets: 1..16 = 2) =
    topdown((pairs_by_groups(targets = targets, parts = 2) <+ rectangle_by_groups(targets = targets, parts = 2));
        rings_of_warps(warps = 2, unroll = 2));
    try(turns_of_rest(copies = 2)); warps_ask; warps_together; memory;
strategy few_blocks = topdown(swept(tile = 32, parts = 2)); memory;
strategy small_groups =
    topdown(pairs_by_groups(targets = 2, ring = 4, parts = 3) <+ rectangle_by_groups(targets = 3, ring = 4, parts = 2));
# Pairs of members in the order of their kinds, by few warps, in few or many rounds.
strategy small_kinds =
    try(expressions(innermost(table_of_two))); try(expressions(innermost(approximate_power)));
    try(once(few_or_many_rounds(many = 2))); try(once(members_by_kind); try(lasting_first));
    topdown(pairs_by_groups(targets = 2, parts = 2); try(tiles_dealt_out);
        (rings_of_kinds(warps = 2) <+ rings_of_warps(warps = 2)));
    warps_together; try(at(CALL_GPU, expressions(innermost(power_of_product))));
    memory;
# The same in few rounds or in many rounds alone.
strategy early_kinds =
    try(once(few_or_many_rounds(many = 2); once(members_by_kind)));
    try(lasting_first); topdown(pairs_by_groups(targets = 2, parts = 2); rings_of_warps(warps = 2));
    try(outside(CALL_GPU, topdown(kernel(threads = 32)))); memory;
strategy later_kinds =
    try(once(few_or_many_rounds(many = 2); once(pairs_by_groups(targets = 2, parts = 2)); once(members_by_kind)));
    try(lasting_first); topdown(pairs_by_groups(targets = 2, parts = 2); rings_of_warps(warps = 2));
    try(outside(CALL_GPU, topdown(kernel(threads = 32)))); memory;
# Pairs in few lanes, in tiles of few members.
strategy small_lanes =
    topdown(triangle_in_tiles(tile = 5); once(lanes_with_rows(lanes = 4)); try(once(ordered_apart_from_groups));
        try(once(ordered_apart_from_lanes)); try(dealt_out(parts = 2)));
";

/// The rules that come with the tool, and strategies of these tests.
fn rules() -> Base {
    let own = ("of_tests.rules".to_owned(), STRATEGIES.to_owned());
    Base::with(&[own]).expect("rules")
}

fn shown(errors: &[Diagnostic], sources: &Sources) -> String {
    errors.iter().map(|e| render(e, sources, false)).collect()
}
