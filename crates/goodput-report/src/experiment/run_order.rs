//! Observations over the order of the run, to show drift and jumps.

use super::cell_statistics::CellStatistics;
use super::metric_unit::probe_metric_title;
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::table::cell::signed_percent;
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_words::message;

/// In per cent of each cell's median. `None` if the order is unknown, or there are too few observations.
pub fn run_order_figure(data: &DataSet, cells: &[CellStatistics], measure: usize) -> Option<Figure> {
    const LEAST: usize = 8;
    let mut points: Vec<(f64, f64)> = Vec::new();
    for cell in cells.iter().filter(|c| c.measure == measure && c.n > 1) {
        let Some(centre) = cell.centre.filter(|c| *c != 0.0) else { continue };
        for row in cell.rows.iter().filter_map(|r| data.rows.get(*r)) {
            if let (ObservedValue::Value(v), Some(order)) = (&row.value, row.order) {
                points.push((f64::from(order) + 1.0, (v / centre - 1.0) * 100.0));
            }
        }
    }
    points.retain(|p| p.1.is_finite());
    if points.len() < LEAST {
        return None;
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let head = data.measures.get(measure)?;
    let (low, high) = points.iter().fold((0.0, 0.0), |(l, h): (f64, f64), p| (l.min(p.1), h.max(p.1)));
    let room = ((high - low) * 0.05).max(0.01);
    let last = points.last().map_or(1.0, |p| p.0);
    let x = Axis::linear_range("position in the run order", Quantity::Count, 0.0, last + 1.0);
    let y = Axis::linear_range("deviation from the cell median", Quantity::Percent, low - room, high + room);
    let described = message!(report_experiment_deviations {
        count: points.len(),
        least: signed_percent(low),
        most: signed_percent(high)
    });
    let curves = vec![
        Curve::new("observations", CurveStyle::Dots, points),
        Curve::new("", CurveStyle::Rule, vec![(0.0, 0.0), (last + 1.0, 0.0)]),
    ];
    let title = message!(report_over_the_run_of { what: probe_metric_title(&head.probe, &head.figure) });
    Some(Figure::new(format!("order-{}", measure + 1), title, described, x, y, curves))
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    #[test]
    fn the_order_shows_what_drifts() {
        let (data, cells) = test_data::small_experiment_data();
        let figure = run_order_figure(&data, &cells, 0).unwrap();
        assert!(figure.curves[0].points.windows(2).all(|w| w[0].0 <= w[1].0));
        let (data, cells) = test_data::published_article_data();
        assert_eq!(run_order_figure(&data, &cells, 0), None, "published figures have no order");
    }
}
