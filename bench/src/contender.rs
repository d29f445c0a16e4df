//! Who is measured doing what: a program with a load. And what comes out: a reading.

use crate::network::Host;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A program that can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Program {
    /// This project's program.
    Goodput,
    /// The plain loop of this bench, [`crate::raw`].
    Raw,
    /// ESnet's iperf3.
    Iperf3,
    /// NetPIPE over TCP.
    NpTcp,
    /// nuttcp.
    Nuttcp,
    /// Mellanox' sockperf.
    Sockperf,
    /// OpenFabrics' qperf.
    Qperf,
    /// riperf3, iperf3 in Rust.
    Riperf3,
    /// Samba's smbclient.
    Smbclient,
    /// dbench, on a folder.
    Dbench,
    /// tbench, dbench's load without files.
    Tbench,
    /// fio.
    Fio,
}

impl Program {
    /// Every program.
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

    /// As it is typed.
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

/// What a program is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "load", rename_all = "lowercase")]
pub enum Load {
    /// Bulk TCP from A to B, one write a message.
    Stream {
        /// Bytes of a message.
        size: u64,
        /// Congestion control; `None` is the kernel's default.
        congestion: Option<String>,
        /// How the receiver takes data.
        receive: Receive,
    },
    /// The 103-point sweep.
    Sweep {
        /// How.
        method: Sweep,
        /// Both ends on one CPU: no CPU is woken from idle, which on virtual machines is most of the time and of its
        /// drift.
        one_cpu: bool,
    },
    /// One request and one response at a time.
    Request {
        /// Bytes each way.
        size: u64,
        /// Whether both ends spin.
        spin: bool,
    },
    /// UDP datagrams from A to B.
    Datagram {
        /// Payload of one, in bytes.
        size: u64,
        /// How they pass between program and kernel.
        calls: Calls,
        /// Datagrams a second; `None` is as many as the kernel takes.
        rate: Option<u32>,
    },
    /// One big file onto an SMB share of host B and back.
    Share {
        /// Its length in bytes.
        bytes: u64,
    },
    /// dbench's load file by one player.
    Mix {
        /// Where.
        at: MixAt,
    },
    /// Rows of a drive mark, past the page cache.
    Drive {
        /// Length of the file in bytes.
        bytes: u64,
    },
}

/// How a stream's receiver takes data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Receive {
    /// As the program does by default.
    Default,
    /// In reads of at most this many bytes; for the raw loop.
    Read(u64),
    /// With receive coalescing; for this project's program.
    Coalescing,
}

/// The delay of [`Receive::Coalescing`].
pub const COALESCING_DELAY: &str = "50us";

/// Where a load file is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MixAt {
    /// In a folder of host A.
    Folder,
    /// From A to B without any file, over a link of 1 Gbit/s: without one, two programs differ by what they cost, and
    /// nothing else is measured.
    Net,
}

/// How datagrams pass between program and kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calls {
    /// One system call a datagram.
    Plain,
    /// Many a call: UDP_SEGMENT and UDP_GRO.
    Offload,
    /// As [`Calls::Offload`], but no header is written into a datagram or read from it; for the raw loop.
    Bare,
}

/// How a sweep is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sweep {
    /// NetPIPE's procedure with this many round trips a loop at every size, so that a sweep is short.
    Repeats(u32),
    /// NetPIPE's procedure with its own repeat counts.
    Compat,
    /// This project's adaptive sweep; not for peers.
    Native,
}

/// Largest base size of the sweep: 103 sizes, the largest 786,435 bytes.
pub const SWEEP_UP_TO: u64 = 1_048_573;
/// Window of a mix, and what goes before it uncounted: a fifth of both together, as dbench has it.
pub const MIX_SECONDS: (u64, u64) = (8, 2);
/// Window of each row of a drive mark.
pub const ROW_TIME: &str = "500ms";
/// Window of a stream, in whole seconds because iperf3 takes no other.
pub const STREAM_SECONDS: u64 = 1;
/// Warm-up of a stream, where the program has one.
pub const WARM_UP: Duration = Duration::from_millis(200);
/// Window of a request trial.
pub const REQUEST_SECONDS: u64 = 1;
/// Window of datagrams as fast as they go, in whole seconds because iperf3 takes no other.
pub const DATAGRAM_SECONDS: u64 = 1;
/// Window of datagrams at a rate: long against the 50 ms between two readings of the sender's CPU time.
pub const PACED_SECONDS: u64 = 2;

/// A program with its load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// Who.
    pub program: Program,
    /// What.
    #[serde(flatten)]
    pub load: Load,
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.name())?;
        match &self.load {
            Load::Stream { receive: Receive::Read(read), .. } => write!(f, " (read {})", size(*read)),
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
    /// The CPU that this end is pinned to: receiver and server on 0, sender and client on 1.
    pub fn cpu(&self, host: Host) -> u32 {
        match (&self.load, host) {
            (Load::Sweep { one_cpu: true, .. }, _) | (_, Host::A) => 1,
            (_, Host::B) => 0,
        }
    }

    /// About how long a trial takes, start and end of the programs included.
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

/// A size as people write it: 64 B, 8 KiB.
pub fn size(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) {
        format!("{} KiB", bytes / 1024)
    } else {
        format!("{bytes} B")
    }
}

/// What a trial gave. Fields that the program does not tell are `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// User bit/s at the receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goodput_bps: Option<f64>,
    /// User bytes received over the whole trial, also before and after the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_bytes: Option<u64>,
    /// Busy ns of the whole machine a user byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ns_per_byte: Option<f64>,
    /// Round trips a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Median (sockperf, goodput) or mean (qperf has no other) of the whole round trip, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round_trip_ns: Option<f64>,
    /// Datagrams a second that the receiver got in its window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub datagrams_per_second: Option<f64>,
    /// Datagrams received over the whole trial, also before and after the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_datagrams: Option<u64>,
    /// Busy ns of the whole machine a datagram received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_ns_per_datagram: Option<f64>,
    /// CPU time of all threads of the sending program, as a share of one CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_share: Option<f64>,
    /// Busy share of the CPU that the sender is pinned to, whoever is busy on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_cpu_share: Option<f64>,
    /// How far the rate received is from the rate asked, as a share of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_error: Option<f64>,
    /// User bit/s of a file that was written until it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_bps: Option<f64>,
    /// User bit/s of a file that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_bps: Option<f64>,
    /// Bit/s that a mix read and wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mix_bps: Option<f64>,
    /// User CPU time of the program, all its processes and threads, an operation of a mix, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_ns_per_operation: Option<f64>,
    /// Bit/s of each row of a drive mark, by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rows: BTreeMap<String, f64>,
    /// Points of a sweep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    /// From the client's start to its end, in s.
    #[serde(default)]
    pub wall_s: f64,
}

/// One size of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Message size in bytes.
    pub size: u64,
    /// Half round trip in ns.
    pub time_ns: f64,
    /// Its 95 % interval, where the program gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval_ns: Option<(f64, f64)>,
}
