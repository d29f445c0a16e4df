//! Metrics that several probes share.

use super::{Metric, MetricSource, count_to_f64, higher_is_better_metric, lower_is_better_metric};
use crate::experiment::BetterDirection::{Higher, Lower};
use crate::summary::{LatencySummary, TrialSummary};

pub(crate) const GOODPUT_METRIC: Metric = higher_is_better_metric(
    "goodput_bps",
    "Goodput",
    "User data delivered per second of the window, all directions together.",
    |s| count_to_f64(s.goodput_bps),
);

pub(crate) const BYTES_METRIC: Metric = higher_is_better_metric(
    "bytes",
    "User data",
    "User data delivered in the window, all directions together.",
    |s| count_to_f64(s.bytes),
);

pub(crate) const ACTIVE_TRANSFER_TIME_METRIC: Metric = lower_is_better_metric(
    "active_ns",
    "Active time",
    "Time from the first to the last byte in the window.",
    |s| count_to_f64(s.active_ns),
);

pub(crate) const TRANSACTION_RATE_METRIC: Metric = higher_is_better_metric(
    "transactions_per_second",
    "Transactions",
    "Transactions completed per second of the window.",
    TrialSummary::transactions_per_second,
);

pub(crate) const PER_DIRECTION_METRICS: &[Metric] = &[
    Metric {
        name: "directions[].goodput_bps",
        label: "Goodput by direction",
        better: Higher,
        meaning: "User data that the receiver of this direction counted per second of the window.",
        source: MetricSource::Direction(|d| count_to_f64(d.goodput_bps)),
    },
    Metric {
        name: "directions[].bytes_per_read",
        label: "Bytes per read",
        better: Higher,
        meaning: "Mean size of one receiving system call in the window.",
        source: MetricSource::Direction(|d| d.bytes_per_read),
    },
    Metric {
        name: "directions[].bytes_per_write",
        label: "Bytes per write",
        better: Higher,
        meaning: "Mean size of one sending system call in the window.",
        source: MetricSource::Direction(|d| d.bytes_per_write),
    },
];

pub(crate) const CPU_METRICS: &[Metric] = &[
    Metric {
        name: "hosts[].cpu.busy_percent",
        label: "CPU busy",
        better: Lower,
        meaning: "Busy time of all logical CPUs of a host in the window; ends on one kernel share one value.",
        source: MetricSource::Host(|h| h.cpu.as_ref().map(|c| c.busy_percent)),
    },
    higher_is_better_metric(
        "pe_index",
        "P/E index",
        "Goodput per per cent of busy CPU of the listening host.",
        |s| s.pe_index,
    ),
    higher_is_better_metric(
        "percent_of_limit",
        "Share of the limit",
        "Goodput as a share of what the medium or the bus allows.",
        |s| s.percent_of_limit,
    ),
];

pub(crate) const CPU_PER_KIB_METRIC: Metric = lower_is_better_metric(
    "service_demand.us_per_kib",
    "CPU time per KiB",
    "CPU time of the listening host per KiB of user data.",
    |s| s.service_demand?.us_per_kib,
);

pub(crate) const CPU_PER_DATAGRAM_METRIC: Metric = lower_is_better_metric(
    "service_demand.us_per_datagram",
    "CPU time per datagram",
    "CPU time of the listening host per datagram received.",
    |s| s.service_demand?.us_per_datagram,
);

pub(crate) const CPU_PER_TRANSACTION_METRIC: Metric = lower_is_better_metric(
    "service_demand.us_per_transaction",
    "CPU time per transaction",
    "CPU time of the listening host per transaction.",
    |s| s.service_demand?.us_per_transaction,
);

fn latency(s: &TrialSummary, of: fn(LatencySummary) -> u64) -> Option<f64> {
    s.latency_summary().map(|l| of(l) as f64)
}

pub(crate) const LATENCY_METRICS: &[Metric] = &[
    lower_is_better_metric(
        "latency_ns.p50",
        "Median latency",
        "Half of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p50),
    ),
    lower_is_better_metric(
        "latency_ns.p90",
        "Latency p90",
        "90 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p90),
    ),
    lower_is_better_metric(
        "latency_ns.p99",
        "Latency p99",
        "99 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p99),
    ),
    lower_is_better_metric(
        "latency_ns.p999",
        "Latency p99.9",
        "99.9 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p999),
    ),
    lower_is_better_metric(
        "latency_ns.p9999",
        "Latency p99.99",
        "99.99 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p9999),
    ),
    lower_is_better_metric("latency_ns.min", "Minimum latency", "The shortest latency in the window.", |s| {
        latency(s, |l| l.min)
    }),
    lower_is_better_metric(
        "latency_ns.mean",
        "Mean latency",
        "Arithmetic mean of the latencies in the window.",
        |s| latency(s, |l| l.mean),
    ),
    lower_is_better_metric("latency_ns.max", "Maximum latency", "The longest latency in the window.", |s| {
        latency(s, |l| l.max)
    }),
    higher_is_better_metric("latency_ns.count", "Latency samples", "Latencies counted in the window.", |s| {
        latency(s, |l| l.count)
    }),
];
