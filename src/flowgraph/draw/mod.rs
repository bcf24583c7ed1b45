//! Schemes and graphs → drawings → SVG.
//!
//! What has a structure is drawn by it ([`tree`]): spines go straight down, predicates are rhombi,
//! loops lead back on the left, where a predicate does not hold is on the right, kernels are frames.
//! Graphs with gotos are drawn in layers ([`layers`]). Texts are measured by the table of [`widths`],
//! so that no two shapes or texts meet.

mod compose;
mod dependences;
mod implied;
mod layers;
mod leaf;
mod part;
mod svg;
mod text;
mod tree;
mod widths;

pub use dependences::dependences;
pub use part::{Kind, Label, Line, Part, Rect, Shape};
pub use svg::svg;
pub use text::width;

use crate::algebra::{Construct, Language};
use crate::flowgraph::graph::Flow;
use crate::syntax::print::phrase_as_written;
use crate::term::{Id, Terms};
use compose::sequence;
use leaf::{SIZE, leaf, of_size};
use text::TITLE;
use tree::{Builder, Drawn};
pub(super) use tree::{header_text, words};

/// Between charts, and around all.
const MARGIN: f64 = 32.0;
/// Charts stand side by side up to this width.
const WIDE: f64 = 1500.0;
/// A scheme of more nodes is folded, if nobody says how deep it is to be drawn.
const MOST_DRAWN: usize = 300;
/// How such a scheme is folded, the least that is enough: whether choices are folded too, and of how
/// many operators in a row those in the middle are.
const FOLDS: [(bool, usize); 4] = [(false, 10), (true, 80), (true, 24), (true, 8)];

/// A drawing of a scheme or a graph, `Scheme` or `Graph` terms, with its definitions. Without a
/// depth, what is large is folded so far that it can be read.
pub fn draw(terms: &mut Terms, root: Id, depth: Option<usize>, language: Language) -> Part {
    let whole = Drawn {
        language,
        depth: depth.unwrap_or(usize::MAX),
        run: usize::MAX,
        choices: false,
    };
    if depth.is_some() || nodes(terms, root) <= MOST_DRAWN {
        return page(charts(terms, root, whole));
    }
    let mut best = Vec::new();
    for (choices, run) in FOLDS {
        for depth in (0..4).rev() {
            let folded = Drawn {
                depth,
                run,
                choices,
                ..whole
            };
            best = charts(terms, root, folded);
            let drawn: usize = best.iter().map(|c| c.shapes.len()).sum();
            if drawn <= MOST_DRAWN {
                return page(best);
            }
        }
    }
    page(best)
}

/// How many nodes a scheme or graph has.
fn nodes(terms: &Terms, root: Id) -> usize {
    let size = |id: Id| Flow::read(terms, id).map_or(0, |flow| flow.size());
    let definitions = terms.args(root).get(3).map_or(&[][..], |&w| terms.args(w));
    let inside = definitions.iter().filter_map(|&d| terms.args(d).get(2));
    size(terms.arg(root, 2)) + inside.map(|&b| size(b)).sum::<usize>()
}

/// The charts of a scheme: of its body, and of each definition.
fn charts(terms: &mut Terms, root: Id, how: Drawn) -> Vec<Part> {
    let parts = terms.args(root).to_vec();
    let name = terms.as_text(parts[0]).map_or("", |n| n.as_str());
    let body = parts[2];
    let mut charts = vec![chart(terms, name, body, how, 0)];
    let definitions = parts.get(3).map_or(&[][..], |&w| terms.args(w)).to_vec();
    for definition in definitions {
        let construct = terms.functor(definition).and_then(Construct::of);
        let [name, formals, body] = *terms.args(definition) else {
            continue;
        };
        if how.depth == 0 || !matches!(construct, Some(Construct::Define | Construct::DefineTest)) {
            continue;
        }
        let title = phrase_as_written(terms, name, formals);
        if construct == Some(Construct::DefineTest) {
            let text = Builder::new(terms, how).text(body);
            charts.push(titled(&title, leaf(Kind::Ask, &text)));
        } else {
            charts.push(chart(terms, &title, body, how, 1));
        }
    }
    charts
}

fn chart(terms: &mut Terms, title: &str, body: Id, how: Drawn, level: usize) -> Part {
    let mut builder = Builder::new(terms, how);
    let inside = match builder.terms.functor(body) {
        Some(f) if f == Construct::Flow.symbol() => match Flow::read(builder.terms, body) {
            Ok(flow) => builder.flow(&flow, level),
            Err(_) => None,
        },
        _ => builder.operator(body, level),
    };
    let dot = |kind: Kind| of_size(kind, Vec::new(), 14.0, 14.0);
    let mut parts = vec![dot(Kind::Start)];
    parts.extend(inside);
    parts.push(dot(Kind::End));
    titled(title, sequence(parts))
}

/// A part under a heading.
fn titled(title: &str, part: Part) -> Part {
    let most = f64::max(part.left + part.right, 360.0);
    let lines = text::wrap(title, TITLE * 1.14, most);
    let mut chart = Part::default();
    let height = lines.len() as f64 * TITLE * text::LINE;
    let widest = lines
        .iter()
        .map(|l| text::label_width(l, TITLE))
        .fold(0.0, f64::max);
    let left = part.left;
    for (i, line) in lines.iter().enumerate() {
        chart.label(line, -left, i as f64 * TITLE * text::LINE, TITLE);
    }
    let top = height + SIZE;
    chart.left = left;
    chart.right = f64::max(part.right, widest - left);
    chart.height = top + part.height;
    chart.put(part, 0.0, top);
    chart
}

/// Charts in rows. The page's left upper corner is (0, 0).
fn page(charts: Vec<Part>) -> Part {
    let mut page = Part::default();
    let wide = charts.iter().map(|c| c.left + c.right).fold(WIDE, f64::max);
    let (mut x, mut y, mut row) = (MARGIN, MARGIN, 0.0f64);
    for chart in charts {
        let across = chart.left + chart.right;
        if x > MARGIN && x + across > wide + MARGIN {
            x = MARGIN;
            y += row + MARGIN * 1.5;
            row = 0.0;
        }
        row = row.max(chart.height);
        let spine = x + chart.left;
        x += across + MARGIN * 1.5;
        page.right = page.right.max(x - MARGIN * 0.5);
        page.put(chart, spine, y);
        page.height = page.height.max(y + row + MARGIN);
    }
    page
}
