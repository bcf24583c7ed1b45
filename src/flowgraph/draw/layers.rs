//! Graphs with gotos in layers: edges that go on lead down, each to a later layer; those that lead
//! back go round on the left. Between two layers each edge has a height of its own, so that nothing
//! runs through a shape.

use super::compose::Words;
use super::leaf::SMALL;
use super::part::Part;
use super::text::width;
use crate::flowgraph::graph::{Flow, Node, Target};

/// Between two heights of edges.
const TRACK: f64 = 9.0;
/// Between what stands in one layer.
const APART: f64 = 24.0;
/// Room under predicates for labels.
const UNDER: f64 = 20.0;

/// What stands in a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slot {
    Node(usize),
    /// An edge that passes by.
    Edge(usize),
}

/// An edge from a port of a node to a node or, if there is none, to the end.
struct Edge {
    from: usize,
    is_no: bool,
    to: usize,
    back: bool,
    /// The slots it passes, by layer from that of `from` on: where it is, across.
    across: Vec<f64>,
}

/// The layers of nodes, the end being a node too: below all that lead there, but for edges back.
fn ranks(flow: &Flow, edges: &mut [Edge], count: usize) -> Vec<usize> {
    // A walk in depth tells which edges lead back.
    let mut state = vec![0u8; count];
    let mut order = Vec::new();
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (i, edge) in edges.iter().enumerate() {
        out[edge.from].push(i);
    }
    let mut work: Vec<(usize, usize)> = flow.entry.map(|e| (e as usize, 0)).into_iter().collect();
    if let Some((first, _)) = work.first() {
        state[*first] = 1;
    }
    while let Some((node, at)) = work.pop() {
        let Some(&edge) = out[node].get(at) else {
            state[node] = 2;
            order.push(node);
            continue;
        };
        work.push((node, at + 1));
        let to = edges[edge].to;
        match state[to] {
            0 => {
                state[to] = 1;
                work.push((to, 0));
            }
            1 => edges[edge].back = true,
            _ => {}
        }
    }
    let mut ranks = vec![0; count];
    for &node in order.iter().rev() {
        for &edge in &out[node] {
            if !edges[edge].back {
                ranks[edges[edge].to] = ranks[edges[edge].to].max(ranks[node] + 1);
            }
        }
    }
    // The end stands alone in the last layer.
    let last = ranks[..count - 1].iter().max().copied().unwrap_or(0);
    ranks[count - 1] = last + 1;
    ranks
}

