//! Parts put together: sequences, choices, loops, branches. Spines stay straight, loops lead back on
//! the left, and where a predicate does not hold is on the right.

use super::leaf::{SMALL, of_size};
use super::part::{Kind, Part};
use super::text::width;

/// Between two parts of a sequence.
const STEP: f64 = 24.0;
/// From a predicate down to what is done where it holds: room for a label.
const UNDER: f64 = 28.0;
/// Between parts side by side, and beside lines.
const APART: f64 = 26.0;

/// Parts one after the other.
pub fn sequence(parts: Vec<Part>) -> Part {
    let mut all = Part::default();
    for (i, part) in parts.into_iter().enumerate() {
        if i == 0 {
            all.open = part.open;
        } else {
            all.line(&[(0.0, all.height), (0.0, all.height + STEP)], !part.open);
            all.height += STEP;
        }
        all.left = all.left.max(part.left);
        all.right = all.right.max(part.right);
        let height = part.height;
        let at = all.height;
        all.put(part, 0.0, at);
        all.height += height;
    }
    all
}

/// The labels of the two edges that leave a predicate.
pub struct Words {
    /// Where it holds.
    pub yes: String,
    /// Where it does not.
    pub no: String,
}

/// A head, its text at an edge to the right, and where that edge is free to go down.
fn beside(part: &mut Part, head: &Part, word: &str) -> f64 {
    let corner = head.right;
    if !word.is_empty() {
        part.label(word, corner + 5.0, head.height / 2.0 - SMALL * 1.5, SMALL);
    }
    corner + 10.0 + width(word, SMALL)
}

/// A choice. Without operators on one side, its edge goes by.
pub fn choice(ask: Part, words: &Words, yes: Option<Part>, no: Option<Part>) -> Part {
    // What there is goes on along the spine.
    let (main, main_word, side, side_word) = match (yes, no) {
        (None, Some(no)) => (Some(no), &words.no, None, &words.yes),
        (yes, no) => (yes, &words.yes, no, &words.no),
    };
    let mut part = Part::default();
    let free = beside(&mut part, &ask, side_word);
    let middle = ask.height / 2.0;
    let corner = ask.right;
    part.left = ask.left;
    let top = ask.height + UNDER;
    part.label(main_word, 6.0, ask.height + 3.0, SMALL);
    let beside_label = 10.0 + width(main_word, SMALL);
    let (main_left, main_right, main_height) = main
        .as_ref()
        .map_or((0.0, 0.0, 0.0), |m| (m.left, m.right, m.height));
    let (side_left, side_right, side_height) = side
        .as_ref()
        .map_or((0.0, 0.0, 0.0), |s| (s.left, s.right, s.height));
    let x = f64::max(free, f64::max(main_right, beside_label))
        + APART / 2.0
        + side_left
        + if side.is_some() { APART / 2.0 } else { 0.0 };
    let bottom = top + f64::max(main_height, side_height) + STEP / 2.0;
    part.put(ask, 0.0, 0.0);
    let top_of_main = top;
    part.line(
        &[
            (0.0, 2.0 * middle),
            (0.0, if main.is_some() { top_of_main } else { bottom }),
        ],
        main.as_ref().is_some_and(|m| !m.open),
    );
    if let Some(main) = main {
        part.line(&[(0.0, top + main_height), (0.0, bottom)], false);
        part.put(main, 0.0, top);
    }
    match side {
        Some(side) => {
            part.line(&[(corner, middle), (x, middle), (x, top)], !side.open);
            part.line(&[(x, top + side_height), (x, bottom), (0.0, bottom)], false);
            part.put(side, x, top);
        }
        None => part.line(
            &[(corner, middle), (x, middle), (x, bottom), (0.0, bottom)],
            false,
        ),
    }
    part.left = part.left.max(main_left);
    part.right = x + side_right;
    part.height = bottom;
    part
}

/// A loop: what is under its head leads back to it on the left; it goes on by the right.
pub fn circle(head: Part, words: &Words, body: Option<Part>) -> Part {
    let mut part = Part {
        open: true,
        ..Part::default()
    };
    let (head_left, head_height) = (head.left, head.height);
    let down = 20.0;
    let free = {
        let mut labelled = Part::default();
        let free = beside(&mut labelled, &head, &words.no);
        part.put(labelled, 0.0, down);
        free
    };
    let middle = down + head_height / 2.0;
    let corner = head.right;
    part.line(&[(0.0, 0.0), (0.0, down)], true);
    part.put(head, 0.0, down);
    let under = down + head_height;
    let top = under + if words.yes.is_empty() { STEP } else { UNDER };
    if !words.yes.is_empty() {
        part.label(&words.yes, 6.0, under + 3.0, SMALL);
    }
    let beside_label = 10.0 + width(&words.yes, SMALL);
    let (left, right, height) = body
        .as_ref()
        .map_or((0.0, 0.0, 0.0), |b| (b.left, b.right, b.height));
    let turn = top + height + STEP / 2.0;
    let x = -(f64::max(left, head_left) + APART);
    let back = [(0.0, turn), (x, turn), (x, down / 2.0), (0.0, down / 2.0)];
    match body {
        Some(body) => {
            part.line(&[(0.0, under), (0.0, top)], !body.open);
            part.put(body, 0.0, top);
            part.line(&[&[(0.0, top + height)][..], &back].concat(), true);
        }
        None => part.line(&[&[(0.0, under)][..], &back].concat(), true),
    }
    let out = f64::max(free, f64::max(right, beside_label)) + APART / 2.0;
    let bottom = turn + STEP / 2.0;
    part.line(
        &[
            (corner, middle),
            (out, middle),
            (out, bottom),
            (0.0, bottom),
        ],
        false,
    );
    part.left = -x;
    part.right = out;
    part.height = bottom;
    part
}

/// Branches side by side between two bars.
pub fn branches(parts: Vec<Part>) -> Part {
    const BAR: f64 = 5.0;
    let total: f64 = parts.iter().map(|p| p.left + p.right).sum::<f64>()
        + APART * (parts.len().saturating_sub(1)) as f64;
    let total = f64::max(total, 60.0);
    let deepest = parts.iter().map(|p| p.height).fold(0.0, f64::max);
    let mut all = Part {
        left: total / 2.0,
        right: total / 2.0,
        ..Part::default()
    };
    let top = BAR + STEP;
    let bottom = top + deepest + STEP;
    all.put(of_size(Kind::Bar, Vec::new(), total, BAR), 0.0, 0.0);
    all.put(of_size(Kind::Bar, Vec::new(), total, BAR), 0.0, bottom);
    let mut x = -total / 2.0;
    for part in parts {
        let spine = x + part.left;
        x += part.left + part.right + APART;
        all.line(&[(spine, BAR), (spine, top)], !part.open);
        all.line(&[(spine, top + part.height), (spine, bottom)], true);
        all.put(part, spine, top);
    }
    all.height = bottom + BAR;
    all
}
