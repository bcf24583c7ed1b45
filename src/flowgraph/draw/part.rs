//! What is drawn, and parts of it: everything is placed relative to a spine that goes straight down.

/// What a shape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An operator.
    Action,
    /// A predicate.
    Ask,
    /// The head of a loop over numbers.
    Loop,
    /// A synchronizer.
    Synchronizer,
    /// What is not drawn in its parts.
    Folded,
    /// Where branches begin or meet.
    Bar,
    /// Where a drawing begins.
    Start,
    /// Where it ends.
    End,
    /// A kernel, with what is in it.
    Kernel,
    /// Any other operator with what is in it.
    Frame,
    /// The operators of a phrase.
    Phrase,
}

impl Kind {
    /// Whether other shapes stand inside of it.
    pub fn holds_shapes(self) -> bool {
        matches!(self, Kind::Kernel | Kind::Frame | Kind::Phrase)
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Its left side.
    pub x: f64,
    /// Its top.
    pub y: f64,
    /// Its width.
    pub w: f64,
    /// Its height.
    pub h: f64,
}

/// A shape with its text; of one that holds others, the text stands at its top.
#[derive(Clone, Debug)]
pub struct Shape {
    /// What it stands for.
    pub kind: Kind,
    /// Its room.
    pub at: Rect,
    /// Its text, line by line.
    pub lines: Vec<String>,
}

/// A text by itself.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its room.
    pub at: Rect,
    /// The text.
    pub text: String,
    /// Size of the font.
    pub size: f64,
}

/// A line of straight pieces.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its corners.
    pub points: Vec<(f64, f64)>,
    /// Whether it ends with an arrow.
    pub arrow: bool,
    /// Which of several looks it has: 0 is that of control.
    pub look: u8,
}

/// A drawing, or a part of one. It is entered at (0, 0) and left at (0, height).
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// How far it reaches to the left of the spine.
    pub left: f64,
    /// How far it reaches to the right.
    pub right: f64,
    /// How far it reaches down.
    pub height: f64,
    /// Whether it begins with a line, so that no arrow is to lead there.
    pub open: bool,
    /// Its shapes, those that hold others before these.
    pub shapes: Vec<Shape>,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Its texts that stand in no shape.
    pub labels: Vec<Label>,
}

impl Part {
    /// Puts another part in, its spine at `x` and its top at `y`.
    pub fn put(&mut self, other: Part, x: f64, y: f64) {
        let shift = |at: Rect| Rect {
            x: at.x + x,
            y: at.y + y,
            ..at
        };
        self.shapes.extend(other.shapes.into_iter().map(|s| Shape {
            at: shift(s.at),
            ..s
        }));
        self.labels.extend(other.labels.into_iter().map(|l| Label {
            at: shift(l.at),
            ..l
        }));
        self.lines.extend(other.lines.into_iter().map(|l| Line {
            points: l.points.iter().map(|p| (p.0 + x, p.1 + y)).collect(),
            ..l
        }));
    }

    /// Draws a line of control.
    pub fn line(&mut self, points: &[(f64, f64)], arrow: bool) {
        self.lines.push(Line {
            points: points.to_vec(),
            arrow,
            look: 0,
        });
    }

    /// Puts a text, its left upper corner at a point.
    pub fn label(&mut self, text: &str, x: f64, y: f64, size: f64) {
        let at = Rect {
            x,
            y,
            w: super::text::label_width(text, size),
            h: size * super::text::LINE,
        };
        self.labels.push(Label {
            at,
            text: text.to_owned(),
            size,
        });
    }
}
