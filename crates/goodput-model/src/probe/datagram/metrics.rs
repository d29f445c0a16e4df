//! Metrics of UDP datagrams.

use crate::metric::{
    ACTIVE_TRANSFER_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_DATAGRAM_METRIC, CPU_PER_KIB_METRIC,
    GOODPUT_METRIC, Metric, PER_DIRECTION_METRICS, count_to_f64, higher_is_better_metric,
    lower_is_better_metric,
};

pub(crate) const METRICS: &[&[Metric]] = &[
    &[GOODPUT_METRIC, BYTES_METRIC, ACTIVE_TRANSFER_TIME_METRIC, CPU_PER_KIB_METRIC, CPU_PER_DATAGRAM_METRIC],
    OWN,
    PER_DIRECTION_METRICS,
    CPU_METRICS,
];

const OWN: &[Metric] = &[
    higher_is_better_metric(
        "offered",
        "Datagrams offered",
        "Datagrams handed to the sending kernel over the whole trial.",
        |s| count_to_f64(s.datagram_totals()?.offered),
    ),
    lower_is_better_metric(
        "refused",
        "Datagrams refused",
        "Datagrams that the sending kernel did not take.",
        |s| count_to_f64(s.datagram_totals()?.refused),
    ),
    higher_is_better_metric("sent", "Datagrams sent", "Datagrams that the sending kernel took.", |s| {
        count_to_f64(s.datagram_totals()?.sent)
    }),
    higher_is_better_metric(
        "received",
        "Datagrams received",
        "Datagrams delivered to the receiving application, each counted once.",
        |s| count_to_f64(s.datagram_totals()?.received),
    ),
    higher_is_better_metric(
        "difference",
        "Sent minus received",
        "Datagrams sent less datagrams received.",
        |s| s.datagram_totals()?.difference.map(|v| v as f64),
    ),
    lower_is_better_metric("lost.total", "Datagrams lost", "Datagrams sent and not received.", |s| {
        count_to_f64(s.datagram_totals()?.lost.total)
    }),
    lower_is_better_metric(
        "lost.path",
        "Lost on the path",
        "Datagrams lost neither at the receiving socket nor in the receiving host.",
        |s| count_to_f64(s.datagram_totals()?.lost.path),
    ),
    lower_is_better_metric(
        "lost.receiver_socket",
        "Lost at the receiving socket",
        "Datagrams dropped because the receive buffer was full.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_socket),
    ),
    lower_is_better_metric(
        "lost.receiver_host",
        "Lost in the receiving host",
        "Datagrams dropped in the receiving host below its socket.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_host),
    ),
    lower_is_better_metric(
        "lost.receiver_socket_events",
        "Drops at the receiving socket",
        "Drops that the kernel counted at the receiving socket; one may be several datagrams.",
        |s| count_to_f64(s.datagram_totals()?.lost.receiver_socket_events),
    ),
    lower_is_better_metric("duplicates", "Duplicates", "Copies delivered in addition to the first.", |s| {
        count_to_f64(s.datagram_totals()?.duplicates)
    }),
    lower_is_better_metric(
        "reordered",
        "Reordered",
        "Datagrams delivered after one that was sent later.",
        |s| count_to_f64(s.datagram_totals()?.reordered),
    ),
    lower_is_better_metric(
        "unresolved",
        "Unresolved",
        "Datagrams whose place of loss the counters do not decide.",
        |s| count_to_f64(Some(s.datagram_totals()?.unresolved)),
    ),
];
