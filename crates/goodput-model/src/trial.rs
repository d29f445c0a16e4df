//! One execution of a probe: what was ordered, what each end reports.

pub use crate::connection::{SocketReport, TcpAccount, TcpWindow};
use crate::datagram::DatagramAccount;
use crate::file::FileReport;
use crate::host::{Counters, CpuAccount, HostFacts, Inventory};
use crate::id::{Token, TrialId};
use crate::load::{Excluded, Skew};
use crate::mtu::PathMtuReport;
pub use crate::probe::Role;
use crate::probe::{Direction, Probe};
use crate::series::Series;
use crate::units::{BitRate, Nanos};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deadlines {
    pub resolve: Nanos,
    pub connect: Nanos,
    pub first_byte: Nanos,
    pub progress: Nanos,
}

impl Default for Deadlines {
    fn default() -> Self {
        let s = Nanos::SECOND.0;
        Deadlines {
            resolve: Nanos(5 * s),
            connect: Nanos(3 * s),
            first_byte: Nanos(3 * s),
            progress: Nanos(10 * s),
        }
    }
}

/// What both ends are told before a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    pub trial: TrialId,
    pub probe: Probe,
    /// The secret that data connections must show.
    pub token: Token,
    pub deadlines: Deadlines,
    /// CPUs that measuring threads are pinned to, in order of their creation; `None` pins nothing.
    pub cpus: Option<Vec<u32>>,
    /// Whether live samples may be sent during the window.
    pub live: bool,
    /// Which client this order is for; 0 for the server and for a probe between two hosts.
    #[serde(default)]
    pub client: u16,
}

/// The window on one end's own monotonic clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// First instant counted.
    pub t0_ns: u64,
    /// First instant no longer counted.
    pub t1_ns: u64,
    /// This end's clock minus the reference clock, by the exchange with the least round trip.
    pub clock_offset_ns: i64,
    /// Half that round trip: the offset is known no better.
    pub clock_error_ns: u64,
}

impl Window {
    /// The window's length; it counts in full even if nothing arrives.
    pub fn elapsed(&self) -> Nanos {
        Nanos(self.t1_ns.saturating_sub(self.t0_ns))
    }
}

/// What one end counted on one connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    pub index: u16,
    /// Which way data flows on it, seen from the connecting end.
    pub direction: Direction,
    /// True at the end that receives (and therefore counts).
    pub receives: bool,
    pub before_bytes: u64,
    pub window_bytes: u64,
    /// User bytes after the window (drain).
    pub after_bytes: u64,
    /// The kernel's account of the window alone, whatever was read or handed over then; `None` where it was not asked at
    /// the edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp_window: Option<TcpWindow>,
    /// System calls that moved bytes in the window.
    pub calls: u64,
    /// First byte in the window, own clock; `None` if nothing arrived.
    pub first_byte_ns: Option<u64>,
    /// Last byte in the window, own clock.
    pub last_byte_ns: Option<u64>,
    pub socket: SocketReport,
    /// The kernel's account over the whole trial; `None` where the system does not tell.
    pub tcp: Option<TcpAccount>,
    /// Zero-copy sends that the kernel copied all the same, and all of them.
    pub zero_copy: Option<(u64, u64)>,
    /// The datagram account of the whole trial; `None` on a TCP connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datagrams: Option<DatagramAccount>,
}

impl Flow {
    /// User bytes of the whole trial: before, in and after the window.
    pub fn total_bytes(&self) -> u64 {
        self.before_bytes.saturating_add(self.window_bytes).saturating_add(self.after_bytes)
    }
}

