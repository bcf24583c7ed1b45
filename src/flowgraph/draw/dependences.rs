//! Dependence graphs: a chart for each loop, and for the operators outside of loops. Operators stand
//! in their order; dependences within an iteration are on the right, those that a loop carries from
//! one iteration to a later one on the left.

use super::implied::leave_out_implied;
use super::leaf::{SMALL, leaf};
use super::part::{Kind as Shown, Line, Part};
use super::text::{cut, width};
use super::tree::{Builder, Drawn};
use super::{page, titled};
use crate::algebra::{Language, Operator, bodies_of, operator};
use crate::analysis::{Context, Kind, Loop, Order, dependence_graph, effects};
use crate::check::{Scheme, author_name};
use crate::term::{Id, Path, Symbol, Terms};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A dependence between operators of a chart.
#[derive(Clone, PartialEq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
    /// Whether it leads to a later iteration; else it leads on in the text.
    pub(super) carried: bool,
    /// Whether it was shown to be there; else it was not excluded.
    pub(super) shown: bool,
    pub(super) names: Vec<Symbol>,
}

/// Operators that are drawn as one: those of a phrase, or one.
struct Group {
    operators: Vec<Id>,
    text: String,
}

/// The dependence graphs of a scheme, in one drawing.
pub fn dependences(scheme: &Scheme, language: Language) -> Part {
    let mut charts = Vec::new();
    let mut maker = Maker {
        scheme,
        terms: scheme.terms.clone(),
        how: Drawn {
            language,
            depth: usize::MAX,
            run: usize::MAX,
            choices: false,
        },
    };
    let name = scheme.name.as_str();
    charts.extend(maker.chart(name, scheme.body, None, &Path(vec![2])));
    let mut path = Path(vec![2]);
    maker.inside(scheme.body, &mut path, &mut charts);
    if charts.is_empty() {
        charts.push(titled(name, Part::default()));
    }
    let mut all = page(charts);
    let about = "blue: written, then read; orange: read, then written; green: written twice; left: carried by the loop; ?: not excluded";
    all.label(about, 32.0, 8.0, SMALL);
    all.right = all.right.max(64.0 + width(about, SMALL));
    all
}

struct Maker<'a> {
    scheme: &'a Scheme,
    terms: Terms,
    how: Drawn,
}

