//! Forest plot: changes with intervals beside the line of no difference.

use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::number_format::MISSING_VALUE;

#[derive(Debug, Clone, PartialEq)]
pub struct ForestPlotRow {
    pub name: String,
    /// `None` is an empty line.
    pub change: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub kind: usize,
}

pub fn forest_plot(
    id: &str,
    title: &str,
    label: &str,
    quantity: Quantity,
    kinds: &[&str],
    changes: &[ForestPlotRow],
) -> Figure {
    let ends = || {
        let known = changes
            .iter()
            .flat_map(|c| c.change.into_iter().chain(c.interval.into_iter().flat_map(|(l, h)| [l, h])));
        known.filter(|v| v.is_finite())
    };
    let (low, high) = ends().fold((0.0, 0.0), |(l, h): (f64, f64), v| (l.min(v), h.max(v)));
    let room = ((high - low) * 0.05).max(if quantity == Quantity::Percent { 0.05 } else { 1e-9 });
    let x = Axis::linear_range(label, quantity, low - room, high + room);
    let y = Axis::categorical("", changes.iter().map(|c| c.name.clone()).collect());
    let words = |c: &ForestPlotRow| match c.change {
        Some(v) => format!("{}: {}.", c.name, x.format_value(v)),
        None => format!("{}: {MISSING_VALUE}.", c.name),
    };
    let described = changes.iter().map(words).collect::<Vec<_>>().join(" ");
    let mut figure = Figure::new(id, title, described, x, y, Vec::new());
    let bottom = figure.y.range;
    for (kind, name) in kinds.iter().enumerate() {
        let own = || changes.iter().enumerate().filter(|(_, c)| c.kind == kind);
        let points = own().filter_map(|(i, c)| Some((c.change?, figure.y.category_position(i)))).collect();
        let strokes = own()
            .filter_map(|(i, c)| c.interval.map(|(l, h)| (figure.y.category_position(i), l, h)))
            .collect();
        figure.curves.push(Curve::new(*name, CurveStyle::Dots, points).with_band("95 % interval", strokes));
    }
    figure.curves.push(Curve::new("no difference", CurveStyle::Rule, vec![(0.0, bottom.0), (0.0, bottom.1)]));
    if figure.curves.iter().all(|c| c.style == CurveStyle::Rule || c.points.is_empty()) {
        figure.curves.clear();
    }
    figure
}
