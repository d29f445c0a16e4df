//! Metrics of one server and many clients.

use crate::experiment::Better::{Higher, Lower};
use crate::metric::{
    ACTIVE, BYTES, CPU, CPU_PER_KIB, CPU_PER_TRANSACTION, GOODPUT, LATENCY, Metric, TRANSACTIONS, number,
    trial,
};

pub(crate) const METRICS: &[&[Metric]] =
    &[&[GOODPUT, BYTES, ACTIVE, TRANSACTIONS], OWN, LATENCY, &[CPU_PER_KIB, CPU_PER_TRANSACTION], CPU];

const OWN: &[Metric] = &[
    trial(
        "load.transmit_bps",
        "Transmitted",
        Higher,
        "User data that the server sent and the clients counted.",
        |s| number(Some(s.load()?.transmit_bps)),
    ),
    trial(
        "load.receive_bps",
        "Received",
        Higher,
        "User data that the clients sent and the server counted.",
        |s| number(Some(s.load()?.receive_bps)),
    ),
    trial(
        "load.requests_per_second",
        "Requests",
        Higher,
        "Transactions completed per second of the window.",
        |s| Some(s.load()?.requests_per_second),
    ),
    trial("load.connections_per_second", "Connections", Higher, "Connections opened per second.", |s| {
        s.load()?.connections_per_second
    }),
    trial(
        "load.fairness",
        "Fairness",
        Higher,
        "Jain's index of the clients' rates; 1 means that all have the same rate.",
        |s| s.load()?.fairness,
    ),
    trial(
        "load.connection_errors",
        "Connection errors",
        Lower,
        "Connections that could not be opened or broke.",
        |s| number(Some(s.load()?.connection_errors)),
    ),
    trial(
        "load.handover_ns.p50",
        "Handover time, median",
        Lower,
        "Time to hand a request without a reply to the kernel, median.",
        |s| number(s.load()?.handover_ns.map(|l| l.p50)),
    ),
    trial(
        "load.handover_ns.p99",
        "Handover time, p99",
        Lower,
        "Time to hand a request without a reply to the kernel, p99.",
        |s| number(s.load()?.handover_ns.map(|l| l.p99)),
    ),
    trial(
        "load.reply_ns.p50",
        "Reply time, median",
        Lower,
        "Time from a request to the last byte of its reply, median.",
        |s| number(s.load()?.reply_ns.map(|l| l.p50)),
    ),
    trial(
        "load.reply_ns.p99",
        "Reply time, p99",
        Lower,
        "Time from a request to the last byte of its reply, p99.",
        |s| number(s.load()?.reply_ns.map(|l| l.p99)),
    ),
    trial("load.connect_ns.p50", "Connect time, median", Lower, "Time to open a connection, median.", |s| {
        number(s.load()?.connect_ns.map(|l| l.p50))
    }),
    trial("load.connect_ns.p99", "Connect time, p99", Lower, "Time to open a connection, p99.", |s| {
        number(s.load()?.connect_ns.map(|l| l.p99))
    }),
];
