//! Markers: a shape per curve, and crosses.

use super::layout::FigureLayout;
use super::theme::FigureColor;
use super::{CURVE_COLOR_COUNT, Emitter, placed};
use crate::escape::escape_for_markup;
use crate::figure::{Curve, CurveStyle, Figure};

/// Up to this many points a single line has a dot at each.
const DOTS: usize = 130;
/// The same for several lines; a longer one has [`SOME`].
const DOTS_OF_SEVERAL: usize = 40;
/// Dots of a long line among several.
const SOME: usize = 14;
/// Dots with a tooltip; more are one path.
const TELLING: usize = 1000;

/// Each curve has its own shape, for print without colour.
pub(super) fn draw_dots(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    let count = curve.points.len();
    let several = f.curves.iter().filter(|c| c.style == CurveStyle::Line && !c.points.is_empty()).count() > 1;
    let every = match curve.style {
        CurveStyle::Dots => 1,
        _ if several && count > DOTS_OF_SEVERAL => count.div_ceil(SOME),
        _ if count > DOTS => return,
        _ => 1,
    };
    // Staggers the dots of several lines.
    let first = if every > 1 { (i * every / 3) % every } else { 0 };
    let chosen = curve.points.iter().skip(first).step_by(every);
    let r = if count > 60 && every == 1 { 2.0 } else { 2.8 };
    let fill = out.theme.fill_attribute(FigureColor::Curve(i));
    if count / every > TELLING {
        let shapes: String =
            chosen.filter_map(|p| l.pixel_position(f, *p)).map(|(x, y)| marker_shape(i, x, y, r)).collect();
        out.raw(&format!("<path d=\"{shapes}\" {fill}/>\n"));
        return;
    }
    for p in chosen {
        if let Some((x, y)) = l.pixel_position(f, *p) {
            let words = escape_for_markup(&format!("{}: {}", f.x.format_value(p.0), f.y.format_value(p.1)));
            out.raw(&format!(
                "<path d=\"{}\" {fill}><title>{words}</title></path>\n",
                marker_shape(i, x, y, r)
            ));
        }
    }
}

pub(super) fn draw_crosses(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve) {
    for (x, y) in placed(l, f, curve.points.iter().copied()) {
        draw_cross(out, x, y);
    }
}

pub(super) fn draw_cross(out: &mut Emitter, x: f64, y: f64) {
    let stroke = out.theme.stroke_attribute(FigureColor::Limit);
    let (w, e, n, s) = (x - 4.0, x + 4.0, y - 4.0, y + 4.0);
    out.raw(&format!(
        "<path d=\"M{w:.1} {n:.1}L{e:.1} {s:.1}M{e:.1} {n:.1}L{w:.1} {s:.1}\" fill=\"none\" stroke-width=\"2\" {stroke}/>\n"
    ));
}

pub(super) fn marker_shape(i: usize, x: f64, y: f64, r: f64) -> String {
    let (s, d, t) = (r * 0.9, r * 1.3, r * 0.45);
    match i % CURVE_COLOR_COUNT {
        0 => format!("M{:.1} {y:.1}a{r} {r} 0 1 0 {:.1} 0a{r} {r} 0 1 0 {:.1} 0Z", x - r, 2.0 * r, -2.0 * r),
        1 => format!("M{:.1} {:.1}h{:.1}v{:.1}h{:.1}Z", x - s, y - s, 2.0 * s, 2.0 * s, -2.0 * s),
        2 => format!("M{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}Z", y - d, x + d, y + d, x - d),
        3 => format!("M{x:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z", y - d, x + d, y + s, x - d, y + s),
        4 => format!("M{x:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z", y + d, x + d, y - s, x - d, y - s),
        5 => format!(
            "M{:.1} {:.1}h{w:.1}v{a:.1}h{a:.1}v{w:.1}h-{a:.1}v{a:.1}h-{w:.1}v-{a:.1}h-{a:.1}v-{w:.1}h{a:.1}Z",
            x - t,
            y - d,
            w = 2.0 * t,
            a = d - t
        ),
        6 => format!("M{:.1} {:.1}H{:.1}L{:.1} {:.1}H{:.1}Z", x - d, y - d, x + d, x - d, y + d, x + d),
        _ => format!("M{:.1} {:.1}V{:.1}L{:.1} {:.1}V{:.1}Z", x - d, y - d, y + d, x + d, y - d, y + d),
    }
}
