//! Metrics of latency on an idle and on a loaded path.

use crate::metric::{
    BYTES_METRIC, CPU_METRICS, CPU_PER_KIB_METRIC, GOODPUT_METRIC, LATENCY_METRICS, Metric,
    PER_DIRECTION_METRICS, count_to_f64, higher_is_better_metric, lower_is_better_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    LATENCY_METRICS,
    OWN,
    &[GOODPUT_METRIC, BYTES_METRIC, CPU_PER_KIB_METRIC],
    PER_DIRECTION_METRICS,
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    higher_is_better_metric("probes.sent", "Probes sent", "Probes given to the kernel in the window.", |s| {
        count_to_f64(Some(s.latency_probes()?.sent))
    }),
    higher_is_better_metric("probes.answered", "Probes answered", "Probes answered within 3 s.", |s| {
        count_to_f64(Some(s.latency_probes()?.answered))
    }),
    lower_is_better_metric("probes.lost", "Probes lost", "Probes not answered within 3 s.", |s| {
        count_to_f64(Some(s.latency_probes()?.lost))
    }),
    lower_is_better_metric(
        "probes.sent_late_ns.p50",
        "Send delay, median",
        "How late probes were sent, median.",
        |s| count_to_f64(s.latency_probes()?.sent_late_ns.map(|l| l.p50)),
    ),
    lower_is_better_metric(
        "probes.sent_late_ns.p99",
        "Send delay, p99",
        "How late probes were sent, p99.",
        |s| count_to_f64(s.latency_probes()?.sent_late_ns.map(|l| l.p99)),
    ),
    lower_is_better_metric(
        "probes.round_trip_ns.p50",
        "Round trip, median",
        "Time from sent to answered, median.",
        |s| count_to_f64(s.latency_probes()?.round_trip_ns.map(|l| l.p50)),
    ),
    lower_is_better_metric(
        "probes.round_trip_ns.p99",
        "Round trip, p99",
        "Time from sent to answered, p99.",
        |s| count_to_f64(s.latency_probes()?.round_trip_ns.map(|l| l.p99)),
    ),
];
