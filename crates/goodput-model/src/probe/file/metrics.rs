//! Metrics of file work.

use crate::metric::{
    ACTIVE_TRANSFER_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_KIB_METRIC, CPU_PER_TRANSACTION_METRIC,
    GOODPUT_METRIC, LATENCY_METRICS, Metric, TRANSACTION_RATE_METRIC, count_to_f64, higher_is_better_metric,
    lower_is_better_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    &[GOODPUT_METRIC, BYTES_METRIC, ACTIVE_TRANSFER_TIME_METRIC, TRANSACTION_RATE_METRIC],
    OWN,
    LATENCY_METRICS,
    &[CPU_PER_KIB_METRIC, CPU_PER_TRANSACTION_METRIC],
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    higher_is_better_metric(
        "file.read_bps",
        "Read",
        "Payload read from the place over the whole window.",
        |s| count_to_f64(Some(s.file_summary()?.read_bps)),
    ),
    higher_is_better_metric(
        "file.written_bps",
        "Written",
        "Payload written to the place over the whole window.",
        |s| count_to_f64(Some(s.file_summary()?.written_bps)),
    ),
    higher_is_better_metric(
        "file.accepted_bps",
        "Rate without flush",
        "Payload over the time until the last write was accepted.",
        |s| count_to_f64(s.file_summary()?.accepted_bps),
    ),
    higher_is_better_metric(
        "file.durable_bps",
        "Rate with flush",
        "Payload over the time until the flush was answered.",
        |s| count_to_f64(s.file_summary()?.durable_bps),
    ),
    lower_is_better_metric(
        "file.accepted_ns",
        "Time without flush",
        "Time until the last write was accepted.",
        |s| count_to_f64(s.file_summary()?.accepted_ns),
    ),
    lower_is_better_metric(
        "file.durable_ns",
        "Time with flush",
        "Time until the flush after the last write was answered.",
        |s| count_to_f64(s.file_summary()?.durable_ns),
    ),
    higher_is_better_metric(
        "file.operations_per_second",
        "File operations",
        "Operations completed per second of the window.",
        |s| Some(s.file_summary()?.operations_per_second),
    ),
    higher_is_better_metric(
        "file.requests_per_operation",
        "Requests per operation",
        "Requests on the wire per operation, the mean of the clients.",
        |s| s.file_summary()?.requests_per_operation,
    ),
    lower_is_better_metric(
        "file.local_wait_percent",
        "Wait for the local disk",
        "Share of the window that a copy waited for its local disk.",
        |s| s.file_summary()?.local_wait_percent,
    ),
    lower_is_better_metric(
        "file.place_wait_percent",
        "Wait for the place",
        "Share of the window that a copy waited for the place.",
        |s| s.file_summary()?.place_wait_percent,
    ),
    lower_is_better_metric(
        "file.round_trip_ns",
        "Minimum RTT",
        "Shortest RTT of the connections to the place, as the kernel measured it.",
        |s| count_to_f64(s.file_summary()?.round_trip_ns),
    ),
];
