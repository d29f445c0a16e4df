//! What a check of a path found (`goodput check`). It is computed from the stored trials and never stored. See
//! `docs/methods/check.md`.

use crate::host::CpuAccountingScope;
use crate::message::Message;
use crate::probe::{Probe, TransferDirection};
use serde::{Deserialize, Serialize};

enum_with_all! {
    /// In the order of execution.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CheckStep {
        PathMtu,
        IdleLatency,
        /// TCP from the connecting end, and the latency meanwhile.
        Send,
        /// TCP to the connecting end, and the latency meanwhile.
        Receive,
        Both,
        MessageSizes,
        /// UDP from the connecting end, in several trials.
        LosslessRate,
    }
}

impl CheckStep {
    /// The step of a check that uses this probe; `None` for other probes.
    pub fn from_probe(probe: &Probe) -> Option<CheckStep> {
        match probe {
            Probe::Mtu(_) => Some(CheckStep::PathMtu),
            Probe::Latency(settings) => match settings.load {
                None => Some(CheckStep::IdleLatency),
                Some(TransferDirection::Send) => Some(CheckStep::Send),
                Some(TransferDirection::Receive) => Some(CheckStep::Receive),
                Some(TransferDirection::Both) => None,
            },
            Probe::Stream(_) => Some(CheckStep::Both),
            Probe::PingPong(_) => Some(CheckStep::MessageSizes),
            Probe::Datagram(_) => Some(CheckStep::LosslessRate),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            CheckStep::PathMtu => "path MTU search",
            CheckStep::IdleLatency => "latency of the idle path",
            CheckStep::Send => "TCP and latency, sending",
            CheckStep::Receive => "TCP and latency, receiving",
            CheckStep::Both => "TCP in both directions",
            CheckStep::MessageSizes => "ping-pong over message sizes",
            CheckStep::LosslessRate => "UDP rate without loss",
        }
    }
}

