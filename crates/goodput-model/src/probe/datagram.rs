//! UDP datagrams: the settings of the probe `datagram`, and the account that each end keeps of each flow.
//!
//! The account covers the whole trial, warm-up and drain included; rates cover the window only and stand in
//! [`crate::trial::Flow`] (`window_bytes`). How the parts add up is `goodput-analysis`' business.

pub(crate) mod account;
pub(crate) mod metrics;
pub(crate) mod result;

use super::demand::per_second;
use super::{Bulk, Demand, Direction, LiveRate, Role, Settings, SocketOptions, Stop, Wait};
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// The largest payload of a datagram over IPv4: 65,535 − 20 − 8.
pub const LARGEST_PAYLOAD_V4: u64 = 65_507;
/// The largest payload of a datagram over IPv6 without a jumbogram: 65,535 − 8.
pub const LARGEST_PAYLOAD_V6: u64 = 65_527;
/// Bytes of the sequence number that opens every datagram large enough for it.
pub const SEQUENCE_BYTES: u64 = 8;
/// Bytes of the whole header: the sequence, then the send time in nanoseconds, both big-endian.
pub const HEADER_BYTES: u64 = 16;

/// Settings of the probe `datagram`, `docs/methods/datagram.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Datagram {
    /// Which way datagrams flow, seen from the connecting end.
    pub direction: Direction,
    /// Flows (sockets, ports, threads) in each direction, 1 or more.
    pub flows: u16,
    /// Payload of one datagram: 1 B to 65,507 B over IPv4, 65,527 B over IPv6.
    pub size: Bytes,
    /// What each direction offers, shared evenly by its flows; `None` offers as much as the kernel takes.
    pub rate: Option<DatagramRate>,
    /// Datagrams that a paced sender offers together, 1 or more. The rate stays the same: a burst of 10 comes a
    /// tenth as often. Without a rate it has no meaning. 0 stands only in what a search starts from: each of its
    /// trials has [`Datagram::usual_burst`].
    pub burst: u32,
    /// How many datagrams one system call may carry.
    pub offload: Segmentation,
    /// How the receiver waits for datagrams, and a paced sender for its next instant.
    pub wait: Wait,
    /// When to stop. Bytes are rounded up to whole datagrams; bytes and count are datagrams offered.
    pub stop: Stop,
    /// Time before the window that is not counted in the rate; zero when stopping by bytes or count.
    pub warm_up: Nanos,
    pub interval: Nanos,
    /// Socket options. Without a receive buffer asked, the probe asks for a large one itself.
    pub socket: SocketOptions,
    /// The search that this trial is a step of; `None` for a trial of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<LosslessSearch>,
}

impl Default for Datagram {
    /// One flow of 1448-byte datagrams, as many as the kernel takes, for 10 s after 1 s of warm-up.
    fn default() -> Self {
        Datagram {
            direction: Direction::Send,
            flows: 1,
            size: Bytes(1448),
            rate: None,
            burst: 1,
            offload: Segmentation::Auto,
            wait: Wait::Sleep,
            stop: Stop::Time(Nanos(10 * Nanos::SECOND.0)),
            warm_up: Nanos::SECOND,
            interval: Nanos(100_000_000),
            socket: SocketOptions::default(),
            search: None,
        }
    }
}

/// A search for the highest rate without loss, the same in each of its trials. With it and the trials' results the
/// search can be made again on paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LosslessSearch {
    /// Share of the sent datagrams that may be lost, in per cent; 0 is none at all.
    pub loss_percent: f64,
    /// No higher rate is tried; `None` begins with as fast as the sender can.
    pub ceiling: Option<DatagramRate>,
    /// Window of a trial that judges a rate.
    pub short: Nanos,
    /// Window of a trial that confirms one.
    pub full: Nanos,
    pub most_trials: u32,
}

impl Datagram {
    /// Datagrams a second that each direction is to offer; `None` without a rate.
    pub fn datagrams_per_second(&self) -> Option<f64> {
        Some(match self.rate? {
            DatagramRate::Datagrams(n) => n,
            DatagramRate::Bits(BitRate(bits)) => bits as f64 / (self.size.0.max(1) as f64 * 8.0),
        })
    }

