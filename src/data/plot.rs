//! Measurements → a picture: time and work per second against a size, both axes logarithmic.

use super::axes::{self, Tick};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The heading.
    pub title: String,
    /// The line under it.
    pub about: String,
    /// What goes across.
    pub across: String,
    /// The unit of work, such as `pairs`; without one, only time is drawn.
    pub unit: Option<String>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub label: String,
    /// Its points, from the left.
    pub points: Vec<Point>,
}

/// A measurement. What is not above zero is not drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The size.
    pub x: f64,
    /// The low end, the median and the high end of the time in seconds.
    pub seconds: [f64; 3],
    /// The amount of work.
    pub work: Option<f64>,
}

/// Colours that people with any colour vision tell apart (Okabe and Ito, 2008), without yellow,
/// which is faint on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const INK: RGBColor = RGBColor(40, 40, 40);
const GRID: RGBColor = RGBColor(225, 225, 225);
const FONT: &str = "sans-serif";

const PANEL: (u32, u32) = (560, 440);
const HEAD: u32 = 64;
const LEGEND_ROW: u32 = 22;
const LEGEND_PAD: u32 = 16;
/// A sign of the legend, with the room around it.
const SIGN: u32 = 44;
/// Half the width of a sign.
const SIGN_SIZE: i32 = 4;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Draws a plot as SVG; the same plot gives the same bytes.
///
/// # Errors
///
/// Says why the plot cannot be drawn.
pub fn draw(plot: &Plot) -> Result<String, String> {
    let panels = if plot.unit.is_some() { 2 } else { 1 };
    let width = panels * PANEL.0;
    let rows = legend(plot, width);
    let foot = rows.len() as u32 * LEGEND_ROW + LEGEND_PAD;
    let mut text = String::new();
    {
        let root =
            SVGBackend::with_string(&mut text, (width, HEAD + PANEL.1 + foot)).into_drawing_area();
        paint(plot, &root, &rows).map_err(|e| e.to_string())?;
        root.present().map_err(|e| e.to_string())?;
    }
    // Titles and names are texts of others.
    Ok(crate::term::visible(&text).into_owned())
}

fn paint(plot: &Plot, root: &Area<'_>, rows: &[Vec<(usize, u32)>]) -> Drawn {
    root.fill(&WHITE)?;
    let (width, _) = root.dim_in_pixel();
    let title = cut(&plot.title, width as usize / 11);
    root.draw_text(&title, &ink(20, FontStyle::Bold), (24, 12))?;
    let about = cut(&plot.about, width as usize / 8);
    root.draw_text(&about, &ink(14, FontStyle::Normal), (24, 40))?;
    let (_, rest) = root.split_vertically(HEAD);
    let (body, _) = rest.split_vertically(PANEL.1);
    let panels = body.split_evenly((1, if plot.unit.is_some() { 2 } else { 1 }));
    // A low end of zero, which a coarse clock gives, has no place on a logarithmic axis.
    let seconds = |p: &Point| {
        let [low, median, high] = p.seconds;
        [if low > 0.0 { low } else { median }, median, high]
    };
    panel(
        plot,
        root,
        &panels[0],
        "time of the timed part",
        "s",
        &seconds,
    )?;
    if let (Some(unit), Some(area)) = (&plot.unit, panels.get(1)) {
        let rate = |p: &Point| {
            let work = p.work.unwrap_or(f64::NAN);
            let [low, median, high] = seconds(p);
            [work / high, work / median, work / low]
        };
        panel(plot, root, area, &format!("{unit} per second"), "", &rate)?;
    }
    for (r, row) in rows.iter().enumerate() {
        let y = (HEAD + PANEL.1 + r as u32 * LEGEND_ROW + LEGEND_ROW / 2) as i32;
        for &(i, x) in row {
            let x = x as i32;
            let line = vec![(x, y), (x + 28, y)];
            root.draw(&PathElement::new(line, colour(i).stroke_width(2)))?;
            sign(root, i, (x + 14, y))?;
            let style = ink(14, FontStyle::Normal).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw_text(&plot.lines[i].label, &style, (x + 36, y))?;
        }
    }
    Ok(())
}

/// One pair of axes with all lines; `value` gives the low end, the value and the high end, in `unit`.
fn panel(
    plot: &Plot,
    root: &Area<'_>,
    area: &Area<'_>,
    name: &str,
    unit: &str,
    value: &dyn Fn(&Point) -> [f64; 3],
) -> Drawn {
    let drawn = |p: &&Point| {
        let ends = value(p);
        p.x > 0.0 && ends.iter().all(|y| *y > 0.0 && y.is_finite())
    };
    let all = || plot.lines.iter().flat_map(|l| &l.points).filter(drawn);
    let mut sizes: Vec<f64> = all().map(|p| p.x).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let (Some(&least), Some(&most)) = (sizes.first(), sizes.last()) else {
        return Err("no time is above zero".into());
    };
    let low = all().map(|p| value(p)[0]).fold(f64::INFINITY, f64::min);
    let high = all().map(|p| value(p)[2]).fold(0.0, f64::max);
    let across = axes::of_sizes(&sizes);
    let upwards = axes::of_range(low, high, unit);
    let x = Axis::new(least, most, across, 0.04);
    let y = Axis::new(low, high, upwards, 0.06);
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_right(24)
        .set_label_area_size(LabelAreaPosition::Left, 78)
        .set_label_area_size(LabelAreaPosition::Bottom, 44)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(ink(13, FontStyle::Normal))
        .axis_desc_style(ink(14, FontStyle::Normal))
        .x_desc(plot.across.as_str())
        .y_desc(name)
        .draw()?;
    for (i, line) in plot.lines.iter().enumerate() {
        let shown: Vec<&Point> = line.points.iter().filter(drawn).collect();
        let at = |p: &Point, y: f64| chart.backend_coord(&(p.x, y));
        let path: Vec<(i32, i32)> = shown.iter().map(|p| at(p, value(p)[1])).collect();
        if path.len() > 1 {
            root.draw(&PathElement::new(path.clone(), colour(i).stroke_width(2)))?;
        }
        for (p, &middle) in shown.iter().zip(&path) {
            let [low, _, high] = value(p).map(|y| at(p, y));
            // A bar that its sign would hide is left out.
            if low.1 - high.1 > 2 * SIGN_SIZE {
                let bar = |a, b| PathElement::new(vec![a, b], colour(i).stroke_width(1));
                root.draw(&bar(low, high))?;
                root.draw(&bar((low.0 - 4, low.1), (low.0 + 4, low.1)))?;
                root.draw(&bar((high.0 - 4, high.1), (high.0 + 4, high.1)))?;
            }
            sign(root, i, middle)?;
        }
    }
    Ok(())
}

