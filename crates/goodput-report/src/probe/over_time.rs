//! Goodput over time: one stepped curve per direction; each step is its interval's mean.

use super::headline::headline_and_limit;
use crate::figure::{
    Axis, Curve, CurveStyle, Figure, Quantity, add_goodput_limit_line, goodput_limit_in_range,
};
use crate::table::cell::{optional_cell, rate, time_setting};
use crate::wording::format_direction;
use goodput_model::Nanos;
use goodput_model::summary::{DirectionSummary, TrialSummary};
use goodput_words::message;

/// Most steps of a direction; more intervals are joined, with a band of their range.
const STEPS: usize = 240;

/// Mean, minimum and maximum rate in bit/s.
struct Span {
    from_ns: u64,
    to_ns: u64,
    mean: f64,
    least: f64,
    most: f64,
}

pub(crate) fn goodput_over_time_figure(
    summary: &TrialSummary,
    ways: usize,
    interval: Option<Nanos>,
) -> Figure {
    let mut joined = 1;
    let mut curves = Vec::new();
    for d in summary.direction_summaries() {
        let (spans, every) = spans(d);
        joined = joined.max(every);
        let ends = || spans.iter().flat_map(|s| [(s.from_ns as f64, s), (s.to_ns as f64, s)]);
        let points = ends().map(|(at, s)| (at, s.mean)).collect();
        let band = ends().filter(|_| every > 1).map(|(at, s)| (at, s.least, s.most)).collect();
        let name = message!(report_name_mean_rate {
            name: format_direction(summary, d.direction),
            rate: optional_cell(d.goodput_bps, rate)
        });
        curves.push(Curve::new(name, CurveStyle::Steps, points).with_band("minimum to maximum", band));
    }
    let best = curves.iter().flat_map(Curve::y_values).fold(0.0, f64::max);
    // The limit of both directions together does not apply to one.
    let ways = ways as u64;
    let limit = goodput_limit_in_range(summary, ways, best).unwrap_or(0.0);
    let end =
        summary.direction_summaries().iter().flat_map(|d| d.intervals.last()).map(|i| i.0).max().unwrap_or(0);
    let mut figure = Figure::new(
        "goodput",
        message!(report_goodput_over_time_way { way: title_way(summary) }),
        headline_and_limit(summary),
        Axis::linear_range(
            "time since window start",
            Quantity::Time,
            0.0,
            end.max(summary.elapsed_ns) as f64,
        ),
        Axis::linear_from_zero("goodput", Quantity::Rate, [best, limit].into_iter()),
        curves,
    );
    add_goodput_limit_line(&mut figure, summary, ways);
    if joined > 1 {
        figure.notes.push(message!(report_each_step_joins_n_intervals_the { n: joined }).into());
    } else if let Some(interval) = interval {
        let time = time_setting(interval);
        figure.notes.push(message!(report_each_step_is_the_mean_of { time }).into());
    }
    figure
}

fn title_way(summary: &TrialSummary) -> String {
    match summary.direction_summaries() {
        [one] => format_direction(summary, one.direction),
        _ => format_direction(summary, goodput_model::probe::TransferDirection::Both),
    }
}

/// Intervals joined to spans, and how many per span. A span's mean is its bytes over its time.
fn spans(d: &DirectionSummary) -> (Vec<Span>, usize) {
    let every = d.intervals.len().div_ceil(STEPS).max(1);
    let mut from = 0;
    let mut out = Vec::new();
    for group in d.intervals.chunks(every) {
        let begin = from;
        let (mut bytes, mut least, mut most) = (0u128, f64::INFINITY, 0.0_f64);
        for &(to, moved) in group {
            if to > from {
                let rate = moved as f64 * 8e9 / (to - from) as f64;
                least = least.min(rate);
                most = most.max(rate);
                from = to;
            }
            bytes += u128::from(moved);
        }
        if from > begin {
            let mean = bytes as f64 * 8e9 / (from - begin) as f64;
            out.push(Span { from_ns: begin, to_ns: from, mean, least, most });
        }
    }
    (out, every)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direction(intervals: Vec<(u64, u64)>) -> DirectionSummary {
        DirectionSummary { intervals, ..crate::documents::stream_100().direction_summaries()[0].clone() }
    }

    proptest::proptest! {
        #[test]
        fn bytes_are_conserved(steps in proptest::collection::vec((1u64..1_000_000_000, 0u64..10_000_000_000), 0..2000)) {
            let mut at = 0;
            let intervals: Vec<(u64, u64)> = steps.iter().map(|(dt, b)| { at += dt; (at, *b) }).collect();
            let (spans, every) = spans(&direction(intervals));
            proptest::prop_assert!(spans.len() <= STEPS);
            proptest::prop_assert!(every >= 1);
            let drawn: f64 = spans.iter().map(|s| s.mean * (s.to_ns - s.from_ns) as f64 / 8e9).sum();
            let moved: f64 = steps.iter().map(|s| s.1 as f64).sum();
            proptest::prop_assert!((drawn - moved).abs() <= moved * 1e-9 + 1e-6);
        }
    }

    #[test]
    fn the_limit_is_that_of_one_way_and_out_of_sight_it_is_said() {
        let mut both = crate::documents::stream_both();
        both.limit.goodput_bps = Some(20_000_000_000);
        let figure = goodput_over_time_figure(&both, 2, None);
        assert_eq!((figure.limits.len(), figure.limits[0].at), (1, 10e9));
        assert!(figure.limits[0].label.contains("per direction"), "{}", figure.limits[0].label);
        let mut slow = crate::documents::stream_100();
        slow.limit.goodput_bps = Some(9_400_000_000);
        let figure = goodput_over_time_figure(&slow, 1, None);
        assert!(figure.limits.is_empty());
        assert!(figure.notes[0].contains("9.400 Gbit/s is above"), "{:?}", figure.notes);
    }

    #[test]
    fn clocks_that_stand_still_do_not_divide_by_zero() {
        let (spans, _) = spans(&direction(vec![(0, 5), (0, 6), (10, 7)]));
        assert!(spans.len() == 1 && spans[0].mean.is_finite());
    }
}