    /// The burst that keeps each sender from waking up more often than each 0.5 ms; 1 at low rates and without a
    /// rate. A wake-up costs more CPU than a datagram: 10,000 a second one by one took a third of a core of a virtual
    /// machine, in bursts of 5 a tenth.
    pub fn usual_burst(&self) -> u32 {
        let each_flow = self.datagrams_per_second().unwrap_or(0.0) / f64::from(self.flows.max(1));
        // A cast of a float saturates.
        ((each_flow / 2_000.0).ceil() as u32).clamp(1, 1_024)
    }

    /// True when a sleeping receiver may look for datagrams each 0.1 ms instead of being woken by every one: at
    /// maximum rate, where arrivals are not timed.
    pub fn naps(&self) -> bool {
        self.rate.is_none() && self.wait == Wait::Sleep
    }

    /// True when each datagram has a send time and an arrival time of its own, if it has room for the former.
    pub fn timed(&self) -> bool {
        self.one_a_call() && !self.naps()
    }

    /// True when every call, at both ends, carries one datagram: asked so, or paced without bursts. Only then
    /// does a datagram's send time say when this datagram was sent.
    pub fn one_a_call(&self) -> bool {
        self.offload == Segmentation::Plain || (self.rate.is_some() && self.burst <= 1)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatagramRate {
    Datagrams(f64),
    Bits(BitRate),
}

/// How many datagrams one system call may carry, as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Segmentation {
    /// UDP_SEGMENT and UDP_GRO where the kernel takes them, else as [`Segmentation::Mmsg`].
    Auto,
    Plain,
    /// Several datagrams a call (sendmmsg, recvmmsg), each its own packet from the start.
    Mmsg,
}

/// How datagrams passed between program and kernel, as it was in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatagramCalls {
    /// send or recv, one datagram a call.
    Plain,
    Mmsg,
    /// UDP_SEGMENT: one buffer that the kernel (or the adapter) cuts into datagrams. Senders only.
    Gso,
    /// UDP_GRO with recvmmsg: buffers that may hold several datagrams. Receivers only.
    Gro,
}

/// What one end counted on one flow over the whole trial, and what the other end told it at the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramAccount {
    pub size: Bytes,
    /// The sending end's own count; `None` at the receiving end.
    pub sent: Option<DatagramsSent>,
    /// The receiving end's own count; `None` at the sending end.
    pub received: Option<DatagramsReceived>,
    /// At the receiving end: the sender's totals, told over TCP after the last datagram. `None` when they did
    /// not come (the trial broke off) and at the sending end.
    pub told_sent: Option<SentTotals>,
    /// At the sending end: the receiver's totals, told over TCP after its drain; else `None`.
    pub told_received: Option<ReceivedTotals>,
}

/// The sending end's count of one flow. Always `offered = refused + sent`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramsSent {
    /// Datagrams handed to the kernel, taken or not.
    pub offered: u64,
    /// Datagrams that the kernel refused, by errno, in order of errno.
    pub refused: Vec<Refusal>,
    pub sent: u64,
    pub calls: u64,
    pub window_offered: u64,
    pub by: DatagramCalls,
    /// Why not by what was asked first, in a sentence ("UDP_SEGMENT: …"); `None` when it is.
    pub fallback: Option<String>,
    /// UDP_SEGMENT in force: the payload at which the kernel cuts.
    pub segment_size: Option<Bytes>,
    pub most_a_call: u32,
    /// Paced: the longest that a datagram was offered after its instant, in ns.
    pub most_late_ns: Option<u64>,
    /// Paced: datagrams offered more than 1 ms after their instant. They go out at once, one after the other,
    /// because the schedule does not move.
    pub late: Option<u64>,
}

/// Datagrams that calls with one errno refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The errno as Linux numbers it (105 ENOBUFS: a queue on the way out of this host was full; 111
    /// ECONNREFUSED: told by an earlier datagram's ICMP error). 0 where sendmmsg does not say: it only tells
    /// how many it sent before the one it failed on.
    pub errno: i32,
    pub calls: u64,
    pub datagrams: u64,
}