impl Maker<'_> {
    /// Charts of the loops inside of an operator, and of what runs in order there.
    fn inside(&mut self, id: Id, path: &mut Path, charts: &mut Vec<Part>) {
        let scheme = self.scheme;
        if let Some(
            Operator::For {
                var,
                from,
                to,
                body,
                ..
            }
            | Operator::Parallel {
                var,
                from,
                to,
                body,
                ..
            },
        ) = operator(&scheme.terms, id)
        {
            let step = match operator(&scheme.terms, id) {
                Some(Operator::For { step, .. }) => step,
                _ => None,
            };
            let this = Loop {
                var,
                from,
                to,
                step,
            };
            let header = self.heading(id);
            charts.extend(self.chart(&header, body, Some(this), path));
        } else if let Some(Operator::Timed(body) | Operator::Launch { body, .. }) =
            operator(&scheme.terms, id)
        {
            let header = self.header(id);
            charts.extend(self.chart(&header, body, None, path));
        }
        for (i, &argument) in scheme.terms.args(id).iter().enumerate() {
            if operator(&scheme.terms, argument).is_some() {
                path.0.push(i as u32);
                self.inside(argument, path, charts);
                path.0.pop();
            }
        }
    }

    /// The header of a loop, with the phrase that its body comes from.
    fn heading(&mut self, id: Id) -> String {
        let terms = &self.scheme.terms;
        let own = terms.origin(id).phrase;
        let phrase = terms
            .subterms(id)
            .find_map(|inner| terms.origin(inner).phrase);
        let header = self.header(id);
        match phrase.filter(|_| own.is_none()) {
            Some(phrase) => format!("{header}: {}", cut(phrase.as_str(), 60)),
            None => header,
        }
    }

    fn header(&mut self, id: Id) -> String {
        as_authors_write(&Builder::new(&mut self.terms, self.how).header(id))
    }

    /// What is drawn as one.
    fn groups(&mut self, body: Id) -> Vec<Group> {
        let terms = &self.scheme.terms;
        let operators: Vec<Id> = match operator(terms, body) {
            Some(Operator::Then(parts)) => parts.to_vec(),
            Some(Operator::Empty) => Vec::new(),
            _ => vec![body],
        };
        let phrase = |id: Id| terms.origin(id).phrase;
        let whole = operators.first().and_then(|&o| phrase(o));
        let one_phrase = operators.iter().all(|&o| phrase(o) == whole);
        let mut groups: Vec<Group> = Vec::new();
        let mut last = None;
        for id in operators {
            let of = phrase(id).filter(|_| !one_phrase);
            if let (Some(name), Some(group)) = (of, groups.last_mut())
                && last == Some(name)
            {
                group.operators.push(id);
                group.text = cut(name.as_str(), 90);
                continue;
            }
            last = of;
            let places: Vec<usize> = bodies_of(terms, id).collect();
            let text = match places.is_empty() {
                true => Builder::new(&mut self.terms, self.how).text(id),
                false => {
                    let inner = terms
                        .subterms(id)
                        .find_map(phrase)
                        .filter(|p| Some(*p) != phrase(id));
                    let header = Builder::new(&mut self.terms, self.how).header(id);
                    let inner = inner.map_or(String::new(), |p| format!(": {p}"));
                    format!("{header}{inner}")
                }
            };
            groups.push(Group {
                operators: vec![id],
                text: cut(&as_authors_write(&text), 90),
            });
        }
        groups
    }

    /// A chart of what runs in order; nothing if there are no two operators.
    fn chart(&mut self, title: &str, body: Id, this: Option<Loop>, path: &Path) -> Option<Part> {
        let groups = self.groups(body);
        if groups.len() < 2 && this.is_none() {
            return None;
        }
        let edges = self.edges(body, &groups, this, path);
        if groups.len() < 2 && edges.is_empty() {
            return None;
        }
        let texts: Vec<String> = groups.into_iter().map(|g| g.text).collect();
        Some(titled(title, column(&texts, &edges)))
    }

    /// The dependences between groups, those of one kind between the same ones as one.
    fn edges(&self, body: Id, groups: &[Group], this: Option<Loop>, path: &Path) -> Vec<Edge> {
        let scheme = self.scheme;
        let terms = &scheme.terms;
        let mut group_of: FxHashMap<Id, usize> = FxHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            for &operator in &group.operators {
                group_of.extend(terms.subterms(operator).map(|id| (id, number)));
            }
        }
        let mut found: IndexMap<(usize, usize, Kind, bool, bool), Vec<Symbol>, FxBuildHasher> =
            IndexMap::default();
        let mut add = |from: usize, to: usize, kind: Kind, carried: bool, shown: bool, name| {
            if from == to && !carried {
                return;
            }
            let names = found.entry((from, to, kind, carried, shown)).or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        };
        let set = effects(scheme, body);
        if let Some(this) = this {
            let context = Context::at(scheme, path);
            let graph = dependence_graph(scheme, &context, this, body);
            for edge in graph.edge_indices() {
                let Some((from, to)) = graph.edge_endpoints(edge) else {
                    continue;
                };
                let groups = [from, to].map(|n| group_of.get(&graph[n]).copied());
                let ([Some(from), Some(to)], dependence) = (groups, &graph[edge]) else {
                    continue;
                };
                let carried = dependence
                    .directions
                    .first()
                    .is_some_and(|d| d.1 != Order::Equal);
                add(
                    from,
                    to,
                    dependence.kind,
                    carried,
                    dependence.shown,
                    dependence.name,
                );
            }
        }
        // Variables of the body itself and, outside of loops, all: by name, in order of the text.
        let mut touches: Vec<(usize, Symbol, bool)> = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            for &operator_id in &group.operators {
                if let Some(Operator::Local { name, .. }) = operator(terms, operator_id) {
                    touches.push((number, name, true));
                }
            }
        }
        for access in &set.all {
            let by_name = this.is_none() || set.own.contains(&access.name);
            if let (true, Some(&number)) = (by_name, group_of.get(&access.id)) {
                touches.push((number, access.name, access.write));
            }
        }
        touches.sort_by_key(|t| t.0);
        for (i, &(from, name, writes)) in touches.iter().enumerate() {
            // What another write hides in between is left out.
            let later = touches[i + 1..]
                .iter()
                .filter(|t| t.1 == name && t.0 > from);
            for &(to, _, writes_then) in later {
                match (writes, writes_then) {
                    (true, false) => add(from, to, Kind::Flow, false, true, name),
                    (false, true) => add(from, to, Kind::Anti, false, true, name),
                    (true, true) => add(from, to, Kind::Output, false, true, name),
                    (false, false) => {}
                }
                if writes_then {
                    break;
                }
            }
        }
        let edges = found.into_iter().map(|(key, names)| {
            let (from, to, kind, carried, shown) = key;
            Edge {
                from,
                to,
                kind,
                carried,
                shown,
                names,
            }
        });
        let mut edges: Vec<Edge> = edges.collect();
        let is_scalar = |name| scheme.variable(name).is_some_and(|v| !v.is_array());
        leave_out_implied(&mut edges, is_scalar);
        edges.sort_by_key(|e| (e.to.abs_diff(e.from), e.from, e.to));
        edges
    }
}

