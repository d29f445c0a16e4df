//! Contenders: a program with a load, and the readings of its trials.

use crate::network::Host;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    Goodput,
    /// The plain loop of this bench, [`crate::raw`].
    Raw,
    Iperf3,
    NpTcp,
    Nuttcp,
    Sockperf,
    Qperf,
    /// iperf3 in Rust.
    Riperf3,
    Smbclient,
    Dbench,
    Tbench,
    Fio,
}

impl Program {
    pub const ALL: [Program; 12] = [
        Program::Goodput,
        Program::Raw,
        Program::Iperf3,
        Program::NpTcp,
        Program::Nuttcp,
        Program::Sockperf,
        Program::Qperf,
        Program::Riperf3,
        Program::Smbclient,
        Program::Dbench,
        Program::Tbench,
        Program::Fio,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Program::Goodput => "goodput",
            Program::Raw => "raw loop",
            Program::Iperf3 => "iperf3",
            Program::NpTcp => "NPtcp",
            Program::Nuttcp => "nuttcp",
            Program::Sockperf => "sockperf",
            Program::Qperf => "qperf",
            Program::Riperf3 => "riperf3",
            Program::Smbclient => "smbclient",
            Program::Dbench => "dbench",
            Program::Tbench => "tbench",
            Program::Fio => "fio",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "load", rename_all = "lowercase")]
