//! Metrics of UDP datagrams.

use crate::experiment::BetterDirection::{Higher, Lower};
use crate::metric::{
    ACTIVE_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_DATAGRAM_METRIC, CPU_PER_KIB_METRIC,
    DIRECTION_METRICS, GOODPUT_METRIC, Metric, count_to_f64, trial_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    &[GOODPUT_METRIC, BYTES_METRIC, ACTIVE_TIME_METRIC, CPU_PER_KIB_METRIC, CPU_PER_DATAGRAM_METRIC],
    OWN,
    DIRECTION_METRICS,
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    trial_metric(
        "offered",
        "Datagrams offered",
        Higher,
        "Datagrams handed to the sending kernel over the whole trial.",
        |s| count_to_f64(s.datagram_totals()?.offered),
    ),
    trial_metric(
        "refused",
        "Datagrams refused",
        Lower,
        "Datagrams that the sending kernel did not take.",
        |s| count_to_f64(s.datagram_totals()?.refused),
    ),
    trial_metric("sent", "Datagrams sent", Higher, "Datagrams that the sending kernel took.", |s| {
        count_to_f64(s.datagram_totals()?.sent)
    }),
    trial_metric(
        "received",
        "Datagrams received",
        Higher,
        "Datagrams delivered to the receiving application, each counted once.",
        |s| count_to_f64(s.datagram_totals()?.received),
    ),
    trial_metric(
        "difference",
        "Sent minus received",
        Higher,
        "Datagrams sent less datagrams received.",
        |s| s.datagram_totals()?.difference.map(|v| v as f64),
    ),
    trial_metric("lost.total", "Datagrams lost", Lower, "Datagrams sent and not received.", |s| {
        count_to_f64(s.datagram_totals()?.lost.total)
    }),
    trial_metric(
        "lost.path",
        "Lost on the path",
        Lower,
        "Datagrams lost neither at the receiving socket nor in the receiving host.",
        |s| count_to_f64(s.datagram_totals()?.lost.path),
    ),
    trial_metric(
        "lost.receiver_socket",
        "Lost at the receiving socket",
        Lower,
        "Datagrams dropped because the receive buffer was full.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_socket),
    ),
    trial_metric(
        "lost.receiver_host",
        "Lost in the receiving host",
        Lower,
        "Datagrams dropped in the receiving host below its socket.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_host),
    ),
    trial_metric(
        "lost.receiver_socket_events",
        "Drops at the receiving socket",
        Lower,
        "Drops that the kernel counted at the receiving socket; one may be several datagrams.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_socket_events),
    ),
    trial_metric("duplicates", "Duplicates", Lower, "Copies delivered in addition to the first.", |s| {
        count_to_f64(s.datagram_totals()?.duplicates)
    }),
    trial_metric(
        "reordered",
        "Reordered",
        Lower,
        "Datagrams delivered after one that was sent later.",
        |s| count_to_f64(s.datagram_totals()?.reordered),
    ),
    trial_metric(
        "unresolved",
        "Unresolved",
        Lower,
        "Datagrams whose place of loss the counters do not decide.",
        |s| count_to_f64(Some(s.datagram_totals()?.unresolved)),
    ),
];
