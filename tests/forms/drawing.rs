//! Drawings: no two shapes or texts meet, and nothing is drawn through a shape.

use super::graph::{checked, random};
use super::{count, library, read};
use glushkov::algebra::Language;
use glushkov::derive::{derive, rule_base};
use glushkov::flowgraph::{Kind, Part, Rect, dependences, draw, svg, width};
use glushkov::rewrite::Setting;
use glushkov::term::{Sources, with_deep_stack};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;
use std::time::{Duration, Instant};

fn meet(a: Rect, b: Rect) -> bool {
    const TOUCH: f64 = 0.01;
    a.x + TOUCH < b.x + b.w
        && b.x + TOUCH < a.x + a.w
        && a.y + TOUCH < b.y + b.h
        && b.y + TOUCH < a.y + a.h
}

fn holds(a: Rect, b: Rect) -> bool {
    a.x <= b.x && a.y <= b.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h
}

/// What is wrong with a drawing.
fn faults(page: &Part) -> Vec<String> {
    const SIZE: f64 = 13.0;
    let mut faults = Vec::new();
    let whole = Rect {
        x: 0.0,
        y: 0.0,
        w: page.right,
        h: page.height,
    };
    // Texts and shapes that nothing may meet; the title of a frame is a text.
    let mut solid: Vec<(Rect, String)> = Vec::new();
    for shape in &page.shapes {
        let name = format!("{:?} {}", shape.kind, shape.lines.join(" "));
        if !holds(whole, shape.at) {
            faults.push(format!("{name} leaves the page"));
        }
        let widest = shape.lines.iter().map(|l| width(l, SIZE));
        let widest = widest.fold(0.0, f64::max);
        let tall = shape.lines.len() as f64 * SIZE * 1.3;
        let room = match shape.kind {
            // What is left of the width at the height of the first line.
            Kind::Ask => shape.at.w * (1.0 - tall / shape.at.h),
            Kind::Start | Kind::End | Kind::Bar => f64::MAX,
            _ => shape.at.w,
        };
        if widest > room
            || !shape.kind.holds_shapes() && !shape.lines.is_empty() && tall > shape.at.h
        {
            faults.push(format!("{name}: no room for its text"));
        }
        if shape.kind.holds_shapes() {
            let at = Rect {
                x: shape.at.x + (shape.at.w - widest) / 2.0,
                y: shape.at.y + 2.0,
                w: widest,
                h: tall,
            };
            solid.push((at, format!("title of {name}")));
        } else {
            solid.push((shape.at, name));
        }
    }
    for label in &page.labels {
        if !holds(whole, label.at) {
            faults.push(format!("{} leaves the page", label.text));
        }
        solid.push((label.at, format!("label {}", label.text)));
    }
    for (i, (a, name)) in solid.iter().enumerate() {
        for (b, other) in &solid[i + 1..] {
            if meet(*a, *b) {
                faults.push(format!("{name} {a:?} meets {other} {b:?}"));
            }
        }
    }
    let frames: Vec<Rect> = page
        .shapes
        .iter()
        .filter(|s| s.kind.holds_shapes())
        .map(|s| s.at)
        .collect();
    let all = page.shapes.iter().map(|s| s.at);
    for at in all.chain(page.labels.iter().map(|l| l.at)) {
        for &frame in &frames {
            if meet(frame, at) && !holds(frame, at) && !holds(at, frame) {
                faults.push(format!("{at:?} is cut by a frame {frame:?}"));
            }
        }
    }
    for line in &page.lines {
        for pair in line.points.windows(2) {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            if x != to_x && y != to_y {
                faults.push(format!("a line is neither across nor down: {pair:?}"));
            }
            let at = Rect {
                x: x.min(to_x),
                y: y.min(to_y),
                w: (to_x - x).abs(),
                h: (to_y - y).abs(),
            };
            for shape in page.shapes.iter().filter(|s| !s.kind.holds_shapes()) {
                // A line may begin and end at a side.
                let inside = Rect {
                    x: shape.at.x + 1.0,
                    y: shape.at.y + 1.0,
                    w: shape.at.w - 2.0,
                    h: shape.at.h - 2.0,
                };
                let thick = Rect {
                    w: at.w.max(0.1),
                    h: at.h.max(0.1),
                    ..at
                };
                if meet(inside, thick) {
                    faults.push(format!("a line {pair:?} runs through {:?}", shape.lines));
                }
            }
        }
    }
    faults
}

fn is_clean(page: &Part, of: &str) {
    let faults = faults(page);
    assert!(
        faults.is_empty(),
        "{of}:\n{}",
        faults[..faults.len().min(8)].join("\n")
    );
    let picture = svg(page);
    assert!(
        picture.starts_with("<svg ") && picture.ends_with("</svg>\n"),
        "{of}"
    );
}

#[test]
fn the_library_is_drawn_clean() {
    for (path, terms, root) in library() {
        for depth in [None, Some(0), Some(1), Some(2), Some(9)] {
            for language in [Language::English, Language::Ukrainian] {
                let page = draw(&mut terms.clone(), root, depth, language);
                is_clean(&page, &format!("{path}, {depth:?}"));
            }
        }
        let scheme = checked(&terms, root);
        is_clean(
            &dependences(&scheme, Language::English),
            &format!("{path}, dependences"),
        );
    }
}

