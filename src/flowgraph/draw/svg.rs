//! Drawings → SVG.

use super::leaf::SIZE;
use super::part::{Kind, Part, Rect, Shape};
use super::text::{LINE, TITLE, width};
use crate::term::visible_line;
use std::fmt::Write;

/// Colours of lines: of control, then of kinds of dependences.
const LOOKS: [&str; 4] = ["#3b4252", "#0072b2", "#d55e00", "#009e73"];
const FONT: &str = "'DejaVu Sans', Verdana, 'Noto Sans', sans-serif";

/// A drawing as SVG; the same drawing gives the same bytes.
pub fn svg(page: &Part) -> String {
    let (w, h) = (page.right.ceil(), page.height.ceil());
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">"
    );
    let _ = writeln!(
        out,
        "<style>text{{font-family:{FONT};fill:#20242c}} .s{{stroke:#4c566a;stroke-width:1.2}} .l{{paint-order:stroke;stroke:#ffffff;stroke-width:3;stroke-linejoin:round}}</style>"
    );
    out.push_str("<defs>\n");
    for (look, colour) in LOOKS.iter().enumerate() {
        let _ = writeln!(
            out,
            "<marker id=\"a{look}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 1.5 9 5 0 8.5 2.5 5z\" fill=\"{colour}\"/></marker>"
        );
    }
    let _ = writeln!(
        out,
        "</defs>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>"
    );
    let (holders, others): (Vec<&Shape>, Vec<&Shape>) =
        page.shapes.iter().partition(|s| s.kind.holds_shapes());
    for shape in holders {
        shape_of(shape, &mut out);
    }
    for line in &page.lines {
        let mut path = String::new();
        for (i, (x, y)) in line.points.iter().enumerate() {
            let _ = write!(
                path,
                "{}{} {}",
                if i == 0 { "M" } else { " L" },
                r(*x),
                r(*y)
            );
        }
        let marker = match line.arrow {
            true => format!(" marker-end=\"url(#a{})\"", line.look),
            false => String::new(),
        };
        let colour = LOOKS[usize::from(line.look) % LOOKS.len()];
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\" stroke-linejoin=\"round\"{marker}/>"
        );
    }
    for shape in others {
        shape_of(shape, &mut out);
    }
    for label in &page.labels {
        let bold = if label.size >= TITLE {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<text class=\"l\" x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"{bold}>{}</text>",
            r(label.at.x),
            r(label.at.y + label.size * 1.02),
            label.size,
            r(label.at.w),
            escaped(&label.text)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// A number with a tenth.
fn r(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn escaped(text: &str) -> String {
    visible_line(text)
        .chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            c => c.to_string(),
        })
        .collect()
}

fn shape_of(shape: &Shape, out: &mut String) {
    let Rect { x, y, w, h } = shape.at;
    let (fill, more) = match shape.kind {
        Kind::Action => ("#f7f9fc", "rx=\"4\""),
        Kind::Ask => ("#fff6df", ""),
        Kind::Loop => ("#eaf4ea", ""),
        Kind::Synchronizer => ("#f3e8f7", "rx=\"12\""),
        Kind::Folded => ("#e5e9f0", "rx=\"4\" stroke-dasharray=\"2 2\""),
        Kind::Bar | Kind::Start => ("#3b4252", ""),
        Kind::End => ("#ffffff", ""),
        Kind::Kernel => ("#e8f1fb", "rx=\"6\""),
        Kind::Frame => ("#fbfbfb", "rx=\"6\" stroke-dasharray=\"6 3\""),
        Kind::Phrase => ("#fdf9f2", "rx=\"6\" stroke-dasharray=\"1 3\""),
    };
    let points = |corners: &[(f64, f64)]| {
        let all: Vec<String> = corners
            .iter()
            .map(|(x, y)| format!("{},{}", r(*x), r(*y)))
            .collect();
        all.join(" ")
    };
    let (cx, cy) = (x + w / 2.0, y + h / 2.0);
    let _ = match shape.kind {
        Kind::Ask => writeln!(
            out,
            "<polygon points=\"{}\" fill=\"{fill}\" class=\"s\"/>",
            points(&[(cx, y), (x + w, cy), (cx, y + h), (x, cy)])
        ),
        Kind::Loop => {
            let in_ = 14.0;
            let corners = [
                (x + in_, y),
                (x + w - in_, y),
                (x + w, cy),
                (x + w - in_, y + h),
                (x + in_, y + h),
                (x, cy),
            ];
            writeln!(
                out,
                "<polygon points=\"{}\" fill=\"{fill}\" class=\"s\"/>",
                points(&corners)
            )
        }
        Kind::Start => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"{fill}\"/>",
            r(cx),
            r(cy)
        ),
        Kind::End => writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"6.3\" fill=\"{fill}\" class=\"s\"/><circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"#3b4252\"/>",
            r(cx),
            r(cy),
            r(cx),
            r(cy)
        ),
        _ => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {more} fill=\"{fill}\" class=\"s\"/>",
            r(x),
            r(y),
            r(w),
            r(h)
        ),
    };
    let tall = shape.lines.len() as f64 * SIZE * LINE;
    let top = match shape.kind.holds_shapes() {
        true => y + 6.0,
        false => cy - tall / 2.0,
    };
    for (i, line) in shape.lines.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"{SIZE}\" text-anchor=\"middle\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
            r(cx),
            r(top + i as f64 * SIZE * LINE + SIZE * 1.02),
            r(width(line, SIZE)),
            escaped(line)
        );
    }
}
