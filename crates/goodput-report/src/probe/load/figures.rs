//! Figures of a load run: traffic, server CPU and P/E index over request size per direction; traffic and
//! latency over clients.

use super::{client_count, curve_name, curve_place, saturation_sentence};
use crate::display_text::{DisplayText, comma_list, sentences};
use crate::figure::{Axis, ChartPointLabel, Curve, CurveStyle, Figure, Quantity};
use crate::grouping::group_by_key;
use crate::table::cell::{nanos, optional_cell, rate};
use crate::wording::goodput_limit_sentence;
use goodput_model::Message;
use goodput_model::summary::{LoadCurve, LoadCurvePoint, LoadCurves, SaturationPoint, TrialSummary};
use goodput_words::message;

const CURVES: usize = 4;
/// A higher limit, relative to the best, would flatten the curves.
const NEAR: f64 = 4.0;

pub(crate) fn figures_for_load_run(curves: &LoadCurves, points: &[&TrialSummary]) -> Vec<Figure> {
    let mut all = Vec::new();
    let most = curves.over_size.iter().filter_map(|c| c.clients).max();
    let over_size: Vec<&LoadCurve> = curves.over_size.iter().filter(|c| c.clients == most).collect();
    for drawn in over_size.chunks(CURVES) {
        let number = all.len();
        all.extend([traffic(drawn, points), cpu(drawn), pe_index(drawn)].map(|f| f.with_numbered_id(number)));
    }
    for (number, drawn) in groups(&curves.over_clients).iter().enumerate() {
        all.extend([traffic(drawn, points), latency(drawn)].map(|f| f.with_numbered_id(number)));
    }
    all.into_iter().filter(|f| !f.is_empty()).collect()
}

fn groups(all: &[LoadCurve]) -> Vec<Vec<&LoadCurve>> {
    if all.len() <= CURVES {
        return if all.is_empty() { Vec::new() } else { vec![all.iter().collect()] };
    }
    group_by_key(all.iter().map(|c| (&c.name, c)))
        .into_iter()
        .map(|(_, group)| {
            let last = group.len() - 1;
            let step = |i: usize| group[i * last / (CURVES - 1)];
            if last < CURVES { group } else { (0..CURVES).map(step).collect() }
        })
        .collect()
}

fn over_size(drawn: &[&LoadCurve]) -> bool {
    drawn.first().is_some_and(|c| c.clients.is_some())
}

fn figure(id: &str, what: &str, drawn: &[&LoadCurve], y: Axis, curves: Vec<Curve>) -> Figure {
    let xs = || drawn.iter().flat_map(|c| &c.points).map(|p| p.at as f64);
    let what = Message::from(what);
    let (prefix, x, title) = if over_size(drawn) {
        let many = drawn.iter().find_map(|c| c.clients).unwrap_or(0);
        let title = message!(report_over_request_size_of { what, clients: client_count(many.into()) });
        ("size", Axis::logarithmic("request size", Quantity::Size, xs()), title)
    } else {
        let same = drawn.windows(2).all(|w| w[0].name == w[1].name) && drawn.len() > 1;
        let title = if same {
            message!(report_over_the_number_of_clients_of { what, of: drawn[0].name.clone() })
        } else {
            message!(report_over_the_number_of_clients { what })
        };
        ("clients", Axis::linear_from_zero("clients", Quantity::Count, xs()), title)
    };
    let description = sentences(drawn.iter().map(|c| saturation_sentence(c)));
    Figure::new(format!("{prefix}-{id}"), title, description, x, y, curves)
}

fn lines(drawn: &[&LoadCurve], of: impl Fn(&LoadCurvePoint) -> Option<f64>) -> Vec<Curve> {
    let one = |c: &&LoadCurve| {
        let points = c.points.iter().filter_map(|p| Some((p.at as f64, of(p)?))).collect();
        Curve::new(curve_name(c), CurveStyle::Line, points)
    };
    drawn.iter().map(one).collect()
}