/// Arrows of the chart of a loop with so many assignments to one cell.
fn arrows(assignments: usize) -> usize {
    let body: Vec<String> = (1..=assignments)
        .map(|k| format!("x[i] := x[i] + {k}"))
        .collect();
    let text = format!(
        "SCHEME \"s\" ====\nDATA\n  N : INTEGER := 4\n  x : REAL [N] INPUT OUTPUT\nEND OF DATA\n\
         FOR (i FROM 0 TO N - 1) LOOP {} END OF LOOP\nEND OF SCHEME \"s\"",
        body.join("; ")
    );
    let (terms, root) = read("s.saa", &text);
    let page = dependences(&checked(&terms, root), Language::English);
    svg(&page).matches("marker-end").count()
}

#[test]
fn what_dependences_imply_is_not_drawn() {
    let [some, more, most] = [10, 20, 40].map(arrows);
    // Each is read after it was written, written after it was read, and written twice.
    assert_eq!(some, 3 * 9);
    assert_eq!([more, most], [3 * 19, 3 * 39]);
}

#[test]
fn derivations_are_drawn_clean() {
    let mut sources = Sources::default();
    let base = rule_base(&mut sources, &[]).expect("the rule base loads");
    let hermite = library().find(|(path, ..)| path.ends_with("/hermite.saa"));
    let (_, terms, root) = hermite.expect("it is there");
    let scheme = checked(&terms, root);
    // Pages grow with the number of variants: of launches for many sizes, one is enough.
    let one = [Setting::parse("targets=2").expect("a setting")];
    for (strategy, with) in [
        ("paper", &[][..]),
        ("gpu_fast", &one[..]),
        ("parallel", &[]),
    ] {
        let derived = derive(&scheme, &base, strategy, with, 10_000).expect("it is derived");
        let derived = derived.scheme;
        let mut drawn = derived.terms.clone();
        for depth in [None, Some(2), Some(usize::MAX)] {
            let page = draw(&mut drawn, derived.root, depth, Language::English);
            is_clean(&page, &format!("{strategy}, {depth:?}"));
        }
        is_clean(&dependences(&derived, Language::English), strategy);
    }
}

#[test]
fn graphs_with_gotos_are_drawn_clean() {
    let mut seeds = Pcg64::seed_from_u64(3);
    for number in 0..count("GRAPHS", 60) {
        let text = random(&mut seeds, 1 + number % 40, number % 3);
        let (mut terms, root) = read("random.saag", &text);
        let page = draw(&mut terms, root, None, Language::Russian);
        is_clean(&page, &text);
    }
}

/// A scheme of so many operators: loops and choices in each other, and long rows.
fn large(operators: usize) -> String {
    let mut out = String::from("SCHEME \"large\" ====\n");
    let mut made = 0;
    while made < operators {
        out.push_str("WHILE 'there is more' LOOP\n");
        for k in 0..20 {
            out.push_str(&format!(
                "IF 'case {k}' THEN \"Take ({k})\"; \"Keep ({k})\" END IF;\n"
            ));
        }
        out.push_str("FOR (i FROM 1 TO N) LOOP PARALLEL (\"Left (i)\" // \"Right (i)\") END OF LOOP\nEND OF LOOP;\n");
        for k in 0..30 {
            out.push_str(&format!("\"Step ({k})\";\n"));
        }
        made += 96;
    }
    out.push_str("END OF SCHEME \"large\"\n");
    out
}

#[test]
fn large_schemes_are_drawn_folded() {
    let (mut terms, root) = read("large.saa", &large(20_000));
    let start = Instant::now();
    let page = with_deep_stack(|| draw(&mut terms, root, None, Language::English));
    let picture = svg(&page);
    let took = start.elapsed();
    println!(
        "20,000 operators: {} shapes, {} bytes, {took:?}",
        page.shapes.len(),
        picture.len()
    );
    assert!(
        page.shapes.len() <= 400 && took < Duration::from_secs(2),
        "{took:?}"
    );
    is_clean(&page, "large");
}

#[test]
fn what_meets_is_seen() {
    let (_, terms, root) = library().next().expect("a scheme");
    let clean = draw(&mut terms.clone(), root, None, Language::English);
    assert!(faults(&clean).is_empty());
    let moved = |change: fn(&mut Part)| {
        let mut page = clean.clone();
        change(&mut page);
        !faults(&page).is_empty()
    };
    assert!(moved(|p| p.shapes[2].at.y -= 40.0));
    assert!(moved(|p| {
        p.labels[0].at.x = p.shapes[2].at.x;
        p.labels[0].at.y = p.shapes[2].at.y;
    }));
    assert!(moved(|p| {
        let action = p.shapes.iter_mut().find(|s| s.kind == Kind::Action);
        let lines = &mut action.expect("an operator").lines;
        lines.push("a line more than there is room for, and long".into());
    }));
    assert!(moved(|p| for line in &mut p.lines {
        line.points.iter_mut().for_each(|q| q.1 += 30.0);
    }));
}
