//! Bars with hatches, for print without colour, and intervals. Hatches are computed lines, since a pattern
//! needs an identifier.

use super::layout::FigureLayout;
use super::theme::FigureColor;
use super::{CURVE_COLOR_COUNT, Emitter};
use crate::escape::escape_for_markup;
use crate::figure::{Curve, Figure};
use std::fmt::Write;

type Box4 = (f64, f64, f64, f64);

pub(super) fn draw_bars(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    let Some((offset, width)) = f.bar_geometry(i) else { return };
    for (x, y) in &curve.points {
        let at = |x: f64, y: f64| l.pixel_position(f, (x + offset, y));
        // On an axis that does not begin at zero, the bar starts at the bottom.
        let (Some(left), Some(right)) = (at(x - width / 2.0, *y), at(x + width / 2.0, *y)) else { continue };
        let bottom = at(*x, 0.0).map_or(l.bottom, |p| p.1);
        let words =
            escape_for_markup(&format!("{}, {}: {}", f.x.format_value(*x), curve.name, f.y.format_value(*y)));
        draw_bar(out, (left.0 + 1.0, left.1, right.0 - 1.0, bottom), i, &words);
    }
}

pub(super) fn draw_bar(out: &mut Emitter, (left, top, right, bottom): Box4, i: usize, words: &str) {
    let fill = out.theme.fill_attribute(FigureColor::Curve(i));
    let told = if words.is_empty() { String::new() } else { format!("<title>{words}</title>") };
    let (w, h) = ((right - left).max(0.5), (bottom - top).max(0.0));
    out.raw(&format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {fill}>{told}</rect>\n"
    ));
    let lines = hatch(i, (left, top, right, bottom));
    if !lines.is_empty() {
        let stroke = out.theme.stroke_attribute(FigureColor::Background);
        out.raw(&format!("<path d=\"{lines}\" fill=\"none\" stroke-width=\"1.1\" {stroke}/>\n"));
    }
}

pub(super) fn draw_whiskers(out: &mut Emitter, l: &FigureLayout, f: &Figure, curve: &Curve, i: usize) {
    let Some((offset, _)) = f.bar_geometry(i) else { return };
    for (x, low, high) in &curve.band {
        let at = |y: f64| l.pixel_position(f, (x + offset, y));
        if let (Some(low), Some(high)) = (at(*low), at(*high)) {
            draw_whisker(out, low.0, high.1, low.1);
        }
    }
}

pub(super) fn draw_whisker(out: &mut Emitter, x: f64, top: f64, bottom: f64) {
    for (ink, width) in [(FigureColor::Background, 3.2), (FigureColor::Text, 1.4)] {
        let stroke = out.theme.stroke_attribute(ink);
        let (w, e) = (x - 4.0, x + 4.0);
        out.raw(&format!(
            "<path d=\"M{w:.1} {top:.1}H{e:.1}M{x:.1} {top:.1}V{bottom:.1}M{w:.1} {bottom:.1}H{e:.1}\" fill=\"none\" \
             stroke-width=\"{width}\" {stroke}/>\n"
        ));
    }
}

/// None, rising, falling, level, crossing, upright, wide rising, wide level.
fn hatch(i: usize, b: Box4) -> String {
    match i % CURVE_COLOR_COUNT {
        1 => slanted(b, 6.0, 1.0),
        2 => slanted(b, 6.0, -1.0),
        3 => level(b, 5.0),
        4 => slanted(b, 9.0, 1.0) + &slanted(b, 9.0, -1.0),
        5 => upright(b, 5.0),
        6 => slanted(b, 12.0, 1.0),
        7 => level(b, 10.0),
        _ => String::new(),
    }
}

/// Parallel lines rising (1) or falling (−1) at 45°, clipped to the box, aligned with neighbours.
fn slanted((left, top, right, bottom): Box4, gap: f64, way: f64) -> String {
    let mut d = String::new();
    // On a rising line x + y is constant, on a falling one x − y.
    let (from, to) = if way > 0.0 { (left + top, right + bottom) } else { (left - bottom, right - top) };
    let mut sum = (from / gap).ceil() * gap;
    while sum < to {
        let y = |x: f64| if way > 0.0 { sum - x } else { x - sum };
        let x = |y: f64| if way > 0.0 { sum - y } else { sum + y };
        let (lowest, highest) = if way > 0.0 { (bottom, top) } else { (top, bottom) };
        let (a, b) = (x(lowest).max(left), x(highest).min(right));
        if b > a {
            let _ = write!(d, "M{a:.1} {:.1}L{b:.1} {:.1}", y(a), y(b));
        }
        sum += gap;
    }
    d
}

fn level((left, top, right, bottom): Box4, gap: f64) -> String {
    let mut d = String::new();
    let mut y = bottom - gap;
    while y > top {
        let _ = write!(d, "M{left:.1} {y:.1}H{right:.1}");
        y -= gap;
    }
    d
}

fn upright((left, top, right, bottom): Box4, gap: f64) -> String {
    let mut d = String::new();
    let mut x = left + gap / 2.0;
    while x < right {
        let _ = write!(d, "M{x:.1} {top:.1}V{bottom:.1}");
        x += gap;
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(d: &str) -> Vec<f64> {
        d.split(['M', 'L', 'H', 'V', ' ']).filter_map(|n| n.parse().ok()).collect()
    }

    #[test]
    fn hatches_stay_within_their_bar_and_differ() {
        let b = (100.0, 50.0, 130.0, 250.0);
        let all: Vec<String> = (0..CURVE_COLOR_COUNT).map(|i| hatch(i, b)).collect();
        for (i, one) in all.iter().enumerate() {
            assert!(!all[..i].contains(one), "{i}");
            assert!(numbers(one).iter().all(|n| (49.9..=250.1).contains(n)), "{i} {one}");
            let no_height = hatch(i, (10.0, 80.0, 30.0, 80.0));
            assert!(numbers(&no_height).len() <= 16, "{i}");
        }
        for way in [1.0, -1.0] {
            let d = slanted(b, 6.0, way);
            for line in d.split('M').skip(1) {
                let n = numbers(line);
                assert!(n[0] >= 99.9 && n[2] <= 130.1 && n[0] < n[2], "{line}");
                assert!(((n[2] - n[0]) - (n[1] - n[3]).abs()).abs() < 0.21, "{line}");
            }
        }
    }
}
