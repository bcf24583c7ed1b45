//! Graphs: read back, regularized, and compared with what they were made into.

use super::{count, library, read};
use glushkov::algebra::{Language, Precision};
use glushkov::check::{Scheme, check};
use glushkov::equality::compare_schemes;
use glushkov::flowgraph::{Flow, graph_of, regular, scheme_of, structured, to_compare};
use glushkov::syntax::print::{Notation, Style, print};
use glushkov::term::{Id, Terms, with_deep_stack};
use rand::Rng;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::collections::BTreeSet;
use std::fmt::Write;

fn text(terms: &Terms, id: Id, notation: Notation) -> String {
    let style = Style {
        notation,
        language: Language::English,
        comments: false,
    };
    print(terms, id, style)
}

#[test]
fn the_library_is_read_back_through_all_forms() {
    for (path, terms, root) in library() {
        let formula = text(&terms, root, Notation::Formula);
        let (mut of_formula, back) = read("printed.saaf", &formula);
        let graph = graph_of(&mut of_formula, back);
        let printed = text(&of_formula, graph, Notation::Text);
        let (mut of_graph, graph) = read("printed.saag", &printed);
        let back = scheme_of(&mut of_graph, graph).expect("a graph of a scheme");
        assert!(
            terms.equal_across(root, &of_graph, back),
            "{path}\n{printed}"
        );
        let (again, back) = read("printed.saa", &text(&of_graph, back, Notation::Text));
        assert!(terms.equal_across(root, &again, back), "{path}");
    }
}

/// A random graph of so many nodes, all of which are reached: a tree, and any edges besides.
pub fn random(random: &mut Pcg64, nodes: usize, kind: usize) -> String {
    let mut below = |n: usize| (random.next_u64() % n.max(1) as u64) as usize;
    // For each node: whether it asks, and its edges; 0 is the end.
    let mut edges: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for node in 1..=nodes {
        let asks = below(5) < 2 || node == 1 && nodes > 1;
        edges.push(vec![usize::MAX; if asks { 2 } else { 1 }]);
        if node > 1 {
            // An edge that leads nowhere yet leads here.
            let at = match below(3) {
                0 => below(open.len()),
                _ => open.len() - 1,
            };
            let (from, slot) = open.remove(at);
            edges[from - 1][slot] = node;
        }
        open.extend((0..edges[node - 1].len()).map(|slot| (node, slot)));
        // There is always an edge left for the next node.
        if open.is_empty() {
            break;
        }
    }
    for (from, slot) in open {
        let near = from.saturating_sub(below(6)).max(1);
        let to = match (kind, below(8)) {
            (_, 0) => 0,
            // Forward only, or into near nodes, or anywhere.
            (0, _) => from + 1 + below(edges.len() - from.min(edges.len()) + 1),
            (1, 1..=4) => near,
            (1, _) => from + 1 + below(4),
            _ => below(edges.len() + 1),
        };
        edges[from - 1][slot] = if to > edges.len() { 0 } else { to };
    }
    let mut out = String::from("GRAPH \"random\" ====\n");
    let target = |t: usize| match t {
        0 => "STOP".to_owned(),
        t => t.to_string(),
    };
    for (i, edges) in edges.iter().enumerate() {
        let n = i + 1;
        let _ = match edges[..] {
            [yes, no] => writeln!(
                out,
                "  {n}: IF 'p{}' THEN {} ELSE {}",
                below(6),
                target(yes),
                target(no)
            ),
            [next, ..] => writeln!(out, "  {n}: \"a{n}\" NEXT {}", target(next)),
            [] => Ok(()),
        };
    }
    out.push_str("END OF GRAPH \"random\"\n");
    out
}

/// A scheme that is good.
pub fn checked(terms: &Terms, root: Id) -> Scheme {
    check(terms, root, Precision::F32).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Whether every circle of a graph has one way in: loops at a node are left out and nodes with one
/// way in joined with the one before, until a single node is left or nothing more can be done (Hecht,
/// Ullman 1972).
fn is_reducible(flow: &Flow) -> bool {
    let count = flow.nodes.len();
    let mut before: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count + 1];
    for (i, node) in flow.nodes.iter().enumerate() {
        for target in node.targets() {
            before[target.map_or(count, |t| t as usize)].insert(i);
        }
    }
    let mut left: BTreeSet<usize> = (0..=count)
        .filter(|&n| n == 0 || !before[n].is_empty())
        .collect();
    loop {
        for &node in &left {
            before[node].remove(&node);
        }
        let joined = left
            .iter()
            .copied()
            .find(|&n| n != 0 && before[n].len() == 1);
        let Some(node) = joined else {
            return left.len() == 1;
        };
        let into = *before[node].first().expect("one of them");
        left.remove(&node);
        for set in &mut before {
            if set.remove(&node) {
                set.insert(into);
            }
        }
    }
}