/// The receiving end's count of one flow.
/// `received = once + duplicates + unresolved` where there is a sequence to tell them apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramsReceived {
    /// Well-formed datagrams read from the socket, duplicates included.
    pub received: u64,
    /// Those seen for the first time. `None` without a sequence (payload below 8 B).
    pub once: Option<u64>,
    /// Those whose sequence had been received before. `None` without a sequence.
    pub duplicates: Option<u64>,
    /// Those seen for the first time after one with a higher sequence (RFC 4737 section 3.3); they are also in
    /// `once`. `None` without a sequence.
    pub reordered: Option<u64>,
    /// Those so far behind the highest sequence that the window no longer knows whether they are duplicates or
    /// late. In no rate. `None` without a sequence.
    pub unresolved: Option<u64>,
    /// The greatest distance, in sequence numbers, of a reordered or unresolved datagram behind the highest
    /// received before it. `None` without a sequence.
    pub most_behind: Option<u64>,
    /// How far back the window reaches at least, in sequence numbers. `None` without a sequence.
    pub reach: Option<u64>,
    /// The highest sequence received; sequences count what was offered, from 0. `None` without a sequence or
    /// when nothing came.
    pub highest: Option<u64>,
    /// Datagrams on this flow's socket of another length than `size`, or with an impossible sequence. Not in `received`.
    pub malformed: u64,
    /// What the kernel dropped at this socket (SO_MEMINFO, SK_MEMINFO_DROPS) between the start and the end of
    /// the drain: full buffer, failed checksum. Packets as the kernel counts them: datagrams, unless offload
    /// is in force at either end. `None` where the system does not tell.
    pub socket_drops: Option<u64>,
    /// Datagrams that those drops can have been at the most. Equal to `socket_drops` when no packet can have
    /// held more than one datagram.
    pub socket_drops_at_most: Option<u64>,
    pub calls: u64,
    pub by: DatagramCalls,
    /// Why not by what was asked first, in a sentence; `None` when it is.
    pub fallback: Option<String>,
    /// The segment size that UDP_GRO gave last (its gso_size); `None` when the kernel merged nothing.
    pub segment_size: Option<Bytes>,
    pub most_a_call: u32,
    /// Most datagrams in one packet of the kernel (1 without GRO).
    pub most_a_packet: u32,
    /// RFC 3550 section 6.4.1 interarrival jitter at the end of the window, in ns, over the window's datagrams
    /// in order of arrival, first copies only. `None` where it is in `not_available`.
    /// The one-way delay variation behind it is the series `delay-variation-<direction>-<flow>`.
    pub jitter_ns: Option<f64>,
    /// From hearing that the sender has finished to the last look into the socket, in ns.
    pub drain_ns: u64,
    /// The checks that this trial cannot make, each with its reason.
    pub not_available: Vec<NotAvailable>,
}

/// A check that a trial could not make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotAvailable {
    pub check: DatagramCheck,
    /// Why, in a sentence without a full stop.
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatagramCheck {
    /// Copies told from first arrivals: `once`, `duplicates`, `unresolved`.
    Duplicates,
    /// `reordered`, `most_behind`.
    Reordering,
    /// `jitter_ns`.
    Jitter,
    /// The series `delay-variation-…`.
    DelayVariation,
    /// `socket_drops`.
    SocketDrops,
}

/// What the sender tells the receiver after its last datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTotals {
    pub offered: u64,
    pub refused: u64,
    pub sent: u64,
}

/// What the receiver tells the sender after its drain; the fields are those of [`DatagramsReceived`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedTotals {
    /// Well-formed datagrams, duplicates included.
    pub received: u64,
    pub duplicates: Option<u64>,
    /// Late or copies: the window no longer knew.
    pub unresolved: Option<u64>,
    pub malformed: u64,
    pub socket_drops: Option<u64>,
}

impl DatagramsSent {
    pub fn refused_datagrams(&self) -> u64 {
        self.refused.iter().fold(0, |sum, r| sum.saturating_add(r.datagrams))
    }

