//! Figures of a sweep: throughput and time over size, and NetPIPE's signature and saturation graphs (Snell,
//! Mikler, Gustafson 1996, section 2).

use super::point_time;
use crate::display_text::sentences;
use crate::figure::{
    Axis, ChartPointLabel, Curve, CurveStyle, Figure, Quantity, add_goodput_limit_line,
    goodput_limit_in_range,
};
use crate::probe::headline::headline_and_limit;
use crate::table::cell::{rate, size, time, volume};
use crate::wording::format_endpoints;
use goodput_model::Message;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern};
use goodput_model::summary::{PingPongPoint, TrialSummary};
use goodput_words::message;

pub(super) fn throughput_figure(summary: &TrialSummary, settings: &PingPong) -> Figure {
    let points = summary.pingpong_points();
    let curve = rate_curve(points, |p| p.size_bytes as f64);
    let mut figure = Figure::new(
        "throughput",
        message!(report_throughput_over_message_size_way { way: format_endpoints(summary) }),
        describe(summary),
        Axis::logarithmic("message size", Quantity::Size, xs(&curve)),
        rate_axis(summary, &curve),
        vec![curve],
    );
    add_goodput_limit_line(&mut figure, summary, 1);
    note_pattern(&mut figure, settings);
    if let Some(s) = summary.size_sweep_summary() {
        figure.marks.push(ChartPointLabel {
            at: (s.best_size_bytes as f64, s.best_bps as f64),
            label: message!(part_best_at { rate: rate(s.best_bps), size: size(s.best_size_bytes) }).into(),
        });
        // On the drawn line, which is straight between two sizes on a logarithmic axis.
        let half = s.half_size_bytes.filter(|_| points.len() > 2);
        let on_line = half.and_then(|h| Some((h, between(&figure.curves[0].points, h)?)));
        if let Some((half, y)) = on_line {
            let label = message!(part_half_of_it_from { size: volume(half.round() as u64) });
            figure.marks.push(ChartPointLabel { at: (half, y), label: label.into() });
        }
    }
    figure
}

/// Native sweeps also have minimum and p99.
pub(super) fn transfer_time_by_size_figure(summary: &TrialSummary, settings: &PingPong) -> Figure {
    let points = summary.pingpong_points();
    let what = point_time(settings.pattern, &settings.method);
    let way = format_endpoints(summary);
    let title = match settings.pattern {
        PingPongPattern::PingPong => message!(report_half_round_trip_over_message_size { way }),
        PingPongPattern::Streaming | PingPongPattern::TwoWay => {
            message!(report_time_over_message_size_way { way })
        }
    };
    let place = |p: &PingPongPoint, t: f64| (p.size_bytes as f64, t);
    let band =
        points.iter().filter_map(|p| p.interval_ns.map(|(l, h)| (p.size_bytes as f64, l, h))).collect();
    let mut curves = vec![
        Curve::new(what, CurveStyle::Line, points.iter().map(|p| place(p, p.time_ns)).collect())
            .with_band("95 % interval", band),
    ];
    let p99: Vec<_> =
        points.iter().filter_map(|p| p.half_rtt_ns.and_then(|h| h.p99).map(|t| place(p, t as f64))).collect();
    if !p99.is_empty() {
        curves.push(Curve::new("p99", CurveStyle::Line, p99));
    }
    let ys: Vec<f64> = curves.iter().flat_map(|c| &c.points).map(|p| p.1).collect();
    let mut figure = Figure::new(
        "time",
        title,
        describe(summary),
        Axis::logarithmic("message size", Quantity::Size, xs(&curves[0])),
        Axis::logarithmic(what, Quantity::Time, ys.into_iter()),
        curves,
    );
    note_pattern(&mut figure, settings);
    figure
}

/// Throughput over transfer time: from the latency to the maximum.
pub(super) fn network_signature_figure(summary: &TrialSummary, settings: &PingPong) -> Figure {
    let curve = rate_curve(summary.pingpong_points(), |p| p.time_ns);
    let mut figure = Figure::new(
        "signature",
        message!(report_signature_throughput_over_transfer_time_way { way: format_endpoints(summary) }),
        describe(summary),
        Axis::logarithmic(point_time(settings.pattern, &settings.method), Quantity::Time, xs(&curve)),
        rate_axis(summary, &curve),
        vec![curve],
    );
    add_goodput_limit_line(&mut figure, summary, 1);
    if let (Some(s), Some(first)) = (summary.size_sweep_summary(), summary.pingpong_points().first()) {
        figure.marks.push(ChartPointLabel {
            at: (first.time_ns, first.goodput_bps as f64),
            label: message!(part_latency_mark { time: time(s.latency_ns) }).into(),
        });
    }
    figure
}

