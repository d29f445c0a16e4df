//! Metrics that several probes share.

use super::{Metric, MetricSource, count_to_f64, trial_metric};
use crate::experiment::BetterDirection::{Higher, Lower};
use crate::summary::{LatencySummary, TrialSummary};

pub(crate) const GOODPUT_METRIC: Metric = trial_metric(
    "goodput_bps",
    "Goodput",
    Higher,
    "User data delivered per second of the window, all directions together.",
    |s| count_to_f64(s.goodput_bps),
);

pub(crate) const BYTES_METRIC: Metric = trial_metric(
    "bytes",
    "User data",
    Higher,
    "User data delivered in the window, all directions together.",
    |s| count_to_f64(s.bytes),
);

pub(crate) const ACTIVE_TIME_METRIC: Metric = trial_metric(
    "active_ns",
    "Active time",
    Lower,
    "Time from the first to the last byte in the window.",
    |s| count_to_f64(s.active_ns),
);

pub(crate) const TRANSACTIONS_METRIC: Metric = trial_metric(
    "transactions_per_second",
    "Transactions",
    Higher,
    "Transactions completed per second of the window.",
    TrialSummary::transactions_per_second,
);

pub(crate) const DIRECTION_METRICS: &[Metric] = &[
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
    trial_metric(
        "pe_index",
        "P/E index",
        Higher,
        "Goodput per per cent of busy CPU of the listening host.",
        |s| s.pe_index,
    ),
    trial_metric(
        "percent_of_limit",
        "Share of the limit",
        Higher,
        "Goodput as a share of what the medium or the bus allows.",
        |s| s.percent_of_limit,
    ),
];

pub(crate) const CPU_PER_KIB_METRIC: Metric = trial_metric(
    "service_demand.us_per_kib",
    "CPU time per KiB",
    Lower,
    "CPU time of the listening host per KiB of user data.",
    |s| s.service_demand?.us_per_kib,
);

pub(crate) const CPU_PER_DATAGRAM_METRIC: Metric = trial_metric(
    "service_demand.us_per_datagram",
    "CPU time per datagram",
    Lower,
    "CPU time of the listening host per datagram received.",
    |s| s.service_demand?.us_per_datagram,
);

pub(crate) const CPU_PER_TRANSACTION_METRIC: Metric = trial_metric(
    "service_demand.us_per_transaction",
    "CPU time per transaction",
    Lower,
    "CPU time of the listening host per transaction.",
    |s| s.service_demand?.us_per_transaction,
);

fn latency(s: &TrialSummary, of: fn(LatencySummary) -> u64) -> Option<f64> {
    s.latency().map(|l| of(l) as f64)
}

pub(crate) const LATENCY_METRICS: &[Metric] = &[
    trial_metric(
        "latency_ns.p50",
        "Median latency",
        Lower,
        "Half of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p50),
    ),
    trial_metric(
        "latency_ns.p90",
        "Latency p90",
        Lower,
        "90 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p90),
    ),
    trial_metric(
        "latency_ns.p99",
        "Latency p99",
        Lower,
        "99 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p99),
    ),
    trial_metric(
        "latency_ns.p999",
        "Latency p99.9",
        Lower,
        "99.9 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p999),
    ),
    trial_metric(
        "latency_ns.p9999",
        "Latency p99.99",
        Lower,
        "99.99 % of the latencies in the window are at most this long.",
        |s| latency(s, |l| l.p9999),
    ),
    trial_metric("latency_ns.min", "Minimum latency", Lower, "The shortest latency in the window.", |s| {
        latency(s, |l| l.min)
    }),
    trial_metric(
        "latency_ns.mean",
        "Mean latency",
        Lower,
        "Arithmetic mean of the latencies in the window.",
        |s| latency(s, |l| l.mean),
    ),
    trial_metric("latency_ns.max", "Maximum latency", Lower, "The longest latency in the window.", |s| {
        latency(s, |l| l.max)
    }),
    trial_metric("latency_ns.count", "Latency samples", Higher, "Latencies counted in the window.", |s| {
        latency(s, |l| l.count)
    }),
];
