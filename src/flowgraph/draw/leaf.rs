//! Shapes with a text in them, by themselves.

use super::part::{Kind, Part, Rect, Shape};
use super::text::{LINE, cut, width, wrap};

/// Size of the font in shapes.
pub const SIZE: f64 = 13.0;
/// Size of the font at edges.
pub const SMALL: f64 = 11.0;
/// Characters of a text that is shown in a shape.
const MOST: usize = 400;

/// Height of a text of so many lines.
pub fn height(lines: &[String]) -> f64 {
    lines.len() as f64 * SIZE * LINE
}

/// A shape with a text.
pub fn leaf(kind: Kind, text: &str) -> Part {
    let most = match kind {
        Kind::Ask => 170.0,
        _ => 300.0,
    };
    let lines = wrap(&cut(text, MOST), SIZE, most);
    let widest = lines.iter().map(|l| width(l, SIZE)).fold(0.0, f64::max);
    let tall = height(&lines);
    let (w, h) = match kind {
        // A text has room in a rhombus where its shares of width and height are 1 together.
        Kind::Ask => (widest * 1.6 + 24.0, tall / 0.375 + 10.0),
        Kind::Loop => (widest + 48.0, tall + 14.0),
        _ => (widest + 24.0, tall + 14.0),
    };
    let w = f64::max(w, 48.0);
    of_size(kind, lines, w, h)
}

/// A shape of a size.
pub fn of_size(kind: Kind, lines: Vec<String>, w: f64, h: f64) -> Part {
    Part {
        left: w / 2.0,
        right: w / 2.0,
        height: h,
        shapes: vec![Shape {
            kind,
            at: Rect {
                x: -w / 2.0,
                y: 0.0,
                w,
                h,
            },
            lines,
        }],
        ..Part::default()
    }
}

/// A shape that holds a part, its text at the top.
pub fn frame(kind: Kind, text: &str, inside: Part) -> Part {
    const PAD: f64 = 14.0;
    let most = f64::max(inside.left + inside.right, 260.0);
    let lines = wrap(&cut(text, MOST), SIZE, most);
    let title = lines.iter().map(|l| width(l, SIZE)).fold(0.0, f64::max);
    let top = height(&lines) + 12.0;
    let entry = top + 18.0;
    let left = f64::max(inside.left, title / 2.0) + PAD;
    let right = f64::max(inside.right, title / 2.0) + PAD;
    let height = entry + inside.height + PAD;
    let mut part = Part {
        left,
        right,
        height,
        ..Part::default()
    };
    part.shapes.push(Shape {
        kind,
        at: Rect {
            x: -left,
            y: 0.0,
            w: left + right,
            h: height,
        },
        lines,
    });
    part.line(&[(0.0, top), (0.0, entry)], !inside.open);
    part.line(&[(0.0, entry + inside.height), (0.0, height)], false);
    part.put(inside, 0.0, entry);
    part
}