pub enum Load {
    /// Bulk TCP from A to B, one write per message.
    Stream {
        size: u64,
        /// `None` is the kernel's default.
        congestion: Option<String>,
        receive: Receive,
    },
    Sweep {
        method: Sweep,
        /// Both ends on one CPU: no wake-ups from idle, which dominate time and drift on virtual machines.
        one_cpu: bool,
    },
    Request {
        size: u64,
        /// Both ends poll instead of sleeping.
        spin: bool,
    },
    Datagram {
        /// Payload in bytes.
        size: u64,
        calls: Calls,
        /// Per second; `None` is the maximum.
        rate: Option<u32>,
    },
    /// A file written to an SMB share of host B, and read back.
    Share {
        /// In bytes.
        bytes: u64,
    },
    /// dbench's load file with one player.
    Mix {
        /// A folder, or the network alone.
        at: MixAt,
    },
    /// Rows of a drive mark with direct I/O.
    Drive {
        /// In bytes.
        bytes: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Receive {
    Default,
    /// Bytes per read; raw loop only.
    Read(u64),
    /// Before each read `poll`, after it some work, as in iperf3; raw loop only.
    PollAndRead(u64),
    /// This project's program only.
    Coalescing,
}

pub const COALESCING_DELAY: &str = "50us";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MixAt {
    Folder,
    /// From A to B without files, over 1 Gbit/s: without a limit only the programs' cost would be measured.
    Net,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calls {
    /// One system call per datagram.
    Plain,
    /// UDP_SEGMENT and UDP_GRO.
    Offload,
    /// As [`Calls::Offload`] without headers; raw loop only.
    Bare,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sweep {
    /// NetPIPE's procedure with a fixed number of round trips, for a short sweep.
    Repeats(u32),
    /// NetPIPE's procedure with its own repeat counts.
    Compat,
    /// This project's adaptive sweep; not for peers.
    Native,
}

/// Largest base size: 103 sizes, the largest 786,435 bytes.
pub const SWEEP_UP_TO: u64 = 1_048_573;
/// Window and warm-up of a mix: a fifth is warm-up, as in dbench.
pub const MIX_SECONDS: (u64, u64) = (8, 2);
pub const ROW_TIME: &str = "500ms";
/// iperf3 takes whole seconds only.
pub const STREAM_SECONDS: u64 = 1;
/// Where the program has one.
pub const WARM_UP: Duration = Duration::from_millis(200);
pub const REQUEST_SECONDS: u64 = 1;
pub const DATAGRAM_SECONDS: u64 = 1;
/// Long against the 50 ms between two readings of the sender's CPU time.
pub const PACED_SECONDS: u64 = 2;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    pub program: Program,
    #[serde(flatten)]
    pub load: Load,
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.name())?;
        match &self.load {
            Load::Stream { receive: Receive::Read(read), .. } => write!(f, " (read {})", size(*read)),
            Load::Stream { receive: Receive::PollAndRead(read), .. } => {
                write!(f, " (poll, read {}, work)", size(*read))
            }
            Load::Stream { receive: Receive::Coalescing, .. } => {
                write!(f, " --receive-coalescing {COALESCING_DELAY}")
            }
            Load::Sweep { method: Sweep::Native, .. } => write!(f, " native"),
            Load::Sweep { .. } if self.program == Program::Goodput => write!(f, " compat"),
            Load::Request { spin: true, .. } => write!(f, " --spin"),
            Load::Datagram { calls, rate, .. } => match (self.program, calls, rate) {
                (Program::Goodput, Calls::Plain, _) => write!(f, " --plain"),
                (Program::Goodput, _, Some(rate)) => write!(f, " --rate {rate}/s"),
                (Program::Raw, Calls::Bare, _) => write!(f, " without header"),
                (Program::Raw, ..) => write!(f, " with header"),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

impl Contender {
    /// Receiver and server on 0, sender and client on 1.
    pub fn cpu(&self, host: Host) -> u32 {
        match (&self.load, host) {
            (Load::Sweep { one_cpu: true, .. }, _) | (_, Host::A) => 1,
            (_, Host::B) => 0,
        }
    }

    /// Includes start and end of the programs.
    pub fn estimate(&self) -> Duration {
        Duration::from_millis(match (&self.load, self.program) {
            (Load::Stream { .. }, Program::Goodput) => 1700,
            (Load::Stream { .. }, Program::Raw) => 1350,
            (Load::Stream { .. }, _) => 1250,
            (Load::Sweep { method: Sweep::Repeats(n), one_cpu: true }, _) => u64::from(*n) * 20,
            (Load::Sweep { method: Sweep::Repeats(n), .. }, _) => u64::from(*n) * 40,
            (Load::Sweep { method: Sweep::Compat, .. }, _) => 35_000,
            (Load::Sweep { method: Sweep::Native, .. }, _) => 13_000,
            (Load::Request { .. }, Program::Sockperf) => 2200,
            (Load::Request { .. }, _) => 1500,
            (Load::Datagram { rate: Some(_), .. }, _) => 2900,
            (Load::Datagram { .. }, Program::Goodput) => 1800,
            (Load::Datagram { .. }, Program::Raw) => 1550,
            (Load::Datagram { .. }, _) => 1250,
            (Load::Share { .. }, _) => 4000,
            (Load::Mix { .. }, _) => 12_000,
            (Load::Drive { .. }, _) => 6_500,
        })
    }
}

pub fn size(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{bytes} B")
    }
}

/// `None` where the program does not report it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goodput_bps: Option<f64>,
    /// Over the whole trial, also outside the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
    /// Busy ns of the whole machine per user byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ns_per_byte: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Whole round trip in ns: median (sockperf, goodput) or mean (qperf).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<f64>,
    /// Received in the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datagrams_per_second: Option<f64>,
    /// Over the whole trial, also outside the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_datagrams: Option<u64>,
    /// Busy ns of the whole machine per received datagram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ns_per_datagram: Option<f64>,
    /// CPU time of all threads of the sender, as a share of one CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_share: Option<f64>,
    /// Busy share of the sender's CPU, by any process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_cpu_share: Option<f64>,
    /// Relative difference of received and requested rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_error: Option<f64>,
    /// Until accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bps: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mix_bps: Option<f64>,
    /// User CPU time of all processes and threads per operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_ns_per_operation: Option<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows: BTreeMap<String, f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    #[serde(default)]
    pub wall_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub size: u64,
    /// Half round trip.
    pub time_ns: f64,
    /// 95 % interval, if reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_ns: Option<(f64, f64)>,
}