fn traffic(drawn: &[&LoadCurve], points: &[&TrialSummary]) -> Figure {
    let banded = |(curve, from): (Curve, &&LoadCurve)| {
        let band = from.points.iter().filter_map(|p| {
            let (low, high) = p.interval_bps?;
            Some((p.at as f64, low as f64, high as f64))
        });
        curve.with_band("95 % interval", band.collect())
    };
    let plain = lines(drawn, |p| Some(p.goodput_bps as f64));
    let curves: Vec<Curve> = plain.into_iter().zip(drawn).map(banded).collect();
    let best = curves.iter().flat_map(Curve::y_values).fold(0.0, f64::max);
    let limits = limits(drawn);
    let near = limits.iter().map(|(bps, _)| *bps as f64).filter(|l| *l <= best * NEAR);
    let y = Axis::linear_from_zero(
        "traffic through the server",
        Quantity::Rate,
        curves.iter().flat_map(Curve::y_values).chain(near),
    );
    let mut figure = figure("traffic", "Network traffic", drawn, y, curves);
    let medium = points.iter().find_map(|s| s.limit.limiting_medium_or_bus());
    for (bps, names) in limits {
        let (names, rate) = (comma_list(names), rate(bps));
        let label = match medium {
            Some(medium) => {
                message!(part_limit_of_whom { medium, names: names.clone(), rate: rate.clone() })
            }
            None => message!(part_view_limit_of_whom { names: names.clone(), rate: rate.clone() }),
        };
        figure.add_limit_line_or_note(bps as f64, label, || match medium {
            Some(medium) => message!(report_the_limit_of_whom_lies_above { medium, names, rate }),
            None => message!(report_view_limit_of_whom_lies_above { names, rate }),
        });
    }
    if figure.limits.is_empty() && figure.notes.is_empty() {
        figure.notes.extend(points.first().map(|s| DisplayText::from(goodput_limit_sentence(s))));
    }
    for curve in drawn {
        if let SaturationPoint::Reached { at, .. } = &curve.saturation
            && let Some(p) = curve.points.iter().find(|p| p.at == *at)
        {
            let mut mark = message!(part_saturated_from { from: curve_place(curve, *at) });
            if drawn.len() > 1 {
                mark = message!(part_load_mark_of_curve { curve: curve_name(curve), mark });
            }
            let at = (p.at as f64, p.goodput_bps as f64);
            figure.marks.push(ChartPointLabel { at, label: mark.into() });
        }
    }
    figure
}

fn limits(drawn: &[&LoadCurve]) -> Vec<(u64, Vec<Message>)> {
    let limit = |c: &LoadCurve| c.points.iter().filter_map(|p| p.limit_bps).max();
    group_by_key(drawn.iter().filter_map(|c| Some((limit(c)?, curve_name(c)))))
}

fn cpu(drawn: &[&LoadCurve]) -> Figure {
    let curves = lines(drawn, |p| p.cpu_busy_percent);
    let y = Axis::linear_from_zero(
        "server CPU usage",
        Quantity::Percent,
        curves.iter().flat_map(Curve::y_values),
    );
    figure("cpu", "Server CPU", drawn, y, curves)
}

/// Mbit/s per per cent of busy CPU.
fn pe_index(drawn: &[&LoadCurve]) -> Figure {
    let curves = lines(drawn, |p| p.pe_index);
    let label = "P/E index (Mbit/s per percent of CPU usage)";
    let y = Axis::linear_from_zero(label, Quantity::Plain, curves.iter().flat_map(Curve::y_values));
    let mut figure = figure("pe", "P/E index", drawn, y, curves);
    let missing = drawn.iter().flat_map(|c| &c.points).filter(|p| p.pe_index.is_none()).count();
    if missing > 0 {
        figure.notes.push(message!(report_points_have_none { count: missing }).into());
    }
    figure
}

fn latency(drawn: &[&LoadCurve]) -> Figure {
    let curves = lines(drawn, |p| p.p99_ns.map(|ns| ns as f64));
    let y = Axis::logarithmic("p99", Quantity::Time, curves.iter().flat_map(Curve::y_values));
    let mut figure = figure("p99", "Latency (p99)", drawn, y, curves);
    let worst = drawn.iter().flat_map(|c| &c.points).filter_map(|p| p.p99_ns).max();
    let worst = message!(report_at_most_time { time: optional_cell(worst, nanos) });
    figure.description = sentences([worst, figure.description.message().clone()]).into();
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn of_many_sizes_some_are_drawn() {
        let one = documents::load_cycle().load_curves.unwrap().over_clients.remove(0);
        let many: Vec<LoadCurve> =
            (6..19).map(|k| LoadCurve { size_bytes: Some(1 << k), ..one.clone() }).collect();
        let group = groups(&many);
        let sizes: Vec<_> = group[0].iter().map(|c| c.size_bytes.unwrap()).collect();
        assert_eq!((group.len(), sizes), (1, vec![64, 1_024, 16_384, 262_144]));
        assert!(groups(&[]).is_empty());
    }
}
