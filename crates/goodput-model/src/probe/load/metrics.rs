//! Metrics of one server and many clients.

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
        "load.transmit_bps",
        "Transmitted",
        "User data that the server sent and the clients counted.",
        |s| count_to_f64(Some(s.load_summary()?.transmit_bps)),
    ),
    higher_is_better_metric(
        "load.receive_bps",
        "Received",
        "User data that the clients sent and the server counted.",
        |s| count_to_f64(Some(s.load_summary()?.receive_bps)),
    ),
    higher_is_better_metric(
        "load.requests_per_second",
        "Requests",
        "Transactions completed per second of the window.",
        |s| Some(s.load_summary()?.requests_per_second),
    ),
    higher_is_better_metric(
        "load.connections_per_second",
        "Connections",
        "Connections opened per second.",
        |s| s.load_summary()?.connections_per_second,
    ),
    higher_is_better_metric(
        "load.fairness",
        "Fairness",
        "Jain's index of the clients' rates; 1 means that all have the same rate.",
        |s| s.load_summary()?.fairness,
    ),
    lower_is_better_metric(
        "load.connection_errors",
        "Connection errors",
        "Connections that could not be opened or broke.",
        |s| count_to_f64(Some(s.load_summary()?.connection_errors)),
    ),
    lower_is_better_metric(
        "load.handover_ns.p50",
        "Handover time, median",
        "Time to hand a request without a reply to the kernel, median.",
        |s| count_to_f64(s.load_summary()?.handover_ns.map(|l| l.p50)),
    ),
    lower_is_better_metric(
        "load.handover_ns.p99",
        "Handover time, p99",
        "Time to hand a request without a reply to the kernel, p99.",
        |s| count_to_f64(s.load_summary()?.handover_ns.map(|l| l.p99)),
    ),
    lower_is_better_metric(
        "load.reply_ns.p50",
        "Reply time, median",
        "Time from a request to the last byte of its reply, median.",
        |s| count_to_f64(s.load_summary()?.reply_ns.map(|l| l.p50)),
    ),
    lower_is_better_metric(
        "load.reply_ns.p99",
        "Reply time, p99",
        "Time from a request to the last byte of its reply, p99.",
        |s| count_to_f64(s.load_summary()?.reply_ns.map(|l| l.p99)),
    ),
    lower_is_better_metric(
        "load.connect_ns.p50",
        "Connect time, median",
        "Time to open a connection, median.",
        |s| count_to_f64(s.load_summary()?.connect_ns.map(|l| l.p50)),
    ),
    lower_is_better_metric(
        "load.connect_ns.p99",
        "Connect time, p99",
        "Time to open a connection, p99.",
        |s| count_to_f64(s.load_summary()?.connect_ns.map(|l| l.p99)),
    ),
];
