//! A path as boxes in a row with arrows between them. A limiting box has a thick border and its word.

use super::layout::{TextAnchor, TextLabel};
use super::text_fitting::{truncate_text, wrap_text};
use super::theme::FigureColor;
use super::{Emitter, FIGURE_WIDTH_PX, Picture, Theme};
use crate::path_diagram::{DiagramElement, PathDiagram};

const MARGIN: f64 = 14.0;
const TITLE: f64 = 15.0;
const NAME: f64 = 12.0;
const SMALL: f64 = 11.0;
const LINE: f64 = 15.0;
const ARROW: f64 = 20.0;
const PADDING: f64 = 7.0;
const BAR: f64 = 7.0;

impl Picture for PathDiagram {
    fn id(&self) -> &str {
        "path"
    }

    fn to_svg(&self, theme: Theme, prefix: &str) -> String {
        let count = self.elements.len().max(1) as f64;
        let width = ((FIGURE_WIDTH_PX - 2.0 * MARGIN - ARROW * (count - 1.0)) / count).max(4.0 * PADDING);
        let boxes: Vec<BoxTexts> = self.elements.iter().map(|e| BoxTexts::new(e, width)).collect();
        let most = |lines: fn(&BoxTexts) -> usize| boxes.iter().map(lines).max().unwrap_or(0) as f64;
        let rows = Rows {
            top: MARGIN + TITLE + 14.0,
            names: most(|b| b.name.len()) * LINE,
            figures: most(|b| b.figure.len()) * LINE,
        };
        let height = rows.bottom() + MARGIN;
        let id = format!("{prefix}-{}", self.id());
        let mut out = Emitter::begin(theme, &id, &self.title, &self.to_line(), height);
        let title = truncate_text(&self.title, FIGURE_WIDTH_PX - 2.0 * MARGIN, TITLE);
        word(&mut out, (MARGIN, MARGIN + TITLE), title, TITLE, FigureColor::Text);
        for (at, (element, texts)) in self.elements.iter().zip(&boxes).enumerate() {
            let left = MARGIN + at as f64 * (width + ARROW);
            if at > 0 {
                arrow(&mut out, left - ARROW, left, (rows.top + rows.bottom()) / 2.0);
            }
            draw_box(&mut out, element, texts, &rows, (left, width));
        }
        out.end()
    }
}

/// Lines that fit into a box.
struct BoxTexts {
    name: Vec<String>,
    figure: Vec<String>,
}

impl BoxTexts {
    fn new(element: &DiagramElement, width: f64) -> BoxTexts {
        let inside = width - 2.0 * PADDING;
        // Bold letters are wider.
        BoxTexts {
            name: wrap_text(&element.name, inside, NAME * 1.06),
            figure: wrap_text(&element.figure, inside, SMALL),
        }
    }
}

/// Texts of the same kind are level in all boxes.
struct Rows {
    top: f64,
    names: f64,
    figures: f64,
}

impl Rows {
    fn bar(&self) -> f64 {
        self.top + PADDING + self.names + self.figures + 6.0
    }

    fn bottom(&self) -> f64 {
        self.bar() + BAR + 2.0 * LINE + PADDING
    }
}

fn draw_box(
    out: &mut Emitter,
    element: &DiagramElement,
    texts: &BoxTexts,
    rows: &Rows,
    (left, width): (f64, f64),
) {
    let limits = element.limits();
    let (ink, border) = if limits { (FigureColor::Limit, 3.5) } else { (FigureColor::Axis, 1.0) };
    let stroke = out.theme.stroke_attribute(ink);
    let (top, height) = (rows.top, rows.bottom() - rows.top);
    out.raw(&format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\" fill=\"none\" \
         stroke-width=\"{border}\" {stroke}/>\n"
    ));
    let (x, inside) = (left + PADDING, width - 2.0 * PADDING);
    for (lines, size, above, color) in
        [(&texts.name, NAME, 0.0, FigureColor::Text), (&texts.figure, SMALL, rows.names, FigureColor::Muted)]
    {
        for (n, text) in (1..).zip(lines) {
            let y = rows.top + PADDING + above + f64::from(n) * LINE - 4.0;
            word(out, (x, y), text.clone(), size, color);
        }
    }
    if let Some(used) = element.use_percent.filter(|used| used.is_finite()) {
        bar(out, (x, rows.bar(), inside), used.clamp(0.0, 100.0) / 100.0, limits);
        let headroom = truncate_text(&element.headroom, inside, SMALL);
        word(out, (x, rows.bar() + BAR + LINE - 2.0), headroom, SMALL, FigureColor::Muted);
    }
    let mark = truncate_text(&element.mark, inside, SMALL * 1.06);
    word(out, (x, rows.bar() + BAR + 2.0 * LINE), mark, SMALL, FigureColor::Limit);
}