/// A graph in layers. `nodes` are its nodes as parts.
pub(super) fn layers(flow: &Flow, nodes: Vec<Part>, words: &Words) -> Part {
    let end = nodes.len();
    let number = |target: Target| target.map_or(end, |t| t as usize);
    let mut edges: Vec<Edge> = Vec::new();
    for (from, node) in flow.nodes.iter().enumerate() {
        let mut add = |is_no: bool, to: usize| {
            edges.push(Edge {
                from,
                is_no,
                to,
                back: false,
                across: Vec::new(),
            });
        };
        match *node {
            Node::Act { next, .. } => add(false, number(next)),
            Node::Ask { yes, no, .. } => {
                add(false, number(yes));
                add(true, number(no));
            }
        }
    }
    let ranks = ranks(flow, &mut edges, end + 1);
    let count = ranks[end] + 1;
    let mut rows: Vec<Vec<Slot>> = vec![Vec::new(); count];
    for (node, &rank) in ranks.iter().enumerate() {
        rows[rank].push(Slot::Node(node));
    }
    for (i, edge) in edges.iter().enumerate().filter(|(_, e)| !e.back) {
        for row in &mut rows[ranks[edge.from] + 1..ranks[edge.to]] {
            row.push(Slot::Edge(i));
        }
    }
    let port = |edge: &Edge| match edge.is_no {
        true => nodes[edge.from].right + 12.0 + width(&words.no, SMALL),
        false => 0.0,
    };
    let extent = |slot: Slot| match slot {
        Slot::Node(n) if n == end => (6.0, 6.0),
        Slot::Node(n) => {
            let ask = matches!(flow.nodes[n], Node::Ask { .. });
            let more = 16.0 + width(&words.no, SMALL);
            (nodes[n].left, nodes[n].right + if ask { more } else { 0.0 })
        }
        Slot::Edge(_) => (4.0, 4.0),
    };
    // Places across, layer by layer: under what leads there, pushed apart to the right.
    let mut spine = vec![0.0f64; end + 1];
    for row in &mut rows {
        let wish = |slot: Slot, edges: &[Edge], spine: &[f64]| -> f64 {
            let at = |edge: &Edge| {
                let last = edge.across.last().copied();
                last.unwrap_or(spine[edge.from] + port(edge))
            };
            match slot {
                Slot::Edge(e) => at(&edges[e]),
                Slot::Node(n) => {
                    let mut wishes: Vec<f64> = edges
                        .iter()
                        .filter(|e| e.to == n && !e.back)
                        .map(at)
                        .collect();
                    wishes.sort_by(f64::total_cmp);
                    wishes.first().copied().unwrap_or(0.0)
                }
            }
        };
        let mut wishes: Vec<(f64, Slot)> = row
            .drain(..)
            .map(|slot| (wish(slot, &edges, &spine), slot))
            .collect();
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = f64::NEG_INFINITY;
        for (wished, slot) in wishes {
            let (left, right) = extent(slot);
            let x = wished.max(free + left);
            free = x + right + APART;
            match slot {
                Slot::Node(n) => spine[n] = x,
                Slot::Edge(e) => edges[e].across.push(x),
            }
            row.push(slot);
        }
    }
    place(Placed {
        flow,
        nodes,
        words,
        edges,
        ranks,
        rows,
        spine,
        extent: &extent_of(flow, words),
    })
}

/// How far nodes reach to the right, with their labels.
fn extent_of<'a>(flow: &'a Flow, words: &'a Words) -> impl Fn(usize, f64) -> f64 + 'a {
    move |node, right| match flow.nodes.get(node) {
        Some(Node::Ask { .. }) => right + 16.0 + width(&words.no, SMALL),
        _ => right,
    }
}

struct Placed<'a> {
    flow: &'a Flow,
    nodes: Vec<Part>,
    words: &'a Words,
    edges: Vec<Edge>,
    ranks: Vec<usize>,
    rows: Vec<Vec<Slot>>,
    spine: Vec<f64>,
    extent: &'a dyn Fn(usize, f64) -> f64,
}

