//! Forest plot: changes with intervals beside the line of no difference.

use crate::display_text::{DisplayText, sentences};
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::table::cell::{optional_cell, percent, plain};
use goodput_model::Message;
use goodput_words::message;

#[derive(Debug, Clone, PartialEq)]
pub struct ForestPlotRow {
    pub name: Message,
    /// `None` is an empty line.
    pub change: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub kind: usize,
}

pub fn forest_plot(
    id: &str,
    title: Message,
    label: &Message,
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
    let names: Vec<DisplayText> = changes.iter().map(|c| DisplayText::from(&c.name)).collect();
    let y = Axis::categorical("", names);
    let value = if quantity == Quantity::Percent { percent } else { plain };
    let described = sentences(
        changes
            .iter()
            .map(|c| message!(report_way_result { way: &c.name, result: optional_cell(c.change, value) })),
    );
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
