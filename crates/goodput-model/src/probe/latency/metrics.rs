//! Metrics of latency on an idle and on a loaded path.

use crate::experiment::BetterDirection::{Higher, Lower};
use crate::metric::{
    BYTES_METRIC, CPU_METRICS, CPU_PER_KIB_METRIC, DIRECTION_METRICS, GOODPUT_METRIC, LATENCY_METRICS,
    Metric, count_to_f64, trial_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    LATENCY_METRICS,
    OWN,
    &[GOODPUT_METRIC, BYTES_METRIC, CPU_PER_KIB_METRIC],
    DIRECTION_METRICS,
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    trial_metric("probes.sent", "Probes sent", Higher, "Probes given to the kernel in the window.", |s| {
        count_to_f64(Some(s.latency_probes()?.sent))
    }),
    trial_metric("probes.answered", "Probes answered", Higher, "Probes answered within 3 s.", |s| {
        count_to_f64(Some(s.latency_probes()?.answered))
    }),
    trial_metric("probes.lost", "Probes lost", Lower, "Probes not answered within 3 s.", |s| {
        count_to_f64(Some(s.latency_probes()?.lost))
    }),
    trial_metric(
        "probes.sent_late_ns.p50",
        "Send delay, median",
        Lower,
        "How late probes were sent, median.",
        |s| count_to_f64(s.latency_probes()?.sent_late_ns.map(|l| l.p50)),
    ),
    trial_metric(
        "probes.sent_late_ns.p99",
        "Send delay, p99",
        Lower,
        "How late probes were sent, p99.",
        |s| count_to_f64(s.latency_probes()?.sent_late_ns.map(|l| l.p99)),
    ),
    trial_metric(
        "probes.round_trip_ns.p50",
        "Round trip, median",
        Lower,
        "Time from sent to answered, median.",
        |s| count_to_f64(s.latency_probes()?.round_trip_ns.map(|l| l.p50)),
    ),
    trial_metric(
        "probes.round_trip_ns.p99",
        "Round trip, p99",
        Lower,
        "Time from sent to answered, p99.",
        |s| count_to_f64(s.latency_probes()?.round_trip_ns.map(|l| l.p99)),
    ),
];
