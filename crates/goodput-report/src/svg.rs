//! A [`Picture`] as deterministic SVG for light, dark, print and screen readers.
//!
//! An own emitter, since charting libraries have fixed colours, no `<title>` and `<desc>`, and one font: no
//! dark mode, print form, or fallback for Japanese and Russian names.
//!
//! Elements have a light colour and a class, so viewers without CSS variables show the light form.

mod bars;
mod layout;
mod markers;
mod path_diagram;
mod text_fitting;
mod theme;

pub use theme::{CURVE_COLOR_COUNT, THEME_CSS, Theme};

use crate::escape::escape_for_markup;
pub use crate::figure::downsample::FIGURE_WIDTH_PX;
use crate::figure::{Curve, CurveStyle, Figure, downsample};
use layout::{FigureLayout, TextAnchor, TextLabel};
use std::fmt::Write;
use theme::FigureColor;

/// What is drawn as SVG and PNG.
pub trait Picture {
    /// Short name for files and for identifiers within a page.
    fn id(&self) -> &str;

    /// One `<svg>` element; a whole file except for [`Theme::Inline`].
    ///
    /// `prefix` begins every identifier, so that several pictures fit in one page; only its letters, digits and
    /// `-` are used.
    fn to_svg(&self, theme: Theme, prefix: &str) -> String;
}

impl Picture for Figure {
    fn id(&self) -> &str {
        &self.id
    }

    fn to_svg(&self, theme: Theme, prefix: &str) -> String {
        figure_to_svg(self, theme, prefix)
    }
}

/// As [`Picture::to_svg`].
pub fn figure_to_svg(figure: &Figure, theme: Theme, prefix: &str) -> String {
    let few = downsample::downsample_figure(figure);
    let figure = few.as_ref().unwrap_or(figure);
    let layout = FigureLayout::from_figure(figure);
    let id = format!("{prefix}-{}", figure.id);
    let mut out = Emitter::begin(theme, &id, &figure.title, &figure.description, layout.height);
    grid(&mut out, &layout);
    for (i, curve) in figure.curves.iter().enumerate() {
        match curve.style {
            CurveStyle::Dots => strokes(&mut out, &layout, figure, curve, i),
            CurveStyle::Bars => bars::draw_bars(&mut out, &layout, figure, curve, i),
            _ => band(&mut out, &layout, figure, curve, i),
        }
    }
    for (i, curve) in figure.curves.iter().enumerate() {
        if !matches!(curve.style, CurveStyle::Dots | CurveStyle::Bars | CurveStyle::Crosses) {
            line(&mut out, &layout, figure, curve, i);
        }
        match curve.style {
            CurveStyle::Line | CurveStyle::Dots => markers::draw_dots(&mut out, &layout, figure, curve, i),
            CurveStyle::Bars => bars::draw_whiskers(&mut out, &layout, figure, curve, i),
            CurveStyle::Crosses => markers::draw_crosses(&mut out, &layout, figure, curve),
            CurveStyle::Steps | CurveStyle::Dashed | CurveStyle::Rule => {}
        }
    }
    // Above the curves, which must not hide it.
    for line in &layout.limit_lines {
        out.line((layout.left, *line), (layout.right, *line), FigureColor::Limit, 1.5, "6 4");
    }
    for (x, y) in &layout.rings {
        out.raw(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"none\" stroke-width=\"1.5\" {}/>\n",
            theme.stroke_attribute(FigureColor::Text)
        ));
    }
    for (key, x, y) in &layout.keys {
        swatch(&mut out, *key, *x, *y);
    }
    for words in &layout.words {
        out.text(words);
    }
    out.end()
}

pub fn figure_to_svg_file(picture: &dyn Picture) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", picture.to_svg(Theme::Adaptive, "goodput"))
}

/// A sample of the legend; without a curve it stands for several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Line(usize, CurveStyle),
    Band(Option<usize>),
    Stroke(Option<usize>),
    Bar(usize),
    Whisker,
    Cross,
}

impl Key {
    fn of(curve: usize, style: CurveStyle) -> Key {
        match style {
            CurveStyle::Bars => Key::Bar(curve),
            CurveStyle::Crosses => Key::Cross,
            _ => Key::Line(curve, style),
        }
    }

    fn band_of(curve: Option<usize>, style: CurveStyle) -> Key {
        match style {
            CurveStyle::Bars => Key::Whisker,
            CurveStyle::Dots => Key::Stroke(curve),
            _ => Key::Band(curve),
        }
    }
}

struct Emitter {
    out: String,
    theme: Theme,
}

