//! Metrics of file work.

use crate::experiment::BetterDirection::{Higher, Lower};
use crate::metric::{
    ACTIVE_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_KIB_METRIC, CPU_PER_TRANSACTION_METRIC,
    GOODPUT_METRIC, LATENCY_METRICS, Metric, TRANSACTIONS_METRIC, count_to_f64, trial_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    &[GOODPUT_METRIC, BYTES_METRIC, ACTIVE_TIME_METRIC, TRANSACTIONS_METRIC],
    OWN,
    LATENCY_METRICS,
    &[CPU_PER_KIB_METRIC, CPU_PER_TRANSACTION_METRIC],
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    trial_metric(
        "file.read_bps",
        "Read",
        Higher,
        "Payload read from the place over the whole window.",
        |s| count_to_f64(Some(s.file_summary()?.read_bps)),
    ),
    trial_metric(
        "file.written_bps",
        "Written",
        Higher,
        "Payload written to the place over the whole window.",
        |s| count_to_f64(Some(s.file_summary()?.written_bps)),
    ),
    trial_metric(
        "file.accepted_bps",
        "Rate until accepted",
        Higher,
        "Payload over the time until the last write was accepted.",
        |s| count_to_f64(s.file_summary()?.accepted_bps),
    ),
    trial_metric(
        "file.durable_bps",
        "Rate until durable",
        Higher,
        "Payload over the time until the flush was answered.",
        |s| count_to_f64(s.file_summary()?.durable_bps),
    ),
    trial_metric(
        "file.accepted_ns",
        "Time until accepted",
        Lower,
        "Time until the last write was accepted.",
        |s| count_to_f64(s.file_summary()?.accepted_ns),
    ),
    trial_metric(
        "file.durable_ns",
        "Time until durable",
        Lower,
        "Time until the flush after the last write was answered.",
        |s| count_to_f64(s.file_summary()?.durable_ns),
    ),
    trial_metric(
        "file.operations_per_second",
        "File operations",
        Higher,
        "Operations completed per second of the window.",
        |s| Some(s.file_summary()?.operations_per_second),
    ),
    trial_metric(
        "file.requests_per_operation",
        "Requests per operation",
        Higher,
        "Requests on the wire per operation, the mean of the clients.",
        |s| s.file_summary()?.requests_per_operation,
    ),
    trial_metric(
        "file.local_wait_percent",
        "Wait for the local disk",
        Lower,
        "Share of the window that a copy waited for its local disk.",
        |s| s.file_summary()?.local_wait_percent,
    ),
    trial_metric(
        "file.place_wait_percent",
        "Wait for the place",
        Lower,
        "Share of the window that a copy waited for the place.",
        |s| s.file_summary()?.place_wait_percent,
    ),
    trial_metric(
        "file.round_trip_ns",
        "Minimum RTT",
        Lower,
        "Shortest RTT of the connections to the place, as the kernel measured it.",
        |s| count_to_f64(s.file_summary()?.round_trip_ns),
    ),
];