/// Filled as far as the element is used.
fn bar(out: &mut Emitter, (x, y, width): (f64, f64, f64), share: f64, limits: bool) {
    let stroke = out.theme.stroke_attribute(FigureColor::Axis);
    let fill = out.theme.fill_attribute(if limits { FigureColor::Limit } else { FigureColor::Curve(0) });
    out.raw(&format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{BAR}\" {fill}/>\n\
         <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"none\" {stroke}/>\n",
        width * share
    ));
}

fn arrow(out: &mut Emitter, from: f64, to: f64, y: f64) {
    let (from, to) = (from + 4.0, to - 4.0);
    out.line((from, y), (to, y), FigureColor::Text, 1.5, "");
    let stroke = out.theme.stroke_attribute(FigureColor::Text);
    let (back, above, below) = (to - 5.0, y - 4.0, y + 4.0);
    out.raw(&format!(
        "<path d=\"M{back:.1} {above:.1}L{to:.1} {y:.1}L{back:.1} {below:.1}\" fill=\"none\" stroke-width=\"1.5\" \
         {stroke}/>\n"
    ));
}

/// Names, title and mark are bold.
fn word(out: &mut Emitter, (x, y): (f64, f64), text: String, size: f64, ink: FigureColor) {
    if !text.is_empty() {
        let bold = ink != FigureColor::Muted;
        out.text(&TextLabel { x, y, text, size, anchor: TextAnchor::Start, ink, bold, halo: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use resvg::usvg::roxmltree;

    fn diagram() -> PathDiagram {
        PathDiagram::from_diagnosis(&documents::diagnosis()).unwrap()
    }

    #[test]
    fn each_element_is_a_box_and_only_the_limiting_one_has_a_thick_border() {
        let drawn = diagram().to_svg(Theme::Light, "x");
        let xml = roxmltree::Document::parse(&drawn).unwrap();
        let boxes: Vec<_> = xml.descendants().filter(|n| n.attribute("rx").is_some()).collect();
        let borders: Vec<_> = boxes.iter().filter_map(|n| n.attribute("stroke-width")).collect();
        assert_eq!(borders, ["1", "1", "1", "3.5", "1"]);
        let right = |n: &roxmltree::Node<'_, '_>| {
            let number = |name: &str| n.attribute(name).and_then(|v| v.parse::<f64>().ok()).unwrap();
            number("x") + number("width")
        };
        assert!(boxes.iter().all(|n| right(n) <= FIGURE_WIDTH_PX - MARGIN + 0.1));
        for text in ["receive buffer", "headroom 4.0 %", "limit", "350.2 Mbit/s"] {
            assert!(drawn.contains(&format!(">{text}<")), "{text}: {drawn}");
        }
    }

    #[test]
    fn the_description_says_what_the_picture_shows() {
        let drawn = diagram().to_svg(Theme::Adaptive, "x");
        let xml = roxmltree::Document::parse(&drawn).unwrap();
        let root = xml.root_element();
        assert_eq!(root.attribute("aria-labelledby"), Some("x-path-title x-path-desc"));
        let text = |id: &str| root.children().find(|n| n.attribute("id") == Some(id)).and_then(|n| n.text());
        assert_eq!(text("x-path-title"), Some("Path of the data"));
        assert_eq!(text("x-path-desc"), Some(diagram().to_line().as_str()));
    }

    #[test]
    fn foreign_and_odd_values_do_not_break_it() {
        let mut odd = diagram();
        odd.elements[0].name = "<b>a very long name of an element that does not fit</b>".into();
        odd.elements[1].use_percent = Some(f64::NAN);
        odd.elements[2].use_percent = Some(1e9);
        let drawn = odd.to_svg(Theme::Light, "x");
        assert!(!drawn.contains("NaN") && !drawn.contains("<b>"), "{drawn}");
        let none = PathDiagram { elements: Vec::new(), ..diagram() };
        assert!(none.to_svg(Theme::Light, "x").ends_with("</svg>\n"));
    }
}