/// Puts the layers under each other and draws the edges.
fn place(placed: Placed<'_>) -> Part {
    let Placed {
        flow,
        nodes,
        words,
        edges,
        ranks,
        rows,
        spine,
        extent,
    } = placed;
    let end = nodes.len();
    let mut part = Part {
        open: true,
        ..Part::default()
    };
    let entry = flow.entry.map_or(0.0, |e| spine[e as usize]);
    let x = |at: f64| at - entry;
    for (n, node) in nodes.iter().enumerate() {
        part.left = part.left.max(-(x(spine[n]) - node.left));
        part.right = part.right.max(x(spine[n]) + extent(n, node.right));
    }
    for edge in &edges {
        for &across in &edge.across {
            part.left = part.left.max(-x(across) + 8.0);
            part.right = part.right.max(x(across) + 8.0);
        }
    }
    // Each edge back has a lane of its own on the left.
    let mut lanes: Vec<(usize, f64)> = Vec::new();
    for (i, _) in edges.iter().enumerate().filter(|(_, e)| e.back) {
        part.left += 12.0;
        lanes.push((i, -part.left));
    }
    // Heights: for each gap, the edges that turn in it.
    let mut gaps: Vec<Vec<usize>> = vec![Vec::new(); rows.len() + 1];
    for (i, edge) in edges.iter().enumerate() {
        if edge.back {
            gaps[ranks[edge.from] + 1].push(i);
            if gaps[ranks[edge.to]].last() != Some(&i) {
                gaps[ranks[edge.to]].push(i);
            }
        } else {
            for gap in &mut gaps[ranks[edge.from] + 1..=ranks[edge.to]] {
                gap.push(i);
            }
        }
    }
    let mut y = 0.0;
    let mut tops = Vec::new();
    let mut bottoms = Vec::new();
    let mut tracks: Vec<f64> = Vec::new();
    for (rank, row) in rows.iter().enumerate() {
        tracks.push(y + if rank == 0 { 6.0 } else { UNDER });
        y += gaps[rank].len() as f64 * TRACK + if rank == 0 { 12.0 } else { UNDER + 12.0 };
        tops.push(y);
        let height = |slot: &Slot| match slot {
            Slot::Node(n) if *n != end => nodes[*n].height,
            _ => 0.0,
        };
        y += row.iter().map(height).fold(0.0, f64::max);
        bottoms.push(y);
    }
    let track = |gap: usize, edge: usize| {
        let at = gaps[gap].iter().position(|&e| e == edge).unwrap_or(0);
        tracks[gap] + at as f64 * TRACK
    };
    // The first node is entered from above.
    if let Some(first) = flow.entry {
        let top = tops[ranks[first as usize]];
        part.line(&[(0.0, 0.0), (0.0, top)], true);
    }
    for (i, edge) in edges.iter().enumerate() {
        let from = &nodes[edge.from];
        let (sx, top) = (x(spine[edge.from]), tops[ranks[edge.from]]);
        let is_ask = matches!(flow.nodes[edge.from], Node::Ask { .. });
        let mut points = match edge.is_no {
            true => {
                let middle = top + from.height / 2.0;
                let out = sx + from.right + 12.0 + width(&words.no, SMALL);
                part.label(
                    &words.no,
                    sx + from.right + 5.0,
                    middle - SMALL * 1.5,
                    SMALL,
                );
                vec![(sx + from.right, middle), (out, middle)]
            }
            false => {
                if is_ask {
                    part.label(&words.yes, sx + 6.0, top + from.height + 2.0, SMALL);
                }
                vec![(sx, top + from.height)]
            }
        };
        let mut across = points.last().map_or(0.0, |p| p.0);
        let go = |points: &mut Vec<(f64, f64)>, across: &mut f64, to: f64, height: f64| {
            points.push((*across, height));
            if *across != to {
                points.push((to, height));
            }
            *across = to;
        };
        let target = x(spine[edge.to]);
        let arrives = tops[ranks[edge.to]];
        if edge.back {
            let lane = lanes.iter().find(|(e, _)| *e == i).map_or(0.0, |l| l.1);
            go(
                &mut points,
                &mut across,
                lane,
                lower(&gaps, &tracks, ranks[edge.from] + 1, i, y),
            );
            go(&mut points, &mut across, target, track(ranks[edge.to], i));
        } else {
            for (k, gap) in (ranks[edge.from] + 1..=ranks[edge.to]).enumerate() {
                let to = edge.across.get(k).map_or(target, |&a| x(a));
                go(&mut points, &mut across, to, track(gap, i));
            }
        }
        points.push((target, arrives));
        part.line(&points, edge.to != end);
    }
    for (n, node) in nodes.into_iter().enumerate() {
        part.put(node, x(spine[n]), tops[ranks[n]]);
    }
    // From the end to the spine.
    let below = y + (gaps[rows.len()].len() as f64 + 1.0) * TRACK + 8.0;
    part.line(
        &[
            (x(spine[end]), tops[ranks[end]]),
            (x(spine[end]), below),
            (0.0, below),
        ],
        false,
    );
    part.right = part.right.max(x(spine[end]) + 8.0);
    part.left = part.left.max(8.0 - x(spine[end]));
    part.height = below;
    part
}

/// The height of an edge back in the gap under the node that it leaves.
fn lower(gaps: &[Vec<usize>], tracks: &[f64], gap: usize, edge: usize, bottom: f64) -> f64 {
    let at = gaps[gap].iter().position(|&e| e == edge).unwrap_or(0);
    tracks.get(gap).copied().unwrap_or(bottom + 8.0) + at as f64 * TRACK
}
