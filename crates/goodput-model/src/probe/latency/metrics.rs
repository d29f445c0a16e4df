//! Metrics of latency on an idle and on a loaded path.

use crate::experiment::Better::{Higher, Lower};
use crate::metric::{BYTES, CPU, CPU_PER_KIB, DIRECTIONS, GOODPUT, LATENCY, Metric, number, trial};

pub(crate) const METRICS: &[&[Metric]] = &[LATENCY, OWN, &[GOODPUT, BYTES, CPU_PER_KIB], DIRECTIONS, CPU];

const OWN: &[Metric] = &[
    trial("probes.sent", "Probes sent", Higher, "Probes given to the kernel in the window.", |s| {
        number(Some(s.probes()?.sent))
    }),
    trial("probes.answered", "Probes answered", Higher, "Probes answered within 3 s.", |s| {
        number(Some(s.probes()?.answered))
    }),
    trial("probes.lost", "Probes lost", Lower, "Probes not answered within 3 s.", |s| {
        number(Some(s.probes()?.lost))
    }),
    trial(
        "probes.sent_late_ns.p50",
        "Send delay, median",
        Lower,
        "How late probes were sent, median.",
        |s| number(s.probes()?.sent_late_ns.map(|l| l.p50)),
    ),
    trial("probes.sent_late_ns.p99", "Send delay, p99", Lower, "How late probes were sent, p99.", |s| {
        number(s.probes()?.sent_late_ns.map(|l| l.p99))
    }),
    trial(
        "probes.round_trip_ns.p50",
        "Round trip, median",
        Lower,
        "Time from sent to answered, median.",
        |s| number(s.probes()?.round_trip_ns.map(|l| l.p50)),
    ),
    trial("probes.round_trip_ns.p99", "Round trip, p99", Lower, "Time from sent to answered, p99.", |s| {
        number(s.probes()?.round_trip_ns.map(|l| l.p99))
    }),
];