impl Emitter {
    fn begin(theme: Theme, id: &str, title: &str, description: &str, height: f64) -> Emitter {
        let id: String = id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let mut out = Emitter { out: String::new(), theme };
        let (w, h) = (FIGURE_WIDTH_PX, height);
        out.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gp\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\" \
             width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"{}\">\n",
            theme::FONT_FAMILY
        ));
        out.raw(&format!("<title id=\"{id}-title\">{}</title>\n", escape_for_markup(title)));
        out.raw(&format!("<desc id=\"{id}-desc\">{}</desc>\n", escape_for_markup(description)));
        if theme == Theme::Adaptive {
            out.raw(&format!("<style>{THEME_CSS}</style>\n"));
        }
        let background = theme.fill_attribute(FigureColor::Background);
        out.raw(&format!("<rect width=\"{w}\" height=\"{h}\" {background}/>\n"));
        out
    }

    fn end(mut self) -> String {
        self.raw("</svg>\n");
        self.out
    }

    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: FigureColor, width: f64, dash: &str) {
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        let stroke = self.theme.stroke_attribute(ink);
        let _ = writeln!(
            self.out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"{width}\"{dash} {stroke}/>",
            from.0, from.1, to.0, to.1
        );
    }

    fn text(&mut self, w: &TextLabel) {
        let anchor = match w.anchor {
            TextAnchor::Start => "start",
            TextAnchor::Middle => "middle",
            TextAnchor::End => "end",
        };
        let weight = if w.bold { " font-weight=\"600\"" } else { "" };
        // Text over curves has a background-coloured outline.
        let halo = if w.halo {
            format!(
                " paint-order=\"stroke\" stroke-width=\"4\" stroke-linejoin=\"round\" {}",
                self.theme.halo_attributes(w.ink)
            )
        } else {
            format!(" {}", self.theme.fill_attribute(w.ink))
        };
        let _ = writeln!(
            self.out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{}\" text-anchor=\"{anchor}\"{weight}{halo}>{}</text>",
            w.x,
            w.y,
            w.size,
            escape_for_markup(&w.text)
        );
    }
}

fn grid(out: &mut Emitter, l: &FigureLayout) {
    for tick in &l.x_ticks {
        if tick.named {
            out.line((tick.at, l.top), (tick.at, l.bottom), FigureColor::Grid, 1.0, "");
        }
        let length = if tick.named { 5.0 } else { 3.0 };
        out.line((tick.at, l.bottom), (tick.at, l.bottom + length), FigureColor::Axis, 1.0, "");
    }
    for tick in &l.y_ticks {
        if tick.named {
            out.line((l.left, tick.at), (l.right, tick.at), FigureColor::Grid, 1.0, "");
        }
        let length = if tick.named { 5.0 } else { 3.0 };
        out.line((l.left - length, tick.at), (l.left, tick.at), FigureColor::Axis, 1.0, "");
    }
    out.line((l.left, l.bottom), (l.right, l.bottom), FigureColor::Axis, 1.0, "");
    out.line((l.left, l.top), (l.left, l.bottom), FigureColor::Axis, 1.0, "");
}

fn placed(l: &FigureLayout, f: &Figure, points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    points.filter_map(|p| l.pixel_position(f, p)).collect()
}

fn path(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
    }
    d
}

fn band(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    let upper = placed(l, f, curve.band.iter().map(|b| (b.0, b.2)));
    let mut lower = placed(l, f, curve.band.iter().map(|b| (b.0, b.1)));
    if upper.len() < 2 || lower.len() < 2 {
        return;
    }
    lower.reverse();
    let edge: Vec<(f64, f64)> = upper.into_iter().chain(lower).collect();
    let fill = out.theme.fill_attribute(FigureColor::Curve(i));
    out.raw(&format!("<path d=\"{}Z\" fill-opacity=\"0.22\" stroke=\"none\" {fill}/>\n", path(&edge)));
}

/// One stroke per dot along its band.
fn strokes(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    for (y, left, right) in &curve.band {
        if let (Some(from), Some(to)) = (l.pixel_position(f, (*left, *y)), l.pixel_position(f, (*right, *y)))
        {
            out.line(from, to, FigureColor::Curve(i), 3.0, "");
        }
    }
}

fn line(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    let points = placed(l, f, curve.points.iter().copied());
    if points.len() < 2 {
        return;
    }
    let dash = if curve.style == CurveStyle::Dashed { " stroke-dasharray=\"2 3\"" } else { "" };
    let (ink, width) = if curve.style == CurveStyle::Rule {
        (FigureColor::Muted, "1")
    } else {
        (FigureColor::Curve(i), "1.75")
    };
    let stroke = out.theme.stroke_attribute(ink);
    out.raw(&format!(
        "<path d=\"{}\" fill=\"none\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dash} {stroke}/>\n",
        path(&points)
    ));
}

fn swatch(out: &mut Emitter, key: Key, x: f64, y: f64) {
    let colour = |curve: Option<usize>| curve.map_or(FigureColor::Muted, FigureColor::Curve);
    match key {
        Key::Line(i, style) => {
            let dash = if style == CurveStyle::Dashed { "2 3" } else { "" };
            if style == CurveStyle::Rule {
                out.line((x, y), (x + 22.0, y), FigureColor::Muted, 1.0, "");
            } else if style != CurveStyle::Dots {
                out.line((x, y), (x + 22.0, y), FigureColor::Curve(i), 2.0, dash);
            }
            if matches!(style, CurveStyle::Line | CurveStyle::Dots) {
                let fill = out.theme.fill_attribute(FigureColor::Curve(i));
                out.raw(&format!("<path d=\"{}\" {fill}/>\n", markers::marker_shape(i, x + 11.0, y, 3.0)));
            }
        }
        Key::Stroke(curve) => out.line((x, y), (x + 22.0, y), colour(curve), 3.0, ""),
        Key::Whisker => bars::draw_whisker(out, x + 11.0, y - 6.0, y + 6.0),
        Key::Bar(i) => bars::draw_bar(out, (x, y - 6.0, x + 22.0, y + 6.0), i, ""),
        Key::Cross => markers::draw_cross(out, x + 11.0, y),
        Key::Band(curve) => {
            let fill = out.theme.fill_attribute(colour(curve));
            out.raw(&format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"22\" height=\"10\" fill-opacity=\"0.22\" {fill}/>\n",
                y - 5.0
            ));
        }
    }
}
