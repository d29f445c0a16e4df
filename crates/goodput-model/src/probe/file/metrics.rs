//! Metrics of file work.

use crate::experiment::Better::{Higher, Lower};
use crate::metric::{
    ACTIVE, BYTES, CPU, CPU_PER_KIB, CPU_PER_TRANSACTION, GOODPUT, LATENCY, Metric, TRANSACTIONS, number,
    trial,
};

pub(crate) const METRICS: &[&[Metric]] =
    &[&[GOODPUT, BYTES, ACTIVE, TRANSACTIONS], OWN, LATENCY, &[CPU_PER_KIB, CPU_PER_TRANSACTION], CPU];

const OWN: &[Metric] = &[
    trial("file.read_bps", "Read", Higher, "Payload read from the place over the whole window.", |s| {
        number(Some(s.file()?.read_bps))
    }),
    trial(
        "file.written_bps",
        "Written",
        Higher,
        "Payload written to the place over the whole window.",
        |s| number(Some(s.file()?.written_bps)),
    ),
    trial(
        "file.accepted_bps",
        "Rate until accepted",
        Higher,
        "Payload over the time until the last write was accepted.",
        |s| number(s.file()?.accepted_bps),
    ),
    trial(
        "file.durable_bps",
        "Rate until durable",
        Higher,
        "Payload over the time until the flush was answered.",
        |s| number(s.file()?.durable_bps),
    ),
    trial("file.accepted_ns", "Time until accepted", Lower, "Time until the last write was accepted.", |s| {
        number(s.file()?.accepted_ns)
    }),
    trial(
        "file.durable_ns",
        "Time until durable",
        Lower,
        "Time until the flush after the last write was answered.",
        |s| number(s.file()?.durable_ns),
    ),
    trial(
        "file.operations_per_second",
        "File operations",
        Higher,
        "Operations completed per second of the window.",
        |s| Some(s.file()?.operations_per_second),
    ),
    trial(
        "file.requests_per_operation",
        "Requests per operation",
        Higher,
        "Requests on the wire per operation, the mean of the clients.",
        |s| s.file()?.requests_per_operation,
    ),
    trial(
        "file.local_wait_percent",
        "Wait for the local disk",
        Lower,
        "Share of the window that a copy waited for its local disk.",
        |s| s.file()?.local_wait_percent,
    ),
    trial(
        "file.place_wait_percent",
        "Wait for the place",
        Lower,
        "Share of the window that a copy waited for the place.",
        |s| s.file()?.place_wait_percent,
    ),
    trial(
        "file.round_trip_ns",
        "Minimum RTT",
        Lower,
        "Shortest RTT of the connections to the place, as the kernel measured it.",
        |s| number(s.file()?.round_trip_ns),
    ),
];