/// A logarithmic axis with its ticks.
struct Axis {
    /// Decimal logarithms of its ends.
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
}

impl Axis {
    /// An axis that holds two values and the ticks, with some room at both ends.
    fn new(low: f64, high: f64, ticks: Vec<Tick>, room: f64) -> Axis {
        let (mut low, mut high) = (low.log10(), high.log10());
        for tick in &ticks {
            (low, high) = (low.min(tick.at), high.max(tick.at));
        }
        let room = ((high - low) * room).max(0.02);
        Axis {
            low: low - room,
            high: high + room,
            ticks,
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        from + (part * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|t| 10f64.powf(t.at)).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        10f64.powf(self.low)..10f64.powf(self.high)
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let near = |t: &&Tick| (t.at - value.log10()).abs() < 1e-9;
        let tick = self.ticks.iter().find(near);
        tick.map_or(String::new(), |t| t.label.clone())
    }
}

fn colour(line: usize) -> RGBColor {
    COLOURS[line % COLOURS.len()]
}

/// The sign of a line's points, at a pixel: its form tells lines apart without colours, too.
fn sign(root: &Area<'_>, line: usize, (x, y): (i32, i32)) -> Drawn {
    let r = SIGN_SIZE;
    let style = colour(line).filled();
    match line % 4 {
        0 => root.draw(&Circle::new((x, y), r, style))?,
        1 => root.draw(&Rectangle::new(
            [(x - r + 1, y - r + 1), (x + r - 1, y + r - 1)],
            style,
        ))?,
        2 => root.draw(&Polygon::new(
            vec![
                (x, y - r - 1),
                (x + r + 1, y + r - 1),
                (x - r - 1, y + r - 1),
            ],
            style,
        ))?,
        _ => root.draw(&Polygon::new(
            vec![
                (x, y - r - 1),
                (x + r + 1, y),
                (x, y + r + 1),
                (x - r - 1, y),
            ],
            style,
        ))?,
    }
    Ok(())
}

fn ink(size: i32, style: FontStyle) -> TextStyle<'static> {
    FontDesc::new(FontFamily::Name(FONT), f64::from(size), style).color(&INK)
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// The rows of the legend: lines by number, each with where it begins.
fn legend(plot: &Plot, width: u32) -> Vec<Vec<(usize, u32)>> {
    let mut rows: Vec<Vec<(usize, u32)>> = vec![Vec::new()];
    let mut x = 24;
    for (i, line) in plot.lines.iter().enumerate() {
        // Without fonts at hand, the width of a text is a guess on the safe side.
        let wide = SIGN + line.label.chars().count() as u32 * 8 + 16;
        if x > 24 && x + wide > width {
            rows.push(Vec::new());
            x = 24;
        }
        if let Some(row) = rows.last_mut() {
            row.push((i, x));
        }
        x += wide;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(label: &str, points: &[(f64, f64)]) -> Line {
        let point = |&(x, s): &(f64, f64)| Point {
            x,
            seconds: [0.9 * s, s, 1.2 * s],
            work: Some(x * x),
        };
        Line {
            label: label.into(),
            points: points.iter().map(point).collect(),
        }
    }

    #[test]
    fn lines_axes_and_legend_are_drawn() {
        let mut plot = Plot {
            title: "N & bodies <1>".into(),
            about: "nine runs".into(),
            across: "N".into(),
            unit: Some("pairs".into()),
            lines: vec![
                line(
                    "rust, sequential",
                    &[(256.0, 1e-3), (512.0, 4e-3), (1024.0, 0.016)],
                ),
                line("cuda, gpu", &[(256.0, 1e-4), (512.0, 0.0), (1024.0, 3e-4)]),
            ],
        };
        let text = draw(&plot).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        let wanted = [
            "N &amp; bodies",
            "time of the timed part",
            "pairs per second",
            "rust, sequential",
            "cuda, gpu",
            "1,024",
            "1 ms",
        ];
        for wanted in wanted {
            assert!(text.contains(wanted), "{wanted}\n{text}");
        }
        assert!(!text.contains("NaN") && !text.contains("inf"));
        assert_eq!(text, draw(&plot).unwrap());
        // More lines than colours, no unit, one size.
        plot.unit = None;
        plot.lines = (0..12)
            .map(|i| line(&format!("variant {i}"), &[(7.0, 2.0)]))
            .collect();
        assert!(draw(&plot).unwrap().contains("variant 11"));
        plot.lines.clear();
        assert!(draw(&plot).is_err());
    }
}