/// What one end says after a trial. Series travel beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndReport {
    pub role: Role,
    /// The host's name as the coordinator knows it.
    pub host: String,
    pub facts: HostFacts,
    /// The window on this end's clock.
    pub window: Window,
    pub flows: Vec<Flow>,
    /// Transactions, half round trips or messages completed in the window.
    pub operations: u64,
    /// CPU over the window; `None` with a reason in `notes`.
    pub cpu: Option<CpuAccount>,
    /// The machine in full, with the interfaces that the traffic took; `None` in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<Inventory>,
    /// What the host counted over the window; `None` in runs of older versions and without a window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Likewise from before the first datagram to after the drain, for the account of datagrams, which covers the
    /// whole trial; `None` for any other probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_trial: Option<Counters>,
    /// The path of the packets that this end sends; `None` unless the probe is `mtu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_mtu: Option<PathMtuReport>,
    /// How well this end kept the server's window; `None` unless it is a client of the probe `load`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skew: Option<Skew>,
    /// What a client did to files, or what the listening end saw of it; `None` unless the probe is `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Box<FileReport>>,
    pub series: Vec<Series>,
    /// False when the trial broke off.
    pub complete: bool,
    /// What the user must know about how this was measured ("cap reached", "kernel copied").
    pub notes: Vec<String>,
}

impl EndReport {
    /// Of an end that has nothing to say yet, and of which nothing broke off: to be filled in.
    pub fn bare(role: Role, host: impl Into<String>) -> EndReport {
        EndReport {
            role,
            host: host.into(),
            facts: HostFacts::default(),
            window: Window::default(),
            flows: Vec::new(),
            operations: 0,
            cpu: None,
            inventory: None,
            counters: None,
            whole_trial: None,
            path_mtu: None,
            skew: None,
            file: None,
            series: Vec::new(),
            complete: true,
            notes: Vec::new(),
        }
    }

    /// The path of the packets that this end of an `mtu` trial sends.
    pub fn path_mtu(&self) -> Option<&PathMtuReport> {
        self.path_mtu.as_ref()
    }

    /// How well a client of the probe `load` kept the server's window.
    pub fn skew(&self) -> Option<Skew> {
        self.skew
    }

    /// What an end of the probe `file` did to files, or saw of it.
    pub fn file(&self) -> Option<&FileReport> {
        self.file.as_deref()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Both ends reported, everything counted.
    Complete,
    /// It broke off; what was measured until then is kept.
    Partial {
        /// Which end or which wait, in a sentence.
        cause: String,
    },
    Failed {
        cause: String,
    },
}

/// A trial as it is stored: the order (without its secret), the reports, the outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The trial's name within the run.
    pub id: TrialId,
    pub probe: Probe,
    /// The connecting and the listening end, as far as they reported; of the probes `load` and `file` the clients and
    /// then the server. A file trial without an agent at its server has no listening end.
    pub ends: Vec<EndReport>,
    #[serde(flatten)]
    pub outcome: Outcome,
    /// True when other trials ran on an end at the same time (`--shared`).
    pub shared: bool,
    /// Rate and name of the medium between the ends, where a topology or the user names one.
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where the user names one: a second limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<HostBus>,
    /// Clients of the probe `load` that are not in the result, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
}

/// A medium named by a topology or by the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Medium {
    /// For example `ethernet 100 Mbit/s` or `1000base-t`.
    pub name: String,
    pub rate: BitRate,
    pub mtu: u32,
    #[serde(default)]
    pub vlan_tags: u8,
    /// True when both directions share the medium.
    #[serde(default)]
    pub half_duplex: bool,
}

/// A bus inside a host named by the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostBus {
    /// For example `pci-32-33` or `pcie3-x4`.
    pub name: String,
    pub rate: BitRate,
    /// True when both directions share it.
    pub shared: bool,
}

impl Medium {
    /// A full-duplex medium without VLAN tags.
    pub fn new(name: impl Into<String>, rate: BitRate, mtu: u32) -> Medium {
        Medium { name: name.into(), rate, mtu, vlan_tags: 0, half_duplex: false }
    }
}

impl Trial {
    pub fn end(&self, role: Role) -> Option<&EndReport> {
        self.ends.iter().find(|e| e.role == role)
    }
}
