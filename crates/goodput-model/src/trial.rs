//! One execution of a probe: what was requested, and what each end reports.

use crate::Message;
pub use crate::connection::{IntervalTcpStatistics, SocketReport, TcpStatistics};
use crate::datagram::DatagramCounts;
use crate::file::FileReport;
use crate::host::{CpuAccounting, HostCounters, HostFacts, Inventory};
use crate::ids::{TrialId, TrialToken};
use crate::load::{ClientWindowSkew, ExcludedClient};
use crate::mtu::PathMtuReport;
pub use crate::probe::EndpointRole;
use crate::probe::{Probe, TransferDirection};
use crate::series::Series;
use crate::units::{BitRate, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialTimeouts {
    pub resolve: Nanos,
    pub connect: Nanos,
    pub first_byte: Nanos,
    pub progress: Nanos,
}

impl Default for TrialTimeouts {
    fn default() -> Self {
        let s = Nanos::SECOND.0;
        TrialTimeouts {
            resolve: Nanos(5 * s),
            connect: Nanos(3 * s),
            first_byte: Nanos(3 * s),
            progress: Nanos(10 * s),
        }
    }
}

/// What both ends receive before a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialSpec {
    pub trial: TrialId,
    pub probe: Probe,
    pub token: TrialToken,
    pub deadlines: TrialTimeouts,
    pub cpus: Option<Vec<u32>>,
    /// Whether live samples may be sent during the window.
    pub live: bool,
    /// Index of the client; 0 for the server and for a probe between two hosts.
    #[serde(default)]
    pub client: u16,
}

/// The window on one end's own monotonic clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasurementWindow {
    /// First instant counted.
    pub t0_ns: u64,
    /// First instant no longer counted.
    pub t1_ns: u64,
    /// This end's clock minus the reference clock.
    pub clock_offset_ns: i64,
    /// Largest error of the offset, about half the minimum round trip.
    pub clock_error_ns: u64,
}

impl MeasurementWindow {
    /// Counts in full even if nothing arrives.
    pub fn elapsed(&self) -> Nanos {
        Nanos(self.t1_ns.saturating_sub(self.t0_ns))
    }
}

/// The scheduler's account of a thread (`/proc/PID/task/TID/schedstat`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadTime {
    pub running_ns: u64,
    /// Ready to run while another thread had the CPU.
    pub waiting_ns: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    pub index: u16,
    /// Seen from the connecting end.
    pub direction: TransferDirection,
    /// True at the end that receives (and therefore counts).
    pub receives: bool,
    pub before_bytes: u64,
    pub window_bytes: u64,
    pub after_bytes: u64,
    /// TCP_INFO over the window, whatever was read or written then; `None` where not read at the edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp_window: Option<IntervalTcpStatistics>,
    /// System calls that moved bytes in the window.
    pub calls: u64,
    /// Own clock; `None` if nothing arrived. Of a stream's sender the first write, in a trial of fixed bytes.
    pub first_byte_ns: Option<u64>,
    /// Own clock. Of that sender the receiver's confirmation that all has arrived.
    pub last_byte_ns: Option<u64>,
    pub socket: SocketReport,
    /// Over the whole trial; `None` where the system does not tell.
    pub tcp: Option<TcpStatistics>,
    /// Zero-copy sends that the kernel copied nevertheless, and all of them.
    pub zero_copy: Option<(u64, u64)>,
    /// Of its measuring thread over the window; `None` where not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadTime>,
    /// Over the whole trial; `None` on a TCP connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<DatagramCounts>,
}

impl Flow {
    /// Before, in and after the window.
    pub fn total_bytes(&self) -> u64 {
        self.before_bytes.saturating_add(self.window_bytes).saturating_add(self.after_bytes)
    }
}

/// What one end reports after a trial. Series are separate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EndpointReport {
    pub role: EndpointRole,
    pub host: String,
    pub facts: HostFacts,
    /// Own clock.
    pub window: MeasurementWindow,
    pub flows: Vec<Flow>,
    /// Transactions, half round trips or messages in the window.
    pub operations: u64,
    /// `None` with a reason in `notes`.
    pub cpu: Option<CpuAccounting>,
    /// With the interfaces of the traffic; `None` in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Inventory>,
    /// Over the window; `None` in runs of older versions and without a window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<HostCounters>,
    /// From before the first datagram to after the drain, for datagrams' counts; else `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_trial: Option<HostCounters>,
    /// Of outgoing packets; `None` unless the probe is `mtu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_mtu: Option<PathMtuReport>,
    /// How well a client of the probe `load` kept the server's window; `None` for any other end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skew: Option<ClientWindowSkew>,
    /// Of a client, or what the listening end saw; `None` unless the probe is `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileReport>>,
    pub series: Vec<Series>,
    pub complete: bool,
    /// Remarks on the measurement ("cap reached", "kernel copied").
    pub notes: Vec<String>,
}

impl EndpointReport {
    pub fn empty(role: EndpointRole, host: impl Into<String>) -> EndpointReport {
        EndpointReport { role, host: host.into(), complete: true, ..EndpointReport::default() }
    }
}

/// Of a partial trial, what was measured until then is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum TrialOutcome {
    Complete,
    Partial {
        #[serde(flatten, with = "crate::message::cause")]
        cause: Message,
    },
    Failed {
        #[serde(flatten, with = "crate::message::cause")]
        cause: Message,
    },
}

/// As stored: the order (without its secret), the reports, the outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub id: TrialId,
    pub probe: Probe,
    /// The connecting and the listening end, as far as they reported; of `load` and `file` the clients and
    /// then the server. A file trial without an agent at its server has no listening end.
    pub ends: Vec<EndpointReport>,
    #[serde(flatten)]
    pub outcome: TrialOutcome,
    /// True when other trials ran on an end at the same time (`--shared`).
    pub shared: bool,
    /// Where a topology or the user names it.
    pub medium: Option<Medium>,
    /// A second limit inside a host, where the user names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<HostBus>,
    /// Clients of the probe `load` that are not in the result, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<ExcludedClient>,
    /// `None` for a measurement of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<TrialPurpose>,
}

/// What a trial is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialPurpose {
    /// A step of `goodput check`.
    Check,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Medium {
    /// For example `ethernet 100 Mbit/s` or `1000base-t`.
    pub name: String,
    pub rate: BitRate,
    pub mtu: u32,
    #[serde(default)]
    pub vlan_tags: u8,
    #[serde(default)]
    pub half_duplex: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostBus {
    /// For example `pci-32-33` or `pcie3-x4`.
    pub name: String,
    pub rate: BitRate,
    /// True when both directions share it.
    pub shared: bool,
}

impl Medium {
    /// Full duplex without VLAN tags.
    pub fn new(name: impl Into<String>, rate: BitRate, mtu: u32) -> Medium {
        Medium { name: name.into(), rate, mtu, vlan_tags: 0, half_duplex: false }
    }
}

impl Trial {
    pub fn endpoint_report(&self, role: EndpointRole) -> Option<&EndpointReport> {
        self.ends.iter().find(|e| e.role == role)
    }
}