/// A text with the author's names: those of the checker have a number after a mark.
fn as_authors_write(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '′' => while chars.next_if(char::is_ascii_digit).is_some() {},
            c => out.push(c),
        }
    }
    out
}

/// Where edges that do not pass each other go up or down.
struct Lane {
    /// From which height to which.
    taken: Vec<(f64, f64)>,
    /// As wide as the widest label.
    wide: f64,
    edges: Vec<usize>,
}

/// Operators under each other, edges in lanes on both sides.
fn column(texts: &[String], edges: &[Edge]) -> Part {
    const PORT: f64 = 11.0;
    const GAP: f64 = 26.0;
    let mut part = Part::default();
    let ends = |node: usize, carried: bool| {
        edges
            .iter()
            .filter(|e| e.carried == carried)
            .map(|e| usize::from(e.from == node) + usize::from(e.to == node))
            .sum::<usize>()
    };
    let mut boxes = Vec::new();
    let (mut y, mut half) = (0.0f64, 0.0f64);
    for (node, text) in texts.iter().enumerate() {
        let mut shape = leaf(Shown::Action, text);
        let ports = ends(node, false).max(ends(node, true)) as f64;
        let more = f64::max(0.0, ports * PORT + 8.0 - shape.height);
        shape.height += more;
        shape.shapes[0].at.h += more;
        half = half.max(shape.right);
        boxes.push((y, shape));
        y += boxes[node].1.height + GAP;
    }
    // All of one width, so that lanes begin at one line.
    let bounds: Vec<(f64, f64)> = boxes.iter().map(|(y, b)| (*y, b.height)).collect();
    for (top, mut shape) in boxes {
        shape.shapes[0].at.x = -half;
        shape.shapes[0].at.w = 2.0 * half;
        part.put(shape, 0.0, top);
    }
    part.left = half;
    part.right = half;
    part.height = (y - GAP).max(0.0);
    let mut used = vec![[0usize; 2]; texts.len()];
    let mut port = |node: usize, carried: bool| {
        let side = usize::from(carried);
        used[node][side] += 1;
        let (top, height) = bounds[node];
        let count = ends(node, carried) as f64;
        top + height / 2.0 + (used[node][side] as f64 - (count + 1.0) / 2.0) * PORT
    };
    for carried in [false, true] {
        // A lane holds edges that do not pass each other; it is as wide as its widest label.
        let mut lanes: Vec<Lane> = Vec::new();
        let mut spans = vec![(0.0, 0.0); edges.len()];
        let labels: Vec<String> = edges
            .iter()
            .map(|e| {
                let names: Vec<&str> = e.names.iter().map(|&n| author_name(n)).collect();
                let sure = if e.shown { "" } else { "?" };
                cut(&format!("{}{sure}", names.join(", ")), 24)
            })
            .collect();
        for (i, edge) in edges
            .iter()
            .enumerate()
            .filter(|(_, e)| e.carried == carried)
        {
            let (a, b) = (port(edge.from, carried), port(edge.to, carried));
            spans[i] = (a, b);
            let (low, high) = (a.min(b) - 10.0, a.max(b) + 10.0);
            let wide = width(&labels[i], SMALL) + 16.0;
            let free = |lane: &Lane| lane.taken.iter().all(|&(from, to)| to < low || high < from);
            match lanes.iter_mut().find(|l| free(l)) {
                Some(lane) => {
                    lane.taken.push((low, high));
                    lane.wide = lane.wide.max(wide);
                    lane.edges.push(i);
                }
                None => lanes.push(Lane {
                    taken: vec![(low, high)],
                    wide,
                    edges: vec![i],
                }),
            }
        }
        let mut x = half + 16.0;
        let side = if carried { -1.0 } else { 1.0 };
        for lane in lanes {
            for i in lane.edges {
                let (a, b) = spans[i];
                part.lines.push(Line {
                    points: vec![
                        (side * half, a),
                        (side * x, a),
                        (side * x, b),
                        (side * half, b),
                    ],
                    arrow: true,
                    look: match edges[i].kind {
                        Kind::Flow => 1,
                        Kind::Anti => 2,
                        Kind::Output => 3,
                    },
                });
                let wide = width(&labels[i], SMALL);
                let left = if carried { -x - 4.0 - wide } else { x + 4.0 };
                part.label(&labels[i], left, (a + b) / 2.0 - SMALL * 0.65, SMALL);
            }
            x += lane.wide;
        }
        match carried {
            true => part.left = x,
            false => part.right = x,
        }
    }
    part
}