    /// The part that the receiver is told.
    pub fn totals(&self) -> SentTotals {
        SentTotals { offered: self.offered, refused: self.refused_datagrams(), sent: self.sent }
    }
}

impl DatagramsReceived {
    /// The part that the sender is told.
    pub fn totals(&self) -> ReceivedTotals {
        ReceivedTotals {
            received: self.received,
            duplicates: self.duplicates,
            unresolved: self.unresolved,
            malformed: self.malformed,
            socket_drops: self.socket_drops,
        }
    }

    /// True when this check could be made.
    pub fn has(&self, check: DatagramCheck) -> bool {
        !self.not_available.iter().any(|n| n.check == check)
    }
}

impl Settings for Datagram {
    type Result = result::DatagramResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        self.stop.window(self.warm_up)
    }

    fn demand(&self, _role: Role, _client: u16) -> Demand {
        let (flows, parts) = (u32::from(self.flows), self.direction.parts().len() as u64);
        let rate = match self.rate {
            Some(DatagramRate::Bits(rate)) => Some(rate),
            Some(DatagramRate::Datagrams(n)) => Some(per_second(n, self.size)),
            None => self.socket.paced(flows),
        };
        Demand::stopping(rate, (self.stop, self.warm_up), flows * parts as u32, parts, self.size)
    }

    fn counts_at(&self, role: Role) -> bool {
        self.direction.arrives_at(role)
    }

    fn is_bidirectional(&self) -> bool {
        self.direction == Direction::Both
    }

    fn live(&self) -> LiveRate {
        LiveRate::Bytes
    }

    fn spins(&self) -> bool {
        self.wait == Wait::Spin
    }

    fn bulk(&self) -> Option<Bulk> {
        let Datagram { flows: count, direction, stop, .. } = *self;
        Some(Bulk { kind: "flow", count, direction, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_in_bits_is_payload() {
        let of = |rate| Datagram { rate, size: Bytes(1250), ..Datagram::default() }.datagrams_per_second();
        assert_eq!(of(Some(DatagramRate::Bits(BitRate(10_000_000)))), Some(1000.0));
        assert_eq!(of(Some(DatagramRate::Datagrams(7.5))), Some(7.5));
        assert_eq!(of(None), None);
    }

    #[test]
    fn only_single_datagrams_have_times_of_their_own() {
        let rate = Some(DatagramRate::Datagrams(100.0));
        let auto = Datagram::default();
        assert!(!auto.one_a_call());
        assert!(Datagram { rate, ..auto.clone() }.one_a_call());
        assert!(!Datagram { rate, burst: 2, ..auto.clone() }.one_a_call());
        let plain = Datagram { offload: Segmentation::Plain, ..auto };
        assert!(plain.one_a_call() && !plain.timed());
        assert!(Datagram { wait: Wait::Spin, ..plain.clone() }.timed() && Datagram { rate, ..plain }.timed());
    }

    #[test]
    fn bursts_keep_wake_ups_apart() {
        let of = |rate: f64, flows| {
            let rate = Some(DatagramRate::Datagrams(rate));
            Datagram { rate, flows, ..Datagram::default() }.usual_burst()
        };
        assert_eq!(
            [0.5, 2_000.0, 2_001.0, 10_000.0, 1e12, f64::NAN].map(|r| of(r, 1)),
            [1, 1, 2, 5, 1_024, 1]
        );
        assert_eq!(of(10_000.0, 5), 1);
        assert_eq!(Datagram::default().usual_burst(), 1);
    }

    #[test]
    fn names_are_stable() {
        let text = serde_json::to_string(&crate::Probe::Datagram(Datagram {
            rate: Some(DatagramRate::Bits(BitRate(8))),
            ..Datagram::default()
        }))
        .unwrap();
        assert!(
            text.starts_with(r#"{"kind":"datagram","direction":"send","flows":1,"size":1448,"#),
            "{text}"
        );
        assert!(text.contains(r#""rate":{"bits":8},"burst":1,"offload":"auto","wait":"sleep""#), "{text}");
    }
}
