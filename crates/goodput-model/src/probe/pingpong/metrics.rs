//! Metrics of the message-size sweep.

use crate::experiment::BetterDirection;
use crate::experiment::BetterDirection::{Higher, Lower};
use crate::metric::{
    CPU_METRICS, Metric, MetricSource, count_to_f64, higher_is_better_metric, lower_is_better_metric,
};
use crate::summary::PingPongPoint;

pub(crate) const METRICS: &[&[Metric]] = &[OWN, POINTS, CPU_METRICS];

const OWN: &[Metric] = &[
    lower_is_better_metric("sweep.latency_ns", "Latency", "Time of the smallest message.", |s| {
        Some(s.size_sweep_summary()?.latency_ns)
    }),
    higher_is_better_metric("sweep.best_bps", "Best goodput", "Highest goodput of any message size.", |s| {
        count_to_f64(Some(s.size_sweep_summary()?.best_bps))
    }),
    higher_is_better_metric(
        "sweep.best_size_bytes",
        "Best message size",
        "Message size with the highest goodput.",
        |s| count_to_f64(Some(s.size_sweep_summary()?.best_size_bytes)),
    ),
    lower_is_better_metric(
        "sweep.half_size_bytes",
        "Half-performance size",
        "Hockney's n½: the message size that reaches half of the best goodput.",
        |s| s.size_sweep_summary()?.half_size_bytes,
    ),
    lower_is_better_metric(
        "sweep.saturation_size_bytes",
        "Saturation size",
        "Message size above which the time grows almost linearly.",
        |s| count_to_f64(s.size_sweep_summary()?.saturation_size_bytes),
    ),
    lower_is_better_metric(
        "sweep.drift_percent",
        "Drift",
        "Robust standard deviation between passes of what all sizes share.",
        |s| s.size_sweep_summary()?.drift_percent,
    ),
    lower_is_better_metric(
        "half_rtt_ns.p50",
        "Half RTT, median",
        "Median half RTT of the smallest message.",
        |s| count_to_f64(Some(s.half_rtt()?.p50)),
    ),
    lower_is_better_metric(
        "half_rtt_ns.p99",
        "Half RTT, p99",
        "99 % of the half RTTs of the smallest message are at most this long.",
        |s| count_to_f64(s.half_rtt()?.p99),
    ),
    lower_is_better_metric(
        "half_rtt_ns.min",
        "Half RTT, minimum",
        "Shortest half RTT of the smallest message.",
        |s| count_to_f64(Some(s.half_rtt()?.min)),
    ),
];

const fn point(
    name: &'static str,
    label: &'static str,
    better: BetterDirection,
    meaning: &'static str,
    get: fn(&PingPongPoint) -> Option<f64>,
) -> Metric {
    Metric { name, label, better, meaning, source: MetricSource::Point(get) }
}

const POINTS: &[Metric] = &[
    point("points[].goodput_bps", "Goodput by size", Higher, "Message size over its time.", |p| {
        count_to_f64(Some(p.goodput_bps))
    }),
    point("points[].time_ns", "Time by size", Lower, "Time of one message of this size.", |p| {
        Some(p.time_ns)
    }),
    point(
        "points[].half_rtt_ns.p50",
        "Half RTT by size, median",
        Lower,
        "Median half RTT of this size.",
        |p| count_to_f64(p.half_rtt_ns.map(|h| h.p50)),
    ),
    point(
        "points[].half_rtt_ns.p99",
        "Half RTT by size, p99",
        Lower,
        "99 % of the half RTTs of this size are at most this long.",
        |p| count_to_f64(p.half_rtt_ns?.p99),
    ),
    point(
        "points[].half_rtt_ns.min",
        "Half RTT by size, minimum",
        Lower,
        "Shortest half RTT of this size.",
        |p| count_to_f64(p.half_rtt_ns.map(|h| h.min)),
    ),
    point("points[].repeats", "Repeats by size", Higher, "Messages measured of this size.", |p| {
        count_to_f64(Some(p.repeats))
    }),
    point("points[].batches", "Batches by size", Higher, "Timed batches of this size.", |p| {
        Some(f64::from(p.batches))
    }),
];