/// Message size over transfer time, with the knee marked.
pub(super) fn saturation_figure(summary: &TrialSummary, settings: &PingPong) -> Figure {
    let points: Vec<_> = summary.pingpong_points().iter().map(|p| (p.time_ns, p.size_bytes as f64)).collect();
    let curve = Curve::new("measured", CurveStyle::Line, points);
    let mut figure = Figure::new(
        "saturation",
        message!(report_saturation_message_size_over_transfer_time { way: format_endpoints(summary) }),
        describe(summary),
        Axis::logarithmic(point_time(settings.pattern, &settings.method), Quantity::Time, xs(&curve)),
        Axis::logarithmic("message size", Quantity::Size, curve.points.iter().map(|p| p.1)),
        vec![curve],
    );
    let knee = summary.size_sweep_summary().and_then(|s| s.saturation_size_bytes);
    if let Some(p) = knee.and_then(|k| summary.pingpong_points().iter().find(|p| p.size_bytes >= k)) {
        figure.marks.push(ChartPointLabel {
            at: (p.time_ns, p.size_bytes as f64),
            label: message!(part_saturation_from { size: size(p.size_bytes) }).into(),
        });
    }
    figure
}

fn rate_curve(points: &[PingPongPoint], x: impl Fn(&PingPongPoint) -> f64) -> Curve {
    let band = points
        .iter()
        .filter_map(|p| {
            let (low, high) = p.interval_ns?;
            let scaled = |t: f64| p.goodput_bps as f64 * p.time_ns / t;
            (low > 0.0 && high > 0.0).then(|| (x(p), scaled(high), scaled(low)))
        })
        .collect();
    Curve::new("measured", CurveStyle::Line, points.iter().map(|p| (x(p), p.goodput_bps as f64)).collect())
        .with_band("95 % interval", band)
}

/// Height of the drawn line at `x`, which is straight over logarithmic x.
fn between(points: &[(f64, f64)], x: f64) -> Option<f64> {
    points.windows(2).find(|w| w[0].0 <= x && x <= w[1].0 && w[0].0 > 0.0).map(|w| {
        let span = (w[1].0 / w[0].0).ln();
        let part = if span > 0.0 { (x / w[0].0).ln() / span } else { 0.0 };
        w[0].1 + part * (w[1].1 - w[0].1)
    })
}

fn xs(curve: &Curve) -> impl Iterator<Item = f64> + '_ {
    curve.points.iter().map(|p| p.0)
}

fn rate_axis(summary: &TrialSummary, curve: &Curve) -> Axis {
    let best = curve.points.iter().map(|p| p.1).fold(0.0, f64::max);
    let limit = goodput_limit_in_range(summary, 1, best).unwrap_or(0.0);
    Axis::linear_from_zero("goodput", Quantity::Rate, [best, limit].into_iter().chain(curve.y_values()))
}

fn note_pattern(figure: &mut Figure, settings: &PingPong) {
    if let PingPongMethod::Compat { .. } = settings.method {
        figure.notes.push("NetPIPE schedule: each point is the best loop for that size.".into());
    }
    match settings.pattern {
        PingPongPattern::PingPong => {}
        PingPongPattern::Streaming => {
            figure.notes.push("Data flows in one direction only; the receiver measures the time.".into())
        }
        PingPongPattern::TwoWay => {
            figure.notes.push("Both ends send at the same time; the time covers the whole exchange.".into())
        }
    }
}

fn describe(summary: &TrialSummary) -> Message {
    let points = summary.pingpong_points();
    let sizes = match (points.first(), points.last()) {
        (Some(first), Some(last)) => message!(report_message_sizes_from_to {
            count: points.len(),
            least: size(first.size_bytes),
            most: size(last.size_bytes)
        }),
        _ => message!(report_no_message_size_was_measured_full),
    };
    sentences([sizes, headline_and_limit(summary)])
}