/// What became of a graph.
struct Made {
    /// Nodes of its terms.
    before: usize,
    /// Nodes of the scheme's.
    after: usize,
    /// Whether it was drawn without gotos.
    is_plain: bool,
    is_reducible: bool,
}

/// Regularizes a graph and compares.
fn regularized(graph_text: &str) -> Made {
    let (mut terms, graph) = read("random.saag", graph_text);
    let scheme = scheme_of(&mut terms, graph).expect("a good graph");
    let edges = to_compare(&mut terms, graph).expect("a good graph");
    let [first, second] = [checked(&terms, edges), checked(&terms, scheme)];
    let found = compare_schemes(&first, &second).expect("small enough");
    let printed = text(&terms, scheme, Notation::Text);
    assert!(found.is_equal(), "{graph_text}\n{printed}");
    // What is printed is read and says the same.
    let (again, back) = read("printed.saa", &printed);
    assert!(terms.equal_across(scheme, &again, back), "{printed}");
    let flow = terms.arg(graph, 2);
    let before: usize = terms
        .args(flow)
        .iter()
        .map(|&node| terms.size(terms.arg(node, 1)) + terms.arity(node) - 3)
        .sum();
    let flow = Flow::read(&terms, flow).expect("a good graph");
    Made {
        before,
        after: terms.size(terms.arg(scheme, 2)),
        is_plain: structured(&flow, &mut terms).is_some(),
        is_reducible: is_reducible(&flow),
    }
}

#[test]
fn random_graphs_are_regularized() {
    let mut seeds = Pcg64::seed_from_u64(11);
    let graphs = count("GRAPHS", 120);
    let mut growth: Vec<f64> = Vec::new();
    let (mut plain, mut irreducible) = (0, 0);
    for number in 0..graphs {
        let nodes = 1 + (seeds.next_u64() % 60) as usize;
        let graph = random(&mut seeds, nodes, number % 3);
        let made = with_deep_stack(|| regularized(&graph));
        growth.push(made.after as f64 / made.before.max(1) as f64);
        plain += usize::from(made.is_plain);
        irreducible += usize::from(!made.is_reducible);
        assert!(made.is_reducible || !made.is_plain, "{graph}");
    }
    growth.sort_by(f64::total_cmp);
    let at = |part: f64| growth[((growth.len() - 1) as f64 * part) as usize];
    println!(
        "{graphs} graphs, {plain} drawn without gotos, {irreducible} irreducible; nodes after / before: median {:.2}, nine in ten below {:.2}, most {:.2}",
        at(0.5),
        at(0.9),
        at(1.0)
    );
    assert!(plain * 2 < graphs, "few of them have gotos");
    assert!(irreducible * 5 > graphs, "few of them are irreducible");
}

/// A comparison that leaves an edge out of account would not see that it leads elsewhere.
#[test]
fn an_edge_that_leads_elsewhere_is_seen() {
    let mut seeds = Pcg64::seed_from_u64(5);
    let (mut seen, mut tried) = (0, 0);
    for number in 0..40 {
        let graph = random(&mut seeds, 20, number % 3);
        let (mut terms, root) = read("random.saag", &graph);
        let scheme = scheme_of(&mut terms, root).expect("a good graph");
        // The first edge to the end goes to the first node instead.
        let changed = graph.replacen("NEXT STOP", "NEXT 1", 1);
        if changed == graph {
            continue;
        }
        tried += 1;
        let (mut other, root) = read("random.saag", &changed);
        let other_root = to_compare(&mut other, root).expect("a good graph");
        let [first, second] = [checked(&other, other_root), checked(&terms, scheme)];
        let found = compare_schemes(&first, &second).expect("small enough");
        seen += usize::from(!found.is_equal());
    }
    assert!(tried > 5 && seen * 10 > tried * 8, "{seen} of {tried}");
}

#[test]
fn the_smaller_way_is_taken() {
    // Two ways into a circle: what is small is written twice, else a variable says where to begin.
    let graph = |action: &str| {
        format!(
            "GRAPH \"two ways in\" ====\n  1: IF 'u' THEN 2 ELSE 3\n  2: {action} NEXT 3\n  \
             3: IF 'v' THEN 2 ELSE STOP\n\
             END OF GRAPH \"two ways in\"\n"
        )
    };
    let long = "\"A long phrase of (a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t)\"";
    for (action, times) in [("\"A\"", 2), (long, 1)] {
        let text_of = graph(action);
        regularized(&text_of);
        let (mut terms, root) = read("two.saag", &text_of);
        let flow = Flow::read(&terms, terms.arg(root, 2)).expect("a good graph");
        let operator = regular(&flow, &mut terms, &mut Default::default());
        let printed = text(&terms, operator, Notation::Text);
        let phrase = action.trim_matches('"').split(' ').next().expect("a word");
        let count = printed.matches(&format!("\"{phrase}")).count();
        assert!(count == times, "{count} times\n{printed}");
    }
}
