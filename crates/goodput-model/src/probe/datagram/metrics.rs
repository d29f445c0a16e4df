//! Metrics of UDP datagrams.

use crate::experiment::Better::{Higher, Lower};
use crate::metric::{
    ACTIVE, BYTES, CPU, CPU_PER_DATAGRAM, CPU_PER_KIB, DIRECTIONS, GOODPUT, Metric, number, trial,
};

pub(crate) const METRICS: &[&[Metric]] =
    &[&[GOODPUT, BYTES, ACTIVE, CPU_PER_KIB, CPU_PER_DATAGRAM], OWN, DIRECTIONS, CPU];

const OWN: &[Metric] = &[
    trial(
        "offered",
        "Datagrams offered",
        Higher,
        "Datagrams handed to the sending kernel over the whole trial.",
        |s| number(s.datagrams()?.offered),
    ),
    trial("refused", "Datagrams refused", Lower, "Datagrams that the sending kernel did not take.", |s| {
        number(s.datagrams()?.refused)
    }),
    trial("sent", "Datagrams sent", Higher, "Datagrams that the sending kernel took.", |s| {
        number(s.datagrams()?.sent)
    }),
    trial(
        "received",
        "Datagrams received",
        Higher,
        "Datagrams delivered to the receiving application, each counted once.",
        |s| number(s.datagrams()?.received),
    ),
    trial("difference", "Sent minus received", Higher, "Datagrams sent less datagrams received.", |s| {
        s.datagrams()?.difference.map(|v| v as f64)
    }),
    trial("lost.total", "Datagrams lost", Lower, "Datagrams sent and not received.", |s| {
        number(s.datagrams()?.lost.total)
    }),
    trial(
        "lost.path",
        "Lost on the path",
        Lower,
        "Datagrams lost neither at the receiving socket nor in the receiving host.",
        |s| number(s.datagrams()?.lost.path),
    ),
    trial(
        "lost.receiver_socket",
        "Lost at the receiving socket",
        Lower,
        "Datagrams dropped because the receive buffer was full.",
        |s| number(s.datagrams()?.lost.receiver_socket),
    ),
    trial(
        "lost.receiver_host",
        "Lost in the receiving host",
        Lower,
        "Datagrams dropped in the receiving host below its socket.",
        |s| number(s.datagrams()?.lost.receiver_host),
    ),
    trial(
        "lost.receiver_socket_events",
        "Drops at the receiving socket",
        Lower,
        "Drops that the kernel counted at the receiving socket; one may be several datagrams.",
        |s| number(s.datagrams()?.lost.receiver_socket_events),
    ),
    trial("duplicates", "Duplicates", Lower, "Copies delivered in addition to the first.", |s| {
        number(s.datagrams()?.duplicates)
    }),
    trial("reordered", "Reordered", Lower, "Datagrams delivered after one that was sent later.", |s| {
        number(s.datagrams()?.reordered)
    }),
    trial(
        "unresolved",
        "Unresolved",
        Lower,
        "Datagrams whose place of loss the counters do not decide.",
        |s| number(Some(s.datagrams()?.unresolved)),
    ),
];