/// Directions are seen from the connecting end. `None` where not measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PathCheck {
    /// The connecting host.
    pub from: String,
    /// The listening host.
    pub to: String,
    pub path_mtu_send_bytes: Option<u32>,
    pub path_mtu_receive_bytes: Option<u32>,
    pub idle_latency_p50_ns: Option<u64>,
    pub idle_latency_p99_ns: Option<u64>,
    /// Under TCP load in this direction.
    pub loaded_latency_send_p50_ns: Option<u64>,
    pub loaded_latency_send_p99_ns: Option<u64>,
    pub loaded_latency_receive_p50_ns: Option<u64>,
    pub loaded_latency_receive_p99_ns: Option<u64>,
    /// Goodput of one connection.
    pub tcp_send_bps: Option<u64>,
    pub tcp_receive_bps: Option<u64>,
    /// While the other direction carries data, too.
    pub tcp_both_send_bps: Option<u64>,
    pub tcp_both_receive_bps: Option<u64>,
    /// Of the medium or the bus, for TCP in one direction.
    pub limit_bps: Option<u64>,
    pub limit_name: Option<String>,
    pub percent_of_limit_send: Option<f64>,
    pub percent_of_limit_receive: Option<f64>,
    /// Payload, from the connecting end.
    pub udp_lossless_bps: Option<u64>,
    /// By a trial of full length.
    pub udp_confirmed: bool,
    /// Message size that reaches half of the highest goodput.
    pub half_size_bytes: Option<f64>,
    /// Message size above which the time grows almost linearly.
    pub saturation_size_bytes: Option<u64>,
    /// In the TCP trial with the busiest CPU.
    pub cpu_from: Option<CheckedCpu>,
    pub cpu_to: Option<CheckedCpu>,
    /// Settings and observations to look at, each once.
    #[serde(with = "crate::message::english_list")]
    pub notes: Vec<Message>,
    pub not_measured: Vec<UnmeasuredStep>,
    /// Of `--require`; stored runs have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementOutcome>,
    #[serde(with = "crate::message::english")]
    pub sentence: Message,
    /// With the command to run next.
    #[serde(with = "crate::message::english")]
    pub next: Message,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CheckedCpu {
    pub scope: CpuAccountingScope,
    /// Of all CPUs of the scope.
    pub busy_percent: f64,
    pub busiest_percent: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnmeasuredStep {
    pub step: CheckStep,
    #[serde(with = "crate::message::english")]
    pub cause: Message,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequirementOutcome {
    /// As typed.
    pub requirement: String,
    /// Member of [`PathCheck`].
    pub metric: String,
    /// In the metric's own unit, as the measured value.
    pub required: f64,
    pub measured: Option<f64>,
    /// False as well where it was not measured.
    pub met: bool,
    #[serde(with = "crate::message::english")]
    pub sentence: Message,
}

/// Members that a requirement can name. A name ends in its unit.
type CheckMetric = (&'static str, fn(&PathCheck) -> Option<f64>);

const METRICS: &[CheckMetric] = &[
    ("path_mtu_send_bytes", |c| c.path_mtu_send_bytes.map(f64::from)),
    ("path_mtu_receive_bytes", |c| c.path_mtu_receive_bytes.map(f64::from)),
    ("idle_latency_p50_ns", |c| number(c.idle_latency_p50_ns)),
    ("idle_latency_p99_ns", |c| number(c.idle_latency_p99_ns)),
    ("loaded_latency_send_p50_ns", |c| number(c.loaded_latency_send_p50_ns)),
    ("loaded_latency_send_p99_ns", |c| number(c.loaded_latency_send_p99_ns)),
    ("loaded_latency_receive_p50_ns", |c| number(c.loaded_latency_receive_p50_ns)),
    ("loaded_latency_receive_p99_ns", |c| number(c.loaded_latency_receive_p99_ns)),
    ("tcp_send_bps", |c| number(c.tcp_send_bps)),
    ("tcp_receive_bps", |c| number(c.tcp_receive_bps)),
    ("tcp_both_send_bps", |c| number(c.tcp_both_send_bps)),
    ("tcp_both_receive_bps", |c| number(c.tcp_both_receive_bps)),
    ("percent_of_limit_send", |c| c.percent_of_limit_send),
    ("percent_of_limit_receive", |c| c.percent_of_limit_receive),
    ("udp_lossless_bps", |c| number(c.udp_lossless_bps)),
    ("half_size_bytes", |c| c.half_size_bytes),
    ("saturation_size_bytes", |c| number(c.saturation_size_bytes)),
    ("cpu_from.busy_percent", |c| c.cpu_from.map(|cpu| cpu.busy_percent)),
    ("cpu_from.busiest_percent", |c| c.cpu_from.map(|cpu| cpu.busiest_percent)),
    ("cpu_to.busy_percent", |c| c.cpu_to.map(|cpu| cpu.busy_percent)),
    ("cpu_to.busiest_percent", |c| c.cpu_to.map(|cpu| cpu.busiest_percent)),
];

fn number(value: Option<u64>) -> Option<f64> {
    value.map(|v| v as f64)
}

impl PathCheck {
    pub fn metric_names() -> Vec<&'static str> {
        METRICS.iter().map(|(name, _)| *name).collect()
    }

    /// `None` for an unknown name, too.
    pub fn metric(&self, name: &str) -> Option<f64> {
        METRICS.iter().find(|(known, _)| *known == name).and_then(|(_, of)| of(self))
    }

    pub fn has_values(&self) -> bool {
        METRICS.iter().any(|(_, of)| of(self).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::unit_of_metric;

    #[test]
    fn every_metric_is_a_member_and_its_name_tells_the_unit() {
        let cpu = CheckedCpu { scope: CpuAccountingScope::Host, busy_percent: 1.0, busiest_percent: 2.0 };
        let check = PathCheck { cpu_from: Some(cpu), cpu_to: Some(cpu), ..PathCheck::default() };
        let document = serde_json::to_value(&check).unwrap();
        for name in PathCheck::metric_names() {
            let pointer = format!("/{}", name.replace('.', "/"));
            assert!(document.pointer(&pointer).is_some(), "{name}");
            assert!(!unit_of_metric(name).is_empty(), "{name}");
        }
        assert_eq!(check.metric("cpu_to.busiest_percent"), Some(2.0));
        assert_eq!((check.metric("tcp_send_bps"), check.metric("nothing")), (None, None));
        assert!(check.has_values() && !PathCheck::default().has_values());
        assert_eq!(serde_json::from_value::<PathCheck>(document).unwrap(), check);
    }
}
